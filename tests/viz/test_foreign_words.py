"""Chinese texts have no English words, in the catalogue and in the texts of recordings.

A text may contain names of the recorded program, and words that Paddle's Chinese pages leave in
English. A word such as `zeros` is a name if the recorded program has it, and English otherwise.
"""

import builtins
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import viz
from minipaddle.engine import errors
from minipaddle.messages.message import catalogue
from tests.each import each
from viz.layout.scene import foldable, scene_of
from viz.model import label_of
from viz.terminal.stepper import LIT, Stepper
from viz.trace import Trace

from ..minipaddle import mistakes
from . import programs, stories, trainings
from .pages import svg
from .programs import kept

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
