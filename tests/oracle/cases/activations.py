"""Activations: values and slopes on both sides of every bend, settings, refusals, layers."""

import numpy as np

from ..harness import Case, case

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


@case(ulps=8, differs="Paddle multiplies scale and alpha in float32 for its float64 gradient")
def selu_slope_in_float64(paddle, show):
    x = paddle.to_tensor([-30.0, -1.0, 2.0], dtype="float64", stop_gradient=False)
    paddle.nn.functional.selu(x).sum().backward()
    show("slope", x.grad)


@case
def integers_have_no_activations(paddle, show):
    functional = paddle.nn.functional
    for name in TABLES:
        if name in ("sigmoid", "tanh"):
            continue
        for kind in ("int32", "int64", "bool", "uint8"):
            x = paddle.to_tensor([0, 1]).astype(kind)
            show.raises(f"{name} {kind}", lambda n=name, t=x: getattr(functional, n)(t))


@case
def settings_that_are_refused(paddle, show):
    functional, x = paddle.nn.functional, paddle.to_tensor([1.0, -2.0])
    show.raises("celu", lambda: functional.celu(x, 0))
    show.raises("selu scale", lambda: functional.selu(x, 1.0))
    show.raises("selu alpha", lambda: functional.selu(x, 1.5, -1))
    show.raises("softshrink", lambda: functional.softshrink(x, -1))
    show.raises("elu", lambda: functional.elu(x, "a"))
    show.raises("list", lambda: functional.elu([1.0, 2.0]))
    show.raises("array", lambda: functional.gelu(np.ones(2)))
    show.raises("temperature", lambda: functional.gumbel_softmax(x, 0.0))
    show.raises("gumbel axis", lambda: functional.gumbel_softmax(x, axis=3))


@case(ulps=2)
def prelu_forms(paddle, show):
    functional = paddle.nn.functional
    x = paddle.to_tensor([[1.0, -2.0, 3.0, -4.0], [0.0, -1.0, 2.0, -0.5]], stop_gradient=False)
    for label, slopes in (("one", [0.3]), ("each", [0.1, 0.2, 0.3, 0.4])):
        weight = paddle.to_tensor(slopes, stop_gradient=False)
        x.clear_grad()
        y = functional.prelu(x, weight)
        (y * paddle.arange(8.0).reshape([2, 4])).sum().backward()
        show(label, [y, x.grad, weight.grad])
    image = x.detach().reshape([1, 2, 2, 2])
    show("first", functional.prelu(image, paddle.to_tensor([0.1, 0.2])))
    show("last", functional.prelu(image, paddle.to_tensor([0.1, 0.2]), "NHWC"))
    show("0-D slope", functional.prelu(x, paddle.to_tensor(0.5)))
    show.raises("three", lambda: functional.prelu(x, paddle.to_tensor([0.1, 0.2, 0.3])))
    show.raises("1-D x", lambda: functional.prelu(x[0], paddle.to_tensor([0.1] * 4)))
    show.raises("2-D slope", lambda: functional.prelu(x, paddle.to_tensor([[0.1]])))
    show.raises("format", lambda: functional.prelu(x, paddle.to_tensor([0.1, 0.2]), "XX"))
    show.raises("dtype", lambda: functional.prelu(x, paddle.to_tensor([0.1], dtype="float64")))


@case(ulps=2)
def rrelu_draws_slopes(paddle, show):
    functional = paddle.nn.functional
    for kind in ("float32", "float64"):
        points = [[1.0, -2.0, 3.0, -4.0], [0.0, -1.0, 2.0, -0.5]]
        x = paddle.to_tensor(points, dtype=kind, stop_gradient=False)
        paddle.seed(3)
        y = functional.rrelu(x, 0.1, 0.3)
        y.sum().backward()
        show(kind, [y, x.grad])
        show(f"{kind} in use", functional.rrelu(x, 0.1, 0.3, training=False))
    show("the next number", paddle.rand([2]))
    show.raises("order", lambda: functional.rrelu(x, 1.0, 0.5))
    show.raises("int", lambda: functional.rrelu(x, 0, 0.5))
    show.raises("above 1", lambda: functional.rrelu(x, 0.1, 2.0))
    show.raises("below 0", lambda: functional.rrelu(x, -0.1, 0.2))


@case(ulps=8)
def softmax_forms(paddle, show):
    functional = paddle.nn.functional
    x = paddle.to_tensor([[1.0, 2.0, 4.0], [3.0, 5.0, 0.0]])
    cube = paddle.arange(8.0).reshape([2, 2, 2])
    show("last", functional.softmax(x))
    show("axis", functional.softmax(x, 0))
    show("dtype", functional.softmax(x, -1, "float64"))
    show("int to float", functional.softmax(paddle.to_tensor([1, 2]), dtype="float32"))
    show("log", [functional.log_softmax(x), functional.log_softmax(x, 0, "float64")])
    show("paddle", [paddle.softmax(x), paddle.softmax(x, 0), paddle.softmax(cube)])
    show("method", [x.softmax(), x.softmax(dim=1), x.softmax(0, dtype="float64")])
    show("0-D", [functional.softmax(paddle.to_tensor(3.0)), paddle.softmax(paddle.to_tensor(3.0))])
    show.raises("axis 2", lambda: functional.softmax(x, 2))
    show.raises("log axis 2", lambda: functional.log_softmax(x, -3))
    show.raises("int", lambda: functional.softmax(paddle.to_tensor([1, 2])))


@case(ulps=8)
def gumbel_softmax_draws(paddle, show):
    functional = paddle.nn.functional
    x = paddle.to_tensor([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]], stop_gradient=False)
    for label, settings in (("plain", {}), ("axis", {"axis": 0}), ("hard", {"hard": True})):
        paddle.seed(5)
        show(label, functional.gumbel_softmax(x, **settings))
    paddle.seed(5)
    y = functional.gumbel_softmax(x)
    (y * paddle.to_tensor([1.0, 2.0, 3.0])).sum().backward()
    show("slope", x.grad)
    paddle.seed(5)
    show("cold", functional.gumbel_softmax(x, 0.5))
    paddle.seed(5)
    show("hard along 0", functional.gumbel_softmax(x, 0.5, True, 0))


@case(differs="Paddle's gradient leaves out the division by the temperature")
def gumbel_softmax_slope_of_a_temperature(paddle, show):
    x = paddle.to_tensor([[1.0, 2.0, 3.0]], stop_gradient=False)
    paddle.seed(5)
    y = paddle.nn.functional.gumbel_softmax(x, 0.5)
    (y * paddle.to_tensor([1.0, 2.0, 3.0])).sum().backward()
    show("slope", x.grad)


@case(differs="Paddle's gradient of a hard choice is 0; its document promises that of the soft one")
def gumbel_softmax_slope_of_a_hard_choice(paddle, show):
    x = paddle.to_tensor([[1.0, 2.0, 3.0]], stop_gradient=False)
    paddle.seed(5)
    y = paddle.nn.functional.gumbel_softmax(x, hard=True)
    (y * paddle.to_tensor([1.0, 2.0, 3.0])).sum().backward()
    show("slope", x.grad)


@case(ulps=4)
def gates_and_groups(paddle, show):
    functional = paddle.nn.functional
    x = paddle.to_tensor([[1.0, -2.0, 3.0, -4.0], [0.0, -1.0, 2.0, -0.5]], stop_gradient=False)
    show("glu", [functional.glu(x), functional.glu(x, 0), functional.glu(x, -2)])
    show("swiglu", [functional.swiglu(x), functional.swiglu(x, x * 2)])
    functional.glu(x).sum().backward()
    show("glu slope", x.grad)
    x.clear_grad()
    functional.swiglu(x).sum().backward()
    show("swiglu slope", x.grad)
    show.raises("odd", lambda: functional.glu(x[:, :3]))
    show.raises("axis", lambda: functional.glu(x, 5))
    show.raises("0-D", lambda: functional.glu(paddle.to_tensor(1.0)))
    image = x.detach().reshape([1, 4, 2, 1])
    show("maxout", [functional.maxout(image, 2), functional.maxout(image, 4)])
    wide = x.detach().reshape([1, 2, 1, 4])
    show("maxout last", [functional.maxout(wide, 2, 3), functional.maxout(wide, 2, -1)])
    same = paddle.ones([1, 4, 2, 1])
    same.stop_gradient = False
    functional.maxout(same, 2).sum().backward()
    show("of ties the first", same.grad)
    for label, groups, axis in (("three", 3, 1), ("axis 2", 2, 2), ("none", 0, 1), ("one", 1, 1)):
        show.raises(label, lambda g=groups, a=axis: functional.maxout(image, g, a))
    show.raises("2-D", lambda: functional.maxout(x, 2))


@case(ulps=8)
def in_place_forms(paddle, show):
    functional = paddle.nn.functional
    calls = {
        "relu_": (),
        "elu_": (0.5,),
        "leaky_relu_": (0.1,),
        "hardtanh_": (-0.5, 2.0),
        "softmax_": (0,),
        "tanh_": (),
        "thresholded_relu_": (0.5, 3.0),
    }
    for name, settings in calls.items():
        x = paddle.to_tensor([[1.0, -2.0], [3.0, -0.5]], stop_gradient=False)
        y = x * 1.0
        z = getattr(functional, name)(y, *settings)
        (z * paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
        show(name, [z is y, y, x.grad])
        show.raises(f"{name} leaf", lambda n=name, t=x: getattr(functional, n)(t))
    y = paddle.to_tensor([1.0, -2.0])
    show("silu", [functional.silu(y, inplace=True) is y, y])


@case(ulps=4)
def one_hot_rows(paddle, show):
    one_hot = paddle.nn.functional.one_hot
    show("given", one_hot(paddle.to_tensor([0, 2, 1]), 4))
    show("counted", one_hot(paddle.to_tensor([[3, 0]])))
    show("int32", one_hot(paddle.to_tensor([0, 1], dtype="int32"), 2))
    show("0-D", one_hot(paddle.to_tensor(2), 3))
    show("empty", one_hot(paddle.zeros([0], dtype="int64"), 3))
    show("a Tensor", [one_hot(paddle.to_tensor([1]), paddle.to_tensor(3))])
    show("of one element", [one_hot(paddle.to_tensor([1]), paddle.to_tensor([3]))])
    for label, numbers, count in (("large", [5], 4), ("negative", [-1], 4), ("none", [1], 0)):
        show.raises(label, lambda n=numbers, c=count: one_hot(paddle.to_tensor(n), c))
    for kind in ("float32", "uint8", "bool", "int16"):
        show.raises(kind, lambda k=kind: one_hot(paddle.to_tensor([0, 1]).astype(k), 4))


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
