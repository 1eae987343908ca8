"""Stand-in for CuPy: NumPy's arithmetic under CuPy's rules, or stricter ones.

It has exactly the names, arguments and methods that cupy.json records. Its arrays raise an error
for every hidden copy: NumPy functions, operands, arrays as indices, and arrays of another device. A
result without dimensions stays an array, `x[0]` stays a view, and an index outside the array wraps
around instead of raising, as on a GPU.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

# CuPy's messages.
NO_CONVERSION = (
    "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct "
    "a NumPy array explicitly."
)
OTHER_DEVICE = (
    "Array device must be same as the current device: array device = {} while current = {}"
)

CUPY = json.loads(Path(__file__).with_name("cupy.json").read_text(encoding="utf-8"))
SCALARS = (bool, int, float, complex, np.generic, str, type, np.dtype, slice, type(None), type(...))
FROM_HOST = {"array", "asanyarray", "asarray", "ascontiguousarray"}
TO_HOST = {"item", "tolist"}
NEED_AN_ARRAY = {"A", "a", "ar", "arr", "array", "arrays", "ary", "condition", "m", "tup", "v", "x"}
ALWAYS_ARRAYS = {"allclose", "array_equal", "array_equiv", "count_nonzero"}  # NumPy gives numbers
ATOMIC = {
    "add": {"int32", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"}
}
ATOMIC["maximum"] = ATOMIC["minimum"] = {"int32", "uint32", "uint64", "float32", "float64"}
ATOMIC["subtract"] = {"int32", "uint32"}


class ndarray:
    """Array that only functions of the stand-in read; `get` copies it to the host."""

    __slots__ = ("_host", "device")
    __array_ufunc__ = None  # NumPy's operators and ufuncs must not use it
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, host: Any, device: Device) -> None:
        self._host = host
        self.device = device

    def __array__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise TypeError(NO_CONVERSION)

    def get(self) -> Any:
        """Return a copy in the host's memory."""
        return self._read_host().copy()

    def _read_host(self) -> Any:
        """Return the host array, and report a copy to the host."""
        self.device.module.copied("cpu", self._host.nbytes)
        return self._host

    @property
    def dtype(self) -> Any:
        return self._host.dtype

    @property
    def shape(self) -> Any:
        return self._host.shape

    @property
    def data(self) -> Any:
        """Pointer to the memory, with its address."""
        return SimpleNamespace(ptr=self._host.ctypes.data)

    def __getattr__(self, name: str) -> Any:
        if name in CUPY["attributes"]:
            return self.device.wrap(getattr(self._host, name))
        if name not in CUPY["methods"]:
            raise AttributeError(f"'cupy.ndarray' object has no attribute '{name}'")
        if name in TO_HOST:
            self._read_host()
        method, taken = getattr(self.device.host(self), name), CUPY["methods"][name]

        def call(*args: Any, **kwargs: Any) -> Any:
            return self.device.call(f"ndarray.{name}", taken, method, args, kwargs)

        return call

    def take(self, indices: Any, axis: Any = None, out: Any = None) -> Any:
        """Return the elements at these positions; positions outside wrap around."""
        return self.device.wrap(
            self._host.take(self.device.host(indices), axis, self.device.host(out), mode="wrap")
        )

    def __getitem__(self, key: Any) -> Any:
        return self.device.wrap(self._host[self._host_key(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self._host[self._host_key(key)] = self.device.host(value)

    def _host_key(self, key: Any) -> tuple[Any, ...]:
        """Return the key for the host array, with positions in range and an Ellipsis for a view."""
        items = self.device.host(key if isinstance(key, tuple) else (key,))
        items = [np.asarray(i) if isinstance(i, list) else i for i in items]
        used = sum(_axes_of(i) for i in items)
        axis, settled = 0, []
        for item in items:
            if isinstance(item, np.ndarray) and item.dtype.kind in "iu" and self.shape[axis]:
                item = item % self.shape[axis]
            settled.append(item)
            axis += self.ndim - used if item is Ellipsis else _axes_of(item)
        arrays = any(isinstance(i, np.ndarray) for i in settled)
        return (*settled,) if arrays or any(i is Ellipsis for i in settled) else (*settled, ...)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        return len(self._host)


def _make_conversion(convert: Callable[[Any], Any]) -> Callable[[ndarray], Any]:
    return lambda array: convert(array._read_host())


for _convert in (bool, int, float, complex, repr, str):
    setattr(ndarray, f"__{_convert.__name__}__", _make_conversion(_convert))


def _axes_of(item: Any) -> int:
    """Return the number of axes that an index consumes."""
    if isinstance(item, np.ndarray) and item.dtype == bool:
        return item.ndim
    return int(item is not None and item is not Ellipsis)


UNARY = ("abs", "invert", "neg", "pos")
BINARY = (
    "add", "and", "divmod", "eq", "floordiv", "ge", "gt", "le", "lshift", "lt", "matmul", "mod",
    "mul", "ne", "or", "pow", "rshift", "sub", "truediv", "xor",
)  # fmt: skip
REFLECTED = {f"__r{name}__": f"__{name}__" for name in BINARY}


def _make_operator(name: str) -> Callable[..., Any]:
    plain = REFLECTED.get(name, name)
    function = divmod if plain == "__divmod__" else getattr(operator, plain)

    def method(self: ndarray, *other: Any) -> Any:
        host = self.device.host
        args = (host(self), *map(host, other))
        with np.errstate(all="ignore"):  # a GPU does not report divisions by 0
            result = function(*(args[::-1] if name in REFLECTED else args))
        return self if result is self._host else self.device.wrap(result)

    return method


for _name in [*UNARY, *BINARY, *(f"r{n}" for n in BINARY), *(f"i{n}" for n in BINARY)]:
    if f"__{_name}__" in CUPY["operators"]:
        setattr(ndarray, f"__{_name}__", _make_operator(f"__{_name}__"))


class Device:
    """Device, whose arrays may meet only each other, and only while it is current."""

    def __init__(self, module: StandIn, number: int) -> None:
        self.module = module
        self.id = number
        self._before: list[int] = []

    def use(self) -> None:
        """Make it the current device."""
        self.module.current = self.id

    def __enter__(self) -> Self:
        self._before.append(self.module.current)
        self.use()
        return self

    def __exit__(self, *_error: object) -> None:
        self.module.current = self._before.pop()

    def synchronize(self) -> None:
        """Do nothing, since every call is complete when it returns."""

    def wrap(self, value: Any) -> Any:
        """Return a result of NumPy as an array of this device."""
        if isinstance(value, (np.ndarray, np.generic)):
            return ndarray(np.asarray(value), self)
        if isinstance(value, (tuple, list)):
            made = [self.wrap(item) for item in value]
            return made if isinstance(value, list) else tuple(made)
        return value

    def take_in(self, array: Any) -> Any:
        """Copy an array from another memory."""
        self.module.copied(f"gpu:{self.id}", array.nbytes)
        return self.wrap(array)

    def host(self, value: Any) -> Any:
        """Return the arguments of a call as NumPy's; raise an error for any that CuPy rejects."""
        if isinstance(value, ndarray):
            if value.device.id != self.module.current:
                raise ValueError(OTHER_DEVICE.format(value.device.id, self.module.current))
            return value._host
        if isinstance(value, (tuple, list)):
            return type(value)(self.host(item) for item in value)
        if isinstance(value, SCALARS):
            return value
        raise TypeError(f"Unsupported type {type(value)}")

    def call(
        self, name: str, taken: str | None, function: Callable[..., Any], args: Any, kwargs: Any
    ) -> Any:
        """Call a NumPy function; raise an error for arguments that CuPy's function lacks."""
        known = None if taken is None else taken.split(", ") if taken else []
        if known is not None:
            extra = () if "**" in known else kwargs.keys() - set(known)
            if extra or (len(args) > len(known) and "*" not in known):
                raise TypeError(f"cupy.{name}({taken}) got other arguments: {args}, {kwargs}")
        if known and known[0] in NEED_AN_ARRAY and args and name not in FROM_HOST:
            first = args[0] if isinstance(args[0], (list, tuple)) and args[0] else [args[0]]
            if not all(isinstance(item, ndarray) for item in first):
                raise TypeError(f"cupy.{name}: {known[0]} must be made of cupy.ndarray")
        named = {key: self.host(value) for key, value in kwargs.items()}
        with np.errstate(all="ignore"):
            result = function(*self.host(args), **named)
        if name in ALWAYS_ARRAYS:
            result = np.asarray(result)
        return kwargs["out"] if kwargs.get("out") is not None else self.wrap(result)


class Ufunc:
    """Ufunc, with the methods that CuPy has."""

    def __init__(self, module: StandIn, name: str) -> None:
        self._module = module
        self._name = name
        self._ufunc = getattr(np, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        taken = "*, out, casting, dtype, where"
        return self._module.device.call(self._name, taken, self._ufunc, args, kwargs)

    def __getattr__(self, method: str) -> Any:
        if method not in CUPY["ufuncs"][self._name]:
            raise NotImplementedError(f"`cupy_{self._name}.{method}` is not supported yet")
        taken = {
            "accumulate": "array, axis, dtype, out", "at": "a, indices, b",
            "reduce": "array, axis, dtype, out, keepdims",
            "reduceat": "array, indices, axis, dtype, out",
        }  # fmt: skip
        function = getattr(self._ufunc, method)

        def call(*args: Any, **kwargs: Any) -> Any:
            if method == "at":
                args = (args[0], self._check_atomic(*args[:2]), *args[2:])
            name = f"{self._name}.{method}"
            return self._module.device.call(name, taken.get(method), function, args, kwargs)

        return call

    def _check_atomic(self, array: ndarray, indices: Any) -> Any:
        """Return the indices, after CuPy's checks for atomic operations."""
        items = indices if isinstance(indices, tuple) else (indices,)
        kinds = ATOMIC.get(self._name)
        if kinds and array.dtype.name not in kinds and any(isinstance(i, ndarray) for i in items):
            raise TypeError(f"scatter_{self._name} only supports {', '.join(sorted(kinds))}")
        return tuple(
            self._module.device.wrap(i) if isinstance(i, np.ndarray) else i
            for i in array._host_key(indices)
        )


class Names:
    """Module of CuPy: its recorded names, computed by NumPy's functions."""

    def __init__(self, module: StandIn, recorded: str, behind: Any) -> None:
        self._module = module
        self._recorded = CUPY[recorded]
        self._behind = behind

    def __getattr__(self, name: str) -> Any:
        functions = self._recorded["functions"]
        if name not in functions:
            if name not in self._recorded["others"]:
                raise AttributeError(f"module 'cupy' has no attribute '{name}'")
            return getattr(self._behind, name)
        function = getattr(self._behind, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            if name == "take":
                kwargs["mode"] = "wrap"
                return self._module.device.call(name, None, function, args, kwargs)
            if name in FROM_HOST and args and isinstance(args[0], np.ndarray):
                return self._module.device.take_in(function(args[0].copy(), *args[1:], **kwargs))
            return self._module.device.call(name, functions[name], function, args, kwargs)

        setattr(self, name, call)
        return call


def unheard(_to: str, _nbytes: int) -> None:
    """Ignore a copy."""


class StandIn(Names):
    """The module cupy, with `count` devices."""

    ndarray = ndarray

    def __init__(self, count: int = 2, copied: Callable[[str, int], object] = unheard) -> None:
        super().__init__(self, "cupy", np)
        self.current = 0
        self.copied = copied  # function called with the target and bytes of each copy
        self.devices = [Device(self, number) for number in range(count)]
        self.fft = Names(self, "fft", np.fft)
        self.linalg = Names(self, "linalg", np.linalg)
        self.lib = SimpleNamespace(stride_tricks=Names(self, "stride_tricks", np.lib.stride_tricks))
        self.cuda = Cuda(self)
        for name in CUPY["ufuncs"]:
            if hasattr(np, name):
                setattr(self, name, Ufunc(self, name))

    @property
    def device(self) -> Device:
        """Current device."""
        return self.devices[self.current]

    def asnumpy(self, array: Any) -> Any:
        """Return a copy in the host's memory."""
        return array.get() if isinstance(array, ndarray) else np.asarray(array)

    def asarray(self, value: Any, dtype: Any = None) -> Any:
        """Return an array on the current device, itself if it is there already."""
        if not isinstance(value, ndarray):
            return self.device.take_in(np.array(value, dtype))
        if value.device is not self.device:
            value = self.device.take_in(value._host.copy())
        return value if dtype is None else value.astype(dtype, copy=False)


class Cuda:
    """The functions of `cupy.cuda` that minipaddle uses."""

    def __init__(self, module: StandIn) -> None:
        self._module = module
        self.runtime = self

    class CUDARuntimeError(RuntimeError):
        """Error of the driver."""

    def getDeviceCount(self) -> int:
        """Return the number of devices."""
        return len(self._module.devices)

    def getDevice(self) -> int:
        """Return the number of the current device."""
        return self._module.current

    def Device(self, number: int | None = None) -> Device:
        """Return the device of a number, or the current device for None."""
        return self._module.devices[self._module.current if number is None else number]
