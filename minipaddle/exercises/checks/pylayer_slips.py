"""Classic mistakes in any PyLayer."""

from __future__ import annotations

import dis
import re
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from ... import Tensor
from ...engine.errors import MinipaddleError, PreconditionNotMet
from ...engine.pylayer.pylayer import PyLayer
from ...messages import Message
from ...ops.arguments import as_list
from ..trials import Slip, code_of, slopes

NEVER = object()  # result of a forward or backward that did not return
Seen = Any  # LayerTrial, whose module pylayers.py imports this one


def is_as_in_torch(trial: Seen) -> bool:
    """Return whether saved_tensor was used as in PyTorch: with an s at the end, or not called."""
    if isinstance(trial.error, AttributeError):
        return "saved_tensors" in str(trial.error)
    named = "saved_tensor" in trial.backward_names
    return named and isinstance(trial.error, TypeError) and " method" in str(trial.error)


def is_saved_twice(trial: Seen) -> bool:
    """Return whether forward called save_for_backward a second time."""
    in_forward = trial.y is None and isinstance(trial.error, PreconditionNotMet)
    return in_forward and "save_for_backward" in {
        row.name for row in traceback.extract_tb(trial.error.__traceback__)
    }


def is_not_saved(trial: Seen) -> bool:
    """Return whether backward needs something that forward did not save."""
    if trial.saved or trial.y is None or trial.returned is not NEVER:
        return False
    nothing = "NoneType" if trial.saved is None else "got 0)"
    return bool(trial.forward_names) or nothing in str(trial.error)


def names_of_forward(layer: type[Any]) -> set[str]:
    """Return the names that backward reads as globals, though they are variables of forward."""
    forward, backward = code_of(layer.forward), code_of(layer.backward)
    if forward is None or backward is None:
        return set()
    read = {i.argval for i in dis.get_instructions(backward) if i.opname == "LOAD_GLOBAL"}
    return read & set(forward.co_varnames)


def names_in_backward(layer: type[Any]) -> set[str]:
    """Return the names of globals and attributes in a layer's backward."""
    code = code_of(layer.backward)
    return set(code.co_names) if code else set()


def is_outside(trial: Seen) -> bool:
    """Return whether nothing was saved, and backward reads a variable of the notebook instead."""
    resolved = trial.y is not None and not isinstance(trial.error, NameError)
    return resolved and not trial.saved and bool(trial.forward_names)


def count_unpacked(trial: Seen) -> int | None:
    """Return the number of tensors that backward unpacks, if unpacking the saved ones failed."""
    counts = re.search(r"values to unpack \(expected (\d+)(?:, got (\d+))?", str(trial.error))
    if counts is None or int(counts[2] or len(trial.saved)) != len(trial.saved):
        return None
    return int(counts[1])


def is_not_unpacked(trial: Seen) -> bool:
    """Return whether backward used a tuple as a tensor."""
    in_backward = trial.y is not None and trial.returned is NEVER
    return bool(trial.saved) and in_backward and "tuple" in str(trial.error)


def values_returned(trial: Seen) -> list[Any]:
    """Return the values that backward returned as a list."""
    return as_list(trial.returned)


def is_layer(answer: Any) -> bool:
    """Return whether an answer is a PyLayer."""
    return isinstance(answer, type) and issubclass(answer, PyLayer)


def other_number(wanted: int) -> Slip:
    """Return the slip of a backward that returns another number of gradients than `wanted`."""
    one = Message("forward takes 1 Tensor, so backward gives back 1 gradient: return dx.")
    several = Message(
        "forward takes {n} Tensors, so backward gives back {n} gradients, in the "
        "same order: return da, db."
    )
    return Slip(
        "too_many" if wanted == 1 else "one_gradient",
        seen=lambda trial: trial.gradients is not None and len(trial.gradients) != wanted,
        hint=one if wanted == 1 else several.fill(n=str(wanted)),
    )


def saved_elsewhere(reference: Callable[..., Any]) -> Slip:
    """Return the slip of tensors saved outside ctx, so that a second call overwrites them."""
    return Slip(
        "saved_elsewhere",
        seen=lambda trial: trial.gives(tuple(slopes(reference, trial.others, (trial.dy,)))),
        hint=Message(
            "The layer was applied twice before backward, and backward saw the "
            "second call's tensor. What one call needs belongs to that call: "
            "ctx.save_for_backward(...), not the class or a global variable."
        ),
    )


IN_PLACE = Message(
    "{changed} was changed in place: whoever else uses it gets other "
    "numbers. Compute a new Tensor, without the functions whose names end in "
    "_."
)

# The first slip that fits is reported, so the order matters.
FORM = (
    Slip(
        "forward_none",
        seen=lambda trial: trial.made is None,
        hint=Message(
            "forward returned None. Its last line must return the result, and "
            "ctx.save_for_backward({save}) stands on a line of its own before it."
        ),
    ),
    Slip(
        "as_in_torch",
        seen=is_as_in_torch,
        hint=Message(
            "In Paddle this is a method, without s and with parentheses: "
            "{take} = ctx.saved_tensor()."
        ),
    ),
    Slip(
        "caret",
        raises="bitwise_xor()",  # the learner wrote ^ for a power
        hint=Message(
            "A power is written ** in Python: x ** 2. The sign ^ is the bitwise exclusive or."
        ),
    ),
    Slip(
        "saved_twice",
        seen=is_saved_twice,
        hint=Message(
            "save_for_backward may be called only once: write everything into one "
            "call, with commas between."
        ),
    ),
    Slip(
        "saved_a_list",
        seen=lambda trial: any(isinstance(item, list | tuple) for item in trial.saved or ()),
        hint=Message(
            "save_for_backward takes the tensors as they are, not in a list or "
            "tuple: ctx.save_for_backward({save})."
        ),
    ),
    Slip(
        "numpy_array",
        seen=lambda trial: any(
            isinstance(value, np.ndarray | np.generic) for value in values_returned(trial)
        ),
        hint=Message(
            "backward gives back a NumPy array. Gradients must be Tensors: leave out "
            ".numpy() and use paddle's functions and operators."
        ),
    ),
    Slip(
        "outside",
        seen=is_outside,
        hint=Message(
            "backward uses a variable of the notebook, not the tensor that this call "
            "of forward got. Save it in forward with ctx.save_for_backward(...) and "
            "take it back with ctx.saved_tensor()."
        ),
    ),
    Slip(
        "not_saved",
        seen=is_not_saved,
        hint=Message(
            "backward needs a tensor that forward did not save. In forward, call "
            "ctx.save_for_backward(...) with it before the return."
        ),
    ),
    Slip(
        "not_taken_back",
        seen=lambda trial: bool(trial.saved and trial.forward_names),
        hint=Message(
            "backward cannot see the variables of forward, and it uses {names}. "
            "First take back what was saved: {take} = ctx.saved_tensor()."
        ),
        facts=lambda trial: {"names": ", ".join(sorted(trial.forward_names))},
    ),
    Slip(
        "how_many",
        seen=lambda trial: (
            bool(trial.saved) and count_unpacked(trial) not in (None, len(trial.saved))
        ),
        hint=Message(
            "Tensors saved in forward: {saved}; tensors taken back here: {taken}. "
            "Number and order must be the same on both sides."
        ),
        facts=lambda trial: {"saved": str(len(trial.saved)), "taken": str(count_unpacked(trial))},
    ),
    Slip(
        "not_unpacked",
        seen=is_not_unpacked,
        hint=Message(
            "ctx.saved_tensor() gives back a tuple, even for one tensor. Unpack it; "
            "mind the comma: {take} = ctx.saved_tensor()."
        ),
    ),
    Slip(
        "no_return",
        seen=lambda trial: trial.returned is None,
        hint=Message("backward gives nothing back. Its last line must return the gradient."),
    ),
    Slip(
        "in_place",
        seen=lambda trial: bool(trial.changed),
        hint=IN_PLACE,
        facts=lambda trial: {"changed": ", ".join(sorted(trial.changed))},
    ),
    Slip(
        "other_dtype",
        seen=lambda trial: bool(trial.dtypes),
        hint=Message(
            "For inputs of float32, backward gives back {dtypes}. Fix no dtype: take "
            "dy.dtype, or functions such as paddle.zeros_like."
        ),
        facts=lambda trial: {"dtypes": ", ".join(sorted(trial.dtypes))},
    ),
)


def watch_layer(
    layer: type[Any],
    changed: set[str],
    note: Callable[[str, Any, Any], object] = lambda *_returned: None,
) -> type[Any]:
    """Return a layer whose methods add the names of Tensors that they change in place to `changed`.

    `note` is called with each method's name, ctx and result.
    """

    def watch(method: str) -> Any:
        function = getattr(layer, method)

        def call(ctx: Any, *given: Any) -> Any:
            code = code_of(function)
            names = code.co_varnames[1 : code.co_argcount] if code else ()
            seen = {names[n] if n < len(names) else str(n): x for n, x in enumerate(given)}
            with suppress(MinipaddleError):  # the method's own call raises it, too
                saved = method == "backward" and ctx.saved_tensor()
                seen |= {f"saved_tensor()[{n}]": x for n, x in enumerate(saved or ())}
            seen = {name: x for name, x in seen.items() if isinstance(x, Tensor)}
            versions = {name: x.inplace_version for name, x in seen.items()}
            made = function(ctx, *given)
            changed.update(name for name, x in seen.items() if x.inplace_version > versions[name])
            note(method, ctx, made)
            return made

        return staticmethod(call)

    methods = {"forward": watch("forward"), "backward": watch("backward")}
    return type(layer.__name__, (layer,), methods)
