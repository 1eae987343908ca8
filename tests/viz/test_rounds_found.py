"""A recording finds the rounds (training iterations) in loops that learners write."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events, nn
from minipaddle.nn import functional as F
from tests.each import each
from tests.static.world import fresh
from viz.recording.turn_search import UNCERTAIN
from viz.whatif.numbers import array_of

from .found_rounds import Cell, Setting, batch, named, rounds_of

TRAINING, EVALUATION = "training", "evaluation"


def space_of() -> dict[str, Any]:
    """Return the variables that every loop may read."""
    x, y = batch()
    return {
        "paddle": paddle, "nn": nn, "F": F, "viz": viz, "it": Setting(), "other": Setting(),
        "cell": Cell(), "inner": nn.Linear(3, 3), "x": x, "y": y, "h": paddle.zeros([4, 4]),
        "zero": paddle.zeros([]),
    }  # fmt: skip


def program_of(code: str) -> Callable[[], None]:
    """Return a program that runs this code."""
    return lambda: exec(compile(code, "<loop>", "exec"), space_of())


def steps(count: int, name: str = "at", kind: str = TRAINING, **outer: int) -> list[Any]:
    return [(kind, {**outer, name: n}) for n in range(count)]


def passes(count: int, name: str = "at", **outer: int) -> list[Any]:
    return steps(count, name, EVALUATION, **outer)


FUNCTIONS = """
def run(count, train):
    for at in range(count):
        loss = it.loss(x * 1, y)
        if train:
            loss.backward()
            it.opt.step()
            it.opt.clear_grad()
for epoch in range(2):
    run(2, True)
    run(2, False)
"""
SCALED = """
scaler = paddle.amp.GradScaler(init_loss_scaling=8.0)
for at in range(5):
    loss = it.loss(x, y) * (float("inf") if at in (0, 3) else 1.0)
    scaler.scale(loss).backward()
    if {}:
        {}
        scaler.step(it.opt)
        scaler.update()
        it.opt.clear_grad()
"""
# Code -> its rounds.
LOOPS: dict[str, list[Any]] = {
    # an inner loop of gradients that the outer loop differentiates again
    """
for at in range(3):
    w = it.net[0].weight
    for _ in range(2):
        (gradient,) = paddle.grad((x @ w).square().mean(), w, create_graph=True)
        w = w - 0.1 * gradient
    (x @ w).mean().backward()
    it.opt.step()
""": steps(3),
    # gradients accumulate over three iterations, or in an inner loop
    """
for at in range(7):
    it.loss(x, y).backward()
    if at % 3 == 2:
        it.opt.step()
""": [(TRAINING, {"at": n}) for n in (2, 5, 6)],
    "for at in range(3):\n for k in range(2): it.loss(x, y).backward()\n it.opt.step()": steps(3),
    # a scaler skips steps, of the first iteration too; then in a loop that accumulates gradients
    SCALED.format("True", ""): steps(5),
    SCALED.format("True", "scaler.unscale_(it.opt)"): steps(5),
    SCALED.format("at % 2", ""): [(TRAINING, {"at": n}) for n in (1, 3, 4)],
    # two optimizers in one iteration; then an inner iteration is a step, and so is the outer rest
    "for at in range(3):\n it.step(x, y)\n other.step(x, y)": steps(3),
    """
for at in range(2):
    for k in range(2):
        it.step(x, y)
    other.step(x, y)
""": [row for at in range(2) for row in (*steps(2, "k", at=at), (TRAINING, {"at": at}))],
    FUNCTIONS: [row for e in (0, 1) for row in (*steps(2, epoch=e), *passes(2, epoch=e))],
    # iterations that end with `continue`
    """
n = 0
while n < 4:
    n += 1
    if n == 2:
        continue
    it.step(x, y)
""": [(TRAINING, {})] * 3,
    """
for at in range(4):
    try:
        loss = it.loss(x if at != 1 else x.T, y)
    except ValueError:
        continue
    loss.backward()
    it.opt.step()
    it.opt.clear_grad()
""": steps(4),
    # an iteration without `backward()`
    """
for at in range(5):
    loss = F.mse_loss(it.net(x), y)
    if at in (1, 2):
        continue
    loss.backward()
    it.opt.step()
""": [(EVALUATION if at in (1, 2) else TRAINING, {"at": at}) for at in range(5)],
    "losses = [it.step(x, y) for at in range(3)]\npaddle.to_tensor(losses).mean()": steps(3),
    # a function that is called twice in an iteration, wherever its frame is in memory
    """
def loss_of(item):
    scaled = x * 2
    return item.loss(scaled, y)
for at in range(3):
    total = sum(map(loss_of, (it, other)))
    total.backward()
    it.opt.step()
    other.opt.step()
    list(map(F.relu, [x, x]))
""": steps(3),
    # without an optimizer each iteration that calls backward is a round
    """
for at in range(3):
    for micro in range(2):
        it.loss(x, y).backward()
    for p in it.net.parameters():
        with paddle.no_grad():
            p.set_value(p - 0.01 * p.grad)
        p.clear_grad()
""": [row for at in range(3) for row in steps(2, "micro", at=at)],
    "for at in range(2): it.loss(x, y).backward()\nfor k in range(2): other.step(x, y)":
        steps(2) + steps(2, "k"),
    "x.stop_gradient = False\nz = (x * x).sum(1)\nfor at in range(3):\n"
    " paddle.grad(z[at], x, retain_graph=True)": steps(3),
    # a variable `_` gives no name
    "for _ in range(2):\n for k in range(2): it.step(x, y * k)": steps(2, "k") * 2,
    # time steps are no rounds, nor are iterations that share one backward or one step
    "for at in range(3):\n h = x\n for _t in range(4): h = F.tanh(inner(h) + x)\n"
    " h.mean().backward()": steps(3),
    "for at in range(3):\n h = x\n for _t in range(4): h = F.tanh(inner(h) + x)": [],
    "for _t in range(4): h = cell(x, h)\nh.mean().backward()": [],
    "for _ in range(3): it.loss(x, y).backward()\nit.opt.step()": [],
    "for _ in range(3): zero = zero + it.loss(x, y)\nzero.backward(); it.opt.step()": [],
    # marks have priority over found rounds, the innermost mark over others
    """
it.net(x)
for epoch in viz.rounds(range(2)):
    for at in viz.rounds(range(2)):
        for t in range(2):
            it.step(x, y)
    it.step(x, y)
""": [row for e in (0, 1) for row in steps(2, "at", "marked", epoch=e)],
}  # fmt: skip


@each("settings", [{}, {"depth": 0}, {"only": "tanh"}, {"skip": "Linear"}, {"limit": 60}])
@each("code", LOOPS)
def test_rounds_of_a_loop_are_found(code: str, settings: dict[str, Any]) -> None:
    assert named(rounds_of(program_of(code), **settings)) == LOOPS[code]


@each("code", LOOPS)
def test_dropped_rounds_keep_their_loss_and_sizes(code: str) -> None:
    program = program_of(code)
    paddle.seed(7)
    whole = rounds_of(program)
    paddle.seed(7)
    some = rounds_of(program, rounds=[1, 2])
    assert named(some) == named(whole)
    assert [mark.loss for mark in some] == [mark.loss for mark in whole]
    assert None not in [mark.loss for mark in whole if mark.sizes]
    assert all(mark.first < mark.last for mark in whole)
    assert all(one.last <= other.first for one, other in pairwise(whole))
    told = [[size[1:] for size in mark.sizes] for mark in whole]
    assert [[size[1:] for size in mark.sizes] for mark in some] == told
    assert all(one.last <= other.first for one, other in pairwise(some))
    lengths = [mark.last - mark.first if index in (1, 2) else 0 for index, mark in enumerate(whole)]
    assert [mark.last - mark.first for mark in some] == lengths


def test_a_retained_round_has_the_values_before_its_own_changes_in_place() -> None:
    """The notes of a dropped round hold no copies, so later notes must not share their arrays."""
    count = paddle.zeros([2])
    with viz.record(rounds=[2]) as trace:
        for _ in viz.rounds(range(4)):
            count * 2.0
            count.add_(paddle.ones([2]))
            count * 3.0
    first = next(e for e in trace.round(2).events if isinstance(e, events.OpFinished))
    np.testing.assert_array_equal(array_of(first.inputs[0].value), [2.0, 2.0])


def test_a_round_has_the_loss_of_its_backward_and_root_mean_square_sizes() -> None:
    it, (x, y) = Setting(), batch()
    losses: list[float] = []
    grads: list[dict[str, float]] = []

    def program() -> None:
        for _ in range(3):
            loss = it.loss(x, y)
            loss.backward()
            losses.append(float(loss))
            grads.append({p.name: size(p.grad) for p in it.net.parameters()})
            it.opt.step()
            it.opt.clear_grad()

    def size(tensor: Any) -> float:
        return float(np.sqrt(np.mean(np.square(tensor.numpy().astype("float64")))))

    for settings in ({}, {"every": 2}, {"only": "tanh"}, {"depth": 0}):
        losses.clear(), grads.clear()
        marks = rounds_of(program, **settings)
        assert [mark.loss for mark in marks] == losses
        names = {events.number_of(p): p.name for p in it.net.parameters()}
        for mark, expected in zip(marks, grads, strict=True):
            found = {names[row.tensor]: row.grad for row in mark.sizes}
            assert found == pytest.approx(expected, rel=1e-5)
        now = {names[row.tensor]: row.value for row in marks[-1].sizes}
        assert now == pytest.approx({p.name: size(p) for p in it.net.parameters()}, rel=1e-5)


def test_a_recording_may_begin_in_the_middle_of_an_iteration() -> None:
    it, (x, y) = Setting(), batch()
    block = viz.record()
    for at in range(4):
        loss = it.loss(x, y)
        if at == 1:
            enter, leave = block.__enter__, block.__exit__
            marks = enter()._recording.rounds
        loss.backward()
        it.opt.step()
        it.opt.clear_grad()
    leave(None, None, None)
    assert named(marks) == [(TRAINING, {"at": n}) for n in (1, 2, 3)]
    assert marks[0].first == 0
    assert marks[0].last < marks[1].last - marks[1].first


def test_a_round_begins_with_its_first_op_also_in_a_loop_inside_another_that_trains() -> None:
    code = """
for outer in range(3):
    z = x * 2
    for at in range(2):
        it.loss(paddle.rand([4, 3]), y).backward()
        it.opt.step()
    other.loss(x, y).backward()
    other.opt.step()
"""
    with viz.record() as trace:
        program_of(code)()
    drawn = [trace.round(at).text().count("~ U(0, 1)") for at in range(len(trace.rounds))]
    assert drawn == [1, 1, 0] * 3


def test_rounds_do_not_overlap_where_a_step_comes_too_late() -> None:
    """More turns have accumulated gradients than wait for a step, if only some rounds are kept."""
    it, (x, y) = Setting(), batch()
    with viz.record(rounds=[0, 2, 6]) as trace:
        marks = trace._recording.rounds
        for _ in range(3):
            for _ in range(UNCERTAIN + 5):
                it.loss(x, y).backward()
            it.opt.step()
    assert all(one.last <= other.first for one, other in pairwise(marks))
    assert [mark.first < mark.last for mark in marks] == [n in (0, 2, 6) for n in range(8)]
    assert trace.rounds[6].kind == TRAINING


def test_work_before_and_after_a_loop_is_in_no_round() -> None:
    it, (x, y) = Setting(), batch()
    for seed in range(1):  # noqa: B007
        with viz.record() as trace:
            z = x * 2
            for at in range(2):  # noqa: B007
                it.step(z, y)
            it.net(z)
    assert [chapter.round for chapter in trace.chapters] == [None, 0, 1, None]
    assert [dict(item.names) for item in trace.rounds] == [{"seed": 0, "at": n} for n in (0, 1)]


def trained_program() -> None:
    arrays = batch()
    with fresh() as (main, startup):
        x = paddle.static.data("x", [4, 3])
        y = paddle.static.data("y", [4, 1])
        loss = ((nn.Linear(3, 1)(x) - y) ** 2).mean()
        paddle.optimizer.SGD(0.1).minimize(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        feed = dict(zip("xy", (array.numpy() for array in arrays), strict=True))
        for epoch in range(2):  # noqa: B007
            for at in range(2):  # noqa: B007
                executor.run(main, feed=feed, fetch_list=[loss])


def marked() -> None:
    it, (x, y) = Setting(), batch()
    for at in viz.rounds(range(6)):  # noqa: B007
        it.step(x, y)


@each("settings", [{}, {"only": "*"}, {"rounds": [0, 1, 5]}])
@each("program", [program_of(FUNCTIONS), marked, trained_program], ids=["found", "marked", "runs"])
@each("limit", range(40, 400, 15), quick=18)
def test_rounds_after_the_limit_keep_their_loss_and_sizes(
    limit: int, program: Callable[[], None], settings: Any
) -> None:
    paddle.seed(5)
    whole = rounds_of(program, **{**settings, "rounds": None})
    paddle.seed(5)
    with viz.record(limit=limit, **settings) as trace:
        marks, log = trace._recording.rounds, trace._recording.log
        program()
        length = len(log)
    assert named(marks) == named(whole) != []
    assert [mark.loss for mark in marks] == pytest.approx(
        [mark.loss for mark in whole], nan_ok=True
    )
    sizes = [[size[1:] for size in mark.sizes] for mark in marks]
    assert sizes == [[size[1:] for size in mark.sizes] for mark in whole]
    assert all(mark.first <= mark.last <= length for mark in marks)
    assert all(one.last <= other.first for one, other in pairwise(marks))
    if trace.cut:
        kept = [mark.first < mark.last for mark in marks]
        after = kept.index(False) if not settings.get("rounds") and False in kept else len(kept)
        assert not any(kept[after:])
        assert [item.kept for item in trace.rounds] == kept
        assert trace.round(kept.index(True)).text()


def test_the_limit_counts_only_retained_rounds() -> None:
    it, (x, y) = Setting(), batch()

    def program() -> None:
        for _ in range(60):
            it.step(x, y)

    with viz.record(limit=600, every=20) as trace:
        marks = trace._recording.rounds
        program()
    assert len(marks) == 60
    assert trace.cut is None
    assert len(trace.events) < 600


@each("settings", [{}, {"only": "mean"}, {"every": 3}])
def test_each_run_of_a_program_except_the_startup_program_is_a_round(settings: Any) -> None:
    marks = rounds_of(trained_program, **settings)
    assert named(marks) == [("run", {"epoch": e, "at": n}) for e in range(2) for n in range(2)]
    losses = [mark.loss for mark in marks]
    assert losses == sorted(losses, reverse=True)
    assert [len(mark.sizes) for mark in marks] == [2] * 4
    assert {row.tensor.rpartition(".")[2] for row in marks[0].sizes} == {"w_0", "b_0"}


# ----- marks by hand -----------------------------------------------------------------------------


class Steps(nn.Layer):
    """A layer with a marked loop in a function that forward calls."""

    def __init__(self, fail: int = -1) -> None:
        super().__init__()
        self.fc, self.fail = nn.Linear(3, 3), fail

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        return self.run(x * 1.0) + 1.0

    def run(self, x: paddle.Tensor) -> paddle.Tensor:
        for t in viz.rounds(range(3)):
            x = paddle.tanh(self.fc(x if t != self.fail else x.T))
        return x


@each("settings", [{}, {"only": "*"}, {"rounds": [1]}])
def test_marks_inside_of_a_layer_have_priority(settings: Any) -> None:
    net, (x, _) = nn.Sequential(Steps(), nn.Linear(3, 1)), batch()
    with viz.record(**settings) as trace:
        marks = trace._recording.rounds
        for at in range(2):  # noqa: B007
            net(x).mean().backward()
    assert named(marks) == steps(3, "t", "marked", at=0) + steps(3, "t", "marked", at=1)
    kept = [mark.first < mark.last for mark in marks]
    assert kept == [not settings.get("rounds") or k == 1 for k in range(6)]
    ops = [e.op for e in trace.round(1).events if isinstance(e, events.OpFinished)]
    assert ops == ["matmul", "add", "tanh"]


def test_marked_rounds_end_with_break_and_with_errors() -> None:
    it, (x, _) = Setting(), batch()

    def program() -> None:
        for _ in viz.rounds(range(5)):
            it.net(x)
            break
        it.net(x)
        for empty in viz.rounds(range(1)):  # noqa: B007
            pass
        for at in viz.rounds(range(5)):
            it.net(x if at < 1 else x.T)

    marks = rounds_of(program, ValueError)
    assert named(marks) == [("marked", {}), ("marked", {}), *steps(2, "at", "marked")]
    assert marks[0].last < marks[1].first  # work between marks is in no round


def test_rounds_outside_of_a_recording_is_its_iterable() -> None:
    rows = viz.rounds([1, 2, 3])
    assert (list(rows), list(rows), len(rows)) == ([1, 2, 3], [1, 2, 3], 3)
    assert list(viz.rounds(iter("ab"))) == ["a", "b"]
    turns = iter(viz.rounds(range(9)))
    assert next(turns) == 0
    turns.close()  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="has no len"):
        len(viz.rounds(iter("ab")))  # type: ignore[arg-type]


def test_rounds_of_a_non_iterable_are_an_error() -> None:
    with pytest.raises(TypeError, match=r"viz.rounds\(\) marks the turns of a loop"):
        viz.rounds(10)  # type: ignore[arg-type]


# ----- selection ---------------------------------------------------------------------------------


def test_wrong_numbers_of_rounds_are_an_error() -> None:
    for rounds in (3, "12", [1.0], [-1], range(-3, 2), [True], iter([1]), 0.5):
        with pytest.raises(ValueError, match="rounds must be the numbers of rounds"):
            viz.record(rounds=rounds)  # type: ignore[arg-type]
    for every in (0, -1, 2.0, True, "10"):
        with pytest.raises(ValueError, match="every must be a whole number"):
            viz.record(every=every)  # type: ignore[arg-type]
