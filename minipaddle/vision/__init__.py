"""Images: their transforms."""

from __future__ import annotations

from ..paddle_names import absent
from . import transforms

__all__ = ["transforms"]

__getattr__ = absent.names(__name__)
