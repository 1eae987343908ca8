"""A rule's formula with the names of the user's own tensors: `dx = dy / n` as `dz = dloss / 6`.

Rules speak of x, y and z, or of logits and loss, which the user may well have given to other
things. So all are replaced at once, and none is left: a tensor without a name is called by what
made it, `x @ W`, and where that is long the result of the op is called `output`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod

from ..document.distinct_names import is_composite
from .op_facts import OpFacts
from .sentences.wording import Things, d, length

LONGEST = 72  # letters of a formula in which the result has a long name
LONG_NAME = 24  # letters of a name that is long
LONGEST_CALL = 40  # letters of a call as Python writes it
RESULT = ("output", "result", "made")  # what a result is called that has no short name
LIST = ("input", "operand")  # what the tensors of a list are called: inputᵢ
RAISED = dict(zip("ˣʸᶻⁿ⁻¹²³", "xyzn−123", strict=True))
TOKEN = re.compile(r"[⁻¹²³]*[ˣʸᶻⁿ][ˣʸᶻⁿ⁻¹²³]*|[A-Za-z_]+(?![A-Za-z_\u0300-\u036f])")  # x, but not x̂
POWERS = tuple("⁻¹²³ˣʸᶻⁿ^")
OPENING, CLOSING = "([|⌊⌈", ")]|⌋⌉"

GRADIENTS = re.compile(r", (?=d\w+ = )")  # between those of two tensors
LEFT = re.compile(r"[a-z]+(?=ᵢ?(\[\w+\])? [=~])")  # what a formula defines


# ----- of a call ---------------------------------------------------------------------------------


def of_op(op: OpFacts, inputs: Things, outputs: Things, others: Collection[str] = ()) -> str:
    """What the op computes, in the names of what went in and came out; `others` are taken too."""
    if op.changes:
        return op.written
    formula = fill_count(op.formula, inputs, outputs)
    return name_result(formula, tokens_of(op, inputs, outputs), results_of(op), others)


def of_gradients(
    op: OpFacts,
    inputs: Things,
    outputs: Things,
    missing: Iterable[int] = (),
    called: Callable[[str], str] = d,
    others: Collection[str] = (),
) -> str:
    """How its gradients follow; not those of the inputs, by number, that need none."""
    names = tokens_of(op, inputs, outputs)
    names |= {f"d{token}": called(name) for token, name in names.items()}
    nobody = {f"d{op.inputs[i]}" for i in missing if i < len(op.inputs)}
    text = leave_out(fill_count(op.grad_formula, inputs, outputs), nobody)
    return name_gradients(text, names, results_of(op), others)


def written_out(op: OpFacts, inputs: Things) -> OpFacts:
    """A call that is written as no function, `x[i]`, in the names of what went in: `h[idx]`."""
    if not op.written:
        return op
    operands = [thing.called if thing else "None" for thing in inputs]
    text, names = with_operands(op, operands), dict(zip(op.inputs, operands, strict=False))
    short = text if length(text) <= LONGEST_CALL else replace_tokens(op.symbol, names)
    return replace(op, title=short, label=short, written=text, symbol=short)


def with_operands(op: OpFacts, operands: Sequence[str]) -> str:
    """The call as Python writes it, with these operands."""
    names = dict(zip(op.inputs, operands, strict=False))
    place, equals, value = op.written.partition("= ")
    return replace_tokens(place, names) + equals + names.get(value, value)


def tokens_of(op: OpFacts, inputs: Things, outputs: Things) -> dict[str, str]:
    """Which name stands for which token of the op's formulas."""
    pairs = list(zip(op.inputs, inputs, strict=True)) if len(op.inputs) == len(inputs) else []
    if pairs and "x" not in op.inputs:  # Paddle calls it input, or arr
        pairs.insert(0, ("x", inputs[0]))
    if 0 < len(outputs) <= len(op.outputs):  # no gradient arrives for integers, the last ones
        pairs += zip(op.outputs, outputs, strict=False)
        left = LEFT.match(op.formula)
        if left and left.group() not in (*op.outputs, *op.inputs):
            pairs.append((left.group(), outputs[0]))
    return {token: thing.called for token, thing in pairs if thing is not None}


def results_of(op: OpFacts) -> set[str]:
    """Which tokens stand for what the op gives."""
    left = LEFT.match(op.formula)
    return {*op.outputs, *([left.group()] if left else [])} - set(op.inputs)


def fill_count(formula: str, inputs: Things, outputs: Things) -> str:
    """The formula with the number of elements that become one, where it speaks of n."""
    shapes = [thing.shape for thing in (*inputs[:1], *outputs[:1]) if thing]
    sizes = [prod(shape) for shape in shapes if shape is not None and min(shape, default=1) > 0]
    if not inputs or len(sizes) < 2:
        return formula
    return replace_tokens(formula, {"n": str(sizes[0] // sizes[1])})


# ----- of any names ------------------------------------------------------------------------------


def name_gradients(
    formula: str, names: Mapping[str, str], result: Collection[str], others: Collection[str] = ()
) -> str:
    """The formula of gradients with names for its tokens: {"x": "z", "dx": "dz"}.

    `result` are the tokens of the op's outputs. Gradients of one tensor are added: `dx = y + y`.
    """
    words = dict(names) | words_for_lists(formula, names, result, others)
    inputs = {words[token] for token in words.keys() - set(result) if token[0] != "d"}
    parts = gradients_with(formula, words)
    long = [token for token in result if is_long(words.get(token, ""), parts)]
    same = [token for token in result if words.get(token) in inputs]
    if long or same:
        word = free_word(RESULT, [*words.values(), *others])
        called = dict.fromkeys([*long, *same], word)
        called |= {f"d{token}": f"d({word})" for token in called}
        parts = gradients_with(formula, words | called)
    return ", ".join(parts)


def gradients_with(formula: str, words: Mapping[str, str]) -> list[str]:
    """The gradient of each tensor, with words for tokens; what one gets several times is added."""
    sums: dict[str, list[str]] = {}
    for part in GRADIENTS.split(formula):
        left, equals, right = (replace_tokens(side, words) for side in part.partition(" = "))
        sums.setdefault(left + equals, []).append(right)
    return [left + " + ".join(rights) for left, rights in sums.items()]


def name_result(
    formula: str, names: Mapping[str, str], result: Collection[str], others: Collection[str] = ()
) -> str:
    """The formula of a result; only its right side where the left would say the same, `y · y`."""
    words = dict(names) | words_for_lists(formula, names, result, others)
    left, equals, right = formula.partition(" = ")
    name = words.get(left.removesuffix("ᵢ"), "")
    body, text = replace_tokens(right, words), replace_tokens(formula, words)
    if is_composite(name) or plain(name) == plain(body) or is_long(name, [text]):
        return body
    operands = {words[token] for token in tokens(right) if token in words}
    if equals and name in operands:  # x = x + 1, changed in place
        word = free_word(RESULT, [*words.values(), *others])
        return replace_tokens(formula, words | dict.fromkeys(result, word))
    return text


def words_for_lists(
    formula: str, names: Mapping[str, str], result: Collection[str], others: Collection[str]
) -> dict[str, str]:
    """Words for the letters that have no name, because they stand for the tensors of a list."""
    missing = {letter for letter in letters(formula) if letter not in names}
    taken = [*names.values(), *others]
    words: dict[str, str] = {}
    for letter in sorted(missing):
        made = letter in result or letter != "x"
        word = free_word(RESULT if made else LIST, taken)
        words |= {letter: word, f"d{letter}": f"d{word}"}
    return words


def free_word(words: Sequence[str], taken: Collection[str]) -> str:
    """The first word that the user has not given to anything."""
    busy = " ".join(taken)
    return next((word for word in words if not re.search(rf"\b{word}\b", busy)), words[-1])


def is_long(name: str, parts: Sequence[str]) -> bool:
    """Whether the name of a result is left out of formulas, so that these can be read."""
    return length(name) > LONG_NAME and max(map(length, parts), default=0) > LONGEST


def leave_out(formula: str, missing: Iterable[str]) -> str:
    """The formula without the gradients that are not needed."""
    parts = GRADIENTS.split(formula)
    kept = [part for part in parts if part.partition(" = ")[0] not in missing]
    return ", ".join(kept or parts)


def letters(formula: str) -> set[str]:
    """Which of x, y and z a formula speaks of, or of whose gradients."""
    return {token[-1] for token in tokens(formula) if re.fullmatch("d?[xyz]", token)}


def plain(text: str) -> str:
    """A formula without what may be written one way or the other."""
    return re.sub(r"[\s()]", "", text).replace("·", "×")


@lru_cache(maxsize=4096)
def tokens(formula: str) -> frozenset[str]:
    """The words and letters that may stand for tensors, raised ones included."""
    words: set[str] = set()
    for match in TOKEN.finditer(formula):
        if match.group()[0] in RAISED:
            words |= {RAISED[letter] for letter in match.group() if RAISED[letter].isalpha()}
        elif not is_function(match):
            words.add(match.group())
    return frozenset(words)


def is_function(match: re.Match[str]) -> bool:
    """`max` in `max(x, y)`."""
    return match.string[match.end() : match.end() + 1] == "("


def replace_tokens(formula: str, names: Mapping[str, str]) -> str:
    """All tokens at once: a name that comes in is never read as a token again."""
    return replaced(formula, tuple(names.items()))


@lru_cache(maxsize=10_000)
def replaced(formula: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """The same, remembered: each round of a training has the formulas of the one before."""
    names = dict(pairs)

    def put(match: re.Match[str]) -> str:
        word = match.group()
        if word[0] in RAISED:
            return replace_raised(word, names)
        if word not in names or is_function(match):
            return word
        name = names[word]
        if not name.isidentifier() and needs_brackets(name, match):
            name = f"({name})"
        times = formula[: match.start()][-1:].isdigit() and len(name) > 1
        return f" · {name}" if times else name

    return TOKEN.sub(put, formula)


def needs_brackets(name: str, match: re.Match[str]) -> bool:
    """`x × y` does unless they are there, and `x#2` does before a power."""
    if is_composite(name):
        return not is_enclosed(match)
    return "#" in name and match.string[match.end() : match.end() + 1] in POWERS


def is_enclosed(match: re.Match[str]) -> bool:
    """Whether brackets or commas already stand around a token."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    opened = not before or before[-1] in OPENING or before.endswith(", ")
    return opened and (not after or after[0] in CLOSING or after[0] == ",")


def replace_raised(power: str, names: Mapping[str, str]) -> str:
    """`eˣ⁻ʸ` keeps its height unless a letter in it gets another name: then `e^(data − y)`."""
    flat = "".join(RAISED[letter] for letter in power)
    if all(names.get(letter, letter) == letter for letter in flat):
        return power
    text = replace_tokens(flat[:1] + flat[1:].replace("−", " − "), names)
    return f"^{text}" if text.isidentifier() else f"^({text})"
