"""paddle.amp: casts by op, and the scale of the loss. On a CPU real Paddle's have no effect."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.amp.casting import BLACK, WHITE
from minipaddle.engine import modes
from minipaddle.events.event_types import OpFinished
from minipaddle.ops.registry import REGISTRY
from tests.each import each

F = paddle.nn.functional


def half() -> Any:
    return paddle.ones([2, 2], "float16")


def single() -> Any:
    return paddle.ones([2, 2])


def product(dtype: str) -> Any:
    return paddle.matmul(single().astype(dtype), single().astype(dtype))


DTYPES = {
    "white": (lambda: product("float32"), "float16"),
    "white, mixed": (lambda: paddle.einsum("ij,jk->ik", half(), single()), "float16"),
    "white, float64": (lambda: product("float64"), "float64"),
    "white, integers": (lambda: product("int64"), "int64"),
    "white without float16": (lambda: F.conv2d(*[paddle.ones([1, 1, 3, 3])] * 2), "float32"),
    "black": (lambda: paddle.exp(half()), "float32"),
    "black, static name": (lambda: half().sum(), "float32"),
    "grey, one float32": (lambda: paddle.concat([half(), single()]), "float32"),
    "grey, float16": (lambda: paddle.add(half(), half()), "float16"),
    "grey without float16": (lambda: F.pad(half(), [1, 1]), "float32"),
    "switched off": (lambda: paddle.amp.auto_cast(False)(product)("float32"), "float32"),
}


@each("name", DTYPES)
def test_the_lists_decide_the_dtype(name: str) -> None:
    call, dtype = DTYPES[name]
    with paddle.amp.auto_cast():
        assert call().dtype.name == dtype
    assert not modes.gate_open


def test_every_listed_name_is_one_of_an_op() -> None:
    names = {name for op in REGISTRY.values() for name in (op.name, op.static.type)}
    assert not (WHITE | BLACK) - names
    assert not WHITE & BLACK


def test_own_lists_come_first() -> None:
    lists = {"custom_white_list": ["exp"], "custom_black_list": {"matmul_v2", "tanh"}}
    with paddle.amp.auto_cast(**lists):
        calls = paddle.exp(single()), paddle.matmul(half(), half()), paddle.tanh(half())
    assert [x.dtype.name for x in calls] == ["float16", "float32", "float32"]


def test_the_gradients_are_those_of_the_rounded_numbers() -> None:
    """Casts are ops of the recording; a gradient arrives in the dtype of its leaf."""
    x, w = (paddle.rand([3, 3]) for _ in range(2))
    w.stop_gradient = False
    with viz.record() as trace, paddle.amp.auto_cast():
        out = F.linear(x, w)
    out.backward(paddle.ones([3, 3], "float16"))
    ops = [event.op for event in trace.events if isinstance(event, OpFinished)]
    assert ops == ["cast", "cast", "matmul"]
    rounded = x.numpy().astype("float16").astype("float32")
    expected = (rounded.T @ np.ones([3, 3], "float32")).astype("float16")
    assert w.grad.dtype.name == "float32"
    np.testing.assert_array_equal(w.grad.numpy(), expected)


def stepped(*slopes: float, **options: Any) -> tuple[list[float], list[float]]:
    """Return weight and scale after each step with a gradient of this size."""
    w = paddle.to_tensor([0.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(1.0, parameters=[w])
    scaler = paddle.amp.GradScaler(init_loss_scaling=8.0, **options)
    weights, scales = [], []
    for slope in slopes:
        scaler.scale((w * slope).sum()).backward()
        scaler.step(sgd)
        scaler.update()
        sgd.clear_grad()
        weights.append(w.item())
        scales.append(float(scaler.state_dict()["scale"][0]))
    return weights, scales


INF, NAN = float("inf"), float("nan")


def test_a_bad_step_is_skipped_and_the_scale_follows() -> None:
    options = {"incr_every_n_steps": 2, "incr_ratio": 4.0}
    assert stepped(1.0, INF, 1.0, 2.0, NAN, **options) == (
        [-1, -1, -2, -4, -4],
        [8, 4, 4, 16, 8],
    )
    options = {"decr_every_n_nan_or_inf": 2, "decr_ratio": 0.25}
    assert stepped(INF, 1.0, NAN, INF, **options) == ([0, -1, -1, -1], [8, 8, 8, 2])
    assert stepped(INF, use_dynamic_loss_scaling=False) == ([0], [8])


def test_without_dynamic_scaling_nobody_need_call_update() -> None:
    w = paddle.to_tensor([1.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(1.0, parameters=[w])
    scaler = paddle.amp.GradScaler(init_loss_scaling=4.0, use_dynamic_loss_scaling=False)
    for _ in range(2):
        scaler.scale(w.sum()).backward()
        scaler.step(sgd)
        sgd.clear_grad()
    assert w.item() == -1


def test_minimize_steps_and_updates() -> None:
    w = paddle.to_tensor([0.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(1.0, parameters=[w])
    scaler = paddle.amp.GradScaler(init_loss_scaling=8.0, incr_every_n_steps=1)
    for slope, weight, scale in ((1.0, -1, 16), (INF, -1, 8)):
        loss = scaler.scale((w * slope).sum())
        loss.backward()
        scaler.minimize(sgd, loss)
        sgd.clear_grad()
        assert (w.item(), scaler.get_init_loss_scaling()) == (weight, scale)
    scaler.set_incr_ratio(4.0)
    assert scaler.get_incr_ratio() == scaler.state_dict()["incr_ratio"] == 4
    assert scaler.is_enable()
    assert scaler.is_use_dynamic_loss_scaling()


def test_a_small_gradient_survives_by_its_scale() -> None:
    """2⁻²⁶ is 0 in float16; 2⁻¹⁶ is not."""
    for scale, expected in ((1.0, 0.0), (2.0**10, 2.0**-26)):
        w = paddle.to_tensor([1.0], stop_gradient=False)
        scaler = paddle.amp.GradScaler(init_loss_scaling=scale)
        half = w.astype("float16").astype("float32")  # its gradient passes through float16
        scaler.scale((half * 2.0**-26).sum()).backward()
        scaler.unscale_(paddle.optimizer.SGD(1.0, parameters=[w]))
        assert w.grad.item() == expected


def test_the_state_goes_on_in_another_scaler() -> None:
    first, second = paddle.amp.GradScaler(), paddle.amp.GradScaler(init_loss_scaling=2.0)
    second.load_state_dict(first.state_dict())
    assert second.state_dict() == first.state_dict()
    assert first.state_dict()["scale"] == 2.0**16
    off = paddle.amp.GradScaler(enable=False)
    x = paddle.ones([1])
    assert off.scale(x) is x
    assert off.state_dict() == {}


def test_decorate_of_level_o1_changes_nothing() -> None:
    net = paddle.nn.Linear(1, 1)
    sgd = paddle.optimizer.SGD(parameters=net.parameters())
    assert paddle.amp.decorate(net, sgd) == (net, sgd)
    assert net.weight.dtype.name == "float32"


def twice(method: str) -> None:
    w = paddle.to_tensor([1.0], stop_gradient=False)
    sgd, scaler = paddle.optimizer.SGD(parameters=[w]), paddle.amp.GradScaler()
    w.sum().backward()
    getattr(scaler, method)(sgd)
    getattr(scaler, method)(sgd)


def in_static_mode() -> None:
    paddle.enable_static()
    try:
        paddle.amp.auto_cast().__enter__()
    finally:
        paddle.disable_static()


MISTAKES: dict[str, tuple[type, Callable[[], Any]]] = {
    "level": (ValueError, lambda: paddle.amp.auto_cast(level="O3")),
    "O2": (NotImplementedError, lambda: paddle.amp.auto_cast(level="O2")),
    "bfloat16": (NotImplementedError, lambda: paddle.amp.auto_cast(dtype="bfloat16")),
    "both lists": (ValueError, lambda: paddle.amp.auto_cast(True, ["exp"], ["exp"])),
    "static mode": (AssertionError, in_static_mode),
    "decorate": (NotImplementedError, lambda: paddle.amp.decorate([], level="O2")),
    "ratio": (AssertionError, lambda: paddle.amp.GradScaler(incr_ratio=0.5)),
    "new ratio": (AssertionError, lambda: paddle.amp.GradScaler().set_decr_ratio(2.0)),
    "unscale twice": (RuntimeError, lambda: twice("unscale_")),
    "step twice": (RuntimeError, lambda: twice("step")),
    "empty state": (RuntimeError, lambda: paddle.amp.GradScaler().load_state_dict({})),
}


@each("name", MISTAKES)
def test_a_mistake_is_explained(name: str) -> None:
    kind, call = MISTAKES[name]
    with pytest.raises(kind) as caught:
        call()
    assert any(letter >= "一" for letter in caught.value.parts["fix"].zh)
    assert not modes.gate_open
