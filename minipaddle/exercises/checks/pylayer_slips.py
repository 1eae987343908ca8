"""Mistakes that every PyLayer invites, whatever it computes."""

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
from ...messages import Message
from ..slips import Slip
from ..trials import code_of, slopes

NEVER = object()  # what forward or backward gives that does not come to its end
Seen = Any  # a LayerTrial: pylayers.py makes them, and uses what stands here


def forward_none(trial: Seen) -> bool:
    """Forward ran to its end and gave nothing back."""
    return trial.made is None


def as_in_torch(trial: Seen) -> bool:
    """saved_tensor was taken for PyTorch's attribute: written with an s, or not called."""
    if isinstance(trial.error, AttributeError):
        return trial.error.name == "saved_tensors"
    code = code_of(trial.layer.backward)
    named = code is not None and "saved_tensor" in code.co_names
    return named and isinstance(trial.error, TypeError) and " method" in str(trial.error)


def saved_twice(trial: Seen) -> bool:
    """Forward called save_for_backward a second time."""
    in_forward = trial.y is None and isinstance(trial.error, PreconditionNotMet)
    return in_forward and "save_for_backward" in functions_in(trial.error)


def functions_in(error: Exception) -> set[str]:
    """The functions that an exception came through."""
    return {row.name for row in traceback.extract_tb(error.__traceback__)}


def saved_a_list(trial: Seen) -> bool:
    """Tensors were saved inside a list or tuple."""
    return any(isinstance(item, list | tuple) for item in trial.saved or ())


def no_return(trial: Seen) -> bool:
    """Backward ran to its end and gave nothing back."""
    return trial.returned is None


def numpy_array(trial: Seen) -> bool:
    """Backward gave back NumPy arrays."""
    values = trial.returned if isinstance(trial.returned, tuple | list) else (trial.returned,)
    return any(isinstance(value, np.ndarray | np.generic) for value in values)


def not_saved(trial: Seen) -> bool:
    """Backward wants something that forward did not keep."""
    if trial.saved or trial.y is None:
        return False
    nothing = "NoneType" if trial.saved is None else "got 0)"
    if trial.returned is not NEVER:
        return False
    return bool(not_in_sight(trial)) or nothing in str(trial.error)


def not_taken_back(trial: Seen) -> bool:
    """Something was saved, and backward reads a local name of forward all the same."""
    return bool(trial.saved) and bool(not_in_sight(trial))


def not_in_sight(trial: Seen) -> set[str]:
    """The names that backward reads from the notebook though they belong to forward."""
    code = code_of(trial.layer.backward)
    if code is None:
        return set()
    read = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    return read & local_names(trial)


def outside(trial: Seen) -> bool:
    """Nothing was saved, and backward reads a variable of the notebook with a local name."""
    resolved = not isinstance(trial.error, NameError)
    return resolved and not trial.saved and trial.y is not None and bool(not_in_sight(trial))


def local_names(trial: Seen) -> set[str]:
    """The variables of forward, its inputs among them."""
    code = code_of(trial.layer.forward)
    return set(code.co_varnames) if code else set()


def how_many(trial: Seen) -> bool:
    """Backward takes back more tensors than were saved, or fewer."""
    return bool(trial.saved) and count_wanted(trial) not in (None, len(trial.saved))


def count_wanted(trial: Seen) -> int | None:
    """How many tensors backward wanted when unpacking what was saved failed."""
    counts = re.search(r"values to unpack \(expected (\d+)(?:, got (\d+))?", str(trial.error))
    if counts is None or int(counts[2] or len(trial.saved)) != len(trial.saved):
        return None
    return int(counts[1])


def not_unpacked(trial: Seen) -> bool:
    """A tuple was used in backward as if it were a tensor."""
    in_backward = trial.y is not None and trial.returned is NEVER
    return bool(trial.saved) and in_backward and "tuple" in str(trial.error)


def count(wanted: int) -> Slip:
    """As many gradients as inputs."""
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
    """What was kept outlived its call: it came from the layer's last use."""
    return Slip(
        "saved_elsewhere",
        seen=lambda trial: trial.gives(tuple(slopes(reference, trial.others, (trial.dy,)))),
        hint=Message(
            "The layer was applied twice before backward, and backward saw the "
            "second call's tensor. What one call needs belongs to that call: "
            "ctx.save_for_backward(...), not the class or a global variable."
        ),
    )


FORWARD_NONE = Slip(
    "forward_none",
    seen=forward_none,
    hint=Message(
        "forward returned None. Its last line must return the result, and "
        "ctx.save_for_backward({save}) stands on a line of its own before it."
    ),
)
AS_IN_TORCH = Slip(
    "as_in_torch",
    seen=as_in_torch,
    hint=Message(
        "In Paddle this is a method, without s and with parentheses: {take} = ctx.saved_tensor()."
    ),
)
CARET = Slip(
    "caret",
    raises="bitwise_xor()",  # ^ was written for a power
    hint=Message(
        "A power is written ** in Python: x ** 2. The sign ^ is the bitwise exclusive or."
    ),
)
SAVED_TWICE = Slip(
    "saved_twice",
    seen=saved_twice,
    hint=Message(
        "save_for_backward may be called only once, with everything: ctx.save_for_backward({save})."
    ),
)
SAVED_A_LIST = Slip(
    "saved_a_list",
    seen=saved_a_list,
    hint=Message(
        "save_for_backward takes the tensors as they are, not in a list or "
        "tuple: ctx.save_for_backward({save})."
    ),
)
NOT_TAKEN_BACK = Slip(
    "not_taken_back",
    seen=not_taken_back,
    hint=Message(
        "backward cannot see the variables of forward, and it uses {names}. "
        "First take back what was saved: {take} = ctx.saved_tensor()."
    ),
    facts=lambda trial: {"names": ", ".join(sorted(not_in_sight(trial)))},
)
HOW_MANY = Slip(
    "how_many",
    seen=how_many,
    hint=Message(
        "Tensors saved in forward: {saved}; tensors taken back here: {taken}. "
        "Number and order must be the same on both sides."
    ),
    facts=lambda trial: {"saved": str(len(trial.saved)), "taken": str(count_wanted(trial))},
)
NO_RETURN = Slip(
    "no_return",
    seen=no_return,
    hint=Message("backward gives nothing back. Its last line must return the gradient."),
)
NUMPY_ARRAY = Slip(
    "numpy_array",
    seen=numpy_array,
    hint=Message(
        "backward gives back a NumPy array. Gradients must be Tensors: leave out "
        ".numpy() and use paddle's functions and operators."
    ),
)
NOT_SAVED = Slip(
    "not_saved",
    seen=not_saved,
    hint=Message(
        "backward needs a tensor that forward did not save. In forward, call "
        "ctx.save_for_backward(...) with it before the return."
    ),
)
OUTSIDE = Slip(
    "outside",
    seen=outside,
    hint=Message(
        "backward uses a variable of the notebook, not the tensor that this call "
        "of forward got. Save it in forward with ctx.save_for_backward(...) and "
        "take it back with ctx.saved_tensor()."
    ),
)
NOT_UNPACKED = Slip(
    "not_unpacked",
    seen=not_unpacked,
    hint=Message(
        "ctx.saved_tensor() gives back a tuple, even for one tensor. Unpack it; "
        "mind the comma: {take} = ctx.saved_tensor()."
    ),
)

IN_PLACE = Message(
    "{changed} was changed in place: whoever else uses it gets other "
    "numbers. Compute a new Tensor, without the functions whose names end in "
    "_."
)
CHANGED_IN_PLACE = Slip(
    "in_place",
    seen=lambda trial: bool(trial.changed),
    hint=IN_PLACE,
    facts=lambda trial: {"changed": ", ".join(sorted(trial.changed))},
)


def watched_in_place(layer: type[Any], changed: set[str]) -> type[Any]:
    """The same layer, which also notes what its methods change in place, by parameter."""

    def watched(method: str) -> Any:
        function = getattr(layer, method)

        def call(ctx: Any, *given: Any) -> Any:
            code = code_of(function)
            names = code.co_varnames[1 : code.co_argcount] if code else ()
            seen = {names[n] if n < len(names) else str(n): x for n, x in enumerate(given)}
            with suppress(MinipaddleError):  # which its own call will raise, too
                saved = method == "backward" and ctx.saved_tensor()
                seen |= {f"saved_tensor()[{n}]": x for n, x in enumerate(saved or ())}
            seen = {name: x for name, x in seen.items() if isinstance(x, Tensor)}
            versions = {name: x.inplace_version for name, x in seen.items()}
            made = function(ctx, *given)
            changed.update(name for name, x in seen.items() if x.inplace_version > versions[name])
            return made

        return staticmethod(call)

    methods = {"forward": watched("forward"), "backward": watched("backward")}
    return type(layer.__name__, (layer,), methods)


OTHER_DTYPE = Slip(
    "other_dtype",
    seen=lambda trial: bool(trial.dtypes),
    hint=Message(
        "For inputs of float32, backward gives back {dtypes}. Fix no dtype: take "
        "dy.dtype, or functions such as paddle.zeros_like."
    ),
    facts=lambda trial: {"dtypes": ", ".join(sorted(trial.dtypes))},
)

FORM = (
    FORWARD_NONE,
    AS_IN_TORCH,
    CARET,
    SAVED_TWICE,
    SAVED_A_LIST,
    NUMPY_ARRAY,
    OUTSIDE,
    NOT_SAVED,
    NOT_TAKEN_BACK,
    HOW_MANY,
    NOT_UNPACKED,
    NO_RETURN,
    CHANGED_IN_PLACE,
    OTHER_DTYPE,
)
