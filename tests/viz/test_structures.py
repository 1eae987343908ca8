"""Texts about how a structure differs from the commonest agree with the raw events."""

import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import events
from tests.each import each
from viz.model import Structure
from viz.trace import Trace

from . import programs, trainings


def shapes(trace: Trace) -> list[tuple[int, ...]]:
    """Return the shapes of all results of ops, and of a Program's operators."""
    found: list[tuple[int, ...]] = []
    for event in trace.events:
        if isinstance(event, events.OpFinished):
            found += [tuple(seen.value.shape) for seen in event.outputs]
        if isinstance(event, events.OperatorExecuted):
            found += [tuple(value.shape) for value in event.outputs.values()]
    return found


def count(trace: Trace, kind: type) -> int:
    return sum(isinstance(event, kind) for event in trace.events)


def roles(trace: Trace) -> set[str]:
    """Return the roles of the executed operators of a Program."""
    role = {e.index: e.role for e in trace.events if isinstance(e, events.OperatorAppended)}
    return {role[e.index] for e in trace.events if isinstance(e, events.OperatorExecuted)}


def updated(trace: Trace) -> set[str]:
    return {
        trace.names.get((e.tensor.id, 0), e.tensor.name)
        for e in trace.events
        if isinstance(e, events.ParameterUpdated)
    }


def ops(trace: Trace) -> Counter[str]:
    return Counter(e.op for e in trace.events if isinstance(e, events.OpFinished))


def stored(trace: Trace) -> list[bool]:
    """Return, for each addition to an old .grad, whether that was zero."""
    return [
        e.held.data["stats"]["zeros"] == e.held.data["stats"]["size"]
        for e in trace.events
        if isinstance(e, events.GradAccumulated) and e.stored
    ]


def names(text: str) -> set[str]:
    return set(text.removesuffix(", …").split(", "))


def is_batch(own: Trace, other: Trace, a: str, b: str) -> bool:
    pairs = list(zip(shapes(own), shapes(other), strict=True))
    differ = [(one, two) for one, two in pairs if one != two]
    return bool(differ) and all((one[0], two[0]) == (int(a), int(b)) for one, two in differ)


def is_added(own: list[bool], other: list[bool], sign: str, to_zeros: bool) -> bool:
    """Say whether more or fewer are added; with `to_zeros`, whether only zeros differ."""
    right = {"": len(own) > len(other) == 0, "more ": len(own) > len(other) > 0}
    fewer = 0 < len(own) < len(other)
    return right.get(sign, fewer) and to_zeros == (own.count(False) == other.count(False))


Claim = Callable[..., bool]
CLAIMS: dict[str, Claim] = {
    r"batch of (\d+) rather than (\d+)": is_batch,
    r"(\d+) backward pass(?:es)? rather than (\d+)": lambda own, other, a, b: (
        (count(own, events.BackwardStarted), count(other, events.BackwardStarted))
        == (int(a), int(b))
    ),
    "no backward pass": lambda own, other: (
        not count(own, events.BackwardStarted) and "backward" not in roles(own)
    ),
    "no parameter is updated": lambda own, other: not updated(own) and bool(updated(other)),
    r"updates (.*) rather than (.*)": lambda own, other, a, b: (
        names(a) <= updated(own) - updated(other) and names(b) <= updated(other) - updated(own)
    ),
    r"updates (.*) too": lambda own, other, a: names(a) <= updated(own) - updated(other),
    r"does not update (.*)": lambda own, other, a: names(a) <= updated(other) - updated(own),
    r"no old \.grad to add to": lambda own, other: not stored(own) and bool(stored(other)),
    r"(more |fewer |)gradients are added to (an old \.grad|a \.grad of zeros)": (
        lambda own, other, sign, old: is_added(stored(own), stored(other), sign, "zeros" in old)
    ),
    r"an old \.grad to add to is all zeros": lambda own, other: (
        stored(own).count(True) > stored(other).count(True)
    ),
    r"an old \.grad to add to is not zero": lambda own, other: (
        stored(own).count(True) < stored(other).count(True)
    ),
    r"names known only here: (.*)": lambda own, other, a: (
        names(a) <= {*own.names.values()} - {*other.names.values()}
        and [type(e) for e in own.events] == [type(e) for e in other.events]
    ),
    r"with (.*), without (.*)": lambda own, other, a, b: (
        names(a) <= {*ops(own)} - {*ops(other)} and names(b) <= {*ops(other)} - {*ops(own)}
    ),
    r"with (.*)": lambda own, other, a: names(a) <= {*ops(own)} - {*ops(other)},
    r"more (.*)": lambda own, other, a: names(a) <= {*(ops(own) - ops(other))} & {*ops(other)},
    r"fewer (.*)": lambda own, other, a: names(a) <= {*(ops(other) - ops(own))} & {*ops(own)},
    r"without (.*)": lambda own, other, a: names(a) <= {*ops(other)} - {*ops(own)},
    r"an error: (.*)": lambda own, other, a: (
        own.ended is not None and own.ended.error == a and other.ended is None
    ),
}


def claim_holds(text: str, own: Trace, other: Trace) -> bool:
    for pattern, holds in CLAIMS.items():
        match = re.fullmatch(pattern, text)
        if match:
            return holds(own, other, *match.groups())
    return False


def check(trace: Trace) -> list[str]:
    """Check that each structure but the commonest has one true text; return the texts."""
    structures = trace.structures
    usual = max(structures, key=lambda each: len(each.rounds))
    kinds = {each.index: each.kind for each in trace.rounds}

    def kin(structure: Structure) -> Structure:
        own = [s for s in structures if kinds[s.rounds[0]] == kinds[structure.rounds[0]]]
        return usual if usual in own else max(own, key=lambda each: len(each.rounds))

    told = []
    for structure in structures:
        text = structure.differs.en
        told.append(text)
        kind = kinds[structure.rounds[0]]
        if kind != kinds[usual.rounds[0]]:
            head, _, text = text.partition(", ")
            assert head == kind
        base = kin(structure)
        assert bool(text) == (structure is not base)
        assert bool(structure.differs.zh) == bool(structure.differs.en)
        for number in structure.rounds if text else ():
            other = trace.round(base.rounds[0])
            assert claim_holds(text, trace.round(number), other), (number, text)
    return told


# ----- loops that learners write -----------------------------------------------------------------

TOLD = {
    "epochs": ["no old .grad to add to", "", "batch of 1 rather than 3", "evaluation"],
    "simple": [""],
    "players": ["", "updates other rather than one"],
    "accumulated": ["", "1 backward pass rather than 2"],
    "broken": ["", "an error: InvalidArgument"],
    "overflowing": [""],
    "program": ["", "batch of 2 rather than 3", "no backward pass"],
}


@each("make", trainings.ALL, ids=lambda make: make.__name__)
def test_differences_between_rounds_are_true(make: Callable[[], Trace]) -> None:
    assert check(programs.kept(make)) == TOLD[make.__name__]


def test_a_gradient_that_happens_to_be_zero_is_reported() -> None:
    w = paddle.create_parameter([1], "float32")
    with viz.record("zero") as trace:
        for factor in viz.rounds((1.0, 1.0, 0.0, 1.0)):
            for _ in range(2):
                (w * factor).sum().backward()
            w.clear_gradient(False)
    assert check(trace) == ["", "an old .grad to add to is all zeros"]
    assert trace.structures[1].rounds == (2,)


def test_more_equal_inputs_are_no_bigger_batch() -> None:
    x, w = paddle.ones([1, 2]), paddle.create_parameter([2, 2], "float32")
    with viz.record("inputs") as trace:
        for number in (1, 1, 2):
            (paddle.add_n([x] * number) @ w).sum().backward()
            w.clear_gradient(False)
    assert [each.differs.en for each in trace.structures] == ["", "other steps"]


# ----- loops drawn at random ---------------------------------------------------------------------


def drawn(seed: int) -> Trace:
    """Record iterations that differ in rows, backward passes, updates, ops or evaluation."""
    rng = random.Random(seed)
    weights = {name: paddle.create_parameter([2, 1], "float32") for name in ("w", "v")}
    w, v = weights.values()
    opts = [paddle.optimizer.SGD(0.1, parameters=[p]) for p in (w, v)]
    rows = [4, *rng.choices((2, 3, 4), k=9)]
    forms = ["plain", *rng.choices(("plain", "plain", "tanh", "twice", "still", "both"), k=9)]
    with viz.record("drawn") as trace:
        for number, form in viz.rounds(zip(rows, forms, strict=True)):
            x = paddle.to_tensor(np.ones([number, 2], "float32"))
            if form == "plain" and rng.random() < 0.2:
                with paddle.no_grad():
                    x @ w
                continue
            for _ in range(2 if form == "twice" else 1):
                y = x @ w + x @ v
                loss = (paddle.tanh(y) if form == "tanh" else y).mean()
                loss.backward()
            for opt in [] if form == "still" else opts if form == "both" else opts[:1]:
                opt.step()
            for opt in opts:
                opt.clear_grad(False)
    return trace


@each("seed", range(12))
def test_differences_between_random_rounds_are_true(seed: int) -> None:
    check(drawn(seed))


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
    assert other.differs.en == f"other lines of code: tests/viz/test_structures.py:{line}"


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
    for number, sign in ((1, "g ← g + 0.5 p"), (3, "max(‖G‖, 0.5)")):
        (own,) = (each for each in trace.structures if number in each.rounds)
        assert all(sign in text for text in own.differs.by_language().values())


def test_a_result_without_a_name_is_called_by_the_op_that_computed_it() -> None:
    x = paddle.to_tensor([1.0, 2.0])
    with viz.record("nameless") as trace:
        for _ in viz.rounds(range(3)):
            x = x * 2.0
            x.sum()
    (alike,) = trace.structures
    assert [str(n.label) for n in alike.graph.nodes if n.kind == "result"] == ["sum"]
