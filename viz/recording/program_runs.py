"""Runs of Programs, each of which is a round."""

from __future__ import annotations

from dataclasses import dataclass

from minipaddle import events

from ..document.rounds import RoundMark
from .kept_rounds import KeptRounds, only_number


@dataclass(slots=True)
class Run:
    """The current run of a Program."""

    mark: RoundMark
    bytes: int  # size of all copies before the run
    works: bool  # whether the run computes; a startup program only makes values


class ProgramRuns:
    """The current run of a Program, and the updates of its operators."""

    def __init__(self, rounds: KeptRounds) -> None:
        self.rounds = rounds
        self.run: Run | None = None
        self.is_over = False  # whether the run's last event is about to be logged
        self.updates: dict[tuple[int, int], tuple[str, str]] = {}  # operator -> parameter, grad

    def appended(self, event: events.OperatorAppended) -> None:
        """Note the parameter that an optimizer's operator updates, and the gradient's name."""
        if event.role == "optimize":
            names = [event.inputs.get(slot) for slot in ("Param", "Grad")]
            if all(names):
                parameter, grad = (name[0].name for name in names if name and name[0])
                self.updates[event.program, event.index] = parameter, grad

    def begin(self, event: events.RunStarted) -> None:
        """Begin a run, which is a round unless it proves to be a startup program's."""
        works = bool(event.feeds or event.fetches)
        self.run = Run(self.rounds.begin("run", sure=works), self.rounds.log.bytes, works)
        self.rounds.measures.begin()

    def executed(self, event: events.OperatorExecuted) -> None:
        """Note that an operator ran, and the parameter that it has updated."""
        if self.run is not None and event.inputs:
            self.run.works = True
        names = self.updates.get((event.program, event.index))
        if names is not None:
            parameter, grad = names
            changed = event.outputs.get(parameter), event.inputs.get(grad)
            self.rounds.measures.updated(parameter, *changed)

    def finished(self, event: events.RunFinished) -> None:
        """Note the fetched number as the loss, if there is only one; the run is over."""
        numbers = [only_number(value) for value in event.fetched.values()]
        losses = [number for number in numbers if number is not None]
        if len(losses) == 1:
            self.rounds.measures.loss = losses[0]
        self.stop()

    def stop(self) -> None:
        """Note that the run has finished, or that an exception leaves an operator."""
        self.is_over = self.run is not None

    def end(self) -> None:
        """End the run after its last event is logged, and forget an unwanted round."""
        run, self.run, self.is_over = self.run, None, False
        if run is None:
            return
        rounds = self.rounds
        rounds.end(run.mark)
        index = len(rounds.marks) - 1
        if not run.works:
            rounds.marks.pop()
        elif not rounds.keeps(index):
            rounds.forget(index, rounds.log.bytes - run.bytes)
        rounds.drop(sure=False)
