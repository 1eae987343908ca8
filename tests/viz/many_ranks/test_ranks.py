"""The view of many ranks says what the traces contain."""

import contextlib
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument, InvalidType, NotFound
from tests.each import each
from tests.viz.goldens import part_text
from viz.many_ranks.ranks import Ranks
from viz.many_ranks.score import rows_of
from viz.many_ranks.sentences import TROUBLE
from viz.trace import Trace

from . import damage, programs
from .programs import bucket, data_parallel, hooked, tensor_parallel, view
from .world import World


def small() -> Trace:
    with viz.record() as trace:
        paddle.tanh(paddle.ones([2]))
    return trace


def test_the_ranks_compute_the_gradients_of_one_process() -> None:
    whole = programs.leaf(programs.W1)
    other = programs.leaf(programs.W2)
    (paddle.tanh(paddle.to_tensor(programs.X) @ whole) @ other).pow(2).mean().backward()
    for work in (data_parallel, hooked):
        for trace in World(4).run(work):
            joined = [e for e in trace.events if getattr(e, "op", "") == "all_reduce"]
            for event, grad in zip(joined, (other.grad, whole.grad), strict=True):
                value = event.outputs[0].value.data["data"]
                np.testing.assert_allclose(value, grad.numpy(), rtol=1e-12)


# ----- rows of collectives -----------------------------------------------------------------------


@each(("work", "count"), programs.ALL)
def test_all_ranks_of_a_collective_are_in_one_row(work: object, count: int) -> None:
    score = view(work, count).score  # type: ignore[arg-type]
    for item in score.collectives:
        row = score.row_of(item)
        for rank, call in item.calls.items():
            step = score.parts[rank].at(row)
            assert step is not None
            assert step.index == call.step
    for part in score.parts.values():
        assert list(part.rows) == sorted(set(part.rows))
        assert [s.index for s in part.steps] == [
            s.index for s in part.story.steps if not s.of_memory
        ]


def test_ranks_that_wait_for_each_other_are_drawn() -> None:
    class Meeting:
        def __init__(self, name: str, calls: dict[int, int]) -> None:
            self.id = name
            self.calls = {rank: type("Call", (), {"step": step}) for rank, step in calls.items()}

    one, other = Meeting("one", {0: 0, 1: 1}), Meeting("other", {0: 1, 1: 0})
    meeting = {(0, 0): one, (1, 1): one, (0, 1): other, (1, 0): other}
    rows, waiting = rows_of({0: [0, 1], 1: [0, 1]}, meeting)  # type: ignore[arg-type]
    assert waiting == {"one"}
    assert rows == {0: [0, 1], 1: [1, 2]}


# ----- texts -------------------------------------------------------------------------------------


@each(("work", "count"), programs.ALL)
@each("fold", [True, False])
def test_every_number_of_the_picture_is_in_the_traces(work: object, count: int, fold: bool) -> None:
    found = view(work, count, fold)  # type: ignore[arg-type]
    columns = found.picture.columns
    assert [rank for column in columns for rank in column.ranks] == [*range(count)]
    told = 0
    for column in columns:
        for at, rank in enumerate(column.ranks):
            part = found.score.parts[rank]
            for row, slot in column.slots.items():
                step = part.at(row)
                assert step is not None
                for value in (*slot.values, *slot.gets):
                    shown = [s for s in step.shown if s.value]
                    assert any(value.numbers[at] in (texts(s.value), "") for s in shown)
                    told += 1
    assert told > 10


def texts(entry: object) -> str:
    from viz.facts.last_values import value_line
    from viz.many_ranks.columns import CELL

    return value_line(entry, CELL, sized=False)  # type: ignore[arg-type]


def test_ops_between_the_start_of_a_call_and_its_wait_are_listed() -> None:
    found = view(bucket, 2)
    (item,) = found.collectives
    steps = found.score.meanwhile(item.calls[0])
    assert [step.kind for step in steps] == ["hook", "leaf", "visit", "visit", "leaf"]
    names = "sets_out, w2.grad, tanh backward, matmul backward, w1.grad"
    assert f"meanwhile run: {names}." in found.say(item)
    assert "meanwhile" not in view(data_parallel, 2).text()
    (span,) = [part for part in found.painting().parts if part.role == "span"]
    assert span.kind == item.id
    assert "with a ring" in found.notes()[-2][1].en


def test_a_brief_view_has_one_box_between_collectives() -> None:
    found = view(tensor_parallel, 2, brief=True)
    (column,) = found.picture.columns
    slots = [slot for _, slot in sorted(column.slots.items())]
    told = [(slot.form, slot.label.en) for slot in slots if slot.form != "close"]
    assert [form for form, _ in told] == [
        *("open", "box", "box", "open", "box", "bar", "box", "box", "box", "open", "box", "box"),
        *("open", "box", "bar", "pill"),
    ]
    assert told[2] == ("box", "@ → tanh → @")
    assert told[-2:] == [("bar", "all_reduce"), ("pill", "x.grad")]
    whole = view(tensor_parallel, 2)
    assert found.painting().height < whole.painting().height
    assert found.text() == whole.text()


def test_repeated_calls_of_one_line_are_one_box_with_many_rows() -> None:
    with viz.record() as trace:
        x = paddle.to_tensor([float(n) for n in range(9)])
        y = paddle.stack([x[n] for n in range(9)])
        y * 2.0 * 3.0
    found = viz.ranks([trace])
    boxes = [part for part in found.painting().parts if part.role == "box"]
    labels = [part_text(part) for part in boxes]
    assert labels[0] == "box 0.0-8 box: x[…], 9 times x[8] 8"
    assert [label.split(": ")[1][:3] for label in labels[1:]] == ["sta", "× 2", "× 3"]
    assert found.score.count == 12
    parts = found.payload()["pictures"][0]["en"]["parts"]
    rows = [(part["since"], part["row"]) for part in parts if part["role"] == "box"]
    assert rows == [(0, 8), (9, 9), (10, 10), (11, 11)]


def test_the_text_has_each_step_of_each_rank() -> None:
    found = view(data_parallel, 2)
    for lang in ("en", "zh"):
        for rank, trace in found.traces.items():
            for step in found.score.parts[rank].steps:
                if "all_reduce" not in trace.steps[step.index].text:
                    assert trace.say(step.index, lang) in found.text(lang)


def test_a_view_is_saved_as_picture_and_text(tmp_path: Path) -> None:
    found = view(tensor_parallel, 2)
    for name in ("a.svg", "a.png", "a.pdf", "a.txt"):
        assert found.save(tmp_path / name).stat().st_size > 1000
    assert (tmp_path / "a.svg").read_bytes() == found.svg().encode()
    with pytest.raises(InvalidArgument, match=r"the ending \.gif is not known here"):
        found.save(tmp_path / "a.gif")


# ----- arguments ---------------------------------------------------------------------------------


def test_ranks_takes_files_and_a_folder(tmp_path: Path) -> None:
    traces = World(2).run(tensor_parallel)
    whole = viz.ranks(traces).text()
    files = [trace.save(tmp_path / f"rank{rank}.json") for rank, trace in enumerate(traces)]
    assert viz.ranks(files).text() == whole
    assert viz.ranks([str(file) for file in files]).text() == whole
    assert viz.ranks(tmp_path).text() == whole
    assert viz.ranks(str(tmp_path)).text() == whole


def test_ranks_have_the_numbers_in_their_traces() -> None:
    traces = World(2).run(tensor_parallel)
    assert [*viz.ranks(traces[::-1]).traces] == [0, 1]
    assert viz.ranks(traces[::-1]).traces[0] is traces[0]
    document = json.loads(small().dumps())
    told = Trace({**document, "rank": 3, "world_size": 5})
    assert [*viz.ranks([told]).traces] == [3]


def test_ranks_needs_one_trace_of_each_rank(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"viz.ranks\(\) needs at least one trace"):
        viz.ranks([])
    with pytest.raises(NotFound, match="there is no trace in the folder"):
        viz.ranks(tmp_path)
    with pytest.raises(NotFound, match="there is no trace file"):
        viz.ranks([tmp_path / "a.json"])
    for wrong in (3, [3], [small(), None]):
        with pytest.raises(InvalidType, match=r"viz.ranks\(\) takes traces"):
            viz.ranks(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="two of the traces are of rank 0"):
        viz.ranks([World(2).run(tensor_parallel)[0]] * 2)


def test_ranks_shows_the_chosen_round() -> None:
    def work(world: World) -> Trace:
        w = programs.leaf(np.array([1.0 + world.rank]))
        optimizer = paddle.optimizer.SGD(0.1, parameters=[w])
        with viz.record() as trace:
            for _ in range(3):
                loss = (w * w).sum()
                loss.backward()
                world.all_reduce(w.grad, "avg")
                optimizer.step()
                optimizer.clear_grad()
        return trace

    traces = World(2).run(work)
    for number, shown in ((None, 1), (1, 2), (-1, 3)):
        found = viz.ranks(traces, round=number)
        assert [item.number for item in found.collectives] == [shown]
        assert f"round {shown} of 3" in found.headline("en")
    with pytest.raises(IndexError):
        viz.ranks(traces, round=3)


def test_a_single_rank_is_shown_without_collectives() -> None:
    found = viz.ranks(small())
    assert isinstance(found, Ranks)
    assert found.headline("en") == "1 rank and no collective"
    assert "data-rank" in found.svg()


# ----- Mismatches between ranks ------------------------------------------------------------------


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
