"""Claims of the lessons about Paddle's static mode, beside their exercises."""

import numpy as np

from ..harness import case
from ._layers import layer
from ._py_funcs import X, data, output, run, tanh

STATIC = True


@case
def building(paddle, show):
    """Check the claims of lesson 10 about Variables."""
    x = paddle.static.data("x", [-1, 3], "float32")
    first, second = paddle.square(x * 2), paddle.square(x)
    show("names and shape", [first.name, second.name, list(first.shape)])
    show("a comparison counts as true", bool(paddle.mean(first) > 0))
    show.raises("float", lambda: float(first))
    show("flag of an input", x.stop_gradient)


@case
def without_backward_func(paddle, show):
    """Check the claim of lesson 11 about a py_func between two layers."""
    h = paddle.static.nn.fc(data(paddle, shape=(-1, 3)), 2)
    y = h.block.create_var(name="y", shape=h.shape, dtype=h.dtype)
    paddle.static.py_func(tanh, h, y)
    loss = paddle.mean(paddle.static.nn.fc(y, 1))
    pairs = paddle.static.append_backward(loss)
    show("parameters", [parameter.name for parameter, _ in pairs])


@case
def skipping_one_of_each(paddle, show):
    """Show the arguments of backward without one input and one output."""
    inputs = [data(paddle, name, needs=True) for name in ("x", "y")]
    outputs = [output(paddle, name) for name in ("r", "a")]

    def backward(*given):
        show("first elements", [float(np.array(each).ravel()[0]) for each in given])
        return np.array(given[-1]), np.array(given[-1])

    paddle.static.py_func(
        lambda x, y: (np.hypot(x, y), np.arctan2(y, x)),
        inputs,
        outputs,
        backward,
        skip_vars_in_backward_input=[inputs[0], outputs[0]],
    )
    paddle.static.append_backward(paddle.mean(outputs[0] * 6.0 + outputs[1] * 12.0))
    run(paddle, ["x@GRAD"], x=X, y=X * 2)


@case
def looking_from_a_loop(paddle, show):
    """A function reads the loop's variable when it runs; an assert ends the run."""
    x, seen = data(paddle), []
    for number in range(3):
        paddle.static.py_func(lambda _: seen.append(number), x, None)  # noqa: B023 - on purpose

    def stop(value):
        assert np.isfinite(value).all(), "x"

    paddle.static.py_func(stop, x, None)
    run(paddle, [])
    show("seen", seen)
    show.raises("infinite", lambda: run(paddle, [], x=np.full_like(X, np.inf)))


@case
def lesson_12_no_pylayer_in_a_program(paddle, show):
    double = layer(paddle, lambda ctx, x: x * 2, lambda ctx, dy: dy * 2)
    try:
        double.apply(paddle.static.data("x", [2, 3]))
    except Exception:  # noqa: BLE001 - the two have different classes
        show("refused", True)
