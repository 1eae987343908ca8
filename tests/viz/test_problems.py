"""Problems: each kind is found at its place, and is gone after its repair."""

import itertools
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.engine.errors import InvalidArgument
from tests.each import each
from tests.samples import pylayer
from viz.document.values import SMALL
from viz.facts.problems.find import KINDS
from viz.facts.problems.numbers import ADVICE
from viz.facts.problems.thresholds import Thresholds
from viz.model import Problem
from viz.trace import Trace

from . import faults, programs, recordings, round_loops, stories, trainings
from .faults import FAULTS, ON_PAGE, leaf, rows, run_code, small_net
from .programs import kept

F = nn.functional
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "problems.md"
CASES = [(kind, program) for kind, several in FAULTS.items() for program in several]
NAMES = [getattr(program, "__name__", f"{kind}_of_the_page") for kind, program in CASES]


def kinds_of(trace: Trace) -> list[str]:
    return [problem.kind for problem in trace.problems()]


# ----- faults and their repair -------------------------------------------------------------------


@each(("kind", "program"), CASES, ids=NAMES)
def test_a_fault_is_found_at_its_step_and_box_and_its_advice_works(
    kind: str, program: faults.Program
) -> None:
    trace = program(False)
    assert kind in kinds_of(trace)
    for problem in trace.problems():
        chapter = trace.chapter_at(problem.step)
        story = chapter.trace.story
        assert not story.steps[problem.step - chapter.first].of_memory
        assert problem.node in {None, *(node.id for node in story.graph.nodes)}
        for text in (problem.text, problem.todo):
            assert text.en.isascii() or not re.search("[\u4e00-\u9fff]", text.en)
            assert re.search("[\u4e00-\u9fff]", text.zh)
            assert not re.search(r"[{}]", text.en + text.zh)
    assert kinds_of(program(True)) == []


def test_the_page_of_faults_quotes_the_text_of_each_problem() -> None:
    assert list(ON_PAGE) == list(KINDS)
    for kind, program in ON_PAGE.items():
        (problem,) = program(False).problems()
        told = " ".join(program.told.replace("> ", "").split())
        assert (problem.kind, f"{problem.text.en} {problem.todo.en}") == (kind, told)


# ----- programs without a problem ----------------------------------------------------------------

# Intended problems: a backward that is not the derivative, NaN, a leaf that is cut off.
SHOWN_ON_PURPOSE: dict[str, set[str]] = {
    "nested": {"wrong_gradient"},
    "unwanted": {"no_gradient"},
    "odd": {"nan", "inf", "no_gradient"},
    "given_odd": {"nan"},
    "overflowing": {"inf"},
    "never_cleared": {"carried_over"},
    "nan": {"nan", "inf"},
    "cut_off": {"no_gradient"},
}
HEALTHY = {
    make.__name__: lambda make=make: kept(make)
    for group in (programs, stories, trainings, round_loops, recordings)
    for make in group.ALL
}


@each(("name", "make"), HEALTHY.items(), ids=HEALTHY)
def test_a_program_has_only_its_intended_problems(name: str, make: Callable[[], Trace]) -> None:
    wanted = SHOWN_ON_PURPOSE.get(name, set())
    assert set(kinds_of(make())) == wanted


@each(
    "settings",
    [
        {"depth": 0}, {"depth": 1}, {"only": "relu"}, {"skip": "Linear*"}, {"skip": "SGD"},
        {"rounds": [0, 3]}, {"every": 2}, {"limit": 60}, {"limit": 150},
    ],
)  # fmt: skip
def test_missing_recordings_are_no_problem(settings: dict[str, Any]) -> None:
    net = small_net()
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    assert faults.train(net, opt, 4, **settings).problems() == []


def test_an_expected_none_gradient_is_no_problem() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0])
    with viz.record() as trace:
        before = x.grad
        paddle.grad((y * y).sum(), y)
        (x * x).sum().backward()
        if y.grad is None:
            x.clear_grad()
    assert before is None
    assert trace.problems() == []


def test_a_gradient_that_is_cleared_before_its_update_is_not_from_an_old_round() -> None:
    """The generator's pass adds to the discriminator's gradient, which is cleared afterwards.

    If it is not cleared, or only before the generator's pass, the discriminator's update uses it.
    """
    for when in ("before its pass", "after its step", "never"):
        one, other, x = nn.Linear(3, 3), nn.Linear(3, 1), rows(4, 3)
        first = paddle.optimizer.SGD(0.01, parameters=one.parameters())
        second = paddle.optimizer.SGD(0.01, parameters=other.parameters())
        with viz.record() as trace:
            for _ in range(3):
                fake = one(x)
                if when == "before its pass":
                    second.clear_grad()
                loss = (other(fake.detach()) - 1.0).square().mean()
                loss.backward()
                second.step()
                if when == "after its step":
                    second.clear_grad()
                first.clear_grad()
                other(fake).square().mean().backward()
                first.step()
        assert kinds_of(trace) == ([] if when == "before its pass" else ["carried_over"])


def test_a_teacher_with_detached_answers_needs_no_gradient() -> None:
    teacher, student, x = nn.Linear(3, 2), nn.Linear(3, 2), rows(4, 3)
    opt = paddle.optimizer.SGD(0.1, parameters=student.parameters())
    trace = trainings.descend(opt, lambda _: (student(x) - teacher(x).detach()).square().mean(), 3)
    assert trace.problems() == []
    with viz.record() as trace:
        target = teacher(x).detach()
        (student(x) - target).square().mean().backward()
        print(teacher.weight.grad)
    assert "teacher.weight.grad, read in line" in found(trace, "no_gradient").text.en


def attack_on(net: Any) -> Trace:
    """Record three handwritten steps of an input along the gradient of a loss."""
    x = leaf([[0.1, 0.2, 0.3]])
    with viz.record() as trace:
        for _ in range(3):
            loss = F.cross_entropy(net(x), paddle.to_tensor([0]))
            loss.backward()
            with paddle.no_grad():
                x.add_(0.1 * x.grad / x.grad.norm())
                x.clear_grad()
    return trace


def frozen(net: Any) -> Any:
    for parameter in net.parameters():
        parameter.stop_gradient = True
    return net


def one_step_of_an_attack() -> Trace:
    w, x = paddle.to_tensor([[1.0], [2.0], [3.0]]), leaf([[0.1, 0.2, 0.3]])
    with viz.record() as trace:
        loss = (x @ w).square().mean()
        loss.backward()
        attack = x + 0.1 * x.grad
        worse = (attack @ w).square().mean()
    assert float(worse) > float(loss)
    return trace


def up_and_down() -> Trace:
    """A multiplier climbs while the weight descends, both on purpose."""
    w, multiplier = leaf([1.0, 2.0]), leaf(1.0)
    with viz.record() as trace:
        for _ in range(3):
            loss = (w * w).sum() + multiplier * (w.sum() - 1.0)
            loss.backward()
            with paddle.no_grad():
                w.subtract_(0.1 * w.grad)
                multiplier.add_(0.1 * multiplier.grad)
            w.clear_grad()
            multiplier.clear_grad()
    return trace


def momentum_by_hand() -> Trace:
    w, speed = leaf([1.0, 2.0]), paddle.zeros([2])
    with viz.record() as trace:
        for _ in range(3):
            loss = (w * w).sum()
            loss.backward()
            with paddle.no_grad():
                speed = 0.9 * speed - 0.1 * w.grad
                w.add_(speed)
            w.clear_grad()
    return trace


def scores_beside_probabilities() -> Trace:
    net, teacher, x = nn.Linear(3, 3), frozen(nn.Linear(3, 3)), rows(4, 3)
    label = paddle.to_tensor([0, 1, 2, 0])
    with viz.record() as trace:
        scores = net(x)
        F.softmax(scores)
        soft = F.cross_entropy(scores, F.softmax(teacher(x)), soft_label=True)
        exact = F.cross_entropy(F.softmax(net(x)), label, use_softmax=False)
        again = F.cross_entropy(F.log_softmax(net(x)), label)
        (soft + exact + again).backward()
    return trace


def heads_in_turn() -> Trace:
    one, other, x = nn.Linear(3, 1), nn.Linear(3, 1), rows(4, 3)
    opt = paddle.optimizer.SGD(0.01, parameters=[*one.parameters(), *other.parameters()])
    return trainings.descend(opt, lambda turn: (one, other)[turn % 2](x).square().mean(), 4)


def hidden(x: Any) -> Any:
    keep = paddle.to_tensor([[True, True, False]])
    scores = paddle.where(keep, x, paddle.full_like(x, -float("inf")))
    return -paddle.log(F.softmax(scores)[0, 1])


def passed(loss_of: Callable[[Any], Any], x: Any) -> Trace:
    with viz.record() as trace:
        loss = loss_of(x)
        loss.backward()
    return trace


Straight = pylayer(lambda ctx, x: paddle.round(x), lambda ctx, dy: dy, "Straight")
Sum = pylayer(lambda ctx, x: x.sum(), lambda ctx, dy: dy.expand([2]), "Sum")
HALVES = [0.0, 0.5, 1.0]

MEANT: dict[str, Callable[[], Trace]] = {
    "an attack": lambda: attack_on(nn.Linear(3, 3)),
    "one step of an attack": one_step_of_an_attack,
    "up and down": up_and_down,
    "momentum": momentum_by_hand,
    "probabilities": scores_beside_probabilities,
    "heads in turn": heads_in_turn,
    "a slope of 0": lambda: passed(lambda x: Straight.apply(x).sum(), leaf([0.2, 1.7])),
    # A slope of 1 is lost in float64 beside a result of 1e13.
    "rounding": lambda: passed(Sum.apply, leaf([1e15, 1.0], "float64")),
    "an infinity among the arguments of an op": lambda: passed(hidden, leaf([[1.0, 2.0, 3.0]])),
    "a hinge that is 0 for all rows": lambda: passed(
        lambda w: w.square().mean() + F.relu(w.abs() - 2.0).sum(), leaf(np.ones((4, 2)))
    ),
    "pairs that are written out": lambda: passed(
        lambda a: paddle.exp(-(a - paddle.to_tensor(HALVES).unsqueeze(0)).square()).mean(),
        leaf([[n] for n in HALVES]),
    ),
    "an outer product": lambda: passed(
        lambda a: (a * paddle.to_tensor([3.0, 4.0]) * paddle.ones([2, 2])).sum(axis=0).max(),
        leaf([[1.0], [2.0]]),
    ),
}


@each(("name", "make"), MEANT.items(), ids=MEANT)
def test_intended_programs_that_look_faulty_have_no_problem(
    name: str, make: Callable[[], Trace]
) -> None:
    assert kinds_of(make()) == []


def test_only_parameters_of_an_optimizer_must_get_a_gradient() -> None:
    """A teacher's answers go through NumPy; first only the student is trained, then both."""
    for trained in (False, True):
        teacher, student, x = nn.Linear(3, 2), nn.Linear(3, 2), rows(4, 3)
        more = teacher.parameters() if trained else []
        opt = paddle.optimizer.SGD(0.1, parameters=[*student.parameters(), *more])
        trace = trainings.descend(
            opt,
            lambda _, teacher=teacher, student=student, x=x: (
                (student(x) - paddle.to_tensor(teacher(x).numpy())).square().mean()
            ),
            3,
        )
        assert set(kinds_of(trace)) == ({"no_gradient"} if trained else set())


def test_frozen_layers_may_be_in_evaluation_mode() -> None:
    paddle.seed(0)
    body = frozen(nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1D(8), nn.ReLU()))
    head = nn.Linear(8, 1)
    body.eval()
    net = nn.Sequential(body, head)
    opt = paddle.optimizer.Adam(0.01, parameters=head.parameters())
    assert faults.train(net, opt, 3).problems() == []


def test_a_step_before_backward_is_no_problem_if_no_gradient_depends_on_the_weights() -> None:
    """The gradient of weights times data reads only the data; a rate of 0 changes nothing."""
    for rate, needed in ((0.1, False), (0.0, True), (0.1, True)):
        w, x = leaf([[1.0], [2.0]]), rows(3, 2)
        x.stop_gradient = not needed
        opt = paddle.optimizer.SGD(rate, parameters=[w])
        with viz.record() as trace:
            first, h = (x @ w).mean(), x @ w
            second = h.sum()
            first.backward()
            opt.step()
            opt.clear_grad()
            second.backward()
        found = [problem for problem in trace.problems() if problem.kind == "changed_between"]
        assert bool(found) == bool(needed and rate)
        for problem in found:
            step = trace.steps[problem.step].step
            (shown,) = (term.value["data"] for term in step.terms if term.name == "w")
            assert np.allclose(shown, w.numpy()), "the values that backward used"
            assert "w holds other values" in step.text.en
            assert all("SGD" in text for text in problem.text)


def parameter(numbers: list[float]) -> Any:
    w = paddle.create_parameter([len(numbers)], "float32")
    w.set_value(np.array(numbers, "float32"))
    return w


def descend(loss_of: Callable[[Any], Any], start: float, rate: float) -> Trace:
    """Record ten rounds of gradient descent on four equal numbers."""
    w = parameter([start] * 4)
    return trainings.descend(paddle.optimizer.SGD(rate, parameters=[w]), lambda _: loss_of(w), 10)


BESIDE_ONE = 1.0 + 2.0**-23  # the next float32 after 1
UNEQUAL = np.float32([1.0, -1.0, 2.0, -2.0])


def test_updates_of_settled_parameters_are_not_reported_as_rounded_away() -> None:
    """A tenth of the gradient is less than half the distance between two numbers."""
    (problem,) = descend(lambda w: (w - 1.0).square().sum(), BESIDE_ONE, 0.1).problems()
    assert problem.kind == "loss_still"
    assert "If it has come down before, training is done" in problem.todo.en


def steep_tanh(w: Any) -> Any:
    return paddle.tanh(w * 3.0).square().mean()


STEPS_INTO_PLATEAUS: dict[str, tuple[Callable[[Any], Any], float, float, bool]] = {
    "tanh": (steep_tanh, 0.1, 400.0, True),
    "sigmoid": (lambda w: (F.sigmoid(w) - 0.45).square().mean(), 0.3, 1e5, True),
    "softmax": (lambda w: (F.softmax(w * UNEQUAL)[0] - 0.4).square(), 0.1, 1e3, True),
    "tanh, at the lowest loss": (
        lambda w: (paddle.tanh(w) - 1.0).square().mean() + 0.9,
        3.0,
        1e6,
        False,
    ),
    "a square, next to its minimum": (
        lambda w: (w - 1.0).square().sum() + 0.9,
        BESIDE_ONE,
        0.5,
        False,
    ),
    "exp": (lambda w: -paddle.exp(-w.square()).mean(), 0.5, 40.0, False),
    "exp, beside a tanh with a slope": (
        lambda w: (paddle.exp(-w.square()) * paddle.tanh(paddle.full([4], -1.5))).mean(),
        0.5,
        40.0,
        False,
    ),
}


@each(("loss_of", "start", "rate", "told"), STEPS_INTO_PLATEAUS.values(), ids=STEPS_INTO_PLATEAUS)
def test_a_gradient_has_vanished_if_a_function_is_saturated_and_the_loss_too_high(
    loss_of: Callable[[Any], Any], start: float, rate: float, told: bool
) -> None:
    trace = descend(loss_of, start, rate)
    first, last = (trace.rounds[at].sizes[0].grad for at in (0, -1))
    assert last < 1e-4 * first
    assert ("vanishing" in kinds_of(trace)) is told


def test_rprop_may_pause_where_a_gradient_changes_its_sign() -> None:
    w = parameter([0.1, -0.1, 0.2, -0.2])
    opt = paddle.optimizer.Rprop(0.3, parameters=[w])
    trace = trainings.descend(opt, lambda _: (w * w).sum(), 4)
    assert any(
        np.array_equal(event.before.data["data"], event.tensor.value.data["data"])
        for event in trace.events
        if type(event).__name__ == "ParameterUpdated"
    )
    assert trace.problems() == []


# ----- texts -------------------------------------------------------------------------------------


def found(trace: Trace, kind: str) -> Problem:
    return next(problem for problem in trace.problems() if problem.kind == kind)


@each("in_place", [True, False])
def test_a_parameter_rebound_by_an_update_must_stay_a_leaf(*, in_place: bool) -> None:
    w, x = leaf([[1.0], [2.0], [3.0]]), rows(4, 3)
    with viz.record() as trace:
        for _ in range(2):
            loss = (x @ w).square().mean()
            loss.backward()
            if w.grad is None:
                break
            if in_place:
                w = w - 0.1 * w.grad
            else:
                w -= 0.1 * w.grad
        print(w.grad)
    (problem,) = trace.problems()
    assert "w#2.grad" in problem.text.en
    assert "in place in `with paddle.no_grad():`" in problem.todo.en
    assert "retain_grads" not in problem.todo.en


def cleared_too_early(*, set_to_zero: bool) -> Trace:
    """Record ten rounds whose gradients are cleared before the update."""
    w = parameter([2.0])
    opt = paddle.optimizer.SGD(0.1, parameters=[w])
    with viz.record() as trace:
        for _ in viz.rounds(range(10)):
            (w * w).sum().backward()
            opt.clear_grad(set_to_zero)
            opt.step()
    return trace


STILL: dict[str, Callable[[], Trace]] = {
    "larger learning rate": lambda: faults.rate_too_small(False),
    "step()": lambda: faults.never_stepped(False),
    "No parameter was updated in these rounds: none had a gradient": lambda: cleared_too_early(
        set_to_zero=False
    ),
    "Every gradient was 0, so": lambda: ON_PAGE["loss_still"](False),
    "Call clear_grad() only after step()": lambda: cleared_too_early(set_to_zero=True),
    "at a learning rate of 1, updates jump": lambda: descend(lambda w: (w * w).sum(), 2.0, 1.0),
    "The weights did move, by up to 0.003 of their size": lambda: descend(
        lambda w: w.sum() * 0.01 + 100.0, 1.0, 0.25
    ),
}


@each(("reason", "make"), STILL.items(), ids=STILL)
def test_a_constant_loss_has_a_reason(reason: str, make: Callable[[], Trace]) -> None:
    assert reason in found(make(), "loss_still").todo.en


def quotient(make: Callable[[Any], Any], numbers: list[float]) -> Any:
    """Return the advice for the NaN of a quotient."""
    x = leaf(numbers)
    with viz.record() as trace:
        y = make(x)
        (y / y.sum()).sum().backward()
    return found(trace, "nan").todo


def test_infinity_over_infinity_names_the_value_that_became_infinite() -> None:
    todo = quotient(lambda x: paddle.exp(x) * 2.0, [1.0, 200.0])
    assert todo.en.startswith("y had become infinite in exp, and inf / inf is no number.")
    assert todo.zh.startswith("y 在 exp 中")
    assert "inf / inf" in quotient(lambda x: x, [1.0, float("inf")]).en
    advice = quotient(lambda x: x, [0.0, 0.0]).en
    assert "0 / 0" in advice
    assert "Keep the divisor away from 0" in advice


SAID = re.compile(r"It is the result of ([^ ]+) (.) (\(?)([^ )]+)\)?:")
OF_TWO = {"+": "add", "−": "subtract", "·": "multiply", "/": "divide"}


@each(("sign", "op"), OF_TWO.items())
def test_the_two_numbers_named_give_the_nan_or_the_infinity(sign: str, op: str) -> None:
    numbers = [0.0, 2.0, -2.0, 3e38, -3e38, np.inf, -np.inf, np.nan]
    told = set()
    for a, b in itertools.product(numbers, numbers):
        with viz.record() as trace, np.errstate(all="ignore"):
            getattr(paddle, op)(paddle.to_tensor([1.0, a]), paddle.to_tensor([1.0, b]))
        for problem in trace.problems():
            if (said := SAID.match(problem.todo.en)) is None:
                continue
            assert (said[2], said[3] == "(") == (sign, said[4].startswith("−"))
            left, right = (np.float32(said[at].replace("−", "-")) for at in (1, 4))
            is_odd = {"nan": np.isnan, "inf": np.isinf}[problem.kind]
            with np.errstate(all="ignore"):
                assert is_odd(getattr(np, op)(left, right))
            assert not is_odd([left, right]).any()
            told.add(problem.kind)
    assert told == {"nan", "inf"}


def test_without_stored_values_no_numbers_are_named() -> None:
    x, y = paddle.zeros([SMALL + 1]), paddle.zeros([SMALL + 1])
    with viz.record() as trace:
        x / y
    assert found(trace, "nan").todo == ADVICE["divide"]


# ----- thresholds --------------------------------------------------------------------------------


def test_thresholds_can_be_given() -> None:
    trace = trainings.simple(10)
    assert trace.problems() == []
    assert [p.kind for p in trace.problems(loss_still=1.0, loss_rounds=2)] == ["loss_still"]
    assert ON_PAGE["vanishing"](False).problems(vanishing=1e-9) == []


@each(("name", "number"), [("loss_stil", 0.1), *(("dead", x) for x in ("all", -1, np.nan, True))])
def test_wrong_thresholds_are_refused(name: str, number: Any) -> None:
    with pytest.raises(InvalidArgument, match=rf"threshold '?{name}"):
        kept(programs.fan_in).problems(**{name: number})


def test_the_document_has_every_kind_and_every_threshold() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [
        *KINDS, *(field.name for field in fields(Thresholds)),
    ]  # fmt: skip
    table = dict(re.findall(r"^\| `(\w+)` \| ([\d.e-]+) \|", page, re.MULTILINE))
    assert {name: float(number) for name, number in table.items()} == {
        field.name: float(getattr(Thresholds(), field.name)) for field in fields(Thresholds)
    }


def test_the_example_of_the_document_has_its_problem() -> None:
    page = PAGE.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    run_code(page.partition("```python\n")[2].partition("```")[0], "<problems.md>", names)
    assert kinds_of(names["trace"]) == ["carried_over"]
