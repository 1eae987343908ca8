"""Who waits where: each rank has a thread that answers when another one asks.

A rank that has waited long asks all others what they are doing. They answer from a thread, so
also while they wait themselves, or compute without end, with the collective that they are in and
the line of the user's code.
"""

from __future__ import annotations

import sys
import threading
import time
from types import FrameType
from typing import Any

from ..engine import source_line
from ..engine.bilingual import Text
from . import mpi

ASK, TELL = 1, 2  # tags of messages
PAUSE = 0.2  # seconds between two looks whether somebody asks
PATIENCE = 2.0  # seconds that an answer may take
NO_ANSWER = Text("gives no answer; it may have ended", "没有应答，可能已经结束")


class Watch:
    """What this rank is doing, and the thread that tells it."""

    def __init__(self) -> None:
        self.doing: Any = None  # the collective, None while the user's code runs
        self.carrier: Any = None
        self.asked = 0  # how often
        self.user = threading.main_thread().ident
        self.ended = threading.Event()

    def begin(self, carrier: Any) -> None:
        """Answer from now on, over a communicator of our own."""
        self.carrier, self.user = carrier, threading.get_ident()
        self.ended.clear()
        self.thread = threading.Thread(target=self._answer, name="minipaddle ranks", daemon=True)
        self.thread.start()

    def end(self) -> None:
        """Answer no longer."""
        self.ended.set()
        self.thread.join()

    def _answer(self) -> None:
        status = mpi.module().Status()
        while not self.ended.wait(PAUSE):
            while self.carrier.Iprobe(tag=ASK, status=status):
                whose = status.Get_source()
                question = self.carrier.recv(source=whose, tag=ASK)
                self.carrier.isend((question, self.told()), dest=whose, tag=TELL)

    def told(self) -> Text:
        """What this rank is doing, and where."""
        place = place_of(sys._current_frames().get(self.user or 0))
        where = Text("", "") if place is None else Text(f" at {place}", f"在 {place} ")
        if self.doing:
            return Text(f"is in {self.doing}{where.en}", f"正{where.zh}执行 {self.doing}")
        return Text(f"is{where.en or ' at work'}", f"正{where.zh}运行")

    def ask(self, ranks: list[int]) -> dict[int, Text]:
        """What each of these other ranks is doing, or that it does not answer."""
        self.asked += 1
        for rank in ranks:
            self.carrier.isend(self.asked, dest=rank, tag=ASK)
        answers, end = dict.fromkeys(ranks, NO_ANSWER), time.monotonic() + PATIENCE
        waiting = set(ranks)
        while waiting and time.monotonic() < end:
            for rank in sorted(waiting):
                if self.carrier.Iprobe(source=rank, tag=TELL):
                    question, told = self.carrier.recv(source=rank, tag=TELL)
                    if question == self.asked:  # else it answers late what was asked before
                        answers[rank] = told
                        waiting.discard(rank)
            time.sleep(0.01)
        return answers


WATCH = Watch()


def place_of(frame: FrameType | None) -> source_line.SourceLine | None:
    """The innermost line of user code that led to this frame."""
    while frame is not None and source_line.is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return None
    return source_line.SourceLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
