"""Problems with numbers: the first NaN, and the first infinity computed from finite numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.events import Seen
from minipaddle.messages import Message

from ...document.variable_names import tensors_of
from ...model import Problem, Shown, Step
from ...story.chapters import Chapter, Recorded
from ...story.first_nan import COMPUTED, about_origin, count_of
from ...story.sentences.wording import combine, digits
from ...whatif.numbers import array_of
from .reading import Reading

Test = Callable[[Any], Any]  # np.isnan or np.isinf

ENDLESS = ("inf", "-inf")  # recorded attributes that are infinite
ARRIVES = frozenset({"input", "saved", "grad_in", "before", "zeros"})

INFINITE = Message(
    "All that went in was finite, and {count} of {size} elements of {x} came out infinite."
)
CLEAN = Message("Look at the data before it comes in: paddle.isfinite(x).all().")
# op -> advice that keeps its results finite
ADVICE = {
    "log": Message(
        "log needs numbers above 0: take paddle.log(paddle.clip(..., 1e-6)), or a loss that takes "
        "logits."
    ),
    "sqrt": Message(
        "sqrt needs numbers above 0, and at 0 its slope is infinite: take paddle.sqrt(... + 1e-6)."
    ),
    "divide": Message("Keep the divisor away from 0, for example by adding 1e-6 to it."),
    "exp": Message(
        "exp has no room for large numbers: subtract the largest first, as softmax does, or take "
        "paddle.logsumexp(...) for the logarithm of their sum."
    ),
}
ADVICE["rsqrt"], ADVICE["reciprocal"] = ADVICE["sqrt"], ADVICE["divide"]
LOOK = Message("Look at the numbers that go in at this step: they may have grown too large.")
MADE_OF = Message("It is the result of {a} {sign} {b}: look where these two come from.")
SIGNS = {"add": "+", "subtract": "−", "multiply": "·", "divide": "/"}
EMPTY = Message(
    "{op} got a tensor without elements, {shape}, and 0 / 0 is no number: look at what selects the "
    "elements, and leave the step out where it selects none."
)
ENDLESS_BOTH = Message("{x} had become infinite in {op}, and inf / inf is no number.")


def find_first_nan(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first NaN of the trace, whether computed or given."""
    for chapter in reading.chapters:
        at = chapter.trace.story.odd.get("nan")
        if at is None:
            continue
        step = chapter.trace.story.steps[at]
        shown = next(each for each in step.shown if count_of(each, "nan"))
        text = about_origin(shown, "NaN", count_of(shown, "nan"))
        todo = advise_on_op(reading, chapter, step, np.isnan) if shown.role in COMPUTED else CLEAN
        yield Problem("nan", chapter.first + at, box_of(reading, chapter, step, shown), text, todo)
        return


def find_first_infinity(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first infinity that was computed from finite numbers.

    An infinity that the user passed to the op, as for a mask, is no problem.
    """
    if not any("inf" in chapter.trace.story.odd for chapter in reading.chapters):
        return
    seen = False  # whether an earlier infinity may have been saved for backward
    for chapter in reading.chapters:
        for step in chapter.trace.story.steps:
            shown = first_infinite_result(step)
            known = seen and step.phase == "backward"
            if shown is None or known or is_passed_by_user(reading, chapter, step):
                seen = seen or any(count_of(each, "inf") for each in step.shown)
                continue
            size = (shown.value or {})["stats"]["size"]
            count = count_of(shown, "inf")
            text = INFINITE.fill(x=shown.name, count=str(count), size=str(size))
            node = box_of(reading, chapter, step, shown)
            todo = advise_on_op(reading, chapter, step, np.isinf)
            yield Problem("inf", chapter.first + step.index, node, text, todo)
            return


def first_infinite_result(step: Step) -> Shown | None:
    """Return the first infinite result of a step whose inputs are finite, or None."""
    went_in = [shown for shown in step.shown if shown.role in ARRIVES and shown.value]
    if not went_in or any(count_of(x, "inf") or count_of(x, "nan") for x in went_in):
        return None
    made = (shown for shown in step.shown if shown.role in COMPUTED)
    return next((shown for shown in made if count_of(shown, "inf")), None)


def is_passed_by_user(reading: Reading, chapter: Chapter[Recorded], step: Step) -> bool:
    """Return whether the op was called with an infinity, as `full_like(x, -inf)` is for a mask."""
    call = reading.call_of(chapter, reading.box(chapter, step.index) or "")
    return call is not None and any(value in ENDLESS for value in call.attrs.values())


def has_infinity(seen: Seen) -> bool:
    """Return whether a tensor has infinite elements."""
    return bool((seen.value.data.get("stats") or {}).get("inf"))


def box_of(reading: Reading, chapter: Chapter[Recorded], step: Step, shown: Shown) -> str | None:
    return shown.node or reading.box(chapter, step.index)


def advise_on_op(reading: Reading, chapter: Chapter[Recorded], step: Step, is_odd: Test) -> Message:
    """Return advice that keeps an op's results finite; `is_odd` finds those that are not."""
    nodes = {node.id: node for node in chapter.trace.story.graph.nodes}
    name = reading.box(chapter, step.index)
    node = nodes.get(name or "")
    partner = nodes.get(node.pair or "") if node and node.lane == "backward" else node
    call = reading.call_of(chapter, partner.id) if partner else None
    if call is None:
        return LOOK
    empty = next((seen for seen in tensors_of(call.inputs) if 0 in seen.value.shape), None)
    if empty is not None:
        return EMPTY.fill(op=call.op, shape=str(list(empty.value.shape)))
    divided = [shown for shown in step.shown if shown.role == "input"]
    if call.op == "divide" and len(divided) == 2 and all(count_of(x, "inf") for x in divided):
        source = origin_of_infinity(chapter, call)
        cause = ENDLESS_BOTH.fill(x=divided[0].name, op=source)
        todo = ADVICE.get(source, LOOK)
        return combine(cause, todo) if source else first_operands(call, is_odd) or LOOK
    said = [each for each in (first_operands(call, is_odd), ADVICE.get(call.op)) if each]
    return combine(*said) if said else LOOK


def first_operands(call: events.OpFinished, is_odd: Test) -> Message | None:
    """Return from which two numbers an op of two tensors first made an odd one."""
    if call.op not in SIGNS:
        return None
    arrays = [array_of(seen.value) for seen in (*call.inputs, *call.outputs)]
    if any(array is None for array in arrays):  # only statistics were stored
        return None
    *pair, made = np.broadcast_arrays(*arrays)
    is_first = is_odd(made) & ~is_odd(pair[0]) & ~is_odd(pair[1])
    for index in np.argwhere(is_first)[:1]:
        a, b = (digits(array[tuple(index)].item()) for array in pair)
        return MADE_OF.fill(a=a, sign=SIGNS[call.op], b=f"({b})" if b.startswith("−") else b)
    return None


def origin_of_infinity(chapter: Chapter[Recorded], call: events.OpFinished) -> str:
    """Return the op in which an input of a call became infinite, or "" if it was given so."""
    calls = (event for event in chapter.trace.events if isinstance(event, events.OpFinished))
    made = {out.id: each for each in calls for out in each.outputs}
    seen = next(filter(has_infinity, tensors_of(call.inputs)), None)
    while seen is not None and seen.id in made and made[seen.id].call < call.call:
        call = made[seen.id]
        seen = next(filter(has_infinity, tensors_of(call.inputs)), None)
        if seen is None:
            return call.op
    return ""
