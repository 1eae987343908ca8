"""Masks: the elements they leave out are 0, also if infinite or NaN, and affect nothing else."""

import numpy as np

from ..harness import case
from ._texts import texts

INF, NAN = float("inf"), float("nan")
SCORES = [[1.0, 2.0, 0.5], [NAN, NAN, NAN], [0.25, -1.0, 2.0], [INF, 1.0, 0.0]]
CLASSES = [1.0, 2.0, 0.5]
MANY = np.arange(300.0).reshape(100, 3) % 7 - 3
SOME = np.where(np.arange(100) % 4, np.arange(100) % 3, 255)


def slope(paddle, call, values, seed=1.0):
    """Return the result and the gradient of a call, from a seed of equal numbers."""
    x = paddle.to_tensor(values, dtype="float32", stop_gradient=False)
    out = call(x)
    paddle.autograd.backward([out], [paddle.full(out.shape, seed, "float32")])
    return [out, x.grad]


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


DIFFERS = {
    "smoothed labels that are ignored in float32":
        "a smoothed label of an ignored row costs something there, or is refused",
}  # fmt: skip
TABLE = texts("masks", globals(), DIFFERS)
