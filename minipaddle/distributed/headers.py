"""Headers: a word from each rank of a group that says what it is about to do.

A word is the number of the call and that of its kind, so words are equal where calls are. On one
machine each rank writes its own where all others read it; it takes a message between machines.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import platform
import struct
import tempfile
from pathlib import Path
from typing import Any

from .agreement import Call, gather_bytes
from .groups import Group

WORD = struct.Struct("=Q")
KIND = 32  # bits of a word below the number of the call, which has as many


def numbered(number: int) -> int:
    """A call's number in a word, which begins anew after some thousand million calls."""
    return number & 0xFFFFFFFF


class Letters:
    """Words that MPI gathers."""

    def __init__(self, carrier: Any) -> None:
        self.carrier, self.words = carrier, bytearray(WORD.size * carrier.size)

    def put(self, number: int, kind: int) -> Any:
        """Let the others know; the request is done when all words are there."""
        word = WORD.pack(numbered(number) << KIND | kind)
        self.wanted = word * self.carrier.size
        return self.carrier.Iallgather(word, self.words)

    def agree(self) -> bool:
        """Whether all ranks have put the same."""
        return bool(self.words == self.wanted)


class Board:
    """Words in memory that the ranks share.

    A rank may be one call ahead of another, which has yet to read what it said in the last one;
    so calls of odd and of even numbers have each a row of words.
    """

    def __init__(self, carrier: Any, memory: mmap.mmap) -> None:
        self.carrier = carrier
        words, count = memoryview(memory).cast("Q"), carrier.size
        self.rows = words[:count], words[count:]

    def put(self, number: int, kind: int) -> Any:
        """Let the others know; the request, this itself, is done when all words are there."""
        self.number, self.row = numbered(number), self.rows[number & 1]
        word = self.number << KIND | kind
        self.row[self.carrier.rank] = word
        self.wanted = [word] * self.carrier.size
        return self

    def Test(self) -> bool:
        """Whether all words are there; if not, MPI may go on with what is under way meanwhile."""
        found = self.row.tolist()
        if found == self.wanted or all(word >> KIND == self.number for word in found):
            return True
        self.carrier.Iprobe()
        return False

    def agree(self) -> bool:
        """Whether all ranks have put the same."""
        return bool(self.row.tolist() == self.wanted)


def headers_among(group: Group, call: Call) -> Letters | Board:
    """The way in which the ranks of a group hear of each other's words; all must come here."""
    memory = shared(group, call, 2 * WORD.size * group.nranks)
    return Letters(group._carrier) if memory is None else Board(group._carrier, memory)


def shared(group: Group, call: Call, size: int) -> mmap.mmap | None:
    """So many bytes, all zero, that all ranks see; None where they have no such memory.

    It is that of a file, which is there only until all have found it.
    """
    first, machine = group.rank == 0, platform.node()
    words = gather_bytes(
        group, call, json.dumps([machine, file_of(size) if first else ""]).encode()
    )
    machines, (path, *_) = zip(*map(json.loads, words), strict=True)
    memory = None
    with contextlib.suppress(OSError), Path(path).open("r+b") as file:
        memory = mmap.mmap(file.fileno(), size)
    have = gather_bytes(group, call, b"" if memory is None else b"memory")
    if first:
        with contextlib.suppress(OSError):
            Path(path).unlink()
    return memory if all(have) and set(machines) == {machine} else None


def file_of(size: int) -> str:
    """The path of a new file of zeros; none where there is no place for it."""
    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(delete=False) as file:
        file.truncate(size)
        return file.name
    return ""
