"""The parts of an error's message in a document that has only its text."""

from __future__ import annotations

import re

from minipaddle.events.event_types import ErrorPart

# How each part began, in English and in Chinese; before the first stands what is wrong.
BEGINNINGS = {
    "expected": ("  expected  ", "  要求："),
    "received": ("  received  ", "  实际："),
    "fix": ("  to do     ", "  怎么办："),
    "place": ("  at        ", "  位置："),
}
_BEGINNING = re.compile("|".join(text for pair in BEGINNINGS.values() for text in pair))


def parts_of(message: str, message_zh: str) -> tuple[ErrorPart, ...]:
    """Return the parts that stand in the text of an error of minipaddle.

    >>> parts_of("no.\\n  expected  1", "不。\\n  要求：一")[1]
    ErrorPart(name='expected', text='1', text_zh='一')
    """
    parts, chinese = _read(message), _read(message_zh)
    return tuple(ErrorPart(name, parts[name], chinese.get(name, "")) for name in parts)


def _read(text: str) -> dict[str, str]:
    names = {begin: name for name, pair in BEGINNINGS.items() for begin in pair}
    found, name = {"what": ""}, "what"
    for line in text.split("\n"):
        if begin := _BEGINNING.match(line):
            name = names[begin[0]]
            found[name] = line[begin.end() :]
        else:
            found[name] += f"\n{line}" if found[name] else line
    return found
