"""Windows: which see an element, and sizes that only a run knows."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minipaddle as paddle
from minipaddle.engine import errors
from minipaddle.ops.networks.windows import overlap
from tests.static.world import fresh

F = paddle.nn.functional
RNG = np.random.default_rng(0)


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape)


# ----- geometry ----------------------------------------------------------------------------------


@given(st.integers(-6, 6), st.integers(0, 9), st.integers(0, 7), st.integers(1, 3))
def test_overlap_names_the_windows_that_see_an_element(
    offset: int, n: int, out: int, stride: int
) -> None:
    here, there = overlap(offset, n, out, stride)
    wanted = [o for o in range(out) if 0 <= o * stride + offset < n]
    assert list(range(out))[here] == wanted
    assert list(range(n))[there] == [o * stride + offset for o in wanted]


# ----- values ------------------------------------------------------------------------------------


def test_a_program_takes_sizes_that_only_the_run_knows() -> None:
    """With unknown height and width, values and first derivatives equal those of dynamic mode."""
    x, w = normal(2, 3, 7, 6).astype("float32"), normal(4, 3, 3, 3).astype("float32")

    def calls(x: Any, w: Any) -> list[Any]:
        y = F.conv2d(x, w, stride=2, padding="SAME")
        return [
            y,
            F.max_pool2d(y, 2),
            F.adaptive_avg_pool2d(x, 2),
            F.pad(x, [1, 1, 2, 0], "reflect"),
        ]

    with fresh():
        images = paddle.static.data("x", [None, 3, None, None])
        images.stop_gradient = False
        outs = calls(images, paddle.to_tensor(w))
        assert [list(o.shape[:2]) for o in outs] == [[-1, 4], [-1, 4], [-1, 3], [-1, 3]]
        grads = paddle.static.gradients([o.sum() for o in outs], [images])
        found = paddle.static.Executor().run(feed={"x": x}, fetch_list=[*outs, *grads])
    eager = paddle.to_tensor(x, stop_gradient=False)
    values = calls(eager, paddle.to_tensor(w))
    paddle.autograd.backward([v.sum() for v in values])
    for got, wanted in zip(found, [*values, eager.grad], strict=True):
        np.testing.assert_allclose(got, wanted.numpy(), rtol=1e-5, atol=1e-6)


# ----- errors ------------------------------------------------------------------------------------


def test_a_second_derivative_needs_sizes_only_with_a_stride() -> None:
    w = paddle.to_tensor(normal(2, 1, 3, 3))
    for stride in (1, 2):
        with fresh():
            x = paddle.static.data("x", [None, 1, None, None], "float64")
            x.stop_gradient = False
            y = F.conv2d(x, w, stride=stride)
            (dx,) = paddle.static.gradients([(y * y).sum()], [x])
            if stride == 1:
                assert len(paddle.static.gradients([(dx * dx).sum()], [x])) == 1
                continue
            with pytest.raises(errors.Unimplemented, match="needs to know the size of the image"):
                paddle.static.gradients([(dx * dx).sum()], [x])


@pytest.mark.parametrize("adaptive", [False, True])
def test_windows_of_one_element_give_a_copy(adaptive: bool) -> None:
    x = paddle.to_tensor(normal(1, 1, 2, 3))
    for kind in ("max", "avg"):
        if adaptive:
            out = getattr(F, f"adaptive_{kind}_pool2d")(x, [2, 3])
        else:
            out = getattr(F, f"{kind}_pool2d")(x, 1)
        np.testing.assert_array_equal(out.numpy(), x.numpy())
        before = x.numpy()
        out.zero_()
        np.testing.assert_array_equal(x.numpy(), before)
