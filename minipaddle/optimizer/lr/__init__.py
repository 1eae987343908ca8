"""Schedulers: learning rates that change from epoch to epoch, or from step to step."""

from __future__ import annotations

from ...ops.boundary import publish as _publish
from ...paddle_names import absent
from .annealing import CosineAnnealingDecay, CosineAnnealingWarmRestarts, LinearLR, PolynomialDecay
from .cycles import CyclicLR, OneCycleLR
from .decays import (
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    MultiplicativeDecay,
    MultiStepDecay,
    NaturalExpDecay,
    PiecewiseDecay,
    StepDecay,
)
from .plateau import ReduceOnPlateau
from .scheduler import LRScheduler
from .warmup import LinearWarmup, NoamDecay

__all__ = [
    "CosineAnnealingDecay",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialDecay",
    "InverseTimeDecay",
    "LRScheduler",
    "LambdaDecay",
    "LinearLR",
    "LinearWarmup",
    "MultiStepDecay",
    "MultiplicativeDecay",
    "NaturalExpDecay",
    "NoamDecay",
    "OneCycleLR",
    "PiecewiseDecay",
    "PolynomialDecay",
    "ReduceOnPlateau",
    "StepDecay",
]

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
