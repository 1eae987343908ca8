"""The eager world: how tensors are made, what their methods do, how they print."""

from __future__ import annotations

from ..engine.grad import grad
from ..engine.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .creation import as_tensor, asarray, from_numpy, to_tensor
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
