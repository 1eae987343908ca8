"""DataLoader, samplers and datasets, beyond real Paddle's record."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.io.loader import default_collate_fn
from tests.each import each
from tests.static.world import fresh

from ..contract.refusal import refused, refuses


class Given(paddle.io.Dataset):
    """A dataset of `sample(index)`."""

    def __init__(self, size, sample=int) -> None:
        self.size, self.sample = size, sample

    def __getitem__(self, index):
        return self.sample(index)

    def __len__(self) -> int:
        return self.size


class Count(paddle.io.IterableDataset):
    def __iter__(self):
        yield from range(3)


def test_an_error_of_the_dataset_reaches_the_loop_unchanged() -> None:
    def sample(index):
        if index == 3:
            raise KeyError("three")
        return index

    loader = iter(paddle.io.DataLoader(Given(5, sample), batch_size=2))
    assert next(loader).tolist() == [0, 1]
    with pytest.raises(KeyError, match="three"):
        next(loader)


def test_texts_stay_texts() -> None:
    assert list(paddle.io.DataLoader(Given(3, "ab{}".format), batch_size=2)) == [
        ["ab0", "ab1"],
        ["ab2"],
    ]
    assert [*iter(paddle.io.DataLoader(Count(), batch_size=None))] == [0, 1, 2]
    assert list(paddle.io.DataLoader(Given(4), batch_size=2, collate_fn=sum)) == [1, 5]


def test_the_loader_uses_no_worker_processes() -> None:
    with pytest.warns(UserWarning, match="num_workers=2, but batches are made in this process"):
        loader = paddle.io.DataLoader(Given(4), batch_size=2, num_workers=2)
    assert [batch.tolist() for batch in loader] == [[0, 1], [2, 3]]
    assert paddle.io.get_worker_info() is None


def test_batches_can_be_fed_to_a_program() -> None:
    rows = Given(4, lambda i: (np.float32([i, 1]), i))
    with fresh():
        x, y = paddle.static.data("x", [None, 2]), paddle.static.data("y", [None], "int64")
        out = x.sum(axis=1) + y.astype("float32")
        exe, found = paddle.static.Executor(), []
        loader = paddle.io.DataLoader(rows, [x, y], batch_size=2, return_list=False)
        for batch in loader:
            assert [sorted(fields) for fields in batch] == [["x", "y"]]
            found += exe.run(feed=batch, fetch_list=[out])[0].tolist()
        assert found == [1.0, 3.0, 5.0, 7.0]
        first, second = next(iter(paddle.io.DataLoader(rows, batch_size=2)))
        assert (type(first), type(second)) == (np.ndarray, np.ndarray)
        with refuses(AssertionError, "feed_list", "feed_list=[x, y]"):
            paddle.io.DataLoader(rows, return_list=False)
        with refuses(RuntimeError, "TensorDataset", "static mode"):
            paddle.io.TensorDataset([x])
        parts = paddle.io.random_split(rows, [1, 3])
        assert sorted(parts[0].indices + parts[1].indices) == [0, 1, 2, 3]


def test_an_empty_part_gives_a_warning() -> None:
    with pytest.warns(UserWarning, match="the part at index 1 is empty"):
        parts = paddle.io.random_split(Given(1), [0.5, 0.5])
    assert [len(part) for part in parts] == [1, 0]


@each(
    ("call", "kind"),
    [
        (paddle.io.BatchSampler, AssertionError),
        (lambda: list(paddle.io.WeightedRandomSampler(1.0, 1)), AssertionError),
        (lambda: default_collate_fn([object()]), TypeError),
        (lambda: default_collate_fn([(1,), (1, 2)]), RuntimeError),
    ],
)
def test_a_mistake_is_an_error(call, kind) -> None:
    refused(call, kind)
