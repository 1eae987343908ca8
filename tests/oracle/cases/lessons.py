"""Solutions of the lessons in dynamic mode give the same results on real Paddle.

Each case has the name of its exercise.
"""

from tempfile import TemporaryDirectory

import numpy as np

from ..harness import Case, case
from ..spread import spread
from ._calls import describe
from ._layers import layer, leaf
from ._lessons import solution

# ----- Functions of tensors, and their gradients -----


def graded(name, lesson, leaves, loss, *more, data=()):
    """Return a case of an exercise's results for leaves and data, and of the leaves' gradients."""

    def run(paddle, show):
        inputs = [leaf(paddle, row) for row in leaves]
        function = solution(paddle, lesson, name)
        given = [*inputs, *(paddle.to_tensor(np.float32(row)) for row in data), *more]
        made = getattr(function, "apply", function)(*given)
        outputs = made if isinstance(made, (tuple, list)) else [made]
        loss(*outputs).backward()
        show("results and gradients", [*outputs, *(x.grad for x in inputs)])

    return Case(name, run)


SOME, ROW = (0.5, -1.0, 2.0), (1.0, 2.0, 3.0)
QUERY, KEY, VALUE = (spread(1, 4, 3, part=part).tolist() for part in range(3))
AHEAD = np.triu(np.full([4, 4], -1e9), 1)


def squares(y):
    return (y * y).sum()


TABLE = [
    graded("square", "01_one_tanh", [(1.0, -2.0, 3.0)], lambda y: y.mean()),
    graded("gated_tanh", "01_one_tanh", [SOME, (1.0, 0.3, -0.7)], lambda y: y.mean()),
    graded("straight_through", "02_leaves", [(0.4, 1.7, -2.2)], squares),
    graded("x_tanh_x", "04_order_and_sums", [SOME], lambda y: y.mean()),
    graded("sum_and_difference", "05_three_rules", [ROW, (5.0, 7.0, -1.0)],
           lambda s, d: (s * s * d).mean()),
    graded("clipped", "05_three_rules", [(-3.0, 0.5, 2.0)],
           lambda y, changed: (y * 3).sum(), -1.0, 1.0),
    graded("masked", "05_three_rules", [ROW], squares, data=[(1, 0, 1)]),
    graded("power", "06_context", [(0.5, -2.0, 3.0)], squares, 3),
    graded("largest", "06_context", [(0.5, 2.5, -1.0)], lambda y, place: y * 3),
    graded("square_and_cube", "06_context", [ROW], lambda y, z: (y * 2 + z).sum()),
    graded("log_sum_exp", "07_right_gradient", [ROW], lambda y: y * 3),
    graded("root", "07_right_gradient", [(4.0, 0.0, -1.0)], lambda y: (y * 3).sum()),
    graded("quantize", "08_in_the_wild", [(-1.7, -1.0, 0.4, 1.3)],
           lambda y: ((y - 0.5) ** 2).sum(), 0.5, 1.0),
    graded("softmax_cross_entropy", "08_in_the_wild", [((2.0, 1.0, 0.5), (1000.0, 0.0, -1.0))],
           lambda y: y.sum(), data=[[(1, 0, 0), (0, 1, 0)]]),
    graded("attention", "12_train_for_real", [QUERY, KEY, VALUE], squares, data=[AHEAD]),
    graded("softplus", "13_devices", [SOME], lambda y: (y * 3).sum()),
    graded("weighted", "13_devices", [ROW, SOME], squares),
    graded("frozen_row", "14_real_paddle", [[ROW, SOME], (0.5, 1.0, 1.5)], squares),
    graded("all_reduce", "14_real_paddle", [(1.0, -1.0), (2.0, 0.5)],
           lambda y, z: (y**2 + 3 * z**2).sum()),
    graded("lstm_step", "15_through_time", [spread(2, 12).tolist(), spread(2, 3).tolist()],
           lambda h, c: (h * h + c).sum()),
]  # fmt: skip

# ----- Other functions -----


def squared(paddle):
    """Return a leaf with the gradient of the sum of its squares."""
    w = leaf(paddle)
    (w * w).sum().backward()
    return w


def trained(paddle, rounds):
    """Return the losses of four rounds, and the weight after them."""
    w = leaf(paddle)
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    return [rounds(lambda: paddle.sum(w * w), sgd, 4), w]


def in_parts(paddle, run):
    w, parts = squared(paddle), [paddle.to_tensor(ROW) * k for k in (1.0, -2.0, 0.5)]
    run(w, parts, lambda w, part: (w * part).mean())
    return w.grad


def stepped(paddle, step):
    w = squared(paddle)
    return [step(w, 0.1), w]


def sums_back(paddle, back):
    dy = paddle.to_tensor(np.arange(24, dtype="float32").reshape(2, 3, 4))
    return [back(dy, shape) for shape in ([2, 3, 4], [3, 1], [4], [2, 1, 4], [])]


def clipped(paddle, clip):
    grads = [paddle.to_tensor([3.0, -4.0]), paddle.to_tensor([[12.0], [0.0]])]
    return [clip(grads, limit) for limit in (6.5, 20.0)]


def opened(paddle, gate):
    lstm = paddle.nn.LSTM(2, 3)
    lstm.bias_ih_l0.set_value(paddle.arange(12, dtype="float32"))
    gate(lstm, 1.5)
    return [lstm.bias_ih_l0, lstm.bias_ih_l0.is_leaf]


def penalized(paddle, penalty):
    x, w = leaf(paddle, [[1.0, 2.0], [-1.0, 0.5]]), leaf(paddle, [[0.5], [-1.5]])
    loss = penalty(lambda rows: paddle.tanh(rows @ w), x)
    loss.backward()
    return [loss, w.grad]


def curvature(paddle, hvp):
    x, v = leaf(paddle), paddle.to_tensor(SOME)
    return hvp(lambda x: paddle.sum(x**3) + paddle.sum(x) ** 2, x, v)


def right_ones(paddle, accuracy):
    scores = paddle.to_tensor([[0.1, 2.0, -1.0], [3.0, 0.5, 0.2], [0.0, 0.3, 0.4]])
    return [accuracy(scores, paddle.to_tensor(digits)) for digits in ([1, 0, 1], [1, 0, 2])]


def used(name, lesson, use):
    """Return a case of the values that a use of a solution gives."""
    return Case(
        name,
        lambda paddle, show: show("value", describe(use(paddle, solution(paddle, lesson, name)))),
    )


TABLE += [
    used("make_weights", "02_leaves", lambda _, make: make([4.0, 5.0, 6.0], 0.1)),
    used("sgd_step", "02_leaves", stepped),
    used("sum_back", "04_order_and_sums", sums_back),
    used("in_parts", "04_order_and_sums", in_parts),
    used("train_rounds", "09_training", trained),
    used("accuracy", "12_train_for_real", right_ones),
    used("quiet_rounds", "13_devices", trained),
    used("clip_all", "15_through_time", clipped),
    used("open_gate", "15_through_time", opened),
    used("second_derivative", "16_gradients_of_gradients",
         lambda paddle, bend: bend(paddle.tanh, leaf(paddle))),
    used("penalty", "16_gradients_of_gradients", penalized),
    used("hvp", "16_gradients_of_gradients", curvature),
]  # fmt: skip


@case
def slow_down(paddle, show):
    w = leaf(paddle)
    x = w * 2
    y = solution(paddle, "06_context", "slow_down").apply(x, 0.25)
    (y * y + x).sum().backward()
    show("y is x", y is x)
    show("y and dw", [y, w.grad])


@case
def watch(paddle, show):
    x, seen = leaf(paddle, (4.0, 0.0, 1.0)), []
    handle = solution(paddle, "07_right_gradient", "watch")(x, "x", seen)
    roots = paddle.sqrt(x)
    paddle.where(x > 0, roots, paddle.zeros_like(roots)).sum().backward()
    show("seen, and removed", [seen, handle.remove()])
    show("where dx is NaN", paddle.isnan(x.grad))


@case
def one_loss(paddle, show):
    both = solution(paddle, "08_in_the_wild", "one_loss")
    both.__globals__["reverse"] = layer(paddle, lambda ctx, x: x.clone(), lambda ctx, dy: -dy)
    w, a, b = leaf(paddle), leaf(paddle, (0.5, 1.0, 2.0)), leaf(paddle, (2.0, -1.0, 0.3))
    loss = both(w * 2, lambda h: ((h * a - 1) ** 2).mean(), lambda h: ((h * b + 1) ** 2).mean())
    loss.backward()
    show("loss, dw, da and db", [loss, w.grad, a.grad, b.grad])


@case
def recompute(paddle, show):
    again = solution(paddle, "08_in_the_wild", "recompute")
    w, x = leaf(paddle, (0.5, 1.0, 0.25)), leaf(paddle, (0.5, -0.25, 0.1))
    y = again.apply(lambda h: h * h * w, again.apply(lambda h: paddle.tanh(h * w), x))
    (y * 3).sum().backward()
    show("y, dx and dw", [y, x.grad, w.grad])


@case
def adam_step(paddle, show):
    step = solution(paddle, "09_training", "adam_step")
    ours, theirs = leaf(paddle), leaf(paddle)
    adam = paddle.optimizer.Adam(0.1, parameters=[theirs])
    m = v = paddle.zeros_like(ours)
    for t in (1, 2, 3):
        (theirs**3).sum().backward()
        ours, m, v = step(ours.detach(), theirs.grad, m, v, t, 0.1)
        adam.step()
        adam.clear_grad()
        show(f"by hand and by the optimizer, round {t}", [ours, theirs])


@case
def evaluated(paddle, show):
    nn = paddle.nn
    net = nn.Sequential(nn.Linear(2, 3), nn.Dropout(0.5), nn.Linear(3, 1))
    for parameter in net.parameters():
        parameter.set_value(paddle.full(parameter.shape, 0.5))
    x, y = paddle.to_tensor([[1.0, 2.0], [3.0, -1.0]]), paddle.to_tensor([[1.0], [0.0]])
    evaluate = solution(paddle, "09_training", "evaluated")
    show("loss", evaluate(net, lambda: nn.functional.mse_loss(net(x), y)))
    show("modes", [layer.training for layer in net.sublayers(include_self=True)])


@case
def carry_over(paddle, show):
    net, other = paddle.nn.Linear(2, 3), paddle.nn.Linear(2, 3)
    net.weight.set_value(paddle.arange(6, dtype="float32").reshape([2, 3]))
    with TemporaryDirectory() as folder:
        solution(paddle, "14_real_paddle", "carry_over")(net, other, folder + "/net.pdparams")
        show("other", other.weight)


@case
def swish(paddle, show):
    x = leaf(paddle)
    y = solution(paddle, "16_gradients_of_gradients", "swish").apply(x)
    [dx] = paddle.grad(y, [x], create_graph=True)
    (dx * dx).sum().backward()
    show("y, dx and the gradient of dx", [y, dx, x.grad])
