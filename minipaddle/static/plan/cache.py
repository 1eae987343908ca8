"""Cache of plans: one per Program as it is, fetch list, and shapes and dtypes of the feeds.

The first run of a kind is not worth a plan: most startup Programs never run again. The Program
holds the plans, for each Executor its own, so they go when either of the two goes.
"""

from __future__ import annotations

from typing import Any

from ..interpreter import Steps
from .plan import Plan

KEPT = 8  # plans per Program and fetch list; each has memory of its own


class Plans:
    """The plans of one Executor."""

    def ready(self, steps: Steps | None, feed: Any) -> Plan | None:
        """Return the plan for such feeds, if there is one; then they need no further check."""
        seen = steps.plans.get(self) if steps is not None else None
        if not seen or feed.__class__ is not dict:
            return None
        try:
            plan: Plan | None = seen.get(kind_of(feed))
            return plan
        except AttributeError:  # some feed is no array
            return None

    def seen(self, steps: Steps, arrays: dict[str, Any]) -> bool:
        """Whether there was such a run before; note this one."""
        kind = kind_of(arrays)
        if kind in steps.plans.get(self, {}):
            return True
        self.put(steps, arrays, None)
        return False

    def put(self, steps: Steps, arrays: dict[str, Any], plan: Plan | None) -> None:
        """Note a kind of run, and its plan if there is one; drop the oldest."""
        seen = steps.plans.setdefault(self, {})
        seen[kind_of(arrays)] = plan
        if len(seen) > KEPT:
            seen.pop(next(iter(seen)), None)


def kind_of(arrays: dict[str, Any]) -> Any:
    """Return the key of a plan: names, shapes, dtypes, and memory layouts of the feeds.

    Sums of an array in another order have other last bits. And a masked array or a matrix is not
    just an array.
    """
    return tuple([(name, a.__class__, a.shape, a.strides, a.dtype) for name, a in arrays.items()])
