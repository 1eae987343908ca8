"""The places of PyTorch that are patched while a thread records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import distributed
from torch.optim import optimizer as optimizers

from .patches import Patches
from .torch_ranks import CALLS, OTHERS


def install(patches: Patches) -> None:
    """Put the patches of PyTorch in place."""
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
        is_class_method = isinstance(old, classmethod)
        new = patches.through(method, old.__func__ if is_class_method else old)
        patches.put(owner, name, classmethod(new) if is_class_method else new)
    if distributed.is_available():
        for name in (*CALLS, *OTHERS.split()):
            method = "collective" if name in CALLS else "unseen_collective"
            patches.put(distributed, name, patches.through(method, getattr(distributed, name)))
        patches.put(distributed.Work, "wait", patches.through("wait", distributed.Work.wait))
    patches.handles += [
        optimizers.register_optimizer_step_pre_hook(_hook("step_begins")),
        optimizers.register_optimizer_step_post_hook(_hook("step_ends")),
    ]


PATCHES = Patches(install, torch._C._are_functorch_transforms_active)


def _hook(method: str) -> Callable[..., None]:
    def run(*args: Any) -> None:
        source = PATCHES.source_here()
        if source is not None:
            getattr(source, method)(*args)

    return run
