"""Ranks that run: their lines are forwarded, and when one fails or is killed, all of them end."""

from __future__ import annotations

import contextlib
import json
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TextIO

from .launch_mpiexec import environment
from .launch_rank import LINE, MARK, REPORT, end_with_parent

MARKED = re.compile(f"{MARK}([0-9]+)([{LINE}{REPORT}])")
LOOK = 0.1  # seconds between two looks at what runs
SECONDS_TO_REPORT = 20.0  # that ranks have, once one has failed, to say where they were
SECONDS_TO_END = 15.0  # and then mpiexec, to end what is left


@dataclass
class Seen:
    """State of a rank, as far as it is known."""

    process: int = 0  # its number, if it runs on this machine
    ended: frozenset[int] = frozenset()  # the streams on which it said how
    words: str = ""  # how, if not well: where it was stopped, or its error
    status: int = 0  # not 0: it failed


class Job:
    """Some ranks, from their start to their end; use as a `with` block, which ends them."""

    def __init__(self, command: list[str], ranks: int, on_one_machine: bool = True) -> None:
        self.ranks = [Seen() for _ in range(ranks)]
        self.failed: int | None = None  # the rank that failed first
        self.ending = 0.0  # since when they are being ended; 0: they are not
        self.asked = False  # whether mpiexec was told to end
        self.rests = {"stdout": b"", "stderr": b""}
        self.mpiexec = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(on_one_machine),
            start_new_session=True,  # Ctrl-C comes to this process alone, which ends the ranks
            preexec_fn=end_with_parent(signal.SIGTERM),  # noqa: PLW1509  (one call of C)
        )
        self.pipes = selectors.DefaultSelector()
        self.pipes.register(self.mpiexec.stdout, selectors.EVENT_READ, "stdout")  # type: ignore[arg-type]
        self.pipes.register(self.mpiexec.stderr, selectors.EVENT_READ, "stderr")  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """Leave no process behind, whatever happened."""
        if self.mpiexec.poll() is None:
            self.mpiexec.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.mpiexec.wait(SECONDS_TO_END)
        self.kill()
        self.pipes.close()
        self.mpiexec.stdout.close()  # type: ignore[union-attr]
        self.mpiexec.stderr.close()  # type: ignore[union-attr]

    def wait(self) -> None:
        """Forward lines until all has ended."""
        while self.pipes.get_map():
            self.turn()
        self.mpiexec.wait()

    def turn(self) -> None:
        """Forward what has come, and see to it that what is to end does end."""
        for key, _ in self.pipes.select(LOOK):
            data = os.read(key.fd, 1 << 16)
            if data:
                self.take(key.data, data)
            else:
                self.take(key.data, b"\n" if self.rests[key.data] else b"")
                self.pipes.unregister(key.fileobj)
        if not self.ending:
            return
        waited = time.monotonic() - self.ending
        all_ended = all(len(seen.ended) == 2 or not seen.process for seen in self.ranks)
        if not self.asked and (all_ended or waited > SECONDS_TO_REPORT):
            self.asked = True
            self.mpiexec.terminate()
        if waited > SECONDS_TO_REPORT + SECONDS_TO_END:
            self.kill()

    # ----- what comes -----

    def take(self, name: str, data: bytes) -> None:
        lines = (self.rests[name] + data).split(b"\n")
        self.rests[name] = lines.pop()
        for line in lines:
            self.line(getattr(sys, name), line.decode("utf-8", "replace"))

    def line(self, stream: TextIO, text: str) -> None:
        """Forward a line of a rank, take its report, or forward what mpiexec says itself."""
        mark = MARKED.search(text)
        own = text if mark is None else text[: mark.start()]
        # Nobody needs mpiexec's own words where a rank has said why it failed.
        if (own or mark is None) and self.failed is None:
            print(own, file=stream, flush=True)
        if mark is None:
            return
        rank, rest = int(mark[1]), text[mark.end() :]
        if mark[2] == LINE:
            print(f"[rank {rank}] {rest}", file=stream, flush=True)
        else:
            with contextlib.suppress(json.JSONDecodeError):  # it was killed while it told
                self.report(rank, json.loads(rest))

    def report(self, rank: int, what: dict[str, Any]) -> None:
        seen = self.ranks[rank]
        if "began" in what:
            seen.process = what["began"] if what["host"] == socket.gethostname() else 0
            return
        seen.ended |= {what["stream"]}
        seen.status = what.get("status", 0)
        seen.words = what.get("failed") or what.get("stopped", "")
        if "failed" in what and self.failed is None:
            self.failed = rank
            for text in seen.words.splitlines():
                print(f"[rank {rank}] {text}", file=sys.stderr, flush=True)
            self.end()

    # ----- the end -----

    def end(self) -> None:
        """Ask all ranks to end; they say where they were, and write their traces."""
        self.ending = self.ending or time.monotonic()
        self.signal(signal.SIGTERM, lambda seen: not seen.ended)

    def signal(self, number: int, which: Callable[[Seen], bool] = lambda _: True) -> None:
        for seen in self.ranks:
            if seen.process and which(seen):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(seen.process, number)

    def kill(self) -> None:
        """End at once whatever is left."""
        if self.mpiexec.poll() is None:
            self.mpiexec.kill()
            self.mpiexec.wait()
            self.signal(signal.SIGKILL)

    def words(self) -> list[str]:
        """Describe the end of each rank, where not all is well."""
        if self.failed is not None:
            first = [f"rank {self.failed} failed first, so all ranks were ended."]
        elif self.ending:
            first = ["all ranks were ended."]
        elif self.mpiexec.returncode == 0:
            return []
        elif not any(seen.process for seen in self.ranks):
            return ["mpiexec did not start the ranks; its own lines above say why."]
        else:
            first = ["a rank was killed, or crashed, so all ranks were ended."]
        return first + [
            f"  rank {rank}: {self.became(seen)}"
            for rank, seen in enumerate(self.ranks)
            if rank != self.failed
        ]

    def became(self, seen: Seen) -> str:
        """Describe the end of a rank, in a line or with its error."""
        if not seen.ended:
            if self.ending:
                return f"gave no sign when it was asked to end (process {seen.process})"
            alone = sum(not each.ended for each in self.ranks) == 1
            why = "; it was killed, or crashed" if alone else " of how it ended"
            return f"gave no sign{why} (process {seen.process})"
        if not seen.words:
            return "had done its work"
        if not seen.status:
            return f"was stopped: {seen.words}"
        mine, first = (words.strip().splitlines() for words in (seen.words, self.first_error()))
        same = mine[-1] == first[-1]
        return "failed with the same error" if same else "\n    ".join(["failed, too", *mine])

    def first_error(self) -> str:
        return "" if self.failed is None else self.ranks[self.failed].words

    @property
    def status(self) -> int:
        """The exit status of the whole: that of the rank which failed first, else mpiexec's."""
        if self.failed is not None:
            return self.ranks[self.failed].status
        number = self.mpiexec.returncode
        return 128 - number if number < 0 else number
