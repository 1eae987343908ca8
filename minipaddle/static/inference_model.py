"""Files of a Program with its values: what a trained network needs to compute its results.

`NAME.json` has the Program: Variables, and operators by the names of their op records.
`NAME.pdiparams` has the values by name. Real Paddle writes files of the same names in formats of
its own, which minipaddle does not read. Nothing in a file is executed: an operator that is read is
appended as one that is built, with the same checks.
"""

from __future__ import annotations

import base64
import json
import math
import os
import pickle
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..device import to_numpy
from ..engine import files
from ..engine.dtypes import DType
from ..engine.errors import MinipaddleError, NoSuchFile
from ..ops.arguments import as_list
from ..ops.bound import Forward
from ..ops.program_ops import find_op
from ..saving import pickles
from . import errors
from .errors import require_type
from .executor import Executor
from .io import require_match
from .op_calls import append
from .operator import BACKWARD, OPTIMIZE
from .program import Program, default_main_program
from .scope import get_value, global_scope
from .variable import Parameter, Variable

FORMAT = "minipaddle program 1"


class Model(NamedTuple):
    """A Program, the names of its inputs and outputs, and its values by name."""

    program: Program
    feeds: list[str]
    fetches: list[str]
    values: dict[str, Any]


# ----- the public functions ----------------------------------------------------------------------


def save_inference_model(
    path_prefix: Any,
    feed_vars: Any,
    fetch_vars: Any,
    executor: Executor,  # noqa: ARG001
    **kwargs: Any,
) -> None:
    """Write the part of a Program that computes `fetch_vars` from `feed_vars`, with its values.

    The files are path_prefix.json and path_prefix.pdiparams; `program=` names another Program than
    the default one.
    Source: Paddle's `paddle.static.save_inference_model`.

    Errors: TypeError for anything but Variables; ValueError for an operator that has no file form,
    such as a py_func.

    >>> import tempfile
    >>> paddle.enable_static()
    >>> main, startup = paddle.static.Program(), paddle.static.Program()
    >>> with paddle.static.program_guard(main, startup), tempfile.TemporaryDirectory() as folder:
    ...     x = paddle.static.data("x", [None, 2])
    ...     y = paddle.static.nn.fc(x, 1)
    ...     exe = paddle.static.Executor()
    ...     _ = exe.run(startup)
    ...     paddle.static.save_inference_model(f"{folder}/net", [x], [y], exe)
    ...     program, feeds, fetches = paddle.static.load_inference_model(f"{folder}/net", exe)
    >>> feeds, [fetch.shape for fetch in fetches]
    (['x'], [(-1, 1)])
    >>> paddle.disable_static()
    """
    name = "save_inference_model"
    for argument, given in (("feed_vars", feed_vars), ("fetch_vars", fetch_vars)):
        for variable in as_list(given):
            require_type(variable, (Variable,), argument, name)
    program = kwargs.get("program") or default_main_program()
    require_type(program, (Program,), "program", name)
    feeds, fetches = ([v.name for v in as_list(given)] for given in (feed_vars, fetch_vars))
    pruned = prune(program, feeds, fetches)
    kept = [var.name for var in pruned.list_vars() if var.persistable]
    values = {name: np.array(get_value(name, None)) for name in kept}
    write(path_prefix, Model(pruned, feeds, fetches, values))


def load_inference_model(
    path_prefix: Any,
    executor: Executor,  # noqa: ARG001
    **kwargs: Any,  # noqa: ARG001
) -> list[Any]:
    """Read what `save_inference_model` or `paddle.jit.save` wrote; put values in the global scope.

    It returns the Program, the names of the feeds, and the Variables to fetch.
    Source: Paddle's `paddle.static.load_inference_model`.

    Errors: FileNotFoundError for a missing file; ValueError for a damaged one.

    >>> try:
    ...     paddle.static.load_inference_model("nowhere", paddle.static.Executor())
    ... except FileNotFoundError:
    ...     print("there is no such file")
    there is no such file
    """
    model = read(path_prefix)
    scope = global_scope()
    for name, array in model.values.items():
        scope.write(name, array)
    block = model.program.global_block()
    return [model.program, model.feeds, [block.var(name) for name in model.fetches]]


def prune(program: Program, feeds: list[str], fetches: list[str]) -> Program:
    """Copy the part of a Program, in test mode, that computes the fetches from the feeds."""
    copy = program.clone(for_test=True)
    block, wanted = copy.global_block(), {*fetches} - {*feeds}
    for op in reversed(list(block.ops)):
        if wanted.isdisjoint(op.writes):
            block.ops.remove(op)
        else:
            wanted.update({*op.reads} - {*feeds})
    for op in program.global_block().ops:
        if op.attrs["op_role"] & BACKWARD and not wanted.isdisjoint(op.writes):
            raise errors.no_file_form(op)
    for name in feeds:
        if name not in block.vars:  # nothing reads it
            block.vars[name] = program.global_block().vars[name]
        block.vars[name].is_data = True
    used = wanted | {*feeds, *fetches} | {name for op in block.ops for name in op.writes}
    block.vars = {name: var for name, var in block.vars.items() if name in used}
    copy.drop_runs()
    return copy


# ----- files -------------------------------------------------------------------------------------


def write(path: Any, model: Model) -> None:
    """Write both files of a model, completely or not at all."""
    values = {name: np.ascontiguousarray(to_numpy(v)) for name, v in model.values.items()}
    base = os.fspath(path)
    contents = {f"{base}.json": as_bytes(model), f"{base}.pdiparams": pickle.dumps(values, 4)}
    files.write(contents, make_folders=True)


def read(path: Any, missing: type[MinipaddleError] = NoSuchFile) -> Model:
    """Read both files of a model; raise `missing` if there are none."""
    base = os.fspath(path)
    place = Path(f"{base}.json")
    if not place.exists():
        raise errors.not_there(place, missing)
    program, feeds, fetches = parse(place.read_bytes(), place)
    kept = Path(f"{base}.pdiparams")
    if not kept.exists():
        raise errors.not_there(kept, missing)
    values = pickles.load(kept)
    for var in program.list_vars():
        if var.persistable:
            array = values.get(var.name)
            if array is None:
                raise errors.not_in_file(var, kept, values)
            require_match("load_inference_model", var, array)
    return Model(program, feeds, fetches, values)


def parse(data: bytes, place: object) -> tuple[Program, list[str], list[str]]:
    """Return the Program in the bytes of a file, with the names of its feeds and fetches."""
    try:
        content = json.loads(data)
        if content["format"] != FORMAT:
            raise ValueError(content["format"])
        program = program_from_json(content)
        return program, list(map(str, content["feeds"])), list(map(str, content["fetches"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise errors.no_program_file(place, error) from error


def as_bytes(model: Model) -> bytes:
    """Return the bytes of the file of a Program, which `parse` reads."""
    return json.dumps(program_as_json(model), indent=1).encode()


def program_as_json(model: Model) -> dict[str, Any]:
    """Return a Program as plain JSON values."""
    variables = [
        {
            "name": var.name,
            "shape": list(var.shape),
            "dtype": var.dtype.name,
            "flags": [flag for flag in FLAGS if getattr(var, flag)],
            "parameter": isinstance(var, Parameter),
        }
        for var in model.program.list_vars()
    ]
    operators = []
    for op in model.program.global_block().ops:
        kernel = op.kernel
        if not isinstance(kernel, Forward) or op.attrs["op_role"] & (BACKWARD | OPTIMIZE):
            raise errors.no_file_form(op)
        try:
            values = as_json(kernel.values)
        except TypeError as error:
            raise errors.no_file_form(op) from error
        operators.append(
            {
                "op": kernel.op.name,
                "values": values,
                "arguments": op.arguments,
                "results": op.results,
            }
        )
    return {
        "format": FORMAT,
        "feeds": model.feeds,
        "fetches": model.fetches,
        "variables": variables,
        "operators": operators,
    }


FLAGS = ("persistable", "is_data", "stop_gradient")


def program_from_json(content: dict[str, Any]) -> Program:
    """Build the Program that a file describes; each operator is checked as it is appended."""
    program = Program()
    block = program.global_block()
    for row in content["variables"]:
        flags = {flag: flag in row["flags"] for flag in FLAGS}
        shape, dtype = tuple(row["shape"]), DType.of(row["dtype"])
        if row["parameter"]:
            block.add(Parameter(block, row["name"], shape, dtype, not flags["stop_gradient"]))
        else:
            block.create_var(row["name"], shape, dtype, **flags)
    for row in content["operators"]:
        op = find_op(row["op"])
        if op is None:
            raise KeyError(row["op"])
        inputs = tuple([_variables(block, names) for names in row["arguments"]])
        outputs = [block.var(name) for name in row["results"]]
        append(block, op, inputs, op.complete(from_json(row["values"])), outputs=outputs)
    return program


def _variables(block: Any, names: Any) -> Any:
    if isinstance(names, list):
        return [block.var(name) for name in names]
    return None if names is None else block.var(names)


# ----- attributes --------------------------------------------------------------------------------


def as_json(value: Any) -> Any:
    """Return the value of an attribute as JSON; a mapping with one key says what JSON lacks."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, DType):
        return {"dtype": value.name}
    if isinstance(value, np.dtype):
        return {"numpy dtype": value.name}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, slice):
        return {"slice": [as_json(part) for part in (value.start, value.stop, value.step)]}
    if isinstance(value, tuple):
        return {"tuple": [as_json(item) for item in value]}
    if isinstance(value, list):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {"dict": {key: as_json(item) for key, item in value.items()}}
    array = np.ascontiguousarray(value)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"a {type(value).__name__} has no JSON form")
    data = base64.b64encode(array.tobytes()).decode()
    return {"array": {"dtype": array.dtype.name, "shape": list(np.shape(value)), "data": data}}


def from_json(value: Any) -> Any:
    """Return the value of an attribute that `as_json` wrote.

    >>> given = {"index": (slice(None, 2), ..., -1), "limit": float("inf"), "axes": [0, 1]}
    >>> from_json(as_json(given)) == given
    True
    """
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, inner),) = value.items()
    return READERS[kind](inner)


READERS: dict[str, Any] = {
    "float": float,
    "complex": lambda parts: complex(*parts),
    "dtype": DType.of,
    "numpy dtype": np.dtype,
    "ellipsis": lambda _: Ellipsis,
    "slice": lambda parts: slice(*map(from_json, parts)),
    "tuple": lambda items: tuple(map(from_json, items)),
    "dict": lambda items: {key: from_json(item) for key, item in items.items()},
    "array": lambda a: (
        np.frombuffer(base64.b64decode(a["data"]), a["dtype"]).reshape(a["shape"]).copy()
    ),
}
