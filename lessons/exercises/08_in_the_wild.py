"""The exercises of lesson 8: layers whose backward is written by hand for a reason."""

import numpy as np

import minipaddle as paddle
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.workbench import layer, named

TITLE = Text("PyLayers in the wild", "真实世界里的 PyLayer")
SOLVED = Text("../solutions/08_in_the_wild.ipynb", "../solutions/zh/08_in_the_wild.ipynb")


# ----- predictions -------------------------------------------------------------------------------

steps = Prediction(
    "steps",
    question=Text(
        "w begins at 0.2. The loss is (rounded(w) - 1)², the gradient passes the rounding"
        " unchanged, and each step subtracts 0.1 times the gradient. After how many steps is the"
        " loss 0?",
        "w 从 0.2 开始。损失是 (rounded(w) - 1)²，梯度原样通过取整，每一步减去 0.1 乘以梯度。几步"
        "之后损失为 0？",
    ),
    kind="count",
    truth=2,
    because=Text(
        "The gradient is -2 as long as w rounds to 0, so w goes from 0.2 to 0.4 and to 0.6, which"
        " rounds to 1.",
        "只要 w 取整得 0，梯度就是 -2，所以 w 从 0.2 到 0.4，再到 0.6，取整得 1。",
    ),
)

reversed_signs = Prediction(
    "reversed_signs",
    question=Text(
        "Without the layer, v.grad is 12 and w.grad is 24. Now h goes through reverse on its way"
        " to the spy: guess = v * reverse(h). What are they?",
        "没有这个层时，v.grad 是 12，w.grad 是 24。现在 h 先经过 reverse 再到侦探那里：guess = v *"
        " reverse(h)。两个梯度各是多少？",
    ),
    choices=[
        Text("v.grad 12, w.grad -24", "v.grad 12，w.grad -24"),
        Text("v.grad -12, w.grad -24", "v.grad -12，w.grad -24"),
        Text("v.grad -12, w.grad 24", "v.grad -12，w.grad 24"),
        Text("v.grad 12, w.grad 24", "v.grad 12，w.grad 24"),
    ],
    truth="v.grad 12, w.grad -24",
    because=Text(
        "v stands behind the layer: its gradient never passes through it. Only what goes on to w"
        " does.",
        "v 在这个层后面，它的梯度不经过这个层；只有继续往 w 去的那一份才经过。",
    ),
)

too_large = Prediction(
    "too_large",
    question=Text(
        "exps = exp([100, 0]), p = exps / exps.sum(), loss = -log(p[0]), all in float32, which"
        " holds numbers up to about 3e38. e ** 100 is about 3e43. What is the loss?",
        "exps = exp([100, 0])，p = exps / exps.sum()，loss = -log(p[0])，都是 float32，最大约能表示"
        " 3e38。e ** 100 约为 3e43。损失是多少？",
    ),
    choices=["0", "100", "inf", "nan"],
    truth="nan",
    because=Text(
        "exps is [inf, 1] and its sum is inf, and inf / inf is no number.",
        "exps 是 [inf, 1]，总和是 inf，而 inf / inf 不是一个数。",
    ),
)

peak = Prediction(
    "peak",
    question=Text(
        "Sixteen tanh in four segments of four, 1 KiB for each result or input. Forward kept the"
        " four inputs of the segments. Backward has just run the last segment again, with a tape."
        " How many KiB are kept at this moment?",
        "十六个 tanh 分成四段，每段四个，每个结果或输入 1 KiB。前向保存了四段的输入。反向刚把最后"
        "一段带着 tape 重新运行完。这时一共保存着多少 KiB？",
    ),
    kind="count",
    truth=8,
    because=Text(
        "Four inputs, and the four results of the segment that was run again.",
        "四个输入，加上重新运行的那一段的四个结果。",
    ),
)

one_line_less = Prediction(
    "one_line_less",
    question=Text(
        "The segment is x * x, x is the leaf 3, and its gradient should be 6. The inner"
        " y.backward(dy) starts at the segment that was run again on x itself; then the layer"
        " returns x.grad. What is x.grad at the end?",
        "这一段是 x * x，x 是叶子，值为 3，它的梯度应为 6。里面的 y.backward(dy) 从直接用 x 重新运"
        "行的结果出发，然后这个层返回 x.grad。最后 x.grad 是多少？",
    ),
    kind="number",
    truth=12,
    because=Text(
        "The inner backward puts 6 into x.grad, the layer returns 6 as well, and gradients are"
        " added up.",
        "里面的反向把 6 放进了 x.grad，层又返回 6，而梯度会累加。",
    ),
)


# ----- quantize ----------------------------------------------------------------------------------


def quantizing(backward):
    """What exercise 1 asks for, with another backward, which gets dy, x and limit."""

    def forward(ctx, x, step, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return paddle.clip(paddle.round(x / step) * step, -limit, limit)

    return layer("quantize", forward, lambda ctx, dy: backward(dy, *ctx.saved_tensor(), ctx.limit))


def inside(x, limit):
    """Where x lies within the limit, as ones and zeros."""
    return (x.abs() <= limit).astype(x.dtype)


def quantize_twice(answer, x, step, limit, dy):
    """One call goes back after another was made with other numbers."""
    x = named(x, "x")
    y = answer.apply(x, step, limit)
    answer.apply(named(x.numpy() * 3, "other x"), step, limit * 2)
    y.backward(named(dy, "dy", stop_gradient=True))
    return {"y": y, "dx": x.grad}


def around_the_limit(rng):
    """Numbers on both sides of both limits, on a limit, and far from them."""
    limit = float(rng.choice([1.0, 1.5, 2.0]))
    # A step of 0.5 rounds the number just outside back onto the limit.
    x = np.array([-limit - 0.4, -limit, -0.7, 0.2, 0.4, limit, limit + 0.2, limit + 0.9])
    return {
        "x": rng.permutation(x),
        "step": 0.5,
        "limit": limit,
        "dy": np.round(rng.uniform(1, 2, 8) * 3, 1),
    }


quantize = Exercise(
    "quantize",
    title=Text("Rounding that learns, up to a limit", "能训练的取整，有界限"),
    check=checks.experiment(
        quantizing(lambda dy, x, limit: dy * inside(x, limit)),
        inputs=around_the_limit,
        use=quantize_twice,
    ),
    hints=(
        Text(
            "Where x lies within the limit, backward acts as if nothing had been done to it. So it"
            " has to know x, and the limit.",
            "x 没有越界的地方，backward 就当什么都没做过。所以它要知道 x，还要知道 limit。",
        ),
        Text(
            "Save x, and set ctx.limit. A mask of ones and zeros is"
            " (x.abs() <= ctx.limit).astype(dy.dtype).",
            "保存 x，并设 ctx.limit。由 1 和 0 组成的 mask 是 (x.abs() <="
            " ctx.limit).astype(dy.dtype)。",
        ),
        Text(
            "Then (x,) = ctx.saved_tensor(), and return dy times this mask.",
            "然后写 (x,) = ctx.saved_tensor()，返回 dy 乘以这个 mask。",
        ),
    ),
    solution=solution_in(SOLVED, "quantize"),
    praise=Text(
        "The gradient passes the staircase, and stops where x has left the limits.",
        "梯度通过了台阶，在 x 越界的地方停下。",
    ),
    slips=(
        Slip(
            "passed_through",
            gives=quantizing(lambda dy, x, limit: dy),
            hint=Text(
                "dy passed everywhere, also where x lies outside. Look at x, not at the result: the"
                " result is never outside.",
                "梯度处处都通过了，x 越界的地方也一样。要看的是 x，不是结果：结果从来不会越界。",
            ),
        ),
        Slip(
            "staircase",
            gives=quantizing(lambda dy, x, limit: dy * 0),
            hint=Text(
                "0 is the true derivative of the staircase, and nothing learns from it. Within the"
                " limit let dy pass.",
                "0 是台阶真正的导数，谁也学不到东西。没有越界的地方，要让 dy 通过。",
            ),
        ),
        Slip(
            "turned_round",
            gives=quantizing(lambda dy, x, limit: dy * (1 - inside(x, limit))),
            hint=Text(
                "The mask is turned round: dy passes where x lies outside. Use <=.",
                "mask 反了：现在是越界的地方才让 dy 通过。要用 <=。",
            ),
        ),
        Slip(
            "truths",
            raises=" bool [",
            hint=Text(
                "A mask of True and False does not mix with numbers. Make ones and zeros of it:"
                " .astype(dy.dtype).",
                "由 True 和 False 组成的 mask 不能和数混在一起计算。要变成 1 和 0："
                ".astype(dy.dtype)。",
            ),
        ),
        Slip(
            "one_truth",
            raises="only contain one element",
            hint=Text(
                "if and a <= x <= b ask whether one thing is true, and x has many numbers."
                " Compare all at once: x.abs() <= ctx.limit gives a mask.",
                "if 和 a <= x <= b 问的是一件事是真是假，而 x 有很多个数。要一次全都比较：x.abs()"
                " <= ctx.limit 得到一个 mask。",
            ),
        ),
        Slip(
            "edge",
            gives=quantizing(lambda dy, x, limit: dy * (x.abs() < limit).astype(x.dtype)),
            hint=Text(
                "Nearly. A number exactly on the limit counts as inside: <=, not <.",
                "差一点。正好等于 limit 的数算在界内：用 <=，不用 <。",
            ),
        ),
        Slip(
            "one_side",
            gives=quantizing(lambda dy, x, limit: dy * (x <= limit).astype(x.dtype)),
            hint=Text(
                "dy is stopped above limit, but not below -limit. Look at x.abs().",
                "大于 limit 的地方 dy 停住了，小于 -limit 的地方却没有。要看 x.abs()。",
            ),
        ),
        Slip(
            "rounded_first",
            gives=quantizing(lambda dy, x, limit: dy * inside(paddle.round(x / 0.5) * 0.5, limit)),
            hint=Text(
                "Nearly. dy also passed at a number that lies just outside, and that rounding"
                " takes back onto the limit. Make the mask of x itself: x.abs() <= ctx.limit.",
                "差一点。有个数稍稍越界，取整之后回到了界限上，dy 在那里也通过了。要由 x 本身来"
                "做 mask：x.abs() <= ctx.limit。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=quantizing(lambda dy, x, limit: inside(x, limit)),
            hint=Text(
                "The mask alone came back. It says where dy passes: multiply dy by it.",
                "返回的只有 mask。它说的是 dy 在哪里通过：要用 dy 乘以它。",
            ),
        ),
        Slip(
            "too_many",
            raises="should be 1, but received",
            hint=Text(
                "step and limit are plain numbers, no Tensors: return one gradient, that of x.",
                "step 和 limit 是普通的数，不是 Tensor：只返回 x 的一个梯度。",
            ),
        ),
    ),
)


# ----- one_loss ----------------------------------------------------------------------------------

reverse = layer("reverse", lambda ctx, x: x.clone(), lambda ctx, dy: -dy).apply


def teach(answer, w, a, b):
    """One backward for the weights of the features, of the task and of the spy."""
    w, a, b = named(w, "w"), named(a, "a"), named(b, "b")
    loss = answer(
        w * 2,
        lambda features: ((features * a - 1) ** 2).mean(),
        lambda h: ((h * b + 1) ** 2).mean(),
    )
    if not isinstance(loss, paddle.Tensor):
        return {"loss": loss}
    if loss.size == 1 and not loss.stop_gradient:
        loss.backward()
    return {"loss": loss, "dw (features)": w.grad, "da (task)": a.grad, "db (spy)": b.grad}


def spy_backwards(trial):
    """Whether the value became less, and the spy's weights get the opposite gradient."""
    came, expected = trial.came, trial.expected
    return (
        came.keys() == expected.keys()
        and came["loss"].size == 1
        and came["loss"] < expected["loss"] - 1e-9
        and np.allclose(came["da (task)"], expected["da (task)"])
        and np.allclose(came["db (spy)"], -expected["db (spy)"])
    )


one_loss = Exercise(
    "one_loss",
    title=Text("One loss, two directions", "一个损失，两个方向"),
    check=checks.experiment(
        lambda features, task, spy: task(features) + spy(reverse(features)),
        inputs=lambda rng: {name: np.round(rng.uniform(0.5, 2, 3), 1) for name in "wab"},
        use=teach,
        zh={"dw (features)": "dw（特征）", "da (task)": "da（任务）", "db (spy)": "db（侦探）"},
    ),
    hints=(
        Text(
            "Draw it: the features fork into task and spy. On which of the two ways is the sign to"
            " be turned round, and at which end of it?",
            "画一画：特征分成两路，一路到 task，一路到 spy。符号应该在哪一路上反过来？在这一路的哪"
            "一头？",
        ),
        Text(
            "task gets the features as they are. spy gets reverse.apply(features), so that its own"
            " weights stand behind the layer.",
            "task 拿到的就是特征。spy 拿到的是 reverse.apply(features)，这样它自己的权重就在这个层"
            "后面。",
        ),
        Text(
            "return task(features) + spy(reverse.apply(features))",
            "写 return task(features) + spy(reverse.apply(features))",
        ),
    ),
    solution=solution_in(SOLVED, "one_loss"),
    praise=Text(
        "Task and spy both learn, and the features learn to be of use to the task alone.",
        "任务和侦探都在学，而特征学会了只对任务有用。",
    ),
    slips=(
        Slip(
            "not_reversed",
            gives=lambda features, task, spy: task(features) + spy(features),
            hint=Text(
                "Nothing was turned round: the features help the spy. Put reverse in front of it.",
                "什么也没有反过来：特征在帮侦探的忙。要把 reverse 放在侦探前面。",
            ),
        ),
        Slip(
            "both_reversed",
            gives=lambda features, task, spy: task(reverse(features)) + spy(reverse(features)),
            hint=Text(
                "Both ways were turned round, so the features make the task worse as well.",
                "两路都反过来了，于是特征也在拖任务的后腿。",
            ),
        ),
        Slip(
            "wrong_one",
            gives=lambda features, task, spy: task(reverse(features)) + spy(features),
            hint=Text(
                "The wrong way was turned round: now the features help the spy, and harm the task.",
                "反过来的是另一路：现在特征帮了侦探，害了任务。",
            ),
        ),
        Slip(
            "too_late",
            gives=lambda features, task, spy: task(features) + reverse(spy(features)),
            hint=Text(
                "The features are right, but db has the wrong sign: the spy learns to guess badly."
                " Its weights must stand behind the layer, so reverse what goes into spy.",
                "特征的梯度对了，但 db 的符号反了：侦探在学着猜错。它的权重必须在这个层后面，所以"
                "要反转的是进入 spy 的东西。",
            ),
        ),
        Slip(
            "all_reversed",
            gives=lambda features, task, spy: reverse(task(features) + spy(features)),
            hint=Text(
                "The layer stands behind everything, so everything learns the opposite. Only what"
                " goes from the features to the spy is to pass through it.",
                "这个层在所有东西后面，于是全都反着学。应该只有从特征到侦探的那一路经过它。",
            ),
        ),
        Slip(
            "no_return",
            seen=lambda trial: trial.error is None and not trial.came,
            hint=Text(
                "Nothing came back. Return the sum; whoever calls one_loss runs its backward.",
                "什么也没有返回。请返回总和；反向由调用 one_loss 的人来运行。",
            ),
        ),
        Slip(
            "subtracted",
            seen=spy_backwards,
            hint=Text(
                "The value should be the sum. Subtracting the spy's loss turns the sign round for"
                " the weights of the spy, too.",
                "值应该是两者之和。减去侦探的损失，连侦探自己的权重也一起反了。",
            ),
        ),
        Slip(
            "reversed_forwards",
            gives=lambda features, task, spy: task(features) + spy(-features),
            hint=Text(
                "This turns the sign round forwards: the spy is shown -features, and makes another"
                " guess. Only the gradient is to be turned round: reverse.apply(features).",
                "这样，前向时符号就反了：侦探看到的是 -features，猜的也不一样了。要反过来的只是梯"
                "度：写 reverse.apply(features)。",
            ),
        ),
        Slip(
            "cut_off",
            gives=lambda features, task, spy: task(features) + spy(features.detach()),
            hint=Text(
                "The features never hear of the spy: the way back is cut, as by detach. They are"
                " to hear of it with the sign turned round.",
                "特征根本听不到侦探的消息：回去的路断了，就像用了 detach。它们应该听到，只是符号"
                "相反。",
            ),
        ),
    ),
)


# ----- softmax_cross_entropy ---------------------------------------------------------------------


def fusing(backward):
    """What exercise 3 asks for, with another backward, which gets dy, p, target and exps."""

    def forward(ctx, logits, target):
        shifted = logits - logits.max(axis=1, keepdim=True)
        exps = paddle.exp(shifted)
        total = exps.sum(axis=1, keepdim=True)
        ctx.save_for_backward(exps / total, target, exps)
        return paddle.log(total) - (shifted * target).sum(axis=1, keepdim=True)

    return layer(
        "softmax_cross_entropy", forward, lambda ctx, dy: (backward(dy, *ctx.saved_tensor()), None)
    )


def classify(answer, logits, target, dy):
    """The losses of some rows, and the gradient of their logits."""
    logits = named(logits, "logits")
    losses = answer.apply(logits, named(target, "target", stop_gradient=True))
    losses.backward(named(dy, "dy", stop_gradient=True))
    return {"losses": losses, "d(logits)": logits.grad}


def not_finite(trial):
    """Whether a gradient came that is infinite or NaN."""
    return not np.isfinite(trial.came.get("d(logits)", 0)).all()


def four_classes(rng):
    """Three rows, one of them with large numbers."""
    logits = np.round(rng.normal(size=(3, 4)), 1)
    logits[rng.integers(3)] += 1000
    return {
        "logits": logits,
        "target": np.eye(4)[rng.permutation(4)[:3]],
        "dy": np.round(rng.uniform(1.1, 2, (3, 1)), 1),
    }


softmax_cross_entropy = Exercise(
    "softmax_cross_entropy",
    title=Text("Three steps, one gradient", "三步运算，一个梯度"),
    check=checks.experiment(
        fusing(lambda dy, p, target, exps: dy * (p - target)), inputs=four_classes, use=classify
    ),
    hints=(
        Text(
            "The gradient is said in one line of section 5. Which two Tensors stand in it?",
            "梯度就是第 5 节里的那一行。里面有哪两个 Tensor？",
        ),
        Text(
            "The probabilities are exps / total: save them, and target. dy is [rows, 1] and is"
            " broadcast over the classes.",
            "概率是 exps / total：保存它，还有 target。dy 的形状是 [行数, 1]，会广播到各个类别。",
        ),
        Text(
            "ctx.save_for_backward(exps / total, target), p, target = ctx.saved_tensor(), and"
            " return dy * (p - target), None",
            "ctx.save_for_backward(exps / total, target)，p, target = ctx.saved_tensor()，return dy"
            " * (p - target), None",
        ),
    ),
    solution=solution_in(SOLVED, "softmax_cross_entropy"),
    praise=Text(
        "Right for the row with logits of about 1000, too: nothing overflows.",
        "logit 约为 1000 的那一行也对：没有什么溢出。",
    ),
    slips=(
        Slip(
            "softmax_alone",
            gives=fusing(lambda dy, p, target, exps: dy * p),
            hint=Text(
                "The probabilities are there, but the true class has no part of its own yet:"
                " subtract target.",
                "概率有了，但正确类别还没有自己的那一份：要减去 target。",
            ),
        ),
        Slip(
            "sign",
            gives=fusing(lambda dy, p, target, exps: dy * (target - p)),
            hint=Text(
                "The sign is turned round: a larger logit of the true class makes the loss smaller,"
                " so its gradient is negative.",
                "符号反了：正确类别的 logit 增大，损失减小，所以那里的梯度是负的。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=fusing(lambda dy, p, target, exps: p - target),
            hint=Text(
                "This is right for dy = 1. Each row still has to be multiplied by its dy.",
                "dy 为 1 时这样就对了。每一行还要乘以它自己的 dy。",
            ),
        ),
        Slip(
            "not_divided",
            gives=fusing(lambda dy, p, target, exps: dy * (exps - target)),
            hint=Text(
                "exps are no probabilities yet, each row has to add up to 1: divide by total.",
                "exps 还不是概率，每一行加起来应该是 1：要除以 total。",
            ),
        ),
        Slip(
            "averaged",
            gives=fusing(lambda dy, p, target, exps: dy * (p - target) / len(p)),
            hint=Text(
                "Too small by the number of rows. Nothing was averaged in forward; if somebody"
                " takes a mean behind the layer, dy already says so.",
                "少了一个倍数，正好是行数。前向没有求均值；如果有谁在这个层后面求均值，dy 里已经包"
                "含了。",
            ),
        ),
        Slip(
            "true_class_alone",
            gives=fusing(lambda dy, p, target, exps: dy * (p - 1) * target),
            hint=Text(
                "Only the true class has a gradient here. The others act through the sum: p comes"
                " back for all of them.",
                "这里只有正确类别有梯度。别的类别通过总和起作用：它们也都要得到 p。",
            ),
        ),
        Slip(
            "unshifted",
            seen=not_finite,
            hint=Text(
                "A gradient is NaN or infinite. That comes when backward takes the exponential"
                " of large logits, not shifted, as in section 5. Save exps / total from forward.",
                "有梯度是 NaN 或无穷大。如果反向又对没有减去最大值的 logit 取指数，遇到大的"
                " logit 就会这样，和第 5 节开头一样。请保存 forward 里的 exps / total。",
            ),
        ),
        Slip(
            "for_target_too",
            raises="should return None at 1 position",
            hint=Text(
                "target is data and wants no gradient: return None in its place.",
                "target 是数据，不要梯度：它的位置上返回 None。",
            ),
        ),
    ),
)


# ----- recompute ---------------------------------------------------------------------------------


def running_again(
    backward=lambda y, dy: y.backward(dy),
    grad=lambda x: x.grad,
    leaf=lambda x: x.detach(),
    wanted=True,
    taped=True,
    segment_of=lambda ctx: ctx.segment,
):
    """What exercise 4 asks for, with one part of it done otherwise."""

    def forward(ctx, segment, x):
        ctx.segment = segment
        ctx.save_for_backward(x)
        return segment(x)

    def back(ctx, dy):
        x = leaf(*ctx.saved_tensor())
        x.stop_gradient = not wanted
        with paddle.set_grad_enabled(taped):
            y = segment_of(ctx)(x)
        backward(y, dy)
        return grad(x)

    return layer("recompute", forward, back)


def last_segment():
    """The layer that keeps its segment where all calls share it."""
    kept = []

    class recompute(running_again(segment_of=lambda ctx: kept[-1])):
        @staticmethod
        def forward(ctx, segment, x):
            kept.append(segment)
            ctx.save_for_backward(x)
            return segment(x)

    return recompute


def dy_twice():
    """The layer that multiplies once more by the gradient it began with."""
    kept = []
    return running_again(
        backward=lambda y, dy: (kept.append(dy), y.backward(dy)), grad=lambda x: x.grad * kept[-1]
    )


def tape_kept():
    """The layer that lets its forward write a tape, and goes back through that."""

    def forward(ctx, segment, x):
        ctx.x = x.detach()
        ctx.x.stop_gradient = False
        with paddle.enable_grad():
            ctx.y = segment(ctx.x)
        return ctx.y.detach()

    def backward(ctx, dy):
        ctx.y.backward(dy)
        return ctx.x.grad

    return layer("recompute", forward, backward)


def there_and_back(answer, x, w, dy):
    """A segment with a weight of its own; another call is made before the first goes back."""
    x, w = named(x, "x"), named(w, "w")
    runs = []

    def segment(h):
        runs.append(paddle.is_grad_enabled())
        return paddle.tanh(h * w)

    y = answer.apply(segment, x)
    answer.apply(lambda h: h * 5, named(x.numpy(), "other x"))
    y.backward(named(dy, "dy", stop_gradient=True))
    return {
        "y": y,
        "dx": x.grad,
        "dw": w.grad,
        "runs of the segment without a tape": runs.count(False),
        "with a tape": runs.count(True),
    }


recompute = Exercise(
    "recompute",
    title=Text("Run it again in backward", "反向时再算一遍"),
    check=checks.experiment(
        running_again(),
        inputs=lambda rng: {
            "x": np.round(rng.uniform(0.2, 1, 3), 1),
            "w": np.round(rng.uniform(0.5, 1.5, 3), 1),
            "dy": np.round(rng.uniform(1.1, 2, 3), 1),
        },
        use=there_and_back,
        zh={
            "runs of the segment without a tape": "不带 tape 运行这一段的次数",
            "with a tape": "带着 tape 运行的次数",
        },
    ),
    hints=(
        Text(
            "Forward keeps two things: a Tensor and a function. Backward makes a new leaf of the"
            " Tensor, runs the function on it with a tape, and starts a backward pass there.",
            "forward 留下两样东西：一个 Tensor 和一个函数。backward 由这个 Tensor 得到一个新的叶"
            "子，带着 tape 对它运行这个函数，再从结果开始做反向。",
        ),
        Text(
            "Save x and set ctx.segment. In backward: x = x.detach(), x.stop_gradient = False, and"
            " run ctx.segment(x) in with paddle.enable_grad():",
            "保存 x，并设 ctx.segment。在 backward 里：x = x.detach()，x.stop_gradient = False，再"
            "在 with paddle.enable_grad(): 里运行 ctx.segment(x)。",
        ),
        Text(
            "After that two lines are left: y.backward(dy) and return x.grad",
            "然后还有两行：y.backward(dy) 和 return x.grad",
        ),
    ),
    solution=solution_in(SOLVED, "recompute"),
    praise=Text(
        "Run once without a tape and once with one; and the weight inside has its gradient, too.",
        "不带 tape 运行一次，带着 tape 再运行一次；里面的权重也得到了梯度。",
    ),
    slips=(
        Slip(
            "not_detached",
            gives=running_again(leaf=lambda x: x),
            hint=Text(
                "dx is twice as large as it should be. That comes if the inner backward reaches"
                " the real x, and you return the gradient as well. Begin with x = x.detach().",
                "dx 是应有的两倍。如果里面的反向走到了真正的 x，你又把梯度返回一次，就会这样。先"
                "写 x = x.detach()。",
            ),
        ),
        Slip(
            "no_tape",
            gives=running_again(taped=False),
            hint=Text(
                "The segment ran again, but without a tape, so there was no way back. Put with"
                " paddle.enable_grad(): around it.",
                "这一段是重新运行了，但没有记 tape，所以没有回去的路。把它放进 with"
                " paddle.enable_grad(): 里面。",
            ),
        ),
        Slip(
            "not_wanted",
            gives=running_again(grad=lambda x: None),
            hint=Text(
                "The weight inside got its gradient, x did not. Either the leaf wants none"
                " (detach makes stop_gradient True; set it to False), or its gradient was not"
                " returned.",
                "里面的权重得到了梯度，x 却没有。要么是叶子不要梯度（detach 之后 stop_gradient "
                "是 True，要设为 False），要么是没有返回它的梯度。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=running_again(backward=lambda y, dy: y.backward()),
            hint=Text(
                "The inner backward started with ones. It has to start with what came: "
                "y.backward(dy).",
                "里面的反向是从 1 开始的。它应该从收到的梯度开始：y.backward(dy)。",
            ),
        ),
        Slip(
            "dy_twice",
            gives=dy_twice(),
            hint=Text(
                "dy is in x.grad already: y.backward(dy) began with it. Return x.grad as it is.",
                "x.grad 里已经有 dy 了：y.backward(dy) 就是从它开始的。请原样返回 x.grad。",
            ),
        ),
        Slip(
            "tape_kept",
            gives=tape_kept(),
            hint=Text(
                "The gradients are right, but the segment ran only once, with a tape, and all of"
                " its results stayed in memory. Keep x alone, and run it again in backward.",
                "梯度是对的，但这一段只运行了一次，带着 tape，它的结果全都留在了内存里。应该只留下"
                " x，到 backward 里再运行一遍。",
            ),
        ),
        Slip(
            "on_the_class",
            gives=last_segment(),
            hint=Text(
                "The layer was used a second time with another segment, and backward ran that one."
                " What belongs to one call goes on ctx: ctx.segment = segment.",
                "这个层又用在了另一段上，backward 运行的是那一段。属于一次调用的东西要放在 ctx 上："
                "ctx.segment = segment。",
            ),
        ),
        Slip(
            "too_many",
            raises="should be 1, but received 2",
            hint=Text(
                "segment is a function, no Tensor: nothing goes back for it. Return x.grad alone.",
                "segment 是函数，不是 Tensor，不用为它返回什么。只返回 x.grad。",
            ),
        ),
    ),
)
