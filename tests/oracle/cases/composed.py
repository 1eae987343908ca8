"""Differences and areas, blocks and combinations, distances, covariance."""

from ..harness import case
from ..spread import spread
from ._lists import tensor
from ._texts import graded, texts

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


@case
def differences(paddle, show):
    m = tensor(paddle, MATRIX)
    for kind in ("int32", "int64", "float32", "float64"):
        show(kind, paddle.diff(tensor(paddle, [5, 2, 7], kind)))
    show("bool", paddle.diff(paddle.to_tensor([True, False, False])))
    for n in (1, 2, 3, 5):
        for axis in (-1, 0, 1):
            show(f"{n} {axis}", paddle.diff(m, n, axis))
    show("more", paddle.diff(m, prepend=m[:, :1], append=m[:, :2]))
    show("before", paddle.diff(m, axis=0, prepend=m))
    show("slope", slopes(paddle, lambda x: paddle.diff(x, 2), MATRIX))
    show("slope of prepend", slopes(paddle, lambda x, y: paddle.diff(x, prepend=y), MATRIX, MATRIX))
    out = paddle.zeros([3])
    paddle.diff(tensor(paddle, VECTOR), out=out)
    show("out", out)
    show("method", m.diff(axis=0))
    show.raises("n = 0", lambda: paddle.diff(m, 0))
    show.raises("n < 0", lambda: paddle.diff(m, -1))
    show.raises("0-D", lambda: paddle.diff(m[0, 0]))
    show.raises("another shape", lambda: paddle.diff(m, prepend=tensor(paddle, VECTOR)))


@case(differs="Paddle's gradient has the last window's share alone where windows overlap")
def slope_of_windows_that_overlap(paddle, show):
    show("slope", slopes(paddle, lambda x: paddle.unfold(x, 1, 2, 1), MATRIX))


@case(ulps=8)
def slope_of_sine_over_angle(paddle, show):
    show("slope", slopes(paddle, paddle.sinc, [0.0, 0.25, 0.5, -0.3]))


@case
def sums_to_a_shape(paddle, show):
    m = tensor(paddle, MATRIX)
    for target in (paddle.ones([3]), paddle.ones([2, 1]), paddle.ones([1, 3]), m, m[0, 0]):
        show(str(list(target.shape)), paddle.reduce_as(m, target))
    show("method", m.reduce_as(paddle.ones([1, 1])))
    show("slope", slopes(paddle, lambda x: paddle.reduce_as(x, paddle.ones([3])), MATRIX))
    show.raises("misfit", lambda: paddle.reduce_as(m, paddle.ones([2])))


@case(differs="Paddle's functions made of C++ say ValueError, ours TypeError as Python does")
def one_argument_under_two_names(paddle, show):
    m = tensor(paddle, MATRIX)
    show.raises("sin", lambda: paddle.sin(m, input=m))
    show.raises("sum", lambda: paddle.sum(m, axis=0, dim=0))


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


TABLE = [
    *texts("composed", "2 ulps", names=names, ulps=2),
    *texts("composed", "call", names=names),
    *texts("composed", "8 ulps", names=names, ulps=8),
    *graded("composed", "out and gradients within 8 ulps in float32", names=globals(),
        dtypes=["float32"], ulps=8),
    *texts("composed", "membership in one number", names=globals(),
        differs="Paddle gives one element, whether some element of x is the number"),
    *graded("composed", "slope of a product with zeros", names=globals(), dtypes=["float32"],
        differs="Paddle gives NaN for a factor 0; here it is the product of the other factors"),
]  # fmt: skip
