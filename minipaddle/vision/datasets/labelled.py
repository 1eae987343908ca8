"""The base class of data sets that hold all images in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ...engine.dtypes import get_default
from ...engine.errors import CheckFailed
from ...io import Dataset
from ...ops.errors import choice
from .. import image as backends
from .. import pillow

MODES = ("train", "test")


class LabelledImages(Dataset):
    """Base class of data sets of images, each with a label; a subclass sets `images` and `labels`.

    backend "pil" gives images of Pillow; "cv2" gives arrays, which a transform sees as `_seen`.
    """

    images: Any
    labels: Any
    _seen: ClassVar[type[np.generic]] = np.uint8

    def __init__(
        self, mode: str, transform: Callable[[Any], Any] | None, backend: str | None
    ) -> None:
        if mode.lower() not in MODES:
            raise choice(type(self).__name__, "mode", mode, MODES, CheckFailed)
        self.mode, self.transform = mode.lower(), transform
        self.backend = backends._check(type(self).__name__, backend)
        self.dtype = get_default().name

    def __getitem__(self, idx: Any) -> tuple[Any, Any]:
        image, as_pil = self.images[idx], self.backend == "pil"
        image = pillow.Image.fromarray(image) if as_pil else image.astype(self._seen)
        if self.transform is not None:
            image = self.transform(image)
        return image if as_pil else image.astype(self.dtype), np.array(self.labels[idx])

    def __len__(self) -> int:
        return len(self.labels)
