"""Recurrent layers: cells, which compute one step, and the networks that repeat them over time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import starmap
from typing import Any, ClassVar

from ..engine import dtypes, source_line
from ..engine.errors import CheckFailed
from ..ops.making.creation import full
from ..ops.rule_functions import GRAPH as ops
from ..parameters.initializers import Constant, Uniform
from . import errors
from . import functional as F
from .container import LayerList
from .function_layer import complete
from .layer import Layer

BOTH_WAYS = ("bidirect", "bidirectional")


def map_structure(function: Callable[..., Any], first: Any, *others: Any) -> Any:
    """Apply a function to the leaves of nested lists, tuples and dicts of one structure.

    >>> map_structure(lambda a, b: a + b, (1, [2]), (3, [4]))
    (4, [6])
    """
    if isinstance(first, dict):
        return {k: map_structure(function, v, *(o[k] for o in others)) for k, v in first.items()}
    if isinstance(first, (list, tuple)):
        rows = zip(first, *others, strict=True)
        return type(first)([map_structure(function, *row) for row in rows])
    return function(first, *others)


def leaves_of(structure: Any) -> list[Any]:
    """Return the leaves of nested lists, tuples and dicts."""
    found: list[Any] = []
    map_structure(found.append, structure)
    return found


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
        reference = leaves_of(batch_ref)[0]
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


class _Cell(RNNCellBase):
    """Base class of cells of `gates` linear maps of the input and of the state h.

    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a size that is not positive, or if the shapes do not fit.
    """

    _gates: ClassVar[int] = 1

    def __init_subclass__(cls, gates: int = 0) -> None:
        super().__init_subclass__()
        if gates:
            cls._gates = gates
            cls.__doc__ = complete(cls, _Cell.__doc__)

    def _make_parameters(self, in_size: int, hidden_size: int, state: int, attrs: Any) -> None:
        """Make weights and biases; one whose attr is False is constant."""
        if hidden_size <= 0:
            raise errors.misfit(type(self).__name__, "hidden_size > 0", hidden_size=hidden_size)
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

    def _from_input(self, x: Any) -> Any:
        return ops.matmul(x, self.weight_ih.T) + self.bias_ih

    def _from_state(self, h: Any) -> Any:
        return ops.matmul(h, self.weight_hh.T) + self.bias_hh

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


class SimpleRNNCell(_Cell, gates=1):
    """One step of an Elman network: h = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu.

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
        super().__init__()
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        self._make_parameters(input_size, hidden_size, hidden_size, attrs)
        if activation not in ("tanh", "relu"):
            raise errors.choice("SimpleRNNCell", "activation", activation, ("tanh", "relu"))
        self.activation = activation

    def forward(self, inputs: Any, states: Any = None) -> Any:
        h = self.get_initial_states(inputs) if states is None else states
        h = getattr(ops, self.activation)(self._from_input(inputs) + self._from_state(h))
        return h, h

    def extra_repr(self) -> str:
        other = f", activation={self.activation}" if self.activation != "tanh" else ""
        return super().extra_repr() + other


class LSTMCell(_Cell, gates=4):
    """One step of a long short-term memory, whose states are (h, c).

    The gates i, f and o are sigmoids, and the candidate g a tanh, of linear maps of x and h;
    c = f · c + i · g and h = o · tanh(c). Returns h and (h, c). `proj_size`: h is mapped to this
    size.

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
        super().__init__()
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

    def forward(self, inputs: Any, states: Any = None) -> Any:
        h, c = self.get_initial_states(inputs) if states is None else states
        gates = self._from_input(inputs) + ops.matmul(h, self.weight_hh.T)
        i, f, g, o = ops.split(gates + self.bias_hh, num_or_sections=4, axis=-1)
        c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
        h = ops.sigmoid(o) * ops.tanh(c)
        if self.proj_size:
            h = ops.matmul(h, self.weight_ho)
        return h, (h, c)

    @property
    def state_shape(self) -> Any:
        """Shapes of h and c, without the batch."""
        return (self.proj_size or self.hidden_size,), (self.hidden_size,)


class GRUCell(_Cell, gates=3):
    """One step of a gated recurrent unit.

    The reset gate r and the update gate z are sigmoids of linear maps of x and h; with the
    candidate c, a tanh that reads h through r, h = (h - c) · z + c. Returns h twice.

    Shapes: for example inputs [1, 2], states [1, 3] gives [1, 3] and [1, 3].

    >>> import minipaddle as paddle
    >>> y, h = paddle.nn.GRUCell(2, 3)(paddle.rand([1, 2]))
    >>> y.shape
    paddle.Size([1, 3])
    """

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
        super().__init__()
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        self._make_parameters(input_size, hidden_size, hidden_size, attrs)

    def forward(self, inputs: Any, states: Any = None) -> Any:
        h = self.get_initial_states(inputs) if states is None else states
        x_r, x_z, x_c = ops.split(self._from_input(inputs), num_or_sections=3, axis=1)
        h_r, h_z, h_c = ops.split(self._from_state(h), num_or_sections=3, axis=1)
        r, z = ops.sigmoid(x_r + h_r), ops.sigmoid(x_z + h_z)
        c = ops.tanh(x_c + r * h_c)
        h = (h - c) * z + c
        return h, h


# ----- over time ---------------------------------------------------------------------------------


def run_steps(
    cell: Callable[..., Any],
    slices: Any,
    states: Any,
    insides: Any,
    is_reverse: bool,
    **kwargs: Any,
) -> Any:
    """Return a cell's outputs at each step, and the last states.

    `slices` are the inputs of each step; `insides`, if given, say for each step in which samples
    it is inside the sequence, [batch, 1]: in others the states stay.
    """
    steps = range(len(slices))
    outputs = [None] * len(steps)
    for t in reversed(steps) if is_reverse else steps:
        outputs[t], renewed = cell(slices[t], states, **kwargs)
        if insides is not None:
            renewed = map_structure(partial(ops.where, insides[t]), renewed, states)
        states = renewed
    return outputs, states


source_line.shows_its_loops(run_steps)


def find_inside(inputs: Any, lengths: Any, time_major: bool) -> Any:
    """Return which steps are inside each sequence, [batch, time]; None without lengths."""
    count = leaves_of(inputs)[0].shape[0 if time_major else 1]
    if count < 1:
        raise errors.no_steps(count)
    return None if lengths is None else F.sequence_mask(lengths, count, "bool")


def run_over_time(
    cell: Any,
    inputs: Any,
    states: Any,
    inside: Any,
    time_major: bool,
    is_reverse: bool,
    call: Any = None,
    **kwargs: Any,
) -> Any:
    """Return a cell's outputs as one tensor, and its last states; `call` runs a step."""
    axis = 0 if time_major else 1
    if states is None:
        states = cell.get_initial_states(inputs, batch_dim_idx=1 - axis)
    rows = map_structure(lambda x: ops.unbind(x, axis=axis), inputs)
    count = leaves_of(inputs)[0].shape[axis]
    slices = [map_structure(lambda _, row, t=t: row[t], inputs, rows) for t in range(count)]
    insides = None if inside is None else ops.split(inside, num_or_sections=count, axis=1)
    outputs, states = run_steps(call or cell, slices, states, insides, is_reverse, **kwargs)
    return map_structure(lambda *row: ops.stack(list(row), axis=axis), *outputs), states


class RNN(Layer):
    """A cell, repeated over time: returns its outputs at all steps, and its last states.

    inputs are [batch, time, features], or [time, batch, features] with `time_major`. With
    `sequence_length` [batch] the states stay from the end of each sequence on. `is_reverse`: from
    the last step to the first.

    Shapes: for example inputs [4, 5, 2] gives [4, 5, 3] and [4, 3].
    Dtypes: those of its parameters, float32 by default.
    Errors: those of the cell; ValueError for a Program of an unknown number of steps.
    Source: Paddle's `paddle.nn.RNN`.

    >>> import minipaddle as paddle
    >>> rnn = paddle.nn.RNN(paddle.nn.GRUCell(2, 3))
    >>> outputs, last = rnn(paddle.rand([4, 5, 2]))
    >>> outputs.shape, last.shape
    (paddle.Size([4, 5, 3]), paddle.Size([4, 3]))
    """

    def __init__(self, cell: Any, is_reverse: bool = False, time_major: bool = False) -> None:
        super().__init__()
        self.cell, self.is_reverse, self.time_major = cell, is_reverse, time_major

    def forward(
        self, inputs: Any, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any
    ) -> Any:
        inside = find_inside(inputs, sequence_length, self.time_major)
        how = inside, self.time_major, self.is_reverse
        return run_over_time(self.cell, inputs, initial_states, *how, **kwargs)


class BiRNN(Layer):
    """Two cells, one from the first step to the last, one back; their outputs are joined.

    Takes what `RNN` takes; initial and last states are a pair.

    Shapes: for example inputs [4, 5, 2] gives [4, 5, 6], [4, 3] and [4, 3].
    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for cells of different inputs; AssertionError for states that are no pair.
    Source: Paddle's `paddle.nn.BiRNN`.

    >>> import minipaddle as paddle
    >>> cells = [paddle.nn.GRUCell(2, 3) for _ in range(2)]
    >>> outputs, (forth, back) = paddle.nn.BiRNN(*cells)(paddle.rand([4, 5, 2]))
    >>> outputs.shape
    paddle.Size([4, 5, 6])
    """

    def __init__(self, cell_fw: Any, cell_bw: Any, time_major: bool = False) -> None:
        super().__init__()
        self.cell_fw, self.cell_bw, self.time_major = cell_fw, cell_bw, time_major
        sizes = {"cell_fw": cell_fw.input_size, "cell_bw": cell_bw.input_size}
        if len({*sizes.values()}) > 1:
            raise errors.misfit("BiRNN", "cells of one input_size", **sizes)

    def forward(
        self, inputs: Any, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any
    ) -> Any:
        pair = (None, None) if initial_states is None else initial_states
        if isinstance(pair, (list, tuple)) and len(pair) != 2:
            raise errors.misfit(
                "BiRNN", "initial_states for both cells", CheckFailed, count=len(pair)
            )
        inside = find_inside(inputs, sequence_length, self.time_major)
        cells = self.cell_fw, self.cell_bw
        outputs, last = run_directions(cells, inputs, pair, inside, self.time_major, **kwargs)
        return outputs, tuple(last)


def run_directions(
    cells: Any,
    inputs: Any,
    states: Any,
    inside: Any,
    time_major: bool,
    calls: Any = None,
    **kwargs: Any,
) -> Any:
    """Return the joined outputs of cells, the second of which runs back, and their last states."""
    ran = [
        run_over_time(cell, inputs, given, inside, time_major, bool(back), call, **kwargs)
        for back, (cell, given, call) in enumerate(zip(cells, states, calls or cells, strict=True))
    ]
    outputs, last = zip(*ran, strict=True)
    if len(outputs) == 1:
        return outputs[0], last
    return map_structure(lambda *row: ops.concat(list(row), axis=-1), *outputs), last


# ----- networks ----------------------------------------------------------------------------------


class _Network(LayerList):
    """Base class of networks of `num_layers` RNN or BiRNN.

    inputs are [batch, time, features], or [time, batch, features] with `time_major`. Returns the
    outputs of the last layer at all steps, and the last states of all layers and directions. With
    `sequence_length` [batch] the outputs are 0 behind each sequence. `dropout` is that of the
    inputs of each layer but the first. An attr of False makes weights or biases constant.

    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a size, direction or activation that is none, and for
    shapes that do not fit.
    """

    _cell: ClassVar[type[_Cell]]

    def __init_subclass__(cls, cell: type[_Cell] | None = None) -> None:
        super().__init_subclass__()
        if cell:
            cls._cell = cell
            cls.__doc__ = complete(cls, _Network.__doc__)

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,  # noqa: ARG002
    ) -> None:
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        self._build(input_size, hidden_size, num_layers, direction, time_major, dropout, attrs)

    def _build(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int,
        direction: str,
        time_major: bool,
        dropout: float,
        attrs: tuple[Any, ...],
        **more: Any,
    ) -> None:
        """Make the cells, and give their parameters names: `weight_ih_l0`, `bias_hh_l1_reverse`."""
        super().__init__()
        if direction not in ("forward", *BOTH_WAYS):
            choices = "forward", *BOTH_WAYS
            raise errors.choice(type(self).__name__, "direction", direction, choices)
        ends = ("", "_reverse") if direction in BOTH_WAYS else ("",)
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.num_directions, self.time_major, self.dropout = len(ends), time_major, dropout
        self.proj_size = more.get("proj_size", 0)
        names = [f"{kind}_{to}" for kind in ("weight", "bias") for to in ("ih", "hh")]
        settings = {f"{name}_attr": attr for name, attr in zip(names, attrs, strict=True)} | more
        self._cells = []  # of all layers and directions
        for number in range(num_layers):
            size = len(ends) * (self.proj_size or hidden_size) if number else input_size
            cells = [self._cell(size, hidden_size, **settings) for _ in ends]
            self._cells += cells
            self.append(
                BiRNN(*cells, time_major) if len(ends) > 1 else RNN(cells[0], False, time_major)
            )
        for at, cell in enumerate(self._cells):
            for name in names:
                if settings[f"{name}_attr"] is not False or name[0] == "w":
                    ending = f"_l{at // len(ends)}{ends[at % len(ends)]}"
                    setattr(self, name + ending, getattr(cell, name))

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> Any:
        inside = find_inside(inputs, sequence_length, self.time_major)
        states = self._split_states(initial_states)
        count, last = self.num_directions, []
        for at in range(0, len(self._cells), count):
            if at and self.dropout and self.training:
                inputs = self._turn(F.dropout(self._turn(inputs), self.dropout))  # as Paddle draws
            cells, given = self._cells[at : at + count], states[at : at + count]
            calls = [cell.forward for cell in cells]
            how = inside, self.time_major, calls
            inputs, final = run_directions(cells, inputs, given, *how)
            last += final
        if inside is not None and not self.proj_size:
            mask = ops.cast(ops.unsqueeze(inside, axis=-1), dtype=inputs.dtype)
            inputs = inputs * (ops.transpose(mask, perm=(1, 0, 2)) if self.time_major else mask)
        return inputs, map_structure(lambda *row: ops.stack(list(row), axis=0), *last)

    def _turn(self, x: Any) -> Any:
        """Swap batch and time unless the time comes first anyway."""
        return x if self.time_major else ops.transpose(x, perm=(1, 0, 2))

    def _split_states(self, states: Any) -> list[Any]:
        """Return the states of each cell, from tensors of all."""
        count = len(self._cells)
        if states is None:
            return [None] * count
        nested = isinstance(self._cells[0].state_shape[0], tuple)
        row = list(states) if isinstance(states, (list, tuple)) else [states]
        wanted = 2 if nested else 1
        if len(row) != wanted or any(each.shape[0] != count for each in row):
            shapes = [list(each.shape) for each in row]
            expected = f"{wanted} of [{count}, batch, features]: layers · directions first"
            raise errors.misfit(type(self).__name__, expected, initial_states=shapes)
        parts = [ops.unbind(each, axis=0) for each in row]
        return list(zip(*parts, strict=True)) if nested else parts[0]

    def extra_repr(self) -> str:
        shown = {"num_layers": 1, "time_major": False, "dropout": 0}
        other = {k: getattr(self, k) for k, plain in shown.items() if getattr(self, k) != plain}
        return ", ".join(
            [f"{self.input_size}, {self.hidden_size}", *starmap("{}={}".format, other.items())]
        )


class SimpleRNN(_Network, cell=SimpleRNNCell):
    """A network of `SimpleRNNCell`.

    Shapes: for example inputs [4, 5, 2] gives [4, 5, 3] and [1, 4, 3].

    >>> import minipaddle as paddle
    >>> outputs, h = paddle.nn.SimpleRNN(2, 3)(paddle.rand([4, 5, 2]))
    >>> outputs.shape, h.shape
    (paddle.Size([4, 5, 3]), paddle.Size([1, 4, 3]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        activation: str = "tanh",
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,  # noqa: ARG002
    ) -> None:
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        sizes = input_size, hidden_size, num_layers
        self._build(*sizes, direction, time_major, dropout, attrs, activation=activation)


class LSTM(_Network, cell=LSTMCell):
    """A network of `LSTMCell`; initial and last states are (h, c).

    Shapes: for example inputs [4, 5, 2] gives [4, 5, 3], [1, 4, 3] and [1, 4, 3].

    >>> import minipaddle as paddle
    >>> lstm = paddle.nn.LSTM(2, 3, num_layers=2, direction="bidirect")
    >>> outputs, (h, c) = lstm(paddle.rand([4, 5, 2]))
    >>> outputs.shape, h.shape
    (paddle.Size([4, 5, 6]), paddle.Size([4, 4, 3]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        proj_size: int = 0,
        name: str | None = None,  # noqa: ARG002
    ) -> None:
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        sizes = input_size, hidden_size, num_layers
        self._build(*sizes, direction, time_major, dropout, attrs, proj_size=proj_size)


class GRU(_Network, cell=GRUCell):
    """A network of `GRUCell`.

    Shapes: for example inputs [4, 5, 2] gives [4, 5, 3] and [1, 4, 3].

    >>> import minipaddle as paddle
    >>> outputs, h = paddle.nn.GRU(2, 3)(paddle.rand([4, 5, 2]))
    >>> outputs.shape, h.shape
    (paddle.Size([4, 5, 3]), paddle.Size([1, 4, 3]))
    """
