"""Static graph mode: Programs that are built first and run by an Executor.

Building: while static mode is on, the Builder in `mode` receives every op call, and `op_calls`
appends an Operator with Paddle's slots and attributes to the Block (`spelling`; `append_op`
translates back). `backward` appends gradient operators: their kernels run the op's gradient rule on
arrays (`grad_ops`); `higher_order` runs it on Variables for gradients of gradients. `minimize`
appends an optimizer's operators.

Running: the Executor checks feeds (`feeds`). `interpreter` runs the operators in order and frees
values after their last use; `observed_run` does so and emits events; `plan` compiles repeated runs
of a kind. `py_func` checks a call while the Program is built; `py_call` calls the user's functions
with DenseTensors (`dense_tensor`).
"""

from __future__ import annotations

from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from . import append_op as _append_op  # noqa: F401  (which Block gets)
from . import nn
from .backward import append_backward, gradients
from .block import Block
from .declarations import create_global_var, create_parameter, data
from .executor import BuildStrategy, CompiledProgram, Executor, cpu_places, cuda_places
from .guards import device_guard, name_scope
from .input_spec import InputSpec
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

__all__ = [
    "Block", "BuildStrategy", "CompiledProgram", "DeclarationWarning", "DenseTensor", "Executor",
    "InputSpec", "Operator", "Parameter", "Print", "Program", "Scope", "Variable", "accuracy",
    "append_backward", "cpu_places", "create_global_var", "create_parameter", "cuda_places",
    "data", "default_main_program", "default_startup_program", "device_guard", "disable_static",
    "enable_static", "global_scope", "gradients", "in_dynamic_mode", "load",
    "load_program_state", "name_scope", "nn", "program_guard", "py_func",
    "reset_default_programs", "reset_global_scope", "save", "scope_guard", "set_program_state",
    "setitem",
]  # fmt: skip

__getattr__ = absent.names(__name__)

_publish(globals(), {*__all__} - {"Block", "Operator", "Parameter", "Variable"}, _all_or_none)
