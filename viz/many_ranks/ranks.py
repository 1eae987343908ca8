"""Traces of many ranks side by side: their steps, collectives and mismatches."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from minipaddle import messages
from minipaddle.engine.errors import InvalidArgument, InvalidType, NotFound
from minipaddle.engine.guard import pause_collector
from minipaddle.messages import Message

from .. import language
from ..draw.film_strip import Row
from ..draw.paint import Painting
from ..language.words import say
from ..model import Step, Story
from ..player import page
from ..story.chapters import Chapter, capital, name_of_chapter
from ..theme import cells
from ..trace import Trace, load
from ..views.view import PictureView, add_caption
from .collectives import Collective, calls_of, group_ranks, match_calls
from .columns import Slot, Value, columns_of
from .page import payload_of
from .picture import Picture
from .score import Score, score_of
from .sentences import by_rank, names_of, sentence

Given = Trace | str | os.PathLike[str]

HEAD = Message("{ranks} and {meetings}")
HEAD_WITH_SENDS = Message("{ranks}, {meetings} and {sends}")
MEETINGS = Message("{count} {count:collective|collectives}")
IN_ROUND = Message("{head}, {round}")
SAME = Message("{ranks} run the same code.")
LEGEND = Message(
    "A solid bar is where ranks meet: above its name is what each gives, below it what each gets."
)
BEGUN = Message(
    "A line at the left of a bar begins, with a ring, where the collective "
    "did; what stands beside it ran before the ranks waited."
)
SENT = Message("A bar with an arrow in its name is a send, from one rank to another.")
EQUAL = Message("A number between two lines is the same on all ranks.")
UNKNOWN = Message("No trace of {ranks} is given.")
GIVES, GETS = Message.in_context("rank", "gives"), Message("gets")
ROW_OF = Message("{ranks}: {told}")
NARROWEST = 560.0  # minimum width of the text below the picture


class Ranks(PictureView):
    """Traces of ranks that worked together; see `viz.ranks`.

    `traces` has the shown trace of each rank, by its number; `collectives` are in order, each with
    its `name`, `ranks`, `number`, bytes (`nbytes`, by rank) and `trouble`, which is "" if all fits;
    `folded` groups the ranks: those of one tuple differ in numbers only.
    """

    def __init__(
        self,
        traces: Mapping[int, Trace],
        fold: bool = True,
        brief: bool = False,
        round: Message | None = None,
    ) -> None:
        self.traces, self.fold, self.brief, self.round = dict(traces), fold, brief, round
        with pause_collector():
            stories: dict[int, Story] = {rank: trace.story for rank, trace in traces.items()}
            calls = {r: [*calls_of(stories[r], trace.events, r)] for r, trace in traces.items()}
            self.score: Score = score_of(stories, calls, match_calls(calls))

    def __repr__(self) -> str:
        return f"<Ranks: {self.headline('en')}>"

    @property
    def collectives(self) -> tuple[Collective, ...]:
        return self.score.collectives

    @property
    def folded(self) -> tuple[tuple[int, ...], ...]:
        return self.score.folded

    @property
    def mismatches(self) -> tuple[Collective, ...]:
        """Collectives with a mismatch."""
        return tuple(each for each in self.collectives if each.trouble)

    def say(self, collective: Collective, lang: str = "en") -> str:
        """Return a sentence about a collective, or about its mismatch."""
        return sentence(self.score, collective).of(language.check_lang(lang))

    # ----- text ----------------------------------------------------------------------------------

    def headline(self, lang: str) -> str:
        """Return `4 ranks and 2 collectives`."""
        sends = sum(each.name == "send" for each in self.collectives)
        met = len(self.collectives) - sends
        ranks = Message("{count} {count:rank|ranks}", count=len(self.traces))
        meetings = MEETINGS.fill(count=met) if met else Message("no collective")
        sent = Message("{count} {count:send|sends}", count=sends)
        head = HEAD.fill(ranks=ranks, meetings=meetings if met or not sends else sent)
        if met and sends:
            head = HEAD_WITH_SENDS.fill(ranks=ranks, meetings=meetings, sends=sent)
        return (IN_ROUND.fill(head=head, round=self.round) if self.round else head).of(lang)

    def notes(self) -> list[tuple[str, Message]]:
        """Return the mistakes, and the remarks on the picture, each with its kind."""
        rows = [("wrong", text) for text in self.wrong()]
        rows += [("told", text) for text in self.remarks()]
        begun = any(call.begun is not None for c in self.collectives for call in c.calls.values())
        folds = self.fold and any(len(ranks) > 1 for ranks in self.folded)
        sends = any(each.name == "send" for each in self.collectives)
        legend = ((self.collectives, LEGEND), (sends, SENT), (begun, BEGUN), (folds, EQUAL))
        for seen, text in legend:
            rows += [("told", text)] if seen else []
        return rows

    def wrong(self) -> list[Message]:
        """Return sentences about mismatches, and about ranks that stopped."""
        rows = [sentence(self.score, each) for each in self.mismatches]
        for rank, step in self.score.stopped().items():
            rows.append(ROW_OF.fill(ranks=capital(names_of([rank])), told=step.text))
        return rows

    def remarks(self) -> list[Message]:
        """Return remarks on ranks with equal code, on bytes given, and on missing traces."""
        rows = [SAME.fill(ranks=capital(names_of(each))) for each in self.folded if len(each) > 1]
        bytes_of = dict.fromkeys(self.traces, 0)
        for each in self.collectives:
            for rank, count in each.nbytes.items():
                bytes_of[rank] += count
        if any(bytes_of.values()):
            rows.append(Message("Bytes in all: {bytes}.", bytes=by_rank(bytes_of)))
        known = {rank for each in self.collectives for rank in each.ranks} - {*self.traces}
        rows += [UNKNOWN.fill(ranks=names_of(sorted(known)))] if known else []
        return rows

    def text(self, lang: str = "en") -> str:
        """Return the steps of all ranks in one order: sentences, lines of code and numbers."""
        language.check_lang(lang)
        head = self.headline(lang)
        rows = [head, "=" * cells(head), "", *(text.of(lang) for text in self.remarks())]
        rows += [text.of(lang) for text in self.wrong()]
        phase = ""
        slots = [column.slots for column in columns_of(self.score, fold=True)]
        for row in range(self.score.count):
            here = [(ranks, own[row]) for ranks, own in zip(self.folded, slots, strict=True)
                    if row in own]  # fmt: skip
            if here and here[0][1].step.phase != phase:
                phase = here[0][1].step.phase
                rows += ["", say(phase, lang), "-" * 8]
            rows += self.row(row, here, lang)
        return "\n".join(rows) + "\n"

    def row(
        self, row: int, here: Sequence[tuple[tuple[int, ...], Slot]], lang: str
    ) -> Iterator[str]:
        """Yield the lines of a row: sentences of collectives and of ranks, code and values."""
        number = f"{row + 1:>4}  "
        for each in dict.fromkeys(slot.collective for _, slot in here):
            if each is not None:
                yield number + self.say(each, lang)
                number = " " * 6
        for ranks, slot in here:
            if slot.collective is None:
                for text in self.sentences(ranks, slot.step, lang):
                    yield number + text
                    number = " " * 6
            yield from self.below(ranks, slot, lang)

    def sentences(self, ranks: Sequence[int], step: Step, lang: str) -> Iterator[str]:
        """Yield the sentence of each rank, equal ones once."""
        stories = {rank: self.score.parts[rank].story for rank in ranks}
        texts = {rank: story.steps[step.index].text.of(lang) for rank, story in stories.items()}
        for text, same in group_ranks(texts).items():
            yield ROW_OF.fill(ranks=capital(names_of(same)), told=text).of(lang)

    def below(self, ranks: Sequence[int], slot: Slot, lang: str) -> Iterator[str]:
        """Yield the line of code, and the numbers of each rank."""
        part = self.score.parts[ranks[0]]
        if slot.step.told_line is not None:
            code = "  ".join(part.story.code_at(slot.step.told_line))
            several = len(self.folded) > 1 and slot.collective
            yield f"        {f'{names_of(ranks).of(lang)}: ' if several else ''}{code}"
        each = bool(slot.collective) and len(self.folded) > 1
        gives = f"{GIVES.of(lang)} " if slot.collective else ""
        rows = [gives + write_value(ranks, value, lang, each) for value in slot.values]
        gets = f"{GETS.of(lang)} "
        rows += [gets + write_value(ranks, value, lang, each) for value in slot.gets]
        yield from (f"        {row}" for row in rows)

    # ----- picture -------------------------------------------------------------------------------

    @cached_property
    def picture(self) -> Picture:
        """Picture with the places of all parts."""
        return Picture(self.score, self.fold, self.brief)

    def painting(self, lang: str = "en") -> Painting:
        """Return the picture: a column for each rank or group of equal ranks, and collectives."""
        language.check_lang(lang)
        rows = [
            Row(text.of(lang), colour="alert" if kind == "wrong" else "muted")
            for kind, text in self.notes()
        ]
        return add_caption(self.picture.painting(lang), self.headline(lang), rows, NARROWEST)

    # ----- page ----------------------------------------------------------------------------------

    def payload(self) -> dict[str, Any]:
        """Return the data that the page reads."""
        title = {lang: self.headline(lang) for lang in messages.languages()}
        return payload_of(self.score, title, self.notes())

    def html(self, lang: str = "") -> str:
        """Return one page that needs no server: the picture, with a scrubber through its rows."""
        return page.ranks_html(self.payload(), lang=language.for_player(lang))

    def writers(self, lang: str) -> Mapping[str, Callable[[], str | bytes]]:
        """Map endings of files to functions that return their content."""
        return {".html": lambda: self.html(lang), **super().writers(lang)}

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        kept = super()._repr_mimebundle_()
        words = language.for_text()
        frame = page.frame(self.html(), self.headline(words), self.svg(words, "light"))
        return {**kept, "text/html": frame}

    def description(self, lang: str) -> tuple[str, str]:
        """Return the headline and the whole text."""
        return self.headline(lang), self.text(lang)


def write_value(ranks: Sequence[int], value: Value, lang: str, each: bool) -> str:
    """Return `h [3, 2]: rank 0 −0.2 … 0.8, rank 1 …`; equal numbers are written once.

    `each`: name the ranks even if their numbers are equal.
    """
    name = f"{value.name} {value.shape}".rstrip()
    numbers = [(names_of([rank]), n) for rank, n in zip(ranks, value.numbers, strict=True)]
    if value.same:
        numbers = [(names_of(ranks), value.numbers[0])]
    texts = (f"{who.of(lang)} {number}" if each or not value.same else number
            for who, number in numbers)  # fmt: skip
    return f"{name}: {messages.Row(texts, messages.REMARKS).of(lang)}".rstrip(": ")


# ----- viz.ranks ---------------------------------------------------------------------------------


def ranks(
    traces: Given | Iterable[Given],
    *,
    fold: bool = True,
    brief: bool = False,
    round: int | None = None,
) -> Ranks:
    """Return the traces of processes that worked together: a column for each, collectives across
    them.

    traces: a trace of each rank, or the files that they were saved to, or the folder of these. A
    collective is found by its group and its number in it, so what did not fit (another shape,
    another order, a rank that did not come) is seen, too. Ranks that run the same code stand in one
    column, with the numbers of each; fold=False gives each rank its own. brief=True is for slides:
    what runs between collectives is one box. Of traces with rounds it shows one, the first unless
    `round` names another.

    `.save("x.html")` writes a page to step through, `.save("x.svg")` (.png .pdf .txt) the picture;
    `.collectives`, `.mismatches` and `.folded` tell what is in it.

    Errors: ValueError for no trace, or two of the same rank; TypeError for what is no trace;
    RuntimeError for a path that is not there; IndexError for a round that is not there.

    >>> import minipaddle as paddle, viz
    >>> def work():
    ...     with viz.record() as trace:
    ...         paddle.tanh(paddle.ones([2]))
    ...     return trace
    >>> viz.ranks([work(), work()])
    <Ranks: 2 ranks and no collective>
    """
    whole = by_number([open_trace(each) for each in paths_of(traces)])
    chosen = chapters_of(whole, round)
    first = min(whole)
    name = None
    if whole[first].rounds:
        name = name_of_chapter(whole[first], chosen[first])
    return Ranks({rank: chapter.trace for rank, chapter in chosen.items()}, fold, brief, name)


def paths_of(traces: Given | Iterable[Given]) -> list[Given]:
    """Return the given traces and paths; for a folder, the paths of the traces in it."""
    if isinstance(traces, Trace):
        return [traces]
    if isinstance(traces, str | os.PathLike):
        folder = Path(traces)
        if not folder.is_dir():
            return [folder]
        found = sorted(folder.glob("*.json"))
        if not found:
            raise NotFound(
                f"there is no trace in the folder {folder}.",
                expected="a .json file of each rank, which trace.save() wrote",
                received=f"a folder with {len(list(folder.iterdir()))} other entries",
                fix="name the folder into which the ranks saved their traces",
            )
        return [*found]
    if not isinstance(traces, Iterable):
        raise no_trace(traces)
    given = list(traces)
    if not given:
        raise InvalidArgument(
            "viz.ranks() needs at least one trace.",
            expected="a trace of each rank, or the files they were saved to",
            received="an empty list",
            fix="record a trace on each rank, and give them all",
        )
    return given


def open_trace(given: Given) -> Trace:
    """Return a trace, read from its file if a path is given."""
    if isinstance(given, Trace):
        return given
    if isinstance(given, str | os.PathLike):
        return load(Path(given))
    raise no_trace(given)


def no_trace(given: object) -> InvalidType:
    return InvalidType(
        "viz.ranks() takes traces.",
        expected="a list of traces or of the .json files they were saved to, or their folder",
        received=f"{type(given).__name__}: {given!r:.40}",
        fix="write viz.ranks([trace0, trace1]), with one trace of each rank",
    )


def by_number(traces: Sequence[Trace]) -> dict[int, Trace]:
    """Return the traces by rank: the recorded rank, else their place in the list."""
    found: dict[int, Trace] = {}
    for place, trace in enumerate(traces):
        rank = rank_of(trace, place)
        if rank in found:
            raise InvalidArgument(
                f"two of the traces are of rank {rank}.",
                expected="one trace of each rank",
                received=f"{len(traces)} traces, numbers {[*found]} and once more {rank}",
                fix="give each rank's trace once; traces without a rank are numbered as given",
            )
        found[rank] = trace
    return dict(sorted(found.items()))


def rank_of(trace: Trace, place: int) -> int:
    """Return the rank that recorded a trace, or `place` if it is unknown."""
    own = trace.document.get("rank")
    attrs = (getattr(event, "attrs", {}) for event in trace.events)
    called = (each["rank"] for each in attrs if "ranks" in each and "rank" in each)
    return int(next(called, place) if own is None else own)


def chapters_of(traces: Mapping[int, Trace], round: int | None) -> dict[int, Chapter[Trace]]:
    """Return each rank's chapter: the round asked for, else where a run stopped, else the first."""
    if round is not None:
        for trace in traces.values():
            if trace.rounds:
                trace.round(round)  # raises if the round is missing
    stopped = [trace for trace in traces.values() if trace.ended]
    number = (stopped or [*traces.values()])[0].shown.round
    if round is not None:
        count = max(len(trace.rounds) for trace in traces.values())
        number = round + count if round < 0 else round
    return {
        rank: next((c for c in trace.chapters if c.round == number), trace.chapters[-1])
        for rank, trace in traces.items()
    }
