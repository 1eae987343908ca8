"""A call that failed, as far as it is known: its op, its attributes and what it was given."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minipaddle.events import Value
from minipaddle.ops import REGISTRY

from ...document.op_facts import UNFIT
from ..sentences.wording import shape

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Given:
    """A tensor that a call was given: its name, its shape (-1: not known), and its numbers."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    data: Any = None  # nested lists; None where they were not recorded

    def __str__(self) -> str:
        return f"{self.name} {shape(self.shape)}"

    @property
    def size(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)

    def array(self) -> Array:
        """Its numbers, or zeros where they were not recorded: shapes hang on neither."""
        if self.data is not None:
            try:
                return np.array(self.data, dtype=self.dtype).reshape(self.shape)
            except UNFIT:  # of a file from elsewhere
                pass
        return np.zeros(self.shape, self.dtype)


@dataclass(frozen=True, slots=True)
class FailedCall:
    """The call; `whole` says that `given` are all arguments up to the last that is not None."""

    name: str
    given: Sequence[Given]
    attrs: Mapping[str, Any]
    whole: bool = True

    @property
    def op(self) -> Any:
        """The record of its op, None where that is not known here."""
        return REGISTRY.get(self.name)

    @property
    def pair(self) -> tuple[Given, Given] | None:
        """Both operands of an op of two."""
        op = self.op
        two = op is not None and not op.takes_list and len(op.inputs) == len(self.given) == 2
        return (self.given[0], self.given[1]) if two else None

    @property
    def multiplies(self) -> bool:
        """Whether it is a product of matrices."""
        return self.name in ("matmul", "bmm", "mv") and self.pair is not None

    @property
    def convolves(self) -> bool:
        """Whether it is a convolution."""
        return self.name.startswith("conv") and self.pair is not None

    @property
    def joins(self) -> bool:
        """Whether it puts tensors together along an axis."""
        return self.name in ("concat", "stack") and bool(self.given)


def given_thing(name: str, value: Value) -> Given:
    """A recorded value under the name that sentences have for it."""
    return Given(name, tuple(value.shape), value.dtype, value.data.get("data"))


def failed_call(name: str, given: Sequence[Given | None], attrs: Mapping[str, Any]) -> FailedCall:
    """The call of an op with these arguments, None for those that are absent."""
    there = [each for each in given if each is not None]
    whole = bool(there) and None not in given[: len(there)]
    return FailedCall(name, there, attrs, whole)
