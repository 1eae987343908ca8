"""Printed Tensors under every option, for every dtype and many shapes.

The numbers are sums of few powers of two, so that every digit printed is exact.
"""

import numpy as np

from ..harness import Case
from ._texts import texts

KINDS = ("float32", "float64", "float16", "int64", "int32", "uint8", "bool", "complex64")
SHAPES = (
    (), (1,), (7,), (30,), (3, 4), (2, 20), (2, 3, 2), (1, 1, 1, 3), (4, 1), (0,), (2, 0), (0, 2),
    (2, 0, 3),
)  # fmt: skip
USUAL = {"precision": 8, "threshold": 1000, "edgeitems": 3, "sci_mode": False, "linewidth": 80}
OPTIONS = {
    "precision_2": {"precision": 2},
    "precision_0": {"precision": 0},
    "precision_12": {"precision": 12},
    "threshold_5": {"threshold": 5},
    "threshold_0": {"threshold": 0, "edgeitems": 2},
    "edges_1": {"threshold": 5, "edgeitems": 1},
    "edges_0": {"threshold": 3, "edgeitems": 0},
    "edges_10": {"threshold": 3, "edgeitems": 10},
    "scientific": {"sci_mode": True},
    "scientific_3": {"sci_mode": True, "precision": 3},
    "narrow": {"linewidth": 20},
    "one_column": {"linewidth": 1},
    "wide": {"linewidth": 200},
}


def numbers(shape, kind):
    """Return numbers of all sizes, the same on every machine."""
    i = np.arange(int(np.prod(shape)), dtype="int64")
    values = (i * 37 % 101 - 50) / 16 * 2.0 ** (i * 7 % 19 - 6)
    if kind == "complex64":
        values = values + 1j * (i * 29 % 31 - 15) / 8
    elif kind == "bool":
        values = values > 0
    elif kind == "uint8":
        values = i * 37 % 200
    elif kind.startswith("int"):
        values = i * 37 % 101 - 50
    return np.asarray(values).astype(kind).reshape(shape)


def with_options(paddle, options, shapes, kinds, show):
    paddle.set_printoptions(**options)
    try:
        for kind in kinds:
            for shape in shapes:
                show(f"{kind} {list(shape)}", str(paddle.to_tensor(numbers(shape, kind))))
    finally:
        paddle.set_printoptions(**USUAL)


def under(name, options):
    def run(paddle, show):
        shapes = ((), (12,), (4, 9), (2, 3, 4))
        with_options(paddle, options, shapes, ("float32", "int64", "complex64"), show)

    return Case(f"print_with_{name}", run)


def of_kind(kind):
    return Case(f"print_{kind}", lambda p, show: with_options(p, {}, SHAPES, (kind,), show))


TABLE = [
    *(of_kind(kind) for kind in KINDS),
    *(under(name, options) for name, options in OPTIONS.items()),
    *texts("printing", globals()),
]
