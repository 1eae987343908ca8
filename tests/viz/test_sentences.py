"""Sentences say what an op does with its numbers, and what its backward does."""

import minipaddle as paddle
import minipaddle.nn.functional as F
import viz
from minipaddle import nn
from viz.trace import Trace


def told(trace: Trace) -> list[str]:
    """Return the sentences, except those about memory."""
    return [step.text.en for step in trace.story.steps if step.kind not in ("save", "release")]


def visits(trace: Trace) -> list[str]:
    return [step.text.en for step in trace.story.steps if step.kind == "visit"]


def test_sentences_show_the_calculation_of_single_numbers() -> None:
    with viz.record() as trace:
        w, x = paddle.to_tensor(-0.8), paddle.to_tensor(1.5)
        loss = w * x
        squared = loss**2
        rest = 1 - squared
        rows = paddle.to_tensor([1.0, 2.0]) * w
        rows**2
        small = loss > x
    assert not small.item()
    assert rest.item() < 0
    text = told(trace)
    assert text[0] == "loss = w × x = −0.8 × 1.5 = −1.2."
    assert text[1] == "squared = loss ^ 2 = (−1.2) ^ 2 = 1.44."
    assert text[2] == "rest = 1 − squared = 1 − 1.44 = −0.44."
    assert "rows [2] is raised to the power 2" in text[4]
    assert text[5] == "small = loss > x: −1.2 > 1.5 is False."
    figures = trace.what_if({"w": 2.0}).text()
    assert "loss = w × x = 2 × 1.5 = 3." in figures
    assert "squared = loss ^ 2 = 3 ^ 2 = 9." in figures


def test_sentences_of_ops_name_their_arguments() -> None:
    with viz.record() as trace:
        x = paddle.randn([2, 1, 6, 6])
        conv = nn.Conv2D(1, 6, 3, bias_attr=False)
        images = conv(x)
        norm = nn.BatchNorm2D(6)
        a = norm(images)
        norm.eval()
        b = norm(images)
        c = F.layer_norm(x, [6, 6])
        d = F.dropout(x, 0.2)
        f = x.clip(max=1.0)
        words = paddle.to_tensor([[1], [0]])
        table = paddle.randn([3, 4])
        g = F.embedding(words, table, padding_idx=0)
        h = table[0]
        k = table[:, 1:]
        m = table[1:2, 1:]
        costs = F.cross_entropy(table, paddle.to_tensor([0, 1, -100]), reduction="none")
        kept = F.cross_entropy(table, paddle.to_tensor([0, 1, 2]), reduction="none")
        largest = paddle.argmax(table, axis=1)
    assert all(one is not None for one in (a, b, c, d, f, g, h, k, m, costs, kept, largest))
    text = "\n".join(told(trace))
    assert "randn draws normal numbers (mean 0, standard deviation 1): x [2, 1, 6, 6]." in text
    assert "6 filters of 3×3 slide over x [2, 1, 6, 6]" in text
    assert text.count("mean 0 and variance 1, then times norm.weight plus norm.bias") == 1
    assert "by its running mean and scaled by its running variance, then times norm.weight" in text
    assert "mean 0 and variance 1 over its last 2 axes, giving c" in text
    assert "with probability 0.2 and divides the rest by 1 − 0.2, giving d" in text
    assert "What is above 1 in x [2, 1, 6, 6] becomes 1, giving f" in text
    assert "zeros where it is 0, give g" in text
    assert "h [4] is row 0 of table." in text
    assert "k [3, 3] is table without its first column." in text
    assert "is table[1:2, 1:], a part of table [3, 4]" in text
    assert text.count("0 where that is −100") == 1
    assert (
        "The index of the largest element of table [3, 4] along axis 1 gives largest [3]." in text
    )


def test_ops_without_words_of_their_own_have_a_plain_sentence() -> None:
    with viz.record() as trace:
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        both = paddle.maximum(x, x)
        turned = paddle.exp(paddle.to_tensor([1j, 2j], stop_gradient=False))
        turned.abs().sum().backward()
        both.sum().backward()
    text = visits(trace)
    assert any("makes 2 gradients of x" in said for said in text)
    assert not any(said.startswith("exp passes") for said in text)


def test_only_the_gradient_of_the_loss_is_softmax_minus_label() -> None:
    with viz.record() as trace:
        x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
        loss, other = F.softmax_with_cross_entropy(x, paddle.to_tensor([[1]]), return_softmax=True)
        loss.backward(retain_graph=True)
        (other * loss).sum().backward()
    text = [said for said in visits(trace) if "softmax" in said]
    assert "is (the probability of each class, minus 1 at the label) times dloss" in text[0]
    assert "minus 1 at the label" not in text[-1]
