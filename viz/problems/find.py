"""All problems of a trace: each family looks for its own, and knows nothing of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..model import Problem
from . import changes, gradients, numbers, shapes, sizes, training
from .reading import Reading, Recorded
from .thresholds import Thresholds

Family = Callable[[Reading, Thresholds], Iterator[Problem]]

# By the kind of problem that they find.
FAMILIES: tuple[tuple[str, tuple[Family, ...]], ...] = (
    ("wrong_gradient", (gradients.wrong,)),
    ("nan", (numbers.first_nan,)),
    ("inf", (numbers.first_infinity,)),
    ("no_gradient", (gradients.idle, gradients.asked_for, gradients.never_came)),
    ("carried_over", (gradients.carried_over,)),
    ("changed_between", (changes.changed_between,)),
    ("not_updated", (training.stepped_on_nothing, training.never_updated)),
    ("vanishing", (sizes.over_layers, sizes.over_rounds)),
    ("exploding", ()),  # found beside the former
    ("dead_relu", (sizes.dead_units,)),
    ("rounded_away", (sizes.rounded_away,)),
    ("loss_still", (training.stands_still,)),
    ("eval_in_training", (training.evaluates_in_training,)),
    ("train_in_evaluation", (training.trains_in_evaluation,)),
    ("broadcast", (shapes.crossed,)),
)
KINDS = tuple(kind for kind, _ in FAMILIES)


def problems_of(trace: Recorded, limits: Thresholds) -> list[Problem]:
    """What is wrong, in the order of the steps."""
    reading = Reading(trace)
    found = [p for _, families in FAMILIES for family in families for p in family(reading, limits)]
    return sorted(found, key=lambda problem: (problem.step, KINDS.index(problem.kind)))
