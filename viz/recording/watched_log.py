"""A log that notices NaN and infinities in the values that it stores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.events import Value

from .event_log import EventLog


class WatchedLog(EventLog):
    """Log of the last rounds of a long run; it stores large tensors as statistics only.

    `nan` and `infinite` count the values with NaN, or infinities, since both were last set to 0.
    """

    nan = infinite = 0

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.room = 0

    def forget(self, first: int, last: int, cost: int) -> None:
        super().forget(first, last, cost)
        self.large.clear()

    def copy_array(self, array: Any, number: int = 0) -> Any:
        copy = super().copy_array(array, number)
        if isinstance(copy, Value):
            self.look(copy.data)
        else:
            self.look(array)
        return copy

    def copy_value(self, value: Value, number: int = 0, version: int = 0) -> None:
        if value.kept:
            self.look(value.data)
        else:
            super().copy_value(value, number, version)

    def look(self, data: Any) -> None:
        """Count a value with these elements or statistics."""
        if not isinstance(data, dict):
            row = data.ravel("K")
            # An overflow is no infinity, but every infinity and NaN is in the product.
            if data.dtype.kind != "f" or math.isfinite(row.dot(row)):
                return
            data = {"nan": np.isnan(row).any(), "inf": np.isinf(row).any()}
        self.nan += bool(data["nan"])
        self.infinite += bool(data["inf"])
