"""The exercises of lesson 16: second derivatives, a penalty, H times v, a layer for two passes."""

import re

import numpy as np

import minipaddle as paddle
from minipaddle import events
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.trials import same
from minipaddle.exercises.workbench import layer, named
from minipaddle.nn.functional import sigmoid

TITLE = Text("Gradients of gradients", "梯度的梯度")
SOLVED = Text(
    "../solutions/16_gradients_of_gradients.ipynb",
    "../solutions/zh/16_gradients_of_gradients.ipynb",
)
UNRECORDED = "does not appear in the backward graph"


# ----- predictions -------------------------------------------------------------------------------

second = Prediction(
    "second",
    question=Text(
        "x = 3, y = x³, g = 3x² = 27 is the gradient of y. After g.backward(), what is x.grad?",
        "x = 3，y = x³，y 的梯度 g = 3x² = 27。g.backward() 之后，x.grad 是多少？",
    ),
    kind="number",
    truth=18,
    because=Text(
        "backward() started from g, so x.grad is how fast g changes: 6x. The 27 went to g alone.",
        "backward() 是从 g 开始的，所以 x.grad 是 g 的变化率：6x。27 只在 g 里。",
    ),
)

silent = Prediction(
    "silent",
    question=Text(
        "The same once more, but create_graph=True is missing. What happens at g.backward()?",
        "再来一次，但少了 create_graph=True。g.backward() 会怎么样？",
    ),
    choices=[
        Text("x.grad becomes 18", "x.grad 变成 18"),
        Text("nothing: x.grad stays None", "什么也不发生：x.grad 还是 None"),
        Text("an error", "报错"),
    ],
    truth="nothing: x.grad stays None",
    because=Text(
        "g is 27 with stop_gradient=True: a number without a history, so there is no way from it to"
        " x.",
        "g 就是 27，stop_gradient 是 True：它没有计算历史，也就没有通到 x 的路。",
    ),
)

penalized = Prediction(
    "penalized",
    question=Text(
        "slope = 2 * w * x, loss = (slope - 1)², w = 2, x = 1.5. What is w.grad?",
        "slope = 2 * w * x，loss = (slope - 1)²，w = 2，x = 1.5。w.grad 是多少？",
    ),
    kind="number",
    truth=30,
    because=Text(
        "2 × (slope − 1) is 10, and slope grows by 2x = 3 for each unit of w.",
        "2 × (slope − 1) 是 10；w 每增加 1，slope 增加 2x = 3。",
    ),
)

passes = Prediction(
    "passes",
    question=Text(
        "f is a function of 1000 numbers. How many backward passes does H v take?",
        "f 是 1000 个数的函数。求 H v 要做几次反向？",
    ),
    kind="count",
    truth=2,
    because=Text(
        "One for g, one from the single number g · v. All of H would take one for each of its 1000"
        " rows, and one for g.",
        "一次求 g，一次从 g · v 这一个数出发。要整个 H，就是 1000 行各一次，再加上求 g 的一次。",
    ),
)

early = Prediction(
    "early",
    question=Text(
        "early_cube saves the slope 3 * x * x, which forward has computed. y = early_cube.apply(x),"
        " g is its gradient, with create_graph=True. After g.sum().backward(), what is x.grad?",
        "early_cube 保存的是 forward 里算好的斜率 3 * x * x。y = early_cube.apply(x)，g 是它的梯"
        "度，用了 create_graph=True。g.sum().backward() 之后，x.grad 是什么？",
    ),
    choices=[
        Text("6x, as it should be", "6x，正如所料"),
        Text("3x²", "3x²"),
        Text("None", "None"),
    ],
    truth="None",
    because=Text(
        "g is dy * slope, and the slope that was saved has no history: nothing in g leads to x.",
        "g 是 dy * slope，而保存下来的斜率没有计算历史：g 里没有什么通到 x。",
    ),
)


# ----- two calls of paddle.grad ------------------------------------------------------------------


def noted(inner, outer):
    """A function in two parts, with notes: its calls, and which backward passes are recorded."""
    calls, passes = [], []

    def f(at):
        middle = inner(at)
        y = outer(middle, at)
        # The gradient of `middle` depends on it, so it has a history if the pass is recorded.
        if not middle.stop_gradient and not events.heard():
            middle.register_hook(lambda gradient: passes.append(not gradient.is_leaf))
        calls.append((at, y))
        return y

    return f, calls, passes


def tried(name, answer, f, calls, passes, x, gradient, *others):
    """What an answer makes of f and x, which has a gradient; or why paddle.grad found no way."""
    x = named(x, "x")
    x.grad = paddle.to_tensor(gradient)
    try:
        came = {name: answer(f, x, *others)}
    except ValueError as error:
        if UNRECORDED not in str(error):
            raise
        unchanged = x.grad is not None and np.array_equal(x.grad.numpy(), gradient)
        came = {name: error, "reason": reason(x, unchanged, calls, passes)}
    return came | {"x.grad": x.grad}


def reason(x, unchanged, calls, passes):
    """Why paddle.grad found no way: the name of the slip."""
    if x.stop_gradient:
        return "frozen"
    if any(at is not x and at.is_leaf for at, _ in calls):
        return "other_tensor"
    if any(y.stop_gradient for _, y in calls):
        return "no_grad"
    if any(passes):
        return "way_lost"
    if passes:
        return "not_recorded" if unchanged else "by_backward"
    return "not_of_f"


def no_way(name, hint):
    """The slip of an answer whose paddle.grad found no way for this reason."""
    return Slip(name, seen=lambda trial: trial.came_as("reason", name), hint=hint)


def is_x_grad_changed(trial):
    """Whether x.grad is not what it was."""
    came = trial.came.get("x.grad")
    return trial.error is None and (came is None or not same(came, trial.given["x.grad"]))


def result(trial):
    """The names of the result, what came, and what should have come."""
    [name] = trial.expected.keys() - {"x.grad"}
    return trial.came.get(name), trial.expected[name]


def is_list(trial):
    """Whether a list came back that has the right Tensor in it."""
    came, expected = result(trial)
    return came is not None and came.shape == (1, *expected.shape) and same(came[0], expected)


def is_list_used(trial):
    """Whether the answer computed with a list."""
    return bool(re.search(r"'list'|got list\b", str(trial.error)))


LIST_USED = Slip(
    "list_as_tensor",
    seen=is_list_used,
    hint=Text(
        "paddle.grad gives a list, and a list was used as a Tensor. Take out what is in it, by"
        " brackets on the left: [slope] = paddle.grad(...).",
        "paddle.grad 给出的是列表，这里把列表当成 Tensor 用了。在左边写方括号，取出里面的：[slope]"
        " ="
        " paddle.grad(...)。",
    ),
)
TWO_CALLS = (
    Slip(
        "not_called",
        raises="Tensors\n  received  function",
        hint=Text(
            "paddle.grad was given a function. Call it first: paddle.grad(f(x), [x], ...).",
            "交给 paddle.grad 的是函数。要先调用它：paddle.grad(f(x), [x], ...)。",
        ),
    ),
    no_way(
        "not_recorded",
        Text(
            "The second gradient found no way to x: the first one was not recorded. Write"
            " create_graph=True into the first call.",
            "第二次求梯度时，没有通到 x 的路：第一次没有记录。请在第一次调用里写上"
            " create_graph=True。",
        ),
    ),
    no_way(
        "by_backward",
        Text(
            "The first gradient came from backward(), which never records. Use paddle.grad for it:"
            " [slope] = paddle.grad(f(x), [x], create_graph=True).",
            "第一次的梯度是 backward() 求的，而它从不记录。第一次要用 paddle.grad：[slope] ="
            " paddle.grad(f(x), [x], create_graph=True)。",
        ),
    ),
    no_way(
        "way_lost",
        Text(
            "The first gradient is recorded, but the next call found no way from what it was given"
            " to what stands in its list. Give it the gradient as it came, without detach(),"
            " numpy() or no_grad(), and [x].",
            "第一次的梯度记录下来了，但下一次调用时，从交给它的 Tensor 到列表里的 Tensor 没有路。请"
            "把"
            "得到的梯度直接交给它，不经过 detach()、numpy() 或 no_grad()，列表写 [x]。",
        ),
    ),
    no_way(
        "other_tensor",
        Text(
            "f was called with a Tensor that has no way back to x: a copy made by detach() or"
            " to_tensor(), or another Tensor. Write f(x).",
            "调用 f 时给的 Tensor 没有通到 x 的路：它是 detach() 或 to_tensor() 得到的副本，或者是"
            "别"
            "的 Tensor。要写 f(x)。",
        ),
    ),
    no_way(
        "no_grad",
        Text(
            "f(x) was computed under paddle.no_grad(), so it has no history. Call f outside.",
            "f(x) 是在 paddle.no_grad() 里面算的，没有计算历史。要在外面调用 f。",
        ),
    ),
    no_way(
        "frozen",
        Text(
            "x.stop_gradient is True now, so no gradient goes to x. Leave it False.",
            "x.stop_gradient 现在是 True，所以没有梯度传给 x。要保持 False。",
        ),
    ),
    no_way(
        "not_of_f",
        Text(
            "No gradient of f(x) was taken: paddle.grad takes f(x) first, as it is, and [x]"
            " second.",
            "还没有对 f(x) 求过梯度：paddle.grad 的第一个参数是 f(x)，直接交给它；第二个是 [x]。",
        ),
    ),
    Slip(
        "in_x_grad",
        seen=is_x_grad_changed,
        hint=Text(
            "x.grad is no longer what it was. backward() adds to it, and clear_grad() leaves zeros."
            " For the second gradient, paddle.grad leaves it alone.",
            "x.grad 变了，不再是原来的。backward() 会往里加，clear_grad() 会留下 0。第二次也用"
            " paddle.grad，就不碰它。",
        ),
    ),
    Slip(
        "old_x_grad",
        seen=lambda trial: (
            (came := result(trial)[0]) is not None and same(came, trial.given["x.grad"])
        ),
        hint=Text(
            "This is x.grad as it was before: nothing was added to it. (backward() does nothing"
            " where the first gradient was not recorded.)",
            "这是原来的 x.grad：什么也没有加进去。（第一次的梯度没有记录时，backward() 什么也不"
            "做。）",
        ),
    ),
    LIST_USED,
)


# ----- second_derivative -------------------------------------------------------------------------


def twice(result):
    """What exercise 1 asks for, with another result of f, x and the slope."""

    def second_derivative(f, x):
        [slope] = paddle.grad(f(x), [x], create_graph=True)
        return result(f, x, slope)

    return second_derivative


def bend_of(f, x, slope):
    """The right result."""
    return paddle.grad(slope, [x])[0]


def bends(answer, x, factors, f, **gradient):
    """The second derivatives of f, and x.grad."""
    factors = paddle.to_tensor(factors)
    f = noted(paddle.tanh, lambda middle, at: factors * middle**2 + at**3)
    return tried("second derivative", answer, *f, x, *gradient.values())


second_derivative = Exercise(
    "second_derivative",
    title=Text("The second derivative", "二阶导数"),
    check=checks.experiment(
        twice(bend_of),
        inputs=lambda rng: {
            "f": "lambda x: factors * paddle.tanh(x) ** 2 + x**3",
            "factors": np.round(rng.uniform(1, 2, (2, 2)), 1),
            "x": np.round(rng.uniform(-1, 1, (2, 2)), 1),
            "x.grad": np.round(rng.uniform(5, 6, (2, 2)), 1),
        },
        use=bends,
        zh={"second derivative": "二阶导数"},
    ),
    hints=(
        Text(
            "paddle.grad twice: first of f(x), recorded, then of what came.",
            "用两次 paddle.grad：先对 f(x)，要记录；再对得到的结果。",
        ),
        Text(
            "[slope] = paddle.grad(f(x), [x], create_graph=True). Mind the brackets: a list comes"
            " back.",
            "[slope] = paddle.grad(f(x), [x], create_graph=True)。注意方括号：返回的是列表。",
        ),
        Text(
            "Then [bend] = paddle.grad(slope, [x]), and return bend.",
            "然后 [bend] = paddle.grad(slope, [x])，return bend。",
        ),
    ),
    solution=solution_in(SOLVED, "second_derivative"),
    praise=Text("A third pass would give the third.", "再做一次，就是三阶导数。"),
    slips=(
        Slip(
            "first_alone",
            gives=twice(lambda f, x, slope: slope),
            hint=Text(
                "This is the first derivative. Take the gradient of it once more.",
                "这是一阶导数。要对它再求一次梯度。",
            ),
        ),
        *TWO_CALLS,
        Slip(
            "nothing_came",
            seen=lambda trial: trial.error is None and result(trial)[0] is None,
            hint=Text(
                "None came back. Either return is missing, or allow_unused=True hides that"
                " paddle.grad found no way: leave it out.",
                "返回的是 None。要么是没有写 return，要么是 allow_unused=True 掩盖了 paddle.grad 没"
                "有"
                "找到路：去掉它。",
            ),
        ),
        Slip(
            "squared",
            gives=twice(lambda f, x, slope: slope * slope),
            hint=Text(
                "This is the square of the slope. The second derivative says how the slope"
                " changes.",
                "这是斜率的平方。二阶导数说的是斜率怎样变化。",
            ),
        ),
        Slip(
            "of_the_square",
            gives=twice(lambda f, x, slope: bend_of(f, x, slope * slope)),
            hint=Text(
                "This is the gradient of slope * slope. Take that of the slope itself.",
                "这是 slope * slope 的梯度。要对斜率本身求。",
            ),
        ),
        Slip(
            "of_f_again",
            gives=twice(lambda f, x, slope: paddle.grad(f(slope), [slope])[0]),
            hint=Text(
                "Here f was applied to the slope. f is done with: take the gradient of the slope"
                " with respect to x.",
                "这里把 f 用在了斜率上。f 已经用过了：要求的是斜率对 x 的梯度。",
            ),
        ),
        Slip(
            "a_list",
            seen=is_list,
            hint=Text(
                "A list came back. paddle.grad gives a list; take the Tensor out of it:"
                " [bend] = paddle.grad(...).",
                "返回的是列表。paddle.grad 给出列表，要取出里面的 Tensor：[bend] ="
                " paddle.grad(...)。",
            ),
        ),
    ),
)


# ----- penalty -----------------------------------------------------------------------------------


def row_size(slopes):
    """The size of each row's slope."""
    return paddle.sqrt((slopes * slopes).sum(axis=1))


def squared_distance(size):
    """How far the sizes are from 1, squared, in the mean."""
    return ((size - 1) ** 2).mean()


def penalizing(size=row_size, from_one=squared_distance, of=lambda y: y):
    """What exercise 2 asks for, with another size or distance, or of something else than y."""

    def penalty(critic, x):
        [slopes] = paddle.grad(of(critic(x)), [x], create_graph=True)
        return from_one(size(slopes))

    return penalty


def penalize(answer, x, weight, last, critic):
    """The penalty of a critic, and the gradients of its weights."""
    x, weight, last = named(x, "x"), named(weight, "weight"), named(last, "last")
    came = {"penalty": answer(lambda rows: paddle.tanh(rows @ weight) @ last, x)}
    if weight.grad is not None:
        return came | {"backward called": True}
    if not isinstance(came["penalty"], paddle.Tensor):
        return came
    if came["penalty"].size == 1 and not came["penalty"].stop_gradient:
        came["penalty"].backward()
    return came | {"weight.grad": weight.grad, "last.grad": last.grad}


def critics(rng):
    """Points, and the weights of a critic."""
    return {
        "critic": "lambda x: paddle.tanh(x @ weight) @ last",
        "x": np.round(rng.uniform(-1, 1, (rng.integers(3, 6), 2)), 1),
        "weight": np.round(rng.uniform(0.5, 1.5, (2, 3)) * rng.choice([-1, 1], (2, 3)), 1),
        "last": np.round(rng.uniform(0.5, 1.5, (3, 1)) * rng.choice([-1, 1], (3, 1)), 1),
    }


def penalty_shape(trial):
    """The shape of the penalty that came, if any."""
    return trial.came["penalty"].shape if "penalty" in trial.came else None


penalty = Exercise(
    "penalty",
    title=Text("A gradient penalty", "梯度惩罚"),
    check=checks.experiment(
        penalizing(),
        inputs=critics,
        use=penalize,
    ),
    hints=(
        Text(
            "Line by line as in the list: the slopes by paddle.grad, recorded; the size of each"
            " row; the mean of the squared distances from 1.",
            "照着列表一行一行写：用 paddle.grad 求斜率，要记录；每行的大小；与 1 之差的平方的均"
            "值。",
        ),
        Text(
            "[slopes] = paddle.grad(critic(x), [x], create_graph=True), and size ="
            " paddle.sqrt((slopes * slopes).sum(axis=1)).",
            "[slopes] = paddle.grad(critic(x), [x], create_graph=True)，size ="
            " paddle.sqrt((slopes * slopes).sum(axis=1))。",
        ),
        Text(
            "The last line: return ((size - 1) ** 2).mean()",
            "最后一行：return ((size - 1) ** 2).mean()",
        ),
    ),
    solution=solution_in(SOLVED, "penalty"),
    praise=Text("The weights learn from a gradient of a gradient.", "权重是从梯度的梯度学习的。"),
    slips=(
        Slip(
            "called_backward",
            seen=lambda trial: "backward called" in trial.came,
            hint=Text(
                "penalty called backward(), which puts gradients into the .grad of the weights."
                " Take"
                " the slopes by paddle.grad, and leave backward() to the training loop.",
                "penalty 里调用了 backward()，它把梯度放进了权重的 .grad。斜率要用 paddle.grad 来"
                "求，"
                "backward() 留给训练循环去调用。",
            ),
        ),
        LIST_USED,
        Slip(
            "not_recorded",
            seen=lambda trial: (
                trial.error is None
                and "weight.grad" not in trial.came
                and "penalty" in trial.came
                and same(trial.came["penalty"], trial.expected["penalty"])
            ),
            hint=Text(
                "The penalty is right, but no gradient comes to the weights: it has no history."
                " paddle.grad needs create_graph=True, and what follows must not be cut off, as by"
                " detach() or float().",
                "惩罚是对的，但没有梯度到达权重：它没有计算历史。paddle.grad 要写 create_graph=True"
                "，后面也不能切断，例如用 detach() 或 float()。",
            ),
        ),
        Slip(
            "all_rows",
            gives=penalizing(size=lambda slopes: paddle.sqrt((slopes * slopes).sum())),
            hint=Text(
                "This is one size for all rows together. Each row has its own: sum(axis=1).",
                "这是所有的行合在一起的大小。每行各有一个：sum(axis=1)。",
            ),
        ),
        Slip(
            "by_columns",
            gives=penalizing(size=lambda slopes: paddle.sqrt((slopes * slopes).sum(axis=0))),
            hint=Text(
                "The sum went down the columns. A row is one point: sum(axis=1).",
                "求和是顺着列的。一行才是一个点：sum(axis=1)。",
            ),
        ),
        Slip(
            "no_root",
            gives=penalizing(size=lambda slopes: (slopes * slopes).sum(axis=1)),
            hint=Text(
                "The sum of the squares is the square of the size: take the root.",
                "平方和是大小的平方：还要开方。",
            ),
        ),
        Slip(
            "each_number",
            gives=penalizing(size=paddle.abs),
            hint=Text(
                "Every number of the slope was drawn towards 1. It is the size of the whole row"
                " that should be 1.",
                "这样是让斜率的每个数都靠近 1。应当是 1 的，是整行的大小。",
            ),
        ),
        Slip(
            "sizes_added",
            gives=penalizing(size=lambda slopes: paddle.abs(slopes).sum(axis=1)),
            hint=Text(
                "Here the sizes of a row's numbers are added up. The size of the row is the root of"
                " the sum of their squares.",
                "这是把一行各数的大小相加。一行的大小是各数的平方和再开方。",
            ),
        ),
        Slip(
            "one_from_each",
            seen=lambda trial: any(
                trial.gives(penalizing(size=lambda slopes: slopes, from_one=from_one))
                for from_one in (squared_distance, lambda s: ((s - 1) ** 2).sum(axis=1).mean())
            ),
            hint=Text(
                "1 was taken from every number of the slopes. First comes the size of each row, and"
                " 1 is taken from that.",
                "这里从斜率的每个数里减去了 1。要先求每行的大小，再从大小里减去 1。",
            ),
        ),
        Slip(
            "of_the_mean",
            gives=penalizing(of=lambda y: y.mean()),
            hint=Text(
                "The slopes are divided by the number of rows, as those of critic(x).mean() are."
                " Take the gradient of critic(x) itself.",
                "斜率都除以了行数，critic(x).mean() 的梯度就是这样。要对 critic(x) 本身求梯度。",
            ),
        ),
        Slip(
            "not_averaged",
            seen=lambda trial: penalty_shape(trial) == trial.given["x"].shape[:1],
            hint=Text(
                "A number for each row came back. The penalty is one number: their mean.",
                "每行各返回了一个数。惩罚是一个数：它们的均值。",
            ),
        ),
        Slip(
            "towards_zero",
            gives=penalizing(from_one=lambda size: (size * size).mean()),
            hint=Text(
                "This draws the slopes towards 0. The distance from 1 is asked for: size - 1.",
                "这样是让斜率靠近 0。要的是与 1 之差：size - 1。",
            ),
        ),
        Slip(
            "not_squared",
            gives=penalizing(from_one=lambda size: (size - 1).mean()),
            hint=Text(
                "Sizes below 1 and above 1 cancel. Square the distance before the mean.",
                "小于 1 的和大于 1 的互相抵消了。求均值之前要先平方。",
            ),
        ),
        Slip(
            "absolute",
            gives=penalizing(from_one=lambda size: paddle.abs(size - 1).mean()),
            hint=Text(
                "These are the distances from 1 themselves. Square them before the mean.",
                "这是与 1 的距离本身。求均值之前要先平方。",
            ),
        ),
        Slip(
            "mean_too_early",
            gives=penalizing(from_one=lambda size: (size.mean() - 1) ** 2),
            hint=Text(
                "The mean came too early: it is the mean size that is drawn towards 1. Square each"
                " row's distance first.",
                "均值求得太早了：这样只是让平均的大小靠近 1。要先把每行的差平方。",
            ),
        ),
        Slip(
            "summed",
            gives=penalizing(from_one=lambda size: ((size - 1) ** 2).sum()),
            hint=Text(
                "This is the sum over the rows. The mean is asked for.",
                "这是各行之和。要的是均值。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. End with return ((size - 1) ** 2).mean().",
                "什么也没有返回。最后要写 return ((size - 1) ** 2).mean()。",
            ),
        ),
    ),
)


# ----- hvp ---------------------------------------------------------------------------------------


def multiplied(result):
    """What exercise 3 asks for, with another result of g, x and v."""

    def hvp(f, x, v):
        [g] = paddle.grad(f(x), [x], create_graph=True)
        return result(g, x, v)

    return hvp


def gradient(y, x):
    """The gradient of a Tensor."""
    return paddle.grad(y, [x])[0]


def through_v(f, x, v):
    """The Hessian of another function: that of f(x * v)."""
    [g] = paddle.grad(f(x * v), [x], create_graph=True)
    return gradient(g.sum(), x)


def product_of(answer, x, v, factors, f, **gradient):
    """H times v for a function whose elements act on each other, and x.grad."""
    factors, v = paddle.to_tensor(factors), named(v, "v", stop_gradient=True)
    f = noted(lambda at: at.sum(), lambda middle, at: (factors * at**3).sum() + middle**3)
    return tried("H v", answer, *f, x, *gradient.values(), v)


hvp = Exercise(
    "hvp",
    title=Text("The Hessian times a vector", "黑塞矩阵乘以向量"),
    check=checks.experiment(
        multiplied(lambda g, x, v: gradient((g * v).sum(), x)),
        inputs=lambda rng: {
            "f": "lambda x: (factors * x**3).sum() + x.sum() ** 3",
            "factors": np.round(rng.uniform(1, 2, 3), 1),
            "x": np.round(rng.uniform(0.5, 1.5, 3), 1),
            "v": np.round(rng.uniform(1.5, 2.5, 3) * rng.choice([-1, 1], 3), 1),
            "x.grad": np.round(rng.uniform(5, 6, 3), 1),
        },
        use=product_of,
    ),
    hints=(
        Text(
            "First g, recorded. Then one number of g and v, and its gradient.",
            "先求 g，要记录。再由 g 和 v 得到一个数，求它的梯度。",
        ),
        Text(
            "[g] = paddle.grad(f(x), [x], create_graph=True); the number is (g * v).sum().",
            "[g] = paddle.grad(f(x), [x], create_graph=True)；那个数是 (g * v).sum()。",
        ),
        Text(
            "[product] = paddle.grad((g * v).sum(), [x]), and return product.",
            "[product] = paddle.grad((g * v).sum(), [x])，return product。",
        ),
    ),
    solution=solution_in(SOLVED, "hvp"),
    praise=Text(
        "By way of (g * v).sum() it takes two passes, whatever the size of H.",
        "由 (g * v).sum() 来求，H 再大，也只要两次反向。",
    ),
    slips=(
        Slip(
            "forgot_v",
            gives=multiplied(lambda g, x, v: gradient(g.sum(), x)),
            hint=Text(
                "This is H times a vector of ones. Multiply g by v before the sum.",
                "这是 H 乘以全 1 的向量。求和之前要把 g 乘以 v。",
            ),
        ),
        Slip(
            "v_outside",
            gives=multiplied(lambda g, x, v: gradient(g.sum(), x) * v),
            hint=Text(
                "v came too late: here each row of H was summed up, and then multiplied. v belongs"
                " into the sum: (g * v).sum().",
                "v 乘得太晚了：这样是先把 H 的每一行加起来，再乘。v 要写在求和里面：(g * "
                "v).sum()。",
            ),
        ),
        Slip(
            "first_alone",
            gives=multiplied(lambda g, x, v: g),
            hint=Text(
                "This is g, the first gradient. Take the gradient of (g * v).sum() with respect to"
                " x.",
                "这是 g，第一次的梯度。还要求 (g * v).sum() 对 x 的梯度。",
            ),
        ),
        Slip(
            "not_differentiated",
            gives=multiplied(lambda g, x, v: g * v),
            hint=Text(
                "This is g times v, not yet differentiated: take the gradient of its sum with"
                " respect to x.",
                "这是 g 乘以 v，还没有求导：要对它的和求 x 的梯度。",
            ),
        ),
        Slip(
            "one_number",
            seen=lambda trial: "H v" in trial.came and trial.came["H v"].shape == (),
            hint=Text(
                "One number came back. H v has a number for each element of x: it is the gradient"
                " of g · v.",
                "返回的是一个数。H v 对 x 的每个元素各有一个数：它是 g · v 的梯度。",
            ),
        ),
        Slip(
            "v_again",
            gives=multiplied(lambda g, x, v: gradient((g * v).sum(), x) * v),
            hint=Text(
                "This is right, but multiplied by v once more. v was in the sum already.",
                "结果已经对了，却又乘了一次 v。v 已经在求和里面了。",
            ),
        ),
        Slip(
            "v_itself",
            gives=multiplied(lambda g, x, v: v),
            hint=Text(
                "This is v. It comes out if (g * v).sum() is differentiated with respect to g:"
                " write [x].",
                "这是 v 自己。对 g 求 (g * v).sum() 的梯度，得到的就是它：应当写 [x]。",
            ),
        ),
        Slip(
            "g_summed",
            gives=multiplied(lambda g, x, v: gradient((g.sum() * v).sum(), x)),
            hint=Text(
                "g was summed up before it met v. Multiply first, then sum: (g * v).sum().",
                "g 还没有乘以 v 就求了和。要先乘，再求和：(g * v).sum()。",
            ),
        ),
        *TWO_CALLS,
        Slip(
            "twice_v",
            gives=multiplied(lambda g, x, v: gradient(((g * v) ** 2).sum() / 2, x)),
            hint=Text(
                "Here a square of g * v was differentiated. g · v has no square in it.",
                "这里求导的是 g * v 的平方。g · v 里没有平方。",
            ),
        ),
        Slip(
            "one_vector",
            gives=through_v,
            hint=Text(
                "v was multiplied to x before f. f gets x alone; v is multiplied to g.",
                "v 在 f 之前就乘到了 x 上。f 只接收 x；v 要乘到 g 上。",
            ),
        ),
        Slip(
            "a_list",
            seen=is_list,
            hint=Text(
                "A list came back. Take the Tensor out of it: [product] = paddle.grad(...).",
                "返回的是列表。要取出里面的 Tensor：[product] = paddle.grad(...)。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. End with return product.",
                "什么也没有返回。最后要写 return product。",
            ),
        ),
    ),
)


# ----- swish -------------------------------------------------------------------------------------


def swishing(backward, keep=lambda x, s: (x,)):
    """What exercise 4 asks for, with another backward, which gets dy and what was saved."""

    def forward(ctx, x):
        s = sigmoid(x)
        ctx.save_for_backward(*keep(x, s))
        return x * s

    return layer("swish", forward, lambda ctx, dy: backward(dy, *ctx.saved_tensor()))


def steepness(x, s):
    """The derivative of x * s."""
    return s + x * s * (1 - s)


TWO_PASSES = {
    "y": "swish.apply(x)",
    "dx": "paddle.grad((k * y * y).sum(), [x], create_graph=True)[0]",
    "ddx": "paddle.grad((v * dx).sum(), [x])[0]",
}


def two_passes(answer, x, k, v, **lines):
    """The values, the first gradient, and the gradient of that; backward's dy depends on x."""
    x = named(x, "x")
    y = answer.apply(x)
    [dx] = paddle.grad((paddle.to_tensor(k) * y * y).sum(), [x], create_graph=True)
    came = {"y": y, "dx": dx}
    if dx.stop_gradient:
        return came
    [ddx] = paddle.grad((paddle.to_tensor(v) * dx).sum(), [x], allow_unused=True)
    return came | {"ddx": ddx}


def same_first(trial):
    """Whether the first gradient is right."""
    return trial.error is None and all(
        name in trial.came and same(trial.came[name], trial.expected[name]) for name in ("y", "dx")
    )


def is_slope_constant(trial):
    """Whether the first gradient is right, and its slope counts as a constant, if not all of it."""
    constant = swishing(lambda dy, x: dy * steepness(x, sigmoid(x)).detach())
    return same_first(trial) and ("ddx" not in trial.came or trial.gives(constant))


swish = Exercise(
    "swish",
    title=Text("A layer for two passes", "能求两次导的层"),
    check=[
        checks.pylayer(lambda x: x * sigmoid(x), save="x", take="(x,)"),
        checks.experiment(
            swishing(lambda dy, x: dy * steepness(x, sigmoid(x))),
            inputs=lambda rng: {
                "x": np.round(rng.uniform(0.4, 2, 4) * rng.choice([-1, 1], 4), 1),
                "k": np.round(rng.uniform(1.5, 2.5, 4), 1),
                "v": np.round(rng.uniform(0.5, 1.5, 4), 1),
                **TWO_PASSES,
            },
            use=two_passes,
        ),
    ],
    hints=(
        Text(
            "What may backward be made of, so that its result has a history that leads to x? Not"
            " of s as forward computed it.",
            "backward 用什么来算，结果才有通到 x 的计算历史？不能用 forward 里算好的 s。",
        ),
        Text(
            "Save x alone, and compute s anew in backward: s = paddle.nn.functional.sigmoid(x).",
            "只保存 x，在 backward 里重新算 s：s = paddle.nn.functional.sigmoid(x)。",
        ),
        Text(
            "ctx.save_for_backward(x) in forward; (x,) = ctx.saved_tensor(), the line for s, and"
            " return dy * (s + x * s * (1 - s)) in backward.",
            "forward 里写 ctx.save_for_backward(x)；backward 里写 (x,) = ctx.saved_tensor()、算 "
            "s 的那一行，和 return dy * (s + x * s * (1 - s))。",
        ),
    ),
    solution=solution_in(SOLVED, "swish"),
    praise=Text(
        "Both passes are right: the history leads through backward to x.",
        "两次都对：计算历史穿过 backward，通到 x。",
    ),
    slips=(
        Slip(
            "saved_early",
            gives=swishing(lambda dy, x, s: dy * steepness(x, s), keep=lambda x, s: (x, s)),
            hint=Text(
                "The first gradient is right, the second one is not: s counts as a constant, since"
                " it was computed in forward or cut off from x, as by detach(), no_grad() or NumPy."
                " Compute it in backward from x, with paddle's sigmoid.",
                "一阶是对的，二阶不对：s 只算作常量，因为它是 forward 里算的，或者与 x 切断了"
                "（detach()"
                "、no_grad() 或 NumPy）。请在 backward 里用 paddle 的 sigmoid 由 x 计算。",
            ),
        ),
        Slip(
            "without_history",
            seen=is_slope_constant,
            hint=Text(
                "The first gradient is right, but its slope counts as a constant: nothing in it"
                " leads to x. Save x itself, and use it in backward as it comes: no slope from"
                " forward, no NumPy, no detach(), no no_grad().",
                "一阶是对的，但其中的斜率只算作常量：里面没有什么通到 x。请保存 x 自己，在 backward"
                " 里取回来直接用：不要用 forward 里算好的斜率，不要经过 NumPy、detach() 或"
                " no_grad()。",
            ),
        ),
        Slip(
            "dy_cut_off",
            gives=swishing(lambda dy, x: dy.detach() * steepness(x, sigmoid(x))),
            hint=Text(
                "The first gradient is right, but dy counts as a constant: detach(), no_grad() or"
                " NumPy has cut it off. dy may depend on x, too: use it as it comes.",
                "一阶是对的，但 dy 只算作常量：它被 detach()、no_grad() 或 NumPy 切断了。dy 也可能"
                "与 x"
                " 有关：请直接用它。",
            ),
        ),
        Slip(
            "no_brackets",
            gives=lambda dy, x: dy * sigmoid(x) + x * sigmoid(x) * (1 - sigmoid(x)),
            hint=Text(
                "dy multiplies the first term alone. Both need it: dy * (s + x * s * (1 - s)).",
                "dy 只乘了第一项。两项都要乘：dy * (s + x * s * (1 - s))。",
            ),
        ),
        Slip(
            "minus",
            gives=lambda dy, x: dy * (sigmoid(x) - x * sigmoid(x) * (1 - sigmoid(x))),
            hint=Text(
                "The second term has the wrong sign: s + x * s * (1 - s).",
                "第二项的符号反了：s + x * s * (1 - s)。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=lambda dy, x: steepness(x, sigmoid(x)),
            hint=Text("By the chain rule, multiply by dy.", "按链式法则，还要乘以 dy。"),
        ),
        Slip(
            "x_as_constant",
            gives=lambda dy, x: dy * sigmoid(x),
            hint=Text(
                "This is half of the product rule: s changes with x, too, which adds"
                " x * s * (1 - s).",
                "这只是乘积法则的一半：s 也随 x 变化，要加上 x * s * (1 - s)。",
            ),
        ),
        Slip(
            "s_as_constant",
            gives=lambda dy, x: dy * (steepness(x, sigmoid(x)) - sigmoid(x)),
            hint=Text(
                "This is half of the product rule: x itself grows, too, which adds s.",
                "这只是乘积法则的一半：x 自己也在变，要加上 s。",
            ),
        ),
        Slip(
            "no_x",
            gives=lambda dy, x: dy * (2 - sigmoid(x)) * sigmoid(x),
            hint=Text(
                "The second term lacks a factor x: s + x * s * (1 - s).",
                "第二项少了因子 x：s + x * s * (1 - s)。",
            ),
        ),
    ),
)
