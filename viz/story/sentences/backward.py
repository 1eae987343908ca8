"""One sentence for each step of a backward pass and of an optimizer, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from minipaddle.messages import Message, Text

from ...language.words import WORDS
from ...theme import text_width
from ..steps import (
    AccumulateStep,
    CutStep,
    ErrorStep,
    HookStep,
    IdleStep,
    LeafStep,
    ReceiveStep,
    ReleaseStep,
    ReturnStep,
    SeedStep,
    UnbroadcastStep,
    UpdateStep,
    VisitStep,
    Why,
)
from .wording import NamedThing, Pair, Rows, Thing, apart, aside, join_things, shape

LETTER, TWO_LINES = 16.0, 1440.0  # the size and the room of sentences in a narrow player


def rewritten(names: Sequence[str]) -> Pair:
    """What was saved is not what backward finds, where an optimizer stepped in between."""
    known, known_zh = join_things(names)
    hold = "hold" if len(names) > 1 else "holds"
    return (
        f"{known} {hold} other values by now than in the forward pass.",
        f"{known_zh} 现在的值与前向时不同。",
    )


def seed(step: SeedStep) -> Pair:
    name, grad = step.root.called, step.grad
    if grad.number == "1" and step.root.number:
        return (
            f"Backward starts at {name}: its own gradient is 1.",
            f"反向从 {name} 开始：它对自己的梯度是 1。",
        )
    sizes = shape(grad.shape or ())
    value, value_zh = f"the gradient {grad.number}", f"为 {grad.number}"
    if not grad.number:
        value, value_zh = f"a gradient of shape {sizes}", f"是形状为 {sizes} 的 Tensor"
    return (
        f"Backward starts at {name} with {value}.",
        f"反向从 {name} 开始，初始梯度{value_zh}。",
    )


def idle(step: IdleStep) -> Pair:
    name = step.root.called
    return (
        f"backward() has nothing to do: {name}.stop_gradient is True, so nothing needs a gradient.",
        f"backward() 无需计算：{name}.stop_gradient 为 True，没有 Tensor 需要梯度。",
    )


def visit(step: VisitStep) -> Pair:
    if step.computed:
        return shortest_needed(visits(step))
    (op, op_zh), (got, zh) = signed(step.op, step.sign), arrivals(step.arrived)
    got = got.rstrip(",")
    return f"Backward of {op} begins, with {got}.", f"{op_zh}的反向开始，传入{zh}。"


def signed(op: str, sign: str) -> Pair:
    """`"× 2"`: an op whose name says less than its sign; of a call not recorded, its node."""
    if op.endswith("GradNode"):
        return f"an unrecorded call ({op})", f"未录制的调用（{op}）"
    if sign:
        return f'"{sign}"', f"“{sign}”"
    return op, f"“{op}”" if " = " in op else f"{op} "


def visits(step: VisitStep) -> Iterator[Pair]:
    """The full sentence, then one without shapes, then one that does not list what was saved."""
    names = plain = ("", "")
    if step.uses:
        known, known_zh = join_things(step.uses)
        names = f" and the saved {known}", f"，以及保存的 {known_zh}"
        plain = " and what was saved", "，以及保存的值"
    op, zeros = signed(step.op, step.sign), stand_ins(step.zeros)
    yield visit_sentence(op, arrivals(step.arrived), names, results(step.computed), zeros)
    came, gives = arrivals(without_shapes(step.arrived)), results(without_shapes(step.computed))
    yield visit_sentence(op, came, names, gives, zeros)
    yield visit_sentence(op, came, plain, gives, zeros)


def without_shapes(rows: Rows) -> Rows:
    return [NamedThing(name, thing and thing.bare) for name, thing in rows]


def visit_sentence(op: Pair, came: Pair, saved: Pair, gives: Pair, zeros: Pair) -> Pair:
    return (
        f"Backward of {op[0]}: from {came[0]}{saved[0]} it computes {gives[0]}.{zeros[0]}",
        f"{op[1]}的反向：由{came[1]}{saved[1]}，算出{gives[1]}。{zeros[1]}",
    )


def stand_ins(outputs: Sequence[str]) -> Pair:
    """Whose gradients did not arrive."""
    names, zh = join_things(outputs, ("", ""))
    if not names:
        return "", ""
    return (
        f" No gradient arrived for {names}, so zeros are used instead.",
        f"没有梯度传到 {zh}，因此用全 0 代替。",
    )


def shortest_needed(sentences: Iterable[Pair]) -> Pair:
    """The first that fits two lines of a narrow window in both languages, or else the last."""
    pair = ("", "")
    for pair in sentences:
        if max(text_width(text, LETTER) for text in pair) < TWO_LINES:
            break
    return pair


def receive(step: ReceiveStep) -> Pair:
    rows = [f"{name} = None" if thing is None else thing.text for name, thing in step.arrived]
    got, zh = join_things([aside(*row) for row in zip(rows, step.outside, strict=True)])
    english = f"{step.layer}.backward is called with {got}."
    chinese = f"调用 {step.layer}.backward，传入 {zh}。"
    zeros, zeros_zh = stand_ins(step.zeros)
    return english + zeros, chinese + zeros_zh


def returns(step: ReturnStep) -> Pair:
    layer, computed = step.layer, step.computed
    gives, zh = results(computed)
    if computed and all(thing is None for _, thing in computed):
        names, names_zh = join_things([name for name, _ in computed])
        return (
            f"{layer}.backward returns None for {names}: no gradient flows on from there.",
            f"{layer}.backward 没有返回 {names_zh} 的梯度（None），梯度传不下去。",
        )
    return f"{layer}.backward returns {gives}.", f"{layer}.backward 返回{zh}。"


def arrivals(arrived: Rows) -> Pair:
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
    return join_things(pairs)


def gradients(there: Sequence[Thing], valued: bool = False) -> Pair:
    """`the gradient of x [2, 3]`, `the gradients of x and y [3]`, `... of loss, which is 1,`."""
    if not there:
        return "nothing", "空"
    got, zh = join_things([thing.called if thing.number else thing.text for thing in there])
    if len(there) > 1:
        return f"the gradients of {got}", f" {zh} 的梯度"
    if not there[0].number:
        return f"the gradient of {got}", f" {zh} 的梯度"
    value = WORDS["number_is"].fill(number=there[0].number)
    return f"the gradient of {got}, {value.en}{','[:valued]}", f" {zh} 的梯度（{value.zh}）"


def results(computed: Rows) -> Pair:
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
            pairs.append((none, f" None（对应 {name}，梯度到此为止）"))
        elif count > 1:
            pairs.append((f"{count} gradients of {name}", f" {name} 的 {count} 份梯度"))
        else:
            pairs.append(gradients([thing]))
    return join_things(pairs)


def accumulate(step: AccumulateStep) -> Pair:
    held, added, total = step.held.number, step.added.number, step.total.number
    sum_en = f": {held} + {added} = {total}" if held and added and total else ""
    name, sum_zh = step.target, sum_en.replace(": ", "：")
    english, chinese = ADDED[step.why]
    return (
        f"{english.format(name)} (+=){sum_en}.",
        f"{chinese.format(name)}（+=）{sum_zh}。",
    )


# Why there is a gradient to add to.
ADDED: dict[Why, Pair] = {
    "uses": (
        "{0} was used in several places, so its gradients are added up",
        "{0} 被用在多处，所以各处传回的梯度要相加",
    ),
    "starts": (
        "{0} starts with a gradient and receives another, so the two are added up",
        "{0} 既有初始梯度，又有另一份梯度，所以要相加",
    ),
    "old": (
        "{0}.grad still holds an old gradient, not cleared by clear_grad(); the new one is added",
        "{0}.grad 里还留着之前的梯度，没有用 clear_grad() 清除，新的梯度累加上去",
    ),
    "zeros": (
        "{0}.grad holds only zeros, as after clear_grad(); the new gradient is added to them",
        "{0}.grad 里全是 0（如同调用 clear_grad() 之后），新的梯度累加上去",
    ),
    "stored": (
        "The new gradient is added to what {0}.grad holds",
        "新的梯度累加到 {0}.grad 里已有的值上",
    ),
}


def unbroadcast(step: UnbroadcastStep) -> Pair:
    big, small = shape(step.before.shape or ()), shape(step.after.shape or ())
    name = step.target
    return (
        f"{name} was broadcast to {big} in forward, so its gradient is summed back to {small}.",
        f"前向时 {name} 被广播成 {big}；反向时，沿被广播的各个维度对梯度求和，得到形状 {small}。",
    )


def hook(step: HookStep) -> Pair:
    if step.changed:
        return (
            f"The hook {step.name} sees the gradient of {step.target} and replaces it.",
            f"hook 函数 {step.name} 看到 {step.target} 的梯度，并把它换成了新的值。",
        )
    return (
        f"The hook {step.name} sees the gradient of {step.target} and leaves it as it is.",
        f"hook 函数 {step.name} 看到 {step.target} 的梯度，没有改动它。",
    )


def leaf(step: LeafStep) -> Pair:
    name, number = step.target, step.grad.number
    if number:
        now = WORDS["number_now"].fill(number=number)
        return f"{name}.grad {now.en}.", f"现在 {name}.grad {now.zh}。"
    sizes = shape(step.grad.shape or ())
    return (
        f"The gradient has reached {name}; {name}.grad {sizes} holds it.",
        f"梯度到达 {name}，保存在 {name}.grad {sizes} 中。",
    )


def release(step: ReleaseStep) -> Pair:
    got, zh = join_things(step.names)
    are = "is" if len(set(step.names)) == 1 else "are"
    return (
        f"The backward of {step.op} is done; the saved {got} {are} released.",
        f"{signed(step.op, '')[1]}的反向已完成，释放保存的 {zh}。",
    )


def update(step: UpdateStep) -> Pair:
    name, text = step.target.called, step.target.text
    if step.before.number and step.target.number:
        old = WORDS["number_from"].fill(number=step.before.number)
        new = WORDS["number_to"].fill(number=step.target.number)
        return (
            f"{step.optimizer} updates {name}, using its gradient: {old.en} {new.en}.",
            f"{step.optimizer} 根据 {name}.grad 更新 {name}：{old.zh} {new.zh}。",
        )
    return (
        f"{step.optimizer} updates {text}, using its gradient.",
        f"{step.optimizer} 根据 {name}.grad 更新 {text}。",
    )


def error(step: ErrorStep) -> Pair:
    first, first_zh = (line.rstrip(".。") for line in first_lines(step.message))
    message, told_zh = (f": {first}", f"：{first_zh}") if first else ("", "")
    where, where_zh = "", "在此"
    if step.during is not None:
        at, zh = step.during
        where, where_zh = f" in {at}", f"在 {apart(zh)}处"
    return (
        f"It stops here{where} with {step.error}{message}.",
        f"程序{where_zh}中断（{step.error}）{told_zh}。",
    )


def first_lines(message: Message) -> Message:
    """What an exception says first."""
    return Text(*(text.strip().split("\n")[0] for text in message))


def cut(step: CutStep) -> Pair:
    """The recording reached its limit; nothing is said of what ran then."""
    if step.what == "bytes":
        much, zh, more = f"{step.limit:g} MB of values", f" {step.limit:g} MB 的数值", "megabytes"
    else:
        much, zh, more = f"{step.limit:,} events", f" {step.limit} 个事件", "limit"
    text = f"The recording ends here: it holds {much}, its limit. The program went on"
    return (
        f"{text}; a larger {more} shows more of it.",
        f"录制到此为止：已达到上限，即{zh}。程序仍继续运行；调大 {more} 可以看到更多。",
    )


SENTENCES: dict[type, Callable[[Any], Pair]] = {
    IdleStep: idle,
    SeedStep: seed,
    VisitStep: visit,
    ReceiveStep: receive,
    ReturnStep: returns,
    AccumulateStep: accumulate,
    UnbroadcastStep: unbroadcast,
    HookStep: hook,
    LeafStep: leaf,
    ReleaseStep: release,
    UpdateStep: update,
    ErrorStep: error,
    CutStep: cut,
}
