"""What stories say of recordings of all kinds is so; lies planted in them are noticed."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest

from viz.story import steps
from viz.story.sentences.table import SENTENCES

from ...conftest import start_afresh
from . import lies, reading, recordings
from .lies import Forgery, Lie
from .machine import Witnessed, faults, witnessed

MAKERS = {make.__name__: make for make in recordings.ALL}


@cache
def recorded(name: str) -> Witnessed:
    start_afresh()
    return witnessed(MAKERS[name])


def by_name(rows: Any) -> Any:
    return pytest.mark.parametrize("lie", rows, ids=[row.name for row in rows])


@pytest.mark.parametrize("name", MAKERS)
def test_every_sentence_is_true(name: str) -> None:
    found = faults(recorded(name))
    assert not found, "\n".join(found)


@by_name(lies.LIES)
def test_a_lie_is_noticed(lie: Lie) -> None:
    true = recorded(lie.recording)
    told = reading.told(true.trace)
    lied = lie.tell(told)
    assert lied != told
    assert set(faults(true, lied)) - set(faults(true))


@by_name(lies.FORGERIES)
def test_another_record_is_noticed(lie: Forgery) -> None:
    true = recorded(lie.recording)
    told = reading.told(true.trace)
    other = replace(true, trace=lies.forged(true.trace, lie.write))
    assert set(faults(other, told)) - set(faults(true))


def test_every_kind_of_sentence_is_read() -> None:
    told = [one for name in MAKERS for one in reading.told(recorded(name).trace)]
    assert {type(one.facts) for one in told} == {*SENTENCES}


@pytest.mark.parametrize(
    ("kind", "field"),
    [(kind, field.name) for kind in SENTENCES for field in fields(kind) if field.type == "bool"],
)
def test_what_is_so_or_not_changes_both_sentences(kind: type[steps.Facts], field: str) -> None:
    told = (one.facts for name in MAKERS for one in reading.told(recorded(name).trace))
    facts: Any = next(one for one in told if isinstance(one, kind))
    other = replace(facts, **{field: not getattr(facts, field)})
    for one, another in zip(SENTENCES[kind](facts), SENTENCES[kind](other), strict=True):
        assert one != another
