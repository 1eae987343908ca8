"""A Tensor as a Python object, beyond the recorded answers."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refused, refuses
from tests.each import each

# ----- properties --------------------------------------------------------------------------------


def test_stop_gradient_must_be_a_bool() -> None:
    t = paddle.ones([1])
    with pytest.raises(TypeError, match="must be bool, but got int"):
        t.stop_gradient = 0
    t.requires_grad = True
    assert t.stop_gradient is False


def test_a_name_is_given_as_text_or_generated() -> None:
    x = paddle.ones([1])
    x.name = "mine"
    assert x.name == "mine"
    with refuses(TypeError, "x.name = '3'"):
        x.name = 3
    assert x.name == "mine"
    for nothing in (None, ""):
        x.name = nothing
        assert x.name.startswith("eager_tmp_")


# ----- values ------------------------------------------------------------------------------------


def test_several_elements_are_no_number_and_repeat_no_list() -> None:
    with refuses(AssertionError, "to do", "[2]"):
        range(paddle.to_tensor([1.0, 2.0]))
    for other in (paddle.ones([2]), paddle.to_tensor(2.0)):
        with refuses(AssertionError, "must be int, float, bool or Tensor", "list"):
            other * [1.0, 2.0]


def test_wrong_arguments_of_the_class_are_errors() -> None:
    refused(paddle.Tensor, ValueError, True)
    refused(lambda: paddle.Tensor([1.0], dtype="int32"), TypeError)


# ----- NumPy and a Tensor side by side -----------------------------------------------------------


@each("call", [np.tanh, np.square, lambda t: np.add(t, 1), lambda t: np.matmul(t, t)])
def test_numpys_ufuncs_raise_for_a_tensor(call: Any) -> None:
    with pytest.raises(TypeError, match="does not support ufuncs"):
        call(paddle.ones([2, 2]))


# ----- devices -----------------------------------------------------------------------------------


@pytest.mark.skipif(
    paddle.is_compiled_with_cuda(), reason="it tells what is said where there is no GPU"
)
def test_a_missing_device_is_an_error() -> None:
    t = paddle.ones([1])
    for call in (t.cuda, lambda: t.to(paddle.CUDAPlace(0))):
        with refuses(ValueError, "the devices found are cpu", "cupy-cuda13x"):
            call()
    for device in ("gpu", "gpu:0"):
        refused(paddle.set_device, ValueError, device)
    assert paddle.get_device() == "cpu"
