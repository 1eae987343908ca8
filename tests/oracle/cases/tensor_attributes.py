"""Attributes of a Tensor, and its conversions."""

from ..harness import case
from ._texts import texts


def x_of(paddle):
    return paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], stop_gradient=False)


@case
def detached(paddle, show):
    x = x_of(paddle)
    z = x.detach()
    z[0, 0] = 7.0
    show("shares memory", float(x[0, 0]))


TABLE = texts("tensor_attributes", lambda paddle: globals() | {"x": x_of(paddle)})
