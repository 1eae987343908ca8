"""paddle.jit: functions and Layers that run as Programs, and their files.

`tracing` runs a function once on Variables; `running` runs its Program as a node of the tape.
"""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ..ops.boundary import public_names as _public_names
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from .saving import TranslatedLayer, load, save
from .static_function import enable_to_static, ignore_module, not_to_static, to_static

__all__ = list(_public_names(globals()))
__getattr__ = absent.names(__name__)

_publish(globals(), {*__all__} - {"TranslatedLayer"})
