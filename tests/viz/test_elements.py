"""`trace.explain_element`: the sources of one element, its terms, and the elements it acts on.

For every op with a rule, and steps of every other kind, the highlighted elements are those that
finite differences move, and the terms of a step that is linear in an operand add up to the element.
The tests fail for a corrupted mechanism.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events, static
from minipaddle.autograd import PyLayer
from minipaddle.engine.errors import InvalidArgument, InvalidType, OutOfRange
from minipaddle.nn import functional as F
from minipaddle.ops import REGISTRY, Op, Sample
from tests.each import each
from tests.ops.drawing import draw, kernel, like, sampled, tensors_of
from tests.static.world import fresh
from viz.explanation import cells
from viz.explanation.computations import OpComputation
from viz.explanation.elements import MOST, ElementExplanation, StepElements
from viz.terminal.element_page import ESCAPES, ElementPage
from viz.trace import Trace

from .programs import cus_tanh

BY_NAME = ("copy_to",)  # ops of which a trace has a device by name only
RULES = [
    pytest.param(op, sample, id=name)
    for op, sample, name in sampled()
    if op.rule is not None and op.name not in BY_NAME
]
STEP, MOVED = 1e-5, 1e-12
FAINT = 2 * MOVED / STEP  # smallest slope that differences show
NUDGE = (STEP, -STEP)

Index = tuple[int, ...]


class Kernel:
    """A function of arrays that are joined in one row.

    `special`: the numbers are not random. Then an element counts as moved if both signs of a change
    move it, or if it is moved on both sides of these numbers: a factor of 0 hides nothing, unless
    an op drew it (`drawn`).
    """

    def __init__(
        self,
        compute: Any,
        operands: Sequence[Any],
        special: bool = False,
        drawn: Sequence[int] = (),
    ) -> None:
        self.compute, self.operands, self.special, self.drawn = compute, operands, special, drawn
        with np.errstate(all="ignore"):
            self.results = compute(operands)

    def measured(self) -> list[list[Any]]:
        """Return, by operand and result, which elements of the result each element moves."""
        real = self.moved()
        for above, below in (
            [(self.beside(h).moved() for h in (1e-3, -1e-3))] if self.special else ()
        ):
            for row, *sides in zip(real, above, below, strict=True):
                for table, one, two in zip(row, *sides, strict=True):
                    if table is not None:
                        table |= one & two
        return real

    def beside(self, share: float) -> Kernel:
        draws, row = np.random.default_rng(5), [*self.operands]
        for at, array in enumerate(row):
            if is_float(array) and at not in self.drawn:
                scale = abs(array[np.isfinite(array)]).max(initial=0.0) or 1.0
                row[at] = array + share * scale * draws.uniform(0.5, 1.0, array.shape)
        return Kernel(self.compute, row, self.special, self.drawn)

    def moved(self) -> list[list[Any]]:
        """Return what `measured` does, at just these numbers."""
        found: list[list[Any]] = []
        for operand, array in enumerate(self.operands):
            count = array.size if is_float(array) else 0
            tables = [
                None if out is None else np.zeros((out.size, count), bool) for out in self.results
            ]
            for at in range(count):
                sides = [self.changes(operand, at, h) for h in NUDGE]
                for table, below, above in zip(tables, *sides, strict=True):
                    if table is not None and below is not None:
                        table[:, at] = below & above if self.special else below | above
            found.append(tables)
        return found

    def changes(self, operand: int, at: int, h: float) -> list[Any]:
        """Return which elements of each result move, and not only jump, with one of an operand."""
        rows = []
        for step in (h, h / 2):
            values: list[Any] = [None if each is None else each.copy() for each in self.operands]
            values[operand].reshape(-1)[at] += step
            with np.errstate(all="ignore"):
                pairs = zip(self.compute(values), self.results, strict=True)
                rows.append(
                    [abs(now - out).reshape(-1) if is_float(out) else None for now, out in pairs]
                )
        pairs = zip(*rows, strict=True)
        return [None if far is None else (far > MOVED) & (near < 0.9 * far) for far, near in pairs]

    def is_linear(self, operand: int, slot: int) -> bool:
        """Say whether a result is linear in an operand, the others fixed, and not just 0."""
        x = self.operands[operand]
        if not (is_float(x) and x.size and is_float(self.results[slot])):
            return False
        draw = np.random.default_rng(3)
        one, two = (draw.normal(size=x.shape) for _ in range(2))

        def at(values: Any) -> Any:
            row = [values if k == operand else each for k, each in enumerate(self.operands)]
            return self.compute(row)[slot]

        try:
            with np.errstate(all="ignore"):
                a, b, both, zero = at(one), at(two), at(3 * one - 5 * two), at(np.zeros(x.shape))
                odd = at(-one)
        except Exception:  # noqa: BLE001  (any error for such numbers)
            return False
        if zero.any() or not a.any() or not np.isfinite([a, b, both]).all():
            return False
        room = 1e-9 * abs(both).max()
        return bool(np.allclose(3 * a - 5 * b, both, 0.0, room) and np.allclose(-a, odd, 0.0, room))


def is_float(array: Any) -> bool:
    return array is not None and array.dtype.kind == "f"


def places(shape: tuple[int, ...], whole: bool) -> Iterable[Index]:
    """Return the places of some elements, or of all."""
    every = list(np.ndindex(shape))
    return every if whole or not every else {every[0], every[len(every) // 2], every[-1]}


def check(elements: StepElements, measured: Kernel, whole: bool, slots: Iterable[int]) -> int:
    """Compare the elements of a step with differences of a kernel; return their number."""
    made, count = elements.made, 0
    assert made is not None, elements.reason
    moved = measured.measured()
    for place, slot in made.result_at.items():
        out = measured.results[slot]
        if slot not in slots or not is_float(out):
            continue
        linear = [k for k in range(len(moved)) if measured.is_linear(k, slot)]
        for index in places(out.shape, whole):
            explained = elements.explain(place, index)
            at = int(np.ravel_multi_index(index, out.shape)) if index else 0
            check_cells(elements, [tables[slot][at] for tables in moved], slot, explained)
            check_terms(explained, by_name(made.operands, linear))
            count += 1
    for place, operand in made.operand_at.items():
        array = measured.operands[operand]
        for index in places(array.shape, whole) if is_float(array) else ():
            acts = elements.explain(place, index).acts_on
            at = int(np.ravel_multi_index(index, array.shape)) if index else 0
            expected: dict[str, set[Index]] = {}
            for slot in slots:
                name, out = made.results[slot], measured.results[slot]
                hits = np.flatnonzero(moved[operand][slot][:, at]) if is_float(out) else ()
                expected.setdefault(name, set()).update(
                    unraveled(hits, out.shape) if len(hits) else ()
                )
            assert is_faint(made.run, operand, index) or same(acts, expected), (made.op, index)
            count += 1
    return count


def by_name(names: Any, numbers: Sequence[int]) -> set[str]:
    return {names[number] for number in numbers}


def unraveled(hits: Any, shape: tuple[int, ...]) -> set[Index]:
    return {tuple(map(int, np.unravel_index(k, shape))) for k in hits}


def same(lit: Any, expected: Any) -> bool:
    return {k: set(v) for k, v in lit.items() if v} == {k: set(v) for k, v in expected.items() if v}


def check_cells(
    elements: StepElements, hits: Sequence[Any], slot: int, explained: ElementExplanation
) -> None:
    made = elements.made
    assert made is not None
    expected: dict[str, set[Index]] = {}
    for operand, array in enumerate(made.run.operands):
        if array is not None:
            found = unraveled(np.flatnonzero(hits[operand]), array.shape)
            expected.setdefault(made.operands[operand], set()).update(found)
    if not same(explained.reads, expected):
        grads = cells.Element(made.run, slot, explained.index).gradients(made.run.operands)
        faint = [abs(g[g != 0]).min() for g in grads if g is not None and g.any()]
        told = (made.op, explained.message.en, dict(explained.reads), expected, faint)
        assert faint, told
        assert min(faint) < FAINT, told


def is_faint(run: Any, operand: int, index: Index) -> bool:
    """Say whether an element has slopes that differences do not show."""
    zeros = [np.zeros(each.shape) if is_float(each) else None for each in run.results]
    change = cells.one_hot(run.operands, operand, index)[operand]
    slopes = run.at(run.operands).ahead(zeros, {operand: change})
    return any(s is not None and (abs(s[s != 0]) < FAINT).any() for s in slopes)


def check_terms(explained: ElementExplanation, linear: set[str]) -> None:
    """Check that the terms add up to the element, and that the largest are listed."""
    assert explained.linear_in or not linear, (explained.message.en, linear)
    if not explained.linear_in:
        return
    total = sum(term.product for term in explained.terms) + explained.rest.total
    size = sum(abs(term.product) for term in explained.terms) + abs(explained.constant) + 1e-300
    room = 1e-6 * (size + abs(explained.rest.total))
    assert abs(total + explained.constant - explained.value) <= room, explained.message.en
    products = [abs(term.product) for term in explained.terms]
    assert products == sorted(products, reverse=True)
    assert len(products) == MOST or not explained.rest.count
    if explained.rest.count:
        assert abs(explained.rest.total) <= explained.rest.count * products[-1] * (1 + 1e-9)


# ----- every op ----------------------------------------------------------------------------------


def step_of(trace: Trace, kind: Any, op: str) -> StepElements:
    """Return the elements of the first step of a record of this kind and op."""
    for step in trace.story.steps:
        event = trace.events[step.record]
        if isinstance(event, kind) and op in (getattr(event, "op", ""), getattr(event, "name", "")):
            return StepElements(trace, step, step.index)
    raise LookupError(op)


def check_op(op: Op, sample: Sample, whole: bool = False) -> int:
    arrays = draw(op, sample)
    with viz.record("one op") as trace:
        op.call(*tensors_of(arrays, stop=True), **sample.attrs)
    elements = step_of(trace, events.OpFinished, op.name)
    row = [each for value in arrays for each in (value if isinstance(value, list) else [value])]

    def compute(values: Sequence[Any]) -> Sequence[Any]:
        return kernel(op, like(arrays, [each for each in values if each is not None]), sample)

    measured = Kernel(compute, row)
    if any(map(np.iscomplexobj, (*row, *measured.results))):
        assert elements.made is None
        return 0
    return check(elements, measured, whole, range(len(measured.results)))


@each(("op", "sample"), RULES, quick=130)
def test_highlighted_elements_are_those_that_differences_move(
    op: Op, sample: Sample, request: pytest.FixtureRequest
) -> None:
    check_op(op, sample, request.config.getoption("--all"))


# ----- every kind of step ------------------------------------------------------------------------


def check_steps(trace: Trace, whole: bool = False) -> Counter[str]:
    """Compare the elements of all steps with differences; return their numbers by kind."""
    found: Counter[str] = Counter()
    for chapter in trace.chapters:
        for step in chapter.trace.story.steps:
            elements = StepElements(chapter.trace, step, step.index)
            made = elements.made
            if made is None or made.op in BY_NAME:
                continue
            run = made.run
            check_recorded(elements)
            if isinstance(run, OpComputation) and run.op.rule is None:
                continue
            slots = range(len(run.results))
            measured = Kernel(run.compute, run.operands, special=True, drawn=run.drawn)
            count = check(elements, measured, whole, slots)
            found[type(chapter.trace.events[step.record]).__name__ + " " + made.op] += count
    return found


def check_recorded(elements: StepElements) -> None:
    """Check that a step computes the recorded result from its operands."""
    made = elements.made
    assert made is not None
    now = made.run.compute(made.run.operands)
    for place, slot in made.result_at.items():
        value = elements.step.shown[place].value
        if value is not None and value["data"] is not None and is_float(now[slot]):
            recorded = np.array(value["data"], float).reshape(value["shape"])
            assert np.allclose(now[slot], recorded, 1e-4, 1e-6, equal_nan=True), elements.step.text


FIRST = [case for case in RULES if str(case.id).endswith("-0")]


# 48 evenly spread ops miss the three convolutions of 3-D images, which take 10 s each.
@each(("op", "sample"), FIRST, quick=48)
def test_elements_of_gradients_are_those_that_differences_move(op: Op, sample: Sample) -> None:
    with viz.record("one op") as trace:
        made = op.call(*tensors_of(draw(op, sample)), **sample.attrs)
        row = made if isinstance(made, (list, tuple)) else [made]
        roots = [each for each in row if not each.stop_gradient]
        draws = np.random.default_rng(7)
        seeds = [paddle.to_tensor(draws.normal(size=each.shape)) for each in roots]
        paddle.autograd.backward(roots, seeds)
    check_steps(trace)


class Noisy(PyLayer):
    """A PyLayer of many ops: one with a mask, a choice, and one of the arguments only."""

    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a, b)
        return F.dropout(a, 0.5) @ b, paddle.maximum(a, a * 0.5) + 1.0

    @staticmethod
    def backward(ctx: Any, dy: Any, dz: Any) -> Any:
        a, b = ctx.saved_tensor()
        return dy @ b.t() + dz * a, (a.t() @ dy) * 2.0


def training() -> Trace:
    """Two rounds (training iterations): broadcasting, a fan-in, a hook, a PyLayer, momentum."""
    paddle.seed(3)
    x = paddle.to_tensor(np.random.default_rng(0).normal(size=[3, 4]).astype("float32"))
    w = paddle.to_tensor(np.random.default_rng(1).normal(size=[4, 2]).astype("float32"))
    b = paddle.to_tensor([0.5, -0.25])
    w.stop_gradient = b.stop_gradient = False
    optimizer = paddle.optimizer.Adam(0.1, parameters=[w, b], weight_decay=0.01)
    with viz.record() as trace:
        for _ in range(2):
            h = x @ w + b
            h.register_hook(lambda grad: grad * 0.5)
            y, z = Noisy.apply(h.t(), h)
            loss = (F.softmax(h) * h).sum() + y.mean() + z.max()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
    return trace


def static_training() -> Trace:
    """A Program with a py_func, trained once."""
    with fresh() as (main, startup):
        x = static.data("x", [3, 4])
        h = static.nn.fc(x, 3, activation="sigmoid")
        out = main.global_block().create_var(name="out", dtype="float32", shape=[3, 3])
        h = static.py_func(np.tanh, h, out, lambda a, b, c: np.array(c) * (1 - np.array(b) ** 2))
        loss = paddle.mean(paddle.square(F.dropout(h, 0.25) - 0.5))
        paddle.optimizer.Momentum(0.1).minimize(loss)
        executor = static.Executor()
        executor.run(startup)
        with viz.record() as trace:
            feed = {"x": np.random.default_rng(0).normal(size=[3, 4]).astype("float32")}
            executor.run(main, feed=feed, fetch_list=[loss])
    return trace


IN_TRAINING = {
    *("OpFinished matmul", "OpFinished dropout", "OpFinished max", "ScopeLeft Noisy"),
    *("NodeVisited matmul", "NodeVisited Noisy", "NodeVisited softmax", "HookRan <lambda>"),
    *("GradAccumulated add", "GradUnbroadcast sum_to", "LeafReached matmul"),
    "ParameterUpdated Adam",
}
IN_PROGRAM = {
    *("OperatorExecuted mul", "OperatorExecuted sigmoid", "OperatorExecuted dropout"),
    *("OperatorExecuted mean", "OperatorExecuted momentum"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "kinds"), [(training, IN_TRAINING), (static_training, IN_PROGRAM)]
)
def test_elements_of_all_steps_are_those_that_differences_move(
    program: Callable[[], Trace], kinds: set[str]
) -> None:
    assert kinds <= check_steps(program(), whole=True).keys()


# ----- planted faults ----------------------------------------------------------------------------


def lost_term(monkeypatch: pytest.MonkeyPatch) -> None:
    factors = cells.Element.factors
    monkeypatch.setattr(cells.Element, "factors", lambda *args: [*factors(*args)][1:])


def rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give an element the gradient of another one."""
    one_hot = cells.one_hot

    def other(arrays: Any, slot: int, index: Index) -> list[Any]:
        return [None if a is None else np.roll(a, 1) for a in one_hot(arrays, slot, index)]

    monkeypatch.setattr(cells, "one_hot", other)


def one_dark(monkeypatch: pytest.MonkeyPatch) -> None:
    lit = cells.Element.masks_of

    def less(self: Any, values: Any, grads: Any) -> list[Any]:
        masks = lit(self, values, grads)
        for mask in masks:
            if mask is not None and mask.any():
                mask[tuple(np.argwhere(mask)[-1])] = False
        return masks

    monkeypatch.setattr(cells.Element, "masks_of", less)


def one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = cells.seen_change

    def more(*args: Any) -> Any:
        mask = seen(*args)
        return None if mask is None else mask | (np.arange(mask.size) == 0).reshape(mask.shape)

    monkeypatch.setattr(cells, "seen_change", more)


def never_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells.Linearity, "holds", lambda *_: False)


@pytest.mark.parametrize("fault", [lost_term, rolled, one_dark, one_more, never_linear])
def test_a_planted_fault_is_found(fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    op = REGISTRY["matmul"]
    check_op(op, op.samples[0], whole=True)
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        check_op(op, op.samples[0], whole=True)


# ----- texts -------------------------------------------------------------------------------------


def ones() -> Trace:
    """Ops with factors that happen to be 1, and a tensor with several uses."""
    x = paddle.to_tensor([[3.0, 2.0]], stop_gradient=False)
    w = paddle.to_tensor([[1.0], [5.0]], stop_gradient=False)
    with viz.record() as trace:
        y = x @ w + paddle.ones([1, 1])
        u = x * paddle.to_tensor([1.0, 2.0])
        v = (x * 1.0 + x) * x
        p, s = x * x, (x + 0.0).sum()
        (y.sum() + u.sum() + v.sum() + p.sum() + s).backward()
    return trace


def test_a_factor_is_left_out_only_where_the_formula_has_none() -> None:
    trace = ones()
    told = {name: trace.explain_element(name, (0, 0)) for name in ("x @ w", "y", "x × 1 + x")}
    factors = {name: {str(term) for term in each.terms} for name, each in told.items()}
    assert factors["x @ w"] == {"3 × 1", "2 × 5"}
    assert factors["y"] == {"13", "1"}
    assert factors["x × 1 + x"] == {"3"}
    said = {name: str(trace.explain_element(name, (0, 0)).message) for name in ("u", "x × 1")}
    assert said == {"u": "u[0, 0] = 3 · 1 = 3", "x × 1": "(x × 1)[0, 0] = 1 · 3 = 3"}


def test_terms_of_a_gradient_name_the_uses_that_they_come_from() -> None:
    trace = ones()
    uses = Counter[str]()
    for step in trace.steps:
        if step.kind == "accumulate":
            explained = trace.explain_element(index=(0, 0), step=step.index)
            uses.update(term.use for term in explained.terms)
            for term in explained.terms:
                assert term.source.of("en").endswith(f" from {term.use}" if term.use else "]")
    assert uses.pop("") == 6  # sums of several uses
    once = ["x @ w", "u", "v", "x × 1", "x × 1 + x", "p (1)", "p (2)", "x + 0"]
    assert uses == Counter(once)


def test_the_largest_terms_are_listed_first_and_the_rest_is_counted() -> None:
    draws = np.random.default_rng(0)
    x, w = (paddle.to_tensor(draws.normal(size=size)) for size in ([3, 40], [40, 2]))
    with viz.record() as trace:
        y = x @ w
    found = trace.explain_element(y, (2, 0))
    products = sorted(x.numpy()[2] * w.numpy()[:, 0], key=lambda product: -abs(product))
    assert [term.product for term in found.terms] == pytest.approx(products[:MOST])
    assert found.rest.count == 10
    assert found.rest.total == pytest.approx(sum(products[MOST:]))
    assert str(found).startswith("y[2, 0] = ")
    assert "34 more" in found.message.en
    assert "made from x[2, :] and w[:, 0]" in str(found)
    assert trace.explain_element("w", (3, 1)).acts_on == {"y": {(i, 1) for i in range(3)}}


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda x: x.argmax(), "argmax has no gradient rule"),
        (lambda x: x.topk(1)[1], "int64 values do not vary continuously"),
        (lambda x: paddle.histogram(x, bins=2), "histogram has no gradient rule"),
        (lambda x: paddle.ones([2]), "of no tensor"),
    ],
)
def test_an_explanation_says_that_a_step_has_no_rule(make: Any, reason: str) -> None:
    x = paddle.to_tensor([0.5, -1.0])
    with viz.record() as trace:
        y = make(x)
    found = trace.explain_element(y, (0,) * len(y.shape))
    assert reason in found.message.en
    assert not found.reads
    assert not found.terms


def test_a_leaf_gradient_is_explained_by_the_step_that_computed_it() -> None:
    x, w = paddle.to_tensor([[2.0, -1.0]]), paddle.to_tensor([[0.5], [3.0]], stop_gradient=False)
    with viz.record() as trace:
        y = x @ w
        y.backward()
    found = trace.explain_element(w.grad, (1, 0))
    assert found == trace.explain_element("w.grad", (1, 0))
    assert found.reads == {"dy": {(0, 0)}, "x": {(0, 1)}}
    assert (found.value, found.linear_in) == (-1.0, ("dy",))


class Doubled(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return dy * x


def test_arguments_of_a_call_act_on_its_results() -> None:
    x = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
    with viz.record() as trace:
        y = Doubled.apply(x)
        y.sum().backward()
    at = {step.kind: step.index for step in trace.story.steps}
    assert trace.explain_element("x", 1, step=at["enter"]).acts_on == {"y": {(1,)}}
    assert trace.explain_element("dy", 1, step=at["receive"]).acts_on == {"dx": {(1,)}}
    found = trace.explain_element("dx", 1, step=at["return"])
    assert found.reads == {"dy": {(1,)}, "x": {(1,)}}
    assert found.linear_in == ("dy",)


def test_names_inside_a_pylayer_are_those_of_its_steps() -> None:
    x = paddle.to_tensor([0.5, 1.0], stop_gradient=False)
    with viz.record() as trace:
        z = cus_tanh.apply(x)
        z.mean().backward()
    assert {*trace.explain_element("dx", 1).reads} == {"dy", "1 − square(y)"}
    found = trace.explain_element("y", 1)  # where tanh computes it, not where forward returns it
    assert trace.steps[found.step].kind == "op"
    assert {*found.reads} == {"x"}


def test_the_last_update_is_explained_with_the_state_of_earlier_rounds() -> None:
    trace = training()
    found = trace.explain_element("w", (0, 1))
    assert found.step == max(s.index for s in trace.steps if s.kind == "update" and "w" in s.text)
    assert set(found.reads) == {"w", "w.grad"}


def test_running_statistics_and_a_learning_rate_are_explained() -> None:
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 6.0]])
    norm = paddle.nn.BatchNorm1D(2)
    with viz.record() as trace:
        norm(x)
    found = trace.explain_element("new_running_mean(x)", 1)
    assert found.value == pytest.approx(0.4)
    assert found.reads == {"x": {(0, 1), (1, 1)}, "norm._mean": {(1,)}}
    assert sum(term.product for term in found.terms) == pytest.approx(0.4)
    trace = static_training()
    update = next(s.index for s in trace.steps if "momentum" in s.text and s.kind == "execute")
    assert trace.explain_element("learning_rate_0", step=update).acts_on


def test_the_loss_is_no_gradient_that_backward_begins_with() -> None:
    x = paddle.to_tensor([2.0], stop_gradient=False)
    with viz.record() as trace:
        loss = (x * x).sum()
        loss.backward()
    seed = next(step.index for step in trace.steps if step.kind == "seed")
    assert "does not compute with it" in str(trace.explain_element("loss", step=seed))
    assert "nothing computed it" in str(trace.explain_element("dloss", step=seed))


def test_elements_are_asked_for_by_name_tensor_and_step() -> None:
    x = paddle.to_tensor([1.0, 2.0])
    with viz.record() as trace:
        y = x * 2.0
        z = y + 1.0
    assert trace.explain_element(z, -1) == trace.explain_element("z", 1)
    assert trace.explain_element(step=0, index=1).name == "y"
    assert trace.explain_element("y", 0, step=1).acts_on == {"z": {(0,)}}
    for error, question in (
        (InvalidArgument, {"x": "nobody"}),
        (InvalidArgument, {"x": "y"}),  # no index
        (InvalidArgument, {"x": "x", "step": 1}),
        (InvalidArgument, {"x": paddle.ones([2]), "index": 0}),
        (OutOfRange, {"x": "y", "index": 2}),
        (OutOfRange, {"step": 9, "index": 0}),
        (InvalidType, {"x": "y", "index": 0.5}),
        (InvalidType, {"x": "y", "step": "one"}),
        (InvalidType, {"x": 3}),
        (InvalidType, {}),
    ):
        with pytest.raises(error, match="explain_element"):
            trace.explain_element(**question)


def test_the_terminal_highlights_the_sources_of_an_element() -> None:
    x, w = paddle.to_tensor([[2.0, -1.0]]), paddle.to_tensor([[0.5, 4.0], [3.0, 5.0]])
    with viz.record() as trace:
        _ = x @ w
    page = ElementPage(trace, trace.story.steps[0], 0)
    assert page.press("right")
    text = "\n".join(page.lines("en", 80, 24))
    assert "= 2 × 4 + −1 × 5 = 3" in text
    assert [word for word in ESCAPES.sub("", text).split() if "•" in word] == [
        "•2",
        "•−1",
        "•4",
        "•5",
    ]
    assert page.press("\t")
    assert "acts on" in "\n".join(page.lines("en", 80, 24))
    assert not page.press("x")
    for columns in (20, 41, 200):
        assert all(len(ESCAPES.sub("", line)) <= columns for line in page.lines("zh", columns, 9))
