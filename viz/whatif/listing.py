"""What kernels do with arrays, as a list of instructions for the page's small machine.

A kernel that is handed recording arrays asks for NumPy's functions by name, with all their ways of
saying the same. The machine knows a dozen kinds of instruction, each on arrays that lie anywhere in
memory with any strides; every call is written with them here, where NumPy itself can be asked what
shape a result has, and whether it is a view:

constant  an array that is there from the start        fill        the same number everywhere
view      other strides into memory that is there      map         one number after the other
into      the same, into memory that is there          reduce      along axes
running   the sums (products) so far, along an axis    contract    products, summed: einsum
order     the places of the largest, or sorted         pick        elements by arrays of indices
put       into such places, or added there             places      elements by fixed places
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.static.plan.traced import Traced, TracedNumber, Untraceable, traced_in

Array = np.ndarray[Any, Any]

# What only makes a copy, perhaps of another dtype.
COPIES = {".astype", ".copy", ".flatten", ".ravel", ".reshape", "np.array", "np.asarray"}
COPIES |= {"np.ascontiguousarray", "np.reshape"}
# What moves elements, wherever they are, always in the same way.
MOVES = {"np.concatenate", "np.flip", "np.moveaxis", "np.repeat", "np.roll", "np.rot90", "np.split"}
MOVES |= {"np.stack", "np.tile", ".repeat", "np.array_split", ".diagonal", "np.diagonal"}
REDUCTIONS = {"sum": "add", "prod": "multiply", "max": "maximum", "min": "minimum"}
REDUCTIONS |= {"mean": "mean", "all": "logical_and", "any": "logical_or"}
RUNNING = {"cumsum": "add", "cumprod": "multiply"}
ORDERS = {"argmax", "argmin", "argsort", "sort"}
PRODUCTS = {"dot", "matmul", "inner", "outer"}
DTYPES = {"bool", "float32", "float64", "int32", "int64", "uint8", "int8", "int16"}
UNKNOWN = {"nextafter"}  # ufuncs that the machine does not have


class Listing:
    """Notes instructions, and numbers the arrays that they make."""

    def __init__(self) -> None:
        self.code: list[list[Any]] = []
        self.arrays: list[Array] = []  # what each number stood for when it was noted
        self.checks: list[Any] = []

    def __len__(self) -> int:
        return len(self.arrays)

    # ----- arrays -----

    def value(self, array: Any) -> Traced:
        """Number an array."""
        if array.dtype.name not in DTYPES:
            raise Untraceable(f"arrays of {array.dtype.name}")
        self.arrays.append(array)
        return Traced(array, len(self.arrays) - 1)

    def note(self, kind: str, array: Any, *what: Any) -> Traced:
        """An instruction that makes this array."""
        made = self.value(array)
        self.code.append([kind, made._number, *what])
        return made

    def constant(self, array: Any) -> Traced:
        """An array that is the same whatever the leaves are."""
        array = np.asarray(array)
        if array.size and (array == array.flat[0]).all():
            return self.note("fill", array, contents(array.flat[0]))
        return self.note("constant", array, contents(array))

    def operand(self, thing: Any) -> Any:
        """The number of an array, or [a plain number]."""
        if isinstance(thing, Traced):
            return thing._number
        if isinstance(thing, (np.ndarray, list, tuple)):
            return self.constant(np.asarray(thing))._number
        return contents(np.asarray(thing))

    def view(self, of: Traced, array: Any) -> Traced:
        """This array, which lies in the memory of another one."""
        size, base = array.itemsize, of._array
        if array.dtype != base.dtype:
            raise Untraceable("the bytes of an array as another dtype")
        offset = (array.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // size
        return self.note("view", array, of._number, offset if array.size else 0, in_elements(array))

    # ----- calls (what recording arrays ask for) -----

    def call(
        self,
        name: str,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        fills: bool = False,  # noqa: ARG002
        elementwise: bool = False,
    ) -> Any:
        """Compute, and note how."""
        if name == "[]=":
            return self._assign(*args)
        if name in ("np.copyto", ".fill"):
            function(*plain(args), **plain(kwargs))
            return self._into(args[0], "copy", [args[1]])
        if name == "np.add.at":
            function(*plain(args), **plain(kwargs))
            return self._put(*args, added=True)
        sources = tuple(traced_in((args, kwargs)))
        target = kwargs.get("out")
        result = function(*plain(args), **plain(kwargs))
        if isinstance(target, Traced):
            if not elementwise:
                made = self._made(name, function, args, {**kwargs, "out": None}, sources, None)
                return self._into(target, "copy", [made])
            return self._into(target, name.removeprefix("np."), list(args))
        if isinstance(result, (list, tuple)):
            return [self._made_one(name, args, kwargs, sources, r, at) for at, r in enumerate(result)]
        if result is None:
            raise Untraceable(name)
        for source in sources:
            if result is source._array:
                return source
        return self._made_one(name, args, kwargs, sources, np.asarray(result), None, elementwise)

    def _made(self, name: str, function: Any, args: Any, kwargs: Any, sources: Any, _: Any) -> Traced:
        kwargs = {key: value for key, value in kwargs.items() if key != "out"}
        result = np.asarray(function(*plain(args), **plain(kwargs)))
        return self._made_one(name, args, kwargs, sources, result, None)

    def _made_one(
        self,
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        sources: tuple[Traced, ...],
        result: Array,
        part: int | None,
        elementwise: bool = False,
    ) -> Traced:
        for source in sources:
            if result.size and np.may_share_memory(result, source._array):
                return self.view(source, result)
        if not sources or not result.size:
            return self.constant(result)
        short = name.removeprefix("np.").removeprefix(".")
        if short == "invert" and result.dtype == bool:
            short = "logical_not"
        if elementwise and short not in UNKNOWN:
            return self.note("map", result, short, [self.operand(arg) for arg in args])
        if short in ("where", "clip"):
            return self._map_of_three(short, args, kwargs, result)
        if short in ("zeros_like", "full_like", "ones_like", "empty_like"):
            value = {"zeros_like": 0, "ones_like": 1, "empty_like": 0}.get(short)
            return self.note("fill", result, self.operand(args[1] if value is None else value))
        if name == "np.full":
            return self.note("fill", result, self.operand(args[1]))
        if name in COPIES:
            return self._copy(args[0], result)
        if short.endswith(".reduce") or short in REDUCTIONS:
            return self._reduce(short, args, kwargs, result)
        if short in RUNNING or short.endswith(".accumulate"):
            function = RUNNING.get(short) or short.partition(".")[0]
            axis = self._argument(args, kwargs, 1, "axis")
            if axis is None:
                raise Untraceable(f"{name} of all elements")
            return self.note("running", result, function, args[0]._number, axis % args[0].ndim)
        if short in PRODUCTS or name == "np.einsum":
            return self._contract(short, args, result)
        if short in ORDERS:
            axis = self._argument(args, kwargs, 1, "axis", -1 if "sort" in short else None)
            axis = None if axis is None else axis % args[0].ndim
            return self.note("order", result, short, args[0]._number, axis)
        if name == "[]":
            return self._pick(args[0], args[1], result)
        if short == "take":
            return self._take(args, kwargs, result)
        if short == "take_along_axis":
            return self._pick(args[0], along(*args), result)
        if short in ("tril", "triu"):
            kept = getattr(np, short)(np.ones(args[0].shape, bool), *args[1:])
            inputs = [self.operand(kept), args[0]._number, [0]]
            return self.note("map", result, "where", inputs)
        if name in MOVES:
            return self._places(name, args, kwargs, sources, result, part)
        raise Untraceable(name)

    def number(self, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """A Python number that was read out of an array, and what is computed with it."""
        words = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}
        made = self.note(
            "map",
            np.asarray(function(*plain(args)), np.float64),
            words.get(name, "copy"),
            [self.operand(arg) for arg in args],
        )
        return TracedNumber(made._array.item(), made._number)

    def check(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """What a kernel asks of values: the answer is that of the recorded ones."""
        answer = function(np, *plain(args))
        self.checks.append((function.__name__, args, answer))
        return answer

    # ----- kinds -----

    @staticmethod
    def _argument(args: Any, kwargs: Any, at: int, name: str, other: Any = None) -> Any:
        return args[at] if len(args) > at else kwargs.get(name, other)

    def _copy(self, of: Any, result: Array) -> Traced:
        whole = np.empty(of.shape, result.dtype)
        made = self.note("map", whole, "copy", [self.operand(of)])
        made._array[...] = of._array
        return made if result.shape == whole.shape else self.view(made, whole.reshape(result.shape))

    def _map_of_three(self, name: str, args: Any, kwargs: Any, result: Array) -> Traced:
        if name == "clip":
            args = [self._argument(args, kwargs, i, key) for i, key in enumerate(("a", "min", "max"))]
        return self.note("map", result, name, [self.operand(arg) for arg in args])

    def _reduce(self, name: str, args: Any, kwargs: Any, result: Array) -> Traced:
        function = REDUCTIONS.get(name) or name.partition(".")[0]
        first = 0 if name.endswith(".reduce") else None
        axis = self._argument(args, kwargs, 1, "axis", first)
        source = args[0]
        axes = range(source.ndim) if axis is None else np.atleast_1d(axis).tolist()
        return self.note(
            "reduce", result, function, source._number, sorted(a % source.ndim for a in axes)
        )

    def _contract(self, name: str, args: Any, result: Array) -> Traced:
        """Labels of the axes of each operand, and of the result."""
        labels = einsum_labels(name, args)
        operands = args[1:] if name == "einsum" else args
        return self.note("contract", result, [self.operand(o) for o in operands], *labels)

    def _take(self, args: Any, kwargs: Any, result: Array) -> Traced:
        source, index = args[0], args[1]
        axis = self._argument(args, kwargs, 2, "axis")
        if axis is None:
            flat = self._copy(source, source._array.reshape(-1))
            return self._pick(flat, (index,), result)
        before = (slice(None),) * (axis % source.ndim)
        return self._pick(source, (*before, index), result)

    def _pick(self, source: Traced, index: Any, result: Array) -> Traced:
        return self.note("pick", result, source._number, *self._index(source, index))

    def _index(self, source: Traced, index: Any) -> tuple[Any, ...]:
        """Which axis is indexed by which array, and before which axis of the rest they stand."""
        items = index if type(index) is tuple else (index,)
        if any(item is None for item in items):
            raise Untraceable("a new axis beside arrays of indices")
        if any(item is ... for item in items):
            at = next(i for i, item in enumerate(items) if item is ...)
            room = source.ndim - (len(items) - 1)
            items = (*items[:at], *(slice(None),) * room, *items[at + 1 :])
        items += (slice(None),) * (source.ndim - len(items))
        if any(isinstance(i, slice) and i != slice(None) for i in items):
            raise Untraceable("a part of an axis beside arrays of indices")
        arrays = [None if isinstance(i, slice) else self.operand(np.asarray(i) if not isinstance(i, Traced) else i) for i in items]
        where = [axis for axis, item in enumerate(arrays) if item is not None]
        together = where == list(range(where[0], where[-1] + 1))
        return arrays, where[0] if together else 0

    def _assign(self, target: Traced, index: Any, value: Any) -> None:
        """target[index] = value."""
        fancy = [i for i in (index if type(index) is tuple else (index,)) if isinstance(i, (Traced, np.ndarray, list))]
        place = plain(index)
        if fancy and getattr(fancy[0], "dtype", None) == bool:
            return self._masked(target, fancy[0], place, value)
        if fancy:
            target._array[place] = plain(value)
            self._put(target, index, value, added=False)
            return
        part = np.asarray(target._array[place] if type(place) is not tuple or ... in place else target._array[(*place, ...)])
        part[...] = plain(value)
        whole = part.shape == target.shape and in_elements(part) == in_elements(target._array)
        self._into(target if whole else self.view(target, part), "copy", [value])

    def _masked(self, target: Traced, mask: Traced, place: Any, value: Any) -> None:
        """target[mask] = one number."""
        if np.size(plain(value)) != 1 or place is not mask._array:
            raise Untraceable("an array into x[mask]")
        target._array[place] = plain(value)
        fewer = mask._array.reshape(mask.shape + (1,) * (target.ndim - mask.ndim))
        self.code.append(
            ["into", target._number, "where"]
            + [[self.view(mask, fewer)._number, self.operand(value), target._number]]
        )

    def _put(self, target: Traced, index: Any, value: Any, added: bool) -> None:
        arrays, at = self._index(target, index)
        self.code.append(["put", target._number, arrays, at, self.operand(value), added])

    def _into(self, target: Traced, function: str, args: list[Any]) -> Traced:
        if function in UNKNOWN:
            raise Untraceable(function)
        self.code.append(["into", target._number, function, [self.operand(a) for a in args]])
        return target

    def _places(
        self, name: str, args: Any, kwargs: Any, sources: Any, result: Array, part: int | None
    ) -> Traced:
        """Where each element comes from, by moving the numbers of the elements instead."""
        start, numbered = 0, {}
        for source in dict.fromkeys(s._number for s in sources):
            array = self.arrays[source]
            numbered[source] = np.arange(start, start + array.size).reshape(array.shape)
            start += array.size

        def places(thing: Any) -> Any:
            if isinstance(thing, Traced):
                return numbered[thing._number]
            if isinstance(thing, (list, tuple)):
                return type(thing)(places(item) for item in thing)
            return thing

        args, kwargs = places(args), {k: places(v) for k, v in kwargs.items() if k != "dtype"}
        if name.startswith("."):
            moved = getattr(args[0], name[1:])(*args[1:], **kwargs)
        else:
            moved = getattr(np, name[3:])(*args, **kwargs)
        moved = moved if part is None else moved[part]
        return self.note("places", result, list(numbered), np.asarray(moved).ravel().tolist())

    # ----- the whole -----

    def as_json(self) -> dict[str, Any]:
        """Instructions, and the shape and dtype of each array."""
        return {
            "arrays": [[a.dtype.name, list(a.shape)] for a in self.arrays],
            "code": self.code,
        }


def contents(array: Any) -> list[Any]:
    numbers = np.ravel(array).tolist()
    return [str(n) if isinstance(n, float) and not np.isfinite(n) else n for n in numbers]


def in_elements(array: Array) -> list[int]:
    return [stride // array.itemsize for stride in array.strides]


def plain(thing: Any) -> Any:
    """Arguments as NumPy takes them."""
    if isinstance(thing, Traced):
        return thing._array
    if isinstance(thing, (tuple, list)):
        return type(thing)(plain(item) for item in thing)
    return {k: plain(v) for k, v in thing.items()} if isinstance(thing, dict) else thing


def along(source: Traced, index: Any, axis: int) -> tuple[Any, ...]:
    """The indices that take_along_axis stands for."""
    shape, axis = index.shape, axis % source.ndim
    around = [np.arange(n).reshape([n if k == a else 1 for k in range(len(shape))]) for a, n in enumerate(shape)]
    return (*around[:axis], index, *around[axis + 1 :])


def einsum_labels(name: str, args: Any) -> tuple[list[list[int]], list[int]]:
    """One number for each axis; those that the result lacks are summed over."""
    if name == "einsum":
        operands, _, out = args[0].replace(" ", "").partition("->")
        if "." in args[0] or "->" not in args[0]:
            raise Untraceable("einsum with an ellipsis")
        letters = sorted(set(operands) - {","})
        number = {letter: at for at, letter in enumerate(letters)}
        return [[number[c] for c in word] for word in operands.split(",")], [number[c] for c in out]
    a, b = args[0].ndim, args[1].ndim
    if name == "outer":
        return [[0], [1]], [0, 1]
    if name == "dot" and (a > 2 or b > 2):
        raise Untraceable("dot of more than two dimensions")
    if name == "inner" and (a > 1 or b > 1):
        raise Untraceable("inner of more than one dimension")
    if not a or not b:
        raise Untraceable(f"{name} with a number")
    summed, row, column = 100, 101, 102
    left = [summed] if a == 1 else [row, summed]
    right = [summed] if b == 1 else [summed, column]
    batch = max(a, b) - 2
    first = [*range(batch - (a - 2), batch)] if a > 2 else []
    second = [*range(batch - (b - 2), batch)] if b > 2 else []
    out = [*range(max(batch, 0)), *([row] if a > 1 else []), *([column] if b > 1 else [])]
    return [[*first, *left], [*second, *right]], out
