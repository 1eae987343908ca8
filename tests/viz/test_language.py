"""Languages: viz.set_lang, no English words in Chinese texts, a third language."""

import builtins
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle.engine import errors
from minipaddle.engine.errors import InvalidArgument
from minipaddle.messages import languages, message
from minipaddle.messages.message import catalogue
from tests.each import each
from viz.language.words import by_language
from viz.layout.scene import foldable, scene_of
from viz.model import label_of
from viz.player import display, places
from viz.player.book import book_of
from viz.player.page import script
from viz.terminal.stepper import LIT, Stepper
from viz.trace import Trace

from ..minipaddle import mistakes
from . import faults, programs, stories, trainings
from .pages import svg
from .programs import kept


@pytest.fixture(autouse=True)
def undecided() -> Iterator[None]:
    yield
    viz.set_lang("")


@pytest.fixture
def trace() -> viz.Trace:
    with viz.record() as trace:
        paddle.tanh(paddle.to_tensor([0.5]))
    return trace


def started_in(trace: viz.Trace, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Return the player's language, and the picture for notebooks without players."""
    started: list[str] = []

    class Player:
        def __init__(self, code: object, told: object, *, lang: str, **_start: object) -> None:
            started.append(lang)

        def view(self) -> dict[str, str]:
            return {}

    monkeypatch.setattr(places, "Player", Player)
    picture = display.mimebundle(trace)["image/svg+xml"]
    return started[0], "前向" if "前向" in picture else "Forward"


def test_a_notebook_shows_the_language_that_was_set(
    trace: viz.Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert started_in(trace, monkeypatch) == ("", "Forward")
    viz.set_lang("zh")
    assert started_in(trace, monkeypatch) == ("zh", "前向")


def test_a_saved_page_starts_in_the_set_language_and_the_document_is_unchanged(
    trace: viz.Trace, tmp_path: Path
) -> None:
    before = trace.dumps()
    viz.set_lang("zh")
    page = trace.save(tmp_path / "tanh.html").read_text(encoding="utf-8")
    assert '<html lang="zh' in page
    assert trace.dumps() == before


def test_views_are_saved_in_the_set_language_unless_another_is_given(
    trace: viz.Trace, tmp_path: Path
) -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    viz.set_lang("zh")
    for view in (viz.diff(trace, trace), viz.explain(x)):
        assert str(view) == view.text("zh") != view.text("en")
        assert view._repr_mimebundle_()["text/plain"] == view.text("zh")
        file = view.save(tmp_path / "view.txt")
        assert file.read_text(encoding="utf-8") == view.text("zh")
        view.save(file, lang="en")
        assert file.read_text(encoding="utf-8") == view.text("en")


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(InvalidArgument, match="no sentences in the language 'fr'"):
        viz.set_lang("fr")


def test_views_refuse_a_language_without_sentences(trace: viz.Trace) -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    diff, explained = viz.diff(trace, trace), viz.explain(x)
    for asked in (
        trace.text,
        diff.text,
        diff.svg,
        diff.html,
        explained.text,
        explained.svg,
        lambda lang: viz.slopes(trace, lang),
        lambda lang: viz.plots.loss([1.0], lang=lang),
    ):
        with pytest.raises(InvalidArgument, match="no sentences in the language 'fr'"):
            asked("fr")


# ----- No foreign words --------------------------------------------------------------------------


CHINESE = re.compile(r"[\u4e00-\u9fff]")

# Names of Paddle and Python, products, keys, units, mathematical signs, values of slots, and the
# names of operations in boxes.
NAMES = """

    Huber Layer Model Metric Callback Dataset InputSpec Normalize PIL H W C
    batch net minipaddle doctor inputs step GradScaler
    Tensor Program Executor PyLayer PyLayerContext hook feed fetch inplace forward backward ctx
    grad cond body predict factor path extensions
    buffer reshape unsqueeze detach tanh relu sigmoid softmax argmax clip concat dropout apply
    groups max sum mask paddle out func nprocs op ReduceOp DataParallel DataLoader Python None True
    False
    NaN Inf int float bool list tuple return with as def self if elif else Paddle PaddlePaddle
    PyTorch NumPy CuPy JavaScript Jupyter Notebook LSTM LeNet transformer mpiexec pickle openmpi
    mpich GPU CPU losses
    MPI API PIR rank NVIDIA bucket add multiply conv u v Esc Tab Enter Home End Shift kB MB
    tape bias context dtype lr query token Variable Dirac one hot
    ln gelu silu softplus swish prelu solve elu selu mish softsign hardsigmoid hardswish
    hardshrink softshrink tanhshrink stanh logit digamma erf
    kink key reduce broadcast gather scatter alltoall not a number e x y t b da dx dy db dw c f m o
    p g
    G q n r s k X d i j U V window exp input NoneType str ndarray minimize limit megabytes nan inf B
    KiB recompute bubblewrap bwrap namespace isolation none Linux notebook ULP
"""
KNOWN = {
    *NAMES.split(),
    *(n for module in (builtins, errors) for n in vars(module) if n.endswith(("Error", "Warning"))),
    *(n for n, kind in vars(errors).items() if isinstance(kind, type)),
}
# Texts that are always code: `this`, {slots}, calls(), dotted.names, 'quoted', x_y, x@GRAD.
CODE = re.compile(
    r"""`[^`]*` | \{[^{}]*\} | \$\$?[^$]*\$\$? | "[^"\s]*" | '[^'\s]*' | </?\w+[^<>]*>
    | \w+(?:\.\w+)*\([^()\u4e00-\u9fff]*\)      # a call
    | \w*\.\w[\w.]* | \w*[_@\d][\w@.]* | \w+=\S* | \w+…
    """,
    re.VERBOSE | re.ASCII,
)
WORD = re.compile(r"[A-Za-z]+")


def foreign(text: str, names: Iterable[str] = ()) -> list[str]:
    """Return the Latin words of a Chinese text that are neither names nor code."""
    own = KNOWN.union(*map(WORD.findall, names))
    return [word for word in WORD.findall(CODE.sub(" ", text)) if word not in own]


def test_no_text_of_the_catalogue_has_english_words() -> None:
    found = {key: foreign(text) for key, text in catalogue("zh").items() if key != "en"}
    assert len(found) > 600
    assert {key: words for key, words in found.items() if words} == {}
    assert foreign("把 zeros 的梯度 added 到 x_1 和 `any words`", ["zeros"]) == ["added"]


def names_of(trace: Trace) -> set[str]:
    """Return the names in the recorded program, without words of its texts and comments."""
    found = {*trace.names.values(), trace.title, "f", "Mine"}
    for source in trace.sources:
        code = "\n".join(source.lines)
        found |= {source.name, re.sub(r"#.*|(['\"])[^'\"\n]*\1", " ", code)}
        found |= set(re.findall(r"raise \w+\((.*)\)", code))
    for event in trace.events:
        for field in ("op", "name", "type", "error", "function", "optimizer"):
            found.add(str(getattr(event, field, "")))
    return {*found, *(f"d{word}" for name in found for word in WORD.findall(name))}


def shown(trace: Trace, lang: str = "zh") -> Iterator[str]:
    """Yield all texts in a language: transcript, picture, terminal, problems."""
    story = trace.story
    code = {line.strip() for source in story.sources for line in source.lines}
    neutral = code | {step.formula for step in story.steps}
    for line in trace.text(lang).splitlines():
        if not any(each and line.endswith(each) for each in neutral):
            yield line
    scene = scene_of(story.graph, frozenset(foldable(story.graph)))
    for element in ET.fromstring(svg(scene, lang=lang, title=story.title)).iter():
        if element.tag.endswith(("text", "title", "desc")):
            yield element.text or ""
    boxes = [*story.graph.nodes, *story.graph.groups]
    boxes += [group.closed for group in story.graph.groups if group.closed]
    for box in boxes:
        yield label_of(box, lang)
        yield from (badge.text.of(lang) for badge in box.badges)
    yield from (why.text.of(lang) for why in story.missing.values())
    yield story.note.of(lang) if story.note else ""
    for problem in trace.problems():
        yield f"{problem.text.of(lang)} {problem.todo.of(lang)}"
    stepper = Stepper(trace, lang)
    lit = LIT.of(lang).partition("{")[0]
    for at in range(len(trace)):
        stepper.step = at
        yield next((row for row in stepper.body(200) if row.startswith(lit)), "")


def check(trace: Trace, *texts: str) -> list[tuple[str, list[str]]]:
    names = names_of(trace)
    return [(t, words) for t in (*texts, *shown(trace)) if (words := foreign(t, names))]


ALL = [*programs.ALL, *stories.ALL, trainings.epochs, trainings.accumulated, trainings.program]


@each("program", ALL, quick=16)
def test_no_text_of_a_recording_has_english_words(program: Callable[[], Trace]) -> None:
    assert check(kept(program)) == []


@each("mistake", mistakes.ALL.values(), mistakes.ALL)
def test_the_errors_of_learners_are_in_chinese(mistake: Callable[[], Any]) -> None:
    """The text of the error, and the texts of the recording that it ends, are checked."""
    with pytest.raises(Exception, match=r".") as caught, viz.record() as trace:
        mistake()
    english, chinese = errors.message_of(caught.value)
    assert CHINESE.search(chinese)
    assert not CHINESE.search(english)
    assert str(caught.value).startswith(english.partition("\n")[0])
    assert check(trace, chinese) == []


# ----- A third language needs a catalogue and no change of code ----------------------------------


LANG = "qq"
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ACCENTED = "áƀćđéƒǵĥíĵḱĺḿńóṕɋŕśťúṽẃẋýźÁɃĆĐÉƑǴĤÍĴḰĹḾŃÓṔɊŔŚŤÚṼẂẊÝŹ"
LETTERS = str.maketrans(PLAIN, ACCENTED)
SLOT = re.compile(r"(\{\w+(?:!r|:[^{}|]*)?\}|\{\w+:|\})")


def accented(template: str) -> str:
    """Give each letter between the slots an accent.

    >>> accented("{count:rank|ranks} of {x:.3g}")
    '{count:ŕáńḱ|ŕáńḱś} óƒ {x:.3g}'
    """
    pieces = SLOT.split(template)
    pieces[::2] = [piece.translate(LETTERS) for piece in pieces[::2]]
    return "".join(pieces)


@pytest.fixture
def pseudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install the pseudo-language, whose catalogue is beside the existing ones."""
    keys = message.catalogue("zh")
    (tmp_path / "zh.json").write_text(json.dumps(keys), encoding="utf-8")
    made = {key: accented(key.rpartition("\x04")[2]) for key in keys}
    (tmp_path / f"{LANG}.json").write_text(json.dumps(made), encoding="utf-8")
    monkeypatch.setattr(message, "FOLDER", str(tmp_path))
    return LANG


def english(texts: Iterable[str], names: set[str]) -> list[str]:
    """Return the words without accents that are neither names nor code, each with its text."""
    own = {word for name in names for word in WORD.findall(name)} | KNOWN
    return [
        f"{word} in {text!r}"
        for text in texts
        for word in WORD.findall(CODE.sub(" ", re.sub("[\xc0-\u024f\u1e00-\u1eff]+", " ", text)))
        if word not in own
    ]


def of_page(part: Any) -> Iterator[str]:
    """Yield all texts of a page, each in all languages."""
    if isinstance(part, dict) and "en" in part:
        assert part.keys() >= {*languages()}
        said = part[LANG]
        yield said if isinstance(said, str) else " ".join(map(str, said))
        yield from of_page(part.get("slots"))
    elif isinstance(part, dict | list | tuple):
        for each_part in part.values() if isinstance(part, dict) else part:
            yield from of_page(each_part)


@each(
    "program",
    [
        programs.tanh, programs.program, programs.hooked, programs.zeros, stories.marks,
        trainings.accumulated, trainings.program, lambda: faults.ON_PAGE["vanishing"](False),
    ],
)  # fmt: skip
def test_no_shown_text_is_english(program: Callable[[], Trace], pseudo: str) -> None:
    trace = program()
    names = names_of(trace)
    assert english(shown(trace, pseudo), names) == []
    assert english(of_page(book_of(trace)), names) == []


def test_the_words_of_a_page_exist_in_all_languages(pseudo: str) -> None:
    words = by_language()
    assert tuple(words) == languages() == ("en", pseudo, "zh")
    assert english(words[pseudo].values(), set()) == []
    assert f'"{pseudo}":{{' in script()


def test_every_lang_argument_takes_the_third_language(pseudo: str, tmp_path: Path) -> None:
    trace = programs.tanh()
    viz.set_lang(pseudo)
    try:
        page = trace.save(tmp_path / "t.html").read_text(encoding="utf-8")
    finally:
        viz.set_lang("")
    assert f'<html lang="{pseudo}"' in page
    twin, diff = viz.diff(trace, trace), viz.slopes(trace, pseudo)
    assert english([twin.text(pseudo), diff], names_of(trace)) == []
    stepper, seen = Stepper(trace, "en"), []
    for _ in languages():
        stepper.press("l")
        seen.append(stepper.lang)
        assert stepper.help(80)
    assert seen == [pseudo, "zh", "en"]
