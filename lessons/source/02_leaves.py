# %% [markdown] lang="en"
# # Lesson 2: Tensors, leaves, stop_gradient
#
# `backward()` ran without a complaint, and yet `w.grad` is `None`. Everybody who trains a network
# meets this one day. In this lesson you find out which tensors get a gradient, which of them keep
# it, and how to stop a gradient on purpose. You write three small functions in which it matters.
#
# It takes about 40 minutes. From lesson 1 you need: what forward and backward are, that `dy` is the
# gradient of the loss with respect to `y`, and how to step through the player (→ and ←).

# %% [markdown] lang="zh"
# # 第 2 课：Tensor、叶子 Tensor 与 stop_gradient
#
# `backward()` 运行得好好的，没有报错，`w.grad` 却是 `None`。训练过网络的人，迟早都会碰上这件事。
# 这一课要弄清楚：哪些 Tensor 会得到梯度，其中哪些会把梯度留下来，又怎样有意让梯度停下。
# 你会写三个小函数，这些道理在里面都用得上。
#
# 全程大约 40 分钟。需要第 1 课的内容：什么是前向和反向，`dy` 是损失对 `y` 的梯度，
# 以及怎样在播放器里单步走（→ 和 ←）。

# %%
import minipaddle as paddle
import viz
from minipaddle import exercises

lesson = exercises.load("02_leaves", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. A gradient that is not there
#
# One neuron with three weights. Whoever wrote this wanted small weights to begin with, so the
# second line of `w` makes each of them ten times smaller. Then comes the loss, then backward.

# %% [markdown] lang="zh"
# ## 1. 一个不见了的梯度
#
# 一个神经元，三个权重。写这段代码的人希望权重一开始小一些，所以 `w` 的第二行把它们都缩小到
# 原来的十分之一。接着算损失，再做反向。

# %%
x = paddle.to_tensor([1.0, 2.0, 3.0])
w = paddle.to_tensor([4.0, 5.0, 6.0], stop_gradient=False)
w = w * 0.1

loss = (x * w).sum()
loss.backward()

print("loss: | 损失：", round(float(loss), 4))
print("w.grad: | w 的梯度：", w.grad)

# %% [markdown] lang="en"
# The loss is there, the gradient is not, and nothing said so. To see why, we ask two questions
# about every tensor: does it *want* a gradient, and does it *keep* one?
#
# ## 2. Who wants a gradient?
#
# Every tensor carries a flag, `stop_gradient`. If it is `True`, backward computes no gradient for
# this tensor and does not go any further back through it.
#
# - What you make yourself, with `to_tensor`, `randn`, `ones` and so on, starts with `True`. That is
#   right for data: nobody wants to change the pictures, only the weights.
# - What should learn needs `False`. The weights of Paddle's layers, their **parameters**,
#   have it from the start; for a tensor
#   of your own you say it: `stop_gradient=False`.
# - The result of an operation wants a gradient as soon as *one* of its inputs does.
#
# Before you run the next cell but one, commit yourself: choose an answer in the card and lock it.

# %% [markdown] lang="zh"
# 损失有了，梯度没有，也没有任何提示。要弄清原因，可以对每个 Tensor 问两个问题：它**要不要**梯度？
# 梯度到了，它**留不留**？
#
# ## 2. 谁要梯度？
#
# 每个 Tensor 都带一个标志 `stop_gradient`。它为 `True` 时，反向不为这个 Tensor 求梯度，
# 也不再经过它往回走。
#
# - 自己创建的 Tensor，不管用 `to_tensor`、`randn` 还是 `ones`，一开始都是 `True`。对数据来说
#   正该如此：要改的是权重，没有人想去改图片。
# - 要学习的 Tensor 需要 `False`。Paddle 的层，权重叫作**参数**，一开始就是 `False`；自己创建的要写明：
#   `stop_gradient=False`。
# - 一次运算的结果，只要**有一个**输入要梯度，它就要梯度。
#
# 先别往下运行，自己想一想：在卡片里选一个答案，然后锁定。

# %%
lesson.flags.ask()

# %%
x = paddle.to_tensor([1.0, 2.0, 3.0])
w = paddle.to_tensor([0.4, 0.5, 0.6], stop_gradient=False)

with viz.record() as trace:
    a = x * w
    b = x * 2.0
    c = a + b
    c.sum().backward()

for name, tensor in {"a": a, "b": b, "c": c}.items():
    print(name, tensor.stop_gradient)
lesson.flags.compare()

# %%
trace

# %% [markdown] lang="en"
# Step through it, and look at the orange column on the right. (The shape `[3]` is that of three
# numbers in a row, `[]` that of a single number.)
#
# - **`x * 2.0` has no backward**: four operations on the left, but only three boxes on the right
#   that are called “… backward”. The result `b` of the box `× 2` wants no gradient, so backward has
#   no business there.
# - Go to the **backward of add**. Forward added two tensors, `a` and `b`; backward computes one
#   gradient only, that of `a`.
# - Go to the **backward of multiply**. Forward multiplied `x` and `w`; the only gradient that comes
#   out is that of `w`.
#
# So `stop_gradient` does not merely hide a result: the work is not done at all. That is why data
# should have it.

# %% [markdown] lang="zh"
# 一步步走一遍，注意右边橙色的一列。（形状 `[3]` 是一行三个数，`[]` 是单独一个数。）
#
# - **`x * 2.0` 没有反向**：左边有四个运算，右边名为“……的反向”的方框却只有三个。方框 `× 2` 的
#   结果 `b` 不要梯度，反向在那里无需计算。
# - 走到 **add 的反向**。前向把 `a` 和 `b` 两个 Tensor 相加，反向却只求了一个梯度，即 `a` 的。
# - 走到 **multiply 的反向**。前向把 `x` 和 `w` 相乘，反向给出的只有 `w` 的梯度。
#
# 可见 `stop_gradient` 并不是把结果藏起来，而是根本不去算。所以数据应该带着它。

# %% [markdown] lang="en"
# ## 3. Who keeps a gradient?
#
# `a`, `c` and `w` all want a gradient, and in the player you saw each of them get one. Which of
# them still have it now?

# %% [markdown] lang="zh"
# ## 3. 谁留下梯度？
#
# `a`、`c` 和 `w` 都要梯度，你在播放器里也看到它们各得到了一个。现在，哪些还留着它？

# %%
lesson.kept.ask()

# %%
for name, tensor in {"x": x, "w": w, "a": a, "b": b, "c": c}.items():
    grad = None if tensor.grad is None else tensor.grad.tolist()
    print(f"{name}  is_leaf={tensor.is_leaf!s:5}  stop_gradient={tensor.stop_gradient!s:5}  {grad}")
lesson.kept.compare()

# %% [markdown] lang="en"
# A **leaf** is a tensor that no recorded operation made: from there backward cannot go any further.
# `w` is one, because you made it. `a` and `c` are not: a multiplication and an addition made them.
#
# Backward ends at the leaves and puts their gradients into `.grad`. The tensors in between only
# hand theirs back. Nobody needs them after that, and in a large network they would fill the memory,
# so they are not kept.
#
# `x` and `b` are called leaves too, since nothing was recorded about how they came to be. But they
# want no gradient, and get none. So only one square of this table has a `.grad`:
#
# | | `stop_gradient=False` | `stop_gradient=True` |
# |---|---|---|
# | leaf | a parameter: **`.grad` is filled** | data: no gradient |
# | not a leaf | in between: hands its gradient back | set to `True` after it was computed: cut off |
#
# Now look again at the neuron of section 1. Its name `w` stands for two tensors, one after the
# other: first for the leaf, then for the result of `w * 0.1`. You need not find this out alone;
# `viz.explain` says of any tensor why its gradient is missing.

# %% [markdown] lang="zh"
# **叶子 Tensor** 就是不由任何被记录的运算产生的 Tensor：反向走到那里，再也没有路可走。`w` 是叶子，
# 因为它是你创建的。`a` 和 `c` 不是：它们由一次乘法和一次加法产生。
#
# 反向走到叶子为止，把叶子的梯度放进 `.grad`。中间的 Tensor 只负责把梯度往回传。传完以后没有谁还
# 需要这些梯度，而在大网络里，留着会占满内存，所以不留。
#
# `x` 和 `b` 也算叶子，因为它们是怎么来的，没有任何记录。但它们不要梯度，也就得不到。所以下面这张表
# 里，只有一格有 `.grad`：
#
# | | `stop_gradient=False` | `stop_gradient=True` |
# |---|---|---|
# | 叶子 | 参数：**填上 `.grad`** | 数据：没有梯度 |
# | 非叶子 | 中间结果：把梯度往回传 | 算出之后才设成 `True`：从这里断开 |
#
# 再看第 1 节的神经元。名字 `w` 先后代表两个 Tensor：先是那个叶子，然后是 `w * 0.1` 的结果。
# 这不必全靠自己找：`viz.explain` 会告诉你，任何一个 Tensor 为什么没有梯度。

# %%
w = paddle.to_tensor([4.0, 5.0, 6.0], stop_gradient=False)
w = w * 0.1
(x * w).sum().backward()

viz.explain(w)

# %% [markdown] lang="en"
# The scissors show where the gradient is lost: backward brings it as far as `w`, and it is not kept.
# The boxes with three dots stand for everything between `w` and the loss. (`scale` is Paddle's name
# for a multiplication by a constant, here that by 0.1.)
#
# Change the cell above so that `w` has a gradient, and run it again. There are two ways; try both.
#
# - Put `w.retain_grads()` before the backward: this asks one tensor in between to keep its
#   gradient. That is for looking. A parameter needs more: an update must change the leaf.
# - Take `stop_gradient=False` out of the first line, and write `w.stop_gradient = False` after the
#   second. Then the multiplication is over before anybody wants a gradient: nothing is recorded,
#   and the small `w` is itself a leaf.
#
# ## 4. Exercise: `make_weights`
#
# Write the second way as a function. It gets a list of numbers and a factor, and returns a tensor
# of the numbers times the factor: a leaf that wants a gradient. Then run the cell, and the one
# below.

# %% [markdown] lang="zh"
# 剪刀标出了梯度在哪里丢了：反向把它一直送到 `w`，却没有留下来。三个点的方框代表 `w` 和损失之间的
# 一切。（`scale` 是 Paddle 对“乘以一个常数”的叫法，这里就是乘以 0.1。）
#
# 改一改上面的单元格，让 `w` 有梯度，再运行一次。有两种办法，都试一试。
#
# - 在反向之前写 `w.retain_grads()`：请某一个中间 Tensor 把梯度留下。想看一眼，这就够了；
#   但参数还不行，因为更新要改的是叶子。
# - 去掉第一行的 `stop_gradient=False`，在第二行后面写 `w.stop_gradient = False`。这样，做乘法的时候
#   还没有谁要梯度，什么都不记录，缩小后的 `w` 自己就是叶子。
#
# ## 4. 练习：`make_weights`
#
# 把第二种办法写成函数。它收到一个由数组成的列表和一个系数，返回这些数乘以系数所得的 Tensor：是叶子，并且要梯
# 度。写完运行这个单元格，再运行下面那个。


# %% exercise="make_weights"
def make_weights(values, factor):
    """Return values * factor: a leaf that wants a gradient. | 返回 values * factor：要梯度的叶子。"""
    w = paddle.to_tensor(values) * factor  # answer
    w.stop_gradient = False  # answer
    return w  # answer


# %% [markdown] wrong="not_a_leaf"
# - w = paddle.to_tensor(values) * factor
# + w = paddle.to_tensor(values, stop_gradient=False) * factor
# - w.stop_gradient = False

# %% [markdown] wrong="not_a_leaf"
# - w = paddle.to_tensor(values) * factor
# + w = paddle.to_tensor(values)
# - return w
# + return w * factor

# %% [markdown] wrong="not_a_leaf"
# - w = paddle.to_tensor(values) * factor
# + w = paddle.to_tensor(values, stop_gradient=False) * factor
# - w.stop_gradient = False
# + w.retain_grads()

# %% [markdown] wrong="wants_none"
# - w.stop_gradient = False

# %% [markdown] wrong="wants_none"
# - return w
# + return w.detach()

# %% [markdown] wrong="no_factor"
# - w = paddle.to_tensor(values) * factor
# + w = paddle.to_tensor(values)

# %% [markdown] wrong="list_times"
# - w = paddle.to_tensor(values) * factor
# + w = paddle.to_tensor(values * factor)

# %% [markdown] wrong="no_tensor"
# - return w
# + return w.numpy()

# %% [markdown] wrong="no_tensor"
# - w = paddle.to_tensor(values) * factor
# + return [value * factor for value in values]
# - w.stop_gradient = False
# - return w

# %% [markdown] wrong="no_return"
# - return w

# %%
lesson.make_weights.check(make_weights)

# %% [markdown] lang="en"
# ## 5. Changing a leaf
#
# Training changes the weights again and again: each becomes itself minus a small step along its
# gradient, `w - lr * w.grad`. The step size `lr` is called the learning rate. The leaf must stay a
# leaf meanwhile, or the next `.grad` would be None.
#
# In NumPy, `v -= step` changes the array itself. What does it do in Paddle?

# %% [markdown] lang="zh"
# ## 5. 修改叶子
#
# 训练就是一遍遍地改权重：每个权重减去沿自己梯度走的一小步，即 `w - lr * w.grad`。
# 步子的大小 `lr` 叫作学习率。这期间叶子必须一直是叶子，否则下一次 `.grad` 又会是 None。
#
# 在 NumPy 里，`v -= step` 改的是数组自己。在 Paddle 里呢？

# %%
lesson.minus_equals.ask()

# %%
w = paddle.to_tensor([4.0, 5.0], stop_gradient=False)
(w * w).sum().backward()

v = w
v -= 0.1 * w.grad
print("w:", w.numpy(), "is_leaf:", w.is_leaf)
print("v:", v.numpy(), "is_leaf:", v.is_leaf)
lesson.minus_equals.compare()

# %% [markdown] lang="en"
# `v -= step` is short for `v = v - step`: the name `v` moved on to a new tensor, and `w` stayed as
# it was. A method that ends in an underscore does work in place: `w.subtract_(step)` changes the
# numbers of `w` itself. But see what happens when we try it on a leaf that wants a gradient.

# %% [markdown] lang="zh"
# 可见 `v -= step` 就是 `v = v - step`：名字 `v` 换到了一个新的 Tensor 上，`w` 没有变。名字以下划线
# 结尾的方法则是原地（inplace）修改：`w.subtract_(step)` 改的就是 `w` 自己的数。但是，对一个要梯度的
# 叶子这样做，会怎么样？

# %%
try:
    w.subtract_(0.1 * w.grad)
except ValueError as error:
    print(error)

# %% [markdown] lang="en"
# Paddle refuses to change a leaf that wants a gradient in place, and with reason. If the update were
# part of the recorded computation, `w` would be its result and no leaf any more. An update is not
# part of the computation of the loss, and you say so: inside `with paddle.no_grad():` nothing is
# recorded. There the change is allowed, and `w` stays the leaf that it was.
#
# ## 6. Exercise: `sgd_step`
#
# Write one step of training: change `w` itself to `w - lr * w.grad`. Nothing is returned. Whoever
# holds `w` must find the new numbers in it, and it must still be a leaf that wants a gradient.

# %% [markdown] lang="zh"
# 报错说的是：要梯度的叶子不能原地修改。Paddle 拒绝得有道理。假如这次更新也算进被记录的计算，
# `w` 就成了运算的结果，不再是叶子。可更新并不属于损失的计算过程，这一点要说明白：在
# `with paddle.no_grad():` 里面，什么都不记录。在那里可以改，`w` 也还是原来的叶子。
#
# ## 6. 练习：`sgd_step`
#
# 写出训练的一步：把 `w` 自己改成 `w - lr * w.grad`，不返回任何东西。凡是拿着 `w` 的，都应当看到新的
# 数；而且它仍然是要梯度的叶子。


# %% exercise="sgd_step"
def sgd_step(w, lr):
    """Change w itself to w - lr * w.grad. | 把 w 自己改成 w - lr * w.grad。"""
    with paddle.no_grad():  # answer
        w.subtract_(lr * w.grad)  # answer


# %% [markdown] wrong="new_tensor"
# - w.subtract_(lr * w.grad)
# + w = w - lr * w.grad

# %% [markdown] wrong="new_tensor"
# - with paddle.no_grad():
# + if w.grad is not None:
# - w.subtract_(lr * w.grad)
# + w -= lr * w.grad

# %% [markdown] wrong="new_tensor"
# - w.subtract_(lr * w.grad)
# + return w - lr * w.grad

# %% [markdown] wrong="recorded"
# - with paddle.no_grad():
# + if w.grad is not None:

# %% [markdown] wrong="uphill"
# - w.subtract_(lr * w.grad)
# + w.add_(lr * w.grad)

# %% [markdown] wrong="no_rate"
# - w.subtract_(lr * w.grad)
# + w.subtract_(w.grad)

# %% [markdown] wrong="step_alone"
# - w.subtract_(lr * w.grad)
# + w.set_value(lr * w.grad)

# %% [markdown] wrong="shrunk"
# - w.subtract_(lr * w.grad)
# + w.subtract_(lr * w)

# %% [markdown] wrong="switched_off"
# - with paddle.no_grad():
# + if w.grad is not None:
# - w.subtract_(lr * w.grad)
# + w.stop_gradient = True; w.subtract_(lr * w.grad)

# %%
lesson.sgd_step.check(sgd_step)

# %% [markdown] lang="en"
# ## 7. Stopping a gradient on purpose
#
# There are three ways to say that no gradient should flow; two of them you have met. They differ in
# how much they stop:
#
# | | stops | used for |
# |---|---|---|
# | `t.stop_gradient = True` | at this tensor, for as long as it is set | data; parts of a network that should not learn |
# | `t.detach()` | at a second tensor with the same numbers; `t` itself stays as it was | a value that counts as a constant here |
# | `with paddle.no_grad():` | everything computed in the block | updates; using a trained network |
#
# `detach` is the finest of them. In the next cell the same tensor stands twice in a product, once
# as it is and once detached.

# %% [markdown] lang="zh"
# ## 7. 有意让梯度停下
#
# 要表示梯度不再往回传，有三种写法，其中两种你已经见过。它们停下的范围不同：
#
# | | 停在哪里 | 用来做什么 |
# |---|---|---|
# | `t.stop_gradient = True` | 停在这个 Tensor，只要一直设着 | 数据；网络里不让学习的部分 |
# | `t.detach()` | 停在另一个数值相同的 Tensor，`t` 自己不变 | 在这里当作常数的值 |
# | `with paddle.no_grad():` | 代码块里算出的一切 | 更新参数；使用训练好的网络 |
#
# 其中 `detach` 最精细。下面的单元格里，同一个 Tensor 在乘积里出现两次：一次是它本身，
# 一次经过 detach。

# %%
lesson.half_detached.ask()

# %%
x = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as halved:
    fixed = x.detach()
    y = x * fixed
    y.backward()

print("x.grad:", float(x.grad))
lesson.half_detached.compare()

# %%
halved

# %% [markdown] lang="en"
# At the backward of multiply, count the gradients that come out: one, `dy * fixed`. For `x * x`
# there would be two, one for each place where `x` stands, and they would add up to 6. Note also
# the wire `detach` from `x` to `fixed`: it passes on numbers, and no gradient comes back along it.

# %% [markdown] lang="zh"
# 走到 multiply 的反向，数一数给出了几个梯度：一个，`dy * fixed`。换成 `x * x` 就有两个，`x` 出现的
# 每一处各一个，加起来是 6。还要注意从 `x` 到 `fixed` 的连线 `detach`：它传过去的是数，梯度不会沿它
# 传回来。

# %% [markdown] lang="en"
# ## 8. Exercise: `straight_through`
#
# Rounding is a trap for a network: its curve is a staircase, flat nearly everywhere, so its
# gradient is 0 and nothing before it can learn. Networks with rounded numbers inside are trained
# with a trick: forwards round, backwards behave as if nothing had happened.
#
# Write this without a PyLayer, in one line: the value of `straight_through(x)` is
# `paddle.round(x)`, and the gradient of `x` is `dy`, unchanged. You need `detach` once.

# %% [markdown] lang="zh"
# ## 8. 练习：`straight_through`
#
# 取整对网络来说是个陷阱：它的图像像台阶，几乎处处是平的，所以梯度是 0，它前面的部分什么也学不到。
# 内部用整数的网络，训练时靠一个小技巧：前向照样取整，反向就当什么都没发生。
#
# 不用 PyLayer，一行就能写出来：`straight_through(x)` 的值等于 `paddle.round(x)`，而 `x` 的梯度就是
# `dy`，原样不变。要用一次 `detach`。


# %% exercise="straight_through"
def straight_through(x):
    """Round x; let the gradient pass unchanged. | 对 x 取整，梯度原样通过。"""
    return x + (paddle.round(x) - x).detach()  # answer


# %% [markdown] wrong="flat"
# - return x + (paddle.round(x) - x).detach()
# + return paddle.round(x)

# %% [markdown] wrong="flat"
# - return x + (paddle.round(x) - x).detach()
# + return x + (paddle.round(x) - x)

# %% [markdown] wrong="cut"
# - return x + (paddle.round(x) - x).detach()
# + return paddle.round(x).detach()

# %% [markdown] wrong="cut"
# - return x + (paddle.round(x) - x).detach()
# + y = paddle.round(x); y.stop_gradient = True; return y

# %% [markdown] wrong="cut"
# - return x + (paddle.round(x) - x).detach()
# + return paddle.round(x.detach())

# %% [markdown] wrong="not_rounded"
# - return x + (paddle.round(x) - x).detach()
# + return x

# %% [markdown] wrong="added_twice"
# - return x + (paddle.round(x) - x).detach()
# + return x + paddle.round(x).detach()

# %% [markdown] wrong="other_x"
# - return x + (paddle.round(x) - x).detach()
# + return x.detach() + (paddle.round(x) - x)

# %% [markdown] wrong="as_factor"
# - return x + (paddle.round(x) - x).detach()
# + return x * (paddle.round(x) / x).detach()

# %% [markdown] wrong="turned_round"
# - return x + (paddle.round(x) - x).detach()
# + return x + (x - paddle.round(x)).detach()

# %%
lesson.straight_through.check(straight_through)

# %% [markdown] lang="en"
# ## What you can do now
#
# - You can say of any tensor whether backward will fill its `.grad`: only if its `stop_gradient` is
#   `False`, and it is a leaf or was asked with `retain_grads()`.
# - You can find out why a gradient is missing: read `is_leaf` and `stop_gradient`, or let
#   `viz.explain(tensor)` tell you.
# - You can make weights that are leaves, and change them in place inside `paddle.no_grad()`.
# - You can stop a gradient where you want: at a tensor, at its detached twin, or in a block.
#
# One thing is still in the dark: how does backward know its way? The operations were over when it
# began. Lesson 3 builds the answer in sixty lines: `03_the_tape.ipynb`.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# - 能说出反向会不会给某个 Tensor 填上 `.grad`：`stop_gradient` 必须为 `False`，而且它要么是叶子，
#   要么事先调用过 `retain_grads()`。
# - 能查出梯度为什么不见了：看 `is_leaf` 和 `stop_gradient`，或者让 `viz.explain(tensor)` 告诉你。
# - 能创建是叶子的权重，并且在 `paddle.no_grad()` 里原地修改它们。
# - 能让梯度在你想要的地方停下：一个 Tensor、由它 detach 出来的 Tensor，或者一段代码。
#
# 还有一件事没有说明：反向开始时，前向的运算早已结束，它怎么认得路？第 3 课用六十行代码写出答案：
# `03_the_tape.ipynb`。
