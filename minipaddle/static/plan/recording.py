"""Writing down which NumPy calls a kernel makes.

A plan is made out of one real run. The kernels of the operators are handed `Traced` values and a
namespace that computes as NumPy does and notes every call. So the one kernel of an op, and its one
gradient rule, are also what the plan is made of. A kernel that does something that cannot be noted
(it branches on a value, or calls what is not listed here) is called as a whole: `Untraceable`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, NoReturn

import numpy as np

# Calls whose results have shapes that follow from the shapes of the arguments alone.
_FUNCTIONS = """
    argmax argmin argsort arange array array_split asarray ascontiguousarray broadcast_to clip
    concatenate copyto cumprod cumsum diagonal dot einsum empty empty_like expand_dims eye flip
    full full_like inner isclose kron mean moveaxis ones ones_like outer prod put_along_axis
    repeat reshape roll rot90 round searchsorted sort split squeeze stack std sum swapaxes take
    take_along_axis tensordot tile trace transpose tri tril triu var where zeros zeros_like
"""
_METHODS = """
    all any argmax argmin argsort astype clip copy cumsum diagonal dot fill flatten max mean min
    prod ravel repeat reshape round squeeze std sum swapaxes take trace transpose var
"""
FUNCTIONS, METHODS = frozenset(_FUNCTIONS.split()), frozenset(_METHODS.split())
PLAIN = frozenset(("dtype", "itemsize", "nbytes", "ndim", "shape", "size"))
UFUNC_METHODS = frozenset(("accumulate", "at", "outer", "reduce", "reduceat"))
WITH_OUT = frozenset(("concatenate", "dot", "empty", "full", "stack", "zeros"))


class Untraceable(Exception):
    """The kernel does what a plan cannot note; it is called as a whole instead."""


class Known(NamedTuple):
    """What is known of a value before a run: how it lies in memory, and in whose memory."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    strides: tuple[int, ...]
    inside: frozenset[int]  # the values whose memory it may share; empty: it has its own


class Ref(NamedTuple):
    """Stands for a value among the arguments of an instruction."""

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
    fills: bool = False  # can write its result into memory that is there
    elementwise: bool = False  # and that may be the memory of an operand of the same layout
    function: Callable[..., Any] | None = None
    leaves: Exit | None = None  # of a check: where to go if the answer is not `expected`
    expected: Any = None


class Exit(NamedTuple):
    """The interpreter goes on before operator `resume`, with these values in these slots."""

    resume: int
    slots: tuple[int, ...]
    values: tuple[int, ...]
    needs: tuple[int, ...] = ()  # those that must not have been overwritten yet


_recorder: ContextVar[Recorder] = ContextVar("minipaddle_recorder")


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Let kernels that are handed Traced values be noted by this recorder."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)


class Recorder:
    """Notes instructions, and numbers the values they make."""

    def __init__(self) -> None:
        self.known: list[Known] = []
        self.instructions: list[Instruction] = []
        self.numbers: dict[Any, TracedNumber] = {}
        self.operator = 0
        self.exit = Exit(0, (), ())  # for a check inside the present operator

    def value(self, array: Any, sources: tuple[Traced, ...] = ()) -> Traced:
        """Number an array; it may lie in the memory of the values it was made from."""
        shared = [s for s in sources if np.may_share_memory(array, s._array)]
        inside = frozenset().union(*(self.known[s._number].inside | {s._number} for s in shared))
        self.known.append(Known(array.shape, array.dtype, array.strides, inside))
        return Traced(array, len(self.known) - 1)

    def call(
        self, name: str, function: Callable[..., Any], args: tuple[Any, ...],
        kwargs: dict[str, Any], *, fills: bool = False, elementwise: bool = False,
    ) -> Any:  # fmt: skip
        """Compute, and note the call."""
        sources = tuple(traced_in((args, kwargs)))
        if _has_arrays((args, kwargs)):
            raise Untraceable("an array that was not made by a noted call")
        result = function(*_plain(args), **_plain(kwargs))
        target = kwargs.get("out")
        if isinstance(target, Traced):
            self._note(name, args, kwargs, ())
            return target
        for source in sources:
            if result is source._array:
                return source
        if isinstance(result, (tuple, list)):
            made = tuple(self.value(np.asarray(item), sources) for item in result)
            self._note(name, args, kwargs, made)
            return list(made)
        if result is None:
            self._note(name, args, kwargs, ())
            return None
        if not isinstance(result, (np.ndarray, np.generic)):
            raise Untraceable(f"{name} gives {type(result).__name__}")
        value = self.value(np.asarray(result), sources)
        own = fills and not self.known[value._number].inside
        self._note(name, args, kwargs, (value,), fills=own, elementwise=own and elementwise)
        return value

    def number(self, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Compute a Python number from values, and note how; once, if it is asked for again."""
        key = name, _refs(args)
        if key in self.numbers:
            return self.numbers[key]
        result = function(*_plain(args))
        self.known.append(Known((), np.dtype(float), (), frozenset()))
        made = TracedNumber(result, len(self.known) - 1)
        self._note(name, args, {}, (made,))
        self.numbers[key] = made
        return made

    def check(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Ask what depends on values; the plan goes on only while the answer stays the same."""
        answer = function(np, *_plain(args))
        if not isinstance(answer, (bool, int, float, str, type(None))):
            raise Untraceable(f"{function.__name__} answers {type(answer).__name__}")
        more = {"function": function, "leaves": self.exit, "expected": answer}
        self._note(function.__name__, args, {}, (), **more)
        return answer

    def guard(self, made: tuple[Traced, ...], leaves: Exit) -> None:
        """Go on only if these results have the shapes and dtypes of the recorded run."""
        expected = tuple((m.shape, m.dtype) for m in made)
        self._note("guard", made, {}, (), leaves=leaves, expected=expected)

    def constant(self, array: Any) -> Traced:
        """An array that is the same in every run."""
        made = self.value(array)
        self._note("constant", (array,), {}, (made,))
        return made

    def scratch(self, like: Any) -> Traced:
        """Memory to work in, without a value."""
        made = self.value(np.empty_like(like))
        self._note("scratch", (), {}, (made,), fills=True)
        return made

    def keep(self, name: str, value: Traced) -> None:
        """Write a value into the scope."""
        self._note("keep", (name, value), {}, ())

    def whole(
        self, function: Callable[..., Any], args: list[Any], **kwargs: Any
    ) -> tuple[Traced | None, ...]:
        """Call a kernel as a whole, and note that."""
        results = function(*_plain(args), **_plain(kwargs))
        sources = tuple(traced_in(args))
        start = len(self.known)
        made = tuple(None if r is None else self._same_or_new(r, sources) for r in results)
        numbers = tuple(-1 if m is None or m._number < start else m._number for m in made)
        numbers = () if max(numbers, default=-1) < 0 else numbers
        self.instructions.append(
            Instruction(
                type(function).__name__, _refs(tuple(args)), _refs(kwargs), numbers, self.operator,
                function=function,
            )
        )  # fmt: skip
        return made

    def _same_or_new(self, array: Any, sources: tuple[Traced, ...]) -> Traced:
        for source in sources:
            if source._array is array:
                return source
        return self.value(array, sources)

    def _note(
        self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], made: tuple[Traced, ...],
        **more: Any,
    ) -> None:  # fmt: skip
        numbers = tuple(m._number for m in made)
        self.instructions.append(
            Instruction(name, _refs(args), _refs(kwargs), numbers, self.operator, **more)
        )

    def mark(self) -> tuple[int, int]:
        return len(self.instructions), len(self.known)

    def forget_since(self, mark: tuple[int, int]) -> None:
        """Take back what a kernel did before it turned out to be untraceable."""
        del self.instructions[mark[0] :]
        del self.known[mark[1] :]
        self.numbers = {k: n for k, n in self.numbers.items() if n._number < mark[1]}


def _plain(thing: Any) -> Any:
    """Arguments as NumPy takes them."""
    if isinstance(thing, Traced):
        return thing._array
    if isinstance(thing, (tuple, list)):
        return type(thing)(_plain(item) for item in thing)
    return {k: _plain(v) for k, v in thing.items()} if isinstance(thing, dict) else thing


def _refs(thing: Any) -> Any:
    """Arguments as instructions keep them."""
    if isinstance(thing, Traced):
        return Ref(thing._number)
    if isinstance(thing, (tuple, list)):
        return type(thing)(_refs(item) for item in thing)
    return {k: _refs(v) for k, v in thing.items()} if isinstance(thing, dict) else thing


def _has_arrays(thing: Any) -> bool:
    """Whether a plain array is among the arguments: random numbers, it may be."""
    if isinstance(thing, dict):
        thing = tuple(thing.values())
    if isinstance(thing, (tuple, list)):
        return any(map(_has_arrays, thing))
    return isinstance(thing, np.ndarray)


def traced_in(thing: Any) -> list[Traced]:
    if isinstance(thing, Traced):
        return [thing]
    if isinstance(thing, dict):
        thing = tuple(thing.values())
    if not isinstance(thing, (tuple, list)):
        return []
    return [found for item in thing for found in traced_in(item)]


# ----- what kernels are handed --------------------------------------------------------------------


class Traced:
    """An array of the run from which a plan is made; every use of it is noted."""

    __array_ufunc__ = None
    __slots__ = ("_array", "_number")

    def __init__(self, array: Any, number: int) -> None:
        self._array = array
        self._number = number

    def __getattr__(self, name: str) -> Any:
        if name in PLAIN:
            return getattr(self._array, name)
        if name not in METHODS:
            raise Untraceable(f".{name}")

        def method(*args: Any, **kwargs: Any) -> Any:
            def call(array: Any, *rest: Any, **named: Any) -> Any:
                return getattr(array, name)(*rest, **named)

            return _recorder.get().call(
                f".{name}", call, (self, *args), kwargs, fills=name in ("astype", "copy", "dot")
            )

        return method

    @property
    def T(self) -> Any:
        return _recorder.get().call(".T", lambda array: array.T, (self,), {})

    def item(self) -> TracedNumber:
        """The one element, as a number that stays traced."""
        made: TracedNumber = _recorder.get().number(".item", lambda a: a.item(), (self,))
        return made

    def __array_namespace__(self) -> Any:
        return RECORDING

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Any:
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, index: Any) -> Any:
        if any(t._array.dtype == bool for t in traced_in(index)):
            raise Untraceable("the shape of x[mask] depends on the mask")
        return _recorder.get().call("[]", operator.getitem, (self, index), {})

    def __setitem__(self, index: Any, value: Any) -> None:
        _recorder.get().call("[]=", operator.setitem, (self, index, value), {})

    def _depends(self, *_args: Any) -> NoReturn:
        raise Untraceable("the kernel asks for a value")

    __bool__ = __int__ = __float__ = __index__ = __array__ = _depends


def _binary(ufunc: str, in_place: bool = False, reflected: bool = False) -> Any:
    def method(self: Traced, other: Any) -> Any:
        pair = (other, self) if reflected else (self, other)
        return getattr(RECORDING, ufunc)(*pair, **({"out": self} if in_place else {}))

    return method


for _name, _ufunc in {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide",
    "floordiv": "floor_divide", "mod": "remainder", "pow": "power", "matmul": "matmul",
    "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
}.items():  # fmt: skip
    setattr(Traced, f"__{_name}__", _binary(_ufunc))
    setattr(Traced, f"__r{_name}__", _binary(_ufunc, reflected=True))
    setattr(Traced, f"__i{_name}__", _binary(_ufunc, in_place=True))
for _name, _ufunc in {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal",
}.items():  # fmt: skip
    setattr(Traced, f"__{_name}__", _binary(_ufunc))
for _name, _ufunc in {"neg": "negative", "abs": "absolute", "invert": "invert"}.items():
    setattr(Traced, f"__{_name}__", lambda self, ufunc=_ufunc: getattr(RECORDING, ufunc)(self))


class TracedNumber(Traced):
    """A Python number that was read out of an array, such as a learning rate."""

    __slots__ = ()


def _arithmetic(symbol: str, function: Callable[..., Any], reflected: bool = False) -> Any:
    def method(self: TracedNumber, other: Any) -> Any:
        if isinstance(other, Traced) and not isinstance(other, TracedNumber):
            return NotImplemented
        pair = (other, self) if reflected else (self, other)
        return _recorder.get().number(symbol, function, pair)

    return method


for _name, _symbol in {"add": "+", "sub": "-", "mul": "*", "truediv": "/"}.items():
    _function = getattr(operator, _name)
    setattr(TracedNumber, f"__{_name}__", _arithmetic(_symbol, _function))
    setattr(TracedNumber, f"__r{_name}__", _arithmetic(_symbol, _function, reflected=True))


class RecordingUfunc:
    """A ufunc that notes its calls, those of its methods included."""

    def __init__(self, ufunc: np.ufunc) -> None:
        self.ufunc = ufunc
        self.name = f"np.{ufunc.__name__}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        one = self.ufunc.nout == 1
        return _recorder.get().call(
            self.name, self.ufunc, args, kwargs, fills=one,
            elementwise=one and self.ufunc.signature is None,
        )  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        if name not in UFUNC_METHODS:
            return getattr(self.ufunc, name)
        method = getattr(self.ufunc, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            return _recorder.get().call(
                f"{self.name}.{name}", method, args, kwargs, fills=name == "reduce"
            )

        return call


class RecordingNamespace:
    """NumPy, with every call noted; the `xp` of kernels while a plan is made."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if isinstance(found, np.ufunc):
            made: Any = RecordingUfunc(found)
        elif isinstance(found, type) or not callable(found):
            made = found
        elif name in FUNCTIONS:
            made = self._function(name, found)
        else:
            raise Untraceable(f"np.{name}")
        setattr(self, name, made)
        return made

    @staticmethod
    def _function(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if (name == "where" and len(args) < 3) or (name == "repeat" and traced_in(args[1:])):
                raise Untraceable(f"the shape of np.{name}() depends on values")
            return _recorder.get().call(
                f"np.{name}", function, args, kwargs, fills=name in WITH_OUT
            )

        return call

    def asks(self, function: Callable[..., Any], *args: Any) -> Any:
        """See `ops.worlds.host_check`."""
        return _recorder.get().check(function, args)


RECORDING: Any = RecordingNamespace()
