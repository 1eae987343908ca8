"""The parts of sentences: tensors, numbers, shapes, and lists of them.

A gradient that does not exist is called None; a gradient that is not computed is never called 0.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from minipaddle.events import Value
from minipaddle.messages import SENTENCES, Message, Row, Text
from minipaddle.ops.expression import (
    ATOM,
    NAME_LEVELS,
    PREFIX,
    PRODUCT,
    RAISED,
    RELATION,
    SUM,
    binding_level,
    outer_signs,
)

from ...document.distinct_names import base_of
from ...document.values import COMPLEX, only, zeros_like

NUMBER, NUMBERED = re.compile(r"\d+"), re.compile(r"#\d+$")
EQUALS = Text("{name} = {value}")
OP_WORDS = {  # ops whose names in sentences are words, which other languages translate
    "conv": Message("conv"), "conv transpose": Message("conv transpose"),
    "max pool": Message("max pool"), "average pool": Message("average pool"),
    "batch norm": Message("batch norm"), "layer norm": Message("layer norm"),
    "log loss": Message("log loss"),
}  # fmt: skip
NOTHING = Message("nothing")


@dataclass(frozen=True, slots=True)
class Figure:
    """The number of a tensor, for a slot that a page fills again when the number changes."""

    digits: str
    value: Mapping[str, Any] = field(compare=False)
    is_coded: bool = False  # a number of the code, written with six digits

    def of(self, _lang: str) -> str:
        """Return the number as it was recorded, the same in each language."""
        return self.digits


@dataclass(frozen=True, slots=True)
class Odd:
    """The words for elements that are not finite, `NaN` or `Inf`, for a slot.

    A page drops the message when a change of a number changes the count of such elements.
    """

    sign: str
    value: Mapping[str, Any] = field(compare=False)
    count: int

    def of(self, _lang: str) -> str:
        """Return the words, the same in each language."""
        return self.sign


@dataclass(frozen=True, slots=True)
class Constant:
    """A number in the user's code, for a slot: `0.5` of `× 0.5`."""

    digits: str

    def of(self, _lang: str) -> str:
        """Return the number, the same in each language."""
        return self.digits


@dataclass(frozen=True, slots=True)
class Exponent:
    """The exponent n of xⁿ, or n − 1 of its slope, for a slot; `constant` is n in the code."""

    constant: str
    less: int = 0

    def of(self, _lang: str) -> str:
        """Return the exponent, the same in each language.

        >>> Exponent("2").of("en"), Exponent("2", 1).of("en"), Exponent("0.5", 1).of("en")
        ('²', '', ' ^ −0.5')
        """
        power = coded(float(self.constant.replace("−", "-")) - self.less)
        if power == "1" and self.less:
            return ""
        is_whole = power.isdigit()
        return "".join(RAISED[digit] for digit in power) if is_whole else f" ^ {power}"


RESULTS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "−": operator.sub, "×": operator.mul, "÷": operator.truediv,
    "^": operator.pow, "//": operator.floordiv, "mod": operator.mod,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Equals:
    """The sign before the result of a calculation, for a slot: ≈ if it is not exactly that of the
    numbers as printed."""

    sign: str
    terms: Sequence[Figure | Constant | str]  # two operands and the result

    def of(self, lang: str) -> str:
        """Return the sign, the same in each language.

        >>> Equals("+", ("51", "9.125", "60.12")).of("en")
        '≈'
        >>> Equals("−", ("0.3", "0.1", "0.2")).of("en")
        '='
        """
        texts = [term if isinstance(term, str) else term.of(lang) for term in self.terms]
        if not all(text[-1:].isdigit() for text in texts):
            return "="
        a, b, total = (float(text.replace("−", "-")) for text in texts)
        try:
            result = RESULTS[self.sign](a, b)
        except ArithmeticError:
            return "="
        return "=" if abs(result - total) <= 1e-9 * max(abs(a), abs(b), abs(total)) else "≈"


class Mention:
    """A tensor or gradient in a sentence, for a slot; equal if name, fallback and texts are."""

    def __init__(
        self,
        name: str,
        value: Mapping[str, Any] | None = None,
        shape: tuple[int, ...] | None = None,
        fallback: str = "",
    ) -> None:
        self.name, self.value, self.fallback = name, value, fallback
        self.shape = shape if value is None else tuple(value["shape"])
        self.called = name or fallback or "it"
        single = only(value.get("data")) if value else None
        self.number = "" if single is None else digits(single)  # value of a single number
        self.is_coded = single is not None and not name and fallback == coded(single)
        if self.is_coded:
            self.number = fallback
        self._text = ""

    @property
    def text(self) -> str:
        """`x [2, 3]`, or `loss = 0.42` for a single number."""
        self._text = self._text or self._write()
        return self._text

    def _write(self) -> str:
        named = self.name or self.fallback
        if self.number:
            return f"{named} = {self.number}" if named not in ("", self.number) else self.number
        sizes = None if is_list(self.called) else self.shape  # a list shows its size
        if not sizes:
            return self.called
        called = f"({self.called})" if binding_level(self.called) == RELATION else self.called
        return f"{called} {shape(sizes)}"  # not `a == b [2]`, where b alone would have the shape

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mention):
            return NotImplemented
        return (self.name, self.fallback, self.text) == (other.name, other.fallback, other.text)

    def __hash__(self) -> int:
        return hash((self.name, self.fallback))

    @classmethod
    def recorded(cls, name: str, value: Value, fallback: str = "") -> Mention:
        """Return the mention of a recorded value with a name."""
        return cls(name, value.data, value.shape, fallback)

    @classmethod
    def zeros(cls, name: str, like: Mention) -> Mention:
        """Return the mention of zeros in the shape of another mention."""
        return cls(name, like.value and zeros_like(like.value), like.shape)

    @property
    def bare(self) -> Mention:
        """This mention without value and shape."""
        return Mention(self.name, fallback=self.fallback)

    @property
    def figure(self) -> Figure | str:
        """Number for a slot, or ""."""
        return Figure(self.number, self.value, self.is_coded) if self.value else self.number

    @property
    def parts(self) -> Message | Figure | str:
        """Text for a slot, with the number as a part of its own."""
        if self.text == self.number:
            return self.figure
        return EQUALS.fill(name=self.called, value=self.figure) if self.number else self.text

    def of(self, _lang: str) -> str:
        """Return the text, the same in each language."""
        return self.text


class NamedMention(NamedTuple):
    """A name, and the value for it, or None if there is none."""

    name: str
    thing: Mention | None


Things = Sequence[Mention | None]
Rows = Sequence[NamedMention]
Words = Message | Mention | str  # item of a row


# d and a name that together are another word, or begin with two d.
OTHER_WORD = re.compile(
    r"dd|(?:dim|dims|dup|dst|done|draw|date|data|dot|drop|diff|dist|dict|dev|def|del|delta|dtype|"
    r"dear|dart|dark|drain|drip|drag|drank|dense|depth|decay|dice|down|device|default)(?:[#_\d]|$)"
)
NOT_GRADIENTS: ContextVar[Collection[str]] = ContextVar("not gradients", default=())
USERS_WORDS: ContextVar[Collection[str]] = ContextVar("names of the user", default=())


@contextmanager
def names_of_the_user(
    names: Mapping[tuple[int, int], str], others: Collection[int]
) -> Iterator[None]:
    """Let sentences call no gradient `dx` meanwhile if the code has another dx.

    A dx inside a PyLayer is another one if it is among `others`, which are no gradients, or if
    several variables are dx, or several are x.
    """
    bases = {key: base_of(name) for key, name in names.items()}
    several = {bases[key] for key, name in names.items() if bases[key] != name}
    own = {
        base
        for (tensor, scope), base in bases.items()
        if not scope or tensor in others or several & {base, base[1:]}
    }
    token = NOT_GRADIENTS.set({name for name in own if name[:1] == "d"})
    words = USERS_WORDS.set({*bases.values()})
    try:
        yield
    finally:
        NOT_GRADIENTS.reset(token)
        USERS_WORDS.reset(words)


def d(name: str) -> str:
    """Return the short name of a gradient: `dx`, `dx#2`, `d(tanh(z))`, and `d(x)` if the user's
    code has a dx."""
    short = short_name(name)
    others = NOT_GRADIENTS.get()
    return f"d({name})" if others and base_of(short) in others else short


def like_gradients() -> list[str]:
    """Return the user's variables whose names look like gradients: `d_loss`."""
    return sorted(name for name in NOT_GRADIENTS.get() if name.startswith("d_"))


@lru_cache(maxsize=4096)
def short_name(name: str) -> str:
    is_glued = re.sub("[@#]", "_", name).isidentifier() and not OTHER_WORD.match(f"d{name}")
    is_glued = is_glued and "ᵀ" not in name  # dwᵀ reads as the transpose of dw
    return f"d{name}" if is_glued else f"d({name})"


def differentiable(gradient: str) -> str:
    """Return the name of a gradient that create_graph made a tensor of the graph: `∂x` for `dx`.

    A later pass has gradients `dx` of its own.
    """
    return f"∂{gradient[1:]}"


def nested_text(data: Any, write: Callable[[Any], str]) -> str:
    """Return numbers in nested lists as text.

    >>> nested_text([[1, 2], [0, 3]], str)
    '[[1, 2], [0, 3]]'
    """
    if isinstance(data, list):
        return f"[{', '.join(nested_text(each, write) for each in data)}]"
    return write(data)


def coded(number: Any) -> str:
    """Return a number of the user's code, as formulas have it: with six significant digits.

    >>> coded(1024.5), coded(-3.0001), coded(12345678)
    ('1024.5', '−3.0001', '12345678')
    """
    if isinstance(number, int) and not isinstance(number, bool):
        return str(number).replace("-", "−")
    return digits(number, 6)


def digits(number: Any, count: int = 4) -> str:
    """Return a number with four significant digits, −0 as 0; other values as str() writes them.

    >>> digits(-0.5), digits("(20.398346-1j)"), digits("1j")
    ('−0.5', '20.4 − 1j', '0 + 1j')
    """
    if number in ("inf", "-inf"):
        number = float(number)
    if isinstance(number, str) and COMPLEX.fullmatch(number):
        value = complex(number)
        real, imaginary = digits(value.real, count), digits(abs(value.imag), count)
        return f"{real} {'−' if value.imag < 0 else '+'} {imaginary}j"
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return str(number)
    text = f"{number + 0.0:.{count}g}".replace("-", "−")
    return text.replace("e−0", "e−").replace("e+0", "e+") if "e" in text else text


def bracket(called: str, sign: str = "", *, right: bool = False) -> str:
    """Return a name as an operand of a sign, in brackets if needed.

    >>> bracket("x @ w"), bracket("x @ w", "+"), bracket("a + b", "−", right=True)
    ('(x @ w)', 'x @ w', '(a + b)')
    """
    level = NAME_LEVELS.get(sign, ATOM)
    if level == RELATION:
        least = SUM
    elif level == SUM or (sign in ("×", "@") and {*outer_signs(called)} == {sign}):
        least = level + right
    else:
        least = PREFIX if level == PRODUCT else ATOM
    return called if binding_level(called) >= least else f"({called})"


def as_base(called: str) -> str:
    """Return an operand below an exponent: `x`, but `(x#2)`."""
    return f"({called})" if NUMBERED.search(called) else called


def length(text: str) -> int:
    """Return a text's length, with each number as one digit: `x[8:16]` is as long as `x[96:104]`.

    Otherwise a part would be too long in some rounds, and rounds would look different.

    >>> length("x[8:16]"), length("x[96:104]")
    (6, 6)
    """
    return len(NUMBER.sub("0", text))


def shape(sizes: Sequence[int]) -> str:
    """Return a shape as Paddle writes it: `[2, 3]`; `?` for an unknown size."""
    return "[" + ", ".join(["?" if n < 0 else str(n) for n in sizes]) + "]"


def detail(value: Value | None, name: str = "") -> str:
    """Return the second line of a box: `y: [2, 3] float64`."""
    if value is None:
        return ""
    text = f"{shape(value.shape)} {value.dtype}"
    return f"{name}: {text}" if name else text


def op_word(title: str) -> Message | str:
    """Return an op's name for a slot."""
    return OP_WORDS.get(title, title)


def is_list(name: str) -> bool:
    """Return whether a tensor is called by its numbers: [1, 2], but not [1, 2] + x."""
    return name[:1] == "[" and binding_level(name) == ATOM


def kept_name(name: str) -> str:
    """Return the name of a saved tensor; numbers alone would read as a shape."""
    return f"to_tensor({name})" if is_list(name) else name


def row(items: Iterable[Words], empty: Message = NOTHING) -> Row | Message:
    """Return distinct items as a list in words, or `empty` without items.

    >>> row(["x", "y", "x"]).of("en"), row([]).of("zh")
    ('x and y', '空')
    """
    once = {item if isinstance(item, str) else item.of("en"): item for item in items}
    return Row(once.values()) if once else empty


def things(tensors: Things) -> Row | Message:
    """Return tensors as a list in words."""
    return row([thing or "None" for thing in tensors])


def aside(what: Words, outside: str) -> Words:
    """Return a thing, with its name outside in brackets if that is another name."""
    if not outside:
        return what
    return Message("{name} (outside: {outside})", name=what, outside=outside)


def combine(sentence: Message, *more: Message) -> Message:
    """Return a sentence and those that follow it as one message."""
    return Row([sentence, *more], SENTENCES).message() if more else sentence
