"""The exercises of lesson 10: Programs, what is fed and fetched, and append_backward."""

import numpy as np

import minipaddle as paddle
from minipaddle import nn, static
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.workbench import static_mode
from minipaddle.nn import functional as F

TITLE = Text("Programs: built once, run often", "Program：组网一次，运行多次")
SOLVED = Text("../solutions/10_programs.ipynb", "../solutions/zh/10_programs.ipynb")


# ----- predictions -------------------------------------------------------------------------------

shown = Prediction(
    "shown",
    question=Text(
        "In static mode: x = static.data('x', [-1, 3], 'float32'), then y = paddle.tanh(x * 2)."
        " What does print(y) show?",
        "静态图模式下：x = static.data('x', [-1, 3], 'float32')，然后 y = paddle.tanh(x * 2)。"
        "print(y) 显示什么？",
    ),
    choices=[
        Text("three zeros", "三个 0"),
        Text("a name, a shape and a dtype", "名字、形状和数据类型"),
        Text("nothing: it is an error", "什么也没有：报错"),
    ],
    truth="a name, a shape and a dtype",
    because=Text(
        "There are no numbers yet, and no number of rows either: the −1 stands for any. What is"
        " known of y is known from the shapes alone.",
        "还没有数，连有几行也不知道：−1 表示任意。关于 y，仅凭形状就能知道的，都显示了出来。",
    ),
)

rows = Prediction(
    "rows",
    question=Text(
        "The same Program. 5 rows are fed for x, whose shape is declared as [-1, 3]. What is the"
        " shape of the array that is fetched for y?",
        "还是这个 Program。x 声明的形状是 [-1, 3]，输入 5 行数据。取回的 y 是什么形状？",
    ),
    kind="shape",
    truth=[5, 3],
    because=Text(
        "The −1 is filled in by each run, from what is fed. The next run may have another number.",
        "每次运行时，−1 由输入的数据确定。下一次运行可以是别的行数。",
    ),
)

not_started = Prediction(
    "not_started",
    question=Text(
        "A Program has a layer with a weight. Somebody makes an Executor and runs the main program"
        " at once, without the startup program. What happens?",
        "一个 Program 里有一个带权重的层。有人创建了执行器，马上运行主程序，没有运行启动程序。"
        "会怎样？",
    ),
    choices=[
        Text("it computes with a weight of zeros", "用全 0 的权重计算"),
        Text("it computes with a random weight", "用随机的权重计算"),
        Text("an error", "报错"),
    ],
    truth="an error",
    because=Text(
        "The operators that fill the weight stand in the startup program. The main program only"
        " uses what they left in the scope, and there is nothing.",
        "给权重填上初始值的算子，在启动程序里。主程序只会用它们留在作用域里的东西，而那里什么都没有。",
    ),
)

how_often = Prediction(
    "how_often",
    question=Text(
        "The function net computes a loss and contains a print. A Program is built by calling"
        " net(x) once; then exe.run runs it three times. How often does it print?",
        "函数 net 计算损失，里面有一个 print。调用一次 net(x) 来组网，然后 exe.run 运行三次。"
        "一共打印几次？",
    ),
    kind="count",
    truth=1,
    because=Text(
        "Python ran net once, to build. What runs three times is the list of operators, and print"
        " is none of them.",
        "Python 只在组网时运行了一次 net。运行三次的，是那一列算子，而 print 不在其中。",
    ),
)

how_many = Prediction(
    "how_many",
    question=Text(
        "The Program has seven operators, from x to the loss; each has to hand a gradient on. How"
        " many does append_backward add?",
        "Program 从 x 到损失共有 7 个算子，每一个都要把梯度往回传。append_backward 会添加几个？",
    ),
    kind="count",
    truth=8,
    because=Text(
        "One backward operator for each of the seven, and in front of them one that makes the"
        " gradient of the loss itself: 1.",
        "7 个算子各有一个反向算子，最前面还有一个，产生损失对自己的梯度：1。",
    ),
)

moves = Prediction(
    "moves",
    question=Text(
        "minimize(loss) has been called while the Program was built. Somebody runs it once more,"
        " only to look: fetch_list=[loss]. Do the weights change?",
        "组网时调用过 minimize(loss)。有人再运行一次，只是想看看：fetch_list=[loss]。权重会变吗？",
    ),
    choices=[
        Text("no: only the loss was asked for", "不会：要的只是损失"),
        Text("no: the gradients were not fetched", "不会：没有取回梯度"),
        Text("yes", "会"),
    ],
    truth="yes",
    because=Text(
        "All operators of a Program run, whatever is fetched, and the update is one of them.",
        "不管取回什么，Program 的所有算子都会运行，而更新就是其中的算子。",
    ),
)


# ----- mean_square -------------------------------------------------------------------------------


def built(expression):
    """An answer that builds a Program of two inputs by this expression."""

    def answer():
        main = static.Program()
        with static.program_guard(main):
            a = static.data("a", [-1, 2], "float32")
            b = static.data("b", [-1, 2], "float32")
            loss = expression(a, b)
        return main, loss

    return answer


def is_program_and_loss(returned):
    """Whether two things came back, the Program first."""
    return (
        isinstance(returned, tuple | list)
        and len(returned) == 2
        and isinstance(returned[0], static.Program)
    )


def run_with_two(answer, a, b):
    """Run what the answer builds with all rows, and with the first."""
    with static_mode():
        returned = answer()
    if returned is None:
        return {}
    if not is_program_and_loss(returned):
        raise TypeError("not a Program and its loss")
    main, loss = returned
    came = {"the Program has operators": bool(main.global_block().ops)}
    if not came["the Program has operators"]:
        return came
    with static_mode():  # which the answer may have switched off
        for name, count in (("loss, 4 rows", 4), ("loss, 1 row", 1)):
            feed = {"a": a[:count], "b": b[:count]}
            [came[name]] = static.Executor().run(main, feed=feed, fetch_list=[loss])
    return came


def two_arrays(rng):
    """Four rows for each of the two inputs."""
    a, b = np.round(rng.uniform(-2, 2, (2, 4, 2)), 1).astype("float32")
    return {"a": a, "b": b}


mean_square = Exercise(
    "mean_square",
    title=Text("A Program of one's own", "自己的 Program"),
    check=checks.experiment(
        built(lambda a, b: paddle.mean(paddle.square(a - b))),
        inputs=two_arrays,
        use=run_with_two,
        zh={
            "the Program has operators": "Program 里有算子",
            "loss, 4 rows": "loss，4 行",
            "loss, 1 row": "loss，1 行",
        },
    ),
    hints=(
        Text(
            "Section 1 has all parts: a new Program, program_guard, and in it static.data twice.",
            "各部分第 1 节都有：新的 Program、program_guard，里面用两次 static.data。",
        ),
        Text(
            'static.data("a", [-1, 2], "float32"), the same for "b", then paddle.mean and'
            " paddle.square.",
            'static.data("a", [-1, 2], "float32")，"b" 也一样，然后用 paddle.mean 和'
            " paddle.square。",
        ),
        Text(
            "In the with: loss = paddle.mean(paddle.square(a - b)). After it: return main, loss.",
            "with 里面：loss = paddle.mean(paddle.square(a - b))。之后：return main, loss。",
        ),
    ),
    solution=solution_in(SOLVED, "mean_square"),
    praise=Text(
        "One Program, run with four rows and with one.",
        "同一个 Program，用四行和一行各运行了一次。",
    ),
    slips=(
        Slip(
            "fixed_rows",
            raises="has the wrong shape",
            hint=Text(
                "A declared shape does not fit what is fed. Each row has 2 numbers, and there may"
                " be any number of rows: [-1, 2].",
                "声明的形状与输入的数据不符。每行 2 个数，行数任意：[-1, 2]。",
            ),
        ),
        Slip(
            "other_names",
            raises="the feed for",
            hint=Text(
                "The check feeds “a” and “b”. What counts is the name given to static.data, not"
                " Python's variable.",
                "检查时输入数据用的名字是 “a” 和 “b”。起作用的是传给 static.data 的名字，而不是"
                " Python 的变量名。",
            ),
        ),
        Slip(
            "outside",
            seen=lambda trial: trial.came_as("the Program has operators", False),
            hint=Text(
                "The Program that came back is empty. Build inside with"
                " static.program_guard(main):, else the operators go into the default one.",
                "返回的 Program 是空的。请在 with static.program_guard(main): 里面组网，否则算子"
                "会进默认的那个。",
            ),
        ),
        Slip(
            "numpy",
            raises="does not support ufuncs",
            hint=Text(
                "NumPy computes at once, and while a Program is built there are no numbers. Write"
                " paddle.mean and paddle.square.",
                "NumPy 马上就要计算，而组网的时候还没有数。请写 paddle.mean 和 paddle.square。",
            ),
        ),
        Slip(
            "not_squared",
            gives=built(lambda a, b: paddle.mean(a - b)),
            hint=Text(
                "This is the mean of the differences. Square them first.",
                "这是差的均值。先求平方。",
            ),
        ),
        Slip(
            "summed",
            gives=built(lambda a, b: paddle.sum(paddle.square(a - b))),
            hint=Text(
                "This is the sum of the squares. Asked for is their mean.",
                "这是平方的和。要的是均值。",
            ),
        ),
        Slip(
            "squared_last",
            gives=built(lambda a, b: paddle.square(paddle.mean(a - b))),
            hint=Text(
                "First square, then take the mean: differences of opposite sign cancel here.",
                "先平方，再求均值：现在这样，符号相反的差会互相抵消。",
            ),
        ),
        Slip(
            "one_of_two",
            raises="not a Program and its loss",
            hint=Text(
                "Two things are asked for, the Program first: return main, loss. The one is run,"
                " the other fetched.",
                "要返回两样东西，Program 在前：return main, loss。一个用来运行，一个用来取回。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. End with return main, loss.",
                "什么也没有返回。最后要写 return main, loss。",
            ),
        ),
    ),
)


# ----- slope_of ----------------------------------------------------------------------------------


def fetched(what):
    """An answer that fetches this of x and the loss."""

    def answer(loss_of, values):
        main = static.Program()
        with static.program_guard(main):
            x = static.data("x", values.shape, "float32")
            x.stop_gradient = False
            loss = loss_of(x)
            static.append_backward(loss)
        return static.Executor().run(main, feed={"x": values}, fetch_list=[what(x, loss)])[0]

    return answer


def of_three_numbers(answer, values, weight):
    """What the answer gives for a loss of three numbers; why, where it finds no gradient."""
    built_from = []

    def loss_of(x):
        built_from.append((x, x.stop_gradient))
        return paddle.mean(paddle.square(x * weight + 1))

    with static_mode():
        try:
            dx = answer(loss_of, values)
        except Exception as error:
            if built_from and "cannot be fetched" in str(error):
                raise ValueError(why_no_gradient(*built_from[-1], str(error))) from error
            if built_from and ("got 0)" in str(error) or isinstance(error, IndexError)):
                raise ValueError("no parameters, so no pairs") from error
            raise
    return {} if dx is None else {"an array": isinstance(dx, np.ndarray), "dx": np.asarray(dx)}


def why_no_gradient(x, stopped, said):
    """Why something could not be fetched from the Program of x, as the error said."""
    if stopped:
        return "x stops the gradient"
    operators = x.block.program.global_block().ops
    appended = any(op.type.endswith("_grad") for op in operators)
    if not appended:
        return "no backward operators"
    return "another Program ran" if f"'{x.name}@GRAD'" in said else "there is no such gradient"


slope_of = Exercise(
    "slope_of",
    title=Text("A gradient by append_backward", "用 append_backward 求梯度"),
    check=checks.experiment(
        fetched(lambda x, loss: x.name + "@GRAD"),
        inputs=lambda rng: {
            "values": np.round(rng.uniform(0.5, 2, rng.integers(2, 6)), 1).astype("float32"),
            "weight": round(float(rng.uniform(2, 3)), 1),
        },
        use=of_three_numbers,
        zh={"an array": "是数组"},
    ),
    hints=(
        Text(
            "Two things before you build the loss: the input, and that it wants a gradient.",
            "计算损失之前有两件事：输入，以及它要梯度。",
        ),
        Text(
            "x.stop_gradient = False; then loss = loss_of(x) and static.append_backward(loss).",
            "x.stop_gradient = False；然后 loss = loss_of(x) 和 static.append_backward(loss)。",
        ),
        Text(
            'Run with feed={"x": values}, fetch_list=["x@GRAD"], and take the array out of the'
            " list.",
            '运行时 feed={"x": values}，fetch_list=["x@GRAD"]，再把数组从列表里取出来。',
        ),
    ),
    solution=solution_in(SOLVED, "slope_of"),
    praise=Text("Asked for by name, like any other Variable.", "像别的变量一样，用名字取回。"),
    slips=(
        Slip(
            "stopped",
            raises="x stops the gradient",
            hint=Text(
                "When the loss was built, x had stop_gradient=True, as every static.data has: so"
                " no x@GRAD was made. Write x.stop_gradient = False before loss_of(x).",
                "计算损失的时候，x 的 stop_gradient 是 True，static.data 都是这样，所以没有"
                " x@GRAD。请在 loss_of(x) 之前写 x.stop_gradient = False。",
            ),
        ),
        Slip(
            "not_appended",
            raises="no backward operators",
            hint=Text(
                "The Program has no backward operators, so there is no gradient to fetch:"
                " static.append_backward(loss), inside the with.",
                "Program 里没有反向算子，也就没有梯度可以取回：static.append_backward(loss)，写在"
                " with 里面。",
            ),
        ),
        Slip(
            "misnamed",
            raises="there is no such gradient",
            hint=Text(
                "The gradient is there, under another name: that of the input, “x”, and @GRAD after"
                " it, in capitals.",
                "梯度有了，但不叫这个名字：它的名字是输入的名字 “x”，后面加上大写的 @GRAD。",
            ),
        ),
        Slip(
            "other_program",
            raises="another Program ran",
            hint=Text(
                "x@GRAD is in your Program, but another one was run: without a Program, run takes"
                " the default one. Write exe.run(main, ...).",
                "你的 Program 里有 x@GRAD，运行的却是另一个：不写 Program，run 用的就是默认的那"
                "个。请写 exe.run(main, ...)。",
            ),
        ),
        Slip(
            "fetched_the_loss",
            gives=fetched(lambda x, loss: loss),
            hint=Text(
                "This is the loss. The gradient of x is called “x@GRAD”.",
                "这是损失。x 的梯度名叫 “x@GRAD”。",
            ),
        ),
        Slip(
            "from_pairs",
            raises="no parameters, so no pairs",
            hint=Text(
                "append_backward gives pairs of parameters, and here is no parameter: the list is"
                " empty. Fetch the gradient of x by its name, “x@GRAD”.",
                "append_backward 给出的是参数的配对，这里没有参数，所以是空列表。x 的梯度要用名字取"
                "回：“x@GRAD”。",
            ),
        ),
        Slip(
            "one_gradient",
            gives=fetched(lambda x, loss: loss.name + "@GRAD"),
            hint=Text(
                "This is the gradient of the loss with respect to itself, always 1. Fetch that of"
                " x.",
                "这是损失对自己的梯度，总是 1。要取回的是 x 的。",
            ),
        ),
        Slip(
            "a_list",
            seen=lambda trial: (
                trial.came_as("an array", False) and trial.came["dx"].shape[:1] == (1,)
            ),
            hint=Text(
                "What came back is a list of one, as run gives it. Take the array out of it:"
                " [dx] = exe.run(...).",
                "返回的是 run 给出的列表，里面只有一个。把那个数组取出来：[dx] = exe.run(...)。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. Return the array that was fetched.",
                "什么也没有返回。请返回取回的数组。",
            ),
        ),
    ),
)


# ----- train_program -----------------------------------------------------------------------------


def trained(main, startup, loss, feeds):
    """What exercise 2 asks for."""
    executor = static.Executor()
    executor.run(startup)
    return [float(executor.run(main, feed=feed, fetch_list=[loss])[0]) for feed in feeds]


def always_from_the_start(main, startup, loss, feeds):
    """The loop that fills the weights anew before each run."""
    return [trained(main, startup, loss, [feed])[0] for feed in feeds]


def always_the_first(main, startup, loss, feeds):
    """The loop that feeds the same each time."""
    return trained(main, startup, loss, [feeds[0]] * len(feeds))


def run_twice(main, startup, loss, feeds):
    """The loop that runs the Program once to train, and once to look."""
    return trained(main, startup, loss, [feed for feed in feeds for _ in range(2)])[1::2]


def only_one(trial):
    """Whether one loss came in place of several."""
    return trial.error is None and trial.came.get("losses", np.empty(2)).size == 1


def on_a_line(answer, x, y, weight):
    """Let the answer train a layer of one weight; see what it fetched."""
    with static_mode():
        loss = F.mse_loss(
            static.nn.fc(
                static.data("x", [-1, 1], "float32"),
                1,
                weight_attr=paddle.ParamAttr(initializer=nn.initializer.Constant(weight)),
            ),
            static.data("y", [-1, 1], "float32"),
        )
        paddle.optimizer.SGD(0.1).minimize(loss)
        feeds = [{"x": a, "y": b} for a, b in zip(x, y, strict=True)]
        main, startup = static.default_main_program(), static.default_startup_program()
        written = len(main.global_block().ops)
        try:
            losses = answer(main, startup, loss, feeds)
        finally:
            if len(main.global_block().ops) > written:
                raise ValueError("operators were added")
        if losses is None:
            return {}
        listed = losses if isinstance(losses, list | tuple) else [losses]
        plain = isinstance(losses, list) and all(isinstance(each, float) for each in losses)
        return {
            "losses": np.asarray([np.asarray(each).item() for each in listed], "float32"),
            "plain numbers in a list": plain,
        }


train_program = Exercise(
    "train_program",
    title=Text("The training loop of a Program", "Program 的训练循环"),
    check=checks.experiment(
        trained,
        inputs=lambda rng: {
            "x": np.round(rng.uniform(0.5, 1.5, (4, 3, 1)), 1).astype("float32"),
            "y": np.round(rng.uniform(1, 3, (4, 3, 1)), 1).astype("float32"),
            "weight": round(float(rng.uniform(-1, 0)), 1),
        },
        use=on_a_line,
        zh={"plain numbers in a list": "是由普通的数组成的列表"},
    ),
    hints=(
        Text(
            "Make an Executor. The startup program runs once; the main program in a loop over"
            " feeds.",
            "创建一个执行器。启动程序运行一次；主程序在遍历 feeds 的循环里运行。",
        ),
        Text(
            "In the loop: [value] = exe.run(main, feed=feed, fetch_list=[loss]), which takes the"
            " one array out of the list.",
            "循环里：[value] = exe.run(main, feed=feed, fetch_list=[loss])，这样就把列表里那一个"
            "数组取了出来。",
        ),
        Text(
            "Then losses.append(float(value)); return losses after the loop.",
            "然后 losses.append(float(value))；循环之后 return losses。",
        ),
    ),
    solution=solution_in(SOLVED, "train_program"),
    praise=Text(
        "Four lines of lesson 9 have become one, and the Program does the rest.",
        "第 9 课的四行变成了一行，其余的由 Program 去做。",
    ),
    slips=(
        Slip(
            "never_started",
            raises="has not been initialized",
            hint=Text(
                "The weights have no values: run the startup program before the loop.",
                "权重还没有值：循环之前要运行启动程序。",
            ),
        ),
        Slip(
            "started_again",
            gives=always_from_the_start,
            hint=Text(
                "Each loss is one of the weights as they were at first. Either the startup program"
                " runs before each batch and throws away what was learnt: run it once, before the"
                " loop. Or a copy is run that does not train: run main.",
                "每个损失用的都是最初的权重。要么每一批之前都运行了启动程序，学到的全被丢掉：它只运行一"
                "次，在循环之前；要么运行的是不训练的副本：要运行 main。",
            ),
        ),
        Slip(
            "same_batch",
            gives=always_the_first,
            hint=Text(
                "The first batch was fed each time. Feed the variable of the loop.",
                "每次输入的都是第一批。要输入的是循环变量。",
            ),
        ),
        Slip(
            "run_twice",
            gives=run_twice,
            hint=Text(
                "Each batch is run twice, and each run trains. Fetch the loss in the run that"
                " trains; there is no other.",
                "每一批都运行了两次，而每次运行都在训练。损失就在训练的那次运行里取回，不用另外再运行。",
            ),
        ),
        Slip(
            "minimized_again",
            raises="operators were added",
            hint=Text(
                "The Program got longer: minimize was called again. It has been through that when"
                " you get it, and only has to be run.",
                "Program 变长了：又调用了一次 minimize。交给你的时候已经调用过了，只要运行就行。",
            ),
        ),
        Slip(
            "not_all",
            seen=only_one,
            hint=Text(
                "Only one loss came back. Append each to a list in the loop; return losses"
                " belongs after it, as far to the left as for.",
                "只返回了一个损失。在循环里把每个损失加到列表里；return losses 要写在循环之后，"
                "缩进与 for 相同。",
            ),
        ),
        Slip(
            "the_list",
            raises="not 'list'",
            hint=Text(
                "run gives a list, even of one array, and float takes no list. Take the array out"
                " first: [value] = exe.run(...).",
                "run 给出的是列表，只有一个数组时也一样，而 float 不接收列表。先把数组取出来："
                "[value] = exe.run(...)。",
            ),
        ),
        Slip(
            "arrays",
            seen=lambda trial: trial.came_as("plain numbers in a list", False),
            hint=Text(
                "A list of plain numbers is asked for. run gives a list of arrays, one for each"
                " thing fetched: take the one out, and make a number of it, float(value).",
                "要的是普通数的列表。run 给出的是数组的列表，取回几样就有几个：把那一个拿出来，"
                "变成普通的数 float(value)。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. End with return losses.",
                "什么也没有返回。最后要写 return losses。",
            ),
        ),
    ),
)
