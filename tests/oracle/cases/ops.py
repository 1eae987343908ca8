"""Ops without a topic of their own: values and gradients in float32 and in float64."""

import numpy as np

from ..harness import case
from ._texts import graded

X = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
Y = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
LABELS = np.array([2, 0])


TABLE = [
    *graded("ops", "out and gradients", names=globals()),
    *graded("ops", "out and gradients, positions", names=globals(),
        differs="positions want no gradient"),
    *graded("ops", "out and gradients, soft labels", names=globals(),
        differs="soft labels have a gradient like any other input"),
    *graded("ops", "out and gradients, labels", names=globals(),
        differs="labels have a gradient like any other input"),
]  # fmt: skip


@case
def dropout_without_training(paddle, show):
    x = paddle.to_tensor(X)
    show("eval", paddle.nn.functional.dropout(x, 0.5, training=False))
    show("p=0", paddle.nn.functional.dropout(x, 0.0))
    show("p=1", paddle.nn.functional.dropout(x, 1.0))


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
