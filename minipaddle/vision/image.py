"""Loading of images from files, as images of Pillow or as arrays."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..ops.boundary import publish as _publish
from ..ops.errors import choice
from ..paddle_names import absent
from . import errors, pillow

__all__ = ["get_image_backend", "image_load", "set_image_backend"]

__getattr__ = absent.names(__name__)

_BACKENDS = ("pil", "cv2")
_backend = "pil"


def _check(op: str, backend: str | None) -> str:
    """Return the name of a backend; the one that was set for None."""
    if backend is not None and backend not in _BACKENDS:
        raise choice(op, "backend", backend, _BACKENDS)
    return backend or _backend


def set_image_backend(backend: str) -> None:
    """Choose what data sets and `image_load` give: "pil", images of Pillow, or "cv2", arrays.

    Pillow reads the files of both.

    Errors: ValueError for another backend.
    Source: Paddle's `paddle.vision.set_image_backend`.

    >>> paddle.vision.set_image_backend("cv2")
    >>> paddle.vision.get_image_backend()
    'cv2'
    >>> paddle.vision.set_image_backend("pil")
    """
    global _backend
    _backend = _check("set_image_backend", backend)


def get_image_backend() -> str:
    """Return the backend that `set_image_backend` chose.

    Errors: none.
    Source: Paddle's `paddle.vision.get_image_backend`.

    >>> paddle.vision.get_image_backend()
    'pil'
    """
    return _backend


def image_load(path: str | os.PathLike[str], backend: str | None = None) -> Any:
    """Read an image: as one of Pillow, or as an array [H, W, 3] of uint8, blue first as in OpenCV.

    backend: "pil" or "cv2"; None for that of `set_image_backend`.

    Errors: FileNotFoundError without the file; OSError if it is no image; ValueError for another
    backend.
    Source: Paddle's `paddle.vision.image_load`.

    >>> import pathlib, tempfile
    >>> from PIL import Image
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "red.png"
    >>> Image.new("RGB", (1, 1), "red").save(path)
    >>> paddle.vision.image_load(path).mode
    'RGB'
    >>> paddle.vision.image_load(path, backend="cv2").tolist()
    [[[0, 0, 255]]]
    """
    backend = _check("image_load", backend)
    try:
        image = pillow.Image.open(path)
    except (FileNotFoundError, IsADirectoryError):
        raise errors.no_file("image_load", path) from None
    image.load()  # and close the file
    return image if backend == "pil" else np.asarray(image.convert("RGB"))[..., ::-1]


_publish(globals(), __all__)
