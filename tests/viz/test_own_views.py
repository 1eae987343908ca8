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
from viz.document.values import flatten
from viz.facts.views import Place, views_of
from viz.trace import Trace

TOKENS = [[0, 1, 2, 3, 0, 4], [1, 2, 3, 0, 4, 1]]
Scores = Callable[[Any, Any], Any]


def views_in(trace: Trace, chapter: int = 0) -> Any:
    found = trace.chapters[chapter]
    return views_of(found.trace.events, found.given, found.trace.story)


def shown_at(trace: Trace, place: Place, chapter: int = 0) -> Any:
    step, at = place
    return trace.chapters[chapter].trace.story.steps[step].shown[at]


def array_at(trace: Trace, place: Place, chapter: int = 0) -> Any:
    return np.asarray(shown_at(trace, place, chapter).value["data"])


# ----- attention ---------------------------------------------------------------------------------


def embedded() -> tuple[Any, Any]:
    paddle.seed(3)
    return paddle.to_tensor(TOKENS), nn.Embedding(5, 8)


def by_layer() -> tuple[Trace, list[Any]]:
    ids, embedding = embedded()
    layer = nn.MultiHeadAttention(8, 2, need_weights=True)
    with viz.record() as trace:
        x = embedding(ids)
        _, weights = layer(x, x, x)
    return trace, [weights.numpy()]


def by_encoder() -> tuple[Trace, list[Any]]:
    ids, embedding = embedded()
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1), 2)
    with viz.record() as trace:
        encoder(embedding(ids)).sum().backward()
    return trace, []


def by_hand() -> tuple[Trace, list[Any]]:
    ids, embedding = embedded()
    places, project = nn.Embedding(6, 8), nn.Linear(8, 24)
    with viz.record() as trace:
        x = embedding(ids) + places(paddle.arange(6))
        q, k, v = project(x).reshape([2, 6, 3, 2, 4]).transpose([2, 0, 3, 1, 4])
        scores = q @ k.mT / 2.0
        mask = paddle.triu(paddle.full([6, 6], -1e9), 1)
        weights = F.softmax(scores + mask)
        (weights @ v).sum().backward()
    return trace, [scores.numpy(), weights.numpy()]


def by_function() -> tuple[Trace, list[Any]]:
    ids, embedding = embedded()
    with viz.record() as trace:
        x = embedding(ids).reshape([2, 6, 2, 4])
        F.scaled_dot_product_attention(x, x, x, is_causal=True)
    return trace, []


@each("program", [by_layer, by_encoder, by_hand, by_function])
def test_attention_is_found_with_its_tokens(program: Callable[[], tuple[Trace, list[Any]]]) -> None:
    trace, arrays = program()
    found = views_in(trace)["attention"]
    assert len(found) == (2 if program is by_encoder else 1)
    for row in found:
        assert array_at(trace, row["queries"]).tolist() == TOKENS
        assert row["queries"] == row["keys"]
        forward = [at for at in row["maps"] if shown_at(trace, at).role == "output"]
        weights = array_at(trace, forward[-1]).astype(float)
        assert weights.shape == (2, 2, 6, 6)
        assert {len(shown_at(trace, at).value["shape"]) for at in row["maps"]} == {4}
    for array in arrays:
        shown = [array_at(trace, at) for at in found[0]["maps"]]
        assert any(np.array_equal(each.astype(array.dtype), array) for each in shown)


def test_scores_and_their_gradients_are_maps_but_queries_of_equal_shape_are_not() -> None:
    q, k, v = (paddle.randn([3, 3]) for _ in "qkv")
    q.stop_gradient = False
    with viz.record() as trace:
        (F.softmax(q @ k.T) @ v).sum().backward()
    (row,) = views_in(trace)["attention"]
    assert row["queries"] is row["keys"] is None
    shown = [(shown_at(trace, at).role, shown_at(trace, at).name) for at in row["maps"]]
    assert [role for role, _ in shown] == ["output", "output", "grad_in", "grad_out", "grad_in"]
    assert not {"q", "k", "v", "dq"} & {name for _, name in shown}


def scores_of_classes(x: Any, w: Any) -> Any:
    return F.softmax(x @ w)


@each("mix", [scores_of_classes, lambda x, w: F.relu(x @ w) @ w, lambda x, w: F.softmax(x) @ w])
def test_other_products_and_softmaxes_are_no_attention(mix: Scores) -> None:
    x, w = paddle.randn([3, 3]), paddle.randn([3, 3])
    with viz.record() as trace:
        mix(x, w)
    assert views_in(trace) == {}


@each("move", [lambda x: paddle.flip(x, [1]), lambda x: paddle.roll(x, 1, 1), lambda x: x[:, ::-1]])
def test_tokens_that_may_have_moved_are_not_named(move: Callable[[Any], Any]) -> None:
    ids, embedding = embedded()
    with viz.record() as trace:
        x = move(embedding(ids))
        F.softmax(x @ x.mT) @ x
    (row,) = views_in(trace)["attention"]
    assert row["queries"] is row["keys"] is None


# ----- classes -----------------------------------------------------------------------------------


def digits(batch: int, rounds: int, loss_of: Any = F.cross_entropy) -> tuple[Trace, list[Any]]:
    """Train on random images; return the trace, and the scores and labels of each round."""
    paddle.seed(2)
    net = nn.Sequential(
        nn.Conv2D(1, 4, 3, padding=1), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2, 2),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(64, 10),
    )  # fmt: skip
    optimizer = paddle.optimizer.Adam(0.02, parameters=net.parameters())
    numbers = np.random.default_rng(5)
    known = []
    with viz.record() as trace:
        for _ in range(rounds):
            images = paddle.to_tensor(numbers.random((batch, 1, 8, 8)).astype("float32"))
            labels = paddle.to_tensor(numbers.integers(0, 10, batch))
            scores = net(images)
            loss = loss_of(scores, labels)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            known.append((scores.numpy(), labels.numpy()))
    return trace, known


def nll(scores: Any, labels: Any) -> Any:
    return F.nll_loss(F.log_softmax(scores), labels)


@each("loss_of", [F.cross_entropy, nll])
def test_accuracy_of_each_round_is_that_of_numpy(loss_of: Any) -> None:
    trace, known = digits(7, 5, loss_of)
    rights = [int((scores.argmax(1) == labels).sum()) for scores, labels in known]
    assert [each.accuracy for each in trace.rounds] == [(right, 7) for right in rights]
    assert len({*rights}) > 1
    for k, (scores, labels) in enumerate(known):
        (row,) = views_in(trace, k)["classes"]
        given = array_at(trace, row["scores"], k)
        assert (given.argmax(1) == scores.argmax(1)).all()
        assert flatten([array_at(trace, row["labels"], k).reshape(-1).tolist()]) == (*labels,)
        assert array_at(trace, row["images"], k).shape == (7, 1, 8, 8)


def test_accuracy_of_a_program_is_that_of_its_runs() -> None:
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            images = paddle.static.data("images", [-1, 1, 8, 8])
            labels = paddle.static.data("labels", [-1], "int64")
            scores = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))(images)
            loss = F.cross_entropy(scores, labels)
            paddle.optimizer.SGD(0.1).minimize(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        numbers, rights = np.random.default_rng(1), []
        with viz.record() as trace:
            for _ in range(3):
                feed = {
                    "images": numbers.random((9, 1, 8, 8)).astype("float32"),
                    "labels": numbers.integers(0, 10, 9),
                }
                [got] = executor.run(main, feed=feed, fetch_list=[scores])
                rights.append((int((got.argmax(1) == feed["labels"]).sum()), 9))
    finally:
        paddle.disable_static()
    assert [each.accuracy for each in trace.rounds] == rights
    (row,) = views_in(trace, 1)["classes"]
    assert shown_at(trace, row["images"], 1).name == "images"


def ignoring(scores: Any, labels: Any) -> Any:
    return F.cross_entropy(scores, labels, ignore_index=3)


def test_ignored_labels_do_not_count() -> None:
    trace, known = digits(9, 3, ignoring)
    for each_round, (scores, labels) in zip(trace.rounds, known, strict=True):
        kept = labels != 3
        right = int((scores.argmax(1) == labels)[kept].sum())
        assert each_round.accuracy == (right, int(kept.sum()))


@each("loss_of", [
    lambda scores, labels: F.cross_entropy(scores, labels, label_smoothing=0.1),
    lambda scores, labels: F.cross_entropy(scores, F.one_hot(labels, 10), soft_label=True),
    lambda scores, labels: F.cross_entropy(scores, labels) + F.cross_entropy(scores * 2.0, labels),
    lambda scores, labels: F.cross_entropy(scores * float("nan"), labels),
    lambda scores, _: (scores ** 2).mean(),
])  # fmt: skip
def test_nothing_is_said_where_accuracy_is_not_sure(loss_of: Any) -> None:
    trace, _ = digits(4, 2, loss_of)
    assert [each.accuracy for each in trace.rounds] == [None, None]


def test_scores_that_were_not_recorded_whole_have_no_accuracy() -> None:
    x, labels = paddle.randn([500, 20]), paddle.zeros([500], "int64")
    layer = nn.Linear(20, 10)
    with viz.record() as trace:
        for _ in range(2):
            F.cross_entropy(layer(x), labels).backward()
    assert [each.accuracy for each in trace.rounds] == [None, None]


@each("move", [lambda x: paddle.flip(x, [0]), lambda x: x[paddle.to_tensor([1, 0, 2])],
               lambda x: x.reshape([1, 24, 8]).transpose([2, 1, 0])[:3]])  # fmt: skip
def test_an_image_has_no_class_where_examples_may_have_moved(move: Callable[[Any], Any]) -> None:
    images, layer = paddle.rand([3, 1, 8, 8]), nn.Linear(64, 10)
    with viz.record() as trace:
        x = move(images).reshape([3, -1])
        if x.shape[1] == 64:
            layer(x).argmax(axis=1)
        else:
            x.argmax(axis=1)
    (row,) = views_in(trace)["classes"]
    assert row["images"] is None


def test_argmax_names_classes_too() -> None:
    images, layer = paddle.rand([3, 1, 8, 8]), nn.Linear(64, 10)
    with viz.record() as trace:
        guesses = layer(images.flatten(1)).argmax(axis=-1)
    (row,) = views_in(trace)["classes"]
    assert row["labels"] is None
    assert array_at(trace, row["scores"]).argmax(1).tolist() == guesses.tolist()
    assert shown_at(trace, row["images"]).name == "images"
