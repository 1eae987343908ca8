"""What each op does to its inputs, in the words of a teacher.

`{0}` and `{1}` are the inputs, `{out}` what comes out. An op without words of its own gets a
plain sentence, so a new op reads well from the start.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minipaddle.ops.expression import is_composite

Pair = tuple[str, str]

SIGNS = {
    *("+", "−", "×", "÷", "^", "@", "//", "mod", "·", "⊗"),
    *("<", ">", "≤", "≥", "==", "≠", "≈", "&", "|", "<<", ">>"),
}

WORDS: dict[str, Pair] = {
    "tanh": (
        "tanh squashes {0} into (−1, 1), giving {out}.",
        "tanh 把 {0} 压缩到 (−1, 1)，得到 {out}。",
    ),
    "sigmoid": (
        "sigmoid squashes {0} into (0, 1), giving {out}.",
        "sigmoid 把 {0} 压缩到 (0, 1)，得到 {out}。",
    ),
    "relu": (
        "relu sets what is negative in {0} to 0, giving {out}.",
        "relu 把 {0} 中的负数变为 0，得到 {out}。",
    ),
    "exp": (
        "The exponential of {0} gives {out}.",
        "对 {0} 做以 e 为底的指数运算，得到 {out}。",
    ),
    "log": (
        "The natural logarithm of {0} gives {out}.",
        "对 {0} 取自然对数，得到 {out}。",
    ),
    "sqrt": (
        "The square root of {0} gives {out}.",
        "对 {0} 开平方，得到 {out}。",
    ),
    "rsqrt": (
        "1 over the square root of {0} gives {out}.",
        "对 {0} 开平方再取倒数，得到 {out}。",
    ),
    "square": (
        "{0} is squared, giving {out}.",
        "对 {0} 求平方，得到 {out}。",
    ),
    "reciprocal": (
        "1 over {0} gives {out}.",
        "对 {0} 取倒数，得到 {out}。",
    ),
    "abs": (
        "The absolute value of {0} gives {out}.",
        "对 {0} 取绝对值，得到 {out}。",
    ),
    "add": (
        "{0} and {1} are added, giving {out}.",
        "{0} 与 {1} 相加，得到 {out}。",
    ),
    "subtract": (
        "{1} is subtracted from {0}, giving {out}.",
        "{0} 减去 {1}，得到 {out}。",
    ),
    "multiply": (
        "{0} and {1} are multiplied element by element, giving {out}.",
        "{0} 与 {1} 逐元素相乘，得到 {out}。",
    ),
    "divide": (
        "{0} is divided by {1}, giving {out}.",
        "{0} 除以 {1}，得到 {out}。",
    ),
    "maximum": (
        "The larger of {0} and {1}, element by element, gives {out}.",
        "逐元素取 {0} 与 {1} 中较大的，得到 {out}。",
    ),
    "minimum": (
        "The smaller of {0} and {1}, element by element, gives {out}.",
        "逐元素取 {0} 与 {1} 中较小的，得到 {out}。",
    ),
    "matmul": (
        "The matrix product of {0} and {1} gives {out}.",
        "{0} 与 {1} 做矩阵乘法，得到 {out}。",
    ),
    "mean": (
        "The mean of {0}{over} gives {out}.",
        "{over}对 {0} 求均值，得到 {out}。",
    ),
    "sum": (
        "{0} is summed{over}, giving {out}.",
        "{over}对 {0} 求和，得到 {out}。",
    ),
    "max": (
        "The maximum of {0}{over} gives {out}.",
        "{over}取 {0} 中的最大值，得到 {out}。",
    ),
    "min": (
        "The minimum of {0}{over} gives {out}.",
        "{over}取 {0} 中的最小值，得到 {out}。",
    ),
    "softmax": (
        "softmax turns {0} into probabilities that sum to 1, giving {out}.",
        "softmax 把 {0} 变成和为 1 的概率，得到 {out}。",
    ),
    "softmax_with_cross_entropy": (
        "The softmax of {0} is compared with the labels {1}, giving {out}.",
        "由 {0} 和标签 {1} 算出 softmax 概率与每个样本的交叉熵：{out}。",
    ),
    "unsqueeze": (
        "{0} gets {axes} of size 1, giving {out}.",
        "给 {0} 插入{axes}尺寸为 1 的维度，得到 {out}。",
    ),
    "squeeze": (
        "{0} loses {axes} of size 1, giving {out}.",
        "去掉 {0} 中{axes}尺寸为 1 的维度，得到 {out}。",
    ),
    "cast": (
        "{0} is converted to another type, giving {out}.",
        "转换 {0} 的数据类型，得到 {out}。",
    ),
    "copy_to": (
        "{0} is copied to another device, giving {out}.",
        "把 {0} 复制到另一个设备，得到 {out}。",
    ),
    "reshape": (
        "{0} is reshaped, giving {out}.",
        "改变 {0} 的形状，得到 {out}。",
    ),
    "transpose": (
        "The axes of {0} are reordered, giving {out}.",
        "重排 {0} 的维度，得到 {out}。",
    ),
    "concat": (
        "{all} are joined along an axis, giving {out}.",
        "把 {all} 沿指定轴拼接，得到 {out}。",
    ),
    "put_at": (
        "{0} is put back in its place, with zeros elsewhere, giving {out}.",
        "把 {0} 放回原来的位置，其余为 0，得到 {out}。",
    ),
    "pick_back": (
        "{0} is added back in its place, with zeros elsewhere, giving {out}.",
        "把 {0} 加回原来的位置，其余为 0，得到 {out}。",
    ),
    "masked_put": (
        "{0} is put back where the mask is True, with zeros elsewhere, giving {out}.",
        "把 {0} 放回 mask 为真的位置，其余为 0，得到 {out}。",
    ),
    "stack": (
        "{all} are stacked along a new axis, giving {out}.",
        "把 {all} 沿新增的轴堆叠，得到 {out}。",
    ),
    "where": (
        "{out} has the elements of {1} where {0} is True, and those of {2} elsewhere.",
        "{0} 为真处取 {1} 的元素，其余取 {2} 的元素，得到 {out}。",
    ),
    "all_reduce": (
        "all_reduce joins {0} with those of the other ranks, giving {out} on each of them.",
        "all_reduce 把 {0} 与其他 rank 的合并，每个 rank 都得到 {out}。",
    ),
    "reduce": (
        "reduce joins {0} with those of the other ranks for one of them; here is {out}.",
        "reduce 把 {0} 与其他 rank 的合并，交给其中一个；这里是 {out}。",
    ),
    "broadcast": (
        "broadcast gives every rank the tensor of one of them, so {0} becomes {out}.",
        "broadcast 把一个 rank 的 Tensor 交给所有 rank，{0} 于是成为 {out}。",
    ),
    "all_gather": (
        "all_gather collects {0} and those of the other ranks on each of them: {out}.",
        "all_gather 把 {0} 与其他 rank 的收集到每个 rank：{out}。",
    ),
    "dist_gather": (
        "gather collects {0} and those of the other ranks on one of them; here comes {out}.",
        "gather 把 {0} 与其他 rank 的收集到其中一个；这里得到 {out}。",
    ),
    "dist_scatter": (
        "scatter gives each rank one tensor of a list that one of them has: here {out}.",
        "scatter 把一个 rank 的列表中的 Tensor 分给各 rank：这里是 {out}。",
    ),
    "reduce_scatter": (
        "reduce_scatter joins the tensors that all ranks have for this one, giving {out}.",
        "reduce_scatter 把各 rank 给本 rank 的 Tensor 合并，得到 {out}。",
    ),
    "alltoall": (
        "alltoall gives each rank one of {all}, and this one gets {out} from them.",
        "alltoall 把 {all} 分给各 rank，并从它们那里得到 {out}。",
    ),
    "send": ("{0} is sent to another rank.", "把 {0} 发给另一个 rank。"),
    "recv": (
        "{out} comes from another rank and takes the place of {0}.",
        "另一个 rank 发来 {out}，取代 {0}。",
    ),
}


def phrase(
    op: str, inputs: Sequence[str], outputs: Pair, title: str = "", symbol: str = "", axes: int = 1
) -> Pair:
    """The sentence about one call of an op; names of tensors stand as they are, first or not.

    title: what it is called, where that is not its own name. axes: how many more or fewer come out.
    """
    usual = ("{name} computes {out} from {all}{over}.", "{name} {over}由 {all} 算出 {out}。")
    if len(inputs) == 2 and symbol in SIGNS:
        usual = ("{0} {symbol} {1} gives {out}.", "计算 {0} {symbol} {1}，得到 {out}。")
    elif len(inputs) == 1 and symbol.startswith("^ "):
        usual = ("{0} to the power {power} gives {out}.", "求 {0} 的 {power} 次方，得到 {out}。")
    words, given = WORDS.get(op, usual), [*inputs, "?", "?", "?"]
    names = {"name": title or op, "symbol": symbol, "power": symbol.removeprefix("^ ")}
    lists = joined(inputs), "、".join(inputs)
    counts = ("an axis", "一个") if axes == 1 else (f"{axes} axes", f" {axes} 个")
    english, chinese = (
        text.format(*given, all=row, axes=count, over=over, **names, out=out)
        for text, row, count, over, out in zip(
            words, lists, counts, over_axes(symbol), outputs, strict=True
        )
    )
    return english, chinese


def joined(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return ", ".join(items[:-1]) + " and " * (len(items) > 1) + items[-1]


def over_axes(symbol: str) -> Pair:
    """The axes that a sign names, as sentences say them; nothing where it names none.

    >>> over_axes("sum, axis 1"), over_axes("mean, axis (0, -1)")[0], over_axes("sum")
    ((' over axis 1', '沿轴 1 '), ' over axes 0 and −1', ('', ''))
    """
    _, _, named = symbol.partition(", axis ")
    row = re.findall(r"−?\d+", named.replace("-", "−"))
    if not row:
        return "", ""
    return f" over {'axis' if len(row) == 1 else 'axes'} {joined(row)}", f"沿轴 {'、'.join(row)} "


def creation(op: str, title: str, symbol: str, out: Pair) -> Pair:
    """Something out of nothing, in the user's own word, `randn`, where it is known."""
    if op == "gaussian":
        english, chinese = "random numbers from a normal distribution", "按正态分布随机生成"
    elif op == "uniform":
        english, chinese = "random numbers between two bounds", "按均匀分布随机生成"
    elif op == "barrier":
        return "The ranks wait for each other.", "各 rank 互相等待。"
    elif op == "batch":
        what = symbol == "stacked"
        english, chinese = (": samples stacked into a batch", "：由样本堆叠成的一批数据")
        return (
            f"The DataLoader gives {out[0]}{english * what}.",
            f"DataLoader 给出 {out[1]}{chinese * what}。",
        )
    else:
        return f"{title} makes {out[0]}.", f"{title} 生成 {out[1]}。"
    return f"{title} makes {out[0]}: {english}.", f"{title} {chinese} {out[1]}。"


SCALINGS: dict[str, Pair] = {  # by sign: n and m are numbers
    r"−": ("{x} changes sign, giving {out}.", "{x} 取相反数，得到 {out}。"),
    r"× (?P<n>\S+)": (
        "{x} is multiplied by {n}, giving {out}.",
        "{x} 乘以 {n}，得到 {out}。",
    ),
    r"\+ (?P<n>\S+)": ("{n} is added to {x}, giving {out}.", "{x} 加上 {n}，得到 {out}。"),
    r"− (?P<n>\S+)": ("{n} is subtracted from {x}, giving {out}.", "{x} 减去 {n}，得到 {out}。"),
    r"(?P<n>\S+) −": (
        "{x} is subtracted from {n}, giving {out}.",
        "用 {n} 减去 {x}，得到 {out}。",
    ),
    r"× (?P<n>\S+) \+ (?P<m>\S+)": (
        "{x} is multiplied by {n}, plus {m}, giving {out}.",
        "{x} 乘以 {n}，再加 {m}，得到 {out}。",
    ),
    r"× (?P<n>\S+) − (?P<m>\S+)": (
        "{x} is multiplied by {n}, minus {m}, giving {out}.",
        "{x} 乘以 {n}，再减 {m}，得到 {out}。",
    ),
    r"\(\+ (?P<m>\S+)\) × (?P<n>\S+)": (
        "{x} plus {m} is multiplied by {n}, giving {out}.",
        "{x} 先加 {m}，再乘以 {n}，得到 {out}。",
    ),
    r"\(− (?P<m>\S+)\) × (?P<n>\S+)": (
        "{x} minus {m} is multiplied by {n}, giving {out}.",
        "{x} 先减 {m}，再乘以 {n}，得到 {out}。",
    ),
}


def scaling(symbol: str, given: str, out: str) -> Pair:
    """Numbers and a tensor: the sign says which numbers, and what they do."""
    for pattern, (english, chinese) in SCALINGS.items():
        match = re.fullmatch(pattern, symbol)
        if match:
            words = {"x": given, "out": out, **match.groupdict()}
            return english.format(**words), chinese.format(**words)
    return f"{given} becomes {out}.", f"由 {given} 算出 {out}。"


def spell(symbol: str, inputs: Sequence[str]) -> str:
    """An unnamed result as a formula: `1 − square(y)`, `x × y`, `tanh(x)`; `1` for ones.

    >>> spell("transpose [1, 0]", ["x"]), spell("softmax, axis=0", ["x"]), spell("→ int64", ["x"])
    ('transpose(x, [1, 0])', 'softmax(x, axis=0)', 'x → int64')
    """
    if not inputs and not symbol.isidentifier():
        return symbol
    operands = [f"({t})" if " " in t and is_composite(t) else t for t in inputs]
    if len(inputs) == 1 and symbol in ("⁻¹", "⁺"):
        return operands[0] + symbol
    if len(inputs) == 1 and symbol[:2] in ("(+", "(−"):
        return f"({operands[0]} {symbol[1:]}"
    if len(inputs) == 1 and symbol[:1] in "+−×÷^→" and len(symbol) > 1:
        return f"{operands[0]} {symbol}"
    if len(inputs) == 1 and symbol.endswith("−"):
        return f"{symbol} {operands[0]}".replace("− ", "−" if symbol == "−" else "− ")
    if len(inputs) == 2 and symbol in SIGNS:
        return f"{operands[0]} {symbol} {operands[1]}"
    sizes = re.fullmatch(r"(\w+) (\[.*\])", symbol)
    name, comma, how = (symbol, "", "") if "[" in symbol else symbol.partition(", ")
    if sizes:
        name, comma, how = sizes[1], ", ", sizes[2]
    return f"{name}({', '.join(inputs)}{comma}{how})"
