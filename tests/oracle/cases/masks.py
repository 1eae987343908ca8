"""Masks: the elements they leave out are 0, also if infinite or NaN, and affect nothing else."""

from functools import partial

import numpy as np

from ..harness import case
from ._texts import texts

INF, NAN = float("inf"), float("nan")
SCORES = [[1.0, 2.0, 0.5], [NAN, NAN, NAN], [0.25, -1.0, 2.0], [INF, 1.0, 0.0]]
CLASSES = [1.0, 2.0, 0.5]


def slope_of(paddle, show, label, call, values, seed=None):
    """Show the result and the gradient of a call, from a seed of ones or of a given number."""
    x = paddle.to_tensor(values, dtype="float32", stop_gradient=False)
    out = call(x)
    filled = paddle.full(out.shape, 1.0 if seed is None else seed, "float32")
    paddle.autograd.backward([out], [filled])
    show(label, [out, x.grad])


@case(ulps=16)
def ignored_labels(paddle, show):
    """Ignore -100, a class, or a number above all classes, as in segmentation."""
    functional = paddle.nn.functional
    weight = paddle.to_tensor(CLASSES)
    for ignored in (-100, 1, 255):
        label = paddle.to_tensor([0, ignored, 2, ignored])
        for reduction in ("none", "sum", "mean"):
            options = {"ignore_index": ignored, "reduction": reduction}
            for name in ("cross_entropy", "nll_loss"):
                loss = partial(getattr(functional, name), label=label, **options)
                title = f"{name} {ignored} {reduction}"
                slope_of(paddle, show, title, loss, SCORES)
                slope_of(paddle, show, f"{title} weighed", partial(loss, weight=weight), SCORES)


@case(ulps=16)
def many_ignored_labels(paddle, show):
    """Ignore labels that, taken as positions, would lie in another row of the table."""
    rows = np.arange(300.0).reshape(100, 3) % 7 - 3
    label = np.arange(100) % 3
    label[::4] = 255
    slope_of(
        paddle, show, "gradient",
        lambda x: paddle.nn.functional.cross_entropy(
            x, paddle.to_tensor(label), ignore_index=255, reduction="sum"
        ), rows.tolist(),
    )  # fmt: skip


@case
def infinite_gradients_outside(paddle, show):
    slope_of(paddle, show, "clip", lambda x: paddle.clip(x, 0.0, 1.0), [-3.0, 0.5, 7.0], INF)
    slope_of(paddle, show, "lower", lambda x: paddle.clip(x, min=0.0), [-3.0, 0.5], INF)
    slope_of(paddle, show, "numbers", paddle.nan_to_num, [INF, 1.0, NAN], INF)
    slope_of(paddle, show, "logit", lambda x: paddle.logit(x, 0.1), [0.05, 0.5, 0.95], INF)


@case
def windows_without_a_winner(paddle, show):
    """Take no gradient with return_mask: real Paddle then writes in front of the array."""
    functional = paddle.nn.functional
    row = [[[1.75, 0.5, 1.0, 2.25, 1.875, -1.0, 0.9375]]]
    options = {"kernel_size": 2, "stride": 3, "padding": 1, "ceil_mode": True}
    x = paddle.to_tensor(row, stop_gradient=False)
    show("places", functional.max_pool1d(x, return_mask=True, **options)[1])
    seeds = paddle.to_tensor([[[1.0, 10.0, 100.0, 1000.0]]])
    paddle.autograd.backward([functional.max_pool1d(x, **options)], [seeds])
    show("gradient", x.grad)
    for number in (NAN, -INF):
        image = paddle.full([1, 1, 3, 3], number)
        image.stop_gradient = False
        show(f"{number} places", functional.max_pool2d(image, 2, 1, 1, return_mask=True)[1])
        functional.max_pool2d(image, 2, 1, 1).sum().backward()
        show(f"{number} gradient", image.grad)


@case
def not_a_number_through_rectifiers(paddle, show):
    slope_of(paddle, show, "gradient", paddle.nn.functional.thresholded_relu, [NAN, 0.5, 2.0])


@case
def tensors_of_one_number(paddle, show):
    functional, slope = paddle.nn.functional, paddle.to_tensor([0.25])
    slope_of(paddle, show, "prelu", lambda x: functional.prelu(x, slope), -2.0)


@case
def penalties_of_groups(paddle, show):
    """Momentum adds an L2 penalty itself, so an optimizer's L1 is added to a group's."""
    first, second = paddle.regularizer.L1Decay, paddle.regularizer.L2Decay
    for name in ("Momentum", "SGD"):
        for own in (None, 0.25, first(0.25), second(0.25)):
            for whole in (None, 0.125, first(0.125), second(0.125)):
                start = paddle.nn.initializer.Constant(2.0)
                w = paddle.create_parameter([1], "float32", default_initializer=start)
                group = {"params": [w]} | ({} if own is None else {"weight_decay": own})
                rule = getattr(paddle.optimizer, name)
                optimizer = rule(0.5, parameters=[group], weight_decay=whole)
                w.sum().backward()
                optimizer.step()
                kinds = [type(one).__name__ for one in (own, whole)]
                show(f"{name} {' '.join(kinds)}", w)


@case(ulps=16)
def classes_of_the_label_zero(paddle, show):
    """An element of weight 0 costs nothing, even if its score is infinite."""
    functional = paddle.nn.functional
    label = paddle.to_tensor([[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])
    scores = [[1.0, 2.0, -INF], [1.0, 1.0, -INF]]
    soft = {"label": label, "soft_label": True}
    slope_of(paddle, show, "soft", partial(functional.cross_entropy, **soft), scores)
    old = partial(functional.softmax_with_cross_entropy, **soft)
    slope_of(paddle, show, "softmax_with_cross_entropy", old, scores)
    label = paddle.to_tensor([0.0, 0.5, 0.0, 0.0])
    loss = partial(functional.kl_div, label=label, reduction="none")
    for seed in (None, INF):
        slope_of(paddle, show, f"kl_div {seed}", loss, [-INF, -1.0, NAN, INF], seed)


@case(ulps=16)
def running_sums_of_nothing(paddle, show):
    x = paddle.to_tensor([-INF, -INF, 1.0, -INF, 2.0], stop_gradient=False)
    paddle.logcumsumexp(x)[1:].sum().backward()
    show("gradient", x.grad)


@case
def infinite_gradients_of_constants(paddle, show):
    slope_of(paddle, show, "trunc", paddle.trunc, [1.5, -INF], INF)
    slope_of(paddle, show, "power", lambda x: x**0.0, [1.5, INF], INF)


DIFFERS = {
    "smoothed labels that are ignored in float32":
        "a smoothed label of an ignored row costs something there, or is refused",
}  # fmt: skip
TABLE = texts("masks", globals(), DIFFERS)
