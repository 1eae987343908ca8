"""Who waits where: each rank has a thread that answers when another one asks.

A rank that has waited long asks all others what they are doing. They answer from a thread, so
also while they wait themselves, or compute without end, with the collective that they are in and
the line of the user's code. The same thread looks after a rank that MPI does not let go.
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

ASK, TELL = 1, 2  # tags of messages
PAUSE = 0.2  # seconds between two looks whether somebody asks
PATIENCE = 2.0  # seconds that an answer may take
NO_ANSWER = Message("gives no answer; it may have ended")


def show_and_end(error: BaseException) -> None:
    """Do what happens to an error that nobody catches: show it, and end all ranks."""
    sys.excepthook(type(error), error, None)


class Watch:
    """State of this rank, and the thread that tells others.

    `blocked` is a call that MPI returns from only when the others have come, None outside of one:
    its `look()` is called again and again meanwhile. `fail` ends this rank with an error where the
    thread that should raise it does not come back.
    """

    def __init__(self) -> None:
        self.doing: Any = None  # the collective, None while the user's code runs
        self.user = threading.main_thread().ident  # the thread that is in it, or was last
        self.turn = threading.RLock()  # held by that thread
        self.blocked: Any = None
        self.fail: Callable[[BaseException], object] = show_and_end
        self.carrier: Any = None
        self.asked = 0  # how often
        self.sent: list[Any] = []  # requests of messages that may still be on their way
        self.sending = threading.Lock()  # held by the thread that looks at them
        self.ended = threading.Event()
        self.thread: threading.Thread | None = None

    def begin(self, carrier: Any) -> None:
        """Answer from now on, over a communicator of our own."""
        self.carrier, self.user = carrier, threading.get_ident()
        self.ended.clear()
        self.thread = threading.Thread(target=self._look, name="minipaddle ranks", daemon=True)
        self.thread.start()

    def end(self) -> None:
        """Answer no longer."""
        self.ended.set()
        if self.thread is not None:
            self.thread.join()

    def _look(self) -> None:
        while not self.ended.wait(PAUSE):
            self.answer()
            blocked = self.blocked
            if blocked is not None:
                blocked.look()

    def place(self) -> source_line.SourceLine | None:
        """Return the line of the user's code that the rank is at."""
        return place_of(sys._current_frames().get(self.user or 0))

    # ----- questions -----

    def answer(self) -> None:
        """Answer all who have asked."""
        status = mpi.module().Status()
        while (message := self.carrier.improbe(tag=ASK, status=status)) is not None:
            self.send((message.recv(), self.activity()), status.Get_source(), TELL)

    def send(self, what: object, to: int, tag: int) -> None:
        """Send without waiting; the memory stays until it is on its way."""
        with self.sending:
            self.sent = [request for request in self.sent if not request.Test()]
            self.sent.append(self.carrier.isend(what, dest=to, tag=tag))

    def activity(self) -> Message:
        """Describe what this rank is doing, and where."""
        doing, place = self.doing, self.place()
        if place is None:
            return Message("is in {doing}", doing=doing) if doing else Message("is at work")
        if doing:
            return Message("is in {doing} at {place}", doing=doing, place=place)
        return Message("is at {place}", place=place)

    def ask(self, ranks: list[int]) -> dict[int, Message]:
        """Return what each of these other ranks is doing, or that it does not answer."""
        answers = dict.fromkeys(ranks, NO_ANSWER)
        if self.carrier is None:  # before the ranks have begun
            return answers
        self.asked += 1
        for rank in ranks:
            self.send(self.asked, rank, ASK)
        waiting, end = set(ranks), time.monotonic() + PATIENCE
        while waiting and time.monotonic() < end:
            self.answer()  # it may be the thread of this watch that asks
            for rank in sorted(waiting):
                message = self.carrier.improbe(source=rank, tag=TELL)
                if message is not None:
                    question, activity = message.recv()
                    if question == self.asked:  # else it answers late what was asked before
                        answers[rank] = activity
                        waiting.discard(rank)
            time.sleep(0.01)
        return answers


WATCH = Watch()


class During:
    """A block in which this rank is in a call; another thread that begins one is refused.

    Errors: PreconditionNotMet, which names both calls and threads.
    """

    __slots__ = ("call", "outer")

    def __init__(self, call: Any) -> None:
        self.call = call

    def __enter__(self) -> None:
        watch = WATCH
        if not watch.turn.acquire(False):
            names = {each.ident: each.name for each in threading.enumerate()}
            here, there = threading.current_thread().name, names.get(watch.user, "?")
            raise errors.two_threads(self.call, watch.doing, here, there)
        self.outer, watch.doing = watch.doing, self.call
        watch.user = threading.get_ident()

    def __exit__(self, *_error: object) -> None:
        WATCH.doing = self.outer
        WATCH.turn.release()


def place_of(frame: FrameType | None) -> source_line.SourceLine | None:
    """Return the innermost line of user code that led to this frame."""
    while frame is not None and source_line.is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return None
    return source_line.SourceLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
