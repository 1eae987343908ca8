"""float16 on the CPU: real Paddle's kernels compute in float32 and round once."""

import numpy as np

from ..harness import case
from ..spread import spread


def half(paddle, values, stop=False):
    return paddle.to_tensor(np.asarray(values, "float16"), stop_gradient=stop)


@case(ulps=0)
def sums(paddle, show):
    x = half(paddle, np.ones((5000, 2)))
    show("one axis", paddle.sum(x, axis=0))
    show("all", paddle.sum(x))
    row = [half(paddle, [n]) for n in (60000.0, 60000.0, -60000.0)]
    show("several", paddle.add_n(row))


@case(ulps=0)
def average_pooling(paddle, show):
    functional = paddle.nn.functional
    show("all", functional.avg_pool2d(half(paddle, np.full((1, 1, 100, 100), 60.0)), 100))
    show("lines", functional.avg_pool1d(half(paddle, np.full((1, 1, 100), 6000.0)), 100))
    show("adaptive", functional.adaptive_avg_pool2d(half(paddle, 30 * spread(1, 2, 9, 7)), 2))
    x = half(paddle, 1000 * spread(1, 2, 9, 7))
    show("windows", functional.avg_pool2d(x, 4, 2, 1))


@case(differs="there trace and index_add add up in float16")
def narrow_sums(paddle, show):
    show("trace", paddle.trace(half(paddle, 100 * spread(6, 6))))
    start, index = half(paddle, np.zeros(2)), paddle.to_tensor([0] * 3000)
    show("sum", paddle.index_add(start, index, 0, half(paddle, np.ones(3000))))
