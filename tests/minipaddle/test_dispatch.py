"""The fast closures and the recorded path agree; the gate is closed afterwards."""

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minipaddle as paddle
from minipaddle import events
from minipaddle.engine import errors, modes
from tests.each import each
from tests.samples import pylayer

from ..patience import PATIENCE

# ----- random programs ---------------------------------------------------------------------------

STEPS: dict[str, tuple[int, Any]] = {
    "tanh": (1, paddle.tanh),
    "sigmoid": (1, paddle.nn.functional.sigmoid),
    "relu": (1, paddle.nn.functional.relu),
    "scale": (1, lambda t: t * 0.5 + 1),
    "square": (1, lambda t: paddle.square(paddle.tanh(t))),
    "power": (1, lambda t: paddle.tanh(t) ** 3),
    "double": (1, lambda t: paddle.tanh(t.astype("float64")).astype("float32")),
    "rows": (1, lambda t: t.sum(axis=1, keepdim=True)),
    "top": (1, lambda t: t.max(axis=0)),
    "softmax": (1, paddle.nn.functional.softmax),
    "turn": (1, lambda t: (t.transpose([1, 0]) * 2).transpose([1, 0])),
    "shape": (1, lambda t: paddle.tanh(t.reshape([-1])).reshape([3, 3])),
    "pick": (1, lambda t: t[1] - t[:, 0:1]),
    "pieces": (1, lambda t: paddle.concat(paddle.split(t, [1, 2])[::-1])),
    "in place": (1, lambda t: (t * 1).add_(t).tanh_()),
    "write": (1, lambda t: write(t * 1, t)),
    "add": (2, lambda a, b: a + b),
    "subtract": (2, lambda a, b: a - b),
    "multiply": (2, lambda a, b: paddle.tanh(a) * b),
    "divide": (2, lambda a, b: a / (paddle.square(b) + 1)),
    "maximum": (2, paddle.maximum),
    "matmul": (2, lambda a, b: paddle.tanh(a @ b)),
    "where": (2, lambda a, b: paddle.where(a > b, a, b * 2)),
    "stack": (2, lambda a, b: paddle.stack([a, b]).mean(axis=0)),
}


def write(t: Any, value: Any) -> Any:
    t[0] = value[2]
    return t


@st.composite
def programs(draw: Any) -> list[tuple[str, list[int]]]:
    """Draw steps, each with the numbers of the earlier results that it reads."""
    steps = []
    for number in range(draw(st.integers(1, 8))):
        name = draw(st.sampled_from(sorted(STEPS)))
        reads = [draw(st.integers(0, number + 1)) for _ in range(STEPS[name][0])]
        steps.append((name, reads))
    return steps


def run(program: list[tuple[str, list[int]]]) -> list[bytes]:
    """Run a program; return the bits of its values and gradients."""
    rng = np.random.default_rng(5)
    leaves = [
        paddle.to_tensor(rng.normal(size=(3, 3)).astype("float32"), stop_gradient=False)
        for _ in range(2)
    ]
    values = list(leaves)
    for name, reads in program:
        out = STEPS[name][1](*(values[i] for i in reads))
        values.append(out + paddle.zeros([3, 3]))
    weights = paddle.to_tensor(rng.normal(size=(3, 3)).astype("float32"))
    (values[-1] * weights).sum().backward(retain_graph=True)
    computed = [value.numpy().tobytes() for value in values]
    grads = paddle.grad(values[-1], leaves, weights, create_graph=True, allow_unused=True)
    held = [leaf.grad for leaf in leaves]
    return computed + [b"" if g is None else g.numpy().tobytes() for g in (*held, *grads)]


@settings(max_examples=80)
@given(programs())
def test_a_recorded_program_has_the_same_bits(program: Any) -> None:
    plain = run(program)
    heard: list[Any] = []
    with events.listen(heard.append):
        told = run(program)
    assert told == plain
    assert sum(type(event) is events.OpFinished for event in heard) >= len(program)
    assert not modes.gate_open


@settings(max_examples=30)
@given(programs())
def test_a_checked_program_has_the_same_bits(program: Any) -> None:
    plain = run(program)
    with modes.override(check_nan=True):
        assert run(program) == plain


# ----- the gate ----------------------------------------------------------------------------------


def test_the_gate_closes_after_an_exception() -> None:
    with pytest.raises(KeyError), events.listen(lambda event: None):
        raise KeyError
    assert not modes.gate_open
    assert modes.here() is modes.PLAIN


def test_a_listener_hears_only_its_own_thread() -> None:
    heard: list[Any] = []
    result: list[Any] = []

    def other() -> None:
        result.append((paddle.ones([2]) * 3).tolist())

    with events.listen(heard.append):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(PATIENCE)
        assert heard == []
        paddle.ones([1])
    assert result == [[3.0, 3.0]]
    assert [type(event) for event in heard] == [events.OpStarted, events.OpFinished]


# ----- NaN checks --------------------------------------------------------------------------------


def test_a_nan_check_names_the_op() -> None:
    with modes.override(check_nan=True):
        with pytest.raises(RuntimeError, match=r"log\(\) produced NaN or infinity") as caught:
            paddle.log(paddle.to_tensor([1.0, 0.0, -1.0]))
        assert isinstance(caught.value, errors.PreconditionNotMet)
        assert "received  2 of 3 are not finite" in str(caught.value)
        assert paddle.log(paddle.ones([1])).item() == 0.0
    assert np.isneginf(paddle.log(paddle.zeros([1])).item())


Failing = pylayer(lambda ctx, x: paddle.matmul(x, x), lambda ctx, dy: dy, "Failing")


@each("call", [lambda x: paddle.matmul(x, x), Failing.apply, paddle.nn.Linear(3, 2)])
def test_a_stored_traceback_does_not_keep_the_gate_open(call: Any) -> None:
    """A notebook stores the last traceback; ops would then always take the slow path."""
    kept = None
    try:
        with events.listen(lambda _record: None):
            call(paddle.ones([2, 4]))
    except ValueError as error:
        kept = error
    assert kept is not None
    assert not modes.gate_open
