"""Turns (iterations) of all Python loops around the ops of a recording, as events in its log.

Before an op or a layer, the *position* of the user's code is compared with the last one. Where it
cannot be reached without passing a loop's header, a new turn has begun. Where it can be reached in
the same turn and in a later one, the loop's variables decide; if they cannot, nobody can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from minipaddle.engine.source_line import (
    SourceLine,
    identities,
    turn_of,
    user_frames,
    variables_of,
)
from minipaddle.events.event_types import LoopTurn

from .code_loops import AGAIN, EITHER, SAME, Around, Loop, Place, Position


@dataclass(slots=True, eq=False)
class Run:
    """One run of a loop, and its current turn."""

    around: Around
    depth: int  # of its frame; the outermost one has 0
    event: LoopTurn
    named: bool = False
    held: tuple[object, ...] = ()  # what differs between turns: a value, or variables' identities
    marks: tuple[int, ...] = ()  # identities of all that the loop assigns, at a doubtful place

    @property
    def loop(self) -> Loop:
        return self.around[0]


class LoopTurns:
    """Finder of turns, which hands an event of each one to `tell`.

    `surrounding` are the loops around the recording. The turns of `unknown` loops cannot be told
    apart, nor can the runs of the loops in them.
    """

    def __init__(self, tell: Callable[[Any], None], surrounding: Iterable[Loop]) -> None:
        self.tell, self.surrounding = tell, frozenset(surrounding)
        self.unknown: set[Loop] = set()
        self.runs: list[Run] = []  # running loops, the outermost first
        self.last: Position = []
        self.doubtful: set[Place] = set()  # where several ops run, or one op with equal variables
        self.count = 0

    def look(self, position: Position, around: list[Around], place: SourceLine | None) -> None:
        """Report the turns that have ended or begun before a position; `place` is its line."""
        if around or self.runs:
            if self.surrounding:
                around = [each for each in around if each[0] not in self.surrounding]
            self._find_turns(position, around, place)
        self.last = position

    def _find_turns(self, position: Position, around: list[Around], place: Any) -> None:
        if self.unknown:
            around = [*takewhile(lambda each: each[0] not in self.unknown, around)]
        over: bool | None = False
        kept, changed = 0, len(around) != len(self.runs)
        for run, here in zip(self.runs, around, strict=False):
            if run.around != here:
                changed = True
                break
            depth = run.depth
            decided = position[depth][1].after(self.last[depth][1], run.loop)
            if decided is not SAME:
                if decided is AGAIN:
                    over = self._is_called_again(run, position)
                elif decided is EITHER:
                    over = self._differing(run) != run.held if run.loop.lasting else None
                else:
                    over = True
                if over is None:
                    self.unknown.add(run.loop)
                    self._end(kept, LoopTurn.UNKNOWN)
                    return
            kept += 1
            if over:
                changed = True
                break
        if changed:
            self._end(kept, LoopTurn.OVER)
            if over:
                run = self.runs[-1]
                run.event, run.named = LoopTurn(run.event.loop, run.event.turn + 1), False
                self.tell(run.event)
            for here in around[kept:]:
                self.count += 1
                self.runs.append(Run(here, len(here[2]), LoopTurn(self.count, 0)))
                self.tell(self.runs[-1].event)
        for run in self.runs:
            if not run.named or not run.loop.lasting:
                self._read_variables(run, position, place)
            if self.doubtful and position[run.depth][1] in self.doubtful:
                run.marks = identities(self._variables(run), run.loop.assigned)

    def _end(self, kept: int, how: int) -> None:
        """End the inner runs of loops, so that only `kept` outer ones go on."""
        while len(self.runs) > kept:
            self.tell(LoopTurn(self.runs.pop().event.loop, how))

    def _is_called_again(self, run: Run, position: Position) -> bool | None:
        """Return whether a turn is over if its frame is at the instruction of the last op."""
        place, inside = position[run.depth][1], run.depth + 1
        if place.at == run.loop.header:
            return False  # in the iterator
        for (frame, last), (other, now) in zip(self.last[inside:], position[inside:], strict=False):
            if frame != other or last.code is not now.code:
                break
            if last.at != now.at:
                if now.after(last, None) is SAME:
                    return False  # the same call goes on
                break
        is_innermost = place.loops[-1] is run.loop
        if not (is_innermost or run.loop.lasting):
            return None
        if self._differing(run) != run.held:
            return True
        if not is_innermost:
            return False
        before, run.marks = run.marks, identities(self._variables(run), run.loop.assigned)
        known = place in self.doubtful
        self.doubtful.add(place)
        return known and run.marks != before  # in one turn, no instruction assigns while it runs

    def _read_variables(self, run: Run, position: Position, place: Any) -> None:
        """Name a turn whose variables are set, and note what tells it from the next turn."""
        loop, at, code = run.loop, position[run.depth][1].at, position[run.depth][1].code.code
        if at == loop.header and loop.variables:
            return
        # The line knows the variable, unless the loop is in code of the library.
        if run.depth == len(position) - 1 and place and place.file == code.co_filename:
            for name, value in getattr(place, "turn", ()):
                if name in loop.lasting:
                    run.event.name, run.named, run.held = f"{name} = {value}", True, (value,)
                    return
        moved = len(self.last) <= run.depth or self.last[run.depth][1].at != at
        if not run.named or moved:
            run.held = self._differing(run)
        if not run.named:
            pairs = turn_of((loop.lasting,), self._variables(run))
            run.event.name = " = ".join(map(str, *pairs)) if pairs and pairs[0][0] != "_" else ""
            run.named = True

    def _differing(self, run: Run) -> tuple[object, ...]:
        """Return what differs between turns."""
        held = self._variables(run)
        pairs = turn_of((run.loop.lasting,), held)
        if pairs:
            return pairs[0][1:]
        return identities(held, run.loop.lasting or run.loop.assigned)

    def _variables(self, run: Run) -> Mapping[str, Any]:
        return variables_of(dict(user_frames())[run.around[1]])
