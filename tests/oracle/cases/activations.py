"""Activations: values and slopes on both sides of every kink, settings, errors, layers."""

import numpy as np

from ..harness import Case, case
from ._texts import graded, texts

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
def integers_have_no_activations(paddle, show):
    functional = paddle.nn.functional
    for name in TABLES:
        if name in ("sigmoid", "tanh"):
            continue
        for kind in ("int32", "int64", "bool", "uint8"):
            x = paddle.to_tensor([0, 1]).astype(kind)
            show.raises(f"{name} {kind}", lambda n=name, t=x: getattr(functional, n)(t))


@case(ulps=8)
def in_place_forms(paddle, show):
    functional = paddle.nn.functional
    calls = {
        "relu_": (), "elu_": (0.5,), "leaky_relu_": (0.1,), "hardtanh_": (-0.5, 2.0),
        "softmax_": (0,), "tanh_": (), "thresholded_relu_": (0.5, 3.0),
    }  # fmt: skip
    for name, settings in calls.items():
        x = paddle.to_tensor([[1.0, -2.0], [3.0, -0.5]], stop_gradient=False)
        y = x * 1.0
        z = getattr(functional, name)(y, *settings)
        (z * paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
        show(name, [z is y, y, x.grad])
        show.raises(f"{name} leaf", lambda n=name, t=x: getattr(functional, n)(t))
    y = paddle.to_tensor([1.0, -2.0])
    show("silu", [functional.silu(y, inplace=True) is y, y])


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
    show("Maxout", repr(nn.Maxout(2, 3)))
    show("others", [repr(nn.CELU(2.0)), repr(nn.GELU(True)), repr(nn.PReLU(3, 0.1))])
    show("aliases", [nn.Silu is nn.SiLU])


@case(ulps=8)
def layers_call_their_functions(paddle, show):
    nn = paddle.nn
    x = paddle.to_tensor([[-3.5, -0.7, 0.2, 4.0], [0.0, 1.5, -2.0, 0.6]])
    layers = {
        "LeakyReLU": (0.2,), "ELU": (0.5,), "SELU": (1.5, 0.5), "CELU": (2.0,), "GELU": (True,),
        "Silu": (), "Swish": (), "Mish": (), "Hardtanh": (-0.5, 1.0), "Hardsigmoid": (),
        "Hardswish": (), "Hardshrink": (0.6,), "Softshrink": (0.6,), "Softplus": (2, 3),
        "Softsign": (), "Softmax": (0,), "LogSoftmax": (0,), "LogSigmoid": (), "Tanhshrink": (),
        "ThresholdedReLU": (0.3, 2.0), "GLU": (0,), "ReLU6": (), "PReLU": (4, 0.1),
    }  # fmt: skip
    for name, settings in layers.items():
        show(name, getattr(nn, name)(*settings)(x))
    layer = nn.PReLU(4, 0.3)
    show("slopes", [layer.parameters()[0], list(layer.state_dict()), layer._weight.shape])
    layer = nn.RReLU(0.1, 0.4)
    paddle.seed(1)
    show("RReLU", [layer(x), layer.eval()(x)])
    image = x.reshape([1, 2, 2, 2])
    show("Softmax2D", [nn.Softmax2D()(image), nn.Softmax2D()(image[0])])
    show("Maxout", nn.Maxout(2)(image))
    show.raises("Softmax2D of 2-D", lambda: nn.Softmax2D()(x))
    layer = nn.ELU(0.5)
    layer._alpha = 3.0
    show("a setting changed", layer(x))


TABLE += [
    *graded("activations", "selu slope in float64", names=globals(), dtypes=["float64"], ulps=8,
        differs="Paddle multiplies scale and alpha in float32 for its float64 gradient"),
    *texts("activations", "call", names=globals()),
    *graded("activations", "out and gradients within 2 ulps in float32", names=globals(),
        dtypes=["float32"], ulps=2),
    *texts("activations", "call within 2 ulps", names=globals(), ulps=2),
    *graded("activations", "out and gradients within 2 ulps", names=globals(), ulps=2),
    *texts("activations", "call within 8 ulps", names=globals(), ulps=8),
    *graded("activations", "out and gradients within 8 ulps in float32", names=globals(),
        dtypes=["float32"], ulps=8),
    *graded("activations", "gumbel softmax slope of a temperature", names=globals(),
        dtypes=["float32"],
        differs="Paddle's gradient leaves out the division by the temperature"),
    *graded("activations", "gumbel softmax slope of a hard choice", names=globals(),
        dtypes=["float32"],
        differs="Paddle's gradient of a hard choice is 0; its document promises the soft one's"),
    *graded("activations", "out and gradients in float32", names=globals(), dtypes=["float32"]),
]  # fmt: skip
