"""Datasets: by position, by iteration, and out of Tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..engine import modes
from ..engine.errors import NotFound, PreconditionNotMet, Unimplemented
from .checks import require


class Dataset:
    """Samples by position: define `__getitem__(self, index)` and `__len__(self)`.

    Source: Paddle's `paddle.io.Dataset`.

    Errors: NotImplementedError for what a subclass does not define.

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
        _refuse_undefined(self, "__getitem__")

    def __len__(self) -> int:
        _refuse_undefined(self, "__len__")
        return 0


class IterableDataset(Dataset):
    """Samples one after the other: define `__iter__(self)`.

    Source: Paddle's `paddle.io.IterableDataset`.

    Errors: NotImplementedError for what a subclass does not define.

    >>> import minipaddle as paddle
    >>> class Count(paddle.io.IterableDataset):
    ...     def __iter__(self):
    ...         yield from range(3)
    >>> [batch.tolist() for batch in paddle.io.DataLoader(Count(), batch_size=2)]
    [[0, 1], [2]]
    """

    def __iter__(self) -> Iterator[Any]:
        _refuse_undefined(self, "__iter__")
        return iter(())

    def __getitem__(self, idx: Any) -> Any:
        _only_iterates(self, "__getitem__")

    def __len__(self) -> int:
        _only_iterates(self, "__len__")
        return 0


class TensorDataset(Dataset):
    """Row i of each Tensor as sample i.

    Source: Paddle's `paddle.io.TensorDataset`.

    Errors: AssertionError for Tensors of different lengths.

    >>> import minipaddle as paddle
    >>> rows = paddle.io.TensorDataset([paddle.ones([3, 2]), paddle.arange(3)])
    >>> x, y = rows[2]
    >>> x.tolist(), y.tolist(), len(rows)
    ([1.0, 1.0], 2, 3)
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        require(
            not modes.is_static(),
            "TensorDataset con only be used in imperative mode.",
            "dynamic mode",
            "static mode",
            "feed NumPy arrays, or call paddle.disable_static()",
            PreconditionNotMet,
        )
        sizes = [list(tensor.shape) for tensor in tensors]
        require(
            len({size[0] for size in sizes}) == 1,
            "tensors not have same shape of the 1st dimension.",
            "as many rows in each",
            f"shapes {sizes}",
            "cut them to the same number of rows",
        )
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


def _refuse_undefined(dataset: Any, method: str) -> None:
    name = type(dataset).__name__
    raise Unimplemented(
        f"'{method}' not implement in class {name}.",
        expected=f"a method {method} in {name}",
        received="none",
        fix=f"define {method} in the class {name}",
    )


def _only_iterates(dataset: Any, method: str) -> None:
    name = type(dataset).__name__
    raise NotFound(
        f"'{method}' should not be called for IterableDataset {name}.",
        expected="a loop: for sample in dataset",
        received=method,
        fix="derive from paddle.io.Dataset if samples have positions",
    )
