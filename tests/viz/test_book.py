"""A page with rounds (training iterations): equal content of its chapters is stored once.

A chapter is a part of a trace with one graph; on the page it says what it says by itself.
"""

from typing import Any

import pytest

from minipaddle.messages import Text
from viz.model import Round, Structure
from viz.player import payload as payloads
from viz.player.book import Chapter, bind, book_of

from . import programs
from . import round_loops as loops
from .played import stories, training
from .unpacking import read

DROPPED = frozenset({4, 5})


def whole(value: list[Any]) -> bool:
    return value[0] is not None


def test_rounds_of_one_structure_share_their_graph_and_steps() -> None:
    trace = training(9)
    book = book_of(trace)
    alike = [(chapter["graph"], chapter["steps"][0]) for chapter in book["chapters"]]
    setup, usual, smaller, evaluation = alike[0], alike[1], alike[3], alike[4]
    assert len({setup, usual, smaller, evaluation}) == len(book["graphs"]) == 4
    one = [usual, usual, smaller, evaluation]
    assert alike == [setup, *one, *one, usual]
    assert [chapter["round"] for chapter in book["chapters"]] == [None, *range(9)]
    lengths = [len(story.steps) for story in stories(trace)]
    assert [c["first"] for c in book["chapters"]] == [sum(lengths[:k]) for k in range(10)]


def test_a_round_without_steps_is_listed_with_its_loss() -> None:
    trace = training(9, DROPPED)
    book = book_of(trace)
    kept = [k for k, each in enumerate(book["rounds"]) if each["chapter"] is not None]
    assert kept == [0, 1, 2, 3, 6, 7, 8]
    assert book["rounds"][4]["loss"] == trace.rounds[4].loss
    assert book["rounds"][4]["names"] == [["epoch", 1], ["batch", 0]]
    first = book["rounds"][4]["sizes"][0]
    assert book["parameters"][first[0]] == trace.rounds[4].sizes[0].name == "net.0.weight"
    exact = trace.rounds[4].sizes[0]
    assert first[1:] == [float(f"{size:.4g}") for size in (exact.value, exact.grad)]


def test_a_book_reports_odd_losses_and_differences() -> None:
    story = programs.fan_in().story
    rounds = [
        Round(0, "training", {}, float("nan"), (), 0, 0, 8),
        Round(1, "training", {}, float("-inf"), (), 1, 9, 17),
    ]
    structures = [
        Structure((0,), Text("", ""), story.graph),
        Structure((1,), Text("other", "另一种"), story.graph),
    ]
    book = bind("odd", [Chapter(story, 0, 0), Chapter(story, 9, 1)], rounds, structures)
    assert [each["loss"] for each in book["rounds"]] == ["nan", "-inf"]
    assert [each["differs"] for each in book["rounds"]] == [None, {"en": "other", "zh": "另一种"}]


def test_the_first_and_the_last_round_are_whole_if_not_all_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trace = training(9)
    assert book_of(trace)["whole"] is None
    monkeypatch.setattr(payloads, "NUMBERS", 1000)
    book = book_of(trace)
    assert book["whole"] == [0, 8]
    shapes = [read(book, told)["shape"] for _, *told in book["values"]]
    own = [[number for number in c["steps"][1] if number is not None] for c in book["chapters"]]
    for k in (0, 1, 9):  # the part before the rounds, the first round, the last round
        assert all(whole(book["values"][number]) for number in own[k])
    later = set().union(*own[2:9]) - set().union(own[0], own[1], own[9])
    single = {number for number in later if not any(size != 1 for size in shapes[number])}
    assert {number for number in later if whole(book["values"][number])} == single
    assert book["left_out"] == sum(not whole(value) for value in book["values"])


def test_colours_mean_the_same_in_each_round() -> None:
    trace = training(9)
    book = book_of(trace)
    for by in ("grad", "value"):
        parts = [read(book, c["magnitudes"])[by] for c in book["chapters"]]
        sizes = [size for part in parts for size in part["sizes"]]
        numbers = [size for size in sizes if isinstance(size, float) and size > 0]
        scale = book["scales"][by]
        assert scale["above"] == (max(numbers) > scale["scale"][-1])
        assert scale["below"] == (min(numbers) < scale["scale"][0])


def test_the_box_of_the_first_nan_is_reported_with_its_round() -> None:
    trace = loops.nan()
    book = book_of(trace)
    assert book["chapters"][1]["graph"] == book["chapters"][2]["graph"]
    told = [
        [(box, [kind for kind, _, _ in badges]) for box, badges in read(book, c["alarms"])]
        for c in book["chapters"]
    ]
    own = trace.round(2).story.graph.nodes
    marked = [(node.id, [badge.kind for badge in node.badges]) for node in own if node.badges]
    assert told == [[], [], marked, [], []]
    alone = book_of(trace.round(2))  # its own drawing has room for them
    assert read(alone, alone["chapters"][0]["alarms"]) == []
