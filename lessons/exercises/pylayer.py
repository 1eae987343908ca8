"""Judging a PyLayer: random inputs, a random cotangent, finite differences in float64.

Each trial applies the layer, applies it again to other inputs, and only then runs the first
backward: who saved in the wrong place gets caught. No trial uses a sum as its loss.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.autograd import PyLayer
from minipaddle.engine.errors import External, told
from minipaddle.testing import numerical_gradients

from .outcomes import Failed, NotYet, Outcome, Pair, Right, Wrong
from .words import Say

SEED = 2023
SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (), (4,), (1, 3, 2), (1,))
Arrays = tuple[np.ndarray, ...]
NEVER = object()  # forward or backward did not come to its end


@dataclass
class Trial:
    """One run of a layer, with all that can be seen from outside."""

    layer: type[PyLayer]
    inputs: Arrays
    others: Arrays
    dy: np.ndarray
    expected: Arrays
    expected_y: np.ndarray
    y: Any = None
    made: Any = NEVER
    saved: Any = None
    returned: Any = NEVER
    error: Exception | None = None

    @property
    def gradients(self) -> Arrays | None:
        """What backward gave back, as arrays; None where it is anything else than Tensors."""
        values = self.returned if isinstance(self.returned, tuple | list) else (self.returned,)
        if not all(isinstance(value, paddle.Tensor) for value in values):
            return None
        return tuple(value.numpy() for value in values)

    @property
    def right(self) -> bool:
        """Whether backward gave back the gradients, and nothing was raised."""
        return self.error is None and self.gives(*self.expected)

    def gives(self, *wanted: Any) -> bool:
        """Whether backward gave back just these gradients."""
        return same(self.gradients, tuple(np.asarray(w) for w in wanted))


@dataclass(frozen=True)
class Slip:
    """A classic mistake: how it is recognised, what to say about it, what of the trial to name."""

    name: str
    seen: Callable[[Trial], bool]
    hint: Say
    facts: Callable[[Trial], dict[str, object]] = lambda trial: {}


@dataclass(frozen=True)
class Exercise:
    """A PyLayer to write: the function on arrays, hints in order, praise, its mistakes.

    `save` and `take` are what the solution puts into save_for_backward(...), and how it takes it
    back: the hints of the mistakes name them.
    """

    name: str
    inputs: tuple[str, ...]
    function: Callable[..., np.ndarray]
    save: str
    take: str
    hints: tuple[Say, Say, Say]
    praise: Say
    slips: tuple[Slip, ...] = ()


def same(got: Arrays | None, wanted: Sequence[np.ndarray]) -> bool:
    """Whether two lists of arrays agree in number, shape and value."""
    return (
        got is not None
        and len(got) == len(wanted)
        and all(g.shape == w.shape for g, w in zip(got, wanted, strict=True))
        and all(np.allclose(g, w, rtol=1e-5, atol=1e-7) for g, w in zip(got, wanted, strict=True))
    )


# ----- the verdict -------------------------------------------------------------------------------

NOTHING = Say("backward is still empty.", "backward 还是空的。")
NO_LAYER = Say(
    "check.{name} expects the class itself: check.{name}({name}). It received {got}.",
    "check.{name} 需要类本身：check.{name}({name})，现在收到的是 {got}。",
)
RAISED = Say("Your layer stopped with an exception.", "你的层在运行时抛出了异常。")
FORWARD = Say(
    "forward does not compute the right values. Only its save_for_backward line is yours to write.",
    "forward 算出的值不对。forward 里只需要你写 save_for_backward 这一行。",
)
NUMBERS = Say(
    "backward runs, but its numbers differ from what finite differences say.",
    "backward 能运行，但结果与有限差分不一致。",
)


def judge(exercise: Exercise, answer: Any) -> Outcome:
    """Say what is to be said about an answer; exceptions of the answer are an outcome too."""
    name = exercise.name
    if answer is None or answer is ...:
        return NotYet(name, NOTHING)
    if not (isinstance(answer, type) and issubclass(answer, PyLayer)):
        got = type(answer).__name__
        return Wrong(name, NO_LAYER.fill(name=name, got=got), slip="no_layer")
    if empty(answer):
        return NotYet(name, NOTHING)
    rng = np.random.default_rng(SEED)
    trials = [attempt(answer, exercise, shape, rng) for shape in SHAPES]
    if wrong := wrong_forward(exercise, trials[0]):
        return wrong
    if all(trial.right for trial in trials):
        return Right(name, exercise.praise)
    return recognise(exercise, trials) or failed(exercise, trials) or off(exercise, trials)


def empty(layer: type[PyLayer]) -> bool:
    """Whether backward has no line but its docstring: no names, no local variables."""
    code = code_of(layer.backward)
    return (
        code is not None
        and not code.co_names
        and code.co_nlocals == code.co_argcount
        and set(code.co_consts) <= {None, layer.backward.__doc__}
        and layer.backward(*[...] * code.co_argcount) is None
    )


def code_of(method: Any) -> CodeType | None:
    """The code that a learner wrote, under any decorators; None where it is not Python."""
    return getattr(inspect.unwrap(method), "__code__", None)


def wrong_forward(exercise: Exercise, trial: Trial) -> Outcome | None:
    """The first thing to look at: what forward computes."""
    if not isinstance(trial.y, paddle.Tensor):
        return None
    y = trial.y.numpy()
    if same((y,), (trial.expected_y,)):
        return None
    return Wrong(exercise.name, FORWARD, (Pair("y", trial.expected_y, y),), slip="forward")


def recognise(exercise: Exercise, trials: list[Trial]) -> Outcome | None:
    """A classic mistake, if every trial shows it."""
    first = trials[0]
    for slip in exercise.slips:
        if all(slip.seen(trial) for trial in trials):
            hint = slip.hint.fill(save=exercise.save, take=exercise.take, **slip.facts(first))
            pairs, line = pairs_of(exercise, first), line_of(first)
            return Wrong(exercise.name, hint, pairs, line, slip=slip.name)
    return None


def failed(exercise: Exercise, trials: list[Trial]) -> Outcome | None:
    """An exception that is not known."""
    for trial in trials:
        if trial.error is not None:
            error, line = in_words(trial.error), line_of(trial)
            return Failed(exercise.name, RAISED, error=error, line=line)
    return None


def off(exercise: Exercise, trials: list[Trial]) -> Outcome:
    """Numbers that differ in some trial."""
    trial = next(trial for trial in trials if not trial.right)
    return Wrong(exercise.name, NUMBERS, pairs_of(exercise, trial))


def pairs_of(exercise: Exercise, trial: Trial) -> tuple[Pair, ...]:
    """Expected and given gradients side by side, where there is one for each input."""
    got = trial.gradients
    if got is None or len(got) != len(trial.expected):
        return ()
    names = (f"d{name}" for name in exercise.inputs)
    return tuple(map(Pair, names, trial.expected, got))


# ----- one trial ---------------------------------------------------------------------------------


def attempt(
    layer: type[PyLayer], exercise: Exercise, shape: tuple[int, ...], rng: np.random.Generator
) -> Trial:
    """Run a layer forwards and backwards once, on inputs of a shape."""
    draw = [rng.standard_normal(shape) for _ in range(2 * len(exercise.inputs) + 1)]
    inputs, others, dy = tuple(draw[0:-1:2]), tuple(draw[1:-1:2]), draw[-1]
    trial = Trial(
        layer,
        inputs,
        others,
        dy,
        expected=differences(exercise.function, inputs, dy),
        expected_y=exercise.function(*inputs),
    )
    try:
        run(trial)
    except Exception as error:  # noqa: BLE001 - whatever a learner's code raises is an outcome
        own = error.__cause__ if isinstance(error, External) else None
        trial.error = own if isinstance(own, Exception) else error
    return trial


def run(trial: Trial) -> None:
    """Apply, apply to other inputs, then go back through the first."""
    layer = watch(trial)
    trial.y = y = layer.apply(*map(tensor, trial.inputs))
    trial.layer.apply(*map(tensor, trial.others))
    if isinstance(y, paddle.Tensor):
        y.backward(tensor(trial.dy))


def watch(trial: Trial) -> type[PyLayer]:
    """The same layer, which also notes what it saved and what its backward gave back."""
    layer = trial.layer

    def forward(ctx: Any, *inputs: Any) -> Any:
        trial.made = layer.forward(ctx, *inputs)
        trial.saved = ctx.saved_tensor()
        return trial.made

    def backward(ctx: Any, *dy: Any) -> Any:
        trial.returned = layer.backward(ctx, *dy)
        return trial.returned

    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(layer.__name__, (layer,), methods)


def tensor(array: np.ndarray) -> paddle.Tensor:
    """An array as a float64 Tensor that wants a gradient."""
    return paddle.to_tensor(array, dtype="float64", stop_gradient=False)


def differences(function: Callable[..., np.ndarray], inputs: Arrays, dy: np.ndarray) -> Arrays:
    """The gradients of (function * dy).sum(), by nudging each element up and down."""
    return tuple(numerical_gradients(function, inputs, [dy]))


def in_words(error: Exception) -> Say:
    """An exception as text, without its place: that would be a line of the checks."""
    kind, text = type(error).__name__, told(error)
    return Say(f"{kind}: {text.en}", f"{kind}：{text.zh}")


def line_of(trial: Trial) -> str:
    """The line of the learner's cell where the exception came from; empty where there is none."""
    if trial.error is None:
        return ""
    codes = filter(None, map(code_of, (trial.layer.forward, trial.layer.backward)))
    own = {code.co_filename for code in codes}
    frames = [f for f in traceback.extract_tb(trial.error.__traceback__) if f.filename in own]
    return f"----> {frames[-1].lineno} {frames[-1].line}" if frames else ""
