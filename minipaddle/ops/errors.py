"""Errors that many ops raise: what is wrong, what was expected and received, what to do.

Each function returns an error; the mechanism raises it. Tensors come by their arguments' names:
`raise errors.other_dtype("lerp", x=x, weight=weight)`. `kind` is the class that Paddle raises.
Errors that one op raises are `misfit`s (see `minipaddle/errors.py`), but for those of common ops.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ..engine.dtypes import DType, get_default
from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    OutOfRange,
    Unimplemented,
    instead_of_a_tensor,
)
from ..messages import EMPTY, OR, Message, Row

Kind = type[MinipaddleError]


def join_alternatives(words: Iterable[str]) -> Message:
    """Join words as alternatives: `a, b or c`."""
    return Row(words, last=OR).message()


def describe_tensor(x: Any) -> str:
    """Describe a tensor, an array or a Meta by dtype and shape: `float32 [2]`."""
    return f"{DType.of(x.dtype).name} {list(x.shape)}"


def describe_all(row: dict[str, Any]) -> str:
    """Describe arguments by name: `x float32 [2], axis 1`."""
    shown = {
        name: describe_tensor(x) if hasattr(x, "dtype") else f"{x!r:.60}" for name, x in row.items()
    }
    return ", ".join(f"{name} {words}" for name, words in shown.items())


def other_dtype(op: str, kind: Kind = InvalidArgument, /, **tensors: Any) -> MinipaddleError:
    """Make the error of two tensors of different dtypes; the fix casts to the default dtype."""
    (first, x), (name, other) = tensors.items()
    if DType.of(other.dtype).name == get_default().name:
        first, x, name, other = name, other, first, x
    dtype, pair = DType.of(x.dtype).name, {"first": first, "x": describe_tensor(x)}
    return kind(
        Message("{op}(): {names} must have one dtype; {op} does not promote."),
        expected=Message("{name} in {dtype}, as {first} {x}"),
        received=f"{name} {describe_tensor(other)}",
        fix=f"{name}.astype('{dtype}')",
        slots={"op": op, "names": Row(tensors), "name": name, "dtype": dtype, **pair},
    )


def dtype(
    op: str, wanted: Iterable[str], kind: Kind = InvalidType, /, **tensors: Any
) -> MinipaddleError:
    """Make the error of a first argument whose dtype is not allowed."""
    name, *_ = tensors
    allowed = list(wanted)
    dtypes, cast = join_alternatives(allowed), "float32" if "float32" in allowed else allowed[-1]
    return kind(
        Message("{op}(): the dtype of {name} must be {dtypes}.", op=op, name=name, dtypes=dtypes),
        expected=Message("{name} of {dtypes}", name=name, dtypes=dtypes),
        received=describe_all(tensors),
        fix=Message("cast it first: {name}.astype('{cast}')", name=name, cast=cast),
    )


def shape(op: str, wanted: Any, kind: Kind = InvalidArgument, /, **tensors: Any) -> MinipaddleError:
    """Make the error of a first argument whose shape does not fit the others."""
    name, *_ = tensors
    sizes = ", ".join(map(str, wanted))
    return kind(
        Message("{op}(): {name} must have the shape [{sizes}].", op=op, name=name, sizes=sizes),
        expected=Message("{name} of shape [{sizes}]", name=name, sizes=sizes),
        received=describe_all(tensors),
        fix=Message("reshape {name}, or check the other sizes", name=name),
    )


def rank(
    op: str,
    least: int,
    most: int | None,
    kind: Kind = InvalidArgument,
    instead: str = "",
    /,
    **tensors: Any,
) -> MinipaddleError:
    """Make the error of a first argument of the wrong rank; `instead` names the function for it."""
    (name, x), *_ = tensors.items()
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
        received=describe_all(tensors),
        fix=fix,
    )


def require_rank(
    op: str,
    least: int,
    most: int | None,
    kind: Kind = InvalidArgument,
    instead: str = "",
    /,
    **tensors: Any,
) -> None:
    """Raise the error of `rank` unless the first argument has from `least` to `most` axes."""
    for x in tensors.values():  # next(iter(...)) takes three times as long
        count = len(x.shape)
        if count < least or (most is not None and count > most):
            raise rank(op, least, most, kind, instead, **tensors)
        return


def choice(
    op: str, argument: str, value: object, choices: Iterable[object], kind: Kind = InvalidArgument
) -> MinipaddleError:
    """Make the error of a value that is not among the choices."""
    row = join_alternatives(map(repr, choices))
    return kind(
        Message("{op}(): {argument} must be {row}.", op=op, argument=argument, row=row),
        expected=row,
        received=f"{argument}={value!r:.60}",
        fix=Message("choose one of these"),
    )


def require_choice(
    op: str, argument: str, value: object, choices: Collection[object], kind: Kind = InvalidArgument
) -> None:
    """Raise the error of `choice` unless the value is among the choices."""
    if value not in choices:
        raise choice(op, argument, value, choices, kind)


def no_tensor(
    op: str, argument: str, value: object, wanted: Message | None = None, kind: Kind = InvalidType
) -> MinipaddleError:
    """Make the error of an argument that is no Tensor, or not of the expected kind."""
    words, got = wanted or Message("a Tensor"), type(value).__name__
    return kind(
        Message("{name}(): {argument} must be {kind}, but got {given}."),
        expected=words,
        received=f"{got} {value!r:.60}",
        fix=instead_of_a_tensor(value),
        slots={"name": op, "argument": argument, "kind": words, "given": got},
    )


def one_element(what: str | Message, value: Any, example: str = "x") -> MinipaddleError:
    """Make the error of a tensor of several elements where a number is expected."""
    return InvalidArgument(
        Message("{what} must have one element.", what=what),
        expected=Message("a number, or a Tensor of one element"),
        received=Message("shape {shape}", shape=list(value.shape)),
        fix=Message("take one of its elements, for example {example}[0]", example=example),
    )


def empty(op: str, axis: object = None, /, **tensors: Any) -> MinipaddleError:
    """Make the error of a tensor without elements, or without any along an axis."""
    where = EMPTY if axis is None else Message(" along axis {axis}", axis=axis)
    name, *_ = tensors
    return InvalidArgument(
        Message("{op}(): {name} has no elements{where}.", op=op, name=name, where=where),
        expected=Message("at least one element{where}", where=where),
        received=describe_all(tensors),
        fix=Message("check that the tensor is not empty first"),
    )


def unknown_size(op: str, axis: int, /, **tensors: Any) -> MinipaddleError:
    """Make the error of a size that must be known while the Program is built."""
    name, *_ = tensors
    return InvalidArgument(
        Message("{op}(): the size of axis {axis} of {name} must be known."),
        expected=Message("a known size of axis {axis}"),
        received=describe_all(tensors),
        fix=Message("declare the size in static.data()"),
        slots={"op": op, "axis": axis, "name": name},
    )


def not_yet_known(what: str, value: Any) -> MinipaddleError:
    """Make the error of a Variable as an axis or a size, which a Program must know."""
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
    """Make the error of Variables that cannot be sizes; `rule` says why."""
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


def two_names(op: str, own: str, second: str) -> MinipaddleError:
    """Make the error of an argument that is passed under two of its names."""
    return InvalidType(
        f"{op}() got multiple values for argument '{own}'.",
        expected=f"{own} or {second}, two names of one argument",
        received="both",
        fix=f"leave out {second}",
    )


def no_operand(symbol: str, value: object) -> MinipaddleError:
    """Make the error of an operand that an operator of a Tensor does not accept."""
    kind = type(value).__name__
    repeats = symbol in ("mul", "rmul") and isinstance(value, (list, tuple, str))
    return (CheckFailed if repeats else InvalidType)(
        Message(
            "__{symbol}__(): argument (position 1) must be int, float, bool or "
            "Tensor, but got {kind}."
        ),
        expected=Message("int, float, bool or Tensor"),
        received=f"{kind} {value!r:.40}",
        fix=instead_of_a_tensor(value),
        slots={"symbol": symbol, "kind": kind},
    )


def not_here(op: str, ranks: Iterable[int]) -> MinipaddleError:
    """Make the error of a collective that is to be recomputed on one rank."""
    return Unimplemented(
        Message("{op}(): the other ranks are not here."),
        expected=Message("a call of paddle.distributed.{op} on ranks {ranks}"),
        received=Message("its kernel alone"),
        fix=Message("record it again on all ranks"),
        slots={"op": op, "ranks": list(ranks)},
    )


# ----- products of matrices -----------------------------------------------------------------------


def number_as_matrix(x: Any, y: Any) -> MinipaddleError:
    """Make the error of a number where a vector or a matrix is expected."""
    return InvalidArgument(
        Message("matmul(): a 0-D tensor cannot be multiplied as a matrix."),
        expected=Message("x and y with at least one dimension"),
        received=Message("x {x} and y {y}", x=x, y=y),
        fix=Message("use x * y for a number times a tensor"),
    )


def inner_sizes(x: Any, y: Any, columns: int, rows: int) -> MinipaddleError:
    """Make the error of a matrix product in which x has not as many columns as y has rows."""
    place = Message("first") if len(y.shape) == 1 else Message("second to last")
    return InvalidArgument(
        Message("matmul(): the last dimension of x must be equal to the {place} dimension of y."),
        expected=Message("y with size {columns} there, to fit x {x}"),
        received=Message("y {y}, with size {rows}"),
        fix=Message("transpose one of them, or check which layer's size is wrong"),
        slots={"place": place, "columns": columns, "x": x, "y": y, "rows": rows},
    )


# ----- shapes, and lists of tensors ---------------------------------------------------------------


def two_unknown(shape: Any) -> MinipaddleError:
    """Make the error of more than one size of -1."""
    return InvalidArgument(
        Message("reshape(): Only one dimension value of 'shape' can be -1."),
        expected=Message("one size at most that is worked out from the others"),
        received=Message("shape {shape}", shape=list(shape)),
        fix=Message("name the other sizes, or copy those of x by 0"),
    )


def other_count(x: Any, total: int, shape: Any, product: str) -> MinipaddleError:
    """Make the error of a shape for another number of elements."""
    return InvalidArgument(
        Message("reshape(): The 'shape' is invalid: the number of elements would change."),
        expected=Message("{total} elements, as in x {x}"),
        received=Message("shape {shape}, which holds {product} elements"),
        fix=Message("let the product of the sizes stay the same; one size may be -1"),
        slots={"total": total, "x": x, "shape": list(shape), "product": product},
    )


def no_join(i: int, other: Any, first: Any, axis: int) -> MinipaddleError:
    """Make the error of a tensor of a list that cannot be joined to the first."""
    return InvalidArgument(
        Message("concat(): tensor {i} of the list does not match tensor 0."),
        expected=Message("{dtype} and the sizes of {shape} on every axis but {axis}"),
        received=f"{other}",
        fix=Message("cast or reshape it first"),
        slots={"i": i, "dtype": first.dtype.name, "shape": list(first.shape), "axis": axis},
    )


def other_shape(i: int, other: Any, first: Any) -> MinipaddleError:
    """Make the error of a tensor of a list that has another shape than the first."""
    return InvalidArgument(
        Message("stack(): tensor {i} of the list has another shape than tensor 0.", i=i),
        expected=Message("{shape} for every tensor", shape=list(first.shape)),
        received=f"{list(other.shape)}",
        fix=Message("reshape them first, or use concat"),
    )


# ----- positions ----------------------------------------------------------------------------------


def outside_axis(
    op: str, axis: int, shape: Any, wrong: int, least: int, count: int, kind: Kind
) -> MinipaddleError:
    """Make the error of a position outside its axis."""
    n = shape[axis]
    return kind(
        f"{op}(): the index {wrong} is out of bounds for axis {axis} with size {n}.",
        expected=f"it should be in the range of [{least}, {n}) for shape {list(shape)}",
        received=f"{wrong}, among {count} positions",
        fix="check the positions",
    )


def index_outside(op: str, item: int, axis: int, x: Any) -> MinipaddleError:
    """Make the error of a position outside its axis, in an index of ints and slices."""
    n = x.shape[axis]
    return OutOfRange(
        Message(
            "{op}(): The starting index {item} of slice is out of bounds in tensor {axis}-th axis."
        ),
        expected=Message("it should be in the range of [{least}, {n}) for x {x}"),
        received=item,
        fix=Message("count from 0, or from -1 at the end"),
        slots={"op": op, "item": item, "axis": axis, "least": -n, "n": n, "x": x},
    )


# ----- classes and tables -------------------------------------------------------------------------


def no_class(op: str, value: int, classes: int, ignored: int, kind: Kind) -> MinipaddleError:
    """Make the error of a label that is no class number."""
    return kind(
        Message(
            "{name}(): label value should be a class number: not below 0, and less "
            "than the shape of axis dimension, {classes}."
        ),
        expected=Message("0 to {last}, or ignore_index={ignore_index}"),
        received=Message("label value {value}"),
        fix=Message("check how the labels are numbered and how many outputs the last layer has"),
        slots={
            "name": op,
            "classes": classes,
            "last": classes - 1,
            "value": value,
            "ignore_index": ignored,
        },
    )


def outside_table(value: int, count: int) -> MinipaddleError:
    """Make the error of a number that is no row of an embedding's table."""
    return InvalidArgument(
        Message("embedding(): Variable value (input) is outside the table."),
        expected=Message(">= 0 and < {count}", count=count),
        received=f"{value}",
        fix=Message("check the vocabulary size, or how the words are numbered"),
    )
