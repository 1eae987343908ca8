"""Layers: their outputs and the gradients of inputs and parameters."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ... import Tensor
from ...messages import Message
from ...nn import Layer
from ..outcomes import Array, NotYet, Outcome, Wrong
from ..trials import Inputs, Trial, draw, is_stub
from .check import NOTHING
from .functions import function

NO_LAYER = Message(
    "A layer is asked for: an object whose class derives from paddle.nn.Layer. This is {got}."
)
THE_CLASS = Message("the class itself: make a layer of it, with ()")
PARAMETERS = Message("The layer's parameters are {got}; they should be {wanted}.")
NONE = Message("none")


class layer(function):
    """Check that the answer is a Layer with the parameters, outputs and gradients of `reference`.

    `reference` is a function of the inputs and of the parameters, by their names; `parameters`
    has their shapes. A parameter of a sublayer is named as in fc_weight.

    >>> from minipaddle.exercises import checks
    >>> check = checks.layer(
    ...     lambda x, weight: x @ weight, parameters={"weight": [3, 2]}, inputs=[(4, 3)]
    ... )
    """

    def __init__(
        self,
        reference: Callable[..., Any],
        parameters: Mapping[str, Sequence[int]],
        inputs: Inputs,
        *,
        gradients: bool = True,
    ) -> None:
        super().__init__(reference, inputs, gradients=gradients)
        self.parameters = {name: tuple(shape) for name, shape in parameters.items()}

    def refuse(self, answer: Any) -> Outcome | None:
        """Return the outcome of an answer that is no layer with these parameters, else None."""
        if not isinstance(answer, Layer):
            is_class = isinstance(answer, type) and issubclass(answer, Layer)
            got = THE_CLASS if is_class else type(answer).__name__
            return Wrong(NO_LAYER.fill(got=got), slip="no_layer")
        if is_stub(type(answer).forward):
            return NotYet(NOTHING)
        there = {name: tuple(p.shape) for name, p in parameters_by_name(answer).items()}
        if there != self.parameters:
            words = PARAMETERS.fill(got=shapes_text(there), wanted=shapes_text(self.parameters))
            return Wrong(words, slip="parameters")
        return None

    def trials(self, answer: Any, rng: np.random.Generator) -> Iterator[Trial]:
        """Yield a trial for each draw of inputs and parameters."""
        for given in self.arguments(rng):
            yield self.run_trial(lambda *tensors: self.call_with(answer, tensors), given, rng)

    def arguments(self, rng: np.random.Generator) -> Iterator[dict[str, Array]]:
        """Yield draws of inputs and parameters by name."""
        for arrays in draw(self.inputs, len(self.names) - len(self.parameters), rng):
            inputs = dict(zip(self.names, arrays, strict=False))
            inputs |= {
                name: np.round(rng.standard_normal(shape), 2)
                for name, shape in self.parameters.items()
            }
            yield {name: inputs[name] for name in self.names}  # names in the reference's order

    def call_with(self, answer: Layer, tensors: tuple[Tensor, ...]) -> Any:
        """Call the layer with these Tensors as inputs and parameters."""
        layer, inputs = copy.deepcopy(answer), dict(zip(self.names, tensors, strict=True))
        for name in self.parameters:
            put(layer, name, inputs.pop(name))
        return layer(*inputs.values())


def parameters_by_name(layer: Layer) -> dict[str, Any]:
    """Return a layer's parameters by names that arguments can have: `fc.weight` is fc_weight."""
    return {name.replace(".", "_"): p for name, p in layer.named_parameters()}


def put(layer: Layer, wanted: str, value: Tensor) -> None:
    """Replace a parameter of a layer by this Tensor."""
    path = next(path for path, _ in layer.named_parameters() if path.replace(".", "_") == wanted)
    *owners, name = path.split(".")
    owner: Any = layer
    for part in owners:
        owner = getattr(owner, part)
    del owner._parameters[name]
    object.__setattr__(owner, name, value)


def shapes_text(parameters: Mapping[str, tuple[int, ...]]) -> str | Message:
    """Return names and shapes as text."""
    rows = (f"{name} {list(shape)}" for name, shape in sorted(parameters.items()))
    return ", ".join(rows) or NONE
