"""Random numbers, bit for bit those of Paddle on the CPU; see `minipaddle.random`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import random
from ...device import to_numpy
from ...engine import dtypes, kinds
from ...engine.dtypes import DType
from ...engine.meta import Meta, unchanged
from ...errors import require
from ...messages import Message
from ...random.generator import PIECE
from .. import errors
from ..arguments import known_number_reader, read_number
from ..catalog import public
from ..op_spec import Kernel, Op, internal
from ..record import Formula, Results, Static, sample
from ..registry import REGISTRY
from .creation import (
    ALL_OPTIONS,
    call_with_shape,
    fill_like,
    infer_from_attrs,
    infer_like,
    publish_creation,
    read_loose_shape,
    with_open_shape,
    with_options,
)

SHAPED = {"shape": read_loose_shape, "dtype": DType.of}
NUMBERS = (bool, int, float, np.generic)


def _optional_dtype(dtype: Any) -> Any:
    return None if dtype is None else DType.of(dtype)


ALIKE = (sample((2, 3)), sample((4,), dtype="float64"), sample(()))


def random_op(like: bool = False, **record: Any) -> Callable[[Kernel], Op]:
    """Register an op that draws random numbers in a shape, or with `like` in the shape of x."""
    usual: dict[str, Any] = {"infer": infer_from_attrs, "canon": SHAPED}
    if like:
        usual = {"infer": infer_like, "canon": {"dtype": _optional_dtype}}
    return internal(**{"results": Results(random=True), **usual, **record})


# ----- uniform -----------------------------------------------------------------------------------


@random_op(
    canon={**SHAPED, "min": read_number, "max": read_number},
    formula=Formula("y ~ U(min, max)"),
    samples=(sample(shape=[2, 3], dtype="float32", min=-1.0), sample(shape=[], dtype="float64")),
    static=Static("uniform_random", prefix="uniform"),
)
def uniform_(
    xp: Any, *, shape: Any, dtype: Any, min: float = 0.0, max: float = 1.0, seed: int = 0
) -> Any:
    """Uniform random numbers in [min, max)."""
    return xp.asarray(random.uniform(shape, dtype.numpy, min, max, seed=seed))


uniform_by = with_open_shape(uniform_)


@publish_creation(*ALL_OPTIONS, sizes_apart=True)
def rand(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Uniform random numbers in [0, 1).

    Dtypes: float32, float64, or the default dtype.
    Errors: RuntimeError for a dtype that is not floating.

    >>> import minipaddle as paddle
    >>> paddle.rand([2]).shape
    paddle.Size([2])
    """
    return call_with_shape(uniform_, uniform_by, shape, dtype=dtype or dtypes.get_default())


@publish_creation("out", "device", "requires_grad")
def uniform(
    shape: Any,
    dtype: Any = None,
    min: Any = 0,
    max: Any = 1.0,
    seed: int = 0,
    name: str | None = None,
) -> Any:
    """Uniform random numbers in [min, max); a seed other than 0 is used for this call only.

    Dtypes: float32, float64, or the default dtype.
    Errors: RuntimeError for a dtype that is not floating.

    >>> import minipaddle as paddle
    >>> paddle.uniform([2], min=-1.0).shape
    paddle.Size([2])
    """
    kind = dtype or dtypes.get_default()
    return call_with_shape(uniform_, uniform_by, shape, dtype=kind, min=min, max=max, seed=seed)


@random_op(
    like=True,
    formula=Formula("y ~ U(0, 1)"),
    samples=ALIKE,
    static=Static("uniform_random_like", prefix="uniform"),
)
def uniform_like(xp: Any, x: Any, *, dtype: Any = None) -> Any:
    """Uniform random numbers in [0, 1), in a shape that may be known only at run time."""
    return xp.asarray(random.uniform(x.shape, infer_like(x, dtype=dtype).dtype))


@publish_creation("device", "requires_grad", like=True)
def rand_like(input: Any, name: str | None = None, *, dtype: Any = None) -> Any:
    """Uniform random numbers in [0, 1), in the shape (and dtype) of a tensor.

    Dtypes: floating kept.
    Errors: ValueError if input is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.rand_like(paddle.ones([2])).shape
    paddle.Size([2])
    """
    return uniform_like.call(input, dtype=dtype)


# ----- normal ------------------------------------------------------------------------------------


@random_op(
    formula=Formula("y ~ N(mean, std²)"),
    samples=(sample(shape=[5], dtype="float64", std=2.0), sample(shape=[], dtype="float32")),
    static=Static("gaussian_random", prefix="gaussian"),
)
def gaussian(
    xp: Any, *, shape: Any, dtype: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0
) -> Any:
    """Normal random numbers with this mean and standard deviation."""
    return xp.asarray(random.gaussian(shape, dtype.numpy, mean, std, seed=seed))


gaussian_by = with_open_shape(gaussian)


@publish_creation(*ALL_OPTIONS, sizes_apart=True)
def randn(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Normal random numbers with mean 0 and standard deviation 1.

    Errors: RuntimeError for a dtype that is not floating.

    >>> import minipaddle as paddle
    >>> _ = paddle.seed(2023)
    >>> paddle.randn([2, 3], dtype="float64").shape
    paddle.Size([2, 3])
    """
    return call_with_shape(gaussian, gaussian_by, shape, dtype=dtype or dtypes.get_default())


@publish_creation("out", "device", "requires_grad")
def standard_normal(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Normal random numbers with mean 0 and standard deviation 1; another name of `randn`.

    Dtypes: float32, float64, or the default dtype.
    Errors: RuntimeError for a dtype that is not floating.

    >>> import minipaddle as paddle
    >>> paddle.standard_normal([2]).shape
    paddle.Size([2])
    """
    return randn(shape, dtype)


@random_op(
    like=True,
    formula=Formula("y ~ N(0, 1)"),
    samples=ALIKE,
    static=Static("gaussian_random_like", prefix="gaussian"),
)
def gaussian_like(xp: Any, x: Any, *, dtype: Any = None) -> Any:
    """Standard normal random numbers, in a shape that may be known only at run time."""
    return xp.asarray(random.gaussian(x.shape, infer_like(x, dtype=dtype).dtype))


@publish_creation("device", "requires_grad", like=True)
def randn_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Standard normal random numbers in the shape (and dtype) of a tensor.

    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.randn_like(paddle.ones([2])).shape
    paddle.Size([2])
    """
    return gaussian_like.call(x, dtype=dtype)


@public(method=False)
def normal(
    mean: Any = 0.0, std: Any = 1.0, shape: Any = None, name: str | None = None, *, out: Any = None
) -> Any:
    """Normal random numbers; mean and std are numbers, or tensors of one shape.

    Dtypes: the default one, or that of mean or std.
    Errors: TypeError for a mean or std that is neither a number nor a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.normal(0.0, 1.0, [3]).shape
    paddle.Size([3])
    """
    for what, value in (("mean", mean), ("std", std)):
        if not isinstance(value, NUMBERS) and not hasattr(value, "stop_gradient"):
            raise errors.no_tensor("normal", what, value, Message("a number or a Tensor"))
    like = next((value for value in (mean, std) if not isinstance(value, NUMBERS)), None)
    if like is not None:
        drawn = gaussian_like.call(like) * std + mean
        return with_options(drawn, "normal", out=out, device=getattr(like, "place", None))
    attrs = {"mean": float(mean), "std": float(std), "dtype": dtypes.get_default()}
    shape = [1] if shape is None else shape
    drawn = call_with_shape(gaussian, gaussian_by, shape, **attrs)
    return with_options(drawn, "normal", out=out)


@public(method=False)
def log_normal(mean: Any = 1.0, std: Any = 2.0, shape: Any = None, name: str | None = None) -> Any:
    """Random numbers whose logarithms are normal with this mean and standard deviation.

    Dtypes: the default one, or that of mean or std.
    Errors: TypeError for a mean or std that is neither a number nor a Tensor.

    >>> import minipaddle as paddle
    >>> bool((paddle.log_normal(0.0, 1.0, [3]) > 0).all())
    True
    """
    return normal(mean, std, shape).exp()


# ----- integers ----------------------------------------------------------------------------------


def _integer_bounds(name: str, low: Any, high: Any) -> tuple[int, int]:
    """Return the bounds of random integers; a single bound is the upper one."""
    known = known_number_reader(f"{name}(): a bound")
    low, high = known(low), known(high)
    for bound in (low, high):
        if isinstance(bound, float):
            raise kinds.misfit(name, "low" if bound is low else "high", kinds.INT, bound)
    require(high is not None or low > 0, name, "low > 0 where high is None", low=low)
    return (0, low) if high is None else (low, high)


@random_op(
    formula=Formula("y ~ {low, …, high − 1}"),
    samples=(sample(low=0, high=9, shape=[5], dtype="int64"),),
)
def randint_(xp: Any, *, low: int, high: int, shape: Any, dtype: Any, seed: int = 0) -> Any:
    """Uniform random integers in [low, high)."""
    return xp.asarray(random.randint(shape, dtype.numpy, low, high, seed=seed))


randint_by = with_open_shape(randint_)


@publish_creation()
def randint(
    low: int = 0,
    high: int | None = None,
    shape: Any = (1,),
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """Uniform random integers in [low, high), or in [0, low) with one bound; int64.

    Errors: ValueError for an empty range.

    >>> import minipaddle as paddle
    >>> bool((paddle.randint(3, shape=[9]) < 3).all())
    True
    """
    low, high = _integer_bounds("randint", low, high)
    attrs = {"low": low, "high": high, "dtype": dtype or "int64"}
    return call_with_shape(randint_, randint_by, shape, **attrs)


@random_op(
    like=True,
    formula=Formula("y ~ {low, …, high − 1}"),
    samples=(sample((2, 3), low=0, high=9), sample((4,), low=-3, high=3, dtype="int64")),
    static=Static("randint_like", prefix="randint"),
)
def randint_like_(xp: Any, x: Any, *, low: int, high: int, dtype: Any = None) -> Any:
    """Uniform random integers in [low, high), in a shape that may be known only at run time."""
    drawn = random.randint(x.shape, np.dtype("int64"), low, high)
    return xp.asarray(drawn.astype(infer_like(x, dtype=dtype).dtype))


@publish_creation(like=True)
def randint_like(
    x: Any, low: int = 0, high: int | None = None, dtype: Any = None, name: str | None = None
) -> Any:
    """Uniform random integers in the shape (and dtype) of a tensor.

    >>> import minipaddle as paddle
    >>> paddle.randint_like(paddle.ones([2]), 5).dtype
    paddle.float32
    """
    low, high = _integer_bounds("randint_like", low, high)
    return randint_like_.call(x, low=low, high=high, dtype=dtype)


@random_op(
    infer=lambda *, n, dtype, seed: infer_from_attrs(shape=(n,), dtype=dtype),
    canon={"n": known_number_reader("randperm(): n"), "dtype": DType.of},
    formula=Formula("y ~ permutation(0, …, n − 1)"),
    samples=(sample(n=7, dtype="int64"), sample(n=0, dtype="int32")),
)
def randperm_(xp: Any, *, n: int, dtype: Any, seed: int = 0) -> Any:
    """The numbers 0 to n - 1 in random order."""
    return xp.asarray(random.randperm(n, dtype.numpy, seed=seed))


@publish_creation(*ALL_OPTIONS)
def randperm(n: int, dtype: Any = "int64", name: str | None = None) -> Any:
    """The numbers 0 to n - 1 in random order.

    Shapes: n gives [n]. Dtypes: int64 unless `dtype` says otherwise.
    Errors: RuntimeError for a negative n.

    >>> import minipaddle as paddle
    >>> sorted(paddle.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    return randperm_.call(n=n, dtype=dtype or "int64")


# ----- bernoulli and multinomial -----------------------------------------------------------------


@random_op(
    infer=unchanged,
    canon={},
    formula=Formula("P(out = 1) = x"),
    samples=(sample((2, 3), domain=(0.2, 0.8)), sample((), domain=(0.2, 0.8))),
)
def bernoulli_(xp: Any, x: Any) -> Any:
    """1 with the probability x, else 0, element by element."""
    return xp.asarray(random.bernoulli(to_numpy(x)))


@public(method=False)
def bernoulli(x: Any, p: float | None = None, name: str | None = None) -> Any:
    """1 with the probability x (or p for all elements), else 0, element by element.

    >>> import minipaddle as paddle
    >>> paddle.bernoulli(paddle.to_tensor([0.0, 1.0])).tolist()
    [0.0, 1.0]
    """
    return bernoulli_.call(x if p is None else fill_like.call(x, value=p))


@random_op(
    infer=unchanged,
    canon={},
    formula=Formula("y ~ Dirichlet(x)"),
    samples=(sample((2, 3), domain=(0.2, 3.0)), sample((2,), domain=(0.2, 3.0))),
)
def dirichlet(xp: Any, x: Any) -> Any:
    """Random shares of 1 along the last axis, drawn with the concentrations x."""
    drawn = random.gamma(to_numpy(x))
    return xp.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def _multinomial_infer(x: Meta, *, num_samples: int, **_rest: Any) -> Meta:
    return Meta((*x.shape[:-1], num_samples), np.dtype("int64"))


@random_op(
    infer=_multinomial_infer,
    canon={"num_samples": known_number_reader("multinomial(): num_samples")},
    formula=Formula(
        lambda attrs: "P(outᵢⱼ = k) = xᵢₖ / Σ xᵢ" if attrs["rank"] == 2 else "P(out = k) = xₖ / Σ x"
    ),
    samples=(
        sample((4,), domain=(0.2, 0.8), num_samples=2),
        sample((2, 3), domain=(0.2, 0.8), num_samples=5, replacement=True),
    ),
)
def multinomial_(xp: Any, x: Any, *, num_samples: Any = 1, replacement: bool = False) -> Any:
    """Categories drawn with probabilities in proportion to the weights x."""
    return xp.asarray(random.multinomial(to_numpy(x), num_samples, replacement))


@publish_creation("out", method=True)
def multinomial(
    x: Any, num_samples: Any = 1, replacement: bool = False, name: str | None = None
) -> Any:
    """Categories drawn in proportion to the weights along the last axis of x; int64.

    >>> import minipaddle as paddle
    >>> paddle.multinomial(paddle.to_tensor([0.0, 3.0])).tolist()
    [1]
    """
    return multinomial_.call(x, num_samples=num_samples, replacement=replacement)


# ----- initial values: truncated normal, orthogonal ----------------------------------------------


def _normal_cdf(x: float) -> float:
    """Return the value of the standard normal distribution function."""
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


@random_op(
    formula=Formula("y ~ N(mean, std²), a ≤ y ≤ b"),
    samples=(
        sample(shape=[2, 3], dtype="float32"),
        sample(shape=[5], dtype="float64", mean=1.0, std=2.0, a=-1.0, b=3.0),
    ),
    static=Static("truncated_gaussian_random"),
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
    """Normal random numbers in [a, b]: the inverse distribution function of uniform numbers."""
    # Paddle stores these numbers as float32.
    mean, std, a, b = (float(np.float32(value)) for value in (mean, std, a, b))
    low, high = (2.0 * _normal_cdf((end - mean) / std) - 1.0 for end in (a, b))
    values = random.uniform(shape, dtype.numpy, seed=seed)
    rows = values.reshape(-1)
    for start in range(0, rows.size, PIECE):
        piece = rows[start : start + PIECE]
        shares = low + (high - low) * piece.astype(np.float64)
        inverse = REGISTRY["erfinv"].kernel(np, shares)
        piece[...] = np.clip(mean + std * math.sqrt(2.0) * inverse, a, b)
    return xp.asarray(values)


@random_op(
    formula=Formula("y = gain · Q, Qᵀ @ Q = 1"),
    samples=(
        sample(shape=[2, 3], dtype="float32"),
        sample(shape=[3, 2, 1], dtype="float64", gain=2.0),
    ),
)
def orthogonal(xp: Any, *, shape: Any, dtype: Any, gain: float = 1.0, seed: int = 0) -> Any:
    """Orthogonal rows (or columns, if these are fewer) of length `gain`."""
    rows, columns = shape[0], math.prod(shape[1:])
    tall = (max(rows, columns), min(rows, columns))
    q, r = np.linalg.qr(random.gaussian(tall, dtype.numpy, seed=seed))
    q = q * np.where(np.diagonal(r) < 0, -1.0, 1.0).astype(q.dtype)
    return xp.asarray((q.T if rows < columns else q).reshape(shape) * dtype.numpy.type(gain))
