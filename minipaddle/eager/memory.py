"""Tensor's methods about its memory: how it lies there, where, and who shares it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.errors import InvalidArgument, InvalidType, PermissionDenied
from ..engine.tensor import Tensor, changed_in_place, share_version
from ..ops import REGISTRY
from ..ops.making import convert
from . import inplace


class Memory:
    """What a Tensor says about its memory."""

    _data: Any
    _node: Any
    _stop: Any
    _version: Any
    place: Any
    shape: Any

    # ----- how it lies there -----

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return int(self._data.itemsize)

    def element_size(self) -> int:
        """Bytes of one element."""
        return int(self._data.itemsize)

    @property
    def strides(self) -> list[int]:
        """How many elements lie from one to the next along each axis."""
        return [step // self._data.itemsize for step in self._data.strides]

    def get_strides(self) -> list[int]:
        """How many elements lie from one to the next along each axis."""
        return self.strides

    def stride(self, dim: int | None = None) -> Any:
        """The strides, or that of one axis."""
        return self.strides if dim is None else self.strides[dim]

    def is_contiguous(self) -> bool:
        """Whether the elements lie row by row, without gaps."""
        return bool(self._data.flags.c_contiguous)

    def contiguous(self) -> Any:
        """Itself if its elements lie row by row, else a copy where they do."""
        return self if self.is_contiguous() else convert.clone(self)

    def data_ptr(self) -> int:
        """The address of the first element."""
        pointer = getattr(self._data.data, "ptr", None)
        return int(self._data.ctypes.data if pointer is None else pointer)

    @property
    def layout(self) -> str:
        """The order of the axes of a picture: NCHW."""
        return "NCHW"

    def is_dense(self) -> bool:
        """Whether all elements are stored: always."""
        return True

    def is_sparse(self) -> bool:
        """Whether only some elements are stored: never."""
        return False

    is_sparse_coo = is_sparse_csr = is_selected_rows = is_dist = is_sparse

    # ----- where -----

    @property
    def device(self) -> str:
        """The device as text: cpu, or gpu:0."""
        return repr(self.place)[len("Place(") : -1]

    def get_device(self) -> int:
        """The number of the CUDA device, -1 for the host."""
        return int(self.place.index) if self.place.is_gpu_place() else -1

    @property
    def is_cuda(self) -> bool:
        """Whether it lies on a CUDA device."""
        return bool(self.place.is_gpu_place())

    # ----- with others -----

    def is_same_shape(self, y: Any) -> bool:
        """Whether another tensor has the same shape."""
        return bool(self._data.shape == y._data.shape)

    def value(self) -> Any:
        """Itself."""
        return self

    @property
    def data(self) -> Any:
        """The same memory as a leaf without gradient; setting it gives this tensor other memory."""
        out = Tensor(self._data)
        out._version = share_version(self)  # type: ignore[arg-type]
        return out

    @data.setter
    def data(self, other: Any) -> None:
        if not isinstance(other, Tensor):
            raise InvalidArgument(
                f"data: argument (position 1) must be Tensor, but got {type(other).__name__}.",
                expected="a Tensor",
                received=type(other).__name__,
                fix="x.data = paddle.to_tensor(...)",
            )
        self._data = other._data
        changed_in_place(self)  # type: ignore[arg-type]

    def detach_(self) -> Any:
        """Itself, cut from its history: a leaf without gradient."""
        self._node, self._stop = None, True
        return self

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Itself, with stop_gradient set to the opposite."""
        self.stop_gradient = not requires_grad
        return self

    # ----- axes -----

    def ndimension(self) -> int:
        """The number of axes."""
        return int(self._data.ndim)

    @property
    def mT(self) -> Any:
        """The last two axes swapped."""
        rank = self._data.ndim
        if rank < 2:
            raise InvalidArgument(
                f"mT: Tensor.ndim({rank}) is required to be greater than or equal to 2.",
                expected="a matrix, or matrices on the last two axes",
                received=f"shape {list(self._data.shape)}",
                fix="use x.T, or reshape x",
            )
        return REGISTRY["transpose"].call(self, perm=(*range(rank - 2), rank - 1, rank - 2))

    # ----- functions of the user -----

    def apply(self, func: Callable[[Any], Any]) -> Any:
        """func(x), for a tensor that wants no gradient."""
        if not self._stop:
            raise PermissionDenied(
                "Cannot apply function on a tensor that required gradient.",
                expected="a tensor with stop_gradient True",
                received=f"stop_gradient False, shape {list(self._data.shape)}",
                fix="call it: func(x)",
            )
        out = func(self) if callable(func) else func
        if not isinstance(out, Tensor):
            raise InvalidType(
                "apply(): func must be a function from a Tensor to a Tensor.",
                expected="a Tensor as its result",
                received=type(out).__name__,
                fix="apply(lambda x: x * 2)",
            )
        return out

    def apply_(self, func: Callable[[Any], Any]) -> Any:
        """Itself, with the values of func(x), for a tensor that wants no gradient."""
        return inplace.adopt(self, self.apply(func), "apply")  # type: ignore[arg-type]


def install(cls: Any) -> None:
    """Give Tensor these methods."""
    for name, member in vars(Memory).items():
        if name not in ("__dict__", "__weakref__", "__module__", "__doc__", "__annotations__"):
            setattr(cls, name, member)
