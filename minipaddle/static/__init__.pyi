# Written by docs/make_stubs.py; do not edit.

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np

from minipaddle import Tensor, _AnyTensor, _DTypeLike, _PlaceLike, _Shape
from minipaddle.device.place import CPUPlace, CUDAPlace
from minipaddle.engine.guard import Guard
from minipaddle.ops.reductions.ordering import TopKRetType
from minipaddle.static.block import Block as Block
from minipaddle.static.compiled_program import BuildStrategy as BuildStrategy
from minipaddle.static.compiled_program import CompiledProgram as CompiledProgram
from minipaddle.static.dense_tensor import DenseTensor as DenseTensor
from minipaddle.static.executor import Executor as Executor
from minipaddle.static.input_spec import InputSpec as InputSpec
from minipaddle.static.operator import Operator as Operator
from minipaddle.static.program import Program as Program
from minipaddle.static.py_call import DeclarationWarning as DeclarationWarning
from minipaddle.static.scope import Scope as Scope
from minipaddle.static.variable import Parameter as Parameter
from minipaddle.static.variable import Variable as _BareVariable

from . import nn as nn

def Print(
    input: Variable,
    first_n: int = -1,
    message: str | None = None,
    summarize: int = 20,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_tensor_shape: bool = True,
    print_tensor_layout: bool = True,
    print_tensor_lod: bool = True,
    print_phase: str = "both",
) -> Variable:
    """Show a Variable each time the Program runs, and its gradient; use the Variable it gives."""

class Variable(_BareVariable):
    """A tensor of a Program: name, shape (-1: known only when it runs) and dtype, no values."""
    def __add__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __and__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __eq__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...  # type: ignore[override]
    def __floordiv__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __ge__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __gt__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __le__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __lshift__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __lt__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __matmul__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __mod__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __mul__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __ne__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...  # type: ignore[override]
    def __or__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __pow__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rshift__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __sub__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __truediv__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __xor__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __radd__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rand__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rfloordiv__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rlshift__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rmatmul__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rmod__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rmul__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __ror__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rpow__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rrshift__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rsub__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rtruediv__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __rxor__(self, other: _AnyTensor | complex | np.ndarray[Any, Any]) -> Variable: ...
    def __abs__(self) -> Variable: ...
    def __invert__(self) -> Variable: ...
    def __neg__(self) -> Variable: ...
    def __pos__(self) -> Variable: ...
    def abs(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The absolute value of every element."""
    def abs_(self, name: str | None = None) -> Variable:
        """`abs`, with a warning: the result is a new Variable, and x stays as it is."""
    def acos(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The angle in [0, π] whose cosine is x; NaN outside of [-1, 1]."""
    def acos_(self, name: str | None = None) -> Variable:
        """`acos`, with a warning: the result is a new Variable, and x stays as it is."""
    def acosh(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The number of at least 0 whose hyperbolic cosine is x; NaN below 1."""
    def acosh_(self, name: str | None = None) -> Variable:
        """`acosh`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def add(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        alpha: float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Variable:
        """x + y, element by element."""
    @overload
    def add(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        alpha: float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Variable:
        """x + y, element by element."""
    @overload
    def add_(
        self, y: _AnyTensor, name: str | None = None, *, alpha: float | Tensor = 1
    ) -> Variable:
        """`add`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def add_(
        self, other: _AnyTensor, name: str | None = None, *, alpha: float | Tensor = 1
    ) -> Variable:
        """`add`, with a warning: the result is a new Variable, and x stays as it is."""
    def add_n(self, name: str | None = None) -> Variable:
        """The sum of a list of tensors of one shape."""
    def addmm(
        self,
        x: _AnyTensor,
        y: _AnyTensor,
        beta: float = 1.0,
        alpha: float = 1.0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """beta times input, which may broadcast, plus alpha times the matrix product of x and y."""
    def addmm_(
        self,
        x: _AnyTensor,
        y: _AnyTensor,
        beta: float = 1.0,
        alpha: float = 1.0,
        name: str | None = None,
    ) -> Variable:
        """`addmm`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def all(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Whether every element over `axis` (all axes if None) is true, which means not 0."""
    @overload
    def all(
        self,
        dim: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Whether every element over `axis` (all axes if None) is true, which means not 0."""
    def allclose(
        self,
        y: _AnyTensor,
        rtol: float | Tensor = 1e-05,
        atol: float | Tensor = 1e-08,
        equal_nan: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Whether all elements are close, as a 0-D bool tensor."""
    @overload
    def amax(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The largest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def amax(
        self,
        dim: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The largest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def amin(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The smallest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def amin(
        self,
        dim: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The smallest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def any(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Whether any element over `axis` (all axes if None) is true, which means not 0."""
    @overload
    def any(
        self,
        dim: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Whether any element over `axis` (all axes if None) is true, which means not 0."""
    @overload
    def argmax(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The position of the largest element along `axis`; the first one of ties."""
    @overload
    def argmax(
        self,
        dim: int | Sequence[int] | None = None,
        keepdims: bool = False,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The position of the largest element along `axis`; the first one of ties."""
    @overload
    def argmin(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The position of the smallest element along `axis`; the first one of ties."""
    @overload
    def argmin(
        self,
        dim: int | Sequence[int] | None = None,
        keepdims: bool = False,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The position of the smallest element along `axis`; the first one of ties."""
    @overload
    def argsort(
        self,
        axis: int = -1,
        descending: bool = False,
        stable: bool = False,
        name: str | None = None,
    ) -> Variable:
        """The positions of the elements in their order along `axis`; ties keep their order."""
    @overload
    def argsort(
        self, dim: int = -1, descending: bool = False, stable: bool = False, name: str | None = None
    ) -> Variable:
        """The positions of the elements in their order along `axis`; ties keep their order."""
    def argwhere(self) -> Variable:
        """The positions of the elements that are not zero, one row for each."""
    def asin(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The angle in [-π/2, π/2] whose sine is x; NaN outside of [-1, 1]."""
    def asin_(self, name: str | None = None) -> Variable:
        """`asin`, with a warning: the result is a new Variable, and x stays as it is."""
    def asinh(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The number whose hyperbolic sine is x."""
    def asinh_(self, name: str | None = None) -> Variable:
        """`asinh`, with a warning: the result is a new Variable, and x stays as it is."""
    def atan(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The angle in (-π/2, π/2) whose tangent is x."""
    def atan2(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The angle of x / y in (-π, π], by the signs of both; integers give float64."""
    def atan_(self, name: str | None = None) -> Variable:
        """`atan`, with a warning: the result is a new Variable, and x stays as it is."""
    def atanh(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The number whose hyperbolic tangent is x; NaN outside of [-1, 1]."""
    def atanh_(self, name: str | None = None) -> Variable:
        """`atanh`, with a warning: the result is a new Variable, and x stays as it is."""
    def atleast_1d(self, *, name: str | None = None) -> Variable:
        """The tensors, those of no axis with one."""
    def atleast_2d(self, *, name: str | None = None) -> Variable:
        """The tensors with at least two axes: vectors become rows."""
    def atleast_3d(self, *, name: str | None = None) -> Variable:
        """The tensors with at least three axes, as dstack puts them together."""
    def baddbmm(
        self,
        x: _AnyTensor,
        y: _AnyTensor,
        beta: float = 1.0,
        alpha: float = 1.0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """beta times input plus alpha times the products of two batches of matrices."""
    def baddbmm_(
        self,
        x: _AnyTensor,
        y: _AnyTensor,
        beta: float = 1.0,
        alpha: float = 1.0,
        name: str | None = None,
    ) -> Variable:
        """`baddbmm`, with a warning: the result is a new Variable, and x stays as it is."""
    def bincount(
        self,
        weights: _AnyTensor | None = None,
        minlength: int = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """How often each of the numbers 0, 1, 2, ... occurs, or the sum of its weights."""
    def bitwise_and(
        self, y: _AnyTensor, out: Tensor | None = None, name: str | None = None
    ) -> Variable:
        """The and of the bits of x and y; of bools, of their truth."""
    def bitwise_and_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`bitwise_and`, with a warning: the result is a new Variable, and x stays as it is."""
    def bitwise_invert(self, out: Tensor | None = None, name: str | None = None) -> Variable:
        """The opposite of every bit of x; of bools, of their truth."""
    def bitwise_invert_(self, name: str | None = None) -> Variable:
        """`bitwise_invert`, with a warning: the result is a new Variable, and x stays as it is."""
    def bitwise_left_shift(
        self,
        y: _AnyTensor,
        is_arithmetic: bool = True,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Variable:
        """The bits of x moved y places to the left: x times 2ʸ."""
    def bitwise_left_shift_(
        self, y: _AnyTensor, is_arithmetic: bool = True, name: str | None = None
    ) -> Variable:
        """`bitwise_left_shift`, with a warning: the result is a new Variable, and x stays as it is."""
    def bitwise_not(self, out: Tensor | None = None, name: str | None = None) -> Variable:
        """The opposite of every bit of x; of bools, of their truth."""
    def bitwise_not_(self, name: str | None = None) -> Variable:
        """`bitwise_not`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def bitwise_or(
        self, y: _AnyTensor, out: Tensor | None = None, name: str | None = None
    ) -> Variable:
        """The or of the bits of x and y; of bools, of their truth."""
    @overload
    def bitwise_or(
        self, other: _AnyTensor, out: Tensor | None = None, name: str | None = None
    ) -> Variable:
        """The or of the bits of x and y; of bools, of their truth."""
    @overload
    def bitwise_or_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`bitwise_or`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def bitwise_or_(self, other: _AnyTensor, name: str | None = None) -> Variable:
        """`bitwise_or`, with a warning: the result is a new Variable, and x stays as it is."""
    def bitwise_right_shift(
        self,
        y: _AnyTensor,
        is_arithmetic: bool = True,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Variable:
        """The bits of x moved y places to the right; the sign stays if is_arithmetic."""
    def bitwise_right_shift_(
        self, y: _AnyTensor, is_arithmetic: bool = True, name: str | None = None
    ) -> Variable:
        """`bitwise_right_shift`, with a warning: the result is a new Variable, and x stays as it is."""
    def bitwise_xor(
        self, y: _AnyTensor, out: Tensor | None = None, name: str | None = None
    ) -> Variable:
        """The exclusive or of the bits of x and y; of bools, of their truth."""
    def bitwise_xor_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`bitwise_xor`, with a warning: the result is a new Variable, and x stays as it is."""
    def block_diag(self, name: str | None = None) -> Variable:
        """Matrices along the diagonal of a larger one, zeros elsewhere; a vector counts as a row."""
    def bmm(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The product of each pair of matrices of two batches."""
    def broadcast_shape(self, y_shape: _Shape) -> list[int]:
        """The shape that two shapes broadcast to."""
    def broadcast_tensors(
        self, name: str | None = None, *, out: Tensor | None = None
    ) -> list[Variable]:
        """Tensors repeated to the shape that broadcasting gives them together."""
    @overload
    def broadcast_to(self, shape: _Shape, name: str | None = None) -> Variable:
        """x repeated to this shape, by the rules of broadcasting."""
    @overload
    def broadcast_to(self, size: _Shape, name: str | None = None) -> Variable:
        """x repeated to this shape, by the rules of broadcasting."""
    @overload
    def bucketize(
        self,
        sorted_sequence: _AnyTensor,
        out_int32: bool = False,
        right: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The number of the bucket between the borders `sorted_sequence` that each element falls in."""
    @overload
    def bucketize(
        self,
        boundaries: _AnyTensor,
        out_int32: bool = False,
        right: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The number of the bucket between the borders `sorted_sequence` that each element falls in."""
    def cast(
        self, dtype: _DTypeLike, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The same values in another dtype; the gradient comes back in the old one."""
    def cast_(self, dtype: _DTypeLike, name: str | None = None) -> Variable:
        """`cast`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def cat(
        self, axis: int | Sequence[int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Join tensors end to end along an axis."""
    @overload
    def cat(
        self, dim: int | Sequence[int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Join tensors end to end along an axis."""
    def cdist(
        self,
        y: _AnyTensor,
        p: float | Tensor = 2.0,
        compute_mode: str = ...,
        name: str | None = None,
    ) -> Variable:
        """The distances of all pairs of rows, one of x and one of y; compute_mode changes no value."""
    def ceil(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The smallest integer not below every element."""
    def ceil_(self, name: str | None = None) -> Variable:
        """`ceil`, with a warning: the result is a new Variable, and x stays as it is."""
    def cholesky(
        self, upper: bool = False, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The lower triangle whose product with its transpose is x; or the upper one, transposed."""
    def cholesky_solve(
        self, y: _AnyTensor, upper: bool = False, name: str | None = None
    ) -> Variable:
        """The z for which A @ z is x, where y is A's Cholesky factor."""
    @overload
    def chunk(
        self, chunks: int, axis: int | Sequence[int] = 0, name: str | None = None
    ) -> list[Variable]:
        """x cut into this many equal pieces along an axis."""
    @overload
    def chunk(
        self, chunks: int, dim: int | Sequence[int] = 0, name: str | None = None
    ) -> list[Variable]:
        """x cut into this many equal pieces along an axis."""
    def clamp(
        self,
        min: float | Tensor | None = None,
        max: float | Tensor | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Limit every element to [min, max]; None means no limit on that side."""
    def clamp_(
        self,
        min: float | Tensor | None = None,
        max: float | Tensor | None = None,
        name: str | None = None,
    ) -> Variable:
        """`clamp`, with a warning: the result is a new Variable, and x stays as it is."""
    def clip(
        self,
        min: float | Tensor | None = None,
        max: float | Tensor | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Limit every element to [min, max]; None means no limit on that side."""
    def clip_(
        self,
        min: float | Tensor | None = None,
        max: float | Tensor | None = None,
        name: str | None = None,
    ) -> Variable:
        """`clip`, with a warning: the result is a new Variable, and x stays as it is."""
    def combinations(
        self, r: int = 2, with_replacement: bool = False, name: str | None = None
    ) -> Variable:
        """All ways to choose r elements of a vector, as rows, in the order of the vector."""
    @overload
    def concat(
        self, axis: int | Sequence[int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Join tensors end to end along an axis."""
    @overload
    def concat(
        self, dim: int | Sequence[int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Join tensors end to end along an axis."""
    @overload
    def concatenate(
        self, axis: int | Sequence[int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Join tensors end to end along an axis."""
    @overload
    def concatenate(
        self, dim: int | Sequence[int] = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Join tensors end to end along an axis."""
    def cond(self, p: float | str | None = None, name: str | None = None) -> Variable:
        """How much solving with x can enlarge errors: a norm of x times that of its inverse."""
    def conj(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The complex conjugate of every element; a real number is its own."""
    def copysign(self, y: _AnyTensor | float, name: str | None = None) -> Variable:
        """The size of x with the sign of y, a tensor or a number; also of -0.0."""
    def copysign_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`copysign`, with a warning: the result is a new Variable, and x stays as it is."""
    def corrcoef(self, rowvar: bool = True, name: str | None = None) -> Variable:
        """The correlation of each pair of rows of x: 1 for equal courses, -1 for opposite ones."""
    def cos(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The cosine of every element, in radians."""
    def cos_(self, name: str | None = None) -> Variable:
        """`cos`, with a warning: the result is a new Variable, and x stays as it is."""
    def cosh(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The hyperbolic cosine of every element: (eˣ + e⁻ˣ) / 2."""
    def cosh_(self, name: str | None = None) -> Variable:
        """`cosh`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def count_nonzero(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
    ) -> Variable:
        """How many elements over `axis` (all axes if None) are not 0; NaN is not 0."""
    @overload
    def count_nonzero(
        self, dim: int | Sequence[int] | None = None, keepdim: bool = False, name: str | None = None
    ) -> Variable:
        """How many elements over `axis` (all axes if None) are not 0; NaN is not 0."""
    def cov(
        self,
        rowvar: bool = True,
        ddof: bool = True,
        fweights: _AnyTensor | None = None,
        aweights: _AnyTensor | None = None,
        name: str | None = None,
    ) -> Variable:
        """How the rows of x vary together; `fweights` says how often each column was observed, `aweights` how much it counts."""
    @overload
    def cross(
        self, y: _AnyTensor, axis: int = 9, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The vector at right angles to two vectors, along the first axis of size 3, or along `axis`."""
    @overload
    def cross(
        self, y: _AnyTensor, dim: int = 9, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The vector at right angles to two vectors, along the first axis of size 3, or along `axis`."""
    def cummax(
        self,
        axis: int | Sequence[int] | None = None,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
    ) -> tuple[Variable, Variable]:
        """The largest element up to each place along `axis`, and where it stands."""
    def cummin(
        self,
        axis: int | Sequence[int] | None = None,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
    ) -> tuple[Variable, Variable]:
        """The smallest element up to each place along `axis`, and where it stands."""
    def cumprod(
        self,
        dim: int | Sequence[int] | None = None,
        *,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Variable:
        """The products of the elements up to each place along `dim` (of all in a row if None)."""
    def cumprod_(
        self,
        dim: int | Sequence[int] | None = None,
        *,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """`cumprod`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def cumsum(
        self,
        axis: int | Sequence[int] | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The sums of the elements up to each place along `axis` (of all elements in a row if None)."""
    @overload
    def cumsum(
        self,
        dim: int | Sequence[int] | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The sums of the elements up to each place along `axis` (of all elements in a row if None)."""
    def cumsum_(
        self,
        axis: int | Sequence[int] | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """`cumsum`, with a warning: the result is a new Variable, and x stays as it is."""
    def cumulative_trapezoid(
        self,
        x: _AnyTensor | None = None,
        dx: float | Tensor | None = None,
        axis: int = -1,
        name: str | None = None,
    ) -> Variable:
        """The area under a curve from its first point to each of the others."""
    def deg2rad(self, name: str | None = None) -> Variable:
        """Degrees as radians: x · π / 180."""
    def diag(
        self,
        offset: int = 0,
        padding_value: float | Tensor = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The matrix with the vector x on its diagonal, or the diagonal of the matrix x."""
    def diag_embed(
        self,
        offset: int = 0,
        dim1: int = -2,
        dim2: int = -1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Matrices over two new axes with the last axis of input on a diagonal."""
    def diagflat(self, offset: int = 0, name: str | None = None) -> Variable:
        """The matrix with the elements of x, in one row, on its diagonal."""
    @overload
    def diagonal(
        self,
        offset: int = 0,
        axis1: int = 0,
        axis2: int = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The diagonal over two axes, or the one `offset` above it, as the last axis; a view."""
    @overload
    def diagonal(
        self,
        offset: int = 0,
        dim1: int = 0,
        axis2: int = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The diagonal over two axes, or the one `offset` above it, as the last axis; a view."""
    def diagonal_scatter(
        self,
        y: _AnyTensor,
        offset: int = 0,
        axis1: int = 0,
        axis2: int = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """x with y on a diagonal over two axes."""
    @overload
    def diff(
        self,
        n: int = 1,
        axis: int = -1,
        prepend: _AnyTensor | None = None,
        append: _AnyTensor | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The differences of neighbours along an axis, n times; of bools, whether they differ."""
    @overload
    def diff(
        self,
        n: int = 1,
        dim: int = -1,
        prepend: _AnyTensor | None = None,
        append: _AnyTensor | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The differences of neighbours along an axis, n times; of bools, whether they differ."""
    def digamma(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The derivative of lgamma; NaN at the negative integers, infinite at 0."""
    def digamma_(self, name: str | None = None) -> Variable:
        """`digamma`, with a warning: the result is a new Variable, and x stays as it is."""
    def dist(
        self, y: _AnyTensor, p: float = 2.0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The p-norm of x - y over all elements."""
    @overload
    def div(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        rounding_mode: str | None = None,
        out: Tensor | None = None,
    ) -> Variable:
        """x / y, element by element; integers give float32."""
    @overload
    def div(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        rounding_mode: str | None = None,
        out: Tensor | None = None,
    ) -> Variable:
        """x / y, element by element; integers give float32."""
    @overload
    def div_(
        self, y: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
    ) -> Variable:
        """`div`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def div_(
        self, other: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
    ) -> Variable:
        """`div`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def divide(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        rounding_mode: str | None = None,
        out: Tensor | None = None,
    ) -> Variable:
        """x / y, element by element; integers give float32."""
    @overload
    def divide(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        rounding_mode: str | None = None,
        out: Tensor | None = None,
    ) -> Variable:
        """x / y, element by element; integers give float32."""
    @overload
    def divide_(
        self, y: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
    ) -> Variable:
        """`divide`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def divide_(
        self, other: _AnyTensor, name: str | None = None, *, rounding_mode: str | None = None
    ) -> Variable:
        """`divide`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def dot(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The inner product of two vectors, or of each pair of rows of two matrices."""
    @overload
    def dot(
        self, tensor: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The inner product of two vectors, or of each pair of rows of two matrices."""
    def dsplit(
        self, num_or_indices: int | Sequence[int], name: str | None = None
    ) -> list[Variable]:
        """x cut along the third axis."""
    def eigvalsh(
        self, UPLO: str = "L", name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The eigenvalues of symmetric matrices, smallest first."""
    @overload
    def eq(
        self, y: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x equals y, element by element."""
    @overload
    def eq(
        self, other: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x equals y, element by element."""
    def eq_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`eq`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def equal(
        self, y: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x equals y, element by element."""
    @overload
    def equal(
        self, other: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x equals y, element by element."""
    def equal_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`equal`, with a warning: the result is a new Variable, and x stays as it is."""
    def equal_all(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether shape and all elements are equal, as a 0-D bool tensor."""
    def erf(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The error function: the share of a normal distribution within x · √2 of its mean."""
    def erf_(self, name: str | None = None) -> Variable:
        """`erf`, with a warning: the result is a new Variable, and x stays as it is."""
    def erfinv(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The number whose erf is x; infinite where x is 1 or more, or -1 or less."""
    def erfinv_(self, name: str | None = None) -> Variable:
        """`erfinv`, with a warning: the result is a new Variable, and x stays as it is."""
    def exp(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """e to the power of every element."""
    def exp_(self, name: str | None = None) -> Variable:
        """`exp`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def expand(self, shape: _Shape, name: str | None = None) -> Variable:
        """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size."""
    @overload
    def expand(self, size: _Shape, name: str | None = None) -> Variable:
        """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size."""
    @overload
    def expand(self, *shape: int, name: str | None = None) -> Variable:
        """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size."""
    @overload
    def expand_as(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x repeated to the shape of y."""
    @overload
    def expand_as(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x repeated to the shape of y."""
    def expm1(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """e to the power of every element, minus 1, exact also where x is tiny."""
    def expm1_(self, name: str | None = None) -> Variable:
        """`expm1`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def flatten(
        self,
        start_axis: int = 0,
        stop_axis: int = -1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Make one axis of those from start_axis to stop_axis."""
    @overload
    def flatten(
        self,
        start_dim: int = 0,
        end_dim: int = -1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Make one axis of those from start_axis to stop_axis."""
    def flatten_(
        self, start_axis: int = 0, stop_axis: int = -1, name: str | None = None
    ) -> Variable:
        """`flatten`, with a warning: the result is a new Variable, and x stays as it is."""
    def flip(
        self, axis: int | Sequence[int], name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x backwards along the axes."""
    def floor(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The largest integer not above every element."""
    def floor_(self, name: str | None = None) -> Variable:
        """`floor`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def floor_divide(
        self, y: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The floor of x / y, element by element."""
    @overload
    def floor_divide(
        self, other: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The floor of x / y, element by element."""
    def floor_divide_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`floor_divide`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def floor_mod(
        self, y: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """What is left of x after dividing by y, with the sign of y."""
    @overload
    def floor_mod(
        self, other: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """What is left of x after dividing by y, with the sign of y."""
    def floor_mod_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`floor_mod`, with a warning: the result is a new Variable, and x stays as it is."""
    def fmax(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The larger of x and y; the other one where one is NaN."""
    def fmin(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The smaller of x and y; the other one where one is NaN."""
    def frac(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The digits after the point of every element, with its sign."""
    def frac_(self, name: str | None = None) -> Variable:
        """`frac`, with a warning: the result is a new Variable, and x stays as it is."""
    def gammaln(self, name: str | None = None) -> Variable:
        """The same as lgamma, for floats alone."""
    def gammaln_(self, name: str | None = None) -> Variable:
        """`gammaln`, with a warning: the result is a new Variable, and x stays as it is."""
    def gather(
        self,
        index: _AnyTensor,
        axis: int | Sequence[int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The slices of x along `axis` that `index` names, in its order."""
    def gather_nd(
        self, index: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """What each row of coordinates names in x: an element, or a slice if they are few."""
    @overload
    def gcd(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The greatest common divisor, never negative."""
    @overload
    def gcd(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The greatest common divisor, never negative."""
    @overload
    def gcd_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`gcd`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def gcd_(self, other: _AnyTensor, name: str | None = None) -> Variable:
        """`gcd`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def ge(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether x is at least y."""
    @overload
    def ge(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is at least y."""
    def ge_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`ge`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def greater(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is greater than y."""
    @overload
    def greater(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is greater than y."""
    def greater_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`greater`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def greater_equal(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is at least y."""
    @overload
    def greater_equal(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is at least y."""
    def greater_equal_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`greater_equal`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def greater_than(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is greater than y."""
    @overload
    def greater_than(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is greater than y."""
    def greater_than_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`greater_than`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def gt(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether x is greater than y."""
    @overload
    def gt(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is greater than y."""
    def gt_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`gt`, with a warning: the result is a new Variable, and x stays as it is."""
    def heaviside(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The step function: 0 for negative x, 1 for positive x, y where x is 0."""
    def histogram(
        self,
        bins: int = 100,
        min: float = 0.0,
        max: float = 0.0,
        weight: _AnyTensor | None = None,
        density: bool = False,
        name: str | None = None,
    ) -> Variable:
        """How many elements lie in each of `bins` equal bins from min to max (the range of the elements if both are 0); with weights, the sums of them; with density, over all bins 1."""
    def histogram_bin_edges(
        self,
        bins: int = 100,
        min: float = 0.0,
        max: float = 0.0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The borders of the bins that `histogram` counts in."""
    def hsplit(
        self, num_or_indices: int | Sequence[int], name: str | None = None
    ) -> list[Variable]:
        """x cut along the second axis, a vector along its only one."""
    def hypot(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """The length √(x² + y²) of the longest side of a right triangle."""
    def hypot_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`hypot`, with a warning: the result is a new Variable, and x stays as it is."""
    def increment(self, value: float = 1.0, name: str | None = None) -> Variable:
        """Add a number to a tensor of one element, in place; gradients pass as through a sum."""
    @overload
    def index_add(
        self,
        index: _AnyTensor,
        axis: int,
        value: _AnyTensor,
        alpha: float = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """x with alpha · value added to slices along an axis, as often as a position is named."""
    @overload
    def index_add(
        self,
        index: _AnyTensor,
        dim: int,
        source: _AnyTensor,
        alpha: float = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """x with alpha · value added to slices along an axis, as often as a position is named."""
    @overload
    def index_add_(
        self,
        index: _AnyTensor,
        axis: int,
        value: _AnyTensor,
        alpha: float = 1,
        name: str | None = None,
    ) -> Variable:
        """`index_add`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def index_add_(
        self,
        index: _AnyTensor,
        dim: int,
        source: _AnyTensor,
        alpha: float = 1,
        name: str | None = None,
    ) -> Variable:
        """`index_add`, with a warning: the result is a new Variable, and x stays as it is."""
    def index_fill(
        self, index: _AnyTensor, axis: int, value: _AnyTensor | float, name: str | None = None
    ) -> Variable:
        """x with one value in the slices that index names along an axis."""
    def index_fill_(
        self, index: _AnyTensor, axis: int, value: _AnyTensor, name: str | None = None
    ) -> Variable:
        """`index_fill`, with a warning: the result is a new Variable, and x stays as it is."""
    def index_put(
        self,
        indices: Sequence[_AnyTensor],
        value: _AnyTensor,
        accumulate: bool = False,
        name: str | None = None,
    ) -> Variable:
        """x with `value` written, or added, where one tensor of positions for each axis says."""
    def index_put_(
        self,
        indices: _AnyTensor,
        value: _AnyTensor,
        accumulate: bool = False,
        name: str | None = None,
    ) -> Variable:
        """`index_put`, with a warning: the result is a new Variable, and x stays as it is."""
    def index_sample(
        self, index: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """For each row, the elements of that row of x at the positions in the row of index."""
    @overload
    def index_select(
        self,
        index: _AnyTensor,
        axis: int | Sequence[int] = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The slices of x along `axis` that a vector of positions names."""
    @overload
    def index_select(
        self,
        index: _AnyTensor,
        dim: int | Sequence[int] = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The slices of x along `axis` that a vector of positions names."""
    def inner(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """The sum of products over the last axes of x and y; the plain product if one has one element."""
    def inverse(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The matrix that gives the identity when it is multiplied by x."""
    def is_complex(self) -> bool:
        """Whether the dtype is a complex one."""
    def is_empty(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether x has no elements, as a 0-D bool tensor."""
    def is_floating_point(self) -> bool:
        """Whether the dtype is a floating-point one."""
    def is_integer(self) -> bool:
        """Whether the dtype is an integer one."""
    def is_tensor(self) -> bool:
        """Whether x is a Tensor, or a Variable of a Program."""
    @overload
    def isclose(
        self,
        y: _AnyTensor,
        rtol: float | Tensor = 1e-05,
        atol: float | Tensor = 1e-08,
        equal_nan: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Whether |x - y| <= atol + rtol · |y|, element by element."""
    @overload
    def isclose(
        self,
        other: _AnyTensor,
        rtol: float | Tensor = 1e-05,
        atol: float | Tensor = 1e-08,
        equal_nan: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Whether |x - y| <= atol + rtol · |y|, element by element."""
    def isfinite(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether each element is neither NaN nor infinite."""
    @overload
    def isin(
        self,
        test_x: _AnyTensor,
        assume_unique: bool = False,
        invert: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Whether each element of x is among those of test_x; with `invert`, whether it is not."""
    @overload
    def isin(
        self,
        test_elements: _AnyTensor,
        assume_unique: bool = False,
        invert: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Whether each element of x is among those of test_x; with `invert`, whether it is not."""
    def isinf(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether each element is infinite."""
    def isnan(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether each element is NaN."""
    def isneginf(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether each element is minus infinity."""
    def isposinf(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether each element is plus infinity."""
    def isreal(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether each element is a real number, which all but complex ones are."""
    def kron(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The Kronecker product: y times each element of x, in blocks."""
    def kthvalue(
        self, k: int, axis: int | None = None, keepdim: bool = False, name: str | None = None
    ) -> tuple[Variable, Variable]:
        """The k-th smallest element along `axis` (the last one if None), and its position."""
    @overload
    def lcm(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The least common multiple, never negative."""
    @overload
    def lcm(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The least common multiple, never negative."""
    @overload
    def lcm_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`lcm`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def lcm_(self, other: _AnyTensor, name: str | None = None) -> Variable:
        """`lcm`, with a warning: the result is a new Variable, and x stays as it is."""
    def ldexp(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """x times 2ʸ, in float32, or in float64 if one of them is."""
    def ldexp_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`ldexp`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def le(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether x is at most y."""
    @overload
    def le(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is at most y."""
    def le_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`le`, with a warning: the result is a new Variable, and x stays as it is."""
    def lerp(self, y: _AnyTensor, weight: _AnyTensor | float, name: str | None = None) -> Variable:
        """The point between x and y at `weight`, a number or a tensor: 0 gives x, 1 gives y."""
    def lerp_(self, y: _AnyTensor, weight: _AnyTensor, name: str | None = None) -> Variable:
        """`lerp`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def less(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is less than y."""
    @overload
    def less(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is less than y."""
    def less_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`less`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def less_equal(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is at most y."""
    @overload
    def less_equal(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is at most y."""
    def less_equal_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`less_equal`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def less_than(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is less than y."""
    @overload
    def less_than(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is less than y."""
    def less_than_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`less_than`, with a warning: the result is a new Variable, and x stays as it is."""
    def lgamma(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The natural logarithm of the absolute value of the gamma function."""
    def lgamma_(self, name: str | None = None) -> Variable:
        """`lgamma`, with a warning: the result is a new Variable, and x stays as it is."""
    def log(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The natural logarithm of every element."""
    def log10(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The logarithm to base 10 of every element."""
    def log10_(self, name: str | None = None) -> Variable:
        """`log10`, with a warning: the result is a new Variable, and x stays as it is."""
    def log1p(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The natural logarithm of 1 + x for every element, exact also where x is tiny."""
    def log1p_(self, name: str | None = None) -> Variable:
        """`log1p`, with a warning: the result is a new Variable, and x stays as it is."""
    def log2(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The logarithm to base 2 of every element."""
    def log2_(self, name: str | None = None) -> Variable:
        """`log2`, with a warning: the result is a new Variable, and x stays as it is."""
    def log_(self, name: str | None = None) -> Variable:
        """`log`, with a warning: the result is a new Variable, and x stays as it is."""
    def logaddexp(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """ln(eˣ + eʸ), without overflow: the larger one plus ln(1 + e to the minus difference)."""
    def logcumsumexp(
        self,
        axis: int | Sequence[int] | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """The logarithm of the sum of exponentials up to each place along `axis`."""
    @overload
    def logical_and(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x and y are both true."""
    @overload
    def logical_and(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x and y are both true."""
    def logical_and_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`logical_and`, with a warning: the result is a new Variable, and x stays as it is."""
    def logical_not(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The opposite of every element's truth."""
    def logical_not_(self, name: str | None = None) -> Variable:
        """`logical_not`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def logical_or(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x or y is true."""
    @overload
    def logical_or(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x or y is true."""
    def logical_or_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`logical_or`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def logical_xor(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether one of x and y is true."""
    @overload
    def logical_xor(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether one of x and y is true."""
    def logical_xor_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`logical_xor`, with a warning: the result is a new Variable, and x stays as it is."""
    def logit(
        self, eps: float | None = None, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The inverse of sigmoid; x is limited to [eps, 1 - eps] first, if eps is given."""
    def logit_(self, eps: float | None = None, name: str | None = None) -> Variable:
        """`logit`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def logsumexp(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The logarithm of the sum of exponentials over `axis`, without overflow."""
    @overload
    def logsumexp(
        self,
        dim: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The logarithm of the sum of exponentials over `axis`, without overflow."""
    @overload
    def lt(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether x is less than y."""
    @overload
    def lt(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x is less than y."""
    def lt_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`lt`, with a warning: the result is a new Variable, and x stays as it is."""
    def masked_fill(
        self, mask: _AnyTensor, value: _AnyTensor | float, name: str | None = None
    ) -> Variable:
        """x with one value, a number or a tensor of one element, where the mask holds."""
    def masked_fill_(
        self, mask: _AnyTensor, value: _AnyTensor, name: str | None = None
    ) -> Variable:
        """`masked_fill`, with a warning: the result is a new Variable, and x stays as it is."""
    def masked_scatter(
        self, mask: _AnyTensor, value: _AnyTensor, name: str | None = None
    ) -> Variable:
        """x with the elements of value, in their order, where the mask holds."""
    def masked_scatter_(
        self, mask: _AnyTensor, value: _AnyTensor, name: str | None = None
    ) -> Variable:
        """`masked_scatter`, with a warning: the result is a new Variable, and x stays as it is."""
    def masked_select(
        self, mask: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The elements of x where the mask holds, in one row; x and mask broadcast."""
    @overload
    def matmul(
        self,
        y: _AnyTensor,
        transpose_x: bool = False,
        transpose_y: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x and a column of y."""
    @overload
    def matmul(
        self,
        other: _AnyTensor,
        transpose_x: bool = False,
        transpose_y: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x and a column of y."""
    def matrix_power(
        self, n: int, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The matrix multiplied by itself n times; of a negative n, its inverse."""
    def matrix_transpose(self, name: str | None = None) -> Variable:
        """The last two axes exchanged."""
    def max(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The largest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def maximum(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The larger of x and y, element by element; equal elements share the gradient."""
    @overload
    def maximum(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The larger of x and y, element by element; equal elements share the gradient."""
    @overload
    def mean(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
    ) -> Variable:
        """The arithmetic mean over `axis` (all axes if None); of integers, without its fraction."""
    @overload
    def mean(
        self,
        dim: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
    ) -> Variable:
        """The arithmetic mean over `axis` (all axes if None); of integers, without its fraction."""
    @overload
    def median(
        self,
        axis: int | None = None,
        keepdim: bool = False,
        mode: str = "avg",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Any:
        """The median over `axis` (all elements if None), NaN if there is one; of an even number the mean of the two middle elements, or with mode "min" the lower one, with its position if there is an axis."""
    @overload
    def median(
        self,
        dim: int | None = None,
        keepdim: bool = False,
        mode: str = "avg",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Any:
        """The median over `axis` (all elements if None), NaN if there is one; of an even number the mean of the two middle elements, or with mode "min" the lower one, with its position if there is an axis."""
    def min(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The smallest element over `axis` (all axes if None); ties share the gradient."""
    @overload
    def minimum(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The smaller of x and y, element by element; equal elements share the gradient."""
    @overload
    def minimum(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The smaller of x and y, element by element; equal elements share the gradient."""
    def mm(self, mat2: _AnyTensor, name: str | None = None) -> Variable:
        """The matrix product, as matmul."""
    @overload
    def mod(
        self, y: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """What is left of x after dividing by y, with the sign of y."""
    @overload
    def mod(
        self, other: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """What is left of x after dividing by y, with the sign of y."""
    def mod_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`mod`, with a warning: the result is a new Variable, and x stays as it is."""
    def mode(
        self, axis: int = -1, keepdim: bool = False, name: str | None = None
    ) -> tuple[Variable, Variable]:
        """The most frequent element along `axis`, the smallest of several, and where it stands last."""
    def moveaxis(
        self, source: int | Sequence[int], destination: int | Sequence[int], name: str | None = None
    ) -> Variable:
        """Axes moved to other places, the others in their order."""
    def msort(self, *, out: Tensor | None = None) -> Variable:
        """The elements in order along the first axis."""
    @overload
    def mul(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """x times y, element by element."""
    @overload
    def mul(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x times y, element by element."""
    @overload
    def mul_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`mul`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def mul_(self, other: _AnyTensor, name: str | None = None) -> Variable:
        """`mul`, with a warning: the result is a new Variable, and x stays as it is."""
    def multi_dot(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The product of several matrices, in the order that costs least."""
    def multinomial(
        self,
        num_samples: float | Tensor = 1,
        replacement: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Categories drawn in proportion to the weights in the last axis of x; int64."""
    @overload
    def multiply(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x times y, element by element."""
    @overload
    def multiply(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x times y, element by element."""
    @overload
    def multiply_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`multiply`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def multiply_(self, other: _AnyTensor, name: str | None = None) -> Variable:
        """`multiply`, with a warning: the result is a new Variable, and x stays as it is."""
    def mv(
        self, vec: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """A matrix times a vector."""
    def nan_to_num(
        self,
        nan: float = 0.0,
        posinf: float | None = None,
        neginf: float | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """x with numbers in place of NaN and the infinities, for which None means the largest float."""
    def nan_to_num_(
        self,
        nan: float = 0.0,
        posinf: float | None = None,
        neginf: float | None = None,
        name: str | None = None,
    ) -> Variable:
        """`nan_to_num`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def nanmean(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        name: str | None = None,
    ) -> Variable:
        """The mean over `axis` (all axes if None) of what is not NaN."""
    @overload
    def nanmean(
        self, dim: int | Sequence[int] | None = None, keepdim: bool = False, name: str | None = None
    ) -> Variable:
        """The mean over `axis` (all axes if None) of what is not NaN."""
    def nanmedian(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        mode: str = "avg",
        name: str | None = None,
    ) -> Any:
        """The median over `axis` (an int or several; all axes if None) of what is not NaN, in x's dtype; see `paddle.median` for mode."""
    def nanquantile(
        self,
        q: _AnyTensor | float,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        interpolation: str = "linear",
    ) -> Variable:
        """The q-quantile over `axis` of what is not NaN; see `paddle.quantile`."""
    def nansum(
        self,
        axis: int | Sequence[int] | None = None,
        dtype: _DTypeLike | None = None,
        keepdim: bool = False,
        name: str | None = None,
    ) -> Variable:
        """The sum over `axis` (all axes if None), NaN counted as 0."""
    def narrow(self, dim: int, start: float | Tensor, length: int) -> Variable:
        """So many slices along an axis, from `start` on; a view."""
    @overload
    def ne(self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether x differs from y."""
    @overload
    def ne(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x differs from y."""
    def ne_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`ne`, with a warning: the result is a new Variable, and x stays as it is."""
    def neg(self, name: str | None = None) -> Variable:
        """Minus x."""
    def neg_(self, name: str | None = None) -> Variable:
        """`neg`, with a warning: the result is a new Variable, and x stays as it is."""
    def negative(self, name: str | None = None) -> Variable:
        """Minus x, which may not be bool."""
    def nextafter(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """The next number that the dtype can hold after x, in the direction of y."""
    def nonzero(self, as_tuple: bool = False, *, out: Tensor | None = None) -> Any:
        """The positions of the elements that are not zero, one row for each; with `as_tuple` one tensor for each axis."""
    @overload
    def norm(
        self,
        p: float | str | None = None,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        out: Tensor | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """The p-norm of a vector (`axis` one axis, or None for all), or of a matrix (two axes)."""
    @overload
    def norm(
        self,
        ord: float | str | None = None,
        dim: int | Sequence[int] | None = None,
        keepdim: bool = False,
        out: Tensor | None = None,
        dtype: _DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """The p-norm of a vector (`axis` one axis, or None for all), or of a matrix (two axes)."""
    @overload
    def not_equal(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x differs from y."""
    @overload
    def not_equal(
        self, other: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Whether x differs from y."""
    def not_equal_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`not_equal`, with a warning: the result is a new Variable, and x stays as it is."""
    def numel(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The number of elements, as a 0-D int64 tensor."""
    @overload
    def outer(
        self, y: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Each element of x times each element of y, as a matrix."""
    @overload
    def outer(
        self, vec2: _AnyTensor, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Each element of x times each element of y, as a matrix."""
    @overload
    def permute(self, dims: int | Sequence[int]) -> Variable:
        """The axes in the order `dims`; another name of transpose."""
    @overload
    def permute(self, *dims: int) -> Variable:
        """The axes in the order `dims`; another name of transpose."""
    def pinv(
        self,
        rcond: float | Tensor = 1e-15,
        hermitian: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The pseudoinverse; singular values below rcond times the largest count as 0."""
    def polygamma(self, n: int, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The n-th derivative of digamma."""
    def polygamma_(self, n: int, name: str | None = None) -> Variable:
        """`polygamma`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def pow(
        self, y: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x to the power of y, a number or a tensor."""
    @overload
    def pow(
        self, exponent: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x to the power of y, a number or a tensor."""
    def pow_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`pow`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def prod(
        self,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Variable:
        """The product over `axis` (all axes if None)."""
    @overload
    def prod(
        self,
        dim: int | Sequence[int] | None = None,
        keepdim: bool = False,
        dtype: _DTypeLike | None = None,
        out: Tensor | None = None,
        name: str | None = None,
    ) -> Variable:
        """The product over `axis` (all axes if None)."""
    def put_along_axis(
        self,
        indices: _AnyTensor,
        values: _AnyTensor | float,
        axis: int,
        reduce: str = "assign",
        include_self: bool = True,
        broadcast: bool = True,
    ) -> Variable:
        """arr with values written at positions along an axis, or joined to what is there:"""
    def put_along_axis_(
        self,
        indices: _AnyTensor,
        values: _AnyTensor,
        axis: int,
        reduce: str = "assign",
        include_self: bool = True,
        broadcast: bool = True,
    ) -> Variable:
        """`put_along_axis`, with a warning: the result is a new Variable, and x stays as it is."""
    def qr(self, mode: str = "reduced", name: str | None = None) -> tuple[Variable, Variable]:
        """x as q @ r: orthonormal columns times an upper triangle; `mode` 'r' gives r alone."""
    @overload
    def quantile(
        self,
        q: _AnyTensor | float,
        axis: int | Sequence[int] | None = None,
        keepdim: bool = False,
        interpolation: str = "linear",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The q-quantile over `axis` (all axes if None), NaN if there is one; several q, a list or a Tensor, give a new first axis."""
    @overload
    def quantile(
        self,
        q: _AnyTensor | float,
        dim: int | Sequence[int] | None = None,
        keepdim: bool = False,
        interpolation: str = "linear",
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The q-quantile over `axis` (all axes if None), NaN if there is one; several q, a list or a Tensor, give a new first axis."""
    def rad2deg(self, name: str | None = None) -> Variable:
        """Radians as degrees: x · 180 / π."""
    def rank(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The number of dimensions, as a 0-D int32 tensor."""
    def ravel(self) -> Variable:
        """All elements in one axis."""
    def reciprocal(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """One over every element."""
    def reciprocal_(self, name: str | None = None) -> Variable:
        """`reciprocal`, with a warning: the result is a new Variable, and x stays as it is."""
    def reduce_as(self, target: _AnyTensor, name: str | None = None) -> Variable:
        """x summed to the shape of target, from which it could have been broadcast."""
    def relu(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Keep positive elements, replace the others by 0."""
    def relu_(self, name: str | None = None) -> Variable:
        """`relu`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def remainder(
        self, y: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """What is left of x after dividing by y, with the sign of y."""
    @overload
    def remainder(
        self, other: _AnyTensor | float, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """What is left of x after dividing by y, with the sign of y."""
    def remainder_(self, y: _AnyTensor, name: str | None = None) -> Variable:
        """`remainder`, with a warning: the result is a new Variable, and x stays as it is."""
    def renorm(self, p: float, axis: int, max_norm: float) -> Variable:
        """x with each slice along an axis made shorter whose p-norm is above max_norm."""
    def renorm_(self, p: float, axis: int, max_norm: float) -> Variable:
        """`renorm`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def repeat_interleave(
        self,
        repeats: int | Tensor,
        axis: int | Sequence[int] | None = None,
        name: str | None = None,
        *,
        output_size: int | None = None,
    ) -> Variable:
        """Each element, or each slice along `axis`, `repeats` times; a tensor of numbers says how often for each slice."""
    @overload
    def repeat_interleave(
        self,
        repeats: int | Tensor,
        dim: int | Sequence[int] | None = None,
        name: str | None = None,
        *,
        output_size: int | None = None,
    ) -> Variable:
        """Each element, or each slice along `axis`, `repeats` times; a tensor of numbers says how often for each slice."""
    @overload
    def reshape(self, shape: _Shape, name: str | None = None) -> Variable:
        """The same elements in another shape; 0 keeps a size, one -1 is worked out."""
    @overload
    def reshape(self, *shape: int, name: str | None = None) -> Variable:
        """The same elements in another shape; 0 keeps a size, one -1 is worked out."""
    def reshape_(self, shape: _Shape, name: str | None = None) -> Variable:
        """`reshape`, with a warning: the result is a new Variable, and x stays as it is."""
    def reverse(
        self, axis: int | Sequence[int], name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x backwards along the axes."""
    @overload
    def roll(
        self,
        shifts: int | Sequence[int],
        axis: int | Sequence[int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The elements moved on by `shifts`, those that fall off at the end put in front."""
    @overload
    def roll(
        self,
        shifts: int | Sequence[int],
        dims: int | Sequence[int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The elements moved on by `shifts`, those that fall off at the end put in front."""
    def rot90(
        self, k: int = 1, axes: int | Sequence[int] = ..., name: str | None = None
    ) -> Variable:
        """x turned by k quarter turns in the plane of two axes, from the first to the second."""
    def round(
        self, decimals: int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Every element to this many digits after the point, halves to the even digit."""
    def round_(self, decimals: int = 0, name: str | None = None) -> Variable:
        """`round`, with a warning: the result is a new Variable, and x stays as it is."""
    def rsqrt(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """One over the square root of every element."""
    def rsqrt_(self, name: str | None = None) -> Variable:
        """`rsqrt`, with a warning: the result is a new Variable, and x stays as it is."""
    def scale(
        self,
        scale: float | Tensor = 1.0,
        bias: float = 0.0,
        bias_after_scale: bool = True,
        act: str | None = None,
        name: str | None = None,
    ) -> Variable:
        """scale · x + bias, or scale · (x + bias) if bias_after_scale is False; then the op `act`."""
    def scale_(
        self,
        scale: float | Tensor = 1.0,
        bias: float = 0.0,
        bias_after_scale: bool = True,
        act: str | None = None,
        name: str | None = None,
    ) -> Variable:
        """`scale`, with a warning: the result is a new Variable, and x stays as it is."""
    def scatter(
        self,
        index: _AnyTensor,
        updates: _AnyTensor,
        overwrite: bool = True,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """x with slices overwritten; without `overwrite`, the named slices are set to 0 first, and then all updates of a slice are added."""
    def scatter_(
        self,
        index: _AnyTensor,
        updates: _AnyTensor,
        overwrite: bool = True,
        name: str | None = None,
    ) -> Variable:
        """`scatter`, with a warning: the result is a new Variable, and x stays as it is."""
    def scatter_add(self, dim: int, index: _AnyTensor, src: _AnyTensor) -> Variable:
        """input with the elements of src added at positions along an axis."""
    def scatter_add_(self, dim: int, index: _AnyTensor, src: _AnyTensor) -> Variable:
        """`scatter_add`, with a warning: the result is a new Variable, and x stays as it is."""
    def scatter_nd(
        self,
        updates: _AnyTensor,
        shape: _Shape,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Zeros of `shape` with updates added where rows of coordinates say."""
    def scatter_nd_add(
        self,
        index: _AnyTensor,
        updates: _AnyTensor,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """x with updates added where rows of coordinates say."""
    def scatter_reduce(
        self,
        dim: int,
        index: _AnyTensor,
        src: _AnyTensor,
        reduce: str,
        *,
        include_self: bool = True,
    ) -> Variable:
        """input with the elements of src joined at positions along an axis: 'sum', 'prod', 'mean', 'amin' or 'amax'."""
    def select_scatter(
        self, values: _AnyTensor, axis: int, index: int, name: str | None = None
    ) -> Variable:
        """x with the slice number `index` of an axis replaced."""
    def sgn(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The sign of real elements; complex ones divided by their absolute value, 0 for 0."""
    def sigmoid(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Squash every element into (0, 1)."""
    def sigmoid_(self, name: str | None = None) -> Variable:
        """`sigmoid`, with a warning: the result is a new Variable, and x stays as it is."""
    def sign(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """-1, 0 or 1: the sign of every element."""
    def signbit(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Whether each element has a minus sign; -0.0 has one."""
    def sin(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The sine of every element, in radians."""
    def sin_(self, name: str | None = None) -> Variable:
        """`sin`, with a warning: the result is a new Variable, and x stays as it is."""
    def sinc(self, name: str | None = None) -> Variable:
        """sin(πx) / (πx), which is 1 at 0."""
    def sinc_(self, name: str | None = None) -> Variable:
        """`sinc`, with a warning: the result is a new Variable, and x stays as it is."""
    def sinh(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The hyperbolic sine of every element: (eˣ − e⁻ˣ) / 2."""
    def sinh_(self, name: str | None = None) -> Variable:
        """`sinh`, with a warning: the result is a new Variable, and x stays as it is."""
    def slice(
        self,
        axes: int | Sequence[int],
        starts: Sequence[int | Tensor] | Tensor,
        ends: Sequence[int | Tensor] | Tensor,
    ) -> Variable:
        """input[start:end] on each of the axes; a view."""
    def slice_scatter(
        self,
        value: _AnyTensor,
        axes: int | Sequence[int],
        starts: Sequence[int | Tensor] | Tensor,
        ends: Sequence[int | Tensor] | Tensor,
        strides: Sequence[int | Tensor] | Tensor,
        name: str | None = None,
    ) -> Variable:
        """x with the part x[start:end:stride, ...] replaced."""
    def slogdet(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The sign of the determinant and the logarithm of its size, stacked."""
    def softmax(
        self, dim: int | None = None, dtype: _DTypeLike | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Positive numbers that sum to 1 along `dim`; without it along the first axis of a tensor of 0, 1 or 3 axes, along the second one of others."""
    @overload
    def solve(
        self,
        y: _AnyTensor,
        left: bool = True,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The z for which x @ z is y, or z @ x if not `left`; y may be a matrix or a vector."""
    @overload
    def solve(
        self,
        B: _AnyTensor,
        left: bool = True,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The z for which x @ z is y, or z @ x if not `left`; y may be a matrix or a vector."""
    def sort(
        self,
        axis: int = -1,
        descending: bool = False,
        stable: bool = False,
        name: str | None = None,
    ) -> Variable:
        """The elements in order along `axis`, the smallest first unless descending."""
    def split(
        self,
        num_or_sections: int | Sequence[int],
        axis: int = 0,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> list[Variable]:
        """Cut x into pieces along an axis: a number of equal ones, or a list of sizes."""
    def sqrt(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The square root of every element."""
    def sqrt_(self, name: str | None = None) -> Variable:
        """`sqrt`, with a warning: the result is a new Variable, and x stays as it is."""
    def square(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Every element times itself."""
    def square_(self, name: str | None = None) -> Variable:
        """`square`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def squeeze(
        self,
        axis: int | Sequence[int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Drop axes of size 1: all of them, or those named (others named are left)."""
    @overload
    def squeeze(
        self,
        dim: int | Sequence[int] | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Drop axes of size 1: all of them, or those named (others named are left)."""
    def squeeze_(
        self, axis: int | Sequence[int] | None = None, name: str | None = None
    ) -> Variable:
        """`squeeze`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def stack(
        self, axis: int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Join tensors of one shape along a new axis."""
    @overload
    def stack(
        self, dim: int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """Join tensors of one shape along a new axis."""
    def stanh(
        self,
        scale_a: float = 0.67,
        scale_b: float = 1.7159,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """A stretched tanh: scale_b · tanh(scale_a · x)."""
    def std(
        self,
        axis: int | Sequence[int] | None = None,
        unbiased: bool = True,
        keepdim: bool = False,
        name: str | None = None,
    ) -> Variable:
        """The standard deviation: the square root of the variance."""
    def strided_slice(
        self,
        axes: int | Sequence[int],
        starts: Sequence[int | Tensor] | Tensor,
        ends: Sequence[int | Tensor] | Tensor,
        strides: Sequence[int | Tensor] | Tensor,
        name: str | None = None,
    ) -> Variable:
        """x[start:end:stride] on each of the axes; a view."""
    @overload
    def sub(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        alpha: float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Variable:
        """x - y, element by element."""
    @overload
    def sub(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        alpha: float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Variable:
        """x - y, element by element."""
    @overload
    def sub_(
        self, y: _AnyTensor, name: str | None = None, *, alpha: float | Tensor = 1
    ) -> Variable:
        """`sub`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def sub_(
        self, other: _AnyTensor, name: str | None = None, *, alpha: float | Tensor = 1
    ) -> Variable:
        """`sub`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def subtract(
        self,
        y: _AnyTensor,
        name: str | None = None,
        *,
        alpha: float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Variable:
        """x - y, element by element."""
    @overload
    def subtract(
        self,
        other: _AnyTensor,
        name: str | None = None,
        *,
        alpha: float | Tensor = 1,
        out: Tensor | None = None,
    ) -> Variable:
        """x - y, element by element."""
    @overload
    def subtract_(
        self, y: _AnyTensor, name: str | None = None, *, alpha: float | Tensor = 1
    ) -> Variable:
        """`subtract`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def subtract_(
        self, other: _AnyTensor, name: str | None = None, *, alpha: float | Tensor = 1
    ) -> Variable:
        """`subtract`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def sum(
        self,
        axis: int | Sequence[int] | None = None,
        dtype: _DTypeLike | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The sum over `axis` (all axes if None); int32 and bool give int64."""
    @overload
    def sum(
        self,
        dim: int | Sequence[int] | None = None,
        dtype: _DTypeLike | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The sum over `axis` (all axes if None); int32 and bool give int64."""
    @overload
    def swapaxes(self, perm: int | Sequence[int], name: str | None = None) -> Variable:
        """x with two axes exchanged; with one list instead, the axes in that order."""
    @overload
    def swapaxes(self, dim0: int, dim1: int) -> Variable:
        """x with two axes exchanged; with one list instead, the axes in that order."""
    @overload
    def swapdims(self, perm: int | Sequence[int], name: str | None = None) -> Variable:
        """x with two axes exchanged; with one list instead, the axes in that order."""
    @overload
    def swapdims(self, dim0: int, dim1: int) -> Variable:
        """x with two axes exchanged; with one list instead, the axes in that order."""
    def t(self, name: str | None = None) -> Variable:
        """The transpose of a matrix; vectors and 0-D tensors as they are."""
    def t_(self, name: str | None = None) -> Variable:
        """`t`, with a warning: the result is a new Variable, and x stays as it is."""
    def take(self, index: _AnyTensor, mode: str = "raise", name: str | None = None) -> Variable:
        """The elements of x, read as one row, at the positions in index; `mode` says what a position outside does: 'raise', 'wrap' around, or 'clip' to the nearest."""
    @overload
    def take_along_axis(
        self, indices: _AnyTensor, axis: int, broadcast: bool = True, *, out: Tensor | None = None
    ) -> Variable:
        """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""
    @overload
    def take_along_axis(
        self, indices: _AnyTensor, dim: int, broadcast: bool = True, *, out: Tensor | None = None
    ) -> Variable:
        """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""
    @overload
    def take_along_dim(
        self, indices: _AnyTensor, axis: int, broadcast: bool = True, *, out: Tensor | None = None
    ) -> Variable:
        """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""
    @overload
    def take_along_dim(
        self, indices: _AnyTensor, dim: int, broadcast: bool = True, *, out: Tensor | None = None
    ) -> Variable:
        """For each place of indices, the element of arr at that position of the axis; with `broadcast` the other axes of both broadcast."""
    def tan(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """The tangent of every element, in radians."""
    def tan_(self, name: str | None = None) -> Variable:
        """`tan`, with a warning: the result is a new Variable, and x stays as it is."""
    def tanh(self, name: str | None = None, *, out: Tensor | None = None) -> Variable:
        """Squash every element into (-1, 1)."""
    def tanh_(self, name: str | None = None) -> Variable:
        """`tanh`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def tensor_split(
        self,
        num_or_indices: int | Sequence[int],
        axis: int | Sequence[int] = 0,
        name: str | None = None,
    ) -> list[Variable]:
        """x cut into this many nearly equal pieces along an axis, or cut at these positions."""
    @overload
    def tensor_split(
        self,
        num_or_indices: int | Sequence[int],
        dim: int | Sequence[int] = 0,
        name: str | None = None,
    ) -> list[Variable]:
        """x cut into this many nearly equal pieces along an axis, or cut at these positions."""
    def tensordot(self, y: _AnyTensor, axes: Any = 2, name: str | None = None) -> Variable:
        """The sum of products over some axes of x and as many of y."""
    @overload
    def tile(self, repeat_times: _Shape, name: str | None = None) -> Variable:
        """Lay copies of x side by side along each axis."""
    @overload
    def tile(self, dims: _Shape, name: str | None = None) -> Variable:
        """Lay copies of x side by side along each axis."""
    @overload
    def topk(
        self,
        k: float | Tensor,
        axis: int | None = None,
        largest: bool = True,
        sorted: bool = True,
        name: str | None = None,
        *,
        out: tuple[Any, Any] | None = None,
    ) -> TopKRetType:
        """The k largest (or smallest) elements along `axis`, in order, and their positions."""
    @overload
    def topk(
        self,
        k: float | Tensor,
        dim: int | None = None,
        largest: bool = True,
        sorted: bool = True,
        name: str | None = None,
        *,
        out: tuple[Any, Any] | None = None,
    ) -> TopKRetType:
        """The k largest (or smallest) elements along `axis`, in order, and their positions."""
    def trace(
        self,
        offset: int = 0,
        axis1: int = 0,
        axis2: int = 1,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """The sum of the diagonal over two axes."""
    @overload
    def transpose(self, perm: int | Sequence[int], name: str | None = None) -> Variable:
        """The axes of x in the order `perm`; of two axes one by one, x with these exchanged."""
    @overload
    def transpose(self, dim0: int, dim1: int) -> Variable:
        """The axes of x in the order `perm`; of two axes one by one, x with these exchanged."""
    def transpose_(self, perm: int | Sequence[int], name: str | None = None) -> Variable:
        """`transpose`, with a warning: the result is a new Variable, and x stays as it is."""
    def trapezoid(
        self,
        x: _AnyTensor | None = None,
        dx: float | Tensor | None = None,
        axis: int = -1,
        name: str | None = None,
    ) -> Variable:
        """The area under a curve through the points (x, y), or with steps of dx between them."""
    def tril(
        self, diagonal: int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x with zeros above a diagonal: the main one, or the k-th above it."""
    def tril_(self, diagonal: int = 0, name: str | None = None) -> Variable:
        """`tril`, with a warning: the result is a new Variable, and x stays as it is."""
    def triu(
        self, diagonal: int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> Variable:
        """x with zeros below a diagonal: the main one, or the k-th above it."""
    def triu_(self, diagonal: int = 0, name: str | None = None) -> Variable:
        """`triu`, with a warning: the result is a new Variable, and x stays as it is."""
    def true_divide(self, other: _AnyTensor, *, out: Tensor | None = None) -> Variable:
        """x / y, as divide."""
    def trunc(self, name: str | None = None) -> Variable:
        """Every element without its digits after the point."""
    def trunc_(self, name: str | None = None) -> Variable:
        """`trunc`, with a warning: the result is a new Variable, and x stays as it is."""
    @overload
    def unbind(
        self, axis: int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> list[Variable]:
        """The slices of a tensor along an axis, without that axis; views of its memory."""
    @overload
    def unbind(
        self, dim: int = 0, name: str | None = None, *, out: Tensor | None = None
    ) -> list[Variable]:
        """The slices of a tensor along an axis, without that axis; views of its memory."""
    @overload
    def unflatten(
        self, axis: int | Sequence[int], shape: _Shape, name: str | None = None
    ) -> Variable:
        """One axis of x as several; one of the sizes may be -1."""
    @overload
    def unflatten(
        self, dim: int | Sequence[int], sizes: _Shape, name: str | None = None
    ) -> Variable:
        """One axis of x as several; one of the sizes may be -1."""
    @overload
    def unfold(self, axis: int, size: int, step: int, name: str | None = None) -> Variable:
        """All windows of `size` elements along an axis, one each `step`; they are the last axis."""
    @overload
    def unfold(self, dimension: int, size: int, step: int, name: str | None = None) -> Variable:
        """All windows of `size` elements along an axis, one each `step`; they are the last axis."""
    def unique(
        self,
        return_index: bool = False,
        return_inverse: bool = False,
        return_counts: bool = False,
        axis: int | None = None,
        dtype: _DTypeLike = "int64",
        sorted: bool = True,
        name: str | None = None,
    ) -> Any:
        """The different elements in order (or the different slices along `axis`); on demand also where each stands first, which of them each element is, and how often each occurs."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: bool = False,
        return_counts: bool = False,
        axis: int | None = None,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
    ) -> Any:
        """The first element (or slice along `axis`) of each run of equal ones; on demand also the run of each element, and how long each run is."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: bool = False,
        return_counts: bool = False,
        dim: int | None = None,
        dtype: _DTypeLike = "int64",
        name: str | None = None,
    ) -> Any:
        """The first element (or slice along `axis`) of each run of equal ones; on demand also the run of each element, and how long each run is."""
    @overload
    def unsqueeze(self, axis: int | Sequence[int], name: str | None = None) -> Variable:
        """Insert axes of size 1 at these positions, one after the other."""
    @overload
    def unsqueeze(self, dim: int | Sequence[int], name: str | None = None) -> Variable:
        """Insert axes of size 1 at these positions, one after the other."""
    def unsqueeze_(self, axis: int | Sequence[int], name: str | None = None) -> Variable:
        """`unsqueeze`, with a warning: the result is a new Variable, and x stays as it is."""
    def unstack(self, axis: int = 0, num: int | None = None) -> list[Variable]:
        """The slices of a tensor along an axis, without that axis."""
    def vander(
        self, n: int | None = None, increasing: bool = False, name: str | None = None
    ) -> Variable:
        """The powers of a vector's elements as columns: xⁿ⁻¹, ..., x, 1, or the other way round."""
    @overload
    def var(
        self,
        axis: int | Sequence[int] | None = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        correction: float = 1,
        out: Tensor | None = None,
    ) -> Variable:
        """The variance over `axis` (all axes if None), divided by n - correction."""
    @overload
    def var(
        self,
        dim: int | Sequence[int] | None = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        name: str | None = None,
        *,
        correction: float = 1,
        out: Tensor | None = None,
    ) -> Variable:
        """The variance over `axis` (all axes if None), divided by n - correction."""
    @overload
    def view(self, shape_or_dtype: _Shape | _DTypeLike, name: str | None = None) -> Variable:
        """The same memory in another shape, or its bits read as another dtype; x itself for its own."""
    @overload
    def view(self, size: _Shape | _DTypeLike, name: str | None = None) -> Variable:
        """The same memory in another shape, or its bits read as another dtype; x itself for its own."""
    @overload
    def view(self, *shape_or_dtype: int, name: str | None = None) -> Variable:
        """The same memory in another shape, or its bits read as another dtype; x itself for its own."""
    def view_as(self, other: _AnyTensor, name: str | None = None) -> Variable:
        """The same memory in the shape of another tensor."""
    def vsplit(
        self, num_or_indices: int | Sequence[int], name: str | None = None
    ) -> list[Variable]:
        """x cut along the first axis."""
    @overload
    def where(
        self,
        x: _AnyTensor | float | None = None,
        y: _AnyTensor | float | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Elements of x where the condition holds, of y elsewhere; numbers count as 0-D tensors."""
    @overload
    def where(
        self,
        input: _AnyTensor | float | None = None,
        other: _AnyTensor | float | None = None,
        name: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Variable:
        """Elements of x where the condition holds, of y elsewhere; numbers count as 0-D tensors."""

def accuracy(
    input: _AnyTensor, label: _AnyTensor, k: int = 1, correct: Any = None, total: Any = None
) -> Variable:
    """The part of the rows of scores whose label is among the k highest."""

def append_backward(
    loss: _AnyTensor,
    parameter_list: Any = None,
    no_grad_set: Any = None,
    callbacks: Any = None,
    checkpoints: Any = None,
    distop_context: Any = None,
) -> list[tuple[Parameter, Variable]]:
    """Add the operators that compute the gradient of `loss`; (parameter, gradient) pairs."""

def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """The host, as many times as asked, or as the environment variable CPU_NUM says."""

def create_global_var(
    shape: _Shape,
    value: float,
    dtype: _DTypeLike,
    persistable: bool = False,
    force_cpu: bool = False,
    name: str | None = None,
) -> Variable:
    """A Variable with one value everywhere, kept in the scope; startup fills it."""

def create_parameter(
    shape: _Shape,
    dtype: _DTypeLike,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Callable[..., Any] | None = None,
) -> Parameter:
    """A parameter of the default main Program, filled by the startup Program."""

def cuda_places(device_ids: Sequence[int] | None = None) -> list[CUDAPlace]:
    """The CUDA devices of these numbers, or all of them."""

def data(
    name: str, shape: Sequence[int | None], dtype: _DTypeLike | None = None, lod_level: int = 0
) -> Variable:
    """Declare an input of the Program, to be fed at each run; None or -1: any size."""

def default_main_program() -> Program:
    """The Program that ops are added to when no `program_guard` names another."""

def default_startup_program() -> Program:
    """The Program that initializes parameters; run it once before the main one."""

def device_guard(device: str | None = None) -> Guard:
    """Note a device, such as "cpu" or "gpu:0", in the `op_device` of the operators built inside."""

def disable_static(place: _PlaceLike | None = None) -> None:
    """Let op calls compute at once again, from now on at this place if one is given."""

def enable_static() -> None:
    """Let op calls build a Program from now on instead of computing; see `static.Executor`."""

def global_scope() -> Scope:
    """The Scope that an Executor uses unless told otherwise."""

def gradients(
    targets: _AnyTensor | Sequence[_AnyTensor],
    inputs: _AnyTensor,
    target_gradients: _AnyTensor | Sequence[_AnyTensor] | None = None,
    no_grad_set: Any = None,
) -> list[Variable | None]:
    """Add the operators that compute d(sum of targets)/d(inputs); the gradients' Variables."""

def in_dynamic_mode() -> bool:
    """Whether op calls compute at once here, which is the default."""

def load(
    program: Program, model_path: str, executor: Executor | None = None, var_list: Any = None
) -> Any:
    """Put what `save` wrote, here or in Paddle, into the global scope: of all, or of var_list."""

def load_program_state(model_path: str, var_list: Any = None) -> dict[str, Any]:
    """All arrays that `save` wrote, by name; `var_list` was for older files and changes nothing."""

def name_scope(prefix: str | None = None) -> Guard:
    """Note a name in the `op_namescope` of the operators built inside; scopes may be nested."""

def program_guard(main_program: Program, startup_program: Program | None = None) -> Guard:
    """Build into these programs inside the block, in this thread or task."""

def py_func(
    func: Callable[..., Any],
    x: _AnyTensor,
    out: Tensor,
    backward_func: Any = None,
    skip_vars_in_backward_input: Any = None,
) -> Tensor:
    """Add an operator that calls `func(*x)` when the Program runs, and gives what `out` is."""

def reset_default_programs() -> None:
    """Forget what was built by default: fresh default programs, as at the start of a process."""

def reset_global_scope() -> None:
    """Forget all values, as at the start of a process."""

def save(program: Program, model_path: str, protocol: int = 4, **configs: Any) -> None:
    """Write a Program's parameters to model_path.pdparams, its optimizer's values to .pdopt."""

def scope_guard(scope: Scope) -> Guard:
    """Use this Scope inside the block, in this thread or task."""

def set_program_state(program: Program, state_dict: dict[str, Any]) -> None:
    """Put arrays into the global scope, by name; names that the Program lacks are warned of."""

def setitem(x: Variable, index: Any, value: Any) -> Tensor:
    """x with a value, a number, an array or a Variable, written at x[index]."""
