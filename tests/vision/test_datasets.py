"""Data sets of images: damaged files, downloads, and minipaddle's own digits."""

import gzip
import hashlib
import io
import pickle
import struct
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import URLError

import numpy as np
import pytest
from PIL import Image

import minipaddle as paddle
from minipaddle.vision import datasets
from minipaddle.vision.datasets import download
from tests.contract.refusal import refuses
from tests.each import each

IMAGES = struct.pack(">4i", 2051, 3, 28, 28) + bytes(range(256)) * 9 + bytes(48)
LABELS = struct.pack(">2i", 2049, 3) + bytes([7, 0, 9])


def write(folder: Path, images: bytes = IMAGES, labels: bytes = LABELS) -> list[Path]:
    """Write the two files of MNIST; return their paths."""
    paths = [folder / "images", folder / "labels"]
    for path, data in zip(paths, (images, labels), strict=True):
        path.write_bytes(data)
    return paths


def archive(folder: Path, content: bytes, member: str = "data_batch_1") -> Path:
    """Write an archive of one member."""
    path, info = folder / "archive.tar.gz", tarfile.TarInfo(member)
    info.size = len(content)
    with tarfile.open(path, "w:gz") as file:
        file.addfile(info, io.BytesIO(content))
    return path


# ----- files -------------------------------------------------------------------------------------


@each("pack", [bytes, gzip.compress])
def test_any_number_of_digits_compressed_or_not(tmp_path: Path, pack: Callable[..., bytes]) -> None:
    digits = datasets.MNIST(*write(tmp_path, pack(IMAGES), pack(LABELS)), backend="cv2")
    assert [int(label[0]) for _, label in digits] == [7, 0, 9]
    image, label = digits[1]
    assert image.ravel()[:3].tolist() == [16.0, 17.0, 18.0]  # 784 = 3 · 256 + 16
    label[:] = 5
    assert int(digits[1][1][0]) == 0, "a label that was changed changes the data"


@each(
    ("images", "labels", "words"),
    [
        (LABELS, LABELS, ["images", "2049", "2051"]),
        (IMAGES, IMAGES, ["labels", "2051", "2049"]),
        (IMAGES[:-1], LABELS, ["images", "2351", "[3, 28, 28]"]),
        (b"", LABELS, ["images", "2051"]),
        (gzip.compress(IMAGES)[:-20], LABELS, ["images"]),
        (IMAGES, struct.pack(">2i", 2049, 2) + bytes(2), ["images=3", "labels=2"]),
    ],
)
def test_damaged_digits_are_refused(
    tmp_path: Path, images: bytes, labels: bytes, words: list[str]
) -> None:
    with refuses(ValueError, *words):
        datasets.MNIST(*write(tmp_path, images, labels))


def batch(data: Any, labels: Any) -> bytes:
    return pickle.dumps({"data": data, "labels": labels}, 2)


def written_by_python_2(data: bytes) -> bytes:
    """A batch of two images as Python 2 pickled it, where the published files come from."""
    dtype = b"cnumpy\ndtype\n(U\x02u1I0\nI1\ntR(I3\nU\x01|NNNI-1\nI-1\nI0\ntb"
    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntU\x01btR"
    state = b"(I1\n(I2\nI3072\nt" + dtype + b"I00\nT" + struct.pack("<i", len(data)) + data + b"tb"
    return b"\x80\x02(dU\x04data" + array + state + b"sU\x06labels(lI4\naI9\nas."


def test_photographs_as_python_2_wrote_them(tmp_path: Path) -> None:
    data = np.random.RandomState(0).randint(0, 256, (2, 3072)).astype("uint8")
    path = archive(tmp_path, written_by_python_2(data.tobytes()))
    photographs = datasets.Cifar10(path, backend="cv2")
    assert [int(label) for _, label in photographs] == [4, 9]
    assert (photographs[1][0][:, :, 2].ravel() == data[1, 2048:]).all()


class Attack:
    def __reduce__(self) -> Any:
        return Path.touch, (Path("attack"),)


@each(
    ("content", "member", "kind"),
    [
        (batch(np.zeros([2, 3072], "uint8"), [1, 2]), "other", ValueError),
        (batch(np.zeros([2, 3072], "uint8"), [1]), "data_batch_1", ValueError),
        (batch(np.zeros([1, 3072]), [1]), "data_batch_1", ValueError),
        (batch(None, None), "data_batch_1", ValueError),
        (pickle.dumps([1]), "data_batch_1", ValueError),
        (b"no pickle", "data_batch_1", ValueError),
        (pickle.dumps(Attack()), "data_batch_1", RuntimeError),
    ],
)
def test_damaged_photographs_are_refused_and_run_nothing(
    tmp_path: Path, monkeypatch: Any, content: bytes, member: str, kind: type[Exception]
) -> None:
    monkeypatch.chdir(tmp_path)
    with refuses(kind, "touch" if kind is RuntimeError else "archive.tar.gz"):
        datasets.Cifar10(archive(tmp_path, content, member))
    assert not Path("attack").exists()


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"text")
    with refuses(ValueError, "'", "a'"):
        datasets.Cifar100(tmp_path / "a")


# ----- downloads ---------------------------------------------------------------------------------


class Answer(io.BytesIO):
    length = len(IMAGES)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: Any) -> dict[str, Any]:
    """What a server answers, by URL, and the URLs that were asked for; the home is empty."""
    asked: list[str] = []
    answers: dict[str, Any] = {"asked": asked}

    def urlopen(url: str, timeout: float) -> Answer:
        asked.append(url)
        answer = answers.get(url.rpartition("/")[2], URLError("no route"))
        if isinstance(answer, Exception):
            raise answer
        return Answer(answer)

    monkeypatch.setattr(download, "urlopen", urlopen)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    sums = [hashlib.md5(data).hexdigest() for data in (IMAGES, LABELS)]
    both = dict(zip([("train", "image"), ("train", "label")], sums, strict=True))
    monkeypatch.setattr(datasets.MNIST, "MD5", both)
    return answers


def test_files_are_downloaded_once_into_paddles_cache(tmp_path: Path, server: Any) -> None:
    server |= {"train-images-idx3-ubyte.gz": IMAGES, "train-labels-idx1-ubyte.gz": LABELS}
    assert len(datasets.MNIST()) == 3
    assert len(server["asked"]) == 2
    assert len(datasets.MNIST()) == 3
    assert len(server["asked"]) == 2, "a file in the cache was downloaded again"
    cache = tmp_path / ".cache" / "paddle" / "dataset" / "mnist"
    assert sorted(path.name for path in cache.iterdir()) == sorted(server.keys() - {"asked"})
    (cache / "train-labels-idx1-ubyte.gz").write_bytes(LABELS[:-1])
    assert len(datasets.MNIST()) == 3
    assert server["asked"][2:] == [f"{datasets.MNIST.URL_PREFIX}train-labels-idx1-ubyte.gz"]
    pixels, label = list(paddle.dataset.mnist.train()())[1]
    image, labels = datasets.MNIST(backend="cv2")[1]
    np.testing.assert_allclose(pixels.reshape(28, 28), image / 127.5 - 1.0, rtol=1e-6)
    assert (type(label), label, pixels.dtype) == (int, labels[0], "float32")


@each("answer", [URLError("no route"), TimeoutError("slow"), LABELS])
def test_a_failed_download_says_what_to_fetch_and_leaves_nothing(server: Any, answer: Any) -> None:
    name = "train-images-idx3-ubyte.gz"
    server[name] = answer
    place = Path.home() / ".cache" / "paddle" / "dataset" / "mnist" / name
    with refuses(RuntimeError, f"{datasets.MNIST.URL_PREFIX}{name}", str(place)) as caught:
        datasets.MNIST()
    assert ("image_path" in str(caught.value)) == isinstance(answer, Exception)
    assert not place.exists()


# ----- minipaddle's own --------------------------------------------------------------------------


def test_digits_are_those_of_the_lessons() -> None:
    small = [datasets.Digits(mode, size=8, backend="cv2") for mode in ("train", "test")]
    assert [len(each) for each in small] == [1437, 360]
    images = np.concatenate([each.images for each in small])
    assert (images.min(), images.max(), images.shape) == (0, 255, (1797, 8, 8))
    labels = np.concatenate([each.labels for each in small]).ravel()
    assert np.bincount(labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    large = datasets.Digits("test")
    small_again = [image.resize((8, 8), Image.Resampling.BOX) for image, _ in large]
    assert np.corrcoef(np.ravel(small_again), images[-360:].ravel())[0, 1] > 0.98
