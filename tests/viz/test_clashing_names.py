"""Names and letters that mean several things: one of them steps aside."""

from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.autograd import PyLayer
from viz.trace import Trace


def formulas(trace: Trace, *kinds: str) -> list[str]:
    return [step.formula for step in trace.story.steps if step.formula and step.kind in kinds]


def test_a_recurrent_layers_names_have_its_path_where_the_code_assigns_the_same() -> None:
    lstm, cell = nn.LSTM(3, 2), nn.GRUCell(2, 2)
    with viz.record() as trace:
        h, _ = lstm(paddle.rand([1, 2, 3]))
        o = h[:, 0]
        for t in range(2):
            o, _ = cell(h[:, t], o)
    made = [text.partition(" = ")[0] for text in formulas(trace, "op")]
    assert [name for name in made if name.startswith("lstm.o[")] == ["lstm.o[t=0]", "lstm.o[t=1]"]


def test_a_tensor_transposed_twice_gets_two_different_terms() -> None:
    table = paddle.rand([4, 3])
    table.stop_gradient = False
    with viz.record() as trace:
        first = paddle.matmul(paddle.ones([2, 3]), table, transpose_y=True)
        second = paddle.matmul(paddle.rand([2, 3]), table, transpose_y=True)
        (first + second).sum().backward()
    terms = [text for text in formulas(trace, "visit") if text.startswith("dtable += ")]
    assert sorted(terms) == ["dtable += d(tableᵀ#2)ᵀ", "dtable += d(tableᵀ)ᵀ"]


class Square(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (x,) = ctx.saved_tensor()
        dx = 2 * x * dy
        return dx  # noqa: RET504


def test_the_gradient_of_a_numbered_x_is_no_variable_dx() -> None:
    a = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
    with viz.record() as trace:
        Square.apply(Square.apply(a)).sum().backward()
    made = [text.partition(" = ")[0] for text in formulas(trace, "return")]
    assert made == ["d(x#2)", "d(x)"]
    own = [text.partition(" = ")[0] for text in formulas(trace, "op")]
    assert [name for name in own if name.startswith("dx")] == ["dx", "dx#2"]


class Masked(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        mask = x > 0.5
        ctx.save_for_backward(mask)
        return x * 2.0, mask

    @staticmethod
    def backward(ctx: Any, dy: Any, _dmask: Any) -> Any:
        (mask,) = ctx.saved_tensor()
        return paddle.where(mask, dy, paddle.zeros_like(dy))


def test_a_condition_that_is_saved_and_returned_keeps_its_name() -> None:
    x = paddle.to_tensor([0.2, 0.7], stop_gradient=False)
    with viz.record() as trace:
        y, _ = Masked.apply(x)
        y.sum().backward()
    assert formulas(trace, "return")[-1:] == ["dx = dy · mask"]


@pytest.mark.parametrize(("name", "letter"), [("m", "m′"), ("model", "m")])
def test_letters_of_an_optimizer_step_aside_for_the_users(name: str, letter: str) -> None:
    layers = {name: nn.Linear(2, 1)}
    adam = paddle.optimizer.Adam(0.1, parameters=layers[name].parameters())
    with viz.record(variables=layers) as trace:
        layers[name](paddle.ones([1, 2])).sum().backward()
        adam.step()
    update = formulas(trace, "update")[0]
    assert f"{letter} ← 0.9 {letter} + " in update


def test_indices_have_letters_that_are_no_tensors_of_the_user() -> None:
    x, k, i = paddle.rand([2, 3]), paddle.to_tensor([0, 2]), paddle.to_tensor([1, 0])
    with viz.record() as trace:
        paddle.cumsum(x[i], axis=0)
        nn.functional.cross_entropy(x, k)
    sums, losses = formulas(trace, "op")[1], next(f for f in formulas(trace, "op") if "ln" in f)
    assert "[k]" not in sums.replace("x[k]", "")
    assert "softmax(x)[i," not in losses
