"""The exercises of lesson 15: gradients through time, clipping, an LSTM and its forget gate."""

import numpy as np

import minipaddle as paddle
from minipaddle import nn
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.trials import same
from minipaddle.exercises.workbench import named

TITLE = Text("Through time", "沿着时间")
SOLVED = Text("../solutions/15_through_time.ipynb", "../solutions/zh/15_through_time.ipynb")
sigmoid = nn.functional.sigmoid


# ----- predictions -------------------------------------------------------------------------------

parts = Prediction(
    "parts",
    question=Text(
        "In each of the 8 turns, h = tanh(w * h + x[t]). How many gradients come back to w, to be"
        " added up?",
        "8 个时间步，每一步都是 h = tanh(w * h + x[t])。有几份梯度回到 w，在那里相加？",
    ),
    kind="count",
    truth=8,
    because=Text(
        "w was used in eight multiplications, and each sends its part. (That of turn 0 is 0,"
        " because the state that came in was 0.)",
        "w 用在八次乘法里，每次乘法送回一份。（第 0 步的那份是 0，因为进来的状态是 0。）",
    ),
)

saturated = Prediction(
    "saturated",
    question=Text(
        "h = tanh(1.5 * h), eight turns, from h = 1. What is the gradient of the last state with"
        " respect to the first?",
        "h = tanh(1.5 * h)，八步，从 h = 1 开始。最后的状态对起始状态的梯度怎样？",
    ),
    choices=[
        Text("above 1, as 1.5 is", "大于 1，因为 1.5 大于 1"),
        Text("about 1", "大约是 1"),
        Text("far below 1", "远小于 1"),
    ],
    truth="far below 1",
    because=Text(
        "The state stays near 0.86. There tanh has the slope 0.26, and each turn multiplies by"
        " 1.5 × 0.26 = 0.39.",
        "状态停在 0.86 附近。tanh 在那里的斜率是 0.26，每一步乘以 1.5 × 0.26 = 0.39。",
    ),
)

rope = Prediction(
    "rope",
    question=Text(
        "Round 1 once more: w is 1.3, its gradient 618, the learning rate 0.02. The gradient is"
        " clipped to the norm 1.0. What is w after the step?",
        "还是第 1 轮：w 是 1.3，梯度是 618，学习率是 0.02。梯度裁剪到范数 1.0。走完这一步，w 是多"
        "少？",
    ),
    kind="number",
    truth=1.28,
    because=Text(
        "What is left of 618 is 1, with the same sign: 1.3 − 0.02 × 1.",
        "618 只剩下 1，符号不变：1.3 − 0.02 × 1。",
    ),
)

half = Prediction(
    "half",
    question=Text(
        "The forget gate is 0.5 in each of 4 turns: c = 0.5 * c + 0.1. What is the gradient of the"
        " last c with respect to the c before the first turn?",
        "4 步里遗忘门都是 0.5：c = 0.5 * c + 0.1。最后的 c 对第一步之前的 c 的梯度是多少？",
    ),
    kind="number",
    truth=0.0625,
    because=Text(
        "0.5 × 0.5 × 0.5 × 0.5 = 1/16. What is added does not matter.",
        "0.5 × 0.5 × 0.5 × 0.5 = 1/16。加上的数没有影响。",
    ),
)

who_learns = Prediction(
    "who_learns",
    question=Text(
        "Which nets learn to repeat the first of twenty numbers, in 120 rounds?",
        "训练 120 轮，哪些网络学得会说出二十个数里的第一个？",
    ),
    choices=[
        Text("all three", "三个都会"),
        Text("both LSTMs", "两个 LSTM"),
        Text("only the LSTM with open forget gates", "只有打开了遗忘门的 LSTM"),
        Text("none", "一个也不会"),
    ],
    truth="only the LSTM with open forget gates",
    because=Text(
        "In the two other nets the gradient has shrunk too far when it comes to the first number:"
        " it passed nineteen gates of about 0.5, or nineteen turns of tanh.",
        "在另外两个网络里，梯度走到第一个数时已经太小：它穿过了十九个 0.5 左右的门，或者十九次"
        " tanh。",
    ),
)


# ----- back_in_time ------------------------------------------------------------------------------


def going_back(
    part=lambda inner, hs, t, dh, w: inner * hs[t - 1],
    inner=lambda dh, hs, t: dh * (1 - hs[t] ** 2),
    on=lambda inner, w, dh: inner * w,
    turns=lambda hs: range(len(hs) - 1, 0, -1),
    result=lambda dw, dh, last: dw,
):
    """What exercise 1 asks for, with another part, slope, way on, order of turns or result."""

    def back_in_time(w, hs):
        dh, dw, last = 1.0, 0.0, 0.0
        for t in turns(hs):
            before = inner(dh, hs, t)
            last = part(before, hs, t, dh, w)
            dw, dh = dw + last, on(before, w, dh)
        return result(dw, dh, last)

    return back_in_time


def states(rng):
    """A weight, and the states of a net with it; four decimals let a learner run it again."""
    w = round(float(rng.choice([-1, 1]) * rng.uniform(0.6, 1.4)), 1)
    hs = [round(float(rng.choice([-1, 1]) * rng.uniform(0.2, 0.6)), 1)]
    for _ in range(rng.integers(3, 8)):
        hs.append(round(float(np.tanh(w * hs[-1] + rng.uniform(-0.8, 0.8))), 4))
    return {"w": w, "hs": hs}


LOOP = """for t in range(len(hs) - 1, 0, -1):
    inner = dh * (1 - hs[t] ** 2)
    dw = dw + inner * hs[t - 1]
    dh = inner * w"""


back_in_time = Exercise(
    "back_in_time",
    title=Text("Backpropagation through time", "沿时间的反向传播"),
    check=checks.experiment(
        going_back(),
        inputs=states,
        use=lambda answer, w, hs: {"dw": answer(w, list(hs))},
    ),
    hints=(
        Text(
            "Go through t from the last index of hs down to 1. In each turn dh passes the tanh"
            " first, then the multiplication, which has two inputs: w and hs[t - 1].",
            "t 从 hs 的最后一个下标走到 1。每一步里 dh 先穿过 tanh，再穿过乘法；乘法有两个输入："
            "w 和 hs[t - 1]。",
        ),
        Text(
            "In each turn, give the gradient that has passed the tanh a name:"
            " inner = dh * (1 - hs[t] ** 2). Add inner * hs[t - 1] to dw; what goes on is"
            " inner * w.",
            "每一步里，给穿过 tanh 之后的梯度起个名字：inner = dh * (1 - hs[t] ** 2)。把 inner *"
            " hs[t - 1] 加到 dw 上；继续往回走的是 inner * w。",
        ),
        Text(
            f"Begin with dh, dw = 1.0, 0.0, and end with return dw. Between them:\n{LOOP}",
            f"开头写 dh, dw = 1.0, 0.0，最后写 return dw。中间是：\n{LOOP}",
        ),
    ),
    solution=solution_in(SOLVED, "back_in_time"),
    praise=Text(
        "That is all of it, for one number or for a thousand.",
        "一个数也好，一千个也好，都是这样算。",
    ),
    slips=(
        Slip(
            "last_turn",
            gives=going_back(turns=lambda hs: [len(hs) - 1]),
            hint=Text(
                "This is the part of the last turn alone. w was used in the earlier turns, too: go"
                " on with dh, multiplied by the slope and by w.",
                "这只是最后一步的那一份。前面各步也用了 w：dh 乘以斜率和 w，接着往回走。",
            ),
        ),
        Slip(
            "not_added",
            gives=going_back(result=lambda dw, dh, last: last),
            hint=Text(
                "This is the part of one turn alone, the first. Add the parts up: dw = dw + ...",
                "这只是一步的那一份，即第一步的。要把各份加起来：dw = dw + ...",
            ),
        ),
        Slip(
            "no_slope",
            gives=going_back(inner=lambda dh, hs, t: dh),
            hint=Text(
                "The gradient never passed the tanh: multiply it by the slope, 1 - hs[t] ** 2.",
                "梯度没有穿过 tanh：要乘以斜率 1 - hs[t] ** 2。",
            ),
        ),
        Slip(
            "no_weight",
            gives=going_back(on=lambda inner, w, dh: inner),
            hint=Text(
                "From turn to turn the gradient also passes the multiplication: multiply dh by w.",
                "从一步到前一步，梯度还要穿过乘法：dh 要乘以 w。",
            ),
        ),
        Slip(
            "no_way_back",
            gives=going_back(on=lambda inner, w, dh: 1.0),
            hint=Text(
                "Every turn began with dh = 1. Only the last one does: at the end of a turn, dh"
                " has been multiplied by the slope and by w.",
                "每一步都从 dh = 1 开始了。只有最后一步才是：走完一步，dh 乘上了斜率和 w。",
            ),
        ),
        Slip(
            "own_state",
            gives=going_back(part=lambda inner, hs, t, dh, w: inner * hs[t]),
            hint=Text(
                "w was multiplied by the state of the turn before: hs[t - 1], not hs[t].",
                "与 w 相乘的是上一步的状态：是 hs[t - 1]，不是 hs[t]。",
            ),
        ),
        Slip(
            "forwards",
            gives=going_back(turns=lambda hs: range(1, len(hs))),
            hint=Text(
                "The turns are taken from the first to the last. The gradient begins at the last"
                " one: range(len(hs) - 1, 0, -1).",
                "各步是从前往后走的。梯度从最后一步开始：range(len(hs) - 1, 0, -1)。",
            ),
        ),
        Slip(
            "slope_of_before",
            gives=going_back(inner=lambda dh, hs, t: dh * (1 - hs[t - 1] ** 2)),
            hint=Text(
                "The slope is that of the tanh which gave hs[t]: 1 - hs[t] ** 2.",
                "斜率要取得出 hs[t] 的那个 tanh 的：1 - hs[t] ** 2。",
            ),
        ),
        Slip(
            "slope_too_late",
            gives=going_back(part=lambda inner, hs, t, dh, w: dh * hs[t - 1]),
            hint=Text(
                "The parts of dw lack the slope of their turn: the gradient passes the tanh first."
                " Multiply by 1 - hs[t] ** 2 before you add to dw.",
                "dw 的各份里少了这一步的斜率：梯度先穿过 tanh。先乘以 1 - hs[t] ** 2，再加到 dw"
                " 上。",
            ),
        ),
        Slip(
            "slope_in_dw_alone",
            gives=going_back(on=lambda inner, w, dh: dh * w),
            hint=Text(
                "The parts of dw have the slope, but the dh that goes on has not: it has passed the"
                " tanh, too.",
                "dw 的各份里有斜率，继续往回走的 dh 里却没有：它同样穿过了 tanh。",
            ),
        ),
        Slip(
            "w_too_often",
            gives=going_back(part=lambda inner, hs, t, dh, w: inner * hs[t - 1] * w),
            hint=Text(
                "Each part of dw has a factor w too many. Add it to dw before dh is multiplied by"
                " w.",
                "dw 的每一份都多了一个因子 w。要在 dh 乘以 w 之前加到 dw 上。",
            ),
        ),
        Slip(
            "times_w",
            gives=going_back(part=lambda inner, hs, t, dh, w: inner * w),
            hint=Text(
                "Here the parts of dw are multiplied by w. By the rule of the multiplication it is"
                " the other factor: hs[t - 1].",
                "这里 dw 的各份乘的是 w。按乘法的规则，要乘另一个因子：hs[t - 1]。",
            ),
        ),
        Slip(
            "tanh_again",
            gives=going_back(inner=lambda dh, hs, t: dh * (1 - np.tanh(hs[t]) ** 2)),
            hint=Text(
                "hs[t] has passed the tanh already, so its slope is 1 - hs[t] ** 2, without another"
                " tanh.",
                "hs[t] 已经是 tanh 的结果，所以斜率是 1 - hs[t] ** 2，不用再取 tanh。",
            ),
        ),
        Slip(
            "first_turn_left_out",
            gives=going_back(turns=lambda hs: range(len(hs) - 1, 1, -1)),
            hint=Text(
                "The first turn is left out: t goes down to 1, and range stops before its second"
                " number, 0.",
                "漏了第一步：t 要走到 1；range 不含第二个数，所以那里写 0。",
            ),
        ),
        Slip(
            "round_the_end",
            gives=going_back(turns=lambda hs: range(len(hs) - 1, -1, -1)),
            hint=Text(
                "t went down to 0, where hs[t - 1] is hs[-1], the last state. hs[0] is the start"
                " and came from no turn: stop at 1.",
                "t 走到了 0，而那里的 hs[t - 1] 是 hs[-1]，即最后的状态。hs[0] 是起点，不是哪一步"
                "算出来的：走到 1 为止。",
            ),
        ),
        Slip(
            "of_the_start",
            gives=going_back(result=lambda dw, dh, last: dh),
            hint=Text(
                "This is the gradient of the start, hs[0]. The gradient of w is the sum of the"
                " parts.",
                "这是起点 hs[0] 的梯度。w 的梯度是各份之和。",
            ),
        ),
        Slip(
            "turn_left_out",
            gives=going_back(turns=lambda hs: range(len(hs) - 2, 0, -1)),
            hint=Text(
                "A turn is left out: the last state is hs[len(hs) - 1], so begin there.",
                "漏了一步：最后的状态是 hs[len(hs) - 1]，要从那里开始。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. End with return dw.", "什么也没有返回。最后要写 return dw。"
            ),
        ),
    ),
)


# ----- clip_all ----------------------------------------------------------------------------------


def norm_of(grads):
    """The length of all gradients as one arrow."""
    return sum(float((grad * grad).sum()) for grad in grads) ** 0.5


def shortening(norm=norm_of, factor=lambda limit, norm: limit / norm, always=False):
    """What exercise 2 asks for, with another norm, another factor, or for short ones, too."""

    def clip_all(grads, limit):
        size = norm(grads)
        if size <= limit and not always:
            return grads
        return [grad * factor(limit, size) for grad in grads]

    return clip_all


def clipped_alone(grads, limit):
    """Each gradient by its own norm."""
    return [shortening()([grad], limit)[0] for grad in grads]


def some_grads(rng):
    """Three gradients, a limit below their global norm, and one above it."""
    shapes = {"grads[0]": (2,), "grads[1]": (2, 3), "grads[2]": (3,)}
    grads = {
        name: np.round(rng.uniform(1, 5, shape) * rng.choice([-1, 1], shape), 1)
        for name, shape in shapes.items()
    }
    norm = float(np.sqrt(sum((grad**2).sum() for grad in grads.values())))
    limit = max(round(float(rng.uniform(0.1, 0.2)) * norm, 2), 0.01)
    return grads | {"limit": limit, "large_limit": round(2 * norm, 2)}


def clip_twice(answer, limit, large_limit, **grads):
    """Clip gradients to less than their norm, and to more."""
    made = {}
    for name, at in {"limit": limit, "large_limit": large_limit}.items():
        returned = answer([paddle.to_tensor(grad) for grad in grads.values()], at)
        if returned is None:
            continue
        first, second, third = returned
        each = enumerate([first, second, third])
        made |= {f"clip_all(grads, {name})[{number}]": grad for number, grad in each}
    return made


def is_no_list(trial):
    """Whether something came back that is no list of three gradients."""
    return "unpack" in str(trial.error) or "iterat" in str(trial.error)


def parts_of(grads):
    """Lists of some of these gradients, but not of all."""
    return [grads[:1], grads[1:2], grads[2:], grads[:2], grads[1:], grads[::2]]


def leaves_some_out(trial):
    """Whether the norm is that of some of the gradients."""
    norms = [lambda grads, number=number: norm_of(parts_of(grads)[number]) for number in range(6)]
    return any(trial.gives(shortening(norm=norm)) for norm in norms)


clip_all = Exercise(
    "clip_all",
    title=Text("Clip by the global norm", "按全局范数裁剪"),
    check=checks.experiment(
        shortening(),
        inputs=some_grads,
        use=clip_twice,
    ),
    hints=(
        Text(
            "First one number for the whole list: the sum of (grad * grad).sum() over all grads,"
            " and its root.",
            "先为整个列表算一个数：对所有的 grad，把 (grad * grad).sum() 加起来，再开方。",
        ),
        Text(
            "norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5. The factor is"
            " limit / norm where norm is the larger one, else 1.",
            "norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5。norm 大于 limit 时，"
            "因子是 limit / norm，否则是 1。",
        ),
        Text(
            "The last line: return [grad * (limit / max(norm, limit)) for grad in grads]",
            "最后一行：return [grad * (limit / max(norm, limit)) for grad in grads]",
        ),
    ),
    solution=solution_in(SOLVED, "clip_all"),
    praise=Text(
        "One factor for all, so the direction stays.", "大家乘的是同一个因子，所以方向不变。"
    ),
    slips=(
        Slip(
            "each_alone",
            gives=clipped_alone,
            hint=Text(
                "Each gradient was clipped by its own norm, which turns the arrow. One norm of all"
                " gradients together gives one factor for all.",
                "每个梯度按自己的范数裁剪了，这样箭头会转向。要把所有的梯度合起来算一个范数，得出共"
                "用的一个因子。",
            ),
        ),
        Slip(
            "by_value",
            gives=lambda grads, limit: [paddle.clip(grad, -limit, limit) for grad in grads],
            hint=Text(
                "Each number was clipped by itself, which turns the arrow. Multiply all by one"
                " factor, limit / norm.",
                "每个数是单独裁剪的，这样箭头会转向。全都要乘以同一个因子 limit / norm。",
            ),
        ),
        Slip(
            "always",
            gives=shortening(always=True),
            hint=Text(
                "Gradients whose norm is below the limit were made longer. Leave those as they"
                " are.",
                "范数没有超过上限的梯度，被拉长了。这样的要保持原样。",
            ),
        ),
        Slip(
            "compared_wrongly",
            gives=lambda grads, limit: (
                grads if norm_of(grads) > limit else shortening(always=True)(grads, limit)
            ),
            hint=Text(
                "The comparison is the wrong way round: long gradients were left, short ones were"
                " made longer. Leave them where norm <= limit.",
                "比较的方向反了：太长的没有动，不长的反而拉长了。norm <= limit 时才保持原样。",
            ),
        ),
        Slip(
            "no_root",
            gives=shortening(norm=lambda grads: norm_of(grads) ** 2),
            hint=Text(
                "The root is missing: the sum of the squares is the square of the norm.",
                "少了开方：平方和是范数的平方。",
            ),
        ),
        Slip(
            "no_squares",
            gives=shortening(
                norm=lambda grads: sum(float(paddle.abs(grad).sum()) for grad in grads)
            ),
            hint=Text(
                "These are the sizes added up. The norm is the root of the sum of the squares.",
                "这是把大小直接相加。范数是平方和再开方。",
            ),
        ),
        Slip(
            "mean_square",
            gives=shortening(
                norm=lambda grads: norm_of(grads) / sum(grad.size for grad in grads) ** 0.5
            ),
            hint=Text(
                "This is the root of the mean square. The norm has the sum of the squares in it,"
                " not their mean.",
                "这是平方的均值再开方。范数要的是平方的和，不是均值。",
            ),
        ),
        Slip(
            "root_of_means",
            gives=shortening(
                norm=lambda grads: sum(float((grad * grad).mean()) for grad in grads) ** 0.5
            ),
            hint=Text(
                "Here the squares of each gradient were averaged. The norm adds them up: sum(), not"
                " mean().",
                "这里对每个梯度的平方求了均值。范数要的是和：用 sum()，不用 mean()。",
            ),
        ),
        Slip(
            "sum_of_norms",
            gives=shortening(norm=lambda grads: sum(norm_of([grad]) for grad in grads)),
            hint=Text(
                "These are the norms of the gradients, added up. Add up the squares of all numbers"
                " first, and take one root at the end.",
                "这是各个梯度的范数之和。先把所有数的平方加起来，最后只开一次方。",
            ),
        ),
        Slip(
            "largest_norm",
            gives=shortening(norm=lambda grads: max(norm_of([grad]) for grad in grads)),
            hint=Text(
                "This is the largest of the gradients' norms. The global norm is that of all"
                " gradients together.",
                "这是各个梯度的范数里最大的一个。全局范数是所有梯度合在一起的范数。",
            ),
        ),
        Slip(
            "largest_number",
            gives=shortening(norm=lambda grads: max(float(abs(grad).max()) for grad in grads)),
            hint=Text(
                "This is the size of the largest number. The norm is the root of the sum of all"
                " squares.",
                "这是最大的那个数的大小。范数是所有平方之和再开方。",
            ),
        ),
        Slip(
            "some_left_out",
            seen=leaves_some_out,
            hint=Text(
                "The norm is not that of all gradients in the list: some were left out, or replaced"
                " by the next one. Add up the squares of every gradient, however many there are.",
                "范数没有算上列表里所有的梯度：有的漏掉了，或者被后面的覆盖了。不论列表里有几个梯"
                "度，都要把每一个的平方加起来。",
            ),
        ),
        Slip(
            "not_clipped",
            gives=lambda grads, limit: grads,
            hint=Text(
                "The gradients came back as they were, even where their norm is above the limit."
                " (grad = ... in a loop changes no list: return a new one.)",
                "梯度原样返回了，范数超过上限时也是。（在循环里写 grad = ... 不会改变列表：要返回一"
                "个新的列表。）",
            ),
        ),
        Slip(
            "squared_factor",
            gives=shortening(factor=lambda limit, norm: (limit / norm) ** 2),
            hint=Text(
                "The gradients were multiplied by limit / norm twice. Once makes the norm equal to"
                " the limit.",
                "梯度乘了两次 limit / norm。乘一次，范数就等于上限。",
            ),
        ),
        Slip(
            "turned_round",
            gives=shortening(factor=lambda limit, norm: norm / limit),
            hint=Text(
                "The long gradients became longer: the factor is limit / norm, which is below 1.",
                "太长的梯度更长了：因子是 limit / norm，小于 1。",
            ),
        ),
        Slip(
            "length_one",
            gives=shortening(factor=lambda limit, norm: 1 / norm),
            hint=Text(
                "The result has the norm 1. It should have the norm limit: multiply by it.",
                "得到的范数是 1，应当是 limit：还要乘以它。",
            ),
        ),
        Slip(
            "not_a_list",
            seen=is_no_list,
            hint=Text(
                "The check gave a list of three gradients, and wants a list of three gradients"
                " back.",
                "检查交给它的是三个梯度的列表，返回的也应当是三个梯度的列表。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. End with return, and the list of the gradients.",
                "什么也没有返回。最后要用 return 返回梯度的列表。",
            ),
        ),
        Slip(
            "one_return",
            seen=lambda trial: trial.error is None and len(trial.came) == 3,
            hint=Text(
                "Nothing came back in one of the two cases: return a list above the limit, and"
                " below it, too.",
                "有一种情况什么也没有返回：超过上限和不超过上限，都要返回列表。",
            ),
        ),
    ),
)


# ----- lstm_step ---------------------------------------------------------------------------------


def a_step(
    cell=lambda i, f, g, c: sigmoid(f) * c + sigmoid(i) * paddle.tanh(g),
    out=lambda o, c, old: sigmoid(o) * paddle.tanh(c),
    order=(0, 1, 2, 3),
    result=lambda h, c, old: (h, c),
):
    """What exercise 3 asks for, with another cell state, output, order of gates or result."""

    def lstm_step(gates, c):
        blocks = paddle.split(gates, 4, axis=1)
        i, f, g, o = (blocks[at] for at in order)
        new = cell(i, f, g, c)
        return result(out(o, new, c), new, c)

    return lstm_step


def without_squash(name):
    """What exercise 3 asks for, with one of the four blocks as it came."""

    def squash(block, function, letter):
        return block if letter == name else function(block)

    return a_step(
        cell=lambda i, f, g, c: (
            squash(f, sigmoid, "f") * c + squash(i, sigmoid, "i") * squash(g, paddle.tanh, "g")
        ),
        out=lambda o, c, old: squash(o, sigmoid, "o") * paddle.tanh(c),
    )


def not_squashed(trial):
    """The one block that was used as it came, if it is just one."""
    return next((name for name in "ifgo" if trial.gives(without_squash(name))), "")


def is_cut_off(trial):
    """Whether both states are right, and the gradients that come back through them are not."""
    return (
        trial.error is None
        and not trial.right
        and all(n in trial.came and same(trial.came[n], trial.expected[n]) for n in ("h", "new c"))
    )


def some_gates(rng):
    """Gates and a cell state, of any size."""
    rows = rng.integers(1, 3)
    size = rows + 1  # so that no product of matrices fits
    gates, c = (rows, 4 * size), (rows, size)
    return {
        "gates": np.round(rng.uniform(0.4, 1.5, gates) * rng.choice([-1, 1], gates), 1),
        "c": np.round(rng.uniform(0.5, 1.5, c) * rng.choice([-1, 1], c), 1),
    }


def turn_and_back(answer, gates, c):
    """The new states, and the gradients that come back from both."""
    gates, c = named(gates, "gates"), named(c, "c")
    returned = answer(gates, c)
    if returned is None:
        return {}
    if isinstance(returned, paddle.Tensor):
        raise ValueError("one state in place of two")
    h, new = returned
    if isinstance(new, tuple | list):
        raise ValueError("a pair in place of c")
    (h + 2 * new).sum().backward()
    return {"h": h, "new c": new, "gates.grad": gates.grad, "c.grad": c.grad}


lstm_step = Exercise(
    "lstm_step",
    title=Text("A turn of an LSTM", "LSTM 的一步"),
    check=checks.experiment(
        a_step(),
        inputs=some_gates,
        use=turn_and_back,
        zh={"new c": "新的 c"},
    ),
    hints=(
        Text(
            "i, f, g, o = paddle.split(gates, 4, axis=1). Each is squashed before it is used: i, f"
            " and o by the sigmoid, g by tanh.",
            "i, f, g, o = paddle.split(gates, 4, axis=1)。用之前都要压缩：i、f、o 用 sigmoid，g"
            " 用 tanh。",
        ),
        Text(
            "The new c is sigmoid(f) * c + sigmoid(i) * paddle.tanh(g): some of the old, and some"
            " of the new.",
            "新的 c 是 sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)：旧的留一些，新的加一些。",
        ),
        Text(
            "h is sigmoid(o) * paddle.tanh(c), of the new c. Then return h, c.",
            "h 是 sigmoid(o) * paddle.tanh(c)，用的是新的 c。最后 return h, c。",
        ),
    ),
    solution=solution_in(SOLVED, "lstm_step"),
    praise=Text(
        "The new c is a sum, and the old c is in it, multiplied by one gate.",
        "新的 c 是一个和，旧的 c 就在里面，只乘了一个门。",
    ),
    slips=(
        Slip(
            "gates_swapped",
            gives=a_step(order=(1, 0, 2, 3)),
            hint=Text(
                "i and f have changed places. The order of the blocks is i, f, g, o; f multiplies"
                " the old c.",
                "i 和 f 互换了位置。各块的顺序是 i、f、g、o；与旧的 c 相乘的是 f。",
            ),
        ),
        Slip(
            "output_third",
            gives=a_step(order=(0, 1, 3, 2)),
            hint=Text(
                "g and o have changed places: the third block is g, the fourth is o.",
                "g 和 o 互换了位置：第三块是 g，第四块是 o。",
            ),
        ),
        Slip(
            "forgets_all",
            gives=a_step(cell=lambda i, f, g, c: sigmoid(i) * paddle.tanh(g)),
            hint=Text(
                "The old c is not in the new one. Add sigmoid(f) * c: that is the memory.",
                "新的 c 里没有旧的 c。要加上 sigmoid(f) * c：记忆就在这里。",
            ),
        ),
        Slip(
            "forgets_nothing",
            gives=a_step(cell=lambda i, f, g, c: c + sigmoid(i) * paddle.tanh(g)),
            hint=Text(
                "The old c came along whole. The forget gate decides how much of it stays:"
                " sigmoid(f) * c.",
                "旧的 c 整个留了下来。留多少由遗忘门决定：sigmoid(f) * c。",
            ),
        ),
        Slip(
            "g_by_sigmoid",
            gives=a_step(cell=lambda i, f, g, c: sigmoid(f) * c + sigmoid(i) * sigmoid(g)),
            hint=Text(
                "g is no gate, but what is written into the cell, and may be negative: tanh, not"
                " sigmoid.",
                "g 不是门，而是要写进细胞的内容，可以是负的：用 tanh，不用 sigmoid。",
            ),
        ),
        Slip(
            "not_squashed",
            gives=a_step(
                cell=lambda i, f, g, c: f * c + i * g, out=lambda o, c, old: o * paddle.tanh(c)
            ),
            hint=Text(
                "The four blocks were used as they came. Squash them first: i, f and o by the"
                " sigmoid, g by tanh.",
                "四块是原样用的。先要压缩：i、f、o 用 sigmoid，g 用 tanh。",
            ),
        ),
        Slip(
            "one_not_squashed",
            seen=lambda trial: bool(not_squashed(trial)),
            hint=Text(
                "{block} was used as it came. All four are squashed: i, f and o by the sigmoid, g"
                " by tanh.",
                "{block} 是原样用的。四块都要压缩：i、f、o 用 sigmoid，g 用 tanh。",
            ),
            facts=lambda trial: {"block": not_squashed(trial)},
        ),
        Slip(
            "gates_by_tanh",
            gives=a_step(
                cell=lambda i, f, g, c: paddle.tanh(f) * c + paddle.tanh(i) * paddle.tanh(g),
                out=lambda o, c, old: paddle.tanh(o) * paddle.tanh(c),
            ),
            hint=Text(
                "All four went through tanh. A gate lies between 0 and 1: i, f and o take the"
                " sigmoid.",
                "四块都用了 tanh。门的值在 0 和 1 之间：i、f、o 要用 sigmoid。",
            ),
        ),
        Slip(
            "no_input_gate",
            gives=a_step(cell=lambda i, f, g, c: sigmoid(f) * c + paddle.tanh(g)),
            hint=Text(
                "All of g was written into the cell. The input gate decides how much:"
                " sigmoid(i) * paddle.tanh(g).",
                "g 整个写进了细胞。写多少由输入门决定：sigmoid(i) * paddle.tanh(g)。",
            ),
        ),
        Slip(
            "f_turned_round",
            gives=a_step(
                cell=lambda i, f, g, c: (1 - sigmoid(f)) * c + sigmoid(i) * paddle.tanh(g)
            ),
            hint=Text(
                "The forget gate says how much is kept, in spite of its name: sigmoid(f) * c, not"
                " (1 - sigmoid(f)) * c.",
                "遗忘门虽叫遗忘，给出的却是保留多少：sigmoid(f) * c，不是 (1 - sigmoid(f)) * c。",
            ),
        ),
        Slip(
            "c_not_squashed",
            gives=a_step(out=lambda o, c, old: sigmoid(o) * c),
            hint=Text(
                "c is right. h is the output gate times tanh of c.",
                "c 对了。h 是输出门乘以 tanh(c)。",
            ),
        ),
        Slip(
            "c_squashed",
            gives=a_step(
                cell=lambda i, f, g, c: paddle.tanh(sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)),
                out=lambda o, c, old: sigmoid(o) * c,
            ),
            hint=Text(
                "The cell state went through tanh itself, and then every turn would multiply its"
                " gradient by that slope. tanh(c) belongs in h alone.",
                "细胞状态自己经过了 tanh，那样每一步都要把它的梯度乘上那个斜率。tanh(c) 只用在 h 里"
                "。",
            ),
        ),
        Slip(
            "old_c",
            gives=a_step(out=lambda o, c, old: sigmoid(o) * paddle.tanh(old)),
            hint=Text(
                "c is right, but h was made of the old c. It takes the new one.",
                "c 对了，但 h 用的是旧的 c。应当用新的。",
            ),
        ),
        Slip(
            "turned_round",
            gives=a_step(result=lambda h, c, old: (c, h)),
            hint=Text(
                "h and c have changed places: return h, c.", "h 和 c 互换了位置：return h, c。"
            ),
        ),
        Slip(
            "other_axis",
            raises="split(): x and num_or_sections do not fit",
            hint=Text(
                "gates has the shape [rows, 4 * size], and the four blocks lie side by side:"
                " paddle.split(gates, 4, axis=1).",
                "gates 的形状是 [行数, 4 * size]，四块是并排的：paddle.split(gates, 4, axis=1)。",
            ),
        ),
        Slip(
            "matrix_product",
            raises="matmul(): the last dimension of x",
            hint=Text(
                "This is the product of matrices. A gate multiplies element by element: write *.",
                "这是矩阵乘法。门是逐元素相乘的：用 *。",
            ),
        ),
        Slip(
            "old_c_returned",
            gives=a_step(result=lambda h, c, old: (h, old)),
            hint=Text(
                "h is right, but the c that came back is the old one. Return the new one.",
                "h 对了，但返回的 c 是旧的。要返回新的。",
            ),
        ),
        Slip(
            "as_the_cell",
            gives=a_step(result=lambda h, c, old: (h, (h, c))),
            hint=Text(
                "What came back second is a tuple or a list. Return the two states alone:"
                " return h, c.",
                "返回的第二项是元组或列表。只返回两个状态：return h, c。",
            ),
        ),
        Slip(
            "cut_off",
            seen=is_cut_off,
            hint=Text(
                "h and c are right, but the gradient of (h + 2 * c).sum() is not. Stay with"
                " paddle's functions: numpy(), detach() and no_grad() cut the way back.",
                "h 和 c 是对的，但 (h + 2 * c).sum() 的梯度不对。请只用 paddle 的函数：numpy()、"
                "detach() 和 no_grad() 会切断往回的路。",
            ),
        ),
        Slip(
            "h_alone",
            gives=a_step(result=lambda h, c, old: h),
            hint=Text(
                "One Tensor came back. The next turn wants the new c, too: return h, c.",
                "只返回了一个 Tensor。下一步还要用新的 c：return h, c。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. End with return h, c.",
                "什么也没有返回。最后要写 return h, c。",
            ),
        ),
    ),
)


# ----- open_gate ---------------------------------------------------------------------------------


def opening(block=lambda size: slice(size, 2 * size), names=("bias_ih_l0",), add=False, rest=None):
    """What exercise 4 asks for, with another block or rest, in other biases, or added."""

    def open_gate(lstm, start):
        for name in names:
            bias = getattr(lstm, name)
            numbers = bias.numpy().copy()
            chosen = block(len(numbers) // 4)
            value = numbers[chosen] + start if add else start
            if rest is not None:
                numbers[:] = rest
            numbers[chosen] = value
            bias.set_value(numbers)

    return open_gate


def opened(answer, start, **sizes):
    """The biases after the answer has run, and whether anything else is another."""
    [hidden] = sizes.values()
    paddle.seed(hidden)
    lstm = nn.LSTM(2, hidden)
    kept = {name: (parameter, parameter.numpy().copy()) for name, parameter in parameters(lstm)}
    answer(lstm, start)
    now = dict(parameters(lstm))
    return {
        "bias_ih_l0": lstm.bias_ih_l0,
        "bias_hh_l0": lstm.bias_hh_l0,
        "the same parameters": all(
            name in now and now[name] is parameter and parameter.is_leaf
            for name, (parameter, _) in kept.items()
        ),
        "weights as before": all(
            np.array_equal(numbers, kept[name][0].numpy())
            for name, (_, numbers) in kept.items()
            if "weight" in name
        ),
        "all still trained": not any(parameter.stop_gradient for parameter in now.values()),
    }


def elsewhere(trial):
    """Where start stands in a bias that is otherwise as it should be, and where it should."""
    came, expected = trial.came.get("bias_ih_l0"), trial.expected["bias_ih_l0"]
    start, size = trial.given["start"], len(expected) // 4
    others = trial.expected.keys() - {"bias_ih_l0"}
    if came is None or not all(trial.came_as(name, trial.expected[name]) for name in others):
        return {}
    places = np.flatnonzero(np.isclose(came, start))
    changed = (came != expected) & ~np.isclose(came, start)
    if not places.size or changed[:size].any() or changed[2 * size :].any():
        return {}
    row = [places[0], places[-1], size, 2 * size - 1]
    if len(places) <= places[-1] - places[0]:  # not side by side
        return {}
    return dict(zip(("first", "last", "size", "end"), map(str, row), strict=True))


def parameters(lstm):
    """The names and the parameters of a layer, in a fixed order."""
    return sorted(lstm.named_parameters())


open_gate = Exercise(
    "open_gate",
    title=Text("Open the forget gate", "打开遗忘门"),
    check=checks.experiment(
        opening(),
        inputs=lambda rng: {
            "lstm.hidden_size": int(rng.integers(3, 7)),
            "start": float(rng.integers(1, 4)),
        },
        use=opened,
        zh={
            "the same parameters": "还是原来的参数",
            "weights as before": "权重与原来一样",
            "all still trained": "都还可以训练",
        },
    ),
    hints=(
        Text(
            "A quarter of the bias belongs to each block. Where does the second quarter begin, and"
            " where does it end?",
            "每一块占偏置的四分之一。第二个四分之一从哪里开始，到哪里结束？",
        ),
        Text(
            "size = lstm.hidden_size; the forget gate has the places from size up to"
            " 2 * size. A leaf is changed in place inside with paddle.no_grad().",
            "size = lstm.hidden_size；遗忘门占的是 size 到 2 * size。叶子 Tensor 要在"
            " with paddle.no_grad() 里面原地修改。",
        ),
        Text(
            "After size:\nwith paddle.no_grad():\n    lstm.bias_ih_l0[size : 2 * size] = start",
            "写好 size 之后：\nwith paddle.no_grad():\n    lstm.bias_ih_l0[size : 2 * size] ="
            " start",
        ),
    ),
    solution=solution_in(SOLVED, "open_gate"),
    praise=Text(
        "The gate stands open, and the optimizer can still move it.",
        "门打开了，优化器以后还可以调整它。",
    ),
    slips=(
        Slip(
            "frozen",
            seen=lambda trial: trial.came_as("all still trained", False),
            hint=Text(
                "A parameter is frozen now: its stop_gradient is True, so the optimizer would leave"
                " it. Keep it False, and change the numbers under with paddle.no_grad():",
                "有参数被冻结了：它的 stop_gradient 是 True，优化器不会再更新它。保持 False，在"
                " with paddle.no_grad(): 里面修改。",
            ),
        ),
        Slip(
            "input_gate",
            gives=opening(block=lambda size: slice(0, size)),
            hint=Text(
                "This is the first block, the input gate. The order is i, f, g, o: the forget gate"
                " is the second.",
                "这是第一块，输入门。顺序是 i、f、g、o：遗忘门是第二块。",
            ),
        ),
        Slip(
            "third_block",
            gives=opening(block=lambda size: slice(2 * size, 3 * size)),
            hint=Text(
                "This is the third block, g. The forget gate is the second: from size to 2 * size.",
                "这是第三块，g。遗忘门是第二块：从 size 到 2 * size。",
            ),
        ),
        Slip(
            "all_gates",
            gives=opening(block=lambda size: slice(None)),
            hint=Text(
                "All four blocks were changed. Only the second one is the forget gate's.",
                "四块全改了。只有第二块属于遗忘门。",
            ),
        ),
        Slip(
            "both_biases",
            gives=opening(names=("bias_ih_l0", "bias_hh_l0")),
            hint=Text(
                "bias_hh_l0 was changed, too. Both are added up, so the gate would get start twice:"
                " change bias_ih_l0 alone.",
                "bias_hh_l0 也改了。两个偏置会相加，门就得到了两份 start：只改 bias_ih_l0。",
            ),
        ),
        Slip(
            "other_bias",
            gives=opening(names=("bias_hh_l0",)),
            hint=Text(
                "bias_hh_l0 was changed. It works alike, but bias_ih_l0 is asked for.",
                "改的是 bias_hh_l0。作用一样，但这里要改的是 bias_ih_l0。",
            ),
        ),
        Slip(
            "rest_is_zero",
            gives=opening(rest=0),
            hint=Text(
                "The forget gate is right, but the other numbers of the bias are 0 now. Leave them"
                " as they were.",
                "遗忘门对了，但偏置里其余的数变成了 0。它们要保持原样。",
            ),
        ),
        Slip(
            "added",
            gives=opening(add=True),
            hint=Text(
                "start was added to what was there. It should take its place: = in place of +=.",
                "start 加到了原来的数上。应当取代原来的数：用 =，不用 +=。",
            ),
        ),
        Slip(
            "one_number",
            gives=opening(block=lambda size: 1),
            hint=Text(
                "One number was changed. Every unit of the state has a forget gate of its own:"
                " a whole quarter of the bias.",
                "只改了一个数。状态的每个单元各有一个遗忘门：要改的是偏置的整整四分之一。",
            ),
        ),
        Slip(
            "size_of_eight",
            gives=opening(block=lambda size: slice(8, 16)),
            hint=Text(
                "Places from 8 on were changed, which fits a hidden size of 8 alone. A block is"
                " lstm.hidden_size long.",
                "改的是从 8 开始的位置，只适合 hidden_size 是 8 的时候。一块的长度是"
                " lstm.hidden_size。",
            ),
        ),
        Slip(
            "recorded",
            raises="Leaf",
            hint=Text(
                "A leaf that wants a gradient is changed in place only where nothing is recorded:"
                " with paddle.no_grad():",
                "要梯度的叶子 Tensor，只有在不记录的地方才能原地修改：with paddle.no_grad():",
            ),
        ),
        Slip(
            "not_changed",
            gives=lambda lstm, start: None,
            hint=Text(
                "The bias is as it was. A copy was changed, or nothing at all: change"
                " lstm.bias_ih_l0 itself.",
                "偏置还和原来一样。改的是副本，或者什么也没有改：要改 lstm.bias_ih_l0 自己。",
            ),
        ),
        Slip(
            "replaced",
            seen=lambda trial: trial.came_as("the same parameters", False),
            hint=Text(
                "The layer has another parameter now, which no optimizer knows. Change the numbers"
                " of the one that was there.",
                "层里换成了另一个参数，优化器不认识它。要改的是原来那个参数里的数。",
            ),
        ),
        Slip(
            "other_places",
            seen=lambda trial: bool(elsewhere(trial)),
            hint=Text(
                "start stands in the places {first} to {last}. The forget gate's are size to"
                " 2 * size - 1, here {size} to {end}.",
                "start 放在了第 {first} 到第 {last} 个位置。遗忘门占的是 size 到 2 * size - 1，这里"
                "是 {size} 到 {end}。",
            ),
            facts=elsewhere,
        ),
        Slip(
            "no_parameter",
            raises="should be a Parameter",
            hint=Text(
                "A layer takes nothing but a Parameter here, so nothing was replaced. Change the"
                " numbers of the parameter itself: lstm.bias_ih_l0[...] = start, under"
                " with paddle.no_grad():",
                "层在这里只接收 Parameter，所以什么也没有换。要改参数自己的数：在"
                " with paddle.no_grad(): 里面写 lstm.bias_ih_l0[...] = start。",
            ),
        ),
    ),
)
