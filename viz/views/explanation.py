"""Explanation of a gradient that is None or zero: the reason, and a picture of the cut."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import minipaddle as paddle
from minipaddle import events
from minipaddle.engine.errors import InvalidArgument
from minipaddle.engine.reasons import WORDINGS, Reason, Wording
from minipaddle.engine.why_no_grad import Explanation as EngineExplanation
from minipaddle.engine.why_no_grad import Why
from minipaddle.messages import Message

from .. import language
from ..draw import explanation as explanation_picture
from ..draw.film_strip import Row
from ..draw.paint import Painting
from ..explanation.gradient_path import GradientPath, PathBox, path_of_reason, recorded_path
from ..language.dialects import spelled
from ..story import ids
from ..story.chapters import Chapter, Recorded
from .view import PictureView, add_caption

VIZ = Path(__file__).parents[1]
NARROWEST = 520.0  # minimum width of the text below the picture

WHY_NONE = Message("Why is {x}.grad None?")
QUESTIONS = {
    Reason.ZERO: Message("Why is {x}.grad zero?"),
    Reason.HAS_GRADIENT: Message("Why is {x}.grad there?"),
}


@dataclass(frozen=True, slots=True)
class Explanation(PictureView):
    """The answer of `viz.explain`: a text in each language, and a picture.

    `why` is the engine's answer, with `reason`, `where`, `text` and `fix`; `path` leads from the
    tensor to the loss.
    """

    why: Why
    name: str
    path: GradientPath

    def lines(self, lang: str) -> tuple[str, str, str]:
        """Return question, answer and advice."""
        language.check_lang(lang)
        question = QUESTIONS.get(self.why.reason, WHY_NONE).fill(x=self.name)
        message = self.why.message
        answer = message.happened(x=self.name)
        return question.of(lang), answer.of(lang), message.advice.of(lang)

    def text(self, lang: str = "en") -> str:
        """Return question, answer and advice."""
        return "\n".join(line for line in self.lines(lang) if line) + "\n"

    def __repr__(self) -> str:
        return f"<Explanation of {self.name}.grad: {self.why.reason}>"

    def painting(self, lang: str = "en") -> Painting:
        """Return the picture: the path, the cut and the text."""
        question, *rest = self.lines(lang)
        bare = explanation_picture.painting(self.path, self.name, self.why, lang)
        return add_caption(bare, question, map(Row, rest), NARROWEST)

    def description(self, lang: str) -> tuple[str, str]:
        """Return the question, and the answer with its advice."""
        question, *rest = self.lines(lang)
        return question, " ".join(rest)


def explain(tensor: Any, loss: Any = None, trace: Recorded | None = None) -> Explanation:
    """Explain why the gradient of a tensor is None or zero, as text and as a picture.

    `loss` is what backward started from; with `trace` the picture shows the way as recorded.

    Errors: TypeError for anything but a Tensor.

    >>> import minipaddle as paddle, viz
    >>> x = paddle.to_tensor([1.0, 2.0])
    >>> (x * 2).sum().backward()
    >>> print(viz.explain(x).text().splitlines()[0])
    Why is x.grad None?
    """
    if trace is not None and trace.framework:
        return recorded_explanation(tensor, trace)
    why: Why = paddle.autograd.why_no_grad(tensor, loss)
    if trace is None:
        name = name_of(tensor)
        return Explanation(why, name, path_of_reason(tensor, name, why))
    number = number_in(trace, tensor)
    name = trace.names.get((number, 0)) or name_of(tensor)
    chapter = latest_with(trace, tensor).trace
    path = recorded_path(chapter, chapter.number_of(tensor)) or path_of_reason(tensor, name, why)
    return Explanation(why, name, path.from_tensor(name))


def number_in(trace: Recorded, tensor: Any) -> int:
    """Return the number of a tensor in a trace; raise InvalidArgument if it has none."""
    number = trace.number_of(tensor)
    if not number:
        fix = "use the tensor inside the block" if trace.framework else "leave the trace out"
        raise InvalidArgument(
            "this trace does not know the tensor.",
            expected="a tensor that the recorded block used",
            received="one that it did not use, or a trace loaded from a file",
            fix=fix if trace.framework else f"{fix}: viz.explain(t)",
        )
    return number


def recorded_explanation(tensor: Any, trace: Recorded) -> Explanation:
    """Explain a gradient of another framework's tensor from the trace alone."""
    name = trace.names.get((number_in(trace, tensor), 0), "t")
    chapter = latest_with(trace, tensor).trace
    number = chapter.number_of(tensor)
    missing = chapter.story.missing.get(ids.tensor(number))
    grads = [
        event.grad
        for event in chapter.events
        if isinstance(event, events.LeafReached) and event.tensor.id == number
    ]
    reason = missing.reason if missing else Reason.NOT_REACHED
    if grads:
        stats = grads[-1].data["stats"]
        all_zero = stats.get("zeros") == stats.get("size")
        reason = Reason.ZERO if all_zero else Reason.HAS_GRADIENT
    wording = WORDINGS[reason]
    happened = missing.text if missing else wording.recorded or wording.happened
    happened, advice, mark = (
        spelled(each.fill(x=name), trace.framework)
        for each in (happened, wording.advice, wording.mark)
    )
    texts = EngineExplanation(Wording(happened, advice, mark), {"x": name, "by": ""})
    why = Why(reason, tensor, "", happened.en, advice.en, texts)
    path = recorded_path(chapter, number) or GradientPath((PathBox(name),))
    return Explanation(why, name, path.from_tensor(name))


def latest_with(trace: Recorded, tensor: Any) -> Chapter[Recorded]:
    """Return the last chapter with a tensor, preferably one in which backward ran.

    A chapter is a part of a trace with one graph.
    """
    known = [each for each in trace.chapters if each.trace.number_of(tensor)]
    passes = [
        each
        for each in known
        if any(isinstance(event, events.BackwardStarted) for event in each.trace.events)
    ]
    return (passes or known)[-1]


def caller() -> FrameType:
    """Return the innermost frame outside of viz."""
    frame = sys._getframe(1)
    while Path(frame.f_code.co_filename).is_relative_to(VIZ) and frame.f_back:
        frame = frame.f_back
    return frame


def name_of(tensor: Any) -> str:
    """Return the caller's variable that holds a tensor, else the parameter's name, else `t`."""
    names = [n for n, v in caller().f_locals.items() if v is tensor and not n.startswith("_")]
    own = str(tensor.name)
    return min(names, key=lambda n: (len(n), n), default="" if "generated" in own else own) or "t"
