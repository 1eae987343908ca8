"""What holds for every story: wires have ends, both languages say one thing, memory adds up."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable

import pytest

import minipaddle as paddle
import viz
from viz.model import Shown, Step
from viz.story.sentences.wording import digits
from viz.trace import Trace

from . import programs, stories

SHAPE = re.compile(r"\[[\d?, ]*\]")
EQUALS = re.compile(r"(?<=[^ ] = )−?\d[\d.e−+]*\d|(?<=[^ ] = )−?\d")
UNARY = (paddle.tanh, paddle.exp, paddle.square, paddle.abs, lambda x: x * 2.0, lambda x: x.T.T)
BINARY = (paddle.add, paddle.subtract, paddle.multiply, paddle.maximum)


class Sum(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a)
        return a + b

    @staticmethod
    def backward(ctx, dout):
        return dout, dout * 1.0


def drawn(seed: int) -> Trace:
    """A program of ops and PyLayers drawn at random, forward and backward."""
    choice = random.Random(seed)
    shapes = ([2, 3], [3], [1, 3], [2, 1])
    tensors = [paddle.rand(choice.choice(shapes)) for _ in range(3)]
    tensors.append(paddle.rand([2, 3]))
    for tensor in tensors:
        tensor.stop_gradient = choice.random() < 0.3
    tensors[-1].stop_gradient = False
    with viz.record() as trace:
        for _ in range(8):
            one, other = choice.sample(tensors, 2)
            kind = choice.randrange(5)
            if kind < 2:
                tensors.append(choice.choice(UNARY)(one))
            elif kind < 4:
                tensors.append(choice.choice(BINARY)(one, other))
            else:
                same = one + tensors[3] * 0.0, other + tensors[3] * 0.0
                tensors.append(Sum.apply(*same))
        loss = (tensors[-1] * tensors[3]).sum()
        loss.backward()
    return trace


RECORDED: list[Callable[[], Trace]] = [*programs.ALL, *stories.ALL]
every_story = pytest.mark.parametrize(
    "make",
    [*RECORDED, *(lambda seed=seed: drawn(seed) for seed in range(12))],
    ids=[*(make.__name__ for make in RECORDED), *(f"drawn {seed}" for seed in range(12))],
)


def says(text: str, name: str) -> bool:
    """Whether a sentence names a tensor, which is no part of a longer name."""
    return re.search(rf"(?<![\w.@]){re.escape(name)}(?![\w@])", text, re.ASCII) is not None


def names(step: Step) -> set[str]:
    """What a step could name: `x` for x, dx and x.grad alike."""
    shown = {part for s in step.shown for part in s.name.split(" = ")}
    return {n.removesuffix(".grad") for n in shown} | {n for n, _ in step.terms}


def numbers(step: Step) -> set[str]:
    """The single numbers among the values of a step, as sentences write them."""
    values = [s.value for s in step.shown] + [value for _, value in step.terms]
    data = [value["data"] for value in values if value is not None]
    for _ in range(4):
        data = [one[0] if isinstance(one, list) and len(one) == 1 else one for one in data]
    return {digits(one) for one in data if not isinstance(one, list)}


@every_story
def test_a_story_holds_together(make: Callable[[], Trace]) -> None:
    trace = make()
    story = trace.story
    boxes = {node.id: node for node in story.graph.nodes}
    groups = {group.id: group for group in story.graph.groups}
    closed = {group.closed.id for group in story.graph.groups if group.closed}

    # The graph: every wire has two ends, every box its lane.
    assert len({edge.id for edge in story.graph.edges}) == len(story.graph.edges)
    for edge in story.graph.edges:
        assert {edge.source, edge.target} <= boxes.keys()
        assert edge.source != edge.target
        if edge.kind == "saved":
            assert boxes[edge.target].lane == "backward"
    for node in boxes.values():
        assert node.group is None or groups[node.group].lane in (node.lane, "optimize")

    # The steps: whoever is shown is there, and what is asked for was lit.
    lit: set[str] = set()
    for number, step in enumerate(story.steps):
        assert step.index == number
        lit |= set(step.nodes)
        assert len(set(step.edges)) == len(step.edges)
        for shown in step.shown:
            assert {shown.node, shown.holder} <= boxes.keys() | closed | {None}
            assert shown.node is None or shown.node in lit, (number, shown.name)
        for place in filter(None, (step.line, step.forward_line)):
            source = story.sources[place[0]]
            assert 0 <= place[1] - source.first < len(source.lines)

    # A wire becomes active with a box that it touches, or after both.
    ends = {edge.id: {edge.source, edge.target} for edge in story.graph.edges}
    there: set[str] = set()
    for step in story.steps:
        there |= set(step.nodes)
        for edge in step.edges:
            assert ends[edge] & there, (step.index, edge)


@every_story
def test_both_languages_say_the_same(make: Callable[[], Trace]) -> None:
    for step in make().story.steps:
        english, chinese = step.text["en"], step.text["zh"]
        assert Counter(SHAPE.findall(english)) == Counter(SHAPE.findall(chinese)), english
        assert EQUALS.findall(english) == EQUALS.findall(chinese), english
        for name in names(step):
            assert says(english, name) == says(chinese, name), (name, english, chinese)
        assert english.endswith("."), english
        assert chinese.endswith("。"), chinese
        assert not re.search(r"  |[ .]{2}\.|\( | ,", english), english
        assert not re.search(r"  |[，。；：（、]{2}|（）", chinese), chinese


@every_story
def test_numbers_in_sentences_are_those_of_the_step(make: Callable[[], Trace]) -> None:
    for step in make().story.steps:
        for number in EQUALS.findall(step.text["en"]):
            assert number in numbers(step), step.text["en"]


@every_story
def test_the_memory_of_a_step_is_that_of_the_values_that_stay(make: Callable[[], Trace]) -> None:
    memory = make().story.memory
    for number, live in enumerate(memory.live):
        rows = [[s for s in r.stays if s.first <= number <= s.last] for r in memory.rows]
        assert sum(max(stay.nbytes for stay in stays) for stays in rows if stays) == sum(live)
    for row in memory.rows:
        assert row.nbytes == max(stay.nbytes for stay in row.stays)
        assert all(0 <= stay.first <= stay.last < len(memory.live) for stay in row.stays)


@every_story
def test_the_first_odd_number_is_where_the_story_says(make: Callable[[], Trace]) -> None:
    story = make().story
    for what in ("nan", "inf"):
        steps = [step.index for step in story.steps if any(has(s, what) for s in step.shown)]
        assert story.odd.get(what) == (steps[0] if steps else None)


def has(shown: Shown, what: str) -> bool:
    return bool(shown.value and shown.value["stats"].get(what))


def test_gradients_of_what_was_made_before_are_called_as_the_code_does() -> None:
    """A node that was made before has no number among the tensors: it is called by who read it."""
    x = programs.leaf()
    h = paddle.tanh(x * 3.0)
    with viz.record() as trace:
        loss = (h * 2.0).sum()
        loss.backward()
    said = [view.text for view in trace.steps if view.kind == "visit"]
    assert "it computes the gradient of h [2, 3]." in said[1]
    assert "from the gradient of h [2, 3] it computes the gradient of ? [2, 3]." in said[2]
    assert "from the gradient of ? [2, 3] it computes the gradient of x [2, 3]." in said[3]
