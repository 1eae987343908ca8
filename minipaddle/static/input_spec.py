"""InputSpec: shape, dtype and name of an input without a Program."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.dtypes import DType
from ..engine.errors import InvalidArgument
from ..engine.tensor import Tensor
from ..errors import misfit
from ..ops.arguments import as_list
from .block import check_shape
from .checks import require_type
from .variable import Variable


class InputSpec:
    """Shape, dtype and name of an input without a Program.

    Source: Paddle's `paddle.static.InputSpec`.

    Errors: TypeError for a shape that is not a list or tuple.

    >>> InputSpec([None, 4], "float32", "x")
    InputSpec(shape=(-1, 4), dtype=paddle.float32, name=x, stop_gradient=False)
    """

    def __init__(
        self,
        shape: Any,
        dtype: Any = "float32",
        name: str | None = None,
        stop_gradient: bool = False,
    ) -> None:
        require_type(shape, (list, tuple), "shape", "InputSpec")
        self.shape = check_shape([-1 if n is None else n for n in shape], "InputSpec")
        self.dtype = DType.of(dtype)
        self.name = name
        self.stop_gradient = stop_gradient

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> InputSpec:
        """Describe a Tensor or Variable, by its name unless another is given."""
        require_type(tensor, (Tensor, Variable), "tensor", "InputSpec.from_tensor", InvalidArgument)
        return cls(tuple(tensor.shape), tensor.dtype, name or tensor.name)

    @classmethod
    def from_numpy(cls, ndarray: Any, name: str | None = None) -> InputSpec:
        """Describe a NumPy array."""
        require_type(ndarray, (np.ndarray, np.generic), "ndarray", "InputSpec.from_numpy")
        return cls(ndarray.shape, ndarray.dtype, name)

    def batch(self, batch_size: int | list[int] | tuple[int, ...]) -> InputSpec:
        """Insert a first axis of this size, in place."""
        sizes = as_list(batch_size)
        if len(sizes) != 1:
            raise misfit("InputSpec.batch", "one size", batch_size=batch_size)
        self.shape = (*check_shape(sizes, "InputSpec.batch"), *self.shape)
        return self

    def unbatch(self) -> InputSpec:
        """Remove the first axis, in place."""
        if not self.shape:
            raise misfit("InputSpec.unbatch", "at least one axis", shape=self.shape)
        self.shape = self.shape[1:]
        return self

    def _key(self) -> Any:
        return self.shape, self.dtype, self.name, self.stop_gradient

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InputSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.shape, self.dtype.name, self.name))

    def __repr__(self) -> str:
        return (
            f"InputSpec(shape={self.shape}, dtype={self.dtype}, name={self.name}, "
            f"stop_gradient={self.stop_gradient})"
        )
