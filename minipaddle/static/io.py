"""Files of a Program's values that Paddle reads too: .pdparams and .pdopt."""

from __future__ import annotations

import os
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from ..engine import files
from ..engine.errors import CheckFailed, InvalidArgument
from ..engine.source_line import stacklevel
from ..saving import pickles
from ..saving.errors import no_file_name
from . import errors
from .errors import require_type
from .executor import Executor
from .program import Program, optimizer_variables
from .scope import get_value, global_scope
from .variable import Variable

ENDINGS = (".pdparams", ".pdopt", ".pdmodel")


def save(program: Program, model_path: Any, protocol: int = 4, **configs: Any) -> None:
    """Write a Program's parameters to model_path.pdparams, its optimizer's values to .pdopt.

    Both files are written completely or not at all. ValueError for a protocol other than 2, 3 or 4,
    and for missing values. Source: Paddle's `paddle.static.save`.

    >>> import os, tempfile, minipaddle as paddle
    >>> paddle.enable_static()
    >>> main, startup = paddle.static.Program(), paddle.static.Program()
    >>> with paddle.static.program_guard(main, startup), tempfile.TemporaryDirectory() as folder:
    ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1)
    ...     _ = paddle.static.Executor().run(startup)
    ...     paddle.static.save(main, os.path.join(folder, "model"))
    ...     sorted(os.listdir(folder))
    ['model.pdopt', 'model.pdparams']
    >>> paddle.disable_static()
    """
    require_type(program, (Program,), "program", "save")
    base = os.fspath(model_path)
    if not base or base[-1] in ("/", os.sep):
        raise no_file_name(model_path, CheckFailed)
    protocol = pickles.check_protocol(configs.get("pickle_protocol", protocol))
    kinds: tuple[Any, Any] = (program.all_parameters(), optimizer_variables(program))
    contents: dict[str, bytes] = {}
    for ending, variables in zip(ENDINGS, kinds, strict=False):
        values = {var.name: np.array(get_value(var.name, None)) for var in variables}
        contents[base + ending] = pickle.dumps(values, protocol)
    files.write(contents, make_folders=True)


def load(
    program: Program, model_path: Any, executor: Executor | None = None, var_list: Any = None
) -> None:
    """Load into the global scope the values that `save` wrote, here or in Paddle.

    `var_list` chooses Variables, None loads all. Everything is checked before anything changes:
    ValueError for a damaged file or another shape, AssertionError for a missing value. Nothing in a
    file is executed.
    Source: Paddle's `paddle.static.load`.

    >>> import os, tempfile, minipaddle as paddle
    >>> paddle.enable_static()
    >>> main, startup = paddle.static.Program(), paddle.static.Program()
    >>> with paddle.static.program_guard(main, startup), tempfile.TemporaryDirectory() as folder:
    ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1)
    ...     _ = paddle.static.Executor().run(startup)
    ...     paddle.static.save(main, os.path.join(folder, "model"))
    ...     paddle.static.load(main, os.path.join(folder, "model"))
    >>> paddle.disable_static()
    """
    require_type(program, (Program,), "program", "load")
    require_type(executor, (Executor, type(None)), "executor", "load", CheckFailed)
    base = _without_ending(model_path)
    names = None if var_list is None else {var.name for var in var_list}
    arrays = _select_arrays(program.all_parameters(), Path(base + ".pdparams"), names)
    state, kept = optimizer_variables(program), Path(base + ".pdopt")
    if state:
        if not kept.exists():
            raise errors.no_optimizer_file(kept)
        arrays.update(_select_arrays(state, kept, names))
    _write_arrays(arrays)


def load_program_state(model_path: Any, var_list: Any = None) -> dict[str, Any]:  # noqa: ARG001
    """Return all arrays that `save` wrote, by name; `var_list`, for older files, changes nothing.

    FileNotFoundError for a missing file. Source: Paddle's
    `paddle.static.load_program_state`.

    >>> import tempfile
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     weight = paddle.static.create_parameter([2], "float32")
    ...     _ = paddle.static.Executor().run(paddle.static.default_startup_program())
    ...     with tempfile.TemporaryDirectory() as folder:
    ...         paddle.static.save(weight.block.program, f"{folder}/model")
    ...         state = paddle.static.load_program_state(f"{folder}/model")
    >>> state[weight.name].shape
    (2,)
    >>> paddle.disable_static()
    """
    base = _without_ending(model_path)
    arrays, kept = _read_arrays(Path(base + ".pdparams")), Path(base + ".pdopt")
    return {**arrays, **_read_arrays(kept)} if kept.exists() else arrays


def set_program_state(program: Program, state_dict: dict[str, Any]) -> None:
    """Put arrays into the global scope by name; warn of names that the Program lacks.

    AssertionError for another shape or dtype, before anything changes. Source: Paddle's
    `paddle.static.set_program_state`.

    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     weight = paddle.static.create_parameter([2], "float32")
    ...     state = {weight.name: np.ones(2, "float32")}
    ...     paddle.static.set_program_state(weight.block.program, state)
    >>> np.array(paddle.static.global_scope().find_var(weight.name).get_tensor()).tolist()
    [1.0, 1.0]
    >>> paddle.disable_static()
    """
    require_type(program, (Program,), "program", "set_program_state")
    require_type(state_dict, (dict,), "state_dict", "set_program_state")
    variables = [*program.all_parameters(), *optimizer_variables(program)]
    arrays = {
        var.name: np.asarray(state_dict[var.name]) for var in variables if var.name in state_dict
    }
    for var in variables:
        if var.name in arrays:
            require_match("set_program_state", var, arrays[var.name], CheckFailed)
            get_value(var.name, None)
    _write_arrays(arrays)
    others = [name for name in state_dict if name not in arrays]
    if others:
        warnings.warn(
            "This list is not set, Because of Parameter not found in program. There are: "
            + " ".join(others),
            UserWarning,
            stacklevel=stacklevel(),
        )


# ----- files --------------------------------------------------------------------------------------


def _without_ending(path: Any) -> str:
    base: str = os.fspath(path)
    return next((base.removesuffix(end) for end in ENDINGS if base.endswith(end)), base)


def _read_arrays(path: Path) -> dict[str, Any]:
    """Return the arrays of a file by name, without the table of names that Paddle adds."""
    content: Any = pickles.load(path)
    if isinstance(content, dict):
        arrays = {k: v for k, v in content.items() if k != "StructuredToParameterName@@"}
        if all(isinstance(k, str) and isinstance(v, np.ndarray) for k, v in arrays.items()):
            return arrays
    raise errors.other_things(path, content)


def _select_arrays(variables: Any, path: Path, wanted: set[str] | None) -> dict[str, Any]:
    arrays, chosen = _read_arrays(path), {}
    for var in variables:
        if wanted is None or var.name in wanted:
            if var.name not in arrays:
                raise errors.not_in_file(var, path, arrays)
            require_match("load", var, arrays[var.name])
            chosen[var.name] = arrays[var.name]
    return chosen


def require_match(function: str, var: Variable, array: Any, kind: Any = InvalidArgument) -> None:
    """Raise an error for an array of another shape or dtype than a Variable's."""
    if array.shape != var.shape or array.dtype != var.dtype.numpy:
        raise errors.no_match(function, var, array, kind)


def _write_arrays(arrays: dict[str, Any]) -> None:
    scope = global_scope()
    for name, array in arrays.items():
        scope.write(name, np.array(array))
