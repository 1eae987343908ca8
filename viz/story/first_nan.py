"""Where NaN and infinity come from: the first step, and the box, with a value that has them."""

from __future__ import annotations

from collections.abc import Collection

from minipaddle.engine.bilingual import Text

from ..model import GIVEN, Shown
from .draft import Draft, StepDraft, badge
from .steps import Facts

KINDS = {"nan": "NaN", "inf": "Inf"}
COMPUTED = frozenset({"output", "grad_out", "after"})


def flag(draft: Draft, flagged: Collection[str] = ()) -> dict[str, int]:
    """Mark the first box with a NaN and the first with an infinity; the numbers of their steps.

    "nan" or "inf" that are `flagged` appeared earlier, in another story. Every step shows what it
    reads before what it makes, so the first value is where they appear.
    """
    first: dict[str, int] = {}
    for number, step in enumerate(draft.steps):
        for shown in step.shown:
            for kind, sign in KINDS.items():
                count = 0 if kind in first or kind in flagged else count_of(shown, kind)
                if count:
                    first[kind] = number
                    tell(draft, step, shown, sign, count)
    return first


def count_of(shown: Shown, kind: str) -> int:
    """How many elements of a value are NaN, or infinite."""
    return ((shown.value or {}).get("stats") or {}).get(kind) or 0


def tell(draft: Draft, step: StepDraft[Facts], shown: Shown, sign: str, count: int) -> None:
    """A badge on the box, and one more sentence for the step."""
    step.asides.append(sentence(shown, sign, count))
    box = box_of(draft, step, shown)
    if box is not None:
        draft.warn(box, badge(f"first_{sign.lower()}"))


def sentence(shown: Shown, sign: str, count: int) -> Text:
    """How the first one came: it was computed, seen in what was fetched, or came in."""
    elements = f"{count} {'element' if count == 1 else 'elements'}"
    if shown.role in COMPUTED and shown.node is None:  # fetched; its maker was not recorded
        return Text(
            f"The first {sign} is seen in {shown.name}: {elements}.",
            f"{shown.name} 中看到第一个 {sign}：{count} 个。",
        )
    if shown.role in COMPUTED:
        return Text(
            f"Here the first {sign} appears: {elements} of {shown.name}.",
            f"这里第一次出现 {sign}：{shown.name} 中有 {count} 个。",
        )
    return Text(
        f"{shown.name} came in with the first {sign}: {elements}.",
        f"{shown.name} 传入时就已经有 {sign}：{count} 个。",
    )


def box_of(draft: Draft, step: StepDraft[Facts], shown: Shown) -> str | None:
    """The box that made the value: of what was given, where its wire into the step begins."""
    if shown.role not in COMPUTED:
        for edge in map(draft.edges.__getitem__, step.edges):
            source = draft.nodes.get(edge.source)
            if source and source.kind in GIVEN and source.label == shown.name:
                return source.tag_of or source.id
    fed = (n.id for n in draft.nodes.values() if n.kind == "data" and n.label == shown.name)
    return shown.node or next(fed, None)
