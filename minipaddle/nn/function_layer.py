"""Layers made of functions: `forward` takes the tensors, the layer stores the other arguments.

    class ELU(Activation, function=F.elu):
        "x, or alpha · (eˣ - 1) where x is negative."

This line makes a constructor `ELU(alpha=1.0, name=None)`, which stores the settings as attributes,
and a `forward(x)`, which calls `F.elu` with them. Lines about shapes, dtypes or errors that the
docstring lacks are copied from the function's docstring.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from ..ops.reference import add_facts
from .layer import Layer

# ----- docstrings of layers ----------------------------------------------------------------------

FACTS = ("Shapes", "Dtypes", "Errors")
FACT = re.compile(rf"^({'|'.join(FACTS)}): .*\n?(?:(?!\w+: ).+\n?)*", re.MULTILINE)


def complete(layer: type, other: str | None) -> str:
    """Return a layer's docstring, with the facts it lacks from another docstring."""
    doc = inspect.cleandoc(layer.__doc__ or "")
    facts = {**read_facts(other or ""), **read_facts(doc)}
    lines = [facts[label] for label in FACTS if label in facts]
    source = f"Source: Paddle's `paddle.nn.{layer.__name__}`."
    return add_facts(FACT.sub("", doc), [*lines, source])


def read_facts(doc: str) -> dict[str, str]:
    """Return the lines of a docstring about shapes, dtypes and errors.

    >>> read_facts("Add one.\\n\\nDtypes: all kept.\\nErrors: none.\\n")
    {'Dtypes': 'Dtypes: all kept.', 'Errors': 'Errors: none.'}
    """
    return {found[1]: found[0].rstrip() for found in FACT.finditer(doc)}


# ----- layers made of functions ------------------------------------------------------------------


NOT_SET = {"out", "training"}  # arguments of the function that are no settings of a layer


class FunctionLayer(Layer):
    """Base class of layers made of a function; a family of them sets the class variables."""

    _inputs: ClassVar[tuple[str, ...]] = ("x",)  # arguments of `forward`
    _stored: ClassVar[str] = "{}"  # template of the attribute of a setting
    _renamed: ClassVar[dict[str, str]] = {}  # settings with another attribute -> that attribute
    _shown: ClassVar[tuple[str, ...] | None] = None  # settings in repr(); None shows all
    _settings: ClassVar[dict[str, str]] = {}  # setting -> its attribute

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
        if function is None:  # the class is a family of layers, or a user's subclass
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
        """Check the settings; the constructor calls this last."""

    def extra_repr(self) -> str:
        shown = self._settings if self._shown is None else self._shown
        values = {k: getattr(self, v) for k, v in self._settings.items() if k in shown}
        return ", ".join(f"{k}={v}" for k, v in values.items() if v or k != "name")


class Activation(FunctionLayer):
    """Base class of activations: functions of one tensor."""

    _stored = "_{}"


def make_methods(
    cls: type[FunctionLayer], function: Callable[..., Any], own: list[inspect.Parameter]
) -> dict[str, Any]:
    """Return a layer's `__init__` and `forward`, compiled from source as dataclasses do.

    So Python binds the arguments, and Python's errors and `help()` name them.
    """
    defaults = {p.name: p.default for p in own if p.default is not p.empty}
    names = {**globals(), "cls": cls, "function": function, "defaults": defaults}
    methods: dict[str, Any] = {}
    file = f"<plan of {cls.__name__}>"  # marks library code, see engine/source_line.py
    exec(compile(write_source(cls, function, own), file, "exec"), names, methods)
    # Paddle keeps any name, and scripts write ReLU(True).
    kinds = {p.name: "Any" if p.name == "name" else p.annotation for p in own}
    methods["__init__"].__annotations__ = {**kinds, "return": "None"}
    methods["forward"].__annotations__ = dict.fromkeys((*cls._inputs, "return"), "Any")
    for name, method in methods.items():
        method.__module__, method.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"
    return methods


def write_source(
    cls: type[FunctionLayer], function: Callable[..., Any], own: list[inspect.Parameter]
) -> str:
    """Return the source of a layer's methods."""
    taken = [p.name if p.default is p.empty else f"{p.name}=defaults[{p.name!r}]" for p in own]
    settings = cls._settings.items()
    arguments = [f"{name}=self.{attribute}" for name, attribute in settings if name != "name"]
    if "training" in inspect.signature(function).parameters:
        arguments.append("training=self.training")
    return f"""
def __init__({", ".join(["self", *taken])}):
    super(cls, self).__init__()
    {"; ".join(f"self.{attribute} = {name}" for name, attribute in settings)}
    self._check_settings()

def forward({", ".join(["self", *cls._inputs])}):
    return function({", ".join([*cls._inputs, *arguments])})
"""
