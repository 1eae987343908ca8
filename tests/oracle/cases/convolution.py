"""Convolutions: every form of padding, strides, groups, layouts, transposes, errors."""

from ..spread import spread
from ._calls import row as calls
from .ops import row

# As small as the question allows: every element is recorded, with its gradient, in two dtypes.
IMAGES = spread(2, 2, 6, 5)
ONE = IMAGES[:1].copy()
WIDE = IMAGES.reshape(1, 4, 6, 5)
LAST = IMAGES.transpose(0, 2, 3, 1).copy()
FILTERS = spread(3, 2, 3, 2, part=2)
HALVES = spread(6, 2, 3, 2, part=3)
LINES = IMAGES[:, :, 0].copy()
COMBS = FILTERS[:, :, :, 0].copy()
BIAS, BIAS_OF_HALVES = spread(3, part=4), spread(6, part=5)
BACK = spread(2, 3, 3, 2, part=6)
BACK_OF_HALVES = spread(4, 3, 3, 2, part=7)


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
    conv("plain", IMAGES, FILTERS), conv("bias", IMAGES, FILTERS, BIAS),
    *(conv(f"padding {p}", ONE, FILTERS, padding=p) for p in PADDINGS),
    *(conv(f"padding {p} stride 2", ONE, FILTERS, padding=p, stride=2) for p in PADDINGS),
    conv("strides", ONE, FILTERS, stride=[1, 3]), conv("stride over", ONE, FILTERS, stride=4),
    conv("dilation", ONE, FILTERS, dilation=2),
    conv("dilations", ONE, FILTERS, dilation=(1, 3)),
    conv("same dilated", ONE, FILTERS, dilation=2, padding="SAME"),
    conv("valid dilated", ONE, FILTERS, dilation=2, padding="VALID"),
    conv("groups", WIDE, HALVES, groups=2),
    conv("groups all", WIDE, HALVES, BIAS_OF_HALVES, groups=2, stride=2, padding=[1, 0, 2, 1],
         dilation=2),
    conv("depthwise", WIDE, HALVES[:4, :1].copy(), groups=4),
    conv("last", LAST, FILTERS, BIAS, data_format="NHWC", padding=1),
    conv("last pairs", LAST, FILTERS, data_format="NHWC", padding=[[0, 0], [1, 2], [0, 1], [0, 0]]),
    conv("one by one", IMAGES, FILTERS[:, :, :1, :1].copy()),
    conv("whole", ONE, spread(2, 2, 6, 5, part=8)),
    conv("many channels", spread(1, 20, 3, 2), spread(2, 20, 2, 2, part=8), padding=1),
    conv("empty batch", IMAGES[:0], FILTERS),
    *(conv(f"padding {p}", LINES, COMBS, function="conv1d", padding=p)
      for p in (1, [2], [1, 2], "SAME", "VALID", [[0, 0], [0, 0], [1, 2]])),
    conv("all", WIDE[:, :, 0].copy(), HALVES[:, :, :, 0].copy(), BIAS_OF_HALVES, function="conv1d",
         stride=2, dilation=2, padding=2, groups=2),
    conv("last", LINES.transpose(0, 2, 1).copy(), COMBS, BIAS, function="conv1d",
         data_format="NLC", padding=1),
    *(conv(f"{options}", ONE, BACK, function="conv2d_transpose", **options) for options in (
        {}, {"stride": 2}, {"stride": 2, "padding": 1, "output_padding": 1}, {"padding": "SAME"},
        {"stride": 2, "output_size": [14, 11]}, {"stride": 2, "output_size": 14},
        {"stride": (2, 3), "padding": "SAME"},
        {"dilation": 2, "padding": [1, 2, 0, 1]}, {"padding": "VALID"},
    )),
    conv("both sizes", IMAGES[:, :, :5].copy(), BACK, function="conv2d_transpose", stride=2,
         output_size=12),
    conv("groups", WIDE, BACK_OF_HALVES, BIAS_OF_HALVES, function="conv2d_transpose", groups=2,
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
