"""Why a gradient is None or zero: the engine's reason, and a picture with the place of the cut."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import minipaddle as paddle
from minipaddle.engine.errors import InvalidArgument

from .. import export, language
from ..draw import film_strip, svg
from ..draw.paint import Painting, paint
from ..layout.scene import scene_of
from ..story.sentences.wording import shape
from . import cut_drawing
from .gradient_path import Road, Station, recorded_road

VIZ = Path(__file__).parents[1]
WIDEST = 520.0  # of the text below the picture

# The reason in Chinese: what happened, and what to do. {x} is the tensor, {by} the op or layer.
CHINESE: Mapping[str, tuple[str, str]] = {
    "has gradient": ("{x}.grad 里有梯度，而且不为零。", ""),
    "stop_gradient": (
        "{x} 的 stop_gradient 是 True；to_tensor() 的结果和只由它们算出的 Tensor 都是这样。",
        "计算之前，把需要梯度的 Tensor 的 stop_gradient 设为 False。",
    ),
    "integer": ("{x} 是整数，不能连续变化，而且 stop_gradient 是 True。", "请使用浮点数。"),
    "no_grad": (
        "{by} 在 paddle.no_grad() 里运行，那里什么都不记录。",
        "把计算移到 no_grad 之外，或放进 enable_grad()。",
    ),
    "detached": ("detach() 切断了计算历史。", "在需要梯度的地方不要用 detach()。"),
    "gradless op": ("{by} 没有梯度，所以从它的结果传不回梯度。", "换成可求导的函数。"),
    "non-differentiable": (
        "{by} 的这个输出被标记为不可求导。",
        "对另一个输出求梯度，或去掉这个标记。",
    ),
    "not a leaf": (
        "{x} 不是叶子，而是 {by} 的结果：反向把梯度传下去，但不保留。",
        "在反向之前调用 retain_grads()。",
    ),
    "overwritten": (
        "{x} 被原地改写，不再是叶子，而是 {by} 的结果；只有叶子保留梯度。",
        "改为计算一个新的 Tensor，或在反向之前调用 retain_grads()。",
    ),
    "no backward": ("还没有运行过 backward()。", "调用 loss.backward()。"),
    "cleared": ("上次反向之后，梯度被清除了。", "在 clear_grad() 之前查看，或再次反向。"),
    "not reached": (
        "上次反向没有到达 {x}：那个损失不依赖它。",
        "检查它是否真的被使用，中间是否经过了 NumPy、item() 或 to_tensor()。",
    ),
    "returned None": ("{by} 的 backward 在这里返回了 None。", "请在那里返回一个 Tensor。"),
    "interrupted": ("损失依赖 {x}，但上次反向因为异常中断，没有到达。", "修复错误后再次反向。"),
    "zero": (
        "梯度已经到达，但每个元素都是零。",
        "看看有没有平坦的函数（负数的 relu、clip、max）、softmax 的和，或乘以零。",
    ),
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer of `viz.explain`: a text in two languages, and a picture.

    `why` is the engine's answer, with `reason`, `where`, `text` and `fix`.
    """

    why: Any
    name: str
    road: Road

    def text(self, lang: str = "en") -> str:
        """Question, answer and advice."""
        return "\n".join(line for line in self.lines(lang) if line) + "\n"

    def lines(self, lang: str) -> tuple[str, str, str]:
        state = {"zero": "zero", "has gradient": "there"}.get(self.why.reason.value, "None")
        if language.known(lang) == "en":
            answer = self.why.text.replace("the tensor", self.name)
            return f"Why is {self.name}.grad {state}?", answer, self.why.fix
        about = {"x": self.name, "by": self.why.where}
        answer, advice = (text.format(**about) for text in CHINESE[self.why.reason.value])
        end = {"zero": "为零", "there": "有值"}.get(state, "是 None")
        return f"{self.name}.grad 为什么{end}？", answer, advice

    def __str__(self) -> str:
        return self.text(language.words())

    def __repr__(self) -> str:
        return f"<Explanation of {self.name}.grad: {self.why.reason.value}>"

    def painting(self, lang: str = "en") -> Painting:
        """The road, the cut and the text, ready to be drawn."""
        language.known(lang)
        scene = scene_of(cut_drawing.graph_of(self.road, self.name, self.why))
        bare = paint(cut_drawing.marked(scene), lang=lang, legend=False)
        bare = cut_drawing.with_cut(bare, scene, cut_drawing.word(self.why, lang))
        width = max(bare.width, WIDEST)
        room = width - 2 * film_strip.PAD
        question, *rest = (film_strip.wrapped(line, room) for line in self.lines(lang))
        rows = [row for lines in rest for row in lines]
        return film_strip.captioned(bare, rows, len(rows), width, question)

    def svg(self, lang: str = "en", colours: str = "auto") -> str:
        """The picture as one SVG document."""
        title, *rest = self.lines(lang)
        return svg.drawn(self.painting(lang), title, " ".join(rest), colours)

    def save(self, path: str | Path, lang: str = "en") -> Path:
        """Write the picture (.svg .png .pdf) or the text (.txt)."""
        target = Path(path)
        writers: dict[str, Any] = {
            ".svg": lambda: self.svg(lang),
            ".png": lambda: export.png(self.painting(lang)),
            ".pdf": lambda: export.pdf(self.painting(lang)),
            ".txt": lambda: self.text(lang),
        }
        return export.put(target, writers)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        lang = language.words()
        return {"image/svg+xml": self.svg(lang), "text/plain": self.text(lang)}


def explain(tensor: Any, loss: Any = None, trace: Any = None) -> Explanation:
    """Why the gradient of a tensor is None or zero, as text and as a picture.

    `loss` is what backward started from; with `trace` the picture shows the way as recorded.

    Errors: TypeError for anything but a Tensor.

    >>> import minipaddle as paddle, viz
    >>> x = paddle.to_tensor([1.0, 2.0])
    >>> (x * 2).sum().backward()
    >>> print(viz.explain(x).text().splitlines()[0])
    Why is x.grad None?
    """
    why = paddle.autograd.why_no_grad(tensor, loss)
    number = trace.number_of(tensor) if trace is not None else 0
    if trace is not None and not number:
        raise InvalidArgument(
            "this trace does not know the tensor.",
            expected="a tensor that the recorded block used",
            received="one that it did not use, or a trace loaded from a file",
            fix="leave the trace out: viz.explain(t)",
        )
    name = (number and trace.names.get((number, 0))) or name_of(tensor)
    road = (number and recorded_road(trace, number)) or told_road(tensor, name, why)
    if road.stations[0].label != name:
        road = replace(road, stations=(replace(road.stations[0], label=name), *road.stations[1:]))
    return Explanation(why, name, road)


def name_of(tensor: Any) -> str:
    """The variable of the caller that holds the tensor; else the name of a parameter, or `t`."""
    frame = sys._getframe(1)
    while Path(frame.f_code.co_filename).is_relative_to(VIZ) and frame.f_back:
        frame = frame.f_back
    found = [n for n, v in frame.f_locals.items() if v is tensor and not n.startswith("_")]
    own = str(tensor.name)
    return min(found, key=lambda n: (len(n), n), default="" if "generated" in own else own) or "t"


def told_road(tensor: Any, name: str, why: Any) -> Road:
    """The road as far as the engine's answer tells of it."""
    reason = why.reason.value
    detail = f"{shape(tensor.shape)} {str(tensor.dtype).rpartition('.')[2]}"
    leaf = "data" if tensor.stop_gradient else "leaf"
    kind = "op" if reason in ("not a leaf", "overwritten") else leaf
    came = "" if reason == "no backward" else "…"
    at = Station(name, detail, kind, "backward" if kind == "op" else "")
    stopped = reason in cut_drawing.CUTTING and not tensor.stop_gradient
    if reason == "returned None":
        ways = [Station(why.where, "", "pylayer", f"{why.where}.backward")]
    elif stopped:
        ways = [Station(why.where, "", "op"), Station("…", "", "op", came)]
    else:
        ways = [Station("…", "", "op", came, zero=reason == "zero")]
    end = Station("loss", "", "result", "" if reason == "no backward" else "1")
    if reason == "not reached":
        return Road((at, end), connected=False)
    return Road((at, *ways, end))
