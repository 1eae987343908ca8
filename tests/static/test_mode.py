"""Static mode: what it needs, and mistakes that leave the state unchanged."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine import naming
from tests.contract.refusal import refuses
from tests.each import each


def test_disable_static_takes_a_place() -> None:
    paddle.enable_static()
    paddle.disable_static(paddle.CPUPlace())
    assert (paddle.in_dynamic_mode(), paddle.get_device()) == (True, "cpu")


@each(
    ("name", "call"),
    [
        ("data", lambda: paddle.static.data("x", [2])),
        ("fc", lambda: paddle.static.nn.fc(None, 2)),
        ("py_func", lambda: paddle.static.py_func(np.tanh, None, None)),
        ("append_backward", lambda: paddle.static.append_backward(None)),
        ("gradients", lambda: paddle.static.gradients(None, None)),
        ("create_parameter", lambda: paddle.static.create_parameter([2], "float32")),
        ("Executor.run", lambda: paddle.static.Executor().run()),
    ],
)
def test_building_and_running_programs_are_errors_in_dynamic_mode(name, call) -> None:
    with refuses(AssertionError, f"'{name}()'", "expected", "static graph mode", "enable_static"):
        call()


def test_a_guard_that_fails_changes_nothing() -> None:
    names, main = naming.generator(), paddle.static.default_main_program()
    with refuses(TypeError, "'main_program'", "expected", "Program", "received", "int 3"):
        paddle.static.program_guard(3).__enter__()
    with refuses(TypeError, "'scope'", "expected", "Scope", "received", "int 3"):
        paddle.static.scope_guard(3).__enter__()
    with pytest.raises(KeyError), paddle.static.program_guard(paddle.static.Program()):
        raise KeyError("mine")
    assert paddle.static.default_main_program() is main
    assert naming.generator() is names
