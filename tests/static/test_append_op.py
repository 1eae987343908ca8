"""Block.append_op: an operator can be added again from its own type, slots and attributes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.each import each
from tests.ops.drawing import call, draw, sampled

from .test_same_as_eager import variables_of
from .world import X, data, declared, fresh, run

# Their text says less than their attributes: an index as the user wrote it, a padding's sizes.
NOT_FROM_THE_TEXT = {"slice", "set_value", "put_at", "max_pool2d_with_index"}

pytestmark = pytest.mark.usefixtures("programs")

SAMPLES = [
    pytest.param(op, sample, id=name)
    for op, sample, name in sampled()
    if op.static.type not in NOT_FROM_THE_TEXT and not op.random and not op.remote
]


def again(block: Any, op: Any, outs: list[Any]) -> list[Any]:
    """Append an operator that is there a second time, with new outputs."""
    twins = {out.name: block.create_var(name=f"{out.name}_again") for out in outs}
    block.append_op(
        type=op.type,
        inputs={slot: op.input(slot) for slot in op.input_names},
        outputs={
            slot: [twins[name] for name in op.output(slot) if name in twins]
            for slot in op.output_names
        },
        attrs=op.all_attrs(),
    )
    return list(twins.values())


@each(("op", "sample"), SAMPLES)
def test_an_operator_appended_again_is_the_same(op: Any, sample: Any) -> None:
    arrays = draw(op, sample, dtype="float32")
    with fresh():
        variables, feed = variables_of(arrays)
        outs = call(op, variables, sample)
        block = paddle.static.default_main_program().global_block()
        first = block.ops[-1]
        twins = again(block, first, outs)
        assert str(block.ops[-1]).replace("_again", "") == str(first)
        for out, twin in zip(outs, twins, strict=True):
            assert (out.shape, out.dtype) == (twin.shape, twin.dtype)
        values = paddle.static.Executor().run(feed=feed, fetch_list=[*outs, *twins])
    for left, right in zip(values[: len(outs)], values[len(outs) :], strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-6)  # attributes are written in float32


@each(
    ("type", "attrs", "expected"),
    [
        ("reduce_sum", {}, X.sum(0)),
        ("reduce_sum", {"reduce_all": True}, X.sum()),
        ("reduce_max", {"dim": [1], "keep_dim": True}, X.max(1, keepdims=True)),
        ("scale", {"scale": 2.0, "bias": 1.0}, X * 2 + 1),
        ("cast", {"in_dtype": 5, "out_dtype": 3}, X.astype("int64")),
        ("cast", {"out_dtype": paddle.int32}, X.astype("int32")),
        ("unsqueeze2", {"axes": [0]}, X[None]),
        ("pow", {"factor": 2.0}, X * X),
        ("fill_any_like", {"value": 3.0, "dtype": -1}, np.full_like(X, 3)),
    ],
)
@fresh()
def test_attributes_are_spelled_as_in_paddle(type, attrs, expected) -> None:
    out = declared("o")
    out.block.append_op(type=type, inputs={"X": data()}, outputs={"Out": out}, attrs=attrs)
    (value,) = run(out)
    np.testing.assert_allclose(value, expected, rtol=1e-6)
    assert value.shape == expected.shape


def test_several_inputs_several_outputs_and_none() -> None:
    x = data()
    block = x.block
    parts = [block.create_var(name=n) for n in ("a", "b")]
    block.append_op(
        type="split", inputs={"X": x}, outputs={"Out": parts}, attrs={"num": 2, "axis": 1}
    )
    total, three = block.create_var(name="total"), block.create_var(name="three")
    block.append_op(type="sum", inputs={"X": parts}, outputs={"Out": total})
    filled = {"shape": [2], "dtype": 5, "str_value": "3.5"}
    block.append_op(type="fill_constant", outputs={"Out": three}, attrs=filled)
    row = block.create_var(name="row")
    cut = {"axes": [0, 1], "starts": [1, 0], "ends": [2, 2], "decrease_axis": [0]}
    block.append_op(type="slice", inputs={"Input": x}, outputs={"Out": row}, attrs=cut)
    shaped, ghost = block.create_var(name="shaped"), block.create_var(name="ghost")
    block.append_op(
        type="reshape2",
        inputs={"X": x},
        outputs={"Out": shaped, "XShape": ghost},
        attrs={"shape": [4, 2]},
    )
    a, b, t, c, r, s = run(*parts, total, three, row, shaped)
    for value, wanted in zip(
        (a, b, t, c, r, s),
        (X[:, :2], X[:, 2:], X[:, :2] + X[:, 2:], np.float32([3.5] * 2), X[1, :2], X.reshape(4, 2)),
        strict=True,
    ):
        np.testing.assert_array_equal(value, wanted)


@each(
    ("arguments", "error", "word"),
    [
        ({"type": None}, ValueError, "type"),
        ({"type": "foo"}, ValueError, "foo"),
        ({"type": "tnah"}, ValueError, "tanh"),
        ({"type": "tanh_grad"}, ValueError, "append_backward"),
        ({"type": "py_func"}, ValueError, "static.py_func"),
        ({"inputs": {}}, AssertionError, "Input X"),
        ({"inputs": {"Z": "x"}}, ValueError, "slots X"),
        ({"inputs": {"X": ["x", "x"]}}, ValueError, "2 are given"),
        ({"inputs": {"X": "nope"}}, ValueError, "nope"),
        ({"inputs": {"X": 3}}, ValueError, "int 3"),
        ({"outputs": {}}, ValueError, "[Out]"),
        ({"outputs": {"Z": "o"}}, ValueError, "slots Out"),
        ({"attrs": {"zzz": 1}}, ValueError, "zzz = 1"),
    ],
)
@fresh()
def test_mistakes_are_told_and_nothing_is_appended(arguments, error, word) -> None:
    data()
    block = declared("o").block
    given = {"type": "tanh", "inputs": {"X": "x"}, "outputs": {"Out": "o"}, **arguments}
    with refuses(error, "expected", "received", "to do", word):
        block.append_op(**given)
    assert block.ops == []


def test_shapes_that_do_not_fit_are_told() -> None:
    x, y, out = data(), data("y", [3]), declared("o")
    with refuses(ValueError, "add()", "[2, 4]"):
        out.block.append_op(type="elementwise_add", inputs={"X": x, "Y": y}, outputs={"Out": out})


@each("type", ["tanh", "scale", "square"])
@fresh()
def test_no_gradient_through_a_variable_that_is_overwritten(type) -> None:
    x = data(needs=True)
    y = x * 2.0
    y.block.append_op(type=type, inputs={"X": y}, outputs={"Out": y})
    target = y * 1.0
    before = str(y.block)
    words = "'tmp_0', which is overwritten", f"and '{type}' (", "a Variable of its own"
    with refuses(RuntimeError, *words):
        paddle.static.gradients(target, x)
    assert str(y.block) == before
