"""The gate to the recorded path is closed afterwards; tests/ops/test_quick.py and tests/fuzz
compare what both paths compute."""

import threading
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events
from minipaddle.engine import errors, modes
from tests.each import each
from tests.samples import pylayer

from ..patience import PATIENCE

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
