"""Loops of a code object, found in its bytecode, which exists even without a source file.

A loop is the body of a jump backward to an instruction, the header: all instructions that lead back
to the header without passing it. So a `continue` in an `except` is in the loop, and code that runs
once before a `break` is not.
"""

from __future__ import annotations

import dis
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import CodeType, FrameType
from typing import Any

from minipaddle.engine import source_line

Rows = Sequence[dis.Instruction]

ENDS = {"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", "JUMP_FORWARD"}
ENDS |= {"JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "INTERPRETER_EXIT"}
WAITING = "JUMP_BACKWARD_NO_INTERRUPT"  # jump of `await` and `yield from`, which are no loops
STORES = {"STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"}
FOR = dis.opmap["FOR_ITER"]
MOST_STORES = 40  # instructions at a `for`'s header that are searched for its variables
SILENT = {"EXTENDED_ARG", "NOP", "NOT_TAKEN"}
JUMPS = {*dis.hasjrel, *dis.hasjabs}


@dataclass(slots=True, eq=False)
class Loop:
    """A loop: its header, its instructions, the variables of a `for`, and all that it assigns.

    `lasting` are the variables of a `for` that its body does not assign.
    """

    header: int
    body: frozenset[int]
    variables: tuple[str, ...]
    assigned: tuple[str, ...]
    lasting: tuple[str, ...]


# Answers to the question whether one place comes after another in the same turn of a loop.
SAME, NEXT, EITHER, AGAIN = "same turn", "a later turn", "either", "the same place again"


@dataclass(slots=True, eq=False)
class Place:
    """An instruction of a code object, and the loops around it, the outermost first."""

    code: Code
    at: int
    loops: tuple[Loop, ...]
    known: dict[Any, str] = field(default_factory=dict)  # answers of `after`

    def after(self, last: Place, loop: Loop | None) -> str:
        """Return whether this place comes after another in one turn of a loop, or of a call."""
        if self is last:
            return AGAIN
        answer = self.known.get((last.at, loop))
        if answer is None:
            answer = self.known[last.at, loop] = self._compare(last, loop.header if loop else 0)
        return answer

    def _compare(self, last: Place, header: int) -> str:
        if last.at == header:
            return SAME  # from the iterator into the body
        if not self.code.leads(last.at, self.at, header):
            return NEXT
        return EITHER if self.code.leads(header, self.at, last.at) else SAME

    @property
    def named(self) -> source_line.Loops:
        """Variables that distinguish iterations of the `for` loops, the outermost loop first.

        A loop at its header is left out: its variables still hold the last iteration's values.
        """
        every = [loop.variables for loop in self.loops if loop.header != self.at]
        names = (tuple([name for name in each if name != "_"]) for each in every)
        return tuple(filter(None, names))


# Numbers of the user's frames, with the place of each in its code; the outermost first.
Position = list[tuple[int, Place]]
Around = tuple[Loop, int, Position]  # a loop, its frame's number, and the frames around that


class Code:
    """Loops of a code object, and the instructions that may follow each instruction."""

    def __init__(self, code: CodeType) -> None:
        self.code = code  # kept alive, so that its id() stays valid
        rows = list(dis.get_instructions(code))
        extended = [False, *[row.opname == "EXTENDED_ARG" for row in rows]]
        self.begins = [
            row.offset for row, goes_on in zip(rows, extended, strict=False) if not goes_on
        ]
        self.following = following(code, rows)
        self._after: dict[tuple[int, int], frozenset[int]] = {}
        self.loops = sorted(self.find_loops(rows), key=lambda loop: -len(loop.body))

    def find_loops(self, rows: Rows) -> Iterator[Loop]:
        """Yield the loop of every header."""
        before: dict[int, list[int]] = {at: [] for at in self.following}
        for at, others in self.following.items():
            for other in others:
                before[other].append(at)
        for header, sources in before.items():
            closing = [at for at in sources if at >= header and not self.leads(0, at, header)]
            if closing:
                body, waiting = {header}, closing
                while waiting:
                    at = waiting.pop()
                    if at not in body:
                        body.add(at)
                        waiting += before[at]
                own, every = variables(rows, header), assigned(rows, body)
                lasting = tuple(name for name in own if every.count(name) == 1)
                yield Loop(header, frozenset(body), own, tuple(every), lasting)

    def place(self, instruction: int) -> Place:
        """Return the place at the offset of an instruction, or of a cache behind it."""
        at = self.begins[bisect_right(self.begins, instruction) - 1]
        return Place(self, at, tuple([loop for loop in self.loops if at in loop.body]))

    def leads(self, start: int, end: int, header: int = -1) -> bool:
        """Return whether one instruction may lead to another without passing a loop's header."""
        after = self._after.get((start, header))
        if after is None:
            found: set[int] = set()
            waiting = [start]
            while waiting:
                for at in self.following[waiting.pop()]:
                    if at != header and at not in found:
                        found.add(at)
                        waiting.append(at)
            after = self._after[start, header] = frozenset(found)
        return end in after


_CODES: dict[int, Code] = {}  # code's id() -> Code; comparing code objects takes long
PLACES: dict[tuple[int, int], Place] = {}  # (code's id(), instruction) -> Place
MOST_KNOWN = 10_000


def place_of(number: int, frame: FrameType) -> Place:
    """Return the place of a frame whose code has this number."""
    if len(PLACES) >= MOST_KNOWN:
        PLACES.clear()
        _CODES.clear()
    if number not in _CODES:
        _CODES[number] = Code(frame.f_code)
    return _CODES[number].place(frame.f_lasti)


def for_loops(number: int, frame: FrameType) -> source_line.Loops:
    """Return the variables of each `for` around the place of a frame with this code number."""
    return place_of(number, frame).named if FOR in frame.f_code.co_code[::2] else ()


source_line.set_loop_finder(for_loops)

# ----- instructions ------------------------------------------------------------------------------


def following(code: CodeType, rows: Rows) -> dict[int, list[int]]:
    """Return instruction -> next ones; each instruction of a `try` may lead to its handler."""
    after: dict[int, list[int]] = {row.offset: [] for row in rows}
    for row, after_it in pairwise([*rows, None]):
        assert row is not None
        if row.opname not in ENDS and after_it is not None:
            after[row.offset].append(after_it.offset)
        if row.opcode in JUMPS and row.opname != WAITING:
            after[row.offset].append(row.argval)
    for entry in dis.Bytecode(code).exception_entries:  # type: ignore[attr-defined]
        for at in range(entry.start, entry.end, 2):
            if at in after and entry.target not in after[at]:
                after[at].append(entry.target)
    return after


def variables(rows: Rows, header: int) -> tuple[str, ...]:
    """Return the variables of the `for` with a header: `i`, `x`, `_` for `for i, (x, _) in ...`."""
    first = bisect_left(rows, header, key=lambda row: row.offset)
    rows = [row for row in rows[first : first + MOST_STORES] if row.opname not in SILENT]
    if not rows[0].opname.startswith("FOR_ITER"):
        return ()
    names: list[str] = []
    for row in rows[1:]:  # a body begins with none of these instructions
        if row.opname in STORES:
            names.append(row.argval)
        elif row.opname == "STORE_FAST_STORE_FAST":
            names += row.argval
        elif row.opname == "STORE_FAST_LOAD_FAST":
            return (*names, row.argval[0])
        elif not row.opname.startswith("UNPACK_"):
            break
    return tuple(names)


def assigned(rows: Rows, body: Container[int]) -> list[str]:
    """Return the variables that the instructions of a body assign, each as often."""
    names: list[str] = []
    for row in rows:
        if row.offset in body and row.opname in STORES:
            names.append(row.argval)
        elif row.offset in body and row.opname.startswith("STORE_FAST_"):
            names += row.argval if row.opname.endswith("STORE_FAST") else row.argval[:1]
    return names
