"""The exercises of lesson 3: a tape of sixty lines."""

import math

import numpy as np

from minipaddle.exercises import Exercise, Prediction, Slip, Text, checks, solution_in

TITLE = Text("The tape", "tape，反向怎么认得路")
SOLVED = Text("../solutions/03_the_tape.ipynb", "../solutions/zh/03_the_tape.ipynb")


# ----- the lesson's tape once more, to try answers on --------------------------------------------


class Var:
    """A number that remembers how it came about."""

    def __init__(self, value, edges=(), rule=None):
        self.value, self.edges, self.rule, self.grad = value, edges, rule, 0.0


def add(a, b):
    return Var(a.value + b.value, [a, b], lambda dy: [dy, dy])


def mul(a, b):
    return Var(a.value * b.value, [a, b], lambda dy: [dy * b.value, dy * a.value])


def tanh(a):
    y = math.tanh(a.value)
    return Var(y, [a], lambda dy: [dy * (1 - y * y)])


def count(loss):
    counts, waiting = {}, [loss]
    while waiting:
        for edge in waiting.pop().edges:
            if edge not in counts:
                waiting.append(edge)
            counts[edge] = counts.get(edge, 0) + 1
    return counts


def backward(loss):
    counts, ready = count(loss), [loss]
    loss.grad = 1.0
    while ready:
        var = ready.pop()
        for edge, grad in zip(var.edges, var.rule(var.grad) if var.rule else [], strict=True):
            edge.grad += grad
            counts[edge] -= 1
            if not counts[edge]:
                ready.append(edge)


def computed(a, b):
    """A computation with fan-in in several places: its Vars by name, the loss last."""
    v = {"a": Var(a), "b": Var(b)}
    v["c"] = mul(v["a"], v["a"])
    v["d"] = add(v["c"], v["a"])
    v["e"] = tanh(mul(v["d"], v["b"]))
    v["loss"] = add(mul(v["d"], v["c"]), v["e"])
    return v


def two_numbers(rng):
    """Numbers that differ from each other, from 0 and from 1."""
    return {
        "a": round(float(rng.uniform(0.3, 0.8)), 2),
        "b": round(float(rng.uniform(1.2, 1.9)), 2),
    }


def numbers_and_dy(rng):
    """The same, and what comes back to their product."""
    return {**two_numbers(rng), "dy": round(float(rng.uniform(-2, -1)), 2)}


# ----- predictions -------------------------------------------------------------------------------

edges = Prediction(
    "edges",
    question=Text("How many edges does the node of x * x have?", "x * x 的节点有几条边？"),
    kind="count",
    truth=2,
    because=Text(
        "One for each input of the operation, also when both are the same tensor.",
        "运算的每个输入各一条，即使两个输入是同一个 Tensor。",
    ),
)

remembered = Prediction(
    "remembered",
    question=Text(
        "Which operations have to remember numbers of forward, so that their rule can work?",
        "哪些运算必须记住前向的数，它的规则才能工作？",
    ),
    choices=[
        Text("all three", "三个都要"),
        Text("mul and tanh", "mul 和 tanh"),
        Text("only tanh", "只有 tanh"),
        Text("add and mul", "add 和 mul"),
    ],
    truth="mul and tanh",
    because=Text(
        "The rule of mul needs a and b, that of tanh its result y. The rule of add hands dy on and"
        " needs nothing.",
        "mul 的规则要用到 a 和 b，tanh 的要用到结果 y。add 的规则只是把 dy 传下去，什么都不需要。",
    ),
)

too_early = Prediction(
    "too_early",
    question=Text(
        "b = a + a, loss = b + tanh(b). If backward went on from b with the first gradient alone,"
        " which is 1, what would a.grad be?",
        "b = a + a，loss = b + tanh(b)。如果反向只带着第一个梯度（它是 1）就从 b 继续走，"
        "a.grad 会是多少？",
    ),
    kind="number",
    truth=2,
    because=Text(
        "a would get 1 along each of the two edges that lead to it. What came through tanh would"
        " be lost: 2.84 is right.",
        "a 会从两条边各得到 1。经过 tanh 的那一份就丢了：正确的是 2.84。",
    ),
)

arrivals = Prediction(
    "arrivals",
    question=Text(
        "c = a * a, d = c + a, loss = d * c. How many gradients come to a?",
        "c = a * a，d = c + a，loss = d * c。会有几个梯度来到 a？",
    ),
    kind="count",
    truth=3,
    because=Text(
        "Three edges lead to a: two from c, one from d. c is visited once, however many paths lead"
        " to it.",
        "通向 a 的边有三条：两条来自 c，一条来自 d。无论有多少条路通向 c，它都只被访问一次。",
    ),
)


# ----- mul ---------------------------------------------------------------------------------------


def look_at(answer, a, b, dy):
    """The product, the edges, and what the rule gives."""
    a, b = Var(a), Var(b)
    y = answer(a, b)
    if not hasattr(y, "value"):
        return {"product": y}
    edges = y.edges if isinstance(y.edges, list | tuple) else [y.edges]
    return {
        "value": y.value,
        "edges": [{a: 0, b: 1}.get(edge, 2) for edge in edges],
        "rule is a function": callable(y.rule),
        "rule(dy)": y.rule(dy) if callable(y.rule) else None,
    }


def with_rule(rule):
    """A product whose rule is this function of dy and the two values."""
    return lambda a, b: Var(a.value * b.value, [a, b], lambda dy: rule(dy, a.value, b.value))


mul_exercise = Exercise(
    "mul",
    title=Text("Multiplication for the tape", "tape 的乘法"),
    check=checks.experiment(
        mul, inputs=numbers_and_dy, use=look_at, zh={"rule is a function": "规则是函数"}
    ),
    hints=(
        Text(
            "y = a * b. Hold b still: when a grows by a little, y grows by b times that. And dy"
            " comes in as a factor.",
            "y = a * b。把 b 当作常数：a 增加一点点，y 就增加它的 b 倍。还要乘上传进来的 dy。",
        ),
        Text(
            "The rule returns a list of two: dy times b's value for a, dy times a's value for b.",
            "规则返回两个数的列表：a 的是 dy 乘以 b 的值，b 的是 dy 乘以 a 的值。",
        ),
        Text(
            "Inside mul: def rule(dy): return [dy * b.value, dy * a.value]. Then"
            " return Var(a.value * b.value, [a, b], rule).",
            "在 mul 里面：def rule(dy): return [dy * b.value, dy * a.value]。然后"
            " return Var(a.value * b.value, [a, b], rule)。",
        ),
    ),
    solution=solution_in(SOLVED, "mul"),
    praise=Text("Value, edges and rule are right.", "值、边、规则都对。"),
    slips=(
        Slip(
            "swapped",
            gives=with_rule(lambda dy, a, b: [dy * a, dy * b]),
            hint=Text(
                "The two gradients have changed places. The first edge is a's, and a is multiplied"
                " by b.",
                "两个梯度换了位置。第一条边是 a 的，而和 a 相乘的是 b。",
            ),
        ),
        Slip(
            "forgot_dy",
            gives=with_rule(lambda dy, a, b: [b, a]),
            hint=Text(
                "These are the two derivatives. By the chain rule both still have to be multiplied"
                " by dy.",
                "这是两个导数本身。按链式法则，两个都还要乘上 dy。",
            ),
        ),
        Slip(
            "as_in_add",
            gives=with_rule(lambda dy, a, b: [dy, dy]),
            hint=Text(
                "This is the rule of add. In a product, a change of a counts b times.",
                "这是 add 的规则。在乘积里，a 的变化要放大到 b 倍。",
            ),
        ),
        Slip(
            "times_product",
            gives=with_rule(lambda dy, a, b: [dy * a * b, dy * a * b]),
            hint=Text(
                "dy is multiplied by the product itself. Multiply it by the derivative: with"
                " respect to a that is b, and with respect to b it is a.",
                "这里 dy 乘的是乘积本身，应该乘导数：对 a 的导数是 b，对 b 的导数是 a。",
            ),
        ),
        Slip(
            "one_gradient",
            seen=lambda trial: "rule(dy)" in trial.came and trial.came["rule(dy)"].size == 1,
            hint=Text(
                "The rule gives one gradient, but there are two inputs. Return a list of two.",
                "规则只给出一个梯度，但输入有两个。请返回两个数的列表。",
            ),
        ),
        Slip(
            "no_edges",
            seen=lambda trial: np.size(trial.came.get("edges", 0)) == 0,
            hint=Text(
                "The product does not say where it came from: backward would take it for a leaf."
                " Give Var the edges [a, b] and the rule.",
                "这个乘积没有说明自己从哪里来，反向会把它当成叶子。请把边 [a, b] 和规则也交给 Var"
                "。",
            ),
        ),
        Slip(
            "bare_number",
            seen=lambda trial: np.ndim(trial.came.get("product", [])) == 0,
            hint=Text(
                "mul gives a bare value back, which remembers nothing. Return a Var.",
                "mul 返回的只是一个值，它什么也不记得。请返回 Var。",
            ),
        ),
        Slip(
            "rule_called",
            seen=lambda trial: trial.came_as("rule is a function", False),
            hint=Text(
                "The third thing in Var must be the rule itself, without parentheses. It is called"
                " later, when dy is known.",
                "Var 的第三项应当是规则本身，不加括号。要等以后知道了 dy，才去调用它。",
            ),
        ),
        Slip(
            "vars_multiplied",
            seen=lambda trial: (
                (isinstance(trial.error, TypeError) and "'Var'" in str(trial.error))
                or trial.came.get("rule(dy)", np.empty(0)).dtype == object
            ),
            hint=Text(
                "dy is a number, a and b are Vars. Take their numbers: a.value, b.value.",
                "dy 是数，a 和 b 是 Var。请取它们的数：a.value、b.value。",
            ),
        ),
    ),
)


# ----- count -------------------------------------------------------------------------------------


def counted(answer, a, b):
    """The counts by the names of the Vars."""
    v = computed(a, b)
    counts = answer(v["loss"])
    if not isinstance(counts, dict):
        return {"result": counts}
    if not all(hasattr(each, "edges") for each in counts):
        return {"keys": len(counts)}
    return {name: counts.get(each) for name, each in v.items()}


def ways(loss):
    """Counts the ways to each Var, not the edges."""
    counts, waiting = {}, [loss]
    while waiting:
        for edge in waiting.pop().edges:
            waiting.append(edge)
            counts[edge] = counts.get(edge, 0) + 1
    return counts


count_exercise = Exercise(
    "count",
    title=Text("How many gradients will come", "会来几个梯度"),
    check=checks.experiment(count, inputs=two_numbers, use=counted),
    hints=(
        Text(
            "You need a dict for the counts, and a list of Vars whose edges wait to be looked at."
            " Work until this list is empty.",
            "需要一个 dict 记数，再要一个列表，放还没有看过边的 Var。一直做到列表空了为止。",
        ),
        Text(
            "For each edge: if it is not in the dict yet, append it to the list. Then raise its"
            " count by one: counts[edge] = counts.get(edge, 0) + 1.",
            "对每条边：如果还不在 dict 里，就放进列表。然后计数加一："
            "counts[edge] = counts.get(edge, 0) + 1。",
        ),
        Text(
            "counts = {}; waiting = [loss]; then while waiting: for edge in waiting.pop().edges:"
            " with the two steps of the second hint; at the end return counts.",
            "counts = {}；waiting = [loss]；然后 while waiting: 里面 for edge in"
            " waiting.pop().edges:，做第二条提示里的两步；最后 return counts。",
        ),
    ),
    solution=solution_in(SOLVED, "count"),
    praise=Text("Every edge is counted once.", "每条边都恰好数了一次。"),
    slips=(
        Slip(
            "ways",
            gives=ways,
            hint=Text(
                "Too many: the edges of a Var are counted again each time that it is met. In a"
                " deep network that takes forever. Put a Var into the list only when you meet it"
                " for the first time.",
                "数多了：每碰到一个 Var 一次，它的边就又数了一遍。在深的网络里，这样永远数不完。"
                "只有第一次碰到的 Var 才放进列表。",
            ),
        ),
        Slip(
            "once_each",
            gives=lambda loss: dict.fromkeys(count(loss), 1),
            hint=Text(
                "Every count is 1. A Var may be reached by several edges, and in a * a by two at"
                " once: add one to what was counted before.",
                "每个计数都是 1。通向一个 Var 的边可以有好几条，a * a 里一下就有两条：要在原来的"
                "计数上加一。",
            ),
        ),
        Slip(
            "after_the_first",
            gives=lambda loss: {var: n - 1 for var, n in count(loss).items()},
            hint=Text(
                "Every count is one too small. Begin with 0: counts.get(edge, 0).",
                "每个计数都少了一。从 0 开始：counts.get(edge, 0)。",
            ),
        ),
        Slip(
            "not_further",
            gives=lambda loss: {edge: loss.edges.count(edge) for edge in loss.edges},
            hint=Text(
                "Only the edges of loss itself are counted. Put each Var that is new into the"
                " list, so that its edges are looked at too; ask whether it is new before you"
                " count it.",
                "只数了 loss 自己的边。把新碰到的 Var 放进列表，这样它的边也会被看到；"
                "要先判断它是不是新的，再计数。",
            ),
        ),
        Slip(
            "loss_too",
            gives=lambda loss: {**count(loss), loss: 1},
            hint=Text(
                "loss is counted too, but no edge leads to it. Begin with an empty dict, and count"
                " the edges of what you take out of the list, not what you take out.",
                "把 loss 也数进去了，但没有边通向它。dict 一开始应当是空的；"
                "要数的是取出的 Var 的边，不是取出的 Var 自己。",
            ),
        ),
        Slip(
            "nothing_to_add_to",
            seen=lambda trial: (
                isinstance(trial.error, KeyError) and isinstance(trial.error.args[0], Var)
            ),
            hint=Text(
                "A Var that is met for the first time is not in the dict yet, so there is no count"
                " to add to. counts.get(edge, 0) is 0 then.",
                "第一次碰到的 Var 还不在 dict 里，没有计数可加。这时 counts.get(edge, 0) 给出 0。",
            ),
        ),
        Slip(
            "total",
            gives=lambda loss: sum(count(loss).values()),
            hint=Text(
                "This is one number for all of them. Return the dict, so that each Var has its"
                " own.",
                "这是所有计数的总和。请返回 dict，让每个 Var 各有各的计数。",
            ),
        ),
        Slip(
            "by_value",
            seen=lambda trial: set(trial.came) == {"keys"},
            hint=Text(
                "The keys of the dict are not the Vars themselves. Take the Vars: the number of"
                " one may be that of another, too.",
                "dict 的键不是 Var 本身。请用 Var 作键：两个 Var 的数可能相同。",
            ),
        ),
    ),
)


# ----- backward ----------------------------------------------------------------------------------


def gradients(answer, a, b):
    """The gradients by the names of the Vars."""
    v = computed(a, b)
    answer(v["loss"])
    return {f"{name}.grad": each.grad for name, each in v.items()}


def walk(**changed):
    """A backward with something in it done wrongly."""

    def wrong(loss):
        counts, ready = count(loss), [loss]
        loss.grad = changed.get("start", 1.0)
        while ready:
            var = ready.pop()
            if "stops" in changed and not var.rule:
                break
            grads = var.rule(changed.get("of", lambda var: var.grad)(var)) if var.rule else []
            for edge, grad in zip(var.edges, grads, strict=True):
                edge.grad = grad + (0 if "overwrite" in changed else edge.grad)
                counts[edge] -= "never" not in changed
                if counts[edge] == 0 or "at_once" in changed:
                    ready.append(edge)

    return wrong


backward_exercise = Exercise(
    "backward",
    title=Text("Play the tape backwards", "倒放 tape"),
    check=checks.experiment(backward, inputs=two_numbers, use=gradients),
    hints=(
        Text(
            "Two lines before the loop: counts = count(loss), loss.grad = 1.0. Then a list ready ="
            " [loss], and a loop until it is empty.",
            "循环之前先写两行：counts = count(loss)，loss.grad = 1.0。再准备列表 ready = [loss]，"
            "循环到它空了为止。",
        ),
        Text(
            "In the loop: var = ready.pop(); grads = var.rule(var.grad) if var.rule else []. Then"
            " for each edge and its gradient: add the gradient to edge.grad.",
            "循环里：var = ready.pop()；grads = var.rule(var.grad) if var.rule else []。然后对每条"
            "边和它的梯度：把梯度加到 edge.grad 上。",
        ),
        Text(
            "for edge, grad in zip(var.edges, grads): edge.grad += grad; counts[edge] -= 1; and if"
            " counts[edge] == 0: ready.append(edge).",
            "for edge, grad in zip(var.edges, grads): 里面写 edge.grad += grad；counts[edge] -= 1；"
            "如果 counts[edge] == 0，就 ready.append(edge)。",
        ),
    ),
    solution=solution_in(SOLVED, "backward"),
    praise=Text(
        "Every gradient is right, also where several meet.", "每个梯度都对，汇合的地方也对。"
    ),
    slips=(
        Slip(
            "overwritten",
            gives=walk(overwrite=True),
            hint=Text(
                "Where several gradients meet, only the last one is left. Add up each that comes,"
                " also before the edge is ready: edge.grad += grad.",
                "几个梯度汇合的地方，只剩下最后一个。每来一个都要加上，不论边是否已经可以访问："
                "edge.grad += grad。",
            ),
        ),
        Slip(
            "too_soon",
            gives=walk(at_once=True),
            hint=Text(
                "A Var is visited before all its gradients have come, and then again: what it had"
                " is handed on twice. It is ready only when counts[edge] has gone down to 0.",
                "一个 Var 的梯度还没到齐就被访问了，后来又访问一次，已有的梯度就传了两遍。"
                "要等 counts[edge] 减到 0，它才算可以访问。",
            ),
        ),
        Slip(
            "no_start",
            gives=walk(start=0.0),
            hint=Text(
                "All gradients are 0, because nothing was there to hand on. Start with loss.grad ="
                " 1.0.",
                "所有梯度都是 0，因为一开始就没有东西可传。先写 loss.grad = 1.0。",
            ),
        ),
        Slip(
            "rule_of_one",
            gives=walk(of=lambda var: 1.0),
            hint=Text(
                "Every rule starts with 1 again, so the chain is broken. Hand in what has come:"
                " var.rule(var.grad).",
                "每条规则又从 1 开始，链就断了。应当把收到的梯度交给它：var.rule(var.grad)。",
            ),
        ),
        Slip(
            "rule_of_value",
            gives=walk(of=lambda var: var.value),
            hint=Text(
                "The rules get the values of forward. They want the gradient: var.rule(var.grad).",
                "交给规则的是前向的值。它们要的是梯度：var.rule(var.grad)。",
            ),
        ),
        Slip(
            "never_ready",
            gives=walk(never=True),
            hint=Text(
                "Backward stops after loss: no edge ever becomes ready. Each gradient that comes"
                " lowers the count, counts[edge] -= 1, and at 0 the edge is ready.",
                "反向走完 loss 就停了：没有一条边等到可以访问。每来一个梯度，计数要减一，即"
                " counts[edge] -= 1；减到 0，这条边就可以访问了。",
            ),
        ),
        Slip(
            "stopped_at_leaf",
            gives=walk(stops=True),
            hint=Text(
                "Backward ends at the first leaf, while others are still ready. A leaf hands"
                " nothing on, but the loop goes on: no break and no return.",
                "反向碰到第一个叶子就停了，可列表里还有别的。叶子没有东西往下传，但循环要继续："
                "不要 break，也不要 return。",
            ),
        ),
        Slip(
            "leaf_rule",
            seen=lambda trial: "'NoneType' object is not callable" in str(trial.error),
            hint=Text(
                "A leaf has no rule: its rule is None and cannot be called. Write"
                " grads = var.rule(var.grad) if var.rule else [].",
                "叶子没有规则：它的 rule 是 None，不能调用。请写"
                " grads = var.rule(var.grad) if var.rule else []。",
            ),
        ),
        Slip(
            "nothing_counted",
            seen=lambda trial: (
                "'NoneType' object is not subscriptable" in str(trial.error)
                or "'NoneType' object does not support item assignment" in str(trial.error)
            ),
            hint=Text(
                "Something is None and was used as a dict or list. Is it counts? Then see"
                " whether count from exercise 5 is written and its cell has run: counts ="
                " count(loss).",
                "有什么是 None，却当作 dict 或列表来用了。是 counts 吗？那就看看第 5 节的 count "
                "写好了没有、那个单元格运行过没有：counts = count(loss)。",
            ),
        ),
    ),
)


# ----- mine --------------------------------------------------------------------------------------


def both(expression, times=1):
    """The two gradients of an expression at the lesson's numbers."""
    a, b = Var(0.5), Var(-1.2)
    loss = expression(a, b)
    for _ in range(times):
        backward(loss)
    return [a.grad, b.grad]


def formula(a, b):
    """What is computed."""
    return add(tanh(mul(a, b)), a)


wanted = both(formula)

mine = Exercise(
    "mine",
    title=Text("Against Paddle", "和 Paddle 对照"),
    check=checks.value(wanted),
    hints=(
        Text(
            "Make two leaves, a = Var(0.5) and b = Var(-1.2), and write the formula as you would"
            " with numbers; mind that tanh is your own.",
            "创建两个叶子 a = Var(0.5) 和 b = Var(-1.2)，再像用数一样写出公式；注意 tanh 用你自己"
            "的。",
        ),
        Text(
            "loss = tanh(a * b) + a, then backward(loss). After that a and b have their .grad.",
            "loss = tanh(a * b) + a，然后 backward(loss)。之后 a 和 b 就有 .grad 了。",
        ),
        Text("The last line: mine = [a.grad, b.grad].", "最后一行：mine = [a.grad, b.grad]。"),
    ),
    solution=solution_in(SOLVED, "mine"),
    praise=Text(
        "Sixty lines of yours, and the same numbers as Paddle's.",
        "你的六十行，算出了和 Paddle 一样的数。",
    ),
    slips=(
        Slip(
            "not_run",
            gives=[0.0, 0.0],
            hint=Text(
                "Both are still 0, as a new Var is. Call backward(loss) before you read them.",
                "两个都还是 0，和新建的 Var 一样。先调用 backward(loss)，再读它们。",
            ),
        ),
        Slip(
            "other_order",
            gives=wanted[::-1],
            hint=Text(
                "Both are right, but in the other order: first a's, then b's.",
                "两个都对，但顺序反了：先 a 的，后 b 的。",
            ),
        ),
        Slip(
            "a_forgotten",
            gives=both(lambda a, b: tanh(mul(a, b))),
            hint=Text(
                "b's is right, a's is not: the formula ends with + a.",
                "b 的对了，a 的不对：公式最后还有 + a。",
            ),
        ),
        Slip(
            "values",
            gives=[0.5, -1.2],
            hint=Text(
                "These are the values of a and b. Their gradients are in .grad.",
                "这是 a 和 b 的值。它们的梯度在 .grad 里。",
            ),
        ),
        Slip(
            "run_twice",
            gives=both(formula, times=2),
            hint=Text(
                "Something was added twice: that comes if backward runs a second time on the"
                " same Vars, whose .grad still holds the gradients of the first. Make new Vars,"
                " then call it once.",
                "有些梯度加了两遍：如果反向在同一批 Var 上又运行一次，而 .grad 里还留着第一次的"
                "梯度，就会这样。请重新创建 Var，只调用一次。",
            ),
        ),
    ),
)


# ----- same_part ---------------------------------------------------------------------------------

same_part = Exercise(
    "same_part",
    title=Text("Find your counts in walk", "在 walk 里找到你的 counts"),
    check=checks.value("later"),
    hints=(
        Text(
            "It comes from the function that you have just read: look where count_arrivals is"
            " called.",
            "它来自你刚读过的那个函数：看看 count_arrivals 在哪里被调用。",
        ),
        Text(
            "Near the end of the loop something is lowered by one and written back. Where to?",
            "循环快结束的地方，有个数减了一，又写了回去。写回了哪里？",
        ),
        Text('It is "later".', '是 "later"。'),
    ),
    solution=solution_in(SOLVED, "same_part"),
    praise=Text(
        "later[edge] = left - 1 is your counts[edge] -= 1.",
        "later[edge] = left - 1 就是你的 counts[edge] -= 1。",
    ),
    slips=(
        Slip(
            "sums",
            gives="sums",
            hint=Text(
                "sums holds the gradients that have come so far, added up: that is your edge.grad.",
                "sums 放的是到目前为止收到的梯度之和：那相当于你的 edge.grad。",
            ),
        ),
        Slip(
            "ready",
            gives="ready",
            hint=Text(
                "ready holds what can be visited, under the same name as in your backward. Which"
                " one decides when something gets there?",
                "ready 放的是可以访问的节点，和你的 backward 里同名。是哪个变量决定什么时候放进"
                "去？",
            ),
        ),
        Slip(
            "left",
            gives="left",
            hint=Text(
                "Close: left is the number for one edge, taken out for a moment. In which variable"
                " are these numbers kept for all edges?",
                "很接近：left 是某一条边的那个数，临时取了出来。所有边的这些数，存在哪个变量里？",
            ),
        ),
        Slip(
            "starts",
            gives="starts",
            hint=Text(
                "starts holds where backward begins, and with which gradients: that is your"
                " loss.grad = 1.0.",
                "starts 放的是反向从哪里开始、带着什么梯度：那相当于你的 loss.grad = 1.0。",
            ),
        ),
    ),
)
