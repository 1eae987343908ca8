"""Order of operators in a plan: updates of an optimizer move up to right after their gradients.

Then the gradient's memory is free for the next layer's. An operator may pass another only if
neither writes what the other reads or writes, so every value stays what it was.
"""

from __future__ import annotations

from ..interpreter import PY_FUNC
from ..operator import OPTIMIZE, Operator


def early_updates(operators: list[Operator]) -> list[int]:
    """Return the positions of the operators in the order in which a plan runs them."""
    order: list[int] = []
    for position, op in enumerate(operators):
        place = len(order)
        if op.attrs.get("op_role") == OPTIMIZE:
            while place and not depends(op, operators[order[place - 1]]):
                place -= 1
        order.insert(place, position)
    return order


def depends(later: Operator, earlier: Operator) -> bool:
    """Whether the later operator must stay behind the earlier one.

    A user's function may raise an exception: then no parameter is changed that would not have been.
    """
    if isinstance(earlier.kernel, PY_FUNC):
        return True
    reads, writes = set(later.reads), set(later.writes)
    return not (
        writes.isdisjoint(earlier.reads)
        and writes.isdisjoint(earlier.writes)
        and reads.isdisjoint(earlier.writes)
    )
