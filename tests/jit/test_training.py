"""A training step of to_static computes what it computes op by op, to the last bit."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from tests.each import each

nn, optim = paddle.nn, paddle.optimizer
STEPS = 5


def drawn(*shape: int, seed: int = 0) -> Any:
    return paddle.to_tensor(np.random.default_rng(seed).normal(size=shape).astype("float32"))


def network() -> Any:
    """Return a network with statistics, random numbers, and a parameter without a gradient."""
    paddle.seed(1)
    net = nn.Sequential(
        nn.Linear(3, 8), nn.BatchNorm1D(8), nn.ReLU(), nn.Dropout(0.3), nn.Linear(8, 2)
    )
    net.unused = net.create_parameter([2])
    return net


def loss_of(net: Any, seed: int = 0) -> Any:
    return paddle.square(net(drawn(6, 3, seed=seed))).mean()


def usual(net: Any, optimizer: Any) -> Any:
    loss = loss_of(net)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss


def cleared_first(net: Any, optimizer: Any) -> Any:
    optimizer.clear_grad()
    loss = loss_of(net)
    loss.backward()
    optimizer.step()
    return {"loss": loss, "norm": net[0].weight.grad.norm()}


def without_zeros(net: Any, optimizer: Any) -> Any:
    loss = loss_of(net)
    loss.backward(paddle.to_tensor(2.0))
    optimizer.minimize(loss)
    for parameter in net.parameters():
        parameter.clear_gradient(False)
    return loss


def accumulating(net: Any, optimizer: Any) -> None:
    """Two backward passes and two steps; gradients stay for the next call."""
    loss = loss_of(net)
    loss.backward(retain_graph=True)
    loss.backward()
    optimizer.step()
    net[0].clear_gradients()
    loss_of(net, 1).backward()
    optimizer.step()


def only_gradients(net: Any, optimizer: Any) -> Any:
    loss = loss_of(net)
    loss.backward()
    return loss


def only_a_step(net: Any, optimizer: Any) -> Any:
    optimizer.step()
    return optimizer.clear_grad()


def described(net: Any, optimizer: Any, result: Any) -> list[Any]:
    """Return a result, the parameters, gradients, statistics and accumulators as arrays."""
    found = [result] if isinstance(result, paddle.Tensor) else list((result or {}).values())
    found += [*net.state_dict().values(), *(p.grad for p in net.parameters())]
    state = [value for _, value in sorted(optimizer.state_dict().items()) if _ != "LR_Scheduler"]
    return [None if value is None else value.numpy() for value in (*found, *state)]


def in_groups(net: Any) -> Any:
    groups = [
        {"params": net[0].parameters(), "learning_rate": 0.5, "weight_decay": 0.1},
        {"params": net[4].parameters(), "grad_clip": nn.ClipGradByNorm(0.1)},
    ]
    return optim.Adam(0.02, parameters=groups)


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "momentum": lambda net: optim.Momentum(0.1, parameters=net.parameters(), weight_decay=0.01),
    "adamw": lambda net: optim.AdamW(
        optim.lr.StepDecay(0.05, 2), parameters=net.parameters(),
        grad_clip=nn.ClipGradByGlobalNorm(0.2),
    ),
    "groups": in_groups,
}  # fmt: skip
STEPS_OF = [usual, cleared_first, without_zeros, accumulating, only_gradients]


@each("make", OPTIMIZERS.values(), OPTIMIZERS)
@each("step", STEPS_OF)
def test_a_training_step_is_the_same_to_the_last_bit(step: Any, make: Any) -> None:
    sides = []
    for compiled in (False, True):
        net = network()
        optimizer = make(net)
        function = paddle.jit.to_static(step, full_graph=True) if compiled else step
        sides.append((net, optimizer, function))
    paddle.seed(5)
    states = [paddle.get_rng_state()] * 2
    for number in range(STEPS):
        rows = []
        for side, (net, optimizer, function) in enumerate(sides):
            paddle.set_rng_state(states[side])
            rows.append(described(net, optimizer, function(net, optimizer)))
            states[side] = paddle.get_rng_state()
            if number == 1:
                optimizer.clear_grad()
            if number == 2:
                only_a_step(net, optimizer)
            if isinstance(optimizer._learning_rate, optim.lr.LRScheduler):
                optimizer._learning_rate.step()
            else:
                optimizer.set_lr(0.1 / (number + 2))
        for expected, value in zip(*rows, strict=True):
            np.testing.assert_array_equal(value, expected)


@paddle.jit.to_static
def adversarial(real: Any, noise: Any, nets: Any, optimizers: Any) -> Any:
    generator, critic = nets
    false = generator(noise)
    judged = nn.functional.softplus(critic(false.detach())) - critic(real)
    loss = judged.mean()
    loss.backward()
    optimizers[1].step()
    optimizers[1].clear_grad()
    other = -critic(false).mean()
    other.backward()
    optimizers[0].step()
    for optimizer in optimizers:
        optimizer.clear_grad()
    return loss, other, false


def test_two_networks_train_each_other() -> None:
    rows = []
    for function in (adversarial, adversarial.dygraph_function):
        paddle.seed(2)
        nets = [nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))]
        optimizers = [optim.Adam(0.05, parameters=net.parameters()) for net in nets]
        for number in range(STEPS):
            given = drawn(6, 3, seed=number), drawn(6, 2, seed=number)
            results = function(*given, nets, optimizers)
        found = [*results, *(p for net in nets for p in net.parameters())]
        rows.append([value.numpy() for value in found])
    for value, expected in zip(*rows, strict=True):
        np.testing.assert_array_equal(value, expected)
    assert len(adversarial.runners) == 1


def test_a_step_is_traced_once_and_its_result_has_no_graph() -> None:
    net, traced = network(), []
    optimizer = optim.SGD(0.1, parameters=net.parameters())

    def step() -> Any:
        traced.append(net)
        return usual(net, optimizer)

    function = paddle.jit.to_static(step, full_graph=True)
    for _ in range(STEPS):
        loss = function()
    assert len(traced) == 1
    for parameter in net[4].parameters():
        assert not parameter.grad.numpy().any()
    with pytest.raises(SystemError, match="retain_graph=True"):
        loss.backward()
    weight = net[4].weight
    weight.optimize_attr["learning_rate"] = 0.0
    before = weight.numpy().copy()
    function()
    np.testing.assert_array_equal(weight.numpy(), before)
    with paddle.no_grad():  # op by op: there is no graph, so no gradient
        function()
    optimizer.clear_grad(set_to_zero=False)
    function()
    assert len(traced) == 3


def test_a_recording_of_a_step_shows_its_ops() -> None:
    net = network()
    optimizer = optim.SGD(0.1, parameters=net.parameters())
    function = paddle.jit.to_static(usual)
    counts = []
    for _ in range(2):
        function(net, optimizer)
        with viz.record() as trace:
            function(net, optimizer)
        function(net, optimizer)
        counts.append(sum(map(len, function.runners.values())))
    assert [step.kind for step in trace.steps].count("update") == 6
    assert counts[0] == counts[1]  # a recording leaves nothing that asks for a new trace


def test_a_gradient_that_is_read_is_that_of_the_call() -> None:
    weight = paddle.ones([2])
    weight.stop_gradient = False
    double = paddle.jit.to_static(
        lambda: 0.0 if weight.grad is None else weight.grad * 2.0, full_graph=True
    )
    assert double() == 0.0
    for factor in (1.0, 3.0):
        (weight * factor).sum().backward()
        assert double().tolist() == [2.0 * weight.grad[0].item()] * 2
    weight.clear_gradient()
    assert double().tolist() == [0.0, 0.0]
    weight.clear_gradient(False)
    assert double() == 0.0


def test_a_rate_that_the_code_reads_is_that_of_the_call() -> None:
    net = network()
    optimizer = optim.SGD(0.5, parameters=net.parameters())
    half = paddle.jit.to_static(lambda x: x * optimizer.get_lr(), full_graph=True)
    assert half(paddle.ones([1])).item() == 0.5
    optimizer.set_lr(0.25)
    assert half(paddle.ones([1])).item() == 0.25


def with_scheduler(net: Any, optimizer: Any) -> None:
    usual(net, optimizer)
    optimizer._learning_rate.step()


def with_hook(net: Any, optimizer: Any) -> None:
    net[0].weight.register_hook(lambda grad: grad * 2)
    usual(net, optimizer)


def with_a_hook_on_a_result(net: Any, optimizer: Any) -> None:
    loss = loss_of(net)
    loss.register_hook(lambda grad: grad * 2)


def with_a_second_backward(net: Any, optimizer: Any) -> None:
    loss = loss_of(net)
    loss.backward()
    (loss * 2.0).backward()


def with_another_result(net: Any, optimizer: Any) -> Any:
    usual(net, optimizer)
    return loss_of(net)


def with_an_assigned_gradient(net: Any, optimizer: Any) -> None:
    net[0].weight.grad = paddle.zeros([3, 8])
    usual(net, optimizer)


def with_clipping(net: Any, optimizer: Any) -> None:
    loss_of(net).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()


REFUSED = [
    (with_scheduler, "LRScheduler.step"),
    (with_hook, "register_hook"),
    (with_a_hook_on_a_result, "register_hook.*\n.*\n.*\n.*leave out to_static"),
    (with_a_second_backward, "retain_graph=True"),
    (with_another_result, "can still go backward"),
    (with_an_assigned_gradient, "grad = "),
    (with_clipping, "clip_grad_norm_"),
]


@each("step, words", REFUSED)
def test_what_would_happen_once_is_refused(step: Any, words: str) -> None:
    net = network()
    optimizer = optim.SGD(optim.lr.StepDecay(0.1, 2), parameters=net.parameters())
    before = described(net, optimizer, None)
    with pytest.raises(Exception, match=words):
        paddle.jit.to_static(step, full_graph=True)(net, optimizer)
    for expected, value in zip(before, described(net, optimizer, None), strict=True):
        np.testing.assert_array_equal(value, expected)


def test_a_gradient_beyond_the_function_is_refused() -> None:
    weight = paddle.ones([2])
    weight.stop_gradient = False
    product = weight * 3.0

    def backward_of(x: Any) -> None:
        (x * product).sum().backward()

    with pytest.raises(Exception, match="no plain leaf"):
        paddle.jit.to_static(backward_of, full_graph=True)(paddle.ones([2]))
    with pytest.raises(Exception, match="gives arguments no gradient"):
        paddle.jit.to_static(lambda x: (x * 2.0).sum().backward(), full_graph=True)(weight)
    with pytest.warns(UserWarning, match="op by op"):
        paddle.jit.to_static(backward_of)(paddle.ones([2]))
    assert weight.grad.tolist() == [3.0, 3.0]
