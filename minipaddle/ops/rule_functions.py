"""Functions F of gradient rules: the ops on plain arrays, or on Tensors and Variables."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..engine.dtypes import DType
from .registry import REGISTRY


def host_check(function: Any = None, *, same_between: Any = None) -> Callable[..., Any]:
    """Mark a check of values, `function(xp, ...)`, that a kernel makes on the host.

    It returns a bool, a number or None, or raises. A plan of a Program is made for one result, and
    repeats the check at each run. `same_between` takes the arguments without xp, and returns an
    array among them with the least and the most value of its elements for the same result.
    """
    if function is None:
        return partial(host_check, same_between=same_between)
    function.same_between = same_between

    def check(xp: Any, *args: Any) -> Any:
        record = None if xp is np else getattr(xp, "record_check", None)  # hasattr(np, ...) is slow
        return function(xp, *args) if record is None else record(function, *args)

    return check


def is_complex(x: Any) -> bool:
    """Return whether an array, a Tensor or a Variable holds complex numbers."""
    return DType.of(x.dtype).numpy.kind == "c"


def conjugate_rule(op: Any, rule: Callable[..., Any]) -> Callable[..., Any]:
    """Return the gradient rule of an op for complex numbers: dout · conj(f′), as in Paddle.

    A rule computes dout · f′, which is right for real numbers. With its inputs and its results
    conjugated it computes dout · conj(f′).
    """
    graded = 1 if op.list_result else len(op.outputs) - len(op.stopped)

    def complex_rule(F: Any, *values: Any, **extra: Any) -> Any:
        douts = [conjugate(F, dout) for dout in values[:graded]]
        return conjugate(F, rule(F, *douts, *values[graded:], **extra))

    return complex_rule


def conjugate(F: Any, x: Any) -> Any:
    """Conjugate complex arrays, also in a list; return other values unchanged."""
    if isinstance(x, (tuple, list)):
        return tuple(conjugate(F, one) for one in x)
    return F.conj(x) if x is not None and is_complex(x) else x


class Ones(dict[Any, Any]):
    """The number 1 by dtype, as an array, which NumPy's functions take faster than 1.0."""

    def __missing__(self, dtype: Any) -> Any:
        self[dtype] = one = np.ones((), dtype)
        return one


ONES = Ones()


class RuleFunctions:
    """Functions F for rules on Tensors or Variables: every op as its public function."""

    def __getattr__(self, name: str) -> Any:
        if name not in REGISTRY:
            raise AttributeError(name)
        function = self.function_of(REGISTRY[name])
        setattr(self, name, function)
        return function

    def function_of(self, op: Any) -> Callable[..., Any]:
        """Return an op as a function."""
        call: Callable[..., Any] = op.call
        return call

    def sizes(self, x: Any) -> Any:
        """Return the shape of x, as the ops here take it."""
        return tuple(x.shape)

    def product(self, sizes: Any) -> Any:
        """Return the number of elements of a tensor of these sizes."""
        return math.prod(sizes)


class ArrayFunctions(RuleFunctions):
    """Functions F for rules on plain arrays."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp

    def function_of(self, op: Any) -> Callable[..., Any]:
        return (op.numpy_function if self.xp is np else None) or partial(op.kernel, self.xp)


_array_functions: dict[Any, ArrayFunctions] = {}
GRAPH = RuleFunctions()


def array_functions(xp: Any) -> ArrayFunctions:
    """Return the functions that rules use on arrays of this namespace."""
    try:
        return _array_functions[xp]
    except KeyError:
        return _array_functions.setdefault(xp, ArrayFunctions(xp))
