"""Functions that write a file whole or leave it as it was; all of minipaddle uses them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from stat import S_IMODE, S_ISDIR, S_ISREG
from typing import TypeVar

from . import refusals

StrPath = str | os.PathLike[str]
Named = TypeVar("Named", str, os.PathLike[str])


def write(contents: Mapping[Named, bytes], *, make_folders: bool = False) -> None:
    """Write files; a failure or an interrupt before the end leaves each as it was.

    The content goes into a file beside the target, which then takes the target's name. A link
    stays a link, and the file behind it is replaced. A file keeps its permissions. No file is
    replaced before all have been written.
    """
    parts: list[tuple[str, str]] = []
    try:
        for path, content in contents.items():
            target = target_of(path)
            if make_folders:
                os.makedirs(os.path.dirname(target), exist_ok=True)
            with name_in_errors(path):
                device = is_device(target)
                part = target if device else new_part(target)
                if not device:
                    parts.append((part, target))
                with open(part, "wb") as file:
                    file.write(content)
        for part, target in parts:
            os.replace(part, target)
    finally:
        for part, _ in parts:
            with suppress(FileNotFoundError):
                os.unlink(part)


def try_target(path: StrPath) -> None:
    """Raise now the error that writing this file would raise; leave nothing behind.

    A full disk shows only when the content is written.
    """
    target = target_of(path)
    with name_in_errors(path):
        if not is_device(target):
            os.unlink(new_part(target))


def append_line(path: StrPath, line: bytes) -> None:
    """Append a line to a log in one write, after ending the last line if that was cut off."""
    check_name(path)
    os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
    with open(path, "a+b") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(end - 1, 0))
        torn = file.read(1) not in (b"", b"\n")
        file.write((b"\n" if torn else b"") + line + b"\n")


def check_name(path: StrPath) -> None:
    """Raise an error for a name that no file can have."""
    name = os.fspath(path)
    try:
        fits = b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise refusals.no_file_name(name)


def target_of(path: StrPath) -> str:
    """Return the path behind all links; raise an error if its file may not be written."""
    check_name(path)
    if os.path.lexists(path) and not is_device(path):
        with suppress(FileNotFoundError), open(path, "r+b"):  # a link may lead to nothing yet
            pass
    return os.path.realpath(path)


def is_device(path: StrPath) -> bool:
    """Return whether a path names a device or a pipe, such as /dev/null."""
    if not os.path.exists(path):
        return False
    mode = os.stat(path).st_mode
    return not S_ISREG(mode) and not S_ISDIR(mode)


def new_part(target: str) -> str:
    """Make an empty file beside the target, with the target's permissions; return its path."""
    part = os.path.join(os.path.dirname(target), f".minipaddle-{os.urandom(8).hex()}.part")
    with open(part, "xb"), suppress(FileNotFoundError):
        os.chmod(part, S_IMODE(os.stat(target).st_mode))
    return part


@contextmanager
def name_in_errors(path: StrPath) -> Iterator[None]:
    """Let errors of the system name `path`, not the temporary file beside it."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            error.filename = os.fspath(path)
        raise
