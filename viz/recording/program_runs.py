"""Runs of Programs, each of which is a round."""

from __future__ import annotations

from minipaddle import events

from ..document.rounds import RoundMark
from .kept_rounds import KeptRounds, only_number


class ProgramRuns:
    """The current run of a Program, and the updates of its operators."""

    def __init__(self, rounds: KeptRounds) -> None:
        self.rounds = rounds
        self.run: RoundMark | None = None
        self.works = False  # whether the run computes; a startup program only makes values
        self.updates: dict[tuple[int, int], tuple[str, str]] = {}  # operator -> parameter, grad

    def note_operator(self, event: events.OperatorAppended) -> None:
        """Note the parameter that an optimizer's operator updates, and the gradient's name."""
        if event.role == "optimize":
            names = [event.inputs.get(slot) for slot in ("Param", "Grad")]
            if all(names):
                parameter, grad = (name[0].name for name in names if name and name[0])
                self.updates[event.program, event.index] = parameter, grad

    def begin(self, event: events.RunStarted) -> RoundMark:
        """Begin a run, which is a round unless it proves to be a startup program's."""
        self.works = bool(event.feeds or event.fetches)
        self.run = self.rounds.begin("run", self.works)
        return self.run

    def note_execution(self, event: events.OperatorExecuted) -> None:
        """Note that an operator ran, and the parameter that it has updated."""
        self.works = self.works or bool(event.inputs)
        names = self.updates.get((event.program, event.index))
        if names is not None:
            parameter, grad = names
            self.rounds.note_update(parameter, event.outputs.get(parameter), event.inputs.get(grad))

    def note_result(self, event: events.RunFinished) -> None:
        """Note the fetched number as the loss, if there is only one; the run is over."""
        numbers = [only_number(value) for value in event.fetched.values()]
        losses = [number for number in numbers if number is not None]
        if len(losses) == 1:
            self.rounds.loss = losses[0]
        self.end()

    def end(self) -> None:
        """End the run after its last event is logged, and forget an unwanted round."""
        run, self.run = self.run, None
        if run is None:
            return
        if self.works:
            self.rounds.end(run)
            self.rounds.settle()
        self.rounds.drop(sure=False)
