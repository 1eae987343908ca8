"""Discrete Fourier transforms: values, gradients, dtypes, errors."""

import numpy as np

from ._texts import texts

X = np.array([[1.0, -0.5, 2.0], [0.75, 3.0, -1.5]])
Z = X + 1j * X[::-1] - 0.5j
REAL = ["fft", "ifft", "rfft", "ihfft"]
COMPLEX = ["fft", "ifft", "irfft", "hfft"]
NORMS = ["backward", "ortho", "forward"]


def parts(tensor):
    return [tensor.numpy().real.copy(), tensor.numpy().imag.copy()]


def each(paddle, names, values, suffix="", norms=("ortho",), **options):
    """Return the results of these functions under each norm."""
    tensor = paddle.to_tensor(values)
    calls = [(getattr(paddle.fft, name + suffix), norm) for name in names for norm in norms]
    return [part for call, norm in calls for part in parts(call(tensor, norm=norm, **options))]


def slopes(paddle, names, values, suffix="", norms=("ortho",), **options):
    """Return the gradients of these functions under each norm, from a seed with two parts."""
    made = []
    for name in names:
        for norm in norms:
            x = paddle.to_tensor(values, stop_gradient=False)
            out = getattr(paddle.fft, name + suffix)(x, norm=norm, **options)
            seed = np.arange(out.size).reshape(out.shape) * (1.0 + 0.5j) - 1.5
            seed = seed if out.is_complex() else seed.real
            paddle.autograd.backward([out], [paddle.to_tensor(seed).astype(out.dtype)])
            made += parts(x.grad)
    return made


def dtypes(paddle, names, *kinds):
    """Return the dtypes of the results for x of these dtypes."""
    x = paddle.to_tensor([[1, 2, 3]])
    return [str(getattr(paddle.fft, name)(x.astype(k)).dtype) for name in names for k in kinds]


DIFFERS = {"call, one axis": "real Paddle's fftshift and ifftshift end in a SystemError there"}
TABLE = texts("fourier", globals(), DIFFERS)
