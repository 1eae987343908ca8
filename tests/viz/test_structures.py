"""Texts about how a structure differs from the commonest, in rare cases; goldens have others."""

from typing import Any

import minipaddle as paddle
import viz


def test_a_gradient_that_happens_to_be_zero_is_reported() -> None:
    w = paddle.create_parameter([1], "float32")
    with viz.record("zero") as trace:
        for factor in viz.rounds((1.0, 1.0, 0.0, 1.0)):
            for _ in range(2):
                (w * factor).sum().backward()
            w.clear_gradient(False)
    told = [each.differs.en for each in trace.structures]
    assert told == ["", "an old .grad to add to is all zeros"]
    assert trace.structures[1].rounds == (2,)


def test_more_equal_inputs_are_no_bigger_batch() -> None:
    x, w = paddle.ones([1, 2]), paddle.create_parameter([2, 2], "float32")
    with viz.record("inputs") as trace:
        for number in (1, 1, 2):
            (paddle.add_n([x] * number) @ w).sum().backward()
            w.clear_gradient(False)
    assert [each.differs.en for each in trace.structures] == ["", "other steps"]


def test_a_round_that_differs_only_in_its_line_names_the_line() -> None:
    w: Any = paddle.create_parameter([1], "float32")
    with viz.record("lines") as trace:
        for i in range(3):
            if i == 1:
                (w * 2.0).mean().backward()
            else:
                (w * 2.0).mean().backward()
            w.clear_gradient(False)
    usual, other = trace.structures
    assert (usual.rounds, other.rounds) == ((0, 2), (1,))
    line = next(e.place.line for e in trace.round(1).events if getattr(e, "place", None))
    assert other.differs.en == f"other lines of code: tests/viz/test_structures.py:{line}"


def test_rounds_of_one_line_with_other_rules_differ() -> None:
    w: Any = paddle.create_parameter([1], "float32")
    clip = paddle.nn.ClipGradByGlobalNorm(0.5)
    plain, decayed, clipped = (
        paddle.optimizer.SGD(0.1, parameters=[w], **how)
        for how in ({}, {"weight_decay": 0.5}, {"grad_clip": clip})
    )
    with viz.record("rules") as trace:
        for sgd in (plain, decayed, plain, clipped, plain):
            w.mean().backward()
            sgd.step()
            sgd.clear_grad()
    assert {each.rounds for each in trace.structures} == {(0,), (1,), (2, 4), (3,)}
    for number, sign in ((1, "g ← g + 0.5 p"), (3, "max(‖G‖, 0.5)")):
        (own,) = (each for each in trace.structures if number in each.rounds)
        assert all(sign in text for text in own.differs.by_language().values())


def test_a_result_without_a_name_is_called_by_the_op_that_computed_it() -> None:
    x = paddle.to_tensor([1.0, 2.0])
    with viz.record("nameless") as trace:
        for _ in viz.rounds(range(3)):
            x = x * 2.0
            x.sum()
    (alike,) = trace.structures
    assert [str(n.label) for n in alike.graph.nodes if n.kind == "result"] == ["sum"]
