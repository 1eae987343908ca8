"""What the lessons say of Paddle's static mode beside their exercises."""

from ..harness import case
from ._layers import layer

STATIC = True


@case
def building(paddle, show):
    """What lesson 10 says of Variables."""
    x = paddle.static.data("x", [-1, 3], "float32")
    first, second = paddle.square(x * 2), paddle.square(x)
    show("names and shape", [first.name, second.name, list(first.shape)])
    show("a comparison counts as true", bool(paddle.mean(first) > 0))
    show.raises("float", lambda: float(first))
    show("flag of an input", x.stop_gradient)


@case
def lesson_12_no_pylayer_in_a_program(paddle, show):
    double = layer(paddle, lambda ctx, x: x * 2, lambda ctx, dy: dy * 2)
    try:
        double.apply(paddle.static.data("x", [2, 3]))
    except Exception:  # noqa: BLE001 - of another class here and there
        show("refused", True)
