"""Sums, products and conditions of formulas, simplified when they are made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .expression import Tree, chain, number, read

ZERO, ONE = number(0), number(1)
OPPOSITE = {">": "≤", "<": "≥", "≥": "<", "≤": ">", "==": "≠", " = ": "≠", "≠": " = "}
MIRRORED = {">": "<", "<": ">", "≥": "≤", "≤": "≥"}
KNOWN = {
    "ln 2": math.log(2), "ln 10": math.log(10),
    "2/√π": 2 / math.sqrt(math.pi), "√π / 2": math.sqrt(math.pi) / 2,
    "1/√2": math.sqrt(0.5), "1 / √(2π)": 1 / math.sqrt(2 * math.pi),
}  # fmt: skip


def constant(value: Any) -> Tree:
    """Make the tree of a number; 0.693… gets its name ln 2."""
    near = (text for text, known in KNOWN.items() if math.isclose(value, known, rel_tol=1e-12))
    text = next(near, None)
    return read(text) if text else number(value)


def value_of(tree: Tree) -> float | None:
    """Return the value of a tree without variables, None for other trees."""
    if tree.sign == "neg":
        inner = value_of(tree.parts[0])
        return None if inner is None else -inner
    text = tree.parts[0].replace("−", "-").replace("∞", "inf") if tree.sign == "number" else ""
    return 0.5 if text == "½" else float(text) if text else None


# ----- sums --------------------------------------------------------------------------------------


def negative(tree: Tree) -> Tree:
    if tree == ZERO:
        return tree
    if tree.sign == "−":
        return minus(tree.parts[1], tree.parts[0])
    return tree.parts[0] if tree.sign == "neg" else Tree("neg", (tree,))


def plus(one: Tree, other: Tree) -> Tree:
    a, b = value_of(one), value_of(other)
    if a is not None and b is not None:
        return number(a + b)
    if a == 0 or b == 0:
        return other if a == 0 else one
    if other.sign == "neg":
        return minus(one, other.parts[0])
    return minus(other, one.parts[0]) if one.sign == "neg" else Tree("+", (one, other))


def minus(one: Tree, other: Tree) -> Tree:
    a, b = value_of(one), value_of(other)
    if a is not None and b is not None:
        return number(a - b)
    if a == 0 or b == 0:
        return negative(other) if a == 0 else one
    return plus(one, other.parts[0]) if other.sign == "neg" else Tree("−", (one, other))


# ----- products ----------------------------------------------------------------------------------


def times(one: Tree, other: Tree) -> Tree:
    return product([one, other], [])


def over(one: Tree, other: Tree) -> Tree:
    return product([one], [other])


def power(base: Tree, exponent: Tree) -> Tree:
    if base.sign == "power" and is_whole(base.parts[1]) and is_whole(exponent):
        return power(base.parts[0], times(base.parts[1], exponent))
    if exponent == ZERO:
        return ONE
    value, whole = value_of(base), value_of(exponent)
    if value is not None and whole in (2, 3):
        return number(value**whole)
    return base if exponent == ONE else Tree("power", (base, exponent))


def floor(tree: Tree) -> Tree:
    """Make the tree of a number rounded down."""
    top, bottom = tree.parts if tree.sign == "/" else (tree, ONE)
    a, b = value_of(top), value_of(bottom)
    return number(a // b) if a is not None and b else Tree("⌊⌋", (tree,))


def is_whole(tree: Tree) -> bool:
    value = value_of(tree)
    return value is not None and math.isfinite(value) and value == int(value)


def product(above: list[Tree], below: list[Tree]) -> Tree:
    """Make a simplified fraction: `−a · b² / c`."""
    signs, tops, bottoms = factors(above, below)
    if ZERO in tops and ZERO not in bottoms:
        return ZERO
    tops, bottoms = combine(tops), combine(bottoms)
    tops = sorted(tops, key=lambda tree: not is_gradient(tree))  # gradients first
    if tops and value_of(tops[-1]) is not None and (len(tops) == 2 or not is_gradient(tops[0])):
        tops = [tops[-1], *tops[:-1]]
    if number(0.5) in tops and not any(value_of(each) for each in bottoms):
        tops, bottoms = [each for each in tops if each != number(0.5)], [number(2), *bottoms]
    top = chain("·", tops) if tops else ONE
    tree = Tree("/", (top, chain("·", bottoms))) if bottoms else top
    return negative(tree) if signs % 2 else tree


def is_gradient(tree: Tree) -> bool:
    return tree.sign == "name" and tree.parts[0][:1] == "d" and tree.parts[0] != "d"


def factors(above: list[Tree], below: list[Tree]) -> tuple[int, list[Tree], list[Tree]]:
    """Return the number of minus signs of a fraction, the factors above and those below."""
    signs, tops, bottoms = 0, list[Tree](), list[Tree]()
    for tree, same, other in (
        *((t, tops, bottoms) for t in above),
        *((b, bottoms, tops) for b in below),
    ):
        if tree.sign not in ("neg", "·", "/", "tight"):
            same.append(tree)
            continue
        first, rest = tree.parts[0], list(tree.parts[1:])
        under = rest if tree.sign == "/" else []
        more, up, down = factors([first, *([] if under else rest)], under)
        signs += more + (tree.sign == "neg")
        same += up
        other += down
    return signs, tops, bottoms


def combine(trees: list[Tree]) -> list[Tree]:
    """Combine factors: numbers, equal factors to powers, `(1 − x) · (1 + x)` to `1 − x²`."""
    found: list[Tree] = []
    for tree in trees:
        for i, known in enumerate(found):
            joined = combine_two(known, tree)
            if joined is not None:
                found[i] = joined
                break
        else:
            found.append(tree)
    return [tree for tree in found if tree != ONE]


def combine_two(one: Tree, other: Tree) -> Tree | None:
    """Combine two factors into one; return None if that is not possible."""
    a, b = value_of(one), value_of(other)
    if a is not None and b is not None:
        return number(a * b)
    bases = [tree.parts if tree.sign == "power" else (tree, ONE) for tree in (one, other)]
    if bases[0][0] == bases[1][0] and a is None:
        total = plus(bases[0][1], bases[1][1])
        return None if total == ZERO else power(bases[0][0], total)  # 0⁻¹ · 0 is not 1
    if {one.sign, other.sign} == {"+", "−"}:
        first, second = one.parts if one.sign == "−" else other.parts
        if {first, second} == {*one.parts} == {*other.parts}:
            return minus(square(first), square(second))
    return join_comparisons(one, other)


def square(tree: Tree) -> Tree:
    value = value_of(tree)
    return power(tree, number(2)) if value is None else number(value * value)


# ----- conditions --------------------------------------------------------------------------------


def join_comparisons(one: Tree, other: Tree) -> Tree | None:
    """Join `x > −1` and `x < 1` to `−1 < x < 1`."""
    if one.sign not in MIRRORED or other.sign not in MIRRORED or one.parts[0] != other.parts[0]:
        return None
    low, high = (one, other) if one.sign in ">≥" else (other, one)
    if low.sign not in ">≥" or high.sign not in "<≤" or value_of(low.parts[1]) is None:
        return None
    return Tree(high.sign, (Tree(MIRRORED[low.sign], low.parts[::-1]), high.parts[1]))


def conjunction(one: Tree, other: Tree) -> Tree:
    return join_comparisons(one, other) or Tree("and", (one, other))


def negate(condition: Tree) -> Tree:
    """Negate a condition c: the opposite comparison, else 1 − c."""
    sign = OPPOSITE.get(condition.sign)
    simple = sign and all(part.sign not in OPPOSITE for part in condition.parts)
    return Tree(str(sign), condition.parts) if simple else minus(ONE, condition)


def choice(condition: Tree, one: Tree, other: Tree) -> Tree:
    """Make a tree that is `one` where the condition holds, else `other`; factor out common ones."""
    if one == other:
        return one
    parts = [factors([tree], []) for tree in (one, other)]
    common = [each for each in parts[0][1] if each in parts[1][1]]
    if ZERO in (one, other):
        return times(other, negate(condition)) if one == ZERO else times(one, condition)
    if not common:
        return plus(times(one, condition), times(other, negate(condition)))
    rest = [
        negative(tree) if signs % 2 else tree
        for signs, tops, bottoms in parts
        for tree in [product([t for t in tops if t not in common], bottoms)]
    ]
    return product([*common, choice(condition, *rest)], [])


# ----- whole trees -------------------------------------------------------------------------------

MAKERS: dict[str, Callable[..., Tree]] = {
    "+": plus, "−": minus, "·": times, "/": over, "tight": times, "neg": negative, "power": power,
    "⌊⌋": floor,
}  # fmt: skip


def simplify(tree: Tree, lightly: bool = False) -> Tree:
    """Simplify a tree from its leaves; `lightly`: only numbers and factors of 1."""
    if tree.sign in ("name", "number"):
        return tree
    parts = [simplify(part, lightly) if isinstance(part, Tree) else part for part in tree.parts]
    make = MAKERS.get(tree.sign)
    if tree.sign == "apply" and parts[0] == ONE:  # (1/1) Σ x is x
        assert isinstance(parts[1], Tree)
        summed = parts[1].sign == "apply" and parts[1].parts[0] == Tree("name", ("Σ",))
        return parts[1].parts[1] if summed else parts[1]
    if lightly and tree.sign in ("+", "−", "·") and ZERO in parts:
        return ZERO if tree.sign == "·" else MAKERS[tree.sign](*parts)
    if (
        lightly
        and tree.sign != "⌊⌋"
        and (tree.sign in ("+", "−") or ONE not in parts[tree.sign == "/" :])
    ):
        make = make if all(isinstance(p, Tree) and value_of(p) is not None for p in parts) else None
    return make(*parts) if make else Tree(tree.sign, tuple(parts))
