"""Random starting values that are more than one distribution: cut normals, orthogonal matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import random
from ...engine.meta import Meta
from ..op_spec import op
from ..record import Formula, Results, Static, sample
from ..registry import REGISTRY
from .creation import made_of
from .sampling import SHAPED


def _share_below(x: float) -> float:
    """The share of a normal distribution below x."""
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


@op(
    "truncated_gaussian",
    infer=made_of,
    canon=SHAPED,
    results=Results(random=True),
    formula=Formula("y ~ N(mean, std²), within [a, b]"),
    samples=(
        sample(shape=[2, 3], dtype="float32"),
        sample(shape=[5], dtype="float64", mean=1.0, std=2.0, a=-1.0, b=3.0),
    ),
    public=None,
    static=Static("truncated_gaussian_random", prefix="truncated_gaussian_random"),
)
def truncated_gaussian(
    xp: Any,
    *,
    shape: Any,
    dtype: Any,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    seed: int = 0,
) -> Any:
    """Normal numbers within [a, b]: evenly spread shares of the distribution, taken back."""
    # Paddle keeps these in float32.
    mean, std, a, b = (float(np.float32(value)) for value in (mean, std, a, b))
    low, high = (2.0 * _share_below((end - mean) / std) - 1.0 for end in (a, b))
    shares = random.uniform(shape, dtype.numpy, seed=seed).astype(np.float64)
    inverse = REGISTRY["erfinv"].kernel(np, low + (high - low) * shares)
    values = np.clip(mean + std * math.sqrt(2.0) * inverse, a, b)
    return xp.asarray(values.astype(dtype.numpy))


def _matrix(*, shape: Any, dtype: Any, **rest: Any) -> Meta:
    return made_of(shape=shape, dtype=dtype, **rest)


@op(
    "orthogonal",
    infer=_matrix,
    canon=SHAPED,
    results=Results(random=True),
    formula=Formula("y = gain · Q, QᵀQ = 1"),
    samples=(
        sample(shape=[2, 3], dtype="float32"),
        sample(shape=[3, 2, 1], dtype="float64", gain=2.0),
    ),
    public=None,
)
def orthogonal(xp: Any, *, shape: Any, dtype: Any, gain: float = 1.0, seed: int = 0) -> Any:
    """Rows (or columns, if these are fewer) of length `gain` at right angles to each other."""
    rows, columns = shape[0], math.prod(shape[1:])
    tall = (max(rows, columns), min(rows, columns))
    q, r = np.linalg.qr(random.gaussian(tall, dtype.numpy, seed=seed))
    q = q * np.where(np.diagonal(r) < 0, -1.0, 1.0).astype(q.dtype)
    return xp.asarray((q.T if rows < columns else q).reshape(shape) * dtype.numpy.type(gain))
