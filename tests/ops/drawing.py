"""Inputs for an op's samples, and the calls that tests of all op records share."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.engine.meta import Meta
from minipaddle.engine.tensor import as_array
from minipaddle.ops import REGISTRY, Op, Sample


def sampled(random: bool = False) -> Iterator[Any]:
    """Yield every op with each of its samples, named for the report; or the random ops.

    Random values are compared with Paddle's in tests/minipaddle/test_random.py.
    """
    for op in REGISTRY.values():
        for number, sample in enumerate(op.samples if op.random == random else ()):
            yield op, sample, f"{op.name}-{number}"


def attrs_of(op: Op, sample: Sample) -> dict[str, Any]:
    return op.complete(sample.attrs)


def draw(op: Op, sample: Sample, seed: int = 0, dtype: str = "float64") -> list[Any]:
    """Return one array per input: a list of arrays for a list, None for an absent input."""
    rng = np.random.default_rng(seed)

    def array(name: str, shape: Any) -> Any:
        if shape is None:
            return None
        if isinstance(shape, list):
            return [array(name, one) for one in shape]
        if name in sample.ints:
            return np.asarray(rng.integers(0, sample.ints[name], shape))
        drawn = np.asarray(rng.uniform(*sample.domain, shape)).astype(dtype)
        return drawn if sample.dtype.kind == "f" else drawn + 1j * drawn[..., ::-1]

    arrays = [array(name, shape) for name, shape in zip(op.inputs, sample.shapes, strict=True)]
    return sample.prepare(arrays)


def flat(values: Any) -> list[Any]:
    """Return arrays or tensors in one list, without absent ones."""
    row: list[Any] = []
    for value in values:
        row += value if isinstance(value, (list, tuple)) else [value]
    return [value for value in row if value is not None]


def like(values: Any, row: list[Any]) -> list[Any]:
    """Return the row's items in the structure of `values`."""
    items = iter(row)
    return [
        [next(items) for _ in value]
        if isinstance(value, list)
        else None
        if value is None
        else next(items)
        for value in values
    ]


def tensors_of(arrays: list[Any], stop: bool = False) -> list[Any]:
    """Return the arrays as Tensors; all but integers need a gradient unless `stop`."""
    row = [
        paddle.to_tensor(a, stop_gradient=stop or a.dtype.kind not in "fc") for a in flat(arrays)
    ]
    return like(arrays, row)


def call(op: Op, tensors: list[Any], sample: Sample) -> list[Any]:
    """Call the op and return its outputs as a list."""
    out = op.call(*tensors, **sample.attrs)
    return list(out) if isinstance(out, (list, tuple)) else [out]


def kernel(op: Op, arrays: list[Any], sample: Sample) -> list[Any]:
    """Call the kernel and return its outputs as a list."""
    out = op.kernel(np, *arrays, **attrs_of(op, sample))
    return [as_array(o) for o in out] if isinstance(out, (list, tuple)) else [as_array(out)]


def metas_of(arrays: list[Any]) -> list[Any]:
    return like(arrays, [Meta(a.shape, a.dtype) for a in flat(arrays)])


def fits(meta: Meta, value: Any) -> bool:
    """Say whether an array fits the inferred meta; a size of -1 depends on the values."""
    return meta.dtype == value.dtype and consistent(value.shape, meta.shape)


def consistent(known: tuple[int, ...], told: tuple[int, ...]) -> bool:
    """Say whether every inferred size is right or unknown."""
    return len(known) == len(told) and all(n in (m, -1) for m, n in zip(known, told, strict=True))


def inferred(op: Op, metas: list[Any], attrs: dict[str, Any]) -> list[Meta]:
    outs = op.infer(*metas, **attrs)
    return [outs] if isinstance(outs, Meta) else list(outs)
