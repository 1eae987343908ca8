# %% [markdown] lang="en"
# # Lesson 6: What forward hands to backward
#
# Between the two methods of a PyLayer stands `ctx`, a `PyLayerContext`. So far it has carried saved
# tensors. It carries anything else as well, and it has three more methods, with which a layer says
# something about itself: that it did not change its input, that an output has no gradient, that it
# wants no zeros for gradients that do not come.
#
# You will see what each of them is for by leaving it out first. It takes about 45 minutes. You need
# lesson 2 (leaves, changes in place), lesson 4 (gradients are added up) and the rules of lesson 5.

# %% [markdown] lang="zh"
# # 第 6 课：forward 交给 backward 的东西
#
# PyLayer 的两个方法之间，有一个 `ctx`，它是一个 `PyLayerContext`。到现在，它传递的是保存的 Tensor。
# 其实别的东西它也能传；它还有三个方法，让一个层说明自己的情况：没有改动输入，某个输出没有梯度，
# 没有传来的梯度不必补 0。
#
# 每一样，你都会先看到没有它时会怎样，再看它有什么用。全程大约 45 分钟。需要第 2 课的叶子 Tensor 和原地修改，
# 第 4 课的梯度相加，以及第 5 课的规则。

# %%
import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.autograd import PyLayer

lesson = exercises.load("06_context", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. Saving is more than keeping
#
# Python lets you set an attribute on nearly any object, and `ctx` is no exception: `ctx.x = x` in
# forward, `ctx.x` in backward. Here are two layers for `x * x` that differ in this alone.
#
# Neither way copies the numbers: what is kept is the Tensor itself. So what happens if somebody
# changes it in place between forward and backward?

# %% [markdown] lang="zh"
# ## 1. 保存，不只是留着
#
# 在 Python 里，几乎任何对象都能设属性，`ctx` 也不例外：forward 里写 `ctx.x = x`，backward 里用 `ctx.x`。
# 下面两个层算的都是 `x * x`，只有这一点不同。
#
# 两种写法都不复制数：留着的就是那个 Tensor 自己。那么，在前向和反向之间，如果有谁原地修改了它，会怎
# 么样？

# %%
lesson.changed.ask()


# %%
class by_attribute(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, dy):
        return dy * 2 * ctx.x


class by_saving(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * 2 * x


def changed_between(layer):
    """Apply to 3, add 10 to it in place, then go back. | 对 3 运行，原地加 10，再做反向。"""
    w = paddle.to_tensor(3.0, stop_gradient=False)
    x = w * 1.0
    y = layer.apply(x)
    x.add_(paddle.to_tensor(10.0))
    y.backward()
    return float(w.grad)


print("ctx.x:", changed_between(by_attribute))
try:
    print("saved: | 保存：", changed_between(by_saving))
except RuntimeError as error:
    print(error)
lesson.changed.compare()

# %% [markdown] lang="en"
# At 3, the derivative of `x * x` is 6. With the attribute, backward read 13 where forward had read 3,
# and gave 26 without a word. What was saved is watched: a Tensor counts how often it was changed in
# place (its version), and the engine compares. The error names the layer and the number of the tensor
# in `save_for_backward`, counted from 0; a wrong gradient would have named nothing.
#
# (Paddle 3.3.1 watches in this way what its own operations save, with the same kind of error. For a
# PyLayer it does not, and gives 26 both times.)
#
# Now both layers without the accident. Before you look: how many dashed wires will there be?

# %% [markdown] lang="zh"
# 在 3 处，`x * x` 的导数是 6。用属性时，前向读到的是 3，反向读到的是 13，于是给出 26，一声不吭。
# 保存的 Tensor 则有人看着：每个 Tensor 都记着自己被原地修改过几次（它的版本），引擎会比较。
# 报错说出了是哪个层，是 `save_for_backward` 的第几个 Tensor（从 0 数起），又说它被原地修改了；
# 而一个错的梯度，什么也不会说。
#
# （Paddle 3.3.1 对自己的运算所保存的 Tensor 也这样看着，报同一类错。对 PyLayer 则没有，两次都给 26。）
#
# 现在让两个层正常运行，中间不改任何东西。看之前先想一想：会有几条虚线？

# %%
x = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as both_ways:
    y = by_saving.apply(x) + by_attribute.apply(x)
    y.backward()

both_ways

# %% [markdown] lang="en"
# One. From `by_saving` a dashed wire leads to its backward. `by_attribute.backward` gets `x` by a plain
# blue wire, straight from where `x` was made: for the engine, nobody keeps it. The numbers below the
# code say the same: at the step of `save_for_backward`, Memory counts 4 B that are kept, and the
# attribute adds nothing to it.
#
# So, as Paddle's guide advises: **Tensors go into `save_for_backward`, anything else into an
# attribute.**
#
# ## 2. Attributes, and whose they are
#
# Numbers, shapes, functions, a list: what is no Tensor becomes an attribute. The next layer keeps a
# factor. It is applied twice, with different factors, before the first backward runs.

# %% [markdown] lang="zh"
# 一条。从 `by_saving` 有一条虚线通到它的反向。`by_attribute.backward` 里的 `x`，则由一条普通的蓝线，从
# `x` 产生的地方直接连过来：在引擎看来，没有谁留着它。代码下面的数也这么说：走到 `save_for_backward`
# 那一步，内存一栏显示保存了 4 B，而属性没有让它增加。
#
# 所以，正如 Paddle 文档所建议的：**Tensor 用 `save_for_backward` 保存，别的设成属性。**
#
# ## 2. 属性，以及它属于谁
#
# 数、形状、函数、列表：不是 Tensor 的，就设成属性。下面的层留着一个系数。在第一次反向之前，它以不同
# 的系数运行了两次。

# %%
lesson.own_ctx.ask()


# %%
class scaled(PyLayer):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.factor


x = paddle.to_tensor(1.0, stop_gradient=False)
first = scaled.apply(x, 2.0)
second = scaled.apply(x, 5.0)
first.backward()

print("x.grad:", float(x.grad))
lesson.own_ctx.compare()

# %% [markdown] lang="en"
# Every `apply` makes a `ctx` of its own, and its backward gets that one. So a layer may be used as
# often as one likes, in one network. An attribute of the *class*, `scaled.factor = factor`, would be
# one place for all: the second call would overwrite it, and the gradient would be 5.
#
# Note also what backward returns: one gradient. The factor is no Tensor.
#
# ## 3. Exercise: `power`
#
# `power.apply(x, n)` gives `x**n`, x to the power n, for a whole number `n`. Its derivative is `n * x ** (n - 1)`. Keep
# what backward needs, each in its place. (The check sees gradients alone: it takes `ctx.x = x` as well,
# without the watch of section 1.)

# %% [markdown] lang="zh"
# 每次 `apply` 都会新建一个 `ctx`，它的反向拿到的就是这一个。所以在一个网络里，一个层想用几次都可以。
# 如果写成**类**的属性，`scaled.factor = factor`，那就只有一个地方：第二次调用会把它覆盖，梯度就成了 5。
#
# 再看 backward 返回了什么：一个梯度。系数不是 Tensor。
#
# ## 3. 练习：`power`
#
# `power.apply(x, n)` 算 `x**n`，即 x 的 n 次方，`n` 是整数。它的导数是 `n * x ** (n - 1)`。backward 要用的东西，请各放到
# 该放的地方。（检查只看梯度：写成 `ctx.x = x` 也算对，只是没有第 1 节的那种保护。）


# %% exercise="power"
class power(PyLayer):
    @staticmethod
    def forward(ctx, x, n):
        # Keep here what backward will need. | 在这里留下 backward 要用的东西。
        ctx.save_for_backward(x)  # answer
        ctx.n = n  # answer
        return x**n

    @staticmethod
    def backward(ctx, dy):
        """Return the gradient of x. | 返回 x 的梯度。"""
        (x,) = ctx.saved_tensor()  # answer
        return dy * ctx.n * x ** (ctx.n - 1)  # answer


# %% [markdown] wrong="forgot_n"
# - return dy * ctx.n * x ** (ctx.n - 1)
# + return dy * x ** (ctx.n - 1)

# %% [markdown] wrong="same_power"
# - return dy * ctx.n * x ** (ctx.n - 1)
# + return dy * ctx.n * x**ctx.n

# %% [markdown] wrong="forgot_dy"
# - return dy * ctx.n * x ** (ctx.n - 1)
# + return ctx.n * x ** (ctx.n - 1)

# %% [markdown] wrong="on_the_class"
# - ctx.n = n
# + power.n = n
# - return dy * ctx.n * x ** (ctx.n - 1)
# + return dy * power.n * x ** (power.n - 1)

# %% [markdown] wrong="not_kept"
# - ctx.n = n

# %% [markdown] wrong="out_of_sight"
# - ctx.n = n
# - return dy * ctx.n * x ** (ctx.n - 1)
# + return dy * n * x ** (n - 1)

# %% [markdown] wrong="too_many"
# - return dy * ctx.n * x ** (ctx.n - 1)
# + return dy * ctx.n * x ** (ctx.n - 1), None

# %% [markdown] wrong="saved_twice"
# - ctx.n = n
# + ctx.save_for_backward(n)

# %%
lesson.power.check(power)

# %% [markdown] lang="en"
# ## 4. A forward that returns its input
#
# Some layers do nothing forwards and all their work backwards. `tenfold` hands `x` on as it is, and
# makes its gradient ten times as large. Its forward seems to write itself: `return x`.

# %% [markdown] lang="zh"
# ## 4. 原样返回输入的 forward
#
# 有些层前向什么都不做，活都在反向里。`tenfold` 把 `x` 原样交出去，让它的梯度变成十倍。
# 它的 forward 好像不用想就能写：`return x`。

# %%
lesson.same.ask()


# %%
class tenfold(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, dy):
        return dy * 10


leaf = paddle.to_tensor(3.0, stop_gradient=False)
try:
    tenfold.apply(leaf)
except ValueError as error:
    print(error)
lesson.same.compare()

# %% [markdown] lang="en"
# Lesson 2 met this refusal: a leaf that wants a gradient cannot be changed in place. But did anybody
# change it? Paddle has one way to tell: **a forward that returns its own input says that it changed it
# in place.** Layers that really do so, to save memory, need just this.
#
# With an input that is no leaf, nothing is refused. Work out what follows. In the next cell `x` is
# `w * 2`, and it is used twice: through the layer, and beside it.

# %% [markdown] lang="zh"
# 第 2 课见过这种拒绝：要梯度的叶子不能原地修改。可是谁改它了呢？Paddle 只有一个办法判断：
# **forward 返回了自己的输入，就是说它原地修改了它。** 有些层为了省内存，确实这样做，对它们来说，这
# 正合适。
#
# 输入不是叶子时，不会拒绝。后果是什么，请你算一算。下一个单元格里，`x` 是 `w * 2`，用在两处：一处经过
# 这个层，一处不经过。

# %%
lesson.taken_over.ask()

# %%
w = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as taken:
    x = w * 2
    y = tenfold.apply(x)
    loss = y + x
    loss.backward()

print("y is x:", y is x, " w.grad:", float(w.grad))
lesson.taken_over.compare()

# %%
taken

# %% [markdown] lang="en"
# Follow the two wires into the last `+`: both come out of the box `tenfold`, and the numbers say
# `x + x`. There is no second way past the layer any more: since forward returned `x`, the name `x`
# stands for what came *out*. So both gradients go through the layer: (1 + 1) × 10 × 2 = 40.
#
# `mark_not_inplace` says that it was not meant like this: the layer returns the numbers of `x`, and
# has not changed it.

# %% [markdown] lang="zh"
# 顺着最后那个 `+` 的两条连线看：都是从方框 `tenfold` 里出来的，算式写的也是 `x + x`。绕过这个层的路已
# 经没有了：forward 既然返回了 `x`，名字 `x` 指的就是**出来**的那个。所以两个梯度都要经过这个层：
# (1 + 1) × 10 × 2 = 40。
#
# `mark_not_inplace` 就是用来说明本意不是这样的：这个层返回的是 `x` 的数，并没有修改它。


# %%
class tenfold_beside(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_not_inplace(x)
        return x

    @staticmethod
    def backward(ctx, dy):
        return dy * 10


w = paddle.to_tensor(3.0, stop_gradient=False)

with viz.record() as spared:
    x = w * 2
    y = tenfold_beside.apply(x)
    loss = y + x
    loss.backward()

print("y is x:", y is x, " w.grad:", float(w.grad))

# %%
spared

# %% [markdown] lang="en"
# The box wears a badge, “not in-place”, and a new Tensor `y` comes out. The gradient of `x` is 10 from
# the layer and 1 past it, 11 together, and times 2 that is 22.
#
# That is what Paddle's document promises. Paddle 3.3.1 itself does not keep the promise: there the new
# Tensor has no way back, and `w.grad` comes out as 20. With `return x.clone()`, a Tensor with numbers of
# its own, both give 22. So until that is mended, prefer `clone` in code that is to run in both.
#
# ## 5. Exercise: `slow_down`
#
# `slow_down.apply(x, factor)` has the numbers of `x` for its result, and backwards it multiplies the
# gradient by `factor`. Put behind a part of a network, it lets that part learn at a slower pace, since all
# gradients of that part come through it.
# `x` must stay usable beside it, as above.

# %% [markdown] lang="zh"
# 方框上有一个标签“非原地”，出来的是一个新的 Tensor `y`。`x` 的梯度，从层里来的是 10，绕过层来的是 1，一
# 共 11，再乘以 2 就是 22。
#
# 这是 Paddle 文档的承诺。Paddle 3.3.1 自己却没有做到：在那里，新的 Tensor 没有回去的路，`w.grad` 成了
# 20。写成 `return x.clone()`，即一个有自己的数的 Tensor，两边就都是 22。所以在它修好
# 之前，两边都要运行的代码，最好用 `clone`。
#
# ## 5. 练习：`slow_down`
#
# `slow_down.apply(x, factor)` 的结果就是 `x` 的数，反向时把梯度乘以 `factor`。把它接在网络的某一部分
# 后面，那一部分就学得慢一些，因为那里的梯度都要从它这里经过。和上面一样，`x` 在旁边必须仍然能用。


# %% exercise="slow_down"
class slow_down(PyLayer):
    @staticmethod
    def forward(ctx, x, factor):
        """Return the numbers of x in another Tensor. | 返回 x 的数，但要是另一个 Tensor。"""
        ctx.factor = factor  # answer
        return x.clone()  # answer

    @staticmethod
    def backward(ctx, dy):
        """Return the gradient of x, times factor. | 返回 x 的梯度，乘以 factor。"""
        return dy * ctx.factor  # answer


# %% [markdown] wrong="returned_x"
# - return x.clone()
# + return x

# %% [markdown] wrong="scaled_forward"
# - return x.clone()
# + return x * factor

# %% [markdown] wrong="not_slowed"
# - return dy * ctx.factor
# + return dy

# %% [markdown] wrong="divided"
# - return dy * ctx.factor
# + return dy / ctx.factor

# %% [markdown] wrong="factor_alone"
# - return dy * ctx.factor
# + return paddle.full_like(dy, ctx.factor)

# %% [markdown] wrong="not_kept"
# - ctx.factor = factor

# %% [markdown] wrong="on_the_class"
# - ctx.factor = factor
# + slow_down.factor = factor
# - return dy * ctx.factor
# + return dy * slow_down.factor

# %% [markdown] wrong="too_many"
# - return dy * ctx.factor
# + return dy * ctx.factor, None

# %%
lesson.slow_down.check(slow_down)

# %% [markdown] lang="en"
# Such layers bend gradients on purpose. In both players of section 4 the button “1 problem” is lit: 20 and
# 10, what comes out of the layer, is ten times the finite difference of its forward. In lesson 5 the same
# message meant a mistake. A machine can say that the two disagree, but not whether you wanted it.
#
# ## 6. Outputs without a gradient
#
# `floor` goes down to the next whole number: a staircase, like the rounding of lesson 2, flat nearly
# everywhere. A layer splits numbers into `whole` and `rest`; only `rest` should send gradients back. Who
# tells Paddle?

# %% [markdown] lang="zh"
# 这样的层有意改动梯度。第 4 节的两个播放器里，“1 个问题”的按钮都亮着：从层里出来的 20 和 10，都是前向
# 的有限差分的十倍。第 5 课里，同样的提示说的是一个错误。两者不一致，机器说得出；是不是你想要的，它就说
# 不出了。
#
# ## 6. 没有梯度的输出
#
# `floor` 向下取整，图像像台阶，和第 2 课的取整一样，几乎处处是平的。有一个层把数分成整数部分 `whole` 和剩
# 下的 `rest`，只有 `rest` 应该把梯度传回来。谁来告诉 Paddle？

# %%
lesson.flag.ask()


# %%
class unmarked(PyLayer):
    @staticmethod
    def forward(ctx, x):
        whole = paddle.floor(x)
        return whole, x - whole

    @staticmethod
    def backward(ctx, dwhole, drest):
        return drest


class parts(PyLayer):
    @staticmethod
    def forward(ctx, x):
        whole = paddle.floor(x)
        ctx.mark_non_differentiable(whole)
        return whole, x - whole

    @staticmethod
    def backward(ctx, dwhole, drest):
        print("dwhole:", dwhole.numpy(), " drest:", drest.numpy())
        return drest


x = paddle.to_tensor([1.25, 2.5], stop_gradient=False)
whole, rest = unmarked.apply(x)
print("unmarked: | 没有标记：", whole.stop_gradient, rest.stop_gradient)

with viz.record() as split:
    whole, rest = parts.apply(x)
    y = 100 * whole + rest
    y.sum().backward()

print("marked: | 标记之后：", whole.stop_gradient, rest.stop_gradient)
lesson.flag.compare()

# %%
split

# %% [markdown] lang="en"
# Without the mark, every Tensor that `apply` returns wants a gradient as soon as one input does, even
# one of whole numbers: nobody looks into your forward. The mark sets the flag of `whole` to `True`, and
# the picture shows what follows:
#
# - On the left `whole` is multiplied by 100. On the right this multiplication has no backward; the way
#   back ends before it (lesson 2).
# - `parts.backward` still takes a gradient for `whole`, since rule 2 counts Tensors, marked or not. The
#   small box `dwhole` says “zeros”: nothing arrived, and nothing ever will.
#
# You mark the very Tensor that is returned, and all of them in one call:
# `ctx.mark_non_differentiable(a, b)`.
#
# ## 7. Exercise: `largest`
#
# `largest.apply(x)` returns the largest number of a row and its place, counted from 0. When the largest
# number grows, so does the result; the others do not matter. The place is a whole number and can send
# nothing back: mark it. `hit` is 1 at the place and 0 elsewhere.

# %% [markdown] lang="zh"
# 不标记的话，只要有一个输入要梯度，`apply` 返回的每个 Tensor 就都要梯度，连装整数的也一样：没有谁会去看
# 你的 forward 里面。标记之后，`whole` 的标志成了 `True`，后果图上看得见：
#
# - 左边，`whole` 乘了 100。右边，这个乘法没有反向；回来的路到不了它（见第 2 课）。
# - `parts.backward` 仍然要为 `whole` 接收一个梯度，因为规则 2 数的是 Tensor，不管有没有标记。小方框
#   `dwhole` 写着“补 0”：什么都没有来，以后也不会来。
#
# 要标记的，必须是返回的那个 Tensor 本身；几个就在一次调用里写全：`ctx.mark_non_differentiable(a, b)`。
#
# ## 7. 练习：`largest`
#
# `largest.apply(x)` 返回一行数里最大的那个，以及它的位置，从 0 数起。最大的数增加，结果也增加；别的数
# 不起作用。位置是整数，没有什么可传回来的：给它标记。`hit` 在那个位置上是 1，别处是 0。


# %% exercise="largest"
class largest(PyLayer):
    @staticmethod
    def forward(ctx, x):
        place = x.argmax()
        hit = (paddle.arange(x.size) == place).astype(x.dtype)
        ctx.save_for_backward(hit)
        # One call of ctx is missing here. | 这里少了 ctx 的一次调用。
        ctx.mark_non_differentiable(place)  # answer
        return x.max(), place

    @staticmethod
    def backward(ctx, dy, dplace):
        """Return the gradient of x. | 返回 x 的梯度。"""
        (hit,) = ctx.saved_tensor()  # answer
        return dy * hit  # answer


# %% [markdown] wrong="not_marked"
# - ctx.mark_non_differentiable(place)

# %% [markdown] wrong="marked_another"
# - ctx.mark_non_differentiable(place)
# + ctx.mark_non_differentiable(x.argmax())

# %% [markdown] wrong="marked_another"
# - ctx.mark_non_differentiable(place)
# + ctx.mark_non_differentiable(x)

# %% [markdown] wrong="marked_another"
# - ctx.mark_non_differentiable(place)
# + ctx.mark_non_differentiable(hit)

# %% [markdown] wrong="not_marked"
# - ctx.mark_non_differentiable(place)
# + place.stop_gradient = True

# %% [markdown] wrong="forgot_dy"
# - return dy * hit
# + return hit

# %% [markdown] wrong="spread"
# - return dy * hit
# + return dy * paddle.ones_like(hit)

# %% [markdown] wrong="one_argument"
# - def backward(ctx, dy, dplace):
# + def backward(ctx, dy):

# %% [markdown] wrong="two_returned"
# - return dy * hit
# + return dy * hit, None

# %%
lesson.largest.check(largest)

# %% [markdown] lang="en"
# ## 8. Zeros, or None
#
# `dwhole` was full of zeros though nothing had arrived. Does this happen only to marked outputs? The
# next layer has two outputs, neither of them marked, and the loss uses the first one only.

# %% [markdown] lang="zh"
# ## 8. 补 0，还是 None
#
# 刚才什么都没有来，`dwhole` 里却全是 0。只有标记过的输出才这样吗？下面的层有两个输出，都没有标记，而
# 损失只用到第一个。

# %%
lesson.unused.ask()


# %%
class doubled_and_tripled(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, da, db):
        print("da:", da.numpy(), " db:", db.numpy())
        return da * 2 + db * 3


x = paddle.to_tensor([1.0, 4.0], stop_gradient=False)

with viz.record() as unasked:
    a, b = doubled_and_tripled.apply(x)
    a.sum().backward()

print("x.grad:", x.grad.numpy())
lesson.unused.compare()

# %%
unasked

# %% [markdown] lang="en"
# Paddle makes zeros for the missing gradient, in the shape of the output: it **materializes** it. That is
# convenient, since backward need not ask what came. It also costs something: in the picture, `db * 3`
# and the addition run for nothing. For a large output that is memory and time.
#
# With `ctx.set_materialize_grads(False)`, said in forward, backward gets None in place of zeros, and can
# leave out the work. But then it has to ask: `None * 3` is an error.
#
# ## 9. Exercise: `square_and_cube`
#
# Forward returns `x * x` and `x * x * x`. Ask for None, and let backward compute only what is needed:
# the part of the first output, `dsquare * 2 * x`, if a gradient came for it, and the part of the second,
# `dcube * 3 * x * x`, if one came for that. If both came, add the parts.

# %% [markdown] lang="zh"
# Paddle 为缺的梯度补了 0，形状与那个输出相同，这叫作 **materialize**。这样方便，backward 不必问来的是什
# 么。但也要付出代价：从图上看，`db * 3` 和加法都白算了。输出很大时，这就是内存和时间。
#
# 在 forward 里写上 `ctx.set_materialize_grads(False)`，backward 收到的就不是 0，而是 None，可以省下这些计
# 算。不过这样一来就必须先问一问：`None * 3` 会报错。
#
# ## 9. 练习：`square_and_cube`
#
# forward 返回 `x * x` 和 `x * x * x`。请要求 None，并让 backward 只算需要的：第一个输出来了梯度，就算它的
# 那一份 `dsquare * 2 * x`；第二个来了，就算 `dcube * 3 * x * x`。两个都来了，就把两份相加。


# %% exercise="square_and_cube"
class square_and_cube(PyLayer):
    @staticmethod
    def forward(ctx, x):
        # Two calls of ctx are missing here. | 这里少了 ctx 的两次调用。
        ctx.set_materialize_grads(False)  # answer
        ctx.save_for_backward(x)  # answer
        return x * x, x * x * x

    @staticmethod
    def backward(ctx, dsquare, dcube):
        """Return the gradient of x; dsquare or dcube may be None. | 返回 x 的梯度；可能有 None。"""
        (x,) = ctx.saved_tensor()  # answer
        dx = paddle.zeros_like(x)  # answer
        if dsquare is not None:  # answer
            dx = dx + dsquare * 2 * x  # answer
        if dcube is not None:  # answer
            dx = dx + dcube * 3 * x * x  # answer
        return dx  # answer


# %% [markdown] wrong="still_zeros"
# - ctx.set_materialize_grads(False)

# %% [markdown] wrong="still_zeros"
# - ctx.set_materialize_grads(False)
# + ctx.set_materialize_grads(True)

# %% [markdown] wrong="not_asked"
# - if dsquare is not None:
# + if True:
# - if dcube is not None:
# + if True:

# %% [markdown] wrong="either_or"
# - if dcube is not None:
# + elif dcube is not None:

# %% [markdown] wrong="overwritten"
# - dx = dx + dcube * 3 * x * x
# + dx = dcube * 3 * x * x

# %% [markdown] wrong="both_or_nothing"
# - if dsquare is not None:
# + if dsquare is not None and dcube is not None:
# - if dcube is not None:
# + if dsquare is not None and dcube is not None:

# %% [markdown] wrong="truth_of_a_tensor"
# - if dsquare is not None:
# + if dsquare:
# - if dcube is not None:
# + if dcube:

# %% [markdown] wrong="set_in_backward"
# - ctx.set_materialize_grads(False)
# - (x,) = ctx.saved_tensor()
# + ctx.set_materialize_grads(False); (x,) = ctx.saved_tensor()

# %%
lesson.square_and_cube.check(square_and_cube)

# %% [markdown] lang="en"
# See what is left out: only the cube is used here. Before you step through it, say what runs inside the
# orange box.

# %% [markdown] lang="zh"
# 看看省下了什么：这里只用到立方。一步步走之前，先说说橙色方框里会运行什么。

# %%
x = paddle.to_tensor([1.0, 4.0], stop_gradient=False)

with viz.record() as lean:
    square, cube = square_and_cube.apply(x)
    cube.sum().backward()

lean

# %% [markdown] lang="en"
# The small box `dsquare` says None, and of its part nothing runs: there are the zeros to begin with, the
# three multiplications of `dcube * 3 * x * x`, and one addition. Your own lines may differ a little; what
# counts is that no step uses `dsquare`.
#
# ## What you can do now
#
# | you want | you write in forward |
# |---|---|
# | a Tensor for backward | `ctx.save_for_backward(x, y)` |
# | anything else for backward | `ctx.n = n` |
# | the numbers of an input as the result | `return x.clone()`, or `ctx.mark_not_inplace(x)` |
# | an output that sends no gradient back | `ctx.mark_non_differentiable(place)` |
# | None in place of zeros | `ctx.set_materialize_grads(False)` |
#
# All of it inside forward, and each method once, with everything in one call. Beyond the table:
#
# - You can say why a saved Tensor is safer than an attribute, and why neither belongs on the class.
# - You can tell from a picture whether a layer took its input over, or left it alone.
# - You can write a layer that changes nothing forwards, and one that leaves out needless work backwards.
#
# `docs/contract.md` in the repository of minipaddle lists every rule that Paddle's documents state of
# PyLayer and `ctx`, each with the test that holds minipaddle to it.
#
# Some of these layers bent gradients on purpose. How to find out whether one is bent by mistake, lesson 7
# shows: `07_right_gradient.ipynb`.

# %% [markdown] lang="zh"
# 小方框 `dsquare` 写着 None，它的那一份什么都没有运行。橙色方框里有的，只是开头的 0、
# `dcube * 3 * x * x` 的三次乘法，和一次加法。你自己写的可能略有不同，要紧的是没有哪一步用到 `dsquare`。
#
# ## 现在你会了
#
# | 想要 | 在 forward 里写 |
# |---|---|
# | 留一个 Tensor 给反向 | `ctx.save_for_backward(x, y)` |
# | 留别的东西给反向 | `ctx.n = n` |
# | 结果就是输入的数 | `return x.clone()`，或 `ctx.mark_not_inplace(x)` |
# | 一个不传回梯度的输出 | `ctx.mark_non_differentiable(place)` |
# | 不补 0，而给 None | `ctx.set_materialize_grads(False)` |
#
# 都写在 forward 里面；每个方法只调用一次，一次写全。表格之外：
#
# - 能说出保存的 Tensor 为什么比属性安全，以及为什么两者都不该放在类上。
# - 能从图上看出，一个层是接管了它的输入，还是没有动它。
# - 能写出前向什么都不改的层，也能写出反向时省下多余计算的层。
#
# Paddle 的文档关于 PyLayer 和 `ctx` 的每一条规则，minipaddle 仓库里的 `docs/contract.md` 都列了出来，
# 并附有保证它的测试。
#
# 这一课里有几个层是有意改动梯度的。要是无意中弄错了，怎样才能发现？见第 7 课 `07_right_gradient.ipynb`。
