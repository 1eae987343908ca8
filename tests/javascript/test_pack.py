"""The page unpacks exactly the packed data."""

import json
from dataclasses import replace
from typing import Any

import pytest

from viz.facts.costs import rows_of
from viz.facts.views import views_of
from viz.player.book import book_of
from viz.player.pack import pack
from viz.player.payload import payload_of

from ..viz.played import training
from .composing import opened, unpacked
from .test_payload_types import eager, program

# Keys that the chapters of a page (parts of a trace with one graph each) share.
PAGE = {"title", "note", "left_out", "unmeasured", "open", "sources"}


def brief(data: Any) -> Any:
    """Statistics travel with nine digits."""
    if isinstance(data, dict):
        return {name: brief(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [brief(value) for value in data]
    return float(f"{data:.9g}") if isinstance(data, float) else data


def told(payload: dict[str, Any]) -> Any:
    """A payload with its values in the places of their numbers."""
    values = payload["values"]

    def at(number: int | None) -> Any:
        return None if number is None else values[number]

    def said(slot: Any) -> Any:
        match slot:
            case {"value": int(number)}:
                return {"value": at(number)}
            case dict():
                return {name: said(each) for name, each in slot.items()}
        return slot

    steps = [
        {
            **step,
            "text": said(step["text"]),
            "terms": [[name, at(number)] for name, number in step["terms"]],
            "shown": [
                {**shown, "value": at(shown["value"]), "check": None} for shown in step["shown"]
            ],
        }
        for step in payload["steps"]
    ]
    tracks = [
        {**track, "values": [[step, at(number)] for step, number in track["values"]]}
        for track in payload["statistics"]
    ]
    changes = {by: one["changes"] for by, one in payload["magnitudes"].items()}
    parts = {name: part for name, part in payload.items() if name not in PAGE}
    return {
        **parts, "steps": steps, "statistics": tracks, "magnitudes": changes,
        "values": None,
    }  # fmt: skip


def test_each_chapter_of_a_book_says_as_much_as_its_story_alone() -> None:
    trace = training(9)
    graphs = {number: each.graph for each in trace.structures for number in each.rounds}
    stories = [
        replace(chapter.trace.story, graph=graphs.get(chapter.round, chapter.trace.story.graph))
        for chapter in trace.chapters
    ]
    alone = [json.loads(json.dumps(payload_of(story))) for story in stories]
    parts = [(chapter.trace, chapter.given) for chapter in trace.chapters]
    costs = json.loads(json.dumps(rows_of(parts)))
    views = [views_of(each.trace.events, each.given, each.trace.story) for each in trace.chapters]
    alone = [
        {**one, "costs": own, "views": views}
        for one, own, views in zip(alone, costs, json.loads(json.dumps(views)), strict=True)
    ]
    assert all(own["flops"] and own["bytes"] for own in costs)
    book = opened(json.loads(json.dumps(book_of(trace))))
    assert book["count"] == len(trace)
    assert all(to == min(max(0, number), len(trace) - 1) for number, to in book["spots"])
    together = book["chapters"]
    assert len(together) == len(alone) == 10
    for one, other in zip(together, alone, strict=True):
        assert brief(told(one)) == brief(told(other))


@pytest.mark.parametrize("make", [eager, program])
def test_a_payload_is_unpacked_unchanged(make: Any) -> None:
    whole = payload_of(make().story)
    small = pack(whole)
    parts = {name: part for name, part in whole.items() if name not in PAGE}
    assert brief(unpacked(small)) == [brief(json.loads(json.dumps(parts)))]
    assert len(json.dumps(small)) < len(json.dumps(whole))
