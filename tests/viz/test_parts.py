"""The inside of cond, while_loop, case and static_pylayer is explained and drawn as it ran."""

import contextlib
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events, static
from minipaddle.static import interpreter, observed_run
from tests.each import each
from tests.static.world import fresh
from viz.model import Step, Story, around
from viz.story.programs import Programs
from viz.story.sentences import programs
from viz.trace import Trace

from . import recordings, stories
from .told import slots_of

Row = tuple[str, dict[str, Any], dict[str, Any]]  # type, inputs and outputs by name
MAKES = ("output", "grad_out")  # roles of results


# ----- random programs ---------------------------------------------------------------------------


def drawn(seed: int) -> Callable[[], Trace]:
    """Return a recording of a random Program of nested branches and loops, run three times."""
    choose = random.Random(seed)

    def expression(x: Any, w: Any, depth: int) -> Any:
        kind = choose.choice(("cond", "while", "case", "op") if depth else ("op",))
        if kind == "cond":
            below = choose.uniform(-1.0, 1.0)
            return static.nn.cond(
                x.mean() > below,
                lambda: expression(x, w, depth - 1),
                lambda: expression(x - w, w, depth - 1),
            )
        if kind == "case":
            pairs = [(x.min() > at, lambda: expression(x, w, depth - 1)) for at in (0.5, -0.5)]
            return static.nn.case(pairs, lambda: w * x)
        if kind == "while":
            count = choose.randrange(4)
            start = paddle.zeros([1], "int64")
            return static.nn.while_loop(
                lambda i, y: i < count,
                lambda i, y: [i + 1, expression(y, w, depth - 1)],
                [start, x],
            )[1]
        return choose.choice((lambda: paddle.tanh(x * w), lambda: x * x - w, lambda: x * 0.5))()

    def record() -> Trace:
        paddle.seed(seed)
        with fresh() as (main, _), viz.record() as trace:
            x, w = static.data("x", [3]), static.data("w", [3])
            x.stop_gradient = w.stop_gradient = False
            y = expression(x, w, 2)
            grads = [g for g in static.gradients((y * w).sum(), [x, w]) if g is not None]
            numbers = np.random.RandomState(seed)
            for _ in range(3):
                feed = {name: numbers.randn(3).astype("float32") for name in "xw"}
                static.Executor().run(main, feed=feed, fetch_list=[y, *grads])
        return trace

    return record


MADE: dict[str, Callable[[], Any]] = {
    **{f"drawn {seed}": drawn(seed) for seed in range(12)},
    "repeated": recordings.repeated,
    "own_gradient": recordings.own_gradient,
}


# ----- what ran ----------------------------------------------------------------------------------


def witnessed(make: Callable[[], Any], patch: pytest.MonkeyPatch) -> tuple[Trace, list[Row]]:
    """Return a recording, and all operators of observed runs in their order, from their kernels."""
    ran: list[Row] = []

    def results_of(step: Any, arguments: list[Any], **more: Any) -> Any:
        given = by_name(step.operator.arguments, arguments)
        results = interpreter.results_of(step, arguments, **more)
        ran.append((step.operator.type, given, by_name(step.operator.results, results)))
        return results

    patch.setattr(observed_run, "results_of", results_of)
    return make(), ran


def by_name(names: Any, arrays: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, array in zip(names, arrays, strict=True):
        if isinstance(name, tuple):
            found |= by_name(name, array)
        elif name and array is not None:
            found[name] = np.array(array)
    return found


def told(story: Story, kind: str = "execute") -> Iterator[Step]:
    return (step for step in story.steps if step.kind == kind)


def shown(step: Step, roles: tuple[str, ...]) -> dict[str, Any]:
    return {each.name: each.value["data"] for each in step.shown if each.role in roles}


def differences(trace: Trace, ran: list[Row]) -> list[str]:
    """List where the steps of a story differ from what ran, by names, order and values."""
    types = {(e.program, e.index): e.type for e in trace.events if hasattr(e, "forward_of")}
    names = trace.variables
    found, rows = [], list(told(trace.story))
    if len(rows) != len(ran):
        return [f"{len(rows)} steps tell of {len(ran)} operators"]
    for step, (kind, given, made) in zip(rows, ran, strict=True):
        event = trace.events[step.record]
        where = f"step {step.index + 1}"
        if types[event.program, event.index] != kind:
            found.append(f"{where} is of {kind}")
        own = names.get(event.program, {})
        for roles, wanted in ((("input", "grad_in"), given), (("output", "grad_out"), made)):
            said = shown(step, roles)
            for name, array in wanted.items():
                base, _, more = name.partition("@")
                called = own.get(base, base) + (f"@{more}" if more else "")
                if not np.array_equal(np.array(said.get(called), array.dtype), array):
                    found.append(f"{where}: {called} is {said.get(called)}, and was {array}")
    return found


def astray(trace: Trace) -> list[str]:
    """List the values that no wire of their step brings from the box that has them."""
    story, found = trace.story, []
    edges = {edge.id: edge for edge in story.graph.edges}
    holds: dict[str, list[Any]] = {}
    for step in story.steps:
        wires = [edges[name] for name in step.edges if name in edges]
        if step.kind == "run":
            holds = {row.node: [row.value["data"]] for row in step.shown if row.node}
        if step.kind == "part":
            for wire in wires:
                holds[wire.target] = [*holds.get(wire.source, ())]
        if step.kind != "execute":
            continue
        box = step.shown[-1].node if step.shown else None
        own = {box, *ports(story, box)}
        for row in step.shown:
            if row.role not in ("input", "grad_in") or is_zero(row.value["data"]):
                continue  # zeros stand in place of a gradient that does not exist
            sources = [wire.source for wire in wires if wire.target in own]
            sources += [f"{wire.source} read" for wire in wires if wire.kind == "saved"]
            if not any(row.value["data"] in holds.get(source, ()) for source in sources):
                found.append(f"step {step.index + 1}: {row.name} comes from nowhere")
        for name in (name for name in own if ".in" not in str(name)):
            holds[f"{name} read"] = [x.value["data"] for x in step.shown if x.role == "input"]
            holds[str(name)] = [x.value["data"] for x in step.shown if x.role in MAKES]
    return found


def ports(story: Story, box: str | None) -> list[str]:
    """Return the ports of an operator that opens."""
    frames = {group.id for group in story.graph.groups if group.closed and group.closed.id == box}
    return [node.id for node in story.graph.nodes if node.group in frames and node.kind == "port"]


def is_zero(data: Any) -> bool:
    return not np.any(np.array(data, float))


@each(("name", "make"), MADE.items(), ids=MADE)
def test_the_steps_are_what_ran(name: str, make: Callable[[], Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        trace, ran = witnessed(make, patch)
    assert not differences(trace, ran)
    assert not astray(trace)


@each(("name", "make"), MADE.items(), ids=MADE)
def test_operators_stand_in_the_frames_of_those_that_run_them(
    name: str, make: Callable[[], Any]
) -> None:
    trace = make()
    assert not strays(trace)


def strays(trace: Trace) -> list[str]:
    """List the operators that do not stand in as many operators' frames as run them."""
    graph, found = trace.story.graph, []
    groups = {group.id: group for group in graph.groups}
    homes = {node.id: node.group for node in graph.nodes}
    homes |= {group.closed.id: group.parent for group in graph.groups if group.closed}
    depths, depth = {}, 0
    for at, event in enumerate(trace.events):
        depth += isinstance(event, events.PartEntered) - isinstance(event, events.PartLeft)
        depths[at] = depth
    for step in told(trace.story):
        frames = around(groups, homes[step.shown[-1].node or ""])
        inside = [frame for frame in frames if frame.endswith(".inside")]
        if len(inside) != depths[step.record]:
            found.append(f"step {step.index + 1} stands in {frames}")
    return found


# ----- damage is noticed -------------------------------------------------------------------------


def test_a_corrupted_order_or_value_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    trace, ran = witnessed(stories.looping, monkeypatch)
    assert not differences(trace, ran)
    inner = [at for at, row in enumerate(ran) if row[0] == "tanh"]
    swapped = [*ran]
    swapped[inner[0]], swapped[inner[1]] = swapped[inner[1]], swapped[inner[0]]
    assert differences(trace, swapped)
    kind, given, made = ran[inner[2]]
    other = [*ran]
    other[inner[2]] = kind, given, {name: array + 1 for name, array in made.items()}
    assert differences(trace, other)
    assert differences(trace, [row for at, row in enumerate(ran) if at != inner[1]])


def test_turns_that_are_not_wired_to_each_other_are_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bind = Programs._bind
    monkeypatch.setattr(
        Programs, "_bind", lambda self, part, home: bind(self, part, replace(home, turn=-1))
    )
    assert astray(stories.looping())


def test_parts_outside_of_their_frames_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Programs, "_part_frame", lambda self, operator, *_: operator.box)
    trace = stories.branching()
    with pytest.raises((AssertionError, KeyError)):
        assert not strays(trace)


# ----- pictures ----------------------------------------------------------------------------------


def test_turns_of_a_loop_are_frames_of_which_few_are_open() -> None:
    groups = stories.looping().story.graph.groups
    rows = [(g.lane, viz.model.label_of(g, "en"), g.open_at_first) for g in groups]
    assert [row for row in rows if row[0] == "forward"] == [
        ("forward", "while", True),
        ("forward", "iteration 1", True),
        ("forward", "iteration 2", False),
        ("forward", "iteration 3", False),
    ]
    assert {row[1] for row in rows if row[0] == "backward"} == {
        "while_grad",
        "backward of iteration 1",
        "backward of iteration 2",
        "backward of iteration 3",
    }
    assert {g.kind for g in groups} == {"loop", "turn"}


def test_many_turns_are_not_put_into_further_blocks() -> None:
    with fresh() as (main, _), viz.record() as trace:
        x = static.data("x", [2])
        body = lambda i, y: [i + 1, paddle.tanh(y * x)]  # noqa: E731
        y = static.nn.while_loop(lambda i, y: i < 30, body, [paddle.zeros([1], "int64"), x])[1]
        static.Executor().run(main, feed={"x": np.ones(2, "float32")}, fetch_list=[y])
    kinds = [group.kind for group in trace.story.graph.groups]
    assert kinds.count("turn") == 30
    assert set(kinds) == {"loop", "turn"}


def test_a_loop_says_of_which_iterations_it_adds_gradients() -> None:
    """The values of the named gradients add up to the one of their sum."""
    story = stories.looping().story
    makes = [step for step in story.steps if slots_of(programs.OF_TURN, step)]
    parts = [(step, *slots_of(programs.OF_TURN, step)) for step in makes]
    assert [slots["number"] for _, slots in parts] == [3, 2, 1]
    end = next(step for step in story.steps if slots_of(programs.SUMS, step))
    ((sums,), (first,)) = slots_of(programs.SUMS, end), slots_of(programs.OF_FIRST_TURN, end)
    own = [data_of(step, str(*sums["own"].items)) for step in makes]
    np.testing.assert_allclose(np.sum(own, 0), data_of(end, str(*sums["names"].items)), 1e-6)
    carried = data_of(makes[-1], str(*first["own"].items))
    assert carried == data_of(end, str(*first["names"].items)) != data_of(end, "w@GRAD")
    assert sums["count"] == 3


def data_of(step: Step, name: str) -> Any:
    """Return the elements of a result of a step."""
    (value,) = [each.value for each in step.shown if each.name == name and each.role in MAKES]
    assert value
    return value["data"]


def test_frames_in_dynamic_mode() -> None:
    story = stories.framed().story
    labels = {group.id: viz.model.label_of(group, "en") for group in story.graph.groups}
    assert sorted(labels.values()) == [
        "cond true_fn",
        "cond true_fn backward",
        "while",
        "while backward",
    ]
    inside: dict[str, list[str]] = {}
    for node in story.graph.nodes:
        inside.setdefault(labels.get(node.group or "", ""), []).append(
            viz.model.label_of(node, "en")
        )
    assert inside["cond true_fn"] == ["tanh", "× 2"]
    assert inside["while"] == ["<", "+ 1", "×", "<", "+ 1", "×", "<"]
    assert inside["cond true_fn backward"] == ["× 2 backward", "tanh backward"]
    assert inside["while backward"] == ["multiply backward", "multiply backward"]


def test_turns_in_dynamic_mode() -> None:
    x = paddle.to_tensor([0.5, 0.25], stop_gradient=False)
    body = lambda i, y: [i + 1, paddle.tanh(y * x) + x]  # noqa: E731
    with viz.record() as trace:
        _, y = static.nn.while_loop(lambda i, y: i < 12, body, [paddle.to_tensor(0), x])
        y.sum().backward()
    kinds = [group.kind for group in trace.story.graph.groups if group.lane == "forward"]
    assert kinds == ["control", "loop", *["turn"] * 12]


# ----- nothing else changes ----------------------------------------------------------------------


def test_nothing_is_reported_while_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    def emit(event: Any) -> None:
        raise AssertionError(event)

    monkeypatch.setattr(events, "emit", emit)
    with fresh() as (main, _):
        x = static.data("x", [2])
        x.stop_gradient = False
        y = static.nn.cond(x.max() > 0, lambda: x * 2.0, lambda: x)
        y = static.nn.while_loop(lambda y: y.sum() < 9.0, lambda y: [y * 2.0], [y])[0]
        (dx,) = static.gradients(y.sum(), x)
        for _ in range(3):
            static.Executor().run(main, feed={"x": np.ones(2, "float32")}, fetch_list=[y, dx])
    one = paddle.to_tensor(1.0)
    assert static.nn.cond(one > 0, lambda: one + 1.0).item() == 2.0


def test_an_operator_that_fails_in_a_branch_is_marked_there() -> None:
    def wrong(x: Any) -> Any:
        raise ValueError("no idea how")

    def branch() -> Any:
        out = static.default_main_program().current_block().create_var("out", [2], "float32")
        static.py_func(wrong, paddle.assign(x), out)
        return out

    with fresh() as (main, _), viz.record() as trace:
        x = static.data("x", [2])
        y = static.nn.cond(x.max() > 0, branch, lambda: x * 2.0)
        for row in ([1.0, 2.0], [-1.0, -2.0]):
            with contextlib.suppress(ValueError):
                static.Executor().run(main, feed={"x": np.float32(row)}, fetch_list=[y])
    story = trace.story
    error = next(told(story, "error"))
    assert "no idea how" in error.text.en
    marked = [g.closed for g in story.graph.groups if g.closed and g.closed.id in error.nodes]
    assert [node.kind for node in marked if node] == ["py_func"]
    assert [(node.group or "").rpartition(".")[2] for node in marked if node] == ["true_fn"]
    assert [step.text.en for step in told(story, "part")][-1].endswith("runs false_fn.")
    assert story.steps[-1].kind == "finish"
    assert "idle" not in {badge.kind for group in story.graph.groups for badge in group.badges}


@each(
    ("filters", "told_of"),
    [
        ({"only": "cond"}, ["tanh", "scale", "cond", "tanh", "scale", "scale", "tanh_grad"]),
        ({"only": "tanh"}, []),
        ({"skip": "tanh"}, ["reduce_max", "fill_constant", "greater_than", "scale", "cond"]),
        ({"skip": "cond"}, ["reduce_max", "fill_constant", "greater_than", "reduce_sum"]),
    ],
)
def test_filters_keep_the_inside_of_an_operator_with_it(
    filters: dict[str, str], told_of: list[str]
) -> None:
    with fresh() as (main, _), viz.record(**filters) as trace:
        x = static.data("x", [3])
        x.stop_gradient = False
        y = static.nn.cond(x.max() > 1.0, lambda: paddle.tanh(x) * 2.0, lambda: x - 1.0)
        (dx,) = static.gradients([paddle.sum(y)], [x])
        static.Executor().run(main, feed={"x": np.ones(3, "float32") * 2}, fetch_list=[y, dx])
    types = {(e.program, e.index): e.type for e in trace.events if hasattr(e, "forward_of")}
    ran = [trace.events[step.record] for step in told(trace.story)]
    names = [types[event.program, event.index] for event in ran]
    assert names[: len(told_of)] == told_of
    assert trace.picture.boxes or not names


def test_values_of_parts_are_stale_once_what_the_operator_reads_has_changed() -> None:
    trace = stories.branching()
    changed = trace.what_if({"x": [0.25, 0.5, 0.75]})  # then the other branch would run
    for step, was in zip(told(changed.story), told(trace.story), strict=True):
        event = trace.events[step.record]
        for row, before in zip(step.shown, was.shown, strict=True):
            sure = (event.program, row.name) in {
                (1, "x"),
                (1, "max_0.tmp_0"),
                (1, "tmp_0"),
                (1, "big"),
            }
            is_stale = bool(row.value and row.value.get("stale"))
            kept = row.value and before.value and row.value["data"] == before.value["data"]
            assert is_stale != sure, (step.text.en, row)
            assert kept or sure


@each("make", (stories.branching, stories.looping, drawn(2), recordings.repeated))
def test_a_saved_trace_has_the_same_story(make: Callable[[], Any], tmp_path: Path) -> None:
    trace = make()
    again = viz.load(trace.save(tmp_path / "trace.json"))
    assert [step.text for step in again.story.steps] == [step.text for step in trace.story.steps]
    assert again.story.graph == trace.story.graph
    rows = [[*values_told(each.trace.story)] for each in trace.chapters]
    assert [row for each in rows for row in each] == [*values_told(trace.story)]


def values_told(story: Story) -> Iterator[Any]:
    """Yield the kinds of the steps of a run, with the values that they show."""
    for step in story.steps:
        if step.kind in ("part", "execute"):
            yield step.kind, [(row.name, row.value and row.value["data"]) for row in step.shown]
