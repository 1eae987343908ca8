# %% [markdown] lang="en"
# # Lesson 10: Programs: built once, run often
#
# So far every line of Python computed something at once, and the tape noted it: **dynamic mode**.
# Paddle has a second mode, older than this one. In **static mode** the same lines compute nothing.
# They write down what is to be computed, operator by operator; the list is called a **Program**. Later
# an **Executor** runs it, as often as you like.
#
# Why would anybody want that? Whoever has the whole list before it runs can check its shapes, plan its
# memory, save it, and hand it to a machine on which there is no Python. And whoever has understood both
# modes understands each of them better.
#
# It takes about 45 minutes. You need the tape (lesson 3) and the training loop (lesson 9).

# %% [markdown] lang="zh"
# # 第 10 课：Program：组网一次，运行多次
#
# 到现在为止，每一行 Python 都马上计算，tape 把它记下来：这是**动态图**。Paddle 还有另一种模式，比它更早。
# 在**静态图**模式下，同样的几行什么都不计算，只是一个算子一个算子地写下要计算什么；写成的这一列算子，叫
# **Program**。之后由**执行器**（Executor）来运行，想运行几次都可以。
#
# 为什么要这样？在运行之前就拿到了完整的一列，就可以检查形状、规划内存、保存起来，交给没有 Python 的机器去
# 运行。而且，两种模式都懂了，对每一种的理解都会更深。
#
# 全程大约 45 分钟。需要第 3 课的 tape 和第 9 课的训练循环。

# %%
import minipaddle as paddle
import numpy as np
import viz
from minipaddle import exercises, nn, static

lesson = exercises.load("10_programs", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. Lines that compute nothing
#
# `paddle.enable_static()` switches to static mode, `paddle.disable_static()` back. `static.Program()` is an
# empty list; inside `with static.program_guard(main):` whatever is written goes into the Program `main`.
#
# Where do the numbers come from? From outside, later. `static.data("x", [-1, 3], "float32")` keeps a place for them:
# it has a name, a shape and a dtype. The −1 stands for a size that only a run tells, usually the number
# of rows.

# %% [markdown] lang="zh"
# ## 1. 什么都不计算的几行
#
# `paddle.enable_static()` 切换到静态图模式，`paddle.disable_static()` 再切换回来。`static.Program()` 是空的一
# 列；在 `with static.program_guard(main):` 里面写的，都进入 Program `main`。
#
# 那么数从哪里来？以后从外面来。`static.data("x", [-1, 3], "float32")` 给它们留一个位置（占位符）：有名字、形
# 状和数据类型。−1 表示运行时才知道的大小，通常是行数。

# %%
lesson.shown.ask()

# %%
paddle.enable_static()
main = static.Program()

with static.program_guard(main), viz.record() as building:
    x = static.data("x", [-1, 3], "float32")
    y = paddle.tanh(x * 2)

print(y)
lesson.shown.compare()

# %%
building

# %% [markdown] lang="en"
# `y` is a `Variable`: a name in a Program, and no Tensor. Paddle made the name up from the operator,
# `tanh_0.tmp_0`; a second tanh would be `tanh_1.tmp_0`. The player says `y`, as your code does. The −1 has passed through both operators, and the
# player writes it as a question mark. Step through it: each step says that an operator *is added*, and no
# box has a number in it. (`x * 2` is the operator `scale`.)
#
# So while you build, nobody can ask for a value: `float(y)` and `y.numpy()` are errors that say so. One
# question is answered all the same, and wrongly: in `if paddle.mean(y) > 0:` the comparison is a Variable
# too, Python takes it as true, and the branch is built whatever the numbers will be. (In Paddle as well.)
#
# ## 2. Feed, run, fetch
#
# `exe.run` does three things: it **feeds** arrays to the places that were kept, by their names; it runs all
# operators in their order; and it **fetches** what you ask for, as a list of NumPy arrays.

# %% [markdown] lang="zh"
# `y` 是一个**变量**（`Variable`）：Program 里的一个名字，而不是 Tensor。名字是 Paddle 按算子起的，
# `tanh_0.tmp_0`；再来一个 tanh，就是 `tanh_1.tmp_0`；播放器里按你的代码叫 `y`。−1 穿过了两个算子，播放器把它写成问号。请一步步走一遍：每
# 一步说的都是**添加**了一个算子，没有哪个方框里有数。（`x * 2` 对应的算子是 `scale`。）
#
# 所以组网的时候，谁也问不到值：`float(y)` 和 `y.numpy()` 都会报错，并说明原因。可是有一个问题照样得到了回
# 答，而且答错了：在 `if paddle.mean(y) > 0:` 里，比较的结果也是一个变量，Python 把它当作真，于是不管以后
# 是什么数，这个分支都会写进去。（Paddle 也一样。）
#
# ## 2. 输入、运行、取回
#
# `exe.run` 做三件事：按名字把数组**输入**（feed）到留好的位置；按顺序运行所有算子；把你要的**取回**（fetch），
# 给出一个 NumPy 数组的列表。

# %%
lesson.rows.ask()

# %%
exe = static.Executor()
ones = np.ones([5, 3], "float32")

with viz.record() as running:
    fetched = exe.run(main, feed={"x": ones}, fetch_list=[y])

print("fetched: | 取回：", len(fetched), fetched[0].shape)
lesson.rows.compare()

# %%
running

# %% [markdown] lang="en"
# The first two steps are the building, told once more; then comes the run. Now there are numbers, and the
# question mark has become `?=5`. There is memory, too: below the numbers of the step `tanh` two results are
# listed, at the last step only one. `tmp_0`, the result of `x * 2`, has been freed. In dynamic mode a result stays as
# long as a variable of Python or the tape holds it. Here the list is complete, so the Executor *knows*
# which operator is the last to need it.
#
# What was declared is checked before anything runs. Four feeds, each with one mistake; find it before you
# read the line.

# %% [markdown] lang="zh"
# 开头两步是组网，又讲了一遍；接着才是运行。现在有数了，问号也变成了 `?=5`。内存也有了：走到 `tanh` 那一步，数的
# 下面列着两个结果，最后一步只剩一个。`tmp_0`，也就是 `x * 2` 的结果，已经释放了。动态图里，只要 Python 的变量或者 tape
# 还留着一个结果，它就一直在。而在这里，整列算子都已写好，执行器**知道**最后用到它的是哪个算子。
#
# 声明过什么，运行之前就按它检查。下面四次输入各有一个错，先自己找出来，再读那一行。

# %%
for feed in [
    {},
    {"X": ones},
    {"x": np.ones([5, 4], "float32")},
    {"x": np.ones([5, 3])},
]:
    try:
        exe.run(main, feed=feed, fetch_list=[y])
    except ValueError as error:
        print("-", str(error).split("\n  to do")[0])
paddle.disable_static()

# %% [markdown] lang="en"
# Names count with their capitals; a row has three numbers and not four; and NumPy's own dtype is float64,
# so what is fed usually needs a `.astype("float32")`.
#
# The last line switched static mode off. From here on, each part of this lesson that needs it switches it
# on and off again. (If a cell stops between the two, run `paddle.disable_static()` yourself.) The checks of
# exercises switch it on where they need it.
#
# ## 3. Exercise: `mean_square`
#
# Build a Program of your own: two inputs, named “a” and “b”, float32, with 2 numbers in each of any number
# of rows, and from them the loss: the mean of the squares of `a - b` (`paddle.square`, `paddle.mean`).
# Return the Program and the loss.

# %% [markdown] lang="zh"
# 名字区分大小写；一行是三个数，不是四个；还有，NumPy 自己的数据类型是 float64，所以输入的数组通常要写
# `.astype("float32")`。
#
# 最后一行关掉了静态图模式。从这里起，这一课里凡是需要它的部分，都自己打开，再自己关掉。（如果哪个单元格停在了两者之间，请自己运行
# `paddle.disable_static()`。）练习的检查会在需要时自己打开。
#
# ## 3. 练习：`mean_square`
#
# 自己组一个 Program：两个输入，名字是 “a” 和 “b”，float32，每行 2 个数，行数任意；由它们算出损失：
# `a - b` 的平方的均值（`paddle.square`、`paddle.mean`）。返回这个 Program 和损失。


# %% exercise="mean_square"
def mean_square():
    """Return a Program and its loss. | 返回一个 Program 和它的损失。"""
    main = paddle.static.Program()  # answer
    with paddle.static.program_guard(main):  # answer
        a = paddle.static.data("a", [-1, 2], "float32")  # answer
        b = paddle.static.data("b", [-1, 2], "float32")  # answer
        loss = paddle.mean(paddle.square(a - b))  # answer
    return main, loss  # answer


# %% [markdown] wrong="fixed_rows"
# - a = paddle.static.data("a", [-1, 2], "float32")
# + a = paddle.static.data("a", [4, 2], "float32")

# %% [markdown] wrong="fixed_rows"
# - a = paddle.static.data("a", [-1, 2], "float32")
# + a = paddle.static.data("a", [1, 2], "float32")
# - b = paddle.static.data("b", [-1, 2], "float32")
# + b = paddle.static.data("b", [1, 2], "float32")

# %% [markdown] wrong="other_names"
# - b = paddle.static.data("b", [-1, 2], "float32")
# + b = paddle.static.data("B", [-1, 2], "float32")

# %% [markdown] wrong="outside"
# - with paddle.static.program_guard(main):
# + if True:

# %% [markdown] wrong="numpy"
# - loss = paddle.mean(paddle.square(a - b))
# + loss = np.mean(np.square(a - b))

# %% [markdown] wrong="not_squared"
# - loss = paddle.mean(paddle.square(a - b))
# + loss = paddle.mean(a - b)

# %% [markdown] wrong="summed"
# - loss = paddle.mean(paddle.square(a - b))
# + loss = paddle.sum(paddle.square(a - b))

# %% [markdown] wrong="squared_last"
# - loss = paddle.mean(paddle.square(a - b))
# + loss = paddle.square(paddle.mean(a - b))

# %% [markdown] wrong="one_of_two"
# - return main, loss
# + return main

# %% [markdown] wrong="one_of_two"
# - return main, loss
# + return loss

# %% [markdown] wrong="one_of_two"
# - return main, loss
# + return loss, main

# %% [markdown] wrong="no_return"
# - return main, loss

# %%
lesson.mean_square.check(mean_square)

# %% [markdown] lang="en"
# ## 4. Where the weights are
#
# What is fed is gone after a run. Weights must stay, and somebody has to give them their first values.
# So there are two Programs: what computes goes into the **main program**, what fills the weights goes into
# the **startup program**. A layer writes into both. `static.nn.fc(x, 3)` is a layer of three units in one
# line (“fc” means fully connected; `nn.Linear` does the same).

# %% [markdown] lang="zh"
# ## 4. 权重在哪里
#
# 输入的数据，运行之后就没有了。权重却要留着，而且得有谁给它们最初的值。所以有两个 Program：计算的进**主程
# 序**，给权重填上初始值的进**启动程序**。一个层会往两边都写。`static.nn.fc(x, 3)` 用一行写出一个三个单元的
# 层（fc 指全连接；用 `nn.Linear` 也会这样写）。

# %%
lesson.not_started.ask()

# %%
paddle.enable_static()
main, startup = static.Program(), static.Program()

with static.program_guard(main, startup):
    x = static.data("x", [-1, 2], "float32")
    y = static.nn.fc(x, 3)

two_rows = np.array([[1, 2], [3, -1]], "float32")
scope = static.Scope()
try:
    exe.run(main, feed={"x": two_rows}, fetch_list=[y], scope=scope)
except RuntimeError as error:
    print(error)
lesson.not_started.compare()

# %%
with viz.record() as started:
    exe.run(startup, scope=scope)
    exe.run(main, feed={"x": two_rows}, fetch_list=[y], scope=scope)
paddle.disable_static()

started

# %% [markdown] lang="en"
# The first step runs the startup program, which has two operators: one draws the weight at random, the other
# fills the bias with zeros.
# Their results go into the **scope**, the place where values stay from run to run. The main program finds
# them there by name. Here we made one of our own; whoever names none gets `static.global_scope()`.
#
# So run the startup program *once*, and before the first run. Run later, it starts everything again: what
# was learnt is overwritten, without a word.
#
# ## 5. The same network, twice
#
# Here is a network as you know it: two layers, made by `two_layers`, and a function `net` that computes the
# loss. Nothing in them says which mode they are for. (`Assign` gives a weight its first numbers, so that both modes
# begin with the same ones.)

# %% [markdown] lang="zh"
# 第一步运行启动程序：两个算子，一个用随机数填好权重，一个把偏置填成 0。它们的结果进入**作用域**（Scope），值在那里从一
# 次运行留到下一次；主程序按名字在那里找到它们。这里的作用域是我们自己创建的；不指定的话，用的是
# `static.global_scope()`。
#
# 所以启动程序只运行**一次**，在第一次运行主程序之前。以后再运行，一切就从头开始：学到的被覆盖，一声不吭。
#
# ## 5. 同一个网络，两次
#
# 下面是你熟悉的网络：由 `two_layers` 创建的两个层，以及算出损失的函数 `net`。里面没有一处说明是给哪种模式用
# 的。（`Assign` 指定权重最初的数，好让两种模式从相同的数开始。）


# %%
def two_layers():
    """Two layers with given weights. | 两个层，权重是给定的。"""
    first = nn.initializer.Assign(np.array([[0.5, -1.0, 0.25], [1.0, 0.5, -0.5]], "float32"))
    last = nn.initializer.Assign(np.array([[1.0], [-0.5], [2.0]], "float32"))
    return nn.Linear(2, 3, first), nn.Linear(3, 1, last)


def net(x, first, last):
    """The loss: the mean of the squared results. | 损失：结果的平方的均值。"""
    print("Python is in net. | Python 在 net 里。")
    h = paddle.tanh(first(x))
    return paddle.mean(paddle.square(last(h)))


# %%
lesson.how_often.ask()

# %%
paddle.enable_static()
main, startup = static.Program(), static.Program()
with static.program_guard(main, startup):
    loss = net(static.data("x", [-1, 2], "float32"), *two_layers())

exe.run(startup)
for turn in range(3):
    print("run: | 运行：", exe.run(main, feed={"x": two_rows}, fetch_list=[loss]))
print([op.type for op in main.global_block().ops])
paddle.disable_static()

lesson.how_often.compare()

# %% [markdown] lang="en"
# The list at the end is the whole Program, or rather its only **block**: seven operators. They are what was run three times. In the same
# way a `for` in `net` would have been unrolled while building, an `if` decided, and a random number of Python
# or NumPy drawn once for all runs.
#
# Now on the tape, with backward. Here Python *is* in `net` whenever something is computed.

# %% [markdown] lang="zh"
# 最后那个列表就是整个 Program，准确地说，是其中唯一的**块**（block）：七个算子。运行三次的就是它们。同样，假如 `net` 里有 `for`，组网时就展开了；有
# `if`，组网时就定了；有 Python 或 NumPy 的随机数，也只在组网时抽一次，每次运行都是它。
#
# 再来看 tape，连反向一起。在动态图里，每计算一次，Python 就**真的**把 `net` 运行一遍。

# %%
x = paddle.to_tensor(two_rows)
first, last = two_layers()

with viz.record() as tape:
    on_tape = net(x, first, last)
    on_tape.backward()

print("loss: | 损失：", float(on_tape))
tape

# %% [markdown] lang="en"
# The same loss. And the tape has just gone back through the operations, in the opposite order, since each of
# them had left a node. While a Program is built, nothing runs, and nothing leaves a node. How can there be a
# backward?
#
# ## 6. append_backward, watched
#
# From the list: it is complete. `static.append_backward(loss)` goes through it from the loss back to the
# front, and appends, for each operator, one that *will* compute its gradients. It computes nothing; it
# writes.

# %% [markdown] lang="zh"
# 损失一样。而 tape 刚才是按相反的顺序一个个运算走回去的，因为每个运算都留下了节点。组网的时候，什么都没有运行，也
# 没有谁留下节点。怎么会有反向呢？
#
# ## 6. 看着 append_backward 工作
#
# 靠的就是那一列算子：它是完整的。`static.append_backward(loss)` 从损失开始，沿着这一列倒着走，每经过一个算子，
# 就在末尾添上一个，**将来**由它计算那个算子的梯度。它自己什么都不计算，只是写。

# %%
lesson.how_many.ask()

# %%
paddle.enable_static()
main, startup = static.Program(), static.Program()

with static.program_guard(main, startup), viz.record() as program:
    first, last = two_layers()
    loss = net(static.data("x", [-1, 2], "float32"), first, last)
    before = len(main.global_block().ops)
    pairs = static.append_backward(loss)
    exe.run(startup)
    gradients = exe.run(main, feed={"x": two_rows}, fetch_list=[gradient for _, gradient in pairs])

print("added: | 添加：", [op.type for op in main.global_block().ops[before:]])
for (parameter, gradient), value in zip(pairs, gradients, strict=True):
    print(parameter.name, "->", gradient.name, value.shape)
paddle.disable_static()

lesson.how_many.compare()

# %%
program

# %% [markdown] lang="en"
# Watch the building first. The first step of append_backward, `fill_constant`, begins the second column, at
# the bottom: the gradient of the loss with respect to itself, the 1 from which every backward starts. Then
# each step adds one box, whose name ends in `_grad`, one row further up. After the eighth the Program is
# longer, and that is all: backward is a piece of a Program like any other.
#
# Then come the startup program and the run, straight through the list; nothing is left to decide.
#
# `append_backward` gives the pairs of parameters and gradients. A gradient is a Variable with a name, that of
# its Variable with `@GRAD` after it, and is fetched like any other: `fetch_list` takes Variables, and just as
# well their names, as strings. And the gradient of `x`? There is none:
# what `static.data` makes has `stop_gradient=True`, as data has on the tape. The last box that was added
# computes the gradient of the weight alone.
#
# Now lay the two beside each other.

# %% [markdown] lang="zh"
# 先看组网。append_backward 的第一步 `fill_constant`，在下方开始了第二列：损失对自己的梯度 1，也就是每次反向
# 的起点。然后每一步添一个方框，名字以 `_grad` 结尾，位置高一行。第八个之后，Program 变长了，如此而已：反
# 向也是 Program 的一段，和别的没有两样。
#
# 接着是启动程序，然后从头到尾把这一列运行一遍，再也没有什么要决定的了。
#
# `append_backward` 给出参数和梯度的配对。梯度也是有名字的变量，名字是原来变量的名字后面加上 `@GRAD`，取回的办
# 法也一样：`fetch_list` 里可以写变量，也可以写变量的名字（字符串）。那么 `x` 的梯度呢？
# 没有：`static.data` 创建的变量，`stop_gradient=True`，和 tape 上的数据一样。最后添加的那个方框，只计算权重的梯度。
#
# 现在把两者并排放在一起。

# %%
viz.twin(tape, program)

# %% [markdown] lang="en"
# On the left the tape, on the right the Program, and one slider for both: what lights up on one side has its partner
# on the other. All boxes match, for both modes know the same derivatives. The difference is only *when*
# the backward half comes into being: on the left while forward runs, anew each time; on the right
# once, before anything runs.
#
# ## 7. Exercise: `slope_of`
#
# `loss_of(x)` computes a loss from a Variable `x`. Build a Program with an input “x” that has the shape of
# `values` (a float32 array), and return the gradient of the loss with respect to it, at `values`, as an array.
# There is no layer, so no startup program is needed. Remember what was said of the gradient of an input.

# %% [markdown] lang="zh"
# 左边是 tape，右边是 Program，共用一个滑块：一边高亮的，另一边有与它对应的。所有方框都对应，因为两种模式用的是
# 同样的导数。不同的只是反向那一半**什么时候**产生：左边是前向运行的时候，每次都重新来；右边只有一次，在运行任
# 何东西之前。
#
# ## 7. 练习：`slope_of`
#
# `loss_of(x)` 由变量 `x` 算出损失。请组一个 Program，输入名叫 “x”，形状与 `values`（float32 数组）相同；求损
# 失在 `values` 处对它的梯度，作为数组返回。没有层，所以不需要启动程序。想一想，关于输入的梯度，上面是怎么说的。


# %% exercise="slope_of"
def slope_of(loss_of, values):
    """Return the gradient as an array. | 返回梯度，要数组。"""
    main = paddle.static.Program()  # answer
    with paddle.static.program_guard(main):  # answer
        x = paddle.static.data("x", values.shape, "float32")  # answer
        x.stop_gradient = False  # answer
        loss = loss_of(x)  # answer
        paddle.static.append_backward(loss)  # answer
    exe = paddle.static.Executor()  # answer
    [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])  # answer
    return dx  # answer


# %% [markdown] wrong="stopped"
# - x.stop_gradient = False

# %% [markdown] wrong="stopped"
# - x.stop_gradient = False
# - loss = loss_of(x)
# + loss = loss_of(x); x.stop_gradient = False

# %% [markdown] wrong="not_appended"
# - paddle.static.append_backward(loss)

# %% [markdown] wrong="misnamed"
# - [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])
# + [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@grad"])

# %% [markdown] wrong="other_program"
# - [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])
# + [dx] = exe.run(feed={"x": values}, fetch_list=["x@GRAD"])

# %% [markdown] wrong="fetched_the_loss"
# - [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])
# + [dx] = exe.run(main, feed={"x": values}, fetch_list=[loss])

# %% [markdown] wrong="from_pairs"
# - paddle.static.append_backward(loss)
# + pairs = paddle.static.append_backward(loss)
# - [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])
# + [dx] = exe.run(main, feed={"x": values}, fetch_list=[gradient for _, gradient in pairs])

# %% [markdown] wrong="from_pairs"
# - paddle.static.append_backward(loss)
# + [(_, gradient)] = paddle.static.append_backward(loss)
# - [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])
# + [dx] = exe.run(main, feed={"x": values}, fetch_list=[gradient])

# %% [markdown] wrong="from_pairs"
# - paddle.static.append_backward(loss)
# + pairs = paddle.static.append_backward(loss)
# - [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])
# + [dx] = exe.run(main, feed={"x": values}, fetch_list=[pairs[0][1]])

# %% [markdown] wrong="one_gradient"
# - [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])
# + [dx] = exe.run(main, feed={"x": values}, fetch_list=[loss.name + "@GRAD"])

# %% [markdown] wrong="a_list"
# - [dx] = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])
# + dx = exe.run(main, feed={"x": values}, fetch_list=["x@GRAD"])

# %% [markdown] wrong="no_return"
# - return dx

# %%
lesson.slope_of.check(slope_of)

# %% [markdown] lang="en"
# ## 8. A Program that trains
#
# If backward can be written down, so can the update. In static mode `optimizer.minimize(loss)` calls
# `append_backward` for you, and then appends one operator more for each parameter. It computes nothing either:
# call it while building, once, and never in the loop.

# %% [markdown] lang="zh"
# ## 8. 会训练的 Program
#
# 反向能写下来，更新也能。静态图模式下，`optimizer.minimize(loss)` 替你调用 `append_backward`，再为每个参数添上一个
# 算子。它也什么都不计算：组网时调用一次，绝不要写在循环里。

# %%
paddle.seed(7)
points = paddle.randn([32, 2])
targets = 2 * points[:, :1] - points[:, 1:] + 1.5
feed = {"x": points.numpy(), "y": targets.numpy()}

paddle.enable_static()
main, startup = static.Program(), static.Program()
with static.program_guard(main, startup):
    x = static.data("x", [-1, 2], "float32")
    y = static.data("y", [-1, 1], "float32")
    loss = nn.functional.mse_loss(static.nn.fc(x, 1), y)
    only_forward = main.clone(for_test=True)
    paddle.optimizer.SGD(learning_rate=0.1).minimize(loss)

print([op.type for op in main.global_block().ops])

# %%
exe.run(startup)
with viz.record() as training:
    for turn in range(12):
        [value] = exe.run(main, feed=feed, fetch_list=[loss])

training

# %% [markdown] lang="en"
# Twelve rounds, with the curve that you know; the building stands before the first: press ←. Within each round the player goes through the whole list, from
# `mul`, the product of matrices in the layer, to the two `sgd`: forward, backward and update in a single call. Nobody cleared gradients: each run
# computes them anew, and nothing is accumulated.
#
# Now somebody only wants to know how good the network is.

# %% [markdown] lang="zh"
# 十二轮，还有你熟悉的曲线；组网在第一轮之前，按 ← 就到。在每一轮里，播放器走过整列算子，从 `mul`（层里的矩阵乘法）到最后两个 `sgd`：前向、反向、更新，一次调用
# 就都做了。没有谁清空梯度：每次运行都重新计算，什么都不会累加。
#
# 现在有人只是想知道，这个网络怎么样了。

# %%
lesson.moves.ask()

# %%
for asked, looked_at in [("main", main), ("only_forward", only_forward)]:
    seen = [exe.run(looked_at, feed=feed, fetch_list=[loss])[0] for turn in range(3)]
    print(asked, np.round(seen, 3))
paddle.disable_static()

lesson.moves.compare()

# %% [markdown] lang="en"
# `fetch_list` says what comes back, not what runs. So before `minimize`, the cell above made a copy of the
# Program: `main.clone(for_test=True)` has the forward operators alone, with dropout and its kin in evaluation mode.
# It uses the same scope, and so the same weights: look with the one, train with the other. (A copy that is made
# after `minimize` has no update operators either, here as in Paddle; if it is made before, nobody needs to know that.)
#
# ## 9. Exercise: `train_program`
#
# You get a main program that has been through `minimize`, its startup program, its loss, and `feeds`: a
# list with one feed (a dict) for each batch. Train once with each batch, in order, and return the losses as a list of plain
# numbers.

# %% [markdown] lang="zh"
# `fetch_list` 说的是取回什么，而不是运行什么。所以上面的单元格在 `minimize` 之前复制了一份 Program：
# `main.clone(for_test=True)` 只有前向的算子，dropout 之类的也处于评估模式。作用域是共用的，权重也就是共用的：用
# 这一份看，用另一份训练。（在 `minimize` 之后复制，也不会带上更新的算子，这里和 Paddle 都如此；在它之前复制，就不必操心这一点。）
#
# ## 9. 练习：`train_program`
#
# 给你的是：已经调用过 `minimize` 的主程序，它的启动程序，它的损失，以及列表 `feeds`，里面每个字典是一批输入。
# 请按顺序用每一批训练一次，返回各批的损失：一个列表，里面是普通的数。


# %% exercise="train_program"
def train_program(main, startup, loss, feeds):
    """Train once with each feed; return the losses. | 每份输入训练一次；返回各次的损失。"""
    exe = paddle.static.Executor()  # answer
    exe.run(startup)  # answer
    losses = []  # answer
    for feed in feeds:  # answer
        [value] = exe.run(main, feed=feed, fetch_list=[loss])  # answer
        losses.append(float(value))  # answer
    return losses  # answer


# %% [markdown] wrong="never_started"
# - exe.run(startup)

# %% [markdown] wrong="started_again"
# - [value] = exe.run(main, feed=feed, fetch_list=[loss])
# + exe.run(startup); [value] = exe.run(main, feed=feed, fetch_list=[loss])

# %% [markdown] wrong="started_again"
# - [value] = exe.run(main, feed=feed, fetch_list=[loss])
# + [value] = exe.run(main.clone(for_test=True), feed=feed, fetch_list=[loss])

# %% [markdown] wrong="same_batch"
# - [value] = exe.run(main, feed=feed, fetch_list=[loss])
# + [value] = exe.run(main, feed=feeds[0], fetch_list=[loss])

# %% [markdown] wrong="run_twice"
# - [value] = exe.run(main, feed=feed, fetch_list=[loss])
# + exe.run(main, feed=feed); [value] = exe.run(main, feed=feed, fetch_list=[loss])

# %% [markdown] wrong="minimized_again"
# - losses = []
# + losses = []; guard = paddle.static.program_guard(main, startup)
# - [value] = exe.run(main, feed=feed, fetch_list=[loss])
# + with guard: paddle.optimizer.SGD(0.1).minimize(loss); [value] = exe.run(main, feed=feed, fetch_list=[loss])

# %% [markdown] wrong="minimized_again"
# - exe.run(startup)
# + paddle.optimizer.SGD(0.1).minimize(loss); exe.run(startup)

# %% [markdown] wrong="not_all"
# - losses.append(float(value))
# + losses.append(float(value)); return losses

# %% [markdown] wrong="the_list"
# - [value] = exe.run(main, feed=feed, fetch_list=[loss])
# + value = exe.run(main, feed=feed, fetch_list=[loss])

# %% [markdown] wrong="arrays"
# - losses.append(float(value))
# + losses.append(value)

# %% [markdown] wrong="no_return"
# - return losses

# %%
lesson.train_program.check(train_program)

# %% [markdown] lang="en"
# ## What you can do now
#
# | | dynamic mode | static mode |
# |---|---|---|
# | a line such as `paddle.tanh(x)` | computes | adds an operator |
# | what it gives | a Tensor with numbers | a Variable: name, shape, dtype |
# | Python runs | in every round | once, while building |
# | data comes in | by `paddle.to_tensor` | by `feed`, under a name |
# | numbers come out | `y.numpy()` | `fetch_list=[y]` |
# | weights are filled | when the layer is made | by the startup program, into the scope |
# | backward | `loss.backward()` walks the tape | `append_backward(loss)` adds operators |
# | an update | `step()` and `clear_grad()` | operators that `minimize(loss)` has added |
#
# Beyond the table:
#
# - You can build a Program, feed it batches of any size, and read the errors of a wrong feed.
# - You can say why a `print` or an `if` in a network does something else while a Program is built.
# - You can watch how backward is written, operator by operator, and find each gradient by its name.
# - You can lay the tape and the Program of one network beside each other, by `viz.twin`.
# - You know that every run of a training Program trains, and how to look without training.
#
# All of these operators are Paddle's. How one of your own gets in among them, lesson 11 shows:
# `11_py_func.ipynb`.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# | | 动态图 | 静态图 |
# |---|---|---|
# | `paddle.tanh(x)` 这样的一行 | 计算 | 添加一个算子 |
# | 得到的 | 带数的 Tensor | 变量：名字、形状、数据类型 |
# | Python 运行 | 每一轮 | 一次，组网时 |
# | 数据进来 | `paddle.to_tensor` | 按名字用 `feed` 输入 |
# | 取出数值 | `y.numpy()` | `fetch_list=[y]` |
# | 权重的初始值 | 创建层的时候 | 由启动程序填到作用域里 |
# | 反向 | `loss.backward()` 沿着 tape 走回去 | `append_backward(loss)` 添加算子 |
# | 更新 | `step()` 和 `clear_grad()` | `minimize(loss)` 添加的算子 |
#
# 表格之外：
#
# - 能组一个 Program，输入任意大小的一批数据，也读得懂输入不对时的报错。
# - 能说出网络里的 `print` 或 `if`，在组网时为什么是另一回事。
# - 能一个算子一个算子地看反向怎样写出来，并按名字找到每个梯度。
# - 能用 `viz.twin` 把同一个网络的 tape 和 Program 并排放在一起。
# - 知道训练用的 Program 每运行一次就训练一次，也知道怎样只看不训练。
#
# 这些算子都是 Paddle 的。怎样把自己的也放进去，见第 11 课 `11_py_func.ipynb`。
