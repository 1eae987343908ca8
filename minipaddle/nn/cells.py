"""Cells of recurrent layers, which compute one step, and their repetition over time.

The recorder shows this file as the user's code: its variables name tensors, its loop has turns. So
h_0 and c_0 are the states before a step, and x_gates and h_gates have Paddle's names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from ..engine import dtypes
from ..engine.structures import items_in, map_structure
from ..ops.making.creation import full
from ..ops.rule_functions import GRAPH as ops
from ..parameters.initializers import Constant, Uniform
from . import errors
from .function_layer import complete
from .layer import Layer


class _Shape:
    """A shape in a structure, of which it is a leaf; its first size is that of the batch."""

    def __init__(self, sizes: Any) -> None:
        self.sizes = [*sizes] if sizes[:1] in ((-1,), [-1]) else [-1, *sizes]


def _as_shapes(shapes: Any) -> Any:
    """Return nested shapes with a leaf for each."""
    if isinstance(shapes, dict):
        return {name: _as_shapes(inner) for name, inner in shapes.items()}
    if all(isinstance(size, int) for size in shapes):
        return _Shape(shapes)
    return type(shapes)(map(_as_shapes, shapes))


# ----- one step ----------------------------------------------------------------------------------


def take(number: int, axis: int, x: Any) -> Any:
    """Return the slice of this number along an axis."""
    return x[(slice(None),) * axis + (number,)]


class RNNCellBase(Layer):
    """Base class of cells: `forward(inputs, states)` returns the outputs and the next states.

    A subclass says in `state_shape` which states it has, without the batch.
    Dtypes: parameters are float32 by default; shapes are for `forward` to say.
    Errors: NotImplementedError if it is called and has no `forward`, or needs a `state_shape`.
    Source: Paddle's `paddle.nn.RNNCellBase`.

    >>> import minipaddle as paddle
    >>> class Counter(paddle.nn.RNNCellBase):
    ...     state_shape = (1,)
    ...     def forward(self, x, states):
    ...         return states + x, states + 1.0
    >>> outputs, last = paddle.nn.RNN(Counter())(paddle.zeros([1, 3, 1]))
    >>> outputs.flatten().tolist(), last.tolist()
    ([0.0, 1.0, 2.0], [[3.0]])
    """

    def get_initial_states(
        self,
        batch_ref: Any,
        shape: Any = None,
        dtype: Any = None,
        init_value: float = 0.0,
        batch_dim_idx: int = 0,
    ) -> Any:
        """Return states that are full of a value, for the batch of `batch_ref`.

        `shape` and `dtype` may be nested; they are `state_shape` and `state_dtype` by default.
        """
        reference = items_in(batch_ref)[0]
        batch = reference.shape[batch_dim_idx]
        if batch < 0:
            batch = ops.shape(reference)[batch_dim_idx]
        shapes = _as_shapes(self.state_shape if shape is None else shape)
        kinds = self.state_dtype if dtype is None else dtype
        if not isinstance(kinds, (list, tuple, dict)):
            kinds = map_structure(lambda _: kinds, shapes)
        return map_structure(
            lambda one, kind: full([batch, *one.sizes[1:]], init_value, kind), shapes, kinds
        )

    @property
    def state_shape(self) -> Any:
        """Shapes of the states, without the batch; a subclass defines it."""
        raise errors.no_state_shape(self)

    @property
    def state_dtype(self) -> Any:
        """Dtype of the states, or nested dtypes; the default dtype unless a subclass says more."""
        return dtypes.get_default()


class Cell(RNNCellBase):
    """Base class of cells of `gates` linear maps of the input and of the state h.

    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a size that is not positive, or if the shapes do not fit.
    """

    _gates: ClassVar[int] = 1

    def __init_subclass__(cls, gates: int = 0) -> None:
        super().__init_subclass__()
        if gates:
            cls._gates = gates
            cls.__doc__ = complete(cls, inspect.getdoc(cls.__base__))

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,  # noqa: ARG002
    ) -> None:
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        self._make_parameters(input_size, hidden_size, hidden_size, attrs)

    def _make_parameters(self, in_size: int, hidden_size: int, state: int, attrs: Any) -> None:
        """Make weights and biases; one whose attr is False is constant."""
        super().__init__()
        kind = type(self).__name__
        errors.require(hidden_size > 0, kind, "hidden_size > 0", hidden_size=hidden_size)
        self.input_size, self.hidden_size = in_size, hidden_size
        rows = self._gates * hidden_size
        shapes = {"weight_ih": [rows, in_size], "weight_hh": [rows, state]}
        shapes |= {"bias_ih": [rows], "bias_hh": [rows]}
        for (name, shape), attr in zip(shapes.items(), attrs, strict=True):
            is_bias = len(shape) == 1
            start = self._start if attr is not False else Constant(0.0 if is_bias else 1.0)
            made = self.create_parameter(shape, attr or None, None, is_bias, start)
            made.stop_gradient = made.stop_gradient or attr is False
            setattr(self, name, made)

    @property
    def _start(self) -> Uniform:
        return Uniform(-(self.hidden_size**-0.5), self.hidden_size**-0.5)

    def forward(self, inputs: Any, states: Any = None) -> Any:
        return self.make_step()(inputs, states)

    def make_step(self) -> Callable[..., Any]:
        """Return a function that computes one step; many steps share the transposed weights."""
        turned = [ops.transpose(w, perm=(1, 0)) for w in (self.weight_ih, self.weight_hh)]
        return partial(self._step, *turned)

    def _map(self, w_ih: Any, w_hh: Any, x: Any, h_0: Any) -> tuple[Any, Any]:
        """Return the linear maps of the input and of the state, by transposed weights."""
        x_gates = ops.matmul(x, w_ih) + self.bias_ih
        h_gates = ops.matmul(h_0, w_hh) + self.bias_hh
        return x_gates, h_gates

    @property
    def state_shape(self) -> Any:
        """Shape of the state, without the batch."""
        return (self.hidden_size,)

    @property
    def state_dtype(self) -> Any:
        """Dtype of the states."""
        return self.weight_hh.dtype

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(Cell, gates=1):
    """One step of an Elman network: h = tanh(W_ih x + b_ih + W_hh h before + b_hh), or relu.

    Returns h as the output, and h as the next state.

    Shapes: for example inputs [1, 2], states [1, 3] gives [1, 3] and [1, 3].

    >>> import minipaddle as paddle
    >>> y, h = paddle.nn.SimpleRNNCell(2, 3)(paddle.rand([1, 2]))
    >>> y.shape, y is h
    (paddle.Size([1, 3]), True)
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        activation: str = "tanh",
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,  # noqa: ARG002
    ) -> None:
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        self._make_parameters(input_size, hidden_size, hidden_size, attrs)
        errors.require_choice("SimpleRNNCell", "activation", activation, ("tanh", "relu"))
        self.activation = activation

    def _step(self, w_ih: Any, w_hh: Any, inputs: Any, states: Any = None) -> Any:
        h_0 = self.get_initial_states(inputs) if states is None else states
        x_gates, h_gates = self._map(w_ih, w_hh, inputs, h_0)
        h = getattr(ops, self.activation)(x_gates + h_gates)
        return h, h

    def extra_repr(self) -> str:
        other = f", activation={self.activation}" if self.activation != "tanh" else ""
        return super().extra_repr() + other


class LSTMCell(Cell, gates=4):
    """One step of a long short-term memory, whose states are (h, c).

    The gates i, f and o are sigmoids, and the candidate g a tanh, of linear maps of x and of h
    before; c = f · c before + i · g and h = o · tanh(c). Returns h and (h, c). `proj_size`: h is
    mapped to this size.

    Shapes: for example inputs [1, 2] gives [1, 3], [1, 3] and [1, 3].

    >>> import minipaddle as paddle
    >>> y, (h, c) = paddle.nn.LSTMCell(2, 3)(paddle.rand([1, 2]))
    >>> y.shape, c.shape
    (paddle.Size([1, 3]), paddle.Size([1, 3]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        proj_size: int = 0,
        name: str | None = None,  # noqa: ARG002
    ) -> None:
        if hidden_size > 0 and not 0 <= proj_size < hidden_size:
            raise errors.misfit("LSTMCell", "0 <= proj_size < hidden_size", proj_size=proj_size)
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        self._make_parameters(input_size, hidden_size, proj_size or hidden_size, attrs)
        self.proj_size = proj_size
        if proj_size:
            shape = [hidden_size, proj_size]
            self.weight_ho = self.create_parameter(
                shape, weight_hh_attr or None, default_initializer=self._start
            )

    def _step(self, w_ih: Any, w_hh: Any, inputs: Any, states: Any = None) -> Any:
        h_0, c_0 = self.get_initial_states(inputs) if states is None else states
        x_gates, h_gates = self._map(w_ih, w_hh, inputs, h_0)
        gates = x_gates + h_gates
        z_i, z_f, z_g, z_o = ops.split(gates, num_or_sections=4, axis=-1)
        i, f, g, o = ops.sigmoid(z_i), ops.sigmoid(z_f), ops.tanh(z_g), ops.sigmoid(z_o)
        c = f * c_0 + i * g
        h = o * ops.tanh(c)
        if self.proj_size:
            h = ops.matmul(h, self.weight_ho)
        return h, (h, c)

    @property
    def state_shape(self) -> Any:
        """Shapes of h and c, without the batch."""
        return (self.proj_size or self.hidden_size,), (self.hidden_size,)


class GRUCell(Cell, gates=3):
    """One step of a gated recurrent unit.

    The reset gate r and the update gate z are sigmoids of linear maps of x and h; with the
    candidate c, a tanh that reads h through r, h = (h before - c) · z + c. Returns h twice.

    Shapes: for example inputs [1, 2], states [1, 3] gives [1, 3] and [1, 3].

    >>> import minipaddle as paddle
    >>> y, h = paddle.nn.GRUCell(2, 3)(paddle.rand([1, 2]))
    >>> y.shape
    paddle.Size([1, 3])
    """

    def _step(self, w_ih: Any, w_hh: Any, inputs: Any, states: Any = None) -> Any:
        h_0 = self.get_initial_states(inputs) if states is None else states
        x_gates, h_gates = self._map(w_ih, w_hh, inputs, h_0)
        x_r, x_z, x_c = ops.split(x_gates, num_or_sections=3, axis=1)
        h_r, h_z, h_c = ops.split(h_gates, num_or_sections=3, axis=1)
        r, z = ops.sigmoid(x_r + h_r), ops.sigmoid(x_z + h_z)
        c = ops.tanh(x_c + r * h_c)
        h = (h_0 - c) * z + c
        return h, h


# ----- over time ---------------------------------------------------------------------------------


def keep(inside: Any, new: Any, old: Any) -> Any:
    """Return the new state of the samples that are inside their sequences, the old of others."""
    kept = ops.where(inside, new, old)
    return kept  # noqa: RET504  (its name is shown)


def run_steps(
    cell: Any, inputs: Any, states: Any, insides: Any, axis: int, is_reverse: bool, **kwargs: Any
) -> Any:
    """Return a cell's outputs at each step of `axis`, and the last states.

    `insides`, if given, say for each step which samples have it, [batch, 1]: in others the states
    stay.
    """
    steps = range(items_in(inputs)[0].shape[axis])
    outputs = [None] * len(steps)
    for t in reversed(steps) if is_reverse else steps:
        x = map_structure(partial(take, t, axis), inputs)
        outputs[t], renewed = cell(x, states, **kwargs)
        if insides is None:
            states = renewed
        else:
            states = map_structure(partial(keep, insides[t]), renewed, states)
    return outputs, states
