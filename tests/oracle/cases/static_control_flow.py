"""Loops and own gradients of Programs; real Paddle cannot build `cond` in such a Program."""

import numpy as np

from ..harness import case

STATIC = True


def run(paddle, show, name, build, feeds):
    """Build a Program of x [2]; show results and gradients for each feed."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", [2], "float32")
        x.stop_gradient = False
        y = build(x)
        (dx,) = paddle.static.gradients([y], [x])
    executor = paddle.static.Executor()
    executor.run(startup)
    for number, feed in enumerate(feeds):
        feed = {"x": np.array(feed, "float32")}
        show(f"{name} {number}", executor.run(main, feed=feed, fetch_list=[y, dx]))


FEEDS = [[1.0, 2.0], [-1.0, -2.0]]


@case
def a_loop(paddle, show):
    def build(x):
        start = paddle.full([1], 0, "int64")
        found = paddle.static.nn.while_loop(
            lambda i, y: i < 3, lambda i, y: [i + 1, y * y + x], [start, x * 0.5]
        )
        return found[1]

    run(paddle, show, "while", build, FEEDS)


@case
def a_gradient_of_ones_own(paddle, show):
    def build(x):
        y, z = paddle.static.nn.static_pylayer(
            lambda a: (a * 2, a - 1), [x], lambda dy, dz: dy * 5 + dz * dz
        )
        return y + z * 0.5

    run(paddle, show, "pylayer", build, FEEDS)
