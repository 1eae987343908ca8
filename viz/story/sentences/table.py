"""Which sentence belongs to which kind of step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import backward, forward, programs
from .wording import Pair

SENTENCES: dict[type, Callable[[Any], Pair]] = {
    **forward.SENTENCES,
    **backward.SENTENCES,
    **programs.SENTENCES,
}
