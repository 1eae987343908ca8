"""Pooling: windows, padding, ties, masks, adaptive windows, errors."""

import numpy as np

from ..harness import Case
from ..spread import spread
from ._calls import row as calls
from .ops import cotangent, row

IMAGES = spread(2, 2, 6, 7)
IMAGE = IMAGES[:1, :1].copy()
LAST = IMAGES.transpose(0, 2, 3, 1).copy()
LINES = IMAGES[:, :, 0].copy()
TIES = (np.arange(36.0) * 7 % 3).reshape(1, 1, 6, 6)

SIZES = (1, 2, [3, 7], [4, 3], [None, 2], [2, None], 9)
ONE_SIDE = [[0, 0], [0, 0], [1, 0], [0, 1]]
WINDOWS = (
    {"kernel_size": 2}, {"kernel_size": [2, 3], "stride": [1, 2]}, {"kernel_size": 3, "padding": 1},
    {"kernel_size": 3, "stride": 2, "padding": [1, 0]}, {"kernel_size": 2, "stride": 3},
    {"kernel_size": 3, "stride": 2, "padding": [1, 0, 0, 1]},
    {"kernel_size": 3, "stride": 2, "ceil_mode": True}, {"kernel_size": 3, "padding": "SAME"},
    {"kernel_size": 2, "stride": 2, "padding": "VALID"},
    {"kernel_size": 3, "padding": 1, "ceil_mode": True, "stride": 2},
    {"kernel_size": 4, "stride": 3, "padding": 1, "ceil_mode": True},
)  # fmt: skip


def pool(function, *inputs, **options):
    return row(
        f"{function} {options} {inputs[0].shape}",
        lambda q, *t: getattr(q.nn.functional, function)(*t, **options),
        *inputs,
    )


def mean(function, x, **options):
    """float64 without its gradient, of which real Paddle keeps only a float32's digits."""

    def body(paddle, show):
        pooled = getattr(paddle.nn.functional, function)
        show("float64", pooled(paddle.to_tensor(x), **options))
        tensor = paddle.to_tensor(x.astype("float32"), stop_gradient=False)
        out = pooled(tensor, **options)
        show("float32", out)
        out.backward(paddle.to_tensor(cotangent(out.shape).astype("float32")))
        show("grad", tensor.grad)

    return Case(f"{function} {options} {x.shape}", body, ulps=16)


def masked(function, x, **options):
    def body(q):
        both = getattr(q.nn.functional, function)(q.to_tensor(x), return_mask=True, **options)
        return [*both]

    return body


def refused(function, shape, *args, **options):
    return lambda q: getattr(q.nn.functional, function)(q.ones(shape), *args, **options).shape


TABLE = [
    *(pool("max_pool2d", IMAGE, **options) for options in WINDOWS),
    *(pool("max_pool2d", TIES, **options) for options in WINDOWS),
    *(mean("avg_pool2d", IMAGE, **options) for options in WINDOWS),
    *(mean("avg_pool2d", IMAGE, exclusive=False, **options) for options in WINDOWS),
    *(mean("avg_pool2d", IMAGE, divisor_override=n, kernel_size=3, padding=1) for n in (1, 2.5, 9)),
    *(make(name, IMAGE, kernel_size=2, stride=1, padding=ONE_SIDE)
      for name, make in (("avg_pool2d", mean), ("max_pool2d", pool))),
    row("avg_pool2d with padding on one side",
        lambda q, x: q.nn.functional.avg_pool2d(x, 2, 1, ONE_SIDE, exclusive=False), IMAGE,
        differs="padding counts on the side where it is: real Paddle clips at the other one"),
    pool("max_pool2d", LAST, kernel_size=2, data_format="NHWC"),
    mean("avg_pool2d", LAST, kernel_size=3, data_format="NHWC", padding=1),
    mean("adaptive_avg_pool2d", LAST, output_size=[2, 3], data_format="NHWC"),
    pool("max_pool2d", IMAGES, kernel_size=2), mean("avg_pool2d", IMAGES, kernel_size=2),
    *(make(name, IMAGES, output_size=[4, 3])
      for name, make in (("adaptive_avg_pool2d", mean), ("adaptive_max_pool2d", pool))),
    *(pool("max_pool1d", LINES, **options) for options in (
        {"kernel_size": 2}, {"kernel_size": 3, "stride": 2, "padding": 1},
        {"kernel_size": 3, "stride": 2, "ceil_mode": True}, {"kernel_size": 3, "padding": "SAME"})),
    *(mean("avg_pool1d", LINES, **options) for options in (
        {"kernel_size": 2}, {"kernel_size": 3, "stride": 2, "padding": 1},
        {"kernel_size": 3, "stride": 2, "ceil_mode": True}, {"kernel_size": 3, "padding": "SAME"},
        {"kernel_size": 3, "stride": 2, "padding": 1, "exclusive": False})),
    *(make(name, IMAGE, output_size=size) for size in SIZES
      for name, make in (("adaptive_avg_pool2d", mean), ("adaptive_max_pool2d", pool))),
    *(make(name, LINES, output_size=size) for size in (1, 3, 7)
      for name, make in (("adaptive_avg_pool1d", mean), ("adaptive_max_pool1d", pool))),
    row("avg_pool2d of thirds", lambda q, x: q.nn.functional.avg_pool2d(x, 3), IMAGE,
        differs="the gradient has all its digits in float64: real Paddle divides in float32"),
    calls("masks",
        masked("max_pool2d", IMAGE, kernel_size=2), masked("max_pool2d", TIES, kernel_size=3),
        masked("max_pool2d", TIES, kernel_size=3, stride=2, padding=1),
        masked("max_pool2d", TIES, kernel_size=3, stride=2, ceil_mode=True),
        masked("max_pool1d", LINES, kernel_size=3, stride=1, padding=1),
        masked("adaptive_max_pool2d", TIES, output_size=4),
        masked("adaptive_max_pool1d", LINES, output_size=3)),
    calls("refused",
        refused("max_pool2d", [1, 1, 4, 4], 2, ceil_mode=True, padding="VALID"),
        refused("max_pool2d", [1, 1, 4, 4], 2, return_mask=True, data_format="NHWC"),
        refused("max_pool2d", [1, 1, 4, 4], 2, data_format="NCL"),
        refused("max_pool2d", [1, 1, 4, 4], 2, 0), refused("max_pool2d", [1, 4, 4], 2),
        refused("max_pool1d", [1, 1, 4, 4], 2),
        refused("avg_pool2d", [1, 1, 4, 4], [2, 2, 2]),
        refused("avg_pool2d", [1, 1, 4, 4], 2, padding="X"),
        refused("adaptive_avg_pool2d", [1, 1, 4, 4], [2, 2, 2]),
        refused("adaptive_avg_pool2d", [1, 1, 4, 4], None),
        lambda q: q.nn.functional.max_pool2d(q.ones([1, 1, 2, 2], "int32"), 2)),
]  # fmt: skip
