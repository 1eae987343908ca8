"""One sentence for each step of building and running a Program, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import backward, forward
from .backward import shortest_needed, without_shapes
from .wording import Pair, Thing, listed, things


def append(
    type: str,
    role: str,
    index: int,
    inputs: Sequence[Thing],
    outputs: Sequence[Thing],
    forward: str,
    mode: str,
    function: str,
    forward_function: str,
) -> Pair:
    """The full sentence, or one without shapes, or one that names only what is computed."""
    operator = calling(type, function)
    of = (f"{forward} ({forward_function})", f"{forward}（{forward_function}）")
    origin = of if forward and forward_function else (forward, forward)
    read, made = [t.bare for t in inputs], [t.bare for t in outputs]
    return shortest_needed(
        appended(operator, role, index, got, out, origin, mode)
        for got, out in ((inputs, outputs), (read, made), ((), made))
    )


def calling(type: str, function: str) -> Pair:
    """`py_func, which calls tanh,`: an operator and the function that it will call."""
    if not function:
        return type, type
    return f"{type} (calling {function})", f"{type}（调用 {function}）"


def makes(inputs: Sequence[Thing], outputs: Sequence[Thing]) -> Pair:
    """What an operator will do when the Program runs."""
    (got, zh), (out, out_zh) = things(inputs), things(outputs)
    if not outputs:
        return f"it will look at {got} and make nothing", f"运行时只读取 {zh}，没有输出"
    if not inputs:
        return f"it will make {out}", f"运行时算出 {out_zh}"
    return f"from {got} it will make {out}", f"运行时由 {zh} 算出 {out_zh}"


def appended(
    operator: Pair,
    role: str,
    index: int,
    inputs: Sequence[Thing],
    outputs: Sequence[Thing],
    forward: Pair,
    mode: str,
) -> Pair:
    (type, zh), (out, out_zh) = operator, things(outputs)
    by = mode if mode in ("append_backward", "minimize") else "Program"
    name = by if by != "Program" else "The Program"
    if forward[0] and not inputs:
        return gradients_of(f"{name} adds {type}", f"{by} 加入 {zh}", outputs)
    work, work_zh = makes(inputs, outputs)
    if forward[0]:
        return (
            f"{name} adds {type}, the gradient of {forward[0]}: {work}.",
            f"{by} 加入 {zh}，作为 {forward[1]} 的梯度算子：{work_zh}。".replace("） ", "）"),
        )
    if role == "backward" and type == "fill_constant":
        return (
            f"{name} begins with {type}: {out} is 1, the gradient of the loss by itself.",
            f"{by} 先加入 {zh}：把 {out_zh} 设为 1，即损失对自己的梯度。",
        )
    if role == "backward" and type == "sum" and inputs:
        got, got_zh = things(inputs)
        return (
            f"{name} adds sum: gradients that come from several places, {got}, become {out}.",
            f"{by} 加入 sum：把来自多处的梯度 {got_zh} 相加，得到 {out_zh}。",
        )
    if role == "optimize":
        return (
            f"{name} adds the update {type}: {work}.",
            f"{by} 加入更新算子 {zh}：{work_zh}。",
        )
    return (
        f"Operator {index}, {type}, joins the Program: {work}.",
        f"把算子 {zh}（编号 {index}）加入 Program：{work_zh}。",
    )


def gradients_of(start: str, start_zh: str, outputs: Sequence[Thing]) -> Pair:
    """The short form: whose gradients a gradient operator is for."""
    names, zh = listed([thing.called.partition("@GRAD")[0] for thing in outputs])
    several = "s" if len(outputs) > 1 else ""
    return f"{start}, for the gradient{several} of {names}.", f"{start_zh}，计算 {zh} 的梯度。"


def run(fed: Sequence[Thing], fetches: Sequence[str]) -> Pair:
    got, zh = things(fed)
    wanted, wanted_zh = listed(list(fetches))
    return (
        f"The Executor runs the Program with {got}, to fetch {wanted}.",
        f"Executor 用 {zh} 运行 Program，要取回 {wanted_zh}。",
    )


def startup(made: Sequence[Thing]) -> Pair:
    count = len(made)
    return (
        f"The Executor runs the startup program: {count} variables get their first values.",
        f"Executor 运行启动程序：{count} 个变量得到初始值。",
    )


Lying = Sequence[tuple[str, str, str]]  # name, its block, what was there before


def execute(
    type: str, inputs: Sequence[Thing], outputs: Sequence[Thing], memory: Lying = ()
) -> Pair:
    """The full sentence, or one without shapes, or one that only counts what is read."""
    read, made = [t.bare for t in inputs], [t.bare for t in outputs]
    if not inputs:
        out, out_zh = things(outputs)
        short = f"{type} runs and makes {out}.", f"运行 {type}，生成 {out_zh}。"
        return shortest_needed(with_memory([short], memory, len(outputs) > 1))
    one = len(inputs) == 1
    out, out_zh = things(made)
    short = f"{type} runs and gives {out}.", f"运行 {type}，得到 {out_zh}。"
    full = [
        executed(type, things(inputs), things(outputs), one),
        executed(type, things(read), (out, out_zh), one),
    ]
    return shortest_needed((*with_memory(full, memory, len(outputs) > 1), short))


def with_memory(sentences: Sequence[Pair], memory: Lying, several: bool) -> list[Pair]:
    """First those that also say where the results lie, then those that do not."""
    if not memory:
        return list(sentences)
    where, where_zh = lying(memory, several)
    return [*((e + where, c + where_zh) for e, c in sentences), *sentences]


def lying(memory: Lying, several: bool) -> Pair:
    """In which blocks of memory results lie: new ones, or where other values were."""
    rows = []
    for name, block, before in memory:
        one, one_zh = (name, f" {name} ") if several else ("It", "它")
        if before:
            rows.append(
                (
                    f"{one} lies in block {block}, where {before} was",
                    f"{one_zh}放在内存块 {block} 中，那里原来是 {before}",
                )
            )
        else:
            rows.append(
                (f"{one} lies in the new block {block}", f"{one_zh}放在新的内存块 {block} 中")
            )
    english, chinese = "; ".join(r[0] for r in rows), "；".join(r[1].strip() for r in rows)
    return f" {english}.", f"{chinese}。"


def executed(type: str, given: Pair, out: Pair, one: bool) -> Pair:
    return (
        f"{type} runs: {given[0]} {'gives' if one else 'give'} {out[0]}.",
        f"运行 {type}：由 {given[1]} 得到 {out[1]}。",
    )


def py_func(
    function: str,
    arguments: Sequence[tuple[str, Thing | None]],
    results: Sequence[tuple[str, Thing | None]],
    skipped: Sequence[str],
    memory: Lying = (),
) -> Pair:
    short = without_shapes(arguments), without_shapes(results)
    calls = [
        py_func_called(function, pairs(given), pairs(back) if results else None, skipped)
        for given, back in ((arguments, results), short)
    ]
    return shortest_needed(with_memory(calls, memory, len(results) > 1))


def py_func_called(function: str, given: Pair, back: Pair | None, skipped: Sequence[str]) -> Pair:
    english = f"py_func calls {function} with {given[0]}"
    chinese = f"py_func 调用 {function}，传入 {given[1]}"
    if skipped:
        names, names_zh = listed(list(skipped))
        english += f", but without {names}, which skip_vars_in_backward_input leaves out"
        chinese += f"（按 skip_vars_in_backward_input，不传 {names_zh}）"
    if back is None:
        return f"{english}; it returns nothing.", f"{chinese}；没有返回值。"
    return f"{english}; it returns {back[0]}.", f"{chinese}；返回 {back[1]}。"


def pairs(rows: Sequence[tuple[str, Thing | None]]) -> Pair:
    return listed([thing.text if thing else f"None for {name}" for name, thing in rows])


def free(names: Sequence[str], memory: Sequence[tuple[str, str, str]] = ()) -> Pair:
    """Which values go, or, where that would be long, how many; and what becomes of their memory."""
    count = len(set(names))
    what, what_zh = fates(memory, count)
    return shortest_needed(
        (f"Nobody will read {got} again; {what}.", f"{zh} 后面不再用到，{what_zh}。")
        for got, zh in (listed(list(names)), (f"{count} variables", f"{count} 个变量"))
    )


def fates(memory: Sequence[tuple[str, str, str]], count: int) -> Pair:
    """`block b1 is free`: see build_memory.fate."""
    rows = [row for row in memory if row[0] != "gone"]
    usual = (f"{'its' if count == 1 else 'their'} memory is free", "内存可以回收")
    gone = [name for kind, name, _ in memory if kind == "gone"]
    found = [usual] if not rows else []
    if rows and gone:
        got, zh = listed(gone)
        found.append((f"the memory of {got} is free", f"{zh} 的内存可以回收"))
    blocks = [block for kind, block, _ in rows if kind == "free"]
    if blocks:
        got, zh = listed(blocks)
        one = len(blocks) == 1
        found.append(
            (
                f"block{'s' * (not one)} {got} {'is' if one else 'are'} free again",
                f"内存块 {zh} 可以再用",
            )
        )
    for kind, what, whom in rows:
        if kind == "over":
            found.append((f"block {what} already holds {whom}", f"内存块 {what} 已经放着 {whom}"))
        elif kind == "stays":
            found.append(
                (
                    f"the memory of {what} stays, for {whom} lies in it",
                    f"{what} 的内存还留着，{whom} 也在里面",
                )
            )
    return "; ".join(f[0] for f in found), "；".join(f[1] for f in found)


def finish(fetched: Sequence[Thing]) -> Pair:
    got, zh = things(fetched)
    if not fetched:
        return "The run is over; nothing was fetched.", "运行结束，没有取回结果。"
    return f"The run is over; the Executor returns {got}.", f"运行结束，Executor 返回 {zh}。"


SENTENCES: dict[str, Callable[..., Pair]] = {
    **forward.SENTENCES,
    **backward.SENTENCES,
    "append": append,
    "run": run,
    "startup": startup,
    "execute": execute,
    "py_func": py_func,
    "free": free,
    "finish": finish,
}


def sentence(kind: str, facts: Mapping[str, Any]) -> dict[str, str]:
    """The sentence of a step in every language."""
    english, chinese = SENTENCES[kind](**facts)
    return {"en": english, "zh": chinese}
