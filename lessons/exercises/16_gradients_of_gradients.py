"""The exercises of lesson 16: second derivatives, a penalty, H times v, a layer for two passes."""

import numpy as np

import minipaddle as paddle
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
        "g is 27 with stop_gradient=True: a number without a history, and none of its gradients"
        " is wanted.",
        "g 就是 27，stop_gradient 是 True：一个没有计算历史的数，谁也不要它的梯度。",
    ),
)

penalized = Prediction(
    "penalized",
    question=Text(
        "slope = 2 * w * x, loss = (slope - 1)², w = 2, x = 0.5. What is w.grad?",
        "slope = 2 * w * x，loss = (slope - 1)²，w = 2，x = 0.5。w.grad 是多少？",
    ),
    kind="number",
    truth=2,
    because=Text(
        "2 × (slope − 1) is 2, and slope grows by 2x = 1 for each unit of w.",
        "2 × (slope − 1) 是 2；w 每增加 1，slope 增加 2x = 1。",
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


def bends(answer, x, factors):
    """The second derivatives of a curve, and what the answer left in x.grad."""
    x, factors = named(x, "x"), paddle.to_tensor(factors)
    came = answer(lambda at: factors * paddle.exp(at) + at**3, x)
    return {"second derivative": came, "x.grad": "None" if x.grad is None else "a gradient"}


def is_list(trial):
    """Whether a list came back that has the right Tensor in it."""
    came = trial.came.get("second derivative")
    expected = trial.expected["second derivative"]
    return came is not None and came.shape == (1, *expected.shape) and same(came[0], expected)


second_derivative = Exercise(
    "second_derivative",
    title=Text("The second derivative", "二阶导数"),
    check=checks.experiment(
        twice(bend_of),
        inputs=lambda rng: {
            "x": np.round(rng.uniform(-1, 1, (2, 2)), 1),
            "factors": np.round(rng.uniform(1, 2, (2, 2)), 1),
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
        Slip(
            "not_recorded",
            raises=UNRECORDED,
            hint=Text(
                "The second gradient found no way to x: the first one was not recorded. Write"
                " create_graph=True into the first call.",
                "第二次求梯度时，没有通到 x 的路：第一次没有记录。请在第一次调用里写上"
                " create_graph=True。",
            ),
        ),
        Slip(
            "in_x_grad",
            seen=lambda trial: trial.came_as("x.grad", "a gradient"),
            hint=Text(
                "There is a gradient in x.grad now: backward() adds to it. paddle.grad(slope, [x])"
                " gives the same and leaves it alone.",
                "x.grad 里现在有了梯度：backward() 会往里加。paddle.grad(slope, [x]) 给出同样的结"
                "果，却不碰它。",
            ),
        ),
        Slip(
            "nothing_came",
            seen=lambda trial: trial.error is None and "second derivative" not in trial.came,
            hint=Text(
                "None came back. Either return is missing, or backward() had no history to go"
                " along: the first gradient needs create_graph=True.",
                "返回的是 None。要么是没有写 return，要么是 backward() 没有计算历史可走：第一次求"
                "梯度要有 create_graph=True。",
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
        Slip(
            "list_as_tensor",
            raises="list",
            hint=Text(
                "paddle.grad gives a list, and a list was used as a Tensor. Take out what is in"
                " it: [slope] = paddle.grad(...).",
                "paddle.grad 给出的是列表，这里把列表当成 Tensor 用了。要取出里面的：[slope] ="
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


def penalizing(size=row_size, from_one=squared_distance, recorded=True):
    """What exercise 2 asks for, with another size or distance, or without recording."""

    def penalty(critic, x):
        [slopes] = paddle.grad(critic(x), [x], create_graph=recorded)
        return from_one(size(slopes))

    return penalty


def penalize(answer, x, weight, last):
    """The penalty of a critic, and the gradients of its weights."""
    x, weight, last = named(x, "x"), named(weight, "weight"), named(last, "last")
    came = answer(lambda rows: paddle.tanh(rows @ weight) @ last, x)
    if not isinstance(came, paddle.Tensor):
        return {"penalty": came}
    if came.size == 1 and not came.stop_gradient:
        came.backward()
    return {"penalty": came, "dweight": weight.grad, "dlast": last.grad}


penalty = Exercise(
    "penalty",
    title=Text("A gradient penalty", "梯度惩罚"),
    check=checks.experiment(
        penalizing(),
        inputs=lambda rng: {
            "x": np.round(rng.uniform(-1, 1, (4, 2)), 1),
            "weight": np.round(rng.uniform(0.5, 1.5, (2, 3)) * rng.choice([-1, 1], (2, 3)), 1),
            "last": np.round(rng.uniform(0.5, 1.5, (3, 1)) * rng.choice([-1, 1], (3, 1)), 1),
        },
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
        Text("return ((size - 1) ** 2).mean()", "return ((size - 1) ** 2).mean()。"),
    ),
    solution=solution_in(SOLVED, "penalty"),
    praise=Text("The weights learn from a gradient of a gradient.", "权重是从梯度的梯度学习的。"),
    slips=(
        Slip(
            "not_recorded",
            seen=lambda trial: (
                trial.error is None
                and "dweight" not in trial.came
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


def product_of(answer, x, v, factors):
    """H times v for a function whose elements act on each other."""
    x, factors = named(x, "x"), paddle.to_tensor(factors)
    return {
        "H v": answer(
            lambda at: (factors * at**3).sum() + at.sum() ** 3, x, named(v, "v", stop_gradient=True)
        )
    }


def is_product_in_list(trial):
    """Whether a list came back that has the right Tensor in it."""
    came, expected = trial.came.get("H v"), trial.expected["H v"]
    return came is not None and came.shape == (1, *expected.shape) and same(came[0], expected)


hvp = Exercise(
    "hvp",
    title=Text("The Hessian times a vector", "黑塞矩阵乘以向量"),
    check=checks.experiment(
        multiplied(lambda g, x, v: gradient((g * v).sum(), x)),
        inputs=lambda rng: {
            "x": np.round(rng.uniform(0.5, 1.5, 3), 1),
            "v": np.round(rng.uniform(1.5, 2.5, 3) * rng.choice([-1, 1], 3), 1),
            "factors": np.round(rng.uniform(1, 2, 3), 1),
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
    praise=Text("Two passes, whatever the size of H.", "H 再大，也只要两次反向。"),
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
                "This is g, the first gradient. Take the gradient of (g * v).sum().",
                "这是 g，第一次的梯度。还要求 (g * v).sum() 的梯度。",
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
            "not_recorded",
            raises=UNRECORDED,
            hint=Text(
                "g has no history: the first paddle.grad needs create_graph=True.",
                "g 没有计算历史：第一次 paddle.grad 要写 create_graph=True。",
            ),
        ),
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
            seen=is_product_in_list,
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


def two_passes(answer, x, dy, v):
    """The values, the first gradient, and the gradient of that."""
    x = named(x, "x")
    y = answer.apply(x)
    [dx] = paddle.grad(y, [x], grad_outputs=[paddle.to_tensor(dy)], create_graph=True)
    noted = {"y": y, "dx": dx}
    if dx.stop_gradient:
        return noted
    [bend] = paddle.grad((dx * paddle.to_tensor(v)).sum(), [x], allow_unused=True)
    return noted if bend is None else noted | {"dx differentiated": bend}


def same_first(trial):
    """Whether the first gradient is right."""
    return trial.error is None and all(
        name in trial.came and same(trial.came[name], trial.expected[name]) for name in ("y", "dx")
    )


swish = Exercise(
    "swish",
    title=Text("A layer for two passes", "能求两次导的层"),
    check=[
        checks.pylayer(lambda x: x * sigmoid(x), save="x", take="x"),
        checks.experiment(
            swishing(lambda dy, x: dy * steepness(x, sigmoid(x))),
            inputs=lambda rng: {
                "x": np.round(rng.uniform(0.4, 2, 4) * rng.choice([-1, 1], 4), 1),
                "dy": np.round(rng.uniform(1.5, 2.5, 4), 1),
                "v": np.round(rng.uniform(0.5, 1.5, 4), 1),
            },
            use=two_passes,
            zh={"dx differentiated": "dx 再求导"},
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
                "The first gradient is right, the second one is not: s was computed in forward, so"
                " it counts as a constant. Compute it anew in backward, from x.",
                "一阶是对的，二阶不对：s 是 forward 里算的，只能算作常量。请在 backward 里由 x 重"
                "新计算。",
            ),
        ),
        Slip(
            "without_history",
            seen=lambda trial: same_first(trial) and "dx differentiated" not in trial.came,
            hint=Text(
                "The first gradient is right, but nothing in it leads to x. Save x itself, and use"
                " it in backward as it comes: no slope from forward, no NumPy, no detach().",
                "一阶是对的，但里面没有什么通到 x。请保存 x 自己，在 backward 里取回来直接用：不"
                "要用 forward 里算好的斜率，不要经过 NumPy，不要 detach()。",
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
