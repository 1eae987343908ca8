"""What a page says of single elements is what Python says, and its terms and paths add up.

tests/viz/test_elements.py compares what Python says with finite differences.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.nn import functional as F
from tests.each import each
from viz.explanation.elements import StepElements
from viz.player.book import book_of

from ..ops.drawing import draw, flat, sampled, tensors_of
from ..viz.test_elements import ones, static_training, training
from ..viz.trainings import descend
from .composing import elements

SOME = 6  # elements of a value that are looked at
# The page cannot compute these and ops that end in `_by`, and says so.
UNKNOWN = "cholesky det eigh eigvalsh inverse lu lu_unpack masked_put masked_select"
UNKNOWN += (
    " eig matrix_power pinv qr slogdet solve svd svdvals triangular_solve copy_to put_along_axis"
)


def adds_up(element: dict[str, Any], value: float) -> bool:
    """Whether the terms of an element add up to it, if it is linear in something."""
    if not element["linear"]:
        return True
    terms = [
        part["number"] * part["slope"]
        for part in element["parts"]
        if part["value"] in element["linear"]
    ]
    size = sum(map(abs, terms)) + abs(element["constant"]) + 1e-300
    return abs(sum(terms) + element["constant"] - value) <= 1e-5 * size


def attention() -> Any:
    paddle.seed(3)
    x, w = paddle.randn([4, 3]), paddle.randn([3, 3])
    x.stop_gradient = w.stop_gradient = False
    mask = paddle.triu(paddle.full([4, 4], -1e9), 1)
    with viz.record() as trace:
        scores = F.softmax(x @ w @ x.t() + mask)
        out = F.dropout(F.layer_norm(scores @ x, 3), 0.5)
        (F.gelu(out) * out.max(axis=0)).mean().backward()
    return trace


def network() -> Any:
    paddle.seed(4)
    x = paddle.randn([2, 1, 6, 6])
    conv, linear = paddle.nn.Conv2D(1, 2, 3), paddle.nn.Linear(8, 3)
    adam = paddle.optimizer.Adam(0.1, parameters=[*conv.parameters(), *linear.parameters()])

    def loss_of(_: int) -> Any:
        hidden = F.max_pool2d(F.relu(conv(x)), 2).flatten(1)
        return F.cross_entropy(linear(hidden), paddle.to_tensor([0, 2]))

    return descend(adam, loss_of, 2)


@each("make", [attention, network])
def test_terms_add_up_in_every_step(make: Any) -> None:
    page = book_of(make())
    (chapters,) = elements([page], SOME)
    count = 0
    for chapter in chapters:
        for result in (found for step in chapter for found in step["results"]):
            numbers = np.ravel(page["values"][result["value"]][0]).astype(float)
            for element in result["elements"]:
                assert "reason" not in element, (result["name"], element)
                assert adds_up(element, numbers[element["at"]]), (result["name"], element)
                count += bool(element["linear"])
    assert count > 20


@each("make", [attention, network])
def test_the_paths_of_a_gradient_add_up_to_it(make: Any) -> None:
    page = book_of(make())
    (chapters,) = elements([page], SOME)
    most = 0
    for result in (found for chapter in chapters for step in chapter for found in step["results"]):
        numbers = np.ravel(page["values"][result["value"]][0]).astype(float)
        for element in result["elements"]:
            if "chain" not in element:
                continue
            chain = element["chain"]
            brings = [path[0] for path in chain["paths"]]
            assert brings == sorted(brings, key=abs, reverse=True)
            for brought, factors, _, end in chain["paths"]:
                assert end == "seed" or not brought
                assert np.prod(factors) == pytest.approx(brought, rel=1e-9, abs=1e-30)
            size = sum(map(abs, brings)) + abs(chain["rest"]) + 1e-12
            total = sum(brings) + chain["rest"]
            assert abs(total - numbers[element["at"]]) <= 1e-4 * size, result["name"]
            most = max(most, len(brings))
    assert most == 12


def test_the_page_finds_the_paths_of_viz_paths() -> None:
    w, x = paddle.to_tensor(0.7, stop_gradient=False), paddle.to_tensor(1.5)
    with viz.record() as trace:
        h = paddle.tanh(w * x)
        loss = (h * w + paddle.exp(h) + paddle.sin(w)) * w
        loss.backward()
    (chapters,) = elements([book_of(trace)], 1)
    [found] = [r for step in chapters[0] for r in step["results"] if r["name"] == "w.grad"]
    chain = found["elements"][0]["chain"]
    wanted = [path.contribution for path in trace.paths("w").paths]
    assert chain["isAll"]
    assert [path[0] for path in chain["paths"]] == pytest.approx(wanted, rel=1e-5)


def test_a_path_ends_at_an_old_gradient_or_a_hook_in_python_where_nothing_leads_on() -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    (x * 2.0).backward()
    with viz.record() as trace:
        y = x * x
        y.register_hook(lambda grad: paddle.to_tensor(grad.numpy() * 3))
        (y + x).backward()
    (chapters,) = elements([book_of(trace)], 1)
    [found] = [r for step in chapters[0] for r in step["results"] if r["name"] == "x.grad"][-1:]
    paths = found["elements"][0]["chain"]["paths"]
    ends = sorted((brought, end) for brought, _, _, end in paths)
    assert ends == [(1, "seed"), (2, "accumulate"), (3, "hook"), (3, "hook")]


@each("name", ["tanh", "relu", "exp", "square", "sigmoid"])
def test_a_function_of_one_variable_has_its_curve_dots_and_tangent(name: str) -> None:
    function = getattr(F, name, None) or getattr(paddle, name)
    x = paddle.to_tensor([-1.5, -0.25, 0.5, 2.0], dtype="float64")
    with viz.record() as trace:
        function(x) + x
    (chapters,) = elements([book_of(trace)], 4)
    made, added = (step["results"][0] for step in chapters[0] if step["results"])
    assert all(element["plot"] is None for element in added["elements"])
    for element, number in zip(made["elements"], x.numpy(), strict=True):
        plot = element["plot"]
        assert plot["at"] == pytest.approx(
            [number, function(paddle.to_tensor(number, dtype="float64")).item()]
        )
        assert plot["dots"] == [
            pytest.approx(row) for row in zip(x.numpy(), function(x).numpy(), strict=True)
        ]
        xs, ys = np.array(plot["curve"]).T
        assert ys == pytest.approx(
            function(paddle.to_tensor(xs, dtype="float64")).numpy(), rel=1e-6, abs=1e-9
        )
        assert (xs[0] < -1.5, xs[-1] > 2.0) == (True, True)
        ends = paddle.to_tensor([number - 1e-6, number + 1e-6], dtype="float64")
        beside = function(ends).numpy()
        assert plot["slope"] == pytest.approx((beside[1] - beside[0]) / 2e-6, rel=1e-4, abs=1e-6)


# ----- the same sentences in Python --------------------------------------------------------------

# A page tells by element what is linear, Python by result: cumprod begins with x itself.
OTHERWISE = "copysign cummax cummin cumprod grid_sample less_hot_rows logcumsumexp nan_to_num"


def differences(
    traces: list[Any], lang: str = "en", *, all_said: bool = False
) -> Iterator[tuple[str, str]]:
    """Sentences about the same element, of Python and of a page, that differ.

    A page alone follows values that a run fetches. With `all_said` it may be silent of no element.
    """
    count = 0
    pages = elements([book_of(trace) for trace in traces], SOME, lang)
    for trace, chapters in zip(traces, pages, strict=True):
        for chapter, steps in zip(trace.chapters, chapters, strict=True):
            for step, found in zip(chapter.trace.story.steps, steps or (), strict=False):
                own = StepElements(chapter.trace, step, step.index)
                for value in (*found["results"], *found["operands"]):
                    if value["place"] < 0 or step.kind == "finish":
                        continue
                    shape = tuple(step.shown[value["place"]].value["shape"])
                    for element in value["elements"]:
                        index = tuple(map(int, np.unravel_index(element["at"], shape)))
                        told = own.explain(value["place"], index).message.of(lang)
                        if ("said" in element or all_said) and "no gradient rule" not in told:
                            count += 1
                            if told != element.get("said"):
                                yield told, element.get("said", "")
    assert count > 20


@each("make", [training, static_training, attention, network, ones])
@each("lang", ["en", "zh"])
def test_python_says_the_same(make: Any, lang: str) -> None:
    assert not [*differences([make()], lang)]


@pytest.mark.slow
def test_python_says_the_same_of_every_op() -> None:
    traces = []
    left_out = f"{UNKNOWN} {OTHERWISE}".split()
    for op, sample, name in sampled():
        known = op.rule and not op.name.endswith("_by") and op.name not in left_out
        if known and name.endswith("-0"):
            with viz.record("one op") as trace:
                made = op.call(*tensors_of(draw(op, sample)), **sample.attrs)
                roots = [each for each in flat([made]) if not each.stop_gradient]
                draws = np.random.default_rng(7)
                seeds = [paddle.to_tensor(draws.normal(size=each.shape)) for each in roots]
                paddle.autograd.backward(roots, seeds)
            traces.append(trace)
    assert not [*differences(traces, all_said=True)]
