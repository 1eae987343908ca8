"""set_flags and get_flags: texts of errors, and the extent of the check."""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle import events
from minipaddle.engine import modes
from tests.each import each

from ..patience import PATIENCE

FLAG = "FLAGS_check_nan_inf"


@contextlib.contextmanager
def checking() -> Iterator[None]:
    paddle.set_flags({FLAG: True})
    try:
        yield
    finally:
        paddle.set_flags({FLAG: False})


def test_a_call_that_raises_sets_no_flag() -> None:
    with pytest.raises(ValueError, match="FLAGS_other"):
        paddle.set_flags({FLAG: True, "FLAGS_other": 1})
    assert paddle.get_flags([FLAG]) == {FLAG: False}
    assert not modes.gate_open


@each("heard", [False, True])
@each("way", ["backward", "grad", "grad of grad"])
@checking()
def test_a_node_of_backward_that_makes_infinity_is_named(heard: bool, way: str) -> None:
    x = paddle.to_tensor([0.0, 1.0], stop_gradient=False)
    y = paddle.sqrt(x).sum()

    def go() -> None:
        with events.listen(lambda event: None) if heard else contextlib.nullcontext():
            if way == "backward":
                y.backward()
            else:
                paddle.grad(y, x, create_graph=way != "grad")

    with pytest.raises(RuntimeError, match="produced NaN or infinity") as caught:
        go()
    if way != "grad of grad":  # then an op of the rule is the first
        assert "SqrtGradNode produced NaN or infinity" in str(caught.value)
        assert "received  1 of 2 are not finite" in str(caught.value)


@checking()
def test_the_flag_belongs_to_its_thread() -> None:
    seen: list[Any] = []
    thread = threading.Thread(target=lambda: seen.append(paddle.get_flags(FLAG)[FLAG]))
    thread.start()
    thread.join(PATIENCE)
    assert seen == [False]
