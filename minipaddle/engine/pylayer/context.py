"""The context that passes from a PyLayer's forward to its backward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import events
from ...messages import Message
from .. import modes, refusals, source_line
from ..errors import InvalidType
from ..saved_tensors_hooks import Packed
from ..tensor import Tensor, as_seen, changed_since_saved, new_tensor, saved_output, share_version
from . import errors


class PyLayerContext:
    """The object that `forward` hands to `backward`: saved tensors, marks, attributes that you set.

    Its methods may be called only inside forward, each mark at most once; PreconditionNotMet
    (RuntimeError) otherwise. Source: Paddle's `paddle.autograd.PyLayerContext`.

    >>> import minipaddle as paddle
    >>> class Twice(paddle.autograd.PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.factor = 2.0
    ...         return x * ctx.factor
    ...     @staticmethod
    ...     def backward(ctx, dy):
    ...         return dy * ctx.factor
    >>> x = paddle.to_tensor(1.0, stop_gradient=False)
    >>> Twice.apply(x).backward(); float(x.grad)
    2.0
    """

    _layer = "PyLayerContext"
    _in_forward = False  # whether forward is running
    _called_once: tuple[str, ...] = ()  # methods already called, of those allowed once
    _saved_at: source_line.SourceLine | None = None  # the line of save_for_backward
    _call_id = 0  # id of the apply in events; 0 while nobody listens
    _node: Any = None  # weak reference: the node holds this context
    _gradless: frozenset[int] = frozenset()  # slots of the outputs marked non-differentiable
    _materialize = True
    _consistent = True

    container: Any = None
    non_differentiable: Sequence[Tensor] = ()
    not_inplace_tensors: Sequence[Tensor] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Save tensors for backward; at most once, and only inside forward.

        Shapes and dtypes: any; a value that is no Tensor is saved too.
        Errors: RuntimeError for a second call, or outside forward; in backward, for a tensor that
        was changed since. Source: Paddle's `paddle.autograd.PyLayerContext.save_for_backward`.

        >>> import minipaddle as paddle
        >>> class Square(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...     @staticmethod
        ...     def backward(ctx, *grads):
        ...         (x,) = ctx.saved_tensor()
        ...         return grads[0] * 2 * x
        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> Square.apply(x).backward(); x.grad.tolist()
        [6.0]
        """
        if self._in_forward and not self._called_once:  # by far the most frequent
            self._called_once = ("save_for_backward",)
        else:
            self._require_forward("save_for_backward", once=True)
        if self._call_id:
            self._saved_at = source_line.here()
        self.container = [*map(Saved, tensors)]

    def saved_tensor(self) -> Any:
        """Return the arguments of save_for_backward as a tuple; None if it was never called.

        Shapes and dtypes: as they were saved.
        Errors: RuntimeError for a tensor that was changed in place since it was saved.
        Source: Paddle's `paddle.autograd.PyLayerContext.saved_tensor`.

        >>> import minipaddle as paddle
        >>> class Exp(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         y = paddle.exp(x)
        ...         ctx.save_for_backward(y)
        ...         return y
        ...     @staticmethod
        ...     def backward(ctx, *grads):
        ...         (y,) = ctx.saved_tensor()
        ...         return grads[0] * y
        >>> x = paddle.to_tensor([0.0], stop_gradient=False)
        >>> Exp.apply(x).backward(); x.grad.tolist()
        [1.0]
        """
        if self.container is None:
            return None
        node = self._node and self._node()
        return tuple([saved.again(node) for saved in self.container])

    def mark_not_inplace(self, *args: Any) -> None:
        """Let apply return new tensors in place of these inputs if forward returns them.

        Shapes and dtypes: any.
        Errors: RuntimeError for a second call, or outside forward; TypeError for what is no Tensor;
        ValueError for one that is no input. Source: Paddle's
        `paddle.autograd.PyLayerContext.mark_not_inplace`.

        >>> import minipaddle as paddle
        >>> class Same(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.mark_not_inplace(x)
        ...         return x
        ...     @staticmethod
        ...     def backward(ctx, *grads):
        ...         return grads[0]
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> y = Same.apply(x); y is x
        False
        """
        self.not_inplace_tensors = self._read_marked("mark_not_inplace", args)

    def mark_non_differentiable(self, *args: Any) -> None:
        """Give these outputs stop_gradient True; backward receives zeros for them.

        With set_materialize_grads(False) it receives None. Shapes and dtypes: any.
        Errors: RuntimeError for a second call, or outside forward; TypeError for what is no Tensor;
        ValueError for one that is no output. Source: Paddle's
        `paddle.autograd.PyLayerContext.mark_non_differentiable`.

        >>> import minipaddle as paddle
        >>> class Parts(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         whole = paddle.floor(x)
        ...         ctx.mark_non_differentiable(whole)
        ...         return x - whole, whole
        ...     @staticmethod
        ...     def backward(ctx, *grads):
        ...         return grads[0]
        >>> rest, whole = Parts.apply(paddle.to_tensor([1.5], stop_gradient=False))
        >>> rest.stop_gradient, whole.stop_gradient
        (False, True)
        """
        self.non_differentiable = self._read_marked("mark_non_differentiable", args)

    def set_materialize_grads(self, value: bool) -> None:
        """Let backward receive zeros (True, the default) or None (False) for unused outputs.

        Errors: RuntimeError outside forward; TypeError for what is no bool.
        Source: Paddle's `paddle.autograd.PyLayerContext.set_materialize_grads`.

        >>> import minipaddle as paddle
        >>> class Two(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.set_materialize_grads(False)
        ...         return x * 1, x * 2
        ...     @staticmethod
        ...     def backward(ctx, *grads):
        ...         print(grads[1])
        ...         return grads[0]
        >>> Two.apply(paddle.to_tensor([1.0], stop_gradient=False))[0].backward()
        None
        """
        self._materialize = self._read_bool("set_materialize_grads", value)

    def set_grad_in_dtype_consistent(self, value: bool) -> None:
        """Let backward receive gradients in their output's dtype (True, the default), or uncast.

        Errors: RuntimeError outside forward; TypeError for what is no bool. Source: Paddle's
        `paddle.autograd.PyLayerContext.set_grad_in_dtype_consistent`.

        >>> import minipaddle as paddle
        >>> class Half(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.set_grad_in_dtype_consistent(True)
        ...         return x.astype("float16")
        ...     @staticmethod
        ...     def backward(ctx, *grads):
        ...         print(grads[0].dtype)
        ...         return grads[0].astype("float32")
        >>> y = Half.apply(paddle.to_tensor([1.0], stop_gradient=False))
        >>> y.astype("float32").sum().backward()
        paddle.float16
        """
        self._consistent = self._read_bool("set_grad_in_dtype_consistent", value)

    def name(self) -> str:
        """Return the name of the grad node: GradNodePyLayer_<class>."""
        return f"GradNodePyLayer_{self._layer}"

    # ----- checks and events of the methods -----

    def _require_forward(self, method: str, once: bool = False) -> None:
        if not self._in_forward:
            raise errors.outside_forward(self._layer, method)
        if method in self._called_once:
            raise errors.called_twice(self._layer, method)
        if once:
            self._called_once += (method,)

    def _read_marked(self, method: str, tensors: tuple[Any, ...]) -> tuple[Any, ...]:
        self._require_forward(method, once=True)
        for position, value in enumerate(tensors):
            if not isinstance(value, Tensor):
                raise refusals.no_tensor(method, "args", position, value, InvalidType)
        self._emit_mark(method, tensors)
        return tensors

    def _read_bool(self, method: str, value: Any) -> bool:
        self._require_forward(method)
        if not isinstance(value, bool) and value is not None:
            raise refusals.no_bool(f"{method}()", value, f"ctx.{method}(False)")
        self._emit_mark(method, (), bool(value))
        return bool(value)

    def _emit_mark(self, mark: str, tensors: tuple[Any, ...], value: bool | None = None) -> None:
        if self._call_id:
            place = source_line.here()
            events.emit(events.ContextMarked(self._call_id, mark, as_seen(tensors), value, place))

    # ----- checks for the tape -----

    def _check_marks(self, returned: list[Tensor], inputs: list[Tensor], silent: Any) -> None:
        """Check the marked tensors, and release them: they refer to the node that holds this."""
        for method, marked, allowed, role in (
            ("mark_not_inplace", self.not_inplace_tensors, set(inputs), errors.INPUT),
            ("mark_non_differentiable", self.non_differentiable, set(returned), errors.OUTPUT),
        ):
            for position, tensor in enumerate(marked):
                if tensor not in allowed:
                    raise errors.strange_tensor(self._layer, method, position, tensor, role)
        self._gradless = frozenset(slot for slot, tensor in enumerate(returned) if tensor in silent)
        self.non_differentiable = self.not_inplace_tensors = ()

    def _check_versions(self, node: Any) -> None:
        """Raise an error if a tensor was changed in place since it was saved."""
        for number, saved in enumerate(self.container or ()):
            if saved.slot is not None and len(node.out_metas) == 1:
                saved.thing._version = node.version  # the node knows that of its only output
            if saved.version is not None and saved.thing._version != saved.version:
                op = Message("{layer} (number {number} of save_for_backward)", number=number)
                raise changed_since_saved(saved.thing, saved.version, op.fill(layer=self._layer))


class Saved:
    """One argument of save_for_backward: a tensor, the result of a pack hook, or another value."""

    __slots__ = ("packed", "slot", "thing", "version")

    def __init__(self, thing: Any) -> None:
        self.thing = thing
        self.slot: int | None = None  # among the outputs
        self.packed: Packed | None = None
        self.version: int | None = None
        hooks = modes.gate_open and modes.here().saved_hooks
        if hooks and isinstance(thing, Tensor):
            self.packed = packed = Packed(thing, hooks)
            self.thing, packed.held = packed.held, None

    def keep(self, outputs: list[Tensor]) -> None:
        """Record the tensor's version; hold an output without its node, to avoid a cycle."""
        thing: Any = self.thing
        if isinstance(thing, Tensor):
            for slot, output in enumerate(outputs):
                if thing is output:
                    self.slot, self.thing = slot, new_tensor(thing._data, thing._stop)
                    version = share_version(thing) if len(outputs) > 1 else thing._version
                    self.thing._version, self.thing._rare = version, thing._rare
            self.version = int(thing._version)

    def again(self, node: Any) -> Any:
        """Return the saved value: unpacked, and an output connected to its node."""
        thing = self.thing
        if self.slot is not None:
            edge = node and node.edge_of(self.slot)
            thing = saved_output(thing._data, thing._stop, edge, thing._rare)
        return thing if self.packed is None else self.packed.tensor(thing)
