"""A page renders messages, their numbers, units and scales as Python does."""

import random
from itertools import cycle
from typing import Any

import pytest

from docs.catalogue import templates
from minipaddle.messages import Message, Row, Text, languages
from minipaddle.messages.message import parsed
from viz.facts.costs import BY, with_unit
from viz.facts.magnitude import scale_of
from viz.player.messages import encode
from viz.player.payload import scale_entry
from viz.story.sentences.wording import Constant, Equals, Exponent, Figure, Mention, Odd, digits

from .composing import evaluated

PROGRAM = """
import { readFileSync } from "node:fs";
const [{ renderMessage }, { digitsOf }] = await Promise.all(
  ["message", "numbers"].map((name) => import(`file://${process.argv[1]}/${name}.js`)));
const { langs, messages, numbers } = JSON.parse(readFileSync(0, "utf8"));
const number = (at, count) => digitsOf(numbers[at], count);
const read = { number, constant: (digits) => digits, odd: ({ count }) => count };
console.log(JSON.stringify({
  texts: messages.map((each) => langs.map((lang) => renderMessage(each, lang, read))),
  numbers: numbers.map((each) => digitsOf(each)),
}));
"""
LOSS = {"shape": [], "data": 0.25}
HELD = cycle(
    [
        "x", "−y", "空", "[2, 3]", "“× 2”", "a…", "（x）", "", Constant("0.5"),
        Exponent("2"), Exponent("3", 1), Exponent("−0.5"), Exponent("1e−5", 1),
        Equals("×", (Constant("1.5"), "2", "3")), Equals("÷", ("1", Figure("0.25", LOSS), "−3")),
        Mention("loss", LOSS), Odd("NaN", LOSS, 2),
        Figure("0.25", LOSS), Message("nothing"), Row(["x", Message("nothing"), "y"]),
        Text("{x}: {y}", "{x}：{y}").fill(x="w", y=Row(["空"])),
    ]
)  # fmt: skip
COUNTS = cycle([1, 2, 0, Row(["x"]), Row(["x", "y"])])


def samples() -> list[Message]:
    """Every template of the catalogue, three times, with something in its slots."""
    found = []
    for entry in list(templates()) * 3:
        if not entry.id:
            continue
        make = Message(str(entry.id))
        if entry.context:
            make = Message.in_context(entry.context, str(entry.id))
        parts = [part for lang in languages() for part in parsed(make.template_in(lang))]
        plain = {name: next(HELD) for _, name, spec in parts if name and "!" not in spec}
        quoted = {name: "x" for _, name, spec in parts if "!" in spec or spec[:1] in (",", ".")}
        counted = {name: next(COUNTS) for _, name, spec in parts if "|" in spec}
        if not (quoted or "{{" in make.template):
            found.append(make.fill(**{**plain, **counted}))
    return found


def test_a_page_renders_messages_as_python_does(pytestconfig: pytest.Config) -> None:
    some = random.Random(5)
    numbers: list[Any] = [0.25, True, False, 0.0, -0.0, 1e-5, 99995, 0.1, 123456789, "nan", "-inf"]
    numbers += [some.uniform(-1, 1) * 10 ** some.uniform(-12, 12) for _ in range(4000)]
    numbers += [k / 16 for k in range(-4000, 4000)]  # every fifth digit is a tie
    messages = samples()
    assert len(messages) > 1000
    shown = [encode(each, lambda _: 0) for each in messages]
    asked = {"langs": languages(), "messages": shown, "numbers": numbers}
    found = evaluated(pytestconfig, PROGRAM, asked)
    for message, texts in zip(messages, found["texts"], strict=True):
        assert texts == [message.of(lang) for lang in languages()], message.template
    wanted = [digits(float(n) if isinstance(n, str) else n) for n in numbers]
    assert found["numbers"] == wanted


# ----- Units and scales --------------------------------------------------------------------------


UNITS = """
import { readFileSync } from "node:fs";
const [{ costText }, { scaleOf }] = await Promise.all(
  ["units", "colour"].map((name) => import(`file://${process.argv[1]}/${name}.js`)));
const { amounts, sets } = JSON.parse(readFileSync(0, "utf8"));
const texts = Object.entries(amounts).map(([by, some]) => [by, some.map((x) => costText(by, x))]);
console.log(JSON.stringify({ texts: Object.fromEntries(texts), scales: sets.map(scaleOf) }));
"""


def test_pages_write_amounts_and_scales_as_pictures_do(pytestconfig: pytest.Config) -> None:
    numbers = random.Random(7)
    whole = [round(10 ** numbers.uniform(0, 14)) for _ in range(800)]
    ties = [k * step for k in range(1, 300) for step in (5, 125, 128, 256)]
    parts = [10 ** numbers.uniform(-1, 13) for _ in range(800)]
    edges = [k * 10**power for k in (9.994, 9.995, 99.94, 99.95, 999.4, 999.6) for power in (0, 3)]
    amounts = {by: [*whole, *ties, *parts, *edges] for by in BY}
    sets = [numbers.sample(whole + parts, count) for count in (1, 2, 7, 19, 20, 21, 60, 200)]
    found = evaluated(pytestconfig, UNITS, {"amounts": amounts, "sets": sets})
    for by, some in amounts.items():
        wanted = [with_unit(by, float(amount)) for amount in some]
        assert [pair for pair in zip(some, found["texts"][by], wanted, strict=True)
                if pair[1] != pair[2]] == []  # fmt: skip
    for sizes, entry in zip(sets, found["scales"], strict=True):
        scale = scale_of(float(size) for size in sizes)
        assert scale is not None
        assert entry == scale_entry(scale)
