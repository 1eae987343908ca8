"""A small network with a hand-written activation learns to read digits."""

import gzip
from pathlib import Path

import minipaddle as paddle
import numpy as np
from minipaddle import nn
from minipaddle.autograd import PyLayer

DATA = Path(__file__).resolve().parent.parent / "data" / "digits.csv.gz"


class cus_tanh(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - paddle.square(y))


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(64, 32)
        self.output = nn.Linear(32, 10)

    def forward(self, images):
        return self.output(cus_tanh.apply(self.hidden(images)))


def load():
    """Pixels scaled to [0, 1], and digits; a random fifth is held out."""
    with gzip.open(DATA, "rt") as file:
        table = np.loadtxt(file, delimiter=",", dtype="float32")
    images, digits = table[:, :64] / 16, table[:, 64].astype("int64")
    order = paddle.randperm(len(table)).numpy()
    test, train = np.split(order, [len(table) // 5])
    return images[train], digits[train], images[test], digits[test]


def accuracy(net, images, digits):
    """The share of images whose digit the network names."""
    with paddle.no_grad():
        guesses = net(paddle.to_tensor(images)).argmax(axis=1)
    return float((guesses.numpy() == digits).mean())


def step(net, optimizer, images, digits):
    """One training step: forward, backward, update."""
    logits = net(images)
    loss = nn.functional.cross_entropy(logits, digits)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss


def train(epochs=30, batch_size=32, progress=iter):
    """Train from scratch; `progress` wraps the epochs. The accuracy on held-out images."""
    paddle.seed(2023)
    images, digits, test_images, test_digits = load()
    net = Net()
    optimizer = paddle.optimizer.Adam(learning_rate=0.005, parameters=net.parameters())
    for epoch in progress(range(epochs)):  # noqa: B007  (pictures name rounds by it)
        order = paddle.randperm(len(images)).numpy()
        for batch in range(-(-len(order) // batch_size)):
            part = order[batch * batch_size : (batch + 1) * batch_size]
            step(net, optimizer, paddle.to_tensor(images[part]), paddle.to_tensor(digits[part]))
    return accuracy(net, test_images, test_digits)


if __name__ == "__main__":
    print(f"held-out accuracy: {train():.1%}")
