"""Random calls of functions, with infinite, NaN, ignored, tied and complex values.

Calls avoid the cases of docs/differences.md: soft labels, pooling of NaN, missing limits.
"""

from functools import partial

from ..harness import Case
from ._random_calls import Draw, play

SEEDS = 12


# ----- losses ------------------------------------------------------------------------------------


def cross_entropy(d: Draw):
    rows, classes = 2 + d.below(3), 2 + d.below(3)
    ignored = d.pick(-100, 0, 1, 255)
    label = [ignored if d.maybe(3) else d.below(classes) for _ in range(rows)]
    scores = d.leaf([rows, classes], d.pick("float32", "float64"), wild=d.pick(0, 0, 1))
    options = {"ignore_index": ignored, "reduction": d.pick("none", "sum", "mean")}
    name = d.pick("cross_entropy", "nll_loss")
    if ignored != 255 and d.maybe(3):  # real Paddle reads the weight of 255 outside of the array
        options["weight"] = d.paddle.to_tensor(d.numbers([classes], low=1), scores.dtype)
    label = d.paddle.to_tensor(label)
    call = getattr(d.paddle.nn.functional, name)
    return f"{name} {options['reduction']} {ignored}", lambda: call(scores, label, **options)


def soft_cross_entropy(d: Draw):
    shape = d.shape(2, 3)
    axis = d.pick(-1, 1)
    scores = d.leaf(shape)
    label = d.paddle.nn.functional.softmax(d.paddle.to_tensor(d.numbers(shape), "float32"), axis)
    reduction = d.pick("none", "sum", "mean")
    call = d.paddle.nn.functional.cross_entropy
    options = {"soft_label": True, "axis": axis, "reduction": reduction}
    return f"{shape} {axis} {reduction}", lambda: call(scores, label, **options)


def element_losses(d: Draw):
    shape = d.shape()
    name = d.pick("mse_loss", "l1_loss", "smooth_l1_loss", "kl_div", "soft_margin_loss")
    x, y = d.leaf(shape), d.paddle.to_tensor(d.numbers(shape, low=1), "float32")
    if name == "soft_margin_loss":
        y = d.paddle.sign(y)
    reduction = d.pick("none", "sum", "mean")
    call = getattr(d.paddle.nn.functional, name)
    return f"{name} {reduction}", lambda: call(x, y, reduction=reduction)


def binary_cross_entropy_with_logits(d: Draw):
    """Avoid 0, where real Paddle's slope is not the derivative."""
    shape = d.shape()
    x, y = d.leaf(shape), d.paddle.to_tensor(d.numbers(shape, low=0), "float32")
    options = {"reduction": d.pick("none", "sum", "mean")}
    if d.maybe():
        weight = d.numbers(d.broadcast(shape), low=1)
        options["pos_weight"] = d.paddle.to_tensor(weight, "float32")
    call = d.paddle.nn.functional.binary_cross_entropy_with_logits
    return options["reduction"], lambda: call(x + 0.125, y, **options)


# ----- masks and choices -------------------------------------------------------------------------


def masks(d: Draw):
    paddle, shape = d.paddle, d.shape()
    x, y, mask = d.leaf(shape, wild=3), d.leaf(shape, wild=3), d.mask(shape)
    name = d.pick("where", "masked_fill", "masked_select", "multiply")
    if name == "where":
        return name, lambda: paddle.where(mask, x, y)
    if name == "masked_fill":
        return name, lambda: paddle.masked_fill(x, mask, 2.0)
    if name == "masked_select":
        return name, lambda: paddle.masked_select(x, mask)
    return name, lambda: x * mask.astype("float32")


def clipped(d: Draw):
    x = d.leaf(d.shape(), d.pick("float32", "float64"), wild=3)
    low, high = d.pick(-1.0, 0.0), d.pick(0.5, 1.5)
    return f"{low} {high}", lambda: d.paddle.clip(x, low, high)


def piecewise(d: Draw):
    functional = d.paddle.nn.functional
    names = (
        *("relu", "relu6", "leaky_relu", "elu", "celu", "selu", "hardtanh", "hardsigmoid"),
        *("hardswish", "hardshrink", "softshrink", "thresholded_relu", "softsign", "softplus"),
        *("silu", "mish", "gelu", "log_sigmoid", "tanhshrink"),
    )
    name = d.pick(*names)
    x = d.leaf(d.shape(), d.pick("float32", "float64"))
    return name, lambda: getattr(functional, name)(x)


def prelu(d: Draw):
    shape = d.pick([], [3], [2, 3], [2, 3, 2])
    many = d.maybe() and len(shape) > 1
    x, weight = d.leaf(shape, wild=1), d.leaf([3 if many else 1])
    return f"{shape} {many}", lambda: d.paddle.nn.functional.prelu(x, weight)


def extremes(d: Draw):
    """Draw max, min, amax or amin of values with ties and NaN."""
    shape = d.shape()
    name = d.pick("max", "min", "amax", "amin")
    x = d.leaf(shape, wild=d.pick(0, 2))
    axis = d.pick(None, 0, -1)
    keep = d.maybe()
    return f"{name} {axis} {keep}", lambda: getattr(d.paddle, name)(x, axis=axis, keepdim=keep)


def pairs_of_extremes(d: Draw):
    shape = d.shape()
    x, y = d.leaf(shape, wild=2), d.leaf(d.broadcast(shape), wild=2)
    name = d.pick("maximum", "minimum", "fmax", "fmin")
    return name, lambda: getattr(d.paddle, name)(x, y)


def order(d: Draw):
    shape = d.shape()
    name = d.pick("sort", "topk", "kthvalue", "median", "mode", "cummax", "cummin")
    x = d.leaf(shape, d.pick("float32", "float64"))
    axis = d.pick(0, -1)
    call = getattr(d.paddle, name)
    if name in ("topk", "kthvalue"):
        return f"{name} {axis}", lambda: call(x, 1, axis=axis)
    if name == "median":
        mode = d.pick("avg", "min")
        return f"{name} {axis} {mode}", lambda: call(x, axis=axis, mode=mode)
    return f"{name} {axis}", lambda: call(x, axis=axis)


# ----- windows -----------------------------------------------------------------------------------


def pooled(d: Draw):
    name = d.pick("max_pool1d", "max_pool2d", "avg_pool1d", "avg_pool2d")
    sides = 1 if "1d" in name else 2
    x = d.leaf([1, 2] + [3 + d.below(3) for _ in range(sides)])
    kernel = 2 + d.below(2)
    padding = d.below(kernel // 2 + 1)
    options = {"stride": 1 + d.below(2), "padding": padding, "ceil_mode": d.maybe()}
    if name.startswith("avg"):
        options["exclusive"] = d.maybe()
    call = getattr(d.paddle.nn.functional, name)
    return f"{name} {x.shape} {kernel} {options}", lambda: call(x, kernel, **options)


def convolved(d: Draw):
    name = d.pick("conv1d", "conv2d", "conv1d_transpose", "conv2d_transpose")
    sides = 1 if "1d" in name else 2
    groups = d.pick(1, 1, 2)
    x = d.leaf([1, 2] + [4 + d.below(2) for _ in range(sides)])
    inner = 2 if "transpose" in name else 2 // groups
    outer = 2 // groups if "transpose" in name else 2
    weight = [inner, outer] if "transpose" in name else [outer, inner]
    weight = d.leaf(weight + [1 + d.below(2) for _ in range(sides)])
    options = {
        "stride": 1 + d.below(2), "padding": d.below(2), "groups": groups, "dilation": d.pick(1, 2)
    }  # fmt: skip
    call = getattr(d.paddle.nn.functional, name)
    return f"{name} {x.shape} {weight.shape} {options}", lambda: call(x, weight, **options)


def padded(d: Draw):
    shape = [1, 2, 3, 3]
    x = d.leaf(shape, wild=1)
    mode = d.pick("constant", "reflect", "replicate", "circular")
    pad = [d.below(3) for _ in range(4)]
    return f"{mode} {pad}", lambda: d.paddle.nn.functional.pad(x, pad, mode=mode, value=1.5)


# ----- sums and norms ----------------------------------------------------------------------------


def reduced(d: Draw):
    shape = d.shape()
    name = d.pick("sum", "mean", "prod", "logsumexp", "nansum", "nanmean", "std", "var")
    low = 1 if name == "prod" else -8  # real Paddle's slope of prod at 0 is NaN
    x = d.leaf(shape, d.pick("float32", "float64"), int(name.startswith("nan")), low)
    axis, keep = d.pick(None, 0, -1), d.maybe()
    return f"{name} {axis} {keep}", lambda: getattr(d.paddle, name)(x, axis=axis, keepdim=keep)


def scanned(d: Draw):
    x = d.leaf(d.shape(), d.pick("float32", "float64"))
    axis = d.pick(0, -1)
    name = d.pick("cumsum", "cumprod", "logcumsumexp")
    options = {"dim": axis} if name == "cumprod" else {"axis": axis}
    return f"{name} {axis}", lambda: getattr(d.paddle, name)(x, **options)


def norms(d: Draw):
    x = d.leaf(d.shape(1, 2))
    p, axis = d.pick(1.0, 2.0, 3.0, float("inf"), -float("inf"), 0.0), d.pick(None, 0, -1)
    return f"{p} {axis}", lambda: d.paddle.linalg.norm(x, p=p, axis=axis)


def normalized(d: Draw):
    functional = d.paddle.nn.functional
    x = d.leaf([2, 4, 3])
    name = d.pick(
        "layer_norm", "group_norm", "instance_norm", "softmax", "log_softmax", "normalize"
    )
    if name == "layer_norm":
        weight, bias = d.leaf([3]), d.leaf([3])
        return name, lambda: functional.layer_norm(x, [3], weight, bias)
    if name == "group_norm":
        weight, bias = d.leaf([4], low=1), d.leaf([4])
        return name, lambda: functional.group_norm(x, 2, 1e-5, weight, bias)
    if name == "instance_norm":
        return name, lambda: functional.instance_norm(x)
    axis = d.pick(0, 1, -1)
    return f"{name} {axis}", lambda: getattr(functional, name)(x, axis=axis)


# ----- places ------------------------------------------------------------------------------------


def places(d: Draw):
    paddle = d.paddle
    x = d.leaf([3, 4], wild=d.pick(0, 1))
    name = d.pick("gather", "index_select", "take_along_axis", "gather_nd", "index_sample")
    if name == "take_along_axis":
        index, axis = d.integers([3, 4], 0, 3), d.below(2)
        return f"{name} {axis}", lambda: paddle.take_along_axis(x, index, axis)
    if name == "gather_nd":
        index = d.integers([2, d.pick(1, 2)], 0, 3)
        return name, lambda: paddle.gather_nd(x, index)
    if name == "index_sample":
        index = d.integers([3, 2], 0, 4)
        return name, lambda: paddle.index_sample(x, index)
    index, axis = d.integers([d.below(4) + 1], 0, 3), d.below(2)
    return f"{name} {axis}", lambda: getattr(paddle, name)(x, index, axis=axis)


def written(d: Draw):
    paddle = d.paddle
    x, index = d.leaf([3, 2]), d.integers([4], 0, 3)
    name = d.pick("scatter", "scatter add", "index_add", "put_along_axis", "scatter_nd_add")
    update = d.leaf([4, 2])
    if name == "scatter":
        index, update = d.paddle.to_tensor([2, 0]), d.leaf([2, 2])
        return name, lambda: paddle.scatter(x, index, update)
    if name == "scatter add":
        return name, lambda: paddle.scatter(x, index, update, overwrite=False)
    if name == "index_add":
        return name, lambda: paddle.index_add(x, index, 0, update)
    if name == "scatter_nd_add":
        return name, lambda: paddle.scatter_nd_add(x, index.reshape([4, 1]), update)
    reduce = d.pick("add", "assign", "multiply")
    index, update = d.integers([1, 2], 0, 3), d.leaf([1, 2], low=1)
    call = paddle.put_along_axis
    return f"{name} {reduce}", lambda: call(x, index, update, 0, reduce=reduce)


def indexed(d: Draw):
    x = d.leaf([3, 4, 2])
    keys = {
        "x[1]": lambda: x[1],
        "x[:, -1]": lambda: x[:, -1],
        "x[..., 0]": lambda: x[..., 0],
        "x[::2, 1:]": lambda: x[::2, 1:],
        "x[[2, 0, 2]]": lambda: x[[2, 0, 2]],
        "x[:, [0, 3], None]": lambda: x[:, [0, 3], None],
        "x[[0, 1], [3, 3]]": lambda: x[[0, 1], [3, 3]],
        "x[x > 0]": lambda: x[x > 0],
    }
    text = d.pick(*keys)
    return text, keys[text]


def split_and_joined(d: Draw):
    paddle = d.paddle
    parts = d.pick(1, 2, 4)
    x, y = d.leaf([4, 4]), d.leaf([4, 4])
    name = d.pick("split", "chunk", "concat", "stack", "unbind", "tensor_split", "roll", "flip")
    axis = d.below(2)
    if name in ("split", "chunk", "tensor_split"):
        return f"{name} {parts} {axis}", lambda: getattr(paddle, name)(x, parts, axis=axis)
    if name in ("concat", "stack"):
        return f"{name} {axis}", lambda: getattr(paddle, name)([x, y, x], axis=axis)
    if name == "unbind":
        return f"{name} {axis}", lambda: paddle.unbind(x, axis)
    if name == "roll":
        shift = d.pick(1, -2)
        return f"{name} {shift} {axis}", lambda: paddle.roll(x, shift, axis=axis)
    return f"{name} {axis}", lambda: paddle.flip(x, axis=[axis])


# ----- products and complex numbers --------------------------------------------------------------


def products(d: Draw):
    kind = d.pick("float32", "float64", "complex64", "complex128")
    name = d.pick("matmul", "dot", "outer", "inner", "bmm", "mv", "kron", "multiply", "divide")
    shapes = {
        "dot": ([3], [3]), "bmm": ([2, 2, 3], [2, 3, 2]), "mv": ([2, 3], [3]),
        "outer": ([2], [3]), "inner": ([2, 3], [3]), "kron": ([2, 1], [1, 2]),
        "multiply": ([2, 3], [3]), "divide": ([2, 3], [2, 1]),
        "matmul": d.pick(([3], [3]), ([2, 3], [3]), ([3], [2, 3, 2]), ([2, 1, 2, 3], [2, 3, 1])),
    }[name]  # fmt: skip
    x, y = (d.leaf(shape, kind) for shape in shapes)
    if name == "divide":
        y = y + 3.0
    return f"{name} {kind} {shapes}", lambda: getattr(d.paddle, name)(x, y)


def of_complex(d: Draw):
    names = ("abs", "conj", "square", "reciprocal", "sin", "tanh", "log", "sqrt", "sum", "mean",
             "cumsum", "t")  # fmt: skip
    name = d.pick(*names)
    x = d.leaf([2, 2], d.pick("complex64", "complex128"))
    return name, lambda: getattr(d.paddle, name)(x + (1.0 + 0.5j))


CALLS = (
    cross_entropy, soft_cross_entropy, element_losses, binary_cross_entropy_with_logits,
    masks, clipped, piecewise, prelu, extremes, pairs_of_extremes, order,
    pooled, convolved, padded, reduced, scanned, norms, normalized,
    places, written, indexed, split_and_joined, products, of_complex,
)  # fmt: skip
TABLE = [Case(call.__name__, partial(play, call=call, seeds=SEEDS), ulps=16) for call in CALLS]
