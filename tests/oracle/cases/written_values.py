"""Values that fit or do not fit in `x[...] = value`, and their gradients."""

import numpy as np

from ..harness import Case, case
from ._texts import texts

PLACES = {
    "0": ((3,), 0),
    "1 of []": ((3,), "tensor"),
    "0, 1": ((2, 3), (0, 1)),
    "0, 0:2": ((2, 3), (0, slice(0, 2))),
    "0:2, 1": ((2, 3), (slice(0, 2), 1)),
    "0:2": ((3,), slice(0, 2)),
    "row": ((2, 3), 0),
    "rows": ((2, 3), slice(0, 1)),
    "none": ((2, 3), slice(0, 0)),
}
SHAPES = [(), (1,), (1, 1), (1, 1, 1), (2,), (1, 2), (2, 1), (3,), (1, 3), (1, 1, 3), (2, 1, 3)]


def of_place(label, shape, index):
    def run(paddle, show):
        index_here = paddle.to_tensor(1) if index == "tensor" else index
        for value_shape in SHAPES:
            name = str(list(value_shape))
            x = paddle.arange(np.prod(shape)).astype("float32").reshape(shape)
            v = paddle.arange(10, 10 + np.prod(value_shape)).astype("float32").reshape(value_shape)
            x.stop_gradient = v.stop_gradient = False
            y = x * 1.0
            try:
                y[index_here] = v
            except ValueError:
                show(name, "ValueError")
                continue
            (y * paddle.arange(1, 1 + y.size).astype("float32").reshape(shape)).sum().backward()
            show(name, [y, x.grad, v.grad])

    return Case(f"place {label}", run)


TABLE = [of_place(label, *place) for label, place in PLACES.items()] + texts("written_values")


@case(differs="a 0-D tensor is one place too; Paddle writes no value of shape [1] there")
def into_a_number(paddle, show):
    x = paddle.to_tensor(1.0, stop_gradient=False)
    y = x * 2.0
    y[...] = paddle.to_tensor([5.0])
    y.backward()
    show("y", [y, x.grad])


@case(differs="no_grad leaves stop_gradient as it is; Paddle makes it False")
def written_without_gradients(paddle, show):
    x = paddle.to_tensor([1.0, 2.0])
    with paddle.no_grad():
        x[0] = paddle.to_tensor([5.0], stop_gradient=False)
    show("stops", x.stop_gradient)


@case
def a_number_into_a_number(paddle, show):
    x = paddle.to_tensor(1.0, stop_gradient=False)
    show("zero", [zeroed(x * 2.0), x.grad])


def zeroed(y):
    y.zero_()
    (y * y).backward()
    return y
