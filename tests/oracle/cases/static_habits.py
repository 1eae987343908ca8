"""Small habits of static mode: lists in fetch lists, places, flags, what an in-place op gives."""

import warnings

import numpy as np

from ..harness import Case, case
from ._static_worlds import expressions, started, world

STATIC = True


def quiet(cases):
    """The same cases without their warnings."""

    def play(one):
        def run(paddle, show):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                one.run(paddle, show)

        return run

    return [Case(one.name, play(one), one.differs, one.ulps) for one in cases]


TABLE = [
    *expressions(
        "fetch ",
        """
        exe.run(main, feed=FEED, fetch_list=[[y, w], x])
        exe.run(main, feed=FEED, fetch_list=([y], "n"))
        exe.run(main, feed=FEED, fetch_list=[("x", w), [b]])
        exe.run(main, feed=FEED, fetch_list=[[]])
        exe.run(main, feed=FEED, fetch_list=[[y, [w]]])
        exe.run(main, feed=FEED, fetch_list=[[y, None]])
        exe.run(main, feed=FEED, fetch_list=[None])
        exe.run(main, feed=FEED, fetch_list=[main])
        exe.run(main, feed=FEED, fetch_list=[op])
        exe.run(main, feed=FEED, fetch_list=[y]) and scope.find_var("x")
        """,
        run=True,
    ),
    *expressions(
        "place ",
        """
        str(static.Executor("cpu").place)
        str(static.Executor("CPU").place)
        static.Executor("foo")
        static.Executor("cpu:0")
        """,
    ),
    *expressions(
        "flag ",
        """
        [x.persistable, w.persistable, str(x.type), str(w.type)]
        [setattr(x, "persistable", v) or x.persistable for v in (True, 1, 0, None, 2.5)]
        setattr(x, "persistable", "a")
        setattr(x, "persistable", [])
        [setattr(x, "stop_gradient", v) or x.stop_gradient for v in (True, 1, 0, None, 2.5)]
        setattr(x, "stop_gradient", "a")
        setattr(x, "type", 3)
        setattr(x, "shape", [2])
        setattr(x, "dtype", "int32")
        setattr(x, "lod_level", 1)
        setattr(x, "name", 3)
        setattr(x, "name", None)
        setattr(w, "shape", [2])
        [setattr(w, "trainable", v) or w.trainable for v in (True, False)]
        [isinstance(v, static.Variable) for v in (x, w, y, 3, "x", [x])]
        [paddle.is_tensor(v) for v in (x, w, y, 3, static.InputSpec([2]))]
        """,
    ),
    *quiet(expressions(
        "in place ",
        """
        x.add_(x)
        x.scale_(2.0)
        x.subtract_(x)
        x.clip_(0.0, 2.0)
        x.reshape_([4, 2])
        x.unsqueeze_(0)
        x.squeeze_(0)
        x.flatten_()
        x.cast_("float64")
        F.relu_(x)
        F.elu_(x)
        F.softmax_(x)
        x.zero_()
        x.__setitem__(0, 1.0)
        """,
        run=True,
    )),
]  # fmt: skip


@case
def an_in_place_op_leaves_its_variable_alone(paddle, show):
    names = started(paddle, world(paddle))
    y = names["x"].scale(2.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        z = y.add_(names["x"])
    show("warned", ["add_" in str(w.message) for w in caught])
    show("another", [z is y, z.name == y.name])
    fetched = names["exe"].run(names["main"], feed=names["FEED"], fetch_list=[y, z])
    show("values", fetched)


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


SIZES = """
    paddle.randn(k)
    paddle.randn([k, 2])
    paddle.randn(s)
    paddle.rand([2, k])
    paddle.uniform(s, "float64", min=-2.0, max=3.0)
    paddle.normal(1.0, 2.0, [k, m])
    paddle.normal(0.0, 1.0, s)
    paddle.standard_normal([m, 2])
    paddle.randint(0, 9, s)
    paddle.zeros(s)
    paddle.ones([k, m], "int64")
    paddle.full([m, 2], 1.5)
    paddle.empty([k, 2]) * 0.0
    paddle.eye(m)
    paddle.eye(k, 2)
    paddle.eye(2, m, "int64")
    paddle.arange(m)
    paddle.arange(0, m, k)
    paddle.arange(f)
    paddle.arange(0.5, m)
    paddle.arange(m, 0, -1)
    paddle.arange(m, dtype="float32")
    paddle.expand(x[0], s2)
    paddle.expand(x[:, :1], [-1, m])
    paddle.broadcast_to(x[0], [m, 4])
    paddle.reshape(x, [k, -1])
    paddle.reshape(x, s2)
    paddle.concat([x, x * 2.0], axis=k - 1)
    paddle.concat([x, x * 2.0], axis=m - 4)
    paddle.unsqueeze(x, axis=k)
    paddle.unsqueeze(x, axis=[k - 1, m - 3])
    paddle.unsqueeze(x, axis=s - 1)
    paddle.concat([x, x], axis=k)
    paddle.concat([x, x], axis=f)
    paddle.concat([x, x], axis="a")
    paddle.concat([x, x], axis=1.0)
    paddle.concat([x, x], axis=[1])
    paddle.concat([x, x], axis=None)
    paddle.unsqueeze(x, axis=m)
    paddle.randn([f, 2])
    paddle.zeros(f)
"""


def told_by_a_run(text):
    """Show the result of a size or an axis that is known at the run, and the gradient of x."""

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


TABLE += [
    Case(f"told {number:02}: {text}", told_by_a_run(text))
    for number, text in enumerate(filter(None, map(str.strip, SIZES.splitlines())))
]


@case
def a_fed_persistable_value(paddle, show):
    names = started(paddle, world(paddle))
    weight = np.ones([4, 3], "float32")
    feed = {**names["FEED"], "fc_0.w_0": weight}
    show("fed", names["exe"].run(names["main"], feed=feed, fetch_list=[names["y"]])[0])
    held = names["scope"].find_var("fc_0.w_0").get_tensor()
    show("in the scope", np.array(held))


@case(differs="a Variable is one in dynamic mode too")
def variables_seen_from_dynamic_mode(paddle, show):
    names = world(paddle)
    paddle.disable_static()
    kinds = paddle.static.Variable, paddle.Tensor
    for name in ("x", "w"):
        show(name, [isinstance(names[name], kind) for kind in kinds])
    paddle.enable_static()
