"""Digits of numbers, and histograms of arrays that are too large to store."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from viz.document.values import BINS, FEW, SMALL, shortest, summary
from viz.facts.table import NOT_YET, Row
from viz.trace import Trace

from . import programs


def test_the_digits_of_many_float32_at_once_are_those_that_numpy_writes() -> None:
    """Powers of two and ten, their neighbours, and numbers beyond exact powers are tested."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**32, 300_000, dtype=np.uint32).view("float32")
    size = np.abs(bits)
    powers = np.float32([*2.0 ** np.arange(-46, 76), *10.0 ** np.arange(-13, 23)])
    rows = [
        bits[np.isfinite(bits)],
        bits[(size >= 1e-14) & (size < 1e23)],
        *(np.nextafter(powers, np.float32(to)) for to in (-np.inf, np.inf, 0)),
        powers,
        np.float32([0.0, -0.0] * FEW),
        rng.integers(0, 2**24, 10_000).astype("float32"),
        (np.arange(10_000) / 1000).astype("float32"),
        np.float32([1e-15, *range(FEW)]),
        np.float32([1e24, *range(FEW)]),
        rng.integers(0, 31_744, 10_000, dtype=np.uint16).view("float16"),
    ]
    for row in rows:
        by_text = row.astype(str).astype("float64")
        assert shortest(row).tobytes() == by_text.tobytes()


def test_the_bins_are_numpys_and_leave_out_nan_and_infinity() -> None:
    values = np.random.default_rng(0).normal(size=SMALL + 4).astype("float32")
    values[:2] = np.nan, np.inf
    wanted, _ = np.histogram(values[2:].astype("float64"), BINS)
    found = summary(values)
    assert np.abs(np.array(found["bins"]) - wanted).max() <= 1  # numbers on an edge
    assert sum(found["bins"]) == values.size - 2


def test_histograms_are_saved_and_checked(tmp_path: Path) -> None:
    x = paddle.arange(5000)
    with viz.record() as trace:
        x * 2
    file = tmp_path / "trace.json"
    trace.save(file)
    assert viz.load(file).document == trace.document
    document = json.loads(file.read_text(encoding="utf-8"))
    document["values"][0]["stats"]["bins"] = [1, "two"]
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InvalidArgument, match="whole numbers"):
        viz.load(file)


# ----- The table of statistics -------------------------------------------------------------------


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
