"""Where in a sentence the claims stand: its names, with the shapes and numbers beside them.

A sentence is made of facts by a function of `viz.story.sentences`. Here that function is called
again with facts whose names wear marks. So the sentence shows what in it is a name, whatever the
words around it are, and may be worded anew without a change here. Without its marks it must be what
the story says; if it is not, nobody can read it, and that is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NamedTuple
from unittest.mock import patch

from minipaddle.messages import Message
from viz.document.history import Before
from viz.story.builder import Builder
from viz.story.draft import StepDraft
from viz.story.sentences import backward, programs
from viz.story.sentences.table import SENTENCES
from viz.story.sentences.wording import Pair, Thing
from viz.story.steps import Facts
from viz.trace import Step, Trace

OPEN, SHUT = "\x02", "\x03"
NAME = re.compile(f"{OPEN}([^{OPEN}{SHUT}]*){SHUT}")
BESIDE = re.compile(r" \[([\d?, ]*)\]| = (−?\d[\d.]*(?:e[−+]?\d+)?|nan|−?inf|True|False)\b")
JOINT = re.compile(" and | 和 |、")
SHAPE = re.compile(r"\[([\d?, ]*)\]")
NUMBER = re.compile(r"(?<![\w.])[−-]?\d[\d.,]*(?:e[−+]?\d+)?(?![\w])")

# Of these the functions ask what they are, to choose their words.
CHOICES = {
    "op", "symbol", "title", "written", "sign", "way", "when", "why", "mark", "what",
    "type", "role", "by", "kind", "error", "message",
}  # fmt: skip


class Mention(NamedTuple):
    """A name in a sentence, and the shape or the number that is said of it."""

    name: str
    shape: str | None = None
    number: str | None = None


@dataclass(frozen=True)
class Reading:
    """What one sentence says: its names in order, and the shapes and numbers without a name."""

    text: str
    names: tuple[Mention, ...]
    shapes: tuple[str, ...]
    numbers: tuple[str, ...]

    @property
    def claims(self) -> set[Any]:
        """What both languages must say, in whatever order and how often ever."""
        more = {mention.name for mention in self.names if mention != (mention.name, None, None)}
        names = {m._replace(name=JOINT.sub(", ", m.name)) for m in self.names
                 if m != (m.name, None, None) or m.name not in more}  # fmt: skip
        return names | {*self.shapes} | ({*self.numbers} - {"0", "1"})  # `zeros`, `1 over x`


@dataclass(frozen=True)
class Told:
    """One step of a story, and the facts that its sentence is made of."""

    facts: Any
    step: Step
    asides: tuple[tuple[str, str], ...] = ()

    def sentence(self, lang: str) -> str:
        """The sentence without those that say where NaN begins."""
        more = [aside[lang == "zh"] for aside in self.asides]
        text, end = self.step.text.of(lang), (" " if lang == "en" else "").join(["", *more])
        return text[: len(text) - len(end)] if end and text.endswith(end) else text


def told(trace: Trace) -> list[Told]:
    """The steps of a trace with their facts."""
    before = before_of(trace)
    builder = Builder(trace.sources, trace.names, trace.events, trace.layers)
    builder.walk(trace.events, before.given)
    builder.end(trace.cut, trace.ended)
    builder.story("", before.odd)
    drafts: list[StepDraft[Facts]] = builder.draft.steps
    rows = zip(drafts, trace.story.steps, strict=True)
    return [Told(draft.facts, step, tuple(draft.asides)) for draft, step in rows]


def before_of(trace: Trace) -> Before:
    """What a part of a recording was told with; of a whole one nothing was before."""
    entry = trace.document.get("before")
    return Before.of(entry) if entry else Before()


def read(one: Told, lang: str) -> Reading | str:
    """What the sentence of a step says, or why nobody can read it."""
    if type(one.facts) not in SENTENCES:
        return f"no sentence belongs to {type(one.facts).__name__}"
    chinese, said = lang == "zh", one.sentence(lang)

    def as_told(sentences: Iterable[Pair]) -> Pair:
        """Of sentences from which the room chooses the one that the story says."""
        pairs = list(sentences)
        return next((pair for pair in pairs if is_said(pair[chinese], said)), pairs[-1])

    with (
        patch.object(backward, "shortest_needed", as_told),
        patch.object(programs, "shortest_needed", as_told),
    ):
        worn = SENTENCES[type(one.facts)](marked(one.facts))[chinese]
    if not is_said(worn, said):
        return f"{said!r} is not what these facts say: {bare(worn)!r}"
    return reading_of(worn, choices_of(one.facts))


def is_said(worn: str, said: str) -> bool:
    """Whether a sentence with marks is this one; a mark may change the space beside Chinese."""
    return bare(worn).replace(" ", "") == said.replace(" ", "")


def bare(worn: str) -> str:
    """A sentence without its marks."""
    return worn.replace(OPEN, "").replace(SHUT, "")


def reading_of(worn: str, words: Iterable[str] = ()) -> Reading:
    """What a sentence with marks says; `words`: no shape or number stands in these."""
    names = []
    rest, at = "", 0
    for hole in NAME.finditer(worn):
        rest += worn[at : hole.start()]
        at = hole.end()
        beside = BESIDE.match(worn, at)
        at = beside.end() if beside else at
        names.append(Mention(hole[1], *(beside.groups() if beside else ())))
        rest += "·"
    rest += worn[at:]
    for word in sorted(words, key=len, reverse=True):
        rest = rest.replace(word, "·")
    shapes = tuple(SHAPE.findall(rest))
    numbers = tuple(text.rstrip(".,") for text in NUMBER.findall(SHAPE.sub("", rest)))
    return Reading(bare(worn), tuple(names), shapes, numbers)


# ----- facts that wear marks ---------------------------------------------------------------------


def marked(thing: Any, bare: frozenset[Any] = frozenset()) -> Any:
    """The same facts, with a mark before and behind each name that no choice depends on."""
    match thing:
        case str():
            return f"{OPEN}{thing}{SHUT}" if thing and thing not in bare else thing
        case Thing():
            if thing.called == thing.number:  # a constant, which has no other name
                return thing
            name, fallback = marked(thing.name, bare), marked(thing.fallback, bare)
            return replace(thing, name=name, fallback=fallback)
        case list():
            return [marked(item, bare) for item in thing]
        case Message():  # words, and no name
            return thing
        case tuple() if hasattr(thing, "_fields"):
            return type(thing)(**marks(thing._asdict(), bare))
        case tuple():
            return tuple(marked(item, bare) for item in thing)
    if is_dataclass(thing) and not isinstance(thing, type):
        given = {field.name: getattr(thing, field.name) for field in fields(thing)}
        return type(thing)(**marks(given, bare))
    return thing


def marks(given: dict[str, Any], bare: frozenset[Any]) -> dict[str, Any]:
    """Fields with marks; a name that is also what a choice depends on has none."""
    choices = {name: item for name, item in given.items() if name in CHOICES}
    bare |= {item for item in choices.values() if isinstance(item, str)}
    return {name: choices.get(name, marked(item, bare)) for name, item in given.items()}


def choices_of(facts: Any) -> list[str]:
    """The texts of facts that wear no marks."""
    given = [getattr(facts, field.name) for field in fields(facts) if field.name in CHOICES]
    return [text for text in given if isinstance(text, str) and text]


def things_in(facts: Any) -> Iterator[Thing]:
    """Every tensor or gradient that facts speak of."""
    if isinstance(facts, Thing):
        yield facts
    elif isinstance(facts, (list, tuple)):
        for item in facts:
            yield from things_in(item)
    elif is_dataclass(facts):
        for field in fields(facts):
            yield from things_in(getattr(facts, field.name))
