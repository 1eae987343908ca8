"""Descriptors for attributes of a Variable that check new values, or refuse them."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from . import errors
from .checks import require_type

FLAGS = (bool, int, float, np.bool_, type(None))  # what Paddle takes for True or False


class Flag:
    """Boolean attribute; numbers and None count as in Python."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name, self.kept = name, f"_{name}"

    def __get__(self, variable: Any, _owner: type | None = None) -> Any:
        return self if variable is None else variable.__dict__[self.kept]

    def __set__(self, variable: Any, value: Any) -> None:
        if not isinstance(value, FLAGS):
            raise errors.not_a_flag(self.name, variable, value)
        variable.__dict__[self.kept] = bool(value)


class Name:
    """Text attribute: the name."""

    def __get__(self, variable: Any, _owner: type | None = None) -> str:
        return self if variable is None else variable.__dict__["_name"]  # type: ignore[return-value]

    def __set__(self, variable: Any, name: Any) -> None:
        require_type(name, (str,), "name", "Variable")
        variable.__dict__["_name"] = name


class Fixed:
    """Attribute that cannot be set: it was declared, or follows from the operator."""

    def __init__(self, fix: str) -> None:
        self.fix = fix

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name, self.kept = name, f"_{name}"

    def __get__(self, variable: Any, _owner: type | None = None) -> Any:
        return self if variable is None else getattr(variable, self.kept)

    def __set__(self, variable: Any, value: Any) -> NoReturn:
        raise errors.fixed(self.name, variable, value, self.fix)
