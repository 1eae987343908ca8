"""Gradients asked for by function: paddle.grad and paddle.autograd.backward."""

from __future__ import annotations

from typing import Any
from weakref import ref

from ..errors import misfit
from ..messages import Message
from . import files, modes, naming, refusals
from .backward import gradients, make_seed, run
from .errors import AlreadyExists, CheckFailed, InvalidType
from .stop_reasons import passes
from .tensor import Accumulation, Tensor, node_of


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,  # has no effect, as in Paddle: the graph is never freed
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
    *,
    dump_backward_graph_path: str | None = None,
) -> list[Any]:
    """Return the gradients of the outputs' sum with respect to the inputs, without touching
    `.grad`.

    With create_graph=True the results can be differentiated again. InvalidArgument (ValueError)
    for an input that the outputs do not depend on, unless allow_unused.
    Source: Paddle's `paddle.grad`.

    Shapes and dtypes are the inputs'.
    Errors: AssertionError if outputs is not a Tensor; ValueError for an input that the outputs do
    not depend on, unless allow_unused.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor(3.0, stop_gradient=False)
    >>> dx, = paddle.grad(x * x, x, create_graph=True)
    >>> ddx, = paddle.grad(dx, x)
    >>> float(dx), float(ddx)
    (6.0, 2.0)
    """
    if tracer := modes.tracer():
        constant = no_grad_vars, create_graph, allow_unused
        traced: list[Any] = tracer.training.grad(outputs, inputs, grad_outputs, *constant)
        return traced
    if modes.is_static():
        raise _static_mode_error("grad")
    outputs, inputs = _tensor_list("outputs", outputs), _tensor_list("inputs", inputs)
    seeds = _read_seeds("grad_outputs", grad_outputs, outputs)
    _check_bool("create_graph", create_graph)
    _check_bool("retain_graph", True if retain_graph is None else retain_graph)
    _check_bool("allow_unused", allow_unused)
    _check_bool("only_inputs", only_inputs)
    if not only_inputs:
        raise refusals.invalid(
            "only_inputs=False is not supported yet.", "only_inputs=True", "False"
        )
    for name, tensors in (("inputs", inputs), ("outputs", outputs)):
        if _has_duplicates(tensors):
            fix, shapes = f"name each of the {name} once", [list(t.shape) for t in tensors]
            expected = f"different tensors as {name}"
            raise misfit("grad", expected, AlreadyExists, fix, shapes=shapes)
    constants = [] if no_grad_vars is None else no_grad_vars
    constants = list(constants) if isinstance(constants, set) else constants
    blocked = {t._node or t for t in _tensor_list("no_grad_vars", constants, empty=True)}
    if all(t._stop for t in outputs) and not allow_unused:
        raise refusals.unused_tensor("output", 0)
    seed_maker = _graph_seed if create_graph else make_seed
    started = [(t, s) for t, s in zip(outputs, seeds, strict=True) if not t._stop]
    roots = [t for t, _ in started]
    given = [seed for _, seed in started]
    seeds = [seed_maker(t, s) for t, s in started]
    targets = [None if t._stop or (t._node or t) in blocked else t._node or t for t in inputs]
    if dump_backward_graph_path is not None:
        dump_graph(dump_backward_graph_path, outputs)
    before = modes.grad_enabled.get()
    try:
        modes.grad_enabled.set(create_graph)
        grads = gradients(roots, seeds, targets, create_graph, blocked, given)
    finally:
        modes.grad_enabled.set(before)
    for position, g in enumerate(grads):
        if g is None and not allow_unused:
            raise refusals.unused_tensor("input", position)
    return grads


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool = False,
    *,
    dump_backward_graph_path: str | None = None,
) -> None:
    """Add the gradients of all these tensors to the `.grad` of the leaves they depend on.

    `grad_tensors` gives the gradients to start with, None for ones.
    Source: Paddle's `paddle.autograd.backward`.

    Shapes and dtypes: a gradient has those of its tensor.
    Errors: AssertionError for anything but Tensors.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor(3.0, stop_gradient=False)
    >>> paddle.autograd.backward([x * 2, x * 5])
    >>> float(x.grad)
    7.0
    """
    if modes.is_static():
        raise _static_mode_error("backward")
    tensors = _tensor_list("tensors", tensors)
    if _has_duplicates(tensors):
        shapes = [list(t.shape) for t in tensors]
        fix = Message("name each of them once")
        raise misfit("backward", "different tensors", CheckFailed, fix, shapes=shapes)
    seeds = _read_seeds("grad_tensors", grad_tensors, tensors)
    started = [(t, s) for t, s in zip(tensors, seeds, strict=True) if not t._stop]
    roots = [t for t, _ in started]
    given = [seed for _, seed in started]
    seeds = [make_seed(t, s) for t, s in started]
    if dump_backward_graph_path is not None:
        dump_graph(dump_backward_graph_path, tensors)
    passes.number += 1
    passes.roots = tuple(ref(t) for t in tensors)
    if roots:
        run(roots, seeds, retain_graph, given)


def _static_mode_error(name: str) -> Exception:
    what = f"We only support '{name}()' in dynamic graph mode."
    fix = "please call 'paddle.disable_static()', or use paddle.static.gradients"
    return refusals.only_dynamic(what, fix)


def _graph_seed(tensor: Tensor, given: Tensor | None) -> Tensor:
    """Return the first gradient as a Tensor: ones, or the user's, with its history if no cast."""
    seed = make_seed(tensor, given)
    return Tensor(seed) if given is None or given._data.dtype != seed.dtype else given


def _tensor_list(name: str, value: Any, empty: bool = False) -> list[Any]:
    row = list(value) if isinstance(value, (list, tuple)) else [value]
    for item in row:
        if not isinstance(item, Tensor):
            raise refusals.invalid(
                f"{name} must be Tensor or list of Tensor.", "Tensors", type(item).__name__
            )
    if not row and not empty:
        raise refusals.invalid(f"{name} cannot be empty.", "at least one Tensor", "an empty list")
    return row


def _read_seeds(name: str, given: Any, tensors: list[Any]) -> list[Any]:
    if given is None:
        return [None] * len(tensors)
    row = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(row) != len(tensors):
        expected = f"as many {name} as tensors, {len(tensors)}"
        raise misfit("", expected, CheckFailed, **{name: len(row)})
    for item in row:
        if item is not None and not isinstance(item, Tensor):
            raise refusals.no_seed(name, item)
    pairs = zip(row, tensors, strict=True)
    return [None if seed is None else _reshape_seed(seed, tensor) for seed, tensor in pairs]


def _reshape_seed(seed: Any, tensor: Tensor) -> Any:
    """Return a first gradient in its tensor's shape if only the shape differs, as [1] for []."""
    shape, given = tensor._data.shape, seed._data
    if given.shape == shape or given.size != tensor._data.size:
        return seed
    return seed.reshape(list(shape))


def _check_bool(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise refusals.invalid(f"{name} must be True or False.", "a bool", f"{value!r:.40}")


def _has_duplicates(tensors: list[Tensor]) -> bool:
    return len(set(tensors)) < len(tensors)


# ----- dump of a graph ---------------------------------------------------------------------------


def dump_graph(folder: Any, tensors: list[Tensor]) -> None:
    """Write backward_graph_N.dot into a folder, which is made if it does not exist.

    Nodes are numbered in the order of discovery; arrows show where gradients go, each with the
    number of its input.
    """
    if not isinstance(folder, str):
        expected, fix = "the name of a folder, or None", 'write dump_backward_graph_path="graphs"'
        raise misfit("grad", expected, InvalidType, fix, dump_backward_graph_path=folder)
    content = graph_text([node_of(t._node or t) for t in tensors if not t._stop])
    path = f"{folder}/{naming.tensor_name('backward_graph')}.dot"
    files.write({path: content.encode("utf-8", "backslashreplace")}, make_folders=True)


def graph_text(roots: list[Any]) -> str:
    """Return the graph behind these nodes in the DOT language."""
    numbers: dict[Any, int] = {}
    nodes, arrows = [], []
    waiting = list(dict.fromkeys(roots))
    for node in waiting:
        numbers[node] = len(numbers)
    for node in waiting:  # the list grows
        label, shape = node.name(), "ellipse"
        if isinstance(node, Accumulation):
            label, shape = f"{label}\\n{_leaf_label(node.leaf)}", "box"
        nodes.append(f'  node_{numbers[node]} [label="{label}", shape={shape}];')
        for index, following in enumerate(node.next_functions):
            if following is None:
                continue
            if following not in numbers:
                numbers[following] = len(numbers)
                waiting.append(following)
            arrows.append(f'  node_{numbers[node]} -> node_{numbers[following]} [label="{index}"];')
    return "\n".join(["digraph backward {", *nodes, *arrows, "}", ""])


def _leaf_label(leaf: Tensor) -> str:
    name = (leaf._rare and leaf._rare.name) or ""
    shape = f"{leaf._data.dtype.name} {list(leaf._data.shape)}"
    return f"{name} {shape}".strip().replace('"', "'")
