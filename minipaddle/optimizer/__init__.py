"""Optimizers: how parameters follow their gradients."""

from __future__ import annotations

from .. import _absent
from .adam import Adam, AdamW
from .optimizer import Accumulator, Optimizer
from .sgd import SGD, Momentum

__all__ = ["SGD", "Accumulator", "Adam", "AdamW", "Momentum", "Optimizer"]

__getattr__ = _absent.names(__name__)
