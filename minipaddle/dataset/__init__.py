"""Readers of older programs: functions without arguments that yield one example after another."""

from __future__ import annotations

from ..paddle_names import absent
from . import mnist

__all__ = ["mnist"]

__getattr__ = absent.names(__name__)
