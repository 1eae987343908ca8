"""One sentence for each step of a backward pass and of an optimizer, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...theme import text_width
from ..op_facts import title
from .wording import Pair, Thing, aside, listed, shape

LETTER, TWO_LINES = 16.0, 1440.0  # the size and the room of sentences in a narrow player


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
    if not computed:
        got, zh = arrivals(arrived)
        got = got.rstrip(",")
        return f"Backward of {title(op)} begins, with {got}.", f"{title(op)} 的反向开始，传入{zh}。"
    known, known_zh = listed(list(uses))
    named = (f" and the saved {known}", f"，以及保存的 {known_zh}") if uses else ("", "")
    plain = (" and what was saved", "，以及保存的值") if uses else ("", "")
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


def receive(
    layer: str,
    arrived: Sequence[tuple[str, Thing | None]],
    zeros: Sequence[str],
    outside: Sequence[str],
) -> Pair:
    rows = [f"{name} = None" if t is None else t.text for name, t in arrived]
    got, zh = listed([aside(*row) for row in zip(rows, outside, strict=True)])
    english = f"{layer}.backward is called with {got}."
    chinese = f"调用 {layer}.backward，传入 {zh}。"
    if zeros:
        names, names_zh = listed(list(zeros))
        english += f" Nothing arrived for {names}, so zeros stand in for it."
        chinese += f"没有梯度传到 {names_zh}，因此用全 0 代替。"
    return english, chinese


def returns(layer: str, computed: Sequence[tuple[str, Thing | None]]) -> Pair:
    gives, zh = results(computed)
    if computed and all(thing is None for _, thing in computed):
        names, names_zh = listed([name for name, _ in computed])
        return (
            f"{layer}.backward returns None for {names}: no gradient flows on from there.",
            f"{layer}.backward 没有返回 {names_zh} 的梯度（None），梯度传不下去。",
        )
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
        gradients([thing], True)
        if thing is not None
        else (f"None for {name}", f" {name} 处的 None")
        for name, thing in arrived
    ]
    return listed(pairs)


def gradients(found: Sequence[Thing], valued: bool = False) -> Pair:
    """`the gradient of x [2, 3]`, `the gradients of x and y [3]`, `... of loss, which is 1,`."""
    got, zh = listed([thing.gradient for thing in found])
    if not found:
        return "nothing", "空"
    if len(found) > 1:
        return f"the gradients of {got}", f" {zh} 的梯度"
    number = found[0].number
    value = (f", which is {number}{','[:valued]}", f"（值为 {number}）") if number else ("", "")
    return f"the gradient of {got}{value[0]}", f" {zh} 的梯度{value[1]}"


def results(computed: Sequence[tuple[str, Thing | None]]) -> Pair:
    """The gradients that were computed; None where there is none."""
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
        f"前向时 {target} 被广播成 {big}；反向时，沿广播的那一维把梯度加起来，变回 {small}。",
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
            f"{optimizer} updates {name}, using its gradient: from {old} to {new}.",
            f"{optimizer} 根据 {name}.grad 更新 {name}：从 {old} 变为 {new}。",
        )
    return (
        f"{optimizer} updates {target.text}, using its gradient.",
        f"{optimizer} 根据 {name}.grad 更新 {target.text}。",
    )


def error(error: str, message: str, during: str) -> Pair:
    first = message.strip().split("\n")[0].rstrip(".。") if message.strip() else ""
    told, told_zh = (f": {first}", f"：{first}") if first else ("", "")
    where, where_zh = (f" in {during}", f"在 {during} 处") if during else ("", "")
    return (
        f"It stops here{where} with {error}{told}.",
        f"{where_zh}出错停止，{error}{told_zh}。",
    )


def cut(what: str, limit: float) -> Pair:
    """The recording reached its limit; nothing is said of what ran then."""
    if what == "bytes":
        much, zh, more = f"{limit:g} MB of values", f" {limit:g} MB 的数值", "megabytes"
    else:
        much, zh, more = f"{limit:,} events", f" {limit} 个事件", "limit"
    text = f"The recording ends here: it holds {much}, its limit. The program ran on"
    return (
        f"{text}; a larger {more} shows more of it.",
        f"记录到此为止：已达到上限，即{zh}。程序仍继续运行；调大 {more} 可以看到更多。",
    )


SENTENCES: dict[str, Callable[..., Pair]] = {
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
    "cut": cut,
}
