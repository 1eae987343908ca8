"""A trace: what happened, step by step. One that was loaded behaves like one that was recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from minipaddle import events
from minipaddle.engine.guard import collector_waits

from . import export, language
from .document.distinct_names import distinct
from .document.document import FORMAT, VERSION, Cut, Ended, Recording, decode, dumps, encode
from .document.read import read
from .document.sources import LoadedLine
from .document.validate import validate
from .draw import dot
from .draw.transcript import transcript
from .language.words import say
from .layout.scene import Scene, first_open, scene_of
from .model import Source, Step, Story
from .player import display
from .statistics.table import Statistics, statistics
from .story import builder
from .views import explanation

if TYPE_CHECKING:
    import graphviz


T = TypeVar("T")


class Trace:
    """What happened in a recorded block, step by step.

    Errors: IndexError for a step that is not there; ValueError for an ending that no exporter has.

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
            self._made["document"] = validate(document, FORMAT, VERSION)

    def _once(self, name: str, make: Callable[[], T]) -> T:
        """Make a thing once; while the block still runs, afresh each time it is asked for."""
        if not self._recording.closed:
            return make()
        if name not in self._made:
            with collector_waits():
                self._made[name] = make()
        result: T = self._made[name]
        return result

    # ----- the document --------------------------------------------------------------------------

    @property
    def document(self) -> dict[str, Any]:
        """The trace as plain JSON values."""
        return self._once("document", self._encode)

    def _encode(self) -> dict[str, Any]:
        document, self._numbers = encode(self._recording)
        if self._recording.closed:
            self._recording = Recording(closed=True)  # the arrays may go
        return document

    @property
    def events(self) -> tuple[Any, ...]:
        """The records of minipaddle.events, with the numbers of this trace."""
        return self._once("events", lambda: decode(self.document))

    @property
    def story(self) -> Story:
        """The graph and the steps that walk through it."""
        return self._once("story", lambda: builder.story_of(self))

    @property
    def picture(self) -> Scene:
        """The whole picture as the player shows it at first."""
        graph = self.story.graph
        return self._once("picture", lambda: scene_of(graph, first_open(graph)))

    @property
    def title(self) -> str:
        """What was recorded, in a few words."""
        return str(self.document["title"]) or self.story.title or say("nothing", "en")

    @property
    def names(self) -> dict[tuple[int, int], str]:
        """The user's names of tensors, by number and scope (0: outside every PyLayer).

        Where `x` stands for several values, one after the other, the later ones are `x#2`, `x#3`.
        """
        rows = self.document["names"]
        return self._once("names", lambda: distinct({(x, at): name for x, at, name in rows}))

    @property
    def ended(self) -> Ended[LoadedLine] | None:
        """The exception that ended the recorded block."""
        end = self.document["ended"]
        place = end and end["place"] and LoadedLine(*end["place"])
        return end and Ended(end["error"], end["message"], place, end.get("message_zh", ""))

    @property
    def cut(self) -> Cut[LoadedLine] | None:
        """The limit that the recording reached, if it did."""
        cut = self.document.get("cut")
        place = cut and cut["place"] and LoadedLine(*cut["place"])
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
        number = events.number_of(tensor)
        return self._numbers.get(number, 0) if number and self.document else 0

    def explain(self, tensor: Any, loss: Any = None) -> explanation.Explanation:
        """Why the gradient of a tensor is None or zero, with the way as it was recorded."""
        return explanation.explain(tensor, loss, self)

    def text(self, lang: str = "en") -> str:
        """The whole trace as a transcript."""
        return transcript(self.story, language.check_lang(lang))

    def statistics(self, step: int = -1) -> Statistics:
        """Parameters and activations after a step, as rows that print as a table."""
        return statistics(self.story, step)

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
            language.check_lang(lang)
        return export.save(self, path, engine, steps, lang, color_by)

    def graphviz(self) -> graphviz.Digraph:
        """The picture as a `graphviz.Digraph`, which needs no program until it is rendered."""
        return dot.digraph(self.story.graph, first_open(self.story.graph))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self.document == other.document

    __hash__ = None  # type: ignore[assignment]

    # ----- showing it ----------------------------------------------------------------------------

    def show(self, iframe: bool = False, step: int = 0) -> display.Frame | None:
        """The player in a notebook, at a step; elsewhere the transcript is printed.

        With iframe=True the output is a page in a frame, up to 10 MB, which plays without a kernel
        and without widgets. Outside of IPython that frame is given back, to be shown by marimo or
        whatever shows HTML. InvalidArgument for a step that `trace.steps` does not have.
        """
        return display.show(self, iframe, step)

    def __repr__(self) -> str:
        return f"<Trace of {self.title}: {len(self)} steps>"

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:
        return display.mimebundle(self)


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
        return self.step.text[language.check_lang(lang)]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.step, name)

    def __repr__(self) -> str:
        return f"<step {self.step.index}: {self.text}>"


def load(path: str | Path) -> Trace:
    """A trace from a .json file; what is damaged or foreign is refused with a clear error.

    Errors: RuntimeError for a path that is not there; ValueError for a document that is no
    trace.

    >>> import tempfile
    >>> with viz.record() as trace:
    ...     _ = paddle.tanh(paddle.ones([2]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = viz.load(trace.save(f"{folder}/a.json"))
    >>> len(again.steps) == len(trace.steps)
    True
    """
    return Trace(read(path))
