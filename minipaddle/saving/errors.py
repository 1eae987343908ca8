"""Errors of files that keep values: each function makes one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..engine.dtypes import ALL
from ..engine.errors import (
    InvalidArgument,
    MinipaddleError,
    NoSuchFile,
    PermissionDenied,
)
from ..errors import wrong_type

# ----- pickles -----------------------------------------------------------------------------------


def asks_to_call(called: str) -> PermissionDenied:
    what = f"this file asks to call {called}, which is refused."
    expected = "arrays, numbers, texts, and dicts and lists of them"
    received = f"a pickle that uses {called}"
    fix = "load only files of arrays, as paddle.save and paddle.static.save write them"
    return PermissionDenied(what, expected=expected, received=received, fix=fix)


def damaged(where: str, data: bytes, error: Exception) -> InvalidArgument:
    what = f"'{where}' cannot be read: {str(error)[:200] or type(error).__name__}"
    expected = "a whole file of arrays, as paddle.save and paddle.static.save write it"
    received = f"{len(data)} bytes of something else, or a part of such a file"
    fix = "save it again; a copy that was interrupted is not complete"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def not_there(path: Path) -> NoSuchFile:
    what, expected = f"No such file or directory: '{path}'.", "a file that paddle.static.save wrote"
    fix = "check the path; the ending is added to the name that you give"
    return NoSuchFile(what, expected=expected, received=f"the path '{path}'", fix=fix)


# ----- writing -----------------------------------------------------------------------------------


def no_file_name(path: object, kind: type[MinipaddleError] = InvalidArgument) -> MinipaddleError:
    return kind(
        "The input path MUST be format of dirname/filename, but received filename is empty string.",
        expected="a file's name, for example 'model.pdparams'",
        received=f"{path!r}",
        fix="add a name after the folder",
    )


def cannot_write(obj: Any, error: RecursionError) -> InvalidArgument:
    what = f"paddle.save cannot write {error}."
    expected = "values that are written one after the other, and end"
    received = f"a {type(obj).__name__} of {len(obj)}"
    return InvalidArgument(what, expected=expected, received=received, fix="save its parts")


def unknown_elements(leaf: Any) -> InvalidArgument:
    what = f"paddle.save cannot write a {type(leaf).__name__} of {leaf.dtype}."
    expected = f"elements of one of {', '.join(ALL)}"
    fix = 'give it another type first, as in a.astype("float32")'
    return InvalidArgument(what, expected=expected, received=str(leaf.dtype), fix=fix)


def not_a_value(leaf: object) -> MinipaddleError:
    what = f"paddle.save cannot write a {type(leaf).__name__}."
    expected = "Tensors, arrays, numbers, texts, None, and dicts, lists and tuples of them"
    if hasattr(leaf, "state_dict"):
        what = "paddle do not support saving `paddle.nn.Layer` object."
        return wrong_type(what, leaf, expected, "save its state_dict()", InvalidArgument)
    return wrong_type(what, leaf, expected, "leave it out, or save its parts", InvalidArgument)


def no_key(key: object) -> MinipaddleError:
    what = f"paddle.save cannot write a {type(key).__name__} as a key."
    expected = "texts and numbers as keys of dicts and elements of sets, and tuples of them"
    return wrong_type(what, key, expected, "use its name", InvalidArgument)


# ----- reading -----------------------------------------------------------------------------------


def not_bytes(data: object, where: str) -> InvalidArgument:
    what, expected = "paddle.load reads bytes.", "a file that was opened in binary mode"
    received = f"{type(data).__name__} from '{where}'"
    return InvalidArgument(what, expected=expected, received=received, fix="open(name, 'rb')")


def no_table(table: object, where: str, name: str) -> InvalidArgument:
    what = f"'{where}' cannot be read: its {name} is no table of names."
    expected = "a dict from keys to the names of tensors"
    received = type(table).__name__ + " of other things than texts" * isinstance(table, dict)
    fix = "save it again, with paddle.save"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def is_a_program(path: Path) -> InvalidArgument:
    what = f"paddle.load reads values, and '{path}' is a program of real Paddle or its weights."
    expected = "a file of paddle.save, for example .pdparams or .pdopt"
    received = f"a file that ends with {path.suffix}"
    fix = "build the Program again, and read its values with paddle.static.load"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def missing(path: Path) -> InvalidArgument:
    what, fix = f"The ``path`` ({path}) to load model not exists.", "check the name and the folder"
    likely = [f"{path}{end}" for end in (".pdparams", ".pdopt") if Path(f"{path}{end}").exists()]
    if likely:
        what += " please specify the full file name, not just the prefix."
        fix = f"paddle.load('{likely[0]}')"
    received = f"'{path}'" + ", which is a folder" * path.is_dir()
    return InvalidArgument(what, expected="the name of a file", received=received, fix=fix)


def no_tensor_of(array: Any, where: str) -> InvalidArgument:
    what = f"'{where}' holds an array of {array.dtype}, which no Tensor can have."
    expected = f"elements of one of {', '.join(ALL)}"
    received = f"{array.dtype} {list(array.shape)}"
    fix = "paddle.load(..., return_numpy=True) reads it as an array"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


# ----- arguments ---------------------------------------------------------------------------------


def not_a_path(name: str, path: object) -> InvalidArgument:
    what = f"paddle.{name} only supports files and `BytesIO`, but got {type(path).__name__}."
    expected = "a file's name, or an open binary file"
    fix = f"paddle.{name}(..., 'model.pdparams')" if name == "save" else "give its name"
    return InvalidArgument(what, expected=expected, received=f"{path!r:.60}", fix=fix)
