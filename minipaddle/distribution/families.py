"""The families of distributions, and the divergence of two of one family."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..eager.creation import to_tensor
from ..engine.grad_mode import no_grad
from ..errors import require
from ..nn import functional as F
from ..ops import errors
from ..ops.making import sampling
from ..ops.rule_functions import GRAPH as ops
from .base import Distribution, ExponentialFamily, register_kl

TINY = float(np.finfo("float32").tiny)

# ----- with a density ---------------------------------------------------------------------------


class Normal(Distribution):
    """The normal distribution N(loc, scale²).

    Shapes: numbers give 0-D draws; Tensors give batches. Dtypes: float32, float64.
    Errors: ValueError for a Tensor beside a number; TypeError for other types.
    Source: Paddle's `paddle.distribution.Normal`.

    >>> import minipaddle as paddle
    >>> _ = paddle.seed(0)
    >>> loc = paddle.to_tensor([1.0], stop_gradient=False)
    >>> normal = paddle.distribution.Normal(loc, paddle.to_tensor([2.0]))
    >>> normal.rsample([4]).sum().backward(); loc.grad.tolist()
    [4.0]
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.loc, self.scale = self._tensors(loc=loc, scale=scale)
        super().__init__(self.loc.shape)

    mean = property(lambda self: self.loc)
    variance = property(lambda self: self.scale.pow(2))
    probs = Distribution.prob

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        """Draw normal numbers; as in Paddle, gradients reach `loc` and `scale` here too."""
        noise = ops.gaussian(shape=self._extend_shape(shape), dtype=self.loc.dtype, seed=seed)
        return noise * self.scale + self.loc

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        noise = sampling.normal(shape=self._extend_shape(shape))
        return self.loc + noise * self.scale

    def log_prob(self, value: Any) -> Any:
        difference = self._value(value, self.loc) - self.loc
        log_norm = self.scale.log() + math.log(math.sqrt(2 * math.pi))
        variance = self.scale * self.scale
        return -1.0 * (difference * difference) / (2.0 * variance) - log_norm

    def entropy(self) -> Any:
        return 0.5 + (0.5 * math.log(2 * math.pi) + self.scale.log())


class Uniform(Distribution):
    """The uniform distribution on [low, high).

    As in Paddle it has no mean, no variance and no rsample; gradients flow through `sample`.

    Shapes: numbers give 0-D draws; Tensors give batches. Dtypes: float32, float64.
    Errors: ValueError for a Tensor beside a number; TypeError for other types.
    Source: Paddle's `paddle.distribution.Uniform`.

    >>> import minipaddle as paddle
    >>> paddle.distribution.Uniform(0.0, 4.0).prob(paddle.to_tensor([1.0, 5.0])).tolist()
    [0.25, 0.0]
    """

    def __init__(self, low: Any, high: Any, name: str | None = None) -> None:
        self.low, self.high = self._tensors(low=low, high=high)
        super().__init__(self.low.shape)

    probs = Distribution.prob

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        noise = sampling.uniform(self._extend_shape(shape), self.low.dtype, seed=seed)
        return noise * (self.high - self.low) + self.low

    def log_prob(self, value: Any) -> Any:
        return self._inside(value).log() - (self.high - self.low).log()

    def entropy(self) -> Any:
        return (self.high - self.low).log()

    def _inside(self, value: Any) -> Any:
        """Return 1 where low < value < high, else 0."""
        value = self._value(value, self.low)
        return (self.low < value).astype(value.dtype) * (value < self.high).astype(value.dtype)


class Exponential(ExponentialFamily):
    """The exponential distribution: waiting times of mean 1/rate.

    Shapes: a number gives 0-D draws; a Tensor gives a batch. Dtypes: float32, float64.
    Errors: TypeError for a rate that is neither a float nor a Tensor.
    Source: Paddle's `paddle.distribution.Exponential`.

    >>> import minipaddle as paddle
    >>> float(paddle.distribution.Exponential(4.0).mean)
    0.25
    """

    def __init__(self, rate: Any) -> None:
        (self.rate,) = self._tensors(rate=rate)
        super().__init__(self.rate.shape)

    mean = property(lambda self: self.rate.reciprocal())
    variance = property(lambda self: self.rate.pow(-2))

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        sizes = self._extend_shape(shape)
        return -sampling.uniform(sizes, self.rate.dtype, TINY, 1.0).log() / self.rate

    def log_prob(self, value: Any) -> Any:
        return self.rate.log() - self.rate * value

    def cdf(self, value: Any) -> Any:
        """Return the probability of a draw below a value."""
        return 1.0 - (-self.rate * value).exp()

    def icdf(self, value: Any) -> Any:
        """Return the value below which a draw is with a probability."""
        return -(-self._number(value, self.rate)).log1p() / self.rate

    def entropy(self) -> Any:
        return 1.0 - self.rate.log()


class Laplace(Distribution):
    """The Laplace distribution: a density that falls as exp(−|x − loc| / scale) on both sides.

    Shapes: those of loc and scale, broadcast. Dtypes: float32, float64.
    Errors: TypeError for a parameter that is neither a number nor a Tensor.
    Source: Paddle's `paddle.distribution.Laplace`.

    >>> import minipaddle as paddle
    >>> float(paddle.distribution.Laplace(0.0, 0.5).prob(paddle.to_tensor(0.0)))
    1.0
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = self._tensors(mixed=True, loc=loc, scale=scale)
        super().__init__(self.loc.shape)

    mean = property(lambda self: self.loc)
    stddev = property(lambda self: 2**0.5 * self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        eps = 2.22045e-16 if self.loc.dtype.name == "float64" else 1.19209e-07
        low, high = float(np.nextafter(-1, 1)) + eps / 2, 1.0 - eps / 2
        noise = sampling.uniform(self._extend_shape(shape), self.loc.dtype, low, high)
        return self.loc - self.scale * noise.sign() * (-noise.abs()).log1p()

    def log_prob(self, value: Any) -> Any:
        return -(2 * self.scale).log() - self._far(value).abs() / self.scale

    def entropy(self) -> Any:
        return 1 + (2 * self.scale).log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of a draw below a value."""
        far = self._far(value) / self.scale
        return 0.5 - 0.5 * far.sign() * (-far.abs()).expm1()

    def icdf(self, value: Any) -> Any:
        """Return the value below which a draw is with a probability."""
        side = self._number(value, self.scale) - 0.5
        return self.loc - self.scale * side.sign() * (-2 * side.abs()).log1p()

    def _far(self, value: Any) -> Any:
        return self._number(value, self.scale) - self.loc


class Dirichlet(ExponentialFamily):
    """Random shares [..., k] of 1, which vary less around their means the more concentrated.

    The mean of share i is its part of the sum of `concentration`.

    Shapes: concentration [..., k] gives draws [..., k]. Dtypes: float32, float64.
    Errors: ValueError for a concentration that is no Tensor, or without an axis or elements.
    Source: Paddle's `paddle.distribution.Dirichlet`.

    >>> import minipaddle as paddle
    >>> shares = paddle.distribution.Dirichlet(paddle.to_tensor([1.0, 3.0]))
    >>> shares.mean.tolist(), bool(shares.sample().sum() > 0.999)
    ([0.25, 0.75], True)
    """

    def __init__(self, concentration: Any) -> None:
        if not hasattr(concentration, "stop_gradient"):
            raise errors.no_tensor("Dirichlet", "concentration", concentration)
        full = len(concentration.shape) > 0 and 0 not in concentration.shape
        expected = "concentration [..., k], not empty"
        require(full, "Dirichlet", expected, concentration=concentration)
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:])

    mean = property(lambda self: self.concentration / self.concentration.sum(-1, keepdim=True))

    @property
    def variance(self) -> Any:
        total = self.concentration.sum(-1, keepdim=True)
        spread = self.concentration * (total - self.concentration)
        return spread / (total.pow(2) * (total + 1))

    def sample(self, shape: Sequence[int] = ()) -> Any:
        with no_grad():
            return ops.dirichlet(self.concentration.expand(self._extend_shape(shape)))

    def log_prob(self, value: Any) -> Any:
        weighted = (value.log() * (self.concentration - 1.0)).sum(-1)
        return weighted - self._log_normalizer(self.concentration)

    def entropy(self) -> Any:
        total, k = self.concentration.sum(-1), self.concentration.shape[-1]
        parts = ((self.concentration - 1.0) * self.concentration.digamma()).sum(-1)
        log_norm = self._log_normalizer(self.concentration)
        return log_norm - (k - total) * total.digamma() - parts

    _natural_parameters = property(lambda self: (self.concentration,))

    def _log_normalizer(self, x: Any) -> Any:
        return x.lgamma().sum(-1) - x.sum(-1).lgamma()


class Beta(ExponentialFamily):
    """Random shares of 1: the first of the two of `Dirichlet` with the concentrations alpha, beta.

    Shapes: those of alpha and beta, broadcast. Dtypes: float32, float64.
    Errors: TypeError for a parameter that is neither a number nor a Tensor.
    Source: Paddle's `paddle.distribution.Beta`.

    >>> import minipaddle as paddle
    >>> float(paddle.distribution.Beta(1.0, 3.0).mean)
    0.25
    """

    def __init__(self, alpha: Any, beta: Any) -> None:
        self.alpha, self.beta = self._tensors(mixed=True, alpha=alpha, beta=beta)
        super().__init__(self.alpha.shape)

    _dirichlet = property(lambda self: Dirichlet(ops.stack([self.alpha, self.beta], axis=-1)))

    mean = property(lambda self: self.alpha / (self.alpha + self.beta))

    @property
    def variance(self) -> Any:
        total = self.alpha + self.beta
        return self.alpha * self.beta / (total.pow(2) * (total + 1))

    def sample(self, shape: Sequence[int] = ()) -> Any:
        return self._dirichlet.sample(shape)[..., 0]

    def log_prob(self, value: Any) -> Any:
        return self._dirichlet.log_prob(ops.stack([value, 1.0 - value], axis=-1))

    def entropy(self) -> Any:
        return self._dirichlet.entropy()

    _natural_parameters = property(lambda self: (self.alpha, self.beta))

    def _log_normalizer(self, x: Any, y: Any) -> Any:
        return x.lgamma() + y.lgamma() - (x + y).lgamma()


# ----- over numbers that can be counted ---------------------------------------------------------


class Bernoulli(ExponentialFamily):
    """1 with the probability `probs`, else 0.

    Shapes: a number gives 0-D draws; a Tensor gives a batch. Dtypes: float32, float64.
    Errors: TypeError for probs that are neither a float nor a Tensor. Probabilities are clipped to
    [eps, 1 − eps]. Source: Paddle's `paddle.distribution.Bernoulli`.

    >>> import minipaddle as paddle
    >>> float(paddle.distribution.Bernoulli(0.5).variance)
    0.25
    """

    def __init__(self, probs: Any, name: str | None = None) -> None:
        (probs,) = self._tensors(probs=probs)
        eps = float(np.finfo(probs.dtype.name).eps)
        self.probs = probs.clip(eps, 1 - eps)
        self.logits = self.probs.log() - (-self.probs).log1p()
        super().__init__(probs.shape)

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, shape: Sequence[int] = ()) -> Any:
        with no_grad():
            return sampling.bernoulli(self.probs.expand(self._extend_shape(shape)))

    def rsample(self, shape: Sequence[int] = (), temperature: float = 1.0) -> Any:
        """Draw logits whose sigmoid tends to 0 or 1 as the temperature falls."""
        noise = sampling.rand(self._extend_shape(shape), self.probs.dtype)
        return ((noise.log() - (-noise).log1p()) + self.logits) / temperature

    def log_prob(self, value: Any) -> Any:
        pair = [self.logits, self._value(value, self.probs)]
        wide_logits, targets = ops.broadcast_tensors(pair)
        return -F.binary_cross_entropy_with_logits(wide_logits, targets, reduction="none")

    def cdf(self, value: Any) -> Any:
        """Return the probability of a draw that is not above a value."""
        value = self._value(value, self.probs)
        zero = to_tensor(0.0, value.dtype)
        rest = ops.where(value < 1, 1 - self.probs, zero + 1)
        return ops.where(value < 0, zero, rest)

    def entropy(self) -> Any:
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


class Categorical(Distribution):
    """A category 0 … k − 1, drawn with the probabilities softmax(logits).

    As in Paddle 3.3.1, `log_prob` and `probs` take logits / Σ logits as the probabilities, while
    `sample`, `entropy` and `kl_divergence` take softmax(logits).

    Shapes: logits [..., k] give draws [...]. Dtypes: float32, float64; draws are int64.
    Errors: TypeError for logits that are no list, array or Tensor.
    Source: Paddle's `paddle.distribution.Categorical`.

    >>> import minipaddle as paddle
    >>> drawn = paddle.distribution.Categorical(paddle.to_tensor([0.0, 100.0])).sample([3])
    >>> drawn.tolist()
    [1, 1, 1]
    """

    def __init__(self, logits: Any, name: str | None = None) -> None:
        (self.logits,) = self._tensors(logits=logits)
        errors.require_rank("Categorical", 1, None, logits=self.logits)
        self._prob = self.logits / self.logits.sum(-1, keepdim=True)
        super().__init__(self.logits.shape[:-1])

    def sample(self, shape: Sequence[int] = ()) -> Any:
        sizes = self._extend_shape(shape)
        count = math.prod(sizes[: len(sizes) - len(self.batch_shape)])
        rows = F.softmax(self.logits).reshape([-1, self.logits.shape[-1]])
        return sampling.multinomial(rows, count, True).transpose([1, 0]).reshape(sizes)

    def probs(self, value: Any) -> Any:
        if not hasattr(value, "stop_gradient"):
            raise errors.no_tensor("Categorical.probs", "value", value)
        if len(self._prob.shape) == 1:
            return self._prob.gather(value.reshape([-1])).reshape(value.shape)
        if len(value.shape) == 1:
            value = value.reshape([1] * (len(self._prob.shape) - 1) + [-1])
        return self._prob.take_along_axis(value, -1)

    def log_prob(self, value: Any) -> Any:
        return self.probs(value).log()

    def entropy(self) -> Any:
        log_probs = F.log_softmax(self.logits)
        return -(log_probs.exp() * log_probs).sum(-1)


class Multinomial(Distribution):
    """How often each of k categories comes in `total_count` draws with the probabilities `probs`.

    Shapes: probs [..., k] give draws [..., k]. Dtypes: float32, float64.
    Errors: ValueError unless total_count is an int of at least 1 and probs has an axis.
    Source: Paddle's `paddle.distribution.Multinomial`.

    >>> import minipaddle as paddle
    >>> counts = paddle.distribution.Multinomial(5, paddle.to_tensor([1.0, 3.0]))
    >>> float(counts.sample().sum()), counts.mean.tolist()
    (5.0, [1.25, 3.75])
    """

    def __init__(self, total_count: Any, probs: Any) -> None:
        counts = isinstance(total_count, int) and total_count >= 1
        expected = "total_count, an int of at least 1"
        require(counts, "Multinomial", expected, total_count=total_count)
        if not hasattr(probs, "stop_gradient"):
            raise errors.no_tensor("Multinomial", "probs", probs)
        require(len(probs.shape) >= 1, "Multinomial", "probs [..., k]", probs=probs)
        self.total_count, self.probs = total_count, probs / probs.sum(-1, keepdim=True)
        self._categorical = Categorical(probs.log())
        super().__init__(probs.shape[:-1], probs.shape[-1:])

    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, shape: Sequence[int] = ()) -> Any:
        self._extend_shape(shape)
        drawn = self._categorical.sample([self.total_count, *shape])
        return F.one_hot(drawn, self.probs.shape[-1]).astype(self.probs.dtype).sum(0)

    def log_prob(self, value: Any) -> Any:
        logits, value = ops.broadcast_tensors([self.probs.log(), self._value(value, self.probs)])
        never = (value == 0).logical_and(logits.isinf())  # 0 · log 0 counts as 0
        logits = ops.where(never, ops.fill_like(logits, value=0.0), logits)
        count = (value.sum(-1) + 1).lgamma()
        return count - (value + 1).lgamma().sum(-1) + (value * logits).sum(-1)

    def entropy(self) -> Any:
        n, logits = self.total_count, self.probs.log() - (-self.probs).log1p()
        x = ops.arange(start=1, end=n + 1, step=1, dtype=self.probs.dtype)
        x = x.reshape([-1] + [1] * len(self.probs.shape))
        # how likely a category comes x times
        ways = math.lgamma(n + 1) - (x + 1).lgamma() - (n - x + 1).lgamma()
        norm = n * (F.relu(logits) + (-logits.abs()).exp().log1p())
        pmf = (ways + x * logits - norm).exp()
        overlap = (pmf * (x + 1).lgamma()).sum([0, -1])
        return n * self._categorical.entropy() - math.lgamma(n + 1) + overlap


# ----- divergences ------------------------------------------------------------------------------


@register_kl(Normal, Normal)
def _between_normals(p: Any, q: Any) -> Any:
    variance_ratio = (p.scale / q.scale).square()
    distance = ((p.loc - q.loc) / q.scale).square()
    return 0.5 * variance_ratio + 0.5 * (distance - 1.0 - variance_ratio.log())


@register_kl(Exponential, Exponential)
def _between_exponentials(p: Any, q: Any) -> Any:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Laplace, Laplace)
def _between_laplaces(p: Any, q: Any) -> Any:
    far = (p.loc - q.loc).abs()
    return (p.scale * (-far / p.scale).exp() + far) / q.scale + (q.scale / p.scale).log() - 1


@register_kl(Dirichlet, Dirichlet)
def _between_dirichlets(p: Any, q: Any) -> Any:
    of_p, of_q = p.concentration, q.concentration
    weight = of_p.digamma() - of_p.sum(-1, keepdim=True).digamma()
    norms = q._log_normalizer(of_q) - p._log_normalizer(of_p)
    return norms + ((of_p - of_q) * weight).sum(-1)


@register_kl(Beta, Beta)
def _between_betas(p: Any, q: Any) -> Any:
    return _between_dirichlets(p._dirichlet, q._dirichlet)


@register_kl(Bernoulli, Bernoulli)
def _between_bernoullis(p: Any, q: Any) -> Any:
    ones = F.sigmoid(p.logits) * (F.softplus(-q.logits) - F.softplus(-p.logits))
    return ones + F.sigmoid(-p.logits) * (F.softplus(q.logits) - F.softplus(p.logits))


@register_kl(Categorical, Categorical)
def _between_categoricals(p: Any, q: Any) -> Any:
    log_p, log_q = F.log_softmax(p.logits), F.log_softmax(q.logits)
    return (log_p.exp() * (log_p - log_q)).sum(-1, keepdim=True)
