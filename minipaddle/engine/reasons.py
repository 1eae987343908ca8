"""The catalogue of texts for each reason why a gradient is missing, in both languages.

`why_no_grad`, the picture of an explanation and the player take their words from here; their code
tests the `Reason`, never these texts.
"""

# mypy: implicit-reexport

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..messages import EMPTY, Message, Text
from .stop_reasons import Reason


@dataclass(frozen=True, slots=True)
class Wording:
    """Texts for one reason. {x} is the tensor, {by} the op, layer or node concerned.

    `happened` and `advice` are the answer of `why_no_grad`; `mark` is shown in a picture where the
    gradient ends. `recorded` is the answer from a recording, which knows less than the engine; None
    for a reason that no recording shows.
    """

    happened: Message
    advice: Message
    mark: Message
    recorded: Message | None = None


WORDINGS: Mapping[Reason, Wording] = {
    Reason.HAS_GRADIENT: Wording(
        Message("{x}.grad holds a gradient that is not zero."),
        advice=EMPTY,
        mark=EMPTY,
    ),
    Reason.STOP_GRADIENT: Wording(
        Message(
            "stop_gradient of {x} is True, as it is for every new tensor and for what is "
            "computed only from such tensors."
        ),
        advice=Message(
            "Set stop_gradient = False on the tensors that need gradients before "
            "computing with them."
        ),
        mark=Text("stop_gradient = True"),
        recorded=Message("stop_gradient of {x} is True."),
    ),
    Reason.INTEGER: Wording(
        Message(
            "{x} holds {dtype} values, which do not vary continuously, and its "
            "stop_gradient is True."
        ),
        advice=Message("Use floating-point values: paddle.to_tensor(..., dtype='float32')."),
        mark=Message("integers"),
        recorded=Message("{x} holds whole numbers, which do not vary continuously."),
    ),
    Reason.NO_GRAD: Wording(
        Message("{by} ran under paddle.no_grad(), where nothing is recorded."),
        advice=Message(
            "Compute outside the no_grad block, or inside `with "
            "paddle.enable_grad():`. A parameter is changed in place under no_grad, "
            "as by subtract_(): `w -= ...` makes a new tensor."
        ),
        mark=Text("no_grad()"),
        recorded=Message("{by} ran where nothing is recorded, as in paddle.no_grad()."),
    ),
    Reason.DETACHED: Wording(
        Message("detach() cut it off from the computation that made it."),
        advice=Message("Leave detach() out where a gradient should flow."),
        mark=Text("detach()"),
    ),
    Reason.GRADLESS_OP: Wording(
        Message("{by} has no gradient, so none comes from its result."),
        advice=Message(
            "Use a differentiable function in its place, for example softmax instead of argmax."
        ),
        mark=Message("{by} has no gradient"),
        recorded=Message("{by} has no gradient."),
    ),
    Reason.NON_DIFFERENTIABLE: Wording(
        Message("this output of {by} is marked non-differentiable."),
        advice=Message("Take the gradient of another output, or leave the mark out."),
        mark=Message("marked non-differentiable"),
        recorded=Message("only an output of {by} that is marked non-differentiable was used."),
    ),
    Reason.NOT_A_LEAF: Wording(
        Message(
            "{x} is not a leaf but the result of {by}: backward hands its gradient "
            "on and does not keep it."
        ),
        advice=Message(
            "Call retain_grads() on it before backward. A parameter must stay a "
            "leaf: change it in place inside `with paddle.no_grad():`, and do not "
            "bind its name to a result."
        ),
        mark=Message("not a leaf: not kept"),
        recorded=Message(
            "it is a result, not a leaf: backward hands its gradient on and does not keep it."
        ),
    ),
    Reason.OVERWRITTEN: Wording(
        Message(
            "{x} has been overwritten in place: it is no longer a leaf but the "
            "result of {by}, and only leaves keep gradients."
        ),
        advice=Message(
            "Compute a new tensor instead, or call retain_grads() on it before backward."
        ),
        mark=Message("overwritten in place"),
    ),
    Reason.NO_BACKWARD: Wording(
        Message("No backward has run yet."),
        advice=Message(
            "Call loss.backward(). paddle.grad() gives gradients back and does not store them."
        ),
        mark=Message("no backward() yet"),
        recorded=Message("no backward was recorded by then."),
    ),
    Reason.CLEARED: Wording(
        Message("The gradient has been cleared since the last backward."),
        advice=Message("Look at it before clear_grad() or .grad = None, or call backward() again."),
        mark=Message("cleared"),
    ),
    Reason.NOT_REACHED: Wording(
        Message(
            "The last backward did not reach {x}: the loss it started from does not depend on it."
        ),
        advice=Message(
            "Look whether it is used at all, and whether values go through NumPy, "
            "item() or to_tensor() on the way: those cut the history."
        ),
        mark=Message("no way here"),
        recorded=Message("no recorded way leads from it to where backward started."),
    ),
    Reason.RETURNED_NONE: Wording(
        Message(
            "backward of {by}, applied at {place}, returned None where the gradient "
            "of {x} would come from."
        ),
        advice=Message("Return a Tensor there: None says that no gradient flows to that input."),
        mark=Text("None"),
        recorded=Message("backward of {by} returned None for it."),
    ),
    Reason.INTERRUPTED: Wording(
        Message(
            "The loss depends on {x}, but the last backward ended before it arrived "
            "there: an exception stopped it."
        ),
        advice=Message("Repair what it complained of and call backward() again."),
        mark=Message("an exception"),
    ),
    Reason.ZERO: Wording(
        Message("The gradient has arrived, and every element of it is zero."),
        advice=Message(
            "Look for functions that are flat there (relu of negative numbers, clip, "
            "max), a sum of softmax, or a factor of zero."
        ),
        mark=Message("all zero from here on"),
    ),
}

# A stop_gradient set by hand is explained differently for a result and for a leaf.
RESULT_STOPPED = Wording(
    Message("{x} is the result of {by}, but its stop_gradient has been set to True."),
    advice=Message("Leave stop_gradient of results alone, or set it back to False."),
    mark=WORDINGS[Reason.STOP_GRADIENT].mark,
    recorded=Message("stop_gradient of the result of {by} has been set to True."),
)

# Links from the tensor to a reason that lies in another tensor, as {cause}.
LOSS_STOPPED = Message("The last backward did nothing, because its loss wants no gradient: {cause}")
LAST_USE = Message(
    "The loss does not depend on {x}, whose last use without gradients was this: {cause}"
)

# Words for a tensor without a name.
THE_TENSOR = Message("the tensor")
THE_LOSS = Message("the loss")
