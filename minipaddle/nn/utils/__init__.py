"""Helpers for the parameters of a network: clipping, one vector of all, computed weights."""

from __future__ import annotations

from ...ops.boundary import publish as _publish
from ...paddle_names import absent
from .gradients import clip_grad_norm_, clip_grad_value_, parameters_to_vector, vector_to_parameters
from .weights import remove_weight_norm, spectral_norm, weight_norm

__all__ = ["clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "vector_to_parameters"]
__all__ += ["remove_weight_norm", "spectral_norm", "weight_norm"]

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
