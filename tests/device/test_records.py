"""Every record on the strict stand-in: the same bits as on the host, and all of them stay there.

Forward, first and second derivative, and the same in a Program. A kernel or a rule that goes
through the host's memory, or uses what CuPy does not have, raises here.
"""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine import errors
from minipaddle.ops import REGISTRY
from tests.each import each
from tests.ops.drawing import call, draw, flat, like, sampled, tensors_of
from tests.static.test_same_as_eager import statically

from .worlds import running_on

SAMPLES = [pytest.param(op, sample, id=name) for op, sample, name in sampled()]
RANDOM = [pytest.param(op, sample, id=name) for op, sample, name in sampled(random=True)]
FIRST = [pytest.param(op, op.samples[0], id=op.name) for op in REGISTRY.values() if not op.random]
ON_ALL = ("copy_to",)  # they say themselves where the result is


def weighed(tensors: list[Any]) -> list[Any]:
    """A random weight for each tensor, so that no gradient vanishes."""
    rng = np.random.default_rng(2)
    return [
        paddle.to_tensor(np.asarray(rng.normal(size=t.shape)), t.dtype, place=t.place)
        for t in tensors
    ]


def derived(op: Any, tensors: list[Any], outs: list[Any]) -> list[Any]:
    """The first and the second derivatives of the outputs."""
    sources = [t for t in flat(tensors) if not t.stop_gradient]
    targets = [out for out in outs if not out.stop_gradient]
    if op.rule is None or not sources or not targets:
        return []
    options: Any = {"allow_unused": True}
    first = paddle.grad(targets, sources, weighed(targets), create_graph=True, **options)
    again = [g * g for g in first if g is not None and not g.stop_gradient]
    return first + (paddle.grad(again, sources, weighed(again), **options) if again else [])


def results(op: Any, sample: Any, arrays: list[Any], where: str) -> list[Any]:
    """Outputs and derivatives as NumPy arrays, after making sure where they were."""
    paddle.seed(5)
    tensors = tensors_of(arrays)
    outs = call(op, tensors, sample)
    computed = [*outs, *derived(op, tensors, outs)]
    if op.name not in ON_ALL:
        assert {str(t.place) for t in computed if t is not None} <= {f"Place({where})"}
    return [None if t is None else t.numpy() for t in computed]


def same(left: list[Any], right: list[Any]) -> None:
    assert len(left) == len(right)
    for a, b in zip(left, right, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_array_equal(a, b)


@each(("op", "sample"), [*SAMPLES, *RANDOM], quick=200)
def test_a_record_gives_the_same_bits_on_the_device(op: Any, sample: Any) -> None:
    arrays = draw(op, sample, dtype="float32")
    on_host = results(op, sample, arrays, "cpu")
    with running_on("strict"):
        same(on_host, results(op, sample, arrays, "gpu:0"))


def outcome(op: Any, sample: Any, arrays: list[Any], where: str) -> Any:
    """The results, or the error."""
    try:
        return results(op, sample, arrays, where)
    except errors.MinipaddleError as error:
        return error


def told(outcome: Any) -> str:
    """An error by its class, with its text for the report; results as such."""
    return f"{type(outcome).__name__}: {outcome}" if isinstance(outcome, Exception) else "results"


@each("kind", ["int64", "int32", "bool", "float16"])
@each(("op", "sample"), [one for one in FIRST if one.values[0].inputs], quick=200)
def test_other_dtypes_do_the_same_on_the_device(op: Any, sample: Any, kind: str) -> None:
    """The same bits, or the same refusal."""
    arrays = draw(op, sample)
    row = [a if a.dtype.kind == "i" else (np.abs(a) + 1).astype(kind) for a in flat(arrays)]
    arrays = like(arrays, row)
    on_host = outcome(op, sample, arrays, "cpu")
    with running_on("strict"):
        on_device = outcome(op, sample, arrays, "gpu:0")
    if isinstance(on_host, list) and isinstance(on_device, list):
        same(on_host, on_device)
    else:
        assert told(on_device) == told(on_host)


@each(("op", "sample"), FIRST, quick=100)
def test_a_program_gives_the_same_bits_on_the_device(op: Any, sample: Any) -> None:
    arrays = draw(op, sample, dtype="float32")
    outs, grads = statically(op, sample, arrays, op.rule is not None)
    with running_on("strict"):
        more_outs, more_grads = statically(op, sample, arrays, op.rule is not None)
    same([*outs, *grads], [*more_outs, *more_grads])
