"""Datasets: a base class for samples by position or in a loop, and datasets made of others."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from .. import random
from ..engine import modes
from ..engine.errors import CheckFailed, InvalidArgument, PreconditionNotMet
from ..engine.source_line import stacklevel
from ..errors import require, wrong_mode
from ..messages import Message
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
        expected, cure = "as many rows in each tensor", Message("cut them to one number of rows")
        require(good, "TensorDataset", expected, CheckFailed, cure, shapes=sizes)
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


# ----- datasets made of others -------------------------------------------------------------------


class ComposeDataset(Dataset):
    """Datasets side by side: a sample has the fields of all datasets' samples at its position.

    Errors: AssertionError for no datasets, or of different lengths.
    Source: Paddle's `paddle.io.ComposeDataset`.

    >>> import minipaddle as paddle
    >>> rows = paddle.io.TensorDataset([paddle.arange(3)])
    >>> [field.tolist() for field in paddle.io.ComposeDataset([rows, rows])[2]]
    [2, 2]
    """

    def __init__(self, datasets: list[Any]) -> None:
        self.datasets = list(datasets)
        _require_some(self.datasets, "ComposeDataset")
        for dataset in self.datasets:
            good = isinstance(dataset, Dataset) and not isinstance(dataset, IterableDataset)
            expected = "Datasets, and no IterableDataset"
            require(good, "ComposeDataset", expected, CheckFailed, dataset=dataset)
        sizes = [len(dataset) for dataset in self.datasets]
        good, fix = len(set(sizes)) == 1, "use Subset to cut them"
        require(good, "ComposeDataset", "datasets of one length", CheckFailed, fix, lengths=sizes)

    def __len__(self) -> int:
        return len(self.datasets[0])

    def __getitem__(self, idx: Any) -> tuple[Any, ...]:
        fields: list[Any] = []
        for dataset in self.datasets:
            sample = dataset[idx]
            fields += sample if isinstance(sample, (list, tuple)) else [sample]
        return tuple(fields)


class ChainDataset(IterableDataset):
    """IterableDatasets one after the other.

    Errors: AssertionError for a dataset with positions.
    Source: Paddle's `paddle.io.ChainDataset`.

    >>> import minipaddle as paddle
    >>> class Count(paddle.io.IterableDataset):
    ...     def __iter__(self):
    ...         yield from range(2)
    >>> [sample for sample in paddle.io.ChainDataset([Count(), Count()])]
    [0, 1, 0, 1]
    """

    def __init__(self, datasets: list[Any]) -> None:
        self.datasets = list(datasets)
        _require_some(self.datasets, "ChainDataset")
        for dataset in self.datasets:
            good, fix = isinstance(dataset, IterableDataset), "use ConcatDataset for other datasets"
            require(good, "ChainDataset", "IterableDatasets", CheckFailed, fix, dataset=dataset)

    def __iter__(self) -> Iterator[Any]:
        for dataset in self.datasets:
            yield from dataset


class ConcatDataset(Dataset):
    """Datasets one after the other, by position.

    Errors: AssertionError without datasets; IndexError for a position outside.
    Source: Paddle's `paddle.io.ConcatDataset`.

    >>> import minipaddle as paddle
    >>> rows = paddle.io.TensorDataset([paddle.arange(3)])
    >>> both = paddle.io.ConcatDataset([rows, rows])
    >>> len(both), both[4][0].tolist(), both[-1][0].tolist()
    (6, 1, 2)
    """

    @staticmethod
    def cumsum(sequence: Sequence[Any]) -> list[int]:
        """Return the end of each dataset as a position in all."""
        return list(accumulate(len(dataset) for dataset in sequence))

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        _require_some(self.datasets, "ConcatDataset")
        for dataset in self.datasets:
            good, fix = not isinstance(dataset, IterableDataset), "use ChainDataset"
            expected = "datasets with positions"
            require(good, "ConcatDataset", expected, CheckFailed, fix, dataset=dataset)
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        require(idx >= -len(self), "ConcatDataset", f"an index from {-len(self)}", index=idx)
        idx = len(self) + idx if idx < 0 else idx
        number = bisect_right(self.cumulative_sizes, idx)
        before = self.cumulative_sizes[number - 1] if number else 0
        return self.datasets[number][idx - before]


class Subset(Dataset):
    """Samples of a dataset at these positions.

    Errors: IndexError for a position outside.
    Source: Paddle's `paddle.io.Subset`.

    >>> import minipaddle as paddle
    >>> rows = paddle.io.TensorDataset([paddle.arange(9)])
    >>> paddle.io.Subset(rows, [7, 5])[1][0].tolist()
    5
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx: int) -> Any:
        return self.dataset[self.indices[idx]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[float], generator: Any = None) -> list[Subset]:  # noqa: ARG001
    """Return parts of a dataset in random order, of these lengths or fractions.

    The order is drawn as by `paddle.randperm`: `paddle.seed` repeats it. `generator` changes
    nothing, as in Paddle. ValueError if the lengths do not add up.

    Source: Paddle's `paddle.io.random_split`.

    >>> import minipaddle as paddle
    >>> rows = paddle.io.TensorDataset([paddle.arange(10)])
    >>> [len(part) for part in paddle.io.random_split(rows, [0.8, 0.2])]
    [8, 2]
    """
    sizes: list[Any] = list(lengths)
    total = len(dataset)
    if math.isclose(sum(sizes), 1) and sum(sizes) <= 1:
        sizes = _sizes_of(sizes, total)
    expected = f"lengths that add up to {total}, or fractions that add up to 1"
    fix = Message("change the last one so that the sum fits")
    good = sum(sizes) == total
    require(good, "random_split", expected, InvalidArgument, fix, lengths=list(lengths))
    order = random.randperm(total).tolist()
    ends = list(accumulate(sizes))
    return [Subset(dataset, order[end - n : end]) for end, n in zip(ends, sizes, strict=True)]


def _sizes_of(fractions: list[float], total: int) -> list[int]:
    """Return the sizes of parts as ints; a remainder goes to the first parts."""
    for fraction in fractions:
        require(0 <= fraction <= 1, "random_split", "fractions from 0 to 1", fraction=fraction)
    sizes = [math.floor(total * fraction) for fraction in fractions]
    for extra in range(total - sum(sizes)):
        sizes[extra % len(sizes)] += 1
    for position, size in enumerate(sizes):
        if size == 0:
            warnings.warn(
                f"random_split: the part at index {position} is empty.", stacklevel=stacklevel()
            )
    return sizes


def _require_some(datasets: list[Any], kind: str) -> None:
    require(datasets, kind, "at least one dataset", CheckFailed, datasets=datasets)
