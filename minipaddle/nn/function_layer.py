"""Layers that call a function of one tensor, with settings or without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from .layer import Layer


class Plain(Layer):
    """A function of one tensor as a layer; its repr tells the name it was given."""

    function: ClassVar[Callable[..., Any]]

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name

    def forward(self, x: Any) -> Any:
        return self.function(x)

    def extra_repr(self) -> str:
        return f"name={self._name}" if self._name else ""


class Tuned(Plain):
    """A function with settings, which are attributes: `_alpha` and so on."""

    def __init__(self, name: str | None, **settings: Any) -> None:
        super().__init__(name)
        self.__dict__["_settings"] = {key: f"_{key}" for key in settings}
        for key, value in settings.items():
            setattr(self, f"_{key}", value)

    def forward(self, x: Any) -> Any:
        own = self.__dict__
        return self.function(x, **{key: own[kept] for key, kept in self._settings.items()})

    def extra_repr(self) -> str:
        settings = [f"{key}={self.__dict__[kept]}" for key, kept in self._settings.items()]
        return ", ".join(settings + [f"name={self._name}"] * bool(self._name))
