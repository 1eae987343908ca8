"""Transforms of images, and the functions that they apply."""

# ruff: noqa: F403

from __future__ import annotations

from ...paddle_names import absent
from . import functional, transforms
from .functional import *
from .transforms import *

__all__ = functional.__all__ + transforms.__all__

__getattr__ = absent.names(__name__)
