# %% [markdown] lang="en"
# # Lesson 15: Through time
#
# The networks of lessons 9 and 12 had as many layers as somebody wrote down. But a sentence has as many words
# as it has. A **recurrent net** reads such a sequence one element at a time, in a loop that uses the same
# weights in every turn, and carries what it has seen along in a *state*. On the way back the gradient passes
# through all the turns, and each of them multiplies it.
#
# This lesson follows the gradient through time: why it vanishes or explodes, what clipping can do about it, and
# what the cell state of an LSTM changes. It takes about 45 minutes. You need the slope of tanh from lesson 1,
# from lesson 4 that gradients from several places are added up, and the training loop of lesson 9.

# %% [markdown] lang="zh"
# # 第 15 课：沿着时间
#
# 第 9 课和第 12 课的网络有多少层，是写的人定好的。可是一个句子有多少个词，要看句子自己。**循环网络**（recurrent net）
# 一次读序列里的一个元素，循环里每一步用的都是同样的权重，读过的内容放在一个**状态**里带着走。反向时，梯度要穿过所有
# 的时间步，而每一步都要乘它一次。
#
# 这一课跟着梯度沿时间往回走：它为什么会消失，为什么会爆炸，裁剪能做什么，LSTM 的细胞状态又改变了什么。全程大约
# 45 分钟。需要第 1 课讲的 tanh 的斜率，第 4 课讲的从几处回来的梯度要相加，以及第 9 课的训练循环。

# %%
import numpy as np

import minipaddle as paddle
import viz
from minipaddle import exercises, nn
from minipaddle.nn import functional as F

lesson = exercises.load("15_through_time", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. One weight, eight turns
#
# The smallest recurrent net has one number `h` for its state and one weight `w`. In each turn it reads an
# element of `x`, and mixes it with the state of the turn before: `h = tanh(w * h + x[t])`. What comes out after
# the last turn is the answer of the net. It is what the gradient starts from here.

# %% [markdown] lang="zh"
# ## 1. 一个权重，八个时间步
#
# 最小的循环网络，状态是一个数 `h`，权重是一个数 `w`。每一步它读入 `x` 的一个元素，与上一步的状态混合：
# `h = tanh(w * h + x[t])`。最后一步得到的，就是网络的回答；这里的梯度就从它开始。

# %%
lesson.parts.ask()

# %%
x = paddle.to_tensor([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
w = paddle.to_tensor(0.5, stop_gradient=False)
start = paddle.to_tensor(0.0, stop_gradient=False)

with viz.record() as unrolled:
    h = start
    for t in range(8):
        h = paddle.tanh(w * h + x[t])
    h.backward()

print("w.grad:", round(float(w.grad), 4), " start.grad:", round(float(start.grad), 4))
lesson.parts.compare()

# %%
unrolled

# %% [markdown] lang="en"
# The code has one line in its loop, but the tape has eight turns of it (lesson 3: the tape notes what runs, and
# not what is written). The picture **folds** them: equal turns are one frame, `t = 0 … 7`. Inside it the turn
# of the current step is open, and the others are closed boxes. As you step, the open turn changes; the arrows ◀
# ▶ at its upper edge lead to the turn before and to the next one, and ⊕ on a closed box opens it.
#
# Go to the first step of the backward, and step on through two turns. Two boxes change the gradient: `tanh`
# multiplies it by its slope, 1 − h², and `×` multiplies it by `w`. It was 1 at the end. It is 0.5 when it has
# passed one turn, then 0.25, then a little less than 0.125. In the last turns the state is nearly 0, and there
# the slope of tanh is nearly 1: each turn about halves the gradient. In turn 0 the state is large, 0.76, and
# the slope is smaller. `start.grad` says what is left of the 1 after eight turns: 0.0014.
#
# On the way each turn sends its own part to `w`: the gradient that has passed the tanh, times the state that
# came in. The box `+=` adds the eight parts up. That is all there is to *backpropagation through time*: the backward
# of lesson 3, and a weight that is used many times.
#
# ## 2. Exercise: `back_in_time`
#
# Do it by hand, with plain numbers. `hs` is the list of all states: `hs[0]` is the start, and `hs[t]` is
# `tanh(w * hs[t-1] + x)` for the `x` of that turn. The loss is the last state itself, `hs[-1]`. Return the
# gradient of `w`. Begin with `dh = 1.0` at the last state, and go back turn by turn.

# %% [markdown] lang="zh"
# 代码的循环里只有一行，tape 上却有它的八步（第 3 课讲过：tape 记的是运行了什么，不是写了什么）。图把它们**折叠**起来：
# 一样的时间步合成一个方框 `t = 0 … 7`。里面只展开当前步骤所在的那一步，其余的是合上的小方框。往下走，
# 展开的那一步也跟着换；它上边的箭头 ◀ ▶ 通到相邻的时间步，合上的方框用 ⊕ 打开。
#
# 走到反向的第一步，再走过两个时间步。改变梯度的有两个方框：`tanh` 乘以自己的斜率 1 − h²，`×` 乘以 `w`。梯度在最后是 1，
# 穿过一个时间步是 0.5，然后是 0.25，然后比 0.125 略小。最后几步的状态几乎是 0，tanh 在那里的斜率几乎是 1，所以梯度
# 每步大约减半。第 0 步的状态大，是 0.76，斜率小一些。走完八步，那个 1 还剩多少，写在 `start.grad` 里：0.0014。
#
# 一路上，每个时间步都把自己的一份交给 `w`：穿过 tanh 之后的梯度，乘以进来的状态。方框 `+=` 把这八份加起来。所谓**沿时间
# 的反向传播**（backpropagation through time），全部内容就是这些：第 3 课的反向，加上一个用了许多次的权重。
#
# ## 2. 练习：`back_in_time`
#
# 用普通的数，自己动手做一遍。`hs` 是所有状态的列表：`hs[0]` 是起点，`hs[t]` 是 `tanh(w * hs[t-1] + x)`，其中 `x` 是
# 那一步读入的数。损失就是最后的状态 `hs[-1]`。请返回 `w` 的梯度。从最后的状态开始，`dh = 1.0`，一步一步往回走。


# %% exercise="back_in_time"
def back_in_time(w, hs):
    """Return the gradient of w. | 返回 w 的梯度。"""
    dh, dw = 1.0, 0.0  # answer
    for t in range(len(hs) - 1, 0, -1):  # answer
        inner = dh * (1 - hs[t] ** 2)  # answer
        dw = dw + inner * hs[t - 1]  # answer
        dh = inner * w  # answer
    return dw  # answer


# %% [markdown] wrong="last_turn"
# - for t in range(len(hs) - 1, 0, -1):
# + for t in [len(hs) - 1]:

# %% [markdown] wrong="last_turn"
# - return dw
# + return (1 - hs[-1] ** 2) * hs[-2]

# %% [markdown] wrong="not_added"
# - dw = dw + inner * hs[t - 1]
# + dw = inner * hs[t - 1]

# %% [markdown] wrong="no_slope"
# - inner = dh * (1 - hs[t] ** 2)
# + inner = dh

# %% [markdown] wrong="no_weight"
# - dh = inner * w
# + dh = inner

# %% [markdown] wrong="no_way_back"
# - dh = inner * w

# %% [markdown] wrong="own_state"
# - dw = dw + inner * hs[t - 1]
# + dw = dw + inner * hs[t]

# %% [markdown] wrong="forwards"
# - for t in range(len(hs) - 1, 0, -1):
# + for t in range(1, len(hs)):

# %% [markdown] wrong="slope_of_before"
# - inner = dh * (1 - hs[t] ** 2)
# + inner = dh * (1 - hs[t - 1] ** 2)

# %% [markdown] wrong="slope_too_late"
# - dw = dw + inner * hs[t - 1]
# + dw = dw + dh * hs[t - 1]

# %% [markdown] wrong="slope_too_late"
# - inner = dh * (1 - hs[t] ** 2)
# + dw = dw + dh * hs[t - 1]
# - dw = dw + inner * hs[t - 1]
# + inner = dh * (1 - hs[t] ** 2)

# %% [markdown] wrong="slope_in_dw_alone"
# - dh = inner * w
# + dh = dh * w

# %% [markdown] wrong="w_too_often"
# - inner = dh * (1 - hs[t] ** 2)
# + dh = dh * (1 - hs[t] ** 2) * w
# - dw = dw + inner * hs[t - 1]
# + dw = dw + dh * hs[t - 1]
# - dh = inner * w

# %% [markdown] wrong="times_w"
# - dw = dw + inner * hs[t - 1]
# + dw = dw + inner * w

# %% [markdown] wrong="tanh_again"
# - inner = dh * (1 - hs[t] ** 2)
# + inner = dh * (1 - np.tanh(hs[t]) ** 2)

# %% [markdown] wrong="first_turn_left_out"
# - for t in range(len(hs) - 1, 0, -1):
# + for t in range(len(hs) - 1, 1, -1):

# %% [markdown] wrong="round_the_end"
# - for t in range(len(hs) - 1, 0, -1):
# + for t in range(len(hs) - 1, -1, -1):

# %% [markdown] wrong="of_the_start"
# - return dw
# + return dh

# %% [markdown] wrong="turn_left_out"
# - for t in range(len(hs) - 1, 0, -1):
# + for t in range(len(hs) - 2, 0, -1):

# %% [markdown] wrong="no_return"
# - return dw

# %%
lesson.back_in_time.check(back_in_time)

# %% [markdown] lang="en"
# ## 3. Eight factors
#
# So the gradient of the first state is a product of eight factors, each of them `w * (1 − h²)`. The sizes of
# such products go to extremes: 0.5 to the eighth power is 0.004, and 1.5 to the eighth power is 26.
#
# Take `w = 1.5`, let the state begin at 1, and let every `x[t]` be 0.

# %% [markdown] lang="zh"
# ## 3. 八个因子
#
# 可见，起始状态的梯度是八个因子的乘积，每个因子是 `w * (1 − h²)`。这样的乘积很容易走极端：0.5 的八次方是 0.004，
# 1.5 的八次方是 26。
#
# 取 `w = 1.5`，状态从 1 开始，每个 `x[t]` 都是 0。

# %%
lesson.saturated.ask()


# %%
def sizes(w, start, turns=8):
    """Sizes of the gradients of all states, the last state first. | 各个状态的梯度的大小，从最后的状态排起。"""
    states = [paddle.to_tensor(start, stop_gradient=False)]
    for t in range(turns):
        states.append(paddle.tanh(w * states[-1]))
    gradients = paddle.grad(states[-1], states)
    return [abs(float(gradient)) for gradient in reversed(gradients)]


for w, start in [(0.5, 1.0), (1.5, 1.0), (1.5, 0.001)]:
    print(f"w = {w}, start = {start}:", *(f"{size:.3g}" for size in sizes(w, start)))
print(f"{sizes(0.5, 1.0, turns=50)[-1]:.1e}  {sizes(1.5, 1e-12, turns=50)[-1]:.1e}")
lesson.saturated.compare()

# %% [markdown] lang="en"
# `paddle.grad(y, tensors)` gives the gradients of `y` with respect to these tensors, which may lie in the
# middle of the computation, and writes to no `.grad`. Lesson 16 is about it.
#
# Read the rows from left to right, which is backwards in time:
#
# - **0.5**: each turn halves the gradient, and the first turn, where tanh is flatter, leaves even less. It
#   **vanishes**.
# - **1.5, from 1**: it vanishes, too, although 1.5 is above 1. The state settles at 0.86, where the slope of
#   tanh is 0.26, and 1.5 × 0.26 is 0.39. A net that has made up its mind is deaf.
# - **1.5, from 0.001**: the state stays small, the slope stays nearly 1, and the gradient grows by half in each
#   turn. It **explodes**.
#
# With eight turns, these are nuisances. The last line has fifty: 6.5e-16 for 0.5, and 6.4e+08 for 1.5, from a
# tiny start. The fiftieth power leaves next to nothing of a factor like 0.5, and far too much of one like 1.5.
#
# In a real recurrent net the state is a vector and the weight a matrix. Then the gradient is multiplied by the
# matrix (transposed) and by the slopes, turn by turn, and it may shrink in one direction and grow in another.
# The powers do the same work.
#
# Note what a vanished gradient is *not*: it is not wrong. It says correctly that a small change far back in
# time would hardly change the answer. But by a gradient that says nothing, nothing can be learnt.
#
# ## 4. A cliff, and a rope
#
# First the exploding kind. Without tanh nothing holds the state back: after eight turns of `h = w * h` it is
# $w^8$. It should become 2, and `w` starts at 1.3.

# %% [markdown] lang="zh"
# `paddle.grad(y, tensors)` 给出 `y` 对这些 Tensor 的梯度，它们可以在计算的中间；它不写入任何 `.grad`。第 16 课专门
# 讲它。
#
# 从左往右读，时间是往回走的：
#
# - **0.5**：每一步，梯度减半；第一步的 tanh 平缓一些，剩得更少。它**消失**了。
# - **1.5，从 1 开始**：也消失了，尽管 1.5 大于 1。状态停在 0.86，tanh 在那里的斜率是 0.26，而 1.5 × 0.26 是 0.39。
#   已经打定主意的网络，什么也听不进去。
# - **1.5，从 0.001 开始**：状态一直很小，斜率一直接近 1，梯度每一步增大一半。它**爆炸**了。
#
# 八步的时候，这还只是麻烦。最后一行有五十步：0.5 的是 6.5e-16，1.5 的（起点极小）是 6.4e+08。0.5 这样的因子连乘五十次，
# 几乎什么也不剩；1.5 这样的，就大得离谱。
#
# 真正的循环网络，状态是向量，权重是矩阵。那时梯度每一步都要乘以矩阵（的转置），再乘以各个斜率，可能在一个方向上缩小，在另一个
# 方向上增大。道理还是连乘。
#
# 要注意，消失的梯度**并没有错**。它说得很对：很久以前的一点变化，几乎不会影响现在的回答。只不过，什么也没说的梯度，
# 让人什么也学不到。
#
# ## 4. 悬崖，和一根绳子
#
# 先看爆炸的。去掉 tanh，就没有什么拦得住状态：`h = w * h` 走八步，就是 $w^8$。它应该变成 2，而 `w` 从 1.3 开始。


# %%
def train_power(clip=None):
    """Train w for 20 rounds, so that w to the eighth becomes 2. | 训练 w 20 轮，让 w 的八次方变成 2。"""
    w = paddle.to_tensor(1.3, stop_gradient=False)
    one = paddle.to_tensor(1.0)
    sgd = paddle.optimizer.SGD(learning_rate=0.02, parameters=[w], grad_clip=clip)
    with viz.record() as trace:
        for turn in range(20):
            h = one
            for t in range(8):
                h = w * h
            loss = paddle.square(h - 2)
            loss.backward()
            sgd.step()
            sgd.clear_grad()
    print("the losses: | 各轮的损失：", *(f"{each.loss:.3g}" for each in trace.rounds))
    return trace


cliff = train_power()
cliff

# %% [markdown] lang="en"
# The first loss is 38, the second 5e16, and then come infinity and NaN. Go to the last step of round 1: the
# gradient is 618, so `w` goes from 1.3 to −11.06, and $w^8$ is 224 million. From `w` to the loss it is a valley
# with a wall like a **cliff**: next to it, the gradient says truly how steep the wall is, and nothing of how
# near the bottom is.
#
# A smaller learning rate would have to be chosen for the steepest place, and would be far too small for all
# others. The usual remedy bounds the step: **clipping**. `paddle.nn.ClipGradByGlobalNorm(1.0)` takes all
# gradients together for one long arrow, whose length is called the *global norm*. If it is longer than 1.0, the
# arrow is shortened to 1.0. Its direction stays.

# %% [markdown] lang="zh"
# 第一个损失是 38，第二个是 5e16，接着就是无穷大和 NaN。走到第 1 轮（播放器里写作“第 1 次迭代”）的最后一步：梯度是 618，于是 `w` 从 1.3 变成
# −11.06，而 $w^8$ 是 2.24 亿。损失随 `w` 的变化，像一个山谷，一侧的壁陡得像**悬崖**：在崖壁上，梯度如实说出了
# 壁有多陡，却丝毫没有说谷底有多近。
#
# 换小一点的学习率呢？那就得按最陡的地方来选，而对别的地方来说又太小了。通常的办法是限制步长：**裁剪**（clipping）。
# `paddle.nn.ClipGradByGlobalNorm(1.0)` 把所有的梯度合起来看成一个长箭头，它的长度叫**全局范数**。箭头比 1.0 长，就缩短
# 到 1.0，方向不变。

# %%
lesson.rope.ask()

# %%
roped = train_power(nn.ClipGradByGlobalNorm(1.0))
lesson.rope.compare()

# %%
roped

# %% [markdown] lang="en"
# Now `w` climbs down the wall, 0.02 a round. After ten rounds it is at 1.1, and $1.1^8$ is 2.14. There it
# stays, or rather: press `]` and watch `w` from round 11 on. It jumps between 1.10 and 1.08 for ever, and the
# goal, 1.09, lies in between. The gradient is above 4 on one side and below −4 on the other, so it is still
# clipped, and every step is 0.02 long. **With SGD, a clipped step is as long as the learning rate times the
# limit, however far there is to go.** So a limit belongs where it catches the rare
# giants, not every gradient.
#
# Go to the step “SGD updates w …” of round 1: the formula has the clipping in it.
#
# Clipping does nothing for the gradient that vanished. What is too short stays as it is.
#
# ## 5. Exercise: `clip_all`
#
# Write what `ClipGradByGlobalNorm` does. `grads` is a list of Tensors of any shapes, `limit` a number. The
# global norm is the root of the sum of the squares of *all* numbers in *all* gradients. If it is above `limit`,
# multiply every gradient by `limit / norm`; otherwise leave them. Return the list.

# %% [markdown] lang="zh"
# 这回 `w` 顺着崖壁往下爬，每轮 0.02。十轮之后到了 1.1，$1.1^8$ 是 2.14。它就停在那里了；准确地说：按 `]`，看看第 11 轮
# 以后的 `w`。它永远在 1.10 和 1.08 之间跳，目标 1.09 就在两者之间。梯度在一边大于 4，在另一边小于 −4，所以仍然
# 被裁剪，每一步都是 0.02。**用 SGD 时，梯度一旦被裁剪，步长就是学习率乘以上限，与还有多远没有关系。** 所以，上限应当用来
# 拦住偶尔出现的巨大梯度，而不是每一个梯度。
#
# 走到第 1 轮里“SGD 根据 w.grad 更新 w”那一步：公式里写着裁剪。
#
# 对消失的梯度，裁剪什么也做不了。太短的，还是那么短。
#
# ## 5. 练习：`clip_all`
#
# 写出 `ClipGradByGlobalNorm` 所做的事。`grads` 是由任意形状的 Tensor 组成的列表，`limit` 是一个数。全局范数，就是**所有**梯度里**所有**数
# 的平方加起来，再开方。它大于 `limit`，就把每个梯度都乘以 `limit / norm`；否则保持
# 原样。返回列表。


# %% exercise="clip_all"
def clip_all(grads, limit):
    """Return the gradients, with a global norm of at most limit. | 返回梯度，全局范数不超过 limit。"""
    norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5  # answer
    return [grad * (limit / max(norm, limit)) for grad in grads]  # answer


# %% [markdown] wrong="each_alone"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norms = [float((grad * grad).sum()) ** 0.5 for grad in grads]
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + return [grad * min(1, limit / norm) for grad, norm in zip(grads, norms)]

# %% [markdown] wrong="by_value"
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + return [paddle.clip(grad, -limit, limit) for grad in grads]

# %% [markdown] wrong="always"
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + return [grad * (limit / norm) for grad in grads]

# %% [markdown] wrong="compared_wrongly"
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + return [grad * (limit / min(norm, limit)) for grad in grads]

# %% [markdown] wrong="no_root"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norm = float(sum((grad * grad).sum() for grad in grads))

# %% [markdown] wrong="no_squares"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norm = float(sum(paddle.abs(grad).sum() for grad in grads))

# %% [markdown] wrong="mean_square"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norm = (sum(float((grad * grad).sum()) for grad in grads) / sum(grad.size for grad in grads)) ** 0.5

# %% [markdown] wrong="root_of_means"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norm = float(sum((grad * grad).mean() for grad in grads)) ** 0.5

# %% [markdown] wrong="sum_of_norms"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norm = sum(float((grad * grad).sum()) ** 0.5 for grad in grads)

# %% [markdown] wrong="largest_norm"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norm = max(float((grad * grad).sum()) ** 0.5 for grad in grads)

# %% [markdown] wrong="largest_number"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norm = max(float(paddle.abs(grad).max()) for grad in grads)

# %% [markdown] wrong="some_left_out"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norm = float((grads[0] ** 2).sum() + (grads[1] ** 2).sum()) ** 0.5

# %% [markdown] wrong="some_left_out"
# - norm = float(sum((grad * grad).sum() for grad in grads)) ** 0.5
# + norm = [float((grad * grad).sum()) for grad in grads][-1] ** 0.5

# %% [markdown] wrong="not_clipped"
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + return grads

# %% [markdown] wrong="squared_factor"
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + return [grad * (limit / max(norm, limit)) ** 2 for grad in grads]

# %% [markdown] wrong="turned_round"
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + return [grad * (max(norm, limit) / limit) for grad in grads]

# %% [markdown] wrong="length_one"
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + return [grad / norm for grad in grads] if norm > limit else grads

# %% [markdown] wrong="not_a_list"
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + return limit / max(norm, limit)

# %% [markdown] wrong="no_return"
# - return [grad * (limit / max(norm, limit)) for grad in grads]

# %% [markdown] wrong="one_return"
# - return [grad * (limit / max(norm, limit)) for grad in grads]
# + if norm > limit: return [grad * (limit / norm) for grad in grads]

# %%
lesson.clip_all.check(clip_all)

# %% [markdown] lang="en"
# ## 6. A state that is not squashed
#
# Now the vanishing kind. What is needed is a way back through time whose factor is 1, or at least can become 1.
# The **LSTM** (long short-term memory) has two states: `h`, as before, and a **cell state** `c`. In each turn a
# linear layer makes four numbers of `x[t]` and `h`. Three of them go through a sigmoid, which squashes a number
# into 0 … 1; these are the **gates** `i` (input), `f` (forget) and `o` (output). The fourth, `g`, goes through
# a tanh. Then
#
# $$c_t = f \cdot c_{t-1} + i \cdot g \qquad h_t = o \cdot \tanh(c_t)$$
#
# (With several numbers in the state, `·` multiplies element by element, as `*` does.)
#
# The line for `c` has no tanh around it and no matrix in it. Whoever goes back along it, from $c_t$ to
# $c_{t-1}$, meets a single factor: `f`.

# %% [markdown] lang="zh"
# ## 6. 不受挤压的状态
#
# 再看消失的。要的是一条沿时间往回的路，它的因子是 1，或者至少能变成 1。**LSTM**（长短期记忆网络）有两个状态：
# `h`，和前面一样；还有一个**细胞状态** `c`。每一步，一个线性层由 `x[t]` 和 `h` 算出四个数。其中三个经过 sigmoid，它把
# 数压到 0 … 1 之间；这就是三个**门**：`i`（输入门）、`f`（遗忘门）和 `o`（输出门）。第四个 `g` 经过
# tanh。然后
#
# $$c_t = f \cdot c_{t-1} + i \cdot g \qquad h_t = o \cdot \tanh(c_t)$$
#
# （状态里有多个数时，`·` 是逐元素相乘，和 `*` 一样。）
#
# `c` 的这一行，外面没有 tanh，里面没有矩阵。顺着它从 $c_t$ 往回走到 $c_{t-1}$，只遇到一个因子：`f`。

# %%
lesson.half.ask()

# %%
f = paddle.to_tensor(0.5)
beginning = paddle.to_tensor(1.0, stop_gradient=False)

c = beginning
for t in range(4):
    c = f * c + 0.1
c.backward()

print("beginning.grad:", float(beginning.grad))
lesson.half.compare()

# %% [markdown] lang="en"
# ## 7. Exercise: `lstm_step`
#
# Write a turn of an LSTM. `gates` is what comes out of the linear layer, of the shape [rows, 4 * size]: four
# blocks side by side, in Paddle's order `i`, `f`, `g`, `o`, none of them squashed yet.
# `paddle.split(gates, 4, axis=1)` takes them apart. `c` is the cell state of the turn before, [rows, size].
# `paddle.nn.functional.sigmoid` and `paddle.tanh` do the squashing. Return the new `h` and the new `c`, in this
# order.

# %% [markdown] lang="zh"
# ## 7. 练习：`lstm_step`
#
# 写出 LSTM 的一步。`gates` 是线性层给出的，形状是 [行数, 4 * size]：并排的四块，按 Paddle 的顺序是 `i`、`f`、`g`、`o`，
# 都还没有压缩过。`paddle.split(gates, 4, axis=1)` 把它们分开。`c` 是上一步的细胞状态，形状是 [行数, size]。压缩用 `paddle.nn.functional.sigmoid` 和
# `paddle.tanh`。请返回新的 `h` 和新的 `c`，就按这个顺序。


# %% exercise="lstm_step"
def lstm_step(gates, c):
    """Return the new h and the new c. | 返回新的 h 和新的 c。"""
    sigmoid = paddle.nn.functional.sigmoid  # answer
    i, f, g, o = paddle.split(gates, 4, axis=1)  # answer
    c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)  # answer
    h = sigmoid(o) * paddle.tanh(c)  # answer
    return h, c  # answer


# %% [markdown] wrong="gates_swapped"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = sigmoid(i) * c + sigmoid(f) * paddle.tanh(g)

# %% [markdown] wrong="gates_swapped"
# - i, f, g, o = paddle.split(gates, 4, axis=1)
# + f, i, g, o = paddle.split(gates, 4, axis=1)

# %% [markdown] wrong="output_third"
# - i, f, g, o = paddle.split(gates, 4, axis=1)
# + i, f, o, g = paddle.split(gates, 4, axis=1)

# %% [markdown] wrong="forgets_all"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = sigmoid(i) * paddle.tanh(g)

# %% [markdown] wrong="forgets_nothing"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = c + sigmoid(i) * paddle.tanh(g)

# %% [markdown] wrong="g_by_sigmoid"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = sigmoid(f) * c + sigmoid(i) * sigmoid(g)

# %% [markdown] wrong="not_squashed"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = f * c + i * g
# - h = sigmoid(o) * paddle.tanh(c)
# + h = o * paddle.tanh(c)

# %% [markdown] wrong="one_not_squashed"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = f * c + sigmoid(i) * paddle.tanh(g)

# %% [markdown] wrong="one_not_squashed"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = sigmoid(f) * c + i * paddle.tanh(g)

# %% [markdown] wrong="one_not_squashed"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = sigmoid(f) * c + sigmoid(i) * g

# %% [markdown] wrong="one_not_squashed"
# - h = sigmoid(o) * paddle.tanh(c)
# + h = o * paddle.tanh(c)

# %% [markdown] wrong="gates_by_tanh"
# - sigmoid = paddle.nn.functional.sigmoid
# + sigmoid = paddle.tanh

# %% [markdown] wrong="no_input_gate"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = sigmoid(f) * c + paddle.tanh(g)

# %% [markdown] wrong="f_turned_round"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = (1 - sigmoid(f)) * c + sigmoid(i) * paddle.tanh(g)

# %% [markdown] wrong="other_axis"
# - i, f, g, o = paddle.split(gates, 4, axis=1)
# + i, f, g, o = paddle.split(gates, 4)

# %% [markdown] wrong="matrix_product"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = sigmoid(f) @ c + sigmoid(i) @ paddle.tanh(g)

# %% [markdown] wrong="old_c_returned"
# - sigmoid = paddle.nn.functional.sigmoid
# + sigmoid, old = paddle.nn.functional.sigmoid, c
# - return h, c
# + return h, old

# %% [markdown] wrong="as_the_cell"
# - return h, c
# + return h, (h, c)

# %% [markdown] wrong="cut_off"
# - return h, c
# + return h.detach(), c

# %% [markdown] wrong="cut_off"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = sigmoid(f) * c.detach() + sigmoid(i) * paddle.tanh(g)

# %% [markdown] wrong="c_not_squashed"
# - h = sigmoid(o) * paddle.tanh(c)
# + h = sigmoid(o) * c

# %% [markdown] wrong="c_squashed"
# - c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
# + c = paddle.tanh(sigmoid(f) * c + sigmoid(i) * paddle.tanh(g))
# - h = sigmoid(o) * paddle.tanh(c)
# + h = sigmoid(o) * c

# %% [markdown] wrong="old_c"
# - h = sigmoid(o) * paddle.tanh(c)
# + h = sigmoid(o) * paddle.tanh(old)
# - sigmoid = paddle.nn.functional.sigmoid
# + sigmoid, old = paddle.nn.functional.sigmoid, c

# %% [markdown] wrong="turned_round"
# - return h, c
# + return c, h

# %% [markdown] wrong="h_alone"
# - return h, c
# + return h

# %% [markdown] wrong="no_return"
# - return h, c

# %%
lesson.lstm_step.check(lstm_step)

# %% [markdown] lang="en"
# ## 8. The line through the picture
#
# `nn.LSTMCell` is Paddle's turn of an LSTM: the linear layer, and then what you have written. Here it runs in a
# loop. Its weights are frozen, so that the backward shows only what goes back through time, to the cell state
# at the beginning.

# %% [markdown] lang="zh"
# ## 8. 图里的那条线
#
# `nn.LSTMCell` 是 Paddle 的 LSTM 的一步：先是线性层，然后就是你写的那些。这里让它在循环里运行。权重是冻结的，这样反向里
# 就只有沿时间往回走的东西，一直走到最开始的细胞状态。

# %%
paddle.seed(0)
cell = nn.LSTMCell(1, 1)
for parameter in cell.parameters():
    parameter.stop_gradient = True
x = paddle.to_tensor([[1.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0]])

with viz.record() as through_cells:
    h = paddle.zeros([1, 1])
    c = first = paddle.zeros([1, 1])
    first.stop_gradient = False
    for t in range(8):
        h, (_, c) = cell(x[t : t + 1], (h, c))
    loss = c.sum()
    loss.backward()

print("first.grad:", round(float(first.grad), 4))

# %%
through_cells

# %% [markdown] lang="en"
# Go to the end, and step back three times, to the box `+=` of turn 0. From there the wire goes on through the
# backward of the addition, which leaves the gradient as it is, and through the backward of the multiplication,
# which multiplies it by `f`. There is no tanh on it and no matrix. (The tanh lies on a side
# path, from `h`: a state acts on the next gates, too.) Step on, and compare the numbers: what goes into
# “multiply backward”, and what comes out.
#
# So does the gradient survive? `f` of an untrained cell is somewhere about 0.5, here between 0.6 and 0.8, and what
# is left of the 1 after eight turns is 0.057. Better than 0.0014, but it vanishes all the same. The line does
# not keep gradients; it *lets the net decide* to keep them, by an open forget gate. At the beginning of a
# training somebody has to open it.
#
# `nn.LSTM(input_size, hidden_size)` is the same loop as a layer: it takes all turns at once, as `x` of the
# shape [rows, turns, input_size], and gives the `h` of every turn, and the last `h` and `c`.
#
# ## 9. Exercise: `open_gate`
#
# Each of the four blocks has its own bias. `lstm.bias_ih_l0` holds all four, one after the other, in the order
# `i`, `f`, `g`, `o`; each block has `lstm.hidden_size` numbers, however many that is. Put the number `start` into
# the block of the forget gate, and leave all the rest as it is. The parameter has to stay the same object,
# since an optimizer may have it already, and has to stay trainable: change it in place (lesson 2). Nothing is
# returned.

# %% [markdown] lang="zh"
# 走到最后，再往回退三步，到第 0 步的方框 `+=`。从那里往后，连线先穿过加法的反向，梯度原样通过；
# 再穿过乘法的反向，乘以 `f`。这条线上没有 tanh，也没有矩阵。（tanh 在旁边的一条路上，是从 `h` 来的：状态还会影响
# 下一步的各个门。）再往下走，比一比两个数：进入“multiply 的反向”的，和从它出来的。
#
# 那么梯度活下来了吗？没有训练过的 `f` 大致在 0.5 上下，这里在 0.6 到 0.8 之间；走完八步，那个 1 还剩 0.057。比 0.0014
# 好，可还是会消失。这条线并不替谁保住梯度，它只是**让网络可以决定**保住，办法是打开遗忘门。而训练刚开始的时候，得有人
# 先把它打开。
#
# `nn.LSTM(input_size, hidden_size)` 就是这个循环，做成了一个层：它一次接收所有的时间步，`x` 的形状是 [行数, 时间步数,
# input_size]；给出每一步的 `h`，以及最后的 `h` 和 `c`。
#
# ## 9. 练习：`open_gate`
#
# 四块各有自己的偏置。`lstm.bias_ih_l0` 里四块都有，依次是 `i`、`f`、`g`、`o`，每块有 `lstm.hidden_size` 个数（不论是
# 多少）。请把数 `start` 放进遗忘门的那一块，其余的都保持原样。这个参数必须还是同一个对象，因为优化器
# 可能已经拿着它了，而且要继续训练它：请原地修改（见第 2 课）。什么也不用返回。


# %% exercise="open_gate"
def open_gate(lstm, start):
    """Put start into the bias of the forget gate. | 把 start 放进遗忘门的偏置。"""
    size = lstm.hidden_size  # answer
    with paddle.no_grad():  # answer
        lstm.bias_ih_l0[size : 2 * size] = start  # answer


# %% [markdown] wrong="input_gate"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[:size] = start

# %% [markdown] wrong="third_block"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[2 * size : 3 * size] = start

# %% [markdown] wrong="all_gates"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[:] = start

# %% [markdown] wrong="added"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[size : 2 * size] += start

# %% [markdown] wrong="one_number"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[1] = start

# %% [markdown] wrong="size_of_eight"
# - size = lstm.hidden_size
# + size = 8

# %% [markdown] wrong="both_biases"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[size : 2 * size] = start; lstm.bias_hh_l0[size : 2 * size] = start

# %% [markdown] wrong="frozen"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0.stop_gradient = True; lstm.bias_ih_l0[size : 2 * size] = start

# %% [markdown] wrong="other_bias"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_hh_l0[size : 2 * size] = start

# %% [markdown] wrong="rest_is_zero"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[:] = 0.0; lstm.bias_ih_l0[size : 2 * size] = start

# %% [markdown] wrong="other_places"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[size:] = start

# %% [markdown] wrong="other_places"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[size + 1 : 2 * size] = start

# %% [markdown] wrong="other_places"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0[3 * size :] = start

# %% [markdown] wrong="no_parameter"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0 = paddle.zeros([4 * size])

# %% [markdown] wrong="recorded"
# - with paddle.no_grad():
# + if True:

# %% [markdown] wrong="no_parameter"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + bias = lstm.bias_ih_l0.clone(); bias[size : 2 * size] = start; lstm.bias_ih_l0 = bias

# %% [markdown] wrong="replaced"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + lstm.bias_ih_l0 = lstm.create_parameter([4 * size])

# %% [markdown] wrong="not_changed"
# - lstm.bias_ih_l0[size : 2 * size] = start
# + bias = lstm.bias_ih_l0.clone(); bias[size : 2 * size] = start

# %%
lesson.open_gate.check(open_gate)

# %% [markdown] lang="en"
# ## 10. Remember the first of twenty
#
# A task for memory alone: the net reads twenty numbers, each of them 1 or −1, drawn at random, and then has to
# repeat the *first* one. Whoever always answers 0 has a loss of 1. Three nets of the same size try: a simple
# recurrent net (`nn.SimpleRNN`, the one of section 1 with vectors), an LSTM as it is made, and an LSTM whose
# forget gates you have opened, with a bias of 3. (The sigmoid of 3 is 0.95.) All train with Adam, and with
# gradients clipped to 1.

# %% [markdown] lang="zh"
# ## 10. 记住二十个里的第一个
#
# 一个只考记性的任务：网络依次读入二十个数，每个是 1 或 −1，随机产生；读完之后，要说出**第一个**。总是回答 0，损失
# 就是 1。三个同样大小的网络来试：一个简单的循环网络（`nn.SimpleRNN`，就是第 1 节的那个，换成了向量）；一个刚创建的
# LSTM；一个由你打开了遗忘门的 LSTM，偏置是 3。（3 的 sigmoid 是 0.95。）都用 Adam 训练，梯度裁剪到 1。

# %%
lesson.who_learns.ask()


# %%
def remember(kind, start=None):
    """Train a net to repeat the first number of twenty. | 训练网络说出二十个数里的第一个。"""
    paddle.seed(1)
    rng = np.random.default_rng(1)
    net, last = kind(1, 8), nn.Linear(8, 1)
    if start is not None:
        open_gate(net, start)
    parameters, clip = net.parameters() + last.parameters(), nn.ClipGradByGlobalNorm(1.0)
    adam = paddle.optimizer.Adam(0.02, parameters=parameters, grad_clip=clip)
    losses = []
    for turn in range(120):
        numbers = rng.choice([-1.0, 1.0], (32, 20, 1)).astype("float32")
        x = paddle.to_tensor(numbers, stop_gradient=False)
        states, _ = net(x)
        loss = F.mse_loss(last(states[:, -1]), x[:, 0].detach())
        loss.backward()
        if turn == 0:
            by_turn = paddle.abs(x.grad).mean(axis=[0, 2]).numpy()
        adam.step()
        adam.clear_grad()
        losses.append(float(loss))
    print(kind.__name__, start or "")
    print("    x.grad, t = 0, 5, 10, 15, 19:", *(f"{by_turn[t]:.0e}" for t in [0, 5, 10, 15, 19]))
    print(
        "    losses: |     损失：",
        *(f"{np.mean(losses[k : k + 20]):.2f}" for k in range(0, 120, 20)),
    )
    return losses


simple = remember(nn.SimpleRNN)
closed = remember(nn.LSTM)
opened = remember(nn.LSTM, 3.0)
lesson.who_learns.compare()

# %% [markdown] lang="en"
# For each net the first line says how large the gradients of the inputs are in the first round: how much the
# loss would change if a number were a little larger that was read at t = 0, 5, 10, 15, 19. The second line has
# the mean losses of twenty rounds each.
#
# The simple net and the closed LSTM see what was read last. What was read first, which is the whole task, moves
# the loss of the LSTM hundreds of times less, and that of the simple net millions of times less. Both learn to
# answer 0. The opened LSTM, *before it has learnt anything*, sees the first number as well as the last one,
# and it learns the task. (As long as `open_gate` is not written, the third net is the second.)
#
# How well an LSTM remembers before it has learnt anything depends on this one number. Nets that read long
# sequences today mostly use attention (lesson 12): it has direct wires between places, and no way through time.
#
# ## What you can do now
#
# | you see | you think of |
# |---|---|
# | a gradient that shrinks from turn to turn | the factor of one turn: weight times slope, below 1 |
# | one that grows from turn to turn; a loss that leaps | a factor above 1; clip by the global norm |
# | steps that all have the same length | every gradient is clipped: a larger limit, or a smaller rate |
# | an LSTM that answers with the mean | its forget gates are closed: a bias of 1 to 3 |
#
# Beyond the table:
#
# - You can do backpropagation through time by hand.
# - You can read a folded loop: one frame, one turn open.
# - You can say what an LSTM's cell state changes, and what it does not.
#
# In section 3 the gradients were asked for with `paddle.grad`, and not with `backward()`. It can do more: what
# it gives can be differentiated again. See lesson 16, `16_gradients_of_gradients.ipynb`.

# %% [markdown] lang="zh"
# 每个网络的第一行，是第一轮里各个输入的梯度有多大：在 t = 0、5、10、15、19 读入的数要是大一点点，损失会变多少。第二行
# 是每二十轮的平均损失。
#
# 简单的网络和没有打开门的 LSTM，看得到的是最后读入的；而最先读入的，也就是整个任务，在 LSTM 里对损失的影响只有几百
# 分之一，在简单的网络里只有几百万分之一，甚至更少。它们学会的是回答 0。打开了门的 LSTM，**还什么都没有学**，第一个数就看得和最后一个
# 一样清楚；这个任务它学得会。
# （`open_gate` 还没有写的时候，第三个网络就是第二个。）
#
# 一个还没有学过的 LSTM 记性如何，就看这一个数。今天读长序列的网络，大多用注意力（见第 12 课）：各个位置之间有直接的
# 连线，不用沿着时间走。
#
# ## 现在你会了
#
# | 看到 | 就想到 |
# |---|---|
# | 梯度一步比一步小 | 一步的因子：权重乘以斜率，小于 1 |
# | 梯度一步比一步大；损失突然跳起来 | 因子大于 1；按全局范数裁剪 |
# | 每一步都一样长 | 每个梯度都被裁剪了：上限大一些，或学习率小一些 |
# | LSTM 总是回答均值 | 遗忘门没有打开：偏置取 1 到 3 |
#
# 表格之外：
#
# - 能自己动手做沿时间的反向传播。
# - 能读折叠的循环：一个方框，展开一步。
# - 能说出 LSTM 的细胞状态改变了什么，没有改变什么。
#
# 第 3 节求梯度用的不是 `backward()`，而是 `paddle.grad`。它还有别的本事：它给出的梯度，还能再求梯度。见第 16 课
# `16_gradients_of_gradients.ipynb`。
