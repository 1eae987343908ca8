"""A Program for many small static cases, and the form of their answers."""

import numpy as np

from ..harness import Case
from ._tables import recorded_texts

X = np.float32([[1.0, -2.0, 0.5, 4.0], [0.25, 3.0, -1.5, 2.0]])
FEED = {"x": X, "n": np.array([[2], [0]])}


def world(paddle):
    """Return the names that the expressions use: a Program with one layer, and its parts."""
    static = paddle.static
    x = static.data("x", [-1, 4], "float32")
    n = static.data("n", [-1, 1], "int64")
    y = static.nn.fc(x, 3)
    main = static.default_main_program()
    block = main.global_block()
    return {
        "paddle": paddle, "static": static, "np": np, "F": paddle.nn.functional, "X": X,
        "x": x, "n": n, "y": y, "w": block.var("fc_0.w_0"), "b": block.var("fc_0.b_0"),
        "main": main, "startup": static.default_startup_program(), "block": block,
        "op": block.ops[0], "FEED": FEED, "exe": None, "scope": static.global_scope(),
    }  # fmt: skip


def started(paddle, names, seed=3):
    """Fill the parameters; add the Executor to the names as `exe`."""
    paddle.seed(seed)
    names["exe"] = paddle.static.Executor(paddle.CPUPlace())
    names["exe"].run(names["startup"])
    return names


def told(value):
    """Return an answer in a form that can be recorded."""
    if hasattr(value, "stop_gradient") or type(value).__name__ in ("Operator", "Block", "Program"):
        return str(value)
    if isinstance(value, dict):
        return [(key, told(item)) for key, item in value.items()]
    if type(value).__name__ == "DenseTensor":
        return np.array(value)
    if isinstance(value, list | tuple):
        return [told(item) for item in value]
    return value


def expressions(topic, group, run=False, differs=None, ulps=4):
    """Make a case of each recorded expression of a group: its value, and the operators it adds.

    With `run`, the startup Program has run, and Variables are fetched and shown too.
    """
    return [
        Case(name, _asked(text, run), differs, ulps) for name, text in recorded_texts(topic, group)
    ]


def _asked(text, run):
    def play(paddle, show):
        names = world(paddle)
        if run:
            started(paddle, names)
        block = names["block"]
        before = len(block.ops)
        value = eval(text, names)
        show("value", told(value))
        show("operators", [op.type for op in block.ops[before:]])
        if run and hasattr(value, "stop_gradient"):
            show("computed", names["exe"].run(names["main"], feed=FEED, fetch_list=[value])[0])

    return play
