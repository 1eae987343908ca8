"""The exercises of lesson 11: operators written in NumPy, their backward, and looking."""

import warnings
from contextlib import contextmanager

import numpy as np

import minipaddle as paddle
from minipaddle import static
from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in
from minipaddle.exercises.workbench import static_mode

TITLE = Text("py_func: NumPy inside a Program", "py_func：Program 里的 NumPy")
SOLVED = Text("../solutions/11_py_func.ipynb", "../solutions/zh/11_py_func.ipynb")


def result_like(x):
    """A Variable for a result with the shape and dtype of x."""
    return x.block.create_var(shape=x.shape, dtype=x.dtype)


def points(rng):
    """The coordinates of a few points, none of them near the origin."""
    shape = 2, rng.integers(2, 6), 2
    x, y = np.round(rng.choice([-1, 1], shape) * rng.uniform(0.5, 2, shape), 1).astype("float32")
    return {"x": x, "y": y}


# ----- predictions -------------------------------------------------------------------------------

calls = Prediction(
    "calls",
    question=Text(
        "tanh has a print in it. static.py_func(tanh, x, y) is written once, while a Program is"
        " built; then exe.run runs the Program three times. How often does it print?",
        "tanh 里有一个 print。组网时写一次 static.py_func(tanh, x, y)，然后 exe.run 运行三次"
        " Program。一共打印几次？",
    ),
    kind="count",
    truth=3,
    because=Text(
        "While the Program was built, tanh was only noted. Each run comes to the operator once,"
        " and calls it.",
        "组网的时候，tanh 只是被记了下来。每次运行都会走到这个算子，把它调用一次。",
    ),
)

declared = Prediction(
    "declared",
    question=Text(
        "out is declared as rows of three, [-1, 3]. For the 2 rows that are fed, the function"
        " returns an array of shape [2]. What is fetched?",
        "out 声明的是每行三个，[-1, 3]。输入 2 行数据，函数返回的数组形状是 [2]。取回的是什么？",
    ),
    choices=[
        Text("nothing: it is an error", "什么也没有：报错"),
        Text("an array of shape [2, 3]", "形状是 [2, 3] 的数组"),
        Text("an array of shape [2]", "形状是 [2] 的数组"),
    ],
    truth="an array of shape [2]",
    because=Text(
        "What is declared serves the building. A run takes what the function returns, as it is.",
        "声明是给组网用的。运行时，函数返回什么就用什么。",
    ),
)

pairs = Prediction(
    "pairs",
    question=Text(
        "A layer, then a py_func without backward_func, then a second layer and the loss: four"
        " parameters. How many pairs of parameter and gradient does append_backward give?",
        "先一个层，再一个没有 backward_func 的 py_func，再一个层和损失：共有 4 个参数。"
        "append_backward 给出几对参数和梯度？",
    ),
    kind="count",
    truth=2,
    because=Text(
        "From the loss it comes to the second layer, and then to a function that nobody can"
        " differentiate.",
        "从损失出发，走到第二个层，再往前，就是谁也求不了导的函数了。",
    ),
)

skipped_two = Prediction(
    "skipped_two",
    question=Text(
        "x=[x, y] and out=[r, a], and skip_vars_in_backward_input=[x, r]. With what is"
        " backward_func called?",
        "x=[x, y]，out=[r, a]，skip_vars_in_backward_input=[x, r]。调用 backward_func 时，传入的"
        "是什么？",
    ),
    choices=["y, a", "dr, da, y, a", "y, a, da", "y, a, dr, da"],
    truth="y, a, dr, da",
    because=Text(
        "Inputs, outputs, gradients, as ever, without the two. Leaving r out leaves out its"
        " numbers, not its gradient.",
        "还是输入、输出、梯度，只少了那两个。跳过 r，跳过的是它的数，不是它的梯度。",
    ),
)

kept_results = Prediction(
    "kept_results",
    question=Text(
        "And if backward_func leaves out its input h: how many of the eight results are still kept"
        " between forward and backward?",
        "如果 backward_func 跳过它的输入 h，在前向和反向之间，八个结果里还留着几个？",
    ),
    kind="count",
    truth=4,
    because=Text(
        "Nobody needs an h once its tanh has been computed: to multiply by 2 backwards, one needs"
        " no input. The four y stay.",
        "tanh 算完，h 就没有谁要了：乘以 2 的反向不需要输入。四个 y 留着。",
    ),
)

which_layer = Prediction(
    "which_layer",
    question=Text(
        "for layer in range(3): ..., and in the loop a py_func whose function prints layer. The"
        " Program is run once. Which numbers are printed?",
        "for layer in range(3): ……，循环里有一个 py_func，它的函数打印 layer。Program 运行一次。"
        "打印的是哪些数？",
    ),
    choices=["0, 1, 2", "2, 2, 2", "2, 1, 0"],
    truth="2, 2, 2",
    because=Text(
        "The function looks for layer when it runs. The loop ran while building, and left layer at"
        " 2.",
        "函数运行的时候才去找 layer。循环在组网时就跑完了，layer 停在 2。",
    ),
)


# ----- polar -------------------------------------------------------------------------------------


@contextmanager
def undeclared():
    """Without the warning that an array is not as declared: the check says it itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", static.DeclarationWarning)
        yield


def declared_like(y, x):
    """Whether a Variable has the shape of x, or leaves more of it open."""
    return len(y.shape) == len(x.shape) and all(
        size in (-1, wanted) for size, wanted in zip(y.shape, x.shape, strict=True)
    )


def polar_by(func):
    """An answer whose operator calls this function."""

    def answer(x, y):
        return static.py_func(func, [x, y], [result_like(x), result_like(x)])

    return answer


def in_two_operators(x, y):
    """The answer that makes an operator of each."""
    return [
        static.py_func(np.hypot, [x, y], result_like(x)),
        static.py_func(np.arctan2, [y, x], result_like(x)),
    ]


def in_one_variable(x, y):
    """The answer that gives the same Variable for both outputs."""
    both = result_like(x)
    return static.py_func(lambda x, y: (np.hypot(x, y), np.arctan2(y, x)), [x, y], [both, both])


def run_polar(answer, x, y):
    """Build with the answer, run, and see what its outputs are."""
    with static_mode():
        inputs = [static.data(name, [-1, 2], "float32") for name in ("x", "y")]
        returned = answer(*inputs)
        if returned is None:
            return {}
        listed = returned if isinstance(returned, list | tuple) else [returned]
        came = {"two outputs": [isinstance(y, static.Variable) for y in listed] == [True, True]}
        if came["two outputs"]:
            came["declared shapes fit"] = all(declared_like(y, inputs[0]) for y in returned)
            with undeclared():
                values = static.Executor().run(feed={"x": x, "y": y}, fetch_list=list(returned))
            came |= dict(zip(("distance", "angle"), values, strict=True))
        came["operators"] = len(static.default_main_program().global_block().ops)
        return came


polar = Exercise(
    "polar",
    title=Text("An operator with two outputs", "有两个输出的算子"),
    check=checks.experiment(
        polar_by(lambda x, y: (np.hypot(x, y), np.arctan2(y, x))),
        inputs=points,
        use=run_polar,
        zh={
            "two outputs": "有两个输出",
            "declared shapes fit": "声明的形状合适",
            "distance": "距离",
            "angle": "角",
            "operators": "算子的个数",
        },
    ),
    hints=(
        Text(
            "Three parts: a function of two arrays that returns two, two Variables made by"
            " create_var, and static.py_func.",
            "共三部分：接收两个数组、返回两个的函数，用 create_var 创建的两个变量，以及"
            " static.py_func。",
        ),
        Text(
            "r = x.block.create_var(shape=x.shape, dtype=x.dtype), and a in the same way. The"
            " inner function returns np.sqrt(np.square(x) + np.square(y)), np.arctan2(y, x).",
            "r = x.block.create_var(shape=x.shape, dtype=x.dtype)，a 也一样。里面的函数返回"
            " np.sqrt(np.square(x) + np.square(y)), np.arctan2(y, x)。",
        ),
        Text(
            "Last line: return paddle.static.py_func(distance_and_angle, [x, y], [r, a]).",
            "最后一行：return paddle.static.py_func(distance_and_angle, [x, y], [r, a])。",
        ),
    ),
    solution=solution_in(SOLVED, "polar"),
    praise=Text(
        "One call in each run, and two Variables from it.", "每次运行调用一次，得到两个变量。"
    ),
    slips=(
        Slip(
            "turned_arguments",
            gives=polar_by(lambda x, y: (np.hypot(x, y), np.arctan2(x, y))),
            hint=Text(
                "The angles are not right: np.arctan2 takes y first, then x.",
                "角不对：np.arctan2 先写 y，再写 x。",
            ),
        ),
        Slip(
            "turned_outputs",
            gives=polar_by(lambda x, y: (np.arctan2(y, x), np.hypot(x, y))),
            hint=Text(
                "The two outputs have changed places: asked for is the distance first, then the"
                " angle.",
                "两个输出的位置反了：先是距离，后是角。",
            ),
        ),
        Slip(
            "no_arrays",
            raises="convert it with np.array first",
            hint=Text(
                "The function calculates with what it is given. That has no operators: write"
                " x = np.array(x) first, or use NumPy's functions alone.",
                "函数直接拿传入的东西来运算，可它没有运算符：请先写 x = np.array(x)，或者只用"
                " NumPy 的函数。",
            ),
        ),
        Slip(
            "at_once",
            raises="does not support ufuncs",
            hint=Text(
                "Here NumPy is called while the Program is built, when there are no numbers. Put"
                " the call into a function, and hand that function to py_func, without calling it.",
                "这是在组网的时候调用 NumPy，那时还没有数。请把调用写进一个函数，再把这个函数交给"
                " py_func，不要自己调用它。",
            ),
        ),
        Slip(
            "not_listed",
            raises="backward_func must be a Python function",
            hint=Text(
                "Several inputs stand in one list, and several outputs too:"
                " py_func(distance_and_angle, [x, y], [r, a]). What comes after them is taken for"
                " backward_func.",
                "几个输入写成一个列表，几个输出也一样：py_func(distance_and_angle, [x, y], [r,"
                " a])。再往后的参数会被当作 backward_func。",
            ),
        ),
        Slip(
            "one_parameter",
            raises="takes 1 positional argument but 2 were given",
            hint=Text(
                "The function is called with two arrays, not with a list of two: a parameter for"
                " each input.",
                "调用函数时传入的是两个数组，不是装着两个数组的列表：每个输入对应一个参数。",
            ),
        ),
        Slip(
            "no_numbers",
            raises="has no value",
            hint=Text(
                "The function hands back Variables, which never have numbers. Return arrays,"
                " computed from what it is given; py_func puts them into the Variables.",
                "函数返回的是变量，变量里从来没有数。请返回由传入的东西算出的数组；放进变量，是"
                " py_func 的事。",
            ),
        ),
        Slip(
            "one_value",
            raises="returned the wrong number of values",
            hint=Text(
                "There are two outputs, so the function returns two arrays: the distance, the"
                " angle.",
                "有两个输出，所以函数要返回两个数组：距离、角。",
            ),
        ),
        Slip(
            "one_output",
            seen=lambda trial: trial.came_as("two outputs", False),
            hint=Text(
                "There are not two outputs. Make two Variables by create_var, and give both as"
                " out, in a list: py_func returns them.",
                "输出不是两个。请用 create_var 创建两个变量，作为 out 一起写成列表：py_func 会返"
                "回它们。",
            ),
        ),
        Slip(
            "fixed_rows",
            seen=lambda trial: trial.came_as("declared shapes fit", False),
            hint=Text(
                "The numbers may be right, but a declared shape does not fit those of x and y,"
                " which have any number of rows: create_var(shape=x.shape, dtype=x.dtype).",
                "数可能是对的，但声明的形状不合适：x 和 y 的行数是任意的。写"
                " create_var(shape=x.shape, dtype=x.dtype)。",
            ),
        ),
        Slip(
            "one_variable",
            gives=in_one_variable,
            hint=Text(
                "Both outputs are one and the same Variable: the angle has replaced the distance."
                " Call create_var twice.",
                "两个输出是同一个变量，角就把距离盖掉了。请调用两次 create_var。",
            ),
        ),
        Slip(
            "two_operators",
            gives=in_two_operators,
            hint=Text(
                "The numbers are right, but there are two operators. One py_func can have both"
                " outputs: out=[r, a].",
                "数是对的，但用了两个算子。一个 py_func 就可以有两个输出：out=[r, a]。",
            ),
        ),
        Slip(
            "no_return",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. Return what py_func gives: the list of its outputs.",
                "什么也没有返回。请返回 py_func 给出的：它的输出的列表。",
            ),
        ),
    ),
)


# ----- polar_grad --------------------------------------------------------------------------------


def polar_gradients(x, y, r, a, dr, da):
    """What exercise 2 asks for."""
    x, y, r, dr, da = map(np.array, (x, y, r, dr, da))
    return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2


def in_order(names):
    """The answer that takes its arguments in this order."""

    def answer(*given):
        return polar_gradients(**dict(zip(names.split(), given, strict=True)))

    return answer


def turned_gradients(*given):
    """The answer that gives dy first."""
    return polar_gradients(*given)[::-1]


def of_the_distance(x, y, r, a, dr, da):
    """The answer that forgets that the angle depends on them, too."""
    return polar_gradients(x, y, r, a, dr, np.zeros_like(da))


def run_polar_grad(answer, x, y, weights):
    """What gradients of x and y come of a loss that depends on both outputs."""
    with static_mode():
        inputs = [static.data(name, [-1, 2], "float32") for name in ("x", "y")]
        for variable in inputs:
            variable.stop_gradient = False
        outputs = [result_like(variable) for variable in inputs]
        static.py_func(
            lambda x, y: (np.hypot(x, y), np.arctan2(y, x)), inputs, outputs, backward_func=answer
        )
        r, a = outputs
        static.append_backward(paddle.sum(r * r * float(weights[0]) + a * float(weights[1])))
        dx, dy = static.Executor().run(feed={"x": x, "y": y}, fetch_list=["x@GRAD", "y@GRAD"])
        return {"dx": dx, "dy": dy}


polar_grad = Exercise(
    "polar_grad",
    title=Text("The arguments of backward_func", "backward_func 的参数"),
    check=checks.experiment(
        polar_gradients,
        inputs=lambda rng: {
            **points(rng),
            "weights": np.round(rng.uniform(1, 3, 2), 1).astype("float32"),
        },
        use=run_polar_grad,
    ),
    hints=(
        Text(
            "Six things come: the inputs, then the outputs, then the gradients of the outputs."
            " Unpack them in this order.",
            "传入的共有六样：先是输入，再是输出，然后是输出的梯度。按这个顺序解包。",
        ),
        Text(
            "x, y, r, a, dr, da = map(np.array, given) also makes arrays of them.",
            "x, y, r, a, dr, da = map(np.array, given)，顺便都变成了数组。",
        ),
        Text(
            "Then return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2.",
            "然后 return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2。",
        ),
    ),
    solution=solution_in(SOLVED, "polar_grad"),
    praise=Text(
        "Inputs, outputs, gradients: in this order, whatever there are of each.",
        "输入、输出、梯度：不管各有几个，都是这个顺序。",
    ),
    slips=(
        Slip(
            "gradients_first",
            gives=in_order("dr da x y r a"),
            hint=Text(
                "The gradients are taken as if they came first, as in a PyLayer. Here they come"
                " last: x, y, r, a, dr, da.",
                "你把梯度当作最先来的，PyLayer 是那样。这里梯度最后来：x, y, r, a, dr, da。",
            ),
        ),
        Slip(
            "outputs_first",
            gives=in_order("r a x y dr da"),
            hint=Text(
                "The outputs are taken before the inputs. First the inputs, then the outputs.",
                "你把输出放在了输入前面。先是输入，再是输出。",
            ),
        ),
        Slip(
            "gradients_between",
            gives=in_order("x y dr da r a"),
            hint=Text(
                "The gradients are taken as if they came before the outputs. They come last.",
                "你把梯度放在了输出前面。梯度最后来。",
            ),
        ),
        Slip(
            "no_outputs",
            raises="too many values to unpack",
            hint=Text(
                "Six things come, and the outputs are among them: two inputs, two outputs, two"
                " gradients.",
                "传入的有六样，输出也在内：两个输入，两个输出，两个梯度。",
            ),
        ),
        Slip(
            "not_arrays",
            raises="convert it with np.array first",
            hint=Text(
                "What comes has no operators. Make arrays of all six: map(np.array, given).",
                "传入的东西没有运算符。请把六样都变成数组：map(np.array, given)。",
            ),
        ),
        Slip(
            "no_gradients",
            raises="received  1: NoneType",
            hint=Text(
                "Nothing came back. Return the two gradients: return dx, dy.",
                "什么也没有返回。请返回两个梯度：return dx, dy。",
            ),
        ),
        Slip(
            "one_gradient",
            raises="received  1: ",
            hint=Text(
                "There are two inputs, so two gradients are returned: dx, dy.",
                "有两个输入，所以要返回两个梯度：dx, dy。",
            ),
        ),
        Slip(
            "too_many_gradients",
            raises="returned the wrong number of values",
            hint=Text(
                "Not two values came back. Each input gets a gradient, and nothing else does:"
                " return dx, dy.",
                "返回的值不是两个。每个输入各有一个梯度，别的都没有：return dx, dy。",
            ),
        ),
        Slip(
            "turned",
            gives=turned_gradients,
            hint=Text(
                "The two gradients have changed places: first that of x, then that of y, as the"
                " inputs stand.",
                "两个梯度的位置反了：先 x 的，后 y 的，与输入的顺序相同。",
            ),
        ),
        Slip(
            "distance_alone",
            gives=of_the_distance,
            hint=Text(
                "Only dr is used. x and y act through the angle as well: add the parts with da.",
                "只用了 dr。x 和 y 还通过角起作用：要加上带 da 的那部分。",
            ),
        ),
    ),
)


# ----- own_sigmoid -------------------------------------------------------------------------------


def sigmoid(x):
    """The sigmoid of an array."""
    return 1 / (1 + np.exp(-np.array(x)))


def sigmoid_by(backward, skip="x"):
    """An answer with this backward_func, which leaves out x, y or nothing."""

    def answer(x):
        y = result_like(x)
        return static.py_func(sigmoid, x, y, backward, {"x": x, "y": y}.get(skip))

    return answer


def own_gradient(y, dy):
    """The gradient, from the output."""
    y, dy = np.array(y), np.array(dy)
    return dy * y * (1 - y)


def run_sigmoid(answer, x, weights):
    """The values, the gradient, and what backward_func is given."""
    with static_mode():
        given = static.data("x", [-1, 3], "float32")
        given.stop_gradient = False
        y = answer(given)
        if y is None:
            return {}
        static.append_backward(paddle.sum(y * y * paddle.to_tensor(weights)))
        block = static.default_main_program().global_block()
        asked = ["x@GRAD"] if "x@GRAD" in block.vars else []
        with undeclared():
            values = static.Executor().run(feed={"x": x}, fetch_list=[y, *asked])
        came = dict(zip(("y", "dx"), values, strict=False))
        came["declared shape fits"] = declared_like(y, given)
        _, *backward = [op for op in block.ops if op.type == "py_func"]
        for op in backward:
            came["backward_func gets x"] = "x" in op.input("X")
        return came


def lacks_an_argument(trial):
    """Whether a function of the answer was called with too little."""
    said = str(trial.error)
    return "missing 1 required positional argument" in said and "py_func()" not in said


def without_gradient(trial):
    """Whether the values came, and no gradient."""
    return trial.error is None and "y" in trial.came and "dx" not in trial.came


own_sigmoid = Exercise(
    "own_sigmoid",
    title=Text("An operator with a backward of its own", "自己编写反向的算子"),
    check=checks.experiment(
        sigmoid_by(own_gradient),
        inputs=lambda rng: {
            "x": np.round(rng.uniform(-2, 2, (rng.integers(2, 6), 3)), 1).astype("float32"),
            "weights": np.round(rng.uniform(1, 3, 3), 1).astype("float32"),
        },
        use=run_sigmoid,
        zh={
            "backward_func gets x": "backward_func 收到 x",
            "declared shape fits": "声明的形状合适",
        },
    ),
    hints=(
        Text(
            "Two inner functions: one of x, that returns the sigmoid, and one of y and dy, that"
            " returns the gradient.",
            "里面写两个函数：一个接收 x，返回 sigmoid；一个接收 y 和 dy，返回梯度。",
        ),
        Text(
            "Both begin by making arrays with np.array. The gradient is dy * y * (1 - y). The"
            " output is made by create_var, with the shape and the dtype of x.",
            "两个函数都先用 np.array 变成数组。梯度是 dy * y * (1 - y)。输出用 create_var 创建，"
            "形状和数据类型与 x 相同。",
        ),
        Text(
            "Last line: return paddle.static.py_func(forward, x, y, backward,"
            " skip_vars_in_backward_input=x).",
            "最后一行：return paddle.static.py_func(forward, x, y, backward,"
            " skip_vars_in_backward_input=x)。",
        ),
    ),
    solution=solution_in(SOLVED, "own_sigmoid"),
    praise=Text(
        "The same gradient as with x, and x need not be kept for it.",
        "梯度和传入 x 时一样，而 x 不用为它留着。",
    ),
    slips=(
        Slip(
            "kept_x",
            gives=sigmoid_by(lambda x, y, dy: own_gradient(y, dy), skip=""),
            hint=Text(
                "Values and gradient are right, but x is still handed to backward. Leave it out:"
                " skip_vars_in_backward_input=x.",
                "值和梯度都对，但是 x 还在传给反向。请跳过它：skip_vars_in_backward_input=x。",
            ),
        ),
        Slip(
            "one_too_many",
            raises="positional arguments but 3 were given",
            hint=Text(
                "The backward function is called with x, y and dy, and takes fewer. Leave x out:"
                " skip_vars_in_backward_input=x.",
                "调用反向函数时传入的是 x、y、dy，比它的参数多。请跳过 x："
                "skip_vars_in_backward_input=x。",
            ),
        ),
        Slip(
            "one_missing",
            seen=lacks_an_argument,
            hint=Text(
                "A function of yours has more parameters than things come. With x left out, the"
                " backward function gets y and dy.",
                "你有一个函数，参数比传入的多。跳过 x 之后，反向函数收到的是 y 和 dy。",
            ),
        ),
        Slip(
            "skipped_the_output",
            gives=sigmoid_by(own_gradient, skip="y"),
            hint=Text(
                "The values are right, the gradient is that of x taken for y: the output was"
                " left out. It is x that has to be left out.",
                "值是对的，但求梯度时把 x 当成了 y：跳过的是输出。要跳过的是 x。",
            ),
        ),
        Slip(
            "dy_first",
            gives=sigmoid_by(lambda y, dy: own_gradient(dy, y)),
            hint=Text(
                "y and dy have changed places: the gradient comes last.",
                "y 和 dy 的位置反了：梯度最后来。",
            ),
        ),
        Slip(
            "without_dy",
            gives=sigmoid_by(lambda y, dy: own_gradient(y, np.ones_like(dy))),
            hint=Text(
                "This is the derivative alone. Multiply it by dy, what comes from above.",
                "这只是导数。还要乘以传来的 dy。",
            ),
        ),
        Slip(
            "without_backward",
            seen=without_gradient,
            hint=Text(
                "The values are right, and no gradient comes through. It comes from a"
                " backward_func: give it to py_func.",
                "值是对的，但是没有梯度传过去。梯度来自 backward_func：要把它传给 py_func。",
            ),
        ),
        Slip(
            "no_array",
            raises="convert it with np.array first",
            hint=Text(
                "One of your functions calculates with what it is given. Make arrays first: in"
                " forward x = np.array(x), in backward y, dy = np.array(y), np.array(dy).",
                "有一个函数直接拿传入的东西来运算。请先变成数组：forward 里 x = np.array(x)，"
                "backward 里 y, dy = np.array(y), np.array(dy)。",
            ),
        ),
        Slip(
            "fixed_rows",
            seen=lambda trial: trial.came_as("declared shape fits", False),
            hint=Text(
                "The declared shape of y does not fit that of x, which has any number of rows:"
                " create_var(shape=x.shape, dtype=x.dtype).",
                "y 声明的形状不合适：x 的行数是任意的。写 create_var(shape=x.shape,"
                " dtype=x.dtype)。",
            ),
        ),
        Slip(
            "nothing_back",
            gives=lambda *inputs: None,
            hint=Text(
                "Nothing came back. Return the Variable y.", "什么也没有返回。请返回变量 y。"
            ),
        ),
    ),
)


# ----- look_at -----------------------------------------------------------------------------------


def looking(pair, which=slice(None), told=None):
    """An answer whose functions note a pair of the name and the array of these Variables."""

    def answer(variables, seen):
        names = [variable.name for variable in variables]
        for number, variable in list(enumerate(variables))[which]:

            def note(value, name=names[told if told is not None else number]):
                seen.append(pair(name, np.array(value)))

            static.py_func(note, variable, None)

    return answer


def largest(name, value):
    """The pair that is asked for."""
    return name, float(np.abs(value).max())


def run_look_at(answer, first, second):
    """What is seen in two runs of a small network, and whether they still give the same."""
    with static_mode():
        x = static.data("x", [-1, 2], "float32")
        h = x * -3
        p = paddle.nn.functional.relu(h)
        seen = []
        answer([x, h, p], seen)
        came = {"seen while building": len(seen)}
        results = [static.Executor().run(feed={"x": x}, fetch_list=[p])[0] for x in (first, second)]
        came |= dict(zip(("first run", "second run"), results, strict=True))
        came["pairs"] = all(isinstance(each, tuple) and len(each) == 2 for each in seen)
        if came["pairs"]:
            came["names"] = [str(name) for name, _ in seen]
            came["plain numbers"] = all(isinstance(value, float) for _, value in seen)
            if came["plain numbers"]:
                came["largest"] = np.asarray([value for _, value in seen], "float32")
        return came


def gave_a_value(trial):
    """Whether a function with no output returned something."""
    said = str(trial.error)
    return "returned the wrong number of values" in said and "out is None" in said


look_at = Exercise(
    "look_at",
    title=Text("Looking at several Variables", "同时看几个变量"),
    check=checks.experiment(
        looking(largest),
        inputs=lambda rng: {
            name: np.round(rng.uniform(-2, 2, (3, 2)), 1).astype("float32")
            for name in ("first", "second")
        },
        use=run_look_at,
        zh={
            "seen while building": "组网时记下的个数",
            "first run": "第一次运行的结果",
            "second run": "第二次运行的结果",
            "pairs": "是成对的",
            "names": "名字",
            "plain numbers": "是普通的数",
            "largest": "最大值",
        },
    ),
    hints=(
        Text(
            "Section 8 has the form: a function look(variable), in it a function that py_func"
            " calls, and a loop that calls look.",
            "写法见第 8 节：一个函数 look(variable)，里面是给 py_func 调用的函数，再用循环调用"
            " look。",
        ),
        Text(
            "The inner function: seen.append((variable.name, float(np.abs(value).max()))). It"
            " returns nothing.",
            "里面的函数：seen.append((variable.name, float(np.abs(value).max())))。"
            "它什么也不返回。",
        ),
        Text(
            "Then paddle.static.py_func(note, variable, None), still in look; and after it:"
            " for variable in variables: look(variable).",
            "然后 paddle.static.py_func(note, variable, None)，仍在 look 里面；look 之后："
            "for variable in variables: look(variable)。",
        ),
    ),
    solution=solution_in(SOLVED, "look_at"),
    praise=Text(
        "Every Variable under its own name, in every run.", "每次运行，每个变量都记在自己的名字下。"
    ),
    slips=(
        Slip(
            "late",
            gives=looking(largest, told=-1),
            hint=Text(
                "The numbers are right, and all have the name of the last Variable: a function"
                " that reads the variable of the loop finds it as it is at the end. Make it in a"
                " function of its own, look(variable).",
                "数是对的，可名字都是最后一个变量的：函数运行时才读循环变量，那时它已经是最后一"
                "个了。请在另一个函数 look(variable) 里制造它。",
            ),
        ),
        Slip(
            "gave_back",
            seen=gave_a_value,
            hint=Text(
                "The function returned something, and there is no out to take it. Only append.",
                "函数返回了东西，可没有 out 来接收。只管添加就行。",
            ),
        ),
        Slip(
            "signed",
            gives=looking(lambda name, value: (name, float(value.max()))),
            hint=Text(
                "This is the largest number. Take np.abs first: −5 is larger than 2 here.",
                "这是最大的数。先取 np.abs：在这里 −5 比 2 大。",
            ),
        ),
        Slip(
            "whole_arrays",
            seen=lambda trial: trial.came_as("plain numbers", False),
            hint=Text(
                "The second thing in a pair is no plain number. It should be the largest of the"
                " array, by .max(), as a float, and the first is the name.",
                "一对里的第二样不是普通的数。它应当是用 .max() 从数组里取出的最大值，再变成"
                " float；第一样是名字。",
            ),
        ),
        Slip(
            "nameless",
            seen=lambda trial: trial.came_as("pairs", False),
            hint=Text(
                "Append a pair, with the name in front: (variable.name, largest).",
                "要添加的是一对，名字在前：(variable.name, largest)。",
            ),
        ),
        Slip(
            "while_building",
            raises="does not support ufuncs",
            hint=Text(
                "The function was called while the Program was built, when there are no numbers."
                " Hand it to py_func, without calling it.",
                "函数在组网的时候就被调用了，那时还没有数。请把它交给 py_func，不要自己调用。",
            ),
        ),
        Slip(
            "one_look",
            gives=looking(largest, which=slice(-1, None)),
            hint=Text(
                "Only one of the Variables is looked at. py_func has to be called once for each,"
                " inside the loop.",
                "只看了一个变量。每个变量都要调用一次 py_func，写在循环里面。",
            ),
        ),
        Slip(
            "none_added",
            gives=looking(largest, which=slice(0, 0)),
            hint=Text(
                "No run appended anything to seen. Call paddle.static.py_func(note, variable,"
                " None) for each Variable.",
                "运行之后，seen 里什么也没有添。请对每个变量调用 paddle.static.py_func(note,"
                " variable, None)。",
            ),
        ),
    ),
)
