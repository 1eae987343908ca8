"""Cifar10 and Cifar100: archives of pickles, read without executing anything."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ...engine.errors import CheckFailed
from ...errors import require
from ...paddle_names import absent
from ...saving import pickles
from .. import errors
from .download import existing, fetch
from .labelled import LabelledImages

__getattr__ = absent.names(__name__)

URL = "https://dataset.bj.bcebos.com/cifar/"


class Cifar10(LabelledImages):
    """Photographs in ten classes: colour images of 32 × 32 pixels, and labels of int64.

    data_file: the archive cifar-10-python.tar.gz. Without it the file is that in
    ~/.cache/paddle/dataset/cifar, which is downloaded if it is not there.
    mode: "train" for 50,000 images, "test" for 10,000. transform: a function of an image.
    backend: "pil" for images of Pillow, "cv2" for arrays; None for that of `set_image_backend`.

    Errors: RuntimeError if the download fails; FileNotFoundError without a file that is named;
    ValueError for a damaged file; AssertionError for another mode, and without data_file if
    download is False.
    Source: Paddle's `paddle.vision.datasets.Cifar10`.

    >>> import io, pathlib, pickle, tarfile, tempfile
    >>> batch = pickle.dumps({"data": np.zeros([2, 3072], "uint8"), "labels": [3, 8]})
    >>> path, member = pathlib.Path(tempfile.mkdtemp()) / "a.tar", tarfile.TarInfo("data_batch_1")
    >>> member.size = len(batch)
    >>> with tarfile.open(path, "w") as archive:
    ...     archive.addfile(member, io.BytesIO(batch))
    >>> image, label = paddle.vision.datasets.Cifar10(path)[1]
    >>> image.size, int(label)
    ((32, 32), 8)
    """

    ARCHIVE = f"{URL}cifar-10-python.tar.gz", "c58f30108f718f92721af3b95e74349a"
    MEMBERS: ClassVar = {"train": "data_batch", "test": "test_batch"}  # part of their names
    LABELS = "labels"

    def __init__(
        self,
        data_file: Any = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        super().__init__(mode, transform, backend)
        name = type(self).__name__
        if data_file is None:
            given = {"data_file": None, "download": False}
            require(download, name, "data_file, or download=True", CheckFailed, **given)
            self.data_file = fetch(name, *self.ARCHIVE, "cifar", "data_file")
        else:
            self.data_file = existing(name, data_file)
        batches = list(self._batches())
        if not batches:
            raise errors.damaged(self.data_file, f"no member {self.MEMBERS[self.mode]}")
        self.images, self.labels = map(np.concatenate, zip(*batches, strict=True))

    def _batches(self) -> Any:
        """Yield images [N, 32, 32, 3] and labels [N] of each member, by name."""
        try:
            with tarfile.open(self.data_file) as archive:
                wanted = [member for member in archive if self.MEMBERS[self.mode] in member.name]
                files = {member.name: archive.extractfile(member) for member in wanted}
                contents = {name: file.read() for name, file in files.items() if file is not None}
        except (tarfile.TarError, EOFError, OSError) as error:
            raise errors.damaged(self.data_file, str(error)) from error
        for name in sorted(contents):
            where = f"{self.data_file}: {name}"
            batch = pickles.loads(contents[name], where)
            batch = batch if isinstance(batch, dict) else {}
            data: Any
            labels: Any
            data, labels = (batch.get(k, batch.get(k.encode())) for k in ("data", self.LABELS))
            if np.shape(data) != (np.size(labels), 3072) or data.dtype != np.uint8:
                raise errors.damaged(where, f"data {np.shape(data)}, {np.size(labels)} labels")
            yield data.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), np.array(labels, np.int64)


class Cifar100(Cifar10):
    """Photographs in a hundred classes, in the form of `Cifar10`: cifar-100-python.tar.gz.

    Errors: those of `Cifar10`.
    Source: Paddle's `paddle.vision.datasets.Cifar100`.

    >>> import io, pathlib, pickle, tarfile, tempfile
    >>> batch = pickle.dumps({"data": np.zeros([1, 3072], "uint8"), "fine_labels": [77]})
    >>> path, member = pathlib.Path(tempfile.mkdtemp()) / "a.tar", tarfile.TarInfo("train")
    >>> member.size = len(batch)
    >>> with tarfile.open(path, "w") as archive:
    ...     archive.addfile(member, io.BytesIO(batch))
    >>> int(paddle.vision.datasets.Cifar100(path)[0][1])
    77
    """

    ARCHIVE = f"{URL}cifar-100-python.tar.gz", "eb9058c3a382ffc7106e4002c42a8d85"
    MEMBERS: ClassVar = {"train": "train", "test": "test"}
    LABELS = "fine_labels"
