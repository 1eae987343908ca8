"""State of a Program: its parameters and the state of its optimizer."""

from __future__ import annotations

import warnings
from typing import Any

from ..engine.errors import MinipaddleError
from ..engine.source_line import stacklevel
from ..ops.errors import choice
from .checks import require_type
from .dense_tensor import DenseTensor
from .operator import OPTIMIZE
from .scope import Scope, get_value
from .variable import Parameter, Variable

MODES = ("param", "opt", "all")


def optimizer_variables(program: Any) -> list[Variable]:
    """Return the persistable Variables that the updates of an optimizer read and write."""
    block = program.global_block()
    used = {
        name
        for op in block.ops
        if op.attrs["op_role"] == OPTIMIZE
        for name in (*op.reads, *op.writes)
    }
    return [
        var
        for var in block.vars.values()
        if var.name in used and var.persistable and not isinstance(var, Parameter)
    ]


def state_dict(program: Any, mode: str, scope: Scope | None) -> dict[str, DenseTensor]:
    """Return the values in a scope by name."""
    require_type(mode, (str,), "mode", "Program.state_dict")
    if mode not in MODES:
        raise choice("Program.state_dict", "mode", mode, MODES)
    variables: list[Variable] = program.all_parameters() if mode != "opt" else []
    if mode != "param":
        variables = [*variables, *optimizer_variables(program)]
    return {var.name: get_value(var.name, scope) for var in variables}


def set_state_dict(program: Any, values: Any, scope: Scope | None) -> None:
    """Write values into a scope; skip wrong ones with a warning, as Paddle does."""
    require_type(values, (dict,), "state_dict", "Program.set_state_dict")
    variables = program.global_block().vars
    for name, value in values.items():
        reason = "" if name in variables else f"Because '{name}' not in the program."
        if not reason:
            try:
                variables[name].set_value(value, scope)
            except MinipaddleError as error:
                reason = error.parts["what"].en
        if reason:
            warnings.warn(
                f"Skip loading for '{name}'. {reason}", UserWarning, stacklevel=stacklevel()
            )
