"""The most common mistakes of learners, each as a call that raises."""

from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.autograd import PyLayer
from tests.static.world import fresh


def leaf(numbers: Any = (1.0, 2.0), dtype: str = "float64") -> Any:
    return paddle.to_tensor(np.array(numbers), dtype=dtype, stop_gradient=False)


def double(_ctx: Any, x: Any) -> Any:
    return x * 2.0


def saves(ctx: Any, x: Any) -> Any:
    ctx.save_for_backward(x)
    return x * x


def taken(ctx: Any, dy: Any) -> Any:
    (x,) = ctx.saved_tensor()
    return dy * 2 * x


def run(backward: Any, forward: Any = double, count: int = 1) -> Any:
    """Apply a PyLayer with the given methods, and run its backward."""

    class Mine(PyLayer):
        pass

    Mine.forward, Mine.backward = staticmethod(forward), staticmethod(backward)  # type: ignore[method-assign]
    y = Mine.apply(*(leaf() for _ in range(count)))
    y.sum().backward()
    return y


# ----- backward of a PyLayer ---------------------------------------------------------------------


def too_few_arguments() -> None:
    def f(_ctx: Any) -> None: ...

    run(f)


def too_many_arguments() -> None:
    def f(_ctx: Any, _dy: Any, _dz: Any) -> None: ...

    run(f)


def no_backward() -> None:
    class Mine(PyLayer):
        forward = staticmethod(double)

    Mine.apply(leaf()).sum().backward()


# ----- forward of a PyLayer ----------------------------------------------------------------------


def saved_twice() -> None:
    def f(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.save_for_backward(x)
        return x * x

    run(taken, f)


# ----- graphs ------------------------------------------------------------------------------------


def second_backward() -> None:
    loss = paddle.tanh(leaf()).sum()
    loss.backward()
    loss.backward()


def second_backward_of_a_layer() -> None:
    y = run(taken, saves)
    y.backward(leaf())


def changed_in_place() -> None:
    y = leaf() * 2.0
    z = y * y
    y.add_(paddle.to_tensor([1.0, 2.0], dtype="float64"))
    z.sum().backward()


def changed_what_was_saved() -> None:
    class Mine(PyLayer):
        forward, backward = staticmethod(saves), staticmethod(taken)

    x = leaf() * 1.5
    y = Mine.apply(x)
    x.add_(paddle.to_tensor([1.0, 2.0], dtype="float64"))
    y.sum().backward()


def wrong_start() -> None:
    x = leaf()
    (x * x).backward(leaf([1.0, 1.0, 1.0]))


# ----- Programs ----------------------------------------------------------------------------------


def execute(func: Any, backward: Any = None, feed: Any = None, out: Any = None) -> None:
    """Run a Program with a py_func of x, and with the gradient of x if a backward is given."""
    static = paddle.static
    with fresh() as (program, _):
        x = static.data("x", [-1, 3], "float32")
        x.stop_gradient = False
        y = program.current_block().create_var(name="y", dtype="float32", shape=[-1, 3])
        static.py_func(func, x, y if out is None else out, backward_func=backward)
        fetch = [y] if out is None else []
        if backward:
            fetch = static.gradients(paddle.sum(y), x)
        feed = {"x": np.ones([2, 3], "float32")} if feed is None else feed
        static.Executor().run(program, feed=feed, fetch_list=fetch)


# ----- Python ------------------------------------------------------------------------------------


def not_enough_to_unpack() -> None:
    _a, _b, _c = leaf().tolist()


# ----- calls of one line -------------------------------------------------------------------------

ONE_LINE: dict[str, Callable[[], Any]] = {
    "wrong shape": lambda: run(lambda _ctx, dy: dy.sum()),
    "no tensor": lambda: run(lambda _ctx, _dy: 3.0),
    "too many gradients": lambda: run(lambda _ctx, dy: (dy, dy)),
    "too few gradients": lambda: run(lambda _ctx, dy: dy, lambda _ctx, a, b: a * b, 2),
    "a name that is not there": lambda: run(lambda _ctx, dy: dy * missing),  # type: ignore[name-defined]  # noqa: F821
    "torch attribute": lambda: run(lambda ctx, dy: dy * ctx.saved_tensors[0]),
    "attribute not set": lambda: run(lambda ctx, dy: dy * ctx.factor),
    "forward without result": lambda: run(taken, lambda _ctx, _x: None),
    "forward returns an array": lambda: run(taken, lambda _ctx, x: x.numpy()),
    "forward returns its leaf": lambda: run(taken, lambda _ctx, x: x),
    "forward takes too little": lambda: run(taken, double, 2),
    "changed leaf": lambda: leaf().add_(paddle.to_tensor([1.0, 2.0], dtype="float64")),
    "start of numbers": lambda: (leaf() * 2.0).backward(np.ones(2)),
    "matrices that do not fit": lambda: leaf(np.ones([2, 3])) @ leaf(np.ones([2, 3])),
    "vector that does not fit": lambda: leaf(np.ones([2, 3])) @ leaf(np.ones([2])),
    "number as a matrix": lambda: leaf(np.ones([2, 3])) @ leaf(3.0),
    "shapes that do not fit": lambda: leaf(np.ones([2, 3])) + leaf(),
    "mixed dtypes": lambda: leaf(np.ones([2, 2])) @ leaf(np.ones([2, 2]), "float32"),
    "mixed kinds": lambda: leaf() + paddle.to_tensor([1, 2]),
    "larger in place": lambda: (leaf() * 1.0).add_(leaf(np.ones([2, 2]))),
    "other number of elements": lambda: leaf().reshape([3]),
    "two unknown sizes": lambda: leaf(np.ones([2, 3])).reshape([-1, -1]),
    "bits of fractions": lambda: leaf() & leaf(),
    "classes as fractions": lambda: paddle.nn.functional.one_hot(leaf(), 3),
    "line of bools": lambda: paddle.linspace(0, 1, 3, dtype="bool"),
    "list for a tensor": lambda: paddle.tanh([1.0, 2.0]),
    "times none": lambda: leaf() * None,
    "index out of range": lambda: leaf()[5],
    "number of many": lambda: float(leaf()),
    "py func without result": lambda: execute(lambda _x: None),
    "py func with two results": lambda: execute(lambda x: (np.array(x), np.array(x))),
    "py func with a text": lambda: execute(lambda _x: "three"),
    "py func into another shape": lambda: execute(
        lambda _x: np.ones([3], "float32"), out=np.zeros([2, 3], "float32")
    ),
    "py func without gradient": lambda: execute(np.array, lambda _x, _y, _dy: None),
    "py func with a wrong gradient": lambda: execute(np.array, lambda _x, _y, dy: np.array(dy)[0]),
    "feed is missing": lambda: execute(np.array, feed={}),
    "feed of another shape": lambda: execute(np.array, feed={"x": np.ones([2, 4], "float32")}),
    "no such attribute": lambda: leaf().velue,
    "division by zero": lambda: 1 / 0,
}
NAMED = (
    too_few_arguments, too_many_arguments, no_backward, saved_twice, second_backward,
    second_backward_of_a_layer, changed_in_place, changed_what_was_saved, wrong_start,
    not_enough_to_unpack,
)  # fmt: skip
ALL = {each.__name__: each for each in NAMED} | ONE_LINE
