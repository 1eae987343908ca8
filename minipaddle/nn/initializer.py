"""Initializers under Paddle's names; see `minipaddle/initializers.py`."""

from __future__ import annotations

from .. import _absent
from ..initializers import (
    Assign,
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

__all__ = [
    "Assign", "Constant", "Dirac", "Initializer", "KaimingNormal", "KaimingUniform", "Normal",
    "Orthogonal", "TruncatedNormal", "Uniform", "XavierNormal", "XavierUniform", "calculate_gain",
    "set_global_initializer",
]  # fmt: skip
__getattr__ = _absent.names(__name__)
