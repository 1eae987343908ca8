"""Probability distributions: random draws, densities, entropies and divergences.

Each is computed by ops on Tensors, so gradients flow to parameters and a recording shows the ops.
"""

from __future__ import annotations

from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from .base import Distribution, ExponentialFamily, kl_divergence, register_kl
from .families import (
    Bernoulli,
    Beta,
    Categorical,
    Dirichlet,
    Exponential,
    Laplace,
    Multinomial,
    Normal,
    Uniform,
)
from .transforms import (
    AbsTransform,
    AffineTransform,
    ChainTransform,
    ExpTransform,
    Independent,
    IndependentTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    StackTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    TransformedDistribution,
)

__all__ = [
    "AbsTransform", "AffineTransform", "Bernoulli", "Beta", "Categorical", "ChainTransform",
    "Dirichlet", "Distribution", "ExpTransform", "Exponential", "ExponentialFamily", "Independent",
    "IndependentTransform", "Laplace", "Multinomial", "Normal", "PowerTransform",
    "ReshapeTransform", "SigmoidTransform", "SoftmaxTransform", "StackTransform",
    "StickBreakingTransform", "TanhTransform", "Transform", "TransformedDistribution", "Uniform",
    "kl_divergence", "register_kl",
]  # fmt: skip

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
