"""Datasets: by position, by iteration, and of Tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..engine import modes
from ..engine.errors import CheckFailed, PreconditionNotMet
from ..errors import require, wrong_mode
from . import errors


class Dataset:
    """Samples by position: define `__getitem__(self, index)` and `__len__(self)`.

    Source: Paddle's `paddle.io.Dataset`.

    Errors: NotImplementedError for a method that the subclass lacks.

    >>> import minipaddle as paddle
    >>> class Squares(paddle.io.Dataset):
    ...     def __getitem__(self, index):
    ...         return float(index), float(index**2)
    ...     def __len__(self):
    ...         return 4
    >>> x, y = next(iter(paddle.io.DataLoader(Squares(), batch_size=4)))
    >>> y.tolist()
    [0.0, 1.0, 4.0, 9.0]
    """

    def __getitem__(self, idx: Any) -> Any:
        raise errors.not_defined(self, "__getitem__")

    def __len__(self) -> int:
        raise errors.not_defined(self, "__len__")


class IterableDataset(Dataset):
    """Samples one after the other: define `__iter__(self)`.

    Source: Paddle's `paddle.io.IterableDataset`.

    Errors: NotImplementedError for a method that the subclass lacks.

    >>> import minipaddle as paddle
    >>> class Count(paddle.io.IterableDataset):
    ...     def __iter__(self):
    ...         yield from range(3)
    >>> [batch.tolist() for batch in paddle.io.DataLoader(Count(), batch_size=2)]
    [[0, 1], [2]]
    """

    def __iter__(self) -> Iterator[Any]:
        raise errors.not_defined(self, "__iter__")

    def __getitem__(self, idx: Any) -> Any:
        raise errors.only_iterates(self, "__getitem__")

    def __len__(self) -> int:
        raise errors.only_iterates(self, "__len__")


class TensorDataset(Dataset):
    """Dataset whose sample i has row i of each Tensor.

    Source: Paddle's `paddle.io.TensorDataset`.

    Errors: AssertionError for Tensors of different lengths.

    >>> import minipaddle as paddle
    >>> rows = paddle.io.TensorDataset([paddle.ones([3, 2]), paddle.arange(3)])
    >>> x, y = rows[2]
    >>> x.tolist(), y.tolist(), len(rows)
    ([1.0, 1.0], 2, 3)
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        if modes.is_static():
            what = "TensorDataset: a Variable has no samples."
            fix = "feed NumPy arrays, or call paddle.disable_static()"
            raise wrong_mode(what, wanted="dynamic", fix=fix, kind=PreconditionNotMet)
        sizes = [list(tensor.shape) for tensor in tensors]
        good = len({size[0] for size in sizes}) == 1
        require(good, "TensorDataset", "as many rows in each tensor", CheckFailed, shapes=sizes)
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])
