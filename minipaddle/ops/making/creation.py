"""Tensors from a shape and a number, from values in the code, or from other tensors."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ...device import CPUPlace, current_place, place_named, place_of
from ...engine import dtypes, modes
from ...engine.dispatch import store
from ...engine.dtypes import DType
from ...engine.errors import PermissionDenied
from ...engine.meta import Meta, unchanged
from ...engine.tensor import Tensor
from ...errors import misfit, wrong_type
from .. import errors
from ..arguments import (
    fill_in_sizes,
    find_open_sizes,
    is_variable,
    read_number,
    read_sizes,
)
from ..catalog import Function, public
from ..op_spec import REQUIRED, Op, internal, op
from ..record import Formula, Operands, Public, Results, Static, sample
from ..registry import REGISTRY

# ----- transfer to a device ----------------------------------------------------------------------

CPU = CPUPlace()


@internal(
    infer=unchanged,
    formula=Formula("y = x", symbol=lambda attrs: f"to {attrs['place']}"),
    samples=(sample((2, 3), place=CPU, back=CPU),),
)
def copy_to(xp: Any, x: Any, *, place: Any, back: Any) -> Any:
    """A copy of x on the device `place`; `back` is the device of x."""
    return place.put(x).copy() if place == back else place.put(x)


copy_to.grad(lambda F, dout, *, place, back: F.copy_to(dout, place=back, back=place))


def move(x: Any, place: Any) -> Any:
    """Return the Tensor on a device; the Tensor itself if it is there already."""
    here = place_of(x._data)
    return x if here == place else copy_to.call(x, place=place, back=here)


# ----- shapes, options and inference -------------------------------------------------------------


def read_shape(shape: Any) -> tuple[int, ...]:
    """Read a shape: an int, a list that may contain 0-D tensors, or a tensor."""
    return read_sizes(shape, "each size in shape")


def read_loose_shape(shape: Any) -> tuple[int, ...]:
    """Read a shape as `read_shape` does, also from a Tensor of whole floats, as Paddle does."""
    if isinstance(shape, Tensor) and shape._data.dtype.kind == "f":
        row = shape._data.reshape(-1).tolist()
        shape = [int(n) if n.is_integer() else n for n in row]
    return read_shape(shape)


def infer_from_attrs(*, shape: Any, dtype: Any, **_rest: Any) -> Meta:
    """Infer shape and dtype from the attributes."""
    if any(n < 0 for n in shape):
        raise misfit("shape", "sizes of at least 0", shape=list(shape))
    return Meta(tuple(shape), DType.of(dtype).numpy)


def infer_open(sizes: list[Meta], *, shape: Any, dtype: Any, **_rest: Any) -> Meta:
    """Infer shape and dtype; a size that is a tensor is None in the shape."""
    known = infer_from_attrs(shape=[n for n in shape if n is not None], dtype=dtype)
    return Meta(tuple(-1 if n is None else n for n in shape), known.dtype)


def with_open_shape(base: Op, **record: Any) -> Op:
    """Register a second op for shapes of which some sizes, None in the shape, are tensors."""

    def kernel(xp: Any, sizes: list[Any], *, shape: Any, **attrs: Any) -> Any:
        return base.kernel(xp, shape=fill_in_sizes(shape, sizes), **attrs)

    kernel.__doc__ = f"{base.doc.rstrip('.')}, in a shape of which some sizes are tensors."
    attrs = {**base.samples[0].attrs, "shape": (None, None)}
    usual: dict[str, Any] = {
        "infer": infer_open,
        "samples": (sample([(2,)], ints={"sizes": 4}, **attrs),),
        "operands": Operands(takes_list=True),
        "attributes": base.attributes,
        "canon": {key: read for key, read in base.readers.items() if key != "shape"},
        "results": Results(random=base.random),
        "formula": Formula(base.formula.forward, symbol=base.name),
        "static": base.static._replace(slots={"sizes": "ShapeTensorList"}),
    }
    return internal(f"{base.name}_by", **usual | record)(kernel)


def with_open_sizes(base: Op, attribute: str = "shape", **record: Any) -> Op:
    """Register a second op on x for an attribute of which some sizes, None in it, are tensors."""

    def kernel(xp: Any, x: Any, sizes: list[Any], **attrs: Any) -> Any:
        attrs[attribute] = fill_in_sizes(attrs[attribute], sizes)
        out = base.kernel(xp, x, **attrs)
        return out.copy() if base.view else out

    def rule(F: Any, dout: Any, x_shape: Any, sizes: Any, **attrs: Any) -> Any:
        assert base.rule
        given = {key: attrs[key] for key in base.rule_extra}
        return base.rule(F, dout, x_shape, **given), *[None for _ in sizes]

    kernel.__doc__ = (
        f"`{base.name}` with an attribute {attribute} of which some elements are tensors."
    )
    attributes = {**base.collected, attribute: REQUIRED}
    takes = Operands(takes_list=True)
    made = internal(f"{base.name}_by", attributes=attributes, operands=takes, **record)(kernel)
    made.grad(rule)
    return made


def call_with_shape(record: Op, by: Op, shape: Any, **attrs: Any) -> Any:
    """Call an op with a shape, or the op `by` if some sizes are known only at run time."""
    unknown = find_open_sizes(shape)
    if unknown is None:
        return record.call(shape=shape, **attrs)
    return by.call(unknown[1], shape=unknown[0], **attrs)


def no_pinned_memory() -> Exception:
    """Make the error of an option pin_memory=True."""
    return PermissionDenied(
        "pin_memory: there is no pinned memory here.",
        expected="pin_memory=False",
        received="pin_memory=True",
        fix="leave it out: copies to a device need no preparation",
    )


def with_options(
    tensor: Any,
    made_by: str,
    *,
    out: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Any:
    """Move a new tensor to `device` (default: the current one) and apply the other options.

    `made_by` is the name of the function that made it, for errors.
    """
    if pin_memory:
        raise no_pinned_memory()
    if isinstance(tensor, Tensor):
        tensor = move(tensor, current_place() if device is None else place_named(device))
    if requires_grad:
        tensor.stop_gradient = False
    return store(out, tensor, made_by)


OPTIONS = inspect.signature(with_options).parameters
ALL_OPTIONS = ("out", "device", "requires_grad", "pin_memory")


def publish_creation(
    *options: str, like: bool = False, sizes_apart: bool = False, method: bool = False
) -> Callable[[Function], Function]:
    """Publish a function that makes a tensor, which accepts these options of `with_options` too.

    The tensor is made on the current device, or with `like` on that of the first argument. With
    `sizes_apart` the sizes of the shape may be passed one by one: zeros(2, 3).
    """

    def register(function: Function) -> Function:
        first = function.__code__.co_varnames[0]

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if sizes_apart and len(args) > 1 and all(isinstance(arg, int) for arg in args):
                args = (args,)
            chosen = {name: kwargs.pop(name) for name in options if name in kwargs}
            tensor = function(*args, **kwargs)
            if like and chosen.get("device") is None:  # a Variable has no device yet
                chosen["device"] = getattr(args[0] if args else kwargs[first], "place", None)
            return with_options(tensor, function.__name__, **chosen)

        if options:
            made: Any = call
            extra = [OPTIONS[name] for name in options]
            own = inspect.signature(function)
            made.__signature__ = own.replace(parameters=[*own.parameters.values(), *extra])
            annotations = {option.name: option.annotation for option in extra}
            made.__annotations__ = {**function.__annotations__, **annotations}
        return public(method=method)(call)

    return register


def dtype_for(value: Any) -> DType:
    """Return the dtype for a number: bool, complex, or the default float."""
    if isinstance(value, (bool, np.bool_)):
        return dtypes.bool_
    if isinstance(value, complex):
        return dtypes.complex128
    return dtypes.get_default()


# ----- one value ---------------------------------------------------------------------------------


def read_fill_value(value: Any) -> Any:
    """Return the number of a fill_value, which may be a 0-D Tensor or a text such as '3'."""
    value = read_number(value)
    if isinstance(value, str):
        return float(value)
    if not isinstance(value, (bool, int, float, complex)):
        what = f"The fill_value should be a number or a Tensor, but received {type(value)}."
        fix = "use paddle.to_tensor() for several values"
        raise wrong_type(what, value, "one number", fix)
    return value


def _number_text(value: Any) -> str:
    """Write a number, which a record has as "-inf" if it is infinite."""
    return f"{float(value) if isinstance(value, str) else value:g}"


def write_full(shape: Any, number: str) -> str:
    """Return a tensor of equal numbers as in code, `ones([2])`; a single one as its number."""
    if number in ("True", "False") or prod(shape) == 1:
        return number.replace("-inf", "−inf")
    name = {"0": "zeros", "1": "ones"}.get(number, "full")
    text = f"{name}({[*shape]}{f', {number}' * (name == 'full')})"
    return text.replace("e+0", "e+").replace("e-0", "e-").replace("-", "−")


@internal(
    infer=infer_from_attrs,
    gradless="has no input",
    canon={"shape": read_shape, "fill_value": read_fill_value, "dtype": DType.of},
    formula=Formula(
        lambda attrs: f"y = {_number_text(attrs['fill_value'])}",
        symbol=lambda attrs: write_full(attrs["shape"], _number_text(attrs["fill_value"])),
    ),
    samples=(
        sample(shape=[2, 3], fill_value=1.5, dtype="float32"),
        sample(shape=[], fill_value=2, dtype="int64"),
        sample(shape=[0, 2], fill_value=True, dtype="bool"),
    ),
    static=Static("fill_constant", attrs={"fill_value": "value"}),
)
def full_(xp: Any, *, shape: Any, fill_value: Any, dtype: Any) -> Any:
    """A tensor of this shape full of one value."""
    return xp.full(shape, fill_value, dtype.numpy)


full_by = with_open_shape(
    full_, gradless="the result does not depend on the sizes' values", formula=full_.formula
)


def infer_like(x: Meta, *, dtype: Any, **_rest: Any) -> Meta:
    return Meta(x.shape, x.dtype if dtype is None else DType.of(dtype).numpy)


@internal(
    infer=infer_like,
    gradless="the result does not depend on the values of x",
    canon={"value": read_fill_value},
    formula=Formula(
        lambda attrs: f"y = {attrs.get('value', 0.0):g}",
        symbol=lambda attrs: {0: "zeros_like", 1: "ones_like"}.get(attrs["value"], "full_like"),
    ),
    samples=(sample((2, 3)), sample((), value=2.5, dtype="float32")),
    static=Static("fill_any_like"),
)
def fill_like(xp: Any, x: Any, *, value: Any = 0.0, dtype: Any = None) -> Any:
    """A tensor of the shape of x full of one value; the shape may be known only at run time."""
    return xp.full(x.shape, value, infer_like(x, dtype=dtype).dtype)


def _fill_shape(value: Any, shape: Any) -> Any:
    """Repeat a number to a shape, of which some sizes may be Variables, in a Program."""
    unknown = find_open_sizes(shape)
    if unknown is None:
        return REGISTRY["expand"].call(value, shape=shape)
    return REGISTRY["expand_by"].call(value, unknown[1], shape=unknown[0])


def _fill_tensor(shape: Any, value: Any, dtype: Any) -> Any:
    kind = dtype or dtypes.get_default()
    return call_with_shape(full_, full_by, shape, fill_value=value, dtype=kind)


@publish_creation(*ALL_OPTIONS)
def full(shape: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of this shape full of one value; float32 by default.

    Errors: TypeError for what is not a shape or a dtype; ValueError for a negative size.

    >>> import minipaddle as paddle
    >>> paddle.full([2], 1.5).tolist()
    [1.5, 1.5]
    """
    if is_variable(fill_value):
        kind = dtype or dtypes.get_default()
        value = REGISTRY["cast"].call(REGISTRY["reshape"].call(fill_value, shape=()), dtype=kind)
        return _fill_shape(value, shape)
    value = read_fill_value(fill_value)
    return _fill_tensor(shape, value, dtype or dtype_for(value))


@publish_creation(*ALL_OPTIONS, sizes_apart=True)
def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of this shape full of 0.

    Dtypes: float32 unless `dtype` says otherwise.
    Errors: TypeError for what is not a shape or a dtype; ValueError for a negative size.

    >>> import minipaddle as paddle
    >>> paddle.zeros([2]).tolist()
    [0.0, 0.0]
    """
    return _fill_tensor(shape, 0.0, dtype)


@publish_creation(*ALL_OPTIONS, sizes_apart=True)
def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of this shape full of 1.

    Dtypes: float32 unless `dtype` says otherwise.
    Errors: TypeError for what is not a shape or a dtype; ValueError for a negative size.

    >>> import minipaddle as paddle
    >>> paddle.ones([2], dtype="int64").tolist()
    [1, 1]
    """
    return _fill_tensor(shape, 1.0, dtype)


@publish_creation(*ALL_OPTIONS, sizes_apart=True)
def empty(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of this shape with undefined values (here they are 0).

    Dtypes: float32 unless `dtype` says otherwise.
    Errors: TypeError for what is not a shape or a dtype; ValueError for a negative size.

    >>> import minipaddle as paddle
    >>> paddle.empty([2, 3]).shape
    paddle.Size([2, 3])
    """
    return _fill_tensor(read_loose_shape(shape) if isinstance(shape, Tensor) else shape, 0.0, dtype)


@publish_creation("device", "requires_grad", "pin_memory", like=True)
def full_like(x: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of the shape (and dtype) of x full of one value.

    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.full_like(paddle.ones([2]), 3.0).tolist()
    [3.0, 3.0]
    """
    return fill_like.call(x, value=fill_value, dtype=dtype)


@publish_creation("device", "requires_grad", "pin_memory", like=True)
def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of the shape and dtype of x full of 0.

    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.zeros_like(paddle.ones([2])).tolist()
    [0.0, 0.0]
    """
    return fill_like.call(x, value=0.0, dtype=dtype)


@publish_creation("device", "requires_grad", "pin_memory", like=True)
def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of the shape and dtype of x full of 1.

    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.ones_like(paddle.zeros([2])).tolist()
    [1.0, 1.0]
    """
    return fill_like.call(x, value=1.0, dtype=dtype)


@publish_creation("device", "requires_grad", "pin_memory", like=True)
def empty_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of the shape and dtype of x with undefined values (here they are 0).

    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.empty_like(paddle.ones([2])).shape
    paddle.Size([2])
    """
    return fill_like.call(x, value=0.0, dtype=dtype)


@internal(
    infer=lambda *, values, shape, dtype: infer_from_attrs(shape=shape, dtype=dtype),
    gradless="has no input",
    canon={"values": np.asarray, "shape": read_shape, "dtype": DType.of},
    formula=Formula("y = values"),
    samples=(
        sample(values=[[1.5, -2.0]], shape=[1, 2], dtype="float32"),
        sample(values=3, shape=[], dtype="int64"),
    ),
    static=Static("assign_value", prefix="assign"),
)
def assign_value(xp: Any, *, values: Any, shape: Any, dtype: Any) -> Any:
    """A copy of values from the code."""
    return xp.array(xp.asarray(values), dtype.numpy).reshape(shape)


# ----- copies of values --------------------------------------------------------------------------


def _cast_infer(x: Meta, *, dtype: Any) -> Meta:
    return Meta(x.shape, DType.of(dtype).numpy)


@op(
    infer=_cast_infer,
    canon={"dtype": DType.of},
    formula=Formula(
        lambda attrs: f"y = cast(x, {DType.of(attrs['dtype']).name})",
        "dx = cast(dy)",
        symbol=lambda attrs: f"→ {DType.of(attrs['dtype']).name}",
    ),
    samples=(sample((2, 3), dtype="float64"), sample((), dtype="float64")),
    public=Public(inplace=True),
    static=Static("cast", attrs={"dtype": "out_dtype"}),
)
def cast(xp: Any, x: Any, *, dtype: Any) -> Any:
    """x in another dtype; its gradient has the dtype of x.

    >>> paddle.cast(paddle.ones([1]), "int64").tolist()
    [1]
    """
    kind = DType.of(dtype).numpy
    return (x.real if x.dtype.kind == "c" and kind.kind not in "cb" else x).astype(kind)


cast.grad(lambda F, dout, x_dtype: F.cast(dout, dtype=x_dtype))


@internal(infer=unchanged, formula=Formula("y = x"), samples=(sample((2, 3)), sample(())))
def assign_(xp: Any, x: Any) -> Any:
    """A copy of x, connected to the graph."""
    return x.copy()


assign_.grad(lambda F, dout: dout)


@public()
def clone(x: Any, name: str | None = None) -> Any:
    """A copy of x, connected to the graph.

    Shapes: for example x [1] gives [1].
    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.clone(paddle.ones([1])).tolist()
    [1.0]
    """
    return assign_.call(x)


@public(method=False)
def assign(x: Any, output: Any = None) -> Any:
    """A copy of x, a tensor, array, list or number, connected to the graph; with `output` the
    values and the history are written into that tensor, in a Program by the operator.

    >>> import minipaddle as paddle
    >>> paddle.assign([1, 2]).tolist()
    [1, 2]
    """
    builder = modes.here().builder
    connected = hasattr(x, "stop_gradient")
    if builder is not None and hasattr(output, "block"):  # a Variable
        if connected:
            return builder.append(assign_, (x,), {}, outputs=[output])
        return builder.append(assign_value, (), _value_attrs(x), outputs=[output])
    copy = assign_.call(x) if connected else assign_value.call(**_value_attrs(x))
    if output is None:
        return copy
    if not isinstance(output, Tensor):
        raise errors.no_tensor("assign", "output", output)
    return output._take(copy, "assign")  # type: ignore[attr-defined]


def _value_attrs(x: Any) -> dict[str, Any]:
    """Return the attributes of `assign_value`; a number becomes one element, as in Paddle."""
    if x is None or isinstance(x, (str, dict)):
        expected = "a Tensor, array, list, tuple or number"
        raise wrong_type("assign(): x is no array.", x, expected, "convert it to an array first")
    array = np.atleast_1d(np.asarray(x)) if np.isscalar(x) else np.asarray(x)
    return {"values": array, "shape": list(array.shape), "dtype": DType.of(array.dtype)}
