"""Checking gradients where the loss is that of several ranks together.

A perturbation on one rank is seen in the sum of all ranks' losses, so all ranks compute together:
first each moves all of its inputs at once, then one rank after the other leads, and moves one
element after the other, while the rest follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..distributed.groups import Group
from ..distributed.objects import all_gather_object, broadcast_object_list
from ..engine.errors import WrongGradient
from .gradient_check import GradientCheck
from .numeric import Arrays, dot

VALUES, GRADIENTS, END = "values", "gradients", "end"  # what a leader asks for


@dataclass
class AcrossRanks(GradientCheck):
    """One rank's part in a check of all."""

    group: Group

    def __post_init__(self) -> None:
        self.leads = False
        self.everyones: list[Arrays] = []  # gradients, by rank
        super().__post_init__()

    def of_all(self, mine: Any) -> list[Any]:
        """What each rank has, by rank."""
        gathered: list[Any] = []
        all_gather_object(gathered, mine, self.group)
        return gathered

    def summed(self, numbers: list[float]) -> list[float]:
        return [sum(each) for each in zip(*self.of_all(numbers), strict=True)]

    def loss(self, arrays: Arrays, cotangents: Arrays) -> float:
        self.ask((VALUES, None))
        return self.summed([dot(self.values(arrays), cotangents)])[0]

    def gradients(self, cotangents: Arrays) -> Arrays:
        self.ask((GRADIENTS, None))
        return super().gradients(cotangents)

    def ask(self, what: tuple[str, Any]) -> None:
        """Let the others do what this rank is about to do, if it leads them."""
        if self.leads:
            broadcast_object_list([what], self.group.get_global_rank(self.group.rank), self.group)

    def follow(self, leader: int, cotangents: Arrays) -> Any:
        """Do what the leader does, without a change of our own, until it has an answer."""
        while True:
            box: list[Any] = [None]
            broadcast_object_list(box, self.group.get_global_rank(leader), self.group)
            what, answer = box[0]
            if what == END:
                return answer
            if what == VALUES:
                self.loss(self.arrays, cotangents)
            else:
                self.gradients([2 * c + 1 for c in cotangents])  # as a leader's hint does

    def lead(self, got: Arrays, cotangents: Arrays) -> Any:
        """Our own kinks, or the error of the first wrong element, which the others learn, too."""
        self.leads = True
        answer: Any = None
        try:
            answer = super().element_by_element(got, cotangents)
        except WrongGradient as error:
            answer = error
        finally:
            self.ask((END, answer))
            self.leads = False
        return answer

    def element_by_element(self, got: Arrays, cotangents: Arrays) -> list[Any]:
        self.everyones = self.of_all(got)
        name = self.name
        kinks: list[Any] = []
        for leader, rank in enumerate(self.group.ranks):
            self.name = f"{name} on rank {rank}"
            ours = leader == self.group.rank
            answer = self.lead(got, cotangents) if ours else self.follow(leader, cotangents)
            if isinstance(answer, WrongGradient):
                raise answer
            kinks = answer if ours else kinks
        return kinks

    def _hint(self, got: Arrays, numbers: Arrays, cotangents: Arrays) -> str:
        together = [
            None if any(g is None for g in row) else sum(row)
            for row in zip(*self.everyones, strict=False)
        ]
        pairs = zip(together, numbers, strict=False)
        if together and all(g is not None and self._close(g, d) for g, d in pairs):
            return (
                "it is that of this rank's own loss: the losses of all ranks need the sum over "
                "ranks, as in paddle.distributed.functional"
            )
        return super()._hint(got, numbers, cotangents)
