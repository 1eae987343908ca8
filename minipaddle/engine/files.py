"""Files with all of their bytes, or as they were before: the one way in which anything is written.

What is to be written goes into a part beside the target, which then takes the target's name in
one step. A process that dies leaves its part behind, and the next writer in that folder removes
it: the lock on a part tells whether its writer still lives, in whatever process or container.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from stat import S_IMODE, S_ISREG
from typing import IO, Any, TypeVar

from . import refusals

try:
    import fcntl
except ImportError:  # Windows, where the parts of the dead stay
    LOCKS = False
else:
    LOCKS = True

StrPath = str | os.PathLike[str]
Named = TypeVar("Named", str, os.PathLike[str])

PART = re.compile(r"\.minipaddle-[0-9a-f]{16}\.part")
MOST_LINKS = 40  # one after the other, as in Linux


def write(contents: Mapping[Named, bytes], *, make_folders: bool = False) -> None:
    """Write files; what fails or is interrupted leaves each as it was.

    A link stays one, and the file behind it is replaced. A file keeps its permissions, and a new
    one gets those that the umask leaves. The bytes are on the disk before a file takes its name;
    of several files none is replaced before all have been written.
    """
    parts: list[Part] = []
    try:
        for path, content in contents.items():
            target = target_of(path)
            if is_device(target):
                with open(target, "wb") as device:
                    device.write(content)
                continue
            folder = os.path.dirname(target) or os.curdir
            if make_folders:
                os.makedirs(folder, exist_ok=True)
            remove_dead_parts(folder)
            parts.append(Part(target))
            with errors_naming(target):
                parts[-1].fill(content)
        # In C from the first to the last, so that no Ctrl-C comes between two files.
        list(map(os.replace, [part.name for part in parts], [part.target for part in parts]))
    finally:
        for part in parts:
            part.discard()


def try_target(path: StrPath) -> None:
    """Raise the error now that writing this file would raise; nothing is left behind.

    The disk may still be full when the content comes.
    """
    target = target_of(path)
    if is_device(target):
        return
    part = Part(target)
    try:
        with errors_naming(target):
            part.open()
    finally:
        part.discard()


def append_line(path: StrPath, line: bytes) -> None:
    """Add a line to a log in one write, on a line of its own whatever was cut off before it."""
    check_name(path)
    os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
    with open(path, "a+b") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(end - 1, 0))
        torn = file.read(1) not in (b"", b"\n")
        file.write((b"\n" if torn else b"") + line + b"\n")


# ----- the target --------------------------------------------------------------------------------


def check_name(path: StrPath) -> None:
    """Raise an error for what no file can be called."""
    name = os.fspath(path)
    try:
        fits = b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise refusals.no_file_name(name)


def target_of(path: StrPath) -> str:
    """The file that is meant, behind all links; an error if it may not be written."""
    check_name(path)
    given = target = os.fspath(path)
    if os.path.isdir(given):
        raise refusal("EISDIR", given)
    if os.path.exists(given) and not os.access(given, os.W_OK):
        raise refusal("EACCES", given)
    if is_device(given):
        return given
    for _ in range(MOST_LINKS):
        if not os.path.islink(target):
            return target
        target = os.path.join(os.path.dirname(target), os.readlink(target))
    raise refusal("ELOOP", given)


def is_device(path: str) -> bool:
    """Whether something is there that has no bytes to keep, such as /dev/null or a pipe."""
    return os.path.exists(path) and not S_ISREG(os.stat(path).st_mode)


def refusal(reason: str, path: str) -> OSError:
    """The error that the system itself would give for this file."""
    import errno  # for failures only

    number: int = getattr(errno, reason)
    return OSError(number, os.strerror(number), path)


# ----- parts -------------------------------------------------------------------------------------


class Part:
    """A file of this writer's own beside the target, locked as long as it is open."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.file: IO[bytes] | None = None
        self.new_name()

    def new_name(self) -> None:
        """A short one: made from the target's it may be longer than a name can be."""
        name = f".minipaddle-{os.urandom(8).hex()}.part"
        self.name = os.path.join(os.path.dirname(self.target), name)

    def fill(self, content: bytes) -> None:
        """The whole content, on the disk, under the permissions of the file that it replaces."""
        file = self.open()
        with suppress(FileNotFoundError):
            self.take_permissions(os.stat(self.target))
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        if not LOCKS:  # Windows renames no open file
            file.close()

    def open(self) -> IO[bytes]:
        """A new file, and locked, so that nobody takes it for a dead one's."""
        while True:
            self.file = open(self.name, "xb")  # noqa: SIM115
            if self.is_locked():
                return self.file
            self.discard()
            self.new_name()

    def is_locked(self) -> bool:
        """Lock it; False if somebody was quicker, who is about to remove it."""
        try:
            lock(self.file)
        except BlockingIOError:
            return False
        except OSError:  # no locks on this file system, so nobody removes anything
            pass
        return os.path.exists(self.name)

    def take_permissions(self, old: os.stat_result) -> None:
        """Before the content comes, which not everybody may be meant to read."""
        if hasattr(os, "chown"):
            for owner in ((-1, old.st_gid), (old.st_uid, -1)):
                with suppress(PermissionError):  # who may not give it away keeps it
                    os.chown(self.name, *owner)
        os.chmod(self.name, S_IMODE(old.st_mode))

    def discard(self) -> None:
        """Remove what has not become the target."""
        if self.file and not LOCKS:  # Windows removes no open file
            self.file.close()
        with suppress(FileNotFoundError):
            os.unlink(self.name)
        if self.file:
            with suppress(OSError):  # of what it could not write before
                self.file.close()


def lock(file: IO[Any] | None) -> None:
    """Lock an open file; BlockingIOError if somebody else has."""
    if LOCKS and file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove_dead_parts(folder: str) -> None:
    """Remove the parts in a folder whose writers are no more."""
    if not LOCKS:
        return
    with suppress(OSError):  # a folder whose names may not be read
        for path in parts_in(folder):
            with suppress(OSError), open(path, "rb") as file:
                lock(file)
                os.unlink(path)


def parts_in(folder: str) -> list[str]:
    with os.scandir(folder) as entries:
        named = [entry for entry in entries if PART.fullmatch(entry.name)]
        return [entry.path for entry in named if entry.is_file(follow_symlinks=False)]


@contextmanager
def errors_naming(target: str) -> Iterator[None]:
    """Errors of the system inside are told of the target; its part means nothing to the user."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            error.filename = target
        raise
