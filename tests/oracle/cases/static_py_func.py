"""py_func in static programs: arguments and results of func, and errors."""

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


# ----- Errors -----


@case(differs="the document: the framework calls func(*x), so default values are allowed")
def func_with_a_default_value(paddle, show):
    show("value", forward(paddle, lambda x, factor=2: np.array(x) * factor))


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


@case
def text_of_a_py_func(paddle, show):
    x = paddle.static.data("x", [2], "float32")
    block = paddle.static.default_main_program().current_block()
    out = block.create_var(name="o", shape=[2], dtype="float32")
    paddle.static.py_func(np.tanh, x, out, backward_func=np.tanh, skip_vars_in_backward_input=x)
    show("variable", str(out))
    (op,) = block.ops
    show("type", op.type)
    show("slots", [op.input("X"), op.output("Out")])
    show("skipped", op.attr("backward_skip_vars"))
