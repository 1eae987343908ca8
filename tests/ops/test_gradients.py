"""Every gradient rule agrees with differences of values along random directions.

A rule is right if <gradient, direction> equals the change of <cotangent, output> along the
direction. The last tests corrupt each rule, one input at a time; the check must reject every
corruption.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine.meta import unchanged
from minipaddle.engine.tensor import Tensor, as_array
from minipaddle.ops import REGISTRY, Op, Sample
from minipaddle.ops.rule_functions import GRAPH, array_functions, conjugate_rule
from tests.each import each

from .drawing import attrs_of, call, draw, flat, kernel, like, sampled, tensors_of

RULES = [pytest.param(op, sample, id=name) for op, sample, name in sampled() if op.rule is not None]
WITH_RULE = [op for op in REGISTRY.values() if op.rule is not None]


# ----- the check ---------------------------------------------------------------------------------


def inner(xs: list[Any], ys: list[Any]) -> float:
    return float(sum(np.sum((np.conj(x) * y).real) for x, y in zip(xs, ys, strict=True)))


def normals(arrays: list[Any], seed: int) -> list[Any]:
    """Return random arrays of the same shapes, with zeros for integer arrays."""
    rng = np.random.default_rng(seed)
    return [
        np.asarray(rng.normal(size=a.shape) + (1j * rng.normal(size=a.shape) if kind == "c" else 0))
        if (kind := a.dtype.kind) in "fc"
        else np.zeros_like(a)
        for a in arrays
    ]


def graded(op: Op, outs: list[Any]) -> list[Any]:
    return [outs[slot] for slot in op.graded_slots(len(outs))]


def slope(function: Callable[[list[Any]], float], at: list[Any], towards: list[Any]) -> float:
    """Return the derivative of a number along a direction, by fourth-order central differences."""

    def value(step: float) -> float:
        moved = [
            a + step * v if a.dtype.kind in "fc" else a for a, v in zip(at, towards, strict=True)
        ]
        return function(moved)

    h = 1e-4
    return float((8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h))


def seeds_for(outs: list[Any], cotangents: list[Any]) -> list[Any]:
    """Return the start gradients, each at the position of its output."""
    return [paddle.to_tensor(c, place=t.place) for t, c in zip(outs, cotangents, strict=True)]


def gradients(op: Op, sample: Sample, arrays: list[Any], cotangents: list[Any]) -> list[Any]:
    """Return what backward adds to each `.grad`, in one list; 0 for an integer input."""
    tensors = tensors_of(arrays)
    outs = graded(op, call(op, tensors, sample))
    paddle.autograd.backward(outs, seeds_for(outs, cotangents))
    return [0.0 if t.grad is None else t.grad.numpy() for t in flat(tensors)]


def check(op: Op, sample: Sample, seed: int = 1) -> None:
    """Compare <gradient, direction> with the slope of <cotangent, out>."""
    arrays = draw(op, sample, seed)
    row = flat(arrays)
    cotangents = normals(graded(op, kernel(op, arrays, sample)), seed + 1)
    direction = normals(row, seed + 2)

    def along(moved: list[Any]) -> float:
        return inner(cotangents, graded(op, kernel(op, like(arrays, moved), sample)))

    expected = slope(along, row, direction)
    got = inner(gradients(op, sample, arrays, cotangents), direction)
    assert got == pytest.approx(expected, rel=1e-7, abs=1e-8), "the gradient is wrong"


@each(("op", "sample"), RULES, per="op", quick=1)
def test_the_gradient_is_the_slope(op: Op, sample: Sample) -> None:
    check(op, sample)


@each(("op", "sample"), RULES, per="op", quick=1)
def test_the_second_gradient_is_the_slope_of_the_first(op: Op, sample: Sample) -> None:
    arrays = draw(op, sample, seed=4)
    row = flat(arrays)
    cotangents = normals(graded(op, kernel(op, arrays, sample)), 5)
    weights, direction = normals(row, 6), normals(row, 7)

    def first(moved: list[Any]) -> float:
        return inner(weights, gradients(op, sample, like(arrays, moved), cotangents))

    tensors = tensors_of(arrays)
    wanted = [t for t in flat(tensors) if not t.stop_gradient]
    outs = graded(op, call(op, tensors, sample))
    seeds = seeds_for(outs, cotangents)
    for seed in seeds:
        seed.stop_gradient = False
    # Two inputs may get one tensor, as with add; outputs of grad() must be different ones.
    grads = [g.clone() for g in paddle.grad(outs, wanted, seeds, create_graph=True)]
    floats = [i for i, a in enumerate(row) if a.dtype.kind in "fc"]
    weighed = seeds_for(grads, [weights[i] for i in floats])
    again = paddle.grad(grads, [*wanted, *seeds], weighed, allow_unused=True)
    values = [0.0 if g is None else g.numpy() for g in again]
    got = inner(values[: len(wanted)], [direction[i] for i in floats])
    assert got == pytest.approx(slope(first, row, direction), rel=1e-6, abs=1e-7)
    # The gradient is linear in the cotangent: its slope there is the gradient itself.
    assert inner(values[len(wanted) :], cotangents) == pytest.approx(first(row), rel=1e-9)


@pytest.mark.host("hands NumPy arrays to the rule itself")
@each(("op", "sample"), RULES)
def test_a_rule_gives_the_same_for_arrays_and_tensors(op: Op, sample: Sample) -> None:
    arrays = draw(op, sample, seed=8, dtype="float32")
    outs = kernel(op, arrays, sample)
    kinds = {"f": "float32", "c": "complex64"}
    douts = [d.astype(kinds.get(d.dtype.kind)) for d in normals(graded(op, outs), 9)]
    rows = [a if isinstance(a, list) else [a] for a in arrays]
    wanted = [a is not None and a.dtype.kind in "fc" for row in rows for a in row]
    needs = {"needs": wanted} if op.rule_needs else {}
    extra = {key: attrs_of(op, sample)[key] for key in op.rule_extra} | needs
    saved = op.save(tuple(tensors_of(arrays)), tuple(outs))
    seeds: list[Any] = [douts] if op.list_result else douts
    assert op.rule is not None
    assert op.array_rule is not None
    on_arrays = op.array_rule(array_functions(np), *seeds, *map(_unwrap_saved, saved), **extra)
    wrapped = [Tensor(d) for d in douts]
    on_tensors = op.rule(
        GRAPH,
        *([wrapped] if op.list_result else wrapped),
        *(Tensor(s) if isinstance(s, np.ndarray) else s for s in saved),
        **extra,
    )
    for a, t in zip(_flatten_gradients(on_arrays), _flatten_gradients(on_tensors), strict=True):
        assert (a is None) == (t is None)
        if a is not None:
            assert isinstance(t, Tensor)
            assert (as_array(a).dtype, a.shape) == (t._data.dtype, t._data.shape)
            assert as_array(a).tobytes() == t._data.tobytes()


def _unwrap_saved(saved: Any) -> Any:
    """Return the array of a saved input, or the arrays of a list; other values unchanged."""
    if isinstance(saved, (tuple, list)):
        return [_unwrap_saved(one) for one in saved]
    return saved._data if isinstance(saved, Tensor) else saved


def _flatten_gradients(grads: Any) -> list[Any]:
    return list(grads) if isinstance(grads, (tuple, list)) else [grads]


@each(("op", "sample"), RULES)
def test_a_gradient_has_the_dtype_and_shape_of_its_input(op: Op, sample: Sample) -> None:
    tensors = tensors_of(draw(op, sample, dtype="float32"))
    paddle.autograd.backward(graded(op, call(op, tensors, sample)))
    for t in flat(tensors):
        if not t.stop_gradient:
            assert (t.grad._data.dtype, t.grad.shape) == (t._data.dtype, t.shape)


@each("op", WITH_RULE)
def test_an_input_that_stops_gradients_does_not_change_the_others_gradients(op: Op) -> None:
    """Each input alone gets the gradient that it gets together with the others."""
    sample = op.samples[0]
    arrays = draw(op, sample, seed=3)
    cotangents = normals(graded(op, kernel(op, arrays, sample)), 4)
    together = gradients(op, sample, arrays, cotangents)
    for alone, array in enumerate(flat(arrays)):
        if array.dtype.kind not in "fc":
            continue
        tensors = tensors_of(arrays, stop=True)
        flat(tensors)[alone].stop_gradient = False
        outs = graded(op, call(op, tensors, sample))
        paddle.autograd.backward(outs, seeds_for(outs, cotangents))
        for position, tensor in enumerate(flat(tensors)):
            if position == alone:
                assert tensor.grad.numpy().tobytes() == together[alone].tobytes()
            else:
                assert tensor.grad is None


# ----- the check can fail ------------------------------------------------------------------------

CORRUPTIONS: dict[str, Callable[[Any], Any]] = {
    "zeroed": lambda g: g * 0.0,
    "negated": lambda g: -g,
    "doubled": lambda g: g * 2.0,
    "shifted": lambda g: g + 1.0,
}


def corrupted(rule: Any, position: int, change: Any) -> Any:
    """Return the rule with a wrong gradient for one input."""

    def wrong(*args: Any, **kwargs: Any) -> Any:
        grads = rule(*args, **kwargs)
        if not isinstance(grads, (tuple, list)):
            return change(grads)
        return tuple(
            change(g) if i == position and g is not None else g for i, g in enumerate(grads)
        )

    return wrong


def inputs_with_gradient(op: Op) -> list[int]:
    arrays = flat(draw(op, op.samples[0]))
    return [i for i, array in enumerate(arrays) if array.dtype.kind in "fc"]


def passes(op: Op) -> bool:
    """Say whether the check accepts the op with all of its samples."""
    try:
        for sample in op.samples:
            check(op, sample)
    except AssertionError:
        return False
    return True


def is_a_step(op: Op, position: int) -> bool:
    """Say whether an input's right gradient is 0, which negation and doubling do not change."""
    arrays = draw(op, op.samples[0])
    cotangents = normals(graded(op, kernel(op, arrays, op.samples[0])), 1)
    return not np.any(gradients(op, op.samples[0], arrays, cotangents)[position])


@each("op", WITH_RULE, per="op")
def test_the_check_rejects_a_corrupted_rule(op: Op, monkeypatch: pytest.MonkeyPatch) -> None:
    for position in inputs_with_gradient(op):
        for kind in ["shifted"] if is_a_step(op, position) else CORRUPTIONS:
            wrong = corrupted(op.rule, position, CORRUPTIONS[kind])
            monkeypatch.setattr(op.node_class, "rule", staticmethod(wrong))
            monkeypatch.setattr(op.node_class, "rules", {"D": conjugate_rule(op, wrong)})
            assert not passes(op), f"{op.name}: input {position}, {kind}, was not noticed"
    monkeypatch.undo()
    assert passes(op)


# ----- no op escapes -----------------------------------------------------------------------------


@each("op", REGISTRY.values())
def test_every_op_has_samples_and_a_rule_or_a_reason(op: Op) -> None:
    assert op.samples
    assert (op.rule is None) == bool(op.gradless or op.random)


def test_every_op_has_a_formula_and_a_meaning() -> None:
    silent = [op.name for op in REGISTRY.values() if not op.formula.forward or not op.doc]
    assert silent == []


def test_a_rule_that_does_not_take_what_its_record_says_is_refused() -> None:
    def kernel(xp: Any, x: Any, *, scale: float = 2.0) -> Any:
        return x * scale

    for rule in (lambda F, dout, y: dout, lambda F, dout, x, *, factor: dout, lambda F, x: x):
        op = Op("doubled", kernel, infer=unchanged)
        op.grad(rule)
        with pytest.raises(TypeError, match="doubled: the rule must take"):
            op.call(paddle.ones([1]))


@each("op", WITH_RULE)
def test_a_rule_takes_what_its_record_says_and_has_a_gradient_to_check(op: Op) -> None:
    """Not all samples may be empty, and some element must matter."""
    op.check_rule()
    sizes = [array.size for sample in op.samples for array in flat(draw(op, sample))]
    assert max(sizes) > 1
