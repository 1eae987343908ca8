"""Complex numbers, their parts, and pairs of real numbers in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.meta import Meta, broadcast, no_kernel
from ...errors import require
from ...messages import Message
from .. import errors
from ..catalog import public
from ..op_spec import Kernel, Op, op
from ..record import Formula, Operands, Public, Results, sample

REAL: dict[str, np.dtype[Any]] = {"F": np.dtype("float32"), "D": np.dtype("float64")}
COMPLEX = {kind.char: np.dtype(letter) for letter, kind in REAL.items()}
WANTED = Message("a tensor of complex64 or complex128"), "complex64"
PARTS_WANTED = Message("a tensor of float32 or float64"), "float32"


def _of_complex(formula: str, last: tuple[int, ...] = ()) -> Callable[[Kernel], Op]:
    """Register an op on complex numbers whose result is real, with these further axes."""

    def register(kernel: Kernel) -> Op:
        def infer(x: Meta) -> Meta:
            if x.dtype.kind != "c":
                raise no_kernel(kernel.__name__, "x", x, *WANTED)
            return Meta((*x.shape, *last), REAL[x.dtype.char])

        return op(
            infer=infer,
            checked=True,
            formula=Formula(formula),
            results=Results(view=True),
            samples=(sample((2, 3), real=False), sample((1,), real=False)),
        )(kernel)

    return register


@_of_complex("y = Re(x)")
def real(xp: Any, x: Any) -> Any:
    """The real part of every element; a view.

    >>> paddle.real(paddle.to_tensor([1 + 2j])).tolist()
    [1.0]
    """
    return x.real


real.grad(lambda F, dout: F.complex(dout, F.fill_like(dout, value=0.0)))


@_of_complex("y = Im(x)")
def imag(xp: Any, x: Any) -> Any:
    """The imaginary part of every element; a view.

    >>> paddle.imag(paddle.to_tensor([1 + 2j])).tolist()
    [2.0]
    """
    return x.imag


imag.grad(lambda F, dout: F.complex(F.fill_like(dout, value=0.0), dout))


@_of_complex("y = as_real(x)", (2,))
def as_real(xp: Any, x: Any) -> Any:
    """Every element as a pair, its real and its imaginary part; a view.

    >>> paddle.as_real(paddle.to_tensor([1 + 2j])).tolist()
    [[1.0, 2.0]]
    """
    return xp.ascontiguousarray(x).view(REAL[x.dtype.char]).reshape((*x.shape, 2))


as_real.grad(lambda F, dout: F.as_complex(dout))


def _as_complex_infer(x: Meta) -> Meta:
    if x.dtype.char not in COMPLEX:
        raise no_kernel("as_complex", "x", x, *PARTS_WANTED)
    require(x.shape[-1:] in ((2,), (-1,)), "as_complex", "x [..., 2]", x=x)
    return Meta(x.shape[:-1], COMPLEX[x.dtype.char])


@op(
    infer=_as_complex_infer,
    checked=True,
    formula=Formula("y = as_complex(x)"),
    results=Results(view=True),
    samples=(sample((3, 2)), sample((2,))),
)
def as_complex(xp: Any, x: Any) -> Any:
    """A complex number for each pair along the last axis; a view.

    >>> paddle.as_complex(paddle.to_tensor([[1.0, 2.0]])).tolist()
    [(1+2j)]
    """
    return xp.ascontiguousarray(x).view(COMPLEX[x.dtype.char]).reshape(x.shape[:-1])


as_complex.grad(lambda F, dout: F.as_real(F.conj(dout)))


@public()
def view_as_real(input: Any) -> Any:
    """Every element as a pair, its real and its imaginary part; a view, as `as_real` gives.

    Shapes: for example input [2] gives [2, 2].
    Dtypes: complex64 gives float32, complex128 gives float64.
    Errors: RuntimeError if input is not complex.

    >>> paddle.view_as_real(paddle.to_tensor([1 + 2j])).tolist()
    [[1.0, 2.0]]
    """
    return as_real.call(input)


@public()
def view_as_complex(input: Any) -> Any:
    """A complex number for each pair along the last axis; a view, as `as_complex` gives.

    Shapes: for example input [3, 2] gives [3].
    Dtypes: float32 gives complex64, float64 gives complex128.
    Errors: RuntimeError for other dtypes; ValueError unless the last axis has 2 elements.

    >>> paddle.view_as_complex(paddle.to_tensor([[1.0, 2.0]])).tolist()
    [(1+2j)]
    """
    return as_complex.call(input)


def _complex_infer(real: Meta, imag: Meta) -> Meta:
    if real.dtype != imag.dtype:
        raise errors.other_dtype("complex", real=real, imag=imag)
    if real.dtype.char not in COMPLEX:
        raise no_kernel("complex", "real", real, *PARTS_WANTED)
    return Meta(broadcast("complex", real, imag), COMPLEX[real.dtype.char])


@op(
    infer=_complex_infer,
    checked=True,
    formula=Formula("y = complex(real, imag)"),
    operands=Operands(broadcasts=True),
    samples=(sample((2, 3), (3,)), sample((), ())),
    public=Public(method=False),
)
def complex(xp: Any, real: Any, imag: Any) -> Any:
    """Complex numbers from their real and imaginary parts, which are broadcast.

    >>> paddle.complex(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor(3.0)).tolist()
    [(1+3j), (2+3j)]
    """
    meta = _complex_infer(Meta(real.shape, real.dtype), Meta(imag.shape, imag.dtype))
    parts = [xp.broadcast_to(part, meta.shape) for part in (real, imag)]
    return xp.stack(parts, axis=-1).view(meta.dtype).reshape(meta.shape)


complex.grad(lambda F, dout: (F.real(dout), -F.imag(dout)))
