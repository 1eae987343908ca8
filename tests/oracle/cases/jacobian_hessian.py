"""paddle.autograd.jacobian and hessian: shapes, indices, laziness, batches, errors."""

import numpy as np

from ..harness import case


def leaf(paddle, data=(1.0, 2.0, 3.0), dtype="float32"):
    return paddle.to_tensor(np.array(data, dtype), stop_gradient=False)


def of_three(paddle):
    x = leaf(paddle)
    return paddle.autograd.jacobian(x[:2] * x[1:], x)


@case
def a_matrix(paddle, show):
    J = of_three(paddle)
    show("shape", J.shape)
    show("class", type(J).__name__)
    show("all", J[:])
    for index in (
        0,
        -1,
        (1, 2),
        (slice(None), 1),
        slice(0, 1),
        (slice(0, 2), slice(1, 3)),
        slice(None, None, 2),
        slice(-1, None),
        (slice(None), -1),
        (0, slice(None, None, 2)),
        (1, slice(1, None)),
    ):
        show(f"[{index}]", J[index])
    show("flags", [J[:].stop_gradient, J[0].stop_gradient])


@case
def indices_refused(paddle, show):
    J = of_three(paddle)
    indices = {
        "5": 5,
        "-5": -5,
        "...": Ellipsis,
        "..., 0": (..., 0),
        "[0]": [0],
        "None": None,
        "text": "a",
        "three": (0, 0, 0),
    }
    for label, index in indices.items():
        show.raises(label, lambda index=index: J[index])


@case(differs="empty, reversed and long slices are Python's")
def slices_as_in_python(paddle, show):
    J = of_three(paddle)
    show("reversed", J[::-1])
    show("empty", J[0:0])
    show("long", J[0:10])


@case
def operators(paddle, show):
    J = of_three(paddle)
    show("+", J + 1)
    show("-", J - 1.0)
    show("* J", J * J)
    show("/", J / 2.0)
    show("**", J**2)
    show("//", J // 2.0)
    show("%", J % 2.0)
    show("@", J @ paddle.ones([3, 1]))
    show("<", J < 1.5)
    show("<=", J <= 1.0)
    show(">", J > 1.5)
    show(">=", J >= 2.0)
    show("==", J == J)
    show("!=", J != 1.0)
    show("T", J.T)
    show("numpy", J.numpy())
    show("asarray", np.asarray(J))
    show("rows", [row.numpy() for row in J])
    show.raises("hash", lambda: hash(J))
    show.raises("len", lambda: len(J))
    show.raises("-J", lambda: -J)
    show.raises("1 + J", lambda: 1 + J)


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
def several_ys_and_xs(paddle, show):
    a, b = leaf(paddle, (1.0, 2.0)), leaf(paddle)
    J = paddle.autograd.jacobian([a * 2, a.sum() * b], [a, b])
    show("kinds", [type(J).__name__, type(J[0]).__name__])
    show("shapes", [[j.shape for j in row] for row in J])
    show("values", [[j[:].numpy() for j in row] for row in J])
    show("one y", [j.shape for j in paddle.autograd.jacobian(a.sum() * b, (a, b))])
    show("tuple of one", [j.shape for j in paddle.autograd.jacobian((a * 2,), a)])
    show("none", len(paddle.autograd.jacobian([], a)))


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
def a_hessian(paddle, show):
    x = leaf(paddle)
    H = paddle.autograd.hessian((x * x * x).sum() + x[0] * x[1], x)
    show("class", [type(H).__name__, H.shape])
    show("all", H[:])
    show("row", H[1])
    show("element", H[0, 1])
    show("column", H[:, 2])
    show("times 2", H * 2)
    one = paddle.autograd.hessian((x * x).sum().reshape([1]), x)
    show("of shape [1]", one[:])
    n = leaf(paddle, 2.0)
    number = paddle.autograd.hessian(n * n * n, n)
    show("0-D", [number.shape, number.numpy()])
    show.raises("0-D [:]", lambda: number[:])


@case
def hessians_of_several(paddle, show):
    a, b = leaf(paddle, (1.0, 2.0)), leaf(paddle)
    H = paddle.autograd.hessian((a * a * a).sum() * (b * b).sum(), (a, b))
    show("kinds", [type(H).__name__, type(H[0]).__name__, type(H[0][0]).__name__])
    show("shapes", [[h.shape for h in row] for row in H])
    show("values", [[h[:].numpy() for h in row] for row in H])


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

    class Double(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, dy):
            calls.append(1)
            return dy * 2

    x = leaf(paddle)
    counts = []
    J = paddle.autograd.jacobian(Double.apply(x), x)
    for look in (
        lambda: None,
        lambda: J[0],
        lambda: J[0],
        lambda: J[0, 1],
        lambda: J[1:],
        lambda: J[:],
        lambda: J.numpy(),  # noqa: PLW0108  (J has a `numpy` of its own once it is computed)
        lambda: J + 1,
    ):
        look()
        counts.append(len(calls))
    show("jacobian", counts)
    counts, calls[:] = [], []
    H = paddle.autograd.hessian((Double.apply(x) * x).sum(), x)
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


@case
def errors(paddle, show):
    jacobian, hessian = paddle.autograd.jacobian, paddle.autograd.hessian
    a, square = leaf(paddle, (1.0, 2.0)), paddle.ones([2, 2])
    show.raises("batch_axis 1", lambda: jacobian(a * 2, a, batch_axis=1))
    show.raises("batch_axis True", lambda: jacobian(a * 2, a, batch_axis=True))
    show.raises("ys 2-D", lambda: jacobian(square, a))
    show.raises("xs 2-D", lambda: jacobian(a, square))
    show.raises("ys 0-D in a batch", lambda: jacobian(a.sum(), a, batch_axis=0))
    show.raises("ys 3-D in a batch", lambda: jacobian(paddle.ones([2, 2, 2]), a, batch_axis=0))
    show.raises("hessian of a vector", lambda: hessian(a * a, a))
    show.raises("hessian of a batch of vectors", lambda: hessian(square, square, batch_axis=0))
    show.raises("hessian batch_axis text", lambda: hessian(a, a, batch_axis="x"))
    show.raises("hessian batch_axis 1", lambda: hessian(a * a, a, batch_axis=1))
