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
from minipaddle import nn
from minipaddle.engine.errors import InvalidArgument, OutOfRange
from minipaddle.events import LoopTurn
from tests.each import each
from viz.draw import plots
from viz.draw.film_strip import film
from viz.player import display
from viz.story.chapters import chapter_at, heading
from viz.trace import Trace

from . import trainings
from .pages import words


@pytest.fixture(scope="module")
def trace() -> Trace:
    return trainings.epochs()


# ----- transcript --------------------------------------------------------------------------------


def test_the_end_of_a_trace_has_a_reason_even_if_its_last_round_is_left_out() -> None:
    with viz.record(limit=40) as cut:
        for _ in viz.rounds(range(30)):
            paddle.tanh(paddle.ones([2]))
    note = cut.chapters[-1].trace.story.note
    assert note is not None
    assert note.en in cut.text()
    assert note.zh in cut.text("zh")


# ----- files -------------------------------------------------------------------------------------


def test_a_missing_round_is_an_error(trace: Trace, tmp_path: Path) -> None:
    for ending in (".svg", ".txt", ".json", ".gif"):
        with pytest.raises(OutOfRange, match="no steps of round 8"):
            trace.save(tmp_path / f"x{ending}", round=8)
    assert not list(tmp_path.iterdir())


def words_of(painting: Any) -> list[tuple[str, float, float]]:
    marks = words(*(part for part in painting.parts if part.role == "box"))
    return [(mark.text, mark.x, mark.y) for mark in marks]


def test_boxes_keep_their_positions_from_round_to_round(trace: Trace) -> None:
    starts = [item.first for item in trace.rounds if item.structure == 1]
    chosen = [start + at for start in starts if start is not None for at in (4, 20)]
    panels = list(film(trace, chosen, "en"))
    assert len(panels) == 6
    assert len({(panel.left, panel.width, panel.height) for panel in panels}) == 1
    assert len({tuple(words_of(panel)) for panel in panels}) == 1
    labels = {text for text, *_ in words_of(panels[0])}
    assert "X[…:…]" in labels  # one round has X[3:6]
    marks = words(*(panel.parts[-1] for panel in panels))
    captions = [mark.text for mark in marks if mark.bold]
    assert captions == [heading(trace, chapter_at(trace.chapters, step)).en for step in chosen]


def test_a_moving_picture_shows_steps_of_several_rounds(trace: Trace, tmp_path: Path) -> None:
    chosen = [item.first for item in trace.rounds[1:4:2] if item.first is not None]
    data = trace.save(tmp_path / "m.gif", steps=chosen).read_bytes()
    with Image.open(BytesIO(data)) as picture:
        assert picture.n_frames == 2  # type: ignore[attr-defined]
    with Image.open(trace.save(tmp_path / "e.gif", round=3)) as picture:
        told = [step for step in trace.round(3).steps if not step.of_memory]
        assert picture.n_frames == len(told)  # type: ignore[attr-defined]


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


def test_a_twin_is_made_of_a_round_and_the_run_of_equal_number() -> None:
    paddle.seed(0)
    linear = paddle.nn.Linear(2, 1)
    sgd = paddle.optimizer.SGD(0.1, parameters=linear.parameters())
    x = paddle.ones([3, 2])
    eager = trainings.descend(sgd, lambda _: linear(x).mean(), 5, title="eager")
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
    legends = [[mark.text for mark in words(*panel.parts)] for panel in panels]
    scales = {tuple(text for text in legend if text.startswith("≤")) for legend in legends}
    assert len(scales) == 1


# ----- A recorded model.fit reads like the same loop written by hand -----------------------------


def rows(count: int) -> Any:
    x = (np.arange(count * 3) % 7 / 4.0).reshape(count, 3).astype("float32")
    return paddle.io.TensorDataset([x, np.arange(count).reshape(count, 1) % 2])


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x: Any) -> Any:
        return paddle.tanh(self.fc(x))


def by_hand(net: Any, steps: Any, loss_of: Any, metric: Any) -> None:
    for epoch in range(2):  # noqa: B007  (it names the rounds)
        net.train()
        for step, (x, y) in enumerate(paddle.io.DataLoader(rows(10), batch_size=4)):  # noqa: B007
            out = net(x)
            loss = loss_of(out, y)
            loss.backward()
            steps.step()
            steps.clear_grad()
            metric.update(metric.compute(out, y))
        net.eval()
        with paddle.no_grad():
            for x, y in paddle.io.DataLoader(rows(4), batch_size=2):
                out = net(x)
                loss_of(out, y)
                metric.update(metric.compute(out, y))


def by_model(net: Any, steps: Any, loss_of: Any, metric: Any, **options: Any) -> None:
    model = paddle.Model(net)
    model.prepare(steps, loss_of, metric)
    model.fit(rows(10), rows(4), [4, 2], epochs=2, verbose=0, shuffle=False, **options)


def recorded(train: Any, **options: Any) -> viz.Trace:
    paddle.seed(1)
    with paddle.utils.unique_name.guard():
        net = Net()
        steps = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        with viz.record() as trace:
            train(net, steps, nn.CrossEntropyLoss(), paddle.metric.Accuracy(), **options)
    return trace


def what_is_told(trace: viz.Trace) -> list[Any]:
    return [(r.kind, r.names, r.loss, r.first, r.last, r.accuracy) for r in trace.rounds]


def test_a_fit_has_the_rounds_of_the_loop_by_hand() -> None:
    hand, fit = recorded(by_hand), recorded(by_model)
    assert what_is_told(fit) == what_is_told(hand)
    assert [r.kind for r in fit.rounds] == ["training"] * 3 + ["evaluation"] + ["training"] * 3 + [
        "evaluation"
    ]
    kinds = [[step.kind for step in trace.steps] for trace in (hand, fit)]
    assert kinds[0] == kinds[1]


def test_every_line_is_the_users() -> None:
    lines = re.findall(r"^ +(\S+\.py):\d+  (.*)$", recorded(by_model).text(), re.MULTILINE)
    assert {file.rpartition("/")[2] for file, _ in lines} == {"test_rounds_told.py"}
    starts = {code.partition("(")[0] for _, code in lines}
    assert starts == {"model.fit", "return paddle.tanh"}


def test_gradients_of_several_batches_make_one_round() -> None:
    trace = recorded(by_model, accumulate_grad_batches=2)
    assert [r.kind for r in trace.rounds].count("training") == 4  # of 3 batches: 2, then 1


def test_a_loop_around_fit_names_no_loop_inside() -> None:
    net = Net()
    model = paddle.Model(net)
    model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), nn.CrossEntropyLoss())
    with viz.record() as trace:
        for epoch in range(5, 7):  # noqa: B007
            model.fit(rows(4), batch_size=2, verbose=0)
    turns = [event.name for event in trace.events if isinstance(event, LoopTurn)]
    assert [name for name in turns if name.startswith("epoch")] == [
        "epoch = 5", "epoch = 0", "epoch = 6", "epoch = 0"
    ]  # fmt: skip
    assert len(trace.rounds) == 4
