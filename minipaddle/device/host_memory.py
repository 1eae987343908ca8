"""How the C library keeps memory between the steps of a training.

Each step makes arrays of the same sizes as the last one and lets them go. By itself the GNU C
library gives large freed blocks back to the system, and the next step pays for every page again:
a quarter of the time of a convolution or an attention. Told to keep them, it hands them out anew.
"""

from __future__ import annotations

import ctypes
import sys

MMAP_THRESHOLD, TRIM_THRESHOLD = -3, -1  # as <malloc.h> numbers them
LARGEST = 32 * 2**20  # bytes of a block that is kept; the most that the library allows
KEPT = 512 * 2**20  # bytes that may lie free


def keep_freed_memory() -> bool:
    """Let freed blocks stay with the process; whether the C library is one that can."""
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and all(
        mallopt(what, size) for what, size in ((MMAP_THRESHOLD, LARGEST), (TRIM_THRESHOLD, KEPT))
    )
