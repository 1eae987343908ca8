"""The document's first PyLayer: tanh, with its backward written by hand."""

import minipaddle as paddle
from minipaddle.autograd import PyLayer


class cus_tanh(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        grad = dy * (1 - paddle.square(y))
        return grad


paddle.seed(2023)
data = paddle.randn([2, 3], dtype="float64")
data.stop_gradient = False

z = cus_tanh.apply(data)
z.mean().backward()

print(data.grad)
