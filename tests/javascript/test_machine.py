"""Every op that can be noted, and its gradient, gives in Node.js what it gives in NumPy."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from docs.make_what_if import hindered
from minipaddle.ops import REGISTRY, Op, Sample
from minipaddle.ops.recording_arrays import RECORDING, Traced, Untraceable
from tests.each import each
from viz.whatif import instructions
from viz.whatif.listing import Listing

from ..ops.drawing import attrs_of, draw, flat, like
from ..ops.noting import Noted, computed, noted
from .composing import WEB, machines

Array = Any
TOLERANCE = {"float32": 1e-5, "float64": 1e-12}


class Lie(NamedTuple):
    """How an input lies in memory: the leaf that holds it, and the input as a part of the leaf."""

    leaf: Callable[[Array], Array]
    part: Callable[[Any], Any]


def repeated(row: Any) -> Any:
    """One row, three times."""
    xp = RECORDING if isinstance(row, Traced) else np
    return xp.broadcast_to(row, (3, *row.shape[1:]))


LIES = {
    "in order": Lie(lambda a: a, lambda leaf: leaf),
    "transposed": Lie(lambda a: a.T, lambda leaf: leaf.T),
    "sliced": Lie(lambda a: np.stack([a, a + a], -1), lambda leaf: leaf[..., 0]),
    "reversed": Lie(lambda a: a[::-1], lambda leaf: leaf[::-1]),
    "broadcast": Lie(lambda a: a[:1], repeated),
}
SCALAR = LIES["in order"]  # layout of an array without axes


class Case(NamedTuple):
    """A call, on two sets of numbers."""

    name: str
    op: Op
    attrs: dict[str, Any]
    lie: Lie
    draws: list[list[Any]]


def cases() -> Iterator[Case]:
    """Each sample in both precisions and in other layouts; the first one in other forms too."""
    for name, op in sorted(REGISTRY.items()):
        for number, sample in enumerate(() if op.random else op.samples):
            attrs = attrs_of(op, sample)
            double, single = (
                [draw(op, sample, seed, dtype) for seed in (1, 2)]
                for dtype in ("float64", "float32")
            )
            if any(np.iscomplexobj(array) for array in flat(double[0])):
                continue  # the page has no complex numbers
            yield Case(f"{name} {number} float64", op, attrs, LIES["in order"], double)
            for how in ("in order", "transposed", "sliced", "reversed"):
                yield Case(f"{name} {number} {how}", op, attrs, LIES[how], single)
            if number == 0:
                yield from other_forms(op, sample, attrs)


def other_forms(op: Op, sample: Sample, attrs: dict[str, Any]) -> Iterator[Case]:
    """Whole numbers; no rows, three equal rows, no axes."""
    draws = [draw(op, sample, seed, "float32") for seed in (1, 2)]
    forms: dict[str, Callable[[Array], Array]] = {
        "int64": lambda a: np.rint(a * 3).astype("int64"),
        "int32": lambda a: np.rint(a * 3).astype("int32"),
        "bool": lambda a: a > 0,
        "empty": lambda a: a[:0] if a.ndim else a,
        "0-D": lambda a: a.reshape(-1)[0] if a.size else a,
    }
    for form, change in forms.items():
        changed = [like(d, [np.asarray(change(a)) for a in flat(d)]) for d in draws]
        yield Case(f"{op.name} {form}", op, attrs, LIES["in order"], changed)
    yield Case(f"{op.name} broadcast", op, attrs, LIES["broadcast"], draws)


class Checked(NamedTuple):
    """A case that can be noted, and what NumPy gives."""

    name: str
    asked: dict[str, Any]
    wanted: list[list[Array]]
    size: float  # size of the inputs


def told(array: Array) -> list[Any]:
    return instructions.plain_numbers(array)


def check(case: Case) -> Checked | None:
    """None where the op refuses such inputs."""
    lies = [case.lie if array.ndim else SCALAR for array in flat(case.draws[0])]
    leaves = [
        [np.asarray(lie.leaf(a)) for lie, a in zip(lies, flat(row), strict=True)]
        for row in case.draws
    ]
    parts = [[lie.part(a) for lie, a in zip(lies, row, strict=True)] for row in leaves]
    try:
        wanted = [computed(case.op, like(case.draws[0], row), case.attrs) for row in parts]
    except Exception:  # noqa: BLE001  (whatever it raises for such inputs)
        return None
    given: list[Traced] = []

    def way(array: Array, listing: Listing) -> Traced:
        given.append(listing.leaf(array))
        part: Traced = lies[len(given) - 1].part(given[-1])
        return part

    made = noted(case.op, like(case.draws[0], leaves[0]), case.attrs, way)
    size = max([size_of(array) for row in leaves for array in row], default=0.0)
    asked = asked_of(made, [each._number for each in given], leaves)
    return Checked(case.name, asked, wanted, size)


def asked_of(made: Noted, given: list[int], leaves: list[list[Array]]) -> dict[str, Any]:
    """Three runs in one machine: with the first numbers, with the others, and the first again."""
    wanted = [made.listing.snapshot(array) for array in (*made.outs, *made.grads)]
    program = made.listing.as_json()
    seeds = [code[1] for code in program["code"] if code[0] == "leaf" and code[1] not in given]
    fixed = [[number, told(made.listing.arrays[number])] for number in seeds]
    first, other = ([*map(list, zip(given, map(told, row), strict=True))] for row in leaves)
    return {"program": program, "runs": [first + fixed, other, first], "wanted": wanted}


@cache
def checked() -> list[Checked]:
    """All cases; those of ops that cannot always be noted only where they can."""
    found = []
    with np.errstate(all="ignore"):
        for case in cases():
            try:
                found.append(check(case))
            except Untraceable as asked:
                half = str(asked) == "arrays of float16"  # such as the sine of a bool
                if not half and case.op.name not in unnoted():
                    raise
    return [each for each in found if each is not None]


@cache
def unnoted() -> frozenset[str]:
    return frozenset(hindered())


def complaints(all_checked: list[Checked]) -> list[str]:
    """What the machine makes otherwise than NumPy."""
    found = []
    answers = machines([each.asked for each in all_checked])
    for case, runs in zip(all_checked, answers, strict=True):
        wanted = [case.wanted[0], case.wanted[1], case.wanted[0]]
        for number, (arrays, made) in enumerate(zip(wanted, runs, strict=True)):
            for slot, (array, got) in enumerate(zip(arrays, made, strict=True)):
                stale = number == 1 and got["stale"]  # a question has another answer
                if not stale and not alike(array, got["numbers"], case.size):
                    found.append(f"{case.name}, run {number}, result {slot}")
    return found


def alike(array: Array, told_numbers: list[Any], size: float) -> bool:
    """Whole numbers are equal; others up to rounding, as shares of their own size or of the RMS.

    Where nearly all cancels out, what is left of inputs of this size is their rounding.
    """
    if array.size != len(told_numbers):
        return False
    wanted, got = np.ravel(array).astype(float), np.array(told_numbers, dtype=float)
    if array.dtype.kind != "f":
        return bool((wanted == got).all())
    same = (wanted == got) | (np.isnan(wanted) & np.isnan(got))
    slack = TOLERANCE[array.dtype.name] * np.maximum(np.abs(wanted), size_of(wanted))
    slack = np.maximum(slack, 16 * np.finfo(array.dtype).eps * size)
    with np.errstate(invalid="ignore"):
        return bool((same | (np.abs(wanted - got) <= slack)).all())


def size_of(array: Array) -> float:
    """The root mean square of the finite numbers."""
    finite = array[np.isfinite(array)].astype(float)
    return float(np.sqrt(np.mean(np.square(finite)))) if finite.size else 0.0


@pytest.mark.slow
def test_every_op_and_its_gradient_give_numpys_numbers() -> None:
    assert complaints(checked()) == []


@pytest.mark.slow
@each(
    ("form", "least"),
    [
        *[("float64", 800), ("transposed", 800), ("sliced", 800), ("reversed", 800)],
        *[("empty", 200), ("0-D", 150), ("broadcast", 200)],
        *[("int32", 100), ("int64", 100), ("bool", 100)],
    ],
)
def test_no_form_of_input_is_missing(form: str, least: int) -> None:
    assert sum(each.name.endswith(form) for each in checked()) >= least


# ----- one table of instructions -----------------------------------------------------------------


def test_python_and_the_page_have_one_table() -> None:
    script = (WEB / "whatif/instructions.js").read_text(encoding="utf-8")
    body = script.split("export const KINDS")[1].split("\n};\n")[0]
    read = re.findall(r"^  (\w+)(?:: )?\((?:use|\{.*\} \}), \{ (.*?) \}\)", body, re.MULTILINE)
    assert [kind for kind, _ in read] == list(instructions.FIELDS)
    for kind, names in read:
        assert set(names.split(", ")) <= set(instructions.FIELDS[kind]), kind


@pytest.mark.slow
def test_every_kind_of_instruction_is_noted() -> None:
    noted_kinds = {code[0] for each in checked() for code in each.asked["program"]["code"]}
    assert noted_kinds == {*instructions.FIELDS}
