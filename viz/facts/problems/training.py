"""Problems with training: parameters without updates, a loss that does not change, wrong modes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.messages import Message, Text

from ...document.values import is_zero
from ...document.variable_names import tensors_of
from ...model import Problem
from ...story.sentences.wording import digits
from ..magnitude import size_of
from ..table import relative_change
from .reading import Leaf, Reading

SMALL = 1e-4  # relative size of an update that hardly moves a weight
# names of layers that behave differently in training and in evaluation
BY_MODE = re.compile(r"(\w*Dropout|BatchNorm|SyncBatchNorm)")

NOTHING_UPDATED = Message(
    "step() of {optimizer} updated nothing: none of its parameters had a gradient."
)
BACKWARD_FIRST = Message(
    "Call backward() on a loss that depends on its parameters before step(), "
    "and clear_grad() only after it."
)
NEVER_UPDATED = Message("Got a gradient, but no step() of {optimizer} updated it: {x}.")
GIVE_IT = Message(
    "Give it to the optimizer, as in parameters=net.parameters(). If it "
    "should stay as it is, set its stop_gradient = True."
)
HOLD_IT = Message(
    "{net} uses it and does not hold it, so {net}.parameters() leaves it out. Keep layers in "
    "nn.LayerList or nn.LayerDict and parameters in nn.ParameterList, not in a plain list or dict, "
    "or assign each to an attribute of its own."
)
STANDS_STILL = Message(
    "The loss moved by {share} % over {count} rounds: it began with {first} and ended with {last}."
)
NO_UPDATE = Message(
    "No parameter was updated in these rounds: call step() of an optimizer that has them."
)
STEPS_WITHOUT_GRADIENTS = Message(
    "No parameter was updated in these rounds: none had a gradient when step() ran. Call "
    "backward() on the loss before step(), and clear_grad() only after it."
)
SMALL_STEPS = Message(
    "No update moved a parameter by more than {share} of its size: a larger learning rate does."
)
LARGE_STEPS = Message(
    "The weights did move, by up to {share} of their size in one update, at a learning rate of "
    "{rate}: look whether the loss depends on them, and the targets on the inputs."
)
FROM_SIDE_TO_SIDE = Message(
    "The parameters moved in every round, and every gradient had turned "
    "round by the next update: at a learning rate of {rate}, updates jump "
    "over the minimum to its other side. Take a smaller one."
)
EMPTIED = Message(
    "Every gradient was 0 when step() used it, although backward() had computed others: something "
    "emptied them in between. Call clear_grad() only after step()."
)
NO_SLOPE = Message(
    "Every gradient was 0, so at these values the loss does not depend on the parameters: look for "
    "a softmax over one class, a relu or clip that is flat there, or a factor of 0."
)
FLAT = Message(
    "No gradient was as large as {size} (root mean square): the loss is flat "
    "here. If it has come down before, training is done; or else start from "
    "other weights, or look where a sigmoid or tanh is saturated."
)
LOOK_AT_GRADIENTS = Message(
    "Look at the gradients, and at how far the updates move the weights: trace.statistics()."
)
EVALUATES = Message("{layer} ran in evaluation mode, in a step that trains.")
CALL_TRAIN = Message("Call train() of the network before training; eval() is for evaluation.")
OP_IN = Message("{op} in {layer}")
TRAINS = Message("{op} ran in training mode where no gradient is recorded and nothing is trained.")
CALL_EVAL = Message(
    "Call eval() of the network before evaluating, or hand F.dropout and "
    "F.batch_norm the mode: training=self.training."
)


def find_steps_without_gradients(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first step() of an optimizer that found no gradient."""
    for step in reading.optimizers:
        if step.over and not step.updates and not missed_parameters(reading):
            text = NOTHING_UPDATED.fill(optimizer=step.name)
            yield reading.problem("not_updated", step.at, text, BACKWARD_FIRST)
            return


def find_never_updated(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for parameters that had a gradient but that no optimizer holds."""
    found = missed_parameters(reading)
    for stray in dict.fromkeys(leaf.stray for leaf in found):
        of_one = [leaf for leaf in found if leaf.stray == stray]
        names = ", ".join(dict.fromkeys(step.name for step in reading.optimizers))
        x = reading.names([leaf.first for leaf in of_one])
        text = NEVER_UPDATED.fill(x=x, optimizer=names)
        todo = HOLD_IT.fill(net=stray) if stray else GIVE_IT
        at, tensor = of_one[0].arrivals[0].at, of_one[0].first.id
        yield reading.problem("not_updated", at, text, todo, tensor)


def missed_parameters(reading: Reading) -> list[Leaf]:
    """Return parameters that had a gradient when an optimizer took a step, but were not updated."""
    knows = reading.lacking is not None  # steps without updates say which parameters they hold
    steps = [step for step in reading.optimizers if step.updates or knows]
    return [
        leaf
        for leaf in (reading.each_leaf() if reading.whole else ())
        if leaf.parameter
        and leaf.arrivals
        and not leaf.updates
        and leaf.first.name not in (reading.lacking or ())
        and any(leaf.arrivals[0].at < step.at for step in steps)
    ]


def find_still_loss(reading: Reading) -> Iterator[Problem]:
    """Yield a problem if the loss hardly changes over the rounds."""
    rounds = [each for each in reading.trace.rounds if each.loss is not None]
    rounds = [each for each in rounds if each.loss_name == rounds[-1].loss_name]
    losses = [each.loss for each in rounds if each.loss is not None]
    if len(losses) < max(2, reading.limits.loss_rounds) or not all(map(math.isfinite, losses)):
        return
    largest = max(map(abs, losses))
    moved = max(losses) - min(losses)
    if largest == 0 or moved > reading.limits.loss_still * largest:
        return
    numbers = {"first": digits(losses[0]), "last": digits(losses[-1]), "count": str(len(losses))}
    text = STANDS_STILL.fill(share=f"{100 * moved / largest:.1f}", **numbers)
    kept = [each for each in rounds if each.last is not None]
    step = kept[-1].last if kept else 0
    todo = advise_on_still_loss(reading, reading.limits.flat)
    yield Problem("loss_still", step or 0, None, text, todo)


def advise_on_still_loss(reading: Reading, flat: float) -> Message:
    """Return advice for a loss that does not change, from what happened to the parameters."""
    recorded = reading.of(events.ParameterUpdated)
    updates = [event for _, event in recorded]
    if not updates:
        return STEPS_WITHOUT_GRADIENTS if reading.optimizers else NO_UPDATE
    if all(is_zero(event.grad.data) for event in updates):
        return EMPTIED if any(is_emptied(reading, *each) for each in recorded) else NO_SLOPE
    sizes = [size_of(event.grad.data) for event in updates]
    if all(isinstance(size, float) and size < flat for size in sizes):
        return FLAT.fill(size=f"{flat:g}")
    weights = [event for event in updates if len(event.tensor.value.shape) > 1] or updates
    moves = [relative_change(e.before.data, e.tensor.value.data) for e in weights]
    largest = max((move for move in moves if move is not None), default=None)
    if largest is None:
        return LOOK_AT_GRADIENTS
    rate = digits(max(event.rate for event in weights))
    if do_gradients_alternate(updates):
        return FROM_SIDE_TO_SIDE.fill(rate=rate)
    advice = SMALL_STEPS if largest < SMALL else LARGE_STEPS
    return advice.fill(share=f"{largest:.1g}", rate=rate)


def is_emptied(reading: Reading, at: int, update: events.ParameterUpdated) -> bool:
    """Return whether backward left a gradient other than 0 and the update found only zeros."""
    leaf = reading.leaves.get(update.tensor.id)
    arrivals = [each for each in leaf.arrivals if each.at < at] if leaf else []
    arrived = arrivals[-1].grad if arrivals else None
    return arrived is not None and not is_zero(arrived.data) and is_zero(update.grad.data)


def do_gradients_alternate(updates: Sequence[events.ParameterUpdated]) -> bool:
    """Return whether each gradient of a parameter points against that of the update before."""
    known: dict[int, np.ndarray[Any, Any]] = {}
    turned = []
    for event in updates:
        entry = event.grad.data
        if entry["data"] is None or size_of(entry) is None:
            return False
        grad = np.asarray(entry["data"], np.float64).ravel()
        before = known.get(event.tensor.id)
        if before is not None:
            turned.append(float(grad @ before) < 0)
        known[event.tensor.id] = grad
    return bool(turned) and all(turned)


# ----- modes -------------------------------------------------------------------------------------


def find_evaluation_in_training(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first training step whose layers with modes all run in evaluation."""
    passes = {reading.chapter_number(at) for at in reading.passes}
    first: dict[int, int] = {}  # chapter -> its first update
    for at, _event in reading.of(events.ParameterUpdated):
        first.setdefault(reading.chapter_number(at), at)
    layers: dict[int, list[tuple[int, events.ScopeEntered]]] = {}
    for at, layer in reading.of(events.ScopeEntered):
        number = reading.chapter_number(at)
        by_mode = layer.kind == "layer" and BY_MODE.match(layer.name)
        if by_mode and at < first.get(number, 0) and is_trained(layer):
            layers.setdefault(number, []).append((at, layer))
    for number, before in layers.items():
        if number in passes and all(layer.training is False for _, layer in before):
            at, layer = before[0]
            text = EVALUATES.fill(layer=layer.name)
            op = next((call for call in reading.calls if call.at > at), None)
            at = op.at if op and op.layer == layer.name else at  # dropout runs no op in evaluation
            yield reading.problem("eval_in_training", at, text, CALL_TRAIN)
            return


def is_trained(layer: events.ScopeEntered) -> bool:
    """Return whether an input of a layer wants a gradient, so that the layer is not frozen."""
    return any(not seen.stop_gradient for seen in tensors_of(layer.inputs))


def find_training_in_evaluation(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first dropout or batch_norm in training mode that trains nothing."""
    off = False  # whether the last op with parameters recorded no gradient
    chapter = -1
    for call in reading.calls:
        event = call.event
        if reading.chapter_number(call.at) != chapter:
            chapter, off = reading.chapter_number(call.at), False
        graded = event.call in reading.graded
        parameters = [x for x in call.inputs if x.kind == "parameter" and not x.stop_gradient]
        off = (off or bool(parameters)) and not graded
        if not off or not is_training(event.op, event.attrs) or backward_follows(reading, call.at):
            continue
        op = OP_IN.fill(op=event.op, layer=call.layer) if call.layer else Text(event.op)
        yield reading.problem("train_in_evaluation", call.at, TRAINS.fill(op=op), CALL_EVAL)
        return


def is_training(op: str, attrs: dict[str, object]) -> bool:
    """Return whether an op runs in training mode."""
    if op == "dropout":
        return attrs.get("is_test") is False and bool(attrs.get("p"))
    return op == "batch_norm" and not attrs.get("is_test") and not attrs.get("use_global_stats")


def backward_follows(reading: Reading, at: int) -> bool:
    """Return whether a backward pass follows in the same chapter."""
    number = reading.chapter_number(at)
    return any(at < each and reading.chapter_number(each) == number for each in reading.passes)
