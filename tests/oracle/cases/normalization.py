"""Normalization: batch, layer, group and instance norm; running statistics, modes, errors."""

import numpy as np

from ..harness import Case, case
from ..spread import spread
from ._texts import texts

X = spread(4, 3) + 1.0
IMAGE = spread(2, 4, 3, 2)
LAST = IMAGE.transpose(0, 2, 3, 1).copy()
SIX = spread(2, 6)
W, B = np.array([0.5, -1.5, 2.0]), np.array([0.25, 1.0, -2.0])
W4, B4 = np.array([0.5, -1.5, 2.0, 1.25]), np.array([0.25, 1.0, -2.0, 0.0])


@case
def half_precision_by_default(paddle, show):
    paddle.set_default_dtype("float16")
    for layer in (paddle.nn.BatchNorm1D(3), paddle.nn.BatchNorm(3), paddle.nn.LayerNorm(3)):
        show(type(layer).__name__, [str(each.dtype) for each in layer.state_dict().values()])
    show("out", paddle.nn.BatchNorm1D(3)(paddle.to_tensor(X.astype("float32"))))
    paddle.set_default_dtype("float32")


def batched(name, x, channels, affine=True, differs=None, **options):
    """Return a case of three calls: results, gradients and running statistics after each."""

    def body(paddle, show):
        for dtype in ("float32", "float64"):

            def tensor(value, stop=True, dtype=dtype):
                return paddle.to_tensor(value.astype(dtype), stop_gradient=stop)

            mean = tensor(np.linspace(-0.5, 0.5, channels))
            variance = tensor(np.linspace(0.5, 2.0, channels))
            weight, bias = None, None
            if affine:
                weight = tensor(np.linspace(-1.0, 2.0, channels), False)
                bias = tensor(np.linspace(0.5, -0.5, channels), False)
            for step in range(3):
                given = tensor(spread(*x.shape, part=step + 2), False)
                out = paddle.nn.functional.batch_norm(
                    given, mean, variance, weight, bias, **options
                )
                show(f"{dtype} out {step}", out)
                paddle.mean(out * out * out).backward()
                show(f"{dtype} dx {step}", given.grad)
            show(f"{dtype} statistics", [mean, variance])
            if affine:
                show(f"{dtype} affine", [weight.grad, bias.grad])

    return Case(f"batch_norm {name}", body, differs=differs, ulps=64)


DIFFERS = {
    "out and gradients, differing within 64 ulps":
        "the gradient without a weight is right: real Paddle's is not the slope",
    "call, channels last": "instance_norm heeds data_format: real Paddle ignores it",
}  # fmt: skip
TABLE = [
    batched("training", X, 3, training=True),
    batched("plain", X, 3, affine=False, training=True),
    batched("image", IMAGE, 4, training=True, momentum=0.7, epsilon=0.01),
    batched("lines", IMAGE[:, :, 0], 4, training=True, data_format="NCL"),
    batched("last", LAST, 4, training=True, data_format="NHWC"),
    batched("use", X, 3),
    batched("use of images", IMAGE, 4, epsilon=0.1),
    batched("global in training", X, 3, training=True, use_global_stats=True),
    batched(
        "batch in use",
        X,
        3,
        training=False,
        use_global_stats=False,
        differs="the gradient of the batch's own statistics: real Paddle leaves it out",
    ),
    batched("one sample", X[:1], 3, training=True),
    batched("empty", X[:0], 3, training=True),
    *texts("normalization", globals(), DIFFERS),
]
