"""Size, the class of `x.shape`."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np


class Size(list):  # type: ignore[type-arg]
    """A shape: a list that also equals the tuple of its sizes, and prints as Paddle's.

    Errors: TypeError for anything that has no elements.
    Source: Paddle's `paddle.Size`.

    >>> Size([2, 3]) == (2, 3), Size([2, 3]).numel()
    (True, 6)
    >>> Size([2, 3])[1:] + (4,)
    paddle.Size([3, 4])
    """

    def __eq__(self, other: object) -> bool:
        return list.__eq__(self, list(other) if isinstance(other, tuple) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return f"paddle.Size({list.__repr__(self)})"

    def __getitem__(self, item: Any) -> Any:
        picked = list.__getitem__(self, item)
        return Size(picked) if isinstance(item, slice) else picked

    def __add__(self, other: Any) -> Size:
        return Size([*self, *other])

    def __radd__(self, other: Any) -> Size:
        return Size([*other, *self])

    def __mul__(self, times: SupportsIndex) -> Size:
        return Size(list.__mul__(self, times))

    __rmul__ = __mul__

    def numel(self) -> int:
        """Return the product of the sizes."""
        return int(np.prod(self, dtype=np.int64))
