"""The picture of a round (training iteration) is true; equal rounds have equal pictures."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from tests.each import each
from viz.model import Graph
from viz.story.numbers import without_numbers
from viz.story.sentences.backward import ADDED
from viz.story.structures import reword, without_alarms
from viz.trace import Trace

from . import round_loops as loops
from . import trainings
from .programs import kept
from .told import slots_of


def plain(graph: Graph) -> Graph:
    """Return a graph without texts that depend on values."""
    return reword(without_alarms(graph), without_numbers)


def texts(trace: Trace) -> list[str]:
    return [step.text.en for step in trace.story.steps]


def missing(trace: Trace) -> set[str]:
    """Return the labels of gradients that are reported as missing."""
    return {each.text.en.partition(" ")[0] for each in trace.story.missing.values()}


# ----- structures --------------------------------------------------------------------------------

LOOPS = (*loops.ALL, *trainings.ALL)
STRUCTURES = {
    "epochs": [{0}, {1, 4, 5}, {2, 6}, {3, 7}],  # first, full batch, last batch, evaluation
    "simple": [{0, 1, 2, 3}],
    "players": [{0, 2, 4}, {1, 3, 5}],
    "accumulated": [{0, 1, 2}, {3}],
    "broken": [{0, 1}, {2}],
    "overflowing": [{0, 1, 2, 3, 4, 5}],
    "program": [{0, 1, 2}, {3}, {4}],
    "lenet": [{0}, {1, 4, 5}, {2, 6}, {3, 7}],
    "through_time": [{0}, {1}, {2}],
    "never_cleared": [{0}, {1, 2}],
    "by_hand": [{0}, {1, 2}],
    "new_leaves": [{0, 1, 2}],
    "second_time": [{0}, {1}],
    "nan": [{0}, {1, 2, 3, 4}],
    "own_gradients": [{0}, {1, 2}],
}

# Loops whose rounds differ in more than a first gradient that is added to nothing.
GRAPHS = {
    "epochs": 3, "players": 2, "accumulated": 2, "broken": 2, "program": 3, "lenet": 3,
    "through_time": 3, "never_cleared": 2, "second_time": 2,
}  # fmt: skip


@each("make", LOOPS)
def test_rounds_of_equal_work_have_one_structure_and_one_graph(make: Callable[[], Trace]) -> None:
    trace = kept(make)
    assert [{*each.rounds} for each in trace.structures] == STRUCTURES[make.__name__]
    chapters = [each for each in trace.chapters if each.round is not None]
    graphs = {plain(chapter.trace.story.graph) for chapter in chapters}
    assert len(graphs) == GRAPHS.get(make.__name__, 1)
    assert len({each.graph for each in trace.structures}) == len(graphs)
    rows = [(step.kind, step.line) for step in trace.steps]
    assert rows == [(step.kind, step.line) for step in trace.story.steps]
    assert [step.index for step in trace.steps] == [*range(len(trace))]
    rounds = [each.round for each in chapters]
    assert rounds == sorted(set(rounds))


# ----- effects of earlier rounds -----------------------------------------------------------------


def test_a_round_before_the_first_backward_has_no_gradient() -> None:
    net = paddle.nn.Linear(2, 1)
    x, _ = loops.rows(3, 2)
    with viz.record() as trace:
        for k in viz.rounds(range(2)):
            y = net(x).sum()
            if k:
                y.backward()
    assert "net.weight.grad" in missing(trace.round(0))
    assert missing(trace.round(1)) == {"x.grad"}


def test_tensors_of_earlier_rounds_are_in_their_layer() -> None:
    inner, outer = paddle.nn.Linear(3, 3), paddle.nn.Linear(2, 3)
    h = paddle.zeros([1, 3])
    with viz.record() as trace:
        for k in viz.rounds(range(2)):
            x = loops.rows(1, 2, seed=k)[0]
            h = paddle.tanh(outer(x) + inner(h))
            h.sum().backward(retain_graph=True)
    graph = trace.round(1).story.graph
    layers = [str(group.label) for group in graph.groups if group.lane == "forward"]
    assert sorted(layers) == ["Linear inner", "Linear inner", "Linear outer", "Linear outer"]


# ----- updates by hand ---------------------------------------------------------------------------


def set_value(w: Any) -> None:
    w.set_value(w - 0.1 * w.grad)


def copy(w: Any) -> None:
    w.copy_(w - 0.1 * w.grad, True)


def new_data(w: Any) -> None:
    w.data = w.data - 0.1 * w.grad


def by_position(w: Any) -> None:
    with paddle.no_grad():
        w[:] = w - 0.1 * w.grad


@each("update", [set_value, copy, new_data, by_position])
def test_an_update_that_overwrites_a_weight_is_a_step(update: Callable[[Any], None]) -> None:
    """The last step of a round writes the new weight; the next round begins with it."""
    w = loops.weight(3, 1)
    with viz.record() as trace:
        for _ in range(3):
            (w * w).sum().backward()
            update(w)
            w.clear_grad()
    for number in range(3):
        part = trace.round(number)
        steps = [step for step in part.steps if step.phase == "optimize"]
        boxes = {node.id: node for node in part.story.graph.nodes}
        assert steps == list(part.steps[-3:])
        ops = [[name for name in step.step.nodes if boxes[name].kind == "op"] for step in steps]
        made, written = ops[1][-1], ops[2][-1]
        assert str(boxes[made].label) == "−"
        assert boxes[written].lane == "optimize"
        assert (made, written) in {(wire.source, wire.target) for wire in part.story.graph.edges}
    values = [
        [shown.value["data"] for shown in trace.round(number).steps[at].step.shown]
        for number, at in ((0, -1), (1, 0))
    ]
    assert values[0][-1] == values[1][0]


# ----- single iterations -------------------------------------------------------------------------

OPS: dict[str, Callable[[Any, Any], Any]] = {
    "tanh": lambda x, y: paddle.tanh(x),
    "square": lambda x, y: x.square(),
    "add": lambda x, y: x + y,
    "product": lambda x, y: x * y,
    "relu": lambda x, y: paddle.nn.functional.relu(x - y),
    "own": lambda x, y: loops.cus_tanh.apply(x),
}


def turn(ops: list[str], seed: int) -> None:
    """Run one loop iteration that carries nothing over."""
    x, y = loops.weight(2, 3, seed=seed), loops.weight(3, seed=seed + 100)
    z = x
    for op in ops:
        z = OPS[op](z, y)
    loss = (z * z).mean()
    loss.backward()


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.sampled_from(sorted(OPS)), max_size=4), min_size=2, max_size=4))
def test_a_round_equals_a_recording_of_its_iteration_alone(bodies: list[list[str]]) -> None:
    with viz.record(variables={}) as whole:
        for seed, body in enumerate(viz.rounds(bodies)):
            turn(body, seed)
    for seed, body in enumerate(bodies):
        with viz.record(variables={}) as alone:
            turn(body, seed)
        part = whole.round(seed)
        assert part.story.graph == alone.story.graph
        assert [step.text for step in part.story.steps] == [step.text for step in alone.story.steps]
        assert part.story.memory == alone.story.memory
        assert part.story.missing == alone.story.missing


# ----- files -------------------------------------------------------------------------------------


@each("make", LOOPS, quick=6)
def test_a_file_gives_the_same_rounds(make: Callable[[], Trace], tmp_path: Path) -> None:
    trace = kept(make)
    again = viz.load(trace.save(tmp_path / "whole.json"))
    assert again == trace
    assert repr(again.rounds) == repr(trace.rounds)  # a NaN is not equal to itself
    assert again.structures == trace.structures
    for before, after in zip(trace.chapters, again.chapters, strict=True):
        assert (before.first, before.round) == (after.first, after.round)
        alone = viz.load(before.trace.save(tmp_path / "part.json"))
        for part in (after.trace, alone):
            assert part.story.graph == before.trace.story.graph
            assert part.story.steps == before.trace.story.steps
            assert part.story.missing == before.trace.story.missing
            assert part.story.odd == before.trace.story.odd
            assert part.title == before.trace.title
        assert alone.document == before.trace.document


DAMAGE: list[tuple[str, Callable[[Any], Any]]] = [
    (r"rounds\[0\]\.kind", lambda rounds: [{**rounds[0], "kind": "walk"}]),
    (r"rounds\[0\]\.names", lambda rounds: [{key: rounds[0][key] for key in ("kind", "events")}]),
    (r"rounds\[0\]\.events", lambda rounds: [{**rounds[0], "events": [3, 2]}]),
    (r"rounds\[0\]\.events", lambda rounds: [{**rounds[0], "events": [0, 10**6]}]),
    (r"rounds\[1\]\.events", lambda rounds: [rounds[1], rounds[0]]),
    (r"rounds\[0\]\.loss", lambda rounds: [{**rounds[0], "loss": "low"}]),
    (r"rounds\[0\]\.sizes\[0\]\[2\]", lambda rounds: [{**rounds[0], "sizes": [[1, 0.5, "x"]]}]),
]


@each(("where", "harm"), DAMAGE)
def test_damaged_rounds_are_refused(where: str, harm: Callable[[Any], Any]) -> None:
    document = json.loads(kept(trainings.epochs).dumps())
    document["rounds"] = harm(document["rounds"])
    with pytest.raises(InvalidArgument, match=rf"{where} is wrong\.\n +expected .*\n +received "):
        Trace(document)


@each(
    "harm",
    [{"events": -1}, {"events": 10**6}, {"odd": ["odd"]}, {"reached": ["w"]}, {"reached": 3}],
)
def test_a_part_with_a_wrong_past_is_an_error(harm: dict[str, Any]) -> None:
    document = json.loads(kept(trainings.epochs).round(1).dumps())
    document["before"] |= harm
    with pytest.raises(InvalidArgument, match=r"before.* is wrong\.\n +expected "):
        Trace(document)


# ----- How a structure differs from the commonest, in rare cases ---------------------------------


def test_a_gradient_that_happens_to_be_zero_is_reported() -> None:
    w = paddle.create_parameter([1], "float32")
    with viz.record("zero") as trace:
        for factor in viz.rounds((1.0, 1.0, 0.0, 1.0)):
            for _ in range(2):
                (w * factor).sum().backward()
            w.clear_gradient(False)
    told = [each.differs.en for each in trace.structures]
    assert told == ["", "an old .grad to add to is all zeros"]
    assert trace.structures[1].rounds == (2,)


def test_more_equal_inputs_are_no_bigger_batch() -> None:
    x, w = paddle.ones([1, 2]), paddle.create_parameter([2, 2], "float32")
    with viz.record("inputs") as trace:
        for number in (1, 1, 2):
            (paddle.add_n([x] * number) @ w).sum().backward()
            w.clear_gradient(False)
    assert [each.differs.en for each in trace.structures] == ["", "other steps"]


def test_a_round_that_differs_only_in_its_line_names_the_line() -> None:
    w: Any = paddle.create_parameter([1], "float32")
    with viz.record("lines") as trace:
        for i in range(3):
            if i == 1:
                (w * 2.0).mean().backward()
            else:
                (w * 2.0).mean().backward()
            w.clear_gradient(False)
    usual, other = trace.structures
    assert (usual.rounds, other.rounds) == ((0, 2), (1,))
    line = next(e.place.line for e in trace.round(1).events if getattr(e, "place", None))
    assert other.differs.en == f"other lines of code: tests/viz/test_round_stories.py:{line}"


def test_rounds_of_one_line_with_other_rules_differ() -> None:
    w: Any = paddle.create_parameter([1], "float32")
    clip = paddle.nn.ClipGradByGlobalNorm(0.5)
    plain, decayed, clipped = (
        paddle.optimizer.SGD(0.1, parameters=[w], **how)
        for how in ({}, {"weight_decay": 0.5}, {"grad_clip": clip})
    )
    with viz.record("rules") as trace:
        for sgd in (plain, decayed, plain, clipped, plain):
            w.mean().backward()
            sgd.step()
            sgd.clear_grad()
    assert {each.rounds for each in trace.structures} == {(0,), (1,), (2, 4), (3,)}
    for number, sign in ((1, "g ← g + 0.5 p"), (3, "max(‖∇‖, 0.5)")):
        (own,) = (each for each in trace.structures if number in each.rounds)
        assert all(sign in text for text in own.differs.by_language().values())


def test_a_result_without_a_name_is_called_by_its_formula() -> None:
    x = paddle.to_tensor([1.0, 2.0])
    with viz.record("nameless") as trace:
        for _ in viz.rounds(range(3)):
            x = x * 2.0
            x.sum()
    (alike,) = trace.structures
    assert [str(n.label) for n in alike.graph.nodes if n.kind == "result"] == ["sum(x#2)"]


def test_a_gradient_of_the_same_round_is_no_old_one() -> None:
    w = paddle.create_parameter([1], "float32")
    opt = paddle.optimizer.SGD(0.1, parameters=[w])
    with viz.record() as trace:
        for k in range(3):
            mse, l1, decay = (w * w).sum(), (w * 3.0).sum(), (w * 2.0).sum()
            mse.backward()
            l1.backward()
            decay.backward()
            opt.step()
            if k == 0:
                opt.clear_grad(set_to_zero=False)
    told = [
        [
            slots["roots"].of("en") if "roots" in slots else why
            for step in trace.round(number).story.steps
            for why in ("earlier", "old")
            for slots in slots_of(ADDED[why], step)
        ]
        for number in range(3)
    ]
    assert told == [["mse", "mse and l1"], ["mse", "mse and l1"], ["old", "old", "old"]]
