"""Operators: which dtypes meet, what comes out, and which errors they raise."""

import operator
from functools import partial

import numpy as np

from ..harness import builtin_class, case

DTYPES = ["bool", "int32", "int64", "float32", "float64"]


def filled(paddle, dtype, values=(1, 0, 1)):
    return paddle.to_tensor(np.array(values).astype(dtype))


def outcome(call):
    """Say which dtype a call gives, or which error."""
    try:
        return str(call().dtype).removeprefix("paddle.")
    except (TypeError, ValueError, RuntimeError, NotImplementedError) as error:
        return builtin_class(error)


def table(paddle, operation, rights):
    """Write a line for each left dtype: its outcome with each right operand."""
    lines = []
    for dtype in DTYPES:
        left = filled(paddle, dtype)
        outcomes = [outcome(partial(operation, left, right)) for right in rights]
        lines.append(" ".join([dtype, *outcomes]))
    return lines


@case
def half_precision(paddle, show):
    half = filled(paddle, "float16")
    show("with wider", [outcome(lambda d=d: half + filled(paddle, d)) for d in DTYPES])
    show("with numbers", [outcome(lambda n=n: half * n) for n in (2, 0.5)])


@case(differs="float16 tensors add, too: real Paddle has no such kernel for a CPU")
def half_precision_plus_itself(paddle, show):
    half = filled(paddle, "float16")
    show("sum", half + half)


@case
def tensor_less_than_tensor(paddle, show):
    show("dtypes", table(paddle, operator.lt, [filled(paddle, d) for d in DTYPES]))


@case
def unary_operators(paddle, show):
    x = paddle.to_tensor([-1.5, 2.0])
    show("values", [-x, abs(x), x**2, x**0.5])
    flags = paddle.to_tensor([True, False])
    show("logic", [~flags, flags & ~flags, flags | ~flags, flags ^ flags])


@case
def comparisons(paddle, show):
    x, y = paddle.to_tensor([1.0, 2.0, 3.0]), paddle.to_tensor([2.0, 2.0, 2.0])
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        show(name, getattr(operator, name)(x, y))


@case
def division_by_zero(paddle, show):
    n = paddle.to_tensor([1, 2])
    show("integers", n / paddle.to_tensor([0, 1]))
    show("floats", paddle.to_tensor([1.0, -1.0, 0.0]) / 0.0)
    try:
        n // paddle.to_tensor([0, 1])
    except Exception:  # noqa: BLE001  (real Paddle's class is none of Python's)
        show("floor refused", True)


@case
def integers_wrap(paddle, show):
    show("uint8", filled(paddle, "uint8", [200]) + filled(paddle, "uint8", [100]))
    show("int32", filled(paddle, "int32", [2**31 - 1]) + 1)


@case
def operand_errors(paddle, show):
    x = paddle.to_tensor([1.0, 2.0])
    show.raises("shapes", lambda: x + paddle.ones([3]))
    show.raises("None", lambda: x + None)
    show.raises("list", lambda: operator.add(x, [1]))
    show.raises("number for a tensor", lambda: paddle.add(x, 2.0))
    flags = paddle.to_tensor([True])
    show.raises("bool minus bool", lambda: flags - flags)


@case
def matmul_shapes(paddle, show):
    matrix, vector = paddle.ones([2, 3]), paddle.ones([3])
    show("matrix vector", matrix @ vector)
    show("vector vector", vector @ vector)
    show("batch", (paddle.ones([4, 1, 2, 3]) @ paddle.ones([5, 3, 2])).shape)
    show("integers", paddle.to_tensor([[1, 2]]) @ paddle.to_tensor([[3], [4]]))
    show.raises("shapes", lambda: matrix @ matrix)
    show.raises("dtypes", lambda: paddle.matmul(matrix, paddle.ones([3, 2], "float64")))


@case
def reduction_dtypes(paddle, show):
    for name in ("sum", "mean", "max", "prod"):
        reduce = getattr(paddle, name)
        numbers = [filled(paddle, dtype) for dtype in DTYPES if dtype != "bool"]
        show(name, [outcome(partial(reduce, x)) for x in numbers])
    show("sum of bool", outcome(lambda: paddle.sum(filled(paddle, "bool"))))
    show("integer mean", paddle.mean(paddle.to_tensor([1, 2])))
    show("empty sum", paddle.sum(paddle.zeros([0])))
    show("empty mean", paddle.mean(paddle.zeros([0])))
    show.raises("empty max", lambda: paddle.max(paddle.zeros([0])))
