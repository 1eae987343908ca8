"""Stories of recordings of all kinds make only true claims."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache, partial
from typing import Any

from tests.each import each
from tests.sealing import start_afresh
from viz.story import steps
from viz.story.sentences import backward, forward, gradients
from viz.story.sentences import programs as of_programs
from viz.trace import Trace

from .. import programs, round_loops, stories
from ..test_story import drawn
from . import recordings
from .machine import faults, witnessed
from .slots import told

# the machine cannot read names that are whole lines
READ = (stories.axes, stories.limits, stories.scales, stories.turns, stories.reasons,
        stories.looping, stories.framed)  # fmt: skip
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


@each("name", MAKERS, quick=26)
def test_every_sentence_is_true(name: str) -> None:
    start_afresh()
    found = faults(witnessed(MAKERS[name]))
    assert not found, "\n".join(found)


@each("make", round_loops.ALL, quick=5)
def test_every_sentence_of_a_round_is_true(make: Callable[[], Trace]) -> None:
    start_afresh()
    recorded = witnessed(make)
    found = [
        f"round {chapter.round}, {fault}"
        for chapter in recorded.trace.chapters[:5]  # later chapters repeat the first five
        for fault in faults(replace(recorded, trace=chapter.trace))
    ]
    assert not found, "\n".join(found)


@each(
    ("kind", "field"),
    [(kind, field.name) for kind in KINDS for field in fields(kind) if field.type == "bool"],
)
def test_each_flag_changes_the_sentence_of_both_languages(
    kind: type[steps.Facts], field: str
) -> None:
    facts: Any = next(one for one in every_fact() if isinstance(one, kind))
    other = replace(facts, **{field: not getattr(facts, field)})
    for one, another in zip(facts.sentence(), other.sentence(), strict=True):
        assert one != another


@cache
def every_fact() -> list[steps.Facts]:
    """List the facts of all stories."""
    found = []
    for make in MAKERS.values():
        start_afresh()
        found += [one.facts for one in told(witnessed(make).trace)]
    return found
