"""Programs whose sentences, formulas and labels are golden texts: rare names and calls."""

# ruff: noqa: F841, RUF059  (what is assigned here gives tensors their names)

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn
from tests.samples import leaf
from viz.trace import Trace

from .stories import programs

F = nn.functional


def table(rows: int, columns: int) -> paddle.Tensor:
    """Return a leaf of different numbers, the same in each run."""
    return leaf(*np.linspace(-1.0, 2.0, rows * columns)).reshape([rows, columns]).detach()


def graded(tensor: paddle.Tensor) -> paddle.Tensor:
    tensor.stop_gradient = False
    return tensor


# ----- names -------------------------------------------------------------------------------------


def only_multiply() -> Trace:
    """A fan-in of which only a part is recorded."""
    x = leaf(1.0, 2.0)
    with viz.record(only="multiply") as trace:
        (x * x + x).sum().backward()
    return trace


def infinite_scalars() -> Trace:
    x, e, mask = leaf(1.0, 2.0), leaf(1.0, 2.0), paddle.to_tensor([True, False])
    with viz.record() as trace:
        a = paddle.where(x > 1, paddle.full([], float("inf")), x)
        b = paddle.where(x > 1, paddle.full([], float("-inf")), x)
        kept = paddle.where(mask, e, paddle.full_like(e, -np.inf))
        (paddle.exp(kept) * e).sum().backward()
    return trace


def clipped() -> Trace:
    w = leaf(3.0, 4.0)
    with viz.record() as trace:
        (w * w).sum().backward()
        parameters = [w]
        nn.utils.clip_grad_value_(parameters, 1.0)
        nn.utils.clip_grad_norm_(parameters, 1.0)
    return trace


def alike() -> Trace:
    """Calls with the same words: one gradient of two terms, other arguments, equal results."""
    x, w = leaf(0.5, 1.5), graded(table(2, 2))
    with viz.record() as trace:
        y = (paddle.sin(x) + paddle.exp(x))[0]
        (g,) = paddle.grad(y, x, create_graph=True)
        u, v = paddle.roll(g, 1) * 2.0, paddle.roll(g, 2) * 2.0
        first, second = w.t() @ x, w.t() @ x
        (first + second).sum().backward()
    return trace


def owned() -> Trace:
    """Names of results that a function computed in several steps, and gradients of a transpose."""
    x, w = leaf(0.5, 1.5), graded(table(2, 2))
    probs, labels = table(2, 2), paddle.to_tensor([[1], [0]])
    with viz.record() as trace:
        score = paddle.metric.accuracy(probs, labels)
        chosen = paddle.static.nn.switch_case(
            paddle.to_tensor(1), {0: lambda: x * 2.0, 1: lambda: x * x}
        )
        where = paddle.where(paddle.ones([2]) > 0, x, paddle.full([2], -5.0))
        (g,) = paddle.grad(paddle.mv(w, x).sum(), x, create_graph=True)
        (g * x).sum().backward()
    return trace


def numbered() -> Trace:
    """Names that are bound again, and elements that are read twice."""
    x, xs = leaf(1.0, 2.0), table(2, 3)
    with viz.record() as trace:
        y = x * 2.0
        x = x + 1.0
        y = y * x
        x = x - y
        z = paddle.tanh(xs[1]) * xs[1]
    return trace


def changed_in_place() -> Trace:
    w, b, step, x = leaf(0.5, -0.5), leaf(2.0), leaf(0.25, 0.25), leaf(1.0, 2.0)
    with viz.record() as trace:
        with paddle.no_grad():
            w.subtract_(0.1 * step)
            b.add_(paddle.to_tensor([0.5]))
            step.zero_()
        y = x * w
        y.add_(w)
        y[:1].add_(b)
        step.index_put((paddle.to_tensor([1, 0]),), paddle.zeros([2])[:2])
    return trace


def normalized() -> Trace:
    norm, x = nn.BatchNorm1D(2), graded(table(4, 2))
    with viz.record() as trace:
        norm(x).sum().backward()
        norm.eval()
        norm(x).sum().backward()
    return trace


# ----- gradients of gradients --------------------------------------------------------------------


def several_passes() -> Trace:
    """Gradients of gradients, a variable dy of the user, and passes from several results."""
    x, r = leaf(0.5, 1.5), leaf(1.0, 2.0)
    with viz.record() as trace:
        s = F.sigmoid(x)
        (g,) = paddle.grad((s * 2.0).sum(), x, create_graph=True)
        (g * g).sum().backward()
        for _ in range(2):
            y = paddle.sin(x) * x
            (dy,) = paddle.grad(y.sum(), x, create_graph=True)
            (dy.sum() * 1.0).backward()
        first, second = (r * r).sum(), (r + 1.0).sum()
        first.backward()
        second.backward()
    return trace


def summed() -> Trace:
    """Gradients that are summed over the axes of broadcasting, or put back along an axis."""
    x, b, s, logits = table(3, 2), leaf(0.5, -0.5), leaf(2.0), graded(table(2, 3))
    with viz.record() as trace:
        (x * b + b - s).sum().backward()
        largest, total, average = logits.max(), logits.sum(axis=1), logits.mean(axis=1)
        (largest + (total * average).sum()).backward()
        kept = logits.max(axis=1, keepdim=True) * logits.mean(axis=1, keepdim=True)
        (logits - kept).sum().backward()
    return trace


def by_the_library() -> Trace:
    """Ops without words of their own, complex numbers, and both results of a softmax with loss."""
    x, scores = leaf(1.0, 2.0), graded(table(1, 2))
    with viz.record() as trace:
        both = paddle.maximum(x, x)
        z = graded(paddle.to_tensor([1j, 2j]))
        (paddle.exp(z) * paddle.tanh(z)).abs().sum().backward()
        turned = paddle.complex(paddle.imag(z), paddle.real(z)) * paddle.as_complex(scores)
        paddle.as_real(turned).sum().backward()
        both.sum().backward()
        loss, other = F.softmax_with_cross_entropy(
            scores, paddle.to_tensor([[1]]), return_softmax=True
        )
        loss.backward(retain_graph=True)
        (other * loss).sum().backward()
    return trace


# ----- losses and updates ------------------------------------------------------------------------


def lists_and_rows() -> Trace:
    """A gradient for some tensors of a list, and one whose rows were overwritten."""
    one, two, three = table(1, 2), leaf(1.0, 2.0), leaf(3.0, 4.0)
    x, rows, new = graded(table(3, 2)), paddle.to_tensor([0]), paddle.zeros([1, 2])
    with viz.record() as trace:
        total = paddle.add_n([one[0], two, three])
        paddle.concat([total, two]).prod().backward()
        (paddle.scatter(x, rows, new) * x).sum().backward()
        wide, high = paddle.broadcast_tensors([two, x])
        (wide * high).sum().backward()
    return trace


def losses() -> Trace:
    logits, labels = graded(table(4, 3)), paddle.to_tensor([0, 2, 1, 2])
    signs, weight = paddle.to_tensor([1.0, -1, 1, 1]), paddle.to_tensor([1.0, 2.0, 0.5])
    with viz.record() as trace:
        F.cross_entropy(logits, labels, label_smoothing=0.1, ignore_index=2)
        one = F.cross_entropy(logits, labels, label_smoothing=0.1)
        two = F.cross_entropy(logits, labels, weight=weight)
        three = F.nll_loss(F.log_softmax(logits), labels)
        four = F.hinge_embedding_loss(logits[:, 0], signs)
        five = F.triplet_margin_loss(logits, logits + 1.0, logits - 1.0)
        six = F.cross_entropy(logits, paddle.to_tensor([0, 1, 1, 0]))
        (one + two + three + four + five + six).backward()
    return trace


def losses_of_rows() -> Trace:
    logits, Y = graded(table(4, 3)), paddle.to_tensor([0, 2, 1, -100])
    with viz.record() as trace:
        one, two = F.cross_entropy(logits, Y), F.nll_loss(logits, Y)
        three = F.cross_entropy(logits, Y, reduction="none")
        (one + two + three.sum()).backward()
    return trace


def letters_of_updates() -> Trace:
    u, v, s, w = leaf(1.0), leaf(2.0), leaf(3.0), leaf(4.0)
    optimizer, decay = paddle.optimizer, paddle.regularizer.L1Decay(0.1)
    options = {"use_nesterov": True, "weight_decay": 0.25, "rescale_grad": 0.5}
    several = [
        optimizer.Adam(beta1=0.8, parameters=[u]),
        optimizer.RMSProp(0.1, parameters=[v]),
        optimizer.RMSProp(0.1, rho=1.5, momentum=2 / 3, parameters=[s]),
        optimizer.Momentum(0.0, parameters=[w], **options),
        optimizer.SGD(0.05, parameters=[w], weight_decay=decay),
    ]
    with viz.record() as trace:
        product = u * v
        product.retain_grads()
        (product * s * w).sum().backward()
        for each in several:
            each.step()
    return trace


# ----- Programs ----------------------------------------------------------------------------------


def parts_of_a_program() -> Trace:
    """Running statistics, a py_func's unused gradient, memory that is freed at once."""
    with programs() as (main, startup), viz.record() as trace:
        x, y = paddle.static.data("x", [4, 2]), paddle.static.data("y", [4, 1], "int64")
        w, block = paddle.static.create_parameter([2], "float32", "w"), main.global_block()
        out = block.create_var(name="out", shape=[4, 2], dtype="float32")
        paddle.static.py_func(np.multiply, [x, w], out, backward_func=lambda x, w, y, dy: (dy, w))
        paddle.static.append_backward(out.sum(), [w])
        F.softmax_with_cross_entropy(paddle.static.nn.batch_norm(out), y)
        run = paddle.static.Executor()
        run.run(startup)
        run.run(main, feed={"x": np.ones((4, 2), "float32"), "y": np.ones((4, 1), "int64")})
    return trace


# ----- arguments of calls ------------------------------------------------------------------------


def single_numbers() -> Trace:
    with viz.record() as trace:
        w, x = paddle.to_tensor(-0.8), paddle.to_tensor(1.5)
        loss = w * x
        squared = loss**2
        rest = 1 - squared
        rows = paddle.to_tensor([1.0, 2.0]) * w
        cubes = rows**3
        small = loss > x
        a, b = 1 + rows, rows + 2
    return trace


def images() -> Trace:
    x, w = table(2, 36).reshape([1, 2, 6, 6]), table(2, 18).reshape([2, 2, 3, 3])
    with viz.record() as trace:
        plain = F.conv2d(x, w)
        padded = F.conv2d(x, w, padding=[0, 1], stride=2, dilation=2)
        grouped = F.conv2d(x, w[:, :1], padding=1, groups=2)
        near = F.avg_pool2d(x, 2, stride=1, padding=1)
        covered = F.adaptive_avg_pool2d(x, [2, 3])
        global_mean = F.adaptive_avg_pool2d(x, 1)
        normed = F.layer_norm(x, [6, 6])
        dropped = F.dropout(x, 0.2)
        limited = x.clip(max=1.0)
    return trace


def volumes() -> Trace:
    x, w = table(2, 36).reshape([1, 1, 3, 4, 6]), table(2, 8).reshape([2, 1, 2, 2, 2])
    with viz.record() as trace:
        plain = F.conv3d(x, w)
        padded = F.conv3d(x, w, padding=[1, 0, 0, 1, 1, 1], stride=[1, 2, 1])
        wide = F.conv3d_transpose(x, w[:1], stride=2)
        pooled = F.max_pool3d(x, [1, 2, 3], padding=[0, 1, 1], return_mask=True)
        near = F.avg_pool3d(x, 2, stride=1, padding=1, exclusive=False)
        covered = F.adaptive_max_pool3d(x, [2, 3, 6])
        global_mean = F.adaptive_avg_pool3d(x, 1)
    return trace


def arguments() -> Trace:
    m, rows, out = table(4, 3), paddle.to_tensor([1, 1]), leaf(0.5, -0.5)
    with viz.record() as trace:
        same = m.expand([4, 3])
        wide = m + m[0]
        twice, side = m[rows], m[:, rows]
        row, later, part = m[0], m[:, 1:], m[1:2, 1:]
        loss = F.binary_cross_entropy_with_logits(out, out.detach().abs())
        huber = F.smooth_l1_loss(out, paddle.zeros([2]))
        huber.backward()
        few, many = paddle.arange(2), paddle.arange(1, 10, 2)
        edged = F.pad(m, [0, 1, 2, 0], value=3.0)
        rolled, tiled = paddle.roll(m, [1, 2], axis=[0, 1]), paddle.tile(m, [3, 1])
        columns = paddle.gather(m, paddle.to_tensor([2]), axis=1)
        upper = paddle.triu(paddle.ones([3, 3]), 1)
        words = F.embedding(paddle.to_tensor([[1], [0]]), m, padding_idx=0)
        largest = paddle.argmax(m, axis=1)
        odd = paddle.median(paddle.to_tensor([3.0, 1.0, 2.0]))
        even = paddle.median(paddle.to_tensor([3, 1, 2, 4]))
        middle = out.median()
        middle.backward()
    return trace


def all_elements() -> Trace:
    """Subscripts that leave no element out, and class numbers along two axes."""
    w, classes = graded(table(2, 3)), paddle.to_tensor([[0, 2], [1, 1]])
    with viz.record() as trace:
        every, flipped = w[:], w[:, ::-1]
        (every * flipped).sum().backward()
        hot = F.one_hot(classes, 3)
        losses = F.cross_entropy(hot, classes, reduction="none")
    return trace


def running_total() -> Trace:
    """A long sum whose name leaves out terms, and conditions on a list in the code."""
    first, second, third = table(2, 2), table(1, 3), leaf(0.5, 1.5)
    with viz.record() as trace:
        total = first.mean() + first.max() + second.sum() - second.min() + third.sum() + third.max()
        chosen = paddle.where(paddle.to_tensor([1, -1]) == -1, third, third * 2.0)
    return trace


def resized() -> Trace:
    """Gradients of ops that resize, move or place elements."""
    x, w = graded(table(4, 4).reshape([1, 1, 4, 4])), table(3, 3).reshape([1, 1, 3, 3])
    with viz.record() as trace:
        near, smooth = F.interpolate(x, size=[8, 8]), F.interpolate(x, size=[2, 2], mode="bilinear")
        columns, blocks = F.unfold(x, 2, strides=2), F.pixel_unshuffle(x, 2)
        placed = F.conv2d_transpose(x, w, stride=2, padding=1, output_padding=1)
        (first,) = paddle.unbind(x, axis=1)
        sums = [each.sum() for each in (near, smooth, columns, blocks, placed, first)]
        paddle.add_n(sums).backward()
    return trace


def own_names_with_d() -> Trace:
    """Variables whose names look like gradients, and an input on which a result does not depend."""
    a, b = leaf(0.5, 1.5), leaf(2.0, 3.0)
    with viz.record() as trace:
        d_loss, d_real = (a * a).sum(), (b * 2.0).sum()
        d_loss.backward()
        d_real.backward()
        unused = paddle.grad((b * 3.0).sum(), [a], allow_unused=True)
    return trace


def options() -> Trace:
    """Arguments other than the default that change a result's numbers."""
    x, rows = paddle.to_tensor([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]]), table(2, 3)
    image = table(5, 5).reshape([1, 1, 5, 5])
    with viz.record() as trace:
        crossed, plain = paddle.cross(rows, rows + 1.0, axis=1), paddle.nan_to_num(x, nan=2.0)
        spread = paddle.diag(paddle.to_tensor([1.0, 2.0]), padding_value=7)
        counts = paddle.histogram(rows, bins=3, min=1, max=5)
        other = paddle.isin(rows, plain, invert=True)
        places = paddle.searchsorted(rows[0], rows[1], right=True)
        near = F.avg_pool2d(image, 3, padding=1, exclusive=False)
        far = F.max_pool2d(image, 2, ceil_mode=True)
        large = F.interpolate(image, size=[6, 6], mode="bilinear", align_corners=True)
    return trace


def rare_ops() -> Trace:
    x, y, places = leaf(2.5, -1.5), paddle.to_tensor([-1.0, 2.0]), paddle.to_tensor([[1], [0]])
    with viz.record() as trace:
        spread = paddle.scatter_nd(places, x, [3])
        signed, rest = paddle.copysign(x, y), paddle.frac(x)
        sampled = paddle.index_sample(x.unsqueeze(1), paddle.zeros([2, 1], "int64"))
        low, high = paddle.fmin(x, y), paddle.fmax(x, y)
        divisor, multiple = (f(places, places) for f in (paddle.gcd, paddle.lcm))
        paddle.autograd.backward([spread.sum(), (rest * signed).sum()])
    return trace


def positions_and_letters() -> Trace:
    """Indices, an e and a t of the user beside those of formulas, places of several axes."""
    e, h = graded(table(3, 4)), graded(table(3, 2))
    with viz.record() as trace:
        v, i = paddle.topk(e, 2, axis=1)
        u = F.sigmoid(e)
        for t in range(2):
            mask_of_this_very_step = paddle.to_tensor([[True, False], [False, True], [True, True]])
            h = paddle.where(mask_of_this_very_step, v * (t + 1.0), h)
        paddle.concat([u, h], axis=1).backward(paddle.ones([3, 6]))
        at = paddle.to_tensor([0, 1]), paddle.to_tensor([0, 2])
        put = paddle.index_put(paddle.zeros([2, 3]), at, paddle.ones([2]))
        at = paddle.arange(5), paddle.arange(5)
        more = paddle.index_put(paddle.zeros([5, 5]), at, paddle.ones([5]), accumulate=True)
    return trace


def reduced_along_an_axis() -> Trace:
    x, new, places = table(2, 3), leaf(2.0, 3.0).reshape([2, 1]), paddle.to_tensor([[0], [2]])
    x, new = graded(x), graded(new.detach())
    with viz.record() as trace:
        for kind, own in (("mul", True), ("mean", True), ("amax", False)):
            y = paddle.put_along_axis(x, places, new, axis=1, reduce=kind, include_self=own)
            paddle.autograd.backward([y])
    return trace


def scaled() -> Trace:
    w, b = leaf(1.0, 2.0), leaf(0.5)
    opt = paddle.optimizer.SGD(0.1, parameters=[w, b])
    scaler = paddle.amp.GradScaler(init_loss_scaling=64.0)
    with viz.record() as trace:
        scaler.scale((w * w * b).sum()).backward()
        scaler.step(opt)
        odd, far = paddle.isnan(b.sum()), paddle.isinf(b.sum()).any()
    return trace


def rare_words() -> Trace:
    """Products without an element, ignored labels, repeated elements, single constants."""
    x, image = leaf(2.0, 3.0, 4.0), graded(table(4, 4).reshape([1, 1, 4, 4]))
    scores, labels = F.log_softmax(table(3, 4)), paddle.to_tensor([0, 2, 1])
    with viz.record() as trace:
        (gradient,) = paddle.grad(x.prod(), x, create_graph=True)
        more = paddle.to_tensor(3.0) * paddle.to_tensor(3.0) + x
        loss = F.nll_loss(scores, labels, ignore_index=0)
        kinds, places, counts = paddle.unique(labels, return_inverse=True, return_counts=True)
        rows, columns = paddle.repeat_interleave(scores, 2, axis=0), labels.repeat_interleave(3)
        filled = paddle.zeros([2])
        filled.fill_(1.5)
        patches = F.unfold(image, 2)
        edges = F.pad(image, [1, 1, 1, 1], mode="reflect")
        large = F.interpolate(image, size=[6, 6], mode="bilinear")
        smooth = F.avg_pool2d(image, 3, stride=1, padding=1, exclusive=False)
        paddle.autograd.backward([patches, edges, large, smooth])
    return trace


def twice_derived() -> Trace:
    """Gradients of gradients: of a product, and of a sum in which a bias was broadcast."""
    x, w, b = leaf(2.0, 3.0, 4.0), graded(table(2, 2)), leaf(0.5, 1.5)
    with viz.record() as trace:
        (g,) = paddle.grad(x.prod(), x, create_graph=True)
        g.sum().backward()
        d_out = (w + b) ** 3
        (h,) = paddle.grad(d_out.sum(), b, create_graph=True)
        h.sum().backward()
        order = paddle.argsort(w, axis=1, descending=True)
    return trace


def scored_program() -> Trace:
    """A Program whose loss and accuracy have outputs that only their places explain."""
    with programs() as (main, _), viz.record() as trace:
        x = paddle.static.data("x", [2, 3])
        label = paddle.static.data("label", [2, 1], "int64")
        loss = F.cross_entropy(x, label)
        acc = paddle.static.accuracy(F.softmax(x), label)
        feed = {"x": np.eye(2, 3, dtype="float32"), "label": np.array([[0], [2]])}
        paddle.static.Executor().run(main, feed=feed, fetch_list=[loss, acc])
    return trace


def numbers_of_the_code() -> Trace:
    """Numbers with more digits than the four of results."""
    x = leaf(1.0, 2.0)
    with viz.record() as trace:
        a, b, c = x / 1024.5, 1024.5 / x, x // 1024.5
        d, e = x > 1024.5, paddle.maximum(x, paddle.to_tensor(1024.5))
        f, g = paddle.clip(x, -1234.5, 1234.5), paddle.full([2], 1234.56)
        h, i = (x - 0.13066) / 0.30815, x / 12345.0
        j, k, n = x / 2.0**0.5, x[0] / 3.0001, x * -1e9
        m = x * paddle.to_tensor([1024.5, 3.0001])
        y = paddle.zeros([2])
        y.fill_(1024.5)
        (h + x**2.00015).sum().backward()
    return trace


def transformed() -> Trace:
    """Fourier transforms in both directions, of real numbers, of complex ones, and of half."""
    wave, row = graded(table(2, 4)), leaf(1.0, 0.5, 2.0, 0.0)
    with viz.record() as trace:
        spectrum = paddle.fft.fft(wave)
        half = paddle.fft.rfft(row, n=3, norm="ortho")
        again = paddle.fft.irfft(half, n=3)
        back = paddle.fft.ifft2(spectrum)
        signal, heard = paddle.fft.ihfft(row), paddle.fft.hfft(half)
        ends = [back.abs(), signal.real(), again, heard, paddle.fft.fftshift(row)]
        paddle.autograd.backward([end.sum() for end in ends])
    return trace


def sampled() -> Trace:
    """Images read at the places that an affine map gives, maxima put back, shifts, factors."""
    theta, image = graded(table(2, 3).reshape([1, 2, 3])), graded(table(2, 3).reshape([1, 1, 2, 3]))
    with viz.record() as trace:
        grid = F.affine_grid(theta, [1, 1, 2, 2])
        moved = F.grid_sample(image, grid)
        peaks, places = F.max_pool2d(moved, 2, return_mask=True)
        back = F.max_unpool2d(peaks, places, 2)
        later = F.temporal_shift(back.reshape([2, 2, 1, 1]), 2)
        shares = paddle.distribution.Dirichlet(paddle.to_tensor([2.0, 3.0])).sample()
        both, swaps = paddle.linalg.lu(image.reshape([2, 3]))
        order, low, high = paddle.linalg.lu_unpack(both, swaps)
        values, vectors = paddle.linalg.eig(both[:, :2])
        plain = paddle.linalg.eigvals(both[:, 1:])
        labels = paddle.shard_index(paddle.to_tensor([[0], [3]]), 4, 2, 1)
        paddle.autograd.backward([later.sum(), low.sum(), high.sum(), values.real().sum()])
    return trace


ALL: tuple[Callable[[], Trace], ...] = (
    only_multiply, infinite_scalars, clipped, alike, owned, numbered,
    changed_in_place, normalized, several_passes, summed,
    by_the_library, lists_and_rows, losses, losses_of_rows, letters_of_updates,
    single_numbers, images, volumes, arguments, options, rare_ops, positions_and_letters,
    reduced_along_an_axis, scaled, rare_words, parts_of_a_program, all_elements, running_total,
    resized, own_names_with_d, twice_derived, scored_program, numbers_of_the_code,
    transformed, sampled,
)  # fmt: skip
