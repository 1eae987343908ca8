# Written by docs/make_stubs.py; do not edit.

from minipaddle.nn.function_layer import FunctionLayer

class Dropout2D(FunctionLayer):
    """Drop whole channels of images with probability p, in training only."""
    def __init__(
        self, p: float = 0.5, data_format: str = "NCHW", name: str | None = None
    ) -> None: ...

class Dropout3D(FunctionLayer):
    """Drop whole channels of x [N, C, D, H, W], in training only."""
    def __init__(
        self, p: float = 0.5, data_format: str = "NCDHW", name: str | None = None
    ) -> None: ...

class AlphaDropout(FunctionLayer):
    """Dropout that keeps mean 0 and variance 1, to go with SELU; in training only."""
    def __init__(self, p: float = 0.5, name: str | None = None) -> None: ...

class FeatureAlphaDropout(FunctionLayer):
    """AlphaDropout of whole channels of x [N, C, ...], in training only."""
    def __init__(self, p: float = 0.5, name: str | None = None) -> None: ...
