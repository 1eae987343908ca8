"""Formulas with the user's names: replaced at once, raised letters, letters that do not clash."""

from __future__ import annotations

import re
from operator import attrgetter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minipaddle as paddle
import viz
from minipaddle import events
from minipaddle.ops import REGISTRY, Op
from minipaddle.ops.expression import name, names_in, read, renamed, written
from minipaddle.ops.reference import derived
from minipaddle.ops.symbols import gradient_formula
from tests.each import each
from tests.ops.drawing import attrs_of
from viz.document.distinct_names import is_composite
from viz.story import op_facts
from viz.story.formulas import gradients_in, leave_out, name_gradients, name_result, with_names

NAMES = st.sampled_from(["x", "y", "z", "dx", "data", "u", "v", "net.0.weight", "a + b", "f(x, y)"])
RULES = [
    text
    for record in REGISTRY.values()
    for text in (record.formula.forward, record.formula.backward)
    if isinstance(text, str) and text
]


@each(("formula", "names", "text"), [
    ("z = x · y", {"x": "y", "y": "z", "z": "x"}, "x = y · z"),
    ("y = (1/n) Σ x", {"x": "z", "y": "mean(z)"}, "mean(z) = (1 / n) Σ z"),
    ("z = x @ y", {"x": "a + b", "y": "w", "z": "out"}, "out = (a + b) @ w"),
    ("y = eˣ", {"x": "a + b", "y": "p"}, "p = e^(a + b)"),
    ("y = eˣ", {"x": "x", "y": "p"}, "p = eˣ"),
    ("z = xʸ", {"x": "base", "y": "k", "z": "p"}, "p = baseᵏ"),
    ("y = x²", {"x": "a + b", "y": "s"}, "s = (a + b)²"),
    ("y = max(0, x)", {"x": "a + b", "y": "r"}, "r = max(0, a + b)"),
    ("z = x · y", {"x": "y", "y": "y", "z": "y × y"}, "y · y"),
    ("y = tanh x", {"x": "x", "y": "tanh(x)"}, "tanh x"),
    ("y = tanh x", {"x": "x", "y": "x"}, "output = tanh x"),
    ("y = tanh x", {"x": "output", "y": "output"}, "result = tanh output"),
    ("z = x + y", {"x": "x" * 40, "y": "u" * 40, "z": "z"}, f"z = {'x' * 40} + {'u' * 40}"),
    ("z = x + y", {"x": "x" * 40, "y": "u" * 9, "z": "net.0.loss_of(everything)"},
     f"{'x' * 40} + {'u' * 9}"),
    ("y = Σ xᵢ", {"y": "total"}, "total = Σ inputᵢ"),
    ("y = Σ xᵢ", {"y": "input"}, "input = Σ operandᵢ"),
])  # fmt: skip
def test_the_formula_of_a_result(formula: str, names: dict[str, str], text: str) -> None:
    result = "z" if formula[0] == "z" else "y"
    assert name_result(read(formula), names, {result}) == text


@each(("formula", "names", "text"), [
    ("dx = dy / (2y)", {"x": "a", "y": "root", "dx": "da", "dy": "droot"},
     "da = droot / (2 · root)"),
    ("dx = dy, dz = dy", {"x": "u", "z": "u", "y": "s", "dx": "du", "dz": "du", "dy": "ds"},
     "du = ds + ds"),
    ("dx = dy · eˣ⁻ʸ", {"x": "p", "y": "q", "dx": "dp", "dy": "dq"}, "dp = dq · e^(p − q)"),
    ("dx = dy · 2", {"x": "x", "y": "x", "dx": "dx", "dy": "dx"}, "dx = d(output) · 2"),
    ("dxᵢ = dy", {"y": "total", "dy": "dtotal"}, "dinputᵢ = dtotal"),
    ("dx = dy · y", {"x": "x", "y": "f(" + "a" * 70 + ")", "dx": "dx", "dy": "d(f(…))"},
     "dx = d(output) · output"),
])  # fmt: skip
def test_the_formula_of_gradients(formula: str, names: dict[str, str], text: str) -> None:
    parts = gradients_in(read(formula), {"x", "z"})
    assert name_gradients(parts, names, {"y"}) == text


def test_gradients_that_nobody_needs_are_left_out() -> None:
    parts = gradients_in(read("dx = dz @ yᵀ, dy = xᵀ @ dz"), {"x", "y"})
    assert list(map(written, leave_out(parts, {"dx"}))) == ["dy = xᵀ @ dz"]
    assert list(leave_out(parts[:1], {"dx"})) == parts[:1]


@given(st.sampled_from(RULES), st.fixed_dictionaries(dict.fromkeys("xyz", NAMES)))
def test_every_token_is_replaced_exactly_once(rule: str, names: dict[str, str]) -> None:
    """Marks stand where the names do, and no letter that was there is left."""
    marked = with_names(read(rule), {letter: f"«{letter}»" for letter in names})
    text = re.sub("«(.)»", lambda match: names[match.group(1)], marked)
    assert re.sub(r"[()\s·^]", "", text) == re.sub(r"[()\s·^]", "", with_names(read(rule), names))
    assert not {*names_in(renamed(read(rule), dict.fromkeys(names, name("data"))))} & set(names)


DEFINED = set("eijknIQ")  # by mathematics
# Letters that the formula itself defines, or that name the factors of a decomposition.
OWN = {
    "cholesky": "a", "triangular_solve": "a", "diag": "a",  # the article
    "mish": "t", "random_slopes": "u", "smooth_l1_loss": "d",
    "qr": "M", "svd": "Ev", "svd_full": "v", "eigh": "E", "matrix_rank": "s", "histogram": "b",
    "reduce_scatter": "r", "alltoall": "r", "barrier": "r",
}  # fmt: skip


def gradient_of_sample(record: Op) -> str:
    """The formula of the gradients of a record's first sample."""
    return derived(record, record.samples[0]) if record.rule else ""


def test_no_letter_of_a_rule_is_free() -> None:
    """Each stands for an input, an output, an option, or is an index."""
    for record in filter(attrgetter("samples"), REGISTRY.values()):
        told = op_facts.facts(record.name, attrs_of(record, record.samples[0]))
        known = {*told.inputs, *told.outputs, *record.names, "x", "y", "z", *DEFINED}
        known |= {f"d{name}" for name in known}
        rules = filter(None, (told.formula, gradient_of_sample(record)))
        found = {token for rule in rules for token in names_in(read(rule))}
        free = {token for token in found if re.fullmatch("d?[a-zA-Z]", token)} - known
        assert {token[-1] for token in free} <= set(OWN.get(record.name, "")), record.name


@each(("training", "used", "passes"), [
    (True, "(x − mean(x)) / √(var(x) + 1e−5)", "(dx̂ − mean(dx̂) −"),
    (False, "(x − mean) / √(variance + 1e−5)", "dy · scale / √(variance + 1e−5),"),
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
    metas = [
        [(tuple(seen.value.shape), seen.value.dtype) for seen in row]
        for row in (call.inputs, call.outputs)
    ]
    assert gradient_formula(REGISTRY[call.op], call.attrs, *metas).startswith(f"dx = {passes}")
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
