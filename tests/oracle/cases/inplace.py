"""In-place changes: results, versions, dtypes, shapes, gradients, errors."""

import numpy as np

from ..harness import case
from ._texts import texts


def t(paddle, *args, **kwargs):
    return paddle.to_tensor(*args, **kwargs)


DATA = [[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]]
OTHER = [[1.0, 0.5, -2.0], [2.0, -1.5, 3.0]]


@case()
def shapes_changed_without_grad(paddle, show):
    """The gradient of the changed tensor has its old shape where it came from."""
    changes = {"reshape_": ([-1],), "flatten_": (), "unsqueeze_": (0,), "squeeze_": ()}
    for name, args in changes.items():
        x = paddle.to_tensor([[0.5, -1.25, 0.75]], "float64", stop_gradient=False)
        y = x * x
        with paddle.no_grad():
            getattr(y, name)(*args)
        y.sum().backward()
        show(name, [y.shape, x.grad])


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


TABLE = texts("inplace", globals())
