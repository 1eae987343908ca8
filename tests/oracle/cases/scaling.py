"""Lines, powers, limits and roundings: functions of one element with numbers as attributes."""

from ..harness import case
from ._texts import texts

NAN, INF = float("nan"), float("inf")


def slope(paddle, function, points, dtype="float32"):
    x = paddle.to_tensor(points, dtype=dtype, stop_gradient=False)
    function(x).sum().backward()
    return x.grad


# ----- scale -----


@case
def scale_gives_a_tensor_no_gradient(paddle, show):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    factor = paddle.to_tensor(3.0, stop_gradient=False)
    paddle.scale(x, factor).sum().backward()
    show("grads", [x.grad, factor.grad])


# ----- rounding -----


# ----- logit, stanh -----


@case(ulps=8)
def logit_eps(paddle, show):
    points = [0.0, 0.05, 0.1, 0.5, 0.9, 0.95, 1.0, 1.5, -0.1]
    for eps in (None, 0.0, 0.1, 0.5, 0.7, -0.1, 1e-8, 1):
        for point in points:
            show(f"{eps} of {point}", paddle.logit(paddle.to_tensor(point), eps))
            grad = slope(paddle, lambda t, eps=eps: paddle.logit(t, eps), point)
            show(f"{eps} slope at {point}", grad)
    show("method", paddle.to_tensor([0.3]).logit(eps=0.4))
    show("in place", paddle.to_tensor([0.3]).logit_(0.4))
    show.raises("str", lambda: paddle.logit(paddle.ones([1]), "a"))


# ----- increment -----


@case
def increment(paddle, show):
    x = paddle.to_tensor([1.0])
    y = paddle.increment(x, 2.5)
    show("in place", [x, y is x, x.inplace_version])
    show("0-D", paddle.increment(paddle.to_tensor(1.0)))
    show("of shape 1 1", paddle.ones([1, 1]).increment(value=2))
    for value in (3, 0.5, 1.9, -1.9):
        show(f"int {value}", paddle.increment(paddle.to_tensor([1]), value))
    leaf = paddle.to_tensor([2.0], stop_gradient=False)
    show("leaf", [paddle.increment(leaf), leaf.is_leaf, leaf.stop_gradient])
    inner = leaf * leaf
    inner.increment(1.0)
    (inner * inner).backward()
    show("slope", [inner, leaf.grad])


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
