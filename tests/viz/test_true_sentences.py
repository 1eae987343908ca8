"""What sentences, boxes and formulas claim is what the user wrote and what happened."""

# ruff: noqa: F841, RUF059  (what is assigned gives tensors their names)

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import minipaddle as paddle
import viz
from tests.each import each
from viz.trace import Trace


def told(trace: Trace, kind: str, lang: str = "en") -> list[str]:
    """The sentences of one kind of step."""
    return [trace.say(step.index, lang) for step in trace.steps if step.kind == kind]


def formulas(trace: Trace, kind: str = "op") -> list[str]:
    return [step.step.formula for step in trace.steps if step.kind == kind]


def labels(trace: Trace, kind: str = "op") -> list[str]:
    return [node.label for node in trace.story.graph.nodes if node.kind == kind]


def leaf(*values: float) -> paddle.Tensor:
    return paddle.to_tensor(np.array(values, "float32"), stop_gradient=False)


def table() -> paddle.Tensor:
    return paddle.to_tensor(np.arange(12, dtype="float32").reshape(3, 4), stop_gradient=False)


@pytest.fixture
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        yield
    paddle.disable_static()


# ----- reading and writing by position -----------------------------------------------------------


def test_reading_by_position_is_told_as_it_was_written(tmp_path: Path) -> None:
    h, rows = table(), paddle.to_tensor([2, 0])
    with viz.record() as trace:
        a = h[:, 0]
        b = h[..., None, 1:3:2]
        c = h[1]
        d = h[[0, 2]]
        e = h[rows]
        f = h[:, [1, 3]]
        mask = h > 3.0
        g = h[mask]
    written = ["h[:, 0]", "h[..., None, 1:3:2]", "h[1]", "h[[0, 2]]", "h[rows]", "h[:, [1, 3]]"]
    assert labels(trace) == [*written, ">", "h[mask]"]
    assert formulas(trace)[:6] == [
        f"{name} = {w}" for name, w in zip("abcdef", written, strict=True)
    ]
    assert formulas(trace)[7] == "g = h[mask]"
    english, chinese = told(trace, "op"), told(trace, "op", "zh")
    assert english[0] == "h[:, 0] takes elements of h [3, 4], giving a [3]."
    assert chinese[0] == "h[:, 0] 取出 h [3, 4] 的元素，得到 a [3]。"
    assert english[7] == "h[mask] takes elements of h [3, 4], giving g [8]."
    again = viz.load(trace.save(tmp_path / "read.json"))
    assert again.text() == trace.text()
    for text in (trace.text(), again.text("zh"), trace.save(tmp_path / "read.dot").read_text()):
        assert not [
            word for word in ("slice>", "ellipsis", "getitem", "pick", "index") if word in text
        ]


def test_a_part_without_a_name_is_called_as_it_was_written() -> None:
    h = table()
    with viz.record() as trace:
        total = h[:, 0].sum() + h[1, 2]
        total.backward()
    assert "h[:, 0] [3] has elements of h [3, 4]." in told(trace, "op")
    assert "h[1, 2] = 6 is an element of h [3, 4]." in told(trace, "op")
    assert "h[:, 0] [3] 由 h [3, 4] 的元素组成。" in told(trace, "op", "zh")
    assert any(text.startswith("Backward of h[:, 0]: ") for text in told(trace, "visit"))
    assert any(text.startswith("h[:, 0] 的反向：") for text in told(trace, "visit", "zh"))
    assert "dh = 0, dh[:, 0] = d(h[:, 0])" in formulas(trace, "visit")
    assert "h[:, 0] backward" in labels(trace, "grad")


def test_writing_by_position_is_told_as_it_was_written() -> None:
    v, where = leaf(7.0, 8.0, 9.0), paddle.to_tensor([1])
    with viz.record() as trace:
        r = paddle.zeros([2, 3])
        r[0] = v
        q = paddle.zeros([2, 3])
        q[:, where] = v[1]
        (r + q).sum().backward()
    assert [x for x in labels(trace) if " = " in x] == ["r[0] = v", "q[:, where] = v[1]"]
    assert "r[0] = v" in formulas(trace)
    written = [text for text in told(trace, "op") if text.startswith("r[0] = v writes ")]
    assert written[0].startswith("r[0] = v writes v [3] into r [2, 3]")
    assert any(t.startswith("r[0] = v 把 v [3] 写入 r [2, 3]") for t in told(trace, "op", "zh"))
    assert any(text.startswith("Backward of r[0] = v: ") for text in told(trace, "visit"))
    assert "set_at" not in trace.text()
    assert "index_put" not in trace.text()


def test_an_element_that_is_written_is_no_element_that_is_read() -> None:
    r, rows = paddle.zeros([2]), [paddle.ones([]), paddle.ones([])]
    with viz.record() as trace:
        r[0] = rows[1]
    assert formulas(trace) == ["r[0] = rows[1]"]
    assert told(trace, "op")[0].startswith("r[0] = rows[1] writes rows[1] = 1 into r [2]")


def test_values_from_outside_that_overwrite_a_tensor_are_data() -> None:
    w = leaf(1.0, 2.0)
    with viz.record() as trace:
        w.set_value(np.array([5.0, 6.0], "float32"))
        paddle.nn.initializer.Constant(3.0)(w)
    assert told(trace, "op") == ["w is overwritten with [5, 6].", "w is overwritten with [3, 3]."]
    assert labels(trace) == ["w.set_value([5, 6])", "w[...] = [3, 3]"]
    assert labels(trace, "data") == ["[5, 6]", "[3, 3]"]


def test_a_computed_value_is_written_without_more_brackets() -> None:
    v = leaf(7.0, 8.0)
    with viz.record() as trace:
        r = paddle.zeros([2])
        r[0] = v[1] + 3.0
    assert "r[0] = v[1] + 3" in labels(trace)


def test_a_gradient_that_goes_back_to_its_places_is_told_without_inner_names() -> None:
    h, rows = table(), paddle.to_tensor([2, 0])
    with viz.record() as trace:
        total = h[:, 0].sum() + h[rows].sum() + h[h > 3.0].sum()
        (g,) = paddle.grad(total, [h], create_graph=True)
    for lang, count in (("en", "with zeros elsewhere, "), ("zh", "其余为 0")):
        assert sum(count in text for text in told(trace, "op", lang)) == 3
    assert not [name for name in ("put_at", "pick_back", "masked_put") if name in trace.text()]


@each(("call", "written"), [
    ("r.uniform_()", "r.uniform_(…)"), ("r.normal_(0.0, 1.0)", "r.normal_(…)"),
    ("r.zero_()", "r.zero_()"), ("r.fill_(3)", "r.fill_(…)"),
    ("r.exponential_()", "r.exponential_(…)"), ("r.fill_diagonal_(2)", "r.fill_diagonal_(…)"),
])  # fmt: skip
def test_filling_in_place_is_told_by_the_function_that_was_called(
    call: str, written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "fill.py"
    script.write_text(f"import minipaddle as paddle\nr = paddle.ones([2, 2])\n{call}\n")
    code = compile(script.read_text(), str(script), "exec")
    with viz.record() as trace:
        exec(code, {})
    assert labels(trace) == ["ones", written]
    assert told(trace, "op")[1].startswith(f"{written} writes new values into r [2, 2]")
    assert told(trace, "op", "zh")[1].startswith(f"{written} 把新的值写入 r [2, 2]")
    assert len(trace.story.graph.nodes) == 3  # the values are nobody's tensor


def test_a_function_that_picks_keeps_its_name() -> None:
    h, mask = table(), table() > 3.0
    with viz.record() as trace:
        picked = paddle.masked_select(h, mask)
    assert labels(trace) == ["masked_select"]
    assert told(trace, "op")[0].startswith("masked_select computes ")


def test_an_index_that_fails_is_named_as_it_was_written() -> None:
    h = table()
    with viz.record() as trace, pytest.raises(IndexError):
        h[5]
    assert told(trace, "error")[0].startswith("It stops here in h[5] with ")


def test_a_program_tells_positions_as_they_were_written(static_mode: None) -> None:
    with viz.record() as trace:
        x = paddle.static.data("x", [3, 4])
        rows = paddle.static.data("rows", [2], "int64")
        a = x[:, 0]
        b = x[..., None, 1:3:2]
        c = x[rows]
    assert labels(trace) == ["x[:, 0]", "x[..., None, 1:3:2]", "x[rows]"]
    first = told(trace, "append")[0]
    assert first.startswith(
        "Operator 0, slice (x[:, 0]), is added to the Program: it will compute "
    )
    assert "slice（x[:, 0]）" in told(trace, "append", "zh")[0]
    assert [text.partition(" = ")[2] for text in formulas(trace, "append")] == labels(trace)


def test_finite_differences_know_an_index_that_was_saved() -> None:
    h = table()
    with viz.record() as trace:
        h[:, 1:3].sum().backward()
    assert "No finite difference" not in viz.slopes(trace)


# ----- scale · x + bias --------------------------------------------------------------------------


@each(("call", "english", "chinese", "sign"), [
    (lambda x: x * 1.0, "x [2] is multiplied by 1", "x [2] 乘以 1", "× 1"),
    (lambda x: 1 * x, "x [2] is multiplied by 1", "x [2] 乘以 1", "× 1"),
    (lambda x: x * 0, "x [2] is multiplied by 0", "x [2] 乘以 0", "× 0"),
    (lambda x: x + 0, "0 is added to x [2]", "x [2] 加上 0", "+ 0"),
    (lambda x: x - 0, "0 is subtracted from x [2]", "x [2] 减去 0", "− 0"),
    (lambda x: x - 0.0, "0 is subtracted from x [2]", "x [2] 减去 0", "− 0"),
    (lambda x: x - 1.5, "1.5 is subtracted from x [2]", "x [2] 减去 1.5", "− 1.5"),
    (lambda x: -x, "x [2] changes sign", "x [2] 取相反数", "−"),
    (lambda x: 2 - x, "x [2] is subtracted from 2", "用 2 减去 x [2]", "2 −"),
    (lambda x: 0 - x, "x [2] changes sign", "x [2] 取相反数", "−"),
    (lambda x: x * -2.5, "x [2] is multiplied by −2.5", "x [2] 乘以 −2.5", "× −2.5"),
    (lambda x: x * 1234567, "x [2] is multiplied by 1234567", "x [2] 乘以 1234567", "× 1234567"),
    (lambda x: paddle.scale(x, 2, 1), "x [2] is multiplied by 2, plus 1", "x [2] 乘以 2，再加 1",
     "× 2 + 1"),
    (lambda x: paddle.scale(x, 2, -1), "x [2] is multiplied by 2, minus 1", "x [2] 乘以 2，再减 1",
     "× 2 − 1"),
    (lambda x: paddle.scale(x, 2, 1, bias_after_scale=False), "x [2] plus 1 is multiplied by 2",
     "x [2] 先加 1，再乘以 2", "(+ 1) × 2"),
    (paddle.scale, "x [2] is multiplied by 1", "x [2] 乘以 1", "× 1"),
    (lambda x: paddle.scale(x, 1.0, 3.0), "3 is added to x [2]", "x [2] 加上 3", "+ 3"),
])  # fmt: skip
def test_a_number_and_a_tensor_are_told_as_they_were_written(
    call: object, english: str, chinese: str, sign: str
) -> None:
    x = leaf(3.0, -4.0)
    with viz.record() as trace:
        y = call(x)  # type: ignore[operator]
        y.sum().backward()
    assert told(trace, "op")[0] == f"{english}, giving y [2]."
    assert told(trace, "op", "zh")[0] == f"{chinese}，得到 y [2]。"
    assert labels(trace)[0] == sign
    visits = told(trace, "visit")[1], told(trace, "visit", "zh")[1]
    assert visits[0].startswith(f'Backward of "{sign}": from ')
    assert visits[1].startswith(f"“{sign}”的反向：由 ")
    assert labels(trace, "grad")[1] == f"{sign} backward"
    right = formulas(trace)[0].partition(" = ")[2]
    value = eval(right.replace("·", "*").replace("−", "-"), {"x": x.numpy()})
    np.testing.assert_allclose(y.numpy(), value)


def test_a_program_writes_x_minus_0_as_paddle_does(static_mode: None) -> None:
    x = paddle.static.data("x", [2])
    y, z = x - 0, x * 1.0
    text = str(paddle.static.default_main_program())
    assert "bias = -0.0" in text  # measured: Paddle 3.3.1 writes -0.0
    assert "bias = 0.0" in text


# ----- why a gradient is added -------------------------------------------------------------------


def test_adding_tells_why_there_is_something_to_add_to() -> None:
    x = leaf(1.0, 2.0)
    (x * 3.0).sum().backward()  # before the recording
    with viz.record() as trace:
        (x * 2.0).sum().backward()  # old
        x.clear_grad()
        (x * 2.0).sum().backward()  # zeros
        x.clear_grad(set_to_zero=False)
        (x * x).sum().backward()  # uses
        (x * x).sum().backward()  # uses, then old
        paddle.grad((x * x).sum(), [x])  # uses; touches no .grad
        y = x * 2.0
        paddle.autograd.backward([y, (y * 3.0).sum()], [paddle.ones([2]), None])  # starts, old
    parts = {
        "x.grad still holds an old gradient, not cleared by clear_grad()": "old",
        "x.grad holds only zeros, as after clear_grad()": "zeros",
        "x was used in several places": "uses",
        "y starts with a gradient and receives another": "starts",
    }
    chinese = {
        "x.grad 里还留着之前的梯度，没有用 clear_grad() 清除": "old",
        "x.grad 里全是 0（如同调用 clear_grad() 之后）": "zeros",
        "x 被用在多处": "uses",
        "y 既有初始梯度，又有另一份梯度": "starts",
    }
    for lang, table in (("en", parts), ("zh", chinese)):
        sentences = told(trace, "accumulate", lang)
        why = [next(w for part, w in table.items() if t.startswith(part)) for t in sentences]
        assert why == ["old", "zeros", "uses", "uses", "old", "uses", "starts", "old"]


def test_fan_in_is_told_as_such_when_only_a_part_was_recorded() -> None:
    x = leaf(1.0, 2.0)
    with viz.record(only="multiply") as trace:
        (x * x + x).sum().backward()
    assert len(told(trace, "accumulate")) == 2
    assert all(
        text.startswith("x was used in several places") for text in told(trace, "accumulate")
    )


def test_a_gradient_to_start_with_is_told_by_its_shape() -> None:
    x = leaf(1.0, 2.0)
    with viz.record() as trace:
        y = x * 2.0
        y.backward(paddle.ones([2]))
        z = x.sum()
        z.backward(paddle.to_tensor(3.0))
    assert told(trace, "seed") == [
        "Backward starts at y with a gradient of shape [2].",
        "Backward starts at z with the gradient 3.",
    ]
    assert told(trace, "seed", "zh") == [
        "反向从 y 开始，初始梯度是形状为 [2] 的 Tensor。",
        "反向从 z 开始，初始梯度为 3。",
    ]


def test_the_gradients_of_unused_outputs_are_told() -> None:
    x = leaf(1.0, 2.0, 3.0, 4.0)
    with viz.record() as trace:
        p, q, r = paddle.split(x, 3 * [1] + [1])[:3]
        (q * 3.0).sum().backward()
        values, indices = paddle.topk(x, 2)
        values.sum().backward()
    split = next(step for step in trace.steps if "Backward of split" in step.text)
    assert split.text.endswith(" No gradient arrived for p, r and t5, so zeros are used instead.")
    came = [(shown.name, shown.role, shown.value["data"]) for shown in split.step.shown]
    assert came[:3] == [("dp", "zeros", [0.0]), ("dr", "zeros", [0.0]), ("dt5", "zeros", [0.0])]
    assert "因此用全 0 代替" in trace.say(split.index, "zh")
    topk = next(step for step in trace.steps if "Backward of topk" in step.text)
    assert "No gradient arrived" not in topk.text  # positions have no gradient


# ----- one name everywhere -----------------------------------------------------------------------


def test_what_makes_something_has_the_name_that_was_called() -> None:
    x = leaf(1.0, 2.0)
    with viz.record() as trace:
        a = paddle.randn([2])
        b = paddle.rand([2])
        c = paddle.normal(0.0, 1.0, [2])
        d = paddle.zeros([2])
        e = paddle.full([2], 3.5)
        f = paddle.ones_like(x)
        g = paddle.zeros([2]) + paddle.ones([2])
        h = paddle.zeros_like(x) + paddle.ones_like(x)
        i = x.clone()
        j = x.norm()
    names = ["randn", "rand", "normal", "zeros", "full", "ones_like", "zeros", "ones", "+"]
    names += ["zeros_like", "ones_like", "+", "clone", "norm"]
    assert labels(trace) == names
    english, chinese = told(trace, "op"), told(trace, "op", "zh")
    for name, *texts in zip(names, english, chinese, strict=True):
        assert name == "+" or all(text.startswith(f"{name} ") for text in texts)
    assert not [op for op in ("gaussian", "fill_like", "p_norm", "assign") if op in trace.text()]


def test_without_the_code_box_and_sentence_have_one_name() -> None:
    code = compile("a = paddle.randn([2])\nb = paddle.zeros([2])", "<nowhere>", "exec")
    with viz.record() as trace:
        exec(code, {"paddle": paddle})
    assert labels(trace) == ["gaussian", "full"]
    assert [text.split()[0] for text in told(trace, "op")] == labels(trace)


def test_signs_and_powers_are_told_by_their_sign() -> None:
    x = leaf(1.0, 2.0)
    with viz.record() as trace:
        a = x > 1.0
        b = x // 2.0
        c = x**3
        d = x % 2.0
    assert told(trace, "op") == [
        "x [2] > 1 gives a [2].",
        "x [2] // 2 gives b [2].",
        "x [2] to the power 3 gives c [2].",
        "x [2] mod 2 gives d [2].",
    ]


def test_an_op_drawn_as_letters_is_told_by_its_name() -> None:
    x = paddle.to_tensor([[2.0, 1.0], [1.0, 3.0]], stop_gradient=False)
    with viz.record() as trace:
        u, s, v = paddle.linalg.svd(x)
        s.sum().backward()
    assert told(trace, "op")[0].startswith("svd computes ")
    assert any(text.startswith("Backward of svd: ") for text in told(trace, "visit"))


def test_a_maximum_along_an_axis_is_no_single_element() -> None:
    h = table()
    with viz.record() as trace:
        top = h.max(axis=1)
    assert told(trace, "op") == ["The maximum of h [3, 4] over axis 1 gives top [3]."]


# ----- who adds operators ------------------------------------------------------------------------


def test_a_program_names_the_function_that_adds_gradients(static_mode: None) -> None:
    x, w = paddle.static.data("x", [3]), paddle.static.data("w", [3])
    x.stop_gradient = False
    loss = (x * x * w + x * w).sum()
    with viz.record() as trace:
        paddle.static.gradients(loss, x)
    added = [text for text in told(trace, "append") if "@GRAD" in text or "gradient" in text]
    assert added[0].startswith("static.gradients begins with fill_any_like: ")
    assert added[0].endswith(" is 1, the gradient of sum_0.tmp_0 with respect to itself.")
    assert all(text.startswith("static.gradients ") for text in added)
    assert "append_backward" not in trace.text()


def test_a_program_names_append_backward_and_minimize(static_mode: None) -> None:
    x = paddle.static.data("x", [3, 2])
    out = paddle.static.nn.fc(x, 1)
    loss = paddle.mean(out * out)
    with viz.record() as trace:
        paddle.static.append_backward(loss)
    assert sum(text.startswith("append_backward ") for text in told(trace, "append")) > 3
    with viz.record() as trace:
        paddle.optimizer.SGD(0.1).minimize(loss)
    assert sum(text.startswith("minimize ") for text in told(trace, "append")) > 3
    assert "append_backward adds" not in trace.text().split("minimize begins")[1]


# ----- filters -----------------------------------------------------------------------------------


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


def test_memory_that_several_share_is_told_in_good_english(static_mode: None) -> None:
    x = paddle.static.data("x", [2, 4])
    y = x * 2.0
    parts = paddle.split(y, 2, axis=1)
    first, second = y[0], y[1]
    out = (first + second).sum()
    with viz.record() as trace:
        paddle.static.Executor().run(feed={"x": np.ones((2, 4), "float32")}, fetch_list=[out])
    shared = [text for text in told(trace, "free") if " stays: it is shared with " in text]
    assert shared
    others = [text.partition(" shared with ")[2] for text in shared]
    assert [text for text in others if " and " in text]
    assert not [text for text in others if ", " in text and " and " not in text]
