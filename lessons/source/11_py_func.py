# %% [markdown] lang="en"
# # Lesson 11: py_func: NumPy inside a Program
#
# A Program is a list of operators, and all of them are Paddle's. What if you need something that Paddle does
# not have: a function from NumPy, a table, old code of your own? In dynamic mode you write a PyLayer. In a
# Program its counterpart is **`static.py_func`**: it adds an operator that calls *your* Python function
# whenever the Program runs. It may have a backward, and it need not have a result: then it
# only looks, which is how one debugs a running network.
#
# It takes about 45 minutes. You need lesson 10 (Programs, feed and fetch, `append_backward`) and the rules of
# lesson 5.

# %% [markdown] lang="zh"
# # 第 11 课：py_func：Program 里的 NumPy
#
# Program 是一列算子，而且都是 Paddle 的。如果要用的东西 Paddle 没有呢？比如 NumPy 的一个函数、一张表、自己以前
# 写的代码。动态图里，可以写一个 PyLayer。在 Program 里，与它对应的是 **`static.py_func`**：它添加一个算子，每次
# 运行 Program，就调用**你的** Python 函数。它可以有反向，也可以没有结果：那样它只是看一看，调试运行中的网络，
# 用的就是这个办法。
#
# 全程大约 45 分钟。需要第 10 课的 Program、feed、fetch 和 `append_backward`，以及第 5 课的规则。

# %%
import warnings

import minipaddle as paddle
import numpy as np
import viz
from minipaddle import exercises, nn, static
from minipaddle.autograd import PyLayer

lesson = exercises.load("11_py_func", lang="en | zh")
viz.set_lang("en | zh")
exe = static.Executor()
rows = np.array([[0.5, -1, 2], [1, 0, -0.5]], "float32")

# %% [markdown] lang="en"
# ## 1. An operator of your own
#
# NumPy computes at once, and a Variable has no numbers yet. So inside a Program this cannot work:

# %% [markdown] lang="zh"
# ## 1. 自己的算子
#
# NumPy 马上就要计算，变量却还没有数。所以在 Program 里，这样写是不行的：

# %%
paddle.enable_static()
main = static.Program()
with static.program_guard(main):
    x = static.data("x", [-1, 3], "float32")
    try:
        np.tanh(x)
    except TypeError as error:
        print(error)

# %% [markdown] lang="en"
# `static.py_func(func, x, out)` writes the call down instead of making it: “here `func` is to be called with the
# numbers of `x`; what it returns is `out`”. So `out` has to be there before, and you make it yourself, with
# shape and dtype: `create_var` adds a Variable to `x.block`, the list in which `x` stands. Paddle finds shapes and
# dtypes out for its own operators, but what *your* function is going to return, nobody can know before it runs.

# %% [markdown] lang="zh"
# `static.py_func(func, x, out)` 不调用，而是把这次调用写下来：“到这里，用 `x` 的数调用 `func`，返回的就是 `out`”。
# 所以 `out` 得事先就有，要由你自己创建，并给出形状和数据类型：`create_var` 往 `x.block`，也就是 `x` 所在的那个列表里，
# 添加一个变量。对自己的算子，Paddle 推断得出这些；可**你的**函数会返回什么，在它运行之前，谁也不知道。

# %%
lesson.calls.ask()


# %%
def tanh(x):
    print("Python is in tanh. | Python 在 tanh 里。")
    return np.tanh(x)


with static.program_guard(main), viz.record() as called:
    y = x.block.create_var(name="y", shape=x.shape, dtype=x.dtype)
    static.py_func(tanh, x, y)
    for turn in range(3):
        fetched = exe.run(main, feed={"x": rows}, fetch_list=[y])
paddle.disable_static()

print(fetched)
lesson.calls.compare()

# %%
called

# %% [markdown] lang="en"
# Compare with lesson 10, where a `print` in the network was heard once, while building. What stands *beside* the
# operators runs once; what stands *in* one runs every time. The player draws the operator open: what goes into your
# function, and what comes out. Under “NumPy” it sees no further.
#
# It has its price. A Program with a py_func in it needs Python, and your function, wherever it runs.
#
# ## 2. What comes in, and what goes out
#
# Your function is not given arrays, but `DenseTensor`s: the form in which an Executor keeps its numbers. NumPy's
# functions take them as they are. Anything else wants an array, made by `np.array(x)`. Here is what happens
# without:

# %% [markdown] lang="zh"
# 和第 10 课比一比：那时网络里的 `print` 只在组网时响一次。写在算子**旁边**的，运行一次；写在算子**里面**的，每次都
# 运行。播放器把这个算子打开来画：进入函数的，和出来的。“NumPy”里面，它就看不见了。
#
# 这是有代价的：里面有 py_func 的 Program，到哪里运行，都需要 Python，也需要你的函数。
#
# ## 2. 进来的和出去的
#
# 交给函数的不是数组，而是 `DenseTensor`，执行器就是用它来存放数的。NumPy 的函数可以直接用它。别的用法都需要数组，
# 由 `np.array(x)` 得到。没有这一步会怎样，请看：


# %%
def plus_one(x):
    print(x)
    return x + 1


paddle.enable_static()
main = static.Program()
with static.program_guard(main):
    x = static.data("x", [-1, 3], "float32")
    static.py_func(plus_one, x, x.block.create_var(name="y", shape=x.shape, dtype=x.dtype))
try:
    exe.run(main, feed={"x": rows})
except TypeError as error:
    print(error)
paddle.disable_static()

# %% [markdown] lang="en"
# The error comes out of `exe.run` just as it was raised, as every exception in there does, in Paddle too. Its last
# line says where in your function that was.
#
# And what if the function returns something else than was declared? `sums` gives one number for each row. Let
# `out` be declared like `x`, with rows of three.

# %% [markdown] lang="zh"
# 错误从 `exe.run` 里原样出来，函数里的任何异常都是这样，在 Paddle 里也是。最后一行说的是它出在你函数的哪一行。
#
# 如果函数返回的和声明的不一样呢？`sums` 给每行一个数，而 `out` 声明得和 `x` 一样，每行三个。

# %%
lesson.declared.ask()


# %%
def sums(x):
    return np.array(x).sum(axis=1)


paddle.enable_static()
main = static.Program()
with static.program_guard(main):
    x = static.data("x", [-1, 3], "float32")
    s = x.block.create_var(name="s", shape=x.shape, dtype=x.dtype)
    static.py_func(sums, x, s)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    print(exe.run(main, feed={"x": rows}, fetch_list=[s]))
paddle.disable_static()

print("warning: | 警告：", told[0].message)
lesson.declared.compare()

# %% [markdown] lang="en"
# What was declared is believed while the Program is built: every operator behind has taken its shapes from it.
# What was returned is used when it runs. Here the first run warns; Paddle 3.3.1 says nothing. So declare what
# you return.
#
# Several inputs stand in a list, several outputs too. Then `func` has a parameter for each input, and
# returns a value for each output, in the same order. What py_func itself gives back is what you passed as `out`.
#
# ## 3. Exercise: `polar`
#
# `x` and `y` are Variables of one shape: the coordinates of points. Add *one* operator that gives two outputs:
# the distance of each point from the origin, the root (`np.sqrt`) of x² + y² (`np.square`), and its angle,
# `np.arctan2(y, x)` (mind the order). Both outputs have the shape and the dtype of `x`. Return them in a list.
# (Without `name=` Paddle makes one up, so `polar` can be used more than once.)

# %% [markdown] lang="zh"
# 组网的时候，相信的是声明：后面的算子，形状都由它而来。运行的时候，用的是返回的。这里第一次运行会警告；Paddle 3.3.1 一声
# 不吭。所以返回什么，就声明什么。
#
# 有几个输入，就写成列表，几个输出也一样。这时 `func` 对每个输入有一个参数，对每个输出返回一个值，顺序相同。py_func 自己
# 返回的，就是你作为 `out` 传进去的。
#
# ## 3. 练习：`polar`
#
# `x` 和 `y` 是形状相同的变量，是一些点的坐标。请添加**一个**算子，它有两个输出：每个点到原点的距离，
# 即 x² + y²（`np.square`）的平方根（`np.sqrt`），以及它的角 `np.arctan2(y, x)`（注意顺序）。两个输出的形状和数据类型都与 `x` 相同。返回这两个输
# 出，要一个列表。（不写 `name=`，Paddle 就自己起名，这样 `polar` 可以不止用一次。）


# %% exercise="polar"
def polar(x, y):
    """Return two Variables: distance and angle. | 返回两个变量：距离和角。"""

    def distance_and_angle(x, y):  # answer
        return np.sqrt(np.square(x) + np.square(y)), np.arctan2(y, x)  # answer

    r = x.block.create_var(shape=x.shape, dtype=x.dtype)  # answer
    a = x.block.create_var(shape=x.shape, dtype=x.dtype)  # answer
    return paddle.static.py_func(distance_and_angle, [x, y], [r, a])  # answer


# %% [markdown] wrong="turned_arguments"
# - return np.sqrt(np.square(x) + np.square(y)), np.arctan2(y, x)
# + return np.hypot(x, y), np.arctan2(x, y)

# %% [markdown] wrong="turned_outputs"
# - return np.sqrt(np.square(x) + np.square(y)), np.arctan2(y, x)
# + return np.arctan2(y, x), np.hypot(x, y)

# %% [markdown] wrong="no_arrays"
# - return np.sqrt(np.square(x) + np.square(y)), np.arctan2(y, x)
# + return (x * x + y * y) ** 0.5, np.arctan2(y, x)

# %% [markdown] wrong="at_once"
# - return paddle.static.py_func(distance_and_angle, [x, y], [r, a])
# + return paddle.static.py_func(distance_and_angle(x, y), [x, y], [r, a])

# %% [markdown] wrong="at_once"
# - return paddle.static.py_func(distance_and_angle, [x, y], [r, a])
# + return [np.hypot(x, y), np.arctan2(y, x)]

# %% [markdown] wrong="not_listed"
# - return paddle.static.py_func(distance_and_angle, [x, y], [r, a])
# + return paddle.static.py_func(distance_and_angle, [x, y], r, a)

# %% [markdown] wrong="one_parameter"
# - def distance_and_angle(x, y):
# + def distance_and_angle(points):

# %% [markdown] wrong="no_numbers"
# - return np.sqrt(np.square(x) + np.square(y)), np.arctan2(y, x)
# + return r, a

# %% [markdown] wrong="one_value"
# - return np.sqrt(np.square(x) + np.square(y)), np.arctan2(y, x)
# + return np.hypot(x, y)

# %% [markdown] wrong="one_output"
# - return paddle.static.py_func(distance_and_angle, [x, y], [r, a])
# + return paddle.static.py_func(np.hypot, [x, y], r)

# %% [markdown] wrong="one_variable"
# - a = x.block.create_var(shape=x.shape, dtype=x.dtype)
# + a = r

# %% [markdown] wrong="fixed_rows"
# - r = x.block.create_var(shape=x.shape, dtype=x.dtype)
# + r = x.block.create_var(shape=[3, 2], dtype=x.dtype)

# %% [markdown] wrong="two_operators"
# - return paddle.static.py_func(distance_and_angle, [x, y], [r, a])
# + return [paddle.static.py_func(np.hypot, [x, y], r), paddle.static.py_func(np.arctan2, [y, x], a)]

# %% [markdown] wrong="no_return"
# - return paddle.static.py_func(distance_and_angle, [x, y], [r, a])
# + paddle.static.py_func(distance_and_angle, [x, y], [r, a])

# %%
lesson.polar.check(polar)

# %% [markdown] lang="en"
# ## 4. Backwards
#
# How is Paddle to differentiate a Python function? It cannot. Let us see what `append_backward` makes of it:
# two layers, and a py_func between them. Each layer has a weight and a bias.

# %% [markdown] lang="zh"
# ## 4. 反向
#
# 一个 Python 函数，Paddle 怎么求导？它求不了。看看 `append_backward` 会怎么办：两个层，中间是一个 py_func。每个层有
# 一个权重和一个偏置。

# %%
lesson.pairs.ask()


# %%
def tanh(x):
    return np.tanh(x)


paddle.enable_static()
with static.program_guard(static.Program(), static.Program()):
    x = static.data("x", [-1, 2], "float32")
    h = static.nn.fc(x, 3)
    y = h.block.create_var(name="y", shape=h.shape, dtype=h.dtype)
    static.py_func(tanh, h, y)
    loss = paddle.mean(static.nn.fc(y, 1))
    pairs = static.append_backward(loss)
paddle.disable_static()

print([parameter.name for parameter, _ in pairs])
lesson.pairs.compare()

# %% [markdown] lang="en"
# No error, no warning: `append_backward` ends at the py_func, and the first layer would never learn. A gradient
# goes on only if you say how: `backward_func=...`, a second Python function. It is called with, in this order,
#
# 1. the **inputs** of `func`,
# 2. then its **outputs**,
# 3. then the **gradients of the outputs**,
#
# and returns a gradient for each input. For one input and one output that is `(x, y, dy)`. What a PyLayer has
# to save for itself, a py_func gets unasked; and the gradients, which come first there, come last here.
#
# Here is lesson 1's tanh as a py_func, and beside it the PyLayer of that lesson.

# %% [markdown] lang="zh"
# 不报错，也不警告：`append_backward` 到 py_func 就停了，第一个层永远也学不到东西。要让梯度走下去，得由你说明怎么走：
# `backward_func=...`，又一个 Python 函数。调用它的时候，依次传入：
#
# 1. `func` 的**输入**，
# 2. 然后是它的**输出**，
# 3. 然后是**输出的梯度**，
#
# 它要为每个输入返回一个梯度。一个输入、一个输出，就是 `(x, y, dy)`。PyLayer 要自己保存的，py_func 不用说就会拿到；
# 在那里梯度是最先来的，在这里最后来。
#
# 下面是第 1 课的 tanh，写成 py_func；旁边是那一课的 PyLayer。


# %%
def tanh_grad(x, y, dy):
    y, dy = np.array(y), np.array(dy)
    return dy * (1 - y * y)


paddle.enable_static()
main = static.Program()
with static.program_guard(main), viz.record() as program:
    x = static.data("x", [-1, 3], "float32")
    x.stop_gradient = False
    h = x * 2
    y = h.block.create_var(name="y", shape=h.shape, dtype=h.dtype)
    static.py_func(tanh, h, y, backward_func=tanh_grad)
    loss = paddle.mean(paddle.square(y))
    static.append_backward(loss)
    [by_py_func] = exe.run(main, feed={"x": rows}, fetch_list=["x@GRAD"])
paddle.disable_static()


class cus_tanh(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - y * y)


x = paddle.to_tensor(rows, stop_gradient=False)
with viz.record() as tape:
    y = cus_tanh.apply(x * 2)
    paddle.mean(paddle.square(y)).backward()

print("the same gradient: | 梯度相同：", np.allclose(x.grad.numpy(), by_py_func))
viz.twin(tape, program)

# %% [markdown] lang="en"
# Outside the two frames they agree box by box. On the right,
# three wires lead into `tanh_grad`, from left to right in the order of its arguments. On the left, one dashed wire brings what the layer had saved, and the gradient comes from below.
#
# The other rules are those of a PyLayer: a gradient has the shape of its input; for an input that wants none (data,
# as a rule) None is returned; and there are as many gradients as inputs, however many outputs there are. If
# the loss does not depend on one of the outputs, its gradient arrives as None, as Paddle's
# page says (Paddle 3.3.1 itself passes zeros).
#
# ## 5. Exercise: `polar_grad`
#
# Write the `backward_func` of your `polar`: two inputs, two outputs, nothing is left out. Written as
# `*given`, its parameters arrive as one tuple, so their order is for you to say. The formulas, with
# r for the distance and a for the angle:
#
# $$dx = dr \cdot \frac{x}{r} - da \cdot \frac{y}{r^2} \qquad dy = dr \cdot \frac{y}{r} + da \cdot \frac{x}{r^2}$$

# %% [markdown] lang="zh"
# 两个框以外，一个方框一个方框，都对得上。右边，有三条连线通到
# `tanh_grad`，从左到右就是参数的顺序。左边，一条虚线送来那个层保存过的，梯度从下面来。
#
# 其余的规则和 PyLayer 一样：梯度的形状与它的输入相同；不要梯度的输入（数据通常如此），返回 None；返回的梯度与输入
# 一样多，不管有几个输出。如果损失与某个输出无关，它的梯度就是 None，Paddle 的文档是这么说的（Paddle 3.3.1 实际
# 传入的是 0）。
#
# ## 5. 练习：`polar_grad`
#
# 请写出 `polar` 的 `backward_func`：两个输入，两个输出，一样也不跳过。参数写成 `*given`，就全都装在一个元组里，顺序要
# 由你来说。公式如下，r 是距离，a 是角：
#
# $$dx = dr \cdot \frac{x}{r} - da \cdot \frac{y}{r^2} \qquad dy = dr \cdot \frac{y}{r} + da \cdot \frac{x}{r^2}$$


# %% exercise="polar_grad"
def polar_grad(*given):
    """Return the gradients of x and y, as arrays. | 返回 x 和 y 的梯度，要数组。"""
    x, y, r, a, dr, da = map(np.array, given)  # answer
    return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2  # answer


# %% [markdown] wrong="gradients_first"
# - x, y, r, a, dr, da = map(np.array, given)
# + dr, da, x, y, r, a = map(np.array, given)

# %% [markdown] wrong="outputs_first"
# - x, y, r, a, dr, da = map(np.array, given)
# + r, a, x, y, dr, da = map(np.array, given)

# %% [markdown] wrong="gradients_between"
# - x, y, r, a, dr, da = map(np.array, given)
# + x, y, dr, da, r, a = map(np.array, given)

# %% [markdown] wrong="no_outputs"
# - x, y, r, a, dr, da = map(np.array, given)
# + x, y, dr, da = map(np.array, given); r = np.hypot(x, y)

# %% [markdown] wrong="not_arrays"
# - x, y, r, a, dr, da = map(np.array, given)
# + x, y, r, a, dr, da = given

# %% [markdown] wrong="one_gradient"
# - return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2
# + return dr * x / r - da * y / r**2

# %% [markdown] wrong="too_many_gradients"
# - return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2
# + return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2, None, None

# %% [markdown] wrong="turned"
# - return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2
# + return dr * y / r + da * x / r**2, dr * x / r - da * y / r**2

# %% [markdown] wrong="distance_alone"
# - return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2
# + return dr * x / r, dr * y / r

# %% [markdown] wrong="no_gradients"
# - return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2

# %%
lesson.polar_grad.check(polar_grad)

# %% [markdown] lang="en"
# ## 6. What backward does not need
#
# `tanh_grad` never looks at `x`. It is handed over all the same, so the Executor has to keep it until then.
# `skip_vars_in_backward_input=h` says: leave this one out. The argument takes Variables, one or a list, from
# among the inputs and outputs; gradients cannot be left out. The rest moves up, in the same order.

# %% [markdown] lang="zh"
# ## 6. 反向用不到的
#
# `tanh_grad` 根本不看 `x`。可它还是会被传进来，执行器也就只好一直留着它。`skip_vars_in_backward_input=h` 的意思
# 是：这一个不要传。这个参数接收变量，一个或者一个列表，必须是输入或输出里的；梯度不能跳过。剩下的依次往前
# 移，顺序不变。

# %%
lesson.skipped_two.ask()


# %%
def polar_of(x, y):
    return np.hypot(x, y), np.arctan2(y, x)


def show_what_comes(*given):
    print("comes: | 传入：", *map(np.array, given))
    return np.zeros([1], "float32"), np.zeros([1], "float32")


paddle.enable_static()
main = static.Program()
with static.program_guard(main):
    x, y = (static.data(name, [1], "float32") for name in ("x", "y"))
    x.stop_gradient = y.stop_gradient = False
    r, a = (x.block.create_var(name=name, shape=[1], dtype="float32") for name in ("r", "a"))
    static.py_func(polar_of, [x, y], [r, a], show_what_comes, skip_vars_in_backward_input=[x, r])
    static.append_backward(paddle.mean(10 * r + 20 * a))
exe.run(main, feed={"x": np.float32([3]), "y": np.float32([4])}, fetch_list=["x@GRAD"])
paddle.disable_static()

lesson.skipped_two.compare()

# %% [markdown] lang="en"
# `x` is 3 and `r` is 5, and neither has come: what came are `y`, the 4, the angle `a`, and the gradients 10 and 20.
#
# Is it worth the trouble? Four layers of a multiplication and a tanh, on 256 numbers: 1 KiB for each result.
# Between forward and backward all eight results are kept: four `h`, four `y`.

# %% [markdown] lang="zh"
# `x` 是 3，`r` 是 5，两个都没有传进来：传入的是 `y`，也就是 4，角 `a`，还有梯度 10 和 20。
#
# 值得这么麻烦吗？下面有四层，每层一个乘法、一个 tanh，作用在 256 个数上，每个结果 1 KiB。在前向和反向之间，八个结果
# 都留着：四个 `h`，四个 `y`。

# %%
lesson.kept_results.ask()


# %%
def tanh_grad_of_y(y, dy):
    y, dy = np.array(y), np.array(dy)
    return dy * (1 - y * y)


def four_layers(skipping):
    """Build and run four layers. | 组网并运行四层。"""
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [256], "float32")
        x.stop_gradient = False
        y = x
        for n in range(4):
            h = y * 2
            y = h.block.create_var(name=f"y{n}", shape=h.shape, dtype=h.dtype)
            if skipping:
                static.py_func(tanh, h, y, tanh_grad_of_y, skip_vars_in_backward_input=h)
            else:
                static.py_func(tanh, h, y, tanh_grad)
        static.append_backward(paddle.mean(y))
    exe.run(main, feed={"x": np.ones(256, "float32")}, fetch_list=["x@GRAD"])


paddle.enable_static()
with viz.record() as everything:
    four_layers(skipping=False)
with viz.record() as skipping:
    four_layers(skipping=True)
paddle.disable_static()

lesson.kept_results.compare()

# %%
everything

# %%
skipping

# %% [markdown] lang="en"
# Click each player and press m, as in lesson 8. Above, eight bars reach from forward into backward. Below, every
# other one is short: `tmp_0`, the first `h`, is freed as soon as `tanh` has been called with it. At
# the widest place it was 10 KiB, and is now 6. In the lower picture the box of what was left out is struck through.
#
# ## 7. Exercise: `own_sigmoid`
#
# Add the sigmoid, 1 / (1 + e⁻ˣ), as an operator with a backward of its own, and return its output. Its derivative is
# `y * (1 - y)`, so backward needs the output and not the input: leave `x` out.

# %% [markdown] lang="zh"
# 点一下每个播放器，按 m，和第 8 课一样。上面那个，有八条横条从前向一直伸到反向。下面那个，每隔一条就有一条很短：
# 第一个 `h`，也就是 `tmp_0`，`tanh` 一用完就释放了。最宽的地方，原来是 10 KiB，现在是 6 KiB。在下面那幅图里，
# 没有传入的那个，方框上划了一道线。
#
# ## 7. 练习：`own_sigmoid`
#
# 请把 sigmoid，也就是 1 / (1 + e⁻ˣ)，添加为一个算子，反向也由你来写，返回它的输出。它的导数是 `y * (1 - y)`，所以反
# 向需要的是输出，不是输入：请跳过 `x`。


# %% exercise="own_sigmoid"
def own_sigmoid(x):
    """Return the sigmoid of x, a Variable. | 返回 x 的 sigmoid，是一个变量。"""

    def forward(x):  # answer
        return 1 / (1 + np.exp(-np.array(x)))  # answer

    def backward(y, dy):  # answer
        y, dy = np.array(y), np.array(dy)  # answer
        return dy * y * (1 - y)  # answer

    y = x.block.create_var(shape=x.shape, dtype=x.dtype)  # answer
    return paddle.static.py_func(forward, x, y, backward, skip_vars_in_backward_input=x)  # answer


# %% [markdown] wrong="kept_x"
# - def backward(y, dy):
# + def backward(x, y, dy):
# - return paddle.static.py_func(forward, x, y, backward, skip_vars_in_backward_input=x)
# + return paddle.static.py_func(forward, x, y, backward)

# %% [markdown] wrong="one_too_many"
# - return paddle.static.py_func(forward, x, y, backward, skip_vars_in_backward_input=x)
# + return paddle.static.py_func(forward, x, y, backward)

# %% [markdown] wrong="one_missing"
# - def backward(y, dy):
# + def backward(x, y, dy):

# %% [markdown] wrong="skipped_the_output"
# - return paddle.static.py_func(forward, x, y, backward, skip_vars_in_backward_input=x)
# + return paddle.static.py_func(forward, x, y, backward, skip_vars_in_backward_input=y)

# %% [markdown] wrong="dy_first"
# - def backward(y, dy):
# + def backward(dy, y):

# %% [markdown] wrong="without_dy"
# - return dy * y * (1 - y)
# + return y * (1 - y)

# %% [markdown] wrong="without_backward"
# - return paddle.static.py_func(forward, x, y, backward, skip_vars_in_backward_input=x)
# + return paddle.static.py_func(forward, x, y)

# %% [markdown] wrong="no_array"
# - y, dy = np.array(y), np.array(dy)

# %% [markdown] wrong="fixed_rows"
# - y = x.block.create_var(shape=x.shape, dtype=x.dtype)
# + y = x.block.create_var(shape=[2, 3], dtype=x.dtype)

# %% [markdown] wrong="nothing_back"
# - return paddle.static.py_func(forward, x, y, backward, skip_vars_in_backward_input=x)
# + paddle.static.py_func(forward, x, y, backward, skip_vars_in_backward_input=x)

# %%
lesson.own_sigmoid.check(own_sigmoid)

# %% [markdown] lang="en"
# ## 8. Looking into a running network
#
# In dynamic mode you debug with `print(h)`. A Program has no such line, and `fetch_list` gives you the numbers
# only after the run is over. A py_func with **`out=None`** stands in the middle: it gets the numbers at its
# place in the list, and gives nothing back. Nobody fetches it, and it runs all the same, as all operators do.
#
# One trap. The network below looks at the result of each layer, and says which layer it is.

# %% [markdown] lang="zh"
# ## 8. 看一看运行中的网络
#
# 动态图里，用 `print(h)` 就能调试。Program 里没有这样的一行，而 `fetch_list` 要等运行完了才给出数。**`out=None`** 的
# py_func 就站在中间：轮到它的时候，它拿到那里的数，什么也不返回。没有谁取回它，它照样运行，和所有算子一样。
#
# 有一个陷阱。下面的网络，每一层的结果都看一看，并说出是第几层。

# %%
lesson.which_layer.ask()

# %%
paddle.enable_static()
main = static.Program()
with static.program_guard(main):
    h = static.data("x", [2], "float32")
    for layer in range(3):
        h = h * 2
        static.py_func(lambda value: print(layer, np.array(value)), h, None)
exe.run(main, feed={"x": np.float32([1, -1])})
paddle.disable_static()

lesson.which_layer.compare()

# %% [markdown] lang="en"
# The numbers are right, the names are not: all three functions ask for `layer` when they are *called*, and by
# then the loop is over. It is the difference between building and running once more. The way out is a
# function that makes the function: then each has a `name` of its own. (Python's usual trick, a default value `lambda value, layer=layer:`, works
# here and not in Paddle 3.3.1, which wants an input for every parameter.)
#
# Now in earnest. A network with a logarithm is trained, and the loss is not a number any more. (`half`
# lets each weight begin at 0.5.)

# %% [markdown] lang="zh"
# 数是对的，名字不对：三个函数都是在**被调用**时才去找 `layer`，而那时循环早已结束。又是组网与运行的区别。办法是写一个
# 制造函数的函数：这样每一个都有自己的 `name`。（Python 里常用的窍门，默认值 `lambda value, layer=layer:`，这里可
# 以用，Paddle 3.3.1 里不行：那里每个参数都要有一个输入。）
#
# 现在来真的。训练一个带对数的网络，损失变得不是数了。（`half` 让每个权重从 0.5 开始。）


# %%
def look(name, variable):
    """Print the range of a Variable in every run. | 每次运行时打印变量的范围。"""

    def print_range(value):
        value = np.array(value)
        print(f"  {name:6} {value.min():6.3f} ... {value.max():6.3f}")

    static.py_func(print_range, variable, None)


paddle.enable_static()
main, startup = static.Program(), static.Program()
with static.program_guard(main, startup):
    x = static.data("x", [-1, 2], "float32")
    half = paddle.ParamAttr(initializer=nn.initializer.Constant(0.5))
    h = static.nn.fc(x, 1, weight_attr=half)
    p = nn.functional.relu(h)
    log_p = paddle.log(p)
    loss = paddle.mean(paddle.square(log_p + 1))
    for name, variable in [("h", h), ("p", p), ("log_p", log_p)]:
        look(name, variable)
    paddle.optimizer.SGD(learning_rate=0.2).minimize(loss)

feed = {"x": np.float32([[1, 2], [2, 1], [3, 1], [0.3, 0.4]])}
exe.run(startup)
with viz.record() as looked_at:
    for turn in range(1, 4):
        [value] = exe.run(main, feed=feed, fetch_list=[loss])
        print(f"round {turn} loss {value} | 第 {turn} 轮 损失 {value}")
paddle.disable_static()

# %% [markdown] lang="en"
# The losses alone are 1.7, inf, nan. Read the lines above each of them: in round 2 every `h` has fallen below 0 (the
# learning rate is too large). relu makes 0 of it, and the logarithm of 0 is −inf. From round 3 on the weights
# themselves are nan, and nothing can be learnt from looking there.

# %% [markdown] lang="zh"
# 光看损失，是 1.7、inf、nan。请读它们上面的几行：在第 2 轮，所有的 `h` 都落到了 0 以下（学习率太大）。relu 把它们
# 变成 0，而 0 的对数是 −inf。从第 3 轮起，连权重都是 nan，再看也看不出什么了。

# %%
looked_at

# %% [markdown] lang="en"
# While you record, “2 problems” says the same. A py_func says it in every run, recorded or not, in Paddle too. It
# can do anything that Python can: keep numbers for a curve, write a file, or stop where it begins, with
# `assert np.isfinite(value).all(), name`. And the network does not notice: no gradient goes through it.
#
# ## 9. Exercise: `look_at`
#
# `variables` is a list of Variables, and `seen` an empty list. Add what it takes that every run appends to `seen`, for
# each of them, a pair: its name (`variable.name`), and its largest absolute value as a plain number, `np.abs`
# and `float`.

# %% [markdown] lang="zh"
# 录制的时候，“2 个问题”说的是同一件事。而 py_func 每次运行都会说，不管有没有录制，在 Paddle 里也一样。Python 能做的，它
# 都能做：把数留下来画曲线，写进文件，或者用 `assert np.isfinite(value).all(), name` 在出问题的地方停下来。网络则毫
# 无察觉：没有梯度从它这里经过。
#
# ## 9. 练习：`look_at`
#
# `variables` 是变量的列表，`seen` 是一个空列表。请添加需要的算子，让每次运行都为每个变量往 `seen` 里添一对：它的名字
# （`variable.name`），以及它的绝对值里最大的，要普通的数，用 `np.abs` 和 `float`。


# %% exercise="look_at"
def look_at(variables, seen):
    """Let every run append (name, largest) to seen. | 让每次运行都往 seen 里添 (名字, 最大值)。"""

    def look(variable):  # answer
        def note(value):  # answer
            seen.append((variable.name, float(np.abs(value).max())))  # answer

        paddle.static.py_func(note, variable, None)  # answer

    for variable in variables:  # answer
        look(variable)  # answer


# %% [markdown] wrong="late"
# - for variable in variables:
# - look(variable)
# - def look(variable):
# + for variable in variables:

# %% [markdown] wrong="gave_back"
# - seen.append((variable.name, float(np.abs(value).max())))
# + seen.append((variable.name, float(np.abs(value).max()))); return value

# %% [markdown] wrong="signed"
# - seen.append((variable.name, float(np.abs(value).max())))
# + seen.append((variable.name, float(np.max(value))))

# %% [markdown] wrong="whole_arrays"
# - seen.append((variable.name, float(np.abs(value).max())))
# + seen.append((variable.name, np.abs(value)))

# %% [markdown] wrong="nameless"
# - seen.append((variable.name, float(np.abs(value).max())))
# + seen.append(float(np.abs(value).max()))

# %% [markdown] wrong="while_building"
# - paddle.static.py_func(note, variable, None)
# + note(variable)

# %% [markdown] wrong="one_look"
# - for variable in variables:
# + for variable in variables[-1:]:

# %% [markdown] wrong="none_added"
# - paddle.static.py_func(note, variable, None)
# + return note

# %%
lesson.look_at.check(look_at)

# %% [markdown] lang="en"
# ## What you can do now
#
# | | PyLayer | py_func |
# |---|---|---|
# | for | dynamic mode | Programs |
# | forward | `forward(ctx, ...)`, on Tensors | `func(...)`, on what NumPy takes |
# | shape and dtype of the result | known once it has run | declared before, in `out` |
# | backward gets | the gradients, and what was saved | inputs, outputs, then gradients |
# | what it does without | is not saved | stands in `skip_vars_in_backward_input` |
# | backward gives | a gradient for each Tensor input | a gradient for each input |
# | without a backward | it is an error | the gradient ends there, silently |
# | looking | `print` | a py_func with `out=None` |
#
# Beyond the table:
#
# - You can say when the Python in a py_func runs, and what it is given.
# - You can see in the player how long the Executor keeps a result, and for whom.
# - You can look into a network that runs, at any place, with the right names.
#
# All the pieces are there now, for both modes. Lesson 12,
# `12_train_for_real.ipynb`, puts them together, and trains for real.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# | | PyLayer | py_func |
# |---|---|---|
# | 用在 | 动态图 | Program |
# | 前向 | `forward(ctx, ...)`，用 Tensor | `func(...)`，用 NumPy 能接收的 |
# | 结果的形状和数据类型 | 运行了就知道 | 事先在 `out` 里声明 |
# | 反向得到 | 梯度，以及保存过的 | 输入、输出，然后是梯度 |
# | 用不到的 | 不保存 | 写进 `skip_vars_in_backward_input` |
# | 反向给出 | 每个 Tensor 输入一个梯度 | 每个输入一个梯度 |
# | 没有反向 | 报错 | 梯度到此为止，一声不吭 |
# | 看一看 | `print` | `out=None` 的 py_func |
#
# 表格之外：
#
# - 能说出 py_func 里的 Python 什么时候运行，拿到的是什么。
# - 能在播放器里看到，执行器把一个结果留了多久，是为谁留的。
# - 能看一看运行中的网络，哪里都行，名字也不会错。
#
# 两种模式要用的，现在都齐了。第 12 课 `12_train_for_real.ipynb` 把它们合在一起，真正训练一次。
