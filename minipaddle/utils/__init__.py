"""Utilities: unique names, packages that may be missing, a check of the installation."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np

from .. import static
from ..base.dygraph import guard
from ..device import current_place
from ..eager.creation import to_tensor
from ..engine import modes
from ..engine.install_advice import not_installed
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from . import errors, unique_name

__all__ = ["run_check", "try_import", "unique_name"]

__getattr__ = absent.names(__name__)


def try_import(module_name: str, err_msg: str | None = None) -> ModuleType:
    """Return a module, or raise an error that names the package to install.

    `err_msg` replaces the error's first sentence. Source: Paddle's `paddle.utils.try_import`.

    Errors: ImportError if it is not installed.

    >>> import minipaddle as paddle
    >>> paddle.utils.try_import("math").floor(2.5)
    2
    """
    try:
        return importlib.import_module(module_name)
    except ImportError as error:
        raise not_installed(module_name, error, err_msg) from error


def run_check() -> None:
    """Compute a gradient in dynamic mode and in a Program, and print that both are right.

    Source: Paddle's `paddle.utils.run_check`.

    Errors: SystemError if a gradient is wrong.

    >>> import minipaddle as paddle
    >>> paddle.utils.run_check()
    minipaddle computes a gradient right in dynamic mode, on Place(cpu).
    minipaddle computes a gradient right in static mode, on Place(cpu).
    """
    rows, right = np.array([[1.0, 2.0], [3.0, 4.0]], "float32"), [[4.0], [6.0]]
    with guard():
        weight = to_tensor([[0.5], [0.5]], stop_gradient=False)
        (to_tensor(rows) @ weight).sum().backward()
        gradient = weight.grad.numpy()
    _report("dynamic", gradient, right)
    with modes.override(builder=modes.here().builder):
        static.enable_static()
        with static.program_guard(static.Program()):
            x, w = static.data("x", [2, 2]), static.data("w", [2, 1])
            w.stop_gradient = False
            feed, found = (
                {"x": rows, "w": np.full([2, 1], 0.5, "float32")},
                static.gradients(x @ w, w),
            )
            (gradient,) = static.Executor().run(feed=feed, fetch_list=found)
    _report("static", gradient, right)


def _report(mode: str, gradient: Any, right: Any) -> None:
    if gradient.tolist() != right:
        raise errors.wrong_gradient(gradient.tolist(), right)
    print(f"minipaddle computes a gradient right in {mode} mode, on {current_place()}.")


def disable_signal_handler() -> None:
    """Do nothing: minipaddle handles no signals, so Python's own handlers stay.

    Errors: none. Source: Paddle's `paddle.disable_signal_handler`.

    >>> import minipaddle as paddle
    >>> paddle.disable_signal_handler()
    """


_publish(globals(), __all__)
