"""A Tensor as a Python object: construction, attributes, conversions."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine import errors
from tests.contract.refusal import refused, refuses
from tests.each import each

# ----- to_tensor ---------------------------------------------------------------------------------


@each("data", ["text", range(3), None, {"a": 1}, {1.0}])
def test_to_tensor_raises_for_data_without_numbers(data: Any) -> None:
    with refuses(TypeError, "to do", f"received  {type(data).__name__}"):
        paddle.to_tensor(data)


@each("data", [[[1], [2, 3]], ["a", "b"], np.array(["a"]), np.arange(2, dtype="uint32"), 2**70])
def test_to_tensor_raises_for_data_it_cannot_store(data: Any) -> None:
    refused(paddle.to_tensor, errors.InvalidArgument, data)


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


@each(
    ("call", "kind"),
    [(float, AssertionError), (int, AssertionError), (bool, AssertionError), (range, TypeError)],
)
def test_several_elements_are_no_number(call: Any, kind: Any) -> None:
    with refuses(kind, "to do", "[2]"):
        call(paddle.to_tensor([1.0, 2.0]))


def test_a_0d_tensor_iterates_over_nothing_and_repeats_a_list() -> None:
    x = paddle.to_tensor(2)
    assert [turn for turn in x] == []  # noqa: C416
    assert np.iterable(x)
    assert ([1] * x, x * [1, 2], (1,) * x, "ab" * x) == ([1, 1], [1, 2, 1, 2], (1, 1), "abab")
    for other in (paddle.ones([2]), paddle.to_tensor(2.0)):
        with refuses(TypeError, "must be int, float, bool or Tensor", "list"):
            other * [1.0, 2.0]


@each(
    ("args", "given", "dtype", "values"),
    [
        (([1.0, 2.0],), {}, "float32", [1.0, 2.0]),
        (([[1], [2]],), {}, "float32", [[1.0], [2.0]]),
        ((), {}, "float32", []),
        ((2,), {}, "float32", [0.0, 0.0]),
        ((1, 2), {}, "float32", [[0.0, 0.0]]),
        ((np.ones(2),), {}, "float64", [1.0, 1.0]),
        ((), {"value": np.ones(1), "name": "w", "zero_copy": False}, "float64", [1.0]),
        ((), {"data": [1.0], "place": paddle.CPUPlace()}, "float32", [1.0]),
        ((paddle.to_tensor([3]),), {}, "int64", [3]),
    ],
)
def test_the_class_is_a_constructor(args: Any, given: Any, dtype: str, values: Any) -> None:
    """The results are real Paddle 3.3.1's, except that memory is always initialized."""
    x = paddle.Tensor(*args, **given)
    assert (x.dtype.name, x.tolist(), x.stop_gradient) == (dtype, values, True)
    assert x.name == given.get("name", x.name)
    assert (x + x).tolist() == (x.numpy() * 2).tolist()


@each(
    ("args", "given", "kind"),
    [
        ((1.5,), {}, ValueError),
        ((None,), {}, ValueError),
        (("text",), {}, ValueError),
        ((True,), {}, ValueError),
        (([1.0],), {"dtype": "int32"}, TypeError),
        (([[1.0], [1.0, 2.0]],), {}, ValueError),
    ],
)
def test_wrong_arguments_of_the_class_are_errors(args: Any, given: Any, kind: Any) -> None:
    with refuses(kind):
        paddle.Tensor(*args, **given)


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


@each("device", ["tpu", "gpu:x", "", 3])
def test_an_unknown_device_is_an_error(device: Any) -> None:
    refused(paddle.set_device, ValueError, device)
