# %% [markdown] lang="en"
# # Lesson 3: The tape
#
# `loss.backward()` starts when every line of forward is long over. How does it know which
# operations ran, on which numbers, and in which order to undo them?
#
# In this lesson you build the answer yourself: automatic differentiation in about sixty lines of
# plain Python. Then you check it against Paddle, and read the real one, which will look familiar.
#
# It takes about 45 minutes. You need lesson 1 (`dy`, the chain rule) and from lesson 2 what a leaf
# is.

# %% [markdown] lang="zh"
# # 第 3 课：tape，反向怎么认得路
#
# `loss.backward()` 开始的时候，前向的每一行都早已运行完了。它怎么知道运行过哪些运算、用的是哪些数、
# 又该按什么顺序倒着走？
#
# 这一课里，答案由你自己来写：用普通的 Python，六十行左右，做出一个自动微分。然后拿它和 Paddle 对
# 照，再去读真正的源码；到那时，你会发现它很眼熟。
#
# 全程大约 45 分钟。需要第 1 课的 `dy` 和链式法则，以及第 2 课讲的叶子 Tensor。

# %%
import inspect
import math

import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.engine import backward as ours

lesson = exercises.load("03_the_tape", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. What forward leaves behind
#
# Every operation with an input that wants a gradient leaves a **node** behind; the result holds it
# as its `grad_fn`. A node is the backward of this one operation, ready to be called. It also holds
# **edges**: for every input of the operation, where the gradient of this input has to go next. All
# nodes together are called the **tape**, because they are recorded while forward runs (with
# `viz.record()` or without), and backward plays them from the end to the beginning.
#
# Take `x * x`. Think about the edges of its node before you look.

# %% [markdown] lang="zh"
# ## 1. 前向留下了什么
#
# 只要有输入要求梯度，运算就会留下一个**节点**，结果里的 `grad_fn` 就是它。节点就是这个运算的反向，
# 随时可以调用。
# 节点还带着若干条**边**：运算的每个输入各有一条，指明这个输入的梯度接下来要送到哪里。所有节点合在
# 一起叫作 **tape**（磁带）：前向运行时录下来（用不用 `viz.record()` 都一样），反向再从尾到头放一遍。
#
# 以 `x * x` 为例。先想一想它的节点有几条边，再往下看。

# %%
lesson.edges.ask()

# %%
x = paddle.to_tensor(0.5, stop_gradient=False)
z = paddle.tanh(x * x)

node = z.grad_fn
print(node.name(), "->", [following.name() for following in node.next_functions])
node = node.next_functions[0]
print(node.name(), "->", [following.name() for following in node.next_functions])
lesson.edges.compare()

# %% [markdown] lang="en"
# Read it from top to bottom: this is the way that backward takes. From the node of tanh one edge
# leads to the node of the multiplication, and from there two edges lead to the leaf `x`. (A leaf
# was made by no operation. What stands there, `GradNodeAccumulation`, takes gradients in and adds
# them to `x.grad`.)
#
# So an operation must leave behind three things: its **edges**, its **rule** (how to get the
# gradients of the inputs from the gradient of the output), and the **numbers that the rule needs**.
#
# ## 2. A number that remembers
#
# `Var` is our tensor: a single number, to keep it short. `add` and `tanh` are our operations. Read
# `tanh` slowly: `rule` is a function inside a function, so it still sees `y` when it is called
# later. In a PyLayer the same thing is called `ctx.save_for_backward(y)`.

# %% [markdown] lang="zh"
# 从上往下读，就是反向要走的路：从 tanh 的节点有一条边通向乘法的节点，从那里又有两条边通向叶子 `x`。
# （叶子不由任何运算产生。站在那里的 `GradNodeAccumulation` 负责收下梯度，加进 `x.grad`。）
#
# 所以，一个运算必须留下三样东西：它的**边**；它的**规则**，即怎样由输出的梯度求出各个输入的梯度；
# 还有**规则要用到的数**。
#
# ## 2. 一个有记忆的数
#
# `Var` 就是我们的 Tensor；为了简短，它只有一个数。`add` 和 `tanh` 是我们的运算。`tanh` 要慢慢读：
# `rule` 是写在函数里面的函数，所以以后调用它时，它仍然看得到 `y`。在 PyLayer 里，同一件事写作
# `ctx.save_for_backward(y)`。


# %%
class Var:
    """A number that remembers how it came about. | 一个记得自己是怎么来的数。"""

    def __init__(self, value, edges=(), rule=None):
        self.value = value  # the number | 数值
        self.edges = edges  # the Vars that it was computed from | 它是由哪些 Var 算出来的
        self.rule = rule  # dy -> one gradient for each edge | dy -> 每条边各一个梯度
        self.grad = 0.0  # filled in by backward | 由反向填写

    def __add__(self, other):
        return add(self, other)

    def __mul__(self, other):
        return mul(self, other)


def add(a, b):
    def rule(dy):
        return [dy, dy]

    return Var(a.value + b.value, [a, b], rule)


def tanh(a):
    y = math.tanh(a.value)

    def rule(dy):
        return [dy * (1 - y * y)]

    return Var(y, [a], rule)


# %% [markdown] lang="en"
# In `add`, both inputs pass straight into the sum: when one grows by a little, so does the sum. The
# derivative is 1, so each input gets `dy` as it is. A leaf, made by `Var(0.5)`, has no edges and no
# rule.
#
# With this we can already walk back by hand. Run it, and follow each number.

# %% [markdown] lang="zh"
# 在 `add` 里，两个输入都直接进入和：哪个增加一点点，和就增加同样多。导数是 1，所以每个输入得到的就
# 是 `dy` 本身。叶子用 `Var(0.5)` 创建，没有边，也没有规则。
#
# 有了这些，已经可以手动往回走了。运行一下，把每个数都对上。

# %%
a = Var(0.5)
b = a + a
z = tanh(b)

(to_b,) = z.rule(1.0)  # how fast z changes with z: 1 | z 对自己的变化率：1
to_a, to_a_again = b.rule(to_b)
print("z:", round(z.value, 3))
print("db:", round(to_b, 3))
print("da:", round(to_a, 3), "+", round(to_a_again, 3), "=", round(to_a + to_a_again, 3))

# %% [markdown] lang="en"
# `a` stands twice in `a + a`, so two gradients come to it. When `a` grows, both places make the sum
# grow, so the two are **added**. This is called fan-in, and it is the only thing in backward that
# is not a call of a rule.
#
# ## 3. Exercise: `mul`
#
# Multiplication is the operation that we lack. Which of the three, `add`, `tanh` and `mul`, have to
# remember numbers at all? Commit yourself first.

# %% [markdown] lang="zh"
# `a + a` 里 `a` 出现了两次，所以有两个梯度来到它这里。`a` 增加时，两处都让和增加，所以这两个梯度要
# **相加**。梯度在这里汇合（fan-in）；在反向里，除了调用规则，要做的事只有这一件。
#
# ## 3. 练习：`mul`
#
# 还缺一个运算：乘法。`add`、`tanh` 和 `mul` 这三个里，哪些需要记住数？先作出预测。

# %%
lesson.remembered.ask()

# %% [markdown] lang="en"
# Now write `mul`, on the model of `add` and `tanh`: it returns a `Var` with the product, its two
# edges and its rule. While you work out the gradient of `a`, hold `b` fixed.

# %% [markdown] lang="zh"
# 现在照着 `add` 和 `tanh` 的样子写 `mul`：它返回一个 `Var`，里面有乘积、两条边和规则。
# 求 `a` 的梯度时，把 `b` 当作常数。


# %% exercise="mul"
def mul(a, b):
    """The product of two Vars. | 两个 Var 的乘积。"""

    def rule(dy):  # answer
        return [dy * b.value, dy * a.value]  # answer

    return Var(a.value * b.value, [a, b], rule)  # answer


# %% [markdown] wrong="swapped"
# - return [dy * b.value, dy * a.value]
# + return [dy * a.value, dy * b.value]

# %% [markdown] wrong="forgot_dy"
# - return [dy * b.value, dy * a.value]
# + return [b.value, a.value]

# %% [markdown] wrong="as_in_add"
# - return [dy * b.value, dy * a.value]
# + return [dy, dy]

# %% [markdown] wrong="times_product"
# - return [dy * b.value, dy * a.value]
# + return [dy * a.value * b.value, dy * a.value * b.value]

# %% [markdown] wrong="one_gradient"
# - return [dy * b.value, dy * a.value]
# + return dy * b.value

# %% [markdown] wrong="one_gradient"
# - return [dy * b.value, dy * a.value]
# + return [dy * b.value]

# %% [markdown] wrong="no_edges"
# - return Var(a.value * b.value, [a, b], rule)
# + return Var(a.value * b.value)

# %% [markdown] wrong="bare_number"
# - return Var(a.value * b.value, [a, b], rule)
# + return a.value * b.value

# %% [markdown] wrong="rule_called"
# - return Var(a.value * b.value, [a, b], rule)
# + return Var(a.value * b.value, [a, b], rule(1.0))

# %% [markdown] wrong="vars_multiplied"
# - return [dy * b.value, dy * a.value]
# + return [dy * b, dy * a]

# %%
lesson.mul.check(mul)
lesson.remembered.compare()

# %% [markdown] lang="en"
# ## 4. When may a node be visited?
#
# By hand it was easy: one node came after the other. Now look at this computation, which Paddle
# will run:
#
#     b = a + a
#     loss = b + tanh(b)
#
# Two gradients come to `b`: one straight from the last addition, one through tanh. The first is
# there at once. Suppose that backward went on from `b` as soon as this first gradient had come, and
# threw the second away. What would `a.grad` be? (The gradient of `loss` is 1, and add passes it on
# as it is.)

# %% [markdown] lang="zh"
# ## 4. 什么时候可以访问一个节点？
#
# 手动走的时候很简单，节点一个接一个。现在看这个计算，由 Paddle 来运行：
#
#     b = a + a
#     loss = b + tanh(b)
#
# 有两个梯度要来到 `b`：一个从最后的加法直接来，一个经过 tanh。前一个马上就到。假如第一个梯度一到，
# 反向就从 `b` 继续往回走，后到的那个丢掉不管，那么 `a.grad` 会是多少？
# （`loss` 的梯度是 1，add 把它原样传下去。）

# %%
lesson.too_early.ask()

# %%
a = paddle.to_tensor(0.5, stop_gradient=False)

with viz.record() as trace:
    b = a + a
    loss = b + paddle.tanh(b)
    loss.backward()

print("a.grad:", round(float(a.grad), 3))
lesson.too_early.compare()

# %%
trace

# %% [markdown] lang="en"
# Follow the orange column step by step, from the bottom up:
#
# - The lower “add backward”, that of the last addition, gives two gradients, both 1. One of them is
#   for `b`. Backward does **not** go on from `b` now: the upper “add backward” stays pale.
# - Next comes “tanh backward”, which gives `b` its second gradient, 0.42.
# - Then comes the box `+=` with `db` in it, where the two meet: 1 + 0.42 = 1.42. Only now is the
#   upper “add backward”, that of `a + a`, visited.
#
# In the last step, click the number of `a.grad`: below it stand the two paths on which the gradient
# came, factor by factor. The direct one brings 1 × 2 = 2, the one through tanh 1 × 0.42 × 2 = 0.84,
# together 2.84.
#
# So the rule is: **a node is visited when its last gradient has come.** For that backward must know
# how many will come. It counts them before it starts: one for every edge that leads to the node.
#
# Count for yourself, in a computation with more paths:
#
#     c = a * a
#     d = c + a
#     loss = d * c

# %% [markdown] lang="zh"
# 沿着橙色的一列，从下往上一步步走：
#
# - 下面的 “add 的反向” 属于最后那个加法，它给出两个梯度，都是 1，其中一个是 `b` 的。
#   反向这时并**不**接着从 `b` 往回走：上面的 “add 的反向” 还是淡的。
# - 接下来是 “tanh 的反向”，它给 `b` 送来第二个梯度 0.42。
# - 然后到标着 `db` 的方框 `+=`，两个梯度在这里汇合：1 + 0.42 = 1.42。到这时，
#   才访问上面的 “add 的反向”，它属于 `a + a`。
#
# 走到最后一步，点一下 `a.grad` 的数：下面列出梯度走过的两条路径，每个因子都写了出来。直接的一条带来
# 1 × 2 = 2，经过 tanh 的一条带来 1 × 0.42 × 2 = 0.84，合起来是 2.84。
#
# 所以规则是：**一个节点，要等最后一个梯度也到了，才访问它。** 为此，反向必须知道一共会来几个。
# 它在出发之前先数好：通向这个节点的边有几条，就会来几个。
#
# 换一个路更多的计算，你自己数一数：
#
#     c = a * a
#     d = c + a
#     loss = d * c

# %%
lesson.arrivals.ask()

# %% [markdown] lang="en"
# ## 5. Exercise: `count`
#
# Write this count. `count(loss)` returns a dict: for every `Var` behind `loss` (that is, reached
# from it along edges), how many edges lead to it. `loss` itself is not in it, since no edge leads
# there.
#
# Keep a list of Vars whose edges you have not looked at yet, with only `loss` in it to begin with.
# Take one out, look at its edges, count each, and put those into the list that you meet for the
# *first* time: the edges of a Var must be counted once, however many paths lead to it.

# %% [markdown] lang="zh"
# ## 5. 练习：`count`
#
# 把这个计数写出来。`count(loss)` 返回一个 dict：对 `loss` 后面的每个 `Var`（也就是从它沿着边
# 能走到的），记下有几条边通向它。
# `loss` 自己不在里面，因为没有边通向它。
#
# 准备一个列表，放还没有看过边的 Var，一开始里面只有 `loss`。每次取出一个，看它的各条边，逐条计数；
# **第一次**碰到的 Var 要放进列表。无论有多少条路通向一个 Var，它自己的边都只能数一遍。


# %% exercise="count"
def count(loss):
    """How many edges lead to each Var behind the loss. | loss 后面的每个 Var 各有几条边通向它。"""
    counts = {}  # answer
    waiting = [loss]  # answer
    while waiting:  # answer
        for edge in waiting.pop().edges:  # answer
            if edge not in counts:  # answer
                waiting.append(edge)  # answer
            counts[edge] = counts.get(edge, 0) + 1  # answer
    return counts  # answer


# %% [markdown] wrong="ways"
# - if edge not in counts:
# + if True:

# %% [markdown] wrong="once_each"
# - counts[edge] = counts.get(edge, 0) + 1
# + counts[edge] = 1

# %% [markdown] wrong="after_the_first"
# - counts[edge] = counts.get(edge, 0) + 1
# + counts[edge] = counts.get(edge, -1) + 1

# %% [markdown] wrong="not_further"
# - waiting.append(edge)
# + pass

# %% [markdown] wrong="loss_too"
# - counts = {}
# + counts = {loss: 1}

# %% [markdown] wrong="nothing_to_add_to"
# - counts[edge] = counts.get(edge, 0) + 1
# + counts[edge] += 1

# %% [markdown] wrong="total"
# - return counts
# + return sum(counts.values())

# %% [markdown] wrong="by_value"
# - if edge not in counts:
# + if edge.value not in counts:
# - counts[edge] = counts.get(edge, 0) + 1
# + counts[edge.value] = counts.get(edge.value, 0) + 1

# %%
lesson.count.check(count)
lesson.arrivals.compare()

# %% [markdown] lang="en"
# ## 6. Exercise: `backward`
#
# Everything is there now. Put it together:
#
# 1. Count the gradients that will arrive. Set `loss.grad` to 1.0: how fast the loss changes with itself.
# 2. Keep a list of Vars that are ready; to begin with, `loss`.
# 3. Take one out. If it has a rule, call the rule with its `.grad`, and hand each gradient to the
#    edge it belongs to: **add** it to the `.grad` of that edge.
# 4. One arrival less is left for this edge. If it was the last, the edge is ready.
#
# `zip(var.edges, grads)` gives each edge together with its gradient.

# %% [markdown] lang="zh"
# ## 6. 练习：`backward`
#
# 零件都齐了，把它们装起来：
#
# 1. 数好各处会来几个梯度。把 `loss.grad` 设成 1.0，即损失对自己的变化率。
# 2. 准备一个列表，放可以访问的 Var，一开始里面是 `loss`。
# 3. 取出一个。如果它有规则，就用它的 `.grad` 调用规则，把每个梯度交给对应的边：**加**到那条边的
#    `.grad` 上。
# 4. 这条边还要等的梯度少了一个。如果刚才是最后一个，它就可以访问了。
#
# `zip(var.edges, grads)` 会把每条边和它的梯度配成一对。


# %% exercise="backward"
def backward(loss):
    """Fill in the .grad of every Var behind the loss. | 填好 loss 后面每个 Var 的 .grad。"""
    counts = count(loss)  # answer
    loss.grad = 1.0  # answer
    ready = [loss]  # answer
    while ready:  # answer
        var = ready.pop()  # answer
        grads = var.rule(var.grad) if var.rule else []  # answer
        for edge, grad in zip(var.edges, grads):  # answer
            edge.grad += grad  # answer
            counts[edge] -= 1  # answer
            if counts[edge] == 0:  # answer
                ready.append(edge)  # answer


# %% [markdown] wrong="overwritten"
# - edge.grad += grad
# + edge.grad = grad

# %% [markdown] wrong="too_soon"
# - if counts[edge] == 0:
# + if True:

# %% [markdown] wrong="no_start"
# - loss.grad = 1.0
# + loss.grad = 0.0

# %% [markdown] wrong="rule_of_one"
# - grads = var.rule(var.grad) if var.rule else []
# + grads = var.rule(1.0) if var.rule else []

# %% [markdown] wrong="never_ready"
# - counts[edge] -= 1

# %% [markdown] wrong="rule_of_value"
# - grads = var.rule(var.grad) if var.rule else []
# + grads = var.rule(var.value) if var.rule else []

# %% [markdown] wrong="leaf_rule"
# - grads = var.rule(var.grad) if var.rule else []
# + grads = var.rule(var.grad)

# %% [markdown] wrong="stopped_at_leaf"
# - while ready:
# + while ready and ready[-1].rule:

# %% [markdown] wrong="nothing_counted"
# - counts = count(loss)
# + counts = None

# %%
lesson.backward.check(backward)

# %% [markdown] lang="en"
# ## 7. Against Paddle
#
# Your tape is complete: `Var`, `add`, `tanh`, `mul`, `count` and `backward`, about sixty lines. Put
# it to work. Compute `tanh(a * b) + a` for `a = 0.5` and `b = -1.2` with Vars of your own, call
# your `backward`, and collect both gradients in `mine`. The cell below does the same with Paddle.

# %% [markdown] lang="zh"
# ## 7. 和 Paddle 对照
#
# 你的 tape 完成了：`Var`、`add`、`tanh`、`mul`、`count` 和 `backward`，六十行左右。现在让它干活：
# 用自己的 Var 计算 `tanh(a * b) + a`，其中 `a = 0.5`，`b = -1.2`；再调用你的 `backward`，
# 把两个梯度收进 `mine`。下面的单元格用 Paddle 做同样的事。

# %% exercise="mine"
mine = None  # in the end: [a.grad, b.grad] | 最后应当是 [a.grad, b.grad]
a, b = Var(0.5), Var(-1.2)  # answer
loss = tanh(a * b) + a  # answer
backward(loss)  # answer
mine = [a.grad, b.grad]  # answer

# %% [markdown] wrong="not_run"
# - backward(loss)

# %% [markdown] wrong="other_order"
# - mine = [a.grad, b.grad]
# + mine = [b.grad, a.grad]

# %% [markdown] wrong="a_forgotten"
# - loss = tanh(a * b) + a
# + loss = tanh(a * b)

# %% [markdown] wrong="values"
# - mine = [a.grad, b.grad]
# + mine = [a.value, b.value]

# %% [markdown] wrong="run_twice"
# - backward(loss)
# + backward(loss); backward(loss)

# %%
a = paddle.to_tensor(0.5, stop_gradient=False)
b = paddle.to_tensor(-1.2, stop_gradient=False)
(paddle.tanh(a * b) + a).backward()

print("Paddle:", [round(float(each.grad), 4) for each in (a, b)])
lesson.mine.check(mine)

# %% [markdown] lang="en"
# ## 8. Read ours
#
# Now the real one: the file `minipaddle/engine/backward.py`, which the first cell of this lesson
# imported under the name `ours`. This is the function that counts. Look for your own lines in it
# before you read on.

# %% [markdown] lang="zh"
# ## 8. 读真正的源码
#
# 现在来读真的：文件 `minipaddle/engine/backward.py`，这一课的第一个单元格已经把它导入，取名
# `ours`。下面是其中负责计数的函数。先在里面找找你自己的那几行，再往下看。

# %%
print(inspect.getsource(ours.count_arrivals))

# %% [markdown] lang="en"
# - `stack` is your list of Vars, `reached` and `later` together are your dict. It counts only what
#   comes *after the first* gradient, because most tensors are used once and need no entry at all.
# - `if edge is None`: an input with `stop_gradient=True` (lesson 2) has None for an edge.
# - `OutputSlot` is for operations with several outputs, such as `split`: it says which output is meant.
#
# Here it counts for the computation of section 4. Add one to each number, and compare with your
# prediction for `a`.

# %% [markdown] lang="zh"
# - `stack` 就是你的列表，`reached` 和 `later` 合起来就是你的 dict。它只数**第一个之后**还会来几个：
#   大多数 Tensor 只用到一次，这样就根本不用记。
# - `if edge is None`：`stop_gradient=True` 的输入（见第 2 课），它的边是 None。
# - `OutputSlot` 用于有多个输出的运算，例如 `split`：它指明是哪一个输出。
#
# 下面让它来数第 4 节的那个计算。每个数加一，再和你对 `a` 的预测比一比。

# %%
a = paddle.to_tensor(2.0, stop_gradient=False)
c = a * a
d = c + a
loss = d * c

later = ours.count_arrivals([loss.grad_fn])
print("after the first, to a: | 第一个之后，到 a 的：", later[a])
print("after the first, to c: | 第一个之后，到 c 的：", later[c.grad_fn])

# %% [markdown] lang="en"
# And this is the walk, your `backward`. Read it with the table beside it.
#
# | yours | ours | why it differs |
# |---|---|---|
# | `loss.grad = 1.0` | `starts` | backward may begin at several tensors, each with a gradient of its own |
# | `ready`, a list: last in, first out | `ready`, a `deque`: first in, first out, but leaves at once | Paddle's order, which hooks (see below) can tell; the sums are the same |
# | `edge.grad += grad` | `sums[edge]`, and `held + grad` | what is on its way is kept apart from `.grad`, which belongs to leaves |
# | `var.rule(var.grad)` | `node.visit(grad, retain_graph)` | the node also checks what it saved, and releases it (lesson 4) |
# | | `grad is None` | a rule may give None in place of a gradient: it is handed on, and adds nothing |
# | | `node.hooks` | hooks: functions of the user that see a gradient on its way and may change it |
# | | `visit`, `add` | other ways to visit and to add; `viz.record()` listens through them |
# | | `ends` | where `paddle.grad` stops, which wants the gradients of some tensors only |

# %% [markdown] lang="zh"
# 这就是真正的行走过程，相当于你的 `backward`。对照下面的表来读。
#
# | 你的 | 真正的 | 为什么不同 |
# |---|---|---|
# | `loss.grad = 1.0` | `starts` | 反向可以同时从几个 Tensor 出发，各带自己的初始梯度 |
# | `ready`，列表，后进先出 | `ready`，`deque`，先进先出，但叶子立即处理 | 这是 Paddle 的顺序，hook 函数看得见它；求和的结果一样 |
# | `edge.grad += grad` | `sums[edge]` 和 `held + grad` | 还在路上的梯度另外存放，不和 `.grad` 混在一起；`.grad` 属于叶子 |
# | `var.rule(var.grad)` | `node.visit(grad, retain_graph)` | 节点还要检查它保存的东西，用完就释放（见第 4 课） |
# | | `grad is None` | 规则可以不给梯度，只给 None：它照样往下传，相加时什么也不加 |
# | | `node.hooks` | hook：用户的函数，在途中查看梯度，也可以修改它 |
# | | `visit`、`add` | 换一种方式访问、相加；`viz.record()` 就靠它们监听 |
# | | `ends` | `paddle.grad` 走到这里为止，它只要几个 Tensor 的梯度 |

# %%
print(inspect.getsource(ours.walk))

# %% [markdown] lang="en"
# ## 9. Exercise: `same_part`
#
# One variable of `walk` does what your `counts` does: it says how many gradients an edge still
# waits for, and goes down by one with each that comes. Write its name as a text, in quotes.

# %% [markdown] lang="zh"
# ## 9. 练习：`same_part`
#
# `walk` 里有一个变量，作用和你的 `counts` 一样：它记着一条边还在等几个梯度，每来一个就减一。
# 把它的名字写成字符串，加上引号。

# %% exercise="same_part"
same_part = None  # a name, in quotes | 一个名字，加引号
same_part = "later"  # answer

# %% [markdown] wrong="sums"
# - same_part = "later"
# + same_part = "sums"

# %% [markdown] wrong="ready"
# - same_part = "later"
# + same_part = "ready"

# %% [markdown] wrong="left"
# - same_part = "later"
# + same_part = "left"

# %% [markdown] wrong="starts"
# - same_part = "later"
# + same_part = "starts"

# %%
lesson.same_part.check(same_part)

# %% [markdown] lang="en"
# ## What you can do now
#
# - You can say what forward leaves behind: for each operation a node with edges, a rule, and the
#   numbers that the rule needs.
# - You can write automatic differentiation yourself: count the gradients that will come, visit a
#   node when its last one has come, hand on and add up.
# - You have read the heart of a real one. `docs/reading.md` in the repository of minipaddle leads
#   on from here, through the whole engine, in two evenings.
#
# What if backward runs a second time, or a row was added to a whole matrix? These are the questions
# of lesson 4: `04_order_and_sums.ipynb`.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# - 能说出前向留下了什么：每个运算一个节点，带着边、规则，以及规则要用到的数。
# - 能自己写出自动微分：先数好会来几个梯度，最后一个到了才访问，往后传，汇合处相加。
# - 读过了一个真正的自动微分最核心的部分。接下来可以看 minipaddle 仓库里的 `docs/reading.md`，
#   它用两个晚上带你走遍整个引擎。
#
# 如果反向再运行一次，会怎么样？如果前向把一行数加到了整个矩阵上，又会怎么样？
# 这是第 4 课的问题：`04_order_and_sums.ipynb`。
