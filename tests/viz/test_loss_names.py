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
from viz.model import LOSS
from viz.player.book import book_of
from viz.story.chapters import LAST

from .faults import recorded

A, B = "{0} = (w * {1}).sum(); {0}.backward()", "(w * {1}).sum().backward()"
LOSSES: dict[str, list[Message | str]] = {  # body of a loop -> names of the rounds' losses
    f"{A.format('g_loss', 2)}; {A.format('g_loss', 3)}": [LAST.fill(name=Text("g_loss"))] * 2,
    f"{A.format('d_loss', 2)}; {A.format('g_loss', 3)}": ["g_loss"] * 2,
    f"{A.format('loss', 2)}; {A.format('loss', 3)}": [LAST.fill(name=LOSS)] * 2,
    f"{A.format('d_loss', 2)}; {B.format('', 3)}": [LAST.fill(name=LOSS)] * 2,
    f"{B.format('', 2)}; {A.format('loss', 3)}": [LOSS] * 2,
    f"g, = paddle.grad((w * w).sum(), w); {A.format('c', 3)}": ["c"] * 2,
    f"""
  if k: {A.format("d", 2)}
  else: {A.format("g", 3)}""": ["g", "d"],
}


@each("body", LOSSES)
def test_the_loss_of_a_round_is_named(body: str) -> None:
    w = paddle.to_tensor([1.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.5, parameters=[w])
    code = f"for k in range(2):\n  {body}\n  sgd.step()"
    trace = recorded(code, {"w": w, "sgd": sgd, "paddle": paddle, "viz": viz})
    assert [each.loss_name for each in trace.rounds] == [*map(message, LOSSES[body])]
    pages = [said_on_page(book_of(trace), number) for number in range(2)]
    assert pages == [each.loss_name.by_language() for each in trace.rounds]
    curves = {each.get_label(): len(each.get_xdata()) for each in plots.loss(trace).lines}
    assert sorted(curves.values()) == ([2] if len({*LOSSES[body]}) == 1 else [1, 1])


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
    assert [each.loss_name for each in trace.rounds] == [LOSS, Text(right.name)]
