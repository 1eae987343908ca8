"""The natural logarithm of the C library, to the last bit.

Paddle's normals use C's log and logf. NumPy's own logarithm sometimes rounds differently. So
float64 calls the C library through `math.log`, and float32 repeats glibc's logf, which is not
correctly rounded, so that rounding a better logarithm would not do.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# glibc's logf (2.27 and later) divides each power of two into 16 intervals, from 0x1.66p-1 on. Each
# has 1/c for a point c near its middle; with x = z * 2**k and the small r = z/c - 1,
# log(x) = k log 2 + log c + log(1 + r). The numbers are glibc's (Arm's optimized routines).
_FIRST_BITS = 0x3F330000  # bits of the float32 at which the first interval begins
_INVERSES_HEX = """
    0x1.661ec79f8f3bep+0 0x1.571ed4aaf883dp+0 0x1.49539f0f010bp+0  0x1.3c995b0b80385p+0
    0x1.30d190c8864a5p+0 0x1.25e227b0b8eap+0  0x1.1bb4a4a1a343fp+0 0x1.12358f08ae5bap+0
    0x1.0953f419900a7p+0 0x1p+0               0x1.e608cfd9a47acp-1 0x1.ca4b31f026aap-1
    0x1.b2036576afce6p-1 0x1.9c2d163a1aa2dp-1 0x1.886e6037841edp-1 0x1.767dcf5534862p-1
"""
_INVERSES = np.array([float.fromhex(text) for text in _INVERSES_HEX.split()])
_LOGS = -np.array([math.log(inverse) for inverse in _INVERSES])
_LN2 = math.log(2)
_CUBIC_HEX = "-0x1.ffffef20a4123p-2 0x1.5575b0be00b6ap-2 -0x1.00ea348b88334p-2"
_CUBIC = [float.fromhex(text) for text in _CUBIC_HEX.split()]


def log(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return log(x) as C computes it: float32 or float64, shape (n,), every x positive and normal.

    >>> log(np.float32([1, 0.5]))
    array([ 0.       , -0.6931472], dtype=float32)
    """
    if x.dtype == np.float64:
        return np.fromiter(map(math.log, x.tolist()), np.float64, x.size)
    bits = x.view(np.int32)
    offset = bits - np.int32(_FIRST_BITS)
    power = offset >> 23
    interval = (offset >> 19) & 15
    z = (bits - (power << 23)).view(np.float32)
    r = z * _INVERSES[interval] - 1
    square, whole = r * r, power * _LN2 + _LOGS[interval]
    a, b, c = _CUBIC
    result: np.ndarray[Any, Any] = (c * square + (b * r + a)) * square + (whole + r)
    return result.astype(np.float32)
