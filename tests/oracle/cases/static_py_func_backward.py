"""py_func in static programs: the arguments of backward_func, and the flow of gradients."""

import numpy as np

from ..harness import case
from ._py_funcs import data, output, run

STATIC = True


def gradients(paddle, backward_func, func=np.copy, **options):
    """Return d mean(py_func(x) * 6) / dx."""
    x, out = data(paddle, needs=True), output(paddle)
    paddle.static.py_func(
        lambda x: func(np.array(x)), x, out, backward_func=backward_func, **options
    )
    loss = paddle.mean(out * 6.0)
    return run(paddle, paddle.static.gradients(loss, x))


@case(differs="the document: an output without gradient arrives as None")
def output_without_gradient(paddle, show):
    x = data(paddle, needs=True)
    a, b = output(paddle, "a"), output(paddle, "b")
    received = []

    def backward(x, a, b, da, db):
        received.append(db is None)
        return np.array(da)

    paddle.static.py_func(lambda x: (np.array(x), np.array(x)), x, [a, b], backward_func=backward)
    run(paddle, paddle.static.gradients(paddle.mean(a * 1.0), x))
    show("None", received)


@case
def out_takes_the_flag_of_x(paddle, show):
    stopped, needs = output(paddle, "a"), output(paddle, "b")
    paddle.static.py_func(np.tanh, data(paddle), stopped, backward_func=np.tanh)
    paddle.static.py_func(np.tanh, data(paddle, "y", needs=True), needs, backward_func=np.tanh)
    show("flags", [stopped.stop_gradient, needs.stop_gradient])


@case(differs="a gradient of the wrong shape is an error")
def gradient_of_the_wrong_shape(paddle, show):
    show("dx", gradients(paddle, lambda x, o, d: np.ones([5], "float32")))
