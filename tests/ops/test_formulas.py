"""The formulas of op records compute what kernels and gradient rules compute.

A formula is parsed, evaluated with NumPy on random arrays, and compared with the kernel or the
gradients of the rule. Formulas with sums over indices or with words are no arithmetic and are left
out; the tests say how many must be computed.
"""

from ast import literal_eval
from functools import partial
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minipaddle.ops import REGISTRY, Op, Sample, algebra
from minipaddle.ops.expression import Tree, clauses, number, read, write
from minipaddle.ops.symbols import GREEK, gradient_formula
from viz.document import op_facts

from .drawing import attrs_of, draw, flat, kernel, sampled
from .test_gradients import graded, gradients, normals

# Ops whose formulas look like arithmetic, but are about matrices, channels, bits, ignored rows.
NO_ARITHMETIC = {
    "logical_and", "logical_or", "bitwise_xor", "inverse", "solve", "matrix_power", "qr",
    "qr_complete", "batch_norm", "diagonal_scatter", "less_hot_rows",
}  # fmt: skip


def special(name: str) -> Any:
    """Return a kernel as a function that NumPy does not have."""
    return lambda x, **attrs: REGISTRY[name].kernel(np, np.asarray(x, float), **attrs)


FUNCTIONS = {
    "ln": np.log, "log₂": np.log2, "log₁₀": np.log10, "√": np.sqrt, "sign": np.sign,
    "round": np.round, "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh,
    "cosh": np.cosh, "tanh": np.tanh, "arcsin": np.arcsin, "arccos": np.arccos,
    "arctan": np.arctan, "arsinh": np.arcsinh, "arcosh": np.arccosh, "artanh": np.arctanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "isnan": np.isnan, "isinf": np.isinf,
    "conj": np.conj, "isfinite": np.isfinite, "all": np.all, "any": np.any, "¬": np.logical_not,
    "max": np.maximum, "min": np.minimum, "gcd": np.gcd, "lcm": np.lcm, "erf": special("erf"),
    "erf⁻¹": special("erfinv"), "digamma": special("digamma"),
    "polygamma": lambda n, x: special("polygamma")(x, n=int(n)),
    "sum": np.sum, "prod": np.prod, "mean": np.mean, "argmax": np.argmax, "argmin": np.argmin,
    "flip": np.flip, "roll": lambda x, shifts, **axis: np.roll(x, int(shifts), **axis),
}  # fmt: skip
ALONG = {"max": np.max, "min": np.min}  # with an axis
AROUND = {"||": np.abs, "⌊⌋": np.floor, "⌈⌉": np.ceil, "[]": lambda x: x}
SIGNS = {
    "+": np.add, "−": np.subtract, "·": np.multiply, "tight": np.multiply, "/": np.divide,
    "@": np.matmul, "power": np.power, "==": np.equal, " = ": np.equal, "=": np.equal,
    "≠": np.not_equal, "<": np.less, "≤": np.less_equal, ">": np.greater, "≥": np.greater_equal,
    "and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor, "<<": np.left_shift,
    ">>": np.right_shift, "&": np.bitwise_and, "|": np.bitwise_or, "mod": np.mod,
    "neg": lambda x: -np.asarray(x, float),
}  # fmt: skip


class NotArithmetic(Exception):
    """A formula that is more than an arithmetic expression."""


def value_of(tree: Tree, names: dict[str, Any]) -> Any:
    """Evaluate a formula for values of its names."""
    sign, parts = tree
    if sign == "name":
        known = {"e": np.e, "π": np.pi, "∞": np.inf, **names}
        if parts[0] not in known:
            raise NotArithmetic(parts[0])
        return known[parts[0]]
    if sign == "number":
        return algebra.value_of(tree)
    if sign in "<≤" and parts[0].sign in ("<", "≤"):  # 0 < x < 6
        first = Tree(sign, (parts[0].parts[1], parts[1]))
        return value_of(parts[0], names) & value_of(first, names)
    if sign == "mark" and parts[1] == "ᵀ":
        return np.swapaxes(value_of(parts[0], names), -1, -2)
    head = parts[0]
    if sign == "apply" and head.sign == "power" and write(head) not in FUNCTIONS:  # tan² x
        inner = Tree("apply", (head.parts[0], parts[1]))
        return value_of(Tree("power", (inner, head.parts[1])), names)
    if sign == "apply" and head.sign == "number":
        return value_of(Tree("·", parts), names)
    if sign in ("apply", "call"):
        function, keys = FUNCTIONS.get(write(head)), keywords(parts)
        if function and keys:
            function = partial(ALONG.get(write(head), function), **keys)
        parts = [part for part in parts[1:] if part.sign != "keyword"]
    else:
        function = SIGNS.get(sign) or AROUND.get(sign)
    if function is None or (sign == "[]" and len(parts) > 1):
        raise NotArithmetic(write(tree))
    try:
        with np.errstate(all="ignore"):
            return function(*(value_of(part, names) for part in parts))
    except (TypeError, ValueError) as error:
        raise NotArithmetic(f"{write(tree)}: {error}") from error


def keywords(parts: tuple[Tree, ...]) -> dict[str, Any]:
    """Return the keyword arguments of a call, in NumPy's names."""
    found = {}
    for part in parts:
        if part.sign == "keyword":
            try:
                value = literal_eval(write(part.parts[1]).replace("−", "-"))
            except ValueError as error:  # a word, such as a mode
                raise NotArithmetic(write(part)) from error
            key = "keepdims" if part.parts[0] == "keepdim" else part.parts[0]
            found[key] = tuple(value) if isinstance(value, list) else value
    return found


def named_values(op: Op, sample: Sample, arrays: list[Any], outs: list[Any]) -> dict[str, Any]:
    """Return inputs, outputs and options by their names in formulas."""
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
    parts = clauses(read(told.formula)) if told.formula else []
    if len(parts) != 1 or parts[0].sign != "=" or parts[0].parts[0].sign != "name":
        raise NotArithmetic(told.formula)
    names = named_values(op, sample, arrays, outs)
    assert close(value_of(parts[0].parts[1], names), names[write(parts[0].parts[0])]), told.formula


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
    metas = [
        [each if each is None else (each.shape, str(each.dtype)) for each in flat(row)]
        for row in (arrays, outs)
    ]
    formula = gradient_formula(op, attrs_of(op, sample), *metas)
    parts = {part: write(part.parts[0])[1:] for part in clauses(read(formula)) if formula}
    if any(part.sign != "=" or name not in grads for part, name in parts.items()):
        raise NotArithmetic(formula)
    for part, name in parts.items():
        found = reduced_to(value_of(part.parts[1], names), grads[name])
        if found.ndim and found.ndim < np.ndim(grads[name]):
            raise NotArithmetic("a gradient that is repeated along an axis")
        assert close(found, grads[name]), formula


def reduced_to(value: Any, like: Any) -> Any:
    """Sum a gradient over the axes along which its input was broadcast."""
    value, shape = np.asarray(value), np.shape(like)
    if value.ndim < len(shape):
        return value
    while value.ndim > len(shape):
        value = value.sum(0)
    axes = tuple(i for i, size in enumerate(shape) if size == 1 != value.shape[i])
    return value.sum(axes, keepdims=True) if axes else value


def failures(check: Any, ops: Any) -> tuple[set[str], list[str]]:
    """Return the ops with a computed formula, and the false formulas."""
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
    assert len(computed) >= 112


def test_the_formula_of_a_gradient_computes_what_the_rule_computes() -> None:
    computed, false = failures(check_gradients, {op.name for op in REGISTRY.values() if op.rule})
    assert false == []
    assert len(computed) >= 100


def test_the_formula_of_a_norm_holds_for_each_row_or_channel() -> None:
    """It is evaluated as it stands, for each index."""
    for op, sample, name in sampled():
        if op.name not in ("layer_norm", "batch_norm") or sample.shapes[-1] is None:
            continue
        arrays = draw(op, sample)
        out, attrs = kernel(op, arrays, sample)[0], attrs_of(op, sample)
        told = op_facts.facts(op.name, attrs)
        values = {"sqrt": np.sqrt, **dict(zip(told.inputs, arrays, strict=False))}
        if values["scale"] is None:
            values["scale"] = np.ones(out.shape[1:2] if op.name == "batch_norm" else out.shape[-1])
        text = told.formula.replace("−", "-").replace("·", "*").replace("√", "sqrt")
        line, _, rest = text.replace("σ²", "s").replace("²", "**2").partition(", μ = ")
        mean, _, variance = rest.partition(", s = ")
        left, _, right = line.partition(" = ")
        values |= {"mean": np.mean} if rest else {}
        for index in np.ndindex(out.shape):
            values |= dict(zip("ijk", index, strict=False)) if "i" in left else {"k": 0}
            for key, expression in {"μ": mean, "s": variance}.items():
                values[key] = eval(expression, values) if expression else None
            assert close(eval(right, values), eval(left, {**values, "y": out})), name


LEAVES = st.sampled_from([read("x"), read("y"), *map(number, (-2, -1, 0, 0.5, 1, 2, 3))])


def grown(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    pair = st.tuples(inner, inner)
    power = st.tuples(inner, st.sampled_from([*map(number, (-1, 0.5, 1, 2, 3))]))
    return st.one_of(
        st.builds(Tree, st.sampled_from("+−·/"), pair),
        st.builds(Tree, st.just("neg"), st.tuples(inner)),
        st.builds(Tree, st.just("power"), power),
    )


@given(st.recursive(LEAVES, grown, max_leaves=8))
def test_a_simplified_tree_has_the_same_value_and_is_printed_and_parsed_back(tree: Tree) -> None:
    names = {"x": np.array([0.7, -1.3, 2.0]), "y": np.array([1.9, 0.4, -0.6])}
    wanted, simpler = value_of(tree, names), algebra.simplify(tree)
    again = value_of(read(write(simpler)), names)
    for found in (value_of(simpler, names), value_of(read(write(tree)), names), again):
        real = np.isfinite(wanted) & np.ones(3, bool)  # NaN may become a number
        assert np.allclose((found + np.zeros(3))[real], (wanted + np.zeros(3))[real], rtol=1e-4)
