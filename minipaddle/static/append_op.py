"""Block.append_op and create_parameter, with which old programs and Paddle's tests build by hand.

The caller names an operator by Paddle's type, slots and attributes. `spelling.py` translates a
record into these; this module translates them back.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any

from ..engine.dtypes import DType
from ..engine.errors import InvalidArgument, InvalidType, MinipaddleError
from ..errors import misfit
from ..messages import Message
from ..ops import REGISTRY, Op
from ..ops.arguments import as_list
from ..ops.program_ops import mul
from . import errors, spelling
from .block import Block, check_shape
from .op_calls import append, initialize
from .operator import Operator
from .variable import Parameter, Variable

# Attributes that every operator has.
COMMON = ("op_callstack", "op_device", "op_namescope", "op_role", "op_role_var", "with_quant_attr")
# Attributes that choose among Paddle's kernels, and outputs without values.
HINTS = (
    "fix_seed", "force_cpu", "infer_flags", "mkldnn_data_type", "place_type", "use_cudnn",
    "use_mkldnn", "use_onednn",
)  # fmt: skip
VALUELESS = ("XShape",)
NAMES = {code: name for name, code in spelling.DTYPE_CODES.items()}


def append_op(
    self: Block,
    type: str | None = None,
    inputs: Any = None,
    outputs: Any = None,
    attrs: Any = None,
    **more: Any,
) -> Operator:
    """Add the operator of this type: Variables or names by slot, attributes as Paddle spells them.

    The outputs, made by `create_var`, get the inferred shape and dtype. ValueError for a type or
    slot that does not exist, AssertionError for an input that is missing.

    >>> import minipaddle as paddle
    >>> block = paddle.static.Program().global_block()
    >>> x, y = (block.create_var(name=n, shape=[2], dtype="float32") for n in "xy")
    >>> block.append_op(type="tanh", inputs={"X": x}, outputs={"Out": y}).type
    'tanh'
    """
    attrs = {key: value for key, value in (attrs or {}).items() if value is not None}
    variables = {slot: _variables_in(self, value, slot) for slot, value in (inputs or {}).items()}
    results = {slot: _variables_in(self, value, slot) for slot, value in (outputs or {}).items()}
    mistakes: list[MinipaddleError] = []
    for op in _records_of_type(type):
        try:
            tensors, values = _check_inputs(op, variables), _record_values(op, attrs, variables)
            targets = _check_outputs(self, op, results)
            break
        except MinipaddleError as error:
            mistakes.append(error)
    else:
        raise mistakes[0]
    common = {key: attrs[key] for key in COMMON if key in attrs and key != "op_callstack"}
    append(self, op, tensors, values, outputs=targets, spelled=common)
    if more.get("stop_gradient") or all(v.stop_gradient for row in variables.values() for v in row):
        for out in targets:
            out.stop_gradient = True
    return self.ops[-1]


# ----- the type -----------------------------------------------------------------------------------


@functools.cache
def _records_by_type(_count: int) -> dict[str, list[Op]]:
    by_type: dict[str, list[Op]] = {}
    here = (op for op in REGISTRY.values() if not op.remote)  # no collectives in Programs
    for op in (mul, *here):
        by_type.setdefault(op.static.type, []).append(op)
    return by_type


def _records_of_type(type: Any) -> list[Op]:
    """Return the op records of one of Paddle's operator types, public records first."""
    known = _records_by_type(len(REGISTRY))
    if type in known:
        return sorted(known[type], key=lambda op: op.public is None)
    raise errors.unknown_type(type, known)


# ----- slots --------------------------------------------------------------------------------------


def _variables_in(block: Block, value: Any, slot: str) -> list[Variable]:
    """Return the Variables of a slot, given as Variables or names."""
    variables = []
    for item in as_list(value):
        if not isinstance(item, (str, Variable)):
            expected = "a Variable, its name, or a list of them"
            fix = f"{slot}: block.var('name')"
            raise misfit("append_op", expected, InvalidArgument, fix, **{slot: item})
        variables.append(block.var(item if isinstance(item, str) else item.name))
    return variables


def _check_inputs(op: Op, variables: dict[str, list[Variable]]) -> tuple[Any, ...]:
    slots = [spelling.slot(op, name) for name in op.inputs]
    _reject_other_slots(op, "input", slots, [slot for slot, row in variables.items() if row])
    inputs: list[Any] = []
    for position, (name, slot) in enumerate(zip(op.inputs, slots, strict=True)):
        row = variables.get(slot) or []
        if op.takes_list and position == len(slots) - 1 and row:
            inputs.append(row)
        elif not row and name in op.optional:
            inputs.append(None)
        elif not row:
            raise errors.input_missing(op.static.type, slot, slots, variables)
        elif len(row) > 1:
            names = [var.name for var in row]
            expected, fix = f"one Variable in the slot {slot}", Message("append one op for each")
            raise misfit("append_op", expected, InvalidArgument, fix, **{slot: names})
        else:
            inputs.append(row[0])
    return tuple(inputs)


def _check_outputs(block: Block, op: Op, variables: dict[str, list[Variable]]) -> list[Variable]:
    slots = [spelling.slot(op, name) for name in op.outputs]
    _reject_other_slots(op, "output", slots, [slot for slot in variables if slot not in VALUELESS])
    if slots[0] not in variables:
        raise errors.output_missing(op.static.type, slots, variables)
    if op.list_result:
        return variables[slots[0]]
    return [variables[slot][0] if variables.get(slot) else block.create_var() for slot in slots]


def _reject_other_slots(op: Op, kind: str, slots: list[str], used: list[str]) -> None:
    others = [slot for slot in used if slot not in slots]
    if others:
        raise errors.unknown_slots(op.static.type, kind, others, slots, used)


# ----- attributes ---------------------------------------------------------------------------------

Attrs = dict[str, Any]


def _record_values(op: Op, attrs: Attrs, variables: dict[str, list[Variable]]) -> Attrs:
    """Translate Paddle's attributes into the op record's."""
    plain = {k: v for k, v in attrs.items() if k not in COMMON and k not in HINTS}
    back = BACK.get(op.static.type, BACK.get(op.static.type.partition("_")[0] + "_"))
    if back is not None:
        plain = back(plain, variables)
    if plain.get("padding_algorithm") in ("SAME", "VALID"):
        plain["paddings"] = plain["padding_algorithm"]
    names = {op.static.attrs.get(key, key): key for key in op.defaults}
    names.update((key, key) for key in op.defaults)
    values = {names[key]: value for key, value in plain.items() if key in names}
    values = op.complete({k: _record_value(v, k, op.defaults[k]) for k, v in values.items()})
    for key, value in plain.items():
        if key not in names and not _is_fixed(op, key, value, values):
            raise errors.unknown_attribute(op, key, value)
    return values


def _is_fixed(op: Op, key: str, value: Any, values: Attrs) -> bool:
    """Return whether an attribute has the only value that minipaddle supports."""
    if key not in op.static.extra:
        return False
    fixed = op.static.extra[key]
    return bool((fixed(values) if callable(fixed) else fixed) == value)


def _record_value(value: Any, key: str, default: Any) -> Any:
    """Translate one attribute: Paddle numbers element types and writes pairs flat."""
    if key == "dtype":
        if isinstance(value, int) and not isinstance(value, bool):
            value = NAMES.get(value)
        kind = None if value is None else DType.of(value)
        return kind.name if isinstance(default, str) and kind is not None else kind
    if isinstance(value, str) or not isinstance(default, tuple):
        return value
    if default and isinstance(default[0], tuple):
        flat = [n for n in value if isinstance(n, int)]
        if len(flat) == len(default):
            return tuple((n, n) for n in flat)
        return tuple(zip(flat[::2], flat[1::2], strict=True)) if flat else value
    return tuple(value)


def _read_reduce(attrs: Attrs, _given: Any) -> Attrs:
    dim = attrs.pop("dim", [0])
    everything = attrs.pop("reduce_all", False) or dim in ([], ())
    attrs.pop("in_dtype", None)
    out = attrs.pop("out_dtype", -1)
    return {**attrs, "axis": None if everything else dim, **({} if out == -1 else {"dtype": out})}


def _read_fill(attrs: Attrs, _given: Any) -> Attrs:
    text, value = attrs.pop("str_value", ""), attrs.pop("value", 0.0)
    return {"dtype": "float32", **attrs, "value": _read_number(text) if text else value}


def _read_number(text: str) -> Any:
    try:
        return ast.literal_eval(text)  # 3, 2.5, True
    except ValueError:
        return float(text)  # inf, nan


def _read_axes(attrs: Attrs, _given: Any) -> Attrs:
    axes = attrs.pop("axes", [])
    return {"axis": list(axes) or None, **attrs}


def _read_random(attrs: Attrs, _given: Any) -> Attrs:
    return {"dtype": "float32", **{k: v for k, v in attrs.items() if not k.startswith("diag_")}}


def _read_split(attrs: Attrs, _given: Any) -> Attrs:
    parts, sections = attrs.pop("num", 0), attrs.pop("sections", [])
    return {**attrs, "num_or_sections": parts or list(sections)}


def _read_slice(attrs: Attrs, variables: dict[str, list[Variable]]) -> Attrs:
    """Translate axes, starts, ends and decrease_axis into an index."""
    if "axes" not in attrs:
        return attrs
    x, single = variables["Input"][0], attrs.pop("decrease_axis", [])
    index: list[Any] = [slice(None)] * x.ndim
    ranges = zip(attrs.pop("axes"), attrs.pop("starts"), attrs.pop("ends"), strict=True)
    for axis, start, end in ranges:
        index[axis] = start if axis in single else slice(start, end)
    return {**attrs, "index": tuple(index)}


def _read_pad(attrs: Attrs, _given: Any) -> Attrs:
    row = attrs["paddings"]
    return {**attrs, "paddings": list(zip(row[::2], row[1::2], strict=True))}


def _read_elementwise(attrs: Attrs, variables: dict[str, list[Variable]]) -> Attrs:
    """Drop `axis` if it aligns the last axes of x and y, as minipaddle always does."""
    x, y = variables.get("X"), variables.get("Y")
    aligned = x and y and attrs.get("axis", -1) in (-1, x[0].ndim - y[0].ndim)
    return {key: value for key, value in attrs.items() if key != "axis" or not aligned}


BACK: dict[str, Callable[[Attrs, Any], Attrs]] = {
    "reduce_": _read_reduce,
    "elementwise_": _read_elementwise,
    "fill_constant": _read_fill,
    "fill_any_like": lambda attrs, _: {k: v for k, v in attrs.items() if (k, v) != ("dtype", -1)},
    "squeeze2": _read_axes,
    "unsqueeze2": _read_axes,
    "gaussian_random": _read_random,
    "uniform_random": lambda attrs, given: {"min": -1.0, "max": 1.0, **_read_random(attrs, given)},
    "cast": lambda attrs, _: {k: v for k, v in attrs.items() if k != "in_dtype"},
    "pad": _read_pad,
    "split": _read_split,
    "slice": _read_slice,
}


def create_parameter(
    self: Block,
    name: str | None = None,
    shape: Any = None,
    dtype: Any = None,
    trainable: bool = True,
    initializer: Any = None,
    **more: Any,
) -> Parameter:
    """Make a Parameter of this Program; an initializer adds the operator that fills it, here.

    TypeError without shape and dtype, ValueError for a size that is not known.
    """
    if shape is None or dtype is None:
        fix = "block.create_parameter(shape=[2, 3], dtype='float32')"
        given = {"shape": shape, "dtype": dtype}
        raise misfit("create_parameter", "shape and dtype", InvalidType, fix, **given)
    sizes, kind = check_shape(shape, "create_parameter"), DType.of(dtype)
    if any(size < 1 for size in sizes):
        raise misfit("create_parameter", "known sizes of at least 1", shape=sizes)
    name = self.program.names("_generated_var") if name is None else name
    if self.has_var(name):
        return self.create_var(name, sizes, kind)  # type: ignore[return-value]
    made: Parameter = self.add(Parameter(self, name, sizes, kind, trainable))
    made.optimize_attr = more.get("optimize_attr") or made.optimize_attr
    made.regularizer = more.get("regularizer")
    if initializer is not None:
        initialize(self.program, name, *initializer.describe(sizes, kind))
    return made


setattr(Block, "create_parameter", create_parameter)  # noqa: B010
setattr(Block, "append_op", append_op)  # noqa: B010  (a Block cannot import what builds it)
