"""Paddle's spelling of an op in a Program: slots, attributes, and names of outputs.

An op record holds plain renamings; the table `SPECIAL` has the few operators whose attributes need
more than a renaming.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..engine.dtypes import DType
from ..engine.guard import Guard, override_variable
from ..engine.naming import UniqueNameGenerator
from ..ops import Op
from ..ops.indexing.positions import write_index

# Paddle's numbers for element types in attributes such as out_dtype.
DTYPE_CODES = {
    "bool": 0, "int16": 1, "int32": 2, "int64": 3, "float16": 4, "float32": 5, "float64": 6,
    "uint8": 20, "int8": 21, "complex64": 23, "complex128": 24,
}  # fmt: skip

# Optional inputs of Paddle's operators that are always empty in minipaddle.
EMPTY_SLOTS: dict[str, tuple[str, ...]] = {
    "clip": ("Max", "Min"),
    "concat": ("AxisTensor",),
    "expand_v2": ("Shape", "expand_shapes_tensor"),
    "gather": ("Axis",),
    "gaussian_random": ("ShapeTensor", "ShapeTensorList"),
    "pow": ("FactorTensor",),
    "randint": ("ShapeTensor", "ShapeTensorList"),
    "reshape2": ("Shape", "ShapeTensor"),
    "scale": ("BiasTensor", "ScaleTensor"),
    "split": ("AxisTensor", "SectionsTensorList"),
    "tile": ("RepeatTimes", "repeat_times_tensor"),
    "uniform_random": ("ShapeTensor", "ShapeTensorList"),
    "unsqueeze2": ("AxesTensor", "AxesTensorList"),
}

EMPTY = "@EMPTY@"  # name in place of an absent Variable
REDUCTIONS = ("sum", "mean", "max", "min", "prod", "amax", "amin", "all", "any")

_output_prefix: ContextVar[str | None] = ContextVar("minipaddle_output_prefix", default=None)


# ----- names of outputs ---------------------------------------------------------------------------


def outputs_named(prefix: str) -> Guard:
    """Name the outputs of operators built inside the block prefix_0, prefix_1, ..."""
    return override_variable(_output_prefix, prefix)


def with_prefix(prefix: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function so that its outputs are named after `prefix`: x + y gives tmp_0."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with outputs_named(prefix):
            return call(*args, **kwargs)

    return wrapper


def output_names(op: Op, names: UniqueNameGenerator, count: int) -> list[str]:
    """Return fresh names for the outputs of a call."""
    prefix = _output_prefix.get()
    if prefix is None:
        prefix = names(op.static.prefix or op.static.type) + ".tmp"
    return [names(prefix) for _ in range(count)]


# ----- slots and attributes -----------------------------------------------------------------------


def slot(op: Op, name: str) -> str:
    """Return Paddle's slot for an input or output of the record: x -> X, outs -> Out."""
    return op.static.slots.get(name) or {"outs": "Out"}.get(name) or name[:1].upper() + name[1:]


def slot_names(argument: Any) -> list[str]:
    """Return the names in a slot: the Variable's, the names of a list of Variables, or none."""
    if argument is None:
        return []
    return [n or EMPTY for n in argument] if isinstance(argument, tuple) else [argument]


def paddle_attrs(op: Op, values: dict[str, Any], metas: list[Any]) -> dict[str, Any]:
    """Return the attributes as Paddle's operator spells them."""
    attrs = {
        op.static.attrs.get(key, key): _spell_value(
            DType.of(value) if key == "dtype" else value, op.defaults[key]
        )
        for key, value in values.items()
        if value is not None
    }
    for key, value in op.static.extra.items():
        attrs[key] = value(values) if callable(value) else value
    special = SPECIAL.get(op.static.type)
    return special(attrs, values, metas) if special else attrs


def _spell_value(value: Any, default: Any = None) -> Any:
    """Return an attribute as Paddle stores it: float32 values, type numbers, lists."""
    if isinstance(value, DType):
        return DTYPE_CODES[value.name]
    if isinstance(value, (list, tuple)):
        return [_spell_value(item) for item in value]
    if isinstance(value, float) or (isinstance(default, float) and type(value) is int):
        return float(np.float32(value))
    return value


def _write_reduce(attrs: dict[str, Any], values: dict[str, Any], _metas: Any) -> dict[str, Any]:
    dim = _axis_list(values["axis"])
    attrs.pop("dtype", None)
    out = _dtype_code(values.get("dtype"))
    return {**attrs, "dim": dim, "reduce_all": not dim, "in_dtype": -1, "out_dtype": out}


def _write_fill(attrs: dict[str, Any], values: dict[str, Any], _metas: Any) -> dict[str, Any]:
    value = values["fill_value"]
    spelled = {"value": float(np.float32(value)), "str_value": str(value)}
    return {**attrs, **spelled, "force_cpu": False, "place_type": -1}


def _dtype_code(kind: Any) -> int:
    return -1 if kind is None else DTYPE_CODES[DType.of(kind).name]


def _axis_list(axis: Any) -> list[int]:
    return [] if axis is None else [axis] if isinstance(axis, int) else list(axis)


def _write_split(_attrs: Any, values: dict[str, Any], _metas: Any) -> dict[str, Any]:
    parts, axis = values["num_or_sections"], values["axis"]
    if isinstance(parts, int):
        return {"axis": axis, "num": parts, "sections": []}
    return {"axis": axis, "num": 0, "sections": list(parts)}


Spelling = Callable[[dict[str, Any], dict[str, Any], Any], dict[str, Any]]
SPECIAL: dict[str, Spelling] = {
    **dict.fromkeys((f"reduce_{kind}" for kind in REDUCTIONS), _write_reduce),
    "fill_constant": _write_fill,
    "fill_any_like": lambda attrs, values, _: {**attrs, "dtype": _dtype_code(values["dtype"])},
    "squeeze2": lambda attrs, values, _: {**attrs, "axes": _axis_list(values["axis"])},
    "unsqueeze2": lambda attrs, values, _: {**attrs, "axes": _axis_list(values["axis"])},
    "pow": lambda attrs, values, _: {**attrs, "factor": float(np.float32(values["factor"]))},
    "uniform_random": lambda attrs, *_: {**attrs, "diag_num": 0, "diag_step": 0, "diag_val": 1.0},
    "cast": lambda attrs, _, metas: {**attrs, "in_dtype": DTYPE_CODES[metas[0].dtype.name]},
    "slice": lambda attrs, values, _: {**attrs, "index": write_index(values["index"])},
    "set_value": lambda attrs, values, _: {**attrs, "index": write_index(values["index"])},
    "split": _write_split,
}
