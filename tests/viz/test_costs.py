"""Boxes are coloured by cost: time from a profiler; FLOPs, parameters, bytes from records."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle import nn, profiler
from minipaddle.engine.errors import InvalidArgument
from tests.each import each
from viz.draw.film_strip import film, looks_of
from viz.draw.form import Form, form_of
from viz.export import Wish, painting_of
from viz.facts.costs import BY, Colours, Costs, calls_of, check_times, costs_of
from viz.layout.scene import foldable, scene_of
from viz.player.book import book_of
from viz.trace import Trace

from . import played, trainings
from .pages import inflate, words
from .programs import cus_tanh, leaf
from .unpacking import read


def quiet() -> profiler.Profiler:
    return profiler.Profiler(on_trace_ready=lambda _: None)


def run_pylayer() -> None:
    (cus_tanh.apply(leaf()) * 2.0).mean().backward()


def run_layers() -> None:
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    net(paddle.ones([2, 3])).mean().backward()


RUNS = [run_pylayer, run_layers, trainings.simple, played.program]


def timed(run) -> tuple[Trace, profiler.Profiler]:
    with quiet() as prof, viz.record() as trace:
        run()
    return trace, prof


def costs(trace: Trace, by: str, times: object = None) -> list[Costs]:
    parts = [(chapter.trace, chapter.given) for chapter in trace.chapters]
    return costs_of(parts, range(len(parts)), by, check_times(by, times))


# ----- costs of boxes ----------------------------------------------------------------------------


@each("run", RUNS)
def test_costs_of_boxes_add_up_to_the_measured_cost_however_they_are_folded(run):
    trace, prof = timed(run)
    for chapter, cost in zip(trace.chapters, costs(trace, "time", prof), strict=True):
        story = chapter.trace.story
        inside = {node.id for node in story.graph.nodes if node.id in cost.within}
        wanted = sum(v for name, v in cost.amounts.items() if name not in inside)
        assert set(cost.amounts) <= {node.id for node in story.graph.nodes} | {
            group.closed.id for group in story.graph.groups if group.closed
        }
        for opened in (frozenset(), frozenset(foldable(story.graph)[:1])):
            scene = scene_of(story.graph, opened)
            shown = sum(cost.at(scene).values())
            assert shown == pytest.approx(wanted) or opened
            assert shown <= wanted * (1 + 1e-9)
    spans = [span for span in prof.profiler_result if span.kind in ("Operator", "Backward")]
    total = sum(v for cost in costs(trace, "time", prof) for v in cost.amounts.values())
    assert total == sum(span.nanoseconds for span in spans)


def test_a_call_of_the_trace_gets_the_time_of_the_same_call():
    trace, prof = timed(run_layers)
    (chapter,) = trace.chapters
    timed_calls = [span for span in prof.profiler_result if span.kind in ("Operator", "Backward")]
    calls = calls_of(chapter.trace)
    assert [(c.span.kind, c.span.name) for c in calls] == [(s.kind, s.name) for s in timed_calls]
    (cost,) = costs(trace, "time", prof)
    assert [cost.amounts[call.box] for call in calls] == [s.nanoseconds for s in timed_calls]
    for name in ("flops", "parameters", "nbytes", "shapes"):
        assert [getattr(c.span, name) for c in calls] == [getattr(s, name) for s in timed_calls]


def test_the_gradient_of_a_pylayer_has_the_ops_inside_in_its_time():
    trace, prof = timed(run_pylayer)
    (cost,) = costs(trace, "time", prof)
    graph = trace.story.graph
    group = next(group for group in graph.groups if str(group.label) == "cus_tanh.backward")
    inside = [node.id for node in graph.nodes if node.group == group.id and node.kind == "op"]
    assert len(inside) == 3
    assert sum(cost.amounts[name] for name in inside) < cost.amounts[group.closed.id]
    closed = cost.at(scene_of(graph))[group.closed.id]
    assert closed == cost.amounts[group.closed.id]
    opened = cost.at(scene_of(graph, frozenset({group.twin})))
    assert group.closed.id not in opened
    assert {name: opened[name] for name in inside} == {n: cost.amounts[n] for n in inside}


# ----- drawings ----------------------------------------------------------------------------------


@each(("by", "aspect"), [(by, aspect) for by in BY for aspect in (None, "16:9")])
def test_a_legend_names_the_unit_and_the_range(by, aspect):
    trace, prof = timed(run_layers)
    form = form_of(aspect, memory=False)
    times = check_times(by, prof if by == "time" else None)
    form = Form(form.width, form.halves, form.memory, times=times)
    (look,) = looks_of(trace, [trace.shown], by, form)
    told = [mark.text for mark in words(*painting_of(trace, Wish(None, "en", by, form)).parts)]
    scale = look.colours.scale
    low, high = (look.colours.text_of(end) for end in (scale.low, scale.high))
    assert high in told
    assert {low, f"≤ {low}"} & {*told}
    shown = look.colours.at(look.scene)
    assert shown
    assert {look.colours.text_of(amount) for amount in shown.values()} <= {*told}
    unit = {"time": "s", "flops": "FLOPs", "bytes": "B", "parameters": ""}[by]
    assert high.endswith(unit)


def test_a_file_of_times_gives_the_profilers_colours(tmp_path):
    trace, prof = timed(run_layers)
    prof.export(str(tmp_path / "times.json"))
    pictures = [
        trace.save(tmp_path / f"{k}.svg", color_by="time", times=times).read_text("utf-8")
        for k, times in enumerate((prof, tmp_path / "times.json", str(tmp_path / "times.json")))
    ]
    assert pictures[0] == pictures[1] == pictures[2]
    assert "Coloured by: Time, logarithmic scale" in pictures[0]
    again = viz.load(trace.save(tmp_path / "trace.json"))
    loaded = again.save(tmp_path / "again.svg", color_by="time", times=tmp_path / "times.json")
    assert loaded.read_text("utf-8") == pictures[0]


def test_each_round_has_its_own_times(tmp_path):
    trace, prof = timed(trainings.simple)
    rounds = [chapter for chapter in trace.chapters if chapter.round is not None]
    assert len(rounds) == 4
    own = [look.colours for look in looks_of(trace, rounds, "time", Form(times=check(prof)))]
    assert len({tuple(cost.amounts.values()) for cost in own}) == 4
    assert len({cost.scale for cost in own}) == 1
    steps = [chapter.first for chapter in rounds]
    assert len(list(film(trace, steps, "en", "time", Form(times=check(prof))))) == 4


def check(prof: profiler.Profiler):
    return check_times("time", prof)


# ----- pages -------------------------------------------------------------------------------------


def options_of(page: str) -> dict[str, object]:
    (options,) = re.findall(r"options = (\{.*\});", page)
    return json.loads(options)


def quantities(book: dict[str, Any]) -> list[list[str]]:
    return [list(read(book, chapter["costs"])) for chapter in book["chapters"]]


def test_a_page_has_times_only_if_they_were_given(tmp_path):
    trace, prof = timed(trainings.simple)
    spans = check(prof)
    assert {*map(tuple, quantities(book_of(trace)))} == {BY[1:]}
    assert {*map(tuple, quantities(book_of(trace, spans)))} == {BY}
    pages = {
        by: trace.save(tmp_path / f"by-{by}.html", color_by=by, times=prof).read_text("utf-8")
        for by in ("", "grad", *BY)
    }
    assert {by: options_of(page).get("colorBy", "") for by, page in pages.items()} == {
        by: by for by in pages
    }
    assert trace.save(tmp_path / "no.html", color_by="bytes").exists()


def test_a_player_begins_with_the_colours_that_show_names():
    trace, prof = timed(run_layers)
    frame = trace.show(iframe=True, color_by="time", times=prof)
    assert frame is not None
    page = html.unescape(frame._repr_html_())
    assert options_of(page)["colorBy"] == "time"
    plain = trace.show(iframe=True)
    assert plain is not None
    assert "colorBy" not in options_of(html.unescape(plain._repr_html_()))


def test_a_widget_has_the_colours_and_times_of_its_call():
    from viz.player import places

    trace, prof = timed(run_layers)
    player = places.player(trace, 0, "", Colours("time", check(prof)))
    assert player.color_by == "time"
    assert quantities(json.loads(inflate(player.told.payload))) == [[*BY]]
    plain = places.player(trace, 0, "")
    assert quantities(json.loads(inflate(plain.told.payload))) == [[*BY[1:]]]


def test_show_raises_for_unknown_colours():
    trace, _ = timed(run_layers)
    _, other = timed(run_pylayer)
    for options, told in (
        ({"color_by": "speed"}, "a picture cannot be coloured by 'speed'"),
        ({"color_by": "time"}, 'color_by="time" needs times, and a trace has none.'),
        ({"times": 3}, "these are no times."),
        ({"times": other}, "these times are not of this trace."),
    ):
        with pytest.raises(InvalidArgument, match=re.escape(told)):
            trace.show(**options)


# ----- errors ------------------------------------------------------------------------------------


@each("other", [lambda: paddle.exp(leaf()), lambda: (run_pylayer(), paddle.exp(leaf()))])
def test_times_of_another_run_are_refused(other, tmp_path):
    trace, _ = timed(run_pylayer)
    _, prof = timed(other)
    for by in ("time", "flops"):
        with pytest.raises(InvalidArgument, match="these times are not of this trace"):
            trace.save(tmp_path / "x.svg", color_by=by, times=prof)
    assert not list(tmp_path.iterdir())


@each(
    ("path", "options", "told"),
    [
        ("x.svg", {"color_by": "time"}, 'color_by="time" needs times'),
        ("x.svg", {"color_by": "grad", "times": "prof"}, "times colour no boxes here"),
        ("x.svg", {"color_by": "time", "times": 3}, "these are no times"),
        ("x.svg", {"color_by": "time", "times": quiet()}, "these are no times"),
        ("x.json", {"color_by": "time", "times": "prof"}, "cannot be coloured by time in"),
    ],
)
def test_wrong_colours_are_refused(path, options, told, tmp_path):
    trace, prof = timed(run_pylayer)
    if options.get("times") == "prof":
        options = {**options, "times": prof}
    with pytest.raises(InvalidArgument, match=told):
        trace.save(tmp_path / path, **options)
    assert not list(tmp_path.iterdir())


# ----- docs/costs.md -----------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "costs.md").read_text(encoding="utf-8")


def test_the_page_does_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(PAGE.partition("```python\n")[2].partition("```")[0], "costs.md", "exec"), names)
    assert {path.name for path in tmp_path.iterdir()} >= {"times.json", "net.svg", "net.png"}
