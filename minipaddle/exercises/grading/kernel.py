"""Kernel of a notebook under grading, which also answers the grader's questions.

A question is a message of its own type, and the answer is its reply. So neither the learner's
names nor the output of cells can interfere.
"""

from __future__ import annotations

import builtins
import os
import sys
from typing import Any

from ipykernel.ipkernel import IPythonKernel

from ...engine.visible import one_line
from .in_kernel import Judge
from .notebook import QUESTION

STREAMS = ("stdout", "stderr")
BUILTINS = vars(builtins).copy()
LONGEST = 300  # characters of an exception's message


class GradedKernel(IPythonKernel):
    """IPython kernel with one more kind of request, whose content names the question."""

    implementation = "ipython"
    msg_types = [*IPythonKernel.msg_types, QUESTION]  # noqa: RUF012 - as in its base
    judge: Any = None
    session: Any
    shell: Any
    builtins: dict[str, Any] = {}  # noqa: RUF012 - as the last cell left them

    async def do_execute(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Run a cell; return a reply that can be sent even if the cell has closed streams."""
        if self.judge is not None:
            self.judge.cell += 1
        vars(builtins).update(self.builtins)
        try:
            reply = dict(await super().do_execute(*args, **options))
        except Exception as error:  # noqa: BLE001 - such as an exception that cannot say its text
            reply = {"status": "error", "ename": type(error).__name__, "evalue": in_short(error)}
        finally:  # cells may replace builtins such as print, but only for each other
            self.builtins = vars(builtins).copy()
            vars(builtins).update(BUILTINS)
        for name in ("ename", "evalue"):
            if name in reply:
                reply[name] = one_line(reply[name], LONGEST)
        self.mend_streams()
        return reply | {"traceback": [], "payload": []}

    def minipaddle_grade(self, stream: Any, ident: Any, parent: Any) -> None:
        """Answer the grader; an exception meanwhile becomes the answer."""
        what, about = parent["content"]["what"], parent["content"]["about"]
        try:
            said = {"answer": getattr(self, f"answer_{what}")(**about)}
        except BaseException as error:  # noqa: BLE001 - an answer may even raise SystemExit
            said = {"raised": f"{type(error).__name__}: {in_short(error)}"}
        self.mend_streams()
        self.session.send(stream, f"{QUESTION}_reply", said, parent, ident=ident)

    def answer_prepared(self, seed: int, memory: int) -> None:
        """Load the teacher's exercises, if there are any, and set the limit of memory.

        The output of cells is discarded. Streams of ipykernel would delay replies while a thread
        prints without end.
        """
        for name in STREAMS:
            nowhere = open(os.devnull, "w", encoding="utf-8", errors="replace")  # noqa: SIM115, PTH123
            setattr(self, f"_{name}", nowhere)
            setattr(sys, name, nowhere)
        self.judge = Judge(seed, memory)

    def answer_names(self) -> dict[str, float]:
        """Return the exercises of the notebook with their points."""
        return dict(self.judge.names(self.shell.user_ns))

    def answer_row(self, name: str) -> dict[str, Any]:
        """Return the result of one answer."""
        return dict(self.judge.row(name, self.shell.user_ns))

    def mend_streams(self) -> None:
        """Restore streams that a cell has closed, since flushing them would prevent the reply."""
        for name in STREAMS:
            try:
                getattr(sys, name).flush()
            except Exception:  # noqa: BLE001 - whatever a learner has put there
                setattr(sys, name, getattr(self, f"_{name}"))


def in_short(error: BaseException) -> str:
    """Return the message of an exception, also if making the message raises another exception."""
    try:
        return one_line(error, LONGEST)
    except Exception:  # noqa: BLE001 - a learner's __str__
        return ""
