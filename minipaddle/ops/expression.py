"""Formulas as trees: read from text, with names replaced, and written as text.

    tree = read("dx = dy · (1 − y²)")
    written(renamed(tree, {"y": name("h"), "dy": name("dh")}))  # dx = dh · (1 − h²)

A tree has no brackets; the writer sets those that are needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from typing import Any, NamedTuple


class Tree(NamedTuple):
    """A sign with its operands: trees, or the text of a name or a number."""

    sign: str
    parts: tuple[Any, ...]


def name(text: str) -> Tree:
    """Make the tree of the name of a tensor, such as `x` or `x @ W`, of a function or a word."""
    return Tree("name", (text,))


def number(value: Any) -> Tree:
    """Make the tree of a number with six digits, of −2 or of 2/3."""
    if isinstance(value, (bool, str)):
        return name(str(value))
    if value < 0:
        return Tree("neg", (number(-value),))
    if isinstance(value, float) and value < 10 and float(f"{value:g}") != value:
        for denominator in range(2, 100):
            if (numerator := round(value * denominator)) / denominator == value:
                return Tree("/", (number(numerator), number(denominator)))
    return Tree(
        "number", (re.sub("e-0?", "e−", f"{value:g}").replace("e+0", "e+").replace("inf", "∞"),)
    )


# ----- writing -----------------------------------------------------------------------------------

LIST, CHOICE, DEFINITION, LOGIC, RELATION, BITS, SUM, OPEN, PRODUCT, PREFIX, POWER, ATOM = range(12)
LEVELS = {
    **dict.fromkeys((",",), LIST),
    **dict.fromkeys((";",), CHOICE),
    **dict.fromkeys(("=", "+=", "→", "←", "~"), DEFINITION),
    **dict.fromkeys(("or", "and", "xor", "if"), LOGIC),
    **dict.fromkeys((" = ", "==", "≠", "<", "≤", ">", "≥", "∈", "∉"), RELATION),
    **dict.fromkeys(("|", "&", "^", "⊕", "<<", ">>"), BITS),
    **dict.fromkeys(("+", "−"), SUM),
    **dict.fromkeys(("·", "/", "@", "∗", "∗ᵀ", "⋆", "×", "⊗", "∘", "mod"), PRODUCT),
}
NAME_LEVELS = {**LEVELS, "÷": PRODUCT, "^": POWER}  # signs in names of tensors
PLAIN, BIG, TIGHT = "·/", ("Σ", "Π", "∏", "Σᵣ", "Σₖ", "Σᵢ", "Σᵢⱼ", "Σᵢⱼₖ"), ("√", "∂", "¬", "~")
PAIRS = {pair[0]: pair for pair in ("()", "[]", "{}", "||", "⌊⌋", "⌈⌉", "‖‖")}
RAISED = dict(zip("xyznkpt0123456789−′", "ˣʸᶻⁿᵏᵖᵗ⁰¹²³⁴⁵⁶⁷⁸⁹⁻′", strict=True))
LOWERED = {raised: letter for letter, raised in RAISED.items()}


Pieces = tuple[str, ...]  # text, operand, text, operand, …, text; an operand is a name or a number


def write(tree: Tree, least: int = LIST) -> str:
    """Write a tree as text, in brackets if its sign binds less tightly than `least`."""
    return "".join(pieces(tree, least))


def pieces(tree: Tree, least: int = LIST) -> Pieces:
    """Write a tree as text that keeps its operands apart.

    >>> pieces(read("dx = 2 · dy[0]"))
    ('', 'dx', ' = ', '2', ' · ', 'dy', '[0]')
    """
    made, level = _write_tree(tree)
    if level >= least:
        return made
    opening, closing = "[]" if level == RELATION and least > RELATION + 1 else "()"
    return join(opening, made, closing)  # [x > 0] is 1 where x > 0


def join(*parts: str | Pieces) -> Pieces:
    """Join texts and pieces to pieces."""
    joined = [""]
    for part in parts:
        first, *rest = (part,) if isinstance(part, str) else part
        joined[-1] += first
        joined += rest
    return tuple(joined)


def _write_row_of(trees: Iterable[Tree], opening: str, closing: str) -> Pieces:
    """Write trees with commas between them."""
    parts: list[str | Pieces] = [opening]
    for tree in trees:
        parts += [", ", pieces(tree)] if len(parts) > 1 else [pieces(tree)]
    return join(*parts, closing)


def _write_places(trees: Iterable[Tree]) -> Pieces:
    """Write trees in square brackets; numbers there are sizes or places, and no operands."""
    start, *rest = _write_row_of(trees, "[", "]")
    parts: list[str | Pieces] = [start]
    for operand, text in zip(rest[::2], rest[1::2], strict=True):
        parts.append(operand + text if operand[0].isdigit() else ("", operand, text))
    return join(*parts)


@lru_cache(maxsize=20_000)  # the formulas of a training iteration repeat
def _write_tree(tree: Tree) -> tuple[Pieces, int]:
    sign, parts = tree
    if sign in LEVELS:
        return _write_infix(sign, *parts)
    if sign == "[]":
        return _write_places(parts), ATOM
    if sign in PAIRS.values():
        return _write_row_of(parts, sign[0], sign[1]), ATOM
    return _WRITERS[sign](*parts)


def _write_infix(sign: str, left: Tree, right: Tree) -> tuple[Pieces, int]:
    level = LEVELS[sign]
    factor = sign == "·" and is_constant(left) and right.sign == "@"  # 2 · x @ y
    first, second = _write_operand(sign, left, level), _write_operand(sign, right, level + 1)
    second = pieces(right) if factor else second
    if level == DEFINITION:
        first = pieces(left, SUM)
    if sign in (",", ";"):
        return join(first, f"{sign} ", second), level
    is_open = level == PRODUCT and _write_tree(right)[1] == OPEN and second[0][:1] != "("
    ratio = sign == "/" and left.sign == "number" and is_constant(right)  # 1/6, 2/π
    between = sign if ratio else f" {sign.strip()} "
    return join(first, between, second), OPEN if is_open else level


def _write_operand(sign: str, tree: Tree, least: int) -> Pieces:
    """Write an operand; `a · (b · c)` and `a · Σ b` need no brackets."""
    level = LEVELS[sign]
    if level == PRODUCT and tree.sign == "name":  # a tensor that is called `x @ w`
        least = PREFIX
    elif level == PRODUCT:
        mixed = tree.sign in LEVELS and (tree.sign in PLAIN) != (sign in PLAIN)
        if mixed and LEVELS[tree.sign] == PRODUCT:
            factor = least == level and is_constant(tree.parts[0])
            return pieces(tree) if factor else join("(", pieces(tree), ")")
        flat = sign == "·" and tree.sign in ("·", "/", "tight")
        if least > level and (flat or _write_tree(tree)[1] == OPEN):
            least = OPEN
        if least > level and tree.sign == sign == "@":
            least = level
    elif (sign == "+" and tree.sign in ("+", "−")) or (
        level in (LIST, LOGIC) and tree.sign == sign
    ):
        least = level
    elif sign == "if":
        least = RELATION
    return pieces(tree, least)


def _write_name(text: str) -> tuple[Pieces, int]:
    return ("", text, ""), binding_level(text)


def _write_number(text: str) -> tuple[Pieces, int]:
    return ("", text, ""), ATOM


def _write_row(one: Tree, other: Tree) -> tuple[Pieces, int]:
    return join(pieces(one), " ", pieces(other)), LIST


def _write_neg(tree: Tree) -> tuple[Pieces, int]:
    return join("−", pieces(tree, OPEN)), SUM


def _write_power(base: Tree, exponent: Tree) -> tuple[Pieces, int]:
    head = base.parts[0] if base.sign == "apply" and exponent.sign == "number" else base
    if head is not base and head.sign == "name" and head.parts[0] not in (*BIG, *TIGHT):
        return _write_apply(Tree("power", (head, exponent)), base.parts[1])  # tanh² x
    if base.sign == "mark" and base.parts[1] == "ᵀ" and write(exponent) == "−1":
        return _write_mark(base.parts[0], "⁻ᵀ")
    root, flat = pieces(base, ATOM), [piece.replace(" ", "") for piece in pieces(exponent)]
    if re.search(rf"#\d+$|[{''.join(LOWERED)}]$", "".join(root)):  # w#2, or a name such as x²
        root = join("(", root, ")")
    short = all(len(name.rstrip("′")) == 1 for name in names_in(exponent))  # t2 would be read as t²
    if short and all(letter in RAISED for piece in flat for letter in piece):
        raised = tuple("".join(RAISED[letter] for letter in piece) for piece in flat)
        return join(root, raised if any(names_in(exponent)) else "".join(raised)), POWER
    return join(root, "^", pieces(exponent, ATOM)), POWER


def _write_mark(base: Tree, mark: str) -> tuple[Pieces, int]:
    if mark == "ᵀ" and base.sign == "power" and write(base.parts[1]) == "−1":
        return _write_mark(base.parts[0], "⁻ᵀ")
    if mark == "ᵀ" and base.sign == "name" and (whole := transpose_of(base.parts[0])):
        return pieces(name(whole), ATOM), ATOM
    if mark[0] == ".":  # x.shape is no value of x
        return (write(base, ATOM) + mark,), ATOM
    return join(pieces(base, ATOM), mark), POWER if mark[-1] in "ᵀᴴ⁺" else ATOM


def _write_sub(base: Tree, letters: str) -> tuple[Pieces, int]:
    return join(pieces(base, ATOM), letters), ATOM


def _write_index(base: Tree, *items: Tree) -> tuple[Pieces, int]:
    return join(pieces(base, ATOM), _write_places(items)), ATOM


def _write_keyword(key: str, value: Tree) -> tuple[Pieces, int]:
    return join(f"{key}=", pieces(value)), ATOM


def _write_call(function: Tree, *items: Tree) -> tuple[Pieces, int]:
    return _write_row_of(items, f"{write(function, POWER)}(", ")"), ATOM


def _write_tight(factor: Tree, tree: Tree) -> tuple[Pieces, int]:
    """Write a product without a sign where it is readable: `2x`, but `2 · root`."""
    text = write(tree, POWER)
    tight = len(text) - (text[-1] in LOWERED) == 1
    product = join(pieces(factor), pieces(tree, POWER)), PRODUCT
    return product if tight else _write_infix("·", factor, tree)


def _write_apply(function: Tree, tree: Tree) -> tuple[Pieces, int]:
    """Write a function with its argument: `tanh x`, `tanh(x + 1)`, `√x`, `Σ x · y`."""
    head = write(function, POWER)
    if head in TIGHT:
        return join(head, pieces(tree, ATOM)), PREFIX
    if head in BIG:
        is_quotient = tree.sign == "name" and "÷" in outer_signs(tree.parts[0])
        return join(f"{head} ", pieces(tree, ATOM if is_quotient else OPEN)), OPEN
    if tree.sign == "apply" and function.sign != "number":
        return join(f"{head} ", pieces(tree)), PREFIX
    is_named_call = tree.sign == "call" and len(write(tree.parts[0])) > 1
    starts_bracket = tree.sign == "name" and tree.parts[0][:1] == "("  # (a + b)#2
    if (is_named_call or starts_bracket) and function.sign == "name":
        return join(f"{head}(", pieces(tree), ")"), PREFIX
    made = pieces(tree, POWER)
    beside = made[0][:1] == "(" and _write_tree(tree)[1] < POWER
    beside = beside and function.sign in ("name", "power")
    start = pieces(function) if function.sign == "number" else head  # 0.9 v
    return join(start, "" if beside else " ", made), PREFIX


TRANSPOSED = re.compile(r"(.+)(?:ᵀ|\.t\(\))(?:#\d+)?")  # names of transposed matrices

_WRITERS: dict[str, Callable[..., tuple[Pieces, int]]] = {
    "row": _write_row, "name": _write_name, "number": _write_number, "neg": _write_neg,
    "power": _write_power, "mark": _write_mark, "keyword": _write_keyword, "sub": _write_sub,
    "index": _write_index, "call": _write_call, "tight": _write_tight, "apply": _write_apply,
}  # fmt: skip


def chain(sign: str, trees: Iterable[Tree]) -> Tree:
    """Join trees by a sign."""
    return reduce(lambda one, other: Tree(sign, (one, other)), trees)


def subscript(number: int) -> str:
    """Return a number as a subscript: ₁, ₁₂."""
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))


def is_constant(tree: Tree) -> bool:
    """Return whether a tree is a constant: a number or a Greek letter."""
    head = tree.parts[0] if tree.sign == "neg" else tree
    return head.sign == "number" or (head.sign == "name" and "α" <= head.parts[0] <= "ω")


@lru_cache(maxsize=4096)
def outer_signs(text: str) -> tuple[str, ...]:
    """Return the signs of a name outside of brackets: `+` of `f(x × y) + z`."""
    outer, depth = "", 0
    for letter in text:
        depth -= letter in ")]"
        outer += "" if depth else letter
        depth += letter in "(["
    return tuple(outer.split(" ")[1::2])


def binding_level(text: str) -> int:
    """Return how tightly a name binds: `a + b` like a sum, `x @ w` like a product, `f(x)` most."""
    levels = [NAME_LEVELS.get(sign, LOGIC) for sign in outer_signs(text)]
    return min([*levels, SUM if text[:1] == "−" else ATOM])


def is_composite(text: str) -> bool:
    """Return whether a name is a formula that needs parentheses: `x × y`, `−x`; not `f(x)`."""
    return binding_level(text) < ATOM


def transpose_of(called: str) -> str:
    """Return the name of the matrix whose transpose has this name, or "".

    >>> transpose_of("wᵀ#2"), transpose_of("(a + b).t()"), transpose_of("a @ wᵀ")
    ('w', '(a + b)', '')
    """
    found = None if is_composite(called) else TRANSPOSED.fullmatch(called)
    return found[1] if found else ""


# ----- reading -----------------------------------------------------------------------------------

LETTER = "A-Za-z_Α-ω"
TOKENS = (  # compiled by the first formula
    rf"(?P<slice>-?\d*:[-\d:]*|(?<=[\[ ])-\d+(?=[,\]]))|(?P<number>\d+(?:\.\d+)?(?:e[-−+]?\d+)?|½)"
    rf"|(?P<word>[{LETTER}](?:[{LETTER}0-9′\u0300-\u036f])*)"
    r'|(?P<quoted>"[^"]*")'
    r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾ˣʸᶻⁿᵏᵖᵗᵀᴴ′]+)|(?P<sub>[₀-₉₊₋ᵢⱼₖₙₛᵣₜ]+)"
    r"|(?P<sign>==|\+=|<<|>>|∗ᵀ|\.\.\.|\S)"
)
SIGNS = [{sign for sign in LEVELS if LEVELS[sign] == level} for level in range(ATOM)]
SIGNS[RELATION].add("=")


@lru_cache(maxsize=4096)
def read(formula: str) -> Tree:
    """Read a formula, as records write it, into a tree."""
    reader = Reader(formula)
    tree = reader.tree(LIST)
    while reader.at < len(reader.tokens):  # a user's rule may have several formulas
        tree = Tree("row", (tree, reader.tree(LIST)))
    return tree


class Reader:
    """Reader of formulas by precedence: `tree(level)` reads signs that bind at least as tightly."""

    def __init__(self, formula: str) -> None:
        self.tokens = [
            (m.lastgroup, m.group(), m.start(), m.end()) for m in re.finditer(TOKENS, formula)
        ]
        self.at = 0

    @property
    def kind(self) -> str:
        return str(self.tokens[self.at][0]) if self.at < len(self.tokens) else ""

    @property
    def text(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def has_space_before(self, at: int) -> bool:
        """Return whether there is a space before a token."""
        return 0 < at < len(self.tokens) and self.tokens[at][2] > self.tokens[at - 1][3]

    def take(self) -> str:
        text = self.text
        self.at += 1
        return text

    def tree(self, level: int, first: Tree | None = None) -> Tree:
        """Read the longest tree whose signs bind at least as tightly as `level`."""
        if level in (OPEN, PREFIX):
            return self.prefix() if level == PREFIX else self.tree(PRODUCT, first)
        if level == DEFINITION:  # the first = defines, the others compare
            tree = self.tree(BITS, first)
            tree = tree if self.text in SIGNS[DEFINITION] else self.tree(LOGIC, tree)
        elif level == BITS and first:
            tree = first
        elif level == SUM and self.text in ("−", "-"):
            self.take()
            tree = Tree("neg", (self.tree(PRODUCT),))
        else:
            tree = self.tree(level + 1, first)
        while self.text in SIGNS[level] and self.is_binary():
            sign = self.take()
            sign = " = " if sign == "=" and level == RELATION else sign
            tree = Tree(sign, (tree, self.tree(level + 1)))
        return tree

    def is_binary(self) -> bool:
        """Return whether a sign is binary: `|` is binary with spaces on both sides."""
        return self.text != "|" or (
            self.has_space_before(self.at) and self.has_space_before(self.at + 1)
        )

    def prefix(self) -> Tree:
        if self.text in ("−", "-"):
            self.take()
            return Tree("neg", (self.prefix(),))
        if self.text in TIGHT:
            return Tree("apply", (name(self.take()), self.atom()))
        tree = self.atom()
        if self.has_space_before(self.at) and self.starts_operand():
            big = tree.sign in ("name", "sub") and write(tree) in BIG
            return Tree("apply", (tree, self.tree(PRODUCT) if big else self.prefix()))
        return tree

    def starts_operand(self) -> bool:
        """Return whether an operand begins here."""
        if self.text in ("|", "~"):
            return not self.has_space_before(self.at + 1)
        if self.kind == "sign":
            return self.text in (*PAIRS, *TIGHT) or self.text in "…∫"
        return self.text not in LEVELS and self.kind in ("word", "number", "slice")

    def atom(self) -> Tree:
        kind, text = self.kind, self.take()
        if text in PAIRS and kind == "sign":
            items = self.items(PAIRS[text][1])
            tree = items[0] if text == "(" and len(items) == 1 else Tree(PAIRS[text], items)
        else:
            text = text.replace("e+0", "e+") if kind == "number" else text
            tree = Tree("number" if kind == "number" else "name", (text,))
        while self.at < len(self.tokens) and not self.has_space_before(self.at):
            after = self.postfix(tree)
            if after is None:
                break
            tree = after
        return tree

    def postfix(self, tree: Tree) -> Tree | None:
        kind, text = self.kind, self.text
        if kind == "raised":
            self.take()
            if set(text) - {"⁻", *LOWERED} or "⁽" in text:
                return Tree("mark", (tree, text))
            lower = "".join(LOWERED[letter] for letter in text)
            return Tree("power", (tree, read(lower[:1] + lower[1:].replace("−", " − "))))
        if kind == "sub":
            return Tree("sub", (tree, self.take()))
        if text == "." and kind == "sign":
            self.take()
            return Tree("mark", (tree, "." + self.take()))
        if text == "^":
            self.take()
            if self.text in ("−", "-"):
                self.take()
                return Tree("power", (tree, Tree("neg", (self.atom(),))))
            return Tree("power", (tree, self.atom()))
        if tree.sign == "number":
            return Tree("tight", (tree, self.atom())) if kind == "word" else None
        if text == "=" and kind == "sign" and not self.has_space_before(self.at + 1):
            self.take()
            return Tree("keyword", (tree.parts[0], self.tree(LOGIC)))
        if text in ("(", "["):
            self.take()
            sign = "call" if text == "(" else "index"
            return Tree(sign, (tree, *self.items(PAIRS[text][1])))
        return None

    def items(self, end: str) -> tuple[Tree, ...]:
        found = []
        while self.text not in ("", end):
            found.append(self.tree(CHOICE))
            if self.text == ",":
                self.take()
        self.take()
        return tuple(found)


# ----- trees -------------------------------------------------------------------------------------


def rename(tree: Tree, names: Mapping[str, Tree]) -> Tree:
    """Replace names in a tree by trees, all at once; names of functions stay."""
    sign, parts = tree
    if sign == "name":
        return names.get(parts[0], tree)
    if sign == "sub" and parts[0].sign == "name" and parts[0].parts[0] + parts[1] in names:
        return names[parts[0].parts[0] + parts[1]]  # an item of a list
    kept = 1 if is_function(tree) else 0
    changed = (rename(part, names) if isinstance(part, Tree) else part for part in parts[kept:])
    return Tree(sign, (*parts[:kept], *changed))


def is_function(tree: Tree) -> bool:
    """Return whether a tree begins with the name of a function or its power: `tan² x`."""
    head = tree.parts[0] if tree.sign in ("call", "apply") else None
    while isinstance(head, Tree) and head.sign in ("power", "mark", "sub"):
        head = head.parts[0] if str(head.parts[1])[0] != "." else None
    return isinstance(head, Tree) and head.sign == "name"


def names_in(tree: Tree) -> Iterator[str]:
    """Yield the names that may denote tensors, with repetitions."""
    if tree.sign == "name":
        yield tree.parts[0]
    for part in tree.parts[1 if is_function(tree) else 0 :]:
        if isinstance(part, Tree):
            yield from names_in(part)


def clauses(tree: Tree) -> list[Tree]:
    """Split a formula at its commas: `dx = dz`, `dy = dz`."""
    if tree.sign == ",":
        return [*clauses(tree.parts[0]), *clauses(tree.parts[1])]
    return [tree]


def subtrees(tree: Tree) -> Iterator[Tree]:
    """Yield all subtrees except numbers, with repetitions, the whole tree first."""
    if tree.sign != "number":
        yield tree
    for part in tree.parts[1 if is_function(tree) else 0 :]:
        if isinstance(part, Tree):
            yield from subtrees(part)


def replace_subtree(tree: Tree, old: Tree, new: Tree) -> Tree:
    """Replace a subtree wherever it occurs."""
    if tree == old:
        return new
    parts = (replace_subtree(p, old, new) if isinstance(p, Tree) else p for p in tree.parts)
    return Tree(tree.sign, tuple(parts))
