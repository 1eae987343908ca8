"""The exercises of lesson 4: gradients that meet, are summed back, and accumulate."""

import numpy as np

import minipaddle as paddle
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in

TITLE = Text(
    "Order, fan-in, broadcasting, retain_graph, accumulation",
    "顺序、汇合、广播、retain_graph、累加",
)
SOLVED = Text("../solutions/04_order_and_sums.ipynb", "../solutions/zh/04_order_and_sums.ipynb")


# ----- predictions -------------------------------------------------------------------------------

order = Prediction(
    "order",
    question=Text(
        "b = a * 2, c = tanh(b), d = b * c. In which order are the gradients complete?",
        "b = a * 2，c = tanh(b)，d = b * c。各个梯度按什么顺序变得完整？",
    ),
    choices=["d, b, c, a", "d, c, b, a", "a, b, c, d", "d, b, a, c"],
    truth="d, c, b, a",
    because=Text(
        "b is used by tanh and by the product. Its gradient is complete only when tanh's part has"
        " come, and that needs c first.",
        "b 在 tanh 和乘积里都用到。tanh 那一份也到了，它的梯度才完整，而那一份要先等 c。",
    ),
)

fan_in = Prediction(
    "fan_in",
    question=Text(
        "x is 3, y = x * x + 2 * x. What is x.grad after y.backward()?",
        "x 等于 3，y = x * x + 2 * x。运行 y.backward() 之后，x.grad 是多少？",
    ),
    kind="number",
    truth=8,
    because=Text(
        "3 and 3 come from x * x, one for each place, and 2 comes from 2 * x.",
        "x * x 的两处各来一个 3，2 * x 那里来一个 2。",
    ),
)

row_shape = Prediction(
    "row_shape",
    question=Text(
        "matrix has the shape [2, 3], row has the shape [3]. y = matrix + row, then"
        " y.sum().backward(). Which shape does row.grad have?",
        "matrix 的形状是 [2, 3]，row 的形状是 [3]。y = matrix + row，再运行 y.sum().backward()。"
        "row.grad 是什么形状？",
    ),
    kind="shape",
    truth=[3],
    because=Text(
        "A gradient always has the shape of what it belongs to.",
        "梯度的形状总是和它所属的 Tensor 相同。",
    ),
)

row_value = Prediction(
    "row_value",
    question=Text(
        "And which number stands in each place of row.grad?", "row.grad 的每个位置上是什么数？"
    ),
    kind="number",
    truth=2,
    because=Text(
        "Each number of row was used in two rows, with the gradient 1 in each: 1 + 1.",
        "row 的每个数在两行里各用了一次，每次的梯度是 1：1 + 1。",
    ),
)

again = Prediction(
    "again",
    question=Text(
        "x is 3, y = x * x. y.backward() has run. What does a second y.backward() do?",
        "x 等于 3，y = x * x。y.backward() 已经运行过。再运行一次 y.backward() 会怎么样？",
    ),
    choices=[
        Text("x.grad stays 6", "x.grad 还是 6"),
        Text("x.grad becomes 12", "x.grad 变成 12"),
        Text("an error", "报错"),
    ],
    truth="an error",
    because=Text(
        "The first backward released what multiply had saved.",
        "第一次反向已经释放了 multiply 保存的东西。",
    ),
)

both = Prediction(
    "both",
    question=Text(
        "The same with retain_graph=True in the first call. What is x.grad after both?",
        "还是这个计算，第一次调用时带上 retain_graph=True。两次之后，x.grad 是多少？",
    ),
    kind="number",
    truth=12,
    because=Text(
        "Each backward brings 6, and the second is added to the first.",
        "每次反向带来 6，第二次的加到第一次的上面。",
    ),
)


# ----- x_tanh_x ----------------------------------------------------------------------------------


def slope(x):
    """The derivative of tanh."""
    return 1 - paddle.tanh(x) ** 2


x_tanh_x = Exercise(
    "x_tanh_x",
    title=Text("One input in two places", "一个输入，两处使用"),
    check=checks.pylayer(lambda x: x * paddle.tanh(x), save="x, t", take="x, t"),
    hints=(
        Text(
            "First let only the left x move, and hold t still. Then let only t move, and hold the"
            " left x still.",
            "先只让左边的 x 动，t 当作常数。再只让 t 动，左边的 x 当作常数。",
        ),
        Text(
            "Through the left factor comes dy * t. Through tanh comes dy * x * (1 - t * t).",
            "经过左边的因子回来的是 dy * t。经过 tanh 回来的是 dy * x * (1 - t * t)。",
        ),
        Text(
            "Two lines: x, t = ctx.saved_tensor() and return dy * t + dy * x * (1 - t * t).",
            "一共两行：x, t = ctx.saved_tensor()，return dy * t + dy * x * (1 - t * t)。",
        ),
    ),
    solution=solution_in(SOLVED, "x_tanh_x"),
    praise=Text("Both parts are there, and they are added.", "两部分都有，而且相加了。"),
    slips=(
        Slip(
            "left_alone",
            gives=lambda dy, x: dy * paddle.tanh(x),
            hint=Text(
                "This is what comes through the left factor. x also acts through tanh: add that"
                " part.",
                "这是经过左边的因子回来的梯度。x 还经过 tanh 起作用：把那一部分加上。",
            ),
        ),
        Slip(
            "tanh_alone",
            gives=lambda dy, x: dy * x * slope(x),
            hint=Text(
                "This is what comes through tanh. x is also the left factor: add that part.",
                "这是经过 tanh 回来的梯度。x 还是左边的因子：把那一部分加上。",
            ),
        ),
        Slip(
            "multiplied",
            gives=lambda dy, x: dy * paddle.tanh(x) * x * slope(x),
            hint=Text(
                "The two parts are multiplied. They come by two ways to the same x, so they are"
                " added.",
                "两部分相乘了。它们是从两条路来到同一个 x 的，应当相加。",
            ),
        ),
        Slip(
            "averaged",
            gives=lambda dy, x: (dy * paddle.tanh(x) + dy * x * slope(x)) / 2,
            hint=Text(
                "Both parts are right, but this is half of their sum. Gradients that meet are"
                " added, not averaged.",
                "两部分都对，但这是它们之和的一半。汇合的梯度要相加，不取平均。",
            ),
        ),
        Slip(
            "two_returned",
            seen=lambda trial: len(trial.gradients or ()) == 2,
            hint=Text(
                "Two gradients come back, but forward has one input. If they are the parts of"
                " the two ways, both belong to x: return their sum.",
                "返回了两个梯度，但 forward 只有一个输入。如果它们是从两条路来的两部分，那都是 x"
                " 的：返回它们的和。",
            ),
        ),
        Slip(
            "dy_once",
            gives=lambda dy, x: dy * paddle.tanh(x) + x * slope(x),
            hint=Text(
                "In one of the two parts the factor dy is missing.",
                "两部分当中，有一部分少了因子 dy。",
            ),
        ),
        Slip(
            "no_dy",
            gives=lambda dy, x: paddle.tanh(x) + x * slope(x),
            hint=Text(
                "This is the derivative of y itself. What comes back is its product with dy.",
                "这是 y 本身的导数。传回的梯度还要乘以 dy。",
            ),
        ),
        Slip(
            "no_x",
            gives=lambda dy, x: dy * paddle.tanh(x) + dy * slope(x),
            hint=Text(
                "The first part is right. The second lacks the left factor: t was multiplied by x,"
                " so what comes back to t is dy * x.",
                "第一部分对了。第二部分少了左边的因子：前向里 t 乘以了 x，所以传回 t 的是 dy * x。",
            ),
        ),
        Slip(
            "no_slope",
            gives=lambda dy, x: dy * paddle.tanh(x) + dy * x,
            hint=Text(
                "The first part is right. The second stops at t: through tanh it is multiplied by"
                " 1 - t * t.",
                "第一部分对了。第二部分只推到了 t：穿过 tanh，还要乘以 1 - t * t。",
            ),
        ),
    ),
)


# ----- sum_back ----------------------------------------------------------------------------------

SHAPES = ([4], [3, 1], [2, 1, 4], [1, 1, 4], [], [2, 3, 4])


def summed(dy, shape, along=lambda dy, axis: dy.sum(axis=axis, keepdim=True)):
    """What exercise 2 asks for; a mistake does something else along an axis."""
    return kept(dy, shape, along).reshape(shape)


def kept(dy, shape, along=lambda dy, axis: dy.sum(axis=axis, keepdim=True)):
    """The sum with every axis still in its place."""
    for axis, size in enumerate([1] * (dy.ndim - len(shape)) + list(shape)):
        if size == 1:
            dy = along(dy, axis)
    return dy


def of_axes(choose):
    """A mistake that sums over these axes of (shape, how many are missing)."""

    def wrong(dy, shape):
        for axis in choose(shape, dy.ndim - len(shape)):
            dy = dy.sum(axis=axis, keepdim=True)
        return dy.reshape(shape)

    return wrong


def ones(sizes):
    """The axes of size 1."""
    return [axis for axis, size in enumerate(sizes) if size == 1]


def gradients(answer, dy):
    """What an answer makes for each shape; nothing where it raises, unless it does for all."""
    made, errors = {}, []
    for shape in SHAPES:
        try:
            made[f"sum_back(dy, {shape})"] = answer(paddle.to_tensor(dy), list(shape))
        except Exception as error:  # noqa: BLE001 - whatever a learner's code raises
            made[f"sum_back(dy, {shape})"] = error
            errors.append(error)
    if len(errors) == len(SHAPES):
        raise errors[0]
    return made


sum_back = Exercise(
    "sum_back",
    title=Text("The way back from broadcasting", "广播的回程"),
    check=checks.experiment(
        summed,
        inputs=lambda rng: {"dy": np.round(rng.standard_normal((2, 3, 4)), 1)},
        use=gradients,
    ),
    hints=(
        Text(
            "First make both shapes equally long: put as many 1s before shape as it lacks axes."
            " Then the axes to sum over are those with a 1.",
            "先让两个形状一样长：缺几个维度，就在 shape 前面补几个 1。这样，要求和的就是尺寸为 1 "
            "的维度。",
        ),
        Text(
            "missing = dy.ndim - len(shape), sizes = [1] * missing + list(shape). Go through sizes"
            " with enumerate, and sum with keepdim=True, so that the other axes stay where they"
            " are.",
            "missing = dy.ndim - len(shape)，sizes = [1] * missing + list(shape)。用 enumerate 遍"
            "历 sizes，求和时写 keepdim=True，这样别的维度才不会移位。",
        ),
        Text(
            "for axis, size in enumerate(sizes): if size == 1: dy = dy.sum(axis=axis,"
            " keepdim=True). At the end: return dy.reshape(shape).",
            "for axis, size in enumerate(sizes): 里面写 if size == 1: dy = dy.sum(axis=axis,"
            " keepdim=True)。最后 return dy.reshape(shape)。",
        ),
    ),
    solution=solution_in(SOLVED, "sum_back"),
    praise=Text(
        "Right for rows, columns, single numbers, and where nothing was repeated.",
        "行、列、单个数，以及没有重复过的形状，全都对。",
    ),
    slips=(
        Slip(
            "mean",
            gives=lambda dy, shape: summed(dy, shape, lambda dy, n: dy.mean(axis=n, keepdim=True)),
            hint=Text(
                "The shapes are right, but this is the mean. Every place where a number was used"
                " counts in full: sum.",
                "形状对了，但这是均值。一个数用到的每一处都要完整地算进去：求和。",
            ),
        ),
        Slip(
            "first_only",
            gives=lambda dy, shape: summed(
                dy, shape, lambda dy, n: paddle.split(dy, dy.shape[n], axis=n)[0]
            ),
            hint=Text(
                "The shapes are right, but only the first place along each axis is there. The"
                " others were used too: sum over the axis.",
                "形状对了，但每个维度上只取了第一个位置。别的位置也用到了：要沿这个维度求和。",
            ),
        ),
        Slip(
            "missing_alone",
            gives=of_axes(lambda shape, missing: range(missing)),
            hint=Text(
                "Right for the axes that the input lacks. But along an axis where it has size 1,"
                " forward repeated as well: sum over that too.",
                "输入缺少的维度处理对了。但输入尺寸为 1 的维度，前向也重复过：那里也要求和。",
            ),
        ),
        Slip(
            "ones_alone",
            gives=of_axes(lambda shape, missing: ones(shape)),
            hint=Text(
                "Right where both shapes are equally long. But the input may have fewer axes than"
                " dy: those that it lacks stand at the front, and are summed over too.",
                "两个形状一样长时对了。但输入的维度可能比 dy 少：缺的维度在最前面，也要求和。",
            ),
        ),
        Slip(
            "not_kept",
            gives=lambda dy, shape: summed(dy, shape, lambda dy, n: dy.sum(axis=n)),
            hint=Text(
                "A sum without keepdim=True takes its axis away, and the axes behind it move up:"
                " the next sum hits the wrong one.",
                "不写 keepdim=True，求和之后那个维度就没有了，后面的维度往前移，下一次求和就落在了"
                "错的维度上。",
            ),
        ),
        Slip(
            "empty_axes",
            gives=lambda dy, shape: dy.sum(
                axis=ones([1] * (dy.ndim - len(shape)) + list(shape)), keepdim=True
            ).reshape(shape),
            hint=Text(
                "All right but for one case: where nothing was repeated, the list of axes is empty,"
                " and for Paddle axis=[] means every axis. Leave dy as it is there.",
                "只差一种情况：没有重复过的维度时，axis 是空列表，而 Paddle 把 axis=[] 当作对所有"
                "维度求和。这时不要求和，dy 保持原样。",
            ),
        ),
        Slip(
            "reshaped",
            gives=lambda dy, shape: dy.reshape(shape),
            hint=Text(
                "reshape only arranges numbers anew; it adds nothing up, and fails where dy has"
                " more of them than shape. First sum over the axes along which forward repeated.",
                "reshape 只重排数，不求和；dy 的数比 shape 容得下的多，就会出错。先沿前向重复过的"
                "维度求和。",
            ),
        ),
        Slip(
            "no_return",
            seen=lambda trial: trial.error is None and not trial.came,
            hint=Text(
                "The function gives nothing back. Its last line must return the gradient.",
                "函数没有返回任何东西。最后一行要用 return 返回求得的梯度。",
            ),
        ),
        Slip(
            "everything",
            gives=lambda dy, shape: dy.sum(),
            hint=Text(
                "Everything is summed to one number. Sum only over the axes along which forward"
                " repeated.",
                "全部加成了一个数。只沿前向重复过的维度求和。",
            ),
        ),
        Slip(
            "unshaped",
            gives=kept,
            hint=Text(
                "The numbers are right, but some axes of size 1 are left over at the front. End"
                " with dy.reshape(shape).",
                "数是对的，但前面多出了尺寸为 1 的维度。最后写 dy.reshape(shape)。",
            ),
        ),
        Slip(
            "aligned_left",
            gives=of_axes(lambda shape, missing: ones(list(shape) + [1] * missing)),
            hint=Text(
                "The shapes are aligned at the left here. Broadcasting aligns them at the right:"
                " the axes that are missing are the first ones.",
                "这里把两个形状靠左对齐了。广播是靠右对齐的：缺少的是最前面的维度。",
            ),
        ),
    ),
)


# ----- in_parts ----------------------------------------------------------------------------------


def parts_of(w, parts, loss_of, clear=True, share=True):
    """What exercise 3 asks for, or without one or both of its two steps."""
    if clear:
        w.clear_grad()
    for part in parts:
        (loss_of(w, part) / (len(parts) if share else 1)).backward()


def mean_loss(w, part):
    """The mean squared distance of the neuron's answers from 1."""
    return ((part @ w - 1.0) ** 2).mean()


def collected(answer, w, old, parts):
    """What is in w.grad, which held an old gradient before."""
    w = paddle.to_tensor(w, stop_gradient=False)
    w.name = "w"
    (w * paddle.to_tensor(old)).sum().backward()
    answer(w, [paddle.to_tensor(part) for part in parts], mean_loss)
    return {"w.grad": w.grad}


def only(which):
    """A mistake that leaves the gradient of one part."""

    def wrong(w, parts, loss_of):
        w.clear_grad()
        (loss_of(w, parts[which]) / len(parts)).backward()

    return wrong


in_parts = Exercise(
    "in_parts",
    title=Text("A large batch in small parts", "把大批数据分成小份"),
    check=checks.experiment(
        parts_of,
        inputs=lambda rng: {
            "w": np.round(rng.standard_normal(2), 1),
            "old": np.round(rng.standard_normal(2), 1),
            "parts": np.round(rng.standard_normal((rng.integers(2, 5), 2, 2)), 1),
        },
        use=collected,
    ),
    hints=(
        Text(
            "Empty .grad once, before the loop. In the loop: one loss and one backward for each"
            " part.",
            "循环之前清空一次 .grad。循环里，每一部分算一次损失，做一次反向。",
        ),
        Text(
            "Every loss counts 1 / len(parts) of the whole, so divide it before its backward.",
            "每个损失只占整体的 1 / len(parts)，所以先除，再反向。",
        ),
        Text(
            "w.clear_grad(); then for part in parts: (loss_of(w, part) / len(parts)).backward().",
            "w.clear_grad()；然后 for part in parts: (loss_of(w, part) / len(parts)).backward()。",
        ),
    ),
    solution=solution_in(SOLVED, "in_parts"),
    praise=Text(
        "The same gradient as from the whole batch at once. With one backward for each part, there"
        " is never more than one part's graph in the memory.",
        "和整批一次算出的梯度一样。每一部分各做一次反向，内存里就始终只有一部分的计算图。",
    ),
    slips=(
        Slip(
            "the_sum",
            gives=lambda w, parts, loss_of: parts_of(w, parts, loss_of, share=False),
            hint=Text(
                "This is the gradient of the sum of the losses, as many times too large as there"
                " are parts. Divide each loss by len(parts).",
                "这是损失之和的梯度，有几部分就大了几倍。每个损失都要除以 len(parts)。",
            ),
        ),
        Slip(
            "old_gradient",
            gives=lambda w, parts, loss_of: parts_of(w, parts, loss_of, clear=False),
            hint=Text(
                "The gradient that w came with is still in the sum. Call w.clear_grad() before the"
                " loop.",
                "w 带来的旧梯度还在里面。循环之前先调用 w.clear_grad()。",
            ),
        ),
        Slip(
            "neither",
            gives=lambda w, parts, loss_of: parts_of(w, parts, loss_of, clear=False, share=False),
            hint=Text(
                "Two things are missing: w.clear_grad() before the loop, for w came with an old"
                " gradient, and the division of each loss by len(parts).",
                "还少两步：w 带着旧的梯度，循环之前要先调用 w.clear_grad()；每个损失都要除以"
                " len(parts)。",
            ),
        ),
        Slip(
            "last_only",
            gives=only(-1),
            hint=Text(
                "Only the last part is left, as if .grad were emptied in the loop. Clear once,"
                " before it.",
                "只剩下最后一部分，像是 .grad 在循环里被清空了。只在循环之前清空一次。",
            ),
        ),
        Slip(
            "first_only",
            gives=only(0),
            hint=Text(
                "Only the first part was done. Is there a return inside the loop?",
                "只做了第一部分。循环里是不是写了 return？",
            ),
        ),
        Slip(
            "cleared_after",
            gives=lambda w, parts, loss_of: w.clear_grad(),
            hint=Text(
                "w.grad is all 0. Either it was emptied after the backward, or no backward ran:"
                " clear once before the loop, and call .backward() on each loss.",
                "w.grad 全是 0。要么反向之后又清空了，要么根本没有反向：循环之前清空一次，"
                "再对每个损失调用 .backward()。",
            ),
        ),
    ),
)
