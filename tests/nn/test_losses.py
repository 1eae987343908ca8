"""Losses agree with formulas in float64, gradients with differences; wrong calls raise."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn
from tests.each import each

F = nn.functional
RNG = np.random.default_rng(7)
SCORES = RNG.normal(size=(5, 4))
LABELS = np.array([0, 3, 1, 3, 2])
WEIGHTS = np.array([1.0, 2.0, 0.5, 3.0])
SHARES = np.abs(RNG.normal(size=(5, 4)))


def log_softmax(x):
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def check_gradient(loss, x, seed=0) -> None:
    """The gradient along a random direction, for a random cotangent."""
    rng = np.random.default_rng(seed)
    start = paddle.to_tensor(x, stop_gradient=False)
    out = loss(start)
    cotangent = np.asarray(rng.normal(size=tuple(out.shape)))
    out.backward(paddle.to_tensor(cotangent))
    direction, step = rng.normal(size=x.shape), 1e-6
    ends = [loss(paddle.to_tensor(x + s * direction)).numpy() for s in (step, -step)]
    wanted = np.sum(cotangent * (ends[0] - ends[1])) / (2 * step)
    slope = np.sum(start.grad.numpy() * direction)
    np.testing.assert_allclose(slope, wanted, rtol=1e-6, atol=1e-8)
    assert abs(wanted) > 1e-6  # a gradient of zero would be caught


# ----- cross entropy -----


@pytest.mark.parametrize("soft", [False, True])
def test_label_smoothing_equals_its_formula(soft: bool) -> None:
    label = SHARES if soft else LABELS
    smooth = 0.9 * (SHARES if soft else np.eye(4)[LABELS]) + 0.1 / 4
    wanted = -(smooth * log_softmax(SCORES)).sum(-1, keepdims=True)

    def loss(x):
        return F.cross_entropy(
            x, paddle.to_tensor(label), label_smoothing=0.1, soft_label=soft, reduction="none"
        )

    np.testing.assert_allclose(loss(paddle.to_tensor(SCORES)).numpy(), wanted, rtol=1e-12)
    check_gradient(loss, SCORES)


def test_label_smoothing_counts_the_classes_along_the_axis() -> None:
    x, labels = paddle.rand([2, 3, 2]), paddle.to_tensor([[0, 1], [2, 1]])
    along = {"label_smoothing": 0.1, "reduction": "none"}
    shares = F.one_hot(labels, 3).transpose([0, 2, 1])
    soft = F.cross_entropy(x, shares, soft_label=True, axis=1, **along)
    last = F.cross_entropy(x.transpose([0, 2, 1]), labels.unsqueeze(-1), **along)
    np.testing.assert_allclose(soft.numpy()[:, 0], last.numpy()[..., 0], rtol=1e-5)


def test_an_ignored_row_gets_no_gradient_even_if_it_is_infinite() -> None:
    x = paddle.to_tensor([[1.0, 2.0], [np.inf, 0.0]], stop_gradient=False)
    F.cross_entropy(x, paddle.to_tensor([1, -100]), label_smoothing=0.1).backward()
    assert x.grad[0].abs().min() > 0
    assert not x.grad[1].any()


@each("options", [{}, {"ignore_index": 1}, {"weight": WEIGHTS}, {"label_smoothing": 0.1}])
def test_the_mean_of_no_rows_is_nan_but_0_for_log_likelihoods(options) -> None:
    options = {k: paddle.to_tensor(v) if k == "weight" else v for k, v in options.items()}
    x, label = paddle.zeros([0, 4], "float64"), paddle.zeros([0], "int64")
    assert np.isnan(F.cross_entropy(x, label, **options).item())
    options.pop("label_smoothing", None)
    assert F.nll_loss(x, label, **options).item() == 0.0


def test_the_layer_passes_every_argument_on() -> None:
    weight = paddle.to_tensor(WEIGHTS)
    layer = nn.CrossEntropyLoss(weight, 3, "sum", label_smoothing=0.0)
    x, label = paddle.to_tensor(SCORES), paddle.to_tensor(LABELS)
    wanted = F.cross_entropy(x, label, weight, ignore_index=3, reduction="sum")
    assert float(layer(x, label)) == float(wanted)
    probabilities = F.softmax(x)
    bare = paddle.nn.loss.CrossEntropyLoss(use_softmax=False, axis=1)
    np.testing.assert_allclose(
        float(bare(probabilities, label)), float(F.cross_entropy(x, label)), rtol=1e-12
    )
