"""One sentence for each step of a forward pass, in English and in Chinese.

Every kind of step is one function that gives both, so that neither can lag behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..op_facts import is_change
from ..steps import (
    DetachStep,
    EnterStep,
    LayerHookStep,
    LeaveStep,
    MarkStep,
    OpStep,
    OverwriteStep,
    SaveStep,
)
from .ops import creation, phrase, scaling
from .wording import Pair, Thing, aside, join_things, things


def op(step: OpStep) -> Pair:
    """What an op did."""
    given = [thing.text if thing else "None" for thing in step.inputs]
    if not given:
        return creation(step.op, step.title, step.symbol, things(step.outputs))
    if step.op == "scale" and len(given) == len(step.outputs) == 1 and step.inputs[0]:
        return scaling(step.symbol, given[0], step.outputs[0].text)
    if step.written and step.inputs[0] and step.outputs:
        return (writing if is_change(step.written) else reading)(step.written, step.inputs[0], step)
    ranks = [len(thing.shape or ()) for thing in (*step.inputs[:1], *step.outputs[:1]) if thing]
    axes = abs(ranks[-1] - ranks[0]) if ranks else 1
    return phrase(step.op, given, things(step.outputs), step.title, step.symbol, axes)


def reading(written: str, x: Thing, step: OpStep) -> Pair:
    """`h[:, 0]`: elements of a tensor."""
    out = step.outputs[0]
    if out.called != written:
        return (
            f"{written} takes elements of {x.text}, giving {out.text}.",
            f"{written} 取出 {x.text} 的元素，得到 {out.text}。",
        )
    if out.number:
        return f"{out.text} is an element of {x.text}.", f"{out.text} 是 {x.text} 的一个元素。"
    return f"{out.text} has elements of {x.text}.", f"{out.text} 由 {x.text} 的元素组成。"


def writing(written: str, x: Thing, step: OpStep) -> Pair:
    """`h[0] = v`, `h.uniform_(…)`: a tensor is changed in place."""
    value = step.inputs[1] if len(step.inputs) > 1 else None
    new, new_zh = (value.text, f" {value.text} ") if value else ("new values", "新的值")
    if " += " in written:
        return (
            f"{written} adds {new} to elements of {x.text}.",
            f"{written} 把{new_zh}加到 {x.text} 的元素上。",
        )
    out = step.outputs[0]
    gives, gives_zh = (f", giving {out.text}", f"，得到 {out.text}")
    if out.called == x.called:
        gives = gives_zh = ""
    return (
        f"{written} writes {new} into {x.text}{gives}.",
        f"{written} 把{new_zh}写入 {x.text}{gives_zh}。",
    )


def overwrite(step: OverwriteStep) -> Pair:
    """`w.set_value(v)`."""
    name, value = step.target.called, step.value.text
    return f"{name} is overwritten with {value}.", f"用 {value} 覆盖 {name} 原来的值。"


TAKEN = {
    "alias": ("{out} is {x} detached, with the same values", "{out} 是 detach 后的 {x}，值相同"),
    "copy": ("to_tensor copies {x} into {out}", "to_tensor 把 {x} 复制为 {out}"),
    "numpy": ("{out} is a copy of {x} through NumPy", "{out} 经 NumPy 复制自 {x}"),
    "computed": ("NumPy computed {out} from {x}", "NumPy 由 {x} 算出 {out}"),
}


def detach(step: DetachStep) -> Pair:
    """Where the user's code cuts a gradient off."""
    out, x = step.out.text, step.source.text
    if step.way == "cut":
        return (
            f"detach_() cuts {out} off from its history; no gradient flows back from it.",
            f"detach_() 把 {out} 与算出它的计算断开；梯度不会从它传回。",
        )
    said, said_zh = (text.format(out=out, x=x) for text in TAKEN[step.way])
    if step.cuts:
        return f"{said}; no gradient flows back from it.", f"{said_zh}；梯度不会从它传回。"
    return f"{said}.", f"{said_zh}。"


def numbered(base: str, name: str, differs: bool) -> Pair:
    """Why a name has a number: `x#2`, after a change in place as after another assignment."""
    if not differs:
        return (
            f"{base} names several tensors as the code runs; this one is called {name} here.",
            f"代码中的 {base} 先后表示不同的 Tensor，这里把这一个记作 {name}。",
        )
    return (
        f"{base} stands for different values as the code runs; this one is called {name} here.",
        f"代码中的 {base} 先后表示不同的值，这里把这一个记作 {name}。",
    )


INSIDE = (
    "Nothing inside is differentiated automatically: {}.backward does it instead.",
    "里面的计算不自动求导，反向由 {}.backward 负责。",
)


def enter(step: EnterStep) -> Pair:
    layer = step.layer
    got, zh = join_things(
        [
            "None" if thing is None else renamed_argument(thing, name)
            for thing, name in zip(step.inputs, step.outside, strict=True)
        ]
    )
    return (
        f"{layer}.forward is called with {got}. {INSIDE[0].format(layer)}",
        f"调用 {layer}.forward，传入 {zh}。{INSIDE[1].format(layer)}",
    )


def renamed_argument(thing: Thing, outside: str) -> str:
    """`x [2, 3]`, or `x = data [2, 3]` where the callee has a name of its own for it."""
    if not outside or outside == thing.name or not thing.name:
        return thing.text
    return f"{thing.name} = {Thing(outside, thing.value, thing.shape).text}"


def leave(step: LeaveStep) -> Pair:
    layer, rows = step.layer, []
    for thing, name in zip(step.outputs, step.outside, strict=True):
        text = thing.text if thing else "None"
        other = thing is not None and name and name != thing.name
        rows.append(aside(text, name if other else ""))
    got, zh = join_things(rows)
    if step.graded:
        return (
            f"{layer}.forward returns {got}.",
            f"{layer}.forward 返回 {zh}。",
        )
    return (
        f"{layer}.forward returns {got}; no gradient is needed here, so backward will skip it.",
        f"{layer}.forward 返回 {zh}；这里不需要梯度，反向时不会经过它。",
    )


def layer_hook(step: LayerHookStep) -> Pair:
    layer, name = step.layer, step.name
    saw, saw_zh = things(step.given)
    new, new_zh = things(step.made or ())
    before = step.when == "before"
    time = f"Before {layer} runs" if before else f"After {layer} has run"
    time_zh = f"{layer} 运行之前" if before else f"{layer} 运行之后"
    end = f"puts {new} in its place" if step.made is not None else "leaves it as it is"
    end_zh = f"换成 {new_zh}" if step.made is not None else "没有改动"
    return (
        f"{time}, its hook {name} sees {saw} and {end}.",
        f"{time_zh}，它的 hook 函数 {name} 看到 {saw_zh}，{end_zh}。",
    )


def save(step: SaveStep) -> Pair:
    got, zh = things(step.saved)
    if step.by_user:
        return (
            f"ctx.save_for_backward keeps {got} for {step.op}.backward.",
            f"ctx.save_for_backward 保存 {zh}，供 {step.op}.backward 使用。",
        )
    return (
        f"{step.op} keeps {got} for backward.",
        f"{step.op} 把 {zh} 保存下来，留给反向使用。",
    )


def mark(step: MarkStep) -> Pair:
    layer, value = step.layer, step.value
    got, zh = things(step.marked)
    texts: dict[str, Pair] = {
        "mark_not_inplace": (
            f"{layer} declares that it does not change {got} in place: a new tensor comes out.",
            f"{layer} 声明不会原地（inplace）修改 {zh}：输出的是一个新的 Tensor。",
        ),
        "mark_non_differentiable": (
            f"{layer} declares {got} non-differentiable: no gradient will come back from there.",
            f"{layer} 声明 {zh} 不可导：那里不会有梯度传回来。",
        ),
        "set_materialize_grads": (
            f"{layer} wants {'zeros' if value else 'None'} in place of a missing gradient.",
            f"{layer} 约定：没有到达的梯度用{'全 0 的 Tensor ' if value else ' None '}代替。",
        ),
    }
    usual = (f"{layer} sets {step.mark} to {value}.", f"{layer} 把 {step.mark} 设为 {value}。")
    return texts.get(step.mark, usual)


SENTENCES: dict[type, Callable[[Any], Pair]] = {
    OpStep: op,
    OverwriteStep: overwrite,
    DetachStep: detach,
    EnterStep: enter,
    LeaveStep: leave,
    LayerHookStep: layer_hook,
    SaveStep: save,
    MarkStep: mark,
}
