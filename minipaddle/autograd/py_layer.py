"""Paddle's module of PyLayer, its context, its metaclass and `once_differentiable`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..engine.grad_mode import no_grad
from ..engine.pylayer.context import PyLayerContext
from ..engine.pylayer.pylayer import PyLayer, PyLayerMeta
from ..engine.tensor import Tensor, detach

__all__ = ["PyLayer", "PyLayerContext", "PyLayerMeta", "once_differentiable"]


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a PyLayer's backward whose own derivative must not be taken.

    >>> import minipaddle as paddle
    >>> from minipaddle.autograd.py_layer import once_differentiable
    >>> class Double(paddle.autograd.PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     @once_differentiable
    ...     def backward(ctx, dy):
    ...         return dy * 2
    >>> x = paddle.to_tensor(1.0, stop_gradient=False)
    >>> Double.apply(x).backward(); float(x.grad)
    2.0
    """

    unrecorded = no_grad()(backward)

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        result = unrecorded(ctx, *grads)
        if not isinstance(result, (list, tuple)):
            return _detach_tensor(result)
        return type(result)([_detach_tensor(grad) for grad in result])

    return wrapper


def _detach_tensor(grad: Any) -> Any:
    return detach(grad) if isinstance(grad, Tensor) else grad
