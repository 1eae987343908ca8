"""Random eager programs are right, equal in every way of running, and leave nothing behind."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine import modes
from tests.each import each
from tests.sealing import leaks, start_afresh

from .programs import EAGER, Program, programs
from .running import Outcome, agrees, in_parts, nothing_left, outcome_of, same
from .static_programs import FIXED

# Drawn by this folder, and told by a tape that shared no code with minipaddle (in the history:
# tests/fuzz/reference.py); where no PyLayer differs there, real Paddle 3.3.1 does the same.
RECORDED = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "random_programs.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def plain(program: Program) -> Outcome:
    """Run a program in a fresh state, and check that the state is unchanged afterwards."""
    start_afresh()
    result = outcome_of(program)
    nothing_left(program, result)
    assert not leaks(), leaks()
    in_parts(result)
    return result


@each("number", range(len(RECORDED)))
def test_recorded_programs_have_their_recorded_values_and_gradients(number: int) -> None:
    """Most have PyLayers, hooks, views, changes in place, and several passes."""
    told = RECORDED[number]
    program = Program()
    program.body = [told["text"]]
    agrees(plain(program), told)


@pytest.mark.slow
def test_gradients_are_slopes(fuzz: Callable) -> None:
    """The loss is the sum of squares of all results; the leaf moves along some direction."""

    def loss_of(program: Program, step: float) -> tuple[Any, Any, Any]:
        names: dict[str, Any] = {"paddle": paddle, "np": np}
        loss = paddle.zeros([], "float64")
        for line in program.body:
            exec(line, names)
            if line.startswith("x1 ="):
                way = np.resize(np.random.default_rng(7).standard_normal(8), names["x1"].shape)
                names["x1"].set_value(np.asarray(names["x1"].numpy() + step * way))
        for name, value in names.items():
            if name[0] == "t" and isinstance(value, paddle.Tensor):
                loss = loss + (value * value * 0.01).sum()
        return names["x1"], way, loss

    def check(program: Program) -> None:
        if any(word in program.text for word in ("float32", "detach", "> 0.3")):
            return  # too few digits, a cut that slopes ignore, or a step
        below, here, above = (float(loss_of(program, step)[2]) for step in (-1e-6, 0.0, 1e-6))
        x, way, loss = loss_of(program, 0.0)
        if x.stop_gradient or loss.stop_gradient or abs(above + below - 2 * here) > 1e-9:
            return  # no gradient, or a kink
        (grad,) = paddle.grad(loss, x, allow_unused=True)
        slope = 0.0 if grad is None else float((grad.numpy() * way).sum())
        assert slope == pytest.approx((above - below) / 2e-6, rel=1e-5, abs=1e-7)

    smooth = {kind: weight for kind, weight in FIXED.items() if kind != "by numpy"}
    fuzz(check, programs(smooth, modes=False), 40, part=0.12)


@pytest.mark.slow
def test_a_recorded_run_is_the_same_and_its_trace_is_read_back(
    fuzz: Callable, tmp_path: Path
) -> None:
    def check(program: Program) -> None:
        result = plain(program)
        start_afresh()
        with viz.record() as trace:
            recorded = outcome_of(program)
        nothing_left(program, recorded)
        assert not leaks(), leaks()
        same(result, recorded)
        assert len(trace.steps) == len(trace.story.steps)
        assert trace.text()
        again = viz.load(trace.save(tmp_path / "trace.json"))
        assert again.dumps() == trace.dumps()
        assert again.text() == trace.text()

    fuzz(check, programs(EAGER), 20, part=0.13)


@pytest.mark.slow
def test_quick_calls_and_general_ones_give_the_same(fuzz: Callable) -> None:
    """With NaN checks every op takes the general path."""

    def check(program: Program) -> None:
        result = plain(program)
        start_afresh()
        with modes.override(check_nan=True):
            general = outcome_of(program)
        nothing_left(program, general)
        same(result, general)

    fuzz(check, programs(EAGER), 40, part=0.14)
