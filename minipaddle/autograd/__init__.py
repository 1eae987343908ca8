"""Automatic differentiation: backward, grad, and custom operators by PyLayer."""

from __future__ import annotations

from ..eager.grad import backward, grad
from ..eager.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from ..eager.pylayer import PyLayer
from ..eager.pylayer_context import PyLayerContext
from . import py_layer

Function = PyLayer

__all__ = [
    "Function",
    "PyLayer",
    "PyLayerContext",
    "backward",
    "enable_grad",
    "grad",
    "is_grad_enabled",
    "no_grad",
    "py_layer",
    "set_grad_enabled",
]
