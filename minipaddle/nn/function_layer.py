"""Layers made of functions: a function's tensors go to `forward`, its other arguments are settings.

    class ELU(Activation, function=F.elu):
        "x, or alpha · (eˣ - 1) where x is negative."

This line makes a constructor `ELU(alpha=1.0, name=None)`, which stores the settings as attributes,
and a `forward(x)`, which calls `F.elu` with them. Where the docstring says nothing of shapes,
dtypes or errors, it says what the function's docstring says.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from .docstrings import complete
from .layer import Layer

NOT_SET = {"out", "training"}  # no settings: where a result goes, and what the layer knows itself


class FunctionLayer(Layer):
    """A function as a layer. A family of such layers says here what its members share."""

    _inputs: ClassVar[tuple[str, ...]] = ("x",)  # the arguments of `forward`
    _stored: ClassVar[str] = "{}"  # the name of the attribute that stores a setting
    _renamed: ClassVar[dict[str, str]] = {}  # settings that are stored under other names
    _shown: ClassVar[tuple[str, ...] | None] = None  # the settings that repr() tells, None for all
    _settings: ClassVar[dict[str, str]] = {}  # each setting, with the attribute that stores it

    if TYPE_CHECKING:

        def __init__(self, *args: Any, **settings: Any) -> None: ...

    def __init_subclass__(
        cls,
        function: Callable[..., Any] | None = None,
        inputs: tuple[str, ...] = (),
        without: tuple[str, ...] = (),
        **defaults: Any,
    ) -> None:
        """Make a layer of a function, `without` some of its settings, or with other defaults."""
        super().__init_subclass__()
        if function is None:  # a family of layers, or a user's subclass
            return
        cls._inputs = inputs or cls._inputs
        rest = list(inspect.signature(function).parameters.values())[len(cls._inputs) :]
        own = [
            p.replace(default=defaults.get(p.name, p.default))
            for p in rest
            if p.name not in NOT_SET.union(without)
        ]
        cls._settings = {p.name: cls._renamed.get(p.name, cls._stored.format(p.name)) for p in own}
        for name, method in make_methods(cls, function, own).items():
            if name not in vars(cls):
                setattr(cls, name, method)
        cls.__doc__ = complete(cls, inspect.getdoc(function))

    def _check_settings(self) -> None:
        """Refuse settings that do not fit; the constructor calls it last."""

    def extra_repr(self) -> str:
        kept = self._settings.items()
        values = {k: getattr(self, v) for k, v in kept if self._shown is None or k in self._shown}
        return ", ".join(f"{k}={v}" for k, v in values.items() if v or k != "name")


class Activation(FunctionLayer):
    """A function of one tensor, element by element or along an axis."""

    _stored = "_{}"


def make_methods(
    cls: type[FunctionLayer], function: Callable[..., Any], own: list[inspect.Parameter]
) -> dict[str, Any]:
    """Return a layer's `__init__` and `forward`, compiled from source as those of dataclasses are.

    So Python itself binds their arguments, and its errors and `help()` name them.
    """
    defaults = {p.name: p.default for p in own if p.default is not p.empty}
    names = {**globals(), "cls": cls, "function": function, "defaults": defaults}
    made: dict[str, Any] = {}
    file = f"<plan of {cls.__name__}>"  # a name of library code, see engine/source_line.py
    exec(compile(write_source(cls, function, own), file, "exec"), names, made)
    kinds = {p.name: "str | None" if p.name == "name" else p.annotation for p in own}
    made["__init__"].__annotations__ = {**kinds, "return": "None"}
    made["forward"].__annotations__ = dict.fromkeys((*cls._inputs, "return"), "Any")
    for name, method in made.items():
        method.__module__, method.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"
    return made


def write_source(
    cls: type[FunctionLayer], function: Callable[..., Any], own: list[inspect.Parameter]
) -> str:
    """Return the source of a layer's methods."""
    taken = [p.name if p.default is p.empty else f"{p.name}=defaults[{p.name!r}]" for p in own]
    settings = cls._settings.items()
    given = [f"{name}=self.{kept}" for name, kept in settings if name != "name"]
    if "training" in inspect.signature(function).parameters:
        given.append("training=self.training")
    return f"""
def __init__({", ".join(["self", *taken])}):
    super(cls, self).__init__()
    {"; ".join(f"self.{kept} = {name}" for name, kept in settings)}
    self._check_settings()

def forward({", ".join(["self", *cls._inputs])}):
    return function({", ".join([*cls._inputs, *given])})
"""
