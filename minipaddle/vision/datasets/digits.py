"""The digits that come with minipaddle."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import numpy as np

from ...folders import lessons_folder
from .. import pillow
from .labelled import LabelledImages

TEST = 360  # images at the end of the file


class Digits(LabelledImages):
    """1,797 handwritten digits, a stand-in for `MNIST` that needs no download.

    Their 8 × 8 pixels are enlarged to size × size. mode: "train" for the first 1,437, "test" for
    the last 360. Images, labels, transform and backend are those of `MNIST`.

    Errors: AssertionError for another mode; ValueError for another backend.
    Source: minipaddle's own; the data are Optical Recognition of Handwritten Digits by E. Alpaydin
    and C. Kaynak, of the UCI Machine Learning Repository (CC BY 4.0).

    >>> digits = paddle.vision.datasets.Digits(mode="test")
    >>> image, label = digits[0]
    >>> len(digits), image.size, label
    (360, (28, 28), array([2]))
    """

    _seen = np.float32

    def __init__(
        self,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        backend: str | None = None,
        size: int = 28,
    ) -> None:
        super().__init__(mode, transform, backend)
        with gzip.open(lessons_folder() / "data" / "digits.csv.gz", "rt") as file:
            rows = np.loadtxt(file, np.int64, delimiter=",")
        rows = rows[:-TEST] if self.mode == "train" else rows[-TEST:]
        pixels = (rows[:, :64] * 255 // 16).astype(np.uint8).reshape(-1, 8, 8)
        smooth = pillow.Image.Resampling.BICUBIC
        large = [pillow.Image.fromarray(each).resize((size, size), smooth) for each in pixels]
        self.images, self.labels = np.stack([np.asarray(each) for each in large]), rows[:, 64:]
