"""Plots of a training run: their contents, sources and languages."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")
import matplotlib.pyplot as plt

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from viz.draw import plots

from ..conftest import missing
from . import programs


def training(steps=3):
    paddle.seed(0)
    net = paddle.nn.Linear(3, 2)
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.to_tensor(np.array(programs.ROWS, "float32"))
    losses = []
    with viz.record() as trace:
        for _ in range(steps):
            h = paddle.tanh(net(x))
            loss = (h * h).mean()
            loss.backward()
            losses.append(loss.item())
            sgd.step()
            sgd.clear_grad()
    return trace, net, losses


def texts(ax):
    return [text.get_text() for text in ax.texts]


# ----- loss --------------------------------------------------------------------------------------


def test_a_trace_gives_the_losses_that_backward_started_from():
    trace, _, losses = training()
    ax = viz.plots.loss(trace)
    assert ax.lines[0].get_ydata().tolist() == pytest.approx(losses, rel=1e-6)
    assert ax.lines[0].get_xdata().tolist() == [1, 2, 3]


def test_plots_draw_into_the_given_axes_and_return_them():
    figure, (one, other) = plt.subplots(1, 2)
    assert plots.loss([1.0, 2.0], ax=other) is other
    assert not one.lines
    assert plots.loss([1.0]).figure is not figure


# ----- gradients ---------------------------------------------------------------------------------


def test_no_gradient_and_zero_have_different_marks_and_no_bar():
    ax = plots.gradient_flow({"a": None, "b": np.zeros(3), "c": np.ones(2)})
    assert texts(ax) == [" None", " 0"]
    assert len(ax.patches) == 1


def test_a_trace_knows_only_the_largest_element_of_a_large_gradient():
    weight = paddle.create_parameter([5000], "float32")
    with viz.record() as trace:
        loss = weight * weight * paddle.to_tensor(np.arange(5000, dtype="float32"))
        loss.backward(paddle.ones([5000]))
    ax = viz.plots.gradient_flow(trace)
    assert not ax.patches
    (tick,) = ax.lines
    largest = float(np.abs(weight.grad.numpy()).max())
    assert tick.get_xdata().tolist() == pytest.approx([largest], rel=1e-6)
    total = float(loss.numpy().astype("float64").sum())
    assert plots.losses_of(trace) == pytest.approx([total], rel=1e-4)


def test_parameters_have_the_names_of_layers_and_traces():
    trace, net, _ = training()
    names = {"net.weight", "net.bias"}
    assert set(plots.gradients_of(trace)) == names
    assert all(np.abs(g).max() > 0 for g in plots.gradients_of(trace).values())
    cleared = plots.gradients_of(net)
    assert {name: float(grad.abs().sum()) for name, grad in cleared.items()} == {
        "weight": 0.0,
        "bias": 0.0,
    }
    ax = plots.gradient_flow(trace)
    assert {label.get_text() for label in ax.get_yticklabels()} == names


# ----- activations -------------------------------------------------------------------------------


def test_each_column_is_the_histogram_of_one_step():
    rows = [np.array([0.0, 0.0, 1.0]), np.array([1.0, 1.0, np.nan])]
    ax = plots.activations(rows)
    shares = ax.images[0].get_array()
    assert shares.shape == (plots.BINS, 2)
    assert shares[:, 0].tolist()[0] == pytest.approx(2 / 3)
    assert shares[:, 1].tolist()[-1] == pytest.approx(1.0)
    assert ax.lines[0].get_ydata().tolist() == [0.0, 1.0]  # line of the median


def test_wrong_plots_are_refused():
    trace, _, _ = training(1)
    with pytest.raises(InvalidArgument, match="needs the name of a tensor"):
        viz.plots.activations(trace)
    with pytest.raises(InvalidArgument, match="there are no activations to draw"):
        plots.activations(trace, of="nobody")


# ----- looks -------------------------------------------------------------------------------------


def test_chinese_labels_have_a_font(recwarn, request):
    if not plots.eastern_font():
        reason = "no font with Chinese letters is installed"
        missing(request.config, reason, "--require-extras")
    trace, _, _ = training()
    for ax in (
        plots.loss(trace, lang="zh"),
        plots.gradient_flow(trace, lang="zh"),
        plots.activations(trace, of="h", lang="zh"),
        plots.memory(trace, lang="zh"),
    ):
        assert not ax.get_xlabel().isascii()
        ax.figure.canvas.draw()
    assert not [w for w in recwarn if "Glyph" in str(w.message)]


def test_labels_are_english_with_a_note_if_no_font_is_found(monkeypatch):
    monkeypatch.setattr(plots, "eastern_font", lambda: "")
    ax = plots.loss([1.0, 2.0], lang="zh")
    assert ax.get_ylabel() == "loss"
    assert texts(ax) == ["No Chinese font is installed here."]
