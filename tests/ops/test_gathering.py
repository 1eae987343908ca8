"""put_along_axis of integers, sizes in Programs, samples of unknown size."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.ops import REGISTRY, Op, Sample
from tests.each import each
from tests.static.world import data, fresh

from .drawing import attrs_of, draw, inferred, kernel, metas_of

X = np.arange(12, dtype="float32").reshape(3, 4)


def tensor(*args: Any) -> Any:
    return paddle.to_tensor(*args)


@each("reduce", ["amin", "amax", "mean", "add", "mul"])
def test_put_along_axis_reduces_integers(reduce: str) -> None:
    x, at, values = tensor([5, 6, 7]), tensor([1, 1]), tensor([2, 9])
    wanted = {"amin": 2, "amax": 9, "mean": 5, "add": 11, "mul": 18}[reduce]
    found = paddle.put_along_axis(x, at, values, 0, reduce, include_self=False)
    assert (found.tolist(), found.dtype) == ([5, wanted, 7], paddle.int64)


# ----- sizes that values decide -------------------------------------------------------------------


def open_samples(op: Op) -> list[Sample]:
    """Return samples with known input sizes and some unknown result size."""
    unsettled = []
    for sample in () if op.random else op.samples:
        told = inferred(op, metas_of(draw(op, sample)), attrs_of(op, sample))
        if any(-1 in meta.shape for meta in told):
            unsettled.append(sample)
    return unsettled


OPEN = [
    pytest.param(op, rows, id=op.name) for op in REGISTRY.values() if (rows := open_samples(op))
]


@each(("op", "samples"), OPEN)
def test_a_size_is_unknown_only_if_values_decide_it(op: Op, samples: list[Sample]) -> None:
    """Other values of inputs of the same shapes give other sizes."""
    varied = [
        {kernel(op, draw(op, sample, seed), sample)[0].shape for seed in range(30)}
        for sample in samples
    ]
    assert max(map(len, varied)) > 1


def test_the_number_of_coordinates_must_be_known() -> None:
    with fresh(), pytest.raises(ValueError, match="size of axis -1 of index must be known"):
        paddle.gather_nd(data("x", [3, 4]), data("i", [2, -1], "int64"))
