"""A terminal: single keys in, whole screens out. Nothing but the standard library, no curses."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .stepper import Stepper
from .text import transcript

PAUSE = 1.2  # seconds between the steps of playing
BEGIN, END = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"  # a screen of its own, no cursor
SEQUENCES = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end",
    "1~": "home", "7~": "home", "4~": "end", "8~": "end", "5~": "page up", "6~": "page down",
}  # fmt: skip
SIGNS = {
    "\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x03": "interrupt",
    "\x04": "interrupt",
}  # fmt: skip
WINDOWS = {
    "H": "up", "P": "down", "M": "right", "K": "left", "G": "home", "O": "end", "I": "page up",
    "Q": "page down",
}  # fmt: skip


def play(trace: Any, lang: str = "en", step: int = 0) -> None:
    """Step through a trace in the terminal; print its transcript where there is none."""
    if not interactive():
        sys.stdout.write(transcript(trace.story, lang))
        return
    stepper = Stepper(trace, lang, step)
    with keyboard() as read:
        while not stepper.over:
            size = shutil.get_terminal_size()
            show(stepper.frame(size.columns, size.lines))
            key = read(PAUSE if stepper.playing else None)
            if key:
                stepper.press(key)
            elif stepper.playing:
                stepper.tick()


def interactive() -> bool:
    """Whether somebody sits at both ends, and the terminal can place text."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def show(lines: list[str]) -> None:
    """Draw the screen anew, without flicker."""
    sys.stdout.write("\x1b[H" + "\r\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")
    sys.stdout.flush()


@contextmanager
def keyboard() -> Iterator[Any]:
    """`read(seconds)`: the next key, or "" if none came; the terminal is as before afterwards."""
    windows = os.name == "nt"
    sys.stdout.write(BEGIN)
    try:
        with of_windows() if windows else of_posix() as read:
            yield read
    finally:
        sys.stdout.write(END)
        sys.stdout.flush()


@contextmanager
def of_posix() -> Iterator[Any]:
    termios, tty = importlib.import_module("termios"), importlib.import_module("tty")
    select = importlib.import_module("select").select
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    waiting = ""

    def more(seconds: float | None) -> bool:
        return bool(select([terminal], [], [], seconds)[0])

    def read(seconds: float | None) -> str:
        nonlocal waiting
        if not waiting:
            try:
                if not more(seconds):
                    return ""
            except InterruptedError:  # the window changed its size
                return ""
            found = os.read(terminal, 1024)
            while found and not whole(found) and more(0.05):
                found += os.read(terminal, 1024)
            waiting = found.decode(errors="replace") or "\x04"  # nobody is there any more
        key, waiting = first_key(waiting)
        return key

    try:
        tty.setraw(terminal)
        yield read
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def whole(found: bytes) -> bool:
    """Whether no letter and no sequence is cut in the middle."""
    try:
        return not re.search(r"\x1b(\[[0-9;]*|O)?$", found.decode())
    except UnicodeDecodeError:
        return False


def first_key(text: str) -> tuple[str, str]:
    """The first key in what a terminal sends, and the rest."""
    if text[0] != "\x1b":
        return SIGNS.get(text[0], text[0]), text[1:]
    if text[1:2] not in ("[", "O"):
        return "escape", text[1:]
    end = 2
    while end < len(text) and (text[end].isdigit() or text[end] == ";"):
        end += 1
    return SEQUENCES.get(text[2 : end + 1], "unknown"), text[end + 1 :]


@contextmanager
def of_windows() -> Iterator[Any]:
    msvcrt, time = importlib.import_module("msvcrt"), importlib.import_module("time")
    os.system("")  # lets the console understand escape sequences

    def read(seconds: float | None) -> str:
        end = None if seconds is None else time.monotonic() + seconds
        while not msvcrt.kbhit():
            if end is not None and time.monotonic() > end:
                return ""
            time.sleep(0.02)
        key: str = msvcrt.getwch()
        if key in "\x00\xe0":
            return WINDOWS.get(msvcrt.getwch(), "unknown")
        return "escape" if key == "\x1b" else SIGNS.get(key, key)

    yield read
