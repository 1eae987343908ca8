"""The exercises of lesson 7: measured slopes, a backward to mend, a NaN, a hook that watches."""

import numpy as np

import minipaddle as paddle
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.trials import same
from minipaddle.exercises.workbench import named

TITLE = Text("Is my gradient right?", "我的梯度对吗？")
SOLVED = Text("../solutions/07_right_gradient.ipynb", "../solutions/zh/07_right_gradient.ipynb")


# ----- predictions -------------------------------------------------------------------------------

tiny = Prediction(
    "tiny",
    question=Text(
        "f(x) = x * x * x in float32, x = 1.5, h = 0.00000001. What does"
        " (f(x + h) - f(x - h)) / (2h) give?",
        "用 float32 计算 f(x) = x * x * x，x = 1.5，h = 0.00000001。(f(x + h) - f(x - h)) / (2h)"
        " 得到多少？",
    ),
    kind="number",
    truth=0,
    because=Text(
        "1.50000001 needs nine digits. In float32 it is 1.5 again, and so is the other side.",
        "1.50000001 需要九位数字。在 float32 里它又成了 1.5，另一边也是。",
    ),
)

all_ones = Prediction(
    "all_ones",
    question=Text(
        "The backward of x * x returns 2 * x: dy is forgotten. x = [1, 2, 3], and the loss is"
        " y.sum(). Is x.grad right?",
        "x * x 的反向返回 2 * x，忘了 dy。x = [1, 2, 3]，损失是 y.sum()。x.grad 对吗？",
    ),
    choices=[Text("yes", "对"), Text("no", "不对")],
    truth="yes",
    because=Text(
        "Backward of a sum gives dy = 1 for every element, so nothing is lost without it.",
        "求和的反向给每个元素的 dy 都是 1，不乘它也没有差别。",
    ),
)

blind = Prediction(
    "blind",
    question=Text(
        "The backward of |x| returns dy, which is right for positive numbers only. What does"
        " check_grad say, given the numbers 1 and 2?",
        "|x| 的反向返回 dy，这只对正数才对。给 check_grad 的数是 1 和 2，它会怎么说？",
    ),
    choices=[Text("right", "正确"), Text("wrong", "错误")],
    truth="right",
    because=Text(
        "It measures at the numbers that it is given, and near those the backward is right.",
        "它只在给它的那些数附近测量，而在那里这个反向是对的。",
    ),
)

marked = Prediction(
    "marked",
    question=Text(
        "Forward: a = x * 3, b = lost_two.apply(a), c = tanh(b * 0.1), loss = c.sum(). The backward"
        " of lost_two forgot a factor 2, so the gradients of a and x are half of what they should"
        " be. How many of the five lines of viz.slopes have ≠?",
        "前向：a = x * 3，b = lost_two.apply(a)，c = tanh(b * 0.1)，loss = c.sum()。lost_two 的"
        "反向漏了因子 2，所以 a 和 x 的梯度都只有应有的一半。viz.slopes 的五行里，有几行是 ≠？",
    ),
    kind="count",
    truth=1,
    because=Text(
        "Each operation is measured by itself, with what arrived there: only lost_two fails.",
        "每个运算都单独测量，传到那里的当作已知：只有 lost_two 不一致。",
    ),
)

at_zero = Prediction(
    "at_zero",
    question=Text(
        "x = [4, 0, 1], y = sqrt(x), z = where(x > 0, y, 0). At x = 0 the root is not picked. What"
        " is the second number of x.grad?",
        "x = [4, 0, 1]，y = sqrt(x)，z = where(x > 0, y, 0)。x = 0 处没有选中平方根。x.grad 的第二"
        "个数是什么？",
    ),
    choices=[Text("0", "0"), Text("infinity", "无穷大"), Text("NaN", "NaN")],
    truth="NaN",
    because=Text(
        "The backward of the root runs for every element: dy / (2y), and here that is 0 / 0.",
        "平方根的反向对每个元素都要算：dy / (2y)，这里成了 0 / 0。",
    ),
)

replaced = Prediction(
    "replaced",
    question=Text(
        "x = 3, b = x * 2, y = b * b. Without a hook, the gradient of b is 12. The hook of b"
        " returns grad * 10. What is x.grad?",
        "x = 3，b = x * 2，y = b * b。没有 hook 函数时，b 的梯度是 12。b 的 hook 函数返回 grad *"
        " 10。x.grad 是多少？",
    ),
    kind="number",
    truth=240,
    because=Text(
        "120 takes the place of 12, and the way on to x multiplies by 2.",
        "120 取代了 12，再走到 x，要乘以 2。",
    ),
)


# ----- measure -----------------------------------------------------------------------------------


def measuring(slope, moved=None, together=False):
    """What exercise 1 asks for, with another quotient, or another pair of points."""

    def measure(f, x, h):
        slopes = np.zeros_like(x)
        up, down = x.copy(), x.copy()
        for index in np.ndindex(x.shape):
            if not together:
                up, down = x.copy(), x.copy()
            place = moved(index) if moved else index
            up[place] += h
            down[place] -= h
            slopes[index] = slope(f, up, x, down, h)
        return slopes

    return measure


def both_sides(f, up, x, down, h):
    """The right quotient."""
    return (f(up) - f(down)) / (2 * h)


def moving_x(f, x, h):
    """Steps up in the given array itself, each of which stays."""
    slopes = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        down = x.copy()
        x[index] += h
        down[index] -= h
        slopes[index] = both_sides(f, x, x, down, h)
    return slopes


def of_one_element(f, x, h):
    """A function of arrays that is given one element."""
    slopes = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        slopes[index] = both_sides(f, x[index] + h, x, x[index] - h, h)
    return slopes


def by_rows(f, x, h):
    """A step for each row as a whole."""
    return measuring(both_sides, moved=lambda index: index[0])(f, x, h)


def put_to_work(answer, x, factors, h):
    """Measure the slopes of a sum of cubes, and see whether x was left alone."""
    x = x.copy()
    slopes = answer(lambda at: float((factors * at**3).sum()), x, h)
    return {"slopes": slopes, "x afterwards": x}


measure = Exercise(
    "measure",
    title=Text("Slopes, measured", "测量斜率"),
    check=checks.experiment(
        measuring(both_sides),
        inputs=lambda rng: {
            "x": np.round(rng.uniform(0.5, 2, (2, 1, 2)) * rng.choice([-1, 1], (2, 1, 2)), 1),
            "factors": np.round(rng.uniform(1, 2, (2, 1, 2)), 1),
            "h": float(rng.choice([0.05, 0.1, 0.2])),
        },
        use=put_to_work,
        zh={"slopes": "斜率", "x afterwards": "之后的 x"},
    ),
    hints=(
        Text(
            "Make an array of zeros in the shape of x. For each place, copy x twice, take the step"
            " at this place only, and write the quotient there.",
            "先建一个与 x 形状相同、全 0 的数组。对每个位置，把 x 复制两份，只在这个位置上走一步，"
            "把商写在这里。",
        ),
        Text(
            "In the loop: up, down = x.copy(), x.copy(), then up[index] += h and down[index] -= h.",
            "循环里：up, down = x.copy(), x.copy()，然后 up[index] += h，down[index] -= h。",
        ),
        Text(
            "The quotient is (f(up) - f(down)) / (2 * h). Write it to slopes[index], where slopes ="
            " np.zeros_like(x), and return slopes after the loop.",
            "商是 (f(up) - f(down)) / (2 * h)，写进 slopes[index]，其中 slopes ="
            " np.zeros_like(x)；循环之后返回 slopes。",
        ),
    ),
    solution=solution_in(SOLVED, "measure"),
    praise=Text("That is the whole of a gradient check.", "一个梯度检查，全部内容就是这些。"),
    slips=(
        Slip(
            "one_side",
            gives=measuring(lambda f, up, x, down, h: (f(up) - f(x)) / h),
            hint=Text(
                "This goes to one side only, where the bend of f counts most. Take"
                " f(up) - f(down).",
                "这里只走了一边，f 的弯曲影响最大。请用 f(up) - f(down)。",
            ),
        ),
        Slip(
            "forgot_two",
            gives=measuring(lambda f, up, x, down, h: (f(up) - f(down)) / h),
            hint=Text(
                "All of it is twice too large: between the two points lies 2 * h.",
                "全都大了一倍：两点之间的距离是 2 * h。",
            ),
        ),
        Slip(
            "no_parentheses",
            gives=measuring(lambda f, up, x, down, h: (f(up) - f(down)) / 2 * h),
            hint=Text(
                "Without parentheses Python divides by 2 and then multiplies by h. Write"
                " / (2 * h).",
                "没有括号，Python 就先除以 2，再乘以 h：要写成 / (2 * h)。",
            ),
        ),
        Slip(
            "turned_round",
            gives=measuring(lambda f, up, x, down, h: (f(down) - f(up)) / (2 * h)),
            hint=Text(
                "The sign is wrong: subtract the value on the left from that on the right.",
                "符号反了：要用右边的值减去左边的值。",
            ),
        ),
        Slip(
            "all_at_once",
            gives=measuring(both_sides, moved=lambda index: ...),
            hint=Text(
                "All elements moved together, so every slope is the sum of all. Move one:"
                " up[index] += h.",
                "所有的元素一起动了，于是每个斜率都成了全部之和。只动一个：up[index] += h。",
            ),
        ),
        Slip(
            "one_quotient",
            gives=lambda f, x, h: both_sides(f, x + h, x, x - h, h),
            hint=Text(
                "x + h moves all elements together, and one quotient comes of it. Go through the"
                " places in a loop, and move one element at a time.",
                "x + h 让所有的元素一起动了，得到的只有一个商。请用循环走过每个位置，一次只动一个元"
                "素。",
            ),
        ),
        Slip(
            "one_element",
            gives=of_one_element,
            hint=Text(
                "f was given one element, and it takes the whole array. Take the step in a copy of"
                " x: up[index] += h.",
                "交给 f 的只有一个元素，而它要的是整个数组。请在 x 的副本上走这一步："
                "up[index] += h。",
            ),
        ),
        Slip(
            "no_copy",
            gives=lambda f, x, h: np.zeros_like(x),
            hint=Text(
                "Everything is 0. If up and down are x itself, they are one array, and the second"
                " step takes the first one back. Copy x for each.",
                "全是 0。如果 up 和 down 就是 x 自己，它们就是同一个数组，第二步把第一步又抵消了。"
                "要各复制一份。",
            ),
        ),
        Slip(
            "copied_once",
            gives=measuring(both_sides, together=True),
            hint=Text(
                "Only the first slope is right: the steps of earlier places are still in the"
                " copies. Copy x inside the loop.",
                "只有第一个斜率是对的：前面各处走的步子还留在副本里。要在循环里面复制 x。",
            ),
        ),
        Slip(
            "whole_rows",
            gives=by_rows,
            hint=Text(
                "Whole rows moved: x[0] of a matrix is its first row. np.ndindex(x.shape) gives the"
                " place of each element.",
                "整行一起动了：矩阵的 x[0] 是它的第一行。np.ndindex(x.shape) 给出的才是每个元素的"
                "位置。",
            ),
        ),
        Slip(
            "undone",
            gives=moving_x,
            hint=Text(
                "x itself was changed, and stays changed. Take the steps in copies: x.copy().",
                "x 自己被改动了，而且没有恢复。请在副本 x.copy() 上走这一步。",
            ),
        ),
    ),
)


# ----- log_sum_exp -------------------------------------------------------------------------------

log_sum_exp = Exercise(
    "log_sum_exp",
    title=Text("Find the factor", "找出那个因子"),
    check=checks.pylayer(lambda x: paddle.log(paddle.exp(x).sum()), save="e, s", take="e, s"),
    hints=(
        Text(
            "Backwards through forward: first the log, whose derivative at s is 1 / s, then the"
            " sum, which hands on what it gets, then the exponential.",
            "倒着走一遍 forward：先是 log，在 s 处的导数是 1 / s；再是求和，得到什么就传什么；最后"
            "是指数。",
        ),
        Text(
            "Save e and s. The gradient of x is dy, times 1 / s, times e.",
            "保存 e 和 s。x 的梯度是 dy 乘以 1 / s，再乘以 e。",
        ),
        Text(
            "ctx.save_for_backward(e, s) in forward; e, s = ctx.saved_tensor() and return dy * e /"
            " s in backward.",
            "forward 里写 ctx.save_for_backward(e, s)；backward 里写 e, s = ctx.saved_tensor() 和"
            " return dy * e / s。",
        ),
    ),
    solution=solution_in(SOLVED, "log_sum_exp"),
    praise=Text(
        "e / s is called softmax: positive numbers that sum to 1.",
        "e / s 叫作 softmax：都是正数，加起来是 1。",
    ),
    slips=(
        Slip(
            "not_divided",
            gives=lambda dy, x: dy * paddle.exp(x),
            hint=Text(
                "This is the backward from above. The derivative of log(s) is missing: divide"
                " by s.",
                "这就是上面那个错的反向。少了 log(s) 的导数：要除以 s。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=lambda dy, x: paddle.exp(x) / paddle.exp(x).sum(),
            hint=Text(
                "With dy = 1 this would be right, and the check draws another one. Multiply by dy.",
                "dy = 1 的时候这是对的，但检查用的是别的 dy。要乘以 dy。",
            ),
        ),
        Slip(
            "log_alone",
            gives=lambda dy, x: dy / paddle.exp(x).sum(),
            hint=Text(
                "That is the way back as far as s, and one number only. Go on through the"
                " exponential: times e, which has the shape of x.",
                "这只倒着走到 s，只有一个数。还要走过指数：乘以 e，它的形状与 x 相同。",
            ),
        ),
        Slip(
            "by_the_result",
            gives=lambda dy, x: dy * paddle.exp(x) / paddle.log(paddle.exp(x).sum()),
            hint=Text(
                "The derivative of log(s) is 1 / s, not 1 / log(s): divide by the sum.",
                "log(s) 的导数是 1 / s，不是 1 / log(s)：要除以那个和。",
            ),
        ),
        Slip(
            "turned_round",
            gives=lambda dy, x: dy * paddle.exp(x).sum() / paddle.exp(x),
            hint=Text(
                "What came is dy * s / e: s and e stand in each other's place. It should be dy *"
                " e / s; take them back in the order in which they were saved.",
                "得到的是 dy * s / e：s 和 e 的位置互换了，应当是 dy * e / s。取回的顺序也要和保"
                "存的顺序一致。",
            ),
        ),
    ),
)


# ----- root --------------------------------------------------------------------------------------


def rooted(x):
    """What exercise 3 asks for."""
    safe = paddle.where(x > 0, x, paddle.ones_like(x))
    return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))


def forth_and_back(answer, x, dy):
    """The values, and the gradient, where there is one."""
    x = named(x, "x")
    y = answer(x)
    if not isinstance(y, paddle.Tensor):
        return {"y": y}
    if not y.stop_gradient and y.shape == x.shape:
        y.backward(paddle.to_tensor(dy))
    return {"y": y, "dx": x.grad}


def has_nan(trial, name):
    """Whether what came under this name holds a NaN."""
    came = trial.came.get(name, np.empty(0))
    return came.dtype.kind == "f" and bool(np.isnan(came).any())


root = Exercise(
    "root",
    title=Text("A root without a NaN", "不产生 NaN 的平方根"),
    check=checks.experiment(
        rooted,
        inputs=lambda rng: {
            "x": rng.permutation([4.0, 0.0, -1.0, 1e-4, round(float(rng.uniform(0.1, 0.9)), 1)]),
            "dy": np.round(rng.uniform(1.1, 2, 5), 1),
        },
        use=forth_and_back,
    ),
    hints=(
        Text(
            "The root must never see a number that is not above 0. Use where twice: once on what"
            " goes into the root, once on what comes out.",
            "不大于 0 的数，根本不能让平方根看到。where 用两次：进去之前一次，出来之后一次。",
        ),
        Text(
            "First safe = paddle.where(x > 0, x, paddle.ones_like(x)); its root is harmless"
            " everywhere.",
            "先写 safe = paddle.where(x > 0, x, paddle.ones_like(x))，它的平方根处处无害。",
        ),
        Text(
            "Then return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x)).",
            "然后 return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))。",
        ),
    ),
    solution=solution_in(SOLVED, "root"),
    praise=Text("No NaN comes out, forwards or backwards.", "前向和反向都不会得出 NaN。"),
    slips=(
        Slip(
            "nan_forward",
            seen=lambda trial: has_nan(trial, "y"),
            hint=Text(
                "The values already hold a NaN. The root of −1 is one, and NaN times 0 stays"
                " NaN: pick with where, which does not multiply.",
                "结果里已经有 NaN。−1 的平方根就是 NaN，NaN 乘以 0 还是 NaN：要用 where 来挑选，"
                "它不做乘法。",
            ),
        ),
        Slip(
            "still_nan",
            seen=lambda trial: has_nan(trial, "dx") and same(trial.came["y"], trial.expected["y"]),
            hint=Text(
                "The values are right, but the gradient holds a NaN. That comes where the root"
                " sees a 0 or a negative number, even if its result is not picked: put 1 there"
                " before you take the root.",
                "结果是对的，梯度里却有 NaN。平方根看到 0 或负数，就会这样，哪怕它的结果没有被选"
                "中：求平方根之前，先把那里换成 1。",
            ),
        ),
        Slip(
            "not_picked",
            gives=lambda x: paddle.sqrt(paddle.where(x > 0, x, paddle.ones_like(x))),
            hint=Text(
                "No NaN, but where x is not above 0 the result is 1, the root of the harmless"
                " number. Pick 0 there, with a second where.",
                "没有 NaN 了，但 x 不大于 0 的地方，结果是 1，即那个无害的数的平方根。请再用一次"
                " where，在那里取 0。",
            ),
        ),
        Slip(
            "shifted",
            gives=lambda x: paddle.sqrt(paddle.nn.functional.relu(x) + 1e-6),
            hint=Text(
                "The small number under the root is added everywhere: at 0 the result is 0.001."
                " Use where in its place.",
                "根号里的小数处处都加上了：0 处的结果成了 0.001。请改用 where。",
            ),
        ),
        Slip(
            "cut_off",
            gives=lambda x: rooted(x).detach(),
            hint=Text(
                "The values are right, but no gradient comes back: the result does not depend on"
                " x for backward any more, as after detach().",
                "结果是对的，但没有梯度传回来：在反向看来，结果不再依赖 x，就像 detach() 之后那"
                "样。",
            ),
        ),
        Slip(
            "turned_round",
            gives=lambda x: paddle.where(
                x > 0,
                paddle.zeros_like(x),
                paddle.sqrt(paddle.where(x > 0, x, paddle.ones_like(x))),
            ),
            hint=Text(
                "where takes its second argument where the condition is True, and its third"
                " elsewhere. Change places.",
                "条件为 True 的地方，where 取第二个参数，别处取第三个。两者要对调。",
            ),
        ),
    ),
)


# ----- watch -------------------------------------------------------------------------------------


def watching(alarm, returned=lambda grad: None, register=lambda tensor, hook: hook):
    """What exercise 4 asks for, with another alarm, another result, or otherwise registered."""

    def watch(tensor, name, seen):
        def look(grad):
            if alarm(grad, tensor):
                seen.append(name)
                return returned(grad)
            return None

        return register(tensor, look)

    return watch


def registered(tensor, hook):
    """As it should be."""
    return tensor.register_hook(hook)


def any_nan(grad, tensor):
    """The right alarm."""
    return bool(paddle.isnan(grad).any())


def not_returned(tensor, hook):
    """The hook is there, and nothing can take it away."""
    tensor.register_hook(hook)


def taken_away(tensor, hook):
    """The hook goes before it is called."""
    handle = tensor.register_hook(hook)
    handle.remove()
    return handle


HANDLE = type(named([0.0], "x").register_hook(lambda grad: None))
PASSES = {
    "first pass": "第一次反向",
    "second pass": "第二次反向",
    "pass after remove()": "remove() 之后的反向",
}
WATCHED = {
    "one NaN": "有一个 NaN",
    "all NaN": "全是 NaN",
    "no NaN": "没有 NaN",
    "Inf": "Inf",
    "NaN in the Tensor alone": "只有 Tensor 里有 NaN",
}


def passes(answer, weights):
    """Three backward passes with NaNs on their way, the last after the hooks were removed."""
    x, lost = named([4.0, 0.0, 1.0], "x"), named([1.0, 2.0], "lost")
    healthy, broken = named(weights, "healthy"), named([np.nan, 1.0], "broken")
    steep, slopes = named([1.0, 2.0], "steep"), paddle.to_tensor([np.inf, -np.inf])
    watched = dict(zip(WATCHED, (x, lost, healthy, steep, broken), strict=True))
    seen = []
    handles = [answer(tensor, name, seen) for name, tensor in watched.items()]
    handles = [handle for handle in handles if isinstance(handle, HANDLE)]
    noted = {"handles": len(handles), "other things seen": 0}
    for when in PASSES:
        if "remove" in when:
            for handle in handles:
                handle.remove()
        before = len(seen)
        roots = paddle.sqrt(x)
        z = paddle.where(x > 0, roots, paddle.zeros_like(roots)) * healthy
        (z.sum() + (lost * np.nan).sum() + (steep * slopes).sum() + broken.sum()).backward()
        new = [str(each) for each in seen[before:]]
        noted |= {f"seen in the {when}: {name}": new.count(name) for name in watched}
        noted["other things seen"] += sum(each not in watched for each in new)
        noted[f"NaNs in x.grad, {when}"] = int(np.isnan(x.grad.numpy()).sum())
        for tensor in watched.values():
            tensor.clear_grad()
    return noted


watch = Exercise(
    "watch",
    title=Text("Watch for a NaN", "看住 NaN"),
    check=checks.experiment(
        watching(any_nan, register=registered),
        inputs=lambda rng: {"weights": np.round(rng.uniform(1, 2, 3), 1)},
        use=passes,
        zh={
            "handles": "句柄的个数",
            "other things seen": "看到的其他东西的个数",
            **{
                f"seen in the {when}: {name}": f"{zh_when}看到的次数：{zh_name}"
                for when, zh_when in PASSES.items()
                for name, zh_name in WATCHED.items()
            },
            **{
                f"NaNs in x.grad, {when}": f"x.grad 里 NaN 的个数，{zh_when}"
                for when, zh_when in PASSES.items()
            },
        },
    ),
    hints=(
        Text(
            "Inside watch, define a function of grad that looks and appends. Then register it, and"
            " return what register_hook returns.",
            "在 watch 里面定义一个接收 grad 的函数，由它来看、来追加。然后挂上它，并返回"
            " register_hook 所返回的东西。",
        ),
        Text(
            "def look(grad): if bool(paddle.isnan(grad).any()): seen.append(name). It has no"
            " return.",
            "def look(grad)：if bool(paddle.isnan(grad).any())，就 seen.append(name)。它没有"
            " return。",
        ),
        Text(
            "And as the last line of watch: return tensor.register_hook(look)",
            "watch 的最后一行：return tensor.register_hook(look)",
        ),
    ),
    solution=solution_in(SOLVED, "watch"),
    praise=Text(
        "It sees each NaN, changes nothing, and can be taken away.",
        "它看到每个 NaN，什么也不改变，而且可以移除。",
    ),
    slips=(
        Slip(
            "always",
            gives=watching(lambda grad, tensor: True, register=registered),
            hint=Text(
                "Gradients without a NaN were noted too. Append only if the gradient holds one.",
                "没有 NaN 的梯度也记下了。梯度里有 NaN 时才追加。",
            ),
        ),
        Slip(
            "all_of_them",
            gives=watching(
                lambda grad, tensor: bool(paddle.isnan(grad).all()), register=registered
            ),
            hint=Text(
                "A gradient with a single NaN in it was overlooked. One is enough:"
                " paddle.isnan(grad).any().",
                "只有一个 NaN 的梯度漏掉了。有一个就够了：paddle.isnan(grad).any()。",
            ),
        ),
        Slip(
            "infinite",
            gives=watching(
                lambda grad, tensor: not bool(paddle.isfinite(grad).all()), register=registered
            ),
            hint=Text(
                "A gradient of Inf and -Inf was noted, which holds no NaN. Ask paddle.isnan of"
                " grad itself: a sum of both is NaN, and isfinite is False for Inf, too.",
                "由 Inf 和 -Inf 组成的梯度也记下了，可是里面没有 NaN。要对 grad 本身用"
                " paddle.isnan：两者之和是 NaN；而对 Inf，isfinite 也是 False。",
            ),
        ),
        Slip(
            "the_tensor",
            gives=watching(
                lambda grad, tensor: bool(paddle.isnan(tensor).any()), register=registered
            ),
            hint=Text(
                "What was noted is a NaN in the Tensor. The numbers of its gradient come as the"
                " argument of the hook: grad.",
                "记下的是 Tensor 里的 NaN。它的梯度的数，在 hook 函数的参数里：grad。",
            ),
        ),
        Slip(
            "not_yet_there",
            raises="isnan(): argument 'x' (position 0) must be Tensor, but got NoneType",
            hint=Text(
                "When the hook is called, tensor.grad is not filled yet. The gradient comes as the"
                " argument of the hook: grad.",
                "调用 hook 函数的时候，tensor.grad 还没有填上。梯度在 hook 函数的参数里：grad。",
            ),
        ),
        Slip(
            "replaced",
            gives=watching(any_nan, returned=paddle.zeros_like, register=registered),
            hint=Text(
                "The NaN is gone from x.grad, but not its cause: what a hook returns takes the"
                " place of the gradient. Only look, and return nothing.",
                "x.grad 里的 NaN 没有了，原因却还在：hook 函数返回的东西会取代梯度。只要看，什么"
                "也不要返回。",
            ),
        ),
        Slip(
            "no_handle",
            gives=watching(any_nan, register=not_returned),
            hint=Text(
                "It watches, but nobody can stop it: return what register_hook returns.",
                "它在看，但没有谁能让它停下来：请返回 register_hook 所返回的句柄。",
            ),
        ),
        Slip(
            "not_registered",
            gives=watching(any_nan),
            hint=Text(
                "No NaN was noted, and no handle came back. Register the hook, and return what"
                " that gives: return tensor.register_hook(look).",
                "没有记下任何 NaN，也没有返回句柄。要挂上 hook 函数，并返回所得到的：return"
                " tensor.register_hook(look)。",
            ),
        ),
        Slip(
            "removed",
            gives=watching(any_nan, register=taken_away),
            hint=Text(
                "No NaN was noted in any pass. Either the hook is gone before a gradient comes:"
                " return the handle, and let whoever called watch remove it. Or its test is"
                " never true: a NaN equals nothing, so ask paddle.isnan.",
                "哪一次反向都没有记下 NaN。要么是梯度还没有来，hook 函数就移除了：只要返回句柄，"
                "什么时候移除由调用 watch 的人决定；要么是条件从来不成立：NaN 不等于任何数，要用"
                " paddle.isnan 来问。",
            ),
        ),
        Slip(
            "other_name",
            seen=lambda trial: trial.came.get("other things seen", 0) > 0,
            hint=Text(
                "Something else than name was appended to seen. name is what watch is given; the"
                " Tensor's own name may be another.",
                "加入 seen 的不是 name，而是别的东西。name 是传给 watch 的参数；Tensor 自己的名"
                "字可能是另一个。",
            ),
        ),
        Slip(
            "called",
            seen=lambda trial: "'NoneType' object is not callable" in str(trial.error),
            hint=Text(
                "register_hook was given None in place of a function. It wants the function"
                " itself, without parentheses: tensor.register_hook(look).",
                "register_hook 收到的不是函数，而是 None。它要的是函数本身，不加括号："
                "tensor.register_hook(look)。",
            ),
        ),
    ),
)
