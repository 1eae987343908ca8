"""Activations: their texts of refusal, and what the recorded answers do not show."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn

from ..contract.refusal import refuses

F = nn.functional


def test_settings_that_are_refused() -> None:
    x = paddle.to_tensor([[1.0, -2.0]])
    with refuses(ZeroDivisionError, "celu(): alpha cannot be 0"):
        F.celu(x, 0)
    with refuses(ValueError, "selu(): The scale must be greater than 1.0", "scale 1.0, alpha"):
        F.selu(x, 1.0)
    with refuses(ValueError, "softshrink(): The threshold must be no less than zero", "-1"):
        F.softshrink(x, -1)
    with refuses(RuntimeError, "gelu(): there is no kernel for int64", "x.astype('float32')"):
        F.gelu(paddle.to_tensor([1, 2]))
    with refuses(TypeError, "rrelu(): The lower and upper values must be float", "lower 0"):
        F.rrelu(x, 0, 0.5)
    with refuses(ValueError, "0 <= lower <= upper <= 1", "lower 0.5, upper 0.1"):
        F.rrelu(x, 0.5, 0.1)
    with refuses(ValueError, "gumbel_softmax(): The temperature must be greater than 0"):
        F.gumbel_softmax(x, 0.0)


def test_shapes_that_are_refused() -> None:
    x = paddle.ones([2, 3])
    with refuses(ValueError, "glu(): x does not fall into two halves", "axis -1", "[2, 3]"):
        F.glu(x)
    with refuses(ValueError, "maxout(): the channels do not fall into groups", "groups 2"):
        F.maxout(x, 2)
    with refuses(AssertionError, "weight size should be equal to x input channel", "[2] for x"):
        F.prelu(x, paddle.ones([2]))
    with refuses(AssertionError, "dim count of weight shape should be 0 or 1", "[1, 3]"):
        F.prelu(x, paddle.ones([1, 3]))
    with refuses(ValueError, "data_format is not known", "'XY'"):
        F.prelu(x, paddle.ones([3]), "XY")
    with refuses(ValueError, "prelu(): the slopes have another dtype", "float64"):
        F.prelu(x, paddle.ones([3], "float64"))
    with refuses(AssertionError, "Softmax2D requires a 3D or 4D tensor", "2D, shape [2, 3]"):
        nn.Softmax2D()(x)


def test_one_hot_refuses_what_is_no_class() -> None:
    with refuses(ValueError, "one_hot(): the input value", "0 to 2", "3"):
        F.one_hot(paddle.to_tensor([3]), 3)
    with refuses(RuntimeError, "one_hot(): there is no kernel for float32", "int64"):
        F.one_hot(paddle.ones([1]), 3)
    paddle.enable_static()
    try:
        with refuses(ValueError, "a Program must know the number of classes"):
            F.one_hot(paddle.static.data("x", [2], "int64"))
    finally:
        paddle.disable_static()


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_no_activation_overflows(kind) -> None:
    x = paddle.to_tensor([-1e4, -800.0, 800.0, 1e4], dtype=kind, stop_gradient=False)
    for name in ("elu", "selu", "celu", "gelu", "silu", "mish", "softplus", "log_sigmoid"):
        x.clear_grad()
        y = getattr(F, name)(x)
        y.sum().backward()
        assert np.isfinite(y.numpy()).all(), name
        assert np.isfinite(x.grad.numpy()).all(), name


def test_a_hard_choice_has_the_gradient_of_the_soft_one() -> None:
    x = paddle.to_tensor([[0.5, 1.0, -1.0]], stop_gradient=False)
    weight = paddle.to_tensor([1.0, 2.0, 4.0])
    slopes = []
    for hard in (False, True):
        paddle.seed(3)
        x.clear_grad()
        choice = F.gumbel_softmax(x, 0.7, hard)
        (choice * weight).sum().backward()
        slopes.append(x.grad.numpy())
        assert float(choice.sum()) == pytest.approx(1.0)
    np.testing.assert_array_equal(choice.numpy().sum(), 1.0)
    np.testing.assert_allclose(slopes[0], slopes[1], rtol=1e-6)


def test_random_slopes_in_a_program_follow_the_stream() -> None:
    points = np.float32([[1.0, -2.0, -3.0], [-1.0, 0.0, 4.0]])
    paddle.seed(5)
    eager = F.rrelu(paddle.to_tensor(points), 0.1, 0.4).numpy()
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()):
            y = F.rrelu(paddle.static.data("x", [2, 3]), 0.1, 0.4)
            paddle.seed(5)
            (found,) = paddle.static.Executor().run(main, feed={"x": points}, fetch_list=[y])
    finally:
        paddle.disable_static()
    np.testing.assert_array_equal(found, eager)
