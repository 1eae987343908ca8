"""Products of vectors, matrices and tensors; einsum; their errors."""

import numpy as np

from ..harness import Case, builtin_class
from ..spread import spread
from ._texts import texts

A = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
B = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
V = np.array([0.25, -1.5, 2.0])
SQUARE = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
CUBE = np.arange(24).reshape(2, 3, 4) / 8 - 1.4
OTHER = spread(2, 4, 3)
COLUMN = np.array([[2.0], [-3.0]])
KINDS = (
    ("int32", "int32"), ("int64", "int64"), ("float32", "float32"), ("float64", "float64"),
    ("float64", "float32"), ("int64", "float32"),
)  # fmt: skip
CROSSED = np.arange(9.0).reshape(3, 3)


def kinds(name):
    """Return a case: the dtype of a product of tensors of one dtype, and of two."""

    def body(paddle, show):
        more = [1] if name == "tensordot" else []
        for a, b in KINDS:
            x, y = (paddle.to_tensor(np.eye(3).astype(kind)) for kind in (a, b))
            try:
                show(f"{a} {b}", str(getattr(paddle, name)(x, y, *more).dtype))
            except Exception as error:  # noqa: BLE001  (every class is an answer)
                show(f"{a} {b}", builtin_class(error))

    return Case(f"kinds of {name}", body)


TABLE = [
    *map(kinds, ("matmul", "mm", "dot", "kron", "inner", "outer", "cross", "tensordot")),
    *texts("products", globals()),
]
