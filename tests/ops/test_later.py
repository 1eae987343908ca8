"""Families that are loaded on first use: all at once, and by several threads."""

from __future__ import annotations

import subprocess
import sys

THREADS = """
import sys, threading
import minipaddle as paddle
from minipaddle.ops import REGISTRY

sys.setswitchinterval(1e-6)
together, failed = threading.Barrier(8), []

def use(number):
    together.wait()
    try:
        for name in ("lgamma", "kron", "quantile", "median", "histogram", "einsum", "rot90"):
            getattr(paddle, name)
        paddle.to_tensor([1.0]).digamma()
        list(REGISTRY) if number % 2 else REGISTRY["svd"]
    except BaseException as error:
        failed.append(error)

threads = [threading.Thread(target=use, args=(n,)) for n in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(failed)
"""


def output(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_threads_may_use_a_family_first_at_the_same_time() -> None:
    assert output(THREADS) == "[]\n"


def test_every_name_of_the_registry_is_told_without_loading_anything_before() -> None:
    program = (
        "from minipaddle.ops import REGISTRY as r; print(list(r) == [*r.keys()], 'svd' in [*r])"
    )
    assert output(program) == "True True\n"
