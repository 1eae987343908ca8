"""Attention, predicted classes and accuracy, found in the records and compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.nn import functional as F
from tests.each import each
from tests.static.world import fresh
from viz.facts.views import Place, views_of
from viz.trace import Trace

TOKENS = [[0, 1, 2, 3, 0, 4], [1, 2, 3, 0, 4, 1]]
Run = Callable[[Any], Any]


def views_in(trace: Trace, chapter: int = 0) -> Any:
    found = trace.chapters[chapter]
    return views_of(found.trace.events, found.given, found.trace.story)


def shown_at(trace: Trace, place: Place, chapter: int = 0) -> Any:
    step, at = place
    return trace.chapters[chapter].trace.story.steps[step].shown[at]


def array_at(trace: Trace, place: Place, chapter: int = 0) -> Any:
    return np.asarray(shown_at(trace, place, chapter).value["data"])


# ----- attention ---------------------------------------------------------------------------------


def by_layer(x: Any) -> Any:
    return nn.MultiHeadAttention(8, 2, need_weights=True)(x, x, x)[1:]


def by_encoder(x: Any) -> Any:
    nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1), 2)(x).sum().backward()
    return ()


def by_hand(x: Any) -> Any:
    x = x + nn.Embedding(6, 8)(paddle.arange(6))
    q, k, v = nn.Linear(8, 24)(x).reshape([2, 6, 3, 2, 4]).transpose([2, 0, 3, 1, 4])
    scores = q @ k.mT / 2.0
    weights = F.softmax(scores + paddle.triu(paddle.full([6, 6], -1e9), 1))
    (weights @ v).sum().backward()
    return scores, weights


def by_function(x: Any) -> Any:
    x = x.reshape([2, 6, 2, 4])
    F.scaled_dot_product_attention(x, x, x, is_causal=True)
    return ()


@each("run", [by_layer, by_encoder, by_hand, by_function])
def test_attention_is_found_with_its_tokens(run: Run) -> None:
    paddle.seed(3)
    ids, embedding = paddle.to_tensor(TOKENS), nn.Embedding(5, 8)
    with viz.record() as trace:
        arrays = run(embedding(ids))
    found = views_in(trace)["attention"]
    assert len(found) == (2 if run is by_encoder else 1)
    for row in found:
        assert array_at(trace, row["queries"]).tolist() == TOKENS
        assert row["queries"] == row["keys"]
        assert {array_at(trace, at).shape for at in row["maps"]} == {(2, 2, 6, 6)}
    for array in arrays:
        shown = [array_at(trace, at).astype("float32") for at in found[0]["maps"]]
        assert any(np.array_equal(each, array.numpy()) for each in shown)


def test_scores_and_their_gradients_are_maps_but_queries_of_equal_shape_are_not() -> None:
    q, k, v = (paddle.randn([3, 3]) for _ in "qkv")
    q.stop_gradient = False
    with viz.record() as trace:
        (F.softmax(q @ k.T) @ v).sum().backward()
    (row,) = views_in(trace)["attention"]
    assert row["queries"] is row["keys"] is None
    shown = [shown_at(trace, at) for at in row["maps"]]
    assert [x.role for x in shown] == ["output", "output", "grad_in", "grad_out", "grad_in"]
    assert not {"q", "k", "v", "dq"} & {x.name for x in shown}


@each("mix", [
    lambda x: F.softmax(x @ x), lambda x: F.relu(x @ x) @ x, lambda x: F.softmax(x) @ x,
    nn.Sequential(nn.Linear(3, 3), nn.Softmax(), nn.Linear(3, 3)),
    lambda x: F.softmax(x @ nn.Linear(3, 3).weight.T) @ x,
])  # fmt: skip
def test_other_products_and_softmaxes_are_no_attention(mix: Run) -> None:
    x = paddle.randn([3, 3])
    with viz.record() as trace:
        mix(x)
    assert views_in(trace) == {}


@each("move", [lambda x: paddle.flip(x, [1]), lambda x: paddle.roll(x, 1, 1), lambda x: x[:, ::-1]])
def test_tokens_that_may_have_moved_are_not_named(move: Run) -> None:
    ids, embedding = paddle.to_tensor(TOKENS), nn.Embedding(5, 8)
    with viz.record() as trace:
        x = move(embedding(ids))
        F.softmax(x @ x.mT) @ x
    (row,) = views_in(trace)["attention"]
    assert row["queries"] is row["keys"] is None


# ----- classes -----------------------------------------------------------------------------------


def trained(loss_of: Any, batch: int = 7, size: int = 8) -> tuple[Trace, list[tuple[Any, Any]]]:
    """Train on random images; return the trace, and the scores and labels of each round."""
    paddle.seed(2)
    net = nn.Sequential(
        nn.Conv2D(1, 4, 3, padding=1), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2, 2),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(size * size, 10),
    )  # fmt: skip
    optimizer = paddle.optimizer.Adam(0.02, parameters=net.parameters())
    numbers = np.random.default_rng(5)
    known = []
    with viz.record() as trace:
        for _ in range(4):
            images = paddle.to_tensor(numbers.random((batch, 1, size, size)).astype("float32"))
            labels = paddle.to_tensor(numbers.integers(0, 10, batch))
            scores = net(images)
            loss_of(scores, labels).backward()
            optimizer.step()
            optimizer.clear_grad()
            known.append((scores.numpy(), labels.numpy()))
    return trace, known


def ignoring(scores: Any, labels: Any) -> Any:
    return F.cross_entropy(scores, labels, ignore_index=3)


def of_logarithms(scores: Any, labels: Any) -> Any:
    return F.nll_loss(F.log_softmax(scores), labels)


@each("loss_of", [F.cross_entropy, of_logarithms, ignoring])
def test_accuracy_of_each_round_is_that_of_numpy(loss_of: Any) -> None:
    trace, known = trained(loss_of)
    for k, (scores, labels) in enumerate(known):
        kept = labels != (3 if loss_of is ignoring else -100)
        right = (scores.argmax(1) == labels)[kept]
        assert trace.rounds[k].accuracy == (right.sum(), right.size)
        (row,) = views_in(trace, k)["classes"]
        assert (array_at(trace, row["scores"], k).argmax(1) == scores.argmax(1)).all()
        assert (array_at(trace, row["labels"], k).reshape(-1) == labels).all()
        assert array_at(trace, row["images"], k).shape == (7, 1, 8, 8)
    assert len({each.accuracy for each in trace.rounds}) > 1


def test_accuracy_of_a_program_is_that_of_its_runs() -> None:
    with fresh() as (main, startup):
        images = paddle.static.data("images", [-1, 1, 8, 8])
        labels = paddle.static.data("labels", [-1], "int64")
        scores = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))(images)
        paddle.optimizer.SGD(0.1).minimize(F.cross_entropy(scores, labels))
        executor = paddle.static.Executor()
        executor.run(startup)
        numbers, rights = np.random.default_rng(1), []
        with viz.record() as trace:
            for _ in range(3):
                known = numbers.integers(0, 10, 9)
                feed = {"images": numbers.random((9, 1, 8, 8)).astype("float32"), "labels": known}
                [got] = executor.run(main, feed=feed, fetch_list=[scores])
                rights.append((int((got.argmax(1) == known).sum()), 9))
    assert [each.accuracy for each in trace.rounds] == rights
    (row,) = views_in(trace, 1)["classes"]
    assert shown_at(trace, row["images"], 1).name == "images"


@each("loss_of", [
    lambda scores, labels: F.cross_entropy(scores, labels, label_smoothing=0.1),
    lambda scores, labels: F.cross_entropy(scores, F.one_hot(labels, 10), soft_label=True),
    lambda scores, labels: F.cross_entropy(scores, labels) + F.cross_entropy(scores * 2.0, labels),
    lambda scores, labels: F.cross_entropy(scores * float("nan"), labels),
    lambda scores, _: (scores ** 2).mean(),
])  # fmt: skip
def test_an_uncertain_accuracy_is_left_out(loss_of: Any) -> None:
    assert {each.accuracy for each in trained(loss_of)[0].rounds} == {None}


def test_scores_that_were_not_recorded_whole_have_no_accuracy() -> None:
    trace, _ = trained(F.cross_entropy, batch=500, size=2)
    assert {each.accuracy for each in trace.rounds} == {None}


@each("move", [lambda x: x, lambda x: paddle.flip(x, [0]), lambda x: x[paddle.to_tensor([1, 0, 2])],
               lambda x: x.reshape([1, 64, 3]).transpose([2, 1, 0])])  # fmt: skip
def test_an_image_has_no_class_where_examples_may_have_moved(move: Run) -> None:
    images, layer = paddle.rand([3, 1, 8, 8]), nn.Linear(64, 10)
    with viz.record() as trace:
        guesses = layer(move(images).reshape([3, 64])).argmax(axis=-1)
    (row,) = views_in(trace)["classes"]
    assert array_at(trace, row["scores"]).argmax(1).tolist() == guesses.tolist()
    kept = np.array_equal(move(images).reshape([3, 64]).numpy(), images.reshape([3, 64]).numpy())
    assert (row["images"] is not None) is kept
