"""Paddle's module for PyLayer and what belongs to it."""

from __future__ import annotations

from ..engine.pylayer.context import PyLayerContext
from ..engine.pylayer.pylayer import PyLayer, PyLayerMeta, once_differentiable

__all__ = ["PyLayer", "PyLayerContext", "PyLayerMeta", "once_differentiable"]
