"""`paddle.save` and `paddle.load`: files of values, which real Paddle reads and writes too.

A state dict is written as a dict of arrays with one more entry, the table of the tensors' names;
in other values each tensor is written as a pair of its name and its array.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..device import current_place, to_numpy
from ..engine import files, modes
from ..engine.dtypes import ALL
from ..engine.errors import InvalidArgument, Unimplemented
from ..engine.tensor import Tensor, rare
from ..errors import misfit
from ..messages import Message, Row
from ..static import inference_model
from ..static.program import Program
from ..static.scope import DenseTensor
from . import errors, pickles
from .pickles import Rebuilding, is_no_container

TABLE = "StructuredToParameterName@@"
PROGRAMS = (".pdmodel", ".pdiparams", ".json")
LOAD_OPTIONS = ("model_filename", "params_filename", "keep_name_table", "return_numpy")
SAVE_OPTIONS = ("use_binary_format", "pickle_protocol")


# ----- writing -----------------------------------------------------------------------------------


def save(obj: Any, path: Any, protocol: int = 4, **configs: Any) -> None:
    """Write values into a file that real Paddle reads: a state dict, or lists, dicts, numbers.

    A Program, too, but without values and in a form of minipaddle's own; ValueError for one with
    operators of a gradient or an optimizer.

    `path`: a name, or an open binary file such as BytesIO. Missing folders are made; the file is
    there with all of its bytes, or as it was before. `protocol`: of pickle, 2 to 4.
    InvalidArgument for a Layer (save its state_dict()) and for other objects.
    Source: Paddle's `paddle.save`.

    >>> import io
    >>> import minipaddle as paddle
    >>> file = io.BytesIO()
    >>> paddle.save({"w": paddle.ones([2]), "epoch": 3}, file)
    >>> _ = file.seek(0)
    >>> paddle.load(file, return_numpy=True)["epoch"]
    3
    """
    _check_options("save", configs, SAVE_OPTIONS)
    if configs.get("use_binary_format"):
        raise misfit("save", "use_binary_format=False", Unimplemented, use_binary_format=True)
    protocol = pickles.check_protocol(configs.get("pickle_protocol", protocol))
    if isinstance(obj, Program):
        data = inference_model.as_bytes(inference_model.Model(obj, [], [], {}))
    else:
        data = pickle.dumps(_to_pickle(obj), protocol)
    if hasattr(path, "write"):
        path.write(data)
        return
    target = _check_path("save", path)
    if not target.name or str(path).endswith(("/", os.sep)):
        raise errors.no_file_name(path)
    files.write({target: data}, make_folders=True)


def _to_pickle(obj: Any) -> Any:
    """Return the values in the form that goes into the pickle."""
    is_state = _is_state(obj)
    try:
        content = Rebuilding(lambda leaf: _write_leaf(leaf, named=not is_state), _check_key)(obj)
    except RecursionError as error:
        raise errors.cannot_write(obj, error) from None
    if not is_state:
        return content
    names = {key: _name_of(value) for key, value in obj.items() if isinstance(value, Tensor)}
    return {**content, TABLE: names}


def _name_of(tensor: Any) -> str:
    return tensor.name


def _is_state(obj: Any) -> bool:
    """Return whether this is a dict of tensors, perhaps with dicts of other values inside."""
    return isinstance(obj, dict) and all(
        isinstance(value, Tensor)
        or (isinstance(value, dict) and not any(isinstance(i, Tensor) for i in _iter_values(value)))
        for value in obj.values()
    )


def _iter_values(obj: Any) -> Iterator[Any]:
    """Yield an object and all that its dicts, lists and tuples hold; enter each only once."""
    met: set[int] = set()
    waiting = [obj]
    for item in waiting:  # the loop extends the list
        yield item
        if isinstance(item, (dict, list, tuple)) and id(item) not in met:
            met.add(id(item))
            waiting += item.values() if isinstance(item, dict) else item


def _write_leaf(leaf: Any, named: bool) -> Any:
    """Return a value that is no container in the form that goes into a file."""
    if isinstance(leaf, Tensor):
        array = to_numpy(leaf._data)
        return (_name_of(leaf), array) if named else array
    if isinstance(leaf, DenseTensor):  # the value comes from a Program's state_dict
        return np.array(leaf)
    if type(leaf) in pickles.PLAIN:
        return leaf
    if isinstance(leaf, (np.ndarray, np.generic)) and not isinstance(leaf, np.ma.MaskedArray):
        if not pickles.is_readable(leaf):
            raise errors.unknown_elements(leaf)
        return np.asarray(leaf) if isinstance(leaf, np.ndarray) else leaf
    raise errors.not_a_value(leaf)


def _check_key(key: Any) -> None:
    if type(key) is tuple:
        for part in key:
            _check_key(part)
    elif not pickles.is_key(key):
        raise errors.no_key(key)


# ----- reading -----------------------------------------------------------------------------------


def load(path: Any, **configs: Any) -> Any:
    """Read a file of `paddle.save`, here or in real Paddle, without executing anything.

    In static mode it has DenseTensors. `return_numpy=True` gives arrays instead,
    `keep_name_table=True` also the table of names of a state dict. bfloat16 becomes float32.
    InvalidArgument for a missing, damaged or different file; PermissionDenied for one
    that calls functions.
    Source: Paddle's `paddle.load`.

    >>> import minipaddle as paddle
    >>> paddle.load("missing.pdparams")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    minipaddle.engine.errors.InvalidArgument: The ``path`` (missing.pdparams) to load model...
    """
    _check_options("load", configs, LOAD_OPTIONS)
    if hasattr(path, "read"):
        data, where = path.read(), getattr(path, "name", "the open file")
    else:
        data, where = _read_file(_check_path("load", path)), str(path)
    if not isinstance(data, bytes):
        raise errors.not_bytes(data, where)
    if data.startswith(b"{"):
        return inference_model.parse(data, where)[0]
    content = pickles.loads(data, where)
    make = (lambda _, array: array) if configs.get("return_numpy") else Tensors(where)
    if not isinstance(content, dict) or TABLE not in content:
        return _with_tensors(content, make)
    table = content.pop(TABLE)
    if not isinstance(table, dict) or not all(isinstance(name, str) for name in table.values()):
        raise errors.no_table(table, where, TABLE)
    for key, value in content.items():
        if key in table and isinstance(value, np.ndarray):
            content[key] = make(table[key], value)
    return {**content, TABLE: table} if configs.get("keep_name_table") and table else content


def _read_file(path: Path) -> bytes:
    if not path.is_file():
        raise errors.missing(path)
    data = path.read_bytes()
    if path.suffix in PROGRAMS and not data.startswith(b"{"):
        raise errors.is_a_program(path)
    return data


def _with_tensors(content: Any, make: Callable[[Any, Any], Any]) -> Any:
    """Replace pairs of a name and an array by Tensors.

    In a value without such a pair, as in files of static.save, all arrays become Tensors.
    """

    def is_leaf(obj: Any) -> bool:
        return is_no_container(obj) or _is_pair(obj)

    if any(map(_is_pair, _iter_values(content))):
        rebuild = Rebuilding(lambda leaf: make(*leaf) if _is_pair(leaf) else leaf, is_leaf=is_leaf)
    else:
        rebuild = Rebuilding(lambda v: make(None, v) if isinstance(v, np.ndarray) else v)
    return rebuild(content)


def _is_pair(value: Any) -> bool:
    match value:
        case (str(), array) if type(value) is tuple:
            return isinstance(array, np.ndarray)
    return False


class Tensors:
    """Maker of Tensors, in static mode DenseTensors, from arrays; each has its own memory."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.used: set[int] = set()

    def __call__(self, name: str | None, array: Any) -> Any:
        if array.dtype == np.uint16:  # Paddle writes bfloat16 as the upper half of a float32
            array = (array.astype(np.uint32) << np.uint32(16)).view(np.float32)
        elif array.dtype.name not in ALL:
            raise errors.no_tensor_of(array, self.where)
        elif id(array) in self.used:  # a file may hold one array in several places
            array = array.copy()
        self.used.add(id(array))
        if modes.is_static():
            return DenseTensor(array)
        tensor = Tensor(current_place().put(array))
        if name is not None:
            rare(tensor).name = name
        return tensor


# ----- arguments ---------------------------------------------------------------------------------


def _check_path(name: str, path: Any) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise errors.not_a_path(name, path)
    return Path(path)


def _check_options(name: str, options: dict[str, Any], known: tuple[str, ...]) -> None:
    if others := options.keys() - set(known):
        fix = Message("leave {names} out", names=Row(sorted(others)))
        expected = f"options among {', '.join(known)}"
        raise misfit(name, expected, InvalidArgument, fix, options=sorted(others))
