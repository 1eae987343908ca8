"""Data of the page with many ranks: both pictures, and the sentences of each row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from minipaddle.messages import Message, languages

from ..draw.paint import Line, Mark, Painting, Part, Patch, Rect, Words
from ..layout.curves import number, text
from ..player.payload import Values
from .collectives import Collective, group_ranks
from .columns import common_name
from .picture import Picture
from .score import Score
from .sentences import names_of, sentence


def payload_of(
    score: Score, title: Mapping[str, str], notes: Sequence[tuple[str, Message]]
) -> dict[str, Any]:
    """Return the data that the page reads."""
    values = Values()
    rows = [row_of(score, row, values) for row in range(score.count)]
    values.fill()
    folds = any(len(ranks) > 1 for ranks in score.folded)
    return {
        "title": title,
        "pictures": [picture_of(score, fold) for fold in ((True, False) if folds else (False,))],
        "rows": rows,
        "opens": score.opens_at(),
        "values": values.entries,
        "notes": [{"kind": kind, "text": text.by_language()} for kind, text in notes],
    }


# ----- the pictures ------------------------------------------------------------------------------


def picture_of(score: Score, fold: bool) -> dict[str, Any]:
    """Return the picture in each language."""
    picture = Picture(score, fold)
    rows = {each.id: score.row_of(each) for each in score.collectives}
    return {lang: painting_data(picture.painting(lang), rows) for lang in languages()}


def painting_data(painting: Painting, rows: Mapping[str, int]) -> dict[str, Any]:
    """Return the size and the parts of a picture, with their rows in the score."""
    parts = [part for part in painting.parts if part.role != "paper"]
    return {
        "left": painting.left,
        "width": painting.width,
        "height": painting.height,
        "parts": [part_data(part, rows) for part in parts],
    }


def part_data(part: Part, rows: Mapping[str, int]) -> dict[str, Any]:
    """Return the data of a part: role, id, title, rows and marks."""
    first = row = None
    if part.role == "collective":
        first = row = rows[part.id]
    elif part.role in ("box", "frame", "wire", "span"):
        span = part.id.split(".")[1].split("-")
        first, row = int(span[0]), int(span[-1])
    return {
        "role": part.role,
        "id": part.id,
        "title": part.title,
        "since": first,
        "row": row,
        "marks": [element_of(mark) for mark in part.marks],
    }


def element_of(mark: Mark) -> list[Any]:
    """Return the SVG element of a mark: its tag, its attributes and its text.

    >>> element_of(Patch(((0.0, 1.0), (2.0, 3.5)), "ink"))
    ['polygon', {'points': '0,1 2,3.5', 'style': 'fill: var(--ink)'}, '']
    """
    match mark:
        case Rect(x, y, w, h, radius, fill, stroke, width):
            place = {"x": x, "y": y, "width": w, "height": h, "rx": radius}
            place = {name: round(size, 1) for name, size in place.items()}
            style = f"fill: {colour(fill)}; stroke: {colour(stroke)}; stroke-width: {width}"
            return ["rect", {**place, "style": style}, ""]
        case Line(path, stroke, width, dashed):
            style = f"fill: none; stroke: {colour(stroke)}; stroke-width: {width}"
            style += "; stroke-dasharray: 6 4" if dashed else ""
            return ["path", {"d": text(path), "style": style}, ""]
        case Patch(points, fill):
            corners = " ".join(f"{number(x)},{number(y)}" for x, y in points)
            return ["polygon", {"points": corners, "style": f"fill: {colour(fill)}"}, ""]
    assert isinstance(mark, Words), mark  # ranks have no pixels
    attributes: dict[str, Any] = {
        "x": round(mark.x, 1),
        "y": round(mark.y, 1),
        "class": "mp-words" + " mp-mono" * mark.mono + " mp-halo" * bool(mark.halo),
        "text-anchor": mark.anchor,
        "font-size": mark.size,
        "font-weight": 600 if mark.bold else None,
        "style": f"fill: {colour(mark.colour)}; stroke: {colour(mark.halo)}",
    }
    return ["text", attributes, mark.text]


def colour(name: str | None) -> str:
    """Return a colour of the theme as CSS."""
    return f"var(--{name})" if name else "none"


# ----- the rows ----------------------------------------------------------------------------------


def row_of(score: Score, row: int, values: Values) -> dict[str, Any]:
    """Return a row's sentences, lines and values, each with its ranks."""
    steps = {rank: step for rank, part in score.parts.items() if (step := part.at(row))}
    sentences = sentences_in(score, row)
    shown = [each for ranks in score.folded for each in values_in(score, ranks, row, values)]
    return {
        "phase": next((step.phase for step in steps.values()), "forward"),
        "told": [{"who": who.by_language(), "text": text.by_language()} for who, text in sentences],
        "lines": lines_in(score, row),
        "shown": shown,
    }


def sentences_in(score: Score, row: int) -> Iterator[tuple[Message, Message]]:
    """Yield the sentences of a row: those of collectives, then those of other steps."""
    met = [each for each in score.collectives if here(score, each, row)]
    busy = {rank for each in met for rank in each.calls}
    for each in met:
        yield names_of(sorted({*each.calls, *each.missing})), sentence(score, each)
    steps = {rank: part.at(row) for rank, part in score.parts.items() if rank not in busy}
    texts = {rank: step.text for rank, step in steps.items() if step is not None}
    for said, ranks in group_ranks(texts).items():
        yield names_of(ranks), said


def here(score: Score, each: Collective, row: int) -> bool:
    """Return whether a collective, or the part of one of its ranks, is in a row."""
    steps = ((score.parts[rank].at(row), call) for rank, call in each.calls.items())
    return any(step is not None and step.index == call.step for step, call in steps)


def lines_in(score: Score, row: int) -> list[dict[str, Any]]:
    """Return the lines of code of a row, each with the ranks that are at it."""
    at = {
        rank: part.story.code_at(step.told_line)
        for rank, part in score.parts.items()
        if (step := part.at(row)) and step.told_line
    }
    return [
        {"who": names_of(ranks).by_language(), "place": place, "code": code}
        for (place, code), ranks in group_ranks(at).items()
    ]


def values_in(
    score: Score, ranks: Sequence[int], row: int, values: Values
) -> Iterator[dict[str, Any]]:
    """Yield the values that equal ranks show in a row; ranks with equal values form a set."""
    steps = [(rank, step) for rank in ranks if (step := score.parts[rank].at(row))]
    for same in zip(*(step.shown for _, step in steps), strict=False):
        pairs = zip(steps, same, strict=True)
        places = {rank: values.add(each.value) for (rank, _), each in pairs if each.value}
        if places:
            yield {
                "name": common_name([each.name for each in same]),
                "role": same[0].role,
                "sets": [
                    {"who": names_of(own).by_language(), "ranks": own, "value": value}
                    for value, own in group_ranks(places).items()
                ],
            }
