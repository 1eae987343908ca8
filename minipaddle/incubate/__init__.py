"""What Paddle has not settled yet: `incubate.autograd`."""

from __future__ import annotations

from ..paddle_names import absent
from . import autograd

__all__ = ["autograd"]

__getattr__ = absent.names(__name__)
