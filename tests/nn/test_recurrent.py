"""Recurrent layers: in Programs as in eager mode, gradients against differences, states and errors.

Values against real Paddle are in `tests/oracle/cases/recurrent.py`.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn
from minipaddle.engine.errors import InvalidArgument, Unimplemented
from tests.each import each

NETWORKS: dict[str, Any] = {
    "elman": lambda: nn.SimpleRNN(2, 3, activation="relu"),
    "lstm": lambda: nn.LSTM(2, 3, 2, "bidirect"),
    "projected": lambda: nn.LSTM(2, 3, proj_size=2),
    "gru": lambda: nn.GRU(2, 3, 2),
    "cells": lambda: nn.BiRNN(nn.GRUCell(2, 3), nn.GRUCell(2, 3)),
    "back": lambda: nn.RNN(nn.LSTMCell(2, 3), is_reverse=True),
}
X = np.random.default_rng(3).uniform(-1, 1, (4, 5, 2)).astype("float32")
LENGTHS = np.array([5, 1, 3, 4])


def outputs_and_states(net: Any, x: Any, lengths: Any) -> list[Any]:
    outputs, states = net(x, sequence_length=lengths)
    row = [outputs]
    waiting = [states]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting += each
        else:
            row.append(each)
    return row


@each("name", NETWORKS)
def test_a_program_computes_what_eager_mode_does(name: str) -> None:
    """The batch is unknown while the Program is built."""
    net = NETWORKS[name]()
    x = paddle.to_tensor(X)
    eager = outputs_and_states(net, x, paddle.to_tensor(LENGTHS))
    total = sum((each * each).sum() for each in eager)
    total.backward()
    values = [p.numpy() for p in net.parameters()]
    wanted = [each.numpy() for each in eager] + [p.grad.numpy() for p in net.parameters()]
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        twin = NETWORKS[name]()
        given = paddle.static.data("x", [None, 5, 2]), paddle.static.data("n", [None], "int64")
        made = outputs_and_states(twin, *given)
        loss = sum((each * each).sum() for each in made)
        pairs = paddle.static.append_backward(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        for parameter, value in zip(twin.parameters(), values, strict=True):
            paddle.static.global_scope().var(parameter.name).get_tensor().set(value)
        gradients = {parameter.name: gradient for parameter, gradient in pairs}
        fetched = [*made, *(gradients[p.name] for p in twin.parameters())]
        found = executor.run(main, {"x": X, "n": LENGTHS}, fetched)
    paddle.disable_static()
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, 1e-5, 1e-6)


@each("name", NETWORKS)
def test_what_is_behind_a_sequence_changes_nothing(name: str) -> None:
    """Neither results inside the sequences nor gradients depend on it."""
    net, found = NETWORKS[name](), []
    inside = (np.arange(5) < LENGTHS[:, None])[:, :, None]
    for behind in (0.0, 7.0):
        x = paddle.to_tensor(np.where(inside, X, behind).astype("float32"), stop_gradient=False)
        outputs, *states = outputs_and_states(net, x, paddle.to_tensor(LENGTHS))
        kept = outputs * paddle.to_tensor(inside.astype("float32"))
        sum((each * each).sum() for each in [kept, *states]).backward()
        assert not x.grad.numpy()[~inside[..., 0]].any()
        found.append([kept, *states, x.grad, *(p.grad for p in net.parameters())])
        net.clear_gradients(set_to_zero=False)
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), 1e-5, 1e-6)


@each("kind", ["SimpleRNN", "LSTM", "GRU"])
def test_gradients_are_derivatives_with_lengths_states_and_a_way_back(kind: str) -> None:
    """Along a random direction of inputs, states and parameters; in eval mode, too."""
    draw = np.random.default_rng(5).normal
    paddle.set_default_dtype("float64")
    net = getattr(nn, kind)(2, 3, direction="bidirect")
    paddle.set_default_dtype("float32")
    net.eval()
    h = paddle.to_tensor(draw(size=(2, 4, 3)), stop_gradient=False)
    x = paddle.to_tensor(draw(size=(4, 5, 2)), stop_gradient=False)
    weights = paddle.to_tensor(draw(size=(4, 5, 6)))

    def loss() -> Any:
        states = (h, h * 0.5) if kind == "LSTM" else h
        return (net(x, states, paddle.to_tensor(LENGTHS))[0] * weights).sum()

    loss().backward()
    leaves = [x, h, *net.parameters()]
    steps = [draw(size=tuple(leaf.shape)) for leaf in leaves]
    slope = sum((leaf.grad.numpy() * step).sum() for leaf, step in zip(leaves, steps, strict=True))
    ends = []
    for way in (1e-6, -2e-6):
        for leaf, step in zip(leaves, steps, strict=True):
            leaf.set_value(leaf.numpy() + way * step)
        ends.append(float(loss()))
    assert (ends[0] - ends[1]) / 2e-6 == pytest.approx(slope, rel=1e-6)


def test_a_copy_has_parameters_of_its_own_under_both_names() -> None:
    lstm = nn.LSTM(2, 3)
    twin = copy.deepcopy(lstm)
    assert twin.weight_ih_l0 is twin[0].cell.weight_ih
    assert twin.weight_ih_l0 is not lstm.weight_ih_l0
    state = {name: value.numpy() + 1 for name, value in lstm.state_dict().items()}
    assert twin.set_state_dict(state) == ([], [])
    np.testing.assert_array_equal(twin[0].cell.bias_hh.numpy(), lstm.bias_hh_l0.numpy() + 1)


def test_a_projected_lstm_makes_states_of_its_sizes() -> None:
    cell = nn.LSTMCell(2, 3, proj_size=2)
    y, (h, c) = cell(paddle.rand([4, 2]))
    assert [y.shape, h.shape, c.shape] == [[4, 2], [4, 2], [4, 3]]
    net = nn.LSTM(2, 3, 2, proj_size=2)
    assert net.weight_ih_l1 is net[1].cell.weight_ih


def test_a_constant_bias_gets_no_name_and_a_constant_weight_no_gradient() -> None:
    gru = nn.GRU(2, 3, 2, bias_ih_attr=False, weight_hh_attr=False)
    assert [name for name, _ in gru.named_parameters(include_sublayers=False)] == [
        f"{name}_l{layer}" for layer in range(2) for name in ("weight_ih", "weight_hh", "bias_hh")
    ]
    gru(paddle.rand([1, 2, 2]))[0].sum().backward()
    stopped = [p.grad is None for p in gru.parameters()]
    assert stopped == [p.stop_gradient for p in gru.parameters()]
    assert stopped.count(True) == 4


def test_errors_of_time_and_states() -> None:
    gru = nn.GRU(2, 3, 2)
    with pytest.raises(InvalidArgument, match="at least one step"):
        gru(paddle.zeros([1, 0, 2]))
    with pytest.raises(InvalidArgument, match=r"1 of \[2, 1, features\]"):
        gru(paddle.zeros([1, 1, 2]), (paddle.zeros([2, 1, 3]), paddle.zeros([2, 1, 3])))
    with pytest.raises(Unimplemented, match="state_shape"):
        nn.RNN(nn.RNNCellBase())(paddle.zeros([1, 1, 2]))
    paddle.enable_static()
    with pytest.raises(InvalidArgument, match="only the batch may be None"):
        gru(paddle.static.data("x", [None, None, 2]))
    paddle.disable_static()


def test_states_and_lengths_of_another_batch_are_refused() -> None:
    gru, x = nn.GRU(3, 4), paddle.ones([2, 5, 3])
    with pytest.raises(ValueError, match="initial_states"):
        gru(x, paddle.ones([1, 1, 4]))
    with pytest.raises(ValueError, match="sequence_length"):
        gru(x, None, paddle.to_tensor([3]))
    scores, labels = paddle.rand([4, 20, 10]), paddle.ones([4, 3], "int32")
    with pytest.raises(ValueError, match="batch"):
        nn.functional.ctc_loss(scores, labels, paddle.full([4], 4), paddle.full([4], 3))
