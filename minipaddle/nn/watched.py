"""Dicts that mark their changes, so that a compiled function need not compare all of its layers."""

from __future__ import annotations

from typing import Any

last_change = object()  # another object after each change of a layer


class Watched(dict[Any, Any]):
    """Dict of a layer, such as that of its attributes or parameters, that marks its changes."""


def _marking(name: str) -> Any:
    method = getattr(dict, name)

    def change(self: Watched, *args: Any, **named: Any) -> Any:
        global last_change
        try:
            return method(self, *args, **named)
        finally:
            last_change = object()

    return change


_METHODS = (
    "__delitem__", "__ior__", "__setitem__", "clear", "pop", "popitem", "setdefault", "update",
)  # fmt: skip
for _name in _METHODS:
    setattr(Watched, _name, _marking(_name))
