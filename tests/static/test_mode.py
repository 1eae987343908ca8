"""Static mode: what it needs, and mistakes that leave the state unchanged."""

import pytest

import minipaddle as paddle
from minipaddle.engine import naming
from tests.contract.refusal import refuses


def test_disable_static_takes_a_place() -> None:
    paddle.enable_static()
    paddle.disable_static(paddle.CPUPlace())
    assert (paddle.in_dynamic_mode(), paddle.get_device()) == (True, "cpu")


def test_building_a_program_is_an_error_in_dynamic_mode() -> None:
    words = "'create_parameter()'", "expected", "static graph mode", "enable_static"
    with refuses(AssertionError, *words):
        paddle.static.create_parameter([2], "float32")


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
