"""A message: an English template and the values of its slots, rendered when somebody reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from numbers import Number
from string import Formatter
from typing import Any


class Message:
    """A sentence that can be rendered in each language.

    A slot `{name}` takes text, a number, another Message, a Row of these, or anything else with a
    method `of(lang)`; other values are stored as their `str`. `{names:is|are}` is the first word
    if `names` is 1 or has one element, else the second. A message without slots is shown
    unchanged, braces too.

    >>> held = Message("{names} {names:is|are} no longer needed.", names=Row(["x", "y"]))
    >>> held.of("en")
    'x and y are no longer needed.'
    """

    __slots__ = ("key", "slots", "template")  # `key` finds the translation

    def __init__(self, template: str, /, **slots: Any) -> None:
        self.template = self.key = template
        self.slots: Mapping[str, Any] = {name: storable(value) for name, value in slots.items()}

    @classmethod
    def in_context(cls, context: str, template: str, /, **slots: Any) -> Message:
        """Make a message whose words have another translation in a context.

        >>> Message("zeros").zh, Message.in_context("badge", "zeros").zh
        ('0 的比例', '补 0')
        """
        message = cls(template, **slots)
        message.key = f"{context}\x04{template}"
        return message

    def template_in(self, lang: str) -> str:
        """Return the template in a language."""
        return translated(self.template, lang, self.key)

    def fill(self, **slots: Any) -> Message:
        """Return the same message with values for more of its slots.

        >>> Message("{by} has no gradient").fill(by="argmax").of("en")
        'argmax has no gradient'
        """
        filled = Message.__new__(type(self))
        filled.template, filled.key = self.template, self.key
        filled.slots = {**self.slots, **{name: storable(value) for name, value in slots.items()}}
        return filled

    def changed(self, change: Callable[[str], str]) -> Message:
        """Return a message whose text is changed by a function after it is rendered.

        >>> Message("nothing").changed(str.upper).of("en")
        'NOTHING'
        """
        return Text.around(Changed(self, change))

    def of(self, lang: str) -> str:
        """Render the message in a language."""
        template = self.template_in(lang)
        return render(template, self.slots, lang) if self.slots else template

    def by_language(self) -> dict[str, str]:
        """Render the message in all languages."""
        return {lang: self.of(lang) for lang in languages()}

    def own(self, lang: str) -> str:
        """Render the message in a language; "" if the text is the English one."""
        text = self.of(lang)
        return text if text != self.en else ""

    @property
    def en(self) -> str:
        """The message in English."""
        return self.of("en")

    @property
    def zh(self) -> str:
        """The message in Chinese."""
        return self.of("zh")

    def __iter__(self) -> Iterator[str]:
        """Yield the English text, then the Chinese."""
        yield self.en
        yield self.zh

    def __str__(self) -> str:
        return self.en

    def __format__(self, spec: str) -> str:
        return format(self.en, spec)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.en!r}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return self.key == other.key and self.slots == other.slots

    def __hash__(self) -> int:
        texts = (value for value in self.slots.values() if isinstance(value, str))
        return hash((self.key, *self.slots, *texts))


class Changed:
    """A message that is changed after it is rendered: shortened, or turned into a heading.

    Two are equal if they read the same in each language.
    """

    __slots__ = ("change", "message")

    def __init__(self, message: Message, change: Callable[[str], str]) -> None:
        self.message, self.change = message, change

    def of(self, lang: str) -> str:
        """Render the message in a language, and change the text."""
        return self.change(self.message.of(lang))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Changed):
            return NotImplemented
        return all(self.of(lang) == other.of(lang) for lang in languages())

    def __hash__(self) -> int:
        return hash(self.of("en"))


class Text(Message):
    """A message with its own translations, or a name, which is the same in all languages.

    >>> Text("{by} has no gradient", "{by} 没有梯度").fill(by="argmax").of("zh")
    'argmax 没有梯度'
    >>> Text("w").of("zh")
    'w'
    """

    __slots__ = ("others",)

    def __init__(self, en: str, zh: str = "", **others: str) -> None:
        super().__init__(en)
        given = {"zh": zh, **others}
        self.others = {lang: text for lang, text in given.items() if text not in ("", en)}
        self.key = "\x04".join(["", *self.others.values(), en])

    @classmethod
    def around(cls, thing: Any) -> Text:
        """Make a message of an object with a method `of(lang)`.

        >>> Text.around(Row(["x", "y"])).of("zh")
        'x 和 y'
        """
        return cls("{thing}").fill(thing=thing)

    def template_in(self, lang: str) -> str:
        return self.others.get(lang, self.template)

    def fill(self, **slots: Any) -> Text:
        filled = super().fill(**slots)
        assert isinstance(filled, Text)
        filled.others = self.others
        return filled


def storable(value: Any) -> Any:
    """Return a value that a message may store: its str for an array or a tensor."""
    if value.__class__ is str or hasattr(value, "of") or isinstance(value, (str, Number)):
        return value
    return str(value)


# ----- Rendering ---------------------------------------------------------------------------------


def render(template: str, slots: Mapping[str, Any], lang: str) -> str:
    """Fill a template; in Chinese, set spaces between Chinese and other letters at slots.

    >>> render("把{x}变为 {n}", {"x": "W", "n": "空"}, "zh")
    '把 W 变为空'
    """
    parts = parsed(template)
    if lang != "zh":
        return "".join(
            [
                words + shown(slots[name], spec, lang) if name else words
                for words, name, spec in parts
            ]
        )
    text, after_slot = "", False
    for literal, name, spec in parts:
        text = joined(text, literal, lang) if after_slot else text + literal
        if name:
            text, after_slot = joined(text, shown(slots[name], spec, lang), lang), True
        else:
            after_slot = False
    return text


@lru_cache(maxsize=4096)
def parsed(template: str) -> tuple[tuple[str, str, str], ...]:
    """Split a template into (words, slot after them, format of the slot)."""
    return tuple(
        (literal, name or "", "!r" if conversion == "r" else spec or "")
        for literal, name, spec, conversion in Formatter().parse(template)
    )


def shown(value: Any, spec: str, lang: str) -> str:
    """Render the value of a slot."""
    if "|" in spec:
        count = value if isinstance(value, Number) else len(value)
        return spec.split("|")[count != 1]
    if isinstance(value, str):
        return repr(value) if spec == "!r" else value
    of = getattr(value, "of", None)
    return format(value, spec) if of is None else str(of(lang))


class Row:
    """Texts and messages joined for a slot: `a, b and c`, or by the template `between`.

    Templates are `LIST`, `REMARKS`, `CLAUSES` and `SENTENCES`; `last` joins the last item, by
    default `AND`, or `between` if given.

    >>> Row(["x", "y", "z"]).of("en"), Row(["x", "y"], LIST).of("zh")
    ('x, y and z', 'x、y')
    """

    __slots__ = ("between", "items", "last")

    def __init__(
        self, items: Iterable[Any], between: Message | None = None, last: Message | None = None
    ) -> None:
        self.items = [storable(item) for item in items]
        self.between, self.last = between or LIST, last or between or AND

    def __len__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row):
            return NotImplemented
        ways = self.between, self.last
        return self.items == other.items and ways == (other.between, other.last)

    def __hash__(self) -> int:
        return hash((self.between, self.last))

    def of(self, lang: str) -> str:
        """Render the row in a language."""
        texts = [shown(item, "", lang) for item in self.items]
        row = texts[0] if texts else ""
        for at, text in enumerate(texts[1:], 2):
            join = self.last if at == len(texts) else self.between
            row = render(join.template_in(lang), {"row": row, "next": text}, lang)
        return row

    @property
    def joined(self) -> Any:
        """The items as one value of a slot: messages nested in each other, each joining two."""
        row = self.items[0] if self.items else ""
        for at, item in enumerate(self.items[1:], 2):
            join = self.last if at == len(self.items) else self.between
            row = join.fill(row=row, next=item)
        return row

    def message(self) -> Message:
        """Return the row as a Message."""
        return Text.around(self)


EMPTY: Message = Text("")
AND = Message("{row} and {next}")
OR = Message("{row} or {next}")
LIST = Message("{row}, {next}")
REMARKS = Message.in_context("remarks", "{row}, {next}")
CLAUSES = Message("{row}; {next}")
SENTENCES = Message("{row} {next}")
COLON = Message("{row}: {next}")


def joined(left: str, right: str, lang: str) -> str:
    """Join two texts; in Chinese with one space between a Chinese letter and another one."""
    if lang != "zh" or not left or not right or left[-1] == "\n" or right[0] == "\n":
        return left + right
    before, after = left, right
    if left[-1] == " " or right[0] == " ":
        before, after = left.rstrip(" "), right.lstrip(" ")
        if not before or not after:
            return left + right
    one, other = kind_of(before[-1]), kind_of(after[0])
    if one and other:
        return before + after
    if one or other:
        return f"{before} {after}" if 2 in (one, other) else before + after
    return left + right


@cache
def kind_of(letter: str) -> int:
    """Return 2 for a Chinese letter, 1 for Chinese punctuation, 0 for anything else."""
    if "\u3400" <= letter <= "\u9fff":
        return 2
    return int(letter in "“”" or "\u3000" <= letter <= "\u303f" or "\uff00" <= letter <= "\uffef")


# ----- translations ------------------------------------------------------------------------------


FOLDER = ""  # folder of the catalogues; "" for the one of this file


def languages() -> tuple[str, ...]:
    """Return the languages that messages can be rendered in, English first.

    >>> languages()
    ('en', 'zh')
    """
    return _languages_in(FOLDER)


@cache
def _languages_in(folder: str) -> tuple[str, ...]:
    from pathlib import Path

    files = Path(folder or Path(__file__).parent).glob("*.json")
    return ("en", *sorted(file.stem for file in files))


def catalogue(lang: str) -> dict[str, str]:
    """Return the map from English templates to one language; {} for English."""
    return _catalogue_in(FOLDER, lang)


@cache
def _catalogue_in(folder: str, lang: str) -> dict[str, str]:
    import json
    from pathlib import Path

    if lang not in _languages_in(folder):
        return {}
    file = Path(folder or Path(__file__).parent, f"{lang}.json")
    return json.loads(file.read_text("utf-8"))


def translated(template: str, lang: str, key: str = "") -> str:
    """Return a template in a language, or in English if it has no translation.

    `key` finds the translation in the catalogue; "" for the template itself.
    """
    return template if lang == "en" else catalogue(lang).get(key or template, template)
