"""Tensors: making them, their attributes, and how Python treats them."""

import math

import numpy as np

from ..harness import case


def dtypes(tensors):
    return [str(t.dtype) for t in tensors]


@case
def dtypes_of_to_tensor(paddle, show):
    values = [1.0, 1, True, [1.0, 2], np.float64(1), np.arange(2), (1, 2), [[1.5]], 1 + 2j]
    show("dtypes", dtypes(paddle.to_tensor(v) for v in values))
    show("stop_gradient", paddle.to_tensor(1.0).stop_gradient)


@case
def refused_by_to_tensor(paddle, show):
    for label, value in (("text", "a"), ("None", None), ("dict", {}), ("ragged", [[1], [2, 3]])):
        show.raises(label, lambda value=value: paddle.to_tensor(value))
    show.raises("texts", lambda: paddle.to_tensor(np.array(["a"])))


@case
def attributes(paddle, show):
    x = paddle.to_tensor(np.float32([[1, 2, 3], [4, 5, 6]]))
    show("shape", x.shape)
    show("equals list and tuple", [x.shape == [2, 3], x.shape == (2, 3)])
    show("size, ndim", [x.size, x.ndim])
    show("numel", x.numel())
    show("T", x.T)
    show("tolist", x.tolist())
    show("texts", [str(x.place), str(x.dtype)])
    show("leaf", x.is_leaf)
    show("itemsize", x.element_size())
    show("dtype equals text", x.dtype == "float32")


@case
def copies_and_views(paddle, show):
    source = np.float32([1, 2, 3, 4])
    x = paddle.to_tensor(source)
    source[0] = 100
    show("to_tensor copies", x)
    x.numpy()[0] = 100
    show("numpy copies", x)
    clone, detached, row = x.clone(), x.detach(), x.reshape([2, 2])[0]
    x[0] = 7.0
    show("clone", clone)
    show("detach", detached)
    show("row", row)


@case
def python_protocols(paddle, show):
    one, many, scalar = (paddle.to_tensor(v) for v in ([2.5], [1.0, 2.0], 3))
    show("truth", [bool(one), bool(paddle.to_tensor(0.0))])
    show("item", [one.item(), scalar.item(), many.item(1)])
    show("float, int", [float(paddle.to_tensor(2.5)), int(scalar)])
    show("iteration", [float(v) for v in many])
    show("len", len(many))
    show("range, list, sqrt", [list(range(scalar)), "abcd"[scalar], math.sqrt(scalar)])
    show("none", [many == None, many != None])  # noqa: E711
    show.raises("truth of many", lambda: bool(many))
    show.raises("float of many", lambda: float(many))
    show.raises("item of many", many.item)
    show.raises("item out of range", lambda: many.item(5))
    show.raises("len of a scalar", lambda: len(scalar))


@case
def with_numpy(paddle, show):
    x = paddle.to_tensor(np.float32([1, 2]), stop_gradient=False)
    show("asarray", np.asarray(x))
    show("array + tensor", np.float64([1, 2]) + paddle.to_tensor(np.float64([3, 4])))
    show("scalar * tensor", np.float64(2) * x)
    show.raises("np.tanh", lambda: np.tanh(x))


@case
def flags(paddle, show):
    x = paddle.to_tensor([1.0])
    show.raises("not a bool", lambda: setattr(x, "stop_gradient", 1))
    x.stop_gradient = False
    show("flag", x.stop_gradient)


@case
def creation(paddle, show):
    show("zeros", paddle.zeros([2, 2]))
    show("ones", paddle.ones([2], dtype="int64"))
    show("full", paddle.full([2], 3))
    show("full of bool", paddle.full([1], True))
    show("arange", paddle.arange(5))
    show("arange of floats", paddle.arange(0.0, 1.0, 0.25))
    show("like", paddle.zeros_like(paddle.to_tensor([1, 2])))
    show("full_like", paddle.full_like(paddle.to_tensor([1.0, 2.0]), 7))


@case
def creation_of_a_range(paddle, show):
    show("linspace", paddle.linspace(0, 1, 5))


@case
def creation_of_an_identity(paddle, show):
    show("eye", paddle.eye(2))


@case
def indexing(paddle, show):
    x = paddle.to_tensor(np.arange(24, dtype="float32").reshape(2, 3, 4))
    show("int", x[1])
    show("ints", x[1, 2, 3])
    show("slices", x[:, 1:, ::2])
    show("backwards", x[:, ::-1, 0])
    show("new axis", x[0, None, 0])
    show("ellipsis", x[..., -1])
    show("mask", x[x > 20])
    show("list", x[:, [0, 2], 1])
    show("tensor", x[paddle.to_tensor([1, 0])][:, 0, 0])
    show.raises("out of range", lambda: x[5])
    show.raises("float", lambda: x[1.5])
    show.raises("text", lambda: x["a"])


@case
def assignment(paddle, show):
    x = paddle.zeros([2, 3])
    x[0] = 1.0
    x[:, 2] = paddle.to_tensor([5.0, 6.0])
    x[x == 0] = -1.0
    show("x", x)
    show("version", x.inplace_version)
    n = paddle.zeros([2], dtype="int64")
    n[0] = 3.7
    show("cast", n)
    show.raises("shape", lambda: x.__setitem__(0, paddle.ones([5])))


@case
def in_place(paddle, show):
    x = paddle.to_tensor([1.0, 4.0])
    show("returns self", x.add_(paddle.to_tensor([1.0, 1.0])) is x)
    x.scale_(2.0)
    show("x", x)
    show("version", x.inplace_version)
    x.zero_()
    show("zeros", x)
    x.fill_(7.0)
    show("filled", x)


@case
def version_after_set_value(paddle, show):
    x = paddle.to_tensor([1.0, 4.0])
    x.set_value(np.float32([2, 3]))
    show("version", x.inplace_version)


@case
def set_value(paddle, show):
    x = paddle.to_tensor([1.0, 4.0], stop_gradient=False)
    x.set_value(np.float32([2, 3]))
    show("x", x)
    show.raises("shape", lambda: x.set_value(np.float32([1, 2, 3])))
    show.raises("dtype", lambda: x.set_value(np.int64([1, 2])))


@case
def truth(paddle, show):
    for number in (-1.0, 0.0, 2.0, float("nan"), float("inf"), -3, 0, 1, True, False):
        show(repr(number), bool(paddle.to_tensor([number])))


@case
def default_dtype(paddle, show):
    try:
        paddle.set_default_dtype("float64")
        show("dtypes", dtypes([paddle.to_tensor(1.0), paddle.ones([1]), paddle.to_tensor(1)]))
    finally:
        paddle.set_default_dtype("float32")
    show("name", paddle.get_default_dtype())
    show.raises("int32", lambda: paddle.set_default_dtype("int32"))
