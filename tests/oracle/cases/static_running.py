"""Running Programs: feeds, fetches, scopes, errors, feeders, compiled Programs."""

import contextlib
import io

import numpy as np

from ..harness import case
from ._static_worlds import expressions, started, world

STATIC = True

TABLE = [
    *expressions("static_running", "run", run=True),
    *expressions("static_running", "batch"),
    *expressions("static_running", "feeder"),
    *expressions("static_running", "call"),
]  # fmt: skip


@case
def a_feeder_feeds_a_run(paddle, show):
    names = started(paddle, world(paddle))
    feeder = paddle.base.DataFeeder([names["x"], names["n"]], paddle.CPUPlace())
    reader = paddle.batch(lambda: iter([(row, [0]) for row in names["X"]]), 1)
    for number, rows in enumerate(reader()):
        feed = feeder.feed(rows)
        show(str(number), names["exe"].run(names["main"], feed=feed, fetch_list=[names["y"]]))


def printed(call):
    """Call a function and drop what Python prints; real Paddle prints in C++."""
    with contextlib.redirect_stdout(io.StringIO()):
        return call()


@case
def print_hands_its_input_on(paddle, show):
    x = paddle.static.data("x", [2, 4], "float32")
    x.stop_gradient = False
    block = paddle.static.default_main_program().global_block()
    y = paddle.static.Print(x, message="here", summarize=3)
    show("variable", str(y))
    show("operator", str(block.ops[-1]))
    (dx,) = paddle.static.gradients(y * 2.0, x)
    show("gradient", str(block.ops[-1]))
    executor = paddle.static.Executor(paddle.CPUPlace())
    feed = {"x": np.arange(8, dtype="float32").reshape(2, 4)}
    show("values", printed(lambda: executor.run(feed=feed, fetch_list=[y, dx])))
    show.raises("number", lambda: paddle.static.Print(3))
    show.raises("phase", lambda: paddle.static.Print(x, print_phase="zz"))


@case
def clone_for_test(paddle, show):
    x = paddle.static.data("x", [2, 3], "float32")
    y = paddle.nn.functional.dropout(x, 0.5)
    test = paddle.static.default_main_program().clone(for_test=True)
    loss = paddle.mean(paddle.static.nn.fc(y, 1))
    paddle.optimizer.SGD(0.1).minimize(loss)
    later = paddle.static.default_main_program().clone(for_test=True)
    show("forward only", [op.type for op in later.global_block().ops])
    executor = paddle.static.Executor(paddle.CPUPlace())
    ones = np.ones([2, 3], "float32")
    show("no dropout", executor.run(test, feed={"x": ones}, fetch_list=[y.name]))
