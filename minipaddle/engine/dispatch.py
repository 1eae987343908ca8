"""Dispatch: the steps from an op call to its result.

`reference` states what a call does: check, compute, wrap, record. Ordinary calls run its twin in
`fast_paths`, one for each number of inputs. A call first reads `modes.gate_open`: it is True while
a thread builds a Program, listens, checks for NaN, packs saved values or casts. Then `slow` finds
out which of these this thread does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import events
from ..device import current_place, namespace, place_of
from ..device.arrays import check_finite
from . import modes, naming, refusals
from .errors import InvalidArgument, InvalidType, MinipaddleError, OutOfRange
from .meta import Meta, meet
from .stop_reasons import Reason, Stop, stop
from .tensor import (
    OutputSlot,
    Tensor,
    as_array,
    cell_of,
    cells_of_edges,
    cells_of_tensors,
    count_together,
    edge_of,
    record_cut,
)

ndarray = np.ndarray
grad_on = modes.grad_enabled.get
modes_here = modes.here


def reference(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Check, compute, wrap and record an op call; every closure of `fast_paths` agrees with it."""
    arrays = [op.array_of(position, value) for position, value in enumerate(inputs)]
    if op.promotes and arrays[-2].dtype is not arrays[-1].dtype:
        inputs = promote(op, inputs)
        arrays = [value._data for value in inputs]
    xp = namespace_of(arrays)
    if xp is not np and len(arrays) > 1 and (apart := on_two_devices(op, inputs)):
        raise apart
    try:
        result = op.kernel_for(arrays)(xp, *arrays, **attrs)
    except Exception as error:
        raise kernel_error(op, inputs, attrs, error) from error
    many = isinstance(result, (tuple, list))
    outs = tuple([as_array(out) for out in result]) if many else (as_array(result),)
    if not many and arrays and outs[0].dtype is not op.first(arrays).dtype:
        outs = (op.cast_to_inferred(arrays, outs[0], attrs),)
    on = grad_on()
    if modes_here().check_nan:
        check_finite(f"{op.name}()", outs)
    flat = op.flat(inputs)
    edges = tuple([edge_of(x) if isinstance(x, Tensor) else None for x in flat])
    if op.node_class is None or not on or all(edge is None for edge in edges):
        why = stop_of_results(op, on, flat)
        tensors = tuple([Tensor(out, why) for out in outs])
    else:
        node_class = op.node_class if modes_here().saved_hooks is None else op.packed_class
        tensors = node_class(edges, inputs, outs, attrs).tensors(outs)
    if op.view:
        for tensor in tensors:
            count_together(tensor, inputs[0])
    return list(tensors) if op.list_result else tensors if many else tensors[0]


def promote(op: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the inputs, the last two cast to the dtype that promotion gives."""
    *others, x, y = inputs
    dtype = meet(op, meta_of(x), meta_of(y))
    met = [t if t._data.dtype == dtype else t.astype(dtype.name) for t in (x, y)]
    return (*others, *met)


NO_RESULT = np.empty(0)
# Enum members, looked up once: Python 3.11 takes 0.1 us for each.
NO_GRAD, GRADLESS_OP = Reason.NO_GRAD, Reason.GRADLESS_OP


def stop_of_op(op: Any) -> Stop:
    """Return why an op called now, on tensors that require gradients, is not on the tape."""
    return stop(NO_GRAD if op.node_class else GRADLESS_OP, op.name)


def stop_of_results(op: Any, on: bool | int, inputs: tuple[Any, ...]) -> Any:
    """Return the `_stop` of results that are not on the tape."""
    if on is False:
        return True
    given = [x for x in inputs if isinstance(x, Tensor)]
    return unrecorded_result(stop_of_op(op), NO_RESULT, *given)._stop


def unrecorded_result(why: Stop, out: Any, *inputs: Tensor) -> Tensor:
    """Return a result without a node; record why the inputs that require gradients get none."""
    cut = False
    for x in inputs:
        if not x._stop:
            record_cut(x, why)
            cut = True
    if cut:
        return Tensor(out, why)
    return Tensor(out, next((x._stop for x in inputs if x._stop is not True), True))


# ----- when the gate is open ---------------------------------------------------------------------


def slow(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Call an op while the gate is open: append it to a Program, or compute it as the modes say.

    Do not hold `modes_here()` in a variable: the traceback of an error would keep it alive, and the
    gate open.
    """
    if (cast_inputs := modes_here().amp) is not None:
        inputs = cast_inputs(op, inputs, attrs)
    if modes_here().only_heard:
        return call_observed(op, inputs, attrs, op.plain)
    if (builder := modes_here().builder) is not None:
        return builder.append(op, inputs, attrs)
    spelled_out = modes_here().check_nan or modes_here().saved_hooks is not None
    compute = reference if spelled_out else op.plain
    if modes_here().listeners:
        return call_observed(op, inputs, attrs, compute)
    if modes_here() is modes.PLAIN:  # no mode is on in this context
        modes.close_gate()
    return compute(op, inputs, attrs)


def call_observed(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], compute: Any) -> Any:
    """Call an op by `compute`, notify listeners, and return the result."""
    taker, notes, call = modes_here().note_taker, events.notes, naming.next_id()
    place = taker.here(call)
    keep, series = taker.keep, taker.series
    given = cells_of_tensors(inputs, keep, series)
    started = notes.op_started, call, op.name, attrs, place, *given
    taker.begin(started)
    try:
        result = compute(op, inputs, attrs)
    except BaseException as error:
        events.failed("op", call, error, place)
        raise
    if isinstance(result, Tensor):
        node, cells = result._node, [cell_of(result, keep, series)]
    else:
        node = result[0]._node if result else None
        cells = cells_of_tensors(result, keep, series)
    if node is None:
        taker.take((notes.op_finished, started, (), 0, "", 0, *cells))
        return result
    if node.__class__ is OutputSlot:
        node = node.node
    number = node.id = node.id or naming.next_id()
    if op.saves_any_output:
        node.made = [  # type: ignore[attr-defined]
            t._rare for t in ((result,) if isinstance(result, Tensor) else result)
        ]
    edges = cells_of_edges(node)
    of_node = op.saved_tensors, number, node.title, len(edges) // 2
    taker.take((notes.op_finished, started, *of_node, *edges, *cells))
    return result


# ----- parts of a call ---------------------------------------------------------------------------


def store(out: Any, made: Any, name: str) -> Any:
    """Return the result, or `out` (a Tensor, or several) with its values and its history."""
    if out is None:
        return made
    rows = isinstance(out, (list, tuple)) and isinstance(made, (list, tuple))
    if rows and len(out) == len(made):
        return [store(*pair, name) for pair in zip(out, made, strict=True)]
    if not isinstance(out, Tensor) or not isinstance(made, Tensor):
        raise refusals.no_tensor_as_out(name, out, made)
    return out._take(made, name)  # type: ignore[attr-defined]


def meta_of(value: Any) -> Any:
    """Return the shape and dtype of a Tensor, a list for a list, and other values unchanged."""
    if isinstance(value, (list, tuple)):
        return [meta_of(item) for item in value]
    return Meta(value._data.shape, value._data.dtype) if isinstance(value, Tensor) else value


def namespace_of(arrays: list[Any]) -> Any:
    """Return the namespace of the first array, or of the current device if there is none."""
    for a in arrays:
        first = a[0] if isinstance(a, list) and a else a
        if first is not None and not isinstance(first, list):
            return np if first.__class__ is ndarray else namespace(first)
    return current_place().namespace()


def common_namespace(op: Any, x: Any, y: Any) -> Any:
    """Return the namespace of two tensors; raise an error if they are on two devices."""
    if apart := on_two_devices(op, (x, y)):
        raise apart
    return namespace(x._data)


# ----- errors ------------------------------------------------------------------------------------


def on_two_devices(op: Any, inputs: tuple[Any, ...]) -> Exception | None:
    """Make the error of tensors on several devices; None if all are on one."""
    tensors: list[tuple[str, Tensor]] = []
    for name, value in zip(op.inputs, inputs, strict=False):
        if isinstance(value, Tensor):
            tensors.append((name, value))
        elif isinstance(value, (list, tuple)):
            listed = enumerate(value)
            tensors += [(f"{name}[{i}]", t) for i, t in listed if isinstance(t, Tensor)]
    places = [place_of(tensor._data) for _, tensor in tensors]
    elsewhere = next((i for i, place in enumerate(places) if place != places[0]), None)
    if elsewhere is None:
        return None
    shown = [(name, meta_of(t), place) for (name, t), place in zip(tensors, places, strict=True)]
    return refusals.on_two_devices(op.name, shown, elsewhere)


def not_a_tensor(op: Any, position: int, value: Any) -> Exception:
    """Make the error of passing something else where a Tensor belongs."""
    value = value[position] if isinstance(value, tuple) and len(op.inputs) > 1 else value
    return wrong_kind(op.name, op.inputs[min(position, len(op.inputs) - 1)], position, value)


def wrong_kind(function: str, argument: str, position: int, value: Any) -> MinipaddleError:
    """Make the error of a value where a Tensor belongs, or of a Tensor where a list does."""
    if isinstance(value, Tensor):
        return refusals.no_list(function, argument, position, meta_of(value))
    return refusals.no_tensor(function, argument, position, value)


def kernel_error(
    op: Any, inputs: tuple[Any, ...], attrs: Mapping[str, Any], error: Exception
) -> Any:
    """Make the error of a failed kernel, if possible the inference's error of its arguments."""
    if isinstance(error, MinipaddleError):
        return error
    if apart := on_two_devices(op, inputs):
        return apart
    try:
        op.infer(*map(meta_of, inputs), **attrs)
    except MinipaddleError as better:
        return better
    except Exception:  # noqa: BLE001  (it stumbled over the same argument)
        pass
    kind: type[MinipaddleError] = InvalidType if isinstance(error, TypeError) else InvalidArgument
    kind = OutOfRange if isinstance(error, IndexError) else kind
    given = ", ".join(
        f"{name} {meta_of(value)}" for name, value in zip(op.inputs, inputs, strict=False)
    )
    extra = ", ".join(f"{name}={value!r}" for name, value in attrs.items())
    received = "; ".join(part for part in (given, extra) if part)
    return refusals.kernel_failed(kind, op.name, op.signature, received, error)
