"""What every sentence is made of: tensors, numbers, shapes and rows of them, in two languages.

A gradient that does not exist is called None; one that has not been computed is never called 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Thing:
    """A tensor or gradient as a sentence speaks of it."""

    name: str
    value: Mapping[str, Any] | None = None
    known_shape: tuple[int, ...] | None = None
    fallback: str = ""

    @property
    def called(self) -> str:
        return self.name or self.fallback or "it"

    @property
    def shape(self) -> tuple[int, ...] | None:
        if self.value is not None:
            return tuple(self.value["shape"])
        return self.known_shape

    @property
    def number(self) -> str:
        """The number itself, where there is just one."""
        data = self.value and self.value.get("data")
        while isinstance(data, list) and len(data) == 1:
            data = data[0]
        return "" if data is None or isinstance(data, list) else digits(data)

    @property
    def text(self) -> str:
        """`x [2, 3]`, or `loss = 0.42` for a single number."""
        if self.number:
            called = self.name or self.fallback
            return f"{called} = {self.number}" if called not in ("", self.number) else self.number
        return f"{self.called} {shape(self.shape)}" if self.shape else self.called

    @property
    def bare(self) -> Thing:
        """The same without its value and shape."""
        return replace(self, value=None, known_shape=None)

    @property
    def gradient(self) -> str:
        """What stands after "the gradient of": `x [2, 3]`; the number of one is told apart."""
        return self.called if self.number else self.text


def d(name: str) -> str:
    """The short name of a gradient: `dx`, `d(tanh(z))`."""
    return f"d{name}" if name.replace("@", "_").isidentifier() else f"d({name})"


def digits(number: Any) -> str:
    """A number with four significant digits; a truth value as it is."""
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return str(number)
    return f"{number:.4g}".replace("-", "−").replace("e−0", "e−").replace("e+0", "e+")


def shape(sizes: Sequence[int]) -> str:
    """A shape as Paddle writes it: `[2, 3]`; `?` for a size that is not known yet."""
    return "[" + ", ".join("?" if n < 0 else str(n) for n in sizes) + "]"


def listed(things: Sequence[Pair | str], empty: Pair = ("nothing", "空")) -> Pair:
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


def things(found: Sequence[Thing | None]) -> Pair:
    return listed([thing.text if thing else "None" for thing in found])


def aside(text: str, outside: str) -> Pair | str:
    """What something is called outside, if it has another name there."""
    return (f"{text} (outside: {outside})", f"{text}（外面叫 {outside}）") if outside else text


def joined(text: Mapping[str, str], asides: Sequence[Pair]) -> dict[str, str]:
    """A sentence in every language, and what is said besides."""
    english, chinese = zip(*asides, strict=True) if asides else ((), ())
    return {"en": " ".join((text["en"], *english)), "zh": "".join((text["zh"], *chinese))}
