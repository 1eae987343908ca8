"""Compiling Programs: a run, written down call by call, becomes a function over fixed memory."""

from __future__ import annotations

from .cache import Plans
from .plan import Plan

__all__ = ["Plan", "Plans"]
