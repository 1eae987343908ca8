# Written by docs/make_stubs.py; do not edit.

from minipaddle.nn.function_layer import Activation

class ELU(Activation):
    """x, or alpha · (eˣ - 1) where x is negative."""
    def __init__(self, alpha: float = 1.0, name: str | None = None) -> None: ...

class SELU(Activation):
    """elu with the scale that keeps mean 0 and variance 1 from layer to layer."""
    def __init__(self, scale: float = ..., alpha: float = ..., name: str | None = None) -> None: ...

class CELU(Activation):
    """elu with a slope of 1 at 0 for every alpha."""
    def __init__(self, alpha: float = 1.0, name: str | None = None) -> None: ...

class GELU(Activation):
    """x times the share of a normal distribution below x."""
    def __init__(self, approximate: bool = False, name: str | None = None) -> None: ...

class Silu(Activation):
    """x · sigmoid(x)."""
    def __init__(self, inplace: bool = False, name: str | None = None) -> None: ...

class Swish(Activation):
    """x · sigmoid(x), the other name of Silu."""
    def __init__(self, name: str | None = None) -> None: ...

class Mish(Activation):
    """x · tanh(softplus(x))."""
    def __init__(self, name: str | None = None) -> None: ...

class Softplus(Activation):
    """ln(1 + e^(beta · x)) / beta: a smooth relu."""
    def __init__(self, beta: float = 1, threshold: float = 20, name: str | None = None) -> None: ...

class Softsign(Activation):
    """x / (1 + |x|)."""
    def __init__(self, name: str | None = None) -> None: ...

class Sigmoid(Activation):
    """1 / (1 + e⁻ˣ)."""
    def __init__(self, name: str | None = None) -> None: ...

class LogSigmoid(Activation):
    """ln sigmoid(x)."""
    def __init__(self, name: str | None = None) -> None: ...

class Tanh(Activation):
    """tanh x."""
    def __init__(self, name: str | None = None) -> None: ...

class Tanhshrink(Activation):
    """x - tanh x."""
    def __init__(self, name: str | None = None) -> None: ...

class Softmax(Activation):
    """Positive numbers that sum to 1 along `axis`."""
    def __init__(self, axis: int = -1, name: str | None = None) -> None: ...

class LogSoftmax(Activation):
    """The logarithm of softmax along `axis`."""
    def __init__(self, axis: int = -1, name: str | None = None) -> None: ...

class GLU(Activation):
    """The first half of x along `axis`, times sigmoid of the second."""
    def __init__(self, axis: int = -1, name: str | None = None) -> None: ...

class Softmax2D(Activation):
    """softmax over the channels of x [N, C, H, W] or [C, H, W]."""
    def __init__(self, name: str | None = None) -> None: ...

SiLU = Silu
