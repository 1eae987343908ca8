"""Recurrent layers: random networks and cells, their names, states, texts and errors."""

from functools import partial

import numpy as np

from ..harness import Case, case
from ..spread import spread
from ._draw import Draw
from ._texts import texts

CELLS = ("SimpleRNN", "LSTM", "GRU")


def spread_out(states):
    """Return the tensors of nested states."""
    if not isinstance(states, (tuple, list)):
        return [states]
    return [leaf for each in states for leaf in spread_out(each)]


def in_float64(paddle, make):
    """Return a layer with parameters in float64."""
    paddle.set_default_dtype("float64")
    try:
        return make()
    finally:
        paddle.set_default_dtype("float32")


def digest(tensors):
    """Return one number for each tensor, its product with spread-out numbers."""
    return np.array([float((t.numpy() * spread(*t.shape)).sum()) for t in tensors])


def show_all(show, d, layer, outputs, states, gradients=True):
    """Show the results, and the gradients of all leaves for random cotangents."""
    results = [outputs, *spread_out(states)]
    show("shapes", str([list(each.shape) for each in results]))
    show("results", digest(results))
    if gradients:
        total = sum((each * d.cotangent(each)).sum() for each in results)
        total.backward()
        show("of leaves", digest([leaf.grad for leaf in d.leaves]))
        parameters = [p for cell in layer.sublayers() for p in cell.parameters(False)]
        show("of parameters", digest([p.grad for p in parameters]))


def random_network(paddle, show, seed):
    """Initial values are those of Paddle's random stream, and so are the dropped elements."""
    d = Draw(paddle, seed)
    kind = CELLS[seed % 3]
    batch, steps, size, hidden = [1 + d.below(3) for _ in range(4)]
    time_major, layers = d.maybe(), 1 + d.below(3)
    options = {"num_layers": layers, "time_major": time_major}
    options["direction"] = d.pick("forward", "bidirect", "bidirectional")
    options["dropout"] = d.pick(0.0, 0.0, 0.4) if layers > 1 else 0.0
    if kind == "SimpleRNN":
        options["activation"] = d.pick("tanh", "relu")
    if kind == "LSTM" and hidden > 1 and d.maybe(3):
        options["proj_size"] = hidden - 1
    paddle.seed(seed)
    net = in_float64(paddle, lambda: getattr(paddle.nn, kind)(size, hidden, **options))
    trains = not d.maybe(4)  # real Paddle has no gradients in eval mode
    net.train() if trains else net.eval()
    x = d.leaf([steps, batch, size] if time_major else [batch, steps, size], "float64")
    lengths = d.integers([batch], 1, steps + 1, d.pick("int32", "int64")) if d.maybe() else None
    states = None
    if d.maybe():
        rows = layers * (1 + (options["direction"] != "forward"))
        states = d.leaf([rows, batch, options.get("proj_size", hidden)], "float64")
        states = (states, d.leaf([rows, batch, hidden], "float64")) if kind == "LSTM" else states
    show("call", f"{kind} {size} {hidden} {options} lengths {lengths is not None}")
    both = options["direction"] != "forward"
    # With lengths, states and a way back real Paddle's gradients are not the derivatives.
    right = trains and (lengths is None or states is None or not both)
    show_all(show, d, net, *net(x, states, lengths), right)


def random_cell(paddle, show, seed):
    d = Draw(paddle, seed)
    kind = CELLS[seed % 3] + "Cell"
    batch, steps, size, hidden = [1 + d.below(3) for _ in range(4)]
    time_major, both = d.maybe(), d.maybe(3)
    paddle.seed(seed)
    make = getattr(paddle.nn, kind)
    cells = [in_float64(paddle, lambda: make(size, hidden)) for _ in range(1 + both)]
    states = [d.leaf([batch, hidden], "float64") for _ in cells]
    if kind == "LSTMCell":
        states = [(state, d.leaf([batch, hidden], "float64")) for state in states]
    if both:
        net, given = paddle.nn.BiRNN(*cells, time_major), states
    else:
        net, given = paddle.nn.RNN(*cells, d.maybe(), time_major), states[0]
    x = d.leaf([steps, batch, size] if time_major else [batch, steps, size], "float64")
    lengths = d.integers([batch], 1, steps + 1) if d.maybe() else None
    show("call", f"{kind} {size} {hidden} lengths {lengths is not None}")
    show_all(show, d, net, *net(x, given, lengths))


TABLE = [
    *(
        Case(f"{call.__name__} {seed}", partial(call, seed=seed), ulps=2**16)
        for call, count in ((random_network, 30), (random_cell, 12))
        for seed in range(count)
    ),
    *texts("recurrent", globals()),
]


@case
def names_of_parameters(paddle, show):
    for kind in CELLS[:2]:
        net = getattr(paddle.nn, kind)(2, 3, num_layers=2, direction="bidirect")
        show(f"{kind} state", list(net.state_dict()))
        show(f"{kind} parameters", [[n, p.name] for n, p in net.named_parameters()])
        show(f"{kind} sublayers", [n for n, _ in net.named_sublayers()])
        show(f"{kind} text", repr(net))
        show(f"{kind} names", [net.full_name(), net[0].full_name(), net[0].cell_fw.full_name()])
    net = paddle.nn.LSTM(2, 3, proj_size=2)
    show("projected", list(net.state_dict()))


@case
def a_cell_of_ones_own(paddle, show):
    class Both(paddle.nn.RNNCellBase):
        input_size = 2

        def forward(self, inputs, states, scale=1.0):
            last, count = states["last"], states["count"]
            outputs = inputs["a"] * scale + inputs["b"] + count.unsqueeze(-1)
            return outputs, {"last": outputs, "count": count + 1.0 + 0.0 * last.sum(-1)}

        @property
        def state_shape(self):
            return {"last": [2], "count": []}

    x = paddle.reshape(paddle.arange(12, dtype="float32"), [2, 3, 2])
    states = {"last": paddle.zeros([2, 2]), "count": paddle.ones([2])}
    for reverse in (False, True):
        net = paddle.nn.RNN(Both(), is_reverse=reverse)
        outputs, last = net({"a": x, "b": -x * x}, states, scale=2.0)
        show(f"outputs {reverse}", outputs)
        show(f"last {reverse}", [last["last"], last["count"]])


@case
def initial_states(paddle, show):
    class Plain(paddle.nn.RNNCellBase):
        pass

    cell, x = Plain(), paddle.zeros([4, 5])
    show.raises("no shape", lambda: cell.get_initial_states(x))
    for name, shape in {"one": [3], "batch": [-1, 3], "pair": ([3], [2, 2])}.items():
        made = cell.get_initial_states(x, shape, "float64", 0.5, batch_dim_idx=1)
        show(name, spread_out(made))
    show("kinds", spread_out(cell.get_initial_states(x, ([3], [2]), ["float64", "int64"])))
