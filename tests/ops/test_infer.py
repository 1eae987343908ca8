"""Inference gives shape and dtype of a result in advance, also with unknown sizes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minipaddle.engine import errors
from minipaddle.engine.meta import Meta, axis_of
from minipaddle.ops import REGISTRY, Op, Sample
from tests.contract.refusal import refuses
from tests.each import each

from .drawing import (
    attrs_of,
    call,
    consistent,
    draw,
    fits,
    flat,
    inferred,
    kernel,
    like,
    metas_of,
    tensors_of,
)
from .drawing import sampled as every_sample

SAMPLES = [pytest.param(op, sample, id=name) for op, sample, name in every_sample()]
# squeeze guesses, as Paddle does: test_squeeze_guesses_an_unknown_size.
WITH_INPUTS = [
    (op, sample) for op, sample, _ in every_sample() if op.inputs and op.name != "squeeze"
]

# ----- known sizes -------------------------------------------------------------------------------


@each(("op", "sample"), SAMPLES, per="op", quick=2)
@each("dtype", ["float32", "float64"])
def test_inference_agrees_with_the_kernel(op: Op, sample: Sample, dtype: str) -> None:
    arrays = draw(op, sample, dtype=dtype)
    outs = kernel(op, arrays, sample)
    told = inferred(op, metas_of(arrays), attrs_of(op, sample))
    assert len(told) == len(outs)
    for meta, out in zip(told, outs, strict=True):
        assert fits(meta, out), f"{meta} was told, not {out.dtype} {out.shape}"


INTEGERS = [
    pytest.param(op, sample, kind, id=f"{name}-{kind}")
    for op, sample, name in every_sample()
    if op.inputs and not sample.ints
    for kind in ("int32", "int64", "uint8", "bool", "float16")
]


@each(("op", "sample", "kind"), INTEGERS)
def test_a_result_has_the_inferred_dtype_for_every_input_dtype(
    op: Op, sample: Sample, kind: str
) -> None:
    """The call casts to the inferred dtype if NumPy chooses another one."""
    arrays = like(sample.shapes, [np.abs(a) + 1 for a in flat(draw(op, sample))])
    arrays = like(arrays, [a.astype(kind) for a in flat(arrays)])
    try:
        told = inferred(op, metas_of(arrays), attrs_of(op, sample))
        outs = call(op, tensors_of(arrays), sample)
    except errors.MinipaddleError as error:
        # Some kinds have no such op.
        assert op.name.removeprefix("softmax_with_") in str(error)  # noqa: PT017
        return
    assert all(fits(meta, out._data) for meta, out in zip(told, outs, strict=True))


RANDOM = [pytest.param(op, sample, id=name) for op, sample, name in every_sample(random=True)]


@each(("op", "sample"), RANDOM)
def test_random_ops_infer_shape_and_dtype(op: Op, sample: Sample) -> None:
    arrays = draw(op, sample, dtype="float32")
    outs = call(op, tensors_of(arrays), sample)
    told = inferred(op, metas_of(arrays), attrs_of(op, sample))
    assert all(fits(meta, out._data) for meta, out in zip(told, outs, strict=True))


# ----- sizes not yet known -----------------------------------------------------------------------


@each(("op", "sample"), WITH_INPUTS)
def test_an_unknown_size_never_leads_to_a_wrong_one(op: Op, sample: Sample) -> None:
    """First each size alone is unknown, then all sizes are."""
    metas = metas_of(draw(op, sample, dtype="float32"))
    attrs = attrs_of(op, sample)
    known, row = inferred(op, metas, attrs), flat_metas(metas)
    sizes = [(i, axis) for i, meta in enumerate(row) for axis in range(len(meta.shape))]
    for unknown in [*({one} for one in sizes), set(sizes)]:
        shapes = [
            tuple(-1 if (i, axis) in unknown else n for axis, n in enumerate(meta.shape))
            for i, meta in enumerate(row)
        ]
        guessed = [Meta(shape, meta.dtype) for shape, meta in zip(shapes, row, strict=True)]
        check_guess(op, known, like(metas, guessed), attrs)


def check_guess(op: Op, known: list[Meta], metas: list[Any], attrs: dict[str, Any]) -> None:
    """Compare inference for inputs with unknown sizes with that for known ones."""
    try:
        told = inferred(op, metas, attrs)
    except errors.InvalidArgument as error:  # the size decides the rank or the number of results
        assert "must be known" in str(error)  # noqa: PT017
        return
    if not op.list_result:  # the unknown size may decide the number of slices
        assert len(told) == len(known)
    for right, guess in zip(known, told, strict=False):
        assert guess.dtype == right.dtype
        assert consistent(right.shape, guess.shape), f"{metas} gave {guess}, not {right}"


def flat_metas(metas: list[Any]) -> list[Meta]:
    return [m for item in metas for m in ([item] if isinstance(item, Meta) else item or [])]


@settings(max_examples=60)
@given(st.sampled_from([op for op, _ in WITH_INPUTS if op.broadcasts]), st.integers(1, 9))
def test_an_unknown_batch_stays_unknown_through_elementwise_ops(op: Op, columns: int) -> None:
    x = Meta((-1, columns), np.dtype("int64" if op.samples[0].ints else "float32"))
    told = inferred(op, [x] * len(op.inputs), {})[0]
    assert told.shape == (-1, columns)


def test_squeeze_guesses_an_unknown_size() -> None:
    """The size of a named axis is 1, of others not (real Paddle 3.3.1, legacy static)."""
    squeeze, x = REGISTRY["squeeze"], Meta((-1, 1, 3), np.dtype("float32"))
    shapes = [inferred(squeeze, [x], {"axis": axis})[0].shape for axis in (None, 0, 1)]
    assert shapes == [(-1, 3), (1, 3), (-1, 3)]


# ----- the helpers -------------------------------------------------------------------------------


def test_an_axis_out_of_range_is_an_error_with_the_range() -> None:
    x = Meta((2, 3), np.dtype("float32"))
    with refuses(
        errors.InvalidArgument, "softmax()", "[-2, 2) for x float32 [2, 3]", "received  2"
    ):
        axis_of("softmax", x, 2)
