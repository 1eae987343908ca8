"""The transcript: the text twin of the picture, step by step, the same bytes every time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..language.words import say
from ..model import Shown, Step, Story
from ..story.sentences import memory
from ..story.sentences.wording import digits, shape

SHOWN = 12  # of arrays with more elements only shape and range are given

MIRRORED = {"visit", "unbroadcast"}  # shown at the line that made the forward op


def transcript(story: Story, lang: str = "en") -> str:
    """Title, then for each step its number, code line, sentence and small values."""
    title = story.title or say("nothing", lang)
    rows = [title, "=" * max(len(title), 3), ""]
    phase = ""
    for step in story.steps:
        if step.phase != phase:
            phase = step.phase
            rows += [say(phase, lang), "-" * 8]
        rows += step_lines(story, step, lang)
    rows += memory.transcript(story.memory, lang)
    if story.note is not None:
        rows += ["", story.note.of(lang)]
    return "\n".join(row.rstrip() for row in rows) + "\n"


def step_lines(story: Story, step: Step, lang: str) -> list[str]:
    """One step: its sentence, the line of code, the formula and the values."""
    rows = [f"{step.index + 1:>4}  {step.text[lang]}"]
    place = step.forward_line if step.kind in MIRRORED else None
    place = place or step.line
    if place is not None:
        rows.append(f"        {code(story, place)}")
    if step.formula:
        rows.append(f"        {step.formula}")
    return rows + [f"        {value(s, lang, role_in(step, s))}" for s in step.shown]


def code(story: Story, place: tuple[int, int]) -> str:
    """`Cell [1]:5  y = paddle.tanh(x)`."""
    source = story.sources[place[0]]
    return f"{source.name}:{place[1]}  {source.lines[place[1] - source.first].strip()}"


def role_in(step: Step, shown: Shown) -> str:
    """The role by which a value is called: what a leaf got goes nowhere."""
    return "final" if step.kind == "leaf" and shown.role == "grad_out" else shown.role


def value(shown: Shown, lang: str, role: str = "") -> str:
    """`in x [2, 3] float64: [[1, 2, 3], [4, 5, 6]]`, in a sum `= w [2] float32: [1, 2]`."""
    head = f"{shown.sign or say(f'{role or shown.role}_short', lang)} {shown.name}"
    entry = shown.value
    if shown.role == "skipped":
        return head
    if shown.role == "taken" and entry is None:
        return f"{head}: {say('notTaken', lang)}"
    if entry is None:
        return f"{head}: None"
    return f"{head} {shape(entry['shape'])} {entry['dtype']}: {numbers(entry, lang)}"


def numbers(entry: Mapping[str, Any], lang: str) -> str:
    """All elements of a small array; range and mean of a large one."""
    stats, data = entry["stats"], entry["data"]
    size = stats.get("size")
    if data is not None and (size is None or size <= SHOWN):
        return nested_text(data)
    parts = [
        f"{say(name, lang)} {digits(stats[name])}"
        for name in ("min", "max", "mean")
        if stats.get(name) is not None
    ]
    parts += [f"{stats[name]} {name}" for name in ("nan", "inf") if stats.get(name)]
    return (", " if lang == "en" else "，").join(parts) or "-"


def nested_text(data: Any) -> str:
    if isinstance(data, list):
        return "[" + ", ".join(nested_text(item) for item in data) + "]"
    return digits(data)
