"""Losses: every reduction, gradients, labels, weights, errors, layers."""

from ..harness import case
from ._texts import texts

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
    far = lambda a, b: (a - b).abs().sum(-1)  # noqa: E731
    show("function", [call(x, y, z, far, 0.3, swap, "none") for swap in (False, True)])
    show.raises("negative", lambda: call(x, y, z, lambda a, b: -far(a, b)))


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


DIFFERS = {
    "labels that want a gradient in float32":
        "Paddle gives the labels of these losses no gradient, silently",
    "a logit of zero in float32": "Paddle's slope at exactly 0 is -1/2 - label, not 1/2 - label",
    "a variance that is learned in float32":
        "Paddle cuts the variance off, so that a network cannot learn it",
}  # fmt: skip
TABLE = texts("losses", globals(), DIFFERS)
