"""Utilities: unique names."""

from __future__ import annotations

from ..paddle_names import absent
from . import unique_name

__all__ = ["unique_name"]

__getattr__ = absent.names(__name__)
