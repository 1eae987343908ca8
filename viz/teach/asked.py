"""Base of pages that ask questions: they play a trace and collect answers."""

from __future__ import annotations

import base64
import hashlib
import json
from abc import abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from minipaddle.engine.errors import InvalidArgument, InvalidType

from .. import language
from ..model import Problem
from ..player import display
from ..player.book import Playable, book_of
from ..player.page import to_html
from ..views.view import View

FORMAT = "minipaddle-answers"
FIELDS = ("step", "round", "number", "ask", "of", "given", "truth", "right", "hints", "tries")


# attributes of a trace that a page needs, besides its length and its problems
PLAYED = frozenset(
    {"title", "story", "chapters", "shown", "rounds", "structures", "checks", "program", "picture"}
)


class Asked(View):
    """Trace whose page asks questions, in a notebook or in a file.

    `answers` has one dict for each answered question: `step` (in `trace.steps`), its `number`, one
    more, as pages count, and its `round`, counted from 1; `ask`, `of`, `given`, `truth`, `right`,
    the number of `hints` that were read, and `tries`. A notebook fills it while the page is played;
    `load` reads the answers that a page in a browser has exported.
    """

    trace: Any
    answers: tuple[dict[str, Any], ...] = ()

    @property
    @abstractmethod
    def spec(self) -> dict[str, Any]:
        """Specification of the questions, as the page reads it."""

    @property
    def ask(self) -> dict[str, Any]:
        """Specification with the key that answers carry."""
        return {**self.spec, "key": self.key}

    @property
    def key(self) -> str:
        kind = [*FIELDS, self.trace.title, len(self.trace), self.spec]
        text = json.dumps(kind, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    # ----- as a trace ----------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the trace that the page plays."""
        if name not in PLAYED:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(self.trace, name)

    def problems(self) -> list[Problem]:
        """Return no problems, because they would give answers away."""
        return []

    def __len__(self) -> int:
        return len(self.trace)

    # ----- the page ------------------------------------------------------------------------------

    def show(self, iframe: bool = False) -> display.Frame | None:
        """Show the page in a notebook; elsewhere print the questions."""
        return display.show(self, iframe)

    def html(self, lang: str = "") -> str:
        """Return the page as one file."""
        page = cast("Playable", self)
        return to_html(book_of(page), lang=language.for_player(lang))

    def writers(self, lang: str) -> Mapping[str, Callable[[], str | bytes]]:
        return {
            ".html": lambda: self.html(lang),
            ".txt": lambda: self.text(language.for_text(lang)),
        }

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:
        return display.mimebundle(self)

    # ----- answers -------------------------------------------------------------------------------

    def heard(self, answers: Any) -> None:
        """Store the answers of a page; skip entries that are no answers."""
        rows = answers if isinstance(answers, list) else []
        self.answers = tuple(
            {name: row.get(name) for name in FIELDS} for row in rows if is_answer(row)
        )

    def load(self, path: str | Path) -> None:
        """Read the answers that a page has exported; raise InvalidArgument if they are not its own.

        >>> import tempfile
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> with viz.record() as trace:
        ...     paddle.tanh(x).backward()
        >>> quiz = trace.quiz()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     quiz.load(quiz.export(f"{folder}/answers.json"))
        >>> quiz.answers
        ()
        """
        try:
            exported = json.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise InvalidArgument(
                f"no answers can be read from {Path(path).name}.",
                expected="a file that the page has exported (the button Export answers)",
                received=f"{type(error).__name__}: {error!s:.80}",
                fix="export it again, and give its path",
            ) from error
        known = isinstance(exported, dict) and exported.get("format") == FORMAT
        if not known or exported.get("key") != self.key:
            raise InvalidArgument(
                f"the answers in {Path(path).name} are not to this page."
                if known
                else f"{Path(path).name} has no answers.",
                expected=f'answers to "{self.title}", with the key {self.key}',
                received=f"the key {exported.get('key')!r:.40}"
                if known
                else "another kind of file",
                fix="export them from the page that this trace, these options and seed make",
            )
        self.heard(exported.get("answers"))

    def export(self, path: str | Path) -> Path:
        """Write the answers to a file in the format of the page's export."""
        whole = {"format": FORMAT, "key": self.key, "title": self.title, "answers": self.answers}
        text = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
        from .. import export

        return export.save_view(Path(path), {".json": lambda: text})


def is_answer(row: Any) -> bool:
    """Return whether an entry that a page sent is an answer.

    >>> is_answer({"step": 3, "ask": "sign", "right": True}), is_answer({"step": "3"})
    (True, False)
    """
    if not isinstance(row, dict):
        return False
    wanted = {"step": int, "ask": str, "right": bool}
    return all(type(row.get(name)) is kind for name, kind in wanted.items())


def encode(thing: Any) -> str:
    """Return data encoded so that nobody reads it by chance; the page decodes it.

    >>> encode({"answer": "grad1"})
    'eyJhbnN3ZXIiOiJncmFkMSJ9'
    """
    text = json.dumps(thing, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")


def check_seed(seed: int, call: str, example: str) -> None:
    """Raise InvalidType for a seed that is no whole number from 0 on."""
    if type(seed) is not int or seed < 0:
        raise InvalidType(
            f"{call}: a seed must be a whole number.",
            expected="an int that is not negative",
            received=f"{type(seed).__name__} {seed!r:.40}",
            fix=f"write {example}",
        )
