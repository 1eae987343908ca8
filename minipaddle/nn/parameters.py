"""Lists and dicts of parameters, and parameters outside layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .. import static
from ..engine import modes
from ..engine.errors import CheckFailed
from ..parameters.initializers import Initializer, ParamAttr
from . import errors
from .container import NamedMembers, pairs
from .layer import Layer
from .support import is_parameter


class ParameterList(Layer):
    """A list of parameters of a layer.

    Dtypes: those of the parameters, as their shapes.
    Errors: AssertionError for an element that is not a Parameter.
    Source: Paddle's `paddle.nn.ParameterList`.

    >>> import minipaddle as paddle
    >>> row = paddle.nn.ParameterList([paddle.create_parameter([2], "float32")])
    >>> len(row.append(paddle.create_parameter([3], "float32")))
    2
    """

    def __init__(self, parameters: Iterable[Any] | None = None) -> None:
        super().__init__()
        for number, parameter in enumerate(parameters or ()):
            if not is_parameter(parameter):
                name, fix = f"element {number}", "paddle.create_parameter(shape, dtype)"
                raise errors.no_member(name, parameter, "a Parameter", fix, CheckFailed)
            self.add_parameter(str(number), parameter)

    def _key_at(self, index: Any) -> str:
        counted = index + len(self) if isinstance(index, int) and index < 0 else index
        if str(counted) not in self._parameters:
            raise errors.no_such_key(self, index, self._parameters)
        return str(counted)

    def __getitem__(self, key: Any) -> Any:
        return self._parameters[self._key_at(key)]

    def __setitem__(self, key: Any, param: Any) -> None:
        setattr(self, self._key_at(key), param)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parameters.values())

    def append(self, parameter: Any) -> ParameterList:
        """Add a parameter at the end. Returns the list."""
        self.add_parameter(str(len(self)), parameter)
        return self


class ParameterDict(NamedMembers[Any]):
    """A dict of parameters of a layer, by name.

    Dtypes: those of the parameters, as their shapes.
    Errors: TypeError for a value that is not a Parameter.
    Source: Paddle's `paddle.nn.ParameterDict`.

    >>> import minipaddle as paddle
    >>> held = paddle.nn.ParameterDict({"w": paddle.create_parameter([2], "float32")})
    >>> [name for name, _ in held.named_parameters()]
    ['w']
    """

    _table = "_parameters"

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        if parameters is not None:
            self.update(parameters)

    def __setitem__(self, key: str, param: Any) -> None:
        self.add_parameter(key, param)

    def update(self, parameters: Any) -> None:
        """Add the parameters of a dict, of pairs or of another ParameterDict."""
        mapping = parameters._parameters if isinstance(parameters, ParameterDict) else parameters
        for key, parameter in pairs("ParameterDict", mapping):
            self.add_parameter(key, parameter)


# ----- outside layers -----------------------------------------------------------------------------


def create_parameter(
    shape: Any,
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Initializer | None = None,
) -> Any:
    """Return a trainable parameter: a Parameter, or in static mode one of the main Program.

    Weights start with XavierUniform, biases (`is_bias`) with 0; `attr` is a ParamAttr.
    Source: Paddle's `paddle.create_parameter`.

    Errors: TypeError for a shape that is not made of ints.

    >>> import minipaddle as paddle
    >>> paddle.create_parameter([2], "float32", is_bias=True).tolist()
    [0.0, 0.0]
    """
    if modes.is_static():
        return static.create_parameter(shape, dtype, name, attr, is_bias, default_initializer)
    maker = Layer("create_parameter")
    if name:
        maker._full_name = name
        attr = ParamAttr(name=name) if attr is None else attr
    return maker.create_parameter(shape, attr, dtype, is_bias, default_initializer)
