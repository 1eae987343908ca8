"""`incubate.autograd`: products with derivatives, and matrices of them."""

import numpy as np

from ..harness import case
from ._texts import texts


def given(paddle, stop=True):
    x = paddle.to_tensor(np.array([[0.5, -1.0], [2.0, 1.5]], "float32"), stop_gradient=stop)
    y = paddle.to_tensor(np.array([1.0, -0.5], "float32"), stop_gradient=stop)
    return x, y


def both(x, y):
    return x * x @ y, (x + y).tanh()


@case(ulps=64)
def products(paddle, show):
    a, _ = given(paddle, stop=False)
    _, dx = paddle.incubate.autograd.vjp(lambda x: x * x * x, a)
    dx.sum().backward()
    show("again", a.grad)


@case(ulps=64)
def matrices(paddle, show):
    autograd, (x, y) = paddle.incubate.autograd, given(paddle)
    J = autograd.Jacobian(both, [x, y])
    show("parts", [J[1], J[2, 3], J[1:3, 4:], J[-1, ::2]])
    B = autograd.Jacobian(lambda x: x * x.tanh().sum(1, keepdim=True), x, is_batched=True)
    show("batched", [list(B.shape), B[:], B[:, 1], B[0, 0, :]])
    H = autograd.Hessian(lambda x, y: (x @ y).tanh().sum(), [x, y])
    show("second", [list(H.shape), H[:], H[0], H[2:4, 1]])
    H = autograd.Hessian(lambda x: (x * x * x).sum(1, keepdim=True), x, is_batched=True)
    show("second batched", [list(H.shape), H[:]])


TABLE = texts("incubate_autograd", globals())
