"""Losses: every reduction, gradients, labels, weights, refusals, layers."""

import numpy as np

from ..harness import case

SCORES = [[0.3, -1.2, 2.0], [1.5, 0.1, -0.7]]
SHARES = [[0.2, 0.5, 0.9], [0.7, 0.1, 0.4]]
TARGETS = [[0.0, 1.0, 0.3], [0.5, 0.0, 1.0]]
SIGNS = [[1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]]
INF = float("inf")


def every_reduction(paddle, show, name, first, *others, reductions=("none", "mean", "sum"), **rest):
    """The loss and its slope by the first tensor, for each reduction and both dtypes."""
    function = getattr(paddle.nn.functional, name)
    # Paddle's p-norms add 1e-12 somewhere in their gradient.
    for kind in ("float32",) if "triplet" in name else ("float32", "float64"):
        given = [paddle.to_tensor(v, dtype=kind) for v in others]
        for reduction in reductions:
            x = paddle.to_tensor(first, dtype=kind, stop_gradient=False)
            loss = function(x, *given, reduction=reduction, **rest)
            (loss * loss).sum().backward()
            words = " ".join(f"{key} {value}" for key, value in rest.items())
            show(f"{name} {kind} {reduction} {words}", [loss, x.grad])


@case(ulps=8)
def binary_cross_entropy(paddle, show):
    functional = paddle.nn.functional
    every_reduction(paddle, show, "binary_cross_entropy", SHARES, TARGETS)
    x, y = paddle.to_tensor([0.0, 1.0, 0.0, 1.0]), paddle.to_tensor([0.0, 1.0, 1.0, 0.0])
    x.stop_gradient = False
    loss = functional.binary_cross_entropy(x, y, reduction="none")
    loss.sum().backward()
    show("ends", [loss, x.grad])
    x, y = paddle.to_tensor(SHARES), paddle.to_tensor(TARGETS)
    weight = paddle.to_tensor([2.0, 1.0, 0.5])
    show("weight", functional.binary_cross_entropy(x, y, weight))
    show("int", functional.binary_cross_entropy(x, y, weight, "none"))
    show.raises("above 1", lambda: functional.binary_cross_entropy(x + 1, y))
    show.raises("below 0", lambda: functional.binary_cross_entropy(x - 1, y))
    show.raises("shape", lambda: functional.binary_cross_entropy(x, y[:1]))
    show.raises("rank", lambda: functional.binary_cross_entropy(x, y[0]))
    show.raises("dtype", lambda: functional.binary_cross_entropy(x, y.astype("float64")))
    show.raises("int label", lambda: functional.binary_cross_entropy(x, y.astype("int64")))
    show.raises("reduction", lambda: functional.binary_cross_entropy(x, y, reduction="x"))


@case(ulps=8)
def binary_cross_entropy_with_logits(paddle, show):
    functional = paddle.nn.functional
    call = functional.binary_cross_entropy_with_logits
    every_reduction(paddle, show, "binary_cross_entropy_with_logits", SCORES, TARGETS)
    x = paddle.to_tensor([-200.0, -2.0, 0.1, 3.0, 200.0], stop_gradient=False)
    y = paddle.to_tensor([0.0, 1.0, 0.3, 1.0, 0.0])
    loss = call(x, y, reduction="none")
    loss.sum().backward()
    show("far", [loss, x.grad])
    x = paddle.to_tensor(SCORES, stop_gradient=False)
    y = paddle.to_tensor(TARGETS)
    weight, positive = paddle.to_tensor([2.0, 1.0, 0.5]), paddle.to_tensor([3.0, 1.0, 0.2])
    for label, settings in {
        "weight": {"weight": weight},
        "pos_weight": {"pos_weight": positive},
        "both": {"weight": weight, "pos_weight": positive},
    }.items():
        x.clear_grad()
        loss = call(x, y, reduction="none", **settings)
        loss.sum().backward()
        show(label, [loss, x.grad])
    show("ignored", call(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([-100.0, 1.0])))
    show.raises("rank", lambda: call(x, y[0]))
    show.raises("dtype", lambda: call(x, y.astype("float64")))
    show.raises("reduction", lambda: call(x, y, reduction="batchmean"))


@case(ulps=8)
def divergence(paddle, show):
    functional = paddle.nn.functional
    logs = [[-0.2, -1.0, -2.0], [-1.0, -1.0, -1.0]]
    shares = [[0.5, 0.5, 0.0], [0.2, -0.3, 0.5]]
    reductions = ("none", "mean", "batchmean", "sum")
    for log_target in (False, True):
        every_reduction(
            paddle, show, "kl_div", logs, shares, reductions=reductions, log_target=log_target
        )
    x = paddle.to_tensor(logs)
    show("promoted", functional.kl_div(x, paddle.to_tensor(shares, dtype="float64")))
    show.raises("rank", lambda: functional.kl_div(x, x[0]))
    show.raises("int", lambda: functional.kl_div(x, paddle.ones([2, 3], dtype="int64")))


@case(ulps=8)
def huber(paddle, show):
    functional = paddle.nn.functional
    for delta, is_huber in ((1.0, True), (2.0, True), (2.0, False), (0.5, False)):
        every_reduction(
            paddle, show, "smooth_l1_loss", SCORES, TARGETS, delta=delta, is_huber=is_huber
        )
    x = paddle.to_tensor(SCORES)
    y = paddle.to_tensor(TARGETS, stop_gradient=False)
    functional.smooth_l1_loss(x, y).backward()
    show("label", y.grad)
    show("promoted", functional.smooth_l1_loss(x, y.astype("float64")))
    show.raises("rank", lambda: functional.smooth_l1_loss(x, y[0]))
    show.raises("int", lambda: functional.smooth_l1_loss(x, y.astype("int64")))


@case(ulps=8)
def squares_and_logarithms(paddle, show):
    functional = paddle.nn.functional
    x, y = paddle.to_tensor(SCORES, stop_gradient=False), paddle.to_tensor(TARGETS)
    loss = functional.square_error_cost(x, y)
    loss.sum().backward()
    show("square_error_cost", [loss, x.grad])
    x = paddle.to_tensor([[0.2], [0.9], [1.0]], stop_gradient=False)
    y = paddle.to_tensor([[0.0], [1.0], [0.0]])
    for epsilon in (1e-4, 0.1):
        x.clear_grad()
        loss = functional.log_loss(x, y, epsilon)
        loss.sum().backward()
        show(f"log_loss {epsilon}", [loss, x.grad])
    show.raises("1-D", lambda: functional.log_loss(x[:, 0], y[:, 0]))
    show.raises("wide", lambda: functional.log_loss(paddle.ones([2, 2]), paddle.ones([2, 2])))
    show.raises("reduction", lambda: functional.mse_loss(x, y, "x"))


@case(ulps=8)
def focal(paddle, show):
    functional = paddle.nn.functional
    labels = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
    every_reduction(paddle, show, "sigmoid_focal_loss", SCORES, labels)
    every_reduction(paddle, show, "sigmoid_focal_loss", SCORES, labels, alpha=0.7, gamma=0.5)
    x, y = paddle.to_tensor(SCORES), paddle.to_tensor(labels)
    show("normalizer", functional.sigmoid_focal_loss(x, y, paddle.to_tensor([2.0])))
    two = paddle.to_tensor([[2.0, 1.0]])
    show.raises("2-D normalizer", lambda: functional.sigmoid_focal_loss(x, y, two))
    show.raises("reduction", lambda: functional.sigmoid_focal_loss(x, y, reduction="x"))


@case(ulps=8)
def margins_of_pairs(paddle, show):
    functional = paddle.nn.functional
    for margin in (0.0, 0.5):
        every_reduction(paddle, show, "margin_ranking_loss", SCORES, TARGETS, SIGNS, margin=margin)
        every_reduction(paddle, show, "hinge_embedding_loss", SHARES, SIGNS, margin=margin)
    labels = [[1.0, 0.0, -1.0], [2.0, 1.0, -1.0]]
    every_reduction(paddle, show, "hinge_embedding_loss", SCORES, labels, reductions=("none",))
    x = paddle.to_tensor(SCORES)
    show.raises("reduction", lambda: functional.margin_ranking_loss(x, x, x, 0.0, "x"))
    show.raises("hinge reduction", lambda: functional.hinge_embedding_loss(x, x, 0.0, "x"))
    every_reduction(paddle, show, "soft_margin_loss", SCORES, SIGNS)
    show("soft int", functional.soft_margin_loss(x, paddle.ones([2, 3], dtype="int64")))
    show.raises("soft shape", lambda: functional.soft_margin_loss(x, x[:1]))


@case(ulps=8)
def cosines(paddle, show):
    functional = paddle.nn.functional
    for kind in ("float32", "float64"):
        for reduction in ("none", "mean", "sum"):
            x = paddle.to_tensor(SCORES, dtype=kind, stop_gradient=False)
            y = paddle.to_tensor(SHARES, dtype=kind, stop_gradient=False)
            label = paddle.to_tensor([1, -1])
            loss = functional.cosine_embedding_loss(x, y, label, -0.5, reduction)
            loss.sum().backward()
            show(f"{kind} {reduction}", [loss, x.grad, y.grad])
    x, y = paddle.to_tensor(SCORES), paddle.to_tensor(SHARES)
    call = functional.cosine_embedding_loss
    show("float label", call(x, y, paddle.to_tensor([1.0, -1.0]), reduction="none"))
    show("other label", call(x, y, paddle.to_tensor([1, 0]), reduction="none"))
    show("1-D", call(x[0], y[0], paddle.to_tensor([1])))
    one = paddle.to_tensor([1, 1])
    show.raises("shapes", lambda: call(x, y[:1], one))
    show.raises("2-D label", lambda: call(x, y, one.reshape([1, 2])))
    show.raises("0-D label", lambda: call(x[0], y[0], paddle.to_tensor(1)))
    show.raises("3-D", lambda: call(x.reshape([1, 2, 3]), y.reshape([1, 2, 3]), one))
    show.raises("int", lambda: call(one.reshape([1, 2]), one.reshape([1, 2]), one[:1]))


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
def several_classes(paddle, show):
    functional = paddle.nn.functional
    labels = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
    every_reduction(paddle, show, "multi_label_soft_margin_loss", SCORES, labels)
    x, y = paddle.to_tensor(SCORES), paddle.to_tensor(labels)
    weight = paddle.to_tensor([2.0, 1.0, 0.5])
    show("weight", functional.multi_label_soft_margin_loss(x, y, weight, "none"))
    show.raises("shape", lambda: functional.multi_label_soft_margin_loss(x, y[:1]))
    classes = paddle.to_tensor([2, 1])
    for settings in ({}, {"p": 2}, {"margin": 0.5}, {"weight": weight}, {"weight": weight, "p": 2}):
        for reduction in ("none", "mean", "sum"):
            x = paddle.to_tensor(SCORES, stop_gradient=False)
            loss = functional.multi_margin_loss(x, classes, reduction=reduction, **settings)
            loss.sum().backward()
            show(f"multi_margin {list(settings)} {reduction} {settings.get('p')}", [loss, x.grad])
    for p in (1, 2):  # the weight is a factor, not a part of the power
        settings = {"p": p, "weight": weight, "reduction": "none"}
        show(f"weighted {p}", functional.multi_margin_loss(x, classes, **settings))
    show.raises("rows", lambda: functional.multi_margin_loss(x, classes[:1]))
    show.raises("weights", lambda: functional.multi_margin_loss(x, classes, weight=weight[:2]))


@case(ulps=8)
def densities(paddle, show):
    functional = paddle.nn.functional
    counts = [[1.0, 0.0, 4.0], [2.0, 3.0, 7.0]]
    for settings in ({}, {"full": True}):
        every_reduction(paddle, show, "poisson_nll_loss", SCORES, counts, **settings)
    every_reduction(paddle, show, "poisson_nll_loss", SHARES, counts, log_input=False, epsilon=0.1)
    variance = [[1.0, 0.5, 0.2], [2.0, 0.0, 0.1]]
    for settings in ({}, {"full": True}, {"epsilon": 0.3}):
        every_reduction(paddle, show, "gaussian_nll_loss", SCORES, counts, variance, **settings)
    x, y = paddle.to_tensor(SCORES), paddle.to_tensor(counts)
    rows = paddle.to_tensor([1.0, 2.0])
    show("rows", functional.gaussian_nll_loss(x, y, rows, reduction="none"))
    show("column", functional.gaussian_nll_loss(x, y, rows.reshape([2, 1]), reduction="none"))
    show.raises("negative", lambda: functional.gaussian_nll_loss(x, y, x))
    show.raises("shape", lambda: functional.gaussian_nll_loss(x, y, paddle.ones([3])))
    show.raises("epsilon", lambda: functional.poisson_nll_loss(x, y, epsilon=0.0))
    show.raises("reduction", lambda: functional.poisson_nll_loss(x, y, reduction="x"))


@case(ulps=8)
def overlaps_and_pairs(paddle, show):
    functional = paddle.nn.functional
    shares = functional.softmax(paddle.arange(12.0).reshape([2, 2, 3]) % 5)
    shares.stop_gradient = False
    loss = functional.dice_loss(shares, paddle.to_tensor([[[0], [1]], [[2], [1]]]))
    loss.backward()
    show("dice", [loss, shares.grad])
    x, y = paddle.to_tensor(SCORES, stop_gradient=False), paddle.to_tensor(SHARES)
    for label, classes in (("apart", [1, 0]), ("same", [1, 1])):
        x.clear_grad()
        loss = functional.npair_loss(x, y, paddle.to_tensor(classes), 0.1)
        loss.backward()
        show(label, [loss, x.grad])
    show.raises("rank", lambda: functional.dice_loss(x, paddle.to_tensor([0, 1])))


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
def dropping(paddle, show):
    functional = paddle.nn.functional
    x = paddle.to_tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], stop_gradient=False)
    for p in (0.3, 0.0, 1.0):
        paddle.seed(4)
        show(f"alpha {p}", functional.alpha_dropout(x, p))
    paddle.seed(4)
    functional.alpha_dropout(x, 0.3).sum().backward()
    show("slope", x.grad)
    paddle.seed(4)
    show("channels", functional.feature_alpha_dropout(paddle.ones([2, 3, 2]), 0.5))
    show("in use", functional.alpha_dropout(x, 0.5, training=False))
    show.raises("p", lambda: functional.alpha_dropout(x, 1.5))
    show.raises("type", lambda: functional.alpha_dropout(x, "a"))
    show.raises("1-D", lambda: functional.feature_alpha_dropout(x, 0.5))
    shapes = {"dropout1d": [2, 3, 4], "dropout2d": [1, 4, 1, 2], "dropout3d": [1, 4, 1, 1, 2]}
    for name, shape in shapes.items():
        paddle.seed(9)
        show(name, getattr(functional, name)(paddle.ones(shape), 0.5))
        show.raises(f"{name} rank", lambda n=name: getattr(functional, n)(x, 0.5))
    paddle.seed(9)
    show("unbatched", functional.dropout1d(paddle.ones([4, 3])))
    paddle.seed(9)
    show("last", functional.dropout2d(paddle.ones([1, 2, 1, 4]), 0.5, data_format="NHWC"))
    image = paddle.ones([1, 1, 1, 1])
    show.raises("format", lambda: functional.dropout2d(image, 0.5, data_format="X"))


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


@case(differs="Paddle gives the labels of these losses no gradient, silently")
def labels_that_want_a_gradient(paddle, show):
    functional = paddle.nn.functional
    for name in ("binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div"):
        x, y = paddle.to_tensor(SHARES), paddle.to_tensor(TARGETS, stop_gradient=False)
        getattr(functional, name)(x, y).backward()
        show(name, y.grad)


@case(differs="Paddle's slope at exactly 0 is -1/2 - label, not 1/2 - label")
def a_logit_of_zero(paddle, show):
    x, y = paddle.to_tensor([0.0], stop_gradient=False), paddle.to_tensor([0.25])
    paddle.nn.functional.binary_cross_entropy_with_logits(x, y).backward()
    show("slope", x.grad)


@case(differs="Paddle cuts the variance off, so that a network cannot learn it")
def a_variance_that_is_learned(paddle, show):
    x, y = paddle.to_tensor(SCORES), paddle.to_tensor(TARGETS)
    variance = paddle.to_tensor(SHARES, stop_gradient=False)
    paddle.nn.functional.gaussian_nll_loss(x, y, variance).backward()
    show("slope", variance.grad)


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
