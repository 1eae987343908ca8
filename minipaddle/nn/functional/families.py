"""Functions of one family, such as conv1d, conv2d and conv3d: each has its number of axes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...ops.networks import forms


def variant(
    family: Any, without: tuple[str, ...] = (), swapped: tuple[str, ...] = ()
) -> Callable[[Any], Any]:
    """Make a function that calls `family(name, ...)` with its own name, from a docstring.

        @variant(_convolve, without=("output_size",))
        def conv3d() -> None:
            "Slide filters over volumes."

    It has the family's parameters `without` some of them, two of them `swapped`. Its number of axes
    sets the default layout. A method passes `self` on instead. The function is compiled from
    source, so that Python binds the arguments.
    """

    def make(declared: Any) -> Any:
        name = declared.__name__
        first, *rest = inspect.signature(family).parameters.values()
        own = {p.name: p for p in rest if p.name not in without}
        exchanged = dict(zip(swapped, reversed(swapped), strict=True))
        order = [exchanged.get(key, key) for key in own]
        defaults = {key: own[key].default for key in order if own[key].default is not first.empty}
        method = first.name == "self"
        if "data_format" in own and not method:
            defaults["data_format"] = forms.FIRST[forms.axes_of(name)]
        taken = [f"{key}=defaults[{key!r}]" if key in defaults else key for key in order]
        passed = [f"{key}={key}" for key in order if key != "name"]
        taken, given = (["self", *taken], "self") if method else (taken, repr(name))
        source = f"def {name}({', '.join(taken)}): return family({given}, {', '.join(passed)})"
        scope = {**family.__globals__, "family": family, "defaults": defaults}
        # The file marks library code, see engine/source_line.py.
        exec(compile(source, f"<plan of {name}>", "exec"), scope)
        made = scope[name]
        made.__doc__, made.__module__ = declared.__doc__, declared.__module__
        made.__annotations__ = {key: family.__annotations__[key] for key in (*order, "return")}
        return made

    return make
