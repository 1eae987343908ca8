# %% [markdown] lang="en"
# # Lesson 16: Gradients of gradients
#
# A gradient is computed by multiplications and additions, as everything else is. So one can ask how fast it
# changes: a gradient of a gradient. Losses that hold a gradient in them need it, and so does anyone who wants
# to know how a loss bends. In this lesson you take second derivatives, train with a gradient penalty, multiply
# by a matrix that nobody writes down, and find out which of your PyLayers can be differentiated twice. Some
# cannot, and do not say so.
#
# It takes about 40 minutes. You need the tape of lesson 3, the PyLayers of lessons 5 and 6, from lesson 7 how a
# slope is measured, and from lesson 9 how large a learning rate may be.

# %% [markdown] lang="zh"
# # 第 16 课：梯度的梯度
#
# 梯度也是用乘法和加法算出来的，和别的东西一样。所以也可以问：它自己变得有多快？这就是梯度的梯度。损失里含有梯度的时候
# 要用到它；想知道损失怎样弯曲，也要用到它。这一课里，你要求二阶导数，用梯度惩罚来训练，乘以一个谁也没有写出来的矩阵，
# 再弄清楚：自己写的 PyLayer，哪些可以求两次导。有些不行，而且不声不响。
#
# 全程大约 40 分钟。需要第 3 课的 tape，第 5、第 6 课的 PyLayer，第 7 课讲的怎样测量斜率，以及第 9 课讲的学习率可以有多大。

# %%
import numpy as np

import minipaddle as paddle
import viz
from minipaddle import exercises, nn
from minipaddle.autograd import PyLayer
from minipaddle.nn import functional as F

lesson = exercises.load("16_gradients_of_gradients", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. A backward that is recorded
#
# `backward()` puts gradients into `.grad`. `paddle.grad(y, [x])` *returns* them: a list, with one gradient for
# each Tensor in `[x]`. It leaves every `.grad` alone. With `create_graph=True` it also does what
# `backward()` never does: it records how the gradient is computed, on the tape.
#
# Take x³ at 3. Its first derivative is 3x², and the second one 6x.

# %% [markdown] lang="zh"
# ## 1. 记录下来的反向
#
# `backward()` 把梯度放进 `.grad`。`paddle.grad(y, [x])` 则是**返回**梯度：一个列表，`[x]` 里的每个 Tensor 对应一个。
# 它不碰任何 `.grad`。加上 `create_graph=True`，它还会做一件 `backward()` 从来不做的事：把计算梯度的过程也记录到 tape 上。
#
# 取 x³，在 3 处。它的一阶导数是 3x²，二阶导数是 6x。

# %%
lesson.second.ask()

# %%
x = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as twice:
    y = x**3
    [g] = paddle.grad(y, [x], create_graph=True)
    g.backward()

print("g:", float(g), " x.grad:", float(x.grad))
lesson.second.compare()

# %%
twice

# %% [markdown] lang="en"
# There are two backward halves. Look at the first one, “Backward 1”, and open its box “pow backward” with ⊕. It
# does not only give a number; inside it stand the operations that computed it, `^ 2`, `× 3` and `×`, and they
# save for backward (the dashed green wires), as operations of a forward do. “Backward 2” is their backward. It
# begins at `g`, passes `×`, `× 3` and `^ 2`, and comes to `x`.
#
# Each pass calls its own gradients `dy`, `dx` and so on. Inside the box the gradient that came in is written
# `∂y`: it is the `dy` of the first pass, the 1 with which it began, now a Tensor that is recorded.
#
# That is the whole trick. A gradient of a gradient needs no new rule: if backward computes with operations that
# the tape knows, the tape can go back through backward.
#
# What if the recording was forgotten?

# %% [markdown] lang="zh"
# 反向有两个半边。先看第一个，“反向 1”，用 ⊕ 打开它的方框 “pow 的反向”。它不是只给出一个数：里面就是算出这个数的运算，`^ 2`、
# `× 3` 和 `×`，它们也为反向保存东西（绿色的虚线），和前向里的运算一样。“反向 2”就是它们的反向：从 `g` 开始，
# 穿过 `×`、`× 3` 和 `^ 2`，走到 `x`。
#
# 两次反向都把自己的梯度叫作 `dy`、`dx` 等等。在打开的方框里，进来的梯度写作 `∂y`：它就是第一次反向的 `dy`，即开头的那个
# 1，现在作为 Tensor 记录了下来。
#
# 诀窍就这么多。梯度的梯度不需要新的规则：只要反向是用 tape 认识的运算来算的，tape 就能穿过反向往回走。
#
# 那么，要是忘了记录呢？

# %%
lesson.silent.ask()

# %%
x = paddle.to_tensor(3.0, stop_gradient=False)
y = x**3
[g] = paddle.grad(y, [x])
g.backward()

print("g.stop_gradient:", g.stop_gradient, " x.grad:", x.grad)
lesson.silent.compare()

try:
    paddle.grad(g, [x])
except ValueError as error:
    print(error)

# %% [markdown] lang="en"
# `backward()` on a number without a history does nothing, and says nothing; real Paddle does the same.
# `paddle.grad` does say something: `g`, its “0-th output”, has no history, so no gradient comes to `x`. (With
# `allow_unused=True` it gives None.) So where you take gradients of gradients, the second one is better asked
# for by `paddle.grad`, too.
#
# ## 2. Exercise: `second_derivative`
#
# `f` takes a Tensor and computes element by element, such as `paddle.tanh`. `x` is a Tensor of any shape that
# wants a gradient. Return the second derivative of `f` at each element of `x`, a Tensor, and leave `x.grad` as
# it is. (Where `y` has several elements, `paddle.grad` starts from a 1 for each, as the gradient of the sum
# does.)

# %% [markdown] lang="zh"
# 对没有计算历史的数调用 `backward()`，什么也不做，什么也不说；真正的 Paddle 也是这样。`paddle.grad` 倒是会说：`g`（报错里的第 0 个 output）没有计算历史，所以没有梯度传到 `x`。
# （加上 `allow_unused=True`，它就返回 None。）所以求梯度的梯度时，第二次最好也用 `paddle.grad`。
#
# ## 2. 练习：`second_derivative`
#
# `f` 接收一个 Tensor，逐个元素地计算，例如 `paddle.tanh`。`x` 是一个要梯度的 Tensor，形状任意。请返回 `f` 在 `x` 的每个元素处的
# 二阶导数，一个 Tensor；`x.grad` 保持原样。（`y` 有多个元素时，`paddle.grad` 从每个元素一个 1 开始，等于对和求梯度。）


# %% exercise="second_derivative"
def second_derivative(f, x):
    """Return the second derivative of f at each element. | 返回 f 在每个元素处的二阶导数。"""
    [slope] = paddle.grad(f(x), [x], create_graph=True)  # answer
    [bend] = paddle.grad(slope, [x])  # answer
    return bend  # answer


# %% [markdown] wrong="first_alone"
# - return bend
# + return slope

# %% [markdown] wrong="not_recorded"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + [slope] = paddle.grad(f(x), [x])

# %% [markdown] wrong="old_x_grad"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + [slope] = paddle.grad(f(x), [x])
# - [bend] = paddle.grad(slope, [x])
# + slope.sum().backward(); bend = x.grad

# %% [markdown] wrong="not_called"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + [slope] = paddle.grad(f, [x], create_graph=True)

# %% [markdown] wrong="not_recorded"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + [slope] = paddle.grad(f(x), [x])
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(slope, [x], create_graph=True)

# %% [markdown] wrong="by_backward"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + f(x).sum().backward(); slope = x.grad

# %% [markdown] wrong="way_lost"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + y = f(x); [slope] = paddle.grad(y, [x], create_graph=True)
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(slope, [y])

# %% [markdown] wrong="way_lost"
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(x, [slope])

# %% [markdown] wrong="way_lost"
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(slope.detach(), [x])

# %% [markdown] wrong="way_lost"
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(paddle.to_tensor(slope.numpy()), [x])

# %% [markdown] wrong="other_tensor"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + [slope] = paddle.grad(f(x.detach()), [x], create_graph=True)

# %% [markdown] wrong="no_grad"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + with paddle.no_grad(): y = f(x)
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(y, [x], create_graph=True)

# %% [markdown] wrong="frozen"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + x.stop_gradient = True; [slope] = paddle.grad(f(x), [x], create_graph=True)

# %% [markdown] wrong="not_of_f"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + [slope] = paddle.grad(x, [f(x)], create_graph=True)

# %% [markdown] wrong="nothing_came"
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(slope, [f(x)], allow_unused=True)

# %% [markdown] wrong="in_x_grad"
# - [bend] = paddle.grad(slope, [x])
# + slope.sum().backward(); bend = x.grad; x.grad = None

# %% [markdown] wrong="in_x_grad"
# - [bend] = paddle.grad(slope, [x])
# + slope.sum().backward(); bend = x.grad.clone(); x.clear_grad()

# %% [markdown] wrong="in_x_grad"
# - [bend] = paddle.grad(slope, [x])
# + slope.sum().backward(); bend = x.grad

# %% [markdown] wrong="squared"
# - [bend] = paddle.grad(slope, [x])
# + bend = slope * slope

# %% [markdown] wrong="of_the_square"
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(slope * slope, [x])

# %% [markdown] wrong="of_f_again"
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(f(slope), [slope])

# %% [markdown] wrong="a_list"
# - return bend
# + return [bend]

# %% [markdown] wrong="list_as_tensor"
# - [slope] = paddle.grad(f(x), [x], create_graph=True)
# + slope = paddle.grad(f(x), [x], create_graph=True)
# - [bend] = paddle.grad(slope, [x])
# + [bend] = paddle.grad(slope.sum(), [x])

# %% [markdown] wrong="nothing_came"
# - return bend

# %%
lesson.second_derivative.check(second_derivative)

# %% [markdown] lang="en"
# ## 3. A loss with a gradient in it
#
# In some trainings the slope of a network is part of the loss. The best known is that of a **critic**, a
# network that tells real pictures from generated ones: its answer should not change faster than its input does,
# and so its loss has a term `(slope - 1)²`, a **gradient penalty**. To train with it, the gradient of the
# penalty with respect to the *weights* is needed, and on the way from the penalty to the weights lies a
# backward.
#
# A critic with one weight: `y = w * x²`, whose slope is `2 * w * x`. With `w = 2` and `x = 1.5`, the slope is
# 6, and the penalty (6 − 1)² = 25.

# %% [markdown] lang="zh"
# ## 3. 含有梯度的损失
#
# 有些训练，网络的斜率就是损失的一部分。最有名的是**评判网络**（critic），它要分辨真的图片和生成的图片：它的回答不应当比
# 输入变得更快，所以损失里有一项 `(slope - 1)²`，叫**梯度惩罚**。要用它来训练，就要知道惩罚对**权重**的梯度；而从惩罚
# 走到权重，中间隔着一次反向。
#
# 只有一个权重的评判网络：`y = w * x²`，斜率是 `2 * w * x`。`w = 2`、`x = 1.5` 时，斜率是 6，惩罚是 (6 − 1)² = 25。

# %%
lesson.penalized.ask()

# %%
w = paddle.to_tensor(2.0, stop_gradient=False)
x = paddle.to_tensor(1.5, stop_gradient=False)

with viz.record() as punished:
    y = w * paddle.square(x)
    [slope] = paddle.grad(y, [x], create_graph=True)
    loss = paddle.square(slope - 1)
    loss.backward()

print("slope:", float(slope), " w.grad:", float(w.grad))
lesson.penalized.compare()

# %%
punished

# %% [markdown] lang="en"
# Follow the wire that leaves “Backward 1” to the left: the slope goes over into the forward, and is used there
# like any other number. From the loss the second pass goes back, first through the penalty, then through the
# backward of the critic, until it comes to `w`.
#
# `x` got a `.grad`, too. Nobody wants it; `paddle.grad(loss, [w])` would have avoided it, and an optimizer that
# has only `w` passes it by.
#
# ## 4. Exercise: `penalty`
#
# `critic(x)` gives one number for each row of `x`, which has the shape [rows, columns] and wants a gradient.
# Return the penalty, a single number as a Tensor, from which `backward()` reaches the weights of the critic:
#
# 1. the gradient of `critic(x)` with respect to `x`. Its row is the slope of that row's number, as no row acts
#    on another's;
# 2. for each row the size of the slope: the root of the sum of the squares of its numbers;
# 3. the mean over the rows of (size − 1)².

# %% [markdown] lang="zh"
# 看看从“反向 1”往左出去的那条连线：斜率到了前向里，和别的数一样使用。第二次反向从损失往回走，先穿过惩罚，再穿过评判网络
# 的反向，最后走到 `w`。
#
# `x` 也得到了 `.grad`，没有谁要它；用 `paddle.grad(loss, [w])` 就不会有。优化器手里只有 `w` 的话，也不会去管它。
#
# ## 4. 练习：`penalty`
#
# `critic(x)` 为 `x` 的每一行给出一个数；`x` 的形状是 [行数, 列数]，要梯度。请返回惩罚，一个数，是 Tensor，而且从它
# `backward()` 能走到评判网络的权重：
#
# 1. `critic(x)` 对 `x` 的梯度。它的每一行，就是这一行的那个数的斜率，因为各行互不影响；
# 2. 每一行斜率的大小：这一行各数的平方和，再开方；
# 3. （大小 − 1）² 对各行的均值。


# %% exercise="penalty"
def penalty(critic, x):
    """Return the mean of (size of the slope - 1)². | 返回（斜率的大小 - 1）² 的均值。"""
    [slopes] = paddle.grad(critic(x), [x], create_graph=True)  # answer
    size = paddle.sqrt((slopes * slopes).sum(axis=1))  # answer
    return ((size - 1) ** 2).mean()  # answer


# %% [markdown] wrong="not_recorded"
# - [slopes] = paddle.grad(critic(x), [x], create_graph=True)
# + [slopes] = paddle.grad(critic(x), [x])

# %% [markdown] wrong="not_recorded"
# - size = paddle.sqrt((slopes * slopes).sum(axis=1))
# + size = paddle.sqrt((slopes * slopes).sum(axis=1)).detach()

# %% [markdown] wrong="all_rows"
# - size = paddle.sqrt((slopes * slopes).sum(axis=1))
# + size = paddle.sqrt((slopes * slopes).sum())

# %% [markdown] wrong="by_columns"
# - size = paddle.sqrt((slopes * slopes).sum(axis=1))
# + size = paddle.sqrt((slopes * slopes).sum(axis=0))

# %% [markdown] wrong="no_root"
# - size = paddle.sqrt((slopes * slopes).sum(axis=1))
# + size = (slopes * slopes).sum(axis=1)

# %% [markdown] wrong="each_number"
# - size = paddle.sqrt((slopes * slopes).sum(axis=1))
# + size = paddle.abs(slopes)

# %% [markdown] wrong="called_backward"
# - [slopes] = paddle.grad(critic(x), [x], create_graph=True)
# + critic(x).sum().backward(); slopes = x.grad

# %% [markdown] wrong="called_backward"
# - return ((size - 1) ** 2).mean()
# + loss = ((size - 1) ** 2).mean(); loss.backward(); return loss

# %% [markdown] wrong="list_as_tensor"
# - [slopes] = paddle.grad(critic(x), [x], create_graph=True)
# + slopes = paddle.grad(critic(x), [x], create_graph=True)

# %% [markdown] wrong="sizes_added"
# - size = paddle.sqrt((slopes * slopes).sum(axis=1))
# + size = paddle.abs(slopes).sum(axis=1)

# %% [markdown] wrong="one_from_each"
# - return ((size - 1) ** 2).mean()
# + return ((slopes - 1) ** 2).mean()

# %% [markdown] wrong="one_from_each"
# - return ((size - 1) ** 2).mean()
# + return ((slopes - 1) ** 2).sum(axis=1).mean()

# %% [markdown] wrong="of_the_mean"
# - [slopes] = paddle.grad(critic(x), [x], create_graph=True)
# + [slopes] = paddle.grad(critic(x).mean(), [x], create_graph=True)

# %% [markdown] wrong="not_averaged"
# - return ((size - 1) ** 2).mean()
# + return (size - 1) ** 2

# %% [markdown] wrong="towards_zero"
# - return ((size - 1) ** 2).mean()
# + return (size**2).mean()

# %% [markdown] wrong="not_squared"
# - return ((size - 1) ** 2).mean()
# + return (size - 1).mean()

# %% [markdown] wrong="absolute"
# - return ((size - 1) ** 2).mean()
# + return paddle.abs(size - 1).mean()

# %% [markdown] wrong="mean_too_early"
# - return ((size - 1) ** 2).mean()
# + return (size.mean() - 1) ** 2

# %% [markdown] wrong="summed"
# - return ((size - 1) ** 2).mean()
# + return ((size - 1) ** 2).sum()

# %% [markdown] wrong="not_recorded"
# - return ((size - 1) ** 2).mean()
# + return float(((size - 1) ** 2).mean())

# %% [markdown] wrong="no_return"
# - return ((size - 1) ** 2).mean()

# %%
lesson.penalty.check(penalty)

# %% [markdown] lang="en"
# At work: a critic of two layers, trained by its penalty alone. (As long as `penalty` is not written, nothing
# is trained.)

# %% [markdown] lang="zh"
# 用起来：一个两层的评判网络，只用惩罚来训练。（`penalty` 还没有写的时候，什么也不训练。）

# %%
paddle.seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
adam = paddle.optimizer.Adam(0.02, parameters=critic.parameters())
for turn in range(101):
    x = paddle.randn([64, 2])
    x.stop_gradient = False
    loss = penalty(critic, x)
    if loss is None:
        break
    if turn % 25 == 0:
        [slopes] = paddle.grad(critic(x), [x])
        size = paddle.sqrt((slopes * slopes).sum(axis=1))
        print(turn, f"{float(loss):.3f}", f"{float(size.min()):.2f} … {float(size.max()):.2f}")
    loss.backward()
    adam.step()
    adam.clear_grad()

# %% [markdown] lang="en"
# Each line has the round, the penalty, and the smallest and the largest slope among 64 points. They move towards
# 1, although no line of the training says what the critic should answer.
#
# ## 5. A matrix that nobody writes down
#
# All second derivatives of a function of n numbers form a matrix of n rows and n columns, the **Hessian** H. It
# says how the function bends: in row i and column j stands how fast the slope along `x[i]` changes when `x[j]`
# does. For a network of a million weights H has 10¹² numbers. But one seldom needs H; mostly one needs H times
# a vector `v`: how the gradient changes when x moves along v. And that is a gradient again:
#
# $$H v = \frac{\partial}{\partial x} (g \cdot v)$$
#
# `g` is the gradient, recorded, `v` a constant, and `g · v` the sum of their products, a single number.

# %% [markdown] lang="zh"
# 每一行是第几轮、惩罚、64 个点里最小和最大的斜率。它们往 1 靠拢了，尽管训练里没有一行说过评判网络应当回答什么。
#
# ## 5. 谁也没有写出来的矩阵
#
# n 个数的函数，全部二阶导数组成一个 n 行 n 列的矩阵，**黑塞矩阵**（Hessian）H。它说的是函数怎样弯曲：第 i 行第 j 列，是
# `x[j]` 变化时，沿 `x[i]` 的斜率变得有多快。一百万个权重的网络，H 有 10¹² 个数。不过很少有谁要 H 本身；要的多半是 H 乘以
# 一个向量 `v`，也就是 x 沿 v 移动时，梯度怎样变化。而这又是一个梯度：
#
# $$H v = \frac{\partial}{\partial x} (g \cdot v)$$
#
# `g` 是记录下来的梯度，`v` 是常量，`g · v` 是对应元素之积的和，只有一个数。

# %%
lesson.passes.ask()

# %% [markdown] lang="en"
# ## 6. Exercise: `hvp`
#
# `f(x)` gives a single number. `x` wants a gradient, and `v` is a Tensor of the same shape. Return H times `v`,
# a Tensor of that shape, and leave `x.grad` as it is.

# %% [markdown] lang="zh"
# ## 6. 练习：`hvp`
#
# `f(x)` 给出一个数。`x` 要梯度，`v` 是形状相同的 Tensor。请返回 H 乘以 `v`，一个形状也相同的 Tensor；`x.grad` 保持原样。


# %% exercise="hvp"
def hvp(f, x, v):
    """Return the Hessian of f at x, times v. | 返回 f 在 x 处的黑塞矩阵乘以 v。"""
    [g] = paddle.grad(f(x), [x], create_graph=True)  # answer
    [product] = paddle.grad((g * v).sum(), [x])  # answer
    return product  # answer


# %% [markdown] wrong="forgot_v"
# - [product] = paddle.grad((g * v).sum(), [x])
# + [product] = paddle.grad(g.sum(), [x])

# %% [markdown] wrong="v_outside"
# - [product] = paddle.grad((g * v).sum(), [x])
# + [product] = paddle.grad(g.sum(), [x]); product = product * v

# %% [markdown] wrong="first_alone"
# - return product
# + return g

# %% [markdown] wrong="not_differentiated"
# - return product
# + return g * v

# %% [markdown] wrong="one_number"
# - [product] = paddle.grad((g * v).sum(), [x])
# + product = (g * v).sum()

# %% [markdown] wrong="not_recorded"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + [g] = paddle.grad(f(x), [x])

# %% [markdown] wrong="v_again"
# - return product
# + return product * v

# %% [markdown] wrong="v_itself"
# - [product] = paddle.grad((g * v).sum(), [x])
# + [product] = paddle.grad((g * v).sum(), [g])

# %% [markdown] wrong="g_summed"
# - [product] = paddle.grad((g * v).sum(), [x])
# + [product] = paddle.grad((g.sum() * v).sum(), [x])

# %% [markdown] wrong="not_called"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + [g] = paddle.grad(f, [x], create_graph=True)

# %% [markdown] wrong="list_as_tensor"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + g = paddle.grad(f(x), [x], create_graph=True)

# %% [markdown] wrong="by_backward"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + f(x).backward(); g = x.grad

# %% [markdown] wrong="way_lost"
# - [product] = paddle.grad((g * v).sum(), [x])
# + [product] = paddle.grad((g * v).sum(), [v])

# %% [markdown] wrong="way_lost"
# - [product] = paddle.grad((g * v).sum(), [x])
# + [product] = paddle.grad((g.detach() * v).sum(), [x])

# %% [markdown] wrong="other_tensor"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + [g] = paddle.grad(f(v), [x], create_graph=True)

# %% [markdown] wrong="other_tensor"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + [g] = paddle.grad(f(paddle.to_tensor(x.numpy())), [x], create_graph=True)

# %% [markdown] wrong="no_grad"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + with paddle.no_grad(): y = f(x)
# - [product] = paddle.grad((g * v).sum(), [x])
# + [product] = paddle.grad(y, [x])

# %% [markdown] wrong="frozen"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + x.stop_gradient = True; [g] = paddle.grad(f(x), [x], create_graph=True)

# %% [markdown] wrong="not_of_f"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + [g] = paddle.grad(x, [f(x)], create_graph=True)

# %% [markdown] wrong="not_of_f"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + [g] = paddle.grad(v, [x], create_graph=True)

# %% [markdown] wrong="in_x_grad"
# - [product] = paddle.grad((g * v).sum(), [x])
# + (g * v).sum().backward(); product = x.grad

# %% [markdown] wrong="old_x_grad"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + [g] = paddle.grad(f(x), [x])
# - [product] = paddle.grad((g * v).sum(), [x])
# + (g * v).sum().backward(); product = x.grad

# %% [markdown] wrong="twice_v"
# - [product] = paddle.grad((g * v).sum(), [x])
# + [product] = paddle.grad(((g * v) ** 2).sum() / 2, [x])

# %% [markdown] wrong="one_vector"
# - [g] = paddle.grad(f(x), [x], create_graph=True)
# + [g] = paddle.grad(f(x * v), [x], create_graph=True)
# - [product] = paddle.grad((g * v).sum(), [x])
# + [product] = paddle.grad(g.sum(), [x])

# %% [markdown] wrong="a_list"
# - return product
# + return [product]

# %% [markdown] wrong="no_return"
# - return product

# %%
lesson.hvp.check(hvp)
lesson.passes.compare()

# %% [markdown] lang="en"
# What is it good for? In lesson 9, SGD trained two weights in a bowl, `10 * w[0]² + 0.1 * w[1]²`. The learning
# rate 0.09 just worked, and 0.11 threw the steep weight out. Now you can say why, without trying: SGD stays in
# the bowl as long as the rate is below 2 divided by the largest bend, the largest eigenvalue of H. To find
# that, multiply a vector by H again and again, and shorten it to 1 each time: it turns into the steepest
# direction.

# %% [markdown] lang="zh"
# 它有什么用？第 9 课里，SGD 在一个碗里训练两个权重，`10 * w[0]² + 0.1 * w[1]²`。学习率 0.09 还行，0.11 就把陡的那个甩了出去。
# 现在不用试，你就说得出为什么：学习率小于 2 除以最大的弯曲程度，即 H 的最大特征值，SGD 才留在碗里。要找到它，
# 拿一个向量反复乘以 H，每次都缩短到 1：它会转到最陡的方向上去。


# %%
def bowl(w):
    return (paddle.to_tensor([10.0, 0.1]) * w * w).sum()


w = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
v = paddle.to_tensor([0.6, 0.8])
for turn in range(4):
    product = hvp(bowl, w, v)
    if product is None:
        break
    size = float((product * product).sum()) ** 0.5
    v = product / size
    print(f"{size:.2f}", v.numpy().round(4), f"2 / {size:.2f} = {2 / size:.3f}")

# %% [markdown] lang="en"
# The largest bend is 20, so the limit is 0.1. A network has several weights: give `paddle.grad` the list of them
# all, and add up the `(g * v).sum()` of each.
#
# ## 7. Through a PyLayer
#
# Until now the tape knew every operation. What about layers of your own? With `create_graph=True` the engine
# calls your `backward` with the tape running. So its result has a history if it is computed with paddle's
# operations, and the history leads to `x` if the numbers it is computed from do.
#
# Two layers for x³. Both have right gradients. The first one saves its input. The second one is cleverer: as
# forward has x at hand, it computes the slope there already, and saves that.

# %% [markdown] lang="zh"
# 最大的弯曲程度是 20，所以界限是 0.1。网络有多个权重：把它们的列表交给 `paddle.grad`，再把各个
# `(g * v).sum()` 加起来。
#
# ## 7. 穿过 PyLayer
#
# 到这里，每个运算 tape 都认识。那么你自己写的层呢？有了 `create_graph=True`，引擎调用你的 `backward` 时，tape 是开着的。
# 所以，只要它是用 paddle 的运算来算的，结果就有计算历史；只要算它所用的那些数通到 `x`，历史就通到 `x`。
#
# 下面是 x³ 的两个层，梯度都是对的。第一个保存输入。第二个更“聪明”：forward 里反正有 x，就当场把斜率算好，保存斜率。

# %%
lesson.early.ask()


# %%
class cube(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * 3 * x * x


class early_cube(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(3 * x * x)
        return x * x * x

    @staticmethod
    def backward(ctx, dy):
        (slope,) = ctx.saved_tensor()
        return dy * slope


def differentiate_twice(layer):
    """Give back the recording of a second derivative. | 求二阶导数，返回记录。"""
    x = paddle.to_tensor([3.0, 1.0], stop_gradient=False)
    with viz.record() as trace:
        y = layer.apply(x)
        [g] = paddle.grad(y, [x], create_graph=True)
        loss = g.sum()
        loss.backward()
    print(layer.__name__, "g:", g.numpy(), " x.grad:", x.grad if x.grad is None else x.grad.numpy())
    return trace


right = differentiate_twice(cube)
cut_off = differentiate_twice(early_cube)
lesson.early.compare()

# %%
right

# %%
cut_off

# %% [markdown] lang="en"
# In the first picture, look for `x.grad`, and follow the wires of “Backward 2” back from it: they come from the two
# multiplications in `cube.backward` in which `x` stands. In the second picture there is one multiplication
# only, and from it one wire, to `dy`. (So `dy.grad` appears, which nobody needs: `dy` is the 1 with which
# “Backward 1” began.) The slope is a number without a history, for **what
# forward computes inside a PyLayer is not recorded**: its backward is yours, so the tape has no need of it (the
# player says so at the first step). What `ctx.saved_tensor()` gives back has a history if it is an input of
# forward, or an output. What lies in between has none.
#
# The same happens where a backward goes through NumPy (`dy * paddle.to_tensor(3 * x.numpy() ** 2)`), where it
# calls `detach()`, or stands under `no_grad()`.
#
# Neither complains. Can a check see it? And is None the worst that can happen?

# %% [markdown] lang="zh"
# 在第一幅图里找到 `x.grad`，顺着“反向 2”的连线往回看：它们来自 `cube.backward` 里有 `x` 的那两次乘法。第二幅图里只有一次
# 乘法，从它出来的也只有一条连线，通到 `dy`。（所以出现了 `dy.grad`，谁也用不着它：`dy` 就是“反向 1”开头的那个 1。）斜率是一个没有计算历史的数，因为 **PyLayer 的 forward 里算的东西不会记录**：
# 反向由你来写，tape 用不着它（播放器的第一步就是这样说的）。`ctx.saved_tensor()` 取回来的，如果是 forward 的输入或输出，就有计算历史；中间算出来的，没有。
#
# 反向里经过了 NumPy（`dy * paddle.to_tensor(3 * x.numpy() ** 2)`），调用了 `detach()`，或者写在 `no_grad()` 里面，也会
# 这样。
#
# 两个层都不报错。检查看得出来吗？得到 None，就是最坏的情况了吗？

# %%
for layer in [cube, early_cube]:
    print(layer.__name__, paddle.testing.check_grad(layer, [np.array([1.0, 2.0])]))

for layer in [cube, early_cube]:
    x = paddle.to_tensor(1.0, stop_gradient=False)
    y = x * layer.apply(x)
    [g] = paddle.grad(y, [x], create_graph=True)
    [bend] = paddle.grad(g, [x])
    print(layer.__name__, "g:", float(g), " bend:", float(bend))

# %% [markdown] lang="en"
# `check_grad` says “right” to both: it measures the first derivative, and that *is* right. And the last two
# lines are the dangerous case. `x * x³` is x⁴, whose second derivative is 12x², so 12 at 1. With `early_cube`
# it is 6: the part that goes through the layer's slope, half of the sum, is missing. There is no None and no error,
# only a wrong number.
#
# What helps is the oldest means, a finite difference, one floor higher: the second derivative is measured from
# two *first* ones.

# %% [markdown] lang="zh"
# 对两个层，`check_grad` 都说“right”，即正确：它测量的是一阶导数，而一阶导数**确实**是对的。最后两行才是危险的情形。`x * x³` 就是 x⁴，二阶导数
# 是 12x²，在 1 处是 12。用 `early_cube` 却是 6：经过这个层的斜率的那一部分，也就是一半，丢了。没有 None，也不报错，只有一个错的数。
#
# 管用的还是最老的办法，有限差分，只是高了一层：用两个**一阶**导数来测量二阶导数。


# %%
def measured(layer, at, h=1e-5):
    """The second derivative of x * layer(x), from two first ones. | x * layer(x) 的二阶导数，由两个一阶导数测得。"""
    slopes = []
    for number in [at + h, at - h]:
        x = paddle.to_tensor(number, dtype="float64", stop_gradient=False)
        slopes += paddle.grad(x * layer.apply(x), [x])
    return float(slopes[0] - slopes[1]) / (2 * h)


print("cube:", round(measured(cube, 1.0), 4), " early_cube:", round(measured(early_cube, 1.0), 4))

# %% [markdown] lang="en"
# Both layers give 12, for their first derivatives are right. The measured 12 beside the computed 6 convicts
# `early_cube`.
#
# ## 8. Exercise: `swish`
#
# `swish` is `x * s`, where `s` is the sigmoid of `x`, which is 1 / (1 + e⁻ˣ); many networks use it in place of
# relu. Its derivative is `s + x * s * (1 - s)`, since that of the sigmoid is `s * (1 - s)`. Write the layer so
# that it can be differentiated twice. `paddle.nn.functional.sigmoid` is at hand in backward, too.

# %% [markdown] lang="zh"
# 两个层都得到 12，因为它们的一阶导数是对的。测得 12，算得 6，`early_cube` 就露馅了。
#
# ## 8. 练习：`swish`
#
# `swish` 是 `x * s`，其中 `s` 是 `x` 的 sigmoid，即 1 / (1 + e⁻ˣ)；许多网络用它代替 relu。它的导数是 `s + x * s * (1 - s)`，因为 sigmoid 的导数是
# `s * (1 - s)`。请把这个层写成可以求两次导的。`paddle.nn.functional.sigmoid` 在 backward 里也能用。


# %% exercise="swish"
class swish(PyLayer):
    @staticmethod
    def forward(ctx, x):
        s = paddle.nn.functional.sigmoid(x)
        # Save here what backward will need. | 在这里保存 backward 要用的东西。
        ctx.save_for_backward(x)  # answer
        return x * s

    @staticmethod
    def backward(ctx, dy):
        """Return the gradient of x, with its history. | 返回 x 的梯度，带着计算历史。"""
        (x,) = ctx.saved_tensor()  # answer
        s = paddle.nn.functional.sigmoid(x)  # answer
        return dy * (s + x * s * (1 - s))  # answer


# %% [markdown] wrong="saved_early"
# - ctx.save_for_backward(x)
# + ctx.save_for_backward(x, s)
# - (x,) = ctx.saved_tensor()
# + x, early = ctx.saved_tensor()
# - return dy * (s + x * s * (1 - s))
# + return dy * (early + x * early * (1 - early))

# %% [markdown] wrong="without_history"
# - ctx.save_for_backward(x)
# + ctx.save_for_backward(s + x * s * (1 - s))
# - (x,) = ctx.saved_tensor()
# + (slope,) = ctx.saved_tensor()
# - return dy * (s + x * s * (1 - s))
# + return dy * slope

# %% [markdown] wrong="without_history"
# - return dy * (s + x * s * (1 - s))
# + return paddle.to_tensor((dy * (s + x * s * (1 - s))).numpy())

# %% [markdown] wrong="saved_early"
# - return dy * (s + x * s * (1 - s))
# + s = s.detach(); return dy * (s + x * s * (1 - s))

# %% [markdown] wrong="dy_cut_off"
# - return dy * (s + x * s * (1 - s))
# + return dy.detach() * (s + x * s * (1 - s))

# %% [markdown] wrong="dy_cut_off"
# - return dy * (s + x * s * (1 - s))
# + return paddle.to_tensor(dy.numpy()) * (s + x * s * (1 - s))

# %% [markdown] wrong="no_brackets"
# - return dy * (s + x * s * (1 - s))
# + return dy * s + x * s * (1 - s)

# %% [markdown] wrong="minus"
# - return dy * (s + x * s * (1 - s))
# + return dy * (s - x * s * (1 - s))

# %% [markdown] wrong="without_history"
# - (x,) = ctx.saved_tensor()
# + x = ctx.saved_tensor()[0].detach()

# %% [markdown] wrong="without_history"
# - (x,) = ctx.saved_tensor()
# + x = paddle.to_tensor(ctx.saved_tensor()[0].numpy())

# %% [markdown] wrong="forgot_dy"
# - return dy * (s + x * s * (1 - s))
# + return s + x * s * (1 - s)

# %% [markdown] wrong="x_as_constant"
# - return dy * (s + x * s * (1 - s))
# + return dy * s

# %% [markdown] wrong="s_as_constant"
# - return dy * (s + x * s * (1 - s))
# + return dy * x * s * (1 - s)

# %% [markdown] wrong="no_x"
# - return dy * (s + x * s * (1 - s))
# + return dy * (s + s * (1 - s))

# %% [markdown] wrong="not_saved"
# - ctx.save_for_backward(x)

# %% [markdown] wrong="not_taken_back"
# - (x,) = ctx.saved_tensor()

# %% [markdown] wrong="not_unpacked"
# - (x,) = ctx.saved_tensor()
# + x = ctx.saved_tensor()

# %% [markdown] wrong="no_return"
# - return dy * (s + x * s * (1 - s))

# %%
lesson.swish.check(swish)

# %% [markdown] lang="en"
# All of it together: H times `v` through your layer, beside that of the same formula in plain operations. The
# two rows should be alike. (Where the second row differs, is None or an error, one of the two exercises is
# still open.)

# %% [markdown] lang="zh"
# 都合在一起：穿过你的层求 H 乘以 `v`，与用普通运算写出的同一个公式并排。两行应当一样。（如果第二行不一样，是 None 或报错，就是两个
# 练习里还有一个没做完。）

# %%
x = paddle.to_tensor([0.5, -1.0, 2.0], stop_gradient=False)
v = paddle.to_tensor([1.0, 0.5, -1.0])
for f in [
    lambda x: (x * F.sigmoid(x)).sum() ** 2,
    lambda x: swish.apply(x).sum() ** 2,
]:
    try:
        product = hvp(f, x, v)
        print(product if product is None else product.numpy().round(4))
    except (OSError, ValueError) as error:
        print(type(error).__name__)

# %% [markdown] lang="en"
# ## What you can do now
#
# | you want | you take |
# |---|---|
# | a gradient that can be differentiated | `paddle.grad(y, [x], create_graph=True)` |
# | a slope in the loss | the same, and then `loss.backward()` |
# | H times v | two passes: `paddle.grad`, then `paddle.grad` of `(g * v).sum()` |
# | a PyLayer for it | a backward of paddle's operations, on inputs or outputs of forward |
# | to know whether it is right | a finite difference of first derivatives |
#
# Beyond the table:
#
# - You can say what `create_graph` records, and see it in a picture.
# - You can say which saved tensors have a history, and which have none.
# - You can say why a second derivative may be missing, or half, without an error.
#
# What does it cost? The first backward is kept, with all that it saves, until the second one has run: look at
# the row “Memory” of any player above. So `create_graph=True` belongs where somebody differentiates again, and
# nowhere else.
#
# This was the last lesson. You began with one tanh and its slope; now you can take the slope of a slope,
# through layers that you wrote yourself.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# | 想要 | 就用 |
# |---|---|
# | 还能再求导的梯度 | `paddle.grad(y, [x], create_graph=True)` |
# | 损失里有斜率 | 同上，再 `loss.backward()` |
# | H 乘以 v | 两次反向：`paddle.grad`，然后对 `(g * v).sum()` 再 `paddle.grad` |
# | 能这样用的 PyLayer | 反向用 paddle 的运算写，用到的是 forward 的输入或输出 |
# | 知道它对不对 | 一阶导数的有限差分 |
#
# 表格之外：
#
# - 能说出 `create_graph` 记录了什么，并在图上看到它。
# - 能说出保存的 Tensor 哪些有计算历史，哪些没有。
# - 能说出二阶导数为什么会不声不响地缺掉，或者只剩一半。
#
# 它的代价呢？第一次反向连同它保存的一切，都要留到第二次反向运行完：看看上面任何一个播放器里的“内存”那一行。所以
# `create_graph=True` 只写在要再次求导的地方，别处不写。
#
# 这是最后一课。你从一个 tanh 和它的斜率开始；现在你能穿过自己写的层，求斜率的斜率。
