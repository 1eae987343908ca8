"""Data sets of images: from files on this machine, or from Paddle's server."""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ...ops.boundary import public_names as _public_names
from ...ops.boundary import publish as _publish
from ...paddle_names import absent
from .cifar import Cifar10, Cifar100
from .digits import Digits
from .folder import DatasetFolder, ImageFolder
from .mnist import MNIST, FashionMNIST

__all__ = list(_public_names(globals()))

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
