"""Errors of `paddle.utils`: each function makes one, and the caller raises it."""

from __future__ import annotations

from typing import Any

from ..engine.errors import Fatal, MinipaddleError, NoSuchImport
from ..engine.install_advice import pip_install
from ..errors import misfit
from ..messages import Message

PACKAGES = {"cv2": "opencv-python"}  # module -> package, where their names differ


def not_installed(module: str, what: str | None, error: ImportError) -> MinipaddleError:
    package = module.partition(".")[0]
    return NoSuchImport(
        what or Message("{module} cannot be imported.", module=module),
        expected=Message("an installed package"),
        received=str(error),
        fix=pip_install(PACKAGES.get(package, package)),
    )


def wrong_gradient(gradient: Any, right: Any) -> MinipaddleError:
    fix = Message("report it, with the output of: minipaddle doctor")
    return misfit("run_check", f"the gradient {right}", Fatal, fix, gradient=gradient)
