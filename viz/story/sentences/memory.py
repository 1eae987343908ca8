"""Memory in words: which values hold which bytes, from step to step."""

from __future__ import annotations

from minipaddle.messages import REMARKS, Message
from minipaddle.messages import Row as InARow

from ...language.words import WORDS, say
from ...model import Memory, Row, Stay

ROWS, STAYS = 40, 8  # at most so many are listed

KINDS = {
    "shared": Message("block"),
    "own": Message("memory of its own"),
    "fed": WORDS["memory_fed"],
    "scope": WORDS["memory_scope"],
    "saved": Message("kept for backward"),
    "leaf": Message("an input kept for backward"),
}
SHORT = {
    "shared": KINDS["shared"],
    "own": Message("own memory"),
    "fed": Message.in_context("row", "fed"),
    "scope": KINDS["scope"],
    "saved": WORDS["memory_saved"],
    "leaf": WORDS["memory_leaf"],
}
MORE_ROWS = Message("and {count} more")
MORE_STAYS = Message.in_context("stays", "and {count} more")
IN_BRACKETS = Message("{what} ({more})")
STEP, STEPS = Message("step {first}"), Message("steps {first} to {last}")
# By whether all of it is kept for backward, and whose part of it is there anyway: that of
# persistable variables, of inputs, or none.
PEAK_OF = {
    (True, None): Message("Peak at step {step}: {total} kept for backward."),
    (True, False): Message(
        "Peak at step {step}: {total} kept for backward, of which {lasting} are inputs."
    ),
    (False, None): Message("Peak at step {step}: {total} in use."),
    (False, False): Message("Peak at step {step}: {total} in use, of which {lasting} are inputs."),
    (False, True): Message(
        "Peak at step {step}: {total} in use, of which {lasting} are persistable variables."
    ),
}


def size(count: int) -> str:
    """Write bytes as people read them.

    >>> size(48), size(1536), size(3 * 1024**2)
    ('48 B', '1.5 KiB', '3 MiB')
    """
    units = ["KiB", "MiB", "GiB", "TiB"]
    if count < 1024:
        return f"{count} B"
    number = float(count)
    while number >= 1024 and units:
        number, unit = number / 1024, units.pop(0)
    return f"{number:.4g} {unit}"


def transcript(memory: Memory, lang: str, first: int = 0) -> list[str]:
    """Return the section of a transcript: the most there is at once, then every row.

    `first` is the number of the first step in the whole trace.
    """
    if not memory.rows:
        return []
    title, shown = say("memory", lang), memory.rows[:ROWS]
    labels = max(len(row.label) for row in shown)
    rows = ["", title, "-" * 8, most(memory, first).of(lang)]
    rows += [f"  {row.label:<{labels}}  {row_text(row, lang, first)}" for row in shown]
    more = len(memory.rows) - len(shown)
    if more:
        rows.append(f"  {MORE_ROWS.fill(count=more).of(lang)}")
    return rows


def most(memory: Memory, first: int = 0) -> Message:
    """Say when most bytes are held, and how many of them are there anyway."""
    totals = [sum(both) for both in memory.live]
    step = totals.index(max(totals))
    lasting = memory.live[step][1]
    kinds = {row.kind for row in memory.rows}
    told = PEAK_OF[kinds <= {"saved", "leaf"}, ("scope" in kinds) if lasting else None]
    return told.fill(step=first + step + 1, total=size(totals[step]), lasting=size(lasting))


def row_text(row: Row, lang: str, first: int = 0) -> str:
    """Write a row, `48 B  a (14 to 25), b (26 to 31)`; one with the name of its value says its
    kind."""
    shown, more = row.stays[:STAYS], len(row.stays) - STAYS
    rest = [MORE_STAYS.fill(count=more)] if more > 0 else []
    spans = [span(stay, first) for stay in shown]
    if row.kind == "shared":
        stays = (in_brackets(s.name, told) for s, told in zip(shown, spans, strict=True))
        told = InARow([*stays, *rest], REMARKS).message()
    else:
        told = in_brackets(KINDS[row.kind], InARow([*spans, *rest], REMARKS))
    return f"{size(row.nbytes):>8}  {told.of(lang)}"


def in_brackets(what: str | Message, more: Message | InARow) -> Message:
    """Return `x (fed)`, with the brackets of the language."""
    return IN_BRACKETS.fill(what=what, more=more)


def span(stay: Stay, start: int = 0) -> Message:
    """Return the steps of a stay, as the transcript numbers them."""
    first, last = start + stay.first + 1, start + stay.last + 1
    return (STEP if first == last else STEPS).fill(first=first, last=last)
