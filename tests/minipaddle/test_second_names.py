"""Functions take exactly the second names of arguments that Paddle takes.

The record is made by `tests/oracle/second_names.py`.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine.errors import InvalidArgument, ModeError
from minipaddle.ops.arguments import second_names
from tests.each import each
from tests.static.world import fresh

SIGNATURES = Path(__file__).parents[1] / "data" / "signatures.json"
PADDLES = json.loads(SIGNATURES.read_text(encoding="utf-8"))["signatures"]
PLACES = ("paddle", "paddle.Tensor", "paddle.linalg", "paddle.nn.functional")


def found(path: str) -> Any:
    """Return minipaddle's object under a name of Paddle, or None."""
    place: Any = paddle
    for step in path.split(".")[1:]:
        place = getattr(place, step, None)
    return place


CASES = [
    (path, second, first)
    for function, pairs in sorted(second_names().items())
    for path in (f"{place}.{function}" for place in PLACES)
    for second, first in pairs.items()
    if path in PADDLES and found(path) is not None
    if first in {row[0] for row in PADDLES[path]}
]


class Wrong:
    """A value that no argument takes."""

    def __repr__(self) -> str:
        return "Wrong"


def complaint(call: Callable[..., Any], arguments: dict[str, Any]) -> str:
    try:
        call(**arguments)
    except Exception as error:  # noqa: BLE001  (every class is an answer)
        return f"{type(error).__name__}: {error}"
    return ""


@each(("path", "second", "first"), CASES)
def test_an_argument_is_taken_under_its_second_name(path: str, second: str, first: str) -> None:
    call = found(path)
    required = [row[0] for row in PADDLES[path] if len(row) == 1 and row[0][0] != "*"]
    others = {name: paddle.ones([2, 3]) for name in required if name != first}
    told = complaint(call, {**others, second: Wrong()})
    assert "keyword argument" not in told
    assert "missing argument" not in told
    assert "missing 1" not in told
    assert told == complaint(call, {**others, first: Wrong()})


def test_many_names_are_compared() -> None:
    assert len(CASES) > 400


@each(
    "call",
    [
        lambda x: paddle.sin(x, input=x),
        lambda x: paddle.sin(x=x, input=x),
        lambda x: paddle.multiply(x, x, input=x),
        lambda x: paddle.sum(x, 0, dim=0),
        lambda x: paddle.sum(x, axis=0, dim=0),
        lambda x: paddle.sum(x, input=x),
        lambda x: paddle.mean(x, axis=0, dim=0),
        lambda x: paddle.mean(x, 0, dim=0),
        lambda x: paddle.stack(x=[x], tensors=[x]),
    ],
)
def test_both_names_of_one_argument_are_an_error(call: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="got multiple values for argument"):
        call(paddle.ones([2, 2]))


@each(
    ("call", "name"),
    [
        (
            lambda x: paddle.std(input=x),
            "input",
        ),  # Paddle takes these names only in other functions
        (lambda x: paddle.flip(x, dims=[0]), "dims"),
        (lambda x: paddle.sin(foo=x), "foo"),
        (lambda x: paddle.add(x, x, foo=x), "foo"),
        (lambda x: paddle.multiply(x, x, foo=x), "foo"),
        (lambda x: paddle.sum(x, foo=1), "foo"),
    ],
)
def test_a_name_that_paddle_does_not_take_is_an_error(
    call: Callable[[Any], Any], name: str
) -> None:
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
        call(paddle.ones([2, 2]))


def test_an_in_place_form_needs_a_tensor() -> None:
    with pytest.raises(InvalidArgument) as told:
        paddle.tanh_(3.0)
    assert "tanh_(): argument 'x' (position 0) must be Tensor, but got float." in str(told.value)
    assert "the Tensor that is to be changed" in str(told.value)
    x = paddle.ones([1])
    with fresh(), pytest.raises(ModeError, match="dynamic mode"):
        paddle.tanh_(x)
