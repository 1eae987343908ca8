"""Long text of a Program: `to_string` shows it field by field, as Paddle does."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..engine.errors import CheckFailed
from .errors import require_type


class AttrType(IntEnum):
    """Kind of an operator's attribute."""

    INT, FLOAT, STRING, INTS, FLOATS, STRINGS, BOOL, BOOLS = range(8)

    def __str__(self) -> str:
        return f"AttrType.{self.name}"


ONE = {bool: AttrType.BOOL, int: AttrType.INT, float: AttrType.FLOAT}
SEVERAL = {bool: AttrType.BOOLS, int: AttrType.INTS, float: AttrType.FLOATS, str: AttrType.STRINGS}


def attr_type(value: Any) -> AttrType:
    """Return the kind of an attribute's value; an empty list holds texts."""
    if isinstance(value, (list, tuple)):
        return SEVERAL.get(type(value[0]), AttrType.STRINGS) if value else AttrType.STRINGS
    return ONE.get(type(value), AttrType.STRING)


def variable_text(var: Any, details: bool = False) -> str:
    """Return the fields of a Variable."""
    dims = [f"dims: {size}" for size in var.shape]
    data_type = var.dtype.name.upper().replace("FLOAT", "FP")
    tensor = _group_lines("tensor", [f"data_type: {data_type}", *dims])
    parameter = var.kind == "parameter"
    levels = [] if parameter else [f"legacy_lod_level: {var.lod_level}"]
    lines = [f'name: "{var.name}"']
    lines += _group_lines(
        "type", ["type: DENSE_TENSOR", *_group_lines("dense_tensor", [*tensor, *levels])]
    )
    lines += [f"persistable: {_plain_text(bool(var.persistable))}"]
    lines += ["need_check_feed: true"] if var.is_data else []
    lines += ["is_parameter: true"] if parameter else []
    lines += [f"stop_gradient: {_plain_text(bool(var.stop_gradient))}"]
    if details:
        names = ("trainable", "optimize_attr", "regularizer", "do_model_average", "need_clip")
        lines += ["error_clip: None"]
        lines += [f"{name}: {getattr(var, name)}" for name in names if parameter]
    return _join_lines(lines)


def operator_text(op: Any) -> str:
    """Return the fields of an operator."""
    lines: list[str] = []
    for word, slots in (("inputs", op.inputs), ("outputs", op.outputs)):
        for slot in sorted(slots):
            names = [f'arguments: "{name}"' for name in slots[slot]]
            lines += _group_lines(word, [f'parameter: "{slot}"', *names])
    lines += [f'type: "{op.type}"']
    for name in op.attr_names:
        lines += _group_lines("attrs", [f'name: "{name}"', *_attribute_lines(op.attrs[name])])
    return _join_lines(lines)


def block_text(block: Any, details: bool = False) -> str:
    """Return the fields of a block; without details its Variables are sorted by name."""
    variables = list(block.vars.values())
    if not details:
        variables.sort(key=lambda var: var.name)
    lines = [f"idx: {block.idx}", f"parent_idx: {block.parent_idx}"]
    for var in variables:
        lines += _group_lines("vars", variable_text(var, details).splitlines())
    for op in block.ops:
        lines += _group_lines("ops", operator_text(op).splitlines())
    return _join_lines(_group_lines("blocks", lines) if details else lines)


def program_text(program: Any, details: bool = False) -> str:
    """Return the fields of all blocks."""
    if details:
        return "".join(block_text(block, details) for block in program.blocks)
    groups = [_group_lines("blocks", block_text(b).splitlines()) for b in program.blocks]
    return _join_lines([line for group in groups for line in group])


def check_flags(**flags: Any) -> None:
    """Raise an error for options of `to_string` that are not bools, as Paddle does."""
    for name, value in flags.items():
        require_type(value, (bool,), name, "to_string", CheckFailed)


def _attribute_lines(value: Any) -> list[str]:
    kind = attr_type(value)
    word = "BOOLEAN" if kind is AttrType.BOOL else kind.name
    field, values = kind.name.lower(), value
    if not isinstance(value, (list, tuple)):
        field, values = field[0], [value]
    return [f"type: {word}", *(f"{field}: {_plain_text(item)}" for item in values)]


def _plain_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(np.float32(value)).removesuffix(".0")
    return str(value) if isinstance(value, int) else '"' + str(value).replace('"', '\\"') + '"'


def _group_lines(word: str, lines: list[str]) -> list[str]:
    return [f"{word} {{", *(f"  {line}" for line in lines), "}"]


def _join_lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
