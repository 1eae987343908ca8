"""Messages as JSON that a page renders (`web/message.js`): templates and slots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from minipaddle.messages import Message, Row, languages, parsed

from ..story.sentences.wording import Constant, Equals, Exponent, Figure, Mention, Odd

Add = Callable[[Mapping[str, Any]], int]


class Templates(NamedTuple):
    """Templates of a message by language, their slots, and the slots whose count they need."""

    texts: Mapping[str, str]
    slots: tuple[str, ...]
    counted: frozenset[str]


def encode(said: Any, add: Add) -> Any:
    """Return the content of a slot as JSON; `add` returns the place of a value.

    >>> from minipaddle.messages import Text
    >>> said = Text("{x} = {n}", "{x} = {n}").fill(x="x", n=Figure("2", {"data": 2.0}))
    >>> encode(said, lambda _: 7)
    {'en': '{x} = {n}', 'zh': '{x} = {n}', 'slots': {'x': 'x', 'n': {'value': 7}}}
    """
    if isinstance(said, str):
        return said
    if isinstance(said, Mention):
        return encode(said.parts, add)
    if isinstance(said, Message):
        return _encode_message(said, add)
    if isinstance(said, Row):
        return encode(said.joined, add)
    if isinstance(said, Figure):
        place = {"value": add(said.value)}
        return place | {"coded": True} if said.is_coded else place
    if isinstance(said, Constant):
        return {"constant": said.digits}
    if isinstance(said, Equals):
        terms = zip("abc", said.terms, strict=True)
        return {"equals": said.sign, "slots": {name: encode(term, add) for name, term in terms}}
    if isinstance(said, Exponent):
        return {"constant": said.constant, "less": said.less}
    if isinstance(said, Odd):
        row = {"row": said.sign, "count": said.count}
        return {**row, "of": add(said.value), "odd": said.sign.lower()}
    return str(said) if isinstance(said, bool) else said


def _encode_message(said: Message, add: Add) -> dict[str, Any]:
    texts, slots, counted = templates_of(
        tuple([(lang, said.template_in(lang)) for lang in languages()])
    )
    rows = {name: encode(said.slots[name], add) for name in slots}
    for name in counted:
        row = said.slots[name]
        if isinstance(row, Row):
            rows[name] = {"row": rows[name], "count": len(row)}
    return {**texts, "slots": rows} if rows else {**texts}


@lru_cache(maxsize=4096)
def templates_of(texts: tuple[tuple[str, str], ...]) -> Templates:
    """Return the templates with their slots."""
    parts = [part for _, text in texts for part in parsed(text)]
    slots = dict.fromkeys(name for _, name, _ in parts if name)
    return Templates(dict(texts), tuple(slots), frozenset(n for _, n, spec in parts if "|" in spec))
