"""The formulas that records show compute what kernels and gradient rules compute.

A formula is read as mathematics, evaluated with NumPy on random arrays, and compared with the
kernel, or with the gradients that the rule gives. Formulas with sums over indices or with words
are no arithmetic and are left out; the tests say how many must not be.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from minipaddle.ops import REGISTRY, Op, Sample
from viz.story import op_facts

from .drawing import attrs_of, draw, flat, kernel, sampled
from .test_gradients import graded, gradients, normals

# Their formulas look like arithmetic but speak of matrices, channels, bits or ignored rows.
NO_ARITHMETIC = {
    "logical_and", "logical_or", "bitwise_xor", "inverse", "solve", "matrix_power", "qr",
    "qr_complete", "batch_norm", "diagonal_scatter", "less_hot_rows",
}  # fmt: skip
RAISED = dict(zip("ˣʸᶻⁿ⁻¹²³", "xyzn−123", strict=True))
POWER = "[ˣʸᶻⁿ⁻¹²³]+"
FUNCTIONS = {
    "ln": np.log, "log2": np.log2, "log10": np.log10, "sqrt": np.sqrt, "abs": np.abs,
    "sign": np.sign, "floor": np.floor, "ceil": np.ceil, "round": np.round,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh, "cosh": np.cosh,
    "tanh": np.tanh, "arcsin": np.arcsin, "arccos": np.arccos, "arctan": np.arctan,
    "arsinh": np.arcsinh, "arcosh": np.arccosh, "artanh": np.arctanh,
    "σ": lambda x: 1 / (1 + np.exp(-x)), "isnan": np.isnan, "isinf": np.isinf,
    "isfinite": np.isfinite, "all": np.all, "any": np.any, "conj": np.conj,
}  # fmt: skip
PAIRS = {"max": np.maximum, "min": np.minimum, "gcd": np.gcd, "lcm": np.lcm}
GREEK = {"alpha": "α", "beta": "β", "delta": "δ", "epsilon": "ε"}
NAMES = "|".join(sorted(FUNCTIONS, key=len, reverse=True))


class NotArithmetic(Exception):
    """A formula says more than an expression does."""


def python_of(formula: str) -> str:
    """A formula's right side as an expression of Python."""
    text = formula.replace("₂", "2").replace("₁₀", "10")
    text = re.sub(rf"e({POWER})", lambda m: f"exp({raised(m[1])})", text)
    text = re.sub(r"\be\^(\w+|\([^()]*\))", r"exp(\1)", text)
    text = re.sub(rf"\b({NAMES})²", r"square_of_\1", text)
    text = re.sub(rf"({POWER})", lambda m: f"**({raised(m[1])})", text)
    text = text.replace("ᵀ", ".T").replace("√", "sqrt ").replace("½", "0.5 ·").replace("∞", "inf")
    text = re.sub(r"\|([^|]+)\|", r"abs(\1)", text)
    text = re.sub(r"⌊([^⌋]+)⌋", r"floor(\1)", text)
    text = re.sub(r"⌈([^⌉]+)⌉", r"ceil(\1)", text)
    text = re.sub(rf"\b((?:square_of_)?(?:{NAMES})) (\w+)", r"\1(\2)", text)
    text = re.sub(r"\bsqrt (?=\()", "sqrt", text)
    text = re.sub(rf"\b({NAMES}) ((?:{NAMES})\([^()]*\))", r"\1(\2)", text)
    text = re.sub(r"(?<![\w)])\[([^\[\]]*[<>≤≥=≠][^\[\]]*)\]", r"(\1)", text)
    side = r"([^()<>≤≥=≠]+)"
    text = re.sub(rf"\({side}([<≤]){side}([<≤]){side}\)", r"((\1\2\3) & (\3\4\5))", text)
    text = re.sub(r"(?<![<>=!])=(?!=)", "==", text)
    text = re.sub(r"(?<=\d)(?=[xyz]\b)", " · ", text)
    for sign, word in {
        "·": "*",
        "−": "-",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "^": "**",
        "¬": "~",
    }.items():
        text = text.replace(sign, word)
    if re.search(r"[^\w\s+\-*/@().,<>=!&|~]|…|\d \(", text):
        raise NotArithmetic(text)
    return text


def raised(power: str) -> str:
    return "".join(RAISED[letter] for letter in power).replace("−", " − ")


def value_of(formula: str, names: dict[str, Any]) -> Any:
    """What a formula gives for these values of its names."""
    square = {f"square_of_{name}": (lambda x, f=f: f(x) ** 2) for name, f in FUNCTIONS.items()}
    known = {**names, **FUNCTIONS, **PAIRS, **square, "exp": np.exp, "inf": np.inf, "π": np.pi}
    try:
        with np.errstate(all="ignore"):
            return eval(python_of(formula), {"__builtins__": {}}, known)
    except (SyntaxError, NameError, TypeError, AttributeError, ValueError) as error:
        raise NotArithmetic(f"{formula}: {error}") from error


def named_values(op: Op, sample: Sample, arrays: list[Any], outs: list[Any]) -> dict[str, Any]:
    """Inputs, outputs and options under the names that formulas have for them."""
    attrs = attrs_of(op, sample)
    told = op_facts.facts(op.name, attrs)
    names = {GREEK.get(name, name): value for name, value in attrs.items()}
    names |= dict(zip(told.inputs, arrays, strict=False))
    names |= dict(zip(op.outputs, outs, strict=False))
    left = told.formula.partition(" = ")[0]
    return names | ({left: outs[told.main_output]} if left not in told.inputs else {})


def close(one: Any, other: Any) -> bool:
    wanted = np.asarray(other)
    if wanted.dtype == bool:
        return bool(np.array_equal(np.broadcast_to(one, wanted.shape), wanted))
    return np.allclose(np.broadcast_to(one, wanted.shape), wanted, rtol=1e-5, atol=1e-9)


def check_forward(op: Op, sample: Sample) -> None:
    arrays = draw(op, sample)
    outs = kernel(op, arrays, sample)
    told = op_facts.facts(op.name, attrs_of(op, sample))
    left, equals, right = told.formula.partition(" = ")
    if not equals or not left.isidentifier():
        raise NotArithmetic(told.formula)
    names = named_values(op, sample, arrays, outs)
    assert close(value_of(right, names), outs[told.main_output]), told.formula


def check_gradients(op: Op, sample: Sample) -> None:
    arrays = draw(op, sample)
    outs = kernel(op, arrays, sample)
    told = op_facts.facts(op.name, attrs_of(op, sample))
    cotangents = normals(graded(op, outs), 1)
    names = named_values(op, sample, arrays, outs)
    for slot, cotangent in zip(op.graded_slots(len(outs)), cotangents, strict=True):
        for name, value in list(names.items()):
            if value is outs[slot]:
                names[f"d{name}"] = cotangent
    found = gradients(op, sample, arrays, cotangents)
    grads = dict(zip(told.inputs, found, strict=False))
    if len(flat(arrays)) != len(arrays):
        raise NotArithmetic("a list")
    for part in re.split(r", (?=d\w+ = )", told.grad_formula):
        left, _, right = part.partition(" = ")
        name = left.removeprefix("d")
        if name not in grads or not right:
            raise NotArithmetic(part)
        assert close(reduced_to(value_of(right, names), grads[name]), grads[name]), part


def reduced_to(value: Any, like: Any) -> Any:
    """A gradient summed back over the axes along which its input was broadcast."""
    value, shape = np.asarray(value), np.shape(like)
    if value.ndim < len(shape):
        return value
    while value.ndim > len(shape):
        value = value.sum(0)
    axes = tuple(i for i, size in enumerate(shape) if size == 1 != value.shape[i])
    return value.sum(axes, keepdims=True) if axes else value


def failures(check: Any, ops: Any) -> tuple[set[str], list[str]]:
    """The ops of which a formula was computed, and the formulas that are false."""
    computed, false = set(), []
    for op, sample, name in sampled():
        if op.name in NO_ARITHMETIC or op.name not in ops:
            continue
        try:
            check(op, sample)
        except NotArithmetic:
            continue
        except AssertionError as error:
            false.append(f"{name}: {error}")
        computed.add(op.name)
    return computed, false


def test_a_formula_computes_what_the_kernel_computes() -> None:
    computed, false = failures(check_forward, REGISTRY)
    assert false == []
    assert len(computed) >= 105


def test_the_formula_of_a_gradient_computes_what_the_rule_computes() -> None:
    computed, false = failures(check_gradients, {op.name for op in REGISTRY.values() if op.rule})
    assert false == []
    assert len(computed) >= 85
