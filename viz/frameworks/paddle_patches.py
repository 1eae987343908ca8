"""The places of Paddle that are patched while a thread records."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import paddle
from paddle import _C_ops
from paddle.autograd import py_layer
from paddle.base import core

from .paddle_tensors import Tensor
from .patches import Patches

OPERATORS = (
    "add radd sub rsub mul rmul div rdiv truediv rtruediv floordiv rfloordiv mod rmod pow rpow "
    "matmul rmatmul eq ne gt ge lt le"
)
METHODS = {f"__{name}__" for name in OPERATORS.split()}
METHODS |= {"_getitem_dygraph", "_setitem_dygraph", "clone"}


def install(patches: Patches) -> None:
    """Put the patches of Paddle in place."""
    kinds = types.BuiltinFunctionType
    ops = {f: name for name, f in vars(_C_ops).items() if isinstance(f, kinds)}
    new = {f: _op(name, f) for f, name in ops.items() if not name.startswith("_")}
    for name, module in [*sys.modules.items()]:
        # Modules of Paddle import some operators by their names.
        if name.split(".")[0] == "paddle" and "libpaddle" not in name:
            for key, value in [*vars(module).items()]:
                if isinstance(value, kinds) and value in new:
                    patches.put(module, key, new[value])
    for name in METHODS & vars(Tensor).keys():
        patches.put(Tensor, name, _op(name, vars(Tensor)[name]))
    for name, method in (
        ("detach", "detach"), ("register_hook", "register_hook"), ("set_value", "set_value"),
        ("retain_grads", "retain_grads"), ("_new_shared_tensor", "share"), ("_use_gpudnn", "share"),
    ):  # fmt: skip
        patches.put(Tensor, name, patches.through(method, vars(Tensor)[name]))
    grad = vars(Tensor)["grad"]
    patches.put(Tensor, "grad", property(patches.through("read_grad", grad.__get__), grad.__set__))
    places: tuple[tuple[Any, str, str], ...] = (
        (paddle.nn.Layer, "__call__", "call_layer"),
        (py_layer.PyLayerContext, "save_for_backward", "save"),
        (py_layer.PyLayerBackward, "backward", "apply_backward"),
        (core.eager, "run_backward", "backward"),
        (core.eager, "run_partial_grad", "partial_backward"),
    )
    marks = ("mark_not_inplace", "mark_non_differentiable", "set_materialize_grads")
    for name in (*marks, "set_grad_in_dtype_consistent"):
        places += ((py_layer.PyLayerContext, name, "mark"),)
    for owner, name, method in places:
        patches.put(owner, name, patches.through(method, vars(owner)[name]))
    patches.put(py_layer.PyLayer, "apply", classmethod(patches.through("apply", _plain_apply)))
    patches.put(py_layer.PyLayerBackward, "__init__", _begin_context)
    kinds_of = [paddle.optimizer.Optimizer]
    for kind in kinds_of:
        kinds_of += kind.__subclasses__()
        for name in {"step", "minimize"} & vars(kind).keys():
            patches.put(kind, name, patches.through("step", vars(kind)[name]))


PATCHES = Patches(install)


def _plain_apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
    return super(py_layer.PyLayer, cls).apply(*args, **kwargs)


def _begin_context(context: Any) -> None:
    source = PATCHES.source_here()
    if source is not None:
        source.begin_context(context)


def _op(name: str, original: Any) -> Callable[..., Any]:
    """Return a function in whose place this thread's Source sees an operator at work."""

    def run(*args: Any, **kwargs: Any) -> Any:
        source = PATCHES.source_here()
        if source is None or source.things.inside:
            return original(*args, **kwargs)
        return source.op(name, original, args, kwargs)

    return run
