"""Sentences and formulas as a beginner reads them: true, idiomatic, and in names that are known."""

from __future__ import annotations

import numpy as np

import minipaddle as paddle
import viz
from viz.model import Row, Stay
from viz.story import steps
from viz.story.sentences import memory as say_memory
from viz.story.sentences import programs as say_static
from viz.trace import Trace


def leaf(*sizes: int) -> paddle.Tensor:
    x = paddle.ones([*sizes], dtype="float32")
    x.stop_gradient = False
    return x


def told(trace: Trace, kind: str, lang: str = "en") -> list[str]:
    return [view.say(lang) for view in trace.steps if view.kind == kind]


def formulas(trace: Trace, kind: str) -> list[str]:
    return [view.formula for view in trace.steps if view.kind == kind]


def test_axes_that_come_and_go_are_counted() -> None:
    x = leaf(3, 2)
    with viz.record() as trace:
        one = paddle.unsqueeze(x, 0)
        both = paddle.unsqueeze(x, [0, 2])
        flat = paddle.squeeze(both)
    assert told(trace, "op") == [
        "x [3, 2] gets an axis of size 1, giving one [1, 3, 2].",
        "x [3, 2] gets 2 axes of size 1, giving both [1, 3, 1, 2].",
        "both [1, 3, 1, 2] loses 2 axes of size 1, giving flat [3, 2].",
    ]
    assert told(trace, "op", "zh")[1:] == [
        "给 x [3, 2] 插入 2 个尺寸为 1 的维度，得到 both [1, 3, 1, 2]。",
        "去掉 both [1, 3, 1, 2] 中 2 个尺寸为 1 的维度，得到 flat [3, 2]。",
    ]
    assert (one.shape, flat.shape) == ([1, 3, 2], [3, 2])


def test_a_transpose_tells_its_order_and_the_one_that_undoes_it() -> None:
    x = leaf(2, 3, 4)
    with viz.record() as trace:
        y = paddle.transpose(x, [1, -1, 0])
        (paddle.transpose(y, [0, 1, 2]) * y).sum().backward()
    assert told(trace, "op")[0] == "The axes of x [2, 3, 4] are reordered, giving y [3, 4, 2]."
    assert "transpose(y, [0, 1, 2]) [3, 4, 2]" in told(trace, "op")[1]
    assert "dx = transpose(dy, [2, 0, 1])" in formulas(trace, "visit")
    there = np.arange(24.0).reshape(2, 3, 4)
    assert (there.transpose(1, -1, 0).transpose(2, 0, 1) == there).all()


def test_a_reduction_says_its_axes() -> None:
    x = leaf(2, 3, 4)
    with viz.record() as trace:
        rows = x.sum(axis=1)
        ends = x.mean(axis=[0, -1], keepdim=True)
        most = paddle.max(x, axis=-1)
        product = paddle.prod(x, 2)
        whole = x.sum()
    assert told(trace, "op")[:-1] == [
        "x [2, 3, 4] is summed over axis 1, giving rows [2, 4].",
        "The mean of x [2, 3, 4] over axes 0 and −1 gives ends [1, 3, 1].",
        "The maximum of x [2, 3, 4] over axis −1 gives most [2, 3].",
        "prod computes product [2, 3] from x [2, 3, 4] over axis 2.",
    ]
    assert told(trace, "op", "zh")[:-1] == [
        "沿轴 1 对 x [2, 3, 4] 求和，得到 rows [2, 4]。",
        "沿轴 0、−1 对 x [2, 3, 4] 求均值，得到 ends [1, 3, 1]。",
        "沿轴 −1 取 x [2, 3, 4] 中的最大值，得到 most [2, 3]。",
        "prod 沿轴 2 由 x [2, 3, 4] 算出 product [2, 3]。",
    ]
    assert told(trace, "op")[-1].startswith("x [2, 3, 4] is summed, giving whole = ")
    assert (rows.shape, ends.shape, most.shape) == ([2, 4], [1, 3, 1], [2, 3])
    assert (product.shape, whole.shape) == ([2, 3], [])


def test_maximum_is_not_called_max() -> None:
    x, y = leaf(2), leaf(2)
    with viz.record() as trace:
        (paddle.maximum(x, y) + paddle.minimum(x, y)).sum().backward()
    assert [text.split()[0] for text in told(trace, "save")] == ["maximum", "minimum"]
    assert {"Backward of maximum", "Backward of minimum"} <= {
        text.partition(":")[0] for text in told(trace, "visit")
    }


def test_a_call_before_the_recording_is_said_not_to_be_recorded() -> None:
    x = leaf(2)
    y = paddle.tanh(x)
    with viz.record() as trace:
        y.sum().backward()
    assert told(trace, "visit")[1].startswith("Backward of an unrecorded call (TanhGradNode): from")
    assert told(trace, "visit", "zh")[1].startswith("未录制的调用（TanhGradNode）的反向：由 ")


def test_in_a_hook_of_a_leaf_the_gradient_has_its_name() -> None:
    x = leaf(2)
    x.register_hook(lambda g: g * 0.5)
    with viz.record() as trace:
        (x * x).sum().backward()
    assert told(trace, "op")[-1] == "dx [2] is multiplied by 0.5, giving dx × 0.5 [2]."
    into = [edge for edge in trace.story.graph.edges if edge.target.startswith("hook")]
    assert len(into) == 2  # the gradient, and what the hook makes of it


def test_a_numbered_formula_is_explained_as_a_numbered_name_is() -> None:
    x = leaf(2)
    with viz.record() as trace:
        for _ in range(2):
            loss = (x * x).sum()
    assert told(trace, "op")[2].endswith(
        "x × x stands for different values as the code runs; this one is called (x × x)#2 here."
    )
    assert loss.item() == 2.0


def test_an_abridged_sum_keeps_one_of_its_parts() -> None:
    first, second, third = leaf(2), leaf(2), leaf(2)
    with viz.record() as trace:
        total = (first * (1 - paddle.square(second)) + third * 2).sum()
    assert not [text for text in told(trace, "op") if "… + …" in text]
    assert total.shape == []


def test_limits_are_written_with_their_numbers() -> None:
    x = leaf(2)
    with viz.record() as trace:
        a, b, c = paddle.clip(x, -0.5, 2.0), paddle.clip(x, min=0), paddle.clip(x, max=3)
        (a + b + c).sum().backward()
    assert formulas(trace, "op")[:3] == [
        "a = min(max(x, −0.5), 2)", "b = max(x, 0)", "c = min(x, 3)",
    ]  # fmt: skip
    assert {"dx = da · (−0.5 ≤ x ≤ 2)", "dx = db · (0 ≤ x)", "dx = dc · (x ≤ 3)"} <= set(
        formulas(trace, "visit")
    )
    with viz.record() as trace:
        paddle.nn.functional.hardtanh(x, -2.0, 0.5).sum().backward()
    assert formulas(trace, "op")[0].endswith("min(max(x, −2), 0.5)")
    assert formulas(trace, "visit")[-1].endswith(" · (−2 < x < 0.5)")


def test_a_square_has_no_first_power_in_its_gradient() -> None:
    x = leaf(2)
    with viz.record() as trace:
        (x**2 + x**3).sum().backward()
    powers = [text.partition(" · ")[2] for text in formulas(trace, "visit") if " · " in text]
    assert sorted(powers) == ["2 · x", "3 · x^2"]


def test_inputs_are_joined_by_and() -> None:
    x = leaf(1, 2)
    with viz.record() as trace:
        y = paddle.concat([x, x, x])
    assert y.shape == [3, 2]
    assert told(trace, "op") == [
        "x [1, 2], x [1, 2] and x [1, 2] are joined along an axis, giving y [3, 2]."
    ]


def test_one_variable_is_one() -> None:
    long = steps.FreeStep(["softmax_with_cross_entropy_0.tmp_0" * 6])
    assert say_static.free(long)[0] == "1 variable is no longer needed; its memory is free."
    assert (
        "1 variable gets its initial value."
        in say_static.startup(steps.StartupStep([steps.Thing("w", None)]))[0]
    )


def test_a_row_of_memory_says_once_what_it_is() -> None:
    row = Row("h", "leaf", 48, (Stay("h", 48, 1, 3), Stay("h", 48, 6, 6)))
    text = say_memory.row_text(row, "en")
    assert text.strip() == "48 B  an input kept for backward (steps 2 to 4, step 7)"
    assert say_memory.row_text(row, "zh").count("为反向保存") == 1
