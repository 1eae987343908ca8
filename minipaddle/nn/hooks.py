"""Hooks of layers: registered in order, removed by the handle that registering returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..engine import naming
from ..engine.errors import PreconditionNotMet
from . import errors


class ForwardHook(NamedTuple):
    """Forward hook with its settings."""

    hook: Any
    with_kwargs: bool = False
    always: bool = False  # also after a forward that failed

    def after(self, layer: Any, inputs: Any, kwargs: Any, outputs: Any) -> Any:
        """Call the hook with the outputs; None leaves them as they are."""
        given = (layer, inputs, kwargs) if self.with_kwargs else (layer, inputs)
        return self.hook(*given, outputs)


class HookRemoveHelper:
    """Handle that removes a registered hook."""

    def __init__(self, hooks: dict[int, Any], hook: Any, prepend: bool = False) -> None:
        self._hooks, self._number = hooks, naming.next_id()
        others = dict(hooks) if prepend else {}
        if prepend:
            hooks.clear()
        hooks.update({self._number: hook, **others})

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self._number, None)


# Called after each hook: the hook, "before" or "after", its arguments, its result.
Notify = Callable[[Any, str, Any, Any], None]


def before(layer: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any], notify: Notify) -> Any:
    """Let each pre-hook replace the inputs; one value counts as a tuple of one."""
    for entry in list(layer._before.values()):
        given = (*inputs, *kwargs.values())
        if entry.with_kwargs:
            result = entry.hook(layer, inputs, kwargs)
            if result is not None:
                inputs, kwargs = _both(result)
        else:
            result = entry.hook(layer, inputs)
            if result is not None:
                inputs = result if isinstance(result, tuple) else (result,)
        made = None if result is None else (*inputs, *kwargs.values())
        notify(entry.hook, "before", given, made)
    return inputs, kwargs


def _both(result: Any) -> Any:
    if isinstance(result, tuple) and len(result) == 2:
        return result
    what = "forward pre-hook must return None or a tuple of (new_args, new_kwargs)."
    fix = "return (args, kwargs), or register the hook without with_kwargs"
    raise errors.wrong_type(what, result, "None, or (args, kwargs)", fix, PreconditionNotMet)


def ignore(_hook: Any, _when: str, _given: Any, _made: Any) -> None:
    """Ignore a hook that ran."""


def call(
    layer: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any], notify: Notify = ignore
) -> Any:
    """Run forward between the hooks; each post-hook may replace the outputs."""
    try:
        inputs, kwargs = before(layer, inputs, kwargs, notify)
        outputs = layer.forward(*inputs, **kwargs)
    except Exception:
        for entry in list(layer._after.values()):
            if entry.always:
                entry.after(layer, inputs, kwargs, None)
        raise
    for entry in list(layer._after.values()):
        result = entry.after(layer, inputs, kwargs, outputs)
        notify(entry.hook, "after", outputs, result)
        outputs = outputs if result is None else result
    return outputs
