"""Mismatches between ranks are reported with their place, and are drawn."""

import contextlib
import re
from functools import cache
from pathlib import Path

import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from tests.each import each
from tests.viz.goldens import part_text
from viz.many_ranks.ranks import Ranks
from viz.many_ranks.sentences import TROUBLE
from viz.trace import Trace

from . import damage
from .programs import data_parallel
from .world import World


@cache
def recorded() -> list[Trace]:
    return World(4).run(data_parallel)


@pytest.fixture
def traces() -> list[Trace]:
    return recorded()


def bars(view: Ranks) -> list[str]:
    parts = view.painting().parts
    return [part_text(part) for part in parts if part.role == "collective"]


def test_a_differing_op_is_reported_for_each_rank(traces: list[Trace]) -> None:
    view = damage.changed(traces, 2, damage.another_op)
    assert [item.trouble for item in view.collectives] == ["op", ""]
    assert view.folded == ((0, 1, 3), (2,))
    assert "all_reduce · avg · [4, 1] float64" in bars(view)[0]
    assert "broadcast · src 0 · [4, 1]" in bars(view)[0]


def test_a_group_misses_the_rank_that_has_no_trace(traces: list[Trace]) -> None:
    view = damage.changed(traces, 1, damage.other_group)
    assert [item.missing for item in view.mismatches] == [(1,)]
    assert "No trace of rank 7 is given." in view.text()


def test_a_rank_that_stops_is_reported_first() -> None:
    def work(world: World) -> Trace:
        with contextlib.suppress(InvalidArgument), viz.record() as trace:
            x = paddle.ones([2])
            world.all_reduce(x)
            if world.rank == 1:
                paddle.matmul(x, paddle.ones([3, 3]))
        return trace

    view = viz.ranks(World(2).run(work))
    assert view.mismatches == ()
    assert repr(view.collectives) == "(<all_reduce 1 of ranks [0, 1]>,)"
    kind, told = view.notes()[0]
    assert kind == "wrong"
    assert told.en.startswith("Rank 1: ")
    assert told.zh in view.text("zh")
    assert view.score.opens_at() == view.score.parts[1].rows[-1] == 3


@each("change", [damage.another_op, damage.another_way, damage.another_order, damage.ends_early])
def test_every_form_shows_the_mismatch(change: damage.Change) -> None:
    view = damage.changed(recorded(), 2, change)
    assert view.mismatches
    for lang in ("en", "zh"):
        for mismatch in view.mismatches:
            assert view.say(mismatch, lang) in view.text(lang)
        assert 'class="mp-collective"' in view.svg(lang)
        assert "f-alert" in view.svg(lang)


def test_the_document_lists_all_kinds_of_mismatches() -> None:
    page = (Path(__file__).parents[3] / "docs" / "many_ranks.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert {*listed} == {"trouble", *TROUBLE}
