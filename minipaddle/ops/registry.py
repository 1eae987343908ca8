"""What an op record is made of besides its functions: samples for tests, the static spelling."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

from .later import FAMILIES, RECORDS


class Registry(dict[str, Any]):
    """Every op's record by its name; `registry.op` fills it.

    Families that few programs need are loaded when a record of theirs is first looked up, and all
    of them when somebody wants to see every record.
    """

    def __missing__(self, name: str) -> Any:
        if name not in RECORDS:
            raise KeyError(name)
        load(RECORDS[name])
        return dict.__getitem__(self, name)

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or name in RECORDS

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default  # noqa: SIM401  (this is get)

    def __iter__(self) -> Iterator[str]:
        return dict.__iter__(self.whole())

    def __len__(self) -> int:
        return dict.__len__(self.whole())

    def keys(self) -> Any:
        return dict.keys(self.whole())

    def values(self) -> Any:
        return dict.values(self.whole())

    def items(self) -> Any:
        return dict.items(self.whole())

    def whole(self) -> Self:
        """All families loaded."""
        for family in FAMILIES:
            load(family)
        return self

    def loaded(self) -> list[Any]:
        """The records that are there already."""
        return list(dict.values(self))


def load(family: str) -> None:
    """Import a family, which registers its records and functions."""
    getattr(sys.modules[__package__], family)


REGISTRY = Registry()


class _Required:
    """Stands for the default that a keyword-only parameter does not have."""

    def __repr__(self) -> str:
        return "required"


REQUIRED: Any = _Required()


def parameters(function: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The positional parameters of a function, and the keyword-only ones with their defaults.

    A tenth of what inspect.signature costs; the import of hundreds of records feels it.
    """
    code, defaults = function.__code__, function.__kwdefaults__ or {}
    end = code.co_argcount + code.co_kwonlyargcount
    keywords = code.co_varnames[code.co_argcount : end]
    return code.co_varnames[: code.co_argcount], {k: defaults.get(k, REQUIRED) for k in keywords}


class Sample(NamedTuple):
    """Inputs for the tests of an op.

    `shapes`: one shape per tensor (a list of shapes for a list of tensors, None for an absent
    one); values are drawn from `domain`; `ints` gives the upper bound of integer inputs by name;
    `prepare` makes of the arrays those that the op is for, such as invertible matrices.
    """

    shapes: tuple[Any, ...]
    attrs: dict[str, Any] = {}  # noqa: RUF012  (read only)
    domain: tuple[float, float] = (-2.0, 2.0)
    ints: dict[str, int] = {}  # noqa: RUF012
    prepare: Callable[[list[Any]], list[Any]] = list


def sample(
    *shapes: Any,
    domain: tuple[float, float] = (-2.0, 2.0),
    ints: dict[str, int] | None = None,
    prepare: Callable[[list[Any]], list[Any]] = list,
    **attrs: Any,
) -> Sample:
    """A sample with inputs of these shapes, float but for those named in `ints`."""
    return Sample(shapes, attrs, domain, ints or {}, prepare)


class Static(NamedTuple):
    """How Paddle's static graph spells the op: operator type, slots, attributes, name prefix."""

    type: str
    slots: dict[str, str] = {}  # noqa: RUF012  input or output -> slot; X, Y, Out otherwise
    attrs: dict[str, str] = {}  # noqa: RUF012  attribute -> Paddle's name for it
    extra: dict[str, Any] = {}  # noqa: RUF012  attributes that are always there
    prefix: str = ""  # of the output's name: `mean` gives mean_0.tmp_0
