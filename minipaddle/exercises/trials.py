"""Trial: one run of an answer on random inputs, with all that is visible from outside."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import CodeType
from typing import Any

import numpy as np

from .. import Tensor, enable_grad, get_rng_state, set_rng_state, to_tensor
from ..engine import dtypes, modes
from ..engine.errors import External, InvalidArgument, as_message, message_of
from ..engine.grad_mode import no_grad
from ..engine.guard import Guard, combine_guards, restore_value
from ..engine.source_line import code_at, of_error
from ..engine.visible import make_visible
from ..errors import misfit
from ..messages import Message
from ..testing import numerical_gradients
from . import errors
from .outcomes import Array, Pair, text

Arrays = tuple[Array, ...]
Inputs = Sequence[Any] | Callable[[np.random.Generator], Sequence[Any]]
Drive = Callable[..., object]  # of an answer, a dict for what comes, and further arguments

SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (), (4,), (1, 3, 2), (1,))
LONGEST = 1000  # characters of an exception's message
DRAWS = 5  # number of draws from a function that makes inputs
A_TENSOR = Message("a Tensor of shape {shape}")
AN_ARRAY = Message("an array of shape {shape}")
A_NUMBER = Message("a number")
NOTHING_AT_ALL = Message.in_context("returned value", "nothing")
PARTS = Message("a tuple or list of {count}, the first {first}")
EMPTY = Message("an empty tuple or list")
OF_TYPE = Message("an object of the type {name}")
CLOSE = {"float64": (1e-5, 1e-7), "float32": (1e-4, 1e-6)}  # tolerances; other dtypes as float64


@dataclass
class Trial:
    """Run of an answer.

    `arguments` are the inputs of a slip's formula, and `compared` names its results. `came` has the
    results by name, without missing ones and those that cannot be compared. `labels` has the names
    that cards translate. `run_again` is a drive with the answer, a dict and further arguments;
    `run_right` runs the reference on the same inputs.
    """

    arguments: Arrays = ()
    given: dict[str, Array] = field(default_factory=dict)
    expected: dict[str, Array] = field(default_factory=dict)
    came: dict[str, Array] = field(default_factory=dict)
    compared: tuple[str, ...] = ()
    labels: Mapping[str, Message] = field(default_factory=dict)
    error: BaseException | None = None
    run_again: partial[Any] | None = None
    run_right: Callable[[], object] | None = None

    @property
    def right(self) -> bool:
        """True if the results are the expected ones, without an exception."""
        return self.error is None and are_alike(self.came, self.expected)

    def gives(self, formula: Any) -> bool:
        """Return whether the results are those of a formula, or the value `formula` itself."""
        try:
            wanted = values_of(formula, self.arguments) if callable(formula) else arrays_of(formula)
        except Exception:  # noqa: BLE001 - a mistake that makes no sense for these shapes
            return False
        came = [self.came.get(name) for name in self.compared]
        return len(came) == len(wanted) and all(
            c is not None and same(c, w) for c, w in zip(came, wanted, strict=True)
        )

    def came_as(self, name: str, value: Any) -> bool:
        """Return whether the result of this name is this value."""
        return name in self.came and bool(np.array_equal(self.came[name], value))

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Expected and received arrays, where they differ."""
        rows = [(n, wanted, self.came[n]) for n, wanted in self.expected.items() if n in self.came]
        return tuple(Pair(n, w, c, self.labels.get(n)) for n, w, c in rows if not same(c, w))

    def label(self, name: str) -> Message:
        """Return the name of a result on cards."""
        return self.labels.get(name, as_message(name))

    @property
    def line(self) -> str:
        """Line of the learner's cell that raised, or "" if there is none."""
        return line_of(self.error)


def line_of(error: BaseException | None) -> str:
    """Return the line of the learner's cell that raised an exception, or ""."""
    place = of_error(error) if error is not None else None
    return make_visible(f"----> {place.line} {code_at(place)}", most=200) if place else ""


def plain_modes() -> Guard:
    """Return a block with dynamic mode, gradients and no listeners, whatever the notebook has set.

    It restores modes, seeds and the random generator.
    """
    return combine_guards(
        modes.override(builder=None, listeners=(), check_nan=False),
        enable_grad(),
        restore_value(dtypes.get_default, dtypes.set_default),
        restore_value(get_rng_state, set_rng_state),
    )


class Elsewhere:
    """Base of the answers that live in another process, which `run` reaches."""

    def run(
        self, drive: Drive, arguments: tuple[Any, ...]
    ) -> tuple[dict[str, Any], BaseException | None]:
        """Call `drive` beside the answer; return what it notes, and its exception."""
        raise NotImplementedError


def drive_here(
    drive: Drive, answer: Any, arguments: tuple[Any, ...]
) -> tuple[dict[str, Any], BaseException | None]:
    """Call `drive(answer, came, *arguments)`; return `came`, and the exception."""
    came: dict[str, Any] = {}
    try:
        with plain_modes():
            drive(answer, came, *arguments)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it is an outcome
        return came, unwrap(error)
    return came, None


def attempt(trial: Trial, drive: Drive, answer: Any, *arguments: Any) -> dict[str, Any]:
    """Run the learner's code, wherever it lives; store an exception in the trial.

    `drive` gets the answer, a dict for its results, and the arguments. It runs in the process of
    the answer, so it may neither know nor decide what is right.
    """
    there = isinstance(answer, Elsewhere)
    came, error = answer.run(drive, arguments) if there else drive_here(drive, answer, arguments)
    trial.error = error or trial.error
    return came


def facts(describe: Drive, answer: Any) -> dict[str, Any]:
    """Return what `describe` notes about an answer, wherever that lives."""
    trial = Trial()
    came = attempt(trial, describe, answer)
    if trial.error is not None:
        raise trial.error
    return came


def unwrap(error: BaseException) -> BaseException:
    """Return the learner's exception, without the engine's exception around it."""
    cause = error.__cause__ if isinstance(error, External) else None
    return cause if isinstance(cause, Exception) else error


def is_to_be_written(error: BaseException | None) -> bool:
    """Return whether an error is a scaffold's `raise NotImplementedError`, not the engine's."""
    return type(error) is NotImplementedError


def in_words(error: BaseException) -> Message:
    """Return an exception as text, without its place, which is a line of the check."""
    kind, words = type(error).__name__, message_of(error)
    return Message("{kind}: {words}", kind=kind, words=Visible(words))


@dataclass(frozen=True)
class Visible:
    """Message whose invisible and reordering characters are spelled out."""

    words: Message

    def of(self, lang: str) -> str:
        """Render the message in a language."""
        return make_visible(self.words.of(lang), keep="\n", most=LONGEST)


# ----- arrays ------------------------------------------------------------------------------------


def are_alike(came: Mapping[str, Array], others: Mapping[str, Array]) -> bool:
    """Return whether two sets of results have the same names and values."""
    return came.keys() == others.keys() and all(same(came[name], others[name]) for name in came)


def same(got: Array, wanted: Array) -> bool:
    """Return whether two arrays have equal shapes, and equal values within their precision."""
    return got.shape == wanted.shape and bool(np.all(close(got, wanted)))


def close(got: Array, wanted: Array) -> Array:
    """Return which elements of two arrays are equal within their precision."""
    if not {got.dtype.kind, wanted.dtype.kind} <= set("biufc"):
        return np.asarray(got == wanted)
    rtol, atol = CLOSE.get(str(got.dtype), CLOSE["float64"])
    return np.asarray(np.isclose(got, wanted, rtol=rtol, atol=atol, equal_nan=True))


def tensor(array: Array, name: str = "") -> Tensor:
    """Make a named Tensor of an array; floats get a gradient."""
    made = to_tensor(array, stop_gradient=array.dtype.kind != "f")
    if name:
        made.name = name
    return made


def array_of(value: Any) -> Array:
    """Return a copy of a Tensor, number or array as an array; other values as its only element."""
    if isinstance(value, Tensor):
        return value.numpy()
    try:
        return np.array(value)
    except Exception:  # noqa: BLE001 - lists of different lengths, or what only looks like arrays
        array = np.empty((), object)
        array[()] = value
        return array


def arrays_of(values: Any) -> Arrays:
    """Return values as arrays: one for each part of a tuple, else a single one.

    They are copies, since an answer may change its results later.
    """
    if isinstance(values, tuple):
        return tuple(array for value in values for array in arrays_of(value))
    return (array_of(values),)


def form_of(value: Any) -> Message:
    """Describe the kind of a value."""
    if isinstance(value, Tensor):
        return A_TENSOR.fill(shape=str(list(value.shape)))
    if isinstance(value, np.ndarray):
        return AN_ARRAY.fill(shape=str(list(value.shape)))
    if isinstance(value, tuple | list):
        return PARTS.fill(count=str(len(value)), first=form_of(value[0])) if value else EMPTY
    if isinstance(value, int | float):
        return A_NUMBER
    return NOTHING_AT_ALL if value is None else OF_TYPE.fill(name=type(value).__name__)


def values_of(function: Callable[..., Any], arguments: Arrays) -> Arrays:
    """Return the values of a function of Tensors for these arrays."""
    with no_grad():
        return arrays_of(function(*map(tensor, arguments)))


def right_values(reference: Callable[..., Any], arguments: Arrays) -> Arrays:
    """Return the values of the reference; raise an error for nan and inf."""
    values = values_of(reference, arguments)
    if not all(y.dtype.kind not in "fc" or np.isfinite(y).all() for y in values):
        raise errors.not_finite()
    return values


def slopes(function: Callable[..., Any], inputs: Arrays, douts: Arrays) -> list[Array | None]:
    """Return the gradients of (function · douts).sum() by finite differences; None for ints."""
    able = [n for n, x in enumerate(inputs) if x.dtype.kind == "f"]

    def of_able(*changed: Array) -> Arrays:
        arrays = list(inputs)
        for n, x in zip(able, changed, strict=True):
            arrays[n] = x
        return values_of(function, tuple(arrays))

    found = iter(numerical_gradients(of_able, [inputs[n] for n in able], douts))
    return [next(found) if n in able else None for n in range(len(inputs))]


def output_name(inputs: Iterable[str]) -> str:
    """Return the name of an output that no input has."""
    return next(name for name in ("y", "z", "out", "result") if name not in set(inputs))


# ----- inputs ------------------------------------------------------------------------------------


def names_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's required arguments."""
    wanted = inspect.signature(function).parameters.values()
    return tuple(each.name for each in wanted if each.default is each.empty)


def draw(inputs: Inputs, count: int, rng: np.random.Generator) -> Iterator[Arrays]:
    """Draw random inputs, one tuple for each trial: of these shapes, or by a function.

    Two decimals are enough, and let a learner work the numbers out by hand.
    """
    if callable(inputs):
        for _ in range(DRAWS):
            made = inputs(rng)
            yield require_count(tuple(np.asarray(each) for each in made), count)
        return
    for entry in inputs:
        shapes = [entry] * count if all(isinstance(size, int) for size in entry) else entry
        yield require_count(
            tuple(np.round(rng.standard_normal(shape), 2) for shape in shapes), count
        )


def require_count(arrays: Arrays, count: int) -> Arrays:
    """Return the arrays if there is one for each argument; else raise an error."""
    if len(arrays) != count:
        expected = f"{count}, one for each argument of the function"
        fix = "give inputs=[((2, 3), (3,))], a shape for each, or a function of a generator"
        raise misfit("", expected, InvalidArgument, fix, inputs=len(arrays))
    return arrays


# ----- the learner's code ------------------------------------------------------------------------


def code_of(function: Any) -> CodeType | None:
    """Return the code of a function under its decorators; None if it is not Python."""
    return getattr(inspect.unwrap(function), "__code__", None)


def is_stub(function: Any) -> bool:
    """Return whether a function has an empty body, or only a docstring.

    A class counts as empty if one of its methods is.
    """
    if isinstance(function, type):
        methods = (each for each in vars(function).values() if not isinstance(each, type))
        return any(map(is_stub, methods))
    code = code_of(function)
    return (
        code is not None
        and not code.co_names
        and code.co_nlocals == len(inspect.signature(inspect.unwrap(function)).parameters)
        and set(code.co_consts) <= {None, function.__doc__}
        # A stub returns None without a branch.
        and not any(
            "JUMP" in step.opname or (step.opname.startswith("LOAD_") and step.argval)
            for step in dis.get_instructions(code)
        )
    )


# ----- slips -------------------------------------------------------------------------------------


class Slip:
    """Classic mistake: how to recognise it, and its hint.

    `gives` is the wrong answer: a value, or a function of the inputs that the check draws (dy and
    the inputs of a PyLayer, the inputs of a function). `raises` is the message of its exception, or
    a part of it. `seen` is a predicate of the trial. `facts` computes the slots of the hint.
    `not_yet` marks a scaffold that computes something: its outcome is "not yet" instead of "wrong".
    InvalidArgument without one of `gives`, `raises` and `seen`.

    >>> from minipaddle.exercises import Slip
    >>> Slip("forgot_dy", gives=lambda dy, x: 2 * x, hint="Multiply it by dy.").name
    'forgot_dy'
    """

    def __init__(
        self,
        name: str,
        *,
        hint: Any,
        gives: Any = None,
        raises: str = "",
        seen: Callable[[Any], bool] | None = None,
        facts: Callable[[Any], dict[str, Any]] | None = None,
        not_yet: bool = False,
    ) -> None:
        options = {"gives=": gives is not None, "raises=": bool(raises), "seen=": seen is not None}
        if sum(options.values()) != 1:
            raise errors.slip_without_way(name, options)
        self.name, self.hint = name, text(hint)
        self.gives, self.raises, self.seen = gives, raises, seen
        self.facts, self.not_yet = facts, not_yet

    def fits(self, trial: Trial) -> bool:
        """Return whether a trial shows this mistake."""
        if self.seen is not None:
            return self.seen(trial)
        if self.raises:
            return trial.error is not None and self.raises in str(trial.error)
        return trial.gives(self.gives)
