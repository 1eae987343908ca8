"""The table of parameters and activations: its rows, compared with NumPy, and its text."""

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from viz.facts import table
from viz.facts.table import NOT_YET, Row
from viz.player.payload import payload_of
from viz.trace import Trace

sys.path.insert(0, str(Path(__file__).parent))
import programs


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


def test_updates_are_measured_against_the_value_before() -> None:
    trace, before, (net, _) = updated()
    weight = net[0].weight.numpy()
    change = weight - before["net.0.weight"]
    expected = math.sqrt((change**2).sum() / (before["net.0.weight"] ** 2).sum())
    assert row(trace, "net.0.weight").update == pytest.approx(expected, rel=1e-3)
    assert row(trace, "net.0.bias").update is None  # the old value was zero
    assert row(trace, "h").update is None
    first = next(s.index for s in trace.steps if s.kind == "update")
    assert row(trace, "net.0.weight", first - 1).update is None


def cut() -> Trace:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    v = paddle.to_tensor([3.0, 1.0], stop_gradient=False)
    with viz.record() as trace:
        a = x * 2.0
        b = a.detach() * v
        b.sum().backward()
    return trace


def test_a_gradient_is_first_not_computed_and_then_none() -> None:
    trace = cut()
    over = table.passes(trace.story)
    assert over == [len(trace) - 1]
    for name in ("x", "a"):
        assert row(trace, name, over[0] - 1).grad == NOT_YET
        assert row(trace, name).grad is None
    arrives = next(s.index for s in trace.steps if s.kind == "leaf")
    assert row(trace, "v", arrives - 1).grad == NOT_YET
    assert row(trace, "v", arrives).grad == pytest.approx(math.sqrt(10), rel=1e-3)


def test_a_failed_pass_never_ends() -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    with pytest.raises(OSError, match="no idea"), viz.record() as trace:
        programs.Failing.apply(x * 1.0).sum().backward()
    assert table.passes(trace.story) == []
    assert row(trace, "x").grad == NOT_YET


def test_each_output_has_its_own_gradient() -> None:
    x = paddle.to_tensor([3.0, 1.0, 2.0], stop_gradient=False)
    with viz.record() as trace:
        a, b, c = paddle.split(x, 3)
        (a * 5.0 + b * 0.5).sum().backward()
    found = {r.name: r.grad for r in trace.statistics() if r.name in "abc"}
    assert found["a"] == 5.0
    assert found["b"] == 0.5
    assert c.shape == [1]
    assert not found["c"]  # zeros or None


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


def test_only_the_result_of_a_pylayer_is_an_activation() -> None:
    assert [(r.name, r.kind) for r in programs.tanh().statistics()] == [
        ("data", "leaf"),
        ("y", "activation"),
        ("loss", "activation"),
    ]


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
    assert "还没有数值" in viz_of_nothing().statistics().text("zh")


def viz_of_nothing() -> Trace:
    with viz.record() as trace:
        pass
    return trace


def test_the_table_shows_nan_and_none() -> None:
    x = paddle.to_tensor([0.0, -1.0], stop_gradient=False)
    with viz.record() as trace:
        paddle.sqrt(x).sum().backward()
    text = trace.statistics().text().split("\n")
    assert "NaN" in text[1]
    found = row(trace, "x")
    assert found.grad == "nan"
    assert row(trace, "sqrt(x)").odd == 1
    assert "None" in cut().statistics().text()


def test_an_older_trace_has_a_table_without_the_new_numbers() -> None:
    document = programs.tanh().document
    for entry in document["values"]:
        for name in ("std", "zeros"):
            entry["stats"].pop(name)
    found = Trace(document)
    assert row(found, "data").std is None
    assert row(found, "data").zeros is None
    assert payload_of(found.story)["magnitudes"]["grad"] == {
        "scale": [],
        "below": False,
        "above": False,
        "changes": [],
    }


def test_the_player_gets_each_row_at_the_step_that_changes_it() -> None:
    trace = programs.step()
    payload = payload_of(trace.story)
    assert payload["passes"] == table.passes(trace.story)
    track = next(t for t in payload["statistics"] if t["name"] == "net.0.weight")
    values = [payload["values"][number]["stats"]["mean"] for _, number in track["values"]]
    assert values[-1] == row(trace, "net.0.weight").mean
    assert track["grads"][-1][1] == row(trace, "net.0.weight").grad
    assert track["updates"][-1][1] == row(trace, "net.0.weight").update
