"""append_backward, gradients and minimize: which operators they add, under which names."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.each import each

from .world import X, data, declared, fresh, run, start, types

pytestmark = pytest.mark.usefixtures("programs")


def network():
    """The mean of a layer of three tanh units over x."""
    hidden = paddle.static.nn.fc(data(), 3, activation="tanh")
    return hidden, paddle.mean(hidden)


def ops(program=None):
    return (program or paddle.static.default_main_program()).global_block().ops


# ----- append_backward ----------------------------------------------------------------------------


def test_pairs_come_in_the_order_of_the_parameters() -> None:
    _, loss = network()
    pairs = paddle.static.append_backward(loss)
    assert [(p.name, g.name) for p, g in pairs] == [
        ("fc_0.w_0", "fc_0.w_0@GRAD"),
        ("fc_0.b_0", "fc_0.b_0@GRAD"),
    ]
    assert all(p.shape == g.shape and p.dtype == g.dtype for p, g in pairs)


def test_callbacks_see_each_gradient_operator() -> None:
    seen = []

    def note(block, context) -> None:
        operator = context.pop("__current_op_desc__")
        assert block.ops[-1] is operator
        seen.append((operator.type, context))

    _, loss = network()
    paddle.static.append_backward(loss, callbacks=[note])
    assert [kind for kind, _ in seen] == [op.type for op in ops() if op.type.endswith("_grad")]
    originals = {grad: name for _, context in seen for grad, name in context.items()}
    assert originals["fc_0.w_0@GRAD"] == "fc_0.w_0"
    with refuses(ValueError, "callable"):
        paddle.static.append_backward(loss, callbacks=[3])


def test_gradient_operators_mirror_the_forward_ones() -> None:
    _, loss = network()
    paddle.static.append_backward(loss)
    assert types(paddle.static.default_main_program()) == [
        "mul",
        "elementwise_add",
        "tanh",
        "reduce_mean",
        "fill_constant",
        "reduce_mean_grad",
        "tanh_grad",
        "elementwise_add_grad",
        "mul_grad",
    ]
    assert [op.attr("op_role") for op in ops()] == [0, 0, 0, 256, 257, 1, 1, 1, 1]
    assert [op.role for op in ops()] == ["forward"] * 3 + ["loss"] + ["backward"] * 5
    tanh_grad, mul_grad = ops()[6], ops()[8]
    assert tanh_grad.forward is ops()[2]
    assert tanh_grad.inputs == {"Out": ["fc_0.tmp_2"], "Out@GRAD": ["fc_0.tmp_2@GRAD"]}
    assert mul_grad.outputs == {"X@GRAD": [], "Y@GRAD": ["fc_0.w_0@GRAD"]}
    assert mul_grad.attr("op_role_var") == ["fc_0.w_0", "fc_0.w_0@GRAD"]


def test_gradients_stand_in_the_order_of_their_names() -> None:
    _, loss = network()
    before = list(loss.block.vars)
    paddle.static.append_backward(loss)
    names = list(loss.block.vars)
    assert names[: len(before)] == before
    assert names[len(before) :] == sorted(names[len(before) :])


def test_labels_have_no_slot_for_a_gradient() -> None:
    label = data("label", [2, 1], "int64")
    loss = paddle.mean(paddle.nn.functional.cross_entropy(paddle.static.nn.fc(data(), 3), label))
    paddle.static.append_backward(loss)
    (made,) = [op for op in ops() if op.type == "softmax_with_cross_entropy_grad"]
    assert sorted(made.inputs) == ["Label", "Loss@GRAD", "Softmax"]
    assert sorted(made.outputs) == ["Logits@GRAD"]


@each(
    ("options", "names"),
    [
        ({"parameter_list": ["fc_0.b_0"]}, ["fc_0.b_0"]),
        ({"no_grad_set": {"fc_0.w_0"}}, ["fc_0.b_0"]),
        ({"no_grad_set": {"fc_0.tmp_1"}}, []),
    ],
)
@fresh()
def test_parameters_can_be_chosen_and_paths_closed(options, names) -> None:
    _, loss = network()
    assert [p.name for p, _ in paddle.static.append_backward(loss, **options)] == names


def test_nothing_to_differentiate_gives_no_pairs_and_no_operators() -> None:
    loss = paddle.mean(data())
    count = len(ops())
    assert paddle.static.append_backward(loss) == []
    assert len(ops()) == count


def test_a_loss_that_is_no_scalar_counts_as_their_sum() -> None:
    hidden, _ = network()
    pairs = paddle.static.append_backward(hidden)
    start()
    value, bias = run(hidden, pairs[1][1])
    np.testing.assert_allclose(bias, (1 - value**2).sum(axis=0), rtol=1e-5)


def test_two_passes_over_one_program_do_not_disturb_each_other() -> None:
    _, loss = network()
    first = paddle.static.append_backward(loss)
    second = paddle.static.append_backward(loss)
    assert [g.name for _, g in second] == ["grad/grad/fc_0.w_0@GRAD", "grad/grad/fc_0.b_0@GRAD"]
    start()
    a, b = run(first[0][1], second[0][1])
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("given", ["loss", None, 3.0])
def test_a_loss_must_be_a_variable(given) -> None:
    with refuses(TypeError, "append_backward()", "'loss'", "expected", "Variable", "to do"):
        paddle.static.append_backward(given)


def test_sets_of_names_are_lists() -> None:
    _, loss = network()
    with refuses(NotImplementedError, "checkpoints are not here", "leave them out"):
        paddle.static.append_backward(loss, checkpoints=[loss])
    with refuses(TypeError, "append_backward()", "'no_grad_set'", "received", "str", "[...]"):
        paddle.static.append_backward(loss, no_grad_set="fc_0.w_0")


# ----- gradients ----------------------------------------------------------------------------------


def test_gradients_that_meet_are_renamed_and_summed() -> None:
    x = data(needs=True)
    y = paddle.square(x) + x * 3.0 + x
    (dx,) = paddle.static.gradients(y, x)
    assert dx.name == "x@GRAD"
    assert types(paddle.static.default_main_program())[4:] == [
        "fill_any_like",
        "elementwise_add_grad",
        "elementwise_add_grad",
        "scale",
        "square_grad",
        "sum",
    ]
    assert ops()[-1].input("X") == [f"x@GRAD@RENAME@block0@{i}" for i in range(3)]
    np.testing.assert_allclose(run(dx)[0], 2 * X + 4, rtol=1e-6)


def test_a_weight_for_each_target() -> None:
    x, w = data(needs=True), data("w")
    (dx,) = paddle.static.gradients([x * x], [x], target_gradients=[w])
    np.testing.assert_allclose(run(dx, x=X, w=X + 1)[0], 2 * X * (X + 1), rtol=1e-6)


def test_several_targets_add_up() -> None:
    x = data(needs=True)
    y = x * 2.0
    (dx,) = paddle.static.gradients([y * y, y], x)
    np.testing.assert_allclose(run(dx)[0], 8 * X + 2, rtol=1e-6)


def test_an_input_without_a_path() -> None:
    x, y = data(needs=True), data("y", needs=True)
    found = paddle.static.gradients(x * 2.0, [x, y])
    assert [grad is None for grad in found] == [False, True]
    assert paddle.static.gradients(x * 2.0, y) == []
    assert paddle.static.gradients(data("stopped") * 2.0, data("stopped")) == []


def test_stop_gradient_closes_a_path() -> None:
    x = data(needs=True)
    hidden = x * 3.0
    hidden.stop_gradient = True
    (dx,) = paddle.static.gradients(hidden * x, x)
    np.testing.assert_allclose(run(dx)[0], 3 * X, rtol=1e-6)


def test_an_unused_output_counts_as_zero() -> None:
    x = data(needs=True)
    first, _ = paddle.split(x, 2, axis=1)
    (dx,) = paddle.static.gradients(first * 2.0, x)
    np.testing.assert_array_equal(run(dx)[0], [[2, 2, 0, 0]] * 2)
    assert types(paddle.static.default_main_program()).count("fill_any_like") == 2


def test_gradients_of_gradients_of_gradients() -> None:
    x = data(needs=True)
    (d1,) = paddle.static.gradients(paddle.tanh(x), x)
    (d2,) = paddle.static.gradients(d1, x)
    (d3,) = paddle.static.gradients(d2, x)
    y = np.tanh(X.astype("float64"))
    one, two, three = run(d1, d2, d3)
    np.testing.assert_allclose(one, 1 - y**2, atol=1e-5)
    np.testing.assert_allclose(two, -2 * y * (1 - y**2), atol=1e-5)
    np.testing.assert_allclose(three, (6 * y**2 - 2) * (1 - y**2), atol=1e-5)


def test_a_penalty_on_a_gradient_trains() -> None:
    x = data(needs=True)
    out = paddle.static.nn.fc(x, 1, activation="tanh")
    (dx,) = paddle.static.gradients(out, x)
    loss = paddle.mean(paddle.square(dx))
    paddle.optimizer.SGD(0.5).minimize(loss)
    executor = start()
    losses = [float(executor.run(feed={"x": X}, fetch_list=[loss])[0]) for _ in range(20)]
    assert losses[-1] < losses[0] / 2


def test_weights_must_fit_their_targets() -> None:
    x = data(needs=True)
    y = x * 2.0
    with refuses(ValueError, "shapes of target and grad are different", "(2, 4)", "(3,)"):
        paddle.static.gradients(y, x, target_gradients=data("w", [3]))
    with refuses(ValueError, "one gradient for each target", "expected", "1", "received", "2"):
        paddle.static.gradients(y, x, target_gradients=[y, y])
    with refuses(ValueError, "'targets' is empty", "to do"):
        paddle.static.gradients([], x)
    with refuses(TypeError, "'inputs'", "Variable", "received", "str"):
        paddle.static.gradients(y, "x")


# ----- minimize -----------------------------------------------------------------------------------


def test_updates_come_in_the_order_of_the_parameters_names() -> None:
    _, loss = network()
    updates, pairs = paddle.optimizer.Adam(0.1).minimize(loss)
    assert [p.name for p, _ in pairs] == ["fc_0.w_0", "fc_0.b_0"]
    assert [op.input("Param") for op in updates] == [["fc_0.b_0"], ["fc_0.w_0"]]
    assert [op.attr("op_namescope") for op in updates] == ["/optimizer/", "/optimizer_1/"]
    assert [op.role for op in updates] == ["optimize"] * 2
    first = updates[0]
    assert first.input("Moment1") == first.output("Moment1Out") == ["fc_0.b_0_moment1_0"]
    assert first.attr("op_role_var") == ["fc_0.b_0", "fc_0.b_0@GRAD"]


def test_training_equals_training_in_eager_mode() -> None:
    _, loss = network()
    paddle.optimizer.Adam(0.1).minimize(loss)
    executor = start()
    static = [executor.run(feed={"x": X}, fetch_list=[loss])[0] for _ in range(5)]
    paddle.disable_static()
    paddle.seed(1)
    layer = paddle.nn.Linear(4, 3)
    optimizer = paddle.optimizer.Adam(0.1, parameters=layer.parameters())
    for expected in static:
        eager = paddle.mean(paddle.tanh(layer(paddle.to_tensor(X))))
        np.testing.assert_allclose(eager.numpy(), expected, rtol=1e-6)
        eager.backward()
        optimizer.step()
        optimizer.clear_grad()


def test_weight_decay_is_added_to_the_gradient_by_operators() -> None:
    out, loss = network()
    paddle.optimizer.SGD(0.5, weight_decay=0.25).minimize(loss)
    last = types(paddle.static.default_main_program())[-6:]
    assert last == ["scale", "sum", "scale", "sum", "sgd", "sgd"]
    executor = start()
    weight = np.array(paddle.static.global_scope().find_var("fc_0.w_0").get_tensor())
    grad, hidden = executor.run(feed={"x": X}, fetch_list=["fc_0.w_0@GRAD", out])
    after = np.array(paddle.static.global_scope().find_var("fc_0.w_0").get_tensor())
    np.testing.assert_allclose(after, weight - 0.5 * grad, rtol=1e-5)
    of_loss = X.T @ ((1 - hidden**2) / hidden.size)
    np.testing.assert_allclose(grad, of_loss + 0.25 * weight, rtol=1e-4, atol=1e-6)


def test_a_parameter_can_learn_at_its_own_rate() -> None:
    attr = paddle.ParamAttr(learning_rate=0.0)
    loss = paddle.mean(paddle.static.nn.fc(data(), 3, weight_attr=attr))
    paddle.optimizer.SGD(0.5).minimize(loss)
    executor = start()
    before = run("fc_0.w_0")[0]
    executor.run(feed={"x": X})
    np.testing.assert_array_equal(run("fc_0.w_0")[0], before)


def test_a_view_of_a_weight_keeps_the_value_it_had_when_it_was_made() -> None:
    x = data()
    weight = paddle.static.create_parameter([4, 3], "float32", name="w")
    view = paddle.transpose(weight, [1, 0])
    paddle.optimizer.SGD(0.5).minimize(paddle.mean(x @ weight))
    executor = start()
    before = np.array(paddle.static.global_scope().find_var("w").get_tensor())
    (value,) = executor.run(feed={"x": X}, fetch_list=[view])
    np.testing.assert_array_equal(value, before.T)


def test_declared_variables_take_part_in_gradients() -> None:
    out = declared()
    x = data(needs=True)
    paddle.static.py_func(lambda x: np.array(x) * 2, x, out, lambda x, o, do: np.array(do) * 2)
    (dx,) = paddle.static.gradients(out * 3.0, x)
    np.testing.assert_array_equal(run(dx)[0], np.full([2, 4], 6.0))
