"""py_func in static programs: arguments and results of func, and errors."""

import warnings

import numpy as np

from ..harness import case
from ._py_funcs import data, output, run, same

STATIC = True


def forward(paddle, func, fetch=True):
    """Run a py_func of one input and one output."""
    out = output(paddle) if fetch else None
    paddle.static.py_func(func, data(paddle), out)
    return run(paddle, [out] if fetch else [])


# ----- Forward -----


@case
def what_func_receives(paddle, show):
    def func(x):
        show("text", str(x))
        show("shape", list(x.shape()))
        show("array", np.array(x))
        show("array + x", np.ones(3, "float32") + x)
        show.raises("x + 1", lambda: x + 1)
        show.raises("-x", lambda: -x)
        show("np.sum", float(np.sum(x)))
        return np.array(x)

    forward(paddle, func)


@case
def declared_shape_and_returned_shape(paddle, show):
    out = output(paddle, shape=(3, 1))
    paddle.static.py_func(same, data(paddle), out)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a warning of minipaddle
        show("value", run(paddle, [out]))


# ----- Errors -----


@case(differs="the document: the framework calls func(*x), so default values are allowed")
def func_with_a_default_value(paddle, show):
    show("value", forward(paddle, lambda x, factor=2: np.array(x) * factor))


@case
def executor_goes_on_after_an_error(paddle, show):
    calls = []

    def func(x):
        calls.append(1)
        if len(calls) == 1:
            raise ZeroDivisionError("mine")
        return np.array(x)

    out = output(paddle)
    paddle.static.py_func(func, data(paddle), out)
    show.raises("first", lambda: run(paddle, [out]))
    show("second", run(paddle, [out]))


@case(differs="the document: out may be a NumPy array")
def numpy_array_as_out(paddle, show):
    array = np.zeros([2, 3], "float32")
    show("returned", paddle.static.py_func(same, data(paddle), array) is array)


@case(differs="shape and dtype of out are checked when the program is built")
def out_without_shape(paddle, show):
    block = paddle.static.default_main_program().current_block()
    out = block.create_var(name="bare", shape=[2, 3])
    paddle.static.py_func(same, data(paddle), out)
    show("built", True)


@case(differs="paddle functions inside func are an error that says why")
def paddle_inside_func(paddle, show):
    def func(x):
        paddle.ones([2])
        return np.array(x)

    forward(paddle, func)
    show("ran", True)
