"""The rules of PyLayer: forward, backward, apply, and what they take and return."""

from typing import NamedTuple

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.autograd import PyLayer, PyLayerContext
from tests.each import each

from ..samples import leaf, pylayer
from .refusal import refuses


def close(tensor: paddle.Tensor, *values: float) -> bool:
    return np.allclose(tensor.numpy(), values)


class Product(PyLayer):
    """y = a b, with gradients ten times too large, so that tests see their use."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, dy):
        a, b = ctx.saved_tensor()
        return dy * b * 10, dy * a * 10


def keeps_the_answer(ctx, a, b, answer):
    ctx.answer = answer
    return a + b


# Its backward returns `answer(dy)`.
Returns = pylayer(keeps_the_answer, lambda ctx, dy: ctx.answer(dy), "Returns")


def gradients(answer, second_stops=False):
    """Run `Returns` with an answer, and return both gradients."""
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    b.stop_gradient = second_stops
    Returns.apply(a, b, answer).sum().backward()
    return a.grad, b.grad


# ----- Rule 1: forward and backward -----


def test_forward_and_backward_decide_value_and_gradient():
    a, b = leaf(1.0, 2.0), leaf(3.0, 5.0)
    y = Product.apply(a, b)
    y.sum().backward()
    assert close(y, 3.0, 10.0)
    assert close(a.grad, 30.0, 50.0)
    assert close(b.grad, 10.0, 20.0)


def test_forward_must_be_written():
    class Hollow(PyLayer):
        @staticmethod
        def backward(ctx, dy):
            return dy

    with refuses(NotImplementedError, "Hollow", "forward"):
        Hollow.apply(leaf(1.0))


def test_backward_must_be_written():
    class Hollow(PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    y = Hollow.apply(leaf(1.0))
    with refuses(OSError, "Hollow", "backward") as caught:
        y.backward()
    assert isinstance(caught.value.__cause__, NotImplementedError)


def test_the_first_argument_is_one_context():
    seen = []

    def forward(ctx, x):
        seen.append(ctx)
        return x * 2

    def backward(ctx, dy):
        seen.append(ctx)
        return dy

    Watch = pylayer(forward, backward)
    Watch.apply(leaf(1.0)).backward()
    Watch.apply(leaf(1.0))
    assert all(isinstance(ctx, PyLayerContext) for ctx in seen)
    assert seen[0] is seen[1]
    assert seen[2] is not seen[0]


@each(("value", "name"), [(1.0, "float"), (np.ones(2), "ndarray"), ("dy", "str")])
def test_a_gradient_that_is_no_tensor_is_an_error(value, name):
    with refuses(ValueError, "Returns", "backward", "expected", "Tensor", "received", name):
        gradients(lambda dy: (value, dy))


def test_none_stops_the_gradient_of_an_input_that_needs_one():
    a, b = gradients(lambda dy: (dy, None))
    assert close(a, 1.0, 1.0)
    assert b is None


def test_none_for_an_inner_tensor_leaves_the_other_paths():
    x = leaf(1.0, 2.0)
    h = paddle.exp(x)
    (Returns.apply(h, h, lambda dy: (None, None)) + x * 3).sum().backward()
    assert close(x.grad, 3.0, 3.0)


def test_only_none_means_no_gradient_at_all():
    x = leaf(1.0, 2.0)
    h = paddle.exp(x)
    Returns.apply(h, h, lambda dy: (None, None)).sum().backward()
    assert x.grad is None


# ----- Rule 2: what backward receives -----


def test_backward_receives_one_gradient_for_each_output_in_order():
    received = []

    def backward(ctx, *grads):
        received.extend(g.numpy().tolist() for g in grads)
        return grads[0]

    Three = pylayer(lambda ctx, x: (x * 1, "not a tensor", x * 2, x * 3), backward)
    a, _, b, c = Three.apply(leaf(1.0, 1.0))
    (a * 10 + b * 20 + c * 30).sum().backward()
    assert received == [[10.0, 10.0], [20.0, 20.0], [30.0, 30.0]]


@pytest.mark.parametrize("outputs", [1, 3])
def test_backward_must_take_as_many_gradients_as_there_are_outputs(outputs):
    Two = pylayer(
        lambda ctx, x: tuple(x * n for n in range(1, outputs + 1)), lambda ctx, da, db: da, "Two"
    )
    y = Two.apply(leaf(1.0))[0]
    with refuses(OSError, "Two", "backward") as caught:
        y.backward()
    assert isinstance(caught.value.__cause__, TypeError)


def test_forward_inputs_reach_backward_through_the_context():
    x = leaf(2.0, 3.0)
    Product.apply(x, x).sum().backward()
    assert close(x.grad, 40.0, 60.0)


# ----- Rule 3: what backward returns -----


@pytest.mark.parametrize("container", [tuple, list])
def test_backward_may_return_a_tuple_or_a_list(container):
    a, b = gradients(lambda dy: container([dy * 2, dy * 3]))
    assert close(a, 2.0, 2.0)
    assert close(b, 3.0, 3.0)


@each("wrap", [lambda dy: dy, lambda dy: (dy,), lambda dy: [dy]])
def test_a_single_gradient_needs_no_tuple(wrap):
    One = pylayer(lambda ctx, x: x * 2, lambda ctx, dy: wrap(dy * 7), "One")

    x = leaf(1.0)
    One.apply(x).backward()
    assert close(x.grad, 7.0)


def test_backward_must_return_as_many_gradients_as_tensor_inputs():
    with refuses(ValueError, "Returns", "backward", "expected", "2", "received", "3"):
        gradients(lambda dy: (dy, dy, dy))
    with refuses(ValueError, "Returns", "backward", "expected", "input 1", "received", "fewer"):
        gradients(lambda dy: dy)


def test_a_superfluous_none_is_an_error():
    with refuses(ValueError, "Returns", "expected", "2", "received", "3"):
        gradients(lambda dy: (dy, dy, None))


def test_only_tensor_inputs_take_a_position():
    Mixed = pylayer(
        lambda ctx, text, a, flag, b, function=None: function(a) + b,
        lambda ctx, dy: (dy * 2, dy * 3),
        "Mixed",
    )

    a, b = leaf(1.0), leaf(1.0)
    Mixed.apply("text", a, True, b, function=paddle.tanh).backward()
    assert close(a.grad, 2.0)
    assert close(b.grad, 3.0)


def test_keywords_take_positions_in_the_order_of_the_call():
    a, b = leaf(2.0), leaf(5.0)
    Product.apply(b=b, a=a).backward()
    assert close(b.grad, 50.0)
    assert close(a.grad, 20.0)


def test_a_list_of_tensors_is_one_position():
    Total = pylayer(
        lambda ctx, tensors, factor: (tensors[0] + tensors[1]) * factor,
        lambda ctx, dy: ([dy * 2, dy * 3], None),
        "Total",
    )

    a, b = leaf(1.0), leaf(1.0)
    Total.apply([a, b], paddle.to_tensor([4.0])).backward()
    assert close(a.grad, 2.0)
    assert close(b.grad, 3.0)


def test_a_gradient_has_the_shape_of_its_input():
    with refuses(ValueError, "Returns", "shape", "expected", "[2]", "received", "[3]"):
        gradients(lambda dy: (dy, paddle.ones([3])))


def test_a_gradient_takes_the_dtype_of_its_input():
    Wide = pylayer(lambda ctx, x: x * 2, lambda ctx, dy: dy.astype("float64"), "Wide")

    x = leaf(1.0)
    Wide.apply(x * 3).backward()
    assert x.grad.numpy().dtype == np.float32


# ----- apply -----


def test_apply_takes_positions_and_keywords_of_any_type():
    Any = pylayer(
        lambda ctx, x, power, *more, scale=1, **names: (
            x**power * scale + sum(more) + names["shift"]
        ),
        lambda ctx, dy: dy,
        "Any",
    )

    y = Any.apply(leaf(2.0, 3.0), 2, 10, 20, scale=3, shift=0.5)
    assert close(y, 42.5, 57.5)


def test_wrong_arguments_are_an_ordinary_type_error():
    with refuses(TypeError, "forward"):
        Product.apply(leaf(1.0))
    with refuses(TypeError, "forward", "nonsense"):
        Product.apply(leaf(1.0), leaf(1.0), nonsense=1)


class Pair(NamedTuple):
    first: object
    second: object


@pytest.mark.parametrize("spare", [False, True])
def test_apply_returns_named_tuples(spare):
    def forward(ctx, x):
        if spare:
            ctx.mark_not_inplace(x)
        return Pair(x if spare else x * 1, Pair(x * 2, "word"))

    x = leaf(1.0, 2.0)
    result = pylayer(forward, lambda ctx, first, second: first + second[0] * 2).apply(x)
    assert type(result) is type(result.second) is Pair
    assert result.second.second == "word"
    (result.first + result.second.first).sum().backward()
    assert close(x.grad, 3.0, 3.0)


@pytest.mark.parametrize("container", [tuple, list])
def test_apply_returns_what_forward_returns(container):
    Several = pylayer(
        lambda ctx, x: container([x * 2, 7, None, x.shape]), lambda ctx, dy: dy * 5, "Several"
    )

    x = leaf(1.0, 2.0)
    result = Several.apply(x)
    assert type(result) is container
    assert close(result[0], 2.0, 4.0)
    assert result[1:] == container([7, None, [2]])
    result[0].sum().backward()
    assert close(x.grad, 5.0, 5.0)


@each(
    ("result", "named"),
    [(3, "int"), (None, "None"), ([2, 3], "list"), ((), "tuple"), (np.ones(2), "ndarray")],
)
def test_forward_returns_at_least_one_tensor(result, named):
    Bare = pylayer(lambda ctx, x: result, lambda ctx, dy: dy, "Bare")

    with refuses(ValueError, "Bare", "forward", "expected", "Tensor", "received", named):
        Bare.apply(leaf(1.0))


def test_no_tensor_among_the_inputs_gives_a_result_without_gradient():
    def backward(ctx, dy):
        raise AssertionError("never called")

    y = pylayer(lambda ctx, size: paddle.ones([size]), backward).apply(2)
    assert y.stop_gradient
    (y * 2).sum().backward()


def test_outputs_need_gradients_as_soon_as_one_input_does():
    y = Returns.apply(leaf(1.0), paddle.to_tensor([1.0]), None)
    assert not y.stop_gradient
    assert not y.is_leaf


def test_an_error_in_forward_passes_unchanged():
    mine = KeyError("mine")

    def forward(ctx, x):
        raise mine

    with pytest.raises(KeyError) as caught:
        pylayer(forward).apply(leaf(1.0))
    assert caught.value is mine
    assert paddle.is_grad_enabled()


# ----- Inputs that stop gradients -----


def test_an_input_that_stops_gradients_gets_none():
    a, b = gradients(lambda dy: (dy, None), second_stops=True)
    assert close(a, 1.0, 1.0)
    assert b is None


def test_a_gradient_for_an_input_that_stops_gradients_is_an_error():
    with refuses(ValueError, "Returns", "stop_gradient", "expected", "None", "received", "Tensor"):
        gradients(lambda dy: (dy, dy), second_stops=True)


def test_backward_is_not_run_when_every_input_stops_gradients():
    calls = []
    a, b = paddle.to_tensor([1.0]), paddle.to_tensor([2.0])
    y = Returns.apply(a, b, calls.append)
    y.sum().backward()
    assert y.stop_gradient
    assert calls == []
    assert a.grad is None


def test_backward_is_not_run_for_a_result_made_without_gradients():
    calls = []
    with paddle.no_grad():
        y = Returns.apply(leaf(1.0), leaf(1.0), calls.append)
    y.backward()
    assert y.stop_gradient
    assert calls == []


# ----- Inside, around and again -----


def test_paddle_functions_inside_forward_build_no_graph():
    seen = []

    def forward(ctx, x):
        y = paddle.exp(x)
        seen.extend([paddle.is_grad_enabled(), y.stop_gradient, x.stop_gradient])
        return y

    def backward(ctx, dy):
        seen.append(paddle.is_grad_enabled())
        return dy * 100

    x = leaf(0.0)
    pylayer(forward, backward).apply(x).backward()
    assert seen == [False, True, False, False]
    assert close(x.grad, 100.0)


def test_an_error_in_backward_names_the_layer_and_keeps_its_cause():
    mine = KeyError("mine")

    def backward(ctx, dy):
        raise mine

    y = pylayer(lambda ctx, x: x * 2, backward, "Fails").apply(leaf(1.0))
    with refuses(
        OSError, "Fails", "backward", "KeyError", "mine", "test_pylayer_contract"
    ) as caught:
        y.backward()
    assert caught.value.__cause__ is mine
    assert paddle.is_grad_enabled()


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_interruption_of_backward_passes_unchanged(kind):
    def stop(dy):
        raise kind

    with pytest.raises(kind):
        gradients(stop)
    assert paddle.is_grad_enabled()


def test_a_second_backward_runs_through_a_retained_graph():
    x = leaf(1.0, 2.0)
    y = Product.apply(x, x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert close(x.grad, 40.0, 80.0)


def test_two_losses_share_one_layer():
    x = leaf(1.0, 2.0)
    y = Product.apply(x, x)
    y.sum().backward(retain_graph=True)
    (y * 2).sum().backward()
    assert close(x.grad, 60.0, 120.0)


def test_a_second_backward_through_a_freed_graph_is_an_error():
    y = Product.apply(leaf(1.0), leaf(1.0))
    y.backward()
    with refuses(SystemError, "backward", "retain_graph=True"):
        y.backward()


def test_a_hook_on_the_output_replaces_the_gradient():
    x = leaf(1.0)
    y = Returns.apply(x, x, lambda dy: (dy, dy))
    y.register_hook(lambda g: g * 100)
    y.backward()
    assert close(x.grad, 200.0)


def test_hooks_run_around_backward():
    calls = []
    x = leaf(1.0)
    x.register_hook(lambda g: calls.append("input"))
    y = Returns.apply(x, paddle.ones([1]), lambda dy: calls.append("backward") or (dy, None))
    y.register_hook(lambda g: calls.append("output"))
    y.backward()
    assert calls == ["output", "backward", "input"]


def test_second_derivatives_run_through_backward():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * 3 * x * x

    x = leaf(2.0)
    y = pylayer(forward, backward).apply(x)
    (first,) = paddle.grad(y, [x], create_graph=True)
    (second,) = paddle.grad(first, [x])
    assert close(first, 12.0)
    assert close(second, 12.0)


def test_returning_a_leaf_input_is_an_error():
    with refuses(ValueError, "Same", "leaf", "mark_not_inplace"):
        pylayer(lambda ctx, x: x, name="Same").apply(leaf(1.0))


def test_a_chain_of_layers_multiplies_their_gradients():
    x = leaf(1.0, 2.0)
    y = x
    for _ in range(4):
        y = Returns.apply(y, paddle.zeros([2]), lambda dy: (dy * 3, None))
    y.sum().backward()
    assert close(x.grad, 81.0, 81.0)
