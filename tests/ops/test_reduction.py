"""Reductions over any axes are NumPy's."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from minipaddle.engine import errors
from tests.contract.refusal import refused
from tests.each import each

SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=4)
FLOATS = arrays.arrays(np.float64, SHAPES, elements=st.floats(-3, 3).map(lambda v: round(v, 2)))

NUMPYS: dict[str, Any] = {
    "sum": np.sum, "mean": np.mean, "prod": np.prod, "max": np.max, "min": np.min, "amax": np.max,
    "amin": np.min, "all": np.all, "any": np.any, "count_nonzero": np.count_nonzero,
    "nansum": np.nansum, "nanmean": np.nanmean, "logsumexp": lambda x, **how: np.log(
        np.sum(np.exp(x), **how)),
}  # fmt: skip


@given(st.sampled_from(sorted(NUMPYS)), FLOATS, st.data())
def test_values_are_numpys_over_any_axes(name: str, x: Any, data: Any) -> None:
    axes = st.lists(st.integers(0, max(x.ndim - 1, 0)), max_size=x.ndim, unique=True)
    axis = tuple(a - x.ndim * data.draw(st.booleans()) for a in data.draw(axes))
    keepdim = data.draw(st.booleans())
    found = getattr(paddle, name)(paddle.to_tensor(x), axis=axis, keepdim=keepdim)
    wanted = NUMPYS[name](x, axis=axis or None, keepdims=keepdim)
    assert found.shape == list(np.shape(wanted))
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-12, atol=1e-12)


# ----- errors ------------------------------------------------------------------------------------


@each("name", ["max", "min", "amax", "amin", "argmax", "argmin"])
def test_nothing_has_no_extreme(name: str) -> None:
    call = getattr(paddle, name)
    refused(lambda: call(paddle.zeros([2, 0]), axis=1), errors.InvalidArgument)
    assert call(paddle.zeros([0, 2]), axis=1).shape == [0]
