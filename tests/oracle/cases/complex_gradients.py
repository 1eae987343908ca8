"""Gradients of complex tensors: real Paddle gives dout · conj(f′)."""

from ..harness import case
from ._texts import texts

Z = [[0.5 + 0.25j, -1.0 + 2.0j], [1.5 - 0.5j, 0.25 - 1.0j]]
W = [[1.0 - 1.0j, 0.5 + 0.5j], [2.0 + 0.25j, -0.75j]]
SEED = [[1.0 + 0.5j, -0.5j], [0.25 + 0.0j, 1.0 - 2.0j]]


def parts(tensor):
    return [tensor.numpy().real.copy(), tensor.numpy().imag.copy()]


def slopes(paddle, show, label, call, *values):
    """Show the gradients of a call, from a complex seed."""
    tensors = [paddle.to_tensor(v, dtype="complex128", stop_gradient=False) for v in values]
    out = call(*tensors)
    paddle.autograd.backward([out], [paddle.to_tensor(SEED, dtype="complex128")])
    show(label, [part for t in tensors for part in parts(t.grad)])


@case(ulps=16)
def of_one(paddle, show):
    """Leave out exp, which real Paddle computes with only eight digits."""
    for name in ("log", "sqrt", "square", "sin", "cos", "tanh", "reciprocal", "conj", "sgn"):
        slopes(paddle, show, name, getattr(paddle, name), Z)


@case(ulps=16)
def of_two(paddle, show):
    for name in ("add", "subtract", "multiply", "divide", "matmul"):
        slopes(paddle, show, name, getattr(paddle, name), Z, W)
    slopes(paddle, show, "scalar", lambda z: z * (2 + 1j), Z)


@case(ulps=16)
def to_real_numbers(paddle, show):
    z = paddle.to_tensor(Z, dtype="complex128", stop_gradient=False)
    (z * z).abs().sum().backward()
    show("abs", parts(z.grad))


REAL_ONLY = (
    "erf erfinv lgamma digamma logit rsqrt logsumexp celu elu gelu hardshrink hardsigmoid hardtanh "
    "leaky_relu mish relu relu6 selu softshrink swish tanhshrink thresholded_relu softmax "
    "log_softmax dropout"
)
COMPLEX_TOO = "silu softplus softsign hardswish sigmoid stanh log1p expm1"


@case()
def ops_without_a_kernel_for_complex_numbers(paddle, show):
    """Show whether there is a kernel; real Paddle's exp has only eight digits."""
    z = paddle.to_tensor(Z, dtype="complex128")
    for name in (REAL_ONLY + " " + COMPLEX_TOO).split():
        function = getattr(paddle, name, None) or getattr(paddle.nn.functional, name)
        try:
            show(name, str(function(z).dtype).rpartition(".")[2])
        except RuntimeError:
            show(name, "RuntimeError")


@case(differs="log_sigmoid has no kernel for complex numbers here")
def log_sigmoid(paddle, show):
    z = paddle.to_tensor(Z, dtype="complex128")
    show("log_sigmoid", parts(paddle.nn.functional.log_sigmoid(z)))


@case(differs="prod and pow of complex numbers do not conjugate their slope there")
def powers_and_products(paddle, show):
    z = paddle.to_tensor(Z, dtype="complex128", stop_gradient=False)
    paddle.autograd.backward([paddle.prod(z)], [paddle.to_tensor(1 + 0.5j, dtype="complex128")])
    show("prod", parts(z.grad))
    slopes(paddle, show, "pow", paddle.pow, Z, W)


TABLE = texts("complex_gradients", globals())
