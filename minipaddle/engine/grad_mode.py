"""Context managers that turn the tape on and off."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..errors import misfit
from . import modes, refusals
from .errors import InvalidType
from .guard import Guard


class _GradMode(Guard):
    """Context manager and decorator that turns the tape on or off."""

    _enabled: bool | int

    def __init__(self, *wrong: Any) -> None:
        super().__init__()
        if wrong:
            fix, given = "write the parentheses of a decorator", {"argument": wrong[0]}
            raise misfit(type(self).__name__, "no arguments", InvalidType, fix, **given)

    def _save(self) -> bool | int:
        return modes.grad_enabled.get()

    def _change(self, _saved: Any) -> None:
        modes.grad_enabled.set(self._enabled)

    def _restore(self, saved: bool | int, _error: BaseException | None) -> None:
        modes.grad_enabled.set(saved)  # a Token would fail if a generator ends in another context

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(function):
            return self._wrap_generator(function)
        return super().__call__(function)

    def _wrap_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a generator function: the mode holds while its own code runs, not while it waits."""

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            generator = function(*args, **kwargs)
            step, given = generator.send, None
            try:
                while True:
                    try:
                        with type(self)():
                            item = step(given)
                    except StopIteration as end:
                        return end.value
                    try:
                        step, given = generator.send, (yield item)
                    except Exception as error:  # noqa: BLE001  (the generator shall see it)
                        step, given = generator.throw, error
            finally:
                with type(self)():
                    generator.close()

        return wrapper


class no_grad(_GradMode):
    """Compute without recording: results have stop_gradient True.

    A context manager, or a decorator `@paddle.no_grad()`.

    Errors: TypeError if it is given an argument that is not a function.
    Source: Paddle's `paddle.no_grad`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor(1.0, stop_gradient=False)
    >>> with paddle.no_grad():
    ...     (x * 2).stop_gradient
    True
    """

    _enabled = modes.SWITCHED_OFF


class enable_grad(_GradMode):
    """Record again inside a no_grad block.

    Errors: TypeError if it is given an argument that is not a function.
    Source: Paddle's `paddle.enable_grad`.

    >>> import minipaddle as paddle
    >>> with paddle.no_grad(), paddle.enable_grad():
    ...     paddle.is_grad_enabled()
    True
    """

    _enabled = True


class set_grad_enabled(Guard):
    """Turn recording on or off at once; as a context manager, for the length of a block.

    Errors: TypeError for anything but a bool.
    Source: Paddle's `paddle.set_grad_enabled`.

    >>> import minipaddle as paddle
    >>> with paddle.set_grad_enabled(False):
    ...     paddle.is_grad_enabled()
    False
    """

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise refusals.no_bool("set_grad_enabled()", mode, "paddle.set_grad_enabled(False)", 0)
        super().__init__()
        self._before = modes.grad_enabled.get()
        self._mode = True if mode else modes.SWITCHED_OFF
        modes.grad_enabled.set(self._mode)

    def _restore(self, _saved: Any, _error: BaseException | None) -> None:
        modes.grad_enabled.set(self._before)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that runs in this mode, wherever it is called."""
        return (enable_grad if self._mode else no_grad)()(function)


def is_grad_enabled() -> bool:
    """Return whether ops are recorded here.

    Errors: none.
    Source: Paddle's `paddle.is_grad_enabled`.

    >>> import minipaddle as paddle
    >>> paddle.is_grad_enabled()
    True
    """
    return bool(modes.grad_enabled.get())
