"""The exercises of lesson 6: what a PyLayerContext keeps, and what a layer says through it."""

import numpy as np

import minipaddle as paddle
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.workbench import layer, named

TITLE = Text("What forward hands to backward", "forward 交给 backward 的东西")
SOLVED = Text("../solutions/06_context.ipynb", "../solutions/zh/06_context.ipynb")


# ----- predictions -------------------------------------------------------------------------------

changed = Prediction(
    "changed",
    question=Text(
        "forward of x * x runs with x = 3 and keeps it as ctx.x. Then 10 is added to x in place."
        " Backward returns dy * 2 * ctx.x, and dy is 1. Which number comes out?",
        "x * x 的 forward 运行时 x = 3，用 ctx.x 留着它。然后 x 被原地加了 10。backward 返回 dy *"
        " 2 * ctx.x，dy 是 1。得到的是多少？",
    ),
    kind="number",
    truth=26,
    because=Text(
        "ctx.x is the Tensor itself, which is 13 by now. The derivative at 3 would have been 6.",
        "ctx.x 就是那个 Tensor 自己，它现在是 13。3 处的导数本应是 6。",
    ),
)

own_ctx = Prediction(
    "own_ctx",
    question=Text(
        "first = scaled.apply(x, 2.0), then second = scaled.apply(x, 5.0), then first.backward()."
        " What is x.grad?",
        "先 first = scaled.apply(x, 2.0)，再 second = scaled.apply(x, 5.0)，然后"
        " first.backward()。x.grad 是多少？",
    ),
    kind="number",
    truth=2,
    because=Text(
        "Each apply has a ctx of its own, and first's still holds 2.",
        "每次 apply 各有自己的 ctx，first 的那个里面仍然是 2。",
    ),
)

same = Prediction(
    "same",
    question=Text(
        "leaf is a leaf that wants a gradient. tenfold's forward is: return x. What does"
        " tenfold.apply(leaf) give?",
        "leaf 是要梯度的叶子。tenfold 的 forward 就是 return x。tenfold.apply(leaf) 会得到什么？",
    ),
    choices=[
        Text("a new Tensor with the same numbers", "一个新的 Tensor，数相同"),
        Text("leaf itself", "leaf 自己"),
        Text("an error", "报错"),
    ],
    truth="an error",
    because=Text(
        "A forward that returns its own input says that it changed it in place, and a leaf that"
        " wants a gradient refuses that.",
        "forward 返回自己的输入，就是说原地修改了它；要梯度的叶子不允许这样做。",
    ),
)

taken_over = Prediction(
    "taken_over",
    question=Text(
        "x = w * 2, y = tenfold.apply(x), loss = y + x. If the layer left x alone, w.grad would be"
        " (10 + 1) × 2 = 22. But forward returned x itself, so y is x. What is w.grad?",
        "x = w * 2，y = tenfold.apply(x)，loss = y + x。假如这个层没有动 x，w.grad 就是 (10 + 1) ×"
        " 2 = 22。可是 forward 返回的是 x 自己，所以 y 就是 x。w.grad 是多少？",
    ),
    kind="number",
    truth=40,
    because=Text(
        "loss is x + x now, and both of these x come out of the layer: (1 + 1) × 10 × 2.",
        "现在 loss 就是 x + x，而这两个 x 都是从层里出来的：(1 + 1) × 10 × 2。",
    ),
)

flag = Prediction(
    "flag",
    question=Text(
        "x wants a gradient. forward returns whole = floor(x) and rest = x - whole, and says"
        " nothing more. What is whole.stop_gradient after apply?",
        "x 要梯度。forward 返回 whole = floor(x) 和 rest = x - whole，别的什么也没说。apply 之后，"
        "whole.stop_gradient 是什么？",
    ),
    choices=["True", "False"],
    truth="False",
    because=Text(
        "One input that wants a gradient is enough, and Paddle does not look into your forward.",
        "只要有一个输入要梯度就够了，而 Paddle 不会去看你的 forward 里面。",
    ),
)

unused = Prediction(
    "unused",
    question=Text(
        "A layer returns a and b; the loss uses a only. What does its backward(ctx, da, db) get"
        " for db?",
        "一个层返回 a 和 b，损失只用到 a。它的 backward(ctx, da, db) 收到的 db 是什么？",
    ),
    choices=[
        Text("None", "None"),
        Text("zeros in the shape of b", "与 b 形状相同的 0"),
        Text("nothing: there is an error", "什么也没有：报错"),
    ],
    truth="zeros in the shape of b",
    because=Text(
        "Where no gradient came, Paddle makes zeros, unless the layer asks for None.",
        "没有梯度来的地方，Paddle 会补 0，除非这个层要求 None。",
    ),
)


# ----- power -------------------------------------------------------------------------------------


def raising(backward, keep=lambda ctx, n: setattr(ctx, "n", n)):
    """What exercise 1 asks for, with another backward, which gets dy, x and n."""

    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        keep(ctx, n)
        return x**n

    return layer("power", forward, lambda ctx, dy: backward(dy, *ctx.saved_tensor(), ctx.n))


def raised_on_the_class():
    """The layer that keeps its exponent where all calls share it."""
    kept = {}
    return raising(
        lambda dy, x, n: dy * kept["n"] * x ** (kept["n"] - 1),
        keep=lambda ctx, n: (kept.update(n=n), setattr(ctx, "n", n)),
    )


def raise_twice(answer, x, n, dy):
    """One call goes back after another was made with another exponent."""
    x = named(x, "x")
    y = answer.apply(x, n)
    answer.apply(named(x.numpy() + 1, "other x"), n + 1)
    y.backward(named(dy, "dy", stop_gradient=True))
    return {"y": y, "dx": x.grad}


power = Exercise(
    "power",
    title=Text("A Tensor and a number for backward", "留给反向的一个 Tensor 和一个数"),
    check=checks.experiment(
        raising(lambda dy, x, n: dy * n * x ** (n - 1)),
        inputs=lambda rng: {
            "x": np.round(rng.uniform(0.5, 2, 3) * rng.choice([-1, 1], 3), 1),
            "n": int(rng.integers(2, 5)),
            "dy": np.round(rng.uniform(1, 2, 3), 1),
        },
        use=raise_twice,
    ),
    hints=(
        Text(
            "backward needs two things: a Tensor, and a whole number. The one is saved, the other"
            " becomes an attribute.",
            "backward 要用两样东西：一个 Tensor 和一个整数。一个要保存，另一个设成属性。",
        ),
        Text(
            "In forward: ctx.save_for_backward(x) and ctx.n = n. In backward dy is multiplied by"
            " the derivative, n * x ** (n - 1).",
            "forward 里写 ctx.save_for_backward(x) 和 ctx.n = n。backward 里把 dy 乘以导数 n * x"
            " ** (n - 1)。",
        ),
        Text(
            "backward has two lines: (x,) = ctx.saved_tensor() and return dy * ctx.n * x ** (ctx.n"
            " - 1)",
            "backward 有两行：(x,) = ctx.saved_tensor() 和 return dy * ctx.n * x ** (ctx.n - 1)",
        ),
    ),
    solution=solution_in(SOLVED, "power"),
    praise=Text(
        "Each call goes back with its own x and its own n.",
        "每次调用做反向时，用的都是自己的 x 和自己的 n。",
    ),
    slips=(
        Slip(
            "forgot_n",
            gives=raising(lambda dy, x, n: dy * x ** (n - 1)),
            hint=Text(
                "The factor n is missing: the derivative of x**n is n * x ** (n - 1).",
                "少了因子 n：x**n 的导数是 n * x ** (n - 1)。",
            ),
        ),
        Slip(
            "same_power",
            gives=raising(lambda dy, x, n: dy * n * x**n),
            hint=Text(
                "The exponent goes down by one: n * x ** (n - 1). Mind the brackets.",
                "指数要减一：n * x ** (n - 1)。注意括号。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=raising(lambda dy, x, n: n * x ** (n - 1)),
            hint=Text(
                "This is the derivative. By the chain rule it is still multiplied by dy.",
                "这是导数。按链式法则还要乘上 dy。",
            ),
        ),
        Slip(
            "on_the_class",
            gives=raised_on_the_class(),
            hint=Text(
                "The layer was applied a second time, with n + 1, before the first backward, and"
                " backward saw that n. The class is one for all calls; write ctx.n = n.",
                "在第一次反向之前，这个层又以 n + 1 运行了一次，backward 看到的是那个 n。类只有一"
                "个，所有的调用共用；请写 ctx.n = n。",
            ),
        ),
        Slip(
            "not_kept",
            raises="has no 'n'",
            hint=Text(
                "ctx has no n: forward did not set it. Write ctx.n = n there, before the return.",
                "ctx 没有 n：forward 没有设它。请在 forward 的 return 之前写 ctx.n = n。",
            ),
        ),
        Slip(
            "out_of_sight",
            seen=lambda trial: (
                isinstance(trial.error, NameError) and trial.error.name in ("x", "n")
            ),
            hint=Text(
                "backward does not see the variables of forward. Keep n there with ctx.n = n and"
                " use ctx.n; take x back with (x,) = ctx.saved_tensor().",
                "backward 看不到 forward 里的变量。n 在 forward 里用 ctx.n = n 留下，这里用"
                " ctx.n；x 用 (x,) = ctx.saved_tensor() 取回。",
            ),
        ),
        Slip(
            "too_many",
            raises="should be 1, but received 2",
            hint=Text(
                "n is no Tensor, so nothing goes back for it, not even None: return one gradient.",
                "n 不是 Tensor，不用为它返回什么，连 None 也不要：只返回一个梯度。",
            ),
        ),
        Slip(
            "saved_twice",
            raises="save_for_backward() was called twice",
            hint=Text(
                "save_for_backward may be called once. n is no Tensor anyway: ctx.n = n.",
                "save_for_backward 只能调用一次。再说 n 不是 Tensor：写 ctx.n = n。",
            ),
        ),
    ),
)


# ----- slow_down ---------------------------------------------------------------------------------


def slowing(backward, forward=lambda x, factor: x.clone()):
    """What exercise 2 asks for, with another backward, which gets dy and factor."""

    def kept(ctx, x, factor):
        ctx.factor = factor
        return forward(x, factor)

    return layer("slow_down", kept, lambda ctx, dy: backward(dy, ctx.factor))


def slowed_on_the_class():
    """The layer that keeps its factor where all calls share it."""
    kept = {}

    def forward(x, factor):
        kept["factor"] = factor
        return x.clone()

    return slowing(lambda dy, factor: dy * kept["factor"], forward)


def beside(answer, w, factor, dy):
    """Use x through the layer and beside it; the layer is used once more in between."""
    w = named(w, "w")
    x = w * 2
    y = answer.apply(x, factor)
    loss = y + x
    answer.apply(w * 3, factor + 1)
    loss.backward(named(dy, "dy", stop_gradient=True))
    return {"y": y, "another Tensor": y is not x, "dw": w.grad}


slow_down = Exercise(
    "slow_down",
    title=Text("The numbers of x, another gradient", "x 的数，另一个梯度"),
    check=checks.experiment(
        slowing(lambda dy, factor: dy * factor),
        inputs=lambda rng: {
            "w": np.round(rng.uniform(1, 2, 3), 1),
            "factor": round(float(rng.uniform(0.2, 0.8)), 1),
            "dy": np.round(rng.uniform(1, 2, 3), 1),
        },
        use=beside,
        zh={"another Tensor": "是另一个 Tensor"},
    ),
    hints=(
        Text(
            "Two things: a Tensor that is not x but has its numbers, and a number that backward"
            " has to know.",
            "要做两件事：一个不是 x、却有同样的数的 Tensor；还有一个要让 backward 知道的数。",
        ),
        Text(
            "x.clone() makes the Tensor. The factor is no Tensor, so it becomes an attribute of"
            " ctx.",
            "那个 Tensor 用 x.clone() 得到。factor 不是 Tensor，所以设成 ctx 的属性。",
        ),
        Text(
            "In forward: ctx.factor = factor; return x.clone(). In backward: return dy *"
            " ctx.factor.",
            "forward 里：ctx.factor = factor；return x.clone()。backward 里：return dy *"
            " ctx.factor。",
        ),
    ),
    solution=solution_in(SOLVED, "slow_down"),
    praise=Text(
        "The numbers pass, the gradient is slowed down, and x beside it is left alone.",
        "数照样通过，梯度放慢了，旁边的 x 没有受影响。",
    ),
    slips=(
        Slip(
            "returned_x",
            gives=slowing(lambda dy, factor: dy * factor, lambda x, factor: x),
            hint=Text(
                "forward returned x itself, and so took it over: the use of x beside the layer was"
                " slowed down as well. Return x.clone().",
                "forward 返回的是 x 自己，于是接管了它：层旁边用到 x 的地方也一起放慢了。请返回"
                " x.clone()。",
            ),
        ),
        Slip(
            "scaled_forward",
            gives=slowing(lambda dy, factor: dy * factor, lambda x, factor: x * factor),
            hint=Text(
                "Now the result is x times factor. Forwards nothing may change: return x.clone().",
                "现在结果成了 x 乘以 factor。前向什么都不能变：返回 x.clone()。",
            ),
        ),
        Slip(
            "not_slowed",
            gives=slowing(lambda dy, factor: dy),
            hint=Text(
                "The numbers are right, but dy came back as it was. Multiply it by ctx.factor.",
                "数是对的，但 dy 原样传了回去。要乘以 ctx.factor。",
            ),
        ),
        Slip(
            "divided",
            gives=slowing(lambda dy, factor: dy / factor),
            hint=Text(
                "This divides by the factor, which makes the gradient larger. Multiply.",
                "这里除以了 factor，梯度反而变大了。应该相乘。",
            ),
        ),
        Slip(
            "factor_alone",
            gives=slowing(paddle.full_like),
            hint=Text(
                "The factor alone came back. It is what dy is multiplied by.",
                "传回去的只有 factor。它是用来乘 dy 的。",
            ),
        ),
        Slip(
            "not_kept",
            raises="has no 'factor'",
            hint=Text(
                "ctx has no factor: forward did not set it. Write ctx.factor = factor there.",
                "ctx 没有 factor：forward 没有设它。请在 forward 里写 ctx.factor = factor。",
            ),
        ),
        Slip(
            "on_the_class",
            gives=slowed_on_the_class(),
            hint=Text(
                "The layer was used a second time with another factor, and backward saw that"
                " one. What belongs to one call goes on ctx, not on the class.",
                "这个层又以另一个 factor 用了一次，backward 看到的是那一个。属于一次调用的东西要"
                "放在 ctx 上，不要放在类上。",
            ),
        ),
        Slip(
            "too_many",
            raises="should be 1, but received 2",
            hint=Text(
                "factor is a plain number: nothing goes back for it. Return one gradient.",
                "factor 是普通的数，不用为它返回什么。只返回一个梯度。",
            ),
        ),
    ),
)


# ----- largest -----------------------------------------------------------------------------------


def picking(backward, mark=lambda ctx, place: ctx.mark_non_differentiable(place)):
    """What exercise 3 asks for, with another backward, which gets dy and hit."""

    def forward(ctx, x):
        place = x.argmax()
        hit = (paddle.arange(x.size) == place).astype(x.dtype)
        ctx.save_for_backward(hit)
        mark(ctx, place)
        return x.max(), place

    return layer("largest", forward, lambda ctx, dy, dplace: backward(dy, *ctx.saved_tensor()))


def pick_and_back(answer, x, dy):
    """The number and its place, their flags, and the gradient."""
    x = named(x, "x")
    y, place = answer.apply(x)
    y.backward(named(dy, "dy", stop_gradient=True))
    return {
        "y": y,
        "place": place,
        "y.stop_gradient": y.stop_gradient,
        "place.stop_gradient": place.stop_gradient,
        "dx": x.grad,
    }


largest = Exercise(
    "largest",
    title=Text("A result and a place", "一个结果和一个位置"),
    check=checks.experiment(
        picking(lambda dy, hit: dy * hit),
        inputs=lambda rng: {
            "x": rng.permutation([-1.5, 0.5, 1.0, 2.5]),
            "dy": round(float(rng.uniform(1.1, 2)), 1),
        },
        use=pick_and_back,
    ),
    hints=(
        Text(
            "How does a layer say that an output sends no gradient back? And how many gradients"
            " does its backward take then?",
            "一个层怎样说明某个输出不传回梯度？这时它的 backward 接收几个梯度？",
        ),
        Text(
            "In forward: ctx.mark_non_differentiable(place). Backward takes a gradient for each"
            " output, but uses only the first: dy goes where hit is 1.",
            "forward 里写 ctx.mark_non_differentiable(place)。backward 为每个输出各接收一个梯度，"
            "但只用第一个：hit 是 1 的地方，dy 才过去。",
        ),
        Text(
            "And backward has two lines: (hit,) = ctx.saved_tensor() and return dy * hit",
            "backward 里写两行：(hit,) = ctx.saved_tensor() 和 return dy * hit",
        ),
    ),
    solution=solution_in(SOLVED, "largest"),
    praise=Text(
        "The gradient goes to the largest number alone, and place wants none.",
        "梯度只去了最大的那个数，而 place 不要梯度。",
    ),
    slips=(
        Slip(
            "not_marked",
            gives=picking(lambda dy, hit: dy * hit, mark=lambda ctx, place: None),
            hint=Text(
                "Numbers and gradient are right, but place.stop_gradient is False: whoever uses it"
                " expects a gradient from there. Mark it through ctx; to set the flag inside"
                " forward does not help, since apply sets the flags of its outputs after that.",
                "数和梯度都对，但 place.stop_gradient 是 False：谁用了它，都会等着从那里来的梯度。"
                "要通过 ctx 标记它；在 forward 里设标志没有用，因为在那之后，apply 会自己设好各个"
                "输出的标志。",
            ),
        ),
        Slip(
            "marked_another",
            raises="is no output of this forward",
            hint=Text(
                "What you marked is not one of the two Tensors that are returned. Mark place"
                " itself: not hit, not x, and no second x.argmax(), which makes another Tensor.",
                "你标记的不是返回的那两个 Tensor 之一。要标记 place 本身：不是 hit，不是 x，也不是"
                "再写一次 x.argmax()，那样得到的是另一个 Tensor。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=picking(lambda dy, hit: hit),
            hint=Text(
                "hit says where the gradient goes. How large it is, dy says: multiply.",
                "hit 说的是梯度去哪里；有多大，由 dy 说了算：要相乘。",
            ),
        ),
        Slip(
            "spread",
            gives=picking(lambda dy, hit: dy * paddle.ones_like(hit)),
            hint=Text(
                "dy went to every number. Only the largest one acts on the result: multiply by"
                " hit.",
                "dy 传给了每个数。对结果起作用的只有最大的那个：要乘以 hit。",
            ),
        ),
        Slip(
            "one_argument",
            raises="backward() takes 2 positional arguments but 3 were given",
            hint=Text(
                "Rule 2 counts marked Tensors too: backward(ctx, dy, dplace).",
                "规则 2 把标记过的 Tensor 也数在内：backward(ctx, dy, dplace)。",
            ),
        ),
        Slip(
            "two_returned",
            raises="should be 1, but received 2",
            hint=Text(
                "forward took one Tensor, so one gradient goes back. place is an output, not an"
                " input.",
                "forward 只接收了一个 Tensor，所以返回一个梯度。place 是输出，不是输入。",
            ),
        ),
    ),
)


# ----- square_and_cube ---------------------------------------------------------------------------


def both_powers(backward, materialize=False):
    """What exercise 4 asks for, with another backward, which gets x and both gradients."""

    def forward(ctx, x):
        ctx.set_materialize_grads(materialize)
        ctx.save_for_backward(x)
        return x * x, x * x * x

    return layer(
        "square_and_cube",
        forward,
        lambda ctx, dsquare, dcube: backward(*ctx.saved_tensor(), dsquare, dcube),
    )


def added(x, dsquare, dcube):
    """The parts that came, added up."""
    return of_square(x, dsquare) + of_cube(x, dcube)


def of_square(x, dsquare):
    """The part of the first output, if a gradient came for it."""
    return 0 if dsquare is None else dsquare * 2 * x


def of_cube(x, dcube):
    """The part of the second output, if a gradient came for it."""
    return 0 if dcube is None else dcube * 3 * x * x


def if_both(x, dsquare, dcube):
    """Nothing unless both came."""
    return paddle.zeros_like(x) if dsquare is None or dcube is None else added(x, dsquare, dcube)


def in_turn(answer, x, dsquare, dcube):
    """Use the first output, the second, and both; count the Nones that backward gets."""
    nones = []

    def backward(ctx, *grads):
        nones.extend(grad is None for grad in grads)
        return answer.backward(ctx, *grads)

    watched = type(answer.__name__, (answer,), {"backward": staticmethod(backward)})
    starts = (
        named(dsquare, "dsquare", stop_gradient=True),
        named(dcube, "dcube", stop_gradient=True),
    )
    came = {}
    for case, used in (("square alone", [0]), ("cube alone", [1]), ("both", [0, 1])):
        leaf = named(x, "x")
        outputs = watched.apply(leaf)
        paddle.autograd.backward([outputs[k] for k in used], [starts[k] for k in used])
        came |= {f"dx, {case}": leaf.grad}
    came |= {"square": outputs[0], "cube": outputs[1], "how often None": sum(nones)}
    return came


square_and_cube = Exercise(
    "square_and_cube",
    title=Text("None in place of zeros", "不补 0，而给 None"),
    check=checks.experiment(
        both_powers(added),
        inputs=lambda rng: {
            "x": np.round(rng.uniform(1, 2, 3), 1),
            "dsquare": np.round(rng.uniform(1, 2, 3), 1),
            "dcube": np.round(rng.uniform(1, 2, 3), 1),
        },
        use=in_turn,
        zh={
            "dx, square alone": "dx，只用平方",
            "dx, cube alone": "dx，只用立方",
            "dx, both": "dx，两个都用",
            "how often None": "收到 None 的次数",
        },
    ),
    hints=(
        Text(
            "In forward, say that you want None, and save x. In backward begin with zeros, and add"
            " a part for each gradient that is not None.",
            "在 forward 里说明要 None，并保存 x。在 backward 里从 0 开始，每个不是 None 的梯度，加"
            "上它的那一份。",
        ),
        Text(
            "ctx.set_materialize_grads(False) and ctx.save_for_backward(x). Then dx ="
            " paddle.zeros_like(x), and twice: if the gradient is not None: dx = dx + ...",
            "ctx.set_materialize_grads(False) 和 ctx.save_for_backward(x)。然后 dx ="
            " paddle.zeros_like(x)，再写两次：如果梯度不是 None，dx = dx + ...",
        ),
        Text(
            "if dsquare is not None: dx = dx + dsquare * 2 * x. If dcube is not None: dx = dx +"
            " dcube * 3 * x * x. At the end return dx.",
            "if dsquare is not None: dx = dx + dsquare * 2 * x；if dcube is not None: dx = dx +"
            " dcube * 3 * x * x；最后 return dx。",
        ),
    ),
    solution=solution_in(SOLVED, "square_and_cube"),
    praise=Text(
        "Each part is computed only where a gradient came for it.", "来了梯度，才算那一份。"
    ),
    slips=(
        Slip(
            "still_zeros",
            gives=both_powers(added, materialize=True),
            hint=Text(
                "The gradients are right, but backward was given zeros, never None. Say"
                " ctx.set_materialize_grads(False) in forward.",
                "梯度是对的，但 backward 收到的是 0，一次也没有 None。请在 forward 里写"
                " ctx.set_materialize_grads(False)。",
            ),
        ),
        Slip(
            "not_asked",
            seen=lambda trial: "NoneType" in str(trial.error) and "forward" not in str(trial.error),
            hint=Text(
                "Something was None, and was computed with. A gradient may be None now: ask first,"
                " if dsquare is not None. (Or x was not saved.)",
                "有什么是 None，却拿去计算了。现在梯度可能是 None：先问一问，if dsquare is not"
                " None。（也可能是 x 没有保存。）",
            ),
        ),
        Slip(
            "either_or",
            gives=both_powers(
                lambda x, dsquare, dcube: (
                    of_cube(x, dcube) if dsquare is None else of_square(x, dsquare)
                )
            ),
            hint=Text(
                "If both gradients came, the part of the cube is lost: an elif, or an else,"
                " looks at it only when the first is None. Write a second if.",
                "两个梯度都来了的时候，立方的那一份丢了：elif 和 else 只在第一个是 None 时才去看"
                "它。要再写一个 if。",
            ),
        ),
        Slip(
            "overwritten",
            gives=both_powers(
                lambda x, dsquare, dcube: (
                    of_square(x, dsquare) if dcube is None else of_cube(x, dcube)
                )
            ),
            hint=Text(
                "If both gradients came, only the part of the cube is left. Add it to that of"
                " the square: dx = dx + ...",
                "两个梯度都来了的时候，只剩立方的那一份。要和平方的那一份相加：dx = dx + ...",
            ),
        ),
        Slip(
            "both_or_nothing",
            gives=both_powers(if_both),
            hint=Text(
                "With one gradient alone nothing comes out. Ask for each of them by itself.",
                "只来一个梯度时，什么也没有算出来。两个要分开来问。",
            ),
        ),
        Slip(
            "truth_of_a_tensor",
            raises="only contain one element",
            hint=Text(
                "A Tensor of several numbers is neither true nor false. Ask: is not None.",
                "有好几个数的 Tensor，说不上是真是假。要这样问：is not None。",
            ),
        ),
        Slip(
            "set_in_backward",
            raises="set_materialize_grads() of",
            hint=Text(
                "ctx.set_materialize_grads belongs into forward: in backward the zeros are there"
                " already.",
                "ctx.set_materialize_grads 要写在 forward 里：到了 backward，0 已经补好了。",
            ),
        ),
    ),
)
