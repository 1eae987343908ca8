"""In-place changes: results, versions, dtypes, shapes, gradients, errors."""

import numpy as np

from ..harness import case


def t(paddle, *args, **kwargs):
    return paddle.to_tensor(*args, **kwargs)


DATA = [[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]]
OTHER = [[1.0, 0.5, -2.0], [2.0, -1.5, 3.0]]


@case
def dtypes_that_change(paddle, show):
    show("wider", t(paddle, [1.0]).add_(t(paddle, [2.0], "float64")))
    show("narrower", t(paddle, [1.0], "float64").add_(t(paddle, [2.0])))
    show("compared", t(paddle, [1.0, 2.0]).less_than_(t(paddle, [2.0, 1.0])))
    show("exp of ints", t(paddle, [0, 1]).exp_())
    show("clip of ints", t(paddle, [1, 5]).clip_(2, 3))
    show("fill ints", t(paddle, [1, 5]).fill_(3.7))
    show.raises("mixed", lambda: t(paddle, [1]).add_(t(paddle, [2.5])))
    show.raises("mixed too", lambda: t(paddle, [1.0]).add_(t(paddle, [2])))


@case
def shapes_that_do_not_fit(paddle, show):
    show.raises("add_", lambda: t(paddle, [1.0]).add_(t(paddle, [1.0, 2.0])))
    show.raises("multiply_", lambda: t(paddle, [1.0, 2.0]).multiply_(t(paddle, [[1.0], [2.0]])))
    show.raises("reshape_", lambda: t(paddle, [1.0, 2.0]).reshape_([3]))
    show("smaller is fine", t(paddle, [1.0, 2.0]).multiply_(t(paddle, 2.0)))


@case
def leaves_that_want_a_gradient(paddle, show):
    for name, call in {
        "add_": lambda x: x.add_(paddle.ones([2])),
        "scale_": lambda x: x.scale_(2.0),
        "fill_": lambda x: x.fill_(1.0),
        "zero_": lambda x: x.zero_(),
        "reshape_": lambda x: x.reshape_([1, 2]),
        "setitem": lambda x: x.__setitem__(0, 1.0),
        "exp_": lambda x: x.exp_(),
    }.items():
        x = t(paddle, [1.0, 2.0], stop_gradient=False)
        show.raises(name, lambda x=x, call=call: call(x))
        x = t(paddle, [1.0, 2.0], stop_gradient=False)
        with paddle.no_grad():
            show.raises(f"{name} without grad", lambda x=x, call=call: call(x))
        show(f"{name} after", [x, x.stop_gradient])


@case
def values_set_on_leaves(paddle, show):
    x = t(paddle, [1.0, 2.0], stop_gradient=False)
    x.set_value(np.float32([3, 4]))
    show("set_value", [x, x.stop_gradient])
    x.set_value(t(paddle, [5.0, 6.0]))
    show("from a tensor", x)
    x.copy_(t(paddle, [7.0, 8.0]), True)
    show("copy_", x)
    x.data = t(paddle, [9.0, 1.0])
    show("data", [x, x.stop_gradient])
    show.raises("shape", lambda: x.set_value(np.zeros(3, "float32")))
    show.raises("dtype", lambda: x.set_value(np.zeros(2, "float64")))
    show.raises("list", lambda: x.set_value([1.0, 2.0]))
    show.raises("number", lambda: x.set_value(1.0))
    show.raises("copy_ of an array", lambda: x.copy_(np.zeros(2, "float32"), True))


@case
def old_values_that_were_saved(paddle, show):
    for name, call in {
        "add_": lambda h: h.add_(paddle.ones([2])),
        "fill_": lambda h: h.fill_(0.0),
        "setitem": lambda h: h.__setitem__(0, 1.0),
        "reshape_": lambda h: h.reshape_([2, 1]),
        "uniform_": lambda h: h.uniform_(),
    }.items():
        x = t(paddle, [1.0, 2.0], stop_gradient=False)
        h = x * 2
        y = h.square()
        call(h)
        show(f"{name} version", h.inplace_version)
        show.raises(name, lambda y=y: y.sum().backward())


@case
def refused(paddle, show):
    show.raises("fill_ of a text", lambda: paddle.ones([1]).fill_("a"))
    show.raises("fill_ of a tensor", lambda: paddle.ones([1]).fill_(paddle.ones([1])))
    show.raises("add_ of nothing", lambda: paddle.ones([1]).add_())


@case
def fill_diagonal_of_all_shapes(paddle, show):
    for shape in ([3, 3], [2, 4], [5, 2], [7, 3], [1, 1], [3, 3, 3], [2, 2, 2, 2]):
        for offset in (0, 1, -1) if len(shape) == 2 else (0,):
            for wrap in (False, True):
                x = paddle.ones(shape).fill_diagonal_(4.0, offset, wrap)
                show(f"{shape} {offset} {wrap}", x)


@case
def chains(paddle, show):
    x = t(paddle, DATA, stop_gradient=False)
    h = x * 2
    h.add_(t(paddle, OTHER)).multiply_(x).clip_(-3.0, 4.0).reshape_([6])
    h[1] = 5.0
    show("h", [h, h.stop_gradient, h.inplace_version])
    h.sum().backward()
    show("gradient", x.grad)
