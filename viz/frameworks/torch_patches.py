"""Patches of PyTorch: in place while any thread records, and passed through by all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import Any

import torch
from torch.optim import optimizer as optimizers

_sources: dict[int, Any] = {}  # thread -> the Source that emits events for it
_lock = Lock()
_before: list[tuple[Any, str, Any]] = []  # what the patches replace
_handles: list[Any] = []


def source_here() -> Any:
    """Return the Source of this thread, or None."""
    return _sources.get(get_ident())


@contextmanager
def emitting(source: Any) -> Iterator[None]:
    """Let a Source see the work of this thread inside the block."""
    with _lock:
        _sources[get_ident()] = source
        if len(_sources) == 1:
            _install()
    try:
        yield
    finally:
        with _lock:
            del _sources[get_ident()]
            if not _sources:
                _remove()


def _install() -> None:
    function = torch.autograd.function
    places: tuple[tuple[Any, str, str], ...] = (
        (function.Function, "apply", "apply"),
        (function.BackwardCFunction, "apply", "apply_backward"),
        (function.FunctionCtx, "save_for_backward", "save"),
        (torch.nn.Module, "__call__", "call_module"),
        (torch.autograd, "_engine_run_backward", "backward"),
    )
    for owner, name, method in places:
        old = vars(owner)[name]
        _before.append((owner, name, old))
        is_class_method = isinstance(old, classmethod)
        new = _through(method, old.__func__ if is_class_method else old)
        setattr(owner, name, classmethod(new) if is_class_method else new)
    _handles.append(optimizers.register_optimizer_step_pre_hook(_hook("step_begins")))
    _handles.append(optimizers.register_optimizer_step_post_hook(_hook("step_ends")))


def _remove() -> None:
    while _before:
        owner, name, old = _before.pop()
        setattr(owner, name, old)
    while _handles:
        _handles.pop().remove()


def _through(method: str, original: Any) -> Callable[..., Any]:
    """Return a function in whose place this thread's Source runs `method(original, ...)`."""

    def run(*args: Any, **kwargs: Any) -> Any:
        source = source_here()
        if source is None or torch._C._are_functorch_transforms_active():
            return original(*args, **kwargs)
        return getattr(source, method)(original, *args, **kwargs)

    return run


def _hook(method: str) -> Callable[..., None]:
    def run(*args: Any) -> None:
        source = source_here()
        if source is not None:
            getattr(source, method)(*args)

    return run
