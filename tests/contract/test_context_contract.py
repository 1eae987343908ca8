"""The rules of PyLayerContext: saving, the two marks, and materialized gradients."""

import numpy as np
import pytest

from tests.each import each

from ..samples import leaf, pylayer
from .refusal import refuses


def context_after_forward():
    """Return the context of a layer whose forward has ended."""
    contexts = []

    def forward(ctx, x):
        contexts.append(ctx)
        return x * 2

    pylayer(forward).apply(leaf(1.0))
    return contexts[0]


# ----- save_for_backward and saved_tensor -----


def test_saved_tensors_arrive_in_order_and_are_the_same_objects():
    def forward(ctx, x):
        y = x * 2
        made.append(y)
        ctx.save_for_backward(x, y)
        return y

    def backward(ctx, dy):
        got.extend(ctx.saved_tensor())
        return dy * got[0] + dy * got[1]

    made, got = [], []
    x = leaf(3.0)
    pylayer(forward, backward).apply(x).backward()
    assert got[0] is x
    assert got[1].numpy() == pytest.approx([6.0])
    assert x.grad.numpy() == pytest.approx([9.0])


def test_saved_tensors_are_a_tuple_that_unpacks_like_a_list():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        kinds.append(type(ctx.saved_tensor()))
        return x * 2

    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        kinds.append(type(ctx.saved_tensor()))
        return dy * x

    kinds = []
    x = leaf(3.0)
    pylayer(forward, backward).apply(x).backward()
    assert kinds == [tuple, tuple]
    assert x.grad.numpy() == pytest.approx([3.0])


def test_saved_tensor_returns_none_if_nothing_was_saved():
    def backward(ctx, dy):
        seen.append(ctx.saved_tensor())
        return dy

    seen = []
    pylayer(lambda ctx, x: x * 2, backward).apply(leaf(1.0)).backward()
    assert seen == [None]


def test_save_for_backward_returns_none():
    def forward(ctx, x):
        seen.append(ctx.save_for_backward(x))
        return x * 2

    seen = []
    pylayer(forward).apply(leaf(1.0))
    assert seen == [None]


def test_save_for_backward_is_called_at_most_once():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_backward(x)
        return x * 2

    with refuses(RuntimeError, "save_for_backward", "Twice", "at most one", "received"):
        pylayer(forward, name="Twice").apply(leaf(1.0))


def test_save_for_backward_after_forward_is_an_error():
    with refuses(RuntimeError, "save_for_backward", "forward"):
        context_after_forward().save_for_backward(leaf(1.0))


def test_save_for_backward_inside_backward_is_an_error():
    def backward(ctx, dy):
        ctx.save_for_backward(dy)
        return dy

    y = pylayer(lambda ctx, x: x * 2, backward).apply(leaf(1.0))
    with refuses(OSError, "save_for_backward", "forward"):
        y.backward()


def test_a_saved_tensor_that_was_changed_in_place_is_an_error():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    def backward(ctx, dy):
        return dy * ctx.saved_tensor()[0]

    h = leaf(1.0, 2.0) * 1
    y = pylayer(forward, backward, "Saves").apply(h)
    h.scale_(3.0)
    with refuses((RuntimeError, OSError), "in place", "Saves"):
        y.sum().backward()


def test_saved_values_of_a_freed_graph_are_an_error():
    def forward(ctx, x):
        contexts.append(ctx)
        ctx.save_for_backward(x)
        return x * 2

    contexts = []
    y = pylayer(forward, lambda ctx, dy: dy * ctx.saved_tensor()[0]).apply(leaf(1.0))
    y.backward()
    with refuses(SystemError, "retain_graph=True"):
        y.backward()


def test_attributes_of_the_context_reach_backward():
    def forward(ctx, x, function):
        ctx.function, ctx.note = function, {"factor": 5}
        return x * 2

    def backward(ctx, dy):
        return ctx.function(dy) * ctx.note["factor"]

    x = leaf(1.0)
    pylayer(forward, backward).apply(x, lambda g: g * 3).backward()
    assert x.grad.numpy() == pytest.approx([15.0])


# ----- mark_not_inplace -----


def returns_its_input(ctx, x):
    ctx.mark_not_inplace(x)
    return x


def test_a_marked_input_comes_back_as_a_new_connected_tensor():
    x = leaf(1.0, 2.0)
    y = pylayer(returns_its_input, lambda ctx, dy: dy * 5).apply(x)
    assert y is not x
    assert not y.is_leaf
    assert y.numpy() == pytest.approx([1.0, 2.0])
    y.sum().backward()
    assert x.grad.numpy() == pytest.approx([5.0, 5.0])


def test_a_marked_input_keeps_its_own_history():
    x = leaf(1.0, 2.0)
    h = x * 3
    y = pylayer(returns_its_input, lambda ctx, dy: dy * 5).apply(h)
    h.sum().backward()
    assert x.grad.numpy() == pytest.approx([3.0, 3.0])
    assert y.grad_fn.name() != h.grad_fn.name()
    assert h.inplace_version == 0


def test_a_marked_leaf_stays_a_leaf():
    x = leaf(1.0)
    pylayer(returns_its_input).apply(x)
    assert x.is_leaf


def test_two_inputs_can_be_marked():
    def forward(ctx, a, b):
        ctx.mark_not_inplace(a, b)
        return a, b

    a, b = leaf(1.0), leaf(2.0)
    c, d = pylayer(forward, lambda ctx, dc, dd: (dc * 3, dd * 7)).apply(a, b)
    (c + d).backward()
    assert a.grad.numpy() == pytest.approx([3.0])
    assert b.grad.numpy() == pytest.approx([7.0])


def test_mark_not_inplace_takes_only_inputs():
    def forward(ctx, x):
        y = x * 2
        ctx.mark_not_inplace(y)
        return y

    with refuses(ValueError, "mark_not_inplace", "input", "Marks"):
        pylayer(forward, name="Marks").apply(leaf(1.0))


# ----- mark_non_differentiable -----


def two_outputs(ctx, x):
    a, b = x * 2, x * 3
    ctx.mark_non_differentiable(a)
    return a, b


def test_a_marked_output_needs_no_gradient():
    a, b = pylayer(two_outputs).apply(leaf(1.0))
    assert a.stop_gradient
    assert not b.stop_gradient


@pytest.mark.parametrize("used", [False, True])
def test_backward_still_receives_zeros_for_a_marked_output(used):
    def backward(ctx, da, db):
        received.extend([da.numpy(), db.numpy()])
        return db * 3

    received = []
    x = leaf(1.0, 2.0)
    a, b = pylayer(two_outputs, backward).apply(x)
    loss = b.sum() + (a * 5).sum() if used else b.sum()
    loss.backward()
    np.testing.assert_array_equal(received, [[0.0, 0.0], [1.0, 1.0]])
    assert x.grad.numpy() == pytest.approx([3.0, 3.0])


def test_a_marked_output_is_none_without_materialized_gradients():
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return two_outputs(ctx, x)

    def backward(ctx, da, db):
        received.append(da)
        return db

    received = []
    pylayer(forward, backward).apply(leaf(1.0))[1].backward()
    assert received == [None]


def test_mark_non_differentiable_takes_only_outputs():
    def forward(ctx, x):
        ctx.mark_non_differentiable(x * 5)
        return x * 2

    with refuses(ValueError, "mark_non_differentiable", "output", "Marks"):
        pylayer(forward, name="Marks").apply(leaf(1.0))


# ----- set_materialize_grads -----


def unused_gradient(forward):
    """Return what backward receives for an output that the loss does not use."""
    received = []

    def backward(ctx, da, db):
        received.append(db)
        return da

    pylayer(forward, backward).apply(leaf(1.0, 2.0))[0].sum().backward()
    return received[0]


def test_unused_outputs_get_zeros_by_default():
    zeros = unused_gradient(lambda ctx, x: (x * 2, x.astype("float64").reshape([2, 1])))
    np.testing.assert_array_equal(zeros.numpy(), np.zeros([2, 1]))
    assert zeros.numpy().dtype == np.float64


def test_unused_outputs_get_zeros_when_switched_on():
    def forward(ctx, x):
        ctx.set_materialize_grads(True)
        return x * 2, x * 3

    np.testing.assert_array_equal(unused_gradient(forward).numpy(), [0.0, 0.0])


def test_unused_outputs_get_none_when_switched_off():
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    assert unused_gradient(forward) is None


def test_set_materialize_grads_takes_a_bool():
    def forward(ctx, x):
        ctx.set_materialize_grads("yes")
        return x * 2

    with refuses(TypeError, "set_materialize_grads", "expected", "bool", "received", "str"):
        pylayer(forward).apply(leaf(1.0))


# ----- The marks' place -----


MARKS = {
    "mark_not_inplace": lambda ctx, x: ctx.mark_not_inplace(x),
    "mark_non_differentiable": lambda ctx, x: ctx.mark_non_differentiable(x),
    "set_materialize_grads": lambda ctx, x: ctx.set_materialize_grads(False),
}


@each("name", MARKS)
def test_a_mark_after_forward_is_an_error(name):
    ctx = context_after_forward()
    with refuses(RuntimeError, name, "forward"):
        MARKS[name](ctx, leaf(1.0))


@each("name", MARKS)
def test_a_mark_inside_backward_is_an_error(name):
    def backward(ctx, dy):
        MARKS[name](ctx, dy)
        return dy

    y = pylayer(lambda ctx, x: x * 2, backward).apply(leaf(1.0))
    with refuses(OSError, name, "forward"):
        y.backward()


@pytest.mark.parametrize("name", ["mark_not_inplace", "mark_non_differentiable"])
def test_a_mark_is_set_at_most_once(name):
    def forward(ctx, x):
        y = x * 2
        marked = x if name == "mark_not_inplace" else y
        MARKS[name](ctx, marked)
        MARKS[name](ctx, marked)
        return y

    with refuses(RuntimeError, name, "at most one", "received"):
        pylayer(forward).apply(leaf(1.0))


@pytest.mark.parametrize("name", ["mark_not_inplace", "mark_non_differentiable"])
def test_a_mark_takes_only_tensors(name):
    def forward(ctx, x):
        MARKS[name](ctx, "x")
        return x * 2

    with refuses((TypeError, ValueError), name, "expected", "Tensor", "received", "str"):
        pylayer(forward).apply(leaf(1.0))
