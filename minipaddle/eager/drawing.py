"""Methods that fill a tensor with random numbers in place: `x.uniform_()`, `x.normal_()`.

Each draws the numbers that Paddle draws. The old values are gone, so no gradient flows back to
them. `counts` is the number of in-place changes that Paddle counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import random
from ..device import to_numpy
from ..engine import dtypes
from ..engine.dispatch import meta_of
from ..engine.errors import InvalidArgument
from ..engine.tensor import Tensor
from ..errors import misfit, require
from ..ops.boundary import accept_names
from . import errors, inplace


def uniform_(
    x: Tensor, min: float = 0, max: float = 1.0, seed: int = 0, name: str | None = None
) -> Tensor:
    """Fill with random numbers spread evenly over [min, max).

    Shapes: any. Dtypes: floating. Errors: RuntimeError for others; ValueError for a leaf that wants
    a gradient. Source: Paddle's `paddle.Tensor.uniform_`.

    >>> bool((paddle.zeros([2]).uniform_(1, 2) >= 1).all())
    True
    """
    drawn = random.uniform(x._data.shape, _float_dtype("uniform_", x), min, max, seed=seed)
    return inplace.overwrite(x, drawn)


def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> Tensor:
    """Fill with normally distributed random numbers.

    Shapes: any; x keeps its own. Dtypes: floating kept.
    Errors: RuntimeError for other dtypes; ValueError for a leaf that wants a gradient.
    Source: Paddle's `paddle.normal_`.

    >>> import minipaddle as paddle
    >>> paddle.normal_(paddle.zeros([2])).shape
    paddle.Size([2])
    """
    drawn = random.gaussian(x._data.shape, _float_dtype("normal_", x), mean, std)
    return inplace.overwrite(x, drawn)


def log_normal_(x: Tensor, mean: float = 1.0, std: float = 2.0, name: str | None = None) -> Tensor:
    """Fill with numbers whose logarithms are normal with this mean and standard deviation.

    Shapes: any; x keeps its own. Dtypes: floating kept.
    Errors: RuntimeError for other dtypes; ValueError for a leaf that wants a gradient.
    Source: Paddle's `paddle.log_normal_`.

    >>> import minipaddle as paddle
    >>> bool((paddle.log_normal_(paddle.zeros([2])) > 0).all())
    True
    """
    drawn = random.gaussian(x._data.shape, _float_dtype("log_normal_", x), mean, std)
    return inplace.overwrite(x, np.exp(drawn), counts=2)


def exponential_(x: Tensor, lam: float = 1.0, name: str | None = None) -> Tensor:
    """Fill with waiting times of mean 1/lam.

    Shapes: any. Dtypes: floating. Errors: RuntimeError for others; ValueError for a leaf that wants
    a gradient. Source: Paddle's `paddle.Tensor.exponential_`.

    >>> bool((paddle.zeros([2]).exponential_() > 0).all())
    True
    """
    drawn = random.exponential(x._data.shape, _float_dtype("exponential_", x), lam)
    return inplace.overwrite(x, drawn, counts=0)


def bernoulli_(x: Tensor, p: Any = 0.5, name: str | None = None) -> Tensor:
    """Fill with ones of probability p, a number or a tensor, and zeros.

    Shapes: any; x keeps its own. Dtypes: floating kept.
    Errors: RuntimeError for other dtypes; ValueError for a leaf that wants a gradient.
    Source: Paddle's `paddle.bernoulli_`.

    >>> import minipaddle as paddle
    >>> paddle.bernoulli_(paddle.zeros([2]), 1.0).tolist()
    [1.0, 1.0]
    """
    kind = _float_dtype("bernoulli_", x)
    chance = to_numpy(p._data) if isinstance(p, Tensor) else kind.type(p)
    return inplace.overwrite(x, random.uniform(x._data.shape, kind) < chance, counts=3)


def cauchy_(x: Tensor, loc: float = 0, scale: float = 1, name: str | None = None) -> Tensor:
    """Fill with loc + scale · tan(π (u − 1/2)); as in Paddle 3.3.1, u is normal, not uniform.

    Shapes: any; x keeps its own. Dtypes: floating kept.
    Errors: RuntimeError for other dtypes; ValueError for a leaf that wants a gradient.
    Source: Paddle's `paddle.cauchy_`.

    >>> import minipaddle as paddle
    >>> paddle.cauchy_(paddle.zeros([2])).shape
    paddle.Size([2])
    """
    kind = _float_dtype("cauchy_", x)
    drawn = random.gaussian(x._data.shape, kind) - kind.type(0.5)
    return inplace.overwrite(
        x, np.tan(drawn * kind.type(np.pi)) * kind.type(scale) + kind.type(loc), counts=6
    )


def geometric_(x: Tensor, probs: Any, name: str | None = None) -> Tensor:
    """Fill with log(u) / log(1 − probs), u uniform: how long to wait for a success.

    Shapes: any; x keeps its own. Dtypes: floating kept.
    Errors: RuntimeError for other dtypes; ValueError for a leaf that wants a gradient.
    Source: Paddle's `paddle.geometric_`.

    >>> import minipaddle as paddle
    >>> bool((paddle.geometric_(paddle.zeros([2]), 0.5) > 0).all())
    True
    """
    kind = _float_dtype("geometric_", x)
    chance = _cast_values(kind, probs)
    drawn = random.uniform(x._data.shape, kind, float(np.finfo(kind).tiny), 1.0)
    return inplace.overwrite(x, np.log(drawn) / np.log1p(-chance), counts=3)


def random_(x: Tensor, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Tensor:
    """Fill with whole numbers in [from_, to), [0, from_), or all that the dtype holds exactly.

    Shapes: any. Dtypes: all but complex and bool.
    Errors: ValueError for an empty range, or a leaf that wants a gradient.
    Source: Paddle's `paddle.Tensor.random_`.

    >>> bool((paddle.zeros([3]).random_(0, 5) < 5).all())
    True
    """
    if generator is not None:
        expected, fix = "None: there is one generator", "paddle.seed(7)"
        raise misfit("random_", expected, InvalidArgument, fix, generator=generator)
    kind = x._data.dtype
    if to is None and from_ == 0:
        to = 2 ** (np.finfo(kind).nmant + 1) if kind.kind == "f" else int(np.iinfo(kind).max)
    elif to is None:
        from_, to = 0, from_
    require(from_ < to, "random_", "from_ < to; to is not drawn itself", from_=from_, to=to)
    words = random.default_generator.raw(x._data.size)
    if to - from_ < 2**28:
        words = words & np.uint64(2**32 - 1)  # Paddle draws 32-bit words for a small range
    drawn = (words % np.uint64(to - from_)).astype(np.int64) + from_
    return inplace.overwrite(x, drawn.astype(kind).reshape(x._data.shape))


def _float_dtype(name: str, x: Tensor) -> Any:
    """Return the dtype of x; raise an error if it is not floating-point."""
    if x._data.dtype.kind != "f":
        raise errors.no_kernel(name, meta_of(x), dtypes.get_default().name)
    return x._data.dtype


def _cast_values(kind: Any, value: Any) -> Any:
    """Return a tensor's values in a dtype; a number is first cast to the default dtype."""
    if isinstance(value, Tensor):
        return to_numpy(value._data).astype(kind)
    return kind.type(dtypes.get_default().numpy.type(value))


# Methods that are functions of `paddle` too.
FUNCTIONS = {
    f.__name__: accept_names(f, ()) for f in (bernoulli_, cauchy_, geometric_, log_normal_, normal_)
}


def install(cls: Any) -> None:
    """Give Tensor the methods of this module."""
    for method in (*FUNCTIONS.values(), random_):
        setattr(cls, method.__name__, method)
    cls.exponential_ = accept_names(exponential_, ("exponential_",))
    cls.uniform_ = accept_names(uniform_, ("uniform_",))
