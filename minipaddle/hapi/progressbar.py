"""The line that shows how far a pass over the data is, and its numbers."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterable
from typing import Any

import numpy as np


class ProgressBar:
    """A line of progress: with verbose=1 a bar that replaces itself, with 2 and 3 a new line.

    `num`: number of steps, None if unknown. Source: Paddle's `paddle.hapi.progressbar.ProgressBar`.

    >>> from minipaddle.hapi.progressbar import ProgressBar
    >>> ProgressBar(20, verbose=2).update(7, [("loss", [0.25])])
    step  7/20 - loss: 0.2500 - ...s/step
    """

    def __init__(
        self, num: int | None = None, width: int = 30, verbose: int = 1, name: str = "step"
    ) -> None:
        columns = shutil.get_terminal_size().columns
        self.num, self.verbose, self.name = num, verbose, name
        self.width = max(min(width, int(columns * 0.6), columns - 50), 0)
        self.begun, self.shown = time.time(), 0

    def update(self, current_num: int, values: Iterable[tuple[str, Any]] = ()) -> None:
        """Print that so many steps are done, and names with numbers."""
        per_step = (time.time() - self.begun) / max(current_num, 1)
        numbers = "".join(f" - {name}:{_join(value)}" for name, value in values)
        counted = f"{current_num:3}"
        if self.num:
            counted = f"{current_num:{len(str(self.num))}}/{self.num}"
        line = f"{self.name} {counted}"
        if self.verbose != 1:
            print(f"{line}{numbers} - {_duration(per_step)}/{self.name}", flush=True)
            return
        is_last = not self.num or current_num >= self.num
        if self.num:
            line += f" [{self._bar(current_num / self.num)}]"
        line += numbers
        if self.num and not is_last:
            line += f" - ETA: {_clock(int(per_step * (self.num - current_num)))}"
        line += f" - {_duration(per_step)}/{self.name}"
        replaces = sys.stdout.isatty() or "ipykernel" in sys.modules or os.name == "posix"
        start = "\b" * self.shown + "\r" if replaces else "\n"
        end = "\n" if is_last else ""
        print(start + line.ljust(self.shown), end=end, flush=True)
        self.shown = len(line)

    def _bar(self, part: float) -> str:
        done = int(self.width * part)
        head = ("=" * (done - 1) + (">" if part < 1 else "=")) if done else ""
        return head.ljust(self.width, ".")


def _join(value: Any) -> str:
    """Return numbers as text, each after a blank."""
    parts = []
    for one in value if isinstance(value, list) else [value]:
        number = one.item() if isinstance(one, np.ndarray) and one.size == 1 else one
        is_float = isinstance(number, (float, np.floating))
        form = (".4f" if abs(number) > 1e-3 else ".4e") if is_float else ""
        parts.append(f" {number:{form}}")
    return "".join(parts)


def _duration(seconds: float) -> str:
    if seconds >= 1 or not seconds:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


def _clock(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    if seconds > 3600:
        return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
    return f"{minutes}:{rest:02}" if seconds > 60 else f"{seconds}s"
