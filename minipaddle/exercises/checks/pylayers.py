"""PyLayers: random inputs, a random cotangent, finite differences in float64.

Each trial applies the layer, applies it again to other inputs, and only then runs the first
backward, which shows values saved outside ctx. No trial uses a sum as its loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ... import Tensor
from ...messages import Message
from ...ops.arguments import as_list
from ..outcomes import Array, NotYet, Outcome, Pair, Wrong
from ..trials import (
    SHAPES,
    Arrays,
    Inputs,
    Trial,
    arrays_of,
    attempt,
    draw,
    facts,
    form_of,
    is_stub,
    names_of,
    output_name,
    right_values,
    same,
    slopes,
    tensor,
)
from .check import Check
from .functions import forth_and_back
from .pylayer_slips import (
    FORM,
    NEVER,
    is_layer,
    names_in_backward,
    names_of_forward,
    other_number,
    saved_elsewhere,
    values_returned,
    watch_layer,
)

NOTHING = Message("backward is still empty.")
NO_CLASS = Message(
    "A class that derives from PyLayer is asked for, without parentheses. This is {got}."
)
FORWARD = Message(
    "forward does not compute the right values. Put that right first; backward is looked at after."
)
FORWARD_SHAPE = Message(
    "forward gives {name} of shape {got}; it should be {wanted}. Put that "
    "right first; backward is looked at after."
)
ONE_TENSOR = Message("forward gives back {got}; it should be one Tensor.")
NUMBERS = Message("backward runs, but what it gives back differs from what finite differences say.")


@dataclass
class LayerTrial(Trial):
    """Run of a PyLayer, with its saved tensors and the return values of its methods."""

    others: Arrays = ()
    dy: Any = None
    expected_y: Any = None
    y: Any = None
    made: Any = NEVER
    saved: Any = None
    returned: Any = NEVER
    changed: set[str] = field(default_factory=set)
    dtypes: set[str] = field(default_factory=set)  # wrong dtypes of gradients for float32
    forward_names: set[str] = field(default_factory=set)  # of forward, which backward reads
    backward_names: set[str] = field(default_factory=set)  # all that backward reads

    @property
    def right(self) -> bool:
        """True if gradients are right, have their inputs' dtypes, and no tensor was changed."""
        return super().right and not self.changed and not self.dtypes

    @property
    def gradients(self) -> Arrays | None:
        """Gradients that backward returned, as arrays; None unless all are Tensors."""
        values = values_returned(self)
        tensors = all(isinstance(value, Tensor) for value in values)
        return arrays_of(tuple(values)) if tensors else None


class pylayer(Check):
    """Check that the answer is a PyLayer with the values and gradients of `reference`.

    `reference` is a function of Tensors; the learner sees the names of its arguments. `inputs` are
    as in `checks.function`. Gradients are compared with finite differences for a random dy. `save`
    and `take` are the solution's arguments of save_for_backward(...) and its target of
    saved_tensor(); hints show them.

    >>> from minipaddle.exercises import checks
    >>> check = checks.pylayer(lambda x: x * x, save="x", take="(x,)")
    """

    wrong = NUMBERS

    def __init__(
        self,
        reference: Callable[..., Any],
        inputs: Inputs = SHAPES,
        *,
        save: str = "...",
        take: str = "saved",
    ) -> None:
        self.reference, self.inputs = reference, inputs
        self.words = {"save": save, "take": take}
        self.names = names_of(reference)
        self.output = output_name(self.names)
        self.slips = (*FORM, other_number(len(self.names)), saved_elsewhere(reference))

    def refuse(self, answer: Any) -> Outcome | None:
        """Return the outcome of an answer that is no PyLayer or lacks a backward, else None."""
        known = facts(describe_layer, answer)
        if not known:
            return Wrong(NO_CLASS.fill(got=type(answer).__name__), slip="no_layer")
        return NotYet(NOTHING) if known["empty"] else None

    def facts(self, trial: Trial) -> dict[str, Any]:  # noqa: ARG002 - the same for every trial
        """Return the names that the solution saves and unpacks, for hints."""
        return self.words

    def first(self, trial: Trial) -> Outcome | None:
        """Return the outcome of a forward with wrong values, else None."""
        assert isinstance(trial, LayerTrial)
        given = tuple((name, trial.given[name]) for name in self.names)
        if trial.made is not NEVER and not isinstance(trial.made, Tensor | None):
            return Wrong(ONE_TENSOR.fill(got=form_of(trial.made)), given, slip="forward")
        if not isinstance(trial.y, Tensor):
            return None
        y = trial.y.numpy()
        if same(y, trial.expected_y):
            return None
        wanted, reason = trial.expected_y, FORWARD
        if y.shape != wanted.shape:
            shapes = {"got": str(list(y.shape)), "wanted": str(list(wanted.shape))}
            reason = FORWARD_SHAPE.fill(name=self.output, **shapes)
        return Wrong(reason, given, (Pair(self.output, wanted, y),), slip="forward")

    def samples(self, rng: np.random.Generator) -> Iterator[tuple[Arrays, int]]:
        """Yield dy with the inputs, and the number of gradients."""
        for arrays in draw(self.inputs, len(self.names), rng):
            [y] = right_values(self.reference, arrays)
            yield (np.round(rng.standard_normal(y.shape), 2), *arrays), len(self.names)

    def trials(self, answer: Any, rng: np.random.Generator) -> Iterator[LayerTrial]:
        """Yield a trial for each draw of inputs."""
        count = len(self.names)
        others = draw(self.inputs, count, np.random.default_rng(rng.integers(2**32)))
        for arrays, other in zip(draw(self.inputs, count, rng), others, strict=True):
            [y] = right_values(self.reference, arrays)
            dy = np.round(rng.standard_normal(y.shape), 2)
            gradients = [dx for dx in slopes(self.reference, arrays, (dy,)) if dx is not None]
            names = tuple(f"d{name}" for name in self.names)
            trial = LayerTrial(
                (dy, *arrays),
                {**dict(zip(self.names, arrays, strict=True)), f"d{self.output}": dy},
                dict(zip(names, gradients, strict=True)),
                compared=names,
                others=other,
                dy=dy,
                expected_y=y,
            )
            inputs = {name: trial.given[name] for name in self.names}
            trial.run_again = partial(run_once, answer, {}, inputs, dy)
            out = self.output
            trial.run_right = partial(forth_and_back, self.reference, {}, inputs, (out,), (dy,))
            seen = attempt(trial, apply, answer, arrays, other, dy)
            for name, value in seen.items():
                setattr(trial, name, value)
            if len(trial.gradients or ()) == len(names):
                trial.came = dict(zip(names, trial.gradients or (), strict=True))
                if any(trial.came[name].shape != dx.shape for name, dx in trial.expected.items()):
                    trial.error = None  # the outcome describes the difference instead
            yield trial


def run_once(layer: type[Any], _came: object, inputs: Mapping[str, Array], dy: Array) -> None:
    """Run the layer once, forward and backward."""
    layer.apply(*map(tensor, inputs.values(), inputs)).backward(tensor(dy))


def describe_layer(answer: Any, came: dict[str, Any]) -> None:
    """Note of a PyLayer whether its backward is empty; of anything else nothing."""
    if is_layer(answer):
        came["empty"] = is_stub(answer.backward)


def apply(
    layer: type[Any], came: dict[str, Any], inputs: Arrays, others: Arrays, dy: Array
) -> None:
    """Apply the layer, apply it to other inputs, then run backward of the first call.

    `came` gets the fields of a LayerTrial.
    """
    changed: set[str] = set()
    came |= {"forward_names": names_of_forward(layer), "backward_names": names_in_backward(layer)}

    def note(method: str, ctx: Any, made: Any) -> None:
        if method == "forward":
            came.update(made=made, saved=ctx.saved_tensor())
        else:
            came["returned"] = made

    try:
        came["y"] = y = watch_layer(layer, changed, note).apply(*map(tensor, inputs))
        layer.apply(*map(tensor, others))
        if isinstance(y, Tensor):
            y.backward(tensor(dy))
        with suppress(Exception):  # the reference may support no other dtype either
            came["dtypes"] = dtypes_for_float32(layer, inputs, dy)
    finally:
        came["changed"] = changed


def dtypes_for_float32(layer: type[Any], inputs: Arrays, dy: Any) -> set[str]:
    """Return the dtypes other than float32 of gradients for inputs of float32."""
    returned: list[Any] = []
    floats = [x.astype("float32") if x.dtype.kind == "f" else x for x in inputs]
    watched = watch_layer(layer, set(), lambda method, _, made: returned.append((method, made)))
    y = watched.apply(*map(tensor, floats))
    y.backward(tensor(dy.astype("float32")).astype(y.dtype))
    values = [value for method, made in returned if method == "backward" for value in as_list(made)]
    return {each.dtype.name for each in values if isinstance(each, Tensor)} - {"float32"}
