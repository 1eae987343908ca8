"""Calls agree with what `help` says about an op's dtypes and errors."""

import builtins
import inspect
import warnings
from collections.abc import Collection

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine import dtypes
from minipaddle.engine.errors import MinipaddleError
from minipaddle.engine.meta import Meta
from minipaddle.ops import REGISTRY, reference
from minipaddle.ops.op_spec import Op
from tests.each import each

from .drawing import call, draw, flat, like, tensors_of

OPS = [op for op in REGISTRY.values() if op.public is not None and op.inputs and op.samples]


def told(op: Op, dtype: str) -> str:
    """Return the dtype of the result, or the error, according to `help`."""
    kept, given, refused = reference.infer_dtypes(op)
    rows = [*((name, names) for name, names in (given | refused).items()), (dtype, kept)]
    return next(answer for answer, names in rows if dtype in names)


def happens(op: Op, dtype: str) -> str:
    """Return the dtype, or the error, of a call with ones, which integers can be divided by."""
    sample = op.samples[0]._replace(domain=(1.0, 1.0))
    arrays = draw(op, sample)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        row = [a.astype(dtype) if a.dtype.kind in "fc" else a for a in flat(arrays)]
        try:
            return str(call(op, tensors_of(like(arrays, row), stop=True), sample)[0].dtype.name)
        except MinipaddleError as error:
            return reference.kind_of(error)


def misled(op: Op, dtypes_of_interest: Collection[str]) -> list[str]:
    """Return the dtypes for which `help` and a call disagree."""
    return [dtype for dtype in dtypes_of_interest if told(op, dtype) != happens(op, dtype)]


@each("op", OPS, ids=lambda op: op.name)
def test_calls_have_the_dtypes_in_help(op: Op) -> None:
    accepted = [dtype for dtype in dtypes.ALL if told(op, dtype) in dtypes.ALL]
    assert not misled(op, accepted)


def refused(op: Op) -> list[str]:
    """Return the dtypes that `help` says an op refuses."""
    return [dtype for dtype in dtypes.ALL if told(op, dtype) not in dtypes.ALL]


@each("op", OPS, ids=lambda op: op.name)
def test_dtypes_that_help_rejects_raise(op: Op) -> None:
    assert not misled(op, refused(op)), "add checked=True to the record?"


def test_help_names_refused_dtypes() -> None:
    assert sum(len(refused(op)) for op in OPS) > 300


@each("op", OPS, ids=lambda op: op.name)
def test_mistakes_raise_the_errors_in_help(op: Op) -> None:
    sample = op.samples[0]
    good = tensors_of(draw(op, sample, dtype="float32"), stop=True)
    with pytest.raises(ValueError, match=r"must be (a )?Tensor|list of Tensors"):
        op.call(*(["no tensor"] * len(good)), **sample.attrs)
    wide = reference.far_axis_sample(op, sample)
    kind = reference.error_of(op, reference.far_axis_sample)
    if wide is not None and kind is not None:
        with pytest.raises(getattr(builtins, kind)):
            op.call(*good, **wide.attrs)


ERRORS = "Errors: ValueError if x is not a Tensor, if there is no such axis; "
ERRORS += "RuntimeError for complex, bool, uint8, int8, int16."


def test_a_docstring_is_made_of_the_record() -> None:
    assert (paddle.topk.__doc__ or "").splitlines() == [
        "The k largest (or smallest) elements along `axis`, in order, and their positions.",
        "",
        "Shapes: for example x [2, 4], k=2 gives [2, 2] and [2, 2].",
        "Dtypes: floating, int32, int64 kept.",
        ERRORS,
        "Source: Paddle's `paddle.topk`.",
        "",
        ">>> import minipaddle as paddle",
        ">>> values, indices = paddle.topk(paddle.to_tensor([1, 5, 3]), k=2)",
        ">>> values.tolist(), indices.tolist()",
        "([5, 3], [1, 2])",
    ]


def test_a_function_has_a_signature() -> None:
    assert str(inspect.signature(paddle.tanh)) == "(x: 'Any', name=None, *, out=None)"
    assert [*inspect.signature(paddle.add).parameters] == ["x", "y", "name", "alpha", "out"]


def test_help_follows_the_inference_of_an_op() -> None:
    op = REGISTRY["tanh"]
    assert told(op, "int32") == "float32"
    changed = Op(
        "tanh", op.kernel, infer=lambda x: Meta((7,), np.dtype("int8")), samples=op.samples
    )
    assert told(changed, "int32") == "int8"
    assert "gives [7]" in reference.describe_shapes(changed)
