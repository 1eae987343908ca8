"""Record of an op: all its facts in one place, from which everything else is derived.

    @op(infer=floating, formula=Formula("y = tanh(x)", ...), samples=...)
    def tanh(xp, x):
        \"\"\"Squash every element into (-1, 1).\"\"\"
        return xp.tanh(x)

    @tanh.grad
    def tanh_grad(F, dout, out):
        return dout * (1 - out * out)

The kernel has the name of the op. Its positional parameters, after the array namespace `xp`, are
the op's tensors; its keyword-only parameters are the attributes. The parameters of the gradient
rule state what a node saves: inputs and outputs by name, `x_shape` and `x_dtype` of an x. From the
record are derived the public function, the Tensor method, the class of tape nodes, the static
operator and its gradient, the tooltip and the gradient test, each at its first use.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..engine import calls, dispatch, dtypes, fast_paths, kinds
from ..engine.errors import InvalidType
from ..engine.meta import Meta
from ..engine.tape import BinaryNode, OpNode, UnaryNode, specialized
from ..engine.tensor import Tensor, as_array
from .arguments import find_own_name, metas_of
from .record import Formula, Operands, Public, Results, Sample, Static
from .registry import REGISTRY
from .rule_functions import GRAPH, array_functions, conjugate_rule, is_complex
from .widening import any_of, is_half, is_special, wide_kernel, wide_rule

Kernel = Callable[..., Any]
# Is the saved value an output, its number, the function that takes the saved part
Saved = tuple[bool, int, Callable[[Any], Any] | None]
REQUIRED: Any = inspect.Parameter.empty  # default of a required attribute
NUMBERS = (kinds.INT, kinds.FLOAT)  # annotations of attributes without `canon`
OPERANDS, RESULTS, FORMULA, PUBLIC = Operands(), Results(), Formula(), Public()  # shared defaults


class Op:
    """One record of the registry; `call` is the public function.

    - `infer(*metas, **attrs)`: returns shape and dtype of the results, or raises an error;
    - `checked`: whether `infer` runs before the kernel, as NumPy would accept wrong inputs;
    - `numpy`: the NumPy function that the kernel calls with the inputs, if it does nothing else;
    - `gradless`: the reason why there is no gradient rule;
    - `attributes`: attribute -> default, for those that the kernel takes as `**attrs`, all of them;
    - `canon`: attribute -> function that converts a user's value into one form;
    - the other fields are described in `record.py`.
    """

    def __init__(
        self,
        name: str,
        kernel: Kernel,
        *,
        infer: Callable[..., Any],
        checked: bool = False,
        numpy: Callable[..., Any] | None = None,
        gradless: str = "",
        attributes: dict[str, Any] | None = None,
        canon: dict[str, Callable[[Any], Any]] | None = None,
        operands: Operands = OPERANDS,
        results: Results = RESULTS,
        formula: Formula = FORMULA,
        samples: tuple[Sample, ...] = (),
        public: Public | None = PUBLIC,  # None: not public
        static: Static | None = None,
    ) -> None:
        self.name = name
        self.definition = kernel
        self.kernel = self._check_first(kernel) if checked else kernel
        self.infer = infer
        self.numpy_function = numpy
        self.gradless = gradless
        self.collected = attributes or {}
        self.canon = canon or {}
        self.broadcasts = operands.broadcasts
        self.promotes = operands.promotes
        self.by_dtype = operands.by_dtype
        self.takes_list = operands.takes_list
        self.outputs = results.names
        self.stopped = results.stopped
        self.list_result = results.is_list
        self.updates = results.updates
        self.zeros_for_unused = results.zeros_for_unused
        self.view = results.view
        self.random = results.random
        self.remote = results.remote
        self.formula = formula
        self.samples = samples
        self.public = public
        self._given_static = static
        self.rule: Callable[..., Any] | None = None
        self.fused_rule: Callable[..., Any] | None = None
        # Further keyword -> the function that accepts it
        self.options: dict[str, Callable[..., Any]] = {}

    def __repr__(self) -> str:
        return f"<op {self.signature}>"

    # ----- the kernel's parameters -----

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Names of the tensors."""
        return positional_parameters(self.definition)[1:]

    @cached_property
    def optional(self) -> tuple[str, ...]:
        """Names of the tensors that may be absent."""
        return self.inputs[len(self.inputs) - len(self.definition.__defaults__ or ()) :]

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """Defaults of all attributes as the record states them, REQUIRED for those without."""
        own, named = self.definition.__kwdefaults__ or {}, keyword_parameters(self.definition)
        first = {key: own.get(key, REQUIRED) for key in named if key not in self.collected}
        return {**first, **self.collected}

    @cached_property
    def required(self) -> set[str]:
        """Names of the attributes without a default."""
        return {key for key, default in self.attributes.items() if default is REQUIRED}

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """Defaults of all attributes in canonical form, REQUIRED for those without."""
        return {
            key: default if default is REQUIRED else self.canonical(key, default)
            for key, default in self.attributes.items()
        }

    @cached_property
    def real_attributes(self) -> frozenset[str]:
        """Names of the attributes that are real numbers in computations."""
        named = self.definition.__annotations__
        written = (key for key in self.defaults if str(named.get(key)).startswith("float"))
        return frozenset((*written, *(k for k, d in self.collected.items() if type(d) is float)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Parameters of the public function."""
        return self.inputs + tuple(self.defaults)

    def canonical(self, key: str, value: Any) -> Any:
        """Convert an attribute's value into its canonical form."""
        return self.readers[key](value) if key in self.readers else value

    @cached_property
    def readers(self) -> dict[str, Callable[[Any], Any]]:
        """Functions that convert attributes, by name: from `canon` or the kernel's annotations."""
        return {**kinds.readers(self.name, self.definition, NUMBERS), **self.canon}

    @cached_property
    def static(self) -> Static:
        """Spelling in a Program; the type of the operator is the op's name by default."""
        return self._given_static or Static(self.name)

    # ----- names and texts -----

    @cached_property
    def doc(self) -> str:
        """Docstring of the kernel."""
        return inspect.getdoc(self.definition) or ""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names of the public function."""
        return self.public.aliases if self.public else ()

    @property
    def title(self) -> str:
        """Name of the op's nodes on the tape."""
        words = self.name.split("_")
        return f"{self.formula.node or ''.join(map(str.capitalize, words))}GradNode"

    @property
    def signature(self) -> str:
        """Signature of the public function, for errors and for the reference page."""
        attrs = (n if d is REQUIRED else f"{n}={d!r}" for n, d in self.defaults.items())
        return f"{self.name}({', '.join((*self.inputs, *attrs))})"

    # ----- calling -----

    def _check_first(self, kernel: Kernel) -> Kernel:
        """Wrap a kernel: run `infer` before it."""

        @functools.wraps(kernel)
        def checked(xp: Any, *arrays: Any, **attrs: Any) -> Any:
            self.infer(*map(metas_of, arrays), **{**self.defaults, **attrs})
            return kernel(xp, *arrays, **attrs)

        return checked

    @cached_property
    def wide_kernel(self) -> Callable[..., Any]:
        """Kernel for arrays of float16."""
        as_it_is = self.view or self.remote or self.by_dtype or self.numpy_function
        return self.kernel if as_it_is else wide_kernel(self)

    def special_kernel(self, xp: Any, *arrays: Any, **attrs: Any) -> Any:
        """Compute arrays of which some are float16 or complex.

        NumPy computes complex numbers where Paddle has no kernel for them, so `infer` comes first.
        """
        if any_of(is_half, arrays):
            return self.wide_kernel(xp, *arrays, **attrs)
        self.infer_arrays(arrays, {**self.defaults, **attrs})
        return self.kernel(xp, *arrays, **attrs)

    def kernel_for(self, arrays: Sequence[Any]) -> Callable[..., Any]:
        """Return the kernel for these arrays: a special one for float16 and complex numbers."""
        return self.special_kernel if any_of(is_special, arrays) else self.kernel

    @property
    def _closure_maker(self) -> Callable[..., Any]:
        """Function that makes the quick call for this op's number of inputs."""
        if self.takes_list or self.list_result or not self.inputs:
            return fast_paths.general
        if self.outputs != ("out",) or self.optional or len(self.inputs) > 2:
            return fast_paths.several
        if len(self.inputs) == 1:
            return fast_paths.unary
        return fast_paths.several if self.defaults else fast_paths.binary

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """Public function without the check of the gate."""
        return fast_paths.plain(self, self._closure_maker)

    @cached_property
    def call(self) -> Callable[..., Any]:
        """Public function, made for this op's number of inputs."""
        function = self.rename_function(self._closure_maker(self), self.name)
        function.__module__ = "minipaddle"
        function.op = self
        return cast(Callable[..., Any], function)

    def rename_function(self, function: Callable[..., Any], name: str) -> Any:
        """Return the public function under one of its names, for errors."""
        return calls.rename_frames(
            function, name, op=self.name, parameters=self.names, tensors=self.inputs
        )

    def bind(self, args: Any, kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Bind a call's arguments as Python does; return tensors and attributes."""
        if len(args) > len(self.names) + 1:
            raise self.wrong_call(f"takes {len(self.names)} arguments but {len(args)} were given")
        passed = dict(zip((*self.names, "name"), args, strict=False))
        for key, value in kwargs.items():
            if key in passed:
                raise self.wrong_call(f"got multiple values for argument '{key}'")
            if key in ("dtype", "out") and key not in self.names and value is None:
                continue  # passed by np.mean(t) to t.mean
            if key not in self.names and key != "name":
                key = self.own_name(key, passed.keys() | kwargs.keys())
            passed[key] = value
        passed.pop("name", None)
        missing = [n for n in self.inputs if n not in passed and n not in self.optional]
        if missing:
            raise self.wrong_call(f"missing argument '{missing[0]}'")
        inputs = tuple(passed.pop(n, None) for n in self.inputs)
        return inputs, self.complete(passed)

    def own_name(self, key: str, passed: Collection[str]) -> str:
        """Return the own name of an argument that the call passes under another name."""
        name = find_own_name((self.name, *self.aliases), key)
        if name is None:
            raise self.wrong_call(f"got an unexpected keyword argument '{key}'")
        if name in passed:
            raise self.wrong_call(f"got multiple values for argument '{name}'")
        return name

    def bind_attrs(self, args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Bind the attributes of a call without its one tensor."""
        if args or not self.required <= kwargs.keys():
            return self.bind((None, *args), kwargs)[1]
        if not kwargs:
            return self.defaults
        attrs = dict(self.defaults)
        for key, value in kwargs.items():
            if key in attrs:
                attrs[key] = self.canonical(key, value)
            elif key != "name":
                return self.bind((None,), kwargs)[1]  # raises the error
        return attrs

    def complete(self, passed: dict[str, Any]) -> dict[str, Any]:
        """Return all attributes in order: those of the call in canonical form, and defaults."""
        attrs = {}
        for key, default in self.defaults.items():
            value = passed.get(key, default)
            if value is REQUIRED:
                raise self.wrong_call(f"missing argument '{key}'")
            attrs[key] = self.canonical(key, value)
        return attrs

    def wrong_call(self, problem: str) -> Exception:
        return InvalidType(
            f"{self.name}() {problem}.",
            expected=self.signature,
            received="another set of arguments",
            fix="compare the call with the signature above",
        )

    def array_of(self, position: int, value: Any) -> Any:
        """Return the array, or the list of arrays, of an input."""
        if self.takes_list and position == len(self.inputs) - 1:
            row = value if isinstance(value, (list, tuple)) else ()
            wrong = [item for item in row if not isinstance(item, Tensor)]
            if row and not wrong:
                return [item._data for item in row]
            raise dispatch.not_a_tensor(self, position, (wrong or [value])[0])
        if isinstance(value, Tensor):
            return value._data
        if value is None and self.inputs[position] in self.optional:
            return None
        raise dispatch.not_a_tensor(self, position, (value,) * len(self.inputs))

    def flat(self, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the inputs in one list, with the tensors of a list one by one."""
        return (*inputs[:-1], *inputs[-1]) if self.takes_list else inputs

    def first(self, arrays: Any) -> Any:
        first = next(a for a in arrays if a is not None)
        return first[0] if isinstance(first, list) else first

    def cast_to_inferred(self, arrays: Any, out: Any, attrs: dict[str, Any]) -> Any:
        """Return a result in the inferred dtype, which is Paddle's, if NumPy chose another one."""
        expected = self.infer_arrays(arrays, attrs)
        if not isinstance(expected, Meta) or expected.dtype == out.dtype:
            return out
        if expected.dtype.kind == "f" and all(a.dtype.kind in "biu" for a in arrays):
            # NumPy computes the tanh of bytes in float16 and of int64 in float64.
            arrays = [a.astype(expected.dtype) for a in arrays]
            return as_array(self.kernel(dispatch.namespace_of(arrays), *arrays, **attrs))
        return out.astype(expected.dtype)

    def infer_arrays(self, arrays: Any, attrs: dict[str, Any]) -> Any:
        """Infer shape and dtype of the outputs for arrays."""
        return self.infer(*metas_of(arrays), **attrs)

    # ----- gradients -----

    def grad(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Register the gradient rule `rule(F, *douts, *saves, **attrs)`."""
        self.rule = rule
        return rule

    def fused(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Register a second gradient rule, only for arrays, with the same bits in fewer passes
        through memory. Tensors and Variables use the first one, which pictures show."""
        self.fused_rule = rule
        return rule

    @property
    def array_rule(self) -> Callable[..., Any] | None:
        """Gradient rule for arrays."""
        return self.fused_rule or self.rule

    def rule_for(self, douts: Sequence[Any], arrays: bool = False) -> Callable[..., Any]:
        """Return the gradient rule for the dtypes of these output gradients."""
        rule: Any = self.array_rule if arrays else self.rule
        letter = self.letter_of(douts)
        if letter == "F":
            return conjugate_rule(self, rule)
        return self.rule_for_half(rule) if letter else rule

    def letter_of(self, douts: Sequence[Any]) -> str:
        """Return "F" for complex output gradients, "e" for float16, "" for others."""
        row = douts[0] if self.list_result else douts
        if any(dout is not None and is_complex(dout) for dout in row):
            return "F"
        return "e" if any_of(is_half, row) else ""

    def rule_for_half(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Return the rule for gradients of float16; a rule that reads a dtype casts itself."""
        as_it_is = self.remote or any(what.endswith(".dtype") for what in self.saves)
        return rule if as_it_is else wide_rule(rule)

    def check_rule(self) -> None:
        """Raise an error for a rule whose parameters do not match the record."""
        expected = ("F", *(f"d{self.outputs[slot]}" for slot in self._graded_outputs))
        names, extra = positional_parameters(self.rule), keyword_parameters(self.rule)
        saves = [*self.inputs, *self.outputs]
        saves += [f"{name}_{part}" for name in saves for part in PARTS]
        if (
            names[: len(expected)] != expected
            or not {*names[len(expected) :]} <= {*saves}
            or not {*extra} <= {*self.defaults, "needs"}
        ):
            raise TypeError(f"{self.name}: the rule must take {expected}, not {names}, {extra}")
        taken = positional_parameters(self.array_rule)
        if taken not in (names, ("F",)):  # `*values`: all gradients and saved values
            raise TypeError(f"{self.name}: the fused rule must take what the rule takes")

    @cached_property
    def saves(self) -> tuple[str, ...]:
        """Names of what the rule reads: inputs and outputs, or their `.shape` and `.dtype`."""
        tensors = (*self.inputs, *self.outputs)
        names = (
            positional_parameters(self.rule)[1 + len(self._graded_outputs) :] if self.rule else ()
        )
        return tuple(name if name in tensors else ".".join(name.rsplit("_", 1)) for name in names)

    @cached_property
    def rule_needs(self) -> bool:
        """True if the rule has a parameter `needs`: which inputs need a gradient."""
        return "needs" in keyword_parameters(self.rule)

    @cached_property
    def rule_extra(self) -> tuple[str, ...]:
        """Names of the attributes that the rule takes: its own, or all for a rule with `**how`."""
        if cast(Any, self.rule).__code__.co_flags & inspect.CO_VARKEYWORDS:
            return tuple(self.defaults)
        return tuple(key for key in keyword_parameters(self.rule) if key != "needs")

    @cached_property
    def rule_takes_all(self) -> bool:
        return set(self.rule_extra) == set(self.defaults)

    @cached_property
    def plan(self) -> tuple[Saved, ...]:
        """Origin of each value that the rule reads."""
        return tuple(self._where_saved(what) for what in self.saves)

    @cached_property
    def saved_tensors(self) -> tuple[tuple[str, int, bool], ...]:
        """Tensors that a node saves: the rule's name, the number, whether it is an output."""
        return tuple(
            (what, position, output)
            for what, (output, position, part) in zip(self.saves, self.plan, strict=True)
            if not part
        )

    @cached_property
    def saved_slots(self) -> tuple[str, ...]:
        return tuple(what for what, _, _ in self.saved_tensors)

    @cached_property
    def saves_any_output(self) -> bool:
        return any(output for _, _, output in self.saved_tensors)

    @cached_property
    def saved_inputs(self) -> tuple[int, ...]:
        """Positions of the saved values that are whole inputs, saved as Tensors."""
        return tuple(i for i, (out, _, part) in enumerate(self.plan) if not out and not part)

    @cached_property
    def node_class(self) -> Any:
        """Class of this op's nodes on the tape, None without a rule."""
        if self.rule is None:
            return None
        self.check_rule()
        return self._node_class(self.node_kind())

    @cached_property
    def packed_class(self) -> Any:
        """Class of this op's nodes under saved_tensors_hooks."""
        from ..engine.saved_tensors_hooks import PackedNode

        return self._node_class(PackedNode)

    def _node_class(self, kind: type[OpNode]) -> Any:
        rule: Any = self.array_rule
        complex_rule = conjugate_rule(self, rule)
        slots = {"attrs": self.defaults, "shapes": self.broadcasts, "out_metas": self.many}
        return type(
            self.title,
            (kind,),
            {
                "__slots__": tuple(name for name, needed in slots.items() if needed),
                "saves_inputs": bool(self.saved_inputs),
                "saves_output": "out" in self.saves,
                "visit": specialized(kind.visit),
                "op": self,
                "title": self.title,
                "rule": staticmethod(rule),
                "rules": {"e": self.rule_for_half(rule), "F": complex_rule, "D": complex_rule},
                "F": array_functions(np),
                "functions": staticmethod(array_functions),
                "graph": GRAPH,
                "asks_needs": self.rule_needs,
                "takes_attrs": self.rule_takes_all and not self.rule_needs,
            },
        )

    def node_kind(self) -> type[OpNode]:
        """Return the quickest class of nodes that fits the values this op's rule reads."""
        whole_inputs = len(self.saved_inputs) == len(self.saves) == len(self.inputs)
        if self.takes_list or self.optional or self.outputs != ("out",):
            return OpNode
        if len(self.inputs) == 1 and not (self.rule_needs and not self.defaults):
            parts = all(part and not output for output, _, part in self.plan)
            return UnaryNode if whole_inputs or parts or self.saves == self.outputs else OpNode
        if len(self.inputs) == 2 and (self.saves == self.inputs or not self.saves):
            return BinaryNode
        return OpNode

    def _where_saved(self, what: str) -> Saved:
        """Return whether a saved value is an output, its number, and the function for its part."""
        base, _, part = what.partition(".")
        output = base in self.outputs
        return output, (self.outputs if output else self.inputs).index(base), PARTS.get(part)

    def save(self, inputs: tuple[Any, ...], outs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what a node saves: inputs as Tensors, outputs as arrays, shapes as tuples."""
        kept: list[Any] = []
        for output, position, part in self.plan:
            value = outs[position] if output else inputs[position]
            kept.append(part(value) if part else value)
        return tuple(kept)

    def rule_attrs(self, attrs: Any, edges: tuple[Any, ...]) -> dict[str, Any]:
        """Return the keyword arguments of the rule."""
        if self.rule_takes_all:
            extra = attrs or {}
        else:
            extra = {key: attrs[key] for key in self.rule_extra}
        if self.rule_needs:
            extra = {**extra, "needs": [edge is not None for edge in edges]}
        return extra

    @cached_property
    def many(self) -> bool:
        """True if a call may have several results."""
        return self.list_result or len(self.outputs) > 1

    def broadcast_shapes(self, inputs: tuple[Any, ...]) -> Any:
        """Return the shapes of the inputs if gradients may have to be summed back to them."""
        shapes = [x._data.shape for x in inputs]
        return None if all(shape == shapes[0] for shape in shapes) else shapes

    def graded_slots(self, count: int) -> Sequence[int]:
        """Return the numbers of the outputs that have a gradient, among `count` of them."""
        return range(count) if self.list_result else self._graded_outputs

    @cached_property
    def _graded_outputs(self) -> tuple[int, ...]:
        return tuple(i for i, out in enumerate(self.outputs) if out not in self.stopped)


def op(
    name: str = "", *, registry: dict[str, Any] = REGISTRY, **record: Any
) -> Callable[[Kernel], Op]:
    """Register a kernel as an op; `Op` describes the fields.

    `name` is the op's name if it is not that of the kernel without underscores at its ends.
    """

    def register(kernel: Kernel) -> Op:
        own = name or kernel.__name__.strip("_")
        if own in registry:
            raise ValueError(f"the op {own} is registered already")
        op = registry[own] = Op(own, kernel, **record)
        return op

    return register


def internal(name: str = "", **record: Any) -> Callable[[Kernel], Op]:
    """Register a kernel as an op that is not public; rules and public functions call it."""
    return op(name, public=None, **record)


def positional_parameters(function: Any) -> tuple[str, ...]:
    """Return the parameters of a function that are not keyword-only."""
    names: tuple[str, ...] = function.__code__.co_varnames
    return names[: function.__code__.co_argcount]


def keyword_parameters(function: Any) -> tuple[str, ...]:
    """Return the keyword-only parameters of a function."""
    code = function.__code__
    names: tuple[str, ...] = code.co_varnames[code.co_argcount :]
    return names[: code.co_kwonlyargcount]


def _shape_of(value: Any) -> Any:
    """Return the shape of a Tensor or array, the shapes of a list of them."""
    if isinstance(value, Tensor):
        return value._data.shape
    return [_shape_of(item) for item in value] if isinstance(value, (list, tuple)) else value.shape


def _dtype_of(value: Any) -> dtypes.DType:
    return dtypes.DType.of((value._data if isinstance(value, Tensor) else value).dtype)


PARTS: dict[str, Callable[[Any], Any]] = {"shape": _shape_of, "dtype": _dtype_of}
