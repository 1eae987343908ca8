"""paddle.io: batches, orders for a seed, datasets made of others, what is refused."""

import numpy as np

from ..harness import case


def dataset(paddle, size, sample):
    """A dataset of `sample(index)`."""

    class Given(paddle.io.Dataset):
        def __getitem__(self, index):
            return sample(index)

        def __len__(self):
            return size

    return Given()


def counting(paddle, size):
    """An IterableDataset: 0, 1, 2, ..."""

    class Count(paddle.io.IterableDataset):
        def __iter__(self):
            yield from range(size)

    return Count()


def told(batch):
    """A batch with the kinds of its parts."""
    if isinstance(batch, dict):
        return [[key, told(value)] for key, value in batch.items()]
    if isinstance(batch, list | tuple):
        return [type(batch).__name__, *(told(part) for part in batch)]
    if hasattr(batch, "stop_gradient"):
        return [str(batch.dtype), list(batch.shape), batch.stop_gradient, batch.numpy().tolist()]
    return [type(batch).__name__, batch]


SAMPLES = {
    "array and number": lambda i: (np.float32([i, i]), i),
    "number of numpy": np.float32,
    "int": int,
    "float": lambda i: 1.5 * i,
    "dict": lambda i: {"a": np.int32([i]), "b": (i, "s")},
    "nested": lambda i: [np.float64(i), [i, i]],
    "tuple of one": lambda i: (i,),
    "matrix": lambda i: np.full((2, 2), i, "float64"),
}


@case
def batches(paddle, show):
    for name, sample in SAMPLES.items():
        loader = paddle.io.DataLoader(dataset(paddle, 3, sample), batch_size=2)
        show(name, [told(batch) for batch in loader])
    tensors = dataset(paddle, 3, lambda i: paddle.to_tensor([i]))
    show("tensor", [told(b) for b in paddle.io.DataLoader(tensors, batch_size=2)])
    pairs = dataset(paddle, 2, lambda i: (np.float32([i]), i))
    show("no batches", [told(b) for b in paddle.io.DataLoader(pairs, batch_size=None)])
    loader = paddle.io.DataLoader(pairs, batch_size=2, return_list=False)
    show("no list", [told(b) for b in loader])
    show("called", [told(b) for b in loader()])


@case
def sizes(paddle, show):
    seven = dataset(paddle, 7, int)
    for size in (1, 2, 3, 7, 9, None):
        for drop_last in (False, True):
            loader = paddle.io.DataLoader(seven, batch_size=size, drop_last=drop_last)
            batches = [b.numpy().tolist() if size else 0 for b in loader] if size else []
            show(f"{size} {drop_last}", [len(loader), batches])
    five = counting(paddle, 5)
    for drop_last in (False, True):
        loader = paddle.io.DataLoader(five, batch_size=2, drop_last=drop_last)
        show(f"iterable {drop_last}", [b.numpy().tolist() for b in loader])


@case
def collating_by_oneself(paddle, show):
    four = dataset(paddle, 4, int)
    sampler = paddle.io.BatchSampler(sampler=[3, 1, 0], batch_size=2)
    loader = paddle.io.DataLoader(four, batch_sampler=sampler)
    show("sampler", [b.numpy().tolist() for b in loader])
    loader = paddle.io.DataLoader(four, batch_size=2, collate_fn=lambda b: {"x": np.array(b)})
    show("collate", [b["x"].numpy().tolist() for b in loader])


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


@case
def datasets_of_datasets(paddle, show):
    io = paddle.io
    a, b = dataset(paddle, 2, int), dataset(paddle, 3, lambda i: (10 + i, 20 + i))
    show("compose", io.ComposeDataset([b, b])[1])
    both = io.ConcatDataset([a, b])
    show(
        "concat", [len(both), *(str(both[i]) for i in (0, 1, 2, 4, -1, -5)), both.cumulative_sizes]
    )
    show("chain", [*iter(io.ChainDataset([counting(paddle, 2), counting(paddle, 3)]))])
    part = io.Subset(b, [2, 0])
    show("subset", [len(part), part[0], part[1]])
    rows = io.TensorDataset([paddle.arange(3), paddle.ones([3, 2])])
    show("tensors", [len(rows), rows[1][0], rows[1][1]])


@case
def what_is_refused(paddle, show):
    io, d, it = paddle.io, dataset(paddle, 7, int), counting(paddle, 3)
    wrong = {
        "workers": lambda: io.DataLoader(d, num_workers=-1),
        "timeout": lambda: io.DataLoader(d, timeout=-1),
        "batch size": lambda: io.DataLoader(d, batch_size=0),
        "shuffled iterable": lambda: io.DataLoader(it, shuffle=True),
        "sampled iterable": lambda: io.DataLoader(it, batch_sampler=io.BatchSampler(d)),
        "both": lambda: io.DataLoader(d, batch_sampler=io.BatchSampler(d), shuffle=True),
        "prefetch": lambda: io.DataLoader(d, prefetch_factor=0),
        "length": lambda: len(io.DataLoader(it)),
        "no dataset": io.BatchSampler,
        "size 0": lambda: io.BatchSampler(d, batch_size=0),
        "shuffled sampler": lambda: io.BatchSampler(sampler=[1], shuffle=True),
        "batches of iterable": lambda: io.BatchSampler(it),
        "drop_last": lambda: io.BatchSampler(d, drop_last=1),
        "two orders": lambda: io.BatchSampler(d, sampler=[1]),
        "too many": lambda: io.RandomSampler(d, num_samples=9),
        "replacement": lambda: io.RandomSampler(d, 1),
        "none": lambda: io.RandomSampler(d, True, 0),
        "empty subset": lambda: io.SubsetRandomSampler([]),
        "no samples": lambda: io.WeightedRandomSampler([1.0], 0),
        "weighted replacement": lambda: io.WeightedRandomSampler([1.0], 1, 1),
        "negative": lambda: iter(io.WeightedRandomSampler([-1.0], 1)).__next__(),
        "too few weights": lambda: iter(io.WeightedRandomSampler([1.0, 0], 2, False)).__next__(),
        "compose nothing": lambda: io.ComposeDataset([]),
        "compose sizes": lambda: io.ComposeDataset([d, dataset(paddle, 2, int)]),
        "compose iterable": lambda: io.ComposeDataset([it]),
        "chain": lambda: io.ChainDataset([d]),
        "concat nothing": lambda: io.ConcatDataset([]),
        "concat iterable": lambda: io.ConcatDataset([it]),
        "concat index": lambda: io.ConcatDataset([d])[-8],
        "tensors": lambda: io.TensorDataset([paddle.ones([2]), paddle.ones([3])]),
        "no getitem": lambda: io.Dataset()[0],
        "no len": lambda: len(io.Dataset()),
        "no iter": lambda: iter(io.IterableDataset()),
        "getitem of iterable": lambda: it[0],
        "len of iterable": lambda: len(it),
        "processes": lambda: io.DistributedBatchSampler(d, 2, 0),
        "rank": lambda: io.DistributedBatchSampler(d, 2, 2, -1),
        "distributed size": lambda: io.DistributedBatchSampler(d, 0),
        "sampler": lambda: iter(io.Sampler()),
    }
    for label, call in wrong.items():
        show.raises(label, call)
    show("worker", io.get_worker_info() is None)
