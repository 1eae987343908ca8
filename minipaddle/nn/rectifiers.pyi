# Written by docs/make_stubs.py; do not edit.

from typing import Any

from minipaddle.nn.function_layer import Activation
from minipaddle.nn.layer import Layer

class ReLU(Activation):
    """max(0, x)."""
    def __init__(self, name: str | None = None) -> None: ...

class ReLU6(Activation):
    """min(max(0, x), 6)."""
    def __init__(self, name: str | None = None) -> None: ...

class LeakyReLU(Activation):
    """x, or negative_slope · x where x is negative."""
    def __init__(self, negative_slope: float = 0.01, name: str | None = None) -> None: ...

class Hardtanh(Activation):
    """x, limited to [min, max]."""
    def __init__(self, min: float = -1.0, max: float = 1.0, name: str | None = None) -> None: ...

class Hardsigmoid(Activation):
    """A line through (0, ½), limited to [0, 1]."""
    def __init__(self, name: str | None = None) -> None: ...

class Hardswish(Activation):
    """0 below -3, x above 3, a parabola between."""
    def __init__(self, name: str | None = None) -> None: ...

class Hardshrink(Activation):
    """x, or 0 where |x| < threshold."""
    def __init__(self, threshold: float = 0.5, name: str | None = None) -> None: ...

class Softshrink(Activation):
    """x, moved towards 0 by the threshold."""
    def __init__(self, threshold: float = 0.5, name: str | None = None) -> None: ...

class ThresholdedReLU(Activation):
    """x, or value where x is not above the threshold."""
    def __init__(
        self, threshold: float = 1.0, value: float = 0.0, name: str | None = None
    ) -> None: ...

class Maxout(Activation):
    """The largest of each `groups` neighbouring channels of x [N, C, H, W]."""
    def __init__(self, groups: int, axis: int = 1, name: str | None = None) -> None: ...

class PReLU(Layer):
    """x, or a learned slope times x where x is not positive: one slope, or one per channel."""
    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        weight_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None: ...

class RReLU(Activation):
    """x, or a random slope of [lower, upper) times x where x is negative; in use their mean."""
    def __init__(
        self, lower: float = 0.125, upper: float = ..., name: str | None = None
    ) -> None: ...
