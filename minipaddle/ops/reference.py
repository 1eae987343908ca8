"""Signatures and help texts of public functions, made from their records.

The kernel's docstring has the sentence and the example. Shapes, dtypes and errors are asked of the
record's inference, with the record's first sample, when somebody looks the function up.
"""

from __future__ import annotations

import builtins
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine import dtypes
from ..engine.errors import MinipaddleError
from ..engine.meta import Meta
from .registry import REGISTRY
from .symbols import gradient_formula

if TYPE_CHECKING:
    from .op_spec import Op
    from .record import Public, Sample

Parameter = inspect.Parameter
NAME = Parameter("name", Parameter.POSITIONAL_OR_KEYWORD, default=None)
OUT = Parameter("out", Parameter.KEYWORD_ONLY, default=None)

# Where Paddle has what is not a function of `paddle` itself, by the folder of the ops.
HOMES = {"networks": "paddle.nn.functional", "matrices": "paddle.linalg"}
KINDS = {
    "floating": "float16 float32 float64",
    "complex": "complex64 complex128",
    "integers": "uint8 int8 int16 int32 int64",
}
LABELS = ("Forward:", "Shapes:", "Dtypes:", "Errors:")


@functools.cache
def public_function(op: Op, name: str = "") -> Any:
    """Return a record's public function, with signature and docstring, under one of its names."""
    function: Any = op.call
    if name and name != op.name:
        return op.named(public_function(op), name)
    if function.__doc__ is None:
        options = next(iter(op.options.values()), None)
        function.__signature__ = inspect.signature(options) if options else signature(op.definition)
        function.__doc__ = docstring(op, op.doc, home_of(op.definition.__module__, op.public))
    return function


def describe(function: Any, home: str) -> None:
    """Complete the docstring of a function written with the records' functions.

    `home` is the module in which Paddle has it. A record with the function's name and parameters
    says of it what it would say of its own function.
    """
    doc = inspect.getdoc(function) or ""
    if "Source:" in doc:
        return
    op = getattr(function, "op", None) or REGISTRY.get(function.__name__)
    code = inspect.unwrap(function).__code__
    if op is None or not {*op.inputs} <= {*code.co_varnames[: code.co_argcount]}:
        function.__doc__ = with_facts(doc, [f"Source: Paddle's `{home}.{function.__name__}`."])
    else:
        function.__doc__ = docstring(op, doc or op.doc, home)


def home_of(module: str, public: Public | None) -> str:
    """Return the module of Paddle in which a function is that a family of ops defines."""
    if public is not None and public.function:
        return "paddle"
    elsewhere = "paddle.Tensor" if public else "paddle"
    return HOMES.get(module.split(".")[-2], elsewhere)


def signature(kernel: Any) -> inspect.Signature:
    """Make the signature of a kernel's function: tensors, attributes, `name` and `out`.

    The kernel's first parameter is the array namespace. Its keyword-only parameters are the
    attributes, which a call may also give by position.
    """
    _, *own = inspect.signature(kernel).parameters.values()
    optional = any(p.kind is not p.KEYWORD_ONLY and p.default is not p.empty for p in own)
    taken = [
        p if optional and p.default is p.empty else p.replace(kind=p.POSITIONAL_OR_KEYWORD)
        for p in own
    ]
    names = {p.name for p in own}
    taken += [extra for extra in (NAME, OUT) if extra.name not in names]
    return inspect.Signature(sorted(taken, key=lambda p: p.kind))


# ----- the docstring -----------------------------------------------------------------------------


def docstring(op: Op, doc: str, home: str) -> str:
    """Return the docstring of a record's public function."""
    source = f"Source: Paddle's `{home}.{op.name}`."
    return with_facts(doc, [*formulas(op), *facts(op), source])


def with_facts(doc: str, lines: Iterable[str]) -> str:
    """Return a docstring with further lines before its example; its own lines take their place."""
    text, prompt, example = doc.partition(">>>")
    own = {line.partition(":")[0] for line in text.splitlines()}
    lines = [line for line in lines if line.partition(":")[0] not in own]
    last = text.rstrip().rpartition("\n\n")[2]
    gap = "\n" if last.startswith(LABELS) else "\n\n"
    said = gap.join(filter(None, (text.rstrip(), "\n".join(lines))))
    return "\n\n".join(filter(None, (said, prompt + example)))


def formulas(op: Op) -> Iterator[str]:
    """Yield the record's formulas that are the same for all attributes."""
    if op.formula.forward and isinstance(op.formula.forward, str):
        yield f"Forward: {op.formula.forward}"
    backward = {op.formula.backward or derived(op, sample) for sample in op.samples if op.rule}
    if len(backward) == 1 and isinstance(formula := backward.pop(), str) and formula:
        yield f"Backward: {formula}"


def derived(op: Op, sample: Sample) -> str:
    """Derive the formula of a sample's gradients from the rule."""
    made = results(op, sample, np.dtype("float32"))
    given = [each for one in sample.shapes for each in (one if isinstance(one, list) else [one])]
    inputs = [shape if shape is None else (shape, "float32") for shape in given]
    outputs = [(meta.shape, meta.dtype.name) for meta in made]
    return gradient_formula(op, op.complete(sample.attrs), inputs, outputs)


def facts(op: Op) -> Iterator[str]:
    """Yield what the record's inference says of shapes, dtypes and errors."""
    if op.samples and op.inputs:
        yield f"Shapes: {shapes(op)}."
        kept, given, refused = answers(op)
        rule = "any; the result has `dtype`" if op.name == "cast" else changes(kept, given)
        mixed = f" {inspect.getdoc(op.promotes)}" if op.promotes else ""
        yield f"Dtypes: {rule}.{mixed}"
        yield f"Errors: {errors(op, refused)}."


def shapes(op: Op) -> str:
    """Describe which shapes go in, and which come out."""
    if op.broadcasts:
        return f"{' and '.join(op.inputs)} are broadcast to one shape, the result's"
    if all(infer_shapes(op, sample) == [s] for sample in op.samples for s in sample.shapes[:1]):
        others = "" if len(op.inputs) == 1 else f", of {op.inputs[0]}"
        return f"any; the result has the same{others}"
    sample = next((s for s in op.samples if s.attrs), op.samples[0])
    given = ", ".join(
        f"{name} {shape_text(shape)}"
        for name, shape in zip(op.inputs, sample.shapes, strict=True)
        if shape is not None
    )
    attrs = "".join(f", {key}={value!r}" for key, value in sample.attrs.items())
    outcome = " and ".join(map(shape_text, infer_shapes(op, sample)))
    return f"for example {given}{attrs} gives {outcome}"


def shape_text(shape: Any) -> str:
    return " and ".join(map(shape_text, shape)) if isinstance(shape, list) else str([*shape])


def answers(op: Op) -> tuple[list[str], dict[str, list[str]], dict[str, list[str]]]:
    """Return the dtypes that are kept, those that become another, and those refused."""
    kept: list[str] = []
    given: dict[str, list[str]] = {}
    refused: dict[str, list[str]] = {}
    for name, dtype in dtypes.ALL.items():
        try:
            out = results(op, op.samples[0], dtype.numpy)[0].dtype.name
        except MinipaddleError as error:
            refused.setdefault(kind_of(error), []).append(name)
        else:
            (kept if out == name else given.setdefault(out, [])).append(name)
    return kept, given, refused


def changes(kept: list[str], given: dict[str, list[str]]) -> str:
    """Describe what becomes of the dtypes."""
    if len(given) == 1 and kept == [*given]:
        return f"{in_words([*kept, *given[kept[0]]])} give {kept[0]}"
    parts = [f"{in_words(kept)} kept"] if kept else []
    return "; ".join([*parts, *(f"{in_words(names)} give {out}" for out, names in given.items())])


def errors(op: Op, refused: dict[str, list[str]]) -> str:
    """Describe which mistakes raise which errors."""
    mistakes: dict[str, list[str]] = {}
    for kind, mistake in (
        ("ValueError", f"if {' or '.join(op.inputs)} is not a Tensor"),
        ("ValueError" if op.broadcasts else answer(op, misfit), "if the shapes do not fit"),
        ("TypeError" if op.promotes else None, "if the dtypes do not mix"),
        (answer(op, far_axis), "if there is no such axis"),
        *((kind, f"for {in_words(names)}") for kind, names in refused.items()),
    ):
        if kind is not None:
            mistakes.setdefault(kind, []).append(mistake)
    return "; ".join(f"{kind} {', '.join(texts)}" for kind, texts in mistakes.items())


# ----- asking the inference ----------------------------------------------------------------------


def results(op: Op, sample: Sample, dtype: Any) -> list[Meta]:
    """Infer the results of a sample with tensors of this dtype."""

    def meta(shape: Any, name: str) -> Any:
        if shape is None or isinstance(shape, list):
            return shape and [meta(item, name) for item in shape]
        return Meta(shape, np.dtype("int64") if name in sample.ints else dtype)

    metas = [meta(shape, name) for shape, name in zip(sample.shapes, op.inputs, strict=True)]
    result_metas = op.infer_call(metas, op.complete(sample.attrs))
    return [result_metas] if isinstance(result_metas, Meta) else list(result_metas)


def infer_shapes(op: Op, sample: Sample) -> list[tuple[int, ...]]:
    """Infer the shapes of a sample's results."""
    return [meta.shape for meta in results(op, sample, np.dtype("float32"))]


def misfit(op: Op, sample: Sample) -> Sample | None:
    """Return a sample whose second tensor is too large for the first."""
    first, second, *rest = (*sample.shapes, None)[: max(2, len(sample.shapes))]
    if not isinstance(second, tuple):
        return None
    return sample._replace(shapes=(first, tuple(n + 5 for n in second), *rest))


def far_axis(op: Op, sample: Sample) -> Sample | None:
    """Return a sample with an axis that none of its tensors has."""
    return sample._replace(attrs={**sample.attrs, "axis": 99}) if "axis" in op.defaults else None


def answer(op: Op, mistaken: Callable[[Op, Sample], Sample | None]) -> str | None:
    """Return the error of a mistake in the first sample, None if it is none."""
    sample = mistaken(op, op.samples[0])
    try:
        if sample is not None:
            results(op, sample, np.dtype("float32"))
    except MinipaddleError as error:
        return kind_of(error)
    return None


def kind_of(error: Exception) -> str:
    """Return the name of Python's own class among those of an error."""
    names = (cls.__name__ for cls in type(error).__mro__)
    return next(name for name in names if hasattr(builtins, name))


def in_words(names: list[str]) -> str:
    """Name dtypes, whole kinds by one word."""
    if len(names) == len(dtypes.ALL):
        return "all"
    words = []
    for kind, members in KINDS.items():
        if set(members.split()) <= set(names):
            words.append(kind)
            names = [name for name in names if name not in members.split()]
    return ", ".join([*words, *names])
