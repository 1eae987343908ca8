"""static.nn: layers as functions that make their own parameters, and py_func."""

from __future__ import annotations

from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from .control_flow import case, cond, static_pylayer, switch_case, while_loop
from .layers import batch_norm, conv2d, embedding, fc, layer_norm
from .mode import all_or_none as _all_or_none
from .py_func import py_func

__all__ = [
    "batch_norm", "case", "cond", "conv2d", "embedding", "fc", "layer_norm", "py_func",
    "static_pylayer", "switch_case", "while_loop",
]  # fmt: skip
__getattr__ = absent.names(__name__)

_publish(globals(), __all__, _all_or_none)
