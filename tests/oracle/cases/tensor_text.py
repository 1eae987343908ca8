"""How Tensors print: every rule of the layout, with numbers that binary fractions hold exactly."""

import numpy as np

from ..harness import Case, case

SIXTEENTHS = np.arange(-8, 8, dtype="float32").reshape(4, 4) / 16
PRINTED = {
    "scalar": np.float32(3.5),
    "whole_scalar": np.float32(3),
    "one": np.float32([0.5]),
    "row": np.float32([1, 2, 3]),
    "fractions": np.float32([0.5, 1.25, 3.0625]),
    "whole_and_fraction": np.float32([1, 2.5, 10]),
    "negative_short": np.float32([1.5, 2.25, -30.125]),
    "negative_first": np.float32([-1, 2, 3]),
    "negative_zero": np.float32([-0.0, 0.0]),
    "large": np.float32([1e6, 123456789, 0.5]),
    "tiny": np.float32([1e-10, 1]),
    "infinite": np.float32([np.inf, -np.inf, np.nan, 1]),
    "matrix": SIXTEENTHS,
    "cube": np.arange(8, dtype="float32").reshape(2, 2, 2),
    "four_dims": np.arange(8, dtype="float32").reshape(2, 1, 2, 2),
    "wrapped_row": np.arange(30, dtype="float32") / 4,
    "wrapped_integers": np.arange(100),
    "float64": np.float64([0.125, -2]),
    "float16": np.float16([0.1, 2]),
    "int64": np.int64([[1, -20], [300, 4]]),
    "int32": np.int32([7, 8]),
    "uint8": np.uint8([200, 3]),
    "bool": np.array([True, False]),
    "complex": np.complex64([1 + 2j, -0.5j]),
    "empty": np.zeros([0], "float32"),
    "empty_rows": np.zeros([2, 0], "float32"),
    "empty_columns": np.zeros([0, 3], "float32"),
    "summarised_row": np.arange(1001),
    "summarised_matrix": np.arange(1200, dtype="float32").reshape(100, 12),
    "not_summarised": np.arange(1000),
    "summarised_long_thin": np.arange(1002).reshape(501, 2),
    "summarised_cube": np.arange(1728).reshape(12, 12, 12),
}


def prints(name, array):
    return Case(f"text_{name}", lambda paddle, show: show("text", str(paddle.to_tensor(array))))


TABLE = [prints(name, array) for name, array in PRINTED.items()]


@case
def repr_is_str(paddle, show):
    x = paddle.to_tensor([1.0], stop_gradient=False)
    show("repr", repr(x))
    show("f-string", f"{x}")
    show("format", f"{paddle.to_tensor(2.5):.2f}")


@case
def parameters(paddle, show):
    show("text", str(paddle.nn.Linear(3, 2).bias))


@case
def options(paddle, show):
    x = paddle.to_tensor(np.float32([0.125, 1234.5, -2]))
    try:
        paddle.set_printoptions(precision=3)
        show("precision", str(x))
        paddle.set_printoptions(sci_mode=True)
        show("scientific", str(x))
        paddle.set_printoptions(sci_mode=False, threshold=2, edgeitems=1)
        show("summarised", str(paddle.to_tensor(np.arange(9))))
        paddle.set_printoptions(threshold=1000, edgeitems=3, linewidth=20)
        show("narrow", str(paddle.to_tensor(np.arange(9))))
    finally:
        paddle.set_printoptions(8, 1000, 3, False, 80)
    show("as before", str(x))
