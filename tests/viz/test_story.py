"""Invariants of every story: wires have ends, languages agree, values are the engine's."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import events
from tests.each import each
from viz.model import Step, Story
from viz.story.sentences.backward import ADDS
from viz.story.sentences.wording import Figure, Mention, digits
from viz.trace import Trace

from . import programs, recordings, stories
from .programs import kept
from .recordings import drawn
from .told import inside, slots_of

SHAPE = re.compile(r"\[[\d?, ]*\]")
COUNT = re.compile(r"this is step t = \d+")  # told by an optimizer's accumulator
EQUALS = re.compile(r"(?<=[^ ] = )−?\d[\d.e−+]*\d|(?<=[^ ] = )−?\d")

MAKERS: dict[str, Callable[[], Trace]] = {
    **{
        make.__name__: lambda make=make: kept(make)
        for make in (*programs.ALL, *stories.ALL, *stories.TOLD, *recordings.ALL)
        if make is not recordings.from_the_middle  # a box is from before
    },
    **{f"drawn {seed}": lambda seed=seed: recordings.drawn(seed) for seed in range(12)},
}


def says(text: str, name: str) -> bool:
    """Say whether a sentence has a name, not as a part of a longer name."""
    return re.search(rf"(?<![\w.@]){re.escape(name)}(?![\w@])", text, re.ASCII) is not None


def names(step: Step) -> set[str]:
    """Return the names that a step may use: `x` for x, dx and x.grad."""
    shown = {part for s in step.shown for part in s.name.split(" = ")}
    return {n.removesuffix(".grad") for n in shown} | {n for n, _ in step.terms}


def numbers(step: Step) -> set[str]:
    """Return the single numbers among the values of a step, as sentences write them."""
    values = [s.value for s in step.shown] + [value for _, value in step.terms]
    data = [value["data"] for value in values if value is not None]
    for _ in range(4):
        data = [one[0] if isinstance(one, list) and len(one) == 1 else one for one in data]
    return {digits(one) for one in data if not isinstance(one, list)}


@each("make", MAKERS.values(), ids=MAKERS)
def test_every_story_is_consistent(make: Callable[[], Trace]) -> None:
    story = make().story
    check_graph(story)
    check_highlights(story)
    check_sentences(story)


@each("way", ["clip_grad_norm_", "unscale_"])
def test_changed_gradients_lead_from_one_group_to_the_optimizer(way: str) -> None:
    v, w = (paddle.to_tensor([3.0, 4.0], stop_gradient=False) for _ in "vw")
    optimizer = paddle.optimizer.SGD(0.1, parameters=[v, w])
    scaler = paddle.amp.GradScaler(way == "unscale_", init_loss_scaling=8.0)
    with viz.record() as trace:
        scaler.scale((v * w).sum()).backward()
        if way == "clip_grad_norm_":
            paddle.nn.utils.clip_grad_norm_([v, w], 1.0)
        scaler.step(optimizer)
    graph = trace.story.graph
    boxes, groups = ({each.id: each for each in row} for row in (graph.nodes, graph.groups))
    labels = {name: str(group.label) for name, group in groups.items()}
    for update in (box for box in graph.nodes if box.kind == "update"):
        [source] = [boxes[edge.source] for edge in graph.edges if edge.target == update.id]
        assert (source.lane, labels[source.group or ""]) == ("optimize", way)
    inside = Counter(str(box.label) for box in graph.nodes if box.lane == "optimize")
    inside -= Counter(["SGD: v", "SGD: w"])
    clip = {"norm": 3, "stack": 1, "+ 1e−6": 1, "1": 1, "÷": 1, "clip": 1, "×": 2}
    unscale = {"× 0.125": 2, "isfinite": 2, "all": 3, "stack": 1, "all(stack(…))": 1}
    assert inside == (clip if way == "clip_grad_norm_" else unscale)


def test_each_sum_of_gradients_is_one_step_and_one_box() -> None:
    """With create_graph, an op computes the sum: its step says that gradients are added."""
    x = paddle.to_tensor([3.0, 2.0], stop_gradient=False)
    with viz.record() as trace:
        y = x * x + x**3
        (g,) = paddle.grad(y.sum(), x, create_graph=True)
        (g * g).sum().backward()
    said = [step.step for step in trace.steps if slots_of(ADDS, step.step)]
    sums = [event for event in trace.events if isinstance(event, events.GradAccumulated)]
    assert [step.kind for step in said] == ["op", "op", *["accumulate"] * 3]
    assert [[each.value for each in step.shown] for step in said] == [
        [event.held.data, event.added.data, event.total.data] for event in sums
    ]
    edges = {edge.id: edge for edge in trace.story.graph.edges}
    for step in said[:2]:
        ends = {edges[wire].target for wire in step.edges}
        assert ends == {step.shown[-1].node}
        assert {edges[wire].kind for wire in step.edges} == {"grad"}


def check_graph(story: Story) -> None:
    """Check that wires have ends, boxes have lanes, and pairs, groups and parents exist."""
    boxes = {node.id: node for node in story.graph.nodes}
    groups = {group.id: group for group in story.graph.groups}
    closed = [group.closed for group in story.graph.groups if group.closed]
    assert len(boxes) == len(story.graph.nodes)
    assert len({edge.id for edge in story.graph.edges}) == len(story.graph.edges)
    for edge in story.graph.edges:
        assert {edge.source, edge.target} <= boxes.keys()
        assert edge.source != edge.target
        if edge.kind == "saved":
            assert boxes[edge.target].lane == "backward"
    pairs = boxes.keys() | {node.id for node in closed} | {None}
    for node in (*story.graph.nodes, *closed):
        assert node.pair in pairs
        assert node.group is None or groups[node.group].lane in (node.lane, "optimize")
    assert {group.parent for group in groups.values()} <= groups.keys() | {None}


def check_highlights(story: Story) -> None:
    """Check that shown boxes exist and were highlighted, and that finally all were."""
    boxes = {node.id for node in story.graph.nodes}
    closed = {group.closed.id for group in story.graph.groups if group.closed}
    ends = {edge.id: {edge.source, edge.target} for edge in story.graph.edges}
    lit: set[str] = set()
    active: set[str] = set()
    for number, step in enumerate(story.steps):
        assert step.index == number
        assert step.kind in ("error", "cut", "finish") or step.nodes
        assert {*step.nodes} <= boxes | closed
        lit |= {*step.nodes}
        active |= {*step.edges}
        assert len({*step.edges}) == len(step.edges)
        for edge in step.edges:  # a wire becomes active with a box that it touches, or after both
            assert ends[edge] & lit, (number, edge)
        for shown in step.shown:
            assert {shown.node, shown.holder} <= boxes | closed | {None}
            assert shown.node is None or shown.node in lit, (number, shown.name)
        for place in filter(None, (step.line, step.forward_line)):
            source = story.sources[place[0]]
            assert 0 <= place[1] - source.first < len(source.lines)
    if story.note is None:
        dark = {name for name in boxes - lit if ".saved" not in name}
        assert not dark
        assert not [name for name in ends.keys() - active if ".saved" not in str(ends[name])]


def check_sentences(story: Story) -> None:
    """Check that both languages have the same names, and the numbers of the step."""
    for step in story.steps:
        english, chinese = step.text.en, step.text.zh
        assert Counter(SHAPE.findall(english)) == Counter(SHAPE.findall(chinese)), english
        assert EQUALS.findall(english) == EQUALS.findall(chinese), english
        if step.kind != "enter":  # which also has arguments as in the code
            assert {*EQUALS.findall(COUNT.sub("", english))} <= numbers(step), english
        for name in names(step):
            assert says(english, name) == says(chinese, name), (name, english, chinese)
        assert english.endswith("."), english
        assert chinese.endswith("。"), chinese
        assert not re.search(r"  |[ .]\.|\( | ,", english.replace("...", "…")), english
        assert not re.search(r"  |[，。；：（、]{2}|（）|[，。：）] ", chinese), chinese


# ----- Sentences and values of random programs agree with the engine -----------------------------


def elements(value: Any) -> Any:
    """Return the elements of an array in an event, or of a value that a step shows."""
    return value["data"] if isinstance(value, dict) else np.asarray(value.data).tolist()


@each("seed", range(30), quick=8)
def test_every_tensor_in_a_sentence_has_its_own_value(seed: int) -> None:
    known: defaultdict[str, list[Any]] = defaultdict(list)
    for step in drawn(seed).steps:
        shown = [one.value for one in step.shown]
        for one in step.shown:
            for name in one.name.split(" = "):
                known[name].append(one.value)
        for mention in inside(step.step.text):
            if not isinstance(mention, (Mention, Figure)) or mention.value is None:
                continue
            if isinstance(mention, Figure):
                assert mention.value in shown, step.text
            else:  # a backward returns the gradient of the tensor that it names
                named = known[mention.called] + known[f"d{mention.called}"] * (
                    step.kind == "return"
                )
                assert mention.value in named, (step.text, mention.called)


@each("seed", range(30), quick=8)
def test_every_step_shows_the_arrays_of_the_engine(seed: int) -> None:
    arrays: list[list[list[Any]]] = []
    computed: list[Any] = []

    def listen(event: events.Event) -> None:
        if isinstance(event, events.OpFinished):
            sides = event.inputs, event.outputs
            rows = [{one.id: elements(one.value) for one in side if one} for side in sides]
            arrays.append([list(row.values()) for row in rows])
        if isinstance(event, events.GradComputed) and event.grad is not None:
            computed.append(elements(event.grad))
        if isinstance(event, events.GradUnbroadcast):
            computed.append(elements(event.before))

    with events.listen(listen):
        trace = drawn(seed)
    told = [step.shown for step in trace.steps if step.kind == "op"]
    for shown, row in zip(told, arrays[-len(told) :], strict=True):  # before: the first tensors
        for role, side in zip(("input", "output"), row, strict=True):
            own = [elements(one.value) for one in shown if one.role == role]
            assert len(own) == len(side)
            assert all(map(is_close, own, side))
    visits = [step.shown for step in trace.steps if step.kind == "visit"]
    for one in (one for shown in visits for one in shown if one.role == "grad_out"):
        assert any(is_close(elements(one.value), grad) for grad in computed), one.name


def is_close(shown: Any, array: Any) -> bool:
    """Compare shown digits, which are the shortest that stand for a float32, with an array."""
    return np.shape(shown) == np.shape(array) and np.allclose(shown, array, rtol=1e-6)
