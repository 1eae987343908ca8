"""Lines of text: all values of a step, or a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minipaddle.messages import Message

from ..language.words import say
from ..model import NONE, Round, Step
from ..story.chapters import name_of_round
from ..story.sentences.wording import digits, shape

UNKEPT = Message("its elements were not recorded")


def round_line(each: Round, count: int, lang: str) -> str:
    """Return `round 4 of 20 (epoch 1, batch 0)   loss 0.5`."""
    name = name_of_round(each, count).of(lang)
    loss = each.loss_name.of(lang)
    return name if each.loss is None else f"{name}   {loss} {digits(each.loss)}"


def value_lines(step: Step, lang: str) -> Iterator[str]:
    """Yield the values of a step: each with its role, shape and range, then its elements."""
    for shown in step.shown:
        role = say(f"{shown.role}_short" if shown.role != "taken" else "taken", lang)
        entry = shown.value
        if entry is None:
            yield f"{role} {shown.name} = {NONE}"
            continue
        line = f"{role} {shown.name}: {shape(entry['shape'])} {entry['dtype']}"
        stats = entry.get("stats") or {}
        if stats.get("min") is not None:
            line += f"   {digits(stats['min'])} … {digits(stats['max'])}"
        yield line
        kept = entry.get("data") is not None
        yield from (
            f"    {line}" for line in (rows_of(entry["data"]) if kept else [UNKEPT.of(lang)])
        )


def rows_of(data: Any) -> Iterator[str]:
    """Yield a line for each row of a matrix; each of several matrices has a line with its index.

    >>> list(rows_of([[1.0, 2.5], [3.0, 4.0]])), list(rows_of(0.5)), list(rows_of([[[7]]]))
    (['1 2.5', '3 4'], ['0.5'], ['[0]', '7'])
    """
    if not isinstance(data, list):
        yield digits(data)
    elif not any(isinstance(each, list) for each in data):
        yield " ".join(map(digits, data))
    else:
        deep = any(isinstance(part, list) for row in data for part in row)
        for place, part in enumerate(data):
            if deep:
                yield f"[{place}]"
            yield from rows_of(part)
