"""What static functions refuse, in words, and that a refusal leaves the Program as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import static
from tests.contract.refusal import refuses
from tests.each import each

initializer = paddle.nn.initializer


@pytest.fixture(autouse=True)
def building() -> Iterator[None]:
    paddle.enable_static()
    with static.program_guard(static.Program(), static.Program()):
        yield
    paddle.disable_static()


def images() -> Any:
    return static.data("images", [2, 3, 4, 4])


def rows(name: str = "rows") -> Any:
    return static.data(name, [2, 3])


def foreign() -> Any:
    with static.program_guard(static.Program()):
        return static.data("foreign", [2])


def made(name: str) -> Any:
    return static.default_main_program().global_block().create_var(name, [2], "float32")


REFUSED: list[tuple[Callable[[], Any], type[Exception], tuple[str, ...]]] = [
    (
        lambda: static.py_func(np.square, foreign(), made("y")),
        ValueError, ("py_func(): argument 'x' belongs to another Program", "var foreign"),
    ),
    (
        lambda: static.py_func(np.square, made("x"), foreign()),
        ValueError, ("py_func(): argument 'out' belongs to another Program", "program_guard"),
    ),
    (
        lambda: static.setitem(rows(), 0, "abc"),
        TypeError, ("setitem(): Only support to assign an integer, float", "str 'abc'"),
    ),
    (
        lambda: static.setitem(rows(), 0, [1, 2, 3]),
        TypeError, ("np.array(values) for a list", "list [1, 2, 3]"),
    ),
    (
        lambda: static.accuracy(rows(), static.data("l", [2, 1], "int64"), correct="a"),
        TypeError, ("accuracy(): the type of 'correct' is wrong", "Variable or None", "str 'a'"),
    ),
    (
        lambda: static.create_parameter([2], "float32", attr=3),
        TypeError, ("create_parameter(): the type of 'attr'", "ParamAttr or None", "int 3"),
    ),
    (
        lambda: static.create_parameter([2], "float32", default_initializer=3),
        TypeError, ("the type of 'default_initializer'", "Initializer or None", "int 3"),
    ),
    (
        lambda: static.create_global_var([2], "abc", "float32"),
        ValueError, ("create_global_var(): the value is no number", "str 'abc'"),
    ),
    (
        lambda: static.nn.fc(rows(), 2, weight_attr=3.5),
        TypeError, ("attr cannot be a float", "an Initializer or a ParamAttr", "3.5"),
    ),
    (
        lambda: static.nn.fc(rows(), 2, weight_attr=False),
        AssertionError, ("fc_0: the attr of this parameter should not be False", "trainable=False"),
    ),
    (
        lambda: static.nn.batch_norm(rows(), bias_attr=False),
        AssertionError, ("batch_norm_0: the attr of this parameter should not be False",),
    ),
    (lambda: static.nn.fc(rows(), "a"), ValueError, ("fc(): the value of 'size' is wrong", "'a'")),
    (lambda: static.nn.fc(rows(), -2), ValueError, ("fc(): the value of 'size' is wrong", "-2")),
    (lambda: static.nn.fc([], 2), ValueError, ("fc(): there is no input", "at least one", "[]")),
    (
        lambda: static.nn.fc([rows("a"), rows("b")], 2, weight_attr=["u", "v", "w"]),
        ValueError, ("fc(): parameter number mismatch", "each of the 2 inputs", "3 in weight_attr"),
    ),
    (
        lambda: static.nn.conv2d(images(), "6", 3),
        ValueError, ("conv2d(): the value of 'num_filters' is wrong", "'6'"),
    ),
    (
        lambda: static.nn.batch_norm(images(), data_layout="foo"),
        ValueError, ("batch_norm(): unsupported data layout:foo", "'NCHW' or 'NHWC'"),
    ),
    (
        lambda: static.global_scope().var("w").get_tensor().set("abc"),
        TypeError, ("a DenseTensor holds numbers", "str 'abc'"),
    ),
    (
        lambda: static.append_backward(paddle.mean(static.nn.fc(rows(), 1)), no_grad_set=[3]),
        TypeError, ("append_backward(): the type of 'no_grad_set'", "Variable or str", "int 3"),
    ),
    (
        lambda: static.append_backward(paddle.mean(static.nn.fc(rows(), 1)), parameter_list=[3]),
        TypeError, ("append_backward(): the type of 'parameter_list'", "int 3"),
    ),
    (
        lambda: static.Executor().run(scope=3),
        TypeError, ("Executor.run(): the type of 'scope' is wrong", "Scope or None", "int 3"),
    ),
    (
        lambda: static.Executor().plan(scope=3),
        TypeError, ("Executor.plan(): the type of 'scope' is wrong", "int 3"),
    ),
    (
        lambda: static.Print(rows(), first_n="a"),
        TypeError, ("Print(): the type of 'first_n' is wrong", "str 'a'"),
    ),
    (
        lambda: static.Print(rows(), message=3),
        TypeError, ("Print(): the type of 'message' is wrong", "str or None", "int 3"),
    ),
    (
        lambda: static.cpu_places("a"),
        TypeError, ("cpu_places(): the type of 'device_count' is wrong", "int or None", "str 'a'"),
    ),
]  # fmt: skip


@each(("call", "kind", "words"), REFUSED)
def test_a_wrong_argument_is_named(
    call: Callable[[], Any], kind: type[Exception], words: tuple[str, ...]
) -> None:
    with refuses(kind, *words):
        call()


def test_a_dense_tensor_ends() -> None:
    tensor = static.global_scope().var("w").get_tensor()
    tensor.set(np.float32([1, 2]))
    assert [float(np.array(row)[0]) for row in tensor] == [1.0, 2.0]
    with refuses(IndexError, "a DenseTensor has no such row", "shape [2]", "received  2"):
        tensor[2]


def test_layers_start_with_the_global_initializers() -> None:
    initializer.set_global_initializer(initializer.Constant(3.0), initializer.Constant(4.0))
    try:
        static.nn.fc(rows(), 2)
        static.nn.layer_norm(rows("more"))
    finally:
        initializer.set_global_initializer(None)
    filled = [op.attr("value") for op in static.default_startup_program().global_block().ops]
    assert filled == [3.0, 4.0, 3.0, 4.0]


# ----- all or nothing ----------------------------------------------------------------------------


def overwritten() -> tuple[Any, Any]:
    """A gradient that cannot be differentiated again: its way leads over a Variable that two
    operators write."""
    x = rows()
    x.stop_gradient = False
    y = x * x
    (first,) = static.gradients(y, x)
    square = first * first
    paddle.assign(x * 2.0, output=square)
    return paddle.sum(square), x


def test_gradients_add_all_or_nothing() -> None:
    total, x = overwritten()
    program = static.default_main_program()
    before = str(program)
    with refuses(RuntimeError, "which is overwritten"):
        static.gradients(total, x)
    assert str(program) == before


def test_what_a_failed_gradients_added_is_not_told() -> None:
    with viz.record() as trace:
        total, x = overwritten()
        count = len(static.default_main_program().global_block().ops)
        with pytest.raises(RuntimeError):
            static.gradients(total, x)
        x + 1.0
    told = [e.index for e in trace.events if type(e).__name__ == "OperatorAppended"]
    assert told == list(range(count + 1))
