"""The number beside a round says which loss it is: of several, the last of its backward passes."""

from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import static
from minipaddle.messages import Message, Text
from tests.each import each
from tests.static.world import fresh
from viz.draw import plots
from viz.model import LOSS, Round
from viz.player.book import book_of
from viz.story.chapters import LAST, VALUE, shared_loss_name, shared_name

from .faults import recorded

A, B = "{0} = (w * {1}).sum(); {0}.backward()", "(w * {1}).sum().backward()"
MAKE = "make = lambda w: (w * 2).sum()"
LOSSES: dict[str, list[Message | str]] = {  # body of a loop -> names of the rounds' losses
    f"{A.format('g_loss', 2)}; {A.format('g_loss', 3)}": [LAST.fill(name=Text("g_loss"))] * 2,
    f"{A.format('d_loss', 2)}; {A.format('g_loss', 3)}": ["g_loss"] * 2,
    f"{A.format('loss', 2)}; {A.format('loss', 3)}": [LAST.fill(name=LOSS)] * 2,
    f"{A.format('d_loss', 2)}; {B.format('', 3)}": ["sum(w × 3)"] * 2,
    f"{B.format('', 2)}; {A.format('loss', 3)}": [LOSS] * 2,
    f"g, = paddle.grad((w * w).sum(), w); {A.format('c', 3)}": ["c"] * 2,
    f"{A.format('loss', 2).replace('loss.b', '(loss / 2).b')}": ["loss ÷ 2"] * 2,
    f"{A.format('loss', 2).replace('loss.b', '(loss * (k + 3)).b')}": ["loss × 3", "loss × 4"],
    f"loss = (w * 2).sum(); {A.format('scaled', 3)}; loss = loss * 2; {A.format('scaled', 3)}": [
        LAST.fill(name=Text("scaled"))
    ]
    * 2,
    "loss = make(w)\n  loss.backward()": [LOSS] * 2,  # before the end, no variable is known
    f"""
  if k: {A.format("d", 2)}
  else: {A.format("g", 3)}""": ["g", "d"],
}


@each("body", LOSSES)
def test_the_loss_of_a_round_is_named(body: str) -> None:
    w = paddle.to_tensor([1.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.5, parameters=[w])
    code = f"for k in range(2):\n  {body}\n  sgd.step()"
    trace = recorded(code, {"w": w, "sgd": sgd, "paddle": paddle, "viz": viz}, MAKE)
    assert [each.loss_name for each in trace.rounds] == [*map(message, LOSSES[body])]
    pages = [said_on_page(book_of(trace), number) for number in range(2)]
    assert pages == [each.loss_name.by_language() for each in trace.rounds]
    curves = {each.get_label(): len(each.get_xdata()) for each in plots.loss(trace).lines}
    assert sorted(curves.values()) == ([1, 1] if LOSSES[body] == ["g", "d"] else [2])


SHARED: dict[tuple[str, ...], dict[str, str]] = {
    ("loss × 8", "loss × 8"): {"en": "loss × 8", "zh": "loss × 8"},
    ("loss × 8", "loss × 4"): {"en": "loss × …", "zh": "loss × …"},
    ("scaled", "loss"): VALUE.by_language(),
    (): LOSS.by_language(),
}


@each("names", SHARED)
def test_the_losses_of_all_rounds_have_a_name_that_is_true_of_each(names: tuple[str, ...]) -> None:
    assert shared_name(map(Text, names)).by_language() == SHARED[names]
    rounds = [Round(0, "training", loss=1.0, loss_name=Text(name)) for name in names]
    assert shared_loss_name(rounds).by_language() == SHARED[names]


def test_a_number_of_unknown_origin_is_no_loss_beside_a_variable_loss() -> None:
    w = paddle.to_tensor([1.0], stop_gradient=False)
    earlier = [(w * k).sum() for k in range(4)]
    sgd = paddle.optimizer.SGD(0.5, parameters=[w])
    for line, name in (("loss = w.sum() * 9", VALUE), ("other = w.sum() * 9", LOSS)):
        code = f"for k in range(2):\n  {line}\n  earlier.pop().backward()\n  sgd.step()"
        trace = recorded(code, {"w": w, "sgd": sgd, "earlier": earlier, "viz": viz})
        assert [each.loss_name for each in trace.rounds] == [name] * 2


def message(name: Message | str) -> Message:
    return Text(name) if isinstance(name, str) else name


def said_on_page(book: Any, number: int) -> dict[str, str]:
    """Return the name of a round's loss as `lossName` of the page reads it."""
    name = book["rounds"][number].get("of", book.get("loss", LOSS.by_language()))
    return name if isinstance(name, dict) else dict.fromkeys(("en", "zh"), name)


def test_a_fetched_number_is_a_loss_only_if_gradients_begin_there() -> None:
    with fresh() as (main, startup):
        x = static.data("x", [4, 2])
        y = static.nn.fc(x, 1)
        error, right = (y - 1.0).square().mean(), (y > 0.0).astype("float32").mean()
        paddle.optimizer.SGD(0.1).minimize(error)
        run = static.Executor()
        run.run(startup)
        with viz.record() as trace:
            for fetched in (error, right):
                run.run(main, feed={"x": np.ones((4, 2), "float32")}, fetch_list=[fetched])
    assert [each.loss_name for each in trace.rounds] == [*map(Text, ("error", "right"))]
