"""What a check can say about an answer, as text and as HTML."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .words import Say

GREEN, AMBER, RED = "#1a7f4b", "#9a6700", "#c0392b"
SILENT = Say("", "")
STUCK = Say(
    'Stuck? Run check.hint("{name}") in a new cell.',
    '想不出来？在新单元格里运行 check.hint("{name}")。',
)


@dataclass(frozen=True)
class Pair:
    """One array that was expected, beside the one that came."""

    name: str
    expected: np.ndarray
    got: np.ndarray


@dataclass(frozen=True)
class Outcome:
    """The base: one exercise, one message, perhaps arrays to compare."""

    mark: ClassVar[str]
    verdict: ClassVar[Say]
    colour: ClassVar[str]

    exercise: str
    message: Say
    pairs: tuple[Pair, ...] = ()
    line: str = ""  # of the learner's cell, where an exception came from

    @property
    def solved(self) -> bool:
        """Whether nothing is left to do."""
        return False


class NotYet(Outcome):
    """Nothing was written so far."""

    mark, verdict, colour = "○", Say("not yet", "还没写"), AMBER


@dataclass(frozen=True)
class Failed(Outcome):
    """The answer raised an exception that is not known."""

    mark, verdict, colour = "✗", Say("error", "运行出错"), RED

    error: Say = SILENT


@dataclass(frozen=True)
class Wrong(Outcome):
    """The answer ran and is not right; `slip` names the mistake where it was recognised."""

    mark, verdict, colour = "✗", Say("wrong", "不对"), RED

    slip: str = ""


class Right(Outcome):
    """All trials agree."""

    mark, verdict, colour = "✓", Say("right", "正确"), GREEN

    @property
    def solved(self) -> bool:
        return True


class Shown:
    """An outcome in one language, as notebooks and terminals display it."""

    def __init__(self, outcome: Outcome, lang: str) -> None:
        self.outcome, self.lang = outcome, lang

    @property
    def head(self) -> str:
        """The mark, the exercise and the verdict."""
        colon = "：" if self.lang == "zh" else ": "
        verdict = self.outcome.verdict.of(self.lang)
        return f"{self.outcome.mark} {self.outcome.exercise}{colon}{verdict}"

    @property
    def foot(self) -> str:
        """Where to get help."""
        if self.outcome.solved:
            return ""
        return STUCK.fill(name=self.outcome.exercise).of(self.lang)

    @property
    def code(self) -> tuple[str, str]:
        """The exception and the learner's line; empty where there is none."""
        error = self.outcome.error if isinstance(self.outcome, Failed) else SILENT
        return error.of(self.lang), self.outcome.line

    def __repr__(self) -> str:
        rows = [self.outcome.message.of(self.lang), *self.code]
        rows += [_text(pair, self.lang) for pair in self.outcome.pairs]
        rows = [line for row in [*rows, self.foot] if row for line in row.splitlines()]
        return "\n".join([self.head, *(f"  {row}" for row in rows)])

    def _repr_html_(self) -> str:
        said = html.escape(self.outcome.message.of(self.lang)).replace("\n", "<br>")
        parts = [f'<b style="color:{self.outcome.colour}">{html.escape(self.head)}</b>']
        parts.append(f"<div>{said}</div>")
        parts += [
            f'<pre style="margin:4px 0">{html.escape(code)}</pre>' for code in self.code if code
        ]
        parts += [_html(pair, self.lang) for pair in self.outcome.pairs]
        if self.foot:
            parts.append(f'<div style="opacity:.75">{html.escape(self.foot)}</div>')
        return (
            f'<div class="mp-check" style="border-left:4px solid {self.outcome.colour};'
            f'padding:6px 12px;line-height:1.5">{"".join(parts)}</div>'
        )


# ----- arrays to compare -------------------------------------------------------------------------

EXPECTED, GOT = Say("expected", "应为"), Say("yours", "你的")


def _text(pair: Pair, lang: str) -> str:
    rows = [f"{pair.name} {list(np.shape(pair.expected))}"]
    for title, array in ((EXPECTED, pair.expected), (GOT, pair.got)):
        numbers = np.array2string(np.asarray(array), precision=4, suppress_small=True)
        label = f"  {title.of(lang)} "
        # A Chinese sign is two columns wide.
        rows.append(label + numbers.replace("\n", "\n" + " " * (len(label) + 2 * (lang == "zh"))))
    return "\n".join(rows)


def _html(pair: Pair, lang: str) -> str:
    largest = float(max(np.abs(pair.expected).max(), np.abs(pair.got).max())) or 1.0
    same = _agree(pair)
    grids = [
        f"<div><small>{title.of(lang)}</small>{_grid(array, largest, marks)}</div>"
        for title, array, marks in (
            (EXPECTED, pair.expected, np.ones_like(pair.expected, bool)),
            (GOT, pair.got, same),
        )
    ]
    return (
        f'<div style="margin:6px 0"><code>{html.escape(pair.name)}</code>'
        f'<div style="display:flex;gap:28px;flex-wrap:wrap">{"".join(grids)}</div></div>'
    )


def _agree(pair: Pair) -> np.ndarray:
    if pair.got.shape != pair.expected.shape:
        return np.zeros(pair.got.shape, bool)
    return np.isclose(pair.got, pair.expected, rtol=1e-5, atol=1e-7)


def _grid(array: np.ndarray, largest: float, same: np.ndarray) -> str:
    """A small heat map: blue below zero, orange above, a red frame where a number is off."""
    flat = array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
    fits = same.reshape(flat.shape)
    rows = "".join(
        f"<tr>{''.join(_cell(v, largest, ok) for v, ok in zip(row, oks, strict=True))}</tr>"
        for row, oks in zip(flat, fits, strict=True)
    )
    return f'<table style="border-collapse:separate;border-spacing:2px;margin:0">{rows}</table>'


def _cell(value: float, largest: float, fits: bool) -> str:
    tint = "219,124,38" if value > 0 else "52,120,198"
    strength = 0.12 + 0.5 * min(abs(value) / largest, 1.0) if np.isfinite(value) else 0.0
    frame = "transparent" if fits else RED
    return (
        f'<td style="background:rgba({tint},{strength:.2f});border:2px solid {frame};'
        f'padding:2px 8px;text-align:right;font-family:monospace">{value:.4f}</td>'
    )
