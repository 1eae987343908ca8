"""Linear maps: the functions that boxes of a backward pass compute, in both directions.

`back` maps the gradients that arrive to the gradients of the box's inputs, as backward did.
`ahead`, its transpose, maps small changes of the inputs to those of the outputs. Both run the
engine's gradient rule (for a PyLayer's backward, and a hook, the recorded ops inside) in float64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.ops.bound import Gradient, apply_transposed, functions_for, names_read

from ..story.finite_differences import widen_value
from ..whatif.datum import arrays_of, by_name, flat, map_nested, read_for
from ..whatif.replay import Call

Row = Sequence[Any]  # arrays; None for a missing one
CLOSE = 1e-9  # relative tolerance between two float64 sums of the same terms
SAME = 1e-2  # tolerance for rounding of narrow dtypes, relative to the largest recorded number
SLACK = 1e-4  # additional tolerance, relative to the largest arrived gradient, for cancellation
OUTSIDE = 1e3  # multiple of the arrived gradient at which linearity is also tested


class NotLinear(Exception):
    """Gradients cannot be followed through a box; `why` is a key of `gradient_flow.WHY`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Map:
    """A linear function of the gradients that arrive at a box."""

    def back(self, arrived: Row) -> list[Any]:
        """Return the gradient of each input."""
        with np.errstate(all="ignore"):
            return [*self.run(functions_for(flat(arrived)), arrived)]

    def ahead(self, arrived: Row, changes: Mapping[int, Any]) -> list[Any]:
        """Return the changes of the outputs that follow from changes of some inputs."""

        def requested(F: Any, values: Row) -> Row:
            row = self.run(F, values)
            return [row[place] for place in changes]

        with np.errstate(all="ignore"):
            return apply_transposed(requested, arrived, [*changes.values()])

    def run(self, F: Any, arrived: Row) -> Row:
        """Return the gradients of the inputs, computed with F (on NumPy arrays or Tensors)."""
        raise NotImplementedError


class RuleMap(Map):
    """The gradient rule of an op, with the values that it reads."""

    def __init__(self, call: Call, needs: Sequence[bool]) -> None:
        op = call.op
        if op is None or op.rule is None or call.attrs is None:
            raise NotLinear("unknown")
        self.op = op
        read = read_for(op, by_name(op, call.inputs, call.outputs))
        self.read = [map_nested(widen, arrays_of(value)) for value in read]
        attrs = widen_attributes(call.attrs)
        self.gradient = Gradient(op, attrs, names_read(op), [*needs])
        self.slots = op.graded_slots(len(call.outputs))
        fills = [call.outputs[slot].array for slot in self.slots] if op.zeros_for_unused else []
        self.zeros = [None if out is None else np.zeros(out.shape) for out in fills]

    def run(self, F: Any, arrived: Row) -> Row:
        wrap = constant_of(arrived)
        read = [map_nested(wrap, each) for each in self.read]
        return self.gradient.apply(F, (*read, *self.arrivals(arrived)))

    def arrivals(self, arrived: Row) -> list[Any]:
        """Return the gradients as the rule takes them; zeros for missing ones if it wants them."""
        wrap = constant_of(arrived)
        came = [arrived[slot] if slot < len(arrived) else None for slot in self.slots]
        for at, zeros in enumerate(self.zeros):
            if came[at] is None and zeros is not None:
                came[at] = wrap(zeros)
        return [came] if self.op.list_result else came


class OpStep(NamedTuple):
    """An op that ran during backward; `inputs` are numbers of tensors with their arrays."""

    name: str
    attrs: dict[str, Any]
    inputs: tuple[Any, ...]
    results: tuple[int, ...]


class OpsMap(Map):
    """The ops that lead from the arguments of a user's function of gradients to its results."""

    def __init__(self, given: Row, results: Row, steps: Mapping[int, OpStep]) -> None:
        self.given, self.results = given, results
        self.steps: list[OpStep] = []
        order = {name: at for at, name in enumerate(steps)}
        reached = {number for number in given if number is not None}
        for number in sorted(dependencies(results, steps, reached), key=order.__getitem__):
            step = steps[number]
            if self.steps and step is self.steps[-1]:
                continue  # already added for another of its results
            if any(each in reached for each in tensors_in(step.inputs)):
                reached.update(step.results)
                self.steps.append(step)

    @property
    def outside(self) -> dict[int, Any]:
        """Floating tensors that the ops read, and that do not depend on the arguments."""
        made = {*self.given, *(number for step in self.steps for number in step.results)}
        read = [pair for step in self.steps for pair in pairs_in(step.inputs)]
        return {
            at: x
            for at, x in read
            if at and at not in made and x is not None and x.dtype.kind == "f"
        }

    def run(self, F: Any, arrived: Row) -> Row:
        """Return the results; after the arguments may come the tensors from outside."""
        wrap = constant_of(arrived)
        known = dict(zip([*self.given, *self.outside], arrived, strict=False))

        def value(each: Any) -> Any:
            if isinstance(each, list):
                return [value(item) for item in each]
            number, array = each
            return known[number] if number in known else map_nested(wrap, array)

        for step in self.steps:
            inputs = [value(each) for each in step.inputs]
            made = getattr(F, step.name)(*inputs, **step.attrs) if step.name else inputs[0]
            row = made if isinstance(made, (list, tuple)) else [made]
            known |= dict(zip(step.results, row, strict=False))
        return [known.get(number) for number in self.results]


def dependencies(results: Row, steps: Mapping[int, OpStep], given: Iterable[int]) -> set[int]:
    """Return the tensors, made by these steps, on which the results depend, up to `given`."""
    found: set[int] = set()
    stop = {*given}
    queue = [number for number in results if number is not None]
    for number in queue:
        if number in stop or number in found or number not in steps:
            continue
        found.add(number)
        queue.extend(tensors_in(steps[number].inputs))
    return found


def tensors_in(inputs: Iterable[Any]) -> list[int]:
    """Return the numbers of the tensors among the inputs of a step."""
    return [number for number, _ in pairs_in(inputs)]


def pairs_in(inputs: Iterable[Any]) -> list[tuple[int, Any]]:
    """Return the tensors among the inputs of a step: their numbers and their arrays."""
    found: list[tuple[int, Any]] = []
    for each in inputs:
        found += pairs_in(each) if isinstance(each, list) else [each]
    return found


# ----- checks of maps ----------------------------------------------------------------------------


def check(map: Map, arrived: Row, handed_on: Mapping[int, Any], by_user: bool) -> None:
    """Raise NotLinear unless the map is linear and gives the recorded gradients."""
    made = attempt(lambda: map.back(arrived))
    largest = max((size(each) for each in arrived), default=0.0)
    for place, recorded in handed_on.items():
        mine = made[place] if place < len(made) else None
        if mine is None and not recorded.any():
            continue  # the recorded zeros do not depend on the arrived gradients
        if mine is None or mine.shape != recorded.shape:
            raise NotLinear("python")
        room = SAME * (size(recorded) + SLACK * largest)
        if not np.allclose(mine, recorded, 0.0, room, equal_nan=True):
            raise NotLinear("python")
    if by_user:
        other = noise(arrived)
        for one, two, factor in ((arrived, other, OUTSIDE), (other, arrived, -1.0)):
            moved = [None if a is None else factor * a + b for a, b in zip(one, two, strict=True)]
            if not is_sum(map, factor, one, two, moved):
                raise NotLinear("bends")


def is_sum(map: Map, factor: float, one: Row, two: Row, both: Row) -> bool:
    """Return whether the map of `both` is `factor` times that of `one` plus that of `two`."""
    rows = attempt(lambda: [map.back(row) for row in (one, two, both)])
    return all(close(factor * a + b, c) for a, b, c in zip(*rows, strict=True) if a is not None)


def is_transpose(map: Map, arrived: Row, changes: Mapping[int, Any], found: Row) -> bool:
    """Return whether the changes `found` of the outputs fit the map, tested on random gradients."""
    other = noise(arrived)
    made = attempt(lambda: map.back(other))
    pairs = [(made[at], change) for at, change in changes.items() if made[at] is not None]
    scale = products((np.abs(a), np.abs(b)) for a, b in pairs)
    off = products(pairs) - products(zip(other, found, strict=True))
    return abs(off) <= CLOSE * scale or not np.isfinite(scale)


def products(pairs: Iterable[tuple[Any, Any]]) -> float:
    """Return the sum of all products of elements; missing arrays count as 0."""
    with np.errstate(all="ignore"):
        return sum(float((a * b).sum()) for a, b in pairs if a is not None and b is not None)


def attempt(function: Callable[[], Any]) -> Any:
    """Return the result of a function; raise NotLinear if it fails."""
    try:
        return function()
    except NotLinear:
        raise
    except Exception as error:  # a rule may raise anything; the box then stays closed
        raise NotLinear("python") from error


def noise(arrived: Row) -> list[Any]:
    """Return random numbers about as large as the given ones, the same in every run."""
    draw = np.random.default_rng(0)
    return [None if a is None else draw.normal(0.0, size(a) or 1.0, a.shape) for a in arrived]


def size(array: Any) -> float:
    """Return the largest finite magnitude."""
    known = np.abs(array[np.isfinite(array)]) if array is not None else np.zeros(0)
    return float(known.max(initial=0.0))


def close(one: Any, other: Any) -> bool:
    scale = max(size(one), size(other))
    return bool(np.allclose(one, other, 0.0, 1e-6 * scale, equal_nan=True))


# ----- arrays ------------------------------------------------------------------------------------


def widen(array: Any) -> Any:
    """Return a copy, in float64 if it is floating; raise NotLinear for complex numbers."""
    if array.dtype.kind == "c":
        raise NotLinear("complex")
    is_float = array.dtype.kind == "f" or array.dtype.name == "bfloat16"
    return np.array(array, np.float64 if is_float else array.dtype)


def widen_attributes(attrs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of an op, with float64 in place of narrower types."""
    return {name: widen_value(value) for name, value in attrs.items()}


def constant_of(arrived: Row) -> Callable[[Any], Any]:
    """Return the function that turns an array into the type of the arrived gradients."""
    some = next(each for each in arrived if each is not None)
    return (lambda array: array) if isinstance(some, np.ndarray) else type(some)
