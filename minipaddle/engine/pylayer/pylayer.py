"""PyLayer: an operator whose forward and backward the user writes, on the eager tape."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any
from weakref import ref

from ... import events
from .. import modes, naming, source_line
from ..stop_reasons import Reason, stop
from ..tensor import (
    Pick,
    Tensor,
    as_edge,
    as_seen,
    changed_in_place,
    detached,
    node_id,
    share_version,
    tell_values,
)
from . import errors
from .context import PyLayerContext
from .node import PyLayerNode

grad_on, set_grad = modes.grad_enabled.get, modes.grad_enabled.set
ONE = [1]  # the structure of a single Tensor, as `flatten` gives it


class PyLayerMeta(type):
    """Gives each PyLayer the class of its contexts."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        cls._backward_function = type(f"{name}_backward", (PyLayerContext,), {"_layer": name})
        cls._node_class = type(
            f"GradNodePyLayer_{name}",
            (PyLayerNode,),
            {"__slots__": (), "title": f"GradNodePyLayer_{name}", "layer": cls},
        )


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
        """Instances carry nothing; Paddle lets you make them, so that `Exp().apply` works."""

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
                return _apply_observed(cls, args, kwargs, sys._getframe(1))
        ctx = cls._backward_function()
        outputs = _forward(cls, ctx, args, kwargs)
        return _connect(cls, ctx, args, kwargs, outputs, sys._getframe(1))


def _forward(cls: Any, ctx: PyLayerContext, args: Any, kwargs: Any) -> Any:
    """The user's forward, off the tape; its context is open only meanwhile."""
    ctx._open = True
    before = grad_on()
    try:
        set_grad(False)
        return cls.forward(ctx, *args, **kwargs)
    except AttributeError as error:
        clear = errors.explained(error, ctx, cls.__name__)
        if clear is error:
            raise
        raise clear from error
    finally:
        set_grad(before)
        ctx._open = False


def _connect(
    cls: Any, ctx: PyLayerContext, args: Any, kwargs: Any, outputs: Any, frame: Any
) -> Any:
    """Make forward's outputs the outputs of one node of the tape."""
    inputs, counts = flat_inputs(args, kwargs)
    tensors, structure = ([outputs], ONE) if outputs.__class__ is Tensor else flatten(outputs)
    if not tensors:
        raise errors.no_tensor_returned(cls.__name__, outputs)
    edges: list[Any] = []
    wanted = returns_input = False
    for tensor in inputs:  # loops, for a comprehension is a call of its own
        edge = None if tensor._stop else tensor._node or tensor
        edges.append(edge)
        wanted = wanted or edge is not None
        for output in tensors:
            if output is tensor:
                returns_input = True
    needed = wanted and bool(grad_on())
    returned = tensors
    if returns_input:
        tensors = _in_place(cls, ctx, inputs, tensors, needed)
        outputs = tensors[0] if isinstance(outputs, Tensor) else rebuild(outputs, iter(tensors))
    node = None
    if needed:
        silent = ctx.non_differentiable or ()
        if silent:  # an input that comes back without a gradient takes none either
            gone = [_holds(silent, t) and _holds(tensors, t) for t in inputs]
            edges = [None if now else edge for now, edge in zip(gone, edges, strict=True)]
        node = cls._node_class(tuple(edges), ctx, inputs, counts, structure, tensors, frame)
        for slot, tensor in enumerate(tensors):
            marked = silent and _holds(silent, returned[slot])
            tensor._stop = stop(Reason.NON_DIFFERENTIABLE, cls.__name__) if marked else False
            tensor._node = Pick(node, slot) if node.many else node
            tensor._node.version = tensor._version
    if ctx._marks:
        ctx._check_marks(returned, inputs)
    if node is not None:
        ctx._node = ref(node)
        if ctx.container:
            ctx._keep(tensors)
    return outputs


def _holds(tensors: Any, wanted: Tensor) -> bool:
    """Whether this very Tensor is among them (== would compare elements)."""
    for tensor in tensors:  # noqa: SIM110  (any() costs more than the loop)
        if tensor is wanted:
            return True
    return False


def _in_place(
    cls: Any, ctx: PyLayerContext, inputs: Sequence[Tensor], outputs: list[Tensor], needed: bool
) -> list[Tensor]:
    """Outputs that are inputs: new tensors if marked not in-place, changed in place if not."""
    spared = ctx.not_inplace_tensors or ()
    silent = ctx.non_differentiable or ()
    result: list[Tensor] = []
    for tensor in outputs:
        if _holds(spared, tensor):
            fresh = Tensor(tensor._data, tensor._stop)
            fresh._version = share_version(tensor)
            tell_values(fresh, tensor, "alias")
            tensor = fresh
        elif needed and _holds(inputs, tensor) and not _holds(result, tensor):
            if tensor._node is None and not _holds(silent, tensor):
                name = (tensor._rare and tensor._rare.name) or ""
                raise errors.leaf_returned(cls.__name__, name)
            changed_in_place(tensor)
        result.append(tensor)
    return result


# ----- the structure of arguments and results ----------------------------------------------------


def flat_inputs(args: Any, kwargs: Any) -> tuple[Sequence[Tensor], list[int] | None]:
    """The Tensors among the arguments, and how many each argument holds.

    A count of 0 stands for an argument that is a Tensor itself; None: all of them are.
    """
    if len(args) == 1 and not kwargs and args[0].__class__ is Tensor:  # by far the most frequent
        return args, None
    inputs: list[Tensor] = []
    counts: list[int] = []
    for value in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(value, Tensor):
            inputs.append(value)
            counts.append(0)
        elif isinstance(value, (list, tuple)):
            inside = [item for item in value if isinstance(item, Tensor)]
            if inside:
                inputs.extend(inside)
                counts.append(len(inside))
    return inputs, counts if any(counts) else None


def by_argument(inputs: Sequence[Tensor], counts: list[int] | None) -> list[Any]:
    """The inputs by argument: a Tensor, or the list of an argument's Tensors."""
    if counts is None:
        return list(inputs)
    row = iter(inputs)
    return [[next(row) for _ in range(n)] if n else next(row) for n in counts]


def flatten(outputs: Any) -> tuple[list[Tensor], list[int]]:
    """The Tensors of forward's result in order, and how they group into backward's arguments.

    The structure has one number per argument: 1 for a Tensor, -n for a list of n Tensors.
    """
    if isinstance(outputs, Tensor):
        return [outputs], ONE
    tensors: list[Tensor] = []
    structure: list[int] = []
    for item in outputs if isinstance(outputs, (list, tuple)) else ():
        if isinstance(item, Tensor):
            tensors.append(item)
            structure.append(1)
        elif isinstance(item, (list, tuple)):
            inside = [t for t in item if isinstance(t, Tensor)]
            if inside:
                tensors.extend(inside)
                structure.append(-len(inside))
    return tensors, structure


def rebuild(outputs: Any, tensors: Any) -> Any:
    """Forward's result with its Tensors replaced in order; other things stay in place."""
    row = []
    for item in outputs:
        if isinstance(item, Tensor):
            row.append(next(tensors))
        elif isinstance(item, (list, tuple)) and any(isinstance(t, Tensor) for t in item):
            row.append(_like(item, [next(tensors) if isinstance(t, Tensor) else t for t in item]))
        else:
            row.append(item)
    return _like(outputs, row)


def _like(sequence: Any, items: list[Any]) -> Any:
    """These items as the same kind of list or tuple; a named tuple takes them one by one."""
    kind = type(sequence)
    return getattr(kind, "_make", kind)(items)


# ----- observed by listeners ----------------------------------------------------------------------


def _apply_observed(cls: Any, args: Any, kwargs: Any, frame: Any) -> Any:
    """apply, with a record of what went in, what came out, and what was kept."""
    call, scope, place = naming.next_id(), naming.next_id(), source_line.here()
    kind, name = "pylayer.forward", cls.__name__
    given = as_seen(by_argument(*flat_inputs(args, kwargs)))
    events.emit(events.ScopeEntered(scope, kind, name, call, given, place))
    ctx = cls._backward_function()
    ctx._call = call
    with events.failing("scope", scope, place):
        outputs = _forward(cls, ctx, args, kwargs)
        as_seen(outputs)  # gives them the numbers by which events name saved ones
        result = _connect(cls, ctx, args, kwargs, outputs, frame)
    tensors = flatten(result)[0]
    events.emit(events.ScopeLeft(scope, kind, name, call, as_seen(tensors)))
    node = ctx._node and ctx._node()
    if node is not None:
        edges = tuple(as_edge(edge) for edge in node.edges)
        events.emit(events.GradNodeMade(node_id(node), node.name(), call, edges))
        for number, item in enumerate(ctx.saved_tensor() or ()):
            if isinstance(item, Tensor):
                slot, place = f"saved[{number}]", ctx._saved_at
                events.emit(events.TensorSaved(node_id(node), slot, as_seen(item), place))
    return result


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a PyLayer's backward whose own derivative must not be taken.

    >>> import minipaddle as paddle
    >>> from minipaddle.autograd.py_layer import once_differentiable
    >>> class Double(paddle.autograd.PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     @once_differentiable
    ...     def backward(ctx, dy):
    ...         return dy * 2
    >>> x = paddle.to_tensor(1.0, stop_gradient=False)
    >>> Double.apply(x).backward(); float(x.grad)
    2.0
    """

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        before = grad_on()
        try:
            set_grad(False)
            result = backward(ctx, *grads)
        finally:
            set_grad(before)
        many = isinstance(result, (list, tuple))
        row = result if many else (result,)
        fresh = [detached(g) if isinstance(g, Tensor) else g for g in row]
        return type(result)(fresh) if many else fresh[0]

    return wrapper
