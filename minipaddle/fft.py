"""`paddle.fft`: discrete Fourier transforms.

Each transform has three functions, such as `fft` along one axis, `fft2` along two, and `fftn`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .engine.dispatch import store as _store
from .engine.dtypes import get_default as _get_default
from .engine.meta import axis_of as _axis_of
from .errors import require as _require
from .ops import errors as _errors
from .ops.arguments import meta_of as _meta_of
from .ops.arguments import read_axes as _read_axes
from .ops.arguments import to_python as _to_python
from .ops.boundary import accept_names as _accept_names
from .ops.elementwise.complex_numbers import COMPLEX as _COMPLEX
from .ops.making.creation import with_options as _with_options
from .ops.making.ranges import arange as _arange
from .ops.matrices.fourier import OPPOSITE as _OPPOSITE
from .ops.matrices.fourier import half_size as _half_size
from .ops.reference import describe as _describe
from .ops.rule_functions import GRAPH as _F
from .paddle_names import absent

__getattr__ = absent.names(__name__)


def _publish(name: str, function: Callable[..., Any], doc: str) -> None:
    """Publish a function that is made of ops."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    _describe(function, "paddle.fft")
    globals()[name] = _accept_names(function, (name,))


# ----- transforms --------------------------------------------------------------------------------


class _Transform(NamedTuple):
    """A transform, which its three functions share."""

    name: str
    does: str
    forward: bool
    half: bool = False  # the result is half a spectrum
    real: bool = False  # the result is real, and x is half a spectrum

    def run(self, name: str, x: Any, sizes: Any, axes: Any, norm: str, count: int) -> Any:
        """Check the arguments of a function of `count` axes, 0 for any number, and transform x."""
        _errors.require_choice(name, "norm", norm, _OPPOSITE)
        _errors.require_rank(name, count or 1, None, x=x)
        meta = _meta_of(x)
        if sizes is not None:
            sizes = _read_row(name, "n" if count == 1 else "s", sizes, count, positive=True)
            rank = len(meta.shape)
            _require(len(sizes) <= rank, name, f"at most {rank} sizes", s=sizes, x=meta)
        if axes is None:
            axes = -1 if count == 1 else range(-len(meta.shape if sizes is None else sizes), 0)
        row = _read_row(name, "axis" if count == 1 else "axes", axes, count)
        axes, last = tuple(_axis_of(name, meta, axis) for axis in row), 0
        _require(len({*axes}) == len(axes), name, "each axis once", axes=row)
        if sizes is not None:
            _require(len(sizes) == len(axes), name, "lists of one length", s=sizes, axes=row)
            *first, last = sizes
            sizes = (*first, _half_size(last) if self.real else last)
            x = _resize(name, x, dict(zip(axes, sizes, strict=True)))
        if meta.dtype.kind in "iu":
            x = _F.cast(x, dtype=_get_default())
        how = {"axes": axes, "norm": norm, "forward": self.forward}
        if self.real:
            letter = _meta_of(x).dtype.char
            x = _F.cast(x, dtype=_COMPLEX[letter].name) if letter in _COMPLEX else x
            return _F.fft_c2r(x, **how, last_dim_size=last)
        if meta.dtype.kind == "c" and not self.half:
            return _F.fft_c2c(x, **how)
        return _F.fft_r2c(x, **how, onesided=self.half)


def _read_row(name: str, argument: str, value: Any, count: int, *, positive: bool = False) -> Any:
    """Return integers as a tuple: axes, or sizes, which are positive."""
    row = [value] if count == 1 else _to_python(value)
    items = [_to_python(n) for n in row] if isinstance(row, (list, tuple, range)) else [None]
    right = all(isinstance(n, int) and (n > 0 or not positive) for n in items)
    wanted = f"a list of {f'{count} ' * (count > 0)}{'positive ' * positive}ints"
    if count == 1:
        wanted = "a positive int" if positive else "an int"
    _require(right and len(items) == (count or len(items) or 1), name, wanted, **{argument: value})
    return tuple(items)


def _resize(name: str, x: Any, sizes: dict[int, int]) -> Any:
    """Cut x, or pad it with zeros at the end, to these sizes of axes."""
    if unknown := [axis for axis in sizes if x.shape[axis] == -1]:
        raise _errors.unknown_size(name, unknown[0], x=x)
    more = [sizes.get(axis, n) - n for axis, n in enumerate(x.shape)]
    if min(more) < 0:
        x = _F.getitem(
            x, index=tuple(slice(0, sizes[i] if n < 0 else None) for i, n in enumerate(more))
        )
    return _F.pad(x, pads=[(0, max(n, 0)) for n in more]) if max(more) > 0 else x


def _publish_transform(transform: _Transform) -> None:
    """Publish the three functions of a transform."""

    def along_one(
        x: Any,
        n: Any = None,
        axis: Any = -1,
        norm: str = "backward",
        name: str | None = None,
        *,
        out: Any = None,
    ) -> Any:
        return _store(out, transform.run(transform.name, x, n, axis, norm, 1), transform.name)

    def along(function: str, count: int, usual: Any) -> Callable[..., Any]:
        def call(
            x: Any,
            s: Any = None,
            axes: Any = usual,
            norm: str = "backward",
            name: str | None = None,
            *,
            out: Any = None,
        ) -> Any:
            return _store(out, transform.run(function, x, s, axes, norm, count), function)

        return call

    several = f"{transform.name}2", f"{transform.name}n"
    size = "The result has {} there" if transform.real else "x is cut to {} there, or padded"
    kinds = ("float64", "float32") if transform.real else ("complex128", "complex64")
    number = 1.0 + transform.forward
    impulse = [[number**2, 0.0], [0.0, 0.0]]
    for name, function, where, sizes, answer in (
        (transform.name, along_one, "an axis", "the size `n`", [[number, 0.0]] * 2),
        (several[0], along(several[0], 2, (-2, -1)), "two axes", "the sizes `s`", impulse),
        (several[1], along(several[1], 0, None), "all axes or some", "the sizes `s`", impulse),
    ):
        doc = f"""{transform.does} along {where}.

        {size.format(sizes)}. `norm` says which direction divides by the number of elements:
        "backward" the inverse one, "forward" the direct one, "ortho" both by its square root.

        Shapes: for example x {[2, 4 - transform.real]} gives {[2, 4 - transform.half]}.
        Dtypes: float64, complex128 give {kinds[0]}; others give {kinds[1]}.
        Errors: ValueError for a wrong norm, size or axis; RuntimeError for bool, float16.

        >>> paddle.fft.{name}(paddle.ones([2, 2])){"" if transform.real else ".real()"}.tolist()
        {answer}
        """
        _publish(name, function, doc)


for _transform in (
    _Transform("fft", "The discrete Fourier transform", True),
    _Transform("ifft", "The inverse discrete Fourier transform", False),
    _Transform("rfft", "Half the spectrum of real numbers", True, half=True),
    _Transform("irfft", "The real numbers that have half a spectrum x", False, real=True),
    _Transform("hfft", "The real spectrum of numbers of which x is half", True, real=True),
    _Transform("ihfft", "Half of the numbers whose spectrum is x", False, half=True),
):
    _publish_transform(_transform)


# ----- frequencies -------------------------------------------------------------------------------


def _publish_frequencies(function: str, numbers: str, answer: list[float], half: bool) -> None:
    def frequencies(
        n: int,
        d: float = 1.0,
        dtype: Any = None,
        name: str | None = None,
        *,
        out: Any = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Any:
        _require(n * d != 0, function, "n and d other than 0", n=n, d=d)
        first, end = (0, n // 2 + 1) if half else (-(n // 2), (n + 1) // 2)
        order = _F.roll(_arange(first, end, dtype=dtype or _get_default()), first)
        made, options = order * (1.0 / (n * d)), {"device": device, "requires_grad": requires_grad}
        return _with_options(made, function, out=out, **options)

    doc = f"""The frequencies of {numbers}.

    `d` is the time between two samples of the signal.

    Shapes: for example n=4 gives [{len(answer)}].
    Dtypes: `dtype`, by default the default dtype, which integers give, too.
    Errors: ValueError if n or d is 0.

    >>> paddle.fft.{function}(4).tolist()
    {answer}
    """
    _publish(function, frequencies, doc)


_FIRST = "a spectrum of n numbers: those from 0 on, then the negative ones"
_publish_frequencies("fftfreq", _FIRST, [0.0, 0.25, -0.5, -0.25], half=False)
_publish_frequencies("rfftfreq", "half a spectrum of n numbers", [0.0, 0.25, 0.5], half=True)


def _publish_shift(function: str, goal: str, answer: list[int], more: int) -> None:
    def shift(x: Any, axes: Any = None, name: str | None = None) -> Any:
        meta, row = _meta_of(x), _read_axes(axes, f"{function}(): axes")
        row = range(len(meta.shape)) if row is None else (row,) if isinstance(row, int) else row
        places = [_axis_of(function, meta, axis) for axis in row if meta.shape]
        if unknown := [axis for axis in places if meta.shape[axis] == -1]:
            raise _errors.unknown_size(function, unknown[0], x=x)
        by = [(meta.shape[axis] + more) // 2 for axis in places]
        return _F.roll(x, by, places) if places else x

    doc = f"""x with all axes, or those in `axes`, rolled so that the frequency 0 is {goal}.

    Shapes: any; the result has the same.
    Dtypes: all kept.
    Errors: ValueError if there is no such axis.

    >>> paddle.fft.{function}(paddle.to_tensor([0, 1, -1])).tolist()
    {answer}
    """
    _publish(function, shift, doc)


_publish_shift("fftshift", "in the middle", [-1, 0, 1], 0)
_publish_shift("ifftshift", "first again", [1, -1, 0], 1)

__all__ = [name for name in globals() if "fft" in name and name[0] != "_"]
