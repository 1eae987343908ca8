"""Which rounds a recording finds in the loops that learners write."""

from __future__ import annotations

import threading
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

from .found_rounds import Cell, Setting, batch, named, rounds_of

TRAINING, EVALUATION = "training", "evaluation"


def readme() -> None:
    it, (x, y) = Setting(), batch()
    for step in range(3):  # noqa: B007
        loss = it.loss(x, y)
        loss.backward()
        it.opt.step()
        it.opt.clear_grad()


def epochs_with_evaluation() -> None:
    """The last batch is smaller; metrics come after the step; names of both loops."""
    it = Setting()
    loader = [batch(4), batch(4), batch(2)]
    for epoch in range(2):  # noqa: B007
        for at, (x, y) in enumerate(loader):  # noqa: B007
            loss = it.loss(x, y)
            loss.backward()
            it.opt.step()
            it.opt.clear_grad()
            float(loss * 2)
        it.net.eval()
        total = 0.0
        for x, y in loader[:2]:
            total += float(it.loss(x, y))
        it.net.train()


def accumulation() -> None:
    it, (x, y) = Setting(), batch()
    for at in range(7):
        it.loss(x, y).backward()
        if at % 3 == 2:
            it.opt.step()
            it.opt.clear_grad()
    for last in range(2):  # noqa: B007
        it.net(x)


def gan_with_more_steps_of_one() -> None:
    """Each turn of the inner loop is a step of training; so is what the outer one does after it."""
    maker, (x, y) = Setting(), batch()
    critic = nn.Linear(1, 1)
    opt = paddle.optimizer.SGD(0.01, parameters=critic.parameters())
    for at in range(2):  # noqa: B007
        for k in range(2):  # noqa: B007
            (critic(y) - critic(maker.net(x).detach())).mean().backward()
            opt.step()
            opt.clear_grad()
        critic(maker.net(x)).mean().backward()
        maker.opt.step()
        maker.opt.clear_grad()


def recurrent_evaluation() -> None:
    cell, (x, _) = Cell(), batch()
    for at in range(3):  # noqa: B007
        h = paddle.zeros([4, 4])
        for t in range(4):  # noqa: B007
            h = cell(x, h)
        h.mean()


def recurrent_by_ops() -> None:
    """What a layer reads in the next time step is made by an op."""
    inner, (x, _) = nn.Linear(3, 3), batch()
    for at in range(3):  # noqa: B007
        h = paddle.zeros([4, 3])
        for _t in range(4):
            h = paddle.tanh(inner(h) + x)


def recurrent_alone() -> None:
    cell, (x, _) = Cell(), batch()
    h = paddle.zeros([4, 4])
    for _t in range(4):
        h = cell(x, h)
    h.mean().backward()


def functions() -> None:
    it, (x, y) = Setting(), batch()

    def train() -> None:
        for at in range(2):  # noqa: B007
            it.step(x, y)

    def evaluate() -> None:
        for at in range(2):  # noqa: B007
            it.loss(x, y)

    for epoch in range(2):  # noqa: B007
        train()
        evaluate()


def one_function_for_both() -> None:
    it, (x, y) = Setting(), batch()

    def run(count: int, train: bool) -> None:
        for at in range(count):  # noqa: B007
            loss = it.loss(x * 1, y)
            if train:
                loss.backward()
                it.opt.step()
                it.opt.clear_grad()

    run(2, False)
    for epoch in range(2):  # noqa: B007
        run(2, True)
        run(2, False)


def while_loop() -> None:
    it, (x, y) = Setting(), batch()
    n = 0
    while n < 4:
        n += 1
        if n == 2:
            continue
        it.opt.clear_grad()
        it.loss(x, y).backward()
        it.opt.step()


def comprehension() -> None:
    it, (x, y) = Setting(), batch()
    losses = [it.step(x, y) for at in range(3)]
    paddle.to_tensor(losses).mean()


def evaluating_comprehension() -> None:
    it, (x, _) = Setting(), batch()
    [it.net(x) for at in range(3)]


def accumulated_evaluation() -> None:
    it, (x, y) = Setting(), batch()
    total = paddle.zeros([])
    for at in range(3):  # noqa: B007
        total = total + it.loss(x, y)


def a_function_called_by_a_loop_inside() -> None:
    """Its second call is the same turn, wherever its frame lies in memory."""
    one, other, (x, y) = Setting(), Setting(), batch()

    def loss_of(item: Setting) -> paddle.Tensor:
        scaled = x * 2
        return item.loss(scaled, y)

    for at in range(3):  # noqa: B007
        total = paddle.zeros([])
        for item in (one, other):
            total = total + loss_of(item)
        total.backward()
        one.opt.step()
        other.opt.step()


def accumulated_by_hand() -> None:
    """The inner loop calls backward, and adds up gradients; the outer one updates."""
    it, (x, y) = Setting(), batch()
    for at in range(3):  # noqa: B007
        for k in range(2):  # noqa: B007
            it.loss(x, y).backward()
        for p in it.net.parameters():
            with paddle.no_grad():
                p.set_value(p - 0.01 * p.grad)
            p.clear_grad()


def never_cleared_by_hand() -> None:
    """An update in place gives the leaf a new number, and its gradient stays."""
    w = paddle.ones([3])
    w.stop_gradient = False
    for _ in range(3):
        (w * w).sum().backward()
        with paddle.no_grad():
            w.subtract_(0.1 * w.grad)


def losses_summed() -> None:
    it, (x, y) = Setting(), batch()
    total = paddle.zeros([])
    for _ in range(3):
        total = total + it.loss(x, y)
    total.backward()
    it.opt.step()


def one_step_of_accumulated_gradients() -> None:
    it, (x, y) = Setting(), batch()
    for _ in range(3):
        it.loss(x, y).backward()
    it.opt.step()


def chain_of_layers() -> None:
    x, _ = batch()
    for layer in [nn.Linear(3, 3), nn.Linear(3, 3)]:
        x = layer(x)


def one_step() -> None:
    it, (x, y) = Setting(), batch()
    it.step(x, y)


def caught_errors() -> None:
    """A turn that fails is left by `continue` in an `except`."""
    it, (x, y) = Setting(), batch()
    for at in range(4):
        try:
            loss = it.loss(x if at != 1 else x.T, y)
        except ValueError:
            continue
        loss.backward()
        it.opt.step()
        it.opt.clear_grad()


def steps(count: int, name: str = "at", **outer: int) -> list[Any]:
    return [(TRAINING, {**outer, name: n}) for n in range(count)]


def passes(count: int, name: str = "at", **outer: int) -> list[Any]:
    return [(EVALUATION, {**outer, name: n}) for n in range(count)]


LOOPS: dict[Callable[[], None], list[Any]] = {
    readme: steps(3, "step"),
    epochs_with_evaluation: [
        row
        for epoch in range(2)
        for row in (*steps(3, epoch=epoch), *[(EVALUATION, {"epoch": epoch})] * 2)
    ],
    accumulation: [*((TRAINING, {"at": n}) for n in (0, 3, 6)), *passes(2, "last")],
    gan_with_more_steps_of_one: [
        row for at in range(2) for row in (*steps(2, "k", at=at), (TRAINING, {"at": at}))
    ],
    recurrent_evaluation: passes(3),
    recurrent_by_ops: passes(3),
    recurrent_alone: [],
    functions: [row for e in range(2) for row in (*steps(2, epoch=e), *passes(2, epoch=e))],
    one_function_for_both: [
        *passes(2),
        *[row for e in range(2) for row in (*steps(2, epoch=e), *passes(2, epoch=e))],
    ],
    while_loop: [(TRAINING, {})] * 3,
    comprehension: steps(3),
    evaluating_comprehension: passes(3),
    accumulated_evaluation: passes(3),
    a_function_called_by_a_loop_inside: steps(3),
    accumulated_by_hand: [row for at in range(3) for row in steps(2, "k", at=at)],
    never_cleared_by_hand: [(TRAINING, {})] * 3,
    losses_summed: [],
    one_step_of_accumulated_gradients: [],
    chain_of_layers: [],
    one_step: [],
    caught_errors: [(TRAINING, {"at": n}) for n in range(4)],
}


@each("settings", [{}, {"depth": 0}, {"only": "tanh"}, {"skip": "Linear"}, {"limit": 60}])
@each("program", LOOPS)
def test_the_rounds_of_a_loop(program: Callable[[], None], settings: dict[str, Any]) -> None:
    assert named(rounds_of(program, **settings)) == LOOPS[program]


@each("program", LOOPS)
def test_what_is_not_kept_leaves_its_loss_and_its_sizes(program: Callable[[], None]) -> None:
    paddle.seed(7)
    whole = rounds_of(program)
    paddle.seed(7)
    some = rounds_of(program, rounds=[1])
    assert named(some) == named(whole)
    assert [mark.loss for mark in some] == [mark.loss for mark in whole]
    assert all(mark.last is not None and mark.first < mark.last for mark in whole)
    assert all(one.last <= other.first for one, other in pairwise(whole))
    told = [[size[1:] for size in mark.sizes] for mark in whole]
    assert [[size[1:] for size in mark.sizes] for mark in some] == told
    lengths = [mark.last - mark.first for mark in some]
    assert [bool(length) for length in lengths] == [index == 1 for index in range(len(some))]
    if len(some) > 1:
        assert lengths[1] == whole[1].last - whole[1].first


def test_a_kept_round_after_dropped_ones_has_its_own_values() -> None:
    """What is kept again begins with copies, in notes that began before that was known, too."""
    it, (x, y) = Setting(), batch()
    outputs: list[float] = []

    def program() -> None:
        for _ in range(4):
            with paddle.no_grad():
                x.set_value(x * 1.5)
            outputs.append(it.step(x, y))

    paddle.seed(1)
    with viz.record(rounds=[2]) as trace:
        marks, log = trace._recording.rounds, trace._recording.log
        program()
        mark = marks[2]
        told = list(events.notes.records_of(log[mark.first : mark.last]))
    (mean,) = (e for e in told if isinstance(e, events.OpFinished) and e.op == "mean")
    assert mean.outputs[0].value.data == pytest.approx(outputs[2])
    first = next(e for e in told if isinstance(e, events.OpFinished))
    assert all(seen.value.kept for seen in (*first.inputs, *first.outputs))
    assert marks[2].loss == pytest.approx(outputs[2])


def test_the_loss_is_where_backward_began_and_sizes_are_root_mean_squares() -> None:
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


def test_a_loop_that_breaks_with_an_error() -> None:
    it, (x, y) = Setting(), batch()

    def program() -> None:
        for at in range(5):
            it.step(x if at < 3 else x.T, y)

    marks = rounds_of(program, ValueError)
    assert named(marks) == steps(4)
    assert marks[-1].loss is None


def test_a_recording_that_begins_in_the_middle_of_a_turn() -> None:
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


def test_setup_is_no_part_of_the_first_round() -> None:
    it, (x, y) = Setting(), batch()

    def program() -> None:
        z = x * 2
        for _ in range(2):
            it.step(z, y)
        z + 1

    with viz.record() as trace:
        marks = trace._recording.rounds
        program()
        length = len(trace._recording.log)
    assert marks[0].first > 0
    assert marks[-1].last < length
    assert marks[0].last == marks[1].first


def test_code_without_a_source_has_loops_too() -> None:
    it, (x, y) = Setting(), batch()
    code = "for at in range(3):\n it.step(x, y)"
    space = {"it": it, "x": x, "y": y}
    marks = rounds_of(lambda: exec(compile(code, "<nowhere>", "exec"), space))
    assert named(marks) == steps(3)


def test_two_recordings_at_once() -> None:
    it, (x, y) = Setting(), batch()
    with viz.record() as outer:
        all_marks = outer._recording.rounds
        for at in range(2):  # noqa: B007
            it.step(x, y)
        with viz.record() as inner:
            marks = inner._recording.rounds
            for last in range(2):  # noqa: B007
                it.step(x, y)
    assert named(marks) == steps(2, "last")
    assert named(all_marks) == [*steps(2), *steps(2, "last")]


def test_threads_have_rounds_of_their_own() -> None:
    found: dict[int, list[Any]] = {}

    def work(count: int) -> None:
        it, (x, y) = Setting(), batch()

        def program() -> None:
            for at in range(count):  # noqa: B007
                it.step(x, y)

        found[count] = named(rounds_of(program))

    threads = [threading.Thread(target=work, args=(count,)) for count in (2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {count: steps(count) for count in (2, 3, 4)}


@each("settings", [{}, {"only": "*"}, {"rounds": [0, 1, 5]}])
@each("limit", range(40, 400, 23), quick=12)
def test_rounds_after_the_limit_leave_their_loss_and_their_sizes(limit: int, settings: Any) -> None:
    paddle.seed(5)
    whole = rounds_of(one_function_for_both, **{**settings, "rounds": None})
    paddle.seed(5)
    with viz.record(limit=limit, **settings) as trace:
        marks, log = trace._recording.rounds, trace._recording.log
        one_function_for_both()
        length = len(log)
    assert named(marks) == named(whole) == LOOPS[one_function_for_both]
    assert [mark.loss for mark in marks] == [mark.loss for mark in whole]
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


def test_programs_are_found_after_the_limit_too() -> None:
    paddle.seed(5)
    whole = rounds_of(trained_program)
    paddle.seed(5)
    with viz.record(limit=60) as trace:
        marks = trace._recording.rounds
        trained_program()
    assert trace.cut is not None
    assert named(marks) == named(whole)
    assert [mark.loss for mark in marks] == pytest.approx([mark.loss for mark in whole])
    assert [len(mark.sizes) for mark in marks] == [2] * 4
    assert marks[-1].first == marks[-1].last


def test_marked_rounds_are_found_after_the_limit_too() -> None:
    it, (x, y) = Setting(), batch()
    with viz.record(limit=100) as trace:
        for _ in viz.rounds(range(5)):
            it.step(x, y)
    assert [item.kept for item in trace.rounds] == [True, True, False, False, False]
    assert all(item.loss is not None and len(item.sizes) == 4 for item in trace.rounds)


def test_where_no_rounds_are_found_nothing_is_heard_after_the_limit() -> None:
    x, _ = batch()
    with viz.record(limit=10) as trace:
        for _ in range(20):
            x = x * 1.5
        assert not events.heard()
    assert trace.cut is not None
    assert not trace.rounds


def test_the_limit_counts_what_is_kept() -> None:
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


def test_a_recorded_training_has_the_same_bits_whatever_is_kept() -> None:
    def trained(**settings: Any) -> bytes:
        paddle.seed(3)
        it, (x, y) = Setting(paddle.optimizer.Adam), batch()
        with viz.record(**settings):
            for _ in range(5):
                it.step(x, y)
        return b"".join(p.numpy().tobytes() for p in it.net.parameters())

    assert len({trained(), trained(every=2), trained(rounds=[]), trained(rounds=[4])}) == 1


# ----- Programs ----------------------------------------------------------------------------------


def trained_program() -> None:
    with fresh() as (main, startup):
        x = paddle.static.data("x", [4, 3])
        y = paddle.static.data("y", [4, 1])
        loss = ((nn.Linear(3, 1)(x) - y) ** 2).mean()
        paddle.optimizer.SGD(0.1).minimize(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        feed = dict(zip("xy", (item.astype("float32") for item in arrays()), strict=True))
        for epoch in range(2):  # noqa: B007
            for at in range(2):  # noqa: B007
                executor.run(main, feed=feed, fetch_list=[loss])


def arrays() -> tuple[Any, Any]:
    random = np.random.default_rng(1)
    return random.standard_normal((4, 3)), random.standard_normal((4, 1))


@each("settings", [{}, {"only": "mean"}, {"every": 3}])
def test_each_run_of_a_program_is_a_round_but_that_of_a_startup_program(settings: Any) -> None:
    marks = rounds_of(trained_program, **settings)
    assert named(marks) == [("run", {"epoch": e, "at": n}) for e in range(2) for n in range(2)]
    losses = [mark.loss for mark in marks]
    assert losses == sorted(losses, reverse=True)
    assert [len(mark.sizes) for mark in marks] == [2] * 4
    assert {row.tensor.rpartition(".")[2] for row in marks[0].sizes} == {"w_0", "b_0"}


# ----- marks by hand -----------------------------------------------------------------------------


def test_marks_by_hand_win() -> None:
    it, (x, y) = Setting(), batch()

    def program() -> None:
        it.net(x)
        for epoch in range(2):  # noqa: B007
            for at in viz.rounds(range(2)):  # noqa: B007
                it.step(x, y)
                it.step(x, y)
            for _ in range(3):
                it.net(x)

    marks = rounds_of(program)
    assert named(marks) == [("marked", {"epoch": e, "at": n}) for e in range(2) for n in range(2)]
    assert all(mark.loss is not None and len(mark.sizes) == 4 for mark in marks)


def test_of_marked_loops_in_each_other_the_innermost_counts() -> None:
    it, (x, _) = Setting(), batch()

    def program() -> None:
        for epoch in viz.rounds(range(2)):  # noqa: B007
            it.net(x)
            for at in viz.rounds(range(2)):  # noqa: B007
                it.net(x)

    assert named(rounds_of(program)) == [
        ("marked", {"epoch": e, "at": n}) for e in range(2) for n in range(2)
    ]


class Steps(nn.Layer):
    """A layer whose loop is marked, in its forward or in a function that this calls."""

    def __init__(self, *, deeper: bool = False, fail: int = -1) -> None:
        super().__init__()
        self.fc, self.deeper, self.fail = nn.Linear(3, 3), deeper, fail

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        return self.helper(x) if self.deeper else self.run(x)

    def helper(self, x: paddle.Tensor) -> paddle.Tensor:
        return self.run(x * 1.0) + 1.0

    def run(self, x: paddle.Tensor) -> paddle.Tensor:
        for t in viz.rounds(range(3)):
            x = paddle.tanh(self.fc(x if t != self.fail else x.T))
        return x


@each("settings", [{}, {"only": "*"}, {"rounds": [1]}])
@each("deeper", [False, True])
def test_marks_inside_of_a_layer_win_too(settings: Any, deeper: bool) -> None:
    net, (x, _) = nn.Sequential(Steps(deeper=deeper), nn.Linear(3, 1)), batch()
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    with viz.record(**settings) as trace:
        marks = trace._recording.rounds
        for at in range(2):  # noqa: B007
            net(x).mean().backward()
            opt.step()
            opt.clear_grad()
    assert [(mark.kind, dict(mark.names)["t"]) for mark in marks] == [
        ("marked", t) for _ in range(2) for t in range(3)
    ]
    kept = [mark.first < mark.last for mark in marks]
    assert kept == [not settings.get("rounds") or k == 1 for k in range(6)]
    for item in trace.rounds:
        if item.kept:
            ops = [e.op for e in trace.round(item.index).events if isinstance(e, events.OpFinished)]
            assert ops == ["matmul", "add", "tanh"]
    assert "tanh" in trace.text()


@pytest.mark.parametrize("loop", [range, lambda count: viz.rounds(range(count))])
def test_an_op_is_told_of_in_its_own_line(loop: Callable[[int], Any]) -> None:
    """While rounds are searched for, and while one that is marked gets its names."""
    net, x = nn.Linear(3, 1), batch()[0]
    with viz.record() as trace:
        paddle.exp(x)
        for at in loop(2):  # noqa: B007
            paddle.tanh(x)
            net(x)
            paddle.sin(x)
    lines = {
        e.op: e.place.line - test_an_op_is_told_of_in_its_own_line.__code__.co_firstlineno
        for e in trace.events
        if isinstance(e, events.OpFinished) and e.place is not None
    }
    assert lines == {"exp": 5, "tanh": 7, "matmul": 8, "add": 8, "sin": 9}


def test_marks_inside_of_a_layer_that_fails() -> None:
    marks = rounds_of(lambda: Steps(fail=1)(batch()[0]), ValueError)
    assert named(marks) == [("marked", {"t": 0}), ("marked", {"t": 1})]


def test_marked_turns_end_with_break_and_with_errors() -> None:
    it, (x, _) = Setting(), batch()

    def program() -> None:
        for _ in viz.rounds(range(5)):
            it.net(x)
            break
        it.net(x)
        for at in viz.rounds(range(5)):
            it.net(x if at < 1 else x.T)

    marks = rounds_of(program, ValueError)
    assert [mark.kind for mark in marks] == ["marked"] * 3
    assert marks[0].last < marks[1].first  # what comes between is in none of them


def test_marked_rounds_are_kept_as_chosen() -> None:
    it, (x, _) = Setting(), batch()

    def program() -> None:
        for _ in viz.rounds(range(4)):
            it.net(x)

    marks = rounds_of(program, rounds={1, 3})
    assert [mark.last > mark.first for mark in marks] == [False, True, False, True]


def test_outside_of_a_recording_it_is_the_iterable() -> None:
    rows = viz.rounds([1, 2, 3])
    assert (list(rows), list(rows), len(rows)) == ([1, 2, 3], [1, 2, 3], 3)
    assert list(viz.rounds(iter("ab"))) == ["a", "b"]
    turns = iter(viz.rounds(range(9)))
    assert next(turns) == 0
    turns.close()  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="has no len"):
        len(viz.rounds(iter("ab")))  # type: ignore[arg-type]


def test_what_one_cannot_iterate_over() -> None:
    with pytest.raises(TypeError, match=r"viz.rounds\(\) marks the turns of a loop"):
        viz.rounds(10)  # type: ignore[arg-type]


# ----- choosing ----------------------------------------------------------------------------------


def test_what_is_no_number_of_rounds() -> None:
    for rounds in (3, "12", [1.0], [-1], range(-3, 2), [True], iter([1]), 0.5):
        with pytest.raises(ValueError, match="rounds must be the numbers of rounds"):
            viz.record(rounds=rounds)  # type: ignore[arg-type]
    for every in (0, -1, 2.0, True, "10"):
        with pytest.raises(ValueError, match="every must be a whole number"):
            viz.record(every=every)  # type: ignore[arg-type]


def test_rounds_and_every_are_those_that_either_names() -> None:
    block = viz.record(rounds=[1], every=4)
    assert [n for n in range(10) if block.wants(n)] == [0, 1, 4, 8]


def test_functions_that_use_ops_after_the_step_stay_in_the_round() -> None:
    it, (x, y) = Setting(), batch()

    def program() -> None:
        for _ in range(3):
            it.step(x, y)
            F.relu(x)
            list(map(F.relu, [x, x]))
            [F.relu(item) for item in (x, x)]

    marks = rounds_of(program)
    assert len(marks) == 3
    assert marks[0].last == marks[1].first


def test_a_variable_that_is_not_meant_to_be_read_names_nothing() -> None:
    setting, (x, y) = Setting(), batch()

    def program() -> None:
        for _ in range(2):
            for k in range(2):
                setting.step(x, y * k)

    assert named(rounds_of(program)) == [
        ("training", {"k": 0}), ("training", {"k": 1}),
        ("training", {"k": 0}), ("training", {"k": 1}),
    ]  # fmt: skip


def test_whether_a_round_stays_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In an evaluation no step settles the rounds; each turn must not ask for all before it."""
    asked: list[int] = []
    wants = viz.record.wants
    monkeypatch.setattr(
        viz.record, "wants", lambda self, index: asked.append(index) or wants(self, index)
    )
    tanh, x = nn.Tanh(), paddle.ones([2])
    with viz.record(every=50) as trace:
        for _ in range(200):
            tanh(x)
    assert len(asked) <= 2 * 200 + 50
    assert [item.index for item in trace.rounds if item.first is not None] == [0, 50, 100, 150]
