"""Tensors made of numbers: values, dtypes, shapes and errors."""

import numpy as np

from ..harness import case
from ._texts import texts

DIFFERS = {
    "a size of two elements": "a size is one number; Paddle takes the first of several",
}  # fmt: skip
TABLE = texts("creation", globals(), DIFFERS)


def moved(paddle, show, function, *inputs):
    """Show values and gradients of a function of tensors, with a different seed per element."""
    tensors = [paddle.to_tensor(v, "float64", stop_gradient=False) for v in inputs]
    outs = function(*tensors)
    outs = outs if isinstance(outs, list) else [outs]
    seeds = [paddle.arange(1.0, y.size + 1, dtype="float64").reshape(y.shape) for y in outs]
    paddle.autograd.backward(outs, seeds)
    show("out", outs)
    show("gradients", [x.grad for x in tensors])


VECTOR, MATRIX = [1.0, -2.0, 3.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
CUBE = [MATRIX, MATRIX]


@case
def diag_of_a_vector(paddle, show):
    for offset in (0, 1, -2):
        moved(
            paddle,
            lambda k, v, o=offset: show(f"{o} {k}", v),
            lambda x, o=offset: paddle.diag(x, o),
            VECTOR,
        )


@case
def diag_of_a_matrix(paddle, show):
    for offset in (0, 1, -1, 5):
        moved(
            paddle,
            lambda k, v, o=offset: show(f"{o} {k}", v),
            lambda x, o=offset: paddle.diag(x, o),
            MATRIX,
        )


@case
def diagflat(paddle, show):
    moved(paddle, show, lambda x: paddle.diagflat(x, 1), MATRIX)


@case
def triangles(paddle, show):
    for name in ("tril", "triu"):
        for diagonal in (0, 1, -1):
            moved(
                paddle,
                lambda k, v, n=name, d=diagonal: show(f"{n} {d} {k}", v),
                lambda x, n=name, d=diagonal: getattr(paddle, n)(x, d),
                CUBE,
            )
        call = getattr(paddle, name)
        show(f"{name} bool", call(paddle.to_tensor([[True, True], [True, True]])))
        show(f"{name} int", call(paddle.to_tensor([[1, 2], [3, 4]]), 1))
        show(f"{name} empty", call(paddle.ones([0, 3])))
        show.raises(f"{name} vector", lambda f=call: f(paddle.ones([3])))
        show.raises(f"{name} half", lambda f=call: f(paddle.ones([3, 3]), 0.5))


@case
def default_dtype(paddle, show):
    try:
        for kind in ("float64", np.float32):
            paddle.set_default_dtype(kind)
            name = paddle.get_default_dtype()
            show(name, [
                str(x.dtype) for x in (
                    paddle.to_tensor(1.5), paddle.full([1], 3), paddle.ones([1]),
                        paddle.arange(2.0),
                    paddle.to_tensor(1 + 2j), paddle.eye(1), paddle.full([1], True),
                )
            ])  # fmt: skip
        show.raises("int32", lambda: paddle.set_default_dtype("int32"))
        show.raises("foo", lambda: paddle.set_default_dtype("foo"))
    finally:
        paddle.set_default_dtype("float32")
