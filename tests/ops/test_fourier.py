"""`paddle.fft` in Programs and under what-if.

Values, gradients and errors are compared with real Paddle's in `tests/oracle/cases/fourier.py`.
"""

from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from tests.contract.refusal import refuses
from tests.each import each
from tests.static.world import data, fresh

X = np.random.default_rng(0).normal(size=(3, 4)).astype("float32")
NAMES = [f"{h}fft{n}" for h in ("", "i", "r", "ir", "h", "ih") for n in ("", "2", "n")]


def loss_of(name: str, x: Any) -> Any:
    """Return a number that depends on a transform of x, which is cut and padded first."""
    sizes = {"n": 5, "axis": 0} if name[-1] == "t" else {"s": [2, 7], "axes": [0, 1]}
    out = getattr(paddle.fft, name)(x * x, **sizes)
    return (paddle.fft.fftshift(out, 0)[1:].abs() ** 3).sum()


def recorded(name: str, values: Any) -> viz.Trace:
    x = paddle.to_tensor(values, stop_gradient=False)
    with viz.record() as trace:
        loss_of(name, x).backward()
    return trace


@each("name", NAMES)
def test_a_program_and_what_if_compute_the_same(name: str) -> None:
    x = paddle.to_tensor(X, stop_gradient=False)
    loss = loss_of(name, x)
    (slope,) = paddle.grad(loss, x, create_graph=True)
    slope.square().sum().backward()
    with fresh():
        v = data("v", [3, 4], needs=True)
        again = loss_of(name, v)
        first: Any = paddle.static.gradients(again, v)[0]
        second = paddle.static.gradients(first.square().sum(), v)[0]
        row = paddle.static.Executor().run(feed={"v": X}, fetch_list=[again, first, second])
    for found, expected in zip(row, (loss, slope, x.grad), strict=True):
        np.testing.assert_array_equal(found, expected.numpy())

    changed = recorded(name, X + 1.0).what_if({"x": X})
    assert not changed.stale()
    assert changed.text() == recorded(name, X).text()


def test_sizes_are_known_where_they_are_cut_or_rolled() -> None:
    with fresh():
        v = data("v", [-1, 4])
        assert [*paddle.fft.rfft2(v).shape, *paddle.fft.irfft(v, n=5).shape] == [-1, 3, -1, 5]
        with refuses(InvalidArgument, "fft(): the size of axis 0 of x must be known"):
            paddle.fft.fft(v, n=3, axis=0)
        with refuses(InvalidArgument, "fftshift(): the size of axis 0 of x must be known"):
            paddle.fft.fftshift(v)


def test_ints_and_negative_axes_are_fine_and_wrong_axes_are_not() -> None:
    x = paddle.to_tensor(X)
    assert paddle.fft.irfft(paddle.to_tensor([4, 0, 0])).tolist() == [1.0] * 4
    assert paddle.fft.fftshift(x, [-1]).equal_all(paddle.roll(x, 2, 1))
    with refuses(InvalidArgument, "axis does not fit", "expected  an int"):
        paddle.fft.fft(x, axis=[1])
    with refuses(InvalidArgument, "axes does not fit", "expected  a list of 2 ints"):
        paddle.fft.fft2(x, axes=[0])
    with refuses(InvalidArgument, "axes does not fit", "each axis once"):
        paddle.fft.fftn(x, axes=[0, -2])
