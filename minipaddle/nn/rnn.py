"""Recurrent networks, which repeat cells over time, and over layers.

The recorder shows this file, as `cells.py`: its loops have turns.
"""

from __future__ import annotations

import inspect
from itertools import starmap
from typing import Any, ClassVar

from ..engine.errors import CheckFailed
from ..engine.structures import items_in, map_structure
from ..errors import require
from ..ops.arguments import as_list, check_count
from ..ops.rule_functions import GRAPH as ops
from . import errors
from . import functional as F
from .cells import Cell, GRUCell, LSTMCell, SimpleRNNCell, run_steps
from .container import LayerList
from .function_layer import complete
from .functional.families import variant
from .layer import Layer

BOTH_WAYS = ("bidirect", "bidirectional")


def find_inside(inputs: Any, lengths: Any, time_major: bool) -> Any:
    """Return which steps are inside each sequence, [batch, time]; None without lengths."""
    count = items_in(inputs)[0].shape[0 if time_major else 1]
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
    count = items_in(inputs)[0].shape[axis]
    insides = None if inside is None else ops.split(inside, num_or_sections=count, axis=1)
    how = insides, axis, is_reverse
    outputs, states = run_steps(call or cell, inputs, states, *how, **kwargs)
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
    >>> rnn = paddle.nn.BiRNN(paddle.nn.GRUCell(2, 3), paddle.nn.GRUCell(2, 3))
    >>> outputs, (forth, back) = rnn(paddle.rand([4, 5, 2]))
    >>> outputs.shape
    paddle.Size([4, 5, 6])
    """

    def __init__(self, cell_fw: Any, cell_bw: Any, time_major: bool = False) -> None:
        super().__init__()
        for name, cell in (("cell_fw", cell_fw), ("cell_bw", cell_bw)):
            require(hasattr(cell, "input_size"), "BiRNN", "a cell with input_size", **{name: cell})
        self.cell_fw, self.cell_bw, self.time_major = cell_fw, cell_bw, time_major
        sizes = {"cell_fw": cell_fw.input_size, "cell_bw": cell_bw.input_size}
        require(len({*sizes.values()}) == 1, "BiRNN", "cells of one input_size", **sizes)

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
    calls = calls or cells
    if len(cells) == 1:
        how = inside, time_major, False, calls[0]
        outputs, last = run_over_time(cells[0], inputs, states[0], *how, **kwargs)
        return outputs, (last,)
    ran = []
    for reverse, cell in enumerate(cells):
        how = inside, time_major, bool(reverse), calls[reverse]
        ran.append(run_over_time(cell, inputs, states[reverse], *how, **kwargs))
    outputs, last = zip(*ran, strict=True)
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

    _cell: ClassVar[type[Cell]]

    def __init_subclass__(cls, cell: type[Cell] | None = None) -> None:
        super().__init_subclass__()
        if cell:
            cls._cell = cell
            cls.__doc__ = complete(cls, inspect.getdoc(cls.__base__))

    def _build(
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
        proj_size: int = 0,
        name: str | None = None,
    ) -> None:
        """Make the cells, and give their parameters names: `weight_ih_l0`, `bias_hh_l1_reverse`."""
        super().__init__()
        choices = "forward", *BOTH_WAYS
        errors.require_choice(type(self).__name__, "direction", direction, choices)
        check_count(num_layers, "num_layers", 10_000)
        ends = ("", "_reverse") if direction in BOTH_WAYS else ("",)
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.num_directions, self.time_major, self.dropout = len(ends), time_major, dropout
        self.proj_size = proj_size
        names = [f"{kind}_{to}" for kind in ("weight", "bias") for to in ("ih", "hh")]
        attrs = weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr
        settings = {f"{name}_attr": attr for name, attr in zip(names, attrs, strict=True)}
        taken = inspect.signature(self._cell).parameters
        own = {"activation": activation, "proj_size": proj_size}
        settings |= {key: value for key, value in own.items() if key in taken}
        for number in range(num_layers):
            size = len(ends) * (self.proj_size or hidden_size) if number else input_size
            cells = [self._cell(size, hidden_size, **settings) for _ in ends]
            first, last = cells[0], cells[-1]
            both = len(ends) > 1
            self.append(BiRNN(first, last, time_major) if both else RNN(first, False, time_major))
        for at, cell in enumerate(self._cells()):
            for name in names:
                if settings[f"{name}_attr"] is not False or name[0] == "w":
                    ending = f"_l{at // len(ends)}{ends[at % len(ends)]}"
                    setattr(self, name + ending, getattr(cell, name))

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> Any:
        inside = find_inside(inputs, sequence_length, self.time_major)
        batch = inputs.shape[1 if self.time_major else 0]
        states = self._split_states(initial_states, batch)
        if sequence_length is not None and -1 not in (batch, sequence_length.shape[0]):
            good = list(sequence_length.shape) == [batch]
            require(good, type(self).__name__, f"[{batch}]", sequence_length=sequence_length)
        every, count, last, mask = self._cells(), self.num_directions, [], None
        outputs = inputs
        for layer in range(self.num_layers):
            if layer and self.proj_size:
                outputs = F.dropout(outputs, self.dropout, training=self.training)
            elif layer and self.dropout and self.training:
                if mask is None:  # drawn once for all layers, time first, as Paddle draws it
                    ones = ops.fill_like(self._turn(outputs), value=1.0)
                    mask = self._turn(F.dropout(ones, self.dropout))
                outputs = outputs * mask
            part = slice(layer * count, (layer + 1) * count)
            cells, given = every[part], states[part]
            calls = [cell.make_step() for cell in cells]
            how = inside, self.time_major, calls
            outputs, final = run_directions(cells, outputs, given, *how)
            last += final
        if inside is not None and not self.proj_size:
            inside = ops.transpose(inside, perm=(1, 0)) if self.time_major else inside
            outputs = outputs * ops.cast(ops.unsqueeze(inside, axis=-1), dtype=outputs.dtype)
        return outputs, map_structure(lambda *row: ops.stack(list(row), axis=0), *last)

    def _cells(self) -> list[Any]:
        """Return the cells of all layers and directions."""
        return [cell for layer in self for cell in layer.children()]

    def _turn(self, x: Any) -> Any:
        """Swap batch and time unless the time comes first anyway."""
        return x if self.time_major else ops.transpose(x, perm=(1, 0, 2))

    def _split_states(self, states: Any, batch: int) -> list[Any]:
        """Return the states of each cell, from tensors of all; `batch` is -1 if it is unknown."""
        cells = self._cells()
        count = len(cells)
        if states is None:
            return [None] * count
        nested = isinstance(cells[0].state_shape[0], tuple)
        row = as_list(states)
        wanted = 2 if nested else 1
        batches = {*(each.shape[1] for each in row if len(each.shape) > 1), batch} - {-1}
        if len(row) != wanted or any(each.shape[0] != count for each in row) or len(batches) > 1:
            shapes = [list(each.shape) for each in row]
            expected = f"{wanted} of [{count}, {batch}, features]: layers · directions first"
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

    @variant(_Network._build, without=("proj_size",))
    def __init__(self) -> None: ...


class LSTM(_Network, cell=LSTMCell):
    """A network of `LSTMCell`; initial and last states are (h, c).

    Shapes: for example inputs [4, 5, 2] gives [4, 5, 3], [1, 4, 3] and [1, 4, 3].

    >>> import minipaddle as paddle
    >>> lstm = paddle.nn.LSTM(2, 3, num_layers=2, direction="bidirect")
    >>> outputs, (h, c) = lstm(paddle.rand([4, 5, 2]))
    >>> outputs.shape, h.shape
    (paddle.Size([4, 5, 6]), paddle.Size([4, 4, 3]))
    """

    @variant(_Network._build, without=("activation",))
    def __init__(self) -> None: ...


class GRU(_Network, cell=GRUCell):
    """A network of `GRUCell`.

    Shapes: for example inputs [4, 5, 2] gives [4, 5, 3] and [1, 4, 3].

    >>> import minipaddle as paddle
    >>> outputs, h = paddle.nn.GRU(2, 3)(paddle.rand([4, 5, 2]))
    >>> outputs.shape, h.shape
    (paddle.Size([4, 5, 3]), paddle.Size([1, 4, 3]))
    """

    @variant(_Network._build, without=("activation", "proj_size"))
    def __init__(self) -> None: ...
