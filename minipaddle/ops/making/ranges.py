"""Ranges of numbers, with equal steps or equal ratios."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engine import dtypes
from ...engine.dtypes import DType
from ...engine.meta import Meta, no_kernel_giving
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import is_variable, known_number_reader, read_number
from ..catalog import public
from ..op_spec import internal
from ..record import Formula, Operands, Static, sample
from .creation import ALL_OPTIONS, publish_creation


def _cast_bounds(*values: Any, dtype: Any) -> Any:
    """Return numbers in the dtype of the computation of a range."""
    return [DType.of(dtype).numpy.type(value) for value in values]


def _range_size(start: Any, end: Any, step: Any, dtype: Any) -> int:
    first, last, by = _cast_bounds(start, end, step, dtype=dtype)
    if not by:
        expected = f"a step other than 0 in {DType.of(dtype).name}"
        raise misfit("arange", expected, step=step)
    count: int = math.ceil((last - first) / by)
    return max(0, count)


def _range_symbol(attrs: Mapping[str, Any]) -> str:
    start, end, step = (attrs.get(name) for name in ("start", "end", "step"))
    if (start, step) == (0, 1):
        return f"arange({end})"
    return f"arange({start}, {end})" if step == 1 else f"arange({start}, {end}, {step})"


def _range_formula(attrs: Mapping[str, Any]) -> str:
    count = _range_size(*(attrs[name] for name in ("start", "end", "step", "dtype")))
    terms = ["start", "start + step", "start + step · 2"][:count]
    if count > 3:
        terms[2:] = ["…", f"start + step · {count - 1}"]
    return f"y = {', '.join(terms)}" if terms else ""


@internal(
    infer=lambda *, start, end, step, dtype: Meta(
        (_range_size(start, end, step, dtype),), DType.of(dtype).numpy
    ),
    gradless="has no input",
    canon={"dtype": DType.of},
    formula=Formula(_range_formula, symbol=_range_symbol),
    samples=(
        sample(start=0, end=5, step=2, dtype="int64"),
        sample(start=1.0, end=-1.0, step=-0.3, dtype="float32"),
        sample(start=1, end=5, step=-1, dtype="int32"),
    ),
    static=Static("range", prefix="arange"),
)
def arange_(xp: Any, *, start: Any, end: Any, step: Any, dtype: Any) -> Any:
    """Numbers from start up to but not including end, in steps."""
    size = _range_size(start, end, step, dtype)
    first, by = _cast_bounds(start, step, dtype=dtype)
    steps = xp.full(size, by, dtype.numpy)
    steps[:1] = first
    return xp.cumsum(steps, dtype=dtype.numpy)


@internal(
    infer=lambda bounds, *, start, end, step, dtype: Meta((-1,), dtype.numpy),
    operands=Operands(takes_list=True),
    gradless="the bounds are numbers",
    canon={"dtype": DType.of},
    formula=Formula("y = start, start + step, …", symbol="arange"),
    samples=(
        sample([()], ints={"bounds": 9}, start=0, end=None, step=1, dtype="int64"),
        sample([(1,), ()], ints={"bounds": 9}, start=None, end=None, step=1, dtype="float32"),
    ),
    static=Static("range", prefix="arange"),
)
def arange_by(
    xp: Any, bounds: list[Any], *, start: Any = None, end: Any = None, step: Any = None, dtype: Any
) -> Any:
    """Numbers between bounds of which some are tensors, in place of None."""
    row = iter([bound.reshape(-1)[0].item() for bound in bounds])
    first, last, by = (next(row) if n is None else n for n in (start, end, step))
    return arange_.kernel(xp, start=first, end=last, step=by, dtype=dtype)


def _is_whole(bound: Any) -> bool:
    """Return whether a bound, which may be a Variable, is an integer."""
    return bound.dtype.name in ("int32", "int64") if is_variable(bound) else isinstance(bound, int)


def open_numbers(name: str, numbers: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of a range with None for those known only at run time."""
    bounds = numbers.values()
    wrong = next((b for b in bounds if is_variable(b) and tuple(b.shape) not in ((), (1,))), None)
    if wrong is not None:
        raise errors.one_element(f"{name}(): {wrong.name}", wrong)
    return {key: None if is_variable(b) else read_number(b) for key, b in numbers.items()}


@publish_creation(*ALL_OPTIONS)
def arange(
    start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, *, name: str | None = None
) -> Any:
    """Numbers from start (0 by default) up to but not including end; int64 for ints.

    Errors: ValueError for a step of 0.

    >>> import minipaddle as paddle
    >>> paddle.arange(3).tolist()
    [0, 1, 2]
    """
    start, end, step = read_number(start), read_number(end), read_number(step)
    if end is None:
        start, end = 0, start
    if dtype is None:
        dtype = "int64" if all(map(_is_whole, (start, end, step))) else dtypes.get_default()
    numbers = {"start": start, "end": end, "step": step}
    if unknown := [bound for bound in numbers.values() if is_variable(bound)]:
        return arange_by.call(unknown, **open_numbers("arange", numbers), dtype=dtype)
    return arange_.call(start=start, end=end, step=step, dtype=dtype)


def _linspace_infer(*, num: Any, dtype: Any, **_rest: Any) -> Meta:
    x = Meta((int(num),), DType.of(dtype).numpy)
    if x.dtype.name not in ("int32", "int64", "float32", "float64"):
        wanted = Message("int32, int64, float32 or float64")
        raise no_kernel_giving("linspace", x.dtype.name, wanted, "float32")
    if num < 0:
        raise misfit("linspace", "num >= 0", num=num)
    return x


def _equal_steps(xp: Any, start: Any, stop: Any, num: int, dtype: Any) -> Any:
    """Return `num` numbers from start to stop, counted from the nearer end, as Paddle does."""
    kind = dtype.numpy if dtype.is_floating else np.dtype("float64")
    first, last = kind.type(start), kind.type(stop)
    step = (last - first) / kind.type(max(num - 1, 1))
    i = xp.arange(num).astype(kind)
    up, down = first + step * i, last - step * (num - 1 - i)
    return xp.where(i < max(num // 2, num == 1), up, down)


SPAN = {
    "start": known_number_reader("start"),
    "stop": known_number_reader("stop"),
    "num": lambda n: int(known_number_reader("num")(n)),
    "dtype": DType.of,
}


@internal(
    infer=_linspace_infer,
    gradless="the bounds are numbers",
    canon=SPAN,
    formula=Formula("yᵢ = start + i · (stop − start)/(num − 1)"),
    samples=(
        sample(start=0.0, stop=1.0, num=7, dtype="float32"),
        sample(start=5, stop=-3, num=1, dtype="int64"),
    ),
)
def linspace_(xp: Any, *, start: Any, stop: Any, num: Any, dtype: Any) -> Any:
    """Numbers from start to stop, both included, in equal steps."""
    _linspace_infer(num=num, dtype=dtype)
    return _equal_steps(xp, start, stop, num, dtype).astype(dtype.numpy)


@internal(
    infer=lambda bounds, *, start, stop, num, dtype: Meta(
        (-1 if num is None else int(num),), dtype.numpy
    ),
    operands=Operands(takes_list=True),
    gradless="the bounds are numbers",
    canon={"dtype": DType.of},
    formula=Formula("yᵢ = start + i · (stop − start)/(num − 1)", symbol="linspace"),
    samples=(
        sample([()], ints={"bounds": 9}, start=0.0, stop=1.0, num=None, dtype="float32"),
        sample([(1,), ()], ints={"bounds": 9}, start=None, stop=None, num=4, dtype="float32"),
    ),
    static=Static("linspace"),
)
def linspace_by(
    xp: Any, bounds: list[Any], *, start: Any = None, stop: Any = None, num: Any = None, dtype: Any
) -> Any:
    """Numbers in equal steps, with tensors in place of None."""
    row = iter([bound.reshape(-1)[0].item() for bound in bounds])
    first, last, count = (next(row) if n is None else n for n in (start, stop, num))
    return linspace_.kernel(xp, start=first, stop=last, num=int(count), dtype=dtype)


@publish_creation("out", "device", "requires_grad")
def linspace(start: Any, stop: Any, num: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`num` numbers from start to stop, both included, in equal steps.

    Shapes: [num]. Dtypes: float32 unless `dtype` says otherwise.
    Errors: TypeError for what is not a dtype.

    >>> import minipaddle as paddle
    >>> paddle.linspace(0, 1, 3).tolist()
    [0.0, 0.5, 1.0]
    """
    kind = dtype or dtypes.get_default()
    numbers = {"start": start, "stop": stop, "num": num}
    if unknown := [value for value in numbers.values() if is_variable(value)]:
        return linspace_by.call(unknown, **open_numbers("linspace", numbers), dtype=kind)
    return linspace_.call(**numbers, dtype=kind)


@internal(
    infer=_linspace_infer,
    gradless="the bounds are numbers",
    canon={**SPAN, "base": read_number},
    formula=Formula("yᵢ = base^(start + i · (stop − start)/(num − 1))"),
    samples=(
        sample(start=0.0, stop=3.0, num=4, base=10.0, dtype="float32"),
        sample(start=0, stop=3, num=4, base=2, dtype="int32"),
    ),
)
def logspace_(xp: Any, *, start: Any, stop: Any, num: Any, base: Any, dtype: Any) -> Any:
    """Powers of a base with exponents from start to stop in equal steps."""
    _linspace_infer(num=num, dtype=dtype)
    return xp.power(base, _equal_steps(xp, start, stop, num, dtype)).astype(dtype.numpy)


@public(method=False)
def logspace(
    start: Any, stop: Any, num: Any, base: Any = 10.0, dtype: Any = None, name: str | None = None
) -> Any:
    """`num` powers of base, from base**start to base**stop, in equal ratios.

    Shapes: [num]. Dtypes: float32 unless `dtype` says otherwise.
    Errors: TypeError for what is not a dtype.

    >>> import minipaddle as paddle
    >>> paddle.logspace(0, 3, 4).tolist()
    [1.0, 10.0, 100.0, 1000.0]
    """
    kind = dtype or dtypes.get_default()
    return logspace_.call(start=start, stop=stop, num=num, base=base, dtype=kind)
