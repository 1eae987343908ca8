"""Printed Tensors under every option, for every dtype and many shapes.

The numbers are sums of few powers of two, so that every digit printed is exact.
"""

import numpy as np

from ..harness import Case, case

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
ODD = {
    "nan_inf": [np.nan, np.inf, -np.inf, 1.5],
    "only_nan": [np.nan],
    "nan_and_whole": [np.nan, 1.0],
    "inf_and_fraction": [np.inf, 0.25],
    "minus_inf": [-np.inf],
    "zeros": [-0.0, 0.0],
    "far_apart": [2.0**100, 1.0],
    "tiny": [2.0**-60, -1.0],
    "long": [123456.75, 1.0, -0.5],
}
ODD_COMPLEX = {
    "nan": [1 + 2j, complex(np.nan, 0)],
    "minus_zero": [complex(0, -0.0)],
    "inf_nan": [complex(np.inf, np.nan)],
    "whole": [-1 - 2j, 3],
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
]


@case
def odd_numbers(paddle, show):
    for name, values in ODD.items():
        show(name, str(paddle.to_tensor(np.float32(values))))
    for name, values in ODD_COMPLEX.items():
        show(f"complex {name}", str(paddle.to_tensor(np.complex64(values))))


@case
def summaries(paddle, show):
    for shape in ((1001,), (40, 40), (11, 11, 11), (2, 600), (600, 2), (7, 200)):
        show(f"int {shape}", str(paddle.to_tensor(numbers(shape, "int64"))))
        show(f"float {shape}", str(paddle.to_tensor(numbers(shape, "float32"))))


@case
def width_is_measured_at_the_edges(paddle, show):
    x = np.float32([1.5, 2.5, 3.5, 123456.5, 4.5, 5.5, 6.5])
    show("longer in the middle", str(paddle.to_tensor(x)))
    show("negative in the middle", str(paddle.to_tensor([1, 2, 3, -4, 5, 60, 7])))


@case
def options_stay(paddle, show):
    try:
        paddle.set_printoptions(precision=3)
        paddle.set_printoptions(linewidth=30)
        show("both", str(paddle.to_tensor(numbers((9,), "float32"))))
        paddle.set_printoptions()
        show("still", str(paddle.to_tensor(numbers((9,), "float32"))))
    finally:
        paddle.set_printoptions(**USUAL)


@case
def parameters_and_gradients(paddle, show):
    x = paddle.to_tensor([[1.5, -2.0]], stop_gradient=False)
    y = x * 2
    y.sum().backward()
    show("leaf", str(x))
    show("result", str(y))
    show("gradient", str(x.grad))
    show("detached", str(y.detach()))
    show("format", [f"{paddle.to_tensor(v)}" for v in (1.5, 3, True)])
    show("format spec", f"{paddle.to_tensor(3.14159):.2f} {paddle.to_tensor(5):d}")
    show.raises("format of a row", lambda: f"{paddle.to_tensor([3.14159]):.2f}")
    show("row", f"{paddle.to_tensor([3.5])}")
    show("percent", f"{'%d' % paddle.to_tensor(5)} {'%.2f' % paddle.to_tensor(5.0)}")  # noqa: UP031
