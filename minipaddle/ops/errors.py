"""Errors that many ops raise: what is wrong, what was expected and received, what to do.

Each function returns an error; the mechanism raises it. Tensors come by their arguments' names:
`raise errors.other_dtype("lerp", x=x, weight=weight)`. `kind` is the class that Paddle raises.
What the ops of one folder say alone stands in the `errors` of that folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..engine.dtypes import DType, get_default
from ..engine.errors import (
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    Unimplemented,
    instead_of_a_tensor,
)
from ..messages import EMPTY, OR, Message, Row

Kind = type[MinipaddleError]


def either(words: Iterable[str]) -> Message:
    """Return words in a row: `a, b or c`."""
    return Row(words, last=OR).message()


def seen(x: Any) -> str:
    """Describe a tensor, an array or a Meta in a few letters: `float32 [2]`."""
    return f"{DType.of(x.dtype).name} {list(x.shape)}"


def listed(given: dict[str, Any]) -> str:
    """Describe arguments: `x float32 [2], axis 1`."""
    shown = {name: seen(x) if hasattr(x, "dtype") else f"{x!r:.60}" for name, x in given.items()}
    return ", ".join(f"{name} {words}" for name, words in shown.items())


def other_dtype(op: str, kind: Kind = InvalidArgument, /, **given: Any) -> MinipaddleError:
    """Make the error of two tensors that must have one dtype; the default dtype is to be kept."""
    (first, x), (name, other) = given.items()
    if DType.of(other.dtype).name == get_default().name:
        first, x, name, other = name, other, first, x
    dtype, names = DType.of(x.dtype).name, Row(given)
    return kind(
        Message("{op}(): {names} must have one dtype; {op} does not promote.", op=op, names=names),
        expected=Message(
            "{name} in {dtype}, as {first} {x}", name=name, dtype=dtype, first=first, x=seen(x)
        ),
        received=f"{name} {seen(other)}",
        fix=f"{name}.astype('{dtype}')",
    )


def dtype(
    op: str, wanted: Iterable[str], kind: Kind = InvalidType, /, **given: Any
) -> MinipaddleError:
    """Make the error of a first argument whose dtype is not among the wanted ones."""
    name, *_ = given
    allowed = list(wanted)
    dtypes, cast = either(allowed), "float32" if "float32" in allowed else allowed[-1]
    return kind(
        Message("{op}(): the dtype of {name} must be {dtypes}.", op=op, name=name, dtypes=dtypes),
        expected=Message("{name} of {dtypes}", name=name, dtypes=dtypes),
        received=listed(given),
        fix=Message("cast it first: {name}.astype('{cast}')", name=name, cast=cast),
    )


def index_dtype(op: str, dtype: Any, kind: Kind = InvalidArgument) -> MinipaddleError:
    """Make the error of a dtype that positions cannot have."""
    return kind(
        Message("{op}(): positions and counts are int32 or int64.", op=op),
        expected="dtype 'int32' or 'int64'",
        received=f"dtype {dtype!r}",
        fix=Message("leave dtype out, or cast the result afterwards"),
    )


def shape(op: str, wanted: Any, kind: Kind = InvalidArgument, /, **given: Any) -> MinipaddleError:
    """Make the error of a first argument without the shape that the others need."""
    name, *_ = given
    sizes = ", ".join(map(str, wanted))
    return kind(
        Message("{op}(): {name} must have the shape [{sizes}].", op=op, name=name, sizes=sizes),
        expected=Message("{name} of shape [{sizes}]", name=name, sizes=sizes),
        received=listed(given),
        fix=Message("reshape {name}, or check the other sizes", name=name),
    )


def rank(
    op: str,
    least: int,
    most: int | None,
    kind: Kind = InvalidArgument,
    instead: str = "",
    /,
    **given: Any,
) -> MinipaddleError:
    """Make the error of a first argument of the wrong rank; `instead` is what to call for it."""
    (name, x), *_ = given.items()
    if most is None:
        wanted = Message("at least {n} {n:dimension|dimensions}", n=least)
    elif least == most:
        wanted = Message("{n} {n:dimension|dimensions}", n=least)
    elif least == 0:
        wanted = Message("at most {n} {n:dimension|dimensions}", n=most)
    else:
        wanted = Message("{least} or {n} dimensions", least=least, n=most)
    if instead:
        fix = Message("use {instead}", instead=instead)
    elif len(x.shape) < least:
        fix = Message("add the missing axis: paddle.unsqueeze({name}, 0)", name=name)
    elif most == 1:
        fix = Message("flatten it: {name}.flatten()", name=name)
    else:
        fix = Message("reshape {name}, or take a part of it", name=name)
    return kind(
        Message("{op}(): {name} must have {wanted}.", op=op, name=name, wanted=wanted),
        expected=wanted,
        received=listed(given),
        fix=fix,
    )


def choice(
    op: str, argument: str, value: object, choices: Iterable[object], kind: Kind = InvalidArgument
) -> MinipaddleError:
    """Make the error of a value that is none of the choices."""
    row = either(map(repr, choices))
    return kind(
        Message("{op}(): {argument} must be {row}.", op=op, argument=argument, row=row),
        expected=row,
        received=f"{argument}={value!r:.60}",
        fix=Message("choose one of these"),
    )


def no_count(op: str, argument: str, value: object, kind: Kind = InvalidType) -> MinipaddleError:
    """Make the error of a value that is no whole number of at least 0."""
    return kind(
        f"{op}(): {argument} should be a non-negative int.",
        expected=f"{argument} >= 0",
        received=repr(value),
        fix=f"{op}({argument}=3)",
    )


def too_small(
    op: str, argument: str, value: object, least: object = 0, kind: Kind = InvalidArgument
) -> MinipaddleError:
    """Make the error of a number below the least that the argument can be."""
    return kind(
        Message("{op}(): {name} must be at least {least}.", op=op, name=argument, least=least),
        expected=f"{argument} >= {least}",
        received=f"{argument}={value}",
        fix=Message("make {name} at least {least}", name=argument, least=least),
    )


def no_tensor(
    op: str, argument: str, value: object, wanted: Message | None = None, kind: Kind = InvalidType
) -> MinipaddleError:
    """Make the error of an argument that is no Tensor, or not what is wanted."""
    words, got = wanted or Message("a Tensor"), type(value).__name__
    return kind(
        Message("{name}(): {argument} must be {kind}, but got {given}."),
        expected=words,
        received=f"{got} {value!r:.60}",
        fix=instead_of_a_tensor(value),
        slots={"name": op, "argument": argument, "kind": words, "given": got},
    )


def one_element(what: str | Message, value: Any, example: str = "x") -> MinipaddleError:
    """Make the error of a tensor of several elements where one number belongs."""
    return InvalidArgument(
        Message("{what} must have one element.", what=what),
        expected=Message("a number, or a Tensor of one element"),
        received=Message("shape {shape}", shape=list(value.shape)),
        fix=Message("take one of its elements, for example {example}[0]", example=example),
    )


def empty(op: str, axis: object = None, /, **given: Any) -> MinipaddleError:
    """Make the error of a tensor without elements, or without any along an axis."""
    where = EMPTY if axis is None else Message(" along axis {axis}", axis=axis)
    name, *_ = given
    return InvalidArgument(
        Message("{op}(): {name} has no elements{where}.", op=op, name=name, where=where),
        expected=Message("at least one element{where}", where=where),
        received=listed(given),
        fix=Message("check that the tensor is not empty first"),
    )


def unknown_size(op: str, axis: int, /, **given: Any) -> MinipaddleError:
    """Make the error of a size that must be known while the Program is built."""
    name, *_ = given
    return InvalidArgument(
        Message("{op}(): the size of axis {axis} of {name} must be known."),
        expected=Message("a known size of axis {axis}"),
        received=listed(given),
        fix=Message("declare the size in static.data()"),
        slots={"op": op, "axis": axis, "name": name},
    )


def lengths(op: str, kind: Kind = InvalidArgument, /, **rows: Any) -> MinipaddleError:
    """Make the error of two lists that must have the same number of elements."""
    return kind(
        Message("{op}(): {names} must have the same number of elements.", op=op, names=Row(rows)),
        expected=Message("lists of one length"),
        received=listed(rows),
        fix=Message("give each as many elements as the other"),
    )


def twice(op: str, /, **given: Any) -> MinipaddleError:
    """Make the error of two arguments that exclude each other."""
    return InvalidArgument(
        Message("{op}(): only one of {names} may be given.", op=op, names=Row(given)),
        expected=Message("one of them, or neither"),
        received=listed(given),
        fix=Message("leave one of them out"),
    )


def not_yet_known(what: str, value: Any) -> MinipaddleError:
    """Make the error of a Variable where a Program must know an axis or a size."""
    return InvalidType(
        f"{what or 'this axis or size'} must be known when the Program is built.",
        expected="an int",
        received=f"a Variable of shape {list(value.shape)}",
        fix="reshape, expand, tile, full, rand, arange, concat, topk and slices take Variables",
    )


def no_integer(what: str, value: object) -> MinipaddleError:
    """Make the error of an axis or a size that is no integer."""
    return InvalidType(
        f"{what or 'an axis or a size'} must be an integer.",
        expected="an int, or a Tensor of one integer",
        received=f"{type(value).__name__} {value!r:.60}",
        fix="convert it first: int(...)",
    )


def no_sizes(rule: str, variables: list[Any]) -> MinipaddleError:
    """Make the error of Variables that cannot be sizes, because of a rule."""
    return InvalidType(
        f"this Variable cannot say sizes or axes: {rule}.",
        expected="int32 or int64, of shape [] or [1] for one size, or [n] for n of them",
        received=", ".join(f"{v.name!r}: {v.dtype.name} {list(v.shape)}" for v in variables),
        fix="declare its shape in static.data(), cast it, or reshape it",
    )


def too_large(sizes: Iterable[int], count: int, most: float) -> MinipaddleError:
    """Make the error of a tensor that does not fit into memory."""
    return InvalidArgument(
        Message("a tensor of {count:.3g} elements is too large to be made.", count=count),
        expected=Message("at most {most:.3g} elements: the bytes of this machine's memory"),
        received=Message("sizes {shape}", shape=list(sizes)),
        fix=Message("give smaller sizes"),
        slots={"most": most},
    )


def too_many(what: str, value: int, most: int) -> MinipaddleError:
    """Make the error of a number of things that would take too long to make."""
    return InvalidArgument(
        Message("{what}={value} is too large.", what=what, value=value),
        expected=Message("at most {most}", most=most),
        received=str(value),
        fix=Message("give a smaller {what}", what=what),
    )


def two_names(op: str, own: str, second: str) -> MinipaddleError:
    """Make the error of one argument given under two of its names."""
    return InvalidType(
        f"{op}() got multiple values for argument '{own}'.",
        expected=f"{own} or {second}, two names of one argument",
        received="both",
        fix=f"leave out {second}",
    )


def no_operand(symbol: str, value: object) -> MinipaddleError:
    """Make the error of an operand that an operator of a Tensor does not take."""
    kind = type(value).__name__
    return InvalidType(
        Message(
            "__{symbol}__(): argument (position 1) must be int, float, bool or "
            "Tensor, but got {kind}."
        ),
        expected=Message("int, float, bool or Tensor"),
        received=f"{kind} {value!r:.40}",
        fix=instead_of_a_tensor(value),
        slots={"symbol": symbol, "kind": kind},
    )


def no_matrix(columns: int, x: Any, y: Any) -> MinipaddleError:
    """Make the error of an x that does not become a matrix to multiply with y."""
    return InvalidArgument(
        f"mul(): x cannot be made a matrix that fits y at num_col_dims={columns}.",
        expected=f"more than {columns} dimensions in x, and {y.shape[0]} elements in those after "
        "them",
        received=f"x {x} and y {y}",
        fix="check num_flatten_dims and the sizes of the layers",
    )


def no_labels(label: Any, out: Any) -> MinipaddleError:
    """Make the error of labels that do not fit the scores."""
    return InvalidArgument(
        "accuracy(): the labels do not fit the scores.",
        expected="one label for each row: shape [N, 1]",
        received=f"label {label} for scores of the {out.shape[-1]} highest classes {out}",
        fix="label.reshape([-1, 1])",
    )


def not_here(op: str, ranks: Iterable[int]) -> MinipaddleError:
    """Make the error of a collective that is computed again on one rank."""
    return Unimplemented(
        Message("{op}(): the other ranks are not here.", op=op),
        expected=Message(
            "a call of paddle.distributed.{op} on ranks {ranks}", op=op, ranks=list(ranks)
        ),
        received=Message("its kernel alone"),
        fix=Message("record it again on all ranks"),
    )
