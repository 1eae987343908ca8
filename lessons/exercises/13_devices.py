"""The exercises of lesson 13: where tensors lie, and what copies them."""

import weakref

import numpy as np

import minipaddle as paddle
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.workbench import layer
from minipaddle.nn import functional as F
from minipaddle.testing import pretend_gpu

TITLE = Text("Devices: what moves, and when", "设备：什么时候，什么在搬动")
SOLVED = Text("../solutions/13_devices.ipynb", "../solutions/zh/13_devices.ipynb")


def numbers(rng, *shape):
    """A few float32 numbers, away from 0."""
    signs = rng.choice([-1, 1], shape)
    return np.round(signs * rng.uniform(0.5, 2, shape), 1).astype("float32")


# ----- predictions -------------------------------------------------------------------------------

follows = Prediction(
    "follows",
    question=Text(
        "set_device('gpu'), then a = paddle.ones([3]) and b = a.cpu(). Where does b * 2 lie?",
        "set_device('gpu')，然后 a = paddle.ones([3])，b = a.cpu()。b * 2 在哪里？",
    ),
    choices=[
        Text("on the GPU: that is the device", "在 GPU 上：设备就是它"),
        Text("on the host, like b", "在主机上，和 b 一样"),
        Text("nowhere: it is an error", "哪里都不在：报错"),
    ],
    truth="on the host, like b",
    because=Text(
        "An operation computes where its tensors lie. set_device is only asked where there are"
        " none.",
        "运算在它的 Tensor 所在的地方进行。只有一个 Tensor 也没有的时候，才看 set_device。",
    ),
)

comes_back = Prediction(
    "comes_back",
    question=Text(
        "x lies on the GPU, the leaf weight on the host. y = x * weight.to(x.place), then"
        " y.sum().backward(). Where does weight.grad lie?",
        "x 在 GPU 上，叶子 Tensor weight 在主机上。y = x * weight.to(x.place)，然后"
        " y.sum().backward()。weight.grad 在哪里？",
    ),
    choices=[
        Text("on the host", "在主机上"),
        Text("on the GPU", "在 GPU 上"),
        Text("it is None: a copy cuts the tape", "是 None：复制切断了 tape"),
    ],
    truth="on the host",
    because=Text(
        "The copy is on the tape, and its backward copies the gradient back to where weight is.",
        "复制记在 tape 上，它的反向把梯度复制回 weight 所在的地方。",
    ),
)

ten_rounds = Prediction(
    "ten_rounds",
    question=Text(
        "Layer and data lie on the GPU. Ten rounds of forward, backward, step() and clear_grad();"
        " nobody looks at the loss. How many copies between the two memories?",
        "层和数据都在 GPU 上。十轮前向、反向、step() 和 clear_grad()，没有谁看损失。"
        "两边内存之间复制几次？",
    ),
    kind="count",
    truth=0,
    because=Text(
        "Results, the tape, gradients and weights all lie where they are needed.",
        "结果、tape、梯度、权重，都已经在要用的地方了。",
    ),
)

which_reads = Prediction(
    "which_reads",
    question=Text(
        "z lies on the GPU. One of these copies nothing to the host. Which?",
        "z 在 GPU 上。下面有一个不往主机复制任何东西。是哪个？",
    ),
    choices=["z.item()", "print(z)", "z.shape", "z.tolist()"],
    truth="z.shape",
    because=Text(
        "The shape is kept with the tensor, on the host; it takes no numbers to know it.",
        "形状和 Tensor 一起记在主机上，知道它不需要那些数。",
    ),
)

by_way_of_numpy = Prediction(
    "by_way_of_numpy",
    question=Text(
        "softplus_in_numpy on the GPU, one forward and one backward. How many copies, in both"
        " directions together?",
        "softplus_in_numpy 在 GPU 上，一次前向，一次反向。两个方向一共复制几次？",
    ),
    kind="count",
    truth=5,
    because=Text(
        "Forward: x comes out, the result goes in. Backward: dy comes out, x once more, and the"
        " gradient goes in.",
        "前向：x 出来，结果进去。反向：dy 出来，x 再出来一次，梯度进去。",
    ),
)


# ----- weighted ----------------------------------------------------------------------------------


def put(array, device):
    """A leaf on this device that wants a gradient."""
    return paddle.to_tensor(array, place=device, stop_gradient=False)


# Where x lies, and where weight does.
PLACES = ("cpu", "cpu"), ("gpu:0", "cpu"), ("cpu", "gpu:0")
FOUND = {"y": "y", "dx": "dx", "dweight": "dweight", "result with x": "结果与 x 在一起"}


def everywhere(answer, x, weight):
    """What the answer gives wherever its two tensors lie, and where."""
    made = {}
    with pretend_gpu():
        for there, beside in PLACES:
            left, right = put(x, there), put(weight, beside)
            y = answer(left, right)
            if y is None:
                return {}
            y.sum().backward()
            gradients = (None if t.grad is None else t.grad.numpy() for t in (left, right))
            found = zip(FOUND, (y.numpy(), *gradients, y.place == left.place), strict=True)
            made |= {f"{name} (x: {there}, weight: {beside})": value for name, value in found}
    return made


def host_weighted(x, weight):
    """The answer that takes all to the host."""
    return x.cpu() * weight.cpu()


def weighted_elsewhere(x, weight):
    """The answer that takes x to the weight."""
    return x.to(weight.place) * weight


def weighted_by_numpy(x, weight):
    """The answer that goes by way of an array."""
    return x * paddle.to_tensor(weight.numpy(), place=x.place)


weighted = Exercise(
    "weighted",
    title=Text("Two tensors, any devices", "两个 Tensor，任意设备"),
    check=checks.experiment(
        lambda x, weight: x * weight.to(x.place),
        inputs=lambda rng: {"x": numbers(rng, 3), "weight": numbers(rng, 3)},
        use=everywhere,
        zh={
            f"{name} (x: {there}, weight: {beside})": f"{zh}（x：{there}，weight：{beside}）"
            for there, beside in PLACES
            for name, zh in FOUND.items()
        },
    ),
    hints=(
        Text(
            "Ask x where it lies, and take weight there.", "问 x 在哪里，再把 weight 拿到那里去。"
        ),
        Text(
            "x.place is its place, and weight.to(place) a copy there, which gradients go through.",
            "x.place 是它的位置；weight.to(place) 是那里的一份复制，梯度能从中经过。",
        ),
        Text("Write return x * weight.to(x.place).", "写 return x * weight.to(x.place)。"),
    ),
    solution=solution_in(SOLVED, "weighted"),
    praise=Text(
        "Tried with both on the host, and with either of them on a GPU.",
        "试过了两个都在主机上，也试过了其中一个在 GPU 上。",
    ),
    slips=(
        Slip(
            "not_moved",
            raises="received  x float32 [3] on Place(gpu:0); y float32 [3] on Place(cpu)",
            hint=Text(
                "With x on a GPU and weight on the host this is an error. Take weight to where x"
                " lies first.",
                "x 在 GPU 上、weight 在主机上时，这样会报错。先把 weight 拿到 x 所在的地方。",
            ),
        ),
        Slip(
            "always_to_the_gpu",
            raises="received  x float32 [3] on Place(cpu); y float32 [3] on Place(gpu:0)",
            hint=Text(
                "x lies on the host, and weight on a GPU: you took it there, or left it there. Ask"
                " x where it lies: weight.to(x.place).",
                "x 在主机上，weight 却在 GPU 上：是你把它拿过去的，或者它本来在那里，你没有搬。"
                "要问 x 在哪里：weight.to(x.place)。",
            ),
        ),
        Slip(
            "all_on_the_host",
            gives=host_weighted,
            hint=Text(
                "The result always lies on the host. It is to lie where x does.",
                "结果总在主机上。它应该在 x 的位置。",
            ),
        ),
        Slip(
            "moved_x",
            gives=weighted_elsewhere,
            hint=Text(
                "x has been taken to weight, and the result lies there. The other way round:"
                " weight to x.",
                "你把 x 拿到了 weight 那里，结果也就在那里。反过来：把 weight 拿到 x 那里。",
            ),
        ),
        Slip(
            "through_numpy",
            gives=weighted_by_numpy,
            hint=Text(
                "The values are right, but weight gets no gradient: numpy(), to_tensor and detach()"
                " leave the tape. weight.to(x.place) stays on it.",
                "值是对的，但是 weight 没有梯度：numpy()、to_tensor 和 detach() 都离开了 tape，"
                "weight.to(x.place) 才留在上面。",
            ),
        ),
        Slip(
            "gave_nothing",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. Begin the line with return.",
                "什么也没有返回。这一行要以 return 开头。",
            ),
        ),
    ),
)


# ----- quiet_rounds ------------------------------------------------------------------------------


def rounds_by(keep, give, clear=True):
    """An answer that keeps this of each loss, and gives this of all."""

    def answer(loss_of, optimizer, count):
        losses = []
        for _ in range(count):
            loss = loss_of()
            loss.backward()
            optimizer.step()
            if clear:
                optimizer.clear_grad()
            losses.append(keep(loss))
        return give(losses)

    return answer


def all_at_once(losses):
    """The numbers of several Tensors."""
    return paddle.stack(losses).tolist()


def on_the_gpu(answer, x, start, count):
    """Let the answer train a weight on a GPU; see its losses, and what was copied."""
    with pretend_gpu() as gpu:
        paddle.set_device("gpu")
        w, data = put(start, "gpu:0"), paddle.to_tensor(x)
        losses, kept = [], []

        def loss_of():
            kept.append(sum(each() is not None for each in losses[:-1]))
            loss = ((w * data - 1) ** 2).mean()
            losses.append(weakref.ref(loss))
            return loss

        optimizer = paddle.optimizer.SGD(0.1, parameters=[w])
        gpu.copies.clear()
        given = answer(loss_of, optimizer, int(count))
        if given is None:
            return {}
        plain = isinstance(given, list) and all(isinstance(each, float) for each in given)
        made = {
            "copies to the host": sum(copy.to == "cpu" for copy in gpu.copies),
            "tapes kept": any(kept),
            "plain numbers in a list": plain,
            "w": w.numpy(),
        }
        listed = given if isinstance(given, list) else [given]
        return made | {"losses": np.ravel([np.asarray(each) for each in listed])}


quiet_rounds = Exercise(
    "quiet_rounds",
    title=Text("Training without looking", "训练时不去看"),
    check=checks.experiment(
        rounds_by(lambda loss: loss.detach(), all_at_once),
        inputs=lambda rng: {
            "x": numbers(rng, 3),
            "start": numbers(rng, 3),
            "count": int(rng.integers(4, 7)),
        },
        use=on_the_gpu,
        zh={
            "copies to the host": "往主机复制的次数",
            "tapes kept": "tape 还留着",
            "plain numbers in a list": "是由普通的数组成的列表",
        },
    ),
    hints=(
        Text(
            "The loop of lesson 9; only what is done with the loss is new. Keep it as a Tensor.",
            "就是第 9 课的循环，只有怎样处理损失是新的。把它作为 Tensor 留着。",
        ),
        Text(
            "In the loop: losses.append(loss.detach()). Nothing there may ask for a number.",
            "循环里：losses.append(loss.detach())。那里不能有谁要数。",
        ),
        Text(
            "After the loop: return paddle.stack(losses).tolist().",
            "循环之后：return paddle.stack(losses).tolist()。",
        ),
    ),
    solution=solution_in(SOLVED, "quiet_rounds"),
    praise=Text("One copy, however many rounds there are.", "不管有多少轮，只复制一次。"),
    slips=(
        Slip(
            "read_each",
            seen=lambda trial: trial.came.get("copies to the host", 0) > 1,
            hint=Text(
                "More than one copy goes to the host. In the loop nothing may ask for a number:"
                " no float, item, print, cpu, no if. After it make one Tensor of all losses first:"
                " paddle.stack(losses).tolist().",
                "往主机复制了不止一次。循环里不能有谁要数：不要 float、item、print、cpu，也不要"
                " if。循环之后，先把所有的损失合成一个 Tensor：paddle.stack(losses).tolist()。",
            ),
        ),
        Slip(
            "still_tensors",
            seen=lambda trial: (
                trial.came_as("copies to the host", 0)
                and trial.came_as("plain numbers in a list", False)
            ),
            hint=Text(
                "Nothing was copied to the host, so these are no plain numbers yet. Asked for is"
                " a list of them: paddle.stack(losses).tolist().",
                "什么也没有复制到主机上，所以这些还不是普通的数。要的是普通数的列表："
                "paddle.stack(losses).tolist()。",
            ),
        ),
        Slip(
            "an_array",
            seen=lambda trial: trial.came_as("plain numbers in a list", False),
            hint=Text(
                "Only one copy, but what came back is not a list of plain numbers, one for each"
                " round. tolist() of all losses gives one.",
                "只复制了一次，但返回的不是由各轮的数组成的列表。对全部损失用 tolist() 才是。",
            ),
        ),
        Slip(
            "kept_the_tape",
            seen=lambda trial: trial.came_as("tapes kept", True),
            hint=Text(
                "Each loss is kept together with its tape, so the memory of every round stays."
                " Append loss.detach().",
                "每个损失都连同它的 tape 一起留着，于是每一轮的内存都没有释放。要添加的是"
                " loss.detach()。",
            ),
        ),
        Slip(
            "uncleared",
            gives=rounds_by(lambda loss: loss.detach(), all_at_once, clear=False),
            hint=Text(
                "Old gradients are added to new ones. Call optimizer.clear_grad() in every round.",
                "旧的梯度加到了新的上面。每一轮都要调用 optimizer.clear_grad()。",
            ),
        ),
        Slip(
            "came_to_nothing",
            gives=lambda *inputs: None,
            hint=Text("Nothing came back. End with return.", "什么也没有返回。最后要写 return。"),
        ),
    ),
)


# ----- softplus ----------------------------------------------------------------------------------


def layer_of(value, slope):
    """A PyLayer with this value and this slope, of x and the result."""

    def forward(ctx, x):
        y = value(x)
        ctx.save_for_backward(x, y)
        return y

    return layer("softplus", forward, lambda ctx, dy: slope(dy, *ctx.saved_tensor()))


def soft(x):
    """log(1 + exp(x))."""
    return paddle.log(1 + paddle.exp(x))


def applied_on_the_gpu(answer, x, weights):
    """Apply the layer on a GPU; see its values, its gradient and what was copied."""
    with pretend_gpu() as gpu:
        paddle.set_device("gpu")
        given, factors = put(x, "gpu:0"), paddle.to_tensor(weights)
        gpu.copies.clear()
        y = answer.apply(given)
        if not isinstance(y, paddle.Tensor) or y.shape != given.shape:
            return {"y": y.numpy() if isinstance(y, paddle.Tensor) else None}
        (y * factors).sum().backward()
        copies = len(gpu.copies)
        dx = None if given.grad is None else given.grad.numpy()
        return {"y": y.numpy(), "dx": dx, "copies": copies}


softplus = Exercise(
    "softplus",
    title=Text("A layer that stays on its device", "留在设备上的层"),
    check=checks.experiment(
        layer_of(soft, lambda dy, x, y: dy * F.sigmoid(x)),
        inputs=lambda rng: {"x": numbers(rng, 3), "weights": numbers(rng, 3)},
        use=applied_on_the_gpu,
        zh={"copies": "复制的次数"},
    ),
    hints=(
        Text(
            "paddle.log and paddle.exp take the place of NumPy's functions; no .numpy() is left.",
            "用 paddle.log 和 paddle.exp 代替 NumPy 的函数；一个 .numpy() 也不留。",
        ),
        Text(
            "forward: ctx.save_for_backward(x); return paddle.log(1 + paddle.exp(x)).",
            "前向：ctx.save_for_backward(x)；return paddle.log(1 + paddle.exp(x))。",
        ),
        Text(
            "backward: (x,) = ctx.saved_tensor(); return dy * paddle.nn.functional.sigmoid(x).",
            "反向：(x,) = ctx.saved_tensor()；return dy * paddle.nn.functional.sigmoid(x)。",
        ),
    ),
    solution=solution_in(SOLVED, "softplus"),
    praise=Text(
        "Forth and back, and not a byte has left the device.", "一去一回，没有一个字节离开设备。"
    ),
    slips=(
        Slip(
            "by_numpy",
            seen=lambda trial: trial.came.get("copies", 0) > 0,
            hint=Text(
                "Something in it is still copied: .numpy(), to_tensor, print, float, or a number"
                " that stands beside / or <, which is sent to the GPU. Stay with paddle's"
                " functions, forwards and backwards.",
                "里面还有东西在复制：.numpy()、to_tensor、print、float，或者 / 和 < 旁边的数，"
                "它要送到 GPU 上去。前向和反向都只用 paddle 的函数。",
            ),
        ),
        Slip(
            "numpy_alone",
            raises="does not support ufuncs",
            hint=Text(
                "NumPy's functions do not take Tensors. Write paddle.log and paddle.exp.",
                "NumPy 的函数不接收 Tensor。请写 paddle.log 和 paddle.exp。",
            ),
        ),
        Slip(
            "not_saved",
            raises="cannot unpack non-iterable NoneType",
            hint=Text(
                "What was unpacked is None. ctx.saved_tensor() gives None where forward has"
                " saved nothing: before its return write ctx.save_for_backward(x).",
                "解包的是 None。如果 forward 什么都没有保存，ctx.saved_tensor() 就是 None：在它"
                "的 return 之前写 ctx.save_for_backward(x)。",
            ),
        ),
        Slip(
            "not_unpacked",
            raises="received  tuple (",
            hint=Text(
                "ctx.saved_tensor() gives back a tuple, even for one Tensor. Mind the comma: (x,)"
                " = ctx.saved_tensor().",
                "ctx.saved_tensor() 返回的是元组，只有一个 Tensor 时也一样。注意逗号：(x,) ="
                " ctx.saved_tensor()。",
            ),
        ),
        Slip(
            "slope_alone",
            gives=layer_of(soft, lambda dy, x, y: F.sigmoid(x)),
            hint=Text(
                "This is the derivative alone. Multiply it by dy.", "这只是导数。还要乘以 dy。"
            ),
        ),
        Slip(
            "of_the_output",
            gives=layer_of(soft, lambda dy, x, y: dy * F.sigmoid(y)),
            hint=Text(
                "The sigmoid was taken of the output. It is that of x: save x.",
                "你对输出求了 sigmoid。应该对 x 求：要保存的是 x。",
            ),
        ),
        Slip(
            "grows",
            gives=layer_of(soft, lambda dy, x, y: dy * paddle.exp(x)),
            hint=Text(
                "exp(x) is only the inner derivative. With that of the logarithm it becomes"
                " exp(x) / (1 + exp(x)): the sigmoid.",
                "exp(x) 只是里面的导数。再乘上对数的导数，是 exp(x) / (1 + exp(x))，也就是"
                " sigmoid。",
            ),
        ),
        Slip(
            "without_one",
            gives=layer_of(lambda x: x * 1.0, lambda dy, x, y: dy * F.sigmoid(x)),
            hint=Text(
                "The logarithm of exp(x) is x again. Add 1 before you take it.",
                "exp(x) 的对数又是 x。取对数之前要加 1。",
            ),
        ),
    ),
)
