"""`paddle.summary` beyond the recorded tables: errors, and unchanged state."""

import pytest

import minipaddle as paddle
from minipaddle import nn

from ..contract.refusal import refused


def test_a_wrong_size_is_an_error() -> None:
    refused(paddle.summary, TypeError, nn.Linear(2, 1), ("a", 2))


def test_hooks_and_modes_are_as_before_even_when_the_run_fails() -> None:
    net = nn.Sequential(nn.Linear(2, 1), nn.Dropout())
    net[1].eval()
    with pytest.raises(ValueError, match="matmul"):
        paddle.summary(net, (1, 3))
    assert [net.training, net[0].training, net[1].training] == [True, True, False]
    assert not net[0]._after


def test_summary_retains_no_gradient(capsys) -> None:
    net = nn.Linear(2, 1)
    assert paddle.summary(net, (3, 2)) == {"total_params": 3, "trainable_params": 3}
    assert net.weight.grad is None
    assert "Total params: 3\n" in capsys.readouterr().out


def test_an_input_spec_stands_for_its_shape(capsys) -> None:
    spec = paddle.static.InputSpec([None, 2], "float32", "x")
    for size in (spec, [spec]):
        paddle.summary(nn.Linear(2, 1), size)
        assert "[[1, 2]]              [1, 1]" in capsys.readouterr().out
