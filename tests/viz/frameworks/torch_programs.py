"""PyTorch programs to record; each returns the tensors that its recorded run must not change.

A program's leaves with gradients and its results are returned by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

PROGRAMS: dict[str, Callable[[], dict[str, Any]]] = {}
Tensors = dict[str, Any]


def program(function: Callable[[], Tensors]) -> Callable[[], Tensors]:
    PROGRAMS[function.__name__] = function
    return function


def grads(*modules: Any, **tensors: Any) -> Tensors:
    """Return tensors, and the parameters of modules with their gradients, by name."""
    found = dict(tensors)
    for k, module in enumerate(modules):
        for name, parameter in module.named_parameters():
            found[f"{k}.{name}"] = parameter
            if parameter.grad is not None:
                found[f"{k}.{name}.grad"] = parameter.grad
    for name, tensor in tensors.items():
        if tensor.is_leaf and tensor.grad is not None:
            found[f"{name}.grad"] = tensor.grad
    return found


@program
def mlp() -> Tensors:
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x, label = torch.randn(5, 3), torch.tensor([0, 1, 1, 0, 1])
    for _epoch in range(2):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), label)
        loss.backward()
        optimizer.step()
    return grads(net, loss=loss)


class ConvNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3, padding=1)
        self.bn = nn.BatchNorm2d(3)
        self.head = nn.Linear(12, 2)

    def forward(self, images: Any) -> Any:
        features = F.relu(self.bn(self.conv(images)))
        pooled = F.max_pool2d(features, 2)
        return self.head(pooled.flatten(1))


@program
def cnn() -> Tensors:
    net = ConvNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    images, label = torch.randn(4, 1, 4, 4), torch.tensor([0, 1, 1, 0])
    loss = F.cross_entropy(net(images), label)
    loss.backward()
    optimizer.step()
    net.eval()
    with torch.no_grad():
        score = net(images)
    return grads(net, score=score, mean=net.bn.running_mean)


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
        )

    def forward(self, x: Any) -> Any:
        n, t, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).chunk(3, dim=-1)
        q, k, v = (a.view(n, t, self.heads, -1).transpose(1, 2) for a in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)
        mask = torch.tril(torch.ones(t, t))
        weights = scores.masked_fill(mask == 0, float("-inf")).softmax(dim=-1)
        mixed = (weights @ v).transpose(1, 2).reshape(n, t, width)
        x = x + self.out(mixed)
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(7, 8), nn.Embedding(5, 8)
        self.blocks = nn.ModuleList([Block(8, 2)])
        self.head = nn.Linear(8, 7)

    def forward(self, ids: Any) -> Any:
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(x)


@program
def transformer() -> Tensors:
    net = GPT()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    ids = torch.tensor([[1, 2, 3, 4], [0, 6, 5, 4]])
    score = net(ids[:, :-1])
    loss = F.cross_entropy(score.reshape(-1, 7), ids[:, 1:].reshape(-1))
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    optimizer.step()
    return grads(net, loss=loss)


@program
def fused_attention() -> Tensors:
    x = torch.randn(2, 3, 4, requires_grad=True)
    layer = nn.MultiheadAttention(4, 2, batch_first=True)
    mixed, _ = layer(x, x, x, need_weights=False)
    y = F.scaled_dot_product_attention(mixed, mixed, x, is_causal=True)
    y.square().sum().backward()
    return grads(layer, x=x, y=y)


@program
def recurrent() -> Tensors:
    cell, head = nn.RNNCell(2, 3), nn.Linear(3, 1)
    x, h = torch.randn(3, 4, 2), torch.zeros(4, 3)
    for t in range(3):
        h = cell(x[t], h)
    loss = F.mse_loss(head(h), torch.ones(4, 1))
    loss.backward()
    return grads(cell, head, loss=loss)


@program
def lstm() -> Tensors:
    net = nn.LSTM(2, 3, batch_first=True)
    x = torch.randn(2, 4, 2, requires_grad=True)
    out, (h, _) = net(x)
    (out.sum() + h.square().sum()).backward()
    return grads(net, x=x)


@program
def gan() -> Tensors:
    maker = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 2))
    critic = nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1))
    makers = torch.optim.Adam(maker.parameters(), 0.01)
    critics = torch.optim.Adam(critic.parameters(), 0.01)
    ones, zeros = torch.ones(3, 1), torch.zeros(3, 1)
    for _step in range(2):
        fake = maker(torch.randn(3, 2))
        critics.zero_grad()
        real_loss = F.binary_cross_entropy_with_logits(critic(torch.randn(3, 2)), ones)
        fake_loss = F.binary_cross_entropy_with_logits(critic(fake.detach()), zeros)
        (real_loss + fake_loss).backward()
        critics.step()
        makers.zero_grad()
        F.binary_cross_entropy_with_logits(critic(fake), ones).backward()
        makers.step()
    return grads(maker, critic)


class Scaled(torch.autograd.Function):
    """Two outputs, a number beside the tensors, and no gradient of the third tensor."""

    @staticmethod
    def forward(ctx: Any, a: Any, factor: float, b: Any, c: Any) -> Any:
        product = a * b
        ctx.save_for_backward(a, b, product)
        ctx.factor = factor
        return product * factor, product + c

    @staticmethod
    def backward(ctx: Any, d_scaled: Any, d_moved: Any) -> Any:
        a, b, product = ctx.saved_tensors
        total = d_scaled * ctx.factor + d_moved + 0 * product
        return total * b, None, total * a, None


class Cube(torch.autograd.Function):
    """The newer form, with setup_context; differentiable twice."""

    @staticmethod
    def forward(x: Any) -> Any:
        return x**3

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (x,) = ctx.saved_tensors
        return dy * 3 * x * x


@program
def functions() -> Tensors:
    a, b, c = (torch.randn(3, requires_grad=True) for _ in range(3))
    scaled, moved = Scaled.apply(a, 2.0, b, c)
    loss = (Cube.apply(scaled) + moved).sum()
    loss.backward()
    scaled, _ = Scaled.apply(a, 0.5, b, c)
    scaled.sum().backward()
    return grads(a=a, b=b, c=c, loss=loss)


@program
def checkpointed() -> Tensors:
    first, last = nn.Linear(3, 3), nn.Linear(3, 1)
    x = torch.randn(2, 3, requires_grad=True)
    h = checkpoint(lambda x: torch.tanh(first(x)), x, use_reentrant=False)
    h = checkpoint(lambda h: torch.sin(first(h)), h, use_reentrant=True)
    last(h).sum().backward()
    return grads(first, last, x=x)


@program
def double_backward() -> Tensors:
    x = torch.randn(3, requires_grad=True)
    w = torch.randn(3, requires_grad=True)
    y = (torch.tanh(x * w) + Cube.apply(x)).sum()
    (dx,) = torch.autograd.grad(y, x, create_graph=True)
    penalty = dx.square().sum()
    penalty.backward()
    return grads(x=x, w=w, penalty=penalty)


@program
def shared_weights() -> Tensors:
    table = nn.Embedding(5, 4)
    ids = torch.tensor([1, 3, 1])
    h = torch.tanh(table(ids))
    score = h @ table.weight.t()
    loss = -score.log_softmax(1)[torch.arange(3), ids].mean()
    loss.backward()
    return grads(table, loss=loss)


@program
def in_place() -> Tensors:
    w = torch.randn(4, requires_grad=True)
    z = w * 2
    z.add_(1)
    z[1:3] *= 3
    z[0] = 0.5
    y = F.relu(z, inplace=True)
    y.sum().backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    return grads(w=w, z=z)


@program
def hooks() -> Tensors:
    w = torch.randn(3, requires_grad=True)
    w.register_hook(lambda grad: grad * 2)
    y = torch.exp(w)
    y.retain_grad()
    y.register_hook(lambda grad: grad + 1)
    z = y * y
    z.sum().backward()
    y2 = torch.sin(w)
    y2.sum().backward()
    return grads(w=w, dy=y.grad)


@program
def frozen() -> Tensors:
    base, head = nn.Linear(3, 3), nn.Linear(3, 2)
    base.requires_grad_(False)
    x = torch.randn(4, 3)
    with torch.no_grad():
        target = torch.softmax(head(x), dim=1)
    features = base(x).relu()
    loss = F.kl_div(head(features).log_softmax(1), target, reduction="batchmean")
    loss.backward()
    return grads(base, head, loss=loss)


@program
def indexing() -> Tensors:
    x = torch.randn(3, 4, requires_grad=True)
    rows = torch.tensor([0, 2, 0])
    parts = (
        torch.einsum("ij,kj->ik", x, x),
        x[rows],
        x[:, 1:3],
        x[x > 0],
        x.gather(1, rows[:, None]),
    )
    a, b = x.split(2, dim=1)
    stacked = torch.stack([a, b]).permute(2, 0, 1).reshape(-1)
    top, _ = torch.cat([stacked, x.t().flatten()]).topk(3)
    values, _ = x.max(dim=1)
    loss = sum(each.sum() for each in parts) + top.prod() + values.std() + x.norm()
    loss.backward()
    return grads(x=x, loss=loss)


@program
def arithmetic() -> Tensors:
    x = torch.rand(2, 3, requires_grad=True)
    y = torch.rand(3, requires_grad=True)
    z = (2 - x) / y + 3 / (x + 1) - x**2 + 2**y + x.pow(y) + (-x) * 0.5
    z = torch.where(z > 1, z, z.clamp(-1, 0.5)) + torch.maximum(x, y) + x.abs().sqrt().log1p()
    z = z + torch.addmm(y, x, torch.eye(3)) + torch.atan2(x, y) + torch.lerp(x, x * 2, 0.25)
    loss = z.mean(dim=1, keepdim=True).logsumexp(0).sum() + z.var() + z.cumsum(1).amax()
    loss.backward()
    return grads(x=x, y=y, loss=loss)


@program
def momentum() -> Tensors:
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(
        net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01, nesterov=True
    )
    rate = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    x, y = torch.randn(4, 2), torch.randn(4, 1)
    for _step in range(3):
        optimizer.zero_grad(set_to_none=False)
        F.mse_loss(net(x), y).backward()
        optimizer.step()
        rate.step()
    return grads(net)


@program
def accumulated() -> Tensors:
    net = nn.Linear(2, 1)
    for _part in range(2):
        net(torch.randn(3, 2)).sum().backward()
    x = torch.randn(2, requires_grad=True)
    y = x * x
    y.sum().backward(retain_graph=True)
    y.backward(torch.tensor([1.0, 2.0]))
    gradient = torch.autograd.grad(torch.sin(x).sum(), [x, net.weight], allow_unused=True)
    torch.autograd.backward([torch.cos(x).sum(), (2 * x).sum()])
    return grads(net, x=x, gradient=gradient[0])


@program
def not_a_number() -> Tensors:
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    y = torch.sqrt(x) * torch.log(x)
    y.sum().backward()
    return grads(x=x, y=y)


@program
def half() -> Tensors:
    net = nn.Linear(3, 2)
    x = torch.randn(2, 3)
    with torch.autocast("cpu", torch.bfloat16):
        y = torch.tanh(net(x))
    y.float().sum().backward()
    d = torch.randn(2, dtype=torch.float64, requires_grad=True)
    (d * torch.ones(2, dtype=torch.float64)).sum().backward()
    return grads(net, d=d)


@program
def older_graph() -> Tensors:
    """The first half of the graph is made before the recording begins."""
    x, h = BEFORE
    y = torch.tanh(h * 2)
    y.sum().backward()
    return grads(x=x, y=y)


# Calls at the edge of what a record describes: each is its op, or is told in general words.
X = torch.linspace(-2, 2, 12).reshape(3, 4).requires_grad_()
Y = torch.linspace(0.5, 2, 4).requires_grad_()
CLASSES, IMAGE = torch.tensor([0, 1, 3]), (1, 1, 3, 4)
CALLS: tuple[Callable[[], Any], ...] = (
    lambda: X.clamp(min=torch.tensor(0.0)), lambda: X.clamp(min=0.1), lambda: X.sum((0, 1)),
    lambda: torch.where(X > 0, X, 0.0), lambda: X.sum(dtype=torch.float64), lambda: X.amax(1),
    lambda: X.mean(-1, keepdim=True), lambda: X[None].squeeze(0), lambda: X[None].flatten(1, 2),
    lambda: torch.max(X), lambda: torch.amin(X), lambda: X.argmax(dim=1), lambda: X.cumsum(0),
    lambda: X.var(1), lambda: X.var(unbiased=False), lambda: X.split([1, 3], 1),
    lambda: X.split(3, dim=1), lambda: X.chunk(3, dim=1), lambda: X.unbind(1),
    lambda: Y[None].expand(3, -1), lambda: X.view(-1, 2), lambda: X[None].permute(2, 0, 1),
    lambda: X.T, lambda: X[None].mT, lambda: X[1:, ::2], lambda: X[..., None], lambda: X[X > 0],
    lambda: X.masked_fill(X > 0, 3.0), lambda: torch.einsum("ij,kj->ik", [X, X]),
    lambda: F.linear(X, X), lambda: F.linear(Y, X), lambda: F.linear(X[None], X, Y[:3]),
    lambda: torch.addmm(Y[:3], X, X.T, beta=0.5, alpha=2.0), lambda: F.gelu(X),
    lambda: F.gelu(X, approximate="tanh"), lambda: F.elu(X, 0.5), lambda: F.leaky_relu(X, 0.3),
    lambda: F.softplus(X, 2.0, 5.0), lambda: F.logsigmoid(X), lambda: F.embedding(CLASSES[:2], X),
    lambda: F.embedding(CLASSES[:2], X, padding_idx=0), lambda: 1 - X, lambda: 2 / Y,
    lambda: Y**2.5, lambda: 2.0**X, lambda: Y**X, lambda: torch.sub(X, Y, alpha=2),
    lambda: CLASSES + 1, lambda: CLASSES / 2, lambda: X > 0.5, lambda: CLASSES == 2,
    lambda: X.to(torch.float64), lambda: X.tril(-1), lambda: torch.stack([X, X], -1),
    lambda: torch.atan2(X, Y), lambda: F.layer_norm(X, (4,), Y, Y, 1e-3),
    lambda: F.layer_norm(X, (3, 4)), lambda: F.softmax(X, 0), lambda: X.log_softmax(-1),
    lambda: F.conv2d(X.reshape(IMAGE), Y.reshape(1, 1, 2, 2), None, (1, 2), 1),
    lambda: F.conv2d(X.reshape(IMAGE), Y.reshape(1, 1, 2, 2), Y[:1], padding=(1, 0)),
    lambda: F.max_pool2d(X.reshape(IMAGE), 2, 1),
    lambda: F.max_pool2d(X.reshape(IMAGE), 2, ceil_mode=True),
    lambda: F.batch_norm(X, torch.zeros(4), torch.ones(4), Y, Y, True, 0.3),
    lambda: F.batch_norm(X, torch.zeros(4), torch.ones(4)),
    lambda: F.cross_entropy(X, CLASSES), lambda: F.cross_entropy(X, CLASSES, reduction="sum"),
    lambda: F.cross_entropy(X, torch.tensor([0, 1, -100])), lambda: F.mse_loss(X, X * 2),
    lambda: torch.arange(1, 7, 2), lambda: torch.arange(0.0, 1.0, 0.25),
    lambda: torch.ones(2, 3, dtype=torch.int64), lambda: torch.zeros((2,)),
    # Where PyTorch and the record part: at a 0, outside of a domain, at another dtype or shape.
    lambda: F.leaky_relu(X - X.detach(), 0.3), lambda: torch.atan2(X * 0, X * 0),
    lambda: torch.erfinv(Y), lambda: (X * 0 - torch.inf).logsumexp(1), lambda: X.var([]),
    lambda: Y.sum().cumsum(0), lambda: CLASSES >= 0.5, lambda: 2.5**CLASSES, lambda: X * (X > 0),
    lambda: CLASSES * Y[:3], lambda: F.mse_loss(X, X.double() * 2),
    lambda: F.linear(X, X, X[:, :3]), lambda: X[:0].chunk(2), lambda: torch.amax(X),
)  # fmt: skip
BEFORE: Any = None


def prepare() -> None:
    """Set the seed, and make what exists before a recording."""
    global BEFORE
    torch.manual_seed(3)
    x = torch.randn(3, requires_grad=True)
    BEFORE = x, torch.sin(x) * x


def failing() -> None:
    """Multiply matrices that do not fit."""
    x = torch.randn(2, 3)
    h = torch.tanh(x)
    h @ torch.randn(2, 3)
