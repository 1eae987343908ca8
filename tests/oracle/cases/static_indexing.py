"""Indices and masks that a Program knows only when it runs."""

import numpy as np

from tests.oracle.harness import case

STATIC = True
X = np.arange(12, dtype="float32").reshape(3, 4)


def run(paddle, build, show, label, **feed):
    """Show the declared shape and the value of what `build` makes of x and other feeds."""
    static = paddle.static
    with static.program_guard(static.Program(), static.Program()):
        x = static.data("x", [-1, 4], "float32")
        others = [
            static.data(name, [-1] * value.ndim, value.dtype.name) for name, value in feed.items()
        ]
        out = build(x, *others)
        show(f"{label}: declared", list(out.shape))
        feeds = {"x": X, **feed}
        fetched = static.Executor().run(feed=feeds, fetch_list=[out])
        show(label, fetched[0])


@case
def tensors_of_positions(paddle, show):
    two = np.array([2, 0])
    run(paddle, lambda x, i: x[i], show, "x[i]", i=two)
    run(paddle, paddle.gather, show, "gather", i=two)
    run(paddle, lambda x, i: paddle.index_select(x, i, 1), show, "index_select", i=two)


@case
def sizes_that_values_decide(paddle, show):
    for label, build in (
        ("masked_select", lambda x: paddle.masked_select(x, x > 4)),
        ("nonzero", lambda x: paddle.nonzero(x > 4)),
        ("x[mask]", lambda x: x[x > 4]),
        ("shape", lambda x: paddle.shape(x).astype("int64")),
    ):
        run(paddle, build, show, label)
