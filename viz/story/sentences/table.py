"""Which sentence belongs to which kind of step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.messages import Message

from . import backward, forward, programs

SENTENCES: dict[type, Callable[[Any], Message]] = {
    **forward.SENTENCES,
    **backward.SENTENCES,
    **programs.SENTENCES,
}
