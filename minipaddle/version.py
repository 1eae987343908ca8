"""`paddle.version`: the version of minipaddle, and of the libraries that Paddle is built with."""

from __future__ import annotations

from .paddle_names import absent

__all__ = [
    "cuda", "cuda_archs", "cudnn", "hip", "nccl", "show", "tensorrt", "xpu", "xpu_xccl",
    "xpu_xhpc", "xpu_xre",
]  # fmt: skip

__getattr__ = absent.names(__name__)

full_version = "0.1.0"
major, minor, patch = full_version.split(".")
rc = "0"


def show() -> None:
    """Print the version of minipaddle, and the version of Paddle whose names it has.

    Errors: none. Source: Paddle's `paddle.version.show`.

    >>> import minipaddle as paddle
    >>> paddle.version.show()
    full_version: 0.1.0
    major: 0
    minor: 1
    patch: 0
    rc: 0
    paddle: 3.3.1
    """
    for name in ("full_version", "major", "minor", "patch", "rc"):
        print(f"{name}: {globals()[name]}")
    print(f"paddle: {absent.version()}")


def cuda() -> str:
    """Return "False", as Paddle without CUDA: no library of CUDA is built in.

    So do `cudnn`, `hip` and the versions for XPU. Errors: none.
    Source: Paddle's `paddle.version.cuda`.

    >>> import minipaddle as paddle
    >>> paddle.version.cuda()
    'False'
    """
    return "False"


cudnn = hip = xpu = xpu_xre = xpu_xccl = xpu_xhpc = cuda


def nccl() -> str:
    """Return "0": no NCCL is built in.

    Errors: none. Source: Paddle's `paddle.version.nccl`.

    >>> import minipaddle as paddle
    >>> paddle.version.nccl()
    '0'
    """
    return "0"


def tensorrt() -> str:
    """Return "None": no TensorRT is built in.

    Errors: none. Source: Paddle's `paddle.version.tensorrt`.

    >>> import minipaddle as paddle
    >>> paddle.version.tensorrt()
    'None'
    """
    return "None"


def cuda_archs() -> list[int]:
    """Return the CUDA devices that code was compiled for: none.

    Errors: none. Source: Paddle's `paddle.version.cuda_archs`.

    >>> import minipaddle as paddle
    >>> paddle.version.cuda_archs()
    []
    """
    return []
