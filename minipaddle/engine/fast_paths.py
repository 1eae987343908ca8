"""Quick op calls: `dispatch.reference` written out for each number of inputs.

An op's public function is one of these closures, made when the op is first used. It checks whether
the gate is open, and then does only what the common case needs: NumPy arrays of one dtype. Other
calls go to `dispatch`. A test compares both, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..device import namespace
from . import modes
from .dispatch import (
    common_namespace,
    kernel_error,
    not_a_tensor,
    reference,
    slow,
    stop_of_op,
    stop_of_results,
    store,
    unrecorded_result,
)
from .tensor import Tensor, as_array, count_together, new_tensor

ndarray = np.ndarray
SINGLE = np.dtype("float32")
SPECIAL = "eFD"  # float16 and complex dtypes
grad_on = modes.grad_enabled.get

NO_ATTRS: dict[str, Any] = {}
MISSING: Any = object()
BOUND: Any = object()  # mark in a call: the next argument is the dict of final attributes


def unary(op: Any, asks: bool = True) -> Callable[..., Any]:
    """Make the function of an op with one tensor in and one out: tanh, sum, reshape."""
    kernel, node_class, bind, view = op.kernel, op.node_class, op.bind_attrs, op.view
    why, make = stop_of_op(op), node_class and node_class.maker()
    of_numpy = op.numpy_function
    usual = None if op.required else op.defaults
    options = {*op.options, "out"} - {*op.names}

    def call(x: Any = None, *args: Any, **kwargs: Any) -> Any:
        attrs = usual
        if args or kwargs or attrs is None:
            if args and args[0] is BOUND:
                attrs = args[1]
            elif x is None or not options.isdisjoint(kwargs):
                return call_bound(op, direct, args if x is None else (x, *args), kwargs)
            else:
                attrs = bind(args, kwargs)
        if modes.gate_open and asks:
            return slow(op, (x,), attrs)
        try:
            a = x._data
        except AttributeError:
            raise not_a_tensor(op, 0, x) from None
        kind = a.dtype
        try:
            if of_numpy is not None and a.__class__ is ndarray:
                out = of_numpy(a)
            else:
                is_usual = kind is SINGLE or kind.char not in SPECIAL
                compute = kernel if is_usual else op.special_kernel
                out = compute(np if a.__class__ is ndarray else namespace(a), a, **attrs)
        except Exception as error:
            raise kernel_error(op, (x,), attrs, error) from error
        if out.__class__ is not ndarray:
            out = as_array(out)
        if out.dtype is not kind:
            out = op.cast_to_inferred((a,), out, attrs)
        if x._stop:
            result = new_tensor(out, x._stop)
        elif not (on := grad_on()) or make is None:
            result = new_tensor(out) if on is False else unrecorded_result(why, out, x)
        else:
            result = new_tensor(out, False, make(x._node or x, x, out, attrs))
        if view:
            count_together(result, x)
        return result

    def direct(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        return call(*inputs, BOUND, attrs)

    call.direct = lambda x, attrs: call(x, BOUND, attrs)  # type: ignore[attr-defined]
    return call


def binary(op: Any, asks: bool = True, otherwise: Any = None) -> Callable[..., Any]:
    """Make the function of an op with two tensors in, one out: add, multiply, maximum.

    `otherwise(x, y)` computes an operator such as `+` if y is no tensor.
    """
    kernel, node_class, why = op.kernel, op.node_class, stop_of_op(op)
    make, of_numpy = node_class and node_class.maker(), op.numpy_function

    def call(x: Any = None, y: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
        if args or kwargs:
            inputs = () if x is None else (x,) if y is MISSING else (x, y, *args)
            if x is None and y is not MISSING:
                kwargs[op.inputs[1]] = y
            return call_bound(op, lambda inputs, _attrs: call(*inputs), inputs, kwargs)
        if otherwise and y.__class__ is not Tensor and not hasattr(y, "stop_gradient"):
            return otherwise(x, y)
        if modes.gate_open and asks:
            return slow(op, (x, None if y is MISSING else y), NO_ATTRS)
        try:
            a = x._data
            b = y._data
        except AttributeError:
            if y is MISSING:
                op.bind((x,), {})  # raises the error that names the missing argument
            raise not_a_tensor(op, int(isinstance(x, Tensor)), (x, y)) from None
        kind = a.dtype
        if kind is not b.dtype and op.promotes:
            return reference(op, (x, y), NO_ATTRS)
        try:
            if of_numpy is not None and a.__class__ is ndarray:
                out = of_numpy(a, b)
            else:
                xp = np if a.__class__ is ndarray else common_namespace(op, x, y)
                is_usual = kind is SINGLE or kind.char not in SPECIAL
                out = (kernel if is_usual else op.special_kernel)(xp, a, b)
        except Exception as error:
            raise kernel_error(op, (x, y), NO_ATTRS, error) from error
        if out.__class__ is not ndarray:
            out = as_array(out)
        if out.dtype is not kind:
            out = op.cast_to_inferred((a, b), out, NO_ATTRS)
        ex = None if x._stop else x._node or x
        ey = None if y._stop else y._node or y
        if ex is None and ey is None:
            return new_tensor(out, y._stop if x._stop is True else x._stop)
        on = grad_on()
        if not on or make is None:
            return new_tensor(out) if on is False else unrecorded_result(why, out, x, y)
        return new_tensor(out, False, make(ex, ey, x, y, out, NO_ATTRS))

    return call


def several(op: Any, asks: bool = True) -> Callable[..., Any]:
    """Make the function of an op with a fixed number of tensors in: layer norm, cross entropy.

    Unusual calls go to `reference`, which also raises the errors.
    """
    kernel, node_class, view = op.kernel, op.node_class, op.view

    def direct(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        if modes.gate_open and asks:
            return slow(op, inputs, attrs)
        try:
            arrays, edges, wanted, compute = [], [], False, kernel
            for x in inputs:  # one loop: each comprehension would be a call
                edge = None if x is None or x._stop else x._node or x
                wanted = wanted or edge is not None
                edges.append(edge)
                arrays.append(a := None if x is None else x._data)
                if a is not None and a.dtype is not SINGLE and a.dtype.char in SPECIAL:
                    compute = op.special_kernel
            first = arrays[0]
            if first.__class__ is not ndarray or view:
                return reference(op, inputs, attrs)
            if op.promotes and arrays[-2].dtype is not arrays[-1].dtype:  # type: ignore[union-attr]
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
            outs = (op.cast_to_inferred(arrays, outs[0], attrs),)
        on = grad_on()
        if node_class is None or not on or not wanted:
            why = stop_of_results(op, on, inputs)
            tensors = tuple([new_tensor(out, why) for out in outs])
        else:
            tensors = node_class(tuple(edges), inputs, outs, attrs).tensors(outs)
        return tensors if many else tensors[0]

    return bind_arguments(op, direct)


def general(op: Any) -> Callable[..., Any]:
    """Make the function of any other op, such as one of no tensor or of a list of tensors."""

    def direct(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        return (slow if modes.gate_open else reference)(op, inputs, attrs)

    return bind_arguments(op, direct)


def bind_arguments(op: Any, direct: Callable[..., Any]) -> Callable[..., Any]:
    """Return the public function of an op, which binds its arguments for `direct`."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return call_bound(op, direct, args, kwargs)

    call.direct = direct  # type: ignore[attr-defined]  # takes bound arguments
    return call


def call_bound(op: Any, direct: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """Bind the arguments of a call, call `direct`, and return its result, in `out` if given."""
    for key in kwargs:
        if key in op.options:
            return op.options[key](*args, **kwargs)
    out = kwargs.pop("out", None) if "out" not in op.names else None
    return store(out, direct(*op.bind(args, kwargs)), op.name)


def plain(op: Any, make: Callable[..., Any]) -> Callable[..., Any]:
    """Return an op's closure without the check of the gate, with the signature of `reference`."""
    if make is general:
        return reference
    call = make(op, asks=False)
    if make is binary:
        return lambda _op, inputs, _attrs: call(*inputs)
    direct = call.direct
    if make is unary:
        return lambda _op, inputs, attrs: call(inputs[0], BOUND, attrs)
    return lambda _op, inputs, attrs: direct(inputs, attrs)
