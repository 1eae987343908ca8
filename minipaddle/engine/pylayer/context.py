"""The context that passes from a PyLayer's forward to its backward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import events
from ...messages import Message
from .. import modes, source_line
from ..saved_tensors_hooks import Packed
from ..tensor import Pick, Tensor, as_seen, rare, received_change, share_version
from . import errors


class PyLayerContext:
    """What `forward` hands to `backward`: saved tensors, marks, and any attribute you set.

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
    _open = False  # inside forward?
    _saved_at: source_line.SourceLine | None = None  # the line of save_for_backward, likewise
    _call = 0  # the number of the apply in events, while somebody listens
    _node: Any = None  # a weak reference: the node holds this context
    _silent: frozenset[int] = frozenset()  # slots of outputs marked non-differentiable
    _materialize = True
    _consistent = True
    _packed = False  # did saved_tensors_hooks pack what was saved?
    _marks: frozenset[str] = frozenset()

    container: Any = None
    non_differentiable: Any = None
    not_inplace_tensors: Any = None

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors that backward needs; at most once, and only inside forward.

        Shapes and dtypes: any; a value that is no Tensor is kept as it is.
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
        if not self._open or self.container is not None:
            self._only_inside("save_for_backward")
            raise errors.called_twice(self._layer, "save_for_backward")
        if self._call:
            self._saved_at = source_line.here()
        if modes.gate_open and (hooks := modes.here().saved_hooks):
            self._packed = True
            tensors = tuple([Packed(t, hooks) if isinstance(t, Tensor) else t for t in tensors])
        self.container = tensors

    def saved_tensor(self) -> Any:
        """The tuple of what save_for_backward kept; None if it was never called.

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
        if self._packed:
            return tuple(map(self._unpack, self.container))
        tensors: list[Any] = []
        for item in self.container:
            tensors.append(self._restore(item) if item.__class__ is Kept else item)
        return tuple(tensors)

    def mark_not_inplace(self, *args: Any) -> None:
        """These inputs, if forward returns them, become new tensors; their history stays.

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
        self._only_once("mark_not_inplace")
        self.not_inplace_tensors = self._tensors("mark_not_inplace", args)
        self._tell("mark_not_inplace", args)

    def mark_non_differentiable(self, *args: Any) -> None:
        """These outputs get stop_gradient True; backward receives zeros for them.

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
        self._only_once("mark_non_differentiable")
        self.non_differentiable = self._tensors("mark_non_differentiable", args)
        self._tell("mark_non_differentiable", args)

    def set_materialize_grads(self, value: bool) -> None:
        """True (the default): backward gets zeros for outputs nobody used; False: None.

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
        self._materialize = self._flag("set_materialize_grads", value)

    def set_grad_in_dtype_consistent(self, value: bool) -> None:
        """True (the default): gradients arrive in their output's dtype; False: as they come.

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
        self._consistent = self._flag("set_grad_in_dtype_consistent", value)

    def name(self) -> str:
        """The name of the grad node: GradNodePyLayer_<class>."""
        return f"GradNodePyLayer_{self._layer}"

    # ----- the tape's side -----

    def _check_marks(self, returned: list[Tensor], inputs: Sequence[Tensor]) -> None:
        """Forward has returned these: check what it marked, and let it go.

        The marked tensors lead to the node, and the node to this context.
        """
        self._check_mark("mark_not_inplace", self.not_inplace_tensors, inputs, errors.INPUT)
        marked = self.non_differentiable
        slots = self._check_mark("mark_non_differentiable", marked, returned, errors.OUTPUT)
        self._silent = frozenset(slots)
        self.non_differentiable = self.not_inplace_tensors = None

    def _keep(self, outputs: list[Tensor]) -> None:
        """Note the saved tensors' versions, and keep outputs as memory and slot: no cycle."""
        kept: list[Any] = []
        for item in self.container:
            if isinstance(item, Tensor):
                item = Kept(item, outputs)
            elif item.__class__ is Packed and isinstance(item.held, Tensor):
                item.held = Kept(item.held, outputs)
            kept.append(item)
        self.container = kept

    def _check_versions(self, node: Any) -> None:
        """Before backward runs at this node: what was saved must still hold what it held."""
        for item in self.container:
            if self._packed and item.__class__ is Packed:
                item = item.held
            if item.__class__ is Kept:
                if item.tensor is not None:
                    now = item.tensor._version
                else:
                    now = node.version if item.count is None else item.count.count
                if now != item.version:
                    raise self._changed_error(item, int(now), node)

    def _changed_error(self, kept: Kept, now: int, node: Any) -> Exception:
        number = [getattr(item, "held", item) for item in self.container].index(kept)
        holder, record = kept.tensor, kept  # type: Any, Any
        if holder is not None:
            record = holder._rare
        else:
            holder = node.version if kept.count is None else kept.count
        name, change = (record and record.name) or "", received_change(holder)
        return errors.changed_since_saved(
            self._layer, number, name, now=now, then=kept.version, change=change
        )

    def _restore(self, kept: Kept) -> Tensor:
        """A saved Tensor: the input itself, or the output made anew and connected, so that its
        derivative is right too."""
        if kept.tensor is not None:
            return kept.tensor
        node = self._node and self._node()
        if node is not None and node.many:
            node = Pick(node, kept.slot)  # type: ignore[arg-type]
        tensor = Tensor(kept.array, kept.stop, node)
        if kept.id or kept.name:
            rare(tensor).name, rare(tensor).id = kept.name, kept.id
        return tensor

    def _unpack(self, item: Any) -> Any:
        """What the unpack hook makes of a packed tensor; other things are given back."""
        if item.__class__ is not Packed:
            return self._restore(item) if item.__class__ is Kept else item
        held = self._restore(item.held) if item.held.__class__ is Kept else item.held
        return item.tensor(held)

    def _tell(self, mark: str, tensors: tuple[Any, ...], value: Any = None) -> None:
        if self._call:
            place = source_line.here()
            events.emit(events.ContextMarked(self._call, mark, as_seen(tensors), value, place))

    # ----- what the methods require -----

    def _only_inside(self, method: str) -> None:
        if not self._open:
            raise errors.outside_forward(self._layer, method)

    def _only_once(self, method: str) -> None:
        self._only_inside(method)
        if method in self._marks:
            raise errors.called_twice(self._layer, method)
        self._marks |= {method}

    def _tensors(self, method: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
        for position, value in enumerate(args):
            if not isinstance(value, Tensor):
                raise errors.no_tensor(self._layer, method, position, value)
        return args

    def _flag(self, method: str, value: Any) -> bool:
        self._only_inside(method)
        if not isinstance(value, bool) and value is not None:
            raise errors.no_bool(method, value)
        if self._call:
            self._tell(method, (), bool(value))
        return bool(value)

    def _check_mark(
        self, method: str, marked: Any, allowed: Sequence[Tensor], role: Message
    ) -> list[int]:
        """Each marked tensor must be an input, or an output; its number among them."""
        numbers = []
        for position, tensor in enumerate(marked or ()):
            same = [number for number, other in enumerate(allowed) if other is tensor]
            if not same:
                shape = list(tensor._data.shape)
                raise errors.strange_tensor(self._layer, method, position, shape, role)
            numbers.extend(same)
        return numbers


class Kept:
    """A saved Tensor with the version it had; an output as memory and slot, without a cycle."""

    __slots__ = ("array", "count", "id", "name", "slot", "stop", "tensor", "version")

    def __init__(self, tensor: Tensor, outputs: list[Tensor]) -> None:
        slot = None
        for number, output in enumerate(outputs):
            if tensor is output:
                slot = number
        self.slot = slot  # its number if it is one of the outputs
        self.version = int(tensor._version)
        self.tensor = tensor if slot is None else None
        if slot is not None:
            # An only output is counted by the node itself.
            self.count = share_version(tensor) if len(outputs) > 1 else None
            self.array = tensor._data
            self.stop = tensor._stop
            record = tensor._rare
            self.name, self.id = (record.name, record.id) if record is not None else (None, 0)
