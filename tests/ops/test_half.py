"""float16 is computed in float32 and rounded once: by every record, every rule, every function."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine.errors import MinipaddleError
from minipaddle.ops import Op, Sample
from tests.each import each

from .drawing import call, draw, flat, like, sampled, tensors_of

F = paddle.nn.functional
HALF, SINGLE = np.float16, np.float32
BY_DTYPE = ("nan_to_num", "nextafter")  # their values depend on the dtype
CALLS = [
    pytest.param(op, sample, id=name)
    for op, sample, name in sampled()
    if op.name not in (*BY_DTYPE, "view_dtype") and not op.remote and "dtype" not in op.defaults
]


def rounded(array: Any) -> Any:
    return array.astype(HALF) if array.dtype == SINGLE else array


def widened(arrays: list[Any]) -> list[Any]:
    return like(arrays, [a.astype(SINGLE) if a.dtype == HALF else a for a in flat(arrays)])


def gradients(op: Op, sample: Sample, tensors: list[Any]) -> tuple[list[Any], list[Any]]:
    """The results, and the gradients of the inputs from seeds that float16 holds."""
    outs = call(op, tensors, sample)
    graded = [out for out in outs if not out.stop_gradient]
    seeds = [
        paddle.to_tensor(np.arange(np.prod(out.shape)).reshape(out.shape) % 5 - 1.5)
        for out in graded
    ]
    if graded:
        seeds = [seed.astype(out.dtype) for seed, out in zip(seeds, graded, strict=True)]
        paddle.autograd.backward(graded, seeds)
    return [out.numpy() for out in outs], [t.grad for t in flat(tensors) if t.grad is not None]


@each(("op", "sample"), CALLS, per="op")
def test_float16_gives_what_float32_gives_rounded_once(op: Op, sample: Sample) -> None:
    arrays = draw(op, sample, seed=5, dtype="float16")
    if not any(a.dtype == HALF for a in flat(arrays)):
        return
    try:
        found, slopes = gradients(op, sample, tensors_of(arrays))
    except MinipaddleError:
        return  # Paddle has no such op of float16 either
    expected, wanted = gradients(op, sample, tensors_of(widened(arrays)))
    for one, other in zip(found, expected, strict=True):
        if one.dtype.itemsize > 2 and one.dtype.kind == "f":  # counts, and borders of bins
            np.testing.assert_allclose(one, other, rtol=1e-6)
        else:
            assert one.dtype == rounded(other).dtype
            assert one.tobytes() == rounded(other).tobytes()
    for one, other in zip(slopes, wanted, strict=True):
        assert one.dtype == paddle.float16
        # What a rule reads of the result has been rounded before.
        np.testing.assert_allclose(one.numpy(), rounded(other.numpy()), rtol=2e-2, atol=2e-2)


def half(values: Any, stop: bool = True) -> Any:
    return paddle.to_tensor(np.asarray(values, HALF), stop_gradient=stop)


ROWS = np.random.default_rng(0).uniform(-300.0, 300.0, (3, 40)).astype(HALF)
OTHERS = np.random.default_rng(1).uniform(-300.0, 300.0, (3, 40)).astype(HALF)
ONE = {
    "mean": paddle.mean, "sum": paddle.sum, "cumsum": lambda x: paddle.cumsum(x, 1),
    "var of small": lambda x: paddle.var(x / 4), "std": paddle.std, "norm": paddle.norm,
    "p_norm": lambda x: paddle.norm(x, 3), "normalize": F.normalize, "nanmean": paddle.nanmean,
    "softmax": lambda x: F.softmax(x / 100), "log_softmax": F.log_softmax,
    "logsumexp": paddle.logsumexp,
    "cov": lambda x: paddle.linalg.cov(x / 4), "corrcoef": paddle.linalg.corrcoef,
    "renorm": lambda x: paddle.renorm(x, 2.0, 0, 100.0), "sinc": lambda x: paddle.sinc(x * 0),
    "trapezoid": paddle.trapezoid, "method": lambda x: x.std(axis=1),
    "avg_pool1d": lambda x: F.avg_pool1d(x.reshape([3, 1, 40]) * 100, 20),
    "prod": lambda x: paddle.prod(x[:, :3] / paddle.to_tensor([1, 1, 3000.0]).astype(x.dtype), 1),
    "keyword": lambda x: paddle.std(x=x), "pdist": paddle.pdist,
}  # fmt: skip
TWO = {
    "mse_loss": lambda x, y: F.mse_loss(x / 4, y / 4), "l1_loss": F.l1_loss, "hypot": paddle.hypot,
    "cosine_similarity": F.cosine_similarity, "dist": paddle.dist, "divide": paddle.divide,
    "smooth_l1_loss": F.smooth_l1_loss, "cdist": paddle.cdist,
    "pairwise_distance": F.pairwise_distance, "layer": paddle.nn.L1Loss(),
    "matmul": lambda x, y: paddle.matmul(x / 16, y.T / 16), "add_n": lambda x, y: paddle.add_n(
        [x * 200, y * 0 + 60000, -x * 200]),
    "vecdot": lambda x, y: paddle.vecdot(x / 8, y / 8),
    "triplet": lambda x, y: F.triplet_margin_loss(x, y, y * 0.5),
    "attention": lambda x, y: F.scaled_dot_product_attention(*[
        t.reshape([1, 3, 1, 40]) for t in (x, y, y)]),
}  # fmt: skip
CASES = [*((name, f, (ROWS,)) for name, f in ONE.items())]
CASES += [(name, f, (ROWS, OTHERS)) for name, f in TWO.items()]


@each(
    ("name", "function", "arrays"), CASES, ids=lambda value: value if value in (*ONE, *TWO) else ""
)
def test_numbers_that_overflow_inside(name: str, function: Any, arrays: Any) -> None:
    """The same program in float32, whose own steps are rounded, is as near as two roundings."""
    answers = []
    for dtype in ("float16", "float32"):
        xs = [paddle.to_tensor(a.astype(dtype), stop_gradient=False) for a in arrays]
        out = function(*xs)
        assert out.dtype == getattr(paddle, dtype), name
        seed = np.arange(out.size).reshape(out.shape) % 3 + 1.0
        out.backward(paddle.to_tensor(seed.astype(dtype)))
        answers.append([t.numpy().astype("float64") for t in (out, *(x.grad for x in xs))])
    for one, other in zip(*answers, strict=True):
        assert np.isfinite(one).all()
        size = np.abs(other).max()
        np.testing.assert_allclose(one, other, rtol=4e-3, atol=4e-3 * size)


def test_gradients_of_what_was_repeated_are_added_up_wide() -> None:
    for join in (paddle.add, paddle.multiply, paddle.nn.functional.linear):
        bias = half([1.0, 1.0], stop=False)
        if join is F.linear:
            out = join(paddle.ones([5000, 1], "float16"), paddle.zeros([1, 2], "float16"), bias)
        else:
            out = join(paddle.ones([5000, 2], "float16"), bias)
        out.backward(paddle.ones([5000, 2], "float16"))
        assert bias.grad.dtype == paddle.float16
        assert bias.grad.tolist() == [5000.0, 5000.0]


def test_errors_tell_of_float16() -> None:
    x = half([[1.0, 2.0]])
    with pytest.raises(ValueError, match="float16"):
        F.cosine_similarity(x, half([[1.0, 2.0, 3.0]]))
    with pytest.raises(RuntimeError, match="float16"):
        F.layer_norm(x, [2])


def test_wider_tensors_beside_float16_decide() -> None:
    loss = F.mse_loss(half([300.0]), paddle.to_tensor([0.0]))
    assert (loss.dtype, float(loss)) == (paddle.float32, 90000.0)


def test_gradients_are_clipped_to_a_norm_that_float16_has_not() -> None:
    w, large = paddle.zeros([4], "float16"), half(np.full(4, 50000.0))
    for clip in (paddle.nn.ClipGradByGlobalNorm(1.0), paddle.nn.ClipGradByNorm(1.0)):
        ((_, clipped),) = clip([(w, large)])
        assert (clipped.dtype, clipped.tolist()) == (paddle.float16, [0.5] * 4)
    w.grad = large
    assert paddle.nn.utils.clip_grad_norm_([w], 1.0).dtype == paddle.float16
    assert w.grad.tolist() == [0.5] * 4
