"""Write docs/what_if.md again: `python -m docs.make_what_if`.

The page lists the ops that a page cannot recompute after a number is changed. Each op and its
gradient rule run on the op's samples; a call that cannot be recorded puts the op on the list.
"""

from __future__ import annotations

from pathlib import Path

from minipaddle.ops import REGISTRY, Op
from minipaddle.ops.recording_arrays import Untraceable
from tests.ops.drawing import attrs_of, draw
from tests.ops.noting import noted

PAGE = Path(__file__).with_name("what_if.md")

INTRODUCTION = """\
# What a page can compute anew

A page of a trace follows a changed number through ops and gradients.
Each is a list of instructions that the page's machine runs
(`viz/whatif/instructions.py`, `viz/player/web/whatif`).
The instructions come from the kernels and gradient rules themselves, run once on recording arrays.

The ops below cannot be recorded so.
Their results stay as recorded; what depends on them is marked as stale once an input changes.
In Python `trace.what_if({"w": numbers})` runs the engine itself, so it follows these ops too,
but for random draws and for sizes that change.
Neither follows a change into `cond`, `while_loop` or `static_pylayer` of a Program, since other
numbers may take another branch: all that such an operator runs and gives is marked as stale.
`stale()` of the new trace says what could not be followed, `kinks()` where rounding may decide.

A page changes a learning rate, or a constant of an operator, in all rounds that have the same one.
In Python `{"lr": 0.1}` gives one to all rounds, and `{("lr", 2): 0.1}` to one of them.
Names stay as recorded, also where they tell of a constant, as `1 − square(y)` does.

`docs/make_what_if.py` writes this table; a test compares, and lets it only shrink.
"""

DRAWN = "draws at random: the numbers stay as they were drawn"
COMPILED = "hands its numbers to compiled code as a whole, most often of linear algebra"
COUNTED = "how many numbers come out depends on the numbers that go in"
MASKED = "picks elements by a mask: how many they are depends on the numbers that go in"
SEARCHED = "looks numbers up in a sorted line, by steps that depend on them"
DECIDED = "sizes, or the way that the kernel takes, depend on numbers"
COMPLEX = "takes complex numbers: a page computes with real ones"
BITS = "reads the bytes of numbers as those of another dtype"

REASONS = {  # message of Untraceable -> explanation
    ".__array_struct__": COMPILED,
    "np.bincount": COUNTED,
    "np.flatnonzero": COUNTED,
    "np.nonzero": COUNTED,
    "np.searchsorted()": SEARCHED,
    "np.unique": COUNTED,
    "the shape of x[mask] depends on the mask": MASKED,
    "the shape of np.repeat() depends on values": COUNTED,
    "the kernel asks for a value": DECIDED,
    ".view": BITS,
    "arrays of complex128": COMPLEX,
    ".tolist": DECIDED,
    "xp.asnumpy": "copies to another device",
    "np.nextafter()": "goes to the next number that the dtype has",
}


def hindrance(op: Op) -> str | None:
    """Return why an op cannot be recorded, or None if all of its samples can be."""
    if op.random:
        return DRAWN
    for sample in op.samples:
        try:
            noted(op, draw(op, sample, 1), attrs_of(op, sample))
        except Untraceable as asked:
            return REASONS[str(asked)]
    return None


def hindered() -> dict[str, str]:
    """Return the ops that cannot be recorded, each with the reason."""
    found = {name: hindrance(op) for name, op in sorted(REGISTRY.items())}
    return {name: reason for name, reason in found.items() if reason}


def text() -> str:
    rows = [f"| `{name}` | {reason} |" for name, reason in hindered().items()]
    return "\n".join([INTRODUCTION, "| op | why |", "|---|---|", *rows, ""])


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
