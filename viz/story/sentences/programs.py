"""One sentence for each step of building and running a Program, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..steps import (
    AppendStep,
    BlockUse,
    ExecuteStep,
    Fate,
    FinishStep,
    FreeStep,
    PyFuncStep,
    RunStep,
    StartupStep,
)
from .backward import shortest_needed, without_shapes
from .wording import Pair, Rows, Thing, apart, join_things, things


def append(step: AppendStep) -> Pair:
    """The full sentence, or one without shapes, or one that names only what is computed."""
    inputs, outputs = step.inputs, step.outputs
    read, made = [t.bare for t in inputs], [t.bare for t in outputs]
    ways: Sequence[tuple[Sequence[Thing], Sequence[Thing]]]
    ways = ((inputs, outputs), (read, made), ((), made))
    return shortest_needed(append_sentence(step, got, out) for got, out in ways)


def operator(type: str, function: str = "", written: str = "") -> Pair:
    """`py_func (calling tanh)`, `slice (x[0])`: an operator and what the user knows it by."""
    if function:
        return f"{type} (calling {function})", f"{type}（调用 {function}）"
    return (f"{type} ({written})", f"{type}（{written}）") if written else (type, type)


def makes(inputs: Sequence[Thing], outputs: Sequence[Thing]) -> Pair:
    """What an operator will do when the Program runs."""
    (got, zh), (out, out_zh) = things(inputs), things(outputs)
    if not outputs:
        return f"it will read {got} and output nothing", f"运行时只读取 {zh}，没有输出"
    if not inputs:
        return f"it will compute {out}", f"运行时算出 {out_zh}"
    return f"it will compute {out} from {got}", f"运行时由 {zh} 算出 {out_zh}"


def append_sentence(step: AppendStep, inputs: Sequence[Thing], outputs: Sequence[Thing]) -> Pair:
    type, zh = operator(step.type, step.function, step.written)
    out, out_zh = things(outputs)
    role, forward = step.role, (step.forward, step.forward)
    if step.forward and step.forward_function:
        of, function = step.forward, step.forward_function
        forward = f"{of} ({function})", f"{of}（{function}）"
    by = {"build": "Program", "gradients": "static.gradients"}.get(step.by, step.by)
    name = by if by != "Program" else "The Program"
    if forward[0] and not inputs:
        return gradients_of(f"{name} adds {type}", f"{by} 加入 {zh}", outputs)
    work, work_zh = makes(inputs, outputs)
    if forward[0]:
        return (
            f"{name} adds {type}, the gradient of {forward[0]}: {work}.",
            f"{by} 加入 {zh}，作为 {apart(forward[1])}的反向算子：{work_zh}。",
        )
    if role == "backward" and type in ("fill_constant", "fill_any_like"):
        root = inputs[0].called if inputs else ""
        whose, whose_zh = (root, f" {root} ") if root else ("the loss", "损失")
        grad = f"the gradient of {whose}"
        return (
            f"{name} begins with {type}: {out} is 1, {grad} with respect to itself.",
            f"{by} 先加入 {zh}：把 {out_zh} 设为 1，即{whose_zh}对自己的梯度。",
        )
    if role == "backward" and type == "sum":
        got, got_zh = things(inputs)
        if not inputs:
            return (
                f"{name} adds sum: gradients from several places are added up, giving {out}.",
                f"{by} 加入 sum：把来自多处的梯度相加，得到 {out_zh}。",
            )
        return (
            f"{name} adds sum: gradients from several places, {got}, are added up, giving {out}.",
            f"{by} 加入 sum：把来自多处的梯度 {got_zh} 相加，得到 {out_zh}。",
        )
    if role == "optimize":
        return (
            f"{name} adds the update operator {type}: {work}.",
            f"{by} 加入参数更新算子 {zh}：{work_zh}。",
        )
    return (
        f"Operator {step.index}, {type}, is added to the Program: {work}.",
        f"把 {step.index} 号算子 {apart(zh)}加入 Program：{work_zh}。",
    )


def gradients_of(start: str, start_zh: str, outputs: Sequence[Thing]) -> Pair:
    """The short form: whose gradients a gradient operator is for."""
    names, zh = join_things([thing.called.partition("@GRAD")[0] for thing in outputs])
    several = "s" if len(outputs) > 1 else ""
    return f"{start}, for the gradient{several} of {names}.", f"{start_zh}，计算 {zh} 的梯度。"


def run(step: RunStep) -> Pair:
    got, zh = things(step.fed)
    given_zh = f"以 {zh} 为输入运行 Program" if step.fed else "运行 Program，没有输入数据"
    fetches, wanted_zh = join_things(step.fetches)
    wanted_zh = f"取回（fetch）{wanted_zh}" if step.fetches else "不取回（fetch）结果"
    return (
        f"The Executor runs the Program with {got} and fetches {fetches}.",
        f"执行器（Executor）{given_zh}，{wanted_zh}。",
    )


def startup(step: StartupStep) -> Pair:
    count = len(step.made)
    get = "variable gets its initial value" if count == 1 else "variables get their initial values"
    return (
        f"The Executor runs the startup program: {count} {get}.",
        f"执行器（Executor）运行启动程序：{count} 个变量得到初始值。",
    )


def execute(step: ExecuteStep) -> Pair:
    """The full sentence, or one without shapes, or one that only counts what is read."""
    type, inputs, outputs = operator(step.type, "", step.written), step.inputs, step.outputs
    if not inputs:
        out, out_zh = things(outputs)
        short = f"{type[0]} runs and makes {out}.", f"运行 {type[1]}，生成 {out_zh}。"
        return shortest_needed(with_memory([short], step.memory, len(outputs) > 1))
    read, made = [t.bare for t in inputs], [t.bare for t in outputs]
    one = len(inputs) == 1
    out, out_zh = things(made)
    short = f"{type[0]} runs and gives {out}.", f"运行 {type[1]}，得到 {out_zh}。"
    full = [
        execute_sentence(type, things(inputs), things(outputs), one),
        execute_sentence(type, things(read), (out, out_zh), one),
    ]
    return shortest_needed((*with_memory(full, step.memory, len(outputs) > 1), short))


def with_memory(sentences: Sequence[Pair], memory: Sequence[BlockUse], several: bool) -> list[Pair]:
    """First those that also say where the results lie, then those that do not."""
    if not memory:
        return list(sentences)
    where, where_zh = block_sentence(memory, several)
    return [*((e + where, c + where_zh) for e, c in sentences), *sentences]


def block_sentence(memory: Sequence[BlockUse], several: bool) -> Pair:
    """In which blocks of memory results lie: new ones, or where other values were."""
    rows = []
    for name, block, before in memory:
        one, one_zh = (name, f" {name} ") if several else ("It", "结果")
        if before:
            rows.append(
                (
                    f"{one} goes into memory block {block}, where {before} was",
                    f"{one_zh}存放在内存块 {block}（此前存放 {before}）",
                )
            )
        else:
            rows.append(
                (
                    f"{one} goes into the new memory block {block}",
                    f"{one_zh}存放在新的内存块 {block}",
                )
            )
    english, chinese = "; ".join(r[0] for r in rows), "；".join(r[1].strip() for r in rows)
    return f" {english}.", f"{chinese}。"


def execute_sentence(type: Pair, given: Pair, out: Pair, one: bool) -> Pair:
    return (
        f"{type[0]} runs: {given[0]} {'gives' if one else 'give'} {out[0]}.",
        f"运行 {type[1]}：由 {given[1]} 得到 {out[1]}。",
    )


def py_func(step: PyFuncStep) -> Pair:
    """The full sentence, or one without shapes."""
    short = without_shapes(step.arguments), without_shapes(step.results)
    calls = [
        py_func_sentence(step.function, pairs(given), pairs(back) if back else None, step.skipped)
        for given, back in ((step.arguments, step.results), short)
    ]
    return shortest_needed(with_memory(calls, step.memory, len(step.results) > 1))


def py_func_sentence(function: str, given: Pair, back: Pair | None, skipped: Sequence[str]) -> Pair:
    english = f"py_func calls {function} with {given[0]}"
    chinese = f"py_func 调用 {function}，传入 {given[1]}"
    if skipped:
        names, names_zh = join_things(skipped)
        english += f", but without {names}, which skip_vars_in_backward_input leaves out"
        chinese += f"（按 skip_vars_in_backward_input，未传入 {names_zh}）"
    if back is None:
        return f"{english}; it returns nothing.", f"{chinese}；没有返回值。"
    return f"{english}; it returns {back[0]}.", f"{chinese}；返回 {back[1]}。"


def pairs(rows: Rows) -> Pair:
    return join_things(
        [
            thing.text if thing else (f"None for {name}", f"None（对应 {name}）")
            for name, thing in rows
        ]
    )


def free(step: FreeStep) -> Pair:
    """Which values go, or, where that would be long, how many; and what becomes of their memory."""
    count = len(set(step.names))
    what, what_zh = fates(step.memory, count)
    listed, listed_zh = join_things(step.names)
    names, are = (listed, apart(listed_zh)), "is" if count == 1 else "are"
    counted = "1 variable" if count == 1 else f"{count} variables"
    return shortest_needed(
        (f"{got} {are} no longer needed; {what}.", f"{zh}后面不再用到，{what_zh}。")
        for got, zh in (names, (counted, f"{count} 个变量"))
    )


def fates(memory: Sequence[Fate], count: int) -> Pair:
    """`block b1 is free`."""
    rows = [row for row in memory if row[0] != "gone"]
    usual = (f"{'its' if count == 1 else 'their'} memory is free", "内存可以回收")
    gone = [name for kind, name, _ in memory if kind == "gone"]
    parts = [usual] if not rows else []
    if rows and gone:
        got, zh = join_things(gone)
        parts.append((f"the memory of {got} is free", f"{zh} 的内存可以回收"))
    blocks = [block for kind, block, _ in rows if kind == "free"]
    if blocks:
        got, zh = join_things(blocks)
        one = len(blocks) == 1
        parts.append(
            (
                f"block{'s' * (not one)} {got} {'is' if one else 'are'} free again",
                f"内存块 {zh} 可以复用",
            )
        )
    for kind, what, whom in rows:
        zh = whom.replace(", ", "、")
        if kind == "over":
            parts.append((f"block {what} already holds {whom}", f"内存块 {what} 已经存放 {zh}"))
        elif kind == "stays":
            others = whom.split(", ")
            got, zh = join_things(others)
            parts.append(
                (
                    f"the memory of {what} stays: it is shared with {got}",
                    f"{what} 的内存不能释放：{zh} 与它共用",
                )
            )
    return "; ".join(english for english, _ in parts), "；".join(chinese for _, chinese in parts)


def finish(step: FinishStep) -> Pair:
    got, zh = things(step.fetched)
    if not step.fetched:
        return "The run is over; nothing was fetched.", "运行结束，没有取回结果。"
    return (
        f"The run is over; the Executor returns {got}.",
        f"运行结束，执行器（Executor）返回 {zh}。",
    )


SENTENCES: dict[type, Callable[[Any], Pair]] = {
    AppendStep: append,
    RunStep: run,
    StartupStep: startup,
    ExecuteStep: execute,
    PyFuncStep: py_func,
    FreeStep: free,
    FinishStep: finish,
}
