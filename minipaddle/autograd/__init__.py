"""Automatic differentiation: backward, grad, and custom operators by PyLayer."""

from __future__ import annotations

import importlib
from typing import Any

from .. import _absent
from ..eager.grad import backward, grad
from ..eager.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from ..eager.pylayer import PyLayer
from ..eager.pylayer_context import PyLayerContext
from ..eager.saved import saved_tensors_hooks
from . import py_layer

Function = PyLayer

_absent_name = _absent.names(__name__)
_LAZY = {  # loaded when first used
    "hessian": "derivatives",
    "jacobian": "derivatives",
    "why_no_grad": "why",
}

__all__ = [
    "Function",
    "PyLayer",
    "PyLayerContext",
    "backward",
    "enable_grad",
    "grad",
    "hessian",
    "is_grad_enabled",
    "jacobian",
    "no_grad",
    "py_layer",
    "saved_tensors_hooks",
    "set_grad_enabled",
    "why_no_grad",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        return _absent_name(name)
    found = getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
