"""Errors of `paddle.utils`: each function makes one, and the caller raises it."""

from __future__ import annotations

from typing import Any

from ..engine.errors import Fatal, MinipaddleError
from ..errors import misfit
from ..messages import Message


def wrong_gradient(gradient: Any, right: Any) -> MinipaddleError:
    fix = Message("report it, with the output of: minipaddle doctor")
    return misfit("run_check", f"the gradient {right}", Fatal, fix, gradient=gradient)
