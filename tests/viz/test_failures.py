"""An exception in the block: the trace ends at the failing step, with the error at its box."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import nn, static
from minipaddle.engine.visible import visible
from tests.each import each

from . import programs, stories


class Fails(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        x * 2.0
        raise RuntimeError("in forward")


class FailsLater(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        raise RuntimeError("in backward")


class Net(nn.Layer):
    def forward(self, x: Any) -> Any:
        raise KeyError(str(x.shape))


def bad(*_given: Any) -> Any:
    raise ValueError("bad")


def op() -> None:
    programs.leaf() @ paddle.ones([9, 9])


def pylayer_forward() -> None:
    Fails.apply(programs.leaf())


def pylayer_backward() -> None:
    FailsLater.apply(programs.leaf()).sum().backward()


def layer() -> None:
    Net()(programs.leaf())


def hook_of_a_result() -> None:
    y = programs.leaf() * 2.0
    y.register_hook(bad)
    y.sum().backward()


def hook_of_a_leaf() -> None:
    x = programs.leaf()
    x.register_hook(bad)
    (x * 2.0).sum().backward()


def hook_of_a_result_in_paddle_grad() -> None:
    y = programs.leaf() * 2.0
    y.register_hook(bad)
    paddle.grad(y.sum(), y)


def second_backward() -> None:
    loss = (programs.leaf() * programs.leaf()).sum()
    loss.backward()
    loss.backward()


def py_func() -> None:
    with stories.programs():
        x = static.data("x", [2, 3])
        out = static.default_main_program().current_block().create_var("out", [2, 3], "float32")
        static.py_func(bad, x, out)
        static.Executor().run(feed={"x": np.ones((2, 3), "float32")}, fetch_list=[out])


def operator() -> None:
    with stories.programs():
        x, y = static.data("x", [-1, 3]), static.data("y", [-1, 3])
        feed = {"x": np.ones((2, 3), "float32"), "y": np.ones((5, 3), "float32")}
        static.Executor().run(feed=feed, fetch_list=[x + y])


def refused_operator() -> None:
    with stories.programs():
        static.data("x", [4, 3]) @ static.data("w", [2, 3])


CASES: list[tuple[Callable[[], None], str, str, str]] = [
    (op, "@", "forward", "in matmul"),
    (pylayer_forward, "Fails", "forward", "in Fails.forward"),
    (pylayer_backward, "FailsLater.backward", "backward", "in FailsLater.backward"),
    (layer, "Net", "forward", "in Net_0"),
    (hook_of_a_result, "× 2 backward", "backward", "in scale backward"),
    (hook_of_a_leaf, "x", "backward", "in x.grad"),
    (hook_of_a_result_in_paddle_grad, "× 2", "backward", "in scale backward"),
    (second_backward, "sum backward", "backward", "in sum backward"),
    (py_func, "py_func: bad", "run", "in py_func"),
    (operator, "elementwise_add", "run", "in elementwise_add"),
    (refused_operator, "@", "build", "in matmul"),
]


@each(("fails", "label", "phase", "where"), CASES, ids=[case[0].__name__ for case in CASES])
def test_the_error_is_at_its_box(
    fails: Callable[[], None], label: str, phase: str, where: str
) -> None:
    with pytest.raises(Exception, match=r"."), viz.record() as trace:
        fails()
    last = trace.steps[-1]
    assert (last.kind, last.phase) == ("error", phase)
    assert f" is raised {where}: " in last.text
    graph = trace.story.graph
    boxes = [*graph.nodes, *(group.closed for group in graph.groups if group.closed)]
    marked = [box for box in boxes if "error" in map(str, box.badges)]
    assert [str(box.label) for box in marked] == [label]
    assert {box.id for box in marked} <= set(last.nodes)
    assert trace.story.note
    again = viz.trace.Trace(trace.document)
    assert again.text() == trace.text()


def test_an_exception_without_a_message_is_named_by_its_class() -> None:
    with pytest.raises(KeyboardInterrupt), viz.record() as trace:  # noqa: PT012
        programs.leaf() * 2.0
        raise KeyboardInterrupt
    assert trace.steps[-1].text == "It stops here with KeyboardInterrupt."
    assert tuple(trace.story.note) == ("KeyboardInterrupt", "KeyboardInterrupt")


def test_no_control_character_of_an_exception_reaches_a_terminal() -> None:
    hostile = "\x1b]0;owned\x07\r\u202e" + "y" * 10**6
    x = paddle.to_tensor([0.5], stop_gradient=False)
    trace = viz.record(f"a {hostile}")

    def fails() -> None:
        with trace as recorded:
            told.append(recorded)
            paddle.tanh(x)
            raise ValueError(hostile)

    told: list[viz.Trace] = []
    with pytest.raises(ValueError, match="owned"):
        fails()
    [recorded] = told
    last = recorded.steps[-1]
    for text in (repr(recorded), recorded.text(), recorded.text("zh"), repr(last), last.text):
        assert "owned" in text
        assert visible(text, keep="\n") == text
        assert len(text) < 30_000
