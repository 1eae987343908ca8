# %% [markdown] lang="en"
# # Lesson 5: The three rules of a PyLayer
#
# Paddle's guide gives three rules for a PyLayer. In this lesson you break each of them on purpose,
# in a layer of a few lines, and read what comes of it. An error that you have read once at leisure
# costs you a minute when you meet it in earnest, and not an afternoon.
#
# At the end stands a layer that keeps all three rules and is wrong all the same. It takes about 40
# minutes. You need lesson 1 (PyLayer, `ctx`), lesson 2 (`stop_gradient`), and from lesson 4 that
# gradients from several places are added up.

# %% [markdown] lang="zh"
# # 第 5 课：PyLayer 的三条规则
#
# Paddle 的文档给 PyLayer 定了三条规则。这一课里，你要用几行的小层，有意把它们一条条打破，读一读会发生
# 什么。一条报错，从容地读过一次，以后真碰上了，只要一分钟，不必耗掉一个下午。
#
# 最后还有一个层，三条规则都遵守了，却仍然是错的。全程大约 40 分钟。需要第 1 课的 PyLayer 和 `ctx`，
# 第 2 课的 `stop_gradient`，以及第 4 课讲的：从几处回来的梯度要相加。

# %%
import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.autograd import PyLayer

lesson = exercises.load("05_three_rules", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. The rules
#
# 1. `forward` and `backward` are static methods, and the first parameter of both is `ctx`.
# 2. After `ctx`, `backward` takes one gradient for each Tensor that `forward` **returned**.
# 3. `backward` returns one gradient for each Tensor that `forward` **took**, in the same order:
#    a Tensor, or None for an input that wants no gradient.
#
# Rules 2 and 3 are one thought: backward is forward in a mirror. What comes out of the one goes into
# the other. Here is a layer with two Tensors on either side, which keeps all three rules.
#
# But first, count in a layer that you do not see.

# %% [markdown] lang="zh"
# ## 1. 三条规则
#
# 1. `forward` 和 `backward` 都是静态方法，第一个参数都是 `ctx`。
# 2. `ctx` 之后，`forward` **返回**几个 Tensor，`backward` 就接收几个梯度。
# 3. `forward` **接收**几个 Tensor，`backward` 就按同样的顺序返回几个梯度：每个是一个 Tensor；
#    不要梯度的输入，对应 None。
#
# 规则 2 和规则 3 其实是一个意思：反向是前向在镜子里的样子，从这一个出来的，就进入那一个。
# 下面这个层，进出各有两个 Tensor，三条规则都遵守了。
#
# 不过，先替一个你看不到的层数一数。

# %%
lesson.counts.ask()


# %%
class sum_and_product(PyLayer):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a + b, a * b

    @staticmethod
    def backward(ctx, ds, dp):
        a, b = ctx.saved_tensor()
        return ds + dp * b, ds + dp * a


a = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
b = paddle.to_tensor([4.0, 5.0, 6.0], stop_gradient=False)

with viz.record() as trace:
    s, p = sum_and_product.apply(a, b)
    (s * p).mean().backward()

lesson.counts.compare()
trace

# %% [markdown] lang="en"
# Look at the edges of the two large boxes. On the left, `a` and `b` go in at the top; the sum `s` and
# the product `p` come out at the bottom. On the right it is the other way round: `ds` and `dp` go in
# at the bottom (rule 2), and the gradients of `a` and `b` come out at the top (rule 3).
#
# Go to the step at which `sum_and_product.backward` is called, and read the numbers of `ds` and `dp`.
# Then step on to the end of the box. `a` acts on both outputs, so its gradient is a sum: `ds` from
# the sum, `dp * b` from the product.
#
# ## 2. Rule 1: static, and `ctx` first
#
# The decorator is the harmless half of the rule. `apply` calls both methods on the class and not on
# an object, so a forgotten `@staticmethod` changes nothing. (Write it all the same: the guide asks for
# it, and whoever reads the class sees that there is no `self`.) Whoever writes `self` as well gets an
# error at once, since nobody passes it.
#
# The other half is `ctx`. Here `backward` lacks it.

# %% [markdown] lang="zh"
# 看看两个大方框的边缘。左边，`a` 和 `b` 从上面进去，相加的结果 `s` 与相乘的结果 `p` 从下面出来。右边正好倒过来：
# `ds` 和 `dp` 从下面进去（规则 2），`a` 和 `b` 的梯度从上面出来（规则 3）。
#
# 走到调用 `sum_and_product.backward` 的那一步，看看 `ds` 和 `dp` 是些什么数，再一直走出这个方框。
# `a` 对两个输出都起作用，所以它的梯度是两份相加：从加法来的 `ds`，和从乘法来的 `dp * b`。
#
# ## 2. 规则 1：静态方法，`ctx` 在前
#
# 这条规则里，装饰器那一半不要紧。`apply` 是在类上、而不是在对象上调用这两个方法的，所以忘了
# `@staticmethod`，什么都不会变。（还是要写：文档这样要求，读代码的人也一眼就知道，这里没有 `self`。）
# 要是还写上了 `self`，马上就会报错，因为没有谁会传它。
#
# 另一半是 `ctx`。下面的 `backward` 里少了它。

# %%
lesson.when.ask()


# %%
class no_ctx(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(dy):
        return dy * 2


x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)

try:
    with viz.record() as broken:
        y = no_ctx.apply(x)
        print("apply has run | apply 运行完了")
        y.sum().backward()
except OSError as error:
    print(error)
lesson.when.compare()

# %%
broken

# %% [markdown] lang="en"
# Forward ran to its end, and backward came as far as the orange box that says “error”. Python looks at
# the parameters of a function only when it is called; in a real network that may be long after the
# line with the mistake. Read the message in three parts:
#
# - **Which layer.** “in the backward of PyLayer no_ctx”. What a backward raises comes out as an
#   `OSError`, in Paddle too, because it has passed through the engine. What counts is the error
#   inside.
# - **What Python counted.** “takes 1 positional argument but 2 were given”. Python counts `ctx` as
#   well: two were given, `ctx` and one gradient; `backward(dy)` has room for one.
# - **Where.** `at` is the line with `apply`: that is where this use of the layer stands.
#
# Without `ctx` in `forward` the same words come as a plain `TypeError`, and at once, at `apply`. And
# whoever forgets `apply` itself, and writes `no_ctx(x)`, gets no result but an object of the class;
# the first use of it says so.
#
# ## 3. Rule 2: what backward takes
#
# Now `sum_and_product` once more, but with a backward that takes a single gradient, because its
# writer thought of a single loss.

# %% [markdown] lang="zh"
# 前向从头到尾运行完了；反向走到标着“出错”的橙色方框为止。Python 要到调用的那一刻，才看函数的参数；
# 在真正的网络里，这可能离写错的那一行已经很远了。报错分三段来读：
#
# - **哪个层。** “in the backward of PyLayer no_ctx”，即 PyLayer no_ctx 的反向。反向里抛出的异常，
#   最后都成为 `OSError`，在 Paddle 里也一样，因为它穿过了引擎。要紧的是里面的那个异常。
# - **Python 怎么数。** “takes 1 positional argument but 2 were given”，即只接收 1 个参数，却给了 2 个。
#   Python 把 `ctx` 也数在内：给的两个是 `ctx` 和一个梯度，而 `backward(dy)` 只容得下一个。
# - **在哪里。** `at` 指的是写 `apply` 的那一行，这个层就是在那里用上的。
#
# 如果是 `forward` 少了 `ctx`，同样的话会直接以 `TypeError` 出现，而且马上，就在 `apply` 那里。
# 要是连 `apply` 也忘了，写成 `no_ctx(x)`，得到的不是结果，而是这个类的一个对象；一用它，就会报错。
#
# ## 3. 规则 2：backward 接收什么
#
# 还是 `sum_and_product`，但这次的 backward 只接收一个梯度，因为写它的人想：损失只有一个嘛。

# %%
lesson.were_given.ask()


# %%
class one_gradient(PyLayer):
    @staticmethod
    def forward(ctx, a, b):
        return a + b, a * b

    @staticmethod
    def backward(ctx, dy):
        return dy, dy


try:
    with viz.record() as short:
        s, p = one_gradient.apply(a, b)
        (s * p).mean().backward()
except OSError as error:
    print(error)
lesson.were_given.compare()

# %%
short

# %% [markdown] lang="en"
# In the player, go to the step at which `one_gradient.backward` is called: two gradients stand there
# and wait. The `expected` row of the message says the same, “takes 2 gradients”; it does not count
# `ctx`.
#
# There is one loss, but backward does not receive the gradient *of* the loss. It receives how fast
# the loss changes with each output, and forward returned two. An output that the loss never uses has
# an argument too (what stands in it then, lesson 6 shows).
#
# Only Tensors count. A forward that ends with `return y, y.shape` returned one Tensor and a list of
# sizes, so its backward takes one gradient. (A forward without any Tensor in its result is refused, at
# `apply`.)
#
# ## 4. Exercise: `sum_and_difference`
#
# Forward returns `a + b` and `a - b`. Write its backward: two gradients come in, two go back. Ask for
# each input on which outputs it acts, and add up what comes back from them.

# %% [markdown] lang="zh"
# 在播放器里走到调用 `one_gradient.backward` 的那一步：两个梯度等在那里。报错的 `expected` 一行说的
# 也是这件事，“takes 2 gradients”，要接收 2 个梯度；它没有把 `ctx` 数在内。
#
# 损失虽然只有一个，但 backward 收到的不是“损失的”梯度，而是损失随每个输出的变化率，而 forward
# 返回了两个输出。损失根本没有用到的输出，也占一个参数（那时里面是什么，见第 6 课）。
#
# 只有 Tensor 才算数。forward 以 `return y, y.shape` 结尾，返回的是一个 Tensor 和一个由尺寸组成的列表，
# 所以它的 backward 接收一个梯度。（forward 的结果里要是一个 Tensor 也没有，`apply` 时就会报错。）
#
# ## 4. 练习：`sum_and_difference`
#
# forward 返回 `a + b` 和 `a - b`。请写它的反向：进来两个梯度，回去两个。对每个输入问一问，它对哪些
# 输出起作用，再把从那里回来的梯度相加。


# %% exercise="sum_and_difference"
class sum_and_difference(PyLayer):
    @staticmethod
    def forward(ctx, a, b):
        return a + b, a - b

    @staticmethod
    def backward(ctx, ds, dd):
        """Return the gradient of a and the gradient of b. | 返回 a 的梯度和 b 的梯度。"""
        return ds + dd, ds - dd  # answer


# %% [markdown] wrong="passed_through"
# - return ds + dd, ds - dd
# + return ds, dd

# %% [markdown] wrong="swapped"
# - return ds + dd, ds - dd
# + return ds - dd, ds + dd

# %% [markdown] wrong="sign_lost"
# - return ds + dd, ds - dd
# + return ds + dd, ds + dd

# %% [markdown] wrong="sum_alone"
# - return ds + dd, ds - dd
# + return ds, ds

# %% [markdown] wrong="too_few"
# - return ds + dd, ds - dd
# + return ds + dd

# %% [markdown] wrong="too_few"
# - return ds + dd, ds - dd
# + da, db = ds + dd, ds - dd

# %% [markdown] wrong="one_argument"
# - def backward(ctx, ds, dd):
# + def backward(ctx, dy):
# - return ds + dd, ds - dd
# + return dy, dy

# %% [markdown] wrong="one_argument"
# - def backward(ctx, ds, dd):
# + def backward(ds, dd):

# %%
lesson.sum_and_difference.check(sum_and_difference)

# %% [markdown] lang="en"
# ## 5. Rule 3: what backward returns
#
# Take `y = a + b`, where `a` wants a gradient and `b` is data, with `stop_gradient=True`. Forward took
# two Tensors, so its writer returns two gradients.
#
# To try several returns, the cell after the question has a function `tried`. It is given what backward
# returns as a small function: `lambda dy: (dy, dy)` takes `dy` and returns `dy, dy`.

# %% [markdown] lang="zh"
# ## 5. 规则 3：backward 返回什么
#
# 设 `y = a + b`，其中 `a` 要梯度，`b` 是数据，`stop_gradient=True`。forward 接收了两个 Tensor，所以写
# 它的人返回了两个梯度。
#
# 为了试几种返回的写法，问题后面的单元格里有一个函数 `tried`。backward 返回什么，用一个小函数告诉它：
# `lambda dy: (dy, dy)` 接收 `dy`，返回 `dy, dy`。

# %%
lesson.unwanted.ask()


# %%
def tried(returned, a, b):
    """Run a + b with a backward that returns this. | 运行 a + b，它的 backward 这样返回。"""

    class added(PyLayer):
        @staticmethod
        def forward(ctx, a, b):
            return a + b

        @staticmethod
        def backward(ctx, dy):
            return returned(dy)

    try:
        added.apply(a, b).sum().backward()
    except ValueError as error:
        return error


a = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
b = paddle.to_tensor([3.0, 4.0])

print(tried(lambda dy: (dy, dy), a, b))
lesson.unwanted.compare()

# %% [markdown] lang="en"
# `GradNodePyLayer_added` is the node that `added` leaves on the tape (lesson 3). Positions are counted
# from 0, so “at 1 position” is `b`, and the `to do` row says the rest: return `dy, None`. Paddle is strict here, for a gradient that nobody wants was computed for nothing.
#
# Four more ways to break rule 3. Both inputs want a gradient now. Read each line and say, before you
# read on, what was returned.

# %% [markdown] lang="zh"
# `GradNodePyLayer_added` 是 `added` 在 tape 上留下的节点（见第 3 课）。位置从 0 数起，所以 “at 1 position” 说的是 `b`；`to do` 一行把办法也写了：返回 `dy, None`。
# 没有谁要的梯度，算了也是白算，所以 Paddle 在这里很严格。
#
# 打破规则 3，还有四种方式。这回两个输入都要梯度。读每一行，先自己说出返回的是什么，再往下看。

# %%
b.stop_gradient = False

for returned in [
    lambda dy: dy,
    lambda dy: (dy, dy, None),
    lambda dy: (dy, dy.numpy()),
    lambda dy: (dy.sum(), dy),
]:
    print("-", str(tried(returned, a, b)).splitlines()[0])

# %% [markdown] lang="en"
# - The first returned one gradient for two inputs. “Empty at 1 position” is the one that is missing. (Where
#   the input wants no gradient, Paddle lets it be missing. Write the None all the same: it says that you
#   thought of it.)
# - The second returned three. A None too many is one too many.
# - The third returned a NumPy array. Gradients stay Tensors.
# - The fourth returned a single number for `a`, which has the shape [2]. A gradient has the shape of its
#   input; where forward broadcast, backward sums (lesson 4).
#
# All are of the class `ValueError`: here your backward ran to its end, and the engine looked at what it
# gave back. Two habits of Paddle 3.3.1 to know: it lets a gradient of a wrong shape pass, so what is
# an error here is a wrong number there; and it refuses a list, `[da, db]`. A tuple works in both.
#
# None for an input that *does* want a gradient is no error, though: it says that none flows there, and
# `.grad` stays None.
#
# ## 6. Exercise: `masked`
#
# `y = x * mask`, where `mask` holds ones and zeros. It is data: its `stop_gradient` is `True`. Save what
# backward needs, and return what rule 3 asks for.

# %% [markdown] lang="zh"
# - 第一个：两个输入，只返回了一个梯度。“empty at 1 position” 指的就是缺的那个。（要是那个输入不要梯度，缺
#   了 Paddle 也会放过去；写上 None，别人才看得出你想到了它。）
# - 第二个：返回了三个。多一个 None，也是多一个。
# - 第三个：返回了 NumPy 数组。梯度必须始终是 Tensor。
# - 第四个：`a` 的形状是 [2]，返回的却是一个数。梯度的形状与它的输入相同；前向广播过的地方，反向要求
#   和（见第 4 课）。
#
# 它们都属于 `ValueError`：这里 backward 自己运行完了，是引擎检查了它交回来的东西。Paddle 3.3.1 有两个
# 脾气要知道：形状不对的梯度，它会放过去，所以这里的报错，在那里是一个错的数；而列表 `[da, db]`，
# 它不接受。写成元组，两边都行。
#
# 不过，对一个**要**梯度的输入返回 None，并不是错误：意思是没有梯度往那里流，`.grad` 还是 None。
#
# ## 6. 练习：`masked`
#
# `y = x * mask`，`mask` 里是 1 和 0。它是数据：它的 `stop_gradient` 是 `True`。保存 backward 要用的东
# 西，再返回规则 3 所要求的。


# %% exercise="masked"
class masked(PyLayer):
    @staticmethod
    def forward(ctx, x, mask):
        # Save here what backward will need. | 在这里保存 backward 要用的东西。
        ctx.save_for_backward(mask)  # answer
        return x * mask

    @staticmethod
    def backward(ctx, dy):
        """Return one value for x and one for mask. | 为 x 和 mask 各返回一个值。"""
        (mask,) = ctx.saved_tensor()  # answer
        return dy * mask, None  # answer


# %% [markdown] wrong="unwanted"
# - ctx.save_for_backward(mask)
# + ctx.save_for_backward(x, mask)
# - (mask,) = ctx.saved_tensor()
# + x, mask = ctx.saved_tensor()
# - return dy * mask, None
# + return dy * mask, dy * x

# %% [markdown] wrong="unwanted"
# - return dy * mask, None
# + return dy * mask, dy * 0

# %% [markdown] wrong="unwanted"
# - return dy * mask, None
# + return None, dy * mask

# %% [markdown] wrong="too_many"
# - return dy * mask, None
# + return None, dy * mask, None

# %% [markdown] wrong="passed_through"
# - return dy * mask, None
# + return dy, None

# %% [markdown] wrong="forgot_dy"
# - return dy * mask, None
# + return mask, None

# %% [markdown] wrong="times_x"
# - ctx.save_for_backward(mask)
# + ctx.save_for_backward(x)

# %% [markdown] wrong="not_saved"
# - ctx.save_for_backward(mask)

# %% [markdown] wrong="not_taken_back"
# - (mask,) = ctx.saved_tensor()

# %% [markdown] wrong="not_unpacked"
# - (mask,) = ctx.saved_tensor()
# + mask = ctx.saved_tensor()

# %% [markdown] wrong="nothing_returned"
# - return dy * mask, None

# %%
lesson.masked.check(masked)


# %% [markdown] lang="en"
# See your layer at work. Two values, your None among them, come to the upper edge of the orange box, as rule
# 3 wants it, but only `dx` leads on, to `x.grad`; `dmask` says None and ends there. Where the mask is 0, the gradient is
# 0 too: what was hidden in forward learns nothing.

# %% [markdown] lang="zh"
# 看看你的层怎么工作。有两个值到了橙色方框的上沿，其中一个是你写的 None，正如规则 3 所要求的；但只有 `dx` 接着通到 `x.grad`，
# `dmask` 写着 None，到此为止。mask 为 0 的地方，梯度也是 0：前向里被遮住的数，什么也学不到。

# %%
x = paddle.to_tensor([1.0, -2.0, 3.0, -4.0], stop_gradient=False)
mask = paddle.to_tensor([1.0, 0.0, 1.0, 0.0])

with viz.record() as spared:
    y = masked.apply(x, mask)
    y.mean().backward()

spared

# %% [markdown] lang="en"
# ## 7. Exercise: `clipped`
#
# `clipped.apply(x, low, high)` puts every number below `low` up to `low`, and every number above `high`
# down to `high`. `low` and `high` are plain Python numbers. It returns two things: the clipped Tensor,
# and as an `int` how many numbers it had to change. Count before you write.

# %% [markdown] lang="zh"
# ## 7. 练习：`clipped`
#
# `clipped.apply(x, low, high)` 把小于 `low` 的数都提到 `low`，大于 `high` 的数都压到 `high`。`low` 和
# `high` 是普通的 Python 数。它返回两样东西：截断后的 Tensor，以及一个 `int`，表示改动了几个数。
# 动笔之前先数一数。

# %%
lesson.clip_counts.ask()

# %% [markdown] lang="en"
# `inside` holds a 1 for every number that stayed as it was, and a 0 for every number that was changed:
# `&` is “and”, for each number by itself, and `astype` makes 1 and 0 of True and False. A number that was clipped may grow by a little, and the output stays where it is: its gradient is 0.

# %% [markdown] lang="zh"
# `inside` 里，没有改动的数是 1，改动过的是 0：`&` 是逐个数的“并且”，`astype` 把 True 和 False 变成 1 和 0。
# 一个被截断的数，自己增加一点点，输出也纹丝不动：它的梯
# 度是 0。


# %% exercise="clipped"
class clipped(PyLayer):
    @staticmethod
    def forward(ctx, x, low, high):
        inside = ((x >= low) & (x <= high)).astype(x.dtype)
        ctx.save_for_backward(inside)
        return paddle.clip(x, low, high), x.size - int(inside.sum())

    @staticmethod
    def backward(ctx, dy):
        """Return what rule 3 asks for. | 返回规则 3 所要求的。"""
        (inside,) = ctx.saved_tensor()  # answer
        return dy * inside  # answer


# %% [markdown] wrong="too_many"
# - return dy * inside
# + return dy * inside, None, None

# %% [markdown] wrong="passed_through"
# - return dy * inside
# + return dy

# %% [markdown] wrong="forgot_dy"
# - return dy * inside
# + return inside

# %% [markdown] wrong="turned_round"
# - return dy * inside
# + return dy * (1 - inside)

# %% [markdown] wrong="clipped_dy"
# - return dy * inside
# + return paddle.clip(dy, -1.0, 1.0)

# %% [markdown] wrong="two_arguments"
# - def backward(ctx, dy):
# + def backward(ctx, dy, dn):

# %% [markdown] wrong="no_return"
# - return dy * inside

# %% [markdown] wrong="not_unpacked"
# - (inside,) = ctx.saved_tensor()
# + inside = ctx.saved_tensor()

# %%
lesson.clipped.check(clipped)
lesson.clip_counts.compare()

# %% [markdown] lang="en"
# ## 8. Exercise: `rules`
#
# Four layers that you do not see, `gate`, `scale`, `shift` and `mix`, each gave one of these messages.
# Which rule does each of them break? Write the four numbers as a list.
#
#     ①  TypeError: gate.backward() missing 1 required positional argument: 'db'
#     ②  GradNodePyLayer_scale : The number of outputs of `PyLayer.backward` should be 1, but received 2.
#     ③  TypeError: shift.forward() takes 1 positional argument but 2 were given
#     ④  GradNodePyLayer_mix's backward function should not return empty at 2 position.

# %% [markdown] lang="zh"
# ## 8. 练习：`rules`
#
# 有四个你看不到的层，`gate`、`scale`、`shift` 和 `mix`，各给出了下面一条报错。它们各打破了哪一条规则？把
# 四个数字写成列表。
#
#     ①  TypeError: gate.backward() missing 1 required positional argument: 'db'
#     ②  GradNodePyLayer_scale : The number of outputs of `PyLayer.backward` should be 1, but received 2.
#     ③  TypeError: shift.forward() takes 1 positional argument but 2 were given
#     ④  GradNodePyLayer_mix's backward function should not return empty at 2 position.

# %% exercise="rules"
rules = None  # four numbers, such as [1, 2, 3, 1] | 四个数字，例如 [1, 2, 3, 1]
rules = [2, 3, 1, 3]  # answer

# %% [markdown] wrong="first"
# - rules = [2, 3, 1, 3]
# + rules = [1, 3, 1, 3]

# %% [markdown] wrong="first"
# - rules = [2, 3, 1, 3]
# + rules = [3, 2, 1, 2]

# %% [markdown] wrong="second"
# - rules = [2, 3, 1, 3]
# + rules = [2, 2, 1, 3]

# %% [markdown] wrong="third"
# - rules = [2, 3, 1, 3]
# + rules = [2, 3, 2, 3]

# %% [markdown] wrong="fourth"
# - rules = [2, 3, 1, 3]
# + rules = [2, 3, 1, 2]

# %% [markdown] wrong="length"
# - rules = [2, 3, 1, 3]
# + rules = [2, 3, 1]

# %%
lesson.rules.check(rules)

# %% [markdown] lang="en"
# ## 9. All rules kept, and still wrong
#
# The rules are about form: how many, in which order, of which kind. Whether the numbers are right, no
# rule can say. In the backward of `crossed`, the two gradients have changed places.

# %% [markdown] lang="zh"
# ## 9. 规则都遵守了，却仍然错
#
# 规则管的是形式：几个，什么顺序，什么种类。数对不对，规则管不着。在 `crossed` 的反向里，两个梯度
# 对调了。

# %%
lesson.moved.ask()


# %%
class crossed(PyLayer):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, dy):
        a, b = ctx.saved_tensor()
        return dy * a, dy * b


a = paddle.to_tensor(2.0, stop_gradient=False)
b = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as crossing:
    loss = crossed.apply(a, b)
    loss.backward()

print("a.grad:", float(a.grad), " b.grad:", float(b.grad))
crossing

# %% [markdown] lang="en"
# No error, and two plausible numbers. But a gradient is a promise, and you can put it to the test here
# in the player: at the first step, double-click the 2.00 of `a`, type 2.1, and press Enter. Everything
# that hangs on `a` is computed anew. The two bars show what `a.grad` promised of the loss, 2 × 0.1, and
# what the loss really did. The promise is not kept, however small the nudge.
#
# Now press r, which puts all numbers back, then change the last line of `crossed` to
# `return dy * b, dy * a`, run the cell again, and nudge again: the two bars are equal.
#
# The player does this by itself, too: the button “2 problems” says which gradients do not agree with
# the finite difference of the layer. Lesson 1's checks did nothing else.

# %% [markdown] lang="zh"
# 没有报错，两个数看着也都像样。但梯度是一个承诺，兑不兑现，在播放器里就能试：在第一步，双击 `a` 的
# 2.00，输入 2.1，按 Enter。凡是由 `a` 算出来的，都会重新计算。两根横条分别是 `a.grad` 对损失的承诺，
# 即 2 × 0.1，和损失实际的变化。无论改动得多小，承诺都没有兑现。
#
# 现在按 r，让所有的数复原；再把 `crossed` 的最后一行改成 `return dy * b, dy * a`，重新运行这个单元格，
# 再改动一次：两根横条一样长了。
#
# 播放器自己也会这样查：“2 个问题”的按钮会指出，哪些梯度与这个层的有限差分不一致。第 1 课的检查，
# 做的就是这件事。

# %%
lesson.moved.compare()

# %% [markdown] lang="en"
# ## What you can do now
#
# - You can say of any PyLayer how many gradients its backward takes and returns: count the Tensors that
#   forward returned, and those that it took. Nothing else counts.
# - You can read the errors: a `TypeError` with numbers of arguments is about rules 1 and 2, and `ctx` is
#   counted; a `ValueError` is about what backward returned, rule 3.
# - You can say when a backward gives None, and what a missing one does.
# - You can test a gradient by a nudge in the player, where no rule helps.
#
# `ctx` has carried saved tensors so far. It can do more: lesson 6, `06_context.ipynb`, shows what else it
# keeps, and what a layer can say through it.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# - 对任何 PyLayer，都能说出它的 backward 接收几个梯度、返回几个：数一数 forward 返回的 Tensor 和
#   接收的 Tensor，别的都不算。
# - 能读懂报错：`TypeError` 里说参数个数的，是规则 1 和规则 2，`ctx` 也数在内；`ValueError` 说的是
#   backward 返回的东西，即规则 3。
# - 能说出 backward 什么时候返回 None，少返回一个又会怎样。
# - 规则帮不上忙的地方，能在播放器里改动一个数，检验梯度。
#
# 到现在，`ctx` 只传递过保存的 Tensor。它会的不止这些：第 6 课 `06_context.ipynb` 讲它还能
# 存什么，一个层又能通过它说明什么。
