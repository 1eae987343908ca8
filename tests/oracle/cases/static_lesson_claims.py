"""What the lessons say of Paddle's static mode beside their exercises."""

from ..harness import case

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
