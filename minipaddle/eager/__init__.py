"""Tensors in dynamic mode: their constructors, methods, in-place forms and printed text."""

from . import tensor as tensor  # the import gives Tensor its methods
