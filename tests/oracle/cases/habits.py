"""Small habits of Paddle's ops that everyday code relies on."""

import numpy as np

from ..harness import case
from ._texts import texts


@case
def numpy_takes_blocking(paddle, show):
    x = paddle.to_tensor([1.0, 2.0])
    copy = x.numpy(False)
    copy[0] = 9.0
    show("a copy all the same", [copy, x, x.numpy(blocking=True)])


@case
def parameters_of_in_place_forms(paddle, show):
    x = paddle.to_tensor([[0.5]])
    show("name", [paddle.tanh_(x, name="a"), x.abs_(name="b")])
    show("input", paddle.addmm_(input=paddle.zeros([1, 1]), x=x, y=x))


@case
def what_changes_nothing_gives_the_tensor_itself(paddle, show):
    def same(call, *shape):
        x = paddle.ones(shape or [2])
        x.stop_gradient = False
        return call(x) is x

    kinds = ["float32", paddle.float32, np.float32, np.dtype("float32")]
    show("astype", [same(lambda x, kind=kind: x.astype(kind)) for kind in kinds])
    show("float", [same(lambda x: x.float()), same(lambda x: x.type_as(paddle.ones([1])))])
    show("cast", [same(lambda x: x.cast("float32")), same(lambda x: paddle.cast(x, "float32"))])
    shapes = [[2, 1], (2, 1), [2, -1], [0, 1], [-1, 1]]
    show("reshape", [same(lambda x, s=s: x.reshape(s), 2, 1) for s in shapes])
    show("sizes one by one", same(lambda x: x.reshape(2, 1), 2, 1))
    show("paddle.reshape", same(lambda x: paddle.reshape(x, x.shape)))
    show("0-D", same(lambda x: x.sum().reshape([])))
    show("view", [same(lambda x: x.view("float32")), same(lambda x: x.view([2]))])
    show("T", [same(lambda x: x.T), same(lambda x: x.T, 1, 1)])
    others = ["flatten", "squeeze", "clone", "detach", "t"]
    show("others", [same(lambda x, name=name: getattr(x, name)()) for name in others])


@case
def where_gives_gradients_in_the_dtypes_of_its_inputs(paddle, show):
    keep = paddle.to_tensor([True, False])
    for left, right in [("float32", "float64"), ("float64", "float32"), ("float32", "complex64")]:
        x = paddle.to_tensor(np.ones(2, left), stop_gradient=False)
        y = paddle.to_tensor(np.ones((), right), stop_gradient=False)
        out = paddle.where(keep, x, y)
        out.sum().backward()
        show(f"{left} and {right}", [out, x.grad, y.grad])


@case
def the_condition_of_where_has_no_gradient(paddle, show):
    def stops(*wanted):
        values = [paddle.to_tensor([True]), paddle.to_tensor([1.0]), paddle.to_tensor([2.0])]
        for value, wants in zip(values, wanted, strict=True):
            value.stop_gradient = not wants
        return paddle.where(*values).stop_gradient

    flags = [(c, x, y) for c in (False, True) for x in (False, True) for y in (False, True)]
    show("stop_gradient", [stops(*wanted) for wanted in flags])


@case(differs="x.to(dtype) gives x itself if nothing changes, as astype does")
def to_the_same_dtype(paddle, show):
    x = paddle.ones([2])
    show("to", [x.to("float32") is x, x.to("cpu", "float32") is x])


@case(differs="copy_ keeps the shape, counts as an in-place change and gives x itself")
def copy_of_another_shape(paddle, show):
    x = paddle.zeros([2])
    show("itself", [x.copy_(paddle.ones([2]), True) is x, x.inplace_version])
    show.raises("shape", lambda: x.copy_(paddle.ones([3]), True))


DIFFERS = {
    "a 0 d tensor floor divided by a number": "a 0-D tensor divided by a number stays 0-D",
}  # fmt: skip
TABLE = texts("habits", globals(), DIFFERS)
