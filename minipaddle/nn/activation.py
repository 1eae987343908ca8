"""Activations as layers."""

from __future__ import annotations

from typing import Any

from . import functional as F
from .layer import Layer


class _Activation(Layer):
    """A function of one tensor as a layer; its repr tells the name it was given."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name

    def extra_repr(self) -> str:
        return f"name={self._name}" if self._name else ""


class ReLU(_Activation):
    """max(0, x).

    >>> import minipaddle as paddle
    >>> paddle.nn.ReLU()(paddle.to_tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """

    def forward(self, x: Any) -> Any:
        return F.relu(x)


class Sigmoid(_Activation):
    """1 / (1 + e⁻ˣ).

    >>> import minipaddle as paddle
    >>> paddle.nn.Sigmoid()(paddle.zeros([1])).tolist()
    [0.5]
    """

    def forward(self, x: Any) -> Any:
        return F.sigmoid(x)


class Tanh(_Activation):
    """tanh x.

    >>> import minipaddle as paddle
    >>> paddle.nn.Tanh()(paddle.zeros([1])).tolist()
    [0.0]
    """

    def forward(self, x: Any) -> Any:
        return F.tanh(x)


class _Along(_Activation):
    """A function along one axis."""

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name)
        self._axis = axis

    def extra_repr(self) -> str:
        return f"axis={self._axis}" + (f", name={self._name}" if self._name else "")


class Softmax(_Along):
    """Positive numbers that sum to 1 along `axis`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softmax()(paddle.zeros([2])).tolist()
    [0.5, 0.5]
    """

    def forward(self, x: Any) -> Any:
        return F.softmax(x, self._axis)


class LogSoftmax(_Along):
    """The logarithm of softmax along `axis`.

    >>> import minipaddle as paddle
    >>> paddle.nn.LogSoftmax()(paddle.to_tensor([0.0, 1000.0])).tolist()
    [-1000.0, 0.0]
    """

    def forward(self, x: Any) -> Any:
        return F.log_softmax(x, self._axis)
