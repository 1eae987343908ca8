"""Static graph mode: Programs that are built first and run by an Executor.

Building: while static mode is on, the Builder in `mode` receives every op call, and `op_calls`
appends an Operator with Paddle's slots and attributes to the Block (`spelling`; `append_op`
translates back). `backward` appends gradient operators: their kernels run the op's gradient rule on
arrays (`grad_ops`); `higher_order` runs it on Variables for gradients of gradients. `minimize`
appends an optimizer's operators.

Running: the Executor checks feeds. `interpreter` runs the operators in order and frees
values after their last use; `observed_run` does so and emits events; `plan` compiles repeated runs
of a kind. `py_func` checks a call while the Program is built, and calls the user's functions with
DenseTensors (`scope`).
"""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ..ops.boundary import public_names as _public_names
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from . import append_op as _append_op  # gives Block its method
from . import nn
from .backward import append_backward, gradients
from .block import Block
from .declarations import InputSpec, create_global_var, create_parameter, data
from .executor import BuildStrategy, CompiledProgram, Executor, cpu_places, cuda_places
from .guards import device_guard, name_scope
from .inference_model import load_inference_model, save_inference_model
from .io import load, load_program_state, save, set_program_state
from .layers import accuracy
from .mode import all_or_none as _all_or_none
from .mode import disable_static, enable_static, in_dynamic_mode
from .operator import Operator
from .printing import Print
from .program import (
    Program,
    default_main_program,
    default_startup_program,
    program_guard,
    reset_default_programs,
)
from .py_func import DeclarationWarning, py_func
from .scope import DenseTensor, Scope, global_scope, reset_global_scope, scope_guard
from .variable import Parameter, Variable, setitem

__all__ = list(_public_names(globals(), "nn"))

__getattr__ = absent.names(__name__)

_publish(globals(), {*__all__} - {"Block", "Operator", "Parameter", "Variable"}, _all_or_none)
