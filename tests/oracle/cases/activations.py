"""Activations: values and slopes on both sides of every kink, settings, errors, layers."""

import numpy as np

from ..harness import Case, case
from ._texts import texts

POINTS = [-30.0, -3.5, -3.0, -1.5, -1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 6.0, 7.0, 25.0]
TABLES = {
    "relu": ({},),
    "relu6": ({},),
    "leaky_relu": ({}, {"negative_slope": 0.3}, {"negative_slope": 2.0}, {"negative_slope": -1.0}),
    "elu": ({}, {"alpha": 0.5}, {"alpha": 2}),
    "selu": ({}, {"scale": 1.5, "alpha": 0.5}),
    "celu": ({}, {"alpha": 1.5}, {"alpha": 0.3}),
    "gelu": ({}, {"approximate": True}),
    "silu": ({},),
    "swish": ({},),
    "mish": ({},),
    "hardtanh": ({}, {"min": -0.3, "max": 2.5}),
    "hardsigmoid": ({}, {"slope": 0.3, "offset": 0.1}),
    "hardswish": ({},),
    "hardshrink": ({}, {"threshold": 1.5}, {"threshold": 0.0}, {"threshold": -1.0}),
    "softshrink": ({}, {"threshold": 1.5}, {"threshold": 0}),
    "softplus": ({}, {"beta": 2, "threshold": 5}, {"beta": 0.5}),
    "softsign": ({},),
    "log_sigmoid": ({},),
    "tanhshrink": ({},),
    "thresholded_relu": ({}, {"threshold": -1.0, "value": 5.0}),
    "sigmoid": ({},),
    "tanh": ({},),
}


def values_and_slopes(name: str, settings: dict) -> Case:
    def run(paddle, show) -> None:
        function = getattr(paddle.nn.functional, name)
        for kind in ("float32",) if name == "selu" else ("float32", "float64"):
            x = paddle.to_tensor(POINTS, dtype=kind, stop_gradient=False)
            y = function(x, **settings)
            y.backward(paddle.to_tensor(np.arange(1.0, len(POINTS) + 1), dtype=kind))
            show(kind, [y, x.grad])
        show("0-D", function(paddle.to_tensor(1.5), **settings))
        show("empty", function(paddle.zeros([0, 3]), **settings))

    words = "_".join(f"{key}_{value}" for key, value in settings.items())
    return Case(f"{name}_{words}".strip("_"), run, None, 8)


TABLE = [values_and_slopes(name, row) for name, rows in TABLES.items() for row in rows]


@case
def texts_of_the_layers(paddle, show):
    nn = paddle.nn
    names = (
        "ReLU ReLU6 LeakyReLU ELU SELU CELU GELU Silu Swish Mish Hardtanh Hardsigmoid "
        "Hardswish Hardshrink Softshrink Softplus Softsign Softmax Softmax2D LogSoftmax "
        "Sigmoid LogSigmoid Tanh Tanhshrink ThresholdedReLU PReLU RReLU GLU"
    )
    for name in names.split():
        layer = getattr(nn, name)()
        show(name, [repr(layer), repr(getattr(nn, name)(name="n")), layer.full_name()])


@case(ulps=8)
def layers_call_their_functions(paddle, show):
    nn = paddle.nn
    x = paddle.to_tensor([[-3.5, -0.7, 0.2, 4.0], [0.0, 1.5, -2.0, 0.6]])
    layer = nn.PReLU(4, 0.3)
    layer = nn.RReLU(0.1, 0.4)
    paddle.seed(1)
    show("RReLU", [layer(x), layer.eval()(x)])
    image = x.reshape([1, 2, 2, 2])
    show("Softmax2D", [nn.Softmax2D()(image), nn.Softmax2D()(image[0])])
    layer = nn.ELU(0.5)
    layer._alpha = 3.0
    show("a setting changed", layer(x))


DIFFERS = {
    "selu slope within 8 ulps in float64":
        "Paddle multiplies scale and alpha in float32 for its float64 gradient",
    "gumbel softmax slope of a temperature in float32":
        "Paddle's gradient leaves out the division by the temperature",
    "gumbel softmax slope of a hard choice in float32":
        "Paddle's gradient of a hard choice is 0; its document promises the soft one's",
}  # fmt: skip
TABLE += texts("activations", globals(), DIFFERS)
