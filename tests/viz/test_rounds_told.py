"""Transcript, files, tables, curves and comparisons of a trace with rounds.

A round is a training iteration; a chapter is a part of a trace with one graph.
"""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument, OutOfRange
from minipaddle.events import OpFinished
from tests.each import each
from viz.draw import plots
from viz.draw.film_strip import film
from viz.draw.paint import Words
from viz.layout.scene import first_open, scene_of
from viz.player import display
from viz.story.chapters import chapter_at, heading, in_short
from viz.trace import Trace

from . import trainings


@pytest.fixture(scope="module")
def trace() -> Trace:
    return trainings.epochs()


# ----- names of chapters -------------------------------------------------------------------------


def test_steps_between_rounds_are_named_by_the_rounds() -> None:
    with viz.record() as between:
        for _ in range(2):
            for _ in viz.rounds([0]):
                paddle.tanh(paddle.ones([2])).mean()
            paddle.exp(paddle.ones([2]))
    told = [heading(between, chapter) for chapter in between.chapters]
    assert [text.en for text in told[1::2]] == [
        "Between round 1 and round 2",
        "After the last round",
    ]


def test_the_repr_of_a_trace_counts_its_rounds(trace: Trace) -> None:
    losses = [item.loss for item in trace.rounds if item.loss is not None]
    ends = f"loss {losses[0]:.4g} → {losses[-1]:.4g}"
    assert in_short(trace.rounds) == f"8 rounds, {ends}"
    assert repr(trace) == f"<Trace of epochs: {len(trace)} steps, 8 rounds, {ends}>"
    assert repr(trace.round(1)) == f"<Trace of epochs · 2/8: {len(trace.round(1))} steps>"


# ----- transcript --------------------------------------------------------------------------------


def test_rounds_without_recorded_steps_are_in_the_table() -> None:
    w = paddle.create_parameter([1], "float32")
    with viz.record(rounds=[0, 2]) as sparse:
        for i in range(3):
            (w * 0.0 + float(i + 1)).sum().backward()
            w.clear_gradient(False)
    assert [item.kept for item in sparse.rounds] == [True, False, True]
    text = sparse.text()
    assert "    2  1     2  steps not recorded\n" in text
    assert "Round 3 (from step 9) takes the same steps as round 1; trace.round(2)" in text
    assert "3 rounds, steps of 2 recorded, loss 1 → 3" in repr(sparse)


def test_the_end_of_a_trace_has_a_reason_even_if_its_last_round_is_left_out() -> None:
    with viz.record(limit=40) as cut:
        for _ in viz.rounds(range(30)):
            paddle.tanh(paddle.ones([2]))
    note = cut.chapters[-1].trace.story.note
    assert note is not None
    assert note.en in cut.text()
    assert note.zh in cut.text("zh")


def test_pictures_show_the_round_in_which_a_run_stopped() -> None:
    def train(stop: int) -> None:
        for number in viz.rounds(range(3)):
            paddle.tanh(paddle.ones([2])) * (1 / (stop - number))

    with viz.record() as ended:
        train(stop=3)
    assert ended.shown.round == 0
    with pytest.raises(ZeroDivisionError), viz.record() as failed:
        train(stop=2)
    assert failed.shown.round == 2


def test_a_running_loop_has_a_transcript() -> None:
    texts = []
    with viz.record("open") as running:
        for _ in range(2):
            for _ in viz.rounds([0]):
                paddle.tanh(paddle.ones([2]))
            paddle.exp(paddle.ones([2]))
            texts.append(running.text())
    assert "Round 1" not in texts[0]
    assert "Between round 1 and round 2" in texts[1]
    assert texts[1] == running.text()


# ----- files -------------------------------------------------------------------------------------


def test_a_picture_shows_the_first_round_unless_another_is_given(
    trace: Trace, tmp_path: Path
) -> None:
    for ending in (".svg", ".dot"):

        def saved(whose: Trace, ending: str = ending, **options: Any) -> str:
            return whose.save(tmp_path / f"p{ending}", **options).read_text("utf-8")

        assert saved(trace) == saved(trace, round=0) == saved(trace.round(0))
        assert saved(trace, round=2) == saved(trace.round(2)) != saved(trace)
        assert saved(trace, round=-1) == saved(trace, round=7)


def test_texts_and_documents_contain_everything_unless_a_round_is_given(
    trace: Trace, tmp_path: Path
) -> None:
    assert trace.save(tmp_path / "t.txt").read_text("utf-8") == trace.text()
    one = trace.save(tmp_path / "o.txt", round=3).read_text("utf-8")
    assert one == trace.round(3).text()
    assert viz.load(trace.save(tmp_path / "t.json")) == trace
    alone = viz.load(trace.save(tmp_path / "o.json", round=3))
    assert [step.text for step in alone.steps] == [step.text for step in trace.round(3).steps]


def test_a_missing_round_is_an_error(trace: Trace, tmp_path: Path) -> None:
    for ending in (".svg", ".txt", ".json", ".gif"):
        with pytest.raises(OutOfRange, match="no steps of round 8"):
            trace.save(tmp_path / f"x{ending}", round=8)
    assert not list(tmp_path.iterdir())


def words_of(painting: Any) -> list[tuple[str, float, float]]:
    return [
        (mark.text, mark.x, mark.y)
        for part in painting.parts
        if part.role == "box"
        for mark in part.marks
        if isinstance(mark, Words)
    ]


def test_boxes_keep_their_positions_from_round_to_round(trace: Trace) -> None:
    starts = [item.first for item in trace.rounds if item.structure == 1]
    chosen = [start + at for start in starts if start is not None for at in (4, 20)]
    panels = list(film(trace, chosen, "en"))
    assert len(panels) == 6
    assert len({(panel.left, panel.width, panel.height) for panel in panels}) == 1
    assert len({tuple(words_of(panel)) for panel in panels}) == 1
    labels = {text for text, *_ in words_of(panels[0])}
    assert "X[…:…]" in labels  # one round has X[3:6]
    captions = [
        mark.text
        for panel in panels
        for mark in panel.parts[-1].marks
        if isinstance(mark, Words) and mark.bold
    ]
    assert captions == [heading(trace, chapter_at(trace.chapters, step)).en for step in chosen]


def test_panels_of_several_structures_have_their_own_graphs_and_one_size(trace: Trace) -> None:
    chosen = [item.first for item in trace.rounds[:4] if item.first is not None]
    panels = list(film(trace, chosen, "en", "value"))
    assert len({(panel.width, panel.height) for panel in panels}) == 1
    assert len({len(words_of(panel)) for panel in panels}) > 1
    own = [
        {box.id for box in scene_of(story.graph, first_open(story.graph)).boxes}
        for story in (trace.round(k).story for k in range(4))
    ]
    drawn = [{part.id for part in panel.parts if part.role == "box"} for panel in panels]
    assert drawn == own


def test_a_moving_picture_shows_steps_of_several_rounds(trace: Trace, tmp_path: Path) -> None:
    chosen = [item.first for item in trace.rounds[1:4:2] if item.first is not None]
    data = trace.save(tmp_path / "m.gif", steps=chosen).read_bytes()
    with Image.open(BytesIO(data)) as picture:
        assert picture.n_frames == 2  # type: ignore[attr-defined]
    with Image.open(trace.save(tmp_path / "e.gif", round=3)) as picture:
        told = [step for step in trace.round(3).steps if not step.of_memory]
        assert picture.n_frames == len(told)  # type: ignore[attr-defined]


def test_step_numbers_count_in_the_trace_or_in_the_round(trace: Trace, tmp_path: Path) -> None:
    start = trace.rounds[3].first
    assert start is not None
    whole = trace.save(tmp_path / "w.svg", steps=[start + 1]).read_text("utf-8")
    own = trace.save(tmp_path / "o.svg", steps=[1], round=3).read_text("utf-8")
    sentence = trace.round(3).steps[1].text
    assert f"{start + 2}: {sentence}" in whole
    assert f">2: {sentence}" in own
    with pytest.raises(InvalidArgument, match="picture of these steps"):
        trace.save(tmp_path / "o.svg", steps=[start], round=3)


# ----- showing it --------------------------------------------------------------------------------


def test_a_player_opens_at_the_first_round(monkeypatch: pytest.MonkeyPatch) -> None:
    program = trainings.program()
    first = program.rounds[0].first
    assert first
    frame = program.show(iframe=True)
    assert isinstance(frame, display.Frame)
    assert frame.step == first
    steps = [
        program.show(iframe=True, **asked)
        for asked in ({"step": 0}, {"round": 2}, {"round": 2, "step": 3}, {"round": -1, "step": -1})
    ]
    numbers = [shown.step for shown in steps if shown]
    third, last = program.rounds[2], program.rounds[-1]
    assert third.first is not None
    assert numbers == [0, third.first, third.first + 3, last.last]
    with pytest.raises(InvalidArgument, match="no such step"):
        program.show(iframe=True, round=0, step=len(program.round(0)))
    with pytest.raises(OutOfRange, match="no steps of round 9"):
        program.show(round=9)


# ----- statistics and curves ---------------------------------------------------------------------


def test_statistics_of_a_round_have_its_values(trace: Trace) -> None:
    for item in trace.rounds[:3]:
        assert item.last is not None
        found = trace.statistics(item.last)
        assert found.step == item.last
        assert found.rows == trace.round(item.index).statistics().rows
        assert found.rows == trace.statistics(round=item.index).rows
        by_name = {row.name: row for row in found}
        for name, value, grad in item.sizes:
            row = by_name[name]
            assert np.hypot(row.mean, row.std) == pytest.approx(value, rel=1e-3)
            assert row.grad == pytest.approx(grad, rel=1e-3)
    assert trace.statistics().step == len(trace) - 1
    with pytest.raises(InvalidArgument, match="no statistics of this step"):
        trace.statistics(len(trace))


def test_the_curve_of_the_loss_has_a_point_at_each_round(trace: Trace) -> None:
    ax = plots.loss(trace)
    known = [(item.index + 1, item.loss) for item in trace.rounds if item.loss is not None]
    assert list(zip(*ax.lines[0].get_data(), strict=True)) == known
    assert ax.get_xlabel() == "round"
    assert [at for at, _ in known] == [1, 2, 3, 5, 6, 7]


@each("by", ["grad", "value"])
def test_curves_show_sizes_of_parameters_over_rounds(by: str) -> None:
    trace = trainings.epochs()
    ax = plots.sizes(trace, by=by)
    names = [size.name for size in trace.rounds[0].sizes]
    assert [text.get_text() for text in ax.texts] == [f" {name}" for name in names]
    for line, name in zip(ax.lines, names, strict=True):
        drawn = {int(x): y for x, y in zip(*line.get_data(), strict=True) if np.isfinite(y)}
        assert drawn == {
            number.index + 1: getattr(size, by)
            for number in trace.rounds
            for size in number.sizes
            if size.name == name
        }
    assert ax.get_yscale() == "log"
    one = plots.sizes(trace, of=names[1], by=by)
    assert len(one.lines) == 1
    plots.sizes(trace, ax=one, of=names[:1], by=by)
    assert len({line.get_color() for line in one.lines}) == 2


def test_missing_sizes_are_an_error(trace: Trace) -> None:
    with pytest.raises(InvalidArgument, match="no sizes of parameters"):
        plots.sizes(trace, of="w")
    with viz.record() as single:
        paddle.tanh(paddle.ones([2]))
    with pytest.raises(InvalidArgument, match="no sizes of parameters"):
        plots.sizes(single)
    with pytest.raises(InvalidArgument, match="no size by 'mean'"):
        plots.sizes(trace, by="mean")


def test_zero_and_infinity_leave_a_gap_in_a_curve() -> None:
    from types import SimpleNamespace

    from viz.model import ParameterSize, Round

    numbers: list[Any] = [1.0, 0.0, float("inf"), float("nan"), 2.0]
    rounds = [
        Round(k, "training", sizes=(ParameterSize("w", 1.0, x),)) for k, x in enumerate(numbers)
    ]
    drawn = plots.sizes(SimpleNamespace(rounds=rounds)).lines[0].get_ydata()
    assert [bool(np.isfinite(y)) for y in drawn] == [True, False, False, False, True]


def test_memory_is_drawn_for_every_step_of_every_round(trace: Trace) -> None:
    live = [pair for chapter in trace.chapters for pair in plots.live_of(chapter.trace.story)]
    assert len(live) == len(trace)
    shown = trace.round(1).story.memory.live
    start = trace.rounds[1].first
    assert start is not None
    assert tuple(live[start : start + len(shown)]) == tuple(shown)
    assert plots.memory(trace).get_xlabel() == "step of the trace"


# ----- comparisons -------------------------------------------------------------------------------


def test_rounds_are_compared_with_those_of_the_same_loop_variables() -> None:
    found = viz.diff(trainings.simple(2), trainings.simple(4))
    parts = [
        (part.first and part.first.round, part.second and part.second.round) for part in found.parts
    ]
    assert parts == [(0, 0), (1, 1), (None, 2), (None, 3)]
    assert {change.kind for change in found.changes} == {"new"}
    assert "only in the second run: round 4 of 4 (i 3)" in found.text()
    unnamed = viz.diff(trainings.simple(2, names=False), trainings.simple(2))
    assert len(unnamed.parts) == 2
    assert not unnamed


def test_the_first_round_that_differs_is_named_and_drawn() -> None:
    one, other = trainings.simple(4), trainings.simple(4, rate=0.05)
    found = viz.diff(one, other)
    change = found.changes[0]
    assert (change.name, change.kind) == ("w", "value")
    assert other.steps[change.second].round == one.steps[change.first].round == 0  # type: ignore[index]
    assert found.shown is found.parts[0]
    text = found.text()
    assert "① first difference in Round 1 of 4 (i 0), step " in text
    assert all(f"\nRound {k} of 4 (i {k - 1})\n" in text for k in (1, 2, 3, 4))
    later = viz.diff(trainings.simple(4), trainings.simple(4, start=2.0 + 1e-9))
    assert not later


def test_changes_name_steps_of_the_whole_traces() -> None:
    one, other = trainings.simple(3), trainings.simple(3, start=3.0)
    found = viz.diff(one, other)
    for change in found.changes:
        assert change.first is not None
        assert change.second is not None
        shown = other.steps[change.second].step.shown
        assert change.name in [value.name for value in shown]
    numbers = [change.second for change in found.changes]
    assert numbers == sorted(numbers)
    assert {other.steps[k].round for k in numbers if k is not None} == {0, 1, 2}
    pairs = [(a, b) for a, b in found.pairs if a is not None and b is not None]
    assert pairs == [(k, k) for k in range(len(one))]


def test_a_twin_is_made_of_a_round_and_the_run_of_equal_number() -> None:
    paddle.seed(0)
    linear = paddle.nn.Linear(2, 1)
    sgd = paddle.optimizer.SGD(0.1, parameters=linear.parameters())
    with viz.record("eager") as eager:
        for _ in range(5):
            x = paddle.ones([3, 2])
            loss = linear(x).mean()
            loss.backward()
            sgd.step()
            sgd.clear_grad(False)
    program = trainings.program()
    first = viz.twin(eager, program)
    assert first.payload()["title"] == "eager · 1/5 · program · 1/5"
    third = viz.twin(eager, program, round=2)
    assert (third.eager, third.program) == (eager.round(2), program.round(2))
    assert third.count == first.count > 3
    assert third.right.steps[0].text != ""
    with pytest.raises(OutOfRange, match="no steps of round 7"):
        viz.twin(eager, program, round=7)
    with pytest.raises(OutOfRange, match="at least two rounds"):
        viz.twin(eager.round(0), program.round(0), round=0)
    whole = viz.twin(eager.round(0), program)
    assert whole.count == first.count


def test_an_explanation_shows_the_path_in_the_last_round_with_backward() -> None:
    w, unused = (paddle.create_parameter([2], "float32") for _ in range(2))
    opt = paddle.optimizer.SGD(0.1, parameters=[w])
    with viz.record() as run:
        for _ in range(3):
            loss = (w * 2.0).mean()
            loss.backward()
            opt.step()
        for _ in range(2):
            with paddle.no_grad():
                w.exp()
    labels = [str(box.label) for box in viz.explain(w, trace=run).path.boxes]
    assert "× 2" in labels
    assert "exp" not in labels
    with pytest.raises(InvalidArgument, match="does not know the tensor"):
        viz.explain(unused, trace=run)


def test_slopes_are_measured_in_the_first_round_of_each_structure(trace: Trace) -> None:
    text = viz.slopes(trace)
    heads = [line for line in text.splitlines() if not line.startswith(" ")]
    assert heads == [
        heading(trace, chapter).en
        for chapter in trace.chapters
        if chapter.round in (None, 0, 1, 2, 3)
    ]
    numbers = [int(line[:4]) for line in text.splitlines() if line.startswith(" ")]
    told = [
        step.index + 1
        for step in trace.steps
        for shown in step.step.shown
        if shown.probe is not None and step.round in (0, 1, 2)
    ]
    assert numbers == told
    own = viz.slopes(trace.round(4))
    assert not own.startswith("Round")
    assert "✓" in own


def test_all_panels_share_one_scale_of_colours(trace: Trace) -> None:
    ends = [item.last for item in trace.rounds[:3] if item.last is not None]
    panels = list(film(trace, ends, "en", "grad"))
    legends = [
        tuple(mark.text for part in panel.parts for mark in part.marks if isinstance(mark, Words))
        for panel in panels
    ]
    scales = {tuple(text for text in legend if text.startswith("≤")) for legend in legends}
    assert len(scales) == 1


def test_a_round_of_a_recording_without_rounds_is_an_error() -> None:
    with viz.record() as single:
        paddle.tanh(paddle.ones([2]))
    for ask in (lambda: single.show(round=0), lambda: single.statistics(round=0)):
        with pytest.raises(OutOfRange, match="no steps of round 0"):
            ask()


def test_the_first_infinity_is_reported_in_its_round() -> None:
    run = trainings.overflowing()
    told = [step for step in run.steps if "first Inf appears" in step.text]
    assert [step.round for step in told] == [2]
    values = [
        (k, seen.value.data["stats"]["inf"])
        for k in range(3)
        for event in run.round(k).events
        if isinstance(event, OpFinished)
        for seen in event.outputs
    ]
    assert {k for k, count in values if count} == {2}
    assert re.search(r"^ +3  2 +\S+  the first infinity appears$", run.text(), re.MULTILINE)
