"""Operators and functions on Variables: names, shapes, dtypes, operator types and values."""

from ._static_worlds import expressions

STATIC = True
NUMBERS = "a power is one operator, a quotient is what it is in eager mode"
NAMES = "outputs are numbered by the op that the function is made of"

TABLE = [
    *expressions(
        "operator ",
        """
        x + x
        x - x
        x * x
        x / x
        x // x
        x % x
        x == x
        x != x
        x < x
        x <= x
        x > x
        x >= x
        x @ w
        -x
        x + 1
        x + 1.5
        1 - x
        2.0 * x
        x * True
        x + y.mean()
        x[0]
        x.T
        x.astype("int32")
        x.astype("float64")
        x.clone()
        n + 1
        n * 2
        n + n
        n - 3
        n == n
        n.astype("float32") + x
        (x > x).astype("int64")
        """,
        run=True,
    ),
    *expressions(
        "function ",
        """
        paddle.mean(x)
        paddle.mean(x, axis=1)
        paddle.mean(x, axis=[0, 1], keepdim=True)
        paddle.max(x, axis=1)
        paddle.min(x)
        paddle.square(x)
        paddle.reciprocal(x)
        paddle.pow(x, 2)
        paddle.scale(x, 2.0, 1.0)
        paddle.scale(x, 2.0, 1.0, bias_after_scale=False)
        paddle.cast(x, "int64")
        paddle.concat([x, x], axis=1)
        paddle.stack([x, x])
        paddle.split(y, 3, axis=1)
        paddle.reshape(x, [-1, 2, 2])
        paddle.reshape(x, [0, -1])
        paddle.transpose(x, [1, 0])
        paddle.flatten(x)
        paddle.squeeze(n, 1)
        paddle.unsqueeze(x, [0])
        paddle.expand(x, [2, 2, 4])
        paddle.tile(x, [2, 1])
        paddle.clip(x, 0.0, 1.0)
        paddle.gather(x, paddle.squeeze(n, 1))
        paddle.cumsum(x, axis=1)
        paddle.add(x, x)
        paddle.subtract(x, x)
        paddle.add_n([x, x])
        F.relu(x)
        F.softmax(x)
        F.log_softmax(x)
        F.mse_loss(x, x * 2.0)
        F.cross_entropy(y, n)
        static.nn.fc(x, 2, name="mine")
        static.nn.fc(x, 2, bias_attr=False)
        static.nn.fc(x, 2, activation="relu")
        static.nn.fc(x, 2, activation="tanh")
        static.nn.fc([x, x], 2)
        """,
        ulps=16,
    ),
    *expressions("number ", "x ** 2.0\nx / 2\n2.0 / x", run=True, differs=NUMBERS),
    *expressions(
        "name ",
        "paddle.divide(x, x)\npaddle.mm(x, w)\nF.linear(x, w, b)\nx.detach()",
        differs=NAMES,
    ),
    *expressions(
        "part ",
        """
        x[:, 1].shape
        x[..., 0].shape
        x[-1].shape
        x[0:1, 1:3].shape
        x[:, -2:].shape
        """,
    ),
    *expressions("part of parts ", "x[:, 1] * 2.0\nx[-1] + x[0]\nx[0:1, 1:3] - 1.0", run=True),
]
