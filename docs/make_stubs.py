"""Write the type stubs: `.venv/bin/python docs/make_stubs.py`; run.py and the build do it, too.

Most functions of `paddle` and most methods of a Tensor are created on first use, so an editor
cannot find them in the sources. The stubs have their names, arguments, results and first sentences.
Names and arguments are read from the objects; types are read from annotations, and for arguments
without an annotation from the tables below.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from keyword import iskeyword
from pathlib import Path
from types import FunctionType
from typing import Any

import minipaddle
from minipaddle.device.place import Place
from minipaddle.eager.tensor import TensorHookRemoveHelper
from minipaddle.eager.values import Size
from minipaddle.engine.dtypes import DType
from minipaddle.engine.errors import NoSuchName
from minipaddle.ops.arguments import second_names
from minipaddle.static.variable import Variable

ROOT = Path(__file__).resolve().parents[1]
# Modules whose layers have generated constructors.
LAYERS = {
    f"minipaddle.nn.{name}": f"minipaddle/nn/{name}.pyi"
    for name in ("activation", "common", "conv", "loss", "norm", "pooling", "rnn", "vision")
}
STUBS = {  # module -> its stub
    "minipaddle": "minipaddle/__init__.pyi",
    "minipaddle.fft": "minipaddle/fft.pyi",
    "minipaddle.linalg": "minipaddle/linalg.pyi",
    "minipaddle.nn.functional": "minipaddle/nn/functional/__init__.pyi",
    "minipaddle.static": "minipaddle/static/__init__.pyi",
    **LAYERS,
}

# ----- types -------------------------------------------------------------------------------------


def each(names: str, kind: str) -> dict[str, str]:
    """Return a dict with one type for several names."""
    return dict.fromkeys(names.split(), kind)


TENSOR = "_AnyTensor"  # Tensor of either mode
TENSORS = f"Sequence[{TENSOR}]"
NUMBER = "float | Tensor"  # number, also as a Tensor of one element
OPERAND = f"{TENSOR} | float"  # tensor or number
INTS = "int | Sequence[int]"

ARGUMENTS = {  # argument name, or `function.name` -> type
    **each(
        "anchor arr attn_mask bias condition fweights aweights imag index indices input input1 "
        "input2 key label labels logit logits mask mat2 negative normalizer other output "
        "grid log_probs input_lengths label_lengths theta "
        "pos_weight positive prior_dist query real running_mean running_var sorted_sequence "
        "sorter source src target tensor test_x updates value values variance vec weight _weight "
        "weights x x1 x2 y",
        TENSOR,
    ),
    **each(
        "axes axis destination dilation dim dims kernel_size moveaxis.source "
        "num_or_indices num_or_sections output_padding output_size padding perm s shifts "
        "stride kernel_sizes output_sizes fold.strides unfold.strides __init__.strides",
        INTS,
    ),
    **each(
        "broadcast_shapes.shapes normalized_shape out_shape repeat_times shape size weight_shape "
        "x_shape y_shape",
        "_Shape",
    ),
    **each("ends offsets starts strides", "Sequence[int | Tensor] | Tensor"),
    **each(
        "alpha atol base dx end fill_value k max maxlen mean min n num num_classes "
        "num_columns num_rows num_samples p padding_value probs rtol scale start std step "
        "stop tol rcond",
        NUMBER,
    ),
    **each("bitwise_and.y logical_and.y complex.real complex.imag", TENSOR),
    **each(
        "copysign.y eq.y equal.y floor_divide.y floor_mod.y lerp.weight masked_fill.value "
        "mod.y pow.y put_along_axis.values remainder.y where.x where.y index_fill.value q",
        OPERAND,
    ),
    **each("diff.append diff.prepend", TENSOR),
    **each("increment.value thresholded_relu.value pad.value fill_.value", "float"),
    **each("cond.p matrix_norm.p norm.p", "float | str"),
    **each("data asarray.obj", "_ArrayLike"),
    **each("d dtype", "_DTypeLike"),
    **each("device place", "_PlaceLike"),
    **each("grad.inputs grad.outputs no_grad_vars", f"{TENSOR} | Sequence[{TENSOR}]"),
    **each(
        "block_diag.inputs cartesian_prod.x column_stack.x dstack.x hstack.x "
        "index_put.indices multiplex.inputs row_stack.x vstack.x",
        TENSORS,
    ),
    "batch_size": "int",
    "default_initializer": "Callable[..., Any]",
    "diagonal": "int",
    "distance_function": "Callable[[Tensor, Tensor], Tensor]",
    "func": "Callable[[Tensor], Tensor]",
    "grad_outputs": "Tensor | Sequence[Tensor | None]",
    "grad_tensor": "Tensor",
    "hook": "Callable[[Tensor], Tensor | None]",
    "inputs": TENSOR,
    **each(
        "__init__.output_size adaptive_avg_pool2d.output_size adaptive_avg_pool3d.output_size "
        "adaptive_max_pool2d.output_size adaptive_max_pool3d.output_size",
        "int | Sequence[int | None]",
    ),
    "__init__.padding": "int | str | Tensor | Sequence[Any]",
    "meshgrid.args": f"{TENSOR} | Sequence[{TENSOR}]",
    "model_path": "str",
    "name": "str",
    "ndarray": "np.ndarray[Any, Any]",
    "offset": "int",
    "operands": TENSOR,
    "out": "Tensor",
    "overwrite": "bool",
    "pad": "int | Sequence[int] | Tensor",
    "path": "str | PathLike[str] | IO[bytes]",
    "path_prefix": "str | PathLike[str]",
    **each("feed_vars fetch_vars", "Variable | Sequence[Variable]"),
    "repeats": "int | Tensor",
    "param_attr": "Any",
    "scale_factor": f"float | Sequence[float] | {TENSOR}",
    "seed": "int",
    "set_value.value": "Tensor | np.ndarray[Any, Any]",
    "shape_or_dtype": "_Shape | _DTypeLike",
    "sum.axis": INTS,
    "type_as.other": "Tensor",
    # Arguments that accept more than tensors.
    **each("assign.x", "_ArrayLike | Variable"),
    **each("accuracy.input accuracy.label append_backward.loss", TENSOR),
    **each("add_n.inputs target_gradients targets", f"{TENSOR} | Sequence[{TENSOR}]"),
    **each("device_ids", "Sequence[int]"),
    **each("is_tensor.x setitem.index setitem.value tensordot.axes", "Any"),
    **each("data.shape", "Sequence[int | None]"),
    **each("py_func.func", "Callable[..., Any]"),
    "flops.net": "Any",  # Layer or Program
    "flops.custom_ops": "dict[type, Callable[..., Any]]",
    **each("where_.x", TENSOR),
    **each("where_.y", OPERAND),
}
ANNOTATED = {"list[Any]": TENSORS}  # annotation of kernels -> type of the argument

RESULTS = {  # name of a function or method -> result other than Tensor
    **each(
        "broadcast_tensors chunk dsplit hsplit meshgrid paddle.grad split tensor_split "
        "unbind unstack vsplit",
        "list[Tensor]",
    ),
    **each("cummax cummin eigh kthvalue mode qr", "tuple[Tensor, Tensor]"),
    "svd": "tuple[Tensor, Tensor, Tensor]",
    # Results whose type depends on an argument.
    **{f"{kind}max_pool{axes}d": "Any" for kind in ("", "adaptive_") for axes in (1, 2, 3)},
    **each("median nanmedian nonzero stride unique unique_consecutive", "Any"),
    **each("item load tolist __dlpack__ __dlpack_device__ grad_fn", "Any"),
    **each("__array__ numpy", "np.ndarray[Any, Any]"),
    "__iter__": "Iterator[Tensor]",
    "Tensor.grad": "Tensor | None",
    "gradient": "np.ndarray[Any, Any] | None",
    "place": "Place",
    "register_hook": "TensorHookRemoveHelper",
    "summary": "dict[str, int]",
}
EXCHANGE = ["swapaxes", "swapdims", "transpose"]  # functions that accept two axes instead of a list
# Accept sizes or axes also as separate arguments.
ONE_BY_ONE = {"empty", "expand", "ones", "permute", "rand", "randn", "reshape", "view", "zeros"}
UNTYPED = {"args", "attr", "configs", "copy", "dtypes", "generator", "input_size", "item"}
UNTYPED |= {"kwargs", "obj", "options"}  # arguments of any type
UNTYPED |= {"backward_func", "callbacks", "checkpoints", "correct", "distop_context", "no_grad_set"}
UNTYPED |= {"bias_attr", "cell", "cell_bw", "cell_fw", "weight_attr"}  # arguments of layers
UNTYPED |= {f"{kind}_{to}_attr" for kind in ("weight", "bias") for to in ("ih", "hh")}
UNTYPED |= {"parameter_list", "skip_vars_in_backward_input", "total", "var_list"}  # static mode

# Operators accept a number or an array as the other operand.
OTHER = f"{TENSOR} | _complex | np.ndarray[Any, Any]"
PAIRS = "add and eq floordiv ge gt le lshift lt matmul mod mul ne or pow rshift sub truediv xor"
REFLECTED = "add and floordiv lshift matmul mod mul or pow rshift sub truediv xor"
SINGLE = "abs invert neg pos"
OPERATORS = {
    **{f"__{name}__": f"self, other: {OTHER}" for name in PAIRS.split()},
    **{f"__r{name}__": f"self, other: {OTHER}" for name in REFLECTED.split()},
    **{f"__{name}__": "self" for name in SINGLE.split()},
    "__getitem__": "self, item: Any",
}
CONVERSIONS = "__array__ __bool__ __complex__ __dlpack__ __dlpack_device__ __float__ __index__"
CONVERSIONS += " __int__ __iter__ __len__ __setitem__"

HEAD = """# Written by docs/make_stubs.py; do not edit.

from builtins import bool as _bool, complex as _complex, float as _float, int as _int
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from os import PathLike
from typing import IO, Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt
"""
ALIASES = {
    "_DTypeLike": "DType | str | type | np.dtype[Any]",
    "_PlaceLike": "Place | str",
    "_Shape": "int | Sequence[int | Tensor | Variable] | Tensor | Variable",
    "_ArrayLike": "npt.ArrayLike | Tensor | Sequence[Any]",
    TENSOR: "Tensor | Variable",  # tensor of dynamic or of static mode
}
KNOWN = {"DType": DType, "Place": Place, "Size": Size, "Variable": Variable}
KNOWN["TensorHookRemoveHelper"] = TensorHookRemoveHelper
CLASSES = [minipaddle.Tensor, Variable]  # classes that get their methods after their definition
Parameter = inspect.Parameter


def type_of(function: str, parameter: Parameter) -> str | None:
    """Return the type of an argument, or None if it is unknown."""
    name, default = parameter.name, parameter.default
    wanted = ARGUMENTS.get(f"{function}.{name}") or annotated(parameter.annotation)
    wanted = wanted or ARGUMENTS.get(name)
    if not wanted and type(default) in (bool, int, float, str):
        wanted = type(default).__name__
    if wanted and default is None and "None" not in re.sub(r"\[.*\]", "", wanted):
        wanted += " | None"
    return wanted or ("Any" if name in UNTYPED else None)


def annotated(annotation: Any) -> str:
    """Return an annotation as in the source, "" for Any or none."""
    text = "" if annotation is Parameter.empty else str(annotation)
    text = ANNOTATED.get(text, text)
    return "" if text.removesuffix(" | None") == "Any" else text


def result_of(function: str, annotation: Any, owner: str = "paddle") -> str:
    """Return the type of a result."""
    known = RESULTS.get(f"{owner}.{function}") or RESULTS.get(function) or annotated(annotation)
    return (known or "Tensor").replace("Tensor", owner if owner == "Variable" else "Tensor")


# ----- signatures --------------------------------------------------------------------------------


def signature_of(name: str, call: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a function; an in-place form has that of its function."""
    found = inspect.signature(call)
    if "args" not in found.parameters or not name.endswith("_") or name.endswith("__"):
        return found
    plain = inspect.signature(function_named(name[:-1]))
    kept = [p for p in plain.parameters.values() if p.name != "out"]
    return plain.replace(parameters=kept, return_annotation="Tensor")


def function_named(name: str) -> Callable[..., Any]:
    """Return a function of `paddle`, or the method if there is no such function."""
    places = (minipaddle, minipaddle.Tensor)
    return next(getattr(place, name) for place in places if hasattr(place, name))


def one_by_one(row: list[Parameter], kind: str) -> list[Parameter]:
    """Return a signature's parameters with sizes or axes as separate arguments."""
    first = 0 if row[0].name == "shape" else 1
    sizes = row[first].replace(kind=Parameter.VAR_POSITIONAL, annotation=kind)
    rest = (p.replace(kind=Parameter.KEYWORD_ONLY) for p in row[first + 1 :])
    return [*row[:first], sizes, *rest]


def two_axes(row: list[Parameter], kind: str) -> list[Parameter]:
    """Return a signature's parameters with two axes instead of a list."""
    axis = Parameter("dim0", Parameter.POSITIONAL_OR_KEYWORD, annotation=kind)
    return [row[0], axis, axis.replace(name="dim1")]


def second_spelling(names: Iterable[str], row: list[Parameter]) -> list[Parameter]:
    """Return a signature's parameters by PyTorch's names, if the function accepts these names."""
    taken = {p.name for p in row}
    pairs = {own: q for n in names for q, own in second_names().get(n, {}).items()}
    renamed = {own: q for own, q in pairs.items() if q not in taken and not iskeyword(q)}
    return [p.replace(name=renamed.get(p.name, p.name)) for p in row]


# ----- a stub ------------------------------------------------------------------------------------


class Stub:
    """Stub of a module, with the arguments whose type is unknown."""

    def __init__(self, module: str) -> None:
        self.module = importlib.import_module(module)
        self.is_root = self.module is minipaddle
        self.imports: set[str] = set()
        self.own = {n: v for n, v in self.values().items() if inspect.isclass(v)}
        self.unknown: list[str] = []

    def text(self) -> str:
        lines = [line for item in self.values().items() for line in self.entry(*item)]
        if self.is_root:
            aliases = [self.type_text(f"{name}: TypeAlias = {t}") for name, t in ALIASES.items()]
        else:
            aliases = [f"from minipaddle import Tensor, {', '.join(ALIASES)}"]
        return format_text("\n".join([HEAD, *sorted(self.imports), *aliases, "", *lines, ""]))

    def values(self) -> dict[str, Any]:
        return {name: getattr(self.module, name) for name in public_names(self.module)}

    def entry(self, name: str, value: Any) -> list[str]:
        """Return the declaration of a public name."""
        if value in CLASSES:
            return self.tensor_class(value)
        if inspect.ismodule(value):
            self.imports.add(f"from . import {name} as {name}")
            return []
        if self.module.__name__ in LAYERS and name == value.__name__:
            return self.layer(value)
        if inspect.isclass(value) and name == value.__name__:
            self.imports.add(f"from {value.__module__} import {name} as {name}")
            return []
        if inspect.isclass(value):
            return [f"{name} = {self.type_text(value.__name__, {value.__name__: value})}"]
        if not callable(value):
            return [f"{name}: {self.type_text(kind_of(value))}"]
        return self.function(name, value)

    def type_text(self, text: str, home: dict[str, Any] | None = None) -> str:
        """Return a type, and import its names; `int` and others are dtypes in the root package."""
        for word in re.findall(r"\w+", text):
            value = {**KNOWN, **(home or {})}.get(word)
            ours = inspect.isclass(value) and value.__module__.startswith("minipaddle.")
            if ours and value not in (minipaddle.Tensor, self.own.get(word)):
                self.imports.add(f"from {value.__module__} import {value.__name__}")
        return re.sub(r"\b(bool|complex|float|int)\b", r"_\1", text) if self.is_root else text

    def function(self, name: str, call: Any, owner: str = "") -> list[str]:
        """Return the declarations of a function or an owner's method, one for each call form."""
        signature = signature_of(name, call)
        home = vars(sys.modules[inspect.unwrap(call).__module__])
        row = list(signature.parameters.values())
        row = row[: bool(owner)] + [self.with_type(name, p, home) for p in row[bool(owner) :]]
        forms = [row, second_spelling((name, call.__name__), row)]
        if name in EXCHANGE:
            forms.append(two_axes(row, self.type_text("int")))
        if name in ONE_BY_ONE:
            forms.append(one_by_one(row, self.type_text("int")))
        lists = list(dict.fromkeys(arguments(form, bool(owner)) for form in forms))
        result = self.type_text(
            result_of(name, signature.return_annotation, owner or "paddle"), home
        )
        if inspect.isgeneratorfunction(inspect.unwrap(call)):
            result = result.replace("Iterator", "AbstractContextManager")
        lines = []
        for text in lists:
            lines += ["@overload"] * (len(lists) > 1)
            lines += [f"def {name}({text}) -> {result}:", doc(call)]
        return lines

    def with_type(self, function: str, parameter: Parameter, home: dict[str, Any]) -> Parameter:
        wanted = type_of(function, parameter)
        if wanted is None:
            self.unknown.append(f"{function}({parameter.name})")
        return parameter.replace(annotation=self.type_text(wanted or "Any", home))

    def tensor_class(self, cls: type) -> list[str]:
        """Return a class of tensors with the members that it got after its definition."""
        name = cls.__name__
        self.imports.add(f"from {cls.__module__} import {name} as _Bare{name}")
        lines = [f"class {name}(_Bare{name}):", doc(cls)]
        for member in members(cls):
            lines += ["    " + line for line in self.member(member, getattr(cls, member), name)]
        return lines

    def layer(self, cls: type) -> list[str]:
        """Return a layer of the module: its base, and its constructor, which may be generated."""
        base = cls.__bases__[0]
        if base.__module__ != cls.__module__:
            self.imports.add(f"from {base.__module__} import {base.__name__}")
        lines = [f"class {cls.__name__}({base.__name__}):", doc(cls)]
        if "__init__" in vars(cls):
            lines += [
                "    " + line for line in self.function("__init__", cls.__init__, "Layer")[:1]
            ]
            lines[-1] += " ..."
        if not cls.__module__.endswith(("pooling", "rnn")):  # these may give more than one tensor
            result = self.type_text("Tensor")
            lines += [f"    def __call__(self, *inputs: Any, **kwargs: Any) -> {result}: ..."]
        return lines

    def member(self, name: str, value: Any, owner: str) -> list[str]:
        """Return the declaration of one member of a class of tensors."""
        if isinstance(value, property):
            own = inspect.signature(value.fget).return_annotation
            kind = self.type_text(result_of(name, own, owner))
            lines = ["@property", f"def {name}(self) -> {kind}:", doc(value)]
            if value.fset is not None:
                lines += [f"@{name}.setter", f"def {name}(self, value: {kind}) -> None: ..."]
            return lines
        if name in OPERATORS:
            ignored = "  # type: ignore[override]" * (name in ("__eq__", "__ne__"))
            return [f"def {name}({self.type_text(OPERATORS[name])}) -> {owner}: ...{ignored}"]
        return self.function(name, value, owner)


def arguments(row: list[Parameter], bound: bool) -> str:
    """Return the arguments of a declaration; the first of a bound method is `self`."""
    parts = ["self"] if bound else []
    stars = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
    for parameter in row[bound:]:
        if parameter.kind is Parameter.KEYWORD_ONLY and not any(p[0] == "*" for p in parts):
            parts.append("*")
        name = stars.get(parameter.kind, "") + parameter.name
        parts.append(f"{name}: {parameter.annotation}{default_of(parameter)}")
    return ", ".join(parts)


def default_of(parameter: Parameter) -> str:
    """Return a default as in a stub: a long one, or one that is no literal, is an ellipsis."""
    default = parameter.default
    if default is Parameter.empty:
        return ""
    literal = isinstance(default, (bool, int, float, str, type(None))) and len(repr(default)) < 10
    return f" = {default!r}" if literal else " = ..."


def doc(value: Any) -> str:
    """Return the first sentence of a docstring, as the body of a declaration."""
    paragraph = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    sentence = re.split(r"(?<=[.:]) (?=[A-Z`])", paragraph)[0].replace("\\", "\\\\")
    return f'    """{sentence}"""' if sentence else "    ..."


def kind_of(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def public_names(module: Any) -> list[str]:
    """Return the public names of a module: the names in __all__, and other values.

    For a module of layers these are all names that it defines, in its order.
    """
    if module.__name__ in LAYERS:
        return [
            name
            for name, value in vars(module).items()
            if inspect.isclass(value) and value.__module__ == module.__name__
        ]
    values = (DType, float, FunctionType)
    others = [
        name
        for name, value in vars(module).items()
        if name[0] != "_" and isinstance(value, values) and name not in module.__all__
    ]
    return sorted({*module.__all__, *others} if module is minipaddle else module.__all__)


def members(cls: type) -> list[str]:
    """Return public members, operators and conversions, except those in the class's source."""
    special = [name for name in (*OPERATORS, *CONVERSIONS.split()) if hasattr(cls, name)]
    public = [name for name in dir(cls) if name[0] != "_"]
    return [name for name in (*special, *public) if is_added(cls, name)]


def is_added(cls: type, name: str) -> bool:
    """Return whether a member was defined outside the file of its class."""
    try:
        value = getattr(cls, name)
    except NoSuchName:
        return False
    made = value.fget if isinstance(value, property) else value
    return (callable(made) or isinstance(value, property)) and made.__module__ != cls.__module__


def format_text(text: str) -> str:
    """Format the text with ruff, if it is installed, and sort its imports."""
    if importlib.util.find_spec("ruff") is None:
        return text
    for command in (["check", "--fix", "--quiet"], ["format", "--quiet"]):
        run = [sys.executable, "-m", "ruff", *command, "--stdin-filename", "stub.pyi", "-"]
        answer = subprocess.run(
            run, input=text, cwd=ROOT, capture_output=True, text=True, check=False
        )
        text = answer.stdout
    return text


def main() -> None:
    for module, path in STUBS.items():
        stub = Stub(module)
        (ROOT / path).write_text(stub.text(), encoding="utf-8")
        if stub.unknown:
            print(f"{path}: no type is known of {', '.join(stub.unknown)}")


if __name__ == "__main__":
    main()
