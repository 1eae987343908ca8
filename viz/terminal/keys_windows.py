"""Single keys from a console of Windows."""

from __future__ import annotations

import msvcrt
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SIGNS = {"\r": "enter", "\x08": "backspace", "\x03": "interrupt", "\x1b": "escape"}
AFTER_A_SIGN = {
    "H": "up",
    "P": "down",
    "M": "right",
    "K": "left",
    "G": "home",
    "O": "end",
    "I": "page up",
    "Q": "page down",
}
console: Any = msvcrt  # unknown to the type checker on other systems


@contextmanager
def keys() -> Iterator[Callable[[float | None], str]]:
    """Yield a function `read(seconds)` that returns the next key, or "" if none came."""
    os.system("")  # makes the console interpret escape sequences

    def read(seconds: float | None) -> str:
        end = None if seconds is None else time.monotonic() + seconds
        while not console.kbhit():
            if end is not None and time.monotonic() > end:
                return ""
            time.sleep(0.02)
        key: str = console.getwch()
        if key in "\x00\xe0":
            return AFTER_A_SIGN.get(console.getwch(), "unknown")
        return SIGNS.get(key, key)

    yield read
