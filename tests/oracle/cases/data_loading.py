"""paddle.io: batches, orders of a seed, datasets made of others, errors."""

import numpy as np

from ..harness import case
from ._texts import texts


def dataset(paddle, size, sample):
    """Return a dataset of `sample(index)`."""

    class Given(paddle.io.Dataset):
        def __getitem__(self, index):
            return sample(index)

        def __len__(self):
            return size

    return Given()


def counting(paddle, size):
    """Return an IterableDataset of 0, 1, 2, ..."""

    class Count(paddle.io.IterableDataset):
        def __iter__(self):
            yield from range(size)

    return Count()


def told(batch):
    """Return a batch with the kinds of its parts."""
    if isinstance(batch, dict):
        return [[key, told(value)] for key, value in batch.items()]
    if isinstance(batch, list | tuple):
        return [type(batch).__name__, *(told(part) for part in batch)]
    if hasattr(batch, "stop_gradient"):
        return [str(batch.dtype), list(batch.shape), batch.stop_gradient, batch.numpy().tolist()]
    return [type(batch).__name__, batch]


@case
def shuffled_orders(paddle, show):
    for seed in (0, 1, 2023):
        np.random.seed(seed)
        paddle.seed(99)
        loader = paddle.io.DataLoader(dataset(paddle, 7, int), batch_size=3, shuffle=True)
        for epoch in range(3):
            show(f"{seed} {epoch}", [batch.numpy().tolist() for batch in loader])


@case
def samplers(paddle, show):
    io, five = paddle.io, [0.5] * 5
    np.random.seed(3)
    paddle.seed(3)
    show("sequence", list(io.SequenceSampler(five)))
    show("random", list(io.RandomSampler(five)))
    show("replacement", list(io.RandomSampler(five, True, 8)))
    show("fewer", list(io.RandomSampler(five, False, 3)))
    show("generator", list(io.RandomSampler(five, generator=iter([4, 1, 1]))))
    weights = np.array([0.1, 0.5, 0.4])
    show("weighted", list(io.WeightedRandomSampler(weights, 6)))
    show("weighted once", list(io.WeightedRandomSampler(weights, 2, False)))
    show(
        "lengths", [len(io.WeightedRandomSampler(weights, 6)), len(io.RandomSampler(five, True, 8))]
    )
    show("subset", list(io.SubsetRandomSampler([5, 6, 7, 8, 9])))
    show("batches", list(io.BatchSampler(five, shuffle=True, batch_size=2, drop_last=True)))


@case
def shares_of_processes(paddle, show):
    for size in (6, 7, 8, 3):
        for ranks in (1, 2, 3):
            for drop_last in (False, True):
                row = [
                    paddle.io.DistributedBatchSampler(
                        [0] * size, 2, ranks, rank, shuffle=drop_last, drop_last=drop_last
                    )
                    for rank in range(ranks)
                ]
                samplers = [[len(one), list(one), list(one)] for one in row]
                row[0].set_epoch(7)
                show(f"{size} {ranks} {drop_last}", [samplers, list(row[0])])


@case
def splits(paddle, show):
    seven = dataset(paddle, 7, int)
    paddle.seed(3)
    for lengths in ([2, 5], [0.5, 0.5], [0.2, 0.3, 0.5], [7], [1.0]):
        show(str(lengths), [part.indices for part in paddle.io.random_split(seven, lengths)])
    show.raises("too few", lambda: paddle.io.random_split(seven, [2, 3]))
    show.raises("fractions", lambda: paddle.io.random_split(seven, [1.5, -0.5]))


def names(paddle):
    """Return the names that the expressions use."""
    seven = dataset(paddle, 7, int)
    five = counting(paddle, 5)
    io = paddle.io
    a = dataset(paddle, 2, int)
    b = dataset(paddle, 3, lambda i: (10 + i, 20 + i))
    both = io.ConcatDataset([a, b])
    part = io.Subset(b, [2, 0])
    rows = io.TensorDataset([paddle.arange(3), paddle.ones([3, 2])])
    d = dataset(paddle, 7, int)
    it = counting(paddle, 3)
    return globals() | locals()


TABLE = texts("data_loading", names)
