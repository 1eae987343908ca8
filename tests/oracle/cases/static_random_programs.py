"""Random Programs, each run four times: twice with one feed, with another batch, and once more.

A Program grows op by op from a feed and a weight; some ops are py_funcs. Backward goes from the
loss through all of it, and plain SGD changes the weight after each run.
"""

from functools import partial

import numpy as np

from ..harness import Case
from ._draw import Draw
from ._py_funcs import output

STATIC = True
PROGRAMS = [seed for seed in range(40) if seed != 4]  # 4 loses its digits in a softmax
WIDE = 4


class RandomProgram:
    """Variables of shape [-1, 4], computed from each other.

    Only functions that take a legacy Variable in 3.3.1 are used; tanh and others do not.
    """

    def __init__(self, paddle, seed):
        self.paddle, self.draw, self.names = paddle, Draw(paddle, seed), []
        self.x = paddle.static.data("x", [-1, WIDE], "float32")
        self.x.stop_gradient = False
        self.weight = paddle.static.create_parameter(
            [WIDE, WIDE],
            "float32",
            name="w",
            default_initializer=paddle.nn.initializer.Assign(self.values([WIDE, WIDE]) / 4),
        )
        self.rows = [self.x]
        for _ in range(3 + self.draw.below(6)):
            self.grow()

    def values(self, shape):
        return self.draw.numbers(shape).astype("float32")

    def operand(self):
        return self.draw.pick(*self.rows[-3:])

    def grow(self):
        kinds = (self.unary, self.binary, self.product, self.pieces, self.choice, self.layer)
        kind = self.draw.pick(*kinds, self.user_function)
        self.names.append(kind.__name__)
        self.rows.append(kind())

    def unary(self):
        paddle, x = self.paddle, self.operand()
        calls = {
            "relu": lambda: paddle.nn.functional.relu(x),
            "leaky_relu": lambda: paddle.nn.functional.leaky_relu(x, 0.25),
            "square": lambda: paddle.square(x * 0.5),
            "scale": lambda: paddle.scale(x, -1.5, bias=0.25),
            "clip": lambda: paddle.clip(x, -0.75, 0.75),
            "cumsum": lambda: paddle.cumsum(x, axis=1) * 0.25,
            "flip": lambda: paddle.flip(x, axis=[1]),
            "sort": lambda: paddle.sort(x, axis=1),
            "pow": lambda: paddle.pow(x, 2.0) * 0.25,
        }
        self.names[-1] = name = self.draw.pick(*calls)
        return calls[name]()

    def binary(self):
        x, y = self.operand(), self.operand()
        if self.draw.maybe(3):
            y = self.paddle.mean(y, axis=self.draw.pick(0, 1), keepdim=True)
        self.names[-1] = name = self.draw.pick("add", "subtract", "multiply")
        return {"add": lambda: x + y, "subtract": lambda: x - y, "multiply": lambda: x * y}[name]()

    def product(self):
        return self.operand() @ self.weight

    def pieces(self):
        """Split a Variable, change some parts, and join the parts."""
        paddle, parts = self.paddle, self.draw.pick(1, 2, 4)
        call = self.draw.pick(paddle.split, paddle.chunk)
        rows = call(self.operand(), parts, axis=1)
        if self.draw.maybe():
            rows = rows[::-1]
        return paddle.concat([row * 0.5 if self.draw.maybe() else row for row in rows], axis=1)

    def choice(self):
        x, y = self.operand(), self.operand()
        if self.draw.maybe():
            return self.paddle.where(x > 0.25, x, y)
        return self.paddle.addmm(x, y, self.weight, alpha=0.5)

    def layer(self):
        functional, x = self.paddle.nn.functional, self.operand()
        if self.draw.maybe():
            return functional.softmax(x, axis=self.draw.pick(0, 1))
        return functional.layer_norm(x, [WIDE])

    def user_function(self):
        """Add a py_func whose backward_func gets the arguments that the call names."""
        block_output = output(self.paddle, f"out_{len(self.rows)}", (-1, WIDE))
        forward, backward = times(self.draw.pick(2.0, -0.5))
        return self.paddle.static.py_func(forward, self.operand(), block_output, backward)


def times(factor):
    """Return the two functions of a py_func that multiplies."""
    factor = np.float32(factor)
    return lambda x: np.array(x) * factor, lambda x, out, dout: np.array(dout) * factor


def play(paddle, show, seed):
    program = RandomProgram(paddle, seed)
    aim = paddle.assign(np.float32([[0.5, -1.0, 0.25, 2.0]]))
    loss = paddle.mean(paddle.square(program.rows[-1] - aim))
    optimizer = paddle.optimizer.SGD(learning_rate=0.125)
    trained = "product" in program.names and reaches(program, loss)
    if trained:
        optimizer.minimize(loss)
        fetched = [loss, program.rows[-1], "x@GRAD"]
    else:
        (slope,) = paddle.static.gradients([loss], [program.x])
        fetched = [loss, program.rows[-1], slope]
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(paddle.static.default_startup_program())
    feeds = [program.values([2, WIDE])] * 2 + [program.values([3, WIDE]), program.values([1, WIDE])]
    for number, feed in enumerate(feeds):
        label = f"{number} {' '.join(program.names)}"
        show(label, list(executor.run(feed={"x": feed}, fetch_list=fetched)))


def reaches(program, loss):
    """Say whether the loss depends on the weight, so that it has a gradient."""
    made = {name: op for op in loss.block.ops for name in op.output_arg_names}
    open_names, seen = [loss.name], set()
    while open_names:
        name = open_names.pop()
        if name == program.weight.name:
            return True
        if name in made and name not in seen:
            seen.add(name)
            open_names += made[name].input_arg_names
    return False


TABLE = [Case(f"program_{seed}", partial(play, seed=seed), ulps=64) for seed in PROGRAMS]
