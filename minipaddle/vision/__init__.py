"""Images: transforms, data sets, networks and a little of detection."""

# ruff: noqa: F401, F403

from __future__ import annotations

from ..paddle_names import absent
from . import datasets, image, models, ops, transforms
from .datasets import *
from .image import get_image_backend, image_load, set_image_backend
from .models import *
from .transforms import *

__all__ = [
    "datasets", "get_image_backend", "image_load", "models", "ops", "set_image_backend",
    "transforms",
]  # fmt: skip

__getattr__ = absent.names(__name__)
