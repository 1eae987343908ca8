"""Feeds and fetch lists of a run, checked before anything runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..engine.python_messages import in_our_words
from ..engine.tensor import Tensor
from ..ops.arguments import as_list
from . import run_errors
from .block import Block
from .checks import fits, require_type
from .dense_tensor import DenseTensor
from .operator import Operator
from .variable import Variable


def check_feeds(block: Block, feed: Any, needed: Iterable[str]) -> dict[str, Any]:
    """Return the fed arrays by name; like Paddle, ignore names that the Program lacks."""
    if feed is None:
        feed = {}
    if isinstance(feed, (list, tuple)) and len(feed) == 1:
        feed = feed[0]  # Paddle's form: a list of one feed per device
    require_type(feed, (dict,), "feed", "Executor.run")
    named = {k if isinstance(k, str) else getattr(k, "name", k): v for k, v in feed.items()}
    arrays = {
        name: _check_feed(block.vars[name], v) for name, v in named.items() if name in block.vars
    }
    for name in needed:
        if name not in arrays and name in block.program.left_out:
            reader = next((op.type for op in block.ops if name in op.reads), None)
            raise run_errors.left_out_of_clone(name, reader)
        if name not in arrays:
            raise run_errors.not_fed(block.vars[name], sorted(map(str, named)))
    return arrays


def _check_feed(var: Variable, value: Any) -> Any:
    dtype = var.dtype.numpy
    if isinstance(value, DenseTensor):
        value = np.array(value)
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if array.dtype != dtype:
            raise run_errors.fed_dtype(var.name, dtype.name, array.dtype.name)
    elif value is None or isinstance(value, (Tensor, Variable, dict, str)):
        raise run_errors.not_an_array(var, value)
    else:
        array = _feed_from_list(var, value)
    array = _add_missing_axes(var, array)
    if not fits(var.shape, array.shape):
        raise run_errors.fed_shape(var, array.shape)
    return array


def _add_missing_axes(var: Variable, array: Any) -> Any:
    """Add missing axes of size 1: labels [3] for a Variable [None, 1]."""
    long = tuple(n for n in var.shape if n != 1)
    if not (array.ndim < len(var.shape) and fits(long, array.shape)):
        return array
    sizes = iter(array.shape)
    return array.reshape([1 if n == 1 else next(sizes) for n in var.shape])


def _feed_from_list(var: Variable, value: Any) -> Any:
    try:
        return np.asarray(value, dtype=var.dtype.numpy)
    except (ValueError, TypeError, OverflowError) as error:
        raise run_errors.not_regular(var, value, in_our_words(error).en) from error


def fetch_names(block: Block, fetch_list: Any) -> tuple[str, ...]:
    """Return the names to fetch, in order, also from inner lists."""
    names: list[str] = []
    for position, row in enumerate([] if fetch_list is None else as_list(fetch_list)):
        for item in as_list(row):
            if not isinstance(item, (str, Variable)):
                where = f"fetch_list[{position}]"
                raise run_errors.not_to_fetch(where, item, isinstance(item, Operator))
            names.append(item if isinstance(item, str) else item.name)
    for name in names:
        if name not in block.vars:
            raise run_errors.unknown_fetch(name)
    return tuple(names)
