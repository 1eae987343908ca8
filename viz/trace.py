"""A trace: what happened, as a versioned document that gives the same bytes on every run.

Everything is numbered by first appearance from 1, values stand once in a table, and places are
cells or paths relative to the working folder: no clock, no process, no home folder. A trace that
was loaded behaves like one that was recorded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minipaddle import events, places
from minipaddle.events import notes
from minipaddle.places import Place

from . import build, files, language, later, text
from .check import checked
from .codec import Decoder, Encoder
from .model import Source, Step, Story
from .names import names_for
from .sources import SourceTable
from .values import ValueTable

if TYPE_CHECKING:
    import graphviz

    from .explanation import Explanation
    from .statistics import Statistics

FORMAT = "minipaddle-trace"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Ended:
    """The exception that ended the recorded block, and the user's line that it came from."""

    error: str
    message: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a recording reached its limit: so many events, or bytes (told as megabytes)."""

    what: str
    limit: float
    place: Place | None


@dataclass(slots=True)
class Recording:
    """What the recorder has kept: records with copies of their small arrays, and names."""

    title: str = ""
    log: list[Any] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    ended: Ended | None = None
    cut: Cut | None = None
    closed: bool = False
    release: Callable[[], None] = lambda: None  # the listener lets go of the log
    folder: str = field(default_factory=places.folder)  # where it began


class Trace:
    """What happened in a recorded block, step by step.

    >>> import minipaddle as paddle, viz
    >>> with viz.record() as trace:
    ...     y = paddle.tanh(paddle.to_tensor([0.0]))
    >>> len(trace), trace.steps[0].text
    (1, 'tanh squashes 0 into (−1, 1), giving y = 0.')
    """

    def __init__(
        self, document: dict[str, Any] | None = None, recording: Recording | None = None
    ) -> None:
        self._recording = recording or Recording(closed=True)
        self._made: dict[str, Any] = {}
        self._numbers: dict[int, int] = {}
        if document is not None:
            self._made["document"] = checked(document, FORMAT, VERSION)

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        """Make a thing once; while the block still runs, afresh each time it is asked for."""
        if not self._recording.closed:
            return make()
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    # ----- the document --------------------------------------------------------------------------

    @property
    def document(self) -> dict[str, Any]:
        """The trace as plain JSON values."""
        return self._once("document", self._written)  # type: ignore[no-any-return]

    def _written(self) -> dict[str, Any]:
        document, self._numbers = written(self._recording)
        if self._recording.closed:
            self._recording = Recording(closed=True)  # the arrays may go
        return document

    @property
    def events(self) -> tuple[Any, ...]:
        """The records of minipaddle.events, with the numbers of this trace."""
        return self._once("events", lambda: decoded(self.document))  # type: ignore[no-any-return]

    @property
    def story(self) -> Story:
        """The graph and the steps that walk through it."""
        return self._once("story", lambda: build.story_of(self))  # type: ignore[no-any-return]

    @property
    def title(self) -> str:
        """What was recorded, in a few words."""
        return str(self.document["title"]) or self.story.title

    @property
    def names(self) -> dict[tuple[int, int], str]:
        """The user's names of tensors, by number and scope (0: outside every PyLayer)."""
        return {(tensor, scope): name for tensor, scope, name in self.document["names"]}

    @property
    def ended(self) -> Ended | None:
        """The exception that ended the recorded block."""
        end = self.document["ended"]
        place = end and end["place"] and Place(*end["place"])
        return end and Ended(end["error"], end["message"], place)

    @property
    def cut(self) -> Cut | None:
        """The limit that the recording reached, if it did."""
        cut = self.document.get("cut")
        place = cut and cut["place"] and Place(*cut["place"])
        return cut and Cut(cut["what"], cut["limit"], place)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The user's code, as far as the trace needs it."""
        return tuple(
            Source(s["name"], tuple(s["lines"]), s["first"]) for s in self.document["sources"]
        )

    # ----- reading it ----------------------------------------------------------------------------

    @property
    def steps(self) -> tuple[StepView, ...]:
        """Every step with its sentence."""
        return tuple(StepView(step) for step in self.story.steps)

    def __len__(self) -> int:
        return len(self.story.steps)

    def say(self, step: int, lang: str = "en") -> str:
        """The sentence of one step in English ("en") or Chinese ("zh")."""
        return self.steps[step].say(lang)

    def number_of(self, tensor: Any) -> int:
        """The number of a tensor of this process in the trace; 0 for one that is not in it."""
        given = events.number_of(tensor)
        return self._numbers.get(given, 0) if given and self.document else 0

    def explain(self, tensor: Any, loss: Any = None) -> Explanation:
        """Why the gradient of a tensor is None or zero, with the way as it was recorded."""
        return later.explanation.explain(tensor, loss, self)  # type: ignore[no-any-return]

    def text(self, lang: str = "en") -> str:
        """The whole trace as a transcript."""
        return text.transcript(self.story, language.known(lang))

    def statistics(self, step: int = -1) -> Statistics:
        """Parameters and activations after a step, as rows that print as a table."""
        return later.statistics.statistics(self.story, step)  # type: ignore[no-any-return]

    def dumps(self) -> str:
        """The text of a .json file: the same bytes for the same trace."""
        return dumps(self.document)

    def save(
        self,
        path: str | Path,
        engine: str = "builtin",
        steps: Iterable[int] | None = None,
        lang: str = "",
        color_by: str = "",
    ) -> Path:
        """Write the trace; the ending chooses: .json .txt .html .svg .png .pdf .gif .dot.

        `steps` names the steps of a film strip (.svg .png .pdf) or of a moving picture (.gif).
        color_by="grad" or "value" colours boxes by the magnitude of gradients or values.
        engine="dot" lets Graphviz lay out an .svg, .png or .pdf where its program is installed.
        """
        if lang:
            language.known(lang)
        return files.save(self, path, engine, steps, lang, color_by)

    def graphviz(self) -> graphviz.Digraph:
        """The picture as a `graphviz.Digraph`, which needs no program until it is rendered."""
        return later.dot.digraph(self.story.graph, files.first_open(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self.document == other.document

    __hash__ = None  # type: ignore[assignment]

    # ----- showing it ----------------------------------------------------------------------------

    def show(self, iframe: bool = False) -> None:
        """The player in a notebook; elsewhere the transcript is printed.

        With iframe=True the output is a page in a frame, up to 10 MB: the saved notebook shows it
        without a kernel and without widgets, in the classic notebook and nbconvert too.
        """
        files.show(self, iframe)

    def __repr__(self) -> str:
        return f"<Trace of {self.title}: {len(self)} steps>"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return files.mimebundle(self, **options)


@dataclass(frozen=True)
class StepView:
    """One step as users read it; everything that the picture knows is in `step`."""

    step: Step

    @property
    def text(self) -> str:
        """The sentence of this step in English."""
        return self.say("en")

    def say(self, lang: str = "en") -> str:
        """The sentence of this step in a language."""
        return self.step.text[language.known(lang)]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.step, name)

    def __repr__(self) -> str:
        return f"<step {self.step.index}: {self.text}>"


# ----- to and from plain JSON --------------------------------------------------------------------


def written(recording: Recording) -> tuple[dict[str, Any], dict[int, int]]:
    """A recording as a document, and the numbers that the tensors of this process have in it."""
    values, sources = ValueTable(), SourceTable(recording.folder)
    encoder = Encoder(values, sources)
    log = list(notes.records_of(recording.log))
    rows = [encoder.record(event) for event in log]
    ended, cut = recording.ended, recording.cut
    left = ended or cut
    document = {
        "format": FORMAT,
        "version": VERSION,
        "title": recording.title,
        "events": rows,
        "values": values.entries,
        "names": sorted(
            [encoder.number("tensor", tensor), scope and encoder.number("scope", scope), name]
            for (tensor, scope), name in names_for(
                log, recording.names, sources, left and left.place
            ).items()
        ),
        "ended": ended
        and {
            "error": ended.error,
            "message": ended.message,
            "place": ended.place and sources.add(ended.place),
        },
    }
    if cut:
        place = cut.place and sources.add(cut.place)
        document["cut"] = {"what": cut.what, "limit": cut.limit, "place": place}
    document["sources"] = sources.entries()
    return document, encoder.numbers.get("tensor", {})


def decoded(document: Mapping[str, Any]) -> tuple[Any, ...]:
    """The records of a document."""
    decoder = Decoder(document["values"], document["sources"])
    return tuple(decoder.record(row, f"events[{i}]") for i, row in enumerate(document["events"]))


def dumps(document: Mapping[str, Any]) -> str:
    """The one spelling of a document: sorted keys, plain ASCII, one event or value a line."""
    compact = {"sort_keys": True, "separators": (",", ":"), "allow_nan": False}
    rows = []
    for key in sorted(document):
        item = document[key]
        if key in ("events", "values", "sources") and item:
            inner = ",\n".join(json.dumps(row, **compact) for row in item)  # type: ignore[arg-type]
            rows.append(f"{json.dumps(key)}:[\n{inner}\n]")
        else:
            rows.append(f"{json.dumps(key)}:{json.dumps(item, **compact)}")  # type: ignore[arg-type]
    return "{" + ",\n".join(rows) + "}\n"


def load(path: str | Path) -> Trace:
    """A trace from a .json file; what is damaged or foreign is refused with a clear error."""
    return Trace(files.read(path))
