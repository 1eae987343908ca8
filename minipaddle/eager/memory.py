"""Tensor's methods about its memory: layout, device, sharing, axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.errors import InvalidType
from ..engine.tensor import (
    WHOLE,
    Tensor,
    alias,
    change_of,
    changed_in_place,
    emit_values,
    share_version,
)
from ..errors import misfit
from ..ops import REGISTRY
from ..ops.errors import rank as rank_error
from ..ops.making import creation
from . import errors, inplace


class Memory:
    """Methods about memory, which `eager.tensor` copies onto Tensor."""

    _data: Any
    _node: Any
    _stop: Any
    _version: Any
    place: Any
    shape: Any

    # ----- layout -----

    @property
    def itemsize(self) -> int:
        """Bytes of one element.

        Shapes: any. Dtypes: all. Errors: none. Source: Paddle's `paddle.Tensor.itemsize`.

        >>> paddle.ones([2], dtype="float64").itemsize
        8
        """
        return int(self._data.itemsize)

    def element_size(self) -> int:
        """Return the bytes of one element.

        Shapes: any. Dtypes: all. Errors: none. Source: Paddle's `paddle.Tensor.element_size`.

        >>> paddle.ones([2]).element_size()
        4
        """
        return int(self._data.itemsize)

    @property
    def strides(self) -> list[int]:
        """The distance of neighbours along each axis, counted in elements.

        Shapes: [2, 3] gives 2 strides. Dtypes: all. Errors: none.
        Source: Paddle's `paddle.Tensor.strides`.

        >>> paddle.ones([2, 3]).strides
        [3, 1]
        """
        return [step // self._data.itemsize for step in self._data.strides]

    def get_strides(self) -> list[int]:
        """Return the distance of neighbours along each axis, counted in elements.

        Shapes: [2, 3] gives 2 strides. Dtypes: all. Errors: none.
        Source: Paddle's `paddle.Tensor.get_strides`.

        >>> paddle.ones([2, 3]).get_strides()
        [3, 1]
        """
        return self.strides

    def stride(self, dim: int | None = None) -> Any:
        """Return the strides, or that of one axis.

        Shapes: [2, 3] gives 2 strides. Dtypes: all. Errors: IndexError if there is no such axis.
        Source: Paddle's `paddle.Tensor.stride`.

        >>> paddle.ones([2, 3]).stride(0)
        3
        """
        return self.strides if dim is None else self.strides[dim]

    def is_contiguous(self) -> bool:
        """Return whether the elements lie row by row, without gaps.

        Shapes: any. Dtypes: all. Errors: none. Source: Paddle's `paddle.Tensor.is_contiguous`.

        >>> paddle.ones([2, 3]).is_contiguous(), paddle.ones([2, 3]).T.is_contiguous()
        (True, False)
        """
        return bool(self._data.flags.c_contiguous)

    def contiguous(self) -> Any:
        """Return the tensor itself if its elements lie row by row, else a copy in which they do.

        Shapes: any; the result has the same. Dtypes: all kept. Errors: none.
        Source: Paddle's `paddle.Tensor.contiguous`.

        >>> paddle.ones([2, 3]).T.contiguous().is_contiguous()
        True
        """
        return self if self.is_contiguous() else creation.clone(self)

    def data_ptr(self) -> int:
        """Return the address of the first element.

        Shapes and dtypes do not matter. Errors: none.
        Source: Paddle's `paddle.Tensor.data_ptr`.

        >>> x = paddle.ones([2])
        >>> x.data_ptr() == x.detach().data_ptr()
        True
        """
        pointer = getattr(self._data.data, "ptr", None)
        return int(self._data.ctypes.data if pointer is None else pointer)

    @property
    def layout(self) -> str:
        """The order of the axes of a picture: NCHW.

        Shapes and dtypes do not matter. Errors: none. Source: Paddle's `paddle.Tensor.layout`.

        >>> paddle.ones([1]).layout
        'NCHW'
        """
        return "NCHW"

    def is_dense(self) -> bool:
        """Return whether all elements are stored: always.

        Shapes and dtypes do not matter. Errors: none.
        Source: Paddle's `paddle.Tensor.is_dense`.

        >>> paddle.ones([1]).is_dense()
        True
        """
        return True

    def is_sparse(self) -> bool:
        """Return whether only some elements are stored: never.

        Shapes and dtypes do not matter. Errors: none.
        Source: Paddle's `paddle.Tensor.is_sparse`.

        >>> paddle.ones([1]).is_sparse()
        False
        """
        return False

    is_sparse_coo = is_sparse_csr = is_selected_rows = is_dist = is_sparse

    # ----- device -----

    @property
    def device(self) -> str:
        """The device as text: cpu, or gpu:0.

        Shapes and dtypes do not matter. Errors: none. Source: Paddle's `paddle.Tensor.device`.

        >>> paddle.ones([1]).cpu().device
        'cpu'
        """
        return repr(self.place)[len("Place(") : -1]

    def get_device(self) -> int:
        """Return the number of the CUDA device, -1 for the host.

        Shapes and dtypes do not matter. Errors: none.
        Source: Paddle's `paddle.Tensor.get_device`.

        >>> paddle.ones([1]).cpu().get_device()
        -1
        """
        return int(self.place.index) if self.place.is_gpu_place() else -1

    @property
    def is_cuda(self) -> bool:
        """Whether the tensor is on a CUDA device.

        Shapes and dtypes do not matter. Errors: none. Source: Paddle's `paddle.Tensor.is_cuda`.

        >>> paddle.ones([1]).cpu().is_cuda
        False
        """
        return bool(self.place.is_gpu_place())

    # ----- shared memory -----

    def is_same_shape(self, y: Any) -> bool:
        """Return whether another tensor has the same shape.

        Shapes: any two. Dtypes: all. Errors: AttributeError if y is not a Tensor.
        Source: Paddle's `paddle.Tensor.is_same_shape`.

        >>> paddle.ones([2, 3]).is_same_shape(paddle.zeros([2, 3]))
        True
        """
        return bool(self._data.shape == y._data.shape)

    def value(self) -> Any:
        """Return the tensor itself.

        Shapes and dtypes: all kept. Errors: none. Source: Paddle's `paddle.Tensor.value`.

        >>> x = paddle.ones([1])
        >>> x.value() is x
        True
        """
        return self

    @property
    def data(self) -> Any:
        """The same memory as a leaf without gradient; setting it gives this tensor other memory.

        Shapes and dtypes: all kept. Errors: ValueError if it is set to anything but a Tensor.
        Source: Paddle's `paddle.Tensor.data`.

        >>> x = paddle.ones([2])
        >>> x.data = paddle.zeros([2])
        >>> x.tolist()
        [0.0, 0.0]
        """
        return alias(self, True, asked=True)  # type: ignore[arg-type]

    @data.setter
    def data(self, other: Any) -> None:
        if not isinstance(other, Tensor):
            raise errors.no_tensor("data", other, "a Tensor", "x.data = paddle.to_tensor(...)")
        note = change_of(*WHOLE, self, other)
        self._data = other._data
        changed_in_place(self, note, by="data")  # type: ignore[arg-type]

    def detach_(self) -> Any:
        """Cut this tensor from its history, and return it: a leaf without gradient.

        Shapes and dtypes: all kept. Errors: none. Source: Paddle's `paddle.Tensor.detach_`.

        >>> y = paddle.to_tensor([1.0], stop_gradient=False) * 2
        >>> y.detach_().is_leaf
        True
        """
        share_version(self)  # type: ignore[arg-type]  # the old node sees later changes
        self._node, self._stop = None, True
        emit_values(self, self, "cut", asked=True)  # type: ignore[arg-type]
        return self

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Set stop_gradient to the opposite of `requires_grad`, and return this tensor.

        Shapes and dtypes: all kept. Errors: TypeError for anything but a bool.
        Source: Paddle's `paddle.Tensor.requires_grad_`.

        >>> paddle.ones([1]).requires_grad_().stop_gradient
        False
        """
        self.stop_gradient = not requires_grad
        return self

    # ----- axes -----

    def ndimension(self) -> int:
        """Return the number of axes.

        Shapes: [2, 3] gives 2. Dtypes: all. Errors: none.
        Source: Paddle's `paddle.Tensor.ndimension`.

        >>> paddle.ones([2, 3]).ndimension()
        2
        """
        return int(self._data.ndim)

    @property
    def mT(self) -> Any:
        """The last two axes swapped.

        Shapes: for example [2, 3, 4] gives [2, 4, 3]. Dtypes: all kept.
        Errors: ValueError for fewer than two axes. Source: Paddle's `paddle.Tensor.mT`.

        >>> paddle.ones([2, 3, 4]).mT.shape
        paddle.Size([2, 4, 3])
        """
        rank = self._data.ndim
        if rank < 2:
            raise rank_error("mT", 2, None, x=self)
        return REGISTRY["transpose"].call(self, perm=(*range(rank - 2), rank - 1, rank - 2))

    # ----- functions of the user -----

    def apply(self, func: Callable[[Any], Any]) -> Any:
        """Return func(x), for a tensor that wants no gradient.

        Shapes and dtypes are those of func(x).
        Errors: RuntimeError for a tensor that wants a gradient; TypeError if func gives no Tensor.
        Source: Paddle's `paddle.Tensor.apply`.

        >>> paddle.to_tensor([1, 2]).apply(lambda x: x * 2).tolist()
        [2, 4]
        """
        if not self._stop:
            raise errors.cannot_apply(self._data.shape)
        out = func(self) if callable(func) else func
        if not isinstance(out, Tensor):
            expected, fix = "a func from a Tensor to a Tensor", "apply(lambda x: x * 2)"
            raise misfit("apply", expected, InvalidType, fix, result=out)
        return out

    def apply_(self, func: Callable[[Any], Any]) -> Any:
        """Turn this tensor, which wants no gradient, into func(x), and return it.

        Shapes and dtypes are those of func(x).
        Errors: RuntimeError for a tensor that wants a gradient; TypeError if func gives no Tensor.
        Source: Paddle's `paddle.Tensor.apply_`.

        >>> paddle.to_tensor([1, 2]).apply_(lambda x: x * 2).tolist()
        [2, 4]
        """
        return inplace.adopt(self, self.apply(func), "apply")  # type: ignore[arg-type]
