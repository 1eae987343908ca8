"""minipaddle: Paddle code that you can watch.

    import minipaddle as paddle

The names are Paddle's. `docs/differences.md` lists where behaviour differs on purpose.
"""

from __future__ import annotations

import importlib
import math
import sys
import warnings
from typing import Any

from . import device, random, version
from .device import (
    CPUPlace,
    CUDAPinnedPlace,
    CUDAPlace,
    device_guard,
    get_cudnn_version,
    get_default_device,
    get_device,
    is_compiled_with_cinn,
    is_compiled_with_cuda,
    is_compiled_with_custom_device,
    is_compiled_with_distribute,
    is_compiled_with_ipu,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
    set_default_device,
    set_device,
)
from .eager.creation import as_tensor, asarray, from_numpy, tensor, to_tensor
from .eager.drawing import FUNCTIONS as _DRAWING
from .eager.inplace import forms as _inplace_forms
from .eager.printing import set_printoptions
from .eager.values import Size
from .engine import dtypes
from .engine.dtypes import bool_ as bool
from .engine.dtypes import (
    complex64,
    complex128,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from .engine.dtypes import get_default as _get_default
from .engine.dtypes import set_default as set_default_dtype
from .engine.errors import MinipaddleError as _MinipaddleError
from .engine.flags import get_flags, set_flags
from .engine.grad import grad
from .engine.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .engine.tensor import Tensor
from .engine.tracebacks import install as _show_errors_short
from .ops import catalog as _catalog
from .ops.boundary import accept_names as _accept_names
from .ops.boundary import public as _public
from .ops.boundary import publish as _publish
from .paddle_names import absent
from .random import get_rng_state, seed, set_rng_state

__version__ = version.full_version

# 1 / 0 is inf and log(-1) is nan without a warning, as in Paddle; other modules still warn.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minipaddle\.")

_show_errors_short(_MinipaddleError)
absent.install(Tensor)
sys.meta_path.append(absent.InnerModules)  # type: ignore[arg-type]
_absent_name = absent.names(__name__)
dtype = dtypes.DType

# Second names of dtypes.
cdouble, cfloat, double, float, half = complex128, complex64, float64, float32, float16
int, long, short = int32, int64, int16

manual_seed = seed
e, inf, nan, pi, newaxis = math.e, math.inf, math.nan, math.pi, None


def get_default_dtype() -> str:
    """Return the name of the type that Python floats become.

    Errors: none.
    Source: Paddle's `paddle.get_default_dtype`.

    >>> import minipaddle as paddle
    >>> paddle.get_default_dtype()
    'float32'
    """
    return _get_default().name


# Ops and their in-place forms; their functions are made on first use.
_functions = {**_catalog.table("function"), **_inplace_forms()}
globals().update(_DRAWING)

# Packages that few programs need, and names in them: imported on first use.
_PACKAGES = (
    "amp", "autograd", "base", "callbacks", "dataset", "distributed", "distribution", "fft",
    "incubate", "io", "jit", "linalg", "metric", "nn", "optimizer", "profiler", "regularizer",
    "static", "testing", "text", "utils", "vision",
)  # fmt: skip
_MEMBERS = {
    "disable_signal_handler": "utils",
    "DataParallel": "distributed",
    "Model": "hapi.model",
    "ParamAttr": "nn",
    "batch": "base",
    "create_parameter": "nn",
    "disable_static": "static",
    "enable_static": "static",
    "flops": "profiler.network_flops",
    "in_dynamic_mode": "static",
    "load": "saving.save_load",
    "save": "saving.save_load",
    "summary": "nn.summary",
}

__all__ = [
    "CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "Size", "Tensor", "as_tensor", "asarray", "bool",
    "cdouble", "cfloat", "complex64", "complex128", "device", "device_guard", "double", "dtype",
    "e", "enable_grad", "finfo", "float", "float16", "float32", "float64", "from_numpy",
    "get_default_dtype", "get_default_device", "get_cudnn_version", "get_device", "get_flags",
    "get_rng_state", "grad", "half", "iinfo", "inf", "int8", "int16", "int32", "int64",
    "is_compiled_with_cuda", "is_compiled_with_xpu", "is_compiled_with_rocm",
    "is_compiled_with_ipu", "is_compiled_with_distribute", "is_compiled_with_custom_device",
    "is_compiled_with_cinn", "is_grad_enabled", "manual_seed", "nan", "newaxis", "no_grad", "pi",
    "random", "seed", "set_default_dtype", "set_default_device", "set_device", "set_flags",
    "set_grad_enabled", "set_printoptions", "set_rng_state", "tensor", "to_tensor", "uint8",
    "version",
]  # fmt: skip
__all__ += list(_functions) + list(_DRAWING)
__all__ += list(_PACKAGES) + list(_MEMBERS)


def __getattr__(name: str) -> Any:
    if name in _functions:
        globals()[name] = _functions[name].function_named(name)
        return globals()[name]
    if name in _PACKAGES:
        return importlib.import_module(f".{name}", __name__)
    if name in _MEMBERS:
        return _public(getattr(importlib.import_module(f".{_MEMBERS[name]}", __name__), name), name)
    return _absent_name(name)


def __dir__() -> list[str]:
    # `int` is not in `__all__`: a star import leaves Python's int alone, as in Paddle.
    return sorted({*__all__, "int", "long", "short", "__version__"})


_AS_THEY_ARE = {"Tensor", "enable_grad", "grad", "no_grad", "tensor", "to_tensor"}
_publish(globals(), {*__all__} - _AS_THEY_ARE)
for _name in ("grad", "tensor", "to_tensor"):  # often called: arguments are not read by annotations
    globals()[_name] = _accept_names(globals()[_name], (), _name)
tensor = absent.TensorFunctions(tensor)
