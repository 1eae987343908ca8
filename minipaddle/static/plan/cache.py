"""Cache of plans by Program, fetch list, and shapes and dtypes of the feeds.

The first run of a kind gets no plan: most startup Programs never run again. The Program holds the
plans of each Executor, so they are freed with either of the two.
"""

from __future__ import annotations

from typing import Any

from ..interpreter import Steps
from .plan import Plan

KEPT = 8  # plans per Program and fetch list; each has memory of its own


class Plans:
    """Plans of one Executor."""

    def ready(self, steps: Steps | None, feed: Any) -> Plan | None:
        """Return the plan for feeds of this kind, which need no further check; None without one."""
        seen = steps.plans.get(self) if steps is not None else None
        if not seen or feed.__class__ is not dict:
            return None
        try:
            plan: Plan | None = seen.get(kind_of(feed))
            return plan
        except AttributeError:  # some feed is no array
            return None

    def seen(self, steps: Steps, arrays: dict[str, Any]) -> bool:
        """Return whether a run of this kind happened before; note this one."""
        kind = kind_of(arrays)
        if kind in steps.plans.get(self, {}):
            return True
        self.put(steps, arrays, None)
        return False

    def put(self, steps: Steps, arrays: dict[str, Any], plan: Plan | None) -> None:
        """Store a kind of run with its plan, None without one; drop the oldest kind."""
        seen = steps.plans.setdefault(self, {})
        seen[kind_of(arrays)] = plan
        if len(seen) > KEPT:
            seen.pop(next(iter(seen)), None)


def kind_of(arrays: dict[str, Any]) -> Any:
    """Return the key of a plan: names, classes, shapes, strides and dtypes of the feeds.

    Strides matter, because a sum in another order rounds differently; classes matter, because a
    masked array or a matrix computes differently.
    """
    return tuple([(name, a.__class__, a.shape, a.strides, a.dtype) for name, a in arrays.items()])
