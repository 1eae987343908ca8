"""Computations of single steps, whose elements can be followed both ways.

A `Computation` has operands and results. Its derivative at some values is a `Map`: `back` takes
gradients of the results to the operands, `ahead` takes changes of the operands to the results. The
derivative of an op is its gradient rule. A gradient rule is itself a computation, and so are the
ops inside a user's function: the tape differentiates both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minipaddle.ops.bound import apply_transposed, functions_for

from ..document.values import flatten
from ..whatif.datum import Datum, flat, map_nested
from ..whatif.replay import Call
from ..whatif.revive import DRAWS_A_MASK, by_mask, forward_of
from .linear_maps import (
    Map,
    NotLinear,
    Row,
    RuleMap,
    attempt,
    constant_of,
    size,
    widen,
    widen_attributes,
)

STEP = 2.0**-17  # step of finite differences
MOST = 4096  # maximum size of an operand whose elements are tried one by one
FAR = 1e3  # multiple of the largest number that replaces infinity and NaN, which would spread


class Computation:
    """Results computed from operands, arrays in one row; None for an absent one.

    Floating arrays are float64. `followed`: whether each operand has a gradient; `drawn`: operands
    that an op drew, such as a mask, and that are never others; `linear`: the
    operands in which all results are jointly linear, or None if that has to be tested.
    """

    operands: list[Any]
    results: list[Any]
    followed: list[bool]
    drawn: Sequence[int] = ()
    linear: list[int] | None = None

    def at(self, values: Row) -> Map:
        """Return the derivative at these values of the operands."""
        raise NotImplementedError

    def compute(self, values: Row) -> list[Any]:
        """Return the results at these values of the operands."""
        raise NotImplementedError

    def beside(self, share: float) -> list[Any]:
        """Return operands with generic values, `share` of their size away from the real ones."""
        rows = enumerate(zip(self.operands, shifted(self.operands, share), strict=True))
        return [real if at in self.drawn else moved for at, (real, moved) in rows]


class OpComputation(Computation):
    """A call of an op."""

    def __init__(self, call: Call) -> None:
        if call.op is None or call.attrs is None:
            raise NotLinear("unknown")
        self.call, self.op = call, call.op
        self.operands = [widened_array(each) for each in flatten(call.inputs)]
        self.results = [widened_array(each) for each in call.outputs]
        self.followed = [is_floating(each) for each in self.operands]
        self.attrs = widen_attributes(call.attrs)
        self.draws_mask = self.op.name in DRAWS_A_MASK and len(call.outputs) == 2

    def at(self, values: Row) -> Map:
        values = [finite(each) for each in values]
        outs = [Datum(finite(each)) for each in self.compute(values)]
        inputs = [map_nested(Datum, each) for each in self.arguments(values)]
        rule = RuleMap(Call(0, self.op, self.call.attrs, inputs, outs), self.followed)
        floats = [slot for slot, each in enumerate(self.results) if is_floating(each)]
        others = [slot for slot in floats if slot not in rule.slots]
        return PartlyByRule(rule, Differences(self, values, others)) if others else rule

    def compute(self, values: Row) -> list[Any]:
        if self.draws_mask:
            mask = self.results[1]
            return [*by_mask(self.op, self.attrs)(values[0], mask), mask]
        if self.op.random:
            return self.results
        if self.op.remote and len(self.attrs["ranks"]) > 1:
            raise NotLinear("ranks")
        kernel = forward_of(self.op, self.attrs, checked=False)
        with np.errstate(all="ignore"):
            return [np.asarray(each) for each in attempt(lambda: kernel(*self.arguments(values)))]

    def arguments(self, values: Row) -> list[Any]:
        """Return operands as the kernel takes them, the last ones in a list where it takes one."""
        first = len(self.op.inputs) - 1
        return [*values[:first], [*values[first:]]] if self.op.takes_list else [*values]


class FunctionComputation(Computation):
    """A function `function(F, values)` of arrays, or of Tensors recorded by the engine's tape."""

    def __init__(
        self,
        function: Callable[[Any, Row], Row],
        operands: Row,
        linear: Sequence[int] | None = None,
    ) -> None:
        self.function, self.operands = function, [*operands]
        self.linear = None if linear is None else [*linear]
        self.followed = [is_floating(each) for each in operands]
        self.results = self.compute(operands)

    def at(self, values: Row) -> TapeMap:
        return TapeMap(self.function, [finite(each) for each in values])

    def compute(self, values: Row) -> list[Any]:
        F = functions_for(flat(values))
        with np.errstate(all="ignore"):
            return [*attempt(lambda: self.function(F, values))]


class TapeMap(Map):
    """The derivative of a function at some values: gradients of its results back to them."""

    def __init__(self, function: Callable[[Any, Row], Row], values: Row) -> None:
        self.function, self.values = function, [*values]

    def run(self, F: Any, arrived: Row) -> Row:  # noqa: ARG002
        floats = [at for at, each in enumerate(self.values) if is_floating(each)]

        def function(F: Any, tensors: Row) -> Row:
            wrap, found = constant_of(tensors), dict(zip(floats, tensors, strict=True))
            rows = enumerate(self.values)
            return self.function(
                F, [found[at] if at in found else map_nested(wrap, v) for at, v in rows]
            )

        grads = apply_transposed(function, [self.values[at] for at in floats], arrived)
        by_place = dict(zip(floats, grads, strict=True))
        return [by_place.get(at) for at in range(len(self.values))]


def of_rule(
    rule: RuleMap, arrived: Row, needs: Sequence[bool], summed: bool
) -> FunctionComputation:
    """Return the run of a gradient rule: `needs` says for which inputs gradients are wanted.

    The operands are the gradients that arrive and the values that the rule reads. Unless `summed`,
    the results have the shapes to which the inputs were broadcast.
    """
    count = len(arrived)
    call = rule.gradient.apply if summed else rule.gradient.before_sums

    def function(F: Any, values: Row) -> Row:
        rest = iter(values[count:])
        read = [map_nested(lambda _: next(rest), each) for each in rule.read]
        grads = call(F, (*read, *rule.arrivals(values[:count])), plainly=True)
        return [grad if need else None for grad, need in zip(grads, needs, strict=False)]

    run = FunctionComputation(function, [*arrived, *flat(rule.read)], present(arrived))
    if rule.op.name in DRAWS_A_MASK:  # all that their rules read
        run.drawn = range(count, len(run.operands))
    return run


def present(row: Row) -> list[int]:
    """Return the places of the elements that are not None."""
    return [at for at, each in enumerate(row) if each is not None]


class UpdateComputation(Computation):
    """An update of a parameter by its gradient.

    If the learning rate is an array, as in a Program, it is an operand; so is the rule's state,
    which is then a result, too. Else the state does not change.
    """

    def __init__(self, update: Any, param: Any, grad: Any, rate: Any) -> None:
        self.update, self.rate = update, rate
        update.state = tuple(map_nested(widen, part) for part in update.state)
        more = [rate, *update.state] if isinstance(rate, np.ndarray) else []
        self.operands = [param, grad, *more]
        self.followed = [is_floating(each) for each in self.operands]
        self.results = self.compute(self.operands)

    def compute(self, values: Row) -> list[Any]:
        param, grad, *more = (each.copy() for each in values)
        update, rate = self.update.copy(), self.rate
        if more:
            rate, update.state = more[0].item(), tuple(more[1:])
        with np.errstate(all="ignore"):
            made = update.change(param, grad, rate)
        return [*made] if more else [param]

    def at(self, values: Row) -> Map:
        return Differences(self, values, range(len(self.results)))


class Differences(Map):
    """Derivative of some results of a computation by finite differences, for want of a rule."""

    def __init__(self, run: Computation, values: Row, slots: Sequence[int]) -> None:
        self.computation, self.values, self.slots = run, [*values], slots

    def back(self, arrived: Row) -> list[Any]:
        return [self.back_to(at, arrived) for at in range(len(self.values))]

    def back_to(self, place: int, arrived: Row) -> Any:
        """Return the gradient by one operand."""
        value = self.values[place]
        slots = [slot for slot in self.slots if arrived[slot] is not None]
        if not (slots and self.computation.followed[place]):
            return None
        if all(self.is_elementwise(place, slot) for slot in slots):
            found = self.ahead((), {place: np.ones_like(value)})
            return sum(arrived[slot] * found[slot] for slot in slots)
        if value.size > MOST:
            raise NotLinear("many")
        grad = np.zeros_like(value)
        for at in np.ndindex(value.shape):
            change = np.zeros_like(value)
            change[at] = 1.0
            found = self.ahead((), {place: change})
            grad[at] = sum((arrived[slot] * found[slot]).sum() for slot in slots)
        return grad

    def is_elementwise(self, place: int, slot: int) -> bool:
        """Return whether each element of an operand affects only the result at its own place."""
        value = self.values[place]
        if value.shape != self.computation.results[slot].shape:
            return False
        mask = np.random.default_rng(0).random(value.shape) < 0.5
        moved = [np.where(mask, 1.5 * v + 1.0, v) if v is value else v for v in self.values]
        one, other = (self.computation.compute(row)[slot] for row in (self.values, moved))
        return bool(np.array_equal(one[~mask], other[~mask], equal_nan=True))

    def ahead(self, arrived: Row, changes: Mapping[int, Any]) -> list[Any]:  # noqa: ARG002
        rows = (
            [v + h * changes[at] if at in changes else v for at, v in enumerate(self.values)]
            for h in (STEP, -STEP)
        )
        pairs = enumerate(zip(*map(self.computation.compute, rows), strict=True))
        return [(a - b) / (2 * STEP) if slot in self.slots else None for slot, (a, b) in pairs]


class PartlyByRule(Map):
    """Derivative of an op of which the rule knows only some results, as of batch norm."""

    def __init__(self, rule: RuleMap, others: Differences) -> None:
        self.rule, self.others = rule, others

    def back(self, arrived: Row) -> list[Any]:
        graded = [grad if slot in self.rule.slots else None for slot, grad in enumerate(arrived)]
        by_rule: list[Any] = [None] * len(self.others.values)
        if any(grad is not None for grad in graded):
            by_rule = self.rule.back(graded)
        rows = zip(by_rule, self.others.back(arrived), strict=True)
        return [a if b is None else b if a is None else a + b for a, b in rows]

    def ahead(self, arrived: Row, changes: Mapping[int, Any]) -> list[Any]:
        maps = self.rule, self.others
        rows = zip(*(each.ahead(arrived, changes) for each in maps), strict=True)
        return [a if b is None else b for a, b in rows]


# ----- arrays ------------------------------------------------------------------------------------


def widened_array(datum: Any) -> Any:
    """Return the array, in float64 if it is floating; raise NotLinear if it was not recorded."""
    if datum is None:
        return None
    if datum.array is None:
        raise NotLinear("large")
    return widen(datum.array)


def is_floating(array: Any) -> bool:
    return array is not None and array.dtype.kind == "f"


def scale_of(array: Any) -> float:
    """Return the largest finite magnitude, or 1 if it is 0 or there is none."""
    return size(array) or 1.0


def shifted(arrays: Row, share: float) -> list[Any]:
    """Return arrays with floating elements moved by random amounts up to `share` of the largest."""
    draw = np.random.default_rng(0)
    row = []
    for each in arrays:
        if is_floating(each):
            moves = draw.uniform(0.5, 1.0, each.shape)
            each = np.asarray(each + share * scale_of(each) * moves)
        row.append(each)
    return row


def finite(array: Any) -> Any:
    """Return an array with large numbers in place of infinity and NaN."""
    if not is_floating(array) or np.isfinite(array).all():
        return array
    large = FAR * scale_of(array)
    return np.nan_to_num(array, nan=2 * large, posinf=large, neginf=-large)
