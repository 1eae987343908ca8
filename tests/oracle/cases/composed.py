"""Differences and areas, blocks and combinations, distances, covariance."""

from ..harness import case
from ..spread import spread
from ._lists import tensor, try_all

VECTOR = [1.0, 4.0, 2.0, 7.0]
WHOLE = [3, 1, 2]
MATRIX = [[1.0, 2.0, 4.0], [3.0, 1.0, 0.5]]


def slopes(paddle, call, *values):
    """The gradients of a weighted sum of the results."""
    xs = [paddle.to_tensor(v, stop_gradient=False) for v in values]
    y = call(*xs)
    weights = spread(*y.shape).astype("float32")
    (y * paddle.to_tensor(weights)).sum().backward()
    return [x.grad for x in xs]


@case
def differences(paddle, show):
    m = tensor(paddle, MATRIX)
    for kind in ("int32", "int64", "float32", "float64"):
        show(kind, paddle.diff(tensor(paddle, [5, 2, 7], kind)))
    show("bool", paddle.diff(paddle.to_tensor([True, False, False])))
    for n in (1, 2, 3, 5):
        for axis in (-1, 0, 1):
            show(f"{n} {axis}", paddle.diff(m, n, axis))
    show("more", paddle.diff(m, prepend=m[:, :1], append=m[:, :2]))
    show("before", paddle.diff(m, axis=0, prepend=m))
    show("slope", slopes(paddle, lambda x: paddle.diff(x, 2), MATRIX))
    show("slope of prepend", slopes(paddle, lambda x, y: paddle.diff(x, prepend=y), MATRIX, MATRIX))
    out = paddle.zeros([3])
    paddle.diff(tensor(paddle, VECTOR), out=out)
    show("out", out)
    show("method", m.diff(axis=0))
    show.raises("n = 0", lambda: paddle.diff(m, 0))
    show.raises("n < 0", lambda: paddle.diff(m, -1))
    show.raises("0-D", lambda: paddle.diff(m[0, 0]))
    show.raises("another shape", lambda: paddle.diff(m, prepend=tensor(paddle, VECTOR)))


@case(ulps=2)
def areas(paddle, show):
    m, v = tensor(paddle, MATRIX), tensor(paddle, VECTOR)
    for name in ("trapezoid", "cumulative_trapezoid"):
        f = getattr(paddle, name)
        show(f"{name} vector", f(v))
        show(f"{name} float64", f(tensor(paddle, VECTOR, "float64")))
        for axis in (-1, 0, 1):
            show(f"{name} {axis}", f(m, axis=axis))
            show(f"{name} {axis} dx", f(m, dx=0.5, axis=axis))
        show(f"{name} x", f(v, v * v))
        show(f"{name} x of rows", f(m, v[:3]))
        show(f"{name} x of columns", f(m, v[:2], axis=0))
        show(f"{name} x of all", f(m, m))
        show(f"{name} dx tensor", f(m, dx=paddle.to_tensor([1.0, 2.0])))
        show(f"{name} slope", slopes(paddle, lambda y, x, f=f: f(y, x), VECTOR, VECTOR))
        show(f"{name} method", getattr(m, name)())
        show.raises(f"{name} both", lambda f=f: f(v, v, 1.0))
        show.raises(f"{name} of ints", lambda f=f: f(paddle.to_tensor(WHOLE)))
        show.raises(f"{name} 0-D", lambda f=f: f(v[0]))


@case
def windows(paddle, show):
    m, v = tensor(paddle, MATRIX), tensor(paddle, VECTOR)
    for size, step in ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (4, 1)):
        show(f"{size} {step}", paddle.unfold(v, 0, size, step))
    show("rows", paddle.unfold(m, 0, 2, 1))
    show("columns", paddle.unfold(m, -1, 2, 1))
    show("method", v.unfold(0, 3, 2))
    show("slope", slopes(paddle, lambda x: paddle.unfold(x, 1, 1, 2), MATRIX))
    show.raises("too large", lambda: paddle.unfold(m, 1, 4, 1))
    show.raises("no step", lambda: paddle.unfold(m, 1, 2, 0))


@case(differs="Paddle's gradient has the last window's share alone where windows overlap")
def slope_of_windows_that_overlap(paddle, show):
    show("slope", slopes(paddle, lambda x: paddle.unfold(x, 1, 2, 1), MATRIX))


@case
def powers(paddle, show):
    v, i = tensor(paddle, VECTOR), paddle.to_tensor(WHOLE)
    for x, name in ((v, "float"), (i, "int"), (tensor(paddle, VECTOR, "float64"), "double")):
        for n in (None, 0, 1, 2, 4):
            for increasing in (False, True):
                show(f"{name} {n} {increasing}", paddle.vander(x, n, increasing))
    show("slope", slopes(paddle, lambda x: paddle.vander(x, 3), [0.0, 2.0, -1.0]))
    show.raises("matrix", lambda: paddle.vander(tensor(paddle, MATRIX)))
    show.raises("negative", lambda: paddle.vander(v, -1))


@case
def blocks(paddle, show):
    m, v, i = tensor(paddle, MATRIX), tensor(paddle, VECTOR), paddle.to_tensor(WHOLE)
    show("several", paddle.block_diag([m, v, v[0]]))
    show("one", paddle.block_diag([m]))
    show("ints", paddle.block_diag([i, i]))
    show("slope", slopes(paddle, lambda x, y: paddle.block_diag([x, y]), MATRIX, VECTOR))
    show.raises("mixed", lambda: paddle.block_diag([i, v]))
    show.raises("none", lambda: paddle.block_diag([]))
    show.raises("cube", lambda: paddle.block_diag([paddle.ones([1, 2, 2])]))


@case
def choices(paddle, show):
    v, i = tensor(paddle, VECTOR), paddle.to_tensor(WHOLE)
    show("product", paddle.cartesian_prod([i, i]))
    show("product of three", paddle.cartesian_prod([v[:2], v[:1], v[2:]]))
    show("product of one", paddle.cartesian_prod([i]))
    show("slope", slopes(paddle, lambda x, y: paddle.cartesian_prod([x, y]), VECTOR, VECTOR[:2]))
    for r in (0, 1, 2, 3, 4):
        for again in (False, True):
            show(f"{r} {again}", paddle.combinations(i, r, again))
    show("method", v.combinations(3))
    show("slope of choices", slopes(paddle, paddle.combinations, VECTOR))
    show.raises("product of a matrix", lambda: paddle.cartesian_prod([tensor(paddle, MATRIX)]))
    show.raises("product of kinds", lambda: paddle.cartesian_prod([i, v]))
    show.raises("product of nothing", lambda: paddle.cartesian_prod([]))
    show.raises("choices of a matrix", lambda: paddle.combinations(tensor(paddle, MATRIX)))
    show.raises("-1", lambda: paddle.combinations(i, -1))
    show.raises("a word", lambda: paddle.combinations(i, "a"))


@case
def shapes_that_broadcast(paddle, show):
    show("two", paddle.broadcast_shapes([2, 1], [3]))
    show("three", paddle.broadcast_shapes((2, 3), (3,), (1, 1, 1)))
    show("none", paddle.broadcast_shapes())
    show("empty", paddle.broadcast_shapes([0, 1], [3]))
    show.raises("misfit", lambda: paddle.broadcast_shapes([2], [3]))


@case(ulps=8)
def covariances(paddle, show):
    m = paddle.to_tensor([[1.0, 2.0, 4.0], [3.0, 1.0, 0.5], [0.0, 5.0, 1.0]], dtype="float64")
    often, much = paddle.to_tensor([1, 2, 3]), paddle.to_tensor([0.5, 2.0, 1.0], dtype="float64")
    for by_rows in (True, False):
        show(f"correlation {by_rows}", paddle.linalg.corrcoef(m, by_rows))
        for less in (True, False):
            for f, w, name in (
                (None, None, ""),
                (often, None, "often"),
                (None, much, "much"),
                (often, much, "both"),
            ):
                show(f"{by_rows} {less} {name}", paddle.linalg.cov(m, by_rows, less, f, w))
    show("vector", paddle.linalg.cov(m[0]))
    show("a row", paddle.linalg.cov(m[:1], rowvar=False))
    show("correlation of a vector", paddle.linalg.corrcoef(m[0]))
    show("methods", [m.cov(), m.corrcoef()])
    for name in ("cov", "corrcoef"):
        f = getattr(paddle.linalg, name)
        show.raises(f"{name} cube", lambda f=f: f(paddle.ones([1, 1, 2])))
        show.raises(f"{name} ints", lambda f=f: f(paddle.to_tensor(WHOLE)))
    show.raises("0-D", lambda: paddle.linalg.cov(m[0, 0]))
    show.raises("too few", lambda: paddle.linalg.cov(m, fweights=often[:2]))
    show.raises("a matrix", lambda: paddle.linalg.cov(m, aweights=m))
    show.raises("negative", lambda: paddle.linalg.cov(m, fweights=-often))
    show.raises("negative too", lambda: paddle.linalg.cov(m, aweights=-much))


@case(ulps=8)
def slopes_of_covariances(paddle, show):
    def of(call):
        x = paddle.to_tensor([[1.0, 2.0, 4.0], [3.0, 1.0, 0.5]], dtype="float64")
        x.stop_gradient = False
        y = call(x)
        (y * paddle.to_tensor([[1.0, 0.5], [-2.0, 3.0]], dtype="float64")).sum().backward()
        return x.grad

    show("cov", of(paddle.linalg.cov))
    show("weights", of(lambda x: paddle.linalg.cov(x, fweights=paddle.to_tensor([1, 2, 3]))))


@case(ulps=4)
def distances_of_pairs(paddle, show):
    m = tensor(paddle, [[0.0, 0.0], [3.0, 4.0], [3.0, 0.0], [-1.0, 1.0]])
    for p in (0.0, 1.0, 2.0, 3.0, float("inf")):
        show(str(p), paddle.pdist(m, p))
    show("one row", paddle.pdist(m[:1]))
    show("float64", paddle.pdist(m.astype("float64")))
    show("slope", slopes(paddle, paddle.pdist, [[0.0, 0.5], [3.0, 4.0], [3.0, 0.0]]))
    show.raises("vector", lambda: paddle.pdist(m[0]))
    show.raises("cube", lambda: paddle.pdist(paddle.ones([1, 2, 2])))


@case(ulps=4)
def shorter_slices(paddle, show):
    m = tensor(paddle, MATRIX)
    for p in (1.0, 2.0, 3.0):
        for axis in (0, 1, -1):
            show(f"{p} {axis}", paddle.renorm(m, p, axis, 2.0))
    show("vector", paddle.renorm(tensor(paddle, VECTOR), 2.0, 0, 3.0))
    show("nothing left", paddle.renorm(m, 2.0, 0, 0.0))
    show("in place", m.clone().renorm_(2.0, 0, 1.0))
    show("method", m.renorm(2.0, 1, 1.0))
    show.raises("axis", lambda: paddle.renorm(m, 2.0, 5, 2.0))
    show.raises("negative axis", lambda: paddle.renorm(m, 2.0, -3, 2.0))


@case(ulps=4)
def sine_over_angle(paddle, show):
    x = [0.0, 0.25, 0.5, 0.75, -0.3, 1.5, -2.5]
    show("values", paddle.sinc(paddle.to_tensor(x)))
    show("float64", paddle.sinc(paddle.to_tensor(x, dtype="float64")))
    show("method", paddle.to_tensor(x).sinc())
    show("in place", paddle.to_tensor(x).sinc_())
    show("0-D", paddle.sinc(paddle.to_tensor(0.0)))
    show.raises("ints", lambda: paddle.sinc(paddle.to_tensor(WHOLE)))


@case(ulps=8)
def slope_of_sine_over_angle(paddle, show):
    show("slope", slopes(paddle, paddle.sinc, [0.0, 0.25, 0.5, -0.3]))


@case
def membership(paddle, show):
    i, m = paddle.to_tensor(WHOLE), tensor(paddle, MATRIX)
    one_or_three = paddle.to_tensor([1, 3])
    try_all(
        show,
        {
            f"{invert} {unique}": lambda n=invert, u=unique: paddle.isin(i, one_or_three, u, n)
            for invert in (False, True)
            for unique in (False, True)
        },
    )
    show("matrix", paddle.isin(m, paddle.to_tensor([[1.0, 0.5]])))
    show("nothing", paddle.isin(m, paddle.zeros([0])))
    show("method", i.isin(one_or_three))
    show("int32", paddle.isin(i.astype("int32"), one_or_three.astype("int32")))
    show("wide", paddle.isin(m, tensor(paddle, [2.0, 3.0], "float64")))
    show.raises("kinds", lambda: paddle.isin(i, m))


@case(differs="Paddle gives one element, whether some element of x is the number")
def membership_in_one_number(paddle, show):
    show("0-D", paddle.isin(tensor(paddle, MATRIX), paddle.to_tensor(2.0)))


@case
def sums_to_a_shape(paddle, show):
    m = tensor(paddle, MATRIX)
    for target in (paddle.ones([3]), paddle.ones([2, 1]), paddle.ones([1, 3]), m, m[0, 0]):
        show(str(list(target.shape)), paddle.reduce_as(m, target))
    show("method", m.reduce_as(paddle.ones([1, 1])))
    show("slope", slopes(paddle, lambda x: paddle.reduce_as(x, paddle.ones([3])), MATRIX))
    show.raises("misfit", lambda: paddle.reduce_as(m, paddle.ones([2])))


@case
def other_names(paddle, show):
    m = tensor(paddle, MATRIX)
    index = paddle.to_tensor([[0, 1, 1], [1, 0, 0]])
    show("take_along_dim", paddle.take_along_dim(m, index, 0))
    show("take_along_dim method", m.take_along_dim(index, 1))
    show("diagonal", paddle.linalg.diagonal(m, offset=1))
    show("matrix_transpose", paddle.linalg.matrix_transpose(m))


@case
def second_names(paddle, show):
    m, v = tensor(paddle, MATRIX), tensor(paddle, VECTOR)
    show("sum", paddle.sum(input=m, dim=0))
    show("mean", m.mean(dim=1, keepdim=True))
    show("add", paddle.add(input=m, other=m))
    show("tanh", paddle.tanh(input=v * 0))
    show("matmul", paddle.matmul(input=m, other=m.T))
    show("concat", paddle.concat(tensors=[m, m], dim=1))
    show("stack", paddle.stack(tensors=[v, v], dim=1))
    show("where", paddle.where(v > 2, input=v, other=-v))
    show("full", paddle.full(size=[2], fill_value=1.5))
    show("topk", list(paddle.topk(input=m, k=1, dim=0)))
    show("squeeze", paddle.squeeze(input=m[:1], dim=0))
    show("pow", paddle.pow(input=v, exponent=2.0))
    show("flatten", paddle.flatten(input=m, start_dim=0, end_dim=1))
    show("linspace", paddle.linspace(start=0, end=1, steps=3))
    show("take", paddle.take_along_axis(input=m, dim=0, indices=paddle.to_tensor([[0, 1, 1]])))
    show("two axes", m.transpose(0, 1))
    show("dims", paddle.transpose(m, dim0=0, dim1=-1))
    show.raises("mean twice", lambda: paddle.mean(m, axis=0, dim=0))
    show.raises("nobody's", lambda: paddle.mean(m, foo=0))
    show.raises("std", lambda: paddle.std(input=m))
    show.raises("flip", lambda: paddle.flip(m, dims=[0]))


@case(differs="Paddle's functions made of C++ say ValueError, ours TypeError as Python does")
def one_argument_under_two_names(paddle, show):
    m = tensor(paddle, MATRIX)
    show.raises("sin", lambda: paddle.sin(m, input=m))
    show.raises("sum", lambda: paddle.sum(m, axis=0, dim=0))


@case(differs="Paddle gives NaN for a factor 0; here it is the product of the other factors")
def slope_of_a_product_with_zeros(paddle, show):
    x = paddle.to_tensor([[2.0, 0.0, 3.0]], stop_gradient=False)
    v = paddle.to_tensor([[5.0, 0.0, 0.0]], stop_gradient=False)
    index = paddle.to_tensor([[1, 1, 0]])
    paddle.put_along_axis(x, index, v, 1, "mul").sum().backward()
    show("slopes", [x.grad, v.grad])
