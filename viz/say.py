"""One sentence for each step of eager code, in English and in Chinese.

Every kind of step is one function that gives both, so that neither can lag behind. A gradient
that does not exist is called None; one that has not been computed is never called 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .records import title
from .say_ops import phrase, spelled
from .theme import text_width

Pair = tuple[str, str]

LETTER, TWO_LINES = 16.0, 1440.0  # the size and the room of sentences in a narrow player


@dataclass(frozen=True, slots=True)
class Thing:
    """A tensor or gradient as a sentence speaks of it."""

    name: str
    value: Mapping[str, Any] | None = None
    known_shape: tuple[int, ...] | None = None
    fallback: str = ""

    @property
    def called(self) -> str:
        return self.name or self.fallback or "it"

    @property
    def shape(self) -> tuple[int, ...] | None:
        if self.value is not None:
            return tuple(self.value["shape"])
        return self.known_shape

    @property
    def number(self) -> str:
        """The number itself, where there is just one."""
        data = self.value and self.value.get("data")
        while isinstance(data, list) and len(data) == 1:
            data = data[0]
        return "" if data is None or isinstance(data, list) else digits(data)

    @property
    def text(self) -> str:
        """`x [2, 3]`, or `loss = 0.42` for a single number."""
        if self.number:
            called = self.name or self.fallback
            return f"{called} = {self.number}" if called else self.number
        return f"{self.called} {shape(self.shape)}" if self.shape else self.called

    @property
    def bare(self) -> Thing:
        """The same without its value and shape."""
        return replace(self, value=None, known_shape=None)

    @property
    def gradient(self) -> str:
        """What stands after "the gradient of": `x [2, 3]`, or `loss (1)` for a single number."""
        return f"{self.called} ({self.number})" if self.number else self.text


def d(name: str) -> str:
    """The short name of a gradient: `dx`, `d(tanh(z))`."""
    return f"d{name}" if name.replace("@", "_").isidentifier() else f"d({name})"


def digits(number: Any) -> str:
    """A number with four significant digits; a truth value as it is."""
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return str(number)
    return f"{number:.4g}".replace("-", "−").replace("e−0", "e−").replace("e+0", "e+")


def shape(sizes: Sequence[int]) -> str:
    """A shape as Paddle writes it: `[2, 3]`; `?` for a size that is not known yet."""
    return "[" + ", ".join("?" if n < 0 else str(n) for n in sizes) + "]"


def listed(things: Sequence[Pair | str], empty: Pair = ("nothing", "空")) -> Pair:
    """Several things in a row: `a, b and c`, `a、b 和 c`; the same one is said once."""
    pairs = list(dict.fromkeys((t, t) if isinstance(t, str) else t for t in things))
    if not pairs:
        return empty
    if len(pairs) == 1:
        return pairs[0]
    english = ", ".join(p[0] for p in pairs[:-1]) + f" and {pairs[-1][0]}"
    before, last = "、".join(p[1] for p in pairs[:-1]), pairs[-1][1].lstrip()
    joint = f"{' ' * before[-1:].isascii()}和{' ' * last[:1].isascii()}"
    return english, f"{before}{joint}{last}"


def things(found: Sequence[Thing | None]) -> Pair:
    return listed([thing.text if thing else "None" for thing in found])


# ----- forward -----------------------------------------------------------------------------------


def op(op: str, symbol: str, inputs: Sequence[Thing | None], outputs: Sequence[Thing]) -> Pair:
    if op == "scale" and len(inputs) == len(outputs) == 1 and inputs[0]:
        expression = spelled(symbol, [inputs[0].called])
        if outputs[0].name:
            result = outputs[0].text
            return f"{expression} gives {result}.", f"{expression}，得到 {result}。"
    return phrase(op, [t.text if t else "None" for t in inputs], things(outputs))


def enter(layer: str, inputs: Sequence[Thing | None], outside: Sequence[str]) -> Pair:
    got, zh = listed([
        "None" if thing is None else renamed(thing, name)
        for thing, name in zip(inputs, outside, strict=True)
    ])  # fmt: skip
    return (
        f"{layer}.forward is called with {got}; what happens inside is not on the tape.",
        f"调用 {layer}.forward，传入 {zh}；其内部的计算不会记到反向图上。",
    )


def renamed(thing: Thing, outside: str) -> str:
    """`x [2, 3]`, or `x = data [2, 3]` where the callee has a name of its own for it."""
    if not outside or outside == thing.name or not thing.name:
        return thing.text
    return f"{thing.name} = {replace(thing, name=outside).text}"


def leave(
    layer: str, outputs: Sequence[Thing | None], graded: bool, outside: Sequence[str]
) -> Pair:
    rows = []
    for thing, name in zip(outputs, outside, strict=True):
        text = thing.text if thing else "None"
        other = thing is not None and name and name != thing.name
        rows.append((f"{text} (out here {name})", f"{text}（外面叫 {name}）") if other else text)
    got, zh = listed(rows)
    if graded:
        return (
            f"{layer}.forward returns {got}; in backward, {layer}.backward will answer for it.",
            f"{layer}.forward 返回 {zh}；反向时由 {layer}.backward 负责求它的梯度。",
        )
    return (
        f"{layer}.forward returns {got}; no gradient is wanted here, so backward will pass it by.",
        f"{layer}.forward 返回 {zh}；这里不需要梯度，反向时不会经过它。",
    )


def save(op: str, saved: Sequence[Thing]) -> Pair:
    got, zh = things(saved)
    return (
        f"{title(op)} keeps {got} for backward.",
        f"{title(op)} 把 {zh} 保存下来，留给反向使用。",
    )


def mark(layer: str, mark: str, marked: Sequence[Thing], value: Any) -> Pair:
    got, zh = things(marked)
    texts: dict[str, Pair] = {
        "mark_not_inplace": (
            f"{layer} declares that it does not change {got} in place: a new tensor comes out.",
            f"{layer} 声明不会原地修改 {zh}：输出的是一个新的 Tensor。",
        ),
        "mark_non_differentiable": (
            f"{layer} declares {got} non-differentiable: no gradient will come back from there.",
            f"{layer} 声明 {zh} 不可求导：那里不会有梯度传回来。",
        ),
        "set_materialize_grads": (
            f"{layer} wants {'zeros' if value else 'None'} for a gradient that never arrives.",
            f"{layer} 约定：没有到达的梯度用{'全 0 的 Tensor' if value else ' None '}代替。",
        ),
    }
    usual = (f"{layer} sets {mark} to {value}.", f"{layer} 把 {mark} 设为 {value}。")
    return texts.get(mark, usual)


# ----- backward ----------------------------------------------------------------------------------


def seed(root: Thing, grad: Thing) -> Pair:
    if grad.number == "1" and root.number:
        return (
            f"Backward starts at {root.called}: its gradient with respect to itself is 1.",
            f"反向从 {root.called} 开始：它对自己的梯度是 1。",
        )
    return (
        f"Backward starts at {root.called} with the gradient {grad.text}.",
        f"反向从 {root.called} 开始，起始梯度为 {grad.text}。",
    )


def idle(root: Thing) -> Pair:
    name = root.called
    return (
        f"backward() has nothing to do: {name}.stop_gradient is True, so nothing wants a gradient.",
        f"backward() 没有事可做：{name}.stop_gradient 为 True，没有张量需要梯度。",
    )


def visit(
    op: str,
    arrived: Sequence[tuple[str, Thing | None]],
    computed: Sequence[tuple[str, Thing | None]],
    uses: Sequence[str],
) -> Pair:
    """The full sentence, or one without shapes, or one that does not list what was saved."""
    known, known_zh = listed(list(uses))
    named = (f" and the saved {known}", f"和保存的 {known_zh}") if uses else ("", "")
    plain = (" and what was saved", "和保存的值") if uses else ("", "")
    came, gives = without_shapes(arrived), without_shapes(computed)
    full = told_visit(title(op), arrivals(arrived), named, results(computed))
    bare = [
        told_visit(title(op), arrivals(came), saved, results(gives)) for saved in (named, plain)
    ]
    return shortest_needed((full, *bare))


Rows = Sequence[tuple[str, Thing | None]]


def without_shapes(rows: Rows) -> Rows:
    return [(name, thing and thing.bare) for name, thing in rows]


def told_visit(op: str, came: Pair, saved: Pair, gives: Pair) -> Pair:
    return (
        f"Backward of {op}: from {came[0]}{saved[0]} it computes {gives[0]}.",
        f"{op} 的反向：由{came[1]}{saved[1]}，算出{gives[1]}。",
    )


def shortest_needed(sentences: Iterable[Pair]) -> Pair:
    """The first that fits two lines of a narrow window in both languages, or else the last."""
    pair = ("", "")
    for pair in sentences:
        if max(text_width(text, LETTER) for text in pair) < TWO_LINES:
            break
    return pair


def receive(layer: str, arrived: Sequence[tuple[str, Thing | None]], zeros: Sequence[str]) -> Pair:
    got, zh = listed([f"{name} = None" if t is None else t.text for name, t in arrived])
    english = f"{layer}.backward is called with {got}."
    chinese = f"调用 {layer}.backward，传入 {zh}。"
    if zeros:
        names, names_zh = listed(list(zeros))
        english += f" Nothing arrived for {names}, so zeros stand in for it."
        chinese += f"没有梯度传到 {names_zh}，因此用全 0 代替。"
    return english, chinese


def returns(layer: str, computed: Sequence[tuple[str, Thing | None]]) -> Pair:
    gives, zh = results(computed)
    return f"{layer}.backward returns {gives}.", f"{layer}.backward 返回{zh}。"


def arrivals(arrived: Sequence[tuple[str, Thing | None]]) -> Pair:
    """The gradients that came in: `the gradient of y [2, 3]`; None only where nothing came."""
    arrived = [row for row in arrived if row[1] is not None] or arrived[:1]
    if not arrived:
        return "what arrived", "到达的梯度"
    there = [thing for _, thing in arrived if thing is not None]
    if len(there) == len(arrived) > 1:
        return gradients(there)
    pairs = [
        gradients([thing]) if thing is not None else (f"None for {name}", f" {name} 处的 None")
        for name, thing in arrived
    ]
    return listed(pairs)


def gradients(found: Sequence[Thing]) -> Pair:
    """`the gradient of x [2, 3]`, `the gradients of x [2, 3] and y [3]`."""
    got, zh = listed([thing.gradient for thing in found])
    return f"the gradient{'s' if len(found) > 1 else ''} of {got}", f" {zh} 的梯度"


def results(computed: Sequence[tuple[str, Thing | None]]) -> Pair:
    """The gradients that were computed; None where there is none."""
    if not computed:
        return "no gradient that anybody needs", "没有去处的梯度"
    names = [name for name, _ in computed]
    there = [thing for _, thing in computed if thing is not None]
    if len(there) == len(set(names)) == len(computed):
        return gradients(there)
    pairs = []
    for name, thing in computed:
        count = names.count(name)
        if thing is None:
            none = f"None for {name} (no gradient flows there)"
            pairs.append((none, f" {name} 的梯度 None（梯度到此为止）"))
        elif count > 1:
            pairs.append((f"{count} gradients of {name}", f" {name} 的 {count} 份梯度"))
        else:
            pairs.append(gradients([thing]))
    return listed(pairs)


def accumulate(target: str, held: Thing, added: Thing, total: Thing, old: bool) -> Pair:
    sum_en = sum_zh = ""
    if held.number and added.number and total.number:
        sum_en = sum_zh = f": {held.number} + {added.number} = {total.number}"
        sum_zh = sum_zh.replace(": ", "：")
    if old:
        return (
            f"{target}.grad already holds a gradient; the new one is added to it (+=){sum_en}.",
            f"{target}.grad 里已经有梯度，新的梯度累加上去（+=）{sum_zh}。",
        )
    return (
        f"{target} was used in several places, so its gradients are added up (+=){sum_en}.",
        f"{target} 被用在多处，所以各处传回的梯度要相加（+=）{sum_zh}。",
    )


def unbroadcast(target: str, before: Thing, after: Thing) -> Pair:
    big, small = shape(before.shape or ()), shape(after.shape or ())
    return (
        f"{target} was broadcast to {big} in forward, so its gradient is summed back to {small}.",
        f"前向时 {target} 被广播成 {big}，因此它的梯度要求和，变回 {small}。",
    )


def hook(name: str, target: str, changed: bool) -> Pair:
    if changed:
        return (
            f"The hook {name} sees the gradient of {target} and replaces it.",
            f"钩子 {name} 看到 {target} 的梯度，并把它换成了新的值。",
        )
    return (
        f"The hook {name} sees the gradient of {target} and leaves it as it is.",
        f"钩子 {name} 看到 {target} 的梯度，没有改动它。",
    )


def leaf(target: str, grad: Thing) -> Pair:
    if grad.number:
        return f"{target}.grad is now {grad.number}.", f"现在 {target}.grad 等于 {grad.number}。"
    sizes = shape(grad.shape or ())
    return (
        f"The gradient has reached {target}; {target}.grad {sizes} holds it.",
        f"梯度到达 {target}，保存在 {target}.grad {sizes} 中。",
    )


def release(op: str, names: Sequence[str]) -> Pair:
    got, zh = listed(list(names))
    return (
        f"{title(op)} has done its work and lets go of the saved {got}.",
        f"{title(op)} 的反向已完成，释放保存的 {zh}。",
    )


def update(optimizer: str, target: Thing, before: Thing) -> Pair:
    name = target.called
    if before.number and target.number:
        old, new = before.number, target.number
        return (
            f"{optimizer} moves {name} against its gradient, from {old} to {new}.",
            f"{optimizer} 沿梯度的反方向更新 {name}：从 {old} 变为 {new}。",
        )
    return (
        f"{optimizer} uses {name}.grad to move {target.text} a little downhill.",
        f"{optimizer} 利用 {name}.grad 沿梯度的反方向更新 {target.text}。",
    )


def error(error: str, message: str, during: str) -> Pair:
    first = message.strip().split("\n")[0].rstrip(".。") if message.strip() else ""
    told, told_zh = (f": {first}", f"：{first}") if first else ("", "")
    where, where_zh = (f" in {during}", f"在 {during} 处") if during else ("", "")
    return (
        f"It stops here{where} with {error}{told}.",
        f"{where_zh}出错停止，{error}{told_zh}。",
    )


SENTENCES: dict[str, Callable[..., Pair]] = {
    "op": op,
    "enter": enter,
    "leave": leave,
    "save": save,
    "mark": mark,
    "idle": idle,
    "seed": seed,
    "visit": visit,
    "receive": receive,
    "return": returns,
    "accumulate": accumulate,
    "unbroadcast": unbroadcast,
    "hook": hook,
    "leaf": leaf,
    "release": release,
    "update": update,
    "error": error,
}
