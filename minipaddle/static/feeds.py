"""What a run is given and asked for: every mistake is reported before anything runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..engine.errors import InvalidArgument, InvalidType, NotFound
from ..engine.python_messages import in_our_words
from ..engine.tensor import Tensor
from ..messages import Message, Text
from .block import Block
from .dense_tensor import DenseTensor
from .operator import Operator
from .variable import Variable


def check_feeds(block: Block, feed: Any, needed: Iterable[str]) -> dict[str, Any]:
    """The fed arrays by name; names that the Program does not have are ignored, as in Paddle."""
    if feed is None:
        feed = {}
    if isinstance(feed, (list, tuple)) and len(feed) == 1:
        feed = feed[0]  # for each device one, of which there is one
    if not isinstance(feed, dict):
        raise InvalidType(
            "Executor.run: feed requires dict as its Parameter.",
            expected="a dict from names to arrays",
            received=f"{type(feed).__name__} {feed!r:.60}",
            fix="write feed={'x': array}",
        )
    given = {k if isinstance(k, str) else getattr(k, "name", k): v for k, v in feed.items()}
    arrays = {name: _array(block.vars[name], v) for name, v in given.items() if name in block.vars}
    for name in needed:
        if name not in arrays and name in block.program.left_out:
            raise _left_out(block, name)
        if name not in arrays:
            others = sorted(str(key) for key in given)
            raise InvalidArgument(
                Message("Executor.run: the feed for '{name}' is missing.", name=name),
                expected=Message(
                    "an array {meta} for {vars}",
                    meta=block.vars[name].meta,
                    vars=repr(block.vars[name]),
                    name=name,
                ),
                received=Text(
                    f"feeds for {', '.join(others) or 'nothing'}",
                    f"只有 {'、'.join(others)}" if others else "没有输入数据",
                ),
                fix=Message("add it: feed={{'{name}': array, ...}}", name=name),
            )
    return arrays


def _left_out(block: Block, name: str) -> InvalidArgument:
    """What is said of a gradient that the test's clone of a Program cannot compute."""
    reader = next((op.type for op in block.ops if name in op.reads), "")
    return InvalidArgument(
        Message(
            "Executor.run: nothing computes '{name}' in this Program: "
            "clone(for_test=True) left out the backward pass and the optimizer.",
            name=name,
        ),
        expected=Message("a clone whose operators read no gradient"),
        received=Text(
            f"the operator {reader}, which reads '{name}'" if reader else f"a fetch of '{name}'",
            f"算子 {reader} 读取 '{name}'" if reader else f"在 fetch_list 中取 '{name}'",
        ),
        fix=Message(
            "call clone(for_test=True) before gradients(), append_backward() or "
            "minimize(), or run the whole Program: clone()"
        ),
    )


def _array(var: Variable, value: Any) -> Any:
    dtype = var.dtype.numpy
    if isinstance(value, DenseTensor):
        value = np.array(value)
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if array.dtype != dtype:
            raise InvalidArgument(
                f"Executor.run: The data type of fed Variable '{var.name}' is wrong.",
                expected=dtype.name,
                received=array.dtype.name,
                fix=f"feed array.astype('{dtype.name}')",
            )
    elif value is None or isinstance(value, (Tensor, Variable, dict, str)):
        raise InvalidType(
            f"Executor.run: the feed for '{var.name}' cannot be converted to an array.",
            expected=f"a NumPy array, list or number: {var.meta}",
            received=type(value).__name__,
            fix="feed x.numpy()" if isinstance(value, Tensor) else "feed an array",
        )
    else:
        array = _from_list(var, value)
    array = _as_declared(var, array)
    _check_shape(var, array)
    return array


def _as_declared(var: Variable, array: Any) -> Any:
    """The array with the axes of size 1 that it lacks: labels [3] for a Variable [None, 1]."""
    long = [n for n in var.shape if n != 1]
    fits = len(array.shape) == len(long) < len(var.shape) and all(
        m in (n, -1) for m, n in zip(long, array.shape, strict=True)
    )
    if not fits:
        return array
    sizes = iter(array.shape)
    return array.reshape([1 if n == 1 else next(sizes) for n in var.shape])


def _from_list(var: Variable, value: Any) -> Any:
    try:
        return np.asarray(value, dtype=var.dtype.numpy)
    except (ValueError, TypeError, OverflowError) as error:
        why = in_our_words(error).en
        raise InvalidArgument(
            f"Executor.run: the feed for '{var.name}' is no regular array: {why}",
            expected=f"{var.meta}",
            received=f"{type(value).__name__} {value!r:.60}",
            fix="let all rows have the same length, and numbers only",
        ) from error


def _check_shape(var: Variable, array: Any) -> None:
    fits = len(array.shape) == len(var.shape) and all(
        m in (n, -1) for m, n in zip(var.shape, array.shape, strict=True)
    )
    if not fits:
        raise InvalidArgument(
            Message(
                "Executor.run: The fed Variable '{var_name}' has the wrong shape.",
                var_name=var.name,
            ),
            expected=Message(
                "dimensions = {count_of_var_shape}, shape = {var_shape}; -1 is any size",
                count_of_var_shape=len(var.shape),
                var_shape=var.shape,
                var_shape_2=list(var.shape),
            ),
            received=Message("fed shape {array_shape}", array_shape=list(array.shape)),
            fix=Message("reshape the array, or declare None for a size that may vary"),
        )


def fetch_names(block: Block, fetch_list: Any) -> tuple[str, ...]:
    """The names to fetch, in order; those of a list in the list stand where it stands."""
    if fetch_list is None:
        return ()
    items = fetch_list if isinstance(fetch_list, (list, tuple)) else [fetch_list]
    names: list[str] = []
    for position, item in enumerate(items):
        if isinstance(item, Variable):
            names.append(item.name)
        elif isinstance(item, str):
            names.append(item)
        else:
            names += _names_in(item, f"fetch_list[{position}]")
    for name in names:
        if name not in block.vars:
            raise NotFound(
                f"Executor.run: '{name}' cannot be fetched: the Program has no such Variable.",
                expected="a Variable of the Program that runs",
                received=f"'{name}'",
                fix="print(list(program.global_block().vars)) shows the names",
            )
    return tuple(names)


def _names_in(items: Any, where: str) -> list[str]:
    """Those of a list or tuple of Variables and names."""
    row = list(items) if isinstance(items, (list, tuple)) else [items]
    for item in row:
        if not isinstance(item, (str, Variable)):
            fix = "fetch_list=[loss] or fetch_list=['loss_name']"
            if isinstance(item, Operator):
                fix = "fetch Variables only: all operators run, those of minimize() too"
            raise InvalidType(
                f"Executor.run: Require {where} 's type shall be one of (Variable, str).",
                expected="a Variable or its name, or a list of these",
                received=f"{type(item).__name__} {item!r:.60}",
                fix=fix,
            )
    return [item if isinstance(item, str) else item.name for item in row]
