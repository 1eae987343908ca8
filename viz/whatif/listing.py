"""A recorder that turns NumPy calls of kernels into instructions.

A kernel on traced arrays calls NumPy's functions by name, in all their spellings. NumPy itself
computes the call on the recorded numbers, which shows the result's shape and whether it is a view.
So few kinds of instruction are enough. `WAYS` maps functions to the methods that add instructions;
any other function is `Untraceable`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minipaddle.ops.recording_arrays import (
    RECORDING,
    Call,
    Traced,
    TracedNumber,
    Untraceable,
    find_traced,
    untrace,
)

from .instructions import Array, Instructions, in_runs

Index = tuple[list[Any], int]

COPIES = "array asarray ascontiguousarray astype copy flatten ravel reshape"
MOVES = (
    "array_split concatenate diagonal flip moveaxis repeat roll rot90 split stack tile tril triu"
)
REDUCTIONS = {"sum": "add", "prod": "multiply", "max": "maximum", "min": "minimum"}
REDUCTIONS |= {"mean": "mean", "all": "logical_and", "any": "logical_or"}
RUNNING = {"cumsum": "add", "cumprod": "multiply"}
SYMBOLS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}
JOINS = {f"{name}.at": name for name in ("add", "multiply", "maximum", "minimum")}
# Functions that depend on bits of a dtype, which the page's machine does not have.
UNKNOWN = frozenset(("nextafter", "spacing", "frexp", "ldexp"))
# Arguments that change a function's meaning and have no instruction.
UNNOTED = frozenset(("initial", "where"))


class Computed(NamedTuple):
    """A call of a function, and its result."""

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Array
    part: int | None = None  # index among several results

    def argument(self, at: int, name: str, other: Any = None) -> Any:
        return self.args[at] if len(self.args) > at else self.kwargs.get(name, other)

    def axis(self, other: int | None = None) -> int | None:
        """Return the requested axis, not negative, or None if there is none."""
        axis = self.argument(1, "axis", other)
        return None if axis is None else axis % self.args[0].ndim


class Listing(Instructions):
    """Recorder that lists the instructions of kernels while they run on traced arrays."""

    # ----- the recorder's interface for traced arrays -----

    def call(self, call: Call) -> Any:
        """Return the result of a NumPy call, and add its instructions."""
        args, kwargs, elementwise = call.args, call.kwargs, call.elementwise
        name = call.name.removeprefix("np.").removeprefix(".")
        if UNNOTED & kwargs.keys() or (elementwise and name in UNKNOWN):
            raise Untraceable(describe_call(name, kwargs))
        target = kwargs.get("out")
        if target is not None and not elementwise:
            rest = {key: value for key, value in kwargs.items() if key != "out"}
            target[...] = self.call(call._replace(kwargs=rest))
            return target
        if name in WRITTEN_OUT and find_traced(args):
            return WRITTEN_OUT[name](*args, **kwargs)
        if name in WRITES:
            WRITES[name](self, name, *args)
            call.compute()
            return None
        if isinstance(target, Traced):
            self.into(target, self._ufunc_name(name, target), args)
            call.compute()
            return target
        result = call.compute()
        if isinstance(result, (list, tuple)):
            return [
                self._note_result(Computed(name, args, kwargs, part, at))
                for at, part in enumerate(result)
            ]
        return self._note_result(Computed(name, args, kwargs, result), elementwise)

    def number(self, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Return a traced Python number that is read from an array, or computed with such a one."""
        result = function(*untrace(args))
        operands = [self.operand(arg) for arg in args]
        made = self.make("map", np.float64(result), SYMBOLS.get(name, "copy"), operands)
        return TracedNumber(result, made._number)

    def check(self, function: Any, args: tuple[Any, ...]) -> Any:
        """Return a kernel's check of recorded values, and note the range of its answer."""
        answer = function(np, *untrace(args))
        asked, *ends = function.same_between(*args) if function.same_between else [None]
        for array in find_traced(args):
            within = array is asked and lies_between(array._array, *ends)
            self.code.append(["asked", array._number, *(ends if within else (None, None))])
        return answer

    # ----- results -----

    def _note_result(self, call: Computed, elementwise: bool = False) -> Traced:
        sources = find_traced(call.args)
        if call.kwargs:
            sources += find_traced(call.kwargs)
        result = np.asarray(call.result)
        if elementwise and sources and result.size:
            function = self._ufunc_name(call.name, result)
            return self.make("map", result, function, self.operands(call.args))
        for source in sources:
            if call.result is source._array:
                return source
        call = call._replace(result=result)
        for source in sources:
            if result.size and np.may_share_memory(result, source._array):
                return self.view(source, result)
        if call.name in ("empty", "empty_like"):
            result[...] = 0
            sources = []
        if not sources or not result.size:
            return self.constant(result)
        if call.name not in WAYS:
            raise Untraceable(describe_call(call.name, call.kwargs))
        return WAYS[call.name](self, call)

    @staticmethod
    def _ufunc_name(name: str, result: Any) -> str:
        return "logical_not" if name == "invert" and result.dtype == bool else name

    def fill(self, call: Computed) -> Traced:
        value = call.argument(1, "fill_value") if call.name.startswith("full") else 0
        value = 1 if call.name in ("ones_like", "isreal") else value
        return self.make("map", call.result, "copy", [self.operand(value)])

    def copy(self, call: Computed) -> Traced:
        """Add a copy, perhaps to another dtype or shape."""
        of, result = call.args[0], call.result
        if "F" in (*call.args[1:], call.kwargs.get("order")):
            raise Untraceable("elements in another order")
        whole = self.make("map", result.reshape(np.shape(untrace(of))), "copy", [self.operand(of)])
        if whole.shape != result.shape:
            return self.view(whole, whole._array.reshape(result.shape))
        number = isinstance(of, TracedNumber)
        if isinstance(of, Traced) and not number and of.dtype == whole.dtype:
            self.copied[whole._number] = self.state(of)
        return whole

    def choose(self, call: Computed) -> Traced:
        return self.make("map", call.result, "where", self.operands(call.args))

    def clip(self, call: Computed) -> Traced:
        low, high = call.argument(1, "min"), call.argument(2, "max")
        low, high = -np.inf if low is None else low, np.inf if high is None else high
        return self.make("map", call.result, "clip", self.operands([call.args[0], low, high]))

    def reduce(self, call: Computed) -> Traced:
        function, source = REDUCTIONS.get(call.name) or call.name.partition(".")[0], call.args[0]
        axis = call.argument(1, "axis", 0 if call.name.endswith(".reduce") else None)
        axes = range(source.ndim) if axis is None else np.atleast_1d(axis).tolist()
        axes = sorted(a % source.ndim for a in axes)
        return self.make("reduce", call.result, function, source._number, axes)

    def running(self, call: Computed) -> Traced:
        function, source = RUNNING.get(call.name) or call.name.partition(".")[0], call.args[0]
        axis = call.axis(None if call.name in RUNNING else 0)
        if axis is None:
            axis, source = 0, source.reshape(-1)
        return self.make("running", call.result, function, source._number, axis)

    def contract(self, call: Computed) -> Traced:
        operands = call.args[1:] if call.name == "einsum" else call.args
        labels = einsum_labels(call.name, call.args)
        return self.make("contract", call.result, [self.operand(o) for o in operands], *labels)

    def order(self, call: Computed) -> Traced:
        axis = call.axis(-1 if "sort" in call.name else None)
        return self.make("order", call.result, call.name, call.args[0]._number, axis)

    def take(self, call: Computed) -> Traced:
        source, index = call.args[:2]
        axis = call.argument(2, "axis")
        if axis is None:
            axis, source = 0, source.reshape(-1)
        return self._note_pick(source, (*[slice(None)] * (axis % source.ndim), index), call.result)

    def take_along(self, call: Computed) -> Traced:
        source, index = call.args[:2]
        axis = call.argument(2, "axis") % source.ndim
        places = np.ogrid[tuple(map(slice, index.shape))]
        return self._note_pick(source, (*places[:axis], index, *places[axis + 1 :]), call.result)

    def item(self, call: Computed) -> Traced:
        return self._note_pick(call.args[0], call.args[1], call.result)

    def _note_pick(self, source: Traced, index: Any, result: Array) -> Traced:
        return self.make("pick", result, source._number, *self._indices_by_axis(source, index))

    def moves(self, call: Computed) -> Traced:
        """Add the place from which each element comes, found by moving the elements' indices."""
        sources = {s._number: s for s in find_traced((call.args, call.kwargs))}
        ends = np.cumsum([s.size for s in sources.values()])
        numbered = {
            number: np.arange(end - s.size, end).reshape(s.shape)
            for (number, s), end in zip(sources.items(), ends.tolist(), strict=True)
        }

        def of_numbers(thing: Any) -> Any:
            if isinstance(thing, Traced):
                return numbered[thing._number]
            if isinstance(thing, np.ndarray) and call.name in ("concatenate", "stack"):
                raise Untraceable("a constant among arrays that are joined")
            if isinstance(thing, (list, tuple)):
                return type(thing)(of_numbers(item) for item in thing)
            return thing

        rest = {key: of_numbers(value) for key, value in call.kwargs.items() if key != "dtype"}
        moved = getattr(np, call.name)(*of_numbers(call.args), **rest)
        moved = np.asarray(moved if call.part is None else moved[call.part])
        return self.make("places", call.result, list(sources), in_runs(moved.ravel().tolist()))

    def triangle(self, call: Computed) -> Traced:
        source = call.args[0]
        kept = getattr(np, call.name)(np.ones(source.shape, bool), *call.args[1:], **call.kwargs)
        inputs = [self.operand(kept), source._number, [0]]
        return self.make("map", call.result, "where", inputs)

    # ----- writes into memory -----

    def into(self, target: Traced, function: str, things: Any) -> None:
        """Add a function whose result is written into the memory of an array."""
        things = [self._copy_if_overlapping(thing, target) for thing in things]
        operands = self.operands([*things, target])[:-1]
        self.write("into", target, function, operands)

    def _copy_if_overlapping(self, thing: Any, target: Traced) -> Any:
        """Return an operand, or a copy of it if a write into the target may overwrite it early."""
        if not isinstance(thing, Traced) or isinstance(thing, TracedNumber):
            return thing
        array, written = thing._array, target._array
        if not np.may_share_memory(array, written) or is_same_view(array, written):
            return thing
        return self.make("map", array.copy(), "copy", [thing._number])

    def _note_setitem(self, _name: str, target: Traced, index: Any, value: Any) -> None:
        """Add the instructions of `target[index] = value`."""
        items = index if type(index) is tuple else (index,)
        arrays = [item for item in items if isinstance(item, (Traced, np.ndarray, list))]
        if not arrays:
            self.into(self._view_part(target, items), "copy", [value])
        elif np.asarray(untrace(arrays[0])).dtype == bool:
            self._note_masked_write(target, items, value)
        else:
            self._note_put(target, index, value, "copy")

    def _view_part(self, target: Traced, items: tuple[Any, ...]) -> Traced:
        items = items if any(item is ... for item in items) else (*items, ...)
        part = target._array[items]
        return target if is_same_view(part, target._array) else self.view(target, part)

    def _note_masked_write(self, target: Traced, items: tuple[Any, ...], value: Any) -> None:
        """Add the instruction of `target[mask] = number`."""
        mask = items[0]
        if np.size(untrace(value)) != 1 or len(items) > 1 or not isinstance(mask, Traced):
            raise Untraceable("an array into x[mask]")
        mask = mask.reshape(mask.shape + (1,) * (target.ndim - mask.ndim))
        self.into(target, "where", [mask, value, target])

    def _note_ufunc_at(self, name: str, target: Traced, index: Any, value: Any) -> None:
        self._note_put(target, index, value, JOINS[name])

    def _note_put(self, target: Traced, index: Any, value: Any, function: str) -> None:
        arrays, at = self._indices_by_axis(target, index)
        value = self.operands([self._copy_if_overlapping(value, target), target])[0]
        self.write("put", target, arrays, at, value, function)

    def _note_copyto(self, _name: str, target: Traced, value: Any) -> None:
        self.into(target, "copy", [value])

    def _indices_by_axis(self, source: Traced, index: Any) -> Index:
        """Return the array that indexes each axis, or None, and the position of the indexed axes in
        the result.
        """
        items = index if type(index) is tuple else (index,)
        if any(item is None for item in items):
            raise Untraceable("a new axis beside arrays of indices")
        if any(item is ... for item in items):
            at = next(i for i, item in enumerate(items) if item is ...)
            room = source.ndim - (len(items) - 1)
            items = (*items[:at], *(slice(None),) * room, *items[at + 1 :])
        items += (slice(None),) * (source.ndim - len(items))
        if any(isinstance(item, slice) and item != slice(None) for item in items):
            raise Untraceable("a part of an axis beside arrays of indices")
        arrays = [None if isinstance(item, slice) else self.operand(item) for item in items]
        where = [axis for axis, item in enumerate(arrays) if item is not None]
        together = where == list(range(where[0], where[-1] + 1))
        return arrays, where[0] if together else 0


WAYS: dict[str, Callable[[Listing, Computed], Traced]] = {
    **dict.fromkeys(COPIES.split(), Listing.copy),
    **dict.fromkeys(MOVES.split(), Listing.moves),
    **dict.fromkeys(("zeros_like", "ones_like", "full_like", "full", "isreal"), Listing.fill),
    **dict.fromkeys(REDUCTIONS, Listing.reduce),
    **{f"{name}.reduce": Listing.reduce for name in set(REDUCTIONS.values()) - {"mean"}},
    **dict.fromkeys(RUNNING, Listing.running),
    **{f"{n}.accumulate": Listing.running for n in ("add", "multiply", "maximum", "minimum")},
    **dict.fromkeys(("dot", "matmul", "inner", "outer", "einsum"), Listing.contract),
    **dict.fromkeys(("argmax", "argmin", "argsort", "sort"), Listing.order),
    **dict.fromkeys(("tril", "triu"), Listing.triangle),
    "where": Listing.choose,
    "clip": Listing.clip,
    "take": Listing.take,
    "take_along_axis": Listing.take_along,
    "[]": Listing.item,
}
WRITES: dict[str, Callable[..., None]] = {
    "[]=": Listing._note_setitem,
    "copyto": Listing._note_copyto,
    "fill": Listing._note_copyto,
    **dict.fromkeys(JOINS, Listing._note_ufunc_at),
}


# ----- functions that are replaced by others -----------------------------------------------------


def isin(element: Any, test: Any, *, invert: bool = False, **_: bool) -> Any:
    """Return for each element whether it is in `test`, or not in if `invert`."""
    found = RECORDING.any(element.reshape((*element.shape, 1)) == test.reshape(-1), axis=-1)
    return ~found if invert else found


def cross(x: Any, y: Any, axis: int) -> Any:
    """Return the cross product of vectors of three numbers along an axis."""
    x, y = (RECORDING.moveaxis(each, axis, -1) for each in (x, y))
    (a, b, c), (d, e, f) = ([each[..., k] for k in range(3)] for each in (x, y))
    parts = [b * f - c * e, c * d - a * f, a * e - b * d]
    return RECORDING.moveaxis(RECORDING.stack(parts, -1), -1, axis)


def kron(x: Any, y: Any) -> Any:
    """Return the Kronecker product."""
    rank = max(x.ndim, y.ndim)
    x, y = (each.reshape((1,) * (rank - each.ndim) + each.shape) for each in (x, y))
    apart = x.reshape([n for size in x.shape for n in (size, 1)])
    within = y.reshape([n for size in y.shape for n in (1, size)])
    return (apart * within).reshape([a * b for a, b in zip(x.shape, y.shape, strict=True)])


WRITTEN_OUT = {f.__name__: f for f in (isin, cross, kron)}


# ----- arguments ---------------------------------------------------------------------------------


def is_same_view(one: Array, other: Array) -> bool:
    """Return whether two arrays have each element at the same address."""
    first, second = (a.__array_interface__["data"] for a in (one, other))
    return first == second and one.shape == other.shape and one.strides == other.strides


def lies_between(array: Array, least: float, most: float) -> bool:
    return bool(np.all((array >= least) & (array <= most)))


def describe_call(name: str, kwargs: dict[str, Any]) -> str:
    """Spell a function with those arguments that change its meaning."""
    return f"np.{name}({', '.join(f'{key}=' for key in sorted(UNNOTED & kwargs.keys()))})"


def einsum_labels(name: str, args: Any) -> tuple[list[list[int]], list[int]]:
    """Return a label for each axis of each operand and of the result, as in an einsum."""
    if name == "einsum":
        return einsum_subscripts(args[0])
    a, b = args[0].ndim, args[1].ndim
    if name == "outer":
        return [[0], [1]], [0, 1]
    most = {"dot": 2, "inner": 1}.get(name, max(a, b))
    if not (0 < a <= most and 0 < b <= most):
        raise Untraceable(f"np.{name} of {a} and {b} axes")
    batch = max(a, b, 2) - 2
    summed, row, column = batch, batch + 1, batch + 2
    left = [*range(batch - a + 2, batch), row, summed] if a > 1 else [summed]
    right = [*range(batch - b + 2, batch), summed, column] if b > 1 else [summed]
    out = [*range(batch), *[row] * (a > 1), *[column] * (b > 1)]
    return [left, right], out


def einsum_subscripts(text: str) -> tuple[list[list[int]], list[int]]:
    """Return the labels of an einsum's subscripts."""
    operands, arrow, out = text.replace(" ", "").partition("->")
    if "." in text or not arrow:
        raise Untraceable(f"np.einsum of {text!r}")
    letters = sorted(set(operands) - {","})
    words = [*operands.split(","), out]
    *labels, left = [[letters.index(letter) for letter in word] for word in words]
    return labels, left
