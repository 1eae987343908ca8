"""Comparisons, logic and bits of two tensors, without gradients."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.errors import PreconditionNotMet
from ...engine.meta import Meta, boolean, broadcast, floats_widen, no_kernel, zero_d_is_a_number
from ...messages import Message
from .. import errors
from ..arguments import require_one_dtype, shapes_differ, tolerance_reader
from ..catalog import publish, publish_with_number
from ..op_spec import Kernel, Op, keyword_parameters, op
from ..record import Formula, Public, Static, sample
from .arithmetic import binary

GRADLESS = "answers with bools"


# ----- comparisons and logic ---------------------------------------------------------------------


def _comparison_op(
    name: str, ufunc: str, symbol: str, doc: str, *aliases: str, promotes: Any = zero_d_is_a_number
) -> Op:
    def kernel(xp: Any, x: Any, y: Any) -> Any:
        return getattr(xp, ufunc)(x, y)

    example = f"paddle.{name}(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([2.0, 2.0]))"
    answer = [bool(getattr(np, ufunc)(x, 2.0)) for x in (1.0, 2.0)]
    kernel.__doc__ = f"{doc}\n\n>>> {example}.tolist()\n{answer}"
    return binary(
        name,
        name=name,
        promotes=promotes,
        infer=lambda x, y: Meta(broadcast(name, x, y), np.dtype(bool)),
        gradless=GRADLESS,
        formula=Formula(f"z = x {symbol} y", symbol=symbol),
        public=Public(inplace=True, aliases=aliases),
    )(kernel)


equal = _comparison_op("equal", "equal", "==", "True where x equals y, element by element.", "eq")
not_equal = _comparison_op("not_equal", "not_equal", "≠", "True where x differs from y.", "ne")
less_than = _comparison_op("less_than", "less", "<", "True where x is less than y.", "less", "lt")
less_equal = _comparison_op("less_equal", "less_equal", "≤", "True where x is at most y.", "le")
greater_than = _comparison_op(
    "greater_than", "greater", ">", "True where x is greater than y.", "greater", "gt"
)
greater_equal = _comparison_op(
    "greater_equal", "greater_equal", "≥", "True where x is at least y.", "ge"
)
_logical = functools.partial(_comparison_op, promotes=floats_widen)
logical_and = _logical("logical_and", "logical_and", "and", "True where x and y are true.")
logical_or = _logical("logical_or", "logical_or", "or", "True where x or y is true.")
logical_xor = _logical("logical_xor", "logical_xor", "xor", "True where one of x and y is true.")


@op(
    infer=boolean,
    gradless=GRADLESS,
    formula=Formula("y = ¬x", symbol="not"),
    samples=(sample((2, 3)),),
    public=Public(inplace=True),
)
def logical_not(xp: Any, x: Any) -> Any:
    """The logical not of every element.

    >>> paddle.logical_not(paddle.to_tensor([True, False])).tolist()
    [False, True]
    """
    return xp.logical_not(x)


publish_with_number(equal)


# ----- bits: integers and bools ------------------------------------------------------------------


BITS = "works on the bits of integers"
FEW = (sample((2, 3), (3,), ints={"x": 8, "y": 8}),)
SHIFTS = (
    sample((2, 3), (3,), ints={"x": 99, "y": 4}),
    sample((2, 1), (3,), ints={"x": 9, "y": 4}, is_arithmetic=False),
)


def _bits_inference(name: str, kinds: str = "biu") -> Any:
    def infer(x: Meta, y: Meta | None = None, **_attrs: Any) -> Meta:
        y = x if y is None else y
        wanted = Message("an integer or bool tensor")
        require_one_dtype(name, kinds, wanted, "int64", x=x, y=y)
        return Meta(broadcast(name, x, y), x.dtype)

    return infer


def _bitwise_op(symbol: str, kinds: str = "biu", samples: Any = FEW) -> Callable[[Kernel], Op]:
    def register(kernel: Kernel) -> Op:
        return binary(
            promotes=None,
            infer=_bits_inference(kernel.__name__, kinds),
            checked=True,
            gradless=BITS,
            formula=Formula(f"z = x {symbol} y", symbol=symbol),
            samples=samples,
            public=Public(inplace=True),
        )(kernel)

    return register


@_bitwise_op("&")
def bitwise_and(xp: Any, x: Any, y: Any) -> Any:
    """The bitwise and of x and y; the logical and of bools.

    >>> paddle.bitwise_and(paddle.to_tensor([6]), paddle.to_tensor([3])).tolist()
    [2]
    """
    return xp.bitwise_and(x, y)


@_bitwise_op("|")
def bitwise_or(xp: Any, x: Any, y: Any) -> Any:
    """The bitwise or of x and y; the logical or of bools.

    >>> paddle.bitwise_or(paddle.to_tensor([6]), paddle.to_tensor([3])).tolist()
    [7]
    """
    return xp.bitwise_or(x, y)


@_bitwise_op("⊕")
def bitwise_xor(xp: Any, x: Any, y: Any) -> Any:
    """The bitwise exclusive or of x and y; the logical one of bools.

    >>> paddle.bitwise_xor(paddle.to_tensor([6]), paddle.to_tensor([3])).tolist()
    [5]
    """
    return xp.bitwise_xor(x, y)


@op(
    infer=_bits_inference("bitwise_not"),
    gradless=BITS,
    formula=Formula("y = ~x", symbol="~"),
    samples=(sample((2, 3), ints={"x": 8}),),
    public=Public(inplace=True, aliases=("bitwise_invert",)),
)
def bitwise_not(xp: Any, x: Any) -> Any:
    """The bitwise not of x; the logical not of bools.

    >>> paddle.bitwise_not(paddle.to_tensor([0, 6])).tolist()
    [-1, -7]
    """
    return xp.invert(x)


@_bitwise_op("<<", "iu", SHIFTS)
def bitwise_left_shift(xp: Any, x: Any, y: Any, *, is_arithmetic: bool = True) -> Any:
    """The bits of x shifted by y to the left: x times 2ʸ.

    >>> paddle.bitwise_left_shift(paddle.to_tensor([3]), paddle.to_tensor([2])).tolist()
    [12]
    """
    return xp.left_shift(x, y)


@_bitwise_op(">>", "iu", SHIFTS)
def bitwise_right_shift(xp: Any, x: Any, y: Any, *, is_arithmetic: bool = True) -> Any:
    """The bits of x shifted by y to the right; the sign stays if is_arithmetic.

    >>> paddle.bitwise_right_shift(paddle.to_tensor([12, -8]), paddle.to_tensor([2])).tolist()
    [3, -2]
    """
    if is_arithmetic:
        return xp.right_shift(x, y)
    return xp.right_shift(_view_unsigned(x), _view_unsigned(y)).view(x.dtype)


def _view_unsigned(x: Any) -> Any:
    """Return integers with the same bits as unsigned ones."""
    return x.view(np.dtype(f"u{x.dtype.itemsize}"))


# In Paddle these functions accept `out` by position.


def _publish_bits(record: Op) -> None:
    def function(x: Any, y: Any, out: Any = None, name: str | None = None) -> Any:
        return store(out, record.call(x, y), record.name)

    publish(record, function)


def _publish_shift(record: Op) -> None:
    def function(
        x: Any, y: Any, is_arithmetic: bool = True, out: Any = None, name: str | None = None
    ) -> Any:
        return store(out, record.call(x, y, is_arithmetic=is_arithmetic), record.name)

    publish(record, function, inplace=True)


def _invert(x: Any, out: Any = None, name: str | None = None) -> Any:
    return store(out, bitwise_not.call(x), "bitwise_not")


publish(bitwise_not, _invert)
for _record in (bitwise_and, bitwise_or, bitwise_xor):
    _publish_bits(_record)
for _record in (bitwise_left_shift, bitwise_right_shift):
    _publish_shift(_record)


# ----- close, and equal in all -------------------------------------------------------------------


def _same_dtype_op(kinds: str, one_shape: bool = True, **record: Any) -> Callable[[Kernel], Op]:
    """Register a comparison of two tensors of one dtype, and mostly of one shape."""

    def register(kernel: Kernel) -> Op:
        name = kernel.__name__

        def infer(x: Meta, y: Meta, **_attrs: Any) -> Meta:
            if x.dtype.kind not in kinds:
                raise no_kernel(name, "x", x)
            if x.dtype != y.dtype:
                raise errors.other_dtype(name, x=x, y=y)
            if one_shape and shapes_differ(x.shape, y.shape):
                raise errors.shape(name, x.shape, PreconditionNotMet, y=y, x=x)
            return Meta(x.shape if name == "isclose" else (), np.dtype(bool))

        canon = {
            key: tolerance_reader(name, key)
            for key in keyword_parameters(kernel)
            if key != "equal_nan"
        }
        return op(infer=infer, checked=True, gradless=GRADLESS, canon=canon, **record)(kernel)

    return register


def _is_near(xp: Any, x: Any, y: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    near = (xp.abs(x - y) <= atol + rtol * xp.abs(y)) | (x == y)
    return near | ((x != x) & (y != y)) if equal_nan else near


@_same_dtype_op(
    "fc",
    formula=Formula("z = |x − y| ≤ atol + rtol · |y|", symbol="≈"),
    samples=(sample((2, 3), (2, 3), rtol=0.5), sample((), (), equal_nan=True)),
    static=Static("isclose", slots={"x": "Input", "y": "Other"}),
)
def isclose(
    xp: Any, x: Any, y: Any, *, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False
) -> Any:
    """True where |x - y| <= atol + rtol · |y|, element by element.

    >>> paddle.isclose(paddle.ones([1]), paddle.ones([1]) + 1e-7).tolist()
    [True]
    """
    return _is_near(xp, x, y, rtol, atol, equal_nan)


@_same_dtype_op(
    "fciub",
    formula=Formula("z = all(|x − y| ≤ atol + rtol · |y|)"),
    samples=(sample((2, 3), (2, 3), rtol=0.5), sample((0,), (0,), equal_nan=True)),
    static=Static("allclose", slots={"x": "Input", "y": "Other"}),
)
def allclose(
    xp: Any, x: Any, y: Any, *, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False
) -> Any:
    """True if all elements are close, as a 0-D bool tensor.

    >>> bool(paddle.allclose(paddle.ones([2]), paddle.ones([2])))
    True
    """
    if x.dtype.kind not in "fc":
        x, y = x.astype("float64"), y.astype("float64")
    return xp.all(_is_near(xp, x, y, rtol, atol, equal_nan))


@_same_dtype_op(
    "fciub",
    one_shape=False,
    formula=Formula("z = all(x == y)"),
    samples=(sample((2, 3), (2, 3)), sample((2, 1), (2,))),
)
def equal_all(xp: Any, x: Any, y: Any) -> Any:
    """True if the shapes and all elements are equal, as a 0-D bool tensor.

    >>> bool(paddle.equal_all(paddle.ones([2]), paddle.ones([3])))
    False
    """
    return xp.all(x == y) if x.shape == y.shape else xp.zeros((), bool)
