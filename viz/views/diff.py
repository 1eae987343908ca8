"""The view of two runs: a report, a picture of the second with the first's values, a player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import export, language
from ..draw import film_strip, svg
from ..draw.paint import Painting, paint
from ..layout.scene import Scene, scene_of
from ..model import Shown, Step, Story
from ..player.page import to_html
from ..player.payload import payload_of
from . import step_differences
from .step_differences import Change

LINES = 40  # differences that a report lists
WIDEST = 640.0  # of the text below the picture

# In English and in Chinese.
KINDS: Mapping[str, tuple[str, str]] = {
    "missing": ("only in the first run", "只在第一次运行里"),
    "new": ("only in the second run", "只在第二次运行里"),
    "op": ("another op", "运算不同"),
    "shape": ("another shape or dtype", "形状或类型不同"),
    "value": ("another value", "数值不同"),
    "gradient": ("another gradient", "梯度不同"),
}
FIRST = ("① first difference", "① 最先不同")


class Diff:
    """What two traces have in common and where they differ; see `viz.diff`.

    `changes` holds every difference in the order of the steps; a Diff without any is false.
    """

    def __init__(self, first: Any, second: Any, rtol: float, atol: float) -> None:
        self.first, self.second = first, second
        one, other = first.story, second.story
        self.pairs = step_differences.pairs(one, other)
        self.changes = tuple(step_differences.changes(one, other, self.pairs, rtol, atol))

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __repr__(self) -> str:
        return f"<Diff: {len(self.changes)} differences in {len(self.pairs)} steps>"

    # ----- text ----------------------------------------------------------------------------------

    def text(self, lang: str = "en") -> str:
        """How many steps differ, what differs first, and the list."""
        rows = [*self.summary(lang), ""]
        shown = self.changes[:LINES]
        rows += [self.line(change, lang) for change in shown]
        if len(self.changes) > len(shown):
            more = len(self.changes) - len(shown)
            rows.append(f"  … {more} more" if lang == "en" else f"  …… 还有 {more} 处")
        return "\n".join(rows).rstrip() + "\n"

    def __str__(self) -> str:
        return self.text(language.words())

    def summary(self, lang: str) -> list[str]:
        """The result in two or three lines."""
        language.known(lang)
        steps = len(self.first), len(self.second)
        differ = len({(c.first, c.second) for c in self.changes})
        if not differ:
            same = f"The two runs are equal in all {steps[0]} steps."
            return [same if lang == "en" else f"两次运行的 {steps[0]} 步全部相同。"]
        first = self.changes[0]
        total, (one, two) = len(self.pairs), steps
        english = f"{differ} of {total} steps differ ({one} in the first run, {two} in the second)."
        chinese = f"{total} 步中有 {differ} 步不同（第一次 {one} 步，第二次 {two} 步）。"
        head = chinese if lang == "zh" else english
        trace, at = (
            (self.first, first.first) if first.second is None else (self.second, first.second)
        )
        step = trace.story.steps[at]
        code = step_differences.code(trace.story, step)
        where = f"，第 {place(first)} 步" if lang == "zh" else f", step {place(first)}"
        rows = [head, f"{FIRST[lang == 'zh']}{where} {self.told(first, lang)}"]
        return [*rows, f"    {code}"] if code else rows

    def line(self, change: Change, lang: str) -> str:
        """`  3 ≠ another value: y 0.4621 → 0.5046`."""
        return f"{place(change):>7}  {self.told(change, lang)}"

    def told(self, change: Change, lang: str) -> str:
        """`≠ another value: w [0, 0] 1 → 1.2`."""
        sign = {"missing": "−", "new": "+"}.get(change.kind, "≠")
        text = f"{sign} {KINDS[change.kind][lang == 'zh']}{'：' if lang == 'zh' else ': '}"
        if change.kind in ("missing", "new"):
            trace, at = (self.first, change.first) if sign == "−" else (self.second, change.second)
            return text + str(trace.say(at, lang))
        name = "" if change.kind == "op" else f"{change.name} "
        return f"{text}{name}{became(change)}"

    # ----- picture -------------------------------------------------------------------------------

    def changed(self) -> dict[str, list[Change]]:
        """The boxes of the second run in which something differs."""
        found: dict[str, list[Change]] = {}
        for change in self.changes:
            if change.kind != "missing" and change.node:
                found.setdefault(change.node, []).append(change)
        return found

    def story(self, lang: str = "en") -> Story:
        """The second run; its boxes and steps tell what the first one had in their place."""
        language.known(lang)
        story: Story = self.second.story
        badges = {name: self._badges(found, lang) for name, found in self.changed().items()}
        nodes = tuple(
            replace(n, badges=(*n.badges, *badges[n.id])) if n.id in badges else n
            for n in story.graph.nodes
        )
        groups = tuple(
            replace(g, closed=replace(g.closed, badges=(*g.closed.badges, *badges[g.closed.id])))
            if g.closed and g.closed.id in badges
            else g
            for g in story.graph.groups
        )
        graph = replace(story.graph, nodes=nodes, groups=groups)
        partner = {b: a for a, b in self.pairs if b is not None}
        steps = tuple(self._step(step, partner.get(step.index)) for step in story.steps)
        return replace(story, graph=graph, steps=steps)

    def _badges(self, found: list[Change], lang: str) -> tuple[str, ...]:
        change = found[0]
        zh = lang == "zh"
        text = {"new": "+ 新增" if zh else "+ new"}.get(change.kind, f"≠ {became(change)}")
        return (FIRST[zh], text) if change is self.changes[0] else (text,)

    def _step(self, step: Step, partner: int | None) -> Step:
        """A step whose sentence and values tell of the first run, too."""
        own = [c for c in self.changes if c.second == step.index]
        if not own:
            return step
        said = {
            lang: f"{step.text[lang]} {comma.join(self.told(c, lang) for c in own)}"
            for lang, comma in (("en", "; "), ("zh", "；"))
        }
        more: tuple[Shown, ...] = ()
        if partner is not None:
            names = {change.name for change in own}
            more = tuple(
                replace(s, name=f"{s.name} ①", node=None, probe=None)
                for s in self.first.story.steps[partner].shown
                if s.name in names and s.value is not None
            )
        return replace(step, text=said, shown=(*step.shown, *more))

    def scene(self, lang: str = "en") -> Scene:
        """The second run with its changed boxes in the colour of an alert."""
        scene = scene_of(self.story(lang).graph, export.first_open(self.second))
        hit = {scene.alias.get(name, name) for name in self.changed()}
        boxes = tuple(
            replace(box, fill="alert-fill", accent="alert") if box.id in hit else box
            for box in scene.boxes
        )
        return replace(scene, boxes=boxes)

    def painting(self, lang: str = "en") -> Painting:
        """The picture with the summary below it."""
        bare = paint(self.scene(lang), lang=lang)
        width = max(bare.width, WIDEST)
        gone = [self.line(c, lang).strip() for c in self.changes if c.kind == "missing"][:6]
        head, *rest = (
            film_strip.wrapped(row.strip(), width - 2 * film_strip.PAD)
            for row in (*self.summary(lang), *gone)
        )
        rows = [row for lines in rest for row in lines]
        return film_strip.captioned(bare, rows, len(rows), width, head)

    def svg(self, lang: str = "en", colours: str = "auto") -> str:
        """The picture as one SVG document."""
        name = f"{self.first.title} / {self.second.title}"
        return svg.drawn(self.painting(lang), name, self.text(lang), colours)

    def html(self, lang: str = "") -> str:
        """The player with the second run; its steps tell what the first run had."""
        payload = payload_of(self.story(language.words(lang)), self.changed())
        return to_html(payload, lang=language.start(lang))

    def save(self, path: str | Path, lang: str = "") -> Path:
        """Write the picture (.svg .png .pdf), the player (.html) or the report (.txt)."""
        words = language.words(lang)
        writers: dict[str, Any] = {
            ".html": lambda: self.html(lang),
            ".svg": lambda: self.svg(words),
            ".png": lambda: export.png(self.painting(words)),
            ".pdf": lambda: export.pdf(self.painting(words)),
            ".txt": lambda: self.text(words),
        }
        return export.put(Path(path), writers)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        lang = language.words()
        return {"image/svg+xml": self.svg(lang), "text/plain": self.text(lang)}


def place(change: Change) -> str:
    """The number of the step, or both where they are not the same."""
    a, b = ("–" if at is None else str(at + 1) for at in (change.first, change.second))
    return a if a == b else f"{a}/{b}"


def became(change: Change) -> str:
    """What was there and what is there now, with the place of an element: `[0, 0] 1 → 1.2`."""
    return f"{change.at} {change.before} → {change.after}".lstrip()


def diff(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Diff:
    """Compare two traces of one program, or of two versions of it, step by step.

    Values count as equal within `atol + rtol * |first|`.

    Errors: none; what differs is the answer.

    >>> import minipaddle as paddle, viz
    >>> def run(scale):
    ...     with viz.record() as trace:
    ...         y = paddle.tanh(paddle.to_tensor([1.0]) * scale)
    ...     return trace
    >>> [change.kind for change in viz.diff(run(2.0), run(2.5)).changes]
    ['op', 'value', 'value']
    >>> bool(viz.diff(run(2.0), run(2.0)))
    False
    """
    return Diff(a, b, rtol, atol)
