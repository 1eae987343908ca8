"""Public functions that are formulas of other ops: variance, norm, triangles; and questions."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ..meta import Meta, axes_of
from . import exponential, reduction
from .arguments import axes
from .catalog import public

_sum = reduction.sum_.call
_mean = reduction.mean.call


# ----- statistics --------------------------------------------------------------------------------


def _count(x: Any, axis: Any) -> int:
    shape = tuple(x.shape)
    return int(np.prod([shape[a] for a in axes_of("var", Meta(shape, np.dtype("f4")), axis)]))


@public()
def var(
    x: Any, axis: Any = None, unbiased: builtins.bool = True, keepdim: builtins.bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The variance over `axis` (all axes if None), divided by n - 1, or by n if not unbiased.

    >>> import minipaddle as paddle
    >>> paddle.var(paddle.to_tensor([1.0, 2.0, 3.0])).item()
    1.0
    """
    axis = axes(axis)
    total = _sum(exponential.square.call(x - _mean(x, axis=axis, keepdim=True)), axis=axis,
                 keepdim=keepdim)  # fmt: skip
    count = _count(x, axis)
    return total / float(count - 1 if unbiased and count > 1 else count)


@public()
def std(
    x: Any, axis: Any = None, unbiased: builtins.bool = True, keepdim: builtins.bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The standard deviation: the square root of the variance.

    >>> import minipaddle as paddle
    >>> paddle.std(paddle.to_tensor([1.0, 2.0, 3.0])).item()
    1.0
    """
    return exponential.sqrt.call(var(x, axis, unbiased, keepdim))


