# %% [markdown] lang="en"
# # Lesson 7: Is my gradient right?
#
# A wrong gradient raises no error. Often the network learns all the same, only badly, and one looks
# for the reason in the data, in the learning rate, anywhere else. This lesson is about finding out in a
# minute.
#
# You will measure a gradient yourself, let `check_grad` do it, see what it cannot see, follow a NaN
# to the place where it is born, and watch a gradient with a hook. At the end you look for a mistake
# that somebody else has hidden. It takes about 45 minutes. You need the finite difference of lesson 1,
# the hooks of lesson 4, and from lesson 5 how a number is changed in the player.

# %% [markdown] lang="zh"
# # 第 7 课：我的梯度对吗？
#
# 梯度错了，并不报错。网络往往照样在学，只是学得不好，于是到数据里、学习率里，到别的任何地方去找原因。这一课要
# 讲的，就是怎样在一分钟之内弄清楚。
#
# 你会自己测量一个梯度，再让 `check_grad` 来做，看看它看不到什么；你会一路找到 NaN 产生的地方，用
# hook 函数看住一个梯度。最后，还要找出别人藏起来的一处错误。全程大约 45 分钟。需要第 1 课的有限差分，第 4 课的
# hook 函数，以及第 5 课讲的：怎样在播放器里改动一个数。

# %%
import numpy as np

import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.autograd import PyLayer

lesson = exercises.load("07_right_gradient", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. A promise for small steps
#
# `x * x * x` at 1.5: the derivative is `3 * x * x`, which is 6.75 there. Nobody doubts it. Put it to
# the test as in lesson 5: at the first step double-click the 1.50 of `x`, type 2.5, and press Enter.
# Then type 1.6 into the field that has opened, and then 1.51. Each time compare the two bars: what the
# gradient promised, and what the result really did. At the end move the slider under the small curve
# beside them, and watch its two dots: orange is the promise, blue the result.

# %% [markdown] lang="zh"
# ## 1. 只对小步有效的承诺
#
# `x * x * x` 在 1.5 处的导数是 `3 * x * x`，即 6.75，这没有疑问。请像第 5 课那样检验它：在第一步，
# 双击 `x` 的 1.50，输入 2.5，按 Enter；然后在打开的输入框里改成 1.6，再改成 1.51。每次都比一比两根横条：梯度承诺的变化，
# 和结果实际的变化。最后拖动旁边小图下面的滑块，看小图上的两个点：橙色的是承诺，蓝色的是结果。

# %%
x = paddle.to_tensor(1.5, stop_gradient=False)

with viz.record() as cubed:
    y = x * x * x
    y.backward()

print("x.grad:", float(x.grad))
cubed

# %% [markdown] lang="en"
# To 2.5 the promise is 6.75, and the result grows by 12.25. To 1.6 it is 0.675 against 0.721, and to
# 1.51 it is 0.0675 against 0.06795. The smaller the step, the less the bars differ, even in proportion.
# That is what a right gradient looks like: a straight line that touches the curve at 1.5, from which the
# curve then bends away. In lesson 5, where two gradients had changed places, no small step helped.
#
# Where do the 6.75 come from? Go to the last step and click the number: below it stand the three paths
# on which the gradient came, one for each `x` of the product, factor by factor. Each brings 2.25.
#
# ## 2. How small is small enough?
#
# So let the computer take a tiny step. As in lesson 1, go a step `h` to both sides and divide by the
# way between:
#
# $$\frac{f(x + h) - f(x - h)}{2h}$$
#
# Why not make `h` as small as possible? A Tensor's dtype, the type of its numbers, is float32 unless you say otherwise.
# Such a number has about 7 digits; one of float64 has about 16.

# %% [markdown] lang="zh"
# 走到 2.5，承诺的是 6.75，结果却增加了 12.25。走到 1.6，是 0.675 对 0.721；走到 1.51，是 0.0675 对
# 0.06795。步子越小，两根横条相差越少，连按比例算也是。对的梯度就是这个样子：它是一条直线，
# 在 1.5 处贴着曲线，然后曲线从它旁边弯开。第 5 课里两个梯度对调了，步子再小也没有用。
#
# 这 6.75 是怎么来的？走到最后一步，点一下这个数：下面列出梯度走过的三条路径，乘积里的每个 `x` 各有一条，
# 每个因子都写了出来。每条路径带来 2.25。
#
# ## 2. 多小才够小？
#
# 那就让计算机走极小的一步。和第 1 课一样，向两边各走一步 `h`，再除以两点之间的距离：
#
# $$\frac{f(x + h) - f(x - h)}{2h}$$
#
# `h` 为什么不取得越小越好？不特别说明时，Tensor 的数据类型是 float32，这样的数大约有 7 位有效数字；float64
# 的大约有 16 位。

# %%
lesson.tiny.ask()


# %%
def cube(x):
    return x * x * x


def correct_digits(slope):
    """How many digits of 6.75 a slope has right. | 与 6.75 相比，斜率有几位是对的。"""
    wrong_by = max(abs(slope / 6.75 - 1), 1e-16)
    return max(0, round(-np.log10(wrong_by)))


print("left: float64, h to the right | 左：float64，只向右走一步")
print("in the middle: float64, both sides | 中：float64，向两边各走一步")
print("right: float32, both sides | 右：float32，向两边各走一步")
for k in range(1, 13):
    x, h = 1.5, 10.0**-k
    x32, h32 = np.float32(x), np.float32(h)
    slopes = [
        (cube(x + h) - cube(x)) / h,
        (cube(x + h) - cube(x - h)) / (2 * h),
        (cube(x32 + h32) - cube(x32 - h32)) / (2 * h32),
    ]
    print(f"1e-{k:02}", *(f"{'█' * correct_digits(slope):<25}" for slope in slopes))

print()
print("float32, h = 1e-8:", (cube(x32 + np.float32(1e-8)) - cube(x32 - np.float32(1e-8))) / 2e-8)
lesson.tiny.compare()

# %% [markdown] lang="en"
# Each row has a step ten times smaller than the one above it (`1e-03` is 0.001), and each block is one
# correct digit. Read the columns from the top:
#
# - At first the steps are too large, as in the player. A step to one side gains a digit from row to
#   row, one to both sides gains two: the bends to the left and to the right nearly cancel.
# - Then all of it is lost again. The two values of `f` agree in more and more digits; the subtraction
#   leaves what is different in the last ones, which are rounded, and the division by `h` enlarges it.
#   In float32 nothing is left at 1e-8.
#
# The best place is in between. With float64 and both sides it lies near 1e-5 or 1e-6, with ten digits
# or so. In float32 you never get more than about five, so **measure in float64**.
#
# ## 3. Exercise: `measure`
#
# Until now `x` was one number. `measure(f, x, h)` gets a function `f`, which takes an array and
# returns one number, and an array `x` of any shape. Return an array of the shape of `x`: the slope of
# `f` for each element, while all the others hold still. Take a step `h` to both sides.
#
# What helps: `for index in np.ndindex(x.shape)` goes through the places of all elements, and
# `x[index]` is the element there, whatever the shape. `x.copy()` is an array with numbers of its own;
# `x` is not yours to change.

# %% [markdown] lang="zh"
# 每一行的步长是上一行的十分之一（`1e-03` 就是 0.001），一个方块代表一位正确的数字。从上往下读每一列：
#
# - 开头的步子太大，和播放器里一样。每往下一行，只走一边的多对一位，走两边的多对两位：曲线向左和向右的弯曲几乎抵消了。
# - 然后又都丢了。`f` 的两个值，相同的位数越来越多，一减，剩下的只是最后几位的差，而那几位是舍入过的；再除以 `h`，
#   误差就放大了。float32 到了 1e-8，什么也不剩。
#
# 最好的地方在中间。用 float64、走两边，大约在 1e-5 到 1e-6，能对十位左右。float32 最多只有五位左右，所以
# **要用 float64 来测量**。
#
# ## 3. 练习：`measure`
#
# 到这里 `x` 都是一个数。`measure(f, x, h)` 收到一个函数 `f`，它接收一个数组、返回一个数；还收到一个任意形状的
# 数组 `x`。请返回一个与 `x` 形状相同的数组：对每个元素，别的元素都不动时 `f` 的斜率。向两边各走一步 `h`。
#
# 用得上的：`for index in np.ndindex(x.shape)` 依次给出每个元素的位置，不管什么形状，`x[index]` 就是那里的元素。
# `x.copy()` 是一个有自己的数的数组；`x` 不是你的，不要改动它。


# %% exercise="measure"
def measure(f, x, h):
    """Return the slope of f for each element of x. | 返回 f 对 x 的每个元素的斜率。"""
    slopes = np.zeros_like(x)  # answer
    for index in np.ndindex(x.shape):  # answer
        up, down = x.copy(), x.copy()  # answer
        up[index] += h  # answer
        down[index] -= h  # answer
        slopes[index] = (f(up) - f(down)) / (2 * h)  # answer
    return slopes  # answer


# %% [markdown] wrong="one_side"
# - slopes[index] = (f(up) - f(down)) / (2 * h)
# + slopes[index] = (f(up) - f(x)) / h

# %% [markdown] wrong="forgot_two"
# - slopes[index] = (f(up) - f(down)) / (2 * h)
# + slopes[index] = (f(up) - f(down)) / h

# %% [markdown] wrong="no_parentheses"
# - slopes[index] = (f(up) - f(down)) / (2 * h)
# + slopes[index] = (f(up) - f(down)) / 2 * h

# %% [markdown] wrong="turned_round"
# - slopes[index] = (f(up) - f(down)) / (2 * h)
# + slopes[index] = (f(down) - f(up)) / (2 * h)

# %% [markdown] wrong="all_at_once"
# - up[index] += h
# + up += h
# - down[index] -= h
# + down -= h

# %% [markdown] wrong="one_quotient"
# - slopes = np.zeros_like(x)
# + return (f(x + h) - f(x - h)) / (2 * h)

# %% [markdown] wrong="one_element"
# - slopes[index] = (f(up) - f(down)) / (2 * h)
# + slopes[index] = (f(x[index] + h) - f(x[index] - h)) / (2 * h)

# %% [markdown] wrong="no_copy"
# - up, down = x.copy(), x.copy()
# + up, down = x, x

# %% [markdown] wrong="copied_once"
# - up, down = x.copy(), x.copy()
# - slopes = np.zeros_like(x)
# + slopes, up, down = np.zeros_like(x), x.copy(), x.copy()

# %% [markdown] wrong="whole_rows"
# - for index in np.ndindex(x.shape):
# + for index in range(len(x)):

# %% [markdown] wrong="undone"
# - up, down = x.copy(), x.copy()
# + up, down = x, x.copy()

# %%
lesson.measure.check(measure)

# %% [markdown] lang="en"
# ## 4. `check_grad`
#
# With `measure` you could test any backward. One thing would still be left to choose: the loss. The
# obvious choice is the sum, `y.sum()`. Here is a square, whose backward should be `dy * 2 * x`, and has
# lost its `dy`.

# %% [markdown] lang="zh"
# ## 4. `check_grad`
#
# 有了 `measure`，什么样的反向都能检验。不过还剩一件事要选：损失。最省事的是求和，`y.sum()`。下面是一个平方，它的
# 反向本应是 `dy * 2 * x`，却丢了 `dy`。

# %%
lesson.all_ones.ask()


# %%
class lost_dy(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return 2 * x


x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
lost_dy.apply(x).sum().backward()
print("x.grad:", x.grad.numpy())
lesson.all_ones.compare()

try:
    paddle.testing.check_grad(lost_dy, [np.array([1.0, 2.0, 3.0])])
except AssertionError as error:
    print(error)

# %% [markdown] lang="en"
# With the sum for a loss, every number of `dy` is 1, and a factor 1 may be forgotten without harm.
# `paddle.testing.check_grad` is minipaddle's own, real Paddle has none, and it was not deceived:
#
# - It draws a **random** `dy`, which its message calls `dout`. The loss that it measures is `y * dy`,
#   summed up.
# - It computes in float64, with steps of 1e-6 to both sides.
# - It moves all elements of all inputs at once, in a random direction; that is quickly done. Only where
#   the result is not what the gradients promise, it measures element by element, as you did, and names
#   the first that is wrong.
#
# In its message, `expected` is what the finite difference says, `received` what backward returned, and
# `to do` names the usual mistake that the numbers look like. Try it on another layer. The logarithm of
# a sum of exponentials stands in every classifier:
#
# $$y = \log(e^{x_1} + e^{x_2} + \dots)$$
#
# The next backward of it is wrong.

# %% [markdown] lang="zh"
# 用求和作损失，`dy` 的每个数都是 1，而因子 1 忘了也不要紧。`paddle.testing.check_grad` 是 minipaddle 自己的，
# 真正的 Paddle 没有；它没有上当：
#
# - 它用的 `dy` 是**随机**的，在报错里叫作 `dout`。它测量的损失，是 `y * dy` 再求和。
# - 它用 float64 计算，向两边各走 1e-6。
# - 它让所有输入的所有元素沿一个随机的方向一起走一步，这样很快。结果与梯度的承诺不符时，它才像你那样逐个元素地测量，
#   并说出第一个错的。
#
# 报错分三行：`expected` 是有限差分测得的，`received` 是 backward 给出的，`to do` 说这些数像是哪一种常见的错误；
# 这里说的是没有乘 dout。再换一个层试试。指数之和的对数，每个分类器里都有：
#
# $$y = \log(e^{x_1} + e^{x_2} + \dots)$$
#
# 下面这个层的反向是错的。


# %%
class log_sum(PyLayer):
    @staticmethod
    def forward(ctx, x):
        e = paddle.exp(x)
        ctx.save_for_backward(e)
        return paddle.log(e.sum())

    @staticmethod
    def backward(ctx, dy):
        (e,) = ctx.saved_tensor()
        return dy * e


for numbers in ([1.0, 2.0, 3.0], [0.0, 0.0]):
    try:
        paddle.testing.check_grad(log_sum, [np.array(numbers)])
    except AssertionError as error:
        print(error)

# %%
x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)

with viz.record() as searched:
    log_sum.apply(x).backward()

searched

# %% [markdown] lang="en"
# “Off by a constant factor”: 0.0331204 for the first numbers, 0.5 for the others. So the factor is no
# forgotten constant; it comes from the input. Which quantity of forward is 1 / 0.0331204 = 30.19 for
# the numbers 1, 2, 3, and 2 for two zeros? Look for 30.19 in the player before you read on, step by step.
#
# ## 5. Exercise: `log_sum_exp`
#
# It is the sum `s`: e + e² + e³ is 30.19. The chain rule says the same: the derivative of log(s) is
# 1 / s, and the derivative of an exponential is that exponential. (Click a number of `x.grad` in the
# last step above: the only factor on its path is that of the exponential.) Mend the backward.

# %% [markdown] lang="zh"
# “Off by a constant factor”，即差一个常数因子：前一组数是 0.0331204，后一组是 0.5。可见它并不是漏掉的某个常数，而是
# 由输入决定的。对 1、2、3，前向里的哪个量是 1 / 0.0331204 = 30.19？对两个 0，它又是 2。往下看之前，请在播放器里一步步走，
# 找到 30.19。
#
# ## 5. 练习：`log_sum_exp`
#
# 就是那个和 `s`：e + e² + e³ 等于 30.19。链式法则说的也是这个：log(s) 的导数是 1 / s，而指数的导数就是这个指数自己。
# （在上面的最后一步，点一下 `x.grad` 的一个数：它的路径上只有指数的那个因子。）请把反向改对。


# %% exercise="log_sum_exp"
class log_sum_exp(PyLayer):
    @staticmethod
    def forward(ctx, x):
        e = paddle.exp(x)
        s = e.sum()
        # Save here what backward will need. | 在这里保存 backward 要用的东西。
        ctx.save_for_backward(e, s)  # answer
        return paddle.log(s)

    @staticmethod
    def backward(ctx, dy):
        """Return the gradient of x. | 返回 x 的梯度。"""
        e, s = ctx.saved_tensor()  # answer
        return dy * e / s  # answer


# %% [markdown] wrong="not_divided"
# - return dy * e / s
# + return dy * e

# %% [markdown] wrong="forgot_dy"
# - return dy * e / s
# + return e / s

# %% [markdown] wrong="log_alone"
# - return dy * e / s
# + return dy / s

# %% [markdown] wrong="by_the_result"
# - return dy * e / s
# + return dy * e / paddle.log(s)

# %% [markdown] wrong="turned_round"
# - return dy * e / s
# + return dy * s / e

# %%
lesson.log_sum_exp.check(log_sum_exp)

try:
    print(paddle.testing.check_grad(log_sum_exp, [np.array([1.0, 2.0, 3.0])]))
except AssertionError as error:
    print(error)

# %% [markdown] lang="en"
# ## 6. What it does not see
#
# `absolute` gives the numbers without their signs. Its writer thought of positive numbers only, where
# nothing changes, and returned `dy` as it came. The inputs for the test are 1 and 2.

# %% [markdown] lang="zh"
# ## 6. 它看不到什么
#
# `absolute` 给出去掉符号的数。写它的人只想到正数，正数没有变化，于是把 `dy` 原样返回。检验用的输入是 1 和 2。

# %%
lesson.blind.ask()


# %%
class absolute(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return paddle.abs(x)

    @staticmethod
    def backward(ctx, dy):
        return dy


for numbers in ([1.0, 2.0], [1.0, -2.0]):
    try:
        print(paddle.testing.check_grad(absolute, [np.array(numbers)]))
    except AssertionError as error:
        print(error)
lesson.blind.compare()

# %%
x = paddle.to_tensor([1.0, -2.0], stop_gradient=False)

with viz.record() as half_right:
    y = absolute.apply(x)
    y.sum().backward()

half_right

# %% [markdown] lang="en"
# A check sees what it was shown. **Choose inputs that go every way through your forward**: both signs,
# both branches of every condition, numbers inside and outside of every limit.
#
# In the player, change the 1 of `x` to 1.1, and the promise is kept. Press r, double-click the −2,
# change it to −1.9, and the loss goes the other way, as with every smaller step. The button “1 problem”
# says the same by itself, but the player, too, knows only what was recorded: without the −2 it would
# have found nothing.
#
# At the step `abs` click the 2 that it gives: a small curve shows it with its slope there, −1, which
# backward did not multiply by. And at 0? There the curve has a corner, with slope −1 on its left and 1 on
# its right: a **kink**. The derivative does not exist there, and frameworks take some value by agreement. `relu`,
# which puts negative numbers to 0 and leaves the others, has its kink at 0 too. `check_grad` notices a
# kink, accepts every value between the two slopes, and says so:

# %% [markdown] lang="zh"
# 给它看什么，检查才看到什么。**选输入时，要让 forward 里的每条路都走到**：正数和负数，每个条件的两个分支，每个界限的
# 里面和外面。
#
# 在播放器里，把 `x` 的 1 改成 1.1，承诺兑现了。按 r，再双击 −2，改成 −1.9，损失却朝相反的方向变，步子再小也一样。“1 个问题”的按钮
# 自己就会这样说；不过播放器也只知道录制下来的东西，没有那个 −2，它什么也发现不了。
#
# 在 `abs` 那一步，点一下它给出的 2：小图画出曲线和这一点的斜率 −1，而反向没有乘上它。
# 那么 0 处呢？曲线在那里有一个尖角，左边的斜率是 −1，右边是 1，这叫作**不可导点**（kink）。
# 导数在那里不存在，各个框架就约定一个值。`relu` 把负数变成 0，别的数不变，它的不可导点也在 0。`check_grad` 会察觉
# 不可导点，两边斜率之间的值都接受，并且说明有几个元素在不可导点上（at a kink）：

# %%
print(paddle.testing.check_grad(paddle.nn.functional.relu, [np.array([1.0, 0.0, -2.0])]))

# %% [markdown] lang="en"
# ## 7. Where in the network?
#
# A check of the whole network says *that* something is wrong. The question is where. The next network
# has a layer whose backward forgot a factor 2, so all that goes back through it is half of what it
# should be, `x.grad` too. `viz.slopes` takes a recording and puts every gradient on the way back beside
# its finite difference, a line for each: ✓ where they agree, ≠ where they do not.

# %% [markdown] lang="zh"
# ## 7. 在网络的哪里？
#
# 检查整个网络，只能知道**有**错，问题是错在哪里。下面的网络里，有一个层的反向漏了因子 2，所以从它那里往回走的
# 都只有应有的一半，`x.grad` 也一样。`viz.slopes` 接收一份记录，把回程上的每个梯度都与它的有限差分放在一起，每个一行：
# 一致的写 ✓，不一致的写 ≠。

# %%
lesson.marked.ask()


# %%
class lost_two(PyLayer):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return v * v

    @staticmethod
    def backward(ctx, dy):
        (v,) = ctx.saved_tensor()
        return dy * v


x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)

with viz.record() as network:
    a = x * 3
    b = lost_two.apply(a)
    c = paddle.tanh(b * 0.1)
    loss = c.sum()
    loss.backward()

print(viz.slopes(network, "en | zh"))
lesson.marked.compare()

# %%
network

# %% [markdown] lang="en"
# The number in front is that of the step, counted as in the player once the key m has shown the steps
# about memory. One line has ≠, that of `lost_two`. The gradient of `x` in the last line has ✓, although
# it is half of what it should be: **each operation is measured by itself, with the gradient that arrived there
# taken as given.** Multiplying by 3 did right with what it got. So `slopes` leads to the culprit, and
# not to its victims.
#
# In the player the button “1 problem” leads to the same box. In a program, `network.problems()` gives
# the list behind it. You will need it now.
#
# ## 8. Hunting a NaN
#
# NaN is “not a number”, what comes out of 0 / 0 or of the root of −1. It spreads: whatever is computed
# with a NaN is NaN. One of them in a gradient, and after one update the loss is NaN, after the next one
# nearly every weight. So what counts is where it was *born*.
#
# The next cell takes roots. `paddle.where(x > 0, y, z)` picks, element by element, from `y` where
# `x > 0`, and from `z` elsewhere. At 0 the root is infinitely steep, and its writer takes care not to
# use it there.

# %% [markdown] lang="zh"
# 行首的数字是第几步，与播放器里按 m 显示内存步骤之后的数法相同。只有一行是 ≠，就是 `lost_two` 那一行。最后一行里 `x` 的梯度是 ✓，尽管它只有应有的一半：
# **每个运算都单独测量，传到它那里的梯度当作已知。** 乘以 3 的那一步，对收到的东西做得没错。所以 `slopes` 指向的是
# 肇事者，而不是受害者。
#
# 播放器里，“1 个问题”的按钮通到同一个方框。在程序里，`network.problems()` 给出按钮后面的那个列表。马上就用得上。
#
# ## 8. 追查 NaN
#
# NaN 是 not a number，“不是数”：0 / 0 或 −1 的平方根，得到的就是它。它会蔓延：和 NaN 一起算出来的，还是 NaN。
# 梯度里有一个，更新一次，损失就成了 NaN；再更新一次，几乎所有的权重都成了 NaN。所以要紧的是，它是在哪里**产生**的。
#
# 下面的单元格求平方根。`paddle.where(x > 0, y, z)` 逐个元素地挑选：`x > 0` 的地方取 `y`，别处取 `z`。平方根在 0 处
# 无穷陡，写它的人特意不在那里用它。

# %%
lesson.at_zero.ask()

# %%
x = paddle.to_tensor([4.0, 0.0, 1.0], stop_gradient=False)

with viz.record() as born:
    y = paddle.sqrt(x)
    z = paddle.where(x > 0, y, paddle.zeros_like(y))
    z.sum().backward()

print("z:", z.numpy())
print("x.grad:", x.grad.numpy())
for problem in born.problems():
    print(problem.kind + ":", born.steps[problem.step].say("en | zh"))
lesson.at_zero.compare()

# %%
born

# %% [markdown] lang="en"
# Press p: the player goes to the problem. `z` was right, and the gradient that leaves `where` is right
# too, 0 for the second element. Then comes the backward of the root, `dy / (2y)`, and there stands
# 0 / 0. **A `where` behind an operation does not protect its backward: that runs for every element, also for
# those that were not picked.** (Real Paddle gives the same NaN.)
#
# The player also says what helps: a small number under the root. That changes all results a little,
# though. The clean way is to protect the *input* of the operation: put a harmless number in place of what it cannot
# stand, and pick afterwards as before.
#
# ## 9. Exercise: `root`
#
# `root(x)` gives the root where `x > 0`, and 0 elsewhere, also for negative numbers. Its gradient is
# that of the root where `x > 0`, and 0 elsewhere. `paddle.ones_like(x)` makes harmless numbers.

# %% [markdown] lang="zh"
# 按 p，播放器就走到出问题的地方。`z` 是对的，从 `where` 出来的梯度也是对的，第二个元素是 0。接着是平方根的反向
# `dy / (2y)`，那里成了 0 / 0。**运算后面的 `where`，保护不了这个运算的反向：反向对每个元素都要算，没有选中的也不例外。**
# （真正的 Paddle 给出同样的 NaN。）
#
# 播放器里也写了一个办法：在根号里加一个很小的数。不过，这会让所有的结果都变一点。干净的办法是保护这个运算的**输入**：
# 它受不了的地方，先换成一个无害的数，之后照旧挑选。
#
# ## 9. 练习：`root`
#
# `root(x)` 在 `x > 0` 处给出平方根，别处给出 0，负数也一样。它的梯度，在 `x > 0` 处是平方根的梯度，别处是 0。
# 无害的数可以用 `paddle.ones_like(x)`。


# %% exercise="root"
def root(x):
    """The root where x > 0, and 0 elsewhere. | x > 0 处是平方根，别处是 0。"""
    safe = paddle.where(x > 0, x, paddle.ones_like(x))  # answer
    return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))  # answer


# %% [markdown] wrong="still_nan"
# - return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))
# + return paddle.where(x > 0, paddle.sqrt(x), paddle.zeros_like(x))

# %% [markdown] wrong="still_nan"
# - return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))
# + return paddle.sqrt(paddle.nn.functional.relu(x))

# %% [markdown] wrong="nan_forward"
# - return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))
# + return paddle.sqrt(x) * (x > 0).astype(x.dtype)

# %% [markdown] wrong="not_picked"
# - return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))
# + return paddle.sqrt(safe)

# %% [markdown] wrong="shifted"
# - return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))
# + return paddle.sqrt(paddle.nn.functional.relu(x) + 1e-6)

# %% [markdown] wrong="cut_off"
# - return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))
# + return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x)).detach()

# %% [markdown] wrong="turned_round"
# - return paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))
# + return paddle.where(x > 0, paddle.zeros_like(x), paddle.sqrt(safe))

# %%
lesson.root.check(root)

# %% [markdown] lang="en"
# ## 10. An eye on a gradient: hooks
#
# A recording is for a small piece. In a training that runs for hours, a hook looks at one gradient and
# costs next to nothing. In lesson 4 hooks printed what they saw and returned nothing, and the gradient
# went on as it was. If a hook returns a Tensor, this **takes the place** of the gradient. Below, `b` gets
# a hook that returns ten times what it is given.

# %% [markdown] lang="zh"
# ## 10. 看住一个梯度：hook 函数
#
# 录制适合一小段计算。一次要运行几个小时的训练里，hook 函数只看一个梯度，几乎不花什么。第 4 课的 hook 函数打印看到的东西，
# 什么也不返回，梯度照原样继续走。如果 hook 函数返回一个 Tensor，它就**取代**这个梯度。下面给 `b` 挂上一个 hook 函数，
# 返回收到的十倍。

# %%
lesson.replaced.ask()


# %%
def tenfold(grad):
    return grad * 10


x = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as hooked:
    b = x * 2
    handle = b.register_hook(tenfold)
    y = b * b
    y.backward()

print("x.grad:", float(x.grad))
handle.remove()
lesson.replaced.compare()

# %%
hooked

# %% [markdown] lang="en"
# In the player, 12 goes into the box `tenfold` and 120 comes out (the box before it, `× 10`, is the line
# inside your hook). The hook was called once, after the two
# gradients of `b` had been added up, and what it returned went on to `x`: 240. Training often bounds
# gradients in this way. So a hook that should only *look* returns nothing.
#
# `register_hook` returns a handle; after `handle.remove()` the hook is not called any more. Without it,
# the hook stays as long as its Tensor.
#
# ## 11. Exercise: `watch`
#
# `watch(tensor, name, seen)` watches the gradient of a Tensor: whenever that holds a NaN, even a
# single one, `name` is appended to the list `seen`. The gradient stays as it is, and the handle is returned.
# `bool(paddle.isnan(grad).any())` is True if any number of `grad` is NaN. Write the hook as a function
# inside `watch`, and register it.

# %% [markdown] lang="zh"
# 播放器里，进入方框 `tenfold` 的是 12，出来的是 120（它前面的方框 `× 10`，就是 hook 函数里的那一行）。`b` 的两份梯度加完之后，hook 函数才被调用，只有一次；它返回的东西
# 接着走到 `x`：240。训练时限制梯度的大小，常常就这样做。所以，只想**看**的 hook 函数，什么也不要返回。
#
# `register_hook` 返回一个句柄；`handle.remove()` 之后，这个 hook 函数就不再被调用。不移除的话，Tensor 在多久，
# 它就在多久。
#
# ## 11. 练习：`watch`
#
# `watch(tensor, name, seen)` 看住一个 Tensor 的梯度：梯度里只要有 NaN，哪怕只有一个，就把 `name` 追加到列表 `seen` 里。
# 梯度保持原样，并返回句柄。`grad` 里有任何一个数是 NaN 时，`bool(paddle.isnan(grad).any())` 就是 True。把 hook 函数写在
# `watch` 里面，再挂上去。


# %% exercise="watch"
def watch(tensor, name, seen):
    """Append name to seen at a NaN; return the handle. | 有 NaN 就把 name 加入 seen；返回句柄。"""

    def look(grad):  # answer
        if bool(paddle.isnan(grad).any()):  # answer
            seen.append(name)  # answer

    return tensor.register_hook(look)  # answer


# %% [markdown] wrong="always"
# - if bool(paddle.isnan(grad).any()):
# + if True:

# %% [markdown] wrong="all_of_them"
# - if bool(paddle.isnan(grad).any()):
# + if bool(paddle.isnan(grad).all()):

# %% [markdown] wrong="infinite"
# - if bool(paddle.isnan(grad).any()):
# + if not bool(paddle.isfinite(grad).all()):

# %% [markdown] wrong="infinite"
# - if bool(paddle.isnan(grad).any()):
# + if bool(paddle.isnan(grad.sum())):

# %% [markdown] wrong="the_tensor"
# - if bool(paddle.isnan(grad).any()):
# + if bool(paddle.isnan(tensor).any()):

# %% [markdown] wrong="not_yet_there"
# - if bool(paddle.isnan(grad).any()):
# + if bool(paddle.isnan(tensor.grad).any()):

# %% [markdown] wrong="replaced"
# - seen.append(name)
# + seen.append(name); return paddle.zeros_like(grad)

# %% [markdown] wrong="replaced"
# - seen.append(name)
# + seen.append(name); return paddle.where(paddle.isnan(grad), paddle.zeros_like(grad), grad)

# %% [markdown] wrong="no_handle"
# - return tensor.register_hook(look)
# + tensor.register_hook(look)

# %% [markdown] wrong="not_registered"
# - return tensor.register_hook(look)
# + return look

# %% [markdown] wrong="removed"
# - return tensor.register_hook(look)
# + handle = tensor.register_hook(look); handle.remove(); return handle

# %% [markdown] wrong="other_name"
# - seen.append(name)
# + seen.append(tensor.name)

# %% [markdown] wrong="called"
# - return tensor.register_hook(look)
# + return tensor.register_hook(look(tensor))

# %%
lesson.watch.check(watch)

# %% [markdown] lang="en"
# ## 12. A bug hunt
#
# Now on your own. `viz.bug_hunt` takes a recording and does one thing of its backward wrongly: a factor
# or a sign is lost, a sum is left out or taken along the wrong axis, a matrix is reshaped where it
# should be transposed. What follows is computed from the wrong numbers. Sentences and formulas still say
# what *should* happen; find the box whose numbers are not what its formula gives from what arrives there.
#
# The network has a matrix of weights `w` (`@` is the product of matrices), a bias `b` that is broadcast
# over the rows, a tanh, and the mean of the squared errors. Step through the backward, box by box: first the signs and the rough sizes,
# then, where little is to be computed, the numbers themselves. Click the box that you suspect, and then
# the button “This one”. Three hints narrow it down, the last one by finite differences.

# %% [markdown] lang="zh"
# ## 12. 找错误
#
# 现在靠你自己了。`viz.bug_hunt` 接收一份记录，把反向里的一处做错：漏乘一个因子，弄反符号，漏掉求和或沿错了维度，或者本应
# 转置却用了 reshape。后面的一切，都由错的数接着算出来。句子和公式说的仍然是**应当**发生的事；请找出那个方框：由传入的数，按它的公式，
# 得不出它给的数。
#
# 这个网络有权重矩阵 `w`（`@` 是矩阵乘法），一个沿各行广播的偏置 `b`，一个 tanh，和误差平方的均值。一个方框一个方框地
# 走完反向：先看符号和大致的大小；算起来不费事的地方，再把数自己算一遍。怀疑哪个方框，就点它，再按“就是它”的按钮。有三个提示逐步缩小范围，最后一个用的是有限差分。

# %%
data = paddle.to_tensor([[1.0, 2.0], [0.5, -1.0], [-1.0, 0.4]])
target = paddle.to_tensor([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
w = paddle.to_tensor([[0.5, -1.0, 0.3], [1.0, 0.2, -0.6]], stop_gradient=False)
b = paddle.to_tensor([0.1, -0.2, 0.4], stop_gradient=False)

with viz.record() as healthy:
    error = paddle.tanh(data @ w + b) - target
    loss = (error * error).mean()
    loss.backward()

hunt = viz.bug_hunt(healthy, seed=4)
hunt

# %% [markdown] lang="en"
# Found it, or had enough? This line, in a cell of its own, tells what was done wrongly:
#
#     hunt.solution.text.en
#
# Another seed mostly gives another mistake. With your own recordings it works as well.
#
# ## What you can do now
#
# | you want to know | you take |
# |---|---|
# | whether one number's gradient is right | a nudge in the player |
# | whether a layer's backward is right | `paddle.testing.check_grad(layer, [array])`, in float64 |
# | which gradient of a recording is wrong | `viz.slopes(trace)`, or the button for problems |
# | where a NaN was born | `trace.problems()`, or p in the player |
# | whether it happens in a long run | `tensor.register_hook(look)` |
#
# Beyond the table:
#
# - You can say why a step may be too small, and why float64 and both sides.
# - You can choose inputs for a check: every way through forward, and a `dy` that is not all ones.
# - You can protect the backward of an operation from inputs that it cannot stand.
#
# And one habit: whoever writes a backward writes its `check_grad` on the next line.
#
# Now you can trust a layer of your own. What are such layers good for in real networks? See lesson 8,
# `08_in_the_wild.ipynb`.

# %% [markdown] lang="zh"
# 找到了，还是不想找了？在一个新的单元格里写这一行，它会告诉你哪里做错了：
#
#     hunt.solution.text.zh
#
# 换一个 seed，多半就是另一处错误。你自己的记录也可以这样用。
#
# ## 现在你会了
#
# | 想知道 | 就用 |
# |---|---|
# | 一个数的梯度对不对 | 在播放器里改动它 |
# | 一个层的反向对不对 | `paddle.testing.check_grad(layer, [array])`，用 float64 |
# | 一份记录里哪个梯度错了 | `viz.slopes(trace)`，或播放器里“问题”的按钮 |
# | NaN 是在哪里产生的 | `trace.problems()`，或在播放器里按 p |
# | 长时间运行时有没有出现 | `tensor.register_hook(look)` |
#
# 表格之外：
#
# - 能说出步子为什么可能太小，为什么要用 float64，为什么走两边。
# - 能为检查选输入：forward 里的每条路都要走到，`dy` 不能全是 1。
# - 能让一个运算的反向避开它受不了的输入。
#
# 还有一个习惯：写完一个反向，下一行就写它的 `check_grad`。
#
# 现在你可以放心使用自己写的层了。在真实的网络里它们有什么用？见第 8 课 `08_in_the_wild.ipynb`。
