"""Solutions of the lessons in dynamic mode give the same results on real Paddle.

Each case has the name of its exercise.
"""

from tempfile import TemporaryDirectory

import numpy as np

from ..harness import Case, case
from ..spread import spread
from ._layers import layer, leaf
from ._lessons import solution

# ----- Functions of tensors, and their gradients -----


def graded(name, lesson, leaves, loss, *more, label="y and dx"):
    """Return a case of an exercise's results for these leaves, and of the leaves' gradients."""

    def run(paddle, show):
        inputs = [leaf(paddle, row) for row in leaves]
        function = solution(paddle, lesson, name)
        made = getattr(function, "apply", function)(*inputs, *more)
        outputs = made if isinstance(made, (tuple, list)) else [made]
        loss(*outputs).backward()
        show(label, [*outputs, *(x.grad for x in inputs)])

    return Case(name, run)


SOME, ROW = (0.5, -1.0, 2.0), (1.0, 2.0, 3.0)
TABLE = [
    graded("square", "01_one_tanh", [(1.0, -2.0, 3.0)], lambda y: y.mean()),
    graded("gated_tanh", "01_one_tanh", [SOME, (1.0, 0.3, -0.7)], lambda y: y.mean(),
           label="y, da and db"),
    graded("straight_through", "02_leaves", [(0.4, 1.7, -2.2)], lambda y: (y * y).sum()),
    graded("x_tanh_x", "04_order_and_sums", [SOME], lambda y: y.mean()),
    graded("sum_and_difference", "05_three_rules", [ROW, (5.0, 7.0, -1.0)],
           lambda s, d: (s * s * d).mean(), label="outputs and gradients"),
    graded("clipped", "05_three_rules", [(-3.0, 0.5, 2.0)],
           lambda y, changed: (y * 3).sum(), -1.0, 1.0, label="y, how many, dx"),
    graded("log_sum_exp", "07_right_gradient", [ROW], lambda y: y * 3),
    graded("root", "07_right_gradient", [(4.0, 0.0, -1.0)], lambda y: (y * 3).sum()),
    graded("quantize", "08_in_the_wild", [(-1.7, -1.0, 0.4, 1.3)],
           lambda y: ((y - 0.5) ** 2).sum(), 0.5, 1.0),
    graded("softplus", "13_devices", [SOME], lambda y: (y * 3).sum()),
]  # fmt: skip


# ----- Lesson 2 -----


@case
def make_weights(paddle, show):
    w = solution(paddle, "02_leaves", "make_weights")([4.0, 5.0, 6.0], 0.1)
    show("w", [w, w.is_leaf, w.stop_gradient])


@case
def sgd_step(paddle, show):
    w = leaf(paddle)
    (w * w).sum().backward()
    show("returns", solution(paddle, "02_leaves", "sgd_step")(w, 0.1))
    show("w", [w, w.is_leaf, w.stop_gradient])


# ----- Lesson 4 -----


@case
def sum_back(paddle, show):
    summed = solution(paddle, "04_order_and_sums", "sum_back")
    dy = paddle.to_tensor(np.arange(24, dtype="float32").reshape(2, 3, 4))
    for shape in ([2, 3, 4], [3, 1], [4], [2, 1, 4], []):
        show(str(shape), summed(dy, shape))


@case
def in_parts(paddle, show):
    w = leaf(paddle)
    (w * w).sum().backward()
    parts = [paddle.to_tensor([1.0, 2.0, 3.0]) * k for k in (1.0, -2.0, 0.5)]
    solution(paddle, "04_order_and_sums", "in_parts")(w, parts, lambda w, part: (w * part).mean())
    show("w.grad", w.grad)


# ----- Lesson 5 -----


@case
def masked(paddle, show):
    x, mask = leaf(paddle), paddle.to_tensor([1.0, 0.0, 1.0])
    y = solution(paddle, "05_three_rules", "masked").apply(x, mask)
    (y * y).sum().backward()
    show("y and gradients", [y, x.grad, mask.grad])


# ----- Lesson 6 -----


@case
def power(paddle, show):
    x = leaf(paddle, (0.5, -2.0, 3.0))
    raised = solution(paddle, "06_context", "power")
    y, other = raised.apply(x, 3), raised.apply(x, 2)
    y.sum().backward()
    show("both, and dx of the first", [y, other, x.grad])


@case
def slow_down(paddle, show):
    w = leaf(paddle)
    x = w * 2
    y = solution(paddle, "06_context", "slow_down").apply(x, 0.25)
    (y * y + x).sum().backward()
    show("y is x", y is x)
    show("y and dw", [y, w.grad])


@case
def largest(paddle, show):
    x = leaf(paddle, (0.5, 2.5, -1.0))
    y, place = solution(paddle, "06_context", "largest").apply(x)
    show("flags", [y.stop_gradient, place.stop_gradient])
    (y * 3).backward()
    show("y, place and dx", [y, place, x.grad])


@case
def square_and_cube(paddle, show):
    for used in ([0], [1], [0, 1]):
        x = leaf(paddle)
        outputs = solution(paddle, "06_context", "square_and_cube").apply(x)
        sum(outputs[k].sum() for k in used).backward()
        show(f"dx of {used}", x.grad)


# ----- Lesson 7 -----


@case
def watch(paddle, show):
    x, seen = leaf(paddle, (4.0, 0.0, 1.0)), []
    handle = solution(paddle, "07_right_gradient", "watch")(x, "x", seen)
    roots = paddle.sqrt(x)
    paddle.where(x > 0, roots, paddle.zeros_like(roots)).sum().backward()
    show("seen, and removed", [seen, handle.remove()])
    show("where dx is NaN", paddle.isnan(x.grad))


# ----- Lesson 8 -----


@case
def one_loss(paddle, show):
    both = solution(paddle, "08_in_the_wild", "one_loss")
    both.__globals__["reverse"] = layer(paddle, lambda ctx, x: x.clone(), lambda ctx, dy: -dy)
    w, a, b = leaf(paddle), leaf(paddle, (0.5, 1.0, 2.0)), leaf(paddle, (2.0, -1.0, 0.3))
    loss = both(w * 2, lambda h: ((h * a - 1) ** 2).mean(), lambda h: ((h * b + 1) ** 2).mean())
    loss.backward()
    show("loss, dw, da and db", [loss, w.grad, a.grad, b.grad])


@case
def softmax_cross_entropy(paddle, show):
    fused = solution(paddle, "08_in_the_wild", "softmax_cross_entropy")
    target = paddle.to_tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    for large in (0.0, 1000.0):
        logits = leaf(paddle, ((2.0, 1.0, 0.5), (large, 0.0, -1.0)))
        losses = fused.apply(logits, target)
        losses.sum().backward()
        show(f"losses and gradient, {large}", [losses, logits.grad])
    logits = leaf(paddle, ((2.0, 1.0, 0.5), (0.0, 3.0, -1.0)))
    ready = paddle.nn.functional.cross_entropy(logits, target, soft_label=True, reduction="none")
    show("as Paddle's own", paddle.allclose(ready, fused.apply(logits, target)))


@case
def recompute(paddle, show):
    again = solution(paddle, "08_in_the_wild", "recompute")
    w, x = leaf(paddle, (0.5, 1.0, 0.25)), leaf(paddle, (0.5, -0.25, 0.1))
    y = again.apply(lambda h: paddle.tanh(h * w), x)
    y = again.apply(lambda h: h * h * w, y)
    (y * 3).sum().backward()
    show("y, dx and dw", [y, x.grad, w.grad])
    show("of data", again.apply(lambda h: h * w, paddle.to_tensor([1.0, 2.0, 3.0])).stop_gradient)


# ----- Lesson 9 -----


@case
def train_rounds(paddle, show):
    w = leaf(paddle)
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    losses = solution(paddle, "09_training", "train_rounds")(lambda: paddle.sum(w * w), sgd, 4)
    show("losses and w", [losses, w])


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


# ----- Lesson 12 -----


@case
def accuracy(paddle, show):
    scores = paddle.to_tensor([[0.1, 2.0, -1.0], [3.0, 0.5, 0.2], [0.0, 0.3, 0.4]])
    right = solution(paddle, "12_train_for_real", "accuracy")
    for digits in ([1, 0, 1], [1, 0, 2]):
        show(f"share for {digits}", right(scores, paddle.to_tensor(digits)))


@case
def attention(paddle, show):
    q, k, v = (leaf(paddle, spread(1, 4, 3, part=part).tolist()) for part in range(3))
    mask = paddle.triu(paddle.full([4, 4], -1e9), 1)
    y = solution(paddle, "12_train_for_real", "attention").apply(q, k, v, mask)
    (y * y).sum().backward()
    show("y and gradients", [y, q.grad, k.grad, v.grad])


# ----- Lesson 13 -----


@case
def weighted(paddle, show):
    x, w = leaf(paddle), leaf(paddle, (0.5, -1.0, 2.0))
    y = solution(paddle, "13_devices", "weighted")(x, w)
    (y * y).sum().backward()
    show("y, dx and dw", [y, x.grad, w.grad])
    show("its place", y.place == x.place)


@case
def quiet_rounds(paddle, show):
    w = leaf(paddle)
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    losses = solution(paddle, "13_devices", "quiet_rounds")(lambda: paddle.sum(w * w), sgd, 4)
    show("losses and w", [losses, w])


# ----- Lesson 14 -----


@case
def frozen_row(paddle, show):
    x, w = leaf(paddle, [[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]]), leaf(paddle, (0.5, 1.0, 1.5))
    y = solution(paddle, "14_real_paddle", "frozen_row").apply(x, paddle.exp(w))
    (y * y).sum().backward()
    show("y and gradients", [y, x.grad, w.grad])


@case
def carry_over(paddle, show):
    net, other = paddle.nn.Linear(2, 3), paddle.nn.Linear(2, 3)
    net.weight.set_value(paddle.arange(6, dtype="float32").reshape([2, 3]))
    with TemporaryDirectory() as folder:
        solution(paddle, "14_real_paddle", "carry_over")(net, other, folder + "/net.pdparams")
        show("other", other.weight)
        show.raises("a layer", lambda: paddle.save(net, folder + "/layer.pdparams"))


@case
def all_reduce(paddle, show):
    x0, x1 = leaf(paddle, (1.0, -1.0)), leaf(paddle, (2.0, 0.5))
    s0, s1 = solution(paddle, "14_real_paddle", "all_reduce").apply(x0 * 2, x1 * 2)
    (s0**2 + 3 * s1**2).sum().backward()
    show("sums and gradients", [s0, s1, x0.grad, x1.grad])


# ----- Lesson 15 -----


@case
def clip_all(paddle, show):
    grads = [paddle.to_tensor([3.0, -4.0]), paddle.to_tensor([[12.0], [0.0]])]
    for limit in (6.5, 20.0):
        show(f"clipped to {limit}", solution(paddle, "15_through_time", "clip_all")(grads, limit))


@case
def lstm_step(paddle, show):
    gates, c = leaf(paddle, spread(2, 12).tolist()), leaf(paddle, spread(2, 3).tolist())
    h, new = solution(paddle, "15_through_time", "lstm_step")(gates, c)
    (h * h + new).sum().backward()
    show("states and gradients", [h, new, gates.grad, c.grad])


@case
def open_gate(paddle, show):
    lstm = paddle.nn.LSTM(2, 3)
    lstm.bias_ih_l0.set_value(paddle.arange(12, dtype="float32"))
    solution(paddle, "15_through_time", "open_gate")(lstm, 1.5)
    show("bias", [lstm.bias_ih_l0, lstm.bias_ih_l0.is_leaf, lstm.bias_ih_l0.stop_gradient])


# ----- Lesson 16 -----


@case
def second_derivative(paddle, show):
    x = leaf(paddle)
    bend = solution(paddle, "16_gradients_of_gradients", "second_derivative")(paddle.tanh, x)
    show("second derivative and x.grad", [bend, x.grad])


@case
def penalty(paddle, show):
    x, w = leaf(paddle, [[1.0, 2.0], [-1.0, 0.5]]), leaf(paddle, [[0.5], [-1.5]])
    loss = solution(paddle, "16_gradients_of_gradients", "penalty")(
        lambda rows: paddle.tanh(rows @ w), x
    )
    loss.backward()
    show("penalty and dw", [loss, w.grad])


@case
def hvp(paddle, show):
    x, v = leaf(paddle), paddle.to_tensor([1.0, -0.5, 2.0])
    product = solution(paddle, "16_gradients_of_gradients", "hvp")(
        lambda x: paddle.sum(x**3) + paddle.sum(x) ** 2, x, v
    )
    show("H v", product)


@case
def swish(paddle, show):
    x = leaf(paddle)
    y = solution(paddle, "16_gradients_of_gradients", "swish").apply(x)
    [dx] = paddle.grad(y, [x], create_graph=True)
    (dx * dx).sum().backward()
    show("y, dx and the gradient of dx", [y, dx, x.grad])
