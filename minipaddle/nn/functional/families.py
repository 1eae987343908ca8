"""Functions of one family, such as conv1d, conv2d and conv3d: each has its number of axes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...ops.networks import forms


def variant(
    family: Any, without: tuple[str, ...] = (), swapped: tuple[str, ...] = ()
) -> Callable[[Any], Any]:
    """Make a function that calls `family(name, axes, ...)` with its own name, from a docstring.

        @variant(_convolve, without=("output_size",))
        def conv3d() -> None:
            "Slide filters over volumes."

    It has the family's parameters `without` some of them, two of them `swapped`. Its number of
    axes, which the name has, sets the default layout. A method passes `self` on instead. The
    function is compiled from source, so that Python binds the arguments.
    """

    def make(declared: Any) -> Any:
        name, named = declared.__name__, inspect.signature(family).parameters
        own = {k: p for k, p in named.items() if k not in (*without, "op", "axes", "self")}
        exchanged = dict(zip(swapped, reversed(swapped), strict=True))
        order = [exchanged.get(key, key) for key in own]
        axes = 0 if "self" in named else forms.axes_of(name)
        if axes and "data_format" in own:
            own["data_format"] = own["data_format"].replace(default=forms.FIRST[axes])
        first, given = ([], f"{name!r}, {axes}") if axes else (["self"], "self")
        taken = [k if own[k].default is own[k].empty else f"{k}=own[{k!r}].default" for k in order]
        passed = [f"{key}={key}" for key in order if key != "name"]
        call = f"family({given}, {', '.join(passed)})"
        source = f"def {name}({', '.join(first + taken)}): return {call}"
        scope = {**family.__globals__, "family": family, "own": own}
        # The file marks library code, see engine/source_line.py.
        exec(compile(source, f"<plan of {name}>", "exec"), scope)
        made = scope[name]
        made.__doc__, made.__module__ = declared.__doc__, declared.__module__
        made.__annotations__ = {key: family.__annotations__[key] for key in (*order, "return")}
        return made

    return make
