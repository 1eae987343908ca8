"""Data sets of texts and numbers, from files that you name or from Paddle's server."""

from __future__ import annotations

import re
import string
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.dtypes import get_default
from ..engine.errors import CheckFailed
from ..errors import require
from ..io import Dataset
from ..vision.datasets.download import existing, fetch

Words = list[bytes]


class UCIHousing(Dataset):
    """Houses of Boston: 13 numbers, each scaled to a range of 1 around its mean, and the price.

    `data_file`: the file `housing.data`; None for that in ~/.cache/paddle/dataset, which is
    downloaded if it is not there. `mode`: "train" has the first 80 % of its rows, "test" the
    others.
    Source: Paddle's `paddle.text.UCIHousing`.

    Errors: FileNotFoundError without a file that is named; RuntimeError if the download fails;
    AssertionError for another mode, and without data_file if download is False.

    >>> import os, tempfile
    >>> import minipaddle as paddle
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "housing.data")
    ...     np.arange(70.0).tofile(file, sep=" ")
    ...     features, price = paddle.text.UCIHousing(file, mode="test")[0]
    >>> features[:2].tolist(), price.tolist()
    ([0.5, 0.5], [69.0])
    """

    URL, FOLDER = "http://paddlemodels.bj.bcebos.com/uci_housing/housing.data", "uci_housing"
    MD5 = "d4accdce7a25600298819f8e28e8d593"

    def __init__(
        self,
        data_file: Any = None,
        mode: str = "train",
        download: bool = True,
    ) -> None:
        self.data_file = _file(self, data_file, mode, download)
        self.mode = mode.lower()
        rows = np.fromfile(self.data_file, sep=" ").reshape(-1, 14)
        features = rows[:, :-1]
        features -= features.sum(axis=0) / len(rows)
        features /= features.max(axis=0) - features.min(axis=0)
        border = int(len(rows) * 0.8)
        self.data = rows[:border] if self.mode == "train" else rows[border:]
        self.dtype = get_default().name

    def __getitem__(self, idx: int) -> tuple[Any, Any]:
        row = self.data[idx].astype(self.dtype)
        return row[:-1], row[-1:]

    def __len__(self) -> int:
        return len(self.data)


class Imdb(Dataset):
    """Reviews of films: the numbers of their words, and 0 for a good review, 1 for a bad one.

    `data_file`: the archive `aclImdb_v1.tar.gz`, or None as for `UCIHousing`. `word_idx` numbers
    the words that occur more than `cutoff` times in all reviews, the frequent ones first; others
    are `<unk>`.
    Source: Paddle's `paddle.text.Imdb`.

    Errors: those of `UCIHousing`.

    >>> import pathlib, tarfile, tempfile
    >>> import minipaddle as paddle
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     review = pathlib.Path(folder, "0.txt")
    ...     _ = review.write_text("A good, good film!")
    ...     with tarfile.open(f"{folder}/reviews.tar", "w") as archive:
    ...         archive.add(review, "aclImdb/train/pos/0.txt")
    ...     reviews = paddle.text.Imdb(f"{folder}/reviews.tar", cutoff=1)
    >>> reviews.word_idx, [part.tolist() for part in reviews[0]]
    ({b'good': 0, '<unk>': 1}, [[1, 0, 0, 1], [0]])
    """

    URL, FOLDER = "https://dataset.bj.bcebos.com/imdb%2FaclImdb_v1.tar.gz", "imdb"
    MD5 = "7c2ac02c03563afcf9b574c7e56c153a"

    def __init__(
        self,
        data_file: Any = None,
        mode: str = "train",
        cutoff: int = 150,
        download: bool = True,
    ) -> None:
        self.data_file = _file(self, data_file, mode, download)
        self.mode = mode.lower()
        reviews = list(_read_reviews(self.data_file))
        counts = Counter(word for _, _, words in reviews for word in words)
        self.word_idx = _number_words(counts, cutoff)
        chosen = [(kind, words) for part, kind, words in reviews if part == self.mode]
        chosen.sort(key=lambda review: review[0] == "neg")
        self.docs = [_numbers_of(words, self.word_idx) for _, words in chosen]
        self.labels = [int(kind == "neg") for kind, _ in chosen]

    def __getitem__(self, idx: int) -> tuple[Any, Any]:
        return np.array(self.docs[idx]), np.array([self.labels[idx]])

    def __len__(self) -> int:
        return len(self.docs)


class Imikolov(Dataset):
    """Sentences of a newspaper, as windows of word numbers or as whole sequences.

    `data_file`: the archive `simple-examples.tgz`, or None as for `UCIHousing`. `data_type`:
    "NGRAM" gives every window of `window_size` words, "SEQ" each sentence and itself moved by one
    word, of at most `window_size` words if that is above 0. `word_idx` numbers the words that occur
    more than `min_word_freq` times.
    Source: Paddle's `paddle.text.Imikolov`.

    Errors: those of `UCIHousing`; AssertionError for another data_type, and for windows without a
    size.

    >>> import pathlib, tarfile, tempfile
    >>> import minipaddle as paddle
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text = pathlib.Path(folder, "text")
    ...     _ = text.write_text("the cat sat")
    ...     with tarfile.open(f"{folder}/words.tgz", "w:gz") as archive:
    ...         for part in ("train", "valid"):
    ...             archive.add(text, f"./simple-examples/data/ptb.{part}.txt")
    ...     windows = paddle.text.Imikolov(f"{folder}/words.tgz", "NGRAM", 2, min_word_freq=0)
    >>> len(windows)
    4
    """

    URL, FOLDER = "https://dataset.bj.bcebos.com/imikolov%2Fsimple-examples.tgz", "imikolov"
    MD5 = "30177ea32e27c525793142b6bf2c8e2d"

    def __init__(
        self,
        data_file: Any = None,
        data_type: str = "NGRAM",
        window_size: int = -1,
        mode: str = "train",
        min_word_freq: int = 50,
        download: bool = True,
    ) -> None:
        self.data_file = _file(self, data_file, mode, download)
        self.mode = mode.lower()
        self.data_type, self.window_size = data_type.upper(), window_size
        self.min_word_freq = min_word_freq
        good = self.data_type == "SEQ" or (self.data_type == "NGRAM" and window_size > -1)
        expected = '"SEQ", or "NGRAM" with a window_size'
        given = {"data_type": data_type, "window_size": window_size}
        require(good, "Imikolov", expected, CheckFailed, **given)
        counts: Counter[Any] = Counter()
        for part in ("train", "valid"):
            for words in self._sentences(part):
                counts.update([*words, "<s>", "<e>"])
        self.word_idx = _number_words(counts, min_word_freq)
        self.data = [sample for words in self._sentences(self.mode) for sample in self._cut(words)]

    def _sentences(self, part: str) -> Iterator[Words]:
        with tarfile.open(self.data_file) as archive:
            file: Any = archive.extractfile(f"./simple-examples/data/ptb.{part}.txt")
            for line in file:
                yield line.strip().split()

    def _cut(self, words: Words) -> Iterator[tuple[Any, ...]]:
        """Yield the samples of a sentence."""
        numbers, size = _numbers_of(["<s>", *words, "<e>"], self.word_idx), self.window_size
        if self.data_type == "NGRAM":
            for end in range(size, len(numbers) + 1):
                yield tuple(numbers[end - size : end])
        elif not 0 < size < len(numbers) - 1:
            yield numbers[:-1], numbers[1:]

    def __getitem__(self, idx: int) -> tuple[Any, ...]:
        return tuple(np.array(part) for part in self.data[idx])

    def __len__(self) -> int:
        return len(self.data)


def _file(data_set: Any, path: Any, mode: str, download: bool) -> Path:
    """Return the file of a data set: the one that was given, or the one in the cache."""
    name = type(data_set).__name__
    good = mode.lower() in ("train", "test")
    require(good, name, '"train" or "test"', CheckFailed, mode=mode)
    if path is not None:
        return existing(name, path)
    given = {"data_file": None, "download": False}
    require(download, name, "data_file, or download=True", CheckFailed, **given)
    return fetch(name, data_set.URL, data_set.FOLDER, data_set.MD5, "data_file")


def _read_reviews(file: Path) -> Iterator[tuple[str, str, Words]]:
    """Yield part, kind and words of each review: lower case, without punctuation."""
    marks = string.punctuation.encode()
    with tarfile.open(file) as archive:
        for member in archive:
            found = re.match(r"aclImdb/(train|test)/(pos|neg)/.*\.txt$", member.name)
            content = archive.extractfile(member) if found else None
            if found and content:
                text = content.read().rstrip(b"\n\r").translate(None, marks).lower()
                yield found[1], found[2], text.split()


def _number_words(counts: Counter[Any], cutoff: int) -> dict[Any, int]:
    """Number the words that occur more than cutoff times, the frequent ones first, and <unk>."""
    kept = [word for word, count in counts.items() if count > cutoff]
    kept.sort(key=lambda word: (-counts[word], word.encode() if isinstance(word, str) else word))
    return {word: n for n, word in enumerate([*kept, "<unk>"])}


def _numbers_of(words: list[Any], word_idx: dict[Any, int]) -> list[int]:
    return [word_idx.get(word, word_idx["<unk>"]) for word in words]
