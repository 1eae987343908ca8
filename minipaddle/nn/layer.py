"""Layer: a function with parameters, buffers and layers of its own."""

from __future__ import annotations

import textwrap
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .. import dispatch, dtypes, events, modes, naming, places
from ..core import Parameter, Tensor, seen
from ..device import current_place, place_named
from ..dtypes import DType
from ..errors import (
    AlreadyExists,
    CheckFailed,
    InvalidArgument,
    InvalidType,
    NoSuchName,
    Unimplemented,
)
from . import hooks
from .initializer import Constant, Initializer, XavierUniform
from .param_attr import ParamAttr
from .support import convert, is_parameter, is_tensors, load, sizes_of, snake_case


class Layer:
    """A function that owns what it learns: subclass it, make parameters and sublayers in
    `__init__`, and compute in `forward`.

    What you assign is found again: parameters, sublayers and registered buffers.
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
    _role: str  # the name under which another layer holds this one
    _transient: set[str]  # names of buffers that are not saved
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _sub_layers: dict[str, Layer]

    def __init__(self, name_scope: str | None = None, dtype: Any = None) -> None:
        prefix = name_scope or snake_case(type(self).__name__)
        own = self.__dict__
        own["training"] = True
        own["_full_name"] = naming.unique(prefix)
        own["_dtype"] = DType.of(dtype or dtypes.get_default())
        own["_role"] = ""
        own["_parameters"], own["_buffers"], own["_sub_layers"] = {}, {}, {}
        own["_transient"] = set()
        own["_before"], own["_after"] = {}, {}

    # ----- calling -----

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        """Compute the outputs; every Layer must define this."""
        raise Unimplemented(
            f"{type(self).__name__} has no forward.",
            expected="a method forward(self, x) in your subclass of paddle.nn.Layer",
            received="a call of a layer without one",
            fix="define def forward(self, x): ...",
        )

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        if dispatch._gate is not None or self._before or self._after:
            return self._call_aloud(inputs, kwargs)
        return self.forward(*inputs, **kwargs)

    def _call_aloud(self, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call with hooks, and tell listeners where the layer begins and ends."""
        now = modes.here()
        if not now.listeners or now.builder is not None:
            return self._call_hooked(inputs, kwargs)
        scope, name, place = naming.next_id(), self._shown_name(), places.here()
        given = seen(tuple(x for x in (*inputs, *kwargs.values()) if is_tensors(x)))
        held = {key: held.name for key, held in self._parameters.items() if held is not None}
        events.emit(events.ScopeEntered(scope, "layer", name, 0, given, place, held))
        with events.failing("scope", scope, place):
            outputs = self._call_hooked(inputs, kwargs)
        made = outputs if isinstance(outputs, (list, tuple)) else (outputs,)
        made = seen(tuple(x for x in made if is_tensors(x)))
        events.emit(events.ScopeLeft(scope, "layer", name, 0, made))
        return outputs

    def _call_hooked(self, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        inputs = hooks.before(self, self._before, inputs)
        return hooks.after(self, self._after, inputs, self.forward(*inputs, **kwargs))

    def _shown_name(self) -> str:
        """`Linear 0` for a child that is called 0, `net_0` for a layer that stands alone."""
        return f"{type(self).__name__} {self._role}" if self._role else self._full_name

    def register_forward_pre_hook(self, hook: Any) -> hooks.HookRemoveHelper:
        """Call `hook(layer, inputs)` before forward; a result replaces the inputs."""
        return hooks.HookRemoveHelper(self._before, hook)

    def register_forward_post_hook(self, hook: Any) -> hooks.HookRemoveHelper:
        """Call `hook(layer, inputs, outputs)` after forward; a result replaces the outputs."""
        return hooks.HookRemoveHelper(self._after, hook)

    # ----- what it owns -----

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if "_parameters" not in own:
            raise InvalidArgument(
                "super().__init__() should be called first.",
                expected=f"super().__init__() as the first line of {type(self).__name__}.__init__",
                received=f"self.{name} = ... before it",
                fix="call super().__init__() before you assign anything",
            )
        if isinstance(value, Layer):
            self.add_sublayer(name, value)
        elif is_parameter(value):
            self._forget(name)
            own["_parameters"][name] = own[name] = value
        elif name in own["_parameters"] and value is not None:
            raise InvalidType(
                f"assignment to parameter '{name}' should be of type Parameter or None, but got "
                f"'{type(value).__name__}'.",
                expected="a Parameter or None",
                received=type(value).__name__,
                fix=f"write self.{name}.set_value(...) to change the numbers",
            )
        elif name in own["_buffers"] and (value is None or isinstance(value, Tensor)):
            own["_buffers"][name] = own[name] = value
        elif isinstance(value, Tensor):
            self.register_buffer(name, value, persistable=False)
        elif name in own["_buffers"]:
            raise InvalidType(
                f"assignment to buffers '{name}' should be of type Tensor or None, but got "
                f"'{type(value).__name__}'.",
                expected="a Tensor, or None",
                received=type(value).__name__,
                fix=f"wrap it, paddle.to_tensor(...), or del self.{name} first",
            )
        else:
            self._forget(name)
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._forget(name)
        object.__delattr__(self, name)

    def __getattr__(self, name: str) -> Any:
        raise NoSuchName(
            f"'{type(self).__name__}' object has no attribute '{name}'.",
            expected="an attribute set in __init__, or a method of Layer",
            received=name,
            fix=f"its own are: {', '.join(k for k in self.__dict__ if k[0] != '_') or 'none'}",
        )

    def _forget(self, name: str) -> None:
        for held in (self._parameters, self._buffers, self._sub_layers):
            held.pop(name, None)

    def create_parameter(
        self, shape: Any, attr: Any = None, dtype: Any = None, is_bias: bool = False,
        default_initializer: Initializer | None = None,
    ) -> Any:  # fmt: skip
        """A new parameter: a Parameter, or in static mode one of the Program; None if attr is
        False. Weights start with XavierUniform, biases with 0."""
        wanted = ParamAttr.of(attr)
        if wanted is None:
            return None
        initializer = wanted.initializer or default_initializer
        initializer = initializer or (Constant(0.0) if is_bias else XavierUniform())
        name = wanted.name or naming.unique(f"{self._full_name}.{'b' if is_bias else 'w'}")
        kind = DType.of(dtype or self._dtype)
        sizes = sizes_of(shape)
        builder = modes.here().builder
        if builder is not None:
            return builder.create_parameter(name, sizes, kind, initializer, wanted)
        array = current_place().put(initializer.array(sizes, kind))
        parameter = Parameter(array, name, wanted.trainable)
        parameter.optimize_attr["learning_rate"] = wanted.learning_rate
        parameter.regularizer = wanted.regularizer
        parameter.need_clip = wanted.need_clip
        return parameter

    def add_parameter(self, name: str, parameter: Any) -> Any:
        """Own this parameter under this name; returns it."""
        if parameter is not None and not is_parameter(parameter):
            raise InvalidType(
                "The parameter to be added should be a Parameter, but received "
                f"{type(parameter).__name__}.",
                expected="what create_parameter returns, or None",
                received=f"{type(parameter).__name__} for '{name}'",
                fix="parameter = self.create_parameter(shape)",
            )
        if name in self.__dict__ and name not in self._parameters:
            raise AlreadyExists(
                f"The parameter '{name}' already exists.",
                expected="a name that the layer does not use yet",
                received=f"'{name}', which is a {type(self.__dict__[name]).__name__}",
                fix="choose another name",
            )
        setattr(self, name, parameter)
        return parameter

    def add_sublayer(self, name: str, sublayer: Layer) -> Layer:
        """Own this layer under this name; returns it."""
        if not isinstance(sublayer, Layer):
            raise CheckFailed(
                f"the sublayer '{name}' is not a Layer.",
                expected="a paddle.nn.Layer",
                received=f"{type(sublayer).__name__} {sublayer!r:.40}",
                fix="wrap a function in a Layer subclass with a forward method",
            )
        self._forget(name)
        self._sub_layers[name] = self.__dict__[name] = sublayer
        sublayer.__dict__["_role"] = name
        return sublayer

    def register_buffer(self, name: str, tensor: Any, persistable: bool = True) -> None:
        """Own a tensor that is not trained; it is saved unless `persistable` is False."""
        if tensor is not None and not hasattr(tensor, "stop_gradient"):
            raise InvalidType(
                f"The registered buffer should be a Paddle.Tensor, but received "
                f"{type(tensor).__name__}.",
                expected="a Tensor or None",
                received=f"{type(tensor).__name__} for '{name}'",
                fix="wrap it: paddle.to_tensor(...)",
            )
        self._forget(name)
        self._buffers[name] = self.__dict__[name] = tensor
        (self._transient.discard if persistable else self._transient.add)(name)

    # ----- finding things -----

    def named_sublayers(
        self, prefix: str = "", include_self: bool = False, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Layer]]:
        """All layers inside with their paths, `0.fc`; each once."""
        found: set[Layer] = set()
        stack = [(prefix, self)]
        while stack:
            path, layer = stack.pop()
            if remove_duplicate and layer in found:
                continue
            found.add(layer)
            if layer is not self or include_self:
                yield path, layer
            inner = layer._sub_layers.items()
            stack += [(f"{path}.{name}" if path else name, sub) for name, sub in inner][::-1]

    def sublayers(self, include_self: bool = False) -> list[Layer]:
        """All layers inside, those inside them too."""
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    def named_children(self) -> Iterator[tuple[str, Layer]]:
        """The layers that belong to this one directly, by name."""
        yield from self._sub_layers.items()

    def children(self) -> Iterator[Layer]:
        """The layers that belong to this one directly."""
        yield from self._sub_layers.values()

    def _named(
        self, which: str, prefix: str, deep: bool, once: bool = True
    ) -> Iterator[tuple[str, Any]]:
        found: set[Any] = set()  # tensors hash by identity
        layers = self.named_sublayers(prefix, True) if deep else [(prefix, self)]
        for path, layer in layers:
            for name, value in getattr(layer, which).items():
                if value is None or (once and value in found):
                    continue
                found.add(value)
                yield (f"{path}.{name}" if path else name), value

    def named_parameters(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """The parameters with their paths, `0.weight`; each once."""
        return self._named("_parameters", prefix, include_sublayers, remove_duplicate)

    def parameters(self, include_sublayers: bool = True) -> list[Any]:
        """The parameters, those of sublayers too."""
        return [value for _, value in self.named_parameters("", include_sublayers)]

    def named_buffers(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """The buffers with their paths; each once."""
        return self._named("_buffers", prefix, include_sublayers, remove_duplicate)

    def buffers(self, include_sublayers: bool = True) -> list[Any]:
        """The buffers, those of sublayers too."""
        return [value for _, value in self.named_buffers("", include_sublayers)]

    # ----- saving and loading -----

    def state_dict(self, include_sublayers: bool = True) -> dict[str, Any]:
        """Everything that is saved: of each layer its parameters, then its buffers, by path."""
        state = OrderedDict()
        layers = self.named_sublayers("", True) if include_sublayers else [("", self)]
        for path, layer in layers:
            for name, value in (*layer._parameters.items(), *layer._buffers.items()):
                if value is not None and name not in layer._transient:
                    state[f"{path}.{name}" if path else name] = value
        return state

    def set_state_dict(
        self, state_dict: Mapping[str, Any], use_structured_name: bool = True
    ) -> tuple[list[str], list[str]]:
        """Copy saved values in; returns the names that were missing and those not expected.

        A value of another shape is left out and named in both lists; CheckFailed
        (AssertionError) for another dtype.
        """
        if not isinstance(state_dict, Mapping):
            raise InvalidType(
                "set_state_dict(): the state is not a dict.",
                expected="a dict of names to Tensors or arrays, as state_dict() returns",
                received=type(state_dict).__name__,
                fix="load it first: net.set_state_dict(paddle.load(path))",
            )
        missing, used = [], set()
        for path, held in self.state_dict().items():
            name = path if use_structured_name else held.name
            if name in state_dict and load(held, state_dict[name]):
                used.add(name)
            else:
                missing.append(path)
        return missing, [name for name in state_dict if name not in used]

    load_dict = set_dict = set_state_dict

    # ----- the mode, and everything at once -----

    def train(self, mode: bool = True) -> Layer:
        """Behave as in training: dropout drops. Returns the layer."""
        for layer in self.sublayers(include_self=True):
            layer.__dict__["training"] = mode
        return self

    def eval(self) -> Layer:
        """Behave as in use: dropout keeps everything. Returns the layer."""
        return self.train(False)

    def apply(self, fn: Callable[[Layer], Any]) -> Layer:
        """Call `fn(layer)` for every layer inside, then for this one."""
        for layer in self._sub_layers.values():
            layer.apply(fn)
        fn(self)
        return self

    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Set the gradients of all parameters to zeros, or with False to None."""
        for parameter in self.parameters():
            parameter.clear_gradient(set_to_zero)

    def astype(self, dtype: Any) -> Layer:
        """Turn every floating-point parameter and buffer into this type. Returns the layer."""
        return self.to(dtype=dtype)

    def to(self, device: Any = None, dtype: Any = None) -> Layer:
        """Take every parameter and buffer to this device and every float among them to this
        dtype, in place. Returns the layer."""
        place = None if device is None else place_named(device)
        kind = None if dtype is None else DType.of(dtype)
        for layer in self.sublayers(include_self=True):
            layer.__dict__["_dtype"] = kind or layer._dtype
            for value in (*layer._parameters.values(), *layer._buffers.values()):
                if value is not None:
                    convert(value, place, kind)
        return self

    # ----- its text -----

    def full_name(self) -> str:
        """The layer's own name, `linear_0`; its parameters' names begin with it."""
        return self._full_name

    def extra_repr(self) -> str:
        """What stands between the brackets of repr; a subclass may say more."""
        return ""

    def __repr__(self) -> str:
        name, extra = type(self).__name__, self.extra_repr()
        if not self._sub_layers:
            return f"{name}({extra})"
        inner = [f"({key}): {layer!r}" for key, layer in self._sub_layers.items()]
        lines = "\n".join([extra, *inner] if extra else inner)
        return f"{name}(\n" + textwrap.indent(lines, "  ") + "\n)"
