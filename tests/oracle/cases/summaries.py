"""`paddle.summary`: the lines of its table, and its result."""

import contextlib
import io

from ..harness import case
from ._texts import texts


def table(paddle, net, *args, **kwargs):
    """Return the printed lines and the returned numbers."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        counts = paddle.summary(net, *args, **kwargs)
    return [text.getvalue(), int(counts["total_params"]), int(counts["trainable_params"])]


def named(layer, number):
    """Give a layer its own number: Paddle's counter goes on from case to case."""
    layer._full_name = f"x_{number}"
    return layer


@case
def several_inputs_and_blocks(paddle, show):
    nn = paddle.nn

    class Block(nn.Layer):
        def __init__(self):
            super().__init__()
            self.f = named(nn.Linear(2, 2), 0)
            self.w = self.create_parameter([3])
            self.register_buffer("b", paddle.ones([7]))

        def forward(self, x, y=None):
            return [self.f(x), self.f(x) + 1]

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.block = named(Block(), 0)
            self.table = named(nn.Embedding(5, 2), 0)
            self.own = self.create_parameter([4])
            self.block.f.weight.stop_gradient = True

        def forward(self, x, ids):
            first, second = self.block(x, x)
            return first + second, self.table(ids)

    class LongLayerNameForATable(nn.Layer):
        def forward(self, x):
            return {"a": x}

    show("table", table(paddle, Net(), [(2, 2), (2, 3)], dtypes=["float32", "int64"]))
    show("block", table(paddle, Block(), (1, 2)))
    alone = named(LongLayerNameForATable(), 0)
    show("long", table(paddle, alone, (1, 2, 3, 4, 5, 6, 7)))


TABLE = texts("summaries", globals())
