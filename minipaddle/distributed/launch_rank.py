"""Ranks under a launcher: they mark their lines, and report how they began and ended.

Both go through the streams that mpiexec forwards from every machine. A line of the program begins
with MARK, the rank and "|"; a report is a line of JSON after MARK, the rank and "!".
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from types import FrameType, TracebackType
from typing import Any, NoReturn

from ..engine.source_line import is_ours
from .groups import started_with
from .watch import WATCH, place_of

MARK = "\x1e"
LINE, REPORT = "|", "!"
SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux
UNTIL_ENDED = 60  # seconds that a rank whose work is over waits for its end, which others bring
# Seconds until another thread says where a rank is that was asked to end and whose own thread does
# not come back from C: at once where MPI waits for others, as mpiexec may kill it right after.
IN_MPI, IN_C = 0.05, 10.0


class Stopped(BaseException):
    """The launcher asks this rank to end, since another one failed, or the user pressed Ctrl-C."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


class Marked(io.RawIOBase):
    """A stream whose lines begin with a mark and leave whole, so that ranks do not mix theirs.

    Of a line that a program writes over again and again, as progress bars do, the last state goes.
    """

    def __init__(self, descriptor: int, mark: str) -> None:
        super().__init__()
        self.descriptor, self.mark, self.rest = descriptor, mark.encode(), b""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.descriptor

    def write(self, data: Any) -> int:
        lines = (self.rest + bytes(data)).split(b"\n")
        self.rest = lines.pop()
        self.send(lines)
        return len(data)

    def send(self, lines: list[bytes]) -> None:
        # Of a line that was written over, a terminal shows the last state.
        shown = (line.rstrip(b"\r").rpartition(b"\r")[2] for line in lines)
        whole = b"".join(self.mark + line + b"\n" for line in shown)
        while whole:
            whole = whole[os.write(self.descriptor, whole) :]

    def end_line(self) -> None:
        """Send a last line that nobody has ended."""
        if self.rest:
            self.send([self.rest])
            self.rest = b""


class Rank:
    """This process as a rank of a launcher's: its streams, its reports, its end."""

    def __init__(self) -> None:
        self.number, _ = started_with()
        mark = f"{MARK}{self.number}{LINE}"
        self.streams = Marked(1, mark), Marked(2, mark)
        self.heard = threading.Event()  # that it is to end

    def begin(self) -> None:
        """From now on lines are marked, and a request to terminate is a `Stopped`."""
        end_with_parent(signal.SIGKILL)()
        sys.stdout, sys.stderr = map(text_of, self.streams)
        signal.signal(signal.SIGTERM, self.stop)
        asked, bell = os.pipe()
        os.set_blocking(bell, False)
        signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        threading.Thread(target=self.stop_in_c, args=(asked,), daemon=True).start()
        WATCH.fail = self.fail
        self.report(began=os.getpid(), host=socket.gethostname())

    def stop(self, _number: int, frame: FrameType | None) -> None:
        """Raise `Stopped`, each time: what is raised in a callback may go unheard."""
        self.heard.set()
        if frame is not None and frame.f_code is work.__code__:
            return  # the work has just ended, and what became of it is told
        raise Stopped(words_at(frame))

    def stop_in_c(self, asked: int) -> None:
        """End this rank where its own thread does not hear that it is asked to."""
        while signal.SIGTERM not in os.read(asked, 1):
            pass
        if not self.heard.wait(IN_C if WATCH.blocked is None else IN_MPI):
            main = threading.main_thread().ident
            self.report(stopped=words_at(sys._current_frames().get(main or 0)))
            self.leave(128 + signal.SIGTERM)

    def fail(self, error: BaseException) -> NoReturn:
        """End this rank with an error that its own thread does not come back for."""
        self.report_error(sys.__excepthook__, error, None)
        self.leave(1)

    def report_error(
        self, shows: Callable[..., Any], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Tell the launcher what an excepthook shows of an error."""
        words = io.StringIO()
        with contextlib.redirect_stderr(words):
            shows(type(error), error, trace)
        self.report(failed=words.getvalue(), status=1)

    def report(self, **what: Any) -> None:
        """Tell the launcher something, after all lines so far."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(ValueError):  # the program has closed it
                stream.flush()
        for marked in self.streams:
            marked.end_line()
        # mpiexec forwards each stream for itself, so each says that all before has come.
        for descriptor in (1, 2):
            words = json.dumps({**what, "stream": descriptor}).encode()
            Marked(descriptor, f"{MARK}{self.number}{REPORT}").send([words])

    def leave(self, status: int) -> NoReturn:
        """End without a word to MPI, which would wait for the others; mpiexec ends them.

        That is for the launcher to begin: it lets all of them finish what they write.
        """
        ctypes.CDLL(None).signal(signal.SIGTERM, None)  # the default, which any thread may ask for
        time.sleep(UNTIL_ENDED)
        os._exit(status)


def words_at(frame: FrameType | None) -> str:
    """Describe what this rank does, and where."""
    place = place_of(frame)
    return f"{WATCH.doing or 'computed'}" + ("" if place is None else f" at {place}")


def text_of(marked: Marked) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(marked), "utf-8", errors="backslashreplace", line_buffering=True
    )


def over() -> None:
    """Ignore requests to terminate: the user's work has ended, and the rest is to be written."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def work(do: Callable[[], int]) -> NoReturn:
    """Do this rank's work, an exit status, report how it went, and end as it asks for."""
    rank = Rank()
    rank.begin()
    shows = sys.excepthook  # the program's own may end the other ranks, before they are heard
    try:
        status = do()
    except Stopped as stopped:
        over()
        rank.report(stopped=stopped.where)
        rank.leave(128 + signal.SIGTERM)
    except BaseException as error:  # noqa: BLE001  (as at Python's own top level)
        over()
        error.__traceback__ = from_users_line(error)
        rank.report_error(shows, error, error.__traceback__)
        rank.leave(1)
    over()
    if status:
        rank.report(failed=f"ended with exit status {status}\n", status=status)
        rank.leave(status)
    rank.report(ended=0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # MPI waits for the others, and may be ended
    sys.exit(0)


def from_users_line(error: BaseException) -> TracebackType | None:
    """Return the traceback without our frames before the user's first line."""
    traceback = error.__traceback__
    while traceback is not None and is_ours(traceback.tb_frame.f_code.co_filename):
        traceback = traceback.tb_next
    return traceback


def end_with_parent(number: int) -> Callable[[], object]:
    """Call this and the process will get a signal when its parent is gone, if the system can."""
    if sys.platform != "linux":
        return lambda: None
    return partial(ctypes.CDLL(None).prctl, SET_DEATH_SIGNAL, int(number))
