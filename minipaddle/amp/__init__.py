"""Mixed precision: some ops in float16, and a loss scaled so that small gradients survive."""

from __future__ import annotations

from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from .casting import auto_cast, decorate
from .scaling import GradScaler

__all__ = ["GradScaler", "auto_cast", "decorate"]

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
