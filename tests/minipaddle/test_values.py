"""Values and memory of Tensors: copies, data, pickles."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from tests.each import each


def matrix(stop: bool = True) -> Any:
    return paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], stop_gradient=stop)


def test_strides_count_elements_and_identify_views() -> None:
    x = matrix()
    assert (x.strides, x.T.strides, x[:, 1].strides) == ([3, 1], [1, 3], [3])
    assert (x.is_contiguous(), x.T.is_contiguous(), x.T.contiguous().is_contiguous()) == (
        True,
        False,
        True,
    )
    assert x.T.contiguous().tolist() == x.T.tolist()
    assert x.detach().data_ptr() == x.data_ptr() != x.clone().data_ptr()
    assert x[0, 1:].data_ptr() == x.data_ptr() + x.itemsize


def test_data_is_another_view_and_can_be_replaced() -> None:
    x = matrix(stop=False)
    y = (x * 1).square()
    x.data[0, 0] = 9.0
    assert (float(x[0, 0]), x.stop_gradient, x.data.stop_gradient) == (9.0, False, True)
    x.data = paddle.ones([2])
    assert (x.tolist(), x.is_leaf, y.shape) == ([1.0, 1.0], True, [2, 3])
    with pytest.raises(ValueError, match=r"data: argument .* must be Tensor, but got list"):
        x.data = [1.0]


def test_apply_calls_a_function_of_the_user() -> None:
    x = matrix()
    assert x.apply(lambda v: v * 2).tolist() == (x * 2).tolist()
    assert x.apply_(lambda v: v[0]) is x
    assert x.tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(RuntimeError, match="Cannot apply function on a tensor that required grad"):
        matrix(stop=False).apply(lambda v: v)
    with pytest.raises(TypeError, match="a func from a Tensor to a Tensor"):
        x.apply(lambda v: 3)
    with pytest.raises(TypeError, match="a func from a Tensor to a Tensor"):
        x.apply(3)


@each("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_and_pickles_are_equal_tensors(again: Any) -> None:
    for x in (matrix(stop=False), matrix(stop=False) * 1, matrix()):
        twin = again(x)
        assert (twin.tolist(), twin.stop_gradient, twin.is_leaf) == (
            x.tolist(),
            x.stop_gradient,
            True,
        )
        twin.set_value(np.zeros((2, 3), "float32"))
        assert float(x[0, 0]) == 1.0


def test_other_libraries_see_the_memory() -> None:
    x = matrix()
    seen = np.from_dlpack(x)
    x[0, 0] = 9.0
    assert seen[0, 0] == 9.0
    with pytest.raises(RuntimeError, match="Can't export Tensor that requires gradient"):
        np.from_dlpack(matrix(stop=False))
