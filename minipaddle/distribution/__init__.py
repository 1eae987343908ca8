"""Probability distributions: random draws, densities, entropies and divergences.

Each is computed by ops on Tensors, so gradients flow to parameters and a recording shows the ops.
"""

from __future__ import annotations

from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from .base import Distribution, kl_divergence, register_kl
from .families import Bernoulli, Categorical, Exponential, Laplace, Multinomial, Normal, Uniform

__all__ = [
    "Bernoulli", "Categorical", "Distribution", "Exponential",
    "Laplace", "Multinomial", "Normal", "Uniform", "kl_divergence", "register_kl",
]  # fmt: skip

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
