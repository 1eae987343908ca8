"""The exercises of lesson 12: a LeNet in both modes, and attention with a backward of one's own."""

import numpy as np

import minipaddle as paddle
from minipaddle import nn, static
from minipaddle.autograd import PyLayer
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.workbench import static_mode
from minipaddle.nn import functional as F

TITLE = Text("Train for real", "真正训练一次")
SOLVED = Text("../solutions/12_train_for_real.ipynb", "../solutions/zh/12_train_for_real.ipynb")


# ----- predictions -------------------------------------------------------------------------------

flat = Prediction(
    "flat",
    question=Text(
        "32 pictures of 8 by 8 go through Conv2D(1, 6, 3, padding=1), MaxPool2D(2),"
        " Conv2D(6, 16, 3, padding=1), MaxPool2D(2) and Flatten. What shape comes out?",
        "32 张 8 × 8 的图片，依次经过 Conv2D(1, 6, 3, padding=1)、MaxPool2D(2)、"
        "Conv2D(6, 16, 3, padding=1)、MaxPool2D(2) 和 Flatten。出来的是什么形状？",
    ),
    kind="shape",
    truth=[32, 64],
    because=Text(
        "The convolutions change the channels alone, the poolings halve height and width: 8, 4, 2."
        " 16 channels of 2 by 2 are 64 numbers for each picture.",
        "卷积只改变通道数，池化让高和宽减半：8、4、2。16 个 2 × 2 的通道，每张图片就是 64 个数。",
    ),
)

first_loss = Prediction(
    "first_loss",
    question=Text(
        "Ten digits, and nothing has been learnt yet. The cross entropy is minus the (natural)"
        " logarithm of the probability that the true digit was given. About what is the first loss?"
        " (To 0.3.)",
        "十个数字，什么都还没有学。交叉熵是正确数字的概率的（自然）对数，再取负号。第一个损失大约是"
        "多少？（误差在 0.3 以内。）",
    ),
    kind="number",
    truth=2.3,
    within=0.3,
    because=Text(
        "Even guesses give each digit the probability 1/10, and the logarithm of 10 is 2.3.",
        "十个数字概率都一样时，各是 1/10，而 10 的对数是 2.3。",
    ),
)

how_near = Prediction(
    "how_near",
    question=Text(
        "The same seed, the same batches, the same optimizer, 270 rounds: once on the tape, once as"
        " a Program. How far are the losses apart?",
        "同样的种子，同样的批，同样的优化器，270 轮：一次在 tape 上，一次作为 Program。两边的损失"
        "相差多少？",
    ),
    choices=[
        Text("by about 0.1: two trainings never go alike", "大约 0.1：两次训练总不会一样"),
        Text("a little at first, then more and more", "起初差一点点，后来越差越多"),
        Text("not at all", "一点不差"),
    ],
    truth="not at all",
    because=Text(
        "Everything random comes from the seed, and both modes compute the same with the same"
        " numbers, in the same order.",
        "随机的一切都来自种子，而两种模式用同样的数、按同样的顺序，做同样的计算。",
    ),
)

first_share = Prediction(
    "first_share",
    question=Text(
        "p has a row of shares for each place. The first place may look at nothing but itself. Its"
        " query is [5, 7], its key [2, 0]. What is p at row 0, column 0?",
        "p 的每一行是一个位置的份额。第一个位置只能看自己。它的查询是 [5, 7]，键是 [2, 0]。p 的第 0"
        " 行第 0 列是多少？",
    ),
    kind="number",
    truth=1,
    because=Text(
        "The shares of a row add up to 1, and the others are 0. With one candidate the scores do"
        " not matter.",
        "一行的份额加起来是 1，而别的都是 0。只有一个可选时，得分是多少无关紧要。",
    ),
)

cheating = Prediction(
    "cheating",
    question=Text(
        "Now the network is trained with all characters in sight, those that it is to guess"
        " included. Its loss at the end was about 0.5 before. What becomes of the loss, and of the"
        " writing?",
        "现在训练时让网络看到所有的字符，包括要它猜的那些。原来最后的损失大约是 0.5。现在的损失和"
        "写出来的东西会怎样？",
    ),
    choices=[
        Text("a smaller loss, better writing", "损失更小，写得更好"),
        Text("a smaller loss, worse writing", "损失更小，写得更差"),
        Text("a larger loss, worse writing", "损失更大，写得更差"),
    ],
    truth="a smaller loss, worse writing",
    because=Text(
        "It learns to copy the character one place further on. When it writes, there is none.",
        "它学会的是照抄后面一个位置的字符。等它自己写的时候，后面什么也没有。",
    ),
)


# ----- accuracy ----------------------------------------------------------------------------------


def share(counted):
    """An answer that makes the share of these."""
    return lambda scores, digits: float(np.mean(counted(scores.numpy(), digits.numpy())))


def right_ones(scores, digits):
    """Which rows are right."""
    return scores.argmax(axis=1) == digits


def of_scores(answer, scores, digits):
    """What the answer says of these scores, and whether it is a plain number."""
    value = answer(paddle.to_tensor(scores), paddle.to_tensor(digits))
    if value is None:
        return {}
    return {"accuracy": float(value), "a plain number": isinstance(value, (int, float))}


def mostly_right(rng):
    """Rows of scores; the first, with the largest of all, is right, two or three are not."""
    rows = rng.integers(6, 10)
    scores = np.round(rng.normal(size=(rows, 10)), 2)
    scores[0, rng.integers(10)] = 5.0
    digits = scores.argmax(axis=1).astype("int64")  # int32 in WebAssembly
    wrong = 1 + rng.permutation(rows - 1)[: rng.integers(2, 4)]
    digits[wrong] = (digits[wrong] + 1) % 10
    return {"scores": scores, "digits": digits}


accuracy = Exercise(
    "accuracy",
    title=Text("How often it is right", "猜对的比例"),
    check=checks.experiment(
        share(right_ones),
        inputs=mostly_right,
        use=of_scores,
        zh={"accuracy": "准确率", "a plain number": "是普通的数"},
    ),
    hints=(
        Text(
            "First the guesses: for each row the column of the largest logit.",
            "先求猜的是什么：每一行里 logit 最大的那一列。",
        ),
        Text(
            "guesses = scores.argmax(axis=1). Then guesses == digits is True where it is right.",
            "guesses = scores.argmax(axis=1)。然后 guesses == digits 在猜对的地方是 True。",
        ),
        Text(
            'The second line: return float((guesses == digits).astype("float32").mean())',
            '第二行：return float((guesses == digits).astype("float32").mean())',
        ),
    ),
    solution=solution_in(SOLVED, "accuracy"),
    praise=Text("A share, and a plain number.", "是比例，也是一个普通的数。"),
    slips=(
        Slip(
            "over_all_rows",
            gives=share(lambda scores, digits: scores.argmax() == digits),
            hint=Text(
                "argmax() without an axis looks for one largest number in the whole table. Each"
                " row has its own: axis=1.",
                "argmax() 不写 axis，就是在整张表里找一个最大的数。每一行都要有自己的：axis=1。",
            ),
        ),
        Slip(
            "largest_value",
            raises="floating-point numbers",
            hint=Text(
                "Logits were compared with digits. The digit is the place where the largest"
                " logit of a row stands: argmax, not max.",
                "拿来和数字比较的是 logit。数字是一行里最大的 logit 所在的位置：用 argmax，不用"
                " max。",
            ),
        ),
        Slip(
            "share_of_errors",
            gives=share(lambda scores, digits: scores.argmax(axis=1) != digits),
            hint=Text(
                "This is the share that is wrong. Count the rows where both are equal.",
                "这是猜错的比例。要数的是两者相等的行。",
            ),
        ),
        Slip(
            "counted",
            gives=lambda scores, digits: float(right_ones(scores.numpy(), digits.numpy()).sum()),
            hint=Text(
                "This is how many are right. For the share, take the mean in place of the sum.",
                "这是猜对的个数。要比例，就用均值代替求和。",
            ),
        ),
        Slip(
            "mean_of_truths",
            seen=lambda trial: trial.came_as("accuracy", 1),
            hint=Text(
                "1 can come from a mean of True and False, which is True again. Make ones and zeros"
                ' of them first: astype("float32").',
                "得到 1，可能是因为直接对 True 和 False 求了均值，结果还是 True。先变成 1 和 0："
                'astype("float32")。',
            ),
        ),
        Slip(
            "percent",
            gives=lambda scores, digits: 100 * share(right_ones)(scores, digits),
            hint=Text(
                "This is a percentage. A number between 0 and 1 is asked for.",
                "这是百分数。要的是 0 到 1 之间的数。",
            ),
        ),
        Slip(
            "a_tensor",
            gives=lambda scores, digits: paddle.to_tensor(share(right_ones)(scores, digits)),
            hint=Text(
                "The value is right, but it is a Tensor still. float(...) makes a plain number of"
                " it.",
                "值对了，但还是 Tensor。用 float(...) 变成普通的数。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text("Nothing came back. Return the share.", "什么也没有返回。请返回比例。"),
        ),
    ),
)


# ----- as_program --------------------------------------------------------------------------------


def programs(minimized=True, copy=lambda main: main.clone(for_test=True)):
    """What exercise 2 asks for; or without an update, or with another copy to look with."""

    def answer(make_net, optimizer):
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            images = static.data("images", [-1, 1, 8, 8], "float32")
            digits = static.data("digits", [-1], "int64")
            loss = F.cross_entropy(make_net()(images), digits)
            only_forward = copy(main)
            if minimized:
                optimizer.minimize(loss)
        return main, startup, only_forward, loss

    return answer


def look_and_train(answer, images, digits, seed):
    """Look at the losses of two batches, train with them, and look again."""

    def make_net():
        return nn.Sequential(nn.Flatten(), nn.Linear(64, 8), nn.Dropout(0.5), nn.Linear(8, 3))

    with static_mode():
        returned = answer(make_net, paddle.optimizer.Momentum(0.1, 0.9))
    if returned is None:
        return {}
    main, startup, only_forward, loss = returned
    kinds = [static.Program] * 3 + [static.Variable]
    in_order = all(map(isinstance, returned, kinds)) and loss.block.program is main
    if not in_order:
        return {"four in order": False}
    with static_mode():  # which the answer may have switched off
        exe = static.Executor()
        paddle.seed(seed)
        exe.run(startup)
        feeds = [{"images": images[:rows], "digits": digits[:rows]} for rows in (5, 3)]

        def losses_of(program):
            return [float(exe.run(program, feed=feed, fetch_list=[loss])[0]) for feed in feeds]

        return {
            "four in order": True,
            "losses before": losses_of(only_forward),
            "losses in training": losses_of(main),
            "losses after": losses_of(only_forward),
        }


as_program = Exercise(
    "as_program",
    title=Text("A training as a Program", "写成 Program 的训练"),
    check=checks.experiment(
        programs(),
        inputs=lambda rng: {
            "images": np.round(rng.uniform(0, 1, (5, 1, 8, 8)), 1).astype("float32"),
            "digits": rng.integers(3, size=5),
            "seed": int(rng.integers(1000)),
        },
        use=look_and_train,
        zh={
            "four in order": "四样东西的顺序对",
            "losses before": "训练前的损失",
            "losses in training": "训练时的损失",
            "losses after": "训练后的损失",
        },
    ),
    hints=(
        Text(
            "Two new Programs, and all the rest inside program_guard(main, startup): the inputs,"
            " the loss, the copy, the update.",
            "两个新的 Program，其余的都写在 program_guard(main, startup) 里面：输入、损失、副本、"
            "更新。",
        ),
        Text(
            "loss = paddle.nn.functional.cross_entropy(make_net()(images), digits), and then"
            " only_forward = main.clone(for_test=True).",
            "loss = paddle.nn.functional.cross_entropy(make_net()(images), digits)，然后"
            " only_forward = main.clone(for_test=True)。",
        ),
        Text(
            "Last inside the with: optimizer.minimize(loss). After it: return main, startup,"
            " only_forward, loss.",
            "with 里面的最后一行：optimizer.minimize(loss)。之后：return main, startup,"
            " only_forward, loss。",
        ),
    ),
    solution=solution_in(SOLVED, "as_program"),
    praise=Text(
        "It trains with batches of any size, and looks without training.",
        "多大的批都能训练，也能只看不训练。",
    ),
    slips=(
        Slip(
            "fixed_rows",
            raises="has the wrong shape",
            hint=Text(
                "A declared shape does not fit what is fed. Batches may be of any size, so it is"
                " [-1, 1, 8, 8] for “images”, and [-1] for “digits”.",
                "声明的形状与输入的数据不符。批的大小可以是任意的，所以 “images” 是 [-1, 1, 8, 8]，"
                "“digits” 是 [-1]。",
            ),
        ),
        Slip(
            "no_startup",
            raises="has not been initialized",
            hint=Text(
                "A weight has no value, though the startup program has run: it was to be filled"
                " by another one. Write program_guard(main, startup), and everything inside it,"
                " minimize as well.",
                "启动程序运行了，却有权重还没有值：该填写它的是另一个程序。请写"
                " program_guard(main, startup)，所有的都写在它里面，minimize 也是。",
            ),
        ),
        Slip(
            "made_outside",
            raises="belongs to another Program",
            hint=Text(
                "The layers put their weights into the Program in which they are made, so"
                " make_net() belongs inside program_guard(main, startup) too.",
                "层在哪个 Program 里创建，权重就进哪个 Program，所以 make_net() 也要写在"
                " program_guard(main, startup) 里面。",
            ),
        ),
        Slip(
            "as_on_the_tape",
            raises="'backward()' is only supported",
            hint=Text(
                "backward() and step() belong to the tape. Here one line writes both:"
                " optimizer.minimize(loss).",
                "backward() 和 step() 属于 tape。在这里，一行就写好两者："
                "optimizer.minimize(loss)。",
            ),
        ),
        Slip(
            "never_minimized",
            gives=programs(minimized=False),
            hint=Text(
                "Running main leaves the weights as they are: optimizer.minimize(loss) is missing.",
                "运行 main 之后，权重没有变：缺少 optimizer.minimize(loss)。",
            ),
        ),
        Slip(
            "looks_train",
            gives=programs(copy=lambda main: main),
            hint=Text(
                "Each look trains, as it does if only_forward is main itself. Make a copy before"
                " minimize: main.clone(for_test=True).",
                "每看一次就训练一次，如果 only_forward 就是 main 自己，就会这样。请在 minimize "
                "之前复制一份：main.clone(for_test=True)。",
            ),
        ),
        Slip(
            "not_for_test",
            gives=programs(copy=lambda main: main.clone()),
            hint=Text(
                "The copy still trains in one respect: its dropout puts numbers to 0, so each look"
                " gives another loss. for_test=True switches it off.",
                "这份副本还有一处处于训练模式：dropout 仍在把数变成 0，所以每次看到的损失都不一样。"
                "for_test=True 把它关掉。",
            ),
        ),
        Slip(
            "other_dtype",
            raises="The data type of fed Variable",
            hint=Text(
                "What is fed has another dtype than what was declared. Digits are int64, pictures"
                " float32.",
                "输入数据的数据类型与声明的不同。数字是 int64，图片是 float32。",
            ),
        ),
        Slip(
            "other_names",
            raises="the feed for",
            hint=Text(
                "The check feeds “images” and “digits”; these names are what static.data is to be"
                " given.",
                "检查时输入数据用的名字是 “images” 和 “digits”；传给 static.data 的就应该是这两个"
                "名字。",
            ),
        ),
        Slip(
            "not_four",
            seen=lambda trial: (
                "unpack" in str(trial.error) or trial.came_as("four in order", False)
            ),
            hint=Text(
                "Four things are asked for, in this order: main, startup, only_forward, loss."
                " The first three are Programs, and loss is a Variable of main.",
                "要返回四样东西，顺序是：main、startup、only_forward、loss。前三个是 Program，"
                "loss 是 main 里的变量。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. End with return main, startup, only_forward, loss.",
                "什么也没有返回。最后要写 return main, startup, only_forward, loss。",
            ),
        ),
    ),
)


# ----- attention ---------------------------------------------------------------------------------


def attending(backward):
    """What exercise 3 asks for, with another backward of dy, q, k, v, p and the scale."""

    class attention(PyLayer):
        @staticmethod
        def forward(ctx, q, k, v, mask):
            ctx.scale = q.shape[-1] ** -0.5
            p = F.softmax(q @ k.mT * ctx.scale + mask)
            ctx.save_for_backward(q, k, v, p)
            return p @ v

        @staticmethod
        def backward(ctx, dy):
            return (*backward(dy, *ctx.saved_tensor(), ctx.scale), None)

    return attention


def gradients(dscores=lambda p, dp: p * (dp - (dp * p).sum(axis=-1, keepdim=True)), scaled=True):
    """Backward with this rule for softmax, with the scale or without."""

    def backward(dy, q, k, v, p, scale):
        ds = dscores(p, dy @ v.mT) * (scale if scaled else 1)
        return ds @ k, ds.mT @ q, p.mT @ dy

    return backward


def unturned(which):
    """Backward without the transposition of one product."""

    def backward(dy, q, k, v, p, scale):
        dq, dk, dv = gradients()(dy, q, k, v, p, scale)
        ds = p * (dy @ v.mT - (dy @ v.mT * p).sum(axis=-1, keepdim=True)) * scale
        return (dq, ds @ q, dv) if which == "dk" else (dq, dk, p @ dy)

    return backward


def swapped(dy, q, k, v, p, scale):
    """Backward whose first two gradients have changed places."""
    dq, dk, dv = gradients()(dy, q, k, v, p, scale)
    return dk, dq, dv


def attend(answer, q, k, v, dy):
    """What the answer makes of two rows of places, and the gradients that come back."""
    made = {"q": q, "k": k, "v": v}
    leaves = {name: paddle.to_tensor(array, stop_gradient=False) for name, array in made.items()}
    for name, leaf in leaves.items():
        leaf.name = name
    mask = paddle.triu(paddle.full([q.shape[1]] * 2, -1e9, dtype="float64"), 1)
    y = answer.apply(*leaves.values(), mask)
    y.backward(paddle.to_tensor(dy))
    if all(leaf.grad is None for leaf in leaves.values()):
        raise NotImplementedError
    return {"y": y, **{f"d{name}": leaf.grad for name, leaf in leaves.items()}}


attention = Exercise(
    "attention",
    title=Text("The backward of attention", "注意力的反向"),
    check=checks.experiment(
        attending(gradients()),
        inputs=lambda rng: {
            name: np.round(rng.normal(size=(2, 4, 3)), 1) for name in ("q", "k", "v", "dy")
        },
        use=attend,
    ),
    hints=(
        Text(
            "q, k, v, p = ctx.saved_tensor(). y = p @ v is a product: rule 1 gives dv and dp.",
            "q, k, v, p = ctx.saved_tensor()。y = p @ v 是乘积，由第 1 条就得到 dv 和 dp。",
        ),
        Text(
            "dv = p.mT @ dy, dp = dy @ v.mT, and"
            " dscores = p * (dp - (dp * p).sum(axis=-1, keepdim=True)) * ctx.scale.",
            "dv = p.mT @ dy，dp = dy @ v.mT，"
            "dscores = p * (dp - (dp * p).sum(axis=-1, keepdim=True)) * ctx.scale。",
        ),
        Text(
            "dq = dscores @ k and dk = dscores.mT @ q.", "dq = dscores @ k，dk = dscores.mT @ q。"
        ),
    ),
    solution=solution_in(SOLVED, "attention"),
    praise=Text(
        "Four matrix products and a softmax, and every character learns where to look.",
        "四次矩阵乘法，一次 softmax，每个字符就都能学会往哪里看。",
    ),
    slips=(
        Slip(
            "p_not_turned",
            gives=attending(unturned("dv")),
            hint=Text(
                "dv has the right shape and the wrong numbers: a value gets something from every"
                " place that looked at it, which is a column of p. p.mT @ dy.",
                "dv 的形状对，数不对：凡是看了某个值的位置，都会送回一份给它，那是 p 的一列。要用"
                " p.mT @ dy。",
            ),
        ),
        Slip(
            "no_softmax",
            gives=attending(gradients(lambda p, dp: dp)),
            hint=Text(
                "dv is right. dp is the gradient of the shares, and softmax still lies between them"
                " and the scores: rule 2.",
                "dv 对了。dp 是份额的梯度，份额和得分之间还有一个 softmax：第 2 条。",
            ),
        ),
        Slip(
            "no_mean",
            gives=attending(gradients(lambda p, dp: p * dp)),
            hint=Text(
                "What one share gains the others lose: subtract the weighted mean of the row"
                " before multiplying by p.",
                "一个份额多得，别的就少得：乘以 p 之前，先减去这一行的加权均值。",
            ),
        ),
        Slip(
            "plain_mean",
            gives=attending(gradients(lambda p, dp: p * (dp - dp.mean(axis=-1, keepdim=True)))),
            hint=Text(
                "The mean is weighted by the shares: (dp * p).sum(axis=-1, keepdim=True), where"
                " places that are not seen count nothing.",
                "均值要以份额为权重：(dp * p).sum(axis=-1, keepdim=True)，看不到的位置不算在内。",
            ),
        ),
        Slip(
            "forgot_scale",
            gives=attending(gradients(scaled=False)),
            hint=Text(
                "dq and dk are too large by one factor, that by which forward multiplies the"
                " scores: ctx.scale.",
                "dq 和 dk 都大了同一个倍数，就是前向里乘在得分上的那个：ctx.scale。",
            ),
        ),
        Slip(
            "scores_not_turned",
            gives=attending(unturned("dk")),
            hint=Text(
                "dk has the right shape and the wrong numbers: a key gets something from every"
                " place that looked at it, which is a column of the scores. dscores.mT @ q.",
                "dk 的形状对，数不对：凡是看了某个键的位置，都会送回一份给它，那是得分的一列。要用"
                " dscores.mT @ q。",
            ),
        ),
        Slip(
            "changed_places",
            gives=attending(swapped),
            hint=Text(
                "dq and dk have changed places. Backward returns the gradients in the order in"
                " which forward takes q, k and v.",
                "dq 和 dk 互换了位置。backward 返回梯度的顺序，就是 forward 接收 q、k、v 的顺序。",
            ),
        ),
        Slip(
            "too_few",
            raises="should not return empty",
            hint=Text(
                "Three of the inputs want a gradient: return dq, dk, dv, and None for mask.",
                "有三个输入要梯度：返回 dq、dk、dv，以及 mask 的 None。",
            ),
        ),
    ),
)
