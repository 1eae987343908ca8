"""Ops that change a tensor's memory: `x.add_(y)`, `x.zero_()`, `x[i] = value`.

There is one mechanism. A shadow, a tensor with the present values and history of x, goes through
the out-of-place op; then x's memory takes the result's values, and x the result's history. So
in-place ops need no gradient rules, and nodes that saved x notice the change by x's version.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from .. import events
from ..device import beside
from ..engine import calls, modes, source_line
from ..engine.errors import InvalidType, PreconditionNotMet
from ..engine.grad_mode import enable_grad
from ..engine.tensor import (
    WHOLE,
    Tensor,
    change_of,
    changed_in_place,
    emit_values,
    rare,
    share_version,
    tensor_id,
)
from ..errors import misfit
from ..messages import Message
from ..ops import catalog
from ..ops.arguments import is_variable
from ..ops.errors import other_dtype
from ..ops.indexing.index import write
from ..ops.record import Public
from . import errors

FLATTENING = {"cumsum", "cumprod"}  # without an axis the tensor becomes a row, as in Paddle
VALUES = (int, float, complex, bool, np.generic, np.ndarray)


def apply_in_place(
    x: Tensor,
    name: str,
    call: Callable[..., Any],
    /,
    *inputs: Any,
    what: Message = errors.VAR,
    view: bool = False,
    counts: int | Callable[..., int] = 1,
    **attrs: Any,
) -> Tensor:
    """Do an op on x in place and return x.

    `view`: the result lies in the memory of x, so nothing is copied. `counts` is the amount by
    which Paddle raises the version, or a function of the op's arguments that returns it.
    """
    if modes.is_static():
        if is_variable(x):
            return catalog.call_with_warning(name, call, x, *inputs, **attrs)
        refuse_static(name)
    refuse_leaf(x, what)
    shadow = Tensor(x._data if view else x._data.copy(), x._stop, x._node)
    # The shadow has x's record, but its own count: a node that saves it ignores later changes.
    shadow._rare, shadow._version = rare(x), int(x._version)
    if events.heard():
        tensor_id(x)
        shadow._version += getattr(x._version, "uncounted", 0)  # events show the shadow as x
    if view and x._node is not None:  # also under no_grad x's gradient needs its old shape
        with enable_grad():
            out = call(shadow, *inputs, **attrs)
    else:
        out = call(shadow, *inputs, **attrs)
    if not isinstance(counts, int):
        counts = counts(shadow, *inputs, **attrs)
    if view:
        x._data = out._data
    return take_result(x, out, name, counts, source_line.spot())


def take_result(x: Tensor, out: Tensor, op: str, counts: int = 1, spot: Any = None) -> Tensor:
    """Give x the values and the history of a result; `spot` is the place of the change."""
    if op in FLATTENING and out._data.size == x._data.size:
        x._data = x._data.reshape(out._data.shape)
    refuse_misfit(x, out, op)
    stays = x._node is None or x._version.__class__ is not int  # others may share the memory
    if x._node is not None:
        share_version(x)  # the old node of x sees the change
    if out._data.dtype == x._data.dtype:
        if out._data is not x._data:
            x._data[...] = out._data
    else:  # another dtype, as of x.cast_(...), x.equal_(y)
        x._data = out._data
    changed_in_place(x, None, counts, "" if op == "set_at" else op, spot)
    node = out._node
    if node is not None:
        # An output that the op saved is now x's memory, guarded by x's version.
        node.output_moved(out._data, x._data, x._version)
        x._node, x._stop = node, False
    elif modes.grad_enabled.get():
        x._node, x._stop = None, out._stop  # an op without a gradient ends the history
    if events.heard():
        if stays and x._data is not out._data:
            emit_values(x, out, "result")
        record = rare(x)  # in events x is now the result
        record.id, record.note_series = tensor_id(out), -1
    return x


def refuse_leaf(x: Tensor, what: Message) -> None:
    """Raise an error for a leaf that requires a gradient, as that is of its present values."""
    if x._node is None and not x._stop and modes.grad_enabled.get():
        name = (x._rare and x._rare.name) or ""
        raise errors.leaf_changed(what, name, x._data.shape)


def refuse_static(op: str) -> None:
    """Raise an error in static mode, where results are Variables without values."""
    if modes.is_static():
        raise errors.in_static_mode(op)


def refuse_misfit(x: Tensor, out: Tensor, op: str) -> None:
    """Raise an error for a result of another shape than x."""
    if out._data.shape != x._data.shape:
        raise errors.result_misfit(op, made=out._data.shape, room=x._data.shape)


# ----- the methods -------------------------------------------------------------------------------


class Form:
    """The in-place form of an op; its function is made on first use."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def call(self) -> Callable[..., Tensor]:
        return make_form(self.name)

    def function_named(self, _name: str) -> Callable[..., Tensor]:
        return self.call


def make_form(name: str) -> Callable[..., Tensor]:
    """Return the in-place form of an op, with the parameters of the op."""
    entry = catalog.find(name, "inplace")
    call, view, changes = entry.function_named(name), entry.view, entry.places.changes
    signature = inspect.signature(call)
    rows = signature.parameters.values()
    parameters = [p for p in rows if p.name != "out" or p.kind is not p.KEYWORD_ONLY]
    first = parameters[0].name

    def form(*args: Any, **kwargs: Any) -> Tensor:
        x = args[0] if args else kwargs.pop(first if first in kwargs else "input", None)
        if not isinstance(x, Tensor):
            check_target(name, x)
        return apply_in_place(x, name, call, *args[1:], view=view, counts=changes, **kwargs)

    public: Any = calls.rename_frames(form, f"{name}_", op=name)
    public.__signature__ = signature.replace(parameters=parameters)
    public.__doc__ = DOC.format(
        name=name, x=EXAMPLES.get(name, MATRIX), args=ARGUMENTS.get(name, "")
    )
    return public


DOC = """In place, `{name}`: x's memory takes the result; see `paddle.{name}`.

Shapes and dtypes as there, but that the result must fit into x.
Errors: ValueError for a leaf that wants a gradient, or a result of another shape than x; and those
of `paddle.{name}`.
Source: Paddle's `paddle.Tensor.{name}_`.

>>> x = paddle.to_tensor({x})
>>> x.{name}_({args}) is x
True
"""
MATRIX = "[[0.5, 0.25], [0.75, 1.0]]"


def _for_all(names: str, text: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), text)


# Op -> tensor of its example, if not MATRIX, and op -> further arguments, if any.
EXAMPLES = {
    **_for_all("bitwise_and bitwise_invert bitwise_left_shift bitwise_not", "[[1, 2], [3, 4]]"),
    **_for_all("bitwise_or bitwise_right_shift bitwise_xor gcd lcm", "[[1, 2], [3, 4]]"),
    "baddbmm": "[[[1.0, 2.0], [3.0, 4.0]]]",
}
ARGUMENTS = {
    **_for_all("add bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift", "x + 1"),
    **_for_all("bitwise_xor copysign div divide eq equal floor_divide floor_mod gcd ge", "x + 1"),
    **_for_all("greater greater_equal greater_than gt hypot lcm ldexp le less less_equal", "x + 1"),
    **_for_all("less_than logical_and logical_or logical_xor lt mod mul multiply ne", "x + 1"),
    **_for_all("not_equal pow remainder sub subtract", "x + 1"),
    **_for_all("addmm baddbmm", "x, x"),
    "cast": "'float64'",
    **_for_all("cumprod cumsum unsqueeze", "0"),
    "fill_diagonal_tensor": "paddle.zeros([2])",
    "index_add": "paddle.to_tensor([0]), 0, paddle.ones([1, 2])",
    "index_fill": "paddle.to_tensor([0]), 0, 9.0",
    "index_put": "(paddle.to_tensor([0]),), paddle.ones([2])",
    "lerp": "x + 1, 0.5",
    "masked_fill": "x > 0.5, 0.0",
    "masked_scatter": "x > 0.5, paddle.zeros([4])",
    "polygamma": "1",
    "put_along_axis": "paddle.to_tensor([[0]]), 5.0, 0",
    "renorm": "2.0, 0, 1.0",
    "reshape": "[4, 1]",
    "scatter": "paddle.to_tensor([0]), paddle.ones([1, 2])",
    "scatter_add": "0, paddle.to_tensor([[0, 0]]), paddle.ones([1, 2])",
    "transpose": "[1, 0]",
}


def check_target(name: str, x: Any) -> None:
    """Raise an error if an in-place form cannot change x, which is no Tensor."""
    if not modes.is_static() or not is_variable(x):
        refuse_static(name)
        raise errors.no_tensor_to_change(name, x)


@functools.cache
def forms() -> dict[str, Form | catalog.Entry]:
    """Return the in-place forms that are also functions of `paddle`, by name."""
    of_ops = {f"{name}_": Form(name) for name in catalog.table("inplace")}
    return {**of_ops, "where_": catalog.Entry(where_, "where_", Public())}


def fill_(x: Tensor, value: Any) -> Tensor:
    """Write one number everywhere; no gradient flows back through it.

    Shapes and dtypes: all kept.
    Errors: TypeError for anything but a number; ValueError for a leaf that wants a gradient.
    Source: Paddle's `paddle.Tensor.fill_`.

    >>> paddle.zeros([2]).fill_(3).tolist()
    [3.0, 3.0]
    """
    if not isinstance(value, (int, float, np.generic)):
        raise errors.no_number(value)
    return _write_item(x, np.asarray(value), Ellipsis, errors.VAR)


def zero_(x: Tensor) -> Tensor:
    """Write 0 everywhere; no gradient flows back through it.

    Shapes and dtypes: all kept. Errors: ValueError for a leaf that wants a gradient.
    Source: Paddle's `paddle.Tensor.zero_`.

    >>> paddle.ones([2]).zero_().tolist()
    [0.0, 0.0]
    """
    return fill_(x, 0)


def where_(condition: Tensor, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Write the elements of y into x where the condition does not hold; return x.

    Shapes: condition, x and y are broadcast to the shape of x. Dtypes: all kept.
    Errors: TypeError if x is not a Tensor; ValueError for another shape, or a leaf that wants a
    gradient.
    Source: Paddle's `paddle.where_`.

    >>> import minipaddle as paddle
    >>> x = paddle.ones([2])
    >>> paddle.where_(paddle.to_tensor([True, False]), x, 3.0).tolist()
    [1.0, 3.0]
    """
    if not isinstance(x, Tensor):
        expected, fix = "a Tensor, which takes the result", "use where(), which makes a new tensor"
        raise misfit("where_", expected, InvalidType, fix, x=x)
    where = catalog.find("where").call
    return apply_in_place(x, "where", lambda shadow: where(condition, shadow, y))


def overwrite(x: Tensor, array: Any, counts: int = 1) -> Tensor:
    """Write an array everywhere; no gradient flows back through it."""
    return _write_item(x, array, Ellipsis, errors.VAR, counts)


def adopt(x: Tensor, out: Tensor, op: str) -> Tensor:
    """Turn x into a result, also of another shape, as `paddle.assign(y, x)` and `out=x` do."""
    if x._data.shape != out._data.shape:
        x._data = out._data
    return take_result(x, out, op)


def fill_diagonal_(
    x: Tensor, value: float, offset: int = 0, wrap: bool = False, name: str | None = None
) -> Tensor:
    """Write one number along a diagonal; with `wrap`, again and again down a tall matrix.

    Shapes: [m, n], or more axes of one size. Dtypes: all kept.
    Errors: ValueError for other shapes, or a leaf that wants a gradient.
    Source: Paddle's `paddle.Tensor.fill_diagonal_`.

    >>> paddle.zeros([2, 2]).fill_diagonal_(5.0).tolist()
    [[5.0, 0.0], [0.0, 5.0]]
    """
    shape = x._data.shape
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise misfit("fill_diagonal_", "shape [m, n], or [n, n, n, ...]", x=x)
    rows, columns = shape[0], shape[-1]
    if len(shape) > 2:
        place = [list(range(rows))] * len(shape)
    else:
        step = range(0, rows * columns if wrap else min(rows, columns) * (columns + 1), columns + 1)
        flat = [i + offset for i in step if 0 <= i % columns + offset < columns]
        flat = [i for i in flat if 0 <= i < rows * columns]
        place = [[i // columns for i in flat], [i % columns for i in flat]]
    return _write_item(x, np.asarray(value), tuple(place), errors.VAR) if place[0] else x


def setitem(self: Tensor, item: Any, value: Any) -> None:
    """Set `x[item] = value`; the value is cast to x's dtype, and gradients flow back to it."""
    if isinstance(value, Tensor):
        value = value if value._data.dtype == self._data.dtype else value.astype(self.dtype)  # type: ignore[attr-defined]
        apply_in_place(self, "set_at", write, item, value, what=errors.TENSOR)
    elif isinstance(value, VALUES):
        _write_item(self, np.asarray(value), item, errors.TENSOR)
    else:
        raise errors.not_assignable(value)


def _write_item(x: Tensor, value: Any, item: Any, what: Message, counts: int = 1) -> Tensor:
    array = beside(value.astype(x._data.dtype), x._data)
    return apply_in_place(x, "set_at", write, item, Tensor(array), what=what, counts=counts)


def set_value(self: Tensor, value: Any) -> None:
    """Overwrite the values from an array or Tensor of the same shape and dtype, also on a leaf.

    The history stays. As in Paddle the change is not counted as one in place: a backward pass that
    saved x computes with the new values.

    Shapes and dtypes must be the same.
    Errors: AssertionError for another shape or dtype, or anything but an array or a Tensor.
    Source: Paddle's `paddle.Tensor.set_value`.

    >>> x = paddle.zeros([2])
    >>> x.set_value(np.ones(2, "float32"))
    >>> x.tolist()
    [1.0, 1.0]
    """
    if not isinstance(value, (np.ndarray, Tensor)):
        raise errors.no_array_or_tensor(value)
    _overwrite_whole("set_value", self, value if isinstance(value, Tensor) else Tensor(value))


def _overwrite_whole(method: str, x: Any, value: Tensor) -> None:
    """Write a tensor of the shape and dtype of x over its values; its history stays."""
    array = value._data
    for label, needed, given in (
        ("Shape", list(x._data.shape), list(array.shape)),
        ("dtype", x._data.dtype.name, array.dtype.name),
    ):
        if needed != given:
            raise errors.value_misfit(method, label, x.name, needed=needed, given=given)
    note = change_of(*WHOLE, x, value)
    x._data[...] = beside(array, x._data)
    changed_in_place(x, note, counts=0)


def copy_(self: Tensor, other: Tensor, blocking: bool = True) -> Tensor:
    """Overwrite the values with another Tensor's, as set_value does, and return this one.

    Shapes and dtypes must be the same.
    Errors: ValueError if other is not a Tensor; RuntimeError for another dtype; AssertionError for
    another shape.
    Source: Paddle's `paddle.Tensor.copy_`.

    >>> x = paddle.zeros([2])
    >>> x.copy_(paddle.ones([2])).tolist()
    [1.0, 1.0]
    """
    if not isinstance(other, Tensor):
        raise errors.no_tensor_to_copy(other)
    if other._data.dtype != self._data.dtype:
        raise other_dtype("copy_", PreconditionNotMet, self=self, other=other)
    _overwrite_whole("copy_", self, other)
    return self


def install(cls: Any) -> None:
    """Give Tensor its in-place methods."""
    for name, form in forms().items():
        setattr(cls, name, catalog.Method(cls, name, form))
    for method in (copy_, fill_, fill_diagonal_, set_value, zero_):
        setattr(cls, method.__name__, method)
    cls.__setitem__ = setitem
    cls._take = adopt
