"""Sentences on calls of ops that depend on attributes and inputs.

Each function returns the sentence on a call. None stands for the op's entry in `WORDS`, or for the
usual sentence: for a dropout along an axis, or a mean pool with its own divisor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

from minipaddle.messages import EMPTY, LIST, Message, Row, Text

from ...document.op_facts import UNFIT
from ...document.values import flatten
from .wording import Constant, Mention, Things, bracket, coded, combine, digits, row, shape, things

FEW = 4  # most places that a sentence lists
EACH = Message.in_context("each", "{row} and {next}")  # last link of a list


class Made(NamedTuple):
    """A call: its attributes, inputs and outputs."""

    attrs: Mapping[str, Any]
    inputs: Things
    outputs: Sequence[Mention]

    def constants(self, *names: str) -> dict[str, Constant]:
        """Return attributes as numbers for slots, which a page fills again when they change."""
        return {name: Constant(coded(self.attrs[name])) for name in names}

    def sizes(self, index: int) -> tuple[int, ...]:
        """Return the shape of an input, or () if it is unknown."""
        thing = self.inputs[index] if index < len(self.inputs) else None
        return tuple(thing.shape or ()) if thing else ()

    def dtype(self, index: int) -> str:
        """Return the dtype of an input, or "" if it is unknown."""
        thing = self.inputs[index] if index < len(self.inputs) else None
        return str((thing.value or {}).get("dtype", "")) if thing else ""


Chosen = Callable[[Made], Message | None]


def chosen(op: str, call: Made) -> Message | None:
    """Return a call's sentence, or None if there is none or the attributes do not fit."""
    try:
        return CHOSEN[op](call) if op in CHOSEN else None
    except UNFIT:
        return None


# ----- numbers -----------------------------------------------------------------------------------


def clip(call: Made) -> Message | None:
    low, high = call.attrs.get("min"), call.attrs.get("max")
    if low is not None and high is not None:
        said = Message("{x} is limited to [{min}, {max}], giving {out}.")
        return said.fill(**call.constants("min", "max"))
    if low is not None:
        said = Message("What is below {min} in {x} becomes {min}, giving {out}.")
        return said.fill(**call.constants("min"))
    if high is not None:
        said = Message("What is above {max} in {x} becomes {max}, giving {out}.")
        return said.fill(**call.constants("max"))
    return None


def multiply(call: Made) -> Message | None:
    if are_single(call):
        return Message("{x} and {y} are multiplied, giving {out}.")
    said = Message("{x} is multiplied by itself, element by element, giving {out}.")
    return said if are_same(*call.inputs[:2]) else None


def with_itself(said: Message) -> Chosen:
    """Return a function that returns a sentence if both inputs are the same tensor."""
    return lambda call: said if are_same(*call.inputs[:2]) else None


def are_same(x: Mention | None, y: Mention | None) -> bool:
    return bool(x and y and x.called == y.called)


def are_single(call: Made) -> bool:
    """Return whether all inputs are single numbers."""
    return all(thing and thing.number for thing in call.inputs)


def of_single(said: Message) -> Chosen:
    """Return a function that returns a sentence if all inputs are single numbers."""
    return lambda call: said if are_single(call) else None


def added_product(call: Made) -> Message:
    """Return the sentence on beta · x + alpha · y @ z."""
    factors = {
        name: Text("{n} × ").fill(n=n) if n.digits != "1" else EMPTY
        for name, n in call.constants("beta", "alpha").items()
    }
    return Message(
        "{beta}{x} plus {alpha}the matrix product of {y} and {z} gives {out}.", **factors
    )


def matrix_power(call: Made) -> Message | None:
    n = call.attrs["n"]
    said = Message("The matrix {x} is raised to the power {n} by matrix products, giving {out}.")
    if n < 0:
        said = Message(
            "The inverse of the matrix {x} is raised to the power {n} by matrix products, giving "
            "{out}."
        )
    return said.fill(n=Constant(coded(abs(n)))) if n else None


def with_constants(said: Message, *names: str) -> Chosen:
    """Return a function that returns a sentence with attributes of the call."""
    return lambda call: said.fill(**call.constants(*names))


def softmax(call: Made) -> Message | None:
    rank, axis = len(call.sizes(0)), call.attrs.get("axis", -1)
    if rank < 2:
        return None
    if axis in (-1, rank - 1):
        return Message(
            "softmax turns each row of {x} into probabilities that sum to 1, giving {out}."
        )
    said = Message("softmax turns {x} into probabilities that sum to 1 over axis {axis}: {out}.")
    return said.fill(axis=coded(axis))


def cast(call: Made) -> Message:
    said = Message("{x} is converted to {dtype}, giving {out}.")
    if call.dtype(0) == call.attrs["dtype"]:
        said = Message("{x} is of type {dtype} already, and {out} has the same values.")
    return said.fill(dtype=str(call.attrs["dtype"]))


def relu(call: Made) -> Message | None:
    if not are_single(call) or not call.outputs[0].number:
        return None
    if call.outputs[0].number == "0":
        return Message("{x} is not above 0, so relu gives 0: {out}.")
    return Message("{x} is above 0, so relu gives it unchanged: {out}.")


def unless(attribute: str, said: Message, other: Message | None = None) -> Chosen:
    """Return a function that returns `said`, or `other` if an attribute of the call is set."""
    return lambda call: other if call.attrs.get(attribute) else said


def of_truths(said: Message, of_numbers: Message | None = None) -> Chosen:
    """Return a function that returns a sentence if all inputs of the call are bool, or else
    another one."""
    return lambda call: (
        said if {call.dtype(i) for i in range(len(call.inputs))} == {"bool"} else of_numbers
    )


ROOT = Message("The root of the summed squares of {x}{over} gives {out}.")
OF_ALL = {2: ROOT, 1: Message("The sum of the absolute values of {x}{over} gives {out}.")}
FILLED = Message("{out} has {z} where {y} is True, and the elements of {x} elsewhere.")
GELU = Message(
    "gelu multiplies each element of {x} by the probability that a standard normal variable is "
    "less than it, giving {out}."
)
GELU_WITH_TANH = Message(
    "gelu multiplies each element of {x} by the probability that a standard normal variable is "
    "less than it, approximated with tanh, giving {out}."
)
BOTH = Message("{out} is True where both {x} and {y} are.")
EITHER = Message("{out} is True where {x} or {y} is.")
NEITHER = Message("{out} is True where {x} is False.")


# ----- layers ------------------------------------------------------------------------------------


def conv(call: Made) -> Message | None:
    count, _, *window = call.sizes(1) or (0, 0)
    if not window or count < 1:
        return None
    said = Message(
        "{count} {count:filter|filters} of {size} {count:slides|slide} over {x}{how}, giving {out}."
    )
    return said.fill(count=count, size=times(window), how=sliding(call.attrs))


def conv_with_bias(call: Made) -> Message | None:
    said = conv(call)
    added = Message(
        "{count} {count:filter|filters} of {size} {count:slides|slide} over {x}{how}, and the bias "
        "{z} is added, giving {out}."
    )
    return said and added.fill(**said.slots)


def linear(call: Made) -> Message:
    if len(call.inputs) > 2 and call.inputs[2] is not None:
        return Message("{x} times the transpose of {y}, plus {z}, gives {out}.")
    return Message("{x} times the transpose of {y} gives {out}.")


def conv_transpose(call: Made) -> Message | None:
    _, _, *window = call.sizes(1) or (0, 0)
    attrs, sides = call.attrs, flatten([call.attrs["padding"]])
    if not window or isinstance(attrs["padding"], str) or len({*sides}) > 1:
        return None
    said = Message(
        "Each element of {x} times the {size} filters {y} is placed in the result{how}; overlaps "
        "and input channels add up{cut}, giving {out}."
    )
    cut = Message(", a border of {n} is cut off", n=sides[0]) if any(sides) else EMPTY
    if any(flatten(attrs["output_padding"])):
        wide = Message("{cut}, each axis is {n} longer at its end")
        cut = wide.fill(cut=cut, n=alike(attrs["output_padding"]))
    how = sliding({**attrs, "padding": 0})
    return said.fill(size=times(window), how=how, cut=cut)


def sliding(attrs: Mapping[str, Any]) -> Text:
    """Return the clauses on a convolution's padding, stride, dilation and groups."""
    padding, groups = attrs["padding"], attrs["groups"]
    sides = [0] if isinstance(padding, str) else flatten([padding])
    if padding == "SAME":
        border = Message(", with zeros beyond its edges")
    elif len({*sides}) > 1:
        border = Message(", with {sides} zeros above, below, left and right of it")
        if len(sides) == 6:
            border = Message(
                ", with {sides} zeros in front, behind, above, below, left and right of it"
            )
        border = border.fill(sides=Row([*map(str, sides)]))
    else:
        border = Message(", with a border of {n} {n:zero|zeros}", n=sides[0])
    steps = Message(", in steps of {n}", n=alike(attrs["stride"]))
    gaps = Message(", with elements {n} apart", n=alike(attrs["dilation"]))
    each = Message(", each over one of {n} groups of channels", n=groups)
    return Text("{border}{steps}{gaps}{each}").fill(
        border=border if padding == "SAME" or any(sides) else EMPTY,
        steps=steps if {*attrs["stride"]} != {1} else EMPTY,
        gaps=gaps if padding != "SAME" and {*attrs["dilation"]} != {1} else EMPTY,
        each=each if groups > 1 else EMPTY,
    )


def alike(sizes: Sequence[int]) -> str:
    """Return `2` for equal sizes, or `2×1`."""
    return times(sizes if len({*sizes}) > 1 else sizes[:1])


def times(window: Sequence[int]) -> str:
    return "×".join(map(str, window))


def max_pool(call: Made) -> Message:
    return in_windows(Message("The maximum"), call)


PLACED = Message("The maximum (and its place)")


def mean_pool(call: Made) -> Message | None:
    if not call.attrs.get("exclusive", True) and call.attrs.get("ceil_mode"):
        return None
    return in_windows(Message("The mean"), call)


def in_windows(what: Message, call: Made) -> Message:
    """Return the sentence on `what` of each window, or of the whole image."""
    attrs = call.attrs
    size, stride, padding = attrs["ksize"], attrs.get("stride", ()), attrs.get("padding", 0)
    sides = [0] if isinstance(padding, str) else flatten([padding])
    if attrs.get("adaptive") and {*size} == {1}:
        return Message("{what} of each whole channel of {x} gives {out}.", what=what)
    if attrs.get("adaptive"):
        said = Message("{x} is covered by {size} windows. {what} of each gives {out}.")
        if any(n % k for n, k in zip(call.sizes(0)[-len(size) :], size, strict=True)):
            said = Message(
                "{x} is covered by {size} windows, which may overlap. {what} of each gives {out}."
            )
        return said.fill(what=what, size=" × ".join(map(str, size)))
    how = []
    if [*stride] != [*size]:
        how.append(Message("in steps of {n}", n=alike(stride)))
    if padding == "SAME":
        how.append(Message("also beyond its edges"))
    elif any(sides):
        widths = [str(n) for n in sides] if len({*sides}) > 1 else [str(sides[0])]
        counts = Message("with a padding of {n} that does not count")
        if not attrs.get("exclusive", True):
            counts = Message("with a padding of {n} {n:zero|zeros} that {n:counts|count}")
        how.append(counts.fill(n=Row(widths)))
    said = Message("{what} of each {size} window of {x} gives {out}.")
    if how:
        said = Message("{what} of each {size} window of {x}, {how}, gives {out}.")
    return said.fill(what=what, size=times(size), how=Row(how, LIST))


def scaled_by(weight: Mention | None, bias: Mention | None) -> Message:
    """Return the clause on a norm's weight and bias, or an empty text."""
    if weight and bias:
        said = Message(", then times {weight} plus {bias}")
    elif weight:
        said = Message(", then times {weight}")
    elif bias:
        said = Message(", then plus {bias}")
    else:
        return EMPTY
    return said.fill(weight=weight and weight.called, bias=bias and bias.called)


def layer_norm(call: Made) -> Message | None:
    count = len(call.sizes(0)) - call.attrs.get("begin_norm_axis", 1)
    if len(call.inputs) != 3 or count < 1 or prod(call.sizes(0)[-count:]) < 2:
        return None
    if count > 1:
        said = Message(
            "{x} is centred and scaled to mean 0 and variance 1 over its last {count} axes{then}, "
            "giving {out}."
        )
    else:
        said = Message(
            "Each row of {x} is centred and scaled to mean 0 and variance 1{then}, giving {out}."
        )
    return said.fill(count=count, then=scaled_by(*call.inputs[1:]), out=call.outputs[0])


def uses_running_statistics(attrs: Mapping[str, Any]) -> bool:
    """Return whether a batch norm uses its running statistics, not those of the batch."""
    of_test = attrs.get("is_test") and not attrs.get("trainable_statistics")
    return bool(attrs.get("use_global_stats") or of_test)


def batch_norm(call: Made) -> Message | None:
    if len(call.inputs) != 5:
        return None
    if uses_running_statistics(call.attrs):
        said = Message(
            "Each channel of {x}, minus its running mean, is divided by "
            "√(running variance + {epsilon}){then}, giving {out}."
        )
    elif prod(call.sizes(0)) <= prod(call.sizes(1)):  # single elements have no variance
        return None
    else:
        said = Message(
            "Each channel of {x} is centred and scaled to mean 0 and variance 1{then}, "
            "giving {out}. {mean} becomes {m} × {mean} + {n} × the mean of the channel, and "
            "{variance} likewise."
        )
        if len(call.outputs) == 1:  # PyTorch's, which returns no statistics
            said = Message(
                "Each channel of {x} is centred and scaled to mean 0 and variance 1{then}, "
                "giving {out}. {mean} becomes {m} × {mean} + {n} × the mean of the channel, and "
                "{variance} likewise, with the unbiased variance."
            )
        if not all(call.inputs[1:3]):
            return None
    mean, variance = (each.called for each in call.inputs[1:3] if each)
    m = call.attrs.get("momentum", 0.9)
    numbers = {
        "m": Constant(coded(m)),
        "n": coded(1 - m),
        "epsilon": Constant(coded(call.attrs.get("epsilon", 1e-5))),
    }
    then = scaled_by(*call.inputs[3:])
    return said.fill(then=then, out=call.outputs[0], mean=mean, variance=variance, **numbers)


def dropout(call: Made) -> Message | None:
    attrs = call.attrs
    upscales, p = attrs.get("mode") == "upscale_in_train", attrs.get("p", 0)
    part = Message("element") if attrs.get("axis") is None else Message("slice")
    if not 0 < p < 1:
        return None
    if attrs.get("is_test") and upscales:
        said = Message("dropout changes nothing outside of training: {out} has the values of {x}.")
    elif attrs.get("is_test"):
        said = Message("dropout multiplies {x} by 1 − {p}, giving {out}.")
    elif upscales:
        said = Message(
            "dropout zeroes each {part} of {x}{over} with probability {p} and divides the rest by "
            "1 − {p}, giving {out}."
        )
    else:
        said = Message(
            "dropout zeroes each {part} of {x}{over} with probability {p}, giving {out}."
        )
    return said.fill(out=call.outputs[0], part=part, **call.constants("p"))


def fill_like(call: Made) -> Message:
    said = Message("{name} makes {out}: {value} everywhere, in the shape of {x}.")
    return said.fill(value=coded(call.attrs["value"]))


def expand(call: Made) -> Message | None:
    x = call.inputs[0]
    if x is None or x.shape is None or x.shape != call.outputs[0].shape:
        return None
    return Message("{x} already has the shape asked for, so {out} has the same elements.")


def where(call: Made) -> Message | None:
    condition = call.inputs[0]
    chosen = {
        "True": Message("{x}, so {y} is taken, giving {out}."),
        "False": Message("{x}, so {z} is taken, giving {out}."),
    }
    if condition is None or condition.number:
        return chosen.get(condition.number) if condition else None
    filled = call.inputs[1] if len(call.inputs) == 3 else None
    if filled and filled.number and filled.called == filled.number:  # a number in the code
        said = Message(
            "{out} is {number} where {x} is True, and has the elements of {z} elsewhere."
        )
        return said.fill(number=filled.figure)
    other = call.inputs[2] if filled else None
    if other and other.number and other.called == other.number:
        said = Message(
            "{out} has the elements of {y} where {x} is True, and is {number} elsewhere."
        )
        return said.fill(number=other.figure)
    return None


def roll(call: Made) -> Message:
    shifts, axes = (flatten([call.attrs.get(name)]) for name in ("shifts", "axis"))
    if axes == (None,):
        said = Message(
            "The elements of {x}, in the order of reading, are shifted by {shifts}, and what falls "
            "off one end comes back at the other, giving {out}."
        )
        return said.fill(shifts=coded(shifts[0]))
    move = Message("by {shift} along axis {axis}")
    moves = [move.fill(shift=coded(n), axis=coded(at)) for n, at in zip(shifts, axes, strict=True)]
    said = Message(
        "{x} is shifted {moves}, and what falls off one end comes back at the other, giving {out}."
    )
    return said.fill(moves=row(moves))


def tile(call: Made) -> Message | None:
    counts = call.attrs["repeat_times"]
    first = len(call.outputs[0].shape or ()) - len(counts)  # fewer counts are of the last axes
    axes = [at for at, n in enumerate(counts, first) if n != 1]
    if len(axes) > 1 and len({counts[at - first] for at in axes}) == 1:
        over = Message(" along {axes:axis|axes} {axes}", axes=Row(map(coded, axes), last=EACH))
        said = Message("{x} is repeated {count} times{over}, giving {out}.")
        return said.fill(count=coded(counts[axes[0] - first]), over=over)
    said = Message("{count} times along axis {axis}")
    rows = [
        said.fill(count=coded(n), axis=coded(at)) for at, n in enumerate(counts, first) if n != 1
    ]
    if not rows:
        return None
    return Message("{x} is repeated {rows}, giving {out}.").fill(rows=Row(rows, last=EACH))


UNCHANGED = Message("{name} has nothing to change: {out} has the elements of {x}.")


def unless_unchanged(said: Message) -> Chosen:
    """Return a function that returns a sentence, or another one if the shape stays."""
    return lambda call: UNCHANGED if call.sizes(0) == call.outputs[0].shape else said


def pad(call: Made) -> Message:
    widths = []
    for axis, (before, after) in enumerate(call.attrs.get("pads", ())):
        said = Message("by {before} at the beginning and {after} at the end of axis {axis}")
        if not before:
            said = Message("by {after} at the end of axis {axis}")
        elif not after:
            said = Message("by {before} at the beginning of axis {axis}")
        if before or after:
            widths.append(said.fill(before=before, after=after, axis=axis))
    said = Message("{x} is padded with the value {value}: {widths}, giving {out}.")
    if not widths:
        said = UNCHANGED
    elif call.attrs.get("mode", "constant") != "constant":
        said = Message("{x} is padded with copies of its own elements: {widths}, giving {out}.")
    return said.fill(value=coded(call.attrs.get("value", 0)), widths=Row(widths, LIST))


def of_two_middles(attrs: Mapping[str, Any], before: Sequence[int], after: Sequence[int]) -> str:
    """Return which of two middle elements a median takes, "lower" or "upper", or "" for one."""
    made = prod(after)
    if not attrs.get("skip_nan") and (made < 1 or prod(before) // made % 2):
        return ""
    return "upper" if attrs.get("upper") else "lower"


def middle(call: Made) -> Message:
    which = of_two_middles(call.attrs, call.sizes(0), call.outputs[0].shape or ())
    if call.attrs.get("skip_nan") and which == "upper":
        return Message(
            "Without NaN, the median of {x}{over} (of two, the upper) and its place: {out}."
        )
    if call.attrs.get("skip_nan"):
        return Message(
            "Without NaN, the median of {x}{over} (of two, the lower) and its place: {out}."
        )
    if not which:
        return Message("The median (the middle element) of {x}{over} and its place give {out}.")
    if which == "upper":
        return Message("The upper of the two middle elements of {x}{over} and its place: {out}.")
    return Message("The lower of the two middle elements of {x}{over} and its place: {out}.")


def embedding(call: Made) -> Message:
    if call.attrs.get("padding_idx", -1) < 0:
        return Message("The rows of {y} that {x} picks give {out}.")
    said = Message("The rows of {y} that {x} picks, zeros for index {padding_idx}, give {out}.")
    return said.fill(padding_idx=call.attrs["padding_idx"])


# ----- losses ------------------------------------------------------------------------------------


def may_be_ignored(call: Made) -> bool:
    """Return whether some label may be `ignore_index`, whose loss is 0."""
    label = call.inputs[:2][-1]
    lowest = ((label and label.value) or {}).get("stats", {}).get("min")
    ignored = call.attrs.get("ignore_index", -100)
    return ignored >= 0 or not isinstance(lowest, (int, float)) or lowest < 0


def cross_entropy(call: Made) -> Message | None:
    if len(call.outputs) != 2:
        return None
    if call.attrs.get("soft_label"):
        said = Message(
            "For each row of {x}, −ln of the probabilities that softmax gives, times {y} and "
            "summed: {out}."
        )
    elif may_be_ignored(call):
        said = Message(
            "For each row of {x}, −ln of the probability that softmax gives to {y}, and 0 where "
            "the label is {ignore_index}: {out}."
        )
    else:
        said = Message(
            "For each row of {x}, −ln of the probability that softmax gives to {y}: {out}."
        )
    return said.fill(ignore_index=coded(call.attrs.get("ignore_index")), out=call.outputs[1])


def of_rows(said: Message, some: Message) -> Chosen:
    """Return a function that returns a sentence, or another one if some label may be ignored."""

    def words(call: Made) -> Message:
        ignored = coded(call.attrs.get("ignore_index", -100))
        return some.fill(ignore_index=ignored) if may_be_ignored(call) else said

    return words


def scored(call: Made) -> Message | None:
    label = call.inputs[1] if len(call.inputs) == 2 else None
    if label is None:
        return None
    if label.called.replace(".", "").isdigit():
        said = Message("{x} is scored against the target {label}, giving {out}.")
        return said.fill(label=label.called)
    return Message("{x} is scored against the targets in {y}, giving {out}.")


def scored_by_sigmoid(call: Made) -> Message | None:
    x = call.inputs[0] if len(call.inputs) == 2 else None
    said = Message(
        "{sigmoid} is read as a probability and scored against the targets in {y}, giving {out}."
    )
    return said.fill(sigmoid=f"sigmoid({x.called})") if x else None


# ----- places and axes ---------------------------------------------------------------------------


def along(said: Message) -> Chosen:
    """Return a function that returns a sentence with the call's axis."""

    def words(call: Made) -> Message | None:
        axis = call.attrs.get("axis", 0)
        return said.fill(axis=coded(axis)) if isinstance(axis, int) else None

    return words


def stack(call: Made) -> Message | None:
    said = Message("{all} are stacked along a new axis {axis}, giving {out}.")
    if len(call.inputs) == 1:
        said = Message("{x} gets a new axis {axis}, giving {out}.")
    return along(said)(call)


def which_diagonal(offset: Any) -> Message:
    """Return the name of a diagonal by its distance from the main one, above it if positive."""
    count = coded(abs(offset))
    if offset > 0:
        return Message("diagonal {count} above the main one", count=count)
    if offset < 0:
        return Message("diagonal {count} below the main one", count=count)
    return Message("the main diagonal")


def on_diagonal(said: Message) -> Chosen:
    """Return a function for a sentence that names the diagonal."""
    return lambda call: said.fill(where=which_diagonal(call.attrs.get("offset", 0)))


def triangle(whole: Message, part: Message, strict: Message, least: int) -> Chosen:
    """Return a function for a triangle's sentence: from the main diagonal on, without it if the
    attribute is `least`, or from another one on."""

    def words(call: Made) -> Message:
        diagonal = call.attrs.get("diagonal")
        said = strict if diagonal == least else part.fill(where=which_diagonal(diagonal or 0))
        zero = "False" if call.dtype(0) == "bool" else "0"
        return (said if diagonal else whole).fill(zero=zero)

    return words


FROM_DIAGONAL = on_diagonal(Message("The elements of {x} on {where} give {out}."))
PUT_ON_DIAGONAL = on_diagonal(Message("{x} is put on {where} of matrices of zeros, giving {out}."))


def sort(call: Made) -> Message | None:
    if len(call.outputs) != 2:
        return None
    if call.outputs[1].name and not call.outputs[0].name:  # called by paddle.argsort
        said = Message(
            "{indices} has the places of the elements of {x} sorted{over}, the smallest first."
        )
        if call.attrs.get("descending"):
            said = Message(
                "{indices} has the places of the elements of {x} sorted{over}, the largest first."
            )
        return said.fill(indices=call.outputs[1])
    if call.attrs.get("descending"):
        said = Message(
            "{x} is sorted{over}, the largest first: {out}, whose elements stood at {indices}."
        )
    else:
        said = Message(
            "{x} is sorted{over}, the smallest first: {out}, whose elements stood at {indices}."
        )
    return said.fill(out=call.outputs[0], indices=call.outputs[1])


EXTREMES = {  # (whether the largest are taken, whether only one is) -> sentence
    (True, True): Message("The largest element of {x}{over}: {out}, at {indices}."),
    (False, True): Message("The smallest element of {x}{over}: {out}, at {indices}."),
    (True, False): Message(
        "The {k} largest elements of {x}{over}: {out}, whose elements stood at {indices}."
    ),
    (False, False): Message(
        "The {k} smallest elements of {x}{over}: {out}, whose elements stood at {indices}."
    ),
}


def topk(call: Made) -> Message | None:
    if len(call.outputs) != 2 or not isinstance(call.attrs.get("k"), int):
        return None
    said = EXTREMES[bool(call.attrs.get("largest", True)), call.attrs["k"] == 1]
    said = said.fill(k=call.attrs["k"], out=call.outputs[0], indices=call.outputs[1])
    if len(call.sizes(0)) == 2 and call.attrs.get("axis", -1) in (-1, 1):
        said = said.fill(x=Message("each row of {x}", x=call.inputs[0]), over=EMPTY)
    return said


def transpose(call: Made) -> Message | None:
    if [*call.attrs.get("perm", ())] == [*range(len(call.sizes(0)))]:
        return Message("The axes of {x} stay in their order: {out}.")
    return Message("{x} is transposed, giving {out}.") if len(call.sizes(0)) == 2 else None


def letters_of(call: Made) -> tuple[list[str], str]:
    """Return the letters of an einsum's factors and of its result; LookupError if some are left
    out."""
    given, arrow, output = call.attrs["equation"].replace(" ", "").partition("->")
    if "." in given:
        raise LookupError(call.attrs["equation"])
    if not arrow:
        output = "".join(sorted(c for c in {*given} - {","} if given.count(c) == 1))
    return given.split(","), output


def is_diagonal(term: str) -> bool:
    """Return whether the letters of a matrix are equal: `ii`."""
    return len(term) == 2 and len({*term}) == 1


def einsum(call: Made) -> Message | None:
    terms, output = letters_of(call)
    if len(terms) == 1 and is_diagonal(terms[0]):
        if not output:
            return Message("{name} sums the main diagonal of {x}, giving {out}.")
        return Message("{name} takes the main diagonal of {x}, giving {out}.")
    if any(len({*term}) < len(term) for term in terms):
        return None
    summed = sorted({*"".join(terms)} - {*output})
    if len(terms) == 1 and summed:
        said = Message(
            "{name} sums {x} over the {letters:subscript|subscripts} {letters}, giving {out}."
        )
    elif summed and len(terms) == 2 and are_same(*call.inputs):
        said = Message(
            "{name} multiplies {x} by itself and sums over the {letters:subscript|subscripts} "
            "{letters}, giving {out}."
        )
    elif summed:
        said = Message(
            "{name} multiplies {all} and sums over the {letters:subscript|subscripts} {letters}, "
            "giving {out}."
        )
    elif len(terms) > 1:
        said = Message("{name} multiplies {all}, giving {out}.")
    else:
        return None
    return said.fill(letters=row(summed))


def hot_rows(call: Made) -> Message:
    said = Message("Each row of {out} has {on} at the label in {x}, and {off} elsewhere.")
    if may_be_ignored(call):
        said = Message(
            "Each row of {out} has {on} at the label in {x}, and {off} elsewhere; 0 where the "
            "label is {ignored}."
        ).fill(ignored=coded(call.attrs.get("ignore_index", -100)))
    return said.fill(on=digits(call.attrs["on"]), off=digits(call.attrs["off"]))


def divergence(call: Made) -> Message | None:
    if call.attrs.get("log_target"):
        return None
    said = Message("Each element of {out} is {label} × (ln {label} − {logs}).")
    names = [bracket(thing.called if thing else "?") for thing in call.inputs[:2]]
    return said.fill(out=call.outputs[0], logs=names[0], label=names[1])


def norm(call: Made) -> Message:
    axis, power = call.attrs.get("axis"), call.attrs["porder"]
    if not isinstance(axis, int) and len(call.sizes(0)) > 1 and power in OF_ALL:
        return OF_ALL[power]  # a matrix norm may be something else
    if power == "inf":
        return Message("The ∞-norm of {x}{over}, its largest absolute value, gives {out}.")
    if power == "-inf":
        return Message("The smallest absolute value in {x}{over} gives {out}.")
    if power == 0:
        return Message("How many elements of {x}{over} are not 0 gives {out}.")
    return Message("The {porder}-norm of {x}{over} gives {out}.").fill(**call.constants("porder"))


def cumprod(call: Made) -> Message:
    said = PRODUCTS[bool(call.attrs.get("reverse")), bool(call.attrs.get("exclusive"))]
    return said.fill(axis=coded(call.attrs["dim"]))


PRODUCTS = {  # whether reverse, whether exclusive -> sentence
    (False, False): Message("The products of {x} up to each element along axis {axis} give {out}."),
    (False, True): Message("The products of {x} before each element along axis {axis} give {out}."),
    (True, False): Message(
        "The products of {x} from each element on along axis {axis} give {out}."
    ),
    (True, True): Message("The products of {x} after each element along axis {axis} give {out}."),
}


def bincount(call: Made) -> Message | None:
    if len(call.inputs) > 1 and call.inputs[1]:
        return None
    return Message("How often each number occurs in {x} gives {out}.")


def unique(call: Made) -> Message | None:
    if call.attrs.get("axis") is not None:
        return None
    x, (out, *others) = call.inputs[0], call.outputs
    said = Message("The distinct elements of {x}, sorted, give {out}.", x=x, out=out)
    more = zip(others, ABOUT_DISTINCT, strict=False)
    more_sentences = [also.fill(it=thing, x=x and x.called) for thing, also in more if thing.name]
    return combine(said, *more_sentences)


ABOUT_DISTINCT = (
    Message("{it} has the place where each of them is first."),
    Message("{it} has, for each element of {x}, its place among them."),
    Message("{it} counts how often each of them is there."),
)


def unique_consecutive(call: Made) -> Message | None:
    if call.attrs.get("axis") is not None:
        return None
    said = Message("Each run of equal neighbours in {x} becomes one element, giving {out}.")
    return said.fill(out=call.outputs[0])


def diag(call: Made) -> Message | None:
    if len(call.sizes(0)) != 1:
        return FROM_DIAGONAL(call)
    if call.attrs.get("padding_value"):
        said = Message("{x} is put on {where} of a matrix filled with {number}, giving {out}.")
        return on_diagonal(said.fill(number=call.constants("padding_value")["padding_value"]))(call)
    return PUT_ON_DIAGONAL(call)


def gather(call: Made) -> Message | None:
    axis, rank = call.attrs.get("axis", 0), len(call.sizes(0))
    if isinstance(axis, int) and rank == 2 and axis % rank:
        return Message("The columns of {x} that {y} picks give {out}.")
    if isinstance(axis, int) and rank == 2:
        return Message("The rows of {x} that {y} picks give {out}.")
    if prod(call.sizes(1)) == 1:
        return Message("The elements of {x} at place {y}{over} give {out}.")
    return None


def put_along_axis(call: Made) -> Message | None:
    reduce, axis = call.attrs["reduce"], coded(call.attrs["axis"])
    if reduce == "assign":
        said = Message("{x} with {z} written at the places {y} along axis {axis} gives {out}.")
        return said.fill(axis=axis)
    if not call.attrs["include_self"]:
        said = Message(
            "At the places {y} along axis {axis}, the elements of {x} become the {result} of what "
            "{z} has for them, giving {out}."
        )
        return said.fill(axis=axis, result=REDUCED[reduce])
    return JOINED[reduce].fill(axis=axis)


REDUCED = {  # reduction -> its result
    "add": Message.in_context("reduced", "sum"),
    "multiply": Message.in_context("reduced", "product"),
    "mean": Message.in_context("reduced", "mean"),
    "amin": Message.in_context("reduced", "minimum"),
    "amax": Message.in_context("reduced", "maximum"),
}
JOINED = {  # reduction -> sentence
    "add": Message("{z} is added to {x} at the places {y} along axis {axis}, giving {out}."),
    "multiply": Message(
        "{x} is multiplied by {z} at the places {y} along axis {axis}, giving {out}."
    ),
    "mean": Message(
        "At the places {y} along axis {axis}, the elements of {x} become the mean of themselves "
        "and of what {z} has for them, giving {out}."
    ),
    "amin": Message(
        "At the places {y} along axis {axis}, what {z} has replaces larger elements of {x}, giving "
        "{out}."
    ),
    "amax": Message(
        "At the places {y} along axis {axis}, what {z} has replaces smaller elements of {x}, "
        "giving {out}."
    ),
}


def scatter(call: Made) -> Message:
    if not call.attrs.get("overwrite", True):
        return Message("The rows {y} of {x} are set to 0, and {z} is added to them, giving {out}.")
    index = call.inputs[1] if len(call.inputs) > 1 else None
    if len(call.sizes(0)) == 1:
        return Message("{x} with {z} written at the places {y} gives {out}.")
    count = prod(call.sizes(1)) if index else 0
    return Message("{x} with {z} written into {count:row|the rows} {y} gives {out}.", count=count)


def index_put(call: Made) -> Message:
    said = Message("{x} with {y} written at the places {places} gives {out}.")
    if call.attrs.get("accumulate"):
        said = Message("{y} is added to {x} at the places {places}, giving {out}.")
    return said.fill(places=places_of(call.inputs[2:]))


def places_of(indices: Things) -> Message | Row:
    """Return the places to which indices point, one tensor for each axis: `(0, 0) and (1, 2)`."""
    if len(indices) == 1:
        return things(indices)
    values = [each.value["data"] for each in indices if each and each.value]
    lists = [data for data in values if isinstance(data, list) and 0 < len(data) <= FEW]
    if len(lists) == len(indices) and len({*map(len, lists)}) == 1:
        places = [*zip(*lists, strict=True)]
        if not any(isinstance(number, list) for place in places for number in place):
            return row(f"({', '.join(map(coded, place))})" for place in places)
    return Message("that {indices} give together", indices=things(indices))


def kthvalue(call: Made) -> Message:
    k = call.attrs["k"]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(k % 10 if k % 100 not in (11, 12, 13) else 0, "th")
    said = Message("The {nth} smallest element of {x}{over}, and its place: {out}.")
    return said.fill(nth=Text(f"{k}{ending}", zh=f"{k}"))


def histogram(call: Made) -> Message | None:
    low, high = call.attrs["min"], call.attrs["max"]
    if call.attrs.get("density") or any(call.inputs[1:]):
        return None
    said = Message(
        "How many elements of {x} lie in each of {bins} equal intervals from its smallest to its "
        "largest element gives {out}."
    )
    if low != high:
        said = Message(
            "How many elements of {x} lie in each of {bins} equal intervals from {min} to {max} "
            "gives {out}."
        )
    return said.fill(**call.constants("bins", "min", "max"))


def repeat_interleave(call: Made) -> Message | None:
    count = call.attrs.get("repeats")
    said = Message("Each element of {x} is repeated {count} times{over}, giving {out}.")
    return said.fill(count=coded(count)) if isinstance(count, int) else None


def unfold_images(call: Made) -> Message:
    attrs = call.attrs
    said = Message("Each {size} window of {x}{how} becomes a column of {out}.")
    return said.fill(size=times(attrs["kernel"]), how=steps_between(attrs), out=call.outputs[0])


def steps_between(attrs: Mapping[str, Any]) -> Message:
    """Return the clause on the steps of windows, or an empty text for steps of 1."""
    if {*attrs["stride"]} == {1}:
        return EMPTY
    return Message(", in steps of {n},", n=alike(attrs["stride"]))


def with_blocks(said: Message, factor: str) -> Chosen:
    """Return a function that returns a sentence with the size of square blocks of pixels."""

    def words(call: Made) -> Message:
        n = call.attrs[factor]
        return said.fill(count=n * n, size=times([n, n]))

    return words


RESIZED = {
    "nearest": Message(
        "{x} is resized: each element of {out} is a copy of the nearest element of {image}."
    ),
    "linear": Message(
        "{x} is resized: each element of {out} is a weighted mean of the two around its place."
    ),
    "bilinear": Message(
        "{x} is resized: each pixel of {out} is a weighted mean of the four around its place."
    ),
    "trilinear": Message(
        "{x} is resized: each voxel of {out} is a weighted mean of the eight around its place."
    ),
    "bicubic": Message(
        "{x} is resized: each pixel of {out} is a weighted sum of the 4 × 4 around its place."
    ),
    "area": Message("{x} is resized: each element of {out} is the mean of the part it covers."),
}


def resized(call: Made) -> Message | None:
    said, image = RESIZED.get(call.attrs.get("mode", "nearest")), call.inputs[0]
    return said.fill(image=image.called) if said and image else None


def fourier(call: Made) -> Message:
    """Return the sentence on a discrete Fourier transform, of which half may be left out."""
    forward, real = call.attrs["forward"], "last_dim_size" in call.attrs
    if real and forward:
        return Message(
            "{x} is half of a signal whose other half has the conjugates: its Fourier "
            "transform{over} gives the real spectrum {out}."
        )
    if real:
        return Message(
            "{x} is half of a spectrum whose other half has the conjugates: its inverse Fourier "
            "transform{over} gives the real numbers {out}."
        )
    if call.attrs.get("onesided") and forward:
        return Message(
            "The Fourier transform of {x}{over} gives half of its spectrum, as the other half has "
            "the conjugates: {out}."
        )
    if call.attrs.get("onesided"):
        return Message(
            "The inverse Fourier transform of {x}{over} gives half of a signal, as the other half "
            "has the conjugates: {out}."
        )
    if forward:
        return Message("The Fourier transform of {x}{over} gives {out}.")
    return Message("The inverse Fourier transform of {x}{over} gives {out}.")


def squeeze(call: Made) -> Message | None:
    if len(call.sizes(0)) > len(call.outputs[0].shape or ()):
        return None
    if call.attrs.get("axis") in (None, [], ()):
        return Message("{x} has no axis of size 1, so {name} changes nothing: {out}.")
    return Message("{x} has no axis of size 1{over}, so {name} changes nothing: {out}.")


CHOSEN: dict[str, Chosen] = {
    **dict.fromkeys(
        ("reshape", "reshape_to"), unless_unchanged(Message("{x} is reshaped, giving {out}."))
    ),
    "flatten": unless_unchanged(Message("{x} is flattened, giving {out}.")),
    "take_along_axis": along(
        Message("The elements of {x} at the places {y} along axis {axis} give {out}.")
    ),
    "scatter": scatter,
    "index_put": index_put,
    "kthvalue": kthvalue,
    "put_along_axis": put_along_axis,
    "clip": clip,
    **dict.fromkeys(("fft_c2c", "fft_r2c", "fft_c2r"), fourier),
    "softmax": softmax,
    "hardtanh": clip,
    "multiply": multiply,
    "divide": with_itself(Message("{x} is divided by itself, giving {out}.")),
    "maximum": of_single(Message("The larger of {x} and {y} gives {out}.")),
    "minimum": of_single(Message("The smaller of {x} and {y} gives {out}.")),
    **dict.fromkeys(("addmm", "baddbmm"), added_product),
    "matrix_power": matrix_power,
    "histogram": histogram,
    "searchsorted": unless(
        "right",
        Message(
            "For each element of {y}, the place in the sorted {x} after those that are smaller: "
            "{out}."
        ),
        Message(
            "For each element of {y}, the place in the sorted {x} after those that are at most as "
            "large: {out}."
        ),
    ),
    "repeat_interleave": repeat_interleave,
    "squeeze": squeeze,
    "unfold_images": unfold_images,
    "pixel_shuffle": with_blocks(
        Message("Every {count} channels of {x} become one channel of {size} blocks, giving {out}."),
        "upscale_factor",
    ),
    "pixel_unshuffle": with_blocks(
        Message(
            "The {size} blocks of pixels of each channel of {x} become {count} channels, giving "
            "{out}."
        ),
        "downscale_factor",
    ),
    "interpolate": resized,
    "leaky_relu": with_constants(
        Message("leaky_relu multiplies what is negative in {x} by {negative_slope}: {out}."),
        "negative_slope",
    ),
    **dict.fromkeys(
        ("elu", "celu"),
        with_constants(
            Message(
                "{name} keeps what is positive in {x} and bends the rest, down to −{alpha} at "
                "most, giving {out}."
            ),
            "alpha",
        ),
    ),
    "selu": with_constants(
        Message("selu multiplies the elu of {x} with alpha = {alpha} by {scale}, giving {out}."),
        *("alpha", "scale"),
    ),
    "hardshrink": with_constants(
        Message(
            "hardshrink sets what lies between −{threshold} and {threshold} in {x} to 0, giving "
            "{out}."
        ),
        "threshold",
    ),
    "softshrink": with_constants(
        Message("softshrink moves {x} towards 0 by {threshold}, but not beyond 0, giving {out}."),
        "threshold",
    ),
    "thresholded_relu": with_constants(
        Message("{x} is kept where it is above {threshold} and is {value} elsewhere: {out}."),
        *("threshold", "value"),
    ),
    "stanh": with_constants(
        Message(
            "stanh multiplies {x} by {scale_a}, takes the tanh and multiplies it by {scale_b}, "
            "giving {out}."
        ),
        *("scale_a", "scale_b"),
    ),
    "gelu": unless("approximate", GELU, GELU_WITH_TANH),
    "log_loss": scored,
    "relu": relu,
    "round": unless(
        "decimals",
        Message("{x} is rounded to whole numbers, halves to the even one, giving {out}."),
    ),
    "cast": cast,
    "bitwise_and": of_truths(BOTH),
    "bitwise_or": of_truths(EITHER),
    "bitwise_not": of_truths(NEITHER),
    "logical_and": of_truths(BOTH, Message("{out} is True where neither {x} nor {y} is 0.")),
    "logical_or": of_truths(EITHER, Message("{out} is True where {x} or {y} is not 0.")),
    "logical_not": of_truths(NEITHER, Message("{out} is True where {x} is 0.")),
    **dict.fromkeys(("conv2d", "conv3d"), conv),
    "conv2d_with_bias": conv_with_bias,
    "linear": linear,
    **dict.fromkeys(("conv2d_transpose", "conv3d_transpose"), conv_transpose),
    "gather": gather,
    "index_select": gather,
    **dict.fromkeys(("max_pool2d", "max_pool3d"), max_pool),
    **dict.fromkeys(
        ("max_pool2d_with_index", "max_pool3d_with_index"), lambda call: in_windows(PLACED, call)
    ),
    **dict.fromkeys(("avg_pool2d", "avg_pool3d"), mean_pool),
    "layer_norm": layer_norm,
    "batch_norm": batch_norm,
    "dropout": dropout,
    "embedding": embedding,
    "fill_like": fill_like,
    **dict.fromkeys(("expand", "expand_as", "sum_to"), expand),
    "where": where,
    "roll": roll,
    "tile": tile,
    "pad": pad,
    "nanmedian": middle,
    "softmax_with_cross_entropy": cross_entropy,
    "negative_log_likelihood": of_rows(
        Message("For each row of {x}, −ln of the probability given to {y}: {out}."),
        Message(
            "For each row of {x}, −ln of the probability given to {y}, 0 where the label "
            "is {ignore_index}: {out}."
        ),
    ),
    "nll_rows": of_rows(
        Message("For each row of {x}, minus the number at its label: {out}."),
        Message(
            "For each row of {x}, minus the number at its label, 0 where the label is "
            "{ignore_index}: {out}."
        ),
    ),
    "binary_cross_entropy": scored,
    "binary_cross_entropy_with_logits": scored_by_sigmoid,
    "concat": along(Message("{all} {all:is|are} joined along axis {axis}, giving {out}.")),
    "stack": stack,
    "split": along(Message("{x} is cut along axis {axis} into {out}.")),
    "unbind": along(Message("{x} is taken apart along axis {axis}, which disappears, into {out}.")),
    "tril": triangle(
        Message("{x} keeps its lower triangle, with {zero} above it, giving {out}."),
        Message("{x} keeps what is on and below {where}, with {zero} above it: {out}."),
        Message("{x} keeps what is below its main diagonal, with {zero} elsewhere: {out}."),
        -1,
    ),
    "triu": triangle(
        Message("{x} keeps its upper triangle, with {zero} below it, giving {out}."),
        Message("{x} keeps what is on and above {where}, with {zero} below it: {out}."),
        Message("{x} keeps what is above its main diagonal, with {zero} elsewhere: {out}."),
        1,
    ),
    "masked_fill": lambda call: FILLED if len(call.inputs) == 3 else None,
    "cumsum": unless("reverse", Message("The sums of {x} up to each element{over} give {out}.")),
    "argsort": sort,
    "topk": topk,
    "p_norm": norm,
    "cumprod": cumprod,
    "cholesky": unless(
        "upper",
        Message("{out} is the lower triangle that, times its transpose, is {x}."),
        Message("{out} is the upper triangle whose transpose times itself is {x}."),
    ),
    "diag": diag,
    "diag_embed": PUT_ON_DIAGONAL,
    "diagonal": FROM_DIAGONAL,
    "trace": on_diagonal(Message("The elements of {x} on {where} add up to {out}.")),
    "unique": unique,
    "unique_consecutive": unique_consecutive,
    "bincount": bincount,
    "transpose": transpose,
    "smooth_l1_loss": with_constants(
        Message(
            "The Huber loss is half the squared difference of {x} and {y}, and grows as a line "
            "where they differ by more than {delta}: {out}."
        ),
        "delta",
    ),
    "kl_div": divergence,
    "einsum": einsum,
    "hot_rows": hot_rows,
}


# ----- elements ----------------------------------------------------------------------------------


class Piece(NamedTuple):
    """Part of a subscript along one axis: the element `at`, or those from `begin` to `end`."""

    at: int | None = None
    begin: int | None = None
    end: int | None = None

    @property
    def is_all(self) -> bool:
        return self == Piece()


def piece(index: Any) -> Piece | None:
    """Return one part of a recorded subscript, `2` or `"1:"`, or None for anything else."""
    if isinstance(index, int) and not isinstance(index, bool):
        return Piece(at=index)
    if not isinstance(index, str) or index.count(":") != 1:
        return None
    ends = index.split(":")
    if not all(end.removeprefix("-").isdigit() or not end for end in ends):
        return None
    begin, end = (int(end) if end else None for end in ends)
    return Piece(begin=begin, end=end)


PARTS: dict[tuple[int, str], Message] = {  # (axis of a matrix, kind of part) -> sentence
    (0, "one"): Message("{out} is row {n} of {x}."),
    (1, "one"): Message("{out} is column {n} of {x}."),
    (0, "last"): Message("{out} is the last row of {x}."),
    (1, "last"): Message("{out} is the last column of {x}."),
    (0, "no first"): Message("{out} is {x} without its first row."),
    (1, "no first"): Message("{out} is {x} without its first column."),
    (0, "no last"): Message("{out} is {x} without its last row."),
    (1, "no last"): Message("{out} is {x} without its last column."),
}


def axis_and_piece(index: Any, sizes: Sequence[int]) -> tuple[int, Piece] | None:
    """Return the one axis along which a subscript takes a part of a matrix, and the part."""
    pieces = [piece(each) for each in (index if isinstance(index, list) else [index])]
    taken = [(i, each) for i, each in enumerate(pieces) if each and not each.is_all]
    is_part = len(sizes) == 2 and len(pieces) <= 2 and len(taken) == 1 and None not in pieces
    return taken[0] if is_part else None


def reversed_axes(index: Any, sizes: Sequence[int]) -> list[int] | None:
    """Return the axes that a subscript reverses, or None if it leaves out elements or axes.

    >>> reversed_axes([":", "::-1"], [2, 3]), reversed_axes("...", [2]), reversed_axes("1:", [2])
    ([1], [], None)
    """
    rows = [each for each in (index if isinstance(index, list) else [index]) if each is not None]
    if "..." in rows:
        at = rows.index("...")
        rows[at : at + 1] = [":"] * (len(sizes) - len(rows) + 1)
    found = []
    for axis, (each, size) in enumerate(zip(rows, sizes, strict=False)):
        if not isinstance(each, str) or size < 0:
            return None
        places = range(size)[slice(*(int(end) if end else None for end in each.split(":")))]
        if len(places) < size:
            return None
        found += [axis] * (places.step < 0 and size > 1)
    return found


def part_of(index: Any, x: Mention, out: Mention) -> Message | None:
    """Return the sentence on a matrix's row, column, or all but the first or last, or None."""
    sizes, found = x.shape or (), axis_and_piece(index, x.shape or ())
    if found is None:
        return None
    axis, (at, begin, end) = found
    if at is not None:
        kind = "last" if at == -1 else "one"
    elif (begin, end) == (1, None):
        kind = "no first"
    elif (begin, end) == (None, -1):
        kind = "no last"
    else:
        return None
    place = at % sizes[axis] if at is not None and sizes[axis] > 0 else at
    return PARTS[axis, kind].fill(out=out, n=place, x=x.called)


# ----- ops without inputs ------------------------------------------------------------------------


def normal(attrs: Mapping[str, Any]) -> Message:
    said = Message("{title} draws normal numbers (mean {mean}, standard deviation {std}): {out}.")
    return said.fill(mean=coded(attrs.get("mean", 0)), std=coded(attrs.get("std", 1)))


def uniform(attrs: Mapping[str, Any]) -> Message:
    said = Message("{title} draws uniform numbers in [{min}, {max}): {out}.")
    return said.fill(min=coded(attrs.get("min", 0)), max=coded(attrs.get("max", 1)))


def integers(attrs: Mapping[str, Any]) -> Message | None:
    low, high = attrs.get("low"), attrs.get("high")
    if not isinstance(low, int) or not isinstance(high, int):
        return None
    said = Message("{title} draws integers from {low} to {high}: {out}.")
    return said.fill(low=coded(low), high=coded(high - 1))


def counted(attrs: Mapping[str, Any]) -> Message | None:
    start, end, step = (attrs.get(name) for name in ("start", "end", "step"))
    if not all(isinstance(each, (int, float)) for each in (start, end, step)):
        return None
    said = Message(
        "{title} counts from {start} up to, but not including, {end} in steps of {step}: {out}."
    )
    if step == 1:
        said = Message("{title} counts from {start} up to, but not including, {end}: {out}.")
    return said.fill(start=coded(start), end=coded(end), step=coded(step))


def spaced(attrs: Mapping[str, Any]) -> Message | None:
    start, stop, num = (attrs.get(name) for name in ("start", "stop", "num"))
    if not all(isinstance(each, (int, float)) for each in (start, stop, num)):
        return None
    said = Message("{title} makes {num} evenly spaced numbers from {start} to {stop}: {out}.")
    return said.fill(start=coded(start), stop=coded(stop), num=coded(num))


def loaded(attrs: Mapping[str, Any]) -> Message:
    if attrs.get("stacked"):
        return Message("The DataLoader gives {out}: samples stacked into a batch.")
    return Message("The DataLoader gives {out}.")


CREATIONS: dict[str, Message | Callable[[Mapping[str, Any]], Message | None]] = {
    "eye": Message("{title} makes a matrix with ones on its diagonal and zeros elsewhere: {out}."),
    "barrier": Message("The ranks wait for each other."),
    "gaussian": normal,
    "uniform": uniform,
    "randint": integers,
    "arange": counted,
    "linspace": spaced,
    "batch": loaded,
}


def filled(attrs: Mapping[str, Any], out: Mention) -> Message | None:
    """Return the sentence on a tensor filled with one number, or None if the tensor has a name and
    is a single number."""
    number = attrs.get("fill_value")
    if number not in ("inf", "-inf") and type(number) not in (int, float):
        return None
    said = Message("{title} makes {out}, filled with {number}.")
    if not out.name and not out.shape:
        said = Message("{title} makes the scalar {number}.")
    elif not out.name:
        said = Message("{title} makes a {shape} tensor filled with {number}.")
    elif out.number:
        return None
    is_bool = (out.value or {}).get("dtype") == "bool"
    told = str(bool(number)) if is_bool else coded(number)
    return said.fill(shape=shape(out.shape or ()), number=told)
