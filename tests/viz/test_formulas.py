"""Formulas have the user's names: replaced all at once, with raised letters, without clashes."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minipaddle as paddle
import viz
from minipaddle import static
from minipaddle.ops import REGISTRY, Op
from minipaddle.ops.algebra import simplify
from minipaddle.ops.expression import name, names_in, read, rename, subtrees, write
from minipaddle.ops.reference import derive_formula
from minipaddle.ops.symbols import forward_formula
from tests.each import each
from tests.ops.drawing import attrs_of
from tests.samples import pylayer
from viz.document import op_facts
from viz.model import formula_text
from viz.story.formulas import gradients_in, name_gradients, name_result, with_names

from . import stories

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
    ("y = x²", {"x": "a²", "y": "s"}, "s = (a²)²"),
    ("y = max(0, x)", {"x": "a + b", "y": "r"}, "r = max(0, a + b)"),
    ("z = x · y", {"x": "y", "y": "y", "z": "y × y"}, "y · y"),
    ("y = tanh x", {"x": "x", "y": "tanh(x)"}, "tanh x"),
    ("y = tanh x", {"x": "x", "y": "x"}, "tanh x"),
    ("y = tanh x", {"x": "output", "y": "output"}, "tanh output"),
    ("z = x + y", {"x": "x" * 40, "y": "u" * 40, "z": "z"}, f"z = {'x' * 40} + {'u' * 40}"),
    ("z = x + y", {"x": "x" * 40, "y": "u" * 9, "z": "net.0.loss_of(everything)"},
     f"net.0.loss_of(everything) = {'x' * 40} + {'u' * 9}"),
    ("y = Σ xᵢ", {"y": "total"}, "total = Σ inputᵢ"),
    ("y = Σ xᵢ", {"y": "input"}, "input = Σ operandᵢ"),
])  # fmt: skip
def test_the_formula_of_a_result_has_the_users_names(
    formula: str, names: dict[str, str], text: str
) -> None:
    result = "z" if formula[0] == "z" else "y"
    assert formula_text(name_result(read(formula), names, {result})) == text


@each(("formula", "names", "text"), [
    ("dx = dy / (2y)", {"x": "a", "y": "root", "dx": "da", "dy": "droot"},
     "da = droot / (2 · root)"),
    ("dx = dy, dz = dy", {"x": "u", "z": "u", "y": "s", "dx": "du", "dz": "du", "dy": "ds"},
     "du += ds, du += ds"),
    ("dx = dy · eˣ⁻ʸ", {"x": "p", "y": "q", "dx": "dp", "dy": "dq"}, "dp = dq · e^(p − q)"),
    ("dx = dy · 2", {"x": "x", "y": "x", "dx": "dx", "dy": "dx"}, "dx = d(new(x)) · 2"),
    ("dxᵢ = dy", {"y": "total", "dy": "dtotal"}, "dinputᵢ = dtotal"),
    ("dx = dy · y", {"x": "x", "y": "f(" + "a" * 70 + ")", "dx": "dx", "dy": "d(f(…))"},
     f"dx = d(f(…)) · f({'a' * 70})"),
])  # fmt: skip
def test_the_formula_of_gradients_has_the_users_names(
    formula: str, names: dict[str, str], text: str
) -> None:
    parts = gradients_in(read(formula), {"x", "z"})
    assert formula_text(name_gradients(parts, names, {"y"})) == text


def test_long_names_of_results_stay_so_that_all_words_are_on_the_screen() -> None:
    names = {"x": "logits", "softmax": "s" * 60, "loss": "t" * 60}
    names |= {f"d{token}": f"d({called})" for token, called in names.items()}
    parts = gradients_in(read("dx = dloss · (softmax − 1)"), {"x"})
    text = formula_text(name_gradients(parts, names, {"softmax", "loss"}))
    assert text == f"d(logits) = d({'t' * 60}) · ({'s' * 60} − 1)"


def test_a_printed_formula_is_parsed_to_the_same_tree() -> None:
    """Every formula of a record is parsed, printed, and parsed to the same tree."""
    for rule in RULES:
        assert "row" not in {tree.sign for tree in subtrees(read(rule))}, rule
        assert read(write(read(rule))) == read(rule), rule


@each(("formula", "text"), [
    ("dx = dy · (1 − y · y)", "dx = dy · (1 − y²)"),
    ("dx = dy / y / y · x", "dx = dy · x / y²"),
    ("dx = −(−dy) · 1", "dx = dy"),
    ("dx = dy · (1 − x) · (1 + x)", "dx = dy · (1 − x²)"),
    ("dx = 0 + dy − −x", "dx = dy + x"),
    ("dx = a − (b − c)", "dx = a − (b − c)"),
    ("dx = a / (b · c)", "dx = a / (b · c)"),
    ("dx = (a @ b) · c", "dx = (a @ b) · c"),
    ("dx = (Σ a · b) · c", "dx = (Σ a · b) · c"),
    ("dx = c · Σ a · b", "dx = c · Σ a · b"),
    ("dx = (−x)²", "dx = (−x)²"),
    ("dx = (x²)³", "dx = x⁶"),
    ("dx = (x²)^0.5", "dx = (x²)^0.5"),
    ("dx = x⁻¹ · x", "dx = x⁻¹ · x"),
])  # fmt: skip
def test_a_tree_is_simplified_and_gets_only_needed_brackets(formula: str, text: str) -> None:
    assert write(simplify(read(formula))) == text


@given(st.sampled_from(RULES), st.fixed_dictionaries(dict.fromkeys("xyz", NAMES)))
def test_every_token_is_replaced_exactly_once(rule: str, names: dict[str, str]) -> None:
    """Marks are in the places of names, each a piece of its own, and no replaced letter is left."""
    marked = with_names(read(rule), {letter: f"«{letter}»" for letter in names})
    between = [text for clause in marked for text in clause[::2]]
    assert not any(re.search(r"«.»(?!\.)", text) for text in between)  # x.shape is text
    text = re.sub("«(.)»", lambda match: names[match.group(1)], formula_text(marked))
    found = formula_text(with_names(read(rule), names))
    assert re.sub(r"[()\s·]", "", text) == re.sub(r"[()\s·]", "", found) or set("ˣʸ") & set(rule)
    assert not {*names_in(rename(read(rule), dict.fromkeys(names, name("data"))))} & set(names)


DEFINED = set("eijknIQ")  # letters with a mathematical meaning
# Letters that the formula itself defines, or that name the factors of a decomposition.
OWN = {
    "cholesky": "MP", "triangular_solve": "a",  # `a` is the English article
    "mish": "t", "random_slopes": "u", "smooth_l1_loss": "d",
    "qr": "M", "svd": "EvMPQ", "svd_full": "v", "eigh": "Et",
    "eig": "EP", "lu": "LPU", "lu_unpack": "P",
    "reduce_scatter": "r", "alltoall": "r", "barrier": "r",
    "fft_c2c": "N", "fft_r2c": "N", "fft_c2r": "N",
}  # fmt: skip


def gradient_of_sample(record: Op) -> str:
    """Return the formula of the gradients of a record's first sample."""
    return derive_formula(record, record.samples[0]) if record.rule else ""


def test_no_letter_of_a_rule_is_free() -> None:
    """Each letter is an input, an output, an option, or an index."""
    for record in filter(attrgetter("samples"), REGISTRY.values()):
        told = op_facts.facts(record.name, attrs_of(record, record.samples[0]))
        known = {*told.inputs, *told.outputs, *record.names, "x", "y", "z", *DEFINED}
        known |= {f"d{name}" for name in known}
        rules = filter(None, (told.formula, gradient_of_sample(record)))
        found = {token for rule in rules for token in names_in(read(rule))}
        free = {token for token in found if re.fullmatch("d?[a-zA-Z]", token)} - known
        assert {token[-1] for token in free} <= set(OWN.get(record.name, "")), record.name


WITHOUT_AXIS = {
    # internal ops, and ops that look alike along each axis
    *("slice_positions", "repeat_positions", "last_along", "count_along"),
    *("unique_consecutive", "shifted", "recurrence", "squeeze", "unsqueeze", "unsqueeze_by"),
    "dropout",
}


def test_a_formula_depends_on_its_axis() -> None:
    found = set()
    for record in filter(attrgetter("samples"), REGISTRY.values()):
        for word in {"axis", "dim"} & record.defaults.keys():
            given = record.samples[0].attrs
            calls = [record.complete({**given, word: axis}) for axis in (0, 1)]
            if len({forward_formula(record, attrs) for attrs in calls}) == 1:
                found.add(record.name)
    assert found == WITHOUT_AXIS


def test_no_rule_of_an_op_contains_words() -> None:
    words = {"where", "else", "elsewhere", "repeated", "shape", "the", "with", "every", "otherwise"}
    words |= {"of", "each", "has", "without", "size", "no"}
    assert [rule for rule in RULES if words & set(re.findall(r"[a-z]+\b(?!\()", rule))] == []


class Attention(paddle.autograd.PyLayer):
    """A user's softmax."""

    @staticmethod
    def forward(ctx: Any, scores: Any) -> Any:
        weights = paddle.nn.functional.softmax(scores)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx: Any, given: Any) -> Any:
        (weights,) = ctx.saved_tensor()
        inner = (given * weights).sum(-1, keepdim=True)
        return weights * (given - inner)


class Layer(paddle.autograd.PyLayer):
    """Two gradients, one of which is long."""

    @staticmethod
    def forward(ctx: Any, data: Any, weight: Any) -> Any:
        ctx.save_for_backward(data, weight)
        return paddle.tanh(data @ weight)

    @staticmethod
    def backward(ctx: Any, given: Any) -> Any:
        data, weight = ctx.saved_tensor()
        slope = given * (1.0 - paddle.tanh(data @ weight) ** 2)
        return slope @ weight.T, 0.5 * (data.T @ slope)


class Changed(paddle.autograd.PyLayer):
    """A change of a tensor in place through a view, for which there is no formula."""

    @staticmethod
    def forward(ctx: Any, data: Any) -> Any:
        return data * 2.0

    @staticmethod
    def backward(ctx: Any, given: Any) -> Any:
        slope = given * 1.5
        slope.reshape([2, 1]).add_(paddle.ones([2, 1]))
        return slope * 2.0


# Its backward computes with NumPy.
Away = pylayer(
    lambda ctx, data: data * 2.0, lambda ctx, given: paddle.to_tensor(np.cos(given.numpy())) * given
)


@each(("layer", "shapes", "text"), [
    (Attention, [[2, 3]],
     "dscores = weights · s, s = given − sum(given · weights, axis=−1, keepdim=True)"),
    (Layer, [[2, 3], [3, 2]],
     "d(data) = s @ weightᵀ, dweight = (dataᵀ @ s) / 2, s = given · (1 − tanh²(data @ weight))"),
    (Changed, [[2]], ""),
    (Away, [[2]], ""),
])  # fmt: skip
def test_a_users_backward_has_a_formula(layer: Any, shapes: Any, text: str) -> None:
    inputs = [paddle.rand(shape) for shape in shapes]
    for one in inputs:
        one.stop_gradient = False
    with viz.record() as trace:
        layer.apply(*inputs).sum().backward()
    assert [step.formula for step in trace.steps if step.kind == "return"] == [text]


def programs() -> list[Callable[[], Any]]:
    """Return networks, losses, indexing, and ops of lists, without variables of one letter."""
    functional = paddle.nn.functional

    def random(*sizes: int) -> Any:
        tensor = paddle.rand(sizes)
        tensor.stop_gradient = False
        return tensor

    def network() -> Any:
        layers = [paddle.nn.Conv2D(1, 2, 3), paddle.nn.BatchNorm2D(2), paddle.nn.GELU()]
        layers += [paddle.nn.MaxPool2D(2), paddle.nn.Flatten(), paddle.nn.Linear(8, 3)]
        scores = paddle.nn.Sequential(*layers)(random(2, 1, 6, 6))
        return functional.cross_entropy(scores, paddle.to_tensor([0, 1]))

    def attention() -> Any:
        query, key = random(2, 3, 4), random(2, 3, 4)
        weights = functional.softmax(paddle.matmul(query, key, transpose_y=True) / 2.0)
        return paddle.nn.LayerNorm(4, weight_attr=False)(weights @ key).sum()

    def losses() -> Any:
        guess, target = random(2, 3), random(2, 3)
        names = ("mse_loss", "l1_loss", "smooth_l1_loss", "binary_cross_entropy", "kl_div")
        return paddle.add_n([getattr(functional, name)(guess, target) for name in names])

    def picking() -> Any:
        table, rows = random(4, 3), paddle.to_tensor([0, 2])
        parts = [table[1:3], table[rows], paddle.gather(table, rows), paddle.roll(table, 1)]
        return paddle.concat([*parts, paddle.where(table > 0.5, table, 2.0 * table)]).prod()

    def products() -> Any:
        left, right = random(2, 3), random(3, 4)
        one, two = paddle.split(paddle.einsum("ij,jk->ik", left, right), 2, axis=1)
        chain = paddle.linalg.multi_dot([left, right, random(4, 2)])
        return (paddle.stack([one, two]) * chain).sum() + paddle.norm(left, p=3)

    def solving() -> Any:
        square = random(3, 3) + 3.0 * paddle.eye(3)
        solved = paddle.linalg.solve(square, random(3, 1))
        factor = paddle.linalg.cholesky(square @ square.T)
        return solved.sum() + factor.sum() + paddle.linalg.det(square) + square.std()

    return [network, attention, losses, picking, products, solving]


SINGLE = re.compile(r"(?<![\w.@#])d?[A-Za-zα-ω](?![\w.@#(\[=\u0300-\u036f])")
STATED = {*"eijknI", "π", "σ"}  # indices, constants, functions


@each("program", programs())
def test_no_letter_of_a_step_is_free(program: Callable[[], Any]) -> None:
    """A tensor is its name or its op; every other short word is defined in the sentence."""
    with viz.record() as trace:
        program().backward()
    told = [step.formula for step in trace.steps if step.formula]
    defined = {text: set(re.findall(r", (\w)′? = ", text)) for text in told}
    free = {text: set(SINGLE.findall(text)) - STATED - defined[text] for text in told}
    assert {text: letters for text, letters in free.items() if letters} == {}
    assert len(told) > 10


def test_an_unknown_size_of_a_program_is_no_letter() -> None:
    with stories.programs(), viz.record() as trace:
        x = static.data("x", [None, 3])
        x.stop_gradient = False
        static.gradients(paddle.mean(x), x)
        static.gradients(paddle.mean(x, axis=0).sum(), x)
    told = [step.formula for step in trace.steps]
    assert "mean_0.tmp_0 = (1 / numel(x)) Σ x" in told
    assert "x@GRAD = mean_0.tmp_0@GRAD / numel(x)" in told
    assert told[-1].endswith("/mean_1.tmp_0@GRAD / (numel(x) / numel(mean_1.tmp_0)))")


@each("dtype", ["float64", "complex128"])
def test_eigenvectors_are_conjugated_where_they_are_complex(dtype: str) -> None:
    rows = np.array([[2.0, 0.5 if dtype == "float64" else 0.5j], [0.5, 3.0]]).astype(dtype)
    x = paddle.to_tensor(rows @ rows.conj().T)
    with viz.record() as trace:
        w, v = paddle.linalg.eigh(x)
        y = paddle.linalg.matrix_norm(x)
    of_eigh, of_norm = (step.formula for step in trace.steps)
    mark = {"float64": "ᵀ", "complex128": "ᴴ"}[dtype]
    turned = {"ᵀ": lambda m: m.T, "ᴴ": lambda m: m.conj().T}[mark](v.numpy())
    np.testing.assert_allclose(v.numpy() @ np.diag(w.numpy()) @ turned, x.numpy(), 1e-12)
    assert of_eigh == f"x = v @ diag(w) @ v{mark}"
    np.testing.assert_allclose(np.sqrt((np.abs(x.numpy()) ** 2).sum()), y.numpy(), 1e-12)
    assert of_norm == "y = √sum(|x|², axis=[−2, −1])"
