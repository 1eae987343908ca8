"""Copies from one device to another, with gradients."""

from __future__ import annotations

from typing import Any

from ...device import CPUPlace, place_of
from ...engine.meta import unchanged
from ..op_spec import internal
from ..record import Formula, sample

CPU = CPUPlace()


@internal(
    infer=unchanged,
    formula=Formula("y = x", symbol=lambda attrs: f"to {attrs['place']}"),
    samples=(sample((2, 3), place=CPU, back=CPU),),
)
def copy_to(xp: Any, x: Any, *, place: Any, back: Any) -> Any:
    """A copy of x on the device `place`; `back` is the device of x."""
    return place.put(x).copy() if place == back else place.put(x)


copy_to.grad(lambda F, dout, *, place, back: F.copy_to(dout, place=back, back=place))


def move(x: Any, place: Any) -> Any:
    """Return the Tensor on a device; the Tensor itself if it is there already."""
    here = place_of(x._data)
    return x if here == place else copy_to.call(x, place=place, back=here)
