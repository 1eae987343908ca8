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
def texts_of_convolutions(paddle, show):
    nn, x = paddle.static.nn, image(paddle)
    nn.conv2d(x, 4, 3)
    nn.conv2d(x, 6, [3, 2], stride=2, padding=[1, 0], groups=3, act="relu")
    nn.conv2d(x, 2, 3, padding="SAME", dilation=1, bias_attr=False)
    nn.conv2d(x, 2, 1, padding=[1, 2, 0, 1], name="own")
    program = paddle.static.default_main_program()
    show("vars", [str(v) for v in program.list_vars()])
    for number, op in enumerate(program.global_block().ops):
        show(f"operator {number}", str(op))
    startup = paddle.static.default_startup_program().global_block().ops
    show("startup", [[op.type, op.output_arg_names, op.attr("shape")] for op in startup])
    show("spread", [op.attr("std") for op in startup if op.type == "gaussian_random"])


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
def functions_of_volumes(paddle, show):
    F = paddle.nn.functional
    x = paddle.static.data("x", [None, 1, 2, 3, 4])
    w = paddle.ones([2, 1, 2, 2, 2])
    outs = [
        F.conv3d(x, w, padding=[1, 0, 1, 1, 0, 0], stride=[1, 2, 1]),
        F.conv3d(x, w, padding="SAME"),
        F.conv3d_transpose(x, paddle.ones([1, 2, 2, 2, 2]), stride=2),
        F.max_pool3d(x, 2, padding=1),
        F.max_pool3d(x, 2, return_mask=True)[1], F.avg_pool3d(x, 2, 1, 1, exclusive=False),
        F.adaptive_avg_pool3d(x, [1, 3, 2]), F.adaptive_max_pool3d(x, 2, return_mask=True)[0],
    ]  # fmt: skip
    show("shapes", [list(out.shape) for out in outs])
    kept = {"data_format", "strides", "paddings", "padding_algorithm", "ksize", "adaptive"}
    kept |= {"dilations", "pooling_type", "exclusive", "ceil_mode", "global_pooling", "use_cudnn"}
    for op in paddle.static.default_main_program().global_block().ops:
        if "3d" in op.type:
            attrs = sorted(kept & {*op.attr_names})
            show(f"{op.output_arg_names[-1]}", [op.type, [[n, op.attr(n)] for n in attrs]])
    feed = {"x": X.reshape(-1)[:48].reshape(2, 1, 2, 3, 4)}
    for number, value in enumerate(started(paddle).run(feed=feed, fetch_list=outs)):
        show(f"value {number}", value)


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
