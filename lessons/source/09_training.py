# %% [markdown] lang="en"
# # Lesson 9: A training loop, round by round
#
# Training is four lines that run again and again. Each line is easy; what they do together, after
# a hundred rounds, often is not. This lesson looks at loops so small that every number can be
# followed, turns the learning rate while watching, puts SGD beside Adam, and then breaks the loop
# in the ways in which loops break, so that you know each fault by the look of its curve.
#
# It takes about 45 minutes. You need lesson 2 (leaves and changes in place), from lesson 4 that
# gradients accumulate until somebody clears them, and from lesson 7 how a player leads to its problems.

# %% [markdown] lang="zh"
# # 第 9 课：训练循环，一轮一轮地看
#
# 训练就是四行代码反复运行。每一行都不难；可是一百轮之后，合起来成了什么样，往往就难说了。这一课里的
# 循环都很小，每个数都能跟着走：一边看，一边改学习率；把 SGD 和 Adam 放在一起比；然后按循环常出的毛病，
# 一样一样把它弄坏，好让你以后看一眼曲线的样子，就认得出是什么毛病。
#
# 全程大约 45 分钟。需要第 2 课的叶子 Tensor 和原地修改，第 4 课讲的梯度会一直累加，直到有人把它清空，以及第 7 课
# 讲的：播放器怎样通到出问题的地方。

# %%
import minipaddle as paddle
import viz
from minipaddle import exercises, nn
from minipaddle.nn import functional as F

lesson = exercises.load("09_training", lang="en | zh")
viz.set_lang("en | zh")

# %% [markdown] lang="en"
# ## 1. One weight, four lines
#
# The smallest training there is: one weight `w`, which starts at 0 and should become 3. The loss is
# the square of the distance, `(w - target)` times itself, so its gradient is `2 * (w - target)`.
#
# An **optimizer** is given the parameters once. Its `step()` changes each of them in place, by its
# gradient; the simplest one, SGD (stochastic gradient descent), does `w = w - learning_rate * w.grad`.
# Its `clear_grad()` empties the gradients again. Work out the first round.

# %% [markdown] lang="zh"
# ## 1. 一个权重，四行代码
#
# 最小的训练：只有一个权重 `w`，从 0 开始，应该变成 3。损失是距离的平方，即 `(w - target)` 自乘，所以它的
# 梯度是 `2 * (w - target)`。
#
# **优化器**一开始就拿到全部参数。它的 `step()` 按梯度原地修改每个参数；最简单的是 SGD（随机梯度下降），做
# 的就是 `w = w - learning_rate * w.grad`。它的 `clear_grad()` 再把梯度清空。先算一算第一轮。

# %%
lesson.first_step.ask()

# %%
w = paddle.to_tensor(0.0, stop_gradient=False)
target = paddle.to_tensor(3.0)
sgd = paddle.optimizer.SGD(learning_rate=0.1, parameters=[w])

with viz.record() as down:
    for turn in range(12):
        loss = paddle.square(w - target)
        loss.backward()
        sgd.step()
        sgd.clear_grad()

print("the losses: | 各轮的损失：", [round(each.loss, 2) for each in down.rounds])
lesson.first_step.compare()

# %%
down

# %% [markdown] lang="en"
# Twelve turns of the loop, and one picture: where an optimizer steps, the player finds the **rounds** by
# itself. (The loop of lesson 8 had no optimizer; there `viz.rounds` settled it.) The row with the curve
# is a second slider. Each dot is a round, and its height is the loss. Go to the last step of round 1,
# `SGD updates w`, where the numbers stand below the code: 0 − 0.1 × (−6) = 0.6. Now press `]`, which
# leads to *the same step of the next round*, and `[`, which leads back. Watch `w` while you do. Press v:
# the boxes show their numbers too, and in each step the numbers move along the wires.
#
# `w` was 3 away from the target, then 2.4, then 1.92: each round leaves 0.8 of the distance. This number
# is worth keeping. The gradient is 2 × the distance, and the step takes 0.1 of that away, so
# 1 − 2 × 0.1 = 0.8 remains. The steps become smaller by themselves, since the gradient does.
#
# Take the steps yourself: at the first step of round 1, double-click the 0.00 of `w`. The page draws the
# loss over `w` as a curve, and the gradient as a straight line, its tangent. Press the button “One step
# downhill (−lr · grad)” a few times. It goes 0.6, then 0.48, ... down the curve, as the rounds did, each
# step shorter than the one before. The key r puts everything back.
#
# In code, `down.rounds` has what is known of each round, and `down.round(3)` is round 4 alone (one counts
# from 0), as a recording of its own.
#
# ## 2. Exercise: `train_rounds`
#
# Write the loop yourself. `loss_of()` computes the loss anew each time; `optimizer` is any optimizer.
# Train for `count` rounds, and return a list with the loss of each round, as plain numbers
# (`float(loss)`), each as it was *before* the step of its round.

# %% [markdown] lang="zh"
# 循环转了十二次，图却只有一张：循环里有优化器的 step，播放器自己就认出了这些**轮**。（第 8 课的循环里没有优化器，那里由 `viz.rounds` 来确定。）带曲线的那一行是第二个滑块。每个点是一轮，高度
# 是损失。走到第 1 轮的最后一步 `SGD updates w`（SGD 更新 w），代码下面写着算式：0 − 0.1 × (−6) = 0.6。
# 现在按 `]`，到的是**下一轮的同一步**；按 `[` 就回来。一边按，一边看 `w`。按 v，方框里也会显示
# 数值，每一步的数值沿着连线移动。
#
# `w` 离目标先是 3，然后 2.4，然后 1.92：每一轮之后，剩下的是原来距离的 0.8。这个数值得记住。梯度是距
# 离的 2 倍，这一步去掉它的 0.1，所以剩下 1 − 2 × 0.1 = 0.8。梯度变小了，步子自然也就变小了。
#
# 你也可以自己来走：在第 1 轮的第一步，双击 `w` 的 0.00。页面会画出损失随 `w` 变化的曲线，梯度则是一条直线，
# 即曲线的切线。按几次“下坡一步（−lr · grad）”：先走 0.6，再走 0.48……沿着曲线往下，和各轮走的一样，一步比一步
# 短。按 r，一切复原。
#
# 在代码里，每一轮的情况都在 `down.rounds` 里；`down.round(3)` 单独是第 4 轮（从 0 数起），也是一份完整的
# 记录。
#
# ## 2. 练习：`train_rounds`
#
# 自己写这个循环。`loss_of()` 每次调用都重新计算损失；`optimizer` 可以是任何优化器。请训练 `count` 轮，返回
# 一个列表，里面是每一轮的损失，用普通的数（`float(loss)`），而且是这一轮的 step **之前**的损失。


# %% exercise="train_rounds"
def train_rounds(loss_of, optimizer, count):
    """Train for so many rounds; return the losses as numbers. | 训练这么多轮；返回各轮的损失。"""
    losses = []  # answer
    for _ in range(count):  # answer
        loss = loss_of()  # answer
        loss.backward()  # answer
        optimizer.step()  # answer
        optimizer.clear_grad()  # answer
        losses.append(float(loss))  # answer
    return losses  # answer


# %% [markdown] wrong="forgot_clear"
# - optimizer.clear_grad()

# %% [markdown] wrong="forgot_clear"
# - optimizer.clear_grad()
# - return losses
# + optimizer.clear_grad(); return losses

# %% [markdown] wrong="empty_steps"
# - loss.backward()
# + loss.backward(); optimizer.clear_grad()

# %% [markdown] wrong="computed_once"
# - loss = loss_of()
# - losses = []
# + losses, loss = [], loss_of()

# %% [markdown] wrong="empty_steps"
# - loss.backward()
# + optimizer.step(); loss.backward()
# - optimizer.step()

# %% [markdown] wrong="forgot_step"
# - optimizer.step()

# %% [markdown] wrong="forgot_backward"
# - loss.backward()

# %% [markdown] wrong="looked_after"
# - losses.append(float(loss))
# + losses.append(float(loss_of()))

# %% [markdown] wrong="not_all_losses"
# - losses.append(float(loss))
# + losses.append(float(loss)); return losses

# %% [markdown] wrong="tensors"
# - losses.append(float(loss))
# + losses.append(loss)

# %% [markdown] wrong="not_all_losses"
# - return losses

# %%
lesson.train_rounds.check(train_rounds)

# %% [markdown] lang="en"
# ## 3. The learning rate
#
# Too small a learning rate, and nothing seems to happen; so why not a large one? In the loop above, the
# step from 0 to 0.6 could be ten times as long. You have the number that answers this: each round leaves
# 1 − 2 × `lr` of the distance (`lr` is the learning rate).

# %% [markdown] lang="zh"
# ## 3. 学习率
#
# 学习率太小，好像什么都没有发生；那为什么不取大一些呢？上面的循环里，从 0 到 0.6 的那一步，放大到十倍也
# 可以。能回答这个问题的数，你已经有了：每一轮之后，剩下原来距离的 1 − 2 × `lr`（`lr` 是学习率）。

# %%
lesson.rate_one.ask()

# %% [markdown] lang="en"
# Try it in the player above. At the step `SGD updates w`, double-click the 0.10 under “learning rate”,
# type another one, and press Enter: the whole training runs again, in the page. The curve as it was
# recorded stays behind the new one, dashed. A field with the number has opened; there you type the next
# one. Take these four, and look at the curve *and*, with `]`, at `w`:
#
# - **0.5**: there in a single round. 1 − 2 × 0.5 is 0.
# - **0.9**: no second curve is to be seen. It lies right over the first, and yet `w` does something
#   quite different.
# - **1**: your prediction.
# - **1.1**: the opposite of learning. Each round leaves −1.2 of the distance.
#
# The key r puts everything back. The next cell computes the same in code.

# %% [markdown] lang="zh"
# 在上面的播放器里试一试。走到 `SGD updates w` 那一步，双击“学习率”下面的 0.10，输入别的数，按 Enter：整个
# 训练就在页面里重新跑一遍。录制时的曲线留在新曲线后面，是虚线。数的位置上打开了一个输入框，下一个数就填在那里。依次试这四个，看曲线，**也**用 `]` 看看
# `w`：
#
# - **0.5**：一轮就到了。1 − 2 × 0.5 是 0。
# - **0.9**：看不到第二条曲线。它和第一条重合，然而 `w` 的走法大不一样。
# - **1**：你的预测。
# - **1.1**：和学习正好相反。每一轮之后，剩下原来距离的 −1.2。
#
# 按 r，一切复原。下一个单元格用代码计算同样的东西。

# %%
for lr in [0.1, 0.5, 0.9, 1.0, 1.1]:
    changed = down.what_if({"lr": lr})
    print(lr, [round(each.loss, 2) for each in changed.rounds[:6]])
lesson.rate_one.compare()

# %% [markdown] lang="en"
# `what_if` runs a recording again with other numbers, and `viz.diff` lays two recordings over each other
# and says where they part. Here is the loop with 0.1 beside the one with 0.9, whose losses are the same.

# %% [markdown] lang="zh"
# `what_if` 用别的数把一份记录重新跑一遍，`viz.diff` 则把两份记录叠在一起，指出它们从哪里开始不同。下面是
# 0.1 的循环和 0.9 的循环，它们的损失是一样的。

# %%
viz.diff(down, down.what_if({"lr": 0.9}))

# %% [markdown] lang="en"
# The box where they part is drawn in red, and the lines below the picture say which number it is: at the
# end of round 1 `w` becomes 5.4 in place of 0.6. The one is 2.4 below the target, the other 2.4 above it. With 0.9, `w` jumps from one side to the other in every
# round, and a curve of losses alone never shows that. **The loss says how far, not where.** When a curve
# looks odd, look at a weight.
#
# With 1 it jumps just as far as it came, and the loss stands at 9 for ever. The recordings can tell:

# %% [markdown] lang="zh"
# 从哪个方框开始不同，那个方框就是红色的；图下面的文字说出了是哪个数：第 1 轮结束时，`w` 变成了 5.4，而不
# 是 0.6。一个比目标小 2.4，一个比目标大 2.4。
# 学习率是 0.9 时，`w` 每一轮都从一边跳到另一边，而光看损失的曲线，永远看不出来。**损失说的是多远，不是
# 在哪里。** 曲线的样子奇怪时，去看一个权重。
#
# 学习率是 1 时，来多远就跳过去多远，损失永远停在 9。记录自己就说得出来：

# %%
for problem in down.what_if({"lr": 1.0}).problems():
    print(problem.kind)
    print(problem.text.of("en | zh"))
    print(problem.todo.of("en | zh"))

# %% [markdown] lang="en"
# `trace.problems()`, which led to a NaN in lesson 7, knows the faults of training too, as far as the
# records prove them. A problem has a name, a sentence that says what was seen, and
# one that says what to do. Here the loss stands still, though the weight moves in every round, and each
# gradient points the opposite way to the one before it. So the records prove the cause as well: the jumps.
#
# ## 4. SGD beside Adam
#
# One weight has one best learning rate, here 0.5. A network has millions, and they disagree. Take two:
# along `w[0]` the loss is steep, along `w[1]` it is a hundred times flatter. It is smallest where both are 0.

# %% [markdown] lang="zh"
# `trace.problems()` 在第 7 课找到过 NaN，训练的毛病它也认得，只说记录能证明的。每个
# 问题有一个名字，一句话说看到了什么，一句话说怎么办。这里损失不动，而权重每一轮都在动，每个梯度的方向都和
# 前一个相反。所以连原因也证明了：它在来回跳。
#
# ## 4. SGD 和 Adam
#
# 一个权重有一个最好的学习率，这里是 0.5。一个网络有几百万个权重，它们各有各的要求。就拿两个来说：沿着
# `w[0]`，损失很陡；沿着 `w[1]`，平缓一百倍。两个都是 0 时，损失最小。


# %%
def bowl(kind, lr):
    """Train two weights of different steepness; give back the recording. | 训练陡缓不同的两个权重。"""
    w = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
    steep = paddle.to_tensor([10.0, 0.1])
    optimizer = kind(learning_rate=lr, parameters=[w])
    with viz.record() as trace:
        for turn in range(20):
            loss = (steep * paddle.square(w)).sum()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
    print("w:", w.numpy().round(2), " loss: | 损失：", round(trace.rounds[-1].loss, 2))
    return trace


by_sgd = bowl(paddle.optimizer.SGD, 0.09)
by_sgd

# %% [markdown] lang="en"
# After 20 rounds the steep weight has all but arrived at 0, and the flat one has not come a third of its way. Take a
# larger rate in the player, 0.11: now the steep one is thrown out, and the loss grows. With 0.09 we are
# nearly at the limit of the steep weight, and the flat one has to live with it. The curve shows it as a
# fast fall with a long, nearly level end.
#
# A map shows why. Press r, go to the first step of round 1, double-click the first number of `w`, and then
# click the second one while you hold Shift (on a phone: tap it, then “Contours with the other one”). The
# lines are contours of the loss: they run along a deep valley. The dots are the rounds: they jump from one
# side of the valley to the other, and hardly move along it.
#
# **Adam** gives each weight a step length of its own. For each one it keeps two running averages: `m` of
# its gradients, and `v` of their squares. (They start at 0, and Adam makes up for that; section 5 shows
# how.) Then it steps by `lr` × `m` / √`v`. The root of the mean square is the usual size of the gradient:
# what is divided by it has the size 1, whether the gradients are large or small. What does that make of the
# very first step, when there has been one gradient only?

# %% [markdown] lang="zh"
# 20 轮之后，陡的那个权重差不多已经到了 0，缓的那个走了还不到三分之一的路。在播放器里取一个更大的学习率 0.11：
# 陡的那个马上被甩了出去，损失越来越大。0.09 已经接近陡的权重的极限，缓的那个只好跟着它走。在曲线上，这
# 就是先快速下降，然后拖一条几乎水平的长尾。
#
# 看一张地图就明白了。按 r，回到第 1 轮的第一步，双击 `w` 的第一个数，再按住 Shift 点第二个数（在手机上：点它，
# 再点“与另一个数的等高线”）。图里的线是损失的等高线，它们顺着一条深谷延伸。圆点是各轮：它们在谷的两壁之间跳
# 来跳去，顺着谷却几乎不动。
#
# **Adam** 让每个权重各有自己的步长。它为每个权重记着两个滑动平均：梯度的 `m`，和梯度平方的 `v`。（两者都从
# 0 开始，Adam 会把这一点补回来，怎么补见第 5 节。）然后每步走 `lr` × `m` / √`v`。平方的均值再开方，就是梯度平时
# 的大小：除以它之后，大小就是 1，不管梯度原来是大是小。那么，最开始的第一步，才有过一个梯度，会怎样？

# %%
lesson.adam_first.ask()

# %%
by_adam = bowl(paddle.optimizer.Adam, 0.1)
lesson.adam_first.compare()

# %%
viz.diff(by_sgd, by_adam)

# %% [markdown] lang="en"
# They part at the first update: SGD brought `w[0]` from 1 to −0.8, Adam to 0.9. For all the numbers of this
# step, go to the end of round 1 in the two players, the one above and the one below. The gradients are 20
# and 0.2. SGD went 1.8 along the one and 0.018 along the other; Adam went 0.1 along both. It stayed that way:
# in the end both weights are at the same place, −0.27, although one direction is a hundred times as steep.
#
# At the same place, but beyond the target. `m` remembers the earlier gradients, and they carry `w` past 0:
# in the next player the curve falls to nearly 0 and then rises again. Adam's learning rate is, roughly,
# *how far a weight goes in a round*, so it is chosen by other rules than SGD's. Step through the rounds
# around the minimum, and try 0.05 and 0.3 for the rate.

# %% [markdown] lang="zh"
# 两者从第一次更新就分开了：SGD 把 `w[0]` 从 1 带到了 −0.8，Adam 带到了 0.9。要看这一步的全部数字，就在上
# 下两个播放器里各走到第 1 轮的最后。梯度是 20 和 0.2。SGD 沿着一个走了 1.8，沿着另一个只走了 0.018；Adam
# 沿着两个都走了 0.1。后来也是这样：最后两个权重在同一个地方，−0.27，虽然一个方向比另一个陡一百倍。
#
# 在同一个地方，却过了目标。`m` 记着先前的梯度，它们带着 `w` 越过了 0：在下面的播放器里，曲线先降到几乎
# 是 0，又升了上来。Adam 的学习率，大致就是**一个权重一轮走多远**，所以它的选法和 SGD 的不一样。请一步步
# 走过最低点附近的几轮，再把学习率改成 0.05 和 0.3 试试。

# %%
by_adam

# %% [markdown] lang="en"
# ## 5. Exercise: `adam_step`
#
# Write one step of Adam. In each round `t` (counted from 1):
#
# 1. `m` becomes 0.9 of the old `m` plus 0.1 of the gradient;
# 2. `v` becomes 0.999 of the old `v` plus 0.001 of the gradient's square;
# 3. both started at 0 and are too small at first; so for the step alone take `m_hat`, which is `m` divided by
#    $1 - 0.9^t$, and `v_hat`, which is `v` divided by $1 - 0.999^t$;
# 4. the new `w` is `w - lr * m_hat / (paddle.sqrt(v_hat) + 1e-8)`. The tiny number keeps us from dividing by 0.
#
# Return the new `w`, `m` and `v`.

# %% [markdown] lang="zh"
# ## 5. 练习：`adam_step`
#
# 写出 Adam 的一步。在第 `t` 轮（从 1 数起）：
#
# 1. `m` 变成旧的 `m` 的 0.9，加上梯度的 0.1；
# 2. `v` 变成旧的 `v` 的 0.999，加上梯度平方的 0.001；
# 3. 两者都从 0 开始，起初偏小；所以，仅仅为了这一步，改用 `m_hat` 和 `v_hat`：`m` 除以 $1 - 0.9^t$，`v` 除以
#    $1 - 0.999^t$；
# 4. 新的 `w` 是 `w - lr * m_hat / (paddle.sqrt(v_hat) + 1e-8)`。那个很小的数是为了避免除以 0。
#
# 返回新的 `w`、`m` 和 `v`。


# %% exercise="adam_step"
def adam_step(w, grad, m, v, t, lr):
    """Return the new w, m and v. | 返回新的 w、m 和 v。"""
    m = 0.9 * m + 0.1 * grad  # answer
    v = 0.999 * v + 0.001 * grad * grad  # answer
    m_hat = m / (1 - 0.9**t)  # answer
    v_hat = v / (1 - 0.999**t)  # answer
    w = w - lr * m_hat / (paddle.sqrt(v_hat) + 1e-8)  # answer
    return w, m, v  # answer


# %% [markdown] wrong="no_correction"
# - m_hat = m / (1 - 0.9**t)
# + m_hat = m
# - v_hat = v / (1 - 0.999**t)
# + v_hat = v

# %% [markdown] wrong="no_root"
# - w = w - lr * m_hat / (paddle.sqrt(v_hat) + 1e-8)
# + w = w - lr * m_hat / (v_hat + 1e-8)

# %% [markdown] wrong="not_squared"
# - v = 0.999 * v + 0.001 * grad * grad
# + v = 0.999 * v + 0.001 * grad

# %% [markdown] wrong="power_of_all"
# - m_hat = m / (1 - 0.9**t)
# + m_hat = m / (1 - 0.9) ** t
# - v_hat = v / (1 - 0.999**t)
# + v_hat = v / (1 - 0.999) ** t

# %% [markdown] wrong="no_parentheses"
# - m_hat = m / (1 - 0.9**t)
# + m_hat = m / 1 - 0.9**t
# - v_hat = v / (1 - 0.999**t)
# + v_hat = v / 1 - 0.999**t

# %% [markdown] wrong="epsilon_inside"
# - w = w - lr * m_hat / (paddle.sqrt(v_hat) + 1e-8)
# + w = w - lr * m_hat / paddle.sqrt(v_hat + 1e-8)

# %% [markdown] wrong="swapped"
# - m = 0.9 * m + 0.1 * grad
# + m = 0.1 * m + 0.9 * grad

# %% [markdown] wrong="uphill"
# - w = w - lr * m_hat / (paddle.sqrt(v_hat) + 1e-8)
# + w = w + lr * m_hat / (paddle.sqrt(v_hat) + 1e-8)

# %% [markdown] wrong="kept_corrected"
# - return w, m, v
# + return w, m_hat, v_hat

# %% [markdown] wrong="grad_in_place_of_m"
# - w = w - lr * m_hat / (paddle.sqrt(v_hat) + 1e-8)
# + w = w - lr * grad / (paddle.sqrt(v_hat) + 1e-8)

# %% [markdown] wrong="w_alone"
# - return w, m, v
# + return w

# %%
lesson.adam_step.check(adam_step)

# %% [markdown] lang="en"
# ## 6. What goes wrong: gradients of yesterday
#
# Back to the one weight and SGD, where everything can be worked out. Now the line with `clear_grad()` is
# missing. You know from lesson 4 what happens to `.grad`. What becomes of the training?

# %% [markdown] lang="zh"
# ## 6. 出错的样子：昨天的梯度
#
# 回到一个权重和 SGD，那里什么都算得出来。现在少了 `clear_grad()` 那一行。`.grad` 会怎样，第 4 课已经讲
# 过。那么，训练会变成什么样？

# %%
lesson.not_cleared.ask()

# %%
w = paddle.to_tensor(0.0, stop_gradient=False)
sgd = paddle.optimizer.SGD(learning_rate=0.1, parameters=[w])

with viz.record() as swinging:
    for turn in range(24):
        loss = paddle.square(w - target)
        loss.backward()
        sgd.step()

print("the losses: | 各轮的损失：", [round(each.loss, 1) for each in swinging.rounds])
lesson.not_cleared.compare()

# %%
swinging

# %% [markdown] lang="en"
# The loss falls, faster even than before, reaches nearly 0, and then climbs back to where it came from. And again.
# `w` swings like a ball in a bowl without friction: on the way down every gradient adds to its speed, and
# at the bottom, where the new gradient is 0, the sum of the old ones carries it on.
#
# Press p: the problem that is told leads to the box `+=` in round 2. Read the sum there: the −6 of round
# 1 is still in it, although the weight has moved since. **A wave in the curve: look whether the gradients
# are cleared.**
#
# ## 7. Gradients that do not arrive
#
# Now a real network on 32 points: `y` is a linear function of the two columns of `x`. A layer
# `nn.Linear(2, 4)` has a matrix of weights and a bias for parameters, and makes 4 columns of 2:
# `x @ weight + bias`. The network has four such layers, which start with very small weights in one run and
# with Paddle's usual ones in the other. The loss `F.mse_loss` is the mean of the squared errors.

# %% [markdown] lang="zh"
# 损失下降，甚至比以前还快，降到几乎是 0，然后又爬回原来的高度。周而复始。`w` 像一只没有摩擦的碗里的小
# 球：往下走时，每个梯度都给它加一点速度；到了碗底，新的梯度是 0，旧梯度之和却带着它继续往前。
#
# 按 p：列出的问题通到第 2 轮的方框 `+=`。读一读那里的加法：第 1 轮的 −6 还在里面，虽然权重早已动过了。
# **曲线起波浪：看看梯度清空了没有。**
#
# ## 7. 到不了的梯度
#
# 现在是一个真正的网络，数据是 32 个点：`y` 是 `x` 的两列的一次函数。层 `nn.Linear(2, 4)` 的参数是一个权重矩阵和一个偏置；
# 它由 2 列算出 4 列：`x @ weight + bias`。网络有四个这样的层；一次运行从很小的权重开始，另一次用
# Paddle 通常的初始值。损失 `F.mse_loss` 是误差平方的均值。

# %%
paddle.seed(7)
x = paddle.randn([32, 2])
y = 2 * x[:, :1] - x[:, 1:] + 1.5


def four_layers(weights=None):
    """Train four layers for 15 rounds; give back the recording. | 把四层网络训练 15 轮。"""
    paddle.seed(7)
    sizes = [(2, 4), (4, 4), (4, 4), (4, 1)]
    layers = [nn.Linear(fan_in, fan_out, weights) for fan_in, fan_out in sizes]
    first, second, third, last = layers
    parameters = [parameter for layer in layers for parameter in layer.parameters()]
    optimizer = paddle.optimizer.SGD(learning_rate=0.1, parameters=parameters)
    with viz.record() as trace:
        for turn in range(15):
            a = paddle.tanh(first(x))
            b = paddle.tanh(second(a))
            c = paddle.tanh(third(b))
            loss = F.mse_loss(last(c), y)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
    return trace


usual = four_layers()
faint = four_layers(nn.initializer.Normal(0.0, 0.01))
for trace in [usual, faint]:
    print("the losses: | 各轮的损失：", [round(each.loss, 1) for each in trace.rounds])
    for size in trace.rounds[0].sizes:
        if size.name.endswith("weight"):
            print("   ", size.name, f"{size.grad:.6f}")

# %%
faint

# %% [markdown] lang="en"
# The printed lines are the sizes of the gradients in round 1, from the first layer to the last (a size is
# the root of the mean square). With the usual weights they are about equally large. With the small ones, even the
# largest is less than a ten-thousandth of that: the gradient has **vanished**. Each layer multiplies what
# comes back to it by its weights, and after three times about 0.01 not much is left. The last layer fares no
# better, for another reason: on the way forward the numbers shrink in the same manner, and its weight
# learns only as far as something comes in (its gradient is `c` times what comes back).
#
# The curve falls a little and then lies down, far too high. What still learns is the last bias: the network
# answers nearly the same for every point. In the player choose “Colour: gradient” at the lower right: the boxes
# of the backward half grow pale towards the top. Press p for what the records say of it.
#
# A learning rate a thousand times larger would not help: the last bias would be thrown out at once (try 100
# in the player). The cure is to
# keep the size from layer to layer, above all by weights that start at a sensible size.
#
# ## 8. train() and eval()
#
# Some layers work differently while one trains. **Dropout** puts each number to 0 with some probability, so
# that the network relies on no single one, and makes the rest larger to make up for it. When the network is to show what it can do, that must stop:
# `net.eval()` switches all layers to evaluation, `net.train()` back. (`nn.Sequential` makes one network of
# several layers: each gets what the one before it gives.)

# %% [markdown] lang="zh"
# 打印出来的是第 1 轮各个梯度的大小，从第一层到最后一层（大小指平方的均值再开方）。用通常的权重时，它们
# 不相上下。用很小的权重时，连最大的也不到那时的万分之一：梯度**消失**了。每一层都把回来的梯度乘上自己的
# 权重，乘了三次 0.01 左右的数，就剩不下多少了。最后一层也没有好到哪里去，原因却不同：前向的数也这样越
# 来越小，而它的权重要有东西进来才能学（它的梯度是 `c` 乘以回来的梯度）。
#
# 曲线降了一点，就躺平了，位置还太高。仍在学习的，只有最后一个偏置：网络对每个点的回答几乎都一样。在播放器右
# 下方选“着色：梯度”：反向那一半的方框，越往上颜色越淡。按 p，看看记录怎么说。
#
# 把学习率放大一千倍也没有用：最后一个偏置马上就被甩出去了（可以在播放器里试试 100）。办法是让大小在各层之间保持不变，首先要让权重从
# 合适的大小开始。
#
# ## 8. train() 和 eval()
#
# 有些层在训练时的做法不一样。**Dropout** 以一定的概率把每个数变成 0，让网络不能只靠其中某一个，再把剩下的放大
# 一些作为补偿。要看网络的真本事时，就不能再这样：`net.eval()` 把所有的层都切换到评估，
# `net.train()` 再切换回来。（`nn.Sequential` 把几个层接成一个网络，前一个的输出交给后一个。）

# %%
lesson.switched.ask()

# %%
paddle.seed(1)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Dropout(0.5), nn.Linear(8, 1))
adam = paddle.optimizer.Adam(learning_rate=0.05, parameters=net.parameters())

net.eval()
print("before training: | 训练之前：", round(float(F.mse_loss(net(x), y)), 2))

with viz.record() as still_eval:
    for turn in range(6):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        adam.step()
        adam.clear_grad()

print("the losses: | 各轮的损失：", [round(each.loss, 2) for each in still_eval.rounds])
lesson.switched.compare()

# %%
still_eval

# %% [markdown] lang="en"
# The curve is beautiful, and that is the trouble: this fault cannot be seen in it. It can be
# seen in the picture: from Tanh 1 the wire leads straight to Linear 3 (the
# numbers are places in the `Sequential`, counted from 0). In training mode a box `dropout`
# stands between them. Press p; here the records know more than the curve.
#
# The other direction shows itself: whoever evaluates without `eval()` gets another loss each time.
#
# ## 9. Exercise: `evaluated`
#
# Return the loss of a network as a plain number, with all layers in evaluation mode and without recording
# anything for backward (`with paddle.no_grad():`), and leave the network in training mode. As in
# `train_rounds`, `loss_of()` runs `net` and computes the loss.

# %% [markdown] lang="zh"
# 曲线很漂亮，而麻烦正在这里：这个毛病在曲线上看不出来。在图上倒是看得出来：连线从 Tanh 1
# 直接通到了 Linear 3（数字是在 `Sequential` 里的位置，从 0 数起）。训练模式下，两者之间有一个方框 `dropout`。按 p；这一次，记录知道的比曲线多。
#
# 反过来的毛病自己会露出来：评估时没有 `eval()`，每次得到的损失都不一样。
#
# ## 9. 练习：`evaluated`
#
# 返回网络的损失，要一个普通的数：所有的层都处于评估模式，不为反向记录任何东西（`with paddle.no_grad():`），最
# 后让网络回到训练模式。和 `train_rounds` 里一样，`loss_of()` 会运行 `net`，算出损失。


# %% exercise="evaluated"
def evaluated(net, loss_of):
    """Return the loss as a number; the net trains on afterwards. | 返回损失；之后网络还要接着训练。"""
    net.eval()  # answer
    with paddle.no_grad():  # answer
        loss = loss_of()  # answer
    net.train()  # answer
    return float(loss)  # answer


# %% [markdown] wrong="still_training"
# - net.eval()

# %% [markdown] wrong="still_training"
# - net.eval()
# + net.eval

# %% [markdown] wrong="not_back"
# - net.train()

# %% [markdown] wrong="not_back"
# - loss = loss_of()
# + return float(loss_of())

# %% [markdown] wrong="recorded"
# - with paddle.no_grad():
# + if True:

# %% [markdown] wrong="a_tensor"
# - return float(loss)
# + return loss

# %% [markdown] wrong="no_return"
# - return float(loss)

# %%
lesson.evaluated.check(evaluated)

# %% [markdown] lang="en"
# ## 10. Exercise: `faults`
#
# Five runs of one small loop, each with another fault. Which run has which? You see the curves; the players let
# you look at everything else: the weights, the gradients, the learning rate, and what p says. The order was drawn by
# lot. Write a list of five numbers, for the runs `one` to `five`.
#
# | number | fault |
# |---|---|
# | 0 | the learning rate is too large |
# | 1 | the learning rate is too small |
# | 2 | the gradients are never cleared |
# | 3 | the optimizer has the parameters of another network |
# | 4 | the optimizer has the weight, but not the bias |

# %% [markdown] lang="zh"
# ## 10. 练习：`faults`
#
# 同一个小循环运行五次，每次的毛病不同。哪次是哪个毛病？曲线你看得到；别的也都可以在播放器里看：权重、梯度、学习率，以及 p 怎么
# 说。顺序是抽签决定的。请写一个由五个数字组成的列表，依次对应 `one` 到 `five` 这五次。
#
# | 数字 | 毛病 |
# |---|---|
# | 0 | 学习率太大 |
# | 1 | 学习率太小 |
# | 2 | 梯度从来没有清空 |
# | 3 | 优化器拿到的是另一个网络的参数 |
# | 4 | 优化器拿到了权重，却没有拿到偏置 |


# %%
def run_with(fault):
    """Train one layer with a fault; give back the recording. | 带着一个毛病训练一层网络。"""
    paddle.seed(7)
    net, other = nn.Linear(2, 1), nn.Linear(2, 1)
    lr = {0: 1.0, 1: 0.001}.get(fault, 0.1)
    given = {3: other.parameters(), 4: [net.weight]}.get(fault, net.parameters())
    sgd = paddle.optimizer.SGD(learning_rate=lr, parameters=given)
    with viz.record() as trace:
        for turn in range(25):
            loss = F.mse_loss(net(x), y)
            loss.backward()
            sgd.step()
            if fault != 2:
                sgd.clear_grad()
    return trace


paddle.seed(2026)
one, two, three, four, five = [run_with(fault) for fault in paddle.randperm(5).tolist()]

# %%
one

# %%
two

# %%
three

# %%
four

# %%
five

# %% exercise="faults"
faults = None  # five numbers, such as [0, 1, 2, 3, 4] | 五个数字，例如 [0, 1, 2, 3, 4]
faults = [2, 4, 1, 0, 3]  # answer

# %% [markdown] wrong="grows"
# - faults = [2, 4, 1, 0, 3]
# + faults = [0, 4, 1, 2, 3]

# %% [markdown] wrong="waves"
# - faults = [2, 4, 1, 0, 3]
# + faults = [4, 2, 1, 0, 3]

# %% [markdown] wrong="slow"
# - faults = [2, 4, 1, 0, 3]
# + faults = [2, 1, 4, 0, 3]

# %% [markdown] wrong="slow"
# - faults = [2, 4, 1, 0, 3]
# + faults = [2, 4, 3, 0, 1]

# %% [markdown] wrong="unlike"
# - faults = [2, 4, 1, 0, 3]
# + faults = [2, 4, 1, 0, 4]

# %% [markdown] wrong="from_one"
# - faults = [2, 4, 1, 0, 3]
# + faults = [3, 5, 2, 1, 4]

# %% [markdown] wrong="turned_round"
# - faults = [2, 4, 1, 0, 3]
# + faults = [3, 2, 0, 4, 1]

# %%
lesson.faults.check(faults)

# %% [markdown] lang="en"
# ## What you can do now
#
# | the curve | look at |
# |---|---|
# | grows, faster and faster | the learning rate: too large |
# | falls evenly, but very slowly | the learning rate: too small |
# | goes up and down in waves | whether `clear_grad()` is called |
# | does not move at all | whether the optimizer has *these* parameters; whether gradients arrive |
# | falls, then lies level too high | whether all parameters are in the optimizer; vanished gradients |
# | fast fall, long tail | directions of different steepness: try Adam |
# | beautiful | `train()` and `eval()`: a curve does not show everything |
#
# Beyond the table:
#
# - You can follow a training round by round, and one step through all rounds, with `[` and `]`.
# - You can say what SGD and what Adam do in a step, and what their learning rates mean.
# - You can change a learning rate afterwards, in the player or by `what_if`, and see where two runs part, by
#   `viz.diff`.
# - You can ask a recording with `trace.problems()`, and you know that a learning rate which is merely too small is
#   nothing that it tells: the loss does fall.
#
# `docs/gallery/faults.md` in the repository of minipaddle has a picture of every fault that is told.
#
# The same loop can also be written down once, as a whole, and then run by a single call: lesson 10,
# `10_programs.ipynb`.

# %% [markdown] lang="zh"
# ## 现在你会了
#
# | 曲线 | 去看 |
# |---|---|
# | 越升越快 | 学习率：太大 |
# | 一直在降，但是很慢 | 学习率：太小 |
# | 一起一伏，像波浪 | 有没有调用 `clear_grad()` |
# | 一动不动 | 优化器里是不是**这些**参数；梯度到了没有 |
# | 先降，然后停在太高的地方 | 参数是不是都在优化器里；梯度是不是消失了 |
# | 先快速下降，后面拖一条长尾 | 各个方向的陡缓不同：试试 Adam |
# | 很漂亮 | `train()` 和 `eval()`：曲线不是什么都看得出来 |
#
# 表格之外：
#
# - 能一轮一轮地看训练，也能用 `[` 和 `]`，在各轮之间看同一步。
# - 能说出 SGD 和 Adam 的一步各做什么，它们的学习率各是什么意思。
# - 能在播放器里或者用 `what_if` 事后修改学习率，再用 `viz.diff` 看两次运行从哪里开始不同。
# - 能用 `trace.problems()` 问一份记录；也知道，学习率只是太小的话，它不会说什么：损失毕竟在降。
#
# minipaddle 仓库里的 `docs/gallery/faults.md`，为每一种会列出的毛病都配了一幅图。
#
# 同样的循环，也可以先整个写下来，然后用一次调用来运行：见第 10 课 `10_programs.ipynb`。
