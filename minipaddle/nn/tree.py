"""Members of a layer by path: sublayers, parameters, buffers; and state dicts."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.source_line import stacklevel
from ..engine.tensor import detach
from . import errors, hooks
from .support import copy_into, reason_to_skip


class Tree:
    """Base class with the methods of Layer that find members by path: `0.weight`."""

    _transient: set[str]  # names of buffers that are not saved
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _sub_layers: dict[str, Any]
    _state_hooks: dict[int, Any]

    # ----- layers -----

    def named_sublayers(
        self,
        prefix: str = "",
        include_self: bool = False,
        layers_set: Any = None,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        """Yield all sublayers with their paths, `0.fc`, each once."""
        seen = set() if layers_set is None else layers_set
        stack: list[tuple[str, Any]] = [(prefix, self)]
        while stack:
            path, layer = stack.pop()
            if remove_duplicate and layer in seen:
                continue
            seen.add(layer)
            if layer is not self or include_self:
                yield path, layer
            inner = layer._sub_layers.items()
            stack += [(f"{path}.{name}" if path else name, sub) for name, sub in inner][::-1]

    def sublayers(self, include_self: bool = False) -> list[Any]:
        """Return all sublayers, with those of sublayers."""
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    def named_modules(
        self, memo: Any = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Return this layer and all sublayers with their paths."""
        return self.named_sublayers(prefix, True, memo, remove_duplicate)

    def modules(self) -> Iterator[Any]:
        """Yield this layer and all sublayers."""
        yield from self.sublayers(include_self=True)

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """Yield the direct sublayers by name."""
        yield from self._sub_layers.items()

    def children(self) -> Iterator[Any]:
        """Yield the direct sublayers."""
        yield from self._sub_layers.values()

    # ----- tensors -----

    def _walk_members(
        self, which: str, prefix: str, deep: bool, once: bool = True
    ) -> Iterator[tuple[str, Any]]:
        seen: set[Any] = set()  # tensors hash by identity
        layers: Any = self.named_sublayers(prefix, True) if deep else [(prefix, self)]
        for path, layer in layers:
            for name, value in getattr(layer, which).items():
                if value is None or (once and value in seen):
                    continue
                seen.add(value)
                yield (f"{path}.{name}" if path else name), value

    def named_parameters(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Return all parameters with their paths, `0.weight`, each once."""
        return self._walk_members("_parameters", prefix, include_sublayers, remove_duplicate)

    def parameters(self, include_sublayers: bool = True) -> list[Any]:
        """Return all parameters, with those of sublayers."""
        return [value for _, value in self.named_parameters("", include_sublayers)]

    def named_buffers(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Return all buffers with their paths, each once."""
        return self._walk_members("_buffers", prefix, include_sublayers, remove_duplicate)

    def buffers(self, include_sublayers: bool = True) -> list[Any]:
        """Return all buffers, with those of sublayers."""
        return [value for _, value in self.named_buffers("", include_sublayers)]

    # ----- by path -----

    def get_sublayer(self, target: str) -> Any:
        """Return the layer, parameter or buffer at a path: `1.fc`, `1.fc.weight`."""
        place: Any = self
        for step in target.split(".") if target else ():
            rows = (place._sub_layers, place._parameters, place._buffers) if place else ()
            inner = next((row[step] for row in rows if step in row), None)
            if inner is None:
                names = (name for row in rows for name in row)
                raise errors.no_such_step(place, step, target, names)
            place = inner if hasattr(inner, "_sub_layers") else None
        return inner if target else self

    get_submodule = get_parameter = get_buffer = get_sublayer

    # ----- saving and loading -----

    def state_dict(
        self,
        destination: dict[str, Any] | None = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
        keep_vars: bool = True,
    ) -> dict[str, Any]:
        """Return what is saved, by path: for each layer its parameters, then its buffers.

        Without `keep_vars` the tensors are detached.
        """
        return self._collect_state(
            destination, include_sublayers, structured_name_prefix, use_hook, keep_vars, False
        )

    def to_static_state_dict(
        self,
        destination: dict[str, Any] | None = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
        keep_vars: bool = True,
    ) -> dict[str, Any]:
        """Return `state_dict` together with the buffers that are not saved."""
        return self._collect_state(
            destination, include_sublayers, structured_name_prefix, use_hook, keep_vars, True
        )

    def _collect_state(
        self,
        destination: Any,
        deep: bool,
        prefix: str,
        use_hook: bool,
        keep: bool,
        unsaved_too: bool,
    ) -> dict[str, Any]:
        state = OrderedDict() if destination is None else destination
        layers: Any = self.named_sublayers("", True) if deep else [("", self)]
        for path, layer in layers:
            for name, value in (*layer._parameters.items(), *layer._buffers.items()):
                unsaved = name in layer._transient and name not in layer._parameters
                if value is not None and (unsaved_too or not unsaved):
                    full = f"{path}.{name}" if path else name
                    state[prefix + full] = value if keep else detach(value)
        for hook in list(self._state_hooks.values()) if use_hook else ():
            changed = hook(state)
            state = state if changed is None else changed
        return state

    def register_state_dict_hook(self, hook: Any) -> hooks.HookRemoveHelper:
        """Call `hook(state)` with the result of `state_dict`; a result of the hook replaces it."""
        return hooks.HookRemoveHelper(self._state_hooks, hook)

    def set_state_dict(
        self, state_dict: Mapping[str, Any], use_structured_name: bool = True
    ) -> tuple[list[str], list[str]]:
        """Load saved values; returns the missing names and the unexpected ones.

        A value of another shape is left out and named in both lists. Each missing name gives a
        warning.
        CheckFailed (AssertionError) for another dtype, and then nothing is copied.
        """
        if not isinstance(state_dict, Mapping):
            raise errors.state_not_dict(state_dict)
        missing, fitting = [], {}
        state = self._collect_state(None, True, "", False, True, False)
        for path, tensor in state.items():
            name = path if use_structured_name else tensor.name
            problem = "is not found in the provided dict"
            if name in state_dict:
                problem = reason_to_skip(tensor, state_dict[name])
            if problem:
                warnings.warn(
                    f"Skip loading for {path}. {name} {problem}.", stacklevel=stacklevel()
                )
                missing.append(name)
            else:
                fitting[name] = tensor
        for name, tensor in fitting.items():
            copy_into(tensor, state_dict[name])
        return missing, [name for name in state_dict if name not in fitting]

    load_dict = set_dict = set_state_dict
