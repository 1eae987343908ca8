"""Discrete Fourier transforms: Paddle's three kernels, which `paddle.fft` calls.

Half a spectrum is enough for n real numbers: n // 2 + 1 numbers along the last axis, as the others
are their conjugates. `fft_r2c` computes it (`onesided`), and `fft_c2r` reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...engine.meta import Meta, no_kernel
from ..elementwise.complex_numbers import COMPLEX, PARTS_WANTED, REAL, WANTED
from ..op_spec import Kernel, Op, internal
from ..record import Formula, Sample, sample

# norm -> norm of the other direction that has the same factor
OPPOSITE = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def half_size(n: int) -> int:
    """Return the size of half a spectrum of n numbers; it is unknown, -1, if n is."""
    return n if n < 0 else n // 2 + 1


def _transform(name: str, size: Callable[..., int], *samples: Sample) -> Callable[[Kernel], Op]:
    """Register a kernel; `name` says what it reads and gives: r for real numbers, c for complex.

    `size(n, **attrs)` is the size of the last transformed axis, whose size in x is n.
    """
    real_in, real_out = name[-3] == "r", name[-1] == "r"
    wanted, known = (PARTS_WANTED, COMPLEX) if real_in else (WANTED, REAL)

    def infer(x: Meta, *, axes: Any, norm: str, forward: bool, **attrs: Any) -> Meta:
        if x.dtype.char not in known:
            raise no_kernel(name, "x", x, *wanted)
        shape = list(x.shape)
        shape[axes[-1]] = size(shape[axes[-1]], **attrs)
        return Meta(tuple(shape), known[x.dtype.char] if real_in or real_out else x.dtype)

    def letters(attrs: dict[str, Any]) -> str:
        """Return the first letters of the public functions: "r" of rfft and rfftn."""
        half = attrs.get("onesided", False)
        if attrs["forward"]:
            return "h" if real_out else "r" * half
        return "ir" if real_out else "ih" if half else "i"

    def formula(attrs: dict[str, Any]) -> str:
        forward, norm = attrs["forward"], attrs["norm"]
        if len(attrs["axes"]) > 1:
            scale = "" if norm == "backward" else f', norm="{norm}"'
            return f"y = {letters(attrs)}fftn(x, axes={list(attrs['axes'])}{scale})"
        divisor = " / √N" if norm == "ortho" else " / N" * ((norm == "forward") == forward)
        turn = f"exp({'−' * forward}2π · i · j · k / N){divisor}"
        if real_out:
            return f"y[j] = Σ x[k] · {turn}, x[N − k] = conj(x[k])"
        return f"y[k] = Σ x[j] · {turn}{', k ≤ N / 2' * attrs.get('onesided', False)}"

    return internal(
        name,
        infer=infer,
        checked=True,
        formula=Formula(formula, symbol=lambda attrs: f"{letters(attrs)}fft"),
        samples=samples,
    )


@_transform(
    "fft_c2c",
    lambda n: n,
    sample((2, 3), real=False, axes=(1,), norm="backward", forward=True),
    sample((2, 3), real=False, axes=(0, 1), norm="ortho", forward=False),
)
def fft_c2c(xp: Any, x: Any, *, axes: Any, norm: str, forward: bool) -> Any:
    """The spectrum of complex numbers; not `forward`: the numbers of a spectrum."""
    if not x.size:  # NumPy refuses axes without elements
        return x.copy()
    return (xp.fft.fftn if forward else xp.fft.ifftn)(x, axes=axes, norm=norm)


@fft_c2c.grad
def fft_c2c_grad(F: Any, dout: Any, *, axes: Any, norm: str, forward: bool) -> Any:
    return F.fft_c2c(dout, axes=axes, norm=norm, forward=forward)


@_transform(
    "fft_r2c",
    lambda n, onesided: half_size(n) if onesided else n,
    sample((2, 3), axes=(1,), norm="backward", forward=True, onesided=True),
    sample((3, 4), axes=(1, 0), norm="forward", forward=False, onesided=True),
    sample((2, 4), axes=(0, 1), norm="ortho", forward=True, onesided=False),
)
def fft_r2c(xp: Any, x: Any, *, axes: Any, norm: str, forward: bool, onesided: bool) -> Any:
    """The spectrum of real numbers; if `onesided`, half of it along the last axis."""
    if not x.size:
        made = fft_r2c.infer(x, axes=axes, norm=norm, forward=forward, onesided=onesided)
        return xp.zeros(made.shape, made.dtype)
    transform = xp.fft.rfftn if onesided else xp.fft.fftn
    if forward:
        return transform(x, axes=axes, norm=norm)
    return transform(x, axes=axes, norm=OPPOSITE[norm]).conj()


@fft_r2c.grad
def fft_r2c_grad(
    F: Any, dout: Any, x_shape: Any, *, axes: Any, norm: str, forward: bool, onesided: bool
) -> Any:
    if onesided:
        first = _part(axes, 0, half_size(x_shape[axes[-1]]))
        dout = F.put_at(dout, index=first, shape=x_shape)
    return F.real(F.fft_c2c(dout, axes=axes, norm=norm, forward=forward))


def _part(axes: Any, start: int, stop: int) -> tuple[slice, ...]:
    """Return the index of a part of the last transformed axis."""
    return (*[slice(None)] * axes[-1], slice(start, stop))


@_transform(
    "fft_c2r",
    lambda half, last_dim_size: last_dim_size or (half if half < 0 else max(2 * (half - 1), 0)),
    sample((2, 3), real=False, axes=(1,), norm="backward", forward=False, last_dim_size=5),
    sample((3, 3), real=False, axes=(1, 0), norm="ortho", forward=True, last_dim_size=0),
)
def fft_c2r(xp: Any, x: Any, *, axes: Any, norm: str, forward: bool, last_dim_size: int) -> Any:
    """The real numbers of half a spectrum, `last_dim_size` of them along the last axis."""
    how = {"axes": axes, "norm": norm, "forward": forward, "last_dim_size": last_dim_size}
    made = fft_c2r.infer(x, **how)
    if 0 in (*x.shape, *made.shape):
        return xp.zeros(made.shape, made.dtype)
    if forward:
        x, norm = x.conj(), OPPOSITE[norm]
    return xp.fft.irfftn(x, s=[made.shape[axis] for axis in axes], axes=axes, norm=norm)


@fft_c2r.grad
def fft_c2r_grad(F: Any, dout: Any, x_shape: Any, *, axes: Any, norm: str, forward: bool) -> Any:
    half = F.fft_r2c(dout, axes=axes, norm=OPPOSITE[norm], forward=not forward, onesided=True)
    twice = _part(axes, 1, half_size(F.sizes(dout)[axes[-1]] - 1))  # these have conjugates
    return half + F.put_at(F.getitem(half, index=twice), index=twice, shape=x_shape)
