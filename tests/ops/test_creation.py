"""Creation, ranges, patterns, random numbers and properties, beyond the registry tests."""

import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minipaddle as paddle
from tests.each import each
from tests.static.world import fresh, run

# ----- values against NumPy ----------------------------------------------------------------------


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-4, 4).filter(bool))
def test_a_range_of_ints_is_pythons(start: int, end: int, step: int) -> None:
    assert paddle.arange(start, end, step).tolist() == list(range(start, end, step))


@given(st.integers(0, 6), st.integers(0, 6), st.integers(-7, 7))
def test_patterns_are_numpys(rows: int, columns: int, k: int) -> None:
    x = np.arange(float(rows * columns)).reshape(rows, columns) + 1
    t = paddle.to_tensor(x)
    assert paddle.tril(t, k).numpy().tolist() == np.tril(x, k).tolist()
    assert paddle.triu(t, k).numpy().tolist() == np.triu(x, k).tolist()
    assert paddle.diag(t, k).tolist() == np.diag(x, k).tolist()
    assert paddle.eye(rows, columns).tolist() == np.eye(rows, columns).tolist()
    lower, upper = np.tril_indices(rows, k, columns), np.triu_indices(rows, k, columns)
    assert paddle.tril_indices(rows, columns, k).numpy().tolist() == [i.tolist() for i in lower]
    assert paddle.triu_indices(rows, columns, k).numpy().tolist() == [i.tolist() for i in upper]


@given(st.lists(st.floats(-9, 9), max_size=5), st.integers(-3, 3))
def test_a_vector_on_a_diagonal_is_numpys(values: list[float], k: int) -> None:
    x = paddle.to_tensor(np.array(values))
    assert paddle.diag(x, k).tolist() == np.diag(np.array(values), k).tolist()
    assert paddle.diagflat(x, k).tolist() == np.diagflat(np.array(values), k).tolist()


@given(st.floats(-5, 5), st.floats(-5, 5), st.integers(1, 9))
def test_linspace_hits_both_ends(start: float, stop: float, num: int) -> None:
    made = paddle.linspace(start, stop, num, "float64").numpy()
    assert made[0] == start
    assert num == 1 or made[-1] == stop
    np.testing.assert_allclose(made, np.linspace(start, stop, num), rtol=1e-12, atol=1e-12)


def test_a_tensor_made_like_another_has_its_own_memory() -> None:
    x = paddle.ones([2])
    for made in (paddle.clone(x), paddle.assign(x), paddle.tril(paddle.ones([1, 2]))[0]):
        made.zero_()
    assert x.tolist() == [1.0, 1.0]


# ----- options -----------------------------------------------------------------------------------

MAKERS = [
    ("zeros", [2]), ("ones", [2]), ("empty", [2]), ("full", [2], 3.0),
    ("zeros_like", paddle.ones([2])), ("arange", 2.0), ("eye", 2), ("rand", [2]), ("randn", [2]),
    ("randperm", 2, "float32"), ("as_tensor", [1.0, 2.0]), ("tensor", [1.0, 2.0]),
]  # fmt: skip


@each("call", MAKERS, ids=[name for name, *_ in MAKERS])
def test_new_tensors_take_torchs_options(call: Any) -> None:
    make = functools.partial(getattr(paddle, call[0]), *call[1:])
    assert make().stop_gradient
    assert not make(requires_grad=True).stop_gradient
    assert make(device="cpu").place == paddle.CPUPlace()
    with pytest.raises(RuntimeError, match="there is no pinned memory here"):
        make(pin_memory=True)
    with pytest.raises(ValueError, match="device must be a string"):
        make(device="nowhere")


# ----- static mode -------------------------------------------------------------------------------


def test_to_tensor_declares_a_constant_in_a_program() -> None:
    with fresh():
        x = paddle.static.data("x", [None])
        made = [
            paddle.to_tensor([1, 2]), paddle.to_tensor(1.5, "float64"), paddle.to_tensor(x),
            paddle.to_tensor(x, "int64"),
        ]  # fmt: skip
        assert [v.dtype.name for v in made] == ["int64", "float64", "float32", "int64"]
        assert all(v.stop_gradient for v in made)
        assert not paddle.to_tensor([1.0], stop_gradient=False).stop_gradient
        got = run(*made, x=np.float32([3.5]))
    assert [array.tolist() for array in got] == [[1, 2], 1.5, [3.5], [3]]


# ----- what differs from Paddle on purpose -------------------------------------------------------


def test_empty_memory_is_zero() -> None:
    assert paddle.empty([2]).tolist() == paddle.empty_like(paddle.ones([2])).tolist() == [0.0, 0.0]
