"""The dtype of an op of two tensors: the laws of its rules, and the error for other pairs."""

from itertools import product

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine.dtypes import ALL
from minipaddle.engine.meta import Meta
from minipaddle.engine.promotion import floats_widen, zero_d_is_a_number, zero_d_widens
from minipaddle.ops import REGISTRY
from tests.contract.refusal import refused, refuses
from tests.each import each
from tests.static.world import fresh

RULES = [floats_widen, zero_d_is_a_number, zero_d_widens]
RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
PAIRS = each(("a", "b"), list(product(ALL, ALL)))


def metas(a: str, b: str, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[Meta, Meta]:
    return Meta(left, np.dtype(a)), Meta(right, np.dtype(b))


@PAIRS
def test_larger_tensors_mix_as_floats_or_beside_complex_numbers(a: str, b: str) -> None:
    x, y = metas(a, b, (2,), (1,))
    kinds = {x.dtype.kind, y.dtype.kind}
    for rule in RULES:
        wide = rule(x, y)
        assert wide == rule(y, x)
        if a == b:
            assert wide == x.dtype
        elif kinds == {"f"} or kinds == {"f", "c"} or kinds == {"c"}:
            assert wide == np.promote_types(x.dtype, y.dtype)
        elif "c" in kinds:
            assert wide == (x.dtype if x.dtype.kind == "c" else y.dtype)
        else:
            assert wide is None


@PAIRS
def test_a_0_d_tensor_counts_as_a_number(a: str, b: str) -> None:
    large, number = metas(a, b, (2,), ())
    met = zero_d_is_a_number(large, number)
    assert met is not None
    assert met == zero_d_is_a_number(number, large)
    assert RANK[met.kind] == max(RANK[large.dtype.kind], RANK[number.dtype.kind])
    if RANK[large.dtype.kind] == RANK[number.dtype.kind]:
        assert met == large.dtype


@PAIRS
def test_two_0_d_tensors_mix_in_any_dtypes(a: str, b: str) -> None:
    x, y = metas(a, b, (), ())
    assert zero_d_is_a_number(x, y) == zero_d_is_a_number(y, x) == zero_d_widens(x, y)
    assert floats_widen(x, y) == floats_widen(*metas(a, b, (2,), (2,)))


@each("rule", RULES)
def test_some_op_has_each_rule(rule: object) -> None:
    assert any(op.promotes is rule for op in REGISTRY.values())


def test_dtypes_that_do_not_mix_are_errors_in_both_modes() -> None:
    words = "received  x int64 [2] and y float32 [1]", "cast x.astype('float32')\n"
    with refuses(TypeError, *words):
        paddle.ones([2], "int64") + paddle.ones([1])
    with refuses(TypeError, "cast y.astype('float32')\n"):  # the cast that loses nothing
        paddle.ones([2]) * paddle.ones([2], "bool")
    with fresh():
        x, y = paddle.static.data("x", [2], "int64"), paddle.static.data("y", [1], "float32")
        with refuses(TypeError, *words):
            x + y


@each("name", ["maximum", "minimum", "fmax", "fmin", "heaviside"])
@each("dtype", ["bool", "complex64"])
def test_dtypes_without_an_order_are_errors_in_both_modes(name: str, dtype: str) -> None:
    x = paddle.ones([2], dtype)
    refused(getattr(paddle, name), RuntimeError, x, x)
    with fresh():
        v = paddle.static.data("v", [2], dtype)
        refused(getattr(paddle, name), RuntimeError, v, v)


def test_a_numpy_number_that_loses_its_fraction_gives_a_warning() -> None:
    x = paddle.to_tensor([2, 5])
    with pytest.warns(UserWarning, match=r"np.float32\(2.5\) beside a tensor of int64 is 2"):
        assert (x * np.float32(2.5)).tolist() == [4, 10]
    assert (x * np.float32(2.0)).dtype == paddle.int64
    assert (x * 2.5).tolist() == [5.0, 12.5]
    assert np.isnan((x * np.float32("nan")).numpy()).all()
