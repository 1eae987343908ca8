"""`F` of gradient rules: the ops on plain arrays, or on Tensors and Variables."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..engine.dtypes import DType
from .registry import REGISTRY


def host_check(function: Any = None, *, same_between: Any = None) -> Callable[..., Any]:
    """Mark a question about values, `function(xp, ...)`, that a kernel asks on the host.

    It answers with a bool, a number or None, or raises. A plan of a Program is made for one answer
    and asks again at each run. `same_between`, of the same arguments without xp, says for one of
    them between which numbers all others give the same answer: an array, the least and the most.
    """
    if function is None:
        return partial(host_check, same_between=same_between)
    function.same_between = same_between

    def ask(xp: Any, *args: Any) -> Any:
        asks = None if xp is np else getattr(xp, "asks", None)  # NumPy is slow to say no
        return function(xp, *args) if asks is None else asks(function, *args)

    return ask


def is_complex(x: Any) -> bool:
    """Return whether an array, a Tensor or a Variable holds complex numbers."""
    return DType.of(x.dtype).numpy.kind == "c"


def conjugating(op: Any, rule: Callable[..., Any]) -> Callable[..., Any]:
    """Return the gradient rule of an op for complex numbers: dout · conj(f′), as in Paddle.

    A rule states dout · f′, which is right for real numbers. Conjugating what comes in and what
    goes out makes of it dout · conj(f′), whatever the rule is.
    """
    graded = 1 if op.list_result else len(op.outputs) - len(op.stopped)

    def complex_rule(F: Any, *values: Any, **extra: Any) -> Any:
        douts = [_conjugate(F, dout) for dout in values[:graded]]
        return _conjugate(F, rule(F, *douts, *values[graded:], **extra))

    return complex_rule


def _conjugate(F: Any, x: Any) -> Any:
    """Conjugate complex arrays, also in a row; return all else unchanged."""
    if isinstance(x, (tuple, list)):
        return tuple(_conjugate(F, one) for one in x)
    return F.conj(x) if x is not None and is_complex(x) else x


class Ones(dict[Any, Any]):
    """The number 1 by dtype, as an array: NumPy's functions take it sooner than Python's 1.0."""

    def __missing__(self, dtype: Any) -> Any:
        self[dtype] = one = np.ones((), dtype)
        return one


ONES = Ones()


class ArrayFunctions:
    """`F` for rules that run on plain arrays: every op as a function of arrays."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp

    def __getattr__(self, name: str) -> Any:
        if name not in REGISTRY:
            raise AttributeError(name)
        op = REGISTRY[name]
        call = (op.numpy_function if self.xp is np else None) or partial(op.kernel, self.xp)
        setattr(self, name, call)
        return call

    def sizes(self, x: Any) -> Any:
        """Return the shape of x, as the ops here take it."""
        return x.shape

    def product(self, sizes: Any) -> Any:
        """Return how many elements an array of these sizes has."""
        return math.prod(sizes)


class TensorFunctions:
    """`F` for rules that run on Tensors or Variables: every op as its public function."""

    def __getattr__(self, name: str) -> Any:
        if name not in REGISTRY:
            raise AttributeError(name)
        setattr(self, name, REGISTRY[name].call)
        return REGISTRY[name].call

    def sizes(self, x: Any) -> Any:
        """Return the shape of x, as the ops here take it."""
        return tuple(x.shape)

    def product(self, sizes: Any) -> Any:
        """Return how many elements a tensor of these sizes has."""
        return math.prod(sizes)


_array_functions: dict[Any, ArrayFunctions] = {}
GRAPH = TensorFunctions()


def array_functions(xp: Any) -> ArrayFunctions:
    """Return the functions that rules use on arrays of this namespace."""
    try:
        return _array_functions[xp]
    except KeyError:
        return _array_functions.setdefault(xp, ArrayFunctions(xp))
