"""Paddle's module for PyLayer and what belongs to it."""

from __future__ import annotations

from ..eager.pylayer import PyLayer, PyLayerMeta, once_differentiable
from ..eager.pylayer_context import PyLayerContext

__all__ = ["PyLayer", "PyLayerContext", "PyLayerMeta", "once_differentiable"]
