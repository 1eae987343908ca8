"""Ranks that run one after the other in one process, again and again.

Nothing is sent. A collective returns what the ranks gave to it in the run before, until two runs
agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.distributed.exchange import perform_in_place
from minipaddle.engine import source_line
from viz.trace import Trace

source_line.mark_library(str(Path(__file__)))  # calls get lines of the program

Key = tuple[tuple[int, ...], int]
JOINED = {"sum": np.sum, "avg": np.mean, "max": np.max}


class Exchange:
    """Stand-in for an exchange: the attributes of its call, and a function that performs it."""

    def __init__(self, attrs: dict[str, Any], brings: Callable[[], Any]) -> None:
        self.attrs, self.brings = attrs, brings

    def __call__(self) -> Any:
        return self.brings()

    def inside(self) -> AbstractContextManager[None]:
        return nullcontext()


class World:
    """A number of ranks; `run` returns their traces."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.results: dict[Key, Any] = {}
        self.given: dict[Key, dict[int, Any]] = {}
        self.rank = 0
        self.numbers: dict[tuple[int, ...], int] = {}

    def run(self, work: Callable[[World], Trace]) -> list[Trace]:
        """Return the traces of ranks that all run `work`."""
        known = None
        while known != str(self.results):
            known, self.given = str(self.results), {}
            traces = []
            for rank in range(self.count):
                self.rank, self.numbers = rank, {}
                traces.append(work(self))
            self.results = self.given
        return traces

    def _perform_collective(
        self, name: str, x: Any, bring: Any, ranks: Sequence[int] | None, **attrs: Any
    ) -> None:
        members = tuple(ranks or range(self.count))
        number = self.numbers[members] = self.numbers.get(members, 0) + 1
        key = members, number
        told = {"ranks": list(members), "rank": self.rank, "group": 0, "number": number}

        def brings() -> Any:
            self.given.setdefault(key, {})[self.rank] = x.numpy().copy()
            held = x._data
            if key in self.results:
                held[...] = bring(self.results[key])
            return held

        perform_in_place(Exchange(told, brings), name, x, **attrs)  # type: ignore[arg-type]

    def all_reduce(self, x: Any, op: str = "sum", ranks: Sequence[int] | None = None) -> None:
        def bring(given: dict[int, Any]) -> Any:
            return JOINED[op](list(given.values()), axis=0)

        self._perform_collective("all_reduce", x, bring, ranks, op=op)

    def begin_all_reduce(self, x: Any, op: str = "sum") -> Callable[[], None]:
        """Begin the sum; return a function that waits for it."""
        members = tuple(range(self.count))
        number = self.numbers.get(members, 0) + 1
        events.emit(events.CollectiveBegun("all_reduce", members, number, None, None))
        return lambda: self.all_reduce(x, op)

    def broadcast(self, x: Any, src: int, ranks: Sequence[int] | None = None) -> None:
        self._perform_collective("broadcast", x, lambda given: given[src], ranks, src=src)
