"""Functions that are more than one op give the same numbers and slopes in a Program."""

import numpy as np

import minipaddle as paddle
from minipaddle import nn
from tests.each import each

from ..contract.refusal import refuses

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
}  # fmt: skip


def eager(call, arrays):
    tensors = [paddle.to_tensor(a, stop_gradient=a.dtype.kind != "f") for a in arrays]
    out = call(*tensors)
    out.sum().backward()
    return out.numpy(), tensors[0].grad.numpy()


def in_a_program(call, arrays, rows):
    static = paddle.static
    paddle.enable_static()
    try:
        main = static.Program()
        with static.program_guard(main, static.Program()):
            feeds = {f"x{i}": a for i, a in enumerate(arrays)}
            names = [static.data(n, [rows, *a.shape[1:]], a.dtype.name) for n, a in feeds.items()]
            names[0].stop_gradient = False
            out = call(*names)
            (slope,) = static.gradients([out.sum()], names[:1])
            return static.Executor().run(main, feed=feeds, fetch_list=[out, slope])
    finally:
        paddle.disable_static()


@each("name", CALLS)
def test_the_same_numbers_in_a_program(name) -> None:
    call, *arrays = CALLS[name]
    for wanted, found in zip(eager(call, arrays), in_a_program(call, arrays, 4), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)


@each("name", ["bce", "logits", "kl", "gaussian", "hinge", "soft margin"])
def test_a_program_need_not_know_the_batch(name) -> None:
    call, *arrays = CALLS[name]
    for wanted, found in zip(eager(call, arrays), in_a_program(call, arrays, -1), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)


def test_what_losses_refuse() -> None:
    x, y = paddle.to_tensor(X), paddle.to_tensor(Y)
    with refuses(ValueError, "binary_cross_entropy(): Illegal input", "[0, 1]", "_with_logits"):
        F.binary_cross_entropy(x + 1, y)
    with refuses(ValueError, "kl_div(): input and label should have the same rank", "[4, 6]"):
        F.kl_div(x, y[:1])
    with refuses(ValueError, "the label has another dtype", "float32", "astype('float64')"):
        F.binary_cross_entropy_with_logits(x, y.astype("float32"))
    with refuses(ValueError, "log_loss(): input must be a column", "reshape([-1, 1])"):
        F.log_loss(x, y)
    with refuses(ValueError, "variance is of incorrect shape", "[4, 6], [4] or [4, 1]"):
        F.gaussian_nll_loss(x, y, x[0])
    with refuses(ValueError, "variance has negative entry"):
        F.gaussian_nll_loss(x, y, -x)
    with refuses(ValueError, "epsilon", "positive"):
        F.poisson_nll_loss(x, y, epsilon=0.0)
    with refuses(ValueError, "zero or one dimension of normalizer"):
        F.sigmoid_focal_loss(x, y, x)
    with refuses(ValueError, "'reduction' in kl_div", "'batchmean'"):
        F.kl_div(x, y, "x")
    with refuses(ValueError, "input's shape must equal to positive's shape", "[1, 6]"):
        F.triplet_margin_loss(x, y[:1], y)
    with refuses(ValueError, "margin between positive samples", "-1"):
        F.triplet_margin_loss(x, y, y, margin=-1)
    with refuses(ValueError, "distance functions should be checked"):
        F.triplet_margin_with_distance_loss(x, y, y, lambda a, b: (b - b - 1).sum(-1))
    with refuses(ValueError, "1D target tensor expected", "label [4, 6]"):
        F.cosine_embedding_loss(x, y, y)
    with refuses(ValueError, "multi_margin_loss(): The label's shape[0]", "label [4]"):
        F.multi_margin_loss(x, paddle.to_tensor([1]))
    with refuses(AssertionError, "rank of input and label should be equal", "unsqueeze(-1)"):
        F.dice_loss(x, paddle.to_tensor(CLASSES))
    with refuses(RuntimeError, "dropout1d expects 2D or 3D input, got 1D"):
        F.dropout1d(x[0])
    with refuses(ValueError, "dropout2d(): x must have 4 axes"):
        F.dropout2d(x)
    with refuses(ValueError, "feature_alpha_dropout(): x must have 2 axes or more", "[6]"):
        F.feature_alpha_dropout(x[0])
    with refuses(ValueError, "in kl_div should be 'sum', 'batchmean', 'mean' or 'none'", "'max'"):
        F.kl_div(x, y, "max")


def test_containers_refuse() -> None:
    held = nn.LayerDict({"a": nn.ReLU()})
    with refuses(KeyError, "LayerDict holds nothing under 'b'", "'a'"):
        _ = held["b"]
    with refuses(AssertionError, "not iterable of key/value pairs", "int"):
        held.update(3)
    with refuses(ValueError, "length of the 0's element is 1, which must be 2"):
        held.update([("a",)])
    with refuses(AssertionError, "insert(): index should be an integer in range [-1, 1]", "9"):
        nn.LayerList([nn.ReLU()]).insert(9, nn.ReLU())
    with refuses(AssertionError, "ParameterList: element 0 is not a Parameter", "int"):
        nn.ParameterList([1])
