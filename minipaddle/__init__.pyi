# Written by docs/make_stubs.py; do not edit.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from typing import IO, Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from minipaddle.device.place import CPUPlace as CPUPlace
from minipaddle.device.place import CUDAPlace as CUDAPlace
from minipaddle.device.place import Place
from minipaddle.distributed.data_parallel import DataParallel as DataParallel
from minipaddle.eager.size import Size as Size
from minipaddle.eager.tensor import TensorHookRemoveHelper
from minipaddle.engine.dtypes import DType
from minipaddle.engine.dtypes import finfo as finfo
from minipaddle.engine.dtypes import iinfo as iinfo
from minipaddle.engine.grad_mode import enable_grad as enable_grad
from minipaddle.engine.grad_mode import no_grad as no_grad
from minipaddle.engine.grad_mode import set_grad_enabled as set_grad_enabled
from minipaddle.engine.guard import Guard
from minipaddle.engine.tensor import Tensor as _BareTensor
from minipaddle.nn.layer import Layer
from minipaddle.ops.reductions.ordering import TopKRetType
from minipaddle.parameters.initializers import Initializer
from minipaddle.parameters.param_attr import ParamAttr as ParamAttr
from minipaddle.random.generator import Generator, GeneratorState
from minipaddle.static.variable import Variable

from . import autograd as autograd
from . import base as base
from . import device as device
from . import distributed as distributed
from . import io as io
from . import linalg as linalg
from . import metric as metric
from . import nn as nn
from . import optimizer as optimizer
from . import profiler as profiler
from . import random as random
from . import regularizer as regularizer
from . import static as static
from . import testing as testing
from . import utils as utils

_DTypeLike: TypeAlias = DType | str | type | np.dtype[Any]
_PlaceLike: TypeAlias = Place | str
_Shape: TypeAlias = _int | Sequence[_int | Tensor | Variable] | Tensor | Variable
_ArrayLike: TypeAlias = npt.ArrayLike | Tensor | Sequence[Any]
_AnyTensor: TypeAlias = Tensor | Variable

class Tensor(_BareTensor):
    """An array with an autograd history; see `minipaddle.to_tensor` for how to make one."""
    def __add__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __and__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __eq__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...  # type: ignore[override]
    def __floordiv__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __ge__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __gt__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __le__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __lshift__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __lt__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __matmul__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __mod__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __mul__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __ne__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...  # type: ignore[override]
    def __or__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __pow__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rshift__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __sub__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __truediv__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __xor__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __radd__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rand__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rfloordiv__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rlshift__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rmatmul__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rmod__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rmul__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __ror__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rpow__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rrshift__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rsub__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rtruediv__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __rxor__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __getitem__(self, item: Any) -> Tensor: ...
    def __array__(
        self, dtype: _DTypeLike | None = None, copy: Any = None
    ) -> np.ndarray[Any, Any]: ...
    def __bool__(self) -> _bool: ...
    def __complex__(self) -> complex: ...
    def __dlpack__(self, **options: Any) -> Any:
        """The memory itself, for other libraries; nothing there would know of gradients."""
    def __dlpack_device__(self) -> Any: ...
    def __float__(self) -> _float: ...
    def __index__(self) -> _int: ...
    def __int__(self) -> _int: ...
    def __iter__(self) -> Iterator[Tensor]:
        """Go over the first axis; of a 0-D tensor nothing comes, as in Paddle."""
    def __len__(self) -> _int: ...
    def __setitem__(self, item: Any, value: _AnyTensor) -> None:
        """`x[item] = value`: the value is cast to x's dtype, and gradients flow back to it."""
    @property
    def T(self) -> Tensor:
        """The axes in reverse order; of one axis the tensor itself."""
    def abs(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The absolute value of every element."""
    def abs_(self, name: str | None = None) -> Tensor:
        """In place, `abs`: x's memory takes the result; see `paddle.abs`."""
    def acos(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The angle in [0, π] whose cosine is x; NaN outside of [-1, 1]."""
    def acos_(self, name: str | None = None) -> Tensor:
        """In place, `acos`: x's memory takes the result; see `paddle.acos`."""
    def acosh(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The number of at least 0 whose hyperbolic cosine is x; NaN below 1."""
    def acosh_(self, name: str | None = None) -> Tensor:
        """In place, `acosh`: x's memory takes the result; see `paddle.acosh`."""
    @overload
    def add(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        alpha: _float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Tensor:
        """x + y, element by element."""
    @overload
    def add(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        alpha: _float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Tensor:
        """x + y, element by element."""
    @overload
    def add_(self, y: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1) -> Tensor:
        """In place, `add`: x's memory takes the result; see `paddle.add`."""
    @overload
    def add_(
        self, other: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
    ) -> Tensor:
        """In place, `add`: x's memory takes the result; see `paddle.add`."""
    def add_n(self, name: str | None = None) -> Tensor:
        """The sum of a list of tensors of one shape."""
    def addmm(
        self,
        x: _AnyTensor,
        y: _AnyTensor,
        beta: _float = 1.0,
        alpha: _float = 1.0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """beta times input, which may broadcast, plus alpha times the matrix product of x and y."""
    def addmm_(
        self,
        x: _AnyTensor,
        y: _AnyTensor,
        beta: _float = 1.0,
        alpha: _float = 1.0,
        name: str | None = None,
    ) -> Tensor:
        """In place, `addmm`: x's memory takes the result; see `paddle.addmm`."""
    @overload
    def all(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Whether every element over `axis` (all axes if None) is true, which means not 0."""
    @overload
    def all(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Whether every element over `axis` (all axes if None) is true, which means not 0."""
    def allclose(
        self,
        y: _AnyTensor,
        rtol: _float | Tensor = 1e-05,
        atol: _float | Tensor = 1e-08,
        equal_nan: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Whether all elements are close, as a 0-D bool tensor."""
    @overload
    def amax(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The largest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def amax(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The largest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def amin(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The smallest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def amin(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The smallest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def any(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Whether any element over `axis` (all axes if None) is true, which means not 0."""
    @overload
    def any(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Whether any element over `axis` (all axes if None) is true, which means not 0."""
    def apply(self, func: Callable[[Any], Any]) -> Tensor:
        """func(x), for a tensor that wants no gradient."""
    def apply_(self, func: Callable[[Any], Any]) -> Tensor:
        """Itself, with the values of func(x), for a tensor that wants no gradient."""
    @overload
    def argmax(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The position of the largest element along `axis`; the first one of ties."""
    @overload
    def argmax(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdims: _bool = False,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The position of the largest element along `axis`; the first one of ties."""
    @overload
    def argmin(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The position of the smallest element along `axis`; the first one of ties."""
    @overload
    def argmin(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdims: _bool = False,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The position of the smallest element along `axis`; the first one of ties."""
    @overload
    def argsort(
        self,
        axis: _int = -1,
        descending: _bool = False,
        stable: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """The positions of the elements in their order along `axis`; ties keep their order."""
    @overload
    def argsort(
        self,
        dim: _int = -1,
        descending: _bool = False,
        stable: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """The positions of the elements in their order along `axis`; ties keep their order."""
    def argwhere(self) -> Tensor:
        """The positions of the elements that are not zero, one row for each."""
    def asin(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The angle in [-π/2, π/2] whose sine is x; NaN outside of [-1, 1]."""
    def asin_(self, name: str | None = None) -> Tensor:
        """In place, `asin`: x's memory takes the result; see `paddle.asin`."""
    def asinh(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The number whose hyperbolic sine is x."""
    def asinh_(self, name: str | None = None) -> Tensor:
        """In place, `asinh`: x's memory takes the result; see `paddle.asinh`."""
    def astype(self, dtype: _DTypeLike) -> Tensor:
        """The same values in another dtype; the tensor itself if it has this one."""
    def atan(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The angle in (-π/2, π/2) whose tangent is x."""
    def atan2(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The angle of x / y in (-π, π], by the signs of both; integers give float64."""
    def atan_(self, name: str | None = None) -> Tensor:
        """In place, `atan`: x's memory takes the result; see `paddle.atan`."""
    def atanh(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The number whose hyperbolic tangent is x; NaN outside of [-1, 1]."""
    def atanh_(self, name: str | None = None) -> Tensor:
        """In place, `atanh`: x's memory takes the result; see `paddle.atanh`."""
    def atleast_1d(self, *, name: str | None = None) -> Tensor:
        """The tensors, those of no axis with one."""
    def atleast_2d(self, *, name: str | None = None) -> Tensor:
        """The tensors with at least two axes: vectors become rows."""
    def atleast_3d(self, *, name: str | None = None) -> Tensor:
        """The tensors with at least three axes, as dstack puts them together."""
    def backward(
        self,
        grad_tensor: Tensor | None = None,
        retain_graph: _bool = False,
        *,
        dump_backward_graph_path: str | None = None,
    ) -> None:
        """Add d(this)/d(leaf) to the `.grad` of every leaf that this tensor depends on."""
    def baddbmm(
        self,
        x: _AnyTensor,
        y: _AnyTensor,
        beta: _float = 1.0,
        alpha: _float = 1.0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """beta times input plus alpha times the products of two batches of matrices."""
    def baddbmm_(
        self,
        x: _AnyTensor,
        y: _AnyTensor,
        beta: _float = 1.0,
        alpha: _float = 1.0,
        name: str | None = None,
    ) -> Tensor:
        """In place, `baddbmm`: x's memory takes the result; see `paddle.baddbmm`."""
    def bernoulli_(self, p: _float | Tensor = 0.5, name: str | None = None) -> Tensor:
        """Fill with ones of probability p, a number or a tensor, and zeros."""
    def bincount(
        self,
        weights: _AnyTensor | None = None,
        minlength: _int = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """How often each of the numbers 0, 1, 2, ... occurs, or the sum of its weights."""
    def bitwise_and(
        self, y: _AnyTensor, out: Tensor | None = None, name: str | None = None
    ) -> Tensor:
        """The and of the bits of x and y; of bools, of their truth."""
    def bitwise_and_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `bitwise_and`: x's memory takes the result; see `paddle.bitwise_and`."""
    def bitwise_invert(self, out: Tensor | None = None, name: str | None = None) -> Tensor:
        """The opposite of every bit of x; of bools, of their truth."""
    def bitwise_invert_(self, name: str | None = None) -> Tensor:
        """In place, `bitwise_invert`: x's memory takes the result; see `paddle.bitwise_invert`."""
    def bitwise_left_shift(
        self,
        y: _AnyTensor,
        is_arithmetic: _bool = True,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """The bits of x moved y places to the left: x times 2ʸ."""
    def bitwise_left_shift_(
        self,
        y: _AnyTensor,
        is_arithmetic: _bool = True,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """In place, `bitwise_left_shift`: x's memory takes the result; see `paddle.bitwise_left_shift`."""
    def bitwise_not(self, out: Tensor | None = None, name: str | None = None) -> Tensor:
        """The opposite of every bit of x; of bools, of their truth."""
    def bitwise_not_(self, name: str | None = None) -> Tensor:
        """In place, `bitwise_not`: x's memory takes the result; see `paddle.bitwise_not`."""
    @overload
    def bitwise_or(
        self, y: _AnyTensor, out: Tensor | None = None, name: str | None = None
    ) -> Tensor:
        """The or of the bits of x and y; of bools, of their truth."""
    @overload
    def bitwise_or(
        self, other: _AnyTensor, out: Tensor | None = None, name: str | None = None
    ) -> Tensor:
        """The or of the bits of x and y; of bools, of their truth."""
    @overload
    def bitwise_or_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `bitwise_or`: x's memory takes the result; see `paddle.bitwise_or`."""
    @overload
    def bitwise_or_(self, other: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `bitwise_or`: x's memory takes the result; see `paddle.bitwise_or`."""
    def bitwise_right_shift(
        self,
        y: _AnyTensor,
        is_arithmetic: _bool = True,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """The bits of x moved y places to the right; the sign stays if is_arithmetic."""
    def bitwise_right_shift_(
        self,
        y: _AnyTensor,
        is_arithmetic: _bool = True,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """In place, `bitwise_right_shift`: x's memory takes the result; see `paddle.bitwise_right_shift`."""
    def bitwise_xor(
        self, y: _AnyTensor, out: Tensor | None = None, name: str | None = None
    ) -> Tensor:
        """The exclusive or of the bits of x and y; of bools, of their truth."""
    def bitwise_xor_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `bitwise_xor`: x's memory takes the result; see `paddle.bitwise_xor`."""
    def block_diag(self, name: str | None = None) -> Tensor:
        """Matrices along the diagonal of a larger one, zeros elsewhere; a vector counts as a row."""
    def bmm(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The product of each pair of matrices of two batches."""
    def bool(self) -> Tensor:
        """The same values in bool; the tensor itself if it has this dtype."""
    def broadcast_shape(self, y_shape: _Shape) -> list[_int]:
        """The shape that two shapes broadcast to."""
    def broadcast_tensors(
        self, name: str | None = None, *, out: Tensor | None = None
    ) -> list[Tensor]:
        """Tensors repeated to the shape that broadcasting gives them together."""
    @overload
    def broadcast_to(self, shape: _Shape, name: str | None = None) -> Tensor:
        """x repeated to this shape, by the rules of broadcasting."""
    @overload
    def broadcast_to(self, size: _Shape, name: str | None = None) -> Tensor:
        """x repeated to this shape, by the rules of broadcasting."""
    @overload
    def bucketize(
        self,
        sorted_sequence: _AnyTensor,
        out_int32: _bool = False,
        right: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The number of the bucket between the borders `sorted_sequence` that each element falls in."""
    @overload
    def bucketize(
        self,
        boundaries: _AnyTensor,
        out_int32: _bool = False,
        right: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The number of the bucket between the borders `sorted_sequence` that each element falls in."""
    def byte(self) -> Tensor:
        """The same values in uint8; the tensor itself if it has this dtype."""
    def cast(
        self, dtype: _DTypeLike, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The same values in another dtype; the gradient comes back in the old one."""
    def cast_(self, dtype: _DTypeLike, name: str | None = None) -> Tensor:
        """In place, `cast`: x's memory takes the result; see `paddle.cast`."""
    @overload
    def cat(
        self, axis: _int | Sequence[_int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Join tensors end to end along an axis."""
    @overload
    def cat(
        self, dim: _int | Sequence[_int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Join tensors end to end along an axis."""
    def cauchy_(self, loc: _float = 0, scale: _float = 1, name: str | None = None) -> Tensor:
        """Fill with loc + scale · tan(π (u − 1/2)); as in Paddle 3.3.1, u is normal, not uniform."""
    def cdist(
        self,
        y: _AnyTensor,
        p: _float | Tensor = 2.0,
        compute_mode: str = ...,
        name: str | None = None,
    ) -> Tensor:
        """The distances of all pairs of rows, one of x and one of y; compute_mode changes no value."""
    def cdouble(self) -> Tensor:
        """The same values in complex128; the tensor itself if it has this dtype."""
    def ceil(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The smallest integer not below every element."""
    def ceil_(self, name: str | None = None) -> Tensor:
        """In place, `ceil`: x's memory takes the result; see `paddle.ceil`."""
    def cfloat(self) -> Tensor:
        """The same values in complex64; the tensor itself if it has this dtype."""
    def char(self) -> Tensor:
        """The same values in int8; the tensor itself if it has this dtype."""
    def cholesky(
        self, upper: _bool = False, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The lower triangle whose product with its transpose is x; or the upper one, transposed."""
    def cholesky_solve(
        self, y: _AnyTensor, upper: _bool = False, name: str | None = None
    ) -> Tensor:
        """The z for which A @ z is x, where y is A's Cholesky factor."""
    @overload
    def chunk(
        self, chunks: _int, axis: _int | Sequence[_int] = 0, name: str | None = None
    ) -> list[Tensor]:
        """x cut into this many equal pieces along an axis."""
    @overload
    def chunk(
        self, chunks: _int, dim: _int | Sequence[_int] = 0, name: str | None = None
    ) -> list[Tensor]:
        """x cut into this many equal pieces along an axis."""
    def clamp(
        self,
        min: _float | Tensor | None = None,
        max: _float | Tensor | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Limit every element to [min, max]; None means no limit on that side."""
    def clamp_(
        self,
        min: _float | Tensor | None = None,
        max: _float | Tensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """In place, `clamp`: x's memory takes the result; see `paddle.clamp`."""
    def clear_grad(self, set_to_zero: _bool = True) -> None:
        """Set the gradient to zeros, or to None: with False, or of a sparse embedding."""
    def clear_gradient(self, set_to_zero: _bool = True) -> None:
        """Set the gradient to zeros, or to None: with False, or of a sparse embedding."""
    def clip(
        self,
        min: _float | Tensor | None = None,
        max: _float | Tensor | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Limit every element to [min, max]; None means no limit on that side."""
    def clip_(
        self,
        min: _float | Tensor | None = None,
        max: _float | Tensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """In place, `clip`: x's memory takes the result; see `paddle.clip`."""
    def clone(self, name: str | None = None) -> Tensor:
        """A copy that is still connected to the graph."""
    def combinations(
        self, r: _int = 2, with_replacement: _bool = False, name: str | None = None
    ) -> Tensor:
        """All ways to choose r elements of a vector, as rows, in the order of the vector."""
    def complex128(self) -> Tensor:
        """The same values in complex128; the tensor itself if it has this dtype."""
    def complex64(self) -> Tensor:
        """The same values in complex64; the tensor itself if it has this dtype."""
    @overload
    def concat(
        self, axis: _int | Sequence[_int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Join tensors end to end along an axis."""
    @overload
    def concat(
        self, dim: _int | Sequence[_int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Join tensors end to end along an axis."""
    @overload
    def concatenate(
        self, axis: _int | Sequence[_int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Join tensors end to end along an axis."""
    @overload
    def concatenate(
        self, dim: _int | Sequence[_int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Join tensors end to end along an axis."""
    def cond(self, p: _float | str | None = None, name: str | None = None) -> Tensor:
        """How much solving with x can enlarge errors: a norm of x times that of its inverse."""
    def conj(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The complex conjugate of every element; a real number is its own."""
    def contiguous(self) -> Tensor:
        """Itself if its elements lie row by row, else a copy where they do."""
    def copy_(self, other: Tensor, blocking: _bool = True) -> Tensor:
        """Overwrite the values with another Tensor's, as set_value does, and return this one."""
    def copysign(self, y: _AnyTensor | _float, name: str | None = None) -> Tensor:
        """The size of x with the sign of y, a tensor or a number; also of -0.0."""
    def copysign_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `copysign`: x's memory takes the result; see `paddle.copysign`."""
    def corrcoef(self, rowvar: _bool = True, name: str | None = None) -> Tensor:
        """The correlation of each pair of rows of x: 1 for equal courses, -1 for opposite ones."""
    def cos(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The cosine of every element, in radians."""
    def cos_(self, name: str | None = None) -> Tensor:
        """In place, `cos`: x's memory takes the result; see `paddle.cos`."""
    def cosh(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The hyperbolic cosine of every element: (eˣ + e⁻ˣ) / 2."""
    def cosh_(self, name: str | None = None) -> Tensor:
        """In place, `cosh`: x's memory takes the result; see `paddle.cosh`."""
    @overload
    def count_nonzero(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """How many elements over `axis` (all axes if None) are not 0; NaN is not 0."""
    @overload
    def count_nonzero(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """How many elements over `axis` (all axes if None) are not 0; NaN is not 0."""
    def cov(
        self,
        rowvar: _bool = True,
        ddof: _bool = True,
        fweights: _AnyTensor | None = None,
        aweights: _AnyTensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """How the rows of x vary together; `fweights` says how often each column was observed, `aweights` how much it counts."""
    def cpu(self) -> Tensor:
        """This tensor in the host's memory; itself if it is there."""
    @overload
    def cross(
        self, y: _AnyTensor, axis: _int = 9, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The vector at right angles to two vectors, along the first axis of size 3, or along `axis`."""
    @overload
    def cross(
        self, y: _AnyTensor, dim: _int = 9, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The vector at right angles to two vectors, along the first axis of size 3, or along `axis`."""
    def cuda(self, device_id: _int | None = None, blocking: _bool = True) -> Tensor:
        """This tensor on a CUDA device; InvalidArgument where there is none."""
    def cummax(
        self,
        axis: _int | Sequence[_int] | None = None,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The largest element up to each place along `axis`, and where it stands."""
    def cummin(
        self,
        axis: _int | Sequence[_int] | None = None,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The smallest element up to each place along `axis`, and where it stands."""
    def cumprod(
        self,
        dim: _int | Sequence[_int] | None = None,
        *,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """The products of the elements up to each place along `dim` (of all in a row if None)."""
    def cumprod_(
        self,
        dim: _int | Sequence[_int] | None = None,
        *,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Tensor:
        """In place, `cumprod`: x's memory takes the result; see `paddle.cumprod`."""
    @overload
    def cumsum(
        self,
        axis: _int | Sequence[_int] | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The sums of the elements up to each place along `axis` (of all elements in a row if None)."""
    @overload
    def cumsum(
        self,
        dim: _int | Sequence[_int] | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The sums of the elements up to each place along `axis` (of all elements in a row if None)."""
    def cumsum_(
        self,
        axis: _int | Sequence[_int] | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Tensor:
        """In place, `cumsum`: x's memory takes the result; see `paddle.cumsum`."""
    def cumulative_trapezoid(
        self,
        x: _AnyTensor | None = None,
        dx: _float | Tensor | None = None,
        axis: _int = -1,
        name: str | None = None,
    ) -> Tensor:
        """The area under a curve from its first point to each of the others."""
    @property
    def data(self) -> Tensor:
        """The same memory as a leaf without gradient; setting it gives this tensor other memory."""
    @data.setter
    def data(self, value: Tensor) -> None: ...
    def data_ptr(self) -> _int:
        """The address of the first element."""
    def deg2rad(self, name: str | None = None) -> Tensor:
        """Degrees as radians: x · π / 180."""
    def detach(self) -> Tensor:
        """The same memory as a new leaf outside the graph."""
    def detach_(self) -> Tensor:
        """Itself, cut from its history: a leaf without gradient."""
    @property
    def device(self) -> str:
        """The device as text: cpu, or gpu:0."""
    def diag(
        self,
        offset: _int = 0,
        padding_value: _float | Tensor = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The matrix with the vector x on its diagonal, or the diagonal of the matrix x."""
    def diag_embed(
        self,
        offset: _int = 0,
        dim1: _int = -2,
        dim2: _int = -1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Matrices over two new axes with the last axis of input on a diagonal."""
    def diagflat(self, offset: _int = 0, name: str | None = None) -> Tensor:
        """The matrix with the elements of x, in one row, on its diagonal."""
    @overload
    def diagonal(
        self,
        offset: _int = 0,
        axis1: _int = 0,
        axis2: _int = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The diagonal over two axes, or the one `offset` above it, as the last axis; a view."""
    @overload
    def diagonal(
        self,
        offset: _int = 0,
        dim1: _int = 0,
        axis2: _int = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The diagonal over two axes, or the one `offset` above it, as the last axis; a view."""
    def diagonal_scatter(
        self,
        y: _AnyTensor,
        offset: _int = 0,
        axis1: _int = 0,
        axis2: _int = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """x with y on a diagonal over two axes."""
    @overload
    def diff(
        self,
        n: _int = 1,
        axis: _int = -1,
        prepend: _AnyTensor | None = None,
        append: _AnyTensor | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The differences of neighbours along an axis, n times; of bools, whether they differ."""
    @overload
    def diff(
        self,
        n: _int = 1,
        dim: _int = -1,
        prepend: _AnyTensor | None = None,
        append: _AnyTensor | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The differences of neighbours along an axis, n times; of bools, whether they differ."""
    def digamma(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The derivative of lgamma; NaN at the negative integers, infinite at 0."""
    def digamma_(self, name: str | None = None) -> Tensor:
        """In place, `digamma`: x's memory takes the result; see `paddle.digamma`."""
    def dim(self) -> _int:
        """The number of axes."""
    def dist(
        self, y: _AnyTensor, p: _float = 2.0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The p-norm of x - y over all elements."""
    @overload
    def div(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        rounding_mode: str | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        """x / y, element by element; integers give float32."""
    @overload
    def div(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        rounding_mode: str | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        """x / y, element by element; integers give float32."""
    @overload
    def div_(
        self, y: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
    ) -> Tensor:
        """In place, `div`: x's memory takes the result; see `paddle.div`."""
    @overload
    def div_(
        self, other: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
    ) -> Tensor:
        """In place, `div`: x's memory takes the result; see `paddle.div`."""
    @overload
    def divide(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        rounding_mode: str | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        """x / y, element by element; integers give float32."""
    @overload
    def divide(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        rounding_mode: str | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        """x / y, element by element; integers give float32."""
    @overload
    def divide_(
        self, y: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
    ) -> Tensor:
        """In place, `divide`: x's memory takes the result; see `paddle.divide`."""
    @overload
    def divide_(
        self, other: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
    ) -> Tensor:
        """In place, `divide`: x's memory takes the result; see `paddle.divide`."""
    @overload
    def dot(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The inner product of two vectors, or of each pair of rows of two matrices."""
    @overload
    def dot(
        self, tensor: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The inner product of two vectors, or of each pair of rows of two matrices."""
    def double(self) -> Tensor:
        """The same values in float64; the tensor itself if it has this dtype."""
    def dsplit(
        self, num_or_indices: _int | Sequence[_int], name: str | None = None
    ) -> list[Tensor]:
        """x cut along the third axis."""
    @property
    def dtype(self) -> DType:
        """The type of the elements."""
    def eigvalsh(
        self, UPLO: str = "L", name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The eigenvalues of symmetric matrices, smallest first."""
    def element_size(self) -> _int:
        """Bytes of one element."""
    @overload
    def eq(
        self, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x equals y, element by element."""
    @overload
    def eq(
        self, other: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x equals y, element by element."""
    def eq_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `eq`: x's memory takes the result; see `paddle.eq`."""
    @overload
    def equal(
        self, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x equals y, element by element."""
    @overload
    def equal(
        self, other: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x equals y, element by element."""
    def equal_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `equal`: x's memory takes the result; see `paddle.equal`."""
    def equal_all(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether shape and all elements are equal, as a 0-D bool tensor."""
    def erf(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The error function: the share of a normal distribution within x · √2 of its mean."""
    def erf_(self, name: str | None = None) -> Tensor:
        """In place, `erf`: x's memory takes the result; see `paddle.erf`."""
    def erfinv(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The number whose erf is x; infinite where x is 1 or more, or -1 or less."""
    def erfinv_(self, name: str | None = None) -> Tensor:
        """In place, `erfinv`: x's memory takes the result; see `paddle.erfinv`."""
    def exp(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """e to the power of every element."""
    def exp_(self, name: str | None = None) -> Tensor:
        """In place, `exp`: x's memory takes the result; see `paddle.exp`."""
    @overload
    def expand(self, shape: _Shape, name: str | None = None) -> Tensor:
        """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size."""
    @overload
    def expand(self, size: _Shape, name: str | None = None) -> Tensor:
        """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size."""
    @overload
    def expand(self, *shape: _int, name: str | None = None) -> Tensor:
        """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size."""
    @overload
    def expand_as(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x repeated to the shape of y."""
    @overload
    def expand_as(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x repeated to the shape of y."""
    def expm1(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """e to the power of every element, minus 1, exact also where x is tiny."""
    def expm1_(self, name: str | None = None) -> Tensor:
        """In place, `expm1`: x's memory takes the result; see `paddle.expm1`."""
    @overload
    def exponential_(self, lam: _float = 1.0, name: str | None = None) -> Tensor:
        """Fill with waiting times of mean 1/lam."""
    @overload
    def exponential_(self, lambd: _float = 1.0, name: str | None = None) -> Tensor:
        """Fill with waiting times of mean 1/lam."""
    def fill_(self, value: _float) -> Tensor:
        """Write one number everywhere; no gradient flows back through it."""
    def fill_diagonal_(
        self, value: _float, offset: _int = 0, wrap: _bool = False, name: str | None = None
    ) -> Tensor:
        """Write one number along a diagonal; with `wrap`, again and again down a tall matrix."""
    @overload
    def flatten(
        self,
        start_axis: _int = 0,
        stop_axis: _int = -1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Make one axis of those from start_axis to stop_axis."""
    @overload
    def flatten(
        self,
        start_dim: _int = 0,
        end_dim: _int = -1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Make one axis of those from start_axis to stop_axis."""
    def flatten_(
        self, start_axis: _int = 0, stop_axis: _int = -1, name: str | None = None
    ) -> Tensor:
        """In place, `flatten`: x's memory takes the result; see `paddle.flatten`."""
    def flip(
        self, axis: _int | Sequence[_int], name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x backwards along the axes."""
    def float(self) -> Tensor:
        """The same values in float32; the tensor itself if it has this dtype."""
    def float16(self) -> Tensor:
        """The same values in float16; the tensor itself if it has this dtype."""
    def float32(self) -> Tensor:
        """The same values in float32; the tensor itself if it has this dtype."""
    def float64(self) -> Tensor:
        """The same values in float64; the tensor itself if it has this dtype."""
    def floor(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The largest integer not above every element."""
    def floor_(self, name: str | None = None) -> Tensor:
        """In place, `floor`: x's memory takes the result; see `paddle.floor`."""
    @overload
    def floor_divide(
        self, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The floor of x / y, element by element."""
    @overload
    def floor_divide(
        self, other: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The floor of x / y, element by element."""
    def floor_divide_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `floor_divide`: x's memory takes the result; see `paddle.floor_divide`."""
    @overload
    def floor_mod(
        self, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """What is left of x after dividing by y, with the sign of y."""
    @overload
    def floor_mod(
        self, other: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """What is left of x after dividing by y, with the sign of y."""
    def floor_mod_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `floor_mod`: x's memory takes the result; see `paddle.floor_mod`."""
    def fmax(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The larger of x and y; the other one where one is NaN."""
    def fmin(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The smaller of x and y; the other one where one is NaN."""
    def frac(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The digits after the point of every element, with its sign."""
    def frac_(self, name: str | None = None) -> Tensor:
        """In place, `frac`: x's memory takes the result; see `paddle.frac`."""
    def gammaln(self, name: str | None = None) -> Tensor:
        """The same as lgamma, for floats alone."""
    def gammaln_(self, name: str | None = None) -> Tensor:
        """In place, `gammaln`: x's memory takes the result; see `paddle.gammaln`."""
    def gather(
        self,
        index: _AnyTensor,
        axis: _int | Sequence[_int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The slices of x along `axis` that `index` names, in its order."""
    def gather_nd(
        self, index: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """What each row of coordinates names in x: an element, or a slice if they are few."""
    @overload
    def gcd(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The greatest common divisor, never negative."""
    @overload
    def gcd(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The greatest common divisor, never negative."""
    @overload
    def gcd_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `gcd`: x's memory takes the result; see `paddle.gcd`."""
    @overload
    def gcd_(self, other: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `gcd`: x's memory takes the result; see `paddle.gcd`."""
    @overload
    def ge(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether x is at least y."""
    @overload
    def ge(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is at least y."""
    def ge_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `ge`: x's memory takes the result; see `paddle.ge`."""
    def geometric_(self, probs: _float | Tensor, name: str | None = None) -> Tensor:
        """Fill with log(u) / log(1 − probs), u uniform: how long to wait for a success."""
    def get_device(self) -> _int:
        """The number of the CUDA device, -1 for the host."""
    def get_strides(self) -> list[_int]:
        """How many elements lie from one to the next along each axis."""
    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward added up here, None before."""
    @grad.setter
    def grad(self, value: Tensor | None) -> None: ...
    @property
    def grad_fn(self) -> Any:
        """The node of the tape that made this tensor; None without a gradient."""
    def gradient(self) -> np.ndarray[Any, Any] | None:
        """The gradient as a NumPy array, or None."""
    @overload
    def greater(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is greater than y."""
    @overload
    def greater(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is greater than y."""
    def greater_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `greater`: x's memory takes the result; see `paddle.greater`."""
    @overload
    def greater_equal(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is at least y."""
    @overload
    def greater_equal(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is at least y."""
    def greater_equal_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `greater_equal`: x's memory takes the result; see `paddle.greater_equal`."""
    @overload
    def greater_than(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is greater than y."""
    @overload
    def greater_than(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is greater than y."""
    def greater_than_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `greater_than`: x's memory takes the result; see `paddle.greater_than`."""
    @overload
    def gt(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether x is greater than y."""
    @overload
    def gt(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is greater than y."""
    def gt_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `gt`: x's memory takes the result; see `paddle.gt`."""
    def half(self) -> Tensor:
        """The same values in float16; the tensor itself if it has this dtype."""
    def heaviside(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The step function: 0 for negative x, 1 for positive x, y where x is 0."""
    def histogram(
        self,
        bins: _int = 100,
        min: _float = 0.0,
        max: _float = 0.0,
        weight: _AnyTensor | None = None,
        density: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """How many elements lie in each of `bins` equal bins from min to max (the range of the elements if both are 0); with weights, the sums of them; with density, over all bins 1."""
    def histogram_bin_edges(
        self,
        bins: _int = 100,
        min: _float = 0.0,
        max: _float = 0.0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The borders of the bins that `histogram` counts in."""
    def hsplit(
        self, num_or_indices: _int | Sequence[_int], name: str | None = None
    ) -> list[Tensor]:
        """x cut along the second axis, a vector along its only one."""
    def hypot(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """The length √(x² + y²) of the longest side of a right triangle."""
    def hypot_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `hypot`: x's memory takes the result; see `paddle.hypot`."""
    def increment(self, value: _float = 1.0, name: str | None = None) -> Tensor:
        """Add a number to a tensor of one element, in place; gradients pass as through a sum."""
    @overload
    def index_add(
        self,
        index: _AnyTensor,
        axis: _int,
        value: _AnyTensor,
        alpha: _float = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """x with alpha · value added to slices along an axis, as often as a position is named."""
    @overload
    def index_add(
        self,
        index: _AnyTensor,
        dim: _int,
        source: _AnyTensor,
        alpha: _float = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """x with alpha · value added to slices along an axis, as often as a position is named."""
    @overload
    def index_add_(
        self,
        index: _AnyTensor,
        axis: _int,
        value: _AnyTensor,
        alpha: _float = 1,
        name: str | None = None,
    ) -> Tensor:
        """In place, `index_add`: x's memory takes the result; see `paddle.index_add`."""
    @overload
    def index_add_(
        self,
        index: _AnyTensor,
        dim: _int,
        source: _AnyTensor,
        alpha: _float = 1,
        name: str | None = None,
    ) -> Tensor:
        """In place, `index_add`: x's memory takes the result; see `paddle.index_add`."""
    def index_fill(
        self, index: _AnyTensor, axis: _int, value: _AnyTensor | _float, name: str | None = None
    ) -> Tensor:
        """x with one value in the slices that index names along an axis."""
    def index_fill_(
        self, index: _AnyTensor, axis: _int, value: _AnyTensor, name: str | None = None
    ) -> Tensor:
        """In place, `index_fill`: x's memory takes the result; see `paddle.index_fill`."""
    def index_put(
        self,
        indices: Sequence[_AnyTensor],
        value: _AnyTensor,
        accumulate: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """x with `value` written, or added, where one tensor of positions for each axis says."""
    def index_put_(
        self,
        indices: _AnyTensor,
        value: _AnyTensor,
        accumulate: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """In place, `index_put`: x's memory takes the result; see `paddle.index_put`."""
    def index_sample(
        self, index: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """For each row, the elements of that row of x at the positions in the row of index."""
    @overload
    def index_select(
        self,
        index: _AnyTensor,
        axis: _int | Sequence[_int] = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The slices of x along `axis` that a vector of positions names."""
    @overload
    def index_select(
        self,
        index: _AnyTensor,
        dim: _int | Sequence[_int] = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The slices of x along `axis` that a vector of positions names."""
    def inner(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """The sum of products over the last axes of x and y; the plain product if one has one element."""
    @property
    def inplace_version(self) -> _int:
        """How often the values were changed in place."""
    def int(self) -> Tensor:
        """The same values in int32; the tensor itself if it has this dtype."""
    def int16(self) -> Tensor:
        """The same values in int16; the tensor itself if it has this dtype."""
    def int32(self) -> Tensor:
        """The same values in int32; the tensor itself if it has this dtype."""
    def int64(self) -> Tensor:
        """The same values in int64; the tensor itself if it has this dtype."""
    def int8(self) -> Tensor:
        """The same values in int8; the tensor itself if it has this dtype."""
    def inverse(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The matrix that gives the identity when it is multiplied by x."""
    def is_complex(self) -> _bool:
        """Whether the dtype is a complex one."""
    def is_contiguous(self) -> _bool:
        """Whether the elements lie row by row, without gaps."""
    @property
    def is_cuda(self) -> _bool:
        """Whether it lies on a CUDA device."""
    def is_dense(self) -> _bool:
        """Whether all elements are stored: always."""
    def is_dist(self) -> _bool:
        """Whether only some elements are stored: never."""
    def is_empty(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether x has no elements, as a 0-D bool tensor."""
    def is_floating_point(self) -> _bool:
        """Whether the dtype is a floating-point one."""
    def is_integer(self) -> _bool:
        """Whether the dtype is an integer one."""
    @property
    def is_leaf(self) -> _bool:
        """Whether no op made this tensor, or none that wants a gradient."""
    def is_same_shape(self, y: _AnyTensor) -> _bool:
        """Whether another tensor has the same shape."""
    def is_selected_rows(self) -> _bool:
        """Whether only some elements are stored: never."""
    def is_sparse(self) -> _bool:
        """Whether only some elements are stored: never."""
    def is_sparse_coo(self) -> _bool:
        """Whether only some elements are stored: never."""
    def is_sparse_csr(self) -> _bool:
        """Whether only some elements are stored: never."""
    def is_tensor(self) -> _bool:
        """Whether x is a Tensor, or a Variable of a Program."""
    @overload
    def isclose(
        self,
        y: _AnyTensor,
        rtol: _float | Tensor = 1e-05,
        atol: _float | Tensor = 1e-08,
        equal_nan: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Whether |x - y| <= atol + rtol · |y|, element by element."""
    @overload
    def isclose(
        self,
        other: _AnyTensor,
        rtol: _float | Tensor = 1e-05,
        atol: _float | Tensor = 1e-08,
        equal_nan: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Whether |x - y| <= atol + rtol · |y|, element by element."""
    def isfinite(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether each element is neither NaN nor infinite."""
    @overload
    def isin(
        self,
        test_x: _AnyTensor,
        assume_unique: _bool = False,
        invert: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Whether each element of x is among those of test_x; with `invert`, whether it is not."""
    @overload
    def isin(
        self,
        test_elements: _AnyTensor,
        assume_unique: _bool = False,
        invert: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Whether each element of x is among those of test_x; with `invert`, whether it is not."""
    def isinf(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether each element is infinite."""
    def isnan(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether each element is NaN."""
    def isneginf(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether each element is minus infinity."""
    def isposinf(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether each element is plus infinity."""
    def isreal(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether each element is a real number, which all but complex ones are."""
    def item(self, *args: _int) -> Any:
        """One element as a Python number: the only one, the one with this number, or at this place."""
    @property
    def itemsize(self) -> _int:
        """Bytes of one element."""
    def kron(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The Kronecker product: y times each element of x, in blocks."""
    def kthvalue(
        self, k: _int, axis: _int | None = None, keepdim: _bool = False, name: str | None = None
    ) -> tuple[Tensor, Tensor]:
        """The k-th smallest element along `axis` (the last one if None), and its position."""
    @property
    def layout(self) -> str:
        """The order of the axes of a picture:"""
    @overload
    def lcm(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The least common multiple, never negative."""
    @overload
    def lcm(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The least common multiple, never negative."""
    @overload
    def lcm_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `lcm`: x's memory takes the result; see `paddle.lcm`."""
    @overload
    def lcm_(self, other: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `lcm`: x's memory takes the result; see `paddle.lcm`."""
    def ldexp(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """x times 2ʸ, in float32, or in float64 if one of them is."""
    def ldexp_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `ldexp`: x's memory takes the result; see `paddle.ldexp`."""
    @overload
    def le(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether x is at most y."""
    @overload
    def le(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is at most y."""
    def le_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `le`: x's memory takes the result; see `paddle.le`."""
    def lerp(self, y: _AnyTensor, weight: _AnyTensor | _float, name: str | None = None) -> Tensor:
        """The point between x and y at `weight`, a number or a tensor: 0 gives x, 1 gives y."""
    def lerp_(self, y: _AnyTensor, weight: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `lerp`: x's memory takes the result; see `paddle.lerp`."""
    @overload
    def less(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether x is less than y."""
    @overload
    def less(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is less than y."""
    def less_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `less`: x's memory takes the result; see `paddle.less`."""
    @overload
    def less_equal(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is at most y."""
    @overload
    def less_equal(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is at most y."""
    def less_equal_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `less_equal`: x's memory takes the result; see `paddle.less_equal`."""
    @overload
    def less_than(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is less than y."""
    @overload
    def less_than(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is less than y."""
    def less_than_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `less_than`: x's memory takes the result; see `paddle.less_than`."""
    def lgamma(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The natural logarithm of the absolute value of the gamma function."""
    def lgamma_(self, name: str | None = None) -> Tensor:
        """In place, `lgamma`: x's memory takes the result; see `paddle.lgamma`."""
    def log(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The natural logarithm of every element."""
    def log10(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The logarithm to base 10 of every element."""
    def log10_(self, name: str | None = None) -> Tensor:
        """In place, `log10`: x's memory takes the result; see `paddle.log10`."""
    def log1p(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The natural logarithm of 1 + x for every element, exact also where x is tiny."""
    def log1p_(self, name: str | None = None) -> Tensor:
        """In place, `log1p`: x's memory takes the result; see `paddle.log1p`."""
    def log2(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The logarithm to base 2 of every element."""
    def log2_(self, name: str | None = None) -> Tensor:
        """In place, `log2`: x's memory takes the result; see `paddle.log2`."""
    def log_(self, name: str | None = None) -> Tensor:
        """In place, `log`: x's memory takes the result; see `paddle.log`."""
    def log_normal_(self, mean: _float = 1.0, std: _float = 2.0, name: str | None = None) -> Tensor:
        """Fill with numbers whose logarithms are normal with this mean and standard deviation."""
    def logaddexp(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """ln(eˣ + eʸ), without overflow: the larger one plus ln(1 + e to the minus difference)."""
    def logcumsumexp(
        self,
        axis: _int | Sequence[_int] | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Tensor:
        """The logarithm of the sum of exponentials up to each place along `axis`."""
    @overload
    def logical_and(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x and y are both true."""
    @overload
    def logical_and(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x and y are both true."""
    def logical_and_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `logical_and`: x's memory takes the result; see `paddle.logical_and`."""
    def logical_not(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The opposite of every element's truth."""
    def logical_not_(self, name: str | None = None) -> Tensor:
        """In place, `logical_not`: x's memory takes the result; see `paddle.logical_not`."""
    @overload
    def logical_or(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x or y is true."""
    @overload
    def logical_or(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x or y is true."""
    def logical_or_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `logical_or`: x's memory takes the result; see `paddle.logical_or`."""
    @overload
    def logical_xor(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether one of x and y is true."""
    @overload
    def logical_xor(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether one of x and y is true."""
    def logical_xor_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `logical_xor`: x's memory takes the result; see `paddle.logical_xor`."""
    def logit(
        self, eps: _float | None = None, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The inverse of sigmoid; x is limited to [eps, 1 - eps] first, if eps is given."""
    def logit_(self, eps: _float | None = None, name: str | None = None) -> Tensor:
        """In place, `logit`: x's memory takes the result; see `paddle.logit`."""
    @overload
    def logsumexp(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The logarithm of the sum of exponentials over `axis`, without overflow."""
    @overload
    def logsumexp(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The logarithm of the sum of exponentials over `axis`, without overflow."""
    def long(self) -> Tensor:
        """The same values in int64; the tensor itself if it has this dtype."""
    @overload
    def lt(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether x is less than y."""
    @overload
    def lt(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x is less than y."""
    def lt_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `lt`: x's memory takes the result; see `paddle.lt`."""
    @property
    def mT(self) -> Tensor:
        """The last two axes swapped."""
    def masked_fill(
        self, mask: _AnyTensor, value: _AnyTensor | _float, name: str | None = None
    ) -> Tensor:
        """x with one value, a number or a tensor of one element, where the mask holds."""
    def masked_fill_(self, mask: _AnyTensor, value: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `masked_fill`: x's memory takes the result; see `paddle.masked_fill`."""
    def masked_scatter(
        self, mask: _AnyTensor, value: _AnyTensor, name: str | None = None
    ) -> Tensor:
        """x with the elements of value, in their order, where the mask holds."""
    def masked_scatter_(
        self, mask: _AnyTensor, value: _AnyTensor, name: str | None = None
    ) -> Tensor:
        """In place, `masked_scatter`: x's memory takes the result; see `paddle.masked_scatter`."""
    def masked_select(
        self, mask: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The elements of x where the mask holds, in one row; x and mask broadcast."""
    @overload
    def matmul(
        self,
        y: _AnyTensor,
        transpose_x: _bool = False,
        transpose_y: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x and a column of y."""
    @overload
    def matmul(
        self,
        other: _AnyTensor,
        transpose_x: _bool = False,
        transpose_y: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x and a column of y."""
    def matrix_power(
        self, n: _int, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The matrix multiplied by itself n times; of a negative n, its inverse."""
    def matrix_transpose(self, name: str | None = None) -> Tensor:
        """The last two axes exchanged."""
    def max(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The largest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def maximum(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The larger of x and y, element by element; equal elements share the gradient."""
    @overload
    def maximum(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The larger of x and y, element by element; equal elements share the gradient."""
    @overload
    def mean(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        """The arithmetic mean over `axis` (all axes if None); of integers, without its fraction."""
    @overload
    def mean(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        """The arithmetic mean over `axis` (all axes if None); of integers, without its fraction."""
    @overload
    def median(
        self,
        axis: _int | None = None,
        keepdim: _bool = False,
        mode: str = "avg",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Any:
        """The median over `axis` (all elements if None), NaN if there is one; of an even number the mean of the two middle elements, or with mode "min" the lower one, with its position if there is an axis."""
    @overload
    def median(
        self,
        dim: _int | None = None,
        keepdim: _bool = False,
        mode: str = "avg",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Any:
        """The median over `axis` (all elements if None), NaN if there is one; of an even number the mean of the two middle elements, or with mode "min" the lower one, with its position if there is an axis."""
    def min(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The smallest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def minimum(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The smaller of x and y, element by element; equal elements share the gradient."""
    @overload
    def minimum(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The smaller of x and y, element by element; equal elements share the gradient."""
    def mm(self, mat2: _AnyTensor, name: str | None = None) -> Tensor:
        """The matrix product, as matmul."""
    @overload
    def mod(
        self, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """What is left of x after dividing by y, with the sign of y."""
    @overload
    def mod(
        self, other: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """What is left of x after dividing by y, with the sign of y."""
    def mod_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `mod`: x's memory takes the result; see `paddle.mod`."""
    def mode(
        self, axis: _int = -1, keepdim: _bool = False, name: str | None = None
    ) -> tuple[Tensor, Tensor]:
        """The most frequent element along `axis`, the smallest of several, and where it stands last."""
    def moveaxis(
        self,
        source: _int | Sequence[_int],
        destination: _int | Sequence[_int],
        name: str | None = None,
    ) -> Tensor:
        """Axes moved to other places, the others in their order."""
    def msort(self, *, out: Tensor | None = None) -> Tensor:
        """The elements in order along the first axis."""
    @overload
    def mul(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """x times y, element by element."""
    @overload
    def mul(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x times y, element by element."""
    @overload
    def mul_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `mul`: x's memory takes the result; see `paddle.mul`."""
    @overload
    def mul_(self, other: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `mul`: x's memory takes the result; see `paddle.mul`."""
    def multi_dot(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The product of several matrices, in the order that costs least."""
    def multinomial(
        self,
        num_samples: _float | Tensor = 1,
        replacement: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Categories drawn in proportion to the weights in the last axis of x; int64."""
    @overload
    def multiply(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x times y, element by element."""
    @overload
    def multiply(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x times y, element by element."""
    @overload
    def multiply_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `multiply`: x's memory takes the result; see `paddle.multiply`."""
    @overload
    def multiply_(self, other: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `multiply`: x's memory takes the result; see `paddle.multiply`."""
    def mv(self, vec: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """A matrix times a vector."""
    @property
    def name(self) -> str:
        """The tensor's name, made when it is first asked for."""
    @name.setter
    def name(self, value: str) -> None: ...
    def nan_to_num(
        self,
        nan: _float = 0.0,
        posinf: _float | None = None,
        neginf: _float | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """x with numbers in place of NaN and the infinities, for which None means the largest float."""
    def nan_to_num_(
        self,
        nan: _float = 0.0,
        posinf: _float | None = None,
        neginf: _float | None = None,
        name: str | None = None,
    ) -> Tensor:
        """In place, `nan_to_num`: x's memory takes the result; see `paddle.nan_to_num`."""
    @overload
    def nanmean(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """The mean over `axis` (all axes if None) of what is not NaN."""
    @overload
    def nanmean(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """The mean over `axis` (all axes if None) of what is not NaN."""
    def nanmedian(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        mode: str = "avg",
        name: str | None = None,
    ) -> Any:
        """The median over `axis` (an int or several; all axes if None) of what is not NaN, in x's dtype; see `paddle.median` for mode."""
    def nanquantile(
        self,
        q: _AnyTensor | _float,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        interpolation: str = "linear",
    ) -> Tensor:
        """The q-quantile over `axis` of what is not NaN; see `paddle.quantile`."""
    def nansum(
        self,
        axis: _int | Sequence[_int] | None = None,
        dtype: _DTypeLike | None = None,
        keepdim: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """The sum over `axis` (all axes if None), NaN counted as 0."""
    def narrow(self, dim: _int, start: _float | Tensor, length: _int) -> Tensor:
        """So many slices along an axis, from `start` on; a view."""
    @property
    def ndim(self) -> _int:
        """The number of axes."""
    def ndimension(self) -> _int:
        """The number of axes."""
    @overload
    def ne(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether x differs from y."""
    @overload
    def ne(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x differs from y."""
    def ne_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `ne`: x's memory takes the result; see `paddle.ne`."""
    def neg(self, name: str | None = None) -> Tensor:
        """Minus x."""
    def neg_(self, name: str | None = None) -> Tensor:
        """In place, `neg`: x's memory takes the result; see `paddle.neg`."""
    def negative(self, name: str | None = None) -> Tensor:
        """Minus x, which may not be bool."""
    def new_empty(
        self,
        size: _Shape,
        *args: Any,
        dtype: _DTypeLike | None = None,
        device: _PlaceLike | None = None,
        requires_grad: _bool = False,
        pin_memory: _bool = False,
    ) -> Tensor:
        """`paddle.empty` in the dtype and on the device of this tensor."""
    def new_full(
        self,
        size: _Shape,
        *args: Any,
        dtype: _DTypeLike | None = None,
        device: _PlaceLike | None = None,
        requires_grad: _bool = False,
        pin_memory: _bool = False,
    ) -> Tensor:
        """`paddle.full` in the dtype and on the device of this tensor."""
    def new_ones(
        self,
        size: _Shape,
        *args: Any,
        dtype: _DTypeLike | None = None,
        device: _PlaceLike | None = None,
        requires_grad: _bool = False,
        pin_memory: _bool = False,
    ) -> Tensor:
        """`paddle.ones` in the dtype and on the device of this tensor."""
    def new_zeros(
        self,
        size: _Shape,
        *args: Any,
        dtype: _DTypeLike | None = None,
        device: _PlaceLike | None = None,
        requires_grad: _bool = False,
        pin_memory: _bool = False,
    ) -> Tensor:
        """`paddle.zeros` in the dtype and on the device of this tensor."""
    def nextafter(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """The next number that the dtype can hold after x, in the direction of y."""
    def nonzero(self, as_tuple: _bool = False, *, out: Tensor | None = None) -> Any:
        """The positions of the elements that are not zero, one row for each; with `as_tuple` one tensor for each axis."""
    @overload
    def norm(
        self,
        p: _float | str | None = None,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        out: Tensor | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Tensor:
        """The p-norm of a vector (`axis` one axis, or None for all), or of a matrix (two axes)."""
    @overload
    def norm(
        self,
        ord: _float | str | None = None,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        out: Tensor | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Tensor:
        """The p-norm of a vector (`axis` one axis, or None for all), or of a matrix (two axes)."""
    def normal_(self, mean: _float = 0.0, std: _float = 1.0, name: str | None = None) -> Tensor:
        """Fill with normally distributed random numbers."""
    @overload
    def not_equal(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x differs from y."""
    @overload
    def not_equal(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Whether x differs from y."""
    def not_equal_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `not_equal`: x's memory takes the result; see `paddle.not_equal`."""
    def numel(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The number of elements, as a 0-D int64 tensor."""
    def numpy(self, blocking: _bool = True) -> np.ndarray[Any, Any]:
        """A NumPy copy of the values; `blocking` changes nothing, for nothing is ever pending."""
    @overload
    def outer(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Each element of x times each element of y, as a matrix."""
    @overload
    def outer(
        self, vec2: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Each element of x times each element of y, as a matrix."""
    @overload
    def permute(self, dims: _int | Sequence[_int]) -> Tensor:
        """The axes in the order `dims`; another name of transpose."""
    @overload
    def permute(self, *dims: _int) -> Tensor:
        """The axes in the order `dims`; another name of transpose."""
    @property
    def persistable(self) -> _bool:
        """Whether the tensor is kept from run to run:"""
    @persistable.setter
    def persistable(self, value: _bool) -> None: ...
    def pin_memory(self, blocking: _bool = True) -> Tensor:
        """Refused: there is no pinned memory here."""
    def pinv(
        self,
        rcond: _float | Tensor = 1e-15,
        hermitian: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The pseudoinverse; singular values below rcond times the largest count as 0."""
    @property
    def place(self) -> Place:
        """The device that holds the values."""
    def polygamma(self, n: _int, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The n-th derivative of digamma."""
    def polygamma_(self, n: _int, name: str | None = None) -> Tensor:
        """In place, `polygamma`: x's memory takes the result; see `paddle.polygamma`."""
    @overload
    def pow(
        self, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x to the power of y, a number or a tensor."""
    @overload
    def pow(
        self, exponent: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x to the power of y, a number or a tensor."""
    def pow_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `pow`: x's memory takes the result; see `paddle.pow`."""
    @overload
    def prod(
        self,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """The product over `axis` (all axes if None)."""
    @overload
    def prod(
        self,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Tensor:
        """The product over `axis` (all axes if None)."""
    def put_along_axis(
        self,
        indices: _AnyTensor,
        values: _AnyTensor | _float,
        axis: _int,
        reduce: str = "assign",
        include_self: _bool = True,
        broadcast: _bool = True,
    ) -> Tensor:
        """arr with values written at positions along an axis, or joined to what is there:"""
    def put_along_axis_(
        self,
        indices: _AnyTensor,
        values: _AnyTensor,
        axis: _int,
        reduce: str = "assign",
        include_self: _bool = True,
        broadcast: _bool = True,
    ) -> Tensor:
        """In place, `put_along_axis`: x's memory takes the result; see `paddle.put_along_axis`."""
    def qr(self, mode: str = "reduced", name: str | None = None) -> tuple[Tensor, Tensor]:
        """x as q @ r: orthonormal columns times an upper triangle; `mode` 'r' gives r alone."""
    @overload
    def quantile(
        self,
        q: _AnyTensor | _float,
        axis: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        interpolation: str = "linear",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The q-quantile over `axis` (all axes if None), NaN if there is one; several q, a list or a Tensor, give a new first axis."""
    @overload
    def quantile(
        self,
        q: _AnyTensor | _float,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        interpolation: str = "linear",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The q-quantile over `axis` (all axes if None), NaN if there is one; several q, a list or a Tensor, give a new first axis."""
    def rad2deg(self, name: str | None = None) -> Tensor:
        """Radians as degrees: x · 180 / π."""
    def random_(self, from_: _int = 0, to: _int | None = None, *, generator: Any = None) -> Tensor:
        """Fill with whole numbers in [from_, to), [0, from_), or all that the dtype holds exactly."""
    def rank(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The number of dimensions, as a 0-D int32 tensor."""
    def ravel(self) -> Tensor:
        """All elements in one axis."""
    def reciprocal(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """One over every element."""
    def reciprocal_(self, name: str | None = None) -> Tensor:
        """In place, `reciprocal`: x's memory takes the result; see `paddle.reciprocal`."""
    def reduce_as(self, target: _AnyTensor, name: str | None = None) -> Tensor:
        """x summed to the shape of target, from which it could have been broadcast."""
    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> TensorHookRemoveHelper:
        """Call `hook(grad)` when this tensor's gradient is complete; a result replaces it."""
    def relu(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Keep positive elements, replace the others by 0."""
    def relu_(self, name: str | None = None) -> Tensor:
        """In place, `relu`: x's memory takes the result; see `paddle.relu`."""
    @overload
    def remainder(
        self, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """What is left of x after dividing by y, with the sign of y."""
    @overload
    def remainder(
        self, other: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """What is left of x after dividing by y, with the sign of y."""
    def remainder_(self, y: _AnyTensor, name: str | None = None) -> Tensor:
        """In place, `remainder`: x's memory takes the result; see `paddle.remainder`."""
    def renorm(self, p: _float, axis: _int, max_norm: _float) -> Tensor:
        """x with each slice along an axis made shorter whose p-norm is above max_norm."""
    def renorm_(self, p: _float, axis: _int, max_norm: _float) -> Tensor:
        """In place, `renorm`: x's memory takes the result; see `paddle.renorm`."""
    @overload
    def repeat_interleave(
        self,
        repeats: _int | Tensor,
        axis: _int | Sequence[_int] | None = None,
        name: str | None = None,
        *,
        output_size: _int | None = None,
    ) -> Tensor:
        """Each element, or each slice along `axis`, `repeats` times; a tensor of numbers says how often for each slice."""
    @overload
    def repeat_interleave(
        self,
        repeats: _int | Tensor,
        dim: _int | Sequence[_int] | None = None,
        name: str | None = None,
        *,
        output_size: _int | None = None,
    ) -> Tensor:
        """Each element, or each slice along `axis`, `repeats` times; a tensor of numbers says how often for each slice."""
    @property
    def requires_grad(self) -> _bool:
        """The opposite of stop_gradient."""
    @requires_grad.setter
    def requires_grad(self, value: _bool) -> None: ...
    def requires_grad_(self, requires_grad: _bool = True) -> Tensor:
        """Itself, with stop_gradient set to the opposite."""
    @overload
    def reshape(self, shape: _Shape, name: str | None = None) -> Tensor:
        """The same elements in another shape; 0 keeps a size, one -1 is worked out."""
    @overload
    def reshape(self, *shape: _int, name: str | None = None) -> Tensor:
        """The same elements in another shape; 0 keeps a size, one -1 is worked out."""
    def reshape_(self, shape: _Shape, name: str | None = None) -> Tensor:
        """In place, `reshape`: x's memory takes the result; see `paddle.reshape`."""
    def retain_grads(self) -> None:
        """Keep the gradient of a tensor that is not a leaf; under `no_grad` do nothing."""
    def reverse(
        self, axis: _int | Sequence[_int], name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x backwards along the axes."""
    @overload
    def roll(
        self,
        shifts: _int | Sequence[_int],
        axis: _int | Sequence[_int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The elements moved on by `shifts`, those that fall off at the end put in front."""
    @overload
    def roll(
        self,
        shifts: _int | Sequence[_int],
        dims: _int | Sequence[_int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The elements moved on by `shifts`, those that fall off at the end put in front."""
    def rot90(
        self, k: _int = 1, axes: _int | Sequence[_int] = ..., name: str | None = None
    ) -> Tensor:
        """x turned by k quarter turns in the plane of two axes, from the first to the second."""
    def round(
        self, decimals: _int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Every element to this many digits after the point, halves to the even digit."""
    def round_(self, decimals: _int = 0, name: str | None = None) -> Tensor:
        """In place, `round`: x's memory takes the result; see `paddle.round`."""
    def rsqrt(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """One over the square root of every element."""
    def rsqrt_(self, name: str | None = None) -> Tensor:
        """In place, `rsqrt`: x's memory takes the result; see `paddle.rsqrt`."""
    def scale(
        self,
        scale: _float | Tensor = 1.0,
        bias: _float = 0.0,
        bias_after_scale: _bool = True,
        act: str | None = None,
        name: str | None = None,
    ) -> Tensor:
        """scale · x + bias, or scale · (x + bias) if bias_after_scale is False; then the op `act`."""
    def scale_(
        self,
        scale: _float | Tensor = 1.0,
        bias: _float = 0.0,
        bias_after_scale: _bool = True,
        act: str | None = None,
        name: str | None = None,
    ) -> Tensor:
        """In place, `scale`: x's memory takes the result; see `paddle.scale`."""
    def scatter(
        self,
        index: _AnyTensor,
        updates: _AnyTensor,
        overwrite: _bool = True,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """x with slices overwritten; without `overwrite`, the named slices are set to 0 first, and then all updates of a slice are added."""
    def scatter_(
        self,
        index: _AnyTensor,
        updates: _AnyTensor,
        overwrite: _bool = True,
        name: str | None = None,
    ) -> Tensor:
        """In place, `scatter`: x's memory takes the result; see `paddle.scatter`."""
    def scatter_add(self, dim: _int, index: _AnyTensor, src: _AnyTensor) -> Tensor:
        """input with the elements of src added at positions along an axis."""
    def scatter_add_(self, dim: _int, index: _AnyTensor, src: _AnyTensor) -> Tensor:
        """In place, `scatter_add`: x's memory takes the result; see `paddle.scatter_add`."""
    def scatter_nd(
        self,
        updates: _AnyTensor,
        shape: _Shape,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Zeros of `shape` with updates added where rows of coordinates say."""
    def scatter_nd_add(
        self,
        index: _AnyTensor,
        updates: _AnyTensor,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """x with updates added where rows of coordinates say."""
    def scatter_reduce(
        self,
        dim: _int,
        index: _AnyTensor,
        src: _AnyTensor,
        reduce: str,
        *,
        include_self: _bool = True,
    ) -> Tensor:
        """input with the elements of src joined at positions along an axis: 'sum', 'prod', 'mean', 'amin' or 'amax'."""
    def select_scatter(
        self, values: _AnyTensor, axis: _int, index: _int, name: str | None = None
    ) -> Tensor:
        """x with the slice number `index` of an axis replaced."""
    def set_value(self, value: Tensor | np.ndarray[Any, Any]) -> None:
        """Overwrite the values from an array or Tensor of the same shape and dtype, also on a leaf."""
    def sgn(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The sign of real elements; complex ones divided by their absolute value, 0 for 0."""
    @property
    def shape(self) -> Size:
        """The sizes of the axes."""
    def short(self) -> Tensor:
        """The same values in int16; the tensor itself if it has this dtype."""
    def sigmoid(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Squash every element into (0, 1)."""
    def sigmoid_(self, name: str | None = None) -> Tensor:
        """In place, `sigmoid`: x's memory takes the result; see `paddle.sigmoid`."""
    def sign(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """-1, 0 or 1: the sign of every element."""
    def signbit(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Whether each element has a minus sign; -0.0 has one."""
    def sin(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The sine of every element, in radians."""
    def sin_(self, name: str | None = None) -> Tensor:
        """In place, `sin`: x's memory takes the result; see `paddle.sin`."""
    def sinc(self, name: str | None = None) -> Tensor:
        """sin(πx) / (πx), which is 1 at 0."""
    def sinc_(self, name: str | None = None) -> Tensor:
        """In place, `sinc`: x's memory takes the result; see `paddle.sinc`."""
    def sinh(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The hyperbolic sine of every element: (eˣ − e⁻ˣ) / 2."""
    def sinh_(self, name: str | None = None) -> Tensor:
        """In place, `sinh`: x's memory takes the result; see `paddle.sinh`."""
    @property
    def size(self) -> _int:
        """The number of elements."""
    def slice(
        self,
        axes: _int | Sequence[_int],
        starts: Sequence[_int | Tensor] | Tensor,
        ends: Sequence[_int | Tensor] | Tensor,
    ) -> Tensor:
        """input[start:end] on each of the axes; a view."""
    def slice_scatter(
        self,
        value: _AnyTensor,
        axes: _int | Sequence[_int],
        starts: Sequence[_int | Tensor] | Tensor,
        ends: Sequence[_int | Tensor] | Tensor,
        strides: Sequence[_int | Tensor] | Tensor,
        name: str | None = None,
    ) -> Tensor:
        """x with the part x[start:end:stride, ...] replaced."""
    def slogdet(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The sign of the determinant and the logarithm of its size, stacked."""
    def softmax(
        self, dim: _int | None = None, dtype: _DTypeLike | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Positive numbers that sum to 1 along `dim`; without it along the first axis of a tensor of 0, 1 or 3 axes, along the second one of others."""
    @overload
    def solve(
        self,
        y: _AnyTensor,
        left: _bool = True,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The z for which x @ z is y, or z @ x if not `left`; y may be a matrix or a vector."""
    @overload
    def solve(
        self,
        B: _AnyTensor,
        left: _bool = True,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The z for which x @ z is y, or z @ x if not `left`; y may be a matrix or a vector."""
    def sort(
        self,
        axis: _int = -1,
        descending: _bool = False,
        stable: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """The elements in order along `axis`, the smallest first unless descending."""
    def split(
        self,
        num_or_sections: _int | Sequence[_int],
        axis: _int = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> list[Tensor]:
        """Cut x into pieces along an axis: a number of equal ones, or a list of sizes."""
    def sqrt(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The square root of every element."""
    def sqrt_(self, name: str | None = None) -> Tensor:
        """In place, `sqrt`: x's memory takes the result; see `paddle.sqrt`."""
    def square(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Every element times itself."""
    def square_(self, name: str | None = None) -> Tensor:
        """In place, `square`: x's memory takes the result; see `paddle.square`."""
    @overload
    def squeeze(
        self,
        axis: _int | Sequence[_int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Drop axes of size 1: all of them, or those named (others named are left)."""
    @overload
    def squeeze(
        self,
        dim: _int | Sequence[_int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Drop axes of size 1: all of them, or those named (others named are left)."""
    def squeeze_(
        self, axis: _int | Sequence[_int] | None = None, name: str | None = None
    ) -> Tensor:
        """In place, `squeeze`: x's memory takes the result; see `paddle.squeeze`."""
    @overload
    def stack(
        self, axis: _int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """Join tensors of one shape along a new axis."""
    @overload
    def stack(self, dim: _int = 0, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Join tensors of one shape along a new axis."""
    def stanh(
        self,
        scale_a: _float = 0.67,
        scale_b: _float = 1.7159,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """A stretched tanh: scale_b · tanh(scale_a · x)."""
    def std(
        self,
        axis: _int | Sequence[_int] | None = None,
        unbiased: _bool = True,
        keepdim: _bool = False,
        name: str | None = None,
    ) -> Tensor:
        """The standard deviation: the square root of the variance."""
    @property
    def stop_gradient(self) -> _bool:
        """Whether backward stops here; True unless a leaf or an input of its op says otherwise."""
    @stop_gradient.setter
    def stop_gradient(self, value: _bool) -> None: ...
    def stride(self, dim: _int | None = None) -> Any:
        """The strides, or that of one axis."""
    def strided_slice(
        self,
        axes: _int | Sequence[_int],
        starts: Sequence[_int | Tensor] | Tensor,
        ends: Sequence[_int | Tensor] | Tensor,
        strides: Sequence[_int | Tensor] | Tensor,
        name: str | None = None,
    ) -> Tensor:
        """x[start:end:stride] on each of the axes; a view."""
    @property
    def strides(self) -> list[_int]:
        """How many elements lie from one to the next along each axis."""
    @overload
    def sub(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        alpha: _float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Tensor:
        """x - y, element by element."""
    @overload
    def sub(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        alpha: _float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Tensor:
        """x - y, element by element."""
    @overload
    def sub_(self, y: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1) -> Tensor:
        """In place, `sub`: x's memory takes the result; see `paddle.sub`."""
    @overload
    def sub_(
        self, other: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
    ) -> Tensor:
        """In place, `sub`: x's memory takes the result; see `paddle.sub`."""
    @overload
    def subtract(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        alpha: _float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Tensor:
        """x - y, element by element."""
    @overload
    def subtract(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        alpha: _float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Tensor:
        """x - y, element by element."""
    @overload
    def subtract_(
        self, y: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
    ) -> Tensor:
        """In place, `subtract`: x's memory takes the result; see `paddle.subtract`."""
    @overload
    def subtract_(
        self, other: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
    ) -> Tensor:
        """In place, `subtract`: x's memory takes the result; see `paddle.subtract`."""
    @overload
    def sum(
        self,
        axis: _int | Sequence[_int] | None = None,
        dtype: _DTypeLike | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The sum over `axis` (all axes if None); int32 and bool give int64."""
    @overload
    def sum(
        self,
        dim: _int | Sequence[_int] | None = None,
        dtype: _DTypeLike | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The sum over `axis` (all axes if None); int32 and bool give int64."""
    @overload
    def swapaxes(self, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
        """x with two axes exchanged; with one list instead, the axes in that order."""
    @overload
    def swapaxes(self, dim0: _int, dim1: _int) -> Tensor:
        """x with two axes exchanged; with one list instead, the axes in that order."""
    @overload
    def swapdims(self, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
        """x with two axes exchanged; with one list instead, the axes in that order."""
    @overload
    def swapdims(self, dim0: _int, dim1: _int) -> Tensor:
        """x with two axes exchanged; with one list instead, the axes in that order."""
    def t(self, name: str | None = None) -> Tensor:
        """The transpose of a matrix; vectors and 0-D tensors as they are."""
    def t_(self, name: str | None = None) -> Tensor:
        """In place, `t`: x's memory takes the result; see `paddle.t`."""
    def take(self, index: _AnyTensor, mode: str = "raise", name: str | None = None) -> Tensor:
        """The elements of x, read as one row, at the positions in index; `mode` says what a position outside does: 'raise', 'wrap' around, or 'clip' to the nearest."""
    @overload
    def take_along_axis(
        self, indices: _AnyTensor, axis: _int, broadcast: _bool = True, *, out: Tensor | None = None
    ) -> Tensor:
        """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""
    @overload
    def take_along_axis(
        self, indices: _AnyTensor, dim: _int, broadcast: _bool = True, *, out: Tensor | None = None
    ) -> Tensor:
        """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""
    @overload
    def take_along_dim(
        self, indices: _AnyTensor, axis: _int, broadcast: _bool = True, *, out: Tensor | None = None
    ) -> Tensor:
        """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""
    @overload
    def take_along_dim(
        self, indices: _AnyTensor, dim: _int, broadcast: _bool = True, *, out: Tensor | None = None
    ) -> Tensor:
        """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""
    def tan(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """The tangent of every element, in radians."""
    def tan_(self, name: str | None = None) -> Tensor:
        """In place, `tan`: x's memory takes the result; see `paddle.tan`."""
    def tanh(self, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
        """Squash every element into (-1, 1)."""
    def tanh_(self, name: str | None = None) -> Tensor:
        """In place, `tanh`: x's memory takes the result; see `paddle.tanh`."""
    @overload
    def tensor_split(
        self,
        num_or_indices: _int | Sequence[_int],
        axis: _int | Sequence[_int] = 0,
        name: str | None = None,
    ) -> list[Tensor]:
        """x cut into this many nearly equal pieces along an axis, or cut at these positions."""
    @overload
    def tensor_split(
        self,
        num_or_indices: _int | Sequence[_int],
        dim: _int | Sequence[_int] = 0,
        name: str | None = None,
    ) -> list[Tensor]:
        """x cut into this many nearly equal pieces along an axis, or cut at these positions."""
    def tensordot(self, y: _AnyTensor, axes: Any = 2, name: str | None = None) -> Tensor:
        """The sum of products over some axes of x and as many of y."""
    @overload
    def tile(self, repeat_times: _Shape, name: str | None = None) -> Tensor:
        """Lay copies of x side by side along each axis."""
    @overload
    def tile(self, dims: _Shape, name: str | None = None) -> Tensor:
        """Lay copies of x side by side along each axis."""
    def to(self, *args: Any, **kwargs: Any) -> Tensor:
        """This tensor on another device, in another dtype, or both; itself if nothing changes."""
    def tolist(self) -> Any:
        """The values as numbers in nested lists; a number for a 0-D tensor."""
    @overload
    def topk(
        self,
        k: _float | Tensor,
        axis: _int | None = None,
        largest: _bool = True,
        sorted: _bool = True,
        name: str | None = None,
        *,
        out: tuple[Any, Any] | None = None,
    ) -> TopKRetType:
        """The k largest (or smallest) elements along `axis`, in order, and their positions."""
    @overload
    def topk(
        self,
        k: _float | Tensor,
        dim: _int | None = None,
        largest: _bool = True,
        sorted: _bool = True,
        name: str | None = None,
        *,
        out: tuple[Any, Any] | None = None,
    ) -> TopKRetType:
        """The k largest (or smallest) elements along `axis`, in order, and their positions."""
    def trace(
        self,
        offset: _int = 0,
        axis1: _int = 0,
        axis2: _int = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """The sum of the diagonal over two axes."""
    @overload
    def transpose(self, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
        """The axes of x in the order `perm`; of two axes one by one, x with these exchanged."""
    @overload
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """The axes of x in the order `perm`; of two axes one by one, x with these exchanged."""
    def transpose_(self, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
        """In place, `transpose`: x's memory takes the result; see `paddle.transpose`."""
    def trapezoid(
        self,
        x: _AnyTensor | None = None,
        dx: _float | Tensor | None = None,
        axis: _int = -1,
        name: str | None = None,
    ) -> Tensor:
        """The area under a curve through the points (x, y), or with steps of dx between them."""
    def tril(
        self, diagonal: _int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x with zeros above a diagonal: the main one, or the k-th above it."""
    def tril_(self, diagonal: _int = 0, name: str | None = None) -> Tensor:
        """In place, `tril`: x's memory takes the result; see `paddle.tril`."""
    def triu(
        self, diagonal: _int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Tensor:
        """x with zeros below a diagonal: the main one, or the k-th above it."""
    def triu_(self, diagonal: _int = 0, name: str | None = None) -> Tensor:
        """In place, `triu`: x's memory takes the result; see `paddle.triu`."""
    def true_divide(self, other: _AnyTensor, *, out: Tensor | None = None) -> Tensor:
        """x / y, as divide."""
    def trunc(self, name: str | None = None) -> Tensor:
        """Every element without its digits after the point."""
    def trunc_(self, name: str | None = None) -> Tensor:
        """In place, `trunc`: x's memory takes the result; see `paddle.trunc`."""
    @property
    def type(self) -> _int:
        """What kind of thing it is: always a dense tensor here."""
    def type_as(self, other: Tensor) -> Tensor:
        """The same values in the dtype of another tensor; itself if it has this one."""
    def uint8(self) -> Tensor:
        """The same values in uint8; the tensor itself if it has this dtype."""
    @overload
    def unbind(
        self, axis: _int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> list[Tensor]:
        """The slices of a tensor along an axis, without that axis; views of its memory."""
    @overload
    def unbind(
        self, dim: _int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> list[Tensor]:
        """The slices of a tensor along an axis, without that axis; views of its memory."""
    @overload
    def unflatten(
        self, axis: _int | Sequence[_int], shape: _Shape, name: str | None = None
    ) -> Tensor:
        """One axis of x as several; one of the sizes may be -1."""
    @overload
    def unflatten(
        self, dim: _int | Sequence[_int], sizes: _Shape, name: str | None = None
    ) -> Tensor:
        """One axis of x as several; one of the sizes may be -1."""
    @overload
    def unfold(self, axis: _int, size: _int, step: _int, name: str | None = None) -> Tensor:
        """All windows of `size` elements along an axis, one each `step`; they are the last axis."""
    @overload
    def unfold(self, dimension: _int, size: _int, step: _int, name: str | None = None) -> Tensor:
        """All windows of `size` elements along an axis, one each `step`; they are the last axis."""
    @overload
    def uniform_(
        self, min: _float = 0, max: _float = 1.0, seed: _int = 0, name: str | None = None
    ) -> Tensor:
        """Fill with random numbers spread evenly over [min, max)."""
    @overload
    def uniform_(
        self, min: _float = 0, to: _float = 1.0, seed: _int = 0, name: str | None = None
    ) -> Tensor:
        """Fill with random numbers spread evenly over [min, max)."""
    def unique(
        self,
        return_index: _bool = False,
        return_inverse: _bool = False,
        return_counts: _bool = False,
        axis: _int | None = None,
        dtype: _DTypeLike = "int64",
        sorted: _bool = True,
        name: str | None = None,
    ) -> Any:
        """The different elements in order (or the different slices along `axis`); on demand also where each stands first, which of them each element is, and how often each occurs."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: _bool = False,
        return_counts: _bool = False,
        axis: _int | None = None,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
    ) -> Any:
        """The first element (or slice along `axis`) of each run of equal ones; on demand also the run of each element, and how long each run is."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: _bool = False,
        return_counts: _bool = False,
        dim: _int | None = None,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
    ) -> Any:
        """The first element (or slice along `axis`) of each run of equal ones; on demand also the run of each element, and how long each run is."""
    @overload
    def unsqueeze(self, axis: _int | Sequence[_int], name: str | None = None) -> Tensor:
        """Insert axes of size 1 at these positions, one after the other."""
    @overload
    def unsqueeze(self, dim: _int | Sequence[_int], name: str | None = None) -> Tensor:
        """Insert axes of size 1 at these positions, one after the other."""
    def unsqueeze_(self, axis: _int | Sequence[_int], name: str | None = None) -> Tensor:
        """In place, `unsqueeze`: x's memory takes the result; see `paddle.unsqueeze`."""
    def unstack(self, axis: _int = 0, num: _int | None = None) -> list[Tensor]:
        """The slices of a tensor along an axis, without that axis."""
    def value(self) -> Tensor:
        """The tensor itself."""
    def vander(
        self, n: _int | None = None, increasing: _bool = False, name: str | None = None
    ) -> Tensor:
        """The powers of a vector's elements as columns: xⁿ⁻¹, ..., x, 1, or the other way round."""
    @overload
    def var(
        self,
        axis: _int | Sequence[_int] | None = None,
        unbiased: _bool | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        correction: _float = 1,
        out: Tensor | None = None,
    ) -> Tensor:
        """The variance over `axis` (all axes if None), divided by n - correction."""
    @overload
    def var(
        self,
        dim: _int | Sequence[_int] | None = None,
        unbiased: _bool | None = None,
        keepdim: _bool = False,
        name: str | None = None,
        *,
        correction: _float = 1,
        out: Tensor | None = None,
    ) -> Tensor:
        """The variance over `axis` (all axes if None), divided by n - correction."""
    @overload
    def view(self, shape_or_dtype: _Shape | _DTypeLike, name: str | None = None) -> Tensor:
        """The same memory in another shape, or its bits read as another dtype; x itself for its own."""
    @overload
    def view(self, size: _Shape | _DTypeLike, name: str | None = None) -> Tensor:
        """The same memory in another shape, or its bits read as another dtype; x itself for its own."""
    @overload
    def view(self, *shape_or_dtype: _int, name: str | None = None) -> Tensor:
        """The same memory in another shape, or its bits read as another dtype; x itself for its own."""
    def view_as(self, other: _AnyTensor, name: str | None = None) -> Tensor:
        """The same memory in the shape of another tensor."""
    def vsplit(
        self, num_or_indices: _int | Sequence[_int], name: str | None = None
    ) -> list[Tensor]:
        """x cut along the first axis."""
    @overload
    def where(
        self,
        x: _AnyTensor | _float | None = None,
        y: _AnyTensor | _float | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Elements of x where the condition holds, of y elsewhere; numbers count as 0-D tensors."""
    @overload
    def where(
        self,
        input: _AnyTensor | _float | None = None,
        other: _AnyTensor | _float | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        """Elements of x where the condition holds, of y elsewhere; numbers count as 0-D tensors."""
    def where_(
        self,
        x: _AnyTensor | None = None,
        y: _AnyTensor | _float | None = None,
        name: str | None = None,
    ) -> Tensor:
        """x, with the elements of y where the condition does not hold."""
    def zero_(self) -> Tensor:
        """Write 0 everywhere; no gradient flows back through it."""

@overload
def abs(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of every element."""

@overload
def abs(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of every element."""

def abs_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `abs`: x's memory takes the result; see `paddle.abs`."""

@overload
def acos(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The angle in [0, π] whose cosine is x; NaN outside of [-1, 1]."""

@overload
def acos(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The angle in [0, π] whose cosine is x; NaN outside of [-1, 1]."""

def acos_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `acos`: x's memory takes the result; see `paddle.acos`."""

@overload
def acosh(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The number of at least 0 whose hyperbolic cosine is x; NaN below 1."""

@overload
def acosh(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The number of at least 0 whose hyperbolic cosine is x; NaN below 1."""

def acosh_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `acosh`: x's memory takes the result; see `paddle.acosh`."""

@overload
def add(
    x: _AnyTensor,
    y: _AnyTensor,
    name: str | None = None,
    *,
    alpha: _float | Tensor = 1,
    out: Tensor | None = None,
) -> Tensor:
    """x + y, element by element."""

@overload
def add(
    input: _AnyTensor,
    other: _AnyTensor,
    name: str | None = None,
    *,
    alpha: _float | Tensor = 1,
    out: Tensor | None = None,
) -> Tensor:
    """x + y, element by element."""

@overload
def add_(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
) -> Tensor:
    """In place, `add`: x's memory takes the result; see `paddle.add`."""

@overload
def add_(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
) -> Tensor:
    """In place, `add`: x's memory takes the result; see `paddle.add`."""

def add_n(inputs: _AnyTensor | Sequence[_AnyTensor], name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape."""

def addmm(
    input: _AnyTensor,
    x: _AnyTensor,
    y: _AnyTensor,
    beta: _float = 1.0,
    alpha: _float = 1.0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """beta times input, which may broadcast, plus alpha times the matrix product of x and y."""

def addmm_(
    input: _AnyTensor,
    x: _AnyTensor,
    y: _AnyTensor,
    beta: _float = 1.0,
    alpha: _float = 1.0,
    name: str | None = None,
) -> Tensor:
    """In place, `addmm`: x's memory takes the result; see `paddle.addmm`."""

@overload
def all(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether every element over `axis` (all axes if None) is true, which means not 0."""

@overload
def all(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether every element over `axis` (all axes if None) is true, which means not 0."""

def allclose(
    x: _AnyTensor,
    y: _AnyTensor,
    rtol: _float | Tensor = 1e-05,
    atol: _float | Tensor = 1e-08,
    equal_nan: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether all elements are close, as a 0-D bool tensor."""

@overload
def amax(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The largest element over `axis` (all axes if None); ties share the gradient."""

@overload
def amax(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The largest element over `axis` (all axes if None); ties share the gradient."""

@overload
def amin(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The smallest element over `axis` (all axes if None); ties share the gradient."""

@overload
def amin(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The smallest element over `axis` (all axes if None); ties share the gradient."""

@overload
def any(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether any element over `axis` (all axes if None) is true, which means not 0."""

@overload
def any(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether any element over `axis` (all axes if None) is true, which means not 0."""

def arange(
    start: _float | Tensor = 0,
    end: _float | Tensor | None = None,
    step: _float | Tensor = 1,
    dtype: _DTypeLike | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    name: str | None = None,
) -> Tensor:
    """The numbers from start (0 if only the end is given) to before end; int64 for ints."""

@overload
def argmax(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The position of the largest element along `axis`; the first one of ties."""

@overload
def argmax(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdims: _bool = False,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The position of the largest element along `axis`; the first one of ties."""

@overload
def argmin(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The position of the smallest element along `axis`; the first one of ties."""

@overload
def argmin(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdims: _bool = False,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The position of the smallest element along `axis`; the first one of ties."""

@overload
def argsort(
    x: _AnyTensor,
    axis: _int = -1,
    descending: _bool = False,
    stable: _bool = False,
    name: str | None = None,
) -> Tensor:
    """The positions of the elements in their order along `axis`; ties keep their order."""

@overload
def argsort(
    input: _AnyTensor,
    dim: _int = -1,
    descending: _bool = False,
    stable: _bool = False,
    name: str | None = None,
) -> Tensor:
    """The positions of the elements in their order along `axis`; ties keep their order."""

def argwhere(input: _AnyTensor) -> Tensor:
    """The positions of the elements that are not zero, one row for each."""

def as_tensor(
    data: _ArrayLike,
    dtype: _DTypeLike | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """`to_tensor` with requires_grad in place of stop_gradient."""

def asarray(
    obj: _ArrayLike,
    *,
    dtype: _DTypeLike | None = None,
    device: _PlaceLike | None = None,
    copy: _bool | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A Tensor with a copy of this data; `copy=False` is refused, for nothing shares memory here."""

@overload
def asin(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The angle in [-π/2, π/2] whose sine is x; NaN outside of [-1, 1]."""

@overload
def asin(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The angle in [-π/2, π/2] whose sine is x; NaN outside of [-1, 1]."""

def asin_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `asin`: x's memory takes the result; see `paddle.asin`."""

def asinh(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic sine is x."""

def asinh_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `asinh`: x's memory takes the result; see `paddle.asinh`."""

def assign(x: _ArrayLike | Variable, output: _AnyTensor | None = None) -> Tensor:
    """A copy of x, a tensor, array, list or number, still connected to the graph; with `output`, that tensor takes the values and the history, in place; in a Program the operator writes it."""

def atan(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The angle in (-π/2, π/2) whose tangent is x."""

def atan2(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The angle of x / y in (-π, π], by the signs of both; integers give float64."""

def atan_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `atan`: x's memory takes the result; see `paddle.atan`."""

@overload
def atanh(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic tangent is x; NaN outside of [-1, 1]."""

@overload
def atanh(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic tangent is x; NaN outside of [-1, 1]."""

def atanh_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `atanh`: x's memory takes the result; see `paddle.atanh`."""

def atleast_1d(*inputs: _AnyTensor, name: str | None = None) -> Tensor:
    """The tensors, those of no axis with one."""

def atleast_2d(*inputs: _AnyTensor, name: str | None = None) -> Tensor:
    """The tensors with at least two axes: vectors become rows."""

def atleast_3d(*inputs: _AnyTensor, name: str | None = None) -> Tensor:
    """The tensors with at least three axes, as dstack puts them together."""

def baddbmm(
    input: _AnyTensor,
    x: _AnyTensor,
    y: _AnyTensor,
    beta: _float = 1.0,
    alpha: _float = 1.0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """beta times input plus alpha times the products of two batches of matrices."""

def baddbmm_(
    input: _AnyTensor,
    x: _AnyTensor,
    y: _AnyTensor,
    beta: _float = 1.0,
    alpha: _float = 1.0,
    name: str | None = None,
) -> Tensor:
    """In place, `baddbmm`: x's memory takes the result; see `paddle.baddbmm`."""

def batch(
    reader: Callable[[], Iterable[Any]], batch_size: _int, drop_last: _bool = False
) -> Callable[[], Iterator[list[Any]]]:
    """A reader of lists of batch_size samples, out of a reader of single ones."""

def bernoulli(x: _AnyTensor, p: _float | None = None, name: str | None = None) -> Tensor:
    """1 with the probability that x gives (or p, for all elements), else 0, element by element."""

def bernoulli_(x: Tensor, p: _float | Tensor = 0.5, name: str | None = None) -> Tensor:
    """Fill with ones of probability p, a number or a tensor, and zeros."""

def bincount(
    x: _AnyTensor,
    weights: _AnyTensor | None = None,
    minlength: _int = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """How often each of the numbers 0, 1, 2, ... occurs, or the sum of its weights."""

def bitwise_and(
    x: _AnyTensor, y: _AnyTensor, out: Tensor | None = None, name: str | None = None
) -> Tensor:
    """The and of the bits of x and y; of bools, of their truth."""

def bitwise_and_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `bitwise_and`: x's memory takes the result; see `paddle.bitwise_and`."""

def bitwise_invert(x: _AnyTensor, out: Tensor | None = None, name: str | None = None) -> Tensor:
    """The opposite of every bit of x; of bools, of their truth."""

def bitwise_invert_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `bitwise_invert`: x's memory takes the result; see `paddle.bitwise_invert`."""

def bitwise_left_shift(
    x: _AnyTensor,
    y: _AnyTensor,
    is_arithmetic: _bool = True,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The bits of x moved y places to the left: x times 2ʸ."""

def bitwise_left_shift_(
    x: _AnyTensor,
    y: _AnyTensor,
    is_arithmetic: _bool = True,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """In place, `bitwise_left_shift`: x's memory takes the result; see `paddle.bitwise_left_shift`."""

def bitwise_not(x: _AnyTensor, out: Tensor | None = None, name: str | None = None) -> Tensor:
    """The opposite of every bit of x; of bools, of their truth."""

def bitwise_not_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `bitwise_not`: x's memory takes the result; see `paddle.bitwise_not`."""

@overload
def bitwise_or(
    x: _AnyTensor, y: _AnyTensor, out: Tensor | None = None, name: str | None = None
) -> Tensor:
    """The or of the bits of x and y; of bools, of their truth."""

@overload
def bitwise_or(
    input: _AnyTensor, other: _AnyTensor, out: Tensor | None = None, name: str | None = None
) -> Tensor:
    """The or of the bits of x and y; of bools, of their truth."""

@overload
def bitwise_or_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `bitwise_or`: x's memory takes the result; see `paddle.bitwise_or`."""

@overload
def bitwise_or_(input: _AnyTensor, other: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `bitwise_or`: x's memory takes the result; see `paddle.bitwise_or`."""

def bitwise_right_shift(
    x: _AnyTensor,
    y: _AnyTensor,
    is_arithmetic: _bool = True,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The bits of x moved y places to the right; the sign stays if is_arithmetic."""

def bitwise_right_shift_(
    x: _AnyTensor,
    y: _AnyTensor,
    is_arithmetic: _bool = True,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """In place, `bitwise_right_shift`: x's memory takes the result; see `paddle.bitwise_right_shift`."""

def bitwise_xor(
    x: _AnyTensor, y: _AnyTensor, out: Tensor | None = None, name: str | None = None
) -> Tensor:
    """The exclusive or of the bits of x and y; of bools, of their truth."""

def bitwise_xor_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `bitwise_xor`: x's memory takes the result; see `paddle.bitwise_xor`."""

def block_diag(inputs: Sequence[_AnyTensor], name: str | None = None) -> Tensor:
    """Matrices along the diagonal of a larger one, zeros elsewhere; a vector counts as a row."""

@overload
def bmm(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The product of each pair of matrices of two batches."""

@overload
def bmm(
    input: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The product of each pair of matrices of two batches."""

bool: DType

def broadcast_shape(x_shape: _Shape, y_shape: _Shape) -> list[_int]:
    """The shape that two shapes broadcast to."""

def broadcast_shapes(*shapes: _Shape) -> list[_int]:
    """The shape that several shapes broadcast to."""

def broadcast_tensors(
    input: Sequence[_AnyTensor], name: str | None = None, *, out: Tensor | None = None
) -> list[Tensor]:
    """Tensors repeated to the shape that broadcasting gives them together."""

@overload
def broadcast_to(x: _AnyTensor, shape: _Shape, name: str | None = None) -> Tensor:
    """x repeated to this shape, by the rules of broadcasting."""

@overload
def broadcast_to(input: _AnyTensor, size: _Shape, name: str | None = None) -> Tensor:
    """x repeated to this shape, by the rules of broadcasting."""

@overload
def bucketize(
    x: _AnyTensor,
    sorted_sequence: _AnyTensor,
    out_int32: _bool = False,
    right: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The number of the bucket between the borders `sorted_sequence` that each element falls in."""

@overload
def bucketize(
    input: _AnyTensor,
    boundaries: _AnyTensor,
    out_int32: _bool = False,
    right: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The number of the bucket between the borders `sorted_sequence` that each element falls in."""

def cartesian_prod(x: Sequence[_AnyTensor], name: str | None = None) -> Tensor:
    """All combinations of an element of each vector, as rows."""

def cast(
    x: _AnyTensor, dtype: _DTypeLike, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The same values in another dtype; the gradient comes back in the old one."""

def cast_(x: _AnyTensor, dtype: _DTypeLike, name: str | None = None) -> Tensor:
    """In place, `cast`: x's memory takes the result; see `paddle.cast`."""

@overload
def cat(
    x: Sequence[_AnyTensor],
    axis: _int | Sequence[_int] = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Join tensors end to end along an axis."""

@overload
def cat(
    tensors: Sequence[_AnyTensor],
    dim: _int | Sequence[_int] = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Join tensors end to end along an axis."""

def cauchy_(x: Tensor, loc: _float = 0, scale: _float = 1, name: str | None = None) -> Tensor:
    """Fill with loc + scale · tan(π (u − 1/2)); as in Paddle 3.3.1, u is normal, not uniform."""

def cdist(
    x: _AnyTensor,
    y: _AnyTensor,
    p: _float | Tensor = 2.0,
    compute_mode: str = ...,
    name: str | None = None,
) -> Tensor:
    """The distances of all pairs of rows, one of x and one of y; compute_mode changes no value."""

cdouble: DType

@overload
def ceil(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The smallest integer not below every element."""

@overload
def ceil(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The smallest integer not below every element."""

def ceil_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `ceil`: x's memory takes the result; see `paddle.ceil`."""

cfloat: DType

def cholesky(
    x: _AnyTensor, upper: _bool = False, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The lower triangle whose product with its transpose is x; or the upper one, transposed."""

@overload
def chunk(
    x: _AnyTensor, chunks: _int, axis: _int | Sequence[_int] = 0, name: str | None = None
) -> list[Tensor]:
    """x cut into this many equal pieces along an axis."""

@overload
def chunk(
    input: _AnyTensor, chunks: _int, dim: _int | Sequence[_int] = 0, name: str | None = None
) -> list[Tensor]:
    """x cut into this many equal pieces along an axis."""

@overload
def clamp(
    x: _AnyTensor,
    min: _float | Tensor | None = None,
    max: _float | Tensor | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Limit every element to [min, max]; None means no limit on that side."""

@overload
def clamp(
    input: _AnyTensor,
    min: _float | Tensor | None = None,
    max: _float | Tensor | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Limit every element to [min, max]; None means no limit on that side."""

def clamp_(
    x: _AnyTensor,
    min: _float | Tensor | None = None,
    max: _float | Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """In place, `clamp`: x's memory takes the result; see `paddle.clamp`."""

@overload
def clip(
    x: _AnyTensor,
    min: _float | Tensor | None = None,
    max: _float | Tensor | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Limit every element to [min, max]; None means no limit on that side."""

@overload
def clip(
    input: _AnyTensor,
    min: _float | Tensor | None = None,
    max: _float | Tensor | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Limit every element to [min, max]; None means no limit on that side."""

def clip_(
    x: _AnyTensor,
    min: _float | Tensor | None = None,
    max: _float | Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """In place, `clip`: x's memory takes the result; see `paddle.clip`."""

def clone(x: _AnyTensor, name: str | None = None) -> Tensor:
    """A copy that is still connected to the graph."""

def column_stack(x: Sequence[_AnyTensor], name: str | None = None) -> Tensor:
    """Tensors side by side, vectors as columns."""

def combinations(
    x: _AnyTensor, r: _int = 2, with_replacement: _bool = False, name: str | None = None
) -> Tensor:
    """All ways to choose r elements of a vector, as rows, in the order of the vector."""

complex128: DType
complex64: DType

@overload
def concat(
    x: Sequence[_AnyTensor],
    axis: _int | Sequence[_int] = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Join tensors end to end along an axis."""

@overload
def concat(
    tensors: Sequence[_AnyTensor],
    dim: _int | Sequence[_int] = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Join tensors end to end along an axis."""

@overload
def concatenate(
    x: Sequence[_AnyTensor],
    axis: _int | Sequence[_int] = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Join tensors end to end along an axis."""

@overload
def concatenate(
    tensors: Sequence[_AnyTensor],
    dim: _int | Sequence[_int] = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Join tensors end to end along an axis."""

def conj(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate of every element; a real number is its own."""

def copysign(x: _AnyTensor, y: _AnyTensor | _float, name: str | None = None) -> Tensor:
    """The size of x with the sign of y, a tensor or a number; also of -0.0."""

def copysign_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `copysign`: x's memory takes the result; see `paddle.copysign`."""

@overload
def cos(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The cosine of every element, in radians."""

@overload
def cos(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The cosine of every element, in radians."""

def cos_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `cos`: x's memory takes the result; see `paddle.cos`."""

@overload
def cosh(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine of every element: (eˣ + e⁻ˣ) / 2."""

@overload
def cosh(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine of every element: (eˣ + e⁻ˣ) / 2."""

def cosh_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `cosh`: x's memory takes the result; see `paddle.cosh`."""

@overload
def count_nonzero(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
) -> Tensor:
    """How many elements over `axis` (all axes if None) are not 0; NaN is not 0."""

@overload
def count_nonzero(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
) -> Tensor:
    """How many elements over `axis` (all axes if None) are not 0; NaN is not 0."""

def create_parameter(
    shape: _Shape,
    dtype: _DTypeLike,
    name: str | None = None,
    attr: Any = None,
    is_bias: _bool = False,
    default_initializer: Initializer | None = None,
) -> Tensor:
    """A trainable parameter: a Parameter, or in static mode one of the main Program."""

def crop(
    x: _AnyTensor,
    shape: _Shape | None = None,
    offsets: Sequence[_int | Tensor] | Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """A block of x: of this shape (-1: up to the end), beginning at `offsets` (0 by default)."""

@overload
def cross(
    x: _AnyTensor,
    y: _AnyTensor,
    axis: _int = 9,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The vector at right angles to two vectors, along the first axis of size 3, or along `axis`."""

@overload
def cross(
    x: _AnyTensor,
    y: _AnyTensor,
    dim: _int = 9,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The vector at right angles to two vectors, along the first axis of size 3, or along `axis`."""

def cummax(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The largest element up to each place along `axis`, and where it stands."""

def cummin(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The smallest element up to each place along `axis`, and where it stands."""

@overload
def cumprod(
    x: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The products of the elements up to each place along `dim` (of all in a row if None)."""

@overload
def cumprod(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The products of the elements up to each place along `dim` (of all in a row if None)."""

def cumprod_(
    x: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """In place, `cumprod`: x's memory takes the result; see `paddle.cumprod`."""

@overload
def cumsum(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The sums of the elements up to each place along `axis` (of all elements in a row if None)."""

@overload
def cumsum(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The sums of the elements up to each place along `axis` (of all elements in a row if None)."""

def cumsum_(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """In place, `cumsum`: x's memory takes the result; see `paddle.cumsum`."""

def cumulative_trapezoid(
    y: _AnyTensor,
    x: _AnyTensor | None = None,
    dx: _float | Tensor | None = None,
    axis: _int = -1,
    name: str | None = None,
) -> Tensor:
    """The area under a curve from its first point to each of the others."""

def deg2rad(x: _AnyTensor, name: str | None = None) -> Tensor:
    """Degrees as radians: x · π / 180."""

def device_guard(device: _PlaceLike) -> Guard:
    """Make new tensors on this device inside the block."""

def diag(
    x: _AnyTensor,
    offset: _int = 0,
    padding_value: _float | Tensor = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The matrix with the vector x on its diagonal, or the diagonal of the matrix x."""

def diag_embed(
    input: _AnyTensor,
    offset: _int = 0,
    dim1: _int = -2,
    dim2: _int = -1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Matrices over two new axes with the last axis of input on a diagonal."""

def diagflat(x: _AnyTensor, offset: _int = 0, name: str | None = None) -> Tensor:
    """The matrix with the elements of x, in one row, on its diagonal."""

@overload
def diagonal(
    x: _AnyTensor,
    offset: _int = 0,
    axis1: _int = 0,
    axis2: _int = 1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The diagonal over two axes, or the one `offset` above it, as the last axis; a view."""

@overload
def diagonal(
    input: _AnyTensor,
    offset: _int = 0,
    dim1: _int = 0,
    axis2: _int = 1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The diagonal over two axes, or the one `offset` above it, as the last axis; a view."""

def diagonal_scatter(
    x: _AnyTensor,
    y: _AnyTensor,
    offset: _int = 0,
    axis1: _int = 0,
    axis2: _int = 1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x with y on a diagonal over two axes."""

@overload
def diff(
    x: _AnyTensor,
    n: _int = 1,
    axis: _int = -1,
    prepend: _AnyTensor | None = None,
    append: _AnyTensor | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The differences of neighbours along an axis, n times; of bools, whether they differ."""

@overload
def diff(
    input: _AnyTensor,
    n: _int = 1,
    dim: _int = -1,
    prepend: _AnyTensor | None = None,
    append: _AnyTensor | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The differences of neighbours along an axis, n times; of bools, whether they differ."""

def digamma(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The derivative of lgamma; NaN at the negative integers, infinite at 0."""

def digamma_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `digamma`: x's memory takes the result; see `paddle.digamma`."""

def disable_static(place: _PlaceLike | None = None) -> None:
    """Let op calls compute at once again, from now on at this place if one is given."""

def dist(
    x: _AnyTensor,
    y: _AnyTensor,
    p: _float = 2.0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The p-norm of x - y over all elements."""

@overload
def div(
    x: _AnyTensor,
    y: _AnyTensor,
    name: str | None = None,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """x / y, element by element; integers give float32."""

@overload
def div(
    input: _AnyTensor,
    other: _AnyTensor,
    name: str | None = None,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """x / y, element by element; integers give float32."""

@overload
def div_(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
) -> Tensor:
    """In place, `div`: x's memory takes the result; see `paddle.div`."""

@overload
def div_(
    input: _AnyTensor,
    other: _AnyTensor,
    name: str | None = None,
    *,
    rounding_mode: str | None = None,
) -> Tensor:
    """In place, `div`: x's memory takes the result; see `paddle.div`."""

@overload
def divide(
    x: _AnyTensor,
    y: _AnyTensor,
    name: str | None = None,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """x / y, element by element; integers give float32."""

@overload
def divide(
    input: _AnyTensor,
    other: _AnyTensor,
    name: str | None = None,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """x / y, element by element; integers give float32."""

@overload
def divide_(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
) -> Tensor:
    """In place, `divide`: x's memory takes the result; see `paddle.divide`."""

@overload
def divide_(
    input: _AnyTensor,
    other: _AnyTensor,
    name: str | None = None,
    *,
    rounding_mode: str | None = None,
) -> Tensor:
    """In place, `divide`: x's memory takes the result; see `paddle.divide`."""

@overload
def dot(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inner product of two vectors, or of each pair of rows of two matrices."""

@overload
def dot(
    input: _AnyTensor, tensor: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inner product of two vectors, or of each pair of rows of two matrices."""

double: DType

def dsplit(
    x: _AnyTensor, num_or_indices: _int | Sequence[_int], name: str | None = None
) -> list[Tensor]:
    """x cut along the third axis."""

def dstack(x: Sequence[_AnyTensor], name: str | None = None) -> Tensor:
    """Tensors one behind the other: along the third axis."""

dtype = DType
e: _float

def eigvalsh(
    x: _AnyTensor, UPLO: str = "L", name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The eigenvalues of symmetric matrices, smallest first."""

def einsum(equation: str, *operands: _AnyTensor) -> Tensor:
    """The sum of products that the equation names by letters for axes."""

@overload
def empty(
    shape: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape whose values nobody should rely on (here they are 0)."""

@overload
def empty(
    size: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape whose values nobody should rely on (here they are 0)."""

@overload
def empty(
    *shape: _int,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape whose values nobody should rely on (here they are 0)."""

@overload
def empty_like(
    x: _AnyTensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor with x's shape and dtype whose values nobody should rely on (here they are 0)."""

@overload
def empty_like(
    input: _AnyTensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor with x's shape and dtype whose values nobody should rely on (here they are 0)."""

def enable_static() -> None:
    """Let op calls build a Program from now on instead of computing; see `static.Executor`."""

@overload
def eq(
    x: _AnyTensor, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x equals y, element by element."""

@overload
def eq(
    input: _AnyTensor,
    other: _AnyTensor | _float,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether x equals y, element by element."""

def eq_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `eq`: x's memory takes the result; see `paddle.eq`."""

@overload
def equal(
    x: _AnyTensor, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x equals y, element by element."""

@overload
def equal(
    input: _AnyTensor,
    other: _AnyTensor | _float,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether x equals y, element by element."""

def equal_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `equal`: x's memory takes the result; see `paddle.equal`."""

def equal_all(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether shape and all elements are equal, as a 0-D bool tensor."""

def erf(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The error function: the share of a normal distribution within x · √2 of its mean."""

def erf_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `erf`: x's memory takes the result; see `paddle.erf`."""

def erfinv(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The number whose erf is x; infinite where x is 1 or more, or -1 or less."""

def erfinv_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `erfinv`: x's memory takes the result; see `paddle.erfinv`."""

@overload
def exp(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """e to the power of every element."""

@overload
def exp(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """e to the power of every element."""

def exp_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `exp`: x's memory takes the result; see `paddle.exp`."""

@overload
def expand(x: _AnyTensor, shape: _Shape, name: str | None = None) -> Tensor:
    """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size."""

@overload
def expand(input: _AnyTensor, size: _Shape, name: str | None = None) -> Tensor:
    """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size."""

@overload
def expand(x: _AnyTensor, *shape: _int, name: str | None = None) -> Tensor:
    """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size."""

@overload
def expand_as(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x repeated to the shape of y."""

@overload
def expand_as(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x repeated to the shape of y."""

@overload
def expm1(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """e to the power of every element, minus 1, exact also where x is tiny."""

@overload
def expm1(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """e to the power of every element, minus 1, exact also where x is tiny."""

def expm1_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `expm1`: x's memory takes the result; see `paddle.expm1`."""

@overload
def eye(
    num_rows: _float | Tensor,
    num_columns: _float | Tensor | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """The identity matrix, or a matrix with ones on its diagonal."""

@overload
def eye(
    n: _float | Tensor,
    m: _float | Tensor | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """The identity matrix, or a matrix with ones on its diagonal."""

@overload
def flatten(
    x: _AnyTensor,
    start_axis: _int = 0,
    stop_axis: _int = -1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Make one axis of those from start_axis to stop_axis."""

@overload
def flatten(
    input: _AnyTensor,
    start_dim: _int = 0,
    end_dim: _int = -1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Make one axis of those from start_axis to stop_axis."""

def flatten_(
    x: _AnyTensor, start_axis: _int = 0, stop_axis: _int = -1, name: str | None = None
) -> Tensor:
    """In place, `flatten`: x's memory takes the result; see `paddle.flatten`."""

def flip(
    x: _AnyTensor,
    axis: _int | Sequence[_int],
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x backwards along the axes."""

float: DType
float16: DType
float32: DType
float64: DType

@overload
def floor(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The largest integer not above every element."""

@overload
def floor(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The largest integer not above every element."""

def floor_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `floor`: x's memory takes the result; see `paddle.floor`."""

@overload
def floor_divide(
    x: _AnyTensor, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The floor of x / y, element by element."""

@overload
def floor_divide(
    input: _AnyTensor,
    other: _AnyTensor | _float,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The floor of x / y, element by element."""

def floor_divide_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `floor_divide`: x's memory takes the result; see `paddle.floor_divide`."""

@overload
def floor_mod(
    x: _AnyTensor, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """What is left of x after dividing by y, with the sign of y."""

@overload
def floor_mod(
    input: _AnyTensor,
    other: _AnyTensor | _float,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """What is left of x after dividing by y, with the sign of y."""

def floor_mod_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `floor_mod`: x's memory takes the result; see `paddle.floor_mod`."""

def flops(
    net: Any,
    input_size: Any,
    custom_ops: dict[type, Callable[..., Any]] | None = None,
    print_detail: _bool = False,
) -> _int:
    """Count the operations of one run of a network, print how many they are, and return that."""

def fmax(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The larger of x and y; the other one where one is NaN."""

def fmin(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The smaller of x and y; the other one where one is NaN."""

@overload
def frac(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The digits after the point of every element, with its sign."""

@overload
def frac(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The digits after the point of every element, with its sign."""

def frac_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `frac`: x's memory takes the result; see `paddle.frac`."""

def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """A Tensor with a copy of a NumPy array."""

@overload
def full(
    shape: _Shape,
    fill_value: _float | Tensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape with one value everywhere; float32 unless dtype says otherwise."""

@overload
def full(
    size: _Shape,
    fill_value: _float | Tensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape with one value everywhere; float32 unless dtype says otherwise."""

@overload
def full_like(
    x: _AnyTensor,
    fill_value: _float | Tensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor with x's shape (and dtype) and one value everywhere."""

@overload
def full_like(
    input: _AnyTensor,
    fill_value: _float | Tensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor with x's shape (and dtype) and one value everywhere."""

def gammaln(x: _AnyTensor, name: str | None = None) -> Tensor:
    """The same as lgamma, for floats alone."""

def gammaln_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `gammaln`: x's memory takes the result; see `paddle.gammaln`."""

def gather(
    x: _AnyTensor,
    index: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The slices of x along `axis` that `index` names, in its order."""

def gather_nd(
    x: _AnyTensor, index: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """What each row of coordinates names in x: an element, or a slice if they are few."""

@overload
def gcd(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The greatest common divisor, never negative."""

@overload
def gcd(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The greatest common divisor, never negative."""

@overload
def gcd_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `gcd`: x's memory takes the result; see `paddle.gcd`."""

@overload
def gcd_(input: _AnyTensor, other: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `gcd`: x's memory takes the result; see `paddle.gcd`."""

@overload
def ge(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is at least y."""

@overload
def ge(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is at least y."""

def ge_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `ge`: x's memory takes the result; see `paddle.ge`."""

def geometric_(x: Tensor, probs: _float | Tensor, name: str | None = None) -> Tensor:
    """Fill with log(u) / log(1 − probs), u uniform: how long to wait for a success."""

def get_cudnn_version() -> None:
    """None: cuDNN is not used."""

def get_default_device() -> str:
    """The same as `get_device`."""

def get_default_dtype() -> str:
    """The name of the type that Python floats become."""

def get_device(input: _AnyTensor | None = None) -> str | _int:
    """The device on which new tensors are made; for a Tensor the number of its own, -1: the host."""

def get_flags(flags: str | Sequence[str]) -> dict[str, _bool | str | _float]:
    """Say how a flag stands, or several: a dict of their values."""

def get_rng_state(device: str | None = None) -> list[GeneratorState]:
    """The state of the global generator, as Paddle's list of one; it serves all devices."""

def grad(
    outputs: _AnyTensor | Sequence[_AnyTensor],
    inputs: _AnyTensor | Sequence[_AnyTensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: _bool | None = None,
    create_graph: _bool = False,
    only_inputs: _bool = True,
    allow_unused: _bool = False,
    no_grad_vars: _AnyTensor | Sequence[_AnyTensor] | None = None,
    *,
    dump_backward_graph_path: str | None = None,
) -> list[Tensor]:
    """The gradients of the outputs' sum with respect to the inputs, without touching `.grad`."""

@overload
def greater(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is greater than y."""

@overload
def greater(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is greater than y."""

def greater_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `greater`: x's memory takes the result; see `paddle.greater`."""

@overload
def greater_equal(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is at least y."""

@overload
def greater_equal(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is at least y."""

def greater_equal_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `greater_equal`: x's memory takes the result; see `paddle.greater_equal`."""

@overload
def greater_than(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is greater than y."""

@overload
def greater_than(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is greater than y."""

def greater_than_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `greater_than`: x's memory takes the result; see `paddle.greater_than`."""

@overload
def gt(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is greater than y."""

@overload
def gt(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is greater than y."""

def gt_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `gt`: x's memory takes the result; see `paddle.gt`."""

half: DType

def heaviside(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The step function: 0 for negative x, 1 for positive x, y where x is 0."""

def histogram(
    input: _AnyTensor,
    bins: _int = 100,
    min: _float = 0.0,
    max: _float = 0.0,
    weight: _AnyTensor | None = None,
    density: _bool = False,
    name: str | None = None,
) -> Tensor:
    """How many elements lie in each of `bins` equal bins from min to max (the range of the elements if both are 0); with weights, the sums of them; with density, over all bins 1."""

def histogram_bin_edges(
    input: _AnyTensor,
    bins: _int = 100,
    min: _float = 0.0,
    max: _float = 0.0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The borders of the bins that `histogram` counts in."""

def hsplit(
    x: _AnyTensor, num_or_indices: _int | Sequence[_int], name: str | None = None
) -> list[Tensor]:
    """x cut along the second axis, a vector along its only one."""

def hstack(x: Sequence[_AnyTensor], name: str | None = None) -> Tensor:
    """Tensors side by side: along the second axis, vectors end to end."""

def hypot(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """The length √(x² + y²) of the longest side of a right triangle."""

def hypot_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `hypot`: x's memory takes the result; see `paddle.hypot`."""

def in_dynamic_mode() -> _bool:
    """Whether op calls compute at once here, which is the default."""

def increment(x: _AnyTensor, value: _float = 1.0, name: str | None = None) -> Tensor:
    """Add a number to a tensor of one element, in place; gradients pass as through a sum."""

@overload
def index_add(
    x: _AnyTensor,
    index: _AnyTensor,
    axis: _int,
    value: _AnyTensor,
    alpha: _float = 1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x with alpha · value added to slices along an axis, as often as a position is named."""

@overload
def index_add(
    input: _AnyTensor,
    index: _AnyTensor,
    dim: _int,
    source: _AnyTensor,
    alpha: _float = 1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x with alpha · value added to slices along an axis, as often as a position is named."""

@overload
def index_add_(
    x: _AnyTensor,
    index: _AnyTensor,
    axis: _int,
    value: _AnyTensor,
    alpha: _float = 1,
    name: str | None = None,
) -> Tensor:
    """In place, `index_add`: x's memory takes the result; see `paddle.index_add`."""

@overload
def index_add_(
    input: _AnyTensor,
    index: _AnyTensor,
    dim: _int,
    source: _AnyTensor,
    alpha: _float = 1,
    name: str | None = None,
) -> Tensor:
    """In place, `index_add`: x's memory takes the result; see `paddle.index_add`."""

def index_fill(
    x: _AnyTensor,
    index: _AnyTensor,
    axis: _int,
    value: _AnyTensor | _float,
    name: str | None = None,
) -> Tensor:
    """x with one value in the slices that index names along an axis."""

def index_fill_(
    x: _AnyTensor, index: _AnyTensor, axis: _int, value: _AnyTensor, name: str | None = None
) -> Tensor:
    """In place, `index_fill`: x's memory takes the result; see `paddle.index_fill`."""

@overload
def index_put(
    x: _AnyTensor,
    indices: Sequence[_AnyTensor],
    value: _AnyTensor,
    accumulate: _bool = False,
    name: str | None = None,
) -> Tensor:
    """x with `value` written, or added, where one tensor of positions for each axis says."""

@overload
def index_put(
    input: _AnyTensor,
    indices: Sequence[_AnyTensor],
    value: _AnyTensor,
    accumulate: _bool = False,
    name: str | None = None,
) -> Tensor:
    """x with `value` written, or added, where one tensor of positions for each axis says."""

@overload
def index_put_(
    x: _AnyTensor,
    indices: _AnyTensor,
    value: _AnyTensor,
    accumulate: _bool = False,
    name: str | None = None,
) -> Tensor:
    """In place, `index_put`: x's memory takes the result; see `paddle.index_put`."""

@overload
def index_put_(
    input: _AnyTensor,
    indices: _AnyTensor,
    value: _AnyTensor,
    accumulate: _bool = False,
    name: str | None = None,
) -> Tensor:
    """In place, `index_put`: x's memory takes the result; see `paddle.index_put`."""

def index_sample(
    x: _AnyTensor, index: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """For each row, the elements of that row of x at the positions in the row of index."""

@overload
def index_select(
    x: _AnyTensor,
    index: _AnyTensor,
    axis: _int | Sequence[_int] = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The slices of x along `axis` that a vector of positions names."""

@overload
def index_select(
    input: _AnyTensor,
    index: _AnyTensor,
    dim: _int | Sequence[_int] = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The slices of x along `axis` that a vector of positions names."""

inf: _float

def inner(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """The sum of products over the last axes of x and y; the plain product if one has one element."""

int: DType
int16: DType
int32: DType
int64: DType
int8: DType

def inverse(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The matrix that gives the identity when it is multiplied by x."""

def is_compiled_with_cinn() -> _bool:
    """False: there is no compiler."""

def is_compiled_with_cuda() -> _bool:
    """Whether a CUDA device can be used here."""

def is_compiled_with_custom_device(device_type: str) -> _bool:
    """False:"""

def is_compiled_with_distribute() -> _bool:
    """True: see `paddle.distributed`."""

def is_compiled_with_ipu() -> _bool:
    """False:"""

def is_compiled_with_rocm() -> _bool:
    """False:"""

def is_compiled_with_xpu() -> _bool:
    """False:"""

@overload
def is_complex(x: _AnyTensor) -> _bool:
    """Whether the dtype is a complex one."""

@overload
def is_complex(input: _AnyTensor) -> _bool:
    """Whether the dtype is a complex one."""

def is_empty(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether x has no elements, as a 0-D bool tensor."""

@overload
def is_floating_point(x: _AnyTensor) -> _bool:
    """Whether the dtype is a floating-point one."""

@overload
def is_floating_point(input: _AnyTensor) -> _bool:
    """Whether the dtype is a floating-point one."""

def is_grad_enabled() -> _bool:
    """Whether ops are recorded here."""

def is_integer(x: _AnyTensor) -> _bool:
    """Whether the dtype is an integer one."""

@overload
def is_tensor(x: Any) -> _bool:
    """Whether x is a Tensor, or a Variable of a Program."""

@overload
def is_tensor(obj: Any) -> _bool:
    """Whether x is a Tensor, or a Variable of a Program."""

@overload
def isclose(
    x: _AnyTensor,
    y: _AnyTensor,
    rtol: _float | Tensor = 1e-05,
    atol: _float | Tensor = 1e-08,
    equal_nan: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether |x - y| <= atol + rtol · |y|, element by element."""

@overload
def isclose(
    input: _AnyTensor,
    other: _AnyTensor,
    rtol: _float | Tensor = 1e-05,
    atol: _float | Tensor = 1e-08,
    equal_nan: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether |x - y| <= atol + rtol · |y|, element by element."""

@overload
def isfinite(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is neither NaN nor infinite."""

@overload
def isfinite(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is neither NaN nor infinite."""

@overload
def isin(
    x: _AnyTensor,
    test_x: _AnyTensor,
    assume_unique: _bool = False,
    invert: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether each element of x is among those of test_x; with `invert`, whether it is not."""

@overload
def isin(
    elements: _AnyTensor,
    test_elements: _AnyTensor,
    assume_unique: _bool = False,
    invert: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether each element of x is among those of test_x; with `invert`, whether it is not."""

@overload
def isinf(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is infinite."""

@overload
def isinf(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is infinite."""

@overload
def isnan(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is NaN."""

@overload
def isnan(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is NaN."""

def isneginf(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is minus infinity."""

def isposinf(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is plus infinity."""

def isreal(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is a real number, which all but complex ones are."""

def kron(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The Kronecker product: y times each element of x, in blocks."""

def kthvalue(
    x: _AnyTensor,
    k: _int,
    axis: _int | None = None,
    keepdim: _bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The k-th smallest element along `axis` (the last one if None), and its position."""

@overload
def lcm(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The least common multiple, never negative."""

@overload
def lcm(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The least common multiple, never negative."""

@overload
def lcm_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `lcm`: x's memory takes the result; see `paddle.lcm`."""

@overload
def lcm_(input: _AnyTensor, other: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `lcm`: x's memory takes the result; see `paddle.lcm`."""

def ldexp(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """x times 2ʸ, in float32, or in float64 if one of them is."""

def ldexp_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `ldexp`: x's memory takes the result; see `paddle.ldexp`."""

@overload
def le(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is at most y."""

@overload
def le(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is at most y."""

def le_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `le`: x's memory takes the result; see `paddle.le`."""

def lerp(
    x: _AnyTensor, y: _AnyTensor, weight: _AnyTensor | _float, name: str | None = None
) -> Tensor:
    """The point between x and y at `weight`, a number or a tensor: 0 gives x, 1 gives y."""

def lerp_(x: _AnyTensor, y: _AnyTensor, weight: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `lerp`: x's memory takes the result; see `paddle.lerp`."""

@overload
def less(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is less than y."""

@overload
def less(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is less than y."""

def less_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `less`: x's memory takes the result; see `paddle.less`."""

@overload
def less_equal(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is at most y."""

@overload
def less_equal(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is at most y."""

def less_equal_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `less_equal`: x's memory takes the result; see `paddle.less_equal`."""

@overload
def less_than(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is less than y."""

@overload
def less_than(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is less than y."""

def less_than_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `less_than`: x's memory takes the result; see `paddle.less_than`."""

def lgamma(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of the absolute value of the gamma function."""

def lgamma_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `lgamma`: x's memory takes the result; see `paddle.lgamma`."""

@overload
def linspace(
    start: _float | Tensor,
    stop: _float | Tensor,
    num: _float | Tensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """`num` numbers from start to stop, both included, equally far apart."""

@overload
def linspace(
    start: _float | Tensor,
    end: _float | Tensor,
    steps: _float | Tensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """`num` numbers from start to stop, both included, equally far apart."""

def load(path: str | PathLike[str] | IO[bytes], **configs: Any) -> Any:
    """Read what `paddle.save` wrote, here or in real Paddle; nothing in the file is run."""

@overload
def log(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of every element."""

@overload
def log(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of every element."""

@overload
def log10(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10 of every element."""

@overload
def log10(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10 of every element."""

def log10_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `log10`: x's memory takes the result; see `paddle.log10`."""

@overload
def log1p(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of 1 + x for every element, exact also where x is tiny."""

@overload
def log1p(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of 1 + x for every element, exact also where x is tiny."""

def log1p_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `log1p`: x's memory takes the result; see `paddle.log1p`."""

@overload
def log2(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2 of every element."""

@overload
def log2(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2 of every element."""

def log2_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `log2`: x's memory takes the result; see `paddle.log2`."""

def log_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `log`: x's memory takes the result; see `paddle.log`."""

def log_normal(
    mean: _float | Tensor = 1.0,
    std: _float | Tensor = 2.0,
    shape: _Shape | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers whose logarithms are normal with this mean and standard deviation."""

def log_normal_(
    x: Tensor, mean: _float = 1.0, std: _float = 2.0, name: str | None = None
) -> Tensor:
    """Fill with numbers whose logarithms are normal with this mean and standard deviation."""

def logaddexp(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """ln(eˣ + eʸ), without overflow: the larger one plus ln(1 + e to the minus difference)."""

def logcumsumexp(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The logarithm of the sum of exponentials up to each place along `axis`."""

@overload
def logical_and(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x and y are both true."""

@overload
def logical_and(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x and y are both true."""

def logical_and_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `logical_and`: x's memory takes the result; see `paddle.logical_and`."""

@overload
def logical_not(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The opposite of every element's truth."""

@overload
def logical_not(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The opposite of every element's truth."""

def logical_not_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `logical_not`: x's memory takes the result; see `paddle.logical_not`."""

@overload
def logical_or(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x or y is true."""

@overload
def logical_or(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x or y is true."""

def logical_or_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `logical_or`: x's memory takes the result; see `paddle.logical_or`."""

@overload
def logical_xor(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether one of x and y is true."""

@overload
def logical_xor(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether one of x and y is true."""

def logical_xor_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `logical_xor`: x's memory takes the result; see `paddle.logical_xor`."""

def logit(
    x: _AnyTensor, eps: _float | None = None, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of sigmoid; x is limited to [eps, 1 - eps] first, if eps is given."""

def logit_(x: _AnyTensor, eps: _float | None = None, name: str | None = None) -> Tensor:
    """In place, `logit`: x's memory takes the result; see `paddle.logit`."""

def logspace(
    start: _float | Tensor,
    stop: _float | Tensor,
    num: _float | Tensor,
    base: _float | Tensor = 10.0,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`num` powers of base, from base**start to base**stop, in equal ratios."""

@overload
def logsumexp(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The logarithm of the sum of exponentials over `axis`, without overflow."""

@overload
def logsumexp(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The logarithm of the sum of exponentials over `axis`, without overflow."""

long: DType

@overload
def lt(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is less than y."""

@overload
def lt(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x is less than y."""

def lt_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `lt`: x's memory takes the result; see `paddle.lt`."""

def manual_seed(seed: _int) -> Generator:
    """Seed the global generator with int(seed), 0 <= int(seed) < 2**64, and return it."""

def masked_fill(
    x: _AnyTensor, mask: _AnyTensor, value: _AnyTensor | _float, name: str | None = None
) -> Tensor:
    """x with one value, a number or a tensor of one element, where the mask holds."""

def masked_fill_(
    x: _AnyTensor, mask: _AnyTensor, value: _AnyTensor, name: str | None = None
) -> Tensor:
    """In place, `masked_fill`: x's memory takes the result; see `paddle.masked_fill`."""

def masked_scatter(
    x: _AnyTensor, mask: _AnyTensor, value: _AnyTensor, name: str | None = None
) -> Tensor:
    """x with the elements of value, in their order, where the mask holds."""

def masked_scatter_(
    x: _AnyTensor, mask: _AnyTensor, value: _AnyTensor, name: str | None = None
) -> Tensor:
    """In place, `masked_scatter`: x's memory takes the result; see `paddle.masked_scatter`."""

@overload
def masked_select(
    x: _AnyTensor, mask: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The elements of x where the mask holds, in one row; x and mask broadcast."""

@overload
def masked_select(
    input: _AnyTensor, mask: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The elements of x where the mask holds, in one row; x and mask broadcast."""

@overload
def matmul(
    x: _AnyTensor,
    y: _AnyTensor,
    transpose_x: _bool = False,
    transpose_y: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x and a column of y."""

@overload
def matmul(
    input: _AnyTensor,
    other: _AnyTensor,
    transpose_x: _bool = False,
    transpose_y: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x and a column of y."""

def matrix_transpose(x: _AnyTensor, name: str | None = None) -> Tensor:
    """The last two axes exchanged."""

def max(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The largest element over `axis` (all axes if None); ties share the gradient."""

@overload
def maximum(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The larger of x and y, element by element; equal elements share the gradient."""

@overload
def maximum(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The larger of x and y, element by element; equal elements share the gradient."""

@overload
def mean(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The arithmetic mean over `axis` (all axes if None); of integers, without its fraction."""

@overload
def mean(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The arithmetic mean over `axis` (all axes if None); of integers, without its fraction."""

@overload
def median(
    x: _AnyTensor,
    axis: _int | None = None,
    keepdim: _bool = False,
    mode: str = "avg",
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Any:
    """The median over `axis` (all elements if None), NaN if there is one; of an even number the mean of the two middle elements, or with mode "min" the lower one, with its position if there is an axis."""

@overload
def median(
    input: _AnyTensor,
    dim: _int | None = None,
    keepdim: _bool = False,
    mode: str = "avg",
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Any:
    """The median over `axis` (all elements if None), NaN if there is one; of an even number the mean of the two middle elements, or with mode "min" the lower one, with its position if there is an axis."""

def meshgrid(*args: _AnyTensor | Sequence[_AnyTensor], **kwargs: Any) -> list[Tensor]:
    """Coordinates of a grid: one tensor per vector, each with one axis for every vector."""

def min(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The smallest element over `axis` (all axes if None); ties share the gradient."""

@overload
def minimum(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The smaller of x and y, element by element; equal elements share the gradient."""

@overload
def minimum(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The smaller of x and y, element by element; equal elements share the gradient."""

def mm(input: _AnyTensor, mat2: _AnyTensor, name: str | None = None) -> Tensor:
    """The matrix product, as matmul."""

@overload
def mod(
    x: _AnyTensor, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """What is left of x after dividing by y, with the sign of y."""

@overload
def mod(
    input: _AnyTensor,
    other: _AnyTensor | _float,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """What is left of x after dividing by y, with the sign of y."""

def mod_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `mod`: x's memory takes the result; see `paddle.mod`."""

def mode(
    x: _AnyTensor, axis: _int = -1, keepdim: _bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The most frequent element along `axis`, the smallest of several, and where it stands last."""

def moveaxis(
    x: _AnyTensor,
    source: _int | Sequence[_int],
    destination: _int | Sequence[_int],
    name: str | None = None,
) -> Tensor:
    """Axes moved to other places, the others in their order."""

def msort(input: _AnyTensor, *, out: Tensor | None = None) -> Tensor:
    """The elements in order along the first axis."""

@overload
def mul(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x times y, element by element."""

@overload
def mul(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x times y, element by element."""

@overload
def mul_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `mul`: x's memory takes the result; see `paddle.mul`."""

@overload
def mul_(input: _AnyTensor, other: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `mul`: x's memory takes the result; see `paddle.mul`."""

@overload
def multinomial(
    x: _AnyTensor,
    num_samples: _float | Tensor = 1,
    replacement: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Categories drawn in proportion to the weights in the last axis of x; int64."""

@overload
def multinomial(
    input: _AnyTensor,
    num_samples: _float | Tensor = 1,
    replacement: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Categories drawn in proportion to the weights in the last axis of x; int64."""

@overload
def multiply(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x times y, element by element."""

@overload
def multiply(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x times y, element by element."""

@overload
def multiply_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `multiply`: x's memory takes the result; see `paddle.multiply`."""

@overload
def multiply_(input: _AnyTensor, other: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `multiply`: x's memory takes the result; see `paddle.multiply`."""

def mv(
    x: _AnyTensor, vec: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """A matrix times a vector."""

nan: _float

def nan_to_num(
    x: _AnyTensor,
    nan: _float = 0.0,
    posinf: _float | None = None,
    neginf: _float | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x with numbers in place of NaN and the infinities, for which None means the largest float."""

def nan_to_num_(
    x: _AnyTensor,
    nan: _float = 0.0,
    posinf: _float | None = None,
    neginf: _float | None = None,
    name: str | None = None,
) -> Tensor:
    """In place, `nan_to_num`: x's memory takes the result; see `paddle.nan_to_num`."""

@overload
def nanmean(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
) -> Tensor:
    """The mean over `axis` (all axes if None) of what is not NaN."""

@overload
def nanmean(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    name: str | None = None,
) -> Tensor:
    """The mean over `axis` (all axes if None) of what is not NaN."""

def nanmedian(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    mode: str = "avg",
    name: str | None = None,
) -> Any:
    """The median over `axis` (an int or several; all axes if None) of what is not NaN, in x's dtype; see `paddle.median` for mode."""

def nanquantile(
    x: _AnyTensor,
    q: _AnyTensor | _float,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    interpolation: str = "linear",
) -> Tensor:
    """The q-quantile over `axis` of what is not NaN; see `paddle.quantile`."""

def nansum(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    dtype: _DTypeLike | None = None,
    keepdim: _bool = False,
    name: str | None = None,
) -> Tensor:
    """The sum over `axis` (all axes if None), NaN counted as 0."""

def narrow(input: _AnyTensor, dim: _int, start: _float | Tensor, length: _int) -> Tensor:
    """So many slices along an axis, from `start` on; a view."""

@overload
def ne(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x differs from y."""

@overload
def ne(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x differs from y."""

def ne_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `ne`: x's memory takes the result; see `paddle.ne`."""

def neg(x: _AnyTensor, name: str | None = None) -> Tensor:
    """Minus x."""

def neg_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `neg`: x's memory takes the result; see `paddle.neg`."""

def negative(x: _AnyTensor, name: str | None = None) -> Tensor:
    """Minus x, which may not be bool."""

newaxis: None

def nextafter(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The next number that the dtype can hold after x, in the direction of y."""

@overload
def nonzero(x: _AnyTensor, as_tuple: _bool = False, *, out: Tensor | None = None) -> Any:
    """The positions of the elements that are not zero, one row for each; with `as_tuple` one tensor for each axis."""

@overload
def nonzero(input: _AnyTensor, as_tuple: _bool = False, *, out: Tensor | None = None) -> Any:
    """The positions of the elements that are not zero, one row for each; with `as_tuple` one tensor for each axis."""

@overload
def norm(
    x: _AnyTensor,
    p: _float | str | None = None,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The p-norm of a vector (`axis` one axis, or None for all), or of a matrix (two axes)."""

@overload
def norm(
    input: _AnyTensor,
    ord: _float | str | None = None,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The p-norm of a vector (`axis` one axis, or None for all), or of a matrix (two axes)."""

@overload
def normal(
    mean: _float | Tensor = 0.0,
    std: _float | Tensor = 1.0,
    shape: _Shape | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Normal random numbers; mean and std are numbers, or tensors of one shape."""

@overload
def normal(
    mean: _float | Tensor = 0.0,
    std: _float | Tensor = 1.0,
    size: _Shape | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Normal random numbers; mean and std are numbers, or tensors of one shape."""

def normal_(x: Tensor, mean: _float = 0.0, std: _float = 1.0, name: str | None = None) -> Tensor:
    """Fill with normally distributed random numbers."""

@overload
def not_equal(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x differs from y."""

@overload
def not_equal(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Whether x differs from y."""

def not_equal_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `not_equal`: x's memory takes the result; see `paddle.not_equal`."""

def numel(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The number of elements, as a 0-D int64 tensor."""

@overload
def ones(
    shape: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape full of 1."""

@overload
def ones(
    size: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape full of 1."""

@overload
def ones(
    *shape: _int,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape full of 1."""

@overload
def ones_like(
    x: _AnyTensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Ones with x's shape and dtype."""

@overload
def ones_like(
    input: _AnyTensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Ones with x's shape and dtype."""

@overload
def outer(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Each element of x times each element of y, as a matrix."""

@overload
def outer(
    input: _AnyTensor, vec2: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Each element of x times each element of y, as a matrix."""

def pdist(x: _AnyTensor, p: _float = 2.0, name: str | None = None) -> Tensor:
    """The distances of all pairs of rows of a matrix."""

@overload
def permute(input: _AnyTensor, dims: _int | Sequence[_int]) -> Tensor:
    """The axes in the order `dims`; another name of transpose."""

@overload
def permute(input: _AnyTensor, *dims: _int) -> Tensor:
    """The axes in the order `dims`; another name of transpose."""

pi: _float

def polygamma(
    x: _AnyTensor, n: _int, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The n-th derivative of digamma."""

def polygamma_(x: _AnyTensor, n: _int, name: str | None = None) -> Tensor:
    """In place, `polygamma`: x's memory takes the result; see `paddle.polygamma`."""

def positive(x: _AnyTensor, name: str | None = None) -> Tensor:
    """x itself, which may not be bool."""

@overload
def pow(
    x: _AnyTensor, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x to the power of y, a number or a tensor."""

@overload
def pow(
    input: _AnyTensor,
    exponent: _AnyTensor | _float,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x to the power of y, a number or a tensor."""

def pow_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `pow`: x's memory takes the result; see `paddle.pow`."""

@overload
def prod(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The product over `axis` (all axes if None)."""

@overload
def prod(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The product over `axis` (all axes if None)."""

def put_along_axis(
    arr: _AnyTensor,
    indices: _AnyTensor,
    values: _AnyTensor | _float,
    axis: _int,
    reduce: str = "assign",
    include_self: _bool = True,
    broadcast: _bool = True,
) -> Tensor:
    """arr with values written at positions along an axis, or joined to what is there:"""

def put_along_axis_(
    arr: _AnyTensor,
    indices: _AnyTensor,
    values: _AnyTensor,
    axis: _int,
    reduce: str = "assign",
    include_self: _bool = True,
    broadcast: _bool = True,
) -> Tensor:
    """In place, `put_along_axis`: x's memory takes the result; see `paddle.put_along_axis`."""

@overload
def quantile(
    x: _AnyTensor,
    q: _AnyTensor | _float,
    axis: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    interpolation: str = "linear",
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The q-quantile over `axis` (all axes if None), NaN if there is one; several q, a list or a Tensor, give a new first axis."""

@overload
def quantile(
    input: _AnyTensor,
    q: _AnyTensor | _float,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    interpolation: str = "linear",
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The q-quantile over `axis` (all axes if None), NaN if there is one; several q, a list or a Tensor, give a new first axis."""

def rad2deg(x: _AnyTensor, name: str | None = None) -> Tensor:
    """Radians as degrees: x · 180 / π."""

@overload
def rand(
    shape: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Random numbers spread evenly over [0, 1)."""

@overload
def rand(
    size: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Random numbers spread evenly over [0, 1)."""

@overload
def rand(
    *shape: _int,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Random numbers spread evenly over [0, 1)."""

def rand_like(
    input: _AnyTensor,
    name: str | None = None,
    *,
    dtype: _DTypeLike | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Random numbers spread evenly over [0, 1), in the shape (and dtype) of a tensor."""

def randint(
    low: _int = 0,
    high: _int | None = None,
    shape: _Shape = ...,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Random integers in [low, high), or in [0, low) if only one bound is given; int64."""

def randint_like(
    x: _AnyTensor,
    low: _int = 0,
    high: _int | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Random integers in the shape (and dtype) of a tensor."""

@overload
def randn(
    shape: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Normal random numbers with mean 0 and standard deviation 1."""

@overload
def randn(
    size: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Normal random numbers with mean 0 and standard deviation 1."""

@overload
def randn(
    *shape: _int,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Normal random numbers with mean 0 and standard deviation 1."""

@overload
def randn_like(
    x: _AnyTensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Standard normal random numbers in the shape (and dtype) of a tensor."""

@overload
def randn_like(
    input: _AnyTensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Standard normal random numbers in the shape (and dtype) of a tensor."""

def randperm(
    n: _int,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """The numbers 0 to n - 1 in random order."""

def rank(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The number of dimensions, as a 0-D int32 tensor."""

def ravel(input: _AnyTensor) -> Tensor:
    """All elements in one axis."""

def reciprocal(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """One over every element."""

def reciprocal_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `reciprocal`: x's memory takes the result; see `paddle.reciprocal`."""

def reduce_as(x: _AnyTensor, target: _AnyTensor, name: str | None = None) -> Tensor:
    """x summed to the shape of target, from which it could have been broadcast."""

def relu(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Keep positive elements, replace the others by 0."""

def relu_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `relu`: x's memory takes the result; see `paddle.relu`."""

@overload
def remainder(
    x: _AnyTensor, y: _AnyTensor | _float, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """What is left of x after dividing by y, with the sign of y."""

@overload
def remainder(
    input: _AnyTensor,
    other: _AnyTensor | _float,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """What is left of x after dividing by y, with the sign of y."""

def remainder_(x: _AnyTensor, y: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `remainder`: x's memory takes the result; see `paddle.remainder`."""

def renorm(x: _AnyTensor, p: _float, axis: _int, max_norm: _float) -> Tensor:
    """x with each slice along an axis made shorter whose p-norm is above max_norm."""

def renorm_(x: _AnyTensor, p: _float, axis: _int, max_norm: _float) -> Tensor:
    """In place, `renorm`: x's memory takes the result; see `paddle.renorm`."""

@overload
def repeat_interleave(
    x: _AnyTensor,
    repeats: _int | Tensor,
    axis: _int | Sequence[_int] | None = None,
    name: str | None = None,
    *,
    output_size: _int | None = None,
) -> Tensor:
    """Each element, or each slice along `axis`, `repeats` times; a tensor of numbers says how often for each slice."""

@overload
def repeat_interleave(
    input: _AnyTensor,
    repeats: _int | Tensor,
    dim: _int | Sequence[_int] | None = None,
    name: str | None = None,
    *,
    output_size: _int | None = None,
) -> Tensor:
    """Each element, or each slice along `axis`, `repeats` times; a tensor of numbers says how often for each slice."""

@overload
def reshape(x: _AnyTensor, shape: _Shape, name: str | None = None) -> Tensor:
    """The same elements in another shape; 0 keeps a size, one -1 is worked out."""

@overload
def reshape(input: _AnyTensor, shape: _Shape, name: str | None = None) -> Tensor:
    """The same elements in another shape; 0 keeps a size, one -1 is worked out."""

@overload
def reshape(x: _AnyTensor, *shape: _int, name: str | None = None) -> Tensor:
    """The same elements in another shape; 0 keeps a size, one -1 is worked out."""

def reshape_(x: _AnyTensor, shape: _Shape, name: str | None = None) -> Tensor:
    """In place, `reshape`: x's memory takes the result; see `paddle.reshape`."""

def reverse(
    x: _AnyTensor,
    axis: _int | Sequence[_int],
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x backwards along the axes."""

@overload
def roll(
    x: _AnyTensor,
    shifts: _int | Sequence[_int],
    axis: _int | Sequence[_int] | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The elements moved on by `shifts`, those that fall off at the end put in front."""

@overload
def roll(
    input: _AnyTensor,
    shifts: _int | Sequence[_int],
    dims: _int | Sequence[_int] | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The elements moved on by `shifts`, those that fall off at the end put in front."""

def rot90(
    x: _AnyTensor, k: _int = 1, axes: _int | Sequence[_int] = ..., name: str | None = None
) -> Tensor:
    """x turned by k quarter turns in the plane of two axes, from the first to the second."""

@overload
def round(
    x: _AnyTensor, decimals: _int = 0, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Every element to this many digits after the point, halves to the even digit."""

@overload
def round(
    input: _AnyTensor, decimals: _int = 0, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Every element to this many digits after the point, halves to the even digit."""

def round_(x: _AnyTensor, decimals: _int = 0, name: str | None = None) -> Tensor:
    """In place, `round`: x's memory takes the result; see `paddle.round`."""

def row_stack(x: Sequence[_AnyTensor], name: str | None = None) -> Tensor:
    """Tensors one below the other: along the first axis, vectors as rows."""

@overload
def rsqrt(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """One over the square root of every element."""

@overload
def rsqrt(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """One over the square root of every element."""

def rsqrt_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `rsqrt`: x's memory takes the result; see `paddle.rsqrt`."""

def save(
    obj: Any, path: str | PathLike[str] | IO[bytes], protocol: _int = 4, **configs: Any
) -> None:
    """Write values into a file that real Paddle reads: a state dict, or lists, dicts, numbers."""

def scale(
    x: _AnyTensor,
    scale: _float | Tensor = 1.0,
    bias: _float = 0.0,
    bias_after_scale: _bool = True,
    act: str | None = None,
    name: str | None = None,
) -> Tensor:
    """scale · x + bias, or scale · (x + bias) if bias_after_scale is False; then the op `act`."""

def scale_(
    x: _AnyTensor,
    scale: _float | Tensor = 1.0,
    bias: _float = 0.0,
    bias_after_scale: _bool = True,
    act: str | None = None,
    name: str | None = None,
) -> Tensor:
    """In place, `scale`: x's memory takes the result; see `paddle.scale`."""

def scatter(
    x: _AnyTensor,
    index: _AnyTensor,
    updates: _AnyTensor,
    overwrite: _bool = True,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x with slices overwritten; without `overwrite`, the named slices are set to 0 first, and then all updates of a slice are added."""

def scatter_(
    x: _AnyTensor,
    index: _AnyTensor,
    updates: _AnyTensor,
    overwrite: _bool = True,
    name: str | None = None,
) -> Tensor:
    """In place, `scatter`: x's memory takes the result; see `paddle.scatter`."""

def scatter_add(input: _AnyTensor, dim: _int, index: _AnyTensor, src: _AnyTensor) -> Tensor:
    """input with the elements of src added at positions along an axis."""

def scatter_add_(input: _AnyTensor, dim: _int, index: _AnyTensor, src: _AnyTensor) -> Tensor:
    """In place, `scatter_add`: x's memory takes the result; see `paddle.scatter_add`."""

def scatter_nd(
    index: _AnyTensor,
    updates: _AnyTensor,
    shape: _Shape,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Zeros of `shape` with updates added where rows of coordinates say."""

def scatter_nd_add(
    x: _AnyTensor,
    index: _AnyTensor,
    updates: _AnyTensor,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x with updates added where rows of coordinates say."""

def scatter_reduce(
    input: _AnyTensor,
    dim: _int,
    index: _AnyTensor,
    src: _AnyTensor,
    reduce: str,
    *,
    include_self: _bool = True,
) -> Tensor:
    """input with the elements of src joined at positions along an axis: 'sum', 'prod', 'mean', 'amin' or 'amax'."""

@overload
def searchsorted(
    sorted_sequence: _AnyTensor,
    values: _AnyTensor,
    out_int32: _bool = False,
    right: _bool = False,
    name: str | None = None,
    *,
    side: str | None = None,
    out: Tensor | None = None,
    sorter: _AnyTensor | None = None,
) -> Tensor:
    """Where each value would have to be inserted for its row to stay sorted; before equal elements, or behind them if right."""

@overload
def searchsorted(
    sorted_sequence: _AnyTensor,
    input: _AnyTensor,
    out_int32: _bool = False,
    right: _bool = False,
    name: str | None = None,
    *,
    side: str | None = None,
    out: Tensor | None = None,
    sorter: _AnyTensor | None = None,
) -> Tensor:
    """Where each value would have to be inserted for its row to stay sorted; before equal elements, or behind them if right."""

def seed(seed: _int) -> Generator:
    """Seed the global generator with int(seed), 0 <= int(seed) < 2**64, and return it."""

def select_scatter(
    x: _AnyTensor, values: _AnyTensor, axis: _int, index: _int, name: str | None = None
) -> Tensor:
    """x with the slice number `index` of an axis replaced."""

def set_default_device(device: _PlaceLike) -> None:
    """The same as `set_device`."""

def set_default_dtype(d: _DTypeLike) -> None:
    """Make Python floats become float16, float32 or float64."""

def set_device(device: _PlaceLike) -> Place:
    """Make new tensors on this device:"""

def set_flags(flags: dict[str, _bool | str | _float]) -> None:
    """Switch FLAGS_check_nan_inf on or off: whether ops and backward refuse NaN and infinity."""

def set_printoptions(
    precision: _int | None = None,
    threshold: _int | None = None,
    edgeitems: _int | None = None,
    sci_mode: _bool | None = None,
    linewidth: _int | None = None,
) -> None:
    """Change how Tensors print: digits, from how many elements on to abbreviate, and width."""

def set_rng_state(state_list: list[GeneratorState], device: str | None = None) -> None:
    """Put the global generator back to what `get_rng_state` gave."""

def sgn(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The sign of real elements; complex ones divided by their absolute value, 0 for 0."""

def shape(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The sizes of a tensor as an int64 tensor."""

short: DType

@overload
def sigmoid(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Squash every element into (0, 1)."""

@overload
def sigmoid(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Squash every element into (0, 1)."""

def sigmoid_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `sigmoid`: x's memory takes the result; see `paddle.sigmoid`."""

@overload
def sign(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1: the sign of every element."""

@overload
def sign(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1: the sign of every element."""

def signbit(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Whether each element has a minus sign; -0.0 has one."""

@overload
def sin(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The sine of every element, in radians."""

@overload
def sin(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The sine of every element, in radians."""

def sin_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `sin`: x's memory takes the result; see `paddle.sin`."""

def sinc(x: _AnyTensor, name: str | None = None) -> Tensor:
    """sin(πx) / (πx), which is 1 at 0."""

def sinc_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `sinc`: x's memory takes the result; see `paddle.sinc`."""

@overload
def sinh(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine of every element: (eˣ − e⁻ˣ) / 2."""

@overload
def sinh(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine of every element: (eˣ − e⁻ˣ) / 2."""

def sinh_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `sinh`: x's memory takes the result; see `paddle.sinh`."""

def slice(
    input: _AnyTensor,
    axes: _int | Sequence[_int],
    starts: Sequence[_int | Tensor] | Tensor,
    ends: Sequence[_int | Tensor] | Tensor,
) -> Tensor:
    """input[start:end] on each of the axes; a view."""

def slice_scatter(
    x: _AnyTensor,
    value: _AnyTensor,
    axes: _int | Sequence[_int],
    starts: Sequence[_int | Tensor] | Tensor,
    ends: Sequence[_int | Tensor] | Tensor,
    strides: Sequence[_int | Tensor] | Tensor,
    name: str | None = None,
) -> Tensor:
    """x with the part x[start:end:stride, ...] replaced."""

def softmax(
    input: _AnyTensor,
    dim: _int | None = None,
    dtype: _DTypeLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Positive numbers that sum to 1 along `dim`; without it along the first axis of a tensor of 0, 1 or 3 axes, along the second one of others."""

def sort(
    x: _AnyTensor,
    axis: _int = -1,
    descending: _bool = False,
    stable: _bool = False,
    name: str | None = None,
) -> Tensor:
    """The elements in order along `axis`, the smallest first unless descending."""

def split(
    x: _AnyTensor,
    num_or_sections: _int | Sequence[_int],
    axis: _int = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> list[Tensor]:
    """Cut x into pieces along an axis: a number of equal ones, or a list of sizes."""

@overload
def sqrt(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The square root of every element."""

@overload
def sqrt(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The square root of every element."""

def sqrt_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `sqrt`: x's memory takes the result; see `paddle.sqrt`."""

def square(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Every element times itself."""

def square_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `square`: x's memory takes the result; see `paddle.square`."""

@overload
def squeeze(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Drop axes of size 1: all of them, or those named (others named are left)."""

@overload
def squeeze(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Drop axes of size 1: all of them, or those named (others named are left)."""

def squeeze_(
    x: _AnyTensor, axis: _int | Sequence[_int] | None = None, name: str | None = None
) -> Tensor:
    """In place, `squeeze`: x's memory takes the result; see `paddle.squeeze`."""

@overload
def stack(
    x: Sequence[_AnyTensor], axis: _int = 0, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Join tensors of one shape along a new axis."""

@overload
def stack(
    tensors: Sequence[_AnyTensor],
    dim: _int = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Join tensors of one shape along a new axis."""

def standard_normal(
    shape: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Normal random numbers with mean 0 and standard deviation 1:"""

def stanh(
    x: _AnyTensor,
    scale_a: _float = 0.67,
    scale_b: _float = 1.7159,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A stretched tanh: scale_b · tanh(scale_a · x)."""

def std(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    unbiased: _bool = True,
    keepdim: _bool = False,
    name: str | None = None,
) -> Tensor:
    """The standard deviation: the square root of the variance."""

def strided_slice(
    x: _AnyTensor,
    axes: _int | Sequence[_int],
    starts: Sequence[_int | Tensor] | Tensor,
    ends: Sequence[_int | Tensor] | Tensor,
    strides: Sequence[_int | Tensor] | Tensor,
    name: str | None = None,
) -> Tensor:
    """x[start:end:stride] on each of the axes; a view."""

@overload
def sub(
    x: _AnyTensor,
    y: _AnyTensor,
    name: str | None = None,
    *,
    alpha: _float | Tensor = 1,
    out: Tensor | None = None,
) -> Tensor:
    """x - y, element by element."""

@overload
def sub(
    input: _AnyTensor,
    other: _AnyTensor,
    name: str | None = None,
    *,
    alpha: _float | Tensor = 1,
    out: Tensor | None = None,
) -> Tensor:
    """x - y, element by element."""

@overload
def sub_(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
) -> Tensor:
    """In place, `sub`: x's memory takes the result; see `paddle.sub`."""

@overload
def sub_(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
) -> Tensor:
    """In place, `sub`: x's memory takes the result; see `paddle.sub`."""

@overload
def subtract(
    x: _AnyTensor,
    y: _AnyTensor,
    name: str | None = None,
    *,
    alpha: _float | Tensor = 1,
    out: Tensor | None = None,
) -> Tensor:
    """x - y, element by element."""

@overload
def subtract(
    input: _AnyTensor,
    other: _AnyTensor,
    name: str | None = None,
    *,
    alpha: _float | Tensor = 1,
    out: Tensor | None = None,
) -> Tensor:
    """x - y, element by element."""

@overload
def subtract_(
    x: _AnyTensor, y: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
) -> Tensor:
    """In place, `subtract`: x's memory takes the result; see `paddle.subtract`."""

@overload
def subtract_(
    input: _AnyTensor, other: _AnyTensor, name: str | None = None, *, alpha: _float | Tensor = 1
) -> Tensor:
    """In place, `subtract`: x's memory takes the result; see `paddle.subtract`."""

@overload
def sum(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    dtype: _DTypeLike | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over `axis` (all axes if None); int32 and bool give int64."""

@overload
def sum(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    dtype: _DTypeLike | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over `axis` (all axes if None); int32 and bool give int64."""

def summary(
    net: Layer, input_size: Any = None, dtypes: Any = None, input: _AnyTensor | None = None
) -> dict[str, _int]:
    """Print a table of a network's layers with the shapes of one run, and return the numbers of its parameters."""

@overload
def swapaxes(x: _AnyTensor, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """x with two axes exchanged; with one list instead, the axes in that order."""

@overload
def swapaxes(input: _AnyTensor, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """x with two axes exchanged; with one list instead, the axes in that order."""

@overload
def swapaxes(x: _AnyTensor, dim0: _int, dim1: _int) -> Tensor:
    """x with two axes exchanged; with one list instead, the axes in that order."""

@overload
def swapdims(x: _AnyTensor, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """x with two axes exchanged; with one list instead, the axes in that order."""

@overload
def swapdims(input: _AnyTensor, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """x with two axes exchanged; with one list instead, the axes in that order."""

@overload
def swapdims(x: _AnyTensor, dim0: _int, dim1: _int) -> Tensor:
    """x with two axes exchanged; with one list instead, the axes in that order."""

def t(input: _AnyTensor, name: str | None = None) -> Tensor:
    """The transpose of a matrix; vectors and 0-D tensors as they are."""

def t_(input: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `t`: x's memory takes the result; see `paddle.t`."""

def take(x: _AnyTensor, index: _AnyTensor, mode: str = "raise", name: str | None = None) -> Tensor:
    """The elements of x, read as one row, at the positions in index; `mode` says what a position outside does: 'raise', 'wrap' around, or 'clip' to the nearest."""

@overload
def take_along_axis(
    arr: _AnyTensor,
    indices: _AnyTensor,
    axis: _int,
    broadcast: _bool = True,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""

@overload
def take_along_axis(
    input: _AnyTensor,
    indices: _AnyTensor,
    dim: _int,
    broadcast: _bool = True,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""

@overload
def take_along_dim(
    arr: _AnyTensor,
    indices: _AnyTensor,
    axis: _int,
    broadcast: _bool = True,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""

@overload
def take_along_dim(
    input: _AnyTensor,
    indices: _AnyTensor,
    dim: _int,
    broadcast: _bool = True,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""

def tan(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The tangent of every element, in radians."""

def tan_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `tan`: x's memory takes the result; see `paddle.tan`."""

@overload
def tanh(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Squash every element into (-1, 1)."""

@overload
def tanh(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Squash every element into (-1, 1)."""

def tanh_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `tanh`: x's memory takes the result; see `paddle.tanh`."""

def tensor(
    data: _ArrayLike,
    *,
    dtype: _DTypeLike | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """`to_tensor` with requires_grad in place of stop_gradient."""

@overload
def tensor_split(
    x: _AnyTensor,
    num_or_indices: _int | Sequence[_int],
    axis: _int | Sequence[_int] = 0,
    name: str | None = None,
) -> list[Tensor]:
    """x cut into this many nearly equal pieces along an axis, or cut at these positions."""

@overload
def tensor_split(
    input: _AnyTensor,
    num_or_indices: _int | Sequence[_int],
    dim: _int | Sequence[_int] = 0,
    name: str | None = None,
) -> list[Tensor]:
    """x cut into this many nearly equal pieces along an axis, or cut at these positions."""

def tensordot(x: _AnyTensor, y: _AnyTensor, axes: Any = 2, name: str | None = None) -> Tensor:
    """The sum of products over some axes of x and as many of y."""

@overload
def tile(x: _AnyTensor, repeat_times: _Shape, name: str | None = None) -> Tensor:
    """Lay copies of x side by side along each axis."""

@overload
def tile(input: _AnyTensor, dims: _Shape, name: str | None = None) -> Tensor:
    """Lay copies of x side by side along each axis."""

def to_tensor(
    data: _ArrayLike,
    dtype: _DTypeLike | None = None,
    place: _PlaceLike | None = None,
    stop_gradient: _bool = True,
) -> Tensor:
    """A Tensor with a copy of this data: a number, a list, a NumPy array or a Tensor."""

def tolist(x: _AnyTensor) -> Any:
    """The values as numbers in lists."""

@overload
def topk(
    x: _AnyTensor,
    k: _float | Tensor,
    axis: _int | None = None,
    largest: _bool = True,
    sorted: _bool = True,
    name: str | None = None,
    *,
    out: tuple[Any, Any] | None = None,
) -> TopKRetType:
    """The k largest (or smallest) elements along `axis`, in order, and their positions."""

@overload
def topk(
    input: _AnyTensor,
    k: _float | Tensor,
    dim: _int | None = None,
    largest: _bool = True,
    sorted: _bool = True,
    name: str | None = None,
    *,
    out: tuple[Any, Any] | None = None,
) -> TopKRetType:
    """The k largest (or smallest) elements along `axis`, in order, and their positions."""

@overload
def trace(
    x: _AnyTensor,
    offset: _int = 0,
    axis1: _int = 0,
    axis2: _int = 1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The sum of the diagonal over two axes."""

@overload
def trace(
    input: _AnyTensor,
    offset: _int = 0,
    axis1: _int = 0,
    axis2: _int = 1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The sum of the diagonal over two axes."""

@overload
def transpose(x: _AnyTensor, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """The axes of x in the order `perm`; of two axes one by one, x with these exchanged."""

@overload
def transpose(input: _AnyTensor, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """The axes of x in the order `perm`; of two axes one by one, x with these exchanged."""

@overload
def transpose(x: _AnyTensor, dim0: _int, dim1: _int) -> Tensor:
    """The axes of x in the order `perm`; of two axes one by one, x with these exchanged."""

def transpose_(x: _AnyTensor, perm: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """In place, `transpose`: x's memory takes the result; see `paddle.transpose`."""

def trapezoid(
    y: _AnyTensor,
    x: _AnyTensor | None = None,
    dx: _float | Tensor | None = None,
    axis: _int = -1,
    name: str | None = None,
) -> Tensor:
    """The area under a curve through the points (x, y), or with steps of dx between them."""

@overload
def tril(
    x: _AnyTensor, diagonal: _int = 0, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x with zeros above a diagonal: the main one, or the k-th above it."""

@overload
def tril(
    input: _AnyTensor, diagonal: _int = 0, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x with zeros above a diagonal: the main one, or the k-th above it."""

def tril_(x: _AnyTensor, diagonal: _int = 0, name: str | None = None) -> Tensor:
    """In place, `tril`: x's memory takes the result; see `paddle.tril`."""

def tril_indices(row: _int, col: _int, offset: _int = 0, dtype: _DTypeLike = "int64") -> Tensor:
    """Row and column indices of the lower triangle of a matrix, as a [2, n] tensor."""

@overload
def triu(
    x: _AnyTensor, diagonal: _int = 0, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x with zeros below a diagonal: the main one, or the k-th above it."""

@overload
def triu(
    input: _AnyTensor, diagonal: _int = 0, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x with zeros below a diagonal: the main one, or the k-th above it."""

def triu_(x: _AnyTensor, diagonal: _int = 0, name: str | None = None) -> Tensor:
    """In place, `triu`: x's memory takes the result; see `paddle.triu`."""

def triu_indices(
    row: _int, col: _int | None = None, offset: _int = 0, dtype: _DTypeLike = "int64"
) -> Tensor:
    """Row and column indices of the upper triangle of a matrix, as a [2, n] tensor."""

def true_divide(input: _AnyTensor, other: _AnyTensor, *, out: Tensor | None = None) -> Tensor:
    """x / y, as divide."""

def trunc(input: _AnyTensor, name: str | None = None) -> Tensor:
    """Every element without its digits after the point."""

def trunc_(input: _AnyTensor, name: str | None = None) -> Tensor:
    """In place, `trunc`: x's memory takes the result; see `paddle.trunc`."""

uint8: DType

@overload
def unbind(
    input: _AnyTensor, axis: _int = 0, name: str | None = None, *, out: Tensor | None = None
) -> list[Tensor]:
    """The slices of a tensor along an axis, without that axis; views of its memory."""

@overload
def unbind(
    input: _AnyTensor, dim: _int = 0, name: str | None = None, *, out: Tensor | None = None
) -> list[Tensor]:
    """The slices of a tensor along an axis, without that axis; views of its memory."""

@overload
def unflatten(
    x: _AnyTensor, axis: _int | Sequence[_int], shape: _Shape, name: str | None = None
) -> Tensor:
    """One axis of x as several; one of the sizes may be -1."""

@overload
def unflatten(
    input: _AnyTensor, dim: _int | Sequence[_int], sizes: _Shape, name: str | None = None
) -> Tensor:
    """One axis of x as several; one of the sizes may be -1."""

@overload
def unfold(x: _AnyTensor, axis: _int, size: _int, step: _int, name: str | None = None) -> Tensor:
    """All windows of `size` elements along an axis, one each `step`; they are the last axis."""

@overload
def unfold(
    x: _AnyTensor, dimension: _int, size: _int, step: _int, name: str | None = None
) -> Tensor:
    """All windows of `size` elements along an axis, one each `step`; they are the last axis."""

def uniform(
    shape: _Shape,
    dtype: _DTypeLike | None = None,
    min: _float | Tensor = 0,
    max: _float | Tensor = 1.0,
    seed: _int = 0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Random numbers spread evenly over [min, max); a seed other than 0 is used for this call only."""

def unique(
    x: _AnyTensor,
    return_index: _bool = False,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    axis: _int | None = None,
    dtype: _DTypeLike = "int64",
    sorted: _bool = True,
    name: str | None = None,
) -> Any:
    """The different elements in order (or the different slices along `axis`); on demand also where each stands first, which of them each element is, and how often each occurs."""

@overload
def unique_consecutive(
    x: _AnyTensor,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    axis: _int | None = None,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
) -> Any:
    """The first element (or slice along `axis`) of each run of equal ones; on demand also the run of each element, and how long each run is."""

@overload
def unique_consecutive(
    input: _AnyTensor,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: _int | None = None,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
) -> Any:
    """The first element (or slice along `axis`) of each run of equal ones; on demand also the run of each element, and how long each run is."""

@overload
def unsqueeze(x: _AnyTensor, axis: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """Insert axes of size 1 at these positions, one after the other."""

@overload
def unsqueeze(input: _AnyTensor, dim: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """Insert axes of size 1 at these positions, one after the other."""

def unsqueeze_(x: _AnyTensor, axis: _int | Sequence[_int], name: str | None = None) -> Tensor:
    """In place, `unsqueeze`: x's memory takes the result; see `paddle.unsqueeze`."""

def unstack(x: _AnyTensor, axis: _int = 0, num: _int | None = None) -> list[Tensor]:
    """The slices of a tensor along an axis, without that axis."""

def vander(
    x: _AnyTensor, n: _int | None = None, increasing: _bool = False, name: str | None = None
) -> Tensor:
    """The powers of a vector's elements as columns: xⁿ⁻¹, ..., x, 1, or the other way round."""

@overload
def var(
    x: _AnyTensor,
    axis: _int | Sequence[_int] | None = None,
    unbiased: _bool | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    correction: _float = 1,
    out: Tensor | None = None,
) -> Tensor:
    """The variance over `axis` (all axes if None), divided by n - correction."""

@overload
def var(
    input: _AnyTensor,
    dim: _int | Sequence[_int] | None = None,
    unbiased: _bool | None = None,
    keepdim: _bool = False,
    name: str | None = None,
    *,
    correction: _float = 1,
    out: Tensor | None = None,
) -> Tensor:
    """The variance over `axis` (all axes if None), divided by n - correction."""

def vecdot(x: _AnyTensor, y: _AnyTensor, axis: _int = -1, name: str | None = None) -> Tensor:
    """The sum of conj(x) · y along an axis; the other axes broadcast."""

@overload
def view(x: _AnyTensor, shape_or_dtype: _Shape | _DTypeLike, name: str | None = None) -> Tensor:
    """The same memory in another shape, or its bits read as another dtype; x itself for its own."""

@overload
def view(x: _AnyTensor, size: _Shape | _DTypeLike, name: str | None = None) -> Tensor:
    """The same memory in another shape, or its bits read as another dtype; x itself for its own."""

@overload
def view(x: _AnyTensor, *shape_or_dtype: _int, name: str | None = None) -> Tensor:
    """The same memory in another shape, or its bits read as another dtype; x itself for its own."""

def view_as(x: _AnyTensor, other: _AnyTensor, name: str | None = None) -> Tensor:
    """The same memory in the shape of another tensor."""

def vsplit(
    x: _AnyTensor, num_or_indices: _int | Sequence[_int], name: str | None = None
) -> list[Tensor]:
    """x cut along the first axis."""

def vstack(x: Sequence[_AnyTensor], name: str | None = None) -> Tensor:
    """Tensors one below the other: along the first axis, vectors as rows."""

@overload
def where(
    condition: _AnyTensor,
    x: _AnyTensor | _float | None = None,
    y: _AnyTensor | _float | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Elements of x where the condition holds, of y elsewhere; numbers count as 0-D tensors."""

@overload
def where(
    condition: _AnyTensor,
    input: _AnyTensor | _float | None = None,
    other: _AnyTensor | _float | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Elements of x where the condition holds, of y elsewhere; numbers count as 0-D tensors."""

def where_(
    condition: Tensor,
    x: _AnyTensor | None = None,
    y: _AnyTensor | _float | None = None,
    name: str | None = None,
) -> Tensor:
    """x, with the elements of y where the condition does not hold."""

@overload
def zeros(
    shape: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape full of 0."""

@overload
def zeros(
    size: _Shape,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape full of 0."""

@overload
def zeros(
    *shape: _int,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    out: Tensor | None = None,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of this shape full of 0."""

@overload
def zeros_like(
    x: _AnyTensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Zeros with x's shape and dtype."""

@overload
def zeros_like(
    input: _AnyTensor,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    device: _PlaceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Zeros with x's shape and dtype."""
