"""A small LeNet learns to read handwritten digits, step by step and as a Program.

    python examples/lenet_digits.py

It runs unchanged with PaddlePaddle, where minipaddle is not installed: with the same seed both
print the same losses.
"""

import gzip
from pathlib import Path

import numpy as np

try:
    import minipaddle as paddle
except ImportError:
    import paddle

DATA = Path(__file__).resolve().parents[1] / "lessons" / "data" / "digits.csv.gz"
BATCH = 32


class LeNet(paddle.nn.Layer):
    """Two convolutions with pooling, then two linear layers: 8x8 pixels to 10 scores."""

    def __init__(self):
        super().__init__()
        nn = paddle.nn
        self.features = nn.Sequential(
            nn.Conv2D(1, 6, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2D(2),
            nn.Conv2D(6, 16, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2D(2),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))

    def forward(self, images):
        return self.head(self.features(images))


def digits_and_images():
    """The digits, and their images [1797, 1, 8, 8] with pixels from 0 to 1."""
    with gzip.open(DATA, "rt") as file:
        table = np.loadtxt(file, delimiter=",")
    images = (table[:, :64] / 16).reshape(-1, 1, 8, 8).astype(paddle.get_default_dtype())
    return table[:, 64].astype("int64"), images


def batches(steps):
    """Images [32, 1, 8, 8], and their digits, batch after batch."""
    digits, images = digits_and_images()
    for step in range(steps):
        rows = np.arange(step * BATCH, (step + 1) * BATCH) % len(digits)
        yield images[rows], digits[rows]


def train_eagerly(steps, seed=0):
    """The loss of every step, computed at once."""
    paddle.seed(seed)
    net = LeNet()
    optimizer = paddle.optimizer.Momentum(0.05, 0.9, parameters=net.parameters())
    losses = []
    for images, digits in batches(steps):
        scores = net(paddle.to_tensor(images))
        loss = paddle.nn.functional.cross_entropy(scores, paddle.to_tensor(digits))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return losses


def train_a_program(steps, seed=0):
    """The same losses, from a Program that is built once and run for every step."""
    paddle.enable_static()
    static = paddle.static
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), static.scope_guard(static.Scope()):
        images = static.data("images", [None, 1, 8, 8], paddle.get_default_dtype())
        digits = static.data("digits", [None], "int64")
        loss = paddle.nn.functional.cross_entropy(LeNet()(images), digits)
        paddle.optimizer.Momentum(0.05, 0.9).minimize(loss)
        paddle.seed(seed)
        executor = static.Executor()
        executor.run(startup)
        losses = [
            float(executor.run(main, {"images": x, "digits": y}, [loss])[0])
            for x, y in batches(steps)
        ]
    paddle.disable_static()
    return losses


if __name__ == "__main__":
    eager, program = train_eagerly(100), train_a_program(100)
    for step in range(0, 100, 10):
        print(f"step {step:2}: loss {eager[step]:.4f}, as a Program {program[step]:.4f}")
