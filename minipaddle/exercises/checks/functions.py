"""Functions and losses: their values and their gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from ... import Tensor
from ...messages import Message
from ..outcomes import Array, Outcome
from ..trials import (
    SHAPES,
    Arrays,
    Drive,
    Inputs,
    Slip,
    Trial,
    array_of,
    attempt,
    draw,
    names_of,
    output_name,
    right_values,
    slopes,
    tensor,
)
from .check import Check, refuse_function


def values_alone(trial: Trial) -> bool:
    """Return whether the values are right and every gradient is missing."""
    gradients = trial.expected.keys() - set(trial.compared)
    right = Trial(expected={name: trial.expected[name] for name in trial.compared}, came=trial.came)
    none_came = bool(gradients) and not gradients & set(trial.came)
    return trial.error is None and right.right and none_came


NO_RETURN = Slip(
    "no_return",
    seen=lambda trial: not (trial.error or trial.came),
    hint=Message("The function gives nothing back. Its last line must return the result."),
)
CUT_OFF = Slip(
    "cut_off",
    seen=values_alone,
    hint=Message(
        "The values are right, but no gradient comes back. Stay with paddle's "
        "functions: .numpy(), detach(), no_grad() and Python numbers cut the "
        "graph."
    ),
)


class function(Check):
    """Check that the answer is a function or loss with the values and gradients of `reference`.

    `reference` is a function of Tensors; the learner sees the names of its arguments. `inputs` are
    shapes, one for all arguments or a tuple of them, or a function that draws arrays from a
    random generator. With gradients=False only values are compared.

    >>> from minipaddle.exercises import checks
    >>> check = checks.function(lambda x, y: ((x - y) ** 2).mean(), inputs=[(3,), (2, 2)])
    """

    slips = (NO_RETURN, CUT_OFF)

    def __init__(
        self, reference: Callable[..., Any], inputs: Inputs = SHAPES, *, gradients: bool = True
    ) -> None:
        self.reference, self.inputs, self.gradients = reference, inputs, gradients
        self.names = names_of(reference)
        self.drive: Drive = forth_and_back
        self.further: tuple[Any, ...] = ()  # arguments of `drive`

    def refuse(self, answer: Any) -> Outcome | None:
        """Return the outcome of an answer that cannot be called, else None."""
        return refuse_function(answer, self.names)

    def trials(self, answer: Any, rng: np.random.Generator) -> Iterator[Trial]:
        """Yield a trial for each draw of inputs."""
        for inputs in self.arguments(rng):
            yield self.run_trial(answer, inputs, rng)

    def arguments(self, rng: np.random.Generator) -> Iterator[dict[str, Array]]:
        """Yield draws of the reference's arguments, by their names."""
        for arrays in draw(self.inputs, len(self.names), rng):
            yield dict(zip(self.names, arrays, strict=True))

    def samples(self, rng: np.random.Generator) -> Iterator[tuple[Arrays, int]]:
        """Yield arguments of the reference, and the number of values that it returns."""
        for inputs in self.arguments(rng):
            arrays = tuple(inputs.values())
            yield arrays, len(right_values(self.reference, arrays))

    def run_trial(
        self, answer: Callable[..., Any], inputs: Mapping[str, Array], rng: np.random.Generator
    ) -> Trial:
        """Run the answer once, forward and backward."""
        arrays = tuple(inputs.values())
        values = right_values(self.reference, arrays)
        y = output_name(inputs)
        names = (y,) if len(values) == 1 else tuple(f"{y}{n}" for n in range(len(values)))
        douts = tuple(np.round(rng.standard_normal(y.shape), 2) for y in values)
        trial = Trial(arrays, dict(inputs), dict(zip(names, values, strict=True)), compared=names)
        if self.gradients:
            trial.given |= {f"d{name}": dy for name, dy in zip(names, douts, strict=True)}
            found = zip(inputs, slopes(self.reference, arrays, douts), strict=True)
            trial.expected |= {f"d{name}": dx for name, dx in found if dx is not None}

        given = (dict(inputs), names, douts if self.gradients else (), *self.further)
        trial.run_again = partial(self.drive, answer, {}, *given)
        trial.run_right = partial(forth_and_back, self.reference, {}, *given[:3])
        trial.came = attempt(trial, self.drive, answer, *given)
        return trial


def forth_and_back(
    answer: Callable[..., Any],
    came: dict[str, Array],
    inputs: Mapping[str, Array],
    names: tuple[str, ...],
    douts: Arrays,
) -> None:
    """Call the answer, run backward with these gradients, and store the results by name."""
    tensors = {name: tensor(x, name) for name, x in inputs.items()}
    outputs = outputs_of(answer(*tensors.values()))
    extra = (f"{output_name(inputs)}{n}" for n in range(len(names), len(outputs)))
    came |= dict(zip((*names, *extra), map(array_of, outputs), strict=False))
    for number, (y, dy) in enumerate(zip(outputs, douts, strict=False)):
        if isinstance(y, Tensor) and not y.stop_gradient and list(y.shape) == list(dy.shape):
            y.backward(tensor(dy), retain_graph=number + 1 < len(outputs))
    for name, x in tensors.items():
        if x.grad is not None:
            came[f"d{name}"] = x.grad.numpy()


def outputs_of(made: Any) -> list[Any]:
    """Return the outputs of an answer as a list: [] for None, all items of a tuple with Tensors."""
    if isinstance(made, tuple | list) and any(isinstance(each, Tensor) for each in made):
        return list(made)
    return [] if made is None else [made]
