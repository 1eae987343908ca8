"""Lines, powers, limits and roundings: functions of one element with numbers as attributes."""

import numpy as np

from ..harness import case

NAN, INF = float("nan"), float("inf")


def slope(paddle, function, points, dtype="float32"):
    x = paddle.to_tensor(points, dtype=dtype, stop_gradient=False)
    function(x).sum().backward()
    return x.grad


# ----- scale -----


@case
def scale_forms(paddle, show):
    x = paddle.to_tensor([1.0, -2.0, 0.1])
    show("default", paddle.scale(x))
    show("by position", paddle.scale(x, 3.0, 0.5, False))
    show("before", paddle.scale(x, 0.3, 0.1, bias_after_scale=False))
    show("method", x.scale(scale=2, bias=-1))
    show("0-D", paddle.scale(paddle.to_tensor(1.5), 2.0))
    show("tensor", paddle.scale(x, paddle.to_tensor(3.0)))
    show("tensor of one", paddle.scale(x, paddle.to_tensor([3.0], dtype="float64"), 1.0))
    show("tensor of int", paddle.scale(x, paddle.to_tensor([3])))
    show("numpy", paddle.scale(x, np.float32(2.0)))
    show("in place", paddle.to_tensor([1.0, 2.0]).scale_(3.0, 1.0))
    show("slope", slope(paddle, lambda t: paddle.scale(t, -2.5, 1.0), [1.0, 2.0]))
    show("slope before", slope(paddle, lambda t: t.scale(4.0, 1.0, False), [1.0, 2.0]))


@case
def scale_gives_a_tensor_no_gradient(paddle, show):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    factor = paddle.to_tensor(3.0, stop_gradient=False)
    paddle.scale(x, factor).sum().backward()
    show("grads", [x.grad, factor.grad])


@case(ulps=8)
def scale_then_act(paddle, show):
    x = paddle.to_tensor([1.0, -2.0])
    for act in ("relu", "tanh", "sigmoid", "exp", "sqrt", None):
        show(str(act), paddle.scale(x, 2.0, 1.0, True, act))


@case
def scale_of_integers(paddle, show):
    for kind in ("int8", "int16", "int32", "int64"):
        x = paddle.to_tensor([1, -2, 100], dtype=kind)
        show(f"{kind} 2.9", paddle.scale(x, 2.9))
        show(f"{kind} bias", paddle.scale(x, 1.0, -2.7))
        show(f"{kind} before", paddle.scale(x, 2.9, 1.9, False))
        show(f"{kind} neg", paddle.scale(x, -1.0))
    x = paddle.to_tensor([200, 3], dtype="uint8")
    show("uint8", [paddle.scale(x, 2, 100), paddle.scale(x, -1.0)])
    x = paddle.to_tensor([True, False])
    for numbers in ((0.5, 0.0), (1.0, 0.5), (0.0, 0.0), (-1.0, 1.0), (1.0, 0.0)):
        show(f"bool {numbers}", paddle.scale(x, *numbers))


@case
def scale_errors(paddle, show):
    x = paddle.to_tensor([1.0, -2.0])
    show.raises("two numbers", lambda: paddle.scale(x, paddle.to_tensor([1.0, 2.0])))
    show.raises("none", lambda: paddle.scale(x, None))
    show.raises("act", lambda: paddle.scale(x, 1.0, act="no_such_op"))
    show.raises("list", lambda: paddle.scale([1.0], 1.0))


@case(differs="a number in quotes is refused, not taken for 0")
def scale_by_a_text(paddle, show):
    x = paddle.to_tensor([1.0, -2.0])
    show.raises("scale", lambda: paddle.scale(x, "a"))
    show.raises("clip", lambda: paddle.clip(x, "a"))


@case
def minus(paddle, show):
    x = paddle.to_tensor([True, False])
    show("neg of bool", paddle.neg(x))
    show.raises("negative of bool", lambda: paddle.negative(x))
    show.raises("positive of bool", lambda: paddle.positive(x))
    y = paddle.ones([1])
    show("positive is x", paddle.positive(y) is y)
    show("neg_", paddle.to_tensor([1, -2]).neg_())


# ----- powers -----


@case
def pow_at_0(paddle, show):
    for power in (0, 1, 2, 3, 0.5, -1):
        show(f"{power}", paddle.pow(paddle.to_tensor(0.0), power))
        show(f"slope {power}", slope(paddle, lambda t, power=power: paddle.pow(t, power), 0.0))
    show("nan", paddle.pow(paddle.to_tensor([NAN, -2.0]), 0))
    show("root of -1", paddle.pow(paddle.to_tensor([-1.0]), 0.5))


@case
def pow_of_integers(paddle, show):
    x = paddle.to_tensor([1, 2, 3])
    for power in (2, 2.0, 0.5, 2.5, 0):
        show(f"{power}", paddle.pow(x, power))
    show("int32", paddle.pow(x.astype("int32"), 3))
    show("operator", [x**2, x**2.0, x**0.5, paddle.to_tensor([True]) ** 2])
    show("uint8 operator", paddle.to_tensor([3], dtype="uint8") ** 2.0)
    for kind in ("bool", "uint8", "int8", "int16"):
        show.raises(kind, lambda kind=kind: paddle.pow(paddle.ones([1], kind), 2))


# ----- limits -----


@case
def clip_forms(paddle, show):
    y = paddle.to_tensor([[1.5, -2.25], [3.75, 0.0]])
    show("numbers", paddle.clip(y, -1, 2.0))
    show("min", paddle.clip(y, min=0.0))
    show("max", paddle.clip(y, max=0.0))
    show("none", paddle.clip(y))
    show("clamp", [paddle.clamp(y, 0.0, 1.0), y.clamp(max=1.0)])
    show("tensors", paddle.clip(y, paddle.to_tensor(-1.0), paddle.to_tensor([2.0])))
    show("mixed", paddle.clip(y, -1.0, paddle.to_tensor([2.0])))
    show("wider", paddle.clip(y, paddle.to_tensor([-1.0], dtype="float64"), None))
    show("int tensor", paddle.clip(y, paddle.to_tensor([-1]), paddle.to_tensor([2])))
    show("numpy", paddle.clip(y, np.float32(0.5), np.int64(1)))
    show("arrays", paddle.clip(y, np.array([0.5], "float32"), np.array([1.0], "float32")))
    show("0-D", paddle.clip(paddle.to_tensor(5.0), 0.0, 1.0))
    show("nan", paddle.clip(paddle.to_tensor([NAN, 1.0]), 0.0, 0.5))
    show("in place", paddle.to_tensor([1.0, 5.0]).clip_(2.0, 3.0))
    show("clamp_", paddle.to_tensor([1.0, 5.0]).clamp_(2.0, 3.0))


@case
def clip_slopes(paddle, show):
    points = [-2.0, -1.0, 0.0, 1.0, 2.0, NAN, INF]
    show("both", slope(paddle, lambda t: paddle.clip(t, -1.0, 1.0), points))
    show("one", slope(paddle, lambda t: paddle.clip(t, max=1.0), points))
    show("none", slope(paddle, paddle.clip, points[:5]))
    low, high = (paddle.to_tensor([v], stop_gradient=False) for v in (-1.0, 1.0))
    show("tensors", slope(paddle, lambda t: paddle.clip(t, low, high), points))
    show("of the limits", [low.grad, high.grad])


@case(differs="a limit that is not given does not limit: infinities keep value and slope")
def clip_of_infinities(paddle, show):
    x = paddle.to_tensor([INF, -INF], stop_gradient=False)
    y = paddle.clip(x)
    y.sum().backward()
    show("y", [y, x.grad])


@case
def clip_of_integers(paddle, show):
    x = paddle.to_tensor([1, 5])
    show("ints", paddle.clip(x, 2, 4))
    show("float", paddle.clip(x, 1.5))
    show("float max", paddle.clip(x, max=2.0))
    show("int32", paddle.clip(x.astype("int32"), 0, 3))
    show("tensor", paddle.clip(x, paddle.to_tensor([2]), 4))
    show("float tensor", paddle.clip(x, paddle.to_tensor([1.5]), paddle.to_tensor([2.5])))
    for kind in ("bool", "uint8", "int8", "int16"):
        show.raises(kind, lambda kind=kind: paddle.clip(paddle.ones([1], kind), 0, 1))


@case
def clip_errors(paddle, show):
    x = paddle.to_tensor([1.0, 5.0])
    show.raises("inverted", lambda: paddle.clip(x, 2.0, 1.0))
    show.raises("nan", lambda: paddle.clip(x, NAN, 1.0))
    show.raises("two", lambda: paddle.clip(x, paddle.to_tensor([1.0, 2.0])))
    show.raises("list", lambda: paddle.clip(x, [1.0], [2.0]))


@case
def nan_to_num_forms(paddle, show):
    for dtype in ("float32", "float64"):
        z = paddle.to_tensor([NAN, INF, -INF, 1.5], dtype=dtype)
        show(f"{dtype}", paddle.nan_to_num(z))
        show(f"{dtype} all", paddle.nan_to_num(z, 1.0, 2.0, 3.0))
        show(f"{dtype} posinf", paddle.nan_to_num(z, 0.5, posinf=7))
        show(f"{dtype} neginf", z.nan_to_num(neginf=-7.0))
        show(f"{dtype} one after the other", paddle.nan_to_num(z, INF, 1.0, 2.0))
        show(f"{dtype} crossed", paddle.nan_to_num(z, posinf=-INF, neginf=9.0))
    show("in place", paddle.to_tensor([NAN, 2.0]).nan_to_num_(3.0))
    show("slope", slope(paddle, paddle.nan_to_num, [NAN, INF, -INF, 1.5]))
    show.raises("int", lambda: paddle.nan_to_num(paddle.to_tensor([1])))
    show.raises("none", lambda: paddle.nan_to_num(z, None))


# ----- rounding -----


@case
def round_decimals(paddle, show):
    points = [1.25, -2.675, 1234.5678, 0.5, 1.5, -0.5, 149.5, 2.5]
    for decimals in (0, 1, 2, 3, 20, -1, -2):
        x = paddle.to_tensor(points)
        show(f"{decimals}", paddle.round(x, decimals))
        show(f"{decimals} wide", paddle.round(x.astype("float64"), decimals=decimals))
    show("method", paddle.to_tensor(points).round(decimals=1))
    show("in place", paddle.to_tensor([1.256]).round_(2))
    show("slope", slope(paddle, lambda t: paddle.round(t, 1), [1.26, 2.0]))
    show("ints", [paddle.round(paddle.to_tensor([15, 25, -35]), d) for d in (-1, 0, 1)])
    show("not finite", paddle.round(paddle.to_tensor([NAN, INF, -INF]), 1))
    show.raises("str", lambda: paddle.round(paddle.ones([1]), "a"))
    show.raises("float", lambda: paddle.round(paddle.ones([1]), 1.5))


@case
def trunc_is_given_its_input(paddle, show):
    show("by name", paddle.trunc(input=paddle.to_tensor([1.5, -1.5])))
    show.raises("x", lambda: paddle.trunc(x=paddle.to_tensor([1.5])))


# ----- logit, stanh -----


@case(ulps=8)
def logit_eps(paddle, show):
    points = [0.0, 0.05, 0.1, 0.5, 0.9, 0.95, 1.0, 1.5, -0.1]
    for eps in (None, 0.0, 0.1, 0.5, 0.7, -0.1, 1e-8, 1):
        for point in points:
            show(f"{eps} of {point}", paddle.logit(paddle.to_tensor(point), eps))
            grad = slope(paddle, lambda t, eps=eps: paddle.logit(t, eps), point)
            show(f"{eps} slope at {point}", grad)
    show("method", paddle.to_tensor([0.3]).logit(eps=0.4))
    show("in place", paddle.to_tensor([0.3]).logit_(0.4))
    show.raises("str", lambda: paddle.logit(paddle.ones([1]), "a"))


@case(ulps=8)
def stanh_forms(paddle, show):
    x = paddle.to_tensor([1.0, -2.0])
    show("default", paddle.stanh(x))
    show("ints", paddle.stanh(x, 1, 2))
    show("by name", x.stanh(scale_b=3.0))
    show("slope", slope(paddle, lambda t: paddle.stanh(t, 0.5, -2.0), [1.0, -2.0, 0.0]))
    show.raises("str", lambda: paddle.stanh(x, "a"))


# ----- increment -----


@case
def increment(paddle, show):
    x = paddle.to_tensor([1.0])
    y = paddle.increment(x, 2.5)
    show("in place", [x, y is x, x.inplace_version])
    show("0-D", paddle.increment(paddle.to_tensor(1.0)))
    show("of shape 1 1", paddle.ones([1, 1]).increment(value=2))
    for value in (3, 0.5, 1.9, -1.9):
        show(f"int {value}", paddle.increment(paddle.to_tensor([1]), value))
    leaf = paddle.to_tensor([2.0], stop_gradient=False)
    show("leaf", [paddle.increment(leaf), leaf.is_leaf, leaf.stop_gradient])
    inner = leaf * leaf
    inner.increment(1.0)
    (inner * inner).backward()
    show("slope", [inner, leaf.grad])


@case
def increment_errors(paddle, show):
    show.raises("two", lambda: paddle.increment(paddle.ones([2])))
    show.raises("empty", lambda: paddle.increment(paddle.ones([0])))
    show.raises("str", lambda: paddle.increment(paddle.ones([1]), "a"))
    show.raises("number", lambda: paddle.increment(1.0))
    for kind in ("bool", "uint8", "int8", "int16"):
        show.raises(kind, lambda kind=kind: paddle.increment(paddle.ones([1], kind)))
