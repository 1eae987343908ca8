"""Gradients of complex tensors: real Paddle gives dout · conj(f′)."""

from ._texts import texts

Z = [[0.5 + 0.25j, -1.0 + 2.0j], [1.5 - 0.5j, 0.25 - 1.0j]]
W = [[1.0 - 1.0j, 0.5 + 0.5j], [2.0 + 0.25j, -0.75j]]
SEED = [[1.0 + 0.5j, -0.5j], [0.25 + 0.0j, 1.0 - 2.0j]]


def parts(tensor):
    return [tensor.numpy().real.copy(), tensor.numpy().imag.copy()]


def slopes(paddle, call, *values, seed=SEED):
    """Return the gradients of a call, from a complex seed."""
    tensors = [paddle.to_tensor(v, dtype="complex128", stop_gradient=False) for v in values]
    out = call(*tensors)
    paddle.autograd.backward([out], [paddle.to_tensor(seed).astype(out.dtype)])
    return [part for t in tensors for part in parts(t.grad)]


def kernel(paddle, name):
    """Return the dtype of a function's result; real Paddle's exp has only eight digits."""
    function = getattr(paddle, name, None) or getattr(paddle.nn.functional, name)
    return str(function(paddle.to_tensor(Z, dtype="complex128")).dtype)


DIFFERS = {
    "products within 16 ulps": "prod and pow of complex numbers do not conjugate their slope there",
    "kernel of log_sigmoid": "log_sigmoid has no kernel for complex numbers here",
}  # fmt: skip
TABLE = texts("complex_gradients", globals(), DIFFERS)
