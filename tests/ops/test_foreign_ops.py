"""Records of other frameworks' ops: their rules against finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minipaddle.ops.bound import Forward, Gradient, functions_for, names_read
from minipaddle.ops.foreign_ops import FOREIGN_OPS
from tests.each import each

RNG = np.random.default_rng(3)
WINDOWS = {"stride": (2, 1), "padding": ((1, 1), (0, 0)), "dilation": (1, 1), "groups": 1}
CALLS: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("linear", (RNG.normal(size=(5, 3)), RNG.normal(size=(2, 3)), RNG.normal(size=2)), {}),
    ("linear", (RNG.normal(size=(2, 4, 3)), RNG.normal(size=(2, 3)), RNG.normal(size=2)), {}),
    ("linear", (RNG.normal(size=(5, 3)), RNG.normal(size=(2, 3)), None), {}),
    ("matmul_transposed", (RNG.normal(size=(5, 3)), RNG.normal(size=(2, 3))), {}),
    ("matmul_transposed", (RNG.normal(size=(2, 5, 3)), RNG.normal(size=(2, 4, 3))), {}),
    ("cross_entropy", (RNG.normal(size=(4, 3)), np.array([0, 2, 1, 2])), {}),
    ("mse_loss", (RNG.normal(size=(4, 3)), RNG.normal(size=(4, 3))), {}),
    (
        "conv2d_with_bias",
        (RNG.normal(size=(2, 3, 5, 4)), RNG.normal(size=(4, 3, 3, 2)), RNG.normal(size=4)),
        WINDOWS,
    ),
)


def gradients(name: str, arrays: tuple[Any, ...], attrs: dict[str, Any], dout: Any) -> list[Any]:
    """Return the gradients of all floating inputs by the op's rule."""
    op = FOREIGN_OPS[name]
    known = dict(zip(op.inputs, arrays, strict=True))
    needs = [array is not None and array.dtype.kind == "f" for array in arrays]
    rule = Gradient(op, attrs, names_read(op), needs)
    values = (*(known[each] for each in names_read(op)), dout)
    return rule.before_sums(functions_for([dout]), values)


@each("name, arrays, attrs", CALLS)
def test_a_rule_agrees_with_finite_differences(
    name: str, arrays: tuple[Any, ...], attrs: dict[str, Any]
) -> None:
    forward = Forward(FOREIGN_OPS[name], attrs)
    (out,) = forward(*arrays)
    dout = RNG.normal(size=out.shape)
    grads = gradients(name, arrays, attrs, dout)
    for at, array in enumerate(arrays):
        if array is None or array.dtype.kind != "f":
            continue
        way = RNG.normal(size=array.shape)
        moved = [
            forward(*(x if k != at else x + step * way for k, x in enumerate(arrays)))[0]
            for step in (1e-6, -1e-6)
        ]
        slope = float(np.sum(dout * (moved[0] - moved[1])) / 2e-6)
        assert float(np.sum(grads[at] * way)) == pytest.approx(slope, rel=1e-5)


def test_each_record_has_a_case() -> None:
    assert {name for name, *_ in CALLS} == set(FOREIGN_OPS)
