"""All kinds of statements are drawn, and derivatives of the reference are slopes."""

import random
import re
from typing import Any

import numpy as np
import pytest

from . import reference
from .conftest import Fuzz
from .programs import (
    BINARY,
    CALLS,
    CHANGES,
    EAGER,
    MOST,
    ON_MATRICES,
    UNARY,
    Program,
    Statement,
    Writer,
    programs,
)
from .reference import Tensor, paddle
from .running import outcome_of
from .static_programs import FIXED

pytestmark = pytest.mark.slow

SMOOTH = {kind: weight for kind, weight in FIXED.items() if kind != "by numpy"}


def loss_of(program: Program, changed: str, step: float, way: Any) -> tuple[float, Any]:
    """Return the sum of squares of all results, and the leaf, after a step of the leaf."""
    names: dict[str, Any] = {"paddle": paddle, "np": np}
    reference.state.begin()
    loss = Tensor(np.zeros(()))
    for line in program.body:
        exec(line, names)
        if line.startswith(f"{changed} ="):
            names[changed].data = names[changed].data + step * way(names[changed].data.shape)
    for name, value in names.items():
        if name[0] == "t" and isinstance(value, Tensor):
            loss = loss + (value * value * 0.01).sum()
    return float(loss.data), (names[changed], loss)


def test_every_statement_is_drawn() -> None:
    draw = random.Random(1107)
    kinds, texts = set(), []
    for _ in range(200):
        writer = Writer({})
        for kind in ["leaf", *draw.choices(list(EAGER), k=20)]:
            before = len(writer.program.body)
            choices = tuple(draw.choices(range(MOST), k=4))
            if not writer.add(Statement(kind, choices)):
                break
            if len(writer.program.body) > before:
                kinds.add(kind)
        texts.append(writer.program.text)
    assert kinds == set(EAGER)
    together = "\n".join(texts)
    for template in (*UNARY, *BINARY, *ON_MATRICES, *CHANGES, *CALLS.values()):
        pattern = re.sub(r"\\{\w+\\}", r"\\w+", re.escape(template))
        assert re.search(pattern, together), template


def test_gradients_of_the_reference_are_slopes(fuzz: Fuzz) -> None:
    def check(program: Program) -> None:
        if any(word in program.text for word in ("float32", "detach", "with paddle")):
            return  # too few digits, or a cut that slopes ignore
        step = 1e-6

        def along(shape: Any) -> Any:
            return np.resize(np.random.default_rng(7).standard_normal(8), shape)

        try:
            above, below = (loss_of(program, "x1", s, along)[0] for s in (step, -step))
            _, (x, loss) = loss_of(program, "x1", 0.0, along)
            if x.stop or loss.stop:
                return
            (g,) = paddle.grad(loss, x, allow_unused=True)
        except reference.Unsuitable:
            return
        slope = 0.0 if g is None else float((g.data * along(x.data.shape)).sum())
        assert slope == pytest.approx((above - below) / (2 * step), rel=1e-5, abs=1e-7)

    fuzz.round(check, programs(SMOOTH), 1107, 40)


def test_the_reference_has_second_derivatives() -> None:
    x = Tensor(np.array([0.5, -1.25]), False)
    (g,) = paddle.grad((x * paddle.sin(x)).sum(), x, create_graph=True)
    (gg,) = paddle.grad(g.sum(), x)
    np.testing.assert_allclose(g.data, np.sin(x.data) + x.data * np.cos(x.data))
    np.testing.assert_allclose(gg.data, 2 * np.cos(x.data) - x.data * np.sin(x.data))


def test_the_reference_notices_overwritten_values_and_is_right_nevertheless() -> None:
    program = Program()
    program.body = [
        'x1 = paddle.to_tensor([0.5, 2.0], "float64", stop_gradient=False)',
        "t2 = x1 * 1.0",
        "t3 = t2 * t2",
        "t2.zero_()",
        "t3.sum().backward()",
    ]
    reference.state.begin()
    outcome = outcome_of(program, paddle)
    assert reference.state.overwritten
    assert outcome.tensors["x1"].grad.tolist() == [1.0, 4.0]
