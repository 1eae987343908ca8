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
    # ----- Broadcasting -----
    row("add_row", lambda p, x, y: x + y, X, ROW),
    row("divide_row", lambda p, x, y: x / y, X, ROW),
    row("multiply_column", lambda p, x, y: x * y, X, np.array([[2.0], [-3.0]])),
    row("scalar_tensor", lambda p, x, y: x * y, X, np.array(2.5)),
    # ----- Powers -----
    row("pow_number", lambda p, x: p.pow(x, 3), X),
    row("pow_fraction", lambda p, x: p.pow(x, 1.5), POSITIVE),
    row("pow_tensor", lambda p, x, y: p.pow(x, y), POSITIVE, Y),
    row("number_pow", lambda p, x: 2.0**x, X),
    row("scale", lambda p, x: p.scale(x, 2.0, 0.5), X),
    row("scale_after_bias", lambda p, x: p.scale(x, 2.0, 0.5, bias_after_scale=False), X),
    row("clip", lambda p, x: p.clip(x, -1.0, 1.0), X),
    row("where", lambda p, x, y: p.where(x > y, x, y), X, Y),
    row("lerp", lambda p, x, y: p.lerp(x, y, 0.25), X, Y),
    # ----- Products -----
    row("matmul", lambda p, x, y: p.matmul(x, y), X, SQUARE),
    row("matmul_transposed", lambda p, x, y: p.matmul(x, y, transpose_y=True), X, Y),
    row("matmul_transposed_left", lambda p, x, y: p.matmul(x, y, transpose_x=True), X, Y),
    row("matmul_batched", lambda p, x, y: p.matmul(x, y), CUBE, CUBE[0].T.copy()),
    row("matmul_vector", lambda p, x, y: p.matmul(x, y), X, ROW),
    # ----- Reductions -----
    row("sum", lambda p, x: p.sum(x), X),
    row("sum_axis", lambda p, x: p.sum(x, axis=0), X),
    row("sum_axes_kept", lambda p, x: p.sum(x, axis=[0, 2], keepdim=True), CUBE),
    row("mean", lambda p, x: p.mean(x), X),
    row("mean_axis", lambda p, x: p.mean(x, axis=-1, keepdim=True), X),
    row("max", lambda p, x: p.max(x), X),
    row("max_axis", lambda p, x: p.max(x, axis=1), X),
    row("min", lambda p, x: p.min(x, axis=0, keepdim=True), X),
    row("prod", lambda p, x: p.prod(x), X),
    row("prod_axis", lambda p, x: p.prod(x, axis=1), X),
    row("var", lambda p, x: p.var(x), X),
    row("std_axis", lambda p, x: p.std(x, axis=1, unbiased=False), X),
    row("logsumexp", lambda p, x: p.logsumexp(x, axis=1), X),
    row("norm", lambda p, x: p.linalg.norm(x), X),
    row("cumsum", lambda p, x: p.cumsum(x, axis=1), X),
    row("any_all", lambda p, x: [p.any(x > 0), p.all(x > 0, axis=1)], X),
    row("argmax_axis", lambda p, x: p.argmax(x, axis=1), X),
    row("topk", lambda p, x: p.topk(x, 2), X),
    row("sort", lambda p, x: p.sort(x, axis=1, descending=True), X),
    row("argsort", lambda p, x: p.argsort(x, axis=1), X, differs="positions want no gradient"),
    # ----- Shapes -----
    row("reshape", lambda p, x: p.reshape(x, [3, -1]), X),
    row("transpose", lambda p, x: p.transpose(x, [2, 0, 1]), CUBE),
    row("flatten", lambda p, x: p.flatten(x, 1), CUBE),
    row("squeeze", lambda p, x: p.squeeze(x, 0), X[None]),
    row("unsqueeze", lambda p, x: p.unsqueeze(x, [0, 2]), X),
    row("expand", lambda p, x: p.expand(x, [4, -1]), ROW[None]),
    row("broadcast_to", lambda p, x: p.broadcast_to(x, [2, 3]), ROW),
    row("tile", lambda p, x: p.tile(x, [2, 2]), X),
    row("concat", lambda p, x, y: p.concat([x, y], axis=1), X, Y),
    row("stack", lambda p, x, y: p.stack([x, y], axis=1), X, Y),
    row("split", lambda p, x: p.split(x, 3, axis=1), X),
    row("split_sections", lambda p, x: p.split(x, [1, -1], axis=1), X),
    row("chunk", lambda p, x: p.chunk(x, 2, axis=0), X),
    row("unbind", lambda p, x: p.unbind(x, axis=0), X),
    row("flip", lambda p, x: p.flip(x, [1]), X),
    row("roll", lambda p, x: p.roll(x, 1, 1), X),
    row("cast", lambda p, x: p.cast(x, "float64"), X),
    row("tril_triu", lambda p, x: [p.tril(x), p.triu(x)], SQUARE),
    # ----- Indexing -----
    row("gather", lambda p, x: p.gather(x, p.to_tensor([1, 0, 1]), axis=0), X),
    row("gather_axis", lambda p, x: p.gather(x, p.to_tensor([2, 2]), axis=1), X),
    row("index_select", lambda p, x: p.index_select(x, p.to_tensor([2, 0]), axis=1), X),
    row("take_along_axis", lambda p, x, i: p.take_along_axis(x, i, 1), X, LABELS[:, None]),
    row("masked_select", lambda p, x: p.masked_select(x, x > 0), X),
    row("slice_steps", lambda p, x: x[:, ::-2, 1:], CUBE),
    row("slice_scalar", lambda p, x: x[1, 2], X),
    row("index_list", lambda p, x: x[:, [2, 0, 2]], X),
    row("index_mask", lambda p, x: x[x > 0], X),
    row("one_hot", lambda p, i: p.nn.functional.one_hot(i, 4), LABELS),
    # ----- Networks -----
    functional("softmax", X),
    functional("log_softmax", X, axis=0),
    functional("cross_entropy", X, LABELS),
    row("cross_entropy_none", lambda p, x, i: p.nn.functional.cross_entropy(x, i, reduction="none"),
        X, LABELS),
    row("cross_entropy_soft", lambda p, x, y: p.nn.functional.cross_entropy(
        x, p.nn.functional.softmax(y), soft_label=True), X, Y,
        differs="soft labels have a gradient like any other input"),
    functional("mse_loss", X, Y),
    functional("l1_loss", X, Y, reduction="sum"),
    functional("nll_loss", -POSITIVE, LABELS),
    row("binary_cross_entropy_with_logits",
        lambda p, x, y: p.nn.functional.binary_cross_entropy_with_logits(x, y),
        X, (Y > 0).astype("float64"), differs="labels have a gradient like any other input"),
    functional("linear", X, SQUARE, ROW),
    row("embedding", lambda p, w: p.nn.functional.embedding(p.to_tensor([[1, 0], [1, 1]]), w), X),
]  # fmt: skip


@case
def dropout_without_training(paddle, show):
    x = paddle.to_tensor(X)
    show("eval", paddle.nn.functional.dropout(x, 0.5, training=False))
    show("p=0", paddle.nn.functional.dropout(x, 0.0))
    show("p=1", paddle.nn.functional.dropout(x, 1.0))


@case
def dropout_of_a_seed(paddle, show):
    paddle.seed(7)
    x = paddle.to_tensor(np.arange(1.0, 13.0), stop_gradient=False)
    y = paddle.nn.functional.dropout(x, 0.25)
    y.sum().backward()
    show("y", y)
    show("grad", x.grad)


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
