"""Tensors made of Python and NumPy data."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..device import current_place, place_named, to_numpy
from ..engine import dtypes, modes, naming
from ..engine.dtypes import DType
from ..engine.errors import InvalidArgument, InvalidType
from ..engine.tensor import Tensor, emit_array_origin, emit_values, rare
from ..errors import misfit
from ..messages import Message
from ..ops.making.creation import assign_, assign_value, cast, no_pinned_memory
from . import errors


def to_tensor(data: Any, dtype: Any = None, place: Any = None, stop_gradient: bool = True) -> Any:
    """Return a Tensor with a copy of this data: a number, a list, a NumPy array or a Tensor.

    Floats become the default dtype (float32), ints int64; arrays keep their dtype unless `dtype`
    is given. InvalidType (TypeError) for other data; ValueError for ragged lists.
    Source: Paddle's `paddle.to_tensor`.

    >>> import minipaddle as paddle
    >>> paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=False,
           [1., 2.])
    """
    builder = modes.here().builder
    if builder is not None and builder.builds:
        return _make_variable(data, dtype, stop_gradient)
    where = current_place() if place is None else place_named(place)
    tensor = Tensor(where.put(array_from(data, dtype)), stop_gradient)
    rare(tensor).name = naming.tensor_name("generated_tensor")
    if isinstance(data, Tensor):
        emit_values(tensor, data, "copy", asked=True)
    elif isinstance(data, (np.ndarray, np.generic)):
        emit_array_origin(tensor, data)
    return tensor


def _make_variable(data: Any, dtype: Any, stop_gradient: bool) -> Any:
    """Return a Variable of the Program that is being built; an operator fills it with the data."""
    if hasattr(data, "stop_gradient") and not isinstance(data, Tensor):
        variable = assign_.call(data) if dtype is None else cast.call(data, dtype=dtype)
    else:
        array = array_from(data, dtype)
        variable = assign_value.call(values=array, shape=list(array.shape), dtype=array.dtype)
    variable.stop_gradient = stop_gradient
    return variable


def as_tensor(
    data: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Any:
    """Return `to_tensor(data, ...)`, with requires_grad in place of stop_gradient.

    Shapes and dtypes as in `to_tensor`.
    Errors: TypeError for data that is not a number, list, array or Tensor; ValueError for ragged
    lists.
    Source: Paddle's `paddle.as_tensor`.

    >>> import minipaddle as paddle
    >>> paddle.as_tensor([1.0], requires_grad=True).stop_gradient
    False
    """
    if pin_memory:
        raise no_pinned_memory()
    return to_tensor(data, dtype, device, not requires_grad)


def tensor(
    data: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Any:
    """Return `to_tensor(data, ...)`, with requires_grad in place of stop_gradient.

    Shapes and dtypes as in `to_tensor`.
    Errors: TypeError for data that is not a number, list, array or Tensor; ValueError for ragged
    lists.
    Source: Paddle's `paddle.tensor`.

    >>> import minipaddle as paddle
    >>> paddle.tensor([1, 2]).tolist()
    [1, 2]
    """
    return as_tensor(data, dtype, device, requires_grad, pin_memory)


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Any:
    """Return a Tensor with a copy of this data; `copy=False` raises an error.

    Source: Paddle's `paddle.asarray`.

    Errors: ValueError for `copy=False`; TypeError for data that is not a number, list, array or
    Tensor.

    >>> import minipaddle as paddle
    >>> paddle.asarray([1, 2], dtype="float32").tolist()
    [1.0, 2.0]
    """
    if copy is False:
        expected = "None or True: the data are always copied"
        fix = Message("leave {names} out", names="copy")
        raise misfit("asarray", expected, InvalidArgument, fix, copy=copy)
    return as_tensor(obj, dtype, device, requires_grad)


def from_numpy(ndarray: Any) -> Any:
    """Return a Tensor with a copy of a NumPy array.

    Shape and dtype are the array's.
    Errors: TypeError for anything but an array.
    Source: Paddle's `paddle.from_numpy`.

    >>> import minipaddle as paddle
    >>> import numpy as np
    >>> paddle.from_numpy(np.zeros(2)).dtype
    paddle.float64
    """
    if not isinstance(ndarray, np.ndarray):
        fix = "use paddle.to_tensor()"
        raise misfit("from_numpy", "an np.ndarray", InvalidType, fix, ndarray=ndarray)
    return to_tensor(ndarray)


def array_from(data: Any, dtype: Any) -> Any:
    """Return a new NumPy array made of data that `to_tensor` takes."""
    if isinstance(data, Tensor):
        array = to_numpy(data._data)
    elif isinstance(data, (np.ndarray, np.generic)):
        array = np.asarray(data)
    elif isinstance(data, (bool, int, float, complex, list, tuple)):
        array = _from_python(data, narrow=dtype is None)
    else:
        raise errors.no_data(data)
    if dtype is not None:
        return array.astype(DType.of(dtype).numpy)
    kind = dtypes.ALL.get(array.dtype.name)
    if kind is None:
        expected, fix = (
            f"one of {', '.join(dtypes.ALL)}",
            "pass dtype=, or convert it with .astype()",
        )
        raise misfit("to_tensor", expected, InvalidArgument, fix, data=array)
    # Quick calls compare dtypes by identity; an array from another process has its own object.
    return array.copy() if array.dtype is kind.numpy else array.astype(kind.numpy, order="C")


def _from_python(data: Any, narrow: bool) -> Any:
    """Return a NumPy array of Python data; `narrow` gives floats the default dtype."""
    try:
        array = np.array(_replace_tensors(data))
    except ValueError as error:
        raise errors.ragged_list() from error
    if not narrow:  # the caller casts it to `dtype`
        return array
    holds_tensors = isinstance(data, (list, tuple)) and any(isinstance(x, Tensor) for x in data)
    if array.dtype == np.float64 and not holds_tensors:
        return array.astype(dtypes.get_default().numpy)
    if dtypes.NARROW and array.dtype == np.intp and not holds_tensors:
        return array.astype(np.int64)
    if array.dtype == np.complex128 and dtypes.get_default() is not dtypes.float64:
        return array.astype(np.complex64)
    return array


def _replace_tensors(data: Any) -> Any:
    """Return nested lists with Tensors replaced by their arrays."""
    if isinstance(data, (list, tuple)):
        return [_replace_tensors(item) for item in data]
    return to_numpy(data._data) if isinstance(data, Tensor) else data


# ----- the constructor Tensor(...) ---------------------------------------------------------------


KEYWORDS = ("data", "value", "place", "device", "zero_copy", "name", "persistable", "stop_gradient")


def construct(x: Any, sizes: tuple[Any, ...], given: dict[str, Any]) -> None:
    """Fill a tensor that was not made of a NumPy array alone, as `Tensor(x)` and `Tensor(data=x)`.

    A list gets the default dtype; integers are sizes of zeros. Arrays of devices stay as they are.
    """
    unknown = [name for name in given if name not in KEYWORDS]
    if unknown:
        raise errors.unknown_keyword(unknown[0], given[unknown[0]], KEYWORDS)
    data = given.get("data", given.get("value", x._data))
    if isinstance(data, int) and not isinstance(data, bool):
        shape = data, *(n for n in (x._stop, x._node) if type(n) is int), *sizes
        x._data, x._stop, x._node = np.zeros(shape, dtypes.get_default().numpy), True, None
    elif isinstance(data, (list, tuple)):
        x._data, x._stop = array_from(data, dtypes.get_default()), True
    elif isinstance(data, (Tensor, np.ndarray)):
        x._data = array_from(data, None)
    elif not hasattr(data, "__array__") and not hasattr(data, "__array_namespace__"):
        raise errors.no_array(data)
    if given:
        place = given.get("place", given.get("device"))
        x._data = x._data if place is None else place_named(place).put(x._data)
        x._stop = bool(given.get("stop_gradient", True))
        rare(x).name, rare(x).persistable = given.get("name"), given.get("persistable")
