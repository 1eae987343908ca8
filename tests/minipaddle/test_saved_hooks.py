"""saved_tensors_hooks: packing, unpacking and errors."""

import contextlib
import gc
import weakref
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events
from minipaddle.autograd import saved_tensors_hooks
from minipaddle.engine import errors, modes
from tests.each import each

from ..samples import leaf, pylayer


def same(value: Any) -> Any:
    return value


def saves_both(ctx: Any, x: Any) -> Any:
    y = x * x
    ctx.save_for_backward(x, y)
    return y


Square = pylayer(saves_both, lambda ctx, dy: dy * 2 * ctx.saved_tensor()[0])


def used(op: Any, pack: Any, unpack: Any, *values: float) -> Any:
    x = leaf(*(values or (1.0, 2.0)))
    with saved_tensors_hooks(pack, unpack):
        y = op(x)
    y.sum().backward()
    return x.grad


@pytest.mark.parametrize("recording", [False, True])
def test_higher_derivatives_go_through_packed_tensors(recording: bool) -> None:
    x, w = leaf(1.0, 2.0), leaf(3.0, 5.0)
    listening = events.listen(lambda _: None) if recording else contextlib.nullcontext()
    with listening, saved_tensors_hooks(lambda t: t.numpy(), paddle.to_tensor):
        y = (paddle.exp(x) * w * x).sum()
        (dx,) = paddle.grad(y, x, create_graph=True)
        dx.sum().backward()
    e = np.exp([1.0, 2.0])
    np.testing.assert_allclose(x.grad.numpy(), e * [3, 5] * (2 + np.array([1, 2])), rtol=1e-5)
    np.testing.assert_allclose(w.grad.numpy(), e * (1 + np.array([1, 2])), rtol=1e-5)


def test_nothing_is_packed_after_the_block() -> None:
    calls: list[str] = []
    with saved_tensors_hooks(lambda t: calls.append("pack") or t, same):
        assert modes.gate_open
    assert not modes.gate_open
    paddle.square(leaf(1.0)).backward()
    assert not calls
    with pytest.raises(KeyError), saved_tensors_hooks(same, same):
        raise KeyError
    assert not modes.gate_open


@each("keep", [same, lambda t: t.numpy()])
@each("op", [paddle.exp, Square.apply, paddle.square])
def test_graphs_are_freed_by_reference_counting_alone(op: Any, keep: Any) -> None:
    gc.disable()
    try:
        x = leaf(1.0, 2.0)
        with saved_tensors_hooks(keep, paddle.to_tensor):
            y = op(x)
        gone = weakref.ref(y)
        del y
        assert gone() is None
    finally:
        gc.enable()


# ----- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", [paddle.square, Square.apply])
def test_a_failing_hook_is_an_error(op: Any) -> None:
    def broken(_: Any) -> Any:
        raise ZeroDivisionError("mine")

    for pack, unpack, what in ((broken, same, "pack"), (same, broken, "unpack")):
        with pytest.raises(OSError, match="mine") as caught:
            used(op, pack, unpack)
        chain = [caught.value, caught.value.__cause__]
        texts = [str(e) for e in chain if isinstance(e, errors.External)]
        assert any(
            f"saved_tensors_hooks: {what}_hook failed: ZeroDivisionError: mine" in text
            for text in texts
        )
        assert paddle.is_grad_enabled()


@each(
    ("unpack", "received"),
    [
        (lambda _: None, "NoneType"),
        (lambda t: t.numpy(), "ndarray"),
        (lambda t: t[:1], "float32 [1]"),
        (lambda t: t.astype("float64"), "float64 [2]"),
    ],
)
def test_unpack_must_return_a_tensor_like_the_saved_one(unpack: Any, received: str) -> None:
    with pytest.raises(ValueError, match="unpack_hook must give back the Tensor") as caught:
        used(paddle.square, same, unpack)
    assert f"received  {received}" in str(caught.value)


def test_a_packed_tensor_that_changes_is_an_error() -> None:
    for op, which in ((paddle.square, "h"), (paddle.exp, "y"), (Square.apply, "h")):
        h = leaf(1.0, 2.0) * 1
        with saved_tensors_hooks(same, same):
            y = op(h)
        (h if which == "h" else y).scale_(2.0)
        with pytest.raises(RuntimeError, match="modified"):
            y.sum().backward()


def test_a_second_backward_is_an_error() -> None:
    with saved_tensors_hooks(same, same):
        y = paddle.square(leaf(1.0))
    y.backward()
    with pytest.raises(SystemError, match="run through square before and released"):
        y.backward()
