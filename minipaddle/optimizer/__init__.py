"""Optimizers: how parameters follow their gradients."""

from __future__ import annotations

from .. import _absent
from . import lr
from .adam import Adam, AdamW
from .adaptive import Adadelta, Adagrad, RMSProp
from .averaging import ASGD, Rprop
from .kin import Adamax, Lamb, NAdam, RAdam
from .optimizer import Optimizer
from .sgd import SGD, Momentum

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Lamb",
    "Momentum",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSProp",
    "Rprop",
    "lr",
]

__getattr__ = _absent.names(__name__)
