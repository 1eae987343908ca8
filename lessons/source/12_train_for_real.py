# %% [markdown] lang="en"
# # Lesson 12: Train for real
#
# Until now the networks were as small as possible, so that every number could be followed. This lesson trains
# two that do something: a LeNet that reads handwritten digits, first on the tape and then as a Program, and a
# small transformer that learns to write a rhyme, with an attention layer whose backward is yours.
#
# Nothing in it is new in kind. It is the loop of lesson 9, the Program of lesson 10, and the PyLayer of
# lesson 5, put to work. It takes about 45 minutes, and no training in it takes longer than a few seconds.

# %% [markdown] lang="zh"
# # 第 12 课：真正训练一次
#
# 到现在为止，网络都尽量小，好让每个数都能跟着走。这一课训练两个真能做点事的网络：一个 LeNet，认手写数字，先在
# tape 上训练，再写成 Program；一个小小的 transformer，学写一首童谣，其中注意力层的反向由你来写。
#
# 这里没有什么全新的东西：第 9 课的循环，第 10 课的 Program，第 5 课的 PyLayer，现在拿来用。全程大约 45 分钟，
# 其中每次训练都只要几秒钟。

# %%
import gzip
import math

import minipaddle as paddle
import numpy as np
import viz
from minipaddle import exercises, nn, static
from minipaddle.autograd import PyLayer
from minipaddle.exercises.course import lessons_folder
from minipaddle.nn import functional as F

lesson = exercises.load("12_train_for_real", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. The digits, and some that are put aside
#
# 1,797 digits, written by hand, of 8 by 8 pixels each. They were collected by E. Alpaydin and C. Kaynak (UCI
# Machine Learning Repository, 1998, licence CC BY 4.0), and lie beside the lessons, in `data/digits.csv.gz`.
#
# A network can learn examples by heart. So 360 digits, drawn by lot, are put aside: it never trains with
# them, and what it makes of *them* says how good it is.

# %% [markdown] lang="zh"
# ## 1. 数字，以及留出来的一些
#
# 1797 个手写数字，每个 8 × 8 个像素。收集者是 E. Alpaydin 和 C. Kaynak（UCI 机器学习库，1998 年，许可为 CC BY
# 4.0），文件就在课程旁边：`data/digits.csv.gz`。
#
# 网络会把例子背下来。所以抽签留出 360 个：训练时从来不用它们；网络对**它们**认得怎样，才说明它有多好。

# %%
with gzip.open(lessons_folder() / "data" / "digits.csv.gz", "rt") as file:
    table = np.loadtxt(file, delimiter=",", dtype="float32")
images = (table[:, :64] / 16).reshape(-1, 1, 8, 8)
digits = table[:, 64].astype("int64")

order = np.random.default_rng(0).permutation(len(table))
aside, rows = order[:360], order[360:]

for line in range(8):
    for picture in images[rows[:5], 0]:
        print("".join(" ░▒▓█"[int(4 * pixel)] * 2 for pixel in picture[line]), end=" ")
    print()
print(digits[rows[:5]])

# %% [markdown] lang="en"
# `images` has the shape [1797, 1, 8, 8]: pictures, channels, rows, columns. (A photo would have three
# channels, for red, green and blue.) The order was drawn *once*, and both arrays are read by it. Whoever
# shuffles pictures and digits apart teaches nonsense, and no error will say so.
#
# ## 2. LeNet
#
# A **convolution** moves a small window across the picture. At each place it multiplies the nine pixels that
# it sees by nine weights, and adds up the products and a bias; the weights are the same everywhere, so a
# stroke is found wherever it is. `nn.Conv2D(1, 6, 3, padding=1)` has six such windows of 3 by 3 for one
# channel, and makes six channels of it, one for each. A window always spans all channels of its input: each
# of those of the later `nn.Conv2D(6, 16, 3, padding=1)` sees nine numbers of six channels at a place, and
# adds up all 54 products. The padding is a border of zeros, so that a picture of 8 by 8 stays one of 8 by 8.
#
# `nn.MaxPool2D(2)` keeps the largest of every 2 by 2 numbers: half the height, half the width. At the end
# `nn.Flatten()` writes each picture as one row, and two layers that you know make ten logits of it (lesson
# 8), one for each digit. Networks of this build are called LeNet, after Yann LeCun, whose reader of cheques
# of 1998 was one.

# %% [markdown] lang="zh"
# `images` 的形状是 [1797, 1, 8, 8]：图片、通道、行、列。（照片有三个通道：红、绿、蓝。）顺序只抽了**一次**，
# 两个数组都按它来读。图片和数字要是分开打乱，教的就全是错的，而且不会有任何报错。
#
# ## 2. LeNet
#
# **卷积**让一个小窗口在图片上移动。在每个位置，它把看到的九个像素乘以九个权重，连同一个偏置加起来；权重处处相同，
# 所以一个笔画不管在哪里都找得到。`nn.Conv2D(1, 6, 3, padding=1)` 对一个通道用六个这样的 3 × 3 窗口，每个窗口得到
# 一个通道，一共六个。窗口总是穿过输入的所有通道：后面那个 `nn.Conv2D(6, 16, 3, padding=1)` 的窗口，在每个位置看到
# 六个通道各九个数，把 54 个乘积全都加在一起。padding 是四周补的一圈 0，让 8 × 8 的图片仍然是 8 × 8。
#
# `nn.MaxPool2D(2)`（最大池化）在每 2 × 2 个数里留下最大的：高减半，宽减半。最后 `nn.Flatten()` 把每张图片写成
# 一行，再由你熟悉的两个层得出十个 logit（见第 8 课），每个数字一个。这种结构的网络叫 LeNet，名字来自杨立昆
# （Yann LeCun），他 1998 年用来读支票的网络就是这样的。

# %%
lesson.flat.ask()


# %%
def lenet():
    """Pictures [rows, 1, 8, 8] to logits [rows, 10]. | 图片 [行数, 1, 8, 8] 到 logit [行数, 10]。"""
    return nn.Sequential(
        nn.Conv2D(1, 6, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2D(2),
        nn.Conv2D(6, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2D(2),
        nn.Flatten(),
        nn.Linear(64, 32),
        nn.ReLU(),
        nn.Linear(32, 10),
    )


x = paddle.to_tensor(images[rows[:32]])
h = x
for layer in lenet():
    h = layer(h)
    print(list(h.shape), type(layer).__name__)
lesson.flat.compare()

# %% [markdown] lang="en"
# Now the first round, forward and backward. Nothing has been learnt yet: the guesses of the network are worth
# no more than those of somebody who calls each of the ten digits equally probable. What loss is to be
# expected? (`F.cross_entropy` takes the true classes as numbers, and gives the mean of lesson 8's losses.)

# %% [markdown] lang="zh"
# 现在看第一轮的前向和反向。什么都还没有学：网络猜得并不比认为十个数字概率都一样的人更准。损失会是多少？
# （`F.cross_entropy` 用数字表示正确的类别，给出第 8 课那种损失的均值。）

# %%
lesson.first_loss.ask()

# %%
paddle.seed(2)
net = lenet()
y = paddle.to_tensor(digits[rows[:32]])

with viz.record() as first_round:
    loss = F.cross_entropy(net(x), y)
    loss.backward()

print("loss: | 损失：", round(float(loss), 2), " log(10):", round(math.log(10), 2))
lesson.first_loss.compare()

# %%
first_round

# %% [markdown] lang="en"
# Nearly the logarithm of 10, and a little worse: random weights make each guess a little definite, and most
# of them are wrong. It is a good habit to know what even guesses cost, and to look at the first loss that
# comes. If it is ten times as large, or nearly 0, something is wrong before the training has begun.
#
# At the first step of the player the digits stand on the right, as pictures, the 4 from above first. The
# result of `conv` has six pictures for each: what the six windows saw. Step on, and watch how they become
# fewer numbers layer by layer, until ten are left for each digit. At the step of the cross entropy each
# picture stands with the digit that has the largest of the ten, and with its label. On the way back, stop at the last
# “conv backward”: it gives the gradient of `net.0.weight`, six small pictures of 3 by 3, which say how each
# window is to change.
#
# ## 3. Exercise: `accuracy`
#
# The loss says how much is paid for wrong guesses; people want to know how *often* the guess is right. The
# guess is the digit with the largest logit: `scores.argmax(axis=1)` gives it for every row. Comparing two
# Tensors by `==` gives True and False, of which `astype("float32")` makes ones and zeros.
#
# `scores` has the shape [rows, 10], `digits` the shape [rows]. Return the share of the rows that are right, a
# plain number between 0 and 1.

# %% [markdown] lang="zh"
# 差不多就是 10 的对数，还稍差一点：随机的权重让每次猜测都带着一点肯定，而多半是错的。有个好习惯：先算出概率都
# 一样时的损失，再看看第一个损失是多少。如果大了十倍，或者几乎是 0，那么训练还没开始，就有地方错了。
#
# 在播放器的第一步，数字就在右边，是图片，第一个就是上面的 4。`conv` 的结果里，每个数字有六张图片：六个窗口各
# 自看到的。往下走，看它们怎样一层层变成越来越少的数，最后每个数字剩下十个。在交叉熵那一步，
# 每张图片旁边写着十个数里最大的那个对应的数字，以及它的标签。回来的路上，在最后一个
# “conv 的反向”停一停：它给出 `net.0.weight` 的梯度，六张 3 × 3 的小图，说的是每个窗口该怎样
# 改。
#
# ## 3. 练习：`accuracy`
#
# 损失说的是猜错要付多少；人们想知道的，是猜对的**比例**。猜的就是 logit 最大的那个数字：`scores.argmax(axis=1)`
# 给出每一行的。两个 Tensor 用 `==` 比较，得到 True 和 False，`astype("float32")` 把它们变成 1 和 0。
#
# `scores` 的形状是 [行数, 10]，`digits` 的形状是 [行数]。请返回猜对的行所占的比例，一个 0 到 1 之间的普通的
# 数。


# %% exercise="accuracy"
def accuracy(scores, digits):
    """Return the share of rows that are right. | 返回猜对的行所占的比例。"""
    guesses = scores.argmax(axis=1)  # answer
    return float((guesses == digits).astype("float32").mean())  # answer


# %% [markdown] wrong="over_all_rows"
# - guesses = scores.argmax(axis=1)
# + guesses = scores.argmax()

# %% [markdown] wrong="largest_value"
# - guesses = scores.argmax(axis=1)
# + guesses = scores.max(axis=1)

# %% [markdown] wrong="share_of_errors"
# - return float((guesses == digits).astype("float32").mean())
# + return float((guesses != digits).astype("float32").mean())

# %% [markdown] wrong="counted"
# - return float((guesses == digits).astype("float32").mean())
# + return float((guesses == digits).astype("float32").sum())

# %% [markdown] wrong="mean_of_truths"
# - return float((guesses == digits).astype("float32").mean())
# + return float((guesses == digits).mean())

# %% [markdown] wrong="mean_of_truths"
# - return float((guesses == digits).astype("float32").mean())
# + return (guesses == digits).mean()

# %% [markdown] wrong="percent"
# - return float((guesses == digits).astype("float32").mean())
# + return 100 * float((guesses == digits).astype("float32").mean())

# %% [markdown] wrong="a_tensor"
# - return float((guesses == digits).astype("float32").mean())
# + return (guesses == digits).astype("float32").mean()

# %% [markdown] wrong="no_return"
# - return float((guesses == digits).astype("float32").mean())

# %%
lesson.accuracy.check(accuracy)

# %% [markdown] lang="en"
# ## 4. On the tape
#
# One pass through all the rows is called an **epoch**. Each epoch takes them in another order, 32 at a time;
# such a piece is a batch (lesson 4). 1,437 rows are 44 batches of 32, and one of 29.
#
# The optimizer is `Momentum`. It keeps one running sum for each weight, `v = 0.9 * v + gradient`, and
# subtracts `lr * v` from the weight: what many batches agree on adds up, what they disagree on cancels. (It is
# nearly the `m` of Adam.)

# %% [markdown] lang="zh"
# ## 4. 在 tape 上
#
# 把所有的行用过一遍，叫一个 **epoch**。每个 epoch 的顺序都不同，每次取 32 行；这样的一份就是一批（见第 4 课）。1437
# 行，是 44 批 32 行的，和一批 29 行的。
#
# 优化器用 `Momentum`（动量）。它为每个权重记着一个累积的和，`v = 0.9 * v + gradient`，再从权重里减去
# `lr * v`：各批的梯度方向一致，就累积起来；方向不一，就互相抵消。（它差不多就是 Adam 里的 `m`。）


# %%
def batches(epochs):
    """Pictures and their digits, batch after batch. | 一批一批的图片和对应的数字。"""
    for epoch in range(epochs):
        shuffled = np.random.default_rng(epoch).permutation(rows)
        for start in range(0, len(rows), 32):
            part = shuffled[start : start + 32]
            yield images[part], digits[part]


EPOCHS = 6
paddle.seed(2)
net = lenet()
momentum = paddle.optimizer.Momentum(0.05, 0.9, parameters=net.parameters())

on_tape = []
for turn, (x, y) in enumerate(batches(EPOCHS)):
    loss = F.cross_entropy(net(paddle.to_tensor(x)), paddle.to_tensor(y))
    loss.backward()
    momentum.step()
    momentum.clear_grad()
    on_tape.append(float(loss))
    if turn % 45 == 44:
        with paddle.no_grad():
            scores = net(paddle.to_tensor(images[aside]))
        right = accuracy(scores, paddle.to_tensor(digits[aside]))
        mean = np.mean(on_tape[-45:])
        print(f"{turn // 45 + 1}: {mean:.2f}", right and round(right, 3))

# %% [markdown] lang="en"
# Each line is an epoch: the mean loss of its 45 batches, then the accuracy on the digits that were put aside.
# (As long as `accuracy` is not written, it says `None`.) After six epochs the network reads about 94 of a
# hundred digits that it has never seen. Four lines did it, the four of lesson 9.
#
# ## 5. Exercise: `as_program`
#
# The same training as a Program. `as_program(make_net, optimizer)` is called in static mode; `make_net()`
# makes a network such as LeNet, and `optimizer` is there already. Build a Program
#
# - with two inputs, “images” of the shape [-1, 1, 8, 8], float32, and “digits” of the shape [-1], int64,
# - with the cross entropy of `make_net()(images)` and `digits` for its loss,
# - that trains when it is run, with `optimizer`.
#
# Return `main`, `startup`, `only_forward`, `loss`. `only_forward` is a copy of the main program with which
# one can look without training, made with `for_test=True` (lesson 10).

# %% [markdown] lang="zh"
# 每行是一个 epoch：45 批的平均损失，然后是在留出的数字上的准确率。（`accuracy` 还没写的时候，显示的是
# `None`。）六个 epoch 之后，从没见过的数字，这个网络一百个里大约认对 94 个。靠的就是第 9 课的那四行。
#
# ## 5. 练习：`as_program`
#
# 同样的训练，写成 Program。`as_program(make_net, optimizer)` 是在静态图模式下调用的；`make_net()` 创建一个像
# LeNet 那样的网络，`optimizer` 是已经创建好的优化器。请组一个 Program：
#
# - 两个输入：“images” 的形状是 [-1, 1, 8, 8]，float32；“digits” 的形状是 [-1]，int64；
# - 损失是 `make_net()(images)` 与 `digits` 的交叉熵；
# - 运行它就会用 `optimizer` 训练。
#
# 返回 `main`、`startup`、`only_forward`、`loss`。`only_forward` 是主程序的一份副本，用 `for_test=True` 复制，
# 用它可以只看不训练（见第 10 课）。


# %% exercise="as_program"
def as_program(make_net, optimizer):
    """Return main, startup, only_forward and loss. | 返回 main、startup、only_forward 和 loss。"""
    main, startup = paddle.static.Program(), paddle.static.Program()  # answer
    with paddle.static.program_guard(main, startup):  # answer
        images = paddle.static.data("images", [-1, 1, 8, 8], "float32")  # answer
        digits = paddle.static.data("digits", [-1], "int64")  # answer
        loss = paddle.nn.functional.cross_entropy(make_net()(images), digits)  # answer
        only_forward = main.clone(for_test=True)  # answer
        optimizer.minimize(loss)  # answer
    return main, startup, only_forward, loss  # answer


# %% [markdown] wrong="fixed_rows"
# - images = paddle.static.data("images", [-1, 1, 8, 8], "float32")
# + images = paddle.static.data("images", [32, 1, 8, 8], "float32")

# %% [markdown] wrong="no_startup"
# - with paddle.static.program_guard(main, startup):
# + with paddle.static.program_guard(main):

# %% [markdown] wrong="made_outside"
# - main, startup = paddle.static.Program(), paddle.static.Program()
# + main, startup = paddle.static.Program(), paddle.static.Program(); net = make_net()
# - loss = paddle.nn.functional.cross_entropy(make_net()(images), digits)
# + loss = paddle.nn.functional.cross_entropy(net(images), digits)

# %% [markdown] wrong="as_on_the_tape"
# - optimizer.minimize(loss)
# + loss.backward()

# %% [markdown] wrong="never_minimized"
# - optimizer.minimize(loss)

# %% [markdown] wrong="looks_train"
# - only_forward = main.clone(for_test=True)
# + only_forward = main

# %% [markdown] wrong="not_for_test"
# - only_forward = main.clone(for_test=True)
# + only_forward = main.clone()

# %% [markdown] wrong="other_dtype"
# - digits = paddle.static.data("digits", [-1], "int64")
# + digits = paddle.static.data("digits", [-1], "float32")

# %% [markdown] wrong="other_names"
# - digits = paddle.static.data("digits", [-1], "int64")
# + digits = paddle.static.data("labels", [-1], "int64")

# %% [markdown] wrong="not_four"
# - return main, startup, only_forward, loss
# + return main, startup, loss

# %% [markdown] wrong="no_return"
# - return main, startup, only_forward, loss

# %%
lesson.as_program.check(as_program)

# %% [markdown] lang="en"
# ## 6. Two curves
#
# Your Program gets the same seed, the same batches in the same order, and the same optimizer. Its first
# weights are drawn by the startup program, in the order in which the layers were made. How far will its
# losses be from those of the tape, after 270 rounds?

# %% [markdown] lang="zh"
# ## 6. 两条曲线
#
# 你的 Program 用同样的种子，同样的批、同样的顺序，同样的优化器。最初的权重由启动程序抽取，顺序就是创建各层的
# 顺序。270 轮之后，它的损失与 tape 的相差多少？

# %%
lesson.how_near.ask()

# %%
in_program = []
paddle.enable_static()
built = as_program(lenet, paddle.optimizer.Momentum(0.05, 0.9))
if built is not None:
    main, startup, only_forward, loss = built
    exe = static.Executor()
    paddle.seed(2)
    exe.run(startup)
    for x, y in batches(EPOCHS):
        [value] = exe.run(main, feed={"images": x, "digits": y}, fetch_list=[loss])
        in_program.append(float(value))
paddle.disable_static()

print("tape".ljust(32), "Program")
for turn, (one, other) in enumerate(zip(on_tape, in_program)):
    if turn % 18 == 0:
        bar, other_bar = "█" * round(8 * one), "█" * round(8 * other)
        print(f"{one:.4f} {bar:<25} {other:.4f} {other_bar}")
apart = [abs(one - other) for one, other in zip(on_tape, in_program)]
print("largest difference: | 最大的差：", max(apart, default=None))
lesson.how_near.compare()

# %% [markdown] lang="en"
# Not “nearly the same”: the same, to the last digit, in all 270 rounds. Each bar stands for a loss (here are
# every eighteenth), and the two columns are one curve, drawn twice. The functions that compute are the same
# ones in both modes; only who calls them differs, the tape or the Executor. (They are as jagged as they are
# because each loss is that of another batch.)
#
# ## 7. Attention
#
# The second network writes. It sees 16 characters and guesses the next. To guess well, a character has to
# look *back* at others, and **attention** is how it does so. Each character comes as a row of numbers (from
# a table that is learnt, section 9). From the row of its place three others are computed, each by a linear
# layer of its own:
#
# - the **query** `q`: what is looked for here,
# - the **key** `k`: what is to be found here,
# - the **value** `v`: what is handed over.
#
# How well does the key of one place fit the query of another? The product of the two rows says so, number by
# number, summed up: `q @ k.mT` has this score for all pairs at once (`mT` swaps the last two axes). The scores are divided by the root of the length, so that long rows do not make
# large scores. Softmax makes of each row of scores the shares `p`, which add up to 1. And the result,
# `p @ v`, is a mean of the values, weighted by the shares.
#
# One thing more. A character must not see the ones that it is to guess. A `mask` is added to the scores: 0 where
# looking is allowed, at itself and further back, and −1e9 elsewhere, of which softmax makes 0. (`paddle.triu`
# keeps what is above the diagonal, and puts the rest to 0.)

# %% [markdown] lang="zh"
# 不是“差不多一样”，而是 270 轮全都一样，一直到最后一位。每条横条是一个损失（这里每十八轮画一个），两列其实是
# 同一条曲线，画了两遍。做计算的函数，两种模式用的是同一些，不同的只是由谁来调用：tape，还是执行器。（曲线参差
# 不齐，是因为每个损失来自不同的批。）
#
# ## 7. 注意力
#
# 第二个网络会续写文字。它看 16 个字符，猜下一个。要猜得好，一个字符就要**往回**看别的字符，**注意力**
# （attention）就是它的办法。每个字符先换成一行数（来自一张学出来的表，见第 9 节）。在每个位置，由这一行数再算出
# 三行，各用一个线性层：
#
# - **查询** `q`（query）：这里在找什么；
# - **键** `k`（key）：在这里能找到什么；
# - **值** `v`（value）：这里交出去什么。
#
# 一个位置的键，与另一个位置的查询有多相配？两行数逐个相乘再加起来，就知道了：`q @ k.mT` 一次给出所有位置两两
# 之间的这个得分（`mT` 交换最后两个维度）。得分要除以行的长度的平方根，免得行一长，得分就大。softmax
# 把每一行得分变成份额 `p`，加起来是 1。结果 `p @ v` 就是各个值的均值，以份额为权重。
#
# 还有一件事。一个字符不能看到它要猜的那些字符。得分上要加一个 `mask`（掩码）：允许看的地方，即自己和前面的，
# 是 0；别处是 −1e9，softmax 把它变成 0。（`paddle.triu` 保留对角线上方的数，其余变成 0。）

# %%
lesson.first_share.ask()

# %%
q = paddle.to_tensor([[[5.0, 7.0], [3.0, 0.0], [0.0, 3.0]]], stop_gradient=False)
k = paddle.to_tensor([[[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]]], stop_gradient=False)
v = paddle.to_tensor([[[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]]], stop_gradient=False)
mask = paddle.triu(paddle.full([3, 3], -1e9), 1)

with viz.record() as looking:
    scores = q @ k.mT / math.sqrt(2)
    p = F.softmax(scores + mask)
    y = p @ v
    y.square().mean().backward()

print(p.numpy()[0].round(2))
lesson.first_share.compare()

# %%
looking

# %% [markdown] lang="en"
# The first place hands over its own value. The second looks for something in the first column, and finds it
# at the first place: 0.99. The third looks in the second column; the second place has more of it than the
# third, and gets the larger share. In the player, look at `p`, a map with a row for each query and a column
# for each key, and then, on the way back, at the gradient of `scores`: above the diagonal both are 0. Where nobody looked, nothing goes back.
#
# ## 8. Exercise: `attention`
#
# Now in one PyLayer. For small networks nobody needs that. The fast attention layers of the large ones are
# made in this way, though: their forward does not even keep `p`, and a backward written by hand computes it
# again (lesson 8). Yours keeps it. What you need, from the result backwards:
#
# 1. For a product `a @ b` with the gradient `g`, that of `a` is `g @ b.mT`, and that of `b` is `a.mT @ g`.
# 2. Softmax: the shares of a row add up to 1, so what one gains the others lose. With `dp`, the gradient of
#    the shares, that of the scores is `p * (dp - mean)`; the mean is that of the row of `dp`, weighted by the
#    shares: `(dp * p).sum(axis=-1, keepdim=True)`.
# 3. The scores are a product times `ctx.scale`, of `q` and of `k.mT`: the gradient of `k.mT`, swapped once
#    more by `mT`, is that of `k`.

# %% [markdown] lang="zh"
# 第一个位置交出的是自己的值。第二个在第一列里找，在第一个位置找到了：0.99。第三个在第二列里找；第二个位置的比
# 第三个的多，得到的份额也就更大。在播放器里看看 `p`（每行是一个查询，每列是一个键），再看看回来时 `scores` 的梯度：对角线上方都是 0。没有人看
# 过的地方，什么也不会送回去。
#
# ## 8. 练习：`attention`
#
# 现在把它写成一个 PyLayer。小网络用不着这样。可是大网络里那些快的注意力层就是这样做的：它们的前向连 `p` 都不
# 保存，由自己编写的反向再算一遍（见第 8 课）。你的这个保存 `p`。要用到的，从结果往回数：
#
# 1. 乘积 `a @ b`，如果它的梯度是 `g`，那么 `a` 的梯度是 `g @ b.mT`，`b` 的梯度是 `a.mT @ g`。
# 2. softmax：一行的份额加起来是 1，所以一个多得，别的就少得。`dp` 是份额的梯度，得分的梯度就是
#    `p * (dp - mean)`，其中的均值，是 `dp` 这一行以份额为权重的均值：`(dp * p).sum(axis=-1, keepdim=True)`。
# 3. 得分是 `q` 与 `k.mT` 的乘积，再乘以 `ctx.scale`：`k.mT` 的梯度，用 `mT` 再换回来，就是 `k` 的。


# %% exercise="attention"
class attention(PyLayer):
    @staticmethod
    def forward(ctx, q, k, v, mask):
        ctx.scale = q.shape[-1] ** -0.5
        scores = q @ k.mT * ctx.scale
        p = paddle.nn.functional.softmax(scores + mask)
        ctx.save_for_backward(q, k, v, p)
        return p @ v

    @staticmethod
    def backward(ctx, dy):
        dq = dk = dv = None
        # Compute the three gradients here. | 在这里计算三个梯度。
        q, k, v, p = ctx.saved_tensor()  # answer
        dv = p.mT @ dy  # answer
        dp = dy @ v.mT  # answer
        mean = (dp * p).sum(axis=-1, keepdim=True)  # answer
        dscores = p * (dp - mean) * ctx.scale  # answer
        dq = dscores @ k  # answer
        dk = dscores.mT @ q  # answer
        return dq, dk, dv, None


# %% [markdown] wrong="p_not_turned"
# - dv = p.mT @ dy
# + dv = p @ dy

# %% [markdown] wrong="no_softmax"
# - dscores = p * (dp - mean) * ctx.scale
# + dscores = dp * ctx.scale

# %% [markdown] wrong="no_mean"
# - dscores = p * (dp - mean) * ctx.scale
# + dscores = p * dp * ctx.scale

# %% [markdown] wrong="plain_mean"
# - mean = (dp * p).sum(axis=-1, keepdim=True)
# + mean = dp.mean(axis=-1, keepdim=True)

# %% [markdown] wrong="forgot_scale"
# - dscores = p * (dp - mean) * ctx.scale
# + dscores = p * (dp - mean)

# %% [markdown] wrong="scores_not_turned"
# - dk = dscores.mT @ q
# + dk = dscores @ q

# %% [markdown] wrong="changed_places"
# - dq = dscores @ k
# + dk = dscores @ k
# - dk = dscores.mT @ q
# + dq = dscores.mT @ q

# %% [markdown] wrong="too_few"
# - return dq, dk, dv, None
# + return dq, dk

# %%
lesson.attention.check(attention)

# %% [markdown] lang="en"
# ## 9. It writes
#
# The text is a rhyme that was written for minipaddle; it stands under minipaddle's own licence, Apache 2.0.
# It has 26 different characters, counting the space, the comma, the question mark, the full stop and the end of a
# line.
#
# `nn.Embedding(26, 32)` is a table of weights: for each character a row of 32 numbers, which are learnt. A
# second table has a row for each of the 16 places, so that the network knows which character is where; the
# two rows are added. Then comes your attention, and after it two linear layers with a relu between them.
# What each of these parts gives is *added* to what was there (so a gradient has a straight way past it). At
# the end stand the logits of the character that follows, at each place.
# This is a **transformer**, if a small one. As a class it comes from `nn.Layer`: `parameters()` finds what
# `__init__` has set, and calling the network runs `forward`.

# %% [markdown] lang="zh"
# ## 9. 它会写了
#
# 它要学的是一首童谣，专为 minipaddle 而写，许可与 minipaddle 相同：Apache 2.0。童谣里有 26 个不同的字符，包括空格、逗
# 号、问号、句号和换行。
#
# `nn.Embedding(26, 32)` 是一张权重的表：每个字符一行，32 个数，都是学出来的。还有一张表，给 16 个位置各一行，
# 让网络知道哪个字符在哪里；两行加在一起。然后是你的注意力，再后面是两个线性层，中间隔着一个 relu。这两部分的结果都
# **加到**原来的上面（这样，梯度有一条直路可以绕过去）；最后在每个位置给出下一个字符的 logit。这就是一个 **transformer**，只是很小。它写成 `nn.Layer` 的
# 子类：`__init__` 里设好的层，`parameters()` 都找得到；调用这个网络，运行的是 `forward`。

# %%
TEXT = """\
a snail set out to see the sea,
and asked a bee, how far is that?
so far, so far, replied the bee,
that you should wear your summer hat.
the snail went home and fetched his hat,
and asked a frog, where is the sea?
the sea is where you see the cat
that sees the frog that hears the bee.
"""
CHARACTERS = sorted(set(TEXT))
NUMBERS = np.array([CHARACTERS.index(character) for character in TEXT])


class Writer(nn.Layer):
    """Numbers of characters [rows, 16] to logits. | 字符的编号 [行数, 16] 到 logit。"""

    def __init__(self, mask):
        super().__init__()
        self.mask = mask
        self.characters, self.places = nn.Embedding(len(CHARACTERS), 32), nn.Embedding(16, 32)
        self.q, self.k, self.v = nn.Linear(32, 32), nn.Linear(32, 32), nn.Linear(32, 32)
        self.think = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 32))
        self.last = nn.Linear(32, len(CHARACTERS))

    def forward(self, numbers):
        x = self.characters(numbers) + self.places(paddle.arange(16))
        x = x + attention.apply(self.q(x), self.k(x), self.v(x), self.mask)
        x = x + self.think(x)
        return self.last(x)


def loss_of(writer, pieces):
    """The loss of guessing each next character. | 猜这些片段里每个下一个字符的损失。"""
    shown, following = paddle.to_tensor(pieces[:, :-1]), paddle.to_tensor(pieces[:, 1:])
    return F.cross_entropy(writer(shown), following)


def learn(mask):
    """Train a Writer for 300 rounds; return it with its losses. | 训练 300 轮；返回网络和各轮损失。"""
    paddle.seed(0)
    writer = Writer(mask)
    adam = paddle.optimizer.Adam(0.015, parameters=writer.parameters())
    losses = []
    for turn in range(300):
        starts = np.random.default_rng(turn).integers(len(TEXT) - 16, size=8)
        pieces = NUMBERS[starts[:, None] + np.arange(17)]
        loss = loss_of(writer, pieces)
        loss.backward()
        adam.step()
        adam.clear_grad()
        losses.append(float(loss))
    return writer, losses


def write_on(writer, text):
    """The text, and 80 characters more, each the likeliest. | 接着写 80 个字符，每次取最可能的。"""
    for _ in range(80):
        shown = paddle.to_tensor([[CHARACTERS.index(character) for character in text[-16:]]])
        with paddle.no_grad():
            text += CHARACTERS[int(writer(shown)[0, -1].argmax())]
    return text


backwards_only = paddle.triu(paddle.full([16, 16], -1e9), 1)
writer, losses = learn(backwards_only)
print("the loss was | 起初的损失：", round(losses[0], 2), "log(26):", round(math.log(26), 2))
print("and became | 后来的损失：", round(np.mean(losses[-20:]), 2))
print(write_on(writer, TEXT[:16]))

# %% [markdown] lang="en"
# It begins where even guesses are, at the logarithm of 26, and ends at about 0.5. Given the first 16
# characters of the rhyme, it goes on by itself, each time with the character that it finds likeliest, and
# reads its own as it goes. It writes words of the rhyme, in an order of its own.
#
# (As long as your `attention` returns None, `q`, `k` and `v` learn nothing. The rest learns all the same, but
# the loss stays above 1, and it writes little but “the the the”. That a gradient is missing, nobody says.)
#
# Here are forward and backward once, on the first characters of the rhyme. The orange box `attention.backward` is yours; look at what comes in and at the
# three gradients that go out.

# %% [markdown] lang="zh"
# 开始时的损失，差不多就是 26 个字符概率都一样时的损失，即 26 的对数；最后大约是 0.5。给它童谣的前 16 个字符，它就自己接着写，每次写它认为
# 最可能的字符，一边写，一边读自己写的。写出来的是童谣里的词，顺序是它自己的。
#
# （只要你的 `attention` 还返回 None，`q`、`k` 和 `v` 就什么也学不到。别的部分照样学，但损失停在 1 以上，写出
# 来的多半是“the the the”。少了梯度，谁也不会告诉你。）
#
# 下面用童谣开头的字符，做一次前向和反向。橙色方框 `attention.backward` 是你写的；看看进去的是什么，出来的三个梯度又是什么。

# %%
with viz.record() as one_round:
    loss_of(writer, NUMBERS[None, :17]).backward()

one_round

# %% [markdown] lang="en"
# And if it may look ahead while it trains? (Write `attention` first; without it no character learns where to look.)

# %% [markdown] lang="zh"
# 如果训练的时候，允许它往后看呢？（先写好 `attention`；没有它，哪个字符都学不会往哪里看。）

# %%
lesson.cheating.ask()

# %%
everything = paddle.zeros([16, 16])
other, other_losses = learn(everything)
print("the loss became | 损失变成了", round(np.mean(other_losses[-20:]), 2))
print(write_on(other, TEXT[:16]))
lesson.cheating.compare()

# %% [markdown] lang="en"
# A better loss than any honest network could reach, and nothing learnt. It has found out that the answer
# stands one place to the right. That is the most expensive kind of mistake: the curve is beautiful (lesson
# 9), every gradient is right, and only the *question* was wrong. Not even examples put aside would show it, for
# with them, too, the answer is in sight. What shows it is the use: the writing, where there is nothing to copy.
#
# Your `attention` cannot stand in a Program: a PyLayer belongs to the tape, in Paddle as well. In a Program a
# py_func takes its place (lesson 11).
#
# ## What you can do now
#
# - You can put examples aside, train with batches, epoch after epoch, and say how often a network is right.
# - You know what the first loss should be, and look at it.
# - You can say what a convolution, a pooling and an attention compute, and with what shapes.
# - You can write the same training for both modes, and know why their curves are one curve.
# - You can write the backward of attention by hand: two products, a softmax, two products.
# - You distrust a loss that is too good, and ask what the network was able to see.
#
# All of this ran on one device, the CPU. Lesson 13, `13_devices.ipynb`, adds another, and watches what moves.

# %% [markdown] lang="zh"
# 损失比任何老实的网络都好，却什么也没学会。它发现，答案就在右边一个位置。这是代价最大的一种错误：曲线很漂亮
# （见第 9 课），每个梯度都对，只有**题目**出错了。就是留出一些例子，也看不出来：那里的答案同样摆在眼前。要真正用起来才看得出：自己写的时候，后面没有可以照抄的。
#
# Program 里用不了你的 `attention`：PyLayer 属于 tape，在 Paddle 里也一样。在 Program 里，代替它的是 py_func（见
# 第 11 课）。
#
# ## 现在你会了
#
# - 能留出一些例子，一批一批、一个 epoch 一个 epoch 地训练，说得出网络猜对的比例。
# - 知道第一个损失应该是多少，并且会去看。
# - 能说出卷积、池化和注意力各算什么，形状怎样变。
# - 能把同一个训练用两种模式写出来，也知道两条曲线为什么是同一条。
# - 能自己写注意力的反向：两次乘积，一次 softmax，再两次乘积。
# - 损失好得过头时会起疑心，会问一问网络看到了什么。
#
# 这一切都在同一个设备上，也就是 CPU。第 13 课 `13_devices.ipynb` 再添一个设备，看看什么在搬动。
