"""Layer: a function with its own parameters, buffers and sublayers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from .. import events
from ..device import current_place, place_named
from ..engine import dtypes, modes, naming, source_line
from ..engine.dtypes import DType
from ..engine.errors import CheckFailed
from ..engine.tensor import Parameter, Tensor
from ..parameters.initializers import Initializer, ParamAttr, fallback_initializer
from . import errors, hooks
from .settings import Settings
from .support import cells_in, is_parameter, sizes_of, snake_case, tensors_in
from .tree import Tree
from .watched import Watched

# Listeners to whom a layer has reported all parameters inside.
_reported: WeakKeyDictionary[Layer, int] = WeakKeyDictionary()


class Layer(Settings):
    """A function with parameters: subclass it, make parameters and sublayers in
    `__init__`, and compute in `forward`.

    Parameters and sublayers that you assign to attributes are registered.
    Dtypes: parameters are float32 by default; shapes are for `forward` to say.
    Errors: NotImplementedError if it is called and has no `forward`.
    Source: Paddle's `paddle.nn.Layer`.

    >>> import minipaddle as paddle
    >>> class Net(paddle.nn.Layer):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.fc = paddle.nn.Linear(2, 1)
    ...     def forward(self, x):
    ...         return paddle.tanh(self.fc(x))
    >>> [name for name, _ in Net().named_parameters()]
    ['fc.weight', 'fc.bias']
    """

    training: bool
    _full_name: str
    _dtype: DType
    _role: str  # name of this layer in another layer

    def __init__(self, name_scope: str | None = None, dtype: Any = None) -> None:
        prefix = name_scope or snake_case(type(self).__name__)
        own = self.__dict__ = Watched(self.__dict__)
        own["training"] = True
        own["_full_name"] = naming.unique(prefix)
        own["_dtype"] = DType.of(dtype or dtypes.get_default())
        own["_role"] = ""
        own["_parameters"], own["_buffers"], own["_sub_layers"] = Watched(), Watched(), Watched()
        own["_transient"] = set()
        own["_before"], own["_after"], own["_state_hooks"] = Watched(), Watched(), Watched()

    # ----- calling -----

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        """Compute the outputs; every subclass defines this."""
        raise errors.no_forward(self)

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        if modes.gate_open:  # no name for the modes: a stored traceback would keep the gate open
            if modes.here().builder is not None:
                modes.here().builder.enter_layer(self)
            elif modes.here().listeners:
                return self._call_observed(inputs, kwargs)
        if self._before or self._after:
            return hooks.call(self, inputs, kwargs)
        return self.forward(*inputs, **kwargs) if kwargs else self.forward(*inputs)

    def _call_observed(self, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the layer and emit events at its begin and end, for listeners."""
        note_taker, notes, scope = events.note_taker(), events.notes, naming.next_id()
        source_line.record_caller(None)  # this frame may have the id of an ended frame
        place = note_taker.here(scope, "layer")
        source_line.record_caller(place)
        name = self._display_name()
        keep, series = note_taker.keep, note_taker.series
        arguments = cells_in((*inputs, *kwargs.values()) if kwargs else inputs, keep, series)
        members = {key: each.name for key, each in self._parameters_to_show() if each is not None}
        for key, buffer in self._buffers.items():
            if buffer is not None:
                members[key] = buffer.name
        note = scope, "layer", name, 0, place, members, bool(self.training)
        note_taker.enter((notes.scope_entered, *note, *arguments))
        try:
            if self._before or self._after:
                outputs = hooks.call(self, inputs, kwargs, partial(_emit_hook_ran, scope))
            else:
                outputs = self.forward(*inputs, **kwargs)
        except BaseException as error:
            events.failed("scope", scope, error, place)
            raise
        row = outputs if isinstance(outputs, (list, tuple)) else (outputs,)
        results = cells_in(row, keep, series)
        note_taker.leave((notes.scope_left, scope, "layer", name, 0, *results))
        return outputs

    def _parameters_to_show(self) -> Iterable[tuple[str, Any]]:
        """Return all parameters inside, by path, at the first observed call, to report them."""
        hearing = modes.here().hearing
        if not self._sub_layers or _reported.get(self) == hearing:
            return self._parameters.items()
        _reported[self] = hearing
        return Tree.named_parameters(self)

    def _display_name(self) -> str:
        """Return the name to show: `Linear 0` for a sublayer called 0, `LeNet_0` for a net."""
        kind = type(self).__name__
        if self._role:
            return f"{kind} {self._role}"
        scope, _, number = self._full_name.rpartition("_")
        return f"{kind}_{number}" if scope == snake_case(kind) else self._full_name

    def register_forward_pre_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False
    ) -> hooks.HookRemoveHelper:
        """Call `hook(layer, inputs)` before forward; a result replaces the inputs.

        `with_kwargs`: hook(layer, inputs, kwargs), and a result is a pair of both. `prepend`: the
        hook comes before the others.
        """
        return hooks.HookRemoveHelper(self._before, hooks.ForwardHook(hook, with_kwargs), prepend)

    def register_forward_post_hook(
        self,
        hook: Any,
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> hooks.HookRemoveHelper:
        """Call `hook(layer, inputs, outputs)` after forward; a result replaces the outputs.

        `with_kwargs`: hook(layer, inputs, kwargs, outputs). `always_call`: also when forward
        failed, with None as outputs. `prepend`: it comes before the others.
        """
        entry = hooks.ForwardHook(hook, with_kwargs, always_call)
        return hooks.HookRemoveHelper(self._after, entry, prepend)

    def backward(self, *inputs: Any) -> Any:  # noqa: ARG002  (Paddle's signature)
        """Raise an error: a layer is differentiated op by op."""
        raise errors.layer_backward()

    # ----- parameters, buffers and sublayers -----

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if "_parameters" not in own:
            if not isinstance(value, Layer) and not is_parameter(value):
                object.__setattr__(self, name, value)
                return
            raise errors.not_initialized(self, name)
        if isinstance(value, Layer):
            self.add_sublayer(name, value)
        elif is_parameter(value):
            self._remove_members(name, own["_parameters"])
            own["_parameters"][name] = own[name] = value
        elif name in own["_parameters"] and value is not None:
            fix = f"write self.{name}.set_value(...) to change the numbers"
            raise errors.no_member(name, value, "a Parameter or None", fix)
        elif name in own["_buffers"] and isinstance(value, Tensor):
            own["_buffers"][name] = own[name] = value
        elif isinstance(value, Tensor):
            self._remove_members(name, own["_buffers"])
            own["_buffers"][name] = own[name] = value
            own["_transient"].add(name)
        elif name in own["_sub_layers"] and value is not None:
            fix = f"del self.{name} first, or choose another name"
            raise errors.no_member(name, value, "a Layer or None", fix)
        elif name in own["_buffers"] and value is not None:
            fix = f"wrap it, paddle.to_tensor(...), or del self.{name} first"
            raise errors.no_member(name, value, "a Tensor or None", fix)
        else:
            object.__setattr__(self, name, value)
            self._remove_members(name)

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        self._remove_members(name)

    def __getattr__(self, name: str) -> Any:
        raise errors.no_attribute(self, name)

    def _remove_members(self, name: str, except_from: Any = None) -> None:
        """Remove the members of this name, except from the table `except_from`.

        The tables mark that the layer has changed, though none of them has such a member.
        """
        for table in (self._parameters, self._buffers, self._sub_layers):
            if table is not except_from:
                table.pop(name, None)

    def create_parameter(
        self,
        shape: Any,
        attr: Any = None,
        dtype: Any = None,
        is_bias: bool = False,
        default_initializer: Initializer | None = None,
        device: Any = None,
    ) -> Any:
        """Make a Parameter, in static mode a Parameter of the Program; return None if attr is
        False. Weights start with XavierUniform, biases with 0."""
        attrs = ParamAttr.of(attr)
        if attrs is None:
            return None
        initializer = attrs.initializer or fallback_initializer(is_bias, default_initializer)
        family = f"{self._full_name}.{'b' if is_bias else 'w'}"
        kind = DType.of(dtype or self._dtype)
        sizes = sizes_of(shape)
        builder = modes.here().builder
        if builder is not None:
            return builder.create_parameter(family, sizes, kind, initializer, attrs)
        place = current_place() if device is None else place_named(device)
        array = place.put(initializer.array(sizes, kind))
        parameter = Parameter(array, attrs.name or naming.unique(family), attrs.trainable)
        parameter.optimize_attr["learning_rate"] = attrs.learning_rate
        parameter.regularizer = attrs.regularizer
        parameter.need_clip = attrs.need_clip
        return parameter

    def add_parameter(self, name: str, parameter: Any) -> Any:
        """Register a parameter under this name, and return it."""
        if parameter is not None and not is_parameter(parameter):
            fix = "parameter = self.create_parameter(shape)"
            raise errors.no_member(name, parameter, "a Parameter or None", fix)
        self._check_name("parameter", name, self._parameters)
        setattr(self, name, parameter)
        return parameter

    register_parameter = add_parameter

    def _check_name(self, what: str, name: Any, own: dict[str, Any]) -> None:
        """Raise an error for a name that is no attribute name, or is in use for something else."""
        if not isinstance(name, str):
            expected = f"a name for the {what}"
            raise errors.wrong_type(f"'{name}' is no text.", name, expected, f"write '{name}'")
        if not name or "." in name or (name not in own and self._has_attribute(name)):
            raise errors.bad_name(what, name)

    def _has_attribute(self, name: str) -> bool:
        return name in self.__dict__ or hasattr(type(self), name)

    def add_sublayer(self, name: str, sublayer: Any) -> Any:
        """Register a sublayer under this name, and return it."""
        if sublayer is None:
            self._remove_members(name)
            self.__dict__[name] = None
            return sublayer
        if not isinstance(sublayer, Layer):
            fix = "wrap a function in a Layer subclass with a forward method"
            raise errors.no_member(name, sublayer, "a Layer or None", fix, CheckFailed)
        self._remove_members(name, self._sub_layers)
        self._sub_layers[name] = self.__dict__[name] = sublayer
        sublayer.__dict__["_role"] = name
        return sublayer

    def add_module(self, name: str, module: Any) -> None:
        """Do what `add_sublayer` does."""
        self.add_sublayer(name, module)

    register_module = add_module

    def register_buffer(self, name: str, tensor: Any, persistable: bool = True) -> None:
        """Register a tensor that is not trained; it is saved unless `persistable` is False."""
        if tensor is not None and not hasattr(tensor, "stop_gradient"):
            raise errors.no_member(
                name, tensor, "a Tensor or None", "wrap it: paddle.to_tensor(...)"
            )
        self._check_name("buffer", name, self._buffers)
        self._remove_members(name, self._buffers)
        self._buffers[name] = self.__dict__[name] = tensor
        (self._transient.discard if persistable else self._transient.add)(name)

    # ----- names and repr -----

    def full_name(self) -> str:
        """Return the layer's unique name, `linear_0`, with which its parameters' names begin."""
        return self._full_name

    def extra_repr(self) -> str:
        """Return the text in the parentheses of repr; a subclass may override it."""
        return ""

    def __repr__(self) -> str:
        text = self.extra_repr()
        inner = [f"({key}): {layer!r}" for key, layer in self._sub_layers.items()]
        if "\n" in text:
            text = f"\n{textwrap.indent(text, '  ')}\n"
        if inner:
            text += "\n  " + "\n".join(inner).replace("\n", "\n  ") + "\n"
        return f"{type(self).__name__}({text})"


source_line.set_caller_function(Layer._call_observed)


def _emit_hook_ran(scope: int, hook: Any, when: str, saw: Any, made: Any) -> None:
    """Report to listeners that a hook of the layer ran; `scope` is the number of its call."""
    name = getattr(hook, "__name__", type(hook).__name__)
    result = None if made is None else tensors_in(made)
    at = source_line.of_user(hook)
    events.emit(events.LayerHookRan(scope, name, when, tensors_in(saw), result, at))
