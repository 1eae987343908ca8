"""Data sets of images from files that the case writes."""

import gzip
import io
import pickle
import struct
import tarfile
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

from ..harness import case
from ._texts import texts
from .vision_transforms import told


@contextmanager
def folder():
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


def write_digits(root, count=200):
    """Write images and labels as MNIST has them; Paddle reads a hundred at a time."""
    numbers = np.random.RandomState(2)
    images = numbers.randint(0, 256, count * 784).astype("uint8").tobytes()
    labels = numbers.randint(0, 10, count).astype("uint8").tobytes()
    for name, head, data in (
        ("images", struct.pack(">4i", 2051, count, 28, 28), images),
        ("labels", struct.pack(">2i", 2049, count), labels),
    ):
        (root / f"{name}.gz").write_bytes(gzip.compress(head + data))
    return str(root / "images.gz"), str(root / "labels.gz")


def write_photographs(root, members, labels):
    """Write an archive in which each member has three images."""
    numbers = np.random.RandomState(4)
    path = root / "photographs.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for member in members:
            data = numbers.randint(0, 256, (3, 3072)).astype("uint8")
            batch = {b"data": data, labels: numbers.randint(0, 100, 3).tolist(), b"filenames": []}
            content = pickle.dumps(batch, 2)
            info = tarfile.TarInfo(f"folder/{member}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return str(path)


def write_pictures(root):
    for number, name in enumerate(["dog/b.png", "cat/x/c.PNG", "cat/a.png", "cat/z.txt", "e.bmp"]):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (2, 3), (number, 100, 200)).save(root / name, "PNG")
    (root / "empty").mkdir()


def samples(dataset, *indices):
    """Return the kinds and values of some samples."""
    rows = [dataset[index] for index in indices]
    return [[told(image), str(label.dtype), list(label.shape), label] for image, label in rows]


@case
def digits(paddle, show):
    mean = paddle.vision.transforms.Normalize([127.5], [127.5])
    with folder() as root:
        paths = write_digits(root)
        for name in ("MNIST", "FashionMNIST"):
            kind = getattr(paddle.vision.datasets, name)
            for mode in ("train", "TEST"):
                for backend in (None, "cv2"):
                    dataset = kind(*paths, mode=mode, backend=backend)
                    show(f"{name} {mode} {backend}", [len(dataset), *samples(dataset, 0, 150, -1)])
        kind = paddle.vision.datasets.MNIST
        for backend in ("pil", "cv2"):
            show(f"{backend} normalized", samples(kind(*paths, transform=mean, backend=backend), 1))
        tensors = kind(*paths, transform=paddle.vision.transforms.ToTensor())
        show("tensors", samples(tensors, 1))
        images, labels = next(iter(paddle.io.DataLoader(tensors, batch_size=4)))
        show("batch", [told(images), labels])
        show.raises("mode", lambda: kind(*paths, mode="valid"))
        show.raises("backend", lambda: kind(*paths, backend="tensor"))
        show.raises("no path", lambda: kind(download=False))
        show.raises("no labels", lambda: kind(paths[0], download=False))
        show.raises("no file", lambda: kind("nothing", "nothing"))


@case
def photographs(paddle, show):
    datasets = paddle.vision.datasets
    with folder() as root:
        ten = write_photographs(root, ["data_batch_2", "data_batch_1", "test_batch"], b"labels")
        for mode, backend in (("train", "pil"), ("train", "cv2"), ("test", None)):
            dataset = datasets.Cifar10(ten, mode, backend=backend)
            show(f"10 {mode} {backend}", [len(dataset), *samples(dataset, 0, -1)])
        both = paddle.vision.transforms.Compose([paddle.vision.transforms.Transpose()])
        show("transposed", samples(datasets.Cifar10(ten, transform=both, backend="cv2"), 1))
        show.raises("mode", lambda: datasets.Cifar10(ten, "valid"))
        show.raises("no path", lambda: datasets.Cifar10(download=False))
        show.raises("no file", lambda: datasets.Cifar10("nothing"))
    with folder() as root:
        hundred = write_photographs(root, ["train", "test", "meta"], b"fine_labels")
        for mode in ("train", "test"):
            dataset = datasets.Cifar100(hundred, mode)
            show(f"100 {mode}", [len(dataset), *samples(dataset, 0, -1)])


@case
def pictures_in_folders(paddle, show):
    datasets = paddle.vision.datasets
    with folder() as root:
        write_pictures(root)
        pets = datasets.DatasetFolder(str(root))
        show("classes", [pets.classes, sorted(pets.class_to_idx.items()), pets.targets])
        places = [[Path(path).relative_to(root).as_posix(), label] for path, label in pets.samples]
        show("samples", places)
        image, label = pets[0]
        show("first", [told(image), label, len(pets)])
        texts = datasets.DatasetFolder(str(root), extensions=[".txt"], transform=np.asarray)
        show("extensions", [told(texts[0][0]), texts[0][1], len(texts)])
        loaded = datasets.DatasetFolder(str(root), loader=lambda path: Path(path).name)
        show("loader", [list(loaded[i]) for i in range(3)])
        flat = datasets.ImageFolder(str(root))
        show("flat", [Path(path).relative_to(root).as_posix() for path in flat.samples])
        show("flat first", [len(flat), len(flat[0]), told(flat[0][0])])
        show.raises("no images", lambda: datasets.ImageFolder(str(root / "empty")))
        show.raises("no classes", lambda: datasets.DatasetFolder(str(root / "cat" / "x")))
        show.raises("no folder", lambda: datasets.DatasetFolder(str(root / "nothing")))


@case(differs="Paddle forgets is_valid_file and looks at the extensions")
def files_that_a_function_accepts(paddle, show):
    with folder() as root:
        write_pictures(root)
        only = paddle.vision.datasets.DatasetFolder(
            str(root), is_valid_file=lambda path: path.endswith("a.png")
        )
        show("samples", [Path(path).name for path, _ in only.samples])


@case
def backends(paddle, show):
    vision = paddle.vision
    with folder() as root:
        Image.new("RGB", (2, 1), (1, 2, 3)).save(root / "a.png")
        show("image", told(vision.image_load(str(root / "a.png"))))
        show("by name", told(vision.image_load(str(root / "a.png"), backend="pil")))
        show.raises("unknown to load", lambda: vision.image_load(str(root / "a.png"), "gif"))
        show.raises("no file", lambda: vision.image_load(str(root / "b.png")))
    vision.set_image_backend("cv2")
    show("then", vision.image.get_image_backend())
    vision.set_image_backend("pil")


TABLE = texts("vision_datasets", globals())
