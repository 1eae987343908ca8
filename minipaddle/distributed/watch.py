"""Watch: a thread of each rank that answers what the rank is doing.

A rank that has waited long asks the others. Each answers with the collective and the line of the
user's code that it is in, from a thread and therefore also while it waits or computes. The thread
also applies the timeout to a rank that is blocked in MPI.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from ..engine import source_line
from ..messages import Message
from . import errors, mpi

ASK, ANSWER = 1, 2  # tags of messages
POLL_INTERVAL = 0.2  # seconds between two checks for questions
ANSWER_TIMEOUT = 2.0  # seconds to wait for answers
NO_ANSWER = Message("gives no answer; it may have ended")


def abort_with(error: BaseException) -> None:
    """Treat an error as uncaught: show it and end all ranks."""
    sys.excepthook(type(error), error, None)


class Watch:
    """State of this rank, and the thread that reports it to others.

    `blocked` is a blocking call of MPI, None outside of one; the thread calls its `look()`
    repeatedly. `fail` ends this rank with an error while its main thread is blocked.
    """

    def __init__(self) -> None:
        self.doing: Any = None  # the collective, None while the user's code runs
        self.user = threading.main_thread().ident  # thread of the current or last collective
        self.lock = threading.RLock()  # owned by thread `user` during a collective
        self.blocked: Any = None
        self.fail: Callable[[BaseException], object] = abort_with
        self.communicator: Any = None
        self.asked = 0  # number of questions asked
        self.sent: list[Any] = []  # requests of messages that may not have been sent yet
        self.sending = threading.Lock()  # protects `sent`
        self.ended = threading.Event()
        self.thread: threading.Thread | None = None

    def begin(self, communicator: Any) -> None:
        """Start to answer, over a communicator of its own."""
        self.communicator, self.user = communicator, threading.get_ident()
        self.ended.clear()
        self.thread = threading.Thread(
            target=self._answer_until_end, name="minipaddle ranks", daemon=True
        )
        self.thread.start()

    def end(self) -> None:
        """Stop answering."""
        self.ended.set()
        if self.thread is not None:
            self.thread.join()

    def _answer_until_end(self) -> None:
        while not self.ended.wait(POLL_INTERVAL):
            self.answer()
            blocked = self.blocked
            if blocked is not None:
                blocked.look()

    def place(self) -> source_line.SourceLine | None:
        """Return the current line of the user's code."""
        return place_of(sys._current_frames().get(self.user or 0))

    # ----- questions -----

    def answer(self) -> None:
        """Answer all questions that have arrived."""
        status = mpi.module().Status()
        while (message := self.communicator.improbe(tag=ASK, status=status)) is not None:
            self.send((message.recv(), self.activity()), status.Get_source(), ANSWER)

    def send(self, what: object, to: int, tag: int) -> None:
        """Send without waiting; keep the memory until the message has been sent."""
        with self.sending:
            self.sent = [request for request in self.sent if not request.Test()]
            self.sent.append(self.communicator.isend(what, dest=to, tag=tag))

    def activity(self) -> Message:
        """Describe the collective and the line that this rank is in."""
        doing, place = self.doing, self.place()
        if place is None:
            return Message("is in {doing}", doing=doing) if doing else Message("is at work")
        if doing:
            return Message("is in {doing} at {place}", doing=doing, place=place)
        return Message("is at {place}", place=place)

    def ask(self, ranks: list[int]) -> dict[int, Message]:
        """Return a description of what each of these ranks does, or that it does not answer."""
        answers = dict.fromkeys(ranks, NO_ANSWER)
        if self.communicator is None:  # before the ranks have begun
            return answers
        self.asked += 1
        for rank in ranks:
            self.send(self.asked, rank, ASK)
        waiting, end = set(ranks), time.monotonic() + ANSWER_TIMEOUT
        while waiting and time.monotonic() < end:
            self.answer()  # this may be the watch's own thread
            for rank in sorted(waiting):
                message = self.communicator.improbe(source=rank, tag=ANSWER)
                if message is not None:
                    question, activity = message.recv()
                    if question == self.asked:  # late answers to earlier questions do not count
                        answers[rank] = activity
                        waiting.discard(rank)
            time.sleep(0.01)
        return answers


WATCH = Watch()


class InCall:
    """Block of a call of this rank; a call of another thread meanwhile raises an error.

    Errors: PreconditionNotMet, which names both calls and threads.
    """

    __slots__ = ("call", "outer")

    def __init__(self, call: Any) -> None:
        self.call = call

    def __enter__(self) -> None:
        watch = WATCH
        if not watch.lock.acquire(False):
            names = {each.ident: each.name for each in threading.enumerate()}
            here, there = threading.current_thread().name, names.get(watch.user, "?")
            raise errors.two_threads(self.call, watch.doing, here, there)
        self.outer, watch.doing = watch.doing, self.call
        watch.user = threading.get_ident()

    def __exit__(self, *_error: object) -> None:
        WATCH.doing = self.outer
        WATCH.lock.release()


def place_of(frame: FrameType | None) -> source_line.SourceLine | None:
    """Return the innermost line of user code that led to this frame."""
    while frame is not None and source_line.is_underneath(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return None
    return source_line.SourceLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
