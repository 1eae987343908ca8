"""MNIST and FashionMNIST: files of images and labels in the format IDX."""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ...engine.errors import CheckFailed
from ...errors import require
from ...paddle_names import absent
from .. import errors
from .download import existing, fetch
from .labelled import LabelledImages

__getattr__ = absent.names(__name__)

FILES = {"train": "train", "test": "t10k"}  # mode -> how the names of its files begin
PARTS = {"image": "images-idx3-ubyte.gz", "label": "labels-idx1-ubyte.gz"}  # and end


class MNIST(LabelledImages):
    """Handwritten digits: images [28, 28] of bytes, and labels [1] of int64 from 0 to 9.

    image_path, label_path: files in the format IDX, compressed by gzip or not. Without them the
    files are those in ~/.cache/paddle/dataset/mnist, which are downloaded if they are not there.
    mode: "train" for 60,000 digits, "test" for 10,000. transform: a function of an image.
    backend: "pil" for images of Pillow, "cv2" for arrays; None for that of `set_image_backend`.

    Errors: RuntimeError if a download fails; FileNotFoundError without a file that is named;
    ValueError for a damaged file; AssertionError for another mode, and without a path if download
    is False.
    Source: Paddle's `paddle.vision.datasets.MNIST`.

    >>> import pathlib, struct, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> images, labels = folder / "images", folder / "labels"
    >>> _ = images.write_bytes(struct.pack(">4i", 2051, 2, 28, 28) + bytes(2 * 28 * 28))
    >>> _ = labels.write_bytes(struct.pack(">2i", 2049, 2) + bytes([7, 2]))
    >>> digits = paddle.vision.datasets.MNIST(images, labels, mode="test")
    >>> image, label = digits[1]
    >>> len(digits), image.size, label
    (2, (28, 28), array([2]))
    """

    NAME = "mnist"
    URL_PREFIX = "https://dataset.bj.bcebos.com/mnist/"
    MD5: ClassVar = {
        ("train", "image"): "f68b3c2dcbeaaa9fbdd348bbdeb94873",
        ("train", "label"): "d53e105ee54ea40749a09fcbcd1e9432",
        ("test", "image"): "9fb629c4189551a2d022fa330f9573f3",
        ("test", "label"): "ec29112dd5afa0611ce80d1b7f02629c",
    }
    _seen = np.float32

    def __init__(
        self,
        image_path: Any = None,
        label_path: Any = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        super().__init__(mode, transform, backend)
        self.image_path = self._path("image", image_path, download)
        self.label_path = self._path("label", label_path, download)
        self.images, labels = read_idx(self.image_path, 3), read_idx(self.label_path, 1)
        counts = {"images": len(self.images), "labels": len(labels)}
        same, name = len(set(counts.values())) == 1, type(self).__name__
        require(same, name, "as many labels as images", **counts)
        self.labels = labels.astype(np.int64)[:, None]

    def _path(self, part: str, path: Any, download: bool) -> Path:
        """Return where a file is: the path that was given, or one in the cache."""
        name, argument = type(self).__name__, f"{part}_path"
        if path is not None:
            return existing(name, path)
        given = {argument: None, "download": False}
        require(download, name, f"{argument}, or download=True", CheckFailed, **given)
        url = f"{self.URL_PREFIX}{FILES[self.mode]}-{PARTS[part]}"
        return fetch(name, url, self.NAME, self.MD5[self.mode, part], argument)


class FashionMNIST(MNIST):
    """Clothes in ten classes, in the form of `MNIST`; the folder is that of fashion-mnist.

    Errors: those of `MNIST`.
    Source: Paddle's `paddle.vision.datasets.FashionMNIST`.

    >>> import pathlib, struct, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> images, labels = folder / "images", folder / "labels"
    >>> _ = images.write_bytes(struct.pack(">4i", 2051, 1, 28, 28) + bytes(28 * 28))
    >>> _ = labels.write_bytes(struct.pack(">2i", 2049, 1) + bytes([9]))
    >>> paddle.vision.datasets.FashionMNIST(images, labels)[0][1]
    array([9])
    """

    NAME = "fashion-mnist"
    URL_PREFIX = "https://dataset.bj.bcebos.com/fashion_mnist/"
    MD5: ClassVar = {
        ("train", "image"): "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
        ("train", "label"): "25c81989df183df01b3e8a0aad5dffbe",
        ("test", "image"): "bef4ecab320f06d8554ea6380940ec79",
        ("test", "label"): "bb300cfdad3c16e7a12a480ee83cd310",
    }


def read_idx(path: Path, axes: int) -> np.ndarray[Any, Any]:
    """Return the bytes in a file in the format IDX: a kind, the size of each axis, the elements."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise errors.damaged(path, str(error)) from error
    start = 4 + 4 * axes
    kind, *sizes = struct.unpack(f">{axes + 1}i", data[:start].ljust(start, b"\0"))
    if kind != 2048 + axes:
        raise errors.damaged(path, f"it begins with {kind}, not with {2048 + axes}")
    if len(data) != start + prod(sizes):
        raise errors.damaged(path, f"{len(data) - start} bytes for the sizes {sizes}")
    return np.frombuffer(data, np.uint8, offset=start).reshape(sizes)
