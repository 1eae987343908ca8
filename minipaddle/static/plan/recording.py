"""Recording of the NumPy calls that kernels make.

A plan is made from one real run. Kernels get `Traced` values and a namespace that computes as NumPy
does and records every call, so a plan consists of the calls of each op's kernel and gradient rule.
A kernel that cannot be recorded (it branches on a value, or calls an unsupported function) raises
Untraceable and becomes one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from ...ops.recording_arrays import (
    Call,
    Traced,
    TracedNumber,
    Untraceable,
    find_traced,
    untrace,
)

MOST_COPIED = 1 << 14  # bytes of a result for which a smaller operand is copied


class Known(NamedTuple):
    """Layout of a value in memory, and the values whose memory contains it."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    strides: tuple[int, ...]
    inside: frozenset[int]  # values whose memory it may share; empty for memory of its own


class Ref(NamedTuple):
    """Reference to a value among the arguments of an instruction."""

    number: int


class Instruction(NamedTuple):
    """One NumPy call, or one call of a whole kernel, and the values that it makes.

    `name` is np.tanh, .reshape, [] (an index), []= (an assignment), or a key of `functions`.
    """

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    makes: tuple[int, ...]
    operator: int
    fills: bool = False  # whether it can write its result into existing memory
    elementwise: bool = False  # whether that may be the memory of an operand of equal layout
    listed: bool = False  # whether the call returns its one value in a list
    function: Callable[..., Any] | None = None
    exit: Exit | None = None  # exit of a check whose answer is not `expected`
    expected: Any = None


class Exit(NamedTuple):
    """Exit from a plan: the interpreter continues at operator `resume` with these values in slots.

    `needs` are further values whose memory must not be reused before this exit.
    """

    resume: int
    slots: tuple[int, ...]
    values: tuple[int, ...]
    needs: tuple[int, ...] = ()


class Values:
    """Numbered values of a run, and the instructions that make them, without the arrays."""

    def __init__(self) -> None:
        self.known: list[Known] = []
        self.instructions: list[Instruction] = []
        self.private: set[int] = set()  # values outside shared memory, since users may keep them

    def add(
        self,
        array: Any,
        sources: Iterable[tuple[int, Any]],
        shares: Callable[[Any, Any], bool] = np.may_share_memory,
    ) -> int:
        """Give an array a number; note which of its sources it shares memory with."""
        shared = [number for number, source in sources if shares(array, source)]
        inside = frozenset().union(*(self.known[n].inside | {n} for n in shared))
        self.known.append(Known(array.shape, array.dtype, array.strides, inside))
        return len(self.known) - 1

    def make_private(self, numbers: Iterable[int]) -> None:
        """Give values, and the values that they are views of, memory of their own."""
        for number in numbers:
            self.private |= {number} | self.known[number].inside


class Recorder(Values):
    """Values of a run, and the instructions that its kernels executed."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[Any, TracedNumber] = {}  # numbers read from arrays unchanged since
        self.plain_numbers: set[int] = set()  # values that are Python numbers
        self.fixed: set[int] = set()  # values that are constants
        self.checked: set[Any] = set()  # checks of arrays unchanged since
        self.operator = 0
        self.exit = Exit(0, (), ())  # exit of checks inside the current operator

    def value(self, array: Any, sources: tuple[Traced, ...] = ()) -> Traced:
        """Return a traced value of an array that was made from the sources."""
        return Traced(array, self.add(array, [(s._number, s._array) for s in sources]))

    def call(self, call: Call) -> Any:
        """Compute a NumPy call and record it."""
        name, _, args, kwargs, fills, elementwise = call
        if _has_arrays((args, kwargs)):
            raise Untraceable("an array that no recorded call made")
        sources = tuple(find_traced((args, kwargs)))
        result = call.compute()
        target = kwargs.get("out")
        if isinstance(target, Traced):
            args = self._with_one_shape(args, result) if elementwise else args
            self._note_write(target)
            self._add_instruction(name, args, kwargs, (), elementwise=elementwise)
            return target
        for source in sources:
            if result is source._array:
                return source
        if isinstance(result, (tuple, list)):
            made = tuple(self.value(np.asarray(item), sources) for item in result)
            self._add_instruction(name, args, kwargs, made, listed=len(made) == 1)
            return list(made)
        if result is None:
            self._note_write(args[0])
            self._add_instruction(name, args, kwargs, ())
            return None
        if not isinstance(result, (np.ndarray, np.generic)):
            raise Untraceable(f"{name} gives {type(result).__name__}")
        if sources and all(source._number in self.fixed for source in sources):
            return self.constant(np.asarray(result))
        args = self._with_one_shape(args, result) if elementwise else args
        value = self.value(np.asarray(result), sources)
        own = fills and not self.known[value._number].inside
        self._add_instruction(
            name, args, kwargs, (value,), fills=own, elementwise=own and elementwise
        )
        return value

    def _with_one_shape(self, operands: tuple[Any, ...], result: Any) -> tuple[Any, ...]:
        """Return two operands with a recorded copy in place of one that is smaller, like a bias.

        For a small result a copy and a call on arrays of one shape take less time than a broadcast.
        """
        arrays = [x for x in operands if x.__class__ is Traced and x.dtype == result.dtype]
        small = [x for x in arrays if 1 < x.size < result.size]
        if not len(operands) == len(arrays) == 2 or len(small) != 1 or result.nbytes > MOST_COPIED:
            return operands
        copy = self.value(np.empty_like(result))
        self._add_instruction(".copy", (small[0],), {}, (copy,), fills=True)
        return tuple(copy if x is small[0] else x for x in operands)

    def _note_write(self, target: Traced) -> None:
        """Forget checks and numbers that read this memory; raise Untraceable for a constant."""
        memory = self._memory_of(target._number)
        if not self.fixed.isdisjoint(memory):
            raise Untraceable("a constant is written into")
        self.checked = {key for key in self.checked if not self._reads_memory(key[1], memory)}
        self.numbers = {
            k: n for k, n in self.numbers.items() if not self._reads_memory(k[1], memory)
        }

    def _memory_of(self, number: int) -> frozenset[int]:
        """Return a value and the values whose memory it may share."""
        return self.known[number].inside | {number}

    def _reads_memory(self, refs: Any, memory: frozenset[int]) -> bool:
        """Return whether any of these arguments may lie in this memory."""
        numbers = [ref.number for ref in refs if isinstance(ref, Ref)]
        return any(not memory.isdisjoint(self._memory_of(number)) for number in numbers)

    def number(self, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Compute a Python number from values and record the call; look up a repeated call."""
        key = name, _with_refs(args)
        if key in self.numbers:
            return self.numbers[key]
        result = function(*untrace(args))
        self.known.append(Known((), np.dtype(float), (), frozenset()))
        traced = TracedNumber(result, len(self.known) - 1)
        self._add_instruction(name, args, {}, (traced,))
        self.numbers[key] = traced
        self.plain_numbers.add(traced._number)
        return traced

    def check(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Record a check of values; a plan exits where the answer differs from the recorded one."""
        answer = function(np, *untrace(args))
        if not isinstance(answer, (bool, int, float, str, type(None))):
            raise Untraceable(f"{function.__name__} answers {type(answer).__name__}")
        key = function, _with_refs(args)
        if key in self.checked:  # one check in a run is enough
            return answer
        self.checked.add(key)
        more = {"function": function, "exit": self.exit, "expected": answer}
        self._add_instruction(function.__name__, args, {}, (), **more)
        return answer

    def guard(self, made: tuple[Traced, ...], exit: Exit) -> None:
        """Exit unless these results have the shapes and dtypes of the recorded run."""
        expected = tuple((m.shape, m.dtype) for m in made)
        self._add_instruction("guard", made, {}, (), exit=exit, expected=expected)

    def constant(self, array: Any) -> Traced:
        """Record an array that every run uses unchanged."""
        result = self.value(array)
        self._add_instruction("constant", (array,), {}, (result,))
        self.fixed.add(result._number)
        return result

    def scratch(self, like: Any) -> Traced:
        """Record working memory, whose content does not matter."""
        result = self.value(np.empty_like(like))
        self._add_instruction("scratch", (), {}, (result,), fills=True)
        return result

    def copy_of(self, value: Traced) -> Traced:
        """Record a copy that each run makes, even of a constant."""
        result = self.value(value._array.copy())
        self._add_instruction(".copy", (value,), {}, (result,))
        return result

    def keep(self, name: str, value: Traced) -> None:
        """Record a write of a value into the scope."""
        self._add_instruction("keep", (name, value), {}, ())

    def whole(self, function: Any, args: list[Any], **kwargs: Any) -> tuple[Traced | None, ...]:
        """Call a kernel, which may write into its arguments, and record it as one call."""
        self.checked.clear()
        self.numbers.clear()
        results = function(*untrace(args), **untrace(kwargs))
        sources = tuple(find_traced(args))
        start = len(self.known)
        made = tuple(None if r is None else self._find_or_add(r, sources) for r in results)
        numbers = tuple(-1 if m is None or m._number < start else m._number for m in made)
        numbers = () if max(numbers, default=-1) < 0 else numbers
        self.instructions.append(
            Instruction(
                type(function).__name__,
                _with_refs(tuple(args)),
                _with_refs(kwargs),
                numbers,
                self.operator,
                function=function.__call__,  # twice as fast as calling the object
            )
        )
        return made

    def _find_or_add(self, array: Any, sources: tuple[Traced, ...]) -> Traced:
        for source in sources:
            if source._array is array:
                return source
        return self.value(array, sources)

    def _add_instruction(
        self,
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        made: tuple[Traced, ...],
        **more: Any,
    ) -> None:
        numbers = tuple(m._number for m in made)
        self.instructions.append(
            Instruction(name, _with_refs(args), _with_refs(kwargs), numbers, self.operator, **more)
        )

    def drop_unread(self, fetched: set[int]) -> None:
        """Remove the instructions whose results are not read."""
        wanted, rest = set(fetched), []
        for instruction in reversed(self.instructions):
            makes, exit = instruction.makes, instruction.exit
            acts = not makes or instruction.function is not None
            if acts or not wanted.isdisjoint(makes):
                rest.append(instruction)
                wanted.update(refs_in((instruction.args, instruction.kwargs)))
                wanted.update((*exit.values, *exit.needs) if exit else ())
        self.instructions = rest[::-1]

    def state(self) -> dict[str, Any]:
        """Return a copy of all attributes, to restore if a kernel cannot be traced."""
        return {name: copy(value) for name, value in vars(self).items()}


def _with_refs(value: Any) -> Any:
    """Return arguments with references in the place of traced values."""
    if isinstance(value, Traced):
        return Ref(value._number)
    if isinstance(value, (tuple, list)):
        return type(value)(_with_refs(item) for item in value)
    return {k: _with_refs(v) for k, v in value.items()} if isinstance(value, dict) else value


def refs_in(value: Any) -> list[int]:
    """Return the numbers of the values among the arguments of an instruction."""
    if isinstance(value, Ref):
        return [value.number]
    if isinstance(value, dict):
        value = tuple(value.values())
    if not isinstance(value, (tuple, list)):
        return []
    return [number for item in value for number in refs_in(item)]


def _has_arrays(value: Any) -> bool:
    """Return whether an untraced array, such as random numbers, is among the arguments."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        return any(map(_has_arrays, value))
    return isinstance(value, np.ndarray)
