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
from ..trials import Arrays, Inputs, draw, facts, is_stub
from .check import NOTHING
from .functions import forth_and_back, function

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
        self.drive, self.further = layer_forth_and_back, (tuple(self.parameters),)

    def refuse(self, answer: Any) -> Outcome | None:
        """Return the outcome of an answer that is no layer with these parameters, else None."""
        known = facts(describe_layer, answer)
        if "parameters" not in known:
            got = THE_CLASS if known["a class"] else type(answer).__name__
            return Wrong(NO_LAYER.fill(got=got), slip="no_layer")
        if known["empty"]:
            return NotYet(NOTHING)
        there = {name: tuple(shape) for name, shape in known["parameters"].items()}
        if there != self.parameters:
            words = PARAMETERS.fill(got=shapes_text(there), wanted=shapes_text(self.parameters))
            return Wrong(words, slip="parameters")
        return None

    def arguments(self, rng: np.random.Generator) -> Iterator[dict[str, Array]]:
        """Yield draws of inputs and parameters by name."""
        for arrays in draw(self.inputs, len(self.names) - len(self.parameters), rng):
            inputs = dict(zip(self.names, arrays, strict=False))
            inputs |= {
                name: np.round(rng.standard_normal(shape), 2)
                for name, shape in self.parameters.items()
            }
            yield {name: inputs[name] for name in self.names}  # names in the reference's order


def describe_layer(answer: Any, came: dict[str, Any]) -> None:
    """Note the parameters of a layer with their shapes, and whether its forward is empty."""
    came["a class"] = isinstance(answer, type) and issubclass(answer, Layer)
    if isinstance(answer, Layer):
        came["empty"] = is_stub(type(answer).forward)
        came["parameters"] = {name: [*p.shape] for name, p in parameters_by_name(answer).items()}


def layer_forth_and_back(
    answer: Layer,
    came: dict[str, Array],
    inputs: Mapping[str, Array],
    names: tuple[str, ...],
    douts: Arrays,
    parameters: tuple[str, ...],
) -> None:
    """Do as `forth_and_back` with a copy of the layer that has these inputs as parameters."""

    def call(*tensors: Tensor) -> Any:
        layer, given = copy.deepcopy(answer), dict(zip(inputs, tensors, strict=True))
        for name in parameters:
            put(layer, name, given.pop(name))
        return layer(*given.values())

    forth_and_back(call, came, inputs, names, douts)


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
