"""Formulas with the user's names: replaced at once, raised letters, letters that do not clash."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minipaddle as paddle
import viz
from minipaddle import events
from minipaddle.ops import REGISTRY
from tests.each import each
from viz.story import op_facts
from viz.story.formulas import (
    is_composite,
    leave_out,
    letters,
    name_gradients,
    name_result,
    replace_tokens,
    tokens,
    with_free_letters,
)

NAMES = st.sampled_from(["x", "y", "z", "dx", "data", "u", "v", "net.0.weight", "a + b", "f(x, y)"])
RULES = [
    text
    for record in REGISTRY.values()
    for text in (record.formula.forward, record.formula.backward)
    if isinstance(text, str) and text
]


@each(("formula", "names", "text"), [
    ("z = x · y", {"x": "y", "y": "z", "z": "x"}, "x = y · z"),
    ("y = (1/n) Σ x", {"x": "z", "y": "mean(z)"}, "mean(z) = (1/n) Σ z"),
    ("z = x @ y", {"x": "a + b", "y": "w", "z": "out"}, "out = (a + b) @ w"),
    ("y = eˣ", {"x": "a + b", "y": "p"}, "p = e^(a + b)"),
    ("y = eˣ", {"x": "x", "y": "p"}, "p = eˣ"),
    ("z = xʸ", {"x": "base", "y": "k", "z": "p"}, "p = base^k"),
    ("y = x²", {"x": "a + b", "y": "s"}, "s = (a + b)²"),
    ("y = max(0, x)", {"x": "a + b", "y": "r"}, "r = max(0, a + b)"),
    ("z = x · y", {"x": "y", "y": "y", "z": "y × y"}, "y · y"),
    ("y = tanh x", {"x": "x", "y": "tanh(x)"}, "tanh x"),
    ("y = tanh x", {"x": "x", "y": "x"}, "v = tanh u"),
    ("z = x + y", {"x": "x" * 40, "y": "u" * 40, "z": "z"}, "z = u + v"),
    ("z = x + y", {}, "w = u + v"),
])  # fmt: skip
def test_the_formula_of_a_result(formula: str, names: dict[str, str], text: str) -> None:
    assert name_result(formula, names) == text


@each(("formula", "names", "text"), [
    ("dx = dy / (2y)", {"x": "a", "y": "root", "dx": "da", "dy": "droot"},
     "da = droot / (2 · root)"),
    ("dx = dz, dy = dz", {"x": "u", "y": "u", "z": "s", "dx": "du", "dy": "du", "dz": "ds"},
     "z = x + y: dv = da, dw = da"),
    ("dx = dy · eˣ⁻ʸ", {"x": "p", "y": "q", "dx": "dp", "dy": "dq"}, "dp = dq · e^(p − q)"),
])  # fmt: skip
def test_the_formula_of_gradients(formula: str, names: dict[str, str], text: str) -> None:
    forward = "z = x + y"
    if ":" in text:
        text = text.replace("z = x + y", "a = v + w")  # u is the user's
    assert name_gradients(formula, names, forward) == text


def test_gradients_that_nobody_needs_are_left_out() -> None:
    assert leave_out("dx = dz @ yᵀ, dy = xᵀ @ dz", {"dx"}) == "dy = xᵀ @ dz"
    assert leave_out("dx = dy", {"dx"}) == "dx = dy"


@given(st.sampled_from(RULES), st.fixed_dictionaries(dict.fromkeys("xyz", NAMES)))
def test_every_token_is_replaced_exactly_once(rule: str, names: dict[str, str]) -> None:
    marked = replace_tokens(rule, {letter: f"«{letter}»" for letter in names})
    text = re.sub("«(.)»", lambda match: names[match.group(1)], marked)
    assert re.sub(r"[()\s·]", "", text) == re.sub(r"[()\s·]", "", replace_tokens(rule, names)) or (
        set("ˣʸ") & set(rule)
    )
    assert not tokens(replace_tokens(rule, dict.fromkeys(names, "data"))) & set(names)


@given(st.sampled_from(RULES), st.lists(NAMES))
def test_letters_do_not_clash_with_the_users(rule: str, taken: list[str]) -> None:
    text = with_free_letters(rule, {f"{i}": name for i, name in enumerate(taken)})
    before, after = tokens(rule), tokens(text)
    new = {token[-1] for token in after - before}
    assert not new & {word for name in taken for word in re.findall(r"\w+", name)}
    assert len(letters(text)) == 0


def test_words_of_a_rule_do_not_clash_with_the_users() -> None:
    rule = "loss = −ln softmax(logits)[label]: dlogits = (softmax − one_hot(label)) · dloss"
    names = {"logits": "reshape(logits)", "label": "label", "loss": "loss(…)", "softmax": "p"}
    mine = {"logits", "label", "loss", "softmax"}
    assert with_free_letters(rule, names, mine) == (
        "v = −ln softmax(u)[label]: du = (softmax − one_hot(label)) · dv"
    )
    assert with_free_letters(rule, names, {"label"}) == rule


@each(("training", "used", "passes"), [
    (True, "(x − μ) / √(σ² + ε)", "(dx̂ − mean dx̂ −"),
    (False, "(x − mean) / √(variance + ε)", "dy · scale / √(variance + ε),"),
])  # fmt: skip
def test_batch_norm_is_told_with_the_statistics_that_it_uses(
    training: bool, used: str, passes: str
) -> None:
    norm = paddle.nn.BatchNorm1D(2)
    norm.train() if training else norm.eval()
    with viz.record() as trace:
        norm(paddle.to_tensor([[1.0, 2.0], [4.0, 8.0]])).sum().backward()
    call = next(event for event in trace.events if isinstance(event, events.OpFinished))
    told = op_facts.facts(call.op, call.attrs)
    assert told.formula == f"y = {used} · scale + bias"
    assert told.grad_formula.startswith(f"dx = {passes}")
    dscale = norm.weight.grad.numpy()  # dscale = Σ dy · x̂: 0 only with the batch's own statistics
    assert bool(np.allclose(dscale, 0.0, atol=1e-4)) is training


def test_what_is_composite() -> None:
    assert is_composite("a + b")
    assert is_composite("−x")
    assert not is_composite("f(a + b, c)")
    assert not is_composite("net.0.weight")


def test_no_rule_of_an_op_speaks_in_words() -> None:
    words = {"where", "else", "repeated", "shape", "the", "with", "every", "otherwise"}
    assert [rule for rule in RULES if words & set(re.findall(r"[a-z]+", rule))] == []


def test_a_complex_gradient_is_told_without_the_formula_for_real_numbers() -> None:
    z = paddle.to_tensor([1 + 2j], stop_gradient=False)
    with viz.record() as trace:
        (paddle.tanh(z) * z).abs().sum().backward()
    told = [s for s in trace.steps if s.phase == "backward" and s.kind == "visit"]
    complex_ones = [s for s in told if any("complex" in str(v.value) for v in s.shown[:1])]
    assert len(told) > len(complex_ones) > 0
    assert all(bool(s.formula) == (s not in complex_ones) for s in told)
