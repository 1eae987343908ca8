# %% [markdown] lang="en"
# # Lesson 1: One tanh, forwards and backwards
#
# You are going to watch a few lines of Paddle code run: every step forwards, and then every step
# backwards, with the numbers. After that you write two backward functions yourself, and the
# notebook tells you whether they are right. It takes about half an hour.
#
# Run the cells one after the other with Shift+Enter.

# %% [markdown] lang="zh"
# # 第 1 课：一个 tanh，正着走，再倒着走
#
# 这一课里，你会看着几行 Paddle 代码运行：先一步步前向，再一步步反向，每一步的数值都看得见。
# 然后你要亲手写两个反向函数，Notebook 会告诉你写得对不对。全程大约半小时。
#
# 按 Shift+Enter，从上到下逐个运行单元格。

# %%
import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.autograd import PyLayer

lesson = exercises.load("01_one_tanh", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. A layer with a backward of its own
#
# A tensor is Paddle's array of numbers, much like NumPy's. The loss is the one number that training
# makes smaller, step by step. A gradient says how fast the loss changes when some other number
# changes. Usually Paddle works out gradients for you. With a `PyLayer` you write both directions
# yourself:
#
# - `forward` computes `y` from `x`, and may save a tensor for later: `ctx.save_for_backward(y)`.
# - `backward` receives `dy`, the gradient of the loss with respect to `y`, and must return the
#   gradient of the loss with respect to `x`. What was saved comes back with `ctx.saved_tensor()`,
#   as a tuple.
#
# Both get the same `ctx`, short for context: it carries from the one to the other what was saved.

# %% [markdown] lang="zh"
# ## 1. 一个自己编写反向的层
#
# Tensor 是 Paddle 里装数的数组，和 NumPy 的数组很像。
# 损失是训练要一步步减小的那个数；梯度说的是，另外某个数变化时，损失变化得有多快。
# 平时梯度由 Paddle 替你求。用 `PyLayer`，前向和反向都由你自己写：
#
# - `forward` 由 `x` 算出 `y`，还可以保存一个 Tensor，留给反向用：`ctx.save_for_backward(y)`。
# - `backward` 收到 `dy`，即损失对 `y` 的梯度；它要返回损失对 `x` 的梯度。
#   之前保存的 Tensor 用 `ctx.saved_tensor()` 取回，取回的是一个元组。
#
# 两者拿到的是同一个 `ctx`（context，上下文）：forward 存在里面的，backward 从里面取。


# %%
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


# %% [markdown] lang="en"
# ## 2. Record it, and look
#
# Whatever runs inside `with viz.record() as trace:` is recorded. Writing `trace` in the last line
# of a cell shows the player.
#
# The cell with the recording makes six random numbers (`paddle.seed` sees to it that they are the same
# each time), sends them through the layer, takes the mean of what comes out as the loss, and calls
# backward. `data.stop_gradient = False` says that we want
# the gradient of `data` (more about this in lesson 2); it ends up in `data.grad`. And
# `cus_tanh.apply(data)` is how a PyLayer is run: `apply` calls `forward` for you.
#
# Before you run it, predict two things. The next two cells show a question card each: answer, and
# lock your answer. Being wrong costs nothing, but those who predict first see more.

# %% [markdown] lang="zh"
# ## 2. 录制下来，看一看
#
# 写在 `with viz.record() as trace:` 里面的代码，运行时都会被录制下来。在单元格最后一行写上
# `trace`，就会显示播放器。
#
# 录制的那个单元格先创建六个随机数（有了 `paddle.seed`，每次都是同样的六个），让它们通过这个层，把输出的均值当作损失，再做反向。
# `data.stop_gradient = False` 表示要求 `data` 的梯度（第 2 课会细讲），求出的梯度放在 `data.grad` 里。
# `cus_tanh.apply(data)` 是运行 PyLayer 的写法：`apply` 会替你调用 `forward`。
#
# 运行之前，先预测两件事。下面两个单元格各显示一张问题卡片：作答，然后锁定。猜错没有关系，
# 但先预测再看，看到的会更多。

# %%
lesson.first_back.ask()

# %%
lesson.what_dy.ask()

# %%
paddle.seed(2023)
data = paddle.randn([2, 3], dtype="float64")
data.stop_gradient = False

with viz.record() as trace:
    z = cus_tanh.apply(data)
    z.mean().backward()

trace

# %% [markdown] lang="en"
# Click into the player and press → to step, ← to go back; the space bar plays. There is
# also a button for each. Where the picture is larger than its pane, drag it, or press 0 to fit it.
#
# - **The left column, in blue, is forward**, from top to bottom. **The right column, in orange, is
#   backward**, from bottom to top: each step stands beside the forward step it belongs to (except
#   inside the box).
# - **The box `cus_tanh` is open**, as in an X-ray. On the left you see what ran inside your
#   `forward`: one `tanh`. On the right you see what ran inside your `backward`: the multiplication
#   `y * y`, then `1 - ...`, then the multiplication by `dy`.
# - **The code pane** lights up the line that is running. While backward runs, it also marks, in
#   blue, the forward line that this step belongs to.
# - **Below the code** stand the numbers of the step, laid out as its formula. `[2, 3]` behind a name
#   is the shape of the tensor: two rows of three numbers. A name has the same colour in the formula,
#   above its numbers and in the code; point at it. Click a number that `tanh` gives, and you see the
#   curve of tanh with all numbers of the tensor on it. Press v for numbers in the boxes, too.
#
# A question: find the answer in the player before you unfold it here.
#
# <details><summary><b>Question.</b> One dashed wire leads from the forward column to the backward
# column. Which tensor travels along it, and which line of <code>forward</code> saved it?</summary>
#
# `y`, the output of `tanh`. The line is `ctx.save_for_backward(y)`. Press m, which also shows the
# steps that are about memory alone: late in backward there is one that lets go of `y` again. From
# then on backward no longer holds it, and its memory can be reclaimed once nothing else uses it.
# </details>
#
# Then go to the step at which `cus_tanh.backward` is called, read the numbers in `dy`, and run the
# next cell. (Outside the layer the same gradient is called `dz`, because what is `y` inside is `z`
# outside.)

# %% [markdown] lang="zh"
# 先在播放器里点一下，再按 → 前进一步，按 ← 后退一步，空格键自动播放；每个操作也都有按钮。
# 图比窗格大时，可以用鼠标拖动，或按 0 缩放到合适大小。
#
# - **左边蓝色的一列是前向**，从上往下走。**右边橙色的一列是反向**，从下往上走：每个反向步骤
#   都和它对应的前向步骤并排（方框里面除外）。
# - **`cus_tanh` 的方框是打开的**，像一张 X 光片。左边是你的 `forward` 内部运行的内容：
#   一个 `tanh`。右边是你的 `backward` 内部运行的内容：先算 `y * y`，再算 `1 - ...`，最后乘以 `dy`。
# - **代码区**会高亮正在运行的那一行。反向运行时，还会用蓝色标出与这一步对应的前向代码。
# - **代码下面**是这一步的数值，按公式排开。名字后面的 `[2, 3]` 是 Tensor 的形状：两行，每行三个数。
#   同一个名字在公式里、数值上方和代码里颜色相同，把鼠标移上去看看。点一下 `tanh` 给出的某个数，就能看到
#   tanh 的曲线，Tensor 的所有数都在上面。按 v，方框里也会写上数值。
#
# 一个小问题。先在播放器里找答案，再点开看。
#
# <details><summary><b>问题。</b>
# 有一条虚线从前向那一列连到反向那一列。沿着它传递的是哪个 Tensor？
# 在 <code>forward</code> 里，是哪一行保存了它？</summary>
#
# 是 `y`，也就是 `tanh` 的输出；那一行是 `ctx.save_for_backward(y)`。按 m 可以显示内存步骤
# （只讲内存的步骤，平时不显示）：在反向快结束的地方，你会看到释放 `y` 的那一步。从那以后，
# 反向不再占着它；别处也不用它时，内存就能回收。
# </details>
#
# 再走到调用 `cus_tanh.backward` 的那一步，看看 `dy` 里是些什么数，然后运行下一个单元格。
# （这个梯度在层外面叫 `dz`，因为层里面的 `y`，在外面叫 `z`。）

# %%
lesson.first_back.compare()
lesson.what_dy.compare()

# %% [markdown] lang="en"
# ## 3. Why `dy * (1 - y * y)`?
#
# tanh works on each element by itself, so look at one element. If `x` grows by a tiny amount, `y`
# grows by that amount times the derivative of tanh:
#
# $$\frac{d}{dx}\tanh x = 1 - \tanh^2 x = 1 - y^2$$
#
# And `dy` says how fast the loss changes with `y`. Multiply the two rates, and you have how fast
# the loss changes with `x`. That is the chain rule, and every backward is an instance of it:
#
# $$dx = dy \cdot (1 - y^2)$$
#
# Note that the derivative is written with `y`, not with `x`. So forward saves `y`, and backward
# need not compute tanh again.
#
# You need not believe this: nudge one element and see how much the loss moves. The quotient of the
# two is called a finite difference.

# %% [markdown] lang="zh"
# ## 3. 为什么是 `dy * (1 - y * y)`？
#
# tanh 对每个元素单独起作用，所以只看一个元素就够了。`x` 增加一点点，`y` 就增加这一点点乘以 tanh
# 的导数：
#
# $$\frac{d}{dx}\tanh x = 1 - \tanh^2 x = 1 - y^2$$
#
# 而 `dy` 是损失随 `y` 的变化率。两个变化率相乘，就是损失随 `x` 的变化率。这就是链式法则，
# 每一个反向函数都是它的一个例子：
#
# $$dx = dy \cdot (1 - y^2)$$
#
# 注意，导数是用 `y` 写出来的，没有用到 `x`。所以 forward 保存 `y` 就行，
# backward 不必再算一遍 tanh。
#
# 不信可以试试：把一个元素改动一点点，看看损失变了多少。损失的变化除以元素的变化，叫作有限差分
# （finite difference）。


# %%
def loss_of(values):
    return float(paddle.tanh(paddle.to_tensor(values)).mean())


up, down = data.numpy().copy(), data.numpy().copy()
up[0, 0] += 1e-6
down[0, 0] -= 1e-6

print("finite difference: | 有限差分：", (loss_of(up) - loss_of(down)) / 2e-6)
print("backward: | 反向求得：", float(data.grad[0, 0]))

# %% [markdown] lang="en"
# Two numbers that agree to many digits. The checks below do just this to your code: they compare
# every element of your gradient with a finite difference, on random inputs.
#
# ## 4. Exercise: `square`
#
# Write the backward of `y = x²`. Two places are open: what forward must save, and `backward`. Then
# run the cell, and the one with the check below it, as often as you like. If the cell itself stops
# with a SyntaxError, mend that first: otherwise the check still sees the class you had before.
#
# Stuck? The card that the check shows has a button for each of three hints, every one stronger than
# the one before, and a button for a solution.

# %% [markdown] lang="zh"
# 两个数有很多位都一样。下面的检查对你的代码做的正是这件事：用随机输入，把你的梯度的每个元素都与
# 有限差分相比较。
#
# ## 4. 练习：`square`
#
# 为 `y = x²` 写反向。有两处空着：forward 要保存什么，以及 `backward`。写完后运行这个单元格，
# 再运行它下面的检查，想试几次都行。如果单元格报 SyntaxError（例如打成了中文逗号），先改好再检查；
# 否则检查的还是上一次的类。
#
# 卡住了？检查给出的卡片上有三个提示按钮，一条比一条更明确；还有一个按钮会给出参考答案。


# %% exercise="square"
class square(PyLayer):
    @staticmethod
    def forward(ctx, x):
        # Save here what backward will need. | 在这里保存 backward 要用的东西。
        ctx.save_for_backward(x)  # answer
        return x * x

    @staticmethod
    def backward(ctx, dy):
        """Take back what was saved; return the gradient of x. | 取回保存的值，返回 x 的梯度。"""
        (x,) = ctx.saved_tensor()  # answer
        return dy * 2 * x  # answer


# %% [markdown] wrong="forgot_dy"
# - return dy * 2 * x
# + return 2 * x

# %% [markdown] wrong="forgot_two"
# - return dy * 2 * x
# + return dy * x

# %% [markdown] wrong="forgot_x"
# - return dy * 2 * x
# + return dy * 2

# %% [markdown] wrong="as_in_tanh"
# - return dy * 2 * x
# + return dy * (1 - x * x)

# %% [markdown] wrong="passed_through"
# - return dy * 2 * x
# + return dy

# %% [markdown] wrong="returned_forward"
# - return dy * 2 * x
# + return x * x

# %% [markdown] wrong="times_forward"
# - return dy * 2 * x
# + return dy * x * x

# %% [markdown] wrong="saved_output"
# - ctx.save_for_backward(x)
# + ctx.save_for_backward(x * x)

# %% [markdown] wrong="numpy_array"
# - return dy * 2 * x
# + return (dy * 2 * x).numpy()

# %% [markdown] wrong="not_unpacked"
# - (x,) = ctx.saved_tensor()
# + x = ctx.saved_tensor()

# %% [markdown] wrong="not_saved"
# - ctx.save_for_backward(x)

# %% [markdown] wrong="outside"
# - ctx.save_for_backward(x)
# - (x,) = ctx.saved_tensor()

# %% [markdown] wrong="no_return"
# - return dy * 2 * x
# + dx = dy * 2 * x

# %% [markdown] wrong="too_many"
# - return dy * 2 * x
# + return dy * 2 * x, dy

# %% [markdown] wrong="saved_elsewhere"
# - ctx.save_for_backward(x)
# + square.kept = x
# - (x,) = ctx.saved_tensor()
# + x = square.kept

# %% [markdown] wrong="forward_none"
# - ctx.save_for_backward(x)
# + return ctx.save_for_backward(x)

# %% [markdown] wrong="as_in_torch"
# - (x,) = ctx.saved_tensor()
# + (x,) = ctx.saved_tensors

# %% [markdown] wrong="as_in_torch"
# - (x,) = ctx.saved_tensor()
# + (x,) = ctx.saved_tensor

# %% [markdown] wrong="as_in_torch"
# - (x,) = ctx.saved_tensor()
# + x = ctx.saved_tensor

# %% [markdown] wrong="caret"
# - return dy * 2 * x
# + return dy * x^2

# %% [markdown] wrong="saved_twice"
# - ctx.save_for_backward(x)
# + ctx.save_for_backward(x); ctx.save_for_backward(x * x)

# %% [markdown] wrong="saved_a_list"
# - ctx.save_for_backward(x)
# + ctx.save_for_backward([x])

# %% [markdown] wrong="not_taken_back"
# - (x,) = ctx.saved_tensor()

# %% [markdown] wrong="how_many"
# - (x,) = ctx.saved_tensor()
# + x, y = ctx.saved_tensor()

# %% [markdown] wrong="how_many"
# - ctx.save_for_backward(x)
# + ctx.save_for_backward(x, x * x)

# %%
lesson.square.check(square)


# %% [markdown] lang="en"
# Now look at your own layer as you looked at `cus_tanh`. The input has three numbers, and the loss
# is the mean of their squares: predict one of the gradients first.
#
# Then, in the player: is there a dashed wire? (No dashed wire means that you did not use
# `save_for_backward`.) Which of your lines is each step inside the orange box?

# %% [markdown] lang="zh"
# 现在像看 `cus_tanh` 那样，看看你自己的层。输入有三个数，损失是它们平方的均值：先预测其中一个梯度。
#
# 再看播放器：有没有虚线？（没有虚线，说明你没有用
# `save_for_backward`。）橙色方框里的每一步，对应你写的哪一行？

# %%
lesson.of_minus_two.ask()

# %%
x = paddle.to_tensor([[1.0, -2.0, 3.0]], dtype="float64", stop_gradient=False)

with viz.record() as mine:
    y = square.apply(x)
    y.mean().backward()

lesson.of_minus_two.compare()
mine

# %% [markdown] lang="en"
# ## 5. Exercise: `gated_tanh`
#
# `y = a * tanh(b)`: `a` decides how much of `tanh(b)` gets through. An LSTM, a classic layer for
# sequences, ends each of its steps like this. `a` and `b` have the same shape.
#
# Forward takes two tensors, so backward returns two gradients, in the same order. While you work
# out one of them, hold the other input fixed.

# %% [markdown] lang="zh"
# ## 5. 练习：`gated_tanh`
#
# `y = a * tanh(b)`：`a` 像一道门，决定让多少 `tanh(b)` 通过。LSTM（处理序列的经典层）的每一步
# 就是这样收尾的。`a` 和 `b` 形状相同。
#
# forward 接收两个 Tensor，backward 就要按同样的顺序返回两个梯度。求其中一个时，把另一个当作常数。


# %% exercise="gated_tanh"
class gated_tanh(PyLayer):
    @staticmethod
    def forward(ctx, a, b):
        t = paddle.tanh(b)
        # Save here what backward will need. | 在这里保存 backward 要用的东西。
        ctx.save_for_backward(a, t)  # answer
        return a * t

    @staticmethod
    def backward(ctx, dy):
        """Return the gradient of a and the gradient of b. | 返回 a 的梯度和 b 的梯度。"""
        a, t = ctx.saved_tensor()  # answer
        da = dy * t  # answer
        db = dy * a * (1 - t * t)  # answer
        return da, db  # answer


# %% [markdown] wrong="swapped"
# - return da, db
# + return db, da

# %% [markdown] wrong="one_gradient"
# - return da, db
# + return da + db

# %% [markdown] wrong="forgot_dy"
# - da = dy * t
# + da = t
# - db = dy * a * (1 - t * t)
# + db = a * (1 - t * t)

# %% [markdown] wrong="forgot_a"
# - db = dy * a * (1 - t * t)
# + db = dy * (1 - t * t)

# %% [markdown] wrong="forgot_slope"
# - db = dy * a * (1 - t * t)
# + db = dy * a

# %% [markdown] wrong="slope_of_b"
# - ctx.save_for_backward(a, t)
# + ctx.save_for_backward(a, b)
# - a, t = ctx.saved_tensor()
# + a, b = ctx.saved_tensor()
# - da = dy * t
# + da = dy * paddle.tanh(b)
# - db = dy * a * (1 - t * t)
# + db = dy * a * (1 - b * b)

# %% [markdown] wrong="same_twice"
# - return da, db
# + return dy, dy

# %% [markdown] wrong="returned_forward"
# - return da, db
# + return a * t, a * t

# %% [markdown] wrong="numpy_array"
# - return da, db
# + return da.numpy(), db.numpy()

# %% [markdown] wrong="not_unpacked"
# - a, t = ctx.saved_tensor()
# + a = t = ctx.saved_tensor()

# %% [markdown] wrong="not_saved"
# - ctx.save_for_backward(a, t)

# %% [markdown] wrong="outside"
# - ctx.save_for_backward(a, t)
# - a, t = ctx.saved_tensor()
# + t = paddle.tanh(b)

# %% [markdown] wrong="no_return"
# - return da, db

# %% [markdown] wrong="saved_elsewhere"
# - ctx.save_for_backward(a, t)
# + gated_tanh.kept = a, t
# - a, t = ctx.saved_tensor()
# + a, t = gated_tanh.kept

# %% [markdown] wrong="taken_in_other_order"
# - ctx.save_for_backward(a, t)
# + ctx.save_for_backward(t, a)

# %% [markdown] wrong="saved_b"
# - ctx.save_for_backward(a, t)
# + ctx.save_for_backward(a, b)

# %% [markdown] wrong="brackets"
# - db = dy * a * (1 - t * t)
# + db = dy * a * 1 - t * t

# %% [markdown] wrong="forward_none"
# - ctx.save_for_backward(a, t)
# + return ctx.save_for_backward(a, t)

# %% [markdown] wrong="as_in_torch"
# - a, t = ctx.saved_tensor()
# + a, t = ctx.saved_tensors

# %% [markdown] wrong="caret"
# - db = dy * a * (1 - t * t)
# + db = dy * a * (1 - t^2)

# %% [markdown] wrong="saved_twice"
# - ctx.save_for_backward(a, t)
# + ctx.save_for_backward(a); ctx.save_for_backward(t)

# %% [markdown] wrong="saved_a_list"
# - ctx.save_for_backward(a, t)
# + ctx.save_for_backward([a, t])

# %% [markdown] wrong="not_taken_back"
# - a, t = ctx.saved_tensor()

# %% [markdown] wrong="how_many"
# - ctx.save_for_backward(a, t)
# + ctx.save_for_backward(a)

# %%
lesson.gated_tanh.check(gated_tanh)


# %% [markdown] lang="en"
# ## 6. Exercise: `record`
#
# Record this layer yourself, under the name `recording`: make two tensors `a` and `b` of one shape,
# apply the layer inside `with viz.record()`, call `.mean().backward()`, and show the trace. Section
# 4 has the pattern. In the player, follow each of the two dashed wires to the steps that use it.
#
# Make the tensors with `paddle.to_tensor(..., stop_gradient=False)`; after `randn`, write
# `a.stop_gradient = False` on a line of its own, and the same for `b`. If you forget it,
# nothing wants a gradient, and the player shows no backward of your layer.

# %% [markdown] lang="zh"
# ## 6. 练习：`record`
#
# 这个层由你自己来录制，名字用 `recording`：创建两个形状相同的 Tensor `a` 和 `b`，在 `with viz.record()`
# 里调用这个层，再调用 `.mean().backward()`，最后显示录制的结果。写法可以照着第 4 节。在播放器里，顺
# 着两条虚线，看看各自用在哪些步骤。
#
# Tensor 用 `paddle.to_tensor(..., stop_gradient=False)` 创建；如果用 `randn`，另起一行写
# `a.stop_gradient = False`，`b` 也一样。忘了写，就没有东西需要求梯度，
# 播放器里也看不到这个层的反向。

# %% exercise="record"
recording = None  # put your trace here | 把你录制的结果放在这里
a = paddle.to_tensor([0.5, -1.0, 2.0], dtype="float64", stop_gradient=False)  # answer
b = paddle.to_tensor([1.0, 0.3, -0.7], dtype="float64", stop_gradient=False)  # answer
with viz.record() as gated:  # answer
    gated_tanh.apply(a, b).mean().backward()  # answer
recording = gated  # answer
recording  # answer

# %% [markdown] wrong="wants_none"
# - a = paddle.to_tensor([0.5, -1.0, 2.0], dtype="float64", stop_gradient=False)
# + a = paddle.to_tensor([0.5, -1.0, 2.0], dtype="float64")
# - b = paddle.to_tensor([1.0, 0.3, -0.7], dtype="float64", stop_gradient=False)
# + b = paddle.to_tensor([1.0, 0.3, -0.7], dtype="float64")

# %% [markdown] wrong="other_layer"
# - gated_tanh.apply(a, b).mean().backward()
# + square.apply(a).mean().backward()

# %% [markdown] wrong="layer_outside"
# - b = paddle.to_tensor([1.0, 0.3, -0.7], dtype="float64", stop_gradient=False)
# + b = paddle.to_tensor(0.3, dtype="float64", stop_gradient=False); y = gated_tanh.apply(b, b)
# - gated_tanh.apply(a, b).mean().backward()
# + y.backward()

# %% [markdown] wrong="no_backward"
# - gated_tanh.apply(a, b).mean().backward()
# + gated_tanh.apply(a, b).mean()

# %%
lesson.record.check(recording)

# %% [markdown] lang="en"
# ## What you can do now
#
# - You can write a `PyLayer`: its backward receives one gradient for each output and returns one
#   for each input.
# - You can work out such a backward: multiply what comes in by the derivative of what forward did.
# - You can say what forward must save in `ctx` for it; after backward, `ctx` lets go of it.
# - You can check a gradient with finite differences: nudge the input and see how much the loss
#   moves.
# - You can record a computation and step through it, forwards and backwards.
#
# `mine.save("square.html")` writes your recording to a file that works in any browser, without
# Jupyter and without a network.
#
# Here `data.grad` was simply there. In lesson 2, `02_leaves.ipynb`, a gradient is missing, and you
# find out why.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# - 能写出一个 `PyLayer`：它的 backward 为每个输出收到一个梯度，为每个输入返回一个梯度。
# - 能推出这样的反向：把传进来的梯度乘上前向那一步的导数。
# - 能说出 forward 要为它在 `ctx` 里保存什么；反向结束后，`ctx` 就不再占着它。
# - 能用有限差分检验梯度：把输入改动一点点，看看损失变了多少。
# - 能把一段计算录制下来，正着、倒着一步步地看。
#
# `mine.save("square.html")` 会把你的记录存成一个文件，用任何浏览器都能打开，不需要 Jupyter，
# 也不需要联网。
#
# 在这一课里，`data.grad` 自然就有。到了第 2 课 `02_leaves.ipynb`，有一个梯度却不见了：你来查出原
# 因。
