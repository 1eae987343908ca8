"""Formulas of gradients, derived by running gradient rules on symbols.

    gradient_formula(REGISTRY["tanh"], {}, [x], [y])  # dx = dy · (1 − y²)

A rule uses operators and the functions F, so it runs on everything that has these. A symbol has a
shape and a dtype, which rules read, and the tree of its computation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ..engine.dtypes import DType
from ..engine.errors import MinipaddleError
from ..engine.meta import Meta
from . import algebra
from .bound import read_saved
from .expression import Tree, chain, clauses, name, names_in, number, read, rename, subscript, write
from .op_spec import Op
from .rule_functions import RuleFunctions

Described = tuple[tuple[int, ...], str] | None  # shape and dtype of a tensor
GREEK = {"alpha": "α", "beta": "β", "delta": "δ", "epsilon": "ε"}
CONSTANTS = {"e", "π", "∞", "I"}  # names of constants in formulas
COUNT = name("n")
VECTORS = {  # ranks of two factors, vectors among them -> gradients of their product
    (1, 1): "dx = dz · y, dy = dz · x",
    (1, 2): "dx = dz @ yᵀ, dy = x ⊗ dz",
    (2, 1): "dx = dz ⊗ y, dy = xᵀ @ dz",
}
UNKNOWN = 1009  # replaces an unknown size: a prime, found again in a number of elements
# Errors of a rule or formula if a foreign trace has shapes or attributes that do not fit.
UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, MinipaddleError)


# ----- formulas of records -----------------------------------------------------------------------


def forward_formula(op: Op, attrs: Mapping[str, Any]) -> str:
    """Return the formula of a call, with the values of attributes in place of their letters."""
    return fill_in(op, op.formula.forward, attrs)


def fill_in(op: Op, text: Any, attrs: Mapping[str, Any]) -> str:
    try:
        formula = text if isinstance(text, str) else str(text(dict(attrs)))
    except UNFIT:
        return ""
    numbers = tuple(
        (GREEK.get(key, key), float(value))
        for key, value in attrs.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and key not in op.inputs
    )
    return _fill_in(formula, numbers) if numbers and formula else formula


@lru_cache(maxsize=4096)
def _fill_in(text: str, numbers: tuple[tuple[str, float], ...]) -> str:
    tree = read(text)
    known = {letter: number(value) for letter, value in numbers}
    if not known.keys() & {*names_in(tree)}:
        return text
    return write(algebra.simplify(rename(tree, known), lightly=True))


def gradient_formula(
    op: Op,
    attrs: Mapping[str, Any],
    inputs: Sequence[Described],
    outputs: Sequence[Described],
    arrived: Sequence[bool] = (),
) -> str:
    """Return the formula of the gradients of a call, in the letters of its record; "" if unknown.

    `inputs` and `outputs` are shapes and dtypes, those of a list one by one; `arrived` says which
    outputs have a gradient, by default all.
    """
    if op.formula.backward or op.rule is None:
        return fill_in(op, op.formula.backward, {**attrs, "arrived": (*arrived,)})
    ranks = tuple(len(one[0]) for one in inputs if one)
    if op.name == "matmul" and ranks in VECTORS:
        return VECTORS[ranks]
    key = (op.name, repr(attrs), tuple(inputs), tuple(outputs), tuple(arrived))
    if key not in _formula_cache:
        if len(_formula_cache) > 4096:
            _formula_cache.clear()
        try:
            _formula_cache[key] = run_rule(op, attrs, inputs, outputs, arrived)
        except UNFIT:
            _formula_cache[key] = ""
    return _formula_cache[key]


_formula_cache: dict[Any, str] = {}


def run_rule(
    op: Op, attrs: Mapping[str, Any], inputs: Any, outputs: Any, arrived: Sequence[bool]
) -> str:
    """Run the gradient rule of an op on symbols and write its results."""
    result = result_letter(op, forward_formula(op, attrs))
    letters = [result, *op.outputs[1:]] if result else list(op.outputs)
    xs = symbols(op.inputs, inputs, op.takes_list)
    ys = symbols(letters, outputs, op.list_result)
    known = dict(zip(op.inputs, xs, strict=False)) | dict(zip(op.outputs, ys, strict=False))
    douts: list[Any] = [
        gradient_of(ys[i]) for i in ([0] if op.list_result else op.graded_slots(len(ys)))
    ]
    if len(arrived) == len(douts) and not op.list_result:
        nothing = [dout.with_tree(algebra.ZERO) if op.zeros_for_unused else None for dout in douts]
        douts = [d if came else zero for d, came, zero in zip(douts, arrived, nothing, strict=True)]
    extra = {key: attrs[key] for key in op.rule_extra}
    if op.rule_needs:
        extra["needs"] = [True] * len(inputs)
    saved = [read_saved(known, what, FUNCTIONS) for what in op.saves]
    assert op.rule
    grads = op.rule(FUNCTIONS, *douts, *saved, **extra)
    equations = [
        Tree("=", (gradient_of(symbol).tree, tree_of(grad)))
        for symbol, grad in zip(flatten(xs), flatten(grads), strict=False)
        if grad is not None and symbol is not None
    ]
    return write(chain(",", equations)) if equations else ""


def flatten(row: Any) -> list[Any]:
    """Flatten nested rows into one list."""
    return [x for each in row for x in flatten(each)] if isinstance(row, (tuple, list)) else [row]


def result_letter(op: Op, text: str) -> str:
    """Return the letter of the result in a formula (y, z, loss); empty if the record names it."""
    left = clauses(read(text))[0].parts[0] if text else name("")
    while isinstance(left, Tree) and left.sign in ("sub", "index", "[]"):
        left = left.parts[0]
    letter = str(left.parts[0]) if isinstance(left, Tree) and left.sign == "name" else ""
    return "" if letter in (*op.inputs, *op.outputs) else letter


def symbols(letters: Sequence[str], metas: Any, has_list: bool) -> list[Any]:
    """Return a symbol for each letter; the last letter may denote the items of a list."""
    row: list[Any] = [None if meta is None else Symbol.of(*meta) for meta in metas]
    single = len(letters) - has_list
    found: list[Any] = [
        None if one is None else one.with_tree(name(letter))
        for letter, one in zip(letters[:single], row, strict=False)
    ]
    if has_list:
        letter = name(letters[-1])
        parts = enumerate(row[single:], 1)
        found.append(
            [
                None if one is None else one.with_tree(Tree("sub", (letter, subscript(i))))
                for i, one in parts
            ]
        )
    return found


def gradient_of(symbol: Any) -> Any:
    """Return the symbol of the gradient: dy of y, dy₁ of y₁."""
    if isinstance(symbol, list):
        return [gradient_of(each) for each in symbol]
    tree = symbol.tree
    return symbol.with_tree(
        Tree("sub", (gradient_of(symbol.with_tree(tree.parts[0])).tree, tree.parts[1]))
        if tree.sign == "sub"
        else name(f"d{tree.parts[0]}")
    )


# ----- symbols -----------------------------------------------------------------------------------


class Symbol:
    """An array of which shape, dtype and computation are known, but no values."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tree: Tree, shape: tuple[int, ...], dtype: Any) -> None:
        self.tree = tree
        self.shape = shape
        self.dtype = dtype

    @classmethod
    def of(cls, shape: tuple[int, ...], dtype: str) -> Symbol:
        sizes = tuple(UNKNOWN if size < 0 else size for size in shape)
        return cls(name(""), sizes, DType.of(dtype).numpy)

    def with_tree(self, tree: Tree) -> Symbol:
        return Symbol(tree, self.shape, self.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        if self.tree == COUNT:
            return True
        raise TypeError("a symbol has no value")

    def __iter__(self) -> Any:
        raise TypeError("a symbol has no values")

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def T(self) -> Symbol:
        return Symbol(Tree("mark", (self.tree, "ᵀ")), self.shape[::-1], self.dtype)

    def reshape(self, *shape: Any) -> Any:
        sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return FUNCTIONS.reshape(self, list(sizes))

    def __neg__(self) -> Symbol:
        return self.with_tree(algebra.negative(self.tree))

    def __invert__(self) -> Symbol:
        return self.with_tree(algebra.negate(self.tree))

    def __getitem__(self, item: Any) -> Any:
        return FUNCTIONS.getitem(self, item)


def relate(sign: str) -> Callable[[Tree, Tree], Tree]:
    return lambda one, other: Tree(sign, (one, other))


OPERATORS: dict[str, Callable[[Tree, Tree], Tree]] = {
    "add": algebra.plus, "sub": algebra.minus, "mul": algebra.times, "truediv": algebra.over,
    "pow": algebra.power, "and": algebra.conjunction, "or": relate("or"),
    "eq": relate(" = "), "ne": relate("≠"),
    "lt": relate("<"), "le": relate("≤"), "gt": relate(">"), "ge": relate("≥"),
}  # fmt: skip


def operator_method(word: str, make: Callable[[Tree, Tree], Tree]) -> Any:
    kind = np.dtype(bool) if word in ("eq", "ne", "lt", "le", "gt", "ge") else None

    def apply(one: Any, other: Any) -> Symbol:
        shapes = [each.shape if isinstance(each, Symbol) else () for each in (one, other)]
        dtypes = [each.dtype for each in (one, other) if isinstance(each, Symbol)]
        tree = make(tree_of(one), tree_of(other))
        return Symbol(tree, np.broadcast_shapes(*shapes), kind or np.result_type(*dtypes))

    return apply


for _word, _make in OPERATORS.items():
    _apply = operator_method(_word, _make)
    setattr(Symbol, f"__{_word}__", _apply)
    setattr(Symbol, f"__r{_word}__", lambda one, other, apply=_apply: apply(other, one))


def tree_of(value: Any) -> Tree:
    """Return the tree of a symbol, a number or the value of an attribute."""
    if isinstance(value, Symbol):
        return value.tree
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        return algebra.constant(float(value))
    if isinstance(value, (tuple, list)):
        return Tree("[]", tuple(map(tree_of, value)))
    return name(str(value))


# ----- functions ---------------------------------------------------------------------------------

# Ops that formulas omit: the tape undoes broadcasting, and formulas show no shapes.
SAME = {"cast", "assign", "expand", "expand_by", "reshape", "reshape_to",
        "reshape_by", "squeeze", "copy_to"}  # fmt: skip


def product_of(one: Tree, other: Tree) -> Tree:
    """Make the tree of `x @ y`, with minus signs moved to the front."""
    signs = [tree.sign == "neg" for tree in (one, other)]
    pair = (tree.parts[0] if tree.sign == "neg" else tree for tree in (one, other))
    tree = matrices_product(*pair)
    return algebra.negative(tree) if sum(signs) == 1 else tree


def matrices_product(one: Tree, other: Tree) -> Tree:
    """Make the tree of `x @ y`; of two batches as one matrix each, it is a sum: `Σ xᵀ @ y`."""
    left = one.parts[0] if one.sign == "mark" else one
    if left.sign == other.sign == "flat":
        product = Tree("@", (Tree("mark", (left.parts[0], "ᵀ")), other.parts[0]))
        return Tree("apply", (name("Σ"), product))
    return Tree("@", (one, other))


def apply_named(text: str, sign: str = "apply") -> Callable[..., Tree]:
    return lambda *trees: Tree(sign, (name(text), *trees))


SPECIAL: dict[str, Callable[..., Tree]] = {
    "add": algebra.plus, "subtract": algebra.minus, "multiply": algebra.times,
    "divide": algebra.over, "elementwise_pow": algebra.power, "where": algebra.choice,
    "logical_and": algebra.conjunction, "logical_or": relate("or"), "logical_not": algebra.negate,
    "equal": relate(" = "), "matmul": product_of, "bmm": product_of,
    "sigmoid": apply_named("sigmoid", "call"), "digamma": apply_named("digamma", "call"),
    "mean": apply_named("mean", "call"), "sum": apply_named("Σ"), "sum_to": apply_named("Σ"),
}  # fmt: skip


def apply_op(op: Op, attrs: Mapping[str, Any], trees: Sequence[Tree]) -> Tree:
    """Return the tree of an op applied to trees: its formula with them as operands, or a call by
    name if the formula contains an operand twice."""
    if op.name in ("sum", "mean") and attrs["axis"] is not None:
        keywords = [f"axis={attrs['axis']}"] + ["keepdim=True"] * attrs["keepdim"]
        return Tree("call", (name(op.name), *trees, *map(read, keywords)))
    if op.name in SPECIAL:
        return SPECIAL[op.name](*trees)
    if op.name == "fill_like":
        return tree_of(attrs["value"])
    if op.name == "einsum":
        factors = [name("ones") if each == algebra.ONE else each for each in trees[0].parts]
        return Tree("call", (name("einsum"), name(f'"{attrs["equation"]}"'), *factors))
    text = forward_formula(op, attrs)
    first = clauses(read(text))[0] if text else name("")
    letters = {
        **dict(zip(("x",), trees, strict=False)),
        **dict(zip(op.inputs, trees, strict=False)),
    }
    if first.sign == "=" and first.parts[0].sign == "name" and read(text) == first:
        used = [each for each in names_in(first.parts[1]) if each not in CONSTANTS]
        repeated = {each for each in used if used.count(each) > 1}
        if {*used} - {str(value) for value in attrs.values()} <= letters.keys() and all(
            letters[each].sign == "name" for each in repeated
        ):
            return algebra.simplify(rename(first.parts[1], letters))
    settings = [
        name(f"{key}={value}")
        for key, value in attrs.items()
        if value is not None and value != op.defaults.get(key)
    ]
    return Tree("call", (name(op.name), *trees, *settings))


class SymbolFunctions(RuleFunctions):
    """Functions F for rules on symbols."""

    def function_of(self, op: Op) -> Callable[..., Any]:
        word = op.name

        def call(*args: Any, **kwargs: Any) -> Any:
            inputs, attrs = op.bind(args, kwargs)
            metas = [meta_of(each) for each in inputs]
            found = op.infer(*metas, **attrs)
            if word == "cast" and inputs[0].tree.sign == " = ":  # [x = y] looks like no assignment
                return Symbol(Tree("[]", (inputs[0].tree,)), *found)
            if word in SAME or (word == "sum_to" and found.shape == metas[0].shape):
                return Symbol(inputs[0].tree, *found)
            if word == "unsqueeze":
                return Symbol(insert_axes(inputs[0].tree, attrs["axis"], len(found.shape)), *found)
            if word == "flatten" and attrs["stop_axis"] == -2:  # a batch as one matrix
                return Symbol(Tree("flat", (inputs[0].tree,)), *found)
            tree = apply_op(op, attrs, [tree_of(each) for each in inputs if each is not None])
            last = len(found.shape) - 1 if word == "transpose" else 0
            if last > 0 and [*attrs["perm"]] == [*range(last - 1), last, last - 1]:
                tree = Tree("mark", (inputs[0].tree, "ᵀ"))  # of each matrix
            if isinstance(found, Meta):
                return Symbol(tree, *found)
            parts = split_parts(word, attrs, inputs[0], found) or [
                Tree("index", (tree, number(i))) for i in range(len(found))
            ]
            return tuple(Symbol(part, *meta) for part, meta in zip(parts, found, strict=True))

        return call

    def product(self, sizes: Any) -> Any:
        count = math.prod(sizes)
        return count if count % UNKNOWN or not count else Symbol(COUNT, (), np.dtype("float32"))


def insert_axes(tree: Tree, axis: Any, rank: int) -> Tree:
    """Return a tensor's tree with new axes: `unsqueeze(dy, axis=1)`. Axes in front and axes of a
    number are omitted, as for broadcasting."""
    axes = sorted(each % rank for each in ([axis] if isinstance(axis, int) else axis))
    if axes == [*range(len(axes))] or algebra.value_of(tree) is not None:
        return tree
    return Tree("call", (name("unsqueeze"), tree, read(f"axis={axis}")))


def split_parts(
    word: str, attrs: Mapping[str, Any], whole: Any, parts: Sequence[Meta]
) -> list[Tree]:
    """Return the parts of a tensor that is cut along an axis, `dy[:, 2:5]`, or [] if their sizes
    are not known."""
    if word not in ("split", "unbind"):
        return []
    axis = attrs["axis"] % len(whole.shape)
    if word == "unbind":
        places = [number(i) for i in range(len(parts))]
    else:
        sizes = [part.shape[axis] for part in parts]
        if any(size % UNKNOWN == 0 for size in sizes):
            return []
        starts = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
        places = [name(f"{here}:{there}") for here, there in pairwise(starts)]
    before = [name(":")] * axis
    return [Tree("index", (whole.tree, *before, place)) for place in places]


def meta_of(value: Any) -> Any:
    if isinstance(value, Symbol):
        return Meta(value.shape, value.dtype)
    if isinstance(value, (list, tuple)):
        return [meta_of(each) for each in value]
    return value if value is None else Meta((), np.dtype("float32"))


FUNCTIONS = SymbolFunctions()
