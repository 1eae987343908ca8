"""Forward hooks of layers: kept in order, taken off again by what registering returned."""

from __future__ import annotations

from typing import Any

from .. import naming


class HookRemoveHelper:
    """Takes a hook off again."""

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self._hooks, self._number = hooks, naming.next_id()
        hooks[self._number] = hook

    def remove(self) -> None:
        """Nothing happens the second time."""
        self._hooks.pop(self._number, None)


def before(layer: Any, hooks: dict[int, Any], inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Let each `hook(layer, inputs)` replace the inputs; one value counts as a tuple of one."""
    for hook in list(hooks.values()):
        result = hook(layer, inputs)
        if result is not None:
            inputs = result if isinstance(result, tuple) else (result,)
    return inputs


def after(layer: Any, hooks: dict[int, Any], inputs: tuple[Any, ...], outputs: Any) -> Any:
    """Let each `hook(layer, inputs, outputs)` replace the outputs."""
    for hook in list(hooks.values()):
        result = hook(layer, inputs, outputs)
        outputs = outputs if result is None else result
    return outputs
