"""Functions and layers of to_static compute what they compute op by op."""

import copy
import gc
import weakref
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import MinipaddleError
from tests.each import each
from tests.ops.drawing import call, draw, flat, sampled, tensors_of

SAMPLES = [pytest.param(op, sample, id=name) for op, sample, name in sampled()]
nn = paddle.nn


def gradients_of(outs: list[Any], tensors: list[Any]) -> list[Any]:
    """Return the gradients of a weighted sum of the outputs by the tensors that want one."""
    sources = [t for t in tensors if not t.stop_gradient]
    targets = [out for out in outs if not out.stop_gradient]
    if not sources or not targets:
        return []
    rng = np.random.default_rng(1)
    drawn = [np.asarray(rng.normal(size=t.shape)).astype(t.numpy().dtype) for t in targets]
    weights = list(map(paddle.to_tensor, drawn))
    grads = paddle.grad(targets, sources, grad_outputs=weights, allow_unused=True)
    return [None if grad is None else grad.numpy() for grad in grads]


@pytest.mark.slow
@each("op, sample", SAMPLES)
def test_every_op_computes_the_same_as_a_program(op: Any, sample: Any) -> None:
    arrays = draw(op, sample)
    tensors = tensors_of(arrays)
    function = paddle.jit.to_static(lambda *given: call(op, list(given), sample), full_graph=True)
    expected = call(op, tensors, sample)
    wanted = gradients_of(expected, flat(tensors))
    for _ in range(3):  # by the interpreter, while a plan is recorded, and by the plan
        outs = function(*tensors)
        assert [out.stop_gradient for out in outs] == [out.stop_gradient for out in expected]
        for out, value in zip(outs, expected, strict=True):
            is_close(out.numpy(), value.numpy())
        for grad, value in zip(gradients_of(outs, flat(tensors)), wanted, strict=True):
            if grad is None or value is None:  # a Program says None where a rule gives zeros
                assert not np.any(grad) or grad is None
                assert not np.any(value) or value is None
            else:
                is_close(grad, value)


def is_close(got: Any, expected: Any) -> None:
    """Compare up to the last digits, which depend on the alignment of memory."""
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=4e-15)


class Net(nn.Layer):
    """A network with running statistics and random numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm = nn.Linear(3, 8), nn.BatchNorm1D(8)
        self.drop, self.last = nn.Dropout(0.3), nn.Linear(8, 2)

    def forward(self, x: Any, scale: float = 1.0) -> Any:
        return self.last(self.drop(nn.functional.relu(self.norm(self.first(x))))) * scale


def train(net: Any, steps: int = 6) -> list[Any]:
    """Train, change to test mode and train on; return losses, gradients and statistics."""
    paddle.seed(3)
    optimizer = paddle.optimizer.Adam(0.05, parameters=net.parameters())
    data, seen = np.random.default_rng(0).normal(size=[6, 3]).astype("float32"), []
    for step in range(steps):
        x = paddle.to_tensor(data, stop_gradient=False)
        if step == 4:
            net.eval()
        loss = paddle.square(net(x, scale=2.0)).mean()
        loss.backward()
        seen += [loss.item(), x.grad.numpy(), net.norm._mean.numpy().copy()]
        optimizer.step()
        optimizer.clear_grad()
    return seen


def test_a_training_is_the_same_to_the_last_bit() -> None:
    paddle.seed(1)
    plain, static = Net(), Net()
    static.set_state_dict(plain.state_dict())
    static = paddle.jit.to_static(static, full_graph=True)
    for value, expected in zip(train(static), train(plain), strict=True):
        np.testing.assert_array_equal(value, expected)
    assert len(static.forward.runners) == 1  # one kind of arguments, in two modes
    assert sum(map(len, static.forward.runners.values())) == 2


def test_a_function_is_traced_once_for_each_kind_of_arguments() -> None:
    ran = []

    @paddle.jit.to_static
    def double(x: Any, *, sign: float = 1.0) -> dict[str, Any]:
        ran.append(x.shape)
        return {"twice": x * 2.0 * sign, "same": x, "sign": sign}

    for shape, sign in (([2], 1.0), ([2], 1.0), ([3], 1.0), ([2], -1.0)):
        x = paddle.ones(shape)
        result = double(x, sign=sign)
        assert result["sign"] == sign
        assert result["twice"].tolist() == [2.0 * sign] * shape[0]
        assert result["same"] is not x
    assert len(ran) == 3


def test_one_program_serves_all_sizes_of_an_input_spec() -> None:
    spec = paddle.static.InputSpec([None, 3], "float32", "data")
    net = paddle.jit.to_static(nn.Linear(3, 2), input_spec=[spec])
    for rows in (1, 4, 7):
        x = paddle.randn([rows, 3])
        np.testing.assert_array_equal(net(x).numpy(), (x @ net.weight + net.bias).numpy())
    assert sum(map(len, net.forward.runners.values())) == 1
    assert net.forward.main_program.global_block().var("data").shape == (-1, 3)


weight = paddle.ones([2])


@paddle.jit.to_static(full_graph=True)
def scaled(x: Any) -> Any:
    return x * weight


def test_a_program_follows_the_tensors_around_its_function() -> None:
    global weight
    x = paddle.to_tensor([1.0, 2.0])
    for value in (1.0, 3.0):  # another Tensor
        weight = paddle.full([2], value)
        assert scaled(x).tolist() == [value, 2 * value]
    weight[0] = 5.0  # in place
    assert scaled(x).tolist() == [5.0, 6.0]
    weight.stop_gradient = False
    scaled(x).sum().backward()
    assert weight.grad.tolist() == [1.0, 2.0]
    kept = scaled(x)
    with paddle.no_grad():
        weight[0] = 1.0
    with pytest.raises(RuntimeError):  # backward would compute with the changed values
        kept.sum().backward()


class Sums(nn.Layer):
    """A layer that stores a result."""

    def forward(self, x: Any) -> Any:
        self.total = x.sum()
        return x / self.total


def chosen(x: Any) -> Any:
    return x * 2.0 if x.sum() > 0 else x - 1.0


def halved(x: Any) -> Any:
    return x * float(x.sum())


def made(x: Any) -> Any:
    return nn.Linear(2, 1)(x)


@each("function", [chosen, halved, made, Sums])
def test_code_that_needs_values_runs_op_by_op_with_a_warning(function: Any) -> None:
    def fresh() -> Any:
        return function() if isinstance(function, type) else function

    plain, static = fresh(), paddle.jit.to_static(fresh())
    with pytest.warns(UserWarning, match="op by op"):
        static(paddle.ones([2]))
    for values in ([1.0, 2.0], [-1.0, -2.0]):
        x, results = paddle.to_tensor(values), []
        for each_function in (plain, static):
            paddle.seed(0)
            results.append(each_function(x).numpy())
        np.testing.assert_array_equal(*results)
    if function is Sums:
        assert static.total.item() == -3.0
    with pytest.raises(MinipaddleError):
        paddle.jit.to_static(fresh(), full_graph=True)(paddle.ones([2]))


def test_no_grad_inside_and_around_a_function() -> None:
    def centred(x: Any) -> Any:
        with paddle.no_grad():
            mean = x.mean()
        return ((x - mean) * x.detach()).sum()

    static = paddle.jit.to_static(centred, full_graph=True)
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with paddle.no_grad():
        assert static(x).stop_gradient
    (grad,) = paddle.grad(static(x), x)
    assert grad.tolist() == [1.0, 2.0]


def test_gradients_asked_for_inside_a_function() -> None:
    layer = paddle.nn.Linear(3, 3)

    def penalty(x: Any) -> Any:
        (slope,) = paddle.grad(paddle.tanh(layer(x)), [x], create_graph=True)
        return (slope * slope).sum()

    def constant(x: Any) -> Any:
        y = (x * x * x).sum()
        slope, none = paddle.grad([y], [x, layer.bias], allow_unused=True)
        assert none is None
        return (slope * x).sum()

    for function in (penalty, constant):
        found = []
        for run in (function, paddle.jit.to_static(function, full_graph=True)):
            x = paddle.to_tensor([[0.5, -1.0, 2.0]], stop_gradient=False)
            layer.clear_gradients()
            value = run(x)
            value.backward()
            grads = [x.grad] if function is constant else [x.grad, layer.weight.grad]
            found.append([each.numpy() for each in (value, *grads)])
        for dynamic, traced in zip(*found, strict=True):
            np.testing.assert_allclose(traced, dynamic, rtol=1e-5)
    wrong = paddle.jit.to_static(lambda x: paddle.grad(x * 2, [layer.bias]), full_graph=True)
    with pytest.raises(ValueError, match="allow_unused"):
        wrong(x)


def test_the_number_of_elements_is_an_int_inside_a_function() -> None:
    mean = paddle.jit.to_static(lambda x: x.sum() / x.size, full_graph=True)
    assert mean(paddle.ones([2, 3])).item() == 1.0
    x = paddle.to_tensor([2.0, 4.0])
    spec = [paddle.static.InputSpec([None], "float32")]
    assert paddle.jit.to_static(lambda x: x * x.size, spec, full_graph=True)(x).tolist() == [4, 8]


def test_a_second_gradient_is_refused() -> None:
    square = paddle.jit.to_static(lambda x: x * x)
    x = paddle.to_tensor(3.0, stop_gradient=False)
    with pytest.raises(OSError, match="second gradient"):
        paddle.grad(square(x), x, create_graph=True)


def test_a_recording_shows_the_ops_of_the_function() -> None:
    square = paddle.jit.to_static(lambda x: paddle.tanh(x) * x)
    square(paddle.ones([2]))
    with viz.record() as trace:
        square(paddle.ones([2]))
    assert [step.kind for step in trace.steps] == ["op"] * 3  # ones, tanh and the product


def test_methods_switches_and_the_way_back() -> None:
    class Scale:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @paddle.jit.to_static
        def __call__(self, x: Any) -> Any:
            return x * self.factor

    x = paddle.ones([1])
    assert (Scale(2.0)(x).item(), Scale(3.0)(x).item()) == (2.0, 3.0)
    net = nn.Linear(1, 1)
    plain = net.forward
    static = paddle.jit.to_static(net)
    assert static is net
    net.forward.eval()
    assert not net.training
    net.forward.train()
    assert net.training
    assert paddle.jit.to_static(static.forward) is static.forward
    paddle.jit.enable_to_static(False)
    try:
        net(x)
        assert not net.forward.runners
    finally:
        paddle.jit.enable_to_static(True)
    net(x)
    assert net.forward.runners
    net.forward.rollback()
    assert net.forward == plain


def twice(x: Any) -> Any:
    y = x * 2.0
    return y, y


def grown(x: Any) -> Any:
    y = x * 2.0
    y.add_(paddle.ones([2]))
    return y


def named(tmp_0: Any, y: Any) -> Any:
    return (tmp_0 + 1.0) * tmp_0 - y


def test_results_arguments_and_tensors_keep_apart() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    a, b = paddle.jit.to_static(twice)(x)
    (a + 10.0 * b).sum().backward()  # one Variable, returned twice
    assert x.grad.tolist() == [22.0, 22.0]
    with pytest.warns(UserWarning, match="in place"):
        assert paddle.jit.to_static(grown)(x).tolist() == [3.0, 5.0]
    specs = [paddle.static.InputSpec([None], "float32", name) for name in ("tmp_0", "tmp_0")]
    y = paddle.to_tensor([5.0, 5.0])
    static = paddle.jit.to_static(named, input_spec=specs, full_graph=True)
    result = static(x, y)
    assert result.tolist() == [-3.0, 1.0]
    assert not result.stop_gradient
    call = paddle.jit.to_static(lambda x, function: function(x), full_graph=True)
    for factor in (2.0, 3.0, 4.0):  # functions that are gone when the next one is made
        assert call(x, lambda t, k=factor: t * k).tolist() == [factor, 2 * factor]


def test_an_unknown_size_is_not_read() -> None:
    spec = paddle.static.InputSpec([None, 2], "float32", "x")

    def mean(x: Any) -> Any:
        return x.sum() / x.shape[0]

    x = paddle.ones([4, 2])
    with pytest.warns(UserWarning, match="unknown"):
        assert paddle.jit.to_static(mean, input_spec=[spec])(x).item() == 2.0
    whole = paddle.jit.to_static(mean, input_spec=[spec], full_graph=True)
    with pytest.raises(MinipaddleError, match="unknown"):
        whole(x)


class Parts(nn.Layer):
    """A layer with a plain value, a part and a Tensor that may come later."""

    def __init__(self) -> None:
        super().__init__()
        self.factor, self.mask = 1.0, None
        self.inner = nn.Sequential(nn.ReLU())

    def forward(self, x: Any) -> Any:
        y = self.inner(x) * self.factor
        return y if self.mask is None else y * self.mask


def test_changes_of_a_layer_are_noticed() -> None:
    net = Parts()
    static = paddle.jit.to_static(net, full_graph=True)
    x = paddle.to_tensor([-1.0, 2.0])
    assert static(x).tolist() == [0.0, 2.0]
    net.factor = 5.0
    assert static(x).tolist() == [0.0, 10.0]
    net.mask = paddle.full([2], 2.0)
    assert static(x).tolist() == [0.0, 20.0]
    net.inner[0] = nn.Identity()
    assert static(x).tolist() == [-10.0, 20.0]
    twin = copy.deepcopy(static)
    twin.factor = 1.0
    assert (twin(x).tolist(), static(x).tolist()) == ([-2.0, 4.0], [-10.0, 20.0])


def test_a_layer_with_a_decorated_method_is_freed() -> None:
    class Method(nn.Layer):
        @paddle.jit.to_static
        def forward(self, x: Any) -> Any:
            return x * 2.0

    net = Method()
    net(paddle.ones([1]))
    assert len(net.forward.runners) == 1
    end = weakref.ref(net)
    del net
    gc.collect()
    assert end() is None


def test_a_wrong_call_leaves_the_function_a_program() -> None:
    product = paddle.jit.to_static(lambda x, y: x @ y)
    with pytest.raises(ValueError, match="matmul"):
        product(paddle.ones([2, 3]), paddle.ones([2, 3]))
    product(paddle.ones([2, 3]), paddle.ones([3, 1]))
    assert sum(map(len, product.runners.values())) == 1
