"""Optimizers: how parameters follow their gradients."""

from __future__ import annotations

from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from . import lr
from .adam import Adam, AdamW
from .adam_variants import Adamax, Lamb, NAdam, RAdam
from .adaptive import Adadelta, Adagrad, RMSProp
from .averaging import ASGD, Rprop
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

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
