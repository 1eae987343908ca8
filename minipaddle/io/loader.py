"""DataLoader: batches of a dataset as Tensors."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np

from ..eager.creation import to_tensor
from ..engine import modes
from ..engine.errors import CheckFailed, InvalidArgument, InvalidType, NotFound
from ..engine.one_op import report_as_one_op
from ..engine.source_line import stacklevel
from ..engine.tensor import Tensor
from ..errors import misfit, require
from ..messages import Message, Row
from ..ops import REGISTRY
from .combined import IterableDataset
from .samplers import BatchSampler, batches

NAME = "DataLoader"  # in errors
NO_MORE = object()


class DataLoader:
    """Iterable of batches of Tensors from a dataset; each loop is a new pass.

    `shuffle` draws a new order for each pass, with NumPy's global generator. `batch_sampler` yields
    the positions of each batch, instead of batch_size, shuffle and drop_last; batch_size=None
    yields single samples. `collate_fn` makes a batch of a list of samples. In static mode batches
    are NumPy arrays to feed; with return_list=False, lists of one dict by the names of `feed_list`.

    Samples are loaded in this process on demand: num_workers above 0 gives a warning, and
    buffers, timeout, worker_init_fn, persistent_workers and places change nothing.
    Source: Paddle's `paddle.io.DataLoader`.

    Errors: AssertionError for a batch_size that is not positive.

    >>> import minipaddle as paddle
    >>> rows = paddle.io.TensorDataset([paddle.arange(5)])
    >>> [x.tolist() for x, in paddle.io.DataLoader(rows, batch_size=2)]
    [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self,
        dataset: Any,
        feed_list: Any = None,
        places: Any = None,
        return_list: bool = True,
        batch_sampler: Any = None,
        batch_size: int | None = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Any = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        reader_buffer_size: int = 2,
        prefetch_factor: int = 2,
        use_shared_memory: bool = True,
        timeout: int = 0,
        worker_init_fn: Any = None,
        persistent_workers: bool = False,
    ) -> None:
        _require_at_least("num_workers", num_workers, 0)
        _require_at_least("prefetch_factor", prefetch_factor, 1)
        _require_at_least("timeout", timeout, 0)
        if num_workers:
            warnings.warn(
                f"DataLoader: num_workers={num_workers}, but batches are made in this process: "
                "the same batches in the same order. Leave num_workers out.",
                stacklevel=stacklevel(),
            )
        self.dataset, self.feed_list, self.places = dataset, feed_list, places
        self.return_list, self.collate_fn, self.drop_last = return_list, collate_fn, drop_last
        self.num_workers, self.prefetch_factor, self.timeout = num_workers, prefetch_factor, timeout
        self.use_buffer_reader, self.reader_buffer_size = use_buffer_reader, reader_buffer_size
        self.use_shared_memory, self.worker_init_fn = use_shared_memory, worker_init_fn
        self.persistent_workers = persistent_workers
        good = return_list or feed_list is not None or not modes.is_static()
        expected = "the Variables to feed, where return_list is False"
        require(good, NAME, expected, CheckFailed, "write feed_list=[x, y]", feed_list=feed_list)
        self.batch_size: int | None = None
        self.batch_sampler = batch_sampler
        iterates = isinstance(dataset, IterableDataset)
        if iterates:
            _reject_order(shuffle, batch_sampler)
        if batch_sampler is not None:
            good = batch_size == 1 and not shuffle and not drop_last
            settings = {"batch_size": batch_size, "shuffle": shuffle, "drop_last": drop_last}
            expected = "their defaults with a batch_sampler"
            fix = Message("leave {names} out", names=Row(settings))
            require(good, NAME, expected, CheckFailed, fix, **settings)
        elif batch_size is not None:
            expected = "None or an int above 0"
            require(batch_size > 0, NAME, expected, CheckFailed, batch_size=batch_size)
            self.batch_size = batch_size
            if not iterates:
                self.batch_sampler = BatchSampler(dataset, None, shuffle, batch_size, drop_last)

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            fix = "count the batches in a loop"
            raise misfit(
                NAME, "a dataset with positions", InvalidArgument, fix, dataset=self.dataset
            )
        return len(self.dataset if self.batch_sampler is None else self.batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        in_batches = self.batch_sampler is not None or self.batch_size is not None
        collate = self.collate_fn or (default_collate_fn if in_batches else default_convert_fn)
        samples = self._iter_samples()

        def one_more() -> Any:
            return next((self._convert_batch(collate(each)) for each in samples), NO_MORE)

        stacked = collate is default_collate_fn
        while (
            batch := report_as_one_op("batch", one_more, _tensors_in, stacked=stacked)
        ) is not NO_MORE:
            yield batch

    def __call__(self) -> Iterator[Any]:
        return iter(self)

    def _iter_samples(self) -> Iterator[Any]:
        """Yield lists of samples, or single samples if batch_size is None."""
        dataset, size = self.dataset, self.batch_size
        if self.batch_sampler is not None:
            for positions in self.batch_sampler:
                yield [dataset[position] for position in positions]
        elif not isinstance(dataset, IterableDataset):
            for position in range(len(dataset)):
                yield dataset[position]
        elif size is None:
            yield from dataset
        else:
            yield from batches(dataset, size, self.drop_last)

    def _convert_batch(self, batch: Any) -> Any:
        """Return a batch of Tensors, in static mode of arrays."""
        if not modes.is_static():
            return _convert_nested(batch, _as_tensor)
        arrays = _convert_nested(batch, _as_array)
        if self.return_list:
            return arrays
        fields: Iterable[Any] = arrays if isinstance(arrays, list) else [arrays]
        return [{var.name: field for var, field in zip(self.feed_list, fields, strict=True)}]


def default_collate_fn(batch: Any) -> Any:
    """Combine samples into a batch; fields of dicts, lists and tuples are combined separately.

    Arrays and Tensors are stacked, numbers become an array.

    >>> default_collate_fn([(1.0, "a"), (2.0, "b")])
    [array([1., 2.]), ['a', 'b']]
    """
    sample = batch[0]
    if isinstance(sample, Tensor):
        return REGISTRY["stack"].call(list(batch))
    if isinstance(sample, (np.ndarray, np.generic, Number)):
        return np.stack(
            [np.asarray(item, np.int64 if type(item) is int else None) for item in batch]
        )
    if isinstance(sample, (str, bytes)):
        return list(batch)
    if isinstance(sample, Mapping):
        return {key: default_collate_fn([item[key] for item in batch]) for key in sample}
    if not isinstance(sample, Sequence):
        expected = "samples that are tensors, arrays, numbers, or dicts or lists of them"
        raise misfit("", expected, InvalidType, "give a collate_fn", sample=sample)
    sizes = {len(item) for item in batch}
    if len(sizes) != 1:
        expected, fix = "as many fields in each sample", "give a collate_fn that fills them up"
        raise misfit("", expected, NotFound, fix, fields=sorted(sizes))
    return [default_collate_fn(list(fields)) for fields in zip(*batch, strict=True)]


def default_convert_fn(batch: Any) -> Any:
    """Return a sample unchanged, without a batch."""
    return batch


def get_worker_info() -> None:
    """Return None, since samples are loaded in this process; Paddle's workers get a WorkerInfo.

    Errors: none.
    Source: Paddle's `paddle.io.get_worker_info`.

    >>> import minipaddle as paddle
    >>> paddle.io.get_worker_info() is None
    True
    """


def _convert_nested(batch: Any, convert: Any) -> Any:
    """Return the batch with all arrays and Tensors inside converted; tuples become lists."""
    if isinstance(batch, (np.ndarray, np.generic, Tensor)):
        return convert(batch)
    if isinstance(batch, Mapping):
        return {key: _convert_nested(value, convert) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [_convert_nested(item, convert) for item in batch]
    return batch


def _tensors_in(batch: Any, path: str = "") -> dict[str, Tensor]:
    """Return the Tensors of a batch by their paths: `[0]`, `['label']`."""
    if isinstance(batch, Tensor):
        return {path: batch}
    pairs: Iterable[Any] = batch.items() if isinstance(batch, dict) else ()
    if isinstance(batch, list):
        pairs = enumerate(batch)
    found: dict[str, Tensor] = {}
    for key, value in pairs:
        found |= _tensors_in(value, f"{path}[{key!r}]")
    return found


def _as_tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else to_tensor(value)


def _as_array(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else np.asarray(value)  # type: ignore[attr-defined]


def _require_at_least(name: str, value: Any, least: int) -> None:
    require(value >= least, NAME, f"{name} >= {least}", CheckFailed, **{name: value})


def _reject_order(shuffle: bool, batch_sampler: Any) -> None:
    """Raise an error for an order of an IterableDataset, which has its own."""
    fix = "shuffle in the __iter__ of the IterableDataset, and use batch_size"
    good = not shuffle and batch_sampler is None
    settings = {"shuffle": shuffle, "batch_sampler": batch_sampler}
    require(good, NAME, "their defaults", InvalidArgument, fix, **settings)
