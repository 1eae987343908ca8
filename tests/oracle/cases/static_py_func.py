"""py_func in static programs: what func receives and may return, and which calls are refused."""

import warnings
from functools import partial

import numpy as np

from ..harness import case
from ._py_funcs import X, data, output, run, same

STATIC = True


def one_argument(func, x):
    """Hide a function's other parameters: real Paddle would want an input for each."""
    return func(x)


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
def printing_other_dtypes(paddle, show):
    def func(x):
        texts.append(str(x))
        return np.array(x)

    texts = []
    values = {"int64": np.arange(3), "bool": np.array([True, False]), "float64": np.float64([0.1])}
    for dtype, value in values.items():
        x = data(paddle, dtype, value.shape, dtype)
        paddle.static.py_func(func, x, output(paddle, f"o_{dtype}", value.shape, dtype))
    run(paddle, [], **values)
    show("texts", texts)


@case
def declared_shape_and_returned_shape(paddle, show):
    out = output(paddle, shape=(3, 1))
    paddle.static.py_func(same, data(paddle), out)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # minipaddle remarks on it
        show("value", run(paddle, [out]))


@case
def no_input_or_no_output(paddle, show):
    seen = []
    out = output(paddle)
    paddle.static.py_func(lambda: X * 2, None, out)
    show("returns None", paddle.static.py_func(lambda x: seen.append(1), out, None))
    show("value", run(paddle, [out]))
    show("seen", seen)


@case
def calls_happen_in_program_order(paddle, show):
    calls = []
    x = data(paddle)
    for name in ("first", "second", "third"):
        paddle.static.py_func(partial(lambda name, x: calls.append(name), name), x, None)
    run(paddle, [])
    run(paddle, [])
    show("calls", calls)


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
