"""Paddle's flags, of which one exists here: FLAGS_check_nan_inf."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import misfit
from . import modes
from .errors import InvalidType

CHECK_NAN_INF = "FLAGS_check_nan_inf"


def set_flags(flags: dict[str, bool | str | float]) -> None:
    """Switch FLAGS_check_nan_inf, the check of ops and backward for NaN and infinity, on or off.

    While it is on, the first op of this thread or task whose result is not finite raises an error
    that names it, and so does a node of backward. Shapes and dtypes do not matter.
    Errors: RuntimeError from the op that made the NaN; TypeError for what is no dict, or a value
    that is neither a bool nor a number; ValueError for other flags, and then nothing is switched.
    Source: Paddle's `paddle.set_flags`.

    >>> import minipaddle as paddle
    >>> paddle.set_flags({"FLAGS_check_nan_inf": True})
    >>> try:
    ...     paddle.log(paddle.zeros([1]))
    ... except RuntimeError as error:
    ...     print(str(error).splitlines()[0])
    ... finally:
    ...     paddle.set_flags({"FLAGS_check_nan_inf": False})
    log() produced NaN or infinity.
    """
    if not isinstance(flags, dict):
        raise misfit("set_flags", f"a dict: {{'{CHECK_NAN_INF}': True}}", InvalidType, flags=flags)
    for name, value in flags.items():
        _check_flag_name(name, "set")
        if value is not None and not isinstance(value, (bool, int, float)):
            raise misfit("set_flags", "True, False, 1 or 0", InvalidType, **{name: value})
    if flags:
        modes.change(check_nan=bool(flags[CHECK_NAN_INF]))


def get_flags(flags: str | Sequence[str]) -> dict[str, bool | str | float]:
    """Return the values of one or more flags as a dict.

    Shapes and dtypes do not matter.
    Errors: TypeError for what is neither a name nor a list or tuple of names; ValueError for flags
    that do not exist here. Source: Paddle's `paddle.get_flags`.

    >>> import minipaddle as paddle
    >>> paddle.get_flags("FLAGS_check_nan_inf")
    {'FLAGS_check_nan_inf': False}
    """
    if not isinstance(flags, (str, list, tuple)):
        raise misfit("get_flags", "a name, or a list or tuple of names", InvalidType, flags=flags)
    names = [flags] if isinstance(flags, str) else flags
    for name in names:
        _check_flag_name(name, "get")
    return {name: modes.here().check_nan for name in names}


def _check_flag_name(name: Any, what: str) -> None:
    if name != CHECK_NAN_INF:
        raise misfit(f"{what}_flags", f"{CHECK_NAN_INF}, the only flag here", flag=name)
