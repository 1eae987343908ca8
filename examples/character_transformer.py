"""A small transformer learns to write a rhyme, letter by letter, step by step and as a Program.

    python examples/character_transformer.py

It runs unchanged with PaddlePaddle, where minipaddle is not installed: with the same seed both
print the same losses, step by step. Real Paddle's Program keeps Adam's betas in float32, so after
some forty steps its losses are a little different ones.
"""

import numpy as np

try:
    import minipaddle as paddle
except ImportError:
    import paddle

TEXT = """\
a snail set out to see the sea,
and asked a bee, how far is that?
so far, so far, replied the bee,
that you should wear your summer hat.
the snail went home and fetched his hat,
and asked a frog, where is the sea?
the sea is where you see the cat
that sees the frog that hears the bee.
"""
LETTERS = sorted(set(TEXT))
LENGTH, BATCH, SIZE = 16, 8, 32


class Writer(paddle.nn.Layer):
    """Letters [batch, LENGTH] to scores of the letter that follows each of them."""

    def __init__(self):
        super().__init__()
        nn = paddle.nn
        self.letters = nn.Embedding(len(LETTERS), SIZE)
        self.places = nn.Embedding(LENGTH, SIZE)
        layer = nn.TransformerEncoderLayer(SIZE, nhead=4, dim_feedforward=64, dropout=0.0)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.head = nn.Linear(SIZE, len(LETTERS))

    def forward(self, letters):
        places = paddle.arange(LENGTH)
        seen = places.unsqueeze(1) >= places  # no letter sees a later one
        x = self.letters(letters) + self.places(places)
        return self.head(self.encoder(x, seen))


def loss_of(net, letters, following):
    """How badly the network guesses: of Tensors a number, of Variables a part of a Program."""
    return paddle.nn.functional.cross_entropy(net(letters), following)


def batches(steps):
    """Pieces of the text, [BATCH, LENGTH], and the same one letter later, batch after batch."""
    numbers = np.array([LETTERS.index(letter) for letter in TEXT])
    for step in range(steps):
        starts = (step * BATCH + np.arange(BATCH)) * 37 % (len(TEXT) - LENGTH)
        pieces = numbers[starts[:, None] + np.arange(LENGTH + 1)]
        yield pieces[:, :-1], pieces[:, 1:]


def train_eagerly(steps, seed=0):
    """The trained network, and the loss of every step, computed at once."""
    paddle.seed(seed)
    net = Writer()
    optimizer = paddle.optimizer.Adam(0.005, parameters=net.parameters())
    losses = []
    for letters, following in batches(steps):
        loss = loss_of(net, paddle.to_tensor(letters), paddle.to_tensor(following))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return net, losses


def train_a_program(steps, seed=0):
    """The same losses, from a Program that is built once and run for every step."""
    paddle.enable_static()
    static = paddle.static
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), static.scope_guard(static.Scope()):
        letters = static.data("letters", [None, LENGTH], "int64")
        following = static.data("following", [None, LENGTH], "int64")
        loss = loss_of(Writer(), letters, following)
        paddle.optimizer.Adam(0.005).minimize(loss)
        paddle.seed(seed)
        executor = static.Executor()
        executor.run(startup)
        losses = [
            float(executor.run(main, {"letters": x, "following": y}, [loss])[0])
            for x, y in batches(steps)
        ]
    paddle.disable_static()
    return losses


def write_on(net, text, count):
    """The text, and the letters that the network thinks most likely to follow, one by one."""
    for _ in range(count):
        seen = [LETTERS.index(letter) for letter in text[-LENGTH:]]
        scores = net(paddle.to_tensor([seen]))
        text += LETTERS[int(scores[0, -1].argmax())]
    return text


if __name__ == "__main__":
    paddle.set_default_dtype("float64")
    (net, eager), program = train_eagerly(200), train_a_program(200)
    for step in range(0, 200, 20):
        print(f"step {step:3}: loss {eager[step]:.6f}, as a Program {program[step]:.6f}")
    print(write_on(net, TEXT[:LENGTH], 100))
