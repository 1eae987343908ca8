"""Optimizers: every name imported here is public."""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ..ops.boundary import public_names as _public_names
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from . import lr
from .adam import Adam, Adamax, AdamW, Lamb, NAdam, RAdam
from .adaptive import Adadelta, Adagrad, RMSProp
from .optimizer import Optimizer
from .sgd import ASGD, SGD, Momentum, Rprop

__all__ = list(_public_names(globals(), "lr"))

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
