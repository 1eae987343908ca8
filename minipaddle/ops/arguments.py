"""Readers of attributes, which return axes, shapes, numbers and names in one form each."""

from __future__ import annotations

import builtins
import contextlib
import functools
import os
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..device import place_of
from ..device.place import most_bytes
from ..engine import kinds, modes
from ..engine.dispatch import wrong_kind
from ..engine.dtypes import DType
from ..engine.errors import InvalidArgument
from ..engine.meta import FLOATING, Meta, no_kernel
from ..engine.tensor import Tensor
from ..errors import misfit
from ..messages import Message
from . import errors
from .registry import REGISTRY

COMPLEX = "FD"  # NumPy letters of complex64 and complex128
NUMBER = Message("what stands for a number")


def read_number(value: Any, what: str | Message = NUMBER, example: str = "x") -> Any:
    """Return the Python number in a Tensor or array of one element, or in a NumPy scalar.

    Other values are returned unchanged. `what` names the value in errors.
    """
    array = value._data if isinstance(value, Tensor) else value
    if not is_array(array):
        return value
    if array.size != 1:
        raise errors.one_element(what, array, example)
    return array.item()


def meta_of(x: Any) -> Meta:
    """Return shape and dtype of an array, a Tensor or a Variable."""
    return Meta(tuple(x.shape), DType.of(x.dtype).numpy)


def require_one_dtype(
    op: str, kinds: str, wanted: Message = FLOATING, cast: str = "float32", /, **metas: Meta
) -> None:
    """Raise an error for dtypes outside `kinds` and for tensors of different dtypes."""
    (first, x), *_ = metas.items()
    for label, meta in metas.items():
        if meta.dtype.kind not in kinds:
            raise no_kernel(op, label, meta, wanted, cast)
        if meta.dtype != x.dtype:
            raise errors.other_dtype(op, **{first: x, label: meta})


def metas_of(arrays: Any) -> Any:
    """Return shape and dtype of an array, or of each in a row; None for an absent one."""
    if isinstance(arrays, (list, tuple)):
        return [metas_of(each) for each in arrays]
    return None if arrays is None else Meta(arrays.shape, arrays.dtype)


def is_array(value: Any) -> bool:
    """Return whether a value is an array of NumPy or a device, or a NumPy number."""
    return isinstance(value, (np.ndarray, np.generic)) or (
        hasattr(value, "tolist") and hasattr(value, "dtype") and not is_variable(value)
    )


def to_python(value: Any) -> Any:
    """Return a Tensor or an array as Python numbers and lists; other values unchanged."""
    array = value._data if isinstance(value, Tensor) else value
    return array.tolist() if is_array(array) else value


def as_list(value: Any) -> list[Any]:
    """Return the items of a list or tuple as a list, another value as its only item."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def known_number_reader(what: str) -> Callable[[Any], Any]:
    """Make a reader of a number that a Program must know when it is built; `what` names it."""
    return lambda value: read_integer(value, what) if is_variable(value) else read_number(value)


def scale_rate(rate: float, factor: float, dtype: Any) -> float:
    """Return a learning rate times a parameter's own factor, rounded as Paddle rounds it."""
    if factor == 1.0:
        return rate
    product: float = (dtype.type(rate) * dtype.type(factor)).item()
    return product


def reshape_like(array: Any, grad: Any) -> Any:
    """Return a gradient in an array's shape: clipping by the global norm makes [1] of no axes."""
    return grad if grad.shape == array.shape else grad.reshape(array.shape)


def round_to_float32(value: float) -> float:
    """Round a number to float32, as some of Paddle's operators store it."""
    return float(np.float32(value))


def real_reader(
    op: str, argument: str, none: bool = False, more: tuple[type, ...] = ()
) -> Callable[[Any], Any]:
    """Make a reader that returns an argument of an op as a Python number, or raises an error.

    `none` allows None; `more` are further types that it accepts, such as complex.
    """
    what, types = f"{op}(): {argument}", (bool, int, float, *more)

    def canon(value: Any) -> Any:
        value = read_number(value, what, argument)
        if not isinstance(value, types) and not (none and value is None):
            raise kinds.misfit(op, argument, kinds.FLOAT, value)
        return value

    return canon


def float32_reader(op: str, argument: str) -> Callable[[Any], Any]:
    """Make a reader like `real_reader` that rounds to float32, as Paddle stores the argument."""
    canon = real_reader(op, argument)
    return lambda value: round_to_float32(canon(value))


def float_reader(op: str, argument: str) -> Callable[[Any], Any]:
    """Make a reader like `real_reader` that returns a float."""
    canon = real_reader(op, argument)
    return lambda value: float(canon(value))


def tolerance_reader(op: str, argument: str) -> Callable[[Any], Any]:
    """Make a reader like `float_reader` that also reads the text of a number, as Paddle does."""
    canon = float_reader(op, argument)

    def of_text(value: Any) -> Any:
        if isinstance(value, str):
            with contextlib.suppress(ValueError):
                value = float(value)
        return canon(value)

    return of_text


def readers_for(
    make: Callable[..., Callable[[Any], Any]], op: str, *arguments: str, **how: Any
) -> dict[str, Callable[[Any], Any]]:
    """Make a reader for each of these arguments, as `make(op, argument, **how)` does."""
    return {argument: make(op, argument, **how) for argument in arguments}


def read_axes(value: Any, what: str = "") -> Any:
    """Return axes as None, an int or a tuple of ints; lists and Tensors are converted."""
    value = to_python(value)
    if isinstance(value, (list, tuple)):
        return tuple([read_integer(item, what) for item in value])
    return value if value is None else read_integer(value, what)


def read_axis(value: Any) -> Any:
    """Return an axis as None or an int; a one-element Tensor is converted."""
    return value if value is None else read_integer(value)


def read_integer(value: Any, what: str = "") -> int:
    """Return an int, also from a one-element Tensor; `what` names it in errors."""
    if value.__class__ is int:
        return value
    own = what.rpartition(" ")[2]  # start, of "narrow(): start"
    plain = read_number(value, own or NUMBER, own or "x")
    if is_variable(value):
        raise errors.not_yet_known(what, value)
    if not isinstance(plain, (int, np.integer)):
        raise errors.no_integer(what, value)
    return int(plain)


def axis_reader(op: str) -> Callable[[Any], int]:
    """Make a reader of an axis that must be an int; its errors name the op."""
    return functools.partial(read_integer, what=f"{op}(): axis")


def read_ints(value: Any, what: str = "") -> tuple[int, ...]:
    """Return a tuple of ints: a shape or a permutation, also from one int, a list or a Tensor."""
    row = read_axes(value, what)
    return (row,) if isinstance(row, int) else tuple(row or ())


def read_sizes(value: Any, what: str = "") -> tuple[int, ...]:
    """Return a shape as a tuple of ints; raise an error if it does not fit into memory."""
    return check_memory(read_ints(value, what))


def read_length(value: Any, what: str = "") -> int:
    """Return a length as an int; raise an error if it does not fit into memory."""
    return check_memory((read_integer(value, what),))[0]


def check_memory(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape, or raise an error if a tensor of it does not fit into memory."""
    most, count = most_bytes(), 1
    for n in shape:
        count *= max(n, 1)
    if count > most:
        raise errors.too_large(shape, count, most)
    return shape


def check_count(value: int, what: str, most: int = 100_000) -> int:
    """Return a number of items, or raise an error if there are too many to make."""
    if value > most:
        raise misfit("", f"{what} <= {most}", **{what: value})
    return value


def accept_separate_ints(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function accept the integers after x one by one too: x.reshape(3, 2)."""

    @functools.wraps(function)
    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        if len(args) > 1 and all(isinstance(arg, (int, np.integer)) for arg in args):
            args = (args,)
        return function(x, *args, **kwargs)

    return call


def find_open_sizes(shape: Any) -> tuple[tuple[int | None, ...], list[Any]] | None:
    """Return a shape with None for sizes known only at run time, and their Variables: one for
    each, or one for all of them. Return None if all sizes are known.
    """
    if is_variable(shape):
        return (None,) * _count_sizes(shape), [shape]
    if not isinstance(shape, (list, tuple)) or not any(map(is_variable, shape)):
        return None
    unknown = [n for n in shape if is_variable(n)]
    if any(_count_sizes(n) != 1 for n in unknown):
        raise errors.no_sizes("each size in a list is one number", unknown)
    return tuple(None if is_variable(n) else read_integer(n) for n in shape), unknown


def _count_sizes(sizes: Any) -> int:
    """Return the number of sizes in a Variable."""
    row = sizes.shape or (1,)
    if sizes.dtype.name not in ("int32", "int64"):
        raise errors.no_sizes("sizes are integers", [sizes])
    if len(row) > 1 or row[0] == -1:
        raise errors.no_sizes("how many there are must be known when the Program is built", [sizes])
    return int(row[0])


def sizes_differ(m: int, n: int) -> bool:
    """Return whether two sizes are known to differ."""
    return m != n and -1 not in (m, n)


def shapes_differ(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether two shapes are known to differ."""
    return len(shape) != len(other) or any(map(sizes_differ, shape, other))


def is_variable(value: Any) -> bool:
    """Return whether a number is a Variable, whose value is known only at run time."""
    return hasattr(value, "stop_gradient") and not isinstance(value, Tensor)


def fill_in_sizes(shape: Any, sizes: list[Any]) -> tuple[int, ...]:
    """Return a shape with sizes, arrays of integers, in place of each None."""
    row = iter([int(n) for size in sizes for n in size.reshape(-1)])
    return tuple(next(row) if n is None else n for n in shape)


def index_dtype(op_name: str, dtype: Any, kind: errors.Kind = InvalidArgument) -> np.dtype[Any]:
    """Return the dtype of positions: int32 or int64."""
    if dtype is None or DType.of(dtype).name not in ("int32", "int64"):
        raise errors.choice(op_name, "dtype", dtype, ("int32", "int64"), kind)
    return DType.of(dtype).numpy


# ----- alternative names -------------------------------------------------------------------------

# Names such as `dim` for `axis` and `input` for `x` that Paddle also accepts. Each line is a pair
# of names; the table is read when a call first uses a name that its function does not have.
SECOND_NAMES = os.path.join(os.path.dirname(__file__), "../paddle_names/second_names.txt")


@functools.cache
def second_names() -> dict[str, dict[str, str]]:
    """Return the arguments' own names by their alternative names, for each function."""
    by_function: dict[str, dict[str, str]] = {}
    with open(SECOND_NAMES, encoding="utf-8") as file:
        _, *lines = file
    for line in lines:
        pair, _, functions = line.partition(": ")
        second, first = pair.split()
        for function in functions.split():
            by_function.setdefault(function, {})[second] = first
    return by_function


def find_own_name(functions: Iterable[str], second: str) -> str | None:
    """Return an argument's own name from the first of these functions that has `second`."""
    return next((n for f in functions if (n := second_names().get(f, {}).get(second))), None)


def read_tensors(function: str, argument: str, value: Any) -> list[Any]:
    """Return the tensors of a list or tuple as a list, or raise an error."""
    row = value if isinstance(value, (list, tuple)) else ()
    wrong = [item for item in row if not hasattr(item, "stop_gradient")]
    if row and not wrong:
        return list(row)
    raise wrong_kind(function, argument, 0, (wrong or [value])[0])


# ----- numbers as tensors ------------------------------------------------------------------------


SCALARS = (builtins.bool, int, float, np.generic)


def make_operand(value: Any, like: Any) -> Any:
    """Make an operand of a number: a 0-D Tensor, or a fill_constant operator."""
    dtype = DType.of(like.dtype)
    if modes.is_static() and not isinstance(like, Tensor):
        return REGISTRY["full"].call(shape=(), fill_value=value, dtype=dtype)
    try:
        array = np.asarray(value, dtype.numpy)
    except OverflowError:  # wrap around in a small integer type, as in Paddle
        array = np.asarray(value).astype(dtype.numpy)
    return Tensor(array if like._data.__class__ is np.ndarray else place_of(like._data).put(array))
