"""How the C library keeps memory between the steps of a training.

Each step makes arrays of the same sizes as the last one and lets them go. The GNU C library gives
large freed blocks back to the system, and the next step pays for every page again: a sixth of the
time of a convolution or an attention. But it learns from what is freed: after a block of up to
32 MiB it keeps blocks of that size, and up to twice as much free memory at the end of its heap.
"""

from __future__ import annotations

import functools
import os

import numpy as np

LARGEST = 31 * 2**20  # bytes: with its header just below the largest block that it learns from


CONTAINER = "/sys/fs/cgroup/memory.max"  # what Linux lets the processes of a container have


@functools.cache
def most_bytes() -> int:
    """Return how many bytes this process can have: the machine's memory, or the container's part of
    it."""
    try:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows
        most = 2**40
    try:
        with open(CONTAINER, encoding="ascii") as file:  # noqa: PTH123 (pathlib is slow to load)
            return min(most, int(file.read()))
    except (OSError, ValueError):  # no container, or "max"
        return most


def show_a_large_block() -> None:
    """Make and free one large array, of which no page is ever touched.

    Any program that frees an array of this size does the same. Where the environment says how much
    is kept (MALLOC_TRIM_THRESHOLD_ and its like), the library learns nothing, and that holds.
    """
    np.empty(LARGEST, np.uint8)
