"""PyLayer: an operator whose forward and backward the user writes, on the eager tape.

`PyLayer.apply` runs forward and makes a node of the tape; `PyLayerNode.visit` runs backward.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

from numpy import ndarray

from ... import events
from .. import modes, naming, refusals, source_line
from ..call_settings import settings_of
from ..stop_reasons import Reason, passes, stop
from ..tensor import (
    GradsBySlot,
    Node,
    OutputSlot,
    Tensor,
    alias,
    array_of,
    as_edge,
    as_seen,
    as_tensor,
    changed_in_place,
    namespace_of,
    new_tensor,
    node_id,
    rare,
)
from . import errors
from .context import PyLayerContext

grad_on, set_grad = modes.grad_enabled.get, modes.grad_enabled.set
Flat = tuple[list[Tensor], list[int]]  # Tensors and counts, as `flatten` returns them
ONE = [0]


# ----- backward -----------------------------------------------------------------------------------


class PyLayerNode(Node):
    """Node of a PyLayer call: it holds the context, and `visit` runs the user's backward."""

    __slots__ = ("__weakref__", "counts", "ctx", "in_metas", "nones", "out_metas", "sizes", "where")

    layer: Any

    def __init__(self, edges: tuple[Any, ...], ctx: Any, given: Flat, returned: Flat) -> None:
        self.edges, self.hooks, self.ctx = edges, None, ctx
        self.id = self.version = 0
        self.where = source_line.spot(4)  # of the call of apply
        self.nones: frozenset[int] = frozenset()  # numbers of the inputs whose gradient was None
        (inputs, self.counts), (outputs, self.sizes) = given, returned
        self.in_metas: list[Any] = []
        self.out_metas: list[Any] = []
        for t in inputs:
            self.in_metas.append((t._data.shape, t._data.dtype))
        for t in outputs:
            self.out_metas.append((t._data.shape, t._data.dtype))

    def edge_of(self, slot: int) -> Node:
        """Return the edge that leads to one output."""
        return OutputSlot(self, slot) if len(self.out_metas) > 1 else self

    def op_name(self) -> str:
        return str(self.layer.__name__)

    def place(self) -> source_line.SourceLine | None:
        """Return the line of user code that called apply."""
        return self.where and source_line.of_spot(*self.where)

    def saved_names(self) -> tuple[str, ...]:
        saved = self.ctx.container if self.ctx is not None else None
        return tuple(f"saved[{number}]" for number in range(len(saved or ())))

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        arrays: list[Any] = []
        for edge, g in zip(self.edges, self.run(grad, False, retain_graph)):  # noqa: B905
            array = None if g is None else g._data
            if array is None:
                self.nones |= {len(arrays)}
            elif arrays and id(array) in map(id, arrays):  # `return dy, dy`: either may change
                array = array.copy()
            arrays.append(array)
            if g is not None and g._stop and isinstance(edge, Tensor) and edge._grad is None:
                rare(edge).grad_stop = passes.number  # .grad keeps stop_gradient True, as in Paddle
        return tuple(arrays)

    def visit_graph(self, grad: Any) -> tuple[Any, ...]:
        return self.run(grad, True, True)

    def run(self, grad: Any, graph: bool, retain_graph: bool) -> tuple[Any, ...]:
        """Return the gradients of all inputs, as Tensors."""
        ctx = self.ctx
        if ctx is None:
            raise refusals.released(self.op_name())
        ctx._check_versions(self)
        arguments = self.arguments(grad)
        call = self.call_observed if modes.gate_open and events.heard() else self.call_backward
        before = grad_on()
        try:
            set_grad(graph)
            result = call(arguments)
        finally:
            set_grad(before)
        grads = self.check(result)
        if not retain_graph:
            self.ctx = ctx.container = None
        return grads

    def arguments(self, grad: Any) -> list[Any]:
        """Return the arguments of backward: one per Tensor or list that forward returned."""
        ctx, metas = self.ctx, self.out_metas
        if self.sizes is ONE and grad.dtype is metas[0][1] and not ctx._gradless:
            tensor = new_tensor if grad.__class__ is ndarray else as_tensor
            return [tensor(grad, False)]  # by far the most frequent
        grads = grad.grads if grad.__class__ is GradsBySlot else {0: grad}
        douts: list[Any] = []
        for slot, meta in enumerate(metas):
            if slot in grads and slot not in ctx._gradless:  # even if the loss uses it
                douts.append(self.dout(grads[slot], meta[1]))
            elif ctx._materialize:
                douts.append(Tensor(namespace_of(grad).zeros(*meta)))
            else:
                douts.append(None)
        return group(douts, self.sizes)

    def dout(self, grad: Any, dtype: Any) -> Tensor:
        """Return the gradient of an output as a Tensor in the output's dtype."""
        if array_of(grad).dtype != dtype and self.ctx._consistent:
            grad = grad.astype(dtype.name)
        tensor = as_tensor(grad, False)
        return alias(tensor, False) if tensor._stop else tensor

    def zeros_for_hooks(self, grad: GradsBySlot) -> dict[int, Any]:
        metas = enumerate(self.out_metas if self.ctx and self.ctx._materialize else ())
        xp = namespace_of(grad)
        return {slot: xp.zeros(*meta) for slot, meta in metas if slot not in grad.grads}

    def call_observed(self, arguments: list[Any]) -> Any:
        """Call the user's backward, and notify the listeners."""
        call, place = self.ctx._call_id, source_line.of_user(self.layer.backward)
        seen, name = as_seen(arguments), self.op_name()
        with events.scope("pylayer.backward", name, call, seen, place) as made:
            result = self.call_backward(arguments)
            made += as_seen(result if isinstance(result, (list, tuple)) else [result])
        return result

    def call_backward(self, arguments: list[Any]) -> Any:
        """Call the user's backward; its exceptions surface as OSError, as in Paddle."""
        try:
            return self.layer.backward(self.ctx, *arguments)
        except Exception as error:
            if isinstance(error, AttributeError) and error.obj is self.ctx:
                error = errors.no_attribute(self.ctx, error)
            raise errors.backward_failed(self, error, len(arguments)) from error

    def check(self, result: Any) -> tuple[Any, ...]:
        """Return one gradient or None per input, from the result of the user's backward."""
        if isinstance(result, Tensor) and self.counts == ONE:  # by far the most frequent
            return (self.fit(0, 0, result),)
        row = list(result) if isinstance(result, (list, tuple)) else [result]
        if self.counts[0] and isinstance(result, list) and len(self.counts) == 1:
            row = row if len(row) == 1 and isinstance(row[0], (list, tuple)) else [row]
        if len(row) > len(self.counts):
            raise errors.gradient_count(self, len(row), len(self.counts))
        grads: list[Any] = []
        for position, count in enumerate(self.counts):
            if position == len(row):
                if any(edge is not None for edge in self.edges[len(grads) :][: count or 1]):
                    raise errors.missing_gradient(self, position)
                row.append(None)
            value = row[position]
            if not count or value is None:
                value = [value] * (count or 1)
            elif not isinstance(value, (list, tuple)) or len(value) != count:
                raise errors.no_list(self, position, value, count)
            for grad in value:
                grads.append(None if grad is None else self.fit(position, len(grads), grad))
        return tuple(grads)

    def fit(self, position: int, number: int, grad: Any) -> Tensor:
        """Return a gradient in its input's dtype; raise an error for another shape."""
        shape, dtype = self.in_metas[number]
        if not isinstance(grad, Tensor):
            raise errors.no_gradient(self, grad)
        if self.edges[number] is None:
            raise errors.unwanted_gradient(self, position, grad)
        if grad._data.shape != shape:
            raise errors.gradient_shape(self, position, grad._data.shape, shape)
        if grad._data.dtype == dtype:
            return grad
        return grad.astype(dtype.name)  # type: ignore[attr-defined]


def group(items: list[Any], counts: list[int]) -> list[Any]:
    """Group items into arguments: a single item for a count of 0, a list of n for a count n."""
    row = iter(items)
    return [[next(row) for _ in range(n)] if n else next(row) for n in counts]


# ----- forward ------------------------------------------------------------------------------------


class PyLayerMeta(type):
    """Metaclass that gives each PyLayer its classes of contexts and nodes."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        cls._backward_function = type(f"{name}_backward", (PyLayerContext,), {"_layer": name})
        title = f"GradNodePyLayer_{name}"
        of_layer = {"__slots__": (), "title": title, "layer": cls}
        cls._node_class = type(title, (PyLayerNode,), of_layer)


class PyLayer(metaclass=PyLayerMeta):
    """A custom operator: subclass it, write static `forward` and `backward`, call `apply`.

    `forward(ctx, *args, **kwargs)` returns at least one Tensor; `backward(ctx, *grads)` gets one
    gradient per Tensor that forward returned and gives back one per Tensor that forward took
    (None where there is none), as a Tensor, a tuple or a list. Shapes and dtypes are the inputs'.
    OSError for an exception in `backward`. Source: Paddle's `paddle.autograd.PyLayer`.

    >>> import minipaddle as paddle
    >>> class cus_tanh(paddle.autograd.PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         y = paddle.tanh(x)
    ...         ctx.save_for_backward(y)
    ...         return y
    ...     @staticmethod
    ...     def backward(ctx, dy):
    ...         y, = ctx.saved_tensor()
    ...         return dy * (1 - paddle.square(y))
    >>> x = paddle.to_tensor(0.0, stop_gradient=False)
    >>> cus_tanh.apply(x).backward(); float(x.grad)
    1.0
    """

    _backward_function: type[PyLayerContext]
    _node_class: type[PyLayerNode]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Make an empty instance, as Paddle allows, so that `Exp().apply` works."""

    def __getattr__(self, name: str) -> Any:
        raise errors.no_result(type(self).__name__, name)

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG004
        """Compute the outputs; every PyLayer must define this."""
        raise errors.not_implemented(getattr(ctx, "_layer", ""), "forward", "x")

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:  # noqa: ARG004
        """Compute the inputs' gradients; every PyLayer whose gradients are used must define it."""
        raise errors.not_implemented(getattr(ctx, "_layer", ""), "backward", "dy")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward on these arguments and connect its outputs to the graph.

        Shapes and dtypes: those that forward gives; backward gets one gradient for each Tensor
        among the outputs and returns one for each Tensor among the arguments.
        Errors: ValueError if forward returns no Tensor, or a leaf that wants a gradient itself;
        AssertionError in static mode. Source: Paddle's `paddle.autograd.PyLayer.apply`.

        >>> import minipaddle as paddle
        >>> class Double(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...     @staticmethod
        ...     def backward(ctx, dy):
        ...         return dy * 2
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> Double.apply(x).sum().backward(); x.grad.tolist()
        [2.0, 2.0]
        """
        if modes.gate_open:
            if modes.here().builder is not None:
                raise errors.in_static_mode(cls.__name__)
            if modes.here().listeners:
                return _apply_observed(cls, args, kwargs)
        ctx = cls._backward_function()
        return _connect_outputs(cls, ctx, args, kwargs, _run_forward(cls, ctx, args, kwargs))


def _run_forward(cls: Any, ctx: PyLayerContext, args: Any, kwargs: Any) -> Any:
    """Run the user's forward off the tape; only meanwhile may it call methods of the context."""
    ctx._in_forward, before = True, grad_on()
    try:
        set_grad(False)
        return cls.forward(ctx, *args, **kwargs)
    except AttributeError as error:
        if error.obj is not ctx:
            raise
        raise errors.no_attribute(ctx, error) from error
    finally:
        set_grad(before)
        ctx._in_forward = False


def _connect_outputs(cls: Any, ctx: PyLayerContext, args: Any, kwargs: Any, outputs: Any) -> Any:
    """Make forward's outputs the outputs of one node of the tape."""
    inputs, _ = given = flatten((*args, *kwargs.values()) if kwargs else args)
    returned, sizes = flatten(outputs)
    if not returned:
        raise errors.no_tensor_returned(cls.__name__, outputs)
    edges: list[Any] = []
    needed: Any = False
    comes_back = False
    for tensor in inputs:  # loops, for a comprehension or a set costs more
        edges.append(None if tensor._stop else tensor._node or tensor)
        needed = needed or not tensor._stop
        for output in returned:
            comes_back = comes_back or output is tensor
    needed = needed and grad_on()
    tensors, silent = returned, ctx.non_differentiable and {*ctx.non_differentiable}
    if comes_back:
        kept, unchanged = set(ctx.not_inplace_tensors), set(inputs if needed else ())
        outputs = _replace_inputs(cls, ctx, kept, unchanged, outputs)
        tensors, _ = flatten(outputs)
        back = {*tensors}.intersection(silent)  # inputs returned and marked non-differentiable
        edges = [None if t in back else edge for t, edge in zip(inputs, edges, strict=True)]
    if silent or ctx.not_inplace_tensors:
        ctx._check_marks(returned, inputs, silent)
    if needed:
        node = cls._node_class(tuple(edges), ctx, given, (tensors, sizes))
        for slot, tensor in enumerate(tensors):
            marked = silent and returned[slot] in silent
            tensor._stop = stop(Reason.NON_DIFFERENTIABLE, cls.__name__) if marked else False
            tensor._node = edge = node.edge_of(slot)
            edge.version = tensor._version
        ctx._node = ref(node)
        for saved in ctx.container or ():
            saved.keep(tensors)
    return outputs


def _replace_inputs(cls: Any, ctx: Any, kept: set[Any], unchanged: set[Any], output: Any) -> Any:
    """Replace outputs that are inputs in `kept` by new tensors; count others as changed."""
    if isinstance(output, (list, tuple)):
        items = [_replace_inputs(cls, ctx, kept, unchanged, item) for item in output]
        # `_make` is the constructor of a named tuple.
        return getattr(type(output), "_make", type(output))(items)
    if not isinstance(output, Tensor):
        return output
    if output in kept:
        return alias(output, output._stop)
    if output in unchanged:
        if output._node is None and output not in set(ctx.non_differentiable):
            name = (output._rare and output._rare.name) or ""
            raise errors.leaf_returned(cls.__name__, name)
        changed_in_place(output)
        unchanged.remove(output)
    return output


def flatten(values: Any) -> Flat:
    """Return the Tensors in arguments or results, in order, and the number of Tensors in each.

    The number is 0 for an argument that is a Tensor; an argument without Tensors has no number.
    """
    if isinstance(values, tuple) and len(values) == 1 and isinstance(values[0], Tensor):
        return [*values], ONE
    if isinstance(values, Tensor):
        return [values], ONE
    tensors: list[Tensor] = []
    counts: list[int] = []
    for value in values if isinstance(values, (list, tuple)) else ():
        if isinstance(value, Tensor):
            tensors.append(value)
            counts.append(0)
        elif isinstance(value, (list, tuple)):
            inside = [item for item in value if isinstance(item, Tensor)]
            if inside:
                tensors += inside
                counts.append(len(inside))
    return tensors, counts


def _apply_observed(cls: Any, args: Any, kwargs: Any) -> Any:
    """Apply, and notify listeners of the inputs, the outputs and the saved tensors."""
    ctx, place = cls._backward_function(), source_line.here()
    ctx._call_id = call = naming.next_id()
    inputs = as_seen(group(*flatten((*args, *kwargs.values()))))
    how = settings_of(cls.forward, (ctx, *args), kwargs)
    with events.scope(
        "pylayer.forward", cls.__name__, call, inputs, place, settings=how
    ) as outputs:
        made = _run_forward(cls, ctx, args, kwargs)
        as_seen(made)  # numbers them, for the events of saved tensors
        result = _connect_outputs(cls, ctx, args, kwargs, made)
        outputs += as_seen(flatten(result)[0])
    node = ctx._node and ctx._node()
    if node is not None:
        number, edges = node_id(node), tuple(as_edge(edge) for edge in node.edges)
        events.emit(events.GradNodeMade(number, node.name(), call, edges))
        for k, item in enumerate(ctx.saved_tensor() or ()):
            if isinstance(item, Tensor):
                events.emit(events.TensorSaved(number, f"saved[{k}]", as_seen(item), ctx._saved_at))
    return result
