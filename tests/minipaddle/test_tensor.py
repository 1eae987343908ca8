"""A Tensor as a Python object: construction, attributes, conversions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from minipaddle.engine import errors
from tests.contract.refusal import refused, refuses
from tests.each import each

# ----- to_tensor ---------------------------------------------------------------------------------


def test_to_tensor_copies() -> None:
    source = np.ones(2, "float32")
    first = paddle.to_tensor(source)
    second = paddle.to_tensor(first)
    source[0] = first[1] = 9.0
    assert first.tolist() == [1.0, 9.0]
    assert second.tolist() == [1.0, 1.0]


@each("data", ["text", range(3), None, {"a": 1}, {1.0}])
def test_to_tensor_raises_for_data_without_numbers(data: Any) -> None:
    with refuses(TypeError, "to do", f"received  {type(data).__name__}"):
        paddle.to_tensor(data)


@each("data", [[[1], [2, 3]], ["a", "b"], np.array(["a"]), np.arange(2, dtype="uint32"), 2**70])
def test_to_tensor_raises_for_data_it_cannot_store(data: Any) -> None:
    refused(paddle.to_tensor, errors.InvalidArgument, data)


# ----- properties --------------------------------------------------------------------------------


def test_a_shape_is_a_list_that_equals_tuples() -> None:
    shape = paddle.ones([2, 3]).shape
    assert isinstance(shape, list)
    assert shape == [2, 3]
    assert shape == (2, 3)
    assert shape != (3, 2)
    assert (shape.numel(), shape[-1], len(shape)) == (6, 3, 2)
    shape.append(1)
    assert shape == [2, 3, 1]
    with pytest.raises(TypeError, match="unhashable"):
        hash(shape)


def test_stop_gradient_must_be_a_bool() -> None:
    t = paddle.ones([1])
    with pytest.raises(TypeError, match="must be bool, but got int"):
        t.stop_gradient = 0
    t.requires_grad = True
    assert t.stop_gradient is False


def test_detach_shares_memory_and_clone_does_not() -> None:
    x = paddle.ones([2])
    x.detach().fill_(5.0)
    assert x.tolist() == [5.0, 5.0]
    x.clone().fill_(7.0)
    assert x.tolist() == [5.0, 5.0]


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


def test_numpy_copies() -> None:
    t = paddle.ones([2])
    t.numpy()[0] = 9.0
    np.asarray(t)[0] = 9.0
    np.array(t)[0] = 9.0
    assert t.tolist() == [1.0, 1.0]
    assert np.array(paddle.to_tensor([1.0], stop_gradient=False)).dtype == np.float32


@given(arrays.arrays(st.sampled_from([np.float32, np.int64, np.bool_]), arrays.array_shapes()))
def test_values_survive_conversion_from_and_to_numpy(array: Any) -> None:
    t = paddle.to_tensor(array)
    assert t.numpy().tobytes() == array.tobytes()
    assert (t.shape, t.size, t.numpy().dtype) == (list(array.shape), array.size, array.dtype)
    np.testing.assert_array_equal(np.array(t.tolist(), array.dtype), array)


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


def test_hash_is_identity_and_equality_is_elementwise() -> None:
    a, b = paddle.ones([2]), paddle.ones([2])
    assert len({a, b, a}) == 2
    assert (a == b).tolist() == [True, True]
    assert (a is None, a == None, a != None) == (False, False, True)  # noqa: E711
    assert (a == "a").tolist() == [False, False]
    assert (a != "a").tolist() == [True, True]
    assert (a == [1.0, 1.0]) is False


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


def test_places_compare_by_device() -> None:
    assert paddle.CPUPlace() == paddle.CPUPlace()
    assert paddle.CUDAPlace(1) != paddle.CUDAPlace(0)
    assert len({paddle.CPUPlace(), paddle.CPUPlace(), paddle.CUDAPlace(0)}) == 2
    assert paddle.CPUPlace().is_cpu_place()
    assert paddle.CUDAPlace(0).is_gpu_place()
    assert repr(paddle.CUDAPlace(1)) == "Place(gpu:1)"
