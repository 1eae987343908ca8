"""Each gradient has its own memory: a change of one in place changes no other."""

from typing import Any

import pytest

import minipaddle as paddle

from ..samples import Cut, leaf, pylayer


def tripled(tensor: Any) -> None:
    with paddle.no_grad():
        tensor.scale_(3.0)


Sum = pylayer(lambda ctx, x, y: x + y, lambda ctx, dy: (dy, dy), "Sum")


@pytest.mark.parametrize("add", [lambda x, y: x + y, Sum.apply])
def test_two_leaves_do_not_share_a_gradient(add: Any) -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    add(x, y).sum().backward()
    tripled(x.grad)
    assert (x.grad.tolist(), y.grad.tolist()) == ([3.0, 3.0], [1.0, 1.0])
    a, b = paddle.grad(add(x, y).sum(), [x, y])
    tripled(a)
    assert (a.tolist(), b.tolist()) == ([3.0, 3.0], [1.0, 1.0])


def test_two_results_with_hooks_do_not_share_a_gradient() -> None:
    x, y = leaf(1.0), leaf(3.0)
    total = x + y
    total.register_hook(lambda grad: grad * 2)
    total.backward()
    tripled(x.grad)
    assert (x.grad.tolist(), y.grad.tolist()) == ([6.0], [2.0])


def test_backward_may_change_its_argument() -> None:
    Impatient = pylayer(lambda ctx, x: x * 3, lambda ctx, dy: dy.scale_(3.0), "Impatient")

    x, y = leaf(1.0), leaf(1.0)
    (Impatient.apply(x) + y * 1).backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([3.0], [1.0])


def test_a_hook_may_change_its_argument() -> None:
    x, y = leaf(1.0), leaf(1.0)
    x.register_hook(tripled)
    (x + y).backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([3.0], [1.0])


def test_the_flag_of_a_layers_gradient_affects_only_that_gradient() -> None:
    x = leaf(1.0)
    Cut.apply(x).backward()
    assert x.grad.stop_gradient is True
    x.clear_grad(False)
    (x * 2).backward()
    assert x.grad.stop_gradient is False
