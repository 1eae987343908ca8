"""Losses: every reduction, gradients, labels, weights, errors, layers."""

import numpy as np

from ..harness import case
from ._texts import graded, texts

SCORES = [[0.3, -1.2, 2.0], [1.5, 0.1, -0.7]]
SHARES = [[0.2, 0.5, 0.9], [0.7, 0.1, 0.4]]
TARGETS = [[0.0, 1.0, 0.3], [0.5, 0.0, 1.0]]
SIGNS = [[1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]]
INF = float("inf")


def every_reduction(paddle, show, name, first, *others, reductions=("none", "mean", "sum"), **rest):
    """Show the loss and its slope by the first tensor, for each reduction and both dtypes."""
    function = getattr(paddle.nn.functional, name)
    # Paddle's p-norms add 1e-12 in their gradient.
    for kind in ("float32",) if "triplet" in name else ("float32", "float64"):
        given = [paddle.to_tensor(v, dtype=kind) for v in others]
        for reduction in reductions:
            x = paddle.to_tensor(first, dtype=kind, stop_gradient=False)
            loss = function(x, *given, reduction=reduction, **rest)
            (loss * loss).sum().backward()
            words = " ".join(f"{key} {value}" for key, value in rest.items())
            show(f"{name} {kind} {reduction} {words}", [loss, x.grad])


@case(ulps=8)
def triplets(paddle, show):
    functional = paddle.nn.functional
    third = [[1.0, 1.0, 0.2], [-0.4, 0.6, 0.1]]
    for settings in ({}, {"p": 1}, {"swap": True}, {"margin": 3.0, "p": 3, "epsilon": 0.1}):
        every_reduction(paddle, show, "triplet_margin_loss", SCORES, SHARES, third, **settings)
    x, y, z = (paddle.to_tensor(v) for v in (SCORES, SHARES, third))
    call = functional.triplet_margin_with_distance_loss
    show("own", call(x, y, z, reduction="none"))
    far = lambda a, b: (a - b).abs().sum(-1)  # noqa: E731
    show("function", [call(x, y, z, far, 0.3, swap, "none") for swap in (False, True)])
    show.raises("negative", lambda: call(x, y, z, lambda a, b: -far(a, b)))
    show.raises("margin", lambda: functional.triplet_margin_loss(x, y, z, margin=-1.0))
    show.raises("shape", lambda: functional.triplet_margin_loss(x, y[:1], z))
    show.raises("reduction", lambda: functional.triplet_margin_loss(x, y, z, reduction="x"))
    show(
        "distance", [functional.pairwise_distance(x, y, p, 0.0, True) for p in (1.0, 2.0, 3.0, INF)]
    )
    show("distance of 1-D", functional.pairwise_distance(x[0], y[0]))


@case(ulps=8)
def softmax_with_cross_entropy(paddle, show):
    call = paddle.nn.functional.softmax_with_cross_entropy
    x = paddle.to_tensor(SCORES, stop_gradient=False)
    show("plain", call(x, paddle.to_tensor([[0], [1]])))
    show("pair", list(call(x, paddle.to_tensor([[0], [1]]), return_softmax=True)))
    show("axis", call(x, paddle.to_tensor([[0, 1, 0]]), axis=0))
    show("soft", call(x, paddle.to_tensor(SHARES), soft_label=True))
    show("ignored", call(x, paddle.to_tensor([[0], [2]]), ignore_index=2))
    call(x, paddle.to_tensor([[2], [1]])).sum().backward()
    show("slope", x.grad)


@case(ulps=4)
def bilinear(paddle, show):
    x = paddle.to_tensor(SCORES, stop_gradient=False)
    y = paddle.to_tensor([[1.0, 2.0], [1.0, 0.5]], stop_gradient=False)
    weight = paddle.arange(24.0).reshape([4, 3, 2])
    weight.stop_gradient = False
    bias = paddle.to_tensor([[1.0, 2.0, 3.0, 4.0]])
    out = paddle.nn.functional.bilinear(x, y, weight, bias)
    out.sum().backward()
    show("out", [out, x.grad, y.grad, weight.grad])
    paddle.seed(3)
    layer = paddle.nn.Bilinear(3, 2, 4)
    show("layer", [layer(x, y), layer.weight, layer.bias, repr(layer)])


LOSSES = {
    "BCELoss": {}, "BCEWithLogitsLoss": {}, "KLDivLoss": {"reduction": "batchmean"},
    "SmoothL1Loss": {"delta": 0.5}, "SoftMarginLoss": {}, "HingeEmbeddingLoss": {"margin": 2.0},
    "MultiLabelSoftMarginLoss": {}, "PoissonNLLLoss": {"full": True}, "MSELoss": {}, "L1Loss": {},
}  # fmt: skip
OF_THREE = {
    "MarginRankingLoss": {"margin": 0.1},
    "TripletMarginLoss": {"p": 1.0, "swap": True},
    "TripletMarginWithDistanceLoss": {},
    "GaussianNLLLoss": {"full": True},
}


@case(ulps=8)
def layers(paddle, show):
    nn = paddle.nn
    x, y = paddle.to_tensor(SHARES), paddle.to_tensor(TARGETS)
    for name, settings in LOSSES.items():
        for reduction in ("none", "sum"):
            layer = getattr(nn, name)(**{"reduction": reduction, **settings})
            show(f"{name} {reduction}", [layer(x, y), repr(layer), layer.full_name()])
    for name, settings in OF_THREE.items():
        layer = getattr(nn, name)(**settings)
        show(name, [layer(x, y, x * 2), repr(layer)])
    show("cosine", nn.CosineEmbeddingLoss(0.1)(x, y, paddle.to_tensor([1, -1])))
    show("multi margin", nn.MultiMarginLoss(2, 0.5)(x, paddle.to_tensor([0, 2])))
    for name in ("BCELoss", "BCEWithLogitsLoss", "MarginRankingLoss", "CosineEmbeddingLoss"):
        show.raises(f"{name} refused", lambda n=name: getattr(nn, n)(reduction="x"))
    show.raises("later", lambda: nn.SmoothL1Loss(reduction="x")(x, y))


@case(ulps=4)
def texts_of_more_layers(paddle, show):
    nn = paddle.nn
    show(
        "drop",
        [
            repr(nn.Dropout(0.3)),
            repr(nn.Dropout(name="n")),
            repr(nn.Dropout3D(0.1)),
            repr(nn.AlphaDropout(0.2)),
            repr(nn.FeatureAlphaDropout(name="n")),
        ],
    )
    show("distance", [repr(nn.PairwiseDistance()), repr(nn.PairwiseDistance(3, 1e-3, True))])
    show("shape", [repr(nn.Unflatten(0, [2, 2])), nn.Unflatten(1, [2, -1])(paddle.ones([3, 4]))])
    show("bilinear", repr(nn.Bilinear(2, 3, 4, name="n")))
    x, y = paddle.to_tensor(SCORES), paddle.to_tensor(SHARES)
    show("values", [nn.PairwiseDistance(1.0)(x, y), nn.CosineSimilarity(1)(x, y)])
    paddle.seed(2)
    show("AlphaDropout", nn.AlphaDropout(0.5)(x))
    show("np", np.float32(1))


TABLE = [
    *graded("losses", "out and gradients within 8 ulps", names=globals(), ulps=8),
    *graded("losses", "out and gradients within 8 ulps in float32", names=globals(),
        dtypes=["float32"], ulps=8),
    *texts("losses", "call within 8 ulps", names=globals(), ulps=8),
    *texts("losses", "call", names=globals()),
    *graded("losses", "out and gradients in float32", names=globals(), dtypes=["float32"]),
    *graded("losses", "labels that want a gradient", names=globals(), dtypes=["float32"],
        differs="Paddle gives the labels of these losses no gradient, silently"),
    *graded("losses", "a logit of zero", names=globals(), dtypes=["float32"],
        differs="Paddle's slope at exactly 0 is -1/2 - label, not 1/2 - label"),
    *graded("losses", "a variance that is learned", names=globals(), dtypes=["float32"],
        differs="Paddle cuts the variance off, so that a network cannot learn it"),
]  # fmt: skip
