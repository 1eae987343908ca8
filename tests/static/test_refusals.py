"""Errors of static functions have a text, and leave the Program unchanged."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import static
from tests.contract.refusal import refused, refuses
from tests.each import each

from .world import fresh

initializer = paddle.nn.initializer


pytestmark = pytest.mark.usefixtures("programs")


def images() -> Any:
    return static.data("images", [2, 3, 4, 4])


def rows() -> Any:
    return static.data("rows", [2, 3])


def foreign() -> Any:
    with static.program_guard(static.Program()):
        return static.data("foreign", [2])


def made(name: str) -> Any:
    return static.default_main_program().global_block().create_var(name, [2], "float32")


REFUSED: list[tuple[type[Exception], Callable[[], Any]]] = [
    (ValueError, lambda: static.py_func(np.square, foreign(), made("y"))),
    (ValueError, lambda: static.py_func(np.square, made("x"), foreign())),
    (ValueError, lambda: paddle.tanh(foreign())),
    (TypeError, lambda: static.accuracy(rows(), static.data("l", [2, 1], "int64"), correct="a")),
    (AssertionError, lambda: static.nn.fc(rows(), 2, weight_attr=False)),
    (ValueError, lambda: static.nn.fc(rows(), "a")),
    (ValueError, lambda: static.nn.fc(rows(), -2)),
    (ValueError, lambda: static.nn.fc([], 2)),
    (ValueError, lambda: static.nn.conv2d(images(), "6", 3)),
    (TypeError, lambda: static.Executor().run(scope=3)),
]


@each(("kind", "call"), REFUSED)
@fresh()
def test_a_wrong_argument_is_an_error(kind: type[Exception], call: Callable[[], Any]) -> None:
    refused(call, kind)


def test_iteration_over_a_dense_tensor_ends() -> None:
    tensor = static.global_scope().var("w").get_tensor()
    tensor.set(np.float32([1, 2]))
    assert [float(np.array(row)[0]) for row in tensor] == [1.0, 2.0]
    with refuses(IndexError, "DenseTensor", "shape [2]", "index=2"):
        tensor[2]


# ----- all or nothing ----------------------------------------------------------------------------


def overwritten() -> tuple[Any, Any]:
    """Return a gradient that cannot be differentiated again, because two operators write a
    Variable on its path."""
    x = rows()
    x.stop_gradient = False
    y = x * x
    (first,) = static.gradients(y, x)
    square = first * first
    paddle.assign(x * 2.0, output=square)
    return paddle.sum(square), x


def test_gradients_adds_all_operators_or_none() -> None:
    total, x = overwritten()
    program = static.default_main_program()
    before = str(program)
    with refuses(RuntimeError, "which is overwritten"):
        static.gradients(total, x)
    assert str(program) == before


def test_operators_of_a_failed_gradients_are_not_recorded() -> None:
    with viz.record() as trace:
        total, x = overwritten()
        count = len(static.default_main_program().global_block().ops)
        with pytest.raises(RuntimeError):
            static.gradients(total, x)
        x + 1.0
    told = [e.index for e in trace.events if type(e).__name__ == "OperatorAppended"]
    assert told == list(range(count + 1))
