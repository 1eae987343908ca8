"""Turns (iterations) of all Python loops around the ops of a recording, as events in its log.

Before an op or a layer, the *position* of the user's code is compared with the last one. Where it
cannot be reached without passing a loop's header, a new turn has begun. Where it can be reached in
the same turn and in a later one, the loop's variables decide; if they cannot, nobody can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from minipaddle.engine.source_line import SourceLine, turn_of, user_frames, variables_of
from minipaddle.events.event_types import LoopTurn

from .code_loops import AGAIN, EITHER, SAME, Loop, Place

# Numbers of the user's frames, with the place of each in its code; the outermost first.
Position = list[tuple[int, Place]]
Around = tuple[Loop, int, Position]  # a loop, its frame's number, and the frames around that


@dataclass(slots=True, eq=False)
class Run:
    """One run of a loop, and its current turn."""

    around: Around
    depth: int  # of its frame; the outermost one has 0
    event: LoopTurn
    named: bool = False
    held: tuple[object, ...] = ()  # what differs between turns: a value, or variables' identities

    @property
    def loop(self) -> Loop:
        return self.around[0]


class LoopTurns:
    """Finder of turns, which hands an event of each one to `tell`.

    `ignored` are the loops around the recording, and those whose turns cannot be told apart.
    """

    def __init__(self, tell: Callable[[Any], None], around: Iterable[Loop]) -> None:
        self.tell = tell
        self.runs: list[Run] = []  # running loops, the outermost first
        self.last: Position = []
        self.ignored = set(around)
        self.count = 0

    def look(self, position: Position, around: list[Around], place: SourceLine | None) -> None:
        """Report the turns that have ended or begun before a position; `place` is its line."""
        if around or self.runs:
            if self.ignored:
                around = [each for each in around if each[0] not in self.ignored]
            self._find_turns(position, around, place)
        self.last = position

    def _find_turns(self, position: Position, around: list[Around], place: Any) -> None:
        kept, over, changed = 0, False, len(around) != len(self.runs)
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
                    over = self._has_changed(run) if run.loop.lasting else None
                else:
                    over = True
                if over is None:
                    self._give_up(kept, position, around, place)
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

    def _give_up(self, kept: int, position: Position, around: list[Around], place: Any) -> None:
        """Report that nobody can tell the turns of a loop apart."""
        loop = self.runs[kept].loop
        self.ignored.add(loop)
        self._end(kept + 1, LoopTurn.OVER)
        self._end(kept, LoopTurn.UNKNOWN)
        self._find_turns(position, [each for each in around if each[0] is not loop], place)

    def _end(self, kept: int, how: int) -> None:
        """End the inner runs of loops, so that only `kept` outer ones go on."""
        while len(self.runs) > kept:
            self.tell(LoopTurn(self.runs.pop().event.loop, how))

    def _is_called_again(self, run: Run, position: Position) -> bool:
        """Return whether a turn must be over if its frame is at the instruction of the last op."""
        if position[run.depth][1].at == run.loop.header:
            return False  # in the iterator
        inside = run.depth + 1
        for (frame, last), (other, now) in zip(self.last[inside:], position[inside:], strict=False):
            if frame != other or last.code is not now.code:
                break
            if last.at != now.at:
                if now.after(last, None) is SAME:
                    return False  # the same call goes on
                break
        return self._has_changed(run)

    def _has_changed(self, run: Run) -> bool:
        """Return whether the variables show a new turn.

        While a frame runs one instruction, it assigns none; later in a turn, a `for` has lasting
        ones.
        """
        return self._differing(run) != run.held

    def _read_variables(self, run: Run, position: Position, place: Any) -> None:
        """Name a turn whose variables are set, and note what tells it from the next turn."""
        loop, at = run.loop, position[run.depth][1].at
        if at == loop.header and loop.variables:
            return
        if run.depth == len(position) - 1:  # the line knows the variable
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
        return tuple([id(held.get(name)) for name in run.loop.lasting or run.loop.assigned])

    def _variables(self, run: Run) -> Mapping[str, Any]:
        return variables_of(dict(user_frames())[run.around[1]])
