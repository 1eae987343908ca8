# %% [markdown] lang="en"
# # Lesson 14: On to real Paddle
#
# minipaddle is made to be looked into: everything in it can be watched, and it says what is wrong. Work is
# done with PaddlePaddle, which is fast, runs on GPUs, and has a large team behind it. What you have learnt is
# *its* API. So the way over is short, and this is the lesson for it: what changes in a file, what answers
# otherwise and why, how trained weights come along, and what to think of when one machine is not enough.
#
# Paddle need not be installed for this lesson. What is said of it was asked of Paddle 3.3.1, on a CPU. If it
# *is* installed beside minipaddle, the cells ask it too. It takes about 40 minutes. You need the PyLayers of lessons 5 and 6, the Programs of
# lesson 10, and from lesson 4 the gradient of a batch in parts.

# %% [markdown] lang="zh"
# # 第 14 课：用真正的 Paddle
#
# minipaddle 是为了让人看进去而做的：里面的一切都看得见，哪里不对，它会说。真正干活，用的是 PaddlePaddle：它
# 快，能用 GPU，背后有一大批人在做。你学的本来就是**它的** API，所以路很短，这一课就来走：文件里要改什么；哪些
# 地方回答不一样，为什么；训练好的权重怎么带过去；一台机器不够用的时候，要想到什么。
#
# 这一课不需要装 Paddle。关于它的话，都是问过 CPU 上的 Paddle 3.3.1 的。如果它和 minipaddle 装在一起，单元格也
# 会去问它。全程大约 40 分钟。需要第 5、第 6 课的 PyLayer，第 10 课的 Program，以及第 4 课讲的：一批数据分成几份求梯度。

# %%
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import minipaddle as paddle
import viz
from minipaddle import exercises, nn
from minipaddle.autograd import PyLayer

lesson = exercises.load("14_real_paddle", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. One line
#
# | with minipaddle | with Paddle |
# |---|---|
# | `import minipaddle as paddle` | `import paddle` |
# | `from minipaddle import nn, static` | `from paddle import nn, static` |
# | `from minipaddle.autograd import PyLayer` | `from paddle.autograd import PyLayer` |
# | `import viz`, `viz.record()` | `import viz`, `viz.record(framework="paddle")` |
# | `paddle.testing`, `minipaddle.exercises` | there is nothing in their place |
#
# A file that is to run with either begins like this:
#
#     try:
#         import minipaddle as paddle
#     except ImportError:
#         import paddle
#
# The two examples in the repository of minipaddle, `examples/lenet_digits.py` and
# `examples/character_transformer.py`, are such files: they train LeNet and a transformer in both modes, and
# run with Paddle unchanged.
#
# `ask` runs a program here, and with Paddle where it is installed, in a process of its own. The program is
# that of lesson 1, behind a layer.

# %% [markdown] lang="zh"
# ## 1. 一行
#
# | 用 minipaddle | 用 Paddle |
# |---|---|
# | `import minipaddle as paddle` | `import paddle` |
# | `from minipaddle import nn, static` | `from paddle import nn, static` |
# | `from minipaddle.autograd import PyLayer` | `from paddle.autograd import PyLayer` |
# | `import viz`、`viz.record()` | `import viz`、`viz.record(framework="paddle")` |
# | `paddle.testing`、`minipaddle.exercises` | 没有对应的东西 |
#
# 一个文件要想两边都能运行，就这样开头：
#
#     try:
#         import minipaddle as paddle
#     except ImportError:
#         import paddle
#
# minipaddle 仓库里的两个例子 `examples/lenet_digits.py` 和 `examples/character_transformer.py` 就是这样的文
# 件：它们用两种模式训练 LeNet 和一个 transformer，不用改就能在 Paddle 上运行。
#
# `ask` 在这里运行一段程序；装了 Paddle 的话，也在另一个进程里用它运行。这段程序就是第 1 课的那个层，前面再加
# 一个层。


# %%
def ask(program):
    """Run it here and, where Paddle is installed, there. | 在这里运行；装了 Paddle 的话，也在那里运行。"""
    print("--- minipaddle")
    exec(program, {"paddle": paddle})
    if find_spec("paddle"):
        command = [sys.executable, "-c", "import paddle\n" + program]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        print("--- Paddle")
        print(done.stdout or (done.stderr.splitlines() or ["crashed | 崩溃了"])[-1])


TANH = """
class cus_tanh(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - paddle.square(y))

paddle.seed(7)
layer = paddle.nn.Linear(3, 2)
x = paddle.randn([4, 3])
loss = cus_tanh.apply(layer(x)).mean()
loss.backward()
print("weight", layer.weight.numpy().ravel())
print("loss  ", float(loss))
print("weight.grad", layer.weight.grad.numpy().ravel())
"""

# %%
lesson.same_seed.ask()

# %%
ask(TANH)
lesson.same_seed.compare()

# %% [markdown] lang="en"
# Paddle 3.3.1 prints the same weights and the same loss. Of the gradient the first number is 0.08298489 there, and
# 0.08298491 here, on the machine where both were asked; the others are equal.
#
# The random numbers are the same by intention, bit for bit, so that a lesson and its repetition can be
# compared. The last digit of a result may differ: sums are rounded in the order in which they are taken, and
# Paddle's C++ takes them in another order than NumPy does. So compare with a tolerance (`np.allclose`), never
# with `==`.
#
# The picture comes along as well: `viz.record(framework="paddle")` records a program of real Paddle, and
# `viz.diff` compares two recordings, result by result. `both` does that with the same program, where Paddle is
# installed.

# %% [markdown] lang="zh"
# Paddle 3.3.1 打印出同样的权重和同样的损失。在同一台机器上问两边，梯度的第一个数在那里是 0.08298489，在这里是
# 0.08298491；其余的相同。
#
# 随机数是有意做成一样的，每一位都相同，好让同一个程序可以两边对照。结果的最后一位可能不同：求和时，每加一次都
# 要舍入，而 Paddle 的 C++ 相加的顺序与 NumPy 不同。所以比较时要留出误差（`np.allclose`），不要用 `==`。
#
# 图也能带过去：`viz.record(framework="paddle")` 录制真正的 Paddle 程序，`viz.diff` 把两份记录的结果逐个比较。装
# 了 Paddle 的话，`both` 就用同一段程序做这件事。


# %%
def both(program):
    """Record it here and there, and compare. | 在这里和那里各录一遍，再比较。"""
    space = {"paddle": paddle}
    with viz.record("minipaddle", variables=space) as here:
        exec(program, space)
    if not find_spec("paddle"):
        try:
            with viz.record(framework="paddle"):
                pass
        except ImportError as error:
            print(error)  # says what to do | 里面说怎么办
        return here
    with TemporaryDirectory() as folder:
        file = Path(folder) / "paddle.json"
        recorder = f"""
import sys
sys.path[:] = {sys.path!r}
import paddle, viz
space = {{"paddle": paddle}}
with viz.record("Paddle", variables=space, framework="paddle") as trace:
    exec({program!r}, space)
trace.save({str(file)!r})
"""
        command = [sys.executable, "-c", recorder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not file.exists():
            print((done.stderr.splitlines() or ["crashed | 崩溃了"])[-1])
            return here
        there = viz.load(file)
    print(viz.diff(here, there))
    return there


there = both(TANH)
there

# %% [markdown] lang="en"
# With Paddle the player above shows its program, in the same boxes and words as minipaddle's; the comparison
# finds all results equal, up to rounding. Without it, it shows minipaddle's own.
#
# ## 2. What answers otherwise
#
# minipaddle is compared with Paddle in some thousands of questions, and where it answers otherwise it does so
# on purpose. There are three reasons. Sometimes Paddle does not do what its own documents say. Sometimes it
# goes on in silence where something is wrong, or brings the process down; for learning, an error is better.
# And some things are not here at all. Some that you may meet with PyLayers, beside those in lessons 5 and 6:
#
# | your program | Paddle 3.3.1 | here |
# |---|---|---|
# | a second backward through a PyLayer, with `retain_graph=True` | the process crashes | it works |
# | `backward` returns None for an inner Tensor | zeros, an error or a crash, depending on the operation before it | no gradient flows there |
# | a hook on the output of a PyLayer returns another gradient | it is ignored | it counts |
# | `paddle.prod` where one factor is 0 | the gradient there is NaN | the product of the others |
#
# `docs/differences.md` in the repository lists them all, with the tests that hold them.
#
# One more, and not only for PyLayers. To train a network by the probabilities of another, or with smoothed
# labels, one gives the cross entropy a probability for each class, `soft_label=True`. And if these
# probabilities want a gradient themselves?

# %% [markdown] lang="zh"
# 装了 Paddle 的话，上面的播放器里是它的程序，方框和句子都与 minipaddle 的一样；比较下来，除了舍入，每个结果都相等。
# 没有装的话，里面是 minipaddle 自己的。
#
# ## 2. 哪些地方回答不一样
#
# minipaddle 与 Paddle 对照过几千个问题；回答不同的地方，都是有意的，原因有三种。有时 Paddle 做的与它自己的文
# 档不符；有时哪里不对了，它却一声不吭地继续，或者整个进程崩溃，而对学习来说，报错更好；还有些东西，这里根本没
# 有。除了第 5、第 6 课说过的，写 PyLayer 时还可能碰到这些：
#
# | 你的程序 | Paddle 3.3.1 | 这里 |
# |---|---|---|
# | 加上 `retain_graph=True`，第二次反向经过 PyLayer | 进程崩溃 | 能用 |
# | `backward` 对中间的 Tensor 返回 None | 全 0、报错或崩溃，取决于它前面的运算 | 没有梯度流过去 |
# | PyLayer 输出上的 hook 函数返回别的梯度 | 不起作用 | 起作用 |
# | `paddle.prod` 有一个因子是 0 | 那里的梯度是 NaN | 其余因子的乘积 |
#
# 全部都列在仓库的 `docs/differences.md` 里，连同守着它们的测试。
#
# 还有一条，不写 PyLayer 也会碰到。要让一个网络照着另一个网络给出的概率来学，或者用平滑过的标签，就给交叉熵每个类别
# 一个概率，`soft_label=True`。如果这些概率自己也要梯度呢？

# %%
lesson.soft_target.ask()

# %%
ask("""
logits = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
target = paddle.to_tensor([[0.5, 0.5]], stop_gradient=False)
paddle.nn.functional.cross_entropy(logits, target, soft_label=True).backward()
print("logits.grad:", logits.grad)
print("target.grad:", target.grad)
""")
lesson.soft_target.compare()

# %% [markdown] lang="en"
# In Paddle 3.3.1 `target.grad` is None, and nothing says so. If the second network is to learn from this loss
# too, it does not. Lesson 2's questions help there as well: does it want a gradient, does it keep one, does
# one *arrive*?
#
# ## 3. Exercise: `frozen_row`
#
# A layer for both. `frozen_row.apply(x, row)` computes `x * row`; `x` has the shape [rows, 3], `row` the
# shape [3]. The gradient of `x` is to be the true one, and `row` is to learn **nothing** from this layer.
# Both want a gradient, and `row` may be the result of other operations. Write backward so that minipaddle
# *and* Paddle do that. The table above and lesson 5 say what each of them refuses, or takes otherwise.
# `paddle.zeros_like(t)` gives zeros of the shape of `t`.

# %% [markdown] lang="zh"
# 在 Paddle 3.3.1 里，`target.grad` 是 None，而且没有任何提示。如果第二个网络也要从这个损失里学，它什么也学不
# 到。第 2 课的那几个问题，在那里同样有用：要不要梯度，留不留梯度，梯度**到了**没有？
#
# ## 3. 练习：`frozen_row`
#
# 一个两边都能用的层。`frozen_row.apply(x, row)` 计算 `x * row`；`x` 的形状是 [行数, 3]，`row` 的形状是
# [3]。`x` 的梯度要是真正的梯度，而 `row` **什么也不要**从这个层学到。两个都要梯度，`row` 也可能是别的运算的结
# 果。请写 backward，让 minipaddle **和** Paddle 都这样做。它们各自不接受什么、各自怎样理解，上面的表和第 5 课
# 都说过。`paddle.zeros_like(t)` 给出与 `t` 形状相同的全 0。


# %% exercise="frozen_row"
class frozen_row(PyLayer):
    @staticmethod
    def forward(ctx, x, row):
        ctx.save_for_backward(row)
        return x * row

    @staticmethod
    def backward(ctx, dy):
        """Return what both accept. | 返回两边都接受的东西。"""
        (row,) = ctx.saved_tensor()  # answer
        return dy * row, paddle.zeros_like(row)  # answer


# %% [markdown] wrong="a_list"
# - return dy * row, paddle.zeros_like(row)
# + return [dy * row, paddle.zeros_like(row)]

# %% [markdown] wrong="not_unpacked"
# - (row,) = ctx.saved_tensor()
# + row = ctx.saved_tensor()

# %% [markdown] wrong="none_for_row"
# - return dy * row, paddle.zeros_like(row)
# + return dy * row, None

# %% [markdown] wrong="zeros_of_x"
# - return dy * row, paddle.zeros_like(row)
# + return dy * row, paddle.zeros_like(dy)

# %% [markdown] wrong="row_learns"
# - return dy * row, paddle.zeros_like(row)
# + return dy * row, dy.sum(axis=0)

# %% [markdown] wrong="forgot_row"
# - return dy * row, paddle.zeros_like(row)
# + return dy, paddle.zeros_like(row)

# %% [markdown] wrong="forgot_dy"
# - return dy * row, paddle.zeros_like(row)
# + return row + paddle.zeros_like(dy), paddle.zeros_like(row)

# %% [markdown] wrong="too_few"
# - return dy * row, paddle.zeros_like(row)
# + return dy * row

# %%
lesson.frozen_row.check(frozen_row)

# %% [markdown] lang="en"
# ## 4. Two kinds of Programs
#
# The Programs of lessons 10 to 12 are those that Paddle's documents describe. Paddle 3 has a second kind,
# called **PIR**, and builds that unless an environment variable, set before it is imported, asks for the first:
#
#     FLAGS_enable_pir_api=0 python my_program.py
#
# With this setting every solution of this course that uses Paddle's API runs there, and gives the same. (That
# is checked: each was run with Paddle 3.3.1.) Without it:
#
# | lesson | solution | in Paddle 3.3.1, as it is started |
# |---|---|---|
# | 1 | `record` | runs: `viz.record()` finds out that the program is one of Paddle |
# | 10 | `mean_square`, `train_program` | run |
# | 10 | `slope_of` | nothing can be fetched by its name, `"x@GRAD"` |
# | 11 | all of them | the documents' way to make the `out` of a `py_func`, `create_var`, is not there |
# | 12 | `as_program` | `clone` knows no `for_test` |
#
# And a PyLayer? It belongs to the tape, and the tape is the same in either case.
#
# ## 5. The weights come along
#
# What was trained here can be used there, and the other way round: `paddle.save(net.state_dict(), path)`
# writes a file that both read, by `paddle.load(path)`. A `state_dict` is a dict of names and Tensors, the
# names made from the structure of the network; a *Layer* itself cannot be saved. `other.set_state_dict(...)`
# puts such a dict into a network of the same structure.
#
# ## 6. Exercise: `carry_over`
#
# Write the weights of `net` into the file `path`, and read them from there into `other`. Nothing is returned.

# %% [markdown] lang="zh"
# ## 4. 两种 Program
#
# 第 10 到 12 课的 Program，就是 Paddle 文档里讲的那种。Paddle 3 还有第二种，叫 **PIR**，默认用的就是它。想用第
# 一种，要在导入之前设置一个环境变量：
#
#     FLAGS_enable_pir_api=0 python my_program.py
#
# 设置之后，这门课里凡是用到 Paddle API 的参考答案，在那里都能运行，结果也一样。（这是检查过的：每一个都用
# Paddle 3.3.1 运行过。）不这样设置的话：
#
# | 课 | 参考答案 | 在 Paddle 3.3.1 里直接运行 |
# |---|---|---|
# | 1 | `record` | 能运行：`viz.record()` 会看出这是 Paddle 的程序 |
# | 10 | `mean_square`、`train_program` | 能运行 |
# | 10 | `slope_of` | 不能按名字 `"x@GRAD"` 取回 |
# | 11 | 全部 | 文档里为 `py_func` 创建 `out` 的办法 `create_var`，那里没有 |
# | 12 | `as_program` | `clone` 没有 `for_test` |
#
# 那么 PyLayer 呢？它属于 tape，而 tape 在两种情况下都一样。
#
# ## 5. 权重带过去
#
# 在这里训练的，可以在那里用，反过来也行：不管在哪边用 `paddle.save(net.state_dict(), path)` 写的文件，两边都
# 能用 `paddle.load(path)` 读。`state_dict` 是一个字典，里面是名字和 Tensor，名字由网络的结构而来；**层**本身
# 是不能保存的。`other.set_state_dict(...)` 把这样的字典放进结构相同的网络里。
#
# ## 6. 练习：`carry_over`
#
# 把 `net` 的权重写进文件 `path`，再从那里读到 `other` 里。不用返回任何东西。


# %% exercise="carry_over"
def carry_over(net, other, path):
    """Save the weights of net, and load them into other. | 保存 net 的权重，再读到 other 里。"""
    paddle.save(net.state_dict(), path)  # answer
    other.set_state_dict(paddle.load(path))  # answer


# %% [markdown] wrong="saved_the_layer"
# - paddle.save(net.state_dict(), path)
# + paddle.save(net, path)

# %% [markdown] wrong="not_called"
# - paddle.save(net.state_dict(), path)
# + paddle.save(net.state_dict, path)

# %% [markdown] wrong="not_loaded"
# - other.set_state_dict(paddle.load(path))
# + paddle.load(path)

# %% [markdown] wrong="not_loaded"
# - other.set_state_dict(paddle.load(path))

# %% [markdown] wrong="path_itself"
# - other.set_state_dict(paddle.load(path))
# + other.set_state_dict(path)

# %% [markdown] wrong="no_file"
# - paddle.save(net.state_dict(), path)
# - other.set_state_dict(paddle.load(path))
# + other.set_state_dict(net.state_dict())

# %% [markdown] wrong="other_way"
# - paddle.save(net.state_dict(), path)
# + paddle.save(other.state_dict(), path)
# - other.set_state_dict(paddle.load(path))
# + net.set_state_dict(paddle.load(path))

# %% [markdown] wrong="only_saved_itself"
# - paddle.save(net.state_dict(), path)
# + paddle.save(other.state_dict(), path)

# %% [markdown] wrong="a_list"
# - paddle.save(net.state_dict(), path)
# + paddle.save(net.parameters(), path)

# %%
lesson.carry_over.check(carry_over)

# %%
paddle.seed(1)
net, other = nn.Linear(3, 2), nn.Linear(3, 2)
rows = paddle.ones([1, 3])

with TemporaryDirectory() as folder:
    path = Path(folder) / "layer.pdparams"
    carry_over(net, other, str(path))
    if path.exists():
        print(path.name, path.stat().st_size, "bytes | 字节")
print(net(rows).numpy(), other(rows).numpy())

# %% [markdown] lang="en"
# Once `carry_over` is written, both networks answer alike. Keep the file for longer than this cell does, and
# Paddle reads it too.
#
# ## 7. Many machines
#
# When a training takes too long, one shares it out. The simplest way is called **data parallel**. Several
# processes, the **ranks**, have the same network with the same weights. Each gets another part of the batch,
# and computes the gradients for its part. Then the gradients are averaged over all ranks, all of them take
# the same step with the same mean, and so their weights stay the same. Averaging is the only time they talk.
#
# One process can play all ranks, one after the other. Here are eight rows, and one layer.

# %% [markdown] lang="zh"
# `carry_over` 写好之后，两个网络的回答就一样了。如果把文件留得比这个单元格久一些，Paddle 也能读。
#
# ## 7. 多台机器
#
# 训练太慢的时候，就分给大家做。最简单的做法叫**数据并行**。有好几个进程，叫 **rank**，各有一份同样的网络、同
# 样的权重。每个 rank 拿到一批数据的不同部分，算出这一部分的梯度。然后对所有 rank 的梯度求均值，大家用同一个均
# 值走同样的一步，于是权重始终相同。只有求均值的时候，它们才互相通信。
#
# 一个进程也可以轮流扮演所有的 rank。下面是八行数据和一个层。

# %%
lesson.uneven.ask()

# %%
paddle.seed(3)
layer = nn.Linear(4, 1)
x, y = paddle.randn([8, 4]), paddle.randn([8, 1])


def gradient_of(first, last):
    """The gradient of the weight for some of the rows. | 由其中几行算出的权重的梯度。"""
    layer.clear_gradients()
    nn.functional.mse_loss(layer(x[first:last]), y[first:last]).backward()
    return layer.weight.grad.numpy().ravel()


for split in (4, 3):
    mean = (gradient_of(0, split) + gradient_of(split, 8)) / 2
    print(
        split,
        "+",
        8 - split,
        "rows: | 行：",
        mean.round(4),
        "all: | 全部：",
        gradient_of(0, 8).round(4),
    )
lesson.uneven.compare()

# %% [markdown] lang="en"
# With halves it is the same gradient as if one machine had done it all (lesson 4's `in_parts` was this, with
# one rank doing the work of each). With 3 and 5 rows it is not. Paddle's `DataParallel` takes the plain mean
# over ranks; so its `DistributedBatchSampler` gives every rank equally many rows, and repeats some if they do
# not come out even.
#
# ### The gradient of all_reduce
#
# The operation with which ranks add up what each of them has, so that all of them have the sum, is called
# **all_reduce**. For gradients it is used after backward. But some share out the *network* as well: each rank
# computes a part of one layer, and the parts are added up in the middle of forward. Then backward has to come
# through an all_reduce. What is its gradient?
#
# Rank 0 has `a`, rank 1 has `b`, and after all_reduce both have `a + b`. Each rank goes on by itself, and has
# a loss of its own; what is to become small is the sum of them all. Play both ranks: `x` is 1 for the one and
# 2 for the other, `a` and `b` are `2 * x`, so both get 6, and each loss is the square of that, 36. What is
# the derivative of both losses together, with respect to the `x` of rank 0?

# %% [markdown] lang="zh"
# 对半分时，梯度就和一台机器全做的一样（第 4 课的 `in_parts` 就是这样，只不过每个 rank 的活都由一个进程来
# 做）。分成 3 行和 5 行，就不一样了。Paddle 的 `DataParallel` 对 rank 取的是简单的均值；所以它的
# `DistributedBatchSampler` 给每个 rank 同样多的行，除不尽时就重复几行。
#
# ### all_reduce 的梯度
#
# 各个 rank 把自己有的加在一起，让大家都得到总和，这个操作叫 **all_reduce**。对梯度，它用在反向之后。可是也有
# 人把**网络**分开：每个 rank 算一个层的一部分，前向走到中间时把各部分加起来。这样，反向就要穿过一个
# all_reduce。它的梯度是什么？
#
# rank 0 有 `a`，rank 1 有 `b`，all_reduce 之后两个都有 `a + b`。然后各走各的，各有各的损失；要变小的，是所有
# 损失之和。两个 rank 都由我们来扮演：一个的 `x` 是 1，另一个的是 2，`a` 和 `b` 都是 `2 * x`，于是两边都得到
# 6，每个损失是它的平方，36。两个损失之和，对 rank 0 的 `x` 的导数是多少？

# %%
lesson.both_losses.ask()

# %% [markdown] lang="en"
# ## 8. Exercise: `all_reduce`
#
# `all_reduce.apply(a, b)` gives two Tensors, one for each rank. Write backward: `ds0` is the gradient of the
# sum that rank 0 got, `ds1` of that which rank 1 got.

# %% [markdown] lang="zh"
# ## 8. 练习：`all_reduce`
#
# `all_reduce.apply(a, b)` 给出两个 Tensor，每个 rank 一个。请写 backward：`ds0` 是 rank 0 得到的总和的梯度，`ds1`
# 是 rank 1 得到的总和的梯度。


# %% exercise="all_reduce"
class all_reduce(PyLayer):
    @staticmethod
    def forward(ctx, a, b):
        return a + b, a + b

    @staticmethod
    def backward(ctx, ds0, ds1):
        da = db = None
        # Compute the gradients of a and b here. | 在这里计算 a 和 b 的梯度。
        da = ds0 + ds1  # answer
        db = ds0 + ds1  # answer
        return da, db


# %% [markdown] wrong="passed_on"
# - da = ds0 + ds1
# + da = ds0
# - db = ds0 + ds1
# + db = ds1

# %% [markdown] wrong="averaged"
# - da = ds0 + ds1
# + da = (ds0 + ds1) / 2
# - db = ds0 + ds1
# + db = (ds0 + ds1) / 2

# %% [markdown] wrong="own_twice"
# - da = ds0 + ds1
# + da = ds0 * 2
# - db = ds0 + ds1
# + db = ds1 * 2

# %% [markdown] wrong="crossed"
# - da = ds0 + ds1
# + da = ds1
# - db = ds0 + ds1
# + db = ds0

# %% [markdown] wrong="first_alone"
# - db = ds0 + ds1
# + db = paddle.zeros_like(ds1)

# %% [markdown] wrong="subtracted"
# - db = ds0 + ds1
# + db = ds0 - ds1

# %% [markdown] wrong="one_of_two"
# - return da, db
# + return da

# %%
lesson.all_reduce.check(all_reduce)

# %%
x0 = paddle.to_tensor(1.0, stop_gradient=False)
x1 = paddle.to_tensor(2.0, stop_gradient=False)

with viz.record() as ranks:
    s0, s1 = all_reduce.apply(x0 * 2, x1 * 2)
    loss0, loss1 = s0**2, s1**2
    (loss0 + loss1).backward()

print("x0.grad:", x0.grad and float(x0.grad))
lesson.both_losses.compare()

# %%
ranks

# %% [markdown] lang="en"
# (Until your `all_reduce` is written, no gradient comes through it.)
#
# Step to the orange box `all_reduce.backward`: 12 comes in from each rank, and 24 goes out to each. Times 2
# is 48. So **the gradient of an all_reduce is an all_reduce of the gradients**: the ranks have to talk in
# backward once more.
#
# Paddle's own `paddle.distributed.all_reduce`, called in the middle of a forward, gives 24: it passes on what
# came, so that each rank differentiates its own loss alone. In data parallel it never comes to that, and for
# layers that are shared out Paddle has layers of its own, `fleet`, in which the communication is wrapped in
# PyLayers with the gradients that belong to it. You know now what stands in them: `c_identity_eager` hands
# `x` on forwards and adds up the gradients of all ranks backwards; `mp_allreduce_eager` adds up forwards, and
# hands on backwards, where all ranks have the same loss.
#
# ## 9. Two real ranks
#
# So far one process has played them all. Where MPI is installed, by which processes send each other messages,
# minipaddle starts real ones, each a process of its own:
#
#     minipaddle launch --nproc_per_node 2 train.py
#
# (`minipaddle doctor` says whether MPI is there, and what to install if not.) Paddle's launcher is
# `python -m paddle.distributed.launch --nproc_per_node 2 train.py`, and the file is the same, for under
# `minipaddle launch` the line `import paddle` means minipaddle. The next cell writes such a file and starts
# it; `init_parallel_env` connects the ranks, and `get_rank` is 0 in one and 1 in the other. It asks three
# things: what you have just worked out, by Paddle's `all_reduce`; the same once more, by
# `paddle.distributed.functional`, which is minipaddle's own; and the gradient of section 7, by
# `DataParallel`.

# %% [markdown] lang="zh"
# （`all_reduce` 还没写的时候，没有梯度穿过它。）
#
# 走到橙色方框 `all_reduce.backward` 那几步：从每个 rank 进来的是 12，给每个 rank 出去的是 24。再乘以 2，是 48。所以，**all_reduce
# 的梯度，就是对梯度做一次 all_reduce**：反向时，各个 rank 还得再通信一次。
#
# Paddle 自己的 `paddle.distributed.all_reduce`，如果用在前向的中间，得到的是 24：来什么就传什么，于是每个 rank
# 只对自己的损失求导。数据并行用不到这一点；而分开的层，Paddle 另有现成的，在 `fleet` 里，其中的通信都包在
# PyLayer 里，带着应有的梯度。里面写的是什么，现在你已经知道了：`c_identity_eager` 前向把 `x` 原样交出去，反向
# 把所有 rank 的梯度加起来；`mp_allreduce_eager` 前向加起来，反向原样传回去，因为所有 rank 的损失是同一个。
#
# ## 9. 两个真正的 rank
#
# 到现在，都是一个进程扮演所有的 rank。MPI 让进程之间互相传送数据；装了它，minipaddle 就能启动真正的 rank，每个
# 是一个单独的进程：
#
#     minipaddle launch --nproc_per_node 2 train.py
#
# （`minipaddle doctor` 会说有没有 MPI，没有的话要装什么。）Paddle 的启动器是
# `python -m paddle.distributed.launch --nproc_per_node 2 train.py`，文件是同一个，因为在 `minipaddle launch`
# 里，`import paddle` 这一行指的就是 minipaddle。下面的单元格写出这样一个文件，再启动它；其中 `init_parallel_env` 把各个 rank 连起来，`get_rank` 在一个里是 0，在另一个里是 1。它问三件事：你刚才算
# 的那个，用 Paddle 的 `all_reduce`；同样的再来一次，用 minipaddle 自己的 `paddle.distributed.functional`；还
# 有第 7 节的梯度，用 `DataParallel`。

# %%
TWO_RANKS = """
import paddle

paddle.distributed.init_parallel_env()
rank = paddle.distributed.get_rank()

x = paddle.to_tensor(1.0 + rank, stop_gradient=False)
s = x * 2
paddle.distributed.all_reduce(s)
(s**2).backward()
print("all_reduce", float(s), "x.grad", float(x.grad))

x.clear_grad()
s = paddle.distributed.functional.all_reduce(x * 2)
(s**2).backward()
print("functional", float(s), "x.grad", float(x.grad))

paddle.seed(3)
layer = paddle.DataParallel(paddle.nn.Linear(4, 1))
x, y = paddle.randn([8, 4]), paddle.randn([8, 1])
mine = slice(4 * rank, 4 * rank + 4)
paddle.nn.functional.mse_loss(layer(x[mine]), y[mine]).backward()
print("DataParallel", layer.parameters()[0].grad.numpy().ravel().round(4))
"""


def launch(program):
    """Run it on two ranks, where MPI is installed. | 装了 MPI 的话，在两个 rank 上运行它。"""
    if find_spec("mpi4py") is None:
        print("MPI is not installed here. | 这里没有装 MPI。")
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / "train.py"
        file.write_text(program)
        command = [sys.executable, "-m", "minipaddle", "launch", "--nproc_per_node", "2", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout or done.stderr)


launch(TWO_RANKS)

# %% [markdown] lang="en"
# With MPI there are three lines from each rank, and both ranks say the same: 6.0 and 24.0 by Paddle's
# `all_reduce`, 6.0 and 48.0 with your gradient, and then the four numbers that section 7 found for all eight
# rows, -1.1985 and so on. Neither rank has used more than four rows; the rest came over MPI. And
# `minipaddle launch --trace ranks.html --nproc_per_node 2 train.py` draws both ranks side by side, with a bar
# where they meet.
#
# Three examples in the repository go on from here, each for minipaddle and for Paddle:
# `examples/data_parallel_lenet.py`, `examples/tensor_parallel_mlp.py`, with two PyLayers like the two of
# `fleet` above, and `examples/pipeline_two_stages.py`, in which the second rank has the second half of the
# network. `docs/distributed.md` explains them.
#
# ## What you can do now
#
# - You can take a file from minipaddle to Paddle, and know what has to stay behind.
# - You can say which answers differ, for what reasons, and where to look them up.
# - You can write a PyLayer that both accept, and say which setting a Program of Paddle 3 needs.
# - You can carry weights over in a file.
# - You can say what data parallel computes, when it is the gradient of the whole batch, and what the gradient
#   of an all_reduce is.
#
# ## Where to go from here
#
# This was the last lesson of the way to Paddle. You began with one tanh. You have written an automatic differentiation, your own
# layers in both modes, an optimizer, and the attention of a transformer; you have broken training loops on
# purpose, and you can say of a gradient whether it is right, and of a missing one why it is missing. What
# next?
#
# - **Go deeper.** Two more lessons need no Paddle. Lesson 15, `15_through_time.ipynb`, follows a gradient through
#   a recurrent net, and lesson 16 differentiates twice.
# - **Use it.** Take a network of your own. Put `with viz.record() as trace:` around one step, and look at it;
#   `trace.problems()` and `viz.explain(x)` answer first questions. Then run it with Paddle.
# - **Read it.** In the repository of minipaddle, `docs/reading.md` goes through the engine in two evenings.
#   You will recognise lesson 3.
# - **Look things up.** `docs/contract.md` has the rules of PyLayer and py_func, `docs/gallery/faults.md` a
#   picture of each fault.
# - **Teach it.** Every exercise here was made with `minipaddle.exercises`; `docs/teaching.md` shows how to
#   make your own.
# - **Say what was not clear.** A lesson in which you were stuck is a fault of the lesson.

# %% [markdown] lang="zh"
# 装了 MPI 的话，每个 rank 打印三行，两边说的一样：用 Paddle 的 `all_reduce` 是 6.0 和 24.0；用你那样的梯度，
# 是 6.0 和 48.0；然后是四个数，就是第 7 节由全部八行得到的，-1.1985 等等。哪个 rank 都只用了四行；其余的，都
# 是经过 MPI 传来的。想看的话，`minipaddle launch --trace ranks.html --nproc_per_node 2 train.py` 把两个 rank 并
# 排画出来，它们互相通信的地方画成一道横条。
#
# 仓库里有三个例子从这里接着往下走，minipaddle 和 Paddle 都能用：`examples/data_parallel_lenet.py`；`examples/tensor_parallel_mlp.py`，
# 里面有两个 PyLayer，就像上面 `fleet` 的那两个；`examples/pipeline_two_stages.py`，其中第二个 rank 有网络的后
# 一半。`docs/distributed.md` 讲的就是它们。
#
# ## 现在你会了
#
# - 能把一个文件从 minipaddle 搬到 Paddle，也知道什么得留下。
# - 能说出哪些回答不一样，原因是什么，到哪里查。
# - 能写两边都接受的 PyLayer，也说得出 Paddle 3 的 Program 需要哪个设置。
# - 能用文件把权重带过去。
# - 能说出数据并行算的是什么，什么时候就是整批的梯度，以及 all_reduce 的梯度是什么。
#
# ## 接下来去哪里
#
# 通往 Paddle 的路，到这一课就走完了。你从一个 tanh 开始；后来写了一个自动微分，写了两种模式里自己的层，写了优化器，写了 transformer
# 的注意力；还有意弄坏过训练循环。一个梯度对不对，你说得出来；一个梯度不见了，你也说得出为什么。接下来呢？
#
# - **学得更深。** 还有两课，不需要 Paddle：第 15 课 `15_through_time.ipynb` 跟着梯度穿过循环网络，第 16 课求
#   两次导。
# - **用起来。** 拿一个你自己的网络，在其中一步外面加上 `with viz.record() as trace:`，看一看；最初的问题，`trace.problems()`
#   和 `viz.explain(x)` 就能回答。然后用 Paddle 运行。
# - **读源码。** minipaddle 仓库里的 `docs/reading.md`，用两个晚上带你读完引擎。你会认出第 3 课来。
# - **查资料。** `docs/contract.md` 里是 PyLayer 和 py_func 的规则，`docs/gallery/faults.md` 为每一种毛病配了
#   一幅图。
# - **教别人。** 这里的每个练习都是用 `minipaddle.exercises` 做的；`docs/teaching.md` 讲怎样做你自己的。
# - **说出哪里没讲清楚。** 你在哪一课卡住了，那是那一课的毛病。
