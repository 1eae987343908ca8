"""Thresholds from which a measured quantity is a problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from minipaddle.engine.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Limits from which something is a problem.

    vanishing, exploding: the norm of a gradient that arrives at an op with a weight, over the
    largest, or smallest, that arrives at least `layers` such ops later. shrinking, growing: over
    the rounds, the last gradient of a weight over its first, where the loss did not fall by
    `improving`, its share, and for shrinking ends by as much above its lowest. loss_still: how much
    of itself the loss moves over at least `loss_rounds` rounds. dead: the share of a relu's units
    that give 0 for a whole batch of at least `batch` rows. rounded: the share of elements that an
    update leaves as they are although their gradients are not 0; not counted once a gradient has
    fallen below `settled` times its first size, or below `flat` (root mean square).
    """

    vanishing: float = 1e-4
    exploding: float = 1e4
    layers: int = 2
    shrinking: float = 1e-4
    growing: float = 1e3
    improving: float = 0.01
    loss_still: float = 1e-3
    loss_rounds: int = 8
    dead: float = 0.9
    batch: int = 4
    rounded: float = 0.5
    settled: float = 0.1
    flat: float = 1e-5


def thresholds_with(given: Mapping[str, Any]) -> Thresholds:
    """Return the thresholds with some replaced; raise InvalidArgument for unknown names."""
    known = {field.name for field in fields(Thresholds)}
    for name, number in given.items():
        if name not in known:
            raise InvalidArgument(
                f"trace.problems(): there is no threshold {name!r}.",
                expected=f"some of {', '.join(sorted(known))}",
                received=f"{name}={number!r:.40}",
                fix="the table is in docs/problems.md",
            )
        if isinstance(number, bool) or not isinstance(number, int | float) or not number >= 0:
            raise InvalidArgument(
                f"trace.problems(): the threshold {name} must be a number that is not negative.",
                expected="a number from 0 on",
                received=f"{name}={number!r:.40}",
                fix=f"write {name}=0.1, or leave it out: trace.problems()",
            )
    return Thresholds(**given)
