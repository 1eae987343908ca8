"""paddle.base: names of older programs; each is the object of the same public name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..device import (
    CPUPlace,
    CUDAPlace,
    is_compiled_with_cinn,
    is_compiled_with_cuda,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
)
from ..engine.errors import CheckFailed, InvalidArgument, InvalidType
from ..engine.tensor import Tensor
from ..errors import misfit
from ..messages import Message
from ..nn import ParamAttr
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from ..static import (
    BuildStrategy,
    CompiledProgram,
    DenseTensor,
    Executor,
    Program,
    Scope,
    Variable,
    append_backward,
    cpu_places,
    cuda_places,
    default_main_program,
    default_startup_program,
    device_guard,
    disable_static,
    enable_static,
    global_scope,
    gradients,
    in_dynamic_mode,
    name_scope,
    program_guard,
    scope_guard,
)

__all__ = [
    "BuildStrategy", "CPUPlace", "CUDAPlace", "CompiledProgram", "DataFeeder", "DenseTensor",
    "Executor", "ParamAttr", "Program", "Scope", "Tensor", "Variable", "append_backward",
    "cpu_places", "cuda_places", "default_main_program", "default_startup_program",
    "device_guard", "disable_dygraph", "disable_imperative", "enable_dygraph",
    "enable_imperative", "global_scope", "gradients", "in_dygraph_mode", "is_compiled_with_cinn",
    "is_compiled_with_cuda", "is_compiled_with_rocm", "is_compiled_with_xpu", "name_scope",
    "program_guard", "scope_guard",
]  # fmt: skip

__getattr__ = absent.names(__name__)

enable_dygraph = enable_imperative = disable_static
disable_dygraph = disable_imperative = enable_static
in_dygraph_mode = in_dynamic_mode


class DataFeeder:
    """Maker of feeds from samples: rows with one value for each Variable.

    feed_list: Variables, or names in `program`. Source: Paddle's `paddle.base.DataFeeder`.

    Errors: ValueError for rows that do not fit the Variables.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     x = paddle.static.data("x", [None, 2])
    ...     label = paddle.static.data("label", [None, 1], "int64")
    >>> feeder = paddle.base.DataFeeder([x, label], paddle.CPUPlace())
    >>> np.array(feeder.feed([([1, 2], 0), ([3, 4], 1)])["label"])
    array([[0],
           [1]])
    >>> paddle.disable_static()
    """

    def __init__(self, feed_list: Any, place: Any, program: Program | None = None) -> None:
        block = (program or default_main_program()).global_block()
        feed_vars = [block.var(item) if isinstance(item, str) else item for item in feed_list]
        for item in feed_vars:
            if isinstance(item, Tensor) or not isinstance(item, Variable):
                raise misfit("DataFeeder", "Variables or their names", InvalidType, feed_list=item)
        self.feed_names = [var.name for var in feed_vars]
        self.feed_shapes = [var.shape for var in feed_vars]
        self.feed_dtypes = [var.dtype for var in feed_vars]
        self.feed_lod_level = [var.lod_level for var in feed_vars]
        self.place = place

    def feed(self, iterable: Iterable[Any]) -> dict[str, DenseTensor]:
        """Return the samples' values by name, one array for each Variable."""
        rows = list(iterable)
        for row in rows:
            if len(row) != len(self.feed_names):
                expected = f"one value each for {', '.join(self.feed_names)}"
                fix = Message("let each sample be a tuple with a value for every Variable")
                raise misfit("DataFeeder.feed", expected, CheckFailed, fix, values=len(row))
        columns = zip(*rows, strict=True) if rows else [()] * len(self.feed_names)
        batches = zip(self.feed_names, columns, self.feed_shapes, self.feed_dtypes, strict=True)
        return {
            n: DenseTensor(_as_column(values, shape, kind)) for n, values, shape, kind in batches
        }


def _as_column(values: Any, shape: tuple[int, ...], kind: Any) -> Any:
    """Return the values of one Variable as an array, reshaped to its shape if they fit."""
    array = np.array(values, dtype=kind.numpy)
    known, unknown = math.prod(n for n in shape if n != -1), shape.count(-1)
    if array.ndim == len(shape) or not known or unknown > 1:
        return array
    fits = array.size % known == 0 if unknown else array.size == known
    return array.reshape(shape) if fits else array


def batch(
    reader: Callable[[], Iterable[Any]], batch_size: Any, drop_last: bool = False
) -> Callable[[], Iterator[list[Any]]]:
    """Return a reader of lists of batch_size samples, from a reader of single samples.

    drop_last leaves out a last list that is shorter. ValueError for a size below 1. Source:
    Paddle's `paddle.batch`.

    >>> import minipaddle as paddle
    >>> list(paddle.batch(lambda: iter(range(5)), batch_size=2)())
    [[0, 1], [2, 3], [4]]
    """

    def batches() -> Iterator[list[Any]]:
        held: list[Any] = []
        for item in reader():
            held.append(item)
            if len(held) == size:
                yield held
                held = []
        if held and not drop_last:
            yield held

    try:
        size = int(batch_size)
    except (TypeError, ValueError):
        size = 0
    if size <= 0:
        fix = "paddle.batch(reader, batch_size=32)"
        raise misfit("batch", "an int of at least 1", InvalidArgument, fix, batch_size=batch_size)
    return batches


_publish(globals(), {*__all__} - {"Tensor", "Variable"})
