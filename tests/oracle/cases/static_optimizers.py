"""Optimizers in Programs: the operators they add, how they train, rates that change."""

import re

import numpy as np

from ..harness import Case, case
from ..spread import spread
from ._static_worlds import expressions
from ._tables import made, recorded_texts

STATIC = True
INPUTS = spread(4, 3).astype("float32")


# In real Paddle these numbers count earlier objects of the process.
SCOPES = re.compile(r"/(gradient_clip|regularization|optimizer)(_\d+)?/")
STATE = re.compile(r"(learning_rate|[wb]_0_[a-z_]*[a-z][a-z_]*[12]?(?:_max|_pow_acc)?)_\d+")
ROLE = 2  # the role of optimizer operators


def text_of(program):
    """Return the optimizer's operators without the numbers that depend on the process."""
    texts = [str(op) for op in program.global_block().ops if op.attr("op_role") & ROLE]
    return [SCOPES.sub(r"/\1/", STATE.sub(r"\1", text)) for text in texts]


def linear(paddle, **attrs):
    """Return the loss of a layer with given start values."""
    constant = paddle.nn.initializer.Assign(np.float32([[0.5, -1.0], [2.0, 0.25], [-0.75, 1.5]]))
    weight = attrs.pop("weight", {})
    x = paddle.static.data("x", [4, 3])
    attr = paddle.ParamAttr(initializer=constant, **weight)
    y = paddle.static.nn.fc(x, 2, weight_attr=attr, bias_attr=attrs.get("bias"))
    return paddle.mean(paddle.square(y))


def run(paddle, show, loss, steps=6, label="", each=lambda: None):
    """Train, and show the parameters."""
    exe = paddle.static.Executor()
    exe.run(paddle.static.default_startup_program())
    for step in range(steps):
        fetched = exe.run(feed={"x": INPUTS}, fetch_list=[loss, "fc_0.w_0", "fc_0.b_0"])
        each()
        if step in (0, 2, steps - 1):
            show(f"{label}step {step}", fetched)


def trained(name, text):
    def play(paddle, show):
        loss = linear(paddle)
        names = {"nn": paddle.nn, "L1Decay": paddle.regularizer.L1Decay}
        made(paddle.optimizer, text, names, learning_rate=0.1).minimize(loss)
        show("operators", text_of(paddle.static.default_main_program()))
        kept = [
            [STATE.sub(r"\1", v.name), list(v.shape), v.stop_gradient]
            for v in paddle.static.default_main_program().list_vars()
            if v.persistable
        ]
        show("kept", sorted(kept, key=str))
        run(paddle, show, loss)

    return Case(name, play, ulps=64)


TABLE = [
    *(trained(*row) for row in recorded_texts("static_optimizers", "training")),
    *expressions("static_optimizers", "call"),
]  # fmt: skip


@case(ulps=64)
def a_scheduler_between_runs(paddle, show):
    loss = linear(paddle, weight={"learning_rate": 0.5})
    rate = paddle.optimizer.lr.StepDecay(0.1, 2, gamma=0.5)
    paddle.optimizer.Momentum(rate).minimize(loss)
    show("operators", text_of(paddle.static.default_main_program()))
    run(paddle, show, loss, each=rate.step)
