# %% [markdown] lang="en"
# # Lesson 4: Order, fan-in, broadcasting, retain_graph, accumulation
#
# Five things that surprise people about `backward()`, and one idea behind most of them: **where
# forward uses a number in several places, backward adds up what comes back from them.**
#
# You will predict, watch, and write three functions: a layer that uses its input twice, the way
# back from broadcasting, and a gradient of much data that is computed in small parts. It takes
# about 45 minutes. You need lesson 1 (PyLayer), lesson 2 (leaves) and from lesson 3 that a node
# waits for its last gradient.

# %% [markdown] lang="zh"
# # 第 4 课：顺序、汇合、广播、retain_graph、累加
#
# 关于 `backward()`，有五件事常常出乎意料，其中多数出于同一个道理：**前向里一个数用在几处，反向就把
# 从这几处回来的梯度相加。**
#
# 你会预测，会观察，再写三个函数：一个把输入用两次的层，广播的回程，以及分成几小份来求大批数据的梯
# 度。全程大约 45 分钟。需要第 1 课的 PyLayer、第 2 课的叶子 Tensor，以及第 3 课讲的：一个节点要等最
# 后一个梯度也到了才被访问。

# %%
import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.autograd import PyLayer

lesson = exercises.load("04_order_and_sums", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. Order
#
# In which order does backward pass through a computation? A **hook** can tell: a function that is
# called with the gradient of a tensor as soon as this gradient is complete. Here `register_hook`
# gives each tensor a hook that prints its name and its gradient.
#
# Look at the three lines of forward in the next cell but one (they stand in the card too), and
# predict.

# %% [markdown] lang="zh"
# ## 1. 顺序
#
# 反向按什么顺序经过一个计算？**hook 函数**可以告诉我们：某个 Tensor 的梯度一旦完整，它就被调用，
# 并拿到这个梯度。这里用 `register_hook` 给每个 Tensor 都挂上一个 hook 函数，打印名字和梯度。
#
# 前向只有三行，卡片里也写着。先预测。

# %%
lesson.order.ask()


# %%
def announcer(name):
    def announce(grad):
        print(name, round(float(grad), 3))

    return announce


a = paddle.to_tensor(0.5, stop_gradient=False)

with viz.record() as trace:
    b = a * 2.0
    c = paddle.tanh(b)
    d = b * c

    for name, tensor in {"a": a, "b": b, "c": c, "d": d}.items():
        tensor.register_hook(announcer(name))

    d.backward()

lesson.order.compare()

# %%
trace

# %% [markdown] lang="en"
# The boxes called `announce` are these hooks. In the player, go to the backward
# of the last multiplication. Two gradients come out of it, one for `b` and one for `c`. Now press →
# and watch which box is next:
#
# - `c` has only one user, so its gradient is complete, and the backward of tanh may run.
# - `b` has two users, `tanh` and the multiplication. It has to **wait** until the second gradient
#   comes from tanh. Look for the step that says that the two are added up: 0.762 + 0.42.
# - Only then is the hook of `b` called, once, with the complete sum.
#
# At the step in which `a.grad` gets its number, click that number: below stand the two paths on which
# it came from `d`, factor by factor.
#
# Here the order is that of forward turned round, but that is not the rule. The rule is: a tensor's
# turn comes when everything that used it has had its turn. Where two branches have nothing to do
# with each other, either may come first.

# %% [markdown] lang="zh"
# 名为 `announce` 的方框，就是挂上去的 hook 函数。在播放器里走到最后那个乘法的反向。它给出两个梯度，一个给
# `b`，一个给 `c`。再按 →，看接下来轮到哪个方框：
#
# - `c` 只在一处用到，它的梯度已经完整，可以运行 tanh 的反向了。
# - `b` 在两处用到：`tanh` 和乘法。它必须**等**，等第二个梯度从 tanh 那里过来。找到说明两者相加的
#   那一步：0.762 + 0.42。
# - 到这时才调用 `b` 的 hook 函数，只调用一次，拿到的是完整的和。
#
# 走到 `a.grad` 得到数值的那一步，点一下这个数：下面会列出它从 `d` 传来的两条路径，逐个因子相乘。
#
# 这一次，顺序恰好是把前向倒过来，但这并不是规律。真正的规律是：用到某个 Tensor 的运算全都轮过了，
# 才轮到它。两个互不相干的分支，谁先谁后都可以。

# %% [markdown] lang="en"
# ## 2. Fan-in: one tensor, several uses
#
# Why added up, and not, say, averaged? Turn one knob that moves two pointers: how far both move
# *together* is the sum. When `x` grows by a little, every place that uses `x` adds its own
# part to the change of the loss.
#
# Work out the next one with this in mind, place by place.

# %% [markdown] lang="zh"
# ## 2. 汇合：一个 Tensor，几处使用
#
# 为什么是相加，而不是，比如说，取平均？设想一个旋钮带动两根指针：两根指针**一共**走了多远，就是两者
# 之和。`x` 增加一点点时，用到 `x` 的每一处都会让损失变化一些，这些变化加在一起。
#
# 带着这个想法，一处一处地算出下面这一题。

# %%
lesson.fan_in.ask()

# %%
x = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as meeting:
    y = x * x + 2.0 * x
    y.backward()

print("x.grad:", float(x.grad))
lesson.fan_in.compare()

# %%
meeting

# %% [markdown] lang="en"
# Three gradients come to `x`: two from `x * x`, since `x` stands there twice, and one from
# `2.0 * x`. They meet in the box `+=`. Two steps belong to it: after the first the sum is 6, after
# the second 8.
#
# ## 3. Exercise: `x_tanh_x`
#
# In a PyLayer it is you who adds up. Write the backward of `y = x * tanh(x)`. The layer has one
# input, so backward returns one gradient, but `x` acts in two places: as the left factor, and
# through tanh.
#
# With `t = tanh(x)`: write down what comes back through each of them while the other holds still,
# and add. (The derivative of tanh is `1 - t * t`; see lesson 1.)

# %% [markdown] lang="zh"
# 来到 `x` 的梯度有三个：两个来自 `x * x`，因为 `x` 在那里出现两次；一个来自 `2.0 * x`。它们在
# 方框 `+=` 里汇合。那里有两步：第一步之后和是 6，第二步之后是 8。
#
# ## 3. 练习：`x_tanh_x`
#
# 在 PyLayer 里，相加要由你来做。为 `y = x * tanh(x)` 写反向。这个层只有一个输入，所以 backward 只返
# 回一个梯度；但 `x` 在两处起作用：一处是左边的因子，一处经过 tanh。
#
# 记 `t = tanh(x)`：分别写出从每一处回来的梯度（这时把另一处当作常数），再相加。
# （tanh 的导数是 `1 - t * t`，见第 1 课。）


# %% exercise="x_tanh_x"
class x_tanh_x(PyLayer):
    @staticmethod
    def forward(ctx, x):
        t = paddle.tanh(x)
        ctx.save_for_backward(x, t)
        return x * t

    @staticmethod
    def backward(ctx, dy):
        """Return the gradient of x. | 返回 x 的梯度。"""
        x, t = ctx.saved_tensor()  # answer
        return dy * t + dy * x * (1 - t * t)  # answer


# %% [markdown] wrong="left_alone"
# - return dy * t + dy * x * (1 - t * t)
# + return dy * t

# %% [markdown] wrong="tanh_alone"
# - return dy * t + dy * x * (1 - t * t)
# + return dy * x * (1 - t * t)

# %% [markdown] wrong="multiplied"
# - return dy * t + dy * x * (1 - t * t)
# + return dy * t * x * (1 - t * t)

# %% [markdown] wrong="averaged"
# - return dy * t + dy * x * (1 - t * t)
# + return (dy * t + dy * x * (1 - t * t)) / 2

# %% [markdown] wrong="two_returned"
# - return dy * t + dy * x * (1 - t * t)
# + return dy * t, dy * x * (1 - t * t)

# %% [markdown] wrong="dy_once"
# - return dy * t + dy * x * (1 - t * t)
# + return dy * t + x * (1 - t * t)

# %% [markdown] wrong="no_dy"
# - return dy * t + dy * x * (1 - t * t)
# + return t + x * (1 - t * t)

# %% [markdown] wrong="no_x"
# - return dy * t + dy * x * (1 - t * t)
# + return dy * t + dy * (1 - t * t)

# %% [markdown] wrong="no_slope"
# - return dy * t + dy * x * (1 - t * t)
# + return dy * t + dy * x

# %%
lesson.x_tanh_x.check(x_tanh_x)


# %% [markdown] lang="en"
# ## 4. Broadcasting
#
# Paddle adds a row of three numbers to a matrix of two rows as if the row stood there twice. This
# is called **broadcasting**. Every layer with a bias, a row of weights that it adds to each row of
# its results, lives on it. Nothing is copied, but every number of the row is used twice. You know by
# now what that means for its gradient.

# %% [markdown] lang="zh"
# ## 4. 广播
#
# 把由三个数组成的一行加到一个两行的矩阵上，Paddle 就当这一行在那里写了两遍。这叫作**广播**。层的偏置
# （bias）就是加到每一行结果上的一行权重，都靠它。数并没有真的复制，但行里的每个数都用了两次。这对它的梯度意味着什么，你已经知道了。

# %%
lesson.row_shape.ask()

# %%
lesson.row_value.ask()

# %%
matrix = paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row = paddle.to_tensor([10.0, 20.0, 30.0], stop_gradient=False)

with viz.record() as spread:
    y = matrix + row
    y.sum().backward()

print("row.grad:", row.grad.numpy(), "shape:", list(row.grad.shape))
lesson.row_shape.compare()
lesson.row_value.compare()

# %%
spread

# %% [markdown] lang="en"
# Step to the backward of add. At first the gradient has the shape of the result, [2, 3]: one number
# for each place. The next step, in the box Σ (the sign for a sum), brings it back to [3]: the two
# numbers in each column belong to the same number of `row`, so they are added. Broadcasting is fan-in
# again.
#
# In general the way back is a sum over the axes along which forward repeated. An axis is one entry of
# the shape: [2, 3] has two, axis 0 of size 2 and axis 1 of size 3. Here it was axis 0.
#
# Which axes are these, for any two shapes? Write both shapes one below the other, aligned at the right:
#
#     result  [2, 3, 4]
#     input      [3, 1]
#
# Forward repeated along every axis that the input lacks (here the first), and along every axis
# where the input has size 1 (here the last).
#
# ## 5. Exercise: `sum_back`
#
# Write the way back for any shape. `sum_back(dy, shape)` gets the gradient of the result and the
# shape of the input, and returns the gradient of the input, in that shape. You may use
# `dy.sum(axis=..., keepdim=True)`, which leaves a summed axis in place with size 1, and at the end
# `dy.reshape(shape)`.

# %% [markdown] lang="zh"
# 走到 add 的反向。梯度一开始是结果的形状 [2, 3]，每个位置一个数。下一步在方框 Σ（求和的符号）里，
# 它回到了 [3]：每一列的两个数属于 `row` 里的同一个数，所以相加。可见广播也是汇合。
#
# 一般地说，广播的回程，就是沿前向重复过的维度求和。形状里的每一项是一个维度（axis）：[2, 3] 有两个，
# 维度 0 的尺寸是 2，维度 1 的尺寸是 3。这里求和的是维度 0。
#
# 换成任意两个形状，是哪些维度呢？把两个形状上下对齐写，靠右：
#
#     [2, 3, 4]  结果
#        [3, 1]  输入
#
# 输入缺少的维度（这里是第一个），以及输入尺寸为 1 的维度（这里是最后一个），前向都重复过。
#
# ## 5. 练习：`sum_back`
#
# 对任意形状写出广播的回程。`sum_back(dy, shape)` 收到结果的梯度和输入的形状，返回输入的梯度，
# 形状就是这个形状。可以用 `dy.sum(axis=..., keepdim=True)`，求和之后那个维度还在，尺寸为 1；
# 最后用 `dy.reshape(shape)`。


# %% exercise="sum_back"
def sum_back(dy, shape):
    """Sum dy over the axes along which it was repeated. | 沿重复过的维度对 dy 求和。"""
    missing = dy.ndim - len(shape)  # answer
    sizes = [1] * missing + list(shape)  # answer
    for axis, size in enumerate(sizes):  # answer
        if size == 1:  # answer
            dy = dy.sum(axis=axis, keepdim=True)  # answer
    return dy.reshape(shape)  # answer


# %% [markdown] wrong="mean"
# - dy = dy.sum(axis=axis, keepdim=True)
# + dy = dy.mean(axis=axis, keepdim=True)

# %% [markdown] wrong="first_only"
# - dy = dy.sum(axis=axis, keepdim=True)
# + dy = paddle.split(dy, dy.shape[axis], axis=axis)[0]

# %% [markdown] wrong="missing_alone"
# - if size == 1:
# + if axis < missing:

# %% [markdown] wrong="ones_alone"
# - missing = dy.ndim - len(shape)
# + missing = 0

# %% [markdown] wrong="not_kept"
# - dy = dy.sum(axis=axis, keepdim=True)
# + dy = dy.sum(axis=axis)

# %% [markdown] wrong="empty_axes"
# - for axis, size in enumerate(sizes):
# + for axes in [[axis for axis, size in enumerate(sizes) if size == 1]]:
# - if size == 1:
# + if axes is not None:
# - dy = dy.sum(axis=axis, keepdim=True)
# + dy = dy.sum(axis=axes, keepdim=True)

# %% [markdown] wrong="reshaped"
# - dy = dy.sum(axis=axis, keepdim=True)
# + pass

# %% [markdown] wrong="no_return"
# - return dy.reshape(shape)

# %% [markdown] wrong="everything"
# - return dy.reshape(shape)
# + return dy.sum()

# %% [markdown] wrong="unshaped"
# - return dy.reshape(shape)
# + return dy

# %% [markdown] wrong="aligned_left"
# - sizes = [1] * missing + list(shape)
# + sizes = list(shape) + [1] * missing

# %%
lesson.sum_back.check(sum_back)

# %% [markdown] lang="en"
# ## 6. Backward twice: retain_graph
#
# `y = x * x`, and `y.backward()` has run. What does a second `y.backward()` do?

# %% [markdown] lang="zh"
# ## 6. 反向两次：retain_graph
#
# `y = x * x`，`y.backward()` 已经运行过了。再运行一次 `y.backward()`，会怎么样？

# %%
lesson.again.ask()

# %%
x = paddle.to_tensor(3.0, stop_gradient=False)

try:
    with viz.record() as twice:
        y = x * x
        y.backward()
        y.backward()
except SystemError as error:
    print(error)
lesson.again.compare()

# %%
twice

# %% [markdown] lang="en"
# Press m, so that the steps about memory are shown too. You see that multiply keeps `x` in forward,
# and lets go of it as soon as its backward is done. The second backward starts, comes to multiply,
# and finds nothing: the box that says “error”.
#
# Releasing is the rule because of memory. In a large network, what forward saved is most of the
# memory that training needs, and nearly always one backward is enough. If you do need a second one,
# say so in the *first*: `y.backward(retain_graph=True)` keeps what was saved. (The **graph** is the
# tape of lesson 3, with its nodes and edges.) You need it, for instance, when two losses share a part of the computation and each goes backward by itself. (If
# you can add the two losses, do: one backward of the sum gives the same gradients, and walks the
# shared part only once.)
#
# Now with it. What is in `x.grad` after both?

# %% [markdown] lang="zh"
# 按 m，把内存步骤也显示出来。可以看到，multiply 在前向保存了 `x`，它的反向一结束，就释放了。第二次
# 反向开始，走到 multiply，却找不到要用的东西：就是标着“出错”的那个方框。
#
# 默认释放，是为了内存。在大网络里，训练所需的内存大部分是前向保存的东西，而几乎总是反向一次就够了。
# 确实需要第二次时，要在**第一次**就说明：`y.backward(retain_graph=True)` 会把保存的东西留下来。
# （graph 指**计算图**，也就是第 3 课的 tape，由节点和边组成。）
# 比如，两个损失共用一部分计算，又要各自反向，就需要它。（如果能把两个损失相加，就相加：对和做一次
# 反向，得到同样的梯度，共用的部分也只走一遍。）
#
# 这回带上它。两次之后，`x.grad` 里是多少？

# %%
lesson.both.ask()

# %%
x = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as retained:
    y = x * x
    y.backward(retain_graph=True)
    y.backward()

print("x.grad:", float(x.grad))
lesson.both.compare()

# %%
retained

# %% [markdown] lang="en"
# ## 7. Accumulation
#
# Step through the second backward, up to its box `+=`: a wire leads there from the `x.grad` of the
# first. `x.grad` still holds that old gradient, and the new one is **added**: 6 + 6. Backward never
# overwrites `.grad`. That is no accident: this, too, is a sum over uses. A **batch** is the data that
# one step of training uses together. Its loss is a sum over its parts, and so is its gradient.
#
# It has two sides.
#
# - **A trap.** A training loop must empty `.grad` before each new step, with `w.clear_grad()`
#   (or `optimizer.clear_grad()`). Whoever forgets it goes along the sum of all gradients so far.
# - **A tool.** A batch that is too large for the memory can be split: one backward for each part,
#   one after the other. Every part's graph is released before the next one is built, and the sum of
#   the gradients collects in `.grad`.

# %% [markdown] lang="zh"
# ## 7. 累加
#
# 一步步走完第二次反向，看它的方框 `+=`：从第一次的 `x.grad` 有一条连线通到那里。`x.grad` 里还留着
# 那个旧的梯度，新的会**加**上去：6 + 6。反向从不覆盖 `.grad`。这不是偶然，它同样是把几处使用相加。
# 训练的一步一起用到的数据叫一**批**（batch）：一整批的损失，是各部分损失之和，梯度也就是各部分梯度之和。
#
# 这件事有两面。
#
# - **陷阱。** 训练循环里，每走一步之前必须先清空 `.grad`：`w.clear_grad()`（或
#   `optimizer.clear_grad()`）。忘了它，走的就是迄今所有梯度之和的方向。
# - **工具。** 一批数据太大，内存放不下，可以拆开：每一部分各做一次反向，一个接一个。每一部分的
#   计算图在建下一个之前就释放了，而梯度之和都攒在 `.grad` 里。

# %%
w = paddle.to_tensor(2.0, stop_gradient=False)

for part in [1.0, 2.0, 3.0]:
    (w * part).backward()
    print("w.grad:", float(w.grad))

w.clear_grad()
print("cleared: | 清空后：", float(w.grad))

# %% [markdown] lang="en"
# ## 8. Exercise: `in_parts`
#
# A batch was split into parts of equal size. `loss_of(w, part)` is the mean loss of one part. Leave
# in `w.grad` the gradient of the mean loss of the whole batch: that is the mean over the parts.
#
# Two things to think of: `w` may come with an old gradient, and the mean of three parts is a third
# of their sum. Nothing is returned.

# %% [markdown] lang="zh"
# ## 8. 练习：`in_parts`
#
# 一批数据拆成了大小相同的几部分。`loss_of(w, part)` 是其中一部分的平均损失。请在 `w.grad` 里留下整
# 批平均损失的梯度，也就是对各部分取平均。
#
# 有两点要想到：`w` 来的时候可能带着旧的梯度；三部分的平均，是它们之和的三分之一。不用返回任何东西。


# %% exercise="in_parts"
def in_parts(w, parts, loss_of):
    """Leave the gradient of the mean loss in w.grad. | 在 w.grad 里留下平均损失的梯度。"""
    w.clear_grad()  # answer
    for part in parts:  # answer
        (loss_of(w, part) / len(parts)).backward()  # answer


# %% [markdown] wrong="the_sum"
# - (loss_of(w, part) / len(parts)).backward()
# + loss_of(w, part).backward()

# %% [markdown] wrong="old_gradient"
# - w.clear_grad()

# %% [markdown] wrong="neither"
# - w.clear_grad()
# - (loss_of(w, part) / len(parts)).backward()
# + loss_of(w, part).backward()

# %% [markdown] wrong="last_only"
# - (loss_of(w, part) / len(parts)).backward()
# + w.clear_grad(); (loss_of(w, part) / len(parts)).backward()

# %% [markdown] wrong="first_only"
# - (loss_of(w, part) / len(parts)).backward()
# + return (loss_of(w, part) / len(parts)).backward()

# %% [markdown] wrong="cleared_after"
# - (loss_of(w, part) / len(parts)).backward()
# + (loss_of(w, part) / len(parts)).backward(); w.clear_grad()

# %% [markdown] wrong="cleared_after"
# - (loss_of(w, part) / len(parts)).backward()
# + loss_of(w, part) / len(parts)

# %%
lesson.in_parts.check(in_parts)

# %% [markdown] lang="en"
# ## What you can do now
#
# - You can say in which order backward visits a computation, and why a tensor with two users waits.
# - You can write the backward of a layer that uses its input more than once: add up what comes
#   back.
# - You can say what shape a gradient has after broadcasting, and sum it back yourself.
# - You can read the error of a second backward, know what `retain_graph=True` keeps, and when
#   adding the losses is better.
# - You can use accumulation, and remember to clear.
#
# Behind all of it stands one sentence: where forward uses a number in several places, backward adds
# up. `docs/gallery` in the repository of minipaddle has larger pictures to read: a training step, a
# convolutional network, a transformer.
#
# You have written three PyLayers by now, each in a form that was given. In lesson 5 you break that
# form on purpose, rule by rule, and read what Paddle says to it: `05_three_rules.ipynb`.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# - 能说出反向按什么顺序访问一个计算，以及为什么用在两处的 Tensor 要等。
# - 能为一个多次用到输入的层写反向：把回来的梯度相加。
# - 能说出广播之后梯度是什么形状，也能自己求和还原。
# - 能看懂第二次反向的报错，知道 `retain_graph=True` 留下了什么，什么时候把损失相加更好。
# - 会利用累加，也记得清空。
#
# 背后是同一句话：前向里一个数用在几处，反向就把回来的梯度相加。minipaddle 仓库里的 `docs/gallery`
# 有更大的图可看：训练的一步、卷积网络、transformer。
#
# 到现在你写过三个 PyLayer，都是照着给好的样子写的。第 5 课要有意把规则一条条打破，看看 Paddle
# 会怎么说：`05_three_rules.ipynb`。
