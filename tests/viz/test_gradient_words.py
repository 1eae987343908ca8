"""Sentences about gradients say what the backward of the op computes.

Each case states the meaning of a sentence in NumPy, and is compared with the recorded gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import minipaddle as paddle
import viz
from tests.each import each

F = paddle.nn.functional
Array = Any


class Case(NamedTuple):
    """An op of leaves, a part of its sentence, and the gradients that this part means."""

    op: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    says: str
    means: Callable[..., tuple[Array, ...]]


def on_rows(came: Array, table: Array) -> tuple[Array]:
    grad = np.zeros_like(table)
    for row, at in zip(came, (2, 0, 2), strict=True):
        grad[at] += row
    return (grad,)


def standardized(x: Array) -> Array:
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)


def rest_of_rows(came: Array, x: Array) -> Array:
    """Return rows without mean and part along the normalised row, over the standard deviation."""
    unit = standardized(x)
    rest = came - came.mean(1, keepdims=True) - unit * (came * unit).mean(1, keepdims=True)
    return rest / np.sqrt(x.var(1, keepdims=True) + 1e-5)


def windows(came: Array, x: Array) -> tuple[Array]:
    grad = np.zeros_like(x)
    for i, j in np.ndindex(2, 2):
        window = x[0, 0, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2]
        a, b = np.unravel_index(window.argmax(), (2, 2))
        grad[0, 0, 2 * i + a, 2 * j + b] = came[0, 0, i, j]
    return (grad,)


def met(came: Array, x: Array, w: Array) -> tuple[Array, Array]:
    dx, dw = np.zeros_like(x), np.zeros_like(w)
    for i, j, a, b in np.ndindex(3, 3, 2, 2):
        dx[0, 0, i + a, j + b] += came[0, 0, i, j] * w[0, 0, a, b]
        dw[0, 0, a, b] += came[0, 0, i, j] * x[0, 0, i + a, j + b]
    return dx, dw


def weighted(came: Array, x: Array) -> tuple[Array]:
    y = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    return ((came - (came * y).sum(-1, keepdims=True)) * y,)


ROWS = paddle.to_tensor([2, 0, 2])
TRUE = paddle.to_tensor([[True, False, True], [False, False, True]])
CASES = {
    "abs": Case(abs, ((2, 3),), "opposite sign where", lambda c, x: (c * np.sign(x),)),
    "x * x": Case(lambda x: x * x, ((3,),), "both factors", lambda c, x: (2 * c * x,)),
    "pow 2": Case(lambda x: x**2, ((3,),), "slope 2 × x", lambda c, x: (c * 2 * x,)),
    "sqrt": Case(
        lambda x: (x * x).sqrt(), ((3,),), "1 / (2 ×",
        lambda c, x: (c / (2 * abs(x)) * 2 * x,),
    ),
    "log1p": Case(
        lambda x: paddle.log1p(x * x), ((3,),), "by 1 + ",
        lambda c, x: (c / (1 + x * x) * 2 * x,),
    ),
    "leaky_relu": Case(
        lambda x: F.leaky_relu(x, 0.2), ((2, 3),), "times 0.2 elsewhere",
        lambda c, x: (np.where(x > 0, c, 0.2 * c),),
    ),
    "clip": Case(
        lambda x: x.clip(-0.5, 0.5), ((2, 3),), "where x is in [−0.5, 0.5]",
        lambda c, x: (np.where(abs(x) <= 0.5, c, 0),),
    ),
    "softmax": Case(F.softmax, ((2, 3),), "average in each row weighted by", weighted),
    "max": Case(
        lambda x: x.max(axis=1), ((2, 3),), "the element of x that was its maximum",
        lambda c, x: (np.where(x == x.max(1, keepdims=True), c[:, None], 0),),
    ),
    "where": Case(
        lambda x, y: paddle.where(TRUE, x, y), ((2, 3), (2, 3)), "to y elsewhere",
        lambda c, x, y: (np.where(TRUE.numpy(), c, 0), np.where(TRUE.numpy(), 0, c)),
    ),
    "where, first": Case(
        lambda x: paddle.where(TRUE, x, x.detach()), ((2, 3),), "to x where TRUE is True.",
        lambda c, x: (np.where(TRUE.numpy(), c, 0),),
    ),
    "embedding": Case(
        lambda x: F.embedding(ROWS, x), ((4, 2),), "that ROWS chose, giving dx [4, 2]", on_rows
    ),
    "topk": Case(
        lambda x: paddle.topk(x, 1)[0], ((2, 3),), "at the place in x",
        lambda c, x: (np.where(x == x.max(1, keepdims=True), c, 0),),
    ),
    "stack": Case(
        lambda x, y: paddle.stack([x, y]), ((3,), (3,)), "into dx [3] and dy [3]",
        lambda c, x, y: (c[0], c[1]),
    ),
    "max pool": Case(
        lambda x: F.max_pool2d(x, 2), ((1, 1, 4, 4),), "of x that won its window", windows
    ),
    "conv": Case(
        F.conv2d, ((1, 1, 4, 4), (1, 1, 2, 2)), "over all places", met
    ),
    "norm": Case(
        paddle.linalg.norm, ((3,),), "times x / ",
        lambda c, x: (c * x / np.sqrt((x * x).sum()),),
    ),
    "matmul, vector and matrix": Case(
        lambda x, y: x @ y, ((3,), (3, 2)), "dy is the outer product of x and",
        lambda c, x, y: (c @ y.T, np.outer(x, c)),
    ),
    "matmul, matrix and vector": Case(
        lambda x, y: x @ y, ((2, 3), (3,)), "dx is the outer product of d",
        lambda c, x, y: (np.outer(c, y), x.T @ c),
    ),
    "matmul, vectors": Case(
        lambda x, y: x @ y, ((3,), (3,)), "dx is d",
        lambda c, x, y: (c * y, c * x),
    ),
    "matmul, batch and matrix": Case(
        lambda x, y: x @ y, ((2, 4, 3), (3, 2)), "over all matrices of x",
        lambda c, x, y: (c @ y.T, sum(a.T @ b for a, b in zip(x, c, strict=True))),
    ),
    "matrix and vector": Case(
        paddle.mv, ((2, 3), (3,)), "dx is the outer product of",
        lambda c, x, y: (np.outer(c, y), x.T @ c),
    ),
    "variance": Case(
        lambda x: x.var(axis=1), ((2, 3),), "by each element of x minus the mean",
        lambda c, x: (c[:, None] * (x - x.mean(1, keepdims=True)),),
    ),
    "variance of four": Case(
        lambda x: x.var(axis=1, unbiased=False), ((2, 4),), "by 0.5 and by each element of x",
        lambda c, x: (c[:, None] / 2 * (x - x.mean(1, keepdims=True)),),
    ),
    "trace": Case(
        lambda x: x.trace(), ((2, 2),), "on the main diagonal of x, with zeros elsewhere",
        lambda c, x: (c * np.eye(2),),
    ),
    "determinant": Case(
        paddle.linalg.det, ((2, 2),), "the inverse of x, transposed",
        lambda c, x: (c * np.linalg.det(x) * np.linalg.inv(x).T,),
    ),
    "linear system": Case(
        paddle.linalg.solve, ((2, 2), (2, 1)), "⁻ᵀ @",
        lambda c, x, y: (
            -np.linalg.inv(x).T @ c @ np.linalg.solve(x, y).T, np.linalg.inv(x).T @ c,
        ),
    ),
    "border": Case(
        lambda x: F.pad(x, [1, 1], data_format="NCL"), ((1, 2, 3),), "cuts the border off",
        lambda c, x: (c[..., 1:-1],),
    ),
    "mean pool": Case(
        lambda x: F.avg_pool2d(x, 2), ((1, 1, 4, 4),), "over the 4 elements of its window in x",
        lambda c, x: (np.kron(c, np.ones((2, 2))) / 4,),
    ),
    "prelu": Case(
        F.prelu, ((2, 3), (1,)), "and 0 elsewhere",
        lambda c, x, y: (np.where(x > 0, c, c * y), [np.where(x > 0, 0, c * x).sum()]),
    ),
    "Huber's loss": Case(
        lambda x: F.smooth_l1_loss(x, paddle.zeros([3], "float64"), reduction="none"), ((3,),),
        "limited to [−1, 1]", lambda c, x: (c * x.clip(-1, 1),),
    ),
    "layer norm": Case(
        lambda x, y: F.layer_norm(x, [3], weight=y), ((2, 3), (3,)), "the normalised row",
        lambda c, x, y: (rest_of_rows(c * y, x), (c * standardized(x)).sum(0)),
    ),
    "layer norm, weight and bias": Case(
        lambda x, y: F.layer_norm(x, [3], weight=y[0], bias=y[1]), ((2, 3), (2, 3)),
        "is the sum over the rows of d",
        lambda c, x, y: (rest_of_rows(c * y[0], x), [(c * standardized(x)).sum(0), c.sum(0)]),
    ),
    "parts": Case(
        lambda x: paddle.concat(paddle.split(x, [1, 2], axis=1), axis=1), ((2, 3),),
        "again, giving dx", lambda c, x: (c,),
    ),
    "one part of three": Case(
        lambda x: paddle.unbind(x, axis=1)[1], ((2, 3),), "with zeros for unbind(x)[0] and",
        lambda c, x: (np.stack([0 * c, c, 0 * c], 1),),
    ),
    "order": Case(
        lambda x: paddle.sort(x, axis=1), ((2, 3),), "that it was sorted from",
        lambda c, x: (np.take_along_axis(c, x.argsort(1).argsort(1), 1),),
    ),
    "equal minima": Case(
        lambda x: paddle.min(paddle.concat([x, x])), ((3,),), "in equal parts",
        lambda c, x: (c * (x == x.min()),),
    ),
    "places along an axis": Case(
        lambda x: paddle.take_along_axis(x, paddle.to_tensor([[2], [0]]), 1), ((2, 3),),
        "that it was read from, giving dx", lambda c, x: (c * np.eye(3)[[2, 0]],),
    ),
    "rows written": Case(
        lambda x, y: paddle.scatter(x, paddle.to_tensor([2, 0]), y), ((3, 2), (2, 2)),
        "which were overwritten", lambda c, x, y: (c * [[0], [1], [0]], c[[2, 0]]),
    ),
    "masked": Case(
        lambda x: paddle.masked_fill(x, paddle.to_tensor([True, False, False]), 7.0), ((3,),),
        "is False, and blocks it elsewhere", lambda c, x: (c * [0, 1, 1],),
    ),
    "windows of any size": Case(
        lambda x: F.adaptive_avg_pool2d(x, (1, 2)), ((1, 1, 2, 4),), "evenly over its window",
        lambda c, x: (np.kron(c, np.ones((2, 2))) / 4,),
    ),
    "products of letters": Case(
        lambda x, y: paddle.einsum("ij,kj->ik", x, y), ((2, 3), (4, 3)), "over the subscript k",
        lambda c, x, y: (c @ y, c.T @ x),
    ),
    "one tensor twice": Case(
        lambda x: paddle.einsum("ij,kj->ik", x, x), ((2, 3),), "summed over the subscript i",
        lambda c, x: (c @ x + c.T @ x,),
    ),
    "a product added": Case(
        lambda x, y: paddle.addmm(x @ y, x, y, beta=0.5, alpha=2.0), ((2, 2), (2, 2)),
        "= 2 × d", lambda c, x, y: (2.5 * c @ y.T, 2.5 * x.T @ c),
    ),
    "products added": Case(
        lambda x, y: paddle.baddbmm(paddle.ones([2, 4, 2], "float64"), x, y),
        ((2, 4, 3), (2, 3, 2)), "for each matrix: dx = d",
        lambda c, x, y: (c @ y.swapaxes(1, 2), x.swapaxes(1, 2) @ c),
    ),
    "mean pool with padding": Case(
        lambda x: F.avg_pool2d(x, 2, stride=2, padding=1), ((1, 1, 2, 2),),
        "the padding gets none", lambda c, x: (c,),
    ),
    "sums of letters": Case(
        lambda x: paddle.einsum("ij->j", x), ((2, 3),), "along i",
        lambda c, x: (np.stack([c, c]),),
    ),
    "letters in another order": Case(
        lambda x: paddle.einsum("ij->ji", x), ((2, 3),), "back in their order",
        lambda c, x: (c.T,),
    ),
    "softmax of columns": Case(
        lambda x: F.softmax(x, axis=0), ((3, 2),), "its average along axis 0 weighted by",
        lambda c, x: (weighted(c.T, x.T)[0].T,),
    ),
    "median": Case(
        lambda x: x.median(axis=1), ((2, 3),), "that was the middle element",
        lambda c, x: (c[:, None] * (x == np.median(x, 1, keepdims=True)),),
    ),
    "several equal maxima": Case(
        lambda x: paddle.amax(paddle.concat([x, x])), ((3,),), "in equal parts",
        lambda c, x: (c * (x == x.max()),),
    ),
    "products so far": Case(
        lambda x: paddle.cumprod(x, dim=0), ((3,),), "each times the other factors",
        lambda c, x: (
            [sum(c[k] * np.prod(np.delete(x[: k + 1], j)) for k in range(j, 3)) for j in range(3)],
        ),
    ),
    "between limits": Case(
        paddle.nn.functional.hardtanh, ((2, 3),), "lies between its limits",
        lambda c, x: (np.where(abs(x) < 1, c, 0),),
    ),
    "kth value": Case(
        lambda x: paddle.kthvalue(x, 2, axis=1)[0], ((2, 3),), "that its number was taken from",
        lambda c, x: (c[:, None] * (x == np.median(x, 1, keepdims=True)),),
    ),
    "steps": Case(
        paddle.floor, ((2, 3),), "so the gradient is 0", lambda c, x: (0 * c,),
    ),
    "pairs of matrices": Case(
        paddle.bmm, ((2, 4, 3), (2, 3, 2)), "for each matrix: dx =",
        lambda c, x, y: (c @ y.swapaxes(1, 2), x.swapaxes(1, 2) @ c),
    ),
    "inverse": Case(
        paddle.linalg.inv, ((2, 2),), "dx = −",
        lambda c, x: (-np.linalg.inv(x).T @ c @ np.linalg.inv(x).T,),
    ),
    "lower triangle": Case(
        paddle.tril, ((3, 3),), "keeps the lower triangle of d", lambda c, x: (np.tril(c),)
    ),
    "layer norm over two axes": Case(
        lambda x: F.layer_norm(x, [2, 3]), ((2, 2, 3),), "less its mean over the last 2 axes",
        lambda c, x: (rest_of_rows(c.reshape(2, 6), x.reshape(2, 6)).reshape(x.shape),),
    ),
    "matmul, batches": Case(
        lambda x, y: x @ y, ((2, 4, 3), (2, 3, 2)), "for each matrix: dx =",
        lambda c, x, y: (c @ y.swapaxes(1, 2), x.swapaxes(1, 2) @ c),
    ),
}  # fmt: skip


@each("name", CASES)
def test_a_gradient_is_what_its_sentence_says(name: str) -> None:
    case, rng = CASES[name], np.random.default_rng(len(name))
    arrays = [rng.normal(size=shape) for shape in case.shapes]
    leaves = [paddle.to_tensor(array, stop_gradient=False) for array in arrays]
    x, y = leaves[0], leaves[-1]
    with viz.record() as trace:
        out = case.op(x) if len(leaves) == 1 else case.op(x, y)
        came = paddle.to_tensor(rng.normal(size=out.shape))
        (out * came).sum().backward()
    sentences = [step.text for step in trace.steps if step.kind == "visit"]
    assert any(case.says in sentence for sentence in sentences), sentences
    assert not any(sentence.startswith("Backward of") for sentence in sentences), sentences
    for leaf, means in zip(leaves, case.means(came.numpy(), *arrays), strict=True):
        np.testing.assert_allclose(leaf.grad.numpy(), means, 1e-9, 1e-12)


def test_a_reduction_over_an_axis_puts_the_axis_back_and_tells_parts() -> None:
    x = paddle.to_tensor(np.array([[1.0, 2.0], [4.0, 3.0]], "float32"), stop_gradient=False)
    with viz.record() as trace:
        largest, total, average = x.max(), x.sum(axis=1), x.mean(axis=1)
        (largest + (total * average).sum()).backward()
    formulas = [str(step.formula) for step in trace.steps if step.kind == "visit"]
    assert "dx += dlargest · [x = largest] / Σ [x = largest]" in formulas
    assert "dx += expand(unsqueeze(dtotal, axis=1))" in formulas
    assert "dx += unsqueeze(daverage / 2, axis=1)" in formulas
    (told,) = (trace.say(step.index) for step in trace.steps if "largest of x" in str(step.text))
    assert "giving part of dx [2, 2]; the others get 0" in told


def test_a_norm_of_long_names_is_explained_by_the_gradient_of_its_input() -> None:
    norm, states_of_the_attention = paddle.nn.LayerNorm(3), paddle.rand([2, 3])
    states_of_the_attention.stop_gradient = False
    with viz.record() as trace:
        normalised_states_of_the_encoder_layer = norm(states_of_the_attention)
        normalised_states_of_the_encoder_layer.sum().backward()
    said = next(step.text for step in trace.steps if step.text.startswith("layer norm: "))
    assert "states_of_the_attention is each row of dnormalised_states_of_the_encoder_layer" in said
    assert said.endswith("It also gives d(norm.weight) and d(norm.bias)."), said
