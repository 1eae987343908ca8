"""Automatic differentiation: backward, grad, and custom operators by PyLayer."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..engine.grad import backward, grad
from ..engine.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from ..engine.pylayer.context import PyLayerContext
from ..engine.pylayer.pylayer import PyLayer
from ..engine.saved_tensors_hooks import saved_tensors_hooks
from ..ops.boundary import public as _public
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from . import py_layer

if TYPE_CHECKING:
    from ..engine.why_no_grad import why_no_grad
    from .derivatives import hessian, jacobian

Function = PyLayer

_absent_name = absent.names(__name__)
_LAZY = {  # name -> its module, imported on first use
    "hessian": ".derivatives",
    "jacobian": ".derivatives",
    "why_no_grad": "..engine.why_no_grad",
}

__all__ = [
    "Function", "PyLayer", "PyLayerContext", "backward", "enable_grad", "grad", "hessian",
    "is_grad_enabled", "jacobian", "no_grad", "py_layer", "saved_tensors_hooks",
    "set_grad_enabled", "why_no_grad",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        return _absent_name(name)
    value = _public(getattr(importlib.import_module(_LAZY[name], __name__), name), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


_AS_THEY_ARE = {"Function", "PyLayer", "PyLayerContext", "enable_grad", "no_grad"}
_publish(globals(), {*__all__} - _AS_THEY_ARE)
