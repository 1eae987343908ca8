"""What stories say of recordings of all kinds is so; lies planted in them are noticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache, partial
from itertools import islice
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
from .lies import Mutant
from .machine import Witnessed, faults, witnessed
from .slots import Told, told

# of the others, names of whole lines are more than the machine can read
READ = (stories.axes, stories.limits, stories.scales, stories.turns, stories.reasons)
MAKERS: dict[str, Callable[[], recordings.Recorded | Trace]] = {
    **{make.__name__: make for make in recordings.ALL},
    **{f"programs.{make.__name__}": make for make in programs.ALL},
    **{f"stories.{make.__name__}": make for make in (*stories.ALL, *READ)},
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


FIELDS = [(kind, field.name) for kind in KINDS for field in fields(kind)]


def is_noticed(name: str, at: int, lie: steps.Facts) -> bool:
    recorded, story, before = known(name)
    try:
        lied = lies.with_facts(story, at, lie)
    except (ValueError, LookupError):  # of such facts there is no sentence
        return False
    return bool(set(faults(recorded, lied)) - before)


@pytest.mark.slow
@each(("kind", "field"), FIELDS, per="kind")
def test_a_fact_that_is_not_so_is_noticed(kind: type[steps.Facts], field: str) -> None:
    told = [
        (name, at, one.facts)
        for name in MAKERS
        for at, one in enumerate(known(name).story)
        if type(one.facts) is kind
    ]
    others = [facts for *_, facts in told]
    tries = (
        is_noticed(name, at, lie)
        for (name, at, facts), other in zip(told, [*others[1:], *others[:1]], strict=True)
        for lie in lies.lies_about(facts, field, other)
    )
    assert any(islice(tries, 60))


@each("kind", ["op", "visit", "accumulate"])
def test_a_step_that_is_not_so_is_noticed(kind: str) -> None:
    recorded, story, before = known("stories.many_uses")
    for lie, lied in lies.false_stories(story, kind).items():
        assert set(faults(recorded, lied)) - before, lie


@each("lie", lies.MUTANTS)
def test_code_that_lies_is_noticed(lie: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded, _, before = known(lie.recording)
    if isinstance(lie.owner, dict):
        was = lie.owner[lie.attribute]
        monkeypatch.setitem(lie.owner, lie.attribute, lie.change(was))
    else:
        was = getattr(lie.owner, lie.attribute)
        monkeypatch.setattr(lie.owner, lie.attribute, lie.change(was))
    again = replace(recorded, trace=Trace(json.loads(recorded.trace.dumps())))
    assert set(faults(again)) - before


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
