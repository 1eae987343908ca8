"""Windows over an axis: their number, their padding, their elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from ...engine.errors import Unimplemented

Sizes = tuple[int, ...]  # a number for each axis
Pairs = tuple[tuple[int, int], ...]


def cached(function: Callable[..., Any]) -> Callable[..., Any]:
    """Store results by sizes; lists of sizes, as a file has them, are computed anew."""
    stored = lru_cache(maxsize=1000)(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return stored(*args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)

    return call


def out_size(
    n: int, kernel: int, stride: int, pads: tuple[int, int], dilation: int = 1, ceil: bool = False
) -> int:
    """Return the number of windows on an axis of n elements; -1 if n is unknown."""
    if n < 0:
        return -1
    room = n + sum(pads) - dilation * (kernel - 1) - 1
    return (room + (stride - 1 if ceil else 0)) // stride + 1


def resolve(
    padding: Any, sizes: Any, kernel: Any, stride: Any, dilation: Any
) -> tuple[Pairs, tuple[int, ...]]:
    """Return the padding of each axis and the dilation, which "SAME" sets to 1."""
    if padding == "VALID":
        return ((0, 0),) * len(kernel), tuple(dilation)
    if padding != "SAME":
        return tuple(padding), tuple(dilation)
    pairs = tuple(_same_padding(*one) for one in zip(sizes, kernel, stride, strict=True))
    return pairs, (1,) * len(kernel)


def _same_padding(n: int, kernel: int, stride: int) -> tuple[int, int]:
    """Return the padding for n / stride windows, rounded up."""
    if n < 0 and stride > 1:
        raise unknown_size('padding="SAME"')
    total = kernel - 1 if n < 0 else max((-(-n // stride) - 1) * stride + kernel - n, 0)
    return total // 2, total - total // 2


def unknown_size(what: str) -> Exception:
    """Make the error of a derivative that needs sizes unknown in a Program."""
    return Unimplemented(
        f"{what} with a stride above 1 needs to know the size of the image here.",
        expected="known sizes, for the derivative of a derivative in a Program",
        received="a size of -1",
        fix="declare height and width in paddle.static.data; only the batch may be None",
    )


def spell_padding(attrs: dict[str, Any]) -> list[int]:
    """Return the padding of images as a Program spells it."""
    if isinstance(attrs["padding"], str):
        return [0] * len(attrs["stride"])
    before, after = zip(*attrs["padding"], strict=True)
    return [*before] if before == after else [n for pair in attrs["padding"] for n in pair]


def _padding_algorithm(attrs: dict[str, Any]) -> str:
    return attrs["padding"] if isinstance(attrs["padding"], str) else "EXPLICIT"


PADDINGS = {"paddings": spell_padding, "padding_algorithm": _padding_algorithm}


def leftover(n: int, kernel: int, stride: int, pads: tuple[int, int], dilation: int) -> int:
    """Return the number of elements at the end of an axis in no window: the output_padding."""
    if n < 0 and stride > 1:
        raise unknown_size("a convolution")
    return 0 if n < 0 else (n + sum(pads) - dilation * (kernel - 1) - 1) % stride


def overlap(offset: int, n: int, out: int, stride: int) -> tuple[slice, slice]:
    """Return the windows whose element `offset` lies in an axis of n, and these elements."""
    first = max(0, -(offset // stride))
    last = min(out, -((offset - n) // stride))
    if last <= first:
        return slice(0, 0), slice(0, 0)
    start = first * stride + offset
    return slice(first, last), slice(start, start + (last - first - 1) * stride + 1, stride)


@cached
def window_places(
    size: Sizes, kernel: Sizes, pads: Pairs, stride: Sizes, dilation: Sizes
) -> list[tuple[Any, ...]]:
    """Return each position in a window, the windows that have it in the image, the elements there.

    All three are an index for each axis.
    """
    along = (
        [(i, *overlap(i * d - pair[0], n, out_size(n, k, s, pair, d), s)) for i in range(k)]
        for n, k, pair, s, d in zip(size, kernel, pads, stride, dilation, strict=True)
    )
    return [tuple(zip(*place, strict=True)) for place in product(*along)]


class Slide(NamedTuple):
    """Windows over an axis: of size `kernel`, or (adaptive) `kernel` of them over all of it."""

    kernel: int
    stride: int = 1
    pads: tuple[int, int] = (0, 0)
    ceil: bool = False
    adaptive: bool = False

    def count(self, n: int) -> int:
        """Return the number of windows; -1 if the size is unknown."""
        if self.adaptive:
            return n if self.kernel < 0 else self.kernel
        return out_size(n, self.kernel, self.stride, self.pads, 1, self.ceil)

    def spans(self, n: int, inside: bool = True) -> list[tuple[int, int]]:
        """Start and end of each window, within the axis, or within the padded axis."""
        out = self.count(n)
        if self.adaptive:
            return [(i * n // out, -(-(i + 1) * n // out)) for i in range(out)]
        low, high = (0, n) if inside else (-self.pads[0], n + self.pads[1])
        starts = [i * self.stride - self.pads[0] for i in range(out)]
        return [(max(s, low), min(s + self.kernel, high)) for s in starts]

    def steps(self, n: int) -> list[tuple[Any, Any]]:
        """Return for each position in a window the windows that have it, and the elements there."""
        out = self.count(n)
        if self.adaptive and out and n % out:
            spans = self.spans(n)
            groups = []
            for i in range(max(end - start for start, end in spans)):
                here = [o for o, (start, end) in enumerate(spans) if start + i < end]
                groups.append((here, [spans[o][0] + i for o in here]))
            return groups
        plain = Slide(n // out, n // out) if self.adaptive and out else self
        return [overlap(i - plain.pads[0], n, out, plain.stride) for i in range(plain.kernel)]
