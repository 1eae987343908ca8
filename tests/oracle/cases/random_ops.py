"""Random numbers of one seed, op by op, in the order in which Paddle draws them."""

import numpy as np

from ..harness import Case, case
from ._calls import describe


def t(paddle, *args, **kwargs):
    return paddle.to_tensor(*args, **kwargs)


def drawn(name, call, ulps=2, differs=None):
    """A case: the call's numbers with three seeds, then the next word of the stream."""

    def run(paddle, show):
        for seed in (0, 7, 2023):
            paddle.seed(seed)
            show(f"seed {seed}", describe(call(paddle)))
            show(f"after {seed}", paddle.randint(0, 2**31 - 1, [1]))

    return Case(name, run, ulps=ulps, differs=differs)


HALF = [0.25, 0.5, 0.75, 1.0, 0.0]
TABLE = [
    *(
        drawn(f"{name}_{dtype}", lambda p, n=name, d=dtype: getattr(p, n)([3, 3], d))
        for name in ("rand", "randn", "standard_normal", "uniform")
        for dtype in ("float32", "float64")
    ),
    drawn("rand_sizes", lambda p: p.rand(2, 3)),
    drawn("randn_float16", lambda p: p.randn([4], "float16")),
    drawn("rand_shape_tensor", lambda p: p.rand(t(p, [2, 2]))),
    drawn("randn_nothing", lambda p: p.randn([0, 3])),
    drawn("randn_0_d", lambda p: p.randn([])),
    drawn("rand_wants_gradient", lambda p: p.rand([2], requires_grad=True)),
    drawn("uniform_bounds", lambda p: p.uniform([5], min=-0.1, max=0.3)),
    drawn("uniform_bounds_float64", lambda p: p.uniform([5], "float64", -0.1, 0.3)),
    drawn("uniform_backwards", lambda p: p.uniform([5], min=3, max=1)),
    drawn("uniform_of_tensors", lambda p: p.uniform([3], min=t(p, 0.5), max=t(p, 0.75))),
    drawn("uniform_own_seed", lambda p: p.uniform([5], "float64", -1, 1, seed=42)),
    drawn("normal", lambda p: p.normal(1.5, 0.1, [5])),
    drawn("normal_default", lambda p: p.normal(shape=[3])),
    drawn("normal_mean_tensor", lambda p: p.normal(t(p, [1.0, -2.0, 3.0]), 0.5)),
    drawn("normal_std_tensor", lambda p: p.normal(0.25, t(p, [1.0, 2.0, 3.0]))),
    drawn("normal_float64", lambda p: p.normal(t(p, [1.0, -2.0], "float64"), 0.5)),
    drawn("log_normal", lambda p: p.log_normal(0.5, 0.25, [5]), ulps=4),
    drawn("randint", lambda p: p.randint(-5, 5, [6])),
    drawn("randint_one_bound", lambda p: p.randint(9)),
    drawn("randint_int32", lambda p: p.randint(0, 100, [2, 2], "int32")),
    drawn("randint_wide", lambda p: p.randint(-(2**31), 2**31 - 1, [5])),
    drawn("randint_like", lambda p: p.randint_like(p.ones([4]), 2, 9)),
    drawn("randint_like_int32", lambda p: p.randint_like(p.ones([2, 2], "int32"), 9)),
    drawn("randint_like_bool", lambda p: p.randint_like(t(p, [True, False, True]), 2)),
    drawn("randint_like_dtype", lambda p: p.randint_like(p.ones([3]), 5, dtype="int64")),
    *(drawn(f"randperm_{n}", lambda p, n=n: p.randperm(n)) for n in (0, 1, 2, 5, 10)),
    *(
        drawn(f"randperm_{dtype}", lambda p, d=dtype: p.randperm(4, d))
        for dtype in ("int32", "float32", "float64")
    ),
    drawn("rand_like", lambda p: p.rand_like(p.ones([2, 3]))),
    drawn("rand_like_dtype", lambda p: p.rand_like(p.ones([3]), dtype="float64")),
    drawn("randn_like", lambda p: p.randn_like(p.ones([2, 3], "float64"))),
    drawn("randn_like_dtype", lambda p: p.randn_like(p.ones([3], "int32"), "float32")),
    drawn("bernoulli", lambda p: p.bernoulli(t(p, HALF))),
    drawn("bernoulli_float64", lambda p: p.bernoulli(t(p, HALF, "float64"))),
    drawn("bernoulli_p", lambda p: p.bernoulli(p.ones([6]), p=0.5)),
    drawn("multinomial", lambda p: p.multinomial(t(p, [0.25, 0.5, 1.0, 2.0]), 3)),
    drawn("multinomial_again", lambda p: p.multinomial(t(p, [0.25, 0.5, 1.0]), 6, True)),
    drawn("multinomial_rows", lambda p: p.multinomial(t(p, [[1.0, 2.0], [3.0, 0.0]]), 4, True)),
    drawn("multinomial_method", lambda p: t(p, [0.0, 1.0, 3.0], "float64").multinomial(2)),
    # ----- in place -----
    *(
        drawn(f"in_place_{name}_{dtype}", lambda p, c=call, d=dtype: c(p.ones([5], d)), ulps=4)
        for name, call in {
            "uniform": lambda x: x.uniform_(),
            "uniform_bounds": lambda x: x.uniform_(-1, 3),
            "normal": lambda x: x.normal_(),
            "normal_moments": lambda x: x.normal_(-1, 0.5),
            "exponential": lambda x: x.exponential_(),
            "exponential_rate": lambda x: x.exponential_(2.5),
            "bernoulli": lambda x: x.bernoulli_(),
            "bernoulli_p": lambda x: x.bernoulli_(0.75),
            "geometric": lambda x: x.geometric_(0.3),
            "log_normal": lambda x: x.log_normal_(0.5, 0.25),
            "random": lambda x: x.random_(),
            "random_bounds": lambda x: x.random_(-3, 9),
        }.items()
        for dtype in ("float32", "float64")
    ),
    drawn("in_place_cauchy", lambda p: p.ones([5], "float64").cauchy_(1, 2), ulps=8),
    drawn("in_place_uniform_seed", lambda p: p.ones([4]).uniform_(0, 1, 7)),
    drawn("in_place_random_int", lambda p: [
        p.ones([4], "int64").random_(), p.ones([4], "int32").random_(),p.ones([4],
            "int64").random_(5),
    ]),
    *(
        drawn(f"in_place_random_{n}", lambda p, n=n: p.ones([5], "int64").random_(0, n))
        for n in (2**28 - 3, 2**28 + 3, 2**32 - 5, 2**40)
    ),
    drawn("in_place_bernoulli_tensor", lambda p: p.ones([4]).bernoulli_(t(p,
        [0.9, 0.1, 0.5, 0.5]))),
    drawn("in_place_functions", lambda p: [
        p.normal_(p.ones([2])), p.bernoulli_(p.ones([2])), p.geometric_(p.ones([2]), 0.5),
        p.log_normal_(p.ones([2])),
    ], ulps=4),
]  # fmt: skip

REFUSED = {
    "rand int": lambda p: p.rand([2], "int32"),
    "rand negative": lambda p: p.rand([-1]),
    "randn int": lambda p: p.randn([2], "int64"),
    "uniform int": lambda p: p.uniform([2], "int32"),
    "normal int": lambda p: p.normal(t(p, [1, 2]), 1.0),
    "randint empty": lambda p: p.randint(5, 2, [3]),
    "randint 0": lambda p: p.randint(0),
    "randint -3": lambda p: p.randint(-3),
    "randint float": lambda p: p.randint(0, 5, [2], "float32"),
    "randint wide": lambda p: p.randint(0, 2**40, [2]),
    "randint half": lambda p: p.randint(0.0, 5.5, [2]),
    "randint_like 0": lambda p: p.randint_like(t(p, [1]), 0),
    "randperm -1": lambda p: p.randperm(-1),
    "randperm float16": lambda p: p.randperm(3, "float16"),
    "bernoulli int": lambda p: p.bernoulli(t(p, [0, 1])),
    "bernoulli above 1": lambda p: p.bernoulli(t(p, [1.5])),
    "multinomial int": lambda p: p.multinomial(t(p, [1, 2])),
    "multinomial many": lambda p: p.multinomial(t(p, [0.5, 0.5]), 3),
    "multinomial zeros": lambda p: p.multinomial(t(p, [0.5, 0.0]), 2),
    "multinomial negative": lambda p: p.multinomial(t(p, [0.5, -0.5])),
    "uniform_ int": lambda p: p.ones([2], "int64").uniform_(),
    "normal_ int": lambda p: p.ones([2], "int64").normal_(),
    "exponential_ int": lambda p: p.ones([2], "int64").exponential_(),
    "bernoulli_ int": lambda p: p.ones([2], "int64").bernoulli_(),
    "uniform_ leaf": lambda p: t(p, [1.0], stop_gradient=False).uniform_(),
    "normal_ leaf": lambda p: t(p, [1.0], stop_gradient=False).normal_(),
    "random_ empty": lambda p: p.ones([2]).random_(5, 5),
    "seed word": lambda p: p.seed("a"),
    "seed negative": lambda p: p.seed(-1),
    "no states": lambda p: p.set_rng_state([]),
    "no list": lambda p: p.set_rng_state(1),
}


@case
def refused(paddle, show):
    for label, call in REFUSED.items():
        show.raises(label, lambda c=call: c(paddle))


@case(differs="an in-place draw on a leaf that wants a gradient is refused")
def exponential_on_a_leaf(paddle, show):
    leaf = paddle.to_tensor([1.0], stop_gradient=False)
    show.raises("leaf", leaf.exponential_)


@case
def states_come_back(paddle, show):
    paddle.seed(5)
    state = paddle.get_rng_state()
    first = paddle.rand([3])
    paddle.set_rng_state(state)
    show("same", bool((first == paddle.rand([3])).all()))
    show("device", len(paddle.get_rng_state("cpu")))
    show("seed", paddle.seed(11).initial_seed())


@case
def gradients_stop_at_what_was_drawn(paddle, show):
    for name in ("uniform_", "normal_", "exponential_", "bernoulli_"):
        x = paddle.to_tensor(np.float32([1, 2]), stop_gradient=False)
        h = x * 3
        getattr(h, name)()
        (h * 2).sum().backward()
        show(name, x.grad)
