# %% [markdown] lang="en"
# # Lesson 13: Devices: what moves, and when
#
# A GPU computes fast, on numbers that lie in its *own* memory. The rest of your program lives beside it, with the CPU.
# Whatever lies on one side and is wanted on the other has to be copied, and this lesson is about nothing else: where
# a tensor is, what copies it, and which innocent lines do so without being asked.
#
# It takes about 35 minutes, and **you need no GPU**: where this machine has none, a pretended one takes its place. You
# need the PyLayers of lesson 5, the training loop of lesson 9 and py_func from lesson 11.

# %% [markdown] lang="zh"
# # 第 13 课：设备：什么时候，什么在搬动
#
# GPU 算得快，算的是放在它**自己**内存里的数。程序的其余部分在旁边，跟着 CPU。放在一边、另一边要用的，就得复制过去。这
# 一课讲的只有这一件事：Tensor 在哪里，什么会复制它，又有哪些看起来无辜的代码，没有谁吩咐也在复制。
#
# 全程大约 35 分钟，**不需要 GPU**：这台机器没有的，用一个假装的代替。需要第 5 课的 PyLayer，第 9 课的训练循环，以及
# 第 11 课的 py_func。

# %%
import time

import minipaddle as paddle
import numpy as np
import viz
from minipaddle import exercises, nn, static
from minipaddle.autograd import PyLayer
from minipaddle.testing import pretend_gpu

lesson = exercises.load("13_devices", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. Every tensor has a place
#
# The CPU's side is called the **host**, `cpu`. GPUs are numbered: `gpu:0`, `gpu:1`. `x.place` says where a tensor
# lies; `paddle.set_device` says where *new* ones are made. What does your machine have?

# %% [markdown] lang="zh"
# ## 1. 每个 Tensor 都有位置
#
# CPU 这一边叫**主机**（host），写作 `cpu`。GPU 有编号：`gpu:0`、`gpu:1`。`x.place` 说出一个 Tensor 在哪里；
# `paddle.set_device` 指定**新的** Tensor 建在哪里。你的机器上有什么？

# %%
print("GPUs: | GPU 数量：", paddle.device.cuda.device_count())
print(paddle.ones([3]).place)
try:
    paddle.set_device("gpu")
    print("There is a GPU. | 有 GPU。")
except ValueError as error:
    print(error)
print("The device is | 现在的设备：", paddle.set_device("cpu"))

# %% [markdown] lang="en"
# Without a GPU, that is a ValueError (in Paddle too), and it says what to do. minipaddle computes with NumPy on the host,
# and on a GPU with **CuPy**, a library that has NumPy's functions for NVIDIA's GPUs. Each operation is written
# once, and runs where its arrays lie.
#
# From here on we use `pretend_gpu()`. Inside its block minipaddle finds a CuPy and a GPU that
# are played by the host; after it, the device is again the one from before. It keeps CuPy's rules, so places
# and errors are as they would be; and it notes every copy between the two memories. What it
# cannot show is *time*: it is no faster than your CPU.

# %% [markdown] lang="zh"
# 没有 GPU，这就是一个 ValueError（Paddle 也一样），并且说明了该怎么办。minipaddle 在主机上用 NumPy 计算，在 GPU 上用
# **CuPy**，那是一个为 NVIDIA 的 GPU 提供 NumPy 各种函数的库。每个算子只写一次，数组属于哪一个，就在哪一个上运行。
#
# 从这里起，我们用 `pretend_gpu()`。在它的块里，minipaddle 会找到一个 CuPy 和一个 GPU，都由主机来扮演；块结束以后，设备又
# 是原来的那个。它遵守 CuPy 的规则，所以位置和报错都和真的一样；它还记下两边内存之间的每一次复制。它显示不了的是
# **时间**：它并不比你的 CPU 快。

# %%
lesson.follows.ask()

# %%
with pretend_gpu() as gpu:
    paddle.set_device("gpu")
    a = paddle.ones([3])
    b = a.cpu()
    print("a:", a.place, " b:", b.place)
    print("a * 2:", (a * 2).place, " b * 2:", (b * 2).place)
    for copy in gpu.copies:
        print(copy)

lesson.follows.compare()

# %% [markdown] lang="en"
# Results stay with their tensors, whatever `set_device` says. One copy was made, by `a.cpu()`: three float32
# numbers, 12 bytes, and the line that did it. `a` itself was made on the GPU, and moved nowhere.
#
# ## 2. Two places do not mix

# %% [markdown] lang="zh"
# 结果跟着它的 Tensor，不管 `set_device` 怎么说。复制了一次，是 `a.cpu()`：三个 float32，12 字节，还有做这件事的
# 那一行。`a` 自己就建在 GPU 上，没有搬动过。
#
# ## 2. 两个位置不能混用

# %%
with pretend_gpu():
    x = paddle.ones([3]).cuda()
    weight = paddle.to_tensor([0.5, 1.0, 2.0], stop_gradient=False)
    try:
        x * weight
    except ValueError as error:
        print(error)

# %% [markdown] lang="en"
# No operation ever moves a tensor by itself: it would be slow, and nobody would see it. You move it:
#
# | | gives |
# |---|---|
# | `x.cuda()`, `x.cpu()` | a copy there, or `x` itself if it is there already |
# | `x.to(y.place)` | a copy beside `y`, or `x` itself |
# | `paddle.to_tensor(array, place=y.place)` | a new tensor beside `y` |
#
# A copy is an operation like any other, so it is on the tape. `weight` is a leaf on the host; the loss is
# computed on the GPU. Where will the gradient be?

# %% [markdown] lang="zh"
# 运算从来不会自己搬动 Tensor：那样很慢，而且谁也看不见。搬动由你来做：
#
# | | 得到 |
# |---|---|
# | `x.cuda()`、`x.cpu()` | 那边的一份复制；如果本来就在那边，就是 `x` 自己 |
# | `x.to(y.place)` | 在 `y` 旁边的一份复制，或者 `x` 自己 |
# | `paddle.to_tensor(array, place=y.place)` | 建在 `y` 旁边的新 Tensor |
#
# 复制也是一个运算，所以会记在 tape 上。`weight` 是主机上的叶子 Tensor，损失在 GPU 上计算。梯度会在哪里？

# %%
lesson.comes_back.ask()

# %%
with pretend_gpu() as gpu:
    x = paddle.ones([3]).cuda()
    weight = paddle.to_tensor([0.5, 1.0, 2.0], stop_gradient=False)
    with viz.record() as moved:
        near = weight.to(x.place)
        y = x * near
        y.sum().backward()
    print("weight.grad:", weight.grad.place)

lesson.comes_back.compare()

# %%
moved

# %% [markdown] lang="en"
# The box `to gpu:0` has a backward, and what that does is to copy the other way: the gradient comes to lie beside its
# tensor. The optimizer needs both in one place.
#
# ## 3. Exercise: `weighted`
#
# `weighted(x, weight)` is `x * weight`, wherever the two may lie. The result is to lie where `x` does, and
# both get their gradients. It has to run on machines with and without a GPU.

# %% [markdown] lang="zh"
# 方框 `to gpu:0` 有反向，它做的就是朝另一个方向复制：梯度最后在它的 Tensor 旁边。优化器要求两者在同一个位置。
#
# ## 3. 练习：`weighted`
#
# `weighted(x, weight)` 就是 `x * weight`，不管这两个在哪里。结果要在 `x` 的位置，两个都要得到梯度。有没有 GPU 的机器，都
# 要能运行。


# %% exercise="weighted"
def weighted(x, weight):
    """Return x * weight, in the place of x. | 返回 x * weight，在 x 的位置。"""
    return x * weight.to(x.place)  # answer


# %% [markdown] wrong="not_moved"
# - return x * weight.to(x.place)
# + return x * weight

# %% [markdown] wrong="always_to_the_gpu"
# - return x * weight.to(x.place)
# + return x * weight.cuda()

# %% [markdown] wrong="always_to_the_gpu"
# - return x * weight.to(x.place)
# + return x * (weight.cuda() if x.place.is_gpu_place() else weight)

# %% [markdown] wrong="all_on_the_host"
# - return x * weight.to(x.place)
# + return x.cpu() * weight.cpu()

# %% [markdown] wrong="moved_x"
# - return x * weight.to(x.place)
# + return x.to(weight.place) * weight

# %% [markdown] wrong="through_numpy"
# - return x * weight.to(x.place)
# + return x * paddle.to_tensor(weight.numpy(), place=x.place)

# %% [markdown] wrong="through_numpy"
# - return x * weight.to(x.place)
# + return x * weight.detach().to(x.place)

# %% [markdown] wrong="gave_nothing"
# - return x * weight.to(x.place)
# + x * weight.to(x.place)

# %%
lesson.weighted.check(weighted)

# %% [markdown] lang="en"
# ## 4. What moves in a training step
#
# Here is a layer with its data, all of it made on the GPU. Ten rounds of training, as in lesson 9. How often is
# anything copied?

# %% [markdown] lang="zh"
# ## 4. 训练一步，搬动什么
#
# 下面是一个层和它的数据，全都建在 GPU 上。像第 9 课那样训练十轮。一共复制几次？

# %%
lesson.ten_rounds.ask()


# %%
def layer_and_data():
    """A layer, its optimizer and its data. | 一个层，它的优化器和数据。"""
    net = nn.Linear(8, 1)
    sgd = paddle.optimizer.SGD(0.01, parameters=net.parameters())
    return net, sgd, paddle.ones([64, 8]), paddle.zeros([64, 1])


with pretend_gpu() as gpu:
    paddle.set_device("gpu")
    net, sgd, x, y = layer_and_data()
    gpu.copies.clear()
    for turn in range(10):
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        sgd.step()
        sgd.clear_grad()
    print("copies: | 复制次数：", len(gpu.copies))

lesson.ten_rounds.compare()

# %% [markdown] lang="en"
# And now the same loop as people write it: it says what the loss is, and stops when it is small enough. One round,
# and the copies line by line:

# %% [markdown] lang="zh"
# 再看同样的循环，人们平时是这样写的：报一下损失，够小了就停。只运行一轮，逐行看复制：

# %%
with pretend_gpu() as gpu:
    paddle.set_device("gpu")
    net, sgd, x, y = layer_and_data()
    gpu.copies.clear()
    for turn in range(1):
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        sgd.step()
        sgd.clear_grad()
        print("loss: | 损失：", float(loss))
        if loss < 0.001:
            break
    for copy in gpu.copies:
        print(copy)

# %% [markdown] lang="en"
# `float(loss)` brings 4 bytes to the host. `loss < 0.001` sends the 0.001 there to be compared, and `if` brings
# the answer back: 1 byte.
#
# Who minds nine bytes? It is not the bytes. A GPU works on its own: Python only hands it one
# operation after the other, and is far ahead while it computes. A number can only be copied when it has been computed. So
# whoever asks for one makes Python wait until the GPU has done all that was handed to it; and
# then the GPU waits until Python comes with the next operation. Read something in every round, and
# the two never work at the same time:
#
#     Python   ■■■■■■■■■
#     GPU       ■■■■■■■■■■■■■■■■■■■■■■■■■■■              nobody reads
#
#     Python   ■■■         ■■■         ■■■
#     GPU         ■■■■■■■■■   ■■■■■■■■■   ■■■■■■■■■      every round reads

# %% [markdown] lang="zh"
# `float(loss)` 把 4 个字节拿到主机上。`loss < 0.001` 先把 0.001 送过去比较，`if` 再把答案拿回来：1 个字节。
#
# 九个字节，谁在乎？问题不在字节。GPU 自己干自己的：Python 只是把运算一个接一个地交给它，它计算的时候，Python 早已走在前面。
# 可是一个数，要算好了才能复制。所以谁来要一个数，就让 Python 等着，等 GPU 把交给它的全都做完；然后又轮到 GPU 等，等
# Python 送来下一个运算。每轮都读一次，两者就再也不会同时工作：
#
#     Python   ■■■■■■■■■
#     GPU       ■■■■■■■■■■■■■■■■■■■■■■■■■■■              谁也不读
#
#     Python   ■■■         ■■■         ■■■
#     GPU         ■■■■■■■■■   ■■■■■■■■■   ■■■■■■■■■      每轮都读

# %%
lesson.which_reads.ask()

# %%
with pretend_gpu() as gpu:
    paddle.set_device("gpu")
    z = paddle.ones([1])
    reads = {
        "z.numpy()": z.numpy,
        "z.item()": z.item,
        "z.tolist()": z.tolist,
        "str(z)": lambda: str(z),
        "z.shape": lambda: z.shape,
        "z.detach()": z.detach,
        "z + 1": lambda: z + 1,
    }
    for line, read in reads.items():
        gpu.copies.clear()
        read()
        print(f"{line:12}", len(gpu.copies))

lesson.which_reads.compare()

# %% [markdown] lang="en"
# Whoever asks for *numbers* makes a copy. Shape, dtype and place are known to the host without.
#
# ## 5. Exercise: `quiet_rounds`
#
# Lesson 9's `train_rounds`, on a GPU: train `count` rounds and return the losses as a list of plain numbers, but with **one copy
# to the host in all**. So keep each loss as it is, without its tape (`detach`, lesson 2), and ask for
# the numbers when the loop is over, all at once: `paddle.stack(losses)` makes one Tensor of a list of them, and
# `tolist()` a list of numbers of a Tensor.

# %% [markdown] lang="zh"
# 要**数**的，就会复制。形状、数据类型和位置，主机不用复制也知道。
#
# ## 5. 练习：`quiet_rounds`
#
# 第 9 课的 `train_rounds`，这次在 GPU 上：训练 `count` 轮，返回各轮的损失，要一个普通数的列表，但是**总共只往主机复制一
# 次**。所以每个损失都先原样留着，去掉它的 tape（`detach`，第 2 课），循环结束了再一起要数：`paddle.stack(losses)`
# 把列表里的 Tensor 合成一个，`tolist()` 把 Tensor 变成数的列表。


# %% exercise="quiet_rounds"
def quiet_rounds(loss_of, optimizer, count):
    """Train; return the losses, copied once. | 训练；返回各轮的损失，只复制一次。"""
    losses = []  # answer
    for _ in range(count):  # answer
        loss = loss_of()  # answer
        loss.backward()  # answer
        optimizer.step()  # answer
        optimizer.clear_grad()  # answer
        losses.append(loss.detach())  # answer
    return paddle.stack(losses).tolist()  # answer


# %% [markdown] wrong="read_each"
# - losses.append(loss.detach())
# + losses.append(float(loss))
# - return paddle.stack(losses).tolist()
# + return losses

# %% [markdown] wrong="read_each"
# - return paddle.stack(losses).tolist()
# + return [float(loss) for loss in losses]

# %% [markdown] wrong="read_each"
# - losses.append(loss.detach())
# + losses.append(loss.detach()); print(loss)

# %% [markdown] wrong="still_tensors"
# - return paddle.stack(losses).tolist()
# + return losses

# %% [markdown] wrong="still_tensors"
# - return paddle.stack(losses).tolist()
# + return paddle.stack(losses)

# %% [markdown] wrong="an_array"
# - return paddle.stack(losses).tolist()
# + return paddle.stack(losses).numpy()

# %% [markdown] wrong="kept_the_tape"
# - losses.append(loss.detach())
# + losses.append(loss)

# %% [markdown] wrong="uncleared"
# - optimizer.clear_grad()

# %% [markdown] wrong="came_to_nothing"
# - return paddle.stack(losses).tolist()
# + paddle.stack(losses).tolist()

# %%
lesson.quiet_rounds.check(quiet_rounds)

# %% [markdown] lang="en"
# ## 6. NumPy in the middle
#
# A PyLayer may do in its forward whatever it likes, so it may compute in NumPy. On the host this
# costs next to nothing. Here is softplus, the smooth relu, written in this way. All is on the GPU; one
# forward, one backward. Count the copies in the code before you run it.

# %% [markdown] lang="zh"
# ## 6. 中间插着 NumPy
#
# PyLayer 的 forward 里想做什么都可以，用 NumPy 计算也行。在主机上，这几乎不花什么。下面是这样写的 softplus，也就是平滑
# 的 relu。全都在 GPU 上，一次前向，一次反向。运行之前，先在代码里数一数有几次复制。


# %%
class softplus_in_numpy(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return paddle.to_tensor(np.log(1 + np.exp(x.numpy())))

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return paddle.to_tensor(dy.numpy() / (1 + np.exp(-x.numpy())))


# %%
lesson.by_way_of_numpy.ask()

# %%
with pretend_gpu() as gpu:
    paddle.set_device("gpu")
    x = paddle.ones([256])
    x.stop_gradient = False
    gpu.copies.clear()
    softplus_in_numpy.apply(x).mean().backward()
    for copy in gpu.copies:
        print(copy)
    x.clear_grad()
    with viz.record() as interrupted:
        softplus_in_numpy.apply(x).mean().backward()

lesson.by_way_of_numpy.compare()

# %%
interrupted

# %% [markdown] lang="en"
# In forward, the wire `numpy` leads from `x` to a tensor that begins anew: on this way the numbers were on the
# host. Backward has a hole: no wire leads from `dy` to the result, which has come from outside. There, too, the
# numbers were on the host.
#
# With Paddle's own functions nothing is copied. And a py_func? It *is* NumPy in the middle. A run of a Program
# on a GPU, named by `paddle.CUDAPlace(0)`, copies the feed there and the fetched back; with a py_func in between:

# %% [markdown] lang="zh"
# 前向里，连线 `numpy` 从 `x` 通到一个重新开始的 Tensor：在这条路上，数到过主机。反向里有一个洞：没有连线从 `dy`
# 通到结果，结果是从外面来的。在那里，数也到过主机。
#
# 用 Paddle 自己的函数，就什么也不复制。py_func 呢？它**就是**插在中间的 NumPy。在 GPU（写作 `paddle.CUDAPlace(0)`）上运行 Program，feed 要复制过去，取
# 回的要复制回来；中间再有一个 py_func，就是：


# %%
def square(v):
    return np.square(v)


paddle.enable_static()
main = static.Program()
with static.program_guard(main):
    v = static.data("v", [256], "float32")
    h = v * 2
    s = h.block.create_var(name="s", shape=h.shape, dtype=h.dtype)
    static.py_func(square, h, s)
    result = s * 3
with pretend_gpu() as gpu:
    exe = static.Executor(paddle.CUDAPlace(0))
    exe.run(main, feed={"v": np.ones(256, "float32")}, fetch_list=[result])
    print([copy.to for copy in gpu.copies])
    with viz.record() as by_py_func:
        exe.run(main, feed={"v": np.ones(256, "float32")}, fetch_list=[result])
paddle.disable_static()

# %%
by_py_func

# %% [markdown] lang="en"
# There goes the feed, out come the numbers for `square`, in goes its result, and out comes what was fetched. The
# frame of py_func is the border: all inside it happens on the host.
#
# ## 7. Exercise: `softplus`
#
# Write softplus as a PyLayer that copies nothing: log(1 + eˣ), and backward `dy` times the sigmoid of `x`
# (`paddle.nn.functional.sigmoid`). Save `x`.

# %% [markdown] lang="zh"
# 过去的是 feed；出来的是给 `square` 的数；进去的是它的结果；最后出来的是取回的。py_func 的框就是边界：里面的都在主机上
# 进行。
#
# ## 7. 练习：`softplus`
#
# 请把 softplus 写成一个什么都不复制的 PyLayer：前向是 log(1 + eˣ)，反向是 `dy` 乘以 `x` 的 sigmoid
# （`paddle.nn.functional.sigmoid`）。保存 `x`。


# %% exercise="softplus"
class softplus(PyLayer):
    @staticmethod
    def forward(ctx, x):
        """Return log(1 + exp(x)). | 返回 log(1 + exp(x))。"""
        ctx.save_for_backward(x)  # answer
        return paddle.log(1 + paddle.exp(x))  # answer

    @staticmethod
    def backward(ctx, dy):
        """Return the gradient of x. | 返回 x 的梯度。"""
        (x,) = ctx.saved_tensor()  # answer
        return dy * paddle.nn.functional.sigmoid(x)  # answer


# %% [markdown] wrong="by_numpy"
# - return paddle.log(1 + paddle.exp(x))
# + return paddle.to_tensor(np.log(1 + np.exp(x.numpy())))

# %% [markdown] wrong="by_numpy"
# - return dy * paddle.nn.functional.sigmoid(x)
# + return paddle.to_tensor(dy.numpy() / (1 + np.exp(-x.numpy())))

# %% [markdown] wrong="by_numpy"
# - return paddle.log(1 + paddle.exp(x))
# + print(x); return paddle.log(1 + paddle.exp(x))

# %% [markdown] wrong="numpy_alone"
# - return paddle.log(1 + paddle.exp(x))
# + return np.log(1 + np.exp(x))

# %% [markdown] wrong="by_numpy"
# - return dy * paddle.nn.functional.sigmoid(x)
# + return dy * (1 / (1 + paddle.exp(-x)))

# %% [markdown] wrong="not_saved"
# - ctx.save_for_backward(x)

# %% [markdown] wrong="not_unpacked"
# - (x,) = ctx.saved_tensor()
# + x = ctx.saved_tensor()

# %% [markdown] wrong="slope_alone"
# - return dy * paddle.nn.functional.sigmoid(x)
# + return paddle.nn.functional.sigmoid(x)

# %% [markdown] wrong="of_the_output"
# - ctx.save_for_backward(x)
# - return paddle.log(1 + paddle.exp(x))
# + y = paddle.log(1 + paddle.exp(x)); ctx.save_for_backward(y); return y

# %% [markdown] wrong="grows"
# - return dy * paddle.nn.functional.sigmoid(x)
# + return dy * paddle.exp(x)

# %% [markdown] wrong="without_one"
# - return paddle.log(1 + paddle.exp(x))
# + return paddle.log(paddle.exp(x))

# %%
lesson.softplus.check(softplus)

# %% [markdown] lang="en"
# ## 8. Data has to move
#
# Some copies must be. Data is read by the host, and each batch goes to the GPU once. What you can choose is how many bytes
# it has, and that nothing goes twice.

# %% [markdown] lang="zh"
# ## 8. 数据总要搬
#
# 有些复制免不了。数据由主机读取，每一批都要往 GPU 搬一次。你能决定的，是它有多少字节，以及同样的东西不要搬两次。

# %%
with pretend_gpu() as gpu:
    paddle.set_device("gpu")
    images = np.ones([64, 784])
    paddle.to_tensor(images)
    paddle.to_tensor(images.astype("float32"))
    for turn in range(2):
        mask = paddle.to_tensor(np.arange(64) % 2)
    for copy in gpu.copies:
        print(copy)

# %% [markdown] lang="en"
# NumPy's own dtype is float64: twice the bytes, and then the network would have to compute in it. Make it
# float32 before it leaves. And what is the same in every round, as this mask, belongs in front of the loop.
#
# Your habits for a training on a GPU:
#
# - `set_device` first, then build the network: its weights are made there.
# - One copy per batch, float32.
# - Read the loss once in a while, or all of them at the end.
# - No `.numpy()`, no `print(x)`, no `if x > 0` in a layer.
# - Start so that it runs anywhere: `paddle.set_device("gpu" if paddle.device.cuda.device_count() else "cpu")`.
#
# And to find what you have overlooked, run a round under `pretend_gpu()` and read the list.
# Some operations of minipaddle are on it too: random numbers are drawn on the host, for example, so that they
# are Paddle's to the last bit (dropout draws, too); and `cross_entropy` asks whether all labels are in range.
#
# ### Taking the time
#
# Since Python runs ahead, a clock that stops when Python is done has measured nothing. `paddle.device.synchronize()` waits
# until the GPU is done. On the host every operation has finished when it returns, and there the call is an error.

# %% [markdown] lang="zh"
# NumPy 自己的数据类型是 float64：字节多一倍，网络也就得用它来计算。出发之前先变成 float32。每一轮都一样的东西，像这个
# mask，应该放在循环前面。
#
# 在 GPU 上训练的好习惯：
#
# - 先 `set_device`，再创建网络：权重就建在那里。
# - 每一批复制一次，用 float32。
# - 损失隔一阵读一次，或者最后一起读。
# - 层里面不要写 `.numpy()`、`print(x)`、`if x > 0`。
# - 开头这样写，到哪里都能运行：`paddle.set_device("gpu" if paddle.device.cuda.device_count() else "cpu")`。
#
# 要找漏掉的，就在 `pretend_gpu()` 下运行一轮，读那份清单。minipaddle 的某些运算也在上面：例如随机数在主机上抽取，为的是和
# Paddle 一位不差（dropout 也要抽随机数）；`cross_entropy` 会问标签是不是都在范围内。
#
# ### 计时
#
# Python 走在前面，所以如果 Python 一做完就停表，什么也没有量到。`paddle.device.synchronize()` 会等到 GPU 做完。在主机
# 上，每个运算返回时就已经做完了，那里调用它会报错。


# %%
def seconds(step, count=20):
    """The time of a step, on any device. | 一步的时间，任何设备都行。"""

    def wait():
        if paddle.get_device() != "cpu":
            paddle.device.synchronize()

    step()  # The first is slower: do not count it. | 第一次较慢，不算在内。
    wait()
    start = time.perf_counter()
    for _ in range(count):
        step()
    wait()
    return (time.perf_counter() - start) / count


matrix = paddle.randn([256, 256])
print(paddle.get_device(), f"{1000 * seconds(lambda: matrix @ matrix):.2f} ms")

# %% [markdown] lang="en"
# ## What you can do now
#
# | | where it happens | what is copied |
# |---|---|---|
# | `paddle.set_device("gpu")` | | nothing; new tensors are made there |
# | an operation | where its tensors lie | nothing; two places are an error |
# | `x.cpu()`, `x.cuda()`, `x.to(place)` | | all of `x`, unless it is there |
# | backward of a copy | | the gradient, the other way |
# | `float`, `item`, `numpy`, `tolist`, `print`, `if` | | the numbers, and Python waits |
# | `shape`, `dtype`, `place`, `detach` | on the host | nothing |
# | NumPy in a PyLayer or a py_func | on the host | there and back, each time |
#
# Beyond the table:
#
# - You can write code that runs with and without a GPU.
# - You can find the lines that copy, on a machine that has no GPU.
# - You can take the time of a step without being fooled.
#
# Everything so far ran with minipaddle, in one process. Lesson 14, `14_real_paddle.ipynb`, takes the same
# files to real Paddle, and shares a training out among several.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# | | 在哪里进行 | 复制什么 |
# |---|---|---|
# | `paddle.set_device("gpu")` | | 什么也不复制；新的 Tensor 建在那里 |
# | 运算 | 它的 Tensor 在哪里就在哪里 | 什么也不复制；两个位置就报错 |
# | `x.cpu()`、`x.cuda()`、`x.to(place)` | | 整个 `x`，除非本来就在 |
# | 复制的反向 | | 梯度，朝另一个方向 |
# | `float`、`item`、`numpy`、`tolist`、`print`、`if` | | 数，而且 Python 要等 |
# | `shape`、`dtype`、`place`、`detach` | 在主机上 | 什么也不复制 |
# | PyLayer 或 py_func 里的 NumPy | 在主机上 | 每次都过去再回来 |
#
# 表格之外：
#
# - 能写出有没有 GPU 都能运行的代码。
# - 能在没有 GPU 的机器上，找出哪几行在复制。
# - 能量出一步的时间，不会上当。
#
# 到这里，一切都是用 minipaddle、在一个进程里运行的。第 14 课 `14_real_paddle.ipynb` 带着同样的文件，去见真正的
# Paddle，再把一次训练分给几个进程。
