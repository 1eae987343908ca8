"""`incubate.autograd`: products with derivatives, and matrices of them."""

import numpy as np

from ..harness import case


def given(paddle, stop=True):
    x = paddle.to_tensor(np.array([[0.5, -1.0], [2.0, 1.5]], "float32"), stop_gradient=stop)
    y = paddle.to_tensor(np.array([1.0, -0.5], "float32"), stop_gradient=stop)
    return x, y


def both(x, y):
    return x * x @ y, (x + y).tanh()


@case(ulps=64)
def products(paddle, show):
    autograd, (x, y) = paddle.incubate.autograd, given(paddle)
    v = [paddle.to_tensor([1.0, 2.0]), paddle.ones([2, 2]) * 0.5]
    show("vjp", autograd.vjp(lambda x: x * x * x, x))
    show("vjp of both", [list(row) for row in autograd.vjp(both, (x, y), v)])
    show("vjp unused", list(autograd.vjp(lambda x, y: x * 2, [x, y])[1]))
    show("jvp", autograd.jvp(lambda x: x * x * x, x, x + 1))
    show("jvp of both", [list(row) for row in autograd.jvp(both, (x, y), (x, y * 2))])
    a, _ = given(paddle, stop=False)
    _, dx = autograd.vjp(lambda x: x * x * x, a)
    dx.sum().backward()
    show("again", a.grad)


@case(ulps=64)
def matrices(paddle, show):
    autograd, (x, y) = paddle.incubate.autograd, given(paddle)
    J = autograd.Jacobian(both, [x, y])
    show("shape", list(J.shape))
    show("all", J[:])
    show("parts", [J[1], J[2, 3], J[1:3, 4:], J[-1, ::2]])
    B = autograd.Jacobian(lambda x: x * x.tanh().sum(1, keepdim=True), x, is_batched=True)
    show("batched", [list(B.shape), B[:], B[:, 1], B[0, 0, :]])
    H = autograd.Hessian(lambda x, y: (x @ y).tanh().sum(), [x, y])
    show("second", [list(H.shape), H[:], H[0], H[2:4, 1]])
    H = autograd.Hessian(lambda x: (x * x * x).sum(1, keepdim=True), x, is_batched=True)
    show("second batched", [list(H.shape), H[:]])


@case
def refused(paddle, show):
    autograd, (x, y) = paddle.incubate.autograd, given(paddle)
    show.raises("no function", lambda: autograd.vjp(3, x))
    show.raises("no tensor", lambda: autograd.jvp(both, 3))
    show.raises("no tensors", lambda: autograd.jvp(both, [x, 3]))
    show.raises("v", lambda: autograd.vjp(both, [x, y], 3))
    show.raises("shape of v", lambda: autograd.vjp(lambda x: x, x, y))
    show.raises("count of v", lambda: autograd.jvp(both, [x, y], [x]))
    show.raises("ellipsis", lambda: autograd.Jacobian(both, [x, y])[..., 0])
    show.raises("index", lambda: autograd.Jacobian(both, [x, y])["a"])
    show.raises("several", lambda: autograd.Hessian(lambda x: x * 2, x))
