"""Cases of DataParallel for any Paddle on two ranks. `record_data_parallel.py` records the answers
of real Paddle, and `test_data_parallel.py` compares them.

Each case returns values that JSON can express. The numbers are small integers or their halves, so
sums are exact; losses are compared with a tolerance.
"""

import contextlib
import sys
import warnings
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
STEPS = 20


class Asked:
    """A Paddle, this rank's part of the data, and networks of two weights."""

    def __init__(self, paddle):
        self.paddle, self.rank = paddle, paddle.distributed.get_rank()
        numbers = np.random.default_rng(0).integers(-3, 4, size=(4, 2)).astype("float64")
        self.x = paddle.to_tensor(numbers[self.rank * 2 : self.rank * 2 + 2])

    def net(self):
        """Return a network of two weights that differ by rank; `use` lists those in the output."""
        paddle, rank = self.paddle, self.rank

        class Two(paddle.nn.Layer):
            def __init__(self):
                super().__init__()
                self.a = paddle.nn.Linear(2, 1, bias_attr=False)
                self.b = paddle.nn.Linear(2, 1, bias_attr=False)
                self.a.weight.set_value(np.full((2, 1), 1.0 + 10 * rank))
                self.b.weight.set_value(np.full((2, 1), 2.0 + 10 * rank))
                self.use = "ab"

            def forward(self, x):
                outputs = [layer(x) for name, layer in (("a", self.a), ("b", self.b))]
                if self.use == "pair":
                    return outputs
                if self.use == "dict":
                    return {"u": [outputs[0]], "v": outputs[1]}
                return sum(outputs["ab".index(name)] for name in self.use)

        return Two()

    def parallel(self, **options):
        net = self.net()
        return net, self.paddle.DataParallel(net, **options)

    def step(self, model, times=1):
        """Run a forward and a backward pass; return the gradients."""
        (model(self.x) * times).sum().backward()
        return grads(model)


def grads(model):
    return [None if p.grad is None else p.grad.numpy().tolist() for p in model.parameters()]


def error_of(call):
    """Return the name of the built-in exception that a call raises."""
    try:
        call()
    except Exception as error:  # noqa: BLE001  (every class is an answer)
        kinds = (kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
        return next(kinds)
    return "no error"


# ----- cases -------------------------------------------------------------------------------------


def parameters_at_the_start(asked):
    _, model = asked.parallel()
    return [p.numpy().tolist() for p in model.parameters()]


def names(asked):
    net, model = asked.parallel()
    model.set_state_dict(net.state_dict())
    inner = [name for name, _ in model.named_parameters()]
    return [
        list(model.state_dict()),
        inner,
        model.full_name() == f"{net.full_name()}_data_parallel_0",
    ]


def two_passes(asked):
    _, model = asked.parallel()
    return [asked.step(model), asked.step(model)]


def no_sync(asked):
    _, model = asked.parallel()
    with model.no_sync():
        before = [asked.step(model), model.grad_need_sync]
    return [before, model.grad_need_sync, asked.step(model, 2)]


def forward_says_whether(asked):
    net, model = asked.parallel()
    loss = model(asked.x).sum()
    with model.no_sync():
        loss.backward()
    first = grads(model)
    net.clear_gradients()
    with model.no_sync():
        loss = model(asked.x).sum()
    loss.backward()
    return [first, grads(model)]


def hooks_see_their_own_rank(asked):
    net, model = asked.parallel()
    seen = []
    helper = net.a.weight.register_hook(lambda grad: seen.append(grad.numpy().tolist()))
    asked.step(model)
    helper.remove()
    net.clear_gradients()
    net.a.weight.register_hook(lambda grad: grad * 0 + asked.rank)
    return [seen, asked.step(model)]


def more_than_one_backward(asked):
    _, model = asked.parallel()
    loss = model(asked.x).sum()
    loss.backward(retain_graph=True)
    first = grads(model)
    loss.backward()
    second = grads(model)
    _, model = asked.parallel()
    ((model(asked.x) + model(asked.x * 2)).sum()).backward()
    together = grads(model)
    _, model = asked.parallel()
    a, b = model(asked.x).sum(), model(asked.x * 2).sum()
    a.backward()
    b.backward()
    return [first, second, together, grads(model)]


def several_outputs(asked):
    net, model = asked.parallel()
    net.use = "pair"
    u, v = model(asked.x)
    u.sum().backward()
    first = grads(model)
    v.sum().backward()
    second = grads(model)
    net.clear_gradients()
    net.use = "dict"
    out = model(asked.x)
    (out["u"][0] + out["v"]).sum().backward()
    return [first, second, grads(model)]


def an_output_left_out(asked):
    answers = []
    for find in (False, True):
        net, model = asked.parallel(find_unused_parameters=find)
        net.use = "pair"
        model(asked.x)[0].sum().backward()
        answers += [grads(model), error_of(lambda model=model: model(asked.x))]
    return answers


def unused(asked):
    answers = []
    for uses in (["a", "ab"[asked.rank]], ["ab", "a"], ["ab"[asked.rank], "a"]):
        net, model = asked.parallel(find_unused_parameters=True)
        for use in uses:
            net.use = use
            answers.append(asked.step(model))
            net.clear_gradients(set_to_zero=False)
    return answers


def unused_in_two_buckets(asked):
    answers = []
    for use in "ab":
        net, model = asked.parallel(last_comm_buffer_size=1e-6)
        net.use = use
        answers.append([asked.step(model), model.group_indices])
    return answers


def accumulated_then_unused(asked):
    net, model = asked.parallel(find_unused_parameters=True)
    with model.no_sync():
        asked.step(model)
    net.use = "a"
    return asked.step(model)


def other_parameters_than_at_first(asked):
    net, model = asked.parallel()
    net.use = "a"
    first = asked.step(model)
    net.use = "ab"
    return [first, error_of(lambda: asked.step(model))]


def without_gradients(asked):
    paddle = asked.paddle
    net, model = asked.parallel()
    with paddle.no_grad():
        model(asked.x)
    (grad,) = paddle.grad(model(asked.x).sum(), [net.a.weight])
    none = grads(model)
    model.eval()
    return [grad.numpy().tolist(), none, asked.step(model)]


def frozen(asked):
    paddle = asked.paddle
    net = paddle.nn.Linear(2, 1)
    net.weight.stop_gradient = True
    model = paddle.DataParallel(net)
    answers = [asked.step(model), model.group_indices]
    net.bias.stop_gradient = True
    answers.append(error_of(lambda: paddle.DataParallel(net)))
    return [*answers, error_of(lambda: paddle.DataParallel(paddle.nn.ReLU()))]


def shared_weights(asked):
    paddle = asked.paddle
    net = paddle.nn.Sequential(*(paddle.nn.Linear(2, 2, bias_attr=False) for _ in range(2)))
    net[1].weight = net[0].weight
    net[0].weight.set_value(np.ones((2, 2)))
    model = paddle.DataParallel(net)
    return [asked.step(model), model.group_indices]


def a_pylayer_inside(asked):
    paddle = asked.paddle

    class Product(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x)
            return x @ w

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensor()
            return None, x.T @ dy

    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.w = self.create_parameter([2, 1])

        def forward(self, x):
            return Product.apply(x, self.w)

    return asked.step(paddle.DataParallel(paddle.nn.Sequential(Net())))


def groups(asked):
    group = asked.paddle.distributed.new_group([0, 1])
    return asked.step(asked.parallel(group=group)[1])


def buckets(asked):
    paddle, answers = asked.paddle, []
    kinds = "sddsdds"
    for sizes, limits in (
        ([10] * 5, (80, 200)),
        ([10] * 5, (40, 40)),
        ([10] * 5, (39, 41)),
        ([10] * 5, (0, 0)),
        ([100, 1, 1, 100], (8, 400)),
        ([1, 2, 3, 4, 5, 6], (4, 12)),
        ([10] * 7, (80, 160)),
    ):
        net = paddle.nn.Layer()
        for number, size in enumerate(sizes):
            mixed = len(sizes) == 7 and kinds[number] == "d"
            one = net.create_parameter([size], dtype="float64" if mixed else "float32")
            net.add_parameter(f"p{number}", one)
        outer = paddle.nn.Sequential(net)
        last, size = (limit / 2**20 for limit in limits)
        model = paddle.DataParallel(outer, comm_buffer_size=size, last_comm_buffer_size=last)
        answers.append([model.group_indices, model.comm_buffer_size, model.last_comm_buffer_size])
    return answers


def shares_of_ranks(asked):
    """Return the samples of a dataset for a rank, by its own number or a given one."""
    io = asked.paddle.io
    rows = []
    for size, share, options in (
        (10, 3, {}),
        (10, 3, {"shuffle": True, "drop_last": True}),
        (1, 3, {}),
        (0, 3, {}),
        (7, 2, {"num_replicas": 4}),
        (7, 2, {"rank": 0}),
    ):
        sampler = io.DistributedBatchSampler(list(range(size)), share, **options)
        sampler.set_epoch(1)
        rows.append([list(sampler), len(sampler), sampler.nranks, sampler.local_rank])
    outside = (io.DistributedBatchSampler(list(range(10)), 3, 2, rank) for rank in (2, 5))
    return [rows, [error_of(lambda each=each: list(each)) for each in outside]]


def old_methods(asked):
    _, model = asked.parallel()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loss = model.scale_loss(paddle_ones(asked))
        return [loss.numpy().tolist(), model.apply_collective_grads()]


def paddle_ones(asked):
    return asked.paddle.ones([1], dtype="float64")


# ----- training ----------------------------------------------------------------------------------


def losses_of_lenet(asked):
    return example("data_parallel_lenet").train(STEPS)[1]


def losses_of_tensor_parallel_mlp(asked):
    return example("tensor_parallel_mlp").train(STEPS)[2]


def losses_of_pipeline(asked):
    return [loss for loss in example("pipeline_two_stages").train(STEPS)[1] if loss is not None]


def losses_of_transformer(asked):
    return transformer(asked.paddle)[1]


def example(name):
    """Return an example as a module."""
    folder = str(ROOT / "examples")
    sys.path.insert(0, folder)
    try:
        return __import__(name)
    finally:
        sys.path.remove(folder)


def transformer(paddle, batch=24):
    """Train the rhyme writer data-parallel; return its parameters and losses of whole batches."""
    write, dist = example("character_transformer"), paddle.distributed
    rank, count = dist.get_rank(), dist.get_world_size()
    paddle.seed(rank)
    net = paddle.DataParallel(write.Writer())
    optimizer = paddle.optimizer.SGD(0.5, parameters=net.parameters())
    own, losses = slice(rank * batch // count, (rank + 1) * batch // count), []
    with changed(write, "BATCH", batch):
        for letters, following in write.batches(STEPS):
            x, wanted = (paddle.to_tensor(each[own]) for each in (letters, following))
            loss = write.loss_of(net, x, wanted)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            mean = loss.detach().clone()
            if dist.is_initialized():
                dist.all_reduce(mean)
            losses.append(float(mean) / count)
    return [p.numpy() for p in net.parameters()], losses


@contextlib.contextmanager
def changed(module, name, value):
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


CASES = [
    parameters_at_the_start, names, two_passes, no_sync, forward_says_whether,
    hooks_see_their_own_rank, more_than_one_backward, several_outputs, an_output_left_out, unused,
    unused_in_two_buckets, accumulated_then_unused, other_parameters_than_at_first,
    without_gradients, frozen, shared_weights, a_pylayer_inside, groups, buckets, shares_of_ranks,
    old_methods, losses_of_lenet, losses_of_pipeline, losses_of_transformer,
    losses_of_tensor_parallel_mlp,
]  # fmt: skip


def answers(paddle):
    """Return the answers of this rank by case."""
    paddle.distributed.init_parallel_env()
    before = paddle.get_default_dtype()
    paddle.set_default_dtype("float64")
    try:
        asked = Asked(paddle)
        return {case.__name__: case(asked) for case in CASES}
    finally:
        paddle.set_default_dtype(before)
