"""paddle.distribution: draws of a seed, densities and their gradients, entropies, divergences."""

import numpy as np

from ..harness import Case, case
from ._texts import texts

LOC, SCALE = [[0.5, -1.0], [2.0, 0.25]], [[0.5, 1.0], [2.0, 4.0]]
PROBS, OTHERS = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], [[0.25, 0.5, 0.25], [0.1, 0.4, 0.5]]

# Family: its two parameters, two further ones for the divergence, a value.
FAMILIES = {
    "Normal": ([LOC, SCALE], [SCALE, LOC], [1.0, -0.5]),
    "Uniform": ([LOC, [[1.0, 3.0], [5.0, 6.0]]], None, [0.75, 2.0]),
    "Exponential": ([SCALE], [[[1.0, 0.5], [3.0, 0.1]]], [0.75, 2.0]),
    "Laplace": ([LOC, SCALE], [SCALE, [[1.0, 0.5], [3.0, 0.1]]], [0.75, 2.0]),
    "Bernoulli": ([PROBS], [OTHERS], [1.0, 0.0, 1.0]),
    "Categorical": ([PROBS], [OTHERS], [2, 0]),
}

# Real Paddle crashes in the backward of broadcast_tensors where a result gets no gradient, and
# loses the gradient of a binary cross entropy by its label.
NO_SLOPE = (("Laplace", "entropy"), ("Bernoulli", "log_prob"), ("Bernoulli", "entropy"))


def family(name):
    parameters, others, value = FAMILIES[name]

    def run(paddle, show):
        for dtype in ("float32", "float64"):
            made = [paddle.to_tensor(p, dtype, stop_gradient=False) for p in parameters]
            dist = getattr(paddle.distribution, name)(*made)
            at = paddle.to_tensor(value, "int64" if name == "Categorical" else dtype)
            at.stop_gradient = name == "Categorical"
            paddle.seed(3)
            show(f"sample {dtype}", dist.sample([2]))
            if name not in ("Uniform", "Categorical"):
                show(f"rsample {dtype}", dist.rsample([2]))
            answers = {"log_prob": dist.log_prob(at), "entropy": dist.entropy()}
            if others is not None:
                other = getattr(paddle.distribution, name)(
                    *(paddle.to_tensor(p, dtype).abs() for p in others)
                )
                answers["kl"] = paddle.distribution.kl_divergence(dist, other)
            for what, answer in answers.items():
                show(f"{what} {dtype}", answer)
                if (name, what) in NO_SLOPE:
                    continue
                answer.sum().backward(retain_graph=True)
                show(f"slope of {what} {dtype}", made[-1].grad)
                made[-1].clear_gradient()
        if name not in ("Uniform", "Categorical"):
            show("moments", [dist.mean, dist.variance])
        if name not in ("Categorical", "Multinomial"):
            show("shapes", [list(dist.batch_shape), list(dist.event_shape)])
            show("prob", dist.prob(at))
        if name in ("Bernoulli", "Exponential", "Laplace"):
            show("cdf", [dist.cdf(at), dist.cdf(-at)])
        if name in ("Exponential", "Laplace"):
            show("icdf", dist.icdf(paddle.to_tensor([0.25, 0.75], "float64")))
        if name == "Laplace":
            show("stddev", dist.stddev)

    return Case(name, run, ulps=64)


@case
def numbers_lists_and_arrays(paddle, show):
    D = paddle.distribution
    paddle.seed(11)
    show("numbers", [D.Normal(1, 2).sample(), D.Uniform(0.0, 3).sample([2])])
    show("seed", D.Normal(0.0, 1.0).sample([2], seed=4))
    show("lists", [D.Normal([0.1, 2], [1, 3]).mean, D.Bernoulli([0.3]).sample([2])])
    doubles = D.Normal(np.array([0.1]), np.array([1.0]))
    show("array", [doubles.mean, doubles.sample([2])])
    show("one row", D.Categorical([1.0, 2.0]).sample([3]))
    show("a row of values", D.Categorical([1.0, 2.0]).log_prob(paddle.to_tensor([[0], [1]])))
    show("by rows", D.Categorical([[1.0, 2.0], [3.0, 1.0]]).log_prob(paddle.to_tensor([[0], [1]])))
    show(
        "mixed", [D.Laplace(0, paddle.to_tensor([1.0])).variance, D.Laplace(0.0, 1.0).log_prob(2.0)]
    )
    show("relaxed", D.Bernoulli(0.3).rsample([2], 0.5))
    show("outside", D.Uniform(0.0, 1.0).log_prob(paddle.to_tensor([0.0, 0.5, 2.0])))
    show("probs", [d(0.0, 2.0).probs(paddle.to_tensor([0.5, 3.0])) for d in (D.Normal, D.Uniform)])
    show("clipped", D.Bernoulli(paddle.to_tensor([0.0, 2.0])).probs)


TABLE = [
    *map(family, FAMILIES),
    *texts("distributions", globals()),
]


@case(ulps=64)
def multinomial(paddle, show):
    probs = paddle.to_tensor([[2.0, 3.0, 5.0], [1.0, 0.0, 3.0]], stop_gradient=False)
    dist = paddle.distribution.Multinomial(6, probs)
    paddle.seed(5)
    show("sample", [dist.sample([2]), dist.sample()])
    value = paddle.to_tensor([[1, 2, 3], [4, 0, 2]])
    show("log_prob", [dist.log_prob(value), dist.prob(value)])
    show("moments", [dist.mean, dist.variance])
    show("shapes", [list(dist.batch_shape), list(dist.event_shape)])


@case
def a_rule_of_ones_own(paddle, show):
    class Mine(paddle.distribution.Normal):
        pass

    p, q = Mine(1.0, 1.0), Mine(0.0, 2.0)
    show("inherited", paddle.distribution.kl_divergence(p, q))
    paddle.distribution.register_kl(Mine, Mine)(lambda p, q: p.loc - q.loc)
    show("own", paddle.distribution.kl_divergence(p, q))
