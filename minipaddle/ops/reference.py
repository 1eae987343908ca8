"""Signatures and docstrings of public functions, derived from their records.

The docstring of the kernel has the sentence and the example. Shapes, dtypes and errors are
obtained from the record's inference with its first sample, when the docstring is read.
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

if TYPE_CHECKING:
    from .op_spec import Op
    from .record import Public, Sample

Parameter = inspect.Parameter
NAME = Parameter("name", Parameter.POSITIONAL_OR_KEYWORD, default=None)
OUT = Parameter("out", Parameter.KEYWORD_ONLY, default=None)

# Our folder -> Paddle's module, for ops that are not functions of `paddle` itself.
HOMES = {"networks": "paddle.nn.functional", "matrices": "paddle.linalg"}
KINDS = {
    "floating": "float16 float32 float64",
    "complex": "complex64 complex128",
    "integers": "uint8 int8 int16 int32 int64",
}
LABELS = ("Forward:", "Shapes:", "Dtypes:", "Errors:")


@functools.cache
def public_function(op: Op, name: str = "") -> Any:
    """Return the public function of a record under one of its names, with a docstring."""
    function: Any = op.call
    if name and name != op.name:
        return op.rename_function(public_function(op), name)
    if function.__doc__ is None:
        options = next(iter(op.options.values()), None)
        function.__signature__ = inspect.signature(options) if options else signature(op.definition)
        function.__doc__ = docstring(op, op.doc, home_of(op.definition.__module__, op.public))
    return function


def describe(function: Any, home: str) -> None:
    """Complete the docstring of a hand-written function.

    `home` is Paddle's module for it. If a record has the name and the parameters of the function,
    its facts are added.
    """
    doc = inspect.getdoc(function) or ""
    if "Source:" in doc:
        return
    op = getattr(function, "op", None) or REGISTRY.get(function.__name__)
    code = inspect.unwrap(function).__code__
    if op is None or not {*op.inputs} <= {*code.co_varnames[: code.co_argcount]}:
        function.__doc__ = add_facts(doc, [f"Source: Paddle's `{home}.{function.__name__}`."])
    else:
        function.__doc__ = docstring(op, doc or op.doc, home)


def home_of(module: str, public: Public | None) -> str:
    """Return Paddle's module for a function of one of our modules."""
    if public is not None and public.function:
        return "paddle"
    elsewhere = "paddle.Tensor" if public else "paddle"
    return HOMES.get(module.split(".")[-2], elsewhere)


def signature(kernel: Any) -> inspect.Signature:
    """Make the signature of a public function: tensors, attributes, `name` and `out`.

    The first parameter of the kernel is the array namespace. Its keyword-only parameters are the
    attributes, which a call may also pass by position.
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
    return add_facts(doc, [*formulas(op), *facts(op), source])


def add_facts(doc: str, lines: Iterable[str]) -> str:
    """Insert lines before the example of a docstring, except those that it has already."""
    text, prompt, example = doc.partition(">>>")
    own = {line.partition(":")[0] for line in text.splitlines()}
    lines = [line for line in lines if line.partition(":")[0] not in own]
    last = text.rstrip().rpartition("\n\n")[2]
    gap = "\n" if last.startswith(LABELS) else "\n\n"
    body = gap.join(filter(None, (text.rstrip(), "\n".join(lines))))
    return "\n\n".join(filter(None, (body, prompt + example)))


def formulas(op: Op) -> Iterator[str]:
    """Yield the formulas of a record that are the same for all attributes."""
    if op.formula.forward and isinstance(op.formula.forward, str):
        yield f"Forward: {op.formula.forward}"
    backward = {
        op.formula.backward or derive_formula(op, sample) for sample in op.samples if op.rule
    }
    if len(backward) == 1 and isinstance(formula := backward.pop(), str) and formula:
        yield f"Backward: {formula}"


def derive_formula(op: Op, sample: Sample) -> str:
    """Derive the formula of the gradients of a sample from the rule."""
    from .symbols import gradient_formula  # only for the documentation

    made = infer_results(op, sample, sample.dtype)
    row = [each for one in sample.shapes for each in (one if isinstance(one, list) else [one])]
    inputs = [shape if shape is None else (shape, sample.dtype.name) for shape in row]
    outputs = [(meta.shape, meta.dtype.name) for meta in made]
    return gradient_formula(op, op.complete(sample.attrs), inputs, outputs)


def facts(op: Op) -> Iterator[str]:
    """Yield the lines about shapes, dtypes and errors, from the record's inference."""
    if op.samples and op.inputs:
        yield f"Shapes: {describe_shapes(op)}."
        kept, changed, refused = infer_dtypes(op)
        rule = (
            "any; the result has `dtype`" if op.name == "cast" else describe_changes(kept, changed)
        )
        mixed = f" {inspect.getdoc(op.promotes)}" if op.promotes else ""
        yield f"Dtypes: {rule}.{mixed}"
        yield f"Errors: {describe_errors(op, refused)}."


def describe_shapes(op: Op) -> str:
    """Describe the shapes of inputs and results."""
    if op.broadcasts:
        return f"{' and '.join(op.inputs)} are broadcast to one shape, the result's"
    if all(infer_shapes(op, sample) == [s] for sample in op.samples for s in sample.shapes[:1]):
        others = "" if len(op.inputs) == 1 else f", of {op.inputs[0]}"
        return f"any; the result has the same{others}"
    sample = next((s for s in op.samples if s.attrs), op.samples[0])
    operands = ", ".join(
        f"{name} {write_shape(shape)}"
        for name, shape in zip(op.inputs, sample.shapes, strict=True)
        if shape is not None
    )
    attrs = "".join(f", {key}={value!r}" for key, value in sample.attrs.items())
    outcome = " and ".join(map(write_shape, infer_shapes(op, sample)))
    return f"for example {operands}{attrs} gives {outcome}"


def write_shape(shape: Any) -> str:
    return " and ".join(map(write_shape, shape)) if isinstance(shape, list) else str([*shape])


def infer_dtypes(op: Op) -> tuple[list[str], dict[str, list[str]], dict[str, list[str]]]:
    """Return dtypes without change, result -> dtypes that give it, and error -> dtypes."""
    kept: list[str] = []
    changed: dict[str, list[str]] = {}
    refused: dict[str, list[str]] = {}
    for name, dtype in dtypes.ALL.items():
        try:
            out = infer_results(op, op.samples[0], dtype.numpy)[0].dtype.name
        except MinipaddleError as error:
            refused.setdefault(kind_of(error), []).append(name)
        else:
            (kept if out == name else changed.setdefault(out, [])).append(name)
    return kept, changed, refused


def describe_changes(kept: list[str], changed: dict[str, list[str]]) -> str:
    """Describe the dtypes of the results."""
    if len(changed) == 1 and kept == [*changed]:
        return f"{describe_dtypes([*kept, *changed[kept[0]]])} give {kept[0]}"
    parts = [f"{describe_dtypes(kept)} kept"] if kept else []
    for out, names in changed.items():
        parts.append(f"{describe_dtypes(names)} {'gives' if len(names) == 1 else 'give'} {out}")
    return "; ".join(parts)


def describe_errors(op: Op, refused: dict[str, list[str]]) -> str:
    """Describe the errors of wrong arguments."""
    mistakes: dict[str, list[str]] = {}
    for kind, mistake in (
        ("ValueError", f"if {' or '.join(op.inputs)} is not a Tensor"),
        (
            "ValueError" if op.broadcasts else error_of(op, misfit_sample),
            "if the shapes do not fit",
        ),
        ("TypeError" if op.promotes else None, "if the dtypes do not mix"),
        (error_of(op, far_axis_sample), "if there is no such axis"),
        *((kind, f"for {describe_dtypes(names)}") for kind, names in refused.items()),
    ):
        if kind is not None:
            mistakes.setdefault(kind, []).append(mistake)
    return "; ".join(f"{kind} {', '.join(texts)}" for kind, texts in mistakes.items())


# ----- results of inference ----------------------------------------------------------------------


def infer_results(op: Op, sample: Sample, dtype: Any) -> list[Meta]:
    """Infer the results of a sample with tensors of this dtype."""

    def meta(shape: Any, name: str) -> Any:
        if shape is None or isinstance(shape, list):
            return shape and [meta(item, name) for item in shape]
        return Meta(shape, np.dtype("int64") if name in sample.ints else dtype)

    metas = [meta(shape, name) for shape, name in zip(sample.shapes, op.inputs, strict=True)]
    result_metas = op.infer(*metas, **op.complete(sample.attrs))
    return [result_metas] if isinstance(result_metas, Meta) else list(result_metas)


def infer_shapes(op: Op, sample: Sample) -> list[tuple[int, ...]]:
    """Infer the shapes of a sample's results."""
    return [meta.shape for meta in infer_results(op, sample, sample.dtype)]


def misfit_sample(op: Op, sample: Sample) -> Sample | None:
    """Return a sample whose second tensor is too large for the first."""
    first, second, *rest = (*sample.shapes, None)[: max(2, len(sample.shapes))]
    if not isinstance(second, tuple):
        return None
    return sample._replace(shapes=(first, tuple(n + 5 for n in second), *rest))


def far_axis_sample(op: Op, sample: Sample) -> Sample | None:
    """Return a sample with an axis that none of its tensors has."""
    return sample._replace(attrs={**sample.attrs, "axis": 99}) if "axis" in op.defaults else None


def error_of(op: Op, mistaken: Callable[[Op, Sample], Sample | None]) -> str | None:
    """Return the kind of error of a mistake in the first sample, None if it raises none."""
    sample = mistaken(op, op.samples[0])
    try:
        if sample is not None:
            infer_results(op, sample, sample.dtype)
    except MinipaddleError as error:
        return kind_of(error)
    return None


def kind_of(error: Exception) -> str:
    """Return the name of the built-in class of an error."""
    names = (cls.__name__ for cls in type(error).__mro__)
    return next(name for name in names if hasattr(builtins, name))


def describe_dtypes(names: list[str]) -> str:
    """Join names of dtypes, with one word for a whole kind."""
    if len(names) == len(dtypes.ALL):
        return "all"
    words = []
    for kind, members in KINDS.items():
        if set(members.split()) <= set(names):
            words.append(kind)
            names = [name for name in names if name not in members.split()]
    return ", ".join([*words, *names])
