"""The fixture that keeps tests apart sees every kind of leak and mends it."""

from __future__ import annotations

from minipaddle import modes, naming, random

from .conftest import leaks, start_afresh


def test_every_leak_is_named_and_mended() -> None:
    modes.grad_enabled.set(False)
    modes.change(builder=object(), listeners=(print,), check_nan=True)
    assert leaks() == [
        "gradients are switched off",
        "static mode is on",
        "1 event listeners are left",
        "NaN checks are on",
    ]
    start_afresh()
    assert leaks() == []


def test_names_and_random_numbers_start_again() -> None:
    first = naming.unique("linear"), random.uniform((3,))
    start_afresh()
    again = naming.unique("linear"), random.uniform((3,))
    assert first[0] == again[0] == "linear_0"
    assert first[1].tobytes() == again[1].tobytes()
