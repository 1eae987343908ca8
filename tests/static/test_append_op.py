"""Block.append_op: an operator can be added again from its own type, slots and attributes."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.each import each
from tests.ops.drawing import call, draw, sampled

from .test_same_as_eager import variables_of
from .world import X, data, declared, fresh, run

# Operators whose text omits attributes: an index as the user wrote it, sizes of a padding.
NOT_FROM_THE_TEXT = {"slice", "set_value", "put_at"}
NOT_FROM_THE_TEXT |= {"max_pool2d_with_index", "max_pool3d_with_index"}

pytestmark = pytest.mark.usefixtures("programs")

SAMPLES = [
    pytest.param(op, sample, id=name)
    for op, sample, name in sampled()
    if op.static.type not in NOT_FROM_THE_TEXT and not op.random and not op.remote
]


def again(block: Any, op: Any, outs: list[Any]) -> list[Any]:
    """Append an existing operator a second time, with new outputs."""
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
        np.testing.assert_allclose(left, right, rtol=1e-6)  # attributes are stored in float32


@each(
    ("arguments", "error", "word"),
    [
        ({"type": None}, ValueError, "type"),
        ({"type": "foo"}, ValueError, "foo"),
        ({"type": "tnah"}, ValueError, "tanh"),
        ({"type": "py_func"}, ValueError, "static.py_func"),
        ({"inputs": {}}, AssertionError, "Input X"),
        ({"inputs": {"Z": "x"}}, ValueError, "slots X"),
        ({"inputs": {"X": "nope"}}, ValueError, "nope"),
        ({"inputs": {"X": 3}}, ValueError, "X=3"),
        ({"outputs": {}}, ValueError, "[Out]"),
        ({"attrs": {"zzz": 1}}, ValueError, "zzz = 1"),
    ],
)
@fresh()
def test_mistakes_are_errors_and_append_nothing(arguments, error, word) -> None:
    data()
    block = declared("o").block
    given = {"type": "tanh", "inputs": {"X": "x"}, "outputs": {"Out": "o"}, **arguments}
    with refuses(error, "expected", "received", "to do", word):
        block.append_op(**given)
    assert block.ops == []


def test_an_output_without_values_is_left_out() -> None:
    x, shaped, ghost = data(), declared("shaped"), declared("ghost")
    outputs = {"Out": shaped, "XShape": ghost}
    x.block.append_op("reshape2", {"X": x}, outputs, {"shape": [4, 2]})
    np.testing.assert_array_equal(run(shaped)[0], X.reshape(4, 2))


def test_shapes_that_do_not_fit_are_errors() -> None:
    x, y, out = data(), data("y", [3]), declared("o")
    with refuses(ValueError, "add()", "[2, 4]"):
        out.block.append_op(type="elementwise_add", inputs={"X": x, "Y": y}, outputs={"Out": out})


@each("type", ["tanh", "scale", "square"])
@fresh()
def test_gradients_through_an_overwritten_variable_are_an_error(type) -> None:
    x = data(needs=True)
    y = x * 2.0
    y.block.append_op(type=type, inputs={"X": y}, outputs={"Out": y})
    target = y * 1.0
    before = str(y.block)
    words = "'tmp_0', which is overwritten", f"and '{type}' (", "a Variable of its own"
    with refuses(RuntimeError, *words):
        paddle.static.gradients(target, x)
    assert str(y.block) == before
