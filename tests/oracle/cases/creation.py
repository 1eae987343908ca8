"""Tensors made of numbers: values, dtypes, shapes and errors."""

import numpy as np

from ..harness import case
from ._texts import texts

DIFFERS = {
    "a size of two elements": "a size is one number; Paddle takes the first of several",
}  # fmt: skip
TABLE = texts("creation", globals(), DIFFERS)


VECTOR, MATRIX = [1.0, -2.0, 3.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


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
