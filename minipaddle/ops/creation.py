"""Ops without inputs: constants, ranges, and random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import random
from ..dtypes import DType
from ..meta import Meta
from .arguments import ints, number
from .records import Static, sample
from .registry import op


def _made(*, shape: Any, dtype: Any, **_rest: Any) -> Meta:
    return Meta(tuple(shape), DType.of(dtype).numpy)


def _ranged(*, start: Any, end: Any, step: Any, dtype: Any) -> Meta:
    return Meta((max(0, int(np.ceil((end - start) / step))),), DType.of(dtype).numpy)


@op(
    "full", gradless="has no input", infer=_made, canon={"shape": ints, "fill_value": number,
    "dtype": DType.of},
    static=Static("fill_constant", attrs={"fill_value": "value"}, prefix="fill_constant"),
    public=False, method=False, formula="yᵢ = value",
    samples=(sample(shape=[2, 3], fill_value=1.5, dtype="float32"),),
    symbol=lambda attrs: f"{attrs['fill_value']:g}",
)  # fmt: skip
def full(xp: Any, *, shape: Any, fill_value: Any, dtype: Any) -> Any:
    """One value everywhere."""
    return xp.full(shape, fill_value, dtype.numpy)


@op(
    "fill_like", gradless="the result does not depend on the values of x", infer=lambda x, *,
    value, dtype: Meta(
        x.shape, x.dtype if dtype is None else DType.of(dtype).numpy
    ),
    canon={"value": number}, static=Static("fill_any_like", prefix="fill_any_like"), public=False,
    method=False, formula="yᵢ = value", samples=(sample((2, 3)),),
)  # fmt: skip
def fill_like(xp: Any, x: Any, *, value: Any = 0.0, dtype: Any = None) -> Any:
    """One value everywhere, in the shape of x, also where that is known only at run time."""
    return xp.full(x.shape, value, x.dtype if dtype is None else DType.of(dtype).numpy)


@op(
    "arange", gradless="has no input", infer=_ranged, canon={"dtype": DType.of},
    static=Static("range", prefix="arange"),
    public=False, method=False, formula="y = start, start + step, …",
    samples=(sample(start=0, end=5, step=2, dtype="int64"),),
)  # fmt: skip
def arange(xp: Any, *, start: Any, end: Any, step: Any, dtype: Any) -> Any:
    """Numbers from start to before end, step apart."""
    return xp.arange(start, end, step).astype(dtype.numpy)


@op(
    "uniform", random=True, infer=_made, canon={"shape": ints, "dtype": DType.of},
    static=Static("uniform_random", prefix="uniform"), public=False, method=False,
    formula="y ~ U(min, max)", samples=(sample(shape=[2, 3], dtype="float32", min=-1.0),),
)  # fmt: skip
def uniform(
    xp: Any, *, shape: Any, dtype: Any, min: float = 0.0, max: float = 1.0, seed: int = 0
) -> Any:  # fmt: skip
    """Random numbers spread evenly over [min, max)."""
    return xp.asarray(random.uniform(shape, dtype.numpy, min, max, seed=seed))


@op(
    "gaussian", random=True, infer=_made, canon={"shape": ints, "dtype": DType.of},
    static=Static("gaussian_random", prefix="gaussian"), public=False, method=False,
    formula="y ~ N(mean, std²)", samples=(sample(shape=[5], dtype="float64", std=2.0),),
)  # fmt: skip
def gaussian(
    xp: Any, *, shape: Any, dtype: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0
) -> Any:
    """Normally distributed random numbers."""
    return xp.asarray(random.gaussian(shape, dtype.numpy, mean, std, seed=seed))


@op(
    "randint", random=True, infer=_made, canon={"shape": ints, "dtype": DType.of}, public=False,
    method=False,
    static=Static("randint", prefix="randint"), formula="y ~ {low, …, high − 1}",
    samples=(sample(low=0, high=9, shape=[5], dtype="int64"),),
)  # fmt: skip
def randint(xp: Any, *, low: int, high: int, shape: Any, dtype: Any, seed: int = 0) -> Any:
    """Random integers in [low, high), all equally likely."""
    return xp.asarray(random.randint(shape, dtype.numpy, low, high, seed=seed))


@op(
    "randperm", random=True, infer=lambda *, n, dtype, seed: Meta((n,), DType.of(dtype).numpy),
    canon={"dtype": DType.of}, public=False, method=False,
    static=Static("randperm", prefix="randperm"), formula="y ~ permutation(0, …, n − 1)",
    samples=(sample(n=7, dtype="int64"),),
)  # fmt: skip
def randperm(xp: Any, *, n: int, dtype: Any, seed: int = 0) -> Any:
    """The numbers 0 to n - 1 in random order."""
    return xp.asarray(random.randperm(n, dtype.numpy, seed=seed))


@op(
    "bernoulli", random=True, infer=lambda x: x, static=Static("bernoulli", prefix="bernoulli"),
    method=False, formula="P(y = 1) = x",
    samples=(sample((2, 3), domain=(0.2, 0.8)),),
)  # fmt: skip
def bernoulli(xp: Any, x: Any) -> Any:
    """1 with the probability that x gives, else 0, element by element."""
    return xp.asarray(random.bernoulli(x))


@op(
    "assign_value", gradless="has no input", infer=lambda *, values, shape,
    dtype: _made(shape=shape, dtype=dtype),
    canon={"values": np.asarray, "shape": ints, "dtype": DType.of}, public=False, method=False,
    static=Static("assign_value", prefix="assign"), formula="y = values",
    samples=(sample(values=[[1.5, -2.0]], shape=[1, 2], dtype="float32"),),
)  # fmt: skip
def assign_value(xp: Any, *, values: Any, shape: Any, dtype: Any) -> Any:
    """Values that were written down, copied."""
    return xp.array(xp.asarray(values), dtype.numpy).reshape(shape)
