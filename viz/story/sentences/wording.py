"""What every sentence is made of: tensors, numbers, shapes and rows of them, in two languages.

A gradient that does not exist is called None; one that has not been computed is never called 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from minipaddle.events import Value

from ...document.values import only, zeros_like

Pair = tuple[str, str]
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Thing:
    """A tensor or gradient as a sentence speaks of it: put into words once, when it is made.

    called: its name, or else what stands for one. number: the number itself, where there is just
    one. text: `x [2, 3]`, or `loss = 0.42` for a single number.
    """

    name: str
    value: Mapping[str, Any] | None = None
    shape: tuple[int, ...] | None = None
    fallback: str = ""
    called: str = field(init=False)
    number: str = field(init=False)
    text: str = field(init=False)

    def __post_init__(self) -> None:
        called, number, sizes = self.name or self.fallback, "", self.shape
        if self.value is not None:
            sizes = tuple(self.value["shape"])
            data = only(self.value.get("data"))
            number = "" if data is None else digits(data)
        if number:
            text = f"{called} = {number}" if called not in ("", number) else number
        else:
            text = called or "it"
            if sizes and text[0] != "[":  # a list says its size
                text = f"{text} {shape(sizes)}"
        words = {"shape": sizes, "called": called or "it", "number": number, "text": text}
        for name, word in words.items():
            object.__setattr__(self, name, word)

    @classmethod
    def of(cls, name: str, value: Value, fallback: str = "") -> Thing:
        """A recorded value under a name."""
        return cls(name, value.data, value.shape, fallback)

    @classmethod
    def zeros(cls, name: str, like: Thing) -> Thing:
        """Zeros of the shape of a recorded value."""
        return cls(name, like.value and zeros_like(like.value), like.shape)

    @property
    def bare(self) -> Thing:
        """The same without its value and shape."""
        return Thing(self.name, fallback=self.fallback)


class NamedThing(NamedTuple):
    """A place for a value, by the name of what belongs there; None where nothing came."""

    name: str
    thing: Thing | None


Things = Sequence[Thing | None]
Rows = Sequence[NamedThing]


def d(name: str) -> str:
    """The short name of a gradient: `dx`, `dx#2`, `d(tanh(z))`."""
    return f"d{name}" if re.sub("[@#]", "_", name).isidentifier() else f"d({name})"


def digits(number: Any) -> str:
    """A number with four significant digits; a truth value as it is."""
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return str(number)
    return f"{number:.4g}".replace("-", "−").replace("e−0", "e−").replace("e+0", "e+")


def length(text: str) -> int:
    """How long a text is, with each number as one digit: `x[8:16]` is as long as `x[96:104]`.

    What is left out because it is long must not depend on that, or rounds would look different.

    >>> length("x[8:16]"), length("x[96:104]")
    (6, 6)
    """
    return len(NUMBER.sub("0", text))


def shape(sizes: Sequence[int]) -> str:
    """A shape as Paddle writes it: `[2, 3]`; `?` for a size that is not known yet."""
    return "[" + ", ".join(["?" if n < 0 else str(n) for n in sizes]) + "]"


def detail(value: Value | None, name: str = "") -> str:
    """The second line of a box: `y: [2, 3] float64`."""
    if value is None:
        return ""
    text = f"{shape(value.shape)} {value.dtype}"
    return f"{name}: {text}" if name else text


def apart(text: str) -> str:
    """A text before a Chinese word: a space goes between a Latin letter and that."""
    return f"{text} " if text[-1:].isascii() else text


def join_things(things: Sequence[Pair | str], empty: Pair = ("nothing", "空")) -> Pair:
    """Several things in a row: `a, b and c`, `a、b 和 c`; the same one is said once."""
    pairs = list(dict.fromkeys((t, t) if isinstance(t, str) else t for t in things))
    if not pairs:
        return empty
    if len(pairs) == 1:
        return pairs[0]
    english = ", ".join(p[0] for p in pairs[:-1]) + f" and {pairs[-1][0]}"
    before, last = "、".join(p[1] for p in pairs[:-1]), pairs[-1][1].lstrip()
    joint = f"{' ' * before[-1:].isascii()}和{' ' * last[:1].isascii()}"
    return english, f"{before}{joint}{last}"


def things(row: Things) -> Pair:
    """Tensors in a row."""
    return join_things([thing.text if thing else "None" for thing in row])


def aside(text: str, outside: str) -> Pair | str:
    """What something is called outside, if it has another name there."""
    return (f"{text} (outside: {outside})", f"{text}（外面叫 {outside}）") if outside else text
