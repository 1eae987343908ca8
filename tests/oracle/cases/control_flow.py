"""Branches in dynamic mode, and their gradients; tests of Programs compare with dynamic mode."""

from ..harness import case


def show_both(paddle, show, name, function):
    for number, values in enumerate([[1.0, 2.0], [-1.0, -2.0]]):
        x = paddle.to_tensor(values)
        x.stop_gradient = False
        y = function(x)
        y.sum().backward()
        show(f"{name} {number}", [y, x.grad])


@case
def a_branch(paddle, show):
    def function(x):
        return paddle.static.nn.cond(x.mean() > 0, lambda: x * x, lambda: paddle.tanh(x))

    show_both(paddle, show, "cond", function)


@case
def several_branches(paddle, show):
    def of_case(x):
        pairs = [(x.mean() < -1, lambda: x * 2), (x.mean() < 1, lambda: x * x)]
        return paddle.static.nn.case(pairs, default=lambda: paddle.exp(x))

    def of_switch(x):
        index = paddle.cast(x.mean() > 0, "int32")
        return paddle.static.nn.switch_case(index, [lambda: x * 3, lambda: x * x])

    show_both(paddle, show, "case", of_case)
    show_both(paddle, show, "switch", of_switch)
