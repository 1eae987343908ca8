"""Samplers: orders of samples, and their batches.

Random orders come from NumPy's global generator, as in Paddle: `numpy.random.seed` repeats them.
Only `SubsetRandomSampler` draws as `paddle.randperm` does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from .. import random
from ..distributed.groups import rank_and_size
from ..engine.errors import CheckFailed, InvalidArgument, InvalidType, MinipaddleError
from ..errors import require
from . import errors
from .combined import IterableDataset

_random_choice = np.random.choice  # uses NumPy's global generator


class Sampler:
    """Order of samples: define `__iter__(self)`, which yields positions, and `__len__(self)`.

    Errors: NotImplementedError for a method that the subclass lacks.
    Source: Paddle's `paddle.io.Sampler`.

    >>> import minipaddle as paddle
    >>> class Backwards(paddle.io.Sampler):
    ...     def __iter__(self):
    ...         return iter(range(len(self.data_source))[::-1])
    >>> list(Backwards([1.0, 2.0, 3.0]))
    [2, 1, 0]
    """

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[Any]:
        raise errors.not_defined(self, "__iter__", "that yields positions")


class SequenceSampler(Sampler):
    """0, 1, 2, ...

    Errors: none.
    Source: Paddle's `paddle.io.SequenceSampler`.

    >>> import minipaddle as paddle
    >>> list(paddle.io.SequenceSampler("abc"))
    [0, 1, 2]
    """

    def __init__(self, data_source: Any) -> None:
        super().__init__(data_source)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """Every position once in random order, or with `replacement` num_samples drawn anew.

    `generator`: an iterator that yields the positions instead.

    Errors: ValueError for a num_samples that is not positive.
    Source: Paddle's `paddle.io.RandomSampler`.

    >>> import minipaddle as paddle
    >>> np.random.seed(0)
    >>> list(paddle.io.RandomSampler("abcd"))
    [2, 3, 1, 0]
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Any = None,
    ) -> None:
        super().__init__(data_source)
        _require_bool("replacement", replacement, InvalidType)
        self.replacement, self.generator = replacement, generator
        self._num_samples = num_samples
        count, there = self.num_samples, len(data_source)
        _require_positive("num_samples", count, InvalidArgument)
        good, fix = replacement or count <= there, "use replacement=True"
        require(good, "", f"at most {there}", InvalidArgument, fix, num_samples=count)

    @property
    def num_samples(self) -> int:
        """Number of positions that it draws, by default the size of the data."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        if self.generator:
            yield from islice(self.generator, self.num_samples)
        else:
            positions = np.arange(len(self.data_source))
            chosen = _random_choice(positions, self.num_samples, self.replacement)
            yield from chosen.tolist()

    def __len__(self) -> int:
        return self.num_samples


class WeightedRandomSampler(Sampler):
    """num_samples positions, each as probable as its weight says.

    Errors: ValueError for a num_samples that is not positive.
    Source: Paddle's `paddle.io.WeightedRandomSampler`.

    >>> import minipaddle as paddle
    >>> list(paddle.io.WeightedRandomSampler([0.0, 1.0], 3))
    [1, 1, 1]
    """

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True) -> None:
        super().__init__()
        _require_positive("num_samples", num_samples, InvalidArgument)
        _require_bool("replacement", replacement, InvalidArgument)
        self.weights, self.num_samples, self.replacement = weights, num_samples, replacement

    def _weight_rows(self) -> Any:
        """Return the weights as a matrix; each row is drawn from separately."""
        tensor = hasattr(self.weights, "numpy")
        weights = self.weights.numpy() if tensor else np.asarray(self.weights)
        require(weights.ndim in (1, 2), "", "1 or 2 axes", CheckFailed, weights=weights)
        return weights.reshape(-1, weights.shape[-1])

    def __iter__(self) -> Iterator[int]:
        rows = self._weight_rows()
        good = np.all(rows >= 0) and not np.any(np.isinf(rows)) and np.all(rows.sum(axis=1) > 0)
        expected = "finite numbers from 0, not all of them 0"
        require(good, "", expected, CheckFailed, weights=rows.tolist())
        enough = self.replacement or np.all((rows > 0).sum(axis=1) >= self.num_samples)
        expected, fix = f"at least {self.num_samples} weights above 0", "use replacement=True"
        require(enough, "", expected, CheckFailed, fix, weights=rows.tolist())
        for row in rows:
            share = row / row.sum()
            chosen = _random_choice(len(row), self.num_samples, self.replacement, share)
            yield from chosen.tolist()

    def __len__(self) -> int:
        return self.num_samples * len(self._weight_rows())


class SubsetRandomSampler(Sampler):
    """These positions in random order, drawn as by `paddle.randperm`.

    Errors: ValueError for no positions.
    Source: Paddle's `paddle.io.SubsetRandomSampler`.

    >>> import minipaddle as paddle
    >>> sorted(paddle.io.SubsetRandomSampler([7, 5]))
    [5, 7]
    """

    def __init__(self, indices: Sequence[int]) -> None:
        super().__init__()
        require(len(indices) > 0, "", "at least one position", indices=indices)
        self.indices = indices

    def __iter__(self) -> Iterator[int]:
        for position in random.randperm(len(self.indices)).tolist():
            yield self.indices[position]

    def __len__(self) -> int:
        return len(self.indices)


class BatchSampler(Sampler):
    """Lists of batch_size positions, of a dataset (shuffled if wanted) or of a sampler.

    With `drop_last` a last batch that is not full is left out.

    Errors: AssertionError without a dataset and a sampler, with both, or for a batch_size that is
    not positive.
    Source: Paddle's `paddle.io.BatchSampler`.

    >>> import minipaddle as paddle
    >>> list(paddle.io.BatchSampler("abcde", batch_size=2))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self,
        dataset: Any = None,
        sampler: Any = None,
        shuffle: bool = False,
        batch_size: int = 1,
        drop_last: bool = False,
    ) -> None:
        super().__init__(dataset)
        given, one = {"dataset": dataset, "sampler": sampler}, "one of dataset and sampler"
        require((dataset is None) != (sampler is None), "", one, CheckFailed, **given)
        if dataset is None:
            good = isinstance(sampler, (Sampler, Iterable))
            require(good, "", "a list or a Sampler of positions", CheckFailed, sampler=sampler)
            fix = "use RandomSampler"
            require(not shuffle, "", "False with a sampler", CheckFailed, fix, shuffle=shuffle)
            self.sampler = sampler
        else:
            good, fix = not isinstance(dataset, IterableDataset), "give it to DataLoader"
            require(good, "", "a dataset with positions", CheckFailed, fix, dataset=dataset)
            _require_bool("shuffle", shuffle)
            self.sampler = RandomSampler(dataset) if shuffle else SequenceSampler(dataset)
        _require_positive("batch_size", batch_size)
        _require_bool("drop_last", drop_last)
        self.batch_size, self.shuffle, self.drop_last = batch_size, shuffle, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        return batches(self.sampler, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        return _count_batches(len(self.sampler), self.batch_size, self.drop_last)


FIX = "ranks count from 0: rank=0 is the first"


class DistributedBatchSampler(BatchSampler):
    """Batches of process `rank` of `num_replicas`, which share a dataset evenly.

    Both default to those of `paddle.distributed.ParallelEnv`. Shuffled orders depend on
    `set_epoch` alone.

    Errors: AssertionError for a batch_size that is not positive.
    Source: Paddle's `paddle.io.DistributedBatchSampler`.

    >>> import minipaddle as paddle
    >>> list(paddle.io.DistributedBatchSampler("abcdef", 2, num_replicas=2, rank=1))
    [[2, 3], [5]]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = False,
        drop_last: bool = False,
    ) -> None:
        _require_positive("batch_size", batch_size)
        _require_bool("shuffle", shuffle)
        _require_bool("drop_last", drop_last)
        if num_replicas is not None:
            _require_positive("num_replicas", num_replicas)
        good = rank is None or (isinstance(rank, int) and rank >= 0)
        fix = "leave it out: it is then that of this process"
        require(good, "", "an int from 0", CheckFailed, fix, rank=rank)
        self.dataset, self.data_source = dataset, dataset
        self.batch_size, self.shuffle, self.drop_last = batch_size, shuffle, drop_last
        own, count = rank_and_size()
        self.nranks = count if num_replicas is None else num_replicas
        self.local_rank = own if rank is None else rank
        self.epoch = 0
        self.num_samples = math.ceil(len(dataset) / self.nranks)
        self.total_size = self.num_samples * self.nranks

    def _own_positions(self) -> list[int]:
        """Return the positions of this process; the first ones are repeated to share evenly."""
        order = list(range(len(self.dataset)))
        order = (order * math.ceil(self.total_size / max(1, len(order))))[: self.total_size]
        if self.shuffle:
            np.random.RandomState(self.epoch).shuffle(order)
            self.epoch += 1
        good, expected = self.local_rank < self.nranks, f"rank below {self.nranks}, num_replicas"
        require(good, "", expected, CheckFailed, FIX, rank=self.local_rank)
        whole = self.batch_size * self.nranks
        own: list[int] = []
        for start in range(0, self.total_size, whole):  # the last batch may be smaller
            share = min(whole, self.total_size - start) // self.nranks
            begin = start + self.local_rank * share
            own += order[begin : begin + share]
        return own

    def __iter__(self) -> Iterator[list[int]]:
        return batches(self._own_positions(), self.batch_size, self.drop_last)

    def __len__(self) -> int:
        return _count_batches(self.num_samples, self.batch_size, self.drop_last)

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch, which seeds the order of the next pass."""
        self.epoch = epoch


def batches(items: Iterable[Any], size: int, drop_last: bool) -> Iterator[list[Any]]:
    """Yield lists of `size` items; `drop_last` leaves out a last list of fewer."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        if len(batch) == size or not drop_last:
            yield batch


def _count_batches(samples: int, size: int, drop_last: bool) -> int:
    return samples // size if drop_last else -(-samples // size)


def _require_positive(name: str, value: Any, kind: type[MinipaddleError] = CheckFailed) -> None:
    good = isinstance(value, int) and not isinstance(value, bool) and value > 0
    require(good, "", "an int above 0", kind, **{name: value})


def _require_bool(name: str, value: Any, kind: type[MinipaddleError] = CheckFailed) -> None:
    require(isinstance(value, bool), "", "True or False", kind, **{name: value})
