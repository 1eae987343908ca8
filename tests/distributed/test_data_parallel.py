"""DataParallel answers as real Paddle's, and training does not depend on the number of ranks."""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.distributed.gradient_buckets import Reducer, assign_buckets
from minipaddle.distributed.groups import Group
from tests.each import each
from tests.static.world import fresh

from .data_parallel_cases import STEPS, answers, example, transformer

RECORDED = json.loads(Path(__file__).with_name("data_parallel.json").read_text(encoding="utf-8"))


def on_ranks(function: Any, ranks: int, *args: Any) -> list[Any]:
    """Run a function of this module; return the result of each rank."""
    context = paddle.distributed.spawn(function, args, nprocs=ranks)
    return [queue.get() for queue in context.return_queues]


def asked() -> dict[str, Any]:
    return answers(paddle)


@pytest.fixture(scope="module")
def given() -> list[dict[str, Any]]:
    """Return the answers of two ranks, as JSON would return them."""
    return json.loads(json.dumps(on_ranks(asked, 2)))


@pytest.mark.ranks
@pytest.mark.slow
@each("case", RECORDED)
def test_data_parallel_answers_as_real_paddle(given: list[dict[str, Any]], case: str) -> None:
    ours, theirs = [told[case] for told in given], RECORDED[case]
    if case.startswith("losses"):
        for row, expected in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(row, expected, rtol=0, atol=1e-12)
    else:
        assert ours == theirs


# ----- training ----------------------------------------------------------------------------------


def lenet() -> list[np.ndarray]:
    net, _ = example("data_parallel_lenet").train(STEPS)
    return [weight.numpy() for weight in net.parameters()]


def rhymes() -> list[np.ndarray]:
    return transformer(paddle)[0]


def parts_of_an_mlp() -> list[np.ndarray]:
    first, second, _ = example("tensor_parallel_mlp").train(STEPS)
    return [weight.numpy() for weight in first.parameters() + second.parameters()]


def trained() -> list[list[np.ndarray]]:
    """Return the parameters of all three networks after some steps."""
    paddle.distributed.init_parallel_env()
    before = paddle.get_default_dtype()
    paddle.set_default_dtype("float64")
    try:
        return [lenet(), rhymes(), parts_of_an_mlp()]
    finally:
        paddle.set_default_dtype(before)


@pytest.fixture(scope="module")
def in_one_process() -> list[list[np.ndarray]]:
    with warnings.catch_warnings(action="ignore"):
        return trained()


@pytest.mark.ranks
@pytest.mark.slow
@pytest.mark.parametrize("ranks", [2, 3])
def test_training_equals_that_of_one_process(
    ranks: int, in_one_process: list[list[np.ndarray]]
) -> None:
    """Data-parallel networks are compared with whole batches; one is tensor-parallel."""
    *networks, whole = in_one_process
    for rank, (*others, parts) in enumerate(on_ranks(trained, ranks)):
        for row, expected in zip(others, networks, strict=True):
            for ours, theirs in zip(row, expected, strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
        share = whole[0].shape[1] // ranks
        for ours, theirs in zip(parts, whole, strict=True):
            own = tuple(
                slice(rank * share, (rank + 1) * share) if mine < all_of_it else slice(None)
                for mine, all_of_it in zip(ours.shape, theirs.shape, strict=True)
            )
            np.testing.assert_allclose(ours, theirs[own], rtol=0, atol=1e-12)


@pytest.mark.ranks
@pytest.mark.slow
def test_a_pipeline_trains_as_one_process(given: list[dict[str, Any]]) -> None:
    pipeline, losses = example("pipeline_two_stages"), []
    paddle.set_default_dtype("float64")
    net = paddle.nn.Sequential(*pipeline.stages())
    x, wanted = map(paddle.concat, zip(*pipeline.parts(), strict=True))
    paddle.set_default_dtype("float32")
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    for _ in range(STEPS):
        loss = ((net(x) - wanted) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    first, second = (told["losses_of_pipeline"] for told in given)
    assert first == []
    np.testing.assert_allclose(second, losses, rtol=0, atol=1e-12)


# ----- one process -------------------------------------------------------------------------------


def test_a_single_process_gets_the_layer_unchanged() -> None:
    net = paddle.nn.Linear(2, 1)
    with pytest.warns(UserWarning, match="The program will return to single-card operation."):
        model = paddle.DataParallel(net)
    x = paddle.ones([3, 2])
    assert model(x).tolist() == net(x).tolist()
    with model.no_sync() as nothing:
        assert (nothing, model.grad_need_sync) == (None, False)
        model(x).sum().backward()
    assert model.grad_need_sync
    assert net.weight.grad.tolist() == [[3.0], [3.0]]
    assert list(model.state_dict()) == ["weight", "bias"]
    assert model.buckets == []


def test_no_sync_ends_after_an_error() -> None:
    with warnings.catch_warnings(action="ignore"):
        model = paddle.DataParallel(paddle.nn.Linear(2, 1))
    with pytest.raises(ZeroDivisionError), model.no_sync(), model.no_sync():
        raise ZeroDivisionError
    assert model.grad_need_sync


def test_data_parallel_takes_layers_in_dynamic_mode() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'full_name'"):
        paddle.DataParallel(3)
    with (
        fresh(),
        pytest.raises(AssertionError, match="not supported to construct DataParallel in st"),
    ):
        paddle.DataParallel(paddle.nn.Linear(2, 2))


def test_several_processes_must_call_init_parallel_env(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "0")
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    with pytest.raises(AssertionError, match="ParallelContext must be initialized before"):
        paddle.DataParallel(paddle.nn.Linear(2, 1))


def test_a_bucket_is_full_when_its_bytes_reach_the_limit() -> None:
    """Cases beyond Paddle's record: no parameters at all, and a last bucket that is just full."""
    row = [paddle.ones([10]) for _ in range(4)]
    assert assign_buckets([], [1, 1]) == []
    assert assign_buckets(row, [80, 80]) == [[0, 1], [2, 3]]
    assert assign_buckets(row, [81, 80]) == [[0, 1, 2], [3]]


# ----- errors on ranks ---------------------------------------------------------------------------


def texts() -> list[str]:
    """Return the texts of DataParallel's errors."""
    dist = paddle.distributed
    dist.init_parallel_env()
    a, b = paddle.nn.Linear(2, 1), paddle.nn.Linear(2, 1)

    class Net(paddle.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b, self.both = a, b, True

        def forward(self, x: Any) -> Any:
            return (self.a(x), self.b(x)) if self.both else self.a(x)

    x, said = paddle.ones([1, 2]), []
    net = Net()
    model = paddle.DataParallel(net, last_comm_buffer_size=1e-6)
    model(x)[0].sum().backward()
    attempts = [lambda: model(x)]
    net2 = Net()
    other = paddle.DataParallel(net2)
    (u, v) = other(x)
    (u + v).sum().backward()
    net2.both = False
    attempts.append(lambda: other(x))
    last = paddle.DataParallel(Net(), comm_buffer_size=1e-6, last_comm_buffer_size=1e-6)
    u, v = last(x)
    v.sum().backward(retain_graph=True)
    attempts.append(lambda: v.sum().backward())
    rank = dist.get_rank()
    attempts.append(lambda: paddle.DataParallel(paddle.nn.Linear(2 + rank, 1)))
    for attempt in attempts:
        try:
            attempt()
        except RuntimeError as error:
            said.append(str(error))
    return said


@pytest.mark.ranks
@pytest.mark.slow
def test_errors_have_their_texts() -> None:
    for left_out, others, again, shapes in on_ranks(texts, 2):
        assert left_out.startswith(
            "DataParallel: a forward pass begins, but gradients of the last one are not averaged."
        )
        assert "  received  no gradient for linear_1.w_0, linear_1.b_0" in left_out
        assert others.startswith(
            "DataParallel: this forward pass uses other parameters than the first one did."
        )
        assert "  received  unused: linear_1.b_0, linear_1.w_0" in others
        assert "find_unused_parameters=True" in others
        assert again.startswith("DataParallel: the parameter linear_1.")
        assert "gets a gradient after its bucket has set out." in again
        assert "rank 0: broadcast(float32 [2, 1], src=0) at" in shapes
        assert "rank 1: broadcast(float32 [3, 1], src=0) at" in shapes


def in_a_group() -> tuple[list[float], list[float] | None]:
    """Return the weights of ranks 1 and 2, which train together, and of rank 0; then a gradient."""
    dist = paddle.distributed
    dist.init_parallel_env()
    rank, group = dist.get_rank(), dist.new_group([1, 2])
    net = paddle.nn.Linear(1, 1, bias_attr=False)
    net.weight.set_value(np.full((1, 1), rank * 10.0, "float32"))
    model: Any = paddle.DataParallel(net, group=group) if rank else net
    model(paddle.full([1, 1], rank)).sum().backward()
    return net.weight.tolist()[0], net.weight.grad.tolist()[0]


@pytest.mark.ranks
@pytest.mark.slow
def test_a_group_trains_by_itself() -> None:
    assert on_ranks(in_a_group, 3) == [([0.0], [0.0]), ([10.0], [1.5]), ([10.0], [1.5])]


def what_is_seen() -> tuple[list[Any], str]:
    """Return the buckets of a network, and the text of a recorded step of training."""
    import viz

    paddle.distributed.init_parallel_env()
    net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Tanh(), paddle.nn.Linear(3, 1))
    model = paddle.DataParallel(net, comm_buffer_size=1e-5, last_comm_buffer_size=1e-5)
    with viz.record() as trace:
        model(paddle.ones([1, 2])).sum().backward()
    return model.buckets, trace.text()


@pytest.mark.ranks
@pytest.mark.slow
def test_buckets_are_shown_in_traces() -> None:
    for buckets, text in on_ranks(what_is_seen, 2):
        assert buckets == [
            *((["2.bias"], 4), (["2.weight"], 12)),
            *((["0.bias"], 12), (["0.weight"], 24)),
        ]
        assert [f"bucket_{number}" in text for number in range(5)] == [True] * 4 + [False]


def test_a_forward_pass_may_have_no_backward() -> None:
    """A validation outside of no_grad has none; its parameters do not count as forgotten."""
    used, unused = (paddle.create_parameter([1], "float32") for _ in range(2))
    reducer = Reducer([[used, unused]], Group(0, [0, 1], 0, None, 60.0))
    for _ in range(3):
        reducer.expect([used * 2], find_unused=False)
