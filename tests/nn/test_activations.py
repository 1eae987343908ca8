"""Activations: errors, and behaviour beyond the recorded answers."""

import numpy as np

import minipaddle as paddle
from minipaddle import nn
from tests.static.world import fresh

from ..contract.refusal import refused

F = nn.functional


def test_gelu_takes_the_name_of_its_approximation() -> None:
    x = paddle.to_tensor([-1.0, 0.5, 2.0])
    for name, flag in (("tanh", True), ("none", False)):
        assert nn.GELU(name)(x).tolist() == F.gelu(x, name).tolist() == F.gelu(x, flag).tolist()
    assert F.gelu(x, "tanh").tolist() != F.gelu(x, "none").tolist()


@fresh()
def test_a_program_must_know_the_number_of_classes() -> None:
    refused(F.one_hot, ValueError, paddle.static.data("x", [2], "int64"))


def test_random_slopes_in_a_program_follow_the_stream() -> None:
    points = np.float32([[1.0, -2.0, -3.0], [-1.0, 0.0, 4.0]])
    paddle.seed(5)
    eager = F.rrelu(paddle.to_tensor(points), 0.1, 0.4).numpy()
    with fresh():
        y = F.rrelu(paddle.static.data("x", [2, 3]), 0.1, 0.4)
        paddle.seed(5)
        (found,) = paddle.static.Executor().run(feed={"x": points}, fetch_list=[y])
    np.testing.assert_array_equal(found, eager)
