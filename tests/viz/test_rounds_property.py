"""The rounds (training iterations) found in random loops are those that ran."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minipaddle as paddle
import viz

from .found_rounds import Cell, Setting, batch

X, Y = batch()


@dataclass
class Step:
    """A step of training as the program reports it, with its beginning and end in the log."""

    first: int
    names: dict[str, int]
    last: int = 0
    loss: float = 0.0


@dataclass
class Ran:
    """The report that a program makes while it runs."""

    log: list[Any] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    passes: int = 0

    def begun(self, **names: int) -> None:
        """Report that a step begins, with these loop variables."""
        self.steps.append(Step(len(self.log), names))

    def made(self, loss: Any) -> None:
        """Report that the backward of a step ended, and its loss."""
        self.steps[-1].loss, self.steps[-1].last = float(loss), len(self.log)


# ----- programs ----------------------------------------------------------------------------------


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


BEFORE = (
    [],
    ["x2 = X * 2"],
    ["x2 = X", "for _k in range(2):", "    x2 = x2 + X"],
    ["with paddle.no_grad():", "    it.net(X)"],
    ["parts = [X * _k for _k in range(3)]"],
)
LOSSES = (
    ["loss = it.loss(X, Y)"],
    ["loss = loss_of(X, Y)"],
    ["loss = sum([it.loss(X, Y) for _k in range(2)])"],
    ["loss = paddle.zeros([])", "for _k in range(3):", "    loss = loss + it.loss(X * _k, Y)"],
    ["h = zeros", "for _t in range(3):", "    h = cell(X, h)", "loss = it.loss(X, Y) + h.mean()"],
    ["if turn % 2:", "    loss = it.loss(X, Y)", "else:", "    loss = it.loss(X, Y) * 2"],
)
STEPS = (
    ["loss.backward()", "ran.made(loss)", "it.opt.step()", "it.opt.clear_grad()"],
    ["it.opt.clear_grad()", "loss.backward()", "ran.made(loss)", "it.opt.step()"],
    ["update(loss)"],
    ["loss.backward()", "ran.made(loss)", "for opt in (it.opt,):", "    clean(opt)"],
    ["loss.backward()", "ran.made(loss)", "it.opt.minimize(loss)", "it.opt.clear_grad()"],
    ["loss.backward()", "ran.made(loss)", "try:", "    pass", "finally:", "    clean(it.opt)"],
)
AFTER = (
    [],
    ["(loss * 2).mean()"],
    ["for _k in range(2):", "    loss.detach() + _k"],
    ["if turn == 1:", "    paddle.tanh(X)"],
    ["paddle.tanh(X) if turn % 2 else paddle.exp(X)"],
)
HEADERS = (
    ["for {i} in range({n}):"],
    ["for {i}, _data in enumerate(data({n})):"],
    ["for {i}, (_a, _b) in enumerate([(X, Y)] * {n}):"],
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Draw source text: loops around a step of training, perhaps in functions, and evaluation."""
    pick = lambda options: list(draw(st.sampled_from(options)))  # noqa: E731
    depth = draw(st.integers(1, 3))
    names = ["i", "j", "k"][:depth]
    told = ", ".join(f"{name}={name}" for name in names)
    body = ["turn = ran.turn = getattr(ran, 'turn', -1) + 1", f"ran.begun({told})"]
    body += pick(BEFORE) + pick(LOSSES) + pick(STEPS) + pick(AFTER)
    inner: list[str] = []
    if draw(st.booleans()):
        inner = [f"def one_turn({', '.join(names)}):", *indented(body)]
        body = [f"one_turn({', '.join(names)})"]
    if draw(st.booleans()):
        body = [f"if ({names[-1]} + {draw(st.integers(0, 1))}) % 3 == 2:", "    continue", *body]
    for at, name in reversed(list(enumerate(names))):
        count = draw(st.integers(2 if at == depth - 1 else 1, 3))
        (header,) = pick(HEADERS)
        loop = [header.format(i=name, n=count), *indented(body)]
        if at == 0 and depth > 1 and draw(st.booleans()):  # an evaluation in each epoch
            loop += indented(["for _e in range(2):", "    it.net(X)", "ran.passes += 1"])
        if at and draw(st.booleans()):
            call = f"part{at}({', '.join(names[:at])})"
            inner += [f"def part{at}({', '.join(names[:at])}):", *indented(loop)]
            loop = [call]
        body = loop
    setup = pick(BEFORE) + pick(BEFORE)
    main = [*inner, *setup, *body, *pick(BEFORE)]
    if draw(st.booleans()):
        main = ["def main():", *indented(main), "main()"]
    return "\n".join(main)


def space_of(ran: Ran) -> dict[str, Any]:
    """Return the variables that a program may use."""
    it = Setting()

    def update(loss: Any) -> None:
        loss.backward()
        ran.made(loss)
        it.opt.step()
        it.opt.clear_grad()

    def data(count: int) -> Any:
        for scale in range(count):
            yield X * scale

    def clean(opt: Any) -> None:
        opt.step()
        opt.clear_grad()

    functions = {"clean": clean, "update": update, "data": data, "loss_of": it.loss}
    tensors = {"X": X, "Y": Y, "zeros": paddle.zeros([4, 4])}
    return {"it": it, "ran": ran, "cell": Cell(), "paddle": paddle, **functions, **tensors}


def compare(program: str, **settings: Any) -> None:
    """Record a program, and compare the found rounds with its report."""
    with viz.record(**settings) as trace:
        marks = trace._recording.rounds
        ran = Ran(trace._recording.log)
        exec(compile(program, "<program>", "exec"), space_of(ran))
    if len(ran.steps) < 2:
        return
    training = [mark for mark in marks if mark.kind == "training"]
    assert [(mark.loss, dict(mark.names)) for mark in training] == [
        (step.loss, step.names) for step in ran.steps
    ], program
    others = [mark for mark in marks if mark.kind != "training"]
    assert [mark.kind for mark in others] == ["evaluation"] * ran.passes, program
    if "every" not in settings:  # `every` changes positions
        for mark, step in zip(training, ran.steps, strict=True):
            assert mark.first <= step.first <= step.last <= mark.last, program
        for mark, step in zip(training, ran.steps[1:], strict=False):
            assert mark.last <= step.first, program


CHOICES = st.sampled_from([{}, {"depth": 0}, {"every": 2}, {"only": "tanh"}])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs(), CHOICES)
def test_the_rounds_found_are_those_that_ran(program: str, chosen: dict[str, Any]) -> None:
    compare(program, **chosen)
