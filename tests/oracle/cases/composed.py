"""Differences and areas, blocks and combinations, distances, covariance."""

from ..spread import spread
from ._lists import tensor
from ._texts import texts

VECTOR = [1.0, 4.0, 2.0, 7.0]
WHOLE = [3, 1, 2]
MATRIX = [[1.0, 2.0, 4.0], [3.0, 1.0, 0.5]]


def slopes(paddle, call, *values):
    """Return the gradients of a weighted sum of the results."""
    xs = [paddle.to_tensor(v, stop_gradient=False) for v in values]
    y = call(*xs)
    weights = spread(*y.shape).astype("float32")
    (y * paddle.to_tensor(weights)).sum().backward()
    return [x.grad for x in xs]


def names(paddle):
    """Return the names that the expressions use."""
    m = tensor(paddle, MATRIX)
    v = tensor(paddle, VECTOR)
    i = paddle.to_tensor(WHOLE)
    often = paddle.to_tensor([1, 2, 3])
    much = paddle.to_tensor([0.5, 2.0, 1.0], dtype="float64")
    x = [0.0, 0.25, 0.5, 0.75, -0.3, 1.5, -2.5]
    index = paddle.to_tensor([[0, 1, 1], [1, 0, 0]])
    return globals() | locals()


DIFFERS = {
    "membership in one number": "Paddle gives one element, whether some element of x is the number",
    "slope of a product with zeros in float32":
        "Paddle gives NaN for a factor 0; here it is the product of the other factors",
    "slope of windows that overlap":
        "Paddle's gradient has the last window's share alone where windows overlap",
    "one argument under two names":
        "Paddle's functions made of C++ say ValueError, ours TypeError as Python does",
}  # fmt: skip
TABLE = texts("composed", names, DIFFERS)
