"""The table of parameters and activations: its rows, compared with NumPy, and its text."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from viz.facts.table import NOT_YET, Row
from viz.trace import Trace

from . import programs


def row(trace: Trace, name: str, step: int = -1) -> Row:
    return next(r for r in trace.statistics(step) if r.name == name)


def same(found: Row, array: np.ndarray[Any, Any]) -> None:
    wide = array.astype(np.float64)
    assert found.shape == array.shape
    assert found.dtype == str(array.dtype)
    for name in ("mean", "std", "min", "max"):
        assert getattr(found, name) == pytest.approx(getattr(wide, name)(), rel=1e-6, abs=1e-9)
    assert found.zeros == (array == 0).mean()


def updated() -> tuple[Trace, dict[str, np.ndarray[Any, Any]], Any]:
    paddle.seed(5)
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.ReLU())
    sgd = paddle.optimizer.SGD(0.5, parameters=net.parameters())
    x = paddle.randn([6, 3])
    before = {f"net.{name}": p.numpy().copy() for name, p in net.named_parameters()}
    with viz.record() as trace:
        h = net(x)
        h.square().mean().backward()
        sgd.step()
    return trace, before, (net, h)


def test_rows_equal_numpys_statistics() -> None:
    trace, before, (net, h) = updated()
    forward = next(s.index for s in trace.steps if s.phase == "backward") - 1
    for name, array in before.items():
        found = row(trace, name, forward)
        assert found.kind == "parameter"
        same(found, array)
    same(row(trace, "h"), h.numpy())
    assert row(trace, "h").kind == "activation"
    assert row(trace, "h").zeros == pytest.approx((h.numpy() == 0).mean())
    for name, parameter in net.named_parameters():
        same(row(trace, f"net.{name}"), parameter.numpy())


def test_a_program_has_the_table_of_the_tape() -> None:
    trace = programs.program()
    found = {r.name: r for r in trace.statistics()}
    assert found["fc_0.w_0"].kind == "parameter"
    assert found["fc_0.w_0"].grad == pytest.approx(1.072)
    assert found["fc_0.w_0"].update == pytest.approx(0.2016)
    assert found["out"].grad == 0.25
    assert "learning_rate_0" not in found
    middle = len(trace) // 2
    assert {r.grad for r in trace.statistics(middle)} == {NOT_YET}


def test_statistics_print_as_a_table_in_two_languages() -> None:
    found = programs.tanh().statistics(12)
    head, *rows = repr(found).split("\n")
    assert head.split()[:5] == ["name", "kind", "shape", "mean", "std"]
    assert [row.split()[0] for row in rows] == ["data", "y", "loss"]
    assert rows[1].split()[1:] == [
        *("activation", "[2,", "3]", "0.1966", "0.6799", "−0.7616", "0.964", "0%", "0"),
        *("0.1667", "–"),
    ]
    assert "not computed" in rows[0]
    assert "未计算" in found.text("zh")
    with viz.record() as nothing:
        pass
    assert "还没有数值" in nothing.statistics().text("zh")
