"""Arguments of `viz.paths`: tensor, element and recording, and errors about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import index as whole_number
from typing import Any

from minipaddle import events
from minipaddle.engine.errors import (
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    OutOfRange,
    Unimplemented,
)

from ..document.program_names import with_names
from ..document.values import SMALL
from ..story.chapters import Recorded
from ..story.sentences.wording import shape
from .explanation import caller, name_of

SHOWN = 12  # maximum number of names in an error


def check_asked(x: Any) -> None:
    """Raise an error for anything but a Tensor or a name."""
    if isinstance(x, str) or hasattr(x, "stop_gradient"):
        return
    is_trace = hasattr(x, "chapters")
    raise InvalidType(
        "viz.paths(): x must be a Tensor, or the name of one.",
        expected='viz.paths(x, (0, 1)), or viz.paths("x", (0, 1), trace)',
        received="a trace" if is_trace else f"{type(x).__name__} {x!r:.40}",
        fix='write trace.paths("x", (0, 1))' if is_trace else "give the tensor itself",
    )


def numbers_in(trace: Recorded, x: Any) -> list[int]:
    """Return the numbers of a tensor, or of all tensors with a name, outside of PyLayers first."""
    if not isinstance(x, str):
        number = trace.number_of(x)
        return [number] if number else []
    named = sorted(
        (scope, number) for (number, scope), name in trace.names.items() if name == x and number > 0
    )
    return [number for _, number in named]


def name_in(trace: Recorded, x: Any) -> str:
    """Return the name of a tensor in the trace, else in the caller's code."""
    if isinstance(x, str):
        return x
    return trace.names.get((trace.number_of(x), 0)) or name_of(x)


def trace_of_caller(x: Any) -> Recorded:
    """Return the trace in a caller's variable that knows a tensor; raise unless there is one."""
    frame = caller()
    known: dict[str, Recorded] = {}
    for name, thing in {**frame.f_globals, **frame.f_locals}.items():
        if hasattr(type(thing), "what_if") and hasattr(type(thing), "chapters"):
            seen_before = any(thing is other for other in known.values())
            if not name.startswith("_") and not seen_before and numbers_in(thing, x):
                known[name] = thing
    if len(known) == 1:
        return next(iter(known.values()))
    what = f"{x!r:.40}" if isinstance(x, str) else "this tensor"
    raise InvalidArgument(
        f"viz.paths(): several recordings know {what}."
        if known
        else f"viz.paths(): no recording in a variable here knows {what}.",
        expected="a trace of the forward and the backward pass",
        received=", ".join(known) or "none",
        fix="give it as the third argument: viz.paths(x, index, trace)"
        if known
        else "record both: with viz.record() as trace: ... loss.backward()",
    )


def index_into(
    call: str, name: str, sizes: tuple[int, ...], index: Any, asked: str = ""
) -> tuple[int, ...]:
    """Return the index of one element, counted from the front; raise for a wrong index.

    `call` is the name of the function, `asked` the argument that names the tensor.
    """
    if 0 in sizes:
        raise OutOfRange(
            f"{call}(): {name} has no elements.",
            expected="a tensor with elements",
            received=f"shape {shape(sizes)}",
            fix="ask for another tensor",
        )
    if index is None:
        if any(size != 1 for size in sizes):
            raise InvalidArgument(
                f"{call}(): {name} has more than one element.",
                expected=f"the place of one of them, in shape {shape(sizes)}",
                received="no index",
                fix=f"write {call}({asked or repr(name)}, {example(sizes)})",
            )
        return (0,) * len(sizes)
    given = tuple(index) if isinstance(index, (tuple, list)) else (index,)
    try:
        places = tuple(map(whole_number, given))
    except TypeError:
        raise InvalidType(
            f"{call}(): the index must be whole numbers, of one element.",
            expected=f"an index into shape {shape(sizes)}, such as {example(sizes)}",
            received=f"{index!r:.40}",
            fix="give one whole number for each axis",
        ) from None
    fits = len(places) == len(sizes) and all(
        -size <= at < size for at, size in zip(places, sizes, strict=True)
    )
    if not fits:
        raise OutOfRange(
            f"{call}(): {name} has no element at this place.",
            expected=f"an index into shape {shape(sizes)}",
            received=f"{index!r:.40}",
            fix=f"give {len(sizes)} whole numbers, each smaller than the size of its axis"
            if len(sizes) != 1
            else "give a whole number smaller than that",
        )
    return tuple(at % size for at, size in zip(places, sizes, strict=True))


def example(sizes: tuple[int, ...]) -> str:
    """Return the index of the last element as code: `(1, 2)`, or `2`."""
    last = tuple(size - 1 for size in sizes)
    return str(last[0]) if len(last) == 1 else str(last)


def no_gradient(trace: Recorded, x: Any, name: str) -> MinipaddleError:
    """Return the error for a tensor without a gradient in the trace."""
    known = any(numbers_in(chapter.trace, x) for chapter in trace.chapters)
    if (
        not known
        and isinstance(x, str)
        and name in variables_of(with_names(trace.events, trace.variables))
    ):
        return Unimplemented(
            f"viz.paths(): {name} is a Variable of a Program.",
            expected="a tensor of eager mode",
            received=f"{name}, which operators of a Program compute",
            fix="run the same model in eager mode, and ask there",
        )
    if not known:
        names = sorted({each for (_, scope), each in trace.names.items() if not scope})
        return InvalidArgument(
            f"viz.paths(): nothing in this trace is called {name!r:.40}."
            if isinstance(x, str)
            else "viz.paths(): this trace does not know the tensor.",
            expected=f"one of {list_names(names)}"
            if names
            else "a tensor that the recorded block used",
            received=f"{name!r:.40}" if isinstance(x, str) else f"{name}, of other code",
            fix="choose one of these" if names else "record the code that uses it",
        )
    return InvalidArgument(
        f"viz.paths(): no backward pass in this trace brought a gradient to {name}.",
        expected="a tensor that a pass reached, from its beginning to its end",
        received=name,
        fix="ask for the reason with trace.explain(x)",
    )


def list_names(names: Sequence[object]) -> str:
    """Return the first names as text for an error: `a, b, ...`."""
    return ", ".join(map(str, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")


def too_large(name: str) -> MinipaddleError:
    """Return the error for numbers that were not recorded."""
    return InvalidArgument(
        f"viz.paths(): numbers between the loss and {name} are too large to be in the trace.",
        expected=f"arrays of up to {SMALL} elements, or what the trace can compute again",
        received="larger ones, of which it has statistics",
        fix="record a smaller batch, or a smaller model",
    )


def odd(name: str) -> MinipaddleError:
    """Return the error for NaN or infinity in the sum."""
    return InvalidArgument(
        f"viz.paths(): between the loss and {name} there is NaN or infinity, which adds up to "
        "nothing.",
        expected="finite numbers on all paths",
        received="NaN or infinity",
        fix="see where it comes from: trace.problems()",
    )


def variables_of(records: Sequence[Any]) -> set[str]:
    """Return the names of the Variables that operators of Programs read or write."""

    def names(event: Any) -> Iterator[str]:
        if isinstance(event, events.OperatorExecuted):
            yield from (*event.inputs, *event.outputs)

    return {name for event in records for name in names(event)}
