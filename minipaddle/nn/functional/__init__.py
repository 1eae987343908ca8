"""The layers without parameters as functions: `paddle.nn.functional`."""

from __future__ import annotations

from ... import _absent
from .activation import log_softmax, relu, sigmoid, softmax, tanh
from .common import dropout, embedding, linear
from .loss import cross_entropy, l1_loss, mse_loss, nll_loss

__all__ = [
    "cross_entropy",
    "dropout",
    "embedding",
    "l1_loss",
    "linear",
    "log_softmax",
    "mse_loss",
    "nll_loss",
    "relu",
    "sigmoid",
    "softmax",
    "tanh",
]

__getattr__ = _absent.names(__name__)
