"""paddle.autograd.jacobian and hessian: shapes, indices, laziness, batches, errors."""

import numpy as np

from ..harness import case
from ._layers import layer
from ._texts import texts


def leaf(paddle, data=(1.0, 2.0, 3.0), dtype="float32"):
    return paddle.to_tensor(np.array(data, dtype), stop_gradient=False)


def of_three(paddle):
    x = leaf(paddle)
    return paddle.autograd.jacobian(x[:2] * x[1:], x)


@case
def lazily(paddle, show):
    calls = []

    def backward(ctx, dy):
        calls.append(1)
        return dy * 2

    double = layer(paddle, lambda ctx, x: x * 2, backward)
    x = leaf(paddle)
    counts = []
    J = paddle.autograd.jacobian(double.apply(x), x)
    for look in (
        lambda: None,
        lambda: J[0],
        lambda: J[0],
        lambda: J[0, 1],
        lambda: J[1:],
        lambda: J[:],
        lambda: J.numpy(),  # noqa: PLW0108  (a computed J has another `numpy`)
        lambda: J + 1,
    ):
        look()
        counts.append(len(calls))
    show("jacobian", counts)
    counts, calls[:] = [], []
    H = paddle.autograd.hessian((double.apply(x) * x).sum(), x)
    for look in (lambda: None, lambda: H[0], lambda: H[0], lambda: H[:]):
        look()
        counts.append(len(calls))
    show("hessian", counts)


def names(paddle):
    """Return the names that the expressions use."""
    J = of_three(paddle)
    a = leaf(paddle, (1.0, 2.0))
    b = leaf(paddle)
    x = leaf(paddle)
    H = paddle.autograd.hessian((x * x * x).sum() + x[0] * x[1], x)
    one = paddle.autograd.hessian((x * x).sum().reshape([1]), x)
    n = leaf(paddle, 2.0)
    number = paddle.autograd.hessian(n * n * n, n)
    jacobian = paddle.autograd.jacobian
    hessian = paddle.autograd.hessian
    square = paddle.ones([2, 2])
    v = leaf(paddle, (1.0, 2.0))
    z = leaf(paddle, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    batch = jacobian(z * z * z + z, z, batch_axis=0)
    of_rows = jacobian((z * z).sum(1), z, batch_axis=0)
    by_rows = jacobian(paddle.stack([x * x, x * 3], 1), x, batch_axis=0)
    of_numbers = jacobian(x * x, x, batch_axis=0)
    curved = hessian((z * z * z).sum(1), z, batch_axis=0)
    curved_numbers = hessian(x * x * x, x, batch_axis=0)
    return globals() | locals()


DIFFERS = {
    "slices as in Python": "empty, reversed and long slices are Python's",
    "all of a batch of numbers": "J[:] has J.shape, also for ys of shape [B]",
}  # fmt: skip


TABLE = texts("jacobian_hessian", names, DIFFERS)
