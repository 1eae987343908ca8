"""The transcript and the sentences: golden texts, both languages, no false zeros."""

from __future__ import annotations

import re

import pytest

import minipaddle as paddle
import viz
from tests.each import each
from viz.draw.transcript import value
from viz.model import Shown
from viz.story import op_facts, steps
from viz.story.sentences import backward, forward, ops
from viz.story.sentences import programs as say_static
from viz.story.sentences.table import SENTENCES
from viz.story.sentences.wording import NamedThing, Thing, digits, join_things, shape

from . import programs


def test_the_story_of_cus_tanh_in_english() -> None:
    assert [view.text for view in programs.tanh().steps] == [
        (
            "cus_tanh.forward is called with x = data [2, 3]. Nothing inside is differentiated "
            "automatically: cus_tanh.backward does it instead."
        ),
        "tanh squashes x [2, 3] into (−1, 1), giving y [2, 3].",
        "ctx.save_for_backward keeps y [2, 3] for cus_tanh.backward.",
        "cus_tanh.forward returns y [2, 3] (outside: z).",
        "The mean of z [2, 3] gives loss = 0.1966.",
        "Backward starts at loss: its gradient with respect to itself is 1.",
        (
            "Backward of mean: from the gradient of loss, which is 1, "
            "it computes the gradient of z [2, 3]."
        ),
        "cus_tanh.backward is called with dy [2, 3] (outside: dz).",
        "y [2, 3] is squared, giving square(y) [2, 3].",
        "square(y) [2, 3] is subtracted from 1, giving 1 − square(y) [2, 3].",
        (
            "dy [2, 3] and 1 − square(y) [2, 3] are multiplied element by element, "
            "giving grad [2, 3]."
        ),
        "cus_tanh.backward returns the gradient of x [2, 3].",
        "The backward of cus_tanh is done; the saved y is released.",
        "The gradient has reached data; data.grad [2, 3] holds it.",
    ]


def test_the_story_of_cus_tanh_in_chinese() -> None:
    trace = programs.tanh()
    assert [trace.say(i, "zh") for i in (0, 1, 2, 3, 6, 7, 9, 13)] == [
        (
            "调用 cus_tanh.forward，传入 x = data [2, 3]。"
            "里面的计算不自动求导，反向由 cus_tanh.backward 负责。"
        ),
        "tanh 把 x [2, 3] 压缩到 (−1, 1)，得到 y [2, 3]。",
        "ctx.save_for_backward 保存 y [2, 3]，供 cus_tanh.backward 使用。",
        "cus_tanh.forward 返回 y [2, 3]（外面叫 z）。",
        "mean 的反向：由 loss 的梯度（值为 1），算出 z [2, 3] 的梯度。",
        "调用 cus_tanh.backward，传入 dy [2, 3]（外面叫 dz）。",
        "用 1 减去 square(y) [2, 3]，得到 1 − square(y) [2, 3]。",
        "梯度到达 data，保存在 data.grad [2, 3] 中。",
    ]


def test_a_step_of_the_transcript() -> None:
    text = programs.broadcast().text()
    assert re.search(
        r"   1  x \[2, 3\] and b \[3\] are added, giving y \[2, 3\]\.\n"
        r"        .*programs\.py:\d+  y = x \+ b\n"
        r"        y = x \+ b\n"
        r"        in x \[2, 3\] float64: \[\[0\.5, −1, 2\], \[1\.5, 0\.25, −0\.75\]\]\n",
        text,
    )
    assert text.index("Forward\n") < text.index("Backward\n")


def test_large_values_are_told_by_their_range() -> None:
    stats = {"min": 0.0, "max": 2.0, "mean": 1.0, "nan": 3, "inf": 0, "size": 5000}
    rows = {"shape": [5000], "dtype": "float32", "data": None, "stats": stats}
    told = value(Shown("x", "input", rows), "en")
    assert told == "in x [5000] float32: min 0, max 2, mean 1, 3 nan"


def test_a_missing_value_is_none_and_not_zero() -> None:
    assert value(Shown("dx", "grad_in", None), "en") == "arrives dx: None"
    english, chinese = backward.visit(
        steps.VisitStep("mul", "", [NamedThing("y", Thing("y"))], computed=[NamedThing("x", None)])
    )
    assert "None for x (no gradient flows there)" in english
    assert "None（对应 x，梯度到此为止）" in chinese
    assert "0" not in english + chinese


@each(
    ("number", "text"),
    [(0.5, "0.5"), (-1.25, "−1.25"), (1e-8, "1e−8"), (3, "3"), (True, "True"), ("nan", "nan")],
)
def test_numbers_are_short(number: object, text: str) -> None:
    assert digits(number) == text


def test_random_numbers_are_told_in_the_users_word() -> None:
    with viz.record() as trace:
        data = paddle.randn([2, 3])  # noqa: F841
        other = paddle.rand([2])  # noqa: F841
    assert trace.say(0) == "randn makes data [2, 3]: random numbers from a normal distribution."
    assert [trace.say(i, "zh") for i in (0, 1)] == [
        "randn 按正态分布随机生成 data [2, 3]。",
        "rand 按均匀分布随机生成 other [2]。",
    ]
    assert trace.title == "test_text.py"


def test_an_empty_trace_is_nothing_in_both_languages() -> None:
    with viz.record() as trace:
        pass
    assert trace.text().startswith("nothing\n")
    assert trace.text("zh").startswith("空\n")


def test_the_transcript_speaks_chinese_throughout() -> None:
    text = programs.step().text("zh")
    assert "传入梯度" in text
    assert not re.search(r"\b(min|max|mean|arrives|gives) [−\d]", text)
    assert "根据 net.0.weight.grad 更新 net.0.weight [" in text
    for trace in (programs.program(), programs.step(), programs.two_ways()):
        said = "".join(view.say("zh") for view in trace.steps)
        assert not re.search(r" and |和\S*和[^、，。；：]*和|[，。：）] ", said), said


@each(("symbol", "english", "chinese"), [
    ("1 −", "x is subtracted from 1, giving y.", "用 1 减去 x，得到 y。"),
    ("× 2", "x is multiplied by 2, giving y.", "x 乘以 2，得到 y。"),
    ("+ 3", "3 is added to x, giving y.", "x 加上 3，得到 y。"),
    ("− 3", "3 is subtracted from x, giving y.", "x 减去 3，得到 y。"),
    ("−", "x changes sign, giving y.", "x 取相反数，得到 y。"),
    ("× 2 + 3", "x is multiplied by 2, plus 3, giving y.", "x 乘以 2，再加 3，得到 y。"),
])  # fmt: skip
def test_one_number_and_a_tensor(symbol: str, english: str, chinese: str) -> None:
    assert ops.scaling(symbol, "x", "y") == (english, chinese)


def test_many_freed_variables_are_counted() -> None:
    names = [f"softmax_with_cross_entropy_{i}.tmp_0" for i in range(9)]
    english, chinese = say_static.free(steps.FreeStep(names))
    assert english == "9 variables are no longer needed; their memory is free."
    assert chinese == "9 个变量后面不再用到，内存可以回收。"


@pytest.mark.parametrize("op", ["concat", "stack"])
def test_a_sentence_that_begins_with_a_tensor_leaves_its_name_alone(op: str) -> None:
    english, _ = ops.phrase(op, ["x [2]", "w [2]"], ("y [4]", "y [4]"))
    assert english.startswith("x [2] and w [2] are ")


def test_rows_of_things() -> None:
    assert join_things(["a", "b", "c"]) == ("a, b and c", "a、b 和 c")
    assert join_things(["a", "a"]) == ("a", "a")
    assert join_things([]) == ("nothing", "空")
    assert shape([2, -1]) == "[2, ?]"


def test_an_op_without_words_of_its_own_is_told_plainly() -> None:
    english, chinese = ops.phrase("new_op", ["x [2]"], ("y [2]", "y [2]"))
    assert english == "new_op computes y [2] from x [2]."
    assert chinese == "new_op 由 x [2] 算出 y [2]。"


@each(
    ("symbol", "given", "text"),
    [
        ("1 −", ["s"], "1 − s"),
        ("× 2", ["a + b"], "(a + b) × 2"),
        ("tanh", ["x"], "tanh(x)"),
        ("−", ["a", "b"], "a − b"),
        ("concat", ["a", "b"], "concat(a, b)"),
        ("−", ["x"], "−x"),
        ("⁻¹", ["a @ b"], "(a @ b)⁻¹"),
    ],
)
def test_results_without_a_name_are_called_by_their_formula(
    symbol: str, given: list[str], text: str
) -> None:
    assert ops.spell(symbol, given) == text


@each("op", ["equal", "not_equal", "isclose", "bitwise_and", "kron", "dot"])
def test_a_sign_stands_between_its_operands(op: str) -> None:
    sign = op_facts.facts(op, {}).symbol
    assert ops.spell(sign, ["a", "b"]) == f"a {sign} b"


@pytest.mark.parametrize("op", ["allclose", "equal_all"])
def test_what_one_bool_says_of_two_tensors_is_a_function(op: str) -> None:
    assert ops.spell(op_facts.facts(op, {}).symbol, ["a", "b"]) == f"{op}(a, b)"


def test_every_kind_of_step_has_words_for_every_mark() -> None:
    for mark in ("mark_not_inplace", "mark_non_differentiable", "set_materialize_grads", "other"):
        english, chinese = forward.mark(steps.MarkStep("layer", mark, [Thing("y")], True))
        assert "layer" in english
        assert "layer" in chinese
    kinds = {kind for kind in vars(steps).values() if isinstance(kind, type)}
    assert {kind for kind in kinds if issubclass(kind, steps.Facts)} - {steps.Facts} == {*SENTENCES}


def test_chinese_sentences_of_what_did_not_come() -> None:
    """None for a gradient of py_func, a Program that is fed nothing, an assignment as an op."""
    nothing = [NamedThing("dy", None)]
    assert say_static.py_func(steps.PyFuncStep("f", nothing, nothing, []))[1] == (
        "py_func 调用 f，传入 None（对应 dy）；返回 None（对应 dy）。"
    )
    assert say_static.run(steps.RunStep([], ["y"]))[1] == (
        "执行器（Executor）运行 Program，没有输入数据，取回（fetch）y。"
    )
    assert backward.release(steps.ReleaseStep("h[i] = v", ["i"]))[1] == (
        "“h[i] = v”的反向已完成，释放保存的 i。"
    )
