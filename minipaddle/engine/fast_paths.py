"""Quick op calls: what `dispatch.reference` does, written out for each number of inputs.

An op's public function is one of these closures, made when the op is first used. It asks one
question before it computes, whether the gate is open, and then does only what the common case
needs: NumPy arrays of one dtype. All else it hands to `dispatch`. A test proves that the bits are
the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..device import namespace
from . import modes
from .dispatch import (
    common_namespace,
    into,
    kernel_error,
    not_a_tensor,
    reference,
    slow,
    stop_of_results,
    unrecorded_result,
    why_not,
)
from .tensor import Tensor, as_array, lie_together

ndarray = np.ndarray
HALF = np.dtype("float16")
grad_on = modes.grad_enabled.get

NO_ATTRS: dict[str, Any] = {}
MISSING: Any = object()


def unary(op: Any, asks: bool = True) -> Callable[..., Any]:
    """Make the function of an op with one tensor in, one out, no attributes: tanh, exp, relu."""
    kernel, node_class, why = op.kernel, op.node_class, why_not(op)
    node_of, of_numpy = node_class and node_class.of_one, op.numpy_function

    def call(x: Any = None, name: str | None = None, **rest: Any) -> Any:
        if rest:
            return call_with_options(op, (x, name), rest)
        if modes.gate_open and asks:
            return slow(op, (x,), NO_ATTRS)
        try:
            a = x._data
        except AttributeError:
            raise not_a_tensor(op, 0, x) from None
        kind = a.dtype
        try:
            if of_numpy is not None and a.__class__ is ndarray:
                out = of_numpy(a)
            else:
                compute = op.wide_kernel if kind is HALF else kernel
                out = compute(np if a.__class__ is ndarray else namespace(a), a)
        except Exception as error:
            raise kernel_error(op, (x,), NO_ATTRS, error) from error
        if out.__class__ is not ndarray:
            out = as_array(out)
        if out.dtype is not kind:
            out = op.settle((a,), out, NO_ATTRS)
        if x._stop:
            return Tensor(out, x._stop)
        on = grad_on()
        if not on or node_of is None:
            return Tensor(out) if on is False else unrecorded_result(why, out, x)
        return Tensor(out, False, node_of(x._node or x, x, out))

    return call


def binary(op: Any, asks: bool = True, otherwise: Any = None) -> Callable[..., Any]:
    """Make the function of an op with two tensors in, one out: add, multiply, maximum.

    `otherwise(x, y)` is what an operator, such as `+`, does where y is no tensor.
    """
    kernel, node_class, why = op.kernel, op.node_class, why_not(op)
    node_of, of_numpy = node_class and node_class.of_two, op.numpy_function

    def call(x: Any = None, y: Any = MISSING, name: str | None = None, **rest: Any) -> Any:
        if rest:
            return call_with_options(op, (x, y, name), rest)
        if otherwise and y.__class__ is not Tensor and not hasattr(y, "stop_gradient"):
            return otherwise(x, y)
        if modes.gate_open and asks:
            return slow(op, (x, None if y is MISSING else y), NO_ATTRS)
        try:
            a = x._data
            b = y._data
        except AttributeError:
            if y is MISSING:
                op.bind((x,), {})  # says which argument is missing
            raise not_a_tensor(op, int(isinstance(x, Tensor)), (x, y)) from None
        kind = a.dtype
        if kind is not b.dtype and op.promotes:
            return reference(op, (x, y), NO_ATTRS)
        try:
            if of_numpy is not None and a.__class__ is ndarray:
                out = of_numpy(a, b)
            else:
                xp = np if a.__class__ is ndarray else common_namespace(op, x, y)
                out = (op.wide_kernel if kind is HALF else kernel)(xp, a, b)
        except Exception as error:
            raise kernel_error(op, (x, y), NO_ATTRS, error) from error
        if out.__class__ is not ndarray:
            out = as_array(out)
        if out.dtype is not kind:
            out = op.settle((a, b), out, NO_ATTRS)
        ex = None if x._stop else x._node or x
        ey = None if y._stop else y._node or y
        if ex is None and ey is None:
            return Tensor(out, y._stop if x._stop is True else x._stop)
        on = grad_on()
        if not on or node_class is None:
            return Tensor(out) if on is False else unrecorded_result(why, out, x, y)
        return Tensor(out, False, node_of(ex, ey, x, y, out))

    return call


def with_attrs(op: Any, asks: bool = True) -> Callable[..., Any]:
    """Make the function of an op with one tensor in, and attributes: scale, mean, reshape."""
    kernel, node_class, bind, view = op.kernel, op.node_class, op.bind_attrs, op.view
    why, node_of = why_not(op), node_class and node_class.of_attrs
    usual = None if op.required else op.defaults
    takes_out = "out" not in op.names

    def direct(x: Any, attrs: dict[str, Any]) -> Any:
        if modes.gate_open and asks:
            return slow(op, (x,), attrs)
        try:
            a = x._data
        except AttributeError:
            raise not_a_tensor(op, 0, x) from None
        kind = a.dtype
        try:
            compute = op.wide_kernel if kind is HALF else kernel
            out = compute(np if a.__class__ is ndarray else namespace(a), a, **attrs)
        except Exception as error:
            raise kernel_error(op, (x,), attrs, error) from error
        if out.__class__ is not ndarray:
            out = as_array(out)
        if out.dtype is not kind:
            out = op.settle((a,), out, attrs)
        if x._stop:
            result = Tensor(out, x._stop)
        elif not (on := grad_on()) or node_of is None:
            result = Tensor(out) if on is False else unrecorded_result(why, out, x)
        else:
            result = Tensor(out, False, node_of(x._node or x, x, out, attrs))
        if view:
            lie_together(result, x)
        return result

    def call(x: Any = None, *args: Any, **kwargs: Any) -> Any:
        if usual is not None and not args and not kwargs:
            return direct(x, usual)
        out = kwargs.pop("out", None) if takes_out else None
        if x is None:  # it comes under its own name, or under a second one
            (x,), attrs = op.bind(args, kwargs)
            return into(op.name, out, direct(x, attrs))
        return into(op.name, out, direct(x, bind(args, kwargs)))

    call.direct = direct  # type: ignore[attr-defined]  # for attributes in their final form
    return call


def several(op: Any, asks: bool = True) -> Callable[..., Any]:
    """Make the function of an op with a fixed number of tensors in: layer norm, cross entropy.

    Whatever is not as usual is left to `reference`, which also says what is wrong.
    """
    kernel, meets, view = op.kernel, op.promotes is not None, op.view

    def direct(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        if modes.gate_open and asks:
            return slow(op, inputs, attrs)
        try:
            arrays, edges, wanted, compute = [], [], False, kernel
            for x in inputs:  # a comprehension is a call of its own
                edge = None if x is None or x._stop else x._node or x
                wanted = wanted or edge is not None
                edges.append(edge)
                arrays.append(a := None if x is None else x._data)
                if a is not None and a.dtype is HALF:
                    compute = op.wide_kernel
            first = arrays[0]
            if first.__class__ is not ndarray or view:
                return reference(op, inputs, attrs)
            if meets and arrays[-2].dtype is not arrays[-1].dtype:  # type: ignore[union-attr]
                return reference(op, inputs, attrs)
            result = compute(np, *arrays, **attrs)
        except Exception:  # noqa: BLE001
            return reference(op, inputs, attrs)
        many = isinstance(result, (tuple, list))
        outs = result if many else (result,)
        for out in outs:
            if out.__class__ is not ndarray:
                outs = tuple(map(as_array, outs))
                break
        if not many and outs[0].dtype is not first.dtype:
            outs = (op.settle(arrays, outs[0], attrs),)
        on = grad_on()
        node_class = op.node_class
        if node_class is None or not on or not wanted:
            why = stop_of_results(op, on, inputs)
            tensors = tuple([Tensor(out, why) for out in outs])
        else:
            tensors = node_class(tuple(edges), inputs, outs, attrs).tensors(outs)
        return tensors if many else tensors[0]

    return taking(op, direct)


def general(op: Any) -> Callable[..., Any]:
    """Make the function of any other op: no tensor in, lists of tensors."""

    def direct(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        return (slow if modes.gate_open else reference)(op, inputs, attrs)

    return taking(op, direct)


def taking(op: Any, direct: Callable[..., Any]) -> Callable[..., Any]:
    """Return the public function that sorts its arguments for `direct`."""
    bind = op.bind
    takes_out = "out" not in op.names

    def call(*args: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None) if takes_out else None
        return into(op.name, out, direct(*bind(args, kwargs)))

    call.direct = direct  # type: ignore[attr-defined]  # for arguments in their final form
    return call


def plain(op: Any, make: Callable[..., Any]) -> Callable[..., Any]:
    """Return the closure of an op with no question about the gate, called as `reference` is."""
    if make is general:
        return reference
    call = make(op, asks=False)
    if make is several:
        direct = call.direct
        return lambda _op, inputs, attrs: direct(inputs, attrs)
    if make is with_attrs:
        direct = call.direct
        return lambda _op, inputs, attrs: direct(inputs[0], attrs)
    return lambda _op, inputs, _attrs: call(*inputs)


def call_with_options(op: Any, args: tuple[Any, ...], rest: dict[str, Any]) -> Any:
    """Return a call of a quick closure with options, or with arguments under second names."""
    args = tuple([None if value is MISSING else value for value in args])
    count = next((i for i, value in enumerate(args) if value is None), len(args))
    named = zip((*op.inputs, "name")[count:], args[count:], strict=True)
    rest |= {name: value for name, value in named if value is not None}
    if wide := next((op.options[key] for key in rest if key in op.options), None):
        return wide(*args[:count], **rest)
    return into(op.name, rest.pop("out", None), op.call(*op.bind(args[:count], rest)[0]))
