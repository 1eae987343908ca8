"""Make the C library reuse memory between the steps of a training.

Each step makes arrays of the same sizes as the last step and frees them. The GNU C library gives
large freed blocks back to the system, and the next step pays for every page again: a sixth of the
time of a convolution or an attention. But the library adapts: once a block of up to 32 MiB was
freed, it reuses blocks of that size, and holds up to twice as much free memory on its heap.
"""

from __future__ import annotations

import functools
import os

import numpy as np

LARGEST = 31 * 2**20  # bytes: with its header just below 32 MiB


CONTAINER = "/sys/fs/cgroup/memory.max"  # memory limit of a Linux container


@functools.cache
def most_bytes() -> int:
    """Return the memory that this process can use, in bytes: the machine's or the container's."""
    try:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not available on Windows
        most = 2**40
    try:
        with open(CONTAINER, encoding="ascii") as file:  # noqa: PTH123 (pathlib is slow to load)
            return min(most, int(file.read()))
    except (OSError, ValueError):  # no container, or the limit is "max"
        return most


def show_a_large_block() -> None:
    """Make and free one large array without touching its pages.

    The C library does not adapt if the environment sets its limits (MALLOC_TRIM_THRESHOLD_ and the
    like); then those hold.
    """
    np.empty(LARGEST, np.uint8)
