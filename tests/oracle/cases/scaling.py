"""Lines, powers, limits and roundings: functions of one element with numbers as attributes."""

from ._texts import texts

NAN, INF = float("nan"), float("inf")
SHARES = [0.0, 0.05, 0.1, 0.5, 0.9, 0.95, 1.0, 1.5, -0.1]


def slope(paddle, function, points, dtype="float32"):
    x = paddle.to_tensor(points, dtype=dtype, stop_gradient=False)
    function(x).sum().backward()
    return x.grad


def names(paddle):
    """Return the names that the expressions use."""
    x = paddle.to_tensor([1.0, -2.0])
    y = paddle.ones([1])
    points = [1.25, -2.675, 1234.5678, 0.5, 1.5, -0.5, 149.5, 2.5]
    return globals() | locals()


DIFFERS = {
    "clip of infinities in float32":
        "a limit that is not given does not limit: infinities keep value and slope",
    "scale by a text": "a number in quotes is refused, not taken for 0",
}  # fmt: skip
TABLE = texts("scaling", names, DIFFERS)
