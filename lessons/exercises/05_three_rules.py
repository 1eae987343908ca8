"""The exercises of lesson 5: how many gradients go in, how many come back, which errors follow."""

import numpy as np

import minipaddle as paddle
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.workbench import layer, named

TITLE = Text("The three rules of a PyLayer", "PyLayer 的三条规则")
SOLVED = Text("../solutions/05_three_rules.ipynb", "../solutions/zh/05_three_rules.ipynb")


# ----- predictions -------------------------------------------------------------------------------

counts = Prediction(
    "counts",
    question=Text(
        "A forward takes three Tensors and returns two. How many gradients does its backward take"
        " after ctx, and how many does it return?",
        "一个 forward 接收三个 Tensor，返回两个。它的 backward 在 ctx 之后接收几个梯度，又返回几"
        "个？",
    ),
    choices=[
        Text("takes 3, returns 2", "接收 3 个，返回 2 个"),
        Text("takes 2, returns 3", "接收 2 个，返回 3 个"),
        Text("takes 1, returns 3", "接收 1 个，返回 3 个"),
        Text("takes 2, returns 2", "接收 2 个，返回 2 个"),
    ],
    truth="takes 2, returns 3",
    because=Text(
        "One comes in for each Tensor that forward returned, and one goes back for each that it"
        " took.",
        "forward 返回的 Tensor，每个进来一个梯度；forward 接收的 Tensor，每个回去一个梯度。",
    ),
)

when = Prediction(
    "when",
    question=Text(
        "In the next cell, backward(dy) lacks ctx. Which line raises the error?",
        "下一个单元格里，backward(dy) 少了 ctx。哪一行会报错？",
    ),
    choices=[
        Text("the line with class", "class 那一行"),
        Text("the line with apply", "apply 那一行"),
        Text("the line with y.sum().backward()", "y.sum().backward() 那一行"),
    ],
    truth="the line with y.sum().backward()",
    because=Text(
        "Nobody calls backward before that, and only a call compares what is given with the"
        " parameters.",
        "在那之前没有谁调用 backward；给的和要的对不对得上，调用时才比较。",
    ),
)

were_given = Prediction(
    "were_given",
    question=Text(
        "forward returned two Tensors, and backward(ctx, dy) is called. “takes 2 positional"
        " arguments but ... were given”: how many were given, as Python counts them?",
        "forward 返回了两个 Tensor，而 backward(ctx, dy) 被调用。“takes 2 positional arguments but"
        " ... were given”（接收 2 个参数，却给了……个）：按 Python 的数法，给了几个？",
    ),
    kind="count",
    truth=3,
    because=Text(
        "ctx, and one gradient for each of the two outputs.", "ctx，再加上两个输出各一个梯度。"
    ),
)

unwanted = Prediction(
    "unwanted",
    question=Text(
        "y = a + b, and b has stop_gradient=True. backward returns dy, dy. What happens?",
        "y = a + b，b 的 stop_gradient 是 True。backward 返回 dy, dy。会怎么样？",
    ),
    choices=[
        Text("a gradient in b.grad", "填上 b.grad"),
        Text("nothing: the second one is thrown away", "第二个不声不响地丢掉"),
        Text("an error", "报错"),
    ],
    truth="an error",
    because=Text(
        "For an input that wants no gradient, backward has to return None.",
        "输入不要梯度，backward 就必须为它返回 None。",
    ),
)

clip_counts = Prediction(
    "clip_counts",
    question=Text(
        "clipped: forward(ctx, x, low, high) returns a Tensor and an int; low and high are Python"
        " numbers. How many gradients does backward take after ctx, and how many does it return?",
        "clipped：forward(ctx, x, low, high) 返回一个 Tensor 和一个 int；low 和 high 是 Python"
        " 数。backward 在 ctx 之后接收几个梯度，又返回几个？",
    ),
    choices=[
        Text("takes 2, returns 3", "接收 2 个，返回 3 个"),
        Text("takes 1, returns 3", "接收 1 个，返回 3 个"),
        Text("takes 2, returns 1", "接收 2 个，返回 1 个"),
        Text("takes 1, returns 1", "接收 1 个，返回 1 个"),
    ],
    truth="takes 1, returns 1",
    because=Text(
        "Only Tensors count: one was returned, one was taken.",
        "只有 Tensor 才算数：返回了一个，接收了一个。",
    ),
)

moved = Prediction(
    "moved",
    question=Text(
        "a is 2, b is 3, and the loss is a * b. Whatever backward says: by how much does the loss"
        " grow when a grows by 0.1?",
        "a 是 2，b 是 3，损失是 a * b。不管反向怎么说：a 增加 0.1 时，损失增加多少？",
    ),
    kind="number",
    truth=0.3,
    because=Text(
        "2.1 times 3 is 6.3. The right gradient of a is b = 3; crossed gave 2, and so promised"
        " 0.2.",
        "2.1 乘 3 是 6.3。a 的正确梯度是 b = 3；crossed 给的是 2，承诺的就成了 0.2。",
    ),
)


# ----- sum_and_difference ------------------------------------------------------------------------


def with_backward(backward):
    """What exercise 1 asks for, with another backward."""
    return layer("sum_and_difference", lambda ctx, a, b: (a + b, a - b), backward)


def both_back(answer, a, b, ds, dd):
    """The two outputs, and the gradients for what comes back to each."""
    a, b = named(a, "a"), named(b, "b")
    s, d = answer.apply(a, b)
    starts = [named(ds, "ds", stop_gradient=True), named(dd, "dd", stop_gradient=True)]
    paddle.autograd.backward([s, d], starts)
    return {"s": s, "d": d, "da": a.grad, "db": b.grad}


sum_and_difference = Exercise(
    "sum_and_difference",
    title=Text("Two in, two out", "两个进，两个出"),
    check=checks.experiment(
        with_backward(lambda ctx, ds, dd: (ds + dd, ds - dd)),
        inputs=lambda rng: {
            name: np.round(rng.standard_normal(3), 1) for name in ("a", "b", "ds", "dd")
        },
        use=both_back,
    ),
    hints=(
        Text(
            "When a grows by a little, both outputs grow by as much. When b grows, the sum grows"
            " and the difference shrinks.",
            "a 增加一点点，两个输出都增加同样多。b 增加一点点，和增加，差减少。",
        ),
        Text(
            "So ds and dd both come back to a, as they are. To b comes ds, and dd with a minus"
            " sign.",
            "所以 ds 和 dd 都原样回到 a；回到 b 的是 ds，以及带负号的 dd。",
        ),
        Text("One line: return ds + dd, ds - dd", "一行：return ds + dd, ds - dd"),
    ),
    solution=solution_in(SOLVED, "sum_and_difference"),
    praise=Text(
        "Each input gets the sum of what comes back from both outputs.",
        "每个输入得到的，都是从两个输出回来的梯度之和。",
    ),
    slips=(
        Slip(
            "passed_through",
            gives=with_backward(lambda ctx, ds, dd: (ds, dd)),
            hint=Text(
                "ds and dd went straight through. They belong to the two outputs, not to a and b:"
                " each input acts on both outputs, so each gets something of both.",
                "ds 和 dd 原样传了出去。它们属于两个输出，不属于 a 和 b：每个输入对两个输出都起作"
                "用，所以各自都要得到两份。",
            ),
        ),
        Slip(
            "swapped",
            gives=with_backward(lambda ctx, ds, dd: (ds - dd, ds + dd)),
            hint=Text(
                "Both gradients are right, but they have changed places: first that of a, then"
                " that of b.",
                "两个梯度都算对了，但位置对调了：先 a 的，再 b 的。",
            ),
        ),
        Slip(
            "sign_lost",
            gives=with_backward(lambda ctx, ds, dd: (ds + dd, ds + dd)),
            hint=Text(
                "da is right. In a - b, b stands behind a minus sign: when b grows, the difference"
                " shrinks.",
                "da 对了。在 a - b 里，b 前面有一个负号：b 增加，差就减少。",
            ),
        ),
        Slip(
            "sum_alone",
            gives=with_backward(lambda ctx, ds, dd: (ds, ds)),
            hint=Text(
                "This is what comes back from the sum. The difference is an output too: add what"
                " comes back from it.",
                "这是从和那里回来的部分。差也是输出：从它回来的部分也要加上。",
            ),
        ),
        Slip(
            "too_few",
            raises="should not return empty at 1 position",
            hint=Text(
                "Rule 3: forward took two Tensors, so two gradients go back, da and db. In the"
                " second place none came, or None (a missing return counts as None).",
                "规则 3：forward 接收了两个 Tensor，就要返回 da 和 db 两个梯度。现在第二个没有来"
                "，或者是 None（忘了写 return，就相当于返回 None）。",
            ),
        ),
        Slip(
            "one_argument",
            raises="backward() takes 2 positional arguments but 3 were given",
            hint=Text(
                "Three things were given: ctx (rule 1), and a gradient for each of the two Tensors"
                " that forward returned (rule 2). So: backward(ctx, ds, dd).",
                "给了三样东西：ctx（规则 1），以及 forward 返回的两个 Tensor 各一个梯度（规则"
                " 2）。所以是 backward(ctx, ds, dd)。",
            ),
        ),
    ),
)


# ----- masked ------------------------------------------------------------------------------------


def masking(backward, keep=lambda x, mask: (mask,)):
    """What exercise 2 asks for, with another backward, which gets dy and what was saved."""

    def forward(ctx, x, mask):
        ctx.save_for_backward(*keep(x, mask))
        return x * mask

    return layer("masked", forward, lambda ctx, dy: backward(dy, *ctx.saved_tensor()))


def there_and_back(answer, x, mask, dy):
    """The value and the gradient of a layer whose second input is data."""
    x = named(x, "x")
    y = answer.apply(x, named(mask, "mask", stop_gradient=True))
    y.backward(named(dy, "dy", stop_gradient=True))
    return {"y": y, "dx": x.grad}


masked = Exercise(
    "masked",
    title=Text("An input that wants no gradient", "不要梯度的输入"),
    check=checks.experiment(
        masking(lambda dy, mask: (dy * mask, None)),
        inputs=lambda rng: {
            "x": np.round(rng.uniform(1, 2, 4) * rng.choice([-1, 1], 4), 1),
            "mask": rng.permutation([1.0, 0.0, 1.0, 0.0]),
            "dy": np.round(rng.uniform(1, 2, 4), 1),
        },
        use=there_and_back,
    ),
    hints=(
        Text(
            "Two Tensors went in, so two values go back. Which of the two inputs wants a gradient?",
            "进去了两个 Tensor，就要返回两个值。两个输入里，哪个要梯度？",
        ),
        Text(
            "For x: dy times the derivative of x * mask, which is mask; so forward saves mask. For"
            " mask: None.",
            "x 的：dy 乘以 x * mask 的导数，也就是 mask，所以 forward 要保存 mask。mask 的：None。",
        ),
        Text(
            "Three lines: ctx.save_for_backward(mask) in forward; (mask,) = ctx.saved_tensor() and"
            " return dy * mask, None in backward.",
            "一共三行：forward 里写 ctx.save_for_backward(mask)；backward 里写 (mask,) ="
            " ctx.saved_tensor() 和 return dy * mask, None。",
        ),
    ),
    solution=solution_in(SOLVED, "masked"),
    praise=Text(
        "x gets its gradient, and for mask nothing was computed.",
        "x 得到了梯度，而 mask 的梯度根本没有去算。",
    ),
    slips=(
        Slip(
            "unwanted",
            raises="should return None at 1 position",
            hint=Text(
                "Rule 3: mask is data and wants no gradient, so the second value has to be None,"
                " and the first one is the gradient of x.",
                "规则 3：mask 是数据，不要梯度，所以第二个值必须是 None；第一个值是 x 的梯度。",
            ),
        ),
        Slip(
            "too_many",
            raises="should be 2, but received 3",
            hint=Text(
                "Rule 3: forward took two Tensors, and ctx is none. Two values go back: one for x,"
                " one for mask.",
                "规则 3：forward 接收了两个 Tensor，ctx 不算。返回两个值：x 的一个，mask 的一个。",
            ),
        ),
        Slip(
            "passed_through",
            gives=masking(lambda dy, mask: (dy, None)),
            hint=Text(
                "The form is right, but dy came out as it went in. Where mask is 0, y does not"
                " change with x.",
                "形式对了，但 dy 原样传了出去。mask 为 0 的地方，y 不随 x 变化。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=masking(lambda dy, mask: (mask, None)),
            hint=Text(
                "The form is right. mask says how fast y changes with x; by the chain rule it is"
                " still multiplied by dy.",
                "形式对了。mask 是 y 随 x 的变化率；按链式法则还要乘上 dy。",
            ),
        ),
        Slip(
            "times_x",
            gives=masking(lambda dy, x: (dy * x, None), keep=lambda x, mask: (x,)),
            hint=Text(
                "This is dy * x, the gradient that mask would have. For x it is dy * mask: save"
                " mask.",
                "这是 dy * x，是 mask 的梯度。x 的梯度是 dy * mask：请保存 mask。",
            ),
        ),
        Slip(
            "not_saved",
            raises="cannot unpack non-iterable NoneType",
            hint=Text(
                "What was unpacked is None. ctx.saved_tensor() gives None where forward has"
                " saved nothing: before its return, write ctx.save_for_backward(mask).",
                "解包的是 None。如果 forward 什么都没有保存，ctx.saved_tensor() 就是 None：在它"
                "的 return 之前写 ctx.save_for_backward(mask)。",
            ),
        ),
        Slip(
            "not_taken_back",
            seen=lambda trial: (
                isinstance(trial.error, NameError) and trial.error.name in ("x", "mask")
            ),
            hint=Text(
                "backward does not see the variables of forward. First take back what was saved:"
                " (mask,) = ctx.saved_tensor().",
                "backward 看不到 forward 里的变量。先取回保存的东西：(mask,) ="
                " ctx.saved_tensor()。",
            ),
        ),
        Slip(
            "not_unpacked",
            raises="received  tuple (",
            hint=Text(
                "ctx.saved_tensor() gives back a tuple, even for one tensor. Mind the comma:"
                " (mask,) = ctx.saved_tensor().",
                "ctx.saved_tensor() 返回的是元组，只保存一个 Tensor 时也一样。注意逗号：(mask,) ="
                " ctx.saved_tensor()。",
            ),
        ),
        Slip(
            "nothing_returned",
            gives=masking(lambda dy, mask: None),
            hint=Text(
                "No gradient came to x: backward gave back None for it. Its last line must return"
                " two values.",
                "x 没有得到梯度：backward 为它返回的是 None。最后一行要返回两个值。",
            ),
        ),
    ),
)


# ----- clipped -----------------------------------------------------------------------------------


def clipping(backward):
    """What exercise 3 asks for, with another backward, which gets dy and inside."""

    def forward(ctx, x, low, high):
        inside = ((x >= low) & (x <= high)).astype(x.dtype)
        ctx.save_for_backward(inside)
        return paddle.clip(x, low, high), x.size - int(inside.sum())

    return layer("clipped", forward, lambda ctx, dy: backward(dy, *ctx.saved_tensor()))


def clip_and_back(answer, x, low, high, dy):
    """What comes out of the layer, and the gradient of x."""
    x = named(x, "x")
    y, changed = answer.apply(x, low, high)
    y.backward(named(dy, "dy", stop_gradient=True))
    return {"y": y, "changed": changed, "dx": x.grad}


clipped = Exercise(
    "clipped",
    title=Text("Only Tensors count", "只有 Tensor 才算数"),
    check=checks.experiment(
        clipping(lambda dy, inside: dy * inside),
        inputs=lambda rng: {
            "x": rng.permutation([-2.0, -1.0, -0.4, 0.7, 1.0, 1.8]),
            "low": -1.0,
            "high": 1.0,
            "dy": rng.permutation([-1.5, -0.8, 0.6, 1.4, 2.0, 2.3]),
        },
        use=clip_and_back,
    ),
    hints=(
        Text(
            "Count the Tensors alone: x went in, the clipped Tensor came out.",
            "只数 Tensor：进去的是 x，出来的是截断后的 Tensor。",
        ),
        Text(
            "So one gradient comes in and one goes back: dy where x stayed as it was, 0 where it"
            " was clipped.",
            "所以进来一个梯度，回去一个：x 没有改动的地方是 dy，被截断的地方是 0。",
        ),
        Text(
            "Two lines: (inside,) = ctx.saved_tensor() and return dy * inside",
            "一共两行：(inside,) = ctx.saved_tensor() 和 return dy * inside",
        ),
    ),
    solution=solution_in(SOLVED, "clipped"),
    praise=Text(
        "One gradient in, one back; the numbers and the int have none.",
        "一个梯度进来，一个回去；那几个普通的数没有梯度。",
    ),
    slips=(
        Slip(
            "too_many",
            raises="should be 1, but received",
            hint=Text(
                "Rule 3 counts Tensors. low and high are plain numbers and get no value back, not"
                " even None: return the gradient of x alone.",
                "规则 3 数的是 Tensor。low 和 high 是普通的数，什么都不用返回，连 None 也不要：只"
                "返回 x 的梯度。",
            ),
        ),
        Slip(
            "passed_through",
            gives=clipping(lambda dy, inside: dy),
            hint=Text(
                "dy went through everywhere. Where a number was clipped, y does not change with x:"
                " the gradient there is 0.",
                "dy 处处都传了过去。被截断的地方，y 不随 x 变化：那里的梯度是 0。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=clipping(lambda dy, inside: inside),
            hint=Text(
                "inside says how fast y changes with x. Multiply it by dy.",
                "inside 是 y 随 x 的变化率，还要乘上 dy。",
            ),
        ),
        Slip(
            "turned_round",
            gives=clipping(lambda dy, inside: dy * (1 - inside)),
            hint=Text(
                "It is the other way round: the gradient passes where x stayed as it was.",
                "正好反了：x 没有改动的地方，梯度才通过。",
            ),
        ),
        Slip(
            "clipped_dy",
            gives=clipping(lambda dy, inside: paddle.clip(dy, -1.0, 1.0)),
            hint=Text(
                "Now the gradient is clipped. backward multiplies dy by the derivative of forward,"
                " which is 1 or 0.",
                "现在截断的是梯度。backward 要把 dy 乘以前向的导数，它是 1 或 0。",
            ),
        ),
        Slip(
            "two_arguments",
            raises="backward() missing 1 required positional argument",
            hint=Text(
                "Rule 2 counts Tensors. The int that forward returns has no gradient:"
                " backward(ctx, dy).",
                "规则 2 数的是 Tensor。forward 返回的 int 没有梯度：backward(ctx, dy)。",
            ),
        ),
        Slip(
            "no_return",
            gives=clipping(lambda dy, inside: None),
            hint=Text(
                "backward gave back nothing. Its last line must return the gradient of x.",
                "backward 没有返回任何东西。最后一行要返回 x 的梯度。",
            ),
        ),
        Slip(
            "not_unpacked",
            raises="received  tuple (",
            hint=Text(
                "ctx.saved_tensor() gives back a tuple. Mind the comma: (inside,) ="
                " ctx.saved_tensor().",
                "ctx.saved_tensor() 返回的是元组。注意逗号：(inside,) = ctx.saved_tensor()。",
            ),
        ),
    ),
)


# ----- rules -------------------------------------------------------------------------------------

RIGHT = [2, 3, 1, 3]


def differs_at(place):
    """Whether four numbers came, and this is the first wrong one."""

    def seen(trial):
        [came] = trial.came.values()
        return came.shape == (4,) and list(came != RIGHT).index(True) == place

    return seen


rules = Exercise(
    "rules",
    title=Text("Which rule was broken?", "打破了哪条规则？"),
    check=checks.value(RIGHT),
    hints=(
        Text(
            "First see which method a message is about, forward or backward. Then: did it get too"
            " few or too many, or did it give back too few or too many?",
            "先看说的是哪个方法，forward 还是 backward。再看：是它收到的个数不对，还是它返回的个数"
            "不对？",
        ),
        Text(
            "① and ③ are about arguments, ② and ④ about what was returned. A room for one argument"
            " when two were given: which one has no room?",
            "① 和 ③ 说的是参数，② 和 ④ 说的是返回的东西。只容得下一个参数，却给了两个：是谁没有位"
            "置？",
        ),
        Text(
            "①: forward returned fewer Tensors than backward has parameters for, rule 2. ② and ④:"
            " too many and too few returned, rule 3. ③: no room for ctx, rule 1. So [2, 3, 1, 3].",
            "①：forward 返回的 Tensor 比 backward 的参数少，规则 2。② 和 ④：返回得太多和太少，规则"
            " 3。③：没有 ctx 的位置，规则 1。所以是 [2, 3, 1, 3]。",
        ),
    ),
    solution=solution_in(SOLVED, "rules"),
    praise=Text("You read them as they are meant.", "你读懂了它们的意思。"),
    slips=(
        Slip(
            "first",
            seen=differs_at(0),
            hint=Text(
                "Look at ①: backward has a parameter db, and nobody gave it a gradient. What"
                " decides how many gradients backward is given?",
                "看 ①：backward 有一个参数 db，却没有谁给它梯度。给 backward 几个梯度，由什么决"
                "定？",
            ),
        ),
        Slip(
            "second",
            seen=differs_at(1),
            hint=Text(
                "Look at ②: “outputs of PyLayer.backward” is what backward returned.",
                "看 ②：“outputs of PyLayer.backward”就是 backward 返回的东西。",
            ),
        ),
        Slip(
            "third",
            seen=differs_at(2),
            hint=Text(
                "Look at ③: it is about forward, and forward was given one thing more than x."
                " Which?",
                "看 ③：说的是 forward，而 forward 除了 x 之外还收到了一样东西。是什么？",
            ),
        ),
        Slip(
            "fourth",
            seen=differs_at(3),
            hint=Text(
                "Look at ④: “return empty” means that a value is missing from what backward"
                " returned.",
                "看 ④：“return empty”是说 backward 返回的东西里缺了一个。",
            ),
        ),
        Slip(
            "length",
            seen=lambda trial: all(came.shape != (4,) for came in trial.came.values()),
            hint=Text(
                "There are four messages, so four numbers are wanted, in the order ①, ②, ③, ④.",
                "一共四条报错，所以要四个数字，按 ①、②、③、④ 的顺序。",
            ),
        ),
    ),
)
