"""Initializers under Paddle's names; see `minipaddle/parameters/initializers.py`."""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ..ops.boundary import public_names as _public_names
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from ..parameters.initializers import (
    Assign,
    Bilinear,
    Constant,
    Dirac,
    Initializer,
    KaimingNormal,
    KaimingUniform,
    Normal,
    Orthogonal,
    TruncatedNormal,
    Uniform,
    XavierNormal,
    XavierUniform,
    calculate_gain,
    set_global_initializer,
)

__all__ = list(_public_names(globals()))
__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
