"""Memory limit of a process, on systems that have one."""

from __future__ import annotations

from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    LIMITS = False
else:
    LIMITS = True

MEGABYTE = 2**20


def limit(megabytes: int) -> None:
    """Limit this process for good to this many megabytes above the memory that it has now."""
    if not LIMITS:
        return
    most = in_use() + megabytes * MEGABYTE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def in_use() -> int:
    """Return the bytes of address space that this process has, or a guess."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
        return int(pages) * resource.getpagesize()
    except OSError:
        return 2048 * MEGABYTE
