"""Judging of one notebook, outside of its walls: its cells are run there, its answers come here."""

from __future__ import annotations

import ast
import importlib
import json
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from ...engine.errors import MinipaddleError
from ...engine.visible import make_visible, one_line
from ...messages import Message
from .. import course, errors
from ..exercise import Exercise
from ..outcome_cards import least_digits
from ..outcomes import Outcome, Pair, sentences, text
from ..predictions import Prediction
from ..trials import Drive, in_words
from . import wire
from .departure import departure
from .plain import decode
from .remote import remote
from .sandbox import Limits
from .shipping import pickle_whole

STARTING = 180  # seconds for a kernel and its imports on a busy machine
ENDING = 5  # seconds for the checks of a notebook that has used all of its time
INTERRUPTED = 2.0  # seconds for an interrupted cell to end
SHARE = 0.5  # largest part of the remaining time for one cell
LEAST = 1.0  # seconds that every cell may take
LOOK = 0.2  # seconds between two looks at the clock
LONGEST = 1000  # characters of a reason
MOST_CODE = 20_000  # characters of a cell in which an answer is looked for
FEW = 4  # most numbers that are shown one by one
MOST_LOADS = 100  # exercises files that a notebook may load
CHANGED = "Judged by its check in code cell {cell}: {answer} was changed later."
ABSENT = "Judged by its check in code cell {cell}: at the end there is no {answer}."

Parts = dict[str, Exercise | Prediction]


# These are no Exceptions, so that no check mistakes them for an exception of an answer.


class Ended(BaseException):
    """The process of the notebook has ended; the text says why, if that is known."""


class Killed(BaseException):
    """The process of the notebook could not be interrupted; the text says when it was killed."""


class Broken(BaseException):
    """The process of the notebook sends what no kernel sends."""


class TookTooLong(BaseException):
    """The learner's code was stopped while a check drove it, after this time."""


def empty_result(problem: str, *, judged: bool = False) -> dict[str, Any]:
    """Return the result of a notebook that did not run; `judged` if the copy is to blame."""
    result = {"max": {}, "rows": {}, "errors": [], "problem": problem, "judged": judged}
    return {**result, "times": {}, "ended": False}  # of itself, so that another try may help


@dataclass(frozen=True)
class CheckedAnswer:
    """Number of an answer at its check, and its outcome with hidden checks."""

    number: int
    outcome: Outcome
    cell: int


@dataclass
class Judge:
    """Judge of one notebook, which talks to the notebook's process.

    `parts` are the teacher's exercises; None if the notebook says which it loads. Those that are
    files come from `folder`, and only if this process may run the learner's code: it is inside of
    walls, or there are none.
    """

    talk: socket.socket
    control: socket.socket
    limits: Limits
    seed: int
    folder: Path
    parts: Parts | None = None
    may_run: bool = True
    began: float = field(default_factory=time.monotonic)
    loaded: Parts = field(default_factory=dict)
    checked: dict[str, CheckedAnswer] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)  # that count
    cells: list[str] = field(default_factory=list)
    cell: int = 0
    end: float = 0.0  # time when cells must have ended
    judging: float = 0.0  # seconds
    buffer: bytearray = field(default_factory=bytearray)

    def judge_notebook(self, cells: list[str]) -> dict[str, Any]:
        """Run the cells and judge the answers; return the result."""
        result, at = empty_result(""), "the start"
        self.end, self.cells = self.began + STARTING, cells
        self.loaded = dict(self.parts or {})
        try:
            self.reply(STARTING)
            started, result["judged"] = time.monotonic(), True
            self.end = started + self.limits.seconds
            for number, source in enumerate(cells, 1):
                at, self.cell = f"code cell {number}", number
                if time.monotonic() > self.end:
                    result["errors"].append(f"{at} and what follows: no time was left")
                    break
                self.run_cell(source, at, result["errors"])
            at, ran = "grading", time.monotonic()
            self.end += ENDING
            loaded = self.loaded.items()
            graded = {name: p for name, p in loaded if isinstance(p, Exercise) or p.points}
            result["max"] = {name: part.points for name, part in graded.items()}
            for name in graded:
                result["rows"][name] = self.judge_answer(name, result["errors"])
            run, judged = ran - started - self.judging, time.monotonic() - ran + self.judging
            self.find_boxes(result["rows"])
            result["times"] = {"start": started - self.began, "run": run, "judge": judged}
        except Ended as error:
            why = str(error) or "exit(), a crash, or no memory"
            result["problem"] = f"The kernel ended in {at}: {why}."
            result["ended"] = not str(error)
        except Killed as error:
            result["problem"] = f"Stopped in {at}, which took too long: {error}"
        except Broken as error:
            result["problem"] = f"The kernel sent in {at} what no kernel sends: {error}"
        return result

    # ----- the notebook's process ----------------------------------------------------------------

    def run_cell(self, source: str, name: str, errors: list[str]) -> None:
        """Run one cell of the learner; store its exception."""
        reply, stopped = self.ask("cell", source)
        if stopped:
            errors.append(f"{name}: took too long, stopped after {stopped}")
        elif reply:
            with strict():
                kind, text = (one_line(reply[part], LONGEST) for part in ("class", "text"))
            errors.append(f"{name}: {kind}{text and f': {text}'}")

    def time_left(self) -> float:
        """Return half of the remaining seconds, so that an endless cell leaves some for others."""
        return max(LEAST, (self.end - time.monotonic()) * SHARE)

    def ask(self, *request: Any) -> tuple[Any, str]:
        """Send a request; return its reply, and after what time it was interrupted ("" if not)."""
        self.send(*request)
        return self.reply(self.time_left())

    def send(self, *message: Any) -> None:
        """Send a message to the notebook's process."""
        self.talk.settimeout(INTERRUPTED + LEAST)
        try:
            wire.send(self.talk, pickle_whole(message))
        except TimeoutError:
            raise Killed("it was killed, since it read no request.") from None
        except OSError:
            raise Ended(self.why()) from None

    def reply(self, seconds: float) -> tuple[Any, str]:
        """Return the next reply; answer what cells ask for meanwhile."""
        began, interrupted = time.monotonic(), ""
        while True:
            with strict():
                message = self.next_message()
            if message is not None and "reply" in message:
                return message["reply"], interrupted
            if message is not None:
                started = time.monotonic()
                with strict():
                    what, *about = message["event"]
                self.handle_event(str(what), *about[:2])
                began += time.monotonic() - started
                self.judging += time.monotonic() - started
            took = time.monotonic() - began
            late = time.monotonic() > self.end + 2 * ENDING
            if took > seconds + INTERRUPTED or late:
                raise Killed(f"it was killed after {took:.1f} seconds.")
            if took > seconds and not interrupted:
                interrupted = f"{took:.1f} seconds"
                with suppress(OSError):
                    self.control.sendall(b"i")

    def next_message(self) -> Any:
        """Return the next message, or None if there is none within a moment."""
        self.talk.settimeout(LOOK)
        size = wire.LENGTH.size
        while True:
            if len(self.buffer) >= size:
                [length] = wire.LENGTH.unpack(self.buffer[:size])
                if length > wire.MOST:
                    raise ValueError("a message that is too long")
                if len(self.buffer) >= size + length:
                    message = bytes(self.buffer[size : size + length])
                    del self.buffer[: size + length]
                    return json.loads(message)
            try:
                part = self.talk.recv(2**20)
            except TimeoutError:
                return None
            except OSError:
                part = b""
            if not part:
                raise Ended(self.why())
            self.buffer += part

    def why(self) -> str:
        """Return the limit that ended the notebook's process, "" if none did."""
        self.control.settimeout(1.0)
        with suppress(OSError):
            return one_line(self.control.recv(500).decode("utf-8", "replace"), LONGEST)
        return ""

    def drive(
        self, drive: Drive, number: int, arguments: tuple[Any, ...]
    ) -> tuple[dict[str, Any], BaseException | None]:
        """Drive an answer; return what came, and its exception."""
        reply, stopped = self.ask("drive", drive, number, arguments)
        if stopped or not isinstance(reply, dict) or "came" not in reply:
            raise TookTooLong(stopped)
        files = [x.__code__.co_filename for x in arguments if isinstance(x, FunctionType)]
        used = files[0] if files else ""
        error = self.value(["error", reply["error"]], used) if "error" in reply else None
        return self.value(reply["came"], used), error

    def value(self, data: Any, used: str = "") -> Any:
        """Return what plain data describes."""
        with strict():
            return decode(data, lambda *about: remote(self, *about), used)

    def read_answer(self, data: Any) -> tuple[int, Any]:
        """Return an answer's number and the answer: a value, or a stand-in for an object."""
        with strict():
            number, value = data
            kind = value[0] if isinstance(value, list) else ""
            if kind == "trace":
                return int(number), trace_of(str(value[1]))
            if kind == "page":
                return int(number), SimpleNamespace(answers=self.value(value[1]))
            return int(number), self.value(value)

    # ----- what cells ask for --------------------------------------------------------------------

    def handle_event(self, what: str, *about: Any) -> None:
        """Do what a cell asks for, and let the cell continue."""
        if what == "load":
            self.send("go on", *self.load(str(about[0])))
        elif what == "check":
            self.judge_at_check(str(about[0]), about[1])
            self.send("go on")
        else:
            raise Broken("an unknown event")

    def load(self, which: str) -> tuple[list[dict[str, Any]], Exception | None]:
        """Load exercises; return what learners may see of them, and an error."""
        parts = self.parts
        try:
            if parts is None:
                if len(self.loaded) > MOST_LOADS:
                    raise ValueError("too many exercises")
                parts = {part.name: part for part in self.read(which)}
                self.loaded.update(parts)
        except MinipaddleError as error:
            return [], error
        except Exception as error:  # noqa: BLE001 - what a file of exercises raises
            return [], RuntimeError(str(in_words(error)))
        return [seen_by_learners(part) for part in parts.values()], None

    def read(self, which: str) -> course.Course:
        """Read a lesson of minipaddle, or a file of the notebook's folder."""
        if not which.endswith(".py"):
            return course.read(course.file_of(which))
        if not self.may_run:
            raise errors.no_walls_for(which)
        file = (self.folder / which).resolve()
        if not (file.is_relative_to(self.folder.resolve()) and file.is_file()):
            raise errors.no_file_beside(which, Path("the notebook's folder"))
        return course.read(file)

    def judge_at_check(self, name: str, data: Any) -> None:
        """Judge an answer at its check in a cell."""
        part = self.loaded.get(name)
        if not isinstance(part, Exercise):
            return
        number, answer = self.read_answer(data)
        try:
            outcome = part.judge(answer, seed=self.seed)
        except TookTooLong:
            return
        except Exception:  # noqa: BLE001 - the check's own, which the end of the notebook reports
            return
        self.checked[name] = CheckedAnswer(number, outcome, self.cell)

    # ----- the end of the notebook ---------------------------------------------------------------

    def judge_answer(self, name: str, errors: list[str]) -> dict[str, Any]:
        """Return the result of one answer.

        If a name holds a wrong answer at the end, but held another value at its last check, the
        check counts, since learners reuse names.
        """
        part = self.loaded[name]
        if time.monotonic() > self.end:
            return failed_row("No time was left for its check.")
        checked, number, answer, there = self.checked.get(name), -1, None, True
        if isinstance(part, Exercise):
            data, _ = self.ask("variable", part.answer)
            there = bool(data)
            number, answer = self.read_answer(data) if there else (-1, None)
        try:
            if isinstance(part, Exercise):
                outcome = part.judge(answer, seed=self.seed)
            else:
                reply, _ = self.ask("prediction", name)
                outcome = part.judge(self.value(reply))
        except TookTooLong as error:
            return failed_row(f"The check took too long, and was stopped after {error}.")
        except Exception as error:  # noqa: BLE001 - the check's own: those of answers are outcomes
            return {"outcome": "not judged", "points": None, "reason": first_line_of(error)}
        note, cells = "", self.cells
        if (
            checked is not None
            and not outcome.solved
            and (checked.outcome.solved or checked.number != number)
        ):
            outcome, cells = checked.outcome, cells[: checked.cell]
            note = (CHANGED if there else ABSENT).format(cell=checked.cell, answer=part.answer)
        elif not there:
            first = errors[:1]
            why = " ".join([f"The notebook has no {part.answer}.", *first])
            return failed_row(why) if first else {**failed_row(why), "outcome": outcome.verdict}
        self.outcomes[name] = outcome
        return {
            "outcome": outcome.verdict,
            "points": part.points if outcome.solved else 0,
            "reason": f"{note} {reason(outcome)}".strip(),
            "slip": outcome.slip,
            "hint": hint(outcome),
            "course": course_of(part).by_language(),
            "code": code_of(part.answer, cells) if isinstance(part, Exercise) else "",
        }

    def find_boxes(self, rows: dict[str, Any]) -> None:
        """Note in the rows where answers depart, as far as there is time; no verdict changes."""
        for name, outcome in self.outcomes.items():
            if time.monotonic() < self.end:
                with suppress(Exception, TookTooLong, Ended, Killed, Broken):
                    rows[name]["box"] = departure(outcome)


@contextmanager
def strict() -> Iterator[None]:
    """Raise Broken in place of any exception: the data is malformed."""
    try:
        yield
    except Exception as error:
        raise Broken(first_line_of(error)) from error


def failed_row(why: str) -> dict[str, Any]:
    """Return the row of an answer that could not be tried."""
    return {"outcome": "error", "points": 0, "reason": why}


def seen_by_learners(part: Exercise | Prediction) -> dict[str, Any]:
    """Return what the notebook's process gets of an exercise or a prediction."""
    about: dict[str, Any] = {"name": part.name, "points": part.points}
    if isinstance(part, Exercise):
        return {**about, "title": part.title}
    return {**about, "question": part.question, "choices": part.choices, "kind": part.kind}


def trace_of(document: str) -> Any:
    """Return the trace of a document."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "trace.json")
        file.write_text(document, encoding="utf-8")
        return importlib.import_module("viz").load(file)


def first_line_of(error: Exception) -> str:
    """Return the first line of an exception."""
    what = error.parts["what"] if isinstance(error, MinipaddleError) else in_words(error)
    return one_line(what.en.partition("\n")[0], LONGEST)


def reason(outcome: Outcome) -> str:
    """Return why an answer is not right, in one line: the slip first, values last.

    Values of another shape are left out, since the reason states both shapes.
    """
    if outcome.solved:
        return ""
    slip = f"[{outcome.slip}]" if outcome.slip else ""
    alike = [pair for pair in outcome.pairs if np.shape(pair.got) == np.shape(pair.expected)]
    numbers = [describe_difference(pair) for pair in (*alike, *outcome.teacher_pairs)[:1]]
    said = (slip, str(outcome.reason), str(outcome.error).partition("\n")[0], *numbers)
    return one_line(" ".join(filter(None, said)), LONGEST)


def course_of(part: Exercise | Prediction) -> Message:
    """Return the title of an exercise's file, else the file's name."""
    return part.course_title if str(part.course_title) else text(part.course)


def hint(outcome: Outcome) -> dict[str, str]:
    """Return what the learner was told, in each language; {} for a right answer."""
    if outcome.solved:
        return {}
    said = sentences([outcome.reason, outcome.error]).by_language()
    return {lang: one_line(words, LONGEST) for lang, words in said.items()}


def code_of(answer: str, cells: list[str]) -> str:
    """Return the learner's code of the last function, class or value with this name, or ""."""
    for cell in reversed(cells):
        if answer not in cell or len(cell) > MOST_CODE:
            continue
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            for node in reversed(ast.parse(cell).body):
                if answer in names_made_by(node):
                    code = ast.get_source_segment(cell, node) or ""
                    return make_visible(code, keep="\t\n", most=LONGEST)
    return ""


def names_made_by(node: ast.stmt) -> list[str]:
    """Return the names of the function, the class or the variables that a statement makes."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    return [target.id for target in getattr(node, "targets", []) if isinstance(target, ast.Name)]


def describe_difference(pair: Pair) -> str:
    """Return expected and received values; of a large array, the element that differs most."""
    expected, got, place = np.asarray(pair.expected), np.asarray(pair.got), ""
    if max(expected.size, got.size) > FEW:
        if expected.shape != got.shape:
            wanted, there = f"shape {list(expected.shape)}", f"shape {list(got.shape)}"
            return f"{pair.name}: expected {wanted}, got {there}."
        texts = "U" in (expected.dtype.kind, got.dtype.kind)
        off = got != expected if texts else np.abs(got.astype(complex) - expected.astype(complex))
        farthest = np.argmax(np.nan_to_num(off, nan=np.inf))
        index = tuple(map(int, np.unravel_index(farthest, off.shape)))
        expected, got, place = expected[index], got[index], str(list(index))
    digits = least_digits(expected, got, 6, in_short)
    wanted, there = in_short(expected, digits), in_short(got, digits)
    return f"{pair.name}{place}: expected {wanted}, got {there}."


def in_short(array: Any, digits: int) -> str:
    """Return a few numbers, or a text, as short text."""
    return np.array2string(
        np.asarray(array), separator=", ", formatter={"float_kind": f"{{:.{digits}g}}".format}
    )
