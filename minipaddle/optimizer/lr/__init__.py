"""Schedulers of the learning rate: every name imported here is public."""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ...ops.boundary import public_names as _public_names
from ...ops.boundary import publish as _publish
from ...paddle_names import absent
from .annealing import (
    CosineAnnealingDecay,
    CosineAnnealingWarmRestarts,
    CyclicLR,
    LinearLR,
    LinearWarmup,
    NoamDecay,
    OneCycleLR,
    PolynomialDecay,
)
from .decays import (
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    MultiplicativeDecay,
    MultiStepDecay,
    NaturalExpDecay,
    PiecewiseDecay,
    ReduceOnPlateau,
    StepDecay,
)
from .scheduler import LRScheduler

__all__ = list(_public_names(globals()))

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
