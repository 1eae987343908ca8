"""Keep tests apart: each starts with the state of a fresh process and must leave it so."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import minipaddle as paddle
from minipaddle import random, static
from minipaddle.engine import dtypes, modes, naming


def leaks() -> list[str]:
    """Name what differs from the state at the start of a process."""
    here = modes.here()
    state = {
        "gradients are switched off": not modes.grad_enabled.get(),
        "static mode is on": here.builder is not None,
        f"{len(here.listeners)} event listeners are left": here.listeners,
        "NaN checks are on": here.check_nan,
        "the default dtype is another one": dtypes.get_default().name != "float32",
        "the gate of ops is open": gate_is_open(),
    }
    return [text for text, leaked in state.items() if leaked]


def gate_is_open() -> bool:
    """Whether some living context or thread records, builds or checks."""
    if not modes.gate_open or modes.here() is not modes.PLAIN:
        return False
    gc.collect()
    modes.change()  # asks every living context again
    return modes.gate_open


def start_afresh() -> None:
    """Restore the state at the start of a process, with a known seed."""
    modes.grad_enabled.set(True)
    modes.change(builder=None, listeners=(), check_nan=False)
    dtypes.set_default("float32")
    naming.reset()
    static.reset_default_programs()
    static.reset_global_scope()
    random.seed(0)
    paddle.set_printoptions(precision=8, threshold=1000, edgeitems=3, sci_mode=False, linewidth=80)
    for name, lang in (("viz", ""), ("minipaddle.exercises", "en")):
        if name in sys.modules:
            sys.modules[name].set_lang(lang)


@contextmanager
def sealed() -> Iterator[None]:
    """Run a block in a fresh state; raise AssertionError if the block changes that state."""
    start_afresh()
    program = sys.modules["__main__"]
    try:
        yield
        left = leaks()
    finally:
        sys.modules["__main__"] = program  # IPython replaces it with a module of its own
        start_afresh()
    assert not left, f"the test left behind: {', '.join(left)}"
