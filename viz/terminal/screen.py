"""Terminal input and output for the player: single keys in, whole screens out, without curses."""

from __future__ import annotations

import io
import os
import shutil
import sys
from typing import Any

from ..draw.transcript import transcript
from .stepper import Stepper

PAUSE = 1.2  # seconds between the steps of playing
BEGIN, END = (
    "\x1b[?1049h\x1b[?25l",
    "\x1b[?25h\x1b[?1049l",
)  # alternate screen without cursor, and back


def play(trace: Any, lang: str = "en", step: int | None = None) -> None:
    """Step through a trace in the terminal; print its transcript if there is no terminal."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # the terminal's encoding may lack a sign
    if not interactive():
        sys.stdout.write(transcript(trace, lang))
        return
    stepper = Stepper(trace, lang, step)
    if os.name == "nt":
        from .keys_windows import keys
    else:
        from .keys_posix import keys
    sys.stdout.write(BEGIN)
    try:
        with keys() as read:
            while not stepper.over:
                show(stepper.frame(*size()))
                key = read(PAUSE if stepper.playing else None)
                if key == "resize":
                    continue
                if key:
                    stepper.press(key)
                elif stepper.playing:
                    stepper.tick()
    finally:
        sys.stdout.write(END)
        sys.stdout.flush()


def interactive() -> bool:
    """Return whether input and output are a terminal that can place text."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def size() -> tuple[int, int]:
    """Return columns and rows of the terminal; COLUMNS and LINES if it does not know them."""
    now = os.get_terminal_size(sys.stdout.fileno())
    if not all(now):
        now = shutil.get_terminal_size()
    return now.columns, now.lines


def show(lines: list[str]) -> None:
    """Redraw the screen without flicker."""
    sys.stdout.write("\x1b[H" + "\r\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")
    sys.stdout.flush()
