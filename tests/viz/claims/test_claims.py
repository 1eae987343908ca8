"""What stories say of recordings of all kinds is so; lies planted in them are noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache, partial
from typing import Any, NamedTuple

import pytest

from tests.each import each
from tests.sealing import start_afresh
from viz.story import steps
from viz.story.sentences import backward, forward, gradients
from viz.story.sentences import programs as of_programs
from viz.trace import Trace

from .. import programs, round_loops, stories
from ..test_story import drawn
from . import lies, recordings
from .evidence import Evidence
from .lies import Forgery, Lie, Mutant
from .machine import Witnessed, faults, witnessed
from .readers import Readers
from .slots import Told, told

MAKERS: dict[str, Callable[[], recordings.Recorded | Trace]] = {
    **{make.__name__: make for make in recordings.ALL},
    **{f"programs.{make.__name__}": make for make in programs.ALL},
    **{f"stories.{make.__name__}": make for make in stories.ALL},
    **{f"drawn {seed}": partial(drawn, seed) for seed in range(6)},
}

KINDS = [
    kind
    for module in (forward, backward, gradients, of_programs)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, steps.Facts) and kind is not steps.Facts
]


class Known(NamedTuple):
    """A recording, its story, and what is false in it."""

    recorded: Witnessed
    story: list[Told]
    faults: frozenset[str]


@cache
def known(name: str) -> Known:
    start_afresh()
    recorded = witnessed(MAKERS[name])
    story = told(recorded.trace)
    return Known(recorded, story, frozenset(faults(recorded, story)))


@each("name", MAKERS, quick=26)
def test_every_sentence_is_true(name: str) -> None:
    found = known(name).faults
    assert not found, "\n".join(sorted(found))


@each("make", round_loops.ALL, quick=5)
def test_every_sentence_of_a_round_is_true(make: Callable[[], Trace]) -> None:
    start_afresh()
    recorded = witnessed(make)
    found = [
        f"round {chapter.round}, {fault}"
        for chapter in recorded.trace.chapters[:5]  # those that follow repeat them
        for fault in faults(replace(recorded, trace=chapter.trace))
    ]
    assert not found, "\n".join(found)


@each("lie", lies.LIES)
def test_a_lie_is_noticed(lie: Lie) -> None:
    recorded, story, before = known(lie.recording)
    lied = lie.tell(story)
    assert lied != story
    assert set(faults(recorded, lied)) - before


@each("lie", lies.FORGERIES)
def test_another_record_is_noticed(lie: Forgery) -> None:
    recorded, story, before = known(lie.recording)
    other = replace(recorded, trace=lies.forged(recorded.trace, lie.write))
    assert set(faults(other, story)) - before


@each("lie", lies.MUTANTS)
def test_code_that_lies_is_noticed(lie: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded, _, before = known(lie.recording)
    if isinstance(lie.owner, dict):
        was = lie.owner[lie.attribute]
        monkeypatch.setitem(lie.owner, lie.attribute, lie.change(was))
    else:
        was = getattr(lie.owner, lie.attribute)
        monkeypatch.setattr(lie.owner, lie.attribute, lie.change(was))
    again = replace(recorded, trace=lies.forged(recorded.trace, lambda _: None))
    assert set(faults(again)) - before


@pytest.mark.slow
def test_every_kind_of_sentence_is_read() -> None:
    assert {type(one.facts) for name in MAKERS for one in known(name).story} == {*KINDS}


class Watched:
    """Facts that know which of them were asked for."""

    def __init__(self, facts: steps.Facts, asked: set[str]) -> None:
        self.facts, self.asked = facts, asked

    def __getattr__(self, name: str) -> Any:
        self.asked.add(name)
        return getattr(self.facts, name)


@pytest.mark.slow
def test_every_fact_is_compared() -> None:
    asked: dict[type[steps.Facts], set[str]] = {kind: set() for kind in KINDS}
    for name in MAKERS:
        evidence = Evidence(known(name).recorded.trace, {})
        readers = Readers(evidence)
        for one, moment in zip(known(name).story, evidence.moments, strict=True):
            kind = type(one.facts)
            list(readers.read[kind](Watched(one.facts, asked[kind]), moment))
    every = {(kind, field.name) for kind in KINDS for field in fields(kind)}
    assert not every - {(kind, name) for kind in KINDS for name in asked[kind]}


@each(
    ("kind", "field"),
    [(kind, field.name) for kind in KINDS for field in fields(kind) if field.type == "bool"],
)
def test_what_is_so_or_not_changes_both_sentences(kind: type[steps.Facts], field: str) -> None:
    every = (one.facts for name in MAKERS for one in known(name).story)
    facts: Any = next(one for one in every if isinstance(one, kind))
    other = replace(facts, **{field: not getattr(facts, field)})
    for one, another in zip(facts.sentence(), other.sentence(), strict=True):
        assert one != another
