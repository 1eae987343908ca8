"""No English in Chinese: in no text of the sources, and in nothing that recordings show."""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import viz
from minipaddle.engine.errors import told
from minipaddle.engine.reasons import WORDINGS
from minipaddle.messages import Text
from minipaddle.messages.catalogue import catalogue as translations
from tests.each import each
from viz.draw.svg import svg
from viz.layout.scene import foldable, scene_of
from viz.model import label_of
from viz.terminal.stepper import LIT, Stepper
from viz.trace import Trace

from ..minipaddle import mistakes
from . import programs, stories, trainings
from .foreign import CHINESE, NAMES, complaints, foreign, identifiers, literals, raised
from .programs import kept

ROOT = Path(__file__).parents[2]
CELL = re.compile(r'^# %% \[markdown\] lang="zh"\n((?:#.*\n)+)', re.MULTILINE)
# A lesson quotes messages of Paddle: “takes 2 gradients”, or lines that are set in.
QUOTED = re.compile(r"“[^”\u4e00-\u9fff]*”|^#     .*$", re.MULTILINE)

Rows = list[tuple[str, str]]  # places, and the Chinese that stands there
LESSONS = sorted(path.stem for path in (ROOT / "lessons" / "source").glob("*.py"))


def written(path: Path) -> Iterator[tuple[str, str]]:
    """The Chinese texts of a file: its literals, and the cells of a lesson."""
    code, place = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
    if not CHINESE.search(code):
        return
    for at, text in literals(place, ast.parse(code)):
        yield at, text.rpartition(" | ")[2]  # the lessons' `English | 中文`
    for k, cell in enumerate(CELL.findall(code)):
        yield f"{place}, text {k + 1}", cell


@cache
def of_lesson(name: str) -> tuple[Rows, set[str]]:
    """The texts of a lesson and of its exercises, and what their code names."""
    files = [ROOT / "lessons" / folder / f"{name}.py" for folder in ("source", "exercises")]
    there = [path for path in files if path.exists()]
    lines = [line for path in there for line in path.read_text(encoding="utf-8").splitlines()]
    texts = [(at, QUOTED.sub("", text)) for path in there for at, text in written(path)]
    return texts, identifiers(lines)


@cache
def sources() -> Rows:
    """The Chinese texts that are written in minipaddle and viz, and beside the lessons."""
    paths = [
        path
        for folder in ("minipaddle", "viz", "lessons")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.stem not in LESSONS
    ]
    translated = (
        (f"zh.po, {key}", text)
        for key, text in translations("zh").items()
        if key not in OF_THE_OTHER
    )
    return [*(row for path in paths for row in written(path)), *translated]


def catalogue() -> Iterator[tuple[str, str]]:
    """What is not even written in Chinese letters, in the tables of words."""
    for key, text in viz.language.words.WORDS.items():
        if not CHINESE.search(text.zh) and key != "lang":
            yield key, text.zh
    for reason, wording in WORDINGS.items():
        for text in (wording.happened, wording.advice, wording.mark, wording.recorded):
            if text and not CHINESE.search(text.zh):
                yield reason.value, text.zh


# Texts that hold English on purpose.
OF_THE_OTHER = ("en",)


def test_no_text_of_the_sources_has_english_words() -> None:
    assert len(sources()) > 600
    assert complaints(sources()) == []
    assert complaints(catalogue()) == []


@each("name", LESSONS)
def test_lessons_have_no_english_words_but_those_of_their_code(name: str) -> None:
    texts, named = of_lesson(name)
    assert texts
    assert complaints(texts, named) == []


def test_every_name_that_is_allowed_is_used() -> None:
    lessons = [row for name in LESSONS for row in of_lesson(name)[0]]
    texts = [text for _, text in (*sources(), *lessons, *catalogue())]
    words = {word for text in texts for word in re.findall("[A-Za-z]+", text)}
    for kind, names in NAMES.items():
        assert [name for name in re.findall("[A-Za-z]+", names) if name not in words] == [], kind


# ----- recordings --------------------------------------------------------------------------------


def names_of(trace: Trace) -> set[str]:
    """What the recorded program names: its variables, its ops and layers, its files."""
    found = {*trace.names.values(), trace.title}
    for source in trace.sources:
        found |= {source.name, *identifiers(source.lines), *raised(source.lines)}
    for event in trace.events:
        for field in ("op", "name", "type", "error", "function", "optimizer"):
            found.add(str(getattr(event, field, "")))
    return found | {f"d{name}" for name in found}  # gradients: dx


def shown(trace: Trace, lang: str = "zh") -> Iterator[tuple[str, str]]:
    """Everything that is read in a language: transcript, picture, terminal, problems."""
    story = trace.story
    code = {line.strip() for source in story.sources for line in source.lines}
    neutral = code | {step.formula for step in story.steps}
    for line in trace.text(lang).splitlines():
        if not any(each and line.endswith(each) for each in neutral):
            yield "transcript", line
    scene = scene_of(story.graph, frozenset(foldable(story.graph)))
    for element in ET.fromstring(svg(scene, lang=lang, title=story.title)).iter():
        if element.tag.endswith(("text", "title", "desc")):
            yield "picture", element.text or ""
    boxes = [*story.graph.nodes, *story.graph.groups]
    boxes += [group.closed for group in story.graph.groups if group.closed]
    for box in boxes:
        yield "box", label_of(box, lang)
        yield from (("badge", badge.text.of(lang)) for badge in box.badges)
    for why in story.missing.values():
        yield "missing", why.text.of(lang)
    if story.note:
        yield "note", story.note.of(lang)
    for problem in trace.problems():
        yield "problem", f"{problem.text.of(lang)} {problem.todo.of(lang)}"
    stepper = Stepper(trace, lang)
    lit = LIT.of(lang).partition("{")[0]
    for at in range(len(trace)):
        stepper.step = at
        yield "terminal", next((row for row in stepper.body(200) if row.startswith(lit)), "")


def check(trace: Trace) -> list[str]:
    return complaints(shown(trace), names_of(trace))


ALL = [*programs.ALL, *stories.ALL, trainings.epochs, trainings.accumulated, trainings.program]


@each("program", ALL, quick=16)
def test_nothing_that_a_recording_shows_has_english_words(program: Callable[[], Trace]) -> None:
    assert check(kept(program)) == []


@each("mistake", mistakes.ALL)
def test_the_errors_of_learners_are_in_chinese(mistake: Callable[[], Any]) -> None:
    """The text of the error, and the recording that it ends."""
    with pytest.raises(Exception, match=r".") as caught, viz.record() as trace:
        mistake()
    english, chinese = told(caught.value)
    assert CHINESE.search(chinese)
    assert not CHINESE.search(english)
    assert str(caught.value).startswith(english.partition("\n")[0])
    names = {*names_of(trace), "f", "Mine"}
    assert complaints([("error", chinese)], names) == []
    assert check(trace) == []


# ----- the test itself ---------------------------------------------------------------------------


@each(
    ("text", "words"),
    [
        ("内存块 b2 可以 reuse", ["reuse"]),
        ("mean backward", ["mean"]),
        ("zeros", ["zeros"]),
        ("把 Tensor 的梯度 added 到一起", ["added"]),
        ("调用 paddle.to_tensor([1.0])，得到 x_1 和 `any words`", []),
        ("{x} 的 stop_gradient 是 True", []),
    ],
)
def test_a_planted_word_is_found(text: str, words: list[str]) -> None:
    assert foreign(text) == words


def test_a_name_of_the_program_is_no_english() -> None:
    assert foreign("zeros 生成 x [2]。", ["zeros"]) == []
    named = identifiers(["y = paddle.ones([2])  # plain", 'z = "text"'])
    assert named == {"y", "paddle", "ones", "z"}


def test_a_planted_badge_and_a_planted_sentence_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {**viz.language.words.WORDS, "badge_zeros": Text("zeros", "zeros planted")}
    monkeypatch.setattr("viz.story.draft.WORDS", words)
    found = check(programs.zeros())
    assert any("planted" in row for row in found)
    monkeypatch.setitem(
        viz.story.sentences.ops.WORDS,
        "tanh",
        ("tanh of {0}: {out}.", "对 {0} squash，得到 {out}。"),
    )
    assert any("squash" in row for row in check(programs.tanh()))
