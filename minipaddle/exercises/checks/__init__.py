"""Checks of exercises, one for each kind of answer.

from minipaddle.exercises import checks

A plain function does as well: it takes the answer, and an `assert` in it or what it returns decides
(None or True is right, False or a text is wrong). A function of Tensors named `reference` says what
is right; everything else is compared with it, gradients with finite differences of it.
"""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ...ops.boundary import public_names as _public_names
from ...ops.boundary import publish as _publish
from .experiments import experiment
from .functions import function
from .layers import layer
from .predictions import predictions
from .programs import program
from .pylayers import pylayer
from .values import shape, trace, value

__all__ = list(_public_names(globals()))

_publish(globals(), __all__)
