"""Products of vectors, matrices and tensors; einsum; their errors."""

import numpy as np

from ..harness import Case, builtin_class
from ..spread import spread
from ._calls import row as calls
from .ops import row

A = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
B = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
V = np.array([0.25, -1.5, 2.0])
SQUARE = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
CUBE = np.arange(24).reshape(2, 3, 4) / 8 - 1.4
OTHER = spread(2, 4, 3)
COLUMN = np.array([[2.0], [-3.0]])
EQUATIONS = (
    ("ij,jk->ik", A, SQUARE), ("ij,kj", A, B), ("ij,ij->", A, B), ("ij->ji", A), ("ij->", A),
    ("ij->j", A), ("ii", SQUARE), ("ii->i", SQUARE), ("i->ii", V), ("i,j", V, A[0]),
    (" i , j -> i j ", V, A[0]), ("ij,jk,k->i", A, SQUARE, V), ("...i,...i->...", A, B),
    ("...ij,jk->...ik", OTHER, SQUARE), ("b...a", CUBE), ("abc,acd->abd", CUBE, OTHER),
    ("abc->a", CUBE), ("Ab,bA->", A, A.T.copy()), (",i->i", np.array(2.0), V),
    ("...->...", A), ("iji->j", np.arange(12.0).reshape(2, 3, 2)), ("ij,ij->ij", A, COLUMN),
)  # fmt: skip
AXES = (
    0,
    1,
    2,
    [1],
    [1, 2],
    [[1], [0]],
    [[0, 1], [1, 2]],
    [[1, 2], [0]],
    (0,),
    [[0, 1]],
    ((0, 1), (1, 0)),
    [],
    [[]],
    [[-1], [0]],
)
KINDS = (
    ("int32", "int32"),
    ("int64", "int64"),
    ("float32", "float32"),
    ("float64", "float64"),
    ("float64", "float32"),
    ("int64", "float32"),
)
CROSSED = np.arange(9.0).reshape(3, 3)


def kinds(name, call):
    """A case: the dtype of a product of tensors of one kind, and of two."""

    def body(paddle, show):
        for a, b in KINDS:
            x, y = (paddle.to_tensor(np.eye(3).astype(kind)) for kind in (a, b))
            try:
                show(f"{a} {b}", str(call(paddle, x, y).dtype))
            except Exception as error:  # noqa: BLE001  (every class is an answer)
                show(f"{a} {b}", builtin_class(error))

    return Case(f"kinds of {name}", body)


TABLE = [
    row("dot", lambda p, x, y: p.dot(x, y), V, A[0]),
    row("dot of rows", lambda p, x, y: p.dot(x, y), A, B),
    row("inner", lambda p, x, y: p.inner(x, y), A, B),
    row("inner with a vector", lambda p, x, y: p.inner(x, y), A, V),
    row("inner of a cube", lambda p, x, y: p.inner(x, y), A, OTHER),
    row("inner 0-D", lambda p, x, y: p.inner(x, y), np.array(2.0), V),
    row("outer", lambda p, x, y: p.outer(x, y), A, V),
    row("outer 0-D", lambda p, x, y: p.outer(x, y), np.array(2.0), V),
    row("mm", lambda p, x, y: p.mm(x, y), A, SQUARE),
    row("mm of batches", lambda p, x, y: p.mm(x, y), CUBE, OTHER),
    row("bmm", lambda p, x, y: p.bmm(x, y), CUBE, OTHER),
    row("mv", lambda p, x, y: p.mv(x, y), A, V),
    row("matmul of broadcast batches", lambda p, x, y: p.matmul(x, y), CUBE[:1], OTHER),
    row("matmul of a vector and a batch", lambda p, x, y: p.matmul(x, y), V, CUBE),
    row("addmm of a row", lambda p, z, x, y: p.addmm(z, x, y), V, A, SQUARE),
    row("addmm of a column", lambda p, z, x, y: p.addmm(z, x, y, 2.0, -1.0), COLUMN, A, SQUARE),
    row("baddbmm", lambda p, z, x, y: p.baddbmm(z, x, y, beta=0.5, alpha=2.0), CUBE[:, :, :3], CUBE,
        OTHER),
    row("kron", lambda p, x, y: p.kron(x, y), A, B),
    row("kron of a vector", lambda p, x, y: p.kron(x, y), A, V),
    row("kron 0-D", lambda p, x, y: p.kron(x, y), np.array(2.0), V),
    row("cross", lambda p, x, y: p.cross(x, y), A, B),
    row("cross along 0", lambda p, x, y: p.cross(x, y), CROSSED, CROSSED[::-1].copy() ** 2),
    row("cross along -1", lambda p, x, y: p.cross(x, y, axis=-1), CROSSED,
        CROSSED[::-1].copy() ** 2),
    row("vecdot", lambda p, x, y: p.vecdot(x, y), A, V),
    row("vecdot along 0", lambda p, x, y: p.linalg.vecdot(x, y, axis=0), A, B),
    row("multi_dot", lambda p, x, y, z: p.linalg.multi_dot([x, y, z]), A, SQUARE,
        OTHER[0].T.copy()),
    row("multi_dot of vectors", lambda p, x, y, z: p.linalg.multi_dot([x, y, z]), V, SQUARE, A[1]),
    *(
        row(f"einsum {equation}", lambda p, *xs, equation=equation: p.einsum(equation, *xs), *xs)
        for equation, *xs in EQUATIONS
    ),
    *(
        row(f"tensordot {axes}", lambda p, x, y, axes=axes: p.tensordot(x, y, axes),
            np.arange(8.0).reshape(2, 2, 2), spread(2, 2, 2))
        for axes in AXES
    ),
    row("tensordot of a size of 1", lambda p, x, y: p.tensordot(x, y, 1), COLUMN, SQUARE),
    kinds("matmul", lambda p, x, y: p.matmul(x, y)), kinds("mm", lambda p, x, y: p.mm(x, y)),
    kinds("dot", lambda p, x, y: p.dot(x, y)), kinds("kron", lambda p, x, y: p.kron(x, y)),
    kinds("inner", lambda p, x, y: p.inner(x, y)), kinds("outer", lambda p, x, y: p.outer(x, y)),
    kinds("cross", lambda p, x, y: p.cross(x, y)),
    kinds("tensordot", lambda p, x, y: p.tensordot(x, y, 1)),
    calls("misfits",
        lambda p: p.dot(p.ones([2]), p.ones([2, 2])), lambda p: p.dot(p.ones([2]), p.ones([3])),
        lambda p: p.dot(p.ones([1, 2, 2]), p.ones([1, 2, 2])),
        lambda p: p.dot(p.ones([]), p.ones([])),
        lambda p: p.mm(p.ones([1, 2]), p.ones([1, 2])),
        lambda p: p.bmm(p.ones([1, 2]), p.ones([2, 1])),
        lambda p: p.bmm(p.ones([2, 2, 2]), p.ones([3, 2, 2])),
        lambda p: p.bmm(p.ones([2, 2, 3]), p.ones([2, 2, 2])),
        lambda p: p.bmm(p.ones([1, 2, 2], "int64"), p.ones([1, 2, 2], "int64")),
        lambda p: p.mv(p.ones([1, 2]), p.ones([1, 2])), lambda p: p.mv(p.ones([1, 2]), p.ones([3])),
        lambda p: p.mv(p.ones([2, 2], "int64"), p.ones([2], "int64")),
        lambda p: p.addmm(p.ones([]), p.ones([2, 2]), p.ones([2, 2])),
        lambda p: p.addmm(p.ones([1, 3]), p.ones([2, 2]), p.ones([2, 2])),
        lambda p: p.addmm(p.ones([2, 2]), p.ones([1, 2, 2]), p.ones([2, 2])),
        lambda p: p.inner(p.ones([2]), p.ones([3])), lambda p: p.cross(p.ones([2]), p.ones([2])),
        lambda p: p.cross(p.ones([3]), p.ones([2, 3])),
        lambda p: p.cross(p.ones([2, 3]), p.ones([2, 3]), axis=0),
        lambda p: p.tensordot(p.ones([2, 3]), p.ones([2, 5]), 1),
        lambda p: p.tensordot(p.ones([2, 3]), p.ones([2, 5]), -1),
        lambda p: p.linalg.multi_dot([p.ones([1, 2])]),
        lambda p: p.linalg.multi_dot([p.ones([1, 2]), p.ones([1, 2, 2]), p.ones([2, 1])]),
        lambda p: p.linalg.multi_dot([p.ones([1, 2]), p.ones([1, 2])]),
        lambda p: p.linalg.multi_dot([p.ones([1, 1], "int64")] * 2),
    ),
    calls("equations that are wrong",
        lambda p: p.einsum("ij->i", p.ones([3])),
        lambda p: p.einsum("i,i->i", p.ones([3]), p.ones([2])),
        lambda p: p.einsum("i->j", p.ones([3])), lambda p: p.einsum("i,j->ij", p.ones([3])),
        lambda p: p.einsum("...i->i", p.ones([3, 3])),
        lambda p: p.einsum("i,i", p.ones([3]), p.ones([3], "float64")),
        lambda p: p.einsum("ij->ji", p.ones([2, 2], "int64")),
        lambda p: p.einsum("i1->i", p.ones([2, 2])),
    ),
]  # fmt: skip
