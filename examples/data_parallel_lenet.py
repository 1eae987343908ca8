"""A LeNet learns on several ranks, each of which has its part of every batch.

    minipaddle launch --nproc_per_node 4 examples/data_parallel_lenet.py

Add `--trace out.html` and a few steps, and see where the ranks meet. It runs unchanged with
PaddlePaddle, where minipaddle is not installed, and prints the same losses:

    python -m paddle.distributed.launch --nproc_per_node 4 examples/data_parallel_lenet.py
"""

import itertools
import sys

from lenet_digits import LeNet, digits_and_images

try:
    import minipaddle as paddle
    import minipaddle.distributed as dist
except ImportError:
    import paddle
    import paddle.distributed as dist

BATCH = 24  # on all ranks together


def batches(steps):
    """This rank's part of each batch: the sampler shares every batch among the ranks."""
    digits, images = digits_and_images()
    data = paddle.io.TensorDataset([paddle.to_tensor(images), paddle.to_tensor(digits)])
    share = BATCH // dist.get_world_size()
    sampler = paddle.io.DistributedBatchSampler(data, batch_size=share, drop_last=True)
    yield from itertools.islice(paddle.io.DataLoader(data, batch_sampler=sampler), steps)


def mean_over_ranks(loss):
    """The loss of the whole batch: the ranks' parts have the same size."""
    mean = loss.detach().clone()
    if dist.is_initialized():
        dist.all_reduce(mean)
    return float(mean) / dist.get_world_size()


def train(steps):
    """The network, the same on all ranks, and the loss of the whole batch in every step."""
    dist.init_parallel_env()
    paddle.seed(dist.get_rank())  # others on each rank: DataParallel sends those of rank 0
    net = paddle.DataParallel(LeNet())
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    losses = []
    for images, digits in batches(steps):
        loss = paddle.nn.functional.cross_entropy(net(images), digits)
        loss.backward()  # and the gradients are averaged over the ranks
        optimizer.step()
        optimizer.clear_grad()
        losses.append(mean_over_ranks(loss))
    return net, losses


if __name__ == "__main__":
    _, losses = train(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    if dist.get_rank() == 0:
        for step in range(0, len(losses), 10):
            print(f"step {step:2}: loss {losses[step]:.4f}")
