"""Updates of parameters by an optimizer of another framework."""

from __future__ import annotations

from typing import Any, NamedTuple

from minipaddle import events
from minipaddle.events import Seen, UpdateRule, Value


class Followed(NamedTuple):
    """Rule of a parameter's update: its formula, the learning rate, its description, its state.

    The formula is empty for an optimizer that minipaddle does not have.
    """

    formula: str = ""
    rate: float = 0.0
    follows: UpdateRule | None = None
    state: tuple[Value, ...] | None = None

    def emit(
        self, rules: Any, key: Any, name: str, seen: Seen, grad: Value,
        before: Value, place: Any,
    ) -> None:  # fmt: skip
        """Emit the update of a parameter; `rules` has its rule in the last step, at `key`."""
        known = rules.get(key) == self.follows
        rules[key] = self.follows
        rule = (None, None) if known else (self.follows, self.state)
        update = name, seen, grad, before, place, self.formula, self.rate
        events.emit(events.ParameterUpdated(*update, *rule))
