"""The transcript: the picture as text, step by step, the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from minipaddle.engine.visible import make_visible
from minipaddle.messages import REMARKS, Message, Row

from ..language.words import say
from ..model import Fault, ShapeRow, Shown, Step, Story
from ..story.chapters import (
    Chapter,
    Recorded,
    Told,
    capital,
    heading,
    name_by_numbers,
    remark_on,
    shared_loss_name,
)
from ..story.sentences import memory
from ..story.sentences.wording import digits, nested_text, shape
from ..theme import cells, table_lines

WIDEST = 10_000  # maximum number of characters in a row; only exceptions exceed it
SHOWN = 12  # arrays with more elements are shown by shape and range

UNTOLD = "–"  # stands for an unknown value


def transcript(trace: Recorded, lang: str = "en", remark: str = "") -> str:
    """Return title and remark, then each step: number, line of code, sentence and small values.

    Of several rounds with equal steps only the first is written out; a table has the losses of all.
    """
    rows = list(write_rounds(trace, lang)) if trace.rounds else list(write_steps(trace.story, lang))
    title = trace.title if trace.rounds or trace.story.title else say("nothing", lang)
    head = [*underline(title, "="), "", *([remark, ""] if remark else [])]
    shown = (make_visible(row.rstrip(), keep="\n", most=WIDEST) for row in (*head, *rows))
    return "\n".join(shown) + "\n"


def write_steps(story: Story, lang: str, first: int = 0) -> Iterator[str]:
    """Yield the lines of a story; `first` is the number of its first step in the whole trace."""
    phase = ""
    for step in story.steps:
        if step.phase != phase:
            phase = step.phase
            yield from (say(phase, lang), "-" * 8)
        yield from step_lines(story, step, lang, first)
    yield from memory.transcript(story.memory, lang, first)
    if story.note is not None and story.steps[-1].fault is None:  # an error's step says it itself
        yield from ("", story.note.of(lang))


def underline(text: str, sign: str) -> tuple[str, str]:
    return text, sign * max(cells(text), 3)


def step_lines(story: Story, step: Step, lang: str, first: int = 0) -> list[str]:
    """Return the lines of a step: its sentence, line of code, formula and values.

    `first` is the number of the story's first step in the whole trace.
    """
    rows = [f"{first + step.index + 1:>4}  {step.text.of(lang)}"]
    if step.told_line is not None:
        rows.append(f"        {'  '.join(story.code_at(step.told_line))}")
    if step.formula:
        rows.append(f"        {step.formula}")
    shown = [value(s, lang, role_in(step, s)) for s in step.shown]
    return rows + [f"        {row}" for row in (*shown, *fault_lines(step.fault, lang))]


def fault_lines(fault: Fault | None, lang: str, brief: bool = False) -> Iterator[str]:
    """Yield an error's shapes below each other, with ^ under those that clash, and its advice.

    `brief`: if there are shapes, leave out the texts "expected" and "received".
    """
    if fault is None:
        return
    yield from align_shapes(fault.rows, lang)
    shown = ("expected", "received") if brief and fault.rows else ()
    for kind, text in fault.told:
        if kind in shown:
            continue
        first, *more = text.of(lang).split("\n")
        yield f"{say(f'fault_{kind}', lang)}{say('colon', lang)}{first}"
        yield from more


def align_shapes(rows: Sequence[ShapeRow], lang: str) -> Iterator[str]:
    """Yield a table of shapes; rows with equal clashes share one line of marks below them.

    >>> rows = [ShapeRow("x", ("4", "3"), (1,)), ShapeRow("b", ("", "4"), (1,))]
    >>> print(*align_shapes(rows, "en"), sep="\\n")
      x  4  3
      b     4
            ^
    """
    if not rows:
        return
    table = []
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        note = row.note.of(lang)
        table.append((row.name, *row.sizes, note))
        is_last = after is None or (after.clash, after.odd) != (row.clash, row.odd)
        if is_last and (row.clash or row.odd):
            marks = ("^" * (at in row.clash) for at in range(len(row.sizes)))
            table.append(("", *marks, "^" * cells(note) * row.odd))
    yield from (f"  {line}" for line in table_lines(table, "<" + ">" * len(rows[0].sizes) + "<"))


# ----- rounds ------------------------------------------------------------------------------------

SAME = Message(
    "{rounds} (from step {step}) take the same steps as {like}; "
    "trace.round({index}).text({lang}), counted from 0, tells the first of them."
)
SAME_ONE = Message(
    "{rounds} (from step {step}) takes the same steps as {like}; "
    "trace.round({index}).text({lang}), counted from 0, tells it."
)


def write_rounds(trace: Recorded, lang: str) -> Iterator[str]:
    """Yield a table of all rounds, then the chapters; rounds that repeat steps get one line."""
    yield from table(trace, lang)
    like = {number: each.rounds[0] for each in trace.structures for number in each.rounds}
    repeats: list[Chapter[Told]] = []
    for chapter in trace.chapters:
        if chapter.round is not None and like[chapter.round] != chapter.round:
            repeats.append(chapter)
            continue
        yield from write_repeats(repeats, like, lang)
        repeats = []
        yield from ("", *underline(heading(trace, chapter).of(lang), "="), "")
        yield from write_steps(chapter.trace.story, lang, chapter.first)
    yield from write_repeats(repeats, like, lang)
    note = repeats[-1].trace.story.note if repeats else None
    yield from ("", note.of(lang)) if note else ()


def table(trace: Recorded, lang: str) -> Iterator[str]:
    """Yield each round in a line: its number, loop variables, loss, and a remark."""
    names = list(dict.fromkeys(name for each in trace.rounds for name in each.names))
    remarks = {each.round: remark_on(trace, each) for each in trace.chapters}
    shared = shared_loss_name(trace.rounds)
    rows: list[list[str]] = [[say("round", lang), *names, shared.of(lang), ""]]
    for each in trace.rounds:
        values = [str(each.names.get(name, UNTOLD)) for name in names]
        loss = UNTOLD if each.loss is None else digits(each.loss)
        if each.loss is not None and each.loss_name != shared:
            loss = f"{each.loss_name.of(lang)} {loss}"
        remark = remarks.get(each.index, Message("steps not recorded"))
        rows.append([str(each.index + 1), *values, loss, remark.of(lang)])
    yield from underline(say("rounds", lang), "-")
    yield from table_lines(rows, ">" * (len(names) + 2) + "<")


def write_repeats(
    repeats: Sequence[Chapter[Told]], like: Mapping[int, int], lang: str
) -> Iterator[str]:
    """Yield one line for rounds that repeat earlier steps."""
    numbers = [each.round for each in repeats if each.round is not None]
    if not numbers:
        return
    said = SAME if len(numbers) > 1 else SAME_ONE
    models = sorted({like[number] for number in numbers})
    about = {"step": str(repeats[0].first + 1), "index": str(numbers[0])}
    about["lang"] = "" if lang == "en" else f'"{lang}"'
    text = said.fill(
        rounds=capital(name_by_numbers(numbers)), like=name_by_numbers(models), **about
    )
    yield from ("", text.of(lang))


def role_in(step: Step, shown: Shown) -> str:
    """Return the role of a shown value; the gradient that a leaf got is "final"."""
    return "final" if step.kind == "leaf" and shown.role == "grad_out" else shown.role


def value(shown: Shown, lang: str, role: str = "") -> str:
    """Return `in x [2] float64: [1, 2]`, in a sum `= w [1] …` or `− 0.1 × (w.grad [1] …)`."""
    head = f"{shown.sign or say(f'{role or shown.role}_short', lang)} {shown.name}"
    entry = shown.value
    if shown.role == "skipped":
        return head
    if shown.role == "taken" and entry is None:
        return f"{head}: {say('notTaken', lang)}"
    if entry is None:
        return f"{head}: None"
    told = f"{shown.name} {shape(entry['shape'])} {entry['dtype']}: {numbers(entry, lang)}"
    before = head.removesuffix(shown.name)
    return f"{before}({told})" if before[0] == "−" or before.endswith("× ") else before + told


def numbers(entry: Mapping[str, Any], lang: str) -> str:
    """Return all elements of a small array; range and mean of a large one."""
    stats, data = entry["stats"], entry["data"]
    size = stats.get("size")
    if data is not None and (size is None or size <= SHOWN):
        return nested_text(data, digits)
    if entry["dtype"] == "bool" and size and stats.get("mean") is not None:
        return f"True × {round(stats['mean'] * size)} / {size}"
    parts = [
        f"{say(name, lang)} {digits(stats[name])}"
        for name in ("min", "max", "mean")
        if stats.get(name) is not None
    ]
    parts += [f"{stats[name]} {name}" for name in ("nan", "inf") if stats.get(name)]
    return Row(parts, REMARKS).of(lang) or "-"
