"""`paddle.flops`: the lines of its table, and its result."""

import contextlib
import io
import re
import warnings

from ..harness import case
from ._texts import texts


@contextlib.contextmanager
def numbers_of_one(paddle):
    """Return a context in which an array of one element counts as a number.

    Paddle 3.3.1 counts in arrays of shape [1], which NumPy no longer takes for numbers; it raises a
    TypeError outside of this context.
    """
    before = paddle.Tensor.__int__
    paddle.Tensor.__int__ = lambda tensor: int(tensor.item())
    try:
        yield
    finally:
        paddle.Tensor.__int__ = before


def told(paddle, net, *args, **kwargs):
    """Return the printed lines, with classes by their last names, and the number returned."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), warnings.catch_warnings(), numbers_of_one(paddle):
        warnings.simplefilter("ignore")
        count = paddle.flops(net, *args, **kwargs)
    lines = re.sub(r"<class '[\w.]*?(\w+)'>", r"\1", text.getvalue())
    return [lines, int(count)]


def named(layer, number):
    """Give a layer its own number: Paddle's counter goes on from case to case."""
    layer._full_name = f"x_{number}"
    return layer


def images(paddle):
    nn = paddle.nn
    layers = [
        nn.Conv2D(1, 6, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2D(2, 2),
        nn.Conv2D(6, 16, 5),
        nn.BatchNorm2D(16),
        nn.ReLU6(),
        nn.AvgPool2D(2, 2),
        nn.AdaptiveAvgPool2D(2),
        nn.Dropout(),
        nn.Flatten(),
        nn.Linear(64, 10),
    ]
    return nn.Sequential(*(named(layer, k) for k, layer in enumerate(layers)))


@case
def a_network_of_images(paddle, show):
    net = images(paddle)
    show("table", told(paddle, net, [1, 1, 28, 28], print_detail=True))
    show("two", told(paddle, net, [2, 1, 28, 28]))
    net.eval()
    show("again", told(paddle, net, (1, 1, 28, 28)))
    show("modes", [net.training, net[0].training, sorted(net.state_dict())])


@case
def layers_of_one_dimension_and_transposed(paddle, show):
    nn = paddle.nn
    rows = nn.Sequential(
        named(nn.Conv1D(4, 6, 3, groups=2), 0),
        named(nn.AvgPool1D(2), 1),
        named(nn.AdaptiveAvgPool1D(2), 2),
        named(nn.Conv1DTranspose(6, 2, 2, bias_attr=False), 3),
    )
    show("rows", told(paddle, rows, [1, 4, 12], print_detail=True))
    grid = nn.Sequential(
        named(nn.Conv2DTranspose(2, 4, 3, groups=2), 0),
        named(nn.Conv2D(4, 4, (1, 3), groups=4, bias_attr=False), 1),
        named(nn.Linear(4, 3, bias_attr=False), 2),
    )
    show("grid", told(paddle, grid, [1, 2, 4, 4], print_detail=True))


@case(differs="a network is left as it was: Paddle puts all its layers into one mode")
def modes(paddle, show):
    net = images(paddle)
    net[8].eval()
    told(paddle, net, [1, 1, 28, 28])
    show("modes", [net.training, net[4].training, net[8].training])


@case(differs="a network is left as it was: Paddle leaves buffers in layers that did not run")
def buffers(paddle, show):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.used = named(paddle.nn.Linear(4, 4), 0)
            self.unused = named(paddle.nn.Linear(4, 4), 1)

        def forward(self, x):
            return self.used(x)

    net = Net()
    told(paddle, net, [1, 4])
    show("buffers", [name for name, _ in net.named_buffers()])


TABLE = texts("flops", globals())
