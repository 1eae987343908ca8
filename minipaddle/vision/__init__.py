"""Images: transforms and data sets."""

# ruff: noqa: F401, F403

from __future__ import annotations

from ..paddle_names import absent
from . import datasets, image, transforms
from .datasets import *
from .image import get_image_backend, image_load, set_image_backend
from .transforms import *

__all__ = ["datasets", "get_image_backend", "image_load", "set_image_backend", "transforms"]

__getattr__ = absent.names(__name__)
