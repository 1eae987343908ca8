"""Descriptors for attributes of a Variable that check or refuse new values."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import errors
from .checks import require_type

FLAGS = (bool, int, float, np.bool_, type(None))  # types that Paddle accepts as True or False


class Fixed:
    """Attribute that cannot be set: the user declared it, or it follows from the operator."""

    def __init__(self, fix: str = "") -> None:
        self.fix = fix

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name, self.stored = name, f"_{name}"

    def __get__(self, variable: Any, _owner: type | None = None) -> Any:
        return self if variable is None else getattr(variable, self.stored)

    def __set__(self, variable: Any, value: Any) -> None:
        raise errors.fixed(self.name, variable, value, self.fix)


class Flag(Fixed):
    """Boolean attribute; numbers and None count as in Python."""

    def __set__(self, variable: Any, value: Any) -> None:
        if not isinstance(value, FLAGS):
            raise errors.not_a_flag(self.name, variable, value)
        setattr(variable, self.stored, bool(value))


class Name(Fixed):
    """Name of a Variable, which is a str."""

    def __set__(self, variable: Any, value: Any) -> None:
        require_type(value, (str,), "name", "Variable")
        setattr(variable, self.stored, value)
