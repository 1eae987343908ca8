# Written by docs/make_stubs.py; do not edit.

from collections.abc import Sequence
from typing import Any

from minipaddle import Tensor
from minipaddle.nn.spatial import Spatial

class _Pad(Spatial):
    """What the paddings share."""
    def __init__(
        self,
        padding: int | str | Tensor | Sequence[Any],
        mode: str = ...,
        value: float = 0.0,
        data_format: str = "",
        name: str | None = None,
    ) -> None: ...

class Pad1D(_Pad):
    """Lines with more elements at their ends: [left, right]."""
    def __init__(
        self,
        padding: int | str | Tensor | Sequence[Any],
        mode: str = ...,
        value: float = 0.0,
        data_format: str = "NCL",
        name: str | None = None,
    ) -> None: ...

class Pad2D(_Pad):
    """Images with more elements around them: [left, right, top, bottom]."""
    def __init__(
        self,
        padding: int | str | Tensor | Sequence[Any],
        mode: str = ...,
        value: float = 0.0,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None: ...

class ZeroPad2D(_Pad):
    """Images with zeros around them: [left, right, top, bottom]."""
    def __init__(
        self,
        padding: int | str | Tensor | Sequence[Any],
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None: ...
