"""The fixture that keeps tests apart finds every kind of leak and repairs it."""

import minipaddle as paddle
from minipaddle import random
from minipaddle.engine import modes, naming
from tests.sealing import leaks, start_afresh


def test_every_leak_is_named_and_repaired() -> None:
    modes.grad_enabled.set(False)
    modes.change(builder=object(), listeners=(print,), check_nan=True)
    paddle.set_default_dtype("float64")
    assert leaks() == [
        "gradients are switched off",
        "static mode is on",
        "1 event listeners are left",
        "NaN checks are on",
        "the default dtype is another one",
    ]
    start_afresh()
    assert leaks() == []


def test_names_and_random_numbers_start_again() -> None:
    first = naming.unique("linear"), random.uniform((3,))
    start_afresh()
    again = naming.unique("linear"), random.uniform((3,))
    assert first[0] == again[0] == "linear_0"
    assert first[1].tobytes() == again[1].tobytes()


def test_default_programs_and_values_start_again() -> None:
    static = paddle.static
    paddle.enable_static()
    static.data("x", [2])
    static.global_scope().write("x", "something")
    start_afresh()
    assert static.default_main_program().global_block().vars == {}
    assert static.global_scope().find_var("x") is None
    assert paddle.in_dynamic_mode()
