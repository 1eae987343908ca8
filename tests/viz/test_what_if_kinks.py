"""A changed trace marks numbers that rounding at a kink or jump may have decided."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from tests.each import each
from viz.whatif import kinks

F = paddle.nn.functional
MATHEMATICS = Path(viz.__file__).parent / "player/web/whatif/mathematics.js"
A = np.float32(0.1)
NEAR, FAR = (float(np.nextafter(A, np.float32(1))), 0.37)  # near the kink, far from it


def test_the_tested_functions_are_those_of_the_page() -> None:
    text = MATHEMATICS.read_text(encoding="utf-8")
    for name, ours in (("BENDS", kinks.BENDS), ("JUMPS", kinks.JUMPS)):
        table = re.search(rf"export const {name} = {{(.*?)^}};", text, re.DOTALL | re.MULTILINE)
        assert table
        rows = re.findall(r'^  (?:(\w+):|\.\.\.eachOf\("(.*?)")', table[1], re.MULTILINE)
        assert {name for row in rows for name in " ".join(row).split()} == set(ours)


GRADIENTS: tuple[Callable[[Any], Any], ...] = (
    lambda x: F.relu(x - 0.1),
    lambda x: paddle.abs(x - 0.1),
    lambda x: paddle.maximum(x, paddle.to_tensor([0.1, 0.1])),
    lambda x: paddle.clip(x - 0.1, 0.0, 1.0),
    lambda x: F.leaky_relu(x - 0.1, 0.5),
    lambda x: paddle.max(paddle.stack([x, paddle.to_tensor([0.1, 0.1])]), axis=0),
)
VALUES: tuple[Callable[[Any], Any], ...] = (
    lambda x: paddle.sign(x - 0.1),
    lambda x: paddle.floor(x * 10.0),
    lambda x: (x > 0.1).astype("float32"),
    lambda x: paddle.argmax(paddle.stack([x, paddle.to_tensor([0.1, 0.1])]), axis=0),
    lambda x: paddle.where(x < 0.1, x * 2.0, x * 3.0),
)


def recorded(function: Callable[[Any], Any], backward: bool) -> viz.Trace:
    x = paddle.to_tensor([0.5, 2.0], stop_gradient=False)
    with viz.record() as trace:
        y = function(x)
        if backward:
            y.sum().backward()
    assert list(y.shape) == [2]
    return trace


@each("function", GRADIENTS)
def test_a_gradient_at_a_kink_is_marked(function: Callable[[Any], Any]) -> None:
    trace = recorded(function, backward=True)
    assert "x.grad" in trace.what_if({("x", 0): NEAR}).kinks()
    assert trace.what_if({("x", 0): FAR}).kinks() == {}
    assert trace.kinks() == {}


@each("function", VALUES)
def test_a_value_at_a_jump_is_marked(function: Callable[[Any], Any]) -> None:
    trace = recorded(function, backward=False)
    assert "y" in trace.what_if({("x", 0): NEAR}).kinks()
    assert trace.what_if({("x", 0): FAR}).kinks() == {}


def test_equal_numbers_are_not_marked() -> None:
    trace = recorded(lambda x: F.relu(F.relu(x - 1.0)), backward=True)
    assert trace.what_if({("x", 1): 3.0}).kinks() == {}


def test_updates_from_an_unsure_gradient_are_marked() -> None:
    w = paddle.to_tensor([0.5, 2.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    with viz.record() as trace:
        F.relu(w - 0.1).sum().backward()
        sgd.step()
        y = w * 2.0  # noqa: F841  (its name)
    assert {"w", "y", "w.grad"} <= set(trace.what_if({("w", 0): NEAR}).kinks())


def test_kinks_are_described_in_two_languages_and_saved(tmp_path: Path) -> None:
    changed = recorded(GRADIENTS[0], backward=True).what_if({("x", 0): NEAR})
    assert "rounding may decide" in changed.kinks()["x.grad"]
    assert "舍入" in changed.kinks("zh")["x.grad"]
    assert viz.load(changed.save(tmp_path / "trace.json")).kinks() == changed.kinks()
    assert changed.what_if({("x", 0): FAR}).kinks() == {}


def test_a_damaged_mark_is_an_error() -> None:
    document = recorded(GRADIENTS[0], backward=False).document
    entry = {**document["values"][0], "kink": "perhaps"}
    with pytest.raises(ValueError, match=r"values.0..kink is wrong"):
        viz.Trace({**document, "values": [entry, *document["values"][1:]]})
