"""Public functions that are more than one record: other names, other argument orders, choices.

They are written with the records' public functions, so they work on Tensors and on Variables.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from .. import dtypes, modes
from ..core import Tensor
from ..device import place_of
from ..dtypes import DType
from ..errors import InvalidArgument, InvalidType
from . import arithmetic, convert, creation, elementwise, index, linalg, parts, shape
from .arguments import number
from .catalog import public
from .records import REGISTRY

_add = arithmetic.add.call
_multiply = arithmetic.multiply.call
_divide = arithmetic.divide.call
_scale = elementwise.scale.call
_pow = elementwise.pow_.call
_cast = convert.cast.call
_full = creation.full.call

SCALARS = (builtins.bool, int, float, np.generic)


# ----- creation ----------------------------------------------------------------------------------


@public(method=False)
def full(shape: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of this shape with one value everywhere; float32 unless dtype says otherwise.

    Source: Paddle's `paddle.full`.

    >>> import minipaddle as paddle
    >>> paddle.full([2], 1.5).tolist()
    [1.5, 1.5]
    """
    if dtype is None:
        dtype = "bool" if isinstance(fill_value, builtins.bool) else dtypes.get_default()
    return _full(shape=shape, fill_value=fill_value, dtype=dtype)


@public(method=False)
def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of this shape full of 0.

    >>> import minipaddle as paddle
    >>> paddle.zeros([2]).tolist()
    [0.0, 0.0]
    """
    return full(shape, 0.0, dtype or dtypes.get_default())


@public(method=False)
def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of this shape full of 1.

    >>> import minipaddle as paddle
    >>> paddle.ones([2], dtype="int64").tolist()
    [1, 1]
    """
    return full(shape, 1.0, dtype or dtypes.get_default())


@public(method=False)
def full_like(x: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor with x's shape (and dtype) and one value everywhere.

    >>> import minipaddle as paddle
    >>> paddle.full_like(paddle.ones([2]), 3.0).tolist()
    [3.0, 3.0]
    """
    if -1 in x.shape:  # a Variable whose size is known only when the Program runs
        return creation.fill_like.call(x, value=fill_value, dtype=dtype)
    return full(list(x.shape), fill_value, dtype or x.dtype)


@public(method=False)
def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros with x's shape and dtype.

    >>> import minipaddle as paddle
    >>> paddle.zeros_like(paddle.ones([2])).tolist()
    [0.0, 0.0]
    """
    return full_like(x, 0.0, dtype)


@public(method=False)
def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones with x's shape and dtype.

    >>> import minipaddle as paddle
    >>> paddle.ones_like(paddle.zeros([2])).tolist()
    [1.0, 1.0]
    """
    return full_like(x, 1.0, dtype)


@public(method=False)
def arange(
    start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None
) -> Any:  # fmt: skip
    """The numbers from start (0 if only the end is given) to before end; int64 for ints.

    >>> import minipaddle as paddle
    >>> paddle.arange(3).tolist()
    [0, 1, 2]
    """
    start, end, step = number(start), number(end), number(step)
    if end is None:
        start, end = 0, start
    if dtype is None:
        whole = all(isinstance(value, int) for value in (start, end, step))
        dtype = "int64" if whole else dtypes.get_default()
    return creation.arange.call(start=start, end=end, step=step, dtype=dtype)


# ----- random ------------------------------------------------------------------------------------


@public(method=False, aliases=("standard_normal",))
def randn(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Normal random numbers with mean 0 and standard deviation 1, bit for bit Paddle's.

    >>> import minipaddle as paddle
    >>> _ = paddle.seed(2023)
    >>> paddle.randn([2, 3], dtype="float64").shape
    [2, 3]
    """
    return creation.gaussian.call(shape=shape, dtype=dtype or dtypes.get_default())


@public(method=False)
def normal(mean: Any = 0.0, std: Any = 1.0, shape: Any = None, name: str | None = None) -> Any:
    """Normal random numbers; mean and std are numbers, or tensors of one shape.

    >>> import minipaddle as paddle
    >>> paddle.normal(0.0, 1.0, [3]).shape
    [3]
    """
    like = next((value for value in (mean, std) if not isinstance(value, SCALARS)), None)
    if like is None:
        return creation.gaussian.call(
            shape=[1] if shape is None else shape, dtype=dtypes.get_default(), mean=float(mean),
            std=float(std),
        )  # fmt: skip
    return randn(list(like.shape), like.dtype) * std + mean


@public(method=False)
def rand(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Random numbers spread evenly over [0, 1).

    >>> import minipaddle as paddle
    >>> paddle.rand([2]).shape
    [2]
    """
    return creation.uniform.call(shape=shape, dtype=dtype or dtypes.get_default())


@public(method=False)
def uniform(
    shape: Any, dtype: Any = None, min: float = 0.0, max: float = 1.0, seed: int = 0,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Random numbers spread evenly over [min, max); a seed other than 0 is used for this call only.

    >>> import minipaddle as paddle
    >>> paddle.uniform([2], min=-1.0).shape
    [2]
    """
    return creation.uniform.call(
        shape=shape, dtype=dtype or dtypes.get_default(), min=min, max=max, seed=seed
    )


@public(method=False)
def randint(
    low: int = 0, high: int | None = None, shape: Any = (1,), dtype: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Random integers in [low, high), or in [0, low) if only one bound is given; int64.

    >>> import minipaddle as paddle
    >>> bool((paddle.randint(3, shape=[9]) < 3).all())
    True
    """
    if high is None:
        low, high = 0, low
    return creation.randint.call(low=low, high=high, shape=shape, dtype=dtype or "int64")


@public(method=False)
def randperm(n: int, dtype: Any = "int64", name: str | None = None) -> Any:
    """The numbers 0 to n - 1 in random order.

    >>> import minipaddle as paddle
    >>> sorted(paddle.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    return creation.randperm.call(n=n, dtype=dtype)


# ----- arithmetic ---------------------------------------------------------------------------------


def constant(value: Any, like: Any) -> Any:
    """A number as the second operand of a tensor: a 0-D Tensor, or a fill_constant operator."""
    dtype = DType.of(like.dtype)
    if modes.is_static() and not isinstance(like, Tensor):
        return _full(shape=(), fill_value=value, dtype=dtype)
    try:
        array = np.asarray(value, dtype.numpy)
    except OverflowError:  # a small integer type: wrap around, as Paddle does
        array = np.asarray(value).astype(dtype.numpy)
    return Tensor(array if like._data.__class__ is np.ndarray else place_of(like._data).put(array))


@public(inplace=True)
def pow(x: Any, y: Any, name: str | None = None) -> Any:
    """x to the power of y, a number or a tensor.

    >>> import minipaddle as paddle
    >>> paddle.pow(paddle.to_tensor([2.0, 3.0]), 2).tolist()
    [4.0, 9.0]
    """
    if not isinstance(y, SCALARS):
        return arithmetic.elementwise_pow.call(x, y)
    if DType.of(x.dtype).numpy.kind in "biu":
        if isinstance(y, (float, np.floating)):
            x = _cast(x, dtype=dtypes.get_default())
        elif DType.of(x.dtype).name == "bool":
            x = _cast(x, dtype="int64")
        elif float(y) < 0:
            raise InvalidArgument(
                "pow(): Integers to negative integer powers are not allowed.",
                expected="a power of at least 0, for integers",
                received=y,
                fix="convert the tensor to float32 first: x.astype('float32')",
            )
    return _pow(x, factor=y)


@public(aliases=("mm",))
def matmul(
    x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None
) -> Any:  # fmt: skip
    """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x
    and a column of y. Both tensors need one dtype.

    >>> import minipaddle as paddle
    >>> paddle.matmul(paddle.ones([2, 3]), paddle.ones([3, 4])).shape
    [2, 4]
    """
    if transpose_x or transpose_y:
        x = _last_two_swapped(x) if transpose_x else x
        y = _last_two_swapped(y) if transpose_y else y
    return linalg.matmul.call(x, y)


def _last_two_swapped(x: Any) -> Any:
    rank = len(x.shape)
    if rank < 2:
        return x
    return shape.transpose.call(x, perm=(*range(rank - 2), rank - 1, rank - 2))


@public(method=False)
def add_n(inputs: Any, name: str | None = None) -> Any:
    """The sum of a list of tensors of one shape.

    >>> import minipaddle as paddle
    >>> paddle.add_n([paddle.ones([1]), paddle.ones([1])]).tolist()
    [2.0]
    """
    if not isinstance(inputs, (list, tuple)):
        return convert.assign.call(inputs)
    total = inputs[0]
    for more in inputs[1:]:
        total = _add(total, more)
    return total if len(inputs) > 1 else convert.assign.call(total)


# ----- shape --------------------------------------------------------------------------------------


@public()
def reshape(x: Any, shape: Any, *more: int, name: str | None = None) -> Any:
    """The same elements in another shape; 0 keeps a size, one -1 is worked out.

    >>> import minipaddle as paddle
    >>> paddle.ones([2, 3]).reshape([3, -1]).shape
    [3, 2]
    """
    wanted = (shape, *more) if more else shape
    return REGISTRY["reshape"].call(x, shape=wanted)


@public()
def t(input: Any, name: str | None = None) -> Any:
    """The transpose of a matrix; vectors and 0-D tensors as they are.

    >>> import minipaddle as paddle
    >>> paddle.t(paddle.ones([2, 3])).shape
    [3, 2]
    """
    rank = len(input.shape)
    if rank > 2:
        raise InvalidArgument(
            "t(): only tensors of at most two dimensions can be transposed by t().",
            expected="0, 1 or 2 dimensions",
            received=f"{rank} dimensions, shape {list(input.shape)}",
            fix="use paddle.transpose(x, perm)",
        )
    return shape.transpose.call(input, perm=(1, 0)) if rank == 2 else input


@public()
def broadcast_to(x: Any, shape: Any, name: str | None = None) -> Any:
    """x repeated to this shape, by the rules of broadcasting.

    >>> import minipaddle as paddle
    >>> paddle.broadcast_to(paddle.ones([3]), [2, 3]).shape
    [2, 3]
    """
    return REGISTRY["expand"].call(x, shape=shape)


@public()
def clone(x: Any, name: str | None = None) -> Any:
    """A copy that is still connected to the graph.

    >>> import minipaddle as paddle
    >>> paddle.clone(paddle.ones([1])).tolist()
    [1.0]
    """
    return convert.assign.call(x)


@public()
def chunk(x: Any, chunks: int, axis: int = 0, name: str | None = None) -> Any:
    """x cut into this many equal pieces along an axis.

    >>> import minipaddle as paddle
    >>> [piece.shape for piece in paddle.chunk(paddle.ones([4]), 2)]
    [[2], [2]]
    """
    return parts.split.call(x, num_or_sections=chunks, axis=axis)


@public()
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Elements of x where the condition holds, of y elsewhere; numbers count as 0-D tensors.

    >>> import minipaddle as paddle
    >>> paddle.where(paddle.to_tensor([True, False]), paddle.ones([2]), 0.0).tolist()
    [1.0, 0.0]
    """
    if x is None or y is None:
        raise InvalidArgument(
            "where(): x and y must be given together.",
            expected="where(condition, x, y)",
            received=f"x {'missing' if x is None else 'given'}, y "
            f"{'missing' if y is None else 'given'}",
            fix="give both, or neither once paddle.nonzero exists here",
        )
    like = y if isinstance(x, SCALARS) else x
    if isinstance(like, SCALARS):
        raise InvalidType(
            "where(): x and y are both numbers.",
            expected="at least one Tensor",
            received=f"x {x!r}, y {y!r}",
            fix="wrap one: paddle.to_tensor(x)",
        )
    x = constant(x, like) if isinstance(x, SCALARS) else x
    y = constant(y, like) if isinstance(y, SCALARS) else y
    return index.where.call(condition, x, y)


@public()
def cast(x: Any, dtype: Any) -> Any:
    """The same values in another dtype; the gradient comes back in the old one.

    >>> import minipaddle as paddle
    >>> paddle.cast(paddle.ones([1]), "int64").tolist()
    [1]
    """
    return _cast(x, dtype=dtype)


@public()
def numel(x: Any, name: str | None = None) -> Any:
    """The number of elements, as a 0-D int64 tensor.

    >>> import minipaddle as paddle
    >>> int(paddle.numel(paddle.ones([2, 3])))
    6
    """
    return full([], int(np.prod(list(x.shape), dtype=np.int64)), "int64")


@public()
def is_tensor(x: Any) -> builtins.bool:
    """Whether x is a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.is_tensor([1.0])
    False
    """
    return isinstance(x, Tensor)
