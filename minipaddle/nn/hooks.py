"""Hooks of layers, in the order of their registration, and handles that remove them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..engine import naming
from ..engine.errors import PreconditionNotMet
from . import errors


class ForwardHook(NamedTuple):
    """A hook of a layer with its settings."""

    hook: Any
    with_kwargs: bool = False
    always: bool = False  # whether it is called even if forward failed

    def after(self, layer: Any, inputs: Any, kwargs: Any, outputs: Any) -> Any:
        """Call the hook after forward and return its result; None keeps the outputs."""
        arguments = (layer, inputs, kwargs) if self.with_kwargs else (layer, inputs)
        return self.hook(*arguments, outputs)


class HookRemoveHelper:
    """A handle that removes a registered hook."""

    def __init__(self, hooks: dict[int, Any], hook: Any, prepend: bool = False) -> None:
        self._hooks, self._number = hooks, naming.next_id()
        others = dict(hooks) if prepend else {}
        if prepend:
            hooks.clear()
        hooks.update({self._number: hook, **others})

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self._number, None)


# Function called after each hook: gets the hook, "before" or "after", its arguments and its result.
Notify = Callable[[Any, str, Any, Any], None]


def prepare(layer: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any], notify: Notify) -> Any:
    """Call the pre-hooks and return the inputs and keyword arguments after them."""
    for entry in list(layer._before.values()):
        arguments = (*inputs, *kwargs.values())
        if entry.with_kwargs:
            result = entry.hook(layer, inputs, kwargs)
            if result is not None:
                inputs, kwargs = _check_pair(result)
        else:
            result = entry.hook(layer, inputs)
            if result is not None:
                inputs = result if isinstance(result, tuple) else (result,)
        replaced = None if result is None else (*inputs, *kwargs.values())
        notify(entry.hook, "before", arguments, replaced)
    return inputs, kwargs


def _check_pair(result: Any) -> Any:
    if isinstance(result, tuple) and len(result) == 2:
        return result
    what = "forward pre-hook must return None or a tuple of (new_args, new_kwargs)."
    fix = "return (args, kwargs), or register the hook without with_kwargs"
    raise errors.wrong_type(what, result, "None, or (args, kwargs)", fix, PreconditionNotMet)


def ignore(_hook: Any, _when: str, _seen: Any, _result: Any) -> None:
    """Do nothing when a hook has run."""


def call(
    layer: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any], notify: Notify = ignore
) -> Any:
    """Call the pre-hooks, forward and the post-hooks; each post-hook may replace the outputs."""
    try:
        inputs, kwargs = prepare(layer, inputs, kwargs, notify)
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
