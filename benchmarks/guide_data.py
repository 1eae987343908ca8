"""Random data in the formats of the data sets that Paddle's guides download."""

from __future__ import annotations

import gzip
import io
import pickle
import struct
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image


def make_data(folder: Path) -> None:
    """Write a hundred random examples of each data set, in the format of its files."""
    random = np.random.default_rng(0)

    def draw(*shape: int) -> Any:
        return random.integers(0, 256, shape, np.uint8)

    def pack(name: str, members: dict[str, bytes]) -> None:
        with tarfile.open(folder / name, "w:gz") as archive:
            for member, content in members.items():
                entry = tarfile.TarInfo(member)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))

    def picture(name: str, *shape: int) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(draw(*shape)).save(folder / name)

    for part in ("train", "t10k"):
        images = struct.pack(">4i", 2051, 100, 28, 28) + draw(100, 28, 28).tobytes()
        labels = struct.pack(">2i", 2049, 100) + bytes(i % 10 for i in range(100))
        (folder / f"{part}-images-idx3-ubyte.gz").write_bytes(gzip.compress(images))
        (folder / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(labels))
    for part in ("train", "val"):
        names = [f"{i}.png" for i in range(100)]
        for name in names:
            picture(f"mnist/{part}/{name}", 28, 28)
        lines = "".join(f"{name}\t{i % 10}\n" for i, name in enumerate(names))
        (folder / "mnist" / part / "label.txt").write_text(lines)
    picture("flower_demo.png", 300, 300, 3)
    for count, key in ((10, b"labels"), (100, b"fine_labels")):
        batch = pickle.dumps({b"data": draw(200, 3072), key: [i % count for i in range(200)]}, 2)
        names = ["data_batch_1", "test_batch", "train", "test"]
        pack(f"cifar-{count}-python.tar.gz", {f"cifar-{count}/{name}": batch for name in names})
    kinds = [f"aclImdb/{part}/{kind}" for part in ("train", "test") for kind in ("pos", "neg")]
    film = " ".join(random.choice(["a", "good", "bad", "film"], 900)).encode()
    pack("imdb%2FaclImdb_v1.tar.gz", {f"{k}/{i}.txt": film for k in kinds for i in range(50)})
    np.savetxt(folder / "housing.data", random.random([506, 14]))
    (folder / "t8.shakespeare.txt").write_text("to be or not to be that is the question " * 400)
    lines = "".join(f"i am {i}.\t我是{i}。\tx\n" for i in range(100))
    (folder / "cmn.txt").write_text(lines, encoding="utf-8")
