"""An error begins with what the user called, in words of ours; it also tells a step inside."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle
from minipaddle.engine import calls
from minipaddle.engine.errors import MinipaddleError
from tests.contract.refusal import refuses
from tests.each import each
from tests.wrong_calls import RAW

paddle: Any = minipaddle  # wrong calls are wrong for mypy, too
F, nn = paddle.nn.functional, paddle.nn


def x(*shape: int) -> Any:
    return paddle.ones(list(shape))


def text_of(call: Callable[[], Any]) -> str:
    with pytest.raises(MinipaddleError) as caught:
        call()
    return str(caught.value)


@each(
    ("name", "call"),
    [
        ("chunk", lambda: paddle.chunk(x(4), 0)),
        ("unstack", lambda: paddle.unstack(paddle.to_tensor(1.0), 0)),
        ("normalize", lambda: F.normalize(x(3), axis=4)),
        ("inv", lambda: paddle.linalg.inv(paddle.zeros([2, 2]))),
        ("cat", lambda: paddle.cat([x(2), x(3, 2)])),
        ("sub", lambda: paddle.sub(x(2), x(3))),
        ("empty", lambda: paddle.empty([2**62])),
        ("tile", lambda: paddle.tile(x(2), [-1])),
        ("conv2d", lambda: F.conv2d(x(1, 1, 4, 4), paddle.zeros([0, 1, 2, 2]))),
        ("add_", lambda: x(2).add_(x(4, 2))),
        ("Linear", lambda: nn.Linear("2", 3)),
        ("Linear", lambda: nn.Linear(2)),
        ("StepDecay", lambda: paddle.optimizer.lr.StepDecay(0.1, 2, "x")),
        ("random_split", lambda: paddle.io.random_split([1, 2], ["a"])),
        ("matrix_rank", lambda: paddle.linalg.matrix_rank(paddle.zeros([0, 0]))),
    ],
)
def test_the_called_name_comes_first(name: str, call: Callable[[], Any]) -> None:
    text = text_of(call)
    assert text.startswith(f"{name}("), text
    assert not [words for words in RAW if words in text], text


def test_a_step_is_named_where_its_arguments_are_not_those_of_the_call() -> None:
    assert text_of(lambda: F.linear(x(1, 3), x(2, 2))).startswith("linear(), in matmul(): ")
    assert text_of(lambda: F.mse_loss(x(2), x(3))).startswith("mse_loss(), in subtract(): ")


def test_an_op_in_a_layer_keeps_its_own_name() -> None:
    assert text_of(lambda: nn.Linear(2, 2)(x(1, 3))).startswith("matmul(): ")
    assert text_of(lambda: x(2) + x(3)).startswith("add(): ")


def test_a_users_layer_does_not_hide_its_base_class() -> None:
    class Mine(nn.Linear):
        def __init__(self) -> None:
            super().__init__(2, "3")

    assert text_of(Mine).startswith("Linear()")


def test_the_chinese_begins_with_the_same_name() -> None:
    with refuses(ValueError) as caught:
        F.linear(x(1, 3), x(2, 2))
    error: Any = caught.value
    assert error.message.zh.startswith("linear() 中的 matmul()：")


def test_named_functions_keep_their_identity() -> None:
    assert calls.has_renamed_frames(paddle.tanh)
    assert paddle.tanh.__name__ == "tanh"
    assert paddle.sub.__doc__ == paddle.subtract.__doc__
    assert pickle.loads(pickle.dumps(nn.Linear(2, 3))).weight.shape == [2, 3]


@each(
    ("call", "argument"),
    [
        (lambda: nn.TransformerEncoder(nn.Linear(2, 2), 2), "encoder_layer"),
        (lambda: nn.MultiHeadAttention("8", 2), "embed_dim"),
        (lambda: paddle.optimizer.lr.NoamDecay("8", 3), "d_model"),
        (lambda: paddle.optimizer.lr.PiecewiseDecay(3, 4), "boundaries"),
        (lambda: paddle.optimizer.lr.ReduceOnPlateau(0.1, 5), "mode"),
        (lambda: paddle.io.random_split([1, 2], ["a"], generator=3), "lengths"),
        (lambda: nn.Dropout(p=None), "p"),
        (lambda: paddle.distributed.get_world_size("all"), "group"),
    ],
)
def test_an_annotation_says_which_argument_is_wrong(call: Callable[[], Any], argument: str) -> None:
    assert argument in text_of(call).partition("\n")[0]


# ----- sizes as people give them -----------------------------------------------------------------

ROW = np.array([2, 3])


@each(
    "call",
    [
        lambda: paddle.zeros(ROW),
        lambda: paddle.full([np.array(2), paddle.to_tensor(3)], 1.0),
        lambda: paddle.randn(paddle.to_tensor([2.0, 3.0])),
        lambda: paddle.empty(paddle.to_tensor([2.0, 3.0])),
        lambda: paddle.broadcast_to(x(3), ROW),
        lambda: x(2, 1, 3).squeeze(np.array([1])),
        lambda: x(2, 3, 4).mean(np.array([2])),
        lambda: F.adaptive_max_pool2d(x(1, 1, 4, 6), paddle.to_tensor(ROW))[0, 0],
        lambda: nn.Linear(np.array([2]), paddle.to_tensor(3)).weight,
        lambda: nn.Dropout(paddle.to_tensor([0.5]))(x(2, 3)),
        lambda: F.dropout2d(x(2, 3, 1, 1), np.float64(0.5))[:, :, 0, 0],
        lambda: nn.LayerNorm(ROW)(x(1, 2, 3))[0],
    ],
)
def test_sizes_axes_and_shares_may_be_arrays(call: Callable[[], Any]) -> None:
    assert call().shape == [2, 3]


@each(
    "call",
    [
        lambda: paddle.zeros(paddle.to_tensor([2.0, 3.0])),  # as in Paddle
        lambda: paddle.randn(paddle.to_tensor([2.5])),
        lambda: x(2, 3).reshape(np.array([3, 2])),
        lambda: nn.Linear(2.0, 3),
        lambda: paddle.full([x(2)], 1.0),
    ],
)
def test_wrong_sizes_are_errors(call: Callable[[], Any]) -> None:
    text_of(call)


HUGE = 10**20


@each(
    "call",
    [
        lambda: paddle.zeros([HUGE]),
        lambda: paddle.randn([10**9, 10**9]),
        lambda: paddle.hsplit(x(2), HUGE),
        lambda: paddle.vander(x(2), 10**8),
        lambda: paddle.diff(x(2), HUGE),
        lambda: paddle.tril_indices(HUGE, 1),
        lambda: paddle.eye(10**9),
        lambda: F.one_hot(paddle.to_tensor([0]), HUGE),
        lambda: F.adaptive_avg_pool1d(x(1, 1, 2), HUGE),
        lambda: x(1).expand([HUGE]),
        lambda: nn.Linear(HUGE, 1),
        lambda: nn.Conv2D(1, 1, HUGE),
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(2, 1, 2), HUGE),
        lambda: paddle.polygamma(x(1), HUGE),
        lambda: paddle.floor_mod(paddle.to_tensor([1]), HUGE),
    ],
)
def test_impossible_objects_are_errors_at_once(call: Callable[[], Any]) -> None:
    assert "expected" in text_of(call)
