"""paddle.text: the best path through tags, and data sets from small archives written here."""

import io
import tarfile
import tempfile
from pathlib import Path

import numpy as np

from ..harness import case
from ..spread import spread

REVIEWS = {
    "train/pos/0.txt": "A good film, a good end.\n",
    "train/neg/0.txt": "Bad; bad film!",
    "test/pos/1.txt": "Good - so good",
    "test/neg/1.txt": "the end is bad",
    "train/unsup/0.txt": "nobody counts this film",
}
SENTENCES = {
    "train": "the cat sat\nthe dog sat on the cat\non on on on on\n",
    "valid": "<unk> sat\n",
    "test": "a cat sat on the dog\nthe dog\n",
}


def archive(path, files):
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content.encode()))
    return str(path)


def numbers(rows):
    return str([[np.asarray(part).tolist() for part in row] for row in rows])


@case
def best_paths(paddle, show):
    for part, (batch, steps, tags) in enumerate([(2, 3, 4), (3, 5, 3), (1, 1, 2), (2, 4, 6)], 1):
        potentials = paddle.to_tensor(spread(batch, steps, tags, part=part).astype("float32"))
        transitions = paddle.to_tensor(spread(tags, tags, part=part + 9).astype("float32"))
        for shortest in {1, steps}:
            lengths = paddle.to_tensor(np.linspace(steps, shortest, batch).astype("int64"))
            for both in (True, False):
                found = paddle.text.viterbi_decode(potentials, transitions, lengths, both)
                name = f"{batch} {steps} {tags} {shortest} {both}"
                show(name, list(found))
    decoder = paddle.text.ViterbiDecoder(transitions)
    show("layer", decoder(potentials, lengths)[1])
    show.raises("lengths", lambda: paddle.text.viterbi_decode(potentials, transitions, lengths[:1]))
    wrong = paddle.to_tensor(np.int64([9, 1]))
    wide = paddle.concat([transitions, transitions])
    show.raises("tags", lambda: paddle.text.viterbi_decode(potentials, wide, lengths))
    show.raises("rank", lambda: paddle.text.viterbi_decode(potentials[0], transitions, wrong))


@case
def houses(paddle, show):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "housing.data")
        (np.round(spread(11, 14) * 64) / 8).tofile(path, sep=" ")
        for mode in ("train", "test", "TEST"):
            rows = paddle.text.UCIHousing(str(path), mode)
            show(mode, [len(rows), *rows[len(rows) - 1]])
        show.raises("mode", lambda: paddle.text.UCIHousing(str(path), "valid"))


@case
def reviews(paddle, show):
    files = {f"aclImdb/{name}": content for name, content in REVIEWS.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = archive(Path(folder, "reviews.tar.gz"), files)
        for mode in ("train", "test"):
            for cutoff in (0, 1):
                rows = paddle.text.Imdb(path, mode, cutoff)
                words = [(str(word), number) for word, number in rows.word_idx.items()]
                show(f"{mode} {cutoff}", f"{len(rows)} {words} {numbers(rows)}")
        show.raises("mode", lambda: paddle.text.Imdb(path, "valid"))


@case
def sentences(paddle, show):
    files = {f"./simple-examples/data/ptb.{n}.txt": text for n, text in SENTENCES.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = archive(Path(folder, "sentences.tgz"), files)
        for kind, size in (("NGRAM", 2), ("ngram", 4), ("SEQ", -1), ("SEQ", 4)):
            for mode, cutoff in (("train", 0), ("test", 1)):
                rows = paddle.text.Imikolov(path, kind, size, mode, cutoff)
                words = [(str(word), number) for word, number in rows.word_idx.items()]
                show(f"{kind} {size} {mode}", f"{len(rows)} {words} {numbers(rows)}")
        show.raises("kind", lambda: paddle.text.Imikolov(path, "WORDS", 2))
        show.raises(
            "size", lambda: paddle.text.Imikolov(path, "NGRAM", mode="test", min_word_freq=0)
        )
