"""Handwritten digits as readers; new programs use `paddle.vision.datasets.MNIST`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..ops.boundary import publish
from ..paddle_names import absent
from ..vision.datasets import MNIST

__all__ = ["test", "train"]

__getattr__ = absent.names(__name__)

Reader = Callable[[], Iterator[tuple[Any, int]]]


def train() -> Reader:
    """Return a reader of MNIST's 60,000 digits for training.

    A reader yields pairs: 784 numbers of float32 between -1 and 1, and the label as an int.
    Source: Paddle's `paddle.dataset.mnist.train`.

    Errors: RuntimeError if the files are not in ~/.cache/paddle/dataset/mnist and cannot be
    downloaded.

    >>> def first_digit():  # reads the files, or fetches them
    ...     pixels, label = next(paddle.dataset.mnist.train()())
    ...     return pixels.reshape(28, 28), label
    """
    return _reader_of("train")


def test() -> Reader:
    """Return a reader of MNIST's 10,000 digits for tests, in the form of `train`.

    Errors: those of `train`.
    Source: Paddle's `paddle.dataset.mnist.test`.

    >>> batches = lambda: paddle.batch(paddle.dataset.mnist.test(), batch_size=32)
    """
    return _reader_of("test")


def _reader_of(mode: str) -> Reader:
    """Return a reader of one part of MNIST."""
    digits = MNIST(mode=mode)

    def reader() -> Iterator[tuple[Any, int]]:
        for image, label in zip(digits.images, digits.labels, strict=True):
            yield image.reshape(-1).astype(np.float32) / 255.0 * 2.0 - 1.0, int(label[0])

    return reader


publish(globals(), {*__all__})
