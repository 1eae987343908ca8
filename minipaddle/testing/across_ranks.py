"""Check of gradients of a loss that several ranks share.

A change on one rank affects the sum of all ranks' losses, so all ranks compute together: first each
changes all of its inputs at once, then one rank after the other changes its elements one by one,
while the other ranks compute equally often without a change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..distributed.groups import Group
from ..distributed.objects import all_gather_object
from ..engine.errors import WrongGradient
from .gradient_check import GradientCheck
from .numeric import LOSSES, Arrays, dot


@dataclass
class AcrossRanks(GradientCheck):
    """One rank's part in a check of all ranks."""

    group: Group

    most_elements = math.inf  # all ranks must check equally many elements

    def of_all(self, mine: Any) -> list[Any]:
        """Return the value of each rank, by rank."""
        gathered: list[Any] = []
        all_gather_object(gathered, mine, self.group)
        return gathered

    def sum_over_ranks(self, numbers: list[float]) -> list[float]:
        return [sum(each) for each in zip(*self.of_all(numbers), strict=True)]

    def loss(self, arrays: Arrays, cotangents: Arrays) -> float:
        return self.sum_over_ranks([dot(self.values(arrays), cotangents)])[0]

    def others(self, cotangents: Arrays) -> Arrays:  # noqa: ARG002
        return self.known_others

    def element_by_element(self, got: Arrays, cotangents: Arrays) -> list[Any]:
        # Other cotangents only serve a hint, and need all ranks to compute together.
        self.known_others = super().others(cotangents)
        self.everyones, elements = self.of_all(got), self.of_all(self.elements)
        name, kinks = self.name, list[Any]()
        for moved, rank in enumerate(self.group.ranks):
            self.name = f"{name} on rank {rank}"
            error = None
            if moved == self.group.rank:
                try:
                    kinks = super().element_by_element(got, cotangents)
                except WrongGradient as wrong:
                    error = wrong
            else:
                for _ in range(LOSSES * elements[moved]):
                    self.loss(self.arrays, cotangents)
            if error := self.of_all(error)[moved]:
                raise error
        return kinks

    def _hint_at_mistake(self, got: Arrays, numbers: Arrays, cotangents: Arrays) -> str:
        together = [
            None if any(g is None for g in row) else sum(row)
            for row in zip(*self.everyones, strict=False)
        ]
        pairs = zip(together, numbers, strict=False)
        if together and all(g is not None and self._is_close(g, d) for g, d in pairs):
            return (
                "it is that of this rank's own loss: the losses of all ranks need the sum over "
                "ranks, as in paddle.distributed.functional"
            )
        return super()._hint_at_mistake(got, numbers, cotangents)
