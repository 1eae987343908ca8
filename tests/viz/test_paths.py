"""`viz.paths` writes one element of a gradient as a sum over the paths from the loss."""

import itertools
import math
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument, InvalidType, OutOfRange, Unimplemented
from minipaddle.ops import REGISTRY
from tests.each import each
from tests.ops import drawing
from tests.samples import pylayer
from tests.viz import quality
from viz.draw import paths as paths_picture
from viz.explanation import linear_maps
from viz.layout.scene import scene_of

from ..contract.refusal import refuses
from . import played
from .trainings import descend

LAYERS = 6


def leaf(*shape: int, seed: int = 0, scale: float = 1.0) -> Any:
    values = np.random.default_rng(seed).normal(size=shape) * scale
    return paddle.to_tensor(values, "float64", stop_gradient=False)


def residual() -> tuple[viz.Trace, Any, list[Any]]:
    x, weights = leaf(2), [leaf(2, 2, seed=k + 1) for k in range(LAYERS)]
    with viz.record("residual") as trace:
        h = x
        for w in weights:
            h = h + paddle.tanh(h @ w)
        h.sum().backward()
    return trace, x, weights


def near(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-12 * max(abs(one), abs(other), 1.0)


# ----- the numbers -------------------------------------------------------------------------------


def test_a_chain_of_numbers_has_one_path_whose_factors_are_its_derivatives() -> None:
    x = paddle.to_tensor(0.5, "float64", stop_gradient=False)
    with viz.record() as trace:
        (paddle.exp(paddle.sin(x * -3.0)) * 2.0).backward()
    found = viz.paths(x, trace=trace)
    assert (found.count, found.complete, found.other) == (1, True, 0.0)
    (path,) = found.paths
    expected = [2.0, math.exp(math.sin(-1.5)), math.cos(-1.5), -3.0]
    assert [step.label.en for step in path.steps] == ["× 2", "exp", "sin", "× −3"]
    assert np.allclose(path.factors, expected, 1e-14)
    assert near(path.begins * math.prod(expected), float(x.grad))
    assert near(found.total, found.recorded)


def test_residual_connections_have_a_path_for_each_choice() -> None:
    trace, x, weights = residual()
    found = viz.paths(x, 1, trace, top=1000)
    assert found.count == len(found.paths) == 2**LAYERS
    states = [x.numpy()]
    jacobians = []
    for w in weights:
        y = np.tanh(states[-1] @ w.numpy())
        jacobians.append((1 - y * y)[:, None] * w.numpy().T)
        states.append(states[-1] + y)
    expected = []
    for chosen in itertools.product((False, True), repeat=LAYERS):
        row = np.ones(2)
        for take, jacobian in zip(reversed(chosen), reversed(jacobians), strict=True):
            row = row @ jacobian if take else row
        expected.append(row[1])
    got = [path.contribution for path in found.paths]
    assert np.allclose(sorted(got), sorted(expected), 1e-10, 1e-12)
    assert [abs(number) for number in got] == sorted(map(abs, got), reverse=True)
    assert sorted({len(path.steps) for path in found.paths}) == [
        1 + LAYERS + 2 * tanhs for tanhs in range(LAYERS + 1)
    ]


def test_the_strongest_paths_are_listed_and_the_rest_is_one_number() -> None:
    trace, x, _ = residual()
    whole = viz.paths(x, 0, trace, top=1000)
    found = viz.paths(x, 0, trace, top=3)
    assert [p.contribution for p in found.paths] == [p.contribution for p in whole.paths[:3]]
    assert near(found.other, sum(p.contribution for p in whole.paths[3:]))
    assert "61 paths more" in str(found)


def test_a_dead_unit_has_the_factor_0_and_ends_the_path() -> None:
    x = paddle.to_tensor([-1.0, 2.0], "float64", stop_gradient=False)
    with viz.record() as trace:
        (paddle.nn.functional.relu(x * 2.0) * 3.0).sum().backward()
    (path,) = viz.paths(x, 0, trace).paths
    told = [(step.label.en, step.factor) for step in path.steps]
    assert told == [("sum", None), ("× 3", None), ("relu", 0.0), ("× 2", 2.0)]
    assert (path.begins, path.contribution) == (1.0, 0.0)
    assert "0 arrives  sum" in viz.paths(x, 0, trace).text()


def test_paths_of_opposite_sign_are_reported_to_cancel() -> None:
    x = paddle.to_tensor(1.0, "float64", stop_gradient=False)
    with viz.record() as trace:
        (x * 5.0 - x * 4.5).backward()
    found = viz.paths(x, trace=trace)
    assert "Paths of opposite sign cancel: 5 and −4.5." in found.text()


@each("which", ["leaf", "result", "loss", "asked"])
def test_paths_of_leaf_result_and_loss_add_up_to_their_gradients(which: str) -> None:
    x = leaf(2)
    with viz.record() as trace:
        y = paddle.tanh(x)
        loss = (y * y).sum()
        if which == "asked":
            (asked,) = paddle.grad(loss, y)
        else:
            loss.backward()
    tensor = {"leaf": x, "loss": loss}.get(which, y)
    found = viz.paths(tensor, None if which == "loss" else 1, trace)
    size = 2 * y.numpy()[1]
    expected = {"leaf": size * (1 - y.numpy()[1] ** 2), "loss": 1.0}.get(which, size)
    assert near(found.total, expected)
    assert near(found.recorded, expected)
    assert which != "asked" or near(float(asked[1]), expected)


def test_paths_are_of_the_last_pass_and_report_the_earlier_gradient() -> None:
    x = paddle.to_tensor([2.0], stop_gradient=False)
    with viz.record() as trace:
        (x * 3.0).backward()
        (x * 5.0).backward()
    found = viz.paths(x, 0, trace)
    assert (found.total, found.recorded, found.before) == (5.0, 5.0, 3.0)
    assert "x.grad held 3 there before this pass, which is not in the sum." in found.text()


def test_each_round_has_its_own_paths() -> None:
    w = paddle.to_tensor([1.0], "float64", stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    trace = descend(sgd, lambda _: (w * w).sum(), 3)
    assert near(viz.paths("w", 0, trace).total, 2 * 0.64)
    assert near(trace.round(0).paths("w", 0).total, 2.0)
    told = viz.paths("w", 0, trace)
    assert len(told.text().splitlines()) > 4
    assert told.text().startswith("Round 3 of 3 (turn 2) · w.grad[0] = 1.28: the sum over 2 paths")


# ----- PyLayers and hooks ------------------------------------------------------------------------


Doubles = pylayer(lambda ctx, x: x * 2.0, lambda ctx, dy: dy.detach() * 2.0, "Doubles")


Clips = pylayer(lambda ctx, x: x * 2.0, lambda ctx, dy: (dy * 2.0).clip(-9.0, 9.0), "Clips")


ByNumpy = pylayer(
    lambda ctx, x: x * 2.0, lambda ctx, dy: paddle.to_tensor(dy.numpy() * 2.0), "ByNumpy"
)


@each("layer", [Doubles, Clips, ByNumpy])
def test_paths_lead_through_a_pylayer_whose_backward_is_linear(layer: Any) -> None:
    x = leaf(2)
    with viz.record() as trace:
        (paddle.tanh(layer.apply(x)) + x).sum().backward()
    found = viz.paths(x, 0, trace)
    assert near(found.total, float(x.grad[0]))
    assert found.count == 2
    if layer is Doubles:
        assert not found.opaque
        assert any(str(path).endswith("tanh → Doubles") for path in found.paths)
        return
    why = "is not the sum of what it makes of each" if layer is Clips else "Python computes in it"
    assert why in found.opaque[layer.__name__].en
    assert {path.start.en for path in found.paths} == {layer.__name__, "dloss"}
    assert f"No path leads through {layer.__name__}:" in found.text()


TwoResults = pylayer(
    lambda ctx, x, y: (x * 2.0, y * 5.0), lambda ctx, da, db: (da * 2.0, db * 5.0), "TwoResults"
)


def test_zeros_for_an_unused_result_end_no_path() -> None:
    x = leaf(2)
    with viz.record() as trace:
        a, _ = TwoResults.apply(x, x)
        (a * 3.0).sum().backward()
    found = viz.paths(x, 0, trace)
    assert not found.opaque
    assert [str(path) for path in found.paths] == ["dloss → sum → × 3 → TwoResults"] * 2
    assert found.paths[0].factors == (1.0, 3.0, 2.0)
    assert found.paths[1].contribution == 0.0


def test_hooks_are_boxes_of_paths() -> None:
    x = leaf(2)
    with viz.record() as trace:
        h = x * 3.0
        h.register_hook(lambda grad: grad * 0.5)
        (h + paddle.exp(h)).sum().backward()
    found = viz.paths(x, 0, trace)
    assert all("<lambda>" in str(path) for path in found.paths)
    assert [s.factor for s in found.paths[0].steps if s.label.en == "<lambda>"] == [0.5]
    assert near(found.total, float(x.grad[0]))


def test_a_path_begins_at_a_hook_that_computes_with_numpy() -> None:
    x = leaf(2)
    with viz.record() as trace:
        h = x * 3.0
        h.register_hook(lambda grad: paddle.to_tensor(grad.numpy() * 0.5))
        h.sum().backward()
    found = viz.paths(x, 1, trace)
    assert [str(path) for path in found.paths] == ["<lambda> → × 3"]
    assert near(found.total, 1.5)


def test_a_path_begins_at_an_op_that_was_not_recorded() -> None:
    x = leaf(2)
    with viz.record(skip="tanh") as trace:
        (paddle.tanh(x * 2.0) * 3.0).sum().backward()
    found = viz.paths(x, 0, trace)
    assert near(found.total, float(x.grad[0]))
    assert [str(path) for path in found.paths] == ["… → × 2"]
    assert "No path leads through …: the trace does not have what it computes" in found.text()


# ----- every op ----------------------------------------------------------------------------------


@each("name", sorted(name for name, op in REGISTRY.items() if op.rule), quick=60)
def test_paths_lead_through_every_op(name: str) -> None:
    op = REGISTRY[name]
    if name == "copy_to":
        return  # a trace has only the name of its device
    for sample in op.samples:
        tensors = drawing.tensors_of(drawing.draw(op, sample))
        leaves = [each for each in drawing.flat(tensors) if not each.stop_gradient]
        with viz.record() as trace:
            results = [each for each in drawing.call(op, tensors, sample) if not each.stop_gradient]
            ends = [each.abs() if each.is_complex() else each for each in results]
            seeds = [leaf(*each.shape, seed=k) for k, each in enumerate(ends)]
            if ends:
                paddle.autograd.backward(
                    ends, [s.astype(r.dtype) for s, r in zip(seeds, ends, strict=True)]
                )
        for tensor in leaves:
            if tensor.grad is None or not tensor.size or tensor.is_complex():
                continue
            found = viz.paths(tensor, tuple(size - 1 for size in tensor.shape), trace)
            if "complex" not in str({str(each.dtype) for each in results}):
                assert not found.opaque, (sample, found.opaque)
            assert abs(found.total - found.recorded) <= 1e-9 * max(1.0, abs(found.recorded))


# ----- corruption --------------------------------------------------------------------------------


def test_a_box_that_does_not_reproduce_its_record_is_not_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trace, x, _ = residual()
    real = linear_maps.RuleMap.run
    monkeypatch.setattr(linear_maps.RuleMap, "run", lambda *args: scaled(real(*args), args[0]))
    found = viz.paths(x, 0, trace)
    assert set(found.opaque) == {"tanh"}
    assert near(found.total, found.recorded)


def scaled(row: Any, map: Any) -> Any:
    if map.op.name != "tanh":
        return row
    return [None if each is None else each * 1.5 for each in row]


def test_a_wrong_transpose_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    trace, x, _ = residual()
    real = linear_maps.apply_transposed
    monkeypatch.setattr(
        linear_maps,
        "apply_transposed",
        lambda *args: [g if g is None else g * 1.001 for g in real(*args)],
    )
    assert viz.paths(x, 0, trace).opaque


def test_paths_ignore_the_modes_of_the_caller() -> None:
    trace, x, _ = residual()
    expected = viz.paths(x, 0, trace).text()
    with paddle.no_grad(), viz.record() as inner:
        assert viz.paths(x, 0, trace).text() == expected
    assert not inner.events
    paddle.enable_static()
    static = viz.paths(x, 0, trace).text()
    paddle.disable_static()
    assert static == expected
    assert not paddle.static.default_main_program().global_block().ops


# ----- arguments ---------------------------------------------------------------------------------


def test_the_recording_is_found_among_the_callers_variables() -> None:
    trace, x, _ = residual()
    assert viz.paths(x, 0).text() == trace.paths(x, 0).text() == trace.paths("x", 0).text()
    again = trace.what_if({})
    with refuses(InvalidArgument, "several recordings know 'x'", "received  trace, again"):
        viz.paths("x", 0)
    assert again is not trace


@each(
    ("x", "index", "options", "told"),
    [
        ("nobody", None, {}, "nothing in this trace is called 'nobody'"),
        ("x", None, {}, "x.grad has more than one element"),
        ("x", 2, {}, "OutOfRange: viz.paths(): x.grad has no element at this place"),
        ("x", (0, 0), {}, "an index into shape [2]"),
        ("x", "first", {}, "the index must be whole numbers"),
        (3, 0, {}, "InvalidType: viz.paths(): x must be a Tensor, or the name"),
        ("x", 0, {"top": 0}, "top must be a whole number from 1 on"),
    ],
)
def test_wrong_arguments_of_paths_are_errors(x: Any, index: Any, options: Any, told: str) -> None:
    trace, *_ = residual()
    with pytest.raises((InvalidArgument, InvalidType, OutOfRange)) as error:
        viz.paths(x, index, trace, **options)
    assert told in f"{type(error.value).__name__}: {error.value}"


def test_a_tensor_without_gradient_has_no_paths() -> None:
    x, y, lonely = leaf(2), paddle.ones([2]), leaf(2)
    with viz.record() as trace:
        (x * y).sum().backward()
    with pytest.raises(InvalidType, match="received  a trace"):
        viz.paths(trace, "x")
    with pytest.raises(InvalidArgument, match="this trace does not know the tensor"):
        trace.paths(lonely, 0)
    with pytest.raises(InvalidArgument, match="no backward pass in this trace brought"):
        trace.paths(y, 0)
    with pytest.raises(InvalidArgument, match="no recording in a variable here knows this tensor"):
        viz.paths(lonely, 0)


def test_paths_of_a_program_are_an_error() -> None:
    with pytest.raises(Unimplemented, match="x is a Variable of a Program"):
        played.program().paths("x", 0)


@each(
    ("values", "loss_of", "index", "told"),
    [
        (
            [0.0, 2.0],
            lambda x: paddle.log(x) * x,
            0,
            "between the loss and x there is NaN or infin",
        ),
        (np.ones([600, 1000]), lambda x: x * x, (0, 0), "too large to be in the trace"),
        (np.zeros([0, 3]), lambda x: x * 1.0, None, "x.grad has no elements"),
    ],
)
def test_some_gradients_have_no_paths(values: Any, loss_of: Any, index: Any, told: str) -> None:
    x = paddle.to_tensor(values, stop_gradient=False)
    with viz.record() as trace:
        loss_of(x).sum().backward()
    with pytest.raises((InvalidArgument, OutOfRange), match=told):
        trace.paths(x, index)


# ----- text and picture --------------------------------------------------------------------------


def test_a_search_that_was_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from viz.explanation import gradient_paths

    trace, x, _ = residual()
    monkeypatch.setattr(gradient_paths, "ROOM", 30_000)
    found = viz.paths(x, 0, trace)
    assert not found.complete
    assert f"{found.found.followed} of 64 paths were followed" in found.text()
    whole = sum(path.contribution for path in found.paths) + found.other
    assert near(whole, found.recorded)


def test_the_picture_has_every_share_and_the_factors_of_the_strongest_path() -> None:
    trace, x, _ = residual()
    found = viz.paths(x, 0, trace)
    drawn = paths_picture.boxes_of(found)
    scene = scene_of(paths_picture.graph_of(found, drawn))
    assert quality.faults(scene) == []
    assert {wire.id for wire in scene.wires} == {f"w{number}" for number in found.shares}
    parts = {part.id: part for part in found.painting().parts if part.role == "wire"}
    sizes = {name: part.marks[0].width for name, part in parts.items()}
    order = sorted(found.shares, key=lambda number: abs(found.shares[number]))
    assert sizes[f"w{order[-1]}"] == max(sizes.values())
    assert [sizes[f"w{n}"] for n in order] == sorted(sizes.values())
    lit = {name for name, part in parts.items() if part.marks[0].stroke == "backward"}
    assert lit == {f"w{number}" for number in found.paths[0].wires}
    broken = {name for name, part in parts.items() if part.marks[0].dashed}
    against = {f"w{n}" for n, share in found.shares.items() if share * found.total < 0}
    assert broken == against
    badges = [box.badges[0].text.en for box in scene.boxes if box.badges]
    assert len(badges) == len(found.paths[0].steps)


def test_paths_are_saved_in_both_languages(tmp_path: Any) -> None:
    trace, x, _ = residual()
    found = viz.paths(x, 0, trace)
    for lang in ("en", "zh"):
        svg = found.save(tmp_path / "a.svg", lang=lang).read_text(encoding="utf-8")
        ET.fromstring(svg)
        assert found.headline(lang) in svg
        assert found.save(tmp_path / "a.txt", lang=lang).read_text("utf-8") == found.text(lang)
    assert found.save(tmp_path / "a.png").stat().st_size > 10_000
    assert found._repr_mimebundle_()["text/plain"] == found.text()
