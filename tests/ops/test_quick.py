"""Fast versions give the same as their reference, bit for bit."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from minipaddle.engine import dispatch
from minipaddle.engine.tensor import Tensor
from minipaddle.ops import REGISTRY, Op, Sample
from minipaddle.ops.indexing.join_at import add_at, add_to_zeros
from minipaddle.ops.networks.activations import max_along
from tests.each import each

from .drawing import attrs_of, draw, sampled, tensors_of

CALLS = [pytest.param(op, sample, id=name) for op, sample, name in sampled()]
BATCH_NORM, LAYER_NORM = REGISTRY["batch_norm"], REGISTRY["layer_norm"]


def shown(result: Any) -> list[Any]:
    """Return values, dtypes, shapes, and the kind of each tensor's node."""
    rows = result if isinstance(result, (list, tuple)) else (result,)
    return [
        (t._data.tobytes(), t._data.dtype, t._data.shape, bool(t._stop), type(t._node))
        for t in rows
    ]


@each(("op", "sample"), CALLS, per="op", quick=2)
@each("stop", [True, False])
def test_a_quick_call_equals_the_reference(op: Op, sample: Sample, stop: bool) -> None:
    inputs = tuple(tensors_of(draw(op, sample, seed=3), stop=stop))
    attrs = attrs_of(op, sample)
    quick = op.plain(op, inputs, attrs)
    assert shown(quick) == shown(dispatch.reference(op, inputs, attrs))


@each("op", [BATCH_NORM, LAYER_NORM], ids=lambda op: op.name)
@each("given", [(1, 0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 1)])
def test_a_fused_rule_equals_the_rule_when_gradients_are_missing(op: Op, given: Any) -> None:
    rng = np.random.default_rng(11)
    sample = op.samples[0]
    arrays = draw(op, sample)
    outs = op.kernel(np, *arrays, **attrs_of(op, sample))
    names = [slot for slot, out in enumerate(op.outputs) if out not in op.stopped]
    douts = [
        rng.normal(size=outs[slot].shape) if there else None
        for slot, there in zip(names, given, strict=True)
    ]
    saved = op.save(tuple(map(Tensor, arrays)), outs)
    bare = [value._data if isinstance(value, Tensor) else value for value in saved]
    extra = {key: attrs_of(op, sample)[key] for key in op.rule_extra}
    F = op.node_class.F
    assert op.rule is not None
    assert op.fused_rule is not None
    needs = [True] * len(arrays)
    plain = op.rule(F, *douts, *bare, needs=needs, **extra)
    fused = op.fused_rule(F, *douts, *bare, needs=needs, **extra)
    assert [a.tobytes() for a in plain] == [a.tobytes() for a in fused]


def test_a_fused_rule_takes_the_arguments_of_the_rule() -> None:
    op = Op("doubled", lambda xp, x: xp.add(x, x), infer=lambda x: x)
    op.kernel = REGISTRY["tanh"].kernel
    op.grad(lambda F, dout: dout * 2.0)
    op.fused(lambda F, dy: dy * 2.0)
    with pytest.raises(TypeError, match="doubled: the fused rule must take what the rule takes"):
        op.check_rule()


# ----- rows --------------------------------------------------------------------------------------


def few(rng: Any, count: int) -> Any:
    return np.minimum(rng.zipf(1.5, count) - 1, 49)


def many(rng: Any, count: int) -> Any:
    return rng.integers(-50, 50, count)


@each("draw_numbers", [few, many])
@each("shape", [(0,), (7,), (70,), (400,), (20, 30)])
@each("width", [(3,), (2, 2), (0,)])
@each("dtype", ["float32", "float64", "float16", "complex64", "int64", "int8"])
def test_rows_are_added_in_their_order(
    draw_numbers: Callable[..., Any], shape: Any, width: Any, dtype: str
) -> None:
    rng = np.random.default_rng(5)
    numbers = draw_numbers(rng, int(np.prod(shape))).reshape(shape)
    rows = (4 * rng.normal(size=(*shape, *width))).astype(dtype)
    if rows.dtype.kind in "fc":
        rows[rng.random(rows.shape) < 0.3] = -0.0  # -0.0 + 0.0 is 0.0
    for sums in (np.zeros((50, *width), dtype), rng.normal(size=(50, *width)).astype(dtype)):
        expected = added_one_by_one(sums, numbers, rows)
        add_at(np, sums, numbers, rows)
        assert sums.tobytes() == expected.tobytes()


@each("draw_numbers", [few, many])
@each("count", [65, 90, 400])
@each("table", [50, 300, 700, 8000])
@each("dtype", ["float32", "float64", "float16", "complex64", "int64", "int8"])
def test_rows_added_to_zeros_equal_a_loop(
    draw_numbers: Callable[..., Any], count: int, table: int, dtype: str
) -> None:
    rng = np.random.default_rng(count)
    numbers = draw_numbers(rng, count)
    rows = (4 * rng.normal(size=(count, 3))).astype(dtype)
    if rows.dtype.kind in "fc":
        rows[rng.random(rows.shape) < 0.3] = -0.0
    expected = added_one_by_one(np.zeros((table, 3), dtype), numbers, rows)
    found = add_to_zeros(np, (table, 3), numbers, rows)
    assert found.dtype == dtype
    assert found.tobytes() == expected.tobytes()
    across = add_to_zeros(np, (3, table), (slice(None), numbers), rows.T)
    assert across.tobytes() == expected.T.tobytes()


def added_one_by_one(sums: Any, numbers: Any, rows: Any) -> Any:
    sums = sums.copy()
    rows = rows.reshape(numbers.size, *sums.shape[1:])
    for number, row in zip(numbers.reshape(-1), rows, strict=True):
        sums[number] += row
    return sums


def test_rows_are_added_to_an_array_whose_rows_lie_apart() -> None:
    rows = np.ones((4, 100), "float32").T
    wide = np.zeros((50, 8), "float32")
    add_at(np, wide[:, ::2], np.arange(100) % 25, rows)
    assert wide[:, ::2].tolist() == [[4.0] * 4] * 25 + [[0.0] * 4] * 25


@each("number", [50, -51])
@each("count", [1, 70, 100])
def test_a_missing_row_is_an_error(number: int, count: int) -> None:
    with pytest.raises(IndexError):
        add_at(np, np.zeros((50, 2)), np.full(count, number), np.ones((count, 2)))
    with pytest.raises(IndexError):
        add_to_zeros(np, (50, 2), np.full(count, number), np.ones((count, 2)))


@each("size", [1, 2, 17, 64, 1000])
@each("rows", [4, 40, 3000])
def test_the_largest_of_each_row_equals_numpys(size: int, rows: int) -> None:
    x = np.random.default_rng(size).normal(size=(3, rows, size)).astype("float32")
    x[1, 2, size // 2], x[0, 0, -1], x[2, 3] = np.nan, np.inf, -np.inf
    for axis in (0, 1, 2, -1):
        expected = x.max(axis=axis, keepdims=True)
        assert max_along(np, x, axis).tobytes() == expected.tobytes()
