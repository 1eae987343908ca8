"""Functions and layers that run as Programs: values, gradients, files."""

import tempfile

import numpy as np

from ..harness import case


def net_of(paddle):
    nn = paddle.nn

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.first, self.norm, self.last = nn.Linear(3, 4), nn.BatchNorm1D(4), nn.Linear(4, 2)

        def forward(self, x, scale=1.0):
            return self.last(nn.functional.relu(self.norm(self.first(x)))) * scale

    return Net()


@case
def nested_arguments_and_results_keep_their_form(paddle, show):
    @paddle.jit.to_static
    def parts(given, more=None):
        x, (y, _) = given["x"], given["rest"]
        return {"sum": x + y, "list": [x * y, more], "text": "as it is"}

    x, y = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 4.0])
    result = parts({"x": x, "rest": (y, 1)}, more=5)
    show("sum", result["sum"])
    show("product", result["list"][0])
    show("others", [result["list"][1], result["text"]])


@case
def a_saved_network_computes_the_same(paddle, show):
    paddle.seed(7)
    net = net_of(paddle)
    x = paddle.to_tensor(np.linspace(-1.0, 1.0, 6, dtype="float32").reshape(2, 3))
    net(x)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/net"
        spec = paddle.static.InputSpec([None, 3], "float32", "x")
        paddle.jit.save(net, path, [spec])
        loaded = paddle.jit.load(path)
    show("training", loaded.training)
    show("result", loaded(x))
    show("shapes", sorted(list(p.shape) for p in loaded.parameters() if not p.stop_gradient))
    show("missing", type_of(lambda: paddle.jit.load(path)))
    show("no spec", type_of(lambda: paddle.jit.save(net_of(paddle), path)))


def type_of(call):
    try:
        call()
    except ValueError:
        return "ValueError"
    return None
