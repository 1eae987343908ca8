"""The eager world: Tensor's methods, the backward pass, PyLayer, the grad modes."""

from __future__ import annotations

import importlib
from typing import Any

from .creation import as_tensor, asarray, from_numpy, to_tensor
from .grad import grad
from .grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .printing import set_printoptions
from .size import Size
from .tensor import TensorMethods  # noqa: F401  (importing it gives Tensor its methods)

__all__ = [
    "Size",
    "as_tensor",
    "asarray",
    "enable_grad",
    "from_numpy",
    "grad",
    "is_grad_enabled",
    "no_grad",
    "set_grad_enabled",
    "set_printoptions",
    "to_tensor",
]


def __getattr__(name: str) -> Any:
    """`eager.dump`: loaded when a graph is first written to a file."""
    if name == "dump":
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(name)
