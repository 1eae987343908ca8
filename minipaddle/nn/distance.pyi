# Written by docs/make_stubs.py; do not edit.

from minipaddle.nn.function_layer import FunctionLayer

class PairwiseDistance(FunctionLayer):
    """The p-norm of x - y + epsilon along the last axis."""
    def __init__(
        self, p: float = 2.0, epsilon: float = 1e-06, keepdim: bool = False, name: str | None = None
    ) -> None: ...

class CosineSimilarity(FunctionLayer):
    """The cosine of the angle between two tensors along an axis."""
    def __init__(self, axis: int = 1, eps: float = 1e-08) -> None: ...
