"""Names in sentences and boxes are the user's; goldens have the sentences."""

# ruff: noqa: F841  (what is assigned gives tensors their names)

from __future__ import annotations

import numpy as np

import minipaddle as paddle
import viz
from tests.each import each
from viz.trace import Trace

from . import stories


def told(trace: Trace, kind: str, lang: str = "en") -> list[str]:
    """Return the sentences of one kind of step."""
    return [trace.say(step.index, lang) for step in trace.steps if step.kind == kind]


def labels(trace: Trace, kind: str = "op") -> list[str]:
    return [str(node.label) for node in trace.story.graph.nodes if node.kind == kind]


def leaf(*values: float) -> paddle.Tensor:
    return paddle.to_tensor(np.array(values, "float32"), stop_gradient=False)


def test_a_program_writes_x_minus_0_as_paddle_does() -> None:
    with stories.programs() as (main, _):
        x = paddle.static.data("x", [2])
        y, z = x - 0, x * 1.0
        text = str(main)
    assert "bias = -0.0" in text  # measured: Paddle 3.3.1 writes -0.0
    assert "bias = 0.0" in text


def test_a_fan_in_is_recognized_if_only_a_part_was_recorded() -> None:
    x = leaf(1.0, 2.0)
    with viz.record(only="multiply") as trace:
        (x * x + x).sum().backward()
    assert len(told(trace, "accumulate")) == 2
    assert all(text.startswith("x was used several times") for text in told(trace, "accumulate"))


def test_box_and_sentence_have_one_name_without_the_code() -> None:
    code = compile("a = paddle.randn([2])\nb = paddle.zeros([2])", "<nowhere>", "exec")
    with viz.record() as trace:
        exec(code, {"paddle": paddle})
    assert labels(trace) == ["gaussian", "full"]
    assert [text.split()[0] for text in told(trace, "op")] == labels(trace)


@each(("only", "signs"), [
    ("multiply", ["× 2", "×"]), ("add", ["+ 1", "+"]), ("subtract", ["− 3", "4 −"]),
    ("neg", ["−"]), ("scale", ["× 2", "+ 1", "− 3", "4 −", "−"]), ("randn", ["randn"]),
    ("uniform_", [".uniform_(…)"]), ("gaussian", ["randn"]),
])  # fmt: skip
def test_a_filter_takes_the_names_that_the_user_knows(only: str, signs: list[str]) -> None:
    y = leaf(1.0, 2.0)
    with viz.record(only=only) as trace:
        a, b = y * 2.0, y * y
        c, d = y + 1.0, y + y
        e, f = y - 3.0, 4.0 - y
        g = -y
        x = paddle.randn([2])
        x.uniform_()
    assert len(labels(trace)) == len(signs)
    assert all(map(str.endswith, labels(trace), signs))
    with viz.record(skip=only) as rest:
        a, b = y * 2.0, y * y
    assert labels(rest) == [sign for sign in ("× 2", "×") if sign not in signs]
