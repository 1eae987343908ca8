"""Comparison of two runs by the names of their results, whatever ops compute them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from minipaddle.events import Value
from minipaddle.messages import LIST, Message, Row

from ..model import Shown
from ..story.chapters import Recorded
from ..story.finite_differences import NotMeasurable, numbers
from ..story.sentences.wording import digits
from .step_differences import Change, Floats, Kind, farthest, is_fresh, is_gradient

ROUNDING = 64.0  # units in the last place that another order of addition may make
NAME = re.compile(r"[\w.\[\]']+(?:#\d+)?")
BITS = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}

NONE = Message("No result has the same name in both runs; `names` says which are alike.")
SAME = Message("By their names {count} results are compared: all are equal.")
PARTS = Message(
    "By their names {count} results are compared: {equal} are equal; the first that parts is "
    "{name} (step {step}), by {ulp} units in the last place of {dtype} (ULP)."
)
ROUNDED = Message(
    "The farthest is {name} (step {step}), by {ulp} ULP: another order of addition can do that."
)
BEYOND = Message(
    "The first that differs by more than rounding is {name} (step {step}): {off} where its largest "
    "element is {size}, {ulp} ULP."
)
MISFIT = Message("{name} (step {step}) has another shape: {one}, {other}.")
ORDER = Message("Gradients arrive in another order: {one}; in the second run: {other}.")


class Result(NamedTuple):
    """A named result of both runs: its steps, and how far it is apart.

    `off` is the largest distance of two elements (NaN if the shapes differ), `size` the largest
    element, `ulp` the distance in units in the last place of that element, in the narrower of both
    `dtypes`. `change` has the element that is farthest apart, if it is beyond the tolerance.
    """

    name: str
    first: int
    second: int
    off: float
    size: float
    dtypes: tuple[str, str]
    shapes: tuple[str, str]
    change: Change | None = None

    @property
    def dtype(self) -> str:
        return min(self.dtypes, key=BITS.__getitem__)

    @property
    def ulp(self) -> float:
        if not self.off:
            return 0.0
        unit = 2.0 ** (np.frexp(self.size)[1] - BITS[self.dtype]) if self.size else 0.0
        return self.off / unit if unit else float("inf")


def results_of(
    a: Recorded, b: Recorded, rtol: float, atol: float, names: Mapping[str, str]
) -> Iterator[Result]:
    """Yield the floating results that have one name in both runs, in the order of the second.

    `names` maps the first run's names of parameters to the second run's.
    """
    made = named_results(a, names)
    for (name, turn), (second, shown) in named_results(b, {}).items():
        if (name, turn) not in made:
            continue
        first, old = made[name, turn]
        one, other = numbers_of(old), numbers_of(shown)
        if one is None or other is None:
            continue
        values: Any = old.value, shown.value
        dtypes = values[0]["dtype"], values[1]["dtype"]
        shapes = str(list(one.shape)), str(list(other.shape))
        one = align_layout(one, other)
        size = float(max(np.abs(one).max(initial=0.0), np.abs(other).max(initial=0.0)))
        kind: Kind = "gradient" if is_gradient(shown, b.steps[second].step.phase) else "value"
        change = Change(kind, first, second, shown.name, shown.node)
        if one.shape != other.shape:
            change = replace(change, kind="shape", before=shapes[0], after=shapes[1])
            yield Result(name, first, second, np.nan, size, dtypes, shapes, change)
            continue
        if one.size:
            change = farthest(change, one, other)
        near = np.allclose(other, one, rtol, atol, equal_nan=True)
        yield Result(
            name, first, second, change.off, size, dtypes, shapes, None if near else change
        )


def unmatched_results(a: Recorded, b: Recorded, names: Mapping[str, str]) -> Iterator[Change]:
    """Yield the floating results whose name only one run has."""
    before, after = named_results(a, names), named_results(b, {})
    for key, (number, shown) in before.items():
        if key not in after and numbers_of(shown) is not None:
            yield Change("missing", number, None, key[0], shown.node)
    for key, (number, shown) in after.items():
        if key not in before and numbers_of(shown) is not None:
            yield Change("new", None, number, key[0], shown.node)


def named_results(
    trace: Recorded, names: Mapping[str, str]
) -> dict[tuple[str, int], tuple[int, Shown]]:
    """Map the new name of each result, and how often it came before, to its step and itself."""
    found: dict[tuple[str, int], tuple[int, Shown]] = {}
    turns: Counter[str] = Counter()
    for number, view in enumerate(trace.steps):
        for shown in view.step.shown:
            is_given = shown.role == "input" and not turns[shown.name]
            if NAME.fullmatch(shown.name) and (is_given or is_fresh(shown)):
                found[rename(shown.name, names), turns[shown.name]] = number, shown
                turns[shown.name] += 1
    return found


def rename(name: str, names: Mapping[str, str]) -> str:
    """Return a name of the first run, or of a gradient there, as the second run has it."""
    if name[:1] == "d" and name[1:] in names:
        return f"d{names[name[1:]]}"
    bare = name.removesuffix(".grad")
    return names.get(bare, bare) + name[len(bare) :]


def numbers_of(shown: Shown) -> Floats | None:
    """Return all elements of a floating value, or None if they are not recorded."""
    value: Any = shown.value
    if value is None or value["dtype"] not in BITS:
        return None
    try:
        found = numbers(Value(tuple(value["shape"]), value["dtype"], value))
    except NotMeasurable:
        return None
    return found.astype(np.float64)


def align_layout(one: Floats, other: Floats) -> Floats:
    """Return the first array, transposed where that brings it nearer to the second.

    A layer of PyTorch holds its weight transposed.
    """
    if one.ndim != 2 or one.T.shape != other.shape:
        return one
    if one.shape != other.shape:
        return one.T
    with np.errstate(invalid="ignore"):
        offs = [np.nan_to_num(np.abs(each - other)).max(initial=0.0) for each in (one, one.T)]
    return one if offs[0] <= offs[1] else one.T


def summary(results: list[Result]) -> list[Message]:
    """Return what the results say: which is the first that parts, and how far they are apart."""
    if not results:
        return [NONE]
    counts = {"count": str(len(results)), "equal": str(sum(each.off == 0 for each in results))}
    parted = [each for each in results if each.off != 0]
    if not parted:
        return [SAME.fill(**counts)]

    def facts(each: Result) -> dict[str, str]:
        step = str(each.first + 1)
        step = step if each.first == each.second else f"{step}/{each.second + 1}"
        sizes = {"ulp": digits(round(each.ulp, 1)), "off": digits(each.off)}
        return {"name": each.name, "step": step, "size": digits(each.size), **sizes}

    misfits = [each for each in parted if each.off != each.off]
    parted = [each for each in parted if each.off == each.off]
    rows = []
    if parted:
        rows.append(PARTS.fill(dtype=parted[0].dtype, **counts, **facts(parted[0])))
        beyond = next((each for each in parted if each.ulp > ROUNDING), None)
        farthest = max(parted, key=lambda each: each.ulp)
        rows.append(BEYOND.fill(**facts(beyond)) if beyond else ROUNDED.fill(**facts(farthest)))
    for each in misfits[:1]:
        rows.append(MISFIT.fill(one=each.shapes[0], other=each.shapes[1], **facts(each)))
    arrived = [each for each in results if each.name.endswith(".grad")]
    if [*arrived] != sorted(arrived, key=lambda each: each.first):
        orders = sorted(arrived, key=lambda each: each.first), arrived
        one, other = (Row((each.name for each in order), LIST) for order in orders)
        rows.append(ORDER.fill(one=one, other=other))
    return rows
