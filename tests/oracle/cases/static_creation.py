"""Creation and random operators of legacy static programs: declared shapes, dtypes and results."""

import numpy as np

from ..harness import Case, case

STATIC = True
X = np.float32([[1, 2, 3], [4, 5, 6]])


def ran(paddle, feed, fetch):
    return paddle.static.Executor().run(feed=feed, fetch_list=fetch)


def built(name, make, types=(), differs=None):
    """Return a case: the result of `make(paddle, x)`, declared and after a run; x is [-1, 3]."""

    def run(paddle, show):
        x = paddle.static.data("x", [None, 3])
        made = make(paddle, x)
        made = made if isinstance(made, list) else [made]
        show("declared", [[list(v.shape), str(v.dtype)] for v in made])
        block = paddle.static.default_main_program().global_block()
        if types:
            show("operators", [op.type for op in block.ops if op.type in types])
        paddle.seed(13)
        show("results", ran(paddle, {"x": X}, made))

    return Case(f"static_{name}", run, ulps=2, differs=differs)


TABLE = [
    built("full", lambda p, x: [p.full([2], 3), p.full([2, 1], 2.5, "float64"), p.full([], True)],
          ["fill_constant"]),
    built("zeros", lambda p, x: [p.zeros([2]), p.ones([2, 1], "int64")], ["fill_constant"]),
    built("like", lambda p, x: [p.zeros_like(x), p.full_like(x, 2, "int32")], ["fill_any_like"]),
    built("arange", lambda p, x: [p.arange(3), p.arange(1.0, 2.0, 0.3), p.arange(5, 1, -2)]),
    built("linspace", lambda p, x: p.linspace(0, 1, 5), ["linspace"]),
    built("eye", lambda p, x: [p.eye(2), p.eye(2, 3, "int32")], ["eye"]),
    built("corners", lambda p, x: [p.tril_indices(3, 3), p.triu_indices(2, 3, 1)]),
    built("assign", lambda p, x: [p.assign(x), p.assign(np.float32([1, 2])), p.assign([1, 2])]),
    built("cast", lambda p, x: [p.cast(x, "int32"), x.astype("float64")], ["cast"]),
    built("to_tensor", lambda p, x: p.to_tensor([1.5, 2.5])),
    built("uniform", lambda p, x: [p.rand([2, 2]), p.uniform([3], min=-1.0)], ["uniform_random"]),
    built("uniform_seed", lambda p, x: [p.uniform([3], seed=5), p.uniform([3], seed=5)]),
    built("normal", lambda p, x: [p.randn([2, 2]), p.normal(1.0, 2.0, [3])], ["gaussian_random"]),
    built("randint", lambda p, x: [p.randint(0, 9, [4]), p.randint(5, shape=[2], dtype="int32")]),
    built("sizes_told_by_a_run", lambda p, x: [p.shape(p.rand([p.shape(x)[0], 2])),
                                               p.randint(0, 1, [p.shape(x)[0], 2])],
          differs="a size that is a number is declared"),
    built("randperm", lambda p, x: p.randperm(5), ["randperm"]),
    built("bernoulli", lambda p, x: p.bernoulli(x / 8), ["bernoulli"]),
    built("diag", lambda p, x: [p.diag(x), p.diag(p.to_tensor([1.0, 2.0]), 1)], ["diag_v2"]),
    built("diagflat", lambda p, x: p.diagflat(p.to_tensor([1.0, 2.0]))),
    built("meshgrid", lambda p, x: p.meshgrid(p.to_tensor([1, 2]), p.to_tensor([3, 4, 5]))),
    built("multinomial", lambda p, x: p.multinomial(x, 2)),
    built("numel", lambda p, x: p.numel(x)),
    built("shape", lambda p, x: p.shape(x), differs="shape() gives int64, as in eager mode"),
    built("is_empty", lambda p, x: p.is_empty(x)),
    built("clone", lambda p, x: x.clone()),
]  # fmt: skip


@case
def program_seed_of_initializers(paddle, show):
    paddle.static.default_startup_program().random_seed = 90
    weight = paddle.static.create_parameter([2, 3], "float32")
    paddle.static.Executor().run(paddle.static.default_startup_program())
    show("weight", ran(paddle, {}, [weight]))
