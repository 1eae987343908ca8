"""Creation and random operators of legacy static programs: declared shapes, dtypes and results."""

import numpy as np

from ..harness import Case, case
from ._tables import recorded_texts

STATIC = True
X = np.float32([[1, 2, 3], [4, 5, 6]])


def ran(paddle, feed, fetch):
    return paddle.static.Executor().run(feed=feed, fetch_list=fetch)


def built(name, text, differs=None):
    """Return a case of an expression's results, declared and after a run; x is [-1, 3].

    The expression begins with the types of operators that are shown.
    """

    def run(paddle, show):
        x = paddle.static.data("x", [None, 3])
        types, *made = eval(f"({text})", {"paddle": paddle, "np": np, "x": x})
        show("declared", [[list(v.shape), str(v.dtype)] for v in made])
        block = paddle.static.default_main_program().global_block()
        if types:
            show("operators", [op.type for op in block.ops if op.type in types])
        paddle.seed(13)
        show("results", ran(paddle, {"x": X}, made))

    return Case(name, run, ulps=2, differs=differs)


NUMBERS = "sizes that are numbers are declared; shape() gives int64, as in eager mode"
TABLE = [built(*row) for row in recorded_texts("static_creation", "built")]
TABLE += [built(*row, NUMBERS) for row in recorded_texts("static_creation", "differing")]


@case
def program_seed_of_initializers(paddle, show):
    paddle.static.default_startup_program().random_seed = 90
    weight = paddle.static.create_parameter([2, 3], "float32")
    paddle.static.Executor().run(paddle.static.default_startup_program())
    show("weight", ran(paddle, {}, [weight]))
