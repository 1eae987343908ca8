"""Activations: errors, and behaviour beyond the recorded answers."""

import numpy as np

import minipaddle as paddle
from minipaddle import nn
from tests.each import each
from tests.static.world import fresh

from ..contract.refusal import refused

F = nn.functional


@each(("call", "kind"), [(lambda x: F.prelu(x, paddle.ones([3], "float64")), ValueError)])
def test_wrong_arguments_are_errors(call, kind) -> None:
    refused(call, kind, paddle.ones([2, 3]))


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
