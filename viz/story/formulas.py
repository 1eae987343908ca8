"""A rule's formula with the names of the user's own tensors: `dx = dy / n` as `dz = dloss / 6`.

Rules use names such as x, y, logits or loss, which may be other tensors of the user. All names in
the tree of a formula are replaced at once, and no letter is left: a tensor without a name is called
by its expression, `x @ W`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count, takewhile
from math import prod
from typing import Any, NamedTuple

from minipaddle.events import Seen
from minipaddle.ops.algebra import simplify
from minipaddle.ops.expression import (
    LEVELS,
    RELATION,
    Tree,
    chain,
    clauses,
    is_composite,
    name,
    names_in,
    number,
    pieces,
    read,
    rename,
    replace_subtree,
    subscript,
    subtrees,
    write,
)
from minipaddle.ops.symbols import Described, apply_op, forward_formula, gradient_formula

from ..document.distinct_names import base_of as base_of_name
from ..document.op_facts import OpFacts
from ..model import Formula, formula_text, operands
from .sentences.wording import Mention, Things, coded, d, length

LONGEST = 72  # letters of a formula above which repeated parts get letters
LONGEST_CALL = 40  # most letters of a call written in Python
RESULT = ("output", "result", "made")  # names of a result without a short name
LIST = ("input", "operand")  # names of the tensors in a list: inputᵢ
Trees = Mapping[int, Tree]  # tensor -> expression

DEFINES = ("=", "+=")
MORE = name("…")
FEW = 5  # most tensors of a list, or gradients, that a formula writes out
LISTS = ("list", "items")  # names of a list of numbers in the code
PARTS = "stuvqr"  # names of parts of a long formula
OWN = "tdEMPQ"  # letters that ops' records define in formulas
WORDS = (*RESULT, *LIST, *LISTS, *PARTS, *OWN)
Named = tuple[tuple[str, str], ...]
Tokens = frozenset[str]
Names = Mapping[str, str]  # token -> name
Words = Collection[str]
Known = tuple[tuple[str, int | str], ...]  # (token, number or an expression of it)
NO_PARTS = (",", "=", "keyword", "[]")  # signs of expressions that are no value
SHORT = 9  # letters below which a part gets no name
FILLED = ("full(", "ones(", "zeros(")  # names that say what a formula would
NEUTRAL = (("scale", 1), ("bias", 0), ("weights", 1))  # values of absent inputs
LETTER = re.compile("d?[xyz]$")
TURN = re.compile(r"#(\d+)")  # number of a name that stands for several values
WORD = re.compile(r"[^\W\d]\w*")
INDICES = {"i": "ᵢ", "j": "ⱼ", "k": "ₖ", "p": "ₚ", "m": "ₘ", "l": "ₗ", "r": "ᵣ"}
NUMERIC = re.compile(r"−?(?:inf|\d[\d.]*(?:e[−+]?\d+)?)")


class Need(NamedTuple):
    """Facts about the gradient of an input that its formula depends on.

    token: the letter of the input.
    """

    token: str
    is_needed: bool
    is_added: bool  # whether the tensor gets further gradients
    is_broadcast: bool  # whether the input was broadcast, so that the gradient is summed


Needs = tuple[Need, ...]


# ----- formulas of a call ------------------------------------------------------------------------


def of_op(
    op: OpFacts, inputs: Things, outputs: Things, others: Words = (), in_place: bool = False
) -> Formula:
    """Return an op's formula with its tensors' names; `others` are names that are taken, too."""
    if op.changes:
        return ((op.written,),) if op.written else ()
    made = outputs[0] if len(outputs) == 1 and not inputs else None
    if (made and (made.number or made.called.startswith(FILLED))) or not op.formula:
        return ()
    if is_misleading(op, inputs, outputs):
        return ()
    text, names = op.formula, tokens_of(op, inputs, outputs)
    if op.record and (ignored := ignored_label(op, inputs)):
        text = forward_formula(op.record, {**op.attrs, "negative": True})
        if ignored in names.values():  # a single label
            return ()
    facts = results_of(op), numbers_of(op, inputs, outputs), reserved_words(others), in_place
    return renumber_names(_result_formula, text, names, *facts)


def ignored_label(op: OpFacts, inputs: Things) -> str:
    """Return the negative label that has no class, if some labels of a loss are negative."""
    ignored = op.attrs.get("ignore_index", 0)
    label = inputs[1:2] if op.inputs[1:2] == ("label",) else inputs[:1]
    stats = label[0].value.get("stats", {}) if label and label[0] and label[0].value else {}
    return coded(ignored) if ignored < 0 and (stats.get("min") or 0) < 0 else ""


def spell_in_full(op: OpFacts, inputs: Things) -> str:
    """Return a call with all its arguments as the op's formula writes it: `roll(x, 1)`."""
    names = tokens_of(op, inputs, ())
    first, *rest = clauses(tree_of(op.formula or "y", numbers_of(op, inputs, ()), names))
    is_call = not rest and first.sign == "=" and first.parts[1].sign == "call"
    return formula_text(with_names(first.parts[1], names)) if is_call else ""


def same_shape(inputs: Things, outputs: Things) -> bool:
    return len({thing.shape for thing in (*inputs, *outputs) if thing}) == 1


def is_misleading(op: OpFacts, inputs: Things, outputs: Things) -> bool:
    """Return whether an op's formula would be wrong.

    `inf · [condition]` is NaN where the condition is 0, but the op does not compute that product. A
    sum over broadcast axes sums nothing if the shapes are equal.
    """
    if op.record and op.record.name == "sum_to":
        return same_shape(inputs, outputs)
    return " · [" in op.formula and any(
        thing and thing.called.endswith(("inf", "inf)")) for thing in inputs
    )


def renumber_names(make: Callable[..., Formula], text: str, names: Names, *facts: Any) -> Formula:
    """Return the formula that `make` returns for these names, with their numbers.

    `make`, which is cached, gets names that are numbered from 1. So y#7 and y#8 of a loop share one
    formula with y#1 and y#2.
    """
    numbers: dict[str, str] = {}

    def first_numbers(found: re.Match[str]) -> str:
        return f"#{numbers.setdefault(found[1], str(len(numbers) + 1))}"

    formula = make(text, tuple((x, TURN.sub(first_numbers, y)) for x, y in names.items()), *facts)
    own = {new: old for old, new in numbers.items() if new != old}
    if not own:
        return formula

    def own_numbers(found: re.Match[str]) -> str:
        return f"#{own.get(found[1], found[1])}"

    return tuple(
        tuple([TURN.sub(own_numbers, piece) if "#" in piece else piece for piece in clause])
        for clause in formula
    )


@lru_cache(maxsize=4096)  # rounds of a training have the same formulas
def _result_formula(
    text: str, named: Named, result: Tokens, known: Known, others: Tokens, in_place: bool
) -> Formula:
    names = dict(named)
    return name_result(tree_of(text, known, names), names, result, others, in_place)


def of_gradients(
    op: OpFacts,
    inputs: Things,
    outputs: Things,
    missing: Iterable[int] = (),
    shares: Collection[int] = (),
    called: Callable[[str], str] = d,
    others: Words = (),
    arrived: Sequence[bool] = (),
    computed: Sequence[str] = (),
    summed: bool = True,
) -> Formula:
    """Return the formula of an op's gradients, without inputs in `missing`, which need none.

    shares: inputs that get more gradients from elsewhere, so that gradients are added. arrived: for
    each output, whether a gradient arrived. computed: for each input, its gradient's own name, or
    "". summed: whether the gradients of broadcast inputs are summed, or left to later steps.
    """
    given, made = (list(map(meta_of, row)) for row in (inputs, outputs))
    text = gradient_formula(op.record, op.attrs, given, made, arrived) if op.record else ""
    if text == "dx = expand(dy)" and same_shape(inputs, outputs):
        text = "dx = dy"
    if text.endswith("one_hot(label))") and (ignored := ignored_label(op, inputs)):
        text += f" · [label ≠ {ignored}]"
    vectors = op.symbol == "multi_dot" and any(one and len(one[0]) < 2 for one in given)
    if not text or vectors or 'einsum(",' in text:  # no products of matrices, no factors
        return ()
    names = tokens_of(op, inputs, outputs)
    names |= {f"d{token}": called(text) for token, text in names.items()}
    if op.record and op.record.list_result:
        names |= {f"dy{subscript(i)}": "0" for i, there in enumerate(arrived, 1) if not there}
    gone = {*missing, *(i for i, thing in enumerate(inputs) if thing is None)}
    letters = list(op.inputs)
    if op.record and op.record.takes_list and len(letters) < len(inputs):
        last = letters.pop()
        letters += [f"{last}{subscript(i)}" for i in range(1, len(inputs) - len(letters) + 1)]
    names |= {f"d{token}": text for token, text in zip(letters, computed, strict=False) if text}
    wide = broadcast(op, inputs, outputs)
    if not summed and not {*range(len(inputs))} - gone - wide:
        return ()  # only gradients that the next steps sum
    gone |= set() if summed else wide
    needs = tuple(
        Need(token, i not in gone, i in shares, i in wide) for i, token in enumerate(letters)
    )
    if needs and op.record and "x" not in op.inputs and not op.record.takes_list:
        needs += (needs[0]._replace(token="x"),)  # Paddle's name is input or arr
    facts = results_of(op), numbers_of(op, inputs, outputs), reserved_words(others), needs
    return renumber_names(_gradients_formula, text, names, *facts)


@lru_cache(maxsize=4096)
def _gradients_formula(
    text: str, named: Named, result: Tokens, known: Known, others: Tokens, needs: Needs
) -> Formula:
    names = dict(named)
    letters = {token.rstrip("₀₁₂₃₄₅₆₇₈₉") for token in (*names, *(n.token for n in needs), "x")}
    parts = gradients_in(tree_of(text, known, names), letters)
    by_name = {f"d{need.token}": need for need in needs}
    gone = [name for name, need in by_name.items() if not need.is_needed]
    parts = [as_needed(part, by_name) for part in leave_out(parts, gone)]
    if len(parts) > FEW and len(needs) > 2:  # of a list
        parts = [*parts[:2], MORE, parts[-1]]
    return name_gradients(parts, names, result, others)


def as_needed(part: Tree, needs: Mapping[str, Need]) -> Tree:
    """Adapt the formula of one gradient to the needs of its input.

    It becomes `dx = Σ dy` for a broadcast input and `dx += dy` for an added gradient, and an added
    `dx = 0, dx[0] = dy` becomes `dx[0] += dy`.
    """
    first, *rest = clauses(part)
    if first.sign != "=":
        return part
    left, right = first.parts
    need = needs.get(write(left)) or needs.get(base_of(left))  # dx₁, or dx[0] of dx
    if need is None:
        return part
    if need.is_broadcast:
        first = Tree("=", (left, Tree("apply", (name("Σ"), right))))
    if need.is_added and rest and rest[0].sign in DEFINES and is_place(rest[0].parts[0]):
        if right == number(0):
            first, *rest = rest
        else:  # dx = dy, dx[0] = 0
            apart = [rename(each, {base_of(left): name("t")}) for each in (first, *rest)]
            first, rest = Tree("=", (left, name("t"))), apart
    sign = "+=" if need.is_added else "="
    return chain(",", [Tree(sign, first.parts), *rest])


def broadcast(op: OpFacts, inputs: Things, outputs: Things) -> set[int]:
    """Return the indices of inputs that were broadcast to the result's shape."""
    if not (op.record and op.record.broadcasts and outputs and outputs[0]):
        return set()
    made = outputs[0].shape
    known = [(i, thing.shape) for i, thing in enumerate(inputs) if thing]
    return {i for i, shape in known if None not in (shape, made) and shape != made}


def reserved_words(taken: Words) -> frozenset[str]:
    """Return those words and letters of formulas that are names of the user."""
    return frozenset(word for word in (*WORDS, *INDICES, "e") if word in taken)


def meta_of(thing: Mention | None) -> Described | None:
    """Return a tensor's shape and dtype, float32 if no dtype is recorded; None for no tensor."""
    if thing is None:
        return None
    return tuple(thing.shape or ()), str((thing.value or {}).get("dtype", "float32"))


def compose(
    op: OpFacts, seen: Sequence[Seen | None], things: Mapping[int, Mention | None], trees: Trees
) -> Tree | None:
    """Return a call's result as an expression of its inputs; None if an input has no name and no
    expression."""
    record, parts = op.record, list[Tree]()
    for each in filter(None, seen):
        thing = things.get(each.id)
        if each.id not in trees and not (thing and thing.name):
            return None
        parts.append(trees[each.id] if each.id in trees else name(thing.name if thing else ""))
    if record is None or not record.inputs:
        return None
    if record.takes_list:
        first = len(record.inputs) - 1
        parts[first:] = [Tree("[]", tuple(parts[first:]))]
    return apply_op(record, {key: x for key, x in op.attrs.items() if key != "rank"}, parts)


def of_backward(
    grads: Mapping[str, Tree | str], taken: Words, added: Collection[str] = ()
) -> Formula:
    """Return the formula of the gradients (name -> expression) that a user's backward returned;
    long ones in parts: `dx = p · (dp − s), s = Σ dp · p`. Those of `added` are parts of a sum."""
    signs = {called: "+=" if called in added else "=" for called in grads}
    all_clauses = [
        Tree(signs[called], (name(called), tree if isinstance(tree, Tree) else name(tree)))
        for called, tree in grads.items()
        if tree and called not in (names_in(tree) if isinstance(tree, Tree) else [tree])
    ]
    return in_parts(all_clauses, taken)


def in_parts(all_clauses: Sequence[Tree], taken: Words, twice: bool = False) -> Formula:
    """Return formulas in which long parts have a name, or () if they are too long even so; with
    `twice` only repeated parts have one, and no formula is too long."""
    letters = "".join(letter for letter in PARTS if letter not in taken)
    return _in_parts(chain(",", all_clauses), letters, twice) if all_clauses else ()


@lru_cache(maxsize=1024)
def _in_parts(tree: Tree, letters: str, twice: bool) -> Formula:
    longest, definitions = (1 + twice) * LONGEST, list[Tree]()
    used = {word for called in names_in(tree) for word in WORD.findall(called)}
    free = (letter for letter in letters if letter not in used)
    while length(write(tree)) > longest:
        sides = [each.parts[-1] for each in clauses(tree)]
        gain = Counter(each for each in subtrees(tree) if may_be_part(each) and each not in sides)
        best = max(gain, key=lambda each: worth(each, gain[each]), default=tree)
        letter = next(free, "")
        if best == tree or not letter or (twice and gain[best] < 2):
            if not twice and length(write(tree)) > 2 * longest:
                return ()
            break
        definitions.insert(0, Tree("=", (name(letter), best)))
        tree = replace_subtree(tree, best, name(letter))
    return write_clauses(results_first([*clauses(tree), *definitions]))


def results_first(all_clauses: Sequence[Tree]) -> Sequence[Tree]:
    """Return results, then what they use, each after its own parts: `y = x̂ · w, μ = …, x̂ = x − μ`.

    Places of a defined name, `t[0] = 1`, keep all clauses as they are.
    """
    parts = {part for each in all_clauses for part in subtrees(each.parts[1])}
    rest = [each for each in all_clauses if each.sign == "=" and each.parts[0] in parts]
    bases = {base_of(each.parts[0]) for each in rest} - {""}
    if any(is_place(each.parts[0]) and base_of(each.parts[0]) in bases for each in all_clauses):
        return all_clauses
    rows = [each for each in all_clauses if each not in rest]
    while rest:
        waiting = {each.parts[0] for each in rest}
        ready = (each for each in reversed(rest) if not waiting & {*subtrees(each.parts[1])})
        rows.append(next(ready, rest[0]))
        rest.remove(rows[-1])
    return rows


def write_clauses(all_clauses: Iterable[Tree]) -> Formula:
    """Write clauses, with an arrow where some elements get other values: `y = x, y[0] ← 1`."""
    rows, wholes = list[Tree](), set[str]()
    for each in all_clauses:
        left = each.parts[0] if each.sign == "=" else None
        if left and is_place(left) and base_of(left) in wholes:
            each = Tree("←", each.parts)
        elif left:
            wholes.add(write(left))
        rows.append(each)
    return tuple(map(pieces, rows))


def worth(tree: Tree, times: int) -> tuple[bool, bool, int]:
    """Return the rank of a part: repeated parts are highest, then long ones of at most a line."""
    size = length(write(tree))
    return times > 1, size < LONGEST, size


def may_be_part(tree: Tree) -> bool:
    """Return whether a part may get a name: it is a value, long, and no `d(…)`."""
    text = write(tree)
    return tree.sign not in NO_PARTS and length(text) >= SHORT and not text.startswith("d(")


def write_out(op: OpFacts, inputs: Things) -> OpFacts:
    """Return a call that is written without a function, `x[i]`, with inputs' names: `h[idx]`."""
    if not op.written:
        return op
    operands = [thing.called if thing else "None" for thing in inputs]
    names = dict(zip(op.inputs, operands, strict=False))
    text = short = formula_text(with_names(read(op.written), names))
    if length(text) > LONGEST_CALL:
        short = formula_text(with_names(read(op.symbol), names))
    return replace(op, title=short, label=short, written=text, symbol=short)


def tokens_of(op: OpFacts, inputs: Things, outputs: Things) -> dict[str, str]:
    """Return token -> name, for tokens of an op's formulas such as x, or x₁ in a list."""
    record = op.record
    takes_list = record and record.takes_list and len(inputs) >= len(record.inputs)
    if record and takes_list and (len(op.inputs) != len(inputs) or op.inputs == record.inputs):
        first = len(record.inputs) - 1
        each = [(subscript(i), thing) for i, thing in enumerate(inputs[first:], 1)]
        listed = [(f"{x}{sub}", thing) for x in (record.inputs[-1], "x") for sub, thing in each]
        pairs = [*zip(record.inputs, inputs[:first], strict=False), *listed]
    else:
        pairs = []
    pairs += list(zip(op.inputs, inputs, strict=True)) if len(op.inputs) == len(inputs) else []
    if len(op.inputs) == len(inputs) > 0 and "x" not in op.inputs:  # Paddle's name is input or arr
        pairs.insert(0, ("x", inputs[0]))
    if record and record.list_result:
        pairs += [(f"y{subscript(i)}", each) for i, each in enumerate(outputs, 1)]
    elif 0 < len(outputs) <= len(op.outputs):  # no gradient arrives for integers, the last ones
        pairs += zip(op.outputs, outputs, strict=False)
        pairs += [(left, outputs[0]) for left in results_of(op) - {*op.outputs}]
    return {token: thing.called for token, thing in pairs if thing is not None}


def results_of(op: OpFacts) -> frozenset[str]:
    """Return the tokens of an op's outputs."""
    return frozenset({*op.outputs, left_of(op.formula)} - {"", *op.inputs})


@lru_cache(maxsize=1024)
def left_of(formula: str) -> str:
    """Return the token that a formula defines first, or ""."""
    return target(clauses(read(formula))[0]) if formula else ""


def tree_of(text: str, known: Known, names: Words) -> Tree:
    """Return a formula of an op with its known numbers and all items of its lists."""
    tree = with_numbers(text, known)
    return write_lists(tree, names) if "…" in text else tree


def write_lists(tree: Tree, names: Words) -> Tree:
    """Return `[x₁, x₂, …]` or `x₁ @ … @ xₙ` with all of a list, or its first two and its last."""
    items = chain_operands(tree) if tree.sign in LEVELS else [*tree.parts]
    at = items.index(MORE) - 2 if MORE in items else -1
    found = numbered_items(items[at], names) if at >= 0 else []
    if not found:
        parts = (write_lists(p, names) if isinstance(p, Tree) else p for p in tree.parts)
        return Tree(tree.sign, tuple(parts))
    rest = [item for item in items if item.sign == "keyword"]
    items[at:] = [*(found if len(found) <= FEW else [*found[:2], MORE, found[-1]]), *rest]
    return chain(tree.sign, items) if tree.sign in LEVELS else Tree(tree.sign, tuple(items))


def chain_operands(tree: Tree) -> list[Tree]:
    """Return the operands of a chain of equal signs."""
    first, *rest = tree.parts
    return [*(chain_operands(first) if first.sign == tree.sign else [first]), *rest]


def numbered_items(tree: Tree, names: Words) -> list[Tree]:
    """Return a numbered item, x₁, and its successors, as far as they have names."""
    row = (renumber(tree, subscript(i)) for i in count(1))

    def has_name(one: Tree) -> bool:
        return any(part.sign == "sub" and write(part) in names for part in subtrees(one))

    return list(takewhile(has_name, row))


def renumber(tree: Tree, sub: str) -> Tree:
    parts = (
        renumber(p, sub) if isinstance(p, Tree) else sub if p == "₁" else p for p in tree.parts
    )
    return Tree(tree.sign, tuple(parts))


def numbers_of(op: OpFacts, inputs: Things, outputs: Things) -> Known:
    """Return values of an absent scale or bias, and of n: how many elements become one.

    Where a Program does not know a size yet, n is `numel(x)`, divided by that of the result.
    """
    given = dict(zip(op.inputs, inputs, strict=False))
    known = [pair for pair in NEUTRAL if given.get(pair[0], op) is None]
    shapes = [thing.shape for thing in (*inputs[:1], *outputs[:1]) if thing]
    if not inputs or len(shapes) < 2 or None in shapes:
        return (*known,)
    counts = [prod(shape) if min(shape or (1,)) > 0 else 0 for shape in shapes if shape is not None]
    if 0 not in counts:
        return (*known, ("n", counts[0] // counts[1]))
    whole, part = f"numel({op.inputs[0]})", f"numel({op.outputs[0]})"
    return (*known, ("n", whole if counts[1] == 1 else f"({whole} / {part})"))


@lru_cache(maxsize=1024)
def with_numbers(text: str, known: Known) -> Tree:
    """Return a formula with its known numbers, cached, since ops of one kind have equal ones."""
    formula = read(text)
    numbers = {t: read(value) if isinstance(value, str) else number(value) for t, value in known}
    used = numbers.keys() & {*names_in(formula)}
    return simplify(without_places(rename(formula, numbers)), lightly=True) if used else formula


# ----- formulas with given names -----------------------------------------------------------------


def name_gradients(
    groups: Sequence[Tree], names: Names, result: Words, others: Words = ()
) -> Formula:
    """Return the formula of gradients with names for its tokens: {"x": "z", "dx": "dz"}.

    `result` are the tokens of the op's outputs. Gradients of one tensor are added one by one:
    `dx += y, dx += y`.
    """
    groups = [without_clashes(group, names, others) for group in groups]
    words = dict(names) | words_for_lists(groups, names, result, others)
    words |= own_words(groups, words, others)
    inputs = {words[token] for token in words.keys() - set(result) if token[0] != "d"}
    parts = gradients_with(groups, words)
    same = [token for token in result if words.get(token) in inputs]
    if same:
        called = {token: f"new({words[token]})" for token in same}  # changed in place
        called |= {f"d{token}": f"d({word})" for token, word in called.items()}
        parts = gradients_with(groups, words | called)
    all_clauses = list[Tree]()
    for first, *rest in parts:
        all_clauses += [first, *(clause for clause in rest if clause not in all_clauses)]
    whole = write_clauses(all_clauses)
    is_long = length(formula_text(whole)) > 2 * LONGEST
    return (is_long and in_parts(all_clauses, others, twice=True)) or whole


def gradients_with(groups: Iterable[Tree], words: Names) -> list[list[Tree]]:
    """Return the clauses of each gradient, with words for tokens; several gradients of one tensor
    are added to it."""
    rows = [clauses(apply_names(group, words)) for group in groups]
    lefts = Counter(first.parts[0] for first, *_ in rows)
    return [
        [Tree("+=", first.parts) if lefts[first.parts[0]] > 1 else first, *rest]
        for first, *rest in rows
    ]


def name_result(
    formula: Tree, names: Names, result: Words, others: Words = (), in_place: bool = False
) -> Formula:
    """Return the formula of a result, without its left side if that says the same: `y · y`; of a
    tensor that is changed in place with an arrow: `w ← w − g`."""
    formula = without_clashes(formula, names, others)
    words = dict(names) | words_for_lists([formula], names, result, others)
    words |= own_words([formula], words, others)
    first, *rest = clauses(formula)
    whole = with_names(formula, words)
    if first.sign != "=":
        return whole
    token, right = base_of(first.parts[0]), chain(",", [first.parts[1], *rest])
    called, right_side = words.get(token, ""), with_names(right, words)
    body = formula_text(right_side)
    if body.endswith(")") and called.startswith(f"{body[:-1]}, "):  # called reshape(x, [2, 3])
        return ((called,),)
    if called.endswith(")") and body.startswith(f"{called[:-1]}, "):  # called flip(x)
        return right_side
    if is_composite(called) or without_signs(base_of_name(called)) == without_signs(body):
        return right_side
    if called in operands(with_names(right, words | {token: ""})):
        if in_place and first.parts[0].sign == "name":
            return with_names(chain(",", [Tree("←", first.parts), *rest]), words)
        if not rest:
            return right_side
        return with_names(formula, words | dict.fromkeys(result, f"new({called})"))
    return whole


def own_words(groups: Iterable[Tree], words: Names, others: Words) -> dict[str, str]:
    """Return words for letters that a formula defines, if the user has them for something else."""
    own = {target(clause) for group in groups for clause in clauses(group)[1:]} - words.keys()
    return {letter: f"{letter}′" for letter in own & {*words_in(words), *others}}


def words_in(names: Names) -> set[str]:
    """Return the words in names: `h` and `t` of `h[t=2]`."""
    return {*WORD.findall(" ".join(names.values()))}


def without_clashes(formula: Tree, names: Names, others: Words) -> Tree:
    """Return a formula whose indices have letters that are in no name, `x[k, i[k, j]]`, and with
    `exp(x)` for `eˣ` if the user has an e."""
    used = {*words_in(names), *others}
    own = {*names_in(formula)} | {a for part in subtrees(formula) for a in subscripts_of(part)}
    taken = [letter for letter in "ijk" if letter in used & own and letter not in names]
    free = [letter for letter in INDICES if letter not in used | own]
    letters = dict(zip(taken, free, strict=False))
    has_e = "e" in own and "e" in used and "e" not in names
    return with_letters(formula, letters, has_e) if letters or has_e else formula


def subscripts_of(tree: Tree) -> Iterator[str]:
    """Yield the letters of a subscript: i and j of xᵢⱼ."""
    letters = tree.parts[1] if tree.sign == "sub" else ""
    return (letter for letter, low in INDICES.items() if low in letters)


def with_letters(tree: Tree, letters: Names, has_e: bool) -> Tree:
    """Return a tree with other letters of indices, and `exp(x)` for eˣ if the user has an e."""
    parts = [with_letters(p, letters, has_e) if isinstance(p, Tree) else p for p in tree.parts]
    if tree.sign == "name":
        return name(letters.get(tree.parts[0], tree.parts[0]))
    if tree.sign == "sub":
        low = {ord(INDICES[old]): INDICES[new] for old, new in letters.items()}
        return Tree("sub", (parts[0], tree.parts[1].translate(low)))
    if has_e and tree.sign == "power" and parts[0] == name("e"):
        return Tree("call", (name("exp"), parts[1]))
    return Tree(tree.sign, tuple(parts))


def words_for_lists(
    formulas: Iterable[Tree], names: Names, result: Words, others: Words
) -> dict[str, str]:
    """Return words for letters without a name, which are tensors of a list."""
    missing = {token[-1] for tree in formulas for token in names_in(tree) if LETTER.match(token)}
    taken = [*names.values(), *others]
    words: dict[str, str] = {}
    for letter in sorted(missing - names.keys()):
        candidates = RESULT if letter in result or letter != "x" else LIST
        word = next((each for each in candidates if each not in taken), candidates[-1])
        words |= {letter: word, f"d{letter}": f"d{word}"}
    return words


def gradients_in(formula: Tree, inputs: Words) -> list[Tree]:
    """Return the parts of a formula, one for each gradient, with the definitions for it."""
    groups: list[list[Tree]] = []
    for clause in clauses(formula):
        called = target(clause)
        part = called and is_place(clause.parts[0])
        if not groups or (called[1:] in inputs and not (part and called == target(groups[-1][0]))):
            groups.append([])
        groups[-1].append(clause)
    return [chain(",", group) for group in groups]


def leave_out(groups: Sequence[Tree], missing: Iterable[str]) -> Sequence[Tree]:
    """Return the gradients without those in `missing`, but never none."""
    firsts = [clauses(group)[0].parts[0] for group in groups]
    named = [{base_of(left), write(left)} for left in firsts]
    pairs = zip(groups, named, strict=True)
    return [group for group, names in pairs if not names & {*missing}] or groups


def target(clause: Tree) -> str:
    """Return the name that a clause defines: x for `xᵢ = 1`, "" for `dx[i] += dy`."""
    return base_of(clause.parts[0]) if clause.sign in ("=", "~") else ""


def is_place(tree: Tree) -> bool:
    """Return whether an expression is a part of a tensor: `y[k]`, `yᵢᵢ`, but not y₁ of a list."""
    return tree.sign == "index" or (tree.sign == "sub" and tree.parts[1][-1] not in "₀₁₂₃₄₅₆₇₈₉")


def base_of(tree: Tree) -> str:
    """Return the name in an expression: y for `yᵢ` or `y[k]`, or ""."""
    while tree.sign in ("sub", "index"):
        tree = tree.parts[0]
    return tree.parts[0] if tree.sign == "name" else ""


def without_signs(text: str) -> str:
    """Return a formula in a form for comparison, without spaces and brackets."""
    return re.sub(r"[\s()]", "", text).replace("·", "×")


def leaf(word: str) -> Tree:
    """Return a tensor's name, or the number that it is called."""
    if not NUMERIC.fullmatch(word):
        return name(word)
    return read(word) if word.endswith("inf") else number(float(word.replace("−", "-")))


def with_names(tree: Tree, words: Names) -> Formula:
    """Return a formula with names for its tokens, cached, since rounds have the same formulas."""
    return _with_names(tree, tuple(words.items()))


@lru_cache(maxsize=10_000)
def _with_names(tree: Tree, pairs: tuple[tuple[str, str], ...]) -> Formula:
    return write_clauses(clauses(apply_names(tree, dict(pairs))))


def apply_names(tree: Tree, words: Names) -> Tree:
    """Return a formula with names for its tokens.

    Sums and products with numbers in place of names are worked out: `−ln σ(x)` for
    `x · (1 − 1) − ln σ(x)`. A list of numbers that is indexed or compared gets a name:
    `m[listᵢ], list = [2, 0]`.
    """
    used = {token: words[token] for token in {*names_in(tree)} & {*words}}
    told = (words.get(token, "") for token in lists_in(tree))
    lists = dict.fromkeys(word for word in told if word[:1] == "[" and word[-1] == "]")
    free = [word for word in LISTS if word not in words.values()]
    called = {each: name(short) for each, short in zip(lists, free, strict=False)}
    found = rename(tree, {x: called.get(word) or leaf(word) for x, word in words.items()})
    if any(map(NUMERIC.fullmatch, used.values())):
        found = simplify(without_places(found), lightly=True)
    more = [Tree("=", (short, name(each))) for each, short in called.items()]
    return chain(",", [*clauses(found), *more])


def lists_in(tree: Tree) -> Iterator[str]:
    """Yield the names of which a formula has elements, or which it compares."""
    whole = [each.parts[-1] for each in clauses(tree)]
    for part in subtrees(tree):
        is_compared = LEVELS.get(part.sign) == RELATION and part not in whole
        for each in part.parts if is_compared else part.parts[: part.sign in ("sub", "index")]:
            if each.sign == "name":
                yield each.parts[0]


def without_places(tree: Tree) -> Tree:
    """Return a formula in which numbers have no subscripts: `1` for 1ᵢⱼ or 1[k]."""
    whole = tree.parts[0] if tree.sign in ("sub", "index") else tree
    if tree.sign == "call" and tree.parts[0] == name("reshape"):
        whole = tree.parts[1]  # of a weight that is absent: reshape(1, shape(x))
    if whole is not tree and (whole.sign in ("number", "neg") or whole == name("inf")):
        return whole
    parts = (without_places(part) if isinstance(part, Tree) else part for part in tree.parts)
    return Tree(tree.sign, tuple(parts))
