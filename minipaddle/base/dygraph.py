"""paddle.base.dygraph: dynamic mode in older programs."""

from __future__ import annotations

from typing import Any

from ..device import current_place, set_device
from ..engine import modes
from ..engine.guard import Guard
from ..paddle_names import absent
from ..static import disable_static, enable_static, in_dynamic_mode

__getattr__ = absent.names(__name__)

enable_dygraph, disable_dygraph, enabled = disable_static, enable_static, in_dynamic_mode


class guard(Guard):
    """Let ops compute at once inside the block, on a place if one is given.

    Errors: ValueError for an unknown place. Source: Paddle's `paddle.base.dygraph.guard`.

    >>> import minipaddle as paddle
    >>> with paddle.base.dygraph.guard():
    ...     paddle.in_dynamic_mode()
    True
    """

    def __init__(self, place: Any = None) -> None:
        super().__init__()
        self.place = place

    def _save(self) -> Any:
        return modes.here().builder, current_place()

    def _change(self, saved: Any) -> None:  # noqa: ARG002
        disable_static(self.place)

    def _restore(self, saved: Any, error: BaseException | None) -> None:  # noqa: ARG002
        modes.change(builder=saved[0])
        set_device(saved[1])
