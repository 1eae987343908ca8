"""set_flags, get_flags, and the calls that FLAGS_check_nan_inf stops."""

from contextlib import contextmanager

from ..harness import case
from ._texts import texts

FLAG = "FLAGS_check_nan_inf"


@contextmanager
def checking(paddle):
    paddle.set_flags({FLAG: True})
    try:
        yield
    finally:
        paddle.set_flags({FLAG: False})


@case
def values(paddle, show):
    for value in (True, 1, 2, 1.0, 0, False, None):
        paddle.set_flags({FLAG: value})
        show(repr(value), paddle.get_flags(FLAG)[FLAG])


@case(differs="one wrong flag, and nothing is switched")
def one_flag_of_two(paddle, show):
    with checking(paddle):
        show.raises("two", lambda: paddle.set_flags({FLAG: False, "FLAGS_no_such": 1}))
        show("still", paddle.get_flags(FLAG)[FLAG])


@case
def what_is_checked(paddle, show):
    nan = paddle.to_tensor([float("nan")])
    x = paddle.to_tensor([0.0, 1.0], stop_gradient=False)
    root = paddle.sqrt(x)
    calls = {
        "log of 0": lambda: paddle.log(x),
        "0 / 0": lambda: x / x,
        "exp": lambda: paddle.exp(x),
        "sum of NaN": lambda: nan + 1.0,
        "a view of NaN": lambda: nan.reshape([1, 1]),
        "isnan": lambda: paddle.isnan(nan),
        "a new NaN": lambda: paddle.to_tensor([float("nan")]),
        "full of NaN": lambda: paddle.full([1], float("nan")),
        "backward": lambda: root.sum().backward(),
        "grad": lambda: paddle.grad(paddle.sqrt(x).sum(), x),
        "in place": (x * 1.0).log_,
        "integers": lambda: paddle.to_tensor([1]) + 1,
    }
    with checking(paddle):
        for label, call in calls.items():
            show.raises(label, call)
    show("gradient", x.grad)
    show("afterwards", paddle.log(x))


DIFFERS = {
    "a text as value":
        "a text is a TypeError, as other wrong types are; Paddle's is of its C++ binding",
}  # fmt: skip
TABLE = texts("flags", globals(), DIFFERS)
