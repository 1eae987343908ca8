"""The view of two runs: a report, a picture of the second with the first's values, a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from minipaddle.engine.bilingual import Text

from .. import language
from ..draw.paint import Painting, paint
from ..layout.scene import Scene, first_open, scene_of
from ..model import Badge, Node, Shown, Step, Story
from ..player.page import to_html
from ..player.payload import payload_of
from . import step_differences
from .step_differences import Change, Kind
from .view import PictureView, Recorded, add_caption

LINES = 40  # differences that a report lists
GONE = 6  # steps of the first run alone that stand below the picture
NARROWEST = 640.0  # room for the text below the picture

KINDS: Mapping[Kind, Text] = {
    "missing": Text("− only in the first run: ", "− 只在第一次运行里："),
    "new": Text("+ only in the second run: ", "+ 只在第二次运行里："),
    "op": Text("≠ another op: ", "≠ 算子不同："),
    "shape": Text("≠ another shape or dtype: ", "≠ 形状或数据类型不同："),
    "value": Text("≠ another value: ", "≠ 数值不同："),
    "gradient": Text("≠ another gradient: ", "≠ 梯度不同："),
}
FIRST = Text("① first difference", "① 最先不同")
NEW = Text("+ new", "+ 新增")
AT_STEP = Text(", step {place} ", "，第 {place} 步 ")
MORE = Text("  … {count} more", "  …… 还有 {count} 处")
EQUAL = Text("The two runs are equal in all {total} steps.", "两次运行的 {total} 步全部相同。")
DIFFERENT = Text(
    "{count} of {total} steps differ ({one} in the first run, {two} in the second).",
    "{total} 步中有 {count} 步不同（第一次 {one} 步，第二次 {two} 步）。",
)
BETWEEN = Text("; ", "；")


class Diff(PictureView):
    """What two traces have in common and where they differ; see `viz.diff`.

    `changes` holds every difference in the order of the steps; a Diff without any is false.
    """

    def __init__(self, first: Recorded, second: Recorded, rtol: float, atol: float) -> None:
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
        rows += [self.line(change, lang) for change in self.changes[:LINES]]
        if len(self.changes) > LINES:
            rows.append(MORE.fill(count=str(len(self.changes) - LINES)).of(lang))
        return "\n".join(rows).rstrip() + "\n"

    def summary(self, lang: str) -> list[str]:
        """The result in one to three lines."""
        language.check_lang(lang)
        one, two = len(self.first), len(self.second)
        differ = {(c.first, c.second) for c in self.changes}
        if not differ:
            return [EQUAL.fill(total=str(one)).of(lang)]
        sizes = {"total": len(self.pairs), "count": len(differ), "one": one, "two": two}
        head = DIFFERENT.fill(**{name: str(size) for name, size in sizes.items()}).of(lang)
        change = self.changes[0]
        at_step = AT_STEP.fill(place=place(change)).of(lang)
        trace, at = self.run_of(change)
        code = step_differences.code(trace.story, trace.story.steps[at])
        rows = [head, f"{FIRST.of(lang)}{at_step}{self.change_text(change, lang)}"]
        return [*rows, f"    {code}"] if code else rows

    def run_of(self, change: Change) -> tuple[Recorded, int]:
        """The run that has the step of a change, the second if both have it, and that step."""
        if change.second is not None:
            return self.second, change.second
        assert change.first is not None
        return self.first, change.first

    def line(self, change: Change, lang: str) -> str:
        """`  3 ≠ another value: y 0.4621 → 0.5046`."""
        return f"{place(change):>7}  {self.change_text(change, lang)}"

    def change_text(self, change: Change, lang: str) -> str:
        """`≠ another value: w [0, 0] 1 → 1.2`."""
        head = KINDS[change.kind].of(lang)
        if change.kind in ("missing", "new"):
            trace, at = self.run_of(change)
            return head + trace.say(at, lang)
        name = "" if change.kind == "op" else f"{change.name} "
        return f"{head}{name}{change_of_value(change)}"

    # ----- picture -------------------------------------------------------------------------------

    def changed_boxes(self) -> dict[str, list[Change]]:
        """The boxes of the second run in which something differs."""
        by_box: dict[str, list[Change]] = {}
        for change in self.changes:
            if change.kind != "missing" and change.node:
                by_box.setdefault(change.node, []).append(change)
        return by_box

    def story(self, lang: str = "en") -> Story:
        """The second run; its boxes and steps tell what the first one had in their place."""
        language.check_lang(lang)
        story = self.second.story
        badges = {name: self._badges(own) for name, own in self.changed_boxes().items()}

        def mark(node: Node) -> Node:
            return replace(node, badges=(*node.badges, *badges.get(node.id, ())))

        nodes = tuple(map(mark, story.graph.nodes))
        groups = tuple(
            replace(group, closed=mark(group.closed)) if group.closed else group
            for group in story.graph.groups
        )
        graph = replace(story.graph, nodes=nodes, groups=groups)
        partner = {b: a for a, b in self.pairs if b is not None}
        steps = tuple(self._step(step, partner.get(step.index)) for step in story.steps)
        return replace(story, graph=graph, steps=steps)

    def _badges(self, own: Sequence[Change]) -> tuple[Badge, ...]:
        """What the box of these changes wears; only the first of them has room."""
        change = own[0]
        same = Badge.same("difference", f"≠ {change_of_value(change)}")
        badge = Badge("difference", NEW) if change.kind == "new" else same
        first = Badge("difference", FIRST)
        return (first, badge) if change is self.changes[0] else (badge,)

    def _step(self, step: Step, partner: int | None) -> Step:
        """A step whose sentence and values tell of the first run, too."""
        own = [c for c in self.changes if c.second == step.index]
        if not own:
            return step
        text = {
            lang: f"{sentence} {BETWEEN.of(lang).join(self.change_text(c, lang) for c in own)}"
            for lang, sentence in step.text.items()
        }
        more: tuple[Shown, ...] = ()
        if partner is not None:
            names = {change.name for change in own}
            more = tuple(
                replace(s, name=f"{s.name} ①", node=None, probe=None)
                for s in self.first.story.steps[partner].shown
                if s.name in names and s.value is not None
            )
        return replace(step, text=text, shown=(*step.shown, *more))

    def scene(self, lang: str = "en") -> Scene:
        """The second run with its changed boxes in the colour of an alert."""
        scene = scene_of(self.story(lang).graph, first_open(self.second.story.graph))
        hit = {scene.alias.get(name, name) for name in self.changed_boxes()}
        boxes = tuple(
            replace(box, fill="alert-fill", accent="alert") if box.id in hit else box
            for box in scene.boxes
        )
        return replace(scene, boxes=boxes)

    def painting(self, lang: str = "en") -> Painting:
        """The picture with the summary below it."""
        gone = [self.line(c, lang).strip() for c in self.changes if c.kind == "missing"]
        head, *rest = (row.strip() for row in (*self.summary(lang), *gone[:GONE]))
        return add_caption(paint(self.scene(lang), lang=lang), head, rest, NARROWEST)

    def description(self, lang: str) -> tuple[str, str]:
        """The titles of both runs, and the report."""
        return f"{self.first.title} / {self.second.title}", self.text(lang)

    def html(self, lang: str = "") -> str:
        """The player with the second run; its steps tell what the first run had."""
        payload = payload_of(self.story(language.for_text(lang)), self.changed_boxes())
        return to_html(payload, lang=language.for_player(lang))

    def writers(self, lang: str) -> Mapping[str, Callable[[], str | bytes]]:
        return {".html": lambda: self.html(lang), **super().writers(lang)}


def place(change: Change) -> str:
    """The number of the step, or both where they are not the same."""
    a, b = ("–" if at is None else str(at + 1) for at in (change.first, change.second))
    return a if a == b else f"{a}/{b}"


def change_of_value(change: Change) -> str:
    """What was there and what is there now, with the place of an element: `[0, 0] 1 → 1.2`."""
    return f"{change.at} {change.before} → {change.after}".lstrip()


def diff(a: Recorded, b: Recorded, rtol: float = 1e-5, atol: float = 1e-8) -> Diff:
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
