"""Initializers: their numbers, their errors, and the choice between them."""

from ..harness import case
from ._texts import texts


def made(paddle, start, shape, dtype="float32"):
    paddle.seed(1)
    attr = paddle.ParamAttr(initializer=start)
    return paddle.create_parameter(list(shape), dtype, attr=attr)


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


def names(paddle):
    """Return the names that the expressions use."""
    orthogonal = paddle.nn.initializer.Orthogonal
    dirac = paddle.nn.initializer.Dirac
    gain = paddle.nn.initializer.calculate_gain
    return globals() | locals()


DIFFERS = {"call, in float64": "real Paddle turns the parameter into one of float32"}
TABLE = texts("initializers", names, DIFFERS)
