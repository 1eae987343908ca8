"""All problems of a trace: independent functions, each of which finds problems of one kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from minipaddle.messages import EMPTY, Message

from ...language.dialects import spelled
from ...model import Problem
from ...story.chapters import Recorded
from . import changes, gradients, losses, numbers, shapes, sizes, training
from .reading import Reading
from .thresholds import Thresholds

ONE = Message("1 problem, at step {number}: {text} {todo}")
SEVERAL = Message(
    "{count} problems, the first at step {number}: {text} {todo} The player "
    "(.html, key p) and trace.problems() list all of them."
)
Family = Callable[[Reading], Iterator[Problem]]

MISSING = (
    gradients.find_idle,
    gradients.find_read_as_none,
    gradients.find_missing,
    gradients.find_unused,
)
# kind of problem -> functions that find it
FAMILIES: tuple[tuple[str, tuple[Family, ...]], ...] = (
    ("wrong_gradient", (gradients.find_wrong,)),
    ("nan", (numbers.find_first_nan,)),
    ("inf", (numbers.find_first_infinity,)),
    ("no_gradient", MISSING),
    ("carried_over", (gradients.find_carried_over,)),
    ("changed_between", (changes.find_changed_between,)),
    ("not_updated", (training.find_steps_without_gradients, training.find_never_updated)),
    ("vanishing", (sizes.find_extremes_over_layers, sizes.find_extremes_over_rounds)),
    ("exploding", ()),  # functions of `vanishing` find these too
    ("dead_relu", (sizes.find_dead_units,)),
    ("rounded_away", (sizes.find_rounded_away,)),
    ("uphill", (losses.find_uphill_steps,)),
    ("softmax_twice", (losses.find_softmax_twice,)),
    ("loss_still", (training.find_still_loss,)),
    ("eval_in_training", (training.find_evaluation_in_training,)),
    ("train_in_evaluation", (training.find_training_in_evaluation,)),
    ("broadcast", (shapes.find_crossed_shapes,)),
)
KINDS = tuple(kind for kind, _ in FAMILIES)


def problems_of(trace: Recorded, limits: Thresholds) -> list[Problem]:
    """Return the problems of a trace, in the order of the steps."""
    reading = Reading(trace, limits)
    found = [
        replace(p, text=spelled(p.text, trace.framework), todo=spelled(p.todo, trace.framework))
        for _, families in FAMILIES
        for family in families
        for p in family(reading)
    ]
    return sorted(found, key=lambda problem: (problem.step, KINDS.index(problem.kind)))


def in_short(problems: Sequence[Problem]) -> Message:
    """Return a sentence with the number of problems and the first one; empty if there is none."""
    if not problems:
        return EMPTY
    first, template = problems[0], ONE if len(problems) == 1 else SEVERAL
    facts = {"count": str(len(problems)), "number": str(first.step + 1)}
    return template.fill(text=first.text, todo=first.todo, **facts)
