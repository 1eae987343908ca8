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


@case(differs="empty, reversed and long slices are Python's")
def slices_as_in_python(paddle, show):
    J = of_three(paddle)
    show("reversed", J[::-1])
    show("empty", J[0:0])
    show("long", J[0:10])


@case
def zero_dimensional(paddle, show):
    x = leaf(paddle, 2.0)
    v = leaf(paddle, (1.0, 2.0))
    pairs = {
        "number by number": (x * x, x),
        "number by vector": ((v * v).sum(), v),
        "vector by number": (paddle.stack([x, x * x]), x),
    }
    for label, (y, by) in pairs.items():
        J = paddle.autograd.jacobian(y, by)
        show(f"{label}: shape", J.shape)
        show(f"{label}: numpy", J.numpy())
        show.raises(f"{label}: [:]", lambda J=J: J[:])
        show.raises(f"{label}: [0]", lambda J=J: J[0])
        show.raises(f"{label}: [-1]", lambda J=J: J[-1])
        show(f"{label}: + 1", J + 1)


@case
def batches(paddle, show):
    x = leaf(paddle, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    J = paddle.autograd.jacobian(x * x * x + x, x, batch_axis=0)
    show("shape", J.shape)
    show("all", J[:])
    whole = slice(None)
    for index in (
        0,
        (0, 0),
        (whole, 1),
        (whole, slice(0, 1)),
        (0, 1, 1),
        (whole, whole, 1),
        (whole, -1),
        (1, whole, 0),
    ):
        show(f"[{index}]", J[index])


@case
def batches_without_an_axis(paddle, show):
    x = leaf(paddle)
    J = paddle.autograd.jacobian(paddle.stack([x * x, x * 3], 1), x, batch_axis=0)
    show("[B, N] by [B]", [J.shape, J[:].numpy(), J[:, 1].numpy(), J[0, 0].numpy()])
    J = paddle.autograd.jacobian(x * x, x, batch_axis=0)
    show("[B] by [B]", [J.shape, J[:].numpy(), J[0].numpy(), J.numpy()])
    z = leaf(paddle, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    J = paddle.autograd.jacobian((z * z).sum(1), z, batch_axis=0)
    show("[B] by [B, N]", [J.shape, J[:, 1].numpy(), J[0, 0].numpy()])


@case(differs="J[:] has J.shape, also for ys of shape [B]")
def all_of_a_batch_of_numbers(paddle, show):
    z = leaf(paddle, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    show("all", paddle.autograd.jacobian((z * z).sum(1), z, batch_axis=0)[:])


@case
def what_does_not_depend(paddle, show):
    a = leaf(paddle, (1.0, 2.0))
    J = paddle.autograd.jacobian(a * 2, leaf(paddle))
    show("other leaf", [J[:].numpy(), J[:].stop_gradient])
    J = paddle.autograd.jacobian(a.sum(), paddle.ones([2]))
    show("stopped x", [J[:].numpy(), J[:].stop_gradient])
    J = paddle.autograd.jacobian(paddle.ones([2]), a)
    show("stopped y", [J[:].numpy(), J[:].stop_gradient])
    H = paddle.autograd.hessian(a.sum(), a)
    show("linear", [H[:].numpy(), H[:].stop_gradient])


@case
def other_dtypes(paddle, show):
    d = leaf(paddle, (1.0, 2.0), "float64")
    show("float64", paddle.autograd.jacobian(d * d, d)[:])
    i = leaf(paddle, (1, 2), "int64")
    show("int64", paddle.autograd.jacobian(i * i, i)[:])


@case
def hessians_of_batches(paddle, show):
    x = leaf(paddle, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    H = paddle.autograd.hessian((x * x * x).sum(1), x, batch_axis=0)
    show("[B, N]", [H.shape, H[:].numpy(), H[:, 0].numpy(), H[1].numpy()])
    v = leaf(paddle)
    H = paddle.autograd.hessian(v * v * v, v, batch_axis=0)
    show("[B]", [H.shape, H[:].numpy(), H[0].numpy()])


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


@case
def derivatives_of_a_jacobian(paddle, show):
    x = leaf(paddle)
    J = paddle.autograd.jacobian(x * x * x, x)
    (J[:] * J[:]).sum().backward()
    show("grad", x.grad)


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
    return globals() | locals()


TABLE = texts("jacobian_hessian", names)
