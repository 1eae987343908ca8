"""The origin of NaN and infinity: the first step and box with a value that has them."""

from __future__ import annotations

from collections.abc import Collection

from minipaddle.messages import Message

from ..model import GIVEN, Shown
from .draft import AnyStep, Draft, badge
from .sentences.wording import Odd

KINDS = {"nan": "NaN", "inf": "Inf"}
COMPUTED = frozenset({"output", "grad_out", "after"})


def mark_origins(draft: Draft, flagged: Collection[str] = ()) -> dict[str, int]:
    """Mark the first box with a NaN and the first with an infinity; return kind -> step's index.

    Kinds that are `flagged` appeared earlier, in another story. Every step shows the values that it
    reads before those that it makes, so the first value is the origin.
    """
    first: dict[str, int] = {}
    for number, step in enumerate(draft.steps):
        for shown in step.shown:
            for kind, sign in KINDS.items():
                count = 0 if kind in first or kind in flagged else count_of(shown, kind)
                if count:
                    first[kind] = number
                    mark_origin(draft, step, shown, sign, count)
    return first


def count_of(shown: Shown, kind: str) -> int:
    """Return the number of a value's elements that are NaN, or infinite."""
    return ((shown.value or {}).get("stats") or {}).get(kind) or 0


def mark_origin(draft: Draft, step: AnyStep, shown: Shown, sign: str, count: int) -> None:
    """Add a badge to the origin's box, and a sentence to the step."""
    step.asides.append(about_origin(shown, sign, count))
    box = box_of(draft, step, shown)
    if box is not None:
        draft.warn(box, badge(f"first_{sign.lower()}"))


def about_origin(shown: Shown, sign: str, count: int) -> Message:
    """Return the sentence on a first NaN or infinity: computed, fetched, or an input."""
    if shown.role in COMPUTED and shown.node is None:  # fetched from an unrecorded operator
        said = Message("The first {sign} is seen in {name}: {count} {count:element|elements}.")
    elif shown.role in COMPUTED and shown.name.strip("−") in ("inf", "nan"):  # a scalar
        said = Message("Here the first {sign} appears.")
    elif shown.role in COMPUTED:
        said = Message("Here the first {sign} appears: {count} {count:element|elements} of {name}.")
    else:
        said = Message("{name} came in with the first {sign}: {count} {count:element|elements}.")
    odd = Odd(sign, shown.value or {}, count)
    return said.fill(sign=odd, name=shown.name, count=count)


def box_of(draft: Draft, step: AnyStep, shown: Shown) -> str | None:
    """Return the box that made a value, or the box that a wire brings an input from, or None."""
    if shown.role not in COMPUTED:
        for edge in map(draft.edges.__getitem__, step.edges):
            source = draft.nodes.get(edge.source)
            if source and source.kind in GIVEN and source.label == shown.name:
                return source.tag_of or source.id
    fed = (n.id for n in draft.nodes.values() if n.kind == "data" and n.label == shown.name)
    return shown.node or next(fed, None)
