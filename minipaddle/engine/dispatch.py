"""How an op call becomes a result: the fast closures, the gate, and the readable slow path.

Each op gets one closure, made for its number of inputs. The closure asks one question before it
computes, `_gate is not None`: only while somebody builds a Program, records or checks for NaN is
the gate set, and then `slow` asks what holds in this context. `traced` runs the same closure,
made once more without the question, and tells about it. `reference` says in full what the closures
do; NaN checks and hooks on saved tensors run through it, and a test proves equal bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .. import events
from ..device import current_place, namespace, place_of
from ..device.arrays import check_finite
from . import modes, naming, source_line
from .errors import InvalidArgument, InvalidType, MinipaddleError, OutOfRange
from .meta import Meta, dtypes_do_not_mix
from .stop_reasons import Reason, Stop, stop
from .tensor import Pick, Tensor, as_array, cut, edge_of, edges_noted, noted, share_version

ndarray = np.ndarray
grad_on = modes.grad_enabled.get
here = modes.here

_gate: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any] | None = None
NO_ATTRS: dict[str, Any] = {}
MISSING: Any = object()


def _follow_modes(busy: bool) -> None:
    global _gate
    _gate = slow if busy else None


modes.on_change(_follow_modes)


# ----- the closures ------------------------------------------------------------------------------


def unary(op: Any, asks: bool = True) -> Callable[..., Any]:
    """One tensor in, one out, no attributes: tanh, exp, relu."""
    kernel, node_class, why = op.kernel, op.node_class, why_not(op)

    def call(x: Any = None, name: str | None = None, **rest: Any) -> Any:
        if rest:
            return spelled(op, (x, name), rest)
        if _gate is not None and asks:
            return _gate(op, (x,), NO_ATTRS)
        try:
            a = x._data
        except AttributeError:
            raise not_a_tensor(op, 0, x) from None
        try:
            out = kernel(np if a.__class__ is ndarray else namespace(a), a)
        except Exception as error:
            raise failed(op, (x,), NO_ATTRS, error) from error
        if out.__class__ is not ndarray:
            out = as_array(out)
        if out.dtype is not a.dtype:
            out = op.settle((a,), out, NO_ATTRS)
        if x._stop:
            return Tensor(out, x._stop)
        on = grad_on()
        if not on or node_class is None:
            return Tensor(out) if on is False else unrecorded(why, out, x)
        return Tensor(out, False, node_class.of_one(x._node or x, x, out))

    return call


def binary(op: Any, asks: bool = True) -> Callable[..., Any]:
    """Two tensors in, one out, no attributes: add, multiply, maximum."""
    kernel, node_class, why = op.kernel, op.node_class, why_not(op)

    def call(x: Any = None, y: Any = MISSING, name: str | None = None, **rest: Any) -> Any:
        if rest:
            return spelled(op, (x, y, name), rest)
        if _gate is not None and asks:
            return _gate(op, (x, None if y is MISSING else y), NO_ATTRS)
        try:
            a = x._data
            b = y._data
        except AttributeError:
            if y is MISSING:
                op.bind((x,), {})  # says which argument is missing
            raise not_a_tensor(op, int(isinstance(x, Tensor)), (x, y)) from None
        if a.dtype is not b.dtype and op.promotes:
            return reference(op, (x, y), NO_ATTRS)
        try:
            out = kernel(np if a.__class__ is ndarray else shared(op, x, y), a, b)
        except Exception as error:
            raise failed(op, (x, y), NO_ATTRS, error) from error
        if out.__class__ is not ndarray:
            out = as_array(out)
        if out.dtype is not a.dtype:
            out = op.settle((a, b), out, NO_ATTRS)
        ex = None if x._stop else x._node or x
        ey = None if y._stop else y._node or y
        if ex is None and ey is None:
            return Tensor(out, y._stop if x._stop is True else x._stop)
        on = grad_on()
        if not on or node_class is None:
            return Tensor(out) if on is False else unrecorded(why, out, x, y)
        return Tensor(out, False, node_class.of_two(ex, ey, x, y, out))

    return call


def with_attrs(op: Any, asks: bool = True) -> Callable[..., Any]:
    """One tensor in, one out, and attributes: scale, mean, reshape."""
    kernel, node_class, bind, view = op.kernel, op.node_class, op.bind_attrs, op.view
    why = why_not(op)
    usual = None if op.required else op.defaults
    takes_out = "out" not in op.names

    def direct(x: Any, attrs: dict[str, Any]) -> Any:
        if _gate is not None and asks:
            return _gate(op, (x,), attrs)
        try:
            a = x._data
        except AttributeError:
            raise not_a_tensor(op, 0, x) from None
        try:
            out = kernel(np if a.__class__ is ndarray else namespace(a), a, **attrs)
        except Exception as error:
            raise failed(op, (x,), attrs, error) from error
        if out.__class__ is not ndarray:
            out = as_array(out)
        if out.dtype is not a.dtype:
            out = op.settle((a,), out, attrs)
        if x._stop:
            result = Tensor(out, x._stop)
        elif not (on := grad_on()) or node_class is None:
            result = Tensor(out) if on is False else unrecorded(why, out, x)
        else:
            node = node_class((x._node or x,), (x,), (out,), attrs)
            result = Tensor(out, False, node)
        if view:
            result._version = share_version(x)
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


def general(op: Any) -> Callable[..., Any]:
    """Anything else: several outputs, lists of tensors, optional inputs."""
    bind = op.bind
    takes_out = "out" not in op.names

    def direct(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        return (reference if _gate is None else _gate)(op, inputs, attrs)

    def call(*args: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None) if takes_out else None
        return into(op.name, out, direct(*bind(args, kwargs)))

    call.direct = direct  # type: ignore[attr-defined]  # for arguments in their final form
    return call


def spelled(op: Any, args: tuple[Any, ...], rest: dict[str, Any]) -> Any:
    """A call of a quick closure with options, or with arguments under second names."""
    args = tuple([None if value is MISSING else value for value in args])
    count = next((i for i, value in enumerate(args) if value is None), len(args))
    named = zip((*op.inputs, "name")[count:], args[count:], strict=True)
    rest |= {name: value for name, value in named if value is not None}
    if wide := next((op.options[key] for key in rest if key in op.options), None):
        return wide(*args[:count], **rest)
    return into(op.name, rest.pop("out", None), op.call(*op.bind(args[:count], rest)[0]))


def into(name: str, out: Any, made: Any) -> Any:
    """The tensors given as `out`, with the values and the history of what was made, if any."""
    if out is None:
        return made
    if isinstance(out, (list, tuple)) and isinstance(made, (list, tuple)):
        return [into(name, *pair) for pair in zip(out, made, strict=True)]
    if not isinstance(out, Tensor) or not isinstance(made, Tensor):
        raise InvalidType(
            f"{name}(): out must be a Tensor.",
            expected="a Tensor, or None for a new one",
            received=type(out).__name__,
            fix="leave out= away; in a Program name the result instead",
        )
    return out._take(made, name)  # type: ignore[attr-defined]


# ----- the readable path -------------------------------------------------------------------------


def slow(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """What the gate leads to: static building, else tracing around NaN checks around the kernel.

    No variable here holds the modes: the traceback of an error would keep the gate open.
    """
    if here().only_heard:
        return traced(op, inputs, attrs, op.plain)
    if (builder := here().builder) is not None:
        return builder.append(op, inputs, attrs)
    run = reference if here().check_nan or here().saved_hooks is not None else op.plain
    if here().listeners:
        return traced(op, inputs, attrs, run)
    return run(op, inputs, attrs)


def plain(op: Any, make: Callable[..., Any]) -> Callable[..., Any]:
    """The closure of an op with no question about the gate, called as `reference` is."""
    if make is general:
        return reference
    call = make(op, asks=False)
    if make is with_attrs:
        direct = call.direct
        return lambda _op, inputs, attrs: direct(inputs[0], attrs)
    return lambda _op, inputs, _attrs: call(*inputs)


def reference(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Check, compute, wrap, record: what every closure does, spelled out."""
    arrays = [op.array_of(position, value) for position, value in enumerate(inputs)]
    if op.promotes and arrays[0].dtype is not arrays[1].dtype:
        inputs = promote(op, inputs)
        arrays = [value._data for value in inputs]
    xp = namespace_of(arrays)
    if xp is not np and len(arrays) > 1 and (apart := on_two_devices(op, inputs)):
        raise apart
    try:
        result = op.kernel(xp, *arrays, **attrs)
    except Exception as error:
        raise failed(op, inputs, attrs, error) from error
    many = isinstance(result, (tuple, list))
    outs = tuple([as_array(out) for out in result]) if many else (as_array(result),)
    if not many and arrays and outs[0].dtype is not op.first(arrays).dtype:
        outs = (op.settle(arrays, outs[0], attrs),)
    on = grad_on()
    if here().check_nan:
        check_finite(op.name, outs)
    flat = op.flat(inputs)
    edges = tuple([edge_of(x) if isinstance(x, Tensor) else None for x in flat])
    if op.node_class is None or not on or edges.count(None) == len(edges):
        given = [x for x in flat if isinstance(x, Tensor)]
        why = True if on is False else unrecorded(why_not(op), None, *given)._stop
        tensors = tuple([Tensor(out, why) for out in outs])
    else:
        kind = op.node_class if here().saved_hooks is None else op.packed_class
        tensors = kind(edges, inputs, outs, attrs).tensors(outs)
    if op.view:
        for tensor in tensors:
            tensor._version = share_version(inputs[0])
    return list(tensors) if op.list_result else tensors if many else tensors[0]


# Looked up once: Python 3.11 takes 0.1 us to find a member of an enum.
NO_GRAD, GRADLESS_OP = Reason.NO_GRAD, Reason.GRADLESS_OP


def why_not(op: Any) -> Stop:
    """Why an op that is called now, on tensors that want a gradient, is not on the tape."""
    return stop(NO_GRAD if op.node_class else GRADLESS_OP, op.name)


def unrecorded(why: Stop, out: Any, *inputs: Tensor) -> Tensor:
    """A result that is not on the tape, and why; the inputs that want a gradient know it too."""
    wanted = False
    for x in inputs:
        if not x._stop:
            cut(x, why)
            wanted = True
    if wanted:
        return Tensor(out, why)
    return Tensor(out, next((x._stop for x in inputs if x._stop is not True), True))


def traced(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], run: Any) -> Any:
    """An op call by `run`, telling the listeners what happens."""
    speaker, notes, keep = here().speaker, events.notes, here().speaker.keep
    call, place = naming.next_id(), source_line.here(4)
    started = notes.op_started, call, op.name, attrs, place, *noted(inputs, keep)
    speaker.step(started)
    try:
        result = run(op, inputs, attrs)
    except BaseException as error:
        events.failed("op", call, error, place)
        raise
    outputs = result if isinstance(result, (list, tuple)) else (result,)
    made = noted(outputs, keep)
    node = outputs[0]._node if outputs else None
    if node is None:
        speaker.tell((notes.op_finished, started, (), 0, "", 0, *made))
        return result
    if node.__class__ is Pick:
        node = node.edges[0]
    number = node.id = node.id or naming.next_id()
    told = op.kept_tensors, number, node.title, len(node.edges)
    speaker.tell((notes.op_finished, started, *told, *edges_noted(node), *made))
    return result


def promote(op: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Cast floating-point inputs of different width to the wider type; refuse all other mixes."""
    x, y = inputs
    wide = op.promote(meta_of(x), meta_of(y))
    if wide is None:
        raise dtypes_do_not_mix(op.name, meta_of(x), meta_of(y))
    return tuple(t if t._data.dtype == wide else t.astype(wide.name) for t in inputs)


# ----- helpers and errors ------------------------------------------------------------------------


def meta_of(value: Any) -> Any:
    """Shape and dtype of a Tensor (a list of them for a list); other values as they are."""
    if isinstance(value, (list, tuple)):
        return [meta_of(item) for item in value]
    return Meta(value._data.shape, value._data.dtype) if isinstance(value, Tensor) else value


def namespace_of(arrays: list[Any]) -> Any:
    """The namespace of the first array; that of the current device where there is none."""
    for a in arrays:
        first = a[0] if isinstance(a, list) and a else a
        if first is not None and not isinstance(first, list):
            return np if first.__class__ is ndarray else namespace(first)
    return current_place().namespace()


def shared(op: Any, x: Any, y: Any) -> Any:
    """The namespace of two tensors on one device, or the error that they are on two."""
    if apart := on_two_devices(op, (x, y)):
        raise apart
    return namespace(x._data)


def on_two_devices(op: Any, inputs: tuple[Any, ...]) -> Exception | None:
    """The error of tensors that are not all on one device, None if they are."""
    row = []
    for name, value in zip(op.inputs, inputs, strict=False):
        if isinstance(value, Tensor):
            row.append((name, value))
        elif isinstance(value, (list, tuple)):
            row += [(f"{name}[{i}]", t) for i, t in enumerate(value) if isinstance(t, Tensor)]
    found = [(name, tensor, place_of(tensor._data)) for name, tensor in row]
    other = next((item for item in found if item[2] != found[0][2]), None)
    if other is None:
        return None
    (x, _, here), (y, _, there) = found[0], other
    return InvalidArgument(
        f"{op.name}(): {x} and {y} are on different devices.",
        expected="all tensors on one device",
        received="; ".join(f"{name} {meta_of(t)} on {place}" for name, t, place in found),
        fix=f"move one of them: {x}.to('{there.text}') or {y}.to('{here.text}')",
    )


def not_a_tensor(op: Any, position: int, value: Any) -> Exception:
    """The error of passing something else where a Tensor belongs."""
    value = value[position] if isinstance(value, tuple) and len(op.inputs) > 1 else value
    name = op.inputs[min(position, len(op.inputs) - 1)]
    kind = type(value).__name__
    return InvalidArgument(
        f"{op.name}(): argument '{name}' (position {position}) must be Tensor, but got {kind}.",
        expected="a Tensor",
        received=f"{kind} {value!r:.60}",
        fix="wrap it: paddle.to_tensor(...)",
    )


def failed(op: Any, inputs: tuple[Any, ...], attrs: Mapping[str, Any], error: Exception) -> Any:
    """The error of a kernel in our own words: the op's inference says what does not fit."""
    if isinstance(error, MinipaddleError):
        return error
    if apart := on_two_devices(op, inputs):
        return apart
    try:
        op.infer_call([meta_of(value) for value in inputs], dict(attrs))
    except MinipaddleError as better:
        return better
    kind: type[MinipaddleError] = InvalidType if isinstance(error, TypeError) else InvalidArgument
    kind = OutOfRange if isinstance(error, IndexError) else kind
    given = ", ".join(
        f"{name} {meta_of(value)}" for name, value in zip(op.inputs, inputs, strict=False)
    )
    extra = ", ".join(f"{name}={value!r}" for name, value in attrs.items())
    return kind(
        f"{op.name}(): {error}",
        expected=f"arguments that fit: {op.signature}",
        received="; ".join(part for part in (given, extra) if part),
        fix=f"see help(paddle.{op.name})",
    )
