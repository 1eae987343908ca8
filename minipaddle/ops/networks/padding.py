"""Padding of an array, with a constant or with its own elements."""

from __future__ import annotations

from typing import Any

from ...engine.meta import Meta, no_kernel
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import fill_in_sizes, read_number
from ..indexing.join_at import add_at
from ..op_spec import REQUIRED, internal
from ..record import Formula, Operands, Static, sample


def _source_index(xp: Any, n: int, pair: tuple[int, int], mode: str) -> Any:
    """Return the index among n elements for each position of the padded axis."""
    place = xp.arange(-pair[0], n + pair[1])
    if mode == "circular":
        return place % n
    if mode == "reflect":
        return (n - 1) - abs((n - 1) - abs(place))
    return xp.clip(place, 0, n - 1)


def _index_at(axis: int, what: Any) -> tuple[Any, ...]:
    return (*(slice(None),) * axis, what)


def _inner_slices(shape: Any, pads: Any) -> tuple[slice, ...]:
    """Return the slices of the padded array that contain the array."""
    return tuple(slice(before, before + n) for n, (before, _) in zip(shape, pads, strict=True))


def _pad_infer(x: Meta, *, pads: Any, mode: str, value: Any) -> Meta:
    if x.dtype.char not in "fdilFD":
        wanted = Message("float32, float64, int32, int64 or a complex dtype")
        raise no_kernel("pad", "x", x, wanted)
    for axis, (n, pair) in enumerate(zip(x.shape, pads, strict=True)):
        if n >= 0 and mode == "reflect" and max(pair) > max(n - 1, 0):
            expected = f"at most {n - 1} elements along axis {axis} in {mode} mode"
            raise misfit("pad", expected, x=x, pad=list(pair))
        if n == 0 and max(pair) > 0 and mode != "constant":
            raise errors.empty("pad", axis, x=x)
    sizes = (-1 if n < 0 else n + sum(pair) for n, pair in zip(x.shape, pads, strict=True))
    return Meta(tuple(sizes), x.dtype)


SAMPLES = (
    sample((2, 3), pads=((0, 0), (2, 1)), value=3.0),
    sample((3, 4), pads=((2, 1), (3, 2)), mode="reflect"),
    sample((2, 2, 3), pads=((0, 0), (3, 1), (1, 4)), mode="replicate"),
    sample((1, 3), pads=((1, 0), (4, 2)), mode="circular"),
    sample((0, 2), pads=((1, 1), (0, 0))),
)


def _formula(attrs: dict[str, Any]) -> str:
    """Return the formula of a pad, with the widths of each axis, and what fills them."""
    mode, widths = attrs.get("mode", "constant"), [list(pair) for pair in attrs["pads"]]
    how = f"value={attrs.get('value', 0):g}" if mode == "constant" else f'mode="{mode}"'
    return f"y = pad(x, {widths}, {how})"


def _back_formula(attrs: dict[str, Any]) -> str:
    if attrs.get("mode", "constant") != "constant":
        return "dxᵢ = Σ dyⱼ, j ∈ copies(i)"
    inner = [f"{low or ''}:{-high if high else ''}" for low, high in attrs["pads"]]
    return f"dx = dy[{', '.join(inner)}]"


@internal(
    infer=_pad_infer,
    canon={"value": read_number},
    formula=Formula(_formula, _back_formula),
    samples=SAMPLES,
    static=Static(
        "pad",
        attrs={"pads": "paddings", "value": "pad_value"},
        extra={"paddings": lambda a: [n for pair in a["pads"] for n in pair]},
    ),
)
def pad(xp: Any, x: Any, *, pads: Any, mode: str = "constant", value: float = 0.0) -> Any:
    """x padded before and after along each axis."""
    shape = _pad_infer(Meta(x.shape, x.dtype), pads=pads, mode=mode, value=value).shape
    if mode == "constant":
        result = xp.full(shape, value, x.dtype)
        result[_inner_slices(x.shape, pads)] = x
        return result
    result = x
    for axis, pair in enumerate(pads):
        if any(pair):
            result = result.take(_source_index(xp, x.shape[axis], pair, mode), axis)
    return result.copy() if result is x else result


pad.grad(lambda F, dout, *, pads, mode: F.pad_back(dout, pads=pads, mode=mode))


def _back_infer(x: Meta, *, pads: Any, mode: str) -> Meta:
    sizes = (-1 if n < 0 else n - sum(pair) for n, pair in zip(x.shape, pads, strict=True))
    return Meta(tuple(sizes), x.dtype)


@internal(
    infer=_back_infer,
    formula=Formula("yᵢ = Σ xⱼ, j ∈ copies(i)"),
    samples=(
        sample((4, 6), pads=((1, 0), (2, 1))),
        sample((3, 7), pads=((0, 0), (2, 1)), mode="reflect"),
        sample((5, 4), pads=((1, 2), (0, 1)), mode="replicate"),
        sample((2, 6), pads=((0, 0), (2, 1)), mode="circular"),
    ),
)
def pad_back(xp: Any, x: Any, *, pads: Any, mode: str = "constant") -> Any:
    """The sums of the elements that are copies of the same element; the adjoint of `pad`."""
    shape = _back_infer(Meta(x.shape, x.dtype), pads=pads, mode=mode).shape
    if mode == "constant":
        return x[_inner_slices(shape, pads)].copy()
    result = x
    for axis, pair in enumerate(pads):
        if any(pair):
            whole = list(result.shape)
            whole[axis] = shape[axis]
            total = xp.zeros(whole, x.dtype)
            add_at(xp, total, _index_at(axis, _source_index(xp, shape[axis], pair, mode)), result)
            result = total
    return result.copy() if result is x else result


pad_back.grad(lambda F, dout, *, pads, mode: F.pad(dout, pads=pads, mode=mode))


# ----- widths known only at run time -------------------------------------------------------------


def _as_pairs(places: Any) -> Any:
    return tuple(map(tuple, places))


def _paddings_of(row: Any, places: Any, sizes: list[Any]) -> Any:
    """Return the padding of each axis; `places` are positions in the row from 1, 0 for none."""
    flat = (0, *fill_in_sizes(row, sizes))
    return tuple((flat[i], flat[j]) for i, j in places)


def _open_infer(x: Meta, sizes: list[Meta], *, places: Any, **_attrs: Any) -> Meta:
    known = (n if pair == (0, 0) else -1 for n, pair in zip(x.shape, places, strict=True))
    return Meta(tuple(known), x.dtype)


@internal(
    infer=_open_infer,
    operands=Operands(takes_list=True),
    attributes={"row": REQUIRED, "places": REQUIRED, "mode": "constant", "value": 0.0},
    canon={"value": read_number, "places": _as_pairs},
    formula=Formula("y = pad(x)", "dxᵢ = Σ dyⱼ, j ∈ copies(i)", symbol="pad"),
    samples=(
        sample((2, 3), [(2,)], ints={"sizes": 3}, row=(None, None), places=((0, 0), (2, 1))),
        sample((2, 3), [()], ints={"sizes": 2}, row=(1, None), places=((0, 0), (1, 2))),
    ),
    static=Static("pad3d", slots={"sizes": "Paddings"}, prefix="pad"),
)
def pad_by(xp: Any, x: Any, sizes: list[Any], *, row: Any, places: Any, **how: Any) -> Any:
    """x padded by widths of which some are tensors, in place of None."""
    return pad.kernel(xp, x, pads=_paddings_of(row, places, sizes), **how)


@pad_by.grad
def pad_by_grad(F: Any, dout: Any, sizes: Any, *, row: Any, places: Any, mode: str) -> Any:
    back = F.pad_back_by(dout, [*sizes], row=row, places=places, mode=mode)
    return back, *[None for _ in sizes]


@internal(
    infer=_open_infer,
    operands=Operands(takes_list=True),
    canon={"places": _as_pairs},
    formula=Formula("yᵢ = Σ xⱼ, j ∈ copies(i)", symbol="pad_back"),
    samples=(
        sample((4, 6), [(2,)], ints={"sizes": 3}, row=(None, None), places=((0, 0), (2, 1))),
        sample((4, 6), [()], ints={"sizes": 2}, row=(1, None), places=((0, 0), (1, 2))),
    ),
)
def pad_back_by(
    xp: Any, x: Any, sizes: list[Any], *, row: Any, places: Any, mode: str = "constant"
) -> Any:
    """The sums of the elements that are copies of the same element; the adjoint of `pad_by`."""
    return pad_back.kernel(xp, x, pads=_paddings_of(row, places, sizes), mode=mode)


@pad_back_by.grad
def pad_back_by_grad(F: Any, dout: Any, sizes: Any, *, row: Any, places: Any, mode: str) -> Any:
    out = F.pad_by(dout, [*sizes], row=row, places=places, mode=mode)
    return out, *[None for _ in sizes]
