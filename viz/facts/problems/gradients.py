"""Problems with gradients: wrong ones, missing ones, and ones left over from an old round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from minipaddle import events
from minipaddle.engine.reasons import RESULT_STOPPED, THE_LOSS, WORDINGS, Reason
from minipaddle.events import Seen
from minipaddle.messages import SENTENCES, Message, Row, Text

from ...document.op_facts import facts, gradless
from ...model import Problem
from ...story import ids
from ...story.finite_differences import first_three, sentence_about
from .reading import Cut, Leaf, Reading, Spot

STEPPED = frozenset({"round", "floor", "ceil", "sign", "trunc"})  # slope 0 almost everywhere
MOST = 20  # maximum number of leaves without gradient that are reported
ASKED_WHETHER = re.compile(r"\.grad\s*(is\b|[!=]=)")  # code that only compares a gradient
UNWANTED = {Reason.STOP_GRADIENT, Reason.INTEGER, Reason.NO_BACKWARD}

CHECK_BACKWARD = Message(
    "Derive this gradient from forward once more; paddle.testing.check_grad({name}.apply, [...]) "
    "compares it element by element. It may differ on purpose, as where gradients are reversed."
)
SET_BY_HAND = Message("{x}.stop_gradient = True cuts the path to {leaf}.")
LET_WANT = WORDINGS[Reason.STOP_GRADIENT].advice
IDLE = Message(
    "backward() did nothing: {x} wants no gradient, and no leaf recorded before it does."
)
CUT_BEFORE = Message("backward() did nothing: {x} wants no gradient, although {leaf} does: {cause}")
REBUILT = Message(
    "backward() did nothing: {x} wants no gradient, for it was computed from {made}. That is a new "
    "tensor, which the update by hand made without history and with stop_gradient = True."
)
STAY_LEAF = Message(
    "A parameter must stay the leaf that it is. Change it in place in `with paddle.no_grad():`, as "
    "w.subtract_(lr * w.grad) does; `w -= ...` and `w = w - ...` make a new tensor."
)
UNUSED = Message("{optimizer} holds {x}, and never had a gradient for it: no recorded op uses it.")
CALL_IT = Message(
    "Call its layer in forward. If it is not needed, leave it out of the "
    "network or of the optimizer's parameters."
)
COPIED = Message(
    "{x}.grad is None at the end: {copy} has the very numbers of {of} but not their history, as "
    "where a tensor goes through NumPy; no gradient passes there."
)
COMPUTED_BY = Message("what {layer} computed")
TAKE_ITSELF = Message(
    "Use the tensor itself, not a copy of its numbers: numpy(), item() and "
    "to_tensor() cut the history."
)
ASKED = Message("{x}.grad, read in line {line} after this step, is None. {cause}")
CARRIED = Message(
    "Added to what an earlier pass had left in the gradient of {x}, although "
    "an update came in between."
)
CLEAR = Message(
    "Call clear_grad() of every optimizer after each step(), or x.clear_grad() where there is none."
)


def find_wrong(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for each input of a PyLayer whose gradient disagrees with its finite
    difference."""
    reported = set()
    for first, checks in reading.trace.checks.items():
        chapter = next(each for each in reading.chapters if each.first == first)
        story = chapter.trace.story
        for (step, place), outcome in checks.items():
            shown = story.steps[step].shown[place]
            probe = shown.probe
            if outcome.agrees is not False or probe.whole or (probe.name, probe.index) in reported:
                continue
            flat = outcome.slopes is not None and not outcome.slopes.any()
            if flat and any(op.op in STEPPED or gradless(op.op) for op in probe.ops):
                continue  # a substitute for a gradient that is 0 everywhere, as that of round()
            reported.add((probe.name, probe.index))
            text = sentence_about(outcome, probe, shown.name)
            node = shown.node or reading.box(chapter, step)
            todo = CHECK_BACKWARD.fill(name=probe.name)
            yield Problem("wrong_gradient", first + step, node, text, todo)


def find_idle(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first backward() that had nothing to do."""
    idle = [(at, event) for at, event in reading.of(events.BackwardStarted) if not event.edges]
    for at, event in idle[:1]:
        roots = map(reading.name, event.roots)
        wanting = [leaf.first for leaf in reading.leaves.values() if leaf.used < at]
        x = next(iter([*map(Text, reading.called(at)), *roots]), THE_LOSS)
        cuts = (reading.cut(root.id) for root in event.roots)
        cut = next(filter(None, cuts), None)
        if cut is not None and reading.is_rebuilt(cut.made.id):
            text, todo = REBUILT.fill(x=x, made=reading.name(cut.made)), STAY_LEAF
        elif cut is not None or wanting:
            leaf = reading.name(cut.wanting if cut is not None else wanting[-1])
            cause, todo = cause_of_cut(reading, cut)
            text = CUT_BEFORE.fill(x=x, leaf=leaf, cause=cause)
        else:
            text, todo = IDLE.fill(x=x), LET_WANT
        yield reading.problem("no_gradient", at, text, todo)


def cause_of_cut(reading: Reading, cut: Cut | None) -> tuple[Message, Message]:
    """Return the reason why the history of a loss ends, and advice."""
    if cut is None:
        return Message("no recorded op leads from one to the other."), TAKE_ITSELF
    made, by = reading.name(cut.made), cut.maker.name if cut.maker else ""
    sign = facts(by, cut.maker.attrs).sign if cut.maker else ""
    op = Message('"{sign}" ({op})', sign=sign, op=by) if sign else by
    reason, advice = Reason.NO_GRAD, Message("Run {by} outside of paddle.no_grad().", by=op)
    if cut.maker is None:
        reason = Reason.DETACHED
    elif gradless(by):
        reason = Reason.GRADLESS_OP
    elif cut.made.value.dtype.startswith(("int", "uint", "bool")):
        reason, advice = Reason.INTEGER, WORDINGS[Reason.GRADLESS_OP].advice
    elif cut.maker.call in reading.graded and not cut.made.stop_gradient:
        leaf = reading.name(cut.wanting)
        return SET_BY_HAND.fill(x=made, leaf=leaf), RESULT_STOPPED.advice
    elif cut.maker.call in reading.graded:
        reason = Reason.NON_DIFFERENTIABLE
    wording = WORDINGS[reason]
    cause = (wording.recorded or wording.happened).fill(x=made, by=op)
    return cause, advice if reason in (Reason.NO_GRAD, Reason.INTEGER) else wording.advice


def find_read_as_none(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for each `.grad` that user code read as None and that never arrived later."""
    for at, event in list(reading.missed.values())[:MOST]:
        place, line = event.place, reading.line(event.place)
        if place is None or ".grad" not in line or ASKED_WHETHER.search(line):
            continue
        name = reading.name(event.tensor)
        cause = Text(*event.happened).fill(x=name)
        text = ASKED.fill(x=name, cause=cause, line=str(place.line))
        rebuilt = reading.is_rebuilt(event.tensor.id)
        todo = STAY_LEAF if rebuilt else Text(*event.advice)
        yield reading.problem("no_gradient", at, text, todo, event.tensor.id)


def find_missing(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for each leaf that wants a gradient, was used, and never got one.

    A parameter counts only if an optimizer holds it, or if no optimizer took a step. A leaf whose
    values went through `detach()` does not count unless an optimizer holds it.
    """
    if not reading.passes or not reading.whole:
        return
    causes: dict[object, list[tuple[Seen, Problem]]] = {}  # cause -> leaves; reported once
    for number, leaf in reading.leaves.items():
        if leaf.has_gradient or number in reading.missed or len(causes) == MOST:
            continue
        if leaf.used > reading.passes[-1] or (leaf.parameter and leaf.graded < 0):
            continue
        reported = reading.lacking  # None if no optimizer reports parameters without gradients
        if leaf.parameter and reported is not None and leaf.first.name not in reported:
            continue
        found = explain_missing(reading, number, leaf)
        if found is not None:
            cause, problem = found
            causes.setdefault(cause, []).append((leaf.first, problem))
    for (_seen, problem), *others in causes.values():
        if others:
            too = Message("The same holds for {x}.", x=reading.names([seen for seen, _ in others]))
            problem = replace(problem, text=Row([problem.text, too], SENTENCES).message())
        yield problem


def find_unused(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for parameters that an optimizer holds but no recorded op uses.

    Report nothing if no parameter was updated, or if a parameter was updated whose ops were not
    recorded.
    """
    moved = {event.tensor.name for _, event in reading.of(events.ParameterUpdated)}
    steps = [step for step in reading.optimizers if step.lacking]
    if not (reading.whole and steps and moved and moved <= reading.used):
        return
    lacking = dict.fromkeys(name for step in steps for name in step.lacking)
    names = [name for name in lacking if name not in moved | reading.used]
    if names:
        x = first_three(list(map(reading.path, names)))
        first = next(step for step in steps if names[0] in step.lacking)
        text = UNUSED.fill(x=x, optimizer=first.name)
        yield reading.problem("no_gradient", first.at, text, CALL_IT)


def explain_missing(reading: Reading, number: int, leaf: Leaf) -> tuple[object, Problem] | None:
    """Return why a leaf has no gradient, as a key and a problem; None if no gradient is expected.

    Leaves with equal keys are reported together: the number of a copy without history, or the
    reason and the layer of a parameter.
    """
    for chapter in reversed(reading.chapters):
        box = ids.tensor(chapter.tensor(number))
        missing = chapter.trace.story.missing.get(box)
        if missing is None or missing.reason in UNWANTED:
            continue
        held = leaf.parameter and reading.lacking is not None
        if missing.reason is Reason.NOT_REACHED and not held and reading.is_detached(number):
            return None
        copy = reading.copied(number) if missing.reason is Reason.NOT_REACHED else None
        if copy is not None:
            of = COMPUTED_BY.fill(layer=copy.layer) if copy.layer else reading.name(copy.of)
            text = COPIED.fill(x=reading.name(leaf.first), copy=reading.name(copy.seen), of=of)
            number = copy.seen.id
            return number, reading.problem("no_gradient", copy.at, text, TAKE_ITSELF, number)
        spot = reading.spot(leaf.used, number)
        layer = reading.name(leaf.first).en.rpartition(".")[0]
        advice = WORDINGS[missing.reason].advice
        if spot.node is None:
            spot = Spot(spot.step, box)
        problem = Problem("no_gradient", *spot, missing.text, advice)
        return (missing.reason, layer or number), problem
    return None


def find_carried_over(reading: Reading) -> Iterator[Problem]:
    """Yield a problem if gradients of two rounds were added up before an update used the sum.

    Between the two passes came an update of the parameter, or a step of another optimizer where
    different lines began the passes: the training of a generator leaves a gradient in its
    discriminator. A sum that is cleared before the next update does no harm.
    """
    found = []
    steps = [step.at for step in reading.optimizers]
    for leaf in reading.each_leaf():
        for before, now in pairwise(leaf.arrivals):
            if now.held is None:
                continue
            is_other = reading.pass_place(before.at) != reading.pass_place(now.at)
            between = (*leaf.updates, *steps) if is_other else leaf.updates
            if not any(before.at < at < now.at for at in between):
                continue
            fresh = (each.at for each in leaf.arrivals if each.at > now.at and each.held is None)
            cleared = next(fresh, len(reading.trace.events))
            if any(now.at < at < cleared for at in leaf.updates):
                found.append((now.added, leaf.first))
                break
    if found:
        at, first = min(found, key=lambda pair: pair[0])
        text = CARRIED.fill(x=reading.names([seen for _, seen in found]))
        yield reading.problem("carried_over", at, text, CLEAR, first.id)
