"""What importing minipaddle does to the memory of a process, counted in pages."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only glibc learns from a large array what to keep"
)
STEP = """
import resource, sys
import {module}
import numpy as np

def step():
    [np.ones(2**20, "float32") for _ in range(6)]

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
"""
COUNTED = "step(); before = faults(); [step() for _ in range(10)]; print(faults() - before)"


def count(module: str, code: str, **environment: str) -> int:
    """What the code prints in a process of its own."""
    tuned = {"GLIBC_TUNABLES", *(key for key in os.environ if key.startswith("MALLOC_"))}
    plain = {key: value for key, value in os.environ.items() if key not in tuned}
    result = subprocess.run(
        [sys.executable, "-c", STEP.format(module=module) + code],
        env={**plain, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(result.stdout)


def test_the_next_step_finds_the_pages_of_the_last_one() -> None:
    assert count("numpy", COUNTED) > 1000
    assert count("minipaddle", COUNTED) < 100


@pytest.mark.parametrize(
    "environment",
    [
        {"MALLOC_TRIM_THRESHOLD_": "131072"},
        {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=131072"},
    ],
)
def test_settings_of_the_environment_are_respected(environment: dict[str, str]) -> None:
    assert count("minipaddle", COUNTED, **environment) > 1000


def test_no_page_of_the_block_is_touched_and_large_arrays_are_given_back() -> None:
    taken = "before = resident(); {}; print(resident() - before)"
    shown = "host_memory.show_a_large_block()"
    assert count("minipaddle.device.place as host_memory", taken.format(shown)) < 2**20
    large = "a = np.ones(2**25, 'float32'); del a"  # 128 MiB
    assert count("minipaddle", taken.format(large)) < 2**24
