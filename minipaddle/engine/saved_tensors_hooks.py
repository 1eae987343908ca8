"""saved_tensors_hooks: the user decides how tensors are stored until backward.

An op called inside the block gets a `PackedNode` on the tape, which holds a `Packed` in place of
each tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import modes, refusals
from .guard import Guard
from .tape import OpNode, changed_error
from .tensor import Node, Tensor

Hook = Callable[[Any], Any]


class saved_tensors_hooks(Guard):
    """In this block, store `pack_hook(tensor)` in place of each tensor saved for backward.

    `unpack_hook` turns the stored value into the tensor again, each time that backward needs it.
    The hooks see tensors that ops save and arguments of `ctx.save_for_backward`, of any shape. Only
    one pair of hooks may be active; nothing is packed where no gradients are recorded.
    Source: Paddle's `paddle.autograd.saved_tensors_hooks`.

    Errors: those of the hooks, which surface where the op or backward calls them.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> with paddle.autograd.saved_tensors_hooks(lambda t: t.numpy(), paddle.to_tensor):
    ...     y = paddle.square(x)
    >>> y.sum().backward(); x.grad.tolist()
    [2.0, 4.0]
    """

    def __init__(self, pack_hook: Any, unpack_hook: Any) -> None:
        super().__init__()
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def _save(self) -> bool:
        active = bool(modes.grad_enabled.get())
        if active and modes.here().saved_hooks is not None:
            raise refusals.hooks_inside_hooks()
        return active

    def _change(self, active: bool) -> None:
        if active:
            modes.change(saved_hooks=(self.pack_hook, self.unpack_hook))

    def _restore(self, active: bool, _error: BaseException | None) -> None:
        if active:
            modes.change(saved_hooks=None)


class Packed:
    """The result of the pack hook for a tensor, and the hook that gives the tensor back."""

    __slots__ = ("dtype", "held", "shape", "unpack", "version")

    def __init__(self, tensor: Tensor, hooks: tuple[Hook, Hook]) -> None:
        pack, self.unpack = hooks
        self.shape, self.dtype = tensor._data.shape, tensor._data.dtype
        self.held = _call_hook("pack", pack, tensor)
        self.version = int(self.held._version) if isinstance(self.held, Tensor) else 0

    def tensor(self, held: Any) -> Tensor:
        """Return the tensor unpacked from `held`; raise an error if it cannot be the packed one."""
        if held is self.held and isinstance(held, Tensor) and int(held._version) != self.version:
            raise refusals.packed_tensor_changed(now=int(held._version), then=self.version)
        tensor = _call_hook("unpack", self.unpack, held)
        if not isinstance(tensor, Tensor):
            raise refusals.wrong_unpacked(self.unpack, "a Tensor", type(tensor).__name__)
        if tensor._data.shape != self.shape or tensor._data.dtype != self.dtype:
            wanted = f"{self.dtype} {list(self.shape)}, as it was packed"
            received = f"{tensor._data.dtype} {list(tensor._data.shape)}"
            raise refusals.wrong_unpacked(self.unpack, wanted, received)
        return tensor


def _call_hook(what: str, hook: Hook, value: Any) -> Any:
    """Call a hook off the tape; its exceptions surface as OSError, as in Paddle."""
    before = modes.grad_enabled.get()
    try:
        modes.grad_enabled.set(False)
        return hook(value)
    except Exception as error:
        raise refusals.saving_hook_failed(what, hook, error) from error
    finally:
        modes.grad_enabled.set(before)


class PackedNode(OpNode):
    """A node made under saved_tensors_hooks: it holds the results of the pack hook."""

    __slots__ = ("originals",)

    def __init__(
        self, edges: tuple[Any, ...], inputs: tuple[Any, ...], outs: tuple[Any, ...], attrs: Any
    ) -> None:
        # Number of a saved output -> its array, for outputs that the pack hook returned unchanged
        self.originals: dict[int, Any] = {}
        super().__init__(edges, inputs, outs, attrs)
        self.expected = 0
        hooks: Any = modes.here().saved_hooks
        row: list[Any] = []
        for number, (is_output, _, part) in enumerate(self.op.plan):
            value = self.saved[number]
            if part or value is None:
                row.append(value)
            elif is_output:
                row.append(self._pack_output(number, value, hooks))
            elif isinstance(value, (list, tuple)):
                row.append([Packed(tensor, hooks) for tensor in value])
            else:
                row.append(Packed(value, hooks))
        self.saved = tuple(row)

    def _pack_output(self, number: int, array: Any, hooks: Any) -> Packed:
        given = self.output_tensor(array, self.op.saves[number])
        packed = Packed(given, hooks)
        if packed.held is given:  # `given` refers to this node: avoid a cycle
            packed.held = Tensor(array)
            self.originals[number] = array
        return packed

    def version_sum(self) -> int:
        return int(self.version) if self.originals else 0

    def check(self) -> Any:
        """Return the saved values, unpacked; inputs are connected as the original ones were."""
        if self.saved is None:
            raise refusals.released(self.op_name())
        if self.version_sum() != self.expected:
            raise changed_error(self)
        row: list[Any] = []
        for (is_output, slot, _), value in zip(self.op.plan, self.saved, strict=True):
            if isinstance(value, list) and isinstance(value[0], Packed):
                row.append([self._unpack_input(item, i) for i, item in enumerate(value)])
            elif not isinstance(value, Packed):
                row.append(value)
            elif is_output:
                row.append(value.tensor(value.held)._data)
            else:
                row.append(self._unpack_input(value, slot))
        return row

    def _unpack_input(self, packed: Packed, slot: int) -> Tensor:
        edge = self.edges[slot]
        node = Relay((edge,)) if isinstance(edge, Tensor) else edge  # a leaf cannot be a `_node`
        return Tensor(packed.tensor(packed.held)._data, edge is None, node)


class Relay(Node):
    """Node that hands its gradient on to a leaf whose values were packed."""

    __slots__ = ()

    title = "Relay"

    def visit(self, grad: Any, retain_graph: bool) -> Any:  # noqa: ARG002
        return (grad,)

    def visit_graph(self, grad: Any) -> tuple[Any, ...]:
        return (grad,)
