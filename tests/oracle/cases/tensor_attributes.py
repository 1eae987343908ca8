"""Attributes of a Tensor, and its conversions."""

import copy
import pickle

import numpy as np

from ..harness import case
from ._texts import texts


def x_of(paddle):
    return paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], stop_gradient=False)


@case
def pickled_and_copied(paddle, show):
    x = x_of(paddle)
    x.name = "weight"
    for name, other in {
        "pickle": pickle.loads(pickle.dumps(x)),
        "copy": copy.copy(x),
        "deepcopy": copy.deepcopy(x),
        "pickled result": pickle.loads(pickle.dumps(x * 2)),
        "copied result": copy.deepcopy(x * 2),
    }.items():
        show(name, [other, other.stop_gradient])
        show(f"{name} keeps the name", other.name == "weight")
    show("name of a deep copy", copy.deepcopy(x).name.startswith("weight_deepcopy_"))


@case
def detached(paddle, show):
    x = x_of(paddle)
    z = x.detach()
    z[0, 0] = 7.0
    show("shares memory", float(x[0, 0]))


@case
def gradients_come_and_go(paddle, show):
    x = x_of(paddle)
    (x * x).sum().backward()
    show("grad", [x.grad, x.grad.stop_gradient, x.grad.is_leaf])
    show("gradient", x.gradient())
    x.clear_gradient()
    show("clear_gradient", x.grad)
    x.clear_gradient(False)
    show("clear_gradient(False)", x.grad)
    (x * 3).sum().backward()
    x.clear_grad()
    show("clear_grad", x.grad)
    x.grad = paddle.ones([2, 3])
    show("set", x.grad)
    x.grad = None
    show("set to None", x.grad)
    show.raises("set to an array", lambda: setattr(x, "grad", np.ones([2, 3], "float32")))
    show.raises("stop_gradient = 1", lambda: setattr(x, "stop_gradient", 1))


TABLE = texts("tensor_attributes", lambda paddle: globals() | {"x": x_of(paddle)})
