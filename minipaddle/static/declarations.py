"""Declarations of Variables: data, parameters, global variables; and InputSpec."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine import dtypes, modes
from ..engine.dtypes import DType
from ..engine.errors import InvalidArgument, InvalidType
from ..engine.tensor import Tensor
from ..errors import misfit
from ..messages import Message
from ..ops.arguments import SCALARS, as_list
from ..parameters.initializers import Initializer, ParamAttr, fallback_initializer
from . import errors
from .block import check_shape
from .errors import require_static, require_type
from .op_calls import initialize
from .program import default_main_program, default_startup_program
from .variable import Parameter, Variable


def data(name: str, shape: Any, dtype: Any = None, lod_level: int = 0) -> Variable:
    """Declare an input of the Program, to be fed at each run; None or -1: any size.

    It has stop_gradient True. ValueError if the name exists with another shape or dtype. Source:
    Paddle's `paddle.static.data`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     paddle.static.data("x", [None, 4], "float32")
    var x : DENSE_TENSOR.shape(-1, 4).dtype(float32).stop_gradient(True)
    >>> paddle.disable_static()
    """
    require_static("data")
    require_type(name, (str,), "name", "data")
    require_type(shape, (list, tuple), "shape", "data")
    sizes = check_shape([-1 if n is None else n for n in shape], "data")
    kind = dtypes.get_default() if dtype is None else DType.of(dtype)
    block = default_main_program().global_block()
    return block.create_var(
        name, sizes, kind, stop_gradient=True, is_data=True, lod_level=lod_level
    )


def create_parameter(
    shape: Any,
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Any = None,
) -> Parameter:
    """Make a parameter of the default main Program, filled by the startup Program.

    Errors: TypeError for a shape that is not made of ints.
    Source: Paddle's `paddle.static.create_parameter`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    ...     paddle.static.create_parameter([2, 3], "float32", name="w")
    persist trainable param w : DENSE_TENSOR.shape(2, 3).dtype(float32).stop_gradient(False)
    >>> paddle.disable_static()
    """
    require_static("create_parameter")
    kind = DType.of(dtype)
    require_type(attr, (ParamAttr, type(None)), "attr", "create_parameter")
    kinds = (Initializer, type(None))
    require_type(default_initializer, kinds, "default_initializer", "create_parameter")
    if default_initializer is None and kind.numpy.kind != "f":
        expected = "a dtype of floats, or a default_initializer"
        fix = "default_initializer=paddle.nn.initializer.Constant(0)"
        raise misfit("create_parameter", expected, InvalidType, fix, dtype=kind.name)
    layer = default_main_program().names("create_parameter")
    letter = "b" if is_bias else "w"
    return make_parameter(layer, letter, shape, kind, attr or name, default_initializer)


def create_global_var(
    shape: Any,
    value: float,
    dtype: Any,
    persistable: bool = False,
    force_cpu: bool = False,  # noqa: ARG001
    name: str | None = None,
) -> Variable:
    """Make a persistable Variable, all of whose elements startup sets to one value.

    `force_cpu` changes nothing: the Executor decides the device.

    Errors: AssertionError outside static mode.
    Source: Paddle's `paddle.static.create_global_var`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    ...     paddle.static.create_global_var([1], 0.0, "float32", persistable=True, name="steps")
    persist var steps : DENSE_TENSOR.shape(1,).dtype(float32).stop_gradient(True)
    >>> paddle.disable_static()
    """
    require_static("create_global_var")
    require_type(value, SCALARS, "value", "create_global_var", InvalidArgument)
    name = name or default_main_program().names("_generated_var")
    sizes, kind = check_shape(shape, "create_global_var"), DType.of(dtype)
    startup = default_startup_program()
    for program in (startup, default_main_program()):
        block = program.global_block()
        # In startup the Variable is persistable, so that its first value goes into the scope.
        kept = persistable or program is startup
        block.add(Variable(block, name, sizes, kind, persistable=kept, stop_gradient=True))
    initialize(startup, name, "full", {"shape": sizes, "fill_value": value, "dtype": kind})
    return default_main_program().global_block().vars[name]


def make_parameter(
    layer: str, letter: str, shape: Any, dtype: DType, attr: Any, default: Initializer | None = None
) -> Parameter:
    """Make the parameter that `attr` describes; without an initializer `default` fills it."""
    attrs = ParamAttr.of(attr)
    if attrs is None:
        raise errors.parameter_left_out(layer)
    initializer = attrs.initializer or fallback_initializer(letter == "b", default)
    sizes, create = check_shape(shape, layer), modes.here().builder.create_parameter
    return create(f"{layer}.{letter}", sizes, dtype, initializer, attrs)


# ----- inputs without a Program ------------------------------------------------------------------


class InputSpec:
    """Shape, dtype and name of an input without a Program.

    Source: Paddle's `paddle.static.InputSpec`.

    Errors: TypeError for a shape that is not a list or tuple.

    >>> InputSpec([None, 4], "float32", "x")
    InputSpec(shape=(-1, 4), dtype=paddle.float32, name=x, stop_gradient=False)
    """

    def __init__(
        self,
        shape: Any,
        dtype: Any = "float32",
        name: str | None = None,
        stop_gradient: bool = False,
    ) -> None:
        require_type(shape, (list, tuple), "shape", "InputSpec")
        self.shape = check_shape([-1 if n is None else n for n in shape], "InputSpec")
        self.dtype = DType.of(dtype)
        self.name = name
        self.stop_gradient = stop_gradient

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> InputSpec:
        """Describe a Tensor or Variable, by its name unless another is given."""
        require_type(tensor, (Tensor, Variable), "tensor", "InputSpec.from_tensor", InvalidArgument)
        return cls(tuple(tensor.shape), tensor.dtype, name or tensor.name)

    @classmethod
    def from_numpy(cls, ndarray: Any, name: str | None = None) -> InputSpec:
        """Describe a NumPy array."""
        require_type(ndarray, (np.ndarray, np.generic), "ndarray", "InputSpec.from_numpy")
        return cls(ndarray.shape, ndarray.dtype, name)

    def batch(self, batch_size: int | list[int] | tuple[int, ...]) -> InputSpec:
        """Insert a first axis of this size, in place."""
        sizes = as_list(batch_size)
        if len(sizes) != 1:
            fix = Message("call it once for each axis")
            raise misfit("InputSpec.batch", "one size", InvalidArgument, fix, batch_size=batch_size)
        self.shape = (*check_shape(sizes, "InputSpec.batch"), *self.shape)
        return self

    def unbatch(self) -> InputSpec:
        """Remove the first axis, in place."""
        if not self.shape:
            fix = Message("leave the call out")
            given = {"shape": self.shape}
            raise misfit("InputSpec.unbatch", "at least one axis", InvalidArgument, fix, **given)
        self.shape = self.shape[1:]
        return self

    def _key(self) -> Any:
        return self.shape, self.dtype, self.name, self.stop_gradient

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InputSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.shape, self.dtype.name, self.name))

    def __repr__(self) -> str:
        return (
            f"InputSpec(shape={self.shape}, dtype={self.dtype}, name={self.name}, "
            f"stop_gradient={self.stop_gradient})"
        )
