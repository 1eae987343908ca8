"""Solutions of the lessons in static mode give the same results on real Paddle.

Each case has the name of its exercise.
"""

import numpy as np

from ..harness import case
from ._layers import layer
from ._lessons import solution

STATIC = True

# ----- Lesson 10 -----


@case
def mean_square(paddle, show):
    main, loss = solution(paddle, "10_programs", "mean_square")()
    show("operators", [op.type for op in main.global_block().ops])
    a, b = np.float32([[1.0, 2.0], [3.0, -1.0]]), np.float32([[0.5, 0.0], [-2.0, 1.0]])
    exe = paddle.static.Executor()
    for count in (2, 1):
        feed = {"a": a[:count], "b": b[:count]}
        show(f"{count} rows", exe.run(main, feed=feed, fetch_list=[loss]))


@case
def slope_of(paddle, show):
    values = np.float32([1.0, -2.0, 0.5])
    slope = solution(paddle, "10_programs", "slope_of")
    show("dx", slope(lambda x: paddle.mean(paddle.square(x * 2.5 + 1)), values))


@case(ulps=32)  # the losses are squares of small differences
def train_program(paddle, show):
    static, rows = paddle.static, np.float32([[[1.0], [0.5]], [[2.0], [-1.0]], [[0.5], [1.5]]])
    x, y = static.data("x", [-1, 1], "float32"), static.data("y", [-1, 1], "float32")
    half = paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(0.5))
    loss = paddle.nn.functional.mse_loss(static.nn.fc(x, 1, weight_attr=half), y)
    main, startup = static.default_main_program(), static.default_startup_program()
    test = main.clone(for_test=True)
    paddle.optimizer.SGD(0.125).minimize(loss)
    feeds = [{"x": each, "y": 2 * each + 1} for each in rows]
    losses = solution(paddle, "10_programs", "train_program")(main, startup, loss, feeds)
    show("losses", losses)
    for name, looked_at in (("before", test), ("after", main.clone(for_test=True))):
        show(f"cloned {name} minimize", [op.type for op in looked_at.global_block().ops])
    exe = static.Executor()
    show("weights move", [exe.run(main, feed=feeds[0], fetch_list=[loss])[0] for _ in range(2)])
    show("they stay", [exe.run(test, feed=feeds[0], fetch_list=[loss])[0] for _ in range(2)])


# ----- Lesson 11 -----

POINTS = np.float32([[3.0, 1.0], [-1.0, 0.5]]), np.float32([[4.0, -2.0], [0.5, 0.25]])


@case
def polar(paddle, show):
    x, y = (paddle.static.data(name, [-1, 2], "float32") for name in ("x", "y"))
    outputs = solution(paddle, "11_py_func", "polar")(x, y)
    show("operators", [op.type for op in paddle.static.default_main_program().global_block().ops])
    feed = dict(zip(("x", "y"), POINTS, strict=True))
    show("outputs", paddle.static.Executor().run(feed=feed, fetch_list=outputs))


@case
def polar_grad(paddle, show):
    x, y = (paddle.static.data(name, [-1, 2], "float32") for name in ("x", "y"))
    x.stop_gradient = y.stop_gradient = False
    r, a = (x.block.create_var(name=name, shape=x.shape, dtype=x.dtype) for name in ("r", "a"))
    backward_func = solution(paddle, "11_py_func", "polar_grad")
    paddle.static.py_func(
        lambda x, y: (np.hypot(x, y), np.arctan2(y, x)), [x, y], [r, a], backward_func
    )
    paddle.static.append_backward(paddle.mean(r * 2.0 + a * 3.0))
    feed = dict(zip(("x", "y"), POINTS, strict=True))
    show("dx and dy", paddle.static.Executor().run(feed=feed, fetch_list=["x@GRAD", "y@GRAD"]))


@case
def own_sigmoid(paddle, show):
    x = paddle.static.data("x", [-1, 2], "float32")
    x.stop_gradient = False
    y = solution(paddle, "11_py_func", "own_sigmoid")(x)
    paddle.static.append_backward(paddle.mean(y * 3.0))
    feed = {"x": POINTS[0]}
    show("y and dx", paddle.static.Executor().run(feed=feed, fetch_list=[y, "x@GRAD"]))


@case
def look_at(paddle, show):
    x = paddle.static.data("x", [-1, 2], "float32")
    h = paddle.square(x)
    seen = []
    solution(paddle, "11_py_func", "look_at")([x, h], seen)
    show("while building", len(seen))
    for points in POINTS:
        paddle.static.Executor().run(feed={"x": points}, fetch_list=[])
    show("seen", [[name, value] for name, value in seen])


# ----- Lesson 12 -----


@case(ulps=64)  # losses after updates
def as_program(paddle, show):
    nn = paddle.nn

    def make_net():
        rows = np.linspace(-0.25, 0.25, 128, dtype="float32").reshape(64, 2)
        linear = nn.Linear(64, 2, nn.initializer.Assign(rows))
        return nn.Sequential(nn.Flatten(), linear, nn.Dropout(0.0))

    momentum = paddle.optimizer.Momentum(0.125, 0.5)
    build = solution(paddle, "12_train_for_real", "as_program")
    main, startup, only_forward, loss = build(make_net, momentum)
    exe = paddle.static.Executor()
    exe.run(startup)
    images = np.linspace(0, 1, 192, dtype="float32").reshape(3, 1, 8, 8)
    for name, program in (("looks", only_forward), ("trains", main), ("looks again", only_forward)):
        feeds = [{"images": images[:n], "digits": np.array([1, 0, 1])[:n]} for n in (3, 2)]
        show(name, [exe.run(program, feed=feed, fetch_list=[loss])[0] for feed in feeds])


@case
def lesson_12_no_pylayer_in_a_program(paddle, show):
    double = layer(paddle, lambda ctx, x: x * 2, lambda ctx, dy: dy * 2)
    try:
        double.apply(paddle.static.data("x", [2, 3]))
    except Exception:  # noqa: BLE001 - the two have different classes
        show("refused", True)
