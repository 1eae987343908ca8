"""Convolutions: every form of padding, strides, groups, layouts, transposes, errors."""

import numpy as np

from ._calls import row as calls
from .ops import row

IMAGE = np.sin(np.arange(2 * 4 * 6 * 5.0)).reshape(2, 4, 6, 5)
LAST = IMAGE.transpose(0, 2, 3, 1).copy()
FILTERS = np.cos(np.arange(6 * 4 * 3 * 2.0)).reshape(6, 4, 3, 2)
HALVES = FILTERS[:, :2].copy()
LINES = IMAGE[:, :, 0].copy()
COMBS = FILTERS[:, :, :, 0].copy()
BIAS = np.linspace(-1.0, 2.0, 6)
BACK = np.cos(np.arange(4 * 3 * 3 * 2.0)).reshape(4, 3, 3, 2)


def conv(name, *inputs, function="conv2d", **options):
    return row(
        f"{function} {name}",
        lambda q, *t: getattr(q.nn.functional, function)(*t, **options),
        *inputs,
        ulps=64,
    )


def refused(function, x, w, **options):
    """A call with constant tensors of these shapes."""
    return lambda q: getattr(q.nn.functional, function)(q.ones(x), q.ones(w), **options).shape


PADDINGS = (
    1,
    [1, 2],
    (0, 1),
    [1, 2, 0, 1],
    "SAME",
    "VALID",
    "same",
    [[0, 0], [0, 0], [1, 2], [0, 1]],
)
WRONG = ([1, 2, 3], -1, "FULL", [[1, 0], [0, 0], [1, 2], [0, 1]], [[1, 2], [0, 1]], 1.5, None)

TABLE = [
    conv("plain", IMAGE, FILTERS), conv("bias", IMAGE, FILTERS, BIAS),
    *(conv(f"padding {p}", IMAGE, FILTERS, padding=p) for p in PADDINGS),
    *(conv(f"padding {p} stride 2", IMAGE, FILTERS, padding=p, stride=2) for p in PADDINGS),
    conv("strides", IMAGE, FILTERS, stride=[1, 3]), conv("stride over", IMAGE, FILTERS, stride=4),
    conv("dilation", IMAGE, FILTERS, dilation=2),
    conv("dilations", IMAGE, FILTERS, dilation=(1, 3)),
    conv("same dilated", IMAGE, FILTERS, dilation=2, padding="SAME"),
    conv("valid dilated", IMAGE, FILTERS, dilation=2, padding="VALID"),
    conv("groups", IMAGE, HALVES, groups=2),
    conv("groups all", IMAGE, HALVES, BIAS, groups=2, stride=2, padding=[1, 0, 2, 1], dilation=2),
    conv("depthwise", IMAGE, FILTERS[:4, :1].copy(), groups=4),
    conv("last", LAST, FILTERS, BIAS, data_format="NHWC", padding=1),
    conv("last pairs", LAST, FILTERS, data_format="NHWC", padding=[[0, 0], [1, 2], [0, 1], [0, 0]]),
    conv("one by one", IMAGE, FILTERS[:, :, :1, :1].copy()),
    conv("whole", IMAGE, np.cos(np.arange(2 * 4 * 30.0)).reshape(2, 4, 6, 5)),
    conv("many channels", np.sin(np.arange(20 * 16.0)).reshape(1, 20, 4, 4),
         np.cos(np.arange(3 * 20 * 9.0)).reshape(3, 20, 3, 3), padding=1),
    conv("empty batch", IMAGE[:0], FILTERS),
    *(conv(f"padding {p}", LINES, COMBS, function="conv1d", padding=p)
      for p in (1, [2], [1, 2], "SAME", "VALID", [[0, 0], [0, 0], [1, 2]])),
    conv("all", LINES, HALVES[:, :, :, 0].copy(), BIAS, function="conv1d", stride=2, dilation=2,
         padding=2, groups=2),
    conv("last", LINES.transpose(0, 2, 1).copy(), COMBS, BIAS, function="conv1d",
         data_format="NLC", padding=1),
    *(conv(f"{options}", IMAGE, BACK, function="conv2d_transpose", **options) for options in (
        {}, {"stride": 2}, {"stride": 2, "padding": 1, "output_padding": 1}, {"padding": "SAME"},
        {"stride": 2, "output_size": [14, 11]}, {"stride": 2, "output_size": 14},
        {"stride": (2, 3), "padding": "SAME"},
        {"dilation": 2, "padding": [1, 2, 0, 1]}, {"padding": "VALID"},
    )),
    conv("both sizes", IMAGE[:, :, :5].copy(), BACK, function="conv2d_transpose", stride=2,
         output_size=12),
    conv("groups", IMAGE, BACK, np.linspace(0.0, 1.0, 6), function="conv2d_transpose", groups=2,
         stride=2),
    conv("last", LAST, BACK, function="conv2d_transpose", data_format="NHWC"),
    conv("all", LINES, BACK[:, :, :, 0].copy(), function="conv1d_transpose", stride=2, padding=1,
         output_padding=1),
    conv("size", LINES, BACK[:, :, :, 0].copy(), function="conv1d_transpose", stride=2,
         output_size=[12]),
    calls("paddings refused",
        *(refused("conv2d", [1, 2, 5, 5], [3, 2, 3, 3], padding=p) for p in WRONG)),
    calls("settings refused",
        refused("conv2d", [1, 2, 5, 5], [3, 2, 3, 3], stride=0),
        refused("conv2d", [1, 2, 5, 5], [3, 2, 3, 3], stride=[1, 2, 3]),
        refused("conv2d", [1, 2, 5, 5], [3, 2, 3, 3], data_format="NCL"),
        refused("conv2d", [1, 2, 5, 5], [3, 2, 3, 3], groups=3),
        refused("conv2d", [1, 2, 5, 5], [3, 1, 3, 3], groups=2),
        refused("conv2d", [1, 2, 5, 5], [3, 3, 3, 3]),
        refused("conv2d", [2, 5, 5], [3, 2, 3, 3]), refused("conv2d", [1, 2, 5, 5], [3, 2, 3]),
        refused("conv1d", [1, 2, 5], [3, 2, 3], padding=[1, 2, 3]),
        refused("conv1d", [1, 2, 5], [3, 2, 3], data_format="NCHW"),
        refused("conv2d_transpose", [1, 2, 5, 5], [2, 3, 3, 3], stride=2, output_padding=2),
        refused("conv2d_transpose", [1, 2, 5, 5], [2, 3, 3, 3], stride=2, output_size=[30, 30]),
        refused("conv2d_transpose", [1, 2, 5, 5], [3, 3, 3, 3]),
        refused("conv2d_transpose", [1, 2, 5, 5], [2, 3, 3, 3], stride=2, output_padding=1,
                output_size=12)),
    calls("dtypes refused",
        lambda q: q.nn.functional.conv2d(q.ones([1, 1, 3, 3], "int32"),
                                         q.ones([1, 1, 2, 2], "int32")),
        lambda q: q.nn.functional.conv2d(q.ones([1, 1, 3, 3], "float64"), q.ones([1, 1, 2, 2])),
        lambda q: q.nn.functional.conv2d(q.ones([1, 1, 3, 3], "float16"),
                                         q.ones([1, 1, 2, 2], "float16"))),
]  # fmt: skip
