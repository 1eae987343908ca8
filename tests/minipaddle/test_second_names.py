"""Functions take exactly the second names of arguments that Paddle takes.

The record is made by `tests/oracle/second_names.py`.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine.errors import InvalidArgument, InvalidType, ModeError
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


def test_second_names_give_the_values_of_first_names() -> None:
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])
    assert paddle.sum(input=x, dim=0).tolist() == [4.0, 7.0]
    assert x.mean(dim=1).tolist() == [1.5, 4.0]
    assert paddle.matmul(input=x, other=x).tolist() == (x @ x).tolist()
    assert paddle.tanh(input=x).tolist() == paddle.tanh(x).tolist()
    assert paddle.subtract(x, other=x * 2).tolist() == (-x).tolist()
    assert paddle.maximum(y=x, input=-x).tolist() == x.tolist()
    assert paddle.full(size=[2], fill_value=3).tolist() == [3.0, 3.0]
    assert paddle.where(x > 2, input=x, other=-x).tolist() == [[-1.0, -2.0], [3.0, 5.0]]
    assert paddle.dot(x[0], tensor=x[1]).item() == 13.0
    assert paddle.linalg.norm(A=x[1, :1], ord=2).item() == 3.0
    assert paddle.add_(input=x, other=x).tolist() == [[2.0, 4.0], [6.0, 10.0]]
    drawn = paddle.zeros([100]).uniform_(**{"from": 2.0, "to": 3.0})
    assert 2 <= drawn.min().item() <= drawn.max().item() < 3


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


def test_a_name_may_be_second_in_one_place_and_first_in_another() -> None:
    x = paddle.to_tensor([[0.0, 0.0], [0.0, 0.0]])
    halves = [[0.5, 0.5], [0.5, 0.5]]
    assert x.softmax(dim=1).tolist() == paddle.softmax(x, dim=0).tolist() == halves
    assert paddle.nn.functional.softmax(x, dim=0).tolist() == halves
    with pytest.raises(TypeError, match="unexpected keyword argument 'axis'"):
        paddle.softmax(x, axis=0)


def test_the_error_of_both_names_says_which_to_leave_out() -> None:
    with pytest.raises(InvalidType) as told:
        paddle.mean(paddle.ones([2]), axis=0, dim=0)
    assert "mean() got multiple values for argument 'axis'." in str(told.value)
    assert "axis or dim, two names of one argument" in str(told.value)
    assert "leave out dim" in str(told.value)


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
