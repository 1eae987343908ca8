"""The exercises of lesson 9: a training loop, optimizers, and what goes wrong."""

import numpy as np

import minipaddle as paddle
from minipaddle import nn
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.trials import same
from minipaddle.nn import functional as F

TITLE = Text("A training loop, round by round", "训练循环，一轮一轮地看")
SOLVED = Text("../solutions/09_training.ipynb", "../solutions/zh/09_training.ipynb")


# ----- predictions -------------------------------------------------------------------------------

first_step = Prediction(
    "first_step",
    question=Text(
        "w is 0, the target is 3, the gradient is 2 * (w - target), the learning rate is 0.1. What"
        " is w after the first step?",
        "w 是 0，目标是 3，梯度是 2 * (w - target)，学习率是 0.1。走完第一步，w 是多少？",
    ),
    kind="number",
    truth=0.6,
    because=Text(
        "The gradient is −6: w would have to fall for the loss to grow. So w = 0 − 0.1 × (−6).",
        "梯度是 −6：要让损失增加，w 得减小。所以 w = 0 − 0.1 × (−6)。",
    ),
)

rate_one = Prediction(
    "rate_one",
    question=Text(
        "The loop of section 1, with the learning rate 1 in place of 0.1. What is the curve of the"
        " losses?",
        "第 1 节的循环，学习率不是 0.1，而是 1。损失会怎样？",
    ),
    choices=[
        Text("9, and then always 0", "一轮之后就是 0"),
        Text("a fall, ten times as fast", "下降，快十倍"),
        Text("a level line at 9", "一直是 9"),
        Text("a rise without end", "无限增大"),
    ],
    truth="a level line at 9",
    because=Text(
        "1 − 2 × 1 = −1 of the distance remains: w jumps from 0 to 6 and back to 0, and both are 3"
        " away from the target.",
        "剩下距离的 1 − 2 × 1 = −1：w 从 0 跳到 6，再跳回 0，两处离目标都是 3。",
    ),
)

adam_first = Prediction(
    "adam_first",
    question=Text(
        "At the start the gradient is 20 along w[0] and 0.2 along w[1]. SGD with the rate 0.1 would"
        " go 2 and 0.02. How far does Adam go along w[1] in its first step, with the rate 0.1?",
        "开始时，沿 w[0] 的梯度是 20，沿 w[1] 的是 0.2。学习率为 0.1 的 SGD 会走 2 和 0.02。学习率"
        "同样是 0.1，Adam 的第一步沿 w[1] 走多远？",
    ),
    kind="number",
    truth=0.1,
    because=Text(
        "After one gradient its usual size is its own size: 0.2 divided by 0.2 is 1, times 0.1. The"
        " same comes out along w[0], for 20 divided by 20 is 1, too.",
        "只有过一个梯度，“平时的大小”就是它自己的大小：0.2 除以 0.2 是 1，再乘以 0.1。沿 w[0] 也"
        "一样，因为 20 除以 20 也是 1。",
    ),
)

not_cleared = Prediction(
    "not_cleared",
    question=Text(
        "The loop of section 1 without clear_grad(): every step goes along the sum of all gradients"
        " so far. What is the curve of the losses?",
        "第 1 节的循环，去掉 clear_grad()：每一步走的都是迄今所有梯度之和。损失会怎样？",
    ),
    choices=[
        Text("a fall as before, only faster", "和以前一样下降，只是更快"),
        Text("a fall, a rise, and so on", "先降后升，如此往复"),
        Text("a rise from the first round on", "从第一轮起就一直增大"),
        Text("a level line", "停在原处不动"),
    ],
    truth="a fall, a rise, and so on",
    because=Text(
        "At the target the new gradient is 0, but the sum is not: w goes on to the other side,"
        " until the gradients from there have used the sum up.",
        "到了目标处，新的梯度是 0，总和却不是：w 继续走到另一边，直到那边的梯度把总和抵消。",
    ),
)

switched = Prediction(
    "switched",
    question=Text(
        "Somebody calls net.eval(), looks at the loss, and then trains, with loss.backward() and"
        " step() as usual. What does the dropout layer do during this training?",
        "有人调用了 net.eval()，看了看损失，然后照常用 loss.backward() 和 step() 训练。训练期间，"
        "dropout 层做什么？",
    ),
    choices=[
        Text("its work: backward switches it on again", "照常丢弃：反向会把它重新打开"),
        Text("nothing: it hands on what it gets", "把一切原样交出去"),
        Text("an error at backward()", "backward() 时报错"),
    ],
    truth="nothing: it hands on what it gets",
    because=Text(
        "Only train() switches back. Gradients flow in evaluation mode as well, so nothing"
        " complains.",
        "只有 train() 能切换回来。评估模式下梯度照样传递，所以谁也不会报错。",
    ),
)


# ----- train_rounds ------------------------------------------------------------------------------


def trained(loss_of, optimizer, count):
    """What exercise 1 asks for."""
    losses = []
    for _ in range(count):
        optimizer.clear_grad()
        loss = loss_of()
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses


def never_cleared(loss_of, optimizer, count):
    """The loop whose steps go along sums of gradients."""
    losses = []
    for _ in range(count):
        loss = loss_of()
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses


def without_gradients(loss_of, optimizer, count):
    """The loop whose gradients are empty whenever it steps."""
    losses = []
    for _ in range(count):
        loss = loss_of()
        loss.backward()
        optimizer.clear_grad()
        optimizer.step()
        losses.append(float(loss))
    return losses


def without_steps(loss_of, optimizer, count):
    """The loop that never changes a weight."""
    losses = []
    for _ in range(count):
        loss = loss_of()
        loss.backward()
        losses.append(float(loss))
    return losses


def without_backward(loss_of, optimizer, count):
    """The loop in which no gradient is made."""
    losses = []
    for _ in range(count):
        losses.append(float(loss_of()))
        optimizer.step()
    return losses


def seen_afterwards(loss_of, optimizer, count):
    """The loop that notes each loss after its step."""
    losses = []
    for _ in range(count):
        trained(loss_of, optimizer, 1)
        losses.append(float(loss_of()))
    return losses


def stopped_early(trial):
    """Whether the answer ran, but gave no losses, or one in place of several."""
    return trial.error is None and trial.came.get("losses", np.empty(0)).size < 2


def at_work(answer, w, steep, lr, count):
    """Train three weights; count the steps and the gradients that came."""
    w = paddle.to_tensor(w, stop_gradient=False)
    w.name = "w"
    steep = paddle.to_tensor(steep)
    came = {"steps": 0, "backward passes": 0}

    def note(grad):
        came["backward passes"] += 1

    class Counted(paddle.optimizer.SGD):
        def step(self):
            came["steps"] += 1
            super().step()

    w.register_hook(note)
    losses = answer(lambda: paddle.sum(steep * w * w), Counted(lr, parameters=[w]), count)
    plain = isinstance(losses, list) and all(isinstance(each, float) for each in losses)
    return {
        "w": w,
        "losses": None if losses is None else np.asarray([float(each) for each in losses]),
        "plain numbers in a list": None if losses is None else plain,
        **came,
    }


train_rounds = Exercise(
    "train_rounds",
    title=Text("The training loop", "训练循环"),
    check=checks.experiment(
        trained,
        inputs=lambda rng: {
            "w": np.round(rng.uniform(1, 2, 3), 1),
            "steep": np.round(rng.uniform(0.5, 2, 3), 1),
            "lr": round(float(rng.uniform(0.05, 0.15)), 2),
            "count": int(rng.integers(4, 7)),
        },
        use=at_work,
        zh={
            "plain numbers in a list": "是由普通的数组成的列表",
            "steps": "step() 的次数",
            "backward passes": "反向的次数",
        },
    ),
    hints=(
        Text(
            "Start with an empty list. In a loop over range(count): the four lines of section 1,"
            " and one that notes the loss.",
            "从一个空列表开始。用循环遍历 range(count)：第 1 节的四行，再加一行把损失记下来。",
        ),
        Text(
            "In the loop: loss = loss_of(), loss.backward(), optimizer.step(),"
            " optimizer.clear_grad(), and losses.append(float(loss)).",
            "循环里：loss = loss_of()、loss.backward()、optimizer.step()、optimizer.clear_grad()，"
            "还有 losses.append(float(loss))。",
        ),
        Text(
            "Before the loop losses = [], after it return losses, which stands as far to the left"
            " as for does.",
            "循环之前 losses = []；循环之后 return losses，它的缩进与 for 相同。",
        ),
    ),
    solution=solution_in(SOLVED, "train_rounds"),
    praise=Text(
        "Every step goes along the gradient of its own round.", "每一步走的都是这一轮自己的梯度。"
    ),
    slips=(
        Slip(
            "forgot_clear",
            gives=never_cleared,
            hint=Text(
                "From the second round on, each step goes along a sum that old gradients are still"
                " in. Call optimizer.clear_grad() in every round.",
                "从第二轮起，每一步走的都是还带着旧梯度的和。每一轮都要调用"
                " optimizer.clear_grad()。",
            ),
        ),
        Slip(
            "empty_steps",
            gives=without_gradients,
            hint=Text(
                "backward() and step() ran in every round, and w never moved: the gradients were"
                " empty when step() came. The order is backward(), step(), clear_grad().",
                "每一轮都有 backward() 和 step()，w 却从来没有动过：到 step() 的时候，梯度是空的"
                "。顺序是 backward()、step()、clear_grad()。",
            ),
        ),
        Slip(
            "computed_once",
            raises="backward twice for the same subgraph",
            hint=Text(
                "backward() ran twice on one loss, and the first time releases what it needs."
                " Each round computes a loss of its own and goes back once: loss = loss_of()"
                " inside the loop.",
                "对同一个损失运行了两次 backward()，而第一次就把要用的东西释放了。每一轮都要重新"
                "计算损失，只反向一次：把 loss = loss_of() 写在循环里面。",
            ),
        ),
        Slip(
            "forgot_step",
            gives=without_steps,
            hint=Text(
                "Gradients came, but nobody used them: optimizer.step() is missing.",
                "梯度来了，却没有谁用：少了 optimizer.step()。",
            ),
        ),
        Slip(
            "forgot_backward",
            gives=without_backward,
            hint=Text(
                "step() was called, but there was no gradient in any round: loss.backward() is"
                " missing.",
                "调用了 step()，但哪一轮都没有梯度：少了 loss.backward()。",
            ),
        ),
        Slip(
            "looked_after",
            gives=seen_afterwards,
            hint=Text(
                "The training is right, but each loss is the one after the step of its round."
                " Note float(loss), of the loss that was computed at the beginning of the round.",
                "训练是对的，但每个损失都是这一轮的 step 之后的。要记的是 float(loss)，即这一轮开头"
                "算出的那个损失。",
            ),
        ),
        Slip(
            "tensors",
            seen=lambda trial: trial.came_as("plain numbers in a list", False),
            hint=Text(
                "A list of plain numbers is asked for: append float(loss) to it. A Tensor would"
                " keep its whole computation alive; over a thousand rounds that is a lot.",
                "要的是普通数的列表：往里面添 float(loss)。Tensor 会让它的整个计算一直留在内存里"
                "，一千轮就很可观了。",
            ),
        ),
        Slip(
            "not_all_losses",
            seen=stopped_early,
            hint=Text(
                "Not all losses came back. return losses belongs after the loop, as far to the"
                " left as for; inside the loop it would end it in the first round.",
                "没有返回全部的损失。return losses 要写在循环之后，缩进与 for 相同；写在循环里面"
                "，第一轮就结束了。",
            ),
        ),
    ),
)


# ----- adam_step ---------------------------------------------------------------------------------


def averages(grad, m, v):
    """Both running averages with one gradient more."""
    return 0.9 * m + 0.1 * grad, 0.999 * v + 0.001 * grad * grad


def stepped(w, m, v, t, lr):
    """The weight after a step by these averages."""
    m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
    return w - lr * m_hat / (paddle.sqrt(v_hat) + 1e-8)


def adam(w, grad, m, v, t, lr):
    """What exercise 2 asks for."""
    m, v = averages(grad, m, v)
    return stepped(w, m, v, t, lr), m, v


def adam_uncorrected(w, grad, m, v, t, lr):
    """The step that does not know that the averages start at 0."""
    m, v = averages(grad, m, v)
    return w - lr * m / (paddle.sqrt(v) + 1e-8), m, v


def adam_power_of_all(w, grad, m, v, t, lr):
    """The step by averages that are divided by a power of 0.1, and of 0.001."""
    m, v = averages(grad, m, v)
    m_hat, v_hat = m / (1 - 0.9) ** t, v / (1 - 0.999) ** t
    return w - lr * m_hat / (paddle.sqrt(v_hat) + 1e-8), m, v


def adam_epsilon_inside(w, grad, m, v, t, lr):
    """The step whose tiny number stands under the root."""
    m, v = averages(grad, m, v)
    m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
    return w - lr * m_hat / paddle.sqrt(v_hat + 1e-8), m, v


def adam_without_root(w, grad, m, v, t, lr):
    """The step that divides by the mean square itself."""
    m, v = averages(grad, m, v)
    return w - lr * (m / (1 - 0.9**t)) / (v / (1 - 0.999**t) + 1e-8), m, v


def adam_swapped(w, grad, m, v, t, lr):
    """The step whose first average forgets nearly all."""
    m, v = 0.1 * m + 0.9 * grad, averages(grad, m, v)[1]
    return stepped(w, m, v, t, lr), m, v


def adam_uphill(w, grad, m, v, t, lr):
    """The step in the other direction."""
    m, v = averages(grad, m, v)
    return 2 * w - stepped(w, m, v, t, lr), m, v


def adam_kept_corrected(w, grad, m, v, t, lr):
    """The step that hands on the corrected averages."""
    w, m, v = adam(w, grad, m, v, t, lr)
    return w, m / (1 - 0.9**t), v / (1 - 0.999**t)


def adam_by_gradient(w, grad, m, v, t, lr):
    """The step along the gradient in place of its average."""
    m, v = averages(grad, m, v)
    v_hat = v / (1 - 0.999**t)
    return w - lr * grad / (paddle.sqrt(v_hat) + 1e-8), m, v


def three_steps(answer, w, grads, lr):
    """Three rounds, each with what the one before it returned."""
    w = paddle.to_tensor(w)
    m, v = paddle.zeros_like(w), paddle.zeros_like(w)
    came = {}
    for t, grad in enumerate(grads, start=1):
        w, m, v = answer(w, paddle.to_tensor(grad), m, v, t, lr)
        made = {f"m, round {t}": m, f"v, round {t}": v, f"w, round {t}": w}
        # A later round may change them in place.
        came |= {
            name: each.clone() if hasattr(each, "clone") else each for name, each in made.items()
        }
    return came


def root_of_less_than_nothing(trial):
    """Whether w became NaN, by right averages."""
    right = (trial.came_as(f"{name}, round 1", trial.expected[f"{name}, round 1"]) for name in "mv")
    return all(right) and bool(np.isnan(trial.came.get("w, round 1", 0.0)).any())


def averages_gradients_twice(trial):
    """Whether v is an average of gradients, like m."""
    m, v = (trial.came.get(f"{name}, round 1") for name in "mv")
    return m is not None and v is not None and same(v, m / 100)


def drawn_gradients(rng):
    """Gradients of all sizes; in the last place one that is hardly any."""
    grads = np.round(rng.uniform(0.5, 2, (3, 4)) * rng.choice([-1, 1], (3, 4)), 1)
    grads *= np.array([1.0, 10.0, 0.1, 1e-8])
    return grads


adam_step = Exercise(
    "adam_step",
    title=Text("A step of Adam", "Adam 的一步"),
    check=checks.experiment(
        adam,
        inputs=lambda rng: {
            "w": np.round(rng.uniform(1, 2, 4), 1),
            "grads": drawn_gradients(rng),
            "lr": round(float(rng.uniform(0.05, 0.5)), 2),
        },
        use=three_steps,
        zh={f"{name}, round {t}": f"{name}，第 {t} 轮" for name in "mvw" for t in (1, 2, 3)},
    ),
    hints=(
        Text(
            "A line for each new variable, m, v, m_hat, v_hat and w, and a return. m_hat and v_hat"
            " are of this step only.",
            "列表里的每一条对应一两行，最后是 return。m_hat 和 v_hat 只在这一步里用。",
        ),
        Text(
            "m = 0.9 * m + 0.1 * grad. Likewise v, with grad * grad. m_hat = m / (1 - 0.9**t), and"
            " v_hat with 0.999.",
            "m = 0.9 * m + 0.1 * grad；v 类似，用 grad * grad。m_hat = m / (1 - 0.9**t)；v_hat 用"
            " 0.999。",
        ),
        Text(
            "v = 0.999 * v + 0.001 * grad * grad, v_hat = v / (1 - 0.999**t), then the line of"
            " point 4, then return w, m, v.",
            "v = 0.999 * v + 0.001 * grad * grad，v_hat = v / (1 - 0.999**t)，然后是第 4 条的那一"
            "行，最后 return w, m, v。",
        ),
    ),
    solution=solution_in(SOLVED, "adam_step"),
    praise=Text(
        "That is Adam: up to rounding, paddle.optimizer.Adam takes the same steps.",
        "这就是 Adam：除了舍入误差，paddle.optimizer.Adam 走的是同样的步子。",
    ),
    slips=(
        Slip(
            "no_correction",
            gives=adam_uncorrected,
            hint=Text(
                "The averages are right, but the step is taken with m and v themselves. They"
                " started at 0: divide by 1 - 0.9**t and by 1 - 0.999**t first.",
                "两个平均是对的，但这一步直接用了 m 和 v。它们是从 0 开始的：要先分别除以"
                " 1 - 0.9**t 和 1 - 0.999**t。",
            ),
        ),
        Slip(
            "no_root",
            gives=adam_without_root,
            hint=Text(
                "The step is divided by the mean square itself: gradients ten times as large would"
                " make it a tenth. Divide by paddle.sqrt(v_hat).",
                "除数是平方的均值本身：梯度大到十倍，步子反而只有十分之一。要除以"
                " paddle.sqrt(v_hat)。",
            ),
        ),
        Slip(
            "not_squared",
            seen=averages_gradients_twice,
            hint=Text(
                "v is a hundredth of m: an average of gradients, too. It should be one of their"
                " squares: 0.001 * grad * grad.",
                "v 是 m 的百分之一，也成了梯度的平均。它应当是平方的滑动平均：0.001 * grad *"
                " grad。",
            ),
        ),
        Slip(
            "power_of_all",
            gives=adam_power_of_all,
            hint=Text(
                "The power belongs to 0.9 and 0.999 alone: 1 - 0.9**t, and not (1 - 0.9)**t.",
                "只有 0.9 和 0.999 才要乘方：是 1 - 0.9**t，不是 (1 - 0.9)**t。",
            ),
        ),
        Slip(
            "no_parentheses",
            seen=root_of_less_than_nothing,
            hint=Text(
                "m and v are right, but w holds a NaN, as the root of a negative number is. v /"
                " 1 - 0.999**t divides first and subtracts then: put 1 - 0.999**t in"
                " parentheses, and 1 - 0.9**t too.",
                "m 和 v 是对的，但 w 里有 NaN：负数的平方根就是 NaN。v / 1 - 0.999**t 是先除后减"
                "：1 - 0.999**t 要加括号，1 - 0.9**t 也一样。",
            ),
        ),
        Slip(
            "epsilon_inside",
            gives=adam_epsilon_inside,
            hint=Text(
                "The tiny number stands under the root, where it is large beside the square of a"
                " small gradient. Add it to the root: paddle.sqrt(v_hat) + 1e-8.",
                "那个很小的数写在了根号里面，和小梯度的平方比起来，它可不小。要加在平方根外面："
                "paddle.sqrt(v_hat) + 1e-8。",
            ),
        ),
        Slip(
            "swapped",
            gives=adam_swapped,
            hint=Text(
                "m takes 0.9 of the new gradient and forgets the old ones. It is the other way"
                " round: 0.9 of the old m, 0.1 of the gradient.",
                "m 取了新梯度的 0.9，旧的几乎全忘了。应当反过来：旧的 m 占 0.9，梯度占 0.1。",
            ),
        ),
        Slip(
            "uphill",
            gives=adam_uphill,
            hint=Text(
                "m and v are right, but w goes uphill. The gradient points to where the loss grows:"
                " w minus the step.",
                "m 和 v 是对的，但 w 在往上走。梯度指向损失增大的方向：w 要减去这一步。",
            ),
        ),
        Slip(
            "kept_corrected",
            gives=adam_kept_corrected,
            hint=Text(
                "The corrected averages were handed on to the next round, which corrects them"
                " again. Return m and v as they are.",
                "交给下一轮的是修正过的平均，到那里又会修正一遍。要原样返回 m 和 v。",
            ),
        ),
        Slip(
            "grad_in_place_of_m",
            gives=adam_by_gradient,
            hint=Text(
                "The first step is right, the later ones are not: they go along the gradient of"
                " the round in place of its running average, m_hat.",
                "第一步是对的，后面的不对：走的是这一轮的梯度，而不是它的滑动平均 m_hat。",
            ),
        ),
        Slip(
            "w_alone",
            raises="unpack",
            hint=Text(
                "Three things are asked for: return w, m, v. The next round needs the averages.",
                "要返回三样东西：return w, m, v。下一轮还要用这两个平均。",
            ),
        ),
    ),
)


# ----- evaluated ---------------------------------------------------------------------------------


class Probe(nn.Layer):
    """Hands its input on, and notes in which mode it ran."""

    def __init__(self):
        super().__init__()
        self.ran = 0
        self.trains = self.records = None

    def forward(self, x):
        self.ran += 1
        self.trains = bool(self.trains) or self.training
        self.records = bool(self.records) or paddle.is_grad_enabled()
        return x


def loss_in_evaluation(net, loss_of):
    """What exercise 3 asks for."""
    net.eval()
    with paddle.no_grad():
        loss = loss_of()
    net.train()
    return float(loss)


def with_a_probe(answer, weight, x, y):
    """Evaluate a network that has dropout and a probe; see what it is like afterwards."""
    probe = Probe()
    net = nn.Sequential(nn.Linear(2, 3), probe, nn.Dropout(0.5), nn.Linear(3, 1))
    net[0].weight.set_value(weight)
    net[3].weight.set_value(weight[:1].T * 2 + 1)
    x, y = paddle.to_tensor(x), paddle.to_tensor(y)
    loss = answer(net, lambda: F.mse_loss(net(x), y))
    return {
        "loss": None if loss is None else float(loss),
        "a plain number": None if loss is None else isinstance(loss, float),
        "dropout was on": probe.trains,
        "gradients were recorded": probe.records,
        "training afterwards": all(layer.training for layer in net.sublayers(include_self=True)),
    }


evaluated = Exercise(
    "evaluated",
    title=Text("Evaluate, and train on", "评估，然后接着训练"),
    check=checks.experiment(
        loss_in_evaluation,
        inputs=lambda rng: {
            "weight": np.round(rng.uniform(0.5, 2, (2, 3)), 1).astype("float32"),
            "x": np.round(rng.uniform(0.5, 2, (4, 2)), 1).astype("float32"),
            "y": np.round(rng.uniform(-2, -1, (4, 1)), 1).astype("float32"),
        },
        use=with_a_probe,
        zh={
            "a plain number": "是普通的数",
            "dropout was on": "dropout 起作用",
            "gradients were recorded": "记了 tape",
            "training afterwards": "之后是训练模式",
        },
    ),
    hints=(
        Text(
            "Switch to evaluation, compute the loss inside no_grad, switch back, return.",
            "切换到评估，在 no_grad 里计算损失，切换回来，返回。",
        ),
        Text(
            "net.eval(); then with paddle.no_grad(): loss = loss_of(); after it net.train().",
            "net.eval()；然后 with paddle.no_grad(): loss = loss_of()；之后 net.train()。",
        ),
        Text(
            "The last line is return float(loss), after net.train(): nothing that stands behind a"
            " return is run.",
            "最后一行是 return float(loss)，在 net.train() 之后：return 后面的东西不会运行。",
        ),
    ),
    solution=solution_in(SOLVED, "evaluated"),
    praise=Text(
        "The same number each time, and the training goes on as if nobody had looked.",
        "每次都是同一个数；训练照常进行，就像没有人看过一样。",
    ),
    slips=(
        Slip(
            "still_training",
            seen=lambda trial: trial.came_as("dropout was on", True),
            hint=Text(
                "The network ran in training mode, with dropout at work. Call net.eval() before it,"
                " with the parentheses.",
                "网络是在训练模式下运行的，dropout 在起作用。之前要调用 net.eval()，别忘了括号。",
            ),
        ),
        Slip(
            "not_back",
            gives=lambda net, loss_of: (loss_in_evaluation(net, loss_of), net.eval())[0],
            hint=Text(
                "The loss is right, but afterwards a part of the network is in evaluation mode,"
                " and the training that follows misses it. Call net.train() at the end.",
                "损失是对的，但之后网络里还有一部分处于评估模式，接下来的训练就不对了。最后要调"
                "用 net.train()。",
            ),
        ),
        Slip(
            "recorded",
            seen=lambda trial: trial.came_as("gradients were recorded", True),
            hint=Text(
                "Forward left a tape behind, although no backward will come. Compute the loss"
                " inside with paddle.no_grad():.",
                "不会有反向，前向却留下了 tape。请在 with paddle.no_grad(): 里面计算损失。",
            ),
        ),
        Slip(
            "a_tensor",
            seen=lambda trial: (
                trial.came_as("a plain number", False)
                and same(trial.came["loss"], trial.expected["loss"])
            ),
            hint=Text(
                "The loss is right, but it is no plain number yet: a Tensor, or an array. Return"
                " float(loss).",
                "损失是对的，但还不是普通的数，而是 Tensor 或数组。请返回 float(loss)。",
            ),
        ),
        Slip(
            "no_return",
            seen=lambda trial: trial.error is None and "loss" not in trial.came,
            hint=Text(
                "Nothing came back. End with return float(loss).",
                "什么也没有返回。最后要写 return float(loss)。",
            ),
        ),
    ),
)


# ----- faults ------------------------------------------------------------------------------------

RIGHT = [2, 4, 1, 0, 3]  # of the five runs
LARGE, SMALL, OLD, OTHER, BIAS = range(5)


def numbers_in(trial):
    """The five numbers that came; none where something else came."""
    [came] = trial.came.values()
    return came.tolist() if came.shape == (5,) else []


def misses(fault):
    """Whether another run was named for a fault, where each fault was named once."""

    def seen(trial):
        came = numbers_in(trial)
        return sorted(came) == sorted(RIGHT) and came.index(fault) != RIGHT.index(fault)

    return seen


faults = Exercise(
    "faults",
    title=Text("Five curves, five faults", "五条曲线，五个毛病"),
    check=checks.value(RIGHT),
    hints=(
        Text(
            "Begin with the shapes: one grows, one waves, one is level from the start, one falls"
            " and then lies level, one falls a little all the time.",
            "先看形状：一条越升越快，一条起波浪，一条从头就是平的，一条先降后平，一条一直在降，只降"
            "一点点。",
        ),
        Text(
            "Go to the update at the end of a round: the learning rate stands there. Where a"
            " parameter has no update, it has not been given to the optimizer.",
            "走到一轮最后的更新：学习率就写在那里。哪个参数没有更新，就是没有交给优化器。",
        ),
        Text(
            "Press p in each player. Three problems name what is in the table nearly word by word;"
            " where the loss grows, the gradients do too; where nothing is told, the rate is"
            " merely small.",
            "在每个播放器里按 p。有三个问题，说的几乎就是表里的话；损失增大的那个，梯度也在增大；"
            "什么都没有列出的那个，只是学习率小。",
        ),
    ),
    solution=solution_in(SOLVED, "faults"),
    praise=Text(
        "From the outside, by their curves. In earnest you will have one curve, and no table.",
        "从外面，凭曲线就认了出来。真正遇到时，只有一条曲线，没有表。",
    ),
    slips=(
        Slip(
            "from_one",
            gives=[fault + 1 for fault in RIGHT],
            hint=Text(
                "Each number is too large by one: the table counts from 0.",
                "每个数都大了一：表是从 0 数起的。",
            ),
        ),
        Slip(
            "turned_round",
            gives=[RIGHT.index(fault) for fault in range(5)],
            hint=Text(
                "This is the list turned round: for each fault its run. Asked for is, for each of"
                " the runs one to five, its fault.",
                "这个列表反过来了：是每个毛病对应哪一次。要的是从 one 到 five，每次对应哪个毛病。",
            ),
        ),
        Slip(
            "unlike",
            seen=lambda trial: (
                len(numbers_in(trial)) == 5 and sorted(numbers_in(trial)) != sorted(RIGHT)
            ),
            hint=Text(
                "Each fault is in just one run, so each number from 0 to 4 stands there once.",
                "每个毛病只在一次运行里，所以 0 到 4 每个数各出现一次。",
            ),
        ),
        Slip(
            "grows",
            seen=misses(LARGE),
            hint=Text(
                "A learning rate that is too large makes the loss grow and grow: each round more"
                " than the last, never back. Which curve does that?",
                "学习率太大，损失会越来越大：一轮比一轮大，不再回头。哪条曲线是这样？",
            ),
        ),
        Slip(
            "waves",
            seen=misses(OLD),
            hint=Text(
                "Gradients that are never cleared carry the weights past their goal and back, as in"
                " section 6. Which curve waves?",
                "从来不清空的梯度，会带着权重冲过目标再回来，就像第 6 节那样。哪条曲线起波浪？",
            ),
        ),
        Slip(
            "slow",
            seen=misses(SMALL),
            hint=Text(
                "With a rate that is too small everything is right except the pace: the loss falls"
                " in every round, and would go on. Look at the learning rate in the update.",
                "学习率太小，除了快慢之外什么都对：损失每一轮都在降，还会一直降下去。看看更新那一步里"
                "的学习率。",
            ),
        ),
    ),
)
