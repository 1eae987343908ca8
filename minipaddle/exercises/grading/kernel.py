"""Inside the sandbox: run the cells of one notebook, and answer the judge's requests.

Everything here belongs to the learner, who can change it all: it hands out answers, not verdicts.
"""

from __future__ import annotations

import builtins
import io
import os
import pickle
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from ...engine.visible import one_line
from .. import course, exercise
from ..exercise import Exercise
from ..outcomes import SILENT
from ..predictions import Prediction
from ..trials import drive_here
from . import wire
from .plain import describe_error, encode, pack

LONGEST = 300  # characters of a cell's exception
BUILTINS = vars(builtins).copy()
FIRST = {"number": 0, "count": 0, "shape": [], "name": "x"}  # a truth for a question without one


class Kernel:
    """Notebook's process: its cells, and the objects that the judge knows by number."""

    def __init__(self, shell: Any, talk: socket.socket) -> None:
        self.shell, self.talk = shell, talk
        self.objects: list[Any] = []
        self.parts: dict[str, Exercise | Prediction] = {}
        self.builtins: dict[str, Any] = {}  # as the last cell left them
        self.thread = threading.get_ident()
        exercise.elsewhere.append(self.check)
        course.elsewhere.append(self.load)

    def serve(self, until: str = "end") -> Any:
        """Answer requests until one is named `until`; return the arguments of that one."""
        while True:
            what, *about = self.read(wire.receive(self.talk))
            if what == until:
                return about
            said = getattr(self, f"answer_{what}")(*about)
            wire.send(self.talk, pack({"reply": said}))
            self.mend_streams()

    def read(self, pickled: bytes) -> Any:
        """Return a request of the judge."""
        reader = pickle.Unpickler(io.BytesIO(pickled))
        reader.persistent_load = lambda number: self.objects[number]  # type: ignore[method-assign]
        return reader.load()

    def ask_judge(self, *event: Any) -> Any:
        """Tell the judge of an event in a cell, answer what it asks, and return what it says."""
        if threading.get_ident() != self.thread:
            raise RuntimeError("Under grading, exercises work in the main thread alone.")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            wire.send(self.talk, pack({"event": event}))
            return self.serve("go on")
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    # ----- what the judge asks for ---------------------------------------------------------------

    def answer_cell(self, source: str) -> dict[str, str]:
        """Run a cell; return the class and text of its exception, if it has one."""
        vars(builtins).update(self.builtins)
        try:
            with interruptible():
                result = self.shell.run_cell(source, store_history=True)
            error = result.error_before_exec or result.error_in_exec
        except BaseException as raised:  # noqa: BLE001 - such as one that cannot say its text
            error = raised
        finally:  # cells may replace builtins such as print, but only for each other
            self.builtins = vars(builtins).copy()
            vars(builtins).update(BUILTINS)
        if error is None or isinstance(error, SystemExit):
            return {}
        return {"class": one_line(type(error).__name__, LONGEST), "text": text_of(error)}

    def answer_variable(self, name: str) -> list[Any]:
        """Return a variable: [its number, its value], or [] if there is none."""
        names = self.shell.user_ns
        return self.describe_answer(names[name]) if name in names else []

    def answer_prediction(self, name: str) -> Any:
        """Return what a prediction was answered with."""
        return encode(getattr(self.parts.get(name), "given", None))

    def answer_drive(self, drive: Any, number: int, arguments: tuple[Any, ...]) -> dict[str, Any]:
        """Run an answer as a check drives it; return what comes, and its exception."""
        used = [x.__code__.co_filename for x in arguments if isinstance(x, FunctionType)]
        try:
            with interruptible():
                came, error = drive_here(drive, self.objects[number], arguments)
        except KeyboardInterrupt:
            return {"interrupted": True}
        try:
            sent = encode(came, self.register, used)
        except Exception as unfit:  # noqa: BLE001 - what only looks like plain data, or is too deep
            sent, error = encode({}), unfit
        said = {} if error is None else {"error": describe_error(error, used)}
        return {"came": sent, **said}

    # ----- what cells ask for --------------------------------------------------------------------

    def load(self, which: str) -> course.Course:
        """Let the judge load exercises; return what learners see of them, without any check."""
        [about, problem] = self.ask_judge("load", which)
        if problem is not None:
            raise problem
        for part in about:
            self.parts[part["name"]] = part_of(**part)
        own = {part["name"]: self.parts[part["name"]] for part in about}
        return course.Course(which, SILENT, own)

    def check(self, part: Exercise, answer: Any) -> bool:
        """Let the judge look at an answer now; False for an exercise of the notebook's own."""
        if self.parts.get(part.name) is not part:
            return False
        self.ask_judge("check", part.name, self.describe_answer(answer))
        return True

    def mend_streams(self) -> None:
        """Restore streams that a cell has closed or replaced by something else."""
        for name in ("stdout", "stderr"):
            try:
                getattr(sys, name).flush()
            except Exception:  # noqa: BLE001 - whatever a learner has put there
                setattr(sys, name, getattr(sys, f"__{name}__"))

    # ----- answers -------------------------------------------------------------------------------

    def describe_answer(self, answer: Any) -> list[Any]:
        """Return the number of an answer, and its value if it is plain data."""
        number = self.register(answer)[0]
        try:
            if hasattr(answer, "dumps") and hasattr(answer, "steps"):
                return [number, ["trace", answer.dumps()]]
            if hasattr(answer, "answers"):
                return [number, ["page", encode([*answer.answers])]]
            return [number, encode(answer)]
        except Exception:  # noqa: BLE001 - no plain data, or what only looks like it
            return [number, ["object", *self.register(answer)]]

    def register(self, value: Any) -> list[Any]:
        """Return the number of an object, the name of its type, and whether it can be called."""
        places = (n for n, known in enumerate(self.objects) if known is value)
        number = next(places, len(self.objects))
        if number == len(self.objects):
            self.objects.append(value)
        return [number, type(value).__name__, callable(value)]


def part_of(name: str, points: float, **about: Any) -> Exercise | Prediction:
    """Return an exercise without checks, or a prediction without its truth."""
    if "question" not in about:
        return Exercise(name, check=lambda _: True, points=points, title=about["title"])
    choices = about["choices"]
    truth = choices[0] if choices else FIRST[about["kind"]]
    return Prediction(name, truth=truth, points=points, **about)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGINT stop the learner's code, and nothing else."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def text_of(error: BaseException) -> str:
    """Return the message of an exception, also if making the message raises another exception."""
    try:
        return one_line(error, LONGEST)
    except Exception:  # noqa: BLE001 - a learner's __str__
        return ""


def prepared_shell() -> Any:
    """Return IPython's shell, without a file of history, and without tracebacks."""
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    history: Any = HistoryManager
    history.enabled = False
    shell: Any = InteractiveShell.instance()
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None
    return shell


def run(shell: Any, talk: socket.socket, folder: str) -> None:
    """Serve one notebook in this process, which ends with it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    sys.path.insert(0, "")
    kernel = Kernel(shell, talk)
    wire.send(talk, pack({"reply": "ready"}))
    kernel.serve()
