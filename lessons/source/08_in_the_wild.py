# %% [markdown] lang="en"
# # Lesson 8: PyLayers in the wild
#
# Nearly all the layers that you have written so far have the derivative of their forward for a backward.
# For that alone nobody needs a PyLayer: the operations of Paddle find their derivative by themselves.
# This lesson has four that people write in earnest, each for a reason of its own:
#
# | layer | why by hand |
# |---|---|
# | rounding that learns | the true derivative is useless |
# | gradient reversal | two parts of a network want opposite things |
# | softmax and cross entropy in one | the derivative, step by step, breaks on large numbers |
# | recompute | what forward keeps does not fit into memory |
#
# It takes about 45 minutes. You need lesson 2 (`detach`, `no_grad`), lesson 4 (gradients are added up),
# the rules of lesson 5 and `ctx` from lesson 6.

# %% [markdown] lang="zh"
# # 第 8 课：真实世界里的 PyLayer
#
# 到现在，你写的层，反向大多就是前向的导数。单为这个，用不着 PyLayer：Paddle 的运算自己会求导。
# 这一课里的四个层，都是真有人写、真有人用的，各有各的理由：
#
# | 层 | 为什么要自己写反向 |
# |---|---|
# | 能训练的取整 | 真正的导数没有用处 |
# | 梯度反转 | 网络的两个部分，想要的正相反 |
# | 合在一起的 softmax 与交叉熵 | 一步一步求导，遇到大数就出问题 |
# | 重计算 | 前向保存的东西，内存放不下 |
#
# 全程大约 45 分钟。需要第 2 课的 `detach` 和 `no_grad`，第 4 课的梯度相加，第 5 课的规则，以及第 6 课
# 的 `ctx`。

# %%
import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.autograd import PyLayer

lesson = exercises.load("08_in_the_wild", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. Rounding that learns
#
# A network on a small chip has coarse weights: instead of any number, only multiples of a step. To
# train it, one keeps a fine weight `w`, and rounds it for use. The rounding of lesson 2 again: a
# staircase, its derivative is 0, and `w` learns nothing. There you got round this with `detach`; as a
# PyLayer it reads like what it means: forwards round, backwards let `dy` through. People call it what
# your function was called: **straight-through**.
#
# The weight is to become 1 when rounded; the loss is `(rounded(w) - 1) ** 2`. `w` begins at 0.2, and
# each step subtracts 0.1 times the gradient. By hand: the first gradient is 2 × (0 − 1) = −2. How
# does it go on?

# %% [markdown] lang="zh"
# ## 1. 能训练的取整
#
# 小芯片上的网络，权重是粗的：不能是任意的数，只能是某个步长的整数倍。训练时，就留一个精细的权重 `w`，
# 用的时候再取整。又是第 2 课的取整：图像像台阶，导数是 0，`w` 什么也学不到。那时你用 `detach` 绕了过去；
# 写成 PyLayer，意思一读就明白：前向取整，反向让 `dy` 通过。这叫作**直通**（straight-through），你那时的函数就是这个名字。
#
# 权重取整之后要变成 1，损失是 `(rounded(w) - 1) ** 2`。`w` 从 0.2 开始，每一步减去 0.1 乘以梯度。动手算一
# 算：第一个梯度是 2 × (0 − 1) = −2。后来呢？

# %%
lesson.steps.ask()


# %%
class rounded(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return paddle.round(x)

    @staticmethod
    def backward(ctx, dy):
        return dy


w = paddle.to_tensor(0.2, stop_gradient=False)

with viz.record() as learning:
    for turn in viz.rounds(range(4)):
        loss = (rounded.apply(w) - 1.0) ** 2
        loss.backward()
        print(turn, f"w = {float(w):.1f}, loss = {float(loss):.0f}, w.grad = {float(w.grad):.0f}")
        with paddle.no_grad():
            w.subtract_(0.1 * w.grad)
        w.clear_grad()

lesson.steps.compare()
learning

# %% [markdown] lang="en"
# Twice the loss is 1, and `w` moves on by 0.2 each time although the loss does not change at all. Then
# `w` is 0.6, which rounds to 1, and the gradient is 0: it has arrived.
#
# `viz.rounds` marks the turns of a loop as rounds. So the player shows one turn at a time, with the loss
# of all turns as a curve above it; » goes to the next round.
#
# Look at the boxes `rounded` and `rounded.backward` in the first round: on the left 0.2 goes in and 0
# comes out; on the right −2 goes in and −2 comes out. That is not the derivative of a staircase, and it
# is not meant to be. It is the derivative of the straight line that runs through the staircase, and it
# says in which direction to climb.
#
# ### When the weight cannot get there
#
# Coarse weights have a largest value, too: what lies above `limit` becomes `limit`. Let the loss ask
# for 2 where 1 is the limit. The straight-through gradient goes on saying “more”, and `w` runs away,
# though nothing comes of it.

# %% [markdown] lang="zh"
# 损失有两次都是 1，一点没变，`w` 却每次都前进 0.2。然后 `w` 到了 0.6，取整得 1，梯度是 0：到了。
#
# `viz.rounds` 把循环的每一遍标成一轮，播放器里写作“迭代”。于是播放器一次只显示一轮，上方的曲线是各轮的损失；按 » 到下一轮。
#
# 在第一轮里，看看方框 `rounded` 和 `rounded.backward`：左边，进去的是 0.2，出来的是 0；右边，进去的是
# −2，出来的也是 −2。这不是台阶的导数，本来也不打算是。它是穿过台阶的那条直线的导数，说的是该往哪个方向
# 爬。
#
# ### 到不了的地方
#
# 粗的权重还有一个最大值：超过 `limit` 的，都截断成 `limit`。假如 `limit` 是 1，损失要的却是 2，直通的梯
# 度就会一直说“再大一点”，`w` 越跑越远，却什么用也没有。


# %%
class rounded_and_clipped(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return paddle.clip(paddle.round(x), -1.0, 1.0)

    @staticmethod
    def backward(ctx, dy):
        return dy


w = paddle.to_tensor(0.2, stop_gradient=False)
for _ in range(50):
    loss = (rounded_and_clipped.apply(w) - 2.0) ** 2
    loss.backward()
    with paddle.no_grad():
        w.subtract_(0.1 * w.grad)
    w.clear_grad()
print("w =", round(float(w), 1), " loss =", float(loss))

# %% [markdown] lang="en"
# The loss has been 1 for nearly all fifty steps, and `w` is beyond 10. If the loss asks for less some
# day, `w` has to come all the way back before anything happens. So one lets the gradient through only
# where `x` lies within the limit.
#
# ## 2. Exercise: `quantize`
#
# `quantize.apply(x, step, limit)` rounds to multiples of `step`, and clips to `-limit` and `limit`; both
# are plain numbers. Write what forward keeps, and backward: `dy` where `x` is between `-limit` and
# `limit`, both included, and 0 elsewhere. `x.abs()` gives
# absolute values, and `astype` makes ones and zeros of True and False, as in lesson 5.

# %% [markdown] lang="zh"
# 五十步里，损失几乎一直是 1，`w` 却超过了 10。要是哪天损失要求小一点，`w` 得先一路走回来，才会有动静。所
# 以只在 `x` 没有越界的地方，才让梯度通过。
#
# ## 2. 练习：`quantize`
#
# `quantize.apply(x, step, limit)` 取整到 `step` 的整数倍，再截断到 `-limit` 与 `limit` 之间；两个都是普通
# 的数。请写 forward 要留下的东西，以及 backward：`x` 在 `-limit` 与 `limit` 之间（含两端）的地方是 `dy`，
# 别处是 0。`x.abs()` 给出绝对值，`astype` 把 True 和 False 变成 1 和 0，
# 像第 5 课那样。


# %% exercise="quantize"
class quantize(PyLayer):
    @staticmethod
    def forward(ctx, x, step, limit):
        # Keep here what backward will need. | 在这里留下 backward 要用的东西。
        ctx.save_for_backward(x)  # answer
        ctx.limit = limit  # answer
        return paddle.clip(paddle.round(x / step) * step, -limit, limit)

    @staticmethod
    def backward(ctx, dy):
        """Return the gradient of x. | 返回 x 的梯度。"""
        (x,) = ctx.saved_tensor()  # answer
        inside = (x.abs() <= ctx.limit).astype(dy.dtype)  # answer
        return dy * inside  # answer


# %% [markdown] wrong="passed_through"
# - return dy * inside
# + return dy

# %% [markdown] wrong="passed_through"
# - return paddle.clip(paddle.round(x / step) * step, -limit, limit)
# + y = paddle.clip(paddle.round(x / step) * step, -limit, limit); ctx.y = y; return y
# - inside = (x.abs() <= ctx.limit).astype(dy.dtype)
# + inside = (ctx.y.abs() <= ctx.limit).astype(dy.dtype)

# %% [markdown] wrong="staircase"
# - return dy * inside
# + return dy * 0

# %% [markdown] wrong="turned_round"
# - inside = (x.abs() <= ctx.limit).astype(dy.dtype)
# + inside = (x.abs() > ctx.limit).astype(dy.dtype)

# %% [markdown] wrong="truths"
# - inside = (x.abs() <= ctx.limit).astype(dy.dtype)
# + inside = x.abs() <= ctx.limit

# %% [markdown] wrong="one_truth"
# - inside = (x.abs() <= ctx.limit).astype(dy.dtype)
# + inside = 1 if x.abs() <= ctx.limit else 0

# %% [markdown] wrong="one_truth"
# - inside = (x.abs() <= ctx.limit).astype(dy.dtype)
# + inside = (-ctx.limit <= x <= ctx.limit).astype(dy.dtype)

# %% [markdown] wrong="edge"
# - inside = (x.abs() <= ctx.limit).astype(dy.dtype)
# + inside = (x.abs() < ctx.limit).astype(dy.dtype)

# %% [markdown] wrong="one_side"
# - inside = (x.abs() <= ctx.limit).astype(dy.dtype)
# + inside = (x <= ctx.limit).astype(dy.dtype)

# %% [markdown] wrong="rounded_first"
# - ctx.save_for_backward(x)
# + ctx.save_for_backward(paddle.round(x / step) * step)

# %% [markdown] wrong="forgot_dy"
# - return dy * inside
# + return inside

# %% [markdown] wrong="too_many"
# - return dy * inside
# + return dy * inside, None, None

# %%
lesson.quantize.check(quantize)

# %% [markdown] lang="en"
# See it at work on five numbers, in steps of 0.5 up to 1. Compare `x` and `y`, and then, on the right,
# what comes into the orange box with what goes out at its top.

# %% [markdown] lang="zh"
# 看看它怎样处理五个数，步长 0.5，界限 1。先比较 `x` 和 `y`，再看右边：进入橙色方框的，和从上面出去的，
# 有什么不同。

# %%
x = paddle.to_tensor([-1.7, -0.8, 0.1, 0.4, 1.3], stop_gradient=False)

with viz.record() as grid:
    y = quantize.apply(x, 0.5, 1.0)
    loss = ((y - 0.25) ** 2).sum()
    loss.backward()

grid

# %% [markdown] lang="en"
# The two numbers outside the limit, −1.7 and 1.3, get no gradient; the other three get what came.
#
# ## 3. Gradient reversal
#
# A network is to recognise digits, from photos and from scans, without caring which of the two it sees.
# One lets a second network, the spy, guess from the features, the numbers that the first one computes
# on its way, whether it was a photo. The spy is to get better and better, **and the features are to give
# away less and less**. The two want opposite things of one and the same loss.
#
# A layer of two lines settles it. Forwards it does nothing; backwards it turns the sign round. It stands
# between the features and the spy. (It is lesson 6's `slow_down` with the factor −1.)
#
# Small enough to work out in your head: the features are `h = w * 2`, the spy's guess is `v * h`, the
# right answer is 1, the loss `(v * h - 1) ** 2`. With `w = 1` and `v = 2` the guess is 4 and the loss is 9. Without
# reversal `v.grad` would be 2 × 3 × 2 = 12, and `w.grad` 2 × 3 × 2 × 2 = 24. And with it?

# %% [markdown] lang="zh"
# 界限之外的两个数，−1.7 和 1.3，没有得到梯度；另外三个，来的是什么，得到的就是什么。
#
# ## 3. 梯度反转
#
# 有一个网络要认数字，有照片，也有扫描件，而它不应该在意看到的是哪一种。办法是请来第二个网络当“侦探”，
# 让它看第一个网络中途算出的数，也就是**特征**，来猜：这是不是照片？侦探要猜得越来越准，**而特征要泄露得
# 越来越少**。对同一个损失，两者想要的正相反。
#
# 一个两行的层就能解决。前向它什么也不做，反向把符号反过来。它站在特征和侦探之间。（它就是第 6 课的
# `slow_down`，系数取 −1。）
#
# 用心算就能算的例子：特征是 `h = w * 2`，侦探猜的是 `v * h`，正确答案是 1，损失是 `(v * h - 1) ** 2`。`w = 1`，
# `v = 2` 时，猜的是 4，损失是 9。没有反转的话，`v.grad` 是 2 × 3 × 2 = 12，`w.grad` 是 2 × 3 × 2 × 2 = 24。
# 有了反转呢？

# %%
lesson.reversed_signs.ask()


# %%
class reverse(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return -dy


w = paddle.to_tensor(1.0, stop_gradient=False)
v = paddle.to_tensor(2.0, stop_gradient=False)

with viz.record() as turned:
    h = w * 2
    guess = v * reverse.apply(h)
    loss = (guess - 1) ** 2
    loss.backward()

print("v.grad:", float(v.grad), " w.grad:", float(w.grad))
lesson.reversed_signs.compare()

# %%
turned

# %% [markdown] lang="en"
# Follow the orange wires upwards from the loss. At the multiplication they part. One leads to `v.grad`
# and never meets the layer: 12, the spy learns as ever. The other goes through `reverse.backward`, in
# as 12 and out as −12, and ends in `w.grad` as −24. All that lies before the layer learns the opposite,
# all that lies behind it learns as before, and one backward does both. (“1 problem” is lit: −12 is not
# the derivative of forward. As with lesson 6's layers, that is on purpose.)
#
# ## 4. Exercise: `one_loss`
#
# Now there is the task as well. `features` is a Tensor; `task` and `spy` are functions that take
# features and give a loss. Write the one loss whose backward teaches all three at once:
#
# - the weights in `task` make the task's loss smaller,
# - the weights in `spy` make the spy's loss smaller,
# - the features make the task's loss smaller **and the spy's larger**.
#
# Its value is the sum of both losses.

# %% [markdown] lang="zh"
# 从损失出发，顺着橙色的连线往上走。到了乘法，路分成两条。一条通到 `v.grad`，根本不经过这个层：12，侦
# 探照常学习。另一条穿过 `reverse.backward`，进去是 12，出来是 −12，到 `w.grad` 成了 −24。这个层之前的，
# 都反着学；这个层之后的，都照常学；一次反向，两件事都做了。（“1 个问题”亮着：−12 不是前向的导数。和第 6 课的层一样，这是有意的。）
#
# ## 4. 练习：`one_loss`
#
# 现在还有正经的任务。`features` 是一个 Tensor，`task` 和 `spy` 是两个函数，接收特征，给出损失。请写出一
# 个损失，它的一次反向同时教会三方：
#
# - `task` 里的权重，让任务的损失变小；
# - `spy` 里的权重，让侦探的损失变小；
# - 特征，让任务的损失变小，**而让侦探的损失变大**。
#
# 它的值是两个损失之和。


# %% exercise="one_loss"
def one_loss(features, task, spy):
    """Return the sum of both losses. | 返回两个损失之和。"""
    return task(features) + spy(reverse.apply(features))  # answer


# %% [markdown] wrong="not_reversed"
# - return task(features) + spy(reverse.apply(features))
# + return task(features) + spy(features)

# %% [markdown] wrong="both_reversed"
# - return task(features) + spy(reverse.apply(features))
# + return task(reverse.apply(features)) + spy(reverse.apply(features))

# %% [markdown] wrong="wrong_one"
# - return task(features) + spy(reverse.apply(features))
# + return task(reverse.apply(features)) + spy(features)

# %% [markdown] wrong="too_late"
# - return task(features) + spy(reverse.apply(features))
# + return task(features) + reverse.apply(spy(features))

# %% [markdown] wrong="all_reversed"
# - return task(features) + spy(reverse.apply(features))
# + return reverse.apply(task(features) + spy(features))

# %% [markdown] wrong="no_return"
# - return task(features) + spy(reverse.apply(features))
# + (task(features) + spy(reverse.apply(features))).backward()

# %% [markdown] wrong="subtracted"
# - return task(features) + spy(reverse.apply(features))
# + return task(features) - spy(features)

# %% [markdown] wrong="subtracted"
# - return task(features) + spy(reverse.apply(features))
# + return task(features) - spy(reverse.apply(features))

# %% [markdown] wrong="reversed_forwards"
# - return task(features) + spy(reverse.apply(features))
# + return task(features) + spy(-features)

# %% [markdown] wrong="cut_off"
# - return task(features) + spy(reverse.apply(features))
# + return task(features) + spy(features.detach())

# %%
lesson.one_loss.check(one_loss)

# %% [markdown] lang="en"
# See all three learn. The features are `w * 2` again, the weight of the task is `a`, that of the spy `b`.
# On the right, find the box `+=` in which two gradients meet. (Until your `one_loss` is written, the
# picture ends at the features.)

# %% [markdown] lang="zh"
# 看看三方怎样一起学。特征还是 `w * 2`，任务的权重是 `a`，侦探的权重是 `b`。在右边找到方框 `+=`，两个梯度
# 在那里相遇。（`one_loss` 还没写的时候，图到特征就结束了。）

# %%
w = paddle.to_tensor(1.0, stop_gradient=False)
a = paddle.to_tensor(1.0, stop_gradient=False)
b = paddle.to_tensor(2.0, stop_gradient=False)

with viz.record() as three:
    features = w * 2
    loss = one_loss(features, lambda h: (a * h - 1) ** 2, lambda h: (b * h - 1) ** 2)
    if loss is not None:
        loss.backward()

three

# %% [markdown] lang="en"
# The task sends 2 to the features, the spy sends 12, and the layer makes −12 of it: −10 in all, and
# −20 for `w`. `a.grad` and `b.grad` are 4 and 12, both as they would be without the layer.
#
# ## 5. Softmax and cross entropy in one
#
# A network that tells classes apart gives a number for each class, a **logit**. Softmax makes
# probabilities of them: `e ** x` for each, divided by the sum of all. The loss, the cross entropy, is
# minus the logarithm of the probability of the true class. Three small steps, and each has a good
# derivative.
#
# The first class is the true one and has the logit 100, the other has 0. The network could not be surer
# or more right; the loss should be 0.

# %% [markdown] lang="zh"
# 任务给特征送来 2，侦探送来 12，这个层把它变成 −12：一共 −10，到 `w` 是 −20。`a.grad` 和 `b.grad` 是 4 和
# 12，都和没有这个层时一样。
#
# ## 5. 合在一起的 softmax 与交叉熵
#
# 做分类的网络，给每个类别一个数，叫作 **logit**。softmax 把它们变成概率：每个算 `e ** x`，再除以总和。损失
# （交叉熵）是正确类别的概率取对数，再取负号。三小步，每一步的导数都好求。
#
# 正确的是第一个类别，它的 logit 是 100，另一个是 0。这个网络再有把握不过，也再正确不过；损失应该是 0。

# %%
lesson.too_large.ask()

# %%
logits = paddle.to_tensor([100.0, 0.0], stop_gradient=False)

with viz.record() as overflow:
    exps = paddle.exp(logits)
    p = exps / exps.sum()
    loss = -paddle.log(p[0])
    loss.backward()

print("loss:", float(loss), " logits.grad:", logits.grad.numpy())
lesson.too_large.compare()

# %%
overflow

# %% [markdown] lang="en"
# The badges in the picture say where it began: `e ** 100` has 44 digits, more than float32 can hold, so
# it became infinity; infinity divided by infinity is no number, NaN; and from there NaN spreads, to the
# loss, and on the way back to both logits. A weight that takes one such step is lost.
#
# Two ideas mend it, and both need all three steps in one hand.
#
# **Forwards:** subtract the largest logit from all of them first. Numerator and denominator then shrink
# by the same factor, so the probabilities stay; and the largest term is `e ** 0 = 1`. The
# logarithm need not be taken of a probability either: minus the logarithm of `e ** x / total` is
# `log(total) - x`.
#
# **Backwards:** what does `log(total) - x` of the true class do when a logit grows? `log(total)` grows
# at the rate `e ** x / total` (lesson 7), the probability of that class. The second part, `- x`, counts for the
# true class only, and shrinks at the rate 1. Together:
#
# > the gradient of the logits is **the probabilities, minus 1 at the true class**.
#
# The probabilities are there from forward, and one subtraction is all that is left: nothing can overflow
# on the way back. To write the 1 at the true class, one gives each true class as a row of zeros with a
# single 1 in its place, `target`. So the gradient is `p - target`.

# %% [markdown] lang="zh"
# 图上的标签说明了问题从哪里开始：`e ** 100` 有 44 位数，float32 装不下，于是成了无穷大；无穷大除以无穷大
# 不是数，是 NaN；从那里起，NaN 蔓延开来，先到损失，回来时又到了两个 logit。权重只要按它走一步，就毁了。
#
# 解决它要两个主意，两个都要求三步放在一起做。
#
# **前向：** 先把所有的 logit 都减去最大的那个。这样分子和分母缩小同样的倍数，概率不变；而最大的一项是
# `e ** 0 = 1`。对数也不必对概率取：`e ** x / total` 取对数再取负号，就是 `log(total) - x`。
#
# **反向：** 一个 logit 增加时，正确类别的 `log(total) - x` 会怎样？`log(total)` 以 `e ** x / total` 的速度增
# 加（见第 7 课），这正是那个类别的概率。后面的 `- x` 只与正确类别有关，以 1 的速度减少。合起来：
#
# > logit 的梯度，就是**概率，在正确类别那里再减 1**。
#
# 概率在前向时已经算好，只剩一次减法：回来的路上，没有什么会溢出。为了写出正确类别那里的 1，把每个正确
# 类别写成一行 0，只在它的位置上是 1，这叫作 `target`。于是梯度就是 `p - target`。

# %% [markdown] lang="en"
# ## 6. Exercise: `softmax_cross_entropy`
#
# `logits` and `target` have a row for each picture and a column for each class; the losses have the
# shape [rows, 1], and so has `dy`. Forward is there, but keeps nothing yet. Save what backward needs, and
# write backward. `target` is data: its `stop_gradient` is `True`.

# %% [markdown] lang="zh"
# ## 6. 练习：`softmax_cross_entropy`
#
# `logits` 和 `target` 的每一行对应一张图，每一列对应一个类别；损失的形状是 [行数, 1]，`dy` 也一样。forward
# 已经写好，只是还没有留下什么。请保存 backward 要用的东西，再写 backward。`target` 是数据：它的
# `stop_gradient` 是 `True`。


# %% exercise="softmax_cross_entropy"
class softmax_cross_entropy(PyLayer):
    @staticmethod
    def forward(ctx, logits, target):
        shifted = logits - logits.max(axis=1, keepdim=True)
        exps = paddle.exp(shifted)
        total = exps.sum(axis=1, keepdim=True)
        # Save here what backward will need. | 在这里保存 backward 要用的东西。
        ctx.save_for_backward(exps / total, target)  # answer
        return paddle.log(total) - (shifted * target).sum(axis=1, keepdim=True)

    @staticmethod
    def backward(ctx, dy):
        """Return what rule 3 asks for. | 返回规则 3 所要求的。"""
        p, target = ctx.saved_tensor()  # answer
        return dy * (p - target), None  # answer


# %% [markdown] wrong="softmax_alone"
# - return dy * (p - target), None
# + return dy * p, None

# %% [markdown] wrong="sign"
# - return dy * (p - target), None
# + return dy * (target - p), None

# %% [markdown] wrong="forgot_dy"
# - return dy * (p - target), None
# + return p - target, None

# %% [markdown] wrong="not_divided"
# - ctx.save_for_backward(exps / total, target)
# + ctx.save_for_backward(exps, target)

# %% [markdown] wrong="averaged"
# - return dy * (p - target), None
# + return dy * (p - target) / len(p), None

# %% [markdown] wrong="true_class_alone"
# - return dy * (p - target), None
# + return dy * (p - 1) * target, None

# %% [markdown] wrong="unshifted"
# - ctx.save_for_backward(exps / total, target)
# + ctx.save_for_backward(logits, target)
# - p, target = ctx.saved_tensor()
# + x, target = ctx.saved_tensor(); p = paddle.exp(x) / paddle.exp(x).sum(axis=1, keepdim=True)

# %% [markdown] wrong="for_target_too"
# - return dy * (p - target), None
# + return dy * (p - target), dy * p

# %%
lesson.softmax_cross_entropy.check(softmax_cross_entropy)

# %% [markdown] lang="en"
# Your layer on three rows: sure and right, undecided, sure and wrong. Read the gradient that leaves the
# orange box, row by row.

# %% [markdown] lang="zh"
# 让你的层处理三行：有把握而正确，拿不定主意，有把握却错了。一行一行地读从橙色方框出来的梯度。

# %%
logits = paddle.to_tensor([[100.0, 0.0], [0.0, 0.0], [0.0, 3.0]], stop_gradient=False)
target = paddle.to_tensor([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])

with viz.record() as fused:
    losses = softmax_cross_entropy.apply(logits, target)
    losses.sum().backward()

print(losses.numpy().round(2).ravel())
fused

# %% [markdown] lang="en"
# The first row has nothing left to learn; the second is pulled by a half each way; the third by nearly 1.
# Each row adds up to 0: what the true class gains, the others lose.
#
# Operations that are made one, as here, are called **fused**. Paddle has these two ready:
# `paddle.nn.functional.cross_entropy` with `soft_label=True` computes the same loss.
#
# ## 7. Recompute: time for memory
#
# The last layer has no formula of its own at all. Every tanh keeps its result for backward, until
# backward comes by (lesson 1). Here are sixteen in a row, on 256 numbers; each result is 1,024
# bytes, or 1 KiB.

# %% [markdown] lang="zh"
# 第一行没有什么要学的了；第二行，两边各拉动 0.5；第三行，几乎是 1。每一行加起来都是 0：正确的类别得到多
# 少，别的就失去多少。
#
# 像这样把几个运算合成一个，叫作**融合**。这两个运算，Paddle 有现成的：
# `paddle.nn.functional.cross_entropy` 加上 `soft_label=True`，算的就是同一个损失。
#
# ## 7. 重计算：用时间换内存
#
# 最后一个层，连自己的公式都没有。每个 tanh 都把结果留给反向，一直留到反向经过那里（见第 1 课）。下面是
# 接连十六个，作用在 256 个数上，每个结果 1024 字节，即 1 KiB。


# %%
def four(x):
    for _ in range(4):
        x = paddle.tanh(x)
    return x


x = paddle.ones([256])
x.stop_gradient = False

with viz.record() as kept:
    y = x
    for _ in range(4):
        y = four(y)
    y.mean().backward()

kept

# %% [markdown] lang="en"
# The green hill above the picture, “memory”, says how much is kept at each step. Click the player and
# press m: below the hill, bars appear, one for each result, from the step that saves it to the step that
# lets it go (twelve of them; the last four share the row “others”). The first to be saved is the last to
# be used. At the top of the hill, between forward and backward, all sixteen are there: 16 KiB. A network
# that is ten times as deep needs ten times as much.
#
# But what is kept could be computed again. So cut the row into four segments, `four` each. Forwards a
# segment keeps its **input** alone. When backward comes to it, it runs the segment once more, this time
# with a tape, and goes back through that. Then all of it is let go, and it is the next segment's turn.
#
# Backward comes to the last segment first. When it has just run it again, how much is kept?

# %% [markdown] lang="zh"
# 图的上方，“内存”那一行里的绿色小山，是每一步保存着多少。点一下播放器，按 m：小山下面会出现一条条横条，
# 每个结果一条，从保存它的那一步，到释放它的那一步（一共画出十二条，最后四个合在“其他”那一行）。最先保存
# 的，最后才用到。山顶在前向与反向之间，十六个都在：16 KiB。网络的层数变成十倍，要的内存也变成十倍。
#
# 可是留着的东西，本来可以再算一遍。所以把这一串切成四段，每段是一个 `four`。前向时，一段只保存自己的
# **输入**。反向走到这一段时，把它再运行一遍，这次带着 tape，然后从那里走回去。走完就全部释放，再轮到下一
# 段。
#
# 反向最先走到的是最后一段。刚把它重新运行完的时候，保存着多少？

# %%
lesson.peak.ask()

# %% [markdown] lang="en"
# ## 8. Exercise: `recompute`
#
# `recompute.apply(segment, x)` has the result of `segment(x)`; `segment` is any function of one Tensor.
# Four things that you need:
#
# - Inside the forward of a PyLayer nothing is put on the tape, as in a `no_grad` block (lesson 2), so a
#   segment that runs there keeps nothing. What it needs to run again, forward keeps.
# - Backward, too, runs without a tape. `with paddle.enable_grad():` is the opposite of `no_grad`: inside
#   it a tape is written.
# - To go back through the new tape alone, begin with a new leaf, `x.detach()`, and let it want a gradient
#   (lesson 2).
# - `y.backward(dy)` starts a backward pass at `y` with the gradient `dy`. What reaches the leaf stands in
#   its `.grad`.

# %% [markdown] lang="zh"
# ## 8. 练习：`recompute`
#
# `recompute.apply(segment, x)` 的结果就是 `segment(x)`；`segment` 是任意一个接收一个 Tensor 的函数。要用到的有四样：
#
# - 在 PyLayer 的 forward 里，什么都不记到 tape 上，和在 `no_grad` 里一样（见第 2 课），所以一段代码在那里
#   运行，什么也不会留下。重新运行要用的东西，由 forward 留下。
# - backward 运行时同样没有 tape。`with paddle.enable_grad():` 与 `no_grad` 正相反：在它里面会记 tape。
# - 只想从新的 tape 上走回去，就从一个新的叶子 `x.detach()` 开始，并让它要梯度（见第 2 课）。
# - `y.backward(dy)` 从 `y` 开始做反向，初始梯度是 `dy`。到达叶子的梯度，在它的 `.grad` 里。


# %% exercise="recompute"
class recompute(PyLayer):
    @staticmethod
    def forward(ctx, segment, x):
        # Keep here what backward will need. | 在这里留下 backward 要用的东西。
        ctx.segment = segment  # answer
        ctx.save_for_backward(x)  # answer
        return segment(x)

    @staticmethod
    def backward(ctx, dy):
        """Run the segment again, and return the gradient of x. | 重新运行，返回 x 的梯度。"""
        (x,) = ctx.saved_tensor()  # answer
        x = x.detach()  # answer
        x.stop_gradient = False  # answer
        with paddle.enable_grad():  # answer
            y = ctx.segment(x)  # answer
        y.backward(dy)  # answer
        return x.grad  # answer


# %% [markdown] wrong="not_detached"
# - x = x.detach()

# %% [markdown] wrong="no_tape"
# - with paddle.enable_grad():
# + if True:

# %% [markdown] wrong="not_wanted"
# - x.stop_gradient = False

# %% [markdown] wrong="not_wanted"
# - return x.grad

# %% [markdown] wrong="forgot_dy"
# - y.backward(dy)
# + y.backward()

# %% [markdown] wrong="dy_twice"
# - return x.grad
# + return x.grad * dy

# %% [markdown] wrong="tape_kept"
# - ctx.segment = segment
# + x = x.detach(); x.stop_gradient = False
# - ctx.save_for_backward(x)
# + with paddle.enable_grad(): ctx.y = segment(x)
# - return segment(x)
# + ctx.x = x; return ctx.y.detach()
# - (x,) = ctx.saved_tensor()
# + x = ctx.x
# - x = x.detach()
# - x.stop_gradient = False
# - with paddle.enable_grad():
# + if True:
# - y = ctx.segment(x)
# + y = ctx.y

# %% [markdown] wrong="on_the_class"
# - ctx.segment = segment
# + recompute.segment = segment
# - y = ctx.segment(x)
# + y = recompute.segment(x)

# %% [markdown] wrong="too_many"
# - return x.grad
# + return None, x.grad

# %%
lesson.recompute.check(recompute)

# %% [markdown] lang="en"
# Here is the row of sixteen again, in four segments, with your layer. Press m here as well, and compare
# the two green outlines. (Until your `recompute` is written, nothing is kept here and no
# gradient comes back.)

# %% [markdown] lang="zh"
# 还是那十六个，分成四段，用你的层。在这里也按 m，比较两幅绿色的山形。（`recompute` 还没写的时候，这里什么
# 也不保存，也没有梯度回来。）

# %%
x = paddle.ones([256])
x.stop_gradient = False

with viz.record() as hills:
    y = x
    for _ in range(4):
        y = recompute.apply(four, y)
    y.mean().backward()

lesson.peak.compare()
hills

# %% [markdown] lang="en"
# One large mountain has become four small hills. At the top of the highest, the four inputs of the segments
# are there (the first of them is `x` itself), and the four results of the segment that was
# run again: 8 KiB in place of 16. Each later hill is lower, since the segments behind it are done with.
#
# The price is time. Each tanh now runs twice, 32 in place of 16; look into an orange box to see its four
# run again. With n results in k segments, about k + n/k are kept; that is least when k is the square root
# of n. A hundred layers need the memory of twenty, for one more forward.
#
# ## 9. One line less
#
# Is the `detach` really needed? The saved `x` is a Tensor that wants a gradient, so one could go back
# from it as it is. Here is a layer without the line, on the simplest segment there is: `x * x` at
# `x = 3`, whose derivative is 6. `x` is a leaf.

# %% [markdown] lang="zh"
# 一座大山，成了四个小丘。在最高的那个小丘顶上，有四段各自的输入（第一段的输入就是 `x` 自己），还有重新运
# 行的那一段的四个结果：8 KiB，而不是 16。后面的小丘一个比一个低，因为反向走过的段，已经用不着了。
#
# 代价是时间。每个 tanh 现在运行两次，一共 32 次，而不是 16 次；到橙色方框里看看，重新运行的四次就在那
# 里。n 个结果分成 k 段，大约要保存 k + n/k 个；k 取 n 的平方根时最少。一百层的网络，只要二十层的内存，
# 多花一次前向的时间。
#
# ## 9. 少写一行
#
# `detach` 真的需要吗？保存的 `x` 是一个要梯度的 Tensor，直接从它走回去，好像也行。下面的层没有这一行，用
# 在最简单的一段上：`x * x`，`x = 3`，导数是 6。`x` 是叶子。

# %%
lesson.one_line_less.ask()


# %%
class undetached(PyLayer):
    @staticmethod
    def forward(ctx, segment, x):
        ctx.segment = segment
        ctx.save_for_backward(x)
        return segment(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        with paddle.enable_grad():
            y = ctx.segment(x)
        y.backward(dy)
        return x.grad


x = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as doubled:
    y = undetached.apply(lambda x: x * x, x)
    y.backward()

print("x.grad:", float(x.grad))
lesson.one_line_less.compare()

# %%
doubled

# %% [markdown] lang="en"
# The column on the far right, “Backward 2”, is the backward inside backward. It reached the leaf `x`
# itself and put 6 into its `.grad`. From there two wires lead back into the first backward: one to `dx`,
# the 6 that the layer returned, and one to the `+=` above it, the 6 that stood in `x.grad` already.
# Gradients accumulate (lesson 4): 12. `detach` makes a leaf of its own, whose `.grad` belongs to this one
# backward.
#
# For the weights inside a segment the same thing is just right: nobody returns their gradients, and the
# inner backward puts them into their `.grad`. Two things to know before you use recompute in earnest:
#
# - What is drawn at random in a segment, as in dropout (lesson 9), must be drawn alike in both runs.
# - `x` must want a gradient. If it is data, `apply` sees no input that does, and no backward runs at all,
#   not even for the weights inside.
#
# Paddle has such a layer ready, `paddle.distributed.fleet.utils.recompute`, and by default it is a
# PyLayer too. It takes several inputs, and puts the random numbers back by itself (`preserve_rng_state`).
#
# ## What you can do now
#
# - You can give an operation the gradient that helps, where the true one is 0, and say where to stop it.
# - You can train two parts of a network against each other with one backward.
# - You can make one layer of several operations, so that no large number comes up on the way, and write
#   its gradient as `p - target`.
# - You can trade time for memory, read in the player how much it saved, and say what it cost.
# - You know when a PyLayer is worth the trouble: when the derivative that comes by itself is useless,
#   unwanted, fragile or too dear. Otherwise leave it to the tape.
#
# So far the pictures were of one forward and one backward, or a few. A training has many; lesson 9,
# `09_training.ipynb`, goes through one round by round.

# %% [markdown] lang="zh"
# 最右边那一列“反向 2”，就是反向里面的反向。它走到了叶子 `x` 自己，把 6 放进 `x` 的 `.grad`。从那里有两
# 条线回到第一个反向：一条到 `dx`，是这个层返回的 6；一条到它上方的 `+=`，是 `x.grad` 里已经有的 6。梯度会累
# 加（见第 4 课），所以是 12。`detach` 造出一个单独的叶子，它的 `.grad` 只属于这一次 backward。
#
# 对一段里面的权重来说，这样却正好：没有谁返回它们的梯度，里面的反向直接放进它们的 `.grad`。真要用重计算，
# 还有两件事要知道：
#
# - 一段里如果有随机数，例如 dropout（见第 9 课），两次运行抽到的必须一样。
# - `x` 必须要梯度。假如它是数据，`apply` 看不到要梯度的输入，反向就根本不会运行，连里面的权重也没有梯度。
#
# Paddle 有现成的：`paddle.distributed.fleet.utils.recompute`，默认情况下它也是一个 PyLayer。它可以接收几个输
# 入，还会自己把随机数的状态恢复（`preserve_rng_state`）。
#
# ## 现在你会了
#
# - 真正的梯度是 0 时，能给运算换上一个有用的梯度，并说得出该在哪里截住它。
# - 能用一次反向，让网络的两个部分朝相反的方向学。
# - 能把几个运算合成一个层，中途不出现大数，并把它的梯度写成 `p - target`。
# - 能用时间换内存，能在播放器里读出省了多少，也说得出花了什么。
# - 知道什么时候值得写 PyLayer：自动求出的导数没有用、不合意、经不起大数，或者代价太高。除此之外，交给 tape
#   就好。
#
# 到现在为止，图里大多只有一次前向和一次反向。训练要反复很多次：第 9 课 `09_training.ipynb` 带你一轮一轮地看。
