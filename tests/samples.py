"""Tensors and PyLayers that tests of several folders begin with."""

from typing import Any

import minipaddle as paddle
from minipaddle.autograd import PyLayer


def leaf(*values: float, dtype: str | None = None, stop: bool = False) -> Any:
    """A leaf of these values, which wants a gradient unless it is told to stop them."""
    return paddle.to_tensor(list(values), dtype=dtype, stop_gradient=stop)


def pylayer(forward: Any, backward: Any = lambda ctx, *grads: grads[0], name: str = "Layer") -> Any:
    """Return a PyLayer of two functions."""
    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(PyLayer)(name, (PyLayer,), methods)


def saving(forward: Any, backward: Any, name: str = "Layer") -> Any:
    """Return a PyLayer that saves its inputs, of two functions without a context.

    `backward` is called with the gradients of the outputs, then with the inputs.
    """

    def save(ctx: Any, *inputs: Any) -> Any:
        ctx.save_for_backward(*inputs)
        return forward(*inputs)

    return pylayer(save, lambda ctx, *grads: backward(*grads, *ctx.saved_tensor()), name)


# It returns a gradient that stops gradients.
Cut = pylayer(lambda ctx, x: x * 1, lambda ctx, dy: dy.detach(), "Cut")


class Product(PyLayer):
    """The product of two tensors, with its right gradient."""

    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx: Any, dout: Any) -> Any:
        a, b = ctx.saved_tensor()
        return dout * b, dout * a
