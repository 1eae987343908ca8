"""What lesson 9 says of its numbers, curves and pictures is so."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

import viz
from minipaddle import exercises

from .answers import answer_in, solutions
from .test_notebooks import run_here, the, told

LESSON = "09_training"


@pytest.fixture(scope="module")
def lesson_9() -> Any:
    """The variables of the solved lesson."""
    with pytest.MonkeyPatch.context() as patch:
        yield run_here("solutions", patch, LESSON)


def losses(trace: viz.Trace) -> list[float]:
    """The losses of all rounds."""
    return [float(each.loss) for each in trace.rounds if each.loss is not None]


def kinds(trace: viz.Trace) -> list[str]:
    """What is told of a recording."""
    return [problem.kind for problem in trace.problems()]


def sizes(trace: viz.Trace, of: str) -> list[float]:
    """The sizes of the gradients in the first round, of parameters with this word."""
    return [float(size.grad) for size in trace.rounds[0].sizes if of in size.name]


def weights(trace: viz.Trace, name: str) -> list[float]:
    """The numbers that an update gives a weight of one element, round by round."""
    updates = [text for text in told(trace) if text.startswith(f"SGD updates {name}")]
    return [float(re.findall(r"to (\S+)\.$", text)[0].replace("−", "-")) for text in updates]


def test_each_round_leaves_four_fifths_of_the_distance(lesson_9: dict[str, Any]) -> None:
    down = lesson_9["down"]
    assert told(down.round(0))[-1] == "SGD updates w, using its gradient: from 0 to 0.6."
    apart = [3 - w for w in weights(down, "w")]
    assert apart[:2] == pytest.approx([2.4, 1.92])
    assert apart == pytest.approx([3 * 0.8**n for n in range(1, 13)], rel=2e-3)


def test_what_other_learning_rates_do_to_one_weight(lesson_9: dict[str, Any]) -> None:
    down = lesson_9["down"]
    jumping = down.what_if({"lr": 0.9})
    assert losses(down.what_if({"lr": 0.5}))[1:] == [0.0] * 11
    assert losses(jumping) == pytest.approx(losses(down), rel=1e-5)
    assert weights(jumping, "w")[0] == pytest.approx(5.4)
    sides = [w > 3 for w in weights(jumping, "w")]
    assert sides == [True, False] * 6
    standing = down.what_if({"lr": 1.0})
    assert losses(standing) == [9.0] * 12
    [still] = standing.problems()
    assert still.kind == "loss_still"
    assert "every gradient had turned round by the next update" in still.todo.en
    assert "at a learning rate of 1, updates jump over the minimum" in still.todo.en
    growing = losses(down.what_if({"lr": 1.1}))
    assert growing[1] / growing[0] == pytest.approx(1.2**2)
    first = viz.diff(down, jumping).summary("en")[1]
    assert first.startswith("① first difference in Round 1")
    assert first.endswith("w 0.6 → 5.4")


def test_what_is_said_of_two_weights_is_so(lesson_9: dict[str, Any]) -> None:
    by_sgd, by_adam = lesson_9["by_sgd"], lesson_9["by_adam"]
    thrown_out = losses(by_sgd.what_if({"lr": 0.11}))
    assert thrown_out == sorted(thrown_out)
    falling = losses(by_sgd)
    assert falling == sorted(falling, reverse=True)
    curve = losses(by_adam)
    assert min(curve) < 0.001
    assert curve[-1] > 0.7
    text = by_adam.round(0).text()
    assert "[20, 0.2]" in text.replace("20.0", "20")
    first = viz.diff(by_sgd, by_adam).summary("en")[1]
    assert first.startswith("① first difference in Round 1")
    assert first.endswith("w [0] −0.8 → 0.9")
    assert "[1, 1]" in text


def test_a_loop_that_does_not_clear_swings(lesson_9: dict[str, Any]) -> None:
    swinging = lesson_9["swinging"]
    curve = losses(swinging)
    assert min(curve[:5]) < 0.01
    assert max(curve[5:9]) > 9
    assert min(curve[9:13]) < 0.01
    [problem] = swinging.problems()
    assert problem.kind == "carried_over"
    assert swinging.chapter_at(problem.step).round == 1
    assert "−6 + −4.8 = −10.8" in the(told(swinging.round(1)), "old gradient")


def test_what_is_said_of_vanished_gradients_is_so(lesson_9: dict[str, Any]) -> None:
    usual, faint = sizes(lesson_9["usual"], "weight"), sizes(lesson_9["faint"], "weight")
    assert max(usual) < 2 * min(usual)
    assert max(faint) < min(usual) / 10_000
    assert kinds(lesson_9["faint"]) == ["vanishing"]
    assert kinds(lesson_9["usual"]) == []
    learnt = lesson_9["faint"].rounds[-1].sizes[-1]
    assert learnt.name == "last.bias"
    assert learnt.grad > 50 * max(size.grad for size in lesson_9["faint"].rounds[-1].sizes[:-1])


def boxes_of_dropout(trace: viz.Trace) -> list[str]:
    """The boxes of a picture in which something is dropped."""
    labels = [str(box.label) for box in trace.shown.trace.story.graph.nodes]
    return [label for label in labels if label == "dropout"]


def test_evaluation_mode_is_told_though_the_curve_falls(lesson_9: dict[str, Any]) -> None:
    curve = losses(lesson_9["still_eval"])
    assert curve == sorted(curve, reverse=True)
    assert kinds(lesson_9["still_eval"]) == ["eval_in_training"]
    net, x = lesson_9["net"], lesson_9["x"]
    assert not boxes_of_dropout(lesson_9["still_eval"])
    net.train()
    with viz.record() as training:
        net(x)
    assert boxes_of_dropout(training)


def test_a_step_that_changes_the_weight_in_place_is_right_too() -> None:
    code = solutions(LESSON)["adam_step"]
    in_place = code.replace("w = w - lr * m_hat / (", "w.subtract_(lr * m_hat / (")
    in_place = in_place.replace("1e-8)\n", "1e-8))\n")
    assert in_place.count("subtract_") == 1
    answer = answer_in(LESSON, "adam_step", "adam_step", in_place)
    assert exercises.load(LESSON)["adam_step"].judge(answer).solved


def test_each_of_the_five_runs_shows_its_fault(lesson_9: dict[str, Any]) -> None:
    runs = [lesson_9[name] for name in ("one", "two", "three", "four", "five")]
    told_of = {
        0: ["exploding"],
        1: [],
        2: ["carried_over"],
        3: ["not_updated", "loss_still"],
        4: ["not_updated"],
    }
    assert [kinds(run) for run in runs] == [told_of[fault] for fault in lesson_9["faults"]]
    waves, level, slow, growing, still = map(losses, runs)
    assert growing == sorted(growing)
    assert slow == sorted(slow, reverse=True)
    assert slow[-1] > 0.8 * slow[0]
    assert len(set(still)) == 1
    assert level[-1] == pytest.approx(level[-5], rel=1e-3)
    assert level[-1] > 1
    turns = [b > a for a, b in pairwise(waves)]
    assert sum(a != b for a, b in pairwise(turns)) >= 4
