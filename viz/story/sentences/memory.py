"""Memory as text: which values hold how many bytes, from step to step."""

from __future__ import annotations

from minipaddle.messages import REMARKS, Message
from minipaddle.messages import Row as InARow

from ...language.words import WORDS, say
from ...model import Memory, Row, Stay
from ...theme import table_lines
from .wording import combine

ROWS, STAYS = 40, 8  # most rows, and most stays of a row, that are listed

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
# (whether all memory is of saved tensors, kind of lasting memory in it: True for persistable
# variables, False for inputs, "all" for inputs alone, None for none) -> text.
PEAK_OF: dict[tuple[bool, bool | str | None], Message] = {
    (True, None): Message("Peak at step {step}: {total} kept for backward."),
    (True, False): Message(
        "Peak at step {step}: {total} kept for backward, of which {lasting} are inputs."
    ),
    (True, "all"): Message("Peak at step {step}: {total} kept for backward, all of it inputs."),
    (False, None): Message("Peak at step {step}: {total} in use."),
    (False, False): Message("Peak at step {step}: {total} in use, of which {lasting} are inputs."),
    (False, True): Message(
        "Peak at step {step}: {total} in use, of which {lasting} are persistable variables."
    ),
}

OPEN_ENDED = Message("What no backward has released counts to the end.")


def size(count: int) -> str:
    """Return a number of bytes with a unit.

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
    """Return the lines of a transcript's section: the peak, then the rows.

    `first` is the index of the first step in the whole trace.
    """
    if not memory.rows:
        return []
    title, shown = say("memory", lang), memory.rows[:ROWS]
    rows = ["", title, "-" * 8, most(memory, first).of(lang)]
    table = [(row.label, row_text(row, lang, first)) for row in shown]
    rows += [f"  {line}" for line in table_lines(table, "<<")]
    more = len(memory.rows) - len(shown)
    if more:
        rows.append(f"  {MORE_ROWS.fill(count=more).of(lang)}")
    return rows


def most(memory: Memory, first: int = 0) -> Message:
    """Return the sentence on the peak: its step, all bytes, and the lasting ones."""
    totals = [sum(both) for both in memory.live]
    step = totals.index(max(totals))
    lasting = memory.live[step][1]
    kinds = {row.kind for row in memory.rows}
    saved = kinds <= {"saved", "leaf"}
    kind = ("scope" in kinds) if lasting else None
    said = PEAK_OF[saved, "all" if saved and lasting == totals[step] else kind]
    peak = said.fill(step=first + step + 1, total=size(totals[step]), lasting=size(lasting))
    return combine(peak, OPEN_ENDED) if memory.open_ended else peak


def row_text(row: Row, lang: str, first: int = 0) -> str:
    """Return a row's text, `48 B  a (14 to 25), b (26 to 31)`, or its kind if it has one value."""
    shown, more = row.stays[:STAYS], len(row.stays) - STAYS
    rest = [MORE_STAYS.fill(count=more)] if more > 0 else []
    spans = [span(stay, first) for stay in shown]
    if row.kind == "shared":
        stays = (in_brackets(s.name, said) for s, said in zip(shown, spans, strict=True))
        said = InARow([*stays, *rest], REMARKS).message()
    else:
        said = in_brackets(KINDS[row.kind], InARow([*spans, *rest], REMARKS))
    return f"{size(row.nbytes):>8}  {said.of(lang)}"


def in_brackets(what: str | Message, more: Message | InARow) -> Message:
    """Return `x (fed)`, with the brackets of each language."""
    return IN_BRACKETS.fill(what=what, more=more)


def span(stay: Stay, start: int = 0) -> Message:
    """Return the steps of a stay, numbered as in the transcript."""
    first, last = start + stay.first + 1, start + stay.last + 1
    return (STEP if first == last else STEPS).fill(first=first, last=last)
