"""Help for tests: check of gradients by finite differences, and pretended GPUs.

paddle.testing.check_grad(MyLayer, [x, y])
with paddle.testing.pretend_gpu() as gpu: ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..distributed import Group
from ..engine import dtypes
from ..engine.guard import restore_value
from ..ops.arguments import as_list
from ..ops.boundary import publish as _publish
from .across_ranks import AcrossRanks
from .gradient_check import GradientCheck, Report
from .numeric import numerical_gradients
from .pretend_gpu import Copy, pretend_gpu

__all__ = ["Copy", "Report", "check_grad", "numerical_gradients", "pretend_gpu"]


def check_grad(
    func: Any,
    inputs: Any,
    *,
    backward_func: Callable[..., Any] | None = None,
    eps: float | None = None,
    rtol: float | None = None,
    atol: float = 1e-6,
    seed: int = 0,
    group: Group | None = None,
) -> Report:
    """Compare the gradients of `func` at these inputs with finite differences, in float64.

    `func` is a PyLayer, or a function of Tensors; with `backward_func` both are NumPy functions,
    as py_func takes them: `backward_func(*inputs, *outputs, *douts)`. Arrays and numbers among
    the inputs get a gradient, Tensors unless stop_gradient is True (if all say so, all do); ints
    get none. With a `group`, all its ranks call this, each with its own inputs, and the loss is the
    sum of theirs. Returns a Report; raises WrongGradient (AssertionError) with the first element
    that is wrong. At a kink, like that of relu at 0, any value between both slopes is right.

    Source: minipaddle's own.

    >>> import minipaddle as paddle
    >>> from minipaddle.testing import check_grad
    >>> print(check_grad(lambda x, y: paddle.tanh(x) * y, [np.ones([2, 3]), np.ones(3)]))
    right: the gradients of 1 output with respect to 2 inputs, 9 elements
    >>> print(check_grad(np.sin, [0.5], backward_func=lambda x, y, dy: dy * np.cos(x)))
    right: the gradients of 1 output with respect to 1 input, 1 element
    """
    row = as_list(inputs)
    with restore_value(dtypes.get_default, dtypes.set_default):
        dtypes.set_default("float64")
        check: GradientCheck
        if group is None:
            check = GradientCheck(func, row, backward_func, np.random.default_rng(seed))
        else:
            rng = np.random.default_rng([seed, group.rank])
            check = AcrossRanks(func, row, backward_func, rng, group)
        check.steps(eps, rtol, atol)
        for _ in range(2):
            cotangents = [check.draw(y) for y in check.outputs]
            got = check.gradients(cotangents)
            if not check.agree(got, cotangents):
                kinks = check.element_by_element(got, cotangents)
                return check.report(kinks)
        return check.report([])


_publish(globals(), __all__)
