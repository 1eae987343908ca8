"""Two runs compared by the names of their results, whatever ops compute them."""

from __future__ import annotations

from typing import Any

import numpy as np

import minipaddle as paddle
import viz

WEIGHT = np.random.default_rng(0).normal(size=(6, 5))
X = np.random.default_rng(1).normal(size=(4, 6))


def run(dtype: str = "float32", transposed: bool = False, slip: float = 0.0) -> viz.Trace:
    w = paddle.to_tensor(WEIGHT.astype(dtype), stop_gradient=False)
    bias = paddle.to_tensor(np.full(5, 0.1, dtype), stop_gradient=False)
    x = paddle.to_tensor(X.astype(dtype))
    if transposed:
        kernel = paddle.to_tensor(WEIGHT.T.astype(dtype), stop_gradient=False)
    with viz.record(variables=None) as trace:
        h = x @ kernel.t() + bias if transposed else paddle.nn.functional.linear(x, w, bias)
        y = paddle.tanh(h) + slip
        loss = y.square().sum()
        loss.backward()
    return trace


def names_of(found: Any) -> list[str]:
    return [each.name for each in found.results]


def test_a_transposed_weight_and_two_ops_for_one_are_paired_by_names() -> None:
    found = viz.diff(run(transposed=True), run(), names={"kernel": "w"})
    assert {"w", "h", "y", "loss", "w.grad", "bias.grad"} <= {*names_of(found)}
    assert all(each.ulp <= 4 for each in found.results), found.results
    assert "results are compared" in found.summary("en")[0]
    assert not found, found.changes  # rounding is within the tolerance, and ops do not count


def test_another_dtype_parts_by_rounding() -> None:
    found = viz.diff(run("float32"), run("float64"))
    by_name = {each.name: each for each in found.results}
    assert by_name["h"].dtypes == ("float32", "float64")
    assert 0 < by_name["h"].ulp < 8
    assert "another order of addition" in found.summary("en")[1]
    assert "求和次序" in found.summary("zh")[1]


def test_the_first_result_beyond_rounding_is_named() -> None:
    found = viz.diff(run(slip=1e-3), run(), names={})
    assert next(each.name for each in found.results if each.off) == "y"
    said = found.summary("en")[1]
    assert said.startswith("The first that differs by more than rounding is y (step")
    assert found.changes[0] == next(each.change for each in found.results if each.change)
    assert {each.name: each.kind for each in found.changes} == {
        "y": "value",
        "loss": "value",
        "dy": "gradient",
        "dh": "gradient",
        **dict.fromkeys(["dw", "dbias", "w.grad", "bias.grad"], "gradient"),
    }
    step = found.story().steps[found.changes[0].second]
    assert [(each.name, each.role) for each in step.shown][-1] == ("y ①", "output")


def test_runs_of_one_program_are_compared_by_steps_as_before() -> None:
    assert "By their names" not in viz.diff(run(slip=1e-3), run()).text()


def test_results_without_elements_are_equal() -> None:
    def empty() -> viz.Trace:
        x = paddle.zeros([0, 0])
        with viz.record(variables=None) as trace:
            paddle.tanh(x)
        return trace

    found = viz.diff(empty(), empty(), names={})
    assert [(each.name, each.off) for each in found.results] == [("x", 0.0)]
    assert not found
