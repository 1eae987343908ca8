"""Variable and Parameter: tensors of a Program, known before they have values."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import numpy as np

from .. import events
from ..engine import modes, source_line, tensor
from ..engine.dtypes import DType
from ..engine.meta import Meta, VarType
from ..messages import Message
from ..ops import REGISTRY, catalog, operators
from ..ops.arguments import SCALARS, make_operand
from ..ops.indexing.index import read, write
from ..ops.making import creation
from ..paddle_names import absent
from . import errors, text
from .errors import require_type
from .scope import Scope, get_value, set_value
from .spelling import with_prefix

FLAGS = (bool, int, float, np.bool_, type(None))  # types that Paddle accepts as True or False


class Stored:
    """Base of a Variable's attributes, which are stored with an underscore before their name."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name, self.stored = name, f"_{name}"

    def __get__(self, variable: Any, _owner: type | None = None) -> Any:
        return self if variable is None else getattr(variable, self.stored)


class Fixed(Stored):
    """Attribute that cannot be set: the user declared it, or it follows from the operator."""

    def __init__(self, fix: str) -> None:
        self.fix = fix

    def __set__(self, variable: Any, value: Any) -> NoReturn:
        raise errors.fixed(self.name, variable, value, self.fix)


class Flag(Stored):
    """Boolean attribute; numbers and None count as in Python."""

    def __set__(self, variable: Any, value: Any) -> None:
        if not isinstance(value, FLAGS):
            raise errors.not_a_flag(self.name, variable, value)
        setattr(variable, self.stored, bool(value))


class Name(Stored):
    """Name of a Variable, which is a str."""

    def __set__(self, variable: Any, value: Any) -> None:
        require_type(value, (str,), "name", "Variable")
        setattr(variable, self.stored, value)


GRADIENTS = "paddle.static.gradients(y, x)"


def only_of_tensors(name: str, fix: Message) -> Callable[..., NoReturn]:
    """Return a method of Variables that raises an error, as only Tensors have it."""

    def method(self: Variable, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise errors.only_dynamic(self, name, fix)

    method.__name__, method.__doc__ = name, "Raise an error: only Tensors have it."
    return method


class VariableKind(type):
    """Metaclass that makes a Tensor an instance of Variable in dynamic mode."""

    _in_dynamic_mode: type

    def __instancecheck__(cls, value: Any) -> bool:
        if type.__instancecheck__(cls, value):
            return True
        return not modes.is_static() and isinstance(value, cls._in_dynamic_mode)


class SizesRead(tuple[int, ...]):  # noqa: SLOT001  (a tuple has no room for slots)
    """Shape with unknown sizes, which code of a function of to_static must not read."""

    variable: Any

    def __getitem__(self, item: Any) -> Any:
        found = super().__getitem__(item)
        if found == -1:
            modes.here().builder.read_size(self.variable)
        return found

    def __iter__(self) -> Any:
        return (self[at] for at in range(len(self)))


class Shape(Fixed):
    """Shape of a Variable; a user's code that is traced gets one that notices what it reads."""

    def __get__(self, variable: Any, owner: type | None = None) -> Any:
        shape = super().__get__(variable, owner)
        builder = modes.here().builder
        if builder is None or not builder.traces or variable is None or -1 not in shape:
            return shape
        if source_line.is_library_code(sys._getframe(1).f_code.co_filename):
            return shape
        read = SizesRead(shape)
        read.variable = variable
        return read


class Variable(metaclass=VariableKind):
    """Tensor of a Program: name, shape (-1: known only when it runs) and dtype, no values.

    Variables come from `static.data`, `Block.create_var` and from every op on Variables. In dynamic
    mode a Tensor counts as one: `isinstance(x, paddle.static.Variable)`.

    Errors: TypeError for what only a run knows, such as its values.
    Source: Paddle's `paddle.static.Variable`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     paddle.static.data("x", [None, 4]) + 1.0
    var tmp_0 : DENSE_TENSOR.shape(-1, 4).dtype(float32).stop_gradient(True)
    >>> paddle.disable_static()
    """

    _in_dynamic_mode: type = tensor.Tensor

    name = Name()
    stop_gradient, persistable = Flag(), Flag()
    shape = Shape("y = paddle.reshape(x, shape), or declare it: paddle.static.data('x', shape)")
    dtype = Fixed("y = x.astype('float32')")
    lod_level = Fixed("leave it: what a feed looks like is told by its shape")
    type = Fixed("leave it: every Variable is a tensor here")
    _shape: tuple[int, ...]
    _dtype: DType
    _type = VarType.DENSE_TENSOR

    def __init__(
        self,
        block: Any,
        name: str,
        shape: tuple[int, ...] | None,
        dtype: DType | None,
        *,
        stop_gradient: bool = False,
        persistable: bool = False,
        is_data: bool = False,
        lod_level: int = 0,
    ) -> None:
        self.block = block
        self.name = name
        self._shape = shape if shape is not None else ()
        self._dtype = dtype or DType.of(bool)
        self.undeclared = [
            what for what, value in (("shape", shape), ("dtype", dtype)) if value is None
        ]
        self.stop_gradient = stop_gradient
        self.persistable = persistable
        self.is_data = is_data
        self._lod_level = lod_level

    def declare(self, shape: tuple[int, ...], dtype: DType) -> None:
        """Set the shape and dtype that the Variable's operator infers."""
        self._shape, self._dtype, self.undeclared = shape, dtype, []

    # ----- properties -----

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def dim(self) -> int:
        """Return the number of dimensions."""
        return len(self.shape)

    ndimension = dim

    def element_size(self) -> int:
        """Return the bytes of one element."""
        return int(self.dtype.numpy.itemsize)

    @property
    def requires_grad(self) -> bool:
        """Opposite of stop_gradient."""
        return not self.stop_gradient

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        self.stop_gradient = not wanted

    def requires_grad_(self, requires_grad: bool = True) -> Variable:
        """Let gradients flow to the Variable, or not; return the Variable itself."""
        self.stop_gradient = not requires_grad
        return self

    @property
    def grad_name(self) -> str:
        """Name of the Variable's gradient in the Program."""
        return f"{self.name}@GRAD"

    @property
    def meta(self) -> Meta:
        """Shape and dtype, for inference."""
        return Meta(self.shape, self.dtype.numpy)

    @property
    def kind(self) -> str:
        """Kind of the Variable in events: data, parameter or variable."""
        return "data" if self.is_data else "variable"

    @property
    def declared(self) -> events.Declared:
        """Declaration of the Variable, for events."""
        return events.Declared(
            self.name, self.shape, self.dtype.name, self.stop_gradient, self.persistable, self.kind
        )

    def __repr__(self) -> str:
        persist = "persist " if self.persistable else ""
        return (
            f"{persist}{self._word} {self.name} : DENSE_TENSOR.shape{self.shape}"
            f".dtype({self.dtype.name}).stop_gradient({self.stop_gradient})"
        )

    _word = "var"

    def to_string(self, throw_on_error: bool, with_details: bool = False) -> str:
        """Return the Variable's text, one field per line."""
        text.check_flags(throw_on_error=throw_on_error, with_details=with_details)
        return text.variable_text(self, with_details)

    # ----- ops with other names or results than their records -----

    @property
    def T(self) -> Any:
        """Variable with its axes in reverse order."""
        backwards = tuple(range(self.ndim))[::-1]
        return with_prefix(f"{self.name}.tmp", REGISTRY["transpose"].call)(self, perm=backwards)

    def astype(self, dtype: Any) -> Any:
        """Cast to another dtype; gradients flow back through it."""
        return with_prefix("tmp", creation.cast.call)(self, dtype)

    def clone(self) -> Any:
        """Copy the Variable; gradients flow back through the copy."""
        return with_prefix(f"{self.name}_clone", creation.clone)(self)

    def detach(self) -> Any:
        """Copy the Variable; no gradient flows through the copy."""
        copy = with_prefix(f"detach_{self.name}", creation.clone)(self)
        copy.stop_gradient = True
        return copy

    @property
    def size(self) -> Any:
        """A method that returns the number of elements, as a Variable; in a function of to_static
        the number, as of a Tensor."""
        if modes.tracer():
            return REGISTRY["numel"].call(self) if -1 in self.shape else math.prod(self.shape)
        return partial(with_prefix(f"{self.name}_size", REGISTRY["numel"].call), self)

    # ----- values in a scope -----

    def get_value(self, scope: Scope | None = None) -> Any:
        """Return the DenseTensor in a scope under this name; ValueError if there is none."""
        return get_value(self.name, scope)

    def set_value(self, value: Any, scope: Scope | None = None) -> None:
        """Write an array of this shape into a scope; ValueError for another shape."""
        set_value(self.name, value, scope, self.dtype.numpy)

    # ----- methods that need values, which raise -----

    def backward(self, grad_tensor: Any = None, retain_graph: bool = False) -> None:
        """Add gradients to parameters, in a function of to_static; elsewhere raise an error: see
        `static.append_backward`."""
        tracer = modes.tracer()
        if tracer is not None:
            tracer.training.backward(self, grad_tensor, retain_graph)
            return
        code = "paddle.static.append_backward(loss)"
        raise errors.only_dynamic(self, "backward", Message("use {code}", code=code))

    numpy, item, tolist = (
        only_of_tensors(name, Message("fetch it: {code}", code="exe.run(fetch_list=[x])"))
        for name in ("numpy", "item", "tolist")
    )
    gradient = only_of_tensors("gradient", Message("fetch {code}", code=GRADIENTS))
    register_hook = only_of_tensors(
        "register_hook", Message("change what {code} returns", code=GRADIENTS)
    )
    clear_gradient = only_of_tensors(
        "clear_gradient", Message("leave it out: each run computes its gradients anew")
    )
    apply = only_of_tensors("apply", Message("call the function: {code}", code="func(x)"))

    def __float__(self) -> float:
        raise errors.no_value(self, "float()")

    def __int__(self) -> int:
        raise errors.no_value(self, "int()")

    def __complex__(self) -> complex:
        raise errors.no_value(self, "complex()")

    def __len__(self) -> int:
        raise errors.no_value(self, "len()")

    def __iter__(self) -> Any:
        if not self.shape or self.shape[0] < 0:
            raise errors.no_value(self, Message("iteration"))
        rows: Any = self
        return (rows[place] for place in range(self.shape[0]))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise errors.no_value(self, Message("conversion to an array"))

    def __bool__(self) -> bool:
        builder = modes.here().builder
        if builder is not None:
            builder.read_condition(self)
        return True


class Parameter(Variable):
    """Persistable Variable that an optimizer trains.

    Errors: none of its own.
    Source: Paddle's `paddle.static.Parameter`.

    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     weight = paddle.static.create_parameter([2, 3], "float32")
    >>> weight.trainable, weight.persistable, weight.shape
    (True, True, (2, 3))
    >>> paddle.disable_static()
    """

    _in_dynamic_mode = tensor.Parameter
    trainable = Flag()

    def __init__(
        self, block: Any, name: str, shape: tuple[int, ...], dtype: DType, trainable: bool = True
    ) -> None:
        super().__init__(block, name, shape, dtype, stop_gradient=not trainable, persistable=True)
        self.trainable = trainable
        self.optimize_attr = {"learning_rate": 1.0}
        self.regularizer: Any = None
        self.do_model_average = True
        self.need_clip = True
        self.is_distributed = False

    @property
    def kind(self) -> str:
        """Kind of the Variable in events."""
        return "parameter"

    @property
    def _word(self) -> str:  # type: ignore[override]
        return "trainable param" if self.trainable else "param"


OPERATORS = (
    "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "rfloordiv",
    "mod", "rmod", "matmul", "rmatmul", "pow", "rpow", "neg", "eq", "ne", "lt", "le", "gt", "ge",
)  # fmt: skip


def _getitem(self: Variable, item: Any) -> Any:
    return with_prefix(f"{self.name}_slice", read)(self, item)


def _setitem(self: Variable, item: Any, value: Any) -> NoReturn:
    raise errors.not_assignable(self, item, value)


def setitem(x: Variable, index: Any, value: Any) -> Any:
    """Return x with a value, a number, an array or a Variable, written at x[index].

    Source: Paddle's `paddle.static.setitem`.

    Errors: AttributeError for an x that is not a Variable.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     x = paddle.static.data("x", [None, 3])
    ...     y = paddle.static.setitem(x, (slice(None), 0), 7.0)
    ...     paddle.static.Executor().run(feed={"x": np.zeros([1, 3], "float32")}, fetch_list=[y])
    [array([[7., 0., 0.]], dtype=float32)]
    >>> paddle.disable_static()
    """
    kind = DType.of(x.dtype)
    if isinstance(value, SCALARS):
        value = make_operand(value, x)
    elif isinstance(value, np.ndarray):
        value = tensor.Tensor(value.astype(kind.numpy))
    elif not isinstance(value, (Variable, tensor.Tensor)):
        expected = "a number, an array, a Variable or a Tensor"
        raise errors.wrong_argument("setitem", "values", value, expected, "np.array(values)")
    elif DType.of(value.dtype) is not kind:  # type: ignore[union-attr]
        value = creation.cast.call(value, dtype=x.dtype)
    return write(x, index, value)


def _install_methods() -> None:
    operators.install(Variable)
    for name in (f"__{name}__" for name in OPERATORS):
        setattr(Variable, name, with_prefix("tmp", getattr(Variable, name)))
    setattr(Variable, "__getitem__", _getitem)  # noqa: B010  (mypy knows no such slot)
    setattr(Variable, "__setitem__", _setitem)  # noqa: B010
    catalog.install(Variable)
    catalog.install_in_place(Variable)
    absent.install(Variable)


_install_methods()
