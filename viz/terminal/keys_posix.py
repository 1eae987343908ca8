"""Single keys from a terminal of Linux or macOS."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SEQUENCES = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "H": "home",
    "F": "end",
    "1~": "home",
    "7~": "home",
    "4~": "end",
    "8~": "end",
    "5~": "page up",
    "6~": "page down",
}
SIGNS = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x03": "interrupt",
    "\x04": "interrupt",
}
GONE = "\x04"  # key that is sent when the terminal is closed


@contextmanager
def keys() -> Iterator[Callable[[float | None], str]]:
    """Yield a function `read(seconds)` that returns the next key, or "" if none came.

    The key "resize" means that the size of the terminal changed. Restore the terminal afterwards.
    """
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    waiting = ""
    resized, resize = os.pipe()
    heeding = signal.signal(signal.SIGWINCH, lambda *_: os.write(resize, b"r"))
    ending = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))

    def more(seconds: float | None, *others: int) -> list[int]:
        return select.select([terminal, *others], [], [], seconds)[0]

    def read(seconds: float | None) -> str:
        nonlocal waiting
        if not waiting:
            ready = more(seconds, resized)
            if resized in ready:
                os.read(resized, 1024)
                return "resize"
            if not ready:
                return ""
            sent = os.read(terminal, 1024)
            while sent and not whole(sent) and more(0.05):
                sent += os.read(terminal, 1024)
            waiting = sent.decode(errors="replace") or GONE
        key, waiting = first_key(waiting)
        return key

    try:
        tty.setraw(terminal)
        yield read
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        signal.signal(signal.SIGWINCH, heeding)
        signal.signal(signal.SIGTERM, ending)
        os.close(resized)
        os.close(resize)


def whole(sent: bytes) -> bool:
    """Return whether the bytes end with a whole letter or escape sequence."""
    try:
        return not re.search(r"\x1b(\[[0-9;]*|O)?$", sent.decode())
    except UnicodeDecodeError:
        return False


def first_key(text: str) -> tuple[str, str]:
    """Return the first key of a text that a terminal sent, and the rest."""
    if text[0] != "\x1b":
        return SIGNS.get(text[0], text[0]), text[1:]
    if text[1:2] not in ("[", "O"):
        return "escape", text[1:]
    end = 2
    while end < len(text) and (text[end].isdigit() or text[end] == ";"):
        end += 1
    return SEQUENCES.get(text[2 : end + 1], "unknown"), text[end + 1 :]
