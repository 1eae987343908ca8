"""Random data in the formats of the data sets that Paddle's guides download."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import importlib
import io
import pickle
import struct
import tarfile
from collections.abc import Iterable
from importlib.util import find_spec
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
    pack("imdb%2FaclImdb_v1.tar.gz", {f"{k}/{i}.txt": film for k in kinds for i in range(60)})
    np.savetxt(folder / "housing.data", random.random([506, 14]))
    (folder / "t8.shakespeare.txt").write_text("to be or not to be that is the question " * 400)
    lines = "".join(f"i am {i}.\t我是{i}。\tx\n" for i in range(100))
    (folder / "cmn.txt").write_text(lines, encoding="utf-8")
    vectors = "".join(f"{word} {'0.1 ' * 99}0.1\n" for word in ("the", "good", "bad", "film"))
    (folder / "glove.6B.100d.txt").write_text(vectors)
    make_pictures(folder, picture)
    make_tables(folder, random)
    make_points(folder / "dataset", random)


def make_pictures(folder: Path, picture: Any) -> None:
    """Write pictures of faces, pets, streets and captchas, which lie in folders of their own."""
    for i in range(16):
        picture(f"images/pet_{i:02}.jpg", 160, 160, 3)
        picture(f"annotations/trimaps/pet_{i:02}.png", 160, 160)
    for i in range(130):
        picture(f"work/img_align_celeba/{i:06}.jpg", 109, 89, 3)
    for part in ("train", "val", "test"):
        for name in (100007, *range(15)):
            picture(f"BSR/BSDS500/data/images/{part}/{name}.jpg", 321, 481, 3)
    streets = [f"train/aachen/aachen_{i:06}_000019" for i in range(1, 3)]
    for street in streets:
        picture(f"cityscapes/leftImg8bit/{street}_leftImg8bit.png", 256, 512, 3)
        picture(f"cityscapes/gtFine/{street}_gtFine_color.png", 256, 512, 3)
    pairs = [
        f"leftImg8bit/{s}_leftImg8bit.png gtFine/{s}_gtFine_labelTrainIds.png" for s in streets
    ]
    (folder / "cityscapes" / "train.list").write_text("\n".join(pairs) + "\n")
    picture("test.png", 256, 512, 3)
    captchas = {f"{i}.jpg": f"{i:04}" for i in range(1024 + 32)}  # the guide validates with 1024
    for name in captchas:
        picture(f"data/OCR_Dataset/{name}", 30, 70, 3)
    (folder / "data" / "OCR_Dataset" / "label_dict.txt").write_text(repr(captchas))
    for name in range(3):
        picture(f"sample_img/{name}.jpg", 30, 70, 3)


def make_tables(folder: Path, random: np.random.Generator) -> None:
    """Write the CSV files of measurements in time and of the positions of parts of faces."""

    def table(name: str, heading: list[str], rows: Iterable[list[Any]]) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows([heading, *rows])

    start, step = dt.datetime(2014, 4, 1), dt.timedelta(minutes=5)
    for name in ("NoAnomaly/art_daily_small_noise", "WithAnomaly/art_daily_jumpsup"):
        rows = ([start + i * step, random.random()] for i in range(700))
        table(f"artificial{name}.csv", ["timestamp", "value"], rows)
    keys = ["p (mbar)", "T (degC)", "Tpot (K)", "Tdew (degC)", "rh (%)", "VPmax (mbar)"]
    keys += ["VPact (mbar)", "VPdef (mbar)", "sh (g/kg)", "H2OC (mmol/mol)", "rho (g/m**3)"]
    keys += ["wv (m/s)", "max. wv (m/s)", "wd (deg)"]
    times = (f"{start + 2 * i * step:%d.%m.%Y %H:%M:%S}" for i in range(4000))
    table(
        "jena_climate_2009_2016.csv", ["Date Time", *keys], ([t, *random.random(14)] for t in times)
    )
    positions, face = [f"position_{i}" for i in range(30)], " ".join(["128"] * 96 * 96)
    table(
        "data/data60/training.csv",
        [*positions, "Image"],
        ([*(96 * random.random(30)), face] for _ in range(20)),
    )
    table("data/data60/test.csv", ["ImageId", "Image"], ([i, face] for i in range(1, 17)))


def make_points(folder: Path, random: np.random.Generator) -> None:
    """Write clouds of points, where h5py is installed."""
    if find_spec("h5py") is None:
        return
    h5py = importlib.import_module("h5py")
    folder.mkdir()
    for name in (*(f"train{i}" for i in range(6)), "test0", "test1", "val0"):
        with h5py.File(folder / f"ply_data_{name}.h5", "w") as file:
            file["data"] = random.random([4, 2048, 3])
            file["label"] = random.integers(0, 16, [4, 1])
