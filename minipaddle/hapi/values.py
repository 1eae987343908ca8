"""What `paddle.Model` receives in many forms: values, batches, specs, loaders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..eager.creation import to_tensor
from ..engine.errors import MinipaddleError
from ..engine.tensor import Tensor
from ..io import DataLoader, Dataset, DistributedBatchSampler
from ..metric import Metric
from ..static import InputSpec
from . import errors


def as_list(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return list(value)
    return [] if value is None else [value]


def as_tensors(value: Any) -> list[Any]:
    return [one if isinstance(one, Tensor) else to_tensor(one) for one in as_list(value)]


def as_array(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else value  # type: ignore[attr-defined]


def flatten(batch: Any) -> Iterator[Any]:
    """Yield the values in nested lists, tuples and dicts."""
    if isinstance(batch, dict):
        batch = [batch[key] for key in sorted(batch)]
    if isinstance(batch, (list, tuple)):
        for part in batch:
            yield from flatten(part)
    else:
        yield batch


def check_specs(specs: Any) -> list[InputSpec]:
    specs = as_list(list(specs.values()) if isinstance(specs, dict) else specs)
    for spec in specs:
        if not isinstance(spec, InputSpec) or spec.name is None:
            raise errors.unnamed_spec(spec)
    return specs


def loader_of(
    data: Any, batch_size: int, num_workers: int, shuffle: bool = False, drop_last: bool = False
) -> Any:
    """Return a loader of batches of a Dataset; other iterables are loaders already."""
    if not isinstance(data, Dataset):
        return data
    sampler = DistributedBatchSampler(data, batch_size, shuffle=shuffle, drop_last=drop_last)
    return DataLoader(data, batch_sampler=sampler, num_workers=num_workers)


def length_of(loader: Any) -> int | None:
    """Return the number of batches, or None if only a loop can count them."""
    try:
        return len(loader)
    except (TypeError, MinipaddleError):
        return None


def updated(metrics: list[Metric], values: list[Any]) -> list[Any]:
    """Add outputs and labels of a batch to the metrics; return the numbers of this batch.

    Its loop is not in `model.py`, whose loops a recording shows.
    """
    return [metric.update(*map(as_array, as_list(metric.compute(*values)))) for metric in metrics]
