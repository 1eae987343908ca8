"""Programs for Paddle and for minipaddle, which record as the same; each gets the one or the other.

A program returns its leaves, their gradients and its results by name; a recorded run must not
change them. Numbers come from `wave`, because the two draw other random ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

PROGRAMS: dict[str, Callable[[Any], dict[str, Any]]] = {}
Tensors = dict[str, Any]


def program(function: Callable[[Any], Tensors]) -> Callable[[Any], Tensors]:
    PROGRAMS[function.__name__] = function
    return function


def wave(*shape: int, at: float = 0.0) -> Any:
    """Return numbers between -1 and 1."""
    size = int(np.prod(shape))
    return np.sin(np.arange(size, dtype="float32") * 1.7 + at).astype("float32").reshape(shape)


def tensor(paddle: Any, *shape: int, at: float = 0.0, learn: bool = True) -> Any:
    return paddle.to_tensor(wave(*shape, at=at), stop_gradient=not learn)


def set_up(net: Any) -> Any:
    """Give a net's parameters known values."""
    for k, parameter in enumerate(net.parameters()):
        if not parameter.stop_gradient:
            parameter.set_value(0.6 * wave(*parameter.shape, at=k))
    return net


def grads(*nets: Any, **tensors: Any) -> Tensors:
    """Return tensors, and the parameters of nets with their gradients, by name."""
    found = dict(tensors)
    for k, net in enumerate(nets):
        found |= {f"{k}.{name}": each for name, each in net.named_parameters()}
    for name, each in [*found.items()]:
        if each.is_leaf and not each.stop_gradient and each.grad is not None:
            found[f"{name}.grad"] = each.grad
    return found


@program
def mlp(paddle: Any) -> Tensors:
    nn = paddle.nn
    net = set_up(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)))
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x, label = tensor(paddle, 5, 3, learn=False), paddle.to_tensor([0, 1, 1, 0, 1])
    for _epoch in range(2):
        loss = nn.functional.cross_entropy(net(x), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad(set_to_zero=False)
    return grads(net, loss=loss)


@program
def cnn(paddle: Any) -> Tensors:
    nn, F = paddle.nn, paddle.nn.functional

    class ConvNet(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2D(1, 3, 3, padding=1, bias_attr=False)
            self.bn = nn.BatchNorm2D(3)
            self.head = nn.Linear(12, 2)

        def forward(self, images: Any) -> Any:
            features = F.relu(self.bn(self.conv(images)))
            pooled = F.max_pool2d(features, 2)
            return self.head(pooled.flatten(1))

    net = set_up(ConvNet())
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
    images, label = tensor(paddle, 4, 1, 4, 4, learn=False), paddle.to_tensor([0, 1, 1, 0])
    loss = F.cross_entropy(net(images), label)
    loss.backward()
    optimizer.step()
    net.eval()
    with paddle.no_grad():
        score = net(images)
    return grads(net, score=score)


@program
def transformer(paddle: Any) -> Tensors:
    nn, F = paddle.nn, paddle.nn.functional

    class Block(nn.Layer):
        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv = nn.Linear(width, 3 * width, bias_attr=False)
            self.out = nn.Linear(width, width)
            self.mlp = nn.Sequential(
                nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
            )

        def forward(self, x: Any) -> Any:
            n, t, width = x.shape
            q, k, v = self.qkv(self.norm1(x)).chunk(3, axis=-1)
            q, k, v = (a.reshape([n, t, self.heads, -1]).transpose([0, 2, 1, 3]) for a in (q, k, v))
            scores = q @ k.transpose([0, 1, 3, 2]) / (width // self.heads) ** 0.5
            mask = paddle.triu(paddle.full([t, t], -1e9), 1)
            weights = F.softmax(scores + mask)
            mixed = (weights @ v).transpose([0, 2, 1, 3]).reshape([n, t, width])
            x = x + self.out(mixed)
            return x + self.mlp(self.norm2(x))

    class GPT(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.tokens, self.places = nn.Embedding(7, 8), nn.Embedding(5, 8)
            self.blocks = nn.LayerList([Block(8, 2)])
            self.head = nn.Linear(8, 7)

        def forward(self, ids: Any) -> Any:
            x = self.tokens(ids) + self.places(paddle.arange(ids.shape[1]))
            for block in self.blocks:
                x = block(x)
            return self.head(x)

    net = set_up(GPT())
    clip = nn.ClipGradByGlobalNorm(0.5)
    optimizer = paddle.optimizer.AdamW(0.01, parameters=net.parameters(), grad_clip=clip)
    ids = paddle.to_tensor([[1, 2, 3, 4], [0, 6, 5, 4]])
    score = net(ids[:, :-1])
    loss = F.cross_entropy(score.reshape([-1, 7]), ids[:, 1:].reshape([-1]))
    loss.backward()
    optimizer.step()
    return grads(net, loss=loss)


@program
def recurrent(paddle: Any) -> Tensors:
    nn, F = paddle.nn, paddle.nn.functional
    cell, head = set_up(nn.GRUCell(2, 3)), set_up(nn.Linear(3, 1))
    x, h = tensor(paddle, 3, 4, 2, learn=False), paddle.zeros([4, 3])
    states = []
    for t in range(3):
        _, h = cell(x[t], h)
        states.append(h)
    loss = F.mse_loss(head(paddle.stack(states, 1)), paddle.ones([4, 3, 1]))
    loss.backward()
    return grads(cell, head, loss=loss)


@program
def lstm(paddle: Any) -> Tensors:
    net = set_up(paddle.nn.LSTM(2, 3))
    x = tensor(paddle, 2, 4, 2)
    out, (h, _) = net(x)
    (out.sum() + h.square().sum()).backward()
    return grads(net, x=x)


@program
def gan(paddle: Any) -> Tensors:
    nn, F = paddle.nn, paddle.nn.functional
    maker = set_up(nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 2)))
    critic = set_up(nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1)))
    makers = paddle.optimizer.Adam(0.01, parameters=maker.parameters())
    critics = paddle.optimizer.Momentum(0.01, 0.9, critic.parameters(), weight_decay=0.01)
    ones, zeros = paddle.ones([3, 1]), paddle.zeros([3, 1])
    for step in range(2):
        fake = maker(tensor(paddle, 3, 2, at=step, learn=False))
        real_score = critic(tensor(paddle, 3, 2, at=step + 5, learn=False))
        real_loss = F.binary_cross_entropy_with_logits(real_score, ones)
        fake_loss = F.binary_cross_entropy_with_logits(critic(fake.detach()), zeros)
        critics.clear_grad()
        (real_loss + fake_loss).backward()
        critics.step()
        makers.clear_grad()
        F.binary_cross_entropy_with_logits(critic(fake), ones).backward()
        makers.step()
    return grads(maker, critic)


@program
def py_layers(paddle: Any) -> Tensors:
    class Scaled(paddle.autograd.PyLayer):
        """Two outputs, a number beside the tensors, and no gradient of the third tensor."""

        @staticmethod
        def forward(ctx: Any, a: Any, factor: float, b: Any, c: Any) -> Any:
            product = a * b
            ctx.save_for_backward(a, b, product)
            ctx.factor = factor
            return product * factor, product + c

        @staticmethod
        def backward(ctx: Any, d_scaled: Any, d_moved: Any) -> Any:
            a, b, product = ctx.saved_tensor()
            total = d_scaled * ctx.factor + d_moved + 0.0 * product
            return total * b, total * a, None

    class Cube(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            (x,) = ctx.saved_tensor()
            return dy * 3 * x * x

    class Counted(paddle.autograd.PyLayer):
        """A result that nobody differentiates, and gradients that are not filled up with zeros."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.set_materialize_grads(False)
            above = x.detach() * 0
            ctx.mark_non_differentiable(above)
            return x * 2, above

        @staticmethod
        def backward(_ctx: Any, dy: Any, _above: Any) -> Any:
            return dy * 2

    a, b = tensor(paddle, 3), tensor(paddle, 3, at=1)
    c = tensor(paddle, 3, at=2, learn=False)
    doubled, _ = Counted.apply(a)
    scaled, moved = Scaled.apply(doubled, 2.0, b, c)
    loss = (Cube.apply(scaled) + moved).sum()
    loss.backward()
    scaled, _ = Scaled.apply(a, 0.5, b, c)
    scaled.sum().backward()
    return grads(a=a, b=b, loss=loss)


@program
def recomputed(paddle: Any) -> Tensors:
    from importlib import import_module

    recompute = import_module(f"{paddle.__name__}.distributed.fleet.utils").recompute
    first, last = set_up(paddle.nn.Linear(3, 3)), set_up(paddle.nn.Linear(3, 1))
    x = tensor(paddle, 2, 3)
    h = recompute(lambda x: paddle.tanh(first(x)), x)
    last(h).sum().backward()
    return grads(first, last, x=x)


@program
def double_backward(paddle: Any) -> Tensors:
    x, w = tensor(paddle, 3), tensor(paddle, 3, at=1)
    y = paddle.tanh(x * w).sum()
    (dx,) = paddle.grad(y, x, create_graph=True)
    penalty = dx.square().sum()
    penalty.backward()
    return grads(x=x, w=w, penalty=penalty)


@program
def shared_weights(paddle: Any) -> Tensors:
    table = set_up(paddle.nn.Embedding(5, 4))
    ids = paddle.to_tensor([1, 3, 1])
    h = paddle.tanh(table(ids))
    score = paddle.matmul(h, table.weight.t())
    loss = -paddle.nn.functional.log_softmax(score).mean()
    loss.backward()
    return grads(table, loss=loss)


@program
def in_place(paddle: Any) -> Tensors:
    w = tensor(paddle, 4)
    z = w * 2
    z.add_(paddle.to_tensor([1.0]))
    z[0] = 0.5
    z.scale_(3.0)
    y = paddle.nn.functional.relu_(z)
    y.sum().backward()
    w.set_value(w - 0.1 * w.grad)
    return grads(w=w, z=z)


@program
def views(paddle: Any) -> Tensors:
    x = paddle.zeros([2, 2])
    row = x[0]
    row.add_(paddle.to_tensor([1.0, 2.0]))
    return {"x": x * 1, "row": row * 1}


@program
def hooks(paddle: Any) -> Tensors:
    w = tensor(paddle, 3)
    w.register_hook(lambda grad: grad * 2)
    y = paddle.exp(w)
    y.retain_grads()
    y.register_hook(lambda grad: grad + 1)
    z = y * y
    z.sum().backward()
    y2 = paddle.sin(w)
    y2.sum().backward()
    return grads(w=w)


@program
def layer_hooks(paddle: Any) -> Tensors:
    net = set_up(paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.ReLU()))
    net[0].register_forward_pre_hook(lambda _layer, inputs: (inputs[0] * 2,))
    net[0].register_forward_post_hook(lambda _layer, _inputs, output: output + 1)
    watch = net.register_forward_post_hook(lambda *_: None)
    x = tensor(paddle, 4, 2)
    net(x).sum().backward()
    watch.remove()
    net(x).sum().backward()
    return grads(net, x=x)


@program
def frozen(paddle: Any) -> Tensors:
    F = paddle.nn.functional
    base, head = set_up(paddle.nn.Linear(3, 3)), set_up(paddle.nn.Linear(3, 2))
    for parameter in base.parameters():
        parameter.stop_gradient = True
    x = tensor(paddle, 4, 3, learn=False)
    with paddle.no_grad():
        target = F.softmax(head(x))
    loss = F.kl_div(F.log_softmax(head(F.relu(base(x)))), target)
    loss.backward()
    return grads(base, head, loss=loss)


@program
def indexing(paddle: Any) -> Tensors:
    x = tensor(paddle, 3, 4)
    a, b = paddle.split(x, 2, axis=1)
    stacked = paddle.stack([a, b, a]).transpose([2, 0, 1]).flatten()
    rows = paddle.gather(x, paddle.to_tensor([0, 2, 0]))
    parts = (rows, x[:, 1:3], x[1], x.unsqueeze(0).squeeze(0))
    loss = paddle.concat([stacked, x.reshape([-1]), a.flatten(), b.flatten()]).square().sum()
    for part in parts:
        loss = loss + part.sum()
    loss.backward()
    return grads(x=x, loss=loss)


@program
def arithmetic(paddle: Any) -> Tensors:
    x = paddle.to_tensor(wave(2, 3) + 1.5, stop_gradient=False)
    y = paddle.to_tensor(wave(3) + 2.5, stop_gradient=False)
    z = (2 - x) / y + 3 / (x + 1) - x**2 + 2**y + x.pow(y) + (-x) * 0.5 + x / 4
    z = paddle.where(z > 1, z, z.clip(-1, 0.5)) + paddle.maximum(x, y) + x.abs().sqrt().log1p()
    z = z + paddle.addmm(y, x, paddle.eye(3)) + paddle.lerp(x, x * 2, y.detach())
    loss = z.mean(axis=1, keepdim=True).logsumexp(0).sum() + z.cumsum(1).max() + z.prod()
    loss.backward()
    return grads(x=x, y=y, loss=loss)


@program
def accumulated(paddle: Any) -> Tensors:
    net = set_up(paddle.nn.Linear(2, 1))
    for part in range(2):
        net(tensor(paddle, 3, 2, at=part, learn=False)).sum().backward()
    x = tensor(paddle, 2)
    y = x * x
    y.sum().backward(retain_graph=True)
    y.backward(paddle.to_tensor([1.0, 2.0]))
    (gradient,) = paddle.grad(paddle.sin(x).sum(), [x])
    paddle.autograd.backward([paddle.cos(x).sum(), (2 * x).sum()])
    return grads(net, x=x, gradient=gradient)


@program
def not_a_number(paddle: Any) -> Tensors:
    x = paddle.to_tensor([0.0, 1.0], stop_gradient=False)
    y = paddle.sqrt(x) * paddle.log(x)
    y.sum().backward()
    return grads(x=x, y=y)


@program
def scheduled(paddle: Any) -> Tensors:
    net = set_up(paddle.nn.Linear(2, 1))
    rate = paddle.optimizer.lr.StepDecay(0.1, 1, 0.5)
    parameters = net.parameters()
    optimizer = paddle.optimizer.RMSProp(rate, parameters=parameters, weight_decay=0.1)
    x, y = tensor(paddle, 4, 2, learn=False), tensor(paddle, 4, 1, at=3, learn=False)
    for _step in range(3):
        optimizer.clear_grad()
        paddle.nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
        rate.step()
    return grads(net)


def failing(paddle: Any) -> None:
    """Multiply matrices that do not fit."""
    x = tensor(paddle, 2, 3)
    h = paddle.tanh(x)
    paddle.matmul(h, tensor(paddle, 2, 3))


# Calls at the edge of what a record describes, of tensors x, y, a vector v, labels n, an image i.
CALLS: tuple[Callable[..., Any], ...] = (
    lambda p, x, y, v, n, i: x.clip(min=0.1), lambda p, x, y, v, n, i: x.sum([0, 1]),
    lambda p, x, y, v, n, i: x.sum(dtype="float64"), lambda p, x, y, v, n, i: p.amax(x, 1),
    lambda p, x, y, v, n, i: x.mean(-1, keepdim=True), lambda p, x, y, v, n, i: p.max(x, 1),
    lambda p, x, y, v, n, i: x.unsqueeze([0, 1]), lambda p, x, y, v, n, i: x[None].squeeze(),
    lambda p, x, y, v, n, i: p.argmax(x, 1), lambda p, x, y, v, n, i: x.cumsum(),
    lambda p, x, y, v, n, i: x.cumsum(0), lambda p, x, y, v, n, i: p.split(x, [1, -1], 1),
    lambda p, x, y, v, n, i: p.unbind(x, 1), lambda p, x, y, v, n, i: v.expand([3, -1]),
    lambda p, x, y, v, n, i: p.tile(v, [2, 1]), lambda p, x, y, v, n, i: x.reshape([-1, 2]),
    lambda p, x, y, v, n, i: x.T, lambda p, x, y, v, n, i: x[1:, ::2],
    lambda p, x, y, v, n, i: x[..., None], lambda p, x, y, v, n, i: x[x > 0],
    lambda p, x, y, v, n, i: x[n], lambda p, x, y, v, n, i: x[n, n],
    lambda p, x, y, v, n, i: p.einsum("ij,kj->ik", x, y),
    lambda p, x, y, v, n, i: p.matmul(x, y, transpose_y=True),
    lambda p, x, y, v, n, i: p.matmul(x, y, transpose_x=True),
    lambda p, x, y, v, n, i: p.nn.functional.gelu(x, approximate=True),
    lambda p, x, y, v, n, i: p.nn.functional.elu(x, 0.5),
    lambda p, x, y, v, n, i: p.nn.functional.leaky_relu(x, 0.3),
    lambda p, x, y, v, n, i: p.nn.functional.softplus(x, 2.0, 5.0),
    lambda p, x, y, v, n, i: p.nn.functional.log_softmax(x, 0),
    lambda p, x, y, v, n, i: p.nn.functional.silu(x),
    lambda p, x, y, v, n, i: p.nn.functional.hardswish(x),
    lambda p, x, y, v, n, i: p.nn.functional.swish(x),
    lambda p, x, y, v, n, i: p.nn.functional.embedding(n, x, padding_idx=0),
    lambda p, x, y, v, n, i: p.nn.functional.layer_norm(x, [4], v, v, 1e-3),
    lambda p, x, y, v, n, i: p.nn.functional.layer_norm(x[None], [3, 4]),
    lambda p, x, y, v, n, i: 1 - x, lambda p, x, y, v, n, i: 2 / (x + 3),
    lambda p, x, y, v, n, i: (x + 3) ** 2.5, lambda p, x, y, v, n, i: 2.0**x,
    lambda p, x, y, v, n, i: (x + 3) ** y, lambda p, x, y, v, n, i: n + 1,
    lambda p, x, y, v, n, i: n / 2, lambda p, x, y, v, n, i: n * 2.5,
    lambda p, x, y, v, n, i: x > 0.5, lambda p, x, y, v, n, i: n == 1,
    lambda p, x, y, v, n, i: x % 0.3, lambda p, x, y, v, n, i: n // 2,
    lambda p, x, y, v, n, i: x.astype("float64"), lambda p, x, y, v, n, i: (x + 3).prod(1),
    lambda p, x, y, v, n, i: x + x.astype("float64"), lambda p, x, y, v, n, i: x.tril(-1),
    lambda p, x, y, v, n, i: p.stack([x, y], -1), lambda p, x, y, v, n, i: p.add_n([x, y, x]),
    lambda p, x, y, v, n, i: p.concat([x, x], 1), lambda p, x, y, v, n, i: p.norm(x),
    lambda p, x, y, v, n, i: p.norm(x, 2, 1), lambda p, x, y, v, n, i: p.topk(x, 2)[0],
    lambda p, x, y, v, n, i: p.sort(x, 1), lambda p, x, y, v, n, i: p.where(x > 0, x, y),
    lambda p, x, y, v, n, i: p.gather(x, n, axis=1), lambda p, x, y, v, n, i: p.atan2(x, y),
    lambda p, x, y, v, n, i: p.index_select(x, n, 1), lambda p, x, y, v, n, i: x.prod(0),
    lambda p, x, y, v, n, i: p.nn.functional.conv2d(i, i[:, :, :2, :2], None, 2, 1),
    lambda p, x, y, v, n, i: p.nn.functional.conv2d(i, i[:, :, :2, :2], padding="SAME"),
    lambda p, x, y, v, n, i: p.nn.functional.conv2d_transpose(i, i[:, :, :2, :2], stride=2),
    lambda p, x, y, v, n, i: p.nn.functional.conv2d(
        p.concat([i, i], 1), p.concat([i[:, :, :2, :2]] * 2), groups=2
    ),
    lambda p, x, y, v, n, i: p.nn.functional.prelu(i, v[1:2]),
    lambda p, x, y, v, n, i: p.nn.functional.max_pool2d(i, 2, 1),
    lambda p, x, y, v, n, i: p.nn.functional.max_pool2d(i, 2, ceil_mode=True),
    lambda p, x, y, v, n, i: p.nn.functional.avg_pool2d(i, 2),
    lambda p, x, y, v, n, i: p.nn.functional.adaptive_avg_pool2d(i, 1),
    lambda p, x, y, v, n, i: p.nn.functional.pad(x, [1, 1]),
    lambda p, x, y, v, n, i: p.nn.functional.cross_entropy(x, n),
    lambda p, x, y, v, n, i: p.nn.functional.cross_entropy(x, n, reduction="sum"),
    lambda p, x, y, v, n, i: p.nn.functional.cross_entropy(x, n, ignore_index=1),
    lambda p, x, y, v, n, i: p.nn.functional.mse_loss(x, y),
    lambda p, x, y, v, n, i: p.nn.functional.smooth_l1_loss(x, y),
    lambda p, x, y, v, n, i: p.nn.functional.l1_loss(x, y),
    lambda p, x, y, v, n, i: p.nn.functional.nll_loss(x, n),
    lambda p, x, y, v, n, i: p.arange(1, 7, 2), lambda p, x, y, v, n, i: p.linspace(0, 1, 3),
    lambda p, x, y, v, n, i: p.ones([2, 3], "int64"), lambda p, x, y, v, n, i: p.zeros_like(x),
    lambda p, x, y, v, n, i: p.rand([2, 2]), lambda p, x, y, v, n, i: p.bmm(x[None], x.T[None]),
    lambda p, x, y, v, n, i: p.nn.functional.dropout(x, 0.5), lambda p, x, y, v, n, i: v.dot(v),
    lambda p, x, y, v, n, i: (x * 0 - np.inf).logsumexp(1), lambda p, x, y, v, n, i: x.std(),
    lambda p, x, y, v, n, i: p.nn.functional.leaky_relu(x - x.detach()),
    lambda p, x, y, v, n, i: p.maximum(x, x.detach()), lambda p, x, y, v, n, i: x.abs() * 0,
    lambda p, x, y, v, n, i: p.nn.functional.softmax(x, 0), lambda p, x, y, v, n, i: x.flip(0),
    lambda p, x, y, v, n, i: p.nn.functional.one_hot(n, 4), lambda p, x, y, v, n, i: x.roll(1, 0),
    lambda p, x, y, v, n, i: p.nn.functional.interpolate(i, scale_factor=2),
    lambda p, x, y, v, n, i: sum(p.meshgrid(v, v)), lambda p, x, y, v, n, i: p.outer(v, v),
)  # fmt: skip


def called(paddle: Any, call: Callable[..., Any]) -> None:
    """Make a call, and the gradients of its first result."""
    paddle.seed(5)
    x, y, v = tensor(paddle, 3, 4), tensor(paddle, 3, 4, at=1), tensor(paddle, 4, at=2)
    image = tensor(paddle, 1, 1, 3, 4, at=3)
    made = call(paddle, x, y, v, paddle.to_tensor([0, 1, 2]), image)
    made = made[0] if isinstance(made, (list, tuple)) else made
    if not made.stop_gradient:
        weights = paddle.to_tensor(wave(*made.shape, at=4) if made.shape else np.float32(2.0))
        (made * weights.astype(made.dtype)).sum().backward()
