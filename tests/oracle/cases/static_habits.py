"""Small habits of static mode: lists in fetch lists, places, flags, results of in-place ops."""

import warnings

import numpy as np

from ..harness import Case, case
from ._static_worlds import expressions, started, world
from ._tables import recorded_texts

STATIC = True


def quiet(cases):
    """Return cases that suppress their warnings."""

    def play(one):
        def run(paddle, show):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                one.run(paddle, show)

        return run

    return [Case(one.name, play(one), one.differs, one.ulps) for one in cases]


TABLE = [
    *expressions("static_habits", "fetch", run=True),
    *expressions("static_habits", "place"),
    *expressions("static_habits", "flag"),
    *quiet(expressions("static_habits", "in place", run=True)),
]  # fmt: skip


@case
def tiled_as_often_as_a_run_tells(paddle, show):
    names = started(paddle, world(paddle))
    x, w, n = names["x"], names["w"], names["n"]
    for number, (source, times) in enumerate(
        [(x, [n[0, 0], 1]), (x, [n[0], 2]), (x, [1, n[0, 0], 2]), (w, n[0]), (w, (2, n[0, 0], 1))]
    ):
        tiled = paddle.tile(source, times)
        show(f"{number}: shape", list(tiled.shape))
        (value,) = names["exe"].run(names["main"], feed=names["FEED"], fetch_list=[tiled])
        show(f"{number}", value)


def told_by_a_run(text):
    """Show the result for a size or an axis that only the run knows, and the gradient of x."""

    def play(paddle, show):
        data = paddle.static.data
        names = {"paddle": paddle, "x": data("x", [2, 4])}
        for name, shape, dtype in (
            ("k", [1], "int64"), ("m", [], "int64"), ("s", [2], "int32"), ("s2", [2], "int64"),
            ("f", [1], "float32"),
        ):  # fmt: skip
            names[name] = data(name, shape, dtype)
        names["x"].stop_gradient = False
        made = eval(text, names)
        fetched = [made]
        if not made.stop_gradient:
            loss = paddle.mean(made * made * made)
            fetched += paddle.static.gradients(loss, names["x"])
        feed = {
            "x": np.float32([[1.0, -2.0, 0.5, 4.0], [0.25, 3.0, -1.5, 2.0]]),
            "k": np.array([2]), "m": np.array(3), "s": np.int32([2, 3]), "s2": np.array([2, 4]),
            "f": np.float32([2.5]),
        }  # fmt: skip
        paddle.seed(5)
        main = paddle.static.default_main_program()
        values = paddle.static.Executor().run(main, feed, fetched)
        show("made", [len(made.shape), made.stop_gradient])
        for number, value in enumerate(values):
            show(f"value {number}", value)

    return play


TABLE += [Case(name, told_by_a_run(text)) for name, text in recorded_texts("static_habits", "told")]


@case(differs="a Variable is one in dynamic mode too")
def variables_seen_from_dynamic_mode(paddle, show):
    names = world(paddle)
    paddle.disable_static()
    kinds = paddle.static.Variable, paddle.Tensor
    for name in ("x", "w"):
        show(name, [isinstance(names[name], kind) for kind in kinds])
    paddle.enable_static()


@case
def wrong_mode(paddle, show):
    x = paddle.static.data("x", [2], "float32")
    show("mode", paddle.in_dynamic_mode())
    show.raises("backward", x.backward)
    show.raises("numpy", x.numpy)
    show.raises("float", lambda: float(x))
    show.raises("len", lambda: len(x))
    paddle.disable_static()
    show("dynamic", paddle.in_dynamic_mode())
    show.raises("data", lambda: paddle.static.data("y", [2], "float32"))
    show.raises("fc", lambda: paddle.static.nn.fc(x, 2))
