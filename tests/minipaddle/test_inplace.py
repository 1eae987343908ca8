"""In-place changes: values, shared memory, versions, gradients, errors."""

import inspect
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events
from minipaddle.device import to_numpy
from minipaddle.engine import errors
from tests.contract.refusal import refused, refuses
from tests.each import each
from tests.ops.drawing import draw, kernel, sampled, tensors_of
from tests.samples import pylayer, saving


def leaf(*values: Any, stop: bool = False) -> Any:
    made = values[0] if isinstance(values[0], np.ndarray) else list(values)
    return paddle.to_tensor(made, stop_gradient=stop)


def fits(op: Any, sample: Any) -> bool:
    """Say whether the result has the shape of the first input, as in-place forms need."""
    arrays = draw(op, sample)
    return kernel(op, arrays, sample)[0].shape == arrays[0].shape


FORMS = [
    pytest.param(op, sample, id=name)
    for op, sample, name in sampled()
    if op.public and op.public.inplace and fits(op, sample)
]


@each(("op", "sample"), FORMS)
def test_an_in_place_op_equals_the_op(op: Any, sample: Any) -> None:
    """Values and gradients equal those of the op that makes a new tensor."""
    arrays = draw(op, sample)
    x, y = leaf(arrays[0]), leaf(arrays[0])
    others = tensors_of(arrays[1:], stop=True)
    plain = op.call(x * 1, *others, **sample.attrs)
    h = y * 1
    assert getattr(h, f"{op.name}_")(*others, **sample.attrs) is h
    assert h.numpy().tobytes() == plain.numpy().tobytes()
    counts = op.public.changes
    assert h.inplace_version == (counts if isinstance(counts, int) else counts(x, *others))
    assert h.stop_gradient == plain.stop_gradient
    if not plain.stop_gradient:
        seed = paddle.rand(plain.shape, dtype="float64")
        plain.backward(seed)
        h.backward(seed)
        assert y.grad.numpy().tobytes() == x.grad.numpy().tobytes()


# ----- leaves ------------------------------------------------------------------------------------

ON_LEAVES = [
    lambda x: x.add_(x.detach()),
    lambda x: x.scale_(2.0),
    lambda x: x.exp_(),
    lambda x: x.zero_(),
    lambda x: x.fill_(1.0),
    lambda x: x.clip_(0.0, 1.0),
    lambda x: x.pow_(2),
    lambda x: x.uniform_(),
    lambda x: x.__setitem__(0, 1.0),
]


@each("call", ON_LEAVES)
def test_a_leaf_that_needs_a_gradient_is_not_changed(call: Any) -> None:
    x = leaf(1.0, 2.0)
    x.name = "weight"
    with refuses(errors.InvalidArgument, "weight", "with paddle.no_grad():"):
        call(x)
    assert (x.tolist(), x.inplace_version) == ([1.0, 2.0], 0)
    with paddle.no_grad():
        call(x)
    assert (x.inplace_version, x.is_leaf, x.stop_gradient) == (1, True, False)


# ----- set_value, copy_, assign ------------------------------------------------------------------


def shorten_rows(x: Any) -> None:
    row = paddle.to_tensor([0])
    paddle.nn.functional.embedding(row, x, max_norm=0.5)


def clip_gradient(x: Any) -> None:
    x.stop_gradient = False
    (x * 3).sum().backward()
    paddle.nn.utils.clip_grad_norm_([x], 1.0)


def load(x: Any) -> None:
    layer = paddle.nn.Layer()
    layer.register_buffer("x", x)
    layer.set_state_dict({"x": paddle.ones([2, 2])})


OVERWRITTEN: dict[str, Any] = {
    "set_value": lambda x: x.set_value(np.ones((2, 2), "float32")),
    "set_value of a Tensor": lambda x: x.set_value(paddle.ones([2, 2])),
    "copy_": lambda x: x.copy_(paddle.ones([2, 2])),
    "data": lambda x: setattr(x, "data", paddle.ones([2, 2])),
    "data of another shape": lambda x: setattr(x, "data", paddle.ones([3])),
    "initializer": paddle.nn.initializer.Constant(1.0),
    "set_state_dict": load,
    "max_norm": shorten_rows,
    "clip_grad_norm_": clip_gradient,
    "clip_grad_value_": lambda x: (
        (x * 3).sum().backward(),
        paddle.nn.utils.clip_grad_value_([x], 1.0),
    ),
}


@each("way", OVERWRITTEN)
def test_overwritten_values_are_recorded(way: str) -> None:
    """The record is a call whose result is the tensor's next version, without a node."""
    x = paddle.full([2, 2], 5.0)
    x.stop_gradient = not way.startswith("clip")
    heard: list[Any] = []

    def keep(event: Any) -> None:
        if isinstance(event, events.OpFinished) and event.outputs:
            first, last = event.inputs[:1], event.outputs[0]
            if first and getattr(first[0], "id", 0) == last.id:
                heard.append((event, to_numpy(last.value.data).copy()))
        nodes.extend([event.call] if isinstance(event, events.GradNodeMade) else [])

    nodes: list[int] = []
    with events.listen(keep):
        OVERWRITTEN[way](x)
    ((event, values),) = heard
    changed = x.grad if way.startswith("clip") else x
    assert values.tolist() == changed.tolist()
    assert event.outputs[0].version == event.inputs[0].version + 1
    assert changed.inplace_version == way.startswith(("data", "max_norm", "clip"))
    assert event.call not in nodes
    assert event.place.file == __file__


def test_set_value_is_no_part_of_the_history() -> None:
    """Also with a listener, gradients of earlier results still arrive."""
    x, y = leaf(1.0, 2.0), leaf(3.0)
    reached: list[int] = []
    with events.listen(lambda e: isinstance(e, events.LeafReached) and reached.append(e.tensor.id)):
        loss = (x * 3).sum() + y
        number = events.number_of(x)
        x.set_value(loss.detach() + x)
        loss.backward()
    assert number in reached
    assert (x.grad.tolist(), x.is_leaf, x.inplace_version) == ([3.0, 3.0], True, 0)


# ----- versions ----------------------------------------------------------------------------------

CHANGES = [
    lambda h: h.add_(paddle.ones([2])),
    lambda h: h.zero_(),
    lambda h: h.__setitem__(0, 1.0),
    lambda h: h.detach().zero_(),
    lambda h: h[0:1].zero_(),
]


@each("change", CHANGES)
@each("named", [False, True])
@each("save", [paddle.square, paddle.exp, lambda h: h * h, lambda h: h**3])
def test_a_saved_value_that_changed_is_noticed(save: Any, named: bool, change: Any) -> None:
    x = leaf(1.0, 2.0)
    h = x * 1
    if named:
        h.name = "hidden"
    y = save(h)
    change(y if save is paddle.exp else h)
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation") as caught:
        y.sum().backward()
    text = str(caught.value)
    assert isinstance(caught.value, errors.PermissionDenied)
    assert "the expected version is 0" in text
    assert "used in gradient computation of" in text
    assert ("'hidden'" in text) == (named and save is not paddle.exp)
    assert x.grad is None


def in_its_memory(ctx: Any, x: Any) -> Any:
    ctx.mark_not_inplace(x)
    return x


Itself = pylayer(in_its_memory)


@each(
    "made",
    [
        lambda h: h.reshape([2, 1]),
        lambda h: h[0:1],
        lambda h: h.unsqueeze(0),
        Itself.apply,
        lambda h: Itself.apply(h).reshape([2]),
    ],
)
@each("changed", [lambda h, v: h, lambda h, v: v, lambda h, v: v.detach()])
@each("earlier", [0, 2])
def test_a_view_that_was_saved_changes_with_its_memory(
    made: Any, changed: Any, earlier: int
) -> None:
    """If the saved tensor is deleted, its memory and its node remain."""
    h = leaf(1.0, 2.0) * 1
    for _ in range(earlier):
        h.scale_(2.0)
    view = made(h)
    y, other = paddle.square(view), changed(h, view)
    del view
    other.zero_()
    versions = f"version is {earlier + 1} but the expected version is {earlier}"
    with pytest.raises(RuntimeError, match=versions):
        y.sum().backward()


@each("outputs", [1, 2])
@each(
    "change",
    [
        lambda y: y.zero_(),
        lambda y: y.detach().zero_(),
        lambda y: y.reshape([1, 2]).zero_(),
        lambda y: y.exp_().scale_(2.0),
        lambda y: y.detach_().zero_(),
    ],
)
def test_an_output_that_a_pylayer_saved_is_noticed(change: Any, outputs: int) -> None:
    def forward(ctx: Any, x: Any) -> Any:
        made = [x * (n + 2) for n in range(outputs)]
        ctx.save_for_backward(made[-1])
        return made[0] if outputs == 1 else tuple(made)

    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[0] * ctx.saved_tensor()[0]

    x = leaf(1.0, 2.0)
    result = pylayer(forward, backward, "Saves").apply(x)
    y = result if outputs == 1 else result[1]
    loss = (y * 1).sum()
    change(y)
    with pytest.raises(RuntimeError, match=r"Saves \(number 0 .* expected version is 0"):
        loss.backward()
    assert x.grad is None


def test_an_op_in_place_may_save_its_output_and_an_input_that_changed_before() -> None:
    x, w = leaf(1.0, 2.0), leaf(1.0, 1.5)
    h, exponents = x * 1, w * 1
    exponents.scale_(2.0)
    h.pow_(exponents)
    h.sum().backward()
    assert x.grad.tolist() == [2.0, 12.0]
    np.testing.assert_allclose(w.grad.numpy(), [0.0, 16 * np.log(2)], rtol=1e-6)


@each("change", CHANGES)
@each("save", [paddle.square, paddle.log, paddle.sin])
def test_a_graph_of_gradients_notices_a_change_after_it(save: Any, change: Any) -> None:
    """Its nodes save the tensors of forward, and notice their changes."""
    x = leaf(1.0, 2.0)
    h = x * 1
    (grad,) = paddle.grad(save(h).sum(), [x], create_graph=True)
    change(h)
    with pytest.raises(RuntimeError, match="version is 1 but the expected version is 0"):
        paddle.grad(grad.sum(), [x])


# ----- shape and dtype ---------------------------------------------------------------------------


@each(
    ("call", "kind"),
    [
        (lambda x: x.add_(paddle.ones([3, 2])), ValueError),
        (lambda x: x.add_(2.0), ValueError),
        (lambda x: x.fill_("a"), TypeError),
        (lambda x: x.copy_(paddle.ones([2, 2])), AssertionError),
        (lambda x: x.copy_(np.ones(2)), ValueError),
        (lambda x: x.set_value(np.ones(3, "float32")), AssertionError),
        (lambda x: x.set_value(np.ones(2)), AssertionError),
        (lambda x: x.set_value(3.0), AssertionError),
        (lambda x: x.fill_diagonal_(1.0), ValueError),
        (lambda x: x.__setitem__(0, "text"), ValueError),
        (lambda x: x.__setitem__(0, None), ValueError),
        (lambda x: x.__setitem__(0, [7.0]), ValueError),
        (lambda x: x.__setitem__(slice(None), np.ones(3)), ValueError),
        (lambda x: x.__setitem__(5, 1.0), IndexError),
    ],
)
def test_a_value_that_does_not_fit_changes_nothing(call: Any, kind: Any) -> None:
    x = leaf(1.0, 2.0, stop=True)
    refused(call, kind, x)
    assert (x.tolist(), x.inplace_version) == ([1.0, 2.0], 0)


def test_another_dtype_moves_the_tensor_to_new_memory() -> None:
    x = leaf(1.0, 2.0, stop=True)
    before = x.detach()
    assert x.add_(paddle.ones([2], "float64")).dtype == paddle.float64
    assert (x.tolist(), before.tolist(), x.inplace_version) == ([2.0, 3.0], [1.0, 2.0], 1)
    assert paddle.to_tensor([0, 1]).exp_().dtype == paddle.float32
    assert leaf(1.5, stop=True).cast_("int32").tolist() == [1]
    h = leaf(1.5, 2.5) * 1
    assert h.cast_("float64").stop_gradient is False


def test_the_error_of_a_changed_value_counts_one_tensors_versions() -> None:
    """A node knows only the sum of the versions that it saved."""
    x = leaf(1.0, 2.0)
    h, other = x * 1, x * 2
    y = (h * h) * other
    h.scale_(2.0)
    h.scale_(2.0)
    with refuses(RuntimeError, "tensor_version:2 != wrapper_version_snapshot:0"):
        y.sum().backward()


Squares = saving(lambda x: x * x, lambda dy, x: 2 * dy * x)


@each("save", [paddle.square, paddle.exp, lambda h: h * h, Squares.apply])
@each("data", [False, True])
def test_the_error_says_which_line_changed_the_tensor(save: Any, data: bool) -> None:
    x = leaf(1.0, 2.0)
    h = paddle.ones([2]) if data else x * 1
    y = x * h if data else save(h)
    changed = y if save is paddle.exp and not data else h
    changed.add_(paddle.ones([2]))
    line = inspect.currentframe().f_lineno - 1
    with pytest.raises(RuntimeError, match="received tensor_version:1 != wrapper_") as caught:
        y.sum().backward()
    for words in (f"test_inplace.py:{line}", "by add", "changed.add_(paddle.ones([2]))"):
        assert words in str(caught.value)


WRITERS: dict[str, Any] = {
    "where": lambda out: paddle.where(paddle.to_tensor([True, False]), 1.0, 2.0, out=out),
    "normal": lambda out: paddle.normal(0.0, 1.0, [2], out=out),
    "zeros": lambda out: paddle.zeros([2], out=out),
}


@each("name", WRITERS)
def test_errors_name_the_function_that_writes_into_out(name: str) -> None:
    x, h = leaf(1.0, 2.0), paddle.ones([2])
    y = x * h
    WRITERS[name](h)
    with refuses(RuntimeError, f"written by {name},"):
        y.sum().backward()
    with refuses(TypeError, f"{name}(): out must be a Tensor"):
        WRITERS[name](h.numpy())


# Changes of values that do not count as in-place changes, in Paddle as here.
UNCOUNTED: dict[str, Any] = {
    "set_value": lambda w: w.set_value(np.float32([5, 7])),
    "set_value of a Tensor": lambda w: w.set_value(paddle.to_tensor([5.0, 7.0])),
    "copy_": lambda w: w.copy_(paddle.to_tensor([5.0, 7.0])),
    "initializer": paddle.nn.initializer.Assign([5.0, 7.0]),
    "detached": lambda w: w.detach().set_value(np.float32([5, 7])),
}


@each("way", UNCOUNTED)
@each("leads", [False, True])
def test_backward_computes_with_values_that_were_set(way: str, leads: bool) -> None:
    """The numbers are those of real Paddle 3.3.1."""
    x, z = leaf(2.0, 3.0), leaf(1.0, 1.0)
    w = x * 1 if leads else x
    y = (w.square() * z).sum()
    UNCOUNTED[way](w)
    y.backward()
    assert (x.grad.tolist(), z.grad.tolist()) == ([10.0, 14.0], [4.0, 9.0])
    assert (w.inplace_version, w.tolist()) == (0, [5.0, 7.0])
