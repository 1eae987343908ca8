"""The formula of a step in the names that its sentence uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import Any

from . import formulas, op_facts
from .sentences.wording import Thing, d

Things = Sequence[Thing | None]


def formula(op: str, attrs: Mapping[str, Any], inputs: Things, outputs: Things) -> str:
    """What the op computes, in the names of what went in and came out."""
    text = op_facts.rule(op, attrs, "formula")
    return formulas.computed(counted(text, inputs, outputs), tokens(op, attrs, inputs, outputs))


def grad_formula(
    op: str,
    attrs: Mapping[str, Any],
    inputs: Things,
    outputs: Things,
    missing: Iterable[int] = (),
    called: Callable[[str], str] = d,
) -> str:
    """How its gradients follow; not those of the inputs, by number, that need none."""
    names = tokens(op, attrs, inputs, outputs)
    names |= {f"d{token}": called(name) for token, name in names.items()}
    given = op_facts.input_names(op)
    forward, text = (
        counted(op_facts.rule(op, attrs, which), inputs, outputs)
        for which in ("formula", "grad_formula")
    )
    text = formulas.wanted(text, {f"d{given[i]}" for i in missing if i < len(given)})
    return formulas.filled(text, names, forward)


def tokens(op: str, attrs: Mapping[str, Any], inputs: Things, outputs: Things) -> dict[str, str]:
    """Which name stands for which token of the op's formulas."""
    found: list[tuple[str, Thing | None]] = []
    given, made = op_facts.input_names(op), op_facts.output_names(op)
    if len(given) == len(inputs):
        found += zip(given, inputs, strict=True)
    left = re.match(r"[a-z]+(?=ᵢ?(\[\w+\])? [=~])", op_facts.rule(op, attrs, "formula"))
    if len(made) == len(outputs):
        found += zip(made, outputs, strict=True)
        if left and left.group() not in made:
            found.append((left.group(), outputs[0]))
    return {token: thing.called for token, thing in found if thing is not None}


def counted(text: str, inputs: Things, outputs: Things) -> str:
    """The formula with the number of elements that become one, where it speaks of n."""
    shapes = [thing.shape for thing in (*inputs[:1], *outputs[:1]) if thing]
    sizes = [prod(shape) for shape in shapes if shape is not None and min(shape, default=1) > 0]
    if not inputs or len(sizes) < 2:
        return text
    return formulas.replaced(text, {"n": str(sizes[0] // sizes[1])})
