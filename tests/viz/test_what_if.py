"""A changed trace equals a run with the changed numbers, or says what it cannot follow."""

# ruff: noqa: F841  (what is assigned here gives tensors their names)

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from tests.each import each
from tests.static.world import fresh
from viz.document.history import values_of
from viz.whatif.numbers import array_of

from .trainings import descend

F = paddle.nn.functional
Changes = Mapping[Any, Any]
OPTIMIZERS = (
    *("SGD", "Momentum", "Adam", "AdamW", "Adagrad", "Adadelta", "RMSProp", "Adamax", "Lamb"),
    *("NAdam", "RAdam", "ASGD", "Rprop"),
)
CLIPS: tuple[Callable[[], Any], ...] = (
    lambda: paddle.nn.ClipGradByGlobalNorm(0.05),
    lambda: paddle.nn.ClipGradByNorm(0.05),
    lambda: paddle.nn.ClipGradByValue(0.01),
)


def numbers(*shape: int) -> Any:
    return np.random.default_rng(0).standard_normal(shape).astype("float32")


def agree(build: Callable[[Changes], viz.Trace], changes: Changes) -> viz.Trace:
    """Check that a changed trace equals a recorded run with the changes; return it."""
    changed, real = build({}).what_if(changes), build(changes)
    kinds = [[type(event) for event in trace.events] for trace in (changed, real)]
    assert kinds[0] == kinds[1]
    for one, two in zip(changed.events, real.events, strict=True):
        assert getattr(one, "rate", 0.0) == pytest.approx(getattr(two, "rate", 0.0))
        for value, wanted in zip(values_of(one), values_of(two), strict=True):
            assert "stale" not in value.data, one
            near(value, wanted)
    for one, two in zip(changed.rounds, real.rounds, strict=True):
        assert one.loss == pytest.approx(two.loss, rel=1e-4)
        for ours, theirs in zip(one.sizes, two.sizes, strict=True):
            assert ours[0] == theirs[0]
            assert ours[1:] == pytest.approx(theirs[1:], rel=1e-3)
    return changed


def near(value: Any, wanted: Any) -> None:
    ours, theirs = array_of(value), array_of(wanted)
    if theirs is None:
        for name in ("mean", "std"):
            assert value.data["stats"][name] == pytest.approx(wanted.data["stats"][name], rel=1e-3)
        return
    assert ours.shape == theirs.shape
    size = float(np.sqrt(np.mean(np.square(theirs)))) if theirs.size else 0.0
    np.testing.assert_allclose(ours, theirs, 1e-4, 1e-4 * size + 1e-12)


def trained(net: Any, optimizer: Any, x: Any, labels: list[int]) -> viz.Trace:
    """Record two rounds of training a classifier."""
    targets = paddle.to_tensor(labels)
    return descend(optimizer, lambda _: F.cross_entropy(net(x), targets), 2)


def mlp(changes: Changes, kind: str = "Adam", rate: float = 0.1, **options: Any) -> viz.Trace:
    paddle.seed(0)
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 3))
    if "net.0.weight" in changes:
        net[0].weight.set_value(changes["net.0.weight"])
    if "lr" in changes:
        rate = changes["lr"]
    optimizer = getattr(paddle.optimizer, kind)(rate, parameters=net.parameters(), **options)
    return trained(net, optimizer, paddle.rand([3, 4]), [0, 1, 2])


# ----- networks ----------------------------------------------------------------------------------


@each("clip", CLIPS)
def test_clipping_and_penalties_follow(clip: Callable[[], Any]) -> None:
    options = {"grad_clip": clip(), "weight_decay": paddle.regularizer.L1Decay(0.01)}
    agree(lambda changes: mlp(changes, "Momentum", **options), {"net.0.weight": numbers(4, 8)})


def test_an_optimizer_that_ran_before_the_recording_goes_on() -> None:
    def build(changes: Changes) -> viz.Trace:
        w = paddle.to_tensor(numbers(3), stop_gradient=False)
        adam = paddle.optimizer.Adam(0.1, parameters=[w])
        (w * w).sum().backward()
        adam.step()
        adam.clear_grad()
        x = paddle.to_tensor(changes.get("x", np.ones(3, "float32")))
        return descend(adam, lambda _: (w * x).sum() ** 2, 2)

    agree(build, {"x": numbers(3)})


def test_convolution_batch_norm_and_the_mask_of_dropout_follow() -> None:
    def build(changes: Changes) -> viz.Trace:
        paddle.seed(0)
        parts = paddle.nn.Conv2D(1, 4, 3, padding=1), paddle.nn.BatchNorm2D(4), paddle.nn.ReLU()
        more = paddle.nn.MaxPool2D(2), paddle.nn.Flatten(), paddle.nn.Dropout(0.3)
        net = paddle.nn.Sequential(*parts, *more, paddle.nn.Linear(64, 10))
        if changes:
            net[0].weight.set_value(changes["net.0.weight"])
        adam = paddle.optimizer.Adam(0.01, parameters=net.parameters())
        return trained(net, adam, paddle.rand([2, 1, 8, 8]), [0, 1])

    agree(build, {"net.0.weight": numbers(4, 1, 3, 3)})


def test_large_weights_are_stored_whole_and_can_be_followed(tmp_path: Path) -> None:
    def build(changes: Changes) -> viz.Trace:
        paddle.seed(0)
        net = paddle.nn.Sequential(paddle.nn.Linear(90, 60), paddle.nn.Linear(60, 3))
        if changes:
            net[0].bias.set_value(changes["net.0.bias"])
        adam = paddle.optimizer.Adam(0.01, parameters=net.parameters())
        trace = trained(net, adam, paddle.rand([3, 90]), [0, 1, 2])
        return viz.load(trace.save(tmp_path / "trace.json"))

    changed = agree(build, {"net.0.bias": numbers(60)})
    assert sum("whole" in entry for entry in changed.document["values"]) == 1  # only the weight


def test_random_large_batches_are_stored_whole() -> None:
    b = paddle.to_tensor([1.0])
    with viz.record() as trace:
        loss = (paddle.rand([100, 50]) * b).sum()
    changed = trace.what_if({"b": [3.0]})
    assert changed.stale() == {}
    assert float(array_of(changed.events[-1].outputs[0].value)) == pytest.approx(3 * float(loss))


def test_results_of_arrays_that_were_not_stored_say_so() -> None:
    w = paddle.to_tensor(np.ones((600, 600), "float32"))
    x = paddle.to_tensor(np.ones((1, 600), "float32"))
    with viz.record() as trace:
        y = x @ w
        z = y.sum()
    changed = trace.what_if({("x", (0, 0)): 2.0})
    why = "it follows from an array that was too large to be kept"
    assert changed.stale() == {"y": why, "z": why}
    assert array_of(changed.events[-1].outputs[0].value) == z.numpy()
    assert trace.what_if({"x": np.zeros((1, 600)), "w": w}).stale() == {}


# ----- dependences outside of ops ----------------------------------------------------------------


def handwritten_updates(w: Any) -> None:
    d = paddle.to_tensor([0.3, 0.7])
    for _ in range(2):
        for _ in range(2):
            ((w * d).sum() ** 2).backward()
        with paddle.no_grad():
            w.set_value(w - 0.1 * w.grad)
        w.clear_grad()
        (g,) = paddle.grad((w * d).sum() ** 2, w)
        with paddle.no_grad():
            w.subtract_(0.1 * g)


def changed_in_place(w: Any) -> None:
    """The gradient of a leaf that changed in place is still its own."""
    (w * w).sum().backward()
    with paddle.no_grad():
        w.tanh_()
    (w * 3.0).sum().backward()


def detached_tensors_and_views(w: Any) -> None:
    y = w * 2.0
    part = y[:1]
    part.tanh_()
    copy = paddle.to_tensor(y.detach())
    (y * copy).sum().backward()


def second_derivatives(w: Any) -> None:
    (g,) = paddle.grad(paddle.tanh(w).sum(), w, create_graph=True)
    (g * g).sum().backward()


@each(
    "work", [handwritten_updates, changed_in_place, detached_tensors_and_views, second_derivatives]
)
def test_dependences_outside_of_ops_follow(work: Callable[[Any], None]) -> None:
    def build(changes: Changes) -> viz.Trace:
        w = paddle.to_tensor(changes.get("w", numbers(2)), stop_gradient=False)
        with viz.record() as trace:
            work(w)
        return trace

    agree(build, {"w": np.array([0.5, -1.0], "float32")})


def test_the_gradient_that_backward_begins_with_follows() -> None:
    def build(changes: Changes) -> viz.Trace:
        x = paddle.to_tensor(0.5, stop_gradient=False)
        with viz.record() as trace:
            y = paddle.tanh(x)
            (g,) = paddle.grad(y, x, paddle.to_tensor(changes.get("dy", 1.0)), create_graph=True)
            (g * g).backward()
        return trace

    agree(build, {"dy": 3.0})


def test_hooks_made_of_ops_follow_and_others_are_stale() -> None:
    def build(changes: Changes, hook: Any = paddle.tanh) -> viz.Trace:
        x = paddle.to_tensor(changes.get("x", 0.5), stop_gradient=False)
        x.register_hook(hook)
        with viz.record() as trace:
            y = x * x
            y.backward()
        return trace

    agree(build, {"x": 0.3})
    by_numpy = build({}, lambda g: paddle.to_tensor(np.tanh(g.numpy()))).what_if({"x": 0.3})
    assert by_numpy.stale() == {"x.grad": "a hook made it in Python"}
    assert "hook" in by_numpy.stale("zh")["x.grad"]


def test_values_that_python_wrote_are_stale_only_after_a_change() -> None:
    x, b = paddle.to_tensor([0.5]), paddle.to_tensor([1.0])
    with viz.record() as trace:
        y = x * 2.0
        y.set_value(np.tanh(y.numpy()))
        z = y + b
    assert trace.what_if({"b": [2.0]}).stale() == {}
    changed = trace.what_if({"x": [0.7]})
    assert {"y", "z"} < set(changed.stale())  # also the value written over y
    assert array_of(changed.events[-1].outputs[0].value) == z.numpy()


def test_a_gradient_from_before_the_recording_is_a_leaf() -> None:
    def build(changes: Changes) -> viz.Trace:
        w = paddle.to_tensor(changes.get("w", [0.5, 0.25]), stop_gradient=False)
        (w * paddle.to_tensor(changes.get("w.grad", [2.0, 3.0]))).sum().backward()
        sgd = paddle.optimizer.SGD(0.1, parameters=[w])
        with viz.record() as trace:
            (w * w).sum().backward()
            sgd.step()
            y = w * 2.0
        return trace

    agree(build, {"w": [0.3, 0.6]})
    agree(build, {"w.grad": [5.0, 7.0]})


def test_a_number_that_python_read_is_stale_only_after_a_change_of_it() -> None:
    x, b = paddle.to_tensor([0.3, 0.7]), paddle.to_tensor([1.0, 2.0])
    with viz.record() as trace:
        y = (x * x).sum()
        z = b * float(y)
        c = paddle.clip(b, max=y)
        f = paddle.full([2], y.item())
    assert trace.what_if({"b": [2.0, 3.0]}).stale() == {}
    assert set(trace.what_if({"x": [0.7, 0.9]}).stale()) == {"z", "c", "f"}


def test_a_run_of_a_program_after_a_change_is_stale() -> None:
    x = paddle.to_tensor([0.5])
    executor = paddle.static.Executor()
    with fresh() as (program, _):
        out = paddle.static.data("a", [1]) * 2.0
    with viz.record() as trace:
        y = x * 3.0
        paddle.enable_static()
        (z,) = executor.run(program, feed={"a": y.numpy()}, fetch_list=[out])
    paddle.disable_static()
    assert z.tolist() == [3.0]
    changed = trace.what_if({"x": [1.0]})
    runs = [event for event in changed.events if type(event).__name__ == "OperatorExecuted"]
    values = [value for event in runs for value in values_of(event)]
    assert values
    assert all(value.data["stale"] == "python" for value in values)


def test_random_numbers_stay_as_drawn() -> None:
    p, s = paddle.to_tensor([0.5, 0.5]), paddle.to_tensor([1.0])
    with viz.record() as trace:
        y = paddle.rand([2]) * s
        z = paddle.bernoulli(p)
    state = paddle.get_rng_state()
    assert trace.what_if({"s": [3.0]}).stale() == {}
    assert list(trace.what_if({"p": [0.1, 0.1]}).stale()) == ["z"]
    assert str(paddle.get_rng_state()) == str(state)


def test_results_of_ops_without_inputs_can_be_changed() -> None:
    with viz.record() as trace:
        x = paddle.rand([2])
        loss = (x * paddle.full([2], 0.3)).sum()
    changed = trace.what_if({"x": [0.3, 0.3]})  # the constant itself, not a copy
    assert changed.stale() == {}
    assert array_of(changed.events[-1].outputs[0].value) == pytest.approx(0.18)
    assert changed.what_if({"x": x}).stale() == {}


def test_a_size_that_depends_on_numbers_is_stale() -> None:
    x = paddle.to_tensor([0.5, -0.5])
    with viz.record() as trace:
        y = x[x > 0.0]
        z = y * 2.0
    changed = trace.what_if({"x": [0.5, 0.25]})
    assert set(changed.stale()) >= {"y", "z"}


# ----- names and errors --------------------------------------------------------------------------


def simple() -> viz.Trace:
    w, x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False), paddle.to_tensor([2, 3])
    with viz.record() as trace:
        loss = (w * x.astype("float32")).sum()
        loss.backward()
    return trace


def test_no_changes_give_the_same_trace() -> None:
    trace = mlp({})
    assert trace.what_if({}).dumps() == trace.dumps()
    assert not viz.diff(trace, trace.what_if({}))


def test_the_seed_of_backward_and_single_numbers_have_names() -> None:
    trace = simple()
    changed = trace.what_if({"dloss": 2.0, ("w", (0, 1)): 5.0, ("x", -1): 7})
    leaf = next(event for event in changed.events if type(event).__name__ == "LeafReached")
    assert array_of(leaf.grad).tolist() == [[4.0, 14.0]]
    assert array_of(leaf.tensor.value).tolist() == [[1.0, 5.0]]
    assert "w [0, 1] 2 → 5" in viz.diff(trace, changed).text()


ERRORS = (
    ({"v": 1.0}, ValueError, "nothing in this trace is called 'v'"),
    ({"loss": 1.0}, ValueError, "loss is computed from other values"),
    ({"w": [1.0]}, ValueError, "w has another shape"),
    ({("w", 3): 1.0}, ValueError, "w has no number at this place"),
    ({("w", (0, 2)): 1.0}, ValueError, "w has no number at this place"),
    ({("w", (0, 0)): [1.0]}, ValueError, "there is one number"),
    ({"x": [1.5, 2.0]}, TypeError, "x holds int64"),
    ({"w": "text"}, TypeError, "w holds float32"),
    ({"lr": 0.1}, ValueError, "nothing in this trace is called 'lr'"),
    ([("w", 1.0)], TypeError, "the changes must be a dict"),
)


@each(("changes", "kind", "wrong"), ERRORS)
def test_changes_that_are_impossible_are_refused(changes: Any, kind: Any, wrong: str) -> None:
    with pytest.raises(kind, match=wrong):
        simple().what_if(changes)


def test_wrong_learning_rates_are_an_error() -> None:
    trace = mlp({})
    for rate in ("fast", True):
        with pytest.raises(TypeError, match="a learning rate must be a number"):
            trace.what_if({"lr": rate})
    with pytest.raises(ValueError, match="there is no such round"):
        trace.what_if({("lr", 2): 0.1})


def test_a_place_in_an_array_that_was_not_stored_is_an_error() -> None:
    x = paddle.to_tensor(np.ones((600, 600), "float32"))
    with viz.record() as trace:
        x.sum()
    with pytest.raises(ValueError, match="too large to be in the recording"):
        trace.what_if({("x", (0, 0)): 1.0})


def test_values_that_the_engine_rejects_raise_its_error() -> None:
    table, index = paddle.to_tensor(numbers(3, 2)), paddle.to_tensor([0, 2])
    with viz.record() as trace:
        F.embedding(index, table)
    with pytest.raises(ValueError, match=r"embedding\(\): .* outside the table"):
        trace.what_if({("index", 0): 5})


# ----- records for changes -----------------------------------------------------------------------


def test_a_changed_trace_is_saved_and_loaded_with_its_stale_values(tmp_path: Path) -> None:
    x = paddle.to_tensor([0.5])
    with viz.record() as trace:
        y = x * 2.0
        y.set_value(np.tanh(y.numpy()))
    changed = trace.what_if({"x": [0.7]})
    again = viz.load(changed.save(tmp_path / "trace.json"))
    assert again.stale() == changed.stale() != {}
    assert changed.text()
    assert again.what_if({}).stale() == {}


@each("part", [{"stale": "magic"}, {"whole": "AAAA"}, {"whole": "?"}])
def test_damaged_entries_are_refused(part: dict[str, str]) -> None:
    document = simple().document
    entry = {**document["values"][0], **part}
    with pytest.raises(ValueError, match=f"values.0..{next(iter(part))} is wrong"):
        viz.Trace({**document, "values": [entry, *document["values"][1:]]})


def test_an_older_trace_says_that_updates_are_not_known() -> None:
    document = mlp({}, "SGD").document
    rows = [{k: v for k, v in row.items() if k != "follows"} for row in document["events"]]
    changed = viz.Trace({**document, "events": rows}).what_if({"net.0.weight": numbers(4, 8)})
    assert "net.0.weight" in changed.stale()


@each("clip", [paddle.nn.utils.clip_grad_norm_, paddle.nn.utils.clip_grad_value_])
def test_clipping_by_function_follows_also_if_it_clipped_nothing(clip: Any) -> None:
    def build(changes: Changes) -> viz.Trace:
        w = paddle.to_tensor(changes.get("w", np.array([0.1, 0.2], "float32")), stop_gradient=False)
        sgd = paddle.optimizer.SGD(0.1, parameters=[w])
        with viz.record() as trace:
            for _ in range(2):
                loss = (w * w).sum()
                loss.backward()
                clip([w], 1.0)
                sgd.step()
                sgd.clear_grad()
        return trace

    agree(build, {"w": np.array([3.0, 4.0], "float32")})


def test_a_gradient_that_was_zero_may_have_been_cleared_or_not() -> None:
    w, x = paddle.to_tensor([1.0], stop_gradient=False), paddle.to_tensor([0.0])
    with viz.record() as trace:
        (w * x).backward()
        (w * 2.0).backward()
    assert list(trace.what_if({"x": [3.0]}).stale()) == ["w.grad"]  # 5, or 2 after clear_grad()


def test_an_unknown_clip_makes_all_parameters_stale() -> None:
    class Mine(paddle.nn.ClipGradByGlobalNorm):
        pass

    v, w = (paddle.to_tensor([1.0], stop_gradient=False) for _ in range(2))
    sgd = paddle.optimizer.SGD(0.1, parameters=[v, w], grad_clip=Mine(0.5))
    x = paddle.to_tensor([3.0])
    with viz.record() as trace:
        (v * x + w * 2.0).backward()
        sgd.step()
        y = v + w
    assert set(trace.what_if({"x": [5.0]}).stale()) == {"v", "w", "y"}


@each("kind", OPTIMIZERS, quick=5)
def test_a_single_round_knows_the_rules_of_the_recording(kind: str) -> None:
    trace = batches({}, kind)
    changed = trace.what_if({"x#3": numbers(3, 4)})
    alone = trace.round(2).what_if({"x": numbers(3, 4)})
    assert alone.stale() == {}
    assert alone.rounds == ()
    for one, two in zip(changed.round(2).events, alone.events, strict=True):
        for value, wanted in zip(values_of(one), values_of(two), strict=True):
            near(value, wanted)


def batches(changes: Changes, kind: str = "Adam") -> viz.Trace:
    """Record rounds with their own batches, whose gradients accumulate over two rounds."""
    paddle.seed(0)
    net = paddle.nn.Linear(4, 3)
    optimizer = getattr(paddle.optimizer, kind)(0.1, parameters=net.parameters())
    arrays = [numbers(3, 4) * (number + 1) for number in range(4)]
    with viz.record() as trace:
        for number, array in enumerate(arrays):
            if ("lr", number) in changes:
                optimizer.set_lr(changes["lr", number])
            name = f"x#{number + 1}" if number else "x"
            x = paddle.to_tensor(changes.get(name, array))
            loss = F.cross_entropy(net(x), paddle.to_tensor([0, 1, 2]))
            loss.backward()
            optimizer.step()
            optimizer.set_lr(0.1)
            if number != 1:
                optimizer.clear_grad()
    return trace


@each("kind", OPTIMIZERS, quick=5)
def test_the_rate_and_the_batch_of_one_round_follow_in_all_later_ones(kind: str) -> None:
    agree(lambda changes: batches(changes, kind), {("lr", 1): 0.5, "x#2": numbers(3, 4) * 0.3})


def test_a_round_after_dropped_rounds_is_stale_rather_than_wrong() -> None:
    paddle.seed(0)
    w = paddle.to_tensor(numbers(3), stop_gradient=False)
    adam = paddle.optimizer.Adam(0.1, parameters=[w])
    with viz.record(rounds=[0, 2]) as trace:
        for number in range(3):
            x = paddle.to_tensor(numbers(3) * (number + 1))
            loss = ((w * x).sum() - 1.0) ** 2
            loss.backward()
            adam.step()
            adam.clear_grad()
    assert "w" in trace.round(2).what_if({("x", 0): 2.0}).stale()


def test_results_of_work_that_was_left_out_are_stale() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with viz.record(skip="tanh") as trace:
        y = x * 2.0
        z = paddle.tanh(y) * 3.0
    assert "z" in trace.what_if({"x": [3.0, 4.0]}).stale()
