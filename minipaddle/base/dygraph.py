"""paddle.base.dygraph: dynamic mode in older programs."""

from __future__ import annotations

from typing import Any

from ..device import current_place, device_guard
from ..engine import modes
from ..engine.grad_mode import no_grad as NoGrad
from ..engine.guard import Guard, combine_guards
from ..paddle_names import absent
from ..static import disable_static, enable_static, in_dynamic_mode

__getattr__ = absent.names(__name__)

no_grad_ = NoGrad
enable_dygraph, disable_dygraph, enabled = disable_static, enable_static, in_dynamic_mode


def guard(place: Any = None) -> Guard:
    """Let ops compute at once inside the block, on a place if one is given.

    Errors: ValueError for an unknown place. Source: Paddle's `paddle.base.dygraph.guard`.

    >>> import minipaddle as paddle
    >>> with paddle.base.dygraph.guard():
    ...     paddle.in_dynamic_mode()
    True
    """
    here = current_place() if place is None else place
    return combine_guards(modes.override(builder=None), device_guard(here))


def no_grad(func: Any = None) -> Any:
    """Decorate a function that records no graph of gradients; without one, `paddle.no_grad()`.

    Errors: TypeError for what is no function. Source: Paddle's `paddle.base.dygraph.no_grad`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor(2.0, stop_gradient=False)
    >>> @paddle.base.dygraph.no_grad
    ... def double(x):
    ...     return x * 2
    >>> double(x).stop_gradient
    True
    """
    return NoGrad() if func is None else NoGrad()(func)
