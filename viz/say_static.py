"""One sentence for each step of building and running a Program, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import say
from .say import Pair, Thing, listed, shortest_needed, things, without_shapes


def append(
    type: str, role: str, index: int, inputs: Sequence[Thing], outputs: Sequence[Thing],
    forward: str, mode: str,
) -> Pair:  # fmt: skip
    """The full sentence, or one without shapes, or one that only counts what is read."""
    read, made = [t.bare for t in inputs], [t.bare for t in outputs]

    def told(got: Sequence[Thing], out: Sequence[Thing], given: Pair) -> Pair:
        work = makes(given, things(out), bool(got), bool(out))
        return appended(type, role, index, got, out, forward, mode, work)

    return shortest_needed((
        told(inputs, outputs, things(inputs)),
        told(read, made, things(read)),
        told(read, made, counted(read)),
    ))  # fmt: skip


def counted(read: Sequence[Thing]) -> Pair:
    if len(read) < 2:
        return things(read)
    return f"{len(read)} variables", f"{len(read)} 个变量"


def makes(given: Pair, out: Pair, reads: bool, writes: bool) -> Pair:
    if not writes:
        return f"it will look at {given[0]} and make nothing", f"它将查看 {given[1]}，不产生输出"
    if not reads:
        return f"it will make {out[0]}", f"它将生成 {out[1]}"
    return f"from {given[0]} it will make {out[0]}", f"它将由 {given[1]} 算出 {out[1]}"


def appended(
    type: str, role: str, index: int, inputs: Sequence[Thing], outputs: Sequence[Thing],
    forward: str, mode: str, work: Pair,
) -> Pair:  # fmt: skip
    got, zh = things(inputs)
    out, out_zh = things(outputs)
    makes, makes_zh = work
    by = {"append_backward": "append_backward", "minimize": "minimize"}.get(mode, "The Program")
    by_zh = by if by != "The Program" else "Program"
    if forward:
        return (
            f"{by} adds {type}, the gradient of {forward}: {makes}.",
            f"{by_zh} 加入 {type}，即 {forward} 的梯度算子：{makes_zh}。",
        )
    if role == "backward" and not inputs:
        return (
            f"{by} begins with {type}: {out} is 1, the gradient of the loss by itself.",
            f"{by_zh} 从 {type} 开始：{out_zh} 为 1，即损失对自身的梯度。",
        )
    if role == "backward" and type == "sum":
        return (
            f"{by} adds sum: gradients that come from several places, {got}, become {out}.",
            f"{by_zh} 加入 sum：来自多处的梯度 {zh} 相加，得到 {out_zh}。",
        )
    if role == "optimize":
        return (
            f"{by} adds the update {type}: {makes}.",
            f"{by_zh} 加入更新算子 {type}：{makes_zh}。",
        )
    return (
        f"Operator {index}, {type}, joins the Program: {makes}.",
        f"第 {index} 个算子 {type} 加入 Program：{makes_zh}。",
    )


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


def execute(type: str, inputs: Sequence[Thing], outputs: Sequence[Thing]) -> Pair:
    """The full sentence, or one without shapes, or one that only counts what is read."""
    read, made = [t.bare for t in inputs], [t.bare for t in outputs]
    if not inputs:
        out, out_zh = things(outputs)
        return f"{type} runs and makes {out}.", f"运行 {type}，生成 {out_zh}。"
    one = len(inputs) == 1
    return shortest_needed((
        executed(type, things(inputs), things(outputs), one),
        executed(type, things(read), things(made), one),
        executed(type, counted(read), things(made), one),
    ))  # fmt: skip


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
) -> Pair:
    short = without_shapes(arguments), without_shapes(results)
    return shortest_needed(
        py_func_called(function, pairs(given), pairs(back) if results else None, skipped)
        for given, back in ((arguments, results), short)
    )


def py_func_called(function: str, given: Pair, back: Pair | None, skipped: Sequence[str]) -> Pair:
    english = f"py_func calls {function} with {given[0]}"
    chinese = f"py_func 调用 {function}，传入 {given[1]}"
    if skipped:
        names, names_zh = listed(list(skipped))
        english += f", but without {names}, which skip_vars_in_backward_input leaves out"
        chinese += f"（skip_vars_in_backward_input 去掉了 {names_zh}）"
    if back is None:
        return f"{english}; it returns nothing.", f"{chinese}；没有返回值。"
    return f"{english}; it returns {back[0]}.", f"{chinese}；返回 {back[1]}。"


def pairs(rows: Sequence[tuple[str, Thing | None]]) -> Pair:
    return listed([thing.text if thing else f"None for {name}" for name, thing in rows])


def free(names: Sequence[str]) -> Pair:
    got, zh = listed(list(names))
    if len(set(names)) == 1:
        return (
            f"Nobody will read {got} again; its memory is free.",
            f"以后不再读取 {zh}，它的内存可以重复使用。",
        )
    return (
        f"Nobody will read {got} again; their memory is free.",
        f"以后不再读取 {zh}，它们的内存可以重复使用。",
    )


def finish(fetched: Sequence[Thing]) -> Pair:
    got, zh = things(fetched)
    if not fetched:
        return "The run is over; nothing was fetched.", "运行结束，没有取回结果。"
    return f"The run is over; the Executor returns {got}.", f"运行结束，Executor 返回 {zh}。"


SENTENCES: dict[str, Callable[..., Pair]] = {
    **say.SENTENCES,
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
