"""Functions of several ops give the same numbers and slopes in a Program."""

import numpy as np

import minipaddle as paddle
from minipaddle import nn
from tests.each import each
from tests.static.world import fresh

from ..contract.refusal import refused

F = nn.functional
RNG = np.random.default_rng(11)
X, Y, Z = (RNG.uniform(0.1, 0.9, (4, 6)) for _ in range(3))
SIGNS = np.where(RNG.uniform(size=(4, 6)) < 0.5, -1.0, 1.0)
HALF = np.where(RNG.uniform(size=4) < 0.5, -1, 1)
CLASSES = np.array([0, 5, 2, 1])
CALLS = {
    "glu": (F.glu, X), "swiglu": (F.swiglu, X, Y),
    "prelu": (lambda x, w: F.prelu(x, w[0]), X, Y), "silu": (F.silu, X),
    "softmax": (lambda x: F.softmax(x, 0), X), "log_softmax": (F.log_softmax, X),
    "maxout": (lambda x: F.maxout(x.reshape([2, 6, 2, 1]), 3), X),
    "smooth_l1": (lambda x, y: F.smooth_l1_loss(x, y, delta=0.2), X, Y),
    "bce": (F.binary_cross_entropy, X, Y),
    "logits": (lambda x, y, z: F.binary_cross_entropy_with_logits(x, y, pos_weight=z), X, Y, Z),
    "kl": (lambda x, y: F.kl_div(x, y, "batchmean"), X, Y), "focal": (F.sigmoid_focal_loss, X, Y),
    "poisson": (lambda x, y: F.poisson_nll_loss(x, y * 9, full=True), X, Y),
    "gaussian": (F.gaussian_nll_loss, X, Y, Z), "ranking": (F.margin_ranking_loss, X, Y, SIGNS),
    "hinge": (F.hinge_embedding_loss, X, SIGNS), "cosine": (F.cosine_embedding_loss, X, Y, HALF),
    "triplet": (lambda x, y, z: F.triplet_margin_loss(x, y, z, swap=True), X, Y, Z),
    "soft margin": (F.soft_margin_loss, X, SIGNS),
    "labels": (F.multi_label_soft_margin_loss, X, Y),
    "multi margin": (lambda x, y: F.multi_margin_loss(x, y, 2), X, CLASSES),
    "dice": (F.dice_loss, X, CLASSES[:, None]), "npair": (F.npair_loss, X, Y, CLASSES),
    "distance": (F.pairwise_distance, X, Y),
    "bilinear": (lambda x, y, w: F.bilinear(x, y, w.reshape([6, 2, 2]).sum(0)[None]), X[:, :2],
                 Y[:, :2], Z),
    "entropy": (F.softmax_with_cross_entropy, X, CLASSES[:, None]),
    "shares": (lambda x, y: F.cross_entropy(x, y, use_softmax=False), X, CLASSES),
    "smooth": (lambda x, y: F.cross_entropy(x, y, ignore_index=5, label_smoothing=0.1), X, CLASSES),
}  # fmt: skip


def eager(call, arrays):
    tensors = [paddle.to_tensor(a, stop_gradient=a.dtype.kind != "f") for a in arrays]
    out = call(*tensors)
    out.sum().backward()
    return out.numpy(), tensors[0].grad.numpy()


def in_a_program(call, arrays, *known):
    """Return result and gradient of a Program that declares `known` as its inputs' first sizes."""
    static = paddle.static
    with fresh() as (main, _):
        feeds = {f"x{i}": a for i, a in enumerate(arrays)}
        names = [
            static.data(name, [*known, *a.shape[len(known) :]], a.dtype.name)
            for name, a in feeds.items()
        ]
        names[0].stop_gradient = False
        out = call(*names)
        (slope,) = static.gradients([out.sum()], names[:1])
        return static.Executor().run(main, feed=feeds, fetch_list=[out, slope])


@each("name", CALLS)
def test_a_program_gives_the_numbers_of_dynamic_mode(name) -> None:
    call, *arrays = CALLS[name]
    for wanted, found in zip(eager(call, arrays), in_a_program(call, arrays, 4), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)


@each("name", ["bce", "logits", "kl", "gaussian", "hinge", "soft margin"])
def test_a_program_need_not_know_the_batch(name) -> None:
    call, *arrays = CALLS[name]
    for wanted, found in zip(eager(call, arrays), in_a_program(call, arrays, -1), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)


@each("known", [(2, -1), (-1, 4, -1), (-1, -1, -1, -1)])
def test_a_program_normalizes_groups_of_unknown_sizes(known) -> None:
    images = X.reshape(2, 4, 3, 1)
    groups = 1 if known[1] < 0 else 2

    def call(x):
        return F.group_norm(x, groups) ** 3

    both = zip(eager(call, [images]), in_a_program(call, [images], *known), strict=True)
    for wanted, found in both:
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_a_wrong_reduction_is_an_error() -> None:
    refused(F.kl_div, ValueError, paddle.to_tensor(X), paddle.to_tensor(Y), "max")
