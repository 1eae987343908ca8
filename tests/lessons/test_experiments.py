"""checks.experiment judges answers by their effects."""

from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.exercises import Exercise, Failed, NotYet, Outcome, Right, Slip, Wrong, checks
from tests.each import each


def double(w: Any) -> None:
    """Double a tensor in place, as the exercise requires."""
    w.set_value(w * 2)


def used(answer: Callable[[Any], Any], start: Any) -> dict[str, Any]:
    """Return the Tensor after an answer has changed it."""
    w = paddle.to_tensor(start)
    returned = answer(w)
    return {"w": w, "returned value": returned}


DOUBLED = Exercise(
    "doubled",
    check=checks.experiment(
        double, inputs=lambda rng: {"start": np.round(rng.standard_normal(3), 1)}, use=used
    ),
    slips=[
        Slip("new_tensor", gives=lambda w: None, hint="w is as it was."),
        Slip("missing_name", gives=lambda w: w.lost, hint="Tensors have no lost."),
        Slip("returned", gives=lambda w: w * 2, hint="Change w itself; return nothing."),
    ],
)


def judged(answer: Any) -> Outcome:
    return DOUBLED.judge(answer)


def nothing(w: Any) -> None:
    """A stub."""


def test_a_stub_is_not_yet_an_answer_and_a_number_never_one() -> None:
    assert isinstance(judged(nothing), NotYet)
    outcome = judged(3)
    assert isinstance(outcome, Wrong)
    assert outcome.slip == "no_function"
    assert outcome.reason.en == "A function of w is asked for. This is int."


def test_a_class_is_a_stub_while_one_of_its_methods_is() -> None:
    class Given:
        @staticmethod
        def forward(w: Any) -> None:
            w.set_value(w * 2)

        @staticmethod
        def backward(w: Any) -> None:
            """Write me."""

    check = checks.experiment(double, inputs=lambda rng: {}, use=lambda answer: {})
    assert isinstance(Exercise("stub", check=check).judge(Given), NotYet)
    Given.backward = Given.forward  # type: ignore[method-assign]
    assert isinstance(Exercise("written", check=check).judge(Given), Right)


@each(
    ("answer", "slip"),
    [
        (lambda w: setattr(w, "name", "other"), "new_tensor"),
        (lambda w: w + w, "returned"),
        (lambda w: w.lost, "missing_name"),
    ],
)
def test_a_wrong_answer_is_recognized_by_its_result(answer: Any, slip: str) -> None:
    outcome = judged(answer)
    assert isinstance(outcome, Wrong)
    assert outcome.slip == slip


def test_more_results_than_expected_are_wrong() -> None:
    def both(w: Any) -> int:
        double(w)
        return 1

    outcome = judged(both)
    assert isinstance(outcome, Wrong)
    assert outcome.reason.en.endswith("There should be no returned value.")


def doubled_and_back(answer: Callable[[Any], Any], x: Any) -> dict[str, Any]:
    """Return the result and a gradient, without a check of the answer's result."""
    x = paddle.to_tensor(x, stop_gradient=False)
    y = answer(x)
    y.backward(paddle.ones([3]))
    if "stop" in y.name:
        raise LookupError("the check's own")
    return {"y": y, "dx": x.grad}


def named(tensor: Any, name: str) -> Any:
    tensor.name = name
    return tensor


BACK = Exercise(
    "back",
    check=checks.experiment(
        lambda x: x * 2, inputs=lambda rng: {"x": rng.uniform(1, 2, 3)}, use=doubled_and_back
    ),
)


@each(
    ("answer", "kind", "said"),
    [
        (lambda x: (x * 2).sum(), Wrong, "of shape []; it should be a Tensor of shape [3]"),
        (lambda x: [x * 2], Wrong, "a tuple or list of 1, the first a Tensor of shape [3]"),
        (lambda x: print(end=""), Wrong, "gives back nothing"),
        (lambda x: x.lost, Failed, "Your answer stopped"),
        (lambda x, more: x, Failed, "Your answer stopped"),
        (lambda x: named(x * 2, "stop"), Failed, "The check cannot go on"),
    ],
    ids=str,
)
def test_the_checks_own_failure_is_not_blamed_on_the_answer(
    answer: Any, kind: type[Outcome], said: str
) -> None:
    # As in a lesson, answer and check are in different files.
    answer.__code__ = answer.__code__.replace(co_filename="cell.py")
    outcome = BACK.judge(answer)
    assert isinstance(outcome, kind)
    assert said in outcome.reason.en
    assert outcome.error.en.startswith("LookupError") is ("go on" in said)
