"""Initializers: the numbers they give, what they refuse, and the choice between them."""

import numpy as np

from ..harness import case


def made(paddle, start, shape, dtype="float32"):
    paddle.seed(1)
    attr = paddle.ParamAttr(initializer=start)
    return paddle.create_parameter(list(shape), dtype, attr=attr)


@case(ulps=8)
def truncated_normals(paddle, show):
    cut = paddle.nn.initializer.TruncatedNormal
    for label, start in {
        "usual": cut(),
        "narrow": cut(0.0, 0.02),
        "moved": cut(1.0, 2.0, -1.0, 3.0),
        "one side": cut(0.0, 1.0, 0.5, 9.0),
    }.items():
        for kind in ("float32", "float64"):
            show(f"{label} {kind}", made(paddle, start, [20], kind))
    show("the next number", paddle.rand([1]))


@case(ulps=8)
def orthogonal_matrices(paddle, show):
    orthogonal = paddle.nn.initializer.Orthogonal
    for shape in ([3, 4], [4, 2], [3, 3], [2, 3, 2]):
        show(str(shape), made(paddle, orthogonal(), shape))
    show("gain", made(paddle, orthogonal(2.0), [2, 3], "float64"))
    show.raises("a vector", lambda: made(paddle, orthogonal(), [4]))


@case
def filters_that_hand_on(paddle, show):
    dirac = paddle.nn.initializer.Dirac
    show("3", made(paddle, dirac(), [3, 2, 3]))
    show("4", np.argwhere(made(paddle, dirac(), [2, 3, 4, 5]).numpy()))
    show("groups", made(paddle, dirac(2), [4, 2, 3, 3]).sum([2, 3]))
    show.raises("2", lambda: made(paddle, dirac(), [3, 2]))
    show.raises("no multiple", lambda: made(paddle, dirac(2), [3, 2, 3]))
    show.raises("groups 0", lambda: dirac(0))


@case
def gains(paddle, show):
    gain = paddle.nn.initializer.calculate_gain
    for name in (
        "relu",
        "leaky_relu",
        "tanh",
        "selu",
        "sigmoid",
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv1d_transpose",
        "conv2d_transpose",
        "conv3d_transpose",
    ):
        show(name, gain(name))
    show("slopes", [gain("leaky_relu", 0.3), gain("leaky_relu", True), gain("relu", 3)])
    show.raises("gelu", lambda: gain("gelu"))
    show.raises("a text", lambda: gain("leaky_relu", "a"))


@case
def for_all_layers(paddle, show):
    nn, constant = paddle.nn, paddle.nn.initializer.Constant
    put = nn.initializer.set_global_initializer
    try:
        put(constant(2.0), constant(3.0))
        layer = nn.Linear(1, 1)
        show("both", [layer.weight, layer.bias])
        show("attr", nn.Linear(1, 1, weight_attr=constant(7.0)).weight)
        show("over the layer's own", nn.PReLU().parameters()[0])
        put(constant(4.0))
        layer = nn.Linear(1, 1)
        show("weights", [layer.weight, layer.bias])
    finally:
        put(None)
    show("none", nn.Linear(1, 1).bias)


@case
def refusals(paddle, show):
    init = paddle.nn.initializer
    show.raises("mode", lambda: init.KaimingNormal(mode="x"))
    weight = paddle.create_parameter([2, 2], "float32")
    show("called", [init.Constant(5.0)(weight), weight])
