"""Tensor's methods that convert it: to numbers, arrays, other dtypes and devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, SupportsIndex

import numpy as np

from ..device import CPUPlace, CUDAPlace, Place, place_named, to_numpy
from ..engine import dtypes, modes, naming
from ..engine.dtypes import DType
from ..engine.errors import CheckFailed, InvalidType
from ..engine.tensor import Parameter, Tensor, rare, remember_array
from ..errors import misfit
from ..ops.making import creation
from . import errors
from .creation import to_tensor


class Values:
    """Methods that convert values, which `eager.tensor` copies onto Tensor."""

    _data: Any
    _stop: Any
    dtype: Any
    place: Any

    # ----- Python and NumPy -----

    def numpy(self, blocking: bool = True) -> Any:
        """Return a NumPy copy of the values; `blocking` has no effect.

        Shapes and dtypes: all kept. Errors: none. Source: Paddle's `paddle.Tensor.numpy`.

        >>> paddle.to_tensor([1, 2]).numpy()
        array([1, 2])
        """
        array = np.array(to_numpy(self._data))
        if modes.gate_open:
            remember_array(self, array)  # type: ignore[arg-type]
        return array

    def item(self, *args: int) -> Any:
        """Return one element as a Python number: the only one, or that at a position.

        The position is one number into the flattened tensor, or a number for each axis; ValueError
        for a position outside the tensor, such as a negative one.

        Shapes: any, with one element or coordinates. Dtypes: all.
        Source: Paddle's `paddle.Tensor.item`.

        >>> paddle.to_tensor([[1, 2], [3, 4]]).item(1, 0)
        3
        """
        shape, size = self._data.shape, self._data.size
        if not args and size == 1:
            return self._data.item()
        if not args:
            raise errors.several_elements(shape)
        bounds = (size,) if len(args) == 1 else shape
        fits = len(args) == len(bounds)
        if not fits or not all(0 <= i < n for i, n in zip(args, bounds, strict=True)):
            raise errors.no_such_item(args, shape, size)
        return to_numpy(self._data).item(*args)

    def tolist(self) -> Any:
        """Return the values as numbers in nested lists; a number for a 0-D tensor.

        Shapes: any. Dtypes: all. Errors: none. Source: Paddle's `paddle.Tensor.tolist`.

        >>> paddle.to_tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return self._data.tolist()

    def _single_element(self, to: str) -> Any:
        if self._data.size != 1:
            raise errors.no_scalar(to, self._data.shape)
        return self._data.item()

    def __float__(self) -> float:
        return float(self._single_element("float"))

    def __int__(self) -> int:
        return int(self._single_element("int"))

    __long__ = __int__

    def __complex__(self) -> complex:
        return complex(self._single_element("complex"))

    def __index__(self) -> int:
        value = self._single_element("int")
        if self._data.dtype.kind not in "iub":
            fix = "x.astype('int64')"
            raise misfit("index", "a tensor of integers with one element", InvalidType, fix, x=self)
        return int(value)

    def __bool__(self) -> bool:
        if self._data.size != 1:
            raise errors.no_condition(self._data.shape)
        value = self._data.item()
        return (value.real, value.imag) > (0, 0)  # numbers below 0 are False, as in Paddle

    __nonzero__ = __bool__

    def __len__(self) -> int:
        if not self._data.ndim:
            raise misfit("len", "a tensor with axes", CheckFailed, "use .size, or .numel()", x=self)
        return int(self._data.shape[0])

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the first axis; a 0-D tensor gives no items, as in Paddle."""
        length = self._data.shape[0] if self._data.ndim else 0
        return (self[i] for i in range(length))  # type: ignore[index]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = np.array(to_numpy(self._data), dtype=dtype)
        if modes.gate_open:
            remember_array(self, array)  # type: ignore[arg-type]
        return array

    def __dlpack__(self, **options: Any) -> Any:
        """Export the memory to other libraries; raise an error if a gradient is wanted."""
        if not self._stop:
            raise errors.not_exportable(self._data.shape)
        return self._data.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._data.__dlpack_device__()

    def __format__(self, spec: str) -> str:
        if not self._data.ndim:
            return format(self._data.item(), spec)
        if spec:
            raise errors.no_format(spec, self._data.shape)
        return str(self)

    # ----- other types -----

    def astype(self, dtype: Any) -> Any:
        """Return the values in another dtype; the tensor itself if it has this one.

        Shapes: any; the result has the same. Dtypes: any; the result has `dtype`.
        Errors: TypeError for a name that is not a dtype. Source: Paddle's `paddle.Tensor.astype`.

        >>> paddle.to_tensor([1.7]).astype("int32").tolist()
        [1]
        """
        wanted = DType.of(dtype)
        return self if wanted is self.dtype else creation.cast.call(self, wanted)

    def type_as(self, other: Any) -> Any:
        """Return the values in the dtype of another tensor; this tensor if it has that dtype.

        Shapes: any; the result has the same. Dtypes: all give that of other.
        Errors: AttributeError if other is not a Tensor.
        Source: Paddle's `paddle.Tensor.type_as`.

        >>> paddle.ones([1]).type_as(paddle.to_tensor([1])).dtype
        paddle.int64
        """
        return self.astype(other.dtype)

    # ----- other places -----

    def cpu(self) -> Any:
        """Return this tensor in the host's memory; itself if it is there.

        Shapes and dtypes: all kept. Errors: none. Source: Paddle's `paddle.Tensor.cpu`.

        >>> paddle.ones([2]).cpu().place
        Place(cpu)
        """
        return creation.move(self, CPUPlace())

    def cuda(self, device_id: int | None = None, blocking: bool = True) -> Any:
        """Return this tensor on a CUDA device; InvalidArgument where there is none.

        Shapes and dtypes: all kept. Errors: ValueError where there is no such device.
        Source: Paddle's `paddle.Tensor.cuda`.

        >>> paddle.ones([2]).cuda().place if paddle.is_compiled_with_cuda() else "no CUDA"
        'no CUDA'
        """
        return creation.move(self, CUDAPlace(device_id or 0))

    def pin_memory(self, blocking: bool = True) -> Any:
        """Raise RuntimeError: there is no pinned memory here.

        Shapes and dtypes do not matter. Errors: RuntimeError, always.
        Source: Paddle's `paddle.Tensor.pin_memory`.

        >>> import contextlib
        >>> with contextlib.suppress(RuntimeError):
        ...     paddle.ones([1]).pin_memory()
        """
        raise creation.no_pinned_memory()

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Return this tensor on another device, in another dtype, or both; itself if it is so.

        Called as to(device, dtype, blocking), to(dtype, blocking) or to(other, blocking).

        Shapes: any; the result has the same. Dtypes: all.
        Errors: TypeError for arguments that say neither; ValueError for what is not a device.
        Source: Paddle's `paddle.Tensor.to`.

        >>> paddle.ones([1]).to("float64").dtype
        paddle.float64
        """
        device, dtype = _read_target(args, kwargs)
        out = self if device is None else creation.move(self, place_named(device))
        return out if dtype is None else out.astype(dtype)

    # ----- copies -----

    def __deepcopy__(self, memo: Any) -> Any:
        given: Any = self
        copy: Any = given.__class__.__new__(given.__class__)
        memo[id(given)] = copy
        Tensor.__init__(copy, given._data.copy(), given.stop_gradient)
        rare(copy).name = given.name + naming.unique("_deepcopy")
        if isinstance(given, Parameter):
            copy.optimize_attr, copy.regularizer = dict(given.optimize_attr), given.regularizer
            copy.need_clip = given.need_clip
        return copy

    def __reduce__(self) -> Any:
        """Pickle and copy the values, as a new leaf, as in Paddle."""
        return _unpickle_tensor, (self.numpy(), bool(self._stop))


def _unpickle_tensor(array: Any, stop: bool) -> Any:
    return to_tensor(array, stop_gradient=stop)


def _read_target(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """Return the device and dtype that a call of `to` asks for, None for one not given."""
    given = dict(kwargs)
    first = args[0] if args else None
    if isinstance(first, Tensor):
        names: tuple[str, ...] = ("other", "blocking")
    elif isinstance(first, (DType, np.dtype, type)) or first in dtypes.ALL:
        names = ("dtype", "blocking")
    else:
        names = ("device", "dtype", "blocking")
    given.update(zip(names, args, strict=False))
    known = {"device", "dtype", "blocking", "other"}
    if not given or len(args) > len(names) or not given.keys() <= known:
        raise errors.unclear_target(args, kwargs)
    other, device, dtype = given.get("other"), given.get("device"), given.get("dtype")
    if device is not None and not isinstance(device, (str, Place)):
        raise errors.no_device(device)
    return (device, dtype) if other is None else (other.place, other.dtype)


CASTS = {
    **{name: name for name in dtypes.ALL if name != "bool"},
    "bool": "bool", "byte": "uint8", "char": "int8", "short": "int16", "int": "int32",
    "long": "int64", "half": "float16", "float": "float32", "double": "float64",
    "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip


def _cast_method(name: str, dtype: str) -> Any:
    def cast(self: Any) -> Any:
        return self.astype(dtype)

    cast.__name__ = cast.__qualname__ = name
    cast.__doc__ = f"""Return the values in {dtype}; the tensor itself if it has this dtype.

    Shapes: any; the result has the same. Dtypes: all give {dtype}.
    Errors: none. Source: Paddle's `paddle.Tensor.{name}`.

    >>> paddle.to_tensor([0, 1]).{name}().dtype
    paddle.{dtype}
    """
    return cast


def _creation_method(name: str) -> Any:
    """Return a method such as new_zeros: same dtype and device, another shape."""
    make = getattr(creation, name)

    def new(
        self: Any,
        size: Any,
        *args: Any,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        pin_memory: bool = False,
    ) -> Any:
        if isinstance(size, int) and name != "full":
            size, args = [size, *args], ()
        return make(
            size,
            *args,
            dtype=dtype or self.dtype,
            device=device or self.place,
            requires_grad=requires_grad,
            pin_memory=pin_memory,
        )

    new.__name__ = new.__qualname__ = f"new_{name}"
    new.__doc__ = f"""`paddle.{name}` in the dtype and on the device of this tensor.

    Shapes: that which is given. Dtypes: all kept, unless `dtype` says otherwise.
    Errors: those of `paddle.{name}`. Source: Paddle's `paddle.Tensor.new_{name}`.

    >>> paddle.ones([1], dtype="int64").new_{name}([2]{", 7" * (name == "full")}).dtype
    paddle.int64
    """
    return new


for _name, _dtype in CASTS.items():
    setattr(Values, _name, _cast_method(_name, _dtype))
for _name in ("zeros", "ones", "full", "empty"):
    setattr(Values, f"new_{_name}", _creation_method(_name))


# ----- sizes -------------------------------------------------------------------------------------


class Size(list):  # type: ignore[type-arg]
    """A shape: a list that also equals the tuple of its sizes, and prints as Paddle's.

    Errors: TypeError for anything that has no elements.
    Source: Paddle's `paddle.Size`.

    >>> Size([2, 3]) == (2, 3), Size([2, 3]).numel()
    (True, 6)
    >>> Size([2, 3])[1:] + (4,)
    paddle.Size([3, 4])
    """

    def __eq__(self, other: object) -> bool:
        return list.__eq__(self, list(other) if isinstance(other, tuple) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return f"paddle.Size({list.__repr__(self)})"

    def __getitem__(self, item: Any) -> Any:
        picked = list.__getitem__(self, item)
        return Size(picked) if isinstance(item, slice) else picked

    def __add__(self, other: Any) -> Size:
        return Size([*self, *other])

    def __radd__(self, other: Any) -> Size:
        return Size([*other, *self])

    def __mul__(self, times: SupportsIndex) -> Size:
        return Size(list.__mul__(self, times))

    __rmul__ = __mul__

    def numel(self) -> int:
        """Return the product of the sizes."""
        return int(np.prod(self, dtype=np.int64))
