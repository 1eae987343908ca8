"""Walls around the processes of notebooks: bubblewrap, Linux namespaces, limits.

A notebook's process sees Python, minipaddle, and a copy of its own folder; all but that copy and a
small /tmp are read-only. It has no network, sees no other process, and none outlives it.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from select import select

from ...folders import CHECKOUT, PACKAGE, lessons_folder
from ...messages import Message

MEGABYTE = 2**20
DISK = 256  # megabytes that a notebook may write into its folder; a quarter of it into /tmp
PROCESSES = 64  # of a notebook at the same time
LOOK = 0.05  # seconds between two looks at a notebook's processes
FOLDER = "/notebook"  # a notebook's own folder inside of the walls
ROOT = "/tmp/root"  # where bubblewrap lets a wall be built
KINDS = ("bubblewrap", "namespaces", "none")
NOT_LINUX = Message("bubblewrap and namespaces are parts of Linux")
NOT_INSTALLED = Message(
    "bubblewrap (bwrap) is not installed, and the system lets Python make no namespaces"
)
FORBIDDEN = Message("the system lets neither bubblewrap (bwrap) nor Python make namespaces")

# From linux/sched.h, linux/mount.h and linux/prctl.h.
NEW_NS, NEW_UTS, NEW_IPC, NEW_USER = 0x20000, 0x4000000, 0x8000000, 0x10000000
NEW_PID, NEW_NET = 0x20000000, 0x40000000
NOSUID, NODEV, NOEXEC, BIND, RECURSIVE, PRIVATE = 2, 4, 8, 0x1000, 0x4000, 0x40000
READ_ONLY, ALL_BELOW, DETACH, HERE = 1, 0x8000, 2, -100
DEATH_SIGNAL, DUMPABLE, DROP_BOUNDING, NO_NEW_PRIVILEGES = 1, 4, 24, 38
CAPABILITIES_3, SYS_MOUNT_SETATTR = 0x20080522, 442
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}
SYS_CAPSET = {"x86_64": 126, "aarch64": 91, "riscv64": 91}
SYSTEM = [
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/fonts"),
    *("/etc/alternatives", "/etc/localtime", "/etc/mime.types", "/etc/ssl/certs"),
]
DEVICES = ("null", "zero", "full", "random", "urandom")


@dataclass(frozen=True)
class Limits:
    """Limits of a notebook: seconds, and megabytes above those of an empty kernel."""

    seconds: float = 60.0
    memory: int = 2048


# ----- kinds of walls -----------------------------------------------------------------------------


@cache
def strongest() -> tuple[str, Message]:
    """Return the best kind of isolation that works here, and what is missing if none does."""
    kind = next((kind for kind in KINDS[:-1] if works(kind)), "none")
    missing = FORBIDDEN if shutil.which("bwrap") else NOT_INSTALLED
    return kind, missing if sys.platform == "linux" else NOT_LINUX


@cache
def works(kind: str) -> bool:
    """Return whether walls of this kind can be built here."""
    if sys.platform != "linux":
        return False
    trial = f"from {__name__} import try_namespaces; try_namespaces()"
    if kind == "bubblewrap":
        if shutil.which("bwrap") is None:
            return False
        command = [*bubblewrap([], "/tmp", inner=False), "true"]
    elif platform.machine() in SYS_PIVOT_ROOT:
        command = [sys.executable, "-c", trial]
    else:
        return False
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path])}
    done = subprocess.run(command, capture_output=True, check=False, env=paths)
    return done.returncode == 0


def try_namespaces() -> None:
    """Build a wall around this process; an exception if that is impossible."""
    own_namespaces()
    if (child := os.fork()) == 0:
        status = 1
        with suppress(OSError):
            call("mount", None, b"/", None, RECURSIVE | PRIVATE, None)
            call("mount", b"tmpfs", b"/tmp", b"tmpfs", NOSUID, b"size=1m")
            bind_read_only("/usr", "/tmp/usr")
            status = 0
        os._exit(status)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


# ----- bubblewrap ---------------------------------------------------------------------------------


def readable() -> list[str]:
    """Return files and folders that a notebook's process needs: Python, packages, minipaddle."""
    paths = [*SYSTEM, sys.base_prefix, sys.prefix, str(PACKAGE), str(lessons_folder() / "data")]
    if lessons_folder().parent == CHECKOUT:  # its project file says that it is a checkout
        paths += [str(CHECKOUT / "viz"), str(CHECKOUT / "pyproject.toml")]
    paths += [sysconfig.get_path(kind) for kind in ("stdlib", "purelib", "platlib")]
    paths += [path for path in sys.path if "site-packages" in path]
    found = sorted({path for path in paths if Path(path).exists()})
    return [p for p in found if not any(is_below(p, other) for other in found if other != p)]


def is_below(path: str, folder: str) -> bool:
    """Return whether a path is inside a folder."""
    return path.startswith(folder.rstrip("/") + "/")


def bubblewrap(hidden: Iterable[str], staged: str, *, inner: bool) -> list[str]:
    """Return the beginning of a command that runs inside of walls by bubblewrap.

    With `inner` each notebook gets further walls, which `enclose` builds in there. `hidden` are
    files and folders of the teacher's that no notebook may see, wherever they lie. `staged` is the
    folder of the notebooks' copies.
    """
    command = ["bwrap", "--unshare-user", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    command += ["--die-with-parent", "--new-session", "--hostname", "notebook"]
    command += ["--dev", "/dev", "--size", str(DISK * MEGABYTE // 4), "--tmpfs", "/tmp"]
    for path in readable():
        link = Path(path).is_symlink()
        there = ["--symlink", str(Path(path).readlink())] if link else ["--ro-bind", path]
        command += [*there, path]
    command += ["--dir", ROOT, "--ro-bind", staged, staged]
    if inner:
        command += ["--dev-bind", "/proc", "/proc"]
    else:
        command += ["--unshare-pid", "--proc", "/proc"]
        command += ["--size", str(DISK * MEGABYTE), "--tmpfs", FOLDER]
    for path in visible_in_walls(hidden):
        folder = Path(path).is_dir()
        command += ["--tmpfs", path] if folder else ["--ro-bind", "/dev/null", path]
    return [*command, "--"]


def visible_in_walls(hidden: Iterable[str]) -> list[str]:
    """Return the files and folders among these that notebooks could read."""
    return [path for path in hidden if any(is_below(path, seen) for seen in readable())]


# ----- namespaces ---------------------------------------------------------------------------------


@cache
def libc() -> ctypes.CDLL:
    """Return the C library."""
    return ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: object) -> int:
    """Call a function of the C library; OSError if it fails."""
    result: int = getattr(libc(), name)(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def own_namespaces() -> None:
    """Move this process into namespaces of its own; its next child is the first process there."""
    user, group = os.getuid(), os.getgid()
    call("unshare", NEW_USER | NEW_NS | NEW_PID | NEW_NET | NEW_IPC | NEW_UTS)
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"1000 {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"1000 {group} 1", encoding="ascii")


def bind_read_only(source: str, target: str) -> None:
    """Show a file or folder, with all that is mounted in it, read-only at another place."""
    make_place(target, folder=Path(source).is_dir())
    call("mount", os.fsencode(source), os.fsencode(target), None, BIND | RECURSIVE, None)
    set_read_only(target, ALL_BELOW)


def set_read_only(target: str, below: int = 0) -> None:
    """Make what is mounted at a place read-only."""
    attributes = (ctypes.c_uint64 * 4)(READ_ONLY | NOSUID, 0, 0, 0)
    place = os.fsencode(target)
    call("syscall", SYS_MOUNT_SETATTR, HERE, place, below, attributes, ctypes.sizeof(attributes))


def go_on_in_child(*lines: socket.socket) -> None:
    """Fork, and return in the child; the parent closes its lines, and ends as the child does."""
    if (child := os.fork()) != 0:
        for line in lines:
            line.close()
        os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)


def become_first(work: str, root: str, hidden: Iterable[str], also: Iterable[str] = ()) -> None:
    """Let the first process of its namespaces build their walls, and let nobody in there trace it.

    All processes of the namespaces end with it, and it ends with its parent.
    """
    libc().prctl(DUMPABLE, 0, 0, 0, 0)
    end_with_parent()
    enclose(work, root, hidden, also)


def enclose(work: str, root: str, hidden: Iterable[str], also: Iterable[str] = ()) -> None:
    """Give this process a file system of its own, with a copy of the folder `work`.

    `root` is an empty folder. This is the first process of its namespaces. `also` are further
    folders to show.
    """
    call("mount", None, b"/", None, RECURSIVE | PRIVATE, None)
    call("mount", b"tmpfs", os.fsencode(root), b"tmpfs", NOSUID | NODEV, b"size=1m,mode=755")
    for place, size in (("/tmp", DISK // 4), (FOLDER, DISK)):
        Path(root + place).mkdir()
        limits = f"size={size}m,nr_inodes=20000,mode=755".encode()
        call("mount", b"tmpfs", os.fsencode(root + place), b"tmpfs", NOSUID | NODEV, limits)
    for path in [*readable(), *also]:
        if Path(path).is_symlink():
            Path(root + path).symlink_to(Path(path).readlink())
        else:
            bind_read_only(path, root + path)
    for path in visible_in_walls(hidden):
        if Path(path).is_dir():
            call("mount", b"tmpfs", os.fsencode(root + path), b"tmpfs", 0, b"size=4k")
        else:
            call("mount", b"/dev/null", os.fsencode(root + path), None, BIND, None)
    for name in DEVICES:
        make_place(f"{root}/dev/{name}", folder=False)
        device, shown = (f"{start}/dev/{name}".encode() for start in ("", root))
        call("mount", device, shown, None, BIND, None)
    Path(f"{root}/dev/shm").symlink_to("/tmp")
    shutil.copytree(work, root + FOLDER, symlinks=True, dirs_exist_ok=True)
    Path(f"{root}/proc").mkdir()
    with suppress(OSError):  # some containers allow none
        shown = os.fsencode(f"{root}/proc")
        call("mount", b"proc", shown, b"proc", NOSUID | NODEV | NOEXEC, b"subset=pid")
    with suppress(OSError):  # no namespaces inside of these
        Path("/proc/sys/user/max_user_namespaces").write_text("0", encoding="ascii")
    set_read_only(root)
    os.chdir(root)
    call("syscall", SYS_PIVOT_ROOT[platform.machine()], b".", b".")
    call("umount2", b".", DETACH)
    os.chdir("/")
    call("sethostname", b"notebook", 8)


def make_place(target: str, *, folder: bool) -> None:
    """Make an empty folder or file, on which something can be mounted."""
    place = Path(target)
    (place if folder else place.parent).mkdir(parents=True, exist_ok=True)
    if not folder:
        place.touch()


def give_up_privileges() -> None:
    """Drop all capabilities of this process for good."""
    if sys.platform != "linux":
        return
    for number in range(64):
        libc().prctl(DROP_BOUNDING, number, 0, 0, 0)
    header, none = (ctypes.c_uint32 * 2)(CAPABILITIES_3, 0), (ctypes.c_uint32 * 6)()
    if platform.machine() in SYS_CAPSET:
        libc().syscall(SYS_CAPSET[platform.machine()], header, none)
    call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def keep_only(*lines: socket.socket) -> None:
    """Close all files of this process but these sockets; its streams lead nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    first = 3
    for kept in sorted(line.fileno() for line in lines):
        os.closerange(first, kept)
        first = kept + 1
    os.closerange(first, 65536)


# ----- limits -------------------------------------------------------------------------------------


def limit_memory(megabytes: int) -> None:
    """Limit the address space of this process to this much above what it has now."""
    if sys.platform == "linux":
        set_limit("RLIMIT_AS", address_space() + megabytes * MEGABYTE)


def set_limit(name: str, most: int) -> None:
    """Set a limit of this process and its children for good."""
    _, hard = resource.getrlimit(getattr(resource, name))
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(getattr(resource, name), (most, most))


def limit(limits: Limits) -> None:
    """Limit this process and its children for good."""
    limit_memory(limits.memory)
    ends = {"RLIMIT_FSIZE": DISK * MEGABYTE, "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 512}
    if sys.platform == "linux":  # elsewhere it counts all processes of the user
        ends["RLIMIT_NPROC"] = PROCESSES
    for name, most in ends.items():
        set_limit(name, most)


def address_space() -> int:
    """Return the bytes of address space that this process has, or a guess."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
        return int(pages) * resource.getpagesize()
    except OSError:
        return 2048 * MEGABYTE


def end_with_parent() -> None:
    """Let this process be killed when the one that started it ends."""
    if sys.platform == "linux":
        libc().prctl(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def watch(child: int, control: socket.socket, memory: int, *, alone: bool) -> str:
    """Wait for the end of a notebook's process; return which limit ended it, or "".

    `control` gives "i" to interrupt the process; its end ends it. If `alone`, all processes that
    can be seen but this one belong to the notebook.
    """
    first = memory_of_others() if alone else 0
    while True:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                if ended == child:
                    return ""
        if select([control], [], [], LOOK)[0]:
            if not control.recv(1):
                return ""
            os.kill(child, signal.SIGINT)
        if alone and len(other_processes()) > PROCESSES:
            return "too many processes"
        if alone and memory_of_others() > first + memory:
            return "too much memory in all processes together"


def other_processes() -> list[str]:
    """Return the numbers of the processes that this one sees."""
    try:
        names = [place.name for place in Path("/proc").iterdir()]
    except OSError:
        return []
    return [name for name in names if name.isdecimal() and name != "1"]


def memory_of_others() -> float:
    """Return the memory that these processes have together, each page counted once."""
    total = 0
    for name in other_processes():
        with suppress(OSError, ValueError, IndexError):
            rows = Path(f"/proc/{name}/smaps_rollup").read_text(encoding="ascii")
            total += int(rows.partition("\nPss:")[2].split()[0])
    return total / 1024
