"""A seeded network, a changing rate, and mistakes with optimizers and losses."""

import numpy as np

from ..harness import Case, case
from ._texts import texts

INPUTS = np.float32([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75], [-0.5, 1.0, 0.125], [2.0, 0.0, 1.0]])
TARGETS = np.float32([[1.0], [-0.5], [0.25], [2.0]])
WEIGHT = np.float32([[0.5], [-0.25], [0.125]])

LAYERS = {"dropout": lambda nn: nn.Dropout(0.3), "embedding": lambda nn: nn.Embedding(5, 2)}


def layer_case(name, make):
    return Case(f"text_of_{name}", lambda paddle, show: show("text", repr(make(paddle.nn))))


@case
def optimizer_errors(paddle, show):
    w = paddle.to_tensor(WEIGHT, stop_gradient=False)
    show.raises("no parameters", lambda: paddle.optimizer.SGD(0.1))
    show.raises("tensor", lambda: paddle.optimizer.SGD(0.1, parameters=w))
    show.raises("rate", lambda: paddle.optimizer.SGD("fast", parameters=[w]))
    show.raises("beta1", lambda: paddle.optimizer.Adam(0.1, beta1=1.0, parameters=[w]))
    paddle.optimizer.SGD(0.1, parameters=[w]).step()
    show("step without gradients", w)


TABLE = [
    *(layer_case(name, make) for name, make in LAYERS.items()),
    *texts("training", globals()),
]


@case
def a_network_of_a_seed(paddle, show):
    paddle.seed(90)
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Tanh(), paddle.nn.Linear(4, 1))
    loss = paddle.nn.functional.mse_loss(net(paddle.to_tensor(INPUTS)), paddle.to_tensor(TARGETS))
    loss.backward()
    show("loss", loss)
    show("gradients", [p.grad for p in net.parameters()])
