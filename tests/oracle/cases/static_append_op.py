"""Block.append_op: operators by type, slots and attributes, their declarations and values."""

import numpy as np

from ..harness import Case, case
from ._static_worlds import FEED, expressions, world

STATIC = True


def appended(label, type, inputs, attrs=None, outputs=("o",)):
    """Return a case: the operator's text, its outputs, and their values."""

    def play(paddle, show):
        names = world(paddle)
        block = names["block"]
        made = [block.create_var(name=name, dtype="float32") for name in outputs]
        op = block.append_op(
            type=type,
            inputs={slot: names[name] for slot, name in inputs.items()},
            outputs={"Out": made if len(made) > 1 else made[0]},
            attrs=dict(attrs or {}),
        )
        show("type", op.type)
        if type != "slice":
            show("attributes", [(name, op.attr(name)) for name in sorted(attrs or {})])
        show("outputs", [str(block.var(name)) for name in outputs])
        executor = paddle.static.Executor(paddle.CPUPlace())
        with paddle.static.scope_guard(paddle.static.Scope()):
            paddle.seed(3)
            executor.run(names["startup"])
            show("values", executor.run(feed=FEED, fetch_list=made))

    return Case(label, play, None, 16)


ONE = (
    "tanh", "exp", "relu", "sigmoid", "square", "abs", "sin", "cos", "floor", "ceil", "reciprocal",
    "sign", "assign",
)  # fmt: skip
TWO = [f"elementwise_{kind}" for kind in ("add", "sub", "mul", "max", "min")]
REDUCED = ({}, {"dim": [1]}, {"dim": [0], "keep_dim": True}, {"reduce_all": True})

TABLE = [
    *(appended(type, type, {"X": "x"}) for type in ONE),
    *(appended(type, type, {"X": "x", "Y": "x"}) for type in TWO),
    *(
        appended(f"{type} {attrs}", type, {"X": "x"}, attrs)
        for type in ("reduce_sum", "reduce_mean", "reduce_max")
        for attrs in REDUCED
    ),
    appended("bias", "elementwise_add", {"X": "y", "Y": "b"}, {"axis": -1}),
    appended("mul", "mul", {"X": "x", "Y": "w"}, {"x_num_col_dims": 1, "y_num_col_dims": 1}),
    appended("matmul", "matmul_v2", {"X": "x", "Y": "w"}),
    appended("scale", "scale", {"X": "x"}, {"scale": 2.0, "bias": 1.0}),
    appended("scale after", "scale", {"X": "x"}, {"scale": 2.0, "bias_after_scale": False}),
    appended("cast", "cast", {"X": "x"}, {"in_dtype": 5, "out_dtype": 3}),
    appended("pow", "pow", {"X": "x"}, {"factor": 3.0}),
    appended("clip", "clip", {"X": "x"}, {"min": -1.0, "max": 1.0}),
    appended("like", "fill_any_like", {"X": "x"}, {"value": 2.0, "dtype": -1}),
    appended("constant", "fill_constant", {}, {"shape": [2, 2], "value": 2.5, "dtype": 5}),
    appended("integers", "fill_constant", {}, {"shape": [2], "value": 3.0, "dtype": 3}),
    appended("sum", "sum", {"X": "x"}),
    appended("concat", "concat", {"X": "x"}, {"axis": 0}),
    appended("stack less", "slice", {"Input": "x"}, {
        "axes": [0, 1], "starts": [0, 1], "ends": [1, 3],
    }),
    appended("slice one", "slice", {"Input": "x"}, {
        "axes": [1], "starts": [1], "ends": [2], "decrease_axis": [1],
    }),
    appended("split", "split", {"X": "x"}, {"num": 2, "axis": 1}, ("p", "q")),
    appended("sections", "split", {"X": "x"}, {"sections": [1, 3], "axis": 1}, ("p", "q")),
    appended("softmax", "softmax", {"X": "x"}, {"axis": -1}),
    *expressions("static_append_op", "refused"),
]  # fmt: skip


@case
def what_gradients_make_of_it(paddle, show):
    x = paddle.static.data("x", [2, 4], "float32")
    x.stop_gradient = False
    block = x.block
    out = block.create_var(name="o", dtype="float32")
    block.append_op(type="tanh", inputs={"X": ["x"]}, outputs={"Out": ["o"]})
    show("stops", [out.stop_gradient, list(out.shape)])
    (dx,) = paddle.static.gradients(out, x)
    show("operator", str(block.ops[-1]))
    executor = paddle.static.Executor(paddle.CPUPlace())
    show("value", executor.run(feed={"x": np.zeros([2, 4], "float32")}, fetch_list=[dx]))
