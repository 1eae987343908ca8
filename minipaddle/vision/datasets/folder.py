"""Images in folders: with the folder's name as the class, or without classes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...engine.dtypes import get_default
from ...io import Dataset
from ...paddle_names import absent
from .. import errors
from ..image import get_image_backend, image_load

__getattr__ = absent.names(__name__)

IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def default_loader(path: str) -> Any:
    """Read a colour image: of Pillow, or an array [H, W, 3], as `set_image_backend` says."""
    colours = image_load(path, "pil").convert("RGB")
    return np.asarray(colours) if get_image_backend() == "cv2" else colours


def find_files(
    root: str, extensions: Sequence[str] | None, is_valid_file: Callable[[str], bool] | None
) -> Iterator[str]:
    """Yield the files in a folder and those below it that have an extension, or are accepted."""
    endings = tuple(ending.lower() for ending in extensions or IMG_EXTENSIONS)
    for folder, _, names in sorted(os.walk(os.path.expanduser(root), followlinks=True)):
        for path in (os.path.join(folder, name) for name in sorted(names)):
            if is_valid_file(path) if is_valid_file else path.lower().endswith(endings):
                yield path


class _Files(Dataset):
    """Base class of data sets of files; a subclass sets `samples`."""

    samples: list[Any]

    def __init__(
        self,
        root: Any,
        loader: Callable[[str], Any] | None = None,
        extensions: Sequence[str] | None = None,
        transform: Callable[[Any], Any] | None = None,
        is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:
        self.root, self.loader, self.transform = root, loader or default_loader, transform
        self.extensions = extensions or IMG_EXTENSIONS
        self.dtype = get_default().name
        self._find(lambda folder: find_files(folder, extensions, is_valid_file))
        if not self.samples:
            raise errors.no_images(type(self).__name__, root, self.extensions)

    def _find(self, files_in: Callable[[str], Iterator[str]]) -> None:
        raise NotImplementedError

    def _load(self, path: str) -> Any:
        image = self.loader(path)
        return image if self.transform is None else self.transform(image)

    def __len__(self) -> int:
        return len(self.samples)


class DatasetFolder(_Files):
    """Images in one folder for each class: pairs of an image and the number of its class.

    root: a folder of folders, whose sorted names are `classes`. loader: a function of a path.
    extensions: endings of files, in lower or upper case. is_valid_file: a function of a path that
    replaces these. transform: a function of an image.

    Errors: FileNotFoundError without the folder; RuntimeError if there are no images.
    Source: Paddle's `paddle.vision.datasets.DatasetFolder`.

    >>> import pathlib, tempfile
    >>> from PIL import Image
    >>> root = pathlib.Path(tempfile.mkdtemp())
    >>> for name in ("cat", "dog"):
    ...     (root / name).mkdir()
    ...     Image.new("RGB", (4, 2)).save(root / name / "1.png")
    >>> pets = paddle.vision.datasets.DatasetFolder(root)
    >>> image, label = pets[1]
    >>> pets.classes, image.size, label
    (['cat', 'dog'], (4, 2), 1)
    """

    def _find(self, files_in: Callable[[str], Iterator[str]]) -> None:
        root = os.path.expanduser(self.root)
        if not os.path.isdir(root):
            raise errors.no_file("DatasetFolder", self.root)
        self.classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
        self.class_to_idx = {name: number for number, name in enumerate(self.classes)}
        self.samples = [
            (path, number)
            for name, number in self.class_to_idx.items()
            for path in files_in(os.path.join(self.root, name))
        ]
        self.targets = [number for _, number in self.samples]

    def __getitem__(self, index: Any) -> tuple[Any, int]:
        path, number = self.samples[index]
        return self._load(path), number


class ImageFolder(_Files):
    """Images in a folder and those below it, without classes: a sample is a list of one image.

    root: the folder. loader, extensions, transform, is_valid_file: those of `DatasetFolder`.

    Errors: RuntimeError if there are no images.
    Source: Paddle's `paddle.vision.datasets.ImageFolder`.

    >>> import pathlib, tempfile
    >>> from PIL import Image
    >>> root = pathlib.Path(tempfile.mkdtemp())
    >>> Image.new("RGB", (4, 2)).save(root / "1.png")
    >>> [image] = paddle.vision.datasets.ImageFolder(root)[0]
    >>> image.size
    (4, 2)
    """

    def _find(self, files_in: Callable[[str], Iterator[str]]) -> None:
        self.samples = list(files_in(self.root))

    def __getitem__(self, index: Any) -> list[Any]:
        return [self._load(self.samples[index])]
