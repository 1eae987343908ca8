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


def wrong_shape() -> None:
    run(lambda _ctx, dy: dy.sum())


def no_tensor() -> None:
    run(lambda _ctx, _dy: 3.0)


def too_many_gradients() -> None:
    run(lambda _ctx, dy: (dy, dy))


def too_few_gradients() -> None:
    run(lambda _ctx, dy: dy, lambda _ctx, a, b: a * b, 2)


def too_few_arguments() -> None:
    def f(_ctx: Any) -> None: ...

    run(f)


def too_many_arguments() -> None:
    def f(_ctx: Any, _dy: Any, _dz: Any) -> None: ...

    run(f)


def a_name_that_is_not_there() -> None:
    run(lambda _ctx, dy: dy * missing)  # type: ignore[name-defined]  # noqa: F821


def torch_attribute() -> None:
    run(lambda ctx, dy: dy * ctx.saved_tensors[0])


def attribute_not_set() -> None:
    run(lambda ctx, dy: dy * ctx.factor)


def no_backward() -> None:
    class Mine(PyLayer):
        forward = staticmethod(double)

    Mine.apply(leaf()).sum().backward()


# ----- forward of a PyLayer ----------------------------------------------------------------------


def forward_without_result() -> None:
    run(taken, lambda _ctx, _x: None)


def forward_returns_an_array() -> None:
    run(taken, lambda _ctx, x: x.numpy())


def forward_returns_its_leaf() -> None:
    run(taken, lambda _ctx, x: x)


def forward_takes_too_little() -> None:
    run(taken, double, 2)


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


def changed_leaf() -> None:
    leaf().add_(paddle.to_tensor([1.0, 2.0], dtype="float64"))


def wrong_start() -> None:
    x = leaf()
    (x * x).backward(leaf([1.0, 1.0, 1.0]))


def start_of_numbers() -> None:
    (leaf() * 2.0).backward(np.ones(2))


# ----- ops ---------------------------------------------------------------------------------------


def matrices_that_do_not_fit() -> None:
    leaf(np.ones([2, 3])) @ leaf(np.ones([2, 3]))


def vector_that_does_not_fit() -> None:
    leaf(np.ones([2, 3])) @ leaf(np.ones([2]))


def number_as_a_matrix() -> None:
    leaf(np.ones([2, 3])) @ leaf(3.0)


def shapes_that_do_not_fit() -> None:
    leaf(np.ones([2, 3])) + leaf()


def mixed_dtypes() -> None:
    leaf(np.ones([2, 2])) @ leaf(np.ones([2, 2]), "float32")


def mixed_kinds() -> None:
    leaf() + paddle.to_tensor([1, 2])


def larger_in_place() -> None:
    (leaf() * 1.0).add_(leaf(np.ones([2, 2])))


def other_number_of_elements() -> None:
    leaf().reshape([3])


def two_unknown_sizes() -> None:
    leaf(np.ones([2, 3])).reshape([-1, -1])


def bits_of_fractions() -> None:
    leaf() & leaf()


def classes_as_fractions() -> None:
    paddle.nn.functional.one_hot(leaf(), 3)


def line_of_bools() -> None:
    paddle.linspace(0, 1, 3, dtype="bool")


def list_for_a_tensor() -> None:
    paddle.tanh([1.0, 2.0])


def times_none() -> None:
    leaf() * None


def index_out_of_range() -> None:
    leaf()[5]


def number_of_many() -> None:
    float(leaf())


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


def py_func_without_result() -> None:
    execute(lambda _x: None)


def py_func_with_two_results() -> None:
    execute(lambda x: (np.array(x), np.array(x)))


def py_func_with_a_text() -> None:
    execute(lambda _x: "three")


def py_func_into_another_shape() -> None:
    execute(lambda _x: np.ones([3], "float32"), out=np.zeros([2, 3], "float32"))


def py_func_without_gradient() -> None:
    execute(np.array, lambda _x, _y, _dy: None)


def py_func_with_a_wrong_gradient() -> None:
    execute(np.array, lambda _x, _y, dy: np.array(dy)[0])


def feed_is_missing() -> None:
    execute(np.array, feed={})


def feed_of_another_shape() -> None:
    execute(np.array, feed={"x": np.ones([2, 4], "float32")})


# ----- Python ------------------------------------------------------------------------------------


def not_enough_to_unpack() -> None:
    _a, _b, _c = leaf().tolist()


def no_such_attribute() -> None:
    leaf().velue  # noqa: B018


def division_by_zero() -> None:
    1 / 0  # noqa: B018


ALL: tuple[Callable[[], None], ...] = tuple(
    each
    for name, each in list(globals().items())
    if callable(each)
    and getattr(each, "__module__", "") == __name__
    and name not in ("leaf", "double", "saves", "taken", "run", "execute")
)
