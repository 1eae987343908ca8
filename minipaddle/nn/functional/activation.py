"""Activations."""

from __future__ import annotations

from typing import Any

from ...ops import REGISTRY, convert

relu = REGISTRY["relu"].call
sigmoid = REGISTRY["sigmoid"].call
tanh = REGISTRY["tanh"].call
_softmax = REGISTRY["softmax"].call
_log_softmax = REGISTRY["log_softmax"].call


def softmax(
    x: Any, axis: int = -1, dtype: Any = None, name: str | None = None, *, out: Any = None,  # noqa: ARG001
) -> Any:  # fmt: skip
    """Positive numbers that sum to 1 along `axis`, in the ratios of exp(x).

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.softmax(paddle.zeros([2])).tolist()
    [0.5, 0.5]
    """
    return _softmax(x if dtype is None else convert.cast.call(x, dtype), axis=axis, out=out)


def log_softmax(x: Any, axis: int = -1, dtype: Any = None, name: str | None = None) -> Any:  # noqa: ARG001
    """The logarithm of softmax, without overflow.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.log_softmax(paddle.to_tensor([0.0, 1000.0])).tolist()
    [-1000.0, 0.0]
    """
    return _log_softmax(x if dtype is None else convert.cast.call(x, dtype), axis=axis)
