"""The values of a story that a page shows in a view of their own, by their places in its steps.

Attention is shown as maps of tokens; images are shown with the classes that their scores name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..model import Story
from .attention import PRODUCTS, Attention, attentions_in
from .classes import scores_in
from .operations import Operand

Place = tuple[int, int]  # step, and place among the values that it shows


def views_of(records: Sequence[Any], earlier: int, story: Story) -> dict[str, Any]:
    """Return the places of attention and of scores, by kind; a kind without any is left out.

    The first `earlier` records belong to earlier parts of the trace.
    """
    attentions = [*attentions_in(records, earlier)]
    scores = [*scores_in(records, earlier)]
    if not attentions and not scores:
        return {}
    places: dict[object, Place] = {}
    for step in story.steps:
        for k, shown in enumerate(step.shown):
            places.setdefault(getattr(shown.value, "occurrence", None), (step.index, k))

    def place(operand: Operand | None) -> Place | None:
        return operand and places.get(operand.value.data.occurrence)

    rows: list[dict[str, Any]] = [
        {"ignored": each.ignored}
        | {name: place(getattr(each, name)) for name in ("scores", "labels", "images")}
        for each in scores
        if place(each.scores)
    ]
    maps = [
        {name: place(getattr(each, name)) for name in ("queries", "keys")}
        | {"maps": [*_maps_of(each, story)]}
        for each in attentions
    ]
    return {name: some for name, some in {"attention": maps, "classes": rows}.items() if some}


def _maps_of(attention: Attention, story: Story) -> Iterator[Place]:
    """Yield the places of scores and weights, and of their gradients."""
    ops = {each.box: each for each in attention.ops}
    pairs = {n.id: ops[n.pair] for n in story.graph.nodes if n.pair in ops}
    shape = [*attention.ops[0].outputs[0].shape]
    for step in story.steps:
        for k, shown in enumerate(step.shown):
            op, of = ops.get(shown.node or ""), pairs.get(shown.node or "")
            found = op and shown.value is op.outputs[0].value.data
            if of and shown.value and shown.value["shape"] == shape:
                found = shown.role == "grad_in" or (
                    shown.role == "grad_out" and of.op not in PRODUCTS
                )
            if found:
                yield step.index, k
