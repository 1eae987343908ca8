"""minipaddle: Paddle code that you can watch.

    import minipaddle as paddle

The names are Paddle's. `docs/differences.md` lists where behaviour differs on purpose.
"""

from __future__ import annotations

import importlib
from typing import Any

from . import autograd, core, device, dtypes, errors, ops, random
from .device import CPUPlace, CUDAPlace, get_device, is_compiled_with_cuda, set_device
from .dtypes import (
    bool_ as bool,  # noqa: A004  (Paddle's name)
)
from .dtypes import (
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from .dtypes import get_default as _get_default
from .dtypes import set_default as set_default_dtype
from .eager import (
    enable_grad,
    grad,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
    set_printoptions,
    to_tensor,
)
from .ops import functions as _functions
from .random import get_rng_state, seed, set_rng_state

__version__ = "0.1.0"

Tensor = core.Tensor
dtype = dtypes.DType


def get_default_dtype() -> str:
    """The name of the type that Python floats become.

    >>> import minipaddle as paddle
    >>> paddle.get_default_dtype()
    'float32'
    """
    return _get_default().name


# The ops: every public record of the registry, then the functions written with them.
globals().update({name: op.call for name, op in ops.REGISTRY.items() if op.public})
globals().update(
    {
        name: value
        for name, value in vars(_functions).items()
        if callable(value) and getattr(value, "__module__", "") == _functions.__name__
        and not name.startswith("_")
    }
)
standard_normal = globals()["randn"]
mm = globals()["matmul"]
mod = globals()["remainder"]

_LAZY = ("io", "metric", "nn", "optimizer", "static", "testing")
# Functions of packages that are loaded when first used.
_LAZY_NAMES = {
    "ParamAttr": "nn",
    "disable_static": "static",
    "enable_static": "static",
    "in_dynamic_mode": "static",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return importlib.import_module(f".{name}", __name__)
    if name in _LAZY_NAMES:
        return getattr(importlib.import_module(f".{_LAZY_NAMES[name]}", __name__), name)
    raise errors.NoSuchName(
        f"minipaddle has no '{name}'.",
        expected="a name of Paddle's that minipaddle has",
        received=name,
        fix="dir(minipaddle) lists what is here",
    )
