"""What lesson 5 says of its errors and pictures is so."""

from __future__ import annotations

import re

import pytest

import minipaddle as paddle
from minipaddle.autograd import PyLayer

from .answers import answer_in, solutions
from .conftest import LESSONS
from .test_build import cells
from .test_notebooks import run_here, the, told

LESSON = "05_three_rules"


def raised(name: str, forward, backward, *inputs, pick=None) -> str:
    """The last line of what a layer of this name raises, as a notebook shows it."""
    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    for method, function in (("forward", forward), ("backward", backward)):
        function.__qualname__ = f"{name}.{method}"
        function.__code__ = function.__code__.replace(co_qualname=f"{name}.{method}")
    made = type(name, (PyLayer,), methods)
    with pytest.raises((OSError, TypeError, ValueError)) as error:
        made.apply(*inputs).sum().backward()
    found = error.value.__cause__ or error.value
    first = str(found).splitlines()[0]
    return f"TypeError: {first}" if isinstance(found, TypeError) else first


@pytest.mark.parametrize("place", ["", "zh"])
def test_the_four_messages_are_what_such_layers_raise(place: str) -> None:
    [text] = [
        cell["source"]
        for cell in cells(LESSONS / place / f"{LESSON}.ipynb")
        if "GradNodePyLayer_mix" in cell["source"]
    ]
    shown = re.findall(r"^    [①-④]  (.+)$", text, re.MULTILINE)
    x, y, z = (paddle.ones([2]) for _ in range(3))
    x.stop_gradient = y.stop_gradient = z.stop_gradient = False
    came = [
        raised("gate", lambda ctx, x: x * 2, lambda ctx, da, db: da, x),
        raised("scale", lambda ctx, x: x * 2, lambda ctx, dy: (dy, dy), x),
        raised("shift", lambda x: x + 1, lambda ctx, dy: dy, x),
        raised("mix", lambda ctx, x, y, z: x + y * z, lambda ctx, dy: (dy, dy), x, y, z),
    ]
    assert shown == came


def test_what_the_text_says_about_the_errors_is_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variables = run_here("", monkeypatch, LESSON)
    out = capsys.readouterr().out
    assert "apply has run\nan exception in the backward of PyLayer no_ctx: TypeError" in out
    assert "takes 1 positional argument but 2 were given" in out
    assert "takes 2 positional arguments but 3 were given" in out
    assert "expected  backward(ctx, ...) that takes 2 gradients and runs to its end" in out
    assert "should return None at 1 position" in out
    lines = [line for line in out.splitlines() if line.startswith("- GradNodePyLayer_added")]
    for line, words in zip(
        lines,
        [
            "not return empty at 1",
            "should be 2, but received 3",
            "numpy.ndarray",
            "at 0 position has",
        ],
        strict=True,
    ):
        assert words in line
    a, b = variables["a"].detach(), variables["b"].detach()
    a.stop_gradient = b.stop_gradient = False
    assert variables["tried"](lambda dy: (None, dy), a, b) is None
    assert a.grad is None
    assert b.grad is not None


def test_what_the_text_says_about_the_pictures_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = run_here("solutions", monkeypatch, LESSON)
    whole = told(variables["trace"])
    assert "called with ds [3] and dp [3]" in the(whole, "sum_and_product.backward is called")
    assert "the gradients of a [3] and b [3]" in the(whole, "sum_and_product.backward returns")
    assert "It stops here in no_ctx.backward" in told(variables["broken"])[-1]
    for name in ("broken", "short"):
        [group] = [each for each in variables[name].story.graph.groups if "backward" in each.label]
        assert [badge.text.en for badge in group.badges] == ["error"]
    assert "with ds [3] and dp [3]" in the(told(variables["short"]), "one_gradient.backward is")
    spared = the(told(variables["spared"]), "masked.backward returns")
    assert "returns the gradient of x [4] and None for mask" in spared


def test_the_player_finds_both_wrong_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = run_here("", monkeypatch, LESSON)
    crossing = variables["crossing"]
    assert [each.kind for each in crossing.problems()] == ["wrong_gradient"] * 2
    assert variables["a"].grad.item() == 2.0
    moved = crossing.what_if({"a": 2.1})
    assert "y = 6.3" in told(moved)[1] or "loss = 6.3" in told(moved)[1]


def test_a_forgotten_decorator_changes_nothing_and_self_is_noticed_at_apply() -> None:
    code = solutions(LESSON)["sum_and_difference"]
    plain = code.replace("    @staticmethod\n", "")
    layer = answer_in(LESSON, "sum_and_difference", "sum_and_difference", plain)
    a, b = (paddle.ones([2]) for _ in range(2))
    a.stop_gradient = b.stop_gradient = False
    s, d = layer.apply(a, b)
    (s * 3 + d).sum().backward()
    assert a.grad.tolist() == [4.0, 4.0]
    assert b.grad.tolist() == [2.0, 2.0]
    with_self = plain.replace("(ctx,", "(self, ctx,")
    layer = answer_in(LESSON, "sum_and_difference", "sum_and_difference", with_self)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'b'"):
        layer.apply(a, b)


def test_a_layer_called_without_apply_is_an_object_that_says_so() -> None:
    layer = answer_in(LESSON, "masked", "masked", solutions(LESSON)["masked"])
    with pytest.raises(AttributeError, match=r"run the layer: masked\.apply\(\.\.\.\)"):
        layer(paddle.ones([2])).sum()
