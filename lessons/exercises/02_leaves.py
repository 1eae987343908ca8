"""The exercises of lesson 2: leaves, updates, gradients that stop."""

import numpy as np

import minipaddle as paddle
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.workbench import named

TITLE = Text("Tensors, leaves, stop_gradient", "Tensor、叶子 Tensor 与 stop_gradient")
SOLVED = Text("../solutions/02_leaves.ipynb", "../solutions/zh/02_leaves.ipynb")


# ----- predictions -------------------------------------------------------------------------------

flags = Prediction(
    "flags",
    question=Text(
        "x has stop_gradient=True, w has stop_gradient=False. Then a = x * w, b = x * 2.0,"
        " c = a + b. For which of a, b and c is stop_gradient True?",
        "x 的 stop_gradient 是 True，w 的是 False。接着 a = x * w，b = x * 2.0，c = a + b。"
        "a、b、c 当中，哪些的 stop_gradient 是 True？",
    ),
    choices=[
        Text("only b", "只有 b"),
        Text("a and b", "a 和 b"),
        Text("all three", "三个都是"),
        Text("none", "一个也没有"),
    ],
    truth="only b",
    because=Text(
        "One input that wants a gradient is enough: a has w, c has a. b comes from data and a"
        " number alone.",
        "只要有一个输入要梯度就够了：a 有 w，c 有 a；而 b 只由数据和一个数算出。",
    ),
)

kept = Prediction(
    "kept",
    question=Text(
        "After c.sum().backward(): which tensors have a .grad that is not None?",
        "运行 c.sum().backward() 之后，哪些 Tensor 的 .grad 不是 None？",
    ),
    choices=[
        Text("only w", "只有 w"),
        Text("w and a", "w 和 a"),
        Text("w, a and c", "w、a 和 c"),
        Text("x and w", "x 和 w"),
    ],
    truth="only w",
    because=Text(
        "a and c got their gradients and handed them on. Only w is both: a leaf, and one that"
        " wants a gradient.",
        "a 和 c 得到了梯度，又传了下去。既是叶子、又要梯度的，只有 w。",
    ),
)

minus_equals = Prediction(
    "minus_equals",
    question=Text(
        "v = w, then v -= 0.1 * w.grad. What happens to w?",
        "先写 v = w，再写 v -= 0.1 * w.grad。w 会怎么样？",
    ),
    choices=[
        Text("w changes too and stays a leaf", "w 也跟着变，仍是叶子"),
        Text("w stays as it is; v is a new tensor, no leaf", "w 不变；v 是新的 Tensor，不是叶子"),
        Text("an error", "报错"),
    ],
    truth="w stays as it is; v is a new tensor, no leaf",
    because=Text(
        "In Paddle v -= step is short for v = v - step: the name v moves on to a new tensor."
        " (NumPy and PyTorch change the array itself.)",
        "在 Paddle 里，v -= step 就是 v = v - step：名字 v 换到了一个新的 Tensor 上。"
        "（NumPy 和 PyTorch 改的是数组自己。）",
    ),
)

half_detached = Prediction(
    "half_detached",
    question=Text(
        "x is 3, fixed = x.detach(), y = x * fixed. What is x.grad after y.backward()?",
        "x 等于 3，fixed = x.detach()，y = x * fixed。运行 y.backward() 之后，x.grad 是多少？",
    ),
    kind="number",
    truth=3,
    because=Text(
        "For backward, fixed is the constant 3, so y is 3 times x. Without detach it would be 2x ="
        " 6.",
        "在反向看来，fixed 就是常数 3，所以 y 是 x 的 3 倍。没有 detach 时是 2x = 6。",
    ),
)


# ----- make_weights ------------------------------------------------------------------------------


def weights(values, factor):
    """What exercise 1 asks for."""
    return named(np.array(values, "float32") * np.float32(factor), "w")


def look_at(answer, values, factor):
    """The tensor that an answer makes, and what kind of tensor it is."""
    w = answer(values, factor)
    if not isinstance(w, paddle.Tensor):
        return {"w": None if w is None else np.asarray(w)}
    return {"w": w, "w.is_leaf": w.is_leaf, "w.stop_gradient": w.stop_gradient}


make_weights = Exercise(
    "make_weights",
    title=Text("A leaf that wants a gradient", "要梯度的叶子"),
    check=checks.experiment(
        weights,
        inputs=lambda rng: {
            "values": np.round(rng.standard_normal(3), 1).tolist(),
            "factor": round(float(rng.uniform(0.1, 0.9)), 1),
        },
        use=look_at,
    ),
    hints=(
        Text(
            "The order matters: first compute, then say that the result wants a gradient.",
            "顺序很重要：先算好，再说明结果要梯度。",
        ),
        Text(
            "paddle.to_tensor(values) * factor is a leaf as long as nobody wants a gradient. After"
            " that, set its flag.",
            "只要还没有谁要梯度，paddle.to_tensor(values) * factor 就是叶子。然后再设它的标志。",
        ),
        Text(
            "Three lines: w = paddle.to_tensor(values) * factor; w.stop_gradient = False; return"
            " w.",
            "一共三行：w = paddle.to_tensor(values) * factor；w.stop_gradient = False；return w。",
        ),
    ),
    solution=solution_in(SOLVED, "make_weights"),
    praise=Text(
        "The numbers are right, and backward will fill in its .grad.",
        "数是对的，反向也会给它填上 .grad。",
    ),
    slips=(
        Slip(
            "not_a_leaf",
            gives=lambda values, factor: named(np.float32(values), "w") * factor,
            hint=Text(
                "The numbers are right, but this is the result of a recorded operation and no"
                " leaf. retain_grads() does not make it one. Multiply first, then set"
                " stop_gradient.",
                "数是对的，但它是一次被记录的运算的结果，不是叶子；retain_grads() 也不会让它变成"
                "叶子。先乘，再设 stop_gradient。",
            ),
        ),
        Slip(
            "wants_none",
            gives=lambda values, factor: weights(values, factor).detach(),
            hint=Text(
                "A leaf with the right numbers, but its stop_gradient is True: backward passes it"
                " by. Set the flag of the tensor that you return.",
                "是叶子，数也对，但 stop_gradient 是 True，反向会绕过它。请设置返回的那个 Tensor "
                "的标志。",
            ),
        ),
        Slip(
            "no_factor",
            gives=lambda values, factor: weights(values, 1),
            hint=Text(
                "A leaf that wants a gradient; but the numbers are still without the factor.",
                "是要梯度的叶子，但数还没有乘以 factor。",
            ),
        ),
        Slip(
            "list_times",
            seen=lambda trial: "can't multiply sequence" in str(trial.error),
            hint=Text(
                "values is a Python list, and a list times a number is no arithmetic. Make a"
                " tensor of it first: paddle.to_tensor(values) * factor.",
                "values 是 Python 列表，列表乘以数不是算术运算。先把它变成 Tensor："
                "paddle.to_tensor(values) * factor。",
            ),
        ),
        Slip(
            "no_tensor",
            seen=lambda trial: set(trial.came) == {"w"},
            hint=Text(
                "What comes back is no Tensor, so it has neither stop_gradient nor .grad. Leave out"
                " .numpy() and lists; return the tensor.",
                "返回的不是 Tensor，既没有 stop_gradient，也没有 .grad。去掉 .numpy()，不要用列表，"
                "返回 Tensor 本身。",
            ),
        ),
        Slip(
            "no_return",
            seen=lambda trial: trial.error is None and not trial.came,
            hint=Text(
                "The function gives nothing back. Its last line must return the tensor.",
                "函数没有返回任何东西。最后一行要用 return 返回这个 Tensor。",
            ),
        ),
    ),
)


# ----- sgd_step ----------------------------------------------------------------------------------


def step(w, lr):
    """What exercise 2 asks for."""
    w.set_value(w - lr * w.grad)


def train(answer, w, grad, lr):
    """A leaf after one step along this gradient."""
    w = named(w, "w")
    (w * named(grad, "grad", stop_gradient=True)).sum().backward()
    answer(w, lr)
    return {"w": w, "w.is_leaf": w.is_leaf, "w.stop_gradient": w.stop_gradient}


def numbers_alone(trial):
    """Whether w has the right numbers, and only its flags are wrong."""
    return "w" in trial.came and np.allclose(trial.came["w"], trial.expected["w"])


sgd_step = Exercise(
    "sgd_step",
    title=Text("One step of training, in place", "原地走一步训练"),
    check=checks.experiment(
        step,
        inputs=lambda rng: {
            "w": np.round(rng.standard_normal(3), 1),
            "grad": np.round(rng.standard_normal(3), 1),
            "lr": round(float(rng.uniform(0.1, 0.9)), 1),
        },
        use=train,
    ),
    hints=(
        Text(
            "Two things are needed: a method that changes w itself, and a block in which Paddle"
            " records nothing.",
            "需要两样东西：一个改变 w 自己的方法，一个让 Paddle 什么都不记录的代码块。",
        ),
        Text(
            "The block is with paddle.no_grad():. In it, w.subtract_(...) takes something away from"
            " w itself.",
            "代码块是 with paddle.no_grad():。在它里面，用 w.subtract_(...) 直接从 w 自己减去。",
        ),
        Text(
            "Two lines: with paddle.no_grad(): and, indented, w.subtract_(lr * w.grad).",
            "一共两行：with paddle.no_grad():，再缩进写 w.subtract_(lr * w.grad)。",
        ),
    ),
    solution=solution_in(SOLVED, "sgd_step"),
    praise=Text(
        "w has moved, and it is still the same leaf.", "w 更新了，而且还是原来的那个叶子。"
    ),
    slips=(
        Slip(
            "new_tensor",
            gives=lambda w, lr: None,
            hint=Text(
                "The caller's w is as it was. w = w - ... and w -= ... make a new tensor and give"
                " it the name w inside your function only. Change w itself: w.subtract_(...).",
                "调用者的 w 没有变。w = w - ... 和 w -= ... 都会产生新的 Tensor，只是在函数里面叫"
                " w。要改的是 w 自己：w.subtract_(...)。",
            ),
        ),
        Slip(
            "recorded",
            seen=lambda trial: "can't use inplace strategy" in str(trial.error),
            hint=Text(
                "Paddle refuses to change a leaf that wants a gradient while it records. Put the"
                " line into a block: with paddle.no_grad():",
                "正在记录的时候，Paddle 不让修改要梯度的叶子。把这一行放进 with paddle.no_grad(): "
                "里面。",
            ),
        ),
        Slip(
            "uphill",
            gives=lambda w, lr: w.set_value(w + lr * w.grad),
            hint=Text(
                "w went along its gradient, and there the loss grows. Subtract the step.",
                "w 顺着梯度走了，那边损失会变大。这一步要减去。",
            ),
        ),
        Slip(
            "no_rate",
            gives=lambda w, lr: w.set_value(w - w.grad),
            hint=Text(
                "The whole gradient was subtracted. Multiply it by the learning rate lr first.",
                "减去的是整个梯度。先乘以学习率 lr。",
            ),
        ),
        Slip(
            "step_alone",
            gives=lambda w, lr: w.set_value(lr * w.grad),
            hint=Text(
                "Now w is the step itself, lr * w.grad. It should be the old w minus this step.",
                "现在 w 成了步子本身，即 lr * w.grad。应当是原来的 w 减去这一步。",
            ),
        ),
        Slip(
            "shrunk",
            gives=lambda w, lr: w.set_value(w - lr * w),
            hint=Text(
                "lr * w was subtracted: a part of w itself. The step goes along the gradient:"
                " w.grad.",
                "减去的是 lr * w，即 w 自己的一部分。步子要沿着梯度走：w.grad。",
            ),
        ),
        Slip(
            "switched_off",
            seen=numbers_alone,
            hint=Text(
                "The numbers are right, but afterwards w is no leaf that wants a gradient any"
                " more: it learns nothing from now on. Leave stop_gradient alone, and use"
                " paddle.no_grad().",
                "数是对的，但做完以后 w 不再是要梯度的叶子：从此它什么也学不到。不要动"
                " stop_gradient，用 paddle.no_grad()。",
            ),
        ),
    ),
)


# ----- straight_through --------------------------------------------------------------------------


def rounded(x):
    """What exercise 3 asks for."""
    return x + (paddle.round(x) - x).detach()


def there_and_back(answer, x, dy):
    """The value and the gradient of a function at x."""
    x = named(x, "x")
    y = answer(x)
    if not isinstance(y, paddle.Tensor):
        return {"y": None if y is None else np.asarray(y)}
    if not y.stop_gradient and y.shape == x.shape:
        y.backward(named(dy, "dy", stop_gradient=True))
    return {"y": y, "dx": x.grad}


straight_through = Exercise(
    "straight_through",
    title=Text("Round forwards, pass backwards", "前向取整，反向直通"),
    check=checks.experiment(
        rounded,
        inputs=lambda rng: {
            "x": np.round(rng.permutation(4) + rng.permutation([-2.8, -2.3, -1.7, -1.2]), 1),
            "dy": np.round(rng.standard_normal(4), 1),
        },
        use=there_and_back,
    ),
    hints=(
        Text(
            "Start from x itself: its gradient is dy already. What must be added, so that the value"
            " becomes round(x)?",
            "从 x 本身出发：它的梯度已经是 dy。要加上什么，值才会变成 round(x)？",
        ),
        Text(
            "round(x) - x must be added, and it should count as a constant in backward.",
            "要加上 round(x) - x，而且在反向里它应当算作常数。",
        ),
        Text(
            "One line: return x + (paddle.round(x) - x).detach()",
            "一行：return x + (paddle.round(x) - x).detach()",
        ),
    ),
    solution=solution_in(SOLVED, "straight_through"),
    praise=Text("The value is rounded, and dy comes through as it is.", "值取整了，dy 原样通过。"),
    slips=(
        Slip(
            "flat",
            gives=paddle.round,
            hint=Text(
                "The values are right, but the gradient is 0: the derivative of round is 0, and x"
                " with x taken away again adds nothing. Detach what should count as a constant.",
                "值是对的，但梯度是 0：round 的导数是 0，而 x 加上又减去，梯度也互相抵消。把应当"
                "算作常数的部分 detach。",
            ),
        ),
        Slip(
            "cut",
            gives=lambda x: paddle.round(x).detach(),
            hint=Text(
                "The values are right, but no gradient comes back at all: the whole result is cut"
                " off from x. Detach a part of it only, and leave an x outside.",
                "值是对的，但根本没有梯度传回来：整个结果都和 x 断开了。只把其中一部分 detach，"
                "外面要留一个 x。",
            ),
        ),
        Slip(
            "not_rounded",
            gives=lambda x: x,
            hint=Text(
                "dy passes as it should, but the value is x itself. Add what is missing to"
                " round(x).",
                "dy 通过得没错，但值还是 x 本身。把它和 round(x) 之间的差补上。",
            ),
        ),
        Slip(
            "added_twice",
            gives=lambda x: x + paddle.round(x).detach(),
            hint=Text(
                "The gradient is right, but the value is x + round(x). Inside the detached part,"
                " take x away again.",
                "梯度是对的，但值成了 x + round(x)。在 detach 的部分里，把 x 再减掉。",
            ),
        ),
        Slip(
            "other_x",
            gives=lambda x: x.detach() + (paddle.round(x) - x),
            hint=Text(
                "The values are right, but the gradient is -dy: it comes back through the x that"
                " is subtracted. Detach that part, and leave the other x.",
                "值是对的，但梯度是 -dy：它是经过被减去的那个 x 传回来的。应当把那一部分 detach"
                "，留下另一个 x。",
            ),
        ),
        Slip(
            "as_factor",
            gives=lambda x: x * (paddle.round(x) / x).detach(),
            hint=Text(
                "The values are right, but the gradient is dy * round(x) / x: a detached factor"
                " still multiplies the gradient. Something detached that is added does not.",
                "值是对的，但梯度成了 dy * round(x) / x：detach 之后的因子仍会乘到梯度上。改用"
                "加法：加上的常数不影响梯度。",
            ),
        ),
        Slip(
            "turned_round",
            gives=lambda x: x + (x - paddle.round(x)).detach(),
            hint=Text(
                "The gradient is right. In the value the difference has the wrong sign: it should"
                " be round(x) - x.",
                "梯度是对的。值里面那个差的符号反了：应当是 round(x) - x。",
            ),
        ),
    ),
)
