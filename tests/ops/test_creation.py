"""Creation: memory, options, and constants of a Program."""

import functools
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from tests.each import each
from tests.static.world import fresh, run


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
