"""The part of Paddle's fleet that one process uses: `fleet.utils`."""

from __future__ import annotations

from ...paddle_names import absent
from . import utils

__all__ = ["utils"]

__getattr__ = absent.names(__name__)
