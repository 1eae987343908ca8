"""Tensors in dynamic mode: their constructors, methods, in-place forms and printed text."""

from . import tensor as tensor  # importing it gives Tensor its methods
