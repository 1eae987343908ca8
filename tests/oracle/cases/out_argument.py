"""`out=`: a tensor that becomes the result, with its shape, dtype and history."""

from ._texts import texts


def into(paddle, call, shape=(1,), dtype="float32"):
    """Return a call's result, and the tensor that it is written into."""
    out = paddle.zeros(shape, dtype=dtype)
    return [call(out), out]


def history(paddle):
    """Return the flags of a tensor that takes a result, and the gradient through it."""
    x, out = paddle.to_tensor([1.0, 2.0], stop_gradient=False), paddle.zeros([2])
    paddle.tanh(x, out=out)
    (out * paddle.to_tensor([1.0, 3.0])).sum().backward()
    return [out.stop_gradient, out.is_leaf, x.grad]


DIFFERS = {
    "bits": "`out` takes the result, as documented: real Paddle leaves it unchanged",
}  # fmt: skip
TABLE = texts("out_argument", globals(), DIFFERS)
