"""saved_tensors_hooks: let the user decide how tensors wait for backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import modes
from .errors import InvalidArgument


class saved_tensors_hooks:
    """In this block, keep `pack_hook(tensor)` in place of each tensor saved for backward.

    `unpack_hook` gets what was kept and gives the tensor back, each time that backward needs it.
    It is about tensors that ops save and about `ctx.save_for_backward`; not about shapes. One
    pair of hooks at a time; where no gradients are recorded, nothing is packed.
    Source: Paddle's `paddle.autograd.saved_tensors_hooks`.

    Errors: those of the hooks, which surface where the op or backward calls them.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> with paddle.autograd.saved_tensors_hooks(lambda t: t.numpy(), paddle.to_tensor):
    ...     y = paddle.square(x)
    >>> y.sum().backward(); x.grad.tolist()
    [2.0, 4.0]
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook
        self._entered: list[bool] = []

    def __enter__(self) -> None:
        active = bool(modes.grad_enabled.get())
        if active and modes.here().saved_hooks is not None:
            raise InvalidArgument(
                "paddle.autograd.saved_tensors_hooks only one pair of hooks is allowed at a time.",
                expected="one `with saved_tensors_hooks(...)` block",
                received="a block inside another one",
                fix="call both functions from one pair of hooks",
            )
        if active:
            modes.change(saved_hooks=(self.pack_hook, self.unpack_hook))
        self._entered.append(active)

    def __exit__(self, *_error: object) -> None:
        if self._entered.pop():
            modes.change(saved_hooks=None)
