"""Layers in Programs: parameters, operators, running statistics, a clone for tests."""

import numpy as np

from ..harness import case
from ..spread import spread
from ._static_worlds import expressions

STATIC = True
X = spread(2, 3, 6, 6).astype("float32")


def started(paddle, seed=1):
    paddle.seed(seed)
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(paddle.static.default_startup_program())
    return executor


def images(step):
    """Return the feed of a step."""
    return {"x": spread(2, 3, 6, 6, part=step + 2).astype("float32")}


def image(paddle):
    return paddle.static.data("x", [None, 3, 6, 6])


def declared(program):
    """Return a description of each persistable Variable."""
    return sorted(str(v) for v in program.list_vars() if v.persistable)


@case
def parameters_of_layers(paddle, show):
    nn, x = paddle.static.nn, image(paddle)
    nn.batch_norm(x)
    nn.batch_norm(x, moving_mean_name="m", moving_variance_name="v", param_attr="s", bias_attr="b")
    nn.layer_norm(x)
    nn.layer_norm(x, begin_norm_axis=2, shift=False, name="own")
    nn.layer_norm(x, scale=False)
    nn.embedding(paddle.static.data("ids", [None, 3], "int64"), [5, 2], padding_idx=-1)
    for make in (
        lambda: paddle.nn.BatchNorm2D(3),
        lambda: paddle.nn.Conv2D(3, 2, 3),
        lambda: paddle.nn.Conv1D(3, 2, 3),
    ):
        make()
    show("main", declared(paddle.static.default_main_program()))
    show("startup", declared(paddle.static.default_startup_program()))


@case(ulps=256)
def a_network(paddle, show):
    x, nn = image(paddle), paddle.static.nn
    y = nn.conv2d(x, 4, 3, padding=1, act="relu")
    y = paddle.nn.functional.max_pool2d(nn.batch_norm(y), 2)
    y = nn.conv2d(y, 3, 2, act="relu")
    y = nn.layer_norm(paddle.nn.functional.avg_pool2d(y, 2))
    loss = paddle.mean(nn.fc(y, 2) ** 2)
    paddle.optimizer.Momentum(0.1, 0.9).minimize(loss)
    executor = started(paddle)
    for step in range(6):
        show(f"step {step}", executor.run(feed=images(step), fetch_list=[loss])[0])


@case(ulps=64)
def embeddings(paddle, show):
    ids = paddle.static.data("ids", [None, 3], "int64")
    out = paddle.static.nn.embedding(ids, [5, 2], padding_idx=1)
    loss = paddle.mean(out * out)
    paddle.optimizer.SGD(1.0).minimize(loss)
    executor = started(paddle)
    for step in range(2):
        feed = {"ids": np.array([[0, 1, 4], [4, 4, 2]])}
        show(f"step {step}", list(executor.run(feed=feed, fetch_list=[out, "embedding_0.w_0"])))


TABLE = expressions("static_layers", "call")
