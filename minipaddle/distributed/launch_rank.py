"""Rank under a launcher: it marks its lines, and reports how it began and ended.

Lines and reports go through the streams that mpiexec forwards from every machine. A line of the
program begins with MARK, the rank and "|"; a report is JSON after MARK, the rank and "!".
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

from ..engine.source_line import is_library_code
from .groups import rank_and_size
from .watch import WATCH, place_of

MARK = "\x1e"
LINE, REPORT = "|", "!"
SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux
END_WAIT = 60  # seconds that a finished rank waits until mpiexec ends it
# A main thread in C code cannot react to a request to end; after these seconds another thread
# reports for it. In MPI the time is short, since mpiexec may kill the rank soon.
IN_MPI, IN_C = 0.05, 10.0


class Stopped(BaseException):
    """Request of the launcher to end: another rank has failed, or the user pressed Ctrl-C."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


class MarkedStream(io.RawIOBase):
    """Stream that marks its lines and writes whole lines only, so that ranks' lines do not mix.

    Of a line that a program overwrites, as progress bars do, only the last state is written.
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
        shown = (line.rstrip(b"\r").rpartition(b"\r")[2] for line in lines)
        whole = b"".join(self.mark + line + b"\n" for line in shown)
        while whole:
            whole = whole[os.write(self.descriptor, whole) :]

    def end_line(self) -> None:
        """Send an unfinished last line."""
        if self.rest:
            self.send([self.rest])
            self.rest = b""


class Rank:
    """This process as a rank of a launcher: its streams, its reports, its end."""

    def __init__(self) -> None:
        self.number, _ = rank_and_size()
        mark = f"{MARK}{self.number}{LINE}"
        self.streams = MarkedStream(1, mark), MarkedStream(2, mark)
        self.asked_to_end = threading.Event()

    def begin(self) -> None:
        """Mark lines and raise `Stopped` on a request to terminate, from now on."""
        end_with_parent(signal.SIGKILL)()
        sys.stdout, sys.stderr = map(text_stream, self.streams)
        signal.signal(signal.SIGTERM, self.on_terminate)
        asked, bell = os.pipe()
        os.set_blocking(bell, False)
        signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        threading.Thread(target=self.watch_termination, args=(asked,), daemon=True).start()
        WATCH.fail = self.fail
        self.report(began=os.getpid(), host=socket.gethostname())

    def on_terminate(self, _number: int, frame: FrameType | None) -> None:
        """Raise `Stopped`, each time, since an exception in a callback may be ignored."""
        self.asked_to_end.set()
        if frame is not None and frame.f_code is run_rank.__code__:
            return  # the work has just ended and is being reported
        raise Stopped(describe_frame(frame))

    def watch_termination(self, asked: int) -> None:
        """End this rank if its main thread does not react to the request to terminate."""
        while signal.SIGTERM not in os.read(asked, 1):
            pass
        if not self.asked_to_end.wait(IN_C if WATCH.blocked is None else IN_MPI):
            main = threading.main_thread().ident
            self.report(stopped=describe_frame(sys._current_frames().get(main or 0)))
            self.leave(128 + signal.SIGTERM)

    def fail(self, error: BaseException) -> NoReturn:
        """End this rank with an error while its main thread is blocked."""
        self.report_error(sys.__excepthook__, error, None)
        self.leave(1)

    def report_error(
        self, hook: Callable[..., Any], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Report an error to the launcher as an excepthook shows it."""
        words = io.StringIO()
        with contextlib.redirect_stderr(words):
            hook(type(error), error, trace)
        self.report(failed=words.getvalue(), status=1)

    def report(self, **values: Any) -> None:
        """Send a report to the launcher, after all lines so far."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(ValueError):  # the program has closed the stream
                stream.flush()
        for marked in self.streams:
            marked.end_line()
        # mpiexec forwards the streams independently, so each carries the report after its lines.
        for descriptor in (1, 2):
            report = json.dumps({**values, "stream": descriptor}).encode()
            MarkedStream(descriptor, f"{MARK}{self.number}{REPORT}").send([report])

    def leave(self, status: int) -> NoReturn:
        """End without finalizing MPI, which would wait for the other ranks.

        The launcher has mpiexec end all ranks, after they have finished writing.
        """
        ctypes.CDLL(None).signal(signal.SIGTERM, None)  # Python allows no thread but the main one
        time.sleep(END_WAIT)
        os._exit(status)


def describe_frame(frame: FrameType | None) -> str:
    """Describe the call and the line of the user's code that this rank is in."""
    place = place_of(frame)
    return f"{WATCH.doing or 'computed'}" + ("" if place is None else f" at {place}")


def text_stream(marked: MarkedStream) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(marked), "utf-8", errors="backslashreplace", line_buffering=True
    )


def ignore_termination() -> None:
    """Ignore requests to terminate while results are written, after the user's work has ended."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def run_rank(do: Callable[[], int]) -> NoReturn:
    """Run the work of this rank, report its end, and exit with the status that it returns."""
    rank = Rank()
    rank.begin()
    hook = sys.excepthook  # the program's own hook may end the other ranks before they report
    try:
        status = do()
    except Stopped as stopped:
        ignore_termination()
        rank.report(stopped=stopped.where)
        rank.leave(128 + signal.SIGTERM)
    except BaseException as error:  # noqa: BLE001  (as at Python's own top level)
        ignore_termination()
        error.__traceback__ = from_users_line(error)
        rank.report_error(hook, error, error.__traceback__)
        rank.leave(1)
    ignore_termination()
    if status:
        rank.report(failed=f"ended with exit status {status}\n", status=status)
        rank.leave(status)
    rank.report(ended=0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # MPI may still wait for the other ranks
    sys.exit(0)


def from_users_line(error: BaseException) -> TracebackType | None:
    """Return the traceback from the user's first line on."""
    traceback = error.__traceback__
    while traceback is not None and is_library_code(traceback.tb_frame.f_code.co_filename):
        traceback = traceback.tb_next
    return traceback


def end_with_parent(number: int) -> Callable[[], object]:
    """Return a function that lets the process get a signal when its parent ends; Linux only."""
    if sys.platform != "linux":
        return lambda: None
    return partial(ctypes.CDLL(None).prctl, SET_DEATH_SIGNAL, int(number))
