"""Ops without a topic of their own: values and gradients in float32 and in float64."""

import numpy as np

from ..harness import case
from ._texts import texts

X = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
Y = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
LABELS = np.array([2, 0])


DIFFERS = {
    "out and gradients, positions": "positions want no gradient",
    "out and gradients, soft labels": "soft labels have a gradient like any other input",
    "out and gradients, labels": "labels have a gradient like any other input",
}  # fmt: skip
TABLE = texts("ops", globals(), DIFFERS)


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
