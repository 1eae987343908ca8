"""Hunts for one mistake in a backward pass, which the page does not reveal; quizzes."""

import base64
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument, InvalidType
from minipaddle.events import GradAccumulated
from tests.each import each
from viz.story.finite_differences import measure
from viz.teach.bug_hunt import BugHunt, hunt_in, passes
from viz.teach.mistakes import KINDS, with_mistake
from viz.trace import trace_of
from viz.whatif.numbers import AsRecorded, array_of
from viz.whatif.replay import Replay

from ..contract.refusal import refuses
from . import played
from .programs import cus_tanh
from .trainings import descend

F = paddle.nn.functional


def numbers(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


@cache
def training() -> viz.Trace:
    """Three rounds (training iterations); a square weight, another weight, a bias, a softmax."""
    paddle.seed(0)
    net = paddle.nn.Sequential(
        paddle.nn.Linear(4, 4), paddle.nn.Tanh(), paddle.nn.Linear(4, 3), paddle.nn.Softmax()
    )
    sgd = paddle.optimizer.SGD(0.5, parameters=net.parameters())
    x, y = paddle.to_tensor(numbers(4, 4)), paddle.to_tensor(numbers(4, 3, seed=1))
    return descend(sgd, lambda _: ((net(x) - y) ** 2).mean(), 3)


@cache
def shared() -> viz.Trace:
    """A tensor that is used twice and broadcast, and a PyLayer."""
    a = paddle.to_tensor(numbers(3, 2), stop_gradient=False)
    b = paddle.to_tensor(numbers(2, seed=2), stop_gradient=False)
    with viz.record() as trace:
        loss = cus_tanh.apply(a * b + b).mean()
        loss.backward()
    return trace


@cache
def two_passes() -> viz.Trace:
    """Two backward passes without a loop, cleared in between."""
    w = paddle.to_tensor(numbers(2, 2), stop_gradient=False)
    v = paddle.to_tensor(numbers(2, 2, seed=1), stop_gradient=False)
    with viz.record() as trace:
        (w.tanh() * v).sum().backward()
        w.clear_gradient()
        v.clear_gradient()
        (w.exp() * v).sum().backward()
    return trace


TRACES: dict[str, Callable[[], viz.Trace]] = {
    "training": training,
    "shared": shared,
    "two passes": two_passes,
}
POSSIBLE = {
    "training": set(KINDS),
    "shared": {"factor", "sum", "sign"},
    "two passes": {"factor", "clear_grad", "sign"},
}
EACH = [(name, kind, seed) for name in TRACES for kind in sorted(POSSIBLE[name]) for seed in (0, 1)]


@cache
def hunt_for(name: str, kind: str, seed: int) -> BugHunt:
    return hunt_in(TRACES[name](), seed, trace_of, kinds=(kind,))


def sealed(hunt: BugHunt) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(base64.b64decode(hunt.ask["sealed"]))
    return told


# ----- finding the mistake -----------------------------------------------------------------------


class Checked(AsRecorded):
    """Recorded numbers, and the places at which they differ from their rules."""

    def __init__(self) -> None:
        super().__init__()
        self.misfits: list[int] = []

    def follows(self, value: Any, array: Any, made_from: Any = ()) -> str:
        why = super().follows(value, array, made_from)
        if why:
            self.misfits.append(self.record)
        return why


def disagreements(records: Sequence[Any]) -> list[int]:
    """Return the positions of records whose value is not what its rule gives."""
    checked = Checked()
    Replay(checked, records).walk()
    return checked.misfits


@each(("name", "kind", "seed"), EACH, quick=12)
def test_the_changed_box_and_no_other_disagrees_with_its_rule(
    name: str, kind: str, seed: int
) -> None:
    hunt, right = hunt_for(name, kind, seed), TRACES[name]()
    record = hunt.wrong.mistake.site.record
    events = trace_of(hunt.wrong.document).events
    assert disagreements(right.events) == []
    if kind == "clear_grad":
        assert disagreements(events) == []  # every rule is right; earlier gradients are not
        filled = [at for at in cleared(right) if array_of(events[at].held).any()]
        assert filled == [record]
    else:
        assert disagreements(events) == [record]
    assert hunt.kind == kind == hunt.solution.kind


def cleared(trace: viz.Trace) -> list[int]:
    """Return the positions of records in which a gradient is added to a `.grad` of zeros."""
    return [
        at
        for at, event in enumerate(trace.events)
        if isinstance(event, GradAccumulated) and event.stored and not array_of(event.held).any()
    ]


@each(("name", "kind", "seed"), EACH, quick=12)
def test_no_earlier_box_disagrees_with_finite_differences(name: str, kind: str, seed: int) -> None:
    """Finite differences use kernels only, no gradient rules."""
    hunt = hunt_for(name, kind, seed)
    judged = [
        (step.index, measure(shown.probe).agrees)
        for step in hunt._whole_story.steps
        for shown in step.shown
        if shown.probe is not None
    ]
    assert any(agrees for _, agrees in judged)
    differs = [at for at, agrees in judged if agrees is False]
    assert all(at >= hunt.solution.step for at in differs)
    if hunt.wrong.mistake.site.at in ("rule", "sum"):
        assert differs
        # A node's gradient is measured one step later, after its sum over broadcast axes.
        assert differs[0] in (hunt.solution.step, hunt.solution.step + 1)
        assert differs == differs[:1]


@each(("name", "kind", "seed"), EACH, quick=12)
def test_the_step_of_the_box_shows_the_wrong_numbers(name: str, kind: str, seed: int) -> None:
    hunt = hunt_for(name, kind, seed)
    step = hunt.story.steps[hunt.solution.step]
    assert step.nodes[-1] == hunt.solution.box
    assert hunt.solution.box in hunt.boxes
    assert step.phase == "backward"
    last = sealed(hunt)["hints"][-1]
    shown = [shown.value for shown in step.shown if shown.value is not None]
    flat = {f"{x:.4g}".replace("-", "−") for value in shown for x in np.ravel(value["data"])}
    assert {got for _, got, _ in last["rows"]} <= {x.replace("e−0", "e−") for x in flat}
    assert any(got != wanted for _, got, wanted in last["rows"])


@each(("name", "kind", "seed"), EACH, quick=12)
def test_each_hint_leaves_fewer_boxes(name: str, kind: str, seed: int) -> None:
    hunt = hunt_for(name, kind, seed)
    told = sealed(hunt)
    rows = [hint["boxes"] for hint in told["hints"]]
    assert told["answer"] == hunt.solution.box
    assert len(rows[0]) <= (len(hunt.boxes) + 1) // 2
    assert rows[2] == [hunt.solution.box]
    for wide, narrow in zip([hunt.boxes, *rows], rows, strict=False):
        assert set(narrow) <= set(wide)
        assert hunt.solution.box in narrow
        assert len(narrow) < len(wide) or len(wide) == 1


def test_a_seed_always_gives_one_hunt() -> None:
    one, same, other = (viz.bug_hunt(training(), seed) for seed in (3, 3, 4))
    assert one.solution == same.solution
    assert one.html() == same.html()
    assert one.html() != other.html()


# ----- changes without effect --------------------------------------------------------------------


SYMMETRIC = np.array([[1.0, 2.0], [2.0, 5.0]], "float32")
SQUARE = np.array([[1.0, 2.0], [-3.0, 5.0]], "float32")
WEIGHTS = numbers(2, 3, seed=4)
# The kind, the op, the shape of its tensor, and whether that mistake would change a number.
OPS: list[tuple[str, Callable[[Any], Any], tuple[int, ...], bool]] = [
    ("transpose", lambda x: paddle.matmul(x, paddle.to_tensor(SQUARE)).square(), (1, 2), True),
    ("transpose", lambda x: paddle.matmul(x, paddle.to_tensor(SYMMETRIC)).square(), (1, 2), False),
    ("factor", lambda x: x * 2.0, (3,), True),
    ("factor", lambda x: x * 1.0, (3,), False),
    ("sum", lambda x: (x + paddle.to_tensor(numbers(2, 3))).square(), (3,), True),
    ("sum", lambda x: (x + paddle.to_tensor(numbers(1, 3, seed=1))).square(), (3,), False),
    ("axis", lambda x: F.softmax(x) * paddle.to_tensor(WEIGHTS), (2, 3), True),
    ("axis", lambda x: F.softmax(x) * paddle.to_tensor(WEIGHTS[0]), (3,), False),
]


@each(("kind", "compute", "shape", "possible"), OPS)
def test_a_change_without_effect_is_no_mistake(
    kind: str, compute: Callable[[Any], Any], shape: tuple[int, ...], possible: bool
) -> None:
    x = paddle.to_tensor(numbers(*shape), stop_gradient=False)
    with viz.record() as trace:
        compute(x).sum().backward()
    found = with_mistake(trace, [*passes(trace).values()], np.random.default_rng(0), (kind,))
    assert (found is not None) is possible


def test_a_gradient_of_zero_has_no_sign() -> None:
    def mistake(seed: float) -> Any:
        x = paddle.to_tensor(numbers(2), stop_gradient=False)
        with viz.record() as trace:
            (x * 2.0).backward(paddle.full([2], seed))
        found = [*passes(trace).values()]
        return with_mistake(trace, found, np.random.default_rng(0), ("sign",))

    assert mistake(1.0) is not None
    assert mistake(0.0) is None


# ----- secrecy -----------------------------------------------------------------------------------


@each(("name", "kind", "seed"), EACH, quick=12)
def test_the_page_does_not_reveal_the_mistake(name: str, kind: str, seed: int) -> None:
    hunt = hunt_for(name, kind, seed)
    page = hunt.html()
    told = sealed(hunt)
    for text in (hunt.solution.text, *(hint["text"] for hint in told["hints"])):
        for words in text.values() if isinstance(text, dict) else text:
            assert words not in page
    assert all(shown.probe is None for step in hunt.story.steps for shown in step.shown)
    assert "inite differences agree" not in page
    assert "not cleared" not in page
    assert hunt.solution.box not in hunt.text()


# ----- as a page ---------------------------------------------------------------------------------


def test_a_hunt_is_saved_and_shown_like_a_trace(tmp_path: Any, capsys: Any) -> None:
    hunt = viz.bug_hunt(training(), 1)
    assert len(hunt) == len(hunt.story.steps)
    assert hunt.save(tmp_path / "hunt.html").read_text(encoding="utf-8") == hunt.html()
    assert "Which box is wrong?" in hunt.save(tmp_path / "hunt.txt").read_text(encoding="utf-8")
    assert "哪个方框错了" in hunt.text("zh")
    hunt.show()
    assert "Which box is wrong?" in capsys.readouterr().out
    assert repr(hunt).startswith("<BugHunt in ")


# ----- errors ------------------------------------------------------------------------------------


def test_wrong_traces_and_seeds_are_refused() -> None:
    with pytest.raises(InvalidType, match=r"a recording is asked for\.[^$]*list \[1, 2\]"):
        viz.bug_hunt([1, 2])  # type: ignore[arg-type]
    for seed in (-1, 1.5, "a", True):
        with pytest.raises(InvalidType, match="a seed must be a whole number"):
            viz.bug_hunt(shared(), seed)  # type: ignore[arg-type]


def test_a_hunt_needs_a_gradient_that_can_be_changed() -> None:
    with viz.record() as trace:
        paddle.tanh(paddle.to_tensor([1.0]))
    with pytest.raises(InvalidArgument, match="nothing in this trace that could go wrong"):
        viz.bug_hunt(trace)


def test_no_mistake_is_made_before_what_python_computes() -> None:
    x = paddle.to_tensor(numbers(2), stop_gradient=False)
    v = paddle.to_tensor(numbers(2, seed=1), stop_gradient=False)
    x.register_hook(lambda grad: paddle.to_tensor(grad.numpy() * 3))
    with viz.record() as trace:
        (x * 2.0).sum().backward()
    with pytest.raises(InvalidArgument, match="without a mistake that can be made and followed"):
        viz.bug_hunt(trace)
    with viz.record() as trace:
        (x * v).sum().backward()
    for seed in range(3):
        hunt = viz.bug_hunt(trace, seed)
        assert trace_of(hunt.wrong.document).stale() == {}


def test_a_program_has_no_backward_pass_to_spoil() -> None:
    with pytest.raises(InvalidArgument, match="in the tape's backward pass, not in a Program"):
        viz.bug_hunt(played.program())


# ----- A quiz asks at steps, and stores the answers ----------------------------------------------


ROW = {"step": 4, "round": None, "number": 3, "ask": "sign", "of": "dx", "given": "positive"}
ANSWER = {**ROW, "truth": "positive", "right": True, "hints": 0, "tries": 1}


@cache
def recorded() -> viz.Trace:
    x = paddle.to_tensor([[0.5, -1.0]], stop_gradient=False)
    w = paddle.to_tensor([2.0, 3.0], stop_gradient=False)
    with viz.record() as trace:
        (paddle.tanh(x * w) + w).sum().backward()
    return trace


# ----- steps -------------------------------------------------------------------------------------


def kinds(trace: viz.Trace, quiz: Any) -> list[str]:
    return [f"{trace.steps[at].phase} {trace.steps[at].kind}" for at in quiz.steps]


def test_every_step_of_backward_with_a_result_has_a_question() -> None:
    trace = recorded()
    told = kinds(trace, trace.quiz())
    assert set(told) == {"backward visit", "backward unbroadcast", "backward accumulate"}
    wanted = {"visit", "unbroadcast", "accumulate"}
    assert len(told) == sum(step.kind in wanted for step in trace.steps)


def test_the_seed_draws_the_given_number_of_steps() -> None:
    trace = recorded()
    drawn = [trace.quiz(2, seed=seed).steps for seed in range(8)]
    assert drawn[0] == trace.quiz(2, seed=0).steps
    assert len(set(drawn)) > 1
    assert all(set(steps) <= set(trace.quiz().steps) and len(steps) == 2 for steps in drawn)
    assert trace.quiz(1000).steps == trace.quiz().steps


def test_steps_can_be_given_by_number() -> None:
    trace = recorded()
    steps = trace.quiz().steps
    assert trace.quiz([steps[2], steps[0], steps[2]]).steps == (steps[0], steps[2])
    assert trace.quiz(range(steps[0], steps[0] + 1)).steps == steps[:1]


def test_a_quiz_prints_the_steps_of_its_questions(capsys: pytest.CaptureFixture[str]) -> None:
    quiz = recorded().quiz("tanh")
    steps = ", ".join(str(step + 1) for step in quiz.steps)
    assert all("tanh" in recorded().steps[at].text for at in quiz.steps)
    assert quiz.title in quiz.text()
    assert steps in quiz.text()
    assert steps in quiz.text("zh")
    quiz.show()
    assert capsys.readouterr().out == quiz.text()
    assert repr(quiz) == f"<Quiz on {quiz.title}: 2 questions>"


# ----- answers -----------------------------------------------------------------------------------


def test_answers_are_saved_and_loaded(tmp_path: Path) -> None:
    quiz = recorded().quiz()
    quiz.heard([ANSWER])
    again = recorded().quiz()
    again.load(quiz.export(tmp_path / "a.json"))
    assert again.answers == quiz.answers == (ANSWER,)


def test_damaged_answers_of_a_page_are_ignored() -> None:
    quiz = recorded().quiz()
    quiz.heard([ANSWER, 3, {"step": "4"}, {**ANSWER, "right": "yes"}, None])
    assert quiz.answers == (ANSWER,)
    quiz.heard("nothing")
    assert quiz.answers == ()


def test_the_answers_of_another_quiz_are_an_error(tmp_path: Path) -> None:
    quiz, other = recorded().quiz(seed=1), recorded().quiz(seed=2)
    with refuses(InvalidArgument, "are not to this page", quiz.key, other.key):
        quiz.load(other.export(tmp_path / "other.json"))
    assert quiz.answers == ()


@each("content", [b"", b"{", b"\xff\xfe", None, b"[]", b"{}", b'{"format": "something"}', b"3"])
def test_a_file_without_answers_is_an_error(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidArgument, match=r"a\.json"):
        recorded().quiz().load(file)


def test_a_widget_reports_the_answers() -> None:
    from viz.player import places

    quiz = recorded().quiz()
    quiz.heard([ANSWER])
    player = places.player(quiz, 0, "")
    assert player.answers == [ANSWER]
    player.answers = [{**ANSWER, "step": 5}, {**ANSWER, "step": 6}]
    assert [row["step"] for row in quiz.answers] == [5, 6]


# ----- errors ------------------------------------------------------------------------------------


@each(
    ("arguments", "kind", "told"),
    [
        *(({"seed": seed}, InvalidType, "a seed must be a whole") for seed in (-1, 0.5, None)),
        *(
            ({"ask": ask}, InvalidArgument, "this cannot be asked")
            for ask in ("colour", [], ["sign", "size"])
        ),
        ({"at": "sigmoid"}, InvalidArgument, "no step of this trace computes 'sigmoid'"),
        *(({"at": at}, InvalidArgument, "nothing is computed at one") for at in ([0, 999], [-1])),
        *(
            ({"at": at}, InvalidType, "not clear which steps")
            for at in (None, 0, -3, True, 1.5, [1.5], ["a"])
        ),
    ],
)
def test_wrong_options_of_a_quiz_are_refused(arguments: Any, kind: Any, told: str) -> None:
    with pytest.raises(kind, match=told):
        recorded().quiz(**arguments)


def test_a_trace_without_backward_needs_named_ops() -> None:
    with viz.record() as trace:
        paddle.tanh(paddle.to_tensor([1.0]))
    with pytest.raises(InvalidArgument, match="there is nothing to ask"):
        trace.quiz()
    assert trace.quiz("tanh").steps == (0,)
