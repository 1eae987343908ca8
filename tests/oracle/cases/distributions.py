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


@case(ulps=64)
def beta_and_dirichlet(paddle, show):
    D, shares = paddle.distribution, paddle.to_tensor([0.2, 0.3, 0.5], "float64")
    first, second = (
        paddle.to_tensor(v, "float64", stop_gradient=False) for v in ([0.5, 2.0], [0.2, 3.0])
    )
    wide = paddle.to_tensor([[0.5, 2.0, 1.0], [1.0, 3.0, 4.0]], "float64", stop_gradient=False)
    pairs = [
        (D.Beta(first, second), D.Beta(shares[1], shares[2]), shares[:2], first),
        (D.Dirichlet(wide), D.Dirichlet(shares * 4), shares, wide),
    ]
    for name, (dist, other, value, leaf) in zip("bd", pairs, strict=True):
        paddle.seed(3)
        show(f"{name} sample", [dist.sample([2]), paddle.rand([1])])
        show(f"{name} moments", [dist.mean, dist.variance])
        show(f"{name} shapes", str([list(dist.batch_shape), list(dist.event_shape)]))
        answers = [dist.log_prob(value), dist.entropy(), D.kl_divergence(dist, other)]
        show(f"{name} answers", answers)
        show(f"{name} slopes", [paddle.grad([a.sum()], [leaf])[0] for a in answers])
    paddle.seed(3)
    show("float32", [D.Beta(0.5, 2.0).sample([2]), D.Dirichlet(shares.astype("float32")).sample()])
    show.raises("number", lambda: D.Dirichlet(paddle.to_tensor(1.0)))
    show.raises("empty", lambda: D.Dirichlet(paddle.zeros([0])))
    show.raises("reparameterized", lambda: D.Beta(0.5, 2.0).rsample())
    show.raises("two families", lambda: D.kl_divergence(pairs[0][0], pairs[1][0]))


def transforms_of(paddle):
    """Return one transform of each kind."""
    D, T = paddle.distribution, paddle.to_tensor
    affine = D.AffineTransform(T([1.0, 2.0, 3.0]), T([2.0, -1.0, 0.5]))
    return {
        "abs": D.AbsTransform(),
        "affine": affine,
        "power": D.PowerTransform(T(2.0)),
        "sigmoid": D.SigmoidTransform(),
        "softmax": D.SoftmaxTransform(),
        "stick": D.StickBreakingTransform(),
        "chain": D.ChainTransform([affine, D.TanhTransform(), D.ReshapeTransform((3,), (3, 1))]),
        "broken": D.ChainTransform([D.StickBreakingTransform(), D.ExpTransform()]),
        "independent": D.IndependentTransform(D.ExpTransform(), 1),
        "stack": D.StackTransform([D.ExpTransform(), D.TanhTransform(), D.ExpTransform()]),
    }


@case(ulps=256)
def transforms(paddle, show):
    D = paddle.distribution
    base = D.Normal(paddle.zeros([3]), paddle.ones([3]))
    for name, transform in transforms_of(paddle).items():
        x = paddle.to_tensor([0.5, 0.25, 1.0], stop_gradient=False)
        y = transform.forward(x)
        if name in ("abs", "softmax"):
            show(name, [y, transform.inverse(y)])
            show.raises(f"{name} slope", lambda t=transform, x=x: t.forward_log_det_jacobian(x))
            continue
        logs = transform.forward_log_det_jacobian(x)
        made = D.TransformedDistribution(base, [transform])
        paddle.seed(2)
        row = [y, transform.inverse(y), logs, made.rsample(), made.log_prob(y)]
        if not logs.stop_gradient:
            row += paddle.grad([logs.sum()], [x])
        show(name, paddle.concat([each.reshape([-1]) for each in row]))
        shapes = transform.forward_shape([2, 3]), y.shape, logs.shape
        show(
            f"{name} shapes", str([list(n) for n in (*shapes, made.batch_shape, made.event_shape)])
        )


@case
def wrong_transforms(paddle, show):
    D, T = paddle.distribution, paddle.to_tensor
    normal, known = D.Normal(0.0, 1.0), transforms_of(paddle)
    wrong = [
        lambda: D.AffineTransform(1.0, T(2.0)), lambda: D.PowerTransform(2.0),
        lambda: D.ChainTransform(D.ExpTransform()), lambda: D.ChainTransform([1]),
        lambda: D.IndependentTransform(1, 1), lambda: D.IndependentTransform(D.ExpTransform(), 0),
        lambda: D.ReshapeTransform(2, (2,)), lambda: D.ReshapeTransform((2,), (3,)),
        lambda: D.StackTransform([]), lambda: D.StackTransform([D.ExpTransform()], 1.0),
        lambda: known["stack"].forward(T([1.0])), lambda: known["stick"].forward(T(1.0)),
        lambda: known["stick"].forward_shape([]), lambda: known["abs"].forward_shape(3),
        lambda: D.Transform().forward(T(1.0)), lambda: D.Transform().inverse(T(1.0)),
        lambda: D.Transform().forward_log_det_jacobian(T(1.0)),
        lambda: D.ReshapeTransform((2, 3), (3, 2)).forward_shape((3, 2)),
        lambda: D.TransformedDistribution(normal, [D.SoftmaxTransform()]),
        lambda: D.TransformedDistribution(1.0, []), lambda: D.TransformedDistribution(normal, [1]),
        lambda: D.TransformedDistribution(normal, []).mean, lambda: D.Independent(1.0, 1),
        lambda: D.Independent(normal, 1), lambda: D.ExponentialFamily().entropy(),
    ]  # fmt: skip
    for number, call in enumerate(wrong):
        show.raises(str(number), call)


@case(ulps=16)
def summed_and_from_the_normalizer(paddle, show):
    class Waiting(paddle.distribution.ExponentialFamily):
        def __init__(self, rate):
            self.rate = rate
            super().__init__(rate.shape)

        @property
        def _natural_parameters(self):
            return (-self.rate,)

        def _log_normalizer(self, x):
            return -(-x).log()

        @property
        def _mean_carrier_measure(self):
            return 0

    D, T = paddle.distribution, paddle.to_tensor
    show("entropy", [Waiting(T([4.0, 2.0])).entropy(), D.Exponential(T([4.0, 2.0])).entropy()])
    show("kl", D.kl_divergence(Waiting(T([4.0])), Waiting(T([1.0]))))
    kinds = [D.Exponential(1.0), D.Bernoulli(0.5), D.Normal(0.0, 1.0)]
    show("kinds", [isinstance(kind, D.ExponentialFamily) for kind in kinds])
    both = D.Independent(D.Normal(T([0.0, 1.0]), T([1.0, 2.0])), 1)
    paddle.seed(1)
    show("draw", [both.sample([2]), both.log_prob(T([0.5, 0.2])), both.entropy(), both.mean])
    show("shapes", [list(both.batch_shape), list(both.event_shape)])
