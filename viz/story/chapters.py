"""The chapters of a trace (parts with one graph each): names, and the one to show first."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from minipaddle import events
from minipaddle.messages import EMPTY, LIST, REMARKS, Message, Row, Text

from ..document.distinct_names import base_of
from ..document.document import Cut, Ended
from ..document.rounds import abridge
from ..document.sources import LoadedLine
from ..language.words import WORDS
from ..model import LOSS, Round, Source, Story, Structure, group_by_key
from ..whatif.replay import Earlier
from .numbers import without_numbers
from .sentences.wording import digits

LAST = Message("last {name}")  # of several losses in a round
VALUE = Message("value")  # of what backward begins at, where `loss` would be false
DISTINCT = re.compile(r"\[\w+=[^][]*\]|#\d+")  # what makes names in a formula distinct


class Told(Protocol):
    """Title, events and story of a trace, or of one of its rounds."""

    @property
    def title(self) -> str: ...
    @property
    def events(self) -> tuple[Any, ...]: ...
    @property
    def story(self) -> Story: ...


T_co = TypeVar("T_co", bound=Told, covariant=True)


@dataclass(frozen=True, slots=True)
class Chapter(Generic[T_co]):
    """Part of a trace with one graph: a round, or the steps before, between or after rounds.

    `first` is the number of its first step in the whole trace, `begins` the number of its first
    event there. Its own events begin with `given` events from before; `tensors` maps numbers of
    tensors in the whole trace to its own.
    """

    trace: T_co
    first: int = 0
    round: int | None = None
    begins: int = 0
    given: int = 0
    tensors: Mapping[int, int] | None = None

    def tensor(self, number: int) -> int:
        """Return this chapter's number for a tensor of the whole trace, or 0 if it is not here."""
        return number if self.tensors is None else self.tensors.get(number, 0)


C = TypeVar("C", bound="Chapter[Told]")


def loss_name(trace: Recorded, graded: Container[str] = ()) -> Message:
    """Return the name of the number that a round has as its loss.

    That is the last number from which a backward begins: `g_loss` in a GAN whose second pass begins
    there, `loss × 8` where the code has no name for it. Or it is the only number that a run of a
    Program fetches; `graded` are the names of the gradients that runs compute.
    """
    begun: list[str] = []  # names of the numbers from which backward begins
    told = ""  # what the code calls the number that a run fetches
    for step in trace.story.steps:
        if step.kind == "finish":
            told = step.shown[0].name if len(step.shown) == 1 else ""
        seed = step.shown[-1].value if step.kind == "seed" else None
        if seed is not None and prod(seed["shape"]) == 1:
            root = step.shown[0].name if len(step.shown) > 1 else ""
            begun.append(DISTINCT.sub("", base_of(root)))
    fetched = ""
    for event in trace.events:
        if isinstance(event, events.RunFinished):
            numbers = [each for each, value in event.fetched.items() if prod(value.shape) == 1]
            fetched = numbers[0] if len(numbers) == 1 else ""
    last = begun[-1] if begun else (told or fetched)
    is_named = last.isidentifier() and not last.startswith("tmp_")
    is_known = bool(begun) or is_named or f"{fetched}@GRAD" not in graded
    name: Message = Text(last) if last not in ("", LOSS.en) and is_known else LOSS
    if begun and not last and LOSS.en in map(base_of, trace.names.values()):
        name = VALUE
    return name if begun.count(last) < 2 else LAST.fill(name=name)


def loss_names(chapters: Sequence[Chapter[Any]]) -> dict[int, Message]:
    """Return the names of the losses of the rounds whose steps are recorded."""
    of_all = [event for each in chapters for event in each.trace.events]
    runs = (event for event in of_all if isinstance(event, events.OperatorExecuted))
    graded = {name for event in runs for name in event.outputs}
    return {c.round: loss_name(c.trace, graded) for c in chapters if c.round is not None}


def shared_loss_name(rounds: Sequence[Round]) -> Message:
    """Return the name of the losses of all rounds: see `shared_name`."""
    return shared_name(each.loss_name for each in rounds if each.loss is not None)


def shared_name(names: Iterable[Message]) -> Message:
    """Return the name of all losses, `loss × …` if only numbers in it differ, or else `value`."""
    several = [*dict.fromkeys(names)] or [LOSS]
    alike = {*map(unnumbered, several)} if len(several) > 1 else {several[0]}
    return alike.pop() if len(alike) == 1 else VALUE


def unnumbered(name: Message) -> Message:
    """Return a name without the numbers that change from round to round: `loss × …`."""
    texts = {lang: without_numbers(text) for lang, text in name.by_language().items()}
    return name if texts == name.by_language() else Text(**texts)


class Chaptered(Told, Protocol):
    """A trace with its chapters and rounds, and the rounds' structures."""

    @property
    def chapters(self) -> Sequence[Chapter[Told]]: ...
    @property
    def rounds(self) -> Sequence[Round]: ...
    @property
    def structures(self) -> Sequence[Structure]: ...


class Recorded(Chaptered, Protocol):
    """A trace, or one of its rounds, as stories, problems, comparisons and explanations read it."""

    @property
    def chapters(self) -> Sequence[Chapter[Recorded]]: ...
    @property
    def steps(self) -> Sequence[Any]: ...
    @property
    def names(self) -> dict[tuple[int, int], str]: ...
    @property
    def spelled_by_tensor(self) -> Mapping[int, Sequence[tuple[int, str]]]: ...
    @property
    def layers(self) -> Mapping[str, str]: ...
    @property
    def framework(self) -> str: ...
    @property
    def variables(self) -> Mapping[int, Mapping[str, str]]: ...
    @property
    def sources(self) -> tuple[Source, ...]: ...
    @property
    def cut(self) -> Cut[LoadedLine] | None: ...
    @property
    def ended(self) -> Ended[LoadedLine] | None: ...
    @property
    def part(self) -> bool: ...
    @property
    def earlier(self) -> Earlier | None: ...
    @property
    def checks(self) -> Mapping[int, Any]: ...
    def __len__(self) -> int: ...
    def round(self, number: int) -> Recorded: ...
    def say(self, step: int, lang: str = "en") -> str: ...
    def number_of(self, tensor: Any) -> int: ...
    def record_of_gradient(self, tensor: Any) -> int: ...


def failing_step(chapter: Chapter[Told]) -> int | None:
    """Return the index of the step in which an exception ends a chapter, or None."""
    story = chapter.trace.story
    failed = story.note is not None and story.steps and story.steps[-1].kind == "error"
    return chapter.first + len(story.steps) - 1 if failed else None


def opens_at(chapter: Chapter[Told]) -> int:
    """Return the index of the step that a chapter shows at first: a final error, or its first."""
    failing = failing_step(chapter)
    return chapter.first if failing is None else failing


def first_shown(chapters: Sequence[C]) -> C:
    """Return the chapter that a picture shows by default: the first round, or the only chapter."""
    return next((each for each in chapters if each.round is not None), chapters[0])


def chapter_at(chapters: Sequence[C], step: int) -> C:
    """Return the chapter with a step, given by its index in the whole trace."""
    return next((each for each in reversed(chapters) if each.first <= step), chapters[0])


# ----- names of rounds and chapters --------------------------------------------------------------


def name_of_round(each: Round, count: int) -> Message:
    """Name a round: `round 4 of 20 (epoch 1, batch 0)`."""
    named = Row((f"{name} {at}" for name, at in each.names.items()), REMARKS)
    bare = WORDS["roundOf"].fill(at=str(each.index + 1), count=str(count))
    return WORDS["roundNamed"].fill(round=bare, names=named) if each.names else bare


def name_of_chapter(trace: Chaptered, chapter: Chapter[Told]) -> Message:
    """Name a chapter: `round 4 of 20 (epoch 1, batch 0)`, `before the first round`."""
    if chapter.round is None:
        return name_outside(trace, chapter)
    return name_of_round(trace.rounds[chapter.round], len(trace.rounds))


def heading(trace: Chaptered, chapter: Chapter[Told]) -> Message:
    """Name a chapter as a heading, with remarks: `...: batch of 3 rather than 8`."""
    name, remark = capital(name_of_chapter(trace, chapter)), remark_on(trace, chapter)
    return WORDS["roundDiffers"].fill(round=name, differs=remark) if remark.en else name


def remark_on(trace: Chaptered, chapter: Chapter[Told]) -> Message:
    """Return how a round differs from most, and that the first NaN or infinity appears in it."""
    differs = (each.differs for each in trace.structures if chapter.round in each.rounds)
    remarks = [each for each in differs if each.en]
    remarks += [WORDS[f"begins_{kind}"] for kind in chapter.trace.story.odd]
    return Row(remarks, REMARKS).message()


def name_outside(trace: Chaptered, chapter: Chapter[Told]) -> Message:
    """Name a chapter before, between or after rounds; return an empty text without rounds."""
    if not trace.rounds:
        return EMPTY
    places = [(each.first, each.round) for each in trace.chapters]
    place = places.index((chapter.first, chapter.round))
    before = [each.round for each in trace.chapters[:place] if each.round is not None]
    after = [each.round for each in trace.chapters[place:] if each.round is not None]
    one = WORDS["roundsLast"] if before and before[-1] == len(trace.rounds) - 1 else None
    other = WORDS["roundsFirst"] if after and after[0] == 0 else None
    if before and not after:
        return WORDS["roundAfter"].fill(round=one or name_by_number(before[-1]))
    if before:
        ends = name_by_number(before[-1]), name_by_number(after[0])
        return WORDS["roundBetween"].fill(one=ends[0], other=ends[1])
    return WORDS["roundBefore"].fill(round=other or name_by_number(after[0]))


def name_by_number(number: int) -> Message:
    """Name a round by its number: `round 4`."""
    return WORDS["roundNumber"].fill(at=str(number + 1))


def name_by_numbers(numbers: Sequence[int]) -> Message:
    """Name rounds: `rounds 4 to 9`, `rounds 4, 8`, or `round 4`."""
    if len(numbers) == 1:
        return name_by_number(numbers[0])
    first, last = numbers[0] + 1, numbers[-1] + 1
    if len(numbers) > 2 and last - first == len(numbers) - 1:
        return WORDS["roundsFromTo"].fill(first=str(first), last=str(last))
    return WORDS["roundNumbers"].fill(at=Row(abridge([number + 1 for number in numbers]), LIST))


def capital(text: Message) -> Message:
    """Return a text that begins with a capital letter, for a heading."""
    return Text.around(Capital(text))


class Capital(NamedTuple):
    """A message that begins with a capital letter; the Chinese text is not changed."""

    text: Message

    def of(self, lang: str) -> str:
        """Return the text in a language."""
        said = self.text.of(lang)
        return said if lang == "zh" else said[:1].upper() + said[1:]


def in_short(rounds: Sequence[Round]) -> str:
    """Summarise rounds: `20 rounds, loss 0.93 → 0.08`.

    >>> in_short([Round(0, "training", loss=2.0), Round(1, "training", loss=0.5)])
    '2 rounds, steps of 0 recorded, loss 2 → 0.5'
    """
    kept = sum(each.kept for each in rounds)
    losses = group_by_key(
        (each.loss_name.en, digits(each.loss)) for each in rounds if each.loss is not None
    )
    parts = [f"{len(rounds)} rounds"]
    parts += [f"steps of {kept} recorded"] if kept < len(rounds) else []
    parts += [f"{name} {' → '.join(row[:1] + row[1:][-1:])}" for name, row in losses.items()]
    return ", ".join(parts)
