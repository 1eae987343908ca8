"""The exercises of lesson 1: what they compute, their classic mistakes, their hints."""

import minipaddle as paddle
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in

TITLE = Text("One tanh, forwards and backwards", "一个 tanh，正着走，再倒着走")
SOLVED = Text("../solutions/01_one_tanh.ipynb", "../solutions/zh/01_one_tanh.ipynb")


# ----- predictions -------------------------------------------------------------------------------

first_back = Prediction(
    "first_back",
    question=Text(
        "z = cus_tanh.apply(data), then z.mean().backward(). Whose backward runs first?",
        "z = cus_tanh.apply(data)，然后 z.mean().backward()。谁的反向先运行？",
    ),
    choices=[
        Text("that of mean", "mean 的"),
        Text("that of cus_tanh", "cus_tanh 的"),
        Text("both at once", "两个同时"),
    ],
    truth="that of mean",
    because=Text(
        "Backward starts at the loss, and the mean was the last step before it.",
        "反向从损失出发，而求均值是损失之前的最后一步。",
    ),
)

what_dy = Prediction(
    "what_dy",
    question=Text(
        "data has 6 numbers, and the loss is the mean of the 6 numbers of z. cus_tanh.backward"
        " receives dy, how fast the loss changes with each of them. Which number stands in every"
        " place of dy?",
        "data 有 6 个数，损失是 z 的 6 个数的均值。cus_tanh.backward 收到 dy，即损失随其中每个数的"
        "变化率。dy 的每个位置上是什么数？",
    ),
    kind="number",
    truth="1/6",
    because=Text(
        "When one of six numbers grows by a little, their mean grows by a sixth of that.",
        "六个数里有一个增加一点点，均值就增加它的六分之一。",
    ),
)

of_minus_two = Prediction(
    "of_minus_two",
    question=Text(
        "x holds 1, -2 and 3, and the loss is the mean of their squares. What is the gradient of"
        " the -2? (A fraction such as 1/6 is fine.)",
        "x 里是 1、-2 和 3，损失是它们平方的均值。-2 的梯度是多少？（写成 1/6 这样的分数也可以。）",
    ),
    kind="number",
    truth="-4/3",
    because=Text(
        "dy is 1/3, the derivative of x² is 2x = -4, and backward multiplies the two.",
        "dy 是 1/3，x² 的导数是 2x = -4，反向把两者相乘。",
    ),
)


# ----- square ------------------------------------------------------------------------------------


def x_times_x(x):
    """The function of exercise 1."""
    return x * x


square = Exercise(
    "square",
    title=Text("The backward of x²", "x² 的反向"),
    check=checks.pylayer(x_times_x, save="x", take="(x,)"),
    hints=(
        Text(
            "Think of one element: y = x². When x grows by a little, how much does y grow?"
            " Then remember dy, the factor that comes from later.",
            "先只看一个元素：y = x²。x 增加一点点时，y 增加多少？还要记得后面传来的因子 dy。",
        ),
        Text(
            "The derivative of x² is 2x, so dx = dy * 2x. backward needs x for that, and only"
            " forward has it: save it there.",
            "x² 的导数是 2x，所以 dx = dy * 2x。这里要用到 x，而只有 forward 手里有 x："
            "请在 forward 里把它保存下来。",
        ),
        Text(
            "Three lines: ctx.save_for_backward(x) in forward; (x,) = ctx.saved_tensor() and"
            " return dy * 2 * x in backward.",
            "一共三行：forward 里写 ctx.save_for_backward(x)；backward 里写"
            " (x,) = ctx.saved_tensor() 和 return dy * 2 * x。",
        ),
    ),
    solution=solution_in(SOLVED, "square"),
    praise=Text(
        "Your gradient agrees with finite differences on 5 shapes.",
        "在 5 种形状上，你的梯度都与有限差分一致。",
    ),
    slips=(
        Slip(
            "forgot_dy",
            gives=lambda dy, x: 2 * x,
            hint=Text(
                "2 * x is how fast y changes with x. By the chain rule it still has to be"
                " multiplied by dy, which says how fast the loss changes with y.",
                "2 * x 只是 y 随 x 的变化率。按链式法则还要乘上 dy，也就是损失随 y 的变化率。",
            ),
        ),
        Slip(
            "forgot_two",
            gives=lambda dy, x: dy * x,
            hint=Text(
                "Every number is half of what it should be. In x * x, x stands twice, and both"
                " places count: the derivative is 2x.",
                "每个数都正好是正确值的一半。x * x 里 x 出现了两次，两处都要算：导数是 2x。",
            ),
        ),
        Slip(
            "forgot_x",
            gives=lambda dy, x: dy * 2,
            hint=Text(
                "dy is multiplied by 2, the same for every element. How fast x² changes depends on"
                " where x is: its derivative is 2x.",
                "dy 只乘了 2，每个元素都一样。x² 变化得多快，要看 x 是多少：它的导数是 2x。",
            ),
        ),
        Slip(
            "as_in_tanh",
            gives=lambda dy, x: dy * (1 - x * x),
            hint=Text(
                "This is the pattern of tanh, whose derivative is 1 - y². Here dy has to be"
                " multiplied by the derivative of x².",
                "这是 tanh 的写法，它的导数是 1 - y²。这里 dy 要乘的是 x² 的导数。",
            ),
        ),
        Slip(
            "passed_through",
            gives=lambda dy, x: dy,
            hint=Text(
                "dy came out as it went in. backward must multiply it by the derivative of x².",
                "dy 原样传了出去。backward 要把它乘上 x² 的导数。",
            ),
        ),
        Slip(
            "returned_forward",
            gives=lambda dy, x: x * x,
            hint=Text(
                "This is y again, the value of forward. backward gives back the gradient of x:"
                " dy times the derivative of x².",
                "这还是 forward 的值 y。backward 要返回的是 x 的梯度：dy 乘以 x² 的导数。",
            ),
        ),
        Slip(
            "times_forward",
            gives=lambda dy, x: dy * x * x,
            hint=Text(
                "dy is multiplied by x² itself. Multiply it by the derivative of x².",
                "这里 dy 乘的是 x² 本身，应该乘 x² 的导数。",
            ),
        ),
        Slip(
            "saved_output",
            gives=lambda dy, x: dy * 2 * x * x,
            hint=Text(
                "This is dy * 2 * y. tanh's derivative is written with y, but that of x² needs"
                " x: save x, and take it back.",
                "这是 dy * 2 * y。tanh 的导数可以用 y 表示，x² 的导数却要用 x：保存 x，再取回来。",
            ),
        ),
    ),
)


# ----- gated_tanh --------------------------------------------------------------------------------


def a_times_tanh(a, b):
    """The function of exercise 2."""
    return a * paddle.tanh(b)


def right(dy, a, b):
    """Its two gradients."""
    return dy * paddle.tanh(b), dy * a * slope(b)


def slope(b):
    """The derivative of tanh."""
    return 1 - paddle.tanh(b) ** 2


gated_tanh = Exercise(
    "gated_tanh",
    title=Text("Two inputs: a · tanh(b)", "两个输入：a · tanh(b)"),
    check=checks.pylayer(a_times_tanh, save="a, t", take="a, t"),
    hints=(
        Text(
            "One input at a time, while the other is held fixed. What is the derivative of"
            " a * tanh(b) with respect to a? And with respect to b?",
            "一次只看一个输入，把另一个当作常数。a * tanh(b) 对 a 的导数是什么？对 b 呢？",
        ),
        Text(
            "With t = tanh(b): for a the derivative is t, for b it is a * (1 - t²). Both are"
            " multiplied by dy. So backward needs a and t.",
            "记 t = tanh(b)：对 a 的导数是 t，对 b 的导数是 a * (1 - t²)，两个都要乘 dy。"
            "所以 backward 需要 a 和 t。",
        ),
        Text(
            "In forward: ctx.save_for_backward(a, t). In backward: a, t = ctx.saved_tensor();"
            " da = dy * t; db = dy * a * (1 - t * t); return da, db.",
            "forward 里：ctx.save_for_backward(a, t)。backward 里：a, t = ctx.saved_tensor()；"
            "da = dy * t；db = dy * a * (1 - t * t)；return da, db。",
        ),
    ),
    solution=solution_in(SOLVED, "gated_tanh"),
    praise=Text(
        "Both gradients agree with finite differences on 5 shapes.",
        "在 5 种形状上，两个梯度都与有限差分一致。",
    ),
    slips=(
        Slip(
            "swapped",
            gives=lambda dy, a, b: right(dy, a, b)[::-1],
            hint=Text(
                "Both gradients are right, but in the wrong order. They go back in the order of"
                " forward's inputs: first a's, then b's.",
                "两个梯度都算对了，但顺序反了。返回顺序要与 forward 的输入一致：先 a 的，后 b 的。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=lambda dy, a, b: (paddle.tanh(b), a * slope(b)),
            hint=Text(
                "These are the two derivatives. The chain rule still asks for the factor dy, in"
                " both.",
                "这是两个导数本身。按链式法则，两个都还要乘上 dy。",
            ),
        ),
        Slip(
            "forgot_a",
            gives=lambda dy, a, b: (dy * paddle.tanh(b), dy * slope(b)),
            hint=Text(
                "da is right. In db the factor a is missing: tanh(b) is multiplied by a in forward,"
                " so its derivative is too.",
                "da 对了。db 里少了因子 a：forward 里 tanh(b) 乘了 a，求导之后也要乘 a。",
            ),
        ),
        Slip(
            "forgot_slope",
            gives=lambda dy, a, b: (dy * paddle.tanh(b), dy * a),
            hint=Text(
                "da is right. db stops at t: go one step further back, through tanh, whose"
                " derivative is 1 - t².",
                "da 对了。db 只推到了 t，还要再往回走一步，穿过 tanh，它的导数是 1 - t²。",
            ),
        ),
        Slip(
            "slope_of_b",
            gives=lambda dy, a, b: (dy * paddle.tanh(b), dy * a * (1 - b * b)),
            hint=Text(
                "da is right. In 1 - t² the t is tanh(b), the output of tanh; you put b there.",
                "da 对了。1 - t² 里的 t 是 tanh(b)，即 tanh 的输出，而你代入的是 b。",
            ),
        ),
        Slip(
            "saved_b",
            gives=lambda dy, a, b: (dy * b, dy * a * (1 - b * b)),
            hint=Text(
                "This is calculated with b. The formulas want tanh(b): save t.",
                "这里用的是 b，公式里要的是 tanh(b)：请保存 t。",
            ),
        ),
        Slip(
            "taken_in_other_order",
            gives=lambda dy, a, b: (dy * a, dy * paddle.tanh(b) * (1 - a * a)),
            hint=Text(
                "a and t have changed places in both gradients. Take them back in the order in"
                " which they were saved, and see which stands where.",
                "两个梯度里 a 和 t 都对调了。取回的顺序要和保存的顺序一致，再看看各自写在哪里。",
            ),
        ),
        Slip(
            "brackets",
            gives=lambda dy, a, b: (dy * paddle.tanh(b), dy * a - paddle.tanh(b) ** 2),
            hint=Text(
                "da is right. Look at the brackets in db: dy * a * (1 - t * t).",
                "da 对了。db 检查括号：dy * a * (1 - t * t)。",
            ),
        ),
        Slip(
            "same_twice",
            gives=lambda dy, a, b: (dy, dy),
            hint=Text(
                "dy came out twice as it went in. Each input has a derivative of its own to"
                " multiply it by.",
                "dy 原样传出去了两次。每个输入都要乘上各自的导数。",
            ),
        ),
        Slip(
            "returned_forward",
            gives=lambda dy, a, b: (a * paddle.tanh(b),) * 2,
            hint=Text(
                "This is forward's value, twice. backward gives back gradients: da and db.",
                "这是 forward 的值，返回了两次。backward 要返回的是梯度 da 和 db。",
            ),
        ),
    ),
)


# ----- record ------------------------------------------------------------------------------------


def says(trace, words):
    """Whether some step of a recording says this."""
    return any(words in step.text for step in trace.steps)


record = Exercise(
    "record",
    title=Text("Record your own layer", "录制自己的层"),
    answer="recording",
    check=checks.trace(
        {
            "gated_tanh.forward is called": Text(
                "gated_tanh does not run in this recording. Apply it inside the with.",
                "这段录制里没有运行 gated_tanh。请在 with 里面调用它。",
            ),
            "gated_tanh.backward is called": Text(
                "The backward of gated_tanh does not run in this recording. Call"
                " .mean().backward() inside the with, on tensors with stop_gradient=False.",
                "这段录制里没有运行 gated_tanh 的反向。请在 with 里面调用 .mean().backward()，"
                "并让 a 和 b 的 stop_gradient 为 False。",
            ),
        }
    ),
    hints=(
        Text(
            "Section 4 ends with the pattern: make the inputs first, then two lines inside"
            " with viz.record() as name:, and the name alone in the last line of the cell.",
            "第 4 节最后有现成的写法：先创建输入，再在 with viz.record() as 名字: 里面写两行，"
            "单元格最后一行只写这个名字。",
        ),
        Text(
            "A tensor with a gradient of its own: paddle.to_tensor([0.5, -1.0, 2.0],"
            ' dtype="float64", stop_gradient=False). Make a and b like this, of one shape.',
            '需要梯度的 Tensor 这样创建：paddle.to_tensor([0.5, -1.0, 2.0], dtype="float64",'
            " stop_gradient=False)。a 和 b 都这样创建，形状相同。",
        ),
        Text(
            "Inside the with: gated_tanh.apply(a, b).mean().backward(). No backward of your layer"
            " in the player? Then a and b have stop_gradient True.",
            "with 里面写：gated_tanh.apply(a, b).mean().backward()。播放器里没有这个层的反向？"
            "那是 a 和 b 的 stop_gradient 还是 True。",
        ),
    ),
    solution=solution_in(SOLVED, "record"),
    slips=(
        Slip(
            "wants_none",
            seen=lambda trace: any(step.kind == "idle" for step in trace.steps),
            hint=Text(
                "A backward() in this recording had nothing to do: nothing before it wants a"
                " gradient. Make a and b with stop_gradient=False, both.",
                "这段录制里有一个 backward() 无事可做：它前面没有谁要梯度。创建 a 和 b 时，两个"
                "都要写 stop_gradient=False。",
            ),
        ),
        Slip(
            "other_layer",
            seen=lambda trace: not says(trace, "gated_tanh"),
            hint=Text(
                "gated_tanh is not in this recording at all. Inside the with, call"
                " gated_tanh.apply(a, b).",
                "这段录制里根本没有 gated_tanh。请在 with 里面调用 gated_tanh.apply(a, b)。",
            ),
        ),
        Slip(
            "layer_outside",
            seen=lambda trace: (
                says(trace, "gated_tanh.backward is called")
                and not says(trace, "gated_tanh.forward is called")
            ),
            hint=Text(
                "Backward was recorded, but forward had run before. Move gated_tanh.apply(a, b)"
                " into the with.",
                "反向录下来了，但前向在录制之前就运行过了。把 gated_tanh.apply(a, b) 移到 with 里"
                "面。",
            ),
        ),
        Slip(
            "no_backward",
            seen=lambda trace: not any(step.phase == "backward" for step in trace.steps),
            hint=Text(
                "No step of this recording is a backward one. End the line with"
                " .mean().backward(), inside the with.",
                "这段录制里没有一步是反向。这一行最后要写 .mean().backward()，而且写在 with 里面。",
            ),
        ),
    ),
)
