"""The exercises of lesson 14: layers for both engines, weights that go over, many ranks."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import minipaddle as paddle
from minipaddle import nn
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.workbench import layer, named

TITLE = Text("On to real Paddle", "用真正的 Paddle")
SOLVED = Text("../solutions/14_real_paddle.ipynb", "../solutions/zh/14_real_paddle.ipynb")


# ----- predictions -------------------------------------------------------------------------------

same_seed = Prediction(
    "same_seed",
    question=Text(
        "The same program, with the same seed: a layer with random weights, tanh, a loss, backward."
        " What does real Paddle print, compared with minipaddle?",
        "同一个程序，同样的种子：一个权重随机的层，tanh，损失，反向。真正的 Paddle 打印的与"
        " minipaddle 相比如何？",
    ),
    choices=[
        Text("other random weights, so other results", "随机权重不同，所以结果不同"),
        Text(
            "the same weights, results equal but for the last digits", "权重相同，结果只差最后几位"
        ),
        Text("the same weights, quite other gradients", "权重相同，梯度完全不同"),
    ],
    truth="the same weights, results equal but for the last digits",
    because=Text(
        "The random numbers are Paddle's, bit for bit; only sums may be rounded in another order.",
        "随机数与 Paddle 的每一位都相同；只是求和时舍入的先后可能不同。",
    ),
)

soft_target = Prediction(
    "soft_target",
    question=Text(
        "cross_entropy(logits, target, soft_label=True).backward(), where logits and target both"
        " want a gradient. What is target.grad in real Paddle 3.3.1?",
        "cross_entropy(logits, target, soft_label=True).backward()，logits 和 target 都要梯度。在"
        "真正的 Paddle 3.3.1 里，target.grad 是什么？",
    ),
    choices=[
        Text("its gradient", "它的梯度"),
        Text("None, after an error or a warning", "None，而且有报错或警告"),
        Text("None, and nothing is said", "None，没有任何提示"),
    ],
    truth="None, and nothing is said",
    because=Text(
        "That operator computes the gradient of the logits alone. minipaddle computes both.",
        "那里的这个算子只计算 logits 的梯度。minipaddle 两个都算。",
    ),
)

uneven = Prediction(
    "uneven",
    question=Text(
        "Each rank computes the gradient of the mean loss of its rows, and the gradients are"
        " averaged. The batch has 8 rows. When is the average the gradient of the mean loss of all"
        " 8?",
        "每个 rank 算出自己那些行的平均损失的梯度，再对这些梯度求均值。一批有 8 行。什么时候，"
        "这个均值就是全部 8 行平均损失的梯度？",
    ),
    choices=[
        Text("with 4 and 4 rows, and with 3 and 5", "分成 4 行和 4 行、3 行和 5 行，都是"),
        Text("with 4 and 4 rows only", "只有分成 4 行和 4 行"),
        Text("never exactly", "从来都不完全相同"),
    ],
    truth="with 4 and 4 rows only",
    because=Text(
        "With 3 and 5, each of the three rows counts a sixth, each of the five a tenth. Each should"
        " count an eighth.",
        "分成 3 行和 5 行时，那三行每行占六分之一，那五行每行占十分之一。本来都应该占八分之一。",
    ),
)

both_losses = Prediction(
    "both_losses",
    question=Text(
        "Both ranks have s = 2 * x0 + 2 * x1 = 6 after all_reduce, and each has the loss s ** 2."
        " What is the derivative of the sum of both losses with respect to x0?",
        "all_reduce 之后，两个 rank 都有 s = 2 * x0 + 2 * x1 = 6，各自的损失是 s ** 2。两个损失之和"
        "对 x0 的导数是多少？",
    ),
    kind="number",
    truth=48,
    because=Text(
        "Each loss has the derivative 12 with respect to its s. x0 is in both of them, by the"
        " factor 2: 2 * (12 + 12).",
        "每个损失对自己的 s 的导数是 12。两个 s 里都有 x0，系数是 2：2 * (12 + 12)。",
    ),
)


# ----- frozen_row --------------------------------------------------------------------------------


def freezing(backward):
    """What exercise 1 asks for, with another backward, which gets dy, x and row."""

    def forward(ctx, x, row):
        ctx.save_for_backward(x, row)
        return x * row

    return layer("frozen_row", forward, lambda ctx, dy: backward(dy, *ctx.saved_tensor()))


def use_frozen(answer, x, w, dy):
    """The gradients that come back, and what backward returned as Paddle would look at it."""
    returned = []

    def backward(ctx, dy):
        returned.append(answer.backward(ctx, dy))
        return returned[0]

    watched = type(answer.__name__, (answer,), {"backward": staticmethod(backward)})
    x, w = named(x, "x"), named(w, "w")
    y = watched.apply(x, w * 2)
    y.backward(paddle.to_tensor(dy))
    [given] = returned
    return {
        "y": y,
        "dx": x.grad,
        "dw": np.zeros(w.shape) if w.grad is None else w.grad,
        "a tuple": isinstance(given, tuple),
        "a Tensor for each input": not any(each is None for each in given),
    }


frozen_row = Exercise(
    "frozen_row",
    title=Text("A layer for both", "两边都能用的层"),
    check=checks.experiment(
        freezing(lambda dy, x, row: (dy * row, paddle.zeros_like(row))),
        inputs=lambda rng: {
            "x": np.round(rng.normal(size=(2, 3)), 1),
            "w": np.round(rng.uniform(1, 2, 3), 1),
            "dy": np.round(rng.uniform(1.1, 2, (2, 3)), 1),
        },
        use=use_frozen,
        zh={"a tuple": "是元组", "a Tensor for each input": "每个输入都有一个 Tensor"},
    ),
    hints=(
        Text(
            "Two inputs, two gradients, in a tuple: Paddle refuses a list.",
            "两个输入，两个梯度，放在元组里：Paddle 不接受列表。",
        ),
        Text(
            "row is the result of other operations, so None may be an error in Paddle, or worse."
            " That nothing flows is said by zeros of its shape.",
            "row 是别的运算的结果，所以 None 在 Paddle 里可能报错，甚至更糟。要表示什么也不流过去，"
            "就用与它形状相同的全 0。",
        ),
        Text(
            "(row,) = ctx.saved_tensor(), and return dy * row, paddle.zeros_like(row).",
            "(row,) = ctx.saved_tensor()，然后 return dy * row, paddle.zeros_like(row)。",
        ),
    ),
    solution=solution_in(SOLVED, "frozen_row"),
    praise=Text(
        "A tuple of two Tensors, each of the shape of its input: both take it.",
        "两个 Tensor 的元组，形状各与自己的输入相同：两边都接受。",
    ),
    slips=(
        Slip(
            "a_list",
            seen=lambda trial: trial.came_as("a tuple", False),
            hint=Text(
                "minipaddle takes a list, as the documents say; Paddle 3.3.1 refuses it. Return a"
                " tuple: without the brackets.",
                "列表，minipaddle 按文档接受，Paddle 3.3.1 却不接受。请返回元组：去掉方括号。",
            ),
        ),
        Slip(
            "not_unpacked",
            raises="received  tuple (",
            hint=Text(
                "ctx.saved_tensor() gives back a tuple, even for one Tensor. Mind the comma:"
                " (row,) = ctx.saved_tensor().",
                "ctx.saved_tensor() 返回的是元组，只有一个 Tensor 时也一样。注意逗号：(row,) ="
                " ctx.saved_tensor()。",
            ),
        ),
        Slip(
            "none_for_row",
            seen=lambda trial: trial.came_as("a Tensor for each input", False),
            hint=Text(
                "Here None says that nothing flows. In Paddle 3.3.1, for a row that other"
                " operations made, it may be an error or a crash, depending on them. Return zeros.",
                "在这里，None 表示什么也不流过去。在 Paddle 3.3.1 里，如果 row 由别的运算得出，"
                "None 会不会报错或崩溃，取决于是什么运算。请返回全 0。",
            ),
        ),
        Slip(
            "zeros_of_x",
            raises="at 1 position has the wrong shape",
            hint=Text(
                "The second gradient does not have the shape of row. Paddle would let it pass,"
                " and spoil row's gradient. zeros_like(row).",
                "第二个梯度与 row 的形状不同。Paddle 会让它通过，row 的梯度就坏了。用"
                " zeros_like(row)。",
            ),
        ),
        Slip(
            "row_learns",
            gives=freezing(lambda dy, x, row: (dy * row, dy.sum(axis=0))),
            hint=Text(
                "w, from which row was made, gets a gradient. row is to learn nothing: zeros in its"
                " place.",
                "由它得出 row 的 w 得到了梯度。row 什么也不要学：它的位置上应该是全 0。",
            ),
        ),
        Slip(
            "forgot_row",
            gives=freezing(lambda dy, x, row: (dy, paddle.zeros_like(row))),
            hint=Text(
                "The gradient of x still has to be multiplied by row.", "x 的梯度还要乘以 row。"
            ),
        ),
        Slip(
            "forgot_dy",
            gives=freezing(lambda dy, x, row: (row + dy * 0, paddle.zeros_like(row))),
            hint=Text(
                "This is the derivative of the layer alone. Multiply it by dy.",
                "这只是这个层自己的导数。还要乘以 dy。",
            ),
        ),
        Slip(
            "too_few",
            raises="should not return empty",
            hint=Text("Both inputs want a gradient: return two.", "两个输入都要梯度：请返回两个。"),
        ),
    ),
)


# ----- carry_over --------------------------------------------------------------------------------


def carried(net, other, path):
    """What exercise 2 asks for."""
    paddle.save(net.state_dict(), path)
    other.set_state_dict(paddle.load(path))


def only_saved(net, other, path):
    """The answer that leaves the other network as it is."""
    paddle.save(net.state_dict(), path)


def without_a_file(net, other, path):
    """The answer that takes the short way."""
    other.set_state_dict(net.state_dict())


def the_other_way(net, other, path):
    """The answer that loses what was trained."""
    carried(other, net, path)


def into_itself(net, other, path):
    """The answer that saves the network into which it loads."""
    carried(other, other, path)


def two_networks(answer, weights, others):
    """The weights of both networks afterwards, and those in the file."""
    net, other = (
        nn.Linear(2, 3, *map(nn.initializer.Assign, (values[:2], values[2])))
        for values in (weights, others)
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "net.pdparams"
        returned = answer(net, other, str(path))
        there = paddle.load(str(path)) if path.exists() else {}
        return {
            "net's weight": net.weight,
            "other's weight": other.weight,
            "other's bias": other.bias,
            "weight in the file": there.get("weight") if isinstance(there, dict) else None,
            "returned value": returned,
        }


carry_over = Exercise(
    "carry_over",
    title=Text("Weights by a file", "用文件传递权重"),
    check=checks.experiment(
        carried,
        inputs=lambda rng: {
            "weights": np.round(rng.normal(size=(3, 3)), 2).astype("float32"),
            "others": np.round(rng.normal(size=(3, 3)), 2).astype("float32"),
        },
        use=two_networks,
        zh={
            "net's weight": "net 的权重",
            "other's weight": "other 的权重",
            "other's bias": "other 的偏置",
            "weight in the file": "文件里的权重",
            "returned value": "返回值",
        },
    ),
    hints=(
        Text(
            "Two lines: one writes net's state_dict, one reads it into other.",
            "两行：一行写 net 的 state_dict，一行把它读到 other 里。",
        ),
        Text(
            "paddle.save(net.state_dict(), path); and what paddle.load(path) gives goes into"
            " other.set_state_dict.",
            "paddle.save(net.state_dict(), path)；paddle.load(path) 给出的，交给"
            " other.set_state_dict。",
        ),
        Text(
            "The second line: other.set_state_dict(paddle.load(path)).",
            "第二行：other.set_state_dict(paddle.load(path))。",
        ),
    ),
    solution=solution_in(SOLVED, "carry_over"),
    praise=Text(
        "The file holds names and numbers only, and either engine reads it.",
        "文件里只有名字和数，两边都能读。",
    ),
    slips=(
        Slip(
            "saved_the_layer",
            raises="do not support saving",
            hint=Text(
                "A Layer is code and weights; only the weights can be saved: net.state_dict().",
                "层既有代码，又有权重；能保存的只有权重：net.state_dict()。",
            ),
        ),
        Slip(
            "not_called",
            raises="cannot write a method",
            hint=Text(
                "state_dict is a method: what is to be saved is its result, net.state_dict(),"
                " with the parentheses.",
                "state_dict 是方法：要保存的是它的结果 net.state_dict()，别忘了括号。",
            ),
        ),
        Slip(
            "not_loaded",
            gives=only_saved,
            hint=Text(
                "The file is there, but other is as it was. paddle.load only reads;"
                " other.set_state_dict(...) puts the weights in.",
                "文件有了，但 other 没有变。paddle.load 只是读；other.set_state_dict(...) 才把权重"
                "放进去。",
            ),
        ),
        Slip(
            "path_itself",
            raises="received  str",
            hint=Text(
                "set_state_dict takes what is in the file, not its path: paddle.load(path).",
                "set_state_dict 要的是文件里的内容，而不是路径：paddle.load(path)。",
            ),
        ),
        Slip(
            "no_file",
            gives=without_a_file,
            hint=Text(
                "The weights are there, but not by the file: another program could not have read"
                " them. Save them to path, and load from there.",
                "权重过去了，却没有经过文件：别的程序就读不到。请保存到 path，再从那里读。",
            ),
        ),
        Slip(
            "other_way",
            gives=the_other_way,
            hint=Text(
                "It went the other way: net has lost what it had. Save net, load into other.",
                "方向反了：net 原来的权重没有了。要保存 net，读到 other 里。",
            ),
        ),
        Slip(
            "only_saved_itself",
            gives=into_itself,
            hint=Text(
                "other got back its own weights. Those of net are to be saved.",
                "other 拿回的是自己的权重。要保存的是 net 的。",
            ),
        ),
        Slip(
            "a_list",
            raises="received  list",
            hint=Text(
                "A list of parameters has no names by which they could be put in their places:"
                " net.state_dict().",
                "参数的列表没有名字，也就不知道该放到哪里：net.state_dict()。",
            ),
        ),
    ),
)


# ----- all_reduce --------------------------------------------------------------------------------


def reducing(backward):
    """What exercise 3 asks for, with another backward of ds0 and ds1."""
    return layer(
        "all_reduce", lambda ctx, a, b: (a + b, a + b), lambda ctx, ds0, ds1: backward(ds0, ds1)
    )


def on_two_ranks(answer, x0, x1, w0, w1):
    """The gradients on both ranks, each of which weighs the sum in its own way."""
    x0, x1 = named(x0, "x0"), named(x1, "x1")
    s0, s1 = answer.apply(x0, x1)
    ((s0 * paddle.to_tensor(w0)).sum() + (s1 * paddle.to_tensor(w1)).sum()).backward()
    if x0.grad is None and x1.grad is None:
        raise NotImplementedError
    return {"s0": s0, "s1": s1, "d(x0)": x0.grad, "d(x1)": x1.grad}


all_reduce = Exercise(
    "all_reduce",
    title=Text("The gradient of all_reduce", "all_reduce 的梯度"),
    check=checks.experiment(
        reducing(lambda ds0, ds1: (ds0 + ds1, ds0 + ds1)),
        inputs=lambda rng: {
            name: np.round(rng.uniform(1, 3, 2), 1) for name in ("x0", "x1", "w0", "w1")
        },
        use=on_two_ranks,
    ),
    hints=(
        Text(
            "Where does a go? Into the total of rank 0, and into that of rank 1.",
            "a 到了哪里？到了 rank 0 的总和里，也到了 rank 1 的总和里。",
        ),
        Text(
            "What has two users gets the sum of both gradients (lesson 4).",
            "一个东西用在两处，得到的就是两个梯度之和（见第 4 课）。",
        ),
        Text("da = ds0 + ds1, and db = ds0 + ds1.", "da = ds0 + ds1，db = ds0 + ds1。"),
    ),
    solution=solution_in(SOLVED, "all_reduce"),
    praise=Text(
        "The gradient of an all_reduce is an all_reduce of the gradients.",
        "all_reduce 的梯度，就是对梯度做一次 all_reduce。",
    ),
    slips=(
        Slip(
            "passed_on",
            gives=reducing(lambda ds0, ds1: (ds0, ds1)),
            hint=Text(
                "Each rank gets its own gradient only. But a is in the total of the other rank,"
                " too, and matters for its loss.",
                "每个 rank 只得到自己的梯度。可是 a 也在另一个 rank 的总和里，也影响那边的损失。",
            ),
        ),
        Slip(
            "averaged",
            gives=reducing(lambda ds0, ds1: ((ds0 + ds1) / 2, (ds0 + ds1) / 2)),
            hint=Text(
                "Half of it. The mean belongs to data parallel, where each loss is a mean of its"
                " own rows; here nothing was divided in forward.",
                "只有一半。求均值是数据并行的事，那里每个损失是自己那些行的均值；这里的前向没有除以什么。",
            ),
        ),
        Slip(
            "own_twice",
            gives=reducing(lambda ds0, ds1: (ds0 * 2, ds1 * 2)),
            hint=Text(
                "Two times its own gradient: that is right only where both ranks have the same. The"
                " other half comes from the other rank.",
                "自己的梯度乘以 2：只有两边的梯度相同时才对。另一半应该来自另一个 rank。",
            ),
        ),
        Slip(
            "crossed",
            gives=reducing(lambda ds0, ds1: (ds1, ds0)),
            hint=Text(
                "Each rank gets the gradient of the other alone. Both belong to both.",
                "每个 rank 只得到了对方的梯度。两个梯度，两边都要有。",
            ),
        ),
        Slip(
            "first_alone",
            gives=reducing(lambda ds0, ds1: (ds0 + ds1, paddle.zeros_like(ds1))),
            hint=Text(
                "Rank 1 gets nothing, though b went into both totals as a did.",
                "rank 1 什么也没得到，可是 b 和 a 一样，进了两个总和。",
            ),
        ),
        Slip(
            "subtracted",
            gives=reducing(lambda ds0, ds1: (ds0 + ds1, ds0 - ds1)),
            hint=Text(
                "a and b are added up alike in forward, so their gradients are alike. (With the"
                " minus it would be lesson 5's sum_and_difference.)",
                "前向里 a 和 b 是一样加起来的，所以梯度也一样。（带减号的，是第 5 课的"
                " sum_and_difference。）",
            ),
        ),
        Slip(
            "one_of_two",
            raises="should not return empty",
            hint=Text(
                "Two inputs want a gradient: return da, db.", "有两个输入要梯度：return da, db。"
            ),
        ),
    ),
)
