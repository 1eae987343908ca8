"""Indices and masks that a Program knows only when it runs."""

import numpy as np

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
