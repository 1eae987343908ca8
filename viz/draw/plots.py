"""Curves of a training run as Matplotlib axes: each function takes `ax` and returns it.

    viz.plots.loss([2.3, 1.9, 1.4])
    viz.plots.sizes(trace, of="net.0.weight")
    viz.plots.gradient_flow(net)
    viz.plots.activations({"hidden": arrays, "out": others}, ax=ax)
    viz.plots.memory(trace)

Labels are English, or Chinese with lang="zh" where a font for it is installed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.font_manager import fontManager
from matplotlib.ticker import NullFormatter

from minipaddle import events
from minipaddle.engine.errors import InvalidArgument
from minipaddle.events import Seen
from minipaddle.messages import Message, Text

from .. import language, theme
from ..document.distinct_names import base_of
from ..document.values import flatten, host
from ..language import words
from ..model import Live, Story, group_by_key
from ..story.chapters import Recorded, shared_loss_name, unnumbered
from ..story.finite_differences import NotMeasurable, numbers
from ..whatif.what_if import roots_of

BINS = 24
TONES = ("forward", "backward", "saved", "optimize", "alert")

WORDS: Mapping[str, Message] = {
    **{key: words.WORDS[key] for key in ("round", "size_grad", "size_value")},
    "step": Message("training step"),
    "mean": Message("mean of |gradient|"),
    "max": Message("largest |gradient|"),
    "gradient": Message("|gradient|"),
    "none": Text("None"),
    "zero": Text("0"),
    "value": Message("value of {x}"),
    "share": Message("share of the elements"),
    "memory": Message("memory in kB"),
    "at": Message("step of the trace"),
    "temporary": Message("temporary"),
    "anyway": Message("there anyway"),
}
EASTERN = frozenset({"zh"})  # languages with letters that Matplotlib's own fonts lack
NO_FONT = "No Chinese font is installed here."


# ----- the five plots ----------------------------------------------------------------------------


def loss(losses: Any, ax: Any = None, lang: str = "") -> Any:
    """Plot the loss: of numbers, of several named rows of numbers, or of a trace.

    Errors: TypeError for a source of another kind.

    >>> ax = loss([2.0, 1.0, 0.5])
    >>> ax.get_ylabel(), ax.lines[0].get_ydata().tolist()
    ('loss', [2.0, 1.0, 0.5])
    """
    if hasattr(losses, "events"):
        rounds = [each for each in losses.rounds if each.loss is not None]
        rows = [each.loss for each in rounds] or losses_of(losses)
    else:
        rounds, rows = [], losses
    named = rows if isinstance(rows, Mapping) else {"": rows}
    # One curve for each name, whatever numbers are in it.
    curves = group_by_key((unnumbered(each.loss_name), each) for each in rounds)
    with drawing(ax, lang) as plot:
        for own in curves.values():
            places = [each.index + 1 for each in own]
            of = shared_loss_name(own).of(plot.lang) if len(curves) > 1 else ""
            _draw_curve(plot, of, [float(each.loss or 0) for each in own], places)
        for of, row in ({} if curves else named).items():
            _draw_curve(plot, of, [float(x) for x in row])
        plot.label("y", shared_loss_name(rounds))
        plot.count("round" if curves else "step")
    return plot.ax


def _draw_curve(
    plot: Plot, name: str, values: Sequence[float], places: Sequence[int] | None = None
) -> None:
    """Draw a line through the values, with its name at the end; each line has its own colour."""
    at = range(1, len(values) + 1) if places is None else places
    tone = plot.tones[len(plot.ax.lines) % len(plot.tones)]
    mark = "o" if len(values) <= 30 else ""
    plot.ax.plot(at, values, mark + "-", color=tone, ms=4, lw=1.8)
    end = next((k for k in reversed(range(len(values))) if math.isfinite(values[k])), None)
    if name and end is not None:
        plot.ax.annotate(
            f" {name}", (at[end], values[end]), color=tone, va="center", fontweight="bold"
        )


def sizes(
    trace: Recorded, ax: Any = None, lang: str = "", of: str | Sequence[str] = (), by: str = "grad"
) -> Any:
    """Plot the size of parameters' gradients in each round; of the parameters with by="value".

    A curve of the root mean square for each parameter, or for those named in `of`, after each
    round's update, also of rounds whose steps were not recorded. The scale is logarithmic; what is
    zero, NaN or infinite leaves a gap.

    Errors: ValueError for a trace without such sizes, or a parameter that is not in it.

    >>> from types import SimpleNamespace
    >>> from viz.model import ParameterSize, Round
    >>> rounds = [Round(k, "training", sizes=(ParameterSize("w", 1.0, 2.0**k),)) for k in range(3)]
    >>> sizes(SimpleNamespace(rounds=rounds)).lines[0].get_ydata().tolist()
    [1.0, 2.0, 4.0]
    """
    if f"size_{by}" not in WORDS:
        raise InvalidArgument(
            f"a parameter has no size by {by!r}.",
            expected='by="grad" (of its gradient) or by="value"',
            received=f"by={by!r}",
            fix='write by="grad", or leave by out',
        )
    known: dict[str, dict[int, float]] = {}
    for each in trace.rounds:
        for size in each.sizes:
            number = float(size.grad if by == "grad" else size.value)
            known.setdefault(size.name, {})[each.index + 1] = number
    names = [of] if isinstance(of, str) else list(of) or list(known)
    unknown = [name for name in names if name not in known]
    if unknown or not known:
        raise InvalidArgument(
            "there are no sizes of parameters to draw.",
            expected=f"some of {', '.join(known)}"
            if known
            else "a trace of at least two rounds in which an optimizer updates parameters",
            received=f"of={unknown[0]!r}" if unknown and known else f"{len(trace.rounds)} rounds",
            fix="choose one of those" if known else "record the whole training loop",
        )
    places = range(1, len(trace.rounds) + 1)
    with drawing(ax, lang) as plot:
        for name in names:
            numbers = [known[name].get(at, math.nan) for at in places]
            some = [x if 0 < x < math.inf else math.nan for x in numbers]
            _draw_curve(plot, name, some, places)
        plot.ax.set_yscale("log")
        plot.label("y", f"size_{by}")
        plot.count("round")
    return plot.ax


def gradient_flow(source: Any, ax: Any = None, lang: str = "") -> Any:
    """Plot the size of each parameter's gradient: of a layer, a trace, or arrays by name.

    Bars show the mean and the largest magnitude on a logarithmic scale; a parameter whose gradient
    is None or zero is marked, never drawn as small. Of an array of more than 4096 elements a trace
    knows no mean magnitude.

    Errors: none; a parameter without a gradient is marked.

    >>> ax = gradient_flow({"weight": np.ones([2]), "bias": None})
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['weight', 'bias']
    """
    gradients = gradients_of(source)
    with drawing(ax, lang, 0.5 + 0.32 * len(gradients)) as plot:
        sizes = [_mean_and_largest(array) for array in gradients.values()]
        some = [x for pair in sizes if pair for x in pair if x and x > 0]
        low = 10 ** math.floor(math.log10(min(some)) - 0.5) if some else 1e-3
        for k, pair in enumerate(sizes):
            if pair is None or pair[1] == 0:
                text = plot.word("none" if pair is None else "zero")
                plot.ax.annotate(
                    f" {text}",
                    (low, k),
                    color=plot.palette["alert"],
                    va="center",
                    fontweight="bold",
                )
                continue
            if pair[0] is not None:
                plot.ax.barh(
                    k, pair[0], 0.62, color=plot.palette["backward"], label=plot.word("mean")
                )
            plot.ax.plot(
                pair[1], k, "|", ms=14, mew=2.2, color=plot.palette["ink"], label=plot.word("max")
            )
        plot.ax.set_yticks(range(len(gradients)), list(gradients))
        plot.ax.invert_yaxis()
        plot.ax.set_xscale("log")
        plot.ax.set_xlim(left=low)
        plot.label("x", "gradient")
        plot.ax.xaxis.set_minor_formatter(NullFormatter())
        _draw_legend(plot)
    return plot.ax


def activations(source: Any, ax: Any = None, lang: str = "", of: str = "") -> Any:
    """Plot histograms of an activation over training: a column a step, darker for more elements.

    `source` is a row of arrays, or a trace in which `of` names the tensor. A line follows the
    median.

    Errors: ValueError if there is nothing to draw.

    >>> activations([np.zeros([4]), np.ones([4])]).get_xlabel()
    'training step'
    """
    if hasattr(source, "events") and not of:
        raise InvalidArgument(
            "viz.plots.activations() needs the name of a tensor.",
            expected="of='h', if the recorded code calls the tensor h",
            received="a trace, and of=''",
            fix="name one of the tensors in trace.names",
        )
    arrays = [host(_array_of(a)) for a in (values_of(source, of) if of else source)]
    flat = [a[np.isfinite(a)].astype(np.float64) for a in map(np.ravel, arrays)]
    if not flat or not any(a.size for a in flat):
        raise InvalidArgument(
            "there are no activations to draw.",
            expected="a row of arrays with finite elements",
            received=f"{len(flat)} arrays" + (f" called {of!r} in the trace" if of else ""),
            fix="record more than one step, and name a tensor of at most 4096 elements: of='h'",
        )
    every = np.concatenate(flat)
    low, high = float(every.min()), float(every.max())
    high = high if high > low else low + 1.0
    shares = np.array([np.histogram(a, BINS, (low, high))[0] / max(a.size, 1) for a in flat]).T
    with drawing(ax, lang) as plot:
        shown = plot.ax.imshow(
            shares,
            aspect="auto",
            origin="lower",
            interpolation="nearest",
            cmap=plot.shades,
            extent=(0.5, len(flat) + 0.5, low, high),
            vmin=0,
        )
        middle = [float(np.median(a)) if a.size else math.nan for a in flat]
        plot.ax.plot(range(1, len(flat) + 1), middle, color=plot.palette["backward"], lw=1.6)
        plot.ax.grid(False)
        plot.count("step")
        plot.label("y", "value", x=of or "x")
        bar = plot.ax.figure.colorbar(shown, ax=plot.ax, pad=0.02)
        bar.set_label(plot.word("share"), fontfamily=plot.fonts)
        bar.outline.set_visible(False)
    return plot.ax


def memory(trace: Recorded, ax: Any = None, lang: str = "") -> Any:
    """Plot the memory that values take at each step of a trace: temporary, and lasting.

    Errors: none; a trace without values gives an empty chart.

    >>> with viz.record() as trace:
    ...     _ = paddle.tanh(paddle.ones([2]))
    >>> memory(trace).get_xlabel()
    'step of the trace'
    """
    live = [pair for chapter in trace.chapters for pair in live_of(chapter.trace.story)]
    steps = np.arange(1, len(live) + 1)
    temporary, anyway = (np.array([pair[k] for pair in live]) / 1000 for k in (0, 1))
    with drawing(ax, lang) as plot:
        fills = plot.palette["saved-fill"], plot.palette["saved"]
        fill, words = partial(plot.ax.fill_between, steps, step="mid"), plot.word
        fill(0, anyway, color=fills[0], label=words("anyway"), edgecolor=fills[1], linewidth=1)
        fill(anyway, anyway + temporary, color=fills[1], alpha=0.75, label=words("temporary"))
        plot.ax.set_ylim(bottom=0)
        plot.count("at")
        plot.label("y", "memory")
        _draw_legend(plot)
    return plot.ax


def live_of(story: Story) -> Sequence[Live]:
    """Return the bytes held at each step of a story; zeros if nothing is known of memory."""
    return story.memory.live or [Live(0, 0)] * len(story.steps)


def _draw_legend(plot: Plot) -> None:
    """Draw a legend with each label once."""
    handles, labels = plot.ax.get_legend_handles_labels()
    once = dict(zip(labels, handles, strict=True))
    if len(once) > 1:
        plot.ax.legend(
            once.values(),
            once.keys(),
            frameon=False,
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=2,
            borderaxespad=0.2,
            prop={"family": plot.fonts, "size": "small"},
        )


@dataclass(frozen=True, slots=True)
class Large:
    """Gradient of which a trace has only the largest magnitude."""

    largest: float


def _mean_and_largest(array: Any) -> tuple[float | None, float] | None:
    """Return the mean (if known) and the largest magnitude, or None for a missing gradient."""
    if array is None:
        return None
    if isinstance(array, Large):
        return None, array.largest
    size = np.abs(host(_array_of(array)).astype(np.float64))
    return float(size.mean()), float(size.max(initial=0.0))


# ----- data ---------------------------------------------------------------------------------------


def _array_of(thing: Any) -> Any:
    """Return the array of a Tensor; other things as they are."""
    return thing.numpy() if hasattr(thing, "numpy") else thing


def losses_of(trace: Recorded) -> list[float]:
    """Return the value of each root at which a backward pass of a trace began."""
    roots = roots_of(trace.events)
    shown: dict[int, events.Value] = {}
    losses = list[float]()
    for at, event in enumerate(trace.events):
        if isinstance(event, (events.OpFinished, events.ScopeLeft)):
            shown |= {seen.id: seen.value for seen in flatten(event.outputs) if seen is not None}
        losses += [_total_of(shown[root]) for root in roots.get(at, ())[:1] if root in shown]
    return losses


def _total_of(value: events.Value) -> float:
    """Return the sum of the elements; for a large array, computed from its statistics."""
    try:
        return float(numbers(value).sum())
    except NotMeasurable:
        stats = value.data["stats"]
        return math.nan if stats["nan"] or stats["inf"] else float(stats["mean"]) * stats["size"]


def gradients_of(source: Any) -> dict[str, Any]:
    """Return gradients by name; None stands for a missing one."""
    if isinstance(source, Mapping):
        return dict(source)
    if hasattr(source, "named_parameters"):
        return {name: p.grad for name, p in source.named_parameters()}
    gradients: dict[str, Any] = {}
    for event in source.events:
        if isinstance(event, events.OpFinished):
            for seen in event.inputs:
                if isinstance(seen, Seen) and seen.kind == "parameter":
                    gradients.setdefault(_tensor_name(source, seen), None)
        if isinstance(event, events.LeafReached) and event.tensor.kind == "parameter":
            try:
                gradients[_tensor_name(source, event.tensor)] = numbers(event.grad)
            except NotMeasurable:  # a large array has statistics only
                stats = event.grad.data["stats"]
                ends = [stats["min"], stats["max"]]
                size = math.nan if None in ends else max(abs(float(end)) for end in ends)
                gradients[_tensor_name(source, event.tensor)] = Large(size)
    return gradients


def _tensor_name(trace: Recorded, seen: Seen) -> str:
    return str(trace.names.get((seen.id, 0)) or seen.name or f"t{seen.id}")


def values_of(trace: Recorded, name: str) -> list[Any]:
    """Return the values that ops computed for tensors of a name, in order."""
    called = {number for (number, _), own in trace.names.items() if name in (own, base_of(own))}
    return [
        numbers(seen.value)
        for event in trace.events
        if isinstance(event, events.OpFinished)
        for seen in event.outputs
        if seen.id in called and (seen.value.data or {}).get("data") is not None
    ]


# ----- axes ---------------------------------------------------------------------------------------


class Plot:
    """Axes to draw on, with their palette and their language."""

    def __init__(self, ax: Any, lang: str) -> None:
        self.ax = ax
        eastern = lang in EASTERN
        self.missing = eastern and not eastern_font()
        self.lang = "en" if self.missing else lang
        fonts = [eastern_font()] if eastern and not self.missing else []
        self.fonts = [*mpl.rcParams["font.family"], *fonts]
        red, green, blue = to_rgb(ax.get_facecolor())
        dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
        self.palette = theme.DARK if dark else theme.LIGHT
        self.tones = [self.palette[name] for name in TONES]
        ground = self.palette["paper"]
        self.shades = LinearSegmentedColormap.from_list("", [ground, self.palette["forward"]])

    def word(self, key: str | Message, **about: str) -> str:
        """Return a word in the language of the plot."""
        word = WORDS[key] if isinstance(key, str) else key
        return word.fill(**about).of(self.lang)

    def label(self, axis: Literal["x", "y"], key: str | Message, **about: str) -> None:
        """Set the label of an axis, in a font that has the letters."""
        name = self.ax.set_xlabel if axis == "x" else self.ax.set_ylabel
        name(self.word(key, **about), fontfamily=self.fonts)

    def count(self, key: str) -> None:
        """Set the label of the x axis, which has integer ticks."""
        self.label("x", key)
        self.ax.xaxis.get_major_locator().set_params(integer=True)


def eastern_font() -> str:
    """Return a font with Chinese letters, preferably in mainland forms, or "" if there is none."""
    known = {font.name for font in fontManager.ttflist}
    first = [n for n in ("Noto Sans CJK SC", *sorted(theme.EASTERN)) if n in known]
    return (first or sorted(n for n in known if "CJK" in n) or [""])[0]


@contextmanager
def drawing(ax: Any, lang: str, height: float = 3.4) -> Iterator[Plot]:
    """Provide a Plot on axes, new ones if none are given, for the drawing in the block."""
    lang = language.for_text(lang)
    if ax is None:
        ax = plt.subplots(figsize=(6.4, max(height, 2.2)), layout="constrained")[1]
    plot = Plot(ax, lang)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(True, color=plot.palette["rule"], lw=0.8)
    ax.set_axisbelow(True)
    yield plot
    if plot.missing:
        ax.annotate(
            NO_FONT,
            (0, 0),
            (0, -38),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize="x-small",
            color=plot.palette["muted"],
        )


__all__: Sequence[str] = ("activations", "gradient_flow", "loss", "memory", "sizes")
