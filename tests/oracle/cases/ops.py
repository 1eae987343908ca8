"""Ops without a topic of their own: values and gradients in float32 and in float64.

A row is a name, a function of `paddle` and the inputs, and the inputs; every float input gets a
gradient, for a cotangent that treats no two neighbouring elements alike.
"""

import numpy as np

from ..harness import Case, case

X = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
Y = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
POSITIVE = np.array([[0.5, 1.25, 2.0], [1.5, 0.25, 3.75]])
ROW = np.array([0.25, -1.5, 2.0])
CUBE = np.arange(24).reshape(2, 3, 4) / 8 - 1.4
SQUARE = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
LABELS = np.array([2, 0])


def cotangent(shape):
    size = int(np.prod(shape))
    return (np.arange(size) * 7 % 5 - 1.75).reshape(shape)


def run(function, inputs, paddle, show):
    for dtype in ("float32", "float64"):
        tensors = [paddle.to_tensor(v.astype(dtype) if v.dtype.kind == "f" else v) for v in inputs]
        for tensor, value in zip(tensors, inputs, strict=True):
            tensor.stop_gradient = value.dtype.kind != "f"
        outputs = function(paddle, *tensors)
        if not isinstance(outputs, list | tuple):
            outputs = [outputs]
        show(f"{dtype} out", list(outputs))
        wanted = [y for y in outputs if not y.stop_gradient]
        seeds = [paddle.to_tensor(cotangent(y.shape).astype(y.numpy().dtype)) for y in wanted]
        if wanted:
            paddle.autograd.backward(wanted, seeds)
        show(f"{dtype} grads", [t.grad for t in tensors])


def row(name, function, *inputs, ulps=16, differs=None):
    def body(paddle, show):
        return run(function, inputs, paddle, show)

    return Case(name, body, ulps=ulps, differs=differs)


def functional(name, *inputs, **attributes):
    """Make a row for `paddle.nn.functional.<name>`."""
    return row(name, lambda p, *ts: getattr(p.nn.functional, name)(*ts, **attributes), *inputs)


def elementwise(*names):
    return [row(name, lambda p, x, name=name: getattr(p, name)(x), X) for name in names]


def binary(*names):
    return [row(name, lambda p, x, y, name=name: getattr(p, name)(x, y), X, Y) for name in names]


TABLE = [
    *elementwise("argmax", "argmin", "numel"),
    *binary("add", "subtract", "multiply", "divide", "maximum", "minimum", "atan2"),
    *binary("floor_divide", "mod", "greater_than", "less_equal", "equal", "not_equal"),
    # ----- Reductions -----
    row("argsort", lambda p, x: p.argsort(x, axis=1), X, differs="positions want no gradient"),
    # ----- Networks -----
    row("cross_entropy_none", lambda p, x, i: p.nn.functional.cross_entropy(x, i, reduction="none"),
        X, LABELS),
    row("cross_entropy_soft", lambda p, x, y: p.nn.functional.cross_entropy(
        x, p.nn.functional.softmax(y), soft_label=True), X, Y,
        differs="soft labels have a gradient like any other input"),
    functional("l1_loss", X, Y, reduction="sum"),
    row("binary_cross_entropy_with_logits",
        lambda p, x, y: p.nn.functional.binary_cross_entropy_with_logits(x, y),
        X, (Y > 0).astype("float64"), differs="labels have a gradient like any other input"),
]  # fmt: skip


@case
def dropout_without_training(paddle, show):
    x = paddle.to_tensor(X)
    show("eval", paddle.nn.functional.dropout(x, 0.5, training=False))
    show("p=0", paddle.nn.functional.dropout(x, 0.0))
    show("p=1", paddle.nn.functional.dropout(x, 1.0))


@case
def random_numbers_of_a_seed(paddle, show):
    paddle.seed(2024)
    show("rand", paddle.rand([5], dtype="float64"))
    show("randn", paddle.randn([5], dtype="float64"))
    show("randint", paddle.randint(0, 100, [8]))
    show("randperm", paddle.randperm(9))
    show("uniform", paddle.uniform([3], min=-2.0, max=2.0))
    show("bernoulli", paddle.bernoulli(paddle.full([6], 0.5)))
    state = paddle.get_rng_state()
    first = paddle.rand([2])
    paddle.set_rng_state(state)
    show("state", bool((paddle.rand([2]) == first).all()))
