"""`paddle.save` and `paddle.load`: files of values that real Paddle reads, and the other way round.

A state dict is written as a dict of arrays with one more entry, the table of the tensors' names;
in other values each tensor is written as a pair of its name and its array.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..device import current_place, to_numpy
from ..engine import modes
from ..engine.errors import InvalidArgument, Unimplemented
from ..engine.tensor import Tensor, rare
from ..static.dense_tensor import DenseTensor
from . import pickles

TABLE = "StructuredToParameterName@@"
ARRAYS = (Tensor, DenseTensor, np.ndarray)
PLAIN = (str, bool, int, float, complex, np.generic, type(None))
PROGRAMS = (".pdmodel", ".pdiparams", ".json")
LOAD_OPTIONS = ("model_filename", "params_filename", "keep_name_table", "return_numpy")
SAVE_OPTIONS = ("use_binary_format", "pickle_protocol")


# ----- writing -----------------------------------------------------------------------------------


def save(obj: Any, path: Any, protocol: int = 4, **configs: Any) -> None:
    """Write values into a file that real Paddle reads: a state dict, or lists, dicts, numbers.

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
        raise Unimplemented(
            "paddle.save: use_binary_format is not here.",
            expected="use_binary_format=False",
            received="True",
            fix="leave it out: the usual format holds single tensors as well",
        )
    data = pickles.dumps(_to_pickle(obj), _protocol(configs.get("pickle_protocol", protocol)))
    if hasattr(path, "write"):
        path.write(data)
        return
    target = _path("save", path)
    if not target.name or str(path).endswith(("/", os.sep)):
        raise InvalidArgument(
            "The input path MUST be format of dirname/filename, but received filename is empty "
            "string.",
            expected="a file's name, for example 'model.pdparams'",
            received=f"{path!r}",
            fix="add a name after the folder",
        )
    target = Path(os.path.realpath(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    pickles.write({target: data})


def _protocol(protocol: Any) -> int:
    if not isinstance(protocol, int) or isinstance(protocol, bool) or not 1 < protocol < 5:
        raise InvalidArgument(
            f"Expected 1<'protocol'<5, but received protocol={protocol}.",
            expected="2, 3 or 4",
            received=f"{type(protocol).__name__} {protocol!r:.40}",
            fix="leave it out for 4",
        )
    return protocol


def _to_pickle(obj: Any) -> Any:
    """What the pickle holds for these values."""
    if not is_state(obj):
        return _map_tensors(obj, lambda t: (_name(t), to_numpy(t._data)))
    state = {key: _map_tensors(value, lambda t: to_numpy(t._data)) for key, value in obj.items()}
    names = {key: _name(value) for key, value in obj.items() if isinstance(value, Tensor)}
    return {**state, TABLE: names}


def _name(tensor: Any) -> str:
    name: str = tensor.name
    return name


def is_state(obj: Any) -> bool:
    """Whether this is a dict of tensors and arrays; dicts without any, as a scheduler's, count."""
    return isinstance(obj, dict) and all(
        not any(isinstance(inner, ARRAYS) for inner in _leaves(value))
        if isinstance(value, dict)
        else isinstance(value, ARRAYS)
        for value in obj.values()
    )


def _leaves(obj: Any) -> list[Any]:
    """Everything in dicts, lists and tuples that is none of these."""
    if isinstance(obj, dict):
        obj = list(obj.values())
    if isinstance(obj, (list, tuple)):
        return [leaf for item in obj for leaf in _leaves(item)]
    return [obj]


def _map_tensors(obj: Any, tensor: Callable[[Tensor], Any]) -> Any:
    """The same values with something in the place of each Tensor."""
    if isinstance(obj, Tensor):
        return tensor(obj)
    if isinstance(obj, DenseTensor):  # of a Program's state_dict
        return np.array(obj)
    if isinstance(obj, dict):
        kind = OrderedDict if isinstance(obj, OrderedDict) else dict
        return kind((key, _map_tensors(value, tensor)) for key, value in obj.items())
    if type(obj) in (list, tuple, set):
        return type(obj)(_map_tensors(item, tensor) for item in obj)
    if isinstance(obj, PLAIN) or (isinstance(obj, np.ndarray) and obj.dtype.kind in "biufc"):
        return obj
    layer = hasattr(obj, "state_dict")
    raise InvalidArgument(
        "paddle do not support saving `paddle.nn.Layer` object."
        if layer
        else f"paddle.save cannot write a {type(obj).__name__}.",
        expected="Tensors, arrays, numbers, texts, None, and dicts, lists and tuples of them",
        received=f"{type(obj).__name__} {obj!r:.60}",
        fix="save what it holds: obj.state_dict()" if layer else "leave it out, or save its parts",
    )


# ----- reading -----------------------------------------------------------------------------------


def load(path: Any, **configs: Any) -> Any:
    """Read what `paddle.save` wrote, here or in real Paddle; nothing in the file is run.

    In static mode it gives DenseTensors. `return_numpy=True`: arrays in their place.
    `keep_name_table=True`: the table of names of a state dict too. bfloat16 comes as float32.
    InvalidArgument for a file that is missing, damaged, or no such file; PermissionDenied for one
    that asks to call something.
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
        data, where = _bytes(_path("load", path)), str(path)
    content = pickles.loads(data, where)
    make = _as_array if configs.get("return_numpy") else _as_tensor
    if isinstance(content, dict) and (TABLE in content or is_state(content)):
        table = content.pop(TABLE, {})
        state = {k: make(table.get(k), v) if _is_array(v) else v for k, v in content.items()}
        return {**state, TABLE: table} if configs.get("keep_name_table") and table else state
    return make(None, content) if _is_array(content) else _read(content, make)


def _bytes(path: Path) -> bytes:
    if path.suffix in PROGRAMS:
        raise InvalidArgument(
            f"paddle.load reads values, and '{path}' is a program or its weights.",
            expected="a file of paddle.save, for example .pdparams or .pdopt",
            received=f"a file that ends with {path.suffix}",
            fix="build the Program again, and read its values with paddle.static.load",
        )
    if not path.is_file():
        likely = [
            f"{path}{end}" for end in (".pdparams", ".pdopt") if Path(f"{path}{end}").exists()
        ]
        raise InvalidArgument(
            f"The ``path`` ({path}) to load model not exists."
            + (" please specify the full file name, not just the prefix." if likely else ""),
            expected="the name of a file",
            received=f"'{path}'" + (", which is a folder" if path.is_dir() else ""),
            fix=f"paddle.load('{likely[0]}')" if likely else "check the name and the folder",
        )
    return path.read_bytes()


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _read(value: Any, make: Callable[[Any, Any], Any]) -> Any:
    """The values with Tensors in the place of pairs of a name and an array."""
    if isinstance(value, tuple) and len(value) == 2:
        name, array = value
        if isinstance(name, str) and _is_array(array):
            return make(name, array)
    if isinstance(value, dict):
        return {key: _read(inner, make) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_read(inner, make) for inner in value)
    return value


def _as_array(_name: Any, array: Any) -> Any:
    return array


def _as_tensor(name: Any, array: Any) -> Any:
    if array.dtype == np.uint16:  # how Paddle writes bfloat16: the upper half of a float32
        array = (array.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if modes.is_static():
        return DenseTensor(array)
    tensor = Tensor(current_place().put(array))
    if isinstance(name, str):
        rare(tensor).name = name
    return tensor


# ----- arguments ---------------------------------------------------------------------------------


def _path(name: str, path: Any) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidArgument(
            f"paddle.{name} only supports files and `BytesIO`, but got {type(path).__name__}.",
            expected="a file's name, or an open binary file",
            received=f"{path!r:.60}",
            fix=f"paddle.{name}(..., 'model.pdparams')" if name == "save" else "give its name",
        )
    return Path(path)


def _check_options(name: str, given: dict[str, Any], known: tuple[str, ...]) -> None:
    for option in given:
        if option not in known:
            raise InvalidArgument(
                f"The additional config ({option}) of `paddle.{name}` is not supported.",
                expected=f"one of {', '.join(known)}",
                received=option,
                fix="leave it out",
            )
