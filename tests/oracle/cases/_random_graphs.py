"""Random programs of the tape, the same on any Paddle, that record the order of backward.

Every tensor has a hook that writes its name, and every PyLayer writes its own. Programs avoid what
real Paddle cannot do, or does differently each time: a retained graph behind a PyLayer, and
paddle.grad of more than two outputs, or through ops of lists.
"""

from random import Random

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNARY = ("tanh", "scale", "clone", "exp")
BINARY = ("add", "multiply", "subtract", "matmul", "maximum")


class RandomGraph:
    """One program: random tensors computed from each other, and backward passes through them."""

    def __init__(self, paddle, seed):
        self.paddle, self.random = paddle, Random(seed)
        self.names, self.order = iter(LETTERS), []
        self.for_grad = self.pick((False, False, True))
        self.layers = not self.for_grad and self.pick((False, True))
        self.leaves = [self.leaf(number) for number in range(2 + self.below(3))]
        self.tensors, self.single = list(self.leaves), list(self.leaves)
        for _ in range(2 + self.below(9)):
            self.grow()

    def below(self, count):
        """Return a number below `count` by `random()`, the same in every version of Python."""
        return int(self.random.random() * count)

    def pick(self, row):
        return row[self.below(len(row))]

    def operand(self):
        """Return some tensor, more often one of the latest."""
        return self.pick(self.tensors[-4:] if self.below(2) else self.tensors)

    def named(self, tensor):
        """Return a tensor, with a hook if it can have one."""
        name = next(self.names)
        if not tensor.stop_gradient:
            tensor.register_hook(lambda grad: self.order.append(name))
        return tensor

    def leaf(self, number):
        tensor = self.paddle.full([2, 2], 0.25 * (number + 1))
        tensor.stop_gradient = number > 1 and self.below(4) == 0
        return self.named(tensor)

    def grow(self):
        """Add one op."""
        kinds = ["unary", "binary", "binary", "inplace", "no_grad", "addmm", "where"]
        kinds += [] if self.for_grad else ["add_n", "concat", "parts"]
        kinds += ["layer", "layer", "pair"] if self.layers else []
        made = getattr(self, self.pick(kinds))()
        outputs = made if isinstance(made, tuple) else (made,)
        self.tensors += [self.named(tensor) for tensor in outputs]
        self.single += outputs if len(outputs) == 1 else ()

    def unary(self):
        return getattr(self.paddle, self.pick(UNARY))(self.operand())

    def binary(self):
        return getattr(self.paddle, self.pick(BINARY))(self.operand(), self.operand())

    def inplace(self):
        fresh = self.named(self.paddle.add(self.operand(), self.operand()))
        return fresh.subtract_(self.operand()) if self.below(2) else fresh.scale_(2.0)

    def no_grad(self):
        with self.paddle.no_grad():
            constant = self.operand() * 2.0
        return self.paddle.add(constant, self.operand())

    def addmm(self):
        return self.paddle.addmm(self.operand(), self.operand(), self.operand())

    def where(self):
        x, y = self.operand(), self.operand()
        return self.paddle.where(self.paddle.full([2, 2], True), x, y)

    def add_n(self):
        return self.paddle.add_n([self.operand() for _ in range(2 + self.below(3))])

    def concat(self):
        joined = self.paddle.concat([self.operand() for _ in range(2 + self.below(2))])
        return self.paddle.matmul(self.paddle.full([2, joined.shape[0]], 0.5), self.named(joined))

    def parts(self):
        stacked = self.named(self.paddle.stack([self.operand(), self.operand()]))
        return tuple(self.paddle.unbind(stacked))

    def layer(self):
        return self.layer_of(1)

    def pair(self):
        one, two = self.layer_of(2)
        self.tensors.append(self.named(one + two))  # Paddle's hooks of unused outputs fail
        return one, two

    def layer_of(self, outputs):
        """Return a PyLayer of two inputs."""
        name, order = next(self.names), self.order

        class Layer(self.paddle.autograd.PyLayer):
            @staticmethod
            def forward(ctx, x, y):
                ctx.wanted = [not x.stop_gradient, not y.stop_gradient]
                return x + y if outputs == 1 else (x * 2.0, y * 3.0)

            @staticmethod
            def backward(ctx, *grads):
                order.append(name)
                pair = grads * 2 if outputs == 1 else grads
                return tuple(
                    grad * 1.0 if wanted else None
                    for grad, wanted in zip(pair, ctx.wanted, strict=True)
                )

        return Layer.apply(self.operand(), self.operand())

    def run(self):
        """Run backward, and return the order in which hooks and PyLayers ran, as one word."""
        if self.for_grad:
            self.run_grad()
        else:
            self.run_backward()
        return "".join(self.order)

    def run_backward(self):
        backward = self.paddle.autograd.backward
        roots = [t for t in self.tensors[-3:] if not t.stop_gradient and self.below(2)]
        roots = roots or [t for t in self.tensors if not t.stop_gradient][-1:]
        if self.below(4) == 0:
            roots.insert(self.below(len(roots) + 1), self.leaves[0])
        roots = [t for i, t in enumerate(roots) if all(t is not other for other in roots[:i])]
        if not self.layers and self.below(3) == 0:
            backward(roots, retain_graph=True)
            self.order.append("|")
        backward(roots)

    def run_grad(self):
        row = [t for t in self.single if not t.stop_gradient]
        count = min(1 + self.below(2), len(row) - 1)
        roots, inputs = row[-count:], row[:-count]
        wanted = [t for t in inputs if self.below(3) == 0] or inputs[:1]
        self.paddle.grad(roots, wanted, allow_unused=True)
