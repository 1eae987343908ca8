"""Element types: Paddle's names over NumPy's dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import misfit
from . import refusals
from .errors import InvalidArgument, InvalidType


class DType:
    """One element type, as `paddle.float32`; prints like Paddle's and knows its NumPy dtype.

    Errors: TypeError for a name that is not a dtype.
    Source: Paddle's `paddle.dtype`.

    >>> float32
    paddle.float32
    >>> float32 == DType.of("float32")
    True
    """

    __slots__ = ("is_floating", "name", "numpy")

    def __init__(self, name: str) -> None:
        self.name = name
        self.numpy: np.dtype[Any] = np.dtype(name)
        self.is_floating = self.numpy.kind == "f"

    def __repr__(self) -> str:
        return f"paddle.{self.name}"

    @staticmethod
    def of(kind: Any) -> DType:
        """Return the type meant by a DType, a name, a Python type, a NumPy dtype or scalar type."""
        if isinstance(kind, DType):
            return kind
        if isinstance(kind, np.dtype) and kind in _of_numpy:
            return _of_numpy[kind]
        name = kind.removeprefix("paddle.") if isinstance(kind, str) else kind
        try:
            return ALL[name_of(np.dtype(name))]
        except (TypeError, ValueError, KeyError):
            raise refusals.unknown_dtype(kind, ALL) from None


# Whether NumPy's own integers have 32 bits, as memory addresses in WebAssembly have. There they are
# the dtype of Python's integers, of positions, and of counts.
NARROW = np.dtype(np.intp).itemsize < 8


def as_positions(index: Any) -> Any:
    """Return an array for `take`, `repeat` and `bincount`, which if NARROW reject int64."""
    return index.astype(np.intp, copy=False) if NARROW else index


NAMES = "bool uint8 int8 int16 int32 int64 float16 float32 float64 complex64 complex128"
ALL: dict[str, DType] = {name: DType(name) for name in NAMES.split()}
bool_, uint8, int8, int16, int32, int64, float16, float32, float64, complex64, complex128 = (
    ALL.values()
)

_of_numpy: dict[np.dtype[Any], DType] = {dtype.numpy: dtype for dtype in ALL.values()}
_name_of_dtype: dict[np.dtype[Any], str] = {}


def name_of(dtype: np.dtype[Any]) -> str:
    """Return the name of a NumPy dtype, from a cache: NumPy takes 5 us to make it."""
    try:
        return _name_of_dtype[dtype]
    except KeyError:
        return _name_of_dtype.setdefault(dtype, dtype.name)


_default_float = float32


def get_default() -> DType:
    """Return the type that Python floats become."""
    return _default_float


def set_default(d: Any) -> None:
    """Make Python floats become float16, float32 or float64.

    Errors: TypeError for any other dtype.
    Source: Paddle's `paddle.set_default_dtype`.

    >>> paddle.set_default_dtype("float64")
    >>> paddle.ones([1]).dtype
    paddle.float64
    >>> paddle.set_default_dtype("float32")
    """
    global _default_float
    dtype = DType.of(d)
    if not dtype.is_floating:
        fix = "pass dtype= to the call that creates an integer tensor instead"
        expected = "float16, float32 or float64"
        raise misfit("set_default_dtype", expected, InvalidType, fix, d=dtype.name)
    _default_float = dtype


class iinfo:
    """The limits of an integer type: min, max, bits, dtype.

    Errors: ValueError for a dtype that is not an integer.
    Source: Paddle's `paddle.iinfo`.

    >>> import minipaddle as paddle
    >>> paddle.iinfo("int8")
    paddle.iinfo(min=-128, max=127, bits=8, dtype=int8)
    """

    def __init__(self, dtype: Any) -> None:
        kind = DType.of(dtype)
        if kind.numpy.kind not in "iu":
            fix = "paddle.finfo(dtype)" if kind.numpy.kind in "fc" else ""
            raise misfit("iinfo", "an integer type", InvalidArgument, fix, dtype=kind.name)
        limits = np.iinfo(kind.numpy)
        self.min, self.max, self.bits = int(limits.min), int(limits.max), limits.bits
        self.dtype = kind.name

    def __repr__(self) -> str:
        return f"paddle.iinfo(min={self.min}, max={self.max}, bits={self.bits}, dtype={self.dtype})"


class finfo:
    """The limits of a floating-point type: min, max, eps, resolution, tiny, bits, dtype.

    Errors: ValueError for a dtype that is not floating.
    Source: Paddle's `paddle.finfo`.

    >>> import minipaddle as paddle
    >>> paddle.finfo("float32").eps
    1.1920928955078125e-07
    """

    def __init__(self, dtype: Any) -> None:
        kind = DType.of(dtype)
        if kind.numpy.kind not in "fc":
            expected = "a floating-point or complex type"
            fix = "paddle.iinfo(dtype)" if kind.numpy.kind in "iu" else ""
            raise misfit("finfo", expected, InvalidArgument, fix, dtype=kind.name)
        limits = np.finfo(kind.numpy)
        self.min, self.max, self.eps = float(limits.min), float(limits.max), float(limits.eps)
        self.resolution = float(str(limits.resolution))
        self.tiny = self.smallest_normal = float(limits.tiny)
        self.bits, self.dtype = limits.bits, limits.dtype.name

    def __repr__(self) -> str:
        names = ("min", "max", "eps", "resolution", "smallest_normal", "tiny")
        shown = ", ".join(f"{name}={getattr(self, name):g}" for name in names)
        return f"paddle.finfo({shown}, bits={self.bits}, dtype={self.dtype})"
