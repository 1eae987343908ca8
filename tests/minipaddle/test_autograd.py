"""Backward, `.grad`, hooks and paddle.grad, beyond the cases of `tests/oracle`."""

import contextlib
import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events
from tests.contract.refusal import refuses
from tests.each import each

from ..samples import pylayer


def leaf(*values: float, stop: bool = False) -> Any:
    data: Any = list(values) if len(values) != 1 else values[0]
    return paddle.to_tensor(data, stop_gradient=stop)


# ----- backward and .grad ------------------------------------------------------------------------


def test_grad_can_be_set_to_a_tensor_or_none_only() -> None:
    x = leaf(1.0)
    x.grad = paddle.to_tensor(5.0)
    (x * 2).backward()
    assert x.grad.item() == 7.0
    assert x.grad.stop_gradient  # flag of the tensor that was set
    x.grad = None
    (x * 2).backward()
    x.grad = paddle.to_tensor(5.0)
    assert (x.grad.item(), x.grad.stop_gradient) == (5.0, False)  # flag of the earlier gradient
    x.grad = None
    assert x.grad is None
    with pytest.raises(ValueError, match="must be Tensor, but got ndarray"):
        x.grad = np.ones(1)


# ----- order -------------------------------------------------------------------------------------


def test_a_chain_of_20000_ops_needs_no_recursion() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(20_000):
        y = y + 1
    y.backward()
    assert x.grad.item() == 1.0
    y = x
    for _ in range(2_000):
        y = y * 1
    (first,) = paddle.grad(y, x, create_graph=True)
    assert first.item() == 1.0
    del y, first


def saves_its_outputs(ctx: Any, x: Any) -> Any:
    """The forward of a PyLayer whose node would hold its outputs, which hold the node."""
    made = x * 2, x * 3
    ctx.save_for_backward(*made)
    return made


@pytest.fixture
def _disable_gc() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_disable_gc")
def test_graphs_are_freed_by_reference_counting_alone() -> None:
    x = leaf(*range(1, 9))
    kept = []
    y = x
    for op in (paddle.tanh, paddle.exp, paddle.square, lambda t: t * t, lambda t: t[1:]):
        y = op(y)
        kept.append(weakref.ref(y))
    loss = paddle.nn.functional.softmax(y.reshape([1, -1])).max()
    kept += [weakref.ref(loss), weakref.ref(y)]
    loss.backward(retain_graph=True)
    (again,) = paddle.grad(loss, x, create_graph=True)
    kept.append(weakref.ref(again))
    del y, loss, again
    outputs = pylayer(saves_its_outputs).apply(x)
    kept += map(weakref.ref, outputs)
    del outputs
    assert [ref() for ref in kept] == [None] * len(kept)


# ----- hooks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("recording", [False, True])
def test_grad_runs_no_code_off_the_path(recording: bool) -> None:
    calls: list[str] = []

    def layer(name: str) -> Any:
        def backward(ctx: Any, dy: Any) -> Any:
            calls.append(name)
            return dy * 2

        return pylayer(lambda ctx, x: x * 2, backward).apply

    x, w = leaf(1.0), leaf(3.0)
    y = layer("below")(x)
    side = layer("beside")(w)
    side.register_hook(lambda grad: calls.append("hook"))
    z = layer("above")(y * side) + side
    with events.listen(lambda _: None) if recording else contextlib.nullcontext():
        assert paddle.grad(z, y)[0].item() == 12.0
        assert calls == ["above"]
        assert paddle.grad([z, side], y)[0].item() == 12.0
    assert calls == ["above", "above"]
    with pytest.raises(ValueError, match="The 0-th input does not appear"):
        paddle.grad(z, leaf(1.0))
    assert calls == ["above", "above"]


def test_a_hook_that_fails_or_returns_no_tensor_is_an_error() -> None:
    x = leaf(1.0)
    helper = x.register_hook(lambda grad: 1 / 0)
    with pytest.raises(OSError, match="a gradient hook failed: ZeroDivisionError") as caught:
        (x * 2).backward()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    helper.remove()
    x.register_hook(lambda grad: 3.0)
    with pytest.raises(TypeError, match="must return a Tensor or None") as wrong:
        (x * 2).backward()
    assert "received  float" in str(wrong.value)


@pytest.mark.parametrize("on_leaf", [True, False])
def test_a_hook_replaces_a_gradient_by_one_of_its_shape_and_dtype(on_leaf: bool) -> None:
    def backward(hook: Callable[[Any], Any]) -> None:
        x = leaf(1.0, 2.0)
        y = x * 2
        (x if on_leaf else y).register_hook(hook)
        try:
            y.sum().backward()
        finally:
            assert x.grad is None

    with refuses(RuntimeError, "float32", "bool", "hook <lambda>"):
        backward(lambda grad: grad > 0)
    for returned, shape in ((lambda grad: grad.sum(), "[]"), (lambda grad: grad[None], "[1, 2]")):
        with refuses(ValueError, "hook <lambda>", "shape, [2]", f"received  shape {shape}"):
            backward(returned)


def test_one_output_of_several_keeps_its_gradient_and_runs_its_hooks() -> None:
    x = leaf(1.0, 2.0, 3.0, 4.0)
    first, second = paddle.split(x * 1, 2)
    second.retain_grads()
    first.register_hook(lambda grad: grad * 10)
    (first.sum() + 2 * second.sum()).backward()
    assert second.grad.tolist() == [2.0, 2.0]
    assert x.grad.tolist() == [10.0, 10.0, 2.0, 2.0]


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_hook_on_an_unused_output_sees_zeros_and_may_replace_them(create_graph: bool) -> None:
    x = leaf(1.0, 2.0)
    used, unused = paddle.unbind(x * 1)
    seen: list[Any] = []

    def hook(grad: Any) -> Any:
        seen.append(grad.item())
        return grad + 7

    unused.register_hook(hook)
    (dx,) = paddle.grad(used * used, x, create_graph=create_graph)
    assert (seen, dx.tolist()) == ([0.0], [2.0, 7.0])


def test_a_hook_on_an_output_without_gradient_is_not_called() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    def backward(ctx: Any, dy: Any, dz: Any) -> Any:
        assert dy is None
        return dz * 3

    x = leaf(1.0, 2.0)
    y, z = pylayer(forward, backward).apply(x)
    y.register_hook(lambda grad: pytest.fail("nothing has arrived"))
    z.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


# ----- paddle.grad -------------------------------------------------------------------------------


def test_grad_takes_one_of_several_outputs_as_input() -> None:
    x = leaf(1.0, 2.0)
    first, second = paddle.split(x * 3, 2)
    z = (first * second * second).sum()
    assert [g.item() for g in paddle.grad(z, [second, first])] == [36.0, 36.0]
    assert paddle.grad(second.sum(), [first], allow_unused=True) == [None]


# ----- grad_fn -----------------------------------------------------------------------------------


def test_every_node_of_a_graph_has_its_own_address() -> None:
    x = paddle.ones([2, 3])
    x.stop_gradient = False
    todo, seen = [paddle.tanh(x * x).mean().grad_fn], dict[int, str]()
    while todo:
        node = todo.pop()
        if node is not None and node.node_ptr() not in seen:
            seen[node.node_ptr()] = node.name()
            todo += node.next_functions
    wanted = ["GradNodeAccumulation", "MeanGradNode", "MultiplyGradNode", "TanhGradNode"]
    assert sorted(seen.values()) == wanted


@each("shape", [[1], [1, 1]])
def test_a_start_gradient_may_have_more_axes_of_size_1(shape: list[int]) -> None:
    x = leaf([2.0])
    loss = (x * x).sum()
    assert paddle.grad([loss], [x], [paddle.full(shape, 3.0)], retain_graph=True)[0].item() == 12.0
    paddle.autograd.backward([loss], [paddle.ones(shape)])
    assert x.grad.tolist() == [4.0]
    with pytest.raises(AssertionError, match="shape not match"):
        paddle.grad([x * x], [x], [paddle.ones([2])])
