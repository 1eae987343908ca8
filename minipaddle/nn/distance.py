"""Distances between two tensors as layers."""

from __future__ import annotations

from . import functional as F
from .function_layer import FunctionLayer


class PairwiseDistance(FunctionLayer, function=F.pairwise_distance, inputs=("x", "y")):
    """The p-norm of x - y + epsilon along the last axis.

    >>> import minipaddle as paddle
    >>> distance = paddle.nn.PairwiseDistance(epsilon=0.0)
    >>> distance(paddle.zeros([1, 2]), paddle.to_tensor([[3.0, 4.0]])).tolist()
    [5.0]
    """

    def extra_repr(self) -> str:
        settings = [f"p={self.p}"]
        settings += [f"epsilon={self.epsilon}"] * (self.epsilon != 1e-6)
        settings += [f"keepdim={self.keepdim}"] * bool(self.keepdim)
        return ", ".join(settings + [f"name={self.name}"] * bool(self.name))


class CosineSimilarity(FunctionLayer, function=F.cosine_similarity, inputs=("x1", "x2")):
    """The cosine of the angle between two tensors along an axis.

    >>> import minipaddle as paddle
    >>> paddle.nn.CosineSimilarity()(paddle.ones([1, 4]), paddle.ones([1, 4])).tolist()
    [1.0]
    """

    _stored = "_{}"
